/*
 * A bot's side of the protocol, line by line: moves, options, time, and the
 * `cards` line, which only a bot that asked for it uses; the deal that follows
 * from a `state` line and a `cards` line; pipes.
 */
#include "dialog.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis.h"
#include "mock_match.h"
#include "players.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

static struct dialog dialog;
static char answer_bytes[DIALOG_ANSWER_MAX];

/* The answer of the bot to one line of `length` bytes. */
static const char *
answer_to_bytes(const char *line, size_t length)
{
	struct scopa_text answer;

	scopa_text_init(&answer, answer_bytes, sizeof(answer_bytes));
	assert_true(
	    dialog_hear(&dialog, (struct token){ line, length }, &answer));
	assert_false(answer.cut);
	return answer_bytes;
}

static const char *
answer_to(const char *line)
{
	return answer_to_bytes(line, strlen(line));
}

static const char state_line[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=7BKBQC deal=1 "
    "dealer=2 turn=1 table=3C4S7DKS hands=1:3,2:3 deck=30 pile=A:-,B:- "
    "scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-";

#define NOTHING "error unexpected # go without legal or state\n"
#define NO_VALUE "error option # no such value of seed\n"

/* Lines and their answers; a row with a bot starts a new dialog. */
static const struct {
	const char *bot, *line, *answer;
} script[] = {
	{ "random", "usp 1 arena=scopa-arena/0.1.0",
	    "id name=random version=1\n"
	    "option name=seed type=int default=0 min=0 "
	    "max=9223372036854775807\n"
	    "feature position=1\nuspok 1\n" },
	{ "greedy", "usp 2",
	    "id name=greedy version=1\n"
	    "option name=blunder type=int default=0 min=0 max=1000\n"
	    "feature position=1\nuspok 1\n" },
	{ NULL, "isready", "readyok\n" },
	/*
	 * The answer has the id of the turn; a `legal` line is for one
	 * decision.
	 */
	{ "first", "legal 6Cx6D KS", "" },
	{ NULL, "go turn=9f3ac01b move=10000", "move 6Cx6D turn=9f3ac01b\n" },
	{ NULL, "legal KS", "" },
	{ NULL, state_line, "" },
	{ NULL, "go", "move KS\n" },
	{ NULL, "go", NOTHING },
	{ NULL, "legal AD", "" },
	{ NULL, "match m2 rules=scopa seats=2 teams=AB you=1 target=11", "" },
	{ NULL, "go", NOTHING },
	/* Blanks, comments and CR. */
	{ "first", "  legal\t 6Cx6D  KS # legal AD\r", "" },
	{ NULL, " go  turn=a#1\t# turn=b \r", "move 6Cx6D turn=a#1\n" },
	{ NULL, "", "" },
	{ NULL, "\r", "" },
	{ NULL, "# go", "" },
	/* Unknown lines are skipped, and a few are reported. */
	{ "first", "legal AD KS", "" },
	{ NULL, "ponder x=1", "error unknown # skipped ponder\n" },
	{ NULL, "p\x01\xff", "error unknown # skipped p??\n" },
	{ NULL, "a", "error unknown # skipped a\n" },
	{ NULL, "b", "error unknown # skipped b\n" },
	{ NULL, "c", "error unknown # skipped c\n" },
	{ NULL, "d", "error unknown # skipped d\n" },
	{ NULL, "e", "error unknown # skipped e\n" },
	{ NULL, "f", "error unknown # skipped f\n" },
	{ NULL, "legal2 QD", "" },
	{ NULL, "go turn=1", "move AD turn=1\n" },
	/* Verbs that need no answer. */
	{ "greedy", "match m1 rules=scopa seats=2 teams=AB you=1 target=11",
	    "" },
	{ NULL, "seat 1 team=A name=anon", "" },
	{ NULL, "rules players=2 teams=AB", "" },
	{ NULL, "deal 1 dealer=2 first=1 scores=A:0,B:0", "" },
	{ NULL, "table 5D6DJDKS", "" },
	{ NULL, "redeal reason=kings", "" },
	{ NULL, "give 1 AD2D3D", "" },
	{ NULL, "sweep 2 5D6D scopa=1 reason=fifteen", "" },
	{ NULL, "declare 1 low points=3", "" },
	{ NULL, "show 1 AD2D3D", "" },
	{ NULL, "play 1 AD", "" },
	{ NULL, "rest 1 KS", "" },
	{ NULL, "score A points=3 total=3", "" },
	{ NULL, "enddeal 1", "" },
	{ NULL, "abort deal reason=interrupted", "" },
	{ NULL, "endmatch m1 scores=A:1,B:2 winner=B you=loss", "" },
	{ NULL, "illegal 7D reason=must-capture policy=substitute", "" },
	{ NULL, "error unexpected # no move was asked", "" },
	{ NULL, "stop", "" },
	/* Options. */
	{ "random", "setoption seed=-1", NO_VALUE },
	{ NULL, "setoption seed=9223372036854775808", NO_VALUE },
	{ NULL, "setoption seed", NO_VALUE },
	{ NULL, "setoption depth=3",
	    "error option # there is no option depth\n" },
	{ NULL, "setoption", "error option # there is no option \n" },
	{ NULL, "setoption seed=17", "" },
	/*
	 * The legal moves follow from the state, unless it contradicts itself.
	 */
	{ "first", state_line, "" },
	{ NULL, "go", "move 7Bx7D\n" },
	{ NULL, "state rules=scopa", "" },
	{ NULL, "go", NOTHING },
	{ NULL,
	    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=7BKBQC "
	    "deal=1 dealer=2 turn=1 table=3C4S7DKS hands=1:3,2:3 deck=29 "
	    "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- "
	    "plays=-",
	    "" },
	{ NULL, "go", NOTHING },
	/* Without a valid state greedy plays a legal move. */
	{ "greedy", "state rules=scopa nonsense", "" },
	{ NULL, "legal 6Cx6D KS", "" },
	{ NULL, "go turn=1", "move 6Cx6D turn=1\n" },
	{ NULL, "go turn=1", NOTHING },
	/* The legal moves take precedence over the state. */
	{ NULL, state_line, "" },
	{ NULL, "legal 7Bx7D KBxKS QC", "" },
	{ NULL, "go turn=1", "move 7Bx7D turn=1\n" },
	{ NULL, state_line, "" },
	{ NULL, "legal KD QC", "" },
	{ NULL, "go turn=2", "move KD turn=2\n" },
	{ NULL, state_line, "" },
	{ NULL, "legal KD QC ...", "" },
	{ NULL, "go turn=3", "move 7Bx7D turn=3\n" },
	/* A second match discards the state of the first. */
	{ NULL, state_line, "" },
	{ NULL, "abort match reason=interrupted", "" },
	{ NULL, "match m2 rules=scopa seats=2 teams=AB you=1 target=11", "" },
	{ NULL, "legal KD QC", "" },
	{ NULL, "go turn=1", "move KD turn=1\n" },
};

TEST(test_lines_are_answered_according_to_the_protocol)
{
	for (size_t i = 0; i < COUNTOF(script); i++) {
		const char *answer;

		if (script[i].bot != NULL)
			dialog_init(&dialog, builtin_find(script[i].bot));
		answer = answer_to(script[i].line);
		if (strcmp(answer, script[i].answer) != 0)
			fail_msg("%s: %s", script[i].line, answer);
	}
}

/* 40 moves of greedy in the same position. */
static const char *
moves_after(const char *match)
{
	static char moves[1024];

	moves[0] = '\0';
	answer_to(match);
	for (int i = 0; i < 40; i++) {
		answer_to(state_line);
		strcat(moves, answer_to("go"));
	}
	return moves;
}

TEST(test_greedy_blunders_according_to_its_option_and_seed)
{
	static const char one[] = "match m1 rules=scopa seed=5d1f0c2e9a7b3c48";
	static const char two[] = "match m2 rules=scopa seed=5d1f0c2e9a7b3c49";
	char first[1024];

	dialog_init(&dialog, builtin_find("greedy"));
	assert_null(strstr(moves_after(one), "QC"));
	assert_string_equal(answer_to("setoption blunder=500"), "");
	snprintf(first, sizeof(first), "%s", moves_after(one));
	assert_non_null(strstr(first, "QC"));
	assert_string_equal(moves_after(one), first);
	assert_string_not_equal(moves_after(two), first);
	assert_string_equal(answer_to("setoption blunder=1001"),
	    "error option # no such value of blunder\n");
	assert_int_equal(dialog.options[0], 500);
}

/* Answers with the values of its turn. */
static bool
answer_times(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const int64_t times[] = { turn->began_ns, turn->bank_ns,
		turn->increment_ns, turn->move_ns, turn->match_bank,
		turn->deal_count, turn->lag_ns };

	assert_null(turn->all_cards);
	assert_null(turn->stopped);
	scopa_text_string(turn->info, "info # first try\n");
	for (size_t i = 0; i < COUNTOF(times); i++) {
		scopa_text_int(answer, times[i]);
		scopa_text_char(answer, ',');
	}
	return true;
}

static const struct builtin_option reporting_options[] = {
	{ .name = "depth", .fallback = 4, .min = 1, .max = 9 },
};

static const struct builtin reporting_bot = {
	.name = "reporting_bot",
	.sentence = "Says what it was sent.",
	.options = reporting_options,
	.option_count = 1,
	.need = BUILTIN_NEED_LEGAL,
	.stops = true,
	.choose = answer_times,
};

TEST(test_bot_gets_its_time_and_may_send_info)
{
	dialog_init(&dialog, &reporting_bot);
	answer_to("legal AD");
	assert_string_equal(answer_to("go turn=1"),
	    "info # first try\nmove 0,-1,-1,-1,0,0,0, turn=1\n");
	answer_to("match m1 rules=scopa deals=7 tc=match:60000+10");
	dialog.heard_ns = 123;
	answer_to("legal AD");
	assert_string_equal(answer_to("go turn=2 time=59999 inc=10"),
	    "info # first try\n"
	    "move 123,59999000000,10000000,-1,1,7,0, turn=2\n");
	answer_to("match m2 rules=scopa tc=deal:60000+10");
	answer_to("legal AD");
	assert_string_equal(answer_to("go move=5 time=x inc=99999999999999"),
	    "info # first try\nmove 123,-1,-1,5000000,0,0,0,\n");
}

TEST(test_lag_is_reported_with_the_next_question)
{
	dialog_init(&dialog, &reporting_bot);
	dialog.heard_ns = 1000000000;
	dialog.wake_ns = 2000000;
	answer_to("legal AD");
	answer_to("go turn=1 time=1000 inc=50");
	/* It has used 102 ms, and has waited 5 ms for a core. */
	pace_end(&dialog.pace, 1100000000, 5000000);
	/* There was no question, so this does not count. */
	pace_end(&dialog.pace, 1200000000, 2000000);
	dialog.heard_ns = 2000000000;
	dialog.wake_ns = 0;
	answer_to("legal AD");
	assert_string_equal(answer_to("go turn=2 time=948 inc=50"),
	    "info # first try\n"
	    "move 2000000000,948000000,50000000,-1,0,0,437500, turn=2\n");
}

TEST(test_bank_that_is_given_afresh_is_no_lag)
{
	static const struct {
		const char *match, *line;
		int64_t lag_ns;
	} cases[] = {
		{ "match m1 tc=deal:10000+1000", "match m2 tc=deal:1000+0", 0 },
		{ "match m1 tc=match:10000+1000", "match m2 tc=match:1000+0",
		    0 },
		{ "match m1 tc=deal:10000+1000", "deal 2 dealer=1", 0 },
		/* The bank of a match goes on in the next deal. */
		{ "match m1 tc=match:10000+1000", "deal 2 dealer=1",
		    INT64_C(9999000000) },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		dialog_init(&dialog, &reporting_bot);
		answer_to(cases[i].match);
		answer_to("legal AD");
		answer_to("go turn=1 time=10000 inc=1000");
		pace_end(&dialog.pace, 0, 0);
		answer_to(cases[i].line);
		answer_to("legal AD");
		answer_to("go turn=2 time=1000");
		pace_end(&dialog.pace, 0, 0);
		assert_int_equal(dialog.pace.lag_ns, cases[i].lag_ns / 16);
	}
}

#define STATE                                                             \
	"state rules=scopa seats=2 teams=AB target=11 you=1 hand=7DJBKC " \
	"deal=1 dealer=2 turn=1 table=AD2S3BKD hands=1:3,2:3 deck=30 "    \
	"pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-"
#define DECK "QD2DACASAB2C2B3D3C3S4D4C4B5D5C5S6C6S6B7C7S7BJDJCJSQCQSQBKSKB"
#define CARDS "cards hands=1:7DJBKC,2:4S5B6D deck=" DECK

static struct scopa_deal seen;
static int seen_count, turn_count;

static bool
choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	turn_count++;
	if (turn->all_cards != NULL) {
		seen = *turn->all_cards;
		seen_count++;
	}
	return builtin_first_legal(turn, answer);
}

