/*
 * Margins of invented blocks, corrected for the luck of the deal.  The
 * reference of a deal is the points that the greedy bot gets against itself.
 */
#include "variates.h"

#include <string.h>

#include "blocks.h"
#include "dispatcher_fixture.h"
#include "games.h"
#include "output.h"
#include "sample.h"
#include "support.h"
#include "test.h"

static const int bots[] = { 0, 1, 2, 3, 4, 5 };

static struct variates variates;

/* Removes all blocks of the test before. */
static void
begin(const struct scopa_rules *rules, int deals)
{
	variates_close(&variates);
	variates_init(&variates, rules, deals);
}

/* Adds the block as one of that round. */
static void
add(struct block_result *block, int round, const struct reference *references)
{
	block->plan.round = round;
	assert_int_equal(variates_add(&variates, block, references), 0);
}

/* Adds a deal of these points to a reference. */
static void
add_deal(const struct scopa_rules *rules, struct reference *reference,
    int dealer, const int *points)
{
	int teams = scopa_team_count(rules), total = 0;
	int from = scopa_team_of(rules, dealer);

	for (int team = 0; team < teams; team++)
		total += points[team];
	for (int team = 0; team < teams; team++)
		reference->leads[from][team] += teams * points[team] - total;
	reference->dealt[from]++;
}

/* Adds that many deals of random points to the reference and to the scores. */
static void
play_deals(const struct scopa_rules *rules, uint64_t *random,
    struct block_result *block, int game, struct reference *reference,
    int deals)
{
	struct summary *summary = &block->games[game];

	for (int i = 0; i < deals; i++) {
		int dealer = (block->plan.dealer + i) % rules->players;
		int points[SCOPA_TEAMS_MAX];

		for (int k = 0; k < SCOPA_TEAMS_MAX; k++)
			points[k] = support_random_below(random, 6);
		add_deal(rules, reference, dealer, points);
		for (int k = 0; k < summary->team_count; k++)
			summary->scores[k] += points[k];
	}
	summary->deal_count = deals;
}

TEST(test_correction_removes_all_variance_if_deals_decide_everything)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	uint64_t random = 1;

	begin(&rules, 4);
	for (int i = 0; i < 60; i++) {
		struct block_result block = blocks_make(&rules, bots, 3, 1);
		struct reference reference = { 0 };

		block.plan.dealer = i % 3;
		play_deals(&rules, &random, &block, 0, &reference, 4);
		add(&block, i, &reference);
	}
	variates_estimate(&variates, 0.95);
	assert_int_equal(variates.row_count, 3);
	for (int i = 0; i < 3; i++) {
		const struct report_variate *row = &variates.rows[i];

		assert_int_equal(row->bot, i);
		assert_int_equal(row->blocks, 60);
		assert_string_equal(row->reference, "@greedy");
		/* x in the units of y: margins in points a deal. */
		assert_near(row->estimate.coefficient, 1.0, 1e-9);
		assert_true(row->estimate.variance_ratio > 1e5);
		assert_true(row->estimate.plain.value != 0.0);
		assert_near(row->estimate.corrected.value, 0.0, 1e-9);
	}
}

/* Blocks of all cyclic rotations, the last game of which is longer. */
static void
add_rotations(const struct scopa_rules *rules, int deals, int further)
{
	int count = rules->players;
	uint64_t random = 2;

	begin(rules, further > 0 ? 0 : deals);
	for (int i = 0; i < 40; i++) {
		struct block_result block =
		    blocks_make(rules, bots, count, count);
		struct reference references[BLOCK_GAMES_MAX] = { 0 };
		uint64_t packs = support_random(&random);

		block.plan.dealer = i % count;
		for (int game = 0; game < count; game++) {
			uint64_t same = packs;

			play_deals(rules, &same, &block, game,
			    &references[game],
			    game + 1 < count ? deals : deals + further);
		}
		add(&block, i, references);
	}
	variates_estimate(&variates, 0.95);
}

