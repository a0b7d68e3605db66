/*
 * Implements bot.h. The event loop calls the functions bot_on_...: when a pipe
 * can be read or written, when the process dies, and at the deadline. They pass
 * lines, faulty output and the end of the bot on through the callbacks of its
 * owner. bot_on_output() reads stdout, and bot_report_lines() cuts it into
 * lines by line_next() of buffers.h.
 */
#include "bot.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"

__attribute__((format(printf, 4, 5))) static void
exit_set(
    struct bot_exit *exit, enum bot_end end, int code, const char *format, ...)
{
	va_list arguments;

	exit->end = end;
	exit->code = code;
	va_start(arguments, format);
	vsnprintf(exit->sentence, sizeof(exit->sentence), format, arguments);
	va_end(arguments);
}

static void
describe_death(struct bot_exit *exit, const struct process_end *end)
{
	/*
	 * A launcher that the arena kills before it has become a supervisor
	 * ends without a report (`lost`).
	 */
	bool by_arena = exit->killed && (end->code == SIGKILL || end->lost);
	const char *name;

	exit->limit = end->limit;
	exit->killed =
	    end->limit != SUPERVISOR_MEMORY && end->by_signal && by_arena;
	if (end->limit == SUPERVISOR_MEMORY) {
		exit_set(exit, BOT_END_SIGNAL, end->code,
		    "was killed at its limit of memory");
	} else if (!end->by_signal) {
		exit_set(exit, BOT_END_EXIT, end->code, "exited with status %d",
		    end->code);
	} else if (by_arena) {
		exit_set(
		    exit, BOT_END_SIGNAL, end->code, "was killed by the arena");
	} else {
		name = sigabbrev_np(end->code);
		exit_set(exit, BOT_END_SIGNAL, end->code,
		    "died of signal %d (SIG%s)", end->code,
		    name == NULL ? "?" : name);
	}
}

/* A file that cannot be executed is the bot's fault. Lack of memory is not. */
static enum bot_end
failure_end(const struct launcher_report *failure)
{
	if (failure->step != LAUNCHER_DIRECTORY &&
	    failure->step != LAUNCHER_EXECUTE)
		return BOT_END_HOST;
	switch (failure->error) {
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return BOT_END_HOST;
	default:
		return BOT_END_EXEC;
	}
}

/*
 * Sets end, code, limit and sentence, and clears `killed` if the arena was not
 * the cause of the death. `failure` is the launcher's report (NULL: the program
 * ran). `host_error` is the error because of which the arena has given up the
 * bot, or 0.
 */
static void
bot_exit_describe(struct bot_exit *exit, const struct process_end *end,
    const struct launcher_report *failure, int host_error)
{
	exit->limit = SUPERVISOR_NO_LIMIT;
	if (host_error != 0) {
		exit_set(exit, BOT_END_HOST, host_error,
		    "could not be served any longer: %s", strerror(host_error));
		exit->killed = false;
	} else if (failure == NULL && end->lost && !exit->killed) {
		exit_set(exit, BOT_END_HOST, EOWNERDEAD,
		    "lost its supervisor to signal %d", end->code);
	} else if (failure != NULL) {
		exit_set(exit, failure_end(failure), failure->error, "%.*s",
		    LAUNCHER_SENTENCE_SIZE - 1, failure->sentence);
		exit->killed = false;
	} else {
		describe_death(exit, end);
	}
}

/* Reports bytes that were exchanged with the bot, if the owner wants them. */
static void
report_traffic(struct bot *bot, enum bot_traffic_kind kind, const char *bytes,
    size_t length, int64_t now_ns)
{
	const struct bot_traffic traffic = { kind, bytes, length, now_ns };

	if (length > 0 || kind == BOT_RECEIVED || kind == BOT_FLOODED)
		bot->on_traffic(bot, &traffic);
}

