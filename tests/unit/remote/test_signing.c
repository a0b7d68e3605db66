/*
 * Keys of workers, their files, and signatures.
 */
#include "signing.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults.h"
#include "folder.h"
#include "test.h"

TEST_EACH(test_folder_make, test_folder_remove)

static const char text[] = "scopa-result 1\n";

TEST(test_key_is_drawn_once_and_read_again)
{
	const char *path = test_path("key");
	struct signing_key key, again, other;
	struct stat about;

	assert_int_equal(signing_key_open(&key, path), 0);
	assert_int_equal(stat(path, &about), 0);
	assert_int_equal(about.st_mode & 07777, 0600);
	assert_int_equal(folder_file_count(test_folder), 1);
	assert_int_equal(signing_key_open(&again, path), 0);
	assert_memory_equal(&key, &again, sizeof(key));
	assert_int_equal(signing_key_open(&other, test_path("other")), 0);
	assert_memory_not_equal(key.public, other.public, sizeof(key.public));
	signing_key_close(&key);
	assert_int_equal(key.secret[0] | key.secret[63], 0);
}

/* In a container, the next process may have the same process id. */
TEST(test_file_of_a_killed_process_does_not_prevent_a_key)
{
	struct signing_key key;
	char name[32];

	snprintf(name, sizeof(name), "key.%d", (int)getpid());
	folder_write(test_path(name), "");
	assert_int_equal(signing_key_open(&key, test_path("key")), 0);
}

/* The key of an enrolled worker survives a loss of power. */
TEST(test_new_key_is_synchronised_before_it_is_used)
{
	const char *path = test_path("key");
	struct signing_key key;
	bool there = false;
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		unlink(path);
		faults_arm(test_folder, FAULT_DISK, step, FAULT_SURVIVES_NONE);
		status = signing_key_open(&key, path);
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		there |= status != 0 && access(path, F_OK) == 0;
	}
	assert_true(there);
}

/* 63 digits, one too few. */
#define DIGITS "00112233445566778899aabbccddeeff00112233445566778899aabbccddeef"

TEST(test_file_that_is_no_key_is_refused_and_not_changed)
{
	static const char *const texts[] = { "", "x", DIGITS "\n", DIGITS "f",
		DIGITS "g\n", DIGITS "F\n", DIGITS "f\n\n" };
	const char *path = test_path("key");
	struct signing_key key;

	for (size_t i = 0; i < COUNTOF(texts); i++) {
		folder_write(path, texts[i]);
		assert_int_equal(chmod(path, 0600), 0);
		assert_int_equal(signing_key_open(&key, path), -EBADMSG);
	}
	assert_int_equal(mkfifo(test_path("pipe"), 0600), 0);
	assert_int_equal(signing_key_open(&key, test_path("pipe")), -EBADMSG);
	assert_int_equal(signing_key_open(&key, test_folder), -EBADMSG);
}

TEST(test_key_that_others_may_read_is_refused)
{
	static const mode_t modes[] = { 0640, 0604, 0620, 0601 };
	const char *path = test_path("key");
	struct signing_key key;

	assert_int_equal(signing_key_open(&key, path), 0);
	for (size_t i = 0; i < COUNTOF(modes); i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		assert_int_equal(signing_key_open(&key, path), -EPERM);
	}
	assert_int_equal(
	    signing_key_open(&key, test_path("none/key")), -ENOENT);
}

TEST(test_signature_is_valid_only_for_its_text_and_key)
{
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	struct signing_key key, other;
	char changed[sizeof(text)];

	assert_int_equal(signing_key_open(&key, test_path("key")), 0);
	assert_int_equal(signing_key_open(&other, test_path("other")), 0);
	signing_sign(&key, text, strlen(text), signature);
	assert_true(signing_verify(key.public, text, strlen(text), signature));
	assert_false(
	    signing_verify(other.public, text, strlen(text), signature));
	assert_false(
	    signing_verify(key.public, text, strlen(text) - 1, signature));
	memcpy(changed, text, sizeof(text));
	changed[strlen(text) - 1] ^= 1;
	assert_false(
	    signing_verify(key.public, changed, strlen(text), signature));
	signature[sizeof(signature) - 1] ^= 1;
	assert_false(signing_verify(key.public, text, strlen(text), signature));
}

/*
 * Computed by another program, the openssl of Debian 12, with the seed of RFC
 * 8032, 7.1, TEST 1, of the line `scopa-result-v1 SHA256("scopa-result 1\n")`.
 */
TEST(test_signature_is_the_one_of_openssl)
{
	static const uint8_t expected[SIGNING_SIGNATURE_SIZE] = { 0x11, 0x96,
		0xf9, 0xc0, 0x2f, 0x8c, 0x0b, 0xf7, 0x11, 0x58, 0xfb, 0x9c,
		0xc5, 0x13, 0xf3, 0x6d, 0xe0, 0xa7, 0xa1, 0x0b, 0x43, 0x4e,
		0x28, 0x82, 0x37, 0xd1, 0x60, 0x60, 0xf8, 0x15, 0x4b, 0x99,
		0xe0, 0x21, 0xe4, 0x9c, 0xea, 0x97, 0x50, 0xc7, 0x34, 0x70,
		0x3b, 0x1b, 0xf4, 0xfd, 0x52, 0x7b, 0x77, 0x60, 0x34, 0x93,
		0x81, 0xea, 0xb9, 0x72, 0x9b, 0xe3, 0xed, 0x87, 0x61, 0x51,
		0x7f, 0x07 };
	static const char seed[] =
	    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
	    "\n";
	const char *path = test_path("key");
	uint8_t signature[SIGNING_SIGNATURE_SIZE];
	char hex[SIGNING_HEX_SIZE];
	struct signing_key key;

	folder_write(path, seed);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(signing_key_open(&key, path), 0);
	sodium_bin2hex(hex, sizeof(hex), key.public, sizeof(key.public));
	assert_string_equal(hex,
	    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511"
	    "a");
	signing_sign(&key, text, strlen(text), signature);
	assert_memory_equal(signature, expected, sizeof(signature));
}
