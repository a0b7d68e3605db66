/*
 * Implements cores.h. A core is claimed by binding an abstract socket address
 * that is named after it, so that two arenas do not pin their workers to the
 * same core. The kernel releases the claim when the process ends.
 */
#include "cores.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/*
 * sched_getaffinity(2) fails if the set is smaller than that of the kernel,
 * which has at most 8,192 cores.
 */
enum { SETS = 8192 / CPU_SETSIZE };

int
cores_allowed(struct cores *cores)
{
	cpu_set_t sets[SETS];

	if (sched_getaffinity(0, sizeof(sets), sets) < 0)
		return -errno;
	cores->count = 0;
	for (int id = 0; id < SETS * CPU_SETSIZE; id++)
		if (CPU_ISSET_S((size_t)id, sizeof(sets), sets) &&
		    cores->count < CORES_MAX)
			cores->ids[cores->count++] = (short)id;
	return 0;
}

bool
cores_have(const struct cores *cores, int id)
{
	for (int i = 0; i < cores->count; i++)
		if (cores->ids[i] == id)
			return true;
	return false;
}

/* Reads a number without sign or blanks at *text, and moves *text behind it. */
static bool
read_id(const char **text, int *id)
{
	const char *at = *text;

	for (*id = 0; *at >= '0' && *at <= '9'; at++) {
		*id = 10 * *id + (*at - '0');
		if (*id >= SETS * CPU_SETSIZE)
			return false;
	}
	if (at == *text)
		return false;
	*text = at;
	return true;
}

bool
cores_parse(const char *text, struct cores *cores)
{
	struct cores read = { .count = 0 };
	int first, last;

	do {
		if (!read_id(&text, &first))
			return false;
		last = first;
		if (*text == '-') {
			text++;
			if (!read_id(&text, &last) || last < first)
				return false;
		}
		for (int id = first; id <= last; id++) {
			if (read.count == CORES_MAX || cores_have(&read, id))
				return false;
			read.ids[read.count++] = (short)id;
		}
	} while (*text == ',' && *++text != '\0');
	if (*text != '\0' || text[-1] == ',')
		return false;
	*cores = read;
	return true;
}

void
cores_format(const struct cores *cores, char *text, size_t size)
{
	size_t length = 0;

	assert(size > 0);
	text[0] = '\0';
	for (int i = 0, last; i < cores->count && length < size; i = last + 1) {
		const char *comma = i > 0 ? "," : "";
		int put;

		for (last = i; last + 1 < cores->count &&
		     cores->ids[last + 1] == cores->ids[last] + 1;)
			last++;
		put = last > i
		    ? snprintf(text + length, size - length, "%s%d-%d", comma,
			  cores->ids[i], cores->ids[last])
		    : snprintf(text + length, size - length, "%s%d", comma,
			  cores->ids[i]);
		length += (size_t)put;
	}
}

static struct cores before_pin; /* count 0: this process was not pinned */

int
cores_pin(int id)
{
	const struct cores pinned = { .count = 1, .ids = { (short)id } };
	struct cores allowed;
	int status = cores_allowed(&allowed);

	if (status == 0)
		status = cores_use(&pinned);
	if (status == 0)
		before_pin = allowed;
	return status;
}

const struct cores *
cores_before_pin(void)
{
	return before_pin.count > 0 ? &before_pin : NULL;
}

int
cores_use(const struct cores *cores)
{
	cpu_set_t sets[SETS];

	CPU_ZERO_S(sizeof(sets), sets);
	for (int i = 0; i < cores->count; i++)
		CPU_SET_S((size_t)cores->ids[i], sizeof(sets), sets);
	return sched_setaffinity(0, sizeof(sets), sets) < 0 ? -errno : 0;
}

/*
 * Binds a socket to a name in the abstract namespace.  Only one socket can have
 * a name, and the kernel frees the name when its owner dies, for whatever
 * reason.
 */
int
cores_claim(int id)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1,
	    sizeof(address.sun_path) - 1, "scopa-arena/core-%d", id);
	socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
	    1 + (size_t)length);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&address, size) < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	return fd;
}
