/*
 * Access without the layout of structs: every function says what the field
 * says, in random deals of all presets.
 */
#include <string.h>

#include "support.h"
#include "test.h"

enum { DEALS = 5 };

TEST(test_structs_and_presets_have_names)
{
	assert_int_equal(
	    scopa_struct_size("rules"), sizeof(struct scopa_rules));
	assert_int_equal(scopa_struct_size("view"), sizeof(struct scopa_view));
	assert_int_equal(scopa_struct_size("views"), 0);
	assert_int_equal(scopa_struct_size(""), 0);
	for (int i = 0; i < scopa_preset_count; i++)
		assert_string_equal(
		    scopa_preset_name(i), scopa_presets[i].name);
	assert_null(scopa_preset_name(scopa_preset_count));
}

TEST(test_a_move_is_played_by_its_text)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal = { .turn = 0, .dealer = 1 }, before;

	deal.hands[0] = support_set("7D2C");
	deal.table = support_set("3C4SKD");
	memcpy(&before, &deal, sizeof(deal));
	assert_int_equal(
	    scopa_deal_play(&rules, &deal, "7E"), -SCOPA_BAD_SYNTAX);
	assert_int_equal(
	    scopa_deal_play(&rules, &deal, "7Dx3C3C"), -SCOPA_DUPLICATE);
	assert_int_equal(
	    scopa_deal_play(&rules, &deal, "7C"), SCOPA_NOT_IN_HAND);
	assert_int_equal(
	    scopa_deal_play(&rules, &deal, "7D"), SCOPA_MUST_CAPTURE);
	assert_memory_equal(&deal, &before, sizeof(deal));
	assert_int_equal(scopa_deal_play(&rules, &deal, "7Dx4S3C"), 0);
	assert_int_equal(deal.table, support_set("KD"));
	assert_int_equal(deal.history_count, 1);
	assert_int_equal(deal.turn, 1);
}

/* Compares every function about a deal with the fields. */
static void
check_deal(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	bool over = scopa_deal_over(deal);

	assert_int_equal(scopa_deal_turn(deal), over ? -1 : deal->turn);
	assert_int_equal(scopa_deal_dealer(deal), deal->dealer);
	assert_int_equal(scopa_deal_last(deal),
	    deal->last == SCOPA_SEAT_NONE ? -1 : deal->last);
	assert_int_equal(
	    scopa_deal_deck_count(deal), SCOPA_PACK_SIZE - deal->dealt);
	assert_int_equal(scopa_deal_table(deal), deal->table);
	assert_int_equal(scopa_rules_players(rules), rules->players);
	for (int seat = 0; seat < rules->players; seat++) {
		assert_int_equal(
		    scopa_deal_hand(deal, seat), deal->hands[seat]);
		assert_int_equal(
		    scopa_rules_team(rules, seat), scopa_team_of(rules, seat));
	}
	assert_int_equal(scopa_rules_teams(rules), scopa_team_count(rules));
	for (int team = 0; team < scopa_team_count(rules); team++) {
		assert_int_equal(
		    scopa_deal_pile(deal, team), deal->captured[team]);
		assert_int_equal(
		    scopa_deal_sweeps(deal, team), deal->scopas[team]);
	}
	assert_int_equal(scopa_deal_history_count(deal), deal->history_count);
	for (int i = 0; i < deal->history_count; i++) {
		assert_ptr_equal(
		    scopa_deal_history(deal, i), &deal->history[i]);
		assert_int_equal(
		    scopa_move_seat(&deal->history[i]), deal->history[i].seat);
	}
}

static void
check_score(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_tally *tally)
{
	struct scopa_score score;

	scopa_score_count(rules, deal, &score);
	assert_int_equal(scopa_score_item_count(), SCOPA_ITEM_COUNT);
	assert_int_equal(scopa_score_winner(&score),
	    score.winner == SCOPA_TEAM_NONE ? -1 : score.winner);
	for (int team = 0; team < scopa_team_count(rules); team++) {
		assert_int_equal(
		    scopa_score_total(&score, team), score.total[team]);
		for (int i = 0; i < SCOPA_ITEM_COUNT; i++) {
			enum scopa_item item = (enum scopa_item)i;

			assert_int_equal(
			    scopa_score_quantity(&score, team, item),
			    score.quantity[team][i]);
			assert_int_equal(scopa_score_points(&score, team, item),
			    score.points[team][i]);
		}
	}
	scopa_tally_add(rules, tally, &score);
	assert_int_equal(scopa_tally_deal_count(tally), tally->deal_count);
	assert_int_equal(scopa_tally_dealer(tally), tally->dealer);
	assert_int_equal(scopa_tally_state(tally), tally->state);
	assert_int_equal(scopa_tally_winner(tally),
	    tally->winner == SCOPA_TEAM_NONE ? -1 : tally->winner);
	for (int team = 0; team < scopa_team_count(rules); team++)
		assert_int_equal(
		    scopa_tally_score(tally, team), tally->scores[team]);
}

TEST(test_every_function_says_what_the_field_says)
{
	uint64_t random = 1;

	for (int i = 0; i < DEALS * scopa_preset_count; i++) {
		const struct scopa_rules *rules =
		    &scopa_presets[i % scopa_preset_count].rules;
		struct scopa_tally tally;
		struct scopa_deal deal;
		struct scopa_move move;

		support_deal_random(rules, &random, 0, &deal);
		scopa_tally_init(&tally, 0, 1);
		while (!scopa_deal_over(&deal)) {
			check_deal(rules, &deal);
			scopa_move_pick(
			    rules, &deal, support_random(&random), &move);
			scopa_deal_apply(rules, &deal, &move);
		}
		check_deal(rules, &deal);
		check_score(rules, &deal, &tally);
	}
}
