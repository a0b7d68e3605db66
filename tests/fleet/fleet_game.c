/*
 * A record contains all inputs of its game, so that one wrong key, seed or seat
 * gives another record.
 */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "fleet.h"

enum { PLAYS = 36, CARDS = 40, PADDING = 60 };

void
fleet_keys_of_run(struct fleet_keys *keys, const struct match_rules *rules,
    const struct game_spec *spec)
{
	shuffle_deal_key(&rules->root_key, spec->event, 1, 0, &keys->deal);
	deal_keys_make_nonces(&keys->nonces, &rules->root_key, spec->index);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		keys->seeds[seat] = seat < rules->rules.players
		    ? shuffle_seat_seed(&rules->root_key, spec->event,
			  (uint64_t)spec->index + 1, seat)
		    : 0;
}

void
fleet_keys_of_slot(struct fleet_keys *keys, const struct deal_keys_slot *slot,
    const struct game_spec *spec)
{
	keys->deal = *deal_keys_find(&slot->keys, 0, 0);
	keys->nonces = slot->nonces[spec->rotation];
	memcpy(keys->seeds, slot->seeds[spec->rotation], sizeof(keys->seeds));
}

static void
summarise(
    const struct game_spec *spec, const int points[2], struct summary *summary)
{
	*summary = (struct summary){
		.game = spec->index,
		.round = spec->round,
		.rotation = spec->rotation,
		.seat_count = 2,
		.team_count = 2,
		.team = { 0, 1 },
		.deal_count = 1,
		.scores = { points[0], points[1] },
		.winner = points[0] == points[1] ? SCOPA_TEAM_NONE
						 : points[0] < points[1],
		.forfeiter = SCOPA_TEAM_NONE,
		.reason = "deals",
		.offender = -1,
	};
	for (int seat = 0; seat < 2; seat++)
		snprintf(summary->names[seat], sizeof(summary->names[seat]),
		    "bot \"%d\"", spec->entrant[seat]);
}

size_t
fleet_game_play(const struct game_spec *spec, const struct fleet_keys *keys,
    int variant, struct summary *summary, char record[FLEET_RECORD_SIZE])
{
	char deal[SHUFFLE_HEX_SIZE], nonces[SHUFFLE_HEX_SIZE];
	int points[2], altered = PLAYS;
	uint64_t luck;
	char *at = record;

	shuffle_key_format(&keys->deal, deal);
	shuffle_key_format(&keys->nonces, nonces);
	memcpy(&luck, keys->deal.bytes, sizeof(luck));
	luck += (uint64_t)variant * 1000003 + (uint64_t)spec->rotation;
	/* The first bot is slightly better. */
	for (int seat = 0; seat < 2; seat++)
		points[seat] = (int)(splitmix_next(&luck) % 9) +
		    (spec->entrant[seat] == 0 && splitmix_next(&luck) % 4 == 0);
	memcpy(&luck, keys->deal.bytes, sizeof(luck));
	if (variant != 0)
		altered = (int)((unsigned)variant % PLAYS);
	at += sprintf(at,
	    "match m%d\ntag event=%s round=%d voided=%s dealer=%d\n"
	    "seat 1 bot=%d seed=%016" PRIx64 "\nseat 2 bot=%d seed=%016" PRIx64
	    "\nnonces %s\npack 1 seed=%s\ndeal 1\n",
	    spec->index + 1, spec->event, spec->round + 1, spec->voided,
	    spec->dealer, spec->entrant[0], keys->seeds[0], spec->entrant[1],
	    keys->seeds[1], nonces, deal);
	for (int play = 0; play < PLAYS; play++)
		at += sprintf(at, "play %d %d%s state=%.*s\n", play % 2 + 1,
		    (int)(splitmix_next(&luck) % CARDS),
		    play >= altered ? "x" : "", PADDING, deal);
	at += sprintf(at, "endmatch m%d scores=A:%d,B:%d\nsum lines=9\n",
	    spec->index + 1, points[0], points[1]);
	summarise(spec, points, summary);
	return (size_t)(at - record);
}

/* The size of the first record in a result. */
static size_t
record_length(const char *record, const char *end)
{
	static const char last[] = "\nsum lines=9\n";
	const char *at =
	    memmem(record, (size_t)(end - record), last, sizeof(last) - 1);

	return at != NULL ? (size_t)(at - record) + sizeof(last) - 1
			  : (size_t)(end - record);
}

/* Whether this is the record of the game, in any variant. */
static bool
is_game(const struct fleet_check *check, const struct job_game *game,
    const char *record, size_t size, struct summary *summary)
{
	static char expected[FLEET_RECORD_SIZE];
	struct fleet_keys keys;

	fleet_keys_of_run(&keys, &check->config->rules, &game->spec);
	for (int variant = 0; variant < 2; variant++)
		if (fleet_game_play(&game->spec, &keys, variant, summary,
			expected) == size &&
		    memcmp(record, expected, size) == 0)
			return true;
	return false;
}

static bool
is_signed(const struct fleet_check *check, const struct job *job,
    const struct queue_result *result, struct result_head *head)
{
	uint8_t digest[32];
	struct scopa_text why = SCOPA_TEXT(256);

	crypto_hash_sha256(
	    digest, (const unsigned char *)result->record, result->record_size);
	return signing_verify(result->key, result->head, strlen(result->head),
		   result->signature) &&
	    result_head_read(head, result->head, &why) &&
	    strcmp(head->run, check->uid) == 0 &&
	    head->name.block == job->name.block &&
	    head->name.attempt == result->name.attempt &&
	    memcmp(head->digest, digest, sizeof(digest)) == 0;
}

int
fleet_check(void *context, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why)
{
	static struct result_head head;
	struct fleet_check *check = context;
	const char *record = result->record;
	const char *end = record + result->record_size;

	if (!is_signed(check, job, result, &head)) {
		check->counts->refused++;
		scopa_text_string(why, "it is not signed");
		return 0;
	}
	checked->game_count = job->game_count;
	for (int game = 0; game < job->game_count; game++) {
		struct game_result *accepted = &checked->games[game];
		size_t size = record_length(record, end);

		*accepted = (struct game_result){ .fault_entrant = -1,
			.fault.seat = -1 };
		if (!is_game(check, &job->games[game], record, size,
			&accepted->summary)) {
			check->counts->refused++;
			scopa_text_string(why, "it is another game");
			return 0;
		}
		memcpy(accepted->entrant, job->games[game].spec.entrant,
		    sizeof(accepted->entrant));
		memcpy(check->records[game], record, size);
		checked->records[game] = check->records[game];
		checked->record_sizes[game] = size;
		record += size;
	}
	return record == end;
}
