#include "gather_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "complaint.h"
#include "record_walk.h"

/* Clusters that are kept apart, of two bots and of each further pair. */
enum { ROWS_MIN = 1 << 16, ROWS_PER_PAIR = 256 };

struct context {
	struct gather *gather;
	int64_t refused;  /* good records that cannot be counted */
	int64_t analysed; /* of games in which some bots saw all cards */
};

static int
gather_block(void *given, const struct record_visit *visit)
{
	struct context *context = given;
	struct record_fault fault = { 0 };
	char text[RECORD_FAULT_SIZE + 16];
	int error = gather_take(context->gather, visit->block, &fault);

	/* There may be thousands: the first is said. */
	if (error == -EPERM && context->analysed++ > 0)
		return 0;
	if (error != -EBADMSG && error != -EPERM)
		return error;
	context->refused++;
	snprintf(text, sizeof(text), "skipped: %s", fault.text);
	record_walk_say(visit->file, fault.line, text);
	return 0;
}

/* What was worked out with all cards in sight is no measure of a player. */
static void
complain_analysis(int64_t analysed, int64_t counted)
{
	complaint_say("%" PRId64 " game%s for analysis: nothing of %s is rated",
	    analysed, analysed == 1 ? " was" : "s were",
	    analysed == 1 ? "it" : "them");
	if (counted > 0)
		complaint_add("counted", "the other %" PRId64, counted);
	complaint_add("hint",
	    "some bots could see all cards; the report of the run that played "
	    "them tells the margins");
}

static int64_t
row_max(int bot_count)
{
	return ROWS_MIN +
	    (int64_t)ROWS_PER_PAIR * bot_count * (bot_count - 1) / 2;
}

void
gather_opponents(const struct gather *gather, const char *candidate,
    const char *base, int bots[2])
{
	bots[0] = candidate != NULL ? gather_bot_find(gather, candidate) : 0;
	bots[1] = -1;
	if (base != NULL)
		bots[1] = gather_bot_find(gather, base);
	else if (bots[0] >= 0 && gather->bot_count == 2)
		bots[1] = 1 - bots[0];
}

/*
 * Begins to bet as soon as both bots have been seen: no later than when they
 * meet.  A third bot that comes later leaves nothing to bet on without a name,
 * which is said when all was read.
 */
static void
bets_begin(struct gathered *gathered)
{
	const struct gather_bets *bets = gathered->bets;
	struct standings *standings = &gathered->standings;
	double limit = scopa_points_max(&standings->rules);
	int bots[2];

	if (bets == NULL || standings->bets.open || bets->low <= -limit ||
	    bets->high >= limit)
		return;
	gather_opponents(&gathered->gather, bets->candidate, bets->base, bots);
	if (bots[0] >= 0 && bots[1] >= 0 && bots[0] != bots[1])
		standings_bet(
		    standings, bots[0], bots[1], bets->low, bets->high);
}

/* Adds a block to the sums. */
static int
on_block(void *context, const struct gather *gather,
    const struct block_result *block)
{
	struct gathered *gathered = context;
	struct standings *standings = &gathered->standings;
	struct block_result masked = *block;
	int status = 0;

	if (standings->bots == NULL)
		status = standings_open(
		    standings, &gather->rules, gather->bot_count);
	else if (standings->bot_count < gather->bot_count)
		status = standings_grow(standings, 2 * gather->bot_count);
	if (status == 0)
		bets_begin(gathered);
	masked.plan.round &= (int)gathered->cluster_mask;
	if (status == 0)
		status = standings_take(standings, &masked);
	if (status == 0)
		standings_coarsen(standings, row_max(gather->bot_count),
		    &gathered->cluster_mask);
	return status;
}

void
gathered_close(struct gathered *gathered)
{
	gather_release(&gathered->gather);
	standings_close(&gathered->standings);
}

enum status
gather_files(struct gathered *gathered, const struct gather_bets *bets,
    int file_count, char **files)
{
	struct gather *gather = &gathered->gather;
	struct context context = { .gather = gather };
	struct record_pick pick = { 0 };
	const struct record_walk walk = {
		.quiet = true,
		.pick = &pick,
		.visit = gather_block,
		.context = &context,
	};
	enum status status;

	*gathered = (struct gathered){
		.cluster_mask = INT32_MAX,
		.bets = bets,
	};
	gather_init(gather, on_block, gathered);
	status = record_walk_files(&walk, file_count, files);
	if (gather_finish(gather) < 0) {
		complaint_say("no memory");
		return STATUS_ENVIRONMENT;
	}
	if (context.refused > 0)
		status = record_walk_worse(status, STATUS_FAILED);
	if (context.analysed > 0)
		complain_analysis(context.analysed, gather->game_count);
	if (status == STATUS_DONE && gather->block_count == 0) {
		complaint_say("no game came to its end");
		complaint_add("hint",
		    "%d record%s of games that were interrupted",
		    (int)gather->aborted, gather->aborted == 1 ? "" : "s");
		status = STATUS_FAILED;
	}
	return status;
}

void
gather_remarks_say(const struct gather *gather)
{
	fflush(stdout);
	if (gather->incomplete > 0)
		fprintf(stderr,
		    "warning: %" PRId64 " of %" PRId64 " blocks lack games: "
		    "the luck of the deal stays in them\n",
		    gather->incomplete, gather->block_count);
	if (gather->aborted > 0)
		fprintf(stderr,
		    "warning: games that came to no end were left out: "
		    "%" PRId64 "\n",
		    gather->aborted);
	if (gather->repeated > 0)
		fprintf(stderr,
		    "warning: records that were there twice were counted "
		    "once: %" PRId64 "\n",
		    gather->repeated);
	if (gather->again > 0)
		fprintf(stderr,
		    "warning: games with packs that the same bots had played "
		    "in the same seats are no new evidence and were left out: "
		    "%" PRId64 "\n",
		    gather->again);
}
