#include "ward.h"

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

int ward_cgroup_fd = -1;

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
	const struct ward *ward = context;

	close(ward->report.writer);
	return ward->play();
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
ward_run(struct ward *ward)
{
	const struct supervisor_order order = {
		.tree = ward->tree,
		/* Nobody else's, as long as this process lives. */
		.user = 0x40000000U + (unsigned)getpid(),
		.become = become,
		.fail = fail_to_prepare,
		.context = ward,
		.report_fd = ward->report.writer,
		.end_fd = -1,
		.cgroup_fd = ward_cgroup_fd,
	};

	close(ward->output.reader);
	close(ward->report.reader);
	close(ward->held.reader);
	dup2(ward->output.writer, STDOUT_FILENO);
	close(ward->output.writer);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	_exit(supervise(&order));
}

void
ward_pipes(struct ward *ward, enum tree_kill tree, int (*play)(void))
{
	sigset_t held;

	/* A word may come before there is a supervisor. */
	sigemptyset(&held);
	sigaddset(&held, SUPERVISOR_SIGNAL);
	sigprocmask(SIG_BLOCK, &held, NULL);
	*ward = (struct ward){
		.tree = tree,
		.play = play,
		.output = pipe_make(),
		.report = pipe_make(),
		.held = pipe_make(),
	};
}

void
ward_close_writers(struct ward *ward)
{
	close(ward->output.writer);
	close(ward->report.writer);
	close(ward->held.writer);
}

void
ward_start(struct ward *ward, enum tree_kill tree, int (*play)(void))
{
	ward_pipes(ward, tree, play);
	ward->pid = fork();
	assert_true(ward->pid >= 0);
	if (ward->pid == 0)
		ward_run(ward);
	ward_close_writers(ward);
}

/* Fails unless the pipe has ended or ends within a generous time. */
void
ward_expect_end(int reader, int patience_ms)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char bytes[64];

	do {
		assert_int_equal(poll(&wait, 1, patience_ms), 1);
	} while (read(reader, bytes, sizeof(bytes)) > 0);
}

void
ward_expect_byte(int reader)
{
	struct pollfd wait = { .fd = reader, .events = POLLIN };
	char byte;

	assert_int_equal(poll(&wait, 1, WARD_PATIENCE_MS), 1);
	assert_int_equal(read(reader, &byte, 1), 1);
}

/* Waits until it is over; the wait status of the supervisor. */
int
ward_finish(struct ward *ward)
{
	int status = 0;

	if (ward->pid != 0)
		assert_int_equal(waitpid(ward->pid, &status, 0), ward->pid);
	/* A supervisor that is dead has seen all of the bot dead. */
	ward_expect_end(
	    ward->held.reader, ward->pid != 0 ? 0 : WARD_PATIENCE_MS);
	close(ward->output.reader);
	close(ward->report.reader);
	close(ward->held.reader);
	return status;
}

static int
play_nothing(void)
{
	return 0;
}

/* The tree of a test, where this machine has it. */
enum tree_kill ward_box = TREE_BOX, ward_domain = TREE_DOMAIN,
	       ward_stop = TREE_STOP, ward_caged = TREE_STOP,
	       ward_user = TREE_USER;

static struct cgroup cgroup;
static int descriptors_before;

int
ward_set_up(void **state)
{
	if (*state == &ward_caged) {
		cgroup_open(&cgroup);
		ward_cgroup_fd = cgroup.fd;
	}
	descriptors_before = child_descriptors();
	return 0;
}

int
ward_tear_down(void **state)
{
	bool clean = child_none() && child_descriptors() == descriptors_before;

	if (*state == &ward_caged)
		cgroup_close(&cgroup);
	ward_cgroup_fd = -1;
	return clean ? 0 : -1;
}

enum tree_kill
ward_tree(void **state)
{
	static const char *const needs[] = {
		[TREE_BOX] = "namespaces",
		[TREE_DOMAIN] = "Landlock scope",
		[TREE_USER] = "other user",
		[TREE_STOP] = "/proc",
	};
	enum tree_kill tree = *(const enum tree_kill *)*state;
	struct ward ward;
	int status;

	ward_start(&ward, tree, play_nothing);
	status = ward_finish(&ward);
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAIL) {
		print_message("# no %s for this user here\n", needs[tree]);
		skip();
	}
	assert_int_equal(status, 0);
	return tree;
}

void
ward_say(char byte)
{
	if (write(STDOUT_FILENO, &byte, 1) != 1)
		_exit(99);
}

int
ward_sleep(void)
{
	while (pause() < 0)
		continue;
	return 0;
}
