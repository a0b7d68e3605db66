/*
 * What a bot is left with behind its walls: the files that it needs to run, a
 * few devices, and limits that keep it from what no bot needs.
 *
 * To be called in the process that becomes the bot, once no_new_privs is set.
 */
#ifndef JAIL_H
#define JAIL_H

#include <stdbool.h>

enum {
	JAIL_HIDDEN_MAX = 8,
	JAIL_PROCESSES = 256 /* of one box */
};

struct jail_order {
	const char *file;        /* the program, an absolute path */
	char *const *arguments;  /* argv of it, NULL ends it */
	const char *dir;         /* the bot's own, or NULL */
	const char *search_path; /* $PATH: where interpreters are; or NULL */
	bool boxed;              /* /proc shows the bot's own box alone */
	/* Absolute paths that must not be read, whatever lies around them. */
	const char *hidden[JAIL_HIDDEN_MAX];
	int hidden_count;
};

/*
 * Leaves to be read: what the system has installed, the folders of $PATH with
 * those beside them that belong to them, the folder of the program, those of
 * arguments that are files, those that arguments name, alone or with colons
 * between them, and the bot's own; of all these nothing that is hidden but its
 * name, nor what comes to be later beside it.  To be written: the usual
 * devices.  0 or -errno.
 */
int jail_files(const struct jail_order *order);

/*
 * No core files, 64 descriptors, files of 16 MiB, nothing of locked memory,
 * message queues and real-time priority; in a box JAIL_PROCESSES, threads
 * counted.  0 or -errno.
 */
int jail_limit(bool boxed);

#endif
