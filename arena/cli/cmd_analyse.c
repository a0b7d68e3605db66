/*
 * Plays of records, judged one by one, and what each bot has lost by them.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "error_message.h"
#include "json.h"
#include "maestro.h"
#include "record_read.h"
#include "record_walk.h"
#include "solve.h"
#include "splitmix.h"
#include "version.h"

/* Marks of a play, as chess programs give them. */
enum critique_mark {
	CRITIQUE_FINE,
	CRITIQUE_MISTAKE, /* ?  loses half a point and more */
	CRITIQUE_BLUNDER, /* ?? loses a point and a half and more */
	CRITIQUE_MARK_COUNT
};

/* Thirds of the plays of a deal. */
enum critique_phase {
	CRITIQUE_OPENING,
	CRITIQUE_MIDDLE,
	CRITIQUE_ENDING,
	CRITIQUE_PHASE_COUNT
};

struct critique_settings {
	int64_t ms;         /* for a play, where no iterations are said */
	int64_t iterations; /* 0: the time decides */
	int64_t
	    exact; /* cards to go, from which exact play is shown; 0: none */
	int64_t seed;
};

/* One play. */
struct critique_play {
	struct scopa_move move;
	int seat, number; /* of the deal's cards, from 1 */
	enum critique_phase phase;
	bool by_arena; /* it moved for the seat: nothing else is said.. */
	bool forced;   /* ..nor where this was the only legal move */
	struct opinion opinion;
	bool exact; /* the three below are said */
	struct scopa_move exact_best;
	int exact_value; /* of the best move, as solve.h has it */
	int exact_loss;
};

/* What came of some plays. */
struct critique_count {
	int64_t plays, marks[CRITIQUE_MARK_COUNT];
	double loss;
	int64_t exact_plays, exact_marks[CRITIQUE_MARK_COUNT];
	int64_t exact_loss;
};

/* What came of a bot's plays, in all matches and seats. */
struct critique_sum {
	char name[EVENT_NAME_SIZE];
	int64_t deals; /* seats times deals */
	struct critique_count phases[CRITIQUE_PHASE_COUNT];
};

struct critique {
	struct critique_settings settings;
	struct opinion_means means; /* its memory is owned */
	struct solve_limits solve_limits;
	struct solve_move moves[SCOPA_MOVES_MAX];
	struct critique_sum *sums; /* owned */
	int sum_count, sum_capacity;
};

struct critique_report {
	bool json;
	struct json document;
	int name_width; /* of the match in hand */
	bool match_open, deal_open;
};

enum { SOLVE_MEMORY_SIZE = 1 << 24, SUMS_MIN = 8 };

static const struct {
	const char *text;
	double loss; /* from which on */
} marks[] = {
	[CRITIQUE_FINE] = { "", 0 },
	[CRITIQUE_MISTAKE] = { "?", 0.5 },
	[CRITIQUE_BLUNDER] = { "??", 1.5 },
};

_Static_assert(COUNTOF(marks) == CRITIQUE_MARK_COUNT, "every mark has a text");

static const char *const phases[] = {
	[CRITIQUE_OPENING] = "opening",
	[CRITIQUE_MIDDLE] = "middle",
	[CRITIQUE_ENDING] = "ending",
};

_Static_assert(
    COUNTOF(phases) == CRITIQUE_PHASE_COUNT, "every phase has a name");

static enum critique_mark
critique_mark_of(double loss)
{
	enum critique_mark mark = CRITIQUE_FINE;

	for (int i = 0; i < CRITIQUE_MARK_COUNT; i++)
		if (loss >= marks[i].loss)
			mark = (enum critique_mark)i;
	return mark;
}

static const char *
critique_mark_text(enum critique_mark mark)
{
	return marks[mark].text;
}

static const char *
critique_phase_name(enum critique_phase phase)
{
	return phases[phase];
}

static void
critique_close(struct critique *critique)
{
	if (!critique)
		return;
	free(critique->solve_limits.memory);
	free(critique->means.maestro);
	free(critique->sums);
	free(critique);
}

