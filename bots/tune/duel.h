/*
 * Two ways of playing against each other, in one process and in duplicate
 * deals: a quick look before the arena measures.
 */
#ifndef SCOPA_TUNE_DUEL_H
#define SCOPA_TUNE_DUEL_H

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
 * Plays each of `packs` packs once for every party: the first player has that
 * party, the second all the others.
 */
void duel_play(const struct scopa_rules *rules,
    const struct duel_player players[2], int packs, uint64_t *random,
    struct duel_result *result);

#endif
