/*
 * The commands `record verify`, `record derive`, `record redact` and `record
 * show`.  They check game records, write records made from others, or print
 * them for people.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "command.h"
#include "countof.h"
#include "event.h"
#include "fair.h"
#include "fault_text.h"
#include "record_walk.h"
#include "report_json.h"
#include "run_open.h"
#include "text_format.h"
#include "version.h"

struct verify_settings {
	bool json, quiet, verbose, fair;
};

/*
 * record verify --fair: checks whether a run has dealt fairly.
 */

static bool
is_proved(const struct fair_report *report)
{
	return report->good && report->committed && report->earlier_seeds == 0;
}

static void
fair_print_json(const struct fair_report *report, const char *path)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "run", path);
	json_bool(&json, "consistent", report->good);
	if (report->good && !is_proved(report))
		json_null(&json, "fair");
	else
		json_bool(&json, "fair", report->good);
	json_string(&json, "file", report->file);
	json_int_if(&json, "line", report->line > 0, report->line);
	json_given(&json, "reason", report->text);
	json_bool(&json, "committed", report->committed);
	json_bool(&json, "over", report->over);
	json_int(&json, "blocks", report->blocks);
	json_int(&json, "games", report->games);
	json_int(&json, "packs", report->packs);
	json_int(&json, "earlier_seeds", report->earlier_seeds);
	json_given(&json, "terms", report->terms);
	json_given(&json, "commitment", report->commitment);
	json_given(&json, "contributions", report->contributions);
	json_given(&json, "seed", report->secret);
	json_string(&json, "chain", report->chain);
	json_document_end(&json);
}

static void
fair_print_text(const struct fair_report *report, const char *path)
{
	const struct {
		const char *label, *text;
	} lines[] = {
		{ "terms", report->terms },
		{ "commit", report->commitment },
		{ "mixed", report->contributions },
		{ "seed", report->secret },
		{ "chain", report->chain },
	};

	for (int i = 0; i < COUNTOF(lines); i++)
		if (lines[i].text[0] != '\0')
			printf("%-7s %s\n", lines[i].label, lines[i].text);
	if (report->good)
		return;
	printf("%s/%s:", path, report->file);
	if (report->line > 0)
		printf("%jd:", report->line);
	printf(" %s\n", safe_text(report->text));
}

/* The reason why a run without any contradiction still proves nothing. */
static const char *
reason_of(const struct fair_report *report, bool packs_given)
{
	if (packs_given)
		return "the packs are those of a file";
	if (!report->committed)
		return "the seed was given";
	return "the packs are those of the secret, but the seeds of bots "
	       "follow from it by the rule of an earlier version of the arena, "
	       "which may have been chosen";
}

static void
fair_print_verdict(const struct fair_report *report, bool packs_given)
{
	if (!report->good) {
		printf("NOT fair: first difference in block %jd\n",
		    report->blocks + 1);
		return;
	}
	if (is_proved(report))
		printf("fair: ");
	else
		printf("consistent, but fairness cannot be proved: %s: ",
		    reason_of(report, packs_given));
	printf("%jd block%s, %jd game%s, %jd pack%s%s%s\n", report->blocks,
	    text_plural(report->blocks), report->games,
	    text_plural(report->games), report->packs,
	    text_plural(report->packs),
	    report->committed ? " of the committed secret" : "",
	    report->over ? "" : "; the run is not over");
}

/*
 * Checks the run in a folder, which must be the only argument, and prints the
 * result: as text, only its last line if --quiet, or one JSON object.
 * STATUS_FAILED if something differs.
 */
