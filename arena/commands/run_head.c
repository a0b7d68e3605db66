#include "run_head.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "complaint.h"
#include "run.h"
#include "version.h"

static enum status
fill_bot(
    const struct entrant *entrant, enum entrant_use use, struct store_bot *bot)
{
	int error = run_bot_digest(entrant, bot->digest);

	memcpy(bot->name, entrant->name, sizeof(bot->name));
	snprintf(bot->command, sizeof(bot->command), "%.*s",
	    STORE_TEXT_SIZE - 1, entrant->command);
	if (!error)
		return STATUS_DONE;
	bot->digest[0] = '\0';
	if (use == ENTRANT_TO_READ)
		return STATUS_DONE;
	complaint_say("bot \"%s\": its files cannot be read: %s",
	    entrant->command, strerror(-error));
	return STATUS_ENVIRONMENT;
}

enum status
run_head_fill(const struct tournament_setup *setup, enum entrant_use use,
    struct store_head *head)
{
	enum status status = STATUS_DONE;

	memset(head, 0, sizeof(*head));
	snprintf(head->command, sizeof(head->command), "%s",
	    setup->is_gate ? "gate" : "tournament");
	snprintf(head->name, sizeof(head->name), "%s", setup->name);
	snprintf(head->tool, sizeof(head->tool), "%s",
	    VERSION_NAME "/" VERSION_NUMBER);
	clock_utc(head->created);
	head->teams = setup->rules.rules.teams;
	head->game_count = schedule_game_count(&setup->schedule);
	head->bot_count = setup->entrant_count;
	for (int bot = 0; bot < head->bot_count && status == STATUS_DONE; bot++)
		status = fill_bot(&setup->entrants[bot], use, &head->bots[bot]);
	return status;
}
