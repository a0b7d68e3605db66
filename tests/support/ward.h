/*
 * Who is supervised: a bot that is a function of a test, with its supervisor.
 *
 * All that a bot starts holds one end of a pipe: it is gone when that ends.
 */
#ifndef WARD_H
#define WARD_H

#include <sys/types.h>

#include "supervisor.h"

enum { WARD_PATIENCE_MS = 30000 };

struct pipe_ends {
	int reader;
	int writer;
};

/* A bot, its supervisor, and what of it can be heard. */
struct ward {
	enum tree_kill tree;
	int (*play)(void);
	struct pipe_ends output; /* its stdout */
	struct pipe_ends report; /* which it closes when it begins */
	struct pipe_ends held;   /* by all that it has started */
	pid_t pid;               /* of the supervisor */
};

/* In which bots get a control group, or -1. */
extern int ward_cgroup_fd;

/*
 * One test of each kind of tree; they see to it that no process and no
 * descriptor is left.  In `caged` bots have a control group: without one of
 * one's own it is `stop` once more.
 */
#define WARD_TEST(name)                 \
	static void name(void **state); \
	WARD_CASE(name, box)            \
	WARD_CASE(name, domain)         \
	WARD_CASE(name, stop)           \
	WARD_CASE(name, caged)          \
	WARD_CASE(name, user)           \
	static void name(void **state __attribute__((unused)))
#define WARD_CASE(name, kind)                                              \
	TEST_CASE(name##_in_##kind, #name "_in_" #kind, name, ward_set_up, \
	    ward_tear_down, &ward_##kind)
extern enum tree_kill ward_box, ward_domain, ward_stop, ward_caged, ward_user;
int ward_set_up(void **state);
int ward_tear_down(void **state);

/* The tree of a test, from its state; skips it where this machine has none. */
enum tree_kill ward_tree(void **state);

void ward_start(struct ward *ward, enum tree_kill tree, int (*play)(void));

/*
 * The parts of ward_start(), for who starts it elsewhere: the pipes, what the
 * process runs that becomes the supervisor, and the ends that are its own.
 */
void ward_pipes(struct ward *ward, enum tree_kill tree, int (*play)(void));
void ward_run(struct ward *ward);
void ward_close_writers(struct ward *ward);

/*
 * Waits until it is over, and fails where a supervisor that is dead has left
 * something alive; the wait status of the supervisor, or 0 for another's.
 */
int ward_finish(struct ward *ward);

/* Fails unless the pipe has ended or ends within this time. */
void ward_expect_end(int reader, int patience_ms);

/* Fails unless a byte comes within a generous time. */
void ward_expect_byte(int reader);

/* For the bot: a byte to its output; and a life without a purpose. */
void ward_say(char byte);
int ward_sleep(void);

#endif
