/*
 * From the schedule to the workers, and back from their records to the
 * standings and the store.
 *
 * Games are supplied and reported in the same order, so at any time one block is
 * the head of the queue and collects its games; those behind it wait in the
 * dispatcher.
 */
#include "runner.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "infra_failure.h"
#include "log.h"
#include "rebuild.h"

/* A run that was killed had no time to say why. */
#define REASON_KILLED "ENV_ERR"

enum {
	HEAD_SIZE = 45, /* the first line, written over again and again */
	LINE_SIZE = 128,
	TEXT_SIZE = 64 * 1024
};

/* Writes the first line.  What cannot be noted is not. */
static void
put_head(const struct attempts *attempts, const char *reason)
{
	char line[LINE_SIZE];
	ssize_t put;

	if (attempts->fd < 0)
		return;
	snprintf(line, sizeof(line), "begun %-20" PRId64 " %-16s\n",
	    attempts->begun, reason);
	put = pwrite(attempts->fd, line, HEAD_SIZE - 1, 0);
	(void)put;
}

static void
store_loss(struct attempts *attempts, const struct attempts_loss *loss)
{
	if (attempts->loss_count < ATTEMPTS_LOSSES_MAX)
		attempts->losses[attempts->loss_count++] = *loss;
}

/* Reads all that is there; false where it is none of ours. */
static bool
read_text(struct attempts *attempts, char *text, char reason[])
{
	char *line = strtok_r(text, "\n", &text);
	struct attempts_loss loss;

	if (line == NULL ||
	    sscanf(line, "begun %" SCNd64 " %15s", &attempts->begun, reason) !=
		2)
		return false;
	while ((line = strtok_r(NULL, "\n", &text)) != NULL) {
		if (sscanf(line, "lost %" SCNd64 " %" SCNd64 " %15s",
			&loss.first, &loss.last, loss.reason) != 3)
			return false;
		loss.first--;
		loss.last--;
		store_loss(attempts, &loss);
	}
	return true;
}

/* Adds the line of a loss behind the others. */
static int
put_loss(const struct attempts *attempts, const struct attempts_loss *loss)
{
	char line[LINE_SIZE];
	int length =
	    snprintf(line, sizeof(line), "lost %" PRId64 " %" PRId64 " %s\n",
		loss->first + 1, loss->last + 1, loss->reason);
	off_t end = lseek(attempts->fd, 0, SEEK_END);

	if (end < 0 ||
	    pwrite(attempts->fd, line, (size_t)length, end) != length)
		return -EIO;
	return 0;
}

static int
read_file(struct attempts *attempts, int64_t done_count)
{
	struct attempts_loss loss = { .first = done_count };
	char text[TEXT_SIZE];
	ssize_t got = pread(attempts->fd, text, sizeof(text) - 1, 0);
	int error = 0;

	if (got < 0)
		return -errno;
	text[got] = '\0';
	if (got > 0 && !read_text(attempts, text, loss.reason))
		return -EBADMSG;
	if (attempts->begun > done_count) {
		loss.last = attempts->begun - 1;
		store_loss(attempts, &loss);
		error = put_loss(attempts, &loss);
	}
	attempts->begun = done_count;
	return error;
}

int
attempts_open(struct attempts *attempts, const char *path, int64_t done_count)
{
	int error;

	*attempts = (struct attempts){ .fd = -1 };
	attempts->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (attempts->fd < 0)
		return -errno;
	error = read_file(attempts, done_count);
	if (error) {
		attempts_close(attempts);
		return error;
	}
	put_head(attempts, REASON_KILLED);
	return 0;
}

void
attempts_close(struct attempts *attempts)
{
	if (attempts->fd >= 0)
		close(attempts->fd);
	attempts->fd = -1;
}

bool
attempts_last(const char *path, char reason[ATTEMPTS_REASON_SIZE])
{
	FILE *file = fopen(path, "re");
	int64_t begun;
	bool found;

	if (file == NULL)
		return false;
	found = fscanf(file, "begun %" SCNd64 " %15s", &begun, reason) == 2;
	fclose(file);
	return found;
}

void
attempts_begin(struct attempts *attempts, struct game_spec *game)
{
	for (int i = 0; i < attempts->loss_count; i++) {
		const struct attempts_loss *loss = &attempts->losses[i];

		if (loss->first <= game->index && game->index <= loss->last)
			(void)infra_failure_note(game, loss->reason);
	}
	if (game->index < attempts->begun)
		return;
	attempts->begun = (int64_t)game->index + 1;
	put_head(attempts, REASON_KILLED);
}

