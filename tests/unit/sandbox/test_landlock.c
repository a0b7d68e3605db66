/*
 * What a process behind Landlock can still do with files, ports and signals.
 */
#include "confinement.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"
#include "trial.h"

enum { PATH_SIZE = 128 };

/* Two folders with a file in each, and the paths of what is not there yet. */
struct scene {
	char folder[FOLDER_SIZE];
	char left[PATH_SIZE];
	char left_file[PATH_SIZE];
	char left_deep[PATH_SIZE];
	char left_new[PATH_SIZE];
	char other[PATH_SIZE];
	char other_file[PATH_SIZE];
};

static struct scene scene;

static void
path_make(char path[PATH_SIZE], const char *name)
{
	snprintf(path, PATH_SIZE, "%s/%s", scene.folder, name);
}

static int
scene_make(void **state)
{
	(void)state;
	folder_make(scene.folder);
	assert_int_equal(chmod(scene.folder, 0755), 0);
	path_make(scene.left, "left");
	path_make(scene.left_file, "left/file");
	path_make(scene.left_deep, "left/deep");
	path_make(scene.left_new, "left/new");
	path_make(scene.other, "other");
	path_make(scene.other_file, "other/file");
	assert_int_equal(mkdir(scene.left, 0755), 0);
	assert_int_equal(mkdir(scene.left_deep, 0755), 0);
	assert_int_equal(mkdir(scene.other, 0755), 0);
	path_make(scene.left_deep, "left/deep/file");
	trial_write(scene.left_file);
	trial_write(scene.left_deep);
	trial_write(scene.other_file);
	return 0;
}

static int
scene_clear(void **state)
{
	(void)state;
	folder_remove(scene.folder);
	return 0;
}

static void
skip_below(int abi)
{
	if (landlock_abi() >= abi)
		return;
	print_message(
	    "# Landlock of this kernel is %d, not %d\n", landlock_abi(), abi);
	skip();
}

/* What is left to a process, and what it tries then. */
struct attempt {
	const char *to_read;
	const char *to_write;
	int (*play)(const char *path, int flags);
	const char *path;
	int flags;
};

static int
attempt_play(void *context)
{
	const struct attempt *attempt = context;
	struct landlock landlock;

	trial_need(landlock_open(&landlock, LANDLOCK_FILES) == 0);
	if (attempt->to_read != NULL)
		trial_need(landlock_leave(&landlock, attempt->to_read,
			       LANDLOCK_READ) == 0);
	if (attempt->to_write != NULL)
		trial_need(landlock_leave(&landlock, attempt->to_write,
			       LANDLOCK_WRITE) == 0);
	trial_need(landlock_enter(&landlock) == 0);
	landlock_close(&landlock);
	return attempt->play(attempt->path, attempt->flags);
}

static int
attempt_open(const char *path, int flags)
{
	return trial_open(path, flags);
}

static int
attempt_truncate(const char *path, int flags)
{
	(void)flags;
	return truncate(path, 0) < 0 ? errno : 0;
}

static int
attempt_unlink(const char *path, int flags)
{
	(void)flags;
	return unlink(path) < 0 ? errno : 0;
}

static int
attempt_folder(const char *path, int flags)
{
	(void)flags;
	return mkdir(path, 0755) < 0 ? errno : 0;
}

static int
try(const char *to_read, const char *to_write,
    int (*play)(const char *path, int flags), const char *path, int flags)
{
	struct attempt attempt = { to_read, to_write, play, path, flags };

	return trial_run(attempt_play, &attempt);
}

static int
try_open(const char *to_read, const char *path, int flags)
{
	return try(to_read, NULL, attempt_open, path, flags);
}

TEST_WITH(test_left_folder_is_readable_and_no_other, scene_make, scene_clear)
{
	const int list = O_RDONLY | O_DIRECTORY;

	skip_below(LANDLOCK_ABI_FILES);
	assert_int_equal(try_open(scene.left, scene.left_file, O_RDONLY), 0);
	assert_int_equal(try_open(scene.left, scene.left_deep, O_RDONLY), 0);
	assert_int_equal(try_open(scene.left, scene.left, list), 0);
	assert_int_equal(
	    try_open(scene.left, scene.other_file, O_RDONLY), EACCES);
	assert_int_equal(try_open(scene.left, scene.other, list), EACCES);
	assert_int_equal(try_open(scene.left, scene.folder, list), EACCES);
	assert_int_equal(try_open(scene.left, "/", list), EACCES);
}

TEST_WITH(test_file_can_be_left_alone, scene_make, scene_clear)
{
	skip_below(LANDLOCK_ABI_FILES);
	assert_int_equal(
	    try_open(scene.left_file, scene.left_file, O_RDONLY), 0);
	assert_int_equal(
	    try_open(scene.left_file, scene.left_deep, O_RDONLY), EACCES);
}

