#include "vigil.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cage.h"
#include "clock.h"
#include "scheduler.h"
#include "supervisor.h"
#include "tree.h"
#include "user.h"

enum {
	/* Those that stop last may have let others go on before. */
	STOP_ROUNDS = 3,
	/* No program fills its memory faster: when it is next looked at follows
	 * from what it still may have. */
	FILL_BYTES_PER_MS = 4 << 20,
	LOOK_MIN_MS = 10,
	LOOK_MAX_MS = 1000
};

static void
signals_await(sigset_t *awaited)
{
	sigemptyset(awaited);
	sigaddset(awaited, SIGTERM);
	sigaddset(awaited, SIGCHLD);
	sigaddset(awaited, SUPERVISOR_SIGNAL);
}

int
vigil_prepare(pid_t arena, sigset_t *before)
{
	sigset_t all;

	/* It is woken to stop or kill what may keep all cores busy. */
	scheduler_hurry();
	/* A signal that vigil_keep() does not wait for ends no supervisor. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, before);
	sigdelset(before, SUPERVISOR_SIGNAL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		return -errno;
	if (getppid() != arena)
		raise(SIGTERM);
	return 0;
}

void
vigil_hold_domain(const struct vigil *vigil, bool frozen)
{
	/* No fork escapes: while such a signal is pending no child is added. */
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++) {
		if (i > 0)
			sched_yield();
		kill(-1, frozen ? SIGSTOP : SIGCONT);
		if (frozen && i == 0)
			tree_stop_threads(vigil->proc_fd);
	}
}

void
vigil_hold_user(const struct vigil *vigil, bool frozen)
{
	for (int i = 0; i < (frozen ? STOP_ROUNDS : 1); i++)
		user_signal(vigil->user, frozen ? SIGSTOP : SIGCONT);
}

void
vigil_hold_box(const struct vigil *vigil, bool frozen)
{
	*vigil->frozen = frozen;
	kill(vigil->child, SUPERVISOR_SIGNAL);
}

void
vigil_hold_inside(const struct vigil *vigil, bool frozen)
{
	(void)frozen;
	vigil_hold_domain(vigil, *vigil->frozen);
}

void
vigil_hold_tree(const struct vigil *vigil, bool frozen)
{
	(void)tree_hold(
	    vigil->proc_fd, frozen, vigil->child, SUPERVISOR_SIGNAL);
}

void
vigil_strike_domain(const struct vigil *vigil)
{
	(void)vigil;
	kill(-1, SIGKILL);
}

void
vigil_strike_user(const struct vigil *vigil)
{
	user_signal(vigil->user, SIGKILL);
}

void
vigil_strike_tree(const struct vigil *vigil)
{
	(void)tree_strike(vigil->proc_fd, vigil->child);
}

/* Kills where there is too much; else how long not to look again. */
static int64_t
memory_look(struct vigil *vigil)
{
	int64_t used =
	    tree_memory(vigil->proc_fd, vigil->child, vigil->memory_max_bytes);
	int64_t room_ms = (vigil->memory_max_bytes - used) / FILL_BYTES_PER_MS;

	if (used > vigil->memory_max_bytes) {
		vigil->over_memory = true;
		kill(vigil->child, SIGKILL);
	}
	if (room_ms < LOOK_MIN_MS)
		return LOOK_MIN_MS;
	return room_ms > LOOK_MAX_MS ? LOOK_MAX_MS : room_ms;
}

/* The next signal, or -1 when it is time to look at the memory. */
static int
await(const struct vigil *vigil, int64_t look_ns, siginfo_t *word)
{
	int64_t wait_ns = look_ns - clock_now_ns();
	struct timespec wait;
	sigset_t awaited;

	signals_await(&awaited);
	if (vigil->memory_max_bytes == 0)
		return sigwaitinfo(&awaited, word);
	if (wait_ns < 0)
		wait_ns = 0;
	wait.tv_sec = wait_ns / CLOCK_NS_PER_S;
	wait.tv_nsec = wait_ns % CLOCK_NS_PER_S;
	return sigtimedwait(&awaited, word, &wait);
}

/* Obeys the last word that has come; those before it are of no account. */
static void
obey(const struct vigil *vigil, siginfo_t *word)
{
	const struct timespec at_once = { 0, 0 };
	sigset_t words;

	sigemptyset(&words);
	sigaddset(&words, SUPERVISOR_SIGNAL);
	while (sigtimedwait(&words, word, &at_once) > 0)
		continue;
	if (vigil->cage != NULL)
		cage_hold(
		    vigil->cage, word->si_value.sival_int == SUPERVISOR_FREEZE);
	else
		vigil->hold(
		    vigil, word->si_value.sival_int == SUPERVISOR_FREEZE);
}

/*
 * At once, and not when the child is dead: among hundreds that compute it takes
 * its turn to die, as do they.
 */
static void
end_all(const struct vigil *vigil)
{
	kill(vigil->child, SIGKILL);
	if (vigil->strike != NULL)
		vigil->strike(vigil);
}

int
vigil_keep(struct vigil *vigil)
{
	int64_t look_ns = clock_now_ns() + LOOK_MIN_MS * CLOCK_NS_PER_MS;
	siginfo_t word;

	for (;;) {
		int status, number;
		pid_t dead;

		while ((dead = waitpid(-1, &status, WNOHANG)) > 0)
			if (dead == vigil->child)
				return status;
		if (dead < 0 && errno == ECHILD)
			return SIGKILL;
		number = await(vigil, look_ns, &word);
		if (number == SIGTERM)
			end_all(vigil);
		else if (number == SUPERVISOR_SIGNAL)
			obey(vigil, &word);
		if (vigil->memory_max_bytes > 0 && clock_now_ns() >= look_ns)
			look_ns = clock_now_ns() +
			    memory_look(vigil) * CLOCK_NS_PER_MS;
	}
}
