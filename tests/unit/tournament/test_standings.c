/*
 * The sums over blocks, by bot and by pair of bots.
 */
#include "standings.h"

#include "blocks.h"
#include "sample.h"
#include "support.h"
#include "test.h"

static void
start(const char *spec, int bot_count)
{
	struct scopa_rules rules = support_rules(spec);

	assert_int_equal(standings_open(&standings, &rules, bot_count), 0);
}

static void
add(const struct block_result *block)
{
	assert_int_equal(standings_add(&standings, block), 0);
}

/* A pair of games of bots a and b, with a's points before b's in each. */
static struct block_result
pair_of(int a, int b, int a1, int b1, int a2, int b2)
{
	struct block_result block =
	    blocks_make(&standings.rules, (int[]){ a, b }, 2, 2);

	blocks_scores(&standings.rules, &block, 0, (int[]){ a1, b1 });
	blocks_scores(&standings.rules, &block, 1, (int[]){ a2, b2 });
	return block;
}

static const struct encounter *
met(int first, int second)
{
	return standings_encounter(&standings, first, second);
}

static void
check_counts(const struct trinomial *results, int wins, int draws, int losses)
{
	assert_int_equal(results->wins, wins);
	assert_int_equal(results->draws, draws);
	assert_int_equal(results->losses, losses);
}

static void
check_pairs(const struct pentanomial *pairs, const int counts[5])
{
	for (int i = 0; i < 5; i++)
		assert_int_equal(pairs->counts[i], counts[i]);
}

static void
check_moments(const struct moments *moments, int count, double mean)
{
	assert_int_equal(moments->count, count);
	assert_near(moments->mean, mean, 1e-12);
}

TEST(test_pair_of_games_counts_for_both_bots)
{
	struct block_result block;
	const struct encounter *there, *back;

	start("scopa", 3);
	block = pair_of(2, 0, 5, 2, 3, 3);
	block.games[1].deal_count = 3;
	add(&block);
	assert_int_equal(standings.blocks, 1);
	assert_int_equal(standings.games, 2);
	assert_int_equal(standings.deals, 4);
	assert_int_equal(standings.forfeits, 0);
	assert_int_equal(standings.bots[2].blocks, 1);
	assert_int_equal(standings.bots[2].games, 2);
	assert_int_equal(standings.bots[2].deals, 4);
	assert_int_equal(standings.bots[2].points, 8);
	assert_int_equal(standings.bots[0].points, 5);
	assert_int_equal(standings.bots[1].games, 0);
	check_counts(&standings.bots[2].results, 1, 1, 0);
	check_counts(&standings.bots[0].results, 0, 1, 1);
	assert_near(standings.bots[2].score, 1.5, 1e-12);
	assert_near(standings.bots[0].score, 0.5, 1e-12);
	check_moments(&standings.bots[2].margins, 1, 1.5);
	check_moments(&standings.bots[0].margins, 1, -1.5);
	there = met(2, 0);
	back = met(0, 2);
	check_moments(&there->margins, 1, 1.5);
	check_moments(&there->clean, 1, 1.5);
	check_moments(&back->margins, 1, -1.5);
	check_counts(&there->results, 1, 1, 0);
	check_counts(&there->clean_results, 1, 1, 0);
	check_counts(&back->results, 0, 1, 1);
	check_pairs(&there->pairs, (int[]){ 0, 0, 0, 1, 0 });
	check_pairs(&there->clean_pairs, (int[]){ 0, 0, 0, 1, 0 });
	check_pairs(&back->pairs, (int[]){ 0, 1, 0, 0, 0 });
	assert_true(there->paired && back->paired);
	assert_int_equal(there->games, 2);
	assert_int_equal(met(2, 1)->blocks, 0);
	assert_true(standings.bots[2].skill.mu > 25);
	assert_true(standings.bots[0].skill.mu < 25);
	assert_near(standings.bots[1].skill.mu, 25, 0);
}

