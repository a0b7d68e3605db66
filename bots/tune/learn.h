/*
 * The training of the move policy.  A lesson is a position: the features of its
 * legal moves and a target probability for each of them.  Lessons are made by a
 * teacher, or from the moves of players.  Multinomial logistic regression fits
 * the weights to the lessons.
 */
#ifndef SCOPA_TUNE_LEARN_H
#define SCOPA_TUNE_LEARN_H

#include <stddef.h>
#include <sys/queue.h>

#include "policy.h"

/* Positions with more moves are left out: they are rare and similar. */
enum { LESSON_MOVES_MAX = 64 };

struct lesson {
	STAILQ_ENTRY(lesson) next;
	enum policy_family family;
	int phase;
	bool held_out;                   /* used for the test only */
	int count;                       /* number of moves */
	float targets[LESSON_MOVES_MAX]; /* probabilities, which add up to 1 */
	float features[][POLICY_FEATURE_COUNT];
};

/* In the order in which they were added. */
STAILQ_HEAD(lessons, lesson);

/*
 * Adds a position with `count` moves and returns it; the caller fills it.
 * Without memory the program ends with exit code 5.
 */
struct lesson *lessons_add(struct lessons *lessons, int count);

/* Frees all lessons. */
void lessons_close(struct lessons *lessons);

/* A set of rules that is used for training. */
struct syllabus_row {
	enum policy_family family;
	const char *spec; /* text for scopa_rules_parse */
	int share;        /* of the deals of its family, relative */
};

extern const struct syllabus_row syllabus[];
extern const int syllabus_count;

/*
 * Starts a deal with a shuffled pack that needs no redeal, and a random dealer.
 */
void random_deal(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal);

/* Copies a deal with the cards that the seat to move cannot see shuffled. */
void random_world(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_deal *world);

/*
 * Returns the team's points less the mean of the others', for a finished deal.
 */
double deal_result(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

enum player_kind {
	PLAYER_GREEDY,      /* @greedy */
	PLAYER_CHITARRELLA, /* @chitarrella */
	PLAYER_POLICY,      /* the most probable move of a policy */
	PLAYER_SEARCHER     /* tree search with the policy as prior */
};

/* A player. */
struct player {
	enum player_kind kind;
	const struct policy_table *tables; /* of PLAYER_POLICY, by family */
	double prior_weight;               /* of PLAYER_SEARCHER; 0: no prior */
	int iterations;                    /* of PLAYER_SEARCHER */
	int share; /* of the seats in training, relative */
};

/* Returns the player's move in a deal that is not over. */
struct scopa_move player_move(const struct player *player,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random);

/*
 * The source of lessons.  With `players` NULL, the teacher tries every move in
 * many worlds that fit what the seat knows, plays on with the policy, and
 * compares the mean results of the moves.  Otherwise a player is drawn for each
 * seat by the shares, and the move that it makes has target probability 1.
 */
struct teacher {
	/* by family: the policy that plays on */
	const struct policy_table *tables;
	int worlds;                   /* for each position */
	const struct player *players; /* NULL: the teacher tries the moves */
	int player_count;
};

/* Writes the mean result of each move, in points for the team to move. */
void teacher_values(const struct teacher *teacher,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, uint64_t *random,
    double *values);

/*
 * Plays `deals` deals of a family.  Adds a lesson for about half of the
 * positions with a choice or, with players, for all of them.  One of ten deals
 * is held out for the test.
 */
void teacher_teach(const struct teacher *teacher, enum policy_family family,
    int deals, uint64_t *random, struct lessons *lessons);

/*
 * Fits the weights of one family and phase to the lessons that are not held
 * out, starting from the present weights.  `ridge` is the penalty of a squared
 * weight, in nats per position, more than 0.  Without any lesson the weights
 * stay unchanged.
 *
 * The method is Newton's, on the mean log-likelihood less the penalty.  The
 * penalty also decides about weights that have no effect.  The function is
 * strictly concave, so there is one maximum, and the same lessons give the same
 * weights.
 */
void logit_fit(const struct lessons *lessons, enum policy_family family,
    int phase, double ridge, struct policy_table *table);

/* The quality of a table on the lessons held out, as means over positions. */
struct logit_report {
	size_t count;      /* positions */
	double likelihood; /* sum of target * ln(probability), in nats */
	double ceiling;    /* the same with the targets as probabilities */
	double agreement;  /* share in which the best moves are the same */
};

/* Computes the quality of the weights on the held-out lessons of a family. */
struct logit_report logit_judge(const struct lessons *lessons,
    enum policy_family family, int phase, const struct policy_table *table);

#endif
