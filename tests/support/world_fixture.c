#include "world_fixture.h"

#include "support.h"
#include "test.h"
#include "world.h"

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
