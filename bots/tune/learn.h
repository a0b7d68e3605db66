/*
 * What the weights of the move policy are learned from, and how: lessons, which
 * are positions with the features of their legal moves and a probability for
 * each of them; a teacher and players to look on at, who make lessons; and
 * multinomial logistic regression, which fits weights to them.
 */
#ifndef SCOPA_TUNE_LEARN_H
#define SCOPA_TUNE_LEARN_H

#include <stddef.h>
#include <sys/queue.h>

#include "policy.h"

/* Positions with more moves are left out: they are rare and all alike. */
enum { LESSON_MOVES_MAX = 64 };

struct lesson {
	STAILQ_ENTRY(lesson) next;
	enum policy_family family;
	int phase;
	bool held_out;                   /* it tests, and is not learned from */
	int count;                       /* of moves */
	float targets[LESSON_MOVES_MAX]; /* probabilities: they add up to 1 */
	float features[][POLICY_FEATURE_COUNT];
};

/* In the order in which they were made. */
STAILQ_HEAD(lessons, lesson);

/*
 * Adds a position with `count` moves, whose features are still to be filled.
 * Without memory the program ends.
 */
struct lesson *lessons_add(struct lessons *lessons, int count);

/* Frees what was added. */
void lessons_close(struct lessons *lessons);

/* A rule set that is played to learn from. */
struct syllabus_row {
	enum policy_family family;
	const char *spec; /* as scopa_rules_parse reads it */
	int share;        /* of the deals of its family, in parts */
};

extern const struct syllabus_row syllabus[];
extern const int syllabus_count;

/* A deal from a shuffled pack that is not redealt, with a random dealer. */
void random_deal(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal);

/* A deal in which all that the player to move does not see is dealt anew. */
void random_world(const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random, struct scopa_deal *world);

/* Points of the team less the mean of the others'; of a deal that is over. */
double deal_result(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team);

enum player_kind {
	PLAYER_GREEDY,      /* @greedy */
	PLAYER_CHITARRELLA, /* @chitarrella */
	PLAYER_POLICY,      /* the likeliest move of a policy */
	PLAYER_SEARCHER     /* a tree search with the policy as prior */
};

/* One who plays. */
struct player {
	enum player_kind kind;
	const struct policy_table *tables; /* of PLAYER_POLICY, one a family */
	double prior_weight;               /* of PLAYER_SEARCHER; 0: no prior */
	int iterations;                    /* the same */
	int share; /* of all seats that are looked on at, in parts */
};

/* What the player does in a position that is not the end. */
struct scopa_move player_move(const struct player *player,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random);

/*
 * Where lessons come from.  The teacher tries every move in many worlds that
 * fit what the player knows, goes on with the policy itself, and judges the
 * moves by what they bring on average.  Or players are looked on at, drawn for
 * each seat by their shares: the move made has probability 1.
 */
struct teacher {
	const struct policy_table *tables; /* one a family: who plays on */
	int worlds;                        /* a position */
	const struct player *players;      /* to look on at; NULL: it teaches */
	int player_count;
};

/* Writes the mean result of each move, in points for the player to move. */
void teacher_values(const struct teacher *teacher,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, uint64_t *random,
    double *values);

/*
 * Plays `deals` deals of a family, and adds a lesson for about half of the
 * positions with a choice, or for all of them where players are looked on at.
 * Of the deals one of ten is held out.
 */
void teacher_teach(const struct teacher *teacher, enum policy_family family,
    int deals, uint64_t *random, struct lessons *lessons);

/*
 * Fits the weights of one family and phase, from those that are there, to the
 * lessons that are not held out.  `ridge` is the price of a squared weight, a
 * position.  Without any lesson the weights are left alone.
 *
 * Newton's method on the mean log-likelihood less a small square of all
 * weights, which also decides among weights that make no difference.  The
 * function is concave, so there is one answer, and the same lessons give the
 * same weights.
 */
void logit_fit(const struct lessons *lessons, enum policy_family family,
    int phase, double ridge, struct policy_table *table);

/* What a table of weights is worth on some lessons, a position on average. */
struct logit_report {
	size_t count;      /* positions */
	double likelihood; /* mean of sum target * ln probability, in nats */
	double ceiling;    /* the same for the teacher himself */
	double agreement;  /* share where the likeliest move is the teacher's */
};

/* Judges the weights by the lessons of a family that were held out. */
struct logit_report logit_judge(const struct lessons *lessons,
    enum policy_family family, int phase, const struct policy_table *table);

#endif
