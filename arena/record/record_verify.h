/*
 * Whether a block proves what it says: level 1, its syntax and its sum; level
 * 2, every line that follows from the rules, the packs and the plays; level 3,
 * packs that follow from the keys and the secret that it names.
 */
#ifndef RECORD_VERIFY_H
#define RECORD_VERIFY_H

#include "replay.h"

enum { RECORD_LEVEL_COUNT = 3 };

struct record_verdict {
	bool good;
	int level;     /* the first that fails, from 1; 0: none */
	int key_count; /* packs whose key was seen to give them */
	bool secret;   /* the secret was seen to give these keys */
	struct record_fault fault;
};

/* Called for what is skipped: lines and keys that are unknown. */
struct record_listener {
	void (*say)(void *context, int64_t line, const char *text);
	void *context;
};

struct record_checker;

/* 0 with *checker, or -ENOMEM. */
int record_checker_open(struct record_checker **checker);
void record_checker_close(struct record_checker *checker);

/* Checks a block.  0 with the verdict, good or not; -ENOMEM; -EFBIG. */
int record_check(struct record_checker *checker,
    const struct record_block *block, const struct record_listener *listener,
    struct record_verdict *verdict);

/*
 * Tells the listener what is unknown in a block.  False with the fault where a
 * line is not what its verb demands; `lenient` looks only for the unknown.
 */
bool record_check_lines(const struct record_block *block, bool lenient,
    const struct record_listener *listener, struct record_fault *fault);

#endif
