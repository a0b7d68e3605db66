/*
 * The errors that all commands report: of usage, of files, of lost workers.
 * Errors of the command line end with the command and the help to try.
 */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "error_message.h"
#include "version.h"

enum status
input_file_status(int error)
{
	switch (-error) {
	case EACCES:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case ENXIO:
	case EPERM:
		return STATUS_USAGE;
	default:
		return STATUS_ENVIRONMENT;
	}
}

enum status
worker_death_error(int wait_status, int game_count)
{
	if (WIFSIGNALED(wait_status))
		error_print("a worker process of the arena was ended by "
			    "signal %d (%s)",
		    WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else
		error_print("a worker process of the arena ended with exit "
			    "status %d",
		    WEXITSTATUS(wait_status));
	if (game_count > 0)
		error_detail("where", "%d game%s that it played %s lost",
		    game_count, game_count == 1 ? "" : "s",
		    game_count == 1 ? "is" : "are");
	error_detail("hint",
	    "somebody killed it, or memory ran out (see dmesg), or this is "
	    "an error in the arena");
	return STATUS_ENVIRONMENT;
}

enum { ERROR_SIZE = 2048 };

/* The command that is running, or NULL. */
static const struct command *running;

void
error_set_command(const struct command *command)
{
	running = command;
}

__attribute__((format(printf, 1, 0))) static void
print_what(const char *format, va_list arguments)
{
	char what[ERROR_SIZE];

	vsnprintf(what, sizeof(what), format, arguments);
	error_print("%s", what);
}

enum status
error_usage(const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_what(format, arguments);
	va_end(arguments);
	if (running != NULL)
		error_detail("command", VERSION_NAME " %s", running->name);
	if (hint != NULL)
		error_detail("hint", "%s", hint);
	if (running != NULL)
		error_detail("try", VERSION_NAME " help %s", running->name);
	return STATUS_USAGE;
}

enum status
error_status(enum status status, const char *hint, const char *try,
    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_what(format, arguments);
	va_end(arguments);
	if (hint != NULL)
		error_detail("hint", "%s", hint);
	if (try != NULL)
		error_detail("try", "%s", try);
	return status;
}
