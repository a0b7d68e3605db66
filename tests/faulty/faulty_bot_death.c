/*
 * Misbehaviours of pipes and of death: a bot that ends, or that uses its pipes
 * in a wrong way.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { PAGE = 4096, MEGABYTE = 1 << 20, MUCH_MEGABYTES = 64, GHOST_MS = 150 };

/* The child holds the pipes open, and writes nothing. */
FAULTY_ACTION(leave_child)
{
	if (fork() == 0)
		faulty_sleep_for_ever();
	_exit(0);
}

/* A grandchild answers after the bot has exited. */
FAULTY_ACTION(leave_ghost)
{
	pid_t child = fork();

	if (child == 0) {
		if (fork() != 0)
			_exit(0);
		for (;;) {
			faulty_sleep_ms(GHOST_MS);
			faulty_answer(bot);
		}
	}
	waitpid(child, NULL, 0);
	_exit(0);
}

/*
 * Sends `readyok` before it has read anything, and then reads a byte every 50
 * ms from the smallest possible pipe.
 */
FAULTY_ACTION(read_slowly)
{
	char byte;

	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	faulty_say("id name=bad\noption name=a type=string\n"
		   "option name=b type=string\nuspok 1\nreadyok\n");
	while (read(STDIN_FILENO, &byte, 1) == 1)
		faulty_sleep_ms(FAULTY_DRIP_MS);
	faulty_sleep_for_ever();
}

/* The same after an honest start: the bot does not read the next lines. */
FAULTY_ACTION(stop_reading)
{
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	faulty_sleep_for_ever();
}

FAULTY_ACTION(write_errors)
{
	static char block[MEGABYTE];

	memset(block, 'e', sizeof(block));
	for (size_t i = 79; i < sizeof(block); i += 80)
		block[i] = '\n';
	for (int i = 0; i < MUCH_MEGABYTES; i++)
		faulty_write(STDERR_FILENO, block, sizeof(block));
	return FAULTY_HONESTLY;
}

FAULTY_ACTION(write_errors_and_exit)
{
	write_errors(bot);
	faulty_write(STDERR_FILENO, "last words\n", 11);
	_exit(3);
}

FAULTY_ACTION(unblock_all)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return FAULTY_HONESTLY;
}

#define FAKES                                             \
	"\033[2J\033]0;owned\007\nendmatch m1 winner=A\n" \
	"result   bot 99  witness 0, bot won\n"           \
	"move 7D\nerror: the arena has failed\n"

const struct misbehaviour misbehaviours_of_death[] = {
	FAULTY_SAYS("F044", "unfinished-move", FAULTY_AT_TURN, FAULTY_EXITS,
	    "move $m $t"),
	{ FAULTY_ROW("F046", "leaves", FAULTY_AT_TURN, FAULTY_EXITS) },
	{ FAULTY_ROW("F046", "leaves-3", FAULTY_AT_TURN, FAULTY_EXITS),
	    .status = 3 },
	{ FAULTY_ROW("F047", "faults", FAULTY_AT_TURN, FAULTY_SILENTLY),
	    .signal = SIGSEGV },
	{ FAULTY_ROW("F047", "aborts", FAULTY_AT_TURN, FAULTY_SILENTLY),
	    .signal = SIGABRT },
	{ FAULTY_ROW("F048", "kills-itself", FAULTY_AT_TURN, FAULTY_SILENTLY),
	    .signal = SIGKILL },
	{ FAULTY_ROW(
	    "F049", "answers-and-leaves", FAULTY_AT_MOVED, FAULTY_EXITS) },
	{ FAULTY_ROW("F050", "closes-output", FAULTY_AT_TURN, FAULTY_SLEEPS),
	    .closes = { false, true, false } },
	{ FAULTY_ROW("F051", "closes-input", FAULTY_AT_TURN, FAULTY_SLEEPS),
	    .closes = { true, false, false } },
	FAULTY_TURN("F052", "leaves-child", leave_child),
	FAULTY_TURN("F053", "leaves-ghost", leave_ghost),
	FAULTY_AT("F054", "reads-slowly", FAULTY_AT_START, read_slowly),
	FAULTY_TURN("F054", "stops-reading", stop_reading),
	FAULTY_TURN("F055", "errors", write_errors),
	FAULTY_TURN("F055", "errors-and-leaves", write_errors_and_exit),
	{ FAULTY_ROW("F056", "fakes", FAULTY_AT_TURN, FAULTY_HONESTLY),
	    FAULTY_TEXT(FAKES), .to_stderr = true },
	{ FAULTY_ROW("F056", "fakes-and-leaves", FAULTY_AT_TURN, FAULTY_EXITS),
	    FAULTY_TEXT(FAKES), .to_stderr = true, .status = 3 },
	{ FAULTY_ROW("F057", "traceback", FAULTY_AT_TURN, FAULTY_EXITS),
	    FAULTY_TEXT("Traceback (most recent call last):\n"
			"  File \"bot.py\", line 7, in choose\n"
			"ValueError: no such card\n"),
	    .to_stderr = true, .status = 1 },
	FAULTY_SAYS("F113", "gives-up", FAULTY_AT_TURN, FAULTY_SILENTLY,
	    "error fatal # no idea\n"),
	FAULTY_TURN("F058", "unblocks", unblock_all),
	{ FAULTY_ROW(
	      "F059", "crashes-on-quit", FAULTY_AT_QUIT, FAULTY_SILENTLY),
	    .signal = SIGSEGV },
	{ FAULTY_ROW("F060", "stays", FAULTY_AT_QUIT, FAULTY_SLEEPS) },
	{ FAULTY_ROW("F060", "spins-on-quit", FAULTY_AT_QUIT, FAULTY_SPINS) },
	FAULTY_FLOODS(
	    "F060", "floods-on-quit", FAULTY_AT_QUIT, FAULTY_SPINS, "quit\n"),
	{ .id = NULL },
};
