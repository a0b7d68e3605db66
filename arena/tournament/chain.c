#include "chain.h"

#include <assert.h>
#include <sodium.h>

enum {
	HEX_SIZE = 2 * STORE_DIGEST_SIZE + 1,
	GAME_SIZE = 256,
	HEADING_SIZE = CONTRIBUTIONS_SIZE + 256,
	LINE_SIZE = BLOCK_GAMES_MAX * GAME_SIZE + 256
};

static const char mark[] = "scopa-arena-chain-v1 ";

static void
put_word(struct scopa_text *text, const char *word)
{
	scopa_text_string(text, word[0] ? word : "-");
}

static void
put_team(struct scopa_text *text, int team)
{
	scopa_text_char(text, ':');
	scopa_text_char(
	    text, team == SCOPA_TEAM_NONE ? '-' : (char)('A' + team));
}

static void
put_game(struct scopa_text *text, const struct summary *game)
{
	scopa_text_string(text, " m");
	scopa_text_int(text, game->game + 1);
	for (int team = 0; team < game->team_count; team++) {
		scopa_text_char(text, team == 0 ? ':' : ',');
		scopa_text_int(text, game->scores[team]);
	}
	scopa_text_char(text, ':');
	scopa_text_int(text, game->deal_count);
	put_team(text, game->winner);
	scopa_text_char(text, ':');
	scopa_text_string(text, game->reason);
	put_team(text, game->forfeiter);
}

static void
hash(const struct scopa_text *text, unsigned char chain[STORE_DIGEST_SIZE])
{
	assert(!text->cut);
	crypto_hash_sha256(
	    chain, (const unsigned char *)text->bytes, text->length);
}

void
chain_begin(
    const struct store_head *head, unsigned char chain[STORE_DIGEST_SIZE])
{
	char bytes[HEADING_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, mark);
	put_word(&text, head->terms);
	scopa_text_char(&text, ' ');
	put_word(&text, head->commitment);
	scopa_text_char(&text, ' ');
	put_word(&text, head->contributions);
	scopa_text_char(&text, '\n');
	hash(&text, chain);
}

void
chain_add(unsigned char chain[STORE_DIGEST_SIZE],
    const struct block_result *block,
    const unsigned char record[STORE_DIGEST_SIZE])
{
	char bytes[LINE_SIZE], hex[HEX_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, mark);
	sodium_bin2hex(hex, sizeof(hex), chain, STORE_DIGEST_SIZE);
	scopa_text_string(&text, hex);
	scopa_text_char(&text, ' ');
	scopa_text_int(&text, block->plan.index + 1);
	scopa_text_char(&text, ' ');
	sodium_bin2hex(hex, sizeof(hex), record, STORE_DIGEST_SIZE);
	scopa_text_string(&text, hex);
	if (block->skipped)
		scopa_text_string(&text, " skipped");
	for (int i = 0; !block->skipped && i < block->plan.game_count; i++)
		put_game(&text, &block->games[i]);
	scopa_text_char(&text, '\n');
	hash(&text, chain);
}
