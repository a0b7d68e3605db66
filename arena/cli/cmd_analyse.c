/*
 * The command analyse: judges each play of the given records, and prints how
 * much each bot has lost by its plays.
 *
 * A play is judged in two ways: by a search that knows only what the seat could
 * see (opinion_form), and, when few cards are left to play, by the exact
 * solver, which knows all cards.  Plays that were forced, or that the arena
 * made for a seat, are not judged.  The loss of a play is the value of the best
 * play less its own value, in points.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "json.h"
#include "maestro.h"
#include "play_losses.h"
#include "record_read.h"
#include "record_walk.h"
#include "run.h"
#include "solve.h"
#include "splitmix.h"
#include "text_format.h"
#include "version.h"

enum {
	SOLVE_MEMORY_SIZE = 1 << 24,
	MOVE_WIDTH = 13,
	DIGITS = 3,
	MS_DEFAULT = 200
};

struct analyse_settings {
	const char *match;
	int64_t deal; /* 0: all */
	/* The time for each play, or its iterations; 0: not given. */
	int64_t ms, iterations;
	/* solve exactly with at most this many cards left to play; 0: never */
	int64_t exact;
	int64_t seed;
	const char *out;
	bool quiet;
	bool json;
};

/* The play that was made in a position, and how it was judged. */
struct play {
	struct play_loss row; /* as the table has it */
	bool forced;          /* the only legal move */
	int64_t iterations;   /* of the search */
};

struct analysis {
	const struct analyse_settings *settings;
	struct opinion_means means; /* owns its memory */
	struct solve_limits limits;
	struct solve_move moves[SCOPA_MOVES_MAX];
	struct loss_sums sums; /* owned */
	struct json json;
	bool begun;  /* at least one match was found */
	FILE *table; /* where the plays are saved; NULL: nowhere */
	char table_path[PATH_MAX];
	bool table_is_new; /* the file was made when it was opened */
	int table_error;   /* 0 or errno: a play could not be saved */

	/* The match that is being analysed. */
	const char *match;
	const struct record_head *head;
	int name_width;
};