static const struct builtin all_cards_bot = {
	.name = "all_cards_bot",
	.need = BUILTIN_NEED_VIEW,
	.sees_all = true,
	.choose = choose,
};
static const struct builtin normal_bot = {
	.name = "normal_bot",
	.need = BUILTIN_NEED_VIEW,
	.choose = choose,
};

static void
start(const struct builtin *builtin)
{
	dialog_init(&dialog, builtin);
	seen_count = turn_count = 0;
	memset(&seen, 0, sizeof(seen));
}

TEST(test_only_a_bot_that_uses_all_cards_asks_for_them)
{
	start(&all_cards_bot);
	assert_non_null(strstr(
	    answer_to("usp 1"), "\nfeature position=1 analysis=1\nuspok 1\n"));
	start(&normal_bot);
	assert_non_null(
	    strstr(answer_to("usp 1"), "\nfeature position=1\nuspok 1\n"));
}

/* A `cards` line is for one decision only. */
TEST(test_valid_cards_line_is_used_once_by_a_bot_that_asked_for_it)
{
	static const struct {
		const struct builtin *bot;
		const char *before, *cards;
		int seen;
	} cases[] = {
		{ &all_cards_bot, NULL, CARDS, 1 },
		{ &all_cards_bot, NULL, "", 0 },
		{ &all_cards_bot, NULL,
		    "cards hands=1:7DJBKC,2:4S5B7D deck=" DECK, 0 },
		{ &all_cards_bot, CARDS,
		    "match m1 rules=scopa seats=2 teams=AB", 0 },
		{ &normal_bot, NULL, CARDS, 0 },
	};

	start(&all_cards_bot);
	for (size_t i = 0; i < COUNTOF(cases); i++) {
		if (cases[i].bot != dialog.builtin)
			start(cases[i].bot);
		seen_count = turn_count = 0;
		if (cases[i].before != NULL)
			answer_to(cases[i].before);
		assert_string_equal(answer_to(cases[i].cards), "");
		answer_to(STATE);
		answer_to("legal 7D JB KCxKD");
		assert_string_equal(
		    answer_to("go turn=a1"), "move 7D turn=a1\n");
		assert_int_equal(turn_count, 1);
		assert_int_equal(seen_count, cases[i].seen);
		if (seen_count == 0)
			continue;
		assert_true(seen.hands[0] == support_set("7DJBKC"));
		assert_true(seen.hands[1] == support_set("4S5B6D"));
		assert_int_equal(seen.pack[seen.dealt], support_card("QD"));
		assert_int_equal(seen.pack[39], support_card("KB"));
	}
}

