#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

enum { BITS = 32, READ_WRITE = 0666 };

/* A message with the number in it. */
struct letter {
	long type;
	uint32_t number;
};

/*
 * Sends the number, or listens for it: true with the number.  What is sent
 * stays where it is, by open descriptors or by itself; `end` takes away what
 * would stay for good.
 */
struct channel {
	const char *name;
	void (*send)(const struct targets *targets, uint32_t number);
	bool (*listen)(const struct targets *targets, uint32_t *number);
	void (*end)(const struct targets *targets);
};

static const char *
meeting_place(const struct targets *targets, const char *folder,
    char path[PROBE_PATH_SIZE])
{
	char name[64];

	snprintf(name, sizeof(name), "scopa-probe-%08x", targets->key);
	return probe_path(path, folder, name);
}

static void
write_number(const struct targets *targets, const char *folder, uint32_t number)
{
	char path[PROBE_PATH_SIZE];
	int fd = open(meeting_place(targets, folder, path),
	    O_CREAT | O_WRONLY | O_CLOEXEC, READ_WRITE);

	if (fd < 0)
		return;
	if (write(fd, &number, sizeof(number)) < 0)
		unlink(path);
	close(fd);
}

static bool
read_number(const struct targets *targets, const char *folder, uint32_t *number)
{
	char path[PROBE_PATH_SIZE];
	int fd =
	    open(meeting_place(targets, folder, path), O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, number, sizeof(*number));
	close(fd);
	return got == (ssize_t)sizeof(*number);
}

static void
remove_number(const struct targets *targets, const char *folder)
{
	char path[PROBE_PATH_SIZE];

	unlink(meeting_place(targets, folder, path));
}

static void
send_file(const struct targets *targets, uint32_t number)
{
	write_number(targets, targets->outside, number);
}

static bool
listen_file(const struct targets *targets, uint32_t *number)
{
	return read_number(targets, targets->outside, number);
}

static void
end_file(const struct targets *targets)
{
	remove_number(targets, targets->outside);
}

static void
send_temporary(const struct targets *targets, uint32_t number)
{
	write_number(targets, "/tmp", number);
}

static bool
listen_temporary(const struct targets *targets, uint32_t *number)
{
	return read_number(targets, "/tmp", number);
}

static void
end_temporary(const struct targets *targets)
{
	remove_number(targets, "/tmp");
}

static void
send_memory_file(const struct targets *targets, uint32_t number)
{
	write_number(targets, "/dev/shm", number);
}

static bool
listen_memory_file(const struct targets *targets, uint32_t *number)
{
	return read_number(targets, "/dev/shm", number);
}

static void
end_memory_file(const struct targets *targets)
{
	remove_number(targets, "/dev/shm");
}

/* The nanoseconds of a time that nobody else sets are the number's parts. */
enum { TIME_MARK = 1000000000, TIME_PART = 1 << 16 };

static void
send_time(const struct targets *targets, uint32_t number)
{
	const struct timespec times[2] = {
		{ TIME_MARK, (long)(number / TIME_PART) },
		{ TIME_MARK, (long)(number % TIME_PART) },
	};

	utimensat(AT_FDCWD, targets->shared, times, 0);
}

static bool
listen_time(const struct targets *targets, uint32_t *number)
{
	struct stat status;

	if (stat(targets->shared, &status) < 0 ||
	    status.st_mtim.tv_sec != TIME_MARK ||
	    status.st_atim.tv_sec != TIME_MARK)
		return false;
	*number = (uint32_t)(status.st_atim.tv_nsec * TIME_PART +
	    status.st_mtim.tv_nsec);
	return true;
}

/* A lock on a byte is a bit; one more says that they are there. */
static void
send_locks(const struct targets *targets, uint32_t number)
{
	int fd = open(targets->shared, O_RDONLY | O_CLOEXEC);

	for (int i = 0; fd >= 0 && i <= BITS; i++) {
		struct flock lock = { .l_type = F_RDLCK,
			.l_whence = SEEK_SET,
			.l_start = i,
			.l_len = 1 };

		if (i == BITS || (number >> i & 1) != 0)
			fcntl(fd, F_SETLK, &lock);
	}
}

