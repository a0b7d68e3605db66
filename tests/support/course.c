#include "course.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "test.h"

struct course *course;

int
course_setup(void **state)
{
	(void)state;
	course = calloc(1, sizeof(*course));
	return course == NULL;
}

int
course_teardown(void **state)
{
	(void)state;
	free(course);
	return 0;
}

/* Takes what was recorded; keeps it as a text of lines. */
void
course_collect(void)
{
	struct scopa_text *text = &course->outbox.record;

	assert_false(text->cut);
	assert_true(course->length + text->length < COURSE_RECORD_SIZE);
	memcpy(course->record + course->length, text->bytes, text->length + 1);
	course->length += text->length;
	outbox_clear_record(&course->outbox);
}

static void
begin(const char *spec, int dealer, int deals, int max_deals)
{
	struct scopa_rules rules = support_rules(spec);
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	memset(course, 0, offsetof(struct course, record));
	course->record[0] = '\0';
	strcpy(course->head.match.id, "m1");
	outbox_init(&course->outbox, 0);
	game_open(&course->game,
	    &(struct game_opening){
		.rules = &rules,
		.preset = scopa_preset_find(name),
		.head = &course->head,
		.dealer = dealer,
		.deals = deals,
		.max_deals = max_deals,
	    },
	    &course->outbox);
	course_collect();
}

void
course_open(const char *spec, int dealer, int deals)
{
	begin(spec, dealer, deals, 0);
}

void
course_open_at_most(const char *spec, int max_deals)
{
	begin(spec, 0, 0, max_deals);
}

enum scopa_start
course_deal(const char *cards)
{
	struct event_pack pack = { .has_key = false };
	enum scopa_start start;

	support_pack(cards ? cards : "", pack.cards);
	if (cards == NULL)
		support_shuffle(&course->random, pack.cards, SCOPA_PACK_SIZE);
	start = game_deal(&course->game, &pack, &course->outbox);
	course_collect();
	return start;
}

void
course_move(const struct scopa_move *move)
{
	struct game_stamp stamp = { .time_us = -1 };

	game_move(&course->game, move, &stamp, &course->outbox);
	course_collect();
}

void
course_play(const char *text)
{
	struct scopa_move move = { .seat = course->game.deal.turn };

	assert_int_equal(
	    scopa_move_parse(text, strlen(text), &move), SCOPA_PARSED);
	course_move(&move);
}

/* Random moves until the deal is over. */
void
course_finish_deal(void)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];

	while (course->game.phase == GAME_MOVE) {
		int count = scopa_moves(&course->game.rules, &course->game.deal,
		    moves, SCOPA_MOVES_MAX);

		course_move(
		    &moves[support_random_below(&course->random, count)]);
	}
}

void
course_finish(void)
{
	while (course->game.phase != GAME_OVER) {
		course_deal(NULL);
		course_finish_deal();
	}
	game_end(&course->game, &course->outbox);
	course_collect();
}

/* The last line with this verb. */
const char *
course_last(const char *verb)
{
	static char line[EVENT_LINE_SIZE];
	size_t length = strlen(verb);
	const char *found = NULL;

	for (const char *at = course->record; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, verb, length) == 0 && at[length] == ' ')
			found = at;
	assert_non_null(found);
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(found, "\n"), found);
	return line;
}
