/*
 * A bot's side of the protocol: a line comes in, the answer goes to a text; what
 * a seat knows of its deal, read from a `state` line; and a dialog over a pair
 * of descriptors.
 */
#ifndef SCOPA_BOT_DIALOG_H
#define SCOPA_BOT_DIALOG_H

#include "builtin.h"
#include "pace.h"

enum {
	DIALOG_LINE_MAX = 65535,  /* bytes of a line, its end aside */
	DIALOG_ANSWER_MAX = 8192, /* bytes of all answers to one line */
	DIALOG_INFO_MAX = 6144,   /* bytes of all `info` lines of a turn */
	DIALOG_OPTIONS_MAX = 16,
	DIALOG_ERRORS_MAX = 8 /* unknown lines reported, of a process */
};

/* Lines that are kept for the next decision. */
enum dialog_kept { DIALOG_LEGAL, DIALOG_STATE, DIALOG_CARDS, DIALOG_KEPT };

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

	struct pace_record pace;
	bool match_bank; /* the bank is for a whole match */
	int deal_count;  /* of the match; 0: it goes on to the target */
	int error_count;
	/* Whole, without their ends; a NUL follows; length 0: not told. */
	size_t lengths[DIALOG_KEPT];
	char lines[DIALOG_KEPT][DIALOG_LINE_MAX + 1];
};

void dialog_init(struct dialog *dialog, const struct builtin *builtin);

/*
 * Hears one line (without its end) and writes what there is to say, lines with
 * their ends; `answer` must have room for DIALOG_ANSWER_MAX more bytes.
 * Returns false when the arena wants the bot to quit.
 */
bool dialog_hear(
    struct dialog *dialog, struct token line, struct scopa_text *answer);

/* Says an error of a line over DIALOG_LINE_MAX, which was not kept. */
void dialog_hear_long(struct dialog *dialog, struct scopa_text *answer);

/*
 * Puts the cards of a `cards` line, without its verb, where they lie:  `deal`
 * is one that agrees with the view (see world.h), and then the true one.
 * False, and *deal left alone, where the line contradicts the view or itself.
 */
bool unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

/*
 * Plays until `quit` or the end of input, with one read for all that has come
 * and one write for all that is answered to it; the descriptors are blocking
 * and stay open.  Returns 0, or -errno where reading or writing failed; that
 * nobody reads the answers any more is an end like any other.
 */
int client_run(const struct builtin *builtin, int input, int output);

#endif