static bool
is_locked(int fd, int byte)
{
	struct flock lock = { .l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = byte,
		.l_len = 1 };

	return fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool
listen_locks(const struct targets *targets, uint32_t *number)
{
	int fd = open(targets->shared, O_RDONLY | O_CLOEXEC);
	bool there = fd >= 0 && is_locked(fd, BITS);

	*number = 0;
	for (int i = 0; there && i < BITS; i++)
		*number |= (uint32_t)is_locked(fd, i) << i;
	if (fd >= 0)
		close(fd);
	return there;
}

/* 0; EADDRINUSE where somebody has that name. */
static int
take_name(const struct targets *targets, int bit, bool paired)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t size = offsetof(struct sockaddr_un, sun_path) + 1;
	int pair[2] = { -1, -1 }, status;

	size +=
	    (size_t)snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
		"scopa-probe-%08x-%d-%d", targets->key, paired, bit);
	if (paired)
		status =
		    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	else
		status = pair[0] =
		    socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (status < 0)
		return errno;
	if (pair[1] >= 0)
		close(pair[1]);
	if (bind(pair[0], (const struct sockaddr *)&address, (socklen_t)size) ==
	    0)
		return 0; /* it stays */
	status = errno;
	close(pair[0]);
	return status;
}

static void
send_names(const struct targets *targets, uint32_t number, bool paired)
{
	for (int i = 0; i <= BITS; i++)
		if (i == BITS || (number >> i & 1) != 0)
			take_name(targets, i, paired);
}

/* A name that was free is taken now: this can be asked only once. */
static bool
listen_names(const struct targets *targets, uint32_t *number, bool paired)
{
	if (take_name(targets, BITS, paired) != EADDRINUSE)
		return false;
	*number = 0;
	for (int i = 0; i < BITS; i++)
		if (take_name(targets, i, paired) == EADDRINUSE)
			*number |= UINT32_C(1) << i;
	return true;
}

static void
send_socket_names(const struct targets *targets, uint32_t number)
{
	send_names(targets, number, false);
}

static bool
listen_socket_names(const struct targets *targets, uint32_t *number)
{
	return listen_names(targets, number, false);
}

static void
send_pair_names(const struct targets *targets, uint32_t number)
{
	send_names(targets, number, true);
}

static bool
listen_pair_names(const struct targets *targets, uint32_t *number)
{
	return listen_names(targets, number, true);
}

static void
send_segment(const struct targets *targets, uint32_t number)
{
	int id =
	    shmget((key_t)targets->key, sizeof(number), IPC_CREAT | READ_WRITE);
	void *memory = id < 0 ? NULL : shmat(id, NULL, 0);

	if (id >= 0 && (intptr_t)memory != -1)
		memcpy(memory, &number, sizeof(number));
}

static bool
listen_segment(const struct targets *targets, uint32_t *number)
{
	int id = shmget((key_t)targets->key, sizeof(*number), 0);
	const void *memory = id < 0 ? NULL : shmat(id, NULL, SHM_RDONLY);

	if (id < 0 || (intptr_t)memory == -1)
		return false;
	memcpy(number, memory, sizeof(*number));
	return true;
}

static void
end_segment(const struct targets *targets)
{
	int id = shmget((key_t)targets->key, sizeof(uint32_t), 0);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
}

static void
send_letter(const struct targets *targets, uint32_t number)
{
	struct letter letter = { .type = 1, .number = number };
	int id = msgget((key_t)targets->key, IPC_CREAT | READ_WRITE);

	if (id >= 0)
		msgsnd(id, &letter, sizeof(letter.number), IPC_NOWAIT);
}

static bool
listen_letter(const struct targets *targets, uint32_t *number)
{
	struct letter letter;
	int id = msgget((key_t)targets->key, 0);

	if (id < 0 ||
	    msgrcv(id, &letter, sizeof(letter.number), 0, IPC_NOWAIT) < 0)
		return false;
	*number = letter.number;
	return true;
}

static void
end_letter(const struct targets *targets)
{
	int id = msgget((key_t)targets->key, 0);

	if (id >= 0)
		msgctl(id, IPC_RMID, NULL);
}

static const char *
queue_name(const struct targets *targets, char name[64])
{
	snprintf(name, 64, "/scopa-probe-%08x", targets->key);
	return name;
}