TEST(test_games_of_one_deal_count_by_their_dealer)
{
	const struct standing_deals *hand, *deck;
	struct block_result block;

	start("scopa", 2);
	/* Seat 1 is the dealer: the first bot has it in the second game. */
	block = pair_of(0, 1, 5, 2, 3, 3);
	block.plan.dealer = 1;
	add(&block);
	hand = &standings.bots[0].sides[STANDING_HAND];
	deck = &standings.bots[0].sides[STANDING_DECK];
	check_counts(&hand->results, 1, 0, 0);
	check_counts(&deck->results, 0, 1, 0);
	check_moments(&hand->margins, 1, 3);
	check_moments(&deck->margins, 1, 0);
	check_counts(&standings.bots[1].sides[STANDING_DECK].results, 0, 0, 1);
	/* In games of several deals all bots are dealers. */
	block.games[0].deal_count = 2;
	block.games[1].deal_count = 2;
	add(&block);
	check_moments(&hand->margins, 1, 3);
	check_moments(&deck->margins, 1, 0);
}

TEST(test_margins_of_a_side_are_summed_by_packs)
{
	const struct standings_side *deck = &standings.sides[STANDING_DECK];
	double games = 0, margin = 0;

	start("scopa", 2);
	standings.by_side = true;
	/* The first bot deals in the first game, and wins by 3 points. */
	for (int round = 0; round < 40000; round++) {
		struct block_result block = pair_of(0, 1, 4, 1, 2, 1);

		block.plan.round = round;
		add(&block);
	}
	/* So many rows that rounds were joined. */
	assert_true(deck->row_count < 65536 && deck->row_count > 65536 / 4);
	for (int64_t i = 0; i < deck->row_count; i++) {
		assert_int_equal(deck->rows[i].first, deck->rows[i].second);
		if (deck->rows[i].first != 0)
			continue;
		games += (double)deck->rows[i].blocks;
		margin += (double)deck->rows[i].margin;
	}
	assert_near(games, 40000, 0);
	assert_near(margin / games, 3, 0);
}

TEST(test_every_result_of_a_pair_has_its_class)
{
	/* Points of the first bot against 3 in both games, and the class of the
	 * result. */
	static const int cases[][3] = { { 1, 1, 0 }, { 1, 3, 1 }, { 3, 1, 1 },
		{ 3, 3, 2 }, { 5, 1, 2 }, { 1, 5, 2 }, { 5, 3, 3 }, { 3, 5, 3 },
		{ 5, 5, 4 } };
	const struct encounter *encounter;

	start("scopa", 2);
	encounter = met(0, 1);
	for (int i = 0; i < 9; i++) {
		struct block_result block =
		    pair_of(0, 1, cases[i][0], 3, cases[i][1], 3);
		int64_t before = encounter->pairs.counts[cases[i][2]];

		add(&block);
		assert_int_equal(
		    encounter->pairs.counts[cases[i][2]], before + 1);
	}
	check_pairs(&encounter->pairs, (int[]){ 1, 2, 3, 2, 1 });
	check_counts(&encounter->results, 6, 6, 6);
	check_moments(&encounter->margins, 9, 0);
	assert_near(moments_sample_variance(&encounter->margins),
	    (2 * 4 + 4 * 1) / 8.0, 1e-12);
}

TEST(test_mirrors_are_counted_as_draws_and_separately)
{
	struct block_result mirror, other;

	start("scopa", 2);
	mirror = pair_of(0, 1, 11, 5, 5, 11);
	other = pair_of(0, 1, 11, 5, 6, 11);
	add(&mirror);
	add(&other);
	add(&mirror);
	for (int bot = 0; bot < 2; bot++) {
		const struct encounter *encounter = met(bot, 1 - bot);

		assert_int_equal(encounter->mirrors, 2);
		assert_int_equal(encounter->margins.count, 3);
		check_pairs(&encounter->pairs, (int[]){ 0, 0, 3, 0, 0 });
	}
}

