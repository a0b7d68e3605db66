/*
 * What bots may not do, and what follows under each policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "test.h"

static const struct table_order two = { .spec = "scopa", .seed = 5 };
static const struct table_order three = {
	.spec = "scopa,players=3", .policy = POLICY_SUBSTITUTE, .seed = 5
};

/* A table where seat 0 is asked and each of these moves is wrong. */
static const struct {
	const char *spec, *pack, *move, *reason;
} wrong[] = {
	{ "scopa", "2C5SKDKC 7D3CAD", "hello", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C5", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7dx2c5s", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7D:2C5S", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx", "syntax" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C2C", "duplicate" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx7D", "duplicate" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Cx2C5S", "not-in-hand" },
	{ "scopa", "2C5SKDKC 7D3CAD", "KD", "not-in-hand" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx3S4S", "not-on-table" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7Dx2C", "bad-sum" },
	{ "scopa", "2C5SKDKC 7D3CAD", "3Cx2C5S", "bad-sum" },
	{ "scopa", "2C5SKDKC 7D3CAD", "7D", "must-capture" },
	{ "scopa", "2C5SKDKC 7D3CAD", "!low", "no-declaration" },
	{ "scopa", "2C5S7CKC 7D3CAD", "7Dx2C5S", "must-take-single" },
	{ "scopa,priority=fewest", "AC2C4S6S 7D3CAD", "7DxAC2C4S",
	    "must-take-fewest" },
	{ "scopa,priority=any,max-captured=2", "AC2C4S6S 7D3CAD", "7DxAC2C4S",
	    "too-many" },
	{ "scopa,ace=sweep", "AC2C4SKD 7D3CAD", "ADxAC", "must-sweep" },
	{ "cirulla,declare=ask", "2C4S6SKD 7D3CKS", "!three",
	    "no-declaration" },
};

enum { WRONG_COUNT = sizeof(wrong) / sizeof(wrong[0]) };

TEST(test_each_wrong_move_is_refused_by_its_reason_under_each_policy)
{
	for (int i = 0; i < WRONG_COUNT * POLICY_COUNT; i++) {
		const char *reason = wrong[i / POLICY_COUNT].reason;
		enum verdict_policy policy =
		    (enum verdict_policy)(i % POLICY_COUNT);
		bool goes_on = policy == POLICY_SUBSTITUTE;
		struct table_order order = {
			.spec = wrong[i / POLICY_COUNT].spec,
			.pack = wrong[i / POLICY_COUNT].pack,
			.policy = policy,
		};
		struct table *table = table_open_ready(&order);
		char line[256], play[256];

		snprintf(
		    play, sizeof(play), "play 1 %s*", table_move(table, 0));
		table_skip(table);
		table_answer(table, wrong[i / POLICY_COUNT].move);
		snprintf(line, sizeof(line), "illegal %s reason=%s policy=%s%s",
		    wrong[i / POLICY_COUNT].move, reason, policy_name(policy),
		    goes_on ? " strikes=1 # *" : " # *");
		table_assert_has(table_heard(table, 0), line);
		snprintf(line, sizeof(line),
		    "offence 1 kind=illegal reason=%s policy=%s%s said=move*",
		    reason, policy_name(policy), goes_on ? " strikes=1" : "");
		table_assert_has(table->record.bytes, line);
		assert_int_equal(table_over(table), !goes_on);
		assert_int_equal(table_has(table->record.bytes, play), goes_on);
		assert_int_equal(goes_on,
		    strstr(table->record.bytes, " by=arena cause=illegal\n") !=
			NULL);
		assert_null(strstr(table_heard(table, 1), reason));
		table_close(table);
	}
}

TEST(test_line_without_a_readable_move_is_an_illegal_one)
{
	static const struct {
		const char *line, *told;
	} rows[] = {
		{ "move", "illegal - reason=syntax *" },
		{ "move # 7D", "illegal - reason=syntax *" },
		{ "move \t ", "illegal - reason=syntax *" },
		{ "move ???", "illegal ??? reason=syntax *" },
		{ "move %37D", "illegal %37D reason=syntax *" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct table *table = table_open_ready(&two);

		table_skip(table);
		table_say(table, 0, rows[i].line);
		table_assert_has(table_heard(table, 0), rows[i].told);
		assert_true(table_over(table));
		table_close(table);
	}
}

TEST(test_long_wrong_move_is_cut_for_the_bot_and_in_the_record)
{
	struct table *table = table_open_ready(&three);
	char move[4000], told[128];
	const char *said;

	memset(move, '7', sizeof(move));
	memcpy(move, "move ", 5);
	move[sizeof(move) - 1] = '\0';
	table_say(table, 0, move);
	snprintf(told, sizeof(told), "illegal %.64s reason=syntax *", move + 5);
	table_assert_has(table_heard(table, 0), told);
	said = strstr(table->record.bytes, " said=move%207");
	assert_non_null(said);
	assert_true(strcspn(said, "\n") < 300);
	table_close(table);
}

/* The text without these words, wherever they stand. */
static char *
without(const char *text, const char *words)
{
	char *copy = strdup(text), *at;

	assert_non_null(copy);
	while ((at = strstr(copy, words)))
		memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
	return copy;
}

TEST(test_others_hear_of_an_offence_only_that_the_arena_played)
{
	struct table *honest = table_open_ready(&three);
	struct table *guilty = table_open_ready(&three);

	table_answer(honest, table_move(honest, 0));
	table_answer(guilty, "KDxKC");
	table_steps(honest, 5);
	table_steps(guilty, 5);
	for (int seat = 1; seat < 3; seat++) {
		char *heard = without(
		    guilty->seats[seat].heard.bytes, " by=arena cause=illegal");

		assert_string_equal(heard, honest->seats[seat].heard.bytes);
		assert_int_equal(guilty->seats[seat].write_count,
		    honest->seats[seat].write_count);
		free(heard);
	}
	table_close(honest);
	table_close(guilty);
}

TEST(test_third_strike_of_a_seat_loses_whatever_the_kinds)
{
	struct table *table = table_open_ready(&three);

	table_answer(table, "hello");
	assert_int_equal(table->referee.seats[0].strikes, 1);
	/* Another seat's strike is its own. */
	table_answer(table, "hello");
	assert_int_equal(table->referee.seats[1].strikes, 1);
	table_step(table);
	table_flaw(table, 0, "\\x00");
	assert_false(table_over(table));
	table_steps(table, 2);
	table_exit(table, 0, "CRASH(9)");
	assert_true(table_over(table));
	table_assert_has(table->record.bytes,
	    "offence 1 kind=crash reason=CRASH(9) policy=forfeit strikes=3");
	assert_int_equal(table->referee.offender, 0);
	assert_int_equal(table->referee.offence, OFFENCE_CRASH);
	table_close(table);
}

/* Seat 0 does one thing wrong on its own turn. */
enum vice { EXITS, CLOSES, GIVES_UP, FLOODS, WRITES_BYTES, VICE_COUNT };

static const struct {
	const char *kind, *reason;
	bool stays;  /* it is still there afterwards */
	bool killed; /* the match must end it */
} vices[] = {
	[EXITS] = { "crash", "EXIT(3)", false, false },
	[CLOSES] = { "crash", "EOF", false, false },
	[GIVES_UP] = { "crash", "FATAL", false, true },
	[FLOODS] = { "protocol", "FLOOD", false, true },
	[WRITES_BYTES] = { "protocol", "BAD_LINE", true, false },
};

static void
misbehave(struct table *table, int seat, enum vice vice)
{
	switch (vice) {
	case EXITS:
	case CLOSES:
		table_exit(table, seat, vices[vice].reason);
		break;
	case GIVES_UP:
		table_say(table, seat, "error fatal # no idea");
		break;
	case FLOODS:
		table_flood(table, seat);
		break;
	case WRITES_BYTES:
		table_flaw(table, seat, "\\xff");
		break;
	case VICE_COUNT:
		break;
	}
}

TEST(test_each_vice_on_its_turn_is_judged_at_once)
{
	for (int i = 0; i < VICE_COUNT * POLICY_COUNT; i++) {
		enum vice vice = (enum vice)(i / POLICY_COUNT);
		struct table_order order = three;
		struct table *table;
		char offence[128];

		order.policy = (enum verdict_policy)(i % POLICY_COUNT);
		table = table_open_ready(&order);
		misbehave(table, 0, vice);
		snprintf(offence, sizeof(offence),
		    "offence 1 kind=%s reason=%s policy=%s*", vices[vice].kind,
		    vices[vice].reason, policy_name(order.policy));
		table_assert_has(table->record.bytes, offence);
		assert_int_equal(
		    table_over(table), order.policy != POLICY_SUBSTITUTE);
		assert_int_equal(table_turn(table),
		    order.policy == POLICY_SUBSTITUTE ? 1 : -1);
		assert_int_equal(table->referee.seats[0].session.phase,
		    vices[vice].stays ? SESSION_IDLE : SESSION_GONE);
		assert_int_equal(
		    table->referee.seats[0].kill, vices[vice].killed);
		table_close(table);
	}
}

TEST(test_vice_out_of_turn_is_judged_when_the_turn_comes)
{
	for (int i = 0; i < VICE_COUNT; i++) {
		enum vice vice = (enum vice)i;
		struct table *table = table_open_ready(&three);
		int gone = !vices[vice].stays;

		table_skip(table);
		misbehave(table, 1, vice);
		assert_string_equal(table_recorded(table), "");
		assert_string_equal(table_heard(table, 0), "");
		assert_int_equal(table_turn(table), 0);
		table_step(table);
		assert_int_equal(table_turn(table), gone ? 2 : 1);
		assert_int_equal(
		    table_count(table->record.bytes, "offence 2 *"), gone);
		assert_int_equal(table->referee.seats[1].strikes, gone);
		table_close(table);
	}
}

TEST(test_bytes_out_of_turn_are_only_reported)
{
	struct table *table = table_open_ready(&two);

	table_flaw(table, 1, "\\x00");
	table_step(table);
	table_assert_has(table_heard(table, 1), "error toolong # *");
	table_finish(table);
	table_assert_lacks(table->record.bytes, "offence*");
	table_close(table);
}

TEST(test_nothing_more_is_heard_of_or_said_to_one_that_is_gone)
{
	struct table_order order = three;

	order.strikes_max = 10;
	for (int i = 0; i < VICE_COUNT; i++) {
		struct table *table = table_open_ready(&order);

		misbehave(table, 0, (enum vice)i);
		if (vices[i].stays) {
			table_close(table);
			continue;
		}
		table_steps(table, 2);
		table_skip(table);
		table_say(table, 0, table_move(table, 0));
		table_say(table, 0, "nonsense");
		table_flaw(table, 0, "x");
		table_flood(table, 0);
		table_exit(table, 0, "EXIT(0)");
		assert_string_equal(table_recorded(table), "");
		table_steps(table, 4);
		assert_string_equal(table_heard(table, 0), "");
		assert_int_equal(table->outbox.seats[0].length, 0);
		assert_int_equal(
		    table->referee.seats[0].session.error_count, 0);
		table_close(table);
	}
}

TEST(test_arena_plays_whole_games_for_dead_seats_where_strikes_allow)
{
	static const char *const specs[] = { "scopa,players=3",
		"scopa,teams=ABCD", "scopone", "scopa,teams=ABABAB",
		"cirulla,players=3,declare=ask", "escoba,teams=ABCDEF" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct table_order order = { .spec = specs[i],
			.policy = POLICY_SUBSTITUTE,
			.strikes_max = 1000,
			.deals = 2,
			.seed = i };
		struct table *table = table_open_ready(&order);
		int seats = table->rules.players;

		table_exit(table, seats - 1, "EXIT(0)");
		table_steps(table, 3);
		table_exit(table, 0, "CRASH(11)");
		table_finish(table);
		table_assert_has(table->record.bytes, "enddeal 2");
		assert_non_null(strstr(table->record.bytes, " reason=deals\n"));
		table_assert_has(table_heard(table, 1), "endmatch m1 *");
		table_close(table);
	}
}

TEST(test_game_of_the_dead_alone_comes_to_its_end)
{
	struct table_order order = three;
	struct table *table;

	order.strikes_max = 1000;
	order.deals = 3;
	table = table_open_ready(&order);
	for (int seat = 2; seat >= 0; seat--)
		table_exit(table, seat, "EXIT(1)");
	assert_true(table_over(table));
	table_assert_has(table->record.bytes, "enddeal 3");
	assert_int_equal(table_count(table->record.bytes, "play*"),
	    table_count(table->record.bytes, "offence*"));
	table_close(table);
}
