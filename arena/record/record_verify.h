/*
 * Verifies game records on three levels:
 *
 * 	1  the syntax and the sum are right;
 * 	2  every line follows from the rules, the packs and the plays;
 * 	3  the packs follow from the keys and the secret that the record names.
 */
#ifndef RECORD_VERIFY_H
#define RECORD_VERIFY_H

#include "replay.h"

enum { RECORD_LEVEL_COUNT = 3 };

struct record_verdict {
	bool good;
	int level;     /* first level that fails, from 1; 0: none fails */
	int key_count; /* packs whose key gives their cards */
	bool secret;   /* the secret gives these keys */
	struct record_fault fault;
};

/*
 * Called for unknown lines and keys, which are skipped.  `text` is valid during
 * the call only.
 */
struct record_listener {
	void (*say)(void *context, int64_t line, const char *text);
	void *context;
};

struct record_checker;

/*
 * Returns 0 with a new checker in *checker, or -ENOMEM. record_checker_close
 * frees it.
 */
int record_checker_open(struct record_checker **checker);
void record_checker_close(struct record_checker *checker);

/*
 * Checks a record.  Returns 0 with the verdict, whether the record is good or
 * not; or -ENOMEM; or -EFBIG if the lines that follow are too large for a
 * record.
 */
int record_check(struct record_checker *checker,
    const struct game_record *record, const struct record_listener *listener,
    struct record_verdict *verdict);

/*
 * Reports the unknown lines and keys of a record to the listener.  Returns
 * false and sets the fault if a line does not have the form that its verb
 * requires. If `lenient`, such lines are ignored.
 */
bool record_check_lines(const struct game_record *record, bool lenient,
    const struct record_listener *listener, struct record_fault *fault);

#endif