/* Adds blocks of these rounds, in which bot a has one point more per deal. */
static void
add_rounds(int a, int b, int from, int count)
{
	for (int round = from; round < from + count; round++) {
		struct block_result block = pair_of(a, b, 9, 5, 5, 7);

		block.plan.round = round;
		add(&block);
	}
}

/* Rounds 0, 2, 4 and 6 begin at packs 0, 2, 0 and 2 of four; 0 equals 2. */
TEST(test_repeated_packs_are_no_new_evidence)
{
	static const int sets[] = { 0, 1, 0, 3 };

	start("scopa", 3);
	standings.suite = (struct standings_suite){ sets, 4, 1 };
	add_rounds(0, 1, 0, 8);
	assert_int_equal(standings.blocks, 8);
	assert_int_equal(standings.repeats, 5);
	assert_int_equal(standings.bots[0].games, 16);
	assert_int_equal(standings.row_count, 3);
	assert_int_equal(met(0, 1)->blocks, 3);
	assert_int_equal(met(1, 0)->repeats, 5);
	check_moments(&met(0, 1)->margins, 3, 1.0);
	check_moments(&standings.bots[0].margins, 3, 1.0);
	/* Other bots have not met with these packs, so their blocks are new
	 * evidence of the same clusters. */
	add_rounds(0, 2, 2, 1);
	add_rounds(1, 2, 2, 1);
	assert_int_equal(standings.repeats, 5);
	assert_int_equal(standings.rows[3].cluster, 0);
	/* Two packs a round: all begin at the first or the third one. */
	standings_close(&standings);
	start("scopa", 3);
	standings.suite = (struct standings_suite){ sets, 4, 2 };
	add_rounds(0, 1, 0, 4);
	assert_int_equal(standings.repeats, 3);
}

TEST(test_forfeits_have_the_worst_margin_and_a_mean_without_them)
{
	const struct encounter *there, *back;
	struct block_result fair, lost;
	double worst;

	start("scopa", 2);
	worst = scopa_points_max(&standings.rules);
	fair = pair_of(0, 1, 4, 2, 3, 3);
	lost = pair_of(0, 1, 4, 2, 4, 2);
	blocks_forfeit(&standings.rules, &lost, 1, 0, OFFENCE_TIMEOUT);
	add(&fair);
	add(&lost);
	there = met(0, 1);
	back = met(1, 0);
	check_moments(&there->margins, 2, (1 + (2 - worst) / 2) / 2);
	check_moments(&there->clean, 1, 1);
	check_moments(&back->clean, 1, -1);
	check_moments(&standings.bots[0].clean, 1, 1);
	check_moments(
	    &standings.bots[1].margins, 2, -(1 + (2 - worst) / 2) / 2);
	check_counts(&there->results, 2, 1, 1);
	check_counts(&there->clean_results, 1, 1, 0);
	check_pairs(&there->pairs, (int[]){ 0, 0, 1, 1, 0 });
	check_pairs(&there->clean_pairs, (int[]){ 0, 0, 0, 1, 0 });
	check_pairs(&back->clean_pairs, (int[]){ 0, 1, 0, 0, 0 });
	assert_int_equal(there->forfeits, 1);
	assert_int_equal(back->forfeits, 0);
	assert_int_equal(standings.forfeits, 1);
	assert_int_equal(standings.bots[0].forfeits, 1);
	assert_int_equal(standings.bots[1].forfeits, 0);
	assert_int_equal(standings.bots[0].offences[OFFENCE_TIMEOUT], 1);
	assert_int_equal(standings.bots[0].startup_failures, 0);
}

/*
 * Times, items and offences in games of two teams of partners, one bot a team.
 */
