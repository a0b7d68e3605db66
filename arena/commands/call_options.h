/*
 * What every call that plays a run says anew: where it tells of it, and how long
 * it waits.  `tournament`, `gate` and `resume` share these rows.
 */
#ifndef CALL_OPTIONS_H
#define CALL_OPTIONS_H

#include "option.h"

struct call_words {
	const char *events;      /* file, or NULL */
	int64_t rating_interval; /* blocks between lines of progress, or 0 */
	int64_t disk_wait;       /* seconds, where results cannot be kept; 0:
				  * without an end */
	int64_t stop_grace;      /* seconds, from the first signal to when
				  * the games that are on are broken off */
};

enum { CALL_OPTION_COUNT = 4 };
extern const struct option call_options[CALL_OPTION_COUNT];

#endif