#define FIELD(name) offsetof(struct analyse_settings, name)

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct analyse_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "Only the deal of this number.", .unit = "deals"),
	INT_OPTION("ms", "N", FIELD(ms), 1, 3600000,
	    "Time for each play that is not forced. Without it and "
	    "--iterations: 200.",
	    .unit = "milliseconds"),
	INT_OPTION("iterations", "N", FIELD(iterations), 4,
	    SEARCH_ITERATIONS_MAX,
	    "The number of iterations, instead of a time: the same analysis "
	    "every time.",
	    .unit = "iterations"),
	INT_OPTION("exact", "N", FIELD(exact), 0, 24,
	    "Solve positions with up to N cards to go; 0: none.",
	    .fallback = "16", .unit = "cards"),
	INT_OPTION("seed", "N", FIELD(seed), 0, INT64_MAX,
	    "The seed of the random numbers of the searches.",
	    .aliases = { "srand" }, .fallback = "1"),
	TEXT_OPTION("out", "FILE", FIELD(out),
	    "Append the plays to this table. Without it, for a run: "
	    "" RUN_ANALYSIS " in its folder, which its report shows.",
	    .is_path = true, .is_written = true),
	FLAG_OPTION("quiet", FIELD(quiet), "Do not show the progress."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

/*
 * The first random number for a play.  It depends only on the seed, the match
 * and the position, so a play that is analysed alone gets the same result.
 */
static uint64_t
random_of(const struct analysis *analysis, const struct position *position)
{
	uint64_t state = (uint64_t)analysis->settings->seed;

	for (const char *byte = analysis->match; *byte != '\0'; byte++)
		state = splitmix_next(&state) ^ (unsigned char)*byte;
	state = splitmix_next(&state) ^ (uint64_t)position->number;
	state = splitmix_next(&state) ^ (uint64_t)position->deal.history_count;
	return splitmix_next(&state);
}

static void
move_copy(char text[LOSS_MOVE_SIZE], const struct scopa_move *move)
{
	snprintf(text, LOSS_MOVE_SIZE, "%s", move_text(move));
}

static void
judge_exactly(struct analysis *analysis, const struct position *position,
    struct play_loss *row)
{
	const struct scopa_rules *rules = &analysis->head->rules;
	int most = scopa_points_max(rules);
	struct solve_result result;
	int count;

	if (analysis->settings->exact == 0 ||
	    solve_plies(&position->deal) > analysis->settings->exact)
		return;
	count = solve_moves(rules, &position->deal, &analysis->limits,
	    analysis->moves, SCOPA_MOVES_MAX, &result);
	for (int i = 0; i < count; i++) {
		const struct solve_move *move = &analysis->moves[i];
		int loss = result.value - move->value;

		if (!scopa_move_equal(&move->move, &position->move))
			continue;
		row->exact = true;
		move_copy(
		    row->exact_best, loss == 0 ? &move->move : &result.best);
		row->exact_value = result.value;
		/*
		 * The loss of an instant win counts as the most points that a
		 * deal can give.
		 */
		row->exact_loss = loss < most ? loss : most;
	}
}

/* Judges the play that was made in a position. */
static void
judge(struct analysis *analysis, const struct position *position,
    struct play *play)
{
	const struct scopa_rules *rules = &analysis->head->rules;
	const struct scopa_deal *deal = &position->deal;
	int plays = SCOPA_PACK_SIZE - rules->table;
	uint64_t random = random_of(analysis, position);
	struct play_loss *row = &play->row;
	struct opinion opinion;
	struct scopa_view view;
	bool formed;

	*play = (struct play){
		.forced = scopa_moves(rules, deal, NULL, 0) == 1,
		.row = { .deal = position->number,
		    .play = position->play,
		    .seat = deal->turn + 1,
		    .phase = (enum loss_phase)(
			deal->play_count * LOSS_PHASE_COUNT / plays),
		    .by_arena = position->by_arena },
	};
	snprintf(row->match, sizeof(row->match), "%s", analysis->match);
	snprintf(row->bot, sizeof(row->bot), "%s",
	    analysis->head->game.seats[deal->turn].name);
	move_copy(row->move, &position->move);
	row->judged = !position->by_arena && !play->forced;
	if (!row->judged)
		return;
	scopa_view_make(rules, deal, &position->tally, deal->turn, &view);
	formed = opinion_form(
	    rules, &view, &position->move, &analysis->means, &random, &opinion);
	/* The view comes from a real deal, so it cannot contradict itself. */
	assert(formed);
	(void)formed;
	move_copy(row->best, &opinion.best);
	row->value = opinion.value;
	row->loss = opinion.loss;
	play->iterations = opinion.iterations;
	judge_exactly(analysis, position, row);
}

/* The sums of a seat's bot; NULL: no memory. */
static struct loss_sum *
sum_of(struct analysis *analysis, int seat)
{
	return loss_sums_get(
	    &analysis->sums, analysis->head->game.seats[seat].name);
}

static void
begin_match(struct analysis *analysis, const struct record_visit *visit)
{
	const struct analyse_settings *settings = analysis->settings;
	const struct record_head *head = replay_head(visit->replay);
	struct json *json = &analysis->json;
	bool first = !analysis->begun;

	analysis->begun = true;
	analysis->match = visit->match;
	analysis->head = head;
	analysis->means.deal_count = head->game.match.deals;
	if (settings->json) {
		if (first) {
			json_document_begin(json, stdout);
			json_string(json, "format", "scopa-arena-analysis");
			json_int(json, "version", 1);
			json_int_if(json, "iterations",
			    settings->iterations > 0, settings->iterations);
			json_int_if(json, "ms", settings->iterations == 0,
			    analysis->means.time_ns / CLOCK_NS_PER_MS);
			json_int(json, "exact", settings->exact);
			json_int(json, "seed", settings->seed);
			json_array_begin(json, "matches");
		}
		json_object_begin(json, NULL);
		json_string(json, "match", visit->match);
		json_string(json, "rules", head->game.match.rules);
		json_array_begin(json, "deals");
		return;
	}
	analysis->name_width = 1;
	for (int seat = 0; seat < head->rules.players; seat++) {
		int width = text_width(safe_text(head->game.seats[seat].name));

		if (width > analysis->name_width)
			analysis->name_width = width;
	}
	printf("%sMatch %s: %s\n", first ? "" : "\n", safe_text(visit->match),
	    head->game.match.rules);
}

/* Counts a new deal for every seat.  0 or -ENOMEM. */
static int
begin_deal(struct analysis *analysis, int number)
{
	struct json *json = &analysis->json;

	if (!analysis->settings->quiet) {
		fflush(stdout);
		fprintf(stderr, "analyse match %s, deal %d\n",
		    safe_text(analysis->match), number);
	}
	if (analysis->settings->json) {
		json_object_begin(json, NULL);
		json_int(json, "deal", number);
		json_array_begin(json, "plays");
	} else {
		printf("\nDeal %d\nplay  %-*s  %-*s  value   loss      %-*s  "
		       "all cards known\n",
		    number, analysis->name_width + 2, "seat", MOVE_WIDTH,
		    "move", MOVE_WIDTH, "better");
	}
	for (int seat = 0; seat < analysis->head->rules.players; seat++) {
		struct loss_sum *sum = sum_of(analysis, seat);

		if (sum == NULL)
			return -ENOMEM;
		sum->deals++;
	}
	return 0;
}

/* Closes the innermost open level of the JSON document, a deal or a match. */
static void
end_level(struct analysis *analysis)
{
	if (!analysis->settings->json)
		return;
	json_array_end(&analysis->json);
	json_object_end(&analysis->json);
}

static void
print_play(const struct analysis *analysis, const struct play *play)
{
	const struct play_loss *row = &play->row;
	const char *bot = safe_text(row->bot);

	printf("%4d  %d %s%*s  ", row->play, row->seat, bot,
	    analysis->name_width - text_width(bot), "");
	if (!row->judged) {
		printf(
		    "%s%s\n", row->move, row->by_arena ? "  by the arena" : "");
		return;
	}
	printf("%-*s  %+5.2f", MOVE_WIDTH, row->move, row->value);
	if (row->loss > 0)
		printf("  %5.2f %-2s  ", row->loss, loss_mark_text(row->loss));
	else if (row->exact)
		printf("%12s", "");
	if (row->loss > 0 || row->exact)
		printf("%-*s", row->exact ? MOVE_WIDTH : 0,
		    row->loss > 0 ? row->best : "");
	if (row->exact && row->exact_loss > 0)
		printf("  %3d %-2s  %s", row->exact_loss,
		    loss_mark_text(row->exact_loss), row->exact_best);
	else if (row->exact)
		printf("  %3d", 0);
	putchar('\n');
}

static void
put_play(struct json *json, const struct play *play)
{
	const struct play_loss *row = &play->row;

	json_object_begin(json, NULL);
	json_int(json, "play", row->play);
	json_int(json, "seat", row->seat);
	json_string(json, "name", row->bot);
	json_string(json, "phase", loss_phase_names[row->phase]);
	json_string(json, "move", row->move);
	json_string(json, "by", row->by_arena ? "arena" : "bot");
	json_bool(json, "forced", play->forced);
	if (row->judged) {
		json_string(json, "best", row->best);
		json_real(json, "value", row->value, DIGITS);
		json_real(json, "loss", row->loss, DIGITS);
		json_string(json, "mark", loss_mark_text(row->loss));
		json_int(json, "iterations", play->iterations);
		if (row->exact) {
			json_object_begin(json, "exact");
			json_string(json, "best", row->exact_best);
			json_int(json, "value", row->exact_value);
			json_int(json, "loss", row->exact_loss);
			json_string(
			    json, "mark", loss_mark_text(row->exact_loss));
			json_object_end(json);
		} else {
			json_null(json, "exact");
		}
	}
	json_object_end(json);
}

static double
per(double total, int64_t count)
{
	return count > 0 ? total / (double)count : 0;
}

static void
print_tallies(const char *phase,
    const struct loss_tally tallies[LOSS_KIND_COUNT],
    const struct loss_sum *sum)
{
	const struct loss_tally *own = &tallies[LOSS_BY_SEAT];
	const struct loss_tally *exact = &tallies[LOSS_BY_SOLVER];

	printf("  %-8s  %6jd  %6.3f  %6.2f  %5jd  %5jd", phase, own->plays,
	    per(own->loss, own->plays), per(own->loss, sum->deals),
	    own->marks[LOSS_MISTAKE], own->marks[LOSS_BLUNDER]);
	if (exact->plays > 0)
		printf("  %6jd  %6.3f  %5jd  %5jd", exact->plays,
		    per(exact->loss, exact->plays), exact->marks[LOSS_MISTAKE],
		    exact->marks[LOSS_BLUNDER]);
	putchar('\n');
}

static void
print_sums(const struct analysis *analysis)
{
	struct loss_tally all[LOSS_KIND_COUNT];

	printf("\n%44s  | all cards known\n", "");
	printf("  %-8s  %6s  %6s  %6s  %5s  %5s  %6s  %6s  %5s  %5s\n", "phase",
	    "plays", "a play", "a deal", "?", "??", "plays", "a play", "?",
	    "??");
	for (int i = 0; i < analysis->sums.count; i++) {
		const struct loss_sum *sum = &analysis->sums.items[i];

		printf("%s\n", safe_text(sum->name));
		for (int phase = 0; phase < LOSS_PHASE_COUNT; phase++)
			print_tallies(
			    loss_phase_names[phase], sum->phases[phase], sum);
		loss_sum_all(sum, all);
		print_tallies("all", all, sum);
	}
}

static void
put_tallies(struct json *json, const char *key,
    const struct loss_tally tallies[LOSS_KIND_COUNT])
{
	const struct loss_tally *own = &tallies[LOSS_BY_SEAT];
	const struct loss_tally *exact = &tallies[LOSS_BY_SOLVER];

	json_object_begin(json, key);
	json_int(json, "plays", own->plays);
	json_real(json, "loss", own->loss, DIGITS);
	json_int(json, "mistakes", own->marks[LOSS_MISTAKE]);
	json_int(json, "blunders", own->marks[LOSS_BLUNDER]);
	json_int(json, "exact_plays", exact->plays);
	json_int(json, "exact_loss", (int64_t)exact->loss);
	json_int(json, "exact_mistakes", exact->marks[LOSS_MISTAKE]);
	json_int(json, "exact_blunders", exact->marks[LOSS_BLUNDER]);
	json_object_end(json);
}

static void
put_sums(struct analysis *analysis)
{
	struct json *json = &analysis->json;
	struct loss_tally all[LOSS_KIND_COUNT];

	json_array_end(json);
	json_array_begin(json, "bots");
	for (int i = 0; i < analysis->sums.count; i++) {
		const struct loss_sum *sum = &analysis->sums.items[i];

		json_object_begin(json, NULL);
		json_string(json, "name", sum->name);
		json_int(json, "deals", sum->deals);
		for (int phase = 0; phase < LOSS_PHASE_COUNT; phase++)
			put_tallies(
			    json, loss_phase_names[phase], sum->phases[phase]);
		loss_sum_all(sum, all);
		put_tallies(json, "all", all);
		json_object_end(json);
	}
	json_array_end(json);
	json_document_end(json);
}

/* Judges, prints, saves and counts a play.  0 or -ENOMEM. */
static int
analyse_play(struct analysis *analysis, const struct position *position)
{
	struct loss_sum *sum = sum_of(analysis, position->deal.turn);
	struct play play;

	if (sum == NULL)
		return -ENOMEM;
	judge(analysis, position, &play);
	if (analysis->settings->json)
		put_play(&analysis->json, &play);
	else
		print_play(analysis, &play);
	if (analysis->table)
		play_loss_write(&play.row, analysis->table);
	if (!position->by_arena)
		loss_tally_add(
		    &sum->phases[play.row.phase][LOSS_BY_SEAT], play.row.loss);
	if (play.row.exact)
		loss_tally_add(&sum->phases[play.row.phase][LOSS_BY_SOLVER],
		    play.row.exact_loss);
	return 0;
}

static int
analyse_block(void *context, const struct record_visit *visit)
{
	struct analysis *analysis = context;
	struct positions positions = { .deal = analysis->settings->deal };
	int error = positions_collect(&positions, visit), number = 0;

	if (!error && positions.count > 0)
		begin_match(analysis, visit);
	for (int i = 0; !error && i < positions.count; i++) {
		const struct position *position = &positions.items[i];

		if (position->number != number) {
			if (number > 0)
				end_level(analysis);
			number = position->number;
			error = begin_deal(analysis, number);
		}
		if (!error)
			error = analyse_play(analysis, position);
	}
	if (number > 0) {
		end_level(analysis);
		end_level(analysis);
	}
	free(positions.items);
	/* If the rest is interrupted, the plays of this match are saved. */
	if (analysis->table && fflush(analysis->table) == EOF)
		analysis->table_error = errno;
	return error;
}

static enum status
table_refused(const struct analysis *analysis, int error)
{
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "cannot write %s: %s", analysis->table_path, strerror(error));
}

