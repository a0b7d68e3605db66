/*
 * Explains to the author of a bot how it lost a game by an offence, for match,
 * tournaments and gates: what fault_text.h says, a hint, and the command that
 * shows it again.
 */
#ifndef LOST_GAME_H
#define LOST_GAME_H

#include <stdio.h>

#include "match.h"
#include "scopa/text.h"

struct lost_game {
	const struct match_fault *fault;
	const struct entrant *entrant; /* the bot at fault */
	const struct match_rules *rules;
	/* The records of the run, which have the game; NULL: there are none. */
	const char *records;
	int64_t number; /* of the game, from 1 */
};

/* Prints lines of the form `  label   : text`. */
void lost_game_explain(const struct lost_game *lost, FILE *out);

/* Writes the same lines to the log, with the match and the name of the bot. */
void lost_game_log(const struct lost_game *lost, const char *name);

/* Appends the offence as a part of a sentence: `no answer within 1 s`. */
void lost_game_reason(const struct lost_game *lost, struct scopa_text *text);

#endif