/* 0 with *critique, or -ENOMEM. */
static int
critique_open(
    struct critique **critique, const struct critique_settings *settings)
{
	struct critique *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->settings = *settings;
	made->means = (struct opinion_means){
		.iterations = settings->iterations,
		.time_ns = settings->ms * CLOCK_NS_PER_MS,
	};
	made->means.maestro = aligned_alloc(
	    _Alignof(struct maestro), sizeof(*made->means.maestro));
	made->solve_limits = (struct solve_limits){
		.plies_max = (int)settings->exact,
		.memory = calloc(1, SOLVE_MEMORY_SIZE),
		.memory_size = SOLVE_MEMORY_SIZE,
	};
	if (!made->means.maestro || !made->solve_limits.memory) {
		critique_close(made);
		return -ENOMEM;
	}
	*critique = made;
	return 0;
}

/* Of the seed and of which play it is, so that one play alone is judged alike. */
static uint64_t
random_of(
    const struct critique *critique, const char *match, int deal, int play)
{
	uint64_t state = (uint64_t)critique->settings.seed;

	for (const char *byte = match; *byte != '\0'; byte++)
		state = splitmix_next(&state) ^ (unsigned char)*byte;
	state = splitmix_next(&state) ^ (uint64_t)deal;
	state = splitmix_next(&state) ^ (uint64_t)play;
	return splitmix_next(&state);
}

/* What a loss of exact play counts: an instant win like the most points. */
static int
exact_loss(const struct scopa_rules *rules, int loss)
{
	int most = scopa_points_max(rules);

	return loss < most ? loss : most;
}

static void
judge_exactly(struct critique *critique, const struct scopa_rules *rules,
    const struct position *position, struct critique_play *play)
{
	struct solve_result result;
	int count;

	if (critique->settings.exact == 0 ||
	    solve_plies(&position->deal) > critique->settings.exact)
		return;
	count = solve_moves(rules, &position->deal, &critique->solve_limits,
	    critique->moves, SCOPA_MOVES_MAX, &result);
	for (int i = 0; i < count; i++) {
		const struct solve_move *move = &critique->moves[i];

		if (!scopa_move_equal(&move->move, &play->move))
			continue;
		play->exact = true;
		play->exact_best =
		    move->value == result.value ? move->move : result.best;
		play->exact_value = result.value;
		play->exact_loss =
		    exact_loss(rules, result.value - move->value);
	}
}

/* Judges the play that was made in a position of the match of that id. */
static void
critique_judge(struct critique *critique, const struct scopa_rules *rules,
    const char *match, const struct position *position,
    struct critique_play *play)
{
	const struct scopa_deal *deal = &position->deal;
	int plays = SCOPA_PACK_SIZE - rules->table;
	uint64_t random =
	    random_of(critique, match, position->number, deal->history_count);
	struct scopa_view view;
	bool formed;

	*play = (struct critique_play){
		.move = position->move,
		.seat = deal->turn,
		.number = position->play,
		.by_arena = position->by_arena,
		.phase = (enum critique_phase)(
		    deal->play_count * CRITIQUE_PHASE_COUNT / plays),
		.forced = scopa_moves(rules, deal, NULL, 0) == 1,
	};
	if (play->by_arena || play->forced)
		return;
	scopa_view_make(rules, deal, &position->tally, deal->turn, &view);
	formed = opinion_form(rules, &view, &play->move, &critique->means,
	    &random, &play->opinion);
	/* A view of a real deal does not contradict itself. */
	assert(formed);
	(void)formed;
	judge_exactly(critique, rules, position, play);
}

/* The sums of that name, made where there are none; NULL without memory. */
static struct critique_sum *
sum_of(struct critique *critique, const char *name)
{
	struct critique_sum *sum;

	for (int i = 0; i < critique->sum_count; i++)
		if (strcmp(critique->sums[i].name, name) == 0)
			return &critique->sums[i];
	if (critique->sum_count == critique->sum_capacity) {
		int capacity = critique->sum_capacity > 0
		    ? 2 * critique->sum_capacity
		    : SUMS_MIN;

		sum = reallocarray(
		    critique->sums, (size_t)capacity, sizeof(*sum));
		if (!sum)
			return NULL;
		critique->sums = sum;
		critique->sum_capacity = capacity;
	}
	sum = &critique->sums[critique->sum_count++];
	*sum = (struct critique_sum){ .deals = 0 };
	strncpy(sum->name, name, sizeof(sum->name) - 1);
	return sum;
}