static enum status
record_fair(const struct verify_settings *settings, char **argv)
{
	struct run_opened *opened = command_memory(sizeof(*opened));
	struct fair_report *report = command_memory(sizeof(*report));
	const char *path = argv[0];
	struct tournament_config config;
	struct fair_order order = { .path = path, .tournament = &config };
	struct store_error why;
	enum status status;
	int error, count = 0;

	while (argv[count] != NULL)
		count++;
	if (count != 1)
		return error_status(STATUS_USAGE,
		    "a run is named by its folder",
		    VERSION_NAME " record verify --fair RUN",
		    "--fair checks one run, but %d are named", count);
	status = run_open_configuration(opened, path, ENTRANT_TO_READ);
	if (status != STATUS_DONE)
		return status;
	config = run_open_plan(&opened->setup);
	order.gate = tournament_setup_gate(&opened->setup);
	order.secret = &opened->setup.secret;
	order.contributions = &opened->settings.contributions;
	order.packs_given = opened->settings.game.packs.path != NULL;
	error = fair_check(&order, report, &why);
	if (error) {
		status = run_open_error(error, &why);
	} else if (settings->json) {
		fair_print_json(report, path);
	} else {
		if (!settings->quiet)
			fair_print_text(report, path);
		fair_print_verdict(report, order.packs_given);
	}
	if (status == STATUS_DONE && !report->good)
		status = STATUS_FAILED;
	else if (status == STATUS_DONE && !is_proved(report))
		status = STATUS_UNPROVED;
	tournament_setup_close(&opened->setup);
	tournament_settings_close(&opened->settings);
	return status;
}

/*
 * record verify: checks whether records prove what they say.
 */

struct verify {
	const struct verify_settings *settings;
	struct json json;
};

#define FIELD(name) offsetof(struct verify_settings, name)

static const struct option verify_options[] = {
	FLAG_OPTION("fair", FIELD(fair),
	    "Check a run instead, named by its folder: whether it dealt "
	    "fairly."),
	FLAG_OPTION(
	    "json", FIELD(json), "Print one JSON object with all records."),
	FLAG_OPTION("quiet", FIELD(quiet), "Print the last line alone."),
	FLAG_OPTION("verbose", FIELD(verbose),
	    "Print a line for each record, not only for those that are bad."),
	OPTIONS_END,
};

#undef FIELD

static void
verify_print_json(struct json *json, const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;

	json_object_begin(json, NULL);
	json_string(json, "file", visit->file);
	json_int(json, "block", visit->number);
	json_string(json, "match", visit->match);
	json_int(json, "first_line", visit->record->first_line);
	json_int(json, "last_line", visit->record->last_line);
	json_bool(json, "good", verdict->good);
	json_int(json, "keys", verdict->key_count);
	json_bool(json, "secret", verdict->secret);
	if (!verdict->good) {
		json_int(json, "level", verdict->level);
		json_int(json, "line", verdict->fault.line);
		json_string(json, "reason", verdict->fault.text);
	}
	json_object_end(json);
}

static int
verify_block(void *context, const struct record_visit *visit)
{
	struct verify *verify = context;
	const struct verify_settings *settings = verify->settings;
	const struct record_verdict *verdict = visit->verdict;

	if (settings->json) {
		verify_print_json(&verify->json, visit);
		return 0;
	}
	if (!settings->verbose && (settings->quiet || verdict->good))
		return 0;
	printf("%s:%jd: record %jd, match %s: ", safe_text(visit->file),
	    verdict->good ? visit->record->first_line : verdict->fault.line,
	    visit->number, safe_text(visit->match));
	if (verdict->good)
		printf("good: V1 V2%s\n",
		    verdict->key_count == 0 ? ""
			: verdict->secret   ? " V3"
					    : " V3 (keys)");
	else
		printf("bad: V%d: %s\n", verdict->level,
		    safe_text(verdict->fault.text));
	return 0;
}

static enum status
verify_run(const void *given, char **argv)
{
	struct verify verify = { .settings = given };
	struct json *json = &verify.json;
	struct record_walk walk = {
		.kind = WALK_CHECKED,
		.quiet = verify.settings->quiet,
		.visit = verify_block,
		.context = &verify,
	};
	enum status status;

	if (verify.settings->quiet && verify.settings->verbose)
		return error_exclusive("quiet", "verbose");
	if (verify.settings->fair)
		return record_fair(verify.settings, argv);
	if (verify.settings->json) {
		json_document_begin(json, stdout);
		json_array_begin(json, "blocks");
	}
	status = record_walk_files(&walk, argv);
	if (verify.settings->json) {
		json_array_end(json);
		json_int(json, "good", walk.good);
		json_int(json, "bad", walk.bad);
		json_document_end(json);
	} else if (walk.good + walk.bad > 0 || status == STATUS_DONE) {
		printf("%jd record%s: %jd good, %jd bad\n",
		    walk.good + walk.bad, text_plural(walk.good + walk.bad),
		    walk.good, walk.bad);
	}
	return status;
}

