/*
 * Ways in which two bots could communicate a number, one of each kind.  The
 * attempts of the other files try the calls of all similar ways.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "probe.h"

enum { BITS = 32, READ_WRITE = 0666 };

/* A message of a queue, with the number. */
struct queue_message {
	long type;
	uint32_t number;
};

/*
 * `send` sends the number, and `listen` receives it: true with the number. The
 * number stays by open descriptors or by itself; `end` removes what would stay
 * permanently.
 */
struct channel {
	const char *name;
	void (*send)(uint32_t number);
	bool (*listen)(uint32_t *number);
	void (*end)(void);
};

/* The targets of the bot. */
static const struct targets *targets;

static const char *
channel_path(void)
{
	char name[64];

	snprintf(name, sizeof(name), "scopa-probe-%08x", targets->key);
	return probe_path(targets->outside, name);
}

static void
send_file(uint32_t number)
{
	int fd =
	    open(channel_path(), O_CREAT | O_WRONLY | O_CLOEXEC, READ_WRITE);

	if (fd < 0)
		return;
	if (write(fd, &number, sizeof(number)) < 0)
		unlink(channel_path());
	close(fd);
}

static bool
listen_file(uint32_t *number)
{
	int fd = open(channel_path(), O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, number, sizeof(*number));
	close(fd);
	return got == (ssize_t)sizeof(*number);
}

static void
end_file(void)
{
	unlink(channel_path());
}

/* A lock on a byte is a bit that is set; another byte is always locked. */
static void
send_locks(uint32_t number)
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
listen_locks(uint32_t *number)
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

/* 0; EADDRINUSE if another socket has that name. */
static int
claim_name(int bit)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t size = offsetof(struct sockaddr_un, sun_path) + 1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status;

	size +=
	    (size_t)snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
		"scopa-probe-%08x-%d", targets->key, bit);
	if (bind(fd, (const struct sockaddr *)&address, (socklen_t)size) == 0)
		return 0; /* the socket stays open */
	status = errno;
	if (fd >= 0)
		close(fd);
	return status;
}

static void
send_names(uint32_t number)
{
	for (int i = 0; i <= BITS; i++)
		if (i == BITS || (number >> i & 1) != 0)
			claim_name(i);
}

/* A name that was free is used now: this works only once. */
static bool
listen_names(uint32_t *number)
{
	if (claim_name(BITS) != EADDRINUSE)
		return false;
	*number = 0;
	for (int i = 0; i < BITS; i++)
		if (claim_name(i) == EADDRINUSE)
			*number |= UINT32_C(1) << i;
	return true;
}

static void
send_segment(uint32_t number)
{
	int id =
	    shmget((key_t)targets->key, sizeof(number), IPC_CREAT | READ_WRITE);
	void *memory = id < 0 ? NULL : shmat(id, NULL, 0);

	if (id >= 0 && (intptr_t)memory != -1)
		memcpy(memory, &number, sizeof(number));
}

static bool
listen_segment(uint32_t *number)
{
	int id = shmget((key_t)targets->key, sizeof(*number), 0);
	const void *memory = id < 0 ? NULL : shmat(id, NULL, SHM_RDONLY);

	if (id < 0 || (intptr_t)memory == -1)
		return false;
	memcpy(number, memory, sizeof(*number));
	return true;
}

static void
end_segment(void)
{
	int id = shmget((key_t)targets->key, sizeof(uint32_t), 0);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
}

static void
send_message(uint32_t number)
{
	struct queue_message queue_message = { .type = 1, .number = number };
	int id = msgget((key_t)targets->key, IPC_CREAT | READ_WRITE);

	if (id >= 0)
		msgsnd(id, &queue_message, sizeof(queue_message.number),
		    IPC_NOWAIT);
}

static bool
listen_message(uint32_t *number)
{
	struct queue_message queue_message;
	int id = msgget((key_t)targets->key, 0);

	if (id < 0 ||
	    msgrcv(id, &queue_message, sizeof(queue_message.number), 0,
		IPC_NOWAIT) < 0)
		return false;
	*number = queue_message.number;
	return true;
}

static void
end_message(void)
{
	int id = msgget((key_t)targets->key, 0);

	if (id >= 0)
		msgctl(id, IPC_RMID, NULL);
}

/*
 * A word for each bit, and one more, in one half of a page that both bots have
 * mapped; each of two channels uses its own half.
 */
enum { PAGE = 4096, WAIT_MS = 200 };

/*
 * The page is in the program file of both bots.  The shared file cannot be
 * used: to map it is to read it, and to close it would release locks.
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

/* Starts a process that ends with the bot; returns true in that process. */
static bool
send_beside(void)
{
	if (fork() != 0)
		return false;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* This process must not hold the pipes of the bot. */
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	return true;
}

/* For each bit that is set, a process waits at its word. */
static void
send_waits(uint32_t number)
{
	uint32_t *words = shared_words(0);

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

/* FUTEX_WAKE returns the number of processes that it woke. */
static bool
listen_waits(uint32_t *number)
{
	uint32_t *words = shared_words(0);

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
 * At the end of a process the kernel wakes a word that was given at its start.
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
send_ends(uint32_t number)
{
	uint32_t *words = shared_words(1);

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
listen_ends(uint32_t *number)
{
	uint32_t *words = shared_words(1);

	*number = 0;
	if (words == NULL || !is_woken(&words[BITS]))
		return false;
	for (int i = 0; i < BITS; i++)
		*number |= (uint32_t)is_woken(&words[i]) << i;
	return true;
}

static const struct channel channels[] = {
	{ "file", send_file, listen_file, end_file },
	{ "locks", send_locks, listen_locks, NULL },
	{ "socket-names", send_names, listen_names, NULL },
	{ "sysv-memory", send_segment, listen_segment, end_segment },
	{ "sysv-queue", send_message, listen_message, end_message },
	{ "futex-waits", send_waits, listen_waits, NULL },
	{ "futex-ends", send_ends, listen_ends, NULL },
};

_Static_assert(COUNTOF(channels) <= COLLUSION_CHANNELS_MAX, "space for all");

void
collusion_send(const struct targets *of, uint32_t number)
{
	targets = of;
	for (size_t i = 0; i < COUNTOF(channels); i++)
		channels[i].send(number);
}

void
collusion_end(const struct targets *of)
{
	targets = of;
	for (size_t i = 0; i < COUNTOF(channels); i++)
		if (channels[i].end != NULL)
			channels[i].end();
}

size_t
collusion_listen(
    const struct targets *of, struct received received[COLLUSION_CHANNELS_MAX])
{
	size_t count = 0;

	targets = of;
	for (size_t i = 0; i < COUNTOF(channels); i++)
		if (channels[i].listen(&received[count].number))
			received[count++].channel = channels[i].name;
	return count;
}
