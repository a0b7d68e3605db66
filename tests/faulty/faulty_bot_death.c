/*
 * Misbehaviours of pipes and of death: a bot that ends, or that does not use
 * its pipes as one should.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { PAGE = 4096, MEGABYTE = 1 << 20, MUCH_MEGABYTES = 64, GHOST_MS = 150 };

static enum faulty_course
die_of(int signal_number)
{
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return FAULTY_SILENTLY;
}

static enum faulty_course
crash(struct faulty_bot *bot)
{
	(void)bot;
	return die_of(SIGSEGV);
}

static enum faulty_course
abort_itself(struct faulty_bot *bot)
{
	(void)bot;
	return die_of(SIGABRT);
}

static enum faulty_course
kill_itself(struct faulty_bot *bot)
{
	(void)bot;
	return die_of(SIGKILL);
}

static enum faulty_course
close_output(struct faulty_bot *bot)
{
	(void)bot;
	close(STDOUT_FILENO);
	faulty_sleep_for_ever();
}

static enum faulty_course
close_input(struct faulty_bot *bot)
{
	(void)bot;
	close(STDIN_FILENO);
	faulty_sleep_for_ever();
}

/* Its child keeps the pipes, and says nothing. */
static enum faulty_course
leave_child(struct faulty_bot *bot)
{
	(void)bot;
	if (fork() == 0)
		faulty_sleep_for_ever();
	_exit(0);
}

/* A grandchild answers for one that is dead. */
static enum faulty_course
leave_ghost(struct faulty_bot *bot)
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
 * Claims to be ready without having read, and then reads a byte now and then
 * from the smallest pipe that there is.
 */
static enum faulty_course
read_slowly(struct faulty_bot *bot)
{
	static const char greeting[] =
	    "id name=bad\noption name=a type=string\n"
	    "option name=b type=string\nuspok 1\nreadyok\n";
	char byte;

	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	faulty_say_text(bot, greeting, sizeof(greeting) - 1);
	while (read(STDIN_FILENO, &byte, 1) == 1)
		faulty_sleep_ms(FAULTY_DRIP_MS);
	faulty_sleep_for_ever();
}

/* The same after an honest start: the question is there, but not read. */
static enum faulty_course
stop_reading(struct faulty_bot *bot)
{
	(void)bot;
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	faulty_sleep_for_ever();
}

static enum faulty_course
write_errors(struct faulty_bot *bot)
{
	static char block[MEGABYTE];

	(void)bot;
	memset(block, 'e', sizeof(block));
	for (size_t i = 79; i < sizeof(block); i += 80)
		block[i] = '\n';
	for (int i = 0; i < MUCH_MEGABYTES; i++)
		faulty_write(STDERR_FILENO, block, sizeof(block));
	return FAULTY_HONESTLY;
}

static enum faulty_course
write_errors_and_exit(struct faulty_bot *bot)
{
	write_errors(bot);
	faulty_write(STDERR_FILENO, "last words\n", 11);
	_exit(3);
}

static enum faulty_course
say_to_stderr(const char *text)
{
	faulty_write(STDERR_FILENO, text, strlen(text));
	return FAULTY_HONESTLY;
}

static enum faulty_course
fake_result(struct faulty_bot *bot)
{
	(void)bot;
	return say_to_stderr("\033[2J\033]0;owned\007\nendmatch m1 winner=A\n"
			     "result   bot 99  witness 0, bot won\n"
			     "move 7D\nerror: the arena has failed\n");
}

static enum faulty_course
fake_result_and_exit(struct faulty_bot *bot)
{
	fake_result(bot);
	_exit(3);
}

static enum faulty_course
print_traceback(struct faulty_bot *bot)
{
	(void)bot;
	say_to_stderr("Traceback (most recent call last):\n"
		      "  File \"bot.py\", line 7, in choose\n"
		      "ValueError: no such card\n");
	_exit(1);
}

static enum faulty_course
unblock_all(struct faulty_bot *bot)
{
	(void)bot;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	return FAULTY_HONESTLY;
}

static enum faulty_course
ignore_quit(struct faulty_bot *bot)
{
	(void)bot;
	faulty_sleep_for_ever();
}

static enum faulty_course
spin_on_quit(struct faulty_bot *bot)
{
	(void)bot;
	faulty_spin_for_ever();
}

static enum faulty_course
flood_on_quit(struct faulty_bot *bot)
{
	(void)bot;
	faulty_flood(STDOUT_FILENO, "quit\n", 5);
	faulty_spin_for_ever();
}

#define QUIT_ROW(id_, name_, action)                                \
	{                                                           \
		.id = id_, .name = name_, .moment = FAULTY_AT_QUIT, \
		.commit = action                                    \
	}

const struct misbehaviour misbehaviours_of_death[] = {
	{ "F044", "unfinished-move", FAULTY_AT_TURN, FAULTY_TEXT("move $m $t"),
	    .commit = faulty_exit_well },
	FAULTY_TURN("F046", "leaves", faulty_exit_well),
	FAULTY_TURN("F046", "leaves-3", faulty_exit_badly),
	FAULTY_TURN("F047", "faults", crash),
	FAULTY_TURN("F047", "aborts", abort_itself),
	FAULTY_TURN("F048", "kills-itself", kill_itself),
	{ "F049", "answers-and-leaves", FAULTY_AT_MOVED,
	    .commit = faulty_exit_well },
	FAULTY_TURN("F050", "closes-output", close_output),
	FAULTY_TURN("F051", "closes-input", close_input),
	FAULTY_TURN("F052", "leaves-child", leave_child),
	FAULTY_TURN("F053", "leaves-ghost", leave_ghost),
	{ "F054", "reads-slowly", FAULTY_AT_START, .commit = read_slowly },
	FAULTY_TURN("F054", "stops-reading", stop_reading),
	FAULTY_TURN("F055", "errors", write_errors),
	FAULTY_TURN("F055", "errors-and-leaves", write_errors_and_exit),
	FAULTY_TURN("F056", "fakes", fake_result),
	FAULTY_TURN("F056", "fakes-and-leaves", fake_result_and_exit),
	FAULTY_TURN("F057", "traceback", print_traceback),
	FAULTY_TURN("F058", "unblocks", unblock_all),
	QUIT_ROW("F059", "crashes-on-quit", crash),
	QUIT_ROW("F060", "stays", ignore_quit),
	QUIT_ROW("F060", "spins-on-quit", spin_on_quit),
	QUIT_ROW("F060", "floods-on-quit", flood_on_quit),
};

const size_t misbehaviours_of_death_count =
    FAULTY_COUNTOF(misbehaviours_of_death);