/* Closes this side of a pipe. */
static void
pipe_close(struct bot *bot, enum process_pipe pipe)
{
	if (pipe < PROCESS_END)
		loop_watch_close(bot->loop, &bot->watches[pipe]);
	if (bot->process.fds[pipe] >= 0)
		close(bot->process.fds[pipe]);
	bot->process.fds[pipe] = -1;
}

/* Closes the bot's stdin. Lines that have not been written yet are dropped. */
static void
bot_close_input(struct bot *bot)
{
	pipe_close(bot, PROCESS_INPUT);
	write_buffer_init(&bot->write_buffer);
}

/* Closes what is still open of a bot that is dead and reaped. */
static void
bot_release(struct bot *bot)
{
	bot_close_input(bot);
	for (int pipe = 0; pipe < PROCESS_PIPE_COUNT; pipe++)
		pipe_close(bot, (enum process_pipe)pipe);
	loop_watch_close(bot->loop, &bot->death);
	close(bot->process.pid_fd);
	run_wait_end(&bot->run_wait);
	loop_deadline_close(bot->loop, &bot->deadline);
	bot->phase = BOT_DEAD;
}

/*
 * The arena cannot read from the bot or write to it any more. The bot must not
 * lose the game for that.
 */
static void
bot_fail(struct bot *bot, int error)
{
	bot->host_error = error;
	bot_kill(bot);
}

/*
 * A write failed: either the bot has closed its stdin, or the system refuses.
 */
static void
bot_on_write_error(struct bot *bot, int error)
{
	bot_close_input(bot);
	if (error != EPIPE)
		bot_fail(bot, error);
}

/* Watches one of the bot's pipes. Returns 0 or -errno. */
static int
pipe_watch(struct bot *bot, enum process_pipe pipe)
{
	static const uint32_t events[] = {
		[PROCESS_INPUT] = EPOLLOUT,
		[PROCESS_OUTPUT] = EPOLLIN,
		[PROCESS_ERROR] = EPOLLIN,
		[PROCESS_REPORT] = EPOLLIN,
	};

	return loop_watch_open(bot->loop, &bot->watches[pipe],
	    bot->process.fds[pipe], events[pipe]);
}

/*
 * After a flood nothing more is read. While the bot is in use its pipe stays
 * open, because closing it would look like the end of its output. If the bot is
 * ending, the pipe is closed.
 */
static void
bot_stop_reading(struct bot *bot)
{
	if (bot->phase == BOT_RUNNING)
		loop_watch_close(bot->loop, &bot->watches[PROCESS_OUTPUT]);
	else
		pipe_close(bot, PROCESS_OUTPUT);
}

/* Reports the lines that are complete after `size` more bytes were read. */
static void
bot_report_lines(struct bot *bot, size_t size, int64_t received_ns)
{
	static const enum bot_traffic_kind traffic[] = {
		[LINE_WHOLE] = BOT_RECEIVED,
		[LINE_BAD_BYTE] = BOT_RECEIVED,
		[LINE_TOO_LONG] = BOT_RECEIVED_LONG,
		[LINE_FLOOD] = BOT_FLOODED,
	};
	const struct bot_events *events = bot->events;
	struct line line;
	enum line_kind kind;

	line_feed(&bot->reader, size);
	while ((kind = line_next(&bot->reader, &line)) != LINE_NONE) {
		if (bot->on_traffic != NULL)
			report_traffic(bot, traffic[kind], line.bytes,
			    line.length, received_ns);
		if (kind == LINE_FLOOD)
			bot_stop_reading(bot);
		if (bot->phase != BOT_RUNNING)
			continue;
		if (kind == LINE_WHOLE)
			events->on_line(
			    bot, line.bytes, line.length, received_ns);
		else
			events->on_flaw(
			    bot, kind, line.bytes, line.length, received_ns);
	}
}

/*
 * Calls read(2) once, for at most `limit` bytes. Returns what read(2) returns.
 */
