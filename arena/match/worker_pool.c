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
claim_cores(struct crew *crew, const struct cores *allowed)
{
	int here = sched_getcpu();
	int first = 0, claimed = 0;

	while (first < allowed->count - 1 && allowed->ids[first] != here)
		first++;
	for (int i = 0; i < allowed->count && claimed < crew->count; i++) {
		int core = allowed->ids[(first + i) % allowed->count];
		int fd = cores_claim(core);

		if (fd < 0)
			continue;
		crew->hands[claimed].claim_fd = fd;
		crew->hands[claimed++].core = core;
	}
	for (int i = 0; claimed < crew->count && i < claimed; i++) {
		close(crew->hands[i].claim_fd);
		crew->hands[i].claim_fd = crew->hands[i].core = -1;
	}
}

/*
 * Where there is a worker for every core each has its own, whoever else is
 * there; the claims tell smaller arenas to keep off.
 */
static void
place_workers(struct crew *crew, const struct series_config *config,
    const struct cores *cores)
{
	bool all =
	    config->pin == SERIES_PIN_LIST || crew->count == cores->count;

	if (config->pin == SERIES_PIN_NONE)
		return;
	if (!all) {
		claim_cores(crew, cores);
		return;
	}
	for (int i = 0; i < crew->count; i++) {
		crew->hands[i].core = cores->ids[i];
		crew->hands[i].claim_fd = cores_claim(cores->ids[i]);
	}
}

/* A worker that is started: its pipes, and those who were before it. */
struct beginning {
	const struct crew *crew;
	int order[2], report[2];
};

/* In the child: nothing of the parent's or of other workers' may be open. */
static void
leave_parent(const void *context)
{
	const struct beginning *beginning = context;
	const struct crew *crew = beginning->crew;

	close(beginning->order[1]);
	close(beginning->report[0]);
	for (int i = 0; i < crew->count; i++) {
		const struct hand *hand = &crew->hands[i];

		if (hand->order_fd >= 0)
			close(hand->order_fd);
		if (hand->report_fd >= 0)
			close(hand->report_fd);
		channel_abandon(&hand->channel);
		if (hand->claim_fd >= 0)
			close(hand->claim_fd);
	}
	if (crew->loop != NULL)
		loop_abandon(crew->loop);
}

