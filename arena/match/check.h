/*
 * The conformance check of a bot: numbered steps, level by level (protocol.md,
 * levels of a bot).
 *
 * Steps of level 0 to 3 are run in this order.  When a step of a level has
 * failed, the rest of this level is run, but no higher level.  The check stops
 * early when the bot does not start, and after CHECK_FAILURES_MAX failures.
 */
#ifndef CHECK_H
#define CHECK_H

#include "conversation.h"

enum {
	CHECK_LEVEL_MAX = 3,
	CHECK_FAILURES_MAX = 5,
	CHECK_TEXT_SIZE = 1024,
	CHECK_TRANSCRIPT_LINES = 24 /* the last lines of a failed step */
};

enum check_outcome {
	CHECK_PASSED,
	CHECK_FAILED,
	CHECK_SKIPPED /* it does not concern this bot: `found` says why */
};

/* A step that has been run. */
struct check_step {
	int number; /* from 1 */
	int level;
	const char *name;     /* `readyok`; unique */
	const char *sentence; /* what the bot does */
	enum check_outcome outcome;
	/* For a failure: what was expected and found, and what to do. */
	char expected[CHECK_TEXT_SIZE];
	/* What was found; also a remark on a step that passed, or empty. */
	char found[CHECK_TEXT_SIZE];
	const char *hint; /* or NULL */
	/* The fault that the referee found; seat -1: none. */
	struct match_fault fault;
	char stderr_tail[BOT_STDERR_SIZE];
	struct conversation_line lines[CHECK_TRANSCRIPT_LINES];
	int line_count;
};

struct check_order {
	/* The sandbox, the memory, the times and the time control. */
	const struct match_rules *rules;
	const struct entrant *entrant;
	int level; /* the highest level that is checked */
	uint64_t seed;
	bool fail_fast; /* stop after the first failure */
	/* Called after each step; the step is valid during the call. */
	void (*on_step)(void *context, const struct check_step *step);
	void *context;
};

struct check_result {
	int passed, failed, skipped; /* steps */
	int level; /* the highest level whose steps have all passed; -1: none */
	bool stopped;                 /* not all steps of the levels were run */
	char name[SESSION_NAME_SIZE]; /* of the bot; may be empty */
};

/* The number of steps up to this level. */
int check_step_count(int level);

/*
 * The step with the index `index`, from 0, without results: its number, level,
 * name and sentence.
 */
struct check_step check_step_describe(int index);

/*
 * Checks a bot.  Returns 0, or -errno if the machine refused something.  No
 * process of the bot is left.
 */
int check_run(const struct check_order *order, struct check_result *result);

#endif
