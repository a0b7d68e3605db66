/*
 * Misbehaviours of lines: what a bot sends instead of its answer, or with it.
 */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "faulty_bot.h"

enum {
	LINE_MAX_SIZE = 4096, /* longest line that a bot may send */
	GIGABYTE = 1 << 30,
	CHATTER_MS = 25,
	THREADS = 4
};

/* Sends a line of `size` bytes, without its LF, that begins like an answer. */
static enum faulty_course
say_long(size_t size)
{
	static char block[65536] = "move ";
	size_t piece;

	memset(block + 5, 'x', sizeof(block) - 5);
	for (; size > 0; size -= piece) {
		piece = size < sizeof(block) ? size : sizeof(block);
		if (!faulty_write(STDOUT_FILENO, block, piece))
			return FAULTY_SILENTLY;
	}
	faulty_write(STDOUT_FILENO, "\n", 1);
	return FAULTY_SILENTLY;
}

FAULTY_ACTION(say_gigabyte)
{
	return say_long(GIGABYTE);
}

FAULTY_ACTION(say_longest)
{
	return say_long(LINE_MAX_SIZE);
}

FAULTY_ACTION(say_too_long)
{
	return say_long(LINE_MAX_SIZE + 1);
}

/* Writes too few bytes for a flood, but without end. */
FAULTY_ACTION(chatter)
{
	while (faulty_write(STDOUT_FILENO, "# well\n", 7))
		faulty_sleep_ms(CHATTER_MS);
	return FAULTY_SILENTLY;
}

/*
 * Plays the first card of the pack that is neither in its hand nor on the
 * table.
 */
FAULTY_ACTION(play_hidden_card)
{
	static const char ranks[] = "A234567JQK", suits[] = "DCSB";
	char card[] = "??";

	for (int i = 0; i < 40; i++) {
		size_t at = 0;

		card[0] = ranks[i / 4];
		card[1] = suits[i % 4];
		while (bot->hand[at] != '\0' &&
		    strncmp(bot->hand + at, card, 2) != 0)
			at += 2;
		if (bot->hand[at] == '\0' && strstr(bot->table, card) == NULL)
			break;
	}
	snprintf(bot->move, sizeof(bot->move), "%s", card);
	return FAULTY_HONESTLY;
}

/* Plays the card that another seat has just played. */
FAULTY_ACTION(play_played_card)
{
	snprintf(bot->move, sizeof(bot->move), "%.2s", bot->last);
	return FAULTY_HONESTLY;
}

/* Plays the move that is given on its command line. */
FAULTY_ACTION(play_word)
{
	snprintf(bot->move, sizeof(bot->move), "%s", bot->word);
	return FAULTY_HONESTLY;
}

/*
 * Answers when the arena sends the next line, which it does only after it has
 * moved for the bot, even if the time of the turn starts again.
 */
FAULTY_ACTION(answer_late)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	while (poll(&input, 1, -1) < 0)
		;
	return FAULTY_HONESTLY;
}

FAULTY_ACTION(answer_byte_by_byte)
{
	char line[FAULTY_LINE_SIZE];
	int length = faulty_answer_line(bot, line);

	for (int i = 0; i < length; i++)
		faulty_write(STDOUT_FILENO, line + i, 1);
	return FAULTY_SILENTLY;
}

/* Writes a word that never ends. */
FAULTY_ACTION(drip_for_ever)
{
	while (faulty_write(STDOUT_FILENO, "7", 1))
		faulty_sleep_ms(FAULTY_DRIP_MS);
	return FAULTY_SILENTLY;
}

static void *
answer_in_a_thread(void *context)
{
	const struct faulty_bot *bot = context;
	char line[FAULTY_LINE_SIZE];
	int length = faulty_answer_line(bot, line);

	for (int i = 0; i < length; i += 3)
		faulty_write(STDOUT_FILENO, line + i,
		    (size_t)(length - i < 3 ? length - i : 3));
	return NULL;
}

FAULTY_ACTION(answer_in_threads)
{
	pthread_t threads[THREADS];
	int count = 0;

	while (count < THREADS &&
	    pthread_create(&threads[count], NULL, answer_in_a_thread, bot) == 0)
		count++;
	while (count > 0)
		pthread_join(threads[--count], NULL);
	return FAULTY_SILENTLY;
}

/* Text instead of the first answer; before it; without end instead of it. */
#define LINE_ROW(id, name, bytes) \
	FAULTY_SAYS(id, name, FAULTY_AT_TURN, FAULTY_SILENTLY, bytes)
#define CHAT_ROW(id, name, bytes) \
	FAULTY_SAYS(id, name, FAULTY_AT_TURN, FAULTY_HONESTLY, bytes)
