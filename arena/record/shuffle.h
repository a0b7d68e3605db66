/*
 * Fair packs: from a 256-bit secret to the order of the cards, version 1.
 *
 *     key      = HMAC-SHA-256(secret, "scopa-arena-mix-v1|C1|C2...")
 *                with contributions, else the secret itself
 *     deal key = HMAC-SHA-256(key, "scopa-arena-deal-v1|EVENT|DEAL|REDEAL")
 *     stream   = ChaCha20 (RFC 8439), key = deal key, nonce "LibsodiumDRG",
 *                counter from 0: randombytes_buf_deterministic of libsodium
 *     order    = for i = n - 1 down to 1: swap i and j, where j is the first
 *                byte of the stream below 256 - 256 mod (i + 1), modulo i + 1
 *
 * Publishing the commitment before the first deal and the secret after the last
 * lets anybody recompute every pack.  One deal key may be shown without harm to
 * the others.  tests/golden/deals.tsv holds vectors.
 */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/card.h"
#include "scopa/text.h"

#define SHUFFLE_ALGORITHM "scopa-arena-deal-v1"

enum {
	SHUFFLE_KEY_SIZE = 32,
	SHUFFLE_HEX_SIZE = 65, /* of a key as hex digits, NUL included */
	SHUFFLE_DECK_MAX = 256,
	SHUFFLE_BLOCK_SIZE = 64,
	SHUFFLE_LINE_SIZE = 160, /* of a commitment line, NUL included */
	SHUFFLE_EVENT_MAX = 64   /* bytes of an event's name */
};

/* A secret, a mixed secret, a deal key, a SHA-256. */
struct shuffle_key {
	uint8_t bytes[SHUFFLE_KEY_SIZE];
};

/* The bytes that decide one deal. */
struct shuffle_stream {
	struct shuffle_key key;
	uint8_t block[SHUFFLE_BLOCK_SIZE];
	uint32_t block_index; /* of the next block */
	uint32_t used;        /* bytes of `block` that were taken */
};

/*
 * Reads 1 to 64 hex digits, padded with zeros on the left.  False, and nothing
 * written, for anything else.
 */
bool shuffle_key_parse(const char *hex, struct shuffle_key *key);

/* 64 lower-case hex digits. */
void shuffle_key_format(
    const struct shuffle_key *key, char hex[SHUFFLE_HEX_SIZE]);

/* Draws a secret from getrandom(2).  0, or -errno. */
int shuffle_key_draw(struct shuffle_key *key);

/*
 * The line that is hashed to commit to a secret and a configuration (its
 * SHA-256), line end included; and its SHA-256.
 */
void shuffle_commit_line(const struct shuffle_key *secret,
    const struct shuffle_key *config, char line[SHUFFLE_LINE_SIZE]);
void shuffle_commit(const struct shuffle_key *secret,
    const struct shuffle_key *config, struct shuffle_key *commit);

/*
 * Whether an event may have this name: 1 to SHUFFLE_EVENT_MAX printable bytes
 * without blanks and `|`.
 */
bool shuffle_event_valid(const char *event);

/* The key of one deal; `redeal` counts packs that were redealt before. */
void shuffle_deal_key(const struct shuffle_key *key, const char *event,
    uint64_t deal, uint64_t redeal, struct shuffle_key *deal_key);

/*
 * The seed of a bot's own randomness in a game, the N of `match mN`, so that no
 * two encounters of a round have the same: the first 8 bytes of
 * HMAC-SHA-256(secret, "scopa-arena-seat-v1|EVENT|GAME|SEAT"), most
 * significant first.  `seat` counts from 0, the message from 1.
 */
uint64_t shuffle_seat_seed(const struct shuffle_key *secret, const char *event,
    uint64_t game, int seat);

void shuffle_stream_init(
    struct shuffle_stream *stream, const struct shuffle_key *deal_key);
uint8_t shuffle_stream_byte(struct shuffle_stream *stream);

/* Eight bytes, the first one highest. */
uint64_t shuffle_stream_number(struct shuffle_stream *stream);

/* A number below `bound` (1..256), every one equally likely. */
int shuffle_stream_below(struct shuffle_stream *stream, int bound);

/* 0..count-1 in the order of a deal key; deck[0] is dealt first. */
void shuffle_deck(const struct shuffle_key *deal_key, uint8_t *deck, int count);

/* The same as 40 cards of the engine (the numbering differs). */
void shuffle_pack(
    const struct shuffle_key *deal_key, uint8_t pack[SCOPA_PACK_SIZE]);

/*
 * What entrants contribute to the secret of the packs, `NAME=HEX` each, and
 * what all of them make of it.
 *
 * The organiser could try secrets until one suits him.  Bytes that others give
 * after his commitment to a secret prevent that: one contribution is enough for
 * packs that nobody has chosen.
 */

enum {
	CONTRIBUTIONS_MAX = 136, /* every bot, and some public values */
	CONTRIBUTION_NAME_MAX = 64,
	CONTRIBUTION_HEX_MAX = 128,
	/* `NAME=HEX` and its NUL */
	CONTRIBUTION_SIZE = CONTRIBUTION_NAME_MAX + CONTRIBUTION_HEX_MAX + 2,
	/* all of them, joined by `|` */
	CONTRIBUTIONS_SIZE = CONTRIBUTIONS_MAX * CONTRIBUTION_SIZE
};

/* In the order of their bytes, each name once. */
struct contributions {
	int count;
	char rows[CONTRIBUTIONS_MAX][CONTRIBUTION_SIZE]; /* `NAME=HEX` */
};

/*
 * Adds those of a text: `NAME=HEX`, or more of them with `|` between.  Names
 * are printable ASCII without blanks, `=` and `|`; capital digits become small.
 * On failure false with the reason, and nothing was added.
 */
bool contributions_add(struct contributions *contributions, const char *text,
    struct scopa_text *why);

/* Writes all of them, joined by `|`: what contributions_add reads. */
void contributions_write(
    const struct contributions *contributions, char text[CONTRIBUTIONS_SIZE]);

/*
 * The key of all packs: contributions that were collected after the commitment
 * mixed with the secret; the secret itself where there are none.
 */
void contributions_mix(const struct contributions *contributions,
    const struct shuffle_key *secret, struct shuffle_key *key);

#endif