/* Adds a play to the sums of a bot unless the arena made it. */
static int
critique_add(struct critique *critique, const char *name,
    const struct critique_play *play)
{
	struct critique_sum *sum = sum_of(critique, name);
	struct critique_count *count;

	if (!sum)
		return -ENOMEM;
	if (play->by_arena)
		return 0;
	count = &sum->phases[play->phase];
	count->plays++;
	count->loss += play->opinion.loss;
	count->marks[critique_mark_of(play->opinion.loss)]++;
	if (play->exact) {
		count->exact_plays++;
		count->exact_loss += play->exact_loss;
		count->exact_marks[critique_mark_of(play->exact_loss)]++;
	}
	return 0;
}

/* Adds a deal of one of its seats. */
static int
critique_add_deal(struct critique *critique, const char *name)
{
	struct critique_sum *sum = sum_of(critique, name);

	if (!sum)
		return -ENOMEM;
	sum->deals++;
	return 0;
}

/* All phases together. */
static struct critique_count
critique_total(const struct critique_sum *sum)
{
	struct critique_count total = { .plays = 0 };

	for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++) {
		const struct critique_count *count = &sum->phases[phase];

		total.plays += count->plays;
		total.loss += count->loss;
		total.exact_plays += count->exact_plays;
		total.exact_loss += count->exact_loss;
		for (int mark = 0; mark < CRITIQUE_MARK_COUNT; mark++) {
			total.marks[mark] += count->marks[mark];
			total.exact_marks[mark] += count->exact_marks[mark];
		}
	}
	return total;
}

enum { NAME_SIZE = 4 * EVENT_NAME_SIZE, MOVE_WIDTH = 13, DIGITS = 3 };

static void
critique_report_begin(struct critique_report *report, bool json,
    const struct critique_settings *settings)
{
	struct json *document = &report->document;

	*report = (struct critique_report){ .json = json };
	if (!json)
		return;
	json_document_begin(document, stdout);
	json_string(document, "format", "scopa-arena-analysis");
	json_int(document, "version", 1);
	json_int_if(document, "iterations", settings->iterations > 0,
	    settings->iterations);
	json_int_if(document, "ms", settings->iterations == 0, settings->ms);
	json_int(document, "exact", settings->exact);
	json_int(document, "seed", settings->seed);
	json_array_begin(document, "matches");
}

static void
deal_close(struct critique_report *report)
{
	if (report->json && report->deal_open) {
		json_array_end(&report->document);
		json_object_end(&report->document);
	}
	report->deal_open = false;
}

static void
match_close(struct critique_report *report)
{
	deal_close(report);
	if (report->json && report->match_open) {
		json_array_end(&report->document);
		json_object_end(&report->document);
	}
	report->match_open = false;
}

/* The match and the deal that the plays after it belong to. */
static void
critique_report_match(struct critique_report *report, const char *match,
    const struct record_head *head)
{
	char name[NAME_SIZE];

	match_close(report);
	report->match_open = true;
	if (report->json) {
		json_object_begin(&report->document, NULL);
		json_string(&report->document, "match", match);
		json_string(&report->document, "rules", head->game.match.rules);
		json_array_begin(&report->document, "deals");
		return;
	}
	if (report->name_width > 0)
		putchar('\n');
	report->name_width = 1;
	for (int seat = 0; seat < head->rules.players; seat++) {
		int width = (int)strlen(
		    safe_text(head->game.seats[seat].name, name, sizeof(name)));

		if (width > report->name_width)
			report->name_width = width;
	}
	printf("Match %s: %s\n", safe_text(match, name, sizeof(name)),
	    head->game.match.rules);
}

