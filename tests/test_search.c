/*
 * The tree search: that it finds what is best where that is known, keeps its
 * limits, and plays every variant.
 */
#include "search.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "playout.h"
#include "reward.h"
#include "scopa/scopa.h"
#include "support.h"

enum { MEMORY_SIZE = 1 << 20, FEW = 40, MANY = 20000 };

/* Everything that a search needs, for one view. */
struct table {
	struct scopa_rules rules;
	struct scopa_view view;
	struct world_uniform uniform;
	struct world_fixed fixed;
	struct playout playout;
	struct search_config config;
	struct search_result result;
	uint64_t random;
	char memory[MEMORY_SIZE];
};

/* The view of the seat to move; the caller frees. */
static struct table *
table_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct table *table = malloc(sizeof(*table));
	struct scopa_tally tally;

	assert_non_null(table);
	table->rules = *rules;
	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &table->view);
	assert_true(world_uniform_init(&table->uniform, rules, &table->view));
	table->fixed.deal = deal;
	playout_init(&table->playout, rules, PLAYOUT_EPSILON);
	table->random = 1;
	table->config = (struct search_config){
		.iterations = FEW,
		.exploration = 2,
		.eager = true,
		.worlds = { world_uniform_draw, &table->uniform },
		.playout = { playout_choose, &table->playout },
		.reward = { reward_difference, NULL },
		.memory = table->memory,
		.memory_size = sizeof(table->memory),
	};
	return table;
}

static void
table_search(struct table *table)
{
	assert_true(search_run(&table->config, &table->rules, &table->view,
	    &table->random, &table->result));
}

static const struct search_row *
table_best(const struct table *table)
{
	return &table->result.rows[table->result.best];
}

static void
deal_start(const struct scopa_rules *rules, uint64_t *random, int dealer,
    struct scopa_deal *deal)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	do {
		support_pack("", pack);
		support_shuffle(random, pack, SCOPA_PACK_SIZE);
	} while (
	    scopa_deal_start(rules, pack, dealer, deal) != SCOPA_START_PLAY);
}

/* A random deal in which so many plays are left. */
static void
deal_end(const struct scopa_rules *rules, uint64_t *random, int plays_left,
    struct scopa_deal *deal)
{
	int plays = SCOPA_PACK_SIZE - rules->table - plays_left;

	deal_start(rules, random, 0, deal);
	while (deal->play_count < plays) {
		struct scopa_move move;

		scopa_move_pick(rules, deal, support_random(random), &move);
		scopa_deal_apply(rules, deal, &move);
	}
}

/* The difference for the first of two parties, both playing their best. */
static int
best_value(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_score score;
	int count, best, sign = 1;

	if (scopa_deal_over(deal)) {
		const struct scopa_view view = { .deal_number = 1 };
		const struct search_end end = { rules, &view, &score };
		double rewards[SCOPA_PARTIES_MAX];

		scopa_score_count(rules, deal, &score);
		reward_difference(NULL, &end, rewards);
		return (int)rewards[0];
	}
	if (scopa_party_of(rules, deal->turn) == 1)
		sign = -1;
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	best = INT_MIN;
	for (int i = 0; i < count; i++) {
		struct scopa_deal next = *deal;
		int value;

		scopa_deal_apply(rules, &next, &moves[i]);
		value = sign * best_value(rules, &next);
		if (value > best)
			best = value;
	}
	return sign * best;
}

static void
assert_solves(const char *spec, int plays_left)
{
	enum { POSITIONS = 12 };
	const struct scopa_rules rules = support_rules(spec);
	uint64_t random = 11;

	for (int i = 0; i < POSITIONS; i++) {
		struct scopa_deal deal, next;
		struct table *table;
		const struct search_row *best;
		int value, sign;

		deal_end(&rules, &random, plays_left, &deal);
		table = table_of(&rules, &deal);
		table->config.worlds =
		    (struct world_source){ world_fixed_draw, &table->fixed };
		table->config.iterations = MANY;
		table->config.exploration = 1;
		table_search(table);
		best = table_best(table);
		sign = scopa_party_of(&rules, deal.turn) == 0 ? 1 : -1;
		value = sign * best_value(&rules, &deal);
		next = deal;
		scopa_deal_apply(&rules, &next, &best->move);
		assert_int_equal(sign * best_value(&rules, &next), value);
		if (fabs(best->value - value) > 0.1)
			fail_msg("%s, position %d: %f instead of %d", spec, i,
			    best->value, value);
		free(table);
	}
}

