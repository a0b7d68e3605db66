/*
 * The role `launch`: the same program is started again, becomes the supervisor
 * of a bot and starts the bot.
 *
 *	scopa-arena launch [--dir=DIR] [--as=NAME] [--parent=PID]
 *	    [--cores=LIST] [--report=FD] [--stale] [--user=UID] [--end=FD]
 *	    [--cgroup=FD] [--memory=BYTES] [--box] [--root] [--scratch=KIB]
 *	    [--confine] [--filter=FD] [--shared-futex] [--hide=PATH]..
 *	    [--read=PATH:..] [--] FILE [ARGUMENT..]
 *
 * The launcher goes to DIR, asks to die with its parent (--parent: and checks
 * that this is still the parent), closes every descriptor but 0, 1, 2 and those
 * of its options, makes a clean environment (PATH, LANG, HOME,
 * PYTHONUNBUFFERED=1, and every variable SCOPA_BOT_NAME as NAME), and becomes
 * the supervisor of the bot (--cores, --end, --cgroup, --memory: supervisor.h).
 *
 * The bot gets what the options say: namespaces of its own (--box) with a root
 * folder (--root, namespaces.h), perhaps with a folder to write in (--scratch;
 * TMPDIR and HOME name it); few files, limits and privileges (--confine,
 * confinement.h); a filter of system calls (--filter, system_calls.h;
 * --shared-futex allows what the call proxy refuses otherwise).  It may write
 * no core files, gets no new privileges, and leaves the arena the first turn on
 * a core (SCHED_BATCH).  Then it executes FILE with argv[0] NAME.
 *
 * With --stale nothing is executed, because FILE has changed.  An error goes to
 * the report descriptor as a struct launcher_report or, without one, to stderr.
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAUNCHER_ROLE "launch"
#define LAUNCHER_TEST "--test" /* after the role: see self_test.h */
#define LAUNCHER_ENVIRONMENT_PREFIX "SCOPA_BOT_"

enum {
	LAUNCHER_SENTENCE_SIZE = 500,
	LAUNCHER_ENVIRONMENT_MAX =
	    256, /* entries of the environment of a bot */
	LAUNCHER_ARGUMENTS_MAX = 128,
	LAUNCHER_EXIT_FAILED = 126 /* exit status after a report */
};

/* What could not be done. */
enum launcher_step {
	LAUNCHER_USAGE,   /* wrong arguments of the role */
	LAUNCHER_PREPARE, /* a preparation that only the system can make fail */
	LAUNCHER_SANDBOX, /* a part of the sandbox; likewise */
	LAUNCHER_DIRECTORY, /* the bot's folder */
	LAUNCHER_EXECUTE    /* the bot's file */
};

/* Shorter than PIPE_BUF, so it is written completely or not at all. */
struct launcher_report {
	int32_t step;  /* enum launcher_step */
	int32_t error; /* errno */
	char sentence[LAUNCHER_SENTENCE_SIZE];
};

/*
 * Every program that starts bots, tests too, must call this first in main() if
 * argv[1] is LAUNCHER_ROLE. Returns an exit status after a failure; otherwise
 * it does not return.
 */
int launcher_main(int argc, char **argv);

/*
 * The environment of a bot: its own entries and a few that every program needs.
 */

enum { ENVIRONMENT_OURS = 5 /* beside the bot's own entries */ };

/* Entries point into the environment of the caller; a NULL ends them. */
struct environment {
	char *entries[LAUNCHER_ENVIRONMENT_MAX + ENVIRONMENT_OURS + 1];
	size_t count;
};

/*
 * The bot's own entries come first; in the caller's environment they begin with
 * LAUNCHER_ENVIRONMENT_PREFIX. Then, unless they are among these, PATH, LANG
 * and HOME of the caller, and PYTHONUNBUFFERED=1. With a scratch folder HOME
 * and TMPDIR name that folder, because the bot cannot use the home of the user.
 */
void environment_init(struct environment *environment, bool scratch);

/* Returns the value of an entry, or NULL. */
const char *environment_value(char *const *environment, const char *name);

#endif
