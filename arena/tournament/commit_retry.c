#include "commit_retry.h"

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
wait_ended(struct commit_retry *commit_retry)
{
	int64_t now_ns = clock_now_ns();

	if (commit_retry->held == 0)
		commit_retry->held_since_ns = now_ns;
	return commit_retry->wait_max_ns > 0 &&
	    now_ns - commit_retry->held_since_ns >= commit_retry->wait_max_ns;
}

int
commit_retry_step(struct commit_retry *commit_retry)
{
	struct store_error why = { .what = "" };
	int error;

	if (commit_retry->run->pending_count == 0)
		return 0;
	error = run_commit(commit_retry->run, &why);
	if (error)
		commit_retry->error = why;
	if (error && !may_pass(error))
		return error;
	if (error && wait_ended(commit_retry))
		return -ETIMEDOUT;
	if (error != commit_retry->held && commit_retry->on_hold)
		commit_retry->on_hold(commit_retry->context, error, &why);
	commit_retry->held = error;
	return error;
}
