/*
 * A bot's side of the protocol.  dialog_hear() handles one line and appends the
 * answer to a text; unveil_deal() reads a `cards` line; client_run() runs a
 * dialog over a pair of descriptors.
 */
#ifndef SCOPA_BOT_DIALOG_H
#define SCOPA_BOT_DIALOG_H

#include "builtin.h"
#include "pace.h"

enum {
	DIALOG_LINE_MAX = 65535,  /* bytes of a line, without its end */
	DIALOG_ANSWER_MAX = 8192, /* bytes of all answers to one line */
	DIALOG_INFO_MAX = 6144,   /* bytes of all `info` lines of a turn */
	DIALOG_OPTIONS_MAX = 16,
	DIALOG_ERRORS_MAX = 8 /* `error` lines in a process's life */
};

/* The lines that are stored until the next decision. */
enum dialog_line { DIALOG_LEGAL, DIALOG_STATE, DIALOG_CARDS, DIALOG_LINES };

struct dialog {
	const struct builtin *builtin;
	int64_t options[DIALOG_OPTIONS_MAX];
	uint64_t random; /* state of the random generator, set by `match` */

	/* The caller sets these after dialog_init(). */
	int64_t heard_ns; /* when the present line arrived, CLOCK_MONOTONIC */
	int64_t wake_ns;  /* how much later than possible the process ran */
	void *memory;     /* the bot's: builtin->memory_size bytes, or NULL */
	bool (*stopped)(void *context); /* dialog_init(): NULL */
	void *context;

	struct pace_record pace;
	bool match_bank; /* the bank is for a whole match */
	int deal_count;  /* of the match; 0: played to the target */
	int error_count;
	/*
	 * The stored lines, without line ends and with a NUL.  Length 0: no
	 * line since the last decision.
	 */
	size_t lengths[DIALOG_LINES];
	char lines[DIALOG_LINES][DIALOG_LINE_MAX + 1];
};

/* Sets every option to its default.  `builtin` must outlive the dialog. */
void dialog_init(struct dialog *dialog, const struct builtin *builtin);

/*
 * Handles one line (without its end) and appends the answer lines, with their
 * ends.  `answer` must have room for DIALOG_ANSWER_MAX more bytes.  Returns
 * false when the arena wants the bot to quit.
 */
bool dialog_hear(
    struct dialog *dialog, struct token line, struct scopa_text *answer);

/*
 * Reads a `cards` line, without its verb, which shows all hidden cards.  Before
 * the call, `deal` is a deal that fits the view (see world.h); after it, `deal`
 * is the true one.  Returns false and leaves *deal unchanged when the line
 * contradicts the view or itself.
 */
bool unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

/*
 * Plays until `quit` or the end of input.  All input that one read returns is
 * answered with one write.  The descriptors must be blocking and stay open.
 * Returns 0, or -errno when reading or writing failed.  A closed reader of the
 * answers (EPIPE) counts as a normal end.
 */
int client_run(const struct builtin *builtin, int input, int output);

#endif
