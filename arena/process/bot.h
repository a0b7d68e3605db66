/*
 * One child that talks in lines: its pipes, its last words and its end.
 *
 * Nothing here blocks (but bot_close() of a living bot), and nothing that a
 * bot does is an error of ours: death, silence, floods and bad lines arrive
 * as calls.  A bot's life:
 *
 *	bot_open -> on_start? -> (bot_send -> on_line, on_flaw)*
 *	    -> [bot_stop or bot_kill] -> on_exit -> bot_close
 */
#ifndef BOT_H
#define BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffers.h"
#include "cpu_usage.h"
#include "launcher.h"
#include "loop.h"
#include "process.h"

enum { BOT_SENTENCE_SIZE = 512 };

enum bot_end {
	BOT_END_EXIT,   /* code: exit status */
	BOT_END_SIGNAL, /* code: signal number */
	BOT_END_EXEC,   /* it never ran: its file or folder; code: errno */
	BOT_END_HOST    /* the machine's fault and never its own; code: errno */
};

/* How a bot came to its end, as data and as a sentence. */
struct bot_exit {
	enum bot_end end;
	int code;
	bool killed;                 /* by us, and not by itself or others */
	enum supervisor_limit limit; /* at which the arena killed it */
	bool stopped;                /* bot_stop() or bot_kill() came first */
	size_t unfinished; /* bytes of a last line without LF: did not count */
	char sentence[BOT_SENTENCE_SIZE]; /* `exited with status 3`.. */
};

struct bot;

enum { BOT_EOF_GRACE_MS = 250 /* between closing stdout and death */ };

#define BOT_STDERR_CUT "[cut]\n"

/*
 * The calls.  Any may be NULL.  In each of them the bot may be sent to,
 * flushed, marked, stopped and killed; only on_exit, which is the last one,
 * may close it.  Other bots may always be closed after their on_exit.
 */
struct bot_events {
	/* The program runs: it has taken the launcher's place. */
	void (*on_start)(struct bot *bot);
	/* A line without its end; bytes[length] is NUL.  `received_ns` is when
	 * the read that completed it returned.  The bytes live till return. */
	void (*on_line)(struct bot *bot, const char *bytes, size_t length,
	    int64_t received_ns);
	/*
	 * What is wrong with what it writes.  For LINE_FLOOD there are no bytes:
	 * what was read is dropped and no more is read until bot_mark().
	 */
	void (*on_flaw)(struct bot *bot, enum line_kind flaw, const char *bytes,
	    size_t length, int64_t received_ns);
	/* What bot_send() had left is in the pipe since `handed_ns`. */
	void (*on_flushed)(struct bot *bot, int64_t handed_ns);
	/* It has closed stdout and still lived 250 ms later. */
	void (*on_eof)(struct bot *bot);
	/* It is dead and reaped.  All that it wrote before was told before.
	 * All that it has started is dead, too. */
	void (*on_exit)(struct bot *bot, const struct bot_exit *exit);
};

struct bot_options {
	struct process_order order;      /* the sandbox is kept */
	const struct bot_events *events; /* must outlive the bot */
	void *context;                   /* that of the bot */
};

enum bot_phase {
	BOT_HEARD,    /* its lines are told */
	BOT_STOPPING, /* nothing is told but its end */
	BOT_DEAD
};

/* Others read it, and change nothing but by the functions below. */
struct bot {
	struct loop *loop;
	const struct bot_events *events;
	void *context;
	struct process process;
	struct run_wait run_wait;
	/* Of the process's pipes: PROCESS_INPUT only while it is full. */
	struct loop_watch watches[PROCESS_END];
	struct loop_watch death;
	/* Heard: the grace after the end of stdout.  Stopping: the kill. */
	struct loop_deadline deadline;
	enum bot_phase phase;
	bool killed;
	bool frozen;
	bool stopped;
	int host_error;
	struct launcher_report failure; /* error 0: none */
	struct line_reader reader;
	struct ring_buffer ring_buffer;
	struct write_buffer write_buffer;
};

/*
 * Starts a bot; strings are not kept.  Lines may be sent at once.  That the
 * file cannot be executed comes as on_exit.  0 or -errno, which is the
 * machine's fault; *bot is set on success only.
 */
int bot_open(
    struct bot **bot, struct loop *loop, const struct bot_options *options);

/*
 * Frees a bot after its on_exit.  One that still lives is killed and waited
 * for (a moment; no call comes).  NULL is allowed.
 */
void bot_close(struct bot *bot);

/*
 * CPU time, so far, of all that it has started: see cpu_usage.h.  0, or -ESRCH
 * where it is dead.
 */
int bot_cpu_usage(const struct bot *bot, int64_t *cpu_ns);

/* It is asked, and its run-queue wait counts from now on: see cpu_usage.h. */
void bot_begin_run_wait(struct bot *bot);

/* For how long it has waited for a processor, until `now_ns`. */
int64_t bot_run_wait_ns(struct bot *bot, int64_t now_ns);

/*
 * Hands over bytes (whole lines, LF included) behind those that wait, in one
 * write(2).  0 when the last byte is in the pipe and *handed_ns (may be NULL)
 * is the time; -EAGAIN when some is left: the rest follows by itself and then
 * on_flushed is called; -ENOBUFS and nothing taken when WRITE_BUFFER_SIZE would be
 * passed: the bot does not read; -EPIPE when it has closed stdin, is being
 * stopped or is dead.
 */
int bot_send(
    struct bot *bot, const char *bytes, size_t size, int64_t *handed_ns);

/*
 * What the bot has written so far was wanted: counts for LINE_FLOOD begin
 * anew and reading goes on.  Call it for every line that was asked for.
 */
void bot_mark(struct bot *bot);

/*
 * Stops all that the bot has started, or lets it go on; what is sent to it in
 * the meantime waits.  The last word counts, however quickly they follow.
 * Stopping is no sandbox: a bot that has a timer wake it, behind no cgroup, does
 * run for a moment, and its CPU time tells.  Even a frozen one can be stopped
 * and killed, and its end is noticed.  A dead one is left alone.
 */
void bot_hold(struct bot *bot, bool frozen);

/* Whether it has written a byte since bot_mark(), of a whole line or not. */
bool bot_has_written(const struct bot *bot);

/*
 * Ends a bot kindly: sends `farewell` (with LF; NULL: nothing), closes its
 * stdin, thaws it, hears no more of its lines, and kills it at `kill_ns`.  on_exit
 * follows.  Again: only an earlier `kill_ns` counts.
 */
void bot_stop(struct bot *bot, const char *farewell, int64_t kill_ns);

/*
 * Kills it and all that it has started now; no more of its lines, on_exit
 * follows.  A dead one is left alone.
 */
void bot_kill(struct bot *bot);

/* Descriptors that are open for it. */
int bot_descriptor_count(const struct bot *bot);

/*
 * Copies the end of what it wrote to stderr: raw bytes (see buffers.h), at
 * most `size` of them, after BOT_STDERR_CUT where something is missing before
 * them.  The answer is how many bytes were put; no NUL is added.
 */
size_t bot_stderr(const struct bot *bot, char *bytes, size_t size);

#endif