/* Two bots, individuals, and partners that change. */
TEST(test_whole_rotations_cancel_the_luck_of_common_deals)
{
	static const char *const specs[] = { "scopa", "scopa,players=4",
		"scopone", "scopa,players=6", "scopa,teams=ABCABC" };

	for (int i = 0; i < COUNTOF(specs); i++) {
		const struct scopa_rules rules = support_rules(specs[i]);

		add_rotations(&rules, 3, 0);
		assert_int_equal(variates.bots[0].blocks, 40);
		assert_int_equal(variates.row_count, 0);
		add_rotations(&rules, 3, 1);
		assert_int_equal(variates.row_count, rules.players);
	}
}

/*
 * The value in points of each place after the dealer, for two and for three
 * teams.
 */
static const int worths[][SCOPA_TEAMS_MAX] = {
	[2] = { -3, 3 },
	[3] = { -3, 4, -1 },
};

/*
 * A match of unequal bots: when it ends, and so how often each was the dealer,
 * depends on which bot has which seat.
 */
static void
play_match(const struct scopa_rules *rules, uint64_t *random,
    struct block_result *block, struct reference *reference)
{
	struct summary *summary = &block->games[0];
	int teams = scopa_team_count(rules), best = 0;
	int dealer = block->plan.dealer;

	for (summary->deal_count = 0; best < 21; summary->deal_count++) {
		int points[SCOPA_TEAMS_MAX] = { 0 };

		for (int team = 0; team < teams; team++) {
			int place = (team - dealer + teams) % teams;
			int32_t *score = &summary->scores[team];

			points[team] = worths[teams][place] +
			    (int)lrint(2.0 * sample_normal(random));
			/* The first bot gets more points in every deal. */
			*score += 2 + points[team];
			*score += block_team(rules, &block->plan, 0, 0) == team
			    ? 6
			    : 0;
			best = *score > best ? *score : best;
		}
		add_deal(rules, reference, dealer, points);
		dealer = (dealer + 1) % teams;
	}
}

/* Enough matches to distinguish a bias from chance. */
static void
add_matches(const struct scopa_rules *rules)
{
	int teams = scopa_team_count(rules);
	uint64_t random = 3;

	begin(rules, 0);
	for (int i = 0; i < 30000; i++) {
		struct block_result block = blocks_make(rules, bots, teams, 1);
		struct reference reference = { 0 };

		block.plan.dealer = i % teams;
		play_match(rules, &random, &block, &reference);
		add(&block, i, &reference);
	}
	variates_estimate(&variates, 0.95);
	assert_int_equal(variates.row_count, teams);
	for (int place = 0; place < teams; place++)
		assert_near(
		    (double)variates.leads[place] / (double)variates.dealt,
		    teams * worths[teams][place], 0.2);
}

TEST(test_length_of_a_match_does_not_bias_the_correction)
{
	static const char *const specs[] = { "scopa", "scopa,players=3" };
	static const double leads[VARIATE_PARTS_MAX] = { 1.0 };

	for (int spec = 0; spec < 2; spec++) {
		const struct scopa_rules rules = support_rules(specs[spec]);
		struct variate_parts rounds;
		struct variate raw;

		add_matches(&rules);
		/* The mean of the leads differs from 0 by more than chance. */
		rounds = variates_rounds(&variates.bots[0]);
		raw = variate_parts_weigh(&rounds, leads);
		assert_true(fabs(raw.mean_x) * (double)raw.count >
		    10.0 * sqrt(raw.squares_x));
		for (int i = 0; i < variates.row_count; i++) {
			const struct variate_estimate *estimate =
			    &variates.rows[i].estimate;
			double chance =
			    (estimate->plain.high - estimate->plain.value) /
			    1.96 * sqrt(1.0 - 1.0 / estimate->variance_ratio);

			assert_true(estimate->coefficient > 0.5);
			assert_true(estimate->variance_ratio > 1.2);
			assert_near(estimate->corrected.value,
			    estimate->plain.value, 4.0 * chance);
		}
	}
}

/*
 * Twelve rounds of three blocks each: in each round, three pairs of bots play
 * the same packs.
 */
