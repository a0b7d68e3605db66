/*
 * A game as people read it, line by line of its record.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "escape.h"
#include "event.h"
#include "record_walk.h"
#include "version.h"

enum { RECORD_PRINT_NAME_SIZE = 4 * EVENT_NAME_SIZE };

/* What is known of the game at the line in hand. */
struct record_print {
	int64_t deal_wanted; /* that alone, or 0: all */
	bool colours;
	int64_t match_count; /* printed so far */
	struct event event;  /* the line in hand */
	struct scopa_rules rules;
	char names[SCOPA_SEATS_MAX][RECORD_PRINT_NAME_SIZE];
	int name_width;
	int deal_number;
	int play_number;
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;
	struct scopa_deal deal;
	scopa_set table; /* after the move in hand */
	scopa_set hand;  /* of who made it */
	struct event_score scores[SCOPA_TEAMS_MAX];
};

enum {
	WORD_SIZE = 4 * EVENT_REASON_SIZE,
	SET_SIZE = 3 * SCOPA_PACK_SIZE + 1,
	MOVE_WIDTH = 13,
	TABLE_WIDTH = 24
};

/* A way to set words apart on a terminal. */
enum paint { PAINT_HEADING, PAINT_GOOD, PAINT_BAD, PAINT_FAINT };

static const char *const paints[] = {
	[PAINT_HEADING] = "\033[1m",
	[PAINT_GOOD] = "\033[32m",
	[PAINT_BAD] = "\033[31m",
	[PAINT_FAINT] = "\033[2m",
};

