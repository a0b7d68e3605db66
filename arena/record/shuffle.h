/*
 * Fair packs: from a 256-bit secret to the order of the cards, version 1.
 *
 *     root key = HMAC-SHA-256(secret, "scopa-arena-mix-v1|C1|C2...")
 *                with contributions, else the secret itself
 *     deal key = HMAC-SHA-256(root key, "scopa-arena-deal-v1|EVENT|DEAL|REDEAL")
 *     stream   = ChaCha20 (RFC 8439), key = deal key, nonce "LibsodiumDRG",
 *                counter from 0: randombytes_buf_deterministic of libsodium
 *     order    = for i = n - 1 down to 1: swap i and j, where j is the first
 *                byte of the stream below 256 - 256 mod (i + 1), modulo i + 1
 *
 * The commitment is published before the first deal and the secret after the
 * last deal.  With both, anybody can recompute every pack.  A single deal key
 * may be published, because it does not reveal other keys.
 * tests/golden/deals.tsv holds test vectors.
 */
#ifndef SHUFFLE_H
#define SHUFFLE_H

#include <stdbool.h>
#include <stdint.h>

#include "scopa/card.h"
#include "scopa/text.h"

#define SHUFFLE_ALGORITHM "scopa-arena-deal-v1"

enum {
	SHUFFLE_KEY_SIZE = 32,
	SHUFFLE_HEX_SIZE = 65, /* a key as hex digits, with NUL */
	SHUFFLE_DECK_MAX = 256,
	SHUFFLE_BLOCK_SIZE = 64,
	SHUFFLE_EVENT_MAX = 64 /* bytes of the name of an event */
};

/* A secret, a root key, a deal key or a SHA-256. */
struct shuffle_key {
	uint8_t bytes[SHUFFLE_KEY_SIZE];
};

/* The random bytes from which the order of one deal follows. */
struct shuffle_stream {
	struct shuffle_key key;
	uint8_t block[SHUFFLE_BLOCK_SIZE];
	uint32_t block_index; /* number of the next block */
	uint32_t used;        /* bytes of `block` that are already used */
};

/*
 * Reads 1 to 64 hex digits; a shorter number is filled with zeros on the left.
 * For anything else returns false and leaves *key as it is.
 */
bool shuffle_key_parse(const char *hex, struct shuffle_key *key);

/* Writes the key as 64 lower-case hex digits and a NUL. */
void shuffle_key_format(
    const struct shuffle_key *key, char hex[SHUFFLE_HEX_SIZE]);

/* Draws a secret from getentropy(3).  Returns 0 or -errno. */
int shuffle_key_draw(struct shuffle_key *key);

/*
 * Computes the commitment to a secret and a configuration (by its SHA-256): the
 * SHA-256 of a line with both in hex.
 */
void shuffle_commit(const struct shuffle_key *secret,
    const struct shuffle_key *config, struct shuffle_key *commit);

/*
 * Whether an event may have this name: 1 to SHUFFLE_EVENT_MAX printable bytes
 * without blanks and `|`.
 */
bool shuffle_event_valid(const char *event);

/*
 * The key of one deal; `redeal` is the number of packs of this deal that were
 * redealt.
 */
void shuffle_deal_key(const struct shuffle_key *root_key, const char *event,
    uint64_t deal, uint64_t redeal, struct shuffle_key *deal_key);

/*
 * The seed of a bot's own randomness in a game (the game is the N of `match
 * mN`), so that no two encounters of a round have the same seed.  It is the
 * first 8 bytes of HMAC-SHA-256(root key, "scopa-arena-seat-v1|EVENT|GAME|SEAT"),
 * the most significant byte first.  The parameter `seat` counts from 0; SEAT in
 * the message counts from 1.
 */
uint64_t shuffle_seat_seed(const struct shuffle_key *root_key,
    const char *event, uint64_t game, int seat);

void shuffle_stream_init(
    struct shuffle_stream *stream, const struct shuffle_key *deal_key);
uint8_t shuffle_stream_byte(struct shuffle_stream *stream);

/* The number of the next eight bytes, the most significant byte first. */
uint64_t shuffle_stream_number(struct shuffle_stream *stream);

/* A random number below `bound` (1..256); all numbers are equally likely. */
int shuffle_stream_below(struct shuffle_stream *stream, int bound);

/*
 * Puts the numbers 0..count-1 in the order of a deal key; deck[0] is dealt
 * first.
 */
void shuffle_deck(const struct shuffle_key *deal_key, uint8_t *deck, int count);

/*
 * The same for the 40 cards of the engine, whose numbers differ from those of
 * the specification.
 */
void shuffle_pack(
    const struct shuffle_key *deal_key, uint8_t pack[SCOPA_PACK_SIZE]);

/*
 * What entrants contribute to the secret of the packs, as `NAME=HEX`, and the
 * key that follows.
 *
 * The organiser could try many secrets and choose one with good packs for a
 * bot.  Bytes that others give after the organiser has published a commitment
 * prevent that.  One contribution is enough.
 */

enum {
	CONTRIBUTIONS_MAX = 136, /* every bot, and some public values */
	CONTRIBUTION_NAME_MAX = 64,
	CONTRIBUTION_HEX_MAX = 128,
	/* `NAME=HEX` and its NUL */
	CONTRIBUTION_SIZE = CONTRIBUTION_NAME_MAX + CONTRIBUTION_HEX_MAX + 2,
	/* All rows, joined by `|`. */
	CONTRIBUTIONS_SIZE = CONTRIBUTIONS_MAX * CONTRIBUTION_SIZE
};

/* Sorted by their bytes; each name occurs once. */
struct contributions {
	int count;
	char rows[CONTRIBUTIONS_MAX][CONTRIBUTION_SIZE]; /* `NAME=HEX` */
};

/*
 * Adds the contributions of a text: `NAME=HEX`, or several of them separated by
 * `|`.  Names are printable ASCII without blanks, `=` and `|`; capital hex
 * digits are stored as small ones.  On failure returns false with the reason in
 * `why`, and adds nothing.
 */
bool contributions_add(struct contributions *contributions, const char *text,
    struct scopa_text *why);

/*
 * Writes all contributions, joined by `|`, in the form that contributions_add
 * reads.
 */
void contributions_write(
    const struct contributions *contributions, char text[CONTRIBUTIONS_SIZE]);

/*
 * Computes the root key: the secret mixed with the contributions that were
 * collected after the commitment, or the secret itself if there are none.
 */
void contributions_mix(const struct contributions *contributions,
    const struct shuffle_key *secret, struct shuffle_key *root_key);

#endif
