/*
 * Bots as users name them on the command line: reading, resolving, and the
 * errors of bots that do not start, or that lose a game by an offence.
 */
#ifndef ENTRANTS_H
#define ENTRANTS_H

#include <stdio.h>

#include "match.h"
#include "option.h"
#include "report.h"

/* An optional time control. */
struct entrant_control {
	bool given;
	struct budget_control control;
};

/*
 * The values of one `--bot cmd=... name=...`.  A text that was not given is
 * NULL.
 */
struct entrant_words {
	const char *command, *name, *arguments, *dir, *read, *allow, *bundle;
	struct entrant_control control;
	struct option_pairs options, environment;
};

/* The argument BOT of a command.  `more` is a string that ends the sentence. */
#define BOT_ARGUMENT(more)                                                 \
	{                                                                  \
		"BOT",                                                     \
		    "A path, a command in quotes, or @NAME of a built-in " \
		    "bot" more                                             \
	}

/* The keys of `--bot`, for an option table.  The first key is the command. */
extern const struct option entrant_keys[];

/*
 * The parser for rows of kind OPTION_PARSED whose field is a struct
 * entrant_control.  It reads what budget_control_parse() reads, and also
 * `10+0.1` and `inf`, as other arenas write a time control.  Returns false with
 * the reason in `why`, and then writes nothing.
 */
bool entrant_control_read(
    const char *value, void *field, struct scopa_text *why);
void entrant_control_write(const void *field, struct scopa_text *text);

/*
 * Whether a name is short enough for records, tables and messages to show it
 * whole; if not, the reason is in `why`.
 */
bool entrant_name_fits(struct word name, struct scopa_text *why);

/*
 * Copies to a bot the values of `each` that the bot itself does not set.
 * STATUS_DONE; or STATUS_USAGE with an error printed if `each` has a name, or
 * if the bot gets too many options.
 */
enum status entrant_inherit(
    struct entrant_words *words, const struct entrant_words *each);

/* The purpose of reading a bot. */
enum entrant_use {
	ENTRANT_TO_PLAY,
	/* to read its games: the bot may be missing on this machine */
	ENTRANT_TO_READ
};

/*
 * Resolves a bot: a path, `"command with arguments"` or `@name`.  Returns
 * STATUS_DONE; or STATUS_USAGE with an error printed if the bot is to play and
 * cannot be run.  The entrant points into `words`, which must outlive it.
 */
enum status entrant_read(struct entrant *entrant,
    const struct entrant_words *words, enum entrant_use use);

/*
 * Prints warnings on stderr if bots run without a sandbox (`sandbox` is NULL or
 * of level SANDBOX_NONE): of bots in folders that all users may write to, and
 * of the secret of a run below a bot's folder.
 */
void entrants_warn(
    const struct entrant *entrants, int count, const struct sandbox *sandbox);

/*
 * If some bots have an `allow=`, marks the sandbox as weakened for them, and
 * prints this on stderr unless `quiet`.  Without such bots it does nothing.
 */
void entrants_weaken(const struct entrant *entrants, int count, bool quiet,
    struct sandbox *sandbox);

/*
 * Prints a warning on stderr if a bot has sent a name with blanks, of which
 * only the first word counts; `rest` is the name_rest of its session.  A name
 * that the user has given replaces that of the bot, so nothing is printed.
 */
void entrant_warn_name(
    const struct entrant *entrant, const char *name, const char *rest);

/*
 * Stores the word after `--trace` that was taken for a bot.  If there is no
 * such bot, the error says how a file of `--trace` is named.
 */
void entrant_store_trace_word(const char *word);

/*
 * Prints the error that there is no built-in bot of this name; `mark` is
 * printed before the name.  Returns STATUS_USAGE.
 */
enum status builtin_error(const char *mark, const char *name);

/*
 * Prints why a bot never became ready.  Returns STATUS_BOT, or STATUS_USAGE if
 * the bot works but may not play in such a game or does not take an option.
 */
enum status entrant_error(const struct entrant *entrant, const char *name,
    const struct match_fault *fault, const struct match_rules *rules);

/*
 * Whether the fault is a mistake of the user: the bot works, but it may not
 * play in such a game, or it does not take the given options.  Such a game does
 * not count as played.
 */
bool entrant_is_misused(const struct match_fault *fault);

/*
 * Returns a hint for a bot that has ended, if its last messages suggest that
 * its interpreter is missing, or that the sandbox refused something, or if it
 * has exited with status 0.  Otherwise NULL.
 */
const char *entrant_end_hint(
    const struct match_fault *fault, const struct match_rules *rules);

/*
 * Says which line of a bot that did not become ready was missing, and gives
 * hints.  `detail` prints one line of an error message; its text may need to be
 * made fit for a terminal.
 */
void entrant_start_hints(const struct match_fault *fault,
    __attribute__((format(printf, 2, 3))) void (*detail)(
	const char *label, const char *format, ...));

/*
 * A game that a bot has lost by an offence: explained to the author of the bot
 * by what fault_text.h says, a hint, and the command that shows it again.
 */
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

/*
 * The offence as a part of a sentence, `no answer within 1 s`, in a static
 * buffer that the next call uses again.
 */
const char *lost_game_reason(const struct lost_game *lost);

#endif