static void
test_known_endings_are_solved(void **state)
{
	(void)state;
	assert_solves("scopone", 8);
	assert_solves("scientifico", 8);
	assert_solves("scopa", 6);
	assert_solves("escoba", 6);
	assert_solves("perdere", 6);
	assert_solves("cirulla", 6);
	assert_solves("frac", 6);
}

static void
test_move_that_is_best_in_every_world_is_found(void **state)
{
	const struct scopa_rules rules = support_rules("scopa");
	struct scopa_deal deal;
	struct table *table;

	(void)state;
	/* The king sweeps; whatever else is laid gives the sweep away. */
	support_position(&rules, "KD", "KB2C3S", &deal);
	deal.hands[1] = support_set("KSAC5D");
	deal.captured[1] &= ~deal.hands[1];
	table = table_of(&rules, &deal);
	table->config.iterations = 2000;
	table_search(table);
	assert_int_equal(table_best(table)->move.card, support_card("KB"));
	assert_true(table->result.line_count >= 2);
	assert_true(
	    scopa_move_equal(&table->result.line[0], &table_best(table)->move));
	assert_int_equal(table->result.line[0].seat, 0);
	assert_int_equal(table->result.line[1].seat, 1);
	free(table);
}

static void
test_same_seed_gives_the_same_search(void **state)
{
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 12;
	struct scopa_deal deal;
	struct table *one, *two;

	(void)state;
	deal_start(&rules, &random, 0, &deal);
	one = table_of(&rules, &deal);
	two = table_of(&rules, &deal);
	one->config.iterations = two->config.iterations = 500;
	table_search(one);
	/* What lies in the memory is nothing to it. */
	memset(two->memory, 0xA5, sizeof(two->memory));
	table_search(two);
	assert_int_equal(one->result.row_count, two->result.row_count);
	assert_true(one->random == two->random);
	for (int i = 0; i < one->result.row_count; i++) {
		assert_true(
		    one->result.rows[i].visits == two->result.rows[i].visits);
		assert_true(
		    one->result.rows[i].value == two->result.rows[i].value);
	}
	two->random = 2;
	table_search(two);
	assert_true(one->random != two->random);
	assert_true(one->result.rows[0].value != two->result.rows[0].value);
	free(one);
	free(two);
}

static void
test_visits_add_up_to_the_iterations(void **state)
{
	uint64_t random = 13;

	(void)state;
	for (int i = 0; i < scopa_preset_count; i++) {
		const struct scopa_rules *rules = &scopa_presets[i].rules;
		struct scopa_deal deal;
		struct table *table;
		double visits = 0;

		deal_start(rules, &random, 0, &deal);
		table = table_of(rules, &deal);
		table_search(table);
		for (int row = 0; row < table->result.row_count; row++)
			visits += table->result.rows[row].visits;
		assert_true(visits == FEW);
		assert_int_equal(table->result.iterations, FEW);
		assert_int_equal(table->result.nodes, FEW);
		free(table);
	}
}

/* Plays a deal with a search at every move. */
static void
assert_plays(const struct scopa_rules *rules, uint64_t *random)
{
	struct scopa_deal deal;

	deal_start(rules, random, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct table *table = table_of(rules, &deal);
		const struct search_row *best;

		table->random = *random;
		table_search(table);
		*random = table->random;
		best = table_best(table);
		assert_int_equal(
		    scopa_deal_check(rules, &deal, &best->move), SCOPA_LEGAL);
		assert_int_equal(best->move.seat, deal.turn);
		scopa_deal_apply(rules, &deal, &best->move);
		free(table);
	}
}

