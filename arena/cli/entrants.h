/*
 * Bots as people name them on the command line.
 */
#ifndef ENTRANTS_H
#define ENTRANTS_H

#include "match.h"
#include "option.h"
#include "report.h"

/* A time control that may be given or not. */
struct entrant_control {
	bool given;
	struct budget_control control;
};

/* One `--bot cmd=... name=...`. */
struct entrant_words {
	const char *command, *name, *arguments, *dir, *read, *allow;
	struct entrant_control control;
	struct option_pairs options, environment;
};

/* The keys of `--bot`, for an option table; the first is the command. */
extern const struct option entrant_keys[];

/*
 * For rows of OPTION_PARSED whose field is a struct entrant_control: a time
 * control as budget_control_parse reads it, or `10+0.1` and `inf` as other arenas
 * write it.
 */
bool entrant_control_read(
    const char *value, void *field, struct scopa_text *why);
void entrant_control_write(const void *field, struct scopa_text *text);

/*
 * Gives a bot what `each` says and the bot itself does not.  STATUS_USAGE, with
 * a word on stderr, where that cannot be.
 */
enum status entrant_inherit(
    struct entrant_words *words, const struct entrant_words *each);

/* What a bot is wanted for. */
enum entrant_use {
	ENTRANT_TO_PLAY,
	ENTRANT_TO_READ /* of its games: it need not be there any more */
};

/*
 * Resolves a bot: a path, `"command with arguments"` or `@name`.  What cannot
 * be run, and is to play, is said on stderr: STATUS_USAGE.  `words` must outlive
 * the entrant.
 */
enum status entrant_read(struct entrant *entrant,
    const struct entrant_words *words, enum entrant_use use);

/*
 * Warns on stderr of bots in folders that everybody may write to, and of the
 * secret of a run below a bot's folder, where `sandbox`
 * (NULL: none) do not keep the bots themselves from it.
 */
void entrants_warn(
    const struct entrant *entrants, int count, const struct sandbox *sandbox);

/*
 * Notes in the sandbox, and on stderr unless `quiet`, that it is weaker for a
 * bot that was allowed something; nothing where there are none.
 */
void entrants_weaken(const struct entrant *entrants, int count, bool quiet,
    struct sandbox *sandbox);

/* Says that no built-in bot has this name, `mark` before it: STATUS_USAGE. */
enum status builtin_error(const char *mark, const char *name);

/*
 * Says why a bot never got ready, as users see it: STATUS_BOT, or STATUS_USAGE
 * where it may not play in such a game.
 */
enum status entrant_error(const struct entrant *entrant, const char *name,
    const struct match_fault *fault, const struct match_rules *rules);

/*
 * Whether nothing is wrong with the bot, but it was named where it may not play,
 * or with options that it does not take: such a game is none.
 */
bool entrant_is_misused(const struct match_fault *fault);

/*
 * What to do about a bot that has ended, where its last words sound as if its
 * interpreter was missing, or as if it had met the limits of its sandbox; else
 * NULL.
 */
const char *entrant_sandbox_hint(
    const struct match_fault *fault, const struct match_rules *rules);

#endif
