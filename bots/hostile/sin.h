/*
 * A bot that plays honestly, by its first legal move, until its moment has come,
 * and then commits one sin.
 */
#ifndef SIN_H
#define SIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIN_COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum {
	SIN_WORD_SIZE = 128,
	SIN_LINE_SIZE = 8192,
	SIN_CARDS_SIZE = 96,
	SIN_DRIP_MS = 50 /* between two bytes of who is slow */
};

/* When a sin is committed, and what it is committed in place of. */
enum sin_moment {
	SIN_AT_START, /* before anything is read */
	SIN_AT_HELLO, /* `usp` has come: the handshake */
	SIN_AT_READY, /* `isready` has come: `readyok` */
	SIN_AT_TURN,  /* the first `go`: the answer */
	SIN_AT_TURNS, /* each `go` */
	SIN_AT_SECOND_TURN,
	SIN_AT_MOVED, /* right behind the first answer: nothing */
	SIN_AT_QUIT   /* `quit` has come: the end */
};

/* What the sinner knows at its moment. */
struct sinner {
	const char *word;           /* of its command line, or empty */
	char move[SIN_WORD_SIZE];   /* the first legal one */
	char turn[SIN_WORD_SIZE];   /* `turn=ID` of the open decision */
	char last[SIN_WORD_SIZE];   /* what somebody else played last */
	char hand[SIN_CARDS_SIZE];  /* of `state`.. */
	char table[SIN_CARDS_SIZE]; /* ..likewise */
	int turn_count; /* decisions that it was asked for in this match */
};

/* What follows upon a sin. */
enum sin_course {
	SIN_HONESTLY, /* what an honest bot says at this moment */
	SIN_SILENTLY  /* nothing: it reads on */
};

/*
 * A sin is a text, or a function, or a text and then a function.  In a text
 * `$m` stands for the honest move and `$t` for `turn=ID`.
 */
struct sin {
	const char *id; /* of tests/faulty/faults.tsv */
	const char *name;
	enum sin_moment moment;
	enum sin_course course; /* behind a text alone */
	const char *text;       /* or NULL */
	size_t text_size;       /* it may hold NUL */
	enum sin_course (*commit)(struct sinner *sinner);
};

/* A text with its size. */
#define SIN_TEXT(bytes) .text = (bytes), .text_size = sizeof(bytes) - 1

/* The row of a sin that is committed in place of a move. */
#define SIN_TURN(id_, name_, deed)                               \
	{                                                        \
		.id = id_, .name = name_, .moment = SIN_AT_TURN, \
		.commit = deed                                   \
	}

/* The sins, by groups of tests/faulty/faults.tsv. */
extern const struct sin sins_of_handshake[];
extern const struct sin sins_of_lines[];
extern const struct sin sins_of_death[];
extern const struct sin sins_of_time[];
extern const struct sin sins_of_resources[];
extern const struct sin sins_of_trees[];
extern const size_t sins_of_handshake_count;
extern const size_t sins_of_lines_count;
extern const size_t sins_of_death_count;
extern const size_t sins_of_time_count;
extern const size_t sins_of_resources_count;
extern const size_t sins_of_trees_count;

/* Writes all of it to a descriptor; false once nobody reads there. */
bool sin_write(int fd, const char *bytes, size_t size);
/* Writes a text of a table with its `$m` and `$t`. */
void sin_say_text(const struct sinner *sinner, const char *text, size_t size);
/* Writes `move MOVE turn=ID` of the open decision. */
void sin_answer(const struct sinner *sinner);
/* Writes this over and over; comes back when nobody reads any more. */
void sin_flood(int fd, const char *bytes, size_t size);
/* Writes the bytes one by one with so many milliseconds before each. */
void sin_drip(const char *bytes, size_t size, int wait_ms);

/* Deeds of several groups: the bot ends, with status 0 or 3, or never. */
enum sin_course sin_exit_well(struct sinner *sinner);
enum sin_course sin_exit_badly(struct sinner *sinner);
enum sin_course sin_sleep_on(struct sinner *sinner);
enum sin_course sin_spin_on(struct sinner *sinner);

void sin_sleep_ms(int ms);
_Noreturn void sin_sleep_for_ever(void);
_Noreturn void sin_spin_for_ever(void);

/*
 * The process that started this bot, over any launchers of walls: the arena, or
 * one of its workers; 0 where it cannot be seen.
 */
int sin_arena(void);
/* Writes what the arena has grown to, and what it holds, for a witness. */
void sin_describe_arena(int fd);

#endif
