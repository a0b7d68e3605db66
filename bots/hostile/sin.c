/*
 * sin ID|NAME [heard=FILE] [WORD]
 * sin --list
 *
 * Plays the first legal move of every decision and commits the one sin of that
 * id (the first that has it) or name.  `sin honest` commits none.  What it
 * hears goes to FILE, and what it sees of the arena at its end.
 */
#include "sin.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A line of the arena has at most 65,535 bytes. */
enum { EAR_SIZE = 1 << 17 };

static const struct sin honesty = { .id = "-", .name = "honest" };

static const struct {
	const struct sin *sins;
	const size_t *count;
} groups[] = {
	{ sins_of_handshake, &sins_of_handshake_count },
	{ sins_of_lines, &sins_of_lines_count },
	{ sins_of_death, &sins_of_death_count },
	{ sins_of_time, &sins_of_time_count },
	{ sins_of_resources, &sins_of_resources_count },
	{ sins_of_trees, &sins_of_trees_count },
};

bool
sin_write(int fd, const char *bytes, size_t size)
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
sin_say_text(const struct sinner *sinner, const char *text, size_t size)
{
	char line[SIN_LINE_SIZE];
	size_t length = 0;

	for (size_t i = 0; i < size && length < sizeof(line); i++) {
		const char *word = NULL;

		if (text[i] == '$' && i + 1 < size)
			word = text[i + 1] == 'm' ? sinner->move
			    : text[i + 1] == 't'  ? sinner->turn
						  : NULL;
		if (word == NULL) {
			line[length++] = text[i];
			continue;
		}
		i++;
		for (; *word != '\0' && length < sizeof(line); word++)
			line[length++] = *word;
	}
	sin_write(STDOUT_FILENO, line, length);
}

void
sin_answer(const struct sinner *sinner)
{
	sin_say_text(sinner, "move $m $t\n", strlen("move $m $t\n"));
}

void
sin_flood(int fd, const char *bytes, size_t size)
{
	static char block[65536];
	size_t length = 0;

	while (length + size <= sizeof(block)) {
		memcpy(block + length, bytes, size);
		length += size;
	}
	while (sin_write(fd, block, length))
		;
}

void
sin_drip(const char *bytes, size_t size, int wait_ms)
{
	for (size_t i = 0; i < size; i++) {
		sin_sleep_ms(wait_ms);
		sin_write(STDOUT_FILENO, bytes + i, 1);
	}
}

void
sin_sleep_ms(int ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&left, &left) < 0)
		;
}

void
sin_sleep_for_ever(void)
{
	for (;;)
		pause();
}

