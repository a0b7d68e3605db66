/*
 * scopa-arena: the arena, its bots and its tools are one program.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "error_message.h"
#include "launcher.h"
#include "user.h"

/*
 * The calling process may have closed one of the three.  The next file opened,
 * perhaps a record, would get its number and receive what is printed.
 */
static void
descriptors_fill(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			/* NOLINTNEXTLINE: programs that we run have it too. */
			(void)open("/dev/null", O_RDWR | O_NOCTTY);
	}
}

int
main(int argc, char **argv)
{
	/* The way of every bot, and as short as can be. */
	if (argc > 1 && strcmp(argv[1], LAUNCHER_ROLE) == 0)
		return launcher_main(argc, argv);
	descriptors_fill();
	/* A file at its size limit is a failed write, not our death. */
	signal(SIGXFSZ, SIG_IGN);
	/* Secrets of packs and all hands are in our memory. */
	if (no_dump_begin() < 0 || atexit(no_dump_end) != 0) {
		error_print("this process cannot be kept from the eyes of "
			    "others");
		return STATUS_ENVIRONMENT;
	}
	if (sodium_init() < 0) {
		error_print("libsodium cannot be initialised");
		return STATUS_ENVIRONMENT;
	}
	return (int)command_main(argc, argv);
}
