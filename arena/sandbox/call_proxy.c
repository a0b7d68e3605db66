/*
 * A second filter of system calls beside that of filter.h, as it is another one
 * with a bot that may use shared futexes; the stricter action of both counts.
 * Written by hand: it is short, and every start of a bot enters it.
 *
 * Invariant: the thread has one entry for each thread of the bot that waits or
 * has just been answered, so a second wait of the same thread on the same
 * address goes on from the time at which the first one began.
 */
#include "call_proxy.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "countof.h"

#define NS_PER_US INT64_C(1000)

/* Younger than some kernel headers; the numbers are those of every machine. */
enum { FUTEX_WAITV = 449, FUTEX2_WAKE = 454, FUTEX2_WAIT, FUTEX2_REQUEUE };

enum {
	WAITS_MAX = 256,    /* at once; further ones are answered at once */
	SHARE_OF_WAIT = 16, /* a wait is late by one part of so many */
	ANSWER_MIN_US = 50, /* from the call to the answer.. */
	ANSWER_MAX_US = CALL_PROXY_LATE_MS * 1000, /* ..at most */
	AGAIN_MS = 2, /* a wait that follows an answer so soon goes on */
	STACK_BYTES = 64 << 10
};

#define NUMBER_AT offsetof(struct seccomp_data, nr)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OPERATION_AT offsetof(struct seccomp_data, args[1])
#else
#define OPERATION_AT (offsetof(struct seccomp_data, args[1]) + 4)
#endif
#define COMMAND_MASK (~(uint32_t)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME))

#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
/* Returns the action where the value is equal. */
#define CASE(value, action) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), RETURN(action)

/*
 * A wake that is refused with EINVAL is none to the C library, which aborts the
 * process at most other errors.  ENOSYS is what programs have to expect of
 * calls and operations that not every kernel has.
 */
static const struct sock_filter filter[] = {
	LOAD(NUMBER_AT),
	CASE(SYS_sysinfo, SECCOMP_RET_USER_NOTIF),
	CASE(SYS_set_robust_list, REFUSE(ENOSYS)),
	CASE(FUTEX_WAITV, REFUSE(ENOSYS)),
	CASE(FUTEX2_WAKE, REFUSE(ENOSYS)),
	CASE(FUTEX2_WAIT, REFUSE(ENOSYS)),
	CASE(FUTEX2_REQUEUE, REFUSE(ENOSYS)),
#ifdef SYS_futex_time64
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex_time64, 2, 0),
#endif
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 1, 0),
	RETURN(SECCOMP_RET_ALLOW),
	LOAD(OPERATION_AT),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, FUTEX_PRIVATE_FLAG, 0, 1),
	RETURN(SECCOMP_RET_ALLOW),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, COMMAND_MASK),
	CASE(FUTEX_WAIT, SECCOMP_RET_USER_NOTIF),
	CASE(FUTEX_WAIT_BITSET, SECCOMP_RET_USER_NOTIF),
	CASE(FUTEX_WAKE, REFUSE(EINVAL)),
	CASE(FUTEX_WAKE_BITSET, REFUSE(EINVAL)),
	RETURN(REFUSE(ENOSYS)),
};

/* A wait of a thread of the bot, or the last one that was answered. */
struct wait {
	uint64_t id; /* of the notification */
	uint64_t address;
	uint32_t thread; /* 0: none */
	uint32_t value;  /* that the thread has found at the address */
	bool is_answered;
	int64_t timeout_ns; /* as the last call had it; INT64_MAX: none */
	int64_t end_ns;     /* when it has timed out */
	int64_t since_ns;
	/* of the answer; of one that is answered: when it was */
	int64_t due_ns;
};

struct proxy {
	int channel_fd;
	int listener_fd;
	struct wait waits[WAITS_MAX];
};

/* How many of them are there for a bot that may use shared futexes. */
enum { SYSINFO_INSTRUCTIONS = 3 };

/*
 * Enters the filter: 0, or the listener (O_CLOEXEC) if one is wanted; -errno.
 */
