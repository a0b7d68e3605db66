#include "branch.h"

#include <assert.h>

void
branch_pool_init(struct branch_pool *pool, void *memory, size_t size)
{
	size_t step = sizeof(union branch_slot);
	size_t skip = (step - (uintptr_t)memory % step) % step;

	pool->slots = NULL;
	pool->size = 0;
	pool->used = 0;
	if (size < skip + step)
		return;
	pool->slots = (void *)((char *)memory + skip);
	size = (size - skip) / step;
	pool->used = 1;
	pool->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

struct branch_block *
branch_add(struct branch_pool *pool, uint32_t *first, uint32_t count)
{
	uint32_t slot = pool->used;
	struct branch_block *block;

	assert(count > 0);
	if (pool->size <= slot || pool->size - slot <= count)
		return NULL;
	pool->used += count + 1;
	for (uint32_t at = *first; at != 0; at = *first)
		first = &pool->slots[at].block.next;
	*first = slot;
	block = &pool->slots[slot].block;
	*block = (struct branch_block){ .count = count };
	for (uint32_t i = 1; i <= count; i++)
		pool->slots[slot + i].branch = (struct branch){ 0 };
	return block;
}