TEST_WITH(test_what_is_left_to_read_cannot_be_changed, scene_make, scene_clear)
{
	const char *left = scene.left;

	skip_below(LANDLOCK_ABI_FILES);
	assert_int_equal(try_open(left, scene.left_file, O_WRONLY), EACCES);
	assert_int_equal(
	    try_open(left, scene.left_new, O_WRONLY | O_CREAT), EACCES);
	assert_int_equal(
	    try(left, NULL, attempt_folder, scene.left_new, 0), EACCES);
	assert_int_equal(
	    try(left, NULL, attempt_unlink, scene.left_file, 0), EACCES);
	if (landlock_abi() >= 3)
		assert_int_equal(
		    try(left, NULL, attempt_truncate, scene.left_file, 0),
		    EACCES);
	assert_int_equal(access(scene.left_new, F_OK), -1);
	assert_int_equal(access(scene.left_file, F_OK), 0);
}

TEST_WITH(test_what_is_left_to_write_can_be_written, scene_make, scene_clear)
{
	skip_below(LANDLOCK_ABI_FILES);
	assert_int_equal(
	    try(NULL, "/dev/null", attempt_open, "/dev/null", O_RDWR), 0);
	assert_int_equal(
	    try(NULL, "/dev/null", attempt_open, "/dev/zero", O_RDWR), EACCES);
	assert_int_equal(try(NULL, scene.left, attempt_open, scene.left_file,
			     O_WRONLY | O_TRUNC),
	    0);
	/* But not to grow in number. */
	assert_int_equal(try(NULL, scene.left, attempt_open, scene.left_new,
			     O_WRONLY | O_CREAT),
	    EACCES);
}

TEST_WITH(test_missing_path_is_left_out, scene_make, scene_clear)
{
	skip_below(LANDLOCK_ABI_FILES);
	assert_int_equal(
	    try_open(scene.left_new, scene.left_file, O_RDONLY), EACCES);
	assert_int_equal(
	    try_open("/dev/null/below", scene.left_file, O_RDONLY), EACCES);
}

/* Behind a domain of files, or one of signals. */
struct domain {
	unsigned scopes;
	int (*play)(void);
};

static int
domain_play(void *context)
{
	const struct domain *domain = context;
	struct landlock landlock;

	trial_need(landlock_open(&landlock, domain->scopes) == 0);
	trial_need(landlock_enter(&landlock) == 0);
	landlock_close(&landlock);
	return domain->play();
}

static int
signal_outside(void)
{
	return kill(getppid(), 0) < 0 ? errno : 0;
}

static int
signal_inside(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		for (;;)
			pause();
	if (kill(pid, SIGKILL) < 0)
		return errno;
	return waitpid(pid, &status, 0) == pid ? 0 : errno;
}

static int
connect_anywhere(void)
{
	/* Nobody listens there, or somebody does: it is not refused. */
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	trial_need(fd >= 0);
	return connect(fd, (const struct sockaddr *)&address, sizeof(address)) <
		0
	    ? errno
	    : 0;
}

static int
open_root(void)
{
	return trial_open("/", O_RDONLY | O_DIRECTORY);
}

static int
try_domain(unsigned scopes, int (*play)(void))
{
	struct domain domain = { scopes, play };

	return trial_run(domain_play, &domain);
}

TEST(test_signals_do_not_leave_a_scope)
{
	skip_below(LANDLOCK_ABI_SCOPE);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, signal_outside), EPERM);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, signal_inside), 0);
	assert_int_equal(
	    try_domain(LANDLOCK_FILES | LANDLOCK_SIGNALS, signal_outside),
	    EPERM);
	assert_int_equal(try_domain(LANDLOCK_FILES, signal_outside), 0);
}

TEST(test_scope_alone_takes_no_files)
{
	skip_below(LANDLOCK_ABI_SCOPE);
	assert_int_equal(try_domain(LANDLOCK_SIGNALS, open_root), 0);
	assert_int_equal(
	    try_domain(LANDLOCK_FILES | LANDLOCK_SIGNALS, open_root), EACCES);
}

TEST(test_ports_are_out_of_reach)
{
	skip_below(LANDLOCK_ABI_NETWORK);
	assert_int_equal(try_domain(LANDLOCK_FILES, connect_anywhere), EACCES);
	if (landlock_abi() >= LANDLOCK_ABI_SCOPE)
		assert_int_not_equal(
		    try_domain(LANDLOCK_SIGNALS, connect_anywhere), EACCES);
}

TEST(test_kernel_that_has_nothing_of_it_is_told)
{
	struct landlock landlock;

	assert_int_equal(landlock_open(&landlock, 0), -ENOSYS);
	if (landlock_abi() < LANDLOCK_ABI_FILES)
		assert_int_equal(
		    landlock_open(&landlock, LANDLOCK_FILES | LANDLOCK_SIGNALS),
		    -ENOSYS);
	if (landlock_abi() < LANDLOCK_ABI_SCOPE)
		assert_int_equal(
		    landlock_open(&landlock, LANDLOCK_SIGNALS), -ENOSYS);
}