TEST(test_blocks_of_a_round_count_as_one_observation)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct variate_estimate estimates[2];

	for (int tables = 1; tables <= 3; tables += 2) {
		uint64_t random = 6;

		begin(&rules, 1);
		for (int i = 0; i < 12; i++) {
			struct block_result block =
			    blocks_make(&rules, bots, 2, 1);
			struct reference reference = { 0 };

			block.plan.dealer = i % 2;
			play_deals(&rules, &random, &block, 0, &reference, 1);
			block.games[0].scores[0] += i % 5;
			for (int table = 0; table < tables; table++) {
				block.plan.bots[1] = 1 + table;
				add(&block, i, &reference);
			}
		}
		variates_estimate(&variates, 0.95);
		assert_int_equal(variates.row_count, 1 + tables);
		assert_int_equal(variates.rows[0].blocks, 12 * tables);
		estimates[tables / 2] = variates.rows[0].estimate;
	}
	/* Three blocks with the same packs make nothing more certain. */
	assert_near(estimates[1].plain.low, estimates[0].plain.low, 1e-9);
	assert_near(estimates[1].plain.high, estimates[0].plain.high, 1e-9);
	assert_near(
	    estimates[1].corrected.low, estimates[0].corrected.low, 1e-9);
	assert_near(
	    estimates[1].corrected.high, estimates[0].corrected.high, 1e-9);
}

TEST(test_a_round_counts_by_its_number_of_blocks)
{
	const struct scopa_rules rules = support_rules("scopa");
	double margins = 0;
	uint64_t random = 7;

	begin(&rules, 1);
	for (int i = 0; i < 40; i++) {
		struct block_result block = blocks_make(&rules, bots, 2, 1);
		struct reference reference = { 0 };

		block.plan.dealer = i % 2;
		play_deals(&rules, &random, &block, 0, &reference, 1);
		block.games[0].scores[0] += i < 20 ? 5 : 0;
		margins += block_mean(&rules, &block, 0).margin;
		/* The first twenty blocks are one round. */
		add(&block, i < 20 ? 0 : i, &reference);
	}
	variates_estimate(&variates, 0.95);
	assert_near(variates.rows[0].estimate.plain.value, margins / 40, 1e-9);
}

TEST(test_ten_whole_blocks_are_needed_and_others_are_left_out)
{
	const struct scopa_rules rules = support_rules("scopa");
	uint64_t random = 5;

	begin(&rules, 1);
	for (int i = 0; i < 30; i++) {
		struct block_result block = blocks_make(&rules, bots, 2, 2);
		struct reference references[2] = { 0 };

		variates_estimate(&variates, 0.95);
		assert_int_equal(variates.row_count, i <= 27 ? 0 : 2);
		for (int game = 0; game < 2; game++)
			play_deals(&rules, &random, &block, game,
			    &references[game], 1);
		if (i % 3 == 1)
			blocks_forfeit(&rules, &block, 1, 0, OFFENCE_ILLEGAL);
		block.skipped = i % 3 == 2;
		add(&block, i, references);
	}
	assert_int_equal(variates.rows[0].blocks, 10);
}

/*
 * Rules that no preset has: numbers of teams, partners, all kinds of
 * declarations and redeals.
 */
static const char *const more_specs[] = { "scopa,players=3", "scopa,players=4",
	"scopa,teams=ABAB", "scopa,players=6", "scopa,teams=ABABAB",
	"scopa,teams=ABCABC", "cirulla,declare=ask",
	"cirulla,declare=ask,matta=table,players=3", "trente,count=at-once",
	"scopa,redeal=ace,target=3", "perdere,players=4" };

static struct record_fault fault;
static struct reference_memory memory;

static int
reset(void **state)
{
	memset(&memory, 0, sizeof(memory));
	return games_setup(state);
}

/*
 * Reads the reference from a record; a deal in the memory is not played again.
 */
static bool
try_reading(struct reference *reference, const struct scopa_rules *rules,
    const struct record *record)
{
	struct game_record parsed;
	bool good;

	memset(&fault, 0, sizeof(fault));
	game_record_init(&parsed);
	games_read(record->bytes, record->size, &parsed);
	good = reference_read(reference, &memory, rules, &parsed, &fault);
	game_record_release(&parsed);
	return good;
}

