/*
 * What the plays of the others say about their cards.
 *
 * A world is one way to share out the unseen cards.  Its weight is a product
 * over all plays that others have made from the hands they hold now: how likely
 * a policy makes the move with that hand at that moment, mixed with a little
 * chance among the legal moves, so that a strange player cannot poison the
 * belief.
 *
 * Of two moves a policy is only asked which is likelier.  So each card has odds
 * against each move seen, those of a hand are the sum over its cards, and a
 * swap of two cards between hands changes two sums: some 50 ns.  A pool of
 * worlds is drawn by such swaps (Metropolis); where few worlds remain, all of
 * them are listed with their weights.
 */
#ifndef SCOPA_BOT_BELIEF_H
#define SCOPA_BOT_BELIEF_H

#include "scopa/view.h"

enum {
	BELIEF_WORLDS_MAX = 2048, /* all worlds are listed up to this many */
	BELIEF_HOLDERS_MAX = SCOPA_SEATS_MAX + 1,
	BELIEF_PLAYS_MAX = 10 /* of one seat in one round of dealing */
};

/*
 * Probabilities of the legal moves of the seat to play, which knows its own
 * hand and what is public; the hands of others in the deal mean nothing.
 */
typedef void (*belief_judge)(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights);

struct belief_config {
	belief_judge judge; /* NULL: plays say nothing */
	void *context;      /* of the judge */
	double trust;       /* share of the judge in the mixture, 0 to 1 */
	int worlds;         /* to be drawn, 1 to BELIEF_WORLDS_MAX */
	int swaps;          /* tried from one world to the next, 1 or more */
	int listed_max;     /* list all worlds where there are no more */
};

/* Of the moves of some cards: their odds against the move made. */
struct belief_odds {
	float odds, moves; /* number of moves */
};

/* What one play says. */
struct belief_play {
	struct belief_odds cards[SCOPA_PACK_SIZE];
	struct belief_odds known; /* the move made and cards held for certain */
	/* The play itself, for another reader: other hands have the right size,
	 * and nothing else. */
	struct scopa_deal before;
	struct scopa_move made;
	scopa_set held; /* for certain: what it played then and later */
};

/* Who holds unseen cards: a seat, or the deck. */
struct belief_holder {
	uint8_t seat; /* SCOPA_SEAT_NONE: the deck */
	uint8_t size; /* unseen cards that it holds */
	uint8_t play_count;
	bool silent;     /* could have declared its hand, and has not */
	scopa_set known; /* cards of the round that it has played */
	struct belief_play plays[BELIEF_PLAYS_MAX];
};

struct belief {
	const struct scopa_rules *rules;
	double trust;
	struct scopa_deal deal; /* that fits the view */
	scopa_set unseen;
	int holder_count;
	struct belief_holder holders[BELIEF_HOLDERS_MAX];
	int world_count;
	bool listed; /* the pool is all worlds there are */
	double ess;  /* effective size of the pool */
	scopa_set worlds[BELIEF_WORLDS_MAX][BELIEF_HOLDERS_MAX];
	double weights[BELIEF_WORLDS_MAX]; /* they add up to 1 */
	double reach[BELIEF_WORLDS_MAX];   /* of all weights so far */
};

/*
 * Reads the plays of the view and draws the pool.  `rules` must outlive the
 * belief; `deal` agrees with the view, its seat to move.
 */
void belief_draw_pool(struct belief *belief, const struct belief_config *config,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, uint64_t *random);

/* To be called when weights of the pool, which still add up to 1, change. */
void belief_reach(struct belief *belief);

/* Copies a world of the pool, by its weight, with a new order of the deck. */
void belief_pick(
    const struct belief *belief, uint64_t *random, struct scopa_deal *deal);

/* The same for one world of the pool. */
void belief_world(const struct belief *belief, int world, uint64_t *random,
    struct scopa_deal *deal);

/* How likely the seat holds the card, by the pool: 0 to 1. */
double belief_chance(const struct belief *belief, int seat, scopa_card card);

/*
 * One world that wanders: cards are swapped between hands, two at a time, so
 * that it stays in each world as often as the plays weigh (Metropolis).
 */

/* Sums over the cards of one holder, for each play. */
struct metropolis_sums {
	struct {
		double odds, moves;
	} plays[BELIEF_PLAYS_MAX];
};

/* One state of the chain. */
struct metropolis {
	scopa_card cards[SCOPA_PACK_SIZE];
	uint8_t holders[SCOPA_PACK_SIZE]; /* of each of the cards */
	int count;
	scopa_set hands[BELIEF_HOLDERS_MAX];
	struct metropolis_sums sums[BELIEF_HOLDERS_MAX];
	double weights[BELIEF_HOLDERS_MAX];
};

/* Any world, whatever the plays say. */
void metropolis_start(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/* Tries to swap two cards between their holders. */
void metropolis_swap(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/* Odds against the plays of a holder, and their numbers, with this hand. */
void metropolis_sums_of(const struct belief_holder *holder, scopa_set hand,
    struct metropolis_sums *sums);

/* How likely one of these plays is: 0 to 1, always positive. */
double metropolis_play_weight(
    const struct belief *belief, const struct metropolis_sums *sums, int play);

#endif
