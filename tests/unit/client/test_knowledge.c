/*
 * What a bot knows, from a state line and from events.
 */
#include "knowledge.h"

#include <string.h>

#include "scopa/scopa.h"
#include "test.h"

static const char state_line[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=7BKBQC deal=1 "
    "dealer=2 turn=1 table=3C4S7DKS hands=1:3,2:3 deck=30 pile=A:-,B:- "
    "scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- plays=-";

static struct knowledge knowledge;

static const char *
moves_of(const struct knowledge *known)
{
	static char bytes[256];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	knowledge_moves(known, &text);
	assert_false(text.cut);
	return bytes;
}

TEST(test_state_line_tells_the_view_and_the_moves)
{
	assert_true(knowledge_from_state(state_line, &knowledge));
	assert_int_equal(knowledge.rules.players, 2);
	assert_int_equal(scopa_set_count(knowledge.view.hand), 3);
	assert_int_equal(knowledge.deal.turn, 0);
	assert_int_equal(scopa_set_count(knowledge.deal.hands[1]), 3);
	assert_string_equal(moves_of(&knowledge), "7Bx7D QC KBxKS");
}

TEST(test_line_without_sense_tells_nothing)
{
	char less[sizeof(state_line)];

	assert_false(knowledge_from_state(NULL, &knowledge));
	assert_false(knowledge_from_state("state rules=scopa", &knowledge));
	/* A card is missing: these do not make forty. */
	memcpy(less, state_line, sizeof(less));
	memcpy(strstr(less, "deck=30"), "deck=29", 7);
	assert_false(knowledge_from_state(less, &knowledge));
}

TEST(test_events_tell_as_long_as_a_deal_is_on)
{
	static const char match[] = "m1 rules=scopa seats=2 teams=AB you=1";
	static const char deal[] = "1 dealer=2 first=1 scores=A:0,B:0";
	static const char table[] = "3C4S7DKS";
	static const char own[] = "1 7BKBQC", other[] = "2 ??????";
	struct track track;

	track_init(&track);
	assert_false(knowledge_from_events(&track, &knowledge));
	track_match(&track, (struct token){ match, sizeof(match) - 1 });
	track_deal(&track, (struct token){ deal, sizeof(deal) - 1 });
	track_table(&track, (struct token){ table, sizeof(table) - 1 });
	track_give(&track, (struct token){ own, sizeof(own) - 1 });
	track_give(&track, (struct token){ other, sizeof(other) - 1 });
	assert_true(knowledge_from_events(&track, &knowledge));
	assert_string_equal(moves_of(&knowledge), "7Bx7D QC KBxKS");
	track_end(&track, (struct token){ "1", 1 });
	assert_false(knowledge_from_events(&track, &knowledge));
}
