/*
 * Whether the other teams play by known rules, so that their plays follow from
 * their hands.
 *
 * The policy in world.h describes average players.  When the other teams play
 * by the rules of @chitarrella or @greedy, a play is possible with one hand and
 * impossible with another.  Judged with the whole hand, this shows about three
 * times as much as the policy.  Whether a team plays by such rules is unknown:
 * each player is a hypothesis, with the policy as the alternative.  The worlds
 * of the policy are changed step by step into worlds of the hypothesis; the
 * weight of this walk estimates the probability of the plays under the
 * hypothesis (annealed importance sampling: Neal, Statistics and Computing
 * 11(2), 2001).
 */
#ifndef SCOPA_BOT_OPPONENT_MODEL_H
#define SCOPA_BOT_OPPONENT_MODEL_H

#include "world.h"

enum {
	/* Walks from worlds of the policy to worlds of a hypothesis. */
	OPPONENT_MODEL_WALKS = 16,
	OPPONENT_MODEL_ANNEALING = 64, /* steps of one walk */
	OPPONENT_MODEL_WORLDS = 32,    /* that each walk then visits */
	OPPONENT_MODEL_HANDS = 1 << 12 /* size of the cache; a power of two */
};

/* The player whose rules are tested. */
enum opponent_kind { OPPONENT_CHITARRELLA, OPPONENT_GREEDY, OPPONENT_KINDS };

struct opponent_model_config {
	double share;        /* prior share of players by known rules, 0 to 1 */
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
	/* limit of plays judged, each with a hand; 0: none */
	int64_t judged_max;
};

/* One hypothesis. */
struct opponent_hypothesis {
	double likelier; /* probability of the plays, relative to the policy */
	double chance;   /* posterior probability, 0 to 1 */
	int walk_count;
	double weights[OPPONENT_MODEL_WALKS]; /* they add up to 1 */
	/* logarithms of the walks' weights */
	double logs[OPPONENT_MODEL_WALKS];
	scopa_set worlds[OPPONENT_MODEL_WALKS][OPPONENT_MODEL_WORLDS]
			[BELIEF_HOLDERS_MAX];
};

/* Working memory, which belongs to the caller, and the results. */
struct opponent_model {
	struct opponent_model_config config;
	struct belief *belief;
	uint64_t *random;
	int64_t judged; /* plays judged so far, each with one hand */
	bool by_rules[BELIEF_HOLDERS_MAX]; /* holders of other teams */
	struct opponent_hypothesis hypotheses[OPPONENT_KINDS];
	/*
	 * Cache of judged hands: the logarithm of the probability of their
	 * plays by the rules, relative to the policy.
	 */
	struct {
		scopa_set hand;
		int holder;
		enum opponent_kind player;
		double gap;
	} hands[OPPONENT_MODEL_HANDS];
};

/*
 * Whether the rules suit the model: all cards are dealt at once and no hands
 * are declared.
 */
bool opponent_model_fits(const struct scopa_rules *rules);

/*
 * Computes the probability of each hypothesis from the plays of a drawn belief,
 * and replaces the same share of the pool by worlds of the hypothesis.  When a
 * limit is reached before enough walks are made, the probabilities are 0 and
 * the pool is unchanged.
 */
void opponent_model_read(struct opponent_model *opponents,
    const struct opponent_model_config *config, struct belief *belief,
    uint64_t *random);

/* Resets the results: all probabilities are 0. */
void opponent_model_forget(struct opponent_model *opponents);

/*
 * Whether this player still plays by its rules alone in this deal.  Late in the
 * deal @chitarrella searches instead.
 */
bool opponent_model_holds(
    enum opponent_kind player, const struct scopa_deal *deal);

/*
 * Writes how much @chitarrella prefers each of `count` moves of the seat to
 * move.  The odds are comparable with those of moves that are not in the list.
 */
void opponent_model_odds(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds);

#endif