static int
enter(bool allows_futexes, bool wants_listener)
{
	struct sock_filter copy[COUNTOF(filter)];
	struct sock_fprog program = { COUNTOF(filter), copy };
	unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd;

	memcpy(copy, filter, sizeof(filter));
	if (allows_futexes) {
		program.len = SYSINFO_INSTRUCTIONS + 1;
		copy[SYSINFO_INSTRUCTIONS] =
		    (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	}
	/* Without a listener the kernel answers the call. */
	for (int i = 0; i < program.len && !wants_listener; i++)
		if (copy[i].code == (BPF_RET | BPF_K) &&
		    copy[i].k == SECCOMP_RET_USER_NOTIF)
			copy[i].k = SECCOMP_RET_ALLOW;
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    wants_listener ? flags : 0U, &program);
	return fd < 0 ? -errno : (int)fd;
}

/* A message of one byte, with room for a descriptor. */
struct descriptor_message {
	char byte;
	_Alignas(struct cmsghdr) char room[CMSG_SPACE(sizeof(int))];
	struct iovec part;
	struct msghdr header;
};

static void
descriptor_message_init(struct descriptor_message *message)
{
	*message = (struct descriptor_message){ .part.iov_len = 1 };
	message->part.iov_base = &message->byte;
	message->header.msg_iov = &message->part;
	message->header.msg_iovlen = 1;
	message->header.msg_control = message->room;
	message->header.msg_controllen = sizeof(message->room);
}

static int
descriptor_send(int channel_fd, int fd)
{
	struct descriptor_message message;
	struct cmsghdr *header;

	descriptor_message_init(&message);
	header = CMSG_FIRSTHDR(&message.header);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(channel_fd, &message.header, MSG_NOSIGNAL) < 0 ? -errno
								      : 0;
}