const struct command command_record_verify = {
	.name = "record verify",
	.sentence = "Checks that the results of game records follow from their "
		    "cards and plays.",
	.detail =
	    "V1: the syntax of every line and the sum of each record. V2: the "
	    "game is replayed, and every line that follows from the cards and "
	    "the plays must be in the record, byte for byte. V3: if a pack "
	    "names its key, the key must give the pack; if the record has the "
	    "secret, the secret must give the key. The exit status is 1 if a "
	    "record is bad. --fair checks everything that can be proved about "
	    "a run: its terms, the commitment to its secret, the "
	    "contributions, every key and pack, that no block of the schedule "
	    "is missing, and the chain of its results. The first difference is "
	    "named with file and line (exit status 1). If the seed or the "
	    "packs of a run were given, the person who gave them knew the "
	    "packs, so fairness cannot be proved (exit status 6). The same "
	    "holds if the seeds of bots follow from the secret by the rule of "
	    "an earlier version, because they may have been chosen.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record verify games.scopa",
	    "record verify --verbose a.scopa b.scopa",
	    "record verify --fair runs/2026-11-21-101500-league" },
	.options = verify_options,
	.settings_size = sizeof(struct verify_settings),
	.run = verify_run,
};

/*
 * record derive: writes full records, made from records that hold only
 * decisions.  `record redact` writes what one seat was sent.
 */

struct replay_settings {
	bool legal;   /* for derive */
	int64_t seat; /* for redact: from 1; 0: not given */
	const char *match;
};

struct replay_work {
	struct replay_order order;
	/* bad: matches that cannot be replayed, or that lack the wanted seat */
	int64_t good, bad;
};

#define FIELD(name) offsetof(struct replay_settings, name)

static const struct option derive_options[] = {
	FLAG_OPTION("legal", FIELD(legal),
	    "Before each play, a line with all moves that were legal."),
	OPTIONS_END,
};

static const struct option redact_options[] = {
	INT_OPTION(
	    "seat", "N", FIELD(seat), 1, SCOPA_SEATS_MAX, "The seat, from 1."),
	RECORD_MATCH_OPTION(struct replay_settings),
	OPTIONS_END,
};

static int
replay_block(void *context, const struct record_visit *visit)
{
	struct replay_work *work = context;
	bool whole = work->order.seat == REPLAY_EVERYBODY;
	struct record_fault fault = visit->record->fault;
	int error = fault.line ? -EBADMSG
			       : replay_run(visit->replay, visit->record,
				     &work->order, visit->output, &fault);

	if (!error && whole)
		error = record_sum(visit->output);
	if (error == -EBADMSG) {
		work->bad++;
		record_walk_say(visit->file, fault.line, "%s", fault.text);
		return 0;
	}
	if (error)
		return error;
	if (work->good++ == 0 && whole)
		fputs(RECORD_HEADING, stdout);
	fwrite(visit->output->bytes, 1, visit->output->size, stdout);
	return 0;
}

static enum status
derive_run(const void *given, char **argv)
{
	const struct replay_settings *settings = given;
	struct replay_work work = {
		.order = { .seat = REPLAY_EVERYBODY, .legal = settings->legal },
	};
	struct record_walk walk = {
		.kind = WALK_ALL,
		.visit = replay_block,
		.context = &work,
	};
	enum status status = record_walk_files(&walk, argv);

	if (work.bad == 0)
		return status;
	error_print("%jd of %jd records could not be derived", work.bad,
	    work.good + work.bad);
	error_detail("hint", "they were skipped; the lines above say why");
	return status == STATUS_DONE ? STATUS_FAILED : status;
}

static enum status
redact_run(const void *given, char **argv)
{
	const struct replay_settings *settings = given;
	struct replay_work work = { .order.seat = (int)settings->seat - 1 };
	enum status status;

	if (settings->seat == 0)
		return error_status(STATUS_USAGE, NULL,
		    VERSION_NAME " record redact --seat 1 games.scopa",
		    "--seat is missing");
	status = record_walk_good(replay_block, &work, settings->match, argv);
	return status == STATUS_DONE && work.bad > 0 ? STATUS_FAILED : status;
}

