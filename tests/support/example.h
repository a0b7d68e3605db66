/*
 * Runs with invented results, for tests of reports.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "report.h"

struct example {
	struct store_head head;
	struct standings standings;
	struct gate_config gate;
	struct gate_verdict verdict;
	struct report_view view; /* points to the other members */
	uint64_t random;
};

/*
 * A tournament of this many bots, named `bot-1` and so on, with these rules and
 * without results.  The names may be changed in `head`.
 */
void example_open(struct example *example, const char *rules, int bot_count);
void example_close(struct example *example);

/* For cmocka: closes the examples, at most two, that a test has left open. */
int example_teardown(void **state);

/*
 * A gate of two bots with `scopa` and the margin model, 0 against 10 nElo, with
 * at most 1000 blocks.
 */
void example_gate(struct example *example);

/* Judges the gate by the blocks that were counted so far. */
void example_judge(struct example *example, bool ended);

/*
 * A block of these bots, in which bots[i] gets scores[g][i] points in game g,
 * in one deal.  The seats rotate.  The first point is for cards, the others are
 * for scope.
 */
struct block_result example_block(const struct example *example,
    const int *bots, int bot_count, int game_count,
    int32_t scores[][SCOPA_SEATS_MAX]);

/* A block of two bots with points[2 * g + i] in game g. */
struct block_result example_pair(
    const struct example *example, int a, int b, const int points[4]);

/* Makes bots[member] forfeit a game of the block by a timeout. */
void example_forfeit(const struct example *example, struct block_result *block,
    int game, int member);

/* Counts a block; or a block of two bots with the same points in both games. */
void example_count(struct example *example, const struct block_result *block);
void example_add(struct example *example, int a, int b, int own, int other);

/*
 * Counts `count` pairs of games of bots a and b with points drawn at random;
 * `strength` tenths of a point are in favor of a.
 */
void example_play(
    struct example *example, int a, int b, int count, int strength);

/* The whole text report without colours; valid until the next output_open(). */
char *example_text(struct example *example, int width);

/* Fails unless the bytes are those of the file of that name in tests/golden. */
void example_compare(const char *bytes, const char *name);

/* Fails if the bytes have a number that is not finite. */
void example_check_finite(const char *bytes);

#endif
