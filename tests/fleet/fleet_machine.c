/*
 * The clock advances from event to event.  An event is ignored if its worker
 * has crashed or was restarted since the event was planned: its `life` differs.
 * Events of a frozen worker are delayed until it continues.
 */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"

enum {
	NAME_SIZE = 16,
	PAUSE_S = 60 /* until the organiser resumes a run, in seconds */
};

#define TICK_NS (FLEET_S / 2)
/* From a result in the queue until the coordinator is notified. */
#define LATENCY_NS (FLEET_S / 20)
#define LOOK_NS FLEET_S /* interval of measurements of capacity */
#define FREEZE_S 90.0   /* longer than a lease */
#define DOWN_S 60.0     /* mean down time after a crash */
#define RESTART_S 10.0  /* down time of the server */

enum fleet_event_kind {
	FLEET_TICK,
	FLEET_GAME,
	FLEET_CRASH,
	FLEET_START,
	FLEET_FREEZE,
	FLEET_CUT,
	FLEET_RESTART,
	FLEET_LOOK
};

struct fleet_event {
	int64_t ns;
	int worker, lane;
	unsigned life;
	enum fleet_event_kind kind;
};

struct lane {
	struct game_spec spec;
	bool busy, hangs;
	int64_t end_ns;
};

/* A machine with one worker; for the remote_worker, it is the dispatcher. */
struct machine {
	struct dispatcher dispatcher; /* the first member */
	struct fleet_machine *fleet;
	int number;
	char name[NAME_SIZE];
	double speed;
	bool forges, alters;
	uint64_t random;
	struct signing_key key;
	struct queue_worker self;
	struct remote_worker_config config;
	struct queue *queue;
	struct remote_worker *worker; /* NULL: the machine is down */
	unsigned life;
	bool dying;   /* it is crashing: all calls of the queue fail */
	bool retired; /* the run is over, or the worker is refused */
	int64_t frozen_until_ns, cut_until_ns;
	struct lane lanes[FLEET_LANES_MAX];
	bool waiting, all_given, ended;
	enum stop_mode order;
	int64_t notified; /* number of puts at its last notification */
};

struct fleet_machine {
	const struct fleet_plan *plan;
	struct dispatcher_config worker_play; /* without secret */
	const struct queue_run *run;
	struct fleet_counts *counts;
	struct queue *organiser;
	int64_t resume_ns; /* end of a pause; 0: no block is paused */
	struct queue_memory *memory;
	struct queue_memory_settings *settings;
	struct machine *machines;
	uint64_t random;
	int64_t server_until_ns;    /* end of its down time */
	int64_t steady_begin;       /* first number of results */
	struct fleet_event *events; /* a heap with the earliest event first */
	size_t event_count, event_capacity;
};

/* The running fleet, because clocks and waits have no context. */
static struct fleet_machine *running_fleet;
static int64_t skew_ns; /* time that a worker has waited while it is closed */

bool fleet_verbose;

static double
exponential(uint64_t *state, double mean)
{
	return -mean * log1p(-splitmix_unit(state));
}

void
fleet_log(const char *format, ...)
{
	va_list list;

	if (!fleet_verbose)
		return;
	printf("# %10.1f s: ",
	    running_fleet != NULL
		? (double)running_fleet->settings->now_ns / (double)FLEET_S
		: 0.0);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
}

_Noreturn void
fleet_fail(const char *format, ...)
{
	va_list list;

	printf("# ");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	fflush(stdout);
	_Exit(1);
}

/* --- functions of the system that the arena calls */

int64_t __wrap_clock_now_ns(void);
int64_t __real_clock_now_ns(void);
int64_t __wrap_clock_wall_ns(void);
int __wrap_ppoll(struct pollfd *fds, nfds_t count,
    const struct timespec *timeout, const sigset_t *mask);

static int64_t
now_ns(void)
{
	return running_fleet->settings->now_ns + skew_ns;
}

int64_t
__wrap_clock_now_ns(void)
{
	return running_fleet != NULL ? now_ns() : __real_clock_now_ns();
}

int64_t
__wrap_clock_wall_ns(void)
{
	return __wrap_clock_now_ns();
}