const struct command command_record_derive = {
	.name = "record derive",
	.sentence = "Writes the full record of a game from its decisions.",
	.detail =
	    "A record needs a line `match ID rules=`, and for each deal a line "
	    "`deal N`, its `play` and `declare` lines, and either its `pack` "
	    "or its `table` and `give` lines. Everything else is computed. A "
	    "record without these lines is skipped, and FILE:LINE: REASON is "
	    "printed on standard error; the exit status is then 1.",
	.usage = "[FILE]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = 1,
	.examples = { "record derive minimal.scopa > full.scopa",
	    "record derive --legal - < minimal.scopa" },
	.options = derive_options,
	.settings_size = sizeof(struct replay_settings),
	.run = derive_run,
};

const struct command command_record_redact = {
	.name = "record redact",
	.sentence = "Prints the event lines that one seat was sent.",
	.detail =
	    "Each record is verified first. The cards of other hands are ??.",
	.usage = "--seat N [FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record redact --seat 2 games.scopa" },
	.options = redact_options,
	.settings_size = sizeof(struct replay_settings),
	.run = redact_run,
};

/*
 * record show: a game for people, line by line of its record.  Each move is
 * applied to a deal of the engine, so that the table and the hands can be shown
 * after it.
 */

enum {
	SHOW_NAME_SIZE = 4 * EVENT_NAME_SIZE,
	MOVE_WIDTH = 13,
	TABLE_WIDTH = 24,
	/* Narrower terminals get table and hand on lines of their own. */
	PLAY_LINE_WIDTH = 100,
	WRAP_INDENT = 8
};

struct show_settings {
	const char *match;
	int64_t deal; /* 0: all */
	bool offences;
};

/* The state of the game at the current line of its record. */
struct show {
	const struct show_settings *settings;
	struct report_style style;
	/* The output: stdout, or memory for an event that is wrapped. */
	FILE *file;
	int64_t match_count;      /* matches printed so far */
	struct event event;       /* the current line */
	char tc[EVENT_NAME_SIZE]; /* of the match */
	struct scopa_rules rules;
	char names[SCOPA_SEATS_MAX][SHOW_NAME_SIZE];
	int name_width;
	int deal_number;
	int play_number;
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;
	struct scopa_deal deal;
	scopa_set table; /* after the current move */
	scopa_set hand;  /* of the seat that made the current move */
	struct event_score scores[SCOPA_TEAMS_MAX];
};

/* Styles of text on a terminal. */
#define PAINT_HEADING "\033[1m"
#define PAINT_GOOD "\033[32m"
#define PAINT_BAD "\033[31m"
#define PAINT_FAINT "\033[2m"
#define PAINT_END "\033[0m"

/* Prints text in a style if the terminal has colours. */
static void __attribute__((format(printf, 3, 4)))
print_in(const struct show *show, const char *paint, const char *format, ...)
{
	va_list arguments;

	if (show->style.color)
		fputs(paint, show->file);
	va_start(arguments, format);
	vfprintf(show->file, format, arguments);
	va_end(arguments);
	if (show->style.color)
		fputs(PAINT_END, show->file);
}

/* Prints the points of teams: `A 3, B 2`. */
static void
print_scores(const struct show *show, const int32_t *scores, int team_count)
{
	for (int team = 0; team < team_count; team++)
		fprintf(show->file, "%s%c %" PRId32, team > 0 ? ", " : "",
		    'A' + team, scores[team]);
}

/* Formats the beginning of a line that concerns a seat: `1 name `. */
static const char *
of_seat(const struct show *show, int seat)
{
	static char bytes[SHOW_NAME_SIZE + 16];

	snprintf(bytes, sizeof(bytes), "%d %s%*s  ", seat + 1,
	    show->names[seat], show->name_width - text_width(show->names[seat]),
	    "");
	return bytes;
}

static void
show_match(struct show *show)
{
	const struct event_match *match = &show->event.match;

	if (show->match_count++ > 0)
		fputc('\n', show->file);
	show->deal_number = 0;
	memcpy(show->tc, match->tc, sizeof(show->tc));
	memset(show->names, 0, sizeof(show->names));
	show->name_width = 1;
	print_in(show, PAINT_HEADING, "Match %s", safe_text(match->id));
	fprintf(show->file, ": %s, %d seats as %s, ", match->rules,
	    match->seats, scopa_param_find("teams")->names[match->teams]);
	if (match->deals > 0)
		fprintf(show->file, "%d deal%s\n", match->deals,
		    text_plural(match->deals));
	else
		fprintf(show->file, "to %d point%s", match->target,
		    text_plural(match->target));
	if (match->max_deals > 0)
		fprintf(show->file, " in %d deals at most", match->max_deals);
	if (match->deals == 0)
		fputc('\n', show->file);
}

