/*
 * Worlds: complete deals that fit what one seat knows.  A world is built from
 * the view; or drawn at random by a world source, all equally likely; or drawn
 * by a belief, by what the plays of the other seats show about their cards.
 */
#ifndef SCOPA_BOT_WORLD_H
#define SCOPA_BOT_WORLD_H

#include <stdint.h>

#include "scopa/deal.h"
#include "scopa/view.h"

/*
 * Builds a deal that fits the view, with the seat of the view to move.  The
 * hidden cards lie in canonical order.  Returns false and leaves *deal
 * unchanged when the view contradicts itself: cards are missing or too many.
 */
bool imagine_deal(const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

/* The opposite: writes what the seat to move in a deal may know of it. */
void view_of_mover(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_view *view);

/* Supplies a search with worlds. */
struct world_source {
	/* Writes a world in which the searching seat must move. */
	void (*draw)(void *context, uint64_t *random, struct scopa_deal *deal);
	void *context;
};

/* A source of all worlds of a view, equally likely. */
struct world_uniform {
	struct scopa_rules rules;
	struct scopa_deal base; /* known part; draws overwrite the rest */
	int unseen_count;
	scopa_card unseen[SCOPA_PACK_SIZE]; /* in the order of the last draw */
	/* number of hidden cards of each hand */
	uint8_t hidden[SCOPA_SEATS_MAX];
};

/*
 * Prepares the source.  Returns false and leaves *world unchanged when the view
 * contradicts itself.
 */
bool world_uniform_init(struct world_uniform *world,
    const struct scopa_rules *rules, const struct scopa_view *view);

/*
 * The `draw` function for a struct world_uniform as context.  Under rules that
 * declare hands automatically, it skips hands that would have been declared.
 */
void world_uniform_draw(
    void *context, uint64_t *random, struct scopa_deal *deal);

/*
 * A `draw` function that always writes the same world, the deal in `context`.
 */
void world_fixed_draw(void *context, uint64_t *random, struct scopa_deal *deal);

/*
 * Copies a deal without the unused entries of the history, which are most of
 * its bytes.
 */
void world_copy(struct scopa_deal *deal, const struct scopa_deal *from);

/*
 * A belief: what the plays of the other seats show about their cards.
 *
 * A world is one way to divide the unseen cards among the other hands and the
 * deck.  Its weight is a product over the plays that the other seats made from
 * their present hands.  Each factor is the probability that a policy makes this
 * play with this hand, mixed with a small share of a random legal move, so that
 * one unusual player cannot make the true world impossible.
 *
 * The policy is only asked to compare moves with the play made.  So each card
 * has odds against each play; the odds of a hand are the sum over its cards,
 * and a swap of two cards between hands changes two sums, in about 50 ns.  The
 * pool of worlds is drawn by such swaps (Metropolis algorithm).  When there are
 * few worlds, all of them are listed with their weights.
 */

enum {
	BELIEF_WORLDS_MAX = 2048, /* all worlds are listed up to this many */
	BELIEF_HOLDERS_MAX = SCOPA_SEATS_MAX + 1,
	BELIEF_PLAYS_MAX = 10 /* of one seat since its last new hand */
};

/*
 * Writes probabilities of the legal moves of the seat to play.  The function
 * may use this seat's hand and public information; the hands of other seats in
 * the deal are not the real ones.
 */
typedef void (*belief_judge)(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights);

struct belief_config {
	belief_judge judge; /* NULL: plays are ignored */
	void *context;      /* passed to the judge */
	double trust;       /* share of the judge in each factor, 0 to 1 */
	int worlds;         /* to draw, 1 to BELIEF_WORLDS_MAX */
	int swaps;      /* swaps between two worlds of the pool, 1 or more */
	int listed_max; /* list all worlds if there are at most this many */
};

/* The odds of some cards' moves against the play made. */
struct belief_odds {
	float odds, moves; /* the sum of the odds; the number of moves */
};

/* What one play shows. */
struct belief_play {
	struct belief_odds cards[SCOPA_PACK_SIZE];
	/* of the play itself and of cards certainly held */
	struct belief_odds known;
	/*
	 * The deal before the play and the play, for opponent_model.c.  In this
	 * deal the hands of other seats have the right size but arbitrary
	 * cards.
	 */
	struct scopa_deal before;
	struct scopa_move made;
	scopa_set held; /* cards certainly held: those played then and later */
};

/* A seat or the deck, which holds unseen cards. */
struct belief_holder {
	uint8_t seat; /* SCOPA_SEAT_NONE: the deck */
	uint8_t size; /* number of its unseen cards */
	uint8_t play_count;
	bool silent;     /* it could have declared its hand and did not */
	scopa_set known; /* cards that it has played from this hand */
	struct belief_play plays[BELIEF_PLAYS_MAX];
};

struct belief {
	const struct scopa_rules *rules;
	double trust;
	struct scopa_deal deal; /* a deal that fits the view */
	scopa_set unseen;
	int holder_count;
	struct belief_holder holders[BELIEF_HOLDERS_MAX];
	int world_count;
	bool listed; /* the pool contains all worlds */
	double ess;  /* effective sample size of the pool */
	scopa_set worlds[BELIEF_WORLDS_MAX][BELIEF_HOLDERS_MAX];
	double weights[BELIEF_WORLDS_MAX]; /* they add up to 1 */
	/* sums of the weights up to each world */
	double reach[BELIEF_WORLDS_MAX];
};

/*
 * Reads the plays of the view and draws the pool.  `rules` must outlive the
 * belief.  `deal` must fit the view, with its seat to move.
 */
void belief_draw_pool(struct belief *belief, const struct belief_config *config,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, uint64_t *random);

/*
 * Updates the sums in `reach`.  Must be called after a change of weights, which
 * still add up to 1.
 */
void belief_reach(struct belief *belief);

/*
 * The `draw` function for a struct belief as context: draws a world of the pool
 * by its weight, and shuffles its deck.
 */
void belief_pick(void *context, uint64_t *random, struct scopa_deal *deal);

/* The same for a given world of the pool. */
void belief_world(const struct belief *belief, int world, uint64_t *random,
    struct scopa_deal *deal);

/* Returns the probability, by the pool, that the seat holds the card. */
double belief_chance(const struct belief *belief, int seat, scopa_card card);

/*
 * The Metropolis chain: a world in which two cards at a time are swapped
 * between hands.  It visits each world in proportion to its weight.
 */

/* For each play of one holder, sums over the holder's cards. */
struct metropolis_sums {
	struct {
		double odds, moves;
	} plays[BELIEF_PLAYS_MAX];
};

/* The state of the chain. */
struct metropolis {
	scopa_card cards[SCOPA_PACK_SIZE];
	uint8_t holders[SCOPA_PACK_SIZE]; /* holder of each of the cards */
	int count;
	scopa_set hands[BELIEF_HOLDERS_MAX];
	struct metropolis_sums sums[BELIEF_HOLDERS_MAX];
	/* By hand_weight(), of each holder. */
	double weights[BELIEF_HOLDERS_MAX];
};

/* Starts the chain at a random world, without regard to weights. */
void metropolis_start(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/*
 * Proposes to swap two random cards between their holders, and swaps them by
 * the Metropolis rule.
 */
void metropolis_swap(
    struct metropolis *chain, const struct belief *belief, uint64_t *random);

/* Writes, for each play of the holder, the sums for this hand. */
void metropolis_sums_of(const struct belief_holder *holder, scopa_set hand,
    struct metropolis_sums *sums);

/*
 * Returns the probability of one play with a hand that has these sums: more
 * than 0, up to 1.
 */
double metropolis_play_weight(
    const struct belief *belief, const struct metropolis_sums *sums, int play);

#endif
