#include "preflight.h"

#include <errno.h>
#include <string.h>

#include "child_tracker.h"
#include "clock.h"
#include "infra_failure.h"
#include "process.h"

enum { OTHER_FDS = 64 };

/* Where a bot is heard, one after the other. */
struct desk {
	struct calling *calling;
	struct match *match;
	int entrant; /* that is being heard; -1: none */
	bool again;  /* the machine has refused it */
};

struct calling {
	struct loop *loop;
	int count, next; /* entrants: in all, to call */
	int busy;        /* desks where somebody is heard or still goes */
	struct roll *rolls;
	struct desk desks[ROLL_CALL_AT_ONCE];
	struct patience patience;
	struct loop_deadline retry; /* of those to be heard again */
	int signal;
	int error; /* 0: none; no further bot is called otherwise */
};

/* Calls the next bot to a desk that is free; the last desk ends it all. */
static void
call_next(struct desk *desk)
{
	struct calling *calling = desk->calling;

	desk->entrant = -1;
	if (calling->error || calling->next == calling->count) {
		if (--calling->busy == 0)
			loop_stop(calling->loop);
		return;
	}
	desk->entrant = calling->next++;
	match_greet(desk->match, desk->entrant);
}

/* Gives up: who is there is killed. */
static void
end_calling(struct calling *calling, int error)
{
	if (calling->error)
		return;
	calling->error = error;
	for (int i = 0; i < ROLL_CALL_AT_ONCE; i++)
		if (calling->desks[i].entrant >= 0)
			match_kill(calling->desks[i].match);
}

static void
on_greeted(struct match *match)
{
	struct desk *desk = match_context(match);
	struct roll *roll = &desk->calling->rolls[desk->entrant];

	memset(roll, 0, sizeof(*roll));
	memcpy(roll->name, match_name(match, 0), sizeof(roll->name));
	memcpy(roll->version, match_referee(match)->seats[0].session.version,
	    sizeof(roll->version));
	roll->fault = *match_fault(match);
	roll->ready = roll->fault.seat < 0;
	patience_ease(&desk->calling->patience);
	match_stop(match);
}

static void
on_gone(struct match *match)
{
	struct desk *desk = match_context(match);
	struct calling *calling = desk->calling;

	if (desk->again && !calling->error)
		loop_deadline_set(
		    calling->loop, &calling->retry, calling->patience.retry_ns);
	else
		call_next(desk);
}

static void
on_retry(struct loop_deadline *deadline, int64_t now_ns)
{
	struct calling *calling = deadline->context;

	(void)now_ns;
	for (int i = 0; i < ROLL_CALL_AT_ONCE && !calling->error; i++) {
		struct desk *desk = &calling->desks[i];

		if (!desk->again)
			continue;
		desk->again = false;
		match_greet(desk->match, desk->entrant);
	}
}

static void
on_failure(struct match *match, int error)
{
	struct desk *desk = match_context(match);
	struct calling *calling = desk->calling;

	census_settle();
	desk->again = !calling->error && patience_is_for(error) &&
	    patience_try(&calling->patience, ROLL_CALL_AT_ONCE, clock_now_ns());
	if (desk->again)
		match_kill(match);
	else
		end_calling(calling, error);
}

static const struct match_events match_calls = {
	.on_greeted = on_greeted,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

static void
on_signal(void *context, int signal)
{
	struct calling *calling = context;

	calling->signal = signal;
	end_calling(calling, -EINTR);
}

static int
open_desks(struct calling *calling, const struct match_rules *rules,
    const struct entrant *entrants)
{
	int error = process_make_room(ROLL_CALL_AT_ONCE, OTHER_FDS);

	for (int i = 0; i < ROLL_CALL_AT_ONCE && !error; i++) {
		struct desk *desk = &calling->desks[i];

		desk->calling = calling;
		desk->entrant = -1;
		error = match_open(&desk->match, calling->loop, rules, entrants,
		    &match_calls, desk);
	}
	return error ? error : loop_signals(calling->loop, on_signal, calling);
}

int
roll_call(const struct match_rules *rules, const struct entrant *entrants,
    int count, struct roll *rolls, int *signal)
{
	struct calling calling = {
		.count = count,
		.rolls = rolls,
		.retry = { .on_deadline = on_retry, .context = &calling },
	};
	int error = loop_open(&calling.loop);

	if (error)
		return error;
	patience_init(&calling.patience, ROLL_CALL_AT_ONCE, 0);
	error = census_adopt();
	if (!error)
		error = loop_deadline_open(calling.loop, &calling.retry);
	if (!error)
		error = open_desks(&calling, rules, entrants);
	if (!error) {
		calling.busy = ROLL_CALL_AT_ONCE;
		for (int i = 0; i < ROLL_CALL_AT_ONCE; i++)
			call_next(&calling.desks[i]);
		error = loop_run(calling.loop);
	}
	for (int i = 0; i < ROLL_CALL_AT_ONCE; i++)
		match_close(calling.desks[i].match);
	loop_deadline_close(calling.loop, &calling.retry);
	loop_close(calling.loop);
	if (!error)
		error = calling.error;
	if (error == -EINTR)
		*signal = calling.signal;
	return error;
}
