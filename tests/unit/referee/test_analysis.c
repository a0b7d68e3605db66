/*
 * Games for analysis: which seats are sent all cards, and when; no other seat
 * is ever sent them.
 */
#include "analysis.h"

#include <stdio.h>
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

static const char *
cards_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_text text = support_text();

	analysis_put_cards(analysis_allow(), rules, deal, &text);
	assert_false(text.cut);
	return text.bytes;
}

TEST(test_cards_line_has_hands_and_deck_in_order_of_dealing)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	const char *line;

	support_deal(&rules, "ADAC2S3BKCJB7D4S5B6DKBQD", 1, &deal);
	line = cards_of(&rules, &deal);
	assert_int_equal(
	    strncmp(line, "cards hands=1:7DJBKC,2:4S5B6D deck=KBQD", 39), 0);
	/* The deck has 30 cards of two letters each; an LF ends the line. */
	assert_int_equal(strlen(strstr(line, "deck=")), 5 + 2 * 30 + 1);
	deal.dealt = SCOPA_PACK_SIZE;
	assert_string_equal(
	    strstr(cards_of(&rules, &deal), "deck="), "deck=-\n");
}

/* The number of times that `second` follows directly after `first`. */
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

/* The `cards` line that seat 0 was sent last is true at this moment. */
static void
check_all_cards(struct mock_match *match)
{
	const struct game *game = &match->referee.game;
	const char *sent = match->seats[0].sent.bytes;
	const char *line = NULL, *wanted;

	if (mock_turn(match) != 0)
		return;
	for (const char *at = sent; (at = strstr(at, "\ncards ")); at++)
		line = at + 1;
	assert_non_null(line);
	wanted = cards_of(&game->rules, &game->deal);
	assert_int_equal(strncmp(line, wanted, strlen(wanted)), 0);
	checked++;
}

static void
check_game_for_analysis(const char *spec, uint64_t seed)
{
	const struct mock_order order = {
		.spec = spec,
		.seed = seed,
		.deals = 1,
		.analysis = true,
	};
	/* Seat 0 asks for all cards, the others do not. */
	struct mock_match *match = mock_play(&order,
	    "1 starts; 1: id name=peek; 1: feature analysis=1; 1: uspok 1;"
	    "1: readyok");

	for (int seat = 1; seat < match->rules.players; seat++)
		mock_start_ready(match, seat);
	match->after_event = check_all_cards;
	mock_finish(match);
	assert_int_equal(mock_count(match->seats[0].sent.bytes, "cards *"),
	    mock_count(match->seats[0].sent.bytes, "go *"));
	assert_int_equal(
	    count_pairs(match->seats[0].sent.bytes, "legal ", "cards "),
	    mock_count(match->seats[0].sent.bytes, "go *"));
	assert_int_equal(
	    count_pairs(match->seats[0].sent.bytes, "cards ", "go "),
	    mock_count(match->seats[0].sent.bytes, "go *"));
	for (int seat = 1; seat < match->rules.players; seat++)
		mock_assert_lacks(match->seats[seat].sent.bytes, "cards*");
	mock_assert_lacks(match->record.bytes, "cards*");
	mock_close(match);
}

TEST(test_only_a_bot_that_asks_for_cards_is_sent_them_before_each_go)
{
	int specs = support_each_spec(check_game_for_analysis);

	assert_true(specs > 30);
	assert_true(checked > 5 * specs);
}

/* In a normal game such a bot is refused, with any other lines. */
TEST(test_bot_that_asks_for_cards_is_refused_in_a_normal_game)
{
	static const char *const features[] = { "feature analysis=1",
		"feature events=0 analysis=1 state=0",
		"feature analysis=0 analysis=1" };

	for (size_t i = 0; i < COUNTOF(features); i++) {
		const struct mock_order order = { .spec = "scopa" };
		char steps[512];

		snprintf(steps, sizeof(steps),
		    "2 is ready; 1 starts; 1: id name=peek; 1: %s; 1: uspok 1;"
		    "1 lacks isready; 1: readyok; over; offender 1;"
		    "record has offence 1 kind=startup "
		    "reason=HS_BAD(ANALYSIS) policy=forfeit;"
		    "record lacks pack*",
		    features[i]);
		mock_play(&order, steps);
	}
}

/* The request is also refused after a restart, and ignored in a game. */
TEST(test_bot_that_asks_for_cards_later_is_sent_none)
{
	const struct mock_order order = {
		.spec = "scopa",
		.deals = 1,
		.policy = POLICY_SUBSTITUTE,
	};
	struct mock_match *match = mock_play(&order,
	    "all ready; 1: feature analysis=1; 1: cards; step 4;"
	    "1 exits EXIT(0); finish; again; 1 starts; 1: id name=peek;"
	    "1: feature analysis=1; 1: uspok 1; 2: readyok; over;"
	    "record has offence 1 kind=startup reason=HS_BAD(ANALYSIS) *");

	mock_assert_lacks(match->seats[0].sent.bytes, "cards*");
}

TEST(test_bot_that_asks_for_no_cards_is_sent_the_bytes_of_a_normal_game)
{
	struct mock_order order = { .spec = "scopone", .deals = 1, .seed = 7 };
	struct mock_match *normal = mock_open_ready(&order), *analysis;

	order.analysis = true;
	analysis = mock_open_ready(&order);
	mock_finish(normal);
	mock_finish(analysis);
	for (int seat = 0; seat < normal->rules.players; seat++)
		assert_string_equal(normal->seats[seat].sent.bytes,
		    analysis->seats[seat].sent.bytes);
}

TEST_EACH(NULL, mock_close_all)