/* Reads the line; returns the result of unveil_deal. */
static bool
unveil(const char *line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal)
{
	assert_true(imagine_deal(rules, view, deal));
	return unveil_deal(
	    (struct token){ line, strlen(line) }, rules, view, deal);
}

/* The `cards` line of a deal, without verb and LF. */
static const char *
line_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	static char bytes[512];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	analysis_put_cards(analysis_allow(), rules, deal, &text);
	assert_false(text.cut);
	bytes[text.length - 1] = '\0';
	return bytes + strlen("cards ");
}

static int decisions;

static void
check_cards_lines(const char *spec, uint64_t seed)
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_deal deal;

	support_deal_random(&rules, &seed, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_deal all_cards;
		struct scopa_view view;

		support_view(&rules, &deal, deal.turn, &view);
		assert_true(
		    unveil(line_of(&rules, &deal), &rules, &view, &all_cards));
		assert_memory_equal(
		    all_cards.hands, deal.hands, sizeof(deal.hands));
		assert_memory_equal(all_cards.pack + deal.dealt,
		    deal.pack + deal.dealt,
		    (size_t)(SCOPA_PACK_SIZE - deal.dealt));
		support_play_random(&rules, &deal, &seed);
		decisions++;
	}
}

TEST(test_each_cards_line_gives_the_true_deal)
{
	int specs = support_each_spec(check_cards_lines);

	assert_true(decisions >= 30 * specs);
}

