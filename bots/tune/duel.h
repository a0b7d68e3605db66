/*
 * Two ways of playing against each other, in one process and in duplicate
 * deals: a quick look before the arena measures; and what the policy tells
 * about hidden hands, and lessons of what players of several kinds really do.
 */
#ifndef SCOPA_TUNE_DUEL_H
#define SCOPA_TUNE_DUEL_H

#include "belief.h"
#include "teacher.h"

enum duel_kind {
	DUEL_GREEDY,      /* @greedy */
	DUEL_CHITARRELLA, /* @chitarrella */
	DUEL_POLICY,      /* the likeliest move of a policy */
	DUEL_TEACHER      /* the move that the teacher finds best */
};

/* One who plays. */
struct duel_player {
	enum duel_kind kind;
	const struct policy_table *tables; /* of the policy, one a family */
	struct teacher teacher;            /* of DUEL_TEACHER */
};

/* Points a deal of the first player against the second. */
struct duel_result {
	double mean;
	double margin; /* half of the 95% interval */
	int packs;
};

/* What the player does in a position that is not the end. */
struct scopa_move duel_move(const struct duel_player *player,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random);

/*
 * Plays each of `packs` packs once for every team: the first player has that
 * team, the second all the others.
 */
void duel_play(const struct scopa_rules *rules,
    const struct duel_player players[2], int packs, uint64_t *random,
    struct duel_result *result);

/*
 * How much likelier the belief makes the hands that are really held, as bits a
 * position of one part of the deal.
 */
struct inference_part {
	int count;      /* positions with something hidden */
	double bits;    /* mean gain over all worlds alike */
	double squares; /* mean of the squares of the gains */
};

/* Thirds of the plays of a deal. */
enum { INFERENCE_PARTS = 3 };

/*
 * Plays `deals` deals with the player in all seats and looks at every position
 * with the eyes of who is to move: the logarithm of the weight of the true
 * hands over the mean weight of `worlds` that are drawn alike.
 */
void inference_measure(const struct scopa_rules *rules,
    const struct duel_player *player, const struct belief_config *config,
    int deals, int worlds, uint64_t *random,
    struct inference_part parts[INFERENCE_PARTS]);

/* A kind of player, and how many of all seats are his. */
struct watch_player {
	struct duel_player player;
	int share; /* in parts */
};

/*
 * Plays `deals` deals of a family, a player drawn for every seat, and adds a
 * lesson for each choice between plays: the move made has probability 1.  Every
 * tenth deal is held out.  0 or -ENOMEM.
 */
int watch_play(const struct watch_player *players, int player_count,
    enum policy_family family, int deals, uint64_t *random,
    struct lessons *lessons);

#endif
