#include "search_fixture.h"

#include <stdlib.h>

#include "support.h"
#include "test.h"

struct search_fixture *
search_fixture_of(
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct search_fixture *fixture = malloc(sizeof(*fixture));

	assert_non_null(fixture);
	fixture->rules = *rules;
	support_view(rules, deal, deal->turn, &fixture->view);
	assert_true(
	    world_uniform_init(&fixture->uniform, rules, &fixture->view));
	fixture->fixed = *deal;
	fixture->random = 1;
	fixture->config = (struct search_config){
		.rules = &fixture->rules,
		.view = &fixture->view,
		.iterations = SEARCH_FIXTURE_ITERATIONS,
		.exploration = 2,
		.eager = true,
		.worlds = { world_uniform_draw, &fixture->uniform },
		.random_share = PLAYOUT_EPSILON,
		.reward = reward_difference,
		.memory = fixture->memory,
		.memory_size = sizeof(fixture->memory),
	};
	return fixture;
}

void
search_fixture_run(struct search_fixture *fixture)
{
	assert_true(
	    search_run(&fixture->config, &fixture->random, &fixture->result));
}

const struct search_row *
search_fixture_best(const struct search_fixture *fixture)
{
	return &fixture->result.rows[fixture->result.best];
}

void
search_fixture_fits(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_deal *world)
{
	struct scopa_view here, there;
	scopa_set all = world->table;
	int count = scopa_set_count(world->table);

	support_view(rules, deal, deal->turn, &here);
	support_view(rules, world, world->turn, &there);
	assert_memory_equal(&here, &there, sizeof(here));
	for (int i = 0; i < rules->players; i++) {
		all |= world->hands[i];
		count += scopa_set_count(world->hands[i]);
	}
	for (int i = 0; i < scopa_team_count(rules); i++) {
		all |= world->captured[i];
		count += scopa_set_count(world->captured[i]);
	}
	for (int i = world->dealt; i < SCOPA_PACK_SIZE; i++, count++)
		all |= scopa_set_of(world->pack[i]);
	assert_true(all == SCOPA_SET_ALL);
	assert_int_equal(count, SCOPA_PACK_SIZE);
}