static void
critique_report_deal(struct critique_report *report, int number)
{
	deal_close(report);
	report->deal_open = true;
	if (report->json) {
		json_object_begin(&report->document, NULL);
		json_int(&report->document, "deal", number);
		json_array_begin(&report->document, "plays");
		return;
	}
	printf("\nDeal %d\nplay  %-*s  %-*s  value   loss      %-*s  "
	       "all cards known\n",
	    number, report->name_width + 2, "seat", MOVE_WIDTH, "move",
	    MOVE_WIDTH, "better");
}

static void
print_play(const struct critique_report *report, const struct record_head *head,
    const struct critique_play *play)
{
	const struct opinion *opinion = &play->opinion;
	char move[POSITION_MOVE_SIZE], name[NAME_SIZE];

	printf("%4d  %d %-*s  ", play->number, play->seat + 1,
	    report->name_width,
	    safe_text(head->game.seats[play->seat].name, name, sizeof(name)));
	if (play->by_arena || play->forced) {
		printf("%s%s\n", position_move_text(&play->move, move),
		    play->by_arena ? "  by the arena" : "");
		return;
	}
	printf("%-*s  %+5.2f", MOVE_WIDTH,
	    position_move_text(&play->move, move), opinion->value);
	if (opinion->loss > 0)
		printf("  %5.2f %-2s  ", opinion->loss,
		    critique_mark_text(critique_mark_of(opinion->loss)));
	else if (play->exact)
		printf("%12s", "");
	if (opinion->loss > 0 || play->exact)
		printf("%-*s", play->exact ? MOVE_WIDTH : 0,
		    opinion->loss > 0 ? position_move_text(&opinion->best, move)
				      : "");
	if (play->exact && play->exact_loss > 0)
		printf("  %3d %-2s  %s", play->exact_loss,
		    critique_mark_text(critique_mark_of(play->exact_loss)),
		    position_move_text(&play->exact_best, move));
	else if (play->exact)
		printf("  %3d", 0);
	putchar('\n');
}

static void
put_exact(struct json *json, const struct critique_play *play)
{
	char move[POSITION_MOVE_SIZE];

	if (!play->exact) {
		json_null(json, "exact");
		return;
	}
	json_object_begin(json, "exact");
	json_string(json, "best", position_move_text(&play->exact_best, move));
	json_int(json, "value", play->exact_value);
	json_int(json, "loss", play->exact_loss);
	json_string(json, "mark",
	    critique_mark_text(critique_mark_of(play->exact_loss)));
	json_object_end(json);
}

static void
put_play(struct json *json, const struct record_head *head,
    const struct critique_play *play)
{
	const struct opinion *opinion = &play->opinion;
	char move[POSITION_MOVE_SIZE];

	json_object_begin(json, NULL);
	json_int(json, "play", play->number);
	json_int(json, "seat", play->seat + 1);
	json_string(json, "name", head->game.seats[play->seat].name);
	json_string(json, "phase", critique_phase_name(play->phase));
	json_string(json, "move", position_move_text(&play->move, move));
	json_string(json, "by", play->by_arena ? "arena" : "bot");
	json_bool(json, "forced", play->forced);
	if (!play->by_arena && !play->forced) {
		json_string(
		    json, "best", position_move_text(&opinion->best, move));
		json_real(json, "value", opinion->value, DIGITS);
		json_real(json, "loss", opinion->loss, DIGITS);
		json_string(json, "mark",
		    critique_mark_text(critique_mark_of(opinion->loss)));
		json_int(json, "iterations", opinion->iterations);
		put_exact(json, play);
	}
	json_object_end(json);
}

static void
critique_report_play(struct critique_report *report,
    const struct record_head *head, const struct critique_play *play)
{
	if (report->json)
		put_play(&report->document, head, play);
	else
		print_play(report, head, play);
}

static double
per(double total, int64_t count)
{
	return count > 0 ? total / (double)count : 0;
}

