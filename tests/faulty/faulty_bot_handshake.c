/*
 * Misbehaviours before the first game: a bot that does not get ready.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faulty_bot.h"

enum { PAGE = 4096, RANDOM_SIZE = 32 * 1024 };

/* Never reads from the smallest possible pipe, which is soon full. */
FAULTY_ACTION(stay_deaf)
{
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PAGE);
	faulty_sleep_for_ever();
}

/* Writes bytes of all values, the same in each run. */
FAULTY_ACTION(say_noise)
{
	static char noise[RANDOM_SIZE];
	uint32_t state = 2463534242;

	for (size_t i = 0; i < sizeof(noise); i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		noise[i] = (char)(state >> 24);
	}
	faulty_write(STDOUT_FILENO, noise, sizeof(noise));
	faulty_sleep_for_ever();
}

/* The answer is not flushed until the input ends. */
FAULTY_ACTION(never_flush)
{
	char line[FAULTY_LINE_SIZE];

	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	while (fgets(line, sizeof(line), stdin) != NULL)
		if (strncmp(line, "usp ", 4) == 0)
			fputs("id name=bad\nuspok 1\n", stdout);
	exit(0);
}

/* Reads to the end of the input, and then answers. */
FAULTY_ACTION(read_to_the_end)
{
	char bytes[FAULTY_LINE_SIZE];

	while (read(STDIN_FILENO, bytes, sizeof(bytes)) > 0)
		;
	faulty_say("id name=bad\nuspok 1\nreadyok\n");
	_exit(0);
}

/* Sends these lines instead of its answer to `usp`, and continues to read. */
#define HELLO_ROW(id, name, lines) \
	FAULTY_SAYS(id, name, FAULTY_AT_HELLO, FAULTY_SILENTLY, lines)

const struct misbehaviour misbehaviours_of_handshake[] = {
	{ FAULTY_ROW("F009", "exits", FAULTY_AT_START, FAULTY_EXITS) },
	{ FAULTY_ROW("F009", "exits-3", FAULTY_AT_START, FAULTY_EXITS),
	    .status = 3 },
	{ FAULTY_ROW("F009", "wails", FAULTY_AT_START, FAULTY_EXITS),
	    FAULTY_TEXT("a line of the traceback\n"), .to_stderr = true,
	    .status = 3 },
	{ FAULTY_ROW("F010", "crashes", FAULTY_AT_START, FAULTY_SILENTLY),
	    .signal = SIGSEGV },
	{ FAULTY_ROW("F011", "mute", FAULTY_AT_START, FAULTY_SLEEPS) },
	{ FAULTY_ROW("F012", "spins", FAULTY_AT_START, FAULTY_SPINS) },
	FAULTY_AT("F013", "deaf", FAULTY_AT_START, stay_deaf),
	{ FAULTY_ROW("F014", "closes-all", FAULTY_AT_START, FAULTY_SLEEPS),
	    .closes = { true, true, true } },
	FAULTY_FLOODS(
	    "F015", "babbles", FAULTY_AT_START, FAULTY_SLEEPS, "babble\n"),
	FAULTY_AT("F016", "noise", FAULTY_AT_START, say_noise),
	FAULTY_SAYS(
	    "F016", "half-line", FAULTY_AT_START, FAULTY_SLEEPS, "id name=si"),
	FAULTY_FLOODS(
	    "F016", "endless-hello", FAULTY_AT_START, FAULTY_SLEEPS, "x"),
	HELLO_ROW("F017", "hello-twice",
	    "id name=bad\nuspok 1\nid name=bad\nuspok 1\n"),
	FAULTY_SAYS("F017", "ready-twice", FAULTY_AT_READY, FAULTY_HONESTLY,
	    "readyok\n"),
	HELLO_ROW("F018", "newer", "id name=bad\nuspok 2\n"),
	HELLO_ROW("F018", "flies", "id name=bad\nfeature flies=1\nuspok 1\n"),
	HELLO_ROW(
	    "F018", "peeks", "id name=bad\nfeature analysis=1\nuspok 1\n"),
	FAULTY_SAYS("F018", "peeks-late", FAULTY_AT_TURN, FAULTY_HONESTLY,
	    "feature analysis=1\n"),
	FAULTY_AT("F019", "unflushed", FAULTY_AT_START, never_flush),
	FAULTY_AT("F020", "reads-to-the-end", FAULTY_AT_START, read_to_the_end),
	/* Invalid numbers in `uspok`, the only line of a bot with a number. */
	HELLO_ROW("F033", "huge-version",
	    "id name=bad\nuspok 18446744073709551617\n"),
	HELLO_ROW("F033", "hex-version", "id name=bad\nuspok 0x1\n"),
	HELLO_ROW("F033", "padded-version", "id name=bad\nuspok 01\n"),
	HELLO_ROW("F033", "negative-version", "id name=bad\nuspok -1\n"),
	{ .id = NULL },
};
