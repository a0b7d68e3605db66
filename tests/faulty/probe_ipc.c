/* Attempts to communicate with other processes. */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/vm_sockets.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

static bool
can_make(int family, int type)
{
	return probe_opened(socket(family, type | SOCK_CLOEXEC, 0));
}

ATTEMPT_IF(socket_unix, can_make(AF_UNIX, SOCK_STREAM))
ATTEMPT_IF(socket_tcp,
    can_make(AF_INET, SOCK_STREAM) || can_make(AF_INET6, SOCK_STREAM))
ATTEMPT_IF(
    socket_udp, can_make(AF_INET, SOCK_DGRAM) || can_make(AF_INET6, SOCK_DGRAM))
ATTEMPT_IF(socket_netlink, can_make(AF_NETLINK, SOCK_RAW))
ATTEMPT_IF(socket_vsock, can_make(AF_VSOCK, SOCK_STREAM))
ATTEMPT_IF(
    socket_packet, can_make(AF_PACKET, SOCK_RAW) || can_make(AF_INET, SOCK_RAW))

/* All other socket families of this kernel. */
ATTEMPT(socket_other)
{
	static const int types[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_RAW,
		SOCK_SEQPACKET };

	for (int family = 0; family < AF_MAX; family++) {
		if (family == AF_UNIX || family == AF_INET ||
		    family == AF_INET6 || family == AF_NETLINK ||
		    family == AF_VSOCK || family == AF_PACKET)
			continue;
		for (size_t i = 0; i < COUNTOF(types); i++)
			if (can_make(family, types[i]))
				return true;
	}
	return false;
}

/* A name without a file. */
static socklen_t
abstract_name(struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
	    "scopa-probe-%d", (int)getpid());
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    strlen(address->sun_path + 1));
}

/* A pair is made without socket(), but could be given a name. */
ATTEMPT(pair_name)
{
	struct sockaddr_un address;
	socklen_t size = abstract_name(&address);
	int pair[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 &&
	    bind(pair[0], (const struct sockaddr *)&address, size) == 0;
}

static const char nobody[] = "/no-such-socket";

/*
 * No socket has that name: if the attempt fails for this reason, the sandbox
 * has allowed it.
 */
ATTEMPT(pair_connect)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int pair[2];

	strcpy(address.sun_path, nobody);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		return false;
	return connect(pair[0], (const struct sockaddr *)&address,
		   sizeof(address)) == 0 ||
	    errno == ENOENT;
}

/* The address of the receiver is in memory, which a filter cannot read. */
ATTEMPT(pair_send)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct msghdr message = { .msg_name = &address,
		.msg_namelen = sizeof(address) };
	int pair[2];

	strcpy(address.sun_path, nobody);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		return false;
	return sendmsg(pair[0], &message, MSG_NOSIGNAL) >= 0 || errno == ENOENT;
}

ATTEMPT(sysv_memory)
{
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | S_IRUSR | S_IWUSR);

	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	return id >= 0;
}

ATTEMPT(sysv_semaphore)
{
	int id = semget(IPC_PRIVATE, 1, IPC_CREAT | S_IRUSR | S_IWUSR);

	if (id >= 0)
		semctl(id, 0, IPC_RMID);
	return id >= 0;
}

ATTEMPT(sysv_queue)
{
	int id = msgget(IPC_PRIVATE, IPC_CREAT | S_IRUSR | S_IWUSR);

	if (id >= 0)
		msgctl(id, IPC_RMID, NULL);
	return id >= 0;
}

ATTEMPT(posix_queue)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	char name[64];
	mqd_t queue;

	snprintf(name, sizeof(name), "/scopa-probe-%d", (int)getpid());
	queue = mq_open(
	    name, O_CREAT | O_EXCL | O_RDWR | O_NONBLOCK, S_IRUSR, &attributes);
	if (queue < 0)
		return false;
	mq_unlink(name);
	return true;
}

ATTEMPT(key_add)
{
	char name[64];
	long key;

	snprintf(name, sizeof(name), "scopa-probe-%d", (int)getpid());
	key = syscall(
	    SYS_add_key, "user", name, "x", (size_t)1, KEY_SPEC_USER_KEYRING);
	if (key >= 0)
		syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
	return key >= 0;
}

ATTEMPT_IF(key_read,
    syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) >= 0)