static void
print_count(const char *phase, const struct critique_count *count,
    const struct critique_sum *sum)
{
	printf("  %-8s  %6" PRId64 "  %6.3f  %6.2f  %5" PRId64 "  %5" PRId64,
	    phase, count->plays, per(count->loss, count->plays),
	    per(count->loss, sum->deals), count->marks[CRITIQUE_MISTAKE],
	    count->marks[CRITIQUE_BLUNDER]);
	if (count->exact_plays > 0)
		printf("  %6" PRId64 "  %6.3f  %5" PRId64 "  %5" PRId64,
		    count->exact_plays,
		    per((double)count->exact_loss, count->exact_plays),
		    count->exact_marks[CRITIQUE_MISTAKE],
		    count->exact_marks[CRITIQUE_BLUNDER]);
	putchar('\n');
}

static void
print_sums(const struct critique *critique)
{
	char name[NAME_SIZE];

	printf("\n%44s  | all cards known\n", "");
	printf("  %-8s  %6s  %6s  %6s  %5s  %5s  %6s  %6s  %5s  %5s\n", "phase",
	    "plays", "a play", "a deal", "?", "??", "plays", "a play", "?",
	    "??");
	for (int i = 0; i < critique->sum_count; i++) {
		const struct critique_sum *sum = &critique->sums[i];
		struct critique_count total = critique_total(sum);

		printf("%s\n", safe_text(sum->name, name, sizeof(name)));
		for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++)
			print_count(
			    critique_phase_name((enum critique_phase)phase),
			    &sum->phases[phase], sum);
		print_count("all", &total, sum);
	}
}

static void
put_count(
    struct json *json, const char *key, const struct critique_count *count)
{
	json_object_begin(json, key);
	json_int(json, "plays", count->plays);
	json_real(json, "loss", count->loss, DIGITS);
	json_int(json, "mistakes", count->marks[CRITIQUE_MISTAKE]);
	json_int(json, "blunders", count->marks[CRITIQUE_BLUNDER]);
	json_int(json, "exact_plays", count->exact_plays);
	json_int(json, "exact_loss", count->exact_loss);
	json_int(json, "exact_mistakes", count->exact_marks[CRITIQUE_MISTAKE]);
	json_int(json, "exact_blunders", count->exact_marks[CRITIQUE_BLUNDER]);
	json_object_end(json);
}

static void
put_sums(struct json *json, const struct critique *critique)
{
	json_array_begin(json, "bots");
	for (int i = 0; i < critique->sum_count; i++) {
		const struct critique_sum *sum = &critique->sums[i];
		struct critique_count total = critique_total(sum);

		json_object_begin(json, NULL);
		json_string(json, "name", sum->name);
		json_int(json, "deals", sum->deals);
		for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++)
			put_count(json,
			    critique_phase_name((enum critique_phase)phase),
			    &sum->phases[phase]);
		put_count(json, "all", &total);
		json_object_end(json);
	}
	json_array_end(json);
}

/* The sums, and the end. */
static void
critique_report_end(
    struct critique_report *report, const struct critique *critique)
{
	match_close(report);
	if (!report->json) {
		print_sums(critique);
		return;
	}
	json_array_end(&report->document);
	put_sums(&report->document, critique);
	json_document_end(&report->document);
}

/*
 * analyse: what each play of a record has lost.
 */

struct analyse_settings {
	const char *match;
	int64_t deal; /* 0: all */
	struct critique_settings critique;
	bool quiet;
	bool json;
};

