/*
 * Who is supervised: a bot that is a function of a test, with its supervisor.
 *
 * All that a bot starts holds one end of a pipe: it is gone when that ends.
 */
#ifndef SUPERVISED_CHILD_H
#define SUPERVISED_CHILD_H

#include <sys/types.h>

#include "supervisor.h"

enum { SUPERVISED_CHILD_WAIT_MS = 30000 };

struct pipe_ends {
	int reader;
	int writer;
};

/* A bot, its supervisor, and what of it can be heard. */
struct supervised_child {
	enum tree_kill tree;
	int (*play)(void);
	struct pipe_ends output; /* its stdout */
	struct pipe_ends report; /* which it closes when it begins */
	struct pipe_ends held;   /* by all that it has started */
	pid_t pid;               /* of the supervisor */
};

/* In which bots get a control group, or -1. */
extern int supervised_child_group_fd;

/*
 * One test of each kind of tree; they see to it that no process and no
 * descriptor is left.  In `cgroup` bots have a control group: without one it
 * is `search` once more.
 */
#define SUPERVISED_CHILD_TEST(name)         \
	static void name(void **state);     \
	SUPERVISED_CHILD_CASE(name, box)    \
	SUPERVISED_CHILD_CASE(name, domain) \
	SUPERVISED_CHILD_CASE(name, search) \
	SUPERVISED_CHILD_CASE(name, cgroup) \
	SUPERVISED_CHILD_CASE(name, user)   \
	static void name(void **state __attribute__((unused)))
#define SUPERVISED_CHILD_CASE(name, kind)                        \
	TEST_CASE(name##_in_##kind, #name "_in_" #kind, name,    \
	    supervised_child_set_up, supervised_child_tear_down, \
	    &supervised_child_##kind)
extern enum tree_kill supervised_child_box, supervised_child_domain,
    supervised_child_search, supervised_child_cgroup, supervised_child_user;
int supervised_child_set_up(void **state);
int supervised_child_tear_down(void **state);

/* The tree of a test, from its state; skips it where this machine has none. */
enum tree_kill supervised_child_tree(void **state);

void supervised_child_start(
    struct supervised_child *child, enum tree_kill tree, int (*play)(void));

/*
 * The parts of supervised_child_start(), for who starts it elsewhere: the pipes, what the
 * process runs that becomes the supervisor, and the ends that are its own.
 */
void supervised_child_pipes(
    struct supervised_child *child, enum tree_kill tree, int (*play)(void));
void supervised_child_run(struct supervised_child *child);
void supervised_child_close_writers(struct supervised_child *child);

/*
 * Waits until it is over, and fails where a supervisor that is dead has left
 * something alive; the wait status of the supervisor, or 0 for another's.
 */
int supervised_child_finish(struct supervised_child *child);

/* Fails unless the pipe has ended or ends within this time. */
void supervised_child_expect_end(int reader, int wait_ms);

/* Fails unless a byte comes within a generous time. */
void supervised_child_expect_byte(int reader);

/* For the bot: a byte to its output; and a life without a purpose. */
void supervised_child_say(char byte);
int supervised_child_sleep(void);

#endif
