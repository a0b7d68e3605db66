/*
 * Implements runner.h: next_game() gives the games of the schedule to the
 * dispatcher; on_result() collects them to blocks again, which count_head()
 * gives to the run and the tournament; commit() makes them durable.
 *
 * Games are given out and reported in the same order.  So at any time one block
 * is the head of the queue and collects its games, and results of later blocks
 * wait in the dispatcher.
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
#include <sys/queue.h>
#include <unistd.h>

#include "clock.h"
#include "infra_failure.h"
#include "log.h"
#include "rebuild.h"

/* The reason for games that were lost by the machine, or by a killed arena. */
#define REASON_ENVIRONMENT "ENV_ERR"

/* The list of games that were begun and lost: the file attempts.txt. */

enum {
	/* The first line is overwritten for each game. */
	FIRST_LINE_LENGTH = 44,
	LINE_SIZE = 128,
	TEXT_SIZE = 64 * 1024,
	ATTEMPTS_LOSSES_MAX = 256
};

/* A range of games, numbered from 0, that were lost for one reason. */
struct attempts_loss {
	int64_t first, last;
	char reason[ATTEMPTS_REASON_SIZE]; /* a code such as ENV_ERR */
};

struct attempts {
	int fd; /* -1: nothing is noted */
	int64_t begun;
	struct attempts_loss losses[ATTEMPTS_LOSSES_MAX]; /* the first ones */
	int loss_count;
};

/*
 * Writes the first line. An error is ignored: the list of lost games is only a
 * note.
 */
static void
write_first_line(const struct attempts *attempts, const char *reason)
{
	char line[LINE_SIZE];

	if (attempts->fd < 0)
		return;
	snprintf(line, sizeof(line), "begun %-20" PRId64 " %-16s\n",
	    attempts->begun, reason);
	(void)!pwrite(attempts->fd, line, FIRST_LINE_LENGTH, 0);
}

static void
store_loss(struct attempts *attempts, const struct attempts_loss *loss)
{
	if (attempts->loss_count < ATTEMPTS_LOSSES_MAX)
		attempts->losses[attempts->loss_count++] = *loss;
}

/* Reads the whole file. Games that were begun and have no result are lost. */
static int
read_file(struct attempts *attempts, int64_t done_count)
{
	struct attempts_loss loss, last = { .first = done_count };
	char text[TEXT_SIZE], line[LINE_SIZE];
	int64_t size = run_cut_part_of_line(attempts->fd);
	const char *at = text;
	int length = 0;

	if (size > 0)
		size = pread(attempts->fd, text, sizeof(text) - 1, 0);
	if (size <= 0)
		return size < 0 ? -EIO : 0;
	text[size] = '\0';
	if (sscanf(at, "begun %" SCNd64 " %15s%n", &attempts->begun,
		last.reason, &length) != 2)
		return -EBADMSG;
	at += length;
	while (sscanf(at, " lost %" SCNd64 " %" SCNd64 " %15s%n", &loss.first,
		   &loss.last, loss.reason, &length) == 3) {
		loss.first--;
		loss.last--;
		store_loss(attempts, &loss);
		at += length;
	}
	if (at[strspn(at, " \n")] != '\0')
		return -EBADMSG;
	if (attempts->begun <= done_count)
		return 0;
	last.last = attempts->begun - 1;
	store_loss(attempts, &last);
	length =
	    snprintf(line, sizeof(line), "lost %" PRId64 " %" PRId64 " %s\n",
		last.first + 1, last.last + 1, last.reason);
	size = lseek(attempts->fd, 0, SEEK_END);
	if (size < 0 ||
	    pwrite(attempts->fd, line, (size_t)length, size) != length)
		return -EIO;
	return 0;
}

/*
 * Opens the file at `path`, or creates it.  The first `done_count` games have
 * results; further games that were begun are added to the losses.  0 or -errno:
 * then nothing is noted, and only the list of lost games is incomplete.
 */