static ssize_t
output_read(struct bot *bot, size_t limit)
{
	size_t size;
	char *space = line_space(&bot->reader, &size);
	ssize_t got = read(bot->process.fds[PROCESS_OUTPUT], space,
	    size < limit ? size : limit);

	if (got > 0)
		bot_report_lines(bot, (size_t)got, clock_now_ns());
	return got;
}

static ssize_t
error_read(struct bot *bot, size_t limit)
{
	size_t size;
	char *space = ring_buffer_space(&bot->ring_buffer, &size);
	ssize_t got = read(bot->process.fds[PROCESS_ERROR], space,
	    size < limit ? size : limit);

	if (got <= 0)
		return got;
	if (bot->on_traffic != NULL)
		report_traffic(
		    bot, BOT_PRINTED, space, (size_t)got, clock_now_ns());
	ring_buffer_feed(&bot->ring_buffer, (size_t)got);
	return got;
}

/*
 * Reads what the dead bot has left in a pipe, and no more. Anything that comes
 * later is from a child of the bot that still lives.
 */
static void
watch_drain(struct bot *bot, const struct loop_watch *watch,
    ssize_t (*read_output)(struct bot *bot, size_t limit))
{
	int left = 0;
	ssize_t got;

	if (watch->fd < 0 || ioctl(watch->fd, FIONREAD, &left) < 0)
		return;
	while (left > 0 && watch->fd >= 0) {
		got = read_output(bot, (size_t)left);
		if (got <= 0)
			return;
		left -= (int)got;
	}
}

static bool
read_again(ssize_t got)
{
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void
bot_on_output(struct loop_watch *watch, uint32_t events)
{
	struct bot *bot = watch->context;
	ssize_t got = output_read(bot, SIZE_MAX);
	int error = errno;

	(void)events;
	if (read_again(got))
		return;
	pipe_close(bot, PROCESS_OUTPUT);
	if (got < 0) {
		bot_fail(bot, error);
		return;
	}
	/*
	 * The end of stdout alone is no fault: a dying process closes its files
	 * before it and its children are dead.
	 */
	if (bot->phase == BOT_RUNNING)
		loop_deadline_set(bot->loop, &bot->deadline,
		    clock_now_ns() + BOT_EOF_GRACE_MS * CLOCK_NS_PER_MS);
}

static void
bot_on_error(struct loop_watch *watch, uint32_t events)
{
	struct bot *bot = watch->context;

	(void)events;
	if (!read_again(error_read(bot, SIZE_MAX)))
		pipe_close(bot, PROCESS_ERROR);
}

static void
bot_on_report(struct loop_watch *watch, uint32_t events)
{
	struct bot *bot = watch->context;
	struct launcher_report report;
	ssize_t got = read(watch->fd, &report, sizeof(report));
	int error = errno;

	(void)events;
	if (got < 0 && read_again(got))
		return;
	pipe_close(bot, PROCESS_REPORT);
	if (got < 0) {
		bot_fail(bot, error);
		return;
	}
	if (got == (ssize_t)sizeof(report)) {
		bot->failure = report;
		return;
	}
	if (bot->phase == BOT_RUNNING && bot->events->on_start != NULL)
		bot->events->on_start(bot);
}

static void
bot_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct bot *bot = deadline->context;

	(void)now_ns;
	if (bot->phase == BOT_STOPPING && bot->killed)
		process_force_kill(&bot->process);
	else if (bot->phase == BOT_STOPPING)
		bot_kill(bot);
	else
		bot->events->on_eof(bot);
}

static void
bot_on_input(struct loop_watch *watch, uint32_t events)
{
	struct bot *bot = watch->context;
	int status = write_buffer_write(&bot->write_buffer, watch->fd);

	(void)events;
	if (status == -EAGAIN)
		return;
	loop_watch_close(bot->loop, watch);
	if (status < 0)
		bot_on_write_error(bot, -status);
	else if (bot->phase == BOT_STOPPING)
		bot_close_input(bot);
	else if (bot->events->on_flushed != NULL)
		bot->events->on_flushed(bot, clock_now_ns());
}