static void
show_seat(struct show *show)
{
	const struct event_seat *seat = &show->event.seat;
	char *name = show->names[seat->seat];
	int width;

	snprintf(name, SHOW_NAME_SIZE, "%s", safe_text(seat->name));
	width = text_width(name);
	if (width > show->name_width)
		show->name_width = width;
	fprintf(show->file, "  seat %d  team %c  %s %s%s\n", seat->seat + 1,
	    seat->team == SCOPA_TEAM_NONE ? '-' : 'A' + seat->team, name,
	    safe_text(seat->version), seat->sees_all ? " sees all cards" : "");
}

static void
show_deal(struct show *show)
{
	const struct event_deal *deal = &show->event.deal;

	fputc('\n', show->file);
	print_in(show, PAINT_HEADING, "Deal %d", deal->number);
	fprintf(show->file, ": %s deals, %s begins; ",
	    show->names[deal->dealer], show->names[deal->first]);
	print_scores(show, deal->scores, deal->team_count);
	fputc('\n', show->file);
}

static void
show_cards(const struct show *show)
{
	static const char *const ways[EVENT_KIND_COUNT] = {
		[EVENT_TABLE] = "table",
		[EVENT_GIVE] = "is given",
		[EVENT_SWEEP] = "sweeps the table:",
		[EVENT_SHOW] = "shows",
		[EVENT_REST] = "gets the rest:",
	};
	const struct event *event = &show->event;

	fprintf(show->file, "      %s%s %s\n",
	    event->kind == EVENT_TABLE ? "" : of_seat(show, event->cards.seat),
	    ways[event->kind], cards_text(event->cards.cards, "-"));
}

static void
show_play(struct show *show)
{
	const struct event_play *play = &show->event.play;
	bool is_narrow =
	    show->style.wraps && show->style.width < PLAY_LINE_WIDTH;
	const char *table = cards_text(show->table, "-");
	const char *hand = cards_text(show->hand, "-");

	show->play_number++;
	fprintf(show->file, "%4d  %s%-*s  ", show->play_number,
	    of_seat(show, play->seat), MOVE_WIDTH, move_text(&play->move));
	if (play->scopa)
		print_in(show, PAINT_GOOD, "scopa  ");
	else
		fprintf(show->file, "       ");
	if (!is_narrow)
		fprintf(show->file, "%-*s  %s", TABLE_WIDTH, table, hand);
	if (play->time_us >= 0)
		print_in(
		    show, PAINT_FAINT, "  %.6f s", (double)play->time_us / 1e6);
	if (play->by_arena)
		print_in(show, PAINT_BAD, "  by the arena: %s",
		    safe_text(play->cause));
	fputc('\n', show->file);
	if (is_narrow)
		fprintf(show->file, "      table %s\n      hand  %s\n", table,
		    hand);
}

static void
show_offence(const struct show *show)
{
	const struct event_offence *offence = &show->event.offence;

	print_in(show, PAINT_BAD, "      %soffence: %s (%s)\n",
	    of_seat(show, offence->seat),
	    fault_text_reason(offence->kind, offence->reason, show->tc),
	    safe_text(offence->policy));
	if (offence->said[0])
		print_in(show, PAINT_BAD, "              it said: %s\n",
		    safe_text(offence->said));
	if (offence->unused[0])
		print_in(show, PAINT_BAD, "              no answer, but: %s\n",
		    safe_text(offence->unused));
}

static void
show_void(const struct show *show)
{
	const struct event_void *turn = &show->event.void_turn;

	fprintf(show->file, "      %s", of_seat(show, turn->seat));
	if (turn->by > 0 && turn->by <= SCOPA_SEATS_MAX)
		print_in(show, PAINT_BAD,
		    "clock restarted (VOID): %s computed meanwhile\n",
		    show->names[turn->by - 1]);
	else
		print_in(show, PAINT_BAD,
		    "clock restarted (VOID): the arena itself was delayed "
		    "%.3f s\n",
		    (double)turn->lag_us / 1e6);
}

