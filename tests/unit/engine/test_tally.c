
#include "support.h"
#include "test.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Adds a deal in which the teams made these points. */
static void
add(const struct scopa_rules *rules, struct scopa_tally *tally,
    const int points[SCOPA_TEAMS_MAX])
{
	struct scopa_score score = { .winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < scopa_team_count(rules); team++)
		score.total[team] = (int16_t)points[team];
	scopa_tally_add(rules, tally, &score);
}

static void
add_two(
    const struct scopa_rules *rules, struct scopa_tally *tally, int a, int b)
{
	add(rules, tally, (const int[SCOPA_TEAMS_MAX]){ a, b });
}

static void
assert_state(
    const struct scopa_tally *tally, enum scopa_tally_state state, int winner)
{
	assert_int_equal(tally->state, state);
	assert_int_equal(tally->winner, winner);
}

TEST(test_new_tally_is_open_and_empty)
{
	struct scopa_tally tally;

	scopa_tally_init(&tally, 3, 7);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	assert_int_equal(tally.dealer, 3);
	assert_int_equal(tally.deals, 7);
	assert_int_equal(tally.deal_count, 0);
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		assert_int_equal(tally.scores[team], 0);
}

TEST(test_target_ends_the_match_for_the_one_who_leads)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 0);
	add_two(&rules, &tally, 6, 2);
	add_two(&rules, &tally, 4, 3);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	assert_int_equal(tally.scores[0], 10);
	assert_int_equal(tally.scores[1], 5);
	add_two(&rules, &tally, 1, 5);
	assert_state(&tally, SCOPA_TALLY_TARGET, 0);
	assert_int_equal(tally.deal_count, 3);
}

TEST(test_who_is_behind_may_pass_the_target_and_win_by_more)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 0);
	add_two(&rules, &tally, 10, 9);
	add_two(&rules, &tally, 1, 3);
	assert_state(&tally, SCOPA_TALLY_TARGET, 1);
}

TEST(test_tie_at_the_target_asks_for_another_deal)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 0);
	add_two(&rules, &tally, 11, 11);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add_two(&rules, &tally, 2, 2);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add_two(&rules, &tally, 0, 1);
	assert_state(&tally, SCOPA_TALLY_TARGET, 1);
}

TEST(test_only_a_tie_of_the_first_two_keeps_the_match_open)
{
	static const char *const specs[] = { "scopa,players=3",
		"scopa,teams=ABCD", "scopa,players=6" };
	static const int tied[] = { 12, 12, 3, 4, 5, 1 };
	static const int below[] = { 12, 3, 5, 5, 5, 5 };
	static const int last[] = { 1, 0, 13, 0, 0, 0 };

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		struct scopa_rules rules = support_rules(specs[i]);
		struct scopa_tally tally;
		scopa_tally_init(&tally, 0, 0);
		add(&rules, &tally, tied);
		assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
		add(&rules, &tally, last);
		assert_state(&tally, SCOPA_TALLY_TARGET, 2);
		scopa_tally_init(&tally, 0, 0);
		add(&rules, &tally, below);
		assert_state(&tally, SCOPA_TALLY_TARGET, 0);
	}
}

TEST(test_every_one_of_two_to_six_teams_can_win)
{
	static const char *const specs[] = { "scopa", "scopa,players=3",
		"scopa,teams=ABCD", "scopa,teams=ABAB", "scopa,teams=ABABAB",
		"scopa,teams=ABCABC", "scopa,players=6" };
	static const int teams[] = { 2, 3, 4, 2, 2, 3, 6 };

	for (size_t i = 0; i < COUNTOF(specs); i++) {
		struct scopa_rules rules = support_rules(specs[i]);
		assert_int_equal(scopa_team_count(&rules), teams[i]);
		for (int team = 0; team < teams[i]; team++) {
			int points[SCOPA_TEAMS_MAX] = { 3, 3, 3, 3, 3, 3 };
			struct scopa_tally tally;
			points[team] = 11;
			scopa_tally_init(&tally, 0, 0);
			add(&rules, &tally, points);
			assert_state(&tally, SCOPA_TALLY_TARGET, team);
		}
	}
}