static int64_t
ns_of(double seconds)
{
	return (int64_t)(seconds * (double)FLEET_S);
}

/* --- events */

static void
plan_event(struct fleet_machine *fleet, struct fleet_event event)
{
	size_t at = fleet->event_count++;

	if (at == fleet->event_capacity) {
		fleet->event_capacity = 2 * fleet->event_capacity + 1024;
		fleet->events = reallocarray(fleet->events,
		    fleet->event_capacity, sizeof(*fleet->events));
		FLEET_MUST(fleet->events != NULL);
	}
	while (at > 0 && fleet->events[(at - 1) / 2].ns > event.ns) {
		fleet->events[at] = fleet->events[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	fleet->events[at] = event;
}

static struct fleet_event
remove_first_event(struct fleet_machine *fleet)
{
	struct fleet_event first = fleet->events[0];
	struct fleet_event last = fleet->events[--fleet->event_count];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < fleet->event_count) {
		if (child + 1 < fleet->event_count &&
		    fleet->events[child + 1].ns < fleet->events[child].ns)
			child++;
		if (fleet->events[child].ns >= last.ns)
			break;
		fleet->events[at] = fleet->events[child];
		at = child;
	}
	fleet->events[at] = last;
	return first;
}

static void
plan_for(struct machine *machine, enum fleet_event_kind kind, int64_t after_ns)
{
	plan_event(machine->fleet,
	    (struct fleet_event){ machine->fleet->settings->now_ns + after_ns,
		machine->number, 0, machine->life, kind });
}

/* Plans the next random event of a kind; mean 0: never. */
static void
plan_chance(struct machine *machine, enum fleet_event_kind kind, double mean_s)
{
	if (mean_s > 0)
		plan_for(machine, kind,
		    ns_of(exponential(&machine->random, mean_s)));
}

/* --- one worker */

static void
lanes_end(struct dispatcher *dispatcher, enum dispatcher_end end, int detail,
    enum stop_mode order)
{
	struct machine *machine = (struct machine *)dispatcher;

	(void)end, (void)detail;
	machine->ended = true;
	if (order > machine->order)
		machine->order = order;
}

static void
lanes_supply_again(struct dispatcher *dispatcher)
{
	((struct machine *)dispatcher)->waiting = false;
}

static void
on_message(void *context, bool urgent, const char *sentence)
{
	const struct machine *machine = context;

	if (urgent)
		fleet_log("%s: %s", machine->name, sentence);
}

static void
await_game(struct machine *machine, int number)
{
	struct lane *lane = &machine->lanes[number];

	if (lane->hangs)
		return;
	plan_event(machine->fleet,
	    (struct fleet_event){ lane->end_ns, machine->number, number,
		machine->life, FLEET_GAME });
}

static void
begin_game(struct machine *machine, int number)
{
	const struct fleet_plan *plan = machine->fleet->plan;
	struct lane *lane = &machine->lanes[number];
	double seconds = plan->game_s / machine->speed *
	    (0.5 + splitmix_unit(&machine->random));

	lane->busy = true;
	lane->hangs = splitmix_unit(&machine->random) < plan->hang_rate;
	machine->fleet->counts->hangs += lane->hangs;
	lane->end_ns = machine->fleet->settings->now_ns + ns_of(seconds);
	await_game(machine, number);
}

/* Gives games to the free lanes. */
static void
supply(struct machine *machine)
{
	for (int i = 0; i < machine->fleet->plan->lanes; i++) {
		struct lane *lane = &machine->lanes[i];

		if (lane->busy || machine->ended || machine->waiting ||
		    machine->all_given)
			continue;
		switch (remote_worker_calls.next(
		    &machine->dispatcher, machine->worker, &lane->spec)) {
		case DISPATCHER_GAME:
			begin_game(machine, i);
			break;
		case DISPATCHER_WAIT:
			machine->waiting = true;
			break;
		case DISPATCHER_NO_MORE:
			machine->all_given = true;
			break;
		}
	}
}

static bool
is_busy(const struct machine *machine)
{
	for (int i = 0; i < machine->fleet->plan->lanes; i++)
		if (machine->lanes[i].busy)
			return true;
	return false;
}

static struct deal_keys_slot *
slot_of(const struct machine *machine, const struct lane *lane)
{
	return deal_keys_slot(
	    remote_worker_dispatcher(machine->worker)->rules.deal_keys,
	    lane->spec.keys - 1);
}

static void
end_game(struct machine *machine, struct lane *lane)
{
	struct game_result result = {
		.keys = lane->spec.keys,
		.fault_entrant = -1,
		.fault.seat = -1,
	};
	char record[FLEET_RECORD_SIZE];
	struct fleet_keys keys;
	size_t size;

	fleet_keys_of_slot(&keys, slot_of(machine, lane), &lane->spec);
	size = fleet_game_play(&lane->spec, &keys,
	    machine->alters && splitmix_unit(&machine->random) < 0.05,
	    &result.summary, record);
	if (machine->forges && splitmix_unit(&machine->random) < 0.2)
		record[size / 2] ^= 1;
	lane->busy = false;
	machine->waiting = false;
	remote_worker_calls.on_result(
	    &machine->dispatcher, machine->worker, &result, record, size);
}

static void
start(struct machine *machine)
{
	struct fleet_machine *fleet = machine->fleet;

	machine->life++;
	machine->waiting = machine->all_given = machine->ended = false;
	machine->order = STOP_FINISH;
	memset(machine->lanes, 0, sizeof(machine->lanes));
	FLEET_MUST(remote_worker_open(&machine->worker, &machine->config,
		       &fleet->worker_play) == 0);
	plan_for(machine, FLEET_TICK,
	    (int64_t)(splitmix_unit(&machine->random) * (double)TICK_NS));
	plan_chance(machine, FLEET_CRASH, fleet->plan->crash_s);
	plan_chance(machine, FLEET_FREEZE, fleet->plan->freeze_s);
	plan_chance(machine, FLEET_CUT, fleet->plan->cut_s);
}

static struct remote_worker_outcome
close_worker(struct machine *machine)
{
	struct remote_worker_outcome outcome =
	    remote_worker_close(machine->worker,
		(struct dispatcher_outcome){ .end = DISPATCHER_DONE });

	skew_ns = 0;
	machine->worker = NULL;
	machine->life++;
	return outcome;
}

/* Ends a worker whose dispatcher has ended, and restarts it if it is idle. */
static void
end_worker(struct machine *machine)
{
	struct remote_worker_outcome outcome = close_worker(machine);

	switch (outcome.end) {
	case REMOTE_WORKER_IDLE:
		plan_for(machine, FLEET_START, FLEET_S);
		break;
	case REMOTE_WORKER_OVER:
	case REMOTE_WORKER_REFUSED:
		fleet_log("%s ends: %d %s", machine->name, (int)outcome.end,
		    outcome.error.what);
		machine->retired = true;
		break;
	case REMOTE_WORKER_STOPPED:
	case REMOTE_WORKER_UNFIT:
	case REMOTE_WORKER_FAILED:
		fleet_fail("%s ends: %d %s", machine->name, (int)outcome.end,
		    outcome.error.what);
	}
}

/* Called after each call of the worker, which may have ended or need games. */
static void
continue_worker(struct machine *machine)
{
	supply(machine);
	if (machine->ended &&
	    (machine->order != STOP_FINISH || !is_busy(machine)))
		end_worker(machine);
	else if (machine->all_given && !is_busy(machine))
		end_worker(machine);
}

/* The machine crashes: the server is not notified. */
static void
crash(struct machine *machine)
{
	machine->fleet->counts->crashes++;
	machine->dying = true;
	close_worker(machine);
	machine->dying = false;
	plan_for(
	    machine, FLEET_START, ns_of(exponential(&machine->random, DOWN_S)));
}

static void
freeze(struct machine *machine)
{
	int64_t ns = ns_of((FREEZE_S + exponential(&machine->random, 30)));

	machine->fleet->counts->freezes++;
	machine->frozen_until_ns = machine->fleet->settings->now_ns + ns;
	for (int i = 0; i < machine->fleet->plan->lanes; i++)
		machine->lanes[i].end_ns += ns;
	plan_chance(machine, FLEET_FREEZE, machine->fleet->plan->freeze_s);
}

static void
cut(struct machine *machine)
{
	double seconds = exponential(&machine->random, 40);

	machine->fleet->counts->cuts++;
	machine->cut_until_ns =
	    machine->fleet->settings->now_ns + ns_of(seconds);
	plan_chance(machine, FLEET_CUT, machine->fleet->plan->cut_s);
}

static void
tick(struct machine *machine)
{
	for (int i = 0; i < machine->fleet->plan->lanes; i++) {
		const struct lane *lane = &machine->lanes[i];

		if (lane->busy && !lane->hangs)
			atomic_fetch_add(&slot_of(machine, lane)->progress, 1);
	}
	plan_for(machine, FLEET_TICK, TICK_NS);
	remote_worker_calls.on_tick(&machine->dispatcher, machine->worker);
	continue_worker(machine);
}

/* --- the whole fleet */

static void
restart_server(struct fleet_machine *fleet)
{
	int64_t now = fleet->settings->now_ns;

	fleet->counts->restarts++;
	fleet->server_until_ns = now + ns_of(RESTART_S);
	plan_event(fleet,
	    (struct fleet_event){ now +
		    ns_of(exponential(&fleet->random, fleet->plan->restart_s)),
		0, 0, 0, FLEET_RESTART });
}

/* The organiser resumes the run after a pause of a block. */
static void
resume(struct fleet_machine *fleet)
{
	struct queue_run run = *fleet->run;
	struct store_error error;

	if (fleet->resume_ns != 0 &&
	    fleet->resume_ns <= fleet->settings->now_ns &&
	    fleet->organiser->calls->run_begin(
		fleet->organiser, &run, &error) == QUEUE_DONE)
		fleet->resume_ns = 0;
}

void
fleet_machine_pause(struct fleet_machine *fleet)
{
	fleet->counts->pauses++;
	if (fleet->resume_ns == 0)
		fleet->resume_ns = fleet->settings->now_ns + PAUSE_S * FLEET_S;
}

/* Adds the games that the running workers can play in the next interval. */
static void
measure(struct fleet_machine *fleet)
{
	const struct fleet_plan *plan = fleet->plan;
	struct fleet_counts *counts = fleet->counts;
	int64_t now = fleet->settings->now_ns;
	int64_t finished = queue_memory_counts(fleet->memory)->finished;
	double lanes = 0;

	for (int i = 0; i < plan->worker_count; i++) {
		const struct machine *machine = &fleet->machines[i];

		if (machine->worker != NULL &&
		    machine->frozen_until_ns <= now &&
		    machine->cut_until_ns <= now)
			lanes += machine->speed * plan->lanes;
	}
	if (finished >= plan->rounds / 10 && finished < plan->rounds * 8 / 10) {
		if (counts->steady_games <= 0)
			fleet->steady_begin = finished;
		counts->steady_games =
		    2 * (double)(finished - fleet->steady_begin) + 1;
		if (fleet->server_until_ns <= now)
			counts->steady_capacity += lanes * (double)LOOK_NS /
			    (double)FLEET_S / plan->game_s;
	}
	counts->end_ns = now;
	resume(fleet);
	plan_event(
	    fleet, (struct fleet_event){ now + LOOK_NS, 0, 0, 0, FLEET_LOOK });
}

/* An event of one worker. */
static void
handle_worker_event(struct machine *machine, const struct fleet_event *event)
{
	struct lane *lane = &machine->lanes[event->lane];
	int64_t frozen_ns =
	    machine->frozen_until_ns - machine->fleet->settings->now_ns;

	if (event->kind == FLEET_START) {
		if (machine->worker == NULL && !machine->retired)
			start(machine);
		return;
	}
	if (machine->worker == NULL || machine->life != event->life)
		return;
	if (frozen_ns > 0 && event->kind != FLEET_CRASH) {
		struct fleet_event later = *event;

		later.ns += frozen_ns;
		plan_event(machine->fleet, later);
		return;
	}
	switch (event->kind) {
	case FLEET_TICK:
		tick(machine);
		break;
	case FLEET_GAME:
		if (lane->end_ns > event->ns) {
			await_game(machine, event->lane);
			return;
		}
		end_game(machine, lane);
		continue_worker(machine);
		break;
	case FLEET_CRASH:
		crash(machine);
		break;
	case FLEET_FREEZE:
		freeze(machine);
		break;
	case FLEET_CUT:
		cut(machine);
		break;
	case FLEET_START:
	case FLEET_RESTART:
	case FLEET_LOOK:
		break;
	}
}

/*
 * Advances the clock to this time, or until shortly after a result has arrived.
 * Returns true if a result has.
 */
static bool
advance(struct fleet_machine *fleet, int64_t until_ns)
{
	const struct queue_memory_counts *counts =
	    queue_memory_counts(fleet->memory);
	int64_t finished = counts->finished;

	while (fleet->event_count > 0 && fleet->events[0].ns <= until_ns) {
		struct fleet_event event = remove_first_event(fleet);

		fleet->settings->now_ns = event.ns;
		if (event.kind == FLEET_RESTART)
			restart_server(fleet);
		else if (event.kind == FLEET_LOOK)
			measure(fleet);
		else
			handle_worker_event(
			    &fleet->machines[event.worker], &event);
		if (counts->finished != finished &&
		    until_ns > fleet->settings->now_ns + LATENCY_NS)
			until_ns = fleet->settings->now_ns + LATENCY_NS;
	}
	fleet->settings->now_ns = until_ns;
	return counts->finished != finished;
}

int
__wrap_ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
    const sigset_t *mask)
{
	(void)fds, (void)count, (void)mask;
	advance(running_fleet,
	    running_fleet->settings->now_ns + timeout->tv_sec * FLEET_S +
		timeout->tv_nsec);
	return 0;
}

