/*
 * What processes keep in files that are only in memory (memfd_create(2)), which
 * takes memory of the machine also while nobody has it mapped.
 */
#ifndef HOARD_H
#define HOARD_H

#include <stdint.h>
#include <sys/types.h>

/* All zero is one without a file. */
struct hoard {
	struct hoard_file {
		uint64_t number; /* of the file: who holds it is no matter */
		int64_t bytes;
	} * files; /* owned */
	int count, capacity;
};

/*
 * Adds the files that a process has open; what cannot be seen is not there.
 * `proc_fd` is /proc.
 */
void hoard_add(struct hoard *hoard, int proc_fd, pid_t pid);

/* Bytes in memory of all files that were added, each counted once. */
int64_t hoard_bytes(struct hoard *hoard);

void hoard_release(struct hoard *hoard);

#endif
