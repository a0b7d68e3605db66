#include "infra_failure.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "child_tracker.h"
#include "clock.h"
#include "log.h"

void
patience_init(struct patience *patience, int table_count, int64_t limit_ns)
{
	*patience = (struct patience){
		.table_count = table_count,
		.table_max = table_count,
		.limit_ns =
		    limit_ns > 0 ? limit_ns : PATIENCE_LIMIT_S * CLOCK_NS_PER_S,
	};
}

bool
patience_is_for(int error)
{
	switch (-error) {
	case EAGAIN: /* processes, signals */
	case EMFILE: /* descriptors, of the process.. */
	case ENFILE: /* ..or of the machine */
	case ENOMEM:
	case ENOSPC:     /* watches, namespaces */
	case EOWNERDEAD: /* a supervisor that was killed */
		return true;
	default:
		return false;
	}
}

bool
patience_allows(
    const struct patience *patience, int table_count, int64_t now_ns)
{
	return table_count < patience->table_max &&
	    now_ns >= patience->retry_ns;
}

bool
patience_try(struct patience *patience, int table_count, int64_t now_ns)
{
	int half = table_count / 2;

	if (half < patience->table_max)
		patience->table_max = half > 1 ? half : 1;
	patience->retry_ns = now_ns + PATIENCE_PAUSE_MS * CLOCK_NS_PER_MS;
	if (patience->since_ns == 0)
		patience->since_ns = now_ns;
	return now_ns - patience->since_ns < patience->limit_ns;
}

void
patience_ease(struct patience *patience)
{
	patience->since_ns = 0;
	if (patience->table_max < patience->table_count)
		patience->table_max++;
}

bool
mishap_note(struct series_game *game, const char *reason)
{
	size_t length = strlen(game->voided);

	if (length + strlen(reason) + 1 >= sizeof(game->voided))
		return false;
	snprintf(game->voided + length, sizeof(game->voided) - length, "%s%s",
	    length > 0 ? "," : "", reason);
	return true;
}

bool
mishap_take_loss(struct series_game *game)
{
	int swept = census_sweep();

	log_print(LOG_WARN,
	    "BOX_ERR: the supervisor of a bot was killed from outside; what "
	    "it left was killed, too (%d); game %d is played again",
	    swept > 0 ? swept : 0, game->index + 1);
	return mishap_note(game, "BOX_ERR");
}

void
mishap_tell_refusal(int error, bool *told)
{
	if (*told)
		return;
	*told = true;
	log_print(LOG_WARN,
	    "ENV_ERR: a bot could not be started: %s; fewer games are played "
	    "at once until it can",
	    strerror(-error));
}
