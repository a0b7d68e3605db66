/*
 * What the machine has spoilt of a game, which is no bot's fault: noted with
 * the game, which is played again, and told.
 */
#ifndef MISHAP_H
#define MISHAP_H

#include "match.h"

/* Adds why an attempt does not count; false where no more has room. */
bool mishap_note(struct series_game *game, const char *reason);

/*
 * A bot of the game has lost its supervisor: what is left of it is killed.
 * False where that has happened too often in this game.
 */
bool mishap_take_loss(struct series_game *game);

/* Tells that bots cannot be started, by -errno, unless that was told. */
void mishap_tell_refusal(int error, bool *told);

#endif