#define WITH_DECK(hands) "hands=" hands " deck=" DECK
#define HANDS "1:7DJBKC,2:4S5B6D"

TEST(test_contradictory_cards_line_is_refused)
{
	static const char *const lines[] = {
		"",
		"hands=" HANDS,
		"deck=-",
		/* The own hand differs; a card is missing. */
		WITH_DECK("1:7DJB2C,2:4S5B6D"),
		WITH_DECK("1:7DJB,2:4S5B6D"),
		/* A card occurs twice, or is on the table. */
		WITH_DECK("1:7DJBKC,2:4S5B5B"),
		WITH_DECK("1:7DJBKC,2:4S5BJB"),
		WITH_DECK("1:7DJBKC,2:4S5BAD"),
		/* Seats that do not exist, are not in order, or are too few. */
		WITH_DECK("1:7DJBKC"),
		WITH_DECK(HANDS ","),
		WITH_DECK(HANDS ",3:-"),
		WITH_DECK("2:4S5B6D,1:7DJBKC"),
		WITH_DECK("1:7DJBKC,3:4S5B6D"),
		WITH_DECK("1:7DJBKC;2:4S5B6D"),
		WITH_DECK("1,2"),
		WITH_DECK(""),
		/* No deck, half a card, too many cards. */
		"hands=" HANDS " deck=-",
		"hands=" HANDS " deck=",
		WITH_DECK(HANDS) "A",
		WITH_DECK(HANDS) "??",
		WITH_DECK(HANDS) DECK,
		WITH_DECK("1:7DJBKC,2:??????"),
	};
	struct scopa_text why = support_text();
	struct scopa_deal all_cards, imagined;
	struct scopa_rules rules;
	struct scopa_view view;

	assert_true(scopa_state_parse(STATE, &rules, &view, &why));
	assert_true(unveil(WITH_DECK(HANDS), &rules, &view, &all_cards));
	assert_true(imagine_deal(&rules, &view, &imagined));
	for (size_t i = 0; i < COUNTOF(lines); i++) {
		if (unveil(lines[i], &rules, &view, &all_cards))
			fail_msg("accepted: %s", lines[i]);
		assert_memory_equal(&all_cards, &imagined, sizeof(all_cards));
	}
}