static struct machine *
machine_of(struct fleet_machine *fleet, const char *name)
{
	return &fleet->machines[strtol(name + 1, NULL, 10)];
}

static bool
on_wait(void *context, const char *worker, int64_t timeout_ns)
{
	struct fleet_machine *fleet = context;
	const struct queue_memory_counts *counts =
	    queue_memory_counts(fleet->memory);
	struct machine *machine;
	bool news;

	if (worker == NULL)
		return advance(fleet, fleet->settings->now_ns + timeout_ns);
	skew_ns += timeout_ns;
	machine = machine_of(fleet, worker);
	news = machine->notified != counts->calls[QUEUE_MEMORY_PUT];
	machine->notified = counts->calls[QUEUE_MEMORY_PUT];
	return news;
}

static enum queue_memory_fault
on_call(void *context, const char *worker, enum queue_memory_call call)
{
	struct fleet_machine *fleet = context;
	int64_t now = fleet->settings->now_ns;

	(void)call;
	if (fleet->server_until_ns > now)
		return QUEUE_MEMORY_BEFORE;
	if (worker != NULL) {
		const struct machine *machine = machine_of(fleet, worker);

		if (machine->dying || machine->cut_until_ns > now)
			return QUEUE_MEMORY_BEFORE;
	}
	return splitmix_unit(&fleet->random) < fleet->plan->lost_rate
	    ? QUEUE_MEMORY_AFTER
	    : QUEUE_MEMORY_FINE;
}