TEST(test_first_to_reach_the_target_loses_where_the_least_wins)
{
	struct scopa_rules rules = support_rules("perdere,target=11");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 0);
	add_two(&rules, &tally, 10, 4);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add_two(&rules, &tally, 1, 0);
	assert_state(&tally, SCOPA_TALLY_TARGET, 1);
	scopa_tally_init(&tally, 0, 0);
	add_two(&rules, &tally, 11, 11);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add_two(&rules, &tally, 2, 3);
	assert_state(&tally, SCOPA_TALLY_TARGET, 0);
}

TEST(test_fewest_points_must_be_one_team_s_alone)
{
	struct scopa_rules rules = support_rules("perdere,players=3,target=11");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 0);
	add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 11, 4, 4 });
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 0, 1, 0 });
	assert_state(&tally, SCOPA_TALLY_TARGET, 2);
}

TEST(test_fixed_number_of_deals_knows_no_target)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 3);
	add_two(&rules, &tally, 15, 2);
	add_two(&rules, &tally, 0, 10);
	assert_state(&tally, SCOPA_TALLY_OPEN, SCOPA_TEAM_NONE);
	add_two(&rules, &tally, 0, 4);
	assert_state(&tally, SCOPA_TALLY_DEALS, 1);
	scopa_tally_init(&tally, 0, 1);
	add_two(&rules, &tally, 1, 0);
	assert_state(&tally, SCOPA_TALLY_DEALS, 0);
}

TEST(test_fixed_number_of_deals_may_end_in_a_draw)
{
	struct scopa_rules rules = support_rules("scopa,players=3");
	struct scopa_tally tally;

	scopa_tally_init(&tally, 0, 1);
	add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 3, 5, 5 });
	assert_state(&tally, SCOPA_TALLY_DEALS, SCOPA_TEAM_NONE);
	scopa_tally_init(&tally, 0, 1);
	add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 5, 3, 3 });
	assert_state(&tally, SCOPA_TALLY_DEALS, 0);
	rules = support_rules("perdere,players=3");
	scopa_tally_init(&tally, 0, 1);
	add(&rules, &tally, (const int[SCOPA_TEAMS_MAX]){ 5, 3, 3 });
	assert_state(&tally, SCOPA_TALLY_DEALS, SCOPA_TEAM_NONE);
}

TEST(test_win_at_a_blow_ends_any_match)
{
	struct scopa_rules rules = support_rules("trente");
	struct scopa_score score = { .total = { 2, 9 }, .winner = 0 };
	struct scopa_tally tally;

	for (int deals = 0; deals < 5; deals += 4) {
		scopa_tally_init(&tally, 0, deals);
		add_two(&rules, &tally, 0, 15);
		scopa_tally_add(&rules, &tally, &score);
		assert_state(&tally, SCOPA_TALLY_INSTANT, 0);
		assert_int_equal(tally.scores[0], 2);
		assert_int_equal(tally.scores[1], 24);
	}
}

TEST(test_deal_passes_on_with_or_against_the_play)
{
	static const struct {
		const char *spec;
		int dealers[5];
	} cases[] = {
		{ "scopa", { 0, 1, 0, 1, 0 } },
		{ "scopa,rotation=against", { 0, 1, 0, 1, 0 } },
		{ "scopa,players=3", { 0, 1, 2, 0, 1 } },
		{ "scopa,players=3,rotation=against", { 0, 2, 1, 0, 2 } },
		{ "scopone", { 0, 1, 2, 3, 0 } },
		{ "scopone,rotation=against", { 0, 3, 2, 1, 0 } },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);
		struct scopa_tally tally;
		scopa_tally_init(&tally, 0, 0);
		for (int deal = 0; deal < 5; deal++) {
			assert_int_equal(tally.dealer, cases[i].dealers[deal]);
			add_two(&rules, &tally, 1, 0);
		}
	}
}
