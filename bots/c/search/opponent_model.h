/*
 * How the others play: whether by rules that are known, so that their plays
 * follow from their hands.
 *
 * A policy that reads plays (belief.h) says how players play on the whole.  If
 * the other teams play by the rules of @chitarrella, or of @greedy, each play
 * is the one that these make with one hand and not with another, which, thought
 * of with all cards of the hand, tells some three times as much.  Whether they
 * do is not known: these are hypotheses against that of the policy.  Worlds are
 * led from the one to the other step by step, and what that takes is how likely
 * the plays are by known rules (annealed importance sampling:  Neal, Statistics
 * and Computing 11(2), 2001).
 */
#ifndef SCOPA_BOT_OPPONENT_MODEL_H
#define SCOPA_BOT_OPPONENT_MODEL_H

#include "belief.h"

enum {
	/* From the worlds of the policy to those of the rules. */
	OPPONENT_MODEL_WALKS = 16,
	OPPONENT_MODEL_ANNEALING = 64, /* steps of one */
	OPPONENT_MODEL_WORLDS = 32,    /* that each then finds */
	OPPONENT_MODEL_HANDS = 1 << 12 /* that are remembered; a power of two */
};

/* Whose rules. */
enum opponent_kind { OPPONENT_CHITARRELLA, OPPONENT_GREEDY, OPPONENT_KINDS };

struct opponent_model_config {
	double share; /* of all players who play by known rules, 0 to 1 */
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
	int64_t judged_max;  /* plays, each with one hand; 0: any number */
};

/* One hypothesis. */
struct opponent_hypothesis {
	double likelier; /* how much the plays are so than by the policy */
	double chance;   /* 0 to 1 */
	int walk_count;
	double weights[OPPONENT_MODEL_WALKS]; /* they add up to 1 */
	double logs[OPPONENT_MODEL_WALKS];    /* of what each walk weighs */
	scopa_set worlds[OPPONENT_MODEL_WALKS][OPPONENT_MODEL_WORLDS]
			[BELIEF_HOLDERS_MAX];
};

/* What is worked with, the caller's room, and what comes of it. */
struct opponent_model {
	struct opponent_model_config config;
	struct belief *belief;
	uint64_t *random;
	int64_t judged;                    /* plays, each with one hand */
	bool by_rules[BELIEF_HOLDERS_MAX]; /* seats of other teams */
	struct opponent_hypothesis hypotheses[OPPONENT_KINDS];
	/* Hands that were judged: what the rules say more than the policy. */
	struct {
		scopa_set hand;
		int holder;
		enum opponent_kind player;
		double gap;
	} hands[OPPONENT_MODEL_HANDS];
};

/* Whether such deals tell enough: all cards are dealt, and none are shown. */
bool opponent_model_fits(const struct scopa_rules *rules);

/*
 * Finds how likely the other teams play by the rules of each player, by the
 * plays of a belief that was drawn, and exchanges as large a share of its pool
 * for worlds that such plays tell of.  Where a limit is reached before enough
 * has been looked at, chances are 0, and the pool is left.
 */
void opponent_model_read(struct opponent_model *opponents,
    const struct opponent_model_config *config, struct belief *belief,
    uint64_t *random);

/* Nothing has been read: all chances are 0. */
void opponent_model_forget(struct opponent_model *opponents);

/* Whether that player still plays by the rules alone in this deal. */
bool opponent_model_holds(
    enum opponent_kind player, const struct scopa_deal *deal);

/*
 * How far @chitarrella prefers each of `count` moves of the seat to move: odds,
 * which compare with those of moves that are not in the list.
 */
void opponent_model_odds(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds);

#endif