static int
start_worker(struct crew *crew, struct hand *hand)
{
	struct beginning made = { .crew = crew };
	struct worker_place place = {
		.parent = crew->pid,
		.core = hand->core,
		.lane_count = hand->lane_count,
		.worker_count = crew->count,
		.thinker_count = hand->thinker_count,
	};
	int error;
	pid_t pid;

	if (pipe2(made.order, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(made.report, O_CLOEXEC) < 0) {
		error = -errno;
		goto close_order;
	}
	place.order_fd = made.order[0];
	place.report_fd = made.report[1];
	pid = worker_open(crew->config, &place, leave_parent, &made);
	if (pid < 0) {
		error = pid;
		goto close_report;
	}
	close(made.order[0]);
	close(made.report[1]);
	hand->order_fd = made.order[1];
	hand->report_fd = made.report[0];
	hand->pid = pid;
	crew->living++;
	return census_enter(pid);
close_report:
	close(made.report[0]);
	close(made.report[1]);
close_order:
	close(made.order[0]);
	close(made.order[1]);
	return error;
}

/* How many workers there are to be: no more than may think. */
static int
count_hands(const struct series_config *config, int core_count)
{
	int count = config->concurrency;

	if (core_count < count)
		count = core_count;
	if (config->thinkers > 0 && config->thinkers < count)
		count = config->thinkers;
	return count;
}

/* How many bots may think at once at the tables of worker `index`. */
static int
share_thinkers(
    const struct crew *crew, const struct series_config *config, int index)
{
	if (config->thinkers > 0)
		return config->thinkers / crew->count +
		    (index < config->thinkers % crew->count);
	/* Without clocks nobody pays for others. */
	return config->thinkers == SERIES_THINKERS_AUTO &&
	    config->rules.settings.control.kind != BUDGET_NONE;
}

int
crew_open(struct crew *crew, const struct series_config *config)
{
	int lane_count = config->concurrency;
	struct cores cores;
	int error = cores_allowed(&cores);

	*crew = (struct crew){ .config = config, .pid = getpid() };
	if (error)
		return error;
	if (config->pin == SERIES_PIN_LIST)
		cores = config->cores;
	crew->count = count_hands(config, cores.count);
	crew->hands = calloc((size_t)crew->count, sizeof(*crew->hands));
	if (crew->hands == NULL) {
		crew->count = 0;
		return -ENOMEM;
	}
	for (int i = 0; i < crew->count; i++) {
		struct hand *hand = &crew->hands[i];

		*hand = (struct hand){
			.crew = crew,
			.core = -1,
			.order_fd = -1,
			.report_fd = -1,
			.claim_fd = -1,
			.lane_count = lane_count / crew->count +
			    (i < lane_count % crew->count),
			.thinker_count = share_thinkers(crew, config, i),
		};
		hand->games =
		    calloc((size_t)hand->lane_count, sizeof(*hand->games));
		if (hand->games == NULL)
			error = -ENOMEM;
	}
	place_workers(crew, config, &cores);
	if (error == 0)
		error = census_adopt();
	for (int i = 0; i < crew->count && error == 0; i++)
		error = start_worker(crew, &crew->hands[i]);
	if (error)
		crew_close(crew);
	return error;
}

/* The game of this number has ended. */
static void
forget_game(struct hand *hand, int64_t number)
{
	int at = 0;

	while (at < hand->game_count && hand->games[at].number != number)
		at++;
	assert(at < hand->game_count);
	hand->games[at] = hand->games[--hand->game_count];
	hand->loss_count = 0;
}

static void
on_message(
    struct channel *channel, uint32_t kind, const char *bytes, size_t size)
{
	struct hand *hand = channel->context;
	int64_t number;
	int32_t error;

	switch ((enum worker_report)kind) {
	case WORKER_RESULT:
		assert(size >= sizeof(struct worker_result));
		memcpy(&number, bytes + offsetof(struct worker_result, number),
		    sizeof(number));
		forget_game(hand, number);
		if (getpid() == 1)
			census_settle();
		hand->crew->events->on_result(hand->crew->context, bytes, size);
		break;
	case WORKER_FAILED:
		assert(size == sizeof(error));
		memcpy(&error, bytes, sizeof(error));
		hand->crew->events->on_failure(hand->crew->context, error);
		break;
	case WORKER_DONE:
		assert(size == sizeof(hand->cpu_ns));
		memcpy(&hand->cpu_ns, bytes, sizeof(hand->cpu_ns));
		hand->done = true;
		break;
	}
}

/* Sends it a message; one that cannot be told of its games is useless. */
static void
send_order(
    struct hand *hand, enum worker_order kind, const void *bytes, size_t size)
{
	if (channel_send(&hand->channel, kind, bytes, size, NULL, 0))
		hand->crew->events->on_failure(hand->crew->context, -ENOMEM);
}

/* Whether another worker may play what this one has left. */
static bool
is_replaceable(struct hand *hand)
{
	if (hand->crew->dropping || hand->loss_count == CREW_LOSSES_MAX)
		return false;
	hand->loss_count++;
	return true;
}

static void
log_loss(const struct hand *hand, pid_t pid, int wait_status)
{
	bool killed = WIFSIGNALED(wait_status);

	log_print(LOG_WARN,
	    "ENV_ERR: worker process %d was ended by %s %d and is replaced; "
	    "%d game%s played again",
	    (int)pid, killed ? "signal" : "exit status",
	    killed ? WTERMSIG(wait_status) : WEXITSTATUS(wait_status),
	    hand->game_count, hand->game_count == 1 ? " is" : "s are");
}

static int listen_to(struct hand *hand);

/* Ends a worker at once; nobody listens to it any more. */
static void
kill_worker(struct hand *hand)
{
	channel_close(&hand->channel);
	if (hand->order_fd >= 0)
		close(hand->order_fd);
	if (hand->report_fd >= 0)
		close(hand->report_fd);
	hand->order_fd = hand->report_fd = -1;
	if (hand->pid <= 0)
		return;
	kill(hand->pid, SIGKILL);
	waitpid(hand->pid, NULL, 0);
	census_leave(hand->pid);
	hand->pid = 0;
	hand->crew->living--;
}

/* Starts another worker in its place, and gives it the games.  0 or -errno. */
static int
replace_worker(struct hand *hand)
{
	static const int32_t finish = SERIES_FINISH;
	struct crew *crew = hand->crew;
	int error = start_worker(crew, hand);

	if (error == 0)
		error = listen_to(hand);
	if (error) {
		kill_worker(hand);
		return error;
	}
	for (int i = 0; i < hand->game_count; i++) {
		/* The record has no room for more than the first ones. */
		(void)mishap_note(&hand->games[i].game, "ENV_ERR");
		send_order(
		    hand, WORKER_PLAY, &hand->games[i], sizeof(hand->games[i]));
	}
	if (crew->ending)
		send_order(hand, WORKER_END, &finish, sizeof(finish));
	return 0;
}

/* The worker has ended, in whichever way: its pipe is closed. */
static void
on_end(struct channel *channel, int error)
{
	struct hand *hand = channel->context;
	struct crew *crew = hand->crew;
	pid_t pid = hand->pid;
	int status = 0;

	/* One that cannot be understood any more must not be waited for. */
	if (error)
		kill(hand->pid, SIGKILL);
	channel_close(channel);
	while (waitpid(hand->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	census_leave(hand->pid);
	hand->pid = 0;
	crew->living--;
	/* Its bots are dying, or are ours now. */
	if (!hand->done)
		census_settle();
	if (!hand->done && is_replaceable(hand)) {
		log_loss(hand, pid, status);
		error = replace_worker(hand);
		if (error)
			crew->events->on_failure(crew->context, error);
	} else if (!hand->done)
		crew->events->on_loss(crew->context, status, hand->game_count);
	else if (hand->game_count > 0 && !crew->dropping)
		/* It could not be told of them: nobody speaks to it any more. */
		crew->events->on_failure(crew->context, -EIO);
	if (crew->living == 0)
		crew->events->on_gone(crew->context);
}

/* Opens the channel of a worker that has been started.  0 or -errno. */
static int
listen_to(struct hand *hand)
{
	int error;

	hand->channel = (struct channel){
		.on_message = on_message,
		.on_end = on_end,
		.context = hand,
	};
	error = channel_open(
	    &hand->channel, hand->crew->loop, hand->report_fd, hand->order_fd);
	hand->report_fd = hand->order_fd = -1;
	return error;
}

int
crew_listen(struct crew *crew, struct loop *loop,
    const struct crew_events *events, void *context)
{
	int error = 0;

	crew->loop = loop;
	crew->events = events;
	crew->context = context;
	for (int i = 0; i < crew->count && error == 0; i++)
		error = listen_to(&crew->hands[i]);
	return error;
}

void
crew_close(struct crew *crew)
{
	for (int i = 0; i < crew->count; i++) {
		struct hand *hand = &crew->hands[i];

		kill_worker(hand);
		if (hand->claim_fd >= 0)
			close(hand->claim_fd);
		free(hand->games);
	}
	census_settle();
	free(crew->hands);
	*crew = (struct crew){ .hands = NULL };
}

/* The worker with most room; NULL: none has any. */
static struct hand *
idlest_hand(const struct crew *crew)
{
	struct hand *idlest = NULL;
	int most = 0;

	for (int i = 0; i < crew->count; i++) {
		struct hand *hand = &crew->hands[i];
		int room = hand->lane_count - hand->game_count;

		if (hand->pid > 0 && room > most) {
			most = room;
			idlest = hand;
		}
	}
	return idlest;
}

bool
crew_is_free(const struct crew *crew)
{
	return idlest_hand(crew) != NULL;
}

void
crew_play(struct crew *crew, const struct worker_game *game)
{
	struct hand *hand = idlest_hand(crew);

	assert(hand != NULL);
	hand->games[hand->game_count++] = *game;
	send_order(hand, WORKER_PLAY, game, sizeof(*game));
}

void
crew_end(struct crew *crew, enum series_order order)
{
	int32_t number = (int32_t)order;

	crew->ending = true;
	crew->dropping |= order != SERIES_FINISH;
	for (int i = 0; i < crew->count; i++) {
		struct hand *hand = &crew->hands[i];

		/* Who cannot be told must not be waited for. */
		if (hand->pid > 0 &&
		    channel_send(&hand->channel, WORKER_END, &number,
			sizeof(number), NULL, 0))
			kill(hand->pid, SIGKILL);
	}
}

int64_t
crew_cpu_ns(const struct crew *crew)
{
	int64_t cpu_ns = 0;

	for (int i = 0; i < crew->count; i++)
		cpu_ns += crew->hands[i].cpu_ns;
	return cpu_ns;
}
