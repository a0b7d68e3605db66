/*
 * A bot's side of the protocol, pure: a line comes in, the answer goes to a
 * text.
 */
#ifndef SCOPA_BOT_SESSION_H
#define SCOPA_BOT_SESSION_H

#include "builtin.h"
#include "token.h"
#include "track.h"

enum {
	SESSION_LINE_MAX = 65535,  /* bytes of a line, its end aside */
	SESSION_ANSWER_MAX = 4096, /* bytes of all answers to one line */
	SESSION_OPTIONS_MAX = 4,
	SESSION_COMPLAINTS_MAX = 8 /* unknown lines reported, of a process */
};

struct session {
	const struct builtin *builtin;
	int64_t options[SESSION_OPTIONS_MAX];
	uint64_t random;     /* state of the bot's randomness, per match */
	size_t legal_length; /* since the last decision; 0: not told */
	size_t state_length; /* as above */
	int complaint_count;
	struct track track;               /* kept for bots that need a view */
	char legal[SESSION_LINE_MAX + 1]; /* moves of the `legal` line */
	char state[SESSION_LINE_MAX + 1]; /* whole line, with a NUL */
};

void session_init(struct session *session, const struct builtin *builtin);

/*
 * Hears one line (without its end) and writes what there is to say, lines with
 * their ends; `answer` must have room for SESSION_ANSWER_MAX more bytes.
 * Returns false when the arena wants the bot to quit.
 */
bool session_hear(
    struct session *session, struct token line, struct scopa_text *answer);

/* Complains of a line over SESSION_LINE_MAX, which was not kept. */
void session_hear_long(struct session *session, struct scopa_text *answer);

#endif
