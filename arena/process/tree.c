/*
 * Implements tree.h. The processes below the caller are found through
 * /proc/PID/task/TID/children, parents before their children.
 */
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
#include "countof.h"
#include "kernel_text.h"

enum {
	TREE_PATH_SIZE = 64,
	MEMFD_BLOCK_BYTES = 512, /* of st_blocks */
	TREE_TEXT_SIZE = 4096,
	TREE_QUIET_ROUNDS = 2, /* in which all are found at rest */
	/*
	 * In each round a process may die and leave a child that is stopped.
	 */
	TREE_CONTINUE_ROUNDS = 8,
	TREE_PAUSE_NS = 100000,
	TREE_GENERATIONS = 8, /* that are killed without a walk */
	/* processes that still run after this time cannot be stopped */
	TREE_STOP_MS = 500,
	/* processes that still live after this time hang in the kernel */
	TREE_KILL_MS = 5000
};

/* The processes that were found, parents before their children. */
struct tree {
	int proc_fd;
	struct member {
		pid_t pid, parent;
	} * members; /* owned */
	int count, capacity;
	bool (*is_spared)(pid_t child); /* or NULL */
	pid_t unreaped; /* a child that the caller reaps itself, or 0 */
	/* if this signal is pending, the walk ends; or 0 */
	int order_signal;
	/* threads whose children are looked for: at most (0: all), and so far */
	int thread_max, thread_count;
};

/* Whether no more threads are to be looked at. */
static bool
tree_is_full(const struct tree *tree)
{
	return tree->thread_max > 0 && tree->thread_count >= tree->thread_max;
}

static int
tree_add(struct tree *tree, pid_t pid, pid_t parent)
{
	if (ARRAY_GROW(tree->members, tree->count, tree->capacity))
		return -ENOMEM;
	tree->members[tree->count++] = (struct member){ pid, parent };
	return 0;
}

/* A folder of a process: `task`, `fd`. */
static DIR *
process_folder_open(int proc_fd, pid_t pid, const char *name)
{
	char path[TREE_PATH_SIZE];

	snprintf(path, sizeof(path), "%d/%s", pid, name);
	return folder_open(proc_fd, path);
}

/* Adds the children that a thread of a process has started: `12 15 18 `. */
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
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	file = fdopen(fd, "r");
	if (file == NULL) {
		close(fd);
		return -ENOMEM;
	}
	while (status == 0 && fscanf(file, "%ld", &pid) == 1)
		if (tree->is_spared == NULL || parent != getpid() ||
		    !tree->is_spared((pid_t)pid))
			status = tree_add(tree, (pid_t)pid, parent);
	fclose(file);
	return status;
}