static void
enrol(struct fleet_machine *fleet, struct machine *machine, int number)
{
	const struct fleet_plan *plan = fleet->plan;
	struct queue *organiser = fleet->organiser;
	struct store_error error;
	unsigned char seed[crypto_sign_SEEDBYTES];
	double forgers = plan->forger_rate * plan->worker_count;

	machine->dispatcher =
	    (struct dispatcher){ lanes_end, lanes_supply_again };
	machine->fleet = fleet;
	machine->number = number;
	snprintf(machine->name, sizeof(machine->name), "w%d", number);
	machine->random = plan->seed * 1000003 + (uint64_t)number;
	machine->speed =
	    splitmix_unit(&machine->random) < plan->slow_rate ? 0.25 : 1;
	machine->forges = number % 10 == 9 && number / 10 < forgers;
	machine->alters = number % 10 == 8 &&
	    number / 10 < (int)(plan->liar_rate * plan->worker_count);
	for (size_t i = 0; i < sizeof(seed); i++)
		seed[i] = (uint8_t)splitmix_next(&machine->random);
	crypto_sign_seed_keypair(
	    machine->key.public, machine->key.secret, seed);
	machine->self.trusted = number % 10 == 0;
	strcpy(machine->self.name, machine->name);
	memcpy(
	    machine->self.key, machine->key.public, sizeof(machine->self.key));
	FLEET_MUST(organiser->calls->worker_set(
		       organiser, &machine->self, NULL, &error) == QUEUE_DONE);
	strcpy(machine->self.engine, fleet->run->engine);
	machine->self.cores = plan->lanes;
	machine->self.speed = machine->speed;
	machine->queue = queue_memory_connect(fleet->memory, machine->name);
	machine->config = (struct remote_worker_config){
		.queue = machine->queue,
		.run = fleet->run,
		.self = &machine->self,
		.key = &machine->key,
		.now_ns = now_ns,
		.speaker = { on_message, machine },
	};
}

