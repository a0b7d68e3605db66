/*
 * The session with one bot: the handshake, the features of the bot, and the
 * phase, which says what the bot may send now.  A session lives as long as the
 * process of the bot, over many matches.
 */
#ifndef SESSION_H
#define SESSION_H

#include "verdict.h"
#include "words.h"

enum {
	SESSION_NAME_SIZE = 64,
	/* Names of its options, each followed by a blank. */
	SESSION_OPTIONS_SIZE = 2048,
	SESSION_REASON_SIZE = 32,
	SESSION_SAID_SIZE = 256,
	SESSION_ALLOWED_SIZE = 256,
	SESSION_STRAY_SIZE = 128,
	SESSION_REFUSAL_SIZE = 192,
	SESSION_ERRORS_MAX = 100, /* limit of `error` lines to one process */
	SESSION_VERSION = 1       /* version of the protocol USP */
};

/*
 * Reason of a failed startup: the bot requires all cards, but the game is not
 * for analysis.
 */
#define SESSION_NEEDS_ANALYSIS "HS_BAD(ANALYSIS)"

/*
 * Reason of a failed startup: the bot does not accept an option that the user
 * sets.
 */
#define SESSION_BAD_OPTION "HS_BAD(OPTION)"

/* The phases are bits, so that a row of the verb table can name several. */
enum session_phase {
	SESSION_ABSENT = 1, /* no process, or not started */
	SESSION_HELLO = 2,  /* `usp` is sent; `uspok` is expected */
	SESSION_SETUP = 4,  /* `isready` is sent; `readyok` is expected */
	SESSION_IDLE = 8,   /* ready, and no question is open */
	SESSION_THINK = 16, /* `go` is sent; `move` is expected */
	/* The bot was late; all lines before `readyok` are dropped. */
	SESSION_STALE = 32,
	SESSION_GONE = 64 /* the session has ended; all lines are dropped */
};

/* The features of the bot; see protocol.md, features. */
struct session_features {
	bool events, state, legal, declare, stop, observe, position;
	bool analysis; /* the bot plays only if it is sent all cards */
};

/* Why an option that the user sets is refused. */
enum bot_option_flaw {
	BOT_OPTION_GOOD,
	BOT_OPTION_NO_NAME,  /* the bot declares no option of this name */
	BOT_OPTION_NO_VALUE, /* the declaration does not allow the value */
	BOT_OPTION_REFUSED   /* the bot answered `error option` */
};

/*
 * The codes of `error CODE` lines (protocol.md, "Messages of the arena").  Only
 * bots send `fatal`.  A test compares them with the page.
 */
enum error_code {
	ERROR_SYNTAX,
	ERROR_UNKNOWN,
	ERROR_UNEXPECTED,
	ERROR_TOOLONG,
	ERROR_VERSION,
	ERROR_FEATURE,
	ERROR_OPTION,
	ERROR_FATAL,
	ERROR_CODE_COUNT
};

/* `syntax`, `unknown`, ... */
extern const char *const error_code_names[ERROR_CODE_COUNT];

struct session {
	enum session_phase phase;
	struct session_features features;
	char name[SESSION_NAME_SIZE]; /* of the `id` line; empty before it */
	char version[SESSION_NAME_SIZE];
	/*
	 * The words of the `id` line that stand after name= and are no pair,
	 * joined by %20: a name with blanks that its bot did not escape.
	 */
	char name_rest[SESSION_NAME_SIZE];
	char options[SESSION_OPTIONS_SIZE];
	int bad_option_count; /* `option` lines that were refused */
	bool setting; /* options were sent, and `readyok` has not come yet */
	/* The first of the options that the user sets wrongly. */
	enum bot_option_flaw option_flaw;
	/* The assignment, or its beginning: `depth=x`. */
	char flawed[SESSION_SAID_SIZE];
	/*
	 * What would be right: the allowed values, or the names of all options.
	 */
	char allowed[SESSION_ALLOWED_SIZE];
	/* Name of the most similar option, or empty. */
	char nearest[SESSION_NAME_SIZE];
	int id_count, feature_count;
	int error_count; /* lines of the bot that were not accepted */
	/* The last `error` line to the bot, without its verb; or empty. */
	char refusal[SESSION_REFUSAL_SIZE];
	enum error_code refusal_code; /* of this line */
	int stray_count; /* lines among these that begin with an unknown verb */
	/* The first of these lines, cut to this size. */
	char stray[SESSION_STRAY_SIZE];
	/* The last of these lines, or the last answer with a wrong turn id. */
	char unused[SESSION_STRAY_SIZE];
	/* Answers with a wrong turn id to an open question. */
	int wrong_turn_count;
	enum offence_kind fault;     /* fault of a session that has ended */
	enum session_phase ended_in; /* phase in which the session ended */
	char reason[SESSION_REASON_SIZE];
	char said[SESSION_SAID_SIZE]; /* the wrong line, or empty */
};

/* Begins a session with a bot that was just started; writes `usp`. */
void session_start(
    struct session *session, const char *arena, struct scopa_text *out);

/*
 * Ends a session, with its fault and reason.  `said` is the wrong line and is
 * copied.
 */
void session_end(struct session *session, enum offence_kind fault,
    const char *reason, struct word said);

/* Counts a line with an unknown verb, and answers `error unknown`. */
void session_on_stray(struct session *session, struct word line,
    struct word verb, struct scopa_text *out);

/*
 * Writes `error CODE # WORDS "WORD"`, unless the limit of `error` lines is
 * reached.
 */
void session_error(struct session *session, enum error_code code,
    const char *words, struct word word, struct scopa_text *out);

/* A line of the handshake, and the settings that are needed to judge it. */
struct session_line {
	const struct words *words;
	/*
	 * The options that the user sets, as `NAME=VALUE` texts ended by NULL;
	 * or NULL.  They are compared with the declarations of the bot, and
	 * sent after `uspok`.
	 */
	const char *const *options;
	bool analysis;          /* whether the bot may be sent all cards */
	struct scopa_text *out; /* lines to be sent to the bot */
};

/*
 * Handle the lines of the handshake.  The answer to `uspok` is the options,
 * then `isready`.  A fault that cannot be corrected ends the session with
 * OFFENCE_STARTUP.  So does an option that the bot does not allow
 * (SESSION_BAD_OPTION), and a bot that requires all cards in a game that is not
 * for analysis (SESSION_NEEDS_ANALYSIS).
 */
void session_on_id(struct session *session, const struct session_line *line);
void session_on_option(
    struct session *session, const struct session_line *line);
void session_on_feature(
    struct session *session, const struct session_line *line);
void session_on_uspok(struct session *session, const struct session_line *line);

/*
 * Handles `error option` of a bot.  If it is the answer to options that were
 * sent, it ends the session with SESSION_BAD_OPTION, and the function returns
 * true.  Otherwise returns false.
 */
bool session_on_option_error(struct session *session, struct word line);

void session_on_readyok(struct session *session);

/* Sends `isready` between matches; the phase becomes SESSION_SETUP. */
void session_ask_ready(struct session *session, struct scopa_text *out);

#endif
