/*
 * The parent's side of the workers.
 *
 * The dispatcher gives games to worker processes and reports the results in the
 * order in which the games were supplied. At most `window` games have been
 * supplied and not reported at any time. A result that arrives early waits in
 * the ring `finished`. If the caller wants results unordered, nothing waits,
 * and `next_result` only counts.
 *
 * A worker is given a game only when one of its lanes is free. A game in
 * reserve would save a moment between two games. But it would still be played
 * after a fault that ends the run, or wait behind a long game while another
 * worker is idle.
 *
 * A worker that dies is replaced. The new worker plays the unreported games of
 * the dead worker again, with the same cards.
 *
 * Invariants: until the run ends, every game from next_result up to next_game,
 * which is not included, is held by one worker or waits in `finished`;
 * unordered, as many games are held by workers. A worker never holds more games
 * than it has lanes.
 */
#include "dispatcher.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "child_tracker.h"
#include "clock.h"
#include "cpu_usage.h"
#include "infra_failure.h"
#include "log.h"
#include "machine.h"
#include "worker.h"

/* Most deaths of a worker in a row, without a finished game between them. */
enum { WORKER_LOSSES_MAX = 10 };

/* One worker. */
struct worker_handle {
	struct local_dispatcher *dispatcher;
	struct channel channel;
	pid_t pid;
	struct worker_place place;
	int claim_fd; /* locks the core against other arenas; or -1 */
	struct pool_game *games; /* given, but not reported yet; owned */
	int game_count;
	int loss_count; /* deaths in a row; see WORKER_LOSSES_MAX */
	bool done;      /* it has sent WORKER_DONE */
};

/* Games that may have begun before the first is reported, per lane. */
enum { WINDOW_PER_LANE = 4 };

/* A game that has ended before a game that was supplied earlier. */
struct finished {
	char *bytes; /* struct worker_result, then its record; owned, or NULL */
	size_t size;
};

/* A dispatcher with workers of its own. */
struct local_dispatcher {
	struct dispatcher base; /* the first member, so that it can be cast */
	const struct dispatcher_config *config;
	const struct dispatcher_calls *calls;
	void *context;
	struct loop *loop;
	struct loop_deadline tick;
	struct worker_handle *workers;
	int worker_count, living_count;
	int64_t next_game;         /* the next game to supply, from 0 */
	int64_t next_result;       /* the next game to report */
	struct finished *finished; /* ring of `window` games from next_result */
	int window;
	int signal_count;
	struct dispatcher_outcome outcome;
	bool ending;    /* the outcome is known; no game is supplied any more */
	bool waiting;   /* the caller has no game to supply at the moment */
	bool all_given; /* the caller has no more games */
	bool dropping;  /* games may end without being reported */
};

static void on_result(struct local_dispatcher *dispatcher, int64_t number,
    const char *bytes, size_t size);

/* The system refused something: `error` is -errno. */
static void
on_failure(struct local_dispatcher *dispatcher, int error)
{
	dispatcher_end(&dispatcher->base, DISPATCHER_FAILED, error, STOP_ABORT);
}

/*
 * Pins each worker to a free core, beginning with the core of this process. If
 * there are too few free cores, no worker is pinned, because a core that is
 * shared with another arena is worse than the kernel's choice.
 */
static void
claim_cores(struct local_dispatcher *dispatcher, const struct cores *allowed)
{
	int here = sched_getcpu();
	int first = 0, claimed = 0;

	while (first < allowed->count - 1 && allowed->ids[first] != here)
		first++;
	for (int i = 0;
	     i < allowed->count && claimed < dispatcher->worker_count; i++) {
		int core = allowed->ids[(first + i) % allowed->count];
		int fd = cores_claim(core);

		if (fd < 0)
			continue;
		dispatcher->workers[claimed].claim_fd = fd;
		dispatcher->workers[claimed++].place.core = core;
	}
	for (int i = 0; claimed < dispatcher->worker_count && i < claimed;
	     i++) {
		close(dispatcher->workers[i].claim_fd);
		dispatcher->workers[i].claim_fd =
		    dispatcher->workers[i].place.core = -1;
	}
}

/*
 * If there is a worker for every core, each is pinned, even if another arena
 * uses the core. The locks make smaller arenas choose other cores.
 */
