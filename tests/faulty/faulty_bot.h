/*
 * A bot that plays its first legal move, and commits one misbehaviour at a
 * given moment.
 */
#ifndef FAULTY_BOT_H
#define FAULTY_BOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULTY_COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum {
	FAULTY_WORD_SIZE = 128,
	FAULTY_LINE_SIZE = 8192,
	FAULTY_CARDS_SIZE = 96,
	FAULTY_DRIP_MS = 50 /* between two bytes of a slow reader or writer */
};

/* The moment of a misbehaviour, and what it replaces. */
enum faulty_moment {
	FAULTY_AT_START, /* before the bot reads anything */
	FAULTY_AT_HELLO, /* at `usp`: replaces the handshake */
	FAULTY_AT_READY, /* at `isready`: replaces `readyok` */
	FAULTY_AT_TURN,  /* at the first `go`: replaces the answer */
	FAULTY_AT_SECOND_TURN,
	FAULTY_AT_MOVED, /* after the first answer: replaces nothing */
	FAULTY_AT_QUIT   /* at `quit`: replaces the end */
};

/* What the bot knows at this moment. */
struct faulty_bot {
	const char *word; /* word of the command line, or empty */
	bool always;      /* misbehaves at each turn, not only at the first */
	char move[FAULTY_WORD_SIZE];   /* first legal move */
	char turn[FAULTY_WORD_SIZE];   /* `turn=ID` of the open decision */
	char last[FAULTY_WORD_SIZE];   /* last move of another seat */
	char hand[FAULTY_CARDS_SIZE];  /* hand in the `state` line */
	char table[FAULTY_CARDS_SIZE]; /* table in the `state` line */
	int turn_count;                /* questions to the bot in this match */
};

/* What the bot does after a misbehaviour. */
enum faulty_course {
	FAULTY_HONESTLY, /* what an honest bot sends at this moment */
	FAULTY_SILENTLY, /* nothing: continues to read */
	FAULTY_SLEEPS,   /* sleeps for ever */
	FAULTY_SPINS,    /* computes for ever */
	FAULTY_EXITS     /* exits with its status */
};

/*
 * A misbehaviour writes a text, closes descriptors, sends a signal, and calls a
 * function, each of them if given; then its course follows.  In a text that is
 * written once `$m` stands for the honest move and `$t` for `turn=ID`.
 */
struct misbehaviour {
	const char *id; /* id in tests/faulty/faults.tsv */
	const char *name;
	enum faulty_moment moment;
	enum faulty_course course; /* ignored if there is a function */
	const char *text;          /* or NULL */
	size_t text_size;          /* the text may contain NUL */
	bool flood;                /* writes the text without end */
	bool to_stderr;
	bool closes[3]; /* stdin, stdout, stderr */
	int signal;     /* signal that the bot sends itself, or 0 */
	int status;     /* exit status */
	enum faulty_course (*commit)(struct faulty_bot *bot);
};

/* A text with its size. */
#define FAULTY_TEXT(bytes) .text = (bytes), .text_size = sizeof(bytes) - 1

/* Rows of misbehaviours: with a course, or with a function. */
#define FAULTY_ROW(id_, name_, moment_, course_) \
	.id = id_, .name = name_, .moment = moment_, .course = course_
#define FAULTY_AT(id_, name_, moment_, action)                                \
	{                                                                     \
		.id = id_, .name = name_, .moment = moment_, .commit = action \
	}
#define FAULTY_TURN(id_, name_, action) \
	FAULTY_AT(id_, name_, FAULTY_AT_TURN, action)

/* With a text that is written once, or without end. */
#define FAULTY_SAYS(id_, name_, moment_, course_, bytes)                     \
	{                                                                    \
		FAULTY_ROW(id_, name_, moment_, course_), FAULTY_TEXT(bytes) \
	}
#define FAULTY_FLOODS(id_, name_, moment_, course_, bytes)                    \
	{                                                                     \
		FAULTY_ROW(id_, name_, moment_, course_), FAULTY_TEXT(bytes), \
		    .flood = true                                             \
	}

/* FAULTY_ACTION(name) { ... } defines the function of a row. */
#define FAULTY_ACTION(name)             \
	static enum faulty_course name( \
	    struct faulty_bot *bot __attribute__((unused)))

/* The misbehaviours by their subjects; each table ends with an empty row. */
extern const struct misbehaviour misbehaviours_of_handshake[];
extern const struct misbehaviour misbehaviours_of_lines[];
extern const struct misbehaviour misbehaviours_of_death[];
extern const struct misbehaviour misbehaviours_of_time[];
extern const struct misbehaviour misbehaviours_of_resources[];
extern const struct misbehaviour misbehaviours_of_trees[];

/* Writes all bytes to a descriptor; false if there is no reader. */
bool faulty_write(int fd, const char *bytes, size_t size);
void faulty_say(const char *text);
/* Makes the line `move MOVE turn=ID` of the open decision; returns its length. */
int faulty_answer_line(
    const struct faulty_bot *bot, char line[FAULTY_LINE_SIZE]);
/* Writes this line. */
void faulty_answer(const struct faulty_bot *bot);

void faulty_sleep_ms(int ms);
_Noreturn void faulty_sleep_for_ever(void);
_Noreturn void faulty_spin_for_ever(void);

/*
 * The process that started this bot, above the launchers of the sandbox: the
 * arena, or one of its workers; 0 if it cannot be seen.
 */
int faulty_arena(void);
/* Writes the memory, children and descriptors of the arena. */
void faulty_describe_arena(int fd);

#endif