static void
send_queue(const struct targets *targets, uint32_t number)
{
	struct mq_attr attributes = { .mq_maxmsg = 1,
		.mq_msgsize = sizeof(number) };
	char name[64];
	mqd_t queue = mq_open(queue_name(targets, name),
	    O_CREAT | O_RDWR | O_NONBLOCK, READ_WRITE, &attributes);

	if (queue >= 0)
		mq_send(queue, (const char *)&number, sizeof(number), 0);
}

static bool
listen_queue(const struct targets *targets, uint32_t *number)
{
	char name[64];
	mqd_t queue = mq_open(queue_name(targets, name), O_RDONLY | O_NONBLOCK);
	ssize_t got;

	if (queue < 0)
		return false;
	got = mq_receive(queue, (char *)number, sizeof(*number), NULL);
	mq_close(queue);
	return got == (ssize_t)sizeof(*number);
}

static void
end_queue(const struct targets *targets)
{
	char name[64];

	mq_unlink(queue_name(targets, name));
}

static long
key_find(const struct targets *targets)
{
	char name[64];

	return syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user",
	    queue_name(targets, name), 0);
}

static void
send_key(const struct targets *targets, uint32_t number)
{
	char name[64];

	syscall(SYS_add_key, "user", queue_name(targets, name), &number,
	    sizeof(number), KEY_SPEC_USER_KEYRING);
}

static bool
listen_key(const struct targets *targets, uint32_t *number)
{
	long key = key_find(targets);

	return key >= 0 &&
	    syscall(SYS_keyctl, KEYCTL_READ, key, number, sizeof(*number)) ==
	    (long)sizeof(*number);
}

static void
end_key(const struct targets *targets)
{
	long key = key_find(targets);

	if (key >= 0)
		syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
}

/* The name of a process is for everybody to read. */
static void
send_title(const struct targets *targets, uint32_t number)
{
	char title[16];

	(void)targets;
	snprintf(title, sizeof(title), "probe-%08x", number);
	prctl(PR_SET_NAME, title, 0, 0, 0);
}

static bool
listen_title(const struct targets *targets, uint32_t *number)
{
	char path[PROBE_PATH_SIZE], title[32] = "";
	FILE *file;
	bool found;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)targets->sibling);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	found = fgets(title, sizeof(title), file) != NULL &&
	    sscanf(title, "probe-%8x", number) == 1;
	fclose(file);
	return found;
}

/*
 * A word for each bit, and one more, in a half of a page that both have mapped:
 * channels must not hear each other.
 */
enum { PAGE = 4096, WAIT_MS = 200 };

/*
 * Of the file that both run.  The shared one is not touched: to map it is to
 * read it, and to close it is to give up locks.
 */
static uint32_t *
shared_words(int half)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	return page == MAP_FAILED
	    ? NULL
	    : (uint32_t *)(void *)(page + half * PAGE / 2);
}

/* A process that goes when the bot goes; true in it. */
static bool
send_beside(void)
{
	if (fork() != 0)
		return false;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The bot's pipes are not its own. */
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	return true;
}

/* For each bit that is set a process waits. */
static void
send_waits(const struct targets *targets, uint32_t number)
{
	uint32_t *words = shared_words(0);

	(void)targets;
	for (int i = 0; words != NULL && i <= BITS; i++) {
		if (i < BITS && (number >> i & 1) == 0)
			continue;
		if (!send_beside())
			continue;
		for (;;)
			syscall(SYS_futex, &words[i], FUTEX_WAIT, words[i],
			    NULL, NULL, 0);
	}
}

/* How many are woken is told. */
static bool
listen_waits(const struct targets *targets, uint32_t *number)
{
	uint32_t *words = shared_words(0);

	(void)targets;
	*number = 0;
	for (int i = 0; words != NULL && i < BITS; i++)
		if (syscall(
			SYS_futex, &words[i], FUTEX_WAKE, 1, NULL, NULL, 0) > 0)
			*number |= UINT32_C(1) << i;
	return words != NULL &&
	    syscall(SYS_futex, &words[BITS], FUTEX_WAKE, 1, NULL, NULL, 0) > 0;
}

