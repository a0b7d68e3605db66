#include "worker_pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child_tracker.h"
#include "infra_failure.h"
#include "log.h"

/*
 * Gives each worker a free core, beginning where the kernel has put this
 * process.  Where there are not enough none is pinned: a core shared with
 * another arena would be worse than no core of one's own.
 */
static void
claim_cores(struct worker_pool *pool, const struct cores *allowed)
{
	int here = sched_getcpu();
	int first = 0, claimed = 0;

	while (first < allowed->count - 1 && allowed->ids[first] != here)
		first++;
	for (int i = 0; i < allowed->count && claimed < pool->count; i++) {
		int core = allowed->ids[(first + i) % allowed->count];
		int fd = cores_claim(core);

		if (fd < 0)
			continue;
		pool->workers[claimed].claim_fd = fd;
		pool->workers[claimed++].core = core;
	}
	for (int i = 0; claimed < pool->count && i < claimed; i++) {
		close(pool->workers[i].claim_fd);
		pool->workers[i].claim_fd = pool->workers[i].core = -1;
	}
}

/*
 * Where there is a worker for every core each has its own, even if another arena
 * has it; the claims make smaller arenas choose other cores.
 */
static void
place_workers(struct worker_pool *pool, const struct dispatcher_config *config,
    const struct cores *cores)
{
	bool all =
	    config->pin == DISPATCHER_PIN_LIST || pool->count == cores->count;

	if (config->pin == DISPATCHER_PIN_NONE)
		return;
	if (!all) {
		claim_cores(pool, cores);
		return;
	}
	for (int i = 0; i < pool->count; i++) {
		pool->workers[i].core = cores->ids[i];
		pool->workers[i].claim_fd = cores_claim(cores->ids[i]);
	}
}

/* A worker that is being started: its pipes, and the pool. */
struct worker_start {
	const struct worker_pool *pool;
	int order[2], report[2];
};

/* In the child: nothing of the parent's or of other workers' may be open. */
static void
leave_parent(const void *context)
{
	const struct worker_start *start = context;
	const struct worker_pool *pool = start->pool;

	close(start->order[1]);
	close(start->report[0]);
	for (int i = 0; i < pool->count; i++) {
		const struct worker_handle *worker = &pool->workers[i];

		if (worker->order_fd >= 0)
			close(worker->order_fd);
		if (worker->report_fd >= 0)
			close(worker->report_fd);
		channel_abandon(&worker->channel);
		if (worker->claim_fd >= 0)
			close(worker->claim_fd);
	}
	if (pool->loop != NULL)
		loop_abandon(pool->loop);
}

