/*
 * Runs a command for which some features of the kernel seem to be missing:
 * their system calls fail, or have other results.
 *
 *	without [namespaces|memory] [landlock] [scope|truncate|effect]
 *	    [seccomp] -- COMMAND [ARGUMENT..]
 *
 * namespaces: no namespace can be made.  memory: there is no memory for
 * namespaces.  landlock: the kernel has no Landlock.
 * scope: Landlock has at most version 4, which confines files and ports, and
 * not signals.  truncate: Landlock has at most version 2, which cannot prevent
 * that a file is truncated.  effect: Landlock reports a version that confines
 * signals, and does not confine them.  seccomp: no filter can be installed.
 * `without` needs no privilege.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LANDLOCK_OLD = 4, LANDLOCK_OLDER = 2, EXIT_BROKEN = 125 };

/* Rights of Landlock over ports. */
#define ALL_PORTS UINT64_C(3)

static void
need(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "without: %s: %s\n", what, strerror(errno));
	exit(EXIT_BROKEN);
}

static void
refuse_namespaces(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp user =
	    SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);

	need(seccomp_rule_add(
		 filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 0) == 0 &&
		seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM),
		    SCMP_SYS(clone), 1, &user) == 0 &&
		seccomp_rule_add(
		    filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0,
	    "namespaces");
}

static void
refuse_seccomp(scmp_filter_ctx filter)
{
	const struct scmp_arg_cmp mode =
	    SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0);

	need(seccomp_rule_add(
		 filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) == 0 &&
		seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL),
		    SCMP_SYS(prctl), 1, &mode) == 0,
	    "seccomp");
}

/* Whether another process must answer the system calls for this word. */
static bool
needs_answers(const char *word)
{
	return strcmp(word, "scope") == 0 || strcmp(word, "truncate") == 0 ||
	    strcmp(word, "effect") == 0;
}

/* Adds the rules for a word of the command line. */
static void
add_rule(scmp_filter_ctx filter, const char *word)
{
	if (strcmp(word, "namespaces") == 0)
		refuse_namespaces(filter);
	else if (strcmp(word, "seccomp") == 0)
		refuse_seccomp(filter);
	else if (strcmp(word, "memory") == 0)
		need(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOMEM),
			 SCMP_SYS(unshare), 0) == 0,
		    word);
	else if (strcmp(word, "landlock") == 0)
		need(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
			 SCMP_SYS(landlock_create_ruleset), 0) == 0,
		    word);
	else if (needs_answers(word))
		need(seccomp_rule_add(filter, SCMP_ACT_NOTIFY,
			 SCMP_SYS(landlock_create_ruleset), 0) == 0,
		    word);
	else {
		errno = EINVAL;
		need(false, word);
	}
}

/* A message with room for a descriptor; it has pointers into itself. */
struct envelope {
	char room[CMSG_SPACE(sizeof(int))], byte;
	struct iovec part;
	struct msghdr message;
};

static struct msghdr *
envelope_init(struct envelope *envelope)
{
	*envelope = (struct envelope){ 0 };
	envelope->part = (struct iovec){ &envelope->byte, 1 };
	envelope->message.msg_iov = &envelope->part;
	envelope->message.msg_iovlen = 1;
	envelope->message.msg_control = envelope->room;
	envelope->message.msg_controllen = sizeof(envelope->room);
	return &envelope->message;
}

static void
send_descriptor(int socket, int fd)
{
	struct envelope envelope;
	struct msghdr *message = envelope_init(&envelope);
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	need(sendmsg(socket, message, 0) == 1, "hand over");
}

/* Returns -1 if the other side has ended without sending a descriptor. */
static int
receive_descriptor(int socket)
{
	struct envelope envelope;
	struct msghdr *message = envelope_init(&envelope);
	struct cmsghdr *header;
	int fd = -1;

	if (recvmsg(socket, message, MSG_CMSG_CLOEXEC) != 1)
		return -1;
	header = CMSG_FIRSTHDR(message);
	if (header != NULL)
		memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/* Installs the filter, and becomes the command. */
static void
become(int count, char **words, char **command, int socket)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	bool asked = false;

	need(filter != NULL, "filter");
	for (int i = 0; i < count; i++) {
		add_rule(filter, words[i]);
		asked = asked || needs_answers(words[i]);
	}
	need(seccomp_load(filter) == 0, "enter the filter");
	if (asked)
		send_descriptor(socket, seccomp_notify_fd(filter));
	seccomp_release(filter);
	close(socket);
	execvp(command[0], command);
	need(false, command[0]);
}