static int
end_at_once(void *context)
{
	(void)context;
	_exit(0);
}

/*
 * At the end of a process the kernel wakes a word that was named at its start.
 */
static void
wake_by_end(uint32_t *word)
{
	static char stack[4 * PAGE] __attribute__((aligned(16)));

	clone(end_at_once, stack + sizeof(stack),
	    CLONE_VM | CLONE_CHILD_CLEARTID | SIGCHLD, NULL, NULL, NULL, word);
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

static void
send_ends(const struct targets *targets, uint32_t number)
{
	uint32_t *words = shared_words(1);

	(void)targets;
	if (words == NULL || !send_beside())
		return;
	signal(SIGCHLD, SIG_IGN);
	for (;;)
		for (int i = 0; i <= BITS; i++)
			if (i == BITS || (number >> i & 1) != 0)
				wake_by_end(&words[i]);
}

static bool
is_woken(uint32_t *word)
{
	const struct timespec most = { .tv_nsec = WAIT_MS * 1000000L };

	return syscall(SYS_futex, word, FUTEX_WAIT, *word, &most, NULL, 0) == 0;
}

static bool
listen_ends(const struct targets *targets, uint32_t *number)
{
	uint32_t *words = shared_words(1);

	(void)targets;
	*number = 0;
	if (words == NULL || !is_woken(&words[BITS]))
		return false;
	for (int i = 0; i < BITS; i++)
		*number |= (uint32_t)is_woken(&words[i]) << i;
	return true;
}

/* A file has room for one of these, by a hint of how long data will live. */
enum { HINTS = 6 };

static void
send_hint(const struct targets *targets, uint32_t number)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t hint = 1 + number % (HINTS - 1);

	(void)targets;
	(void)targets;
	if (fd < 0)
		return;
	fcntl(fd, F_SET_RW_HINT, &hint);
	close(fd);
}

/* The rest of the number by HINTS - 1 is all that one file holds. */
static bool
listen_hint(const struct targets *targets, uint32_t *number)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t hint = 0;

	(void)targets;
	if (fd < 0)
		return false;
	if (fcntl(fd, F_GET_RW_HINT, &hint) < 0)
		hint = 0;
	close(fd);
	*number = (uint32_t)hint;
	return hint != 0;
}

static void
end_hint(const struct targets *targets)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t none = 0;

	(void)targets;
	if (fd < 0)
		return;
	fcntl(fd, F_SET_RW_HINT, &none);
	close(fd);
}

static const struct channel channels[] = {
	{ "file", send_file, listen_file, end_file },
	{ "tmp-file", send_temporary, listen_temporary, end_temporary },
	{ "shm-file", send_memory_file, listen_memory_file, end_memory_file },
	{ "locks", send_locks, listen_locks, NULL },
	{ "socket-names", send_socket_names, listen_socket_names, NULL },
	{ "pair-names", send_pair_names, listen_pair_names, NULL },
	{ "sysv-memory", send_segment, listen_segment, end_segment },
	{ "sysv-queue", send_letter, listen_letter, end_letter },
	{ "posix-queue", send_queue, listen_queue, end_queue },
	{ "key", send_key, listen_key, end_key },
	{ "title", send_title, listen_title, NULL },
	{ "file-times", send_time, listen_time, NULL },
	{ "futex-waits", send_waits, listen_waits, NULL },
	{ "futex-ends", send_ends, listen_ends, NULL },
	{ "file-hint", send_hint, listen_hint, end_hint },
};

_Static_assert(COUNTOF(channels) <= COLLUSION_CHANNELS_MAX, "room for all");

void
collusion_send(const struct targets *targets, uint32_t number)
{
	for (size_t i = 0; i < COUNTOF(channels); i++)
		channels[i].send(targets, number);
}

void
collusion_end(const struct targets *targets)
{
	for (size_t i = 0; i < COUNTOF(channels); i++)
		if (channels[i].end != NULL)
			channels[i].end(targets);
}

size_t
collusion_listen(
    const struct targets *targets, struct heard heard[COLLUSION_CHANNELS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < COUNTOF(channels); i++) {
		if (!channels[i].listen(targets, &heard[count].number))
			continue;
		heard[count++].channel = channels[i].name;
	}
	return count;
}
