/*
 * Failures of the machine at any step of writing.
 *
 * The test program has its own write, fdatasync and so on, which its libraries
 * call, too.  Each call on a file of the watched folder is a step, and at one
 * of these steps the fault happens.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>

enum fault {
	FAULT_NONE,      /* steps are only counted */
	FAULT_KILL,      /* the process is killed before the step */
	FAULT_TEAR,      /* the process is killed after half a write */
	FAULT_POWER,     /* power failure: unsynchronised data is lost */
	FAULT_FULL,      /* from this step on the disk is full: a write ends
			  * halfway, then writes fail */
	FAULT_FULL_SYNC, /* the same, but reported when data is synchronised */
	FAULT_DISK       /* from this step on synchronising fails with EIO */
};

/* Files whose data is not lost in a power failure, even if not synchronised. */
enum fault_survivors {
	FAULT_SURVIVES_NONE = 0,
	FAULT_SURVIVES_RECORDS = 1, /* `*.scopa` */
	FAULT_SURVIVES_LOG = 2,     /* `*-wal` */
	FAULT_SURVIVES_ALL_ELSE = 4
};

/* The fault happens at this step, counted from 1 from now on. */
void faults_arm(const char *folder, enum fault fault, int step,
    enum fault_survivors survivors);

/*
 * Does `work` in a child with this fault: true if it was completed, false if
 * the child was killed.
 */
bool faults_in_child(const char *folder, enum fault fault, int step,
    enum fault_survivors survivors, void (*work)(void));

/* Faults are tried at each n-th step; with TEST_FULL at each step. */
int faults_stride(void);

/*
 * No more faults.  The folder is still watched, so that synchronising does not
 * wait for the disk.  Returns the number of steps since faults_arm.
 */
int faults_disarm(void);

#endif
