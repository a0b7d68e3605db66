/*
 * CPU slots: the bots of many matches on one core think by turns.
 *
 * The clock of a bot runs from its question on.  Of thirty that are asked at
 * once on one core each would pay for what all others compute, and be late by
 * no fault of its own.  So there are slots, about one a core, and a match holds
 * one from when its bot is asked until it has answered.  A match that finds none
 * free waits in a queue: the question is not sent yet, and no clock runs.
 *
 * Bots that answer so fast that all of them together take a small part of
 * the time of each need no slot, where the owner allows that: to ask them one by
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
	CPU_SLOT_AWAY,    /* asks for no slot */
	CPU_SLOT_WAITING, /* is in a queue */
	CPU_SLOT_HELD,    /* has a slot */
	CPU_SLOT_EXEMPT   /* thinks without one, as it is fast */
};

enum {
	CPU_SLOTS_GROUP = 32, /* matches of fast bots that are asked.. */
	CPU_SLOTS_TURN = 128, /* ..for so many answers each.. */
	CPU_SLOTS_IDLE_MS = 2 /* ..but not without any for so long or twice */
};

/* A match; zeroed but for on_slot and context. */
struct cpu_slot_user {
	/* The match has waited and holds a slot now. */
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

/* The slots of one event loop. */
struct cpu_slots {
	struct loop *loop;
	int slot_max;
	int64_t light_ns; /* a bot that takes less needs no slot; 0: all do */
	int held_count, exempt_count;
	TAILQ_HEAD(cpu_slot_queue, cpu_slot_user) queue;
	struct loop_deadline grant;
	int group_count;
	struct cpu_slot_queue group, light_queue;
	struct loop_deadline look; /* while a match waits for the group */
};

/*
 * So many slots, at least one.  0 or -errno.  on_slot is called from the loop,
 * after all else of that round: a match that holds a slot has the core.
 */
int cpu_slots_open(
    struct cpu_slots *slots, struct loop *loop, int slot_max, int64_t light_ns);

/* No match may hold or await a slot.  Zeroed ones are allowed. */
void cpu_slots_close(struct cpu_slots *slots);

/*
 * A match wants to ask a bot that takes `work_ns` of its own for an answer.
 * Whether it may, at once; else it is queued, and on_slot follows.  A match that
 * holds a slot already may.
 */
bool cpu_slots_enter(
    struct cpu_slots *slots, struct cpu_slot_user *user, int64_t work_ns);

/* The match gives its slot up, or its wait for one.  Always allowed. */
void cpu_slots_leave(struct cpu_slots *slots, struct cpu_slot_user *user);

/* The same, and it leaves the group: its game is over. */
void cpu_slots_quit(struct cpu_slots *slots, struct cpu_slot_user *user);

/*
 * Estimates a bot's own CPU time for an answer from one that took `used_ns`: its
 * share of the core among the bots that thought with it.  The longest of late
 * counts, and is forgotten by and by.
 */
int64_t cpu_slot_work_ns(
    const struct cpu_slot_user *user, int64_t work_ns, int64_t used_ns);

#endif
