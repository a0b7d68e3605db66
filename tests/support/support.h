/*
 * Functions for tests of the engine: a short notation for positions, and a
 * random number generator.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "scopa/scopa.h"

/* An empty text of up to 8 KiB; the last eight texts are valid. */
struct scopa_text support_text(void);

/* The rule set of a spec, which must be valid. */
struct scopa_rules support_rules(const char *spec);

/*
 * The card with this two-letter name, and the set of several such names, `-`
 * for none.
 */
scopa_card support_card(const char *text);
scopa_set support_set(const char *text);

/*
 * A position in the middle of a deal: all cards that are not named are in the
 * pile of the last seat, and one card has been played.  Seat 0 is to move; the
 * other hands are empty.
 */
void support_position(const struct scopa_rules *rules, const char *table,
    const char *hand, struct scopa_deal *deal);

/*
 * Gives the seats from 1 on these cards in such a position, with spaces between
 * hands.
 */
void support_hold(struct scopa_deal *deal, const char *hands);

/*
 * A deal from a pack that begins with `cards`, see support_pack; it must not be
 * redealt.
 */
void support_deal(const struct scopa_rules *rules, const char *cards,
    int dealer, struct scopa_deal *deal);

/* A deal from a random pack that is not redealt. */
void support_deal_random(const struct scopa_rules *rules, uint64_t *random,
    int dealer, struct scopa_deal *deal);

/* The view of a seat in the first deal of a match. */
void support_view(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int seat, struct scopa_view *view);

/*
 * A valid rule set: a preset in which some parameters have random values.  The
 * text is valid until the next call.
 */
const char *support_spec_random(uint64_t *random);

/*
 * Visits each preset with each number of players and teams, and some random
 * rule sets, always the same ones; each with a seed of its own.  Returns the
 * number of visits.
 */
int support_each_spec(void (*visit)(const char *spec, uint64_t seed));

/*
 * The moves of seat 0 with this card on this table as text: captured sets with
 * a space between them, `-` if the card is laid.
 */
void support_captures(const struct scopa_rules *rules, const char *table,
    const char *card, struct scopa_text *text);

/* All legal moves of a deal as text, with a space between them. */
void support_moves(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_text *text);

/* A move in notation, of the seat to play. */
struct scopa_move support_move(const struct scopa_deal *deal, const char *text);

/* The result of scopa_deal_check for such a move. */
enum scopa_refusal support_check(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *move);

/*
 * Makes a legal move of the seat to play; or several, with a space between
 * them.
 */
struct scopa_effect support_play(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *move);
void support_plays(const struct scopa_rules *rules, struct scopa_deal *deal,
    const char *moves);

/* Makes a random legal move. */
void support_play_random(
    const struct scopa_rules *rules, struct scopa_deal *deal, uint64_t *random);

/* Whether all 40 cards of a deal are in exactly one place. */
bool support_deal_is_whole(const struct scopa_deal *deal);

/* The next one of all sets with the same number of cards. */
scopa_set support_next_set(scopa_set set);

/*
 * A pack that deals `cards` first, in this order, and the other cards after
 * them in the order of their numbers.
 */
void support_pack(const char *cards, uint8_t pack[SCOPA_PACK_SIZE]);

/*
 * A pack that deals the cards of the set from `place` on; all in their order.
 */
void support_pack_with(scopa_set set, int place, uint8_t pack[SCOPA_PACK_SIZE]);

/* The next number of a generator (splitmix64), and one below a limit. */
uint64_t support_random(uint64_t *state);
int support_random_below(uint64_t *state, int limit);
void support_shuffle(uint64_t *state, uint8_t *cards, int count);

/* A number from the environment, or `fallback`. */
long support_number(const char *variable, long fallback);

/* A number of repetitions: `all` if TEST_FULL is set, otherwise `few`. */
int support_few_or_all(int few, int all);

#endif
