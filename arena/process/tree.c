#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "kernel_text.h"

enum {
	TREE_PATH_SIZE = 64,
	TREE_TEXT_SIZE = 4096,
	TREE_QUIET_ROUNDS = 2, /* in which nobody is found to run */
	TREE_PAUSE_NS = 100000,
	TREE_STOP_MS = 500, /* who is not stopped by then never is.. */
	TREE_KILL_MS = 5000 /* ..and who is not dead is stuck in the kernel */
};

/* Who was found, parents before their children. */
struct tree {
	int proc_fd;
	struct member {
		pid_t pid, parent;
	} * members; /* owned */
	int count, capacity;
	const struct tree_spared *spared;
	pid_t unreaped;   /* a child whose end is for the caller to see, or 0 */
	int order_signal; /* pending, the caller has something else to do; or 0 */
};

int
tree_open(void)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int
tree_add(struct tree *tree, pid_t pid, pid_t parent)
{
	if (tree->count == tree->capacity) {
		int capacity = tree->capacity > 0 ? 2 * tree->capacity : 64;
		struct member *members =
		    realloc(tree->members, (size_t)capacity * sizeof(*members));

		if (members == NULL)
			return -ENOMEM;
		tree->members = members;
		tree->capacity = capacity;
	}
	tree->members[tree->count++] = (struct member){ pid, parent };
	return 0;
}

static bool
is_spared(const struct tree *tree, pid_t child, pid_t parent)
{
	return tree->spared != NULL && parent == getpid() &&
	    tree->spared->is_spared(tree->spared->context, child);
}

