#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "folder.h"
#include "namespaces.h"
#include "test.h"

int
trial_run(int (*play)(void *context), void *context)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		trial_need(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
		_exit(play(context));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		return TRIAL_SIGNAL + WTERMSIG(status);
	assert_int_not_equal(WEXITSTATUS(status), TRIAL_UNREADY);
	return WEXITSTATUS(status);
}

int
trial_run_boxed(
    const struct file_policy *files, int (*play)(void *context), void *context)
{
	int status;
	pid_t first;

	if (namespaces_make() < 0)
		return TRIAL_NO_BOX;
	first = fork();
	if (first == 0) {
		status = namespaces_enter(files);
		if (status < 0 &&
		    (files == NULL || status == -EPERM || status == -EACCES ||
			status == -ENOSYS))
			_exit(TRIAL_NO_BOX);
		trial_need(status == 0);
		_exit(play(context));
	}
	trial_need(waitpid(first, &status, 0) == first && WIFEXITED(status));
	return WEXITSTATUS(status);
}

pid_t
trial_start(int (*prepare)(void *context), void *context)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		trial_need((prepare == NULL || prepare(context) == 0) &&
		    write(ready[1], "x", 1) == 1);
		child_sleep();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

void
trial_need(int holds)
{
	if (!holds)
		_exit(TRIAL_UNREADY);
}

int
trial_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

int
trial_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;
	char byte;

	if (fd < 0)
		return errno;
	if (read(fd, &byte, 1) < 0)
		error = errno;
	close(fd);
	return error;
}

void
trial_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text\n", 5), 5);
	close(fd);
}

void
trial_fill(const char *const *folders, const char *const *files)
{
	folder_make(test_folder);
	assert_int_equal(chmod(test_folder, 0755), 0);
	assert_int_equal(symlink(*folders, test_path("alias")), 0);
	for (; *folders != NULL; folders++)
		assert_int_equal(mkdir(test_path(*folders), 0755), 0);
	for (; *files != NULL; files++)
		trial_write(test_path(*files));
}

static char bot_name[] = "bot";
char *trial_arguments[] = { bot_name, NULL };