static void
place_workers(struct local_dispatcher *dispatcher, const struct cores *cores)
{
	enum dispatcher_pin pin = dispatcher->config->pin;
	int count = dispatcher->worker_count;

	if (pin == DISPATCHER_PIN_NONE)
		return;
	if (pin != DISPATCHER_PIN_LIST && count != cores->count) {
		claim_cores(dispatcher, cores);
		return;
	}
	for (int i = 0; i < count; i++) {
		dispatcher->workers[i].place.core = cores->ids[i];
		dispatcher->workers[i].claim_fd = cores_claim(cores->ids[i]);
	}
}

/*
 * In the child process: closes the descriptors of the parent and of other
 * workers.
 */
static void
leave_parent(const void *context)
{
	const struct local_dispatcher *dispatcher = context;

	for (int i = 0; i < dispatcher->worker_count; i++) {
		const struct worker_handle *worker = &dispatcher->workers[i];

		if (worker->claim_fd >= 0)
			close(worker->claim_fd);
		channel_abandon(&worker->channel);
	}
	loop_abandon(dispatcher->loop);
}

static void on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size);
static void on_end(struct channel *channel, int error);

/*
 * Starts the process of a worker and opens the channel to it. Returns 0 or
 * -errno. After an error kill_worker() must be called.
 */
static int
start_worker(struct worker_handle *worker)
{
	struct local_dispatcher *dispatcher = worker->dispatcher;
	int order[2], report[2], error;
	pid_t pid = 0;

	if (pipe2(order, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(report, O_CLOEXEC) < 0) {
		error = -errno;
		close(order[0]);
		close(order[1]);
		return error;
	}
	worker->channel = (struct channel){
		.on_message = on_message,
		.on_end = on_end,
		.context = worker,
	};
	error = channel_open(
	    &worker->channel, dispatcher->loop, report[0], order[1]);
	worker->place.order_fd = order[0];
	worker->place.report_fd = report[1];
	if (error == 0)
		pid = worker_open(dispatcher->config, &worker->place,
		    leave_parent, dispatcher);
	close(order[0]);
	close(report[1]);
	if (error || pid < 0)
		return error ? error : pid;
	worker->pid = pid;
	dispatcher->living_count++;
	return child_tracker_add(pid);
}

/*
 * How many workers to start: at most one for each game at once, each core that
 * can be busy, and each bot that may think at once.
 */
static int
wanted_worker_count(const struct dispatcher_config *config, int core_count)
{
	int count = config->concurrency;

	if (core_count < count)
		count = core_count;
	if (config->cpu_slots > 0 && config->cpu_slots < count)
		count = config->cpu_slots;
	return count;
}

/*
 * How many bots may think at once in the matches of worker `index`; 0 means any
 * number.
 */
static int
share_cpu_slots(const struct local_dispatcher *dispatcher, int index)
{
	const struct dispatcher_config *config = dispatcher->config;
	int count = dispatcher->worker_count;

	if (config->cpu_slots > 0)
		return config->cpu_slots / count +
		    (index < config->cpu_slots % count);
	/* Without clocks no bot loses time because of other bots. */
	return config->cpu_slots == DISPATCHER_CPU_SLOTS_AUTO &&
	    config->rules.settings.control.kind != BUDGET_NONE;
}

/*
 * Starts workers for as many games at once as the configuration says. Returns 0
 * or -errno.
 */
static int
workers_open(struct local_dispatcher *dispatcher)
{
	const struct dispatcher_config *config = dispatcher->config;
	int lane_count = config->concurrency, first_lane = 0, count;
	struct cores cores;
	int error = cores_allowed(&cores);

	if (error)
		return error;
	if (config->pin == DISPATCHER_PIN_LIST)
		cores = config->cores;
	count = wanted_worker_count(config, machine_cores("", &cores));
	dispatcher->workers =
	    calloc((size_t)count, sizeof(*dispatcher->workers));
	if (dispatcher->workers == NULL)
		return -ENOMEM;
	dispatcher->worker_count = count;
	for (int i = 0; i < count; i++) {
		struct worker_handle *worker = &dispatcher->workers[i];
		/* The first workers have the lanes that are left over. */
		int share = lane_count / count + (i < lane_count % count);

		*worker = (struct worker_handle){
			.dispatcher = dispatcher,
			.claim_fd = -1,
			.place = {
			    .parent = getpid(),
			    .core = -1,
			    .pool = {
				.lane_count = share,
				.first_lane = first_lane,
				.worker_count = count,
			    },
			    .cpu_slot_count = share_cpu_slots(dispatcher, i),
			},
		};
		first_lane += share;
		worker->games = calloc((size_t)worker->place.pool.lane_count,
		    sizeof(*worker->games));
		if (worker->games == NULL)
			error = -ENOMEM;
	}
	place_workers(dispatcher, &cores);
	/*
	 * If this process is killed while bots compute, the kernel must
	 * schedule it once before it dies. Its workers die only after that.
	 */
	scheduler_hurry();
	if (error == 0)
		error = child_tracker_adopt();
	for (int i = 0; i < count && error == 0; i++)
		error = start_worker(&dispatcher->workers[i]);
	return error;
}

/* Removes a game that has ended from the games of its worker. */
static void
forget_game(struct worker_handle *worker, int64_t number)
{
	int at = 0;

	while (at < worker->game_count && worker->games[at].number != number)
		at++;
	assert(at < worker->game_count);
	worker->games[at] = worker->games[--worker->game_count];
	worker->loss_count = 0;
}

static void
on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size)
{
	struct worker_handle *worker = channel->context;
	int64_t number;
	int32_t error;

	switch ((enum worker_report)kind) {
	case WORKER_RESULT:
		assert(size >= sizeof(struct worker_result));
		memcpy(&number, bytes + offsetof(struct worker_result, number),
		    sizeof(number));
		forget_game(worker, number);
		if (getpid() == 1)
			child_tracker_end_orphans();
		on_result(worker->dispatcher, number, bytes, size);
		break;
	case WORKER_FAILED:
		assert(size == sizeof(error));
		memcpy(&error, bytes, sizeof(error));
		on_failure(worker->dispatcher, error);
		break;
	case WORKER_DONE:
		assert(size == sizeof(number));
		memcpy(&number, bytes, sizeof(number));
		worker->dispatcher->outcome.cpu_ns += number;
		worker->done = true;
		break;
	}
}