/* Adds those that a thread of a process has started: `12 15 18 `. */
static int
add_children(struct tree *tree, pid_t parent, const char *thread)
{
	char path[TREE_PATH_SIZE];
	FILE *file;
	int fd, status = 0;
	long pid;

	snprintf(path, sizeof(path), "%d/task/%.20s/children", parent, thread);
	fd = openat(tree->proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file = fdopen(fd, "r");
	if (file == NULL) {
		close(fd);
		return -ENOMEM;
	}
	while (status == 0 && fscanf(file, "%ld", &pid) == 1)
		if (!is_spared(tree, (pid_t)pid, parent))
			status = tree_add(tree, (pid_t)pid, parent);
	fclose(file);
	return status;
}

/* The children of a process; one that is gone has none. */
static int
add_offspring(struct tree *tree, pid_t parent)
{
	char path[TREE_PATH_SIZE];
	struct dirent *entry;
	int fd, status = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%d/task", parent);
	fd = openat(tree->proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	dir = fdopendir(fd);
	if (dir == NULL) {
		close(fd);
		return -ENOMEM;
	}
	while (status == 0 && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		status = add_children(tree, parent, entry->d_name);
		if (status == -ENOENT || status == -ESRCH)
			status = 0;
	}
	closedir(dir);
	return status;
}

/* State and parent of a process; false where it is gone. */
static bool
look_at(int proc_fd, pid_t pid, char *state, pid_t *parent)
{
	char path[TREE_PATH_SIZE], text[TREE_TEXT_SIZE];
	const char *name_end;

	snprintf(path, sizeof(path), "%d/stat", pid);
	if (kernel_text_read(proc_fd, path, text, sizeof(text)) <= 0)
		return false;
	name_end = strrchr(text, ')');
	if (name_end == NULL || name_end[1] == '\0')
		return false;
	*state = name_end[2];
	*parent = (pid_t)strtol(name_end + 3, NULL, 10);
	return true;
}

/* Whether it was stopped already: then no signal is to be sent, and none can hit
 * another process that has its number by now. */
static bool
is_stopped(const struct tree *tree, const struct member *member)
{
	pid_t parent;
	char state;

	return look_at(tree->proc_fd, member->pid, &state, &parent) &&
	    parent == member->parent && (state == 'T' || state == 't');
}

/*
 * Sends a signal to one that was found, unless its number has come to be
 * another's since.  False where it lay still: one that has just ended may have
 * left a child where it was not looked for.
 */
static bool
member_signal(const struct tree *tree, const struct member *member, int signal)
{
	bool still = false;
	pid_t parent;
	char state;
	int fd;

	if (signal == SIGSTOP && is_stopped(tree, member))
		return false;
	fd = pidfd_open(member->pid, 0);
	if (fd < 0)
		return true;
	/* Orphans are the caller's. */
	if (!look_at(tree->proc_fd, member->pid, &state, &parent) ||
	    (parent != member->parent && parent != getpid()))
		goto close_fd;
	if (state == 'Z' || state == 'X') {
		still = parent != getpid() || member->pid == tree->unreaped;
		if (!still)
			waitpid(member->pid, NULL, WNOHANG);
		goto close_fd;
	}
	still = state == 'T' || state == 't';
	if (!still || signal != SIGSTOP)
		pidfd_send_signal(fd, signal, NULL, 0);
close_fd:
	close(fd);
	return !still;
}

static bool
has_new_order(const struct tree *tree)
{
	sigset_t pending;

	return tree->order_signal != 0 && sigpending(&pending) == 0 &&
	    sigismember(&pending, tree->order_signal) == 1;
}

/*
 * Sends a signal to all below the caller, to parents before it is asked for
 * their children; *moving is how many did not lie still.
 */
static int
tree_signal(struct tree *tree, int signal, int *moving)
{
	int status;

	tree->count = *moving = 0;
	status = add_offspring(tree, getpid());
	for (int i = 0; i < tree->count && status == 0; i++) {
		if (has_new_order(tree))
			return -EINTR;
		*moving += member_signal(tree, &tree->members[i], signal);
		status = add_offspring(tree, tree->members[i].pid);
	}
	return status;
}

static void
take_pause(void)
{
	const struct timespec pause = { .tv_nsec = TREE_PAUSE_NS };

	nanosleep(&pause, NULL);
}

static void
stop_threads(int proc_fd, pid_t pid)
{
	char path[TREE_PATH_SIZE];
	struct dirent *entry;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/task", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (thread > 0)
			(void)tgkill(pid, thread, SIGSTOP);
	}
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

/*
 * Signals the caller's own children before anything is asked about them: the
 * caller competes for the processor with those it is to stop, and its share
 * beside dozens of sessions is small.  The number of a child belongs to no other
 * process before the caller reaps it.  Errors are left to the walk that follows.
 */
static void
signal_children(struct tree *tree, int signal)
{
	tree->count = 0;
	(void)add_offspring(tree, getpid());
	for (int i = 0; i < tree->count; i++)
		kill(tree->members[i].pid, signal);
	for (int i = 0; i < tree->count && signal == SIGSTOP; i++)
		stop_threads(tree->proc_fd, tree->members[i].pid);
}

static int
tree_stop(struct tree *tree)
{
	int64_t end_ns = clock_now_ns() + TREE_STOP_MS * CLOCK_NS_PER_MS;
	int quiet = 0, moving;

	for (;;) {
		int status = tree_signal(tree, SIGSTOP, &moving);

		if (status < 0)
			return status;
		quiet = moving == 0 ? quiet + 1 : 0;
		if (quiet == TREE_QUIET_ROUNDS)
			return 0;
		if (clock_now_ns() > end_ns)
			return -ETIMEDOUT;
		if (moving > 0)
			take_pause();
	}
}

int
tree_hold(int proc_fd, bool frozen, pid_t unreaped, int order_signal)
{
	struct tree tree = { .proc_fd = proc_fd,
		.unreaped = unreaped,
		.order_signal = order_signal };
	int status, moving;

	signal_children(&tree, frozen ? SIGSTOP : SIGCONT);
	status =
	    frozen ? tree_stop(&tree) : tree_signal(&tree, SIGCONT, &moving);
	free(tree.members);
	return status;
}

void
tree_stop_threads(int proc_fd)
{
	struct tree tree = { .proc_fd = proc_fd };
	int status = add_offspring(&tree, getpid());

	for (int i = 0; i < tree.count && status == 0; i++) {
		stop_threads(proc_fd, tree.members[i].pid);
		status = add_offspring(&tree, tree.members[i].pid);
	}
	free(tree.members);
}

int
tree_strike(int proc_fd, pid_t unreaped)
{
	struct tree tree = { .proc_fd = proc_fd, .unreaped = unreaped };
	int moving;
	int status = tree_signal(&tree, SIGKILL, &moving);

	free(tree.members);
	return status;
}

int
tree_kill_all(int proc_fd, const struct tree_spared *spared)
{
	struct tree tree = { .proc_fd = proc_fd, .spared = spared };
	int64_t end_ns = clock_now_ns() + TREE_KILL_MS * CLOCK_NS_PER_MS;
	int found = 0, status, moving;

	/* To stop all of many that compute takes longer than to kill them. */
	status = tree_signal(&tree, SIGKILL, &moving);
	found = tree.count;
	/* Who is stopped too late is killed all the same. */
	if (status == 0)
		status = tree_stop(&tree);
	while (status == 0 || status == -ETIMEDOUT) {
		status = tree_signal(&tree, SIGKILL, &moving);
		if (tree.count > found)
			found = tree.count;
		if (status < 0 || tree.count == 0)
			break;
		if (clock_now_ns() > end_ns)
			status = -ETIMEDOUT;
		if (status < 0)
			break;
		take_pause();
	}
	free(tree.members);
	return status < 0 ? status : found;
}

/* What processes have in memory; of that, what is of files in memory. */
struct weight {
	int64_t bytes, file_bytes;
};

/* Bytes in the line `\nPss:   123 kB` of a text, or -1. */
static int64_t
line_bytes(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line == NULL ? -1
			    : strtoll(line + strlen(name), NULL, 10) * 1024;
}

/*
 * Page tables of a process, which count as none of its pages: of an address space
 * that is only read here and there they are all that it takes.
 */
static int64_t
table_bytes(int proc_fd, pid_t pid)
{
	char path[TREE_PATH_SIZE], text[TREE_TEXT_SIZE];
	int64_t bytes = -1;

	snprintf(path, sizeof(path), "%d/status", pid);
	if (kernel_text_read(proc_fd, path, text, sizeof(text)) > 0)
		bytes = line_bytes(text, "\nVmPTE:");
	return bytes > 0 ? bytes : 0;
}

/*
 * Adds what a process has in memory: with all pages that it shares, or with its
 * part of them, where the kernel tells, or else with what it has alone.
 */
static void
add_member(struct weight *sum, int proc_fd, pid_t pid, bool exact)
{
	char path[TREE_PATH_SIZE], text[TREE_TEXT_SIZE];
	long long total, resident, shared;
	int64_t bytes = -1, file_bytes;

	sum->bytes += table_bytes(proc_fd, pid);
	if (exact) {
		snprintf(path, sizeof(path), "%d/smaps_rollup", pid);
		if (kernel_text_read(proc_fd, path, text, sizeof(text)) > 0)
			bytes = line_bytes(text, "\nPss:");
	}
	if (bytes >= 0) {
		file_bytes = line_bytes(text, "\nPss_Shmem:");
		sum->bytes += bytes;
		/* Where the kernel does not tell, it may be all of it. */
		sum->file_bytes += file_bytes >= 0 ? file_bytes : bytes;
		return;
	}
	snprintf(path, sizeof(path), "%d/statm", pid);
	if (kernel_text_read(proc_fd, path, text, sizeof(text)) <= 0 ||
	    sscanf(text, "%lld %lld %lld", &total, &resident, &shared) != 3)
		return;
	sum->bytes +=
	    (exact ? resident - shared : resident) * sysconf(_SC_PAGESIZE);
}

/*
 * The part of files in memory that is mapped is in both numbers; how much that
 * is no one tells, and so the sum is never more than there is.
 */
static int64_t
exact_memory(const struct tree *tree, int64_t memfd_usage)
{
	struct weight sum = { 0, 0 };

	for (int i = 0; i < tree->count; i++)
		add_member(&sum, tree->proc_fd, tree->members[i].pid, true);
	return memfd_usage > sum.file_bytes
	    ? sum.bytes - sum.file_bytes + memfd_usage
	    : sum.bytes;
}

int64_t
tree_memory(int proc_fd, pid_t root, int64_t limit_bytes)
{
	struct tree tree = { .proc_fd = proc_fd };
	struct memfd_usage memfd_usage = { .count = 0 };
	struct weight sum = { 0, 0 };
	int status = tree_add(&tree, root, getpid());
	int64_t bytes, memfd_bytes;

	for (int i = 0; i < tree.count && status == 0; i++) {
		add_member(&sum, proc_fd, tree.members[i].pid, false);
		memfd_usage_add(&memfd_usage, proc_fd, tree.members[i].pid);
		status = add_offspring(&tree, tree.members[i].pid);
	}
	memfd_bytes = memfd_usage_bytes(&memfd_usage);
	bytes = sum.bytes + memfd_bytes;
	if (bytes > limit_bytes)
		bytes = exact_memory(&tree, memfd_bytes);
	memfd_usage_release(&memfd_usage);
	free(tree.members);
	return bytes;
}

enum { MEMFD_PATH_SIZE = 64, MEMFD_BLOCK_BYTES = 512 /* of st_blocks */ };

/* How the links in /proc/PID/fd begin that lead to such a file. */
static const char memory_file[] = "/memfd:";

static void
put_file(struct memfd_usage *memfd_usage, const struct stat *found)
{
	if (memfd_usage->count == memfd_usage->capacity) {
		int capacity =
		    memfd_usage->capacity > 0 ? 2 * memfd_usage->capacity : 64;
		struct memfd_file *files = realloc(
		    memfd_usage->files, (size_t)capacity * sizeof(*files));

		if (files == NULL)
			return;
		memfd_usage->files = files;
		memfd_usage->capacity = capacity;
	}
	memfd_usage->files[memfd_usage->count++] = (struct memfd_file){
		.number = found->st_ino,
		.bytes = (int64_t)found->st_blocks * MEMFD_BLOCK_BYTES,
	};
}

void
memfd_usage_add(struct memfd_usage *memfd_usage, int proc_fd, pid_t pid)
{
	char path[MEMFD_PATH_SIZE], target[sizeof(memory_file) - 1];
	struct dirent *entry;
	struct stat found;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "%d/fd", pid);
	fd = openat(proc_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	dir = fdopendir(fd);
	if (dir == NULL) {
		close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL)
		if (readlinkat(fd, entry->d_name, target, sizeof(target)) ==
			sizeof(target) &&
		    memcmp(target, memory_file, sizeof(target)) == 0 &&
		    fstatat(fd, entry->d_name, &found, 0) == 0)
			put_file(memfd_usage, &found);
	closedir(dir);
}

static int
by_number(const void *left, const void *right)
{
	const struct memfd_file *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

int64_t
memfd_usage_bytes(struct memfd_usage *memfd_usage)
{
	int64_t sum = 0;

	if (memfd_usage->count == 0)
		return 0;
	qsort(memfd_usage->files, (size_t)memfd_usage->count,
	    sizeof(*memfd_usage->files), by_number);
	for (int i = 0; i < memfd_usage->count; i++)
		if (i == 0 ||
		    memfd_usage->files[i].number !=
			memfd_usage->files[i - 1].number)
			sum += memfd_usage->files[i].bytes;
	return sum;
}

void
memfd_usage_release(struct memfd_usage *memfd_usage)
{
	free(memfd_usage->files);
	*memfd_usage = (struct memfd_usage){ .files = NULL };
}