static void
show_ponder(const struct show *show)
{
	const struct event_ponder *ponder = &show->event.ponder;

	fprintf(show->file, "      %s", of_seat(show, ponder->seat));
	print_in(show, PAINT_BAD,
	    "ponders (PONDER): %.3f s of CPU time in %.3f s off turn\n",
	    (double)ponder->cpu_us / 1e6, (double)ponder->wall_us / 1e6);
}

/*
 * Prints the score table of a deal.  It is called when the line of the last
 * team was read.
 */
static void
show_score(struct show *show)
{
	const struct event_score *score = &show->event.score;
	int team_count = scopa_team_count(&show->rules);

	show->scores[score->team] = *score;
	if (score->team + 1 < team_count)
		return;
	fprintf(show->file, "  %-12s", "");
	for (int team = 0; team < team_count; team++)
		fprintf(show->file, "%10c", 'A' + team);
	fputc('\n', show->file);
	/* A line for each item: quantity and points of each team. */
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(score->items >> item & 1))
			continue;
		fprintf(show->file, "  %-12s",
		    scopa_item_name((enum scopa_item)item));
		for (int team = 0; team < team_count; team++)
			fprintf(show->file, "%6d %3d",
			    show->scores[team].quantity[item],
			    show->scores[team].item_points[item]);
		fputc('\n', show->file);
	}
	fprintf(show->file, "  %-12s", "points");
	for (int team = 0; team < team_count; team++)
		fprintf(show->file, "%10d", show->scores[team].points);
	fprintf(show->file, "\n  %-12s", "total");
	for (int team = 0; team < team_count; team++)
		fprintf(show->file, "%10" PRId32, show->scores[team].total);
	fputc('\n', show->file);
}

static void
show_end(const struct show *show)
{
	const struct event_end *end = &show->event.end;

	fputc('\n', show->file);
	print_in(show, PAINT_HEADING, "Result");
	fprintf(show->file, ": ");
	print_scores(show, end->scores, end->team_count);
	if (end->winner == SCOPA_TEAM_NONE)
		fprintf(show->file, "; nobody wins");
	else
		fprintf(show->file, "; %c wins", 'A' + end->winner);
	fprintf(show->file, " (%s)\n", end->reason);
}

/*
 * Applies a move of the record to the deal.  The record is good, so the move is
 * legal.
 */
static void
follow_move(struct show *show, const struct event_play *play)
{
	struct scopa_effect effect;

	show->hand = show->deal.hands[play->seat];
	if (play->move.declaration == SCOPA_DECLARE_NOTHING)
		show->hand &= ~scopa_set_of(play->move.card);
	effect = scopa_deal_apply(&show->rules, &show->deal, &play->move);
	show->table = effect.over ? effect.rest : show->deal.table;
}

/*
 * Updates the state from the current line.  Lines that are not shown are
 * followed, too.
 */
static void
follow(struct show *show)
{
	const struct event *event = &show->event;

	if (event->kind == EVENT_RULES) {
		show->rules = event->rules;
	} else if (event->kind == EVENT_PACK) {
		memcpy(show->pack, event->pack.cards, sizeof(show->pack));
	} else if (event->kind == EVENT_DEAL) {
		show->deal_number = event->deal.number;
		show->play_number = 0;
		show->dealer = event->deal.dealer;
	} else if (event->kind == EVENT_TABLE) {
		scopa_deal_start(
		    &show->rules, show->pack, show->dealer, &show->deal);
	} else if (event->kind == EVENT_PLAY ||
	    (event->kind == EVENT_DECLARE &&
		show->rules.declare == SCOPA_DECLARE_ASK)) {
		follow_move(show, &event->play);
	}
}