/* Sends a worker a message. If that fails, the run ends with a failure. */
static void
send_order(struct worker_handle *worker, enum worker_order kind,
    const void *bytes, size_t size)
{
	int error = channel_send(&worker->channel, kind, bytes, size, NULL, 0);

	if (error)
		on_failure(worker->dispatcher, error);
}

/* Whether another worker may replace this one. Counts the replacement. */
static bool
is_replaceable(struct worker_handle *worker)
{
	if (worker->dispatcher->dropping ||
	    worker->loss_count == WORKER_LOSSES_MAX)
		return false;
	worker->loss_count++;
	return true;
}

static void
log_loss(const struct worker_handle *worker, pid_t pid, int wait_status)
{
	bool killed = WIFSIGNALED(wait_status);

	log_print(LOG_WARN,
	    "ENV_ERR: worker process %d was ended by %s %d and is replaced; "
	    "%d game%s played again",
	    (int)pid, killed ? "signal" : "exit status",
	    killed ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
	    worker->game_count, worker->game_count == 1 ? " is" : "s are");
}

/* Waits for the end of a worker that ends, and returns its status. */
static int
reap_worker(struct worker_handle *worker)
{
	int status = 0;

	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	child_tracker_remove(worker->pid);
	worker->pid = 0;
	worker->dispatcher->living_count--;
	return status;
}

/* Kills a worker; its messages are not read any more. */
static void
kill_worker(struct worker_handle *worker)
{
	channel_close(&worker->channel);
	if (worker->pid <= 0)
		return;
	kill(worker->pid, SIGKILL);
	(void)reap_worker(worker);
}

/*
 * Starts another worker in its place and sends it the games. Returns 0 or
 * -errno.
 */
