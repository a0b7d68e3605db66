/*
 * One bot process as the arena sees it: its pipes, its lines, its stderr and
 * its end.
 *
 * Nothing here blocks, except bot_close() of a bot that still runs. Nothing
 * that a bot does is an error of the arena: death, silence, floods and faulty
 * lines are reported through callbacks. The life of a bot:
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

enum {
	BOT_SENTENCE_SIZE = 512,
	BOT_STDERR_SIZE = 16384,
	BOT_UNFINISHED_SIZE = 128
};

enum bot_end {
	BOT_END_EXIT,   /* code: exit status */
	BOT_END_SIGNAL, /* code: signal number */
	BOT_END_EXEC,   /* its file or folder could not be used; code: errno */
	BOT_END_HOST    /* the machine failed, not the bot; code: errno */
};

/* How a bot has ended, as data and as a sentence. */
struct bot_exit {
	enum bot_end end;
	int code;
	bool killed; /* by the arena */
	/* the limit because of which it was killed */
	enum supervisor_limit limit;
	char sentence[BOT_SENTENCE_SIZE]; /* such as `exited with status 3` */
};

struct bot;

enum { BOT_EOF_GRACE_MS = 250 /* between the end of stdout and on_eof */ };

/* What is exchanged with a bot, as it is. */
enum bot_traffic_kind {
	BOT_SENT,          /* lines to the bot */
	BOT_UNSENT,        /* lines that the bot does not accept any more */
	BOT_RECEIVED,      /* a line of its stdout, which may have bad bytes */
	BOT_RECEIVED_LONG, /* the beginning of a line that is too long */
	BOT_RECEIVED_REST, /* the end of its stdout, without a line end */
	BOT_FLOODED,       /* too much was not asked for, and is dropped */
	BOT_PRINTED,       /* bytes of its stderr */
	BOT_TRAFFIC_COUNT
};

struct bot_traffic {
	enum bot_traffic_kind kind;
	const char *bytes; /* valid until the callback returns */
	size_t length;
	int64_t now_ns;
};

/*
 * Callbacks. on_start and on_flushed may be NULL. Each callback may call
 * bot_send(), bot_accept_output(), bot_stop() and bot_kill() for its bot. Only
 * on_exit, which is the last one, may close its bot. Any callback may close
 * another bot after the on_exit of that bot.
 */
struct bot_events {
	/*
	 * The launcher has executed the program, or was killed before; on_exit
	 * follows then.
	 */
	void (*on_start)(struct bot *bot);
	/*
	 * The bot has written a line. `bytes` is the line without its end, and
	 * bytes[length] is NUL. The bytes are valid until the callback returns.
	 * `received_ns` is the time at which the read that completed the line
	 * returned.
	 */
	void (*on_line)(struct bot *bot, const char *bytes, size_t length,
	    int64_t received_ns);
	/*
	 * The output of the bot is faulty. For LINE_FLOOD there are no bytes:
	 * what was read is dropped, and nothing more is read until
	 * bot_accept_output().
	 */
	void (*on_flaw)(struct bot *bot, enum line_kind flaw, const char *bytes,
	    size_t length, int64_t received_ns);
	/*
	 * The bytes that bot_send() had left over are in the pipe since
	 * `handed_ns`.
	 */
	void (*on_flushed)(struct bot *bot, int64_t handed_ns);
	/*
	 * The bot has closed its stdout, and was not dead BOT_EOF_GRACE_MS
	 * later.
	 */
	void (*on_eof)(struct bot *bot);
	/*
	 * The bot is dead and reaped, and all that it has started is dead, too,
	 * unless its supervisor was killed (BOT_END_HOST with EOWNERDEAD). What
	 * it wrote while it was BOT_RUNNING was reported before.
	 */
	void (*on_exit)(struct bot *bot, const struct bot_exit *exit);
};

struct bot_options {
	struct process_order order; /* order.sandbox must outlive the bot */
	const struct bot_events *events; /* must outlive the bot */
	void *context;                   /* stored in bot->context */
	/*
	 * Bytes were written to the bot or read from it; NULL is allowed. It is
	 * called before the callbacks of `events`, and while the bot is being
	 * stopped, too.
	 */
	void (*on_traffic)(struct bot *bot, const struct bot_traffic *traffic);
};

enum bot_phase {
	BOT_RUNNING,  /* its lines are reported */
	BOT_STOPPING, /* only its end is reported */
	BOT_DEAD
};

/*
 * Other files may read the fields. They change them only through the functions
 * below.
 */
struct bot {
	struct loop *loop;
	const struct bot_events *events;
	void *context;
	void (*on_traffic)(struct bot *bot, const struct bot_traffic *traffic);
	struct process process;
	struct run_wait run_wait;
	/*
	 * The watches of the pipes. PROCESS_INPUT is watched only while that
	 * pipe is full.
	 */
	struct loop_watch watches[PROCESS_END];
	struct loop_watch death;
	/*
	 * In BOT_RUNNING: when on_eof is called, after the end of stdout. In
	 * BOT_STOPPING: when the bot is killed.
	 */
	struct loop_deadline deadline;
	enum bot_phase phase;
	bool killed;
	bool frozen;
	int host_error;
	struct launcher_report failure; /* error 0: none */
	struct line_reader reader;
	struct ring_buffer ring_buffer;
	struct write_buffer write_buffer;
};

