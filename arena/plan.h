/*
 * Which games a series has, and who sits where in each: a pure function of the
 * configuration and the number of the game.
 */
#ifndef PLAN_H
#define PLAN_H

#include "series.h"

/* The game of this number, from 0. */
struct match_game plan_game(const struct series_config *config, int index);

/* The entrant that plays as this player. */
int plan_entrant(const struct series_config *config, int player);

#endif
