/*
 * The interface between the client and a built-in bot: the row of a bot with
 * its options and its decision function; the words of a protocol line; and the
 * `info` lines that describe a decision.
 */
#ifndef SCOPA_BOT_BUILTIN_H
#define SCOPA_BOT_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scopa/text.h"
#include "scopa/view.h"

/* The version in the `id` line.  It is raised when a bot changes its play. */
#define BUILTIN_VERSION "1"

/* Bytes that belong to the caller, without a NUL at the end. */
struct token {
	const char *bytes;
	size_t length; /* 0: there is no token */
};

/*
 * Removes the next word from the front of `line` and returns it; its length is
 * 0 when the line has no more words.  Words are separated by blanks.  The
 * caller must have removed a comment (`#` at the start of a word) before.
 */
struct token token_next(struct token *line);

/*
 * Returns the line without blanks at both ends, without its comment and without
 * a CR at its end.
 */
struct token token_trim(struct token line);

bool token_is(struct token token, const char *word);

/*
 * Returns the value of `key=value` in the line.  When the key occurs more than
 * once, the last value counts.  The length is 0 when the key is missing.
 */
struct token token_find(struct token line, const char *key);

/*
 * Reads a whole number in [min, max] into *number and returns true.  For
 * anything else it returns false and leaves *number unchanged.
 */
bool token_int(struct token token, int64_t min, int64_t max, int64_t *number);

/*
 * Copies the token and adds a NUL.  When `size` is too small, it copies nothing
 * and returns false.
 */
bool token_copy(struct token token, char *bytes, size_t size);

/*
 * An option, as the bot announces it in the handshake.  The value is a number,
 * or the index of a word, from 0.
 */
struct builtin_option {
	const char *name;
	int64_t fallback;         /* the value before the first `setoption` */
	int64_t min, max;         /* limits of a number; unused for words */
	const char *const *words; /* ends with NULL; NULL pointer: a number */
};

/*
 * The lines that a bot needs before a decision.  The client skips all others.
 */
enum builtin_need {
	BUILTIN_NEED_LEGAL, /* the `legal` line */
	BUILTIN_NEED_VIEW   /* the rules and all that the seat may know */
};

/* One decision, as a bot sees it. */
struct builtin_turn {
	const char *legal;   /* legal moves, separated by blanks */
	size_t legal_length; /* 0: there was no such line */

	/* All three are set for BUILTIN_NEED_VIEW, else NULL. */
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	/* invented: hidden cards lie anywhere that fits */
	const struct scopa_deal *deal;

	uint64_t *random;       /* state of the bot's random generator */
	const int64_t *options; /* values, in the order of the bot's rows */

	int64_t began_ns;        /* when `go` arrived, CLOCK_MONOTONIC */
	int64_t lag_ns, work_ns; /* recent values: see struct pace_record */
	int64_t bank_ns;         /* `time=` of `go`; -1: not given */
	int64_t increment_ns;    /* `inc=`; -1: not given */
	int64_t move_ns;         /* `move=`; -1: not given */
	bool match_bank;         /* the bank is for a match, not for a deal */
	int deal_count;          /* of the match; 0: played to the target */

	/*
	 * The bot appends whole `info` lines, with line ends, for the record.
	 */
	struct scopa_text *info;
	/*
	 * builtin->memory_size bytes, aligned for any type.  The memory belongs
	 * to the bot as long as its process lives, and is zero at first.
	 */
	void *memory;
	/*
	 * Returns true when the arena wants the answer at once or no longer
	 * waits for it.  A call is cheap enough for a thousand calls a second.
	 * NULL: never.
	 */
	bool (*stopped)(void *context);
	void *context;
	/*
	 * The true position of all cards, in an analysis that shows them; else
	 * NULL.
	 */
	const struct scopa_deal *all_cards;
};

/* One built-in bot. */
struct builtin {
	const char *name;     /* `greedy`; `@greedy` where bots are listed */
	const char *sentence; /* describes its play in one sentence */
	const struct builtin_option *options;
	int option_count;
	enum builtin_need need;
	size_t memory_size; /* bytes that it needs from turn to turn */
	bool stops;         /* calls stopped(); announces `feature stop=1` */
	bool sees_all; /* uses `all_cards`; announces `feature analysis=1` */

	/*
	 * Writes the move alone, as text.  Returns false when it has no move.
	 */
	bool (*choose)(
	    const struct builtin_turn *turn, struct scopa_text *answer);
};

/* Sets the default of each option; `values` has one entry for each row. */
void builtin_options_init(int64_t *values, const struct builtin *builtin);

/* Appends one `option` line, with its end, for each option. */
void builtin_options_format(
    const struct builtin *builtin, struct scopa_text *text);

/*
 * Sets the option in a word `NAME=VALUE`.  Returns NULL, or a sentence about
 * the error and the option's name in *name.  After an error the old value
 * stays.
 */
const char *builtin_option_set(int64_t *values, const struct builtin *builtin,
    struct token word, struct token *name);

/*
 * Returns the state of a random generator for a seed given as text.  The text
 * is hashed, so that similar seeds give unrelated sequences.
 */
uint64_t builtin_seed(struct token seed);

/* The last word of a list of legal moves that was cut at the line limit. */
#define BUILTIN_LEGAL_CUT "..."

/* Writes the first legal move.  Returns false when there is none. */
bool builtin_first_legal(
    const struct builtin_turn *turn, struct scopa_text *answer);

/* The most bytes of an `info` line, without its end. */
enum { INFO_LINE_MAX = 4096 };

/*
 * One `info` line (protocol.md, section 6).  The arena stores it in the record,
 * and charts show it.
 */
struct info {
	struct scopa_text line;
	char bytes[INFO_LINE_MAX + 1];
};

void info_init(struct info *info);

/*
 * Each function appends `KEY=VALUE`.  The protocol defines the keys depth,
 * nodes and time (whole numbers from 0), value (points), pv (moves) and cut.
 * Keys of a bot's own numbers begin with `m.`.  `bench bots` counts the
 * iterations of a search, from `m.iterations` or else from `nodes`, and the
 * deals that were played to their end, from `m.playouts` if that number is
 * different.  A decimal has three digits after the point; infinite and
 * undefined numbers are left out.
 */
void info_whole(struct info *info, const char *key, int64_t number);
void info_decimal(struct info *info, const char *key, double number);
void info_moves(struct info *info, const char *key,
    const struct scopa_move *moves, int count);

/*
 * Appends the line, with its end, to `text`.  A line is left out when it is
 * empty, too long for the protocol, or does not fit into the text.
 */
void info_finish(const struct info *info, struct scopa_text *text);

#endif
