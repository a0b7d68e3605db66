/*
 * CPU slots: the bots of many matches on one core think by turns.
 *
 * The clock of a bot starts with its question. If thirty bots on one core were
 * asked at the same time, each would wait while the others compute, and would
 * be late without a fault of its own. So there are slots, about one for each
 * core. A match holds a slot from the question to its bot until the answer. If
 * no slot is free, the match waits in a queue. Its question is not sent yet,
 * and no clock runs.
 *
 * A fast bot needs no slot if the owner allows that. A bot is fast if it
 * answers in less than light_ns. All fast bots together then delay another bot
 * by only a small part of its time, and asking them one after the other would
 * only take longer.
 *
 * The matches of fast bots play in a group of at most CPU_SLOTS_GROUP. A match
 * stays in the group for CPU_SLOTS_TURN answers, then the next match takes its
 * place. So the memory of these matches and their bots stays in the processor's
 * cache. If five hundred matches were asked in turn, their memory would have
 * left the cache each time, and a move would take twice the time. A match whose
 * bot thinks for long after all leaves the group after CPU_SLOTS_IDLE_MS.
 */
#ifndef CPU_SLOTS_H
#define CPU_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include <bsd/sys/queue.h>

#include "loop.h"

/* The time of an answer, in ns, of a bot that has not answered yet. */
#define CPU_SLOT_UNKNOWN INT64_MAX

enum cpu_slot_state {
	CPU_SLOT_AWAY,    /* the match needs no slot now */
	CPU_SLOT_WAITING, /* the match is in a queue */
	CPU_SLOT_HELD,    /* the match holds a slot */
	CPU_SLOT_EXEMPT   /* its fast bot thinks without a slot */
};

enum {
	CPU_SLOTS_GROUP = 32, /* most matches in the group of fast bots */
	CPU_SLOTS_TURN = 128, /* answers of a match in the group */
	/*
	 * While others wait, a match leaves the group if it asks no question
	 * for this time, or for up to twice this time.
	 */
	CPU_SLOTS_IDLE_MS = 2
};

/* A match. The owner sets on_slot and context, and zero in all other fields. */
struct cpu_slot_user {
	/* The match has waited and holds a slot now. */
	void (*on_slot)(struct cpu_slot_user *user);
	void *context;
	enum cpu_slot_state state;
	int company; /* bots that thought when its bot began; at least 1 */
	TAILQ_ENTRY(cpu_slot_user) link; /* in a queue */
	bool light;                      /* the queue is light_queue */
	TAILQ_ENTRY(cpu_slot_user) group_link;
	bool grouped; /* it is in the group of fast bots */
	bool asked;   /* grouped: it has asked since the last look */
	int answers;  /* grouped: answers until another match may play */
};

/* The slots of one event loop. */
struct cpu_slots {
	struct loop *loop;
	int slot_max;
	int64_t light_ns; /* a bot is fast below this time; 0: no bot is fast */
	int held_count, exempt_count; /* users in these states */
	TAILQ_HEAD(cpu_slot_queue, cpu_slot_user) queue;
	struct loop_deadline grant; /* gives free slots to waiting matches */
	int group_count;
	struct cpu_slot_queue group, light_queue;
	struct loop_deadline look; /* set while a match waits for the group */
};

/*
 * Opens `slot_max` slots, at least one. Bots that answer in less than
 * `light_ns` need no slot. on_slot is called from the loop, after all other
 * work of that iteration, so the match that gets a slot has the core. Returns 0
 * or -errno; the caller closes the slots in both cases.
 */
int cpu_slots_open(
    struct cpu_slots *slots, struct loop *loop, int slot_max, int64_t light_ns);

/*
 * Closes the slots. No match may hold a slot or wait for one. A zeroed struct
 * is allowed.
 */
void cpu_slots_close(struct cpu_slots *slots);

/*
 * The match asks for a slot for a bot whose answer takes about `work_ns` of CPU
 * time. Returns true if the match may send the question now; this is so if it
 * holds a slot already. Otherwise it waits in a queue, and on_slot follows.
 */
bool cpu_slots_enter(
    struct cpu_slots *slots, struct cpu_slot_user *user, int64_t work_ns);

/* The match returns its slot, or leaves the queue. Always allowed. */
void cpu_slots_leave(struct cpu_slots *slots, struct cpu_slot_user *user);

/*
 * The game of the match is over: the match returns its slot, or leaves the
 * queue, and leaves the group.
 */
void cpu_slots_quit(struct cpu_slots *slots, struct cpu_slot_user *user);

/*
 * Estimates the CPU time, in ns, that a bot needs for an answer. `work_ns` is
 * the estimate so far, or CPU_SLOT_UNKNOWN. The last answer took `used_ns`, and
 * the bot had a share of 1/company of the core. The longest recent answer
 * counts: each answer lowers the old estimate by 1/64, and the new estimate is
 * not lower than the last answer. Returns the new estimate.
 */
int64_t cpu_slot_work_ns(
    const struct cpu_slot_user *user, int64_t work_ns, int64_t used_ns);

#endif
