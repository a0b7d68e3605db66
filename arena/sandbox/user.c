/*
 * Implements user.h: changing to a user without privileges, the pool of user
 * ids, and protection of the arena from other processes of its user.
 */
#include "user.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_text.h"

enum { EXIT_REFUSED = 1 };

static int
ids_set(unsigned id)
{
	return setgroups(0, NULL) < 0 || setresgid(id, id, id) < 0 ||
		setresuid(id, id, id) < 0
	    ? -errno
	    : 0;
}

int
user_become(unsigned id)
{
	int status = ids_set(id);

	if (status < 0)
		return status;
	/*
	 * Its files in /proc would belong to root, so that the process could
	 * not map itself.
	 */
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;
}

/* Runs in a process of its own, which other processes cannot inspect. */
static int
signal_all(unsigned id, int number)
{
	return ids_set(id) < 0 || (kill(-1, number) < 0 && errno != ESRCH)
	    ? EXIT_REFUSED
	    : 0;
}

int
user_signal(unsigned id, int number)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(signal_all(id, number));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	/* A process of that user may have killed this helper process. */
	if (!WIFEXITED(status))
		return -EAGAIN;
	return WEXITSTATUS(status) == 0 ? 0 : -EPERM;
}

struct uid_pool {
	unsigned first;
	atomic_bool taken[UID_POOL_MAX];
};

int
uid_pool_open(struct uid_pool **opened, unsigned first)
{
	struct uid_pool *uid_pool = mmap(NULL, sizeof(*uid_pool),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (uid_pool == MAP_FAILED)
		return -errno;
	uid_pool->first = first;
	*opened = uid_pool;
	return 0;
}

void
uid_pool_close(struct uid_pool *uid_pool)
{
	if (uid_pool != NULL)
		munmap(uid_pool, sizeof(*uid_pool));
}

int
uid_pool_reserve(struct uid_pool *uid_pool, unsigned *user)
{
	for (unsigned i = 0; i < UID_POOL_MAX; i++) {
		if (atomic_exchange(&uid_pool->taken[i], true))
			continue;
		*user = uid_pool->first + i;
		return 0;
	}
	return -EAGAIN;
}

void
uid_pool_give(struct uid_pool *uid_pool, unsigned user)
{
	assert(user - uid_pool->first < UID_POOL_MAX);
	atomic_store(&uid_pool->taken[user - uid_pool->first], false);
}

/* Finds the name of the user with this id. Returns 0 or -errno. */
static int
search_names(unsigned first, struct uid_pool_claim *claim)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;
	int error;

	if (file == NULL)
		return errno == ENOENT ? 0 : -errno;
	errno = 0;
	while (claim->owner == UID_POOL_FREE &&
	    (entry = fgetpwent(file)) != NULL) {
		if (entry->pw_uid - first >= UID_POOL_MAX)
			continue;
		*claim = (struct uid_pool_claim){ UID_POOL_NAMED, entry->pw_uid,
			"" };
		snprintf(
		    claim->name, sizeof(claim->name), "%s", entry->pw_name);
	}
	/* After the last entry errno may be ENOENT. */
	error = errno == ENOMEM ? -ENOMEM : 0;
	fclose(file);
	return error;
}

/* The user of a process; false if it has ended. */
static bool
process_user(const char *number, unsigned *user)
{
	char path[300], text[1024];
	const char *line = NULL;

	snprintf(path, sizeof(path), "/proc/%s/status", number);
	if (kernel_text_read(AT_FDCWD, path, text, sizeof(text)) > 0)
		line = strstr(text, "\nUid:");
	return line != NULL && sscanf(line, " Uid: %u", user) == 1;
}

static int
search_processes(unsigned first, struct uid_pool_claim *claim)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	unsigned user;

	if (processes == NULL)
		return -errno;
	while (claim->owner == UID_POOL_FREE &&
	    (entry = readdir(processes)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !process_user(entry->d_name, &user) ||
		    user - first >= UID_POOL_MAX)
			continue;
		*claim = (struct uid_pool_claim){ UID_POOL_RUNNING, user, "" };
		snprintf(
		    claim->name, sizeof(claim->name), "%.60s", entry->d_name);
	}
	closedir(processes);
	return 0;
}

int
uid_pool_search(unsigned first, struct uid_pool_claim *claim)
{
	int status;

	memset(claim, 0, sizeof(*claim));
	status = search_names(first, claim);
	return status == 0 && claim->owner == UID_POOL_FREE
	    ? search_processes(first, claim)
	    : status;
}

int
no_dump_begin(void)
{
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

void
no_dump_end(void)
{
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}