/* All access rights for files that this kernel has. */
static uint64_t
all_files(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1U);
	int count = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5);

	return (UINT64_C(1) << count) - 1;
}

/*
 * Gives the asking process a ruleset for ports, and for files if it wants them,
 * but without scopes.  Returns whether that has succeeded.
 */
static bool
give_ruleset(int fd, const struct seccomp_notif *question)
{
	uint64_t wanted = 0;
	struct iovec to = { &wanted, sizeof(wanted) },
		     from = { .iov_len = sizeof(wanted) };
	uint64_t rules[2] = { 0, ALL_PORTS };
	struct seccomp_notif_addfd reply = {
		.id = question->id,
		.flags = SECCOMP_ADDFD_FLAG_SEND,
		.newfd_flags = O_CLOEXEC,
	};
	long ruleset;
	bool given;

	memcpy(&from.iov_base, &question->data.args[0], sizeof(from.iov_base));
	if (process_vm_readv((pid_t)question->pid, &to, 1, &from, 1, 0) < 0 ||
	    wanted != 0)
		rules[0] = all_files();
	ruleset =
	    syscall(SYS_landlock_create_ruleset, rules, sizeof(rules), 0U);
	if (ruleset < 0)
		return false;
	reply.srcfd = (uint32_t)ruleset;
	given = ioctl(fd, SECCOMP_IOCTL_NOTIF_ADDFD, &reply) >= 0;
	close((int)ruleset);
	return given;
}

/*
 * Answers like an older kernel with this version of Landlock.  If abi is 0,
 * answers like a kernel whose Landlock has no effect on signals.
 */
static void
answer(int fd, int abi)
{
	struct seccomp_notif *question;
	struct seccomp_notif_resp *reply;

	need(seccomp_notify_alloc(&question, &reply) == 0, "memory");
	for (;;) {
		const bool lies = abi == 0;
		bool version, old;

		memset(question, 0, sizeof(*question));
		if (seccomp_notify_receive(fd, question) != 0) {
			if (errno == EINTR || errno == ENOENT)
				continue;
			break;
		}
		version = question->data.args[0] == 0;
		if (lies && !version && give_ruleset(fd, question))
			continue;
		old = version && !lies;
		*reply = (struct seccomp_notif_resp){
			.id = question->id,
			.val = old ? abi : 0,
			.flags = old ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE,
		};
		/* The process that has asked may have ended. */
		(void)seccomp_notify_respond(fd, reply);
	}
	seccomp_notify_free(question, reply);
}

/* Answers until no process with the filter is left. */
static void
answer_all(int socket, int abi)
{
	long real = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, 1U);
	int fd = receive_descriptor(socket);

	/* The version is never above that of the real kernel. */
	if (fd >= 0)
		answer(fd, real > 0 && real < abi ? (int)real : abi);
	_exit(0);
}

int
main(int argc, char **argv)
{
	int sockets[2], abi = LANDLOCK_OLD, count = 0, status;
	pid_t answering, pid;

	while (count + 1 < argc && strcmp(argv[count + 1], "--") != 0) {
		count++;
		if (strcmp(argv[count], "effect") == 0)
			abi = 0;
		else if (strcmp(argv[count], "truncate") == 0)
			abi = LANDLOCK_OLDER;
	}
	errno = EINVAL;
	need(count + 2 < argc, "usage: without WHAT... -- COMMAND...");
	need(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0,
	    "sockets");
	pid = fork();
	need(pid >= 0, "fork");
	if (pid == 0) {
		close(sockets[0]);
		become(count, argv + 1, argv + count + 2, sockets[1]);
	}
	close(sockets[1]);
	answering = fork();
	need(answering >= 0, "fork");
	if (answering == 0)
		answer_all(sockets[0], abi);
	close(sockets[0]);
	/* Signals of the terminal are for the command. */
	signal(SIGINT, SIG_IGN);
	need(waitpid(pid, &status, 0) == pid, "wait");
	kill(answering, SIGKILL);
	waitpid(answering, NULL, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
