#include "call_options.h"

#define FIELD(name) .offset = offsetof(struct call_words, name)

enum {
	INTERVAL_MAX = 10000000,
	DISK_WAIT_MAX = 7 * 24 * 3600,
	STOP_GRACE_MAX = 7 * 24 * 3600
};

const struct option call_options[CALL_OPTION_COUNT] = {
	{ .name = "events",
	    .kind = OPTION_TEXT,
	    .value = "FILE.jsonl",
	    .sentence = "Append what happens to this file, one JSON object a "
			"line.",
	    .is_passing = true,
	    FIELD(events) },
	{ .name = "ratinginterval",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "Tell how it stands after every so many blocks. "
			"Without it from time to time.",
	    .unit = "blocks",
	    .min = 1,
	    .max = INTERVAL_MAX,
	    .is_passing = true,
	    FIELD(rating_interval) },
	{ .name = "disk-wait",
	    .kind = OPTION_INT,
	    .value = "S",
	    .sentence = "Where results cannot be kept (the disk is full, or "
			"another program holds the database): give up after "
			"so many seconds, with exit status 75; `resume` goes "
			"on. Without it the run waits until they can.",
	    .unit = "seconds",
	    .min = 1,
	    .max = DISK_WAIT_MAX,
	    .is_passing = true,
	    FIELD(disk_wait) },
	{ .name = "stop-grace",
	    .kind = OPTION_INT,
	    .value = "S",
	    .sentence = "After SIGINT or SIGTERM the blocks that have begun "
			"may come to their end for so many seconds; then, or "
			"at the second signal, their games are broken off, "
			"and `resume` plays them again.",
	    .unit = "seconds",
	    .min = 1,
	    .max = STOP_GRACE_MAX,
	    .fallback = "60",
	    .is_passing = true,
	    FIELD(stop_grace) },
};
