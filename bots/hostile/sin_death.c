/*
 * Sins of pipes and of death: a bot that ends, or that does not use its pipes as
 * one should.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sin.h"

enum { PAGE = 4096, MEGABYTE = 1 << 20, MUCH_MEGABYTES = 64, GHOST_MS = 150 };

static enum sin_course
die_of(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return SIN_SILENTLY;
}

static enum sin_course
crash(struct sinner *sinner)
{
	(void)sinner;
	return die_of(SIGSEGV);
}

static enum sin_course
abort_itself(struct sinner *sinner)
{
	(void)sinner;
	return die_of(SIGABRT);
}

static enum sin_course
kill_itself(struct sinner *sinner)
{
	(void)sinner;
	return die_of(SIGKILL);
}

static enum sin_course
close_output(struct sinner *sinner)
{
	(void)sinner;
	close(STDOUT_FILENO);
	sin_sleep_for_ever();
}

static enum sin_course
close_input(struct sinner *sinner)
{
	(void)sinner;
	close(STDIN_FILENO);
	sin_sleep_for_ever();
}

/* Its child keeps the pipes, and says nothing. */
static enum sin_course
leave_child(struct sinner *sinner)
{
	(void)sinner;
	if (fork() == 0)
		sin_sleep_for_ever();
	_exit(0);
}

/* A grandchild answers for one that is dead. */
static enum sin_course
leave_ghost(struct sinner *sinner)
{
	pid_t child = fork();

	if (child == 0) {
		if (fork() != 0)
			_exit(0);
		for (;;) {
			sin_sleep_ms(GHOST_MS);
			sin_answer(sinner);
		}
	}
	waitpid(child, NULL, 0);
	_exit(0);
}

/*
 * Claims to be ready without having read, and then reads a byte now and then
 * from the smallest pipe that there is.
 */
static enum sin_course
read_slowly(struct sinner *sinner)
{
	static const char greeting[] =
	    "id name=sin\noption name=a type=string\n"
	    "option name=b type=string\nuspok 1\nreadyok\n";
	char byte;

	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	sin_say_text(sinner, greeting, sizeof(greeting) - 1);
	while (read(STDIN_FILENO, &byte, 1) == 1)
		sin_sleep_ms(SIN_DRIP_MS);
	sin_sleep_for_ever();
}

/* The same after an honest start: the question is there, but not read. */
static enum sin_course
stop_reading(struct sinner *sinner)
{
	(void)sinner;
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	sin_sleep_for_ever();
}

static enum sin_course
write_errors(struct sinner *sinner)
{
	static char block[MEGABYTE];

	(void)sinner;
	memset(block, 'e', sizeof(block));
	for (size_t i = 79; i < sizeof(block); i += 80)
		block[i] = '\n';
	for (int i = 0; i < MUCH_MEGABYTES; i++)
		sin_write(STDERR_FILENO, block, sizeof(block));
	return SIN_HONESTLY;
}

static enum sin_course
write_errors_and_exit(struct sinner *sinner)
{
	write_errors(sinner);
	sin_write(STDERR_FILENO, "last words\n", 11);
	_exit(3);
}

static enum sin_course
say_to_stderr(const char *text)
{
	sin_write(STDERR_FILENO, text, strlen(text));
	return SIN_HONESTLY;
}

static enum sin_course
fake_result(struct sinner *sinner)
{
	(void)sinner;
	return say_to_stderr("\033[2J\033]0;owned\007\nendmatch m1 winner=A\n"
			     "result   sinner 99  witness 0, sinner won\n"
			     "move 7D\nerror: the arena has failed\n");
}

static enum sin_course
fake_result_and_exit(struct sinner *sinner)
{
	fake_result(sinner);
	_exit(3);
}

static enum sin_course
print_traceback(struct sinner *sinner)
{
	(void)sinner;
	say_to_stderr("Traceback (most recent call last):\n"
		      "  File \"bot.py\", line 7, in choose\n"
		      "ValueError: no such card\n");
	_exit(1);
}

static enum sin_course
unblock_all(struct sinner *sinner)
{
	(void)sinner;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return SIN_HONESTLY;
}

static enum sin_course
ignore_quit(struct sinner *sinner)
{
	(void)sinner;
	sin_sleep_for_ever();
}

static enum sin_course
spin_on_quit(struct sinner *sinner)
{
	(void)sinner;
	sin_spin_for_ever();
}

static enum sin_course
flood_on_quit(struct sinner *sinner)
{
	(void)sinner;
	sin_flood(STDOUT_FILENO, "quit\n", 5);
	sin_spin_for_ever();
}

#define QUIT_ROW(id_, name_, deed)                               \
	{                                                        \
		.id = id_, .name = name_, .moment = SIN_AT_QUIT, \
		.commit = deed                                   \
	}

const struct sin sins_of_death[] = {
	{ "F044", "unfinished-move", SIN_AT_TURN, SIN_TEXT("move $m $t"),
	    .commit = sin_exit_well },
	SIN_TURN("F046", "leaves", sin_exit_well),
	SIN_TURN("F046", "leaves-3", sin_exit_badly),
	SIN_TURN("F047", "faults", crash),
	SIN_TURN("F047", "aborts", abort_itself),
	SIN_TURN("F048", "kills-itself", kill_itself),
	{ "F049", "answers-and-leaves", SIN_AT_MOVED, .commit = sin_exit_well },
	SIN_TURN("F050", "closes-output", close_output),
	SIN_TURN("F051", "closes-input", close_input),
	SIN_TURN("F052", "leaves-child", leave_child),
	SIN_TURN("F053", "leaves-ghost", leave_ghost),
	{ "F054", "reads-slowly", SIN_AT_START, .commit = read_slowly },
	SIN_TURN("F054", "stops-reading", stop_reading),
	SIN_TURN("F055", "errors", write_errors),
	SIN_TURN("F055", "errors-and-leaves", write_errors_and_exit),
	SIN_TURN("F056", "fakes", fake_result),
	SIN_TURN("F056", "fakes-and-leaves", fake_result_and_exit),
	SIN_TURN("F057", "traceback", print_traceback),
	SIN_TURN("F058", "unblocks", unblock_all),
	QUIT_ROW("F059", "crashes-on-quit", crash),
	QUIT_ROW("F060", "stays", ignore_quit),
	QUIT_ROW("F060", "spins-on-quit", spin_on_quit),
	QUIT_ROW("F060", "floods-on-quit", flood_on_quit),
};

const size_t sins_of_death_count = SIN_COUNTOF(sins_of_death);