/* Prints the current line of the record. */
static void
print_event(struct show *show)
{
	const struct event *event = &show->event;

	switch (event->kind) {
	case EVENT_MATCH:
		show_match(show);
		break;
	case EVENT_TAG:
		describe_words(show->file, safe_text(event->text), 0, 2);
		break;
	case EVENT_SEAT:
		show_seat(show);
		break;
	case EVENT_DEAL:
		show_deal(show);
		break;
	case EVENT_REDEAL:
		fprintf(show->file, "      thrown in: %s\n", event->reason);
		break;
	case EVENT_TABLE:
	case EVENT_GIVE:
	case EVENT_SWEEP:
	case EVENT_SHOW:
	case EVENT_REST:
		show_cards(show);
		break;
	case EVENT_DECLARE:
		fprintf(
		    show->file, "      %s", of_seat(show, event->play.seat));
		print_in(show, PAINT_GOOD, "declares %s",
		    move_text(&event->play.move) + 1);
		fprintf(show->file, ", %d points\n", event->play.points);
		break;
	case EVENT_PLAY:
		show_play(show);
		break;
	case EVENT_INFO:
		print_in(show, PAINT_FAINT, "      %s%s\n",
		    of_seat(show, event->info.seat),
		    safe_text(event->info.text));
		break;
	case EVENT_OFFENCE:
		show_offence(show);
		break;
	case EVENT_PONDER:
		show_ponder(show);
		break;
	case EVENT_VOID:
		show_void(show);
		break;
	case EVENT_SCORE:
		show_score(show);
		break;
	case EVENT_ABORT:
		print_in(show, PAINT_BAD, "      broken off: %s\n",
		    safe_text(event->abort.reason));
		break;
	case EVENT_ENDMATCH:
		show_end(show);
		break;
	case EVENT_RULES:
	case EVENT_PACK:
	case EVENT_ENDDEAL:
	case EVENT_SUM:
	case EVENT_KIND_COUNT:
		break;
	}
}

/*
 * Prints the current line of the record, wrapped to a terminal.  0 or -ENOMEM.
 */
static int
show_event(struct show *show)
{
	char *bytes = NULL;
	size_t size;
	int error;

	if (!show->style.wraps) {
		print_event(show);
		return 0;
	}
	show->file = memory_file_open(&bytes, &size);
	if (show->file == NULL)
		return -ENOMEM;
	print_event(show);
	error = fclose(show->file) == 0 ? 0 : -ENOMEM;
	show->file = stdout;
	if (error == 0)
		text_wrap(bytes, show->style.width, WRAP_INDENT, stdout);
	free(bytes);
	return error;
}

#undef FIELD
#define FIELD(name) offsetof(struct show_settings, name)

static const struct option show_options[] = {
	RECORD_MATCH_OPTION(struct show_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "Only the deal of this number.", .unit = "deals"),
	FLAG_OPTION(
	    "offences", FIELD(offences), "Only games with an offence in them."),
	OPTIONS_END,
};

/* Whether a record has an event of this kind; `deal`: of this deal, 0: any. */
static bool
has_event(const struct game_record *record, enum event_kind kind, int64_t deal)
{
	struct event event;

	for (size_t i = 0; record_event_next(record, &i, &event);)
		if (event.kind == kind &&
		    (deal == 0 || event.deal.number == deal))
			return true;
	return false;
}

static int
show_block(void *context, const struct record_visit *visit)
{
	struct show *show = context;
	const struct show_settings *settings = show->settings;
	const struct game_record *record = visit->record;
	int error = 0;

	if ((settings->offences && !has_event(record, EVENT_OFFENCE, 0)) ||
	    (settings->deal > 0 &&
		!has_event(record, EVENT_DEAL, settings->deal)))
		return 0;
	for (size_t i = 0;
	     error == 0 && record_event_next(record, &i, &show->event);) {
		enum event_kind kind = show->event.kind;

		follow(show);
		/* Lines outside of deals, and those of a wanted deal. */
		if (settings->deal == 0 || kind < EVENT_DEAL ||
		    kind > EVENT_ENDDEAL || settings->deal == show->deal_number)
			error = show_event(show);
	}
	return error;
}

static enum status
show_run(const void *given, char **argv)
{
	struct show show = {
		.settings = given,
		.style = report_style_of(stdout),
		.file = stdout,
	};

	enum status status =
	    record_walk_good(show_block, &show, show.settings->match, argv);

	if (status != STATUS_DONE || show.settings->deal == 0 ||
	    show.match_count > 0)
		return status;
	return error_status(STATUS_FAILED, NULL,
	    VERSION_NAME " record show FILE", "there is no deal %jd",
	    show.settings->deal);
}

const struct command command_record_show = {
	.name = "record show",
	.sentence = "Prints games for people to read.",
	.detail = "After each play the table and the hand of the player are "
		  "shown. Records that do not verify are named and left out. "
		  "Colours are used on a terminal, unless NO_COLOR is set, and "
		  "lines are wrapped to its width.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record show games.scopa",
	    "record show --match m1 --deal 3 games.scopa" },
	.options = show_options,
	.settings_size = sizeof(struct show_settings),
	.run = show_run,
};
