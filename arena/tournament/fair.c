#include "fair.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "fair_state.h"
#include "run_state.h"

/* What ends a walk where something differs. */
enum { DIFFERENT = 1 };

bool
fair_differs(
    struct fair *fair, const char *file, int64_t line, const char *format, ...)
{
	struct fair_report *report = fair->report;
	va_list arguments;

	report->file = file;
	report->line = line;
	va_start(arguments, format);
	vsnprintf(report->text, sizeof(report->text), format, arguments);
	va_end(arguments);
	return false;
}

/* The records could not be read on: by their own fault, or the machine's. */
static bool
blame_records(struct fair *fair, int status)
{
	const struct record_fault *fault = &fair->reread.fault;

	if (status == -EBADMSG)
		return fair_differs(
		    fair, RUN_RECORDS, fault->line, "%s", fault->text);
	if (status == -ENOENT)
		return fair_differs(fair, RUN_RECORDS, 0, "the file is gone");
	fair->status = status;
	return false;
}

/* Likewise the results. */
static bool
blame_results(struct fair *fair, int status)
{
	if (status == -EBADMSG || status == -ENOENT)
		return fair_differs(
		    fair, RUN_RESULTS, 0, "%s", fair->error->what);
	fair->status = status;
	return false;
}

/* The next block of the schedule must be this one. */
static bool
check_plan(struct fair *fair, const struct block_result *row)
{
	long long number = (long long)row->plan.index + 1;
	struct block_plan plan;

	if (tournament_next(&fair->tournament, &plan) != SCHEDULE_BLOCK)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %lld is none of the schedule, which ends before it",
		    number);
	if (!tournament_plan_equal(&fair->tournament, &plan, &row->plan))
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %lld is not the one that the schedule has there",
		    number);
	if (tournament_skips(&fair->tournament, &plan) != row->skipped)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %lld is %s, against the rule who is suspended",
		    number, row->skipped ? "skipped" : "not skipped");
	return true;
}

/* What the record of a block says must be in its rows. */
static bool
check_results(struct fair *fair, const struct block_result *row,
    const struct store_place *place)
{
	struct block_result block;
	struct store_place found;
	int status = reread_block(
	    &fair->reread, &row->plan, &block, &found, fair->error);

	if (status == 0)
		return fair_differs(fair, RUN_RECORDS, 0,
		    "the record of block %lld is missing",
		    (long long)row->plan.index + 1);
	if (status < 0)
		return blame_records(fair, status);
	for (int i = 0; i < row->plan.game_count; i++) {
		const char *column =
		    fair_result_difference(&row->games[i], &block.games[i]);

		fair->report->games++;
		if (column == NULL)
			continue;
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %lld, match m%lld: `%s` is not what the record "
		    "says",
		    (long long)row->plan.index + 1,
		    (long long)row->games[i].game + 1, column);
	}
	if (found.offset == place->offset && found.size == place->size &&
	    memcmp(found.digest, place->digest, sizeof(found.digest)) == 0)
		return true;
	return fair_differs(fair, RUN_RESULTS, 0,
	    "block %lld: its record was another one, or stood elsewhere",
	    (long long)row->plan.index + 1);
}

static int
check_block(void *context, const struct block_result *row,
    const struct store_place *place)
{
	struct fair *fair = context;

	if (!check_plan(fair, row) ||
	    (!row->skipped && !check_results(fair, row, place)))
		return DIFFERENT;
	chain_add(fair->chain, row, place->digest);
	if (memcmp(fair->chain, place->chain, sizeof(fair->chain)) != 0) {
		fair_differs(fair, RUN_RESULTS, 0,
		    "block %lld: the chain of results breaks here",
		    (long long)row->plan.index + 1);
		return DIFFERENT;
	}
	fair->status = tournament_take(&fair->tournament, row);
	if (fair->status)
		return DIFFERENT;
	fair->report->blocks++;
	return 0;
}

/* Whether nobody is left to play what the schedule still has. */
static bool
is_deserted(const struct fair *fair)
{
	const struct tournament *tournament = &fair->tournament;
	const struct schedule_config *schedule = &tournament->config.schedule;

	return schedule->bot_count - tournament->suspended_count <
	    schedule_bot_count(schedule);
}

