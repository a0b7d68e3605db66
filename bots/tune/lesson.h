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
	int greedy;    /* the move that @greedy would make */
};

/* Moves of all positions, one after another, and the positions. */
struct lessons {
	float (*features)[POLICY_FEATURE_COUNT];
	float *targets; /* probabilities, which add up to 1 a position */
	size_t move_count, move_room;
	struct lesson *items;
	size_t count, room;
};

/* No lessons yet. */
void lessons_open(struct lessons *lessons);

/* Frees what was added. */
void lessons_close(struct lessons *lessons);

/*
 * Adds a position with `count` moves; `lesson->first` and `lesson->count` are
 * set here.  0, or -ENOMEM, and nothing is added.
 */
int lessons_add(struct lessons *lessons, struct lesson lesson, int count,
    float (*features)[POLICY_FEATURE_COUNT], const float *targets);

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
