/*
 * What a built-in bot is for the client that runs it: a row with its options
 * and its decision; the words of a protocol line, cut where they are needed;
 * and what a bot tells of a decision.
 */
#ifndef SCOPA_BOT_BUILTIN_H
#define SCOPA_BOT_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/text.h"
#include "scopa/view.h"

/* As the bots give it in `id`; raised when a bot begins to play otherwise. */
#define BUILTIN_VERSION "1"

/* A piece of the caller's bytes. */
struct token {
	const char *bytes;
	size_t length; /* 0: there is none */
};

/*
 * Takes the next word off the front of `line`.  Words stand between blanks; a
 * comment (`#` at the start of a word) must have been cut off before.
 */
struct token token_next(struct token *line);

/*
 * The line without blanks at both ends, without its comment and without a CR
 * at its end.
 */
struct token token_trim(struct token line);

bool token_is(struct token token, const char *word);

/*
 * The value of `key=value` in the line, of the last one where the key stands
 * twice; length 0 without one.
 */
struct token token_find(struct token line, const char *key);

/* A whole number in [min, max]; false, and *number left alone, for others. */
bool token_int(struct token token, int64_t min, int64_t max, int64_t *number);

/* Copies it with a NUL; false, and nothing is copied, where it does not fit. */
bool token_copy(struct token token, char *bytes, size_t size);

/* Adds to the end of a text, as printf() does. */
__attribute__((format(printf, 2, 3))) void text_add(
    struct scopa_text *text, const char *format, ...);

/*
 * An option, as the bot states it in the handshake: a number, or which of some
 * words, from 0.
 */
struct builtin_option {
	const char *name;
	int64_t fallback; /* the value until `setoption` gives another */
	int64_t min, max; /* of a number */
	const char *const *words; /* with a NULL behind; or it is a number */
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

/* All values as they are until somebody sets them: one a row of the bot. */
void builtin_options_init(int64_t *values, const struct builtin *builtin);

/* One `option` line for each, with its end. */
void builtin_options_format(
    const struct builtin *builtin, struct scopa_text *text);

/*
 * Sets the option of a word `NAME=VALUE`.  NULL, or what is wrong with it, of
 * which *name is the name: then the value that is there stays.
 */
const char *builtin_option_set(int64_t *values, const struct builtin *builtin,
    struct token word, struct token *name);

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

/* Bytes of a line from a bot, its end aside. */
enum { INFO_LINE_MAX = 4096 };

/* One `info` line (protocol.md, section 6), for the record and for charts. */
struct info {
	struct scopa_text line;
	char bytes[INFO_LINE_MAX + 1];
};

void info_init(struct info *info);

/*
 * Each adds `KEY=VALUE`.  The keys of the protocol are depth, nodes and time
 * (whole numbers from 0), value (points), pv (moves) and cut; a bot's own
 * numbers have keys that begin with `m.`.  Of a search, `m.iterations`, or else
 * `nodes`, tells its iterations, and `m.playouts` the deals that it has played
 * to their end, where these are other than the iterations:  `bench bots` counts
 * them.  A decimal has three digits after the point, and is left out where it
 * is no number.
 */
void info_whole(struct info *info, const char *key, int64_t number);
void info_decimal(struct info *info, const char *key, double number);
void info_moves(struct info *info, const char *key,
    const struct scopa_move *moves, int count);

/*
 * Puts the line, with its end, behind what `text` has.  One that says nothing,
 * that the text has no room for or that is too long for the protocol is left
 * out.
 */
void info_finish(const struct info *info, struct scopa_text *text);

#endif
