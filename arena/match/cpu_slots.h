/*
 * Who may think: bots of many matches are asked by turns.
 *
 * The clock of a bot runs from its question on.  Of thirty that are asked at
 * once on one core each would pay for what all others compute, and be late by
 * no fault of its own.  So there are places, about one a core, and a match has
 * one from when its bot is asked until it has answered.  Who finds none free
 * waits in line: the question is not asked yet, and no clock runs.
 *
 * Bots that answer so fast that all of them together take a small part of
 * anyone's time need no place, where the owner allows that: to ask them one by
 * one would only cost time.
 *
 * Of these, too, only some matches are asked at a time, and for many answers,
 * before others are: what a match and its bots need of memory then stays in the
 * processor's cache.  Of five hundred that are asked in a circle everything has
 * left the cache when it is needed again, and a move takes twice the time.  A
 * match that has not asked again for a while, as its bot thinks after all,
 * makes room for the next one.
 */
#ifndef CPU_SLOTS_H
#define CPU_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include <bsd/sys/queue.h>

#include "loop.h"

/* What a bot takes that has not answered yet. */
#define CPU_SLOT_UNKNOWN INT64_MAX

enum cpu_slot_state {
	CPU_SLOT_AWAY,    /* asks for nothing */
	CPU_SLOT_WAITING, /* stands in line */
	CPU_SLOT_HELD,    /* has a place */
	CPU_SLOT_EXEMPT   /* thinks without one, as it is fast */
};

enum {
	CPU_SLOTS_GROUP = 32, /* matches of fast bots that are asked.. */
	CPU_SLOTS_TURN = 128, /* ..for so many answers each.. */
	CPU_SLOTS_IDLE_MS = 2 /* ..but not without any for so long or twice */
};

/* A match; zeroed but for on_place and context. */
struct cpu_slot_user {
	/* Whose turn it was to wait has a place now. */
	void (*on_slot)(struct cpu_slot_user *user);
	void *context;
	enum cpu_slot_state state;
	int company; /* how many thought when it began, itself included */
	TAILQ_ENTRY(cpu_slot_user) link; /* in a line */
	bool light;                      /* that of the fast ones */
	TAILQ_ENTRY(cpu_slot_user) group_link;
	bool grouped; /* it is of the group.. */
	bool asked;   /* ..and was asked since the last look.. */
	int answers;  /* ..and will be for so many more */
};

/* The places of one loop. */
struct cpu_slots {
	struct loop *loop;
	int slot_max;
	int64_t light_ns; /* a bot that takes less needs no place; 0: all do */
	int held_count, exempt_count;
	TAILQ_HEAD(cpu_slot_queue, cpu_slot_user) queue;
	struct loop_deadline grant;
	int group_count;
	struct cpu_slot_queue group, light_queue;
	struct loop_deadline look; /* while somebody waits for the group */
};

/*
 * So many places, at least one.  0 or -errno.  on_place is called from the
 * loop, behind what else a round has brought: who has a place has the core.
 */
int cpu_slots_open(
    struct cpu_slots *slots, struct loop *loop, int slot_max, int64_t light_ns);

/* Nobody may be there.  Zeroed ones are allowed. */
void cpu_slots_close(struct cpu_slots *slots);

/*
 * A match wants to ask a bot that takes `work_ns` of its own for an answer.
 * Whether it may, at once; else it waits in line, and on_place follows.  One
 * that may already, may.
 */
bool cpu_slots_enter(
    struct cpu_slots *slots, struct cpu_slot_user *user, int64_t work_ns);

/* The match needs no place any more, or does not want to wait.  Always allowed. */
void cpu_slots_leave(struct cpu_slots *slots, struct cpu_slot_user *user);

/* The same, and it leaves the group: its game is over. */
void cpu_slots_quit(struct cpu_slots *slots, struct cpu_slot_user *user);

/*
 * What an answer that took `used_ns` tells of a bot's own work, as far as those
 * who thought with it had their part of the core, and what was known before:
 * the longest of late, which is forgotten by and by.
 */
int64_t cpu_slot_work_ns(
    const struct cpu_slot_user *user, int64_t work_ns, int64_t used_ns);

#endif
