#include "keeper.h"

#include <errno.h>

#include "clock.h"

/* What may pass by itself. */
static bool
may_pass(int error)
{
	return error == -ENOSPC || error == -EBUSY;
}

/* The first look at the clock is the beginning. */
static bool
patience_ended(struct keeper *keeper)
{
	int64_t now_ns = clock_now_ns();

	if (keeper->held == 0)
		keeper->held_since_ns = now_ns;
	return keeper->patience_ns > 0 &&
	    now_ns - keeper->held_since_ns >= keeper->patience_ns;
}

int
keeper_keep(struct keeper *keeper)
{
	struct store_error why = { .what = "" };
	int error;

	if (keeper->run->pending_count == 0)
		return 0;
	error = run_commit(keeper->run, &why);
	if (error)
		keeper->error = why;
	if (error && !may_pass(error))
		return error;
	if (error && patience_ended(keeper))
		return -ETIMEDOUT;
	if (error != keeper->held && keeper->on_hold)
		keeper->on_hold(keeper->context, error, &why);
	keeper->held = error;
	return error;
}
