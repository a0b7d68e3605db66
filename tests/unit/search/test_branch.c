/*
 * The memory of a search tree.
 */
#include "search_tree.h"

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

enum { SLOTS = 12, SLOT_SIZE = sizeof(union branch_slot) };

TEST(test_blocks_follow_each_other)
{
	static union branch_slot memory[SLOTS];
	struct branch_pool pool;
	struct branch_block *block, *next;
	uint32_t first = 0;

	branch_pool_init(&pool, memory, sizeof(memory));
	block = branch_add(&pool, &first, 3);
	assert_non_null(block);
	assert_int_equal(block->count, 3);
	assert_ptr_equal(branch_block_at(&pool, first), block);
	assert_null(branch_block_at(&pool, block->next));
	for (int i = 0; i < 3; i++) {
		assert_true(branch_first(block)[i].visits == 0);
		branch_first(block)[i].replies = 9;
	}
	next = branch_add(&pool, &first, 2);
	assert_ptr_equal(branch_block_at(&pool, block->next), next);
	assert_int_equal(branch_first(next)->replies, 0);
	assert_int_equal(branch_first(block)[2].replies, 9);
}

TEST(test_full_pool_gives_nothing)
{
	static union branch_slot memory[SLOTS];
	struct branch_pool pool;
	uint32_t first = 0, other = 0;

	branch_pool_init(&pool, memory, sizeof(memory));
	/* One slot is kept back, and each block has one for itself. */
	assert_null(branch_add(&pool, &first, SLOTS - 1));
	assert_int_equal(first, 0);
	assert_non_null(branch_add(&pool, &first, SLOTS - 4));
	assert_null(branch_add(&pool, &other, 2));
	assert_non_null(branch_add(&pool, &other, 1));
	assert_null(branch_add(&pool, &first, 1));
}

TEST(test_memory_may_be_crooked_or_too_little)
{
	static union branch_slot memory[SLOTS];
	struct branch_pool pool;
	uint32_t first = 0;

	branch_pool_init(&pool, (char *)memory + 1, sizeof(memory) - 1);
	assert_int_equal(pool.size, SLOTS - 1);
	assert_int_equal((uintptr_t)pool.slots % SLOT_SIZE, 0);
	branch_pool_init(&pool, memory, SLOT_SIZE - 1);
	assert_null(branch_add(&pool, &first, 1));
	branch_pool_init(&pool, NULL, 0);
	assert_null(branch_add(&pool, &first, 1));
}

TEST(test_moves_keep_all_but_their_seat)
{
	const struct scopa_move moves[] = {
		{ .card = support_card("AD") },
		{ .card = support_card("KB"),
		    .captured = support_set("AD2DKSKC") },
		{ .card = SCOPA_CARD_NONE,
		    .declaration = SCOPA_DECLARE_THREE,
		    .value = 10 },
		{ .card = SCOPA_CARD_NONE,
		    .declaration = SCOPA_DECLARE_LOW,
		    .value = 1 },
	};

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		struct branch branch = { .key = branch_key(&moves[i]) };
		struct scopa_move move = branch_move(&branch, 3);

		assert_true(scopa_move_equal(&move, &moves[i]));
		assert_int_equal(move.seat, 3);
		assert_int_equal(branch_card(&branch), moves[i].card);
		for (size_t j = 0; j < i; j++)
			assert_true(branch_key(&moves[j]) != branch.key);
	}
}
