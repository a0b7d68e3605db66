/*
 * Failures of the machine at any step of writing.
 *
 * This program has its own write, fdatasync and the like, which its libraries
 * call, too.  Each call on a file of the watched folder is a step, and at one
 * of them something happens.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

enum fault {
	FAULT_NONE,      /* steps are only counted */
	FAULT_KILL,      /* the process is killed before the step */
	FAULT_TEAR,      /* in the middle of it: half a write is done */
	FAULT_POWER,     /* all is gone that was not synchronised */
	FAULT_FULL,      /* from this step on there is no room: writes end
			  * halfway, then fail */
	FAULT_FULL_SYNC, /* the same, reported late: when it is synchronised */
	FAULT_DISK       /* from this step on synchronising fails: EIO */
};

/* Files that keep what was not synchronised when the power goes. */
enum fault_survivors {
	FAULT_SURVIVES_NONE = 0,
	FAULT_SURVIVES_RECORDS = 1, /* `*.scopa` */
	FAULT_SURVIVES_LOG = 2,     /* `*-wal` */
	FAULT_SURVIVES_ALL_ELSE = 4
};

/* The fault comes at that step, from 1 on, of those that are yet to come. */
void faults_arm(const char *folder, enum fault fault, int step,
    enum fault_survivors survivors);

/*
 * Does some work in a child with that fault: true where it came to its end,
 * false where it was killed.
 */
bool faults_in_child(const char *folder, enum fault fault, int step,
    enum fault_survivors survivors, void (*work)(void));

/* Faults are tried at one of so many steps: at each with TEST_FULL. */
int faults_stride(void);

/*
 * All is well again, and the folder is still watched: what is synchronised in
 * it waits for no disk, which only takes time.  The number of steps since
 * faults_arm.
 */
int faults_disarm(void);

#endif
