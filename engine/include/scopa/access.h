/*
 * Access to the structs of libscopa for programs that do not know their layout,
 * such as those in other languages.
 *
 * Such a program asks for the size of a struct, reserves as many bytes at an
 * address that is a multiple of 8, and hands their address to the functions of
 * libscopa.  The layout may change with a new version of the library; the
 * functions below stay.
 */
#ifndef SCOPA_ACCESS_H
#define SCOPA_ACCESS_H

#include "scopa/score.h"

/*
 * Returns the number of bytes of `struct scopa_NAME`, for the names rules,
 * deal, move, score, tally, text and view; 0 for any other.
 */
size_t scopa_struct_size(const char *name);

/* Returns the name of a preset, from 0; NULL when there are no more. */
const char *scopa_preset_name(int index);

/* Return the number of seats, of teams, and the team of a seat (from 0). */
int scopa_rules_players(const struct scopa_rules *rules);
int scopa_rules_teams(const struct scopa_rules *rules);
int scopa_rules_team(const struct scopa_rules *rules, int seat);

/* Returns the seat to move; -1 when the deal is over. */
int scopa_deal_turn(const struct scopa_deal *deal);

int scopa_deal_dealer(const struct scopa_deal *deal);

/* Returns the last seat that has captured; -1 when there is none. */
int scopa_deal_last(const struct scopa_deal *deal);

/* Returns the number of cards that are not dealt yet. */
int scopa_deal_deck_count(const struct scopa_deal *deal);

scopa_set scopa_deal_table(const struct scopa_deal *deal);
scopa_set scopa_deal_hand(const struct scopa_deal *deal, int seat);
scopa_set scopa_deal_pile(const struct scopa_deal *deal, int team);

/* Returns the sweeps of a team that score. */
int scopa_deal_sweeps(const struct scopa_deal *deal, int team);

/*
 * Returns the number of plays and declarations so far, and one of them, which
 * contains its seat.
 */
int scopa_deal_history_count(const struct scopa_deal *deal);
const struct scopa_move *scopa_deal_history(
    const struct scopa_deal *deal, int index);

/* Returns the seat that makes a move of a list or a history. */
int scopa_move_seat(const struct scopa_move *move);

/*
 * Makes a move in the notation of the protocol (`7Dx3C4S`).  Returns 0; a
 * positive enum scopa_refusal when the move is illegal; -SCOPA_BAD_SYNTAX or
 * -SCOPA_DUPLICATE when it is no move.  Only with 0 the deal is changed.
 */
int scopa_deal_play(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *move);

/* Returns the number of items; they count from 0. */
int scopa_score_item_count(void);

/* Return what a team has of an item, and the points for it. */
int scopa_score_quantity(
    const struct scopa_score *score, int team, enum scopa_item item);
int scopa_score_points(
    const struct scopa_score *score, int team, enum scopa_item item);

/* Returns the points of a team in the deal. */
int scopa_score_total(const struct scopa_score *score, int team);

/* Returns the team that has won the match instantly; -1 when there is none. */
int scopa_score_winner(const struct scopa_score *score);

/* Return the points of a team, and how many deals have been played. */
int scopa_tally_score(const struct scopa_tally *tally, int team);
int scopa_tally_deal_count(const struct scopa_tally *tally);

/* Returns the seat that deals next. */
int scopa_tally_dealer(const struct scopa_tally *tally);

enum scopa_tally_state scopa_tally_state(const struct scopa_tally *tally);

/* Returns the team that has won; -1 while the match is open, or drawn. */
int scopa_tally_winner(const struct scopa_tally *tally);

#endif
