/*
 * A loop whose process sleeps at the worst moment: between what the kernel
 * told and the look at the clock.
 */
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "loop.h"
#include "test.h"

enum { DEADLINE_MS = 20, SLEEP_MS = 60 };

/* What happens during the sleep, once; -1: there is none. */
static int answer_fd = -1;

/* The kernel's, with the sleep behind it; libraries call this one, too. */
int
epoll_wait(int epoll_fd, struct epoll_event *events, int count, int timeout_ms)
{
	const struct timespec sleep = { .tv_nsec = SLEEP_MS * 1000000 };
	int fd = answer_fd;
	int status = (int)syscall(
	    SYS_epoll_wait, epoll_fd, events, count, fd < 0 ? timeout_ms : 0);

	if (fd < 0)
		return status;
	answer_fd = -1;
	assert_int_equal(write(fd, "x", 1), 1);
	nanosleep(&sleep, NULL);
	return status;
}

struct seen {
	struct loop *loop;
	struct loop_deadline deadline;
	struct loop_watch watch;
	int answers, misses;
	int64_t asked_ns, charged_ns;
};

static void
on_answer(struct loop_watch *watch, uint32_t events)
{
	struct seen *seen = watch->context;
	int64_t now_ns = clock_now_ns();
	char byte;

	(void)events;
	assert_int_equal(read(watch->fd, &byte, 1), 1);
	seen->answers++;
	seen->charged_ns =
	    now_ns - loop_lag_ns(seen->loop, now_ns) - seen->asked_ns;
	loop_deadline_clear(&seen->deadline);
}

static void
on_miss(struct loop_deadline *deadline, int64_t now_ns)
{
	struct seen *seen = deadline->context;

	(void)now_ns;
	seen->misses++;
}

static void
open_seen(struct seen *seen, int fd)
{
	*seen = (struct seen){
		.deadline = { .on_deadline = on_miss, .context = seen },
		.watch = { .on_ready = on_answer, .context = seen, .fd = -1 },
	};
	assert_int_equal(loop_open(&seen->loop), 0);
	assert_int_equal(
	    loop_watch_open(seen->loop, &seen->watch, fd, EPOLLIN), 0);
	assert_int_equal(loop_deadline_open(seen->loop, &seen->deadline), 0);
	seen->asked_ns = clock_now_ns();
	loop_deadline_set(seen->loop, &seen->deadline,
	    seen->asked_ns + DEADLINE_MS * CLOCK_NS_PER_MS);
}

static void
close_seen(struct seen *seen)
{
	loop_deadline_close(seen->loop, &seen->deadline);
	loop_watch_close(seen->loop, &seen->watch);
	loop_close(seen->loop);
}

TEST(test_answer_in_the_sleep_of_the_arena_is_no_late_one)
{
	struct seen seen;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	open_seen(&seen, ends[0]);
	answer_fd = ends[1];
	while (seen.answers + seen.misses == 0)
		assert_int_equal(loop_step(seen.loop, LOOP_NEVER), 0);
	assert_int_equal(seen.misses, 0);
	assert_int_equal(seen.answers, 1);
	assert_true(seen.charged_ns <= DEADLINE_MS * CLOCK_NS_PER_MS);
	close_seen(&seen);
	close(ends[0]);
	close(ends[1]);
}

TEST(test_deadline_in_the_sleep_of_the_arena_is_met)
{
	struct seen seen;
	int ends[2], others[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(others), 0);
	open_seen(&seen, ends[0]);
	answer_fd = others[1];
	while (seen.answers + seen.misses == 0)
		assert_int_equal(loop_step(seen.loop, LOOP_NEVER), 0);
	assert_int_equal(seen.misses, 1);
	close_seen(&seen);
	close(ends[0]);
	close(ends[1]);
	close(others[0]);
	close(others[1]);
}