static void
test_every_variant_is_played_to_the_end(void **state)
{
	static const char *const more[] = {
		"scopa,players=3",
		"scopa,players=6",
		"scopa-bga,teams=ABCABC",
		"assi,teams=ABABAB",
		"assi-traditional,ace-empty=take",
		"escoba,max-captured=2",
		"cirulla,players=3",
		"cirulla,players=4",
		"cirulla,players=6,declare=auto",
		"cirulla,matta=table",
		"cirulla,aim=least,count=at-once",
		"trente,count=at-once",
	};
	uint64_t random = 14;

	(void)state;
	for (int i = 0; i < scopa_preset_count; i++)
		assert_plays(&scopa_presets[i].rules, &random);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		const struct scopa_rules rules = support_rules(more[i]);

		assert_plays(&rules, &random);
	}
}

static void
test_memory_is_never_exceeded(void **state)
{
	static const size_t sizes[] = { 0, 1, 64, 320, 1000, 4000, 20000 };
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 15;
	struct scopa_deal deal;
	struct table *table;

	(void)state;
	deal_start(&rules, &random, 0, &deal);
	table = table_of(&rules, &deal);
	table->config.iterations = 2000;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t size = sizes[i];

		memset(table->memory, 0x5A, sizeof(table->memory));
		table->config.memory_size = size;
		table_search(table);
		assert_int_equal(table->result.iterations, 2000);
		assert_true(table->result.memory_used <= size);
		for (size_t at = size; at < sizeof(table->memory); at++)
			assert_int_equal(table->memory[at], 0x5A);
		assert_int_equal(
		    scopa_deal_check(&rules, &deal, &table_best(table)->move),
		    SCOPA_LEGAL);
	}
	assert_true(search_memory_size(2000) <= sizeof(table->memory));
	table->config.memory_size = search_memory_size(2000);
	table_search(table);
	assert_int_equal(table->result.nodes, 2000);
	free(table);
}

/* A context that counts down to the stop. */
static bool
stops(void *context)
{
	int *left = context;

	return --*left < 0;
}

static void
test_search_ends_when_it_is_told_to(void **state)
{
	const struct scopa_rules rules = support_rules("scopa");
	uint64_t random = 16;
	struct scopa_deal deal;
	struct table *table;
	int left = 3;

	(void)state;
	deal_start(&rules, &random, 0, &deal);
	table = table_of(&rules, &deal);
	table->config.iterations = 0;
	table->config.clock_interval = 10;
	table->config.stopped = stops;
	table->config.stopped_context = &left;
	table_search(table);
	assert_int_equal(table->result.iterations, 30);
	/* A time that is long over. */
	table->config.stopped = NULL;
	table->config.deadline_ns = 1;
	table_search(table);
	assert_int_equal(table->result.iterations, 0);
	assert_int_equal(table->result.line_count, 0);
	assert_int_equal(
	    scopa_deal_check(&rules, &deal, &table_best(table)->move),
	    SCOPA_LEGAL);
	free(table);
}

/* Two worlds in turn; the second counts three times as much. */
struct seesaw {
	struct scopa_deal deals[2];
	int next;
};

static bool
seesaw_draw(
    void *context, uint64_t *random, struct scopa_deal *deal, double *weight)
{
	struct seesaw *seesaw = context;

	(void)random;
	*deal = seesaw->deals[seesaw->next];
	*weight = seesaw->next == 0 ? 1 : 3;
	seesaw->next = 1 - seesaw->next;
	return true;
}

