/*
 * Who may think: bots of many tables are asked by turns.
 *
 * The clock of a bot runs from its question on.  Of thirty that are asked at
 * once on one core each would pay for what all others compute, and be late by
 * no fault of its own.  So there are places, about one a core, and a table has
 * one from when its bot is asked until it has answered.  Who finds none free
 * waits in line: the question is not asked yet, and no clock runs.
 *
 * Bots that answer so fast that all of them together take a small part of
 * anyone's time need no place, where the owner allows that: to ask them one by
 * one would only cost time.
 *
 * Of these, too, only some tables are asked at a time, and for many answers,
 * before others are: what a table and its bots need of memory then stays in the
 * processor's cache.  Of five hundred that are asked in a circle everything has
 * left the cache when it is needed again, and a move takes twice the time.  A
 * table that has not asked again for a while, as its bot thinks after all,
 * makes room for the next one.
 */
#ifndef CPU_SLOTS_H
#define CPU_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include <bsd/sys/queue.h>

#include "loop.h"

/* What a bot takes that has not answered yet. */
#define THINKER_UNKNOWN INT64_MAX

enum thinker_state {
	THINKER_AWAY,    /* asks for nothing */
	THINKER_WAITING, /* stands in line */
	THINKER_SEATED,  /* has a place */
	THINKER_PASSING  /* thinks without one, as it is fast */
};

enum {
	THINKERS_GROUP = 32, /* tables of fast bots that are asked.. */
	THINKERS_TURN = 128, /* ..for so many answers each.. */
	THINKERS_IDLE_MS = 2 /* ..but not without any for so long or twice */
};

/* A table; zeroed but for on_place and context. */
struct thinker {
	/* Whose turn it was to wait has a place now. */
	void (*on_place)(struct thinker *thinker);
	void *context;
	enum thinker_state state;
	int company; /* how many thought when it began, itself included */
	TAILQ_ENTRY(thinker) link; /* in a line */
	bool light;                /* that of the fast ones */
	TAILQ_ENTRY(thinker) group_link;
	bool grouped; /* it is of the group.. */
	bool asked;   /* ..and was asked since the last look.. */
	int answers;  /* ..and will be for so many more */
};

/* The places of one loop. */
struct thinkers {
	struct loop *loop;
	int place_max;
	int64_t light_ns; /* a bot that takes less needs no place; 0: all do */
	int seated_count, passing_count;
	TAILQ_HEAD(thinker_line, thinker) line;
	struct loop_deadline grant;
	int group_count;
	struct thinker_line group, light_line;
	struct loop_deadline look; /* while somebody waits for the group */
};

/*
 * So many places, at least one.  0 or -errno.  on_place is called from the
 * loop, behind what else a round has brought: who has a place has the core.
 */
int thinkers_open(struct thinkers *thinkers, struct loop *loop, int place_max,
    int64_t light_ns);

/* Nobody may be there.  Zeroed ones are allowed. */
void thinkers_close(struct thinkers *thinkers);

/*
 * A table wants to ask a bot that takes `work_ns` of its own for an answer.
 * Whether it may, at once; else it waits in line, and on_place follows.  One
 * that may already, may.
 */
bool thinkers_enter(
    struct thinkers *thinkers, struct thinker *thinker, int64_t work_ns);

/* The table needs no place any more, or does not want to wait.  Always allowed. */
void thinkers_leave(struct thinkers *thinkers, struct thinker *thinker);

/* The same, and it leaves the group: its game is over. */
void thinkers_quit(struct thinkers *thinkers, struct thinker *thinker);

/*
 * What an answer that took `used_ns` tells of a bot's own work, as far as those
 * who thought with it had their part of the core, and what was known before:
 * the longest of late, which is forgotten by and by.
 */
int64_t thinker_work_ns(
    const struct thinker *thinker, int64_t work_ns, int64_t used_ns);

#endif