/* The children of a process; none if it has ended. */
static int
add_offspring(struct tree *tree, pid_t parent)
{
	DIR *tasks = process_folder_open(tree->proc_fd, parent, "task");
	struct dirent *entry;
	int status = 0;

	if (tasks == NULL)
		return errno == ENOENT || errno == ESRCH ? 0 : -errno;
	while (status == 0 && !tree_is_full(tree) &&
	    (entry = readdir(tasks)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		tree->thread_count++;
		status = add_children(tree, parent, entry->d_name);
	}
	closedir(tasks);
	return status;
}

int
tree_list(
    int proc_fd, pid_t root, int count_max, pid_t **pids, bool *incomplete)
{
	struct tree tree = { .proc_fd = proc_fd,
		.thread_max = incomplete != NULL ? TREE_THREADS_MAX : 0 };
	int status = tree_add(&tree, root, 0);

	for (int i = 0; i < tree.count && i < count_max && status == 0; i++)
		status = add_offspring(&tree, tree.members[i].pid);
	*pids = calloc((size_t)tree.count + 1, sizeof(**pids));
	if (*pids == NULL)
		tree.count = 0;
	if (tree.count > count_max)
		tree.count = count_max;
	for (int i = 0; i < tree.count; i++)
		(*pids)[i] = tree.members[i].pid;
	if (incomplete != NULL)
		*incomplete = tree_is_full(&tree);
	free(tree.members);
	return tree.count;
}

static bool
is_stopped(char state)
{
	return state == 'T' || state == 't';
}

/*
 * Sends a signal to a process that was found, unless its number belongs to
 * another process by now.  Returns false if the process was at rest: it was
 * stopped, or for SIGCONT it was not.  A process that has just ended was not at
 * rest: it may have left a child that the walk has missed.
 */
static bool
member_signal(const struct tree *tree, const struct member *member, int signal)
{
	struct process_stat found;
	bool still = false;
	int fd;

	/*
	 * No other process can get the number of a child before it is reaped.
	 */
	if (signal == SIGKILL && member->parent == getpid()) {
		kill(member->pid, SIGKILL);
		if (member->pid != tree->unreaped)
			waitpid(member->pid, NULL, WNOHANG);
		return true;
	}
	/*
	 * A stopped process needs no signal, and a signal could hit another
	 * process that has got its number.
	 */
	if (signal == SIGSTOP &&
	    process_stat_read(tree->proc_fd, member->pid, &found) &&
	    found.parent == member->parent && is_stopped(found.state))
		return false;
	fd = pidfd_open(member->pid, 0);
	if (fd < 0)
		return true;
	/* Orphans are the caller's. */
	if (!process_stat_read(tree->proc_fd, member->pid, &found) ||
	    (found.parent != member->parent && found.parent != getpid()))
		goto close_fd;
	if (found.state == 'Z' || found.state == 'X') {
		still =
		    found.parent != getpid() || member->pid == tree->unreaped;
		if (!still)
			waitpid(member->pid, NULL, WNOHANG);
		goto close_fd;
	}
	still = is_stopped(found.state) == (signal != SIGCONT);
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
 * Sends a signal to all processes below the caller.  All processes of a
 * generation get it before the children of the first of them are looked for,
 * because computing processes slow the caller down.  *moving is the number of
 * processes that were not at rest.
 */
static int
tree_signal(struct tree *tree, int signal, int *moving)
{
	int status, first = 0;

	tree->count = *moving = 0;
	status = add_offspring(tree, getpid());
	while (first < tree->count && status == 0) {
		const int end = tree->count;

		for (int i = first; i < end; i++) {
			if (has_new_order(tree))
				return -EINTR;
			*moving +=
			    member_signal(tree, &tree->members[i], signal);
		}
		for (; first < end && status == 0; first++)
			status = add_offspring(tree, tree->members[first].pid);
	}
	return status;
}

static void
pause_tree(void)
{
	const struct timespec pause = { .tv_nsec = TREE_PAUSE_NS };

	nanosleep(&pause, NULL);
}

static void
stop_threads(int proc_fd, pid_t pid)
{
	DIR *tasks = process_folder_open(proc_fd, pid, "task");
	struct dirent *entry;

	while (tasks != NULL && (entry = readdir(tasks)) != NULL) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (thread > 0)
			(void)tgkill(pid, thread, SIGSTOP);
	}
	if (tasks != NULL)
		closedir(tasks);
}

/*
 * Signals the caller's own children before it reads anything about them.  The
 * caller competes with these processes for the processor, and its share beside
 * dozens of sessions is small.  The number of a child belongs to no other
 * process before the caller reaps it.  Errors are left to the walk that
 * follows.
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
			pause_tree();
	}
}

static int
tree_continue(struct tree *tree)
{
	int status = 0, quiet = 0, moving;

	for (int i = 0; i < TREE_CONTINUE_ROUNDS && status == 0 &&
	     quiet < TREE_QUIET_ROUNDS;
	     i++) {
		status = tree_signal(tree, SIGCONT, &moving);
		quiet = moving == 0 ? quiet + 1 : 0;
	}
	return status;
}

int
tree_freeze(int proc_fd, bool frozen, pid_t unreaped, int order_signal)
{
	struct tree tree = { .proc_fd = proc_fd,
		.unreaped = unreaped,
		.order_signal = order_signal };
	int status;

	signal_children(&tree, frozen ? SIGSTOP : SIGCONT);
	status = frozen ? tree_stop(&tree) : tree_continue(&tree);
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
tree_kill_once(int proc_fd, pid_t unreaped)
{
	struct tree tree = { .proc_fd = proc_fd, .unreaped = unreaped };
	int moving;
	int status = tree_signal(&tree, SIGKILL, &moving);

	free(tree.members);
	return status;
}

/*
 * Reaps the dead children of the caller.  Moves the others to the front and
 * returns their number.
 */
static int
reap(struct member *children, int count)
{
	int alive = 0;

	for (int i = 0; i < count; i++)
		if (waitpid(children[i].pid, NULL, WNOHANG) == 0)
			children[alive++] = children[i];
	return alive;
}

/*
 * Kills the children of the caller and reaps them, until there are none.  When
 * a process dies, its children become children of the caller and are killed
 * next.  That takes far less time than a walk.  But it cannot catch up with
 * processes that fork and exit again and again, so the number of generations is
 * limited.
 */
static int
kill_children(struct tree *tree, int64_t end_ns)
{
	int status = 0;

	for (int i = 0; i < TREE_GENERATIONS; i++) {
		int left;

		tree->count = 0;
		status = add_offspring(tree, getpid());
		if (status < 0 || tree->count == 0)
			break;
		for (int j = 0; j < tree->count; j++)
			kill(tree->members[j].pid, SIGKILL);
		for (left = tree->count; left > 0; pause_tree()) {
			left = reap(tree->members, left);
			if (clock_now_ns() > end_ns)
				return -ETIMEDOUT;
		}
	}
	return status;
}

int
tree_kill_all(int proc_fd, bool (*is_spared)(pid_t child))
{
	struct tree tree = { .proc_fd = proc_fd, .is_spared = is_spared };
	int64_t end_ns = clock_now_ns() + TREE_KILL_MS * CLOCK_NS_PER_MS;
	int found, status, moving;

	/* To kill many busy processes takes less time than to stop them. */
	status = tree_signal(&tree, SIGKILL, &moving);
	found = tree.count;
	if (status == 0)
		status = kill_children(&tree, end_ns);
	/* Processes that could not be stopped in time are killed, too. */
	if (status == 0 && tree.count > 0)
		status = tree_stop(&tree);
	while (status == 0 || status == -ETIMEDOUT) {
		status = tree_signal(&tree, SIGKILL, &moving);
		if (tree.count > found)
			found = tree.count;
		if (status < 0 || tree.count == 0)
			break;
		if (clock_now_ns() > end_ns) {
			status = -ETIMEDOUT;
			break;
		}
		pause_tree();
	}
	free(tree.members);
	return status < 0 ? status : found;
}

/* The memory of processes: all bytes, and those of files in memory. */
struct memory {
	bool exact; /* shared pages count once, if the kernel counts them so */
	int64_t bytes, file_bytes;
	/*
	 * Files in memory that processes have open, one entry for each
	 * descriptor.  They use memory also while no process has them mapped.
	 */
	struct memory_file {
		uint64_t number;
		int64_t bytes;
	} * files; /* owned */
	int file_count, file_capacity;
};

/* Bytes in the line `Pss:   123 kB` of a file of a process, or -1. */
static int64_t
line_bytes(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line == NULL ? -1
			    : strtoll(line + strlen(name), NULL, 10) * 1024;
}

static bool
read_text(int proc_fd, pid_t pid, const char *name, char text[TREE_TEXT_SIZE])
{
	char path[TREE_PATH_SIZE];

	snprintf(path, sizeof(path), "%d/%s", pid, name);
	return kernel_text_read(proc_fd, path, text, TREE_TEXT_SIZE) > 0;
}

/*
 * Adds the memory of a process.  A cheap sum has all pages that it shares.  An
 * exact sum has its part of these pages, or, if the kernel does not give that
 * number, only the pages that it does not share.  Page tables are added, too:
 * they are nearly all that a large address space uses if few of its pages are
 * used.
 */
static void
add_memory(struct memory *sum, int proc_fd, pid_t pid)
{
	char text[TREE_TEXT_SIZE];
	long long total, resident, shared;
	int64_t bytes = -1, file_bytes;

	if (read_text(proc_fd, pid, "status", text))
		bytes = line_bytes(text, "\nVmPTE:");
	sum->bytes += bytes > 0 ? bytes : 0;
	if (sum->exact && read_text(proc_fd, pid, "smaps_rollup", text) &&
	    (bytes = line_bytes(text, "\nPss:")) >= 0) {
		file_bytes = line_bytes(text, "\nPss_Shmem:");
		sum->bytes += bytes;
		/* The kernel gives no number: it may be all of the memory. */
		sum->file_bytes += file_bytes >= 0 ? file_bytes : bytes;
		return;
	}
	if (read_text(proc_fd, pid, "statm", text) &&
	    sscanf(text, "%lld %lld %lld", &total, &resident, &shared) == 3)
		sum->bytes += (sum->exact ? resident - shared : resident) *
		    sysconf(_SC_PAGESIZE);
}

static void
add_file(struct memory *sum, const struct stat *found)
{
	if (ARRAY_GROW(sum->files, sum->file_count, sum->file_capacity))
		return;
	sum->files[sum->file_count++] = (struct memory_file){
		.number = found->st_ino,
		.bytes = (int64_t)found->st_blocks * MEMFD_BLOCK_BYTES,
	};
}

static void
add_files(struct memory *sum, int proc_fd, pid_t pid)
{
	/* The beginnings of links in /proc/PID/fd that lead to such files. */
	static const char memory_file[] = "/memfd:";
	const ssize_t size = sizeof(memory_file) - 1;
	DIR *folder = process_folder_open(proc_fd, pid, "fd");
	char target[sizeof(memory_file)];
	struct dirent *entry;
	struct stat found;

	while (folder != NULL && (entry = readdir(folder)) != NULL)
		if (readlinkat(dirfd(folder), entry->d_name, target,
			(size_t)size) == size &&
		    memcmp(target, memory_file, (size_t)size) == 0 &&
		    fstatat(dirfd(folder), entry->d_name, &found, 0) == 0)
			add_file(sum, &found);
	if (folder != NULL)
		closedir(folder);
}

static int
by_number(const void *left, const void *right)
{
	const struct memory_file *a = left, *b = right;

	return (a->number > b->number) - (a->number < b->number);
}

/* Bytes of all files that were added, each counted once; they are freed. */
static int64_t
release_files(struct memory *sum)
{
	int64_t bytes = 0;

	if (sum->file_count > 0)
		qsort(sum->files, (size_t)sum->file_count, sizeof(*sum->files),
		    by_number);
	for (int i = 0; i < sum->file_count; i++)
		if (i == 0 || sum->files[i].number != sum->files[i - 1].number)
			bytes += sum->files[i].bytes;
	free(sum->files);
	return bytes;
}

/*
 * Mapped parts of files in memory are in both numbers.  The kernel does not say
 * how large these parts are, so the exact sum counts the larger of the two
 * numbers.
 */
int64_t
tree_memory(int proc_fd, int64_t limit_bytes,
    void (*before_each)(void *context), void *context)
{
	struct memory often = { .exact = false }, once = { .exact = true };
	int64_t bytes, memfd_bytes;
	pid_t *pids;
	int count = tree_list(proc_fd, getpid(), INT_MAX, &pids, NULL);

	/* The first one is the caller itself. */
	for (int i = 1; i < count; i++) {
		add_memory(&often, proc_fd, pids[i]);
		add_files(&often, proc_fd, pids[i]);
	}
	memfd_bytes = release_files(&often);
	bytes = often.bytes + memfd_bytes;
	if (bytes > limit_bytes) {
		for (int i = 1; i < count; i++) {
			if (before_each != NULL)
				before_each(context);
			add_memory(&once, proc_fd, pids[i]);
		}
		bytes = memfd_bytes > once.file_bytes
		    ? once.bytes - once.file_bytes + memfd_bytes
		    : once.bytes;
	}
	free(pids);
	return bytes;
}