void
attempts_end(struct attempts *attempts, const char *reason)
{
	if (reason == NULL)
		attempts->begun = 0;
	put_head(attempts, reason ? reason : REASON_KILLED);
}

/*
 * The blocks that a run has already, for the tournament that goes on.
 */

/* One block of the store, on its way to the tournament. */
struct catch_up {
	struct tournament *tournament;
	struct store_error *error;
};

static int
retake(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct catch_up *catch_up = context;
	int error = tournament_retake(catch_up->tournament, block);

	(void)place;
	if (error == -EBADMSG)
		snprintf(catch_up->error->what, sizeof(catch_up->error->what),
		    "block %lld of the run is not what its configuration "
		    "plans",
		    (long long)block->plan.index + 1);
	else if (error)
		snprintf(catch_up->error->what, sizeof(catch_up->error->what),
		    "the blocks of the run cannot be read: %s",
		    strerror(-error));
	return error;
}

bool
runner_catch_up(
    struct run *run, struct tournament *tournament, struct store_error *error)
{
	struct catch_up catch_up = { tournament, error };

	memset(error, 0, sizeof(*error));
	return store_walk(run->store, 0, retake, &catch_up, error) == 0;
}

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

/* Blocks that wait for a commit before it is done at once. */
enum { PENDING_MAX = 512 };

/* How often waiting blocks are committed, and on_tick is called. */
#define TICK_NS INT64_C(50000000)

/* A block that was planned and is not counted yet. */
struct planned {
	struct block_plan plan;
	bool skipped; /* known when its games would have been supplied */
	bool saved;   /* it is not played: see rebuild.h */
};

struct runner {
	const struct runner_config *config;
	struct run *run;
	struct tournament *tournament;
	struct dispatcher *dispatcher; /* once a call has come */

	/* The queue: blocks whose games were supplied, the first one counts. */
	struct planned *queue; /* owned; a ring of queue_capacity */
	int queue_first, queue_count, queue_capacity;
	int supplied; /* games of the last one in the queue that were */

	/* The head of the queue, as far as its games have been reported. */
	struct block_result head;
	int head_games;
	char *bytes; /* its record so far; owned */
	size_t byte_count, byte_capacity;

	/*
	 * Saved blocks, which were played before an earlier block was lost; and
	 * the one of them that is the last block of the queue.
	 */
	struct salvage *salvage; /* or NULL */
	struct block_result saved;
	struct store_place saved_place;

	struct attempts attempts;
	bool stopping;        /* no further block begins */
	int64_t grace_end_ns; /* after the first signal; 0: there was none */
	bool dropping;        /* nothing more counts */
	struct commit_retry commit_retry;
	struct runner_outcome outcome;
};

/* The first reason counts; nothing that is told from now on does. */
static void
end_runner(struct runner *runner, enum runner_end end, int detail)
{
	if (!runner->dropping) {
		runner->outcome.end = end;
		runner->outcome.detail = detail;
	}
	runner->dropping = runner->stopping = true;
	if (runner->dispatcher)
		dispatcher_end(
		    runner->dispatcher, DISPATCHER_DONE, 0, STOP_ABORT);
}

/* A store error overrides any other end. */
static void
end_for_store(struct runner *runner, int error)
{
	end_runner(runner, RUNNER_STORE, error);
	runner->outcome.end = RUNNER_STORE;
	runner->outcome.detail = error;
}

static struct planned *
queue_at(struct runner *runner, int index)
{
	return &runner->queue[(runner->queue_first + index) %
	    runner->queue_capacity];
}

static bool
queue_grow(struct runner *runner)
{
	int capacity = 2 * runner->queue_capacity + 16;
	struct planned *grown = calloc((size_t)capacity, sizeof(*grown));

	if (grown == NULL)
		return false;
	for (int i = 0; i < runner->queue_count; i++)
		grown[i] = *queue_at(runner, i);
	free(runner->queue);
	runner->queue = grown;
	runner->queue_first = 0;
	runner->queue_capacity = capacity;
	return true;
}

/* Commits what waits for it, or goes on waiting. */
static void
commit(struct runner *runner)
{
	struct commit_retry *commit_retry = &runner->commit_retry;
	int error = commit_retry_step(commit_retry);

	runner->outcome.error = commit_retry->error;
	if (error && error != commit_retry->held)
		end_for_store(runner, error);
	else if (!error && runner->dispatcher)
		dispatcher_supply_again(runner->dispatcher);
}

