/*
 * Sins before the first game: a bot that does not get ready.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sin.h"

enum { PAGE = 4096, RANDOM_SIZE = 32 * 1024 };

static enum sin_course
crash(struct sinner *sinner)
{
	(void)sinner;
	/* A sanitizer would make an exit of it. */
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return SIN_SILENTLY;
}

/* The smallest pipe that there is, so that it is full soon. */
static enum sin_course
stay_deaf(struct sinner *sinner)
{
	(void)sinner;
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	sin_sleep_for_ever();
}

static enum sin_course
close_all(struct sinner *sinner)
{
	(void)sinner;
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	sin_sleep_for_ever();
}

static enum sin_course
babble(struct sinner *sinner)
{
	(void)sinner;
	sin_flood(STDOUT_FILENO, "babble\n", 7);
	sin_sleep_for_ever();
}

/* Bytes of every value, the same in every run. */
static enum sin_course
say_noise(struct sinner *sinner)
{
	static char noise[RANDOM_SIZE];
	uint32_t state = 2463534242;

	(void)sinner;
	for (size_t i = 0; i < sizeof(noise); i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		noise[i] = (char)(state >> 24);
	}
	sin_write(STDOUT_FILENO, noise, sizeof(noise));
	sin_sleep_for_ever();
}

static enum sin_course
say_endless_line(struct sinner *sinner)
{
	(void)sinner;
	sin_flood(STDOUT_FILENO, "x", 1);
	sin_sleep_for_ever();
}

/* Its answer stays in a buffer until its input ends. */
static enum sin_course
never_flush(struct sinner *sinner)
{
	char line[SIN_LINE_SIZE];

	(void)sinner;
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	while (fgets(line, sizeof(line), stdin) != NULL)
		if (strncmp(line, "usp ", 4) == 0)
			fputs("id name=sin\nuspok 1\n", stdout);
	exit(0);
}

/* It reads all that there will ever be, and then answers. */
static enum sin_course
read_to_the_end(struct sinner *sinner)
{
	char bytes[SIN_LINE_SIZE];

	(void)sinner;
	while (read(STDIN_FILENO, bytes, sizeof(bytes)) > 0)
		;
	sin_say_text(sinner, "id name=sin\nuspok 1\nreadyok\n", 28);
	_exit(0);
}

const struct sin sins_of_handshake[] = {
	{ "F009", "exits", SIN_AT_START, .commit = sin_exit_well },
	{ "F009", "exits-3", SIN_AT_START, .commit = sin_exit_badly },
	{ "F010", "crashes", SIN_AT_START, .commit = crash },
	{ "F011", "mute", SIN_AT_START, .commit = sin_sleep_on },
	{ "F012", "spins", SIN_AT_START, .commit = sin_spin_on },
	{ "F013", "deaf", SIN_AT_START, .commit = stay_deaf },
	/* Without having read a word it claims to be ready. */
	{ "F013", "deaf-guest", SIN_AT_START,
	    SIN_TEXT("id name=sin\noption name=big type=string\nuspok 1\n"),
	    .commit = stay_deaf },
	{ "F014", "closes-all", SIN_AT_START, .commit = close_all },
	{ "F015", "babbles", SIN_AT_START, .commit = babble },
	{ "F016", "noise", SIN_AT_START, .commit = say_noise },
	{ "F016", "half-line", SIN_AT_START, SIN_TEXT("id name=si"),
	    .commit = sin_sleep_on },
	{ "F016", "endless-hello", SIN_AT_START, .commit = say_endless_line },
	{ "F017", "hello-twice", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok 1\nid name=sin\nuspok 1\n") },
	{ "F017", "ready-twice", SIN_AT_READY, SIN_HONESTLY,
	    SIN_TEXT("readyok\n") },
	{ "F018", "newer", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok 2\n") },
	{ "F018", "flies", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nfeature flies=1\nuspok 1\n") },
	{ "F018", "peeks", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nfeature analysis=1\nuspok 1\n") },
	{ "F018", "peeks-late", SIN_AT_TURN, SIN_HONESTLY,
	    SIN_TEXT("feature analysis=1\n") },
	{ "F019", "unflushed", SIN_AT_START, .commit = never_flush },
	{ "F020", "reads-to-the-end", SIN_AT_START, .commit = read_to_the_end },
	/* Numbers that are none in the only line of a bot that has one. */
	{ "F033", "huge-version", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok 18446744073709551617\n") },
	{ "F033", "hex-version", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok 0x1\n") },
	{ "F033", "padded-version", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok 01\n") },
	{ "F033", "negative-version", SIN_AT_HELLO, SIN_SILENTLY,
	    SIN_TEXT("id name=sin\nuspok -1\n") },
};

const size_t sins_of_handshake_count = SIN_COUNTOF(sins_of_handshake);
