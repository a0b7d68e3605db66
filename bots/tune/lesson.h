/*
 * Lessons: positions with the features of their legal moves and the
 * probability that a teacher gives to each of them; and the rule sets of each
 * family that are played to learn from.
 */
#ifndef SCOPA_TUNE_LESSON_H
#define SCOPA_TUNE_LESSON_H

#include <stddef.h>

#include "policy.h"

/* One position; its moves lie together in struct lessons. */
struct lesson {
	size_t first; /* of its moves */
	int count;
	enum policy_family family;
	int phase;
	bool held_out; /* it tests, and is not learned from */
};

/* Positions with more moves are left out: they are rare and all alike. */
enum { LESSON_MOVES_MAX = 64 };

/* Moves of all positions, one after another, and the positions; 0 at first. */
struct lessons {
	float (*features)[POLICY_FEATURE_COUNT];
	float *targets; /* probabilities, which add up to 1 a position */
	size_t move_count, move_room;
	struct lesson *items;
	size_t count, room;
};

/* Frees what was added. */
void lessons_close(struct lessons *lessons);

/*
 * Adds a position with `count` moves and their probabilities.  Without memory
 * the program ends.
 */
void lessons_add(struct lessons *lessons, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    const float *targets, bool held_out);

/* Whether there is a choice of plays; declarations are not learned. */
bool lesson_is_choice(const struct scopa_move *moves, int count);

/* One rule set. */
struct syllabus_row {
	enum policy_family family;
	const char *spec; /* as scopa_rules_parse reads it */
	int share;        /* of the deals of its family, in parts */
};

extern const struct syllabus_row syllabus[];
extern const int syllabus_count;

/*
 * The rule set by which deal `number` of a family is played; the rows take
 * turns by their shares.
 */
void syllabus_rules(
    enum policy_family family, int number, struct scopa_rules *rules);

#endif