/* A run that is over has come to the end that its terms say. */
static bool
check_end(struct fair *fair)
{
	const struct gate_config *gate = fair->order->gate;
	const struct reread *reread = &fair->reread;
	struct block_plan plan;

	if (reread->status)
		return blame_records(fair, reread->status);
	if (!fair->report->over)
		return true;
	if (reread->more)
		return fair_differs(fair, RUN_RECORDS, reread->block.first_line,
		    "the results know nothing of this game");
	if (reread->end != reread->size)
		return fair_differs(fair, RUN_RECORDS, 0,
		    "%lld bytes stand behind the last game",
		    (long long)(reread->size - reread->end));
	if (is_deserted(fair) ||
	    (gate != NULL &&
		gate_judge(gate, &fair->tournament.standings, false).final) ||
	    tournament_next(&fair->tournament, &plan) != SCHEDULE_BLOCK)
		return true;
	return fair_differs(fair, RUN_RESULTS, 0,
	    "block %lld is missing: the schedule has it, and the run is over",
	    (long long)fair->report->blocks + 1);
}

static bool
check_blocks(struct fair *fair)
{
	int status = reread_open(&fair->reread, fair->order->path, RUN_RECORDS,
	    &fair->head, fair->error);
	bool good;

	if (status)
		return blame_records(fair, status);
	fair->reread.look = fair_check_game;
	fair->reread.context = fair;
	fair->status =
	    tournament_open(&fair->tournament, fair->order->tournament);
	good = fair->status == 0;
	if (good) {
		status =
		    store_walk(fair->store, 0, check_block, fair, fair->error);
		good = status == 0 && check_end(fair);
		if (status < 0)
			blame_results(fair, status);
		tournament_close(&fair->tournament);
	}
	reread_close(&fair->reread);
	return good;
}

/* Bots, teams and games must be those that the configuration has. */
static bool
check_head(struct fair *fair)
{
	const struct schedule_config *schedule =
	    &fair->order->tournament->schedule;
	const struct store_head *head = &fair->head;

	if (head->bot_count == schedule->bot_count &&
	    head->teams == schedule->rules.teams &&
	    head->game_count == schedule_game_count(schedule))
		return true;
	return fair_differs(fair, RUN_RESULTS, 0,
	    "they are of other bots, teams or blocks than the configuration");
}

static void
fill_report(struct fair *fair)
{
	struct fair_report *report = fair->report;
	char state[STORE_STATE_SIZE] = "";

	if (store_state(fair->store, state, sizeof(state)) < 0)
		state[0] = '\0';
	report->over =
	    strcmp(state, RUN_DONE) == 0 || strcmp(state, RUN_STOPPED) == 0;
	report->committed = fair->head.committed;
	memcpy(report->commitment, fair->head.commitment,
	    sizeof(report->commitment));
	memcpy(report->terms, fair->head.terms, sizeof(report->terms));
	if (!fair->order->packs_given &&
	    (!report->committed || fair->head.secret[0] != '\0'))
		shuffle_key_format(fair->order->secret, report->secret);
}

static bool
check_all(struct fair *fair)
{
	char path[PATH_MAX];
	int status;

	run_path_join(path, fair->order->path, RUN_RESULTS);
	status =
	    store_open(&fair->store, path, false, &fair->head, fair->error);
	if (status)
		return blame_results(fair, status);
	fill_report(fair);
	contributions_mix(
	    fair->order->contributions, fair->order->secret, &fair->key);
	chain_begin(&fair->head, fair->chain);
	return fair_check_terms(fair) && check_head(fair) && check_blocks(fair);
}

int
fair_check(const struct fair_order *order, struct fair_report *report,
    struct store_error *error)
{
	struct fair *fair = calloc(1, sizeof(*fair));
	int status;

	memset(report, 0, sizeof(*report));
	memset(error, 0, sizeof(*error));
	if (!fair)
		return run_fail(-ENOMEM, "check", order->path, error);
	fair->order = order;
	fair->report = report;
	fair->error = error;
	report->good = check_all(fair);
	sodium_bin2hex(report->chain, sizeof(report->chain), fair->chain,
	    sizeof(fair->chain));
	store_close(fair->store);
	status = fair->status;
	free(fair);
	if (status && !error->what[0])
		return run_fail(status, "check", order->path, error);
	return status;
}