/* The run of another user is analysed all the same. */
static void
warn_unsaved(const char *run, int error)
{
	fprintf(stderr,
	    "warning: the losses are not saved in \"%s\": %s\n"
	    "  hint    : --out FILE saves them elsewhere\n",
	    run, strerror(error));
}

/*
 * Opens the table that plays are appended to: the one that is named, or the one
 * of a run that is analysed alone.  STATUS_DONE, or an error is printed.
 */
static enum status
open_table(struct analysis *analysis, char **argv)
{
	char records[PATH_MAX], *path = analysis->table_path;
	const bool is_own = analysis->settings->out == NULL;

	if (!is_own) {
		snprintf(path, PATH_MAX, "%s", analysis->settings->out);
	} else if (argv[0] && !argv[1]) {
		run_path_join(records, argv[0], RUN_RECORDS);
		if (access(records, F_OK) == 0) {
			if (access(argv[0], W_OK) == 0)
				run_path_join(path, argv[0], RUN_ANALYSIS);
			else
				warn_unsaved(argv[0], errno);
		}
	}
	if (!path[0])
		return STATUS_DONE;
	analysis->table_is_new =
	    faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0;
	analysis->table = fopen(path, is_own ? "a+e" : "ae");
	/* A file of the user may be a device, and stays as it is. */
	if (!analysis->table ||
	    (is_own && run_cut_part_of_line(fileno(analysis->table)) < 0))
		return table_refused(analysis, errno);
	if (fseek(analysis->table, 0, SEEK_END) == 0)
		return STATUS_DONE;
	/* A pipe or a terminal has no offset, and is empty. */
	if (errno != ESPIPE)
		return table_refused(analysis, errno);
	play_loss_head(analysis->table);
	return STATUS_DONE;
}

