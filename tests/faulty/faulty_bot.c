/*
 * faulty_bot ID|NAME [heard=FILE] [always] [WORD] faulty_bot --list
 *
 * Plays the first legal move of each decision and commits the misbehaviour with
 * this name, or the first one with this id.  `faulty_bot honest` commits none.
 * With `always` a misbehaviour of the first turn is committed at each turn.
 * The lines from the arena are written to FILE, and at the end what the bot
 * sees of the arena.
 */
#include "faulty_bot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A line of the arena has at most 65,535 bytes. */
enum { INPUT_SIZE = 1 << 17 };

static const struct misbehaviour honesty = { .id = "-", .name = "honest" };

static const struct misbehaviour *const tables[] = {
	misbehaviours_of_handshake,
	misbehaviours_of_lines,
	misbehaviours_of_death,
	misbehaviours_of_time,
	misbehaviours_of_resources,
	misbehaviours_of_trees,
};

bool
faulty_write(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t put = write(fd, bytes, size);

		if (put >= 0) {
			bytes += put;
			size -= (size_t)put;
		} else if (errno == EAGAIN) {
			struct pollfd wait = { .fd = fd, .events = POLLOUT };

			poll(&wait, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

void
faulty_say(const char *text)
{
	faulty_write(STDOUT_FILENO, text, strlen(text));
}

/* Writes a text of a table, with `$m` and `$t` replaced. */
static void
say_row(const struct faulty_bot *bot, const char *text, size_t size)
{
	char line[FAULTY_LINE_SIZE];
	size_t length = 0;

	for (size_t i = 0; i < size && length < sizeof(line); i++) {
		const char *word = NULL;

		if (text[i] == '$' && i + 1 < size)
			word = text[i + 1] == 'm' ? bot->move
			    : text[i + 1] == 't'  ? bot->turn
						  : NULL;
		if (word == NULL) {
			line[length++] = text[i];
			continue;
		}
		i++;
		for (; *word != '\0' && length < sizeof(line); word++)
			line[length++] = *word;
	}
	faulty_write(STDOUT_FILENO, line, length);
}

int
faulty_answer_line(const struct faulty_bot *bot, char line[FAULTY_LINE_SIZE])
{
	return snprintf(
	    line, FAULTY_LINE_SIZE, "move %s %s\n", bot->move, bot->turn);
}

void
faulty_answer(const struct faulty_bot *bot)
{
	char line[FAULTY_LINE_SIZE];

	faulty_answer_line(bot, line);
	faulty_say(line);
}

/* Writes this text without end; returns when there is no reader. */
static void
flood(const char *bytes, size_t size)
{
	static char block[65536];
	size_t length = 0;

	while (length + size <= sizeof(block)) {
		memcpy(block + length, bytes, size);
		length += size;
	}
	while (faulty_write(STDOUT_FILENO, block, length))
		;
}

void
faulty_sleep_ms(int ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&left, &left) < 0)
		;
}

void
faulty_sleep_for_ever(void)
{
	for (;;)
		pause();
}

void
faulty_spin_for_ever(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

static const struct misbehaviour *
find_misbehaviour(const char *name)
{
	if (strcmp(name, honesty.name) == 0)
		return &honesty;
	for (size_t t = 0; t < FAULTY_COUNTOF(tables); t++)
		for (const struct misbehaviour *m = tables[t]; m->id; m++)
			if (strcmp(m->id, name) == 0 ||
			    strcmp(m->name, name) == 0)
				return m;
	return NULL;
}

static int
list_misbehaviours(void)
{
	for (size_t t = 0; t < FAULTY_COUNTOF(tables); t++)
		for (const struct misbehaviour *m = tables[t]; m->id; m++)
			printf("%s\t%s\n", m->id, m->name);
	return 0;
}

static enum faulty_course
commit(const struct misbehaviour *misbehaviour, struct faulty_bot *bot)
{
	const char *text = misbehaviour->text;
	size_t size = misbehaviour->text_size;

	if (misbehaviour->flood)
		flood(text, size);
	else if (misbehaviour->to_stderr)
		faulty_write(STDERR_FILENO, text, size);
	else if (text != NULL)
		say_row(bot, text, size);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (misbehaviour->closes[fd])
			close(fd);
	if (misbehaviour->signal != 0) {
		/* A sanitizer would exit instead. */
		signal(misbehaviour->signal, SIG_DFL);
		raise(misbehaviour->signal);
	}
	if (misbehaviour->commit != NULL)
		return misbehaviour->commit(bot);
	switch (misbehaviour->course) {
	case FAULTY_SLEEPS:
		faulty_sleep_for_ever();
	case FAULTY_SPINS:
		faulty_spin_for_ever();
	case FAULTY_EXITS:
		_exit(misbehaviour->status);
	case FAULTY_HONESTLY:
	case FAULTY_SILENTLY:
		break;
	}
	return misbehaviour->course;
}

/* Commits the misbehaviour if this is its moment. */
static enum faulty_course
commit_at(const struct misbehaviour *misbehaviour, struct faulty_bot *bot,
    enum faulty_moment moment)
{
	return misbehaviour != &honesty && misbehaviour->moment == moment
	    ? commit(misbehaviour, bot)
	    : FAULTY_HONESTLY;
}

static enum faulty_course
commit_at_turn(const struct misbehaviour *misbehaviour, struct faulty_bot *bot)
{
	enum faulty_course course = FAULTY_HONESTLY;

	bot->turn_count++;
	if (bot->turn_count == 1 || bot->always)
		course = commit_at(misbehaviour, bot, FAULTY_AT_TURN);
	if (bot->turn_count == 2)
		course = commit_at(misbehaviour, bot, FAULTY_AT_SECOND_TURN);
	return course;
}

/* The value of ` KEY=` in a line, up to a blank. */
static void
copy_value(char *value, size_t size, const char *line, const char *key)
{
	const char *found = strstr(line, key);

	if (found == NULL)
		return;
	found += strlen(key);
	snprintf(value, size, "%.*s", (int)strcspn(found, " \n"), found);
}

/* Handles one line; false if it was the last. */
static bool
next_line(const struct misbehaviour *misbehaviour, struct faulty_bot *bot,
    const char *line)
{
	char verb[FAULTY_WORD_SIZE] = "", first[FAULTY_WORD_SIZE] = "";
	char second[FAULTY_WORD_SIZE] = "";

	sscanf(line, "%127s %127s %127s", verb, first, second);
	if (strcmp(verb, "usp") == 0) {
		if (commit_at(misbehaviour, bot, FAULTY_AT_HELLO) ==
		    FAULTY_HONESTLY)
			faulty_say("id name=bad\nuspok 1\n");
	} else if (strcmp(verb, "isready") == 0) {
		if (commit_at(misbehaviour, bot, FAULTY_AT_READY) ==
		    FAULTY_HONESTLY)
			faulty_say("readyok\n");
	} else if (strcmp(verb, "match") == 0) {
		bot->turn_count = 0;
	} else if (strcmp(verb, "play") == 0) {
		snprintf(bot->last, sizeof(bot->last), "%s", second);
	} else if (strcmp(verb, "state") == 0) {
		copy_value(bot->hand, sizeof(bot->hand), line, " hand=");
		copy_value(bot->table, sizeof(bot->table), line, " table=");
	} else if (strcmp(verb, "legal") == 0) {
		snprintf(bot->move, sizeof(bot->move), "%s", first);
	} else if (strcmp(verb, "go") == 0) {
		snprintf(bot->turn, sizeof(bot->turn), "%s", first);
		if (commit_at_turn(misbehaviour, bot) == FAULTY_HONESTLY)
			faulty_answer(bot);
		if (bot->turn_count == 1)
			commit_at(misbehaviour, bot, FAULTY_AT_MOVED);
	} else if (strcmp(verb, "quit") == 0) {
		return commit_at(misbehaviour, bot, FAULTY_AT_QUIT) !=
		    FAULTY_HONESTLY;
	}
	return true;
}

/* Bytes that were read from the arena. */
struct line_input {
	size_t start, end;
	char bytes[INPUT_SIZE];
};

/*
 * The next line with its LF, valid until the next call; NULL: no more lines.
 * Stdin may be non-blocking.
 */
static char *
read_line(struct line_input *line_input, size_t *length)
{
	for (;;) {
		char *line = line_input->bytes + line_input->start;
		char *end =
		    memchr(line, '\n', line_input->end - line_input->start);
		ssize_t got;

		if (end != NULL) {
			*length = (size_t)(end + 1 - line);
			line_input->start += *length;
			return line;
		}
		memmove(line_input->bytes, line,
		    line_input->end - line_input->start);
		line_input->end -= line_input->start;
		line_input->start = 0;
		got = read(STDIN_FILENO, line_input->bytes + line_input->end,
		    sizeof(line_input->bytes) - line_input->end);
		if (got > 0) {
			line_input->end += (size_t)got;
		} else if (got < 0 && errno == EAGAIN) {
			struct pollfd wait = { .events = POLLIN };

			poll(&wait, 1, -1);
		} else if (got == 0 || errno != EINTR) {
			return NULL;
		}
	}
}

static void
play(
    const struct misbehaviour *misbehaviour, struct faulty_bot *bot, int log_fd)
{
	static struct line_input line_input;
	char *line;
	size_t length;
	bool continues = true;

	while (continues && (line = read_line(&line_input, &length)) != NULL) {
		if (log_fd >= 0)
			faulty_write(log_fd, line, length);
		line[length - 1] = '\0';
		if (log_fd >= 0 && strcmp(line, "quit") == 0)
			faulty_describe_arena(log_fd);
		continues = next_line(misbehaviour, bot, line);
	}
}

int
main(int argc, char **argv)
{
	static struct faulty_bot bot = { .word = "" };
	const struct misbehaviour *misbehaviour;
	int log_fd = -1;

	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list_misbehaviours();
	misbehaviour = argc < 2 ? NULL : find_misbehaviour(argv[1]);
	if (misbehaviour == NULL) {
		fprintf(stderr,
		    "usage: faulty_bot ID|NAME [heard=FILE] [always] [WORD]\n"
		    "       faulty_bot --list\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (strncmp(argv[i], "heard=", 6) == 0)
			log_fd = open(argv[i] + 6,
			    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		else if (strcmp(argv[i], "always") == 0)
			bot.always = true;
		else
			bot.word = argv[i];
	}
	/*
	 * A flood must end with an error if there is no reader, and not by
	 * SIGPIPE.
	 */
	signal(SIGPIPE, SIG_IGN);
	if (commit_at(misbehaviour, &bot, FAULTY_AT_START) == FAULTY_HONESTLY)
		play(misbehaviour, &bot, log_fd);
	/* No sandbox allows what sanitizers do at an exit. */
	_exit(0);
}
