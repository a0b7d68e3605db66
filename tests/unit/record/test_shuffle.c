/*
 * The shuffle, compared with the vectors of tests/golden/deals.tsv, which
 * another implementation has computed, and properties that the vectors cannot
 * show.
 */
#include "shuffle.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

static struct shuffle_key
key_of(const char *hex)
{
	struct shuffle_key key;

	assert_int_equal(strlen(hex), 64);
	assert_true(shuffle_key_parse(hex, &key));
	return key;
}

static size_t
bytes_of(const char *hex, uint8_t *bytes, size_t size)
{
	size_t length = 0;

	assert_int_equal(
	    sodium_hex2bin(bytes, size, hex, strlen(hex), NULL, &length, NULL),
	    0);
	return length;
}

static void
assert_key(const struct shuffle_key *key, const char *hex)
{
	char text[SHUFFLE_HEX_SIZE];

	shuffle_key_format(key, text);
	assert_string_equal(text, hex);
}

/* uniform BOUND BYTES RESULT CONSUMED */
static void
check_uniform(char **fields, int field_count)
{
	struct shuffle_stream stream = { 0 };

	assert_int_equal(field_count, 5);
	bytes_of(fields[2], stream.block, sizeof(stream.block));
	assert_int_equal(
	    shuffle_stream_below(&stream, atoi(fields[1])), atoi(fields[3]));
	assert_int_equal(stream.used, atoi(fields[4]));
}

/* keystream KEY BYTES */
static void
check_keystream(char **fields, int field_count)
{
	struct shuffle_key key = key_of(fields[1]);
	struct shuffle_stream stream;
	uint8_t bytes[80];

	assert_int_equal(field_count, 3);
	assert_int_equal(bytes_of(fields[2], bytes, sizeof(bytes)), 80);
	shuffle_stream_init(&stream, &key);
	for (int i = 0; i < 80; i++)
		assert_int_equal(shuffle_stream_byte(&stream), bytes[i]);
}

/* commit SECRET CONFIG COMMITMENT */
static void
check_commit(char **fields, int field_count)
{
	struct shuffle_key secret = key_of(fields[1]);
	struct shuffle_key config = key_of(fields[2]);
	struct shuffle_key commit;

	assert_int_equal(field_count, 4);
	shuffle_commit(&secret, &config, &commit);
	assert_key(&commit, fields[3]);
}

/* mix SECRET MIXED CONTRIBUTION... */
static void
check_mix(char **fields, int field_count)
{
	struct shuffle_key secret = key_of(fields[1]);
	struct shuffle_key mixed;
	struct contributions contributions = { 0 };
	struct scopa_text why = support_text();

	for (int i = 3; i < field_count; i++)
		assert_true(contributions_add(&contributions, fields[i], &why));
	contributions_mix(&contributions, &secret, &mixed);
	assert_key(&mixed, fields[2]);
}

/* Draws the deck again, to count the bytes that are used of the stream. */
static void
check_consumption(
    const struct shuffle_key *key, int count, int used, int rejected)
{
	struct shuffle_stream stream;
	int total;

	shuffle_stream_init(&stream, key);
	for (int i = count - 1; i >= 1; i--)
		shuffle_stream_below(&stream, i + 1);
	total = (int)(stream.block_index - 1) * SHUFFLE_BLOCK_SIZE +
	    (int)stream.used;
	assert_int_equal(total, used);
	assert_int_equal(total - (count - 1), rejected);
}

/* deal SECRET EVENT DEAL REDEAL CARDS KEY CONSUMED REJECTED DECK [PACK] */
static void
check_deal(char **fields, int field_count)
{
	struct shuffle_key secret = key_of(fields[1]);
	uint64_t deal = strtoull(fields[3], NULL, 10);
	uint64_t redeal = strtoull(fields[4], NULL, 10);
	int count = atoi(fields[5]);
	struct shuffle_key key;
	uint8_t expected[SHUFFLE_DECK_MAX];
	uint8_t deck[SHUFFLE_DECK_MAX];
	uint8_t pack[SCOPA_PACK_SIZE];

	shuffle_deal_key(&secret, fields[2], deal, redeal, &key);
	assert_key(&key, fields[6]);
	check_consumption(&key, count, atoi(fields[7]), atoi(fields[8]));
	assert_int_equal(
	    bytes_of(fields[9], expected, sizeof(expected)), count);
	shuffle_deck(&key, deck, count);
	assert_memory_equal(deck, expected, (size_t)count);
	if (field_count < 11)
		return;
	shuffle_pack(&key, pack);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		assert_int_equal(pack[i], scopa_card_find(fields[10] + 2 * i));
}