/*
 * Returns `status`, or prints that not all plays could be saved.  A file that
 * was made and got no play is removed.
 */
static enum status
close_table(struct analysis *analysis, enum status status)
{
	if (analysis->table && fclose(analysis->table) == EOF &&
	    !analysis->table_error)
		analysis->table_error = errno;
	if (analysis->table && analysis->table_is_new && !analysis->begun)
		unlink(analysis->table_path);
	return analysis->table_error
	    ? table_refused(analysis, analysis->table_error)
	    : status;
}

static enum status
analyse_run(const void *given, char **argv)
{
	const struct analyse_settings *settings = given;
	struct analysis *analysis = command_memory(sizeof(*analysis));
	struct maestro *maestro =
	    aligned_alloc(_Alignof(struct maestro), sizeof(*maestro));
	enum status status;

	analysis->settings = settings;
	analysis->means = (struct opinion_means){
		.iterations = settings->iterations,
		.time_ns = (settings->ms > 0 ? settings->ms : MS_DEFAULT) *
		    CLOCK_NS_PER_MS,
		.maestro = maestro,
	};
	analysis->limits = (struct solve_limits){
		.plies_max = (int)settings->exact,
		.memory = command_memory(SOLVE_MEMORY_SIZE),
		.memory_size = SOLVE_MEMORY_SIZE,
	};
	if (maestro == NULL)
		status = memory_error();
	else if (settings->ms > 0 && settings->iterations > 0)
		status = error_exclusive("ms", "iterations");
	else
		status = open_table(analysis, argv);
	if (status == STATUS_DONE) {
		status = record_walk_good(
		    analyse_block, analysis, settings->match, argv);
		if (analysis->begun && settings->json)
			put_sums(analysis);
		else if (analysis->begun)
			print_sums(analysis);
		else if (status == STATUS_DONE)
			status = error_status(STATUS_FAILED,
			    "no play of such a deal was found",
			    VERSION_NAME " record show FILE",
			    "there is nothing to analyse");
	}
	status = close_table(analysis, status);
	free(maestro);
	loss_sums_release(&analysis->sums);
	return status;
}

const struct command command_analyse = {
	.name = "analyse",
	.sentence = "Shows what each play of a record has lost.",
	.detail =
	    "@maestro judges each play from what the seat knew. The value is "
	    "what the best move was worth, in points of the deal more than the "
	    "others have on average, or about the chance to win the match if "
	    "the deal may decide it; the loss is how much less the move that "
	    "was made was worth. A loss of half a point is marked ?, a loss of "
	    "a point and a half ??. Endings are solved with all cards known, "
	    "too; what a play loses there is luck as well as skill.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "analyse games.scopa --ms 1000",
	    "analyse games.scopa --match m3 --deal 2 --iterations 20000" },
	.options = options,
	.settings_size = sizeof(struct analyse_settings),
	.run = analyse_run,
};