static void
bot_on_death(struct loop_watch *watch, uint32_t events)
{
	struct bot *bot = watch->context;
	struct bot_exit exit;
	struct process_end end;
	int status;

	(void)events;
	if (bot->process.fds[PROCESS_REPORT] >= 0)
		bot_on_report(&bot->watches[PROCESS_REPORT], EPOLLIN);
	watch_drain(bot, &bot->watches[PROCESS_OUTPUT], output_read);
	watch_drain(bot, &bot->watches[PROCESS_ERROR], error_read);
	if (bot->on_traffic != NULL)
		report_traffic(bot, BOT_RECEIVED_REST,
		    bot->reader.buffer + bot->reader.start,
		    line_pending(&bot->reader), clock_now_ns());
	status = process_reap(&bot->process, &end);
	if (status < 0)
		bot->host_error = -status;
	exit = (struct bot_exit){
		.killed = bot->killed,
	};
	bot_exit_describe(&exit, &end,
	    bot->failure.error == 0 ? NULL : &bot->failure, bot->host_error);
	bot_release(bot);
	/* The bot may be freed in this call. */
	bot->events->on_exit(bot, &exit);
}

/* Initialises a bot. Its process is started later. */
static void
bot_init(struct bot *bot, struct loop *loop, const struct bot_options *options)
{
	static void (*const on_ready[])(
	    struct loop_watch * watch, uint32_t events) = {
		[PROCESS_INPUT] = bot_on_input,
		[PROCESS_OUTPUT] = bot_on_output,
		[PROCESS_ERROR] = bot_on_error,
		[PROCESS_REPORT] = bot_on_report,
	};

	/* The buffers are not cleared, so that they use no memory yet. */
	memset(bot, 0, offsetof(struct bot, reader));
	line_init(&bot->reader);
	ring_buffer_init(&bot->ring_buffer);
	write_buffer_init(&bot->write_buffer);
	bot->loop = loop;
	bot->events = options->events;
	bot->context = options->context;
	bot->on_traffic = options->on_traffic;
	for (int pipe = 0; pipe < PROCESS_END; pipe++)
		bot->watches[pipe] =
		    (struct loop_watch){ on_ready[pipe], bot, -1 };
	bot->death = (struct loop_watch){ bot_on_death, bot, -1 };
	bot->deadline.on_deadline = bot_on_deadline;
	bot->deadline.context = bot;
}

/* Watches the bot's process. Returns 0 or -errno. */
static int
bot_watch(struct bot *bot)
{
	int status = loop_watch_open(
	    bot->loop, &bot->death, bot->process.pid_fd, EPOLLIN);

	for (int pipe = PROCESS_REPORT; pipe > PROCESS_INPUT && status == 0;
	     pipe--)
		status = pipe_watch(bot, (enum process_pipe)pipe);
	return status;
}

static int
send_bytes(struct bot *bot, const char *bytes, size_t size, int64_t *handed_ns)
{
	int fd = bot->process.fds[PROCESS_INPUT], status;

	if (fd < 0 || bot->phase != BOT_RUNNING)
		return -EPIPE;
	/*
	 * PROCESS_INPUT is watched while the pipe is full. The bytes wait after
	 * the earlier ones.
	 */
	if (bot->watches[PROCESS_INPUT].fd >= 0) {
		status = write_buffer_add(&bot->write_buffer, bytes, size);
		return status < 0 ? status : -EAGAIN;
	}
	status = write_buffer_send(&bot->write_buffer, fd, bytes, size);
	if (status == -ENOBUFS)
		return status;
	if (status == 0) {
		if (handed_ns != NULL)
			*handed_ns = clock_now_ns();
		return 0;
	}
	if (status != -EAGAIN) {
		bot_on_write_error(bot, -status);
		return -EPIPE;
	}
	status = pipe_watch(bot, PROCESS_INPUT);
	if (status < 0)
		bot_fail(bot, -status);
	return -EAGAIN;
}