struct fleet_machine *
fleet_machine_open(const struct fleet_plan *plan,
    const struct dispatcher_config *config, const struct queue_run *run,
    struct fleet_counts *counts)
{
	struct fleet_machine *fleet = calloc(1, sizeof(*fleet));

	FLEET_MUST(fleet != NULL);
	*fleet = (struct fleet_machine){
		.plan = plan,
		.worker_play = *config,
		.run = run,
		.counts = counts,
		.memory = queue_memory_open(),
		.machines =
		    calloc((size_t)plan->worker_count, sizeof(struct machine)),
		.random = plan->seed,
	};
	FLEET_MUST(fleet->machines != NULL);
	fleet->settings = queue_memory_settings(fleet->memory);
	memset(&fleet->worker_play.rules.root_key, 0xee,
	    sizeof(fleet->worker_play.rules.root_key));
	fleet->worker_play.concurrency = plan->lanes;
	fleet->organiser = queue_memory_connect(fleet->memory, NULL);
	running_fleet = fleet;
	for (int i = 0; i < plan->worker_count; i++) {
		enrol(fleet, &fleet->machines[i], i);
		/* The workers start within the first minute. */
		plan_for(&fleet->machines[i], FLEET_START,
		    ns_of(splitmix_unit(&fleet->random) * 60));
	}
	fleet->settings->fault = on_call;
	fleet->settings->wait = on_wait;
	fleet->settings->context = fleet;
	plan_event(fleet, (struct fleet_event){ .kind = FLEET_LOOK });
	if (plan->restart_s > 0)
		plan_event(fleet,
		    (struct fleet_event){
			ns_of(exponential(&fleet->random, plan->restart_s)), 0,
			0, 0, FLEET_RESTART });
	return fleet;
}

struct queue_memory *
fleet_machine_memory(struct fleet_machine *machine)
{
	return machine->memory;
}

static void
on_worker(void *context, const struct queue_worker *worker)
{
	struct fleet_machine *fleet = context;
	const struct machine *machine = machine_of(fleet, worker->name);

	if (!worker->quarantined)
		return;
	fleet->counts->quarantined++;
	fleet->counts->liars_quarantined += machine->alters;
	fleet->counts->honest_quarantined +=
	    !machine->alters && !machine->forges;
}

void
fleet_machine_look(struct fleet_machine *fleet)
{
	struct store_error error;

	fleet->settings->fault = NULL;
	fleet->organiser->calls->workers(
	    fleet->organiser, 0, on_worker, fleet, &error);
	fleet->settings->fault = on_call;
}

void
fleet_machine_close(struct fleet_machine *fleet)
{
	for (int i = 0; i < fleet->plan->worker_count; i++) {
		struct machine *machine = &fleet->machines[i];

		machine->dying = true;
		if (machine->worker != NULL)
			close_worker(machine);
	}
	queue_memory_close(fleet->memory);
	running_fleet = NULL;
	free(fleet->machines);
	free(fleet->events);
	free(fleet);
}
