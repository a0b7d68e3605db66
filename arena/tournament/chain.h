/*
 * The chain over the results of a run: a SHA-256 after each block that depends
 * on all blocks before it, so that none can be changed, dropped or put in
 * without changing all that follow.  What is hashed are lines of text, line end
 * included, for anybody with sha256sum:
 *
 *     scopa-arena-chain-v1 TERMS COMMITMENT CONTRIBUTIONS
 *     scopa-arena-chain-v1 LAST BLOCK RECORD RESULT...
 *
 * The first one begins a run: the SHA-256 of its terms, its commitment and what
 * was contributed, each `-` where there is none.  Each block then adds the
 * value so far, its number from 1, the SHA-256 of its record, and `skipped` or
 * for each game mN:SCORES:DEALS:WINNER:REASON:FORFEITER, teams as letters or
 * `-`.
 */
#ifndef CHAIN_H
#define CHAIN_H

#include "store.h"

/* The value before the first block. */
void chain_begin(
    const struct store_head *head, unsigned char chain[STORE_DIGEST_SIZE]);

/* From the value before a block to the one behind it. */
void chain_add(unsigned char chain[STORE_DIGEST_SIZE],
    const struct block_result *block,
    const unsigned char record[STORE_DIGEST_SIZE]);

#endif
