/*
 * CPU time of a process and of all that it has started.
 */
#include "cpu_usage.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "test.h"

#define MS CLOCK_NS_PER_MS

/* Jiffies, where a child has ended, and a little more. */
#define SLACK_NS (60 * MS)

/* Uses so much CPU time, of the calling thread. */
static void
toil(int64_t ns)
{
	struct timespec now;
	int64_t end_ns = 0, now_ns = 0;

	while (end_ns == 0 || now_ns < end_ns) {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		now_ns = now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
		if (end_ns == 0)
			end_ns = now_ns + ns;
	}
}

static void *
toil_aside(void *context)
{
	(void)context;
	toil(60 * MS);
	return NULL;
}

/* Toils in itself, in a thread, in a child that ends and one that stays. */
static _Noreturn void
toil_everywhere(int ready_fd)
{
	pthread_t thread;
	pid_t child;

	pthread_create(&thread, NULL, toil_aside, NULL);
	toil(50 * MS);
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		toil(70 * MS);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	if (fork() == 0) {
		toil(80 * MS);
		close(ready_fd);
		for (;;)
			pause();
	}
	close(ready_fd);
	for (;;)
		pause();
}

/* Waits until nobody has the other end of a pipe any more. */
static void
await_end(int fd)
{
	char byte;

	while (read(fd, &byte, 1) > 0)
		;
	close(fd);
}

/* A child in a session of its own, as bots are. */
static pid_t
start(void (*act)(int fd), int *ready_fd)
{
	int fds[2];
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		setsid();
		close(fds[0]);
		act(fds[1]);
		_exit(0);
	}
	close(fds[1]);
	*ready_fd = fds[0];
	return child;
}

static void
end(pid_t child)
{
	kill(-child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(test_threads_and_children_are_counted)
{
	int64_t used_ns, later_ns;
	int ready_fd;
	pid_t child = start(toil_everywhere, &ready_fd);

	await_end(ready_fd);
	assert_int_equal(cpu_usage_read(child, &used_ns), 0);
	assert_true(used_ns > (50 + 60 + 70 + 80) * MS - SLACK_NS);
	assert_true(used_ns < (50 + 60 + 70 + 80) * MS + 4 * SLACK_NS);
	/* Nobody does anything now. */
	usleep(100000);
	assert_int_equal(cpu_usage_read(child, &later_ns), 0);
	assert_true(later_ns - used_ns < 20 * MS);
	end(child);
	assert_int_equal(cpu_usage_read(child, &used_ns), -ESRCH);
}

static _Noreturn void
sleep_on(int ready_fd)
{
	close(ready_fd);
	for (;;)
		pause();
}

static _Noreturn void
spin_on(int ready_fd)
{
	close(ready_fd);
	for (;;)
		;
}

TEST(test_one_that_sleeps_uses_nothing_and_one_that_spins_much)
{
	int64_t before_ns, after_ns;
	struct rusage usage;
	int ready_fd;
	pid_t child = start(sleep_on, &ready_fd);

	await_end(ready_fd);
	assert_int_equal(cpu_usage_read(child, &before_ns), 0);
	usleep(100000);
	assert_int_equal(cpu_usage_read(child, &after_ns), 0);
	assert_true(after_ns - before_ns < 5 * MS);
	end(child);
	child = start(spin_on, &ready_fd);
	await_end(ready_fd);
	assert_int_equal(cpu_usage_read(child, &before_ns), 0);
	/* However busy the machine is, it has some of it in the end. */
	do {
		usleep(10000);
		assert_int_equal(cpu_usage_read(child, &after_ns), 0);
	} while (after_ns - before_ns < 50 * MS);
	kill(child, SIGKILL);
	assert_int_equal(wait4(child, NULL, 0, &usage), child);
	/* What the kernel says in the end is no less. */
	assert_true(usage.ru_utime.tv_sec * CLOCK_NS_PER_S +
		usage.ru_utime.tv_usec * INT64_C(1000) +
		usage.ru_stime.tv_sec * CLOCK_NS_PER_S +
		usage.ru_stime.tv_usec * INT64_C(1000) >
	    after_ns - SLACK_NS);
}

static _Noreturn void
fork_many(int ready_fd)
{
	for (int i = 0; i < CPU_USAGE_PROCESSES_MAX + 40; i++)
		if (fork() == 0)
			sleep_on(ready_fd);
	sleep_on(ready_fd);
}

TEST(test_more_processes_than_are_looked_at_do_no_harm)
{
	int64_t used_ns;
	int ready_fd;
	pid_t child = start(fork_many, &ready_fd);

	await_end(ready_fd);
	assert_int_equal(cpu_usage_read(child, &used_ns), 0);
	assert_true(used_ns > 0);
	end(child);
}
