/*
 * Games for analysis: who is told all cards, when, and that nobody else ever
 * is.
 */
#include "analysis.h"

#include <stdio.h>
#include <string.h>

#include "support.h"
#include "table.h"
#include "test.h"

static const char *
cards_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	static char bytes[512];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	analysis_put_cards(analysis_allow(), rules, deal, &text);
	assert_false(text.cut);
	return bytes;
}

TEST(test_line_names_hands_and_what_is_left_in_order_of_dealing)
{
	struct scopa_rules rules = support_rules("scopa");
	uint8_t pack[SCOPA_PACK_SIZE];
	struct scopa_deal deal;
	const char *line;

	support_pack("ADAC2S3BKCJB7D4S5B6DKBQD", pack);
	assert_int_equal(
	    scopa_deal_start(&rules, pack, 1, &deal), SCOPA_START_PLAY);
	line = cards_of(&rules, &deal);
	assert_int_equal(
	    strncmp(line, "cards hands=1:7DJBKC,2:4S5B6D deck=KBQD", 39), 0);
	/* What is left is 30 cards, two letters each, and the line's end. */
	assert_int_equal(strlen(strstr(line, "deck=")), 5 + 2 * 30 + 1);
}

TEST(test_empty_hands_and_an_empty_deck_are_dashes)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct scopa_deal deal;

	support_position(&rules, "3C4S", "7D", &deal);
	deal.dealt = SCOPA_PACK_SIZE;
	assert_string_equal(
	    cards_of(&rules, &deal), "cards hands=1:7D,2:-,3:- deck=-\n");
}

/* Seat 0 asks for all cards, the others do not. */
static struct table *
open_peeking(const struct table_order *order)
{
	struct table *table = table_open(order);

	table_start(table, 0);
	table_say(table, 0, "id name=peek");
	table_say(table, 0, "feature analysis=1");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "readyok");
	for (int seat = 1; seat < table->rules.players; seat++)
		table_start_ready(table, seat);
	return table;
}

/* How often a text has this line right behind another one. */
static int
count_pairs(const char *text, const char *first, const char *second)
{
	int count = 0;

	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		const char *next = line + strcspn(line, "\n") + 1;

		count += strncmp(line, first, strlen(first)) == 0 &&
		    strncmp(next, second, strlen(second)) == 0;
	}
	return count;
}

static int checked;

/* What the seat was told last is the truth of this moment. */
static void
check_truth(struct table *table)
{
	const struct game *game = &table->referee.game;
	const char *heard = table->seats[0].heard.bytes;
	const char *line = NULL, *wanted;

	if (table_turn(table) != 0)
		return;
	for (const char *at = heard; (at = strstr(at, "\ncards ")); at++)
		line = at + 1;
	assert_non_null(line);
	wanted = cards_of(&game->rules, &game->deal);
	assert_int_equal(strncmp(line, wanted, strlen(wanted)), 0);
	checked++;
}

static void
visit_peeking(const char *spec, uint64_t seed)
{
	const struct table_order order = {
		.spec = spec,
		.seed = seed,
		.deals = 1,
		.analysis = true,
	};
	struct table *table = open_peeking(&order);

	table->after_event = check_truth;
	table_finish(table);
	assert_int_equal(table_count(table->seats[0].heard.bytes, "cards *"),
	    table_count(table->seats[0].heard.bytes, "go *"));
	assert_int_equal(
	    count_pairs(table->seats[0].heard.bytes, "legal ", "cards "),
	    table_count(table->seats[0].heard.bytes, "go *"));
	assert_int_equal(
	    count_pairs(table->seats[0].heard.bytes, "cards ", "go "),
	    table_count(table->seats[0].heard.bytes, "go *"));
	for (int seat = 1; seat < table->rules.players; seat++)
		table_assert_lacks(table->seats[seat].heard.bytes, "cards*");
	table_assert_lacks(table->record.bytes, "cards*");
	table_close(table);
}

TEST(test_who_asks_is_told_the_truth_before_each_go_and_nobody_else)
{
	int specs = table_each_spec(visit_peeking);

	assert_true(specs > 30);
	assert_true(checked > 5 * specs);
}

TEST(test_line_comes_without_state_and_legal_too)
{
	const struct table_order order = { .spec = "scopa", .analysis = true };
	struct table *table = table_open(&order);

	table_start(table, 0);
	table_say(table, 0, "id name=peek");
	table_say(table, 0, "feature analysis=1 state=0 legal=0 events=0");
	table_say(table, 0, "uspok 1");
	table_say(table, 0, "readyok");
	table_start_ready(table, 1);
	assert_string_equal(
	    table_verbs(table_heard(table, 0)), "usp isready cards go");
	table_close(table);
}

/* Whatever else the bot says, it does not get ready in a normal game. */
TEST(test_who_asks_plays_in_no_other_game)
{
	static const char *const features[] = { "feature analysis=1",
		"feature events=0 analysis=1 state=0",
		"feature analysis=0 analysis=1" };

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
		const struct table_order order = { .spec = "scopa" };
		struct table *table = table_open(&order);

		table_start_ready(table, 1);
		table_start(table, 0);
		table_say(table, 0, "id name=peek");
		table_say(table, 0, features[i]);
		table_say(table, 0, "uspok 1");
		table_assert_lacks(table_heard(table, 0), "isready");
		table_say(table, 0, "readyok");
		assert_true(table_over(table));
		assert_int_equal(table->referee.offender, 0);
		table_assert_has(table->record.bytes,
		    "offence 1 kind=startup reason=HS_BAD(ANALYSIS) "
		    "policy=forfeit");
		table_assert_lacks(table->record.bytes, "pack*");
		table_close(table);
	}
}

/* A later start of the same bot is no way in, nor is a late line. */
TEST(test_who_asks_later_is_not_told)
{
	const struct table_order order = {
		.spec = "scopa",
		.deals = 1,
		.policy = POLICY_SUBSTITUTE,
	};
	struct table *table = table_open_ready(&order);

	table_say(table, 0, "feature analysis=1");
	table_say(table, 0, "cards");
	table_steps(table, 4);
	table_exit(table, 0, "EXIT(0)");
	table_finish(table);
	table_reseat(table, NULL);
	table_start(table, 0);
	table_say(table, 0, "id name=peek");
	table_say(table, 0, "feature analysis=1");
	table_say(table, 0, "uspok 1");
	table_say(table, 1, "readyok");
	assert_true(table_over(table));
	table_assert_has(table->record.bytes,
	    "offence 1 kind=startup reason=HS_BAD(ANALYSIS) *");
	table_assert_lacks(table->seats[0].heard.bytes, "cards*");
	table_close(table);
}

TEST(test_who_does_not_ask_hears_the_same_bytes_as_ever)
{
	struct table_order order = { .spec = "scopone", .deals = 1, .seed = 7 };
	struct table *normal = table_open_ready(&order), *analysis;

	order.analysis = true;
	analysis = table_open_ready(&order);
	table_finish(normal);
	table_finish(analysis);
	for (int seat = 0; seat < normal->rules.players; seat++)
		assert_string_equal(normal->seats[seat].heard.bytes,
		    analysis->seats[seat].heard.bytes);
	table_close(normal);
	table_close(analysis);
}