#define FIELD(name) offsetof(struct analyse_settings, name)

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct analyse_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "Only the deal of this number.", .unit = "deals"),
	INT_OPTION("ms", "N", FIELD(critique.ms), 1, 3600000,
	    "Time for each play that is not forced.", .fallback = "200",
	    .unit = "milliseconds"),
	INT_OPTION("iterations", "N", FIELD(critique.iterations), 4,
	    SEARCH_ITERATIONS_MAX,
	    "As many iterations instead, whatever time they take: the same "
	    "analysis every time.",
	    .unit = "iterations"),
	INT_OPTION("exact", "N", FIELD(critique.exact), 0, 24,
	    "Solve positions with up to so many cards to go; 0: none.",
	    .fallback = "16", .unit = "cards"),
	INT_OPTION("seed", "N", FIELD(critique.seed), 0, INT64_MAX,
	    "What the random numbers of the searches come from.",
	    .aliases = { "srand" }, .fallback = "1"),
	FLAG_OPTION("quiet", FIELD(quiet), "Do not tell how far it is."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

/* The work on all records. */
struct work {
	const struct analyse_settings *settings;
	struct critique *critique;
	struct critique_report report;
	bool begun; /* a match was found */
};

static void
progress_say(const struct work *work, const char *match, int number)
{
	char safe[4 * EVENT_ID_SIZE];

	if (work->settings->quiet)
		return;
	fflush(stdout);
	fprintf(stderr, "analyse match %s, deal %d\n",
	    safe_text(match, safe, sizeof(safe)), number);
}

static void
begin_match(struct work *work, const struct record_visit *visit)
{
	const struct analyse_settings *settings = work->settings;

	if (!work->begun)
		critique_report_begin(
		    &work->report, settings->json, &settings->critique);
	work->begun = true;
	critique_report_match(
	    &work->report, visit->match, replay_head(visit->replay));
}

/* A deal begins: it counts for every seat. */
static int
begin_deal(struct work *work, const struct record_visit *visit, int number)
{
	const struct record_head *head = replay_head(visit->replay);
	int error = 0;

	progress_say(work, visit->match, number);
	critique_report_deal(&work->report, number);
	for (int seat = 0; seat < head->rules.players && !error; seat++)
		error = critique_add_deal(
		    work->critique, head->game.seats[seat].name);
	return error;
}

static int
judge_play(struct work *work, const struct record_visit *visit,
    const struct position *position)
{
	const struct record_head *head = replay_head(visit->replay);
	struct critique_play play;

	critique_judge(
	    work->critique, &head->rules, visit->match, position, &play);
	critique_report_play(&work->report, head, &play);
	return critique_add(
	    work->critique, head->game.seats[play.seat].name, &play);
}

static int
analyse_block(void *context, const struct record_visit *visit)
{
	struct work *work = context;
	struct positions positions = { .deal = work->settings->deal };
	int error, number = 0;

	error = positions_gather(&positions, visit);
	if (!error && positions.count > 0)
		begin_match(work, visit);
	for (int i = 0; !error && i < positions.count; i++) {
		const struct position *position = &positions.items[i];

		if (position->number != number) {
			number = position->number;
			error = begin_deal(work, visit, number);
		}
		if (!error)
			error = judge_play(work, visit, position);
	}
	free(positions.items);
	return error;
}

static enum status
analyse_files(struct work *work, int argc, char **argv)
{
	const struct analyse_settings *settings = work->settings;
	enum status status =
	    record_walk_good(analyse_block, work, settings->match, argc, argv);

	if (work->begun)
		critique_report_end(&work->report, work->critique);
	if (work->begun || status != STATUS_DONE)
		return status;
	error_print("there is nothing to analyse");
	error_detail("hint", "no play of such a deal was found");
	error_detail("try", VERSION_NAME " record show FILE");
	return STATUS_FAILED;
}

static enum status
analyse_run(const void *given, int argc, char **argv)
{
	struct work work = { .settings = given };
	enum status status;

	if (critique_open(&work.critique, &work.settings->critique) < 0)
		return memory_error();
	status = analyse_files(&work, argc, argv);
	critique_close(work.critique);
	return status;
}

const struct command command_analyse = {
	.name = "analyse",
	.sentence = "Tells what each play of a record has lost.",
	.detail =
	    "@maestro judges each play from what the seat that made it knew, "
	    "and nothing else: value is what its best move was worth, in "
	    "points "
	    "of the deal more than the others have on average, and loss how "
	    "much less the move was worth that was made. A loss of half a "
	    "point is marked ?, one of a point and a half ??. Endings are "
	    "solved, too: what is then lost to one who knows all cards is luck "
	    "as well as skill.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "analyse games.scopa --ms 1000",
	    "analyse games.scopa --match m3 --deal 2 --iterations 20000" },
	.options = options,
	.settings_size = sizeof(struct analyse_settings),
	.run = analyse_run,
};
