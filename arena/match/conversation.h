/*
 * A conversation with one bot, for commands that try a bot: lines are sent, and
 * what the bot does is waited for, one thing at a time.
 *
 * Unlike a match, a conversation blocks: conversation_next() serves an event
 * loop of its own until the bot has done something or the time is up.  All
 * lines in both directions are stored in a transcript.
 */
#ifndef CONVERSATION_H
#define CONVERSATION_H

#include <bsd/sys/queue.h>

#include "match.h"

enum {
	/* Lines of the transcript; older lines are dropped. */
	CONVERSATION_LINES_MAX = 400
};

/* What a bot does. */
enum heard_kind {
	HEARD_NOTHING, /* the time is up */
	HEARD_LINE,    /* it wrote a line: `bytes` */
	HEARD_OTHER,   /* a bad line, a flood, or the end of its stdout */
	HEARD_EXIT,    /* its process has ended: see `exit` below */
	HEARD_FAILURE  /* the machine has failed: see `error` below */
};

struct heard {
	enum heard_kind kind;
	/*
	 * The line, the escaped beginning of a bad line, or words for what the
	 * bot did; valid until the next call.
	 */
	const char *bytes;
};

enum conversation_side {
	CONVERSATION_SENT, /* a line to the bot */
	CONVERSATION_SAID, /* a line of the bot */
	CONVERSATION_NOTE  /* what happened to its process */
};

/* A line of the transcript. */
struct conversation_line {
	enum conversation_side side;
	/* Milliseconds since the last `go`, or since the start before it. */
	double ms;
	char *text; /* owned by the transcript; printable ASCII */
};

/* A ring: see transcript_line(). */
struct transcript {
	struct conversation_line lines[CONVERSATION_LINES_MAX];
	int begin, count;
	int64_t since_ns; /* the last `go`, or the start */
	bool failed;      /* there was no memory for a line */
};

/* The text of a process that starts now. */
void transcript_init(struct transcript *transcript);
void transcript_release(struct transcript *transcript);

/* Adds the lines that were sent to the bot, or a line that it has said. */
void transcript_add_traffic(
    struct transcript *transcript, const struct bot_traffic *traffic);

/* Adds what happened to the process of the bot. */
void transcript_add_note(struct transcript *transcript, const char *sentence);

/* Line 0 is the oldest one that is left. */
const struct conversation_line *transcript_line(
    const struct transcript *transcript, int index);

/*
 * Other files may read the fields, and call the functions of bot.h for the bot
 * but bot_send(), bot_stop() and bot_close().
 */
struct conversation {
	struct loop *loop;
	struct bot *bot;
	bool ended;           /* the process of the bot */
	struct bot_exit exit; /* how; valid if it has ended */
	/* What the bot has done since. */
	STAILQ_HEAD(waiting_list, waiting) waiting;
	struct waiting *current; /* returned by conversation_next() */
	int error;               /* -errno of the machine, or 0 */
	struct transcript transcript;
};

/*
 * Starts a process of the entrant, in the sandbox of `rules` and with its limit
 * of memory; both must outlive the conversation.  The process must have no
 * other event loop.  Returns 0 or -errno.  The caller closes it.
 */
int conversation_open(struct conversation **conversation,
    const struct match_rules *rules, const struct entrant *entrant);

/* Kills the bot if it still runs, and frees the conversation. */
void conversation_close(struct conversation *conversation);

/* Sends lines (with their LF), if the bot still reads. */
void conversation_send(struct conversation *conversation, const char *lines);

/*
 * Closes the stdin of the bot, waits for its end, and kills it after `wait_ns`.
 * Returns how it has ended.
 */
const struct bot_exit *conversation_stop(
    struct conversation *conversation, int64_t wait_ns);

/*
 * Waits until the bot does something, at most until `until_ns`
 * (CLOCK_MONOTONIC).  After HEARD_EXIT everything else has been returned.
 */
const struct heard *conversation_next(
    struct conversation *conversation, int64_t until_ns);

#endif