TEST(test_cards_line_must_agree_with_shown_hands)
{
	struct scopa_rules rules = support_rules("cirulla,declare=auto");
	struct scopa_deal deal, all_cards;
	struct scopa_view view;
	char line[512], *at;

	/* Seat 1 of the deal declares three of a kind. */
	support_deal(&rules,
	    "2D5SJCQB"
	    "KD3S4C"
	    "6D6S6C"
	    "ADAC",
	    1, &deal);
	support_view(&rules, &deal, 0, &view);
	assert_true(view.shown[1] != SCOPA_SET_EMPTY);
	strcpy(line, line_of(&rules, &deal));
	assert_true(unveil(line, &rules, &view, &all_cards));
	/*
	 * One of the shown cards is exchanged with the first card of the deck.
	 */
	at = strstr(line, "6D");
	memcpy(at, "AD", 2);
	memcpy(strstr(line, "deck=") + 5, "6D", 2);
	assert_false(unveil(line, &rules, &view, &all_cards));
}

/*
 * The bytes of a dialog: pieces, too long lines, and closed pipes.  The pipes
 * are large, so that one process can write all and then read all.
 */
enum { PIPE_SIZE = 1 << 20, OUTPUT_SIZE = 1 << 17 };

/* The pipes of a bot; with O_DIRECT each write is read by itself. */
struct client_pipes {
	int input[2];
	int output[2];
};

static char output_bytes[OUTPUT_SIZE];