static int
start_worker(struct worker_pool *pool, struct worker_handle *worker)
{
	struct worker_start start = { .pool = pool };
	struct worker_place place = {
		.parent = pool->pid,
		.core = worker->core,
		.lane_count = worker->lane_count,
		.worker_count = pool->count,
		.cpu_slot_count = worker->cpu_slot_count,
	};
	int error;
	pid_t pid;

	if (pipe2(start.order, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(start.report, O_CLOEXEC) < 0) {
		error = -errno;
		goto close_order;
	}
	place.order_fd = start.order[0];
	place.report_fd = start.report[1];
	pid = worker_open(pool->config, &place, leave_parent, &start);
	if (pid < 0) {
		error = pid;
		goto close_report;
	}
	close(start.order[0]);
	close(start.report[1]);
	worker->order_fd = start.order[1];
	worker->report_fd = start.report[0];
	worker->pid = pid;
	pool->living++;
	return child_tracker_add(pid);
close_report:
	close(start.report[0]);
	close(start.report[1]);
close_order:
	close(start.order[0]);
	close(start.order[1]);
	return error;
}

/* How many workers there are to be: no more than may think. */
static int
wanted_worker_count(const struct dispatcher_config *config, int core_count)
{
	int count = config->concurrency;

	if (core_count < count)
		count = core_count;
	if (config->thinkers > 0 && config->thinkers < count)
		count = config->thinkers;
	return count;
}

/* How many bots may think at once at the matches of worker `index`. */
static int
share_cpu_slots(const struct worker_pool *pool,
    const struct dispatcher_config *config, int index)
{
	if (config->thinkers > 0)
		return config->thinkers / pool->count +
		    (index < config->thinkers % pool->count);
	/* Without clocks nobody pays for others. */
	return config->thinkers == DISPATCHER_CPU_SLOTS_AUTO &&
	    config->rules.settings.control.kind != BUDGET_NONE;
}

int
worker_pool_open(
    struct worker_pool *pool, const struct dispatcher_config *config)
{
	int lane_count = config->concurrency;
	struct cores cores;
	int error = cores_allowed(&cores);

	*pool = (struct worker_pool){ .config = config, .pid = getpid() };
	if (error)
		return error;
	if (config->pin == DISPATCHER_PIN_LIST)
		cores = config->cores;
	pool->count = wanted_worker_count(config, cores.count);
	pool->workers = calloc((size_t)pool->count, sizeof(*pool->workers));
	if (pool->workers == NULL) {
		pool->count = 0;
		return -ENOMEM;
	}
	for (int i = 0; i < pool->count; i++) {
		struct worker_handle *worker = &pool->workers[i];

		*worker = (struct worker_handle){
			.pool = pool,
			.core = -1,
			.order_fd = -1,
			.report_fd = -1,
			.claim_fd = -1,
			.lane_count = lane_count / pool->count +
			    (i < lane_count % pool->count),
			.cpu_slot_count = share_cpu_slots(pool, config, i),
		};
		worker->games =
		    calloc((size_t)worker->lane_count, sizeof(*worker->games));
		if (worker->games == NULL)
			error = -ENOMEM;
	}
	place_workers(pool, config, &cores);
	if (error == 0)
		error = child_tracker_adopt();
	for (int i = 0; i < pool->count && error == 0; i++)
		error = start_worker(pool, &pool->workers[i]);
	if (error)
		worker_pool_close(pool);
	return error;
}

/* The game of this number has ended. */
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
			child_tracker_settle();
		worker->pool->events->on_result(
		    worker->pool->context, bytes, size);
		break;
	case WORKER_FAILED:
		assert(size == sizeof(error));
		memcpy(&error, bytes, sizeof(error));
		worker->pool->events->on_failure(worker->pool->context, error);
		break;
	case WORKER_DONE:
		assert(size == sizeof(worker->cpu_ns));
		memcpy(&worker->cpu_ns, bytes, sizeof(worker->cpu_ns));
		worker->done = true;
		break;
	}
}

/* Sends it a message; a worker that cannot be sent its games is useless. */
static void
send_order(struct worker_handle *worker, enum worker_order kind,
    const void *bytes, size_t size)
{
	if (channel_send(&worker->channel, kind, bytes, size, NULL, 0))
		worker->pool->events->on_failure(
		    worker->pool->context, -ENOMEM);
}

