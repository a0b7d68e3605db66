/*
 * Players by rote: whose plays follow from their hands by rules that are known.
 *
 * A policy that reads plays (belief.h) says how players play on the whole.  If
 * the other parties play by the rules of @chitarrella, or of @greedy, each play
 * is the one that these make with one hand and not with another, which, thought
 * of with all cards of the hand, tells some three times as much.  Whether they
 * do is not known: these are hypotheses against that of the policy.  Worlds are
 * led from the one to the other step by step, and what that takes is how likely
 * the plays are by rote (annealed importance sampling: Neal, Statistics and
 * Computing 11(2), 2001).
 */
#ifndef SCOPA_BOT_ROTE_H
#define SCOPA_BOT_ROTE_H

#include "belief.h"

enum {
	ROTE_WALKS = 16, /* from the policy's worlds to those of the rules */
	ROTE_ANNEALING = 64, /* steps of one */
	ROTE_WORLDS = 32,    /* that each then finds */
	ROTE_HANDS = 1 << 12 /* that are remembered; a power of two */
};

/* Whose rules. */
enum rote_player { ROTE_CHITARRELLA, ROTE_GREEDY, ROTE_PLAYERS };

struct rote_config {
	double share;        /* of all players who play by rote, 0 to 1 */
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
	int64_t judged_max;  /* plays, each with one hand; 0: any number */
};

/* One hypothesis. */
struct rote_reading {
	double likelier; /* how much the plays are so than by the policy */
	double chance;   /* 0 to 1 */
	int walk_count;
	double weights[ROTE_WALKS]; /* they add up to 1 */
	double logs[ROTE_WALKS];    /* of what each walk weighs */
	scopa_set worlds[ROTE_WALKS][ROTE_WORLDS][BELIEF_HOLDERS_MAX];
};

/* What is worked with, the caller's room, and what comes of it. */
struct rote {
	const struct belief *belief;
	int64_t deadline_ns;
	int64_t judged, judged_max;       /* plays, each with one hand */
	bool by_rote[BELIEF_HOLDERS_MAX]; /* seats of other parties */
	struct rote_reading readings[ROTE_PLAYERS];
	/* Hands that were judged: what the rules say more than the policy. */
	struct {
		scopa_set hand;
		int holder;
		enum rote_player player;
		double gap;
	} hands[ROTE_HANDS];
};

/* Whether such deals tell enough: all cards are dealt, and none are shown. */
bool rote_fits(const struct scopa_rules *rules);

/*
 * Finds how likely the other parties play by the rules of each player, by the
 * plays of a belief that was drawn, and exchanges as large a share of its pool
 * for worlds that such plays tell of.  Where a limit is reached before enough has
 * been looked at, chances are 0, and the pool is left.
 */
void rote_read(struct rote *rote, const struct rote_config *config,
    struct belief *belief, uint64_t *random);

/* Nothing has been read: all chances are 0. */
void rote_forget(struct rote *rote);

/* Whether that player still plays by the rules alone in this deal. */
bool rote_holds(enum rote_player player, const struct scopa_deal *deal);

/*
 * How far @chitarrella prefers each of `count` moves of the seat to move: odds,
 * which compare with those of moves that are not in the list.
 */
void rote_odds(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count, float *odds);

#endif
