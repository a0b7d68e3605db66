/*
 * Two ways of playing against each other, in one process and in duplicate
 * deals: a quick look before the arena measures; and lessons of what players
 * of several kinds really do.
 */
#ifndef SCOPA_TUNE_DUEL_H
#define SCOPA_TUNE_DUEL_H

#include "lesson.h"

enum duel_kind {
	DUEL_GREEDY,      /* @greedy */
	DUEL_CHITARRELLA, /* @chitarrella */
	DUEL_POLICY,      /* the likeliest move of a policy */
	DUEL_SEARCHER     /* a tree search with the policy as prior */
};

/* One who plays. */
struct duel_player {
	enum duel_kind kind;
	const struct policy_table *tables; /* of DUEL_POLICY, one a family */
	double prior_weight;               /* of DUEL_SEARCHER; 0: no prior */
	int iterations;                    /* the same */
};

/* Points a deal of the first player against the second. */
struct duel_result {
	double mean;
	double margin; /* half of the 95% interval */
};

/*
 * Plays each of `packs` packs once for every team: the first player has that
 * team, the second all the others.
 */
struct duel_result duel_play(const struct scopa_rules *rules,
    const struct duel_player players[2], int packs, uint64_t *random);

/* A kind of player, and how many of all seats are his. */
struct watch_player {
	struct duel_player player;
	int share; /* in parts */
};

/*
 * Plays `deals` deals of a family, a player drawn for every seat, and adds a
 * lesson for each choice between plays: the move made has probability 1.
 */
void watch_play(const struct watch_player *players, int player_count,
    enum policy_family family, int deals, uint64_t *random,
    struct lessons *lessons);

#endif