TEST(test_values_of_seats_count_for_their_bot)
{
	struct block_result block;
	const struct standing *bot;

	start("scopone,players=4,teams=ABAB", 2);
	block = blocks_make(&standings.rules, (int[]){ 1, 0 }, 2, 2);
	for (int game = 0; game < 2; game++) {
		struct summary *summary = &block.games[game];

		for (int seat = 0; seat < 4; seat++) {
			summary->think_us[seat] = 1000 * (seat + 1);
			summary->think_longest_us[seat] = 100 * (seat + 1);
			summary->decision_count[seat] = 10;
			summary->offences[seat][OFFENCE_ILLEGAL] = seat;
			summary->off_turn_ns[seat] = 5 * (seat + 1);
			summary->pondered[seat] = seat == 2;
		}
		summary->void_turns = 3 * game;
		summary->lag_longest_ns = 7 * game;
		summary->item_points[0][SCOPA_ITEM_CARDS] = 1;
		summary->item_points[1][SCOPA_ITEM_PRIMIERA] = 1;
		summary->item_points[1][SCOPA_ITEM_SCOPE] = 4;
	}
	add(&block);
	/* Seats 1 and 3 in the first game, 2 and 4 in the second. */
	bot = &standings.bots[1];
	assert_int_equal(bot->think_us, 1000 + 3000 + 2000 + 4000);
	assert_int_equal(bot->think_longest_us, 400);
	assert_int_equal(bot->decisions, 40);
	assert_int_equal(bot->offences[OFFENCE_ILLEGAL], 2 + 1 + 3);
	assert_int_equal(bot->ponder_games, 1);
	assert_int_equal(bot->ponder_ns, 15);
	assert_int_equal(standings.void_turns, 3);
	assert_int_equal(standings.void_games, 1);
	assert_int_equal(standings.lag_longest_ns, 7);
	for (int i = 0; i < 2; i++) {
		bot = &standings.bots[i];
		assert_int_equal(bot->item_points[SCOPA_ITEM_CARDS], 1);
		assert_int_equal(bot->item_points[SCOPA_ITEM_SCOPE], 4);
		assert_int_equal(bot->item_points_against[SCOPA_ITEM_SCOPE], 4);
		assert_int_equal(bot->item_points_against[SCOPA_ITEM_COINS], 0);
	}
}

/*
 * Bots 1 and 2 also play blocks with others, and packs of a file that are
 * repeated.
 */
TEST(test_bets_use_the_blocks_of_two_bots)
{
	static const int sets[] = { 0, 1, 0, 3 };
	static const int points[] = { 9, 7, 6, 1 };
	struct betting expected;

	start("scopa", 3);
	standings.suite = (struct standings_suite){ sets, COUNTOF(sets), 1 };
	expected = betting_start(-0.5, 1, scopa_points_max(&standings.rules));
	standings_bet(&standings, 2, 1, -0.5, 1);
	for (int i = 0; i < COUNTOF(points); i++) {
		struct block_result block = pair_of(2, 1, points[i], 5, 5, 5);
		struct block_result other = pair_of(0, 2, 9, 5, 5, 7);

		block.plan.round = other.plan.round = i;
		add(&block);
		add(&other);
		/* The third round has packs of the first one. */
		if (i != 2)
			betting_add(&expected,
			    block_mean(&standings.rules, &block, 0).margin);
	}
	assert_int_equal(standings.bets.all.seen.count, 3);
	assert_near(
	    betting_log(standings.bets.all.up), betting_log(expected.up), 1e-6);
	assert_near(betting_log(standings.bets.clean.down),
	    betting_log(expected.down), 1e-6);
}

