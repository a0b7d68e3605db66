/*
 * Fair packs; shuffle.h specifies every step.
 *
 * Every byte of the result is fixed by that specification and by
 * tests/golden/deals.tsv.  The order of cards and the contributions must
 * therefore not depend on the machine.
 */
#include "shuffle.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "words.h"

static_assert(SHUFFLE_KEY_SIZE == crypto_auth_hmacsha256_BYTES, "HMAC");
static_assert(SHUFFLE_KEY_SIZE == crypto_auth_hmacsha256_KEYBYTES, "key");
static_assert(SHUFFLE_KEY_SIZE == crypto_hash_sha256_BYTES, "SHA-256");
static_assert(SHUFFLE_KEY_SIZE == crypto_stream_chacha20_ietf_KEYBYTES, "key");

bool
shuffle_key_parse(const char *hex, struct shuffle_key *key)
{
	size_t length = strlen(hex);
	struct shuffle_key read = { 0 };

	if (length < 1 || length > 2 * sizeof(read.bytes))
		return false;
	for (size_t i = 0; i < length; i++) {
		size_t place = length - 1 - i;
		int value = hex_value(hex[i]);

		if (value < 0)
			return false;
		read.bytes[sizeof(read.bytes) - 1 - place / 2] |=
		    (uint8_t)(value << (place % 2 * 4));
	}
	*key = read;
	return true;
}

void
shuffle_key_format(const struct shuffle_key *key, char hex[SHUFFLE_HEX_SIZE])
{
	sodium_bin2hex(hex, SHUFFLE_HEX_SIZE, key->bytes, sizeof(key->bytes));
}

int
shuffle_key_draw(struct shuffle_key *key)
{
	return getentropy(key->bytes, sizeof(key->bytes)) < 0 ? -errno : 0;
}

void
shuffle_commit(const struct shuffle_key *secret,
    const struct shuffle_key *config, struct shuffle_key *commit)
{
	char secret_hex[SHUFFLE_HEX_SIZE], config_hex[SHUFFLE_HEX_SIZE];
	char line[2 * SHUFFLE_HEX_SIZE + 32];

	shuffle_key_format(secret, secret_hex);
	shuffle_key_format(config, config_hex);
	snprintf(line, sizeof(line), "scopa-arena-commit-v1 %s %s\n",
	    secret_hex, config_hex);
	crypto_hash_sha256(
	    commit->bytes, (const unsigned char *)line, strlen(line));
	sodium_memzero(line, sizeof(line));
	sodium_memzero(secret_hex, sizeof(secret_hex));
}

static void
keyed_hash(
    const struct shuffle_key *key, const char *text, struct shuffle_key *result)
{
	crypto_auth_hmacsha256(result->bytes, (const unsigned char *)text,
	    strlen(text), key->bytes);
}

/* Whether a name has 1 to `max` printable bytes without blanks and `|`. */
static bool
is_name(const char *name, size_t length, size_t max)
{
	for (size_t i = 0; i < length; i++)
		if (name[i] < '!' || name[i] > '~' || name[i] == '|')
			return false;
	return length >= 1 && length <= max;
}

bool
shuffle_event_valid(const char *event)
{
	return is_name(event, strlen(event), SHUFFLE_EVENT_MAX);
}

/* The HMAC of `KIND|EVENT|FIRST|SECOND`, the form of all uses of a key. */
static void
numbered_key(const struct shuffle_key *key, const char *kind, const char *event,
    const uint64_t numbers[2], struct shuffle_key *result)
{
	char text[SHUFFLE_EVENT_MAX + 80];

	/* If a name contained `|`, two events could have the same packs. */
	assert(shuffle_event_valid(event));
	snprintf(text, sizeof(text), "%s|%s|%" PRIu64 "|%" PRIu64, kind, event,
	    numbers[0], numbers[1]);
	keyed_hash(key, text, result);
}

void
shuffle_deal_key(const struct shuffle_key *root_key, const char *event,
    uint64_t deal, uint64_t redeal, struct shuffle_key *deal_key)
{
	const uint64_t numbers[2] = { deal, redeal };

	numbered_key(root_key, SHUFFLE_ALGORITHM, event, numbers, deal_key);
}

uint64_t
shuffle_seat_seed(const struct shuffle_key *root_key, const char *event,
    uint64_t game, int seat)
{
	const uint64_t numbers[2] = { game, (uint64_t)seat + 1 };
	struct shuffle_key hash;
	uint64_t seed = 0;

	numbered_key(root_key, "scopa-arena-seat-v1", event, numbers, &hash);
	for (int i = 0; i < 8; i++)
		seed = seed << 8 | hash.bytes[i];
	return seed;
}

void
shuffle_stream_init(
    struct shuffle_stream *stream, const struct shuffle_key *deal_key)
{
	stream->key = *deal_key;
	stream->block_index = 0;
	stream->used = SHUFFLE_BLOCK_SIZE;
}

static void
next_block(struct shuffle_stream *stream)
{
	static const unsigned char nonce[] = { 'L', 'i', 'b', 's', 'o', 'd',
		'i', 'u', 'm', 'D', 'R', 'G' };
	static const unsigned char zeros[SHUFFLE_BLOCK_SIZE];

	static_assert(
	    sizeof(nonce) == crypto_stream_chacha20_ietf_NONCEBYTES, "nonce");
	crypto_stream_chacha20_ietf_xor_ic(stream->block, zeros, sizeof(zeros),
	    nonce, stream->block_index, stream->key.bytes);
	stream->block_index++;
	stream->used = 0;
}

