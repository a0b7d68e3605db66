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
