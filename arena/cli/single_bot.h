/*
 * What the commands share that try a single bot: its options, the bot itself
 * and its sandbox.
 */
#ifndef SINGLE_BOT_H
#define SINGLE_BOT_H

#include "game_options.h"
#include "practice.h"

/*
 * Option rows in addition to game_process_options.  Their offsets count from
 * the beginning of struct game_settings.
 */
extern const struct option single_bot_options[];

/* The row --bot of commands whose argument is the bot. */
extern const struct option single_bot_argument[];

struct single_bot {
	struct dispatcher_config play; /* its rules, and its one entrant */
	struct game_bots bots;
	struct sandbox sandbox;
	struct practice *practice; /* NULL: not started */
};

/*
 * Reads the bot and sets up its sandbox; `preset` gives the rules to begin
 * with.  Returns STATUS_DONE or prints an error.  The caller closes it in any
 * case.
 */
enum status single_bot_open(struct single_bot *single,
    const struct game_settings *settings, const struct rule_set *set);
void single_bot_close(struct single_bot *single);

/* Starts and greets the bot.  Prints an error if it does not become ready. */
enum status single_bot_start(struct single_bot *single);

/* Plays a game.  Prints an error if the machine refuses something. */
enum status single_bot_play(struct single_bot *single,
    const struct practice_game *game, struct practice_result *result);

/*
 * Reads the answer of the seat to move, a line `move MOVE`.  Returns NULL and
 * sets *move if it is legal, or else a sentence that says why not.
 */
const char *answer_refusal(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *line, struct scopa_move *move);

#endif