static int
attempts_open(struct attempts *attempts, const char *path, int64_t done_count)
{
	int error;

	*attempts = (struct attempts){ .fd = -1 };
	attempts->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (attempts->fd < 0)
		return -errno;
	error = read_file(attempts, done_count);
	attempts->begun = done_count;
	if (error) {
		close(attempts->fd);
		attempts->fd = -1;
	}
	write_first_line(attempts, REASON_ENVIRONMENT);
	return error;
}

/* Notes that a game begins, and fills in why its earlier attempts failed. */
static void
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
	write_first_line(attempts, REASON_ENVIRONMENT);
}

/*
 * Closes the file after the last game. Games without a result are lost for this
 * reason; NULL: none is lost.
 */
static void
attempts_close(struct attempts *attempts, const char *reason)
{
	if (reason == NULL)
		attempts->begun = 0;
	write_first_line(attempts, reason ? reason : REASON_ENVIRONMENT);
	if (attempts->fd >= 0)
		close(attempts->fd);
}

/* Counting the stored blocks of a run. */

struct catch_up {
	const struct run *run;
	struct tournament *tournament;
	struct store_error *error;
	bool chained; /* the chain after the block before is known */
	unsigned char chain[STORE_DIGEST_SIZE];
};

/* Whether the results of a block continue the chain. */
static bool
continues_chain(struct catch_up *catch_up, const struct block_result *block)
{
	bool good = true;

	if (catch_up->chained) {
		store_chain_add(catch_up->chain, block);
		good = memcmp(catch_up->chain, block->place.chain,
			   sizeof(catch_up->chain)) == 0;
	}
	memcpy(catch_up->chain, block->place.chain, sizeof(catch_up->chain));
	catch_up->chained = true;
	return good;
}

static int
add_stored_block(void *context, const struct block_result *block)
{
	struct catch_up *catch_up = context;
	struct tournament *tournament = catch_up->tournament;
	struct block_plan plan;
	const char *flaw = NULL;
	int error;

	if (tournament_next(tournament, &plan) != SCHEDULE_BLOCK ||
	    memcmp(&plan, &block->plan, sizeof(plan)) != 0 ||
	    block->skipped != tournament_skips(tournament, &plan))
		flaw = "is not what its configuration plans";
	else if (!continues_chain(catch_up, block))
		flaw = "does not continue the chain: its results were changed";
	if (flaw != NULL) {
		store_fail(catch_up->error, -EBADMSG, "",
		    "block %jd of the run %s", block->plan.index + 1, flaw);
		store_error_rebuild(catch_up->error, catch_up->run->path);
		return -EBADMSG;
	}
	error = tournament_add(tournament, block);
	return error
	    ? store_fail(catch_up->error, error, "",
		  "the blocks of the run cannot be read: %s", strerror(-error))
	    : 0;
}

bool
runner_catch_up(
    struct run *run, struct tournament *tournament, struct store_error *error)
{
	struct catch_up catch_up = {
		.run = run,
		.tournament = tournament,
		.error = error,
		.chained = tournament->counted == 0,
	};

	assert(tournament->counted == tournament->planned);
	memset(error, 0, sizeof(*error));
	store_chain_begin(&run->head, catch_up.chain);
	return store_walk_from(run->store, tournament->counted,
		   add_stored_block, &catch_up, error) == 0;
}

/* Playing the blocks of a run. */

/* With so many pending blocks they are committed at once. */
enum { PENDING_MAX = 512 };

/* The interval at which waiting blocks are committed and on_tick is called. */
#define TICK_NS INT64_C(50000000)

/* A block that was planned and is not counted yet. */
struct planned {
	TAILQ_ENTRY(planned) next;
	struct block_plan plan;
	bool skipped;  /* set when its games would have been supplied */
	bool salvaged; /* it is not played: see rebuild.h */
};

struct runner {
	const struct runner_config *config;
	struct run *run;
	struct tournament *tournament;
	struct dispatcher *dispatcher; /* known after its first call */

	/* Blocks whose games were supplied, the first one counts; owned. */
	TAILQ_HEAD(planned_queue, planned) queue;
	int supplied; /* games of the last block in the queue */

