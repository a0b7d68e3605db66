/*
 * The role `launch`: the same program, started anew, becomes the supervisor of a
 * bot and starts the bot.
 *
 *	scopa-arena launch [--dir=DIR] [--as=NAME] [--parent=PID]
 *	    [--report=FD] [--stale] [--user=UID] [--end=FD] [--cgroup=FD]
 *	    [--memory=BYTES] [--box] [--root] [--scratch=KIB] [--confine]
 *	    [--filter=FD] [--shared-futex] [--hide=PATH].. [--read=PATH:..] [--]
 *	    FILE [ARGUMENT..]
 *
 * It asks to die with its parent (--parent: and checks that this is still the
 * parent), closes every descriptor but 0, 1, 2 and the report, makes a clean
 * environment (PATH, LANG, HOME, PYTHONUNBUFFERED=1, and every variable
 * SCOPA_BOT_NAME as NAME), allows no core files and no new privileges, leaves
 * the arena the first turn on a core (SCHED_BATCH), goes to DIR and executes
 * FILE with argv[0] NAME.  Before that it becomes the supervisor (--end, --cgroup,
 * --memory: supervisor.h) of the bot, and sets up the sandbox: namespaces of its
 * own (--box) with a root folder (--root, namespaces.h), perhaps with a folder to
 * write in (--scratch; TMPDIR and HOME name it), few files, limits and privileges
 * (--confine, confinement.h), and a filter of system calls (--filter, filter.h;
 * --shared-futex allows what call_proxy.h
 * refuses else).  With --stale it executes nothing: FILE is
 * not what it was.  Where something fails, the reason goes to the report
 * descriptor as a struct launcher_report or, without one, to stderr.
 */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAUNCHER_ROLE "launch"
#define LAUNCHER_TEST "--test" /* behind the role: see self_test.h */
#define LAUNCHER_ENVIRONMENT_PREFIX "SCOPA_BOT_"

enum {
	LAUNCHER_SENTENCE_SIZE = 500,
	LAUNCHER_ENVIRONMENT_MAX = 256, /* entries that a bot is given */
	LAUNCHER_ARGUMENTS_MAX = 128,
	LAUNCHER_EXIT_FAILED = 126 /* exit status after a report */
};

/* What could not be done. */
enum launcher_step {
	LAUNCHER_USAGE,   /* wrong arguments of the role */
	LAUNCHER_PREPARE, /* the ground: the machine's fault */
	LAUNCHER_SANDBOX, /* a part of the sandbox that was asked for: likewise */
	LAUNCHER_DIRECTORY, /* the bot's folder */
	LAUNCHER_EXECUTE    /* the bot's file */
};

/* Shorter than PIPE_BUF: comes whole or not at all. */
struct launcher_report {
	int32_t step;  /* enum launcher_step */
	int32_t error; /* errno */
	char sentence[LAUNCHER_SENTENCE_SIZE];
};

/*
 * To be called first thing in main() when argv[1] is LAUNCHER_ROLE, in every
 * program that starts bots (tests too).  Returns an exit status; does not
 * return when all went well.
 */
int launcher_main(int argc, char **argv);

/*
 * The environment that a bot is given: clean but for what it was told to have.
 */

enum { ENVIRONMENT_OURS = 5 /* beside the bot's own entries */ };

/* Entries point into the environment of the caller; a NULL ends them. */
struct environment {
	char *entries[LAUNCHER_ENVIRONMENT_MAX + ENVIRONMENT_OURS + 1];
	size_t count;
};

/*
 * The bot's own entries come first (LAUNCHER_ENVIRONMENT_PREFIX in that of the
 * caller), and after them what they do not name: PATH, LANG and HOME of the
 * caller, and PYTHONUNBUFFERED=1.  With a scratch folder HOME and TMPDIR name
 * that, as the user's own home is of no use.
 */
void environment_init(struct environment *environment, bool scratch);

/* What stands behind `NAME=`, or NULL. */
const char *environment_value(char *const *environment, const char *name);

#endif