static int
replace_worker(struct worker_handle *worker)
{
	static const int32_t finish = STOP_FINISH;
	const struct local_dispatcher *dispatcher = worker->dispatcher;
	int error = start_worker(worker);

	if (error) {
		kill_worker(worker);
		return error;
	}
	for (int i = 0; i < worker->game_count; i++) {
		/* If the note is full, this reason is left out. */
		(void)infra_failure_note(&worker->games[i].game, "ENV_ERR");
		send_order(worker, WORKER_PLAY, &worker->games[i],
		    sizeof(worker->games[i]));
	}
	if (dispatcher->ending || dispatcher->all_given)
		send_order(worker, WORKER_END, &finish, sizeof(finish));
	return 0;
}

/* The worker has ended or has failed: its pipe is closed. */
static void
on_end(struct channel *channel, int error)
{
	struct worker_handle *worker = channel->context;
	struct local_dispatcher *dispatcher = worker->dispatcher;
	pid_t pid = worker->pid;
	int status;

	/* The channel has failed in this process, and the worker may live. */
	if (error)
		kill(worker->pid, SIGKILL);
	channel_close(channel);
	status = reap_worker(worker);
	/*
	 * The bots of the dead worker are dying, or have become children of
	 * this process.
	 */
	if (!worker->done)
		child_tracker_end_orphans();
	if (!worker->done && is_replaceable(worker)) {
		log_loss(worker, pid, status);
		error = replace_worker(worker);
		if (error)
			on_failure(dispatcher, error);
	} else if (!worker->done) {
		/*
		 * The worker has died too often, or games may end without being
		 * reported. The games that it had are never reported.
		 */
		dispatcher->outcome.lost_count += worker->game_count;
		dispatcher_end(
		    &dispatcher->base, DISPATCHER_LOST, status, STOP_ABORT);
	} else if (worker->game_count > 0 && !dispatcher->dropping) {
		/*
		 * The games could not be sent, because its channel is closed.
		 */
		on_failure(dispatcher, -EIO);
	}
	if (dispatcher->living_count == 0)
		loop_stop(dispatcher->loop);
}

/* Kills the workers that are still alive and frees everything. */
static void
workers_close(struct local_dispatcher *dispatcher)
{
	for (int i = 0; i < dispatcher->worker_count; i++) {
		struct worker_handle *worker = &dispatcher->workers[i];

		kill_worker(worker);
		if (worker->claim_fd >= 0)
			close(worker->claim_fd);
		free(worker->games);
	}
	child_tracker_end_orphans();
	free(dispatcher->workers);
}

/*
 * The worker with the most free lanes, or NULL if no worker has a free lane:
 * then the greatest number of games at once has been reached.
 */
static struct worker_handle *
idlest_worker(const struct local_dispatcher *dispatcher)
{
	struct worker_handle *idlest = NULL;
	int most = 0;

	for (int i = 0; i < dispatcher->worker_count; i++) {
		struct worker_handle *worker = &dispatcher->workers[i];
		int room = worker->place.pool.lane_count - worker->game_count;

		if (worker->pid > 0 && room > most) {
			most = room;
			idlest = worker;
		}
	}
	return idlest;
}

/* Orders all workers to end in this way. */
static void
workers_end(struct local_dispatcher *dispatcher, enum stop_mode order)
{
	int32_t number = (int32_t)order;

	dispatcher->dropping |= order != STOP_FINISH;
	for (int i = 0; i < dispatcher->worker_count; i++) {
		struct worker_handle *worker = &dispatcher->workers[i];

		/* A worker that cannot be sent the order is killed. */
		if (worker->pid > 0 &&
		    channel_send(&worker->channel, WORKER_END, &number,
			sizeof(number), NULL, 0))
			kill(worker->pid, SIGKILL);
	}
}

/* The place of a game in the ring. */
static struct finished *
finished_at(struct local_dispatcher *dispatcher, int64_t number)
{
	return &dispatcher->finished[number % dispatcher->window];
}

void
dispatcher_end(struct dispatcher *dispatcher, enum dispatcher_end end,
    int detail, enum stop_mode order)
{
	dispatcher->end(dispatcher, end, detail, order);
}

void
dispatcher_supply_again(struct dispatcher *dispatcher)
{
	dispatcher->supply_again(dispatcher);
}

static void
end_games(struct dispatcher *base, enum dispatcher_end end, int detail,
    enum stop_mode order)
{
	struct local_dispatcher *dispatcher = (struct local_dispatcher *)base;

