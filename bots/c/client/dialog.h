/*
 * A bot's side of the protocol, pure: a line comes in, the answer goes to a
 * text.
 */
#ifndef SCOPA_BOT_DIALOG_H
#define SCOPA_BOT_DIALOG_H

#include "builtin.h"
#include "pace.h"
#include "token.h"

enum {
	DIALOG_LINE_MAX = 65535,  /* bytes of a line, its end aside */
	DIALOG_ANSWER_MAX = 8192, /* bytes of all answers to one line */
	DIALOG_INFO_MAX = 6144,   /* bytes of all `info` lines of a turn */
	DIALOG_CARDS_MAX = 256,   /* bytes of a `cards` line: 40 cards */
	DIALOG_OPTIONS_MAX = 16,
	DIALOG_ERRORS_MAX = 8 /* unknown lines reported, of a process */
};

struct dialog {
	const struct builtin *builtin;
	int64_t options[DIALOG_OPTIONS_MAX];
	uint64_t random; /* state of the bot's randomness, per match */

	/* The caller's, which sets them after dialog_init(). */
	int64_t heard_ns; /* when the line in hand came, CLOCK_MONOTONIC */
	int64_t wake_ns;  /* how long before it could have been heard */
	void *memory;     /* of the bot: builtin->memory_size bytes, or NULL */
	bool (*stopped)(void *context); /* from dialog_init() on: never */
	void *context;

	/* Of the clock. */
	struct pace_record pace;
	bool asked; /* by a `go` that dialog_answered() has not heard of */
	int64_t began_ns;    /* when that had come */
	int64_t asked_ns;    /* when it was heard */
	int64_t bank_ns;     /* as it will be with the increment; -1: none */
	bool match_bank;     /* the bank is for a whole match */
	int deal_count;      /* of the match; 0: it goes on to the target */
	size_t legal_length; /* since the last decision; 0: not told */
	size_t cards_length; /* as above */
	int error_count;
	char legal[DIALOG_LINE_MAX + 1]; /* moves of the `legal` line */
	char
	    state[DIALOG_LINE_MAX + 1]; /* whole line with a NUL; empty: none */
	char cards[DIALOG_CARDS_MAX];   /* without the verb */
	char info[DIALOG_INFO_MAX];     /* of the decision in hand */
};

void dialog_init(struct dialog *dialog, const struct builtin *builtin);

/*
 * Hears one line (without its end) and writes what there is to say, lines with
 * their ends; `answer` must have room for DIALOG_ANSWER_MAX more bytes.
 * Returns false when the arena wants the bot to quit.
 */
bool dialog_hear(
    struct dialog *dialog, struct token line, struct scopa_text *answer);

/*
 * All that was answered has gone out at `now_ns`.  The process had no processor
 * for `wait_ns` since it has heard the question.
 */
void dialog_answered(struct dialog *dialog, int64_t now_ns, int64_t wait_ns);

/* Says an error of a line over DIALOG_LINE_MAX, which was not kept. */
void dialog_hear_long(struct dialog *dialog, struct scopa_text *answer);

#endif