int
bot_send(struct bot *bot, const char *bytes, size_t size, int64_t *handed_ns)
{
	int status = send_bytes(bot, bytes, size, handed_ns);

	if (bot->on_traffic != NULL)
		report_traffic(bot,
		    status == 0 || status == -EAGAIN ? BOT_SENT : BOT_UNSENT,
		    bytes, size, clock_now_ns());
	return status;
}

void
bot_accept_output(struct bot *bot)
{
	int status;

	line_accept(&bot->reader);
	/* Reading goes on after a flood, if the pipe is still open. */
	if (bot->watches[PROCESS_OUTPUT].fd >= 0 ||
	    bot->process.fds[PROCESS_OUTPUT] < 0)
		return;
	status = pipe_watch(bot, PROCESS_OUTPUT);
	if (status < 0)
		bot_fail(bot, -status);
}

void
bot_unfinished(const struct bot *bot, char text[BOT_UNFINISHED_SIZE])
{
	const char *bytes = bot->reader.buffer + bot->reader.start;
	size_t size = line_pending(&bot->reader);
	/* Lines after the one that ended the game are pending, too. */
	const char *line_end = memrchr(bytes, '\n', size);

	if (line_end != NULL) {
		size -= (size_t)(line_end + 1 - bytes);
		bytes = line_end + 1;
	}
	escape_bytes(bytes, size, false, text, BOT_UNFINISHED_SIZE);
}

bool
bot_has_written(const struct bot *bot)
{
	return bot->reader.byte_count > 0 || line_pending(&bot->reader) > 0;
}

bool
bot_has_closed_output(const struct bot *bot)
{
	return bot->process.fds[PROCESS_OUTPUT] < 0;
}

void
bot_stderr(const struct bot *bot, char text[BOT_STDERR_SIZE])
{
	char tail[BOT_STDERR_SIZE / 2];
	size_t size, length, room = sizeof(tail);

	/* If the escaped text may not be whole, less of the end is copied. */
	do {
		size =
		    ring_buffer_copy(&bot->ring_buffer, "[cut]\n", tail, room);
		length = escape_bytes(tail, size, true, text, BOT_STDERR_SIZE);
		room /= 2;
	} while (BOT_STDERR_SIZE - length < ESCAPE_SIZE + 1);
}

/* Start, stop and end of a bot. */

int
bot_open(struct bot **bot, struct loop *loop, const struct bot_options *options)
{
	struct bot *made = malloc(sizeof(*made));
	int status;

	if (made == NULL)
		return -ENOMEM;
	bot_init(made, loop, options);
	status = loop_deadline_open(loop, &made->deadline);
	if (status < 0)
		goto free_bot;
	status = process_open(&made->process, &options->order);
	if (status < 0)
		goto close_deadline;
	status = bot_watch(made);
	if (status < 0)
		goto close_bot;
	*bot = made;
	return 0;
close_bot:
	bot_close(made);
	return status;
close_deadline:
	loop_deadline_close(loop, &made->deadline);
free_bot:
	free(made);
	return status;
}

void
bot_close(struct bot *bot)
{
	struct process_end end;

	if (bot == NULL)
		return;
	if (bot->phase != BOT_DEAD) {
		process_kill(&bot->process);
		(void)process_reap(&bot->process, &end);
		bot_release(bot);
	}
	free(bot);
}

/* Processes that have been started since `earlier_ns` may hide CPU time. */
static int
read_watch(const struct bot *bot, int64_t earlier_ns, struct bot_watch *watch)
{
	int64_t now_ns = clock_now_ns();
	struct cpu_usage usage;

	if (bot->phase == BOT_DEAD ||
	    cpu_usage_read(bot->process.pid, now_ns - earlier_ns, &usage) < 0)
		return -ESRCH;
	usage.hides |=
	    watch->read_ns != 0 && usage.old_members != watch->members;
	if (watch->hides && usage.hides)
		watch->begin_ns -= now_ns - watch->read_ns;
	watch->read_ns = now_ns;
	watch->used_ns = usage.cpu_ns - watch->begin_ns;
	watch->supervisor_ns =
	    usage.first_thread_ns - watch->supervisor_begin_ns;
	watch->members = usage.members;
	watch->hides = usage.hides;
	return 0;
}

