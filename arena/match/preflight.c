/*
 * The preflight check: PREFLIGHT_AT_ONCE matches greet the bots of all
 * entrants.
 *
 * Each slot takes the next entrant, starts its bot, stores the answer and stops
 * the bot. Then it takes another entrant. If the system refuses something that
 * may be available later, the slot greets the same entrant again after a pause.
 *
 * Invariant: `busy` is the number of slots that have not finished. When it
 * reaches 0, the loop stops, and all bots have ended.
 */
#include "preflight.h"

#include <errno.h>
#include <string.h>

#include "child_tracker.h"
#include "clock.h"
#include "infra_failure.h"
#include "process.h"

enum { OTHER_FDS = 64 };

/* A match that greets bots, one after the other. */
struct preflight_slot {
	struct preflight_run *run;
	struct match *match;
	int entrant; /* index of the entrant whose bot is greeted; -1: none */
	bool again;  /* the system refused it: to be greeted again */
};

struct preflight_run {
	struct loop *loop;
	int count, next; /* number of entrants; the next entrant to greet */
	int busy;        /* slots that greet a bot or wait until it has ended */
	struct preflight_result *results;
	struct preflight_slot slots[PREFLIGHT_AT_ONCE];
	struct backoff backoff;
	struct loop_deadline retry; /* when slots with `again` try again */
	int signal;                 /* that ended the check */
	int error; /* -errno, after which no bot is greeted; 0: none */
};

/* Greets the next bot in a free slot. The last free slot stops the loop. */
static void
greet_next(struct preflight_slot *slot)
{
	struct preflight_run *run = slot->run;

	slot->entrant = -1;
	if (run->error || run->next == run->count) {
		if (--run->busy == 0)
			loop_stop(run->loop);
		return;
	}
	slot->entrant = run->next++;
	match_greet(slot->match, slot->entrant);
}

/* Ends the check with this error and kills all bots. */
static void
stop_all(struct preflight_run *run, int error)
{
	if (run->error)
		return;
	run->error = error;
	for (int i = 0; i < PREFLIGHT_AT_ONCE; i++)
		if (run->slots[i].entrant >= 0)
			match_kill(run->slots[i].match);
}

static void
on_greeted(struct match *match)
{
	struct preflight_slot *slot = match->context;
	struct preflight_result *result = &slot->run->results[slot->entrant];

	memset(result, 0, sizeof(*result));
	memcpy(result->name, match->players[0]->name, sizeof(result->name));
	memcpy(result->version, match->referee.seats[0].session.version,
	    sizeof(result->version));
	memcpy(result->name_rest, match->referee.seats[0].session.name_rest,
	    sizeof(result->name_rest));
	result->fault = match->fault;
	backoff_ease(&slot->run->backoff);
	match_stop(match);
}

static void
on_gone(struct match *match)
{
	struct preflight_slot *slot = match->context;
	struct preflight_run *run = slot->run;

	if (slot->again && !run->error)
		loop_deadline_set(
		    run->loop, &run->retry, run->backoff.retry_ns);
	else
		greet_next(slot);
}

static void
on_retry(struct loop_deadline *deadline, int64_t now_ns)
{
	struct preflight_run *run = deadline->context;

	(void)now_ns;
	for (int i = 0; i < PREFLIGHT_AT_ONCE && !run->error; i++) {
		struct preflight_slot *slot = &run->slots[i];

		if (!slot->again)
			continue;
		slot->again = false;
		match_greet(slot->match, slot->entrant);
	}
}

static void
on_failure(struct match *match, int error)
{
	struct preflight_slot *slot = match->context;
	struct preflight_run *run = slot->run;

	child_tracker_end_orphans();
	slot->again = !run->error && infra_failure_may_pass(error) &&
	    backoff_begin(&run->backoff, PREFLIGHT_AT_ONCE, clock_now_ns());
	if (slot->again)
		match_kill(match);
	else
		stop_all(run, error);
}

static const struct match_events match_calls = {
	.on_greeted = on_greeted,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

static void
on_signal(void *context, int signal)
{
	struct preflight_run *run = context;

	run->signal = signal;
	stop_all(run, -EINTR);
}

/* Opens the matches and receives signals. Returns 0 or -errno. */
static int
open_slots(struct preflight_run *run, const struct match_rules *rules,
    const struct entrant *entrants)
{
	int error = process_make_room(PREFLIGHT_AT_ONCE, OTHER_FDS);

	for (int i = 0; i < PREFLIGHT_AT_ONCE && !error; i++) {
		struct preflight_slot *slot = &run->slots[i];

		slot->run = run;
		slot->entrant = -1;
		error = match_open(&slot->match, run->loop, rules, entrants,
		    &match_calls, slot);
	}
	return error ? error : loop_signals(run->loop, on_signal, run);
}

int
preflight(const struct match_rules *rules, const struct entrant *entrants,
    int count, struct preflight_result *results, int *signal)
{
	struct preflight_run run = {
		.count = count,
		.results = results,
		.retry = { .on_deadline = on_retry, .context = &run },
	};
	int error = loop_open(&run.loop);

	if (error)
		return error;
	backoff_init(&run.backoff, PREFLIGHT_AT_ONCE, 0);
	error = child_tracker_adopt();
	if (!error)
		error = loop_deadline_open(run.loop, &run.retry);
	if (!error)
		error = open_slots(&run, rules, entrants);
	if (!error) {
		run.busy = PREFLIGHT_AT_ONCE;
		for (int i = 0; i < PREFLIGHT_AT_ONCE; i++)
			greet_next(&run.slots[i]);
		error = loop_run(run.loop);
	}
	for (int i = 0; i < PREFLIGHT_AT_ONCE; i++)
		match_close(run.slots[i].match);
	loop_deadline_close(run.loop, &run.retry);
	loop_close(run.loop);
	if (!error)
		error = run.error;
	if (error == -EINTR)
		*signal = run.signal;
	return error;
}
