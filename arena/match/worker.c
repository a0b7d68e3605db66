/*
 * The process of a worker.
 *
 * A worker has one event loop, a channel to its parent and a match pool. It
 * plays each game of WORKER_PLAY and sends a WORKER_RESULT for it. After
 * WORKER_END it waits until all its bots have ended, and sends WORKER_DONE.
 *
 * Invariants: the only children of a worker are the supervisors of the bots in
 * its pool. Its only open descriptors are its own and those of these bots.
 * check_leaks() verifies both.
 */
#include "worker.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "channel.h"
#include "child_tracker.h"
#include "clock.h"
#include "cpu_slots.h"
#include "cpu_usage.h"
#include "log.h"
#include "machine.h"
#include "match_pool.h"

/*
 * A check for leaks takes 30 to 80 us with few bots, almost as long as a game
 * of one deal. With some hundreds of bots it takes longer, so it is made less
 * often.
 */
enum { CHECK_PAUSE_NS = 10000000, CHECK_PART = 200 };

struct worker {
	const struct dispatcher_config *config;
	struct loop *loop;
	struct channel channel;
	struct match_pool *pool;
	struct cpu_slots cpu_slots;
	bool takes_turns;     /* cpu_slots is in use */
	int descriptor_count; /* without the descriptors of bots */
	int64_t check_ns;     /* time of the next check for leaks */
	bool leaking;         /* a leak of descriptors has been reported */
	bool orphaned;        /* the channel has ended and closed descriptors */
};

static void
send_report(struct worker *worker, enum worker_report kind, const void *bytes,
    size_t size)
{
	/*
	 * If the message cannot be sent, this process ends. The parent notices
	 * that and replaces the worker.
	 */
	if (channel_send(&worker->channel, kind, bytes, size, NULL, 0))
		_exit(EXIT_FAILURE);
}

static void
on_failure(void *context, int error)
{
	struct worker *worker = context;

	send_report(
	    worker, WORKER_FAILED, &(int32_t){ error }, sizeof(int32_t));
	match_pool_end(worker->pool, STOP_KILL);
}

/*
 * Appends the hash to the record of a game and fills in its result. Returns 0
 * or -errno.
 */
static int
fill_result(struct match *match, struct game_result *result)
{
	struct record *record = &match->record;
	int error = record->size > 0 ? record_sum(record) : 0;

	if (error)
		return error;
	assert(match->reading.part == SUMMARY_END);
	result->summary = match->reading.summary;
	memcpy(result->entrant, match->game.entrant, sizeof(result->entrant));
	for (int seat = 0; seat < result->summary.seat_count; seat++) {
		const struct referee_seat *of = &match->referee.seats[seat];

		result->unasked_count[seat] = of->unasked_count;
		result->stray_count[seat] = of->stray_count;
		memcpy(result->name_rest[seat], of->session.name_rest,
		    sizeof(result->name_rest[seat]));
	}
	result->keys = match->game.keys;
	result->lacks_keys = match->lacks_keys;
	result->fault = match->fault;
	result->fault_entrant = result->fault.seat < 0
	    ? -1
	    : match->game.entrant[result->fault.seat];
	return 0;
}

/*
 * Checks that the only children are supervisors of bots that the pool has, and
 * that only their descriptors and those of the worker are open.
 */
static void
check_leaks(struct worker *worker)
{
	int expected = worker->descriptor_count +
	    match_pool_descriptor_count(worker->pool);
	int64_t start_ns = clock_now_ns(), took_ns;
	int found = child_tracker_descriptors(), swept;

	/*
	 * The search may find dead processes that were not reaped yet, so it is
	 * repeated.
	 */
	swept = child_tracker_strangers() > 0 ? child_tracker_sweep() : 0;
	if (swept > 0)
		log_print(LOG_ERROR,
		    "BOX_ERR: processes that outlived their bots were killed: "
		    "%d",
		    swept);
	else if (swept < 0)
		log_print(LOG_ERROR,
		    "BOX_ERR: processes that outlived their bot could not be "
		    "killed: %s",
		    strerror(-swept));
	took_ns = clock_now_ns() - start_ns;
	worker->check_ns = start_ns + took_ns +
	    (took_ns > CHECK_PAUSE_NS / CHECK_PART ? CHECK_PART * took_ns
						   : CHECK_PAUSE_NS);
	if (found < 0 || found == expected || worker->leaking ||
	    worker->orphaned)
		return;
	worker->leaking = true;
	log_print(LOG_ERROR,
	    "ENV_ERR: %d descriptors are open and %d should be: this is an "
	    "error in the arena",
	    found, expected);
	on_failure(worker, -EBADFD);
}

static void
on_over(void *context, int64_t number, struct match *match)
{
	struct worker *worker = context;
	const struct record *record = &match->record;
	struct worker_result result = { .number = number };
	int error = fill_result(match, &result.result);

	if (!error)
		error = channel_send(&worker->channel, WORKER_RESULT, &result,
		    sizeof(result), record->bytes, record->size);
	if (error)
		on_failure(worker, error);
	/* One check is enough for games that end together. */
	if (clock_now_ns() > worker->check_ns)
		check_leaks(worker);
}