/*
 * Starts a bot. The strings of the options need not outlive the call. Lines may
 * be sent at once. If the file cannot be executed, on_exit reports it. Returns
 * 0, or -errno if the machine refuses. *bot is set only on success; the caller
 * frees it with bot_close().
 */
int bot_open(
    struct bot **bot, struct loop *loop, const struct bot_options *options);

/*
 * Frees a bot after its on_exit. A bot that still runs is killed and waited
 * for, which takes a moment; then no callback is called. NULL is allowed.
 */
void bot_close(struct bot *bot);

/* The CPU time that a bot, and all that it has started, use for some time. */
struct bot_watch {
	int64_t since_ns; /* time of its beginning; 0: the bot is not watched */
	int64_t read_ns;  /* time of the last reading */
	int64_t used_ns;  /* CPU time from since_ns to read_ns */
	int64_t begin_ns; /* CPU time until since_ns */
	/* the same of its supervisor, which is not in used_ns */
	int64_t supervisor_ns, supervisor_begin_ns;
	/* at the last reading: see struct cpu_usage */
	uint64_t members;
	bool hides;
	/* It computed though it was frozen: see bot_watch_read(). */
	bool escapes;
};

/* Both return 0, or -ESRCH if the bot is dead. */
int bot_watch_begin(const struct bot *bot, struct bot_watch *watch);

/*
 * If the bot could hide CPU time at two readings in succession, the time between
 * them counts as CPU time. A bot that is frozen hides nothing. If it computes
 * all the same, it is frozen again: while its processes were stopped, one may
 * have continued the others.
 */
int bot_watch_read(const struct bot *bot, bool frozen, struct bot_watch *watch);

/*
 * The arena asks the bot now: from here on its run-queue wait is counted. See
 * cpu_usage.h.
 */
void bot_begin_run_wait(struct bot *bot);

/*
 * Returns for how many ns the bot has waited for a processor, from
 * bot_begin_run_wait() until `now_ns`; 0 if that is not known.
 */
int64_t bot_run_wait_ns(struct bot *bot, int64_t now_ns);

/*
 * Sends bytes (whole lines with their LF), after those that still wait, in one
 * write(2). Returns
 *
 * - 0: the last byte is in the pipe, and *handed_ns (may be NULL) is the time;
 * - -EAGAIN: some bytes are left. They are sent when the pipe has room, and
 *   then on_flushed is called, unless the bot is being stopped by then;
 * - -ENOBUFS: nothing was accepted, because more than WRITE_BUFFER_SIZE bytes
 *   would wait: the bot does not read;
 * - -EPIPE: the bot has closed its stdin, is being stopped, or is dead; or the
 *   machine has refused the write, and the bot is killed for that.
 */
int bot_send(
    struct bot *bot, const char *bytes, size_t size, int64_t *handed_ns);

/*
 * The output of the bot until now was asked for: the counts for LINE_FLOOD
 * start again from zero, and reading goes on after a flood. To be called for
 * every line that was asked for.
 */
void bot_accept_output(struct bot *bot);

/*
 * Stops all processes of the bot (`frozen`), or lets them go on. What is sent
 * to a frozen bot waits in its pipe. Of several calls the last one counts, even
 * if they follow each other quickly. A frozen bot can be ended by bot_stop()
 * and bot_kill(), and its death is noticed. A dead bot is left alone.
 *
 * This is no part of the sandbox: without a control group, a bot that is woken
 * by a timer runs for a moment, and its CPU time shows that.
 */
void bot_freeze(struct bot *bot, bool frozen);

/*
 * Whether the bot has written a byte since bot_accept_output(). The line need
 * not be complete.
 */
bool bot_has_written(const struct bot *bot);

/* Whether the end of its stdout was read. Then on_eof or on_exit follows. */
bool bot_has_closed_output(const struct bot *bot);

/*
 * Writes what the bot has written since its last line end, escaped: see
 * escape_bytes().  The end of a long text is left out.
 */
void bot_unfinished(const struct bot *bot, char text[BOT_UNFINISHED_SIZE]);

/*
 * Asks a bot to end: lets its processes go on, sends `farewell` (with its LF;
 * NULL: nothing), closes its stdin, reports no more of its lines, and kills the
 * bot at `kill_ns`. on_exit follows. A second call can only make `kill_ns`
 * earlier, and changes nothing if the bot was killed.
 */
void bot_stop(struct bot *bot, const char *farewell, int64_t kill_ns);

/*
 * Kills the bot and all that it has started, at once. No more lines are
 * reported, and on_exit follows. A dead bot is left alone.
 */
void bot_kill(struct bot *bot);

/* Returns how many descriptors the arena has open for this bot. */
int bot_descriptor_count(const struct bot *bot);

/*
 * Writes the end of what the bot wrote to stderr, escaped: see escape_bytes().
 * It begins with `[cut]` and an LF if earlier output is missing.
 */
void bot_stderr(const struct bot *bot, char text[BOT_STDERR_SIZE]);

#endif