static void
pipes_open(struct client_pipes *client_pipes, int flags)
{
	assert_int_equal(pipe2(client_pipes->input, O_CLOEXEC | flags), 0);
	assert_int_equal(pipe2(client_pipes->output, O_CLOEXEC | flags), 0);
	assert_true(fcntl(client_pipes->input[1], F_SETPIPE_SZ, PIPE_SIZE) > 0);
	assert_true(
	    fcntl(client_pipes->output[1], F_SETPIPE_SZ, PIPE_SIZE) > 0);
}

static void
pipes_write(struct client_pipes *client_pipes, const char *bytes, size_t length)
{
	assert_int_equal(write(client_pipes->input[1], bytes, length), length);
}

/*
 * Runs the bot on an input that ends, or goes on after its last line.  Closes
 * all and returns the status of the bot, whose answers are in output_bytes.
 */
static int
pipes_run(
    struct client_pipes *client_pipes, const struct builtin *builtin, bool ends)
{
	size_t length = 0;
	ssize_t got;
	int status;

	if (ends)
		close(client_pipes->input[1]);
	status = client_run(
	    builtin, client_pipes->input[0], client_pipes->output[1]);
	close(client_pipes->input[0]);
	close(client_pipes->output[1]);
	if (!ends)
		close(client_pipes->input[1]);
	while ((got = read(client_pipes->output[0], output_bytes + length,
		    sizeof(output_bytes) - 1 - length)) > 0)
		length += (size_t)got;
	close(client_pipes->output[0]);
	output_bytes[length] = '\0';
	return status;
}

static int
pipes_run_named(struct client_pipes *client_pipes, const char *name)
{
	return pipes_run(client_pipes, builtin_find(name), true);
}

/* In one piece, or byte by byte. */
TEST(test_dialog_is_the_same_in_any_pieces)
{
	static const char input[] = "usp 1\r\nisready\nmatch m1 seats=2\n"
				    "legal AD KS\ngo turn=1\n\nplay 1 AD\n"
				    "legal 2D\r\ngo turn=2\r\nnonsense\nquit\n";
	static const size_t pieces[] = { sizeof(input) - 1, 1 };

	for (size_t i = 0; i < COUNTOF(pieces); i++) {
		struct client_pipes client_pipes;

		pipes_open(&client_pipes, O_DIRECT);
		for (size_t at = 0; at < sizeof(input) - 1; at += pieces[i])
			pipes_write(&client_pipes, input + at, pieces[i]);
		assert_int_equal(pipes_run_named(&client_pipes, "first"), 0);
		assert_string_equal(output_bytes,
		    "id name=first version=1\nfeature position=1\nuspok 1\n"
		    "readyok\nmove AD turn=1\nmove 2D turn=2\n"
		    "error unknown # skipped nonsense\n");
	}
}

/* A line of `length` bytes that begins with `legal AD `, and then `go`. */
static void
long_line_write(struct client_pipes *client_pipes, size_t length)
{
	static char line[4 * DIALOG_LINE_MAX];
	static const char start[] = "legal AD ", after[] = "\ngo turn=1\n";

	memset(line, 'x', length);
	memcpy(line, start, sizeof(start) - 1);
	pipes_write(client_pipes, line, length);
	pipes_write(client_pipes, after, sizeof(after) - 1);
}

TEST(test_too_long_line_is_skipped_and_reported)
{
	static const size_t lengths[] = { DIALOG_LINE_MAX + 1,
		2 * DIALOG_LINE_MAX, 4 * DIALOG_LINE_MAX };

	for (size_t i = 0; i < COUNTOF(lengths); i++) {
		struct client_pipes client_pipes;

		pipes_open(&client_pipes, 0);
		pipes_write(&client_pipes, "legal KS\n", 9);
		long_line_write(&client_pipes, lengths[i]);
		assert_int_equal(pipes_run_named(&client_pipes, "first"), 0);
		assert_string_equal(output_bytes,
		    "error toolong # skipped a line over 65535 bytes\n"
		    "move KS turn=1\n");
	}
}

TEST(test_many_answers_to_one_read_are_all_sent)
{
	enum { QUESTIONS = 5000 };
	struct client_pipes client_pipes;

	pipes_open(&client_pipes, 0);
	for (int i = 0; i < QUESTIONS; i++)
		pipes_write(&client_pipes, "isready\n", 8);
	assert_int_equal(pipes_run_named(&client_pipes, "greedy"), 0);
	for (int i = 0; i < QUESTIONS; i++)
		assert_memory_equal(output_bytes + 8 * i, "readyok\n", 8);
	assert_int_equal(output_bytes[8 * QUESTIONS], '\0');
}

