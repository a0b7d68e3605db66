/*
 * The self-test of the sandbox finds the best level of this machine, and why a
 * layer is missing; hidden files.  tests/e2e/probe.sh tests what is exposed.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "confinement.h"
#include "folder.h"
#include "namespaces.h"
#include "self_test.h"
#include "system_calls.h"
#include "test.h"
#include "trial.h"

static struct sandbox sandbox;

static int
detect(void **state)
{
	child_look_before(state);
	return sandbox_detect(&sandbox, 0);
}

static int
close_sandbox(void **state)
{
	sandbox_close(&sandbox);
	return child_look_after(state);
}

TEST_EACH(detect, close_sandbox)

static int
nothing(void *context)
{
	(void)context;
	return 0;
}

static int
try_box(void *context)
{
	return trial_run_boxed(NULL, nothing, context);
}

static int
try_filter(void *context)
{
	int fd = filter_make();

	(void)context;
	return fd < 0 || filter_enter(fd) < 0;
}

/* The level of this machine, found out by other means. */
static enum sandbox_level
level_expected(void)
{
	if (landlock_abi() < LANDLOCK_ABI_FILES ||
	    trial_run(try_filter, NULL) != 0)
		return SANDBOX_NONE;
	if (trial_run(try_box, NULL) == 0)
		return sandbox.cgroup.limited ? SANDBOX_BOX_LIMITS
					      : SANDBOX_BOX;
	return SANDBOX_PROCESS;
}

TEST(test_best_level_is_reached)
{
	assert_string_equal(sandbox_level_name(sandbox.level),
	    sandbox_level_name(level_expected()));
}

TEST(test_layer_that_is_not_reached_has_a_reason_and_a_fix)
{
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		const struct sandbox_finding *finding = &sandbox.layers[i];

		assert_true(
		    strlen(sandbox_layer_name((enum sandbox_layer)i)) > 0);
		assert_int_equal(finding->why[0] == '\0', finding->reached);
		assert_int_equal(finding->fix[0] == '\0', finding->reached);
	}
	assert_int_equal(sandbox.layers[SANDBOX_LAYER_TREE_KILL].reached,
	    sandbox.kill_is_certain);
	assert_int_equal(sandbox.layers[SANDBOX_LAYER_NAMESPACES].reached,
	    sandbox.level >= SANDBOX_BOX);
	assert_int_equal(
	    sandbox.layers[SANDBOX_LAYER_ROOT].reached, sandbox.rooted);
	assert_int_equal(sandbox.layers[SANDBOX_LAYER_LIMITS].reached,
	    sandbox.level == SANDBOX_BOX_LIMITS);
	assert_int_equal(sandbox.layers[SANDBOX_LAYER_LIMITS].reached,
	    sandbox.cgroup.limited && sandbox.level >= SANDBOX_BOX);
}

/* The level of a process that may make no namespaces. */
static int
detect_behind_filter(void *context)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	struct sandbox detected;

	(void)context;
	trial_need(filter != NULL &&
	    seccomp_rule_add(
		filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0) == 0 &&
	    seccomp_load(filter) == 0);
	seccomp_release(filter);
	trial_need(sandbox_detect(&detected, 0) == 0);
	trial_need(strstr(detected.layers[SANDBOX_LAYER_NAMESPACES].why,
		       "namespaces: Operation not permitted") != NULL);
	trial_need(
	    detected.kill_is_certain == (landlock_abi() >= LANDLOCK_ABI_SCOPE));
	sandbox_close(&detected);
	return (int)detected.level;
}

TEST(test_without_namespaces_the_level_is_process)
{
	if (sandbox.level == SANDBOX_NONE)
		skip();
	assert_int_equal(
	    trial_run(detect_behind_filter, NULL), SANDBOX_PROCESS);
}

/* The nesting of domains is limited; beyond it none can be entered. */
static int
detect_without_landlock(void *context)
{
	struct landlock landlock;
	struct sandbox detected;
	int status = 0;

	(void)context;
	trial_need(
	    landlock_open(&landlock, LANDLOCK_SIGNALS | LANDLOCK_SOCKETS) == 0);
	while (status == 0)
		status = landlock_enter(&landlock);
	landlock_close(&landlock);
	trial_need(status == -E2BIG && sandbox_detect(&detected, 0) == 0);
	trial_need(detected.layers[SANDBOX_LAYER_LANDLOCK].why[0] != '\0');
	sandbox_close(&detected);
	return (int)detected.level;
}

TEST(test_without_landlock_the_level_is_none)
{
	if (landlock_abi() < LANDLOCK_ABI_SCOPE)
		skip();
	assert_int_equal(
	    trial_run(detect_without_landlock, NULL), SANDBOX_NONE);
}

static int
folder_before(void **state)
{
	sandbox = (struct sandbox){ .filter_fd = -1 };
	return test_folder_make(state);
}

/* Expects that sandbox_hide() hides this path. */
static void
expect_hidden(const char *path, const char *resolved)
{
	int before = sandbox.hidden_count;

	assert_int_equal(sandbox_hide(&sandbox, path), 0);
	assert_int_equal(sandbox.hidden_count, before + 1);
	assert_string_equal(sandbox.hidden[before], resolved);
}

TEST_WITH(
    test_file_is_hidden_by_its_resolved_path, folder_before, test_folder_remove)
{
	const char *file = test_path("file"), *later = test_path("later");
	int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	trial_write(file);
	assert_int_equal(symlink(file, test_path("link")), 0);
	assert_int_equal(mkdir(test_path("folder"), 0755), 0);
	assert_int_equal(symlink(test_folder, test_path("here")), 0);
	assert_int_equal(symlink("later", test_path("dangling")), 0);
	expect_hidden(test_path("link"), file);
	expect_hidden(test_path("./folder/../file"), file);
	/* A file that will be made later, at the target of a link, too. */
	expect_hidden(test_path("here/later"), later);
	expect_hidden(test_path("later//"), later);
	expect_hidden(test_path("dangling"), later);
	expect_hidden("/no such file", "/no such file");
	assert_int_equal(
	    sandbox_hide(&sandbox, test_path("dangling/later")), -ENOENT);
	/* A name without a folder is in the working folder. */
	assert_int_equal(chdir(test_folder), 0);
	expect_hidden("later", later);
	assert_int_equal(fchdir(before), 0);
	close(before);
	while (sandbox.hidden_count < FILE_POLICY_HIDDEN_MAX)
		assert_int_equal(sandbox_hide(&sandbox, test_folder), 0);
	assert_int_equal(sandbox_hide(&sandbox, test_folder), -ENOSPC);
}