	/*
	 * The head of the queue, with the games that have been reported so far;
	 * their records are in the run.
	 */
	struct block_result head;
	int head_games;

	/*
	 * Blocks that were played before an earlier block was lost; and the one
	 * of them that is the last block of the queue.
	 */
	struct reread *salvage; /* or NULL */
	struct block_result salvaged;

	struct attempts attempts;
	bool stopping;        /* no further block begins */
	int64_t grace_end_ns; /* after the first signal; 0: there was none */
	bool dropping;        /* no further result is counted */
	int commit_error;     /* results wait: -ENOSPC or -EBUSY; or 0 */
	int64_t failing_since_ns; /* since when commits fail */
	struct runner_outcome outcome;
};

/*
 * Ends the run. The first reason is the outcome, and no later result is
 * counted.
 */
static void
end_runner(struct runner *runner, enum runner_end end, int detail)
{
	/* A store error overrides any other end. */
	if (!runner->dropping || end == RUNNER_STORE) {
		runner->outcome.end = end;
		runner->outcome.detail = detail;
	}
	runner->dropping = runner->stopping = true;
	if (runner->dispatcher)
		dispatcher_end(
		    runner->dispatcher, DISPATCHER_DONE, 0, STOP_ABORT);
}

/*
 * Makes results durable. If the disk is full, or another program holds the
 * database, the results wait and are tried again later. Any other error ends
 * the run.
 */
static void
commit(struct runner *runner)
{
	const struct runner_config *config = runner->config;
	struct store_error why = { .what = "" };
	int error = run_commit(runner->run, &why);
	int64_t now_ns = clock_now_ns();

	if (error)
		runner->outcome.error = why;
	if (runner->commit_error == 0)
		runner->failing_since_ns = now_ns;
	if (error && error != -ENOSPC && error != -EBUSY) {
		end_runner(runner, RUNNER_STORE, error);
	} else if (error && config->wait_max_ns > 0 &&
	    now_ns - runner->failing_since_ns >= config->wait_max_ns) {
		end_runner(runner, RUNNER_STORE, -ETIMEDOUT);
	} else {
		if (error != runner->commit_error && config->calls->on_hold)
			config->calls->on_hold(config->context, error, &why);
		runner->commit_error = error;
		if (!error && runner->dispatcher)
			dispatcher_supply_again(runner->dispatcher);
	}
}

/* Ends the run if no further block counts. */
static void
stop_if_decided(struct runner *runner)
{
	switch (tournament_find_end(runner->tournament, runner->config->gate)) {
	case TOURNAMENT_GOES_ON:
		break;
	case TOURNAMENT_DESERTED:
		end_runner(runner, RUNNER_NOBODY, 0);
		break;
	case TOURNAMENT_DECIDED:
		end_runner(runner, RUNNER_DONE, 0);
		break;
	}
}

/* Counts the head of the queue: all of its games have been reported. */
static void
count_head(struct runner *runner)
{
	const struct runner_calls *calls = runner->config->calls;
	void *context = runner->config->context;
	struct tournament *tournament = runner->tournament;
	struct planned *planned = TAILQ_FIRST(&runner->queue);
	struct block_result *head = &runner->head;
	bool before[TOURNAMENT_BOTS_MAX];
	int error;

	head->plan = planned->plan;
	head->skipped = tournament_skips(tournament, &head->plan);
	memcpy(before, tournament->suspended, sizeof(before));
	error = run_add(runner->run, head);
	if (!error)
		error = tournament_add(tournament, head);
	TAILQ_REMOVE(&runner->queue, planned, next);
	free(planned);
	runner->head_games = 0;
	if (error) {
		end_runner(runner, RUNNER_FAILED, error);
		return;
	}
	if (calls->on_block)
		calls->on_block(context, head);
	for (int bot = 0; bot < runner->run->head.bot_count; bot++)
		if (tournament->suspended[bot] && !before[bot] &&
		    calls->on_suspend)
			calls->on_suspend(context, bot);
	stop_if_decided(runner);
	if (runner->run->pending_count >= PENDING_MAX && !runner->commit_error)
		commit(runner);
}