TEST(test_shuffle_gives_every_vector)
{
	static const struct {
		const char *name;
		void (*check)(char **fields, int field_count);
		int count;
	} kinds[] = {
		{ "uniform", check_uniform, 7 },
		{ "keystream", check_keystream, 2 },
		{ "commit", check_commit, 4 },
		{ "mix", check_mix, 2 },
		{ "deal", check_deal, 29 },
	};
	static struct golden golden;
	int counts[COUNTOF(kinds)] = { 0 };

	while (golden_next(&golden, "deals.tsv")) {
		int kind = 0;

		while (kind < COUNTOF(kinds) &&
		    strcmp(golden.fields[0], kinds[kind].name) != 0)
			kind++;
		if (kind == COUNTOF(kinds))
			fail_msg("unknown vector %s", golden.fields[0]);
		kinds[kind].check(golden.fields, golden.field_count);
		counts[kind]++;
	}
	for (int i = 0; i < COUNTOF(kinds); i++)
		assert_int_equal(counts[i], kinds[i].count);
}

TEST(test_stream_is_that_of_libsodium)
{
	struct shuffle_key key = key_of("0123456789abcdef0123456789abcdef"
					"fedcba9876543210fedcba9876543210");
	struct shuffle_stream stream;
	uint8_t bytes[1000];

	randombytes_buf_deterministic(bytes, sizeof(bytes), key.bytes);
	shuffle_stream_init(&stream, &key);
	for (size_t i = 0; i < sizeof(bytes) / 2; i++)
		assert_int_equal(shuffle_stream_byte(&stream), bytes[i]);
	for (size_t i = sizeof(bytes) / 2; i + 8 <= sizeof(bytes); i += 8) {
		uint64_t number = shuffle_stream_number(&stream);

		for (size_t byte = 0; byte < 8; byte++)
			assert_int_equal(
			    number >> (56 - 8 * byte) & 0xFF, bytes[i + byte]);
	}
}

/* The number that one byte of the stream gives, or -1 if it is rejected. */
static int
below_of_byte(uint8_t byte, int bound)
{
	struct shuffle_stream stream = { 0 };
	int number;

	stream.block[0] = byte;
	number = shuffle_stream_below(&stream, bound);
	return stream.used == 1 ? number : -1;
}

TEST(test_every_number_below_a_bound_is_equally_likely)
{
	double rejected = 0;

	for (int bound = 1; bound <= 256; bound++) {
		int counts[256] = { 0 };
		int refused = 0;

		for (int byte = 0; byte < 256; byte++) {
			int number = below_of_byte((uint8_t)byte, bound);

			if (number < 0)
				refused++;
			else
				counts[number]++;
		}
		for (int number = 0; number < 256; number++)
			assert_int_equal(
			    counts[number], number < bound ? 256 / bound : 0);
		if (bound >= 2 && bound <= 40)
			rejected += refused / 256.0;
	}
	/* The mean number of bytes that are rejected for a pack of 40. */
	assert_true(fabs(rejected - 1.402344) < 1e-6);
}

TEST(test_short_secret_is_padded_on_the_left)
{
	struct shuffle_key key;

	assert_true(shuffle_key_parse("aBc", &key));
	assert_key(&key,
	    "0000000000000000000000000000000000000000000000000000"
	    "000000000abc");
	assert_true(shuffle_key_parse("7", &key));
	assert_int_equal(key.bytes[31], 7);
}

TEST(test_malformed_secret_is_refused)
{
	static const char *const bad[] = { "", "0x12", "12 ", "g", "-1" };
	char long_hex[66];
	struct shuffle_key key = { { 9 } };

	for (size_t i = 0; i < COUNTOF(bad); i++) {
		assert_false(shuffle_key_parse(bad[i], &key));
		assert_int_equal(key.bytes[0], 9);
	}
	memset(long_hex, '0', sizeof(long_hex));
	long_hex[65] = '\0';
	assert_false(shuffle_key_parse(long_hex, &key));
	long_hex[64] = '\0';
	assert_true(shuffle_key_parse(long_hex, &key));
}

