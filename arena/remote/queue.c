/* Implements the part of queue.h that is the same for each kind of queue. */
#include "queue.h"

#include <stdio.h>
#include <string.h>

bool
queue_role(const char *name, char role[QUEUE_NAME_SIZE])
{
	enum { LENGTH_MAX = 40 };
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-_");

	if (length == 0 || length > LENGTH_MAX || name[length] != '\0' ||
	    name[0] < 'a')
		return false;
	snprintf(role, QUEUE_NAME_SIZE, "scopa_%s", name);
	return true;
}