#define FLOOD_ROW(id, name, bytes) \
	FAULTY_FLOODS(id, name, FAULTY_AT_TURN, FAULTY_SILENTLY, bytes)

const struct misbehaviour misbehaviours_of_lines[] = {
	FLOOD_ROW("F021", "endless-line", "x"),
	FAULTY_TURN("F022", "gigabyte-line", say_gigabyte),
	FAULTY_TURN("F023", "longest-line", say_longest),
	FAULTY_TURN("F023", "too-long-line", say_too_long),
	FLOOD_ROW("F024", "short-lines", "x\n"),
	LINE_ROW("F025", "nul-inside", "mo\0ve $m $t\n"),
	LINE_ROW("F025", "nul-behind", "move $m $t\0\n"),
	LINE_ROW("F026", "crlf", "move $m $t\r\n"),
	LINE_ROW("F026", "cr-alone", "move $m $t\r"),
	LINE_ROW("F026", "cr-inside", "move $m\r $t\n"),
	LINE_ROW("F026", "two-crs", "move $m $t\r\r\n"),
	LINE_ROW("F027", "broken-utf8", "move $m $t # \303\050\n"),
	LINE_ROW("F027", "byte-order-mark", "\357\273\277move $m $t\n"),
	LINE_ROW("F027", "utf16",
	    "m\0o\0v\0e\0 \0"
	    "7\0D\0\n\0"),
	LINE_ROW("F027", "real-utf8", "move $m $t # caf\303\251\n"),
	LINE_ROW("F028", "escapes", "\033]0;owned\007\033[2J\033[31mmove\n"),
	LINE_ROW("F029", "blanks", " \t move  \t$m\t $t  \n"),
	LINE_ROW("F029", "more-words", "move $m $t please\n"),
	LINE_ROW("F029", "upper-verb", "MOVE $m $t\n"),
	LINE_ROW("F029", "lower-card", "move 7d $t\n"),
	LINE_ROW("F029", "spaced-move", "move 7Dx 3C4S $t\n"),
	CHAT_ROW("F030", "empty-line", "\n \t\n"),
	FLOOD_ROW("F030", "blank-lines", "\n"),
	CHAT_ROW("F031", "chats", "# so\nDEBUG: 12 nodes\ninfo value=0.5\n"),
	FLOOD_ROW("F031", "comments", "# thinking\n"),
	FAULTY_TURN("F031", "chatters", chatter),
	LINE_ROW("F032", "format-text", "move %s%n%x%999999d $t\n"),
	LINE_ROW("F032", "sql-text", "move ');DROP/**/TABLE/**/game;-- $t\n"),
	LINE_ROW("F032", "shell-text", "move $(touch${IFS}owned);`id` $t\n"),
	LINE_ROW("F033", "huge-number", "move 99999999999999999999D $t\n"),
	LINE_ROW("F033", "negative-number", "move -7D $t\n"),
	LINE_ROW("F033", "hex-number", "move 0x7D $t\n"),
	LINE_ROW("F033", "padded-number", "move 07D $t\n"),
	LINE_ROW("F034", "illegal-twice", "move 7Dx7C7C $t\n"),
	FAULTY_TURN("F034", "plays", play_word),
	FAULTY_TURN("F035", "hidden-card", play_hidden_card),
	FAULTY_AT(
	    "F035", "played-card", FAULTY_AT_SECOND_TURN, play_played_card),
	FAULTY_TURN("F036", "captures", play_word),
	CHAT_ROW("F037", "answers-twice", "move $m $t\n"),
	CHAT_ROW("F037", "answers-twice-blindly", "move $m\n"),
	CHAT_ROW("F038", "foresees", "move $m turn=0123456789abcdef\n"),
	LINE_ROW("F038", "wrong-id", "move $m turn=0123456789abcdef\n"),
	FAULTY_SAYS("F038", "answers-unasked", FAULTY_AT_READY, FAULTY_HONESTLY,
	    "readyok\nmove 7D\nmove 7D turn=0123456789abcdef\n"),
	FAULTY_TURN("F039", "late", answer_late),
	CHAT_ROW("F040", "handshake-again",
	    "usp 1\nid name=other\nuspok 1\nreadyok\n"),
	CHAT_ROW("F040", "plays-the-arena",
	    "play 2 7D\nillegal 7D\nendmatch m1 winner=A\nquit\n"),
	FAULTY_TURN("F041", "byte-by-byte", answer_byte_by_byte),
	FAULTY_TURN("F042", "drips", drip_for_ever),
	LINE_ROW("F043", "half-a-move", "move $m"),
	FAULTY_TURN("F045", "threads", answer_in_threads),
	{ .id = NULL },
};