TEST(test_single_game_is_no_pair)
{
	const struct encounter *encounter;
	struct block_result lone, pair;

	start("scopa", 2);
	lone = blocks_make(&standings.rules, (int[]){ 0, 1 }, 2, 1);
	pair = pair_of(0, 1, 3, 0, 3, 0);
	blocks_scores(&standings.rules, &lone, 0, (int[]){ 5, 1 });
	add(&lone);
	encounter = met(0, 1);
	assert_false(encounter->paired);
	check_pairs(&encounter->pairs, (int[]){ 0, 0, 0, 0, 0 });
	check_moments(&encounter->margins, 1, 4);
	check_counts(&encounter->results, 1, 0, 0);
	/* If one block is no pair of games, there is no statistic of pairs. */
	add(&pair);
	assert_false(encounter->paired);
	check_pairs(&encounter->pairs, (int[]){ 0, 0, 0, 0, 1 });
	assert_int_equal(encounter->blocks, 2);
	assert_int_equal(encounter->games, 3);
}

TEST(test_partners_are_not_counted_as_opponents)
{
	struct block_result block;

	start("scopone,players=4,teams=ABAB", 5);
	block = blocks_make(&standings.rules, (int[]){ 4, 1, 3, 2 }, 4, 4);
	for (int game = 0; game < 4; game++) {
		blocks_score(&standings.rules, &block, game, 0, 7);
		blocks_score(&standings.rules, &block, game, 1, 4);
		block.games[game].winner =
		    block_team(&standings.rules, &block.plan, game, 0);
	}
	/* The partner of the offender also loses, and has no offence. */
	blocks_forfeit(&standings.rules, &block, 3, 2, OFFENCE_CRASH);
	add(&block);
	assert_int_equal(met(4, 3)->blocks, 0);
	assert_int_equal(met(1, 2)->games, 0);
	assert_int_equal(met(4, 1)->games, 4);
	check_counts(&met(3, 2)->results, 3, 0, 1);
	check_counts(&standings.bots[4].results, 3, 0, 1);
	check_counts(&standings.bots[2].results, 1, 0, 3);
	assert_int_equal(standings.bots[3].forfeits, 1);
	assert_int_equal(standings.bots[4].forfeits, 0);
	assert_int_equal(met(3, 2)->forfeits, 1);
	assert_int_equal(met(4, 2)->forfeits, 0);
	assert_false(met(4, 1)->paired);
	assert_int_equal(standings.row_count, 4);
	for (int i = 0; i < 4; i++) {
		const struct cluster_row *pair = &standings.rows[i];

		assert_int_equal(pair->cluster, block.plan.round);
		assert_near((double)pair->blocks, 1, 0);
		assert_true((pair->first == 4 || pair->first == 3) !=
		    (pair->second == 4 || pair->second == 3));
	}
	/* Partners with the same results have the same rating. */
	assert_near(standings.bots[4].skill.mu, standings.bots[3].skill.mu, 0);
	assert_true(standings.bots[4].skill.mu > standings.bots[1].skill.mu);
	assert_near(standings.bots[0].skill.mu, 25, 0);
}

TEST(test_games_of_many_teams_are_wins_draws_or_losses)
{
	struct block_result block;

	start("scopa,players=3", 3);
	block = blocks_make(&standings.rules, (int[]){ 0, 1, 2 }, 3, 3);
	blocks_scores(&standings.rules, &block, 0, (int[]){ 5, 3, 1 });
	blocks_scores(&standings.rules, &block, 1, (int[]){ 5, 5, 1 });
	blocks_scores(&standings.rules, &block, 2, (int[]){ 2, 2, 2 });
	add(&block);
	check_counts(&standings.bots[0].results, 1, 2, 0);
	check_counts(&standings.bots[1].results, 0, 2, 1);
	check_counts(&standings.bots[2].results, 0, 1, 2);
	assert_near(standings.bots[0].score, 1 + 0.75 + 0.5, 1e-12);
	check_moments(&standings.bots[0].margins, 1, (3 + 2 + 0) / 3.0);
	check_moments(&met(0, 1)->margins, 1, 2 / 3.0);
	check_moments(&met(2, 0)->margins, 1, -8 / 3.0);
	check_counts(&met(0, 1)->results, 1, 2, 0);
	assert_false(met(0, 1)->paired);
	assert_int_equal(standings.row_count, 3);
	assert_int_equal(standings.rows[1].first, 0);
	assert_int_equal(standings.rows[1].second, 2);
	assert_near((double)standings.rows[1].margin, 8 / 3.0, 1e-6);
	assert_int_equal(standings.bots[1].points, 10);
	assert_int_equal(
	    standings.bots[1].item_points_against[SCOPA_ITEM_SCOPE], 16);
	assert_true(standings.bots[0].skill.mu > standings.bots[1].skill.mu);
	assert_true(standings.bots[1].skill.mu > standings.bots[2].skill.mu);
}