static void
test_worlds_count_by_their_weights(void **state)
{
	const struct scopa_rules rules = support_rules("scopa");
	static struct seesaw seesaw;
	struct scopa_deal deal;
	struct table *table;

	(void)state;
	/* One card each: the ace sweeps the ace, or does not. */
	support_position(&rules, "-", "AS", &deal);
	deal.hands[1] = support_set("AB");
	deal.captured[1] &= ~deal.hands[1];
	deal.pack[38] = support_card("2B");
	deal.pack[39] = support_card("3B");
	seesaw.deals[0] = seesaw.deals[1] = deal;
	table = table_of(&rules, &deal);
	table->config.iterations = 2;
	table->config.worlds = (struct world_source){ seesaw_draw, &seesaw };
	table_search(table);
	assert_true(table_best(table)->visits == 4);
	assert_int_equal(table->result.iterations, 2);
	free(table);
}

/* A reward that sees nothing but the order of the parties. */
static void
reward_by_party(void *context, const struct search_end *end, double *rewards)
{
	(void)context;
	for (int party = 0; party < scopa_party_count(end->rules); party++)
		rewards[party] = 10 + party;
}

static void
test_each_move_is_credited_to_its_party(void **state)
{
	const struct scopa_rules rules = support_rules("scopa,players=3");
	uint64_t random = 17;

	(void)state;
	for (int dealer = 0; dealer < rules.players; dealer++) {
		struct scopa_deal deal;
		struct table *table;

		deal_start(&rules, &random, dealer, &deal);
		table = table_of(&rules, &deal);
		table->config.reward.count = reward_by_party;
		table_search(table);
		assert_true(table_best(table)->value ==
		    10 + scopa_party_of(&rules, deal.turn));
		free(table);
	}
}

/* Puts nearly everything on the last move. */
static void
judge_last(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights)
{
	(void)context;
	(void)rules;
	assert_int_equal(moves[0].seat, deal->turn);
	for (int i = 0; i < count; i++)
		weights[i] = i + 1 < count ? 0.001F : 1;
}

static void
test_prior_leads_the_search(void **state)
{
	static const enum search_formula formulas[] = { SEARCH_UCB,
		SEARCH_PUCT };
	const struct scopa_rules rules = support_rules("scientifico");
	uint64_t random = 18;
	struct scopa_deal deal;
	struct table *table;

	(void)state;
	deal_start(&rules, &random, 0, &deal);
	table = table_of(&rules, &deal);
	table->config.eager = false;
	table->config.prior.judge = judge_last;
	table->config.prior_weight = 1000;
	table->config.iterations = 100;
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		int last;

		table->config.formula = formulas[i];
		table->config.exploration =
		    formulas[i] == SEARCH_PUCT ? 1000 : 1;
		table_search(table);
		last = table->result.row_count - 1;
		assert_int_equal(table->result.best, last);
		assert_true(table->result.rows[last].visits > 80);
		assert_true(table->result.rows[last].prior == 1);
		assert_true(table->result.rows[0].prior < 0.01);
	}
	free(table);
}

static void
test_view_that_contradicts_itself_is_refused(void **state)
{
	const struct scopa_rules rules = support_rules("scopa");
	uint64_t random = 19;
	struct scopa_deal deal;
	struct table *table;

	(void)state;
	deal_start(&rules, &random, 0, &deal);
	table = table_of(&rules, &deal);
	table->view.deck_count--;
	assert_false(search_run(&table->config, &table->rules, &table->view,
	    &table->random, &table->result));
	free(table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_endings_are_solved),
		cmocka_unit_test(
		    test_move_that_is_best_in_every_world_is_found),
		cmocka_unit_test(test_same_seed_gives_the_same_search),
		cmocka_unit_test(test_visits_add_up_to_the_iterations),
		cmocka_unit_test(test_every_variant_is_played_to_the_end),
		cmocka_unit_test(test_memory_is_never_exceeded),
		cmocka_unit_test(test_search_ends_when_it_is_told_to),
		cmocka_unit_test(test_worlds_count_by_their_weights),
		cmocka_unit_test(test_each_move_is_credited_to_its_party),
		cmocka_unit_test(test_prior_leads_the_search),
		cmocka_unit_test(test_view_that_contradicts_itself_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
