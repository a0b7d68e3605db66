#include "world_fixture.h"

#include "solve.h"
#include "support.h"
#include "test.h"

int
world_fixture_value(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team)
{
	static unsigned char memory[SOLVE_MEMORY_MIN];
	const struct solve_limits limits = { .memory = memory,
		.memory_size = sizeof(memory) };
	struct solve_result result;

	if (scopa_deal_over(deal))
		return solve_value(rules, deal, team);
	assert_int_equal(solve_deal(rules, deal, &limits, &result), 0);
	return scopa_team_of(rules, deal->turn) == team ? result.value
							: -result.value;
}

void
world_fixture_believe(struct belief *belief, const struct belief_config *config,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	struct scopa_deal imagined;
	struct scopa_view view;

	world_fixture_imagine(rules, deal, &view, &imagined);
	belief_draw_pool(belief, config, rules, &view, &imagined, random);
}

void
world_fixture_imagine(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view,
    struct scopa_deal *imagined)
{
	support_view(rules, deal, deal->turn, view);
	assert_true(imagine_deal(rules, view, imagined));
}

void
world_fixture_fits(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_deal *world)
{
	struct scopa_view here, there;

	support_view(rules, deal, deal->turn, &here);
	support_view(rules, world, world->turn, &there);
	assert_memory_equal(&here, &there, sizeof(here));
	assert_true(support_deal_is_whole(world));
}
