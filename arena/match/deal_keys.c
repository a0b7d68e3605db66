/*
 * Implements deal_keys.h.
 *
 * The table is anonymous shared memory.  A worker that replaces a dead one is
 * forked from the same parent, so it sees the same slots.
 */
#include "deal_keys.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <string.h>
#include <sys/mman.h>

struct deal_keys_table {
	size_t size; /* of the whole table, in bytes */
	int slot_count;
	struct deal_keys_slot slots[];
};

int
deal_keys_open(struct deal_keys_table **opened, int slot_count)
{
	size_t size = sizeof(struct deal_keys_table) +
	    (size_t)slot_count * sizeof(struct deal_keys_slot);
	struct deal_keys_table *table;

	assert(slot_count > 0 && slot_count <= DEAL_KEYS_SLOTS_MAX);
	table = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (table == MAP_FAILED)
		return -errno;
	/* Without it core dumps have the keys; nothing else depends on it. */
	(void)madvise(table, size, MADV_DONTDUMP);
	table->size = size;
	table->slot_count = slot_count;
	*opened = table;
	return 0;
}

void
deal_keys_close(struct deal_keys_table *table)
{
	if (table != NULL)
		munmap(table, table->size);
}

struct deal_keys_slot *
deal_keys_slot(struct deal_keys_table *table, int slot)
{
	assert(slot >= 0 && slot < table->slot_count);
	return &table->slots[slot];
}

/* The number of keys that there are. */
static size_t
count_keys(const struct deal_keys *keys)
{
	return (size_t)keys->deals * (size_t)keys->redeals;
}

/* Memory that was never used is not touched. */
void
deal_keys_slot_empty(struct deal_keys_slot *slot)
{
	struct deal_keys *keys = &slot->keys;

	sodium_memzero(keys->keys, count_keys(keys) * sizeof(keys->keys[0]));
	keys->deals = keys->redeals = 0;
	sodium_memzero(slot->nonces, sizeof(slot->nonces));
	sodium_memzero(slot->seeds, sizeof(slot->seeds));
	atomic_store(&slot->progress, 0);
}

void
deal_keys_copy(struct deal_keys *to, const struct deal_keys *from)
{
	to->deals = from->deals;
	to->redeals = from->redeals;
	memcpy(to->keys, from->keys, count_keys(from) * sizeof(to->keys[0]));
}

void
deal_keys_make(struct deal_keys *keys, const struct shuffle_key *root_key,
    const char *event, int deals, int redeals)
{
	assert(deals > 0 && redeals > 0 && deals <= DEAL_KEYS_MAX / redeals);
	keys->deals = deals;
	keys->redeals = redeals;
	for (int i = 0; i < deals * redeals; i++)
		shuffle_deal_key(root_key, event, (uint64_t)(i / redeals) + 1,
		    (uint64_t)(i % redeals), &keys->keys[i]);
}

void
deal_keys_make_nonces(struct shuffle_key *nonces,
    const struct shuffle_key *root_key, int64_t game)
{
	shuffle_deal_key(root_key, "decisions", (uint64_t)game + 1, 0, nonces);
}

const struct shuffle_key *
deal_keys_find(const struct deal_keys *keys, int deal, int redeal)
{
	assert(deal >= 0 && redeal >= 0);
	if (deal >= keys->deals || redeal >= keys->redeals)
		return NULL;
	return &keys->keys[deal * keys->redeals + redeal];
}