uint8_t
shuffle_stream_byte(struct shuffle_stream *stream)
{
	if (stream->used == SHUFFLE_BLOCK_SIZE)
		next_block(stream);
	return stream->block[stream->used++];
}

uint64_t
shuffle_stream_number(struct shuffle_stream *stream)
{
	uint64_t number = 0;

	for (int i = 0; i < 8; i++)
		number = number << 8 | shuffle_stream_byte(stream);
	return number;
}

int
shuffle_stream_below(struct shuffle_stream *stream, int bound)
{
	int limit;
	int byte;

	/*
	 * Bytes from the greatest multiple of the bound on are not used,
	 * because they would make the low numbers more likely.
	 */
	assert(bound >= 1 && bound <= 256);
	limit = 256 - 256 % bound;
	do {
		byte = shuffle_stream_byte(stream);
	} while (byte >= limit);
	return byte % bound;
}

void
shuffle_deck(const struct shuffle_key *deal_key, uint8_t *deck, int count)
{
	struct shuffle_stream stream;

	assert(count >= 0 && count <= SHUFFLE_DECK_MAX);
	shuffle_stream_init(&stream, deal_key);
	for (int i = 0; i < count; i++)
		deck[i] = (uint8_t)i;
	for (int i = count - 1; i >= 1; i--) {
		int j = shuffle_stream_below(&stream, i + 1);
		uint8_t card = deck[i];

		deck[i] = deck[j];
		deck[j] = card;
	}
	sodium_memzero(&stream, sizeof(stream));
}

void
shuffle_pack(const struct shuffle_key *deal_key, uint8_t pack[SCOPA_PACK_SIZE])
{
	/* The suits in the order of the specification. */
	static const enum scopa_suit suits[] = { SCOPA_DENARI, SCOPA_COPPE,
		SCOPA_SPADE, SCOPA_BASTONI };

	static_assert(
	    sizeof(suits) / sizeof(suits[0]) == SCOPA_SUIT_COUNT, "four suits");
	shuffle_deck(deal_key, pack, SCOPA_PACK_SIZE);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		int value = pack[i] % SCOPA_VALUE_MAX + 1;

		pack[i] =
		    scopa_card_of(value, suits[pack[i] / SCOPA_VALUE_MAX]);
	}
}

/* Contributions to the secret of the packs. */

static bool
refuse_contribution(struct scopa_text *why, const char *sentence)
{
	scopa_text_string(why, sentence);
	return false;
}

static bool
digits_fit(const char *digits, size_t length)
{
	if (length < 1 || length > CONTRIBUTION_HEX_MAX)
		return false;
	for (size_t i = 0; i < length; i++)
		if (hex_value(digits[i]) < 0)
			return false;
	return true;
}

/* Whether two rows have the same name. */
static bool
is_namesake(const char *one, const char *other)
{
	size_t length = strcspn(one, "=");

	return length == strcspn(other, "=") && memcmp(one, other, length) == 0;
}

/* Inserts one row at its place in the order of bytes. */
static bool
row_put(struct contributions *contributions, const char *row,
    struct scopa_text *why)
{
	int at = contributions->count;

	if (at == CONTRIBUTIONS_MAX)
		return refuse_contribution(
		    why, "there are too many contributions");
	for (int i = 0; i < at; i++)
		if (is_namesake(contributions->rows[i], row))
			return refuse_contribution(
			    why, "each name can contribute only once");
	for (; at > 0 && strcmp(contributions->rows[at - 1], row) > 0; at--)
		memcpy(contributions->rows[at], contributions->rows[at - 1],
		    CONTRIBUTION_SIZE);
	memcpy(contributions->rows[at], row, strlen(row) + 1);
	contributions->count++;
	return true;
}

/* Reads `length` bytes as one contribution and inserts it. */
static bool
row_add(struct contributions *contributions, const char *text, size_t length,
    struct scopa_text *why)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : 0;
	char row[CONTRIBUTION_SIZE];

	if (!equals || !is_name(text, name, CONTRIBUTION_NAME_MAX) ||
	    !digits_fit(equals + 1, length - name - 1))
		return refuse_contribution(why,
		    "expects NAME=HEX: up to 64 letters, digits and signs "
		    "without blanks, and 1 to 128 hex digits");
	memcpy(row, text, length);
	row[length] = '\0';
	for (char *digit = row + name; *digit; digit++)
		*digit = (char)tolower((unsigned char)*digit);
	return row_put(contributions, row, why);
}

bool
contributions_add(struct contributions *contributions, const char *text,
    struct scopa_text *why)
{
	struct contributions made = *contributions;

	for (;;) {
		size_t length = strcspn(text, "|");

		if (!row_add(&made, text, length, why))
			return false;
		if (text[length] == '\0')
			break;
		text += length + 1;
	}
	*contributions = made;
	return true;
}

void
contributions_write(
    const struct contributions *contributions, char text[CONTRIBUTIONS_SIZE])
{
	struct scopa_text all;

	scopa_text_init(&all, text, CONTRIBUTIONS_SIZE);
	for (int i = 0; i < contributions->count; i++)
		scopa_text_print(
		    &all, "%s%s", i > 0 ? "|" : "", contributions->rows[i]);
}

void
contributions_mix(const struct contributions *contributions,
    const struct shuffle_key *secret, struct shuffle_key *root_key)
{
	char all[CONTRIBUTIONS_SIZE], text[32 + CONTRIBUTIONS_SIZE];

	if (contributions->count == 0) {
		*root_key = *secret;
		return;
	}
	contributions_write(contributions, all);
	snprintf(text, sizeof(text), "scopa-arena-mix-v1|%s", all);
	keyed_hash(secret, text, root_key);
}