/* Loads the head of the queue, a salvaged block, with its record. */
static int
load_salvaged(struct runner *runner)
{
	const struct block_place *place = &runner->salvaged.place;
	char *room = run_record_reserve(runner->run, (size_t)place->size);

	runner->head = runner->salvaged;
	return room != NULL ? run_read_at(runner->salvage->reader.fd, room,
				  place->size, place->offset)
			    : -ENOMEM;
}

/* Counts the blocks at the head that are not played: skipped or salvaged. */
static void
count_skipped(struct runner *runner)
{
	const struct planned *planned;

	while (!runner->dropping &&
	    (planned = TAILQ_FIRST(&runner->queue)) != NULL &&
	    (planned->skipped || planned->salvaged)) {
		int error = planned->salvaged ? load_salvaged(runner) : 0;

		if (error)
			end_runner(runner, RUNNER_FAILED, error);
		else
			count_head(runner);
	}
}

/* Puts the next block of the schedule into the queue. */
static enum schedule_answer
plan_block(struct runner *runner)
{
	struct planned *planned = calloc(1, sizeof(*planned));
	enum schedule_answer answer;

	if (planned == NULL) {
		end_runner(runner, RUNNER_FAILED, -ENOMEM);
		return SCHEDULE_END;
	}
	answer = tournament_next(runner->tournament, &planned->plan);
	if (answer != SCHEDULE_BLOCK) {
		free(planned);
		return answer;
	}
	planned->skipped = tournament_skips(runner->tournament, &planned->plan);
	planned->salvaged = !planned->skipped &&
	    salvage_read(runner->salvage, &planned->plan, &runner->salvaged);
	TAILQ_INSERT_TAIL(&runner->queue, planned, next);
	runner->supplied = planned->skipped || planned->salvaged
	    ? planned->plan.game_count
	    : 0;
	count_skipped(runner);
	return answer;
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
	while (!runner->dropping) {
		const struct planned *last =
		    TAILQ_LAST(&runner->queue, planned_queue);
		enum schedule_answer answer;

		if (last != NULL && runner->supplied < last->plan.game_count) {
			*game = runner_game(&last->plan, runner->supplied++);
			attempts_begin(&runner->attempts, game);
			return DISPATCHER_GAME;
		}
		if (runner->stopping)
			return DISPATCHER_NO_MORE;
		/*
		 * A salvaged block must be counted before further blocks are
		 * planned.
		 */
		if (runner->commit_error || (last != NULL && last->salvaged))
			return DISPATCHER_WAIT;
		answer = plan_block(runner);
		if (answer == SCHEDULE_WAIT)
			return DISPATCHER_WAIT;
		if (answer == SCHEDULE_END)
			return DISPATCHER_NO_MORE;
	}
	return DISPATCHER_NO_MORE;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *record, size_t size)
{
	struct runner *runner = context;
	const struct runner_calls *calls = runner->config->calls;
	const struct block_plan *plan;
	char *room;

	runner->dispatcher = dispatcher;
	if (runner->dropping)
		return;
	plan = &TAILQ_FIRST(&runner->queue)->plan;
	/*
	 * A game was given up or lost, because the dispatcher ends. Its block
	 * is incomplete, so neither it nor any later block counts.
	 */
	if (strcmp(result->summary.reason, "abort") == 0 ||
	    result->summary.game !=
		plan->index * plan->game_count + runner->head_games) {
		runner->dropping = true;
		return;
	}
	if (result->fault_entrant >= 0 && calls->on_fault)
		calls->on_fault(runner->config->context, result);
	runner->head.games[runner->head_games++] = result->summary;
	room = run_record_reserve(runner->run, size);
	if (room == NULL) {
		end_runner(runner, RUNNER_FAILED, -ENOMEM);
		return;
	}
	memcpy(room, record, size);
	if (runner->head_games < plan->game_count)
		return;
	count_head(runner);
	count_skipped(runner);
}