void
sin_spin_for_ever(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

enum sin_course
sin_exit_well(struct sinner *sinner)
{
	(void)sinner;
	_exit(0);
}

enum sin_course
sin_exit_badly(struct sinner *sinner)
{
	(void)sinner;
	_exit(3);
}

enum sin_course
sin_sleep_on(struct sinner *sinner)
{
	(void)sinner;
	sin_sleep_for_ever();
}

enum sin_course
sin_spin_on(struct sinner *sinner)
{
	(void)sinner;
	sin_spin_for_ever();
}

static const struct sin *
find_sin(const char *name)
{
	if (strcmp(name, honesty.name) == 0)
		return &honesty;
	for (size_t g = 0; g < SIN_COUNTOF(groups); g++)
		for (size_t i = 0; i < *groups[g].count; i++)
			if (strcmp(groups[g].sins[i].id, name) == 0 ||
			    strcmp(groups[g].sins[i].name, name) == 0)
				return &groups[g].sins[i];
	return NULL;
}

static int
list_sins(void)
{
	for (size_t g = 0; g < SIN_COUNTOF(groups); g++)
		for (size_t i = 0; i < *groups[g].count; i++)
			printf("%s\t%s\n", groups[g].sins[i].id,
			    groups[g].sins[i].name);
	return 0;
}

static enum sin_course
commit(const struct sin *sin, struct sinner *sinner)
{
	if (sin->text != NULL)
		sin_say_text(sinner, sin->text, sin->text_size);
	return sin->commit != NULL ? sin->commit(sinner) : sin->course;
}

/* Commits the sin where its moment has come. */
static enum sin_course
come_to(const struct sin *sin, struct sinner *sinner, enum sin_moment moment)
{
	return sin != &honesty && sin->moment == moment ? commit(sin, sinner)
							: SIN_HONESTLY;
}

static enum sin_course
come_to_turn(const struct sin *sin, struct sinner *sinner)
{
	enum sin_course course = SIN_HONESTLY;

	sinner->turn_count++;
	if (sinner->turn_count == 1)
		course = come_to(sin, sinner, SIN_AT_TURN);
	if (sinner->turn_count == 2)
		course = come_to(sin, sinner, SIN_AT_SECOND_TURN);
	return course == SIN_HONESTLY ? come_to(sin, sinner, SIN_AT_TURNS)
				      : course;
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

static void
say(const char *text)
{
	sin_write(STDOUT_FILENO, text, strlen(text));
}

/* Takes one line; false when it was the last. */
static bool
take_line(const struct sin *sin, struct sinner *sinner, const char *line)
{
	char verb[SIN_WORD_SIZE] = "", first[SIN_WORD_SIZE] = "";
	char second[SIN_WORD_SIZE] = "";

	sscanf(line, "%127s %127s %127s", verb, first, second);
	if (strcmp(verb, "usp") == 0) {
		if (come_to(sin, sinner, SIN_AT_HELLO) == SIN_HONESTLY)
			say("id name=sin\nuspok 1\n");
	} else if (strcmp(verb, "isready") == 0) {
		if (come_to(sin, sinner, SIN_AT_READY) == SIN_HONESTLY)
			say("readyok\n");
	} else if (strcmp(verb, "match") == 0) {
		sinner->turn_count = 0;
	} else if (strcmp(verb, "play") == 0) {
		snprintf(sinner->last, sizeof(sinner->last), "%s", second);
	} else if (strcmp(verb, "state") == 0) {
		copy_value(sinner->hand, sizeof(sinner->hand), line, " hand=");
		copy_value(
		    sinner->table, sizeof(sinner->table), line, " table=");
	} else if (strcmp(verb, "legal") == 0) {
		snprintf(sinner->move, sizeof(sinner->move), "%s", first);
	} else if (strcmp(verb, "go") == 0) {
		snprintf(sinner->turn, sizeof(sinner->turn), "%s", first);
		if (come_to_turn(sin, sinner) == SIN_HONESTLY)
			sin_answer(sinner);
		if (sinner->turn_count == 1)
			come_to(sin, sinner, SIN_AT_MOVED);
	} else if (strcmp(verb, "quit") == 0) {
		return come_to(sin, sinner, SIN_AT_QUIT) != SIN_HONESTLY;
	}
	return true;
}

/* A descriptor for what was heard, or -1. */
static int
open_heard(const char *path)
{
	if (path == NULL)
		return -1;
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

/* What it has read of the arena's lines. */
struct ear {
	size_t start, end;
	char bytes[EAR_SIZE];
};

/*
 * The next line with its end, valid until the next call; NULL when there are no
 * more.  Its input may have been made non-blocking.
 */
static char *
hear_line(struct ear *ear, size_t *length)
{
	for (;;) {
		char *line = ear->bytes + ear->start;
		char *end = memchr(line, '\n', ear->end - ear->start);
		ssize_t got;

		if (end != NULL) {
			*length = (size_t)(end + 1 - line);
			ear->start += *length;
			return line;
		}
		memmove(ear->bytes, line, ear->end - ear->start);
		ear->end -= ear->start;
		ear->start = 0;
		got = read(STDIN_FILENO, ear->bytes + ear->end,
		    sizeof(ear->bytes) - ear->end);
		if (got > 0) {
			ear->end += (size_t)got;
		} else if (got < 0 && errno == EAGAIN) {
			struct pollfd wait = { .events = POLLIN };

			poll(&wait, 1, -1);
		} else if (got == 0 || errno != EINTR) {
			return NULL;
		}
	}
}

static void
play(const struct sin *sin, struct sinner *sinner, int heard_fd)
{
	static struct ear ear;
	char *line;
	size_t length;
	bool goes_on = true;

	while (goes_on && (line = hear_line(&ear, &length)) != NULL) {
		if (heard_fd >= 0)
			sin_write(heard_fd, line, length);
		line[length - 1] = '\0';
		if (heard_fd >= 0 && strcmp(line, "quit") == 0)
			sin_describe_arena(heard_fd);
		goes_on = take_line(sin, sinner, line);
	}
}

int
main(int argc, char **argv)
{
	static struct sinner sinner = { .word = "" };
	const struct sin *sin;
	const char *heard = NULL;

	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list_sins();
	sin = argc < 2 ? NULL : find_sin(argv[1]);
	if (sin == NULL) {
		fprintf(stderr,
		    "usage: sin ID|NAME [heard=FILE] [WORD]\n"
		    "       sin --list\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (strncmp(argv[i], "heard=", 6) == 0)
			heard = argv[i] + 6;
		else
			sinner.word = argv[i];
	}
	/* Who floods wants to know that nobody listens, not to die of it. */
	signal(SIGPIPE, SIG_IGN);
	if (come_to(sin, &sinner, SIN_AT_START) == SIN_HONESTLY)
		play(sin, &sinner, open_heard(heard));
	/* What sanitizers do at the end no jail allows. */
	_exit(0);
}