/* Prints in a paint where the terminal has colours. */
static void print_in(const struct record_print *print, enum paint paint,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

static void
print_in(
    const struct record_print *print, enum paint paint, const char *format, ...)
{
	va_list arguments;

	if (print->colours)
		fputs(paints[paint], stdout);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	if (print->colours)
		fputs("\033[0m", stdout);
}

/* `3C 4S`, `-` where there is none. */
static const char *
set_words(scopa_set set, char words[SET_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, words, SET_SIZE);
	if (set == SCOPA_SET_EMPTY)
		scopa_text_char(&text, '-');
	while (set != SCOPA_SET_EMPTY) {
		if (text.length > 0)
			scopa_text_char(&text, ' ');
		scopa_card_format(scopa_set_take(&set), &text);
	}
	return words;
}

/* A word that stands in the record, fit for a terminal. */
static const char *
safe_word(const char *word, char safe[WORD_SIZE])
{
	escape_bytes(word, strlen(word), false, safe, WORD_SIZE);
	return safe;
}

static char
team_letter(int team)
{
	return team == SCOPA_TEAM_NONE ? '-' : (char)('A' + team);
}

/* `A 3, B 2` */
static void
print_scores(const int32_t *scores, int team_count)
{
	for (int team = 0; team < team_count; team++)
		printf("%s%c %" PRId32, team > 0 ? ", " : "", team_letter(team),
		    scores[team]);
}

static void
print_match(struct record_print *print)
{
	const struct event_match *match = &print->event.match;
	char id[4 * EVENT_ID_SIZE];

	escape_bytes(match->id, strlen(match->id), false, id, sizeof(id));
	if (print->match_count++ > 0)
		putchar('\n');
	memset(print->names, 0, sizeof(print->names));
	print->name_width = 1;
	print->deal_number = 0;
	print_in(print, PAINT_HEADING, "Match %s", id);
	printf(": %s, %d seats as %s, ", match->rules, match->seats,
	    scopa_param_find("teams")->names[match->teams]);
	if (match->deals > 0)
		printf(
		    "%d deal%s\n", match->deals, match->deals == 1 ? "" : "s");
	else
		printf("to %d points", match->target);
	if (match->max_deals > 0)
		printf(" in %d deals at most", match->max_deals);
	if (match->deals == 0)
		putchar('\n');
}

static void
print_tag(const struct record_print *print)
{
	char safe[4 * EVENT_TEXT_SIZE];

	escape_bytes(print->event.text, strlen(print->event.text), false, safe,
	    sizeof(safe));
	print_in(print, PAINT_FAINT, "  %s\n", safe);
}

static void
print_seat(struct record_print *print)
{
	const struct event_seat *seat = &print->event.seat;
	char *name = print->names[seat->seat], version[RECORD_PRINT_NAME_SIZE];
	int width;

	escape_bytes(seat->name, strlen(seat->name), false, name,
	    RECORD_PRINT_NAME_SIZE);
	escape_bytes(seat->version, strlen(seat->version), false, version,
	    sizeof(version));
	width = (int)strlen(name);
	if (width > print->name_width)
		print->name_width = width;
	printf("  seat %d  team %c  %s %s%s\n", seat->seat + 1,
	    team_letter(seat->team), name, version,
	    seat->sees_all ? " sees all cards" : "");
}

static void
print_deal(struct record_print *print)
{
	const struct event_deal *deal = &print->event.deal;

	print->deal_number = deal->number;
	print->play_number = 0;
	if (print->deal_wanted && print->deal_wanted != deal->number)
		return;
	putchar('\n');
	print_in(print, PAINT_HEADING, "Deal %d", deal->number);
	printf(": %s deals, %s begins; ", print->names[deal->dealer],
	    print->names[deal->first]);
	print_scores(deal->scores, deal->team_count);
	putchar('\n');
}

/* What is said of cards on their way. */
static const char *const ways[EVENT_KIND_COUNT] = {
	[EVENT_TABLE] = "table",
	[EVENT_GIVE] = "is given",
	[EVENT_SWEEP] = "sweeps the table:",
	[EVENT_SHOW] = "shows",
	[EVENT_REST] = "gets the rest:",
};

static void
print_cards(const struct record_print *print)
{
	const struct event_cards *cards = &print->event.cards;
	char words[SET_SIZE];

	fputs("      ", stdout);
	if (print->event.kind != EVENT_TABLE)
		printf("%d %-*s  ", cards->seat + 1, print->name_width,
		    print->names[cards->seat]);
	printf(
	    "%s %s\n", ways[print->event.kind], set_words(cards->cards, words));
}

static void
print_play(struct record_print *print)
{
	const struct event_play *play = &print->event.play;
	char move_bytes[128], table[SET_SIZE], hand[SET_SIZE], cause[WORD_SIZE];
	struct scopa_text move;

	print->play_number++;
	scopa_text_init(&move, move_bytes, sizeof(move_bytes));
	scopa_move_format(&play->move, &move);
	printf("%4d  %d %-*s  %-*s  ", print->play_number, play->seat + 1,
	    print->name_width, print->names[play->seat], MOVE_WIDTH,
	    move_bytes);
	if (play->scopa)
		print_in(print, PAINT_GOOD, "scopa  ");
	else
		printf("       ");
	printf("%-*s  %s", TABLE_WIDTH, set_words(print->table, table),
	    set_words(print->hand, hand));
	if (play->time_us >= 0)
		print_in(print, PAINT_FAINT, "  %.6f s",
		    (double)play->time_us / 1e6);
	if (play->by_arena)
		print_in(print, PAINT_BAD, "  by the arena: %s",
		    safe_word(play->cause, cause));
	putchar('\n');
}

/* A remark under a play. */
static void
print_info(const struct record_print *print)
{
	const struct event_info *info = &print->event.info;
	char safe[4 * EVENT_TEXT_SIZE];

	escape_bytes(info->text, strlen(info->text), false, safe, sizeof(safe));
	print_in(print, PAINT_FAINT, "      %d %-*s  %s\n", info->seat + 1,
	    print->name_width, print->names[info->seat], safe);
}

static void
print_offence(const struct record_print *print)
{
	const struct event_offence *offence = &print->event.offence;
	char kind[WORD_SIZE], reason[WORD_SIZE], policy[WORD_SIZE];

	print_in(print, PAINT_BAD, "      %d %-*s  offence: %s%s%s (%s)\n",
	    offence->seat + 1, print->name_width, print->names[offence->seat],
	    safe_word(offence->kind, kind), offence->reason[0] ? ", " : "",
	    safe_word(offence->reason, reason),
	    safe_word(offence->policy, policy));
}

static void
print_void(const struct record_print *print)
{
	const struct event_void *turn = &print->event.void_turn;

	printf("      %d %-*s  ", turn->seat + 1, print->name_width,
	    print->names[turn->seat]);
	if (turn->by > 0 && turn->by <= SCOPA_SEATS_MAX)
		print_in(print, PAINT_BAD,
		    "clock restarted (VOID): %s computed meanwhile\n",
		    print->names[turn->by - 1]);
	else
		print_in(print, PAINT_BAD,
		    "clock restarted (VOID): the arena itself was delayed "
		    "%.3f s\n",
		    (double)turn->lag_us / 1e6);
}

static void
print_ponder(const struct record_print *print)
{
	const struct event_ponder *ponder = &print->event.ponder;

	printf("      %d %-*s  ", ponder->seat + 1, print->name_width,
	    print->names[ponder->seat]);
	print_in(print, PAINT_BAD,
	    "ponders (PONDER): %.3f s of CPU time in %.3f s off turn\n",
	    (double)ponder->cpu_us / 1e6, (double)ponder->wall_us / 1e6);
}

static void
print_abort(const struct record_print *print)
{
	char reason[WORD_SIZE];

	print_in(print, PAINT_BAD, "      broken off: %s\n",
	    safe_word(print->event.abort.reason, reason));
}

static void
print_declaration(const struct record_print *print)
{
	const struct event_play *play = &print->event.play;
	char bytes[16];
	struct scopa_text move;

	scopa_text_init(&move, bytes, sizeof(bytes));
	scopa_move_format(&play->move, &move);
	printf("      %d %-*s  ", play->seat + 1, print->name_width,
	    print->names[play->seat]);
	print_in(print, PAINT_GOOD, "declares %s", bytes + 1);
	printf(", %d points\n", play->points);
}

/* One line an item: quantity and points of each team. */
static void
print_item(
    const struct record_print *print, enum scopa_item item, int team_count)
{
	printf("  %-12s", scopa_item_name(item));
	for (int team = 0; team < team_count; team++) {
		const struct event_score *score = &print->scores[team];

		printf(
		    "%6d %3d", score->quantity[item], score->item_points[item]);
	}
	putchar('\n');
}

/* The table of all scores of a deal, once the last is known. */
static void
print_score(struct record_print *print)
{
	const struct event_score *score = &print->event.score;
	int team_count = scopa_team_count(&print->rules);

	print->scores[score->team] = *score;
	if (score->team + 1 < team_count)
		return;
	printf("  %-12s", "");
	for (int team = 0; team < team_count; team++)
		printf("%10c", team_letter(team));
	putchar('\n');
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (score->items >> item & 1)
			print_item(print, (enum scopa_item)item, team_count);
	printf("  %-12s", "points");
	for (int team = 0; team < team_count; team++)
		printf("%10d", print->scores[team].points);
	printf("\n  %-12s", "total");
	for (int team = 0; team < team_count; team++)
		printf("%10" PRId32, print->scores[team].total);
	putchar('\n');
}

static void
print_end(const struct record_print *print)
{
	const struct event_end *end = &print->event.end;

	putchar('\n');
	print_in(print, PAINT_HEADING, "Result");
	printf(": ");
	print_scores(end->scores, end->team_count);
	if (end->winner == SCOPA_TEAM_NONE)
		printf("; nobody wins");
	else
		printf("; %c wins", team_letter(end->winner));
	printf(" (%s)\n", end->reason);
}

/* Makes a move of the record, which is a good one. */
static void
follow_move(struct record_print *print, const struct event_play *play)
{
	struct scopa_effect effect;

	print->hand = print->deal.hands[play->seat];
	if (play->move.declaration == SCOPA_DECLARE_NOTHING)
		print->hand &= ~scopa_set_of(play->move.card);
	effect = scopa_deal_apply(&print->rules, &print->deal, &play->move);
	print->table = effect.over ? effect.rest : print->deal.table;
}

/* What an event changes; every line is followed, shown or not. */
static void
follow(struct record_print *print)
{
	const struct event *event = &print->event;

	if (event->kind == EVENT_RULES)
		print->rules = event->rules;
	else if (event->kind == EVENT_PACK)
		memcpy(print->pack, event->pack.cards, sizeof(print->pack));
	else if (event->kind == EVENT_DEAL)
		print->dealer = event->deal.dealer;
	else if (event->kind == EVENT_TABLE)
		scopa_deal_start(
		    &print->rules, print->pack, print->dealer, &print->deal);
	else if (event->kind == EVENT_PLAY ||
	    (event->kind == EVENT_DECLARE &&
		print->rules.declare == SCOPA_DECLARE_ASK))
		follow_move(print, &event->play);
}

/* Whether a line belongs to one deal and not to the match. */
static bool
is_of_deal(enum event_kind kind)
{
	return kind > EVENT_DEAL && kind <= EVENT_ENDDEAL;
}

/* Prints the line in hand, where it is wanted; *print follows the game. */
static void
record_print_event(struct record_print *print)
{
	const struct event *event = &print->event;

	follow(print);
	if (print->deal_wanted && print->deal_wanted != print->deal_number &&
	    is_of_deal(event->kind))
		return;
	switch (event->kind) {
	case EVENT_TABLE:
	case EVENT_GIVE:
	case EVENT_SWEEP:
	case EVENT_SHOW:
	case EVENT_REST:
		print_cards(print);
		break;
	case EVENT_REDEAL:
		printf("      thrown in: %s\n", event->reason);
		break;
	case EVENT_DECLARE:
		print_declaration(print);
		break;
	case EVENT_PLAY:
		print_play(print);
		break;
	case EVENT_INFO:
		print_info(print);
		break;
	case EVENT_OFFENCE:
		print_offence(print);
		break;
	case EVENT_PONDER:
		print_ponder(print);
		break;
	case EVENT_VOID:
		print_void(print);
		break;
	case EVENT_SCORE:
		print_score(print);
		break;
	case EVENT_ABORT:
		print_abort(print);
		break;
	case EVENT_MATCH:
		print_match(print);
		break;
	case EVENT_TAG:
		print_tag(print);
		break;
	case EVENT_SEAT:
		print_seat(print);
		break;
	case EVENT_DEAL:
		print_deal(print);
		break;
	case EVENT_ENDMATCH:
		print_end(print);
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
 * record show: a game for people to read.
 */

struct record_show_settings {
	const char *match;
	int64_t deal; /* 0: all */
};

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct record_show_settings),
	{
	    .name = "deal",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Only the deal of this number.",
	    .unit = "deals",
	    .min = 1,
	    .max = 1000000,
	    .offset = offsetof(struct record_show_settings, deal),
	},
};

static const char *const examples[] = {
	VERSION_NAME " record show games.scopa",
	VERSION_NAME " record show --match m1 --deal 3 games.scopa",
	NULL,
};

static int
show_block(void *given, const struct record_visit *visit)
{
	struct record_print *print = given;
	const struct record_block *block = visit->block;

	for (size_t i = 0; i < block->line_count; i++)
		if (record_line_event(
			block, &block->lines[i], &print->event, NULL))
			record_print_event(print);
	return 0;
}

/* Whether standard output is a terminal whose user likes colours. */
static bool
wants_colours(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && no_color[0]) &&
	    terminal && strcmp(terminal, "dumb") != 0;
}

static enum status
show_run(const void *given, int argc, char **argv)
{
	const struct record_show_settings *settings = given;
	struct record_print print = {
		.deal_wanted = settings->deal,
		.colours = wants_colours(),
	};
	struct record_pick pick = { .match = settings->match };
	struct record_walk walk = {
		.pick = &pick,
		.visit = show_block,
		.context = &print,
	};

	return record_walk_files(&walk, argc, argv);
}

const struct command command_record_show = {
	.name = "record show",
	.sentence = "Prints games for people to read.",
	.detail =
	    "Each play stands with the table and the hand that it leaves. "
	    "Blocks that do not verify are named and left out. Colours are "
	    "used on a terminal, unless NO_COLOR is set.",
	.usage = "[FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct record_show_settings),
	.run = show_run,
};