static struct reference
read_record(const struct scopa_rules *rules, const struct record *record)
{
	struct reference reference;

	if (!try_reading(&reference, rules, record))
		fail_msg("line %lld: %s", (long long)fault.line, fault.text);
	return reference;
}

/* The same with an empty memory. */
static struct reference
read_without_memory(
    const struct scopa_rules *rules, const struct record *record)
{
	memset(&memory, 0, sizeof(memory));
	return read_record(rules, record);
}

/* Plays the game, and reads its reference with the memory as it is. */
static struct reference
play_game(const struct games_order *order)
{
	const struct scopa_rules rules = support_rules(order->spec);

	games_play(order, &specimen.full);
	return read_record(&rules, &specimen.full);
}

static int64_t
lead_of(const struct reference *reference, int team)
{
	int64_t lead = 0;

	for (int dealer = 0; dealer < SCOPA_TEAMS_MAX; dealer++)
		lead += reference->leads[dealer][team];
	return lead;
}

static int
deals_of(const struct reference *reference)
{
	int deals = 0;

	for (int dealer = 0; dealer < SCOPA_TEAMS_MAX; dealer++)
		deals += reference->dealt[dealer];
	return deals;
}

/*
 * The points of a game of the greedy bot against itself are those of its
 * reference.
 */
static void
check_game(const struct scopa_rules *rules,
    const struct dispatcher_fixture_result *played)
{
	const struct summary *summary = &played->result.summary;
	const struct record record = {
		.bytes = (char *)played->block,
		.size = strlen(played->block),
	};
	int teams = scopa_team_count(rules), total = 0;
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	struct reference reference = read_without_memory(rules, &record);

	assert_int_equal(deals_of(&reference), summary->deal_count);
	/* Teams deal in turn, and the leads of all teams add up to 0. */
	for (int dealer = 0; dealer < teams; dealer++) {
		int64_t sum = 0;

		assert_in_range(reference.dealt[dealer],
		    summary->deal_count / teams,
		    summary->deal_count / teams + 1);
		for (int team = 0; team < teams; team++)
			sum += reference.leads[dealer][team];
		assert_int_equal(sum, 0);
	}
	for (int team = 0; team < teams; team++)
		total += summary->scores[team];
	for (int team = 0; team < teams; team++)
		assert_int_equal(lead_of(&reference, team),
		    sign * (teams * summary->scores[team] - total));
}

/*
 * Matches of the greedy bot with itself, played by processes through the
 * protocol.
 */
static void
check_spec(const char *spec)
{
	struct dispatcher_fixture *arena = dispatcher_fixture_open(spec);
	const struct scopa_rules *rules = &arena->config.rules.rules;
	int numbers[SCOPA_SEATS_MAX] = { 0 };

	arena->config.rules.deals = 0;
	for (int seat = 0; seat < rules->players; seat++)
		numbers[seat] = dispatcher_fixture_bot(arena, "greedy");
	for (int game = 0; game < 3; game++)
		dispatcher_fixture_game(arena, numbers);
	dispatcher_fixture_play_all(arena);
	for (int game = 0; game < arena->result_count; game++)
		check_game(rules, &arena->results[game]);
	dispatcher_fixture_close(arena);
}

TEST(test_reference_is_a_match_of_the_greedy_bot_with_itself)
{
	for (int i = 0; i < scopa_preset_count; i++)
		check_spec(scopa_presets[i].name);
	for (size_t i = 0; i < sizeof(more_specs) / sizeof(*more_specs); i++)
		check_spec(more_specs[i]);
}

TEST_WITH(test_remembered_deals_give_the_same_reference, reset, games_teardown)
{
	/* More deals than the memory holds. */
	struct games_order order = { .spec = "scopa", .deals = 75 };
	struct reference remembered[6], played;

	/* Each game twice, with other games between, whose deals replace some
	 * in the memory. */
	for (int i = 0; i < 6; i++) {
		order.seed = (uint64_t)(i / 2);
		remembered[i] = play_game(&order);
	}
	for (int i = 0; i < 6; i++) {
		order.seed = (uint64_t)(i / 2);
		memset(&memory, 0, sizeof(memory));
		played = play_game(&order);
		assert_memory_equal(&remembered[i], &played, sizeof(played));
	}
}

