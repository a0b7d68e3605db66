/*
 * Ed25519 signatures of workers (libsodium, RFC 8032).
 *
 * A worker draws a key pair once and keeps the secret half in a file that only
 * its owner can read.  The organiser enrols the public half.
 */
#ifndef SIGNING_H
#define SIGNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SIGNING_PUBLIC_SIZE = 32,
	SIGNING_SECRET_SIZE = 64,
	SIGNING_SIGNATURE_SIZE = 64,
	SIGNING_HEX_SIZE = 2 * SIGNING_PUBLIC_SIZE + 1
};

struct signing_key {
	uint8_t public[SIGNING_PUBLIC_SIZE];
	uint8_t secret[SIGNING_SECRET_SIZE];
};

/*
 * Reads the key file, which has 64 hex digits and a line end.  If there is none,
 * it draws a key and writes the file (mode 0600, whole or not at all).  0 or
 * -errno: -EBADMSG: the file has no key; -EPERM: others may read or change it.
 */
int signing_key_open(struct signing_key *key, const char *path);

/* Overwrites the secret. */
void signing_key_close(struct signing_key *key);

/*
 * Signs the head of a result, and checks a signature.  The bytes that Ed25519
 * signs are the line `scopa-result-v1 SHA256`, line end included, with the
 * SHA-256 of the head.  So a signature can be checked with sha256sum and
 * openssl.
 */
void signing_sign(const struct signing_key *key, const void *bytes, size_t size,
    uint8_t signature[SIGNING_SIGNATURE_SIZE]);
bool signing_verify(const uint8_t public[SIGNING_PUBLIC_SIZE],
    const void *bytes, size_t size,
    const uint8_t signature[SIGNING_SIGNATURE_SIZE]);

#endif