/* Returns -1 if the other side ends without sending a descriptor. */
static int
descriptor_receive(int channel_fd)
{
	struct descriptor_message message;
	const struct cmsghdr *header;
	int fd = -1;

	descriptor_message_init(&message);
	if (recvmsg(channel_fd, &message.header, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	header = CMSG_FIRSTHDR(&message.header);
	if (header != NULL && header->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/*
 * Whether a listener is possible. It is not if this process is a bot of another
 * arena, or if the system does not allow it.
 */
static bool
can_send(int channel_fd)
{
	const struct msghdr nothing = { .msg_iovlen = 0 };

	return channel_fd >= 0 &&
	    sendmsg(channel_fd, &nothing, MSG_NOSIGNAL) >= 0;
}

int
call_proxy_enter(int channel_fd, bool allows_futexes)
{
	int fd, status;

	if (!can_send(channel_fd))
		return enter(allows_futexes, false);
	fd = enter(allows_futexes, true);
	/* There is another listener, or the kernel is older than 5.0. */
	if (fd == -EBUSY || fd == -EINVAL)
		return enter(allows_futexes, false);
	if (fd < 0)
		return fd;
	status = descriptor_send(channel_fd, fd);
	close(fd);
	return status;
}

/* This fails if the thread has ended meanwhile, and then needs no answer. */
static void
answer(const struct proxy *proxy, uint64_t id, int error)
{
	struct seccomp_notif_resp reply = { .id = id, .error = -error };

	(void)ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/*
 * Every bot gets the same values at all times, except for the hours since the
 * start of the machine.
 */
static void
answer_sysinfo(const struct proxy *proxy, const struct seccomp_notif *call)
{
	struct sysinfo machine, shown = { .procs = 1 };
	struct iovec from = { &shown, sizeof(shown) }, to;

	if (sysinfo(&machine) < 0) {
		answer(proxy, call->id, ENOSYS);
		return;
	}
	shown.uptime = machine.uptime;
	shown.totalram = shown.freeram = machine.totalram;
	shown.mem_unit = machine.mem_unit;
	memcpy(&to.iov_base, &call->data.args[0], sizeof(to.iov_base));
	to.iov_len = sizeof(shown);
	/* The pid could belong to another process by now. */
	if (ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &call->id) <
	    0)
		return;
	answer(proxy, call->id,
	    process_vm_writev((pid_t)call->pid, &from, 1, &to, 1, 0) ==
		    (ssize_t)sizeof(shown)
		? 0
		: EFAULT);
}

/* Returns the entry of the thread, or a free one; NULL if there is none. */
static struct wait *
wait_find(struct proxy *proxy, uint32_t thread, int64_t now_ns)
{
	struct wait *room = NULL;

	for (int i = 0; i < WAITS_MAX; i++) {
		struct wait *wait = &proxy->waits[i];

		if (wait->thread == thread)
			return wait;
		if (room == NULL &&
		    (wait->thread == 0 ||
			(wait->is_answered &&
			    now_ns - wait->due_ns >
				AGAIN_MS * CLOCK_NS_PER_MS)))
			room = wait;
	}
	return room;
}

/* Reads memory of the calling thread. Returns false if it cannot be read. */
static bool
caller_read(uint32_t thread, uint64_t address, void *bytes, size_t size)
{
	struct iovec from = { .iov_len = size }, to = { bytes, size };

	memcpy(&from.iov_base, &address, sizeof(from.iov_base));
	return process_vm_readv((pid_t)thread, &to, 1, &from, 1, 0) ==
	    (ssize_t)size;
}

/* The two numbers of a timeout: seconds and nanoseconds. */
static bool
timeout_read(const struct seccomp_notif *call, int64_t parts[2])
{
	const uint64_t address = call->data.args[3];
	long native[2];

	/* futex_time64(2) of 32-bit machines alone. */
	if (call->data.nr != SYS_futex)
		return caller_read(
		    call->pid, address, parts, 2 * sizeof(parts[0]));
	if (!caller_read(call->pid, address, native, sizeof(native)))
		return false;
	parts[0] = native[0];
	parts[1] = native[1];
	return true;
}

/* How long a wait may last from now on; INT64_MAX: for ever; or -errno. */
static int64_t
timeout_of(const struct seccomp_notif *call, int64_t now_ns)
{
	const uint32_t operation = (uint32_t)call->data.args[1];
	int64_t parts[2], ns;

	if (call->data.args[3] == 0)
		return INT64_MAX;
	if (!timeout_read(call, parts))
		return -EFAULT;
	if (parts[0] < 0 || parts[1] < 0 || parts[1] >= CLOCK_NS_PER_S)
		return -EINVAL;
	if (parts[0] >= INT64_MAX / CLOCK_NS_PER_S)
		return INT64_MAX;
	ns = parts[0] * CLOCK_NS_PER_S + parts[1];
	/* Only this operation has an absolute time. */
	if ((operation & COMMAND_MASK) == FUTEX_WAIT_BITSET)
		ns -= (operation & FUTEX_CLOCK_REALTIME) != 0 ? clock_wall_ns()
							      : now_ns;
	return ns > 0 ? ns : 0;
}

/* When a wait that begins or goes on has timed out. */
static void
wait_limit(struct wait *wait, int64_t timeout_ns, int64_t now_ns, bool goes_on)
{
	/*
	 * A process that waits with the same timeout again continues the same
	 * wait.
	 */
	if (!goes_on || timeout_ns != wait->timeout_ns)
		wait->end_ns = timeout_ns < INT64_MAX - now_ns
		    ? now_ns + timeout_ns
		    : INT64_MAX;
	wait->timeout_ns = timeout_ns;
}

static void
wait_begin(struct proxy *proxy, const struct seccomp_notif *call)
{
	int64_t now_ns = clock_now_ns(), delay_ns;
	int64_t timeout_ns = timeout_of(call, now_ns);
	struct wait *wait = wait_find(proxy, call->pid, now_ns);
	bool goes_on;

	if (wait == NULL || timeout_ns < 0) {
		answer(proxy, call->id,
		    timeout_ns < 0 ? (int)-timeout_ns : EAGAIN);
		return;
	}
	goes_on = wait->thread == call->pid &&
	    wait->address == call->data.args[0] &&
	    (!wait->is_answered ||
		now_ns - wait->due_ns <= AGAIN_MS * CLOCK_NS_PER_MS);
	if (!goes_on)
		wait->since_ns = now_ns;
	wait_limit(wait, timeout_ns, now_ns, goes_on);
	delay_ns = (now_ns - wait->since_ns) / SHARE_OF_WAIT;
	if (delay_ns < ANSWER_MIN_US * NS_PER_US)
		delay_ns = ANSWER_MIN_US * NS_PER_US;
	if (delay_ns > ANSWER_MAX_US * NS_PER_US)
		delay_ns = ANSWER_MAX_US * NS_PER_US;
	wait->id = call->id;
	wait->address = call->data.args[0];
	wait->thread = call->pid;
	wait->value = (uint32_t)call->data.args[2];
	wait->is_answered = false;
	wait->due_ns = now_ns + delay_ns;
	if (wait->due_ns > wait->end_ns)
		wait->due_ns = wait->end_ns;
}

/*
 * A wait has timed out if the value is still the same then: nobody has woken it
 * meanwhile, as the kernel would have.
 */
static void
wait_answer(const struct proxy *proxy, struct wait *wait)
{
	uint32_t value;
	bool timed_out = wait->due_ns == wait->end_ns &&
	    caller_read(wait->thread, wait->address, &value, sizeof(value)) &&
	    value == wait->value;

	answer(proxy, wait->id, timed_out ? ETIMEDOUT : EAGAIN);
	wait->is_answered = true;
	if (timed_out)
		wait->thread = 0;
}

/* Answers the waits that are due.  Returns when the next one is due, or -1. */
static int64_t
waits_answer(struct proxy *proxy)
{
	int64_t now_ns = clock_now_ns(), next_ns = -1;

	for (int i = 0; i < WAITS_MAX; i++) {
		struct wait *wait = &proxy->waits[i];

		if (wait->thread == 0 || wait->is_answered)
			continue;
		if (wait->due_ns <= now_ns) {
			wait_answer(proxy, wait);
		} else if (next_ns < 0 || wait->due_ns < next_ns) {
			next_ns = wait->due_ns;
		}
	}
	return next_ns;
}

static void
call_receive(struct proxy *proxy)
{
	struct seccomp_notif call;

	memset(&call, 0, sizeof(call));
	if (ioctl(proxy->listener_fd, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
		return;
	if (call.data.nr == SYS_sysinfo)
		answer_sysinfo(proxy, &call);
	else
		wait_begin(proxy, &call);
}

static void
serve(struct proxy *proxy)
{
	struct pollfd listener = { .fd = proxy->listener_fd, .events = POLLIN };

	for (;;) {
		int64_t next_ns = waits_answer(proxy), left_ns = 0;
		struct timespec left;

		if (next_ns >= 0)
			left_ns = next_ns - clock_now_ns();
		if (left_ns < 0)
			left_ns = 0;
		left.tv_sec = left_ns / CLOCK_NS_PER_S;
		left.tv_nsec = left_ns % CLOCK_NS_PER_S;
		if (ppoll(&listener, 1, next_ns < 0 ? NULL : &left, NULL) < 0 &&
		    errno != EINTR)
			return;
		/* No process is left that has the filter. */
		if ((listener.revents & (POLLHUP | POLLERR)) != 0)
			return;
		if ((listener.revents & POLLIN) != 0)
			call_receive(proxy);
	}
}

static void *
run(void *context)
{
	struct proxy *proxy = context;

	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
	proxy->listener_fd = descriptor_receive(proxy->channel_fd);
	close(proxy->channel_fd);
	if (proxy->listener_fd >= 0) {
		serve(proxy);
		close(proxy->listener_fd);
	}
	free(proxy);
	return NULL;
}

int
call_proxy_start(int channel_fd)
{
	struct proxy *proxy = calloc(1, sizeof(*proxy));
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	if (proxy == NULL) {
		close(channel_fd);
		return -ENOMEM;
	}
	proxy->channel_fd = channel_fd;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(&thread, &attributes, run, proxy);
	pthread_attr_destroy(&attributes);
	if (error != 0) {
		close(channel_fd);
		free(proxy);
	}
	return -error;
}

int
call_proxy_try(void)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -errno;
	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
			_exit(errno);
		status = enter(false, true);
		_exit(status < 0 ? -status : 0);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}