/* Bots that are suspended since the last block. */
static void
report_suspended(struct runner *runner, const bool before[TOURNAMENT_BOTS_MAX])
{
	const struct runner_calls *calls = runner->config->calls;
	const struct tournament *tournament = runner->tournament;
	int bots = tournament->config.schedule.bot_count;

	for (int bot = 0; bot < bots; bot++)
		if (tournament->suspended[bot] && !before[bot] &&
		    calls->on_suspend)
			calls->on_suspend(runner->config->context, bot);
	if (tournament_is_deserted(tournament))
		end_runner(runner, RUNNER_NOBODY, 0);
}

/* A gate may have come to its verdict. */
static void
judge(struct runner *runner)
{
	const struct gate_config *gate = runner->config->gate;

	if (gate == NULL || runner->dropping)
		return;
	if (gate_judge(gate, &runner->tournament->standings, false).final)
		end_runner(runner, RUNNER_DONE, 0);
}

/* Counts the head of the queue: all of its games have been reported. */
static void
count_head(struct runner *runner)
{
	const struct runner_calls *calls = runner->config->calls;
	struct tournament *tournament = runner->tournament;
	struct block_result *head = &runner->head;
	bool before[TOURNAMENT_BOTS_MAX];
	int error;

	head->plan = queue_at(runner, 0)->plan;
	head->skipped = tournament_skips(tournament, &head->plan);
	if (head->skipped)
		runner->byte_count = 0;
	memcpy(before, tournament->suspended, sizeof(before));
	error = run_add(runner->run, head, runner->bytes, runner->byte_count);
	if (!error)
		error = tournament_take(tournament, head);
	runner->queue_first =
	    (runner->queue_first + 1) % runner->queue_capacity;
	runner->queue_count--;
	runner->head_games = 0;
	runner->byte_count = 0;
	if (error) {
		end_runner(runner, RUNNER_FAILED, error);
		return;
	}
	if (calls->on_block)
		calls->on_block(runner->config->context, head);
	report_suspended(runner, before);
	judge(runner);
	if (runner->run->pending_count >= PENDING_MAX &&
	    !runner->commit_retry.held)
		commit(runner);
}

static int
reserve_bytes(struct runner *runner, size_t size)
{
	size_t capacity = 2 * (runner->byte_count + size);
	char *grown;

	if (runner->byte_count + size <= runner->byte_capacity)
		return 0;
	grown = realloc(runner->bytes, capacity);
	if (grown == NULL)
		return -ENOMEM;
	runner->bytes = grown;
	runner->byte_capacity = capacity;
	return 0;
}

/* The head of the queue is a saved block: takes it as if it had been played. */
static void
load_saved(struct runner *runner)
{
	size_t size = (size_t)runner->saved_place.size;
	int error = reserve_bytes(runner, size);

	if (!error)
		error = salvage_read(
		    runner->salvage, &runner->saved_place, runner->bytes);
	if (error) {
		end_runner(runner, RUNNER_FAILED, error);
		return;
	}
	runner->byte_count = size;
	runner->head = runner->saved;
}

/* Counts blocks at the head that have no games to wait for. */
static void
count_skipped(struct runner *runner)
{
	while (runner->queue_count > 0 && !runner->dropping) {
		const struct planned *planned = queue_at(runner, 0);

		if (!planned->skipped && !planned->saved)
			return;
		if (planned->saved)
			load_saved(runner);
		if (!runner->dropping)
			count_head(runner);
	}
}

/* Whether the last block of the queue is saved: it must be counted first. */
static bool
awaits_saved(struct runner *runner)
{
	return runner->queue_count > 0 &&
	    queue_at(runner, runner->queue_count - 1)->saved;
}

/* Puts the next block of the schedule into the queue. */
static enum schedule_answer
plan_block(struct runner *runner)
{
	enum schedule_answer answer;
	struct planned *planned;

	if (runner->queue_count == runner->queue_capacity &&
	    !queue_grow(runner)) {
		end_runner(runner, RUNNER_FAILED, -ENOMEM);
		return SCHEDULE_END;
	}
	planned = queue_at(runner, runner->queue_count);
	answer = tournament_next(runner->tournament, &planned->plan);
	if (answer != SCHEDULE_BLOCK)
		return answer;
	planned->skipped = tournament_skips(runner->tournament, &planned->plan);
	planned->saved = !planned->skipped &&
	    salvage_take(runner->salvage, &planned->plan, &runner->saved,
		&runner->saved_place);
	runner->queue_count++;
	runner->supplied =
	    planned->skipped || planned->saved ? planned->plan.game_count : 0;
	count_skipped(runner);
	return answer;
}