TEST_WITH(
    test_deal_with_another_dealer_is_not_remembered, reset, games_teardown)
{
	const struct games_order order = { .spec = "scopone", .deals = 1 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference one = play_game(&order), other, played;
	const char *line;
	char *digit;

	/* The same pack with another dealer. */
	line = memmem(specimen.full.bytes, specimen.full.size, "\ndeal 1 ", 8);
	assert_non_null(line);
	digit = strstr(strstr(line, "dealer="), "=") + 1;
	*digit = *digit == '1' ? '2' : '1';
	other = read_record(&rules, &specimen.full);
	played = read_without_memory(&rules, &specimen.full);
	assert_memory_equal(&other, &played, sizeof(other));
	assert_memory_not_equal(&other, &one, sizeof(other));
}

TEST_WITH(test_reference_follows_from_dealt_cards_without_packs, reset,
    games_teardown)
{
	const struct games_order order = { .spec = "scopa", .seed = 3 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference whole = play_game(&order), least;

	assert_true(deals_of(&whole) > 1);
	games_reduce(&specimen.full, false, &specimen.least);
	/* The least record does not show the end of a deal. */
	least = read_record(&rules, &specimen.least);
	assert_int_equal(deals_of(&least), 0);
	/* The end of the last line becomes the end of a string. */
	specimen.full.bytes[--specimen.full.size] = '\0';
	for (char *at = specimen.full.bytes;
	     (at = strstr(at, "\npack ")) != NULL; at++)
		memcpy(at, "\n#", 2);
	least = read_without_memory(&rules, &specimen.full);
	assert_memory_equal(&least, &whole, sizeof(least));
}

TEST_WITH(test_aborted_deal_is_not_counted, reset, games_teardown)
{
	static const char *const endings[] = { "forfeit", "interrupted" };

	for (uint64_t i = 0; i < 20; i++) {
		const struct games_order order = {
			.spec = "scopa",
			.seed = i,
			.deals = 4,
			.ending = endings[i % 2],
		};
		struct reference reference;
		int ends = 0;

		memset(&memory, 0, sizeof(memory));
		reference = play_game(&order);
		specimen.full.bytes[--specimen.full.size] = '\0';
		for (const char *at = specimen.full.bytes;
		     (at = strstr(at, "\nenddeal ")) != NULL; at++)
			ends++;
		assert_int_equal(deals_of(&reference), ends);
	}
}

TEST(test_redealt_pack_is_not_played)
{
	const struct scopa_rules rules = support_rules("scopa,redeal=kings3");
	struct reference_deal deal = { .dealer = 1 };

	support_pack("KD KC KS AB", deal.pack);
	assert_false(reference_play(&rules, &deal));
	support_pack("KD KC 5S AB", deal.pack);
	assert_true(reference_play(&rules, &deal));
	assert_int_equal(deal.leads[0], -deal.leads[1]);
}

TEST_WITH(test_record_without_dealer_or_cards_is_a_fault, reset, games_teardown)
{
	static const struct {
		const char *from, *to, *why;
	} cases[] = {
		{ "\ndeal 2 ", "\n#eal 2 ", "who deals 2" },
		{ "\ndeal 1 dealer=", "\ndeal 1 doaler=", "who deals 1" },
		{ "cards=", "cards=ADAD", "once" },
	};
	const struct games_order order = { .spec = "scopa", .deals = 2 };
	struct scopa_rules rules = support_rules("scopa");
	struct reference reference;

	for (int i = 0; i < COUNTOF(cases); i++) {
		char *at;

		games_play(&order, &specimen.full);
		at = memmem(specimen.full.bytes, specimen.full.size,
		    cases[i].from, strlen(cases[i].from));
		assert_non_null(at);
		memcpy(at, cases[i].to, strlen(cases[i].to));
		assert_false(try_reading(&reference, &rules, &specimen.full));
		assert_true(fault.line > 0);
		expect_parts(fault.text, cases[i].why);
	}
}