/* Whether another worker may play what this one has left. */
static bool
is_replaceable(struct worker_handle *worker)
{
	if (worker->pool->dropping || worker->loss_count == WORKER_LOSSES_MAX)
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

static int listen_to(struct worker_handle *worker);

/* Kills a worker; its messages are not read any more. */
static void
kill_worker(struct worker_handle *worker)
{
	channel_close(&worker->channel);
	if (worker->order_fd >= 0)
		close(worker->order_fd);
	if (worker->report_fd >= 0)
		close(worker->report_fd);
	worker->order_fd = worker->report_fd = -1;
	if (worker->pid <= 0)
		return;
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
	child_tracker_remove(worker->pid);
	worker->pid = 0;
	worker->pool->living--;
}

/* Starts another worker in its place, and gives it the games.  0 or -errno. */
static int
replace_worker(struct worker_handle *worker)
{
	static const int32_t finish = STOP_FINISH;
	struct worker_pool *pool = worker->pool;
	int error = start_worker(pool, worker);

	if (error == 0)
		error = listen_to(worker);
	if (error) {
		kill_worker(worker);
		return error;
	}
	for (int i = 0; i < worker->game_count; i++) {
		/* The record has no room for more than the first ones. */
		(void)infra_failure_note(&worker->games[i].game, "ENV_ERR");
		send_order(worker, WORKER_PLAY, &worker->games[i],
		    sizeof(worker->games[i]));
	}
	if (pool->ending)
		send_order(worker, WORKER_END, &finish, sizeof(finish));
	return 0;
}

/* The worker has ended, in whichever way: its pipe is closed. */
static void
on_end(struct channel *channel, int error)
{
	struct worker_handle *worker = channel->context;
	struct worker_pool *pool = worker->pool;
	pid_t pid = worker->pid;
	int status = 0;

	/* A worker whose messages make no sense must not be waited for. */
	if (error)
		kill(worker->pid, SIGKILL);
	channel_close(channel);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	child_tracker_remove(worker->pid);
	worker->pid = 0;
	pool->living--;
	/* Its bots are dying, or are children of this process now. */
	if (!worker->done)
		child_tracker_settle();
	if (!worker->done && is_replaceable(worker)) {
		log_loss(worker, pid, status);
		error = replace_worker(worker);
		if (error)
			pool->events->on_failure(pool->context, error);
	} else if (!worker->done)
		pool->events->on_loss(
		    pool->context, status, worker->game_count);
	else if (worker->game_count > 0 && !pool->dropping)
		/* They could not be sent: its channel is closed. */
		pool->events->on_failure(pool->context, -EIO);
	if (pool->living == 0)
		pool->events->on_gone(pool->context);
}

/* Opens the channel of a worker that has been started.  0 or -errno. */
static int
listen_to(struct worker_handle *worker)
{
	int error;

	worker->channel = (struct channel){
		.on_message = on_message,
		.on_end = on_end,
		.context = worker,
	};
	error = channel_open(&worker->channel, worker->pool->loop,
	    worker->report_fd, worker->order_fd);
	worker->report_fd = worker->order_fd = -1;
	return error;
}

int
worker_pool_listen(struct worker_pool *pool, struct loop *loop,
    const struct worker_pool_events *events, void *context)
{
	int error = 0;

	pool->loop = loop;
	pool->events = events;
	pool->context = context;
	for (int i = 0; i < pool->count && error == 0; i++)
		error = listen_to(&pool->workers[i]);
	return error;
}

void
worker_pool_close(struct worker_pool *pool)
{
	for (int i = 0; i < pool->count; i++) {
		struct worker_handle *worker = &pool->workers[i];

		kill_worker(worker);
		if (worker->claim_fd >= 0)
			close(worker->claim_fd);
		free(worker->games);
	}
	child_tracker_settle();
	free(pool->workers);
	*pool = (struct worker_pool){ .workers = NULL };
}

/* The worker with most room; NULL: none has any. */
static struct worker_handle *
idlest_worker(const struct worker_pool *pool)
{
	struct worker_handle *idlest = NULL;
	int most = 0;

	for (int i = 0; i < pool->count; i++) {
		struct worker_handle *worker = &pool->workers[i];
		int room = worker->lane_count - worker->game_count;

		if (worker->pid > 0 && room > most) {
			most = room;
			idlest = worker;
		}
	}
	return idlest;
}

bool
worker_pool_is_free(const struct worker_pool *pool)
{
	return idlest_worker(pool) != NULL;
}

void
worker_pool_play(struct worker_pool *pool, const struct worker_game *game)
{
	struct worker_handle *worker = idlest_worker(pool);

	assert(worker != NULL);
	worker->games[worker->game_count++] = *game;
	send_order(worker, WORKER_PLAY, game, sizeof(*game));
}

void
worker_pool_end(struct worker_pool *pool, enum stop_mode order)
{
	int32_t number = (int32_t)order;

	pool->ending = true;
	pool->dropping |= order != STOP_FINISH;
	for (int i = 0; i < pool->count; i++) {
		struct worker_handle *worker = &pool->workers[i];

		/* A worker that cannot be sent the order is not waited for. */
		if (worker->pid > 0 &&
		    channel_send(&worker->channel, WORKER_END, &number,
			sizeof(number), NULL, 0))
			kill(worker->pid, SIGKILL);
	}
}

int64_t
worker_pool_cpu_ns(const struct worker_pool *pool)
{
	int64_t cpu_ns = 0;

	for (int i = 0; i < pool->count; i++)
		cpu_ns += pool->workers[i].cpu_ns;
	return cpu_ns;
}