	if (!dispatcher->ending) {
		dispatcher->ending = true;
		dispatcher->outcome.end = end;
		dispatcher->outcome.detail = detail;
	}
	workers_end(dispatcher, order);
}

/* The next game, of the plan if there is one. */
static enum dispatcher_supply
supply(struct local_dispatcher *dispatcher, struct game_spec *game)
{
	const struct plan *plan = dispatcher->config->plan;

	if (plan == NULL)
		return dispatcher->calls->next(
		    &dispatcher->base, dispatcher->context, game);
	if (dispatcher->next_game == plan_game_count(plan))
		return DISPATCHER_NO_MORE;
	*game = plan_game(plan, (int)dispatcher->next_game);
	return DISPATCHER_GAME;
}

/* Gives games to the workers that have room, as far as the window allows. */
static void
give_games(struct local_dispatcher *dispatcher)
{
	struct worker_handle *worker;

	while (!dispatcher->ending && !dispatcher->waiting &&
	    !dispatcher->all_given &&
	    dispatcher->next_game - dispatcher->next_result <
		dispatcher->window &&
	    (worker = idlest_worker(dispatcher)) != NULL) {
		struct pool_game game = { .number = dispatcher->next_game };

		switch (supply(dispatcher, &game.game)) {
		case DISPATCHER_GAME:
			if (dispatcher->ending)
				return;
			dispatcher->next_game++;
			worker->games[worker->game_count++] = game;
			send_order(worker, WORKER_PLAY, &game, sizeof(game));
			break;
		case DISPATCHER_WAIT:
			dispatcher->waiting = true;
			break;
		case DISPATCHER_NO_MORE:
			dispatcher->all_given = true;
			workers_end(dispatcher, STOP_FINISH);
			break;
		}
	}
}

static void
supply_again(struct dispatcher *base)
{
	((struct local_dispatcher *)base)->waiting = false;
}

/*
 * Reports one game. `bytes` holds a struct worker_result and the record of the
 * game, `size` bytes together, and need not be aligned.
 */
static void
report_game(struct local_dispatcher *dispatcher, const char *bytes, size_t size)
{
	struct worker_result result;

	memcpy(&result, bytes, sizeof(result));
	dispatcher->waiting = false;
	dispatcher->calls->on_result(&dispatcher->base, dispatcher->context,
	    &result.result, bytes + sizeof(result), size - sizeof(result));
}

/* Reports the next game if it has ended already. Returns whether it had. */
static bool
report_next(struct local_dispatcher *dispatcher)
{
	struct finished *finished =
	    finished_at(dispatcher, dispatcher->next_result);

	if (finished->bytes == NULL)
		return false;
	report_game(dispatcher, finished->bytes, finished->size);
	free(finished->bytes);
	finished->bytes = NULL;
	return true;
}

/* A game has ended. If it is not the next one to report, it is stored. */
static void
on_result(struct local_dispatcher *dispatcher, int64_t number,
    const char *bytes, size_t size)
{
	struct finished *finished;

	if (dispatcher->config->unordered) {
		dispatcher->next_result++;
		report_game(dispatcher, bytes, size);
		give_games(dispatcher);
		return;
	}
	if (number != dispatcher->next_result) {
		finished = finished_at(dispatcher, number);
		assert(finished->bytes == NULL);
		finished->bytes = malloc(size);
		if (finished->bytes == NULL) {
			on_failure(dispatcher, -ENOMEM);
			return;
		}
		memcpy(finished->bytes, bytes, size);
		finished->size = size;
		return;
	}
	report_game(dispatcher, bytes, size);
	do
		dispatcher->next_result++;
	while (report_next(dispatcher));
	give_games(dispatcher);
}

static void
on_signal(void *context, int signal)
{
	struct local_dispatcher *dispatcher = context;

	dispatcher->signal_count++;
	if (dispatcher->calls->on_signal)
		dispatcher->calls->on_signal(&dispatcher->base,
		    dispatcher->context, signal, dispatcher->signal_count);
	else
		dispatcher_end(&dispatcher->base, DISPATCHER_INTERRUPTED,
		    signal, dispatcher->ending ? STOP_KILL : STOP_ABORT);
	give_games(dispatcher);
}

