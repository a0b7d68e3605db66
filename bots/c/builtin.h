/*
 * The built-in bots: one row each.
 *
 * The arena starts itself again as such a bot (`@greedy`), and scopa-bot is the
 * same table as a program of its own.  Both speak the protocol on standard
 * input and output.
 */
#ifndef SCOPA_BOT_BUILTIN_H
#define SCOPA_BOT_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/view.h"

/* As the bots give it in `id`; raised when a bot begins to play otherwise. */
#define BUILTIN_VERSION "1"

/* An option of type int, as the bot states it in the handshake. */
struct builtin_option {
	const char *name;
	int64_t fallback; /* the value until `setoption` gives another */
	int64_t min;
	int64_t max;
};

/* What a bot must be told; the rest is skipped unread. */
enum builtin_need {
	BUILTIN_NEED_LEGAL, /* the `legal` line */
	BUILTIN_NEED_VIEW   /* the rules and all that the seat may know */
};

/* One decision, as a bot sees it. */
struct builtin_turn {
	const char *legal;   /* legal moves, with blanks between */
	size_t legal_length; /* 0: there was no such line */

	/* Set where a view is needed, all three; else NULL. */
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* imagined: one that fits the view */

	uint64_t *random;       /* state of the bot's own randomness */
	const int64_t *options; /* values, in the order of the bot's rows */
};

/* One built-in bot. */
struct builtin {
	const char *name;     /* `greedy`; written `@greedy` among other bots */
	const char *sentence; /* how it plays, for people */
	const struct builtin_option *options;
	int option_count;
	enum builtin_need need;

	/* Writes the move alone, as text; false where it has none. */
	bool (*choose)(
	    const struct builtin_turn *turn, struct scopa_text *answer);
};

extern const struct builtin builtins[];
extern const int builtin_count;

/* The bot of that name (without `@`), or NULL. */
const struct builtin *builtin_find(const char *name);

/*
 * Plays as that bot on standard input and output until `quit` or the end of
 * input.  Returns an exit code: 0, 2 where there is no such bot (said on
 * standard error), 5 where reading or writing failed.
 */
int builtin_run(const char *name);

#endif
