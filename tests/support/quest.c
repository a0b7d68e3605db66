#include "quest.h"

#include <stdlib.h>

#include "reward.h"
#include "support.h"
#include "test.h"

struct quest *
quest_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct quest *quest = malloc(sizeof(*quest));

	assert_non_null(quest);
	quest->rules = *rules;
	support_view(rules, deal, deal->turn, &quest->view);
	assert_true(world_uniform_init(&quest->uniform, rules, &quest->view));
	quest->fixed.deal = deal;
	playout_init(&quest->playout, rules, PLAYOUT_EPSILON);
	quest->random = 1;
	quest->config = (struct search_config){
		.iterations = QUEST_ITERATIONS,
		.exploration = 2,
		.eager = true,
		.worlds = { world_uniform_draw, &quest->uniform },
		.playout = { playout_choose, &quest->playout },
		.reward = { reward_difference, NULL },
		.memory = quest->memory,
		.memory_size = sizeof(quest->memory),
	};
	return quest;
}

void
quest_run(struct quest *quest)
{
	assert_true(search_run(&quest->config, &quest->rules, &quest->view,
	    &quest->random, &quest->result));
}

const struct search_row *
quest_best(const struct quest *quest)
{
	return &quest->result.rows[quest->result.best];
}
