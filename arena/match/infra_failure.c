/*
 * Failures of the machine: back-off, void games and their log lines, and whether
 * a supervisor was killed by its own bot.
 *
 * After a refusal, half of the matches that are in use may be in use. Each
 * success adds one match, up to match_count.
 *
 * Invariant: match_max is at least 1 and at most match_count.
 */
#include "infra_failure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "child_tracker.h"
#include "clock.h"
#include "log.h"
#include "sandbox.h"

/* A bot that loses so many supervisors in one game has killed them itself. */
enum { LOST_SUPERVISORS_MAX = 2 };

void
backoff_init(struct backoff *backoff, int match_count, int64_t limit_ns)
{
	*backoff = (struct backoff){
		.match_count = match_count,
		.match_max = match_count,
		.limit_ns =
		    limit_ns > 0 ? limit_ns : BACKOFF_LIMIT_S * CLOCK_NS_PER_S,
	};
}

bool
infra_failure_may_pass(int error)
{
	switch (-error) {
	case EAGAIN: /* processes, signals */
	case EMFILE: /* descriptors of the process */
	case ENFILE: /* descriptors of the machine */
	case ENOMEM:
	case ENOSPC:     /* watches, namespaces */
	case EOWNERDEAD: /* a supervisor was killed */
		return true;
	default:
		return false;
	}
}

bool
backoff_allows(const struct backoff *backoff, int match_count, int64_t now_ns)
{
	return match_count < backoff->match_max && now_ns >= backoff->retry_ns;
}

bool
backoff_begin(struct backoff *backoff, int match_count, int64_t now_ns)
{
	int half = match_count / 2;

	if (half < backoff->match_max)
		backoff->match_max = half > 1 ? half : 1;
	backoff->retry_ns = now_ns + BACKOFF_PAUSE_MS * CLOCK_NS_PER_MS;
	if (backoff->since_ns == 0)
		backoff->since_ns = now_ns;
	return now_ns - backoff->since_ns < backoff->limit_ns;
}

void
backoff_ease(struct backoff *backoff)
{
	backoff->since_ns = 0;
	if (backoff->match_max < backoff->match_count)
		backoff->match_max++;
}

bool
infra_failure_note(struct game_spec *game, const char *reason)
{
	size_t length = strlen(game->voided);

	if (length + strlen(reason) + 1 >= sizeof(game->voided))
		return false;
	snprintf(game->voided + length, sizeof(game->voided) - length, "%s%s",
	    length > 0 ? "," : "", reason);
	return true;
}

bool
infra_failure_supervisor_lost(struct game_spec *game)
{
	int swept = child_tracker_sweep();

	log_print(LOG_WARN,
	    "BOX_ERR: the supervisor of a bot was killed from outside; what "
	    "it left was killed, too (%d); game %d is played again",
	    swept > 0 ? swept : 0, game->index + 1);
	return infra_failure_note(game, "BOX_ERR");
}

bool
infra_failure_count_supervisor(struct game_spec *game, int seat,
    const struct match_rules *rules, const struct bot_exit *exit)
{
	int *lost_supervisors = game->lost_supervisors;

	if (exit->end != BOT_END_HOST || exit->code != EOWNERDEAD)
		return false;
	lost_supervisors[seat]++;
	for (int other = 0; other < rules->rules.players; other++)
		if (other != seat && lost_supervisors[other] > 0)
			return false;
	return lost_supervisors[seat] >= LOST_SUPERVISORS_MAX &&
	    !sandbox_shuts_signals(rules->sandbox);
}
