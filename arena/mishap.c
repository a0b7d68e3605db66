#include "mishap.h"

#include <stdio.h>
#include <string.h>

#include "census.h"
#include "log.h"

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
