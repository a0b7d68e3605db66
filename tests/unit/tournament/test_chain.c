/*
 * The chain of results: what it is made of, and what it notices.
 */
#include "store.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "rows.h"
#include "test.h"

enum { HEX_SIZE = 2 * STORE_DIGEST_SIZE + 1 };

static void
expect_hash_of(const unsigned char chain[STORE_DIGEST_SIZE], const char *line)
{
	unsigned char expected[STORE_DIGEST_SIZE];

	crypto_hash_sha256(expected, (const unsigned char *)line, strlen(line));
	assert_memory_equal(chain, expected, sizeof(expected));
}

TEST(test_beginning_is_terms_commitment_and_contributions)
{
	static struct store_head head;
	unsigned char chain[STORE_DIGEST_SIZE];

	store_chain_begin(&head, chain);
	expect_hash_of(chain, "scopa-arena-chain-v1 - - -\n");
	strcpy(head.terms, "aa");
	strcpy(head.commitment, "bb");
	strcpy(head.contributions, "alice=00|bob=01");
	store_chain_begin(&head, chain);
	expect_hash_of(chain, "scopa-arena-chain-v1 aa bb alice=00|bob=01\n");
}

/* Two games, the first one a draw. */
static struct block_result
some_block(void)
{
	return (struct block_result){
		.plan = { .index = 6, .game_count = 2 },
		.games = {
			{ .game = 12, .team_count = 2, .scores = { 11, -3 },
			    .deal_count = 4, .winner = SCOPA_TEAM_NONE,
			    .forfeiter = SCOPA_TEAM_NONE,
			    .reason = "deals" },
			{ .game = 13, .team_count = 2, .scores = { 0, 0 },
			    .deal_count = 0, .winner = 1, .forfeiter = 0,
			    .reason = "forfeit" },
		},
	};
}

TEST(test_block_is_number_record_and_results)
{
	struct block_result block = some_block();
	unsigned char chain[STORE_DIGEST_SIZE] = { 0x01 };
	const unsigned char record[STORE_DIGEST_SIZE] = { 0xAB };

	store_chain_add(chain, &block, record);
	expect_hash_of(chain,
	    "scopa-arena-chain-v1 "
	    "01000000000000000000000000000000"
	    "00000000000000000000000000000000 7 "
	    "ab000000000000000000000000000000"
	    "00000000000000000000000000000000 "
	    "m13:11,-3:4:-:deals:- m14:0,0:0:B:forfeit:A\n");
	memset(chain, 0, sizeof(chain));
	block.skipped = true;
	store_chain_add(chain, &block, record);
	expect_hash_of(chain,
	    "scopa-arena-chain-v1 "
	    "00000000000000000000000000000000"
	    "00000000000000000000000000000000 7 "
	    "ab000000000000000000000000000000"
	    "00000000000000000000000000000000 skipped\n");
}

TEST(test_longest_lines_fit)
{
	static struct store_head head;
	struct block_result block = { .plan = { .index = INT64_MAX / 8,
					  .game_count = BLOCK_GAMES_MAX } };
	unsigned char chain[STORE_DIGEST_SIZE] = { 0 };
	const unsigned char record[STORE_DIGEST_SIZE] = { 0 };

	memset(head.terms, 'a', sizeof(head.terms) - 1);
	memset(head.commitment, 'b', sizeof(head.commitment) - 1);
	memset(head.contributions, 'c', sizeof(head.contributions) - 1);
	store_chain_begin(&head, chain);
	for (int at = 0; at < BLOCK_GAMES_MAX; at++) {
		struct summary *game = &block.games[at];

		game->game = INT64_MAX - BLOCK_GAMES_MAX;
		game->team_count = SCOPA_TEAMS_MAX;
		for (int i = 0; i < SCOPA_TEAMS_MAX; i++)
			game->scores[i] = INT32_MIN;
		game->deal_count = INT32_MAX;
		memset(game->reason, 'r', sizeof(game->reason) - 1);
	}
	store_chain_add(chain, &block, record);
}