/* Aborts the games that are being played. Their blocks do not count. */
static void
drop_games(struct runner *runner, int signal, enum stop_mode order)
{
	runner->dropping = true;
	runner->grace_end_ns = 0;
	dispatcher_end(
	    runner->dispatcher, DISPATCHER_INTERRUPTED, signal, order);
}

/*
 * After the first signal the blocks that have begun are finished, as long as
 * --stop-grace allows. The second signal aborts them. The third kills the bots.
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
	if (runner->outcome.end != RUNNER_STORE)
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

/*
 * All games have been played, but results cannot be stored yet. The event loop
 * has ended, so this function waits by itself. A signal ends the wait.
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
	while (runner->commit_error && runner->outcome.end != RUNNER_STORE &&
	    sigtimedwait(&awaited, NULL, &tick) < 0) {
		commit(runner);
		if (calls->on_tick)
			calls->on_tick(runner->config->context);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* The dispatcher has ended: sets the outcome that follows from it. */
static void
set_outcome(struct runner *runner, const struct dispatcher_outcome *outcome)
{
	struct runner_outcome *own = &runner->outcome;

	switch (outcome->end) {
	case DISPATCHER_DONE:
	case DISPATCHER_STOPPED:
		return;
	case DISPATCHER_FAILED:
		own->end = RUNNER_FAILED;
		break;
	case DISPATCHER_LOST:
		own->end = RUNNER_LOST;
		break;
	case DISPATCHER_INTERRUPTED:
		if (own->end != RUNNER_DONE && own->end != RUNNER_NOBODY)
			return;
		own->end = RUNNER_INTERRUPTED;
		break;
	}
	own->detail = outcome->detail;
	own->lost_count = outcome->lost_count;
}

struct runner_outcome
runner_run(const struct runner_config *config, struct run *run,
    struct tournament *tournament)
{
	/* Why games that were begun have no result; NULL: all have one. */
	static const char *const reasons[] = {
		[RUNNER_INTERRUPTED] = ATTEMPTS_ABORTED,
		[RUNNER_FAILED] = REASON_ENVIRONMENT,
		[RUNNER_LOST] = REASON_ENVIRONMENT,
		[RUNNER_STORE] = REASON_ENVIRONMENT,
	};
	struct runner runner = {
		.config = config,
		.run = run,
		.tournament = tournament,
		.queue = TAILQ_HEAD_INITIALIZER(runner.queue),
		.outcome.end = RUNNER_DONE,
	};
	struct dispatcher_config dispatcher = config->dispatcher;
	struct dispatcher_outcome outcome;
	struct planned *planned;
	char path[PATH_MAX];
	int error;

	/* A resumed run may have nothing left to play. */
	stop_if_decided(&runner);
	run_path_join(path, run->path, ATTEMPTS_FILE);
	/* Games on other machines are not lost when this process ends. */
	runner.attempts.fd = -1;
	error = config->play ? 0
			     : attempts_open(&runner.attempts, path,
				   run->block_count * run->head.game_count);
	if (error)
		log_print(LOG_WARN, "%s: lost games are not listed: %s", path,
		    strerror(-error));
	runner.salvage = salvage_open(run);
	dispatcher.tick_ns = TICK_NS;
	outcome = config->play
	    ? config->play(
		  config->player, &dispatcher, &dispatcher_calls, &runner)
	    : dispatcher_run(&dispatcher, &dispatcher_calls, &runner);
	set_outcome(&runner, &outcome);
	runner.dispatcher = NULL;
	if (runner.outcome.end != RUNNER_STORE)
		commit(&runner);
	if (runner.outcome.end != RUNNER_INTERRUPTED)
		wait_for_store(&runner);
	if (runner.commit_error && runner.outcome.end != RUNNER_STORE)
		end_runner(&runner, RUNNER_STORE, runner.commit_error);
	runner.outcome.dropped = run->pending_count;
	attempts_close(&runner.attempts, reasons[runner.outcome.end]);
	salvage_close(runner.salvage, run->pending_count == 0);
	while ((planned = TAILQ_FIRST(&runner.queue)) != NULL) {
		TAILQ_REMOVE(&runner.queue, planned, next);
		free(planned);
	}
	return runner.outcome;
}
