/*
 * Which move a search goes down.
 */
#include "search_tree.h"
#include "test.h"

enum { COUNT = 3, DRAWS = 9000 };

/* Three moves, one tried often, one well and one never. */
struct node {
	struct branch branches[COUNT];
	struct branch *legal[COUNT];
};

static void
node_fill(struct node *node)
{
	static const float visits[COUNT] = { 10, 10, 0 };
	static const double totals[COUNT] = { 1, 5, 0 };
	static const float priors[COUNT] = { 2, 1, 3 };

	for (int i = 0; i < COUNT; i++) {
		node->branches[i] = (struct branch){
			.visits = visits[i],
			.total = totals[i],
			.available = 20,
			.prior = priors[i],
		};
		node->legal[i] = &node->branches[i];
	}
}

static int
pick(const struct search_config *config, struct node *node, bool own,
    uint64_t *random)
{
	double model = own ? 0 : config->model[0];

	return (int)(selection_pick(config, node->legal, COUNT, model, random) -
	    node->branches);
}

TEST(test_unvisited_moves_go_first_where_the_search_is_eager)
{
	const struct search_config config = { .eager = true };
	struct node node;
	uint64_t random = 1;

	node_fill(&node);
	assert_int_equal(pick(&config, &node, true, &random), 2);
	node.branches[2].visits = 1;
	assert_int_equal(pick(&config, &node, true, &random), 1);
}

TEST(test_unvisited_moves_are_worth_the_mean)
{
	struct search_config config = { .prior_weight = 0.1 };
	struct node node;
	uint64_t random = 1;

	/* 0.1, 0.5 and, between them, 0.3 and the weight of the prior. */
	node_fill(&node);
	node.branches[0].prior = node.branches[1].prior = 0;
	assert_int_equal(pick(&config, &node, true, &random), 1);
	config.prior_weight = 0.3;
	assert_int_equal(pick(&config, &node, true, &random), 2);
}

TEST(test_multiple_of_the_priors_changes_nothing)
{
	const struct search_config config = { .prior_weight = 4 };
	struct node node;
	uint64_t random = 1;

	/* The prior of the third is half of all: 0.3 + 2 is most. */
	node_fill(&node);
	assert_int_equal(pick(&config, &node, true, &random), 2);
	for (int i = 0; i < COUNT; i++)
		node.branches[i].prior *= 1000;
	node.branches[1].total = 30;
	assert_int_equal(pick(&config, &node, true, &random), 2);
	node.branches[1].total = 80;
	assert_int_equal(pick(&config, &node, true, &random), 1);
}

TEST(test_others_play_by_the_prior)
{
	const struct search_config config = { .model = { 1 } };
	struct node node;
	uint64_t random = 1;
	int counts[COUNT] = { 0 };

	node_fill(&node);
	for (int i = 0; i < DRAWS; i++) {
		counts[pick(&config, &node, false, &random)]++;
		assert_int_equal(pick(&config, &node, true, &random), 1);
	}
	assert_in_range(counts[0], DRAWS * 2 / 6 - 200, DRAWS * 2 / 6 + 200);
	assert_in_range(counts[1], DRAWS * 1 / 6 - 200, DRAWS * 1 / 6 + 200);
	assert_in_range(counts[2], DRAWS * 3 / 6 - 200, DRAWS * 3 / 6 + 200);
}