/* Whether the last block of the queue has games that were not supplied yet. */
static bool
block_open(struct runner *runner)
{
	return runner->queue_count > 0 &&
	    runner->supplied <
	    queue_at(runner, runner->queue_count - 1)->plan.game_count;
}

struct game_spec
runner_game(const struct block_plan *plan, int number)
{
	struct game_spec game = {
		.index = (int)(plan->index * plan->game_count + number),
		.round = plan->round,
		.rotation = number,
		.dealer = plan->dealer,
	};

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		game.entrant[seat] = plan->bots[plan->seating[number][seat]];
	snprintf(game.event, sizeof(game.event), "round-%d", plan->round + 1);
	return game;
}

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct runner *runner = context;

	runner->dispatcher = dispatcher;
	while (!runner->dropping && !block_open(runner)) {
		enum schedule_answer answer;

		if (runner->stopping)
			return DISPATCHER_NO_MORE;
		if (runner->commit_retry.held || awaits_saved(runner))
			return DISPATCHER_WAIT;
		answer = plan_block(runner);
		if (answer == SCHEDULE_WAIT)
			return DISPATCHER_WAIT;
		if (answer == SCHEDULE_END)
			return DISPATCHER_NO_MORE;
	}
	if (runner->dropping)
		return DISPATCHER_NO_MORE;
	*game = runner_game(&queue_at(runner, runner->queue_count - 1)->plan,
	    runner->supplied++);
	attempts_begin(&runner->attempts, game);
	return DISPATCHER_GAME;
}

/* The number of the game that must be told next. */
static int
head_game(struct runner *runner)
{
	const struct block_plan *plan = &queue_at(runner, 0)->plan;

	return (int)(plan->index * plan->game_count) + runner->head_games;
}

static int
store_record(struct runner *runner, const char *record, size_t size)
{
	int error = reserve_bytes(runner, size);

	if (error)
		return error;
	memcpy(runner->bytes + runner->byte_count, record, size);
	runner->byte_count += size;
	return 0;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct runner *runner = context;
	const struct runner_calls *calls = runner->config->calls;
	int error;

	runner->dispatcher = dispatcher;
	if (runner->dropping)
		return;
	/* Given up, or lost: the block has a gap, and nothing behind counts. */
	if (strcmp(result->summary.reason, "abort") == 0 ||
	    result->summary.game != head_game(runner)) {
		runner->dropping = true;
		return;
	}
	if (result->fault_entrant >= 0 && calls->on_fault)
		calls->on_fault(runner->config->context, result);
	runner->head.games[runner->head_games] = result->summary;
	error = store_record(runner, record, size);
	if (error) {
		end_runner(runner, RUNNER_FAILED, error);
		return;
	}
	runner->head_games++;
	if (runner->head_games < queue_at(runner, 0)->plan.game_count)
		return;
	count_head(runner);
	count_skipped(runner);
}

/* Breaks off the games that are on: their blocks do not count. */
static void
drop_games(struct runner *runner, int signal, enum stop_mode order)
{
	runner->dropping = true;
	runner->grace_end_ns = 0;
	dispatcher_end(
	    runner->dispatcher, DISPATCHER_INTERRUPTED, signal, order);
}

/*
 * The first signal lets the blocks that have begun come to their end, for as
 * long as the grace lasts; the second one drops them; the third kills the bots.
 */
static void
on_signal(struct dispatcher *dispatcher, void *context, int signal, int count)
{
	struct runner *runner = context;
	const struct runner_calls *calls = runner->config->calls;

	runner->dispatcher = dispatcher;
	if (!runner->dropping) {
		runner->outcome.end = RUNNER_INTERRUPTED;
		runner->outcome.detail = signal;
	}
	runner->stopping = true;
	if (count > 1 || runner->dropping) {
		drop_games(runner, signal, count > 2 ? STOP_KILL : STOP_ABORT);
	} else {
		if (runner->config->stop_grace_ns > 0)
			runner->grace_end_ns =
			    clock_now_ns() + runner->config->stop_grace_ns;
		dispatcher_supply_again(dispatcher);
	}
	if (calls->on_signal)
		calls->on_signal(runner->config->context, signal, count);
}