int
bot_watch_begin(const struct bot *bot, struct bot_watch *watch)
{
	int error;

	*watch = (struct bot_watch){ .since_ns = 0 };
	error = read_watch(bot, clock_now_ns() - HEARTBEAT_NS, watch);
	watch->since_ns = watch->read_ns;
	watch->begin_ns = watch->used_ns;
	watch->supervisor_begin_ns = watch->supervisor_ns;
	watch->used_ns = watch->supervisor_ns = 0;
	return error;
}

/* A frozen bot that uses more than one part of so many has not stopped. */
enum { ESCAPE_SHARE = 5 };

int
bot_watch_read(const struct bot *bot, bool frozen, struct bot_watch *watch)
{
	const int64_t used_ns = watch->used_ns, read_ns = watch->read_ns;
	int error = read_watch(bot, watch->read_ns, watch);

	watch->hides &= !frozen;
	watch->escapes = frozen && error == 0 &&
	    watch->used_ns - used_ns >
		(watch->read_ns - read_ns) / ESCAPE_SHARE;
	if (watch->escapes)
		(void)process_freeze(&bot->process, true);
	return error;
}

void
bot_begin_run_wait(struct bot *bot)
{
	if (bot->phase != BOT_DEAD)
		run_wait_begin(&bot->run_wait, bot->process.pid);
}

int64_t
bot_run_wait_ns(struct bot *bot, int64_t now_ns)
{
	return bot->phase == BOT_DEAD ? 0 : run_wait_ns(&bot->run_wait, now_ns);
}

int
bot_descriptor_count(const struct bot *bot)
{
	int count = run_wait_descriptor_count(&bot->run_wait) +
	    (bot->phase != BOT_DEAD);

	for (int pipe = 0; pipe < PROCESS_PIPE_COUNT; pipe++)
		count += bot->process.fds[pipe] >= 0;
	return count;
}

/* If the supervisor cannot be reached, the machine fails, and not the bot. */
void
bot_freeze(struct bot *bot, bool frozen)
{
	int status;

	if (bot->phase == BOT_DEAD || bot->frozen == frozen)
		return;
	bot->frozen = frozen;
	status = process_freeze(&bot->process, frozen);
	if (status < 0)
		bot_fail(bot, -status);
}

void
bot_stop(struct bot *bot, const char *farewell, int64_t kill_ns)
{
	if (bot->phase == BOT_DEAD)
		return;
	if (bot->phase == BOT_STOPPING) {
		if (!bot->killed && kill_ns < bot->deadline.deadline_ns)
			loop_deadline_set(bot->loop, &bot->deadline, kill_ns);
		return;
	}
	bot_freeze(bot, false);
	if (farewell != NULL)
		(void)bot_send(bot, farewell, strlen(farewell), NULL);
	/* If the pipe is full, bot_on_input() closes stdin after the rest. */
	if (bot->watches[PROCESS_INPUT].fd < 0)
		bot_close_input(bot);
	bot->phase = BOT_STOPPING;
	/*
	 * After a flood the bot may be waiting for room in its stdout pipe.
	 * Reading goes on, so that the bot can write its last lines and end.
	 */
	bot_accept_output(bot);
	loop_deadline_set(bot->loop, &bot->deadline, kill_ns);
}

void
bot_kill(struct bot *bot)
{
	if (bot->phase == BOT_DEAD)
		return;
	bot->phase = BOT_STOPPING;
	if (bot->killed || !process_kill(&bot->process))
		return;
	bot->killed = true;
	loop_deadline_set(bot->loop, &bot->deadline,
	    clock_now_ns() + PROCESS_OBEY_MS * CLOCK_NS_PER_MS);
}