static void
on_gone(void *context)
{
	struct worker *worker = context;

	check_leaks(worker);
	loop_stop(worker->loop);
}

static const struct match_pool_calls match_pool_calls = {
	.on_over = on_over,
	.on_gone = on_gone,
	.on_failure = on_failure,
};

static void
on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size)
{
	struct worker *worker = channel->context;
	struct pool_game game;
	int32_t order;

	switch ((enum worker_order)kind) {
	case WORKER_PLAY:
		assert(size == sizeof(game));
		memcpy(&game, bytes, sizeof(game));
		match_pool_play(worker->pool, &game);
		break;
	case WORKER_END:
		assert(size == sizeof(order));
		memcpy(&order, bytes, sizeof(order));
		match_pool_end(worker->pool, (enum stop_mode)order);
		break;
	}
}

/*
 * The channel to the parent has ended. If the parent is dead, the games are
 * killed. If only the channel failed, the worker reports the failure, because
 * no results will follow.
 */
static void
on_end(struct channel *channel, int error)
{
	struct worker *worker = channel->context;

	worker->orphaned = true;
	if (error)
		on_failure(worker, error);
	else
		match_pool_end(worker->pool, STOP_KILL);
}

/*
 * Sets up the worker's process. It dies with its parent. Signals from the
 * terminal are handled by the parent.
 *
 * The worker leads a session of its own, as each bot does. A kernel with
 * autogroup shares the processors among sessions. In the user's session the
 * worker would compete with everything that the user runs, and Linux 6.18 then
 * sometimes kept bots that the worker had woken waiting for a quarter of a
 * second.
 */
static int
enter_process(const struct worker_place *place)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -errno;
	if (getppid() != place->parent)
		_exit(EXIT_FAILURE);
	if (setsid() < 0)
		return -errno;
	/* A bot whose supervisor was killed becomes a child of this process. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return -errno;
	child_tracker_clear();
	scheduler_hurry();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	return place->core < 0 ? 0 : cores_pin(place->core);
}

/*
 * Opens the CPU slots if there are more games than slots. Bots then think by
 * turns. A bot is fast, and needs no slot, if all fast bots together delay
 * another bot by no more than 1/LIGHT_PART of its time. If the user gives a
 * number of slots, every bot needs a slot. Without clocks no bot needs a slot,
 * but the bots of many games still play in groups. Returns 0 or -errno.
 */
static int
open_cpu_slots(struct worker *worker, const struct worker_place *place)
{
	enum { LIGHT_PART = 16 };
	const struct dispatcher_config *config = worker->config;
	bool untimed = config->rules.settings.control.kind == BUDGET_NONE;
	int slot_max = place->cpu_slot_count;
	int64_t light_ns = budget_usual_ns(&config->rules.settings.control) /
	    LIGHT_PART / place->pool.lane_count;

	if (config->cpu_slots != DISPATCHER_CPU_SLOTS_AUTO) {
		light_ns = 0;
	} else if (untimed && place->pool.lane_count > CPU_SLOTS_GROUP) {
		slot_max = place->pool.lane_count;
		light_ns = CPU_SLOT_UNKNOWN;
	}
	if (slot_max == 0 || (slot_max >= place->pool.lane_count && !untimed))
		return 0;
	worker->takes_turns = true;
	return cpu_slots_open(
	    &worker->cpu_slots, worker->loop, slot_max, light_ns);
}

int
worker_run(
    const struct dispatcher_config *config, const struct worker_place *place)
{
	struct worker worker = {
		.config = config,
		.channel = { .on_message = on_message, .on_end = on_end },
	};
	struct match_pool_settings settings = place->pool;
	int64_t cpu_ns;
	int error = enter_process(place);

	worker.channel.context = &worker;
	if (loop_open(&worker.loop) < 0 ||
	    channel_open(&worker.channel, worker.loop, place->order_fd,
		place->report_fd) < 0)
		return EXIT_FAILURE;
	if (!error)
		error = open_cpu_slots(&worker, place);
	if (worker.takes_turns)
		settings.cpu_slots = &worker.cpu_slots;
	if (!error)
		error = match_pool_open(&worker.pool, worker.loop, config,
		    &settings, &match_pool_calls, &worker);
	worker.descriptor_count = child_tracker_descriptors();
	if (!error)
		error = loop_run(worker.loop);
	if (error)
		send_report(&worker, WORKER_FAILED, &(int32_t){ error },
		    sizeof(int32_t));
	match_pool_close(worker.pool);
	cpu_slots_close(&worker.cpu_slots);
	cpu_ns = clock_cpu_ns();
	send_report(&worker, WORKER_DONE, &cpu_ns, sizeof(cpu_ns));
	channel_drain(&worker.channel);
	return EXIT_SUCCESS;
}

/*
 * Only a coverage build has this function. It writes the counts, which _exit
 * would lose.
 */
void __gcov_dump(void) __attribute__((weak));

pid_t
worker_open(const struct dispatcher_config *config,
    const struct worker_place *place, void (*leave)(const void *context),
    const void *context)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid > 0)
		return pid;
	leave(context);
	status = worker_run(config, place);
	if (__gcov_dump)
		__gcov_dump();
	/* exit() would write the parent's buffered output a second time. */
	_exit(status);
}
