/*
 * What a built-in bot is for the client that runs it: a row with its options
 * and its decision; the options as the protocol states and sets them.
 */
#ifndef SCOPA_BOT_BUILTIN_H
#define SCOPA_BOT_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/view.h"
#include "token.h"

/* As the bots give it in `id`; raised when a bot begins to play otherwise. */
#define BUILTIN_VERSION "1"

/*
 * An option, as the bot states it in the handshake: a number, or which of some
 * words, from 0.
 */
struct builtin_option {
	const char *name;
	int64_t fallback;  /* the value until `setoption` gives another */
	int64_t min, max;  /* of a number */
	const char *words; /* as in `calm|wild`; NULL: it is a number */
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
	const struct scopa_deal *all_cards;
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
	bool sees_all; /* wants `all_cards`: it says `feature analysis=1` */

	/* Writes the move alone, as text; false where it has none. */
	bool (*choose)(
	    const struct builtin_turn *turn, struct scopa_text *answer);
};

/* What became of an option that was to be set. */
enum builtin_option_result {
	BUILTIN_OPTION_SET,
	BUILTIN_OPTION_UNKNOWN, /* there is none of this name */
	BUILTIN_OPTION_REFUSED  /* not a value of this option */
};

/* All values as they are until somebody sets them: one a row of the bot. */
void builtin_options_init(int64_t *values, const struct builtin *builtin);

/* One `option` line for each, with its end. */
void builtin_options_format(
    const struct builtin *builtin, struct scopa_text *text);

/* Which of the bot's options has this name; -1: none. */
int builtin_option_find(const struct builtin *builtin, struct token name);

/*
 * Sets the option of a word `NAME=VALUE`.  *name is the name in it.  A value
 * that is refused leaves the one that is there.
 */
enum builtin_option_result builtin_option_set(int64_t *values,
    const struct builtin *builtin, struct token word, struct token *name);

/*
 * State of a random sequence from the seed as text.  The text is hashed, so
 * that neighbouring seeds give sequences that have nothing in common.
 */
uint64_t builtin_seed(struct token seed);

/* Stands at the end of a list of legal moves that was cut at the line limit. */
#define BUILTIN_LEGAL_CUT "..."

/* Writes the first legal move; false where there is none. */
bool builtin_first_legal(
    const struct builtin_turn *turn, struct scopa_text *answer);

#endif
