/*
 * Runs whose results are made up, for tests of what is reported of them.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include "report.h"

struct example {
	struct store_head head;
	struct standings standings;
	struct gate_config gate;
	struct gate_verdict verdict;
	struct report_view view; /* points to all of it */
	uint64_t random;
};

/*
 * A tournament of so many bots, `bot-1` and so on, by a rule set, with no
 * result yet.  The names may be changed in `head`.
 */
void example_open(struct example *example, const char *rules, int bot_count);
void example_close(struct example *example);

/* For cmocka: closes what a test has left open, two at the most. */
int example_teardown(void **state);

/*
 * The same as a gate of two bots by `scopa` and the margin model, 0 against 10
 * nElo, up to 1000 blocks.
 */
void example_gate(struct example *example);

/* Judges the gate by what was counted so far. */
void example_judge(struct example *example, bool ended);

/*
 * The block of these bots in which game g gave scores[g][i] points to bots[i],
 * in one deal.  The seats rotate.  Points are cards first, up to one, the rest
 * scope.
 */
struct block_result example_block(const struct example *example,
    const int *bots, int bot_count, int game_count,
    int32_t scores[][SCOPA_SEATS_MAX]);

/* That of two bots with points[2 * g + i] in game g. */
struct block_result example_pair(
    const struct example *example, int a, int b, const int points[4]);

/* Makes bots[member] forfeit a game of it by a timeout. */
void example_forfeit(const struct example *example, struct block_result *block,
    int game, int member);

/* Counts a block; and that of two bots with the same points in both games. */
void example_count(struct example *example, const struct block_result *block);
void example_add(struct example *example, int a, int b, int own, int other);

/*
 * Counts `count` pairs of games of bots a and b with points drawn at random;
 * `strength` tenths of a point are in favor of a.
 */
void example_play(
    struct example *example, int a, int b, int count, int strength);

/* The whole text report without color; until the next output_open. */
char *example_text(struct example *example, int width);

/* The bytes are those of the file of that name in tests/golden. */
void example_compare(const char *bytes, const char *name);

/* No number that is none is said in it. */
void example_check_finite(const char *bytes);

#endif
