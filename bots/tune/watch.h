/*
 * Looks on while others play: lessons of what players of several kinds really
 * do.
 */
#ifndef SCOPA_TUNE_WATCH_H
#define SCOPA_TUNE_WATCH_H

#include "duel.h"

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
