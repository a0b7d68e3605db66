/*
 * Bots that do anything at any time: whatever comes, every game comes to one
 * end, its record can be read, and who did nothing wrong is never blamed.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

enum { GAMES = 6, EVENTS_MAX = 4000 };

/* Whether the bot at a seat does as it should. */
static bool honest[SCOPA_SEATS_MAX];

static const char *const lines[] = {
	"",
	"# hm",
	"id name=x",
	"id",
	"option name=a type=int",
	"option name=a type=enum values=",
	"feature events=0",
	"feature observe=1 legal=0",
	"feature declare=0 state=0",
	"uspok 1",
	"uspok 7",
	"readyok",
	"readyok readyok",
	"move",
	"move 7D",
	"move 7Dx3C4S turn=0123456789abcdef",
	"move !low",
	"info value=1 # sure",
	"info",
	"error unknown # what",
	"error fatal",
	"nonsense",
	"play 1 7D",
	"quit",
};

enum { LINE_COUNT = sizeof(lines) / sizeof(lines[0]) };

/* A bot that does what is expected of it at this moment. */
static void
behave(struct table *table, int seat)
{
	switch (table->referee.seats[seat].session.phase) {
	case SESSION_ABSENT:
		table_start(table, seat);
		break;
	case SESSION_HELLO:
		if (table->referee.seats[seat].session.id_count == 0)
			table_say(table, seat, "id name=x");
		else
			table_say(table, seat, "uspok 1");
		break;
	case SESSION_SETUP:
	case SESSION_STALE:
		table_say(table, seat, "readyok");
		break;
	case SESSION_THINK:
		table_step(table);
		break;
	case SESSION_IDLE:
	case SESSION_GONE:
		break;
	}
}

static void
misbehave(struct table *table, int seat)
{
	int choice = support_random_below(&table->random, 100);

	if (table->referee.seats[seat].session.phase == SESSION_ABSENT)
		table_start(table, seat);
	else if (choice < 60)
		table_say(table, seat,
		    lines[support_random_below(&table->random, LINE_COUNT)]);
	else if (choice < 70)
		table_flaw(table, seat, "\\x00");
	else if (choice < 72)
		table_flood(table, seat);
	else if (choice < 74)
		table_exit(table, seat, "EXIT(1)");
	else
		behave(table, seat);
}

/* One game of monkeys and honest bots; honest ones are quick enough. */
static void
play_game(struct table *table)
{
	int seats = table->rules.players;
	int events = 0;

	while (!table_over(table)) {
		int seat = support_random_below(&table->random, seats);

		assert_true(++events < EVENTS_MAX);
		if (honest[seat])
			behave(table, seat);
		else
			misbehave(table, seat);
		if (support_random_below(&table->random, 50) > 0)
			continue;
		/* However long the arena is away, nobody is late by it. */
		if (support_random_below(&table->random, 4) == 0)
			table_lag(table, 60000 * TABLE_MS);
		/* Long enough for a late one; the honest ones answer first. */
		for (int other = 0; other < seats; other++)
			for (int i = 0; i < 4 && honest[other]; i++)
				if (!table_over(table))
					behave(table, other);
		if (table_turn(table) < 0 || !honest[table_turn(table)])
			table_wait(table, 11000 * TABLE_MS);
		if (support_random_below(&table->random, 40) == 0)
			table_abort(table, "interrupted");
	}
}

/* What must be true of a game that is over. */
static void
check_game(struct table *table)
{
	const char *record = table_recorded(table);
	static struct event event;
	struct scopa_text why;
	char bytes[512];

	assert_int_equal(table_count(record, "match *"), 1);
	assert_int_equal(table_count(record, "endmatch *"), 1);
	assert_int_equal(table_count(record, "abort match reason=forfeit"),
	    table->referee.offender != REFEREE_SEAT_NONE);
	if (table->referee.offender != REFEREE_SEAT_NONE)
		assert_false(honest[table->referee.offender]);
	for (; *record; record += strcspn(record, "\n") + 1) {
		scopa_text_init(&why, bytes, sizeof(bytes));
		assert_int_equal(
		    event_parse(record, strcspn(record, "\n"), &event, &why),
		    EVENT_PARSED);
		if (event.kind == EVENT_OFFENCE)
			assert_false(honest[event.offence.seat]);
	}
	for (int seat = 0; seat < table->rules.players; seat++) {
		const char *heard = table_heard(table, seat);

		if (!honest[seat])
			continue;
		assert_int_equal(table_count(heard, "endmatch *"), 1);
		table_assert_lacks(heard, "error*");
		table_assert_lacks(heard, "illegal*");
	}
}

/* The next game: everybody may sit elsewhere. */
static void
change_seats(struct table *table)
{
	int from[SCOPA_SEATS_MAX] = { 0, 1, 2, 3, 4, 5 };
	bool before[SCOPA_SEATS_MAX];

	for (int seat = 1; seat < table->rules.players; seat++) {
		int other = support_random_below(&table->random, seat + 1);
		int swap = from[seat];

		from[seat] = from[other];
		from[other] = swap;
	}
	memcpy(before, honest, sizeof(before));
	for (int seat = 0; seat < table->rules.players; seat++)
		honest[seat] = before[from[seat]];
	table_reseat(table, from);
}

static void
play_series(const char *spec, uint64_t seed)
{
	static const char *const controls[] = { "none", "move:10", "match:60+1",
		"deal:30+0" };
	struct table_order order = { .spec = spec,
		.policy = (enum verdict_policy)(seed % POLICY_COUNT),
		.tc = controls[seed / 7 % 4],
		.strikes_max = 1 + (int)(seed / 5 % 50),
		.deals = 1,
		.seed = seed,
		.observe_denied = seed / 3 % 2 };
	struct table *table = table_open(&order);

	for (int seat = 0; seat < table->rules.players; seat++)
		honest[seat] = support_random_below(&table->random, 2) == 0;
	for (int game = 0; game < GAMES; game++) {
		play_game(table);
		check_game(table);
		change_seats(table);
	}
	table_close(table);
}

TEST(test_no_behaviour_upsets_the_arena_or_harms_the_honest)
{
	assert_true(table_each_spec(play_series) > 100);
}
