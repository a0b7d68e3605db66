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

enum builtin_type {
	BUILTIN_INT,  /* min to max */
	BUILTIN_BOOL, /* 0 or 1; `false` or `true` */
	BUILTIN_ENUM  /* which of the words, from 0 */
};

/* An option, as the bot states it in the handshake. */
struct builtin_option {
	const char *name;
	enum builtin_type type;
	int64_t fallback;  /* the value until `setoption` gives another */
	int64_t min, max;  /* of an int */
	const char *words; /* of an enum, as in `calm|wild` */
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

	int64_t began_ns;        /* when `go` had come, CLOCK_MONOTONIC */
	int64_t lag_ns, work_ns; /* lately: see struct pace_record */
	int64_t bank_ns;         /* `time=` of `go`; -1: it was not said */
	int64_t increment_ns;    /* `inc=`; -1: it was not said */
	int64_t move_ns;         /* `move=`; -1: it was not said */
	bool match_bank;         /* the bank is for a match, not for a deal */
	int deal_count;          /* of the match; 0: it goes on to the target */

	/* Lines for the record, whole and with their ends: see info.h. */
	struct scopa_text *info;
	/*
	 * builtin->memory_size bytes, aligned for anything: the bot's own for
	 * as long as its process lives, all zero at first.
	 */
	void *memory;
	/*
	 * Whether an answer is wanted at once, or not at all any more.  Cheap
	 * enough to be asked a thousand times a second.
	 */
	bool (*stopped)(void *context);
	void *context;
	/* All cards, in an analysis that shows them; else NULL. */
	const struct scopa_deal *truth;
};

/* One built-in bot. */
struct builtin {
	const char *name;     /* `greedy`; written `@greedy` among other bots */
	const char *sentence; /* how it plays, for people */
	const struct builtin_option *options;
	int option_count;
	enum builtin_need need;
	size_t memory_size; /* bytes that it keeps from turn to turn */
	bool stops;         /* asks stopped(): it says `feature stop=1` */
	bool sees_all;      /* wants `truth`: it says `feature analysis=1` */

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
