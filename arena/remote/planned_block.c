/* Implements planned_block.h. */
#include "planned_block.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "deal_keys.h"
#include "runner.h"

/* Packs for a deal that may be dealt again. */
enum { REDEALS = 3 };

/*
 * The number of deals for which a block gets keys, by its level.  Most games to
 * 11 or 21 points end long before deal 32, and few deals are redealt.
 */
static const int key_deals[] = { 32, 128, 512, DEAL_KEYS_MAX };

int
planned_block_key_level(const struct match_rules *rules)
{
	int most = match_max_deals(rules), level = 0;

	if (rules->rules.target < most)
		most = rules->rules.target;
	while (level + 1 < COUNTOF(key_deals) && key_deals[level] < most)
		level++;
	return level;
}

/* The greatest number of packs that one of the first `deals` deals needs. */
static int
count_packs(const struct match_rules *rules, const char *event, int deals)
{
	int most = 1;

	for (int deal = 0; deal < deals; deal++) {
		uint8_t pack[SCOPA_PACK_SIZE];
		struct scopa_deal dealt;
		struct shuffle_key key;
		int packs = 0;

		do {
			shuffle_deal_key(&rules->root_key, event,
			    (uint64_t)deal + 1, (uint64_t)packs++, &key);
			shuffle_pack(&key, pack);
		} while (scopa_deal_start(&rules->rules, pack, 0, &dealt) !=
			SCOPA_START_PLAY &&
		    packs < DEAL_KEYS_MAX / deals);
		if (packs > most)
			most = packs;
	}
	return most;
}

/* Sets the number of keys of a block.  A pack file needs none. */
static void
count_keys(const struct match_rules *rules, const struct planned_block *block,
    struct deal_keys *keys)
{
	int most = rules->deals > 0 ? rules->deals : match_max_deals(rules);
	int deals = key_deals[block->key_level], redeals = 1;

	if (rules->packs != NULL)
		return;
	if (rules->deals > 0 || deals > most)
		deals = most;
	if (deals > DEAL_KEYS_MAX)
		deals = DEAL_KEYS_MAX;
	if (rules->rules.redeal != SCOPA_REDEAL_NONE)
		redeals = block->key_level == 0
		    ? REDEALS
		    : count_packs(rules, block->games[0].event, deals);
	if (deals > DEAL_KEYS_MAX / redeals)
		deals = DEAL_KEYS_MAX / redeals;
	keys->deals = deals;
	keys->redeals = redeals;
}

void
planned_block_job(const struct planned_block *block,
    const struct match_rules *rules, enum job_copy copy, bool whole,
    struct job *job)
{
	job->name =
	    (struct job_name){ .block = block->number, .copy = (int)copy };
	job->stage = 0;
	job->game_count = block->game_count;
	job->seat_count = rules->rules.players;
	job->keys.deals = job->keys.redeals = 0;
	for (int i = 0; i < block->game_count; i++) {
		const struct game_spec *spec = &block->games[i];
		struct job_game *game = &job->games[i];

		game->spec = *spec;
		deal_keys_make_nonces(
		    &game->nonces, &rules->root_key, spec->index);
		memset(game->seeds, 0, sizeof(game->seeds));
		for (int seat = 0; seat < job->seat_count; seat++)
			game->seeds[seat] = shuffle_seat_seed(&rules->root_key,
			    spec->event, (uint64_t)spec->index + 1, seat);
	}
	if (whole)
		count_keys(rules, block, &job->keys);
	if (job->keys.deals > 0)
		deal_keys_make(&job->keys, &rules->root_key,
		    block->games[0].event, job->keys.deals, job->keys.redeals);
}

bool
planned_block_more_keys(struct planned_block *block)
{
	if (block->key_level + 1 == COUNTOF(key_deals))
		return false;
	block->key_level++;
	return true;
}

struct audit_copy
planned_block_copy(
    const struct planned_block *block, const struct accepted *accepted)
{
	return (struct audit_copy){
		.worker = accepted->worker,
		.trusted = accepted->trusted,
		.block = block->number,
		.game_count = block->game_count,
		.games = (const struct game_result *const *)accepted->results,
		.records = (const char *const *)accepted->records,
		.record_sizes = accepted->record_sizes,
	};
}