static void
on_tick(struct loop_deadline *tick, int64_t now_ns)
{
	struct local_dispatcher *dispatcher = tick->context;

	loop_deadline_set(
	    dispatcher->loop, tick, now_ns + dispatcher->config->tick_ns);
	dispatcher->calls->on_tick(&dispatcher->base, dispatcher->context);
	give_games(dispatcher);
}

/*
 * Opens the loop and starts the workers. Returns 0 or -errno; release() must
 * follow.
 */
static int
prepare(struct local_dispatcher *dispatcher)
{
	const struct dispatcher_config *config = dispatcher->config;
	int error;

	dispatcher->window = WINDOW_PER_LANE * config->concurrency;
	dispatcher->finished =
	    calloc((size_t)dispatcher->window, sizeof(struct finished));
	if (dispatcher->finished == NULL)
		return -ENOMEM;
	error = loop_open(&dispatcher->loop);
	if (error == 0)
		error = workers_open(dispatcher);
	if (error)
		return error;
	if (config->tick_ns > 0 && dispatcher->calls->on_tick) {
		dispatcher->tick.on_deadline = on_tick;
		dispatcher->tick.context = dispatcher;
		error = loop_deadline_open(dispatcher->loop, &dispatcher->tick);
		if (error)
			return error;
		loop_deadline_set(dispatcher->loop, &dispatcher->tick,
		    clock_now_ns() + config->tick_ns);
	}
	return loop_signals(dispatcher->loop, on_signal, dispatcher);
}

static void
release(struct local_dispatcher *dispatcher)
{
	workers_close(dispatcher);
	loop_deadline_close(dispatcher->loop, &dispatcher->tick);
	loop_close(dispatcher->loop);
	for (int i = 0; dispatcher->finished != NULL && i < dispatcher->window;
	     i++)
		free(dispatcher->finished[i].bytes);
	free(dispatcher->finished);
}

struct dispatcher_outcome
dispatcher_run(const struct dispatcher_config *config,
    const struct dispatcher_calls *calls, void *context)
{
	struct local_dispatcher dispatcher = {
		.base = { end_games, supply_again },
		.config = config,
		.calls = calls,
		.context = context,
		.outcome.end = DISPATCHER_DONE,
	};
	int64_t cpu_ns = clock_cpu_ns();
	int error;

	assert(config->concurrency >= 1 &&
	    config->concurrency <= DISPATCHER_AT_ONCE_MAX);
	assert(config->entrant_count <= DISPATCHER_ENTRANTS_MAX);
	error = prepare(&dispatcher);
	if (error) {
		dispatcher.outcome.end = DISPATCHER_FAILED;
		dispatcher.outcome.detail = error;
		goto release_dispatcher;
	}
	give_games(&dispatcher);
	error = loop_run(dispatcher.loop);
	/* Report the stored games, although an earlier one will never end. */
	for (; dispatcher.next_result < dispatcher.next_game;
	     dispatcher.next_result++)
		(void)report_next(&dispatcher);
	if (error)
		dispatcher_end(
		    &dispatcher.base, DISPATCHER_FAILED, error, STOP_KILL);
release_dispatcher:
	dispatcher.outcome.cpu_ns += clock_cpu_ns() - cpu_ns;
	release(&dispatcher);
	return dispatcher.outcome;
}

/*
 * The number of seatings: of the teams if each entrant is a team, otherwise of
 * the seats.
 */
static int
rotation_count(const struct plan *plan)
{
	return plan->duplicate ? plan->entrant_count : 1;
}

int64_t
plan_game_count(const struct plan *plan)
{
	return (int64_t)plan->rounds * rotation_count(plan);
}

struct game_spec
plan_game(const struct plan *plan, int index)
{
	int seats = plan->rules->players;
	struct game_spec game = {
		.index = index,
		.round = index / rotation_count(plan),
		.rotation = index % rotation_count(plan),
	};

	game.dealer = (seats - 1 + game.round) % seats;
	for (int seat = 0; seat < seats; seat++) {
		int place = (seat + game.rotation) % seats;

		game.entrant[seat] = plan->entrant_count == seats
		    ? place
		    : scopa_team_of(plan->rules, place);
	}
	snprintf(game.event, sizeof(game.event), "round-%d", game.round + 1);
	return game;
}
