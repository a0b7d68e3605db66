/*
 * A bot that plays honestly, by its first legal move, until its moment has
 * come, and then commits one misbehaviour.
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
	FAULTY_DRIP_MS = 50 /* between two bytes of who is slow */
};

/* When a misbehaviour is committed, and what it is committed in place of. */
enum faulty_moment {
	FAULTY_AT_START, /* before anything is read */
	FAULTY_AT_HELLO, /* `usp` has come: the handshake */
	FAULTY_AT_READY, /* `isready` has come: `readyok` */
	FAULTY_AT_TURN,  /* the first `go`: the answer */
	FAULTY_AT_TURNS, /* each `go` */
	FAULTY_AT_SECOND_TURN,
	FAULTY_AT_MOVED, /* right behind the first answer: nothing */
	FAULTY_AT_QUIT   /* `quit` has come: the end */
};

/* What the bot knows at its moment. */
struct faulty_bot {
	const char *word;             /* of its command line, or empty */
	bool always;                  /* at each turn, not at the first alone */
	char move[FAULTY_WORD_SIZE];  /* the first legal one */
	char turn[FAULTY_WORD_SIZE];  /* `turn=ID` of the open decision */
	char last[FAULTY_WORD_SIZE];  /* what somebody else played last */
	char hand[FAULTY_CARDS_SIZE]; /* of `state`.. */
	char table[FAULTY_CARDS_SIZE]; /* ..likewise */
	int turn_count; /* decisions that it was asked for in this match */
};

/* What follows upon a misbehaviour. */
enum faulty_course {
	FAULTY_HONESTLY, /* what an honest bot says at this moment */
	FAULTY_SILENTLY, /* nothing: it reads on */
	FAULTY_SLEEPS,   /* for ever */
	FAULTY_SPINS,    /* it computes for ever */
	FAULTY_EXITS     /* with its status */
};

/*
 * A misbehaviour is a text, then descriptors that are closed, a signal, and a
 * function, each if there is one; then its course.  In a text that is said once
 * `$m` stands for the honest move and `$t` for `turn=ID`.
 */
struct misbehaviour {
	const char *id; /* of tests/faulty/faults.tsv */
	const char *name;
	enum faulty_moment moment;
	enum faulty_course course; /* unless there is a function */
	const char *text;          /* or NULL */
	size_t text_size;          /* it may hold NUL */
	bool flood;                /* the text over and over */
	bool to_stderr;
	bool closes[3]; /* stdin, stdout, stderr */
	int signal;     /* that it sends itself, or 0 */
	int status;     /* of an exit */
	enum faulty_course (*commit)(struct faulty_bot *bot);
};

/* A text with its size. */
#define FAULTY_TEXT(bytes) .text = (bytes), .text_size = sizeof(bytes) - 1

/* Rows of misbehaviours: by what they come to, and by a function. */
#define FAULTY_ROW(id_, name_, moment_, course_) \
	.id = id_, .name = name_, .moment = moment_, .course = course_
#define FAULTY_AT(id_, name_, moment_, action)                                \
	{                                                                     \
		.id = id_, .name = name_, .moment = moment_, .commit = action \
	}
#define FAULTY_TURN(id_, name_, action) \
	FAULTY_AT(id_, name_, FAULTY_AT_TURN, action)

/* By a text that it says once, and by one that it says over and over. */
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

/* Writes all of it to a descriptor; false once nobody reads there. */
bool faulty_write(int fd, const char *bytes, size_t size);
/* Writes a text of a table with its `$m` and `$t`. */
void faulty_say_text(
    const struct faulty_bot *bot, const char *text, size_t size);
/* Writes `move MOVE turn=ID` of the open decision. */
void faulty_answer(const struct faulty_bot *bot);
/* Writes the bytes one by one with so many milliseconds before each. */
void faulty_drip(const char *bytes, size_t size, int wait_ms);

void faulty_sleep_ms(int ms);
_Noreturn void faulty_sleep_for_ever(void);
_Noreturn void faulty_spin_for_ever(void);

/*
 * The process that started this bot, over any launchers of the sandbox: the
 * arena, or one of its workers; 0 where it cannot be seen.
 */
int faulty_arena(void);
/* Writes what the arena has grown to, and what it holds, for a witness. */
void faulty_describe_arena(int fd);

#endif