/* The size of a result without the unused part of its `fault`. */
static size_t
result_size(const struct game_result *result)
{
	return result->fault_entrant < 0 ? offsetof(struct game_result, fault)
					 : sizeof(*result);
}

/* That size, rounded up so that another result may follow. */
static size_t
result_space(const struct game_result *result)
{
	size_t unit = _Alignof(struct game_result);

	return (result_size(result) + unit - 1) / unit * unit;
}

struct accepted *
accepted_make(
    const struct queue_result *result, const struct result_checked *checked)
{
	size_t size = sizeof(struct accepted);
	struct accepted *accepted;
	char *bytes;

	for (int i = 0; i < checked->game_count; i++)
		size +=
		    result_space(&checked->games[i]) + checked->record_sizes[i];
	accepted = malloc(size);
	if (accepted == NULL)
		return NULL;
	accepted->uses = 1;
	accepted->name = result->name;
	accepted->trusted = result->trusted;
	memcpy(accepted->worker, result->worker, sizeof(accepted->worker));
	/* Structs first, so that they are aligned. */
	bytes = (char *)(accepted + 1);
	for (int i = 0; i < checked->game_count; i++) {
		accepted->results[i] = (struct game_result *)(void *)bytes;
		memcpy(
		    bytes, &checked->games[i], result_size(&checked->games[i]));
		bytes += result_space(&checked->games[i]);
	}
	for (int i = 0; i < checked->game_count; i++) {
		accepted->records[i] = bytes;
		accepted->record_sizes[i] = checked->record_sizes[i];
		memcpy(bytes, checked->records[i], checked->record_sizes[i]);
		bytes += checked->record_sizes[i];
	}
	return accepted;
}

void
accepted_drop(struct accepted *accepted)
{
	if (accepted != NULL && --accepted->uses == 0)
		free(accepted);
}

void
accepted_get(
    const struct accepted *accepted, int game, struct game_result *whole)
{
	memset(whole, 0, sizeof(*whole));
	memcpy(whole, accepted->results[game],
	    result_size(accepted->results[game]));
}

/* Finds the end of the record of the game that begins here: after its sum. */
static size_t
measure_game(const char *record)
{
	const char *sum = strstr(record, "\nsum ");

	return sum == NULL
	    ? strlen(record)
	    : (size_t)(sum - record) + 1 + strcspn(sum + 1, "\n") + 1;
}

/* Makes the result of a block of the run. */
static struct accepted *
load_result(const struct block_result *from, const char *record,
    const struct queue_result *name, struct planned_block *block)
{
	struct result_checked *checked = calloc(1, sizeof(*checked));
	struct accepted *accepted;

	if (checked == NULL)
		return NULL;
	checked->game_count = from->plan.game_count;
	for (int i = 0; i < from->plan.game_count; i++) {
		struct game_result *game = &checked->games[i];

		block->games[i] = runner_game(&from->plan, i);
		game->summary = from->games[i];
		game->fault_entrant = -1;
		memcpy(game->entrant, block->games[i].entrant,
		    sizeof(game->entrant));
		checked->records[i] = record;
		checked->record_sizes[i] = measure_game(record);
		record += checked->record_sizes[i];
	}
	accepted = accepted_make(name, checked);
	free(checked);
	return accepted;
}

int
planned_block_load(struct planned_block *block, const struct run *run,
    int64_t number, const char *worker, bool trusted, struct store_error *error)
{
	struct queue_result name = { .name = { .block = number },
		.trusted = trusted };
	struct block_result from;
	char *record;
	int status = run_block_read(run, number, &from, &record, error);

	if (status || from.skipped)
		return status;
	snprintf(name.worker, sizeof(name.worker), "%s", worker);
	memset(block, 0, sizeof(*block));
	block->number = number;
	block->game_count = from.plan.game_count;
	block->accepted = load_result(&from, record, &name, block);
	free(record);
	if (block->accepted == NULL)
		return store_fail(error, -ENOMEM, "", "no memory");
	return 1;
}
