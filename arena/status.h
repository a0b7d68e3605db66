/*
 * Exit statuses of the program.
 */
#ifndef STATUS_H
#define STATUS_H

enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,       /* the verdict of a check is no */
	STATUS_USAGE = 2,        /* usage or configuration */
	STATUS_INCONCLUSIVE = 3, /* the verdict of a gate is neither */
	STATUS_BOT = 4,          /* a bot failed and the policy was to stop */
	STATUS_ENVIRONMENT = 5,  /* the machine refused, or our own fault */
	STATUS_UNPROVED = 6,     /* nothing is wrong, and nothing is proved */
	STATUS_LATER = 75, /* EX_TEMPFAIL: no room for as long as was waited */
	STATUS_INTERRUPTED = 130,
	STATUS_TERMINATED = 143
};

#endif