static void
on_tick(struct dispatcher *dispatcher, void *context)
{
	struct runner *runner = context;
	const struct runner_calls *calls = runner->config->calls;

	runner->dispatcher = dispatcher;
	if (runner->grace_end_ns > 0 &&
	    clock_now_ns() >= runner->grace_end_ns) {
		drop_games(runner, runner->outcome.detail, STOP_ABORT);
		if (calls->on_grace_over)
			calls->on_grace_over(runner->config->context);
	}
	if (!runner->dropping || runner->outcome.end != RUNNER_STORE)
		commit(runner);
	if (calls->on_tick)
		calls->on_tick(runner->config->context);
}

static const struct dispatcher_calls dispatcher_calls = {
	.next = next_game,
	.on_result = on_result,
	.on_signal = on_signal,
	.on_tick = on_tick,
};

/* What the dispatcher itself ran into. */
static void
note_outcome(struct runner *runner, const struct dispatcher_outcome *outcome)
{
	switch (outcome->end) {
	case DISPATCHER_DONE:
	case DISPATCHER_STOPPED:
	case DISPATCHER_INTERRUPTED:
		return;
	case DISPATCHER_FAILED:
		runner->outcome.end = RUNNER_FAILED;
		break;
	case DISPATCHER_LOST:
		runner->outcome.end = RUNNER_LOST;
		break;
	}
	runner->outcome.detail = outcome->detail;
	runner->outcome.lost_count = outcome->lost_count;
}

/*
 * All is played, and results cannot be kept yet: there is no loop any more that
 * would wait.  A signal says not to.
 */
static void
wait_for_store(struct runner *runner)
{
	const struct runner_calls *calls = runner->config->calls;
	const struct timespec tick = { .tv_nsec = TICK_NS };
	sigset_t awaited, before;

	sigemptyset(&awaited);
	sigaddset(&awaited, SIGINT);
	sigaddset(&awaited, SIGTERM);
	sigprocmask(SIG_BLOCK, &awaited, &before);
	while (runner->commit_retry.held &&
	    runner->outcome.end != RUNNER_STORE &&
	    sigtimedwait(&awaited, NULL, &tick) < 0) {
		commit(runner);
		if (calls->on_tick)
			calls->on_tick(runner->config->context);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Which games were lost before; that this cannot be noted stops nobody. */
static void
open_attempts(struct runner *runner)
{
	const struct run *run = runner->run;
	int64_t done_count = run->block_count * run->head.game_count;
	char path[PATH_MAX];
	int error;

	run_file(run, ATTEMPTS_FILE, path);
	error = attempts_open(&runner->attempts, path, done_count);
	if (error)
		log_print(LOG_WARN, "%s: lost games are not listed: %s", path,
		    strerror(-error));
}

static void
close_attempts(struct runner *runner)
{
	static const char *const reasons[] = {
		[RUNNER_INTERRUPTED] = ATTEMPTS_ABORTED,
		[RUNNER_FAILED] = "ENV_ERR",
		[RUNNER_LOST] = "ENV_ERR",
		[RUNNER_STORE] = "ENV_ERR",
	};

	attempts_end(&runner->attempts, reasons[runner->outcome.end]);
	attempts_close(&runner->attempts);
}

struct runner_outcome
runner_run(const struct runner_config *config, struct run *run,
    struct tournament *tournament)
{
	struct runner runner = {
		.config = config,
		.run = run,
		.tournament = tournament,
		.commit_retry = {
			.run = run,
			.wait_max_ns = config->wait_max_ns,
			.on_hold = config->calls->on_hold,
			.context = config->context,
		},
		.outcome.end = RUNNER_DONE,
	};
	struct dispatcher_config dispatcher = config->dispatcher;
	struct dispatcher_outcome outcome;

	/* A run that is gone on with may have been at its end. */
	if (tournament_is_deserted(tournament))
		end_runner(&runner, RUNNER_NOBODY, 0);
	open_attempts(&runner);
	runner.salvage = salvage_open(run);
	dispatcher.tick_ns = TICK_NS;
	outcome = dispatcher_run(&dispatcher, &dispatcher_calls, &runner);
	note_outcome(&runner, &outcome);
	runner.dispatcher = NULL;
	if (runner.outcome.end != RUNNER_STORE)
		commit(&runner);
	if (runner.outcome.end != RUNNER_INTERRUPTED)
		wait_for_store(&runner);
	if (runner.commit_retry.held && runner.outcome.end != RUNNER_STORE)
		end_for_store(&runner, runner.commit_retry.held);
	runner.outcome.dropped = run->pending_count;
	close_attempts(&runner);
	salvage_close(runner.salvage, run->pending_count == 0);
	free(runner.queue);
	free(runner.bytes);
	return runner.outcome;
}
