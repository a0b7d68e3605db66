/*
 * A game as people read it, line by line of its record.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "event.h"
#include "record_walk.h"
#include "text_format.h"
#include "version.h"

enum { RECORD_PRINT_NAME_SIZE = 4 * EVENT_NAME_SIZE };

/* What is known of the game at the line in hand. */
struct record_print {
	int64_t deal_wanted; /* that alone, or 0: all */
	bool offences_only;  /* only games with an offence */
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
	scopa_set hand;  /* of the seat that made it */
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

	if (print->match_count++ > 0)
		putchar('\n');
	memset(print->names, 0, sizeof(print->names));
	print->name_width = 1;
	print->deal_number = 0;
	print_in(print, PAINT_HEADING, "Match %s",
	    safe_text(match->id, id, sizeof(id)));
	printf(": %s, %d seats as %s, ", match->rules, match->seats,
	    scopa_param_find("teams")->names[match->teams]);
	if (match->deals > 0)
		printf("%d deal%s\n", match->deals, text_plural(match->deals));
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

	print_in(print, PAINT_FAINT, "  %s\n",
	    safe_text(print->event.text, safe, sizeof(safe)));
}

static void
print_seat(struct record_print *print)
{
	const struct event_seat *seat = &print->event.seat;
	char *name = print->names[seat->seat], version[RECORD_PRINT_NAME_SIZE];
	int width;

	safe_text(seat->name, name, RECORD_PRINT_NAME_SIZE);
	width = (int)strlen(name);
	if (width > print->name_width)
		print->name_width = width;
	printf("  seat %d  team %c  %s %s%s\n", seat->seat + 1,
	    team_letter(seat->team), name,
	    safe_text(seat->version, version, sizeof(version)),
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

/* `      1 name  `, as lines under a play begin. */
static void
print_of_seat(const struct record_print *print, int seat)
{
	printf(
	    "      %d %-*s  ", seat + 1, print->name_width, print->names[seat]);
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

	if (print->event.kind != EVENT_TABLE)
		print_of_seat(print, cards->seat);
	else
		fputs("      ", stdout);
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
		    safe_text(play->cause, cause, WORD_SIZE));
	putchar('\n');
}

/* A remark under a play. */
static void
print_info(const struct record_print *print)
{
	const struct event_info *info = &print->event.info;
	char safe[4 * EVENT_TEXT_SIZE];

	print_in(print, PAINT_FAINT, "      %d %-*s  %s\n", info->seat + 1,
	    print->name_width, print->names[info->seat],
	    safe_text(info->text, safe, sizeof(safe)));
}

static void
print_offence(const struct record_print *print)
{
	const struct event_offence *offence = &print->event.offence;
	char kind[WORD_SIZE], reason[WORD_SIZE], policy[WORD_SIZE];

	print_in(print, PAINT_BAD, "      %d %-*s  offence: %s%s%s (%s)\n",
	    offence->seat + 1, print->name_width, print->names[offence->seat],
	    safe_text(offence->kind, kind, WORD_SIZE),
	    offence->reason[0] ? ", " : "",
	    safe_text(offence->reason, reason, WORD_SIZE),
	    safe_text(offence->policy, policy, WORD_SIZE));
}

static void
print_void(const struct record_print *print)
{
	const struct event_void *turn = &print->event.void_turn;

	print_of_seat(print, turn->seat);
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

	print_of_seat(print, ponder->seat);
	print_in(print, PAINT_BAD,
	    "ponders (PONDER): %.3f s of CPU time in %.3f s off turn\n",
	    (double)ponder->cpu_us / 1e6, (double)ponder->wall_us / 1e6);
}

static void
print_abort(const struct record_print *print)
{
	char reason[WORD_SIZE];

	print_in(print, PAINT_BAD, "      broken off: %s\n",
	    safe_text(print->event.abort.reason, reason, WORD_SIZE));
}

static void
print_declaration(const struct record_print *print)
{
	const struct event_play *play = &print->event.play;
	char bytes[16];
	struct scopa_text move;

	scopa_text_init(&move, bytes, sizeof(bytes));
	scopa_move_format(&play->move, &move);
	print_of_seat(print, play->seat);
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
	bool offences;
};

#define FIELD(name) offsetof(struct record_show_settings, name)

static const struct option options[] = {
	RECORD_MATCH_OPTION(struct record_show_settings),
	INT_OPTION("deal", "N", FIELD(deal), 1, 1000000,
	    "Only the deal of this number.", .unit = "deals"),
	FLAG_OPTION(
	    "offences", FIELD(offences), "Only games with an offence in them."),
	OPTIONS_END,
};

static bool
has_offence(const struct record_block *block)
{
	struct event event;

	for (size_t i = 0; i < block->line_count; i++)
		if (record_line_event(block, &block->lines[i], &event, NULL) &&
		    event.kind == EVENT_OFFENCE)
			return true;
	return false;
}

static int
show_block(void *given, const struct record_visit *visit)
{
	struct record_print *print = given;
	const struct record_block *block = visit->block;

	if (print->offences_only && !has_offence(block))
		return 0;
	for (size_t i = 0; i < block->line_count; i++)
		if (record_line_event(
			block, &block->lines[i], &print->event, NULL))
			record_print_event(print);
	return 0;
}

static enum status
show_run(const void *given, int argc, char **argv)
{
	const struct record_show_settings *settings = given;
	struct record_print print = {
		.deal_wanted = settings->deal,
		.offences_only = settings->offences,
		.colours = report_style_of(stdout).color,
	};

	return record_walk_good(
	    show_block, &print, settings->match, argc, argv);
}

const struct command command_record_show = {
	.name = "record show",
	.sentence = "Prints games for people to read.",
	.detail =
	    "Each play stands with the table and the hand that it leaves. "
	    "Blocks that do not verify are named and left out. Colours are "
	    "used on a terminal, unless NO_COLOR is set.",
	.usage = "[FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record show games.scopa",
	    "record show --match m1 --deal 3 games.scopa" },
	.options = options,
	.settings_size = sizeof(struct record_show_settings),
	.run = show_run,
};
