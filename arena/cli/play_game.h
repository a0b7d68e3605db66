/*
 * A game of persons at the terminal against bots.
 *
 * It is a match like any other: the referee judges it, and a record is written.
 * The match runs in this process, so that its event loop can also wait for what
 * a person types.
 */
#ifndef PLAY_GAME_H
#define PLAY_GAME_H

#include "card_drawing.h"
#include "match.h"
#include "report.h"

struct play_config {
	const struct match_rules *rules;
	const struct entrant *entrants;
	const struct game_spec *spec;
	/* Moves of all seats that are made before anybody is asked. */
	const struct scopa_move *moves;
	int move_count;
	enum card_style style;
	enum color_choice color;
	const char *hint_command, *hint_sandbox; /* see struct hint */
	int record_fd;                           /* -1: no record */
};

struct play_outcome {
	/*
	 * STATUS_DONE: the game is over.  STATUS_INTERRUPTED: a person has ended
	 * it, or the input has ended.  STATUS_TERMINATED: by SIGTERM.
	 */
	enum status status;
	bool recorded;    /* the game is in the record */
	int error;        /* -errno if the machine refused something, else 0 */
	int record_error; /* -errno if the record could not be written */
	struct match_fault fault; /* by which the game was lost, or seat -1 */
	struct summary summary;   /* of the game, unless there is an error */
};

/* Plays the game to its end. */
void play_game(const struct play_config *config, struct play_outcome *outcome);

#endif
