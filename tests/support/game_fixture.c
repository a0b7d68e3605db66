#include "game_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "test.h"

struct game_fixture *fixture;

int
game_fixture_setup(void **state)
{
	(void)state;
	fixture = calloc(1, sizeof(*fixture));
	return fixture == NULL;
}

int
game_fixture_teardown(void **state)
{
	(void)state;
	free(fixture);
	return 0;
}

/* Takes what was recorded; keeps it as a text of lines. */
void
game_fixture_collect(void)
{
	struct scopa_text *text = &fixture->outbox.record;

	assert_false(text->cut);
	assert_true(fixture->length + text->length < GAME_FIXTURE_RECORD_SIZE);
	memcpy(
	    fixture->record + fixture->length, text->bytes, text->length + 1);
	fixture->length += text->length;
	outbox_clear_record(&fixture->outbox);
}

static void
begin(const char *spec, int dealer, int deals, int max_deals)
{
	struct scopa_rules rules = support_rules(spec);
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	memset(fixture, 0, offsetof(struct game_fixture, record));
	fixture->record[0] = '\0';
	strcpy(fixture->head.match.id, "m1");
	outbox_init(&fixture->outbox, 0);
	game_open(&fixture->game,
	    &(struct game_opening){
		.rules = &rules,
		.preset = scopa_preset_find(name),
		.head = &fixture->head,
		.dealer = dealer,
		.deals = deals,
		.max_deals = max_deals,
	    },
	    &fixture->outbox);
	game_fixture_collect();
}

void
game_fixture_open(const char *spec, int dealer, int deals)
{
	begin(spec, dealer, deals, 0);
}

void
game_fixture_open_at_most(const char *spec, int max_deals)
{
	begin(spec, 0, 0, max_deals);
}

enum scopa_start
game_fixture_deal(const char *cards)
{
	struct event_pack pack = { .has_key = false };
	enum scopa_start start;

	support_pack(cards ? cards : "", pack.cards);
	if (cards == NULL)
		support_shuffle(&fixture->random, pack.cards, SCOPA_PACK_SIZE);
	start = game_deal(&fixture->game, &pack, &fixture->outbox);
	game_fixture_collect();
	return start;
}

void
game_fixture_move(const struct scopa_move *move)
{
	struct game_stamp stamp = { .time_us = -1 };

	game_move(&fixture->game, move, &stamp, &fixture->outbox);
	game_fixture_collect();
}

void
game_fixture_play(const char *text)
{
	struct scopa_move move = { .seat = fixture->game.deal.turn };

	assert_int_equal(
	    scopa_move_parse(text, strlen(text), &move), SCOPA_PARSED);
	game_fixture_move(&move);
}

/* Random moves until the deal is over. */
void
game_fixture_finish_deal(void)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];

	while (fixture->game.phase == GAME_MOVE) {
		int count = scopa_moves(&fixture->game.rules,
		    &fixture->game.deal, moves, SCOPA_MOVES_MAX);

		game_fixture_move(
		    &moves[support_random_below(&fixture->random, count)]);
	}
}

void
game_fixture_finish(void)
{
	while (fixture->game.phase != GAME_OVER) {
		game_fixture_deal(NULL);
		game_fixture_finish_deal();
	}
	game_end(&fixture->game, &fixture->outbox);
	game_fixture_collect();
}

/* The last line with this verb. */
const char *
game_fixture_last(const char *verb)
{
	static char line[EVENT_LINE_SIZE];
	size_t length = strlen(verb);
	const char *found = NULL;

	for (const char *at = fixture->record; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, verb, length) == 0 && at[length] == ' ')
			found = at;
	assert_non_null(found);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(found, "\n"), found);
	return line;
}