/* Thinks until it is stopped, and counts its decisions in its memory. */
static bool
think(const struct builtin_turn *turn, struct scopa_text *answer)
{
	int *count = (int *)turn->memory;

	while (!turn->stopped(turn->context))
		;
	scopa_text_string(answer, "AD");
	scopa_text_string(turn->info, "info nodes=");
	scopa_text_int(turn->info, ++*count);
	scopa_text_char(turn->info, '\n');
	return true;
}

static const struct builtin thinker = {
	.name = "thinker",
	.sentence = "Thinks as long as it may.",
	.need = BUILTIN_NEED_LEGAL,
	.memory_size = sizeof(int),
	.stops = true,
	.choose = think,
};

TEST(test_thinking_ends_at_stop_and_later_lines_are_answered)
{
	static const struct {
		const char *input;
		bool ends; /* whether the input ends without `quit` */
		const char *expected;
	} cases[] = {
		{ "legal AD\ngo turn=1\nstop\nisready\n"
		  "legal AD\ngo turn=2\nplay 1 AD\n stop \r\nusp 1\nquit\n",
		    false,
		    "info nodes=1\nmove AD turn=1\nreadyok\n"
		    "info nodes=2\nmove AD turn=2\n"
		    "id name=thinker version=1\n"
		    "feature position=1 stop=1\nuspok 1\n" },
		/* The answer is not needed. */
		{ "legal AD\ngo turn=1\nquit\n", false,
		    "info nodes=1\nmove AD turn=1\n" },
		{ "legal AD\ngo turn=1\nisready\nquit\n", false,
		    "info nodes=1\nmove AD turn=1\nreadyok\n" },
		{ "legal AD\ngo turn=1\nlegal AD\nsto", true,
		    "info nodes=1\nmove AD turn=1\n" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct client_pipes client_pipes;

		pipes_open(&client_pipes, 0);
		pipes_write(
		    &client_pipes, cases[i].input, strlen(cases[i].input));
		assert_int_equal(
		    pipes_run(&client_pipes, &thinker, cases[i].ends), 0);
		assert_string_equal(output_bytes, cases[i].expected);
	}
}

/* The lines arrive late, from another process, in pieces and in masses. */
TEST(test_lines_that_arrive_while_the_bot_thinks_are_not_lost)
{
	enum { LINES = 30000 };
	struct client_pipes client_pipes;
	pid_t child;
	int status;

	pipes_open(&client_pipes, 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		pipes_write(&client_pipes, "legal AD\ngo turn=1\n", 19);
		for (int i = 0; i < LINES; i++)
			pipes_write(&client_pipes, "play 1 AD\n", 10);
		pipes_write(&client_pipes, "st", 2);
		usleep(1000);
		pipes_write(&client_pipes, "op\nisready\nquit\n", 16);
		_exit(0);
	}
	/*
	 * More bytes than the buffer of the bot holds, with `stop` at the end.
	 */
	assert_int_equal(pipes_run(&client_pipes, &thinker, true), 0);
	assert_string_equal(
	    output_bytes, "info nodes=1\nmove AD turn=1\nreadyok\n");
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

TEST(test_closed_output_ends_the_bot_without_an_error)
{
	struct client_pipes client_pipes;

	signal(SIGPIPE, SIG_IGN);
	pipes_open(&client_pipes, 0);
	close(client_pipes.output[0]);
	pipes_write(&client_pipes, "isready\n", 8);
	assert_int_equal(pipes_run_named(&client_pipes, "first"), 0);
	signal(SIGPIPE, SIG_DFL);
}

TEST(test_broken_descriptor_is_an_error)
{
	struct client_pipes client_pipes;

	assert_int_equal(client_run(builtin_find("first"), -1, -1), -EBADF);
	pipes_open(&client_pipes, 0);
	pipes_write(&client_pipes, "isready\n", 8);
	close(client_pipes.output[1]);
	client_pipes.output[1] = -1;
	assert_int_equal(pipes_run_named(&client_pipes, "first"), -EBADF);
}
