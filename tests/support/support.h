/*
 * What the engine's tests share: short ways to write positions, and a random
 * number generator of their own.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "scopa/scopa.h"

/* An empty text with room for 8 KiB; the last eight of them live. */
struct scopa_text support_text(void);

/* The rule set of a spec that must be good. */
struct scopa_rules support_rules(const char *spec);

/* The card of two letters and the set of any number of them, `-` for none. */
scopa_card support_card(const char *text);
scopa_set support_set(const char *text);

/*
 * A position in mid-deal: every card that is not named lies in the pile of the
 * last seat, so that all 40 are somewhere, and one card has been played.  It
 * is seat 0's turn; the others hold nothing.
 */
void support_position(const struct scopa_rules *rules, const char *table,
    const char *hand, struct scopa_deal *deal);

/*
 * In such a position the seats from 1 on hold these cards, with spaces between
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

/* What a seat sees of the first deal of a match. */
void support_view(const struct scopa_rules *rules,
    const struct scopa_deal *deal, int seat, struct scopa_view *view);

/*
 * Visits every preset at every table that it can be played at, and rule sets
 * with what the presets leave untried; each with a seed of its own.  The answer
 * is how many there were.
 */
int support_each_spec(void (*visit)(const char *spec, uint64_t seed));

/*
 * The moves of seat 0 for the card on the table as text: captured sets with a
 * space between them, `-` where the card is laid.
 */
void support_captures(const struct scopa_rules *rules, const char *table,
    const char *card, struct scopa_text *text);

/* All legal moves of a deal as text, a space between them. */
void support_moves(const struct scopa_rules *rules,
    const struct scopa_deal *deal, struct scopa_text *text);

/* The answer of scopa_deal_check to a move in our notation. */
enum scopa_refusal support_check(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *move);

/* Makes a legal move of the seat to play; several, a space between them. */
struct scopa_effect support_play(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *move);
void support_plays(const struct scopa_rules *rules, struct scopa_deal *deal,
    const char *moves);

/* Whether all 40 cards of a deal are in exactly one place. */
bool support_deal_is_whole(const struct scopa_deal *deal);

/* Of all sets with as many cards the next one. */
scopa_set support_next_set(scopa_set set);

/*
 * A pack that deals `cards` first, in this order, and the other cards after
 * them in the order of their numbers.
 */
void support_pack(const char *cards, uint8_t pack[SCOPA_PACK_SIZE]);

/* One that deals the cards of the set from a place on, all in their order. */
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
