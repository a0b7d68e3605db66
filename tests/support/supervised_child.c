#include "supervised_child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroup.h"
#include "child.h"
#include "test.h"

enum { EXIT_FAIL = 78 /* the ground could not be prepared */ };

int supervised_child_group_fd = -1;

static struct pipe_ends
pipe_make(void)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	return (struct pipe_ends){ fds[0], fds[1] };
}

static int
become(void *context)
{
	const struct supervised_child *child = context;

	close(child->report.writer);
	return child->play();
}

static int
fail_to_prepare(void *context, const char *what, int error)
{
	(void)context;
	(void)what;
	(void)error;
	return EXIT_FAIL;
}

/* The launcher, as it becomes the supervisor: its pipes are the bot's. */
void
supervised_child_run(struct supervised_child *child)
{
	const struct supervisor_order order = {
		.tree = child->tree,
		/* No other process's, as long as this one lives. */
		.user = child->tree == TREE_USER
		    ? 0x40000000U + (unsigned)getpid()
		    : 0,
		.become = become,
		.fail = fail_to_prepare,
		.context = child,
		.report_fd = child->report.writer,
		.end_fd = -1,
		.cgroup_fd = supervised_child_group_fd,
	};

	close(child->output.reader);
	close(child->report.reader);
	close(child->held.reader);
	dup2(child->output.writer, STDOUT_FILENO);
	close(child->output.writer);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	_exit(supervise(&order));
}

void
supervised_child_pipes(
    struct supervised_child *child, enum tree_kill tree, int (*play)(void))
{
	sigset_t held;

	/* A word may come before there is a supervisor. */
	sigemptyset(&held);
	sigaddset(&held, SUPERVISOR_SIGNAL);
	sigprocmask(SIG_BLOCK, &held, NULL);
	*child = (struct supervised_child){
		.tree = tree,
		.play = play,
		.output = pipe_make(),
		.report = pipe_make(),
		.held = pipe_make(),
	};
}

void
supervised_child_close_writers(struct supervised_child *child)
{
	close(child->output.writer);
	close(child->report.writer);
	close(child->held.writer);
}

void
supervised_child_start(
    struct supervised_child *child, enum tree_kill tree, int (*play)(void))
{
	supervised_child_pipes(child, tree, play);
	child->pid = fork();
	assert_true(child->pid >= 0);
	if (child->pid == 0)
		supervised_child_run(child);
	supervised_child_close_writers(child);
}

/* Fails unless the pipe has ended or ends within a generous time. */
void
supervised_child_expect_end(int reader, int wait_ms)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[64];

	do {
		assert_int_equal(poll(&wait, 1, wait_ms), 1);
	} while (read(reader, bytes, sizeof(bytes)) > 0);
}

void
supervised_child_expect_byte(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char byte;

	assert_int_equal(poll(&wait, 1, SUPERVISED_CHILD_WAIT_MS), 1);
	assert_int_equal(read(reader, &byte, 1), 1);
}

/* Waits until it is over; the wait status of the supervisor. */
int
supervised_child_finish(struct supervised_child *child)
{
	int status = 0;

	if (child->pid != 0)
		assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
	/* A supervisor that is dead has seen all of the bot dead. */
	supervised_child_expect_end(
	    child->held.reader, child->pid != 0 ? 0 : SUPERVISED_CHILD_WAIT_MS);
	close(child->output.reader);
	close(child->report.reader);
	close(child->held.reader);
	return status;
}

static int
play_nothing(void)
{
	return 0;
}

/* The tree of a test, where this machine has it. */
enum tree_kill supervised_child_box = TREE_NAMESPACE,
	       supervised_child_domain = TREE_DOMAIN,
	       supervised_child_search = TREE_SEARCH,
	       supervised_child_cgroup = TREE_SEARCH,
	       supervised_child_user = TREE_USER;

static struct cgroup cgroup;
static int descriptors_before;

int
supervised_child_set_up(void **state)
{
	if (*state == &supervised_child_cgroup) {
		cgroup_open(&cgroup);
		supervised_child_group_fd = cgroup.fd;
	}
	descriptors_before = child_descriptors();
	return 0;
}

int
supervised_child_tear_down(void **state)
{
	bool clean = child_none() && child_descriptors() == descriptors_before;

	if (*state == &supervised_child_cgroup)
		cgroup_close(&cgroup);
	supervised_child_group_fd = -1;
	return clean ? 0 : -1;
}

enum tree_kill
supervised_child_tree(void **state)
{
	static const char *const needs[] = {
		[TREE_NAMESPACE] = "namespaces",
		[TREE_DOMAIN] = "Landlock",
		[TREE_USER] = "other user",
		[TREE_SEARCH] = "/proc",
	};
	enum tree_kill tree = *(const enum tree_kill *)*state;
	struct supervised_child child;
	int status;

	supervised_child_start(&child, tree, play_nothing);
	status = supervised_child_finish(&child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAIL) {
		print_message("# no %s for this user here\n", needs[tree]);
		skip();
	}
	assert_int_equal(status, 0);
	return tree;
}

void
supervised_child_say(char byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1)
		_exit(99);
}

int
supervised_child_sleep(void)
{
	while (pause() < 0)
		continue;
	return 0;
}
