/*
 * One bot's side of the conversation: the handshake, what it can do, and what
 * it may say now.  Lives as long as the bot's process, over many matches.
 */
#ifndef SESSION_H
#define SESSION_H

#include "bot_option.h"
#include "verdict.h"
#include "words.h"

enum {
	SESSION_NAME_SIZE = 64,
	SESSION_OPTIONS_SIZE = 2048, /* names of its options, a blank each */
	SESSION_REASON_SIZE = 32,
	SESSION_SAID_SIZE = 256,
	SESSION_ALLOWED_SIZE = 256,
	SESSION_STRAY_SIZE = 128,
	SESSION_ERRORS_MAX = 100, /* `error` lines to one process */
	SESSION_VERSION = 1       /* of USP */
};

/* Why a bot that wants all cards does not get ready where it may not. */
#define SESSION_NEEDS_ANALYSIS "HS_BAD(ANALYSIS)"

/* Why a bot does not get ready that cannot be set up as the user wants it. */
#define SESSION_BAD_OPTION "HS_BAD(OPTION)"

/* Phases are bits so that the verb table can name several. */
enum session_phase {
	SESSION_ABSENT = 1, /* no process, or not started */
	SESSION_HELLO = 2,  /* `usp` is sent: waits for `uspok` */
	SESSION_SETUP = 4,  /* `isready` is sent: waits for `readyok` */
	SESSION_IDLE = 8,   /* ready, and not asked */
	SESSION_THINK = 16, /* `go` is sent: waits for `move` */
	SESSION_STALE = 32, /* was late: all is dropped up to `readyok` */
	SESSION_GONE = 64   /* ended or given up: does not speak any more */
};

/* What a bot wants otherwise than usual; see protocol.md, features. */
struct session_features {
	bool events, state, legal, declare, stop, observe, position;
	bool analysis; /* it plays only where it is told all cards */
};

struct session {
	enum session_phase phase;
	struct session_features features;
	char name[SESSION_NAME_SIZE]; /* from `id`; empty before */
	char version[SESSION_NAME_SIZE];
	char options[SESSION_OPTIONS_SIZE];
	int bad_option_count; /* `option` lines that were refused */
	bool setting; /* options were sent, and no `readyok` has come since */
	/* Of the options that the user sets, the first that is wrong. */
	enum bot_option_flaw option_flaw;
	char flawed[SESSION_SAID_SIZE]; /* it, or its beginning: `depth=x` */
	/* What would be right: a value, or the names that there are. */
	char allowed[SESSION_ALLOWED_SIZE];
	char nearest[SESSION_NAME_SIZE]; /* name that was meant, or empty */
	int id_count, feature_count;
	int error_count; /* of its lines that could not be used */
	int stray_count; /* of these, that begin with no verb.. */
	char stray[SESSION_STRAY_SIZE]; /* ..and the first of them, cut */
	/* The last of these, or of its answers with a wrong turn id. */
	char unused[SESSION_STRAY_SIZE];
	int stale_count;             /* answers with a wrong or stale turn id */
	enum offence_kind fault;     /* of a session that is gone */
	enum session_phase ended_in; /* the phase in which it ended */
	char reason[SESSION_REASON_SIZE];
	char said[SESSION_SAID_SIZE]; /* the line at fault, or empty */
};

/* A session with a bot that was just started: writes `usp`. */
void session_start(
    struct session *session, const char *arena, struct scopa_text *out);

/* The bot does not speak any more, and why. */
void session_end(struct session *session, enum offence_kind fault,
    const char *reason, const char *said, size_t said_length);

/* Keeps a line that could not be used as an answer, for reports. */
void session_store_unused(
    struct session *session, const char *line, size_t length);

/* Counts a line that is no message of a bot, and answers `error unknown`. */
void session_on_stray(struct session *session, const char *line, size_t length,
    struct word verb, struct scopa_text *out);

/* Answers `error CODE # words WORD`, within the limit. */
void session_error(struct session *session, const char *code, const char *words,
    struct word word, struct scopa_text *out);

/* A line of the handshake, and what decides about it. */
struct session_line {
	const struct words *words;
	/*
	 * What the user sets, `NAME=VALUE` each, ended by NULL; or NULL.  They
	 * are compared with what the bot declares, and sent on `uspok`.
	 */
	const char *const *options;
	bool observe, analysis; /* what it may have if it asks for it */
	struct scopa_text *out; /* what the bot is sent */
};

/*
 * The lines of the handshake.  The answer to `uspok` is the options, then
 * `isready`.  What cannot be mended ends the session with OFFENCE_STARTUP.  So do
 * options that the bot does not allow, as SESSION_BAD_OPTION, and a bot that wants
 * all cards where nobody is told them, as SESSION_NEEDS_ANALYSIS.
 */
void session_on_id(struct session *session, const struct session_line *line);
void session_on_option(
    struct session *session, const struct session_line *line);
void session_on_feature(
    struct session *session, const struct session_line *line);
void session_on_uspok(struct session *session, const struct session_line *line);

/*
 * The bot says `error option`: where that answers the options that it was sent,
 * it ends the session as SESSION_BAD_OPTION; else false.
 */
bool session_on_option_error(
    struct session *session, const char *line, size_t length);

void session_on_readyok(struct session *session);

/* Sends `isready` between matches: the session is in SESSION_SETUP again. */
void session_ask_ready(struct session *session, struct scopa_text *out);

#endif