TEST(test_seat_seed_is_the_beginning_of_its_hmac)
{
	static const char message[] = "scopa-arena-seat-v1|cup|12|3";
	struct shuffle_key secret = { { 5, 6, 7 } };
	uint8_t hash[crypto_auth_hmacsha256_BYTES];
	char expected[17];
	char text[17];

	crypto_auth_hmacsha256(hash, (const unsigned char *)message,
	    sizeof(message) - 1, secret.bytes);
	sodium_bin2hex(expected, sizeof(expected), hash, 8);
	snprintf(text, sizeof(text), "%016" PRIx64,
	    shuffle_seat_seed(&secret, "cup", 12, 2));
	assert_string_equal(text, expected);
	assert_true(shuffle_seat_seed(&secret, "cup", 12, 0) !=
	    shuffle_seat_seed(&secret, "cup", 12, 1));
	assert_true(shuffle_seat_seed(&secret, "cup", 1, 0) !=
	    shuffle_seat_seed(&secret, "cup", 2, 0));
}

TEST(test_event_name_cannot_give_the_packs_of_another_event)
{
	char name[SHUFFLE_EVENT_MAX + 2];

	assert_true(shuffle_event_valid("!t-2026.1~"));
	assert_false(shuffle_event_valid(""));
	assert_false(shuffle_event_valid("cup|1"));
	assert_false(shuffle_event_valid("spring cup"));
	assert_false(shuffle_event_valid("caf\xc3\xa9"));
	memset(name, 'x', sizeof(name));
	name[SHUFFLE_EVENT_MAX + 1] = '\0';
	assert_false(shuffle_event_valid(name));
	name[SHUFFLE_EVENT_MAX] = '\0';
	assert_true(shuffle_event_valid(name));
}

/*
 * Contributions of entrants to the secret: they are read, sorted, mixed.
 */
static bool
add(struct contributions *contributions, const char *text)
{
	struct scopa_text why = SCOPA_TEXT(256);
	bool added;

	added = contributions_add(contributions, text, &why);
	assert_int_equal(added, why.length == 0);
	return added;
}

static void
expect_written(const struct contributions *contributions, const char *expected)
{
	char text[CONTRIBUTIONS_SIZE];

	contributions_write(contributions, text);
	assert_string_equal(text, expected);
}

TEST(test_order_of_contributions_does_not_matter)
{
	struct contributions one = { 0 }, other = { 0 };

	assert_true(add(&one, "bob=deadbeef"));
	assert_true(add(&one, "alice=00112233"));
	assert_true(add(&one, "alice-2=7"));
	assert_true(add(&other, "alice-2=7|bob=DEADBEEF|alice=00112233"));
	/* Sorted by bytes, as sort(1) does in the C locale. */
	expect_written(&one, "alice-2=7|alice=00112233|bob=deadbeef");
	expect_written(&other, "alice-2=7|alice=00112233|bob=deadbeef");
}

TEST(test_bad_contributions_are_refused_and_change_nothing)
{
	static const char *const bad[] = { "", "alice", "=00",
		"alice=", "alice=0g", "al ice=00", "alice=00|", "|alice=00",
		"dora=00|dora=01", "bob=01", "alice=00|bob=02", "al\x7f=0",
		"alice=0 ", "alice==0" };
	struct contributions contributions = { 0 };

	assert_true(add(&contributions, "bob=deadbeef"));
	for (int i = 0; i < COUNTOF(bad); i++) {
		assert_false(add(&contributions, bad[i]));
		expect_written(&contributions, "bob=deadbeef");
	}
}

TEST(test_contributions_are_limited)
{
	static struct contributions contributions;
	char text[CONTRIBUTION_SIZE + 8], all[CONTRIBUTIONS_SIZE];
	int length;

	length = snprintf(text, sizeof(text), "%064d=", 0);
	memset(text + length, 'f', CONTRIBUTION_HEX_MAX + 1);
	text[length + CONTRIBUTION_HEX_MAX + 1] = '\0';
	assert_false(add(&contributions, text));
	snprintf(text, sizeof(text), "%065d=0", 0);
	assert_false(add(&contributions, text));
	for (int i = 0; i < CONTRIBUTIONS_MAX; i++) {
		length = snprintf(text, sizeof(text), "%064d=", i);
		memset(text + length, 'f', CONTRIBUTION_HEX_MAX);
		text[length + CONTRIBUTION_HEX_MAX] = '\0';
		assert_true(add(&contributions, text));
	}
	assert_false(add(&contributions, "one-more=0"));
	assert_int_equal(contributions.count, CONTRIBUTIONS_MAX);
	contributions_write(&contributions, all);
	assert_int_equal(strlen(all), CONTRIBUTIONS_SIZE - 1);
}
