/*
 * Implements play_hint.h.
 */
#include "play_hint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scopa/notation.h"

/* The child ends, and its output is closed. */
static void
finish(struct hint *hint)
{
	loop_watch_close(hint->loop, &hint->watch);
	close(hint->fd);
	while (waitpid(hint->child, NULL, 0) < 0 && errno == EINTR)
		continue;
	hint->child = 0;
}

/* Reads the answer, which is one line with a move. */
static void
on_output(struct loop_watch *watch, uint32_t events)
{
	struct hint *hint = watch->context;
	struct scopa_move move;
	ssize_t got = read(hint->fd, hint->answer + hint->length,
	    sizeof(hint->answer) - hint->length);
	size_t length;
	bool parsed;

	(void)events;
	if (got < 0 && errno == EINTR)
		return;
	if (got > 0) {
		hint->length += (size_t)got;
		if (hint->length < sizeof(hint->answer))
			return;
	}
	finish(hint);
	length = hint->length;
	while (length > 0 && hint->answer[length - 1] == '\n')
		length--;
	parsed = scopa_move_parse(hint->answer, length, &move) == SCOPA_PARSED;
	hint->on_hint(hint->context, parsed ? &move : NULL);
}

void
hint_open(struct hint *hint)
{
	hint->child = 0;
	hint->watch = (struct loop_watch){
		.on_ready = on_output,
		.context = hint,
		.fd = -1,
	};
}

void
hint_close(struct hint *hint)
{
	if (hint->child == 0)
		return;
	kill(hint->child, SIGTERM);
	finish(hint);
}

/*
 * The child gets the signals that the event loop of this process reads or
 * ignores.  Returns 0 or an errno.
 */
static int
set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, standard;

	sigemptyset(&none);
	sigemptyset(&standard);
	sigaddset(&standard, SIGPIPE);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &standard);
	return posix_spawnattr_setflags(
	    attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/*
 * Sets the descriptors of the child: its standard input and output, and nothing
 * else is connected.  Returns 0 or an errno.
 */
static int
set_files(posix_spawn_file_actions_t *files, int input, int output)
{
	int error =
	    posix_spawn_file_actions_adddup2(files, input, STDIN_FILENO);

	if (!error)
		error = posix_spawn_file_actions_adddup2(
		    files, output, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addopen(
		    files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	return error;
}

/*
 * Puts the position into a file without a name.  The arguments of a process can
 * be read by others, such as bots without a sandbox.  Returns a descriptor or
 * -errno.
 */
static int
store_state(const char *state)
{
	int fd = memfd_create("state", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (dprintf(fd, "%s\n", state) < 0 || lseek(fd, 0, SEEK_SET) < 0) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

/* Starts the child.  Returns 0 or -errno. */
static int
start(struct hint *hint, int input, int output)
{
	const char *const words[] = { program_invocation_name, "ask",
		hint->command, "--state", "-", "--quiet", "--tc", "move:1",
		"--sandbox", hint->sandbox, NULL };
	/* posix_spawn() takes texts that are not constant, and changes none. */
	char *arguments[sizeof(words) / sizeof(*words)];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int error = posix_spawnattr_init(&attributes);

	memcpy(arguments, words, sizeof(arguments));
	if (error)
		return -error;
	error = posix_spawn_file_actions_init(&files);
	if (error)
		goto destroy_attributes;
	error = set_signals(&attributes);
	if (!error)
		error = set_files(&files, input, output);
	if (!error)
		error = posix_spawn(&hint->child, "/proc/self/exe", &files,
		    &attributes, arguments, environ);
	posix_spawn_file_actions_destroy(&files);
destroy_attributes:
	posix_spawnattr_destroy(&attributes);
	return -error;
}

int
hint_ask(struct hint *hint, const char *state)
{
	int ends[2], error, input = store_state(state);

	if (input < 0)
		return input;
	if (pipe2(ends, O_CLOEXEC) < 0) {
		error = -errno;
		close(input);
		return error;
	}
	hint->fd = ends[0];
	hint->length = 0;
	error = start(hint, input, ends[1]);
	close(ends[1]);
	close(input);
	if (error) {
		hint->child = 0;
		close(ends[0]);
		return error;
	}
	error = loop_watch_open(hint->loop, &hint->watch, hint->fd, EPOLLIN);
	if (error)
		hint_close(hint);
	return error;
}
