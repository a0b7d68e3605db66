/*
 * Results of blocks with extreme numbers and texts, for the tests of stores.
 */
#ifndef ROWS_H
#define ROWS_H

#include "store.h"

/*
 * A run with these numbers of bots and of games in a block; valid until the
 * next call.
 */
const struct store_head *rows_head(
    enum scopa_teams teams, int bot_count, int game_count);

/* Whether two heads are equal. */
bool rows_heads_equal(
    const struct store_head *one, const struct store_head *other);

/*
 * A random result of a block of the run, with numbers of the whole range, and a
 * place; members that are not used are zero.
 */
void rows_random(uint64_t *state, const struct store_head *head, int64_t index,
    struct block_result *block);

/*
 * The same with an invented record of up to `size` bytes; a skipped block has
 * none.  Returns the size of the record.
 */
size_t rows_record(uint64_t *state, const struct store_head *head,
    int64_t index, struct block_result *block, char *record, size_t size);

/* Runs SQL on a database of results, like another program. */
void rows_meddle(const char *path, const char *sql);

/* Whether all bytes are equal. */
bool rows_equal(const struct block_result *a, const struct block_result *b);

#endif