/* Draws random results for these rules, and checks that all sums agree. */
static void
check_random_games(const char *spec, int bot_count, int members, int games)
{
	uint64_t random = 1;
	double sum = 0;
	int64_t blocks = 0;

	start(spec, bot_count);
	for (int i = 0; i < 300; i++) {
		uint8_t order[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
		int bots[SCOPA_SEATS_MAX], points[SCOPA_SEATS_MAX];
		struct block_result block;

		support_shuffle(&random, order, bot_count);
		for (int member = 0; member < members; member++)
			bots[member] = order[member];
		block = blocks_make(&standings.rules, bots, members, games);
		for (int game = 0; game < games; game++) {
			for (int member = 0; member < members; member++)
				points[member] =
				    support_random_below(&random, 5);
			blocks_scores(&standings.rules, &block, game, points);
			if (support_random_below(&random, 10) == 0)
				blocks_forfeit(&standings.rules, &block, game,
				    support_random_below(&random, members),
				    OFFENCE_CRASH);
		}
		add(&block);
	}
	for (int bot = 0; bot < bot_count; bot++) {
		const struct standing *standing = &standings.bots[bot];
		const struct trinomial *results = &standing->results;

		blocks += standing->blocks;
		sum += standing->margins.mean * (double)standing->blocks;
		assert_int_equal(
		    results->wins + results->draws + results->losses,
		    standing->games);
		assert_int_equal(standing->games, standing->blocks * games);
		assert_true(standing->clean.count < standing->margins.count);
		for (int other = 0; other < bot; other++) {
			const struct encounter *there = met(bot, other);
			const struct encounter *back = met(other, bot);

			assert_int_equal(there->blocks, back->blocks);
			assert_int_equal(there->games, back->games);
			assert_near(
			    there->margins.mean, -back->margins.mean, 1e-9);
			assert_near(there->margins.squares,
			    back->margins.squares, 1e-6);
			assert_int_equal(
			    there->results.wins, back->results.losses);
			assert_int_equal(there->clean_results.draws,
			    back->clean_results.draws);
			assert_int_equal(
			    there->pairs.counts[1], back->pairs.counts[3]);
		}
	}
	/* The margins of all teams add up to 0. */
	assert_int_equal(blocks, 300 * members);
	assert_near(sum, 0, 1e-6);
	standings_close(&standings);
}

TEST(test_sums_agree_for_all_numbers_of_seats)
{
	check_random_games("scopa", 4, 2, 2);
	check_random_games("scopa", 3, 2, 1);
	check_random_games("scopa,players=3", 5, 3, 6);
	check_random_games("scopa,players=4,teams=ABCD", 6, 4, 4);
	check_random_games("scopone,players=4,teams=ABAB", 3, 2, 2);
	check_random_games("scopone,players=4,teams=ABAB", 6, 4, 4);
	check_random_games("scopa,players=6,teams=ABCDEF", 8, 6, 6);
	check_random_games("scopa,players=6,teams=ABABAB", 7, 6, 6);
	check_random_games("scopa,players=6,teams=ABCABC", 4, 3, 6);
	check_random_games("scopa,players=6,teams=ABCABC", 7, 6, 1);
}

TEST_EACH(NULL, blocks_teardown)
