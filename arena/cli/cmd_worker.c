/*
 * The command worker: plays blocks for runs of other machines.
 *
 * It serves one run after the other: it connects, says who it is, takes the
 * first open run that it can play, and plays blocks of it until there are none.
 * Only this process talks to the server; bots never do.
 *
 * If the server cannot be reached, the worker waits.  An error that waiting
 * does not mend, such as a key that is not enrolled, ends it.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "cmd_bench.h"
#include "command.h"
#include "game_options.h"
#include "log.h"
#include "machine.h"
#include "remote_worker.h"
#include "run.h"
#include "run_remote.h"
#include "signing.h"
#include "text_format.h"
#include "user.h"
#include "version.h"
#include "words.h"

enum {
	NOTES_MAX = 64,
	IDLE_S = 10, /* without a block, until it looks for other runs */
	/* Until it tries the same run again, if the queue does not wake it. */
	IDLE_AGAIN_S = 120,
	PUT_OFF_S = 300, /* until it tries a run again that it cannot play */
	FOREVER_S = INT32_MAX,
	RETRY_MAX_S = 60,
	CLOCK_AHEAD_S = 60, /* a greater difference of clocks is logged */
	STOP_GRACE_MAX = 86400
};

/* How long the speed of a core is measured, in seconds of CPU time. */
#define SPEED_S 0.5

struct worker_settings {
	const char *store, *name, *labels, *key, *cache;
	int64_t cores, run_as, stop_grace;
	int sandbox; /* enum game_sandbox */
	bool once, quiet;
};

/* What the worker remembers of a run. */
struct run_note {
	char uid[JOB_RUN_ID_SIZE];
	char why[STORE_TEXT_SIZE]; /* was logged, and is not logged again */
	int64_t until_ns;          /* the run is not tried before this time */
	int64_t idle_ns; /* when it had no block for this worker; 0: never */
};

struct serving {
	const struct worker_settings *settings;
	char key_path[PATH_MAX], cache[PATH_MAX];
	struct signing_key key;
	struct queue_worker self;
	struct queue *queue;
	bool away; /* the last call did not reach the server */
	bool clock_logged;
	int64_t retry_s; /* the next wait of back_off() */
	struct run_note notes[NOTES_MAX];
	int note_count;

	/* The run to play next; its spec is owned.  Empty uid: none. */
	struct queue_run run;
	int64_t run_idle_ns; /* of its note */
	/* of the last call for its files */
	enum queue_status fetched;
	struct store_error fetch_error;
	bool idle;      /* it was logged that no run is open */
	bool refused;   /* a run could not be played on this machine */
	int64_t blocks; /* of all runs, whose results are in the queue */
};

/*
 * Signals.  While a dispatcher runs, it catches them itself.
 */

static volatile sig_atomic_t stop_signal; /* 0: none */
static int stop_fd = -1;                  /* readable after a signal */

static void
on_stop(int number)
{
	const uint64_t one = 1;
	int error = errno;
	ssize_t put;

	stop_signal = number;
	put = write(stop_fd, &one, sizeof(one));
	(void)put;
	errno = error;
}

static enum status
catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_stop };

	stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stop_fd < 0 || sigaction(SIGINT, &action, NULL) < 0 ||
	    sigaction(SIGTERM, &action, NULL) < 0)
		return game_setup_error(-errno);
	return STATUS_DONE;
}

/* Logs a sentence of the remote worker. */
static void
say(void *context, bool urgent, const char *sentence)
{
	(void)context;
	log_print(urgent ? LOG_WARN : LOG_INFO, "%s", sentence);
}

/*
 * Set-up: folders, key, speed.
 */

/* Joins HOME and the name; false: HOME is not set or too long. */
static bool
home_path(char path[PATH_MAX], const char *name)
{
	const char *home = getenv("HOME");

	return home != NULL && home[0] == '/' &&
	    snprintf(path, PATH_MAX, "%s/%s", home, name) < PATH_MAX;
}

static enum status
find_paths(struct serving *serving)
{
	const struct worker_settings *settings = serving->settings;
	int error;

	if (settings->key != NULL)
		snprintf(serving->key_path, PATH_MAX, "%s", settings->key);
	else if (!home_path(
		     serving->key_path, ".config/" VERSION_NAME "/worker.key"))
		return error_usage(NULL, "HOME is not set: give --key FILE");
	if (settings->cache != NULL)
		snprintf(serving->cache, PATH_MAX, "%s", settings->cache);
	else if (!home_path(serving->cache, ".cache/" VERSION_NAME "/worker"))
		return error_usage(NULL, "HOME is not set: give --cache DIR");
	error = run_make_parents(serving->key_path);
	/* Without --store the key is only shown: the cache is not needed. */
	if (!error && settings->store != NULL)
		error = run_make_parents(serving->cache);
	if (!error && settings->store != NULL &&
	    mkdir(serving->cache, 0755) < 0 && errno != EEXIST)
		error = -errno;
	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the folders of %s and %s cannot be made: %s",
		    serving->key_path, serving->cache, strerror(-error));
	return STATUS_DONE;
}

static enum status
open_key(struct serving *serving)
{
	int error = signing_key_open(&serving->key, serving->key_path);

	if (error == 0) {
		memcpy(serving->self.key, serving->key.public,
		    sizeof(serving->self.key));
		return STATUS_DONE;
	}
	if (error == -EPERM)
		return error_usage("chmod 600 it, and have a new key enrolled "
				   "if somebody may have read it",
		    "others can read or change the key %s", serving->key_path);
	if (error == -EBADMSG)
		return error_usage("a key file is made by the first start of a "
				   "worker",
		    "%s is not the key of a worker", serving->key_path);
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "the key %s cannot be opened: %s", serving->key_path,
	    strerror(-error));
}

/*
 * Appends the command by which the organiser enrols this worker.
 */
static void
format_enroll(const struct serving *serving, struct scopa_text *text)
{
	scopa_text_string(text, VERSION_NAME " workers enroll ");
	scopa_text_string(text, serving->self.name);
	scopa_text_string(text, " --key ");
	hex_encode(serving->key.public, sizeof(serving->key.public), text);
	scopa_text_string(text, " --store URL");
}

/* Sets the name: --name, or the first allowed characters of the host name. */
static void
make_name(struct serving *serving)
{
	char *name = serving->self.name;
	size_t length = 0;

	if (gethostname(serving->self.host, QUEUE_NAME_SIZE) < 0)
		serving->self.host[0] = '\0';
	serving->self.host[QUEUE_NAME_SIZE - 1] = '\0';
	if (serving->settings->name != NULL) {
		snprintf(name, QUEUE_NAME_SIZE, "%s", serving->settings->name);
		return;
	}
	for (const char *at = serving->self.host;
	     *at != '\0' && *at != '.' && length < QUEUE_WORKER_MAX; at++) {
		char byte = (char)tolower((unsigned char)*at);

		if (isalpha((unsigned char)byte) ||
		    (length > 0 &&
			(isdigit((unsigned char)byte) || byte == '-')))
			name[length++] = byte;
	}
	name[length] = '\0';
	if (length == 0 || strcmp(name, "worker") == 0)
		snprintf(name, QUEUE_NAME_SIZE, "machine");
}

/*
 * Returns the speed of a core: from the cache, or measured and then written to
 * the cache.  If that fails, the next start measures again.  Always the same
 * search is measured, so the speed depends only on the program and on the
 * machine; machines may share a cache.
 */
static double
find_speed(const struct serving *serving)
{
	char path[PATH_MAX + 16], engine[sizeof(serving->self.engine)];
	char host[QUEUE_NAME_SIZE];
	double speed = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/speed", serving->cache);
	file = fopen(path, "re");
	if (file != NULL) {
		bool found = fscanf(file, "scopa-speed 2 %lf %63s %127[^\n]",
				 &speed, host, engine) == 3 &&
		    strcmp(host, serving->self.host) == 0 &&
		    strcmp(engine, engine_id()) == 0 && isfinite(speed) &&
		    speed > 0;

		fclose(file);
		if (found)
			return speed;
	}
	speed = bench_core_speed(SPEED_S);
	file = fopen(path, "we");
	if (file != NULL) {
		fprintf(file, "scopa-speed 2 %.3f %s %s\n", speed,
		    serving->self.host, engine_id());
		fclose(file);
	}
	return speed;
}

static enum status
describe_self(struct serving *serving)
{
	const struct worker_settings *settings = serving->settings;
	struct queue_worker *self = &serving->self;
	char role[QUEUE_NAME_SIZE];
	struct cores cores;
	enum status status = queue_labels_check(settings->labels);
	int error = cores_allowed(&cores);

	if (status != STATUS_DONE)
		return status;
	if (error)
		return game_setup_error(error);
	make_name(serving);
	if (!queue_role(self->name, role))
		return error_usage(QUEUE_NAME_RULE,
		    "--name %s: this is no name of a worker", self->name);
	if (settings->cores > cores.count)
		return error_usage(NULL,
		    "--cores %d: this machine allows %d cores",
		    (int)settings->cores, cores.count);
	self->cores = settings->cores > 0 ? (int)settings->cores
					  : machine_cores("", &cores);
	snprintf(self->engine, sizeof(self->engine), "%s", engine_id());
	if (settings->labels != NULL)
		snprintf(
		    self->labels, sizeof(self->labels), "%s", settings->labels);
	return STATUS_DONE;
}

/*
 * The server.
 */

/* Waits before the next call of the server, longer each time. */
static void
back_off(struct serving *serving, const struct store_error *error)
{
	int64_t wait_s;

	if (!serving->away) {
		log_print(LOG_WARN, "%s; trying again", error->what);
		serving->retry_s = 1;
	}
	serving->away = true;
	/* The wait depends on the key, so that workers do not call together. */
	wait_s = serving->retry_s;
	wait_s += wait_s * serving->key.public[wait_s % SIGNING_PUBLIC_SIZE] /
	    (2 * UINT8_MAX);
	(void)poll(&(struct pollfd){ .fd = stop_fd, .events = POLLIN }, 1,
	    (int)(wait_s * 1000));
	serving->retry_s *= 2;
	if (serving->retry_s > RETRY_MAX_S)
		serving->retry_s = RETRY_MAX_S;
}

/* Opens the queue.  Without --once it waits for the server. */
static enum status
connect_queue(struct serving *serving)
{
	const struct worker_settings *settings = serving->settings;
	struct store_error error = { .what = "" };
	int status;

	while ((status = queue_postgres_open(&serving->queue, settings->store,
		    true, &error)) == -ECONNREFUSED &&
	    !settings->once && stop_signal == 0)
		back_off(serving, &error);
	if (status == 0)
		return STATUS_DONE;
	if (stop_signal != 0)
		return (enum status)(128 + stop_signal);
	return queue_error(&error, queue_failure_status(status));
}

/* Prints why the queue refuses this worker. */
static enum status
refusal_error(const struct serving *serving, const struct store_error *error)
{
	struct scopa_text text = SCOPA_TEXT(STORE_ERROR_SIZE);

	/* The queue gives a hint if enrolling does not help. */
	if (error->hint[0] != '\0')
		return queue_error(error, STATUS_USAGE);
	format_enroll(serving, &text);
	return error_status(STATUS_USAGE,
	    "the organiser enrols a worker by its key", text.bytes, "%s",
	    error->what);
}

/*
 * Judges the result of calls of the queue.  Returns STATUS_DONE: they
 * succeeded, or can be tried again (it has waited); another status: the worker
 * ends.
 */
static enum status
judge_calls(struct serving *serving, enum queue_status status,
    const struct store_error *error)
{
	switch (status) {
	case QUEUE_DONE:
	case QUEUE_FENCED:
		if (serving->away)
			log_print(LOG_WARN, "the server is back");
		serving->away = false;
		return STATUS_DONE;
	case QUEUE_AWAY:
		if (serving->settings->once)
			return queue_error(error, STATUS_ENVIRONMENT);
		back_off(serving, error);
		return STATUS_DONE;
	case QUEUE_REFUSED:
		return refusal_error(serving, error);
	}
	return STATUS_DONE;
}

static enum queue_status
say_hello(struct serving *serving, struct store_error *error)
{
	enum queue_status status = serving->queue->calls->hello(
	    serving->queue, &serving->self, clock_wall_ns(), error);
	double ahead_s = serving->self.clock_ahead_s;

	if (status == QUEUE_DONE && fabs(ahead_s) > CLOCK_AHEAD_S &&
	    !serving->clock_logged)
		log_print(LOG_WARN,
		    "the clock of this machine is %.0f s %s that of the "
		    "server; nothing depends on it but `utc=` in records",
		    fabs(ahead_s), ahead_s > 0 ? "ahead of" : "behind");
	serving->clock_logged |= status == QUEUE_DONE;
	return status;
}

/*
 * The runs.
 */

/* Returns the note of a run, or NULL. */
static struct run_note *
note_find(struct serving *serving, const struct queue_run *run)
{
	for (int i = 0; i < serving->note_count; i++)
		if (strcmp(serving->notes[i].uid, run->uid) == 0)
			return &serving->notes[i];
	return NULL;
}

/* Returns the note of a run, a new one if needed. */
static struct run_note *
note_get(struct serving *serving, const struct queue_run *run)
{
	struct run_note *notes = serving->notes;
	struct run_note *note = note_find(serving, run);

	if (note != NULL)
		return note;
	/* The oldest note is dropped: its text may be logged again. */
	if (serving->note_count == NOTES_MAX)
		memmove(notes, notes + 1,
		    (size_t)--serving->note_count * sizeof(*notes));
	notes += serving->note_count++;
	*notes = (struct run_note){ .why = "" };
	snprintf(notes->uid, sizeof(notes->uid), "%s", run->uid);
	return notes;
}

/* Logs why a run is not played, unless it was logged before. */
static void
say_refusal(
    struct serving *serving, const struct queue_run *run, const char *why)
{
	struct run_note *note = note_get(serving, run);

	if (strcmp(note->why, why) != 0)
		log_print(LOG_WARN, "run \"%s\" is not played here: %s",
		    run->name, why);
	snprintf(note->why, sizeof(note->why), "%s", why);
}

/* The run is not tried again for this time. */
static void
put_off(struct serving *serving, int64_t seconds)
{
	note_get(serving, &serving->run)->until_ns =
	    clock_now_ns() + seconds * CLOCK_NS_PER_S;
}

/* Logs why the run cannot be played, and tries it later. */
static void
refuse_run(struct serving *serving, const char *why)
{
	serving->refused = true;
	say_refusal(serving, &serving->run, why);
	put_off(serving, PUT_OFF_S);
}

/*
 * Takes the first run that can be played.  Runs without a block for this worker
 * come last, in the order in which they were tried.
 */
static void
choose_run(void *context, const struct queue_run *run, const char *refusal)
{
	struct serving *serving = context;
	const struct run_note *note = note_find(serving, run);
	int64_t idle_ns = note != NULL ? note->idle_ns : 0;
	char *spec;

	if (refusal != NULL) {
		say_refusal(serving, run, refusal);
		return;
	}
	if (note != NULL && note->until_ns > clock_now_ns())
		return;
	if (serving->run.uid[0] != '\0' && serving->run_idle_ns <= idle_ns)
		return;
	spec = strdup(run->spec);
	if (spec == NULL)
		return;
	free((char *)(uintptr_t)serving->run.spec);
	serving->run = *run;
	serving->run.spec = spec;
	serving->run_idle_ns = idle_ns;
}

static int
fetch_bundle(void *context, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct bundle *bundle, struct store_error *error)
{
	struct serving *serving = context;

	serving->fetched = serving->queue->calls->bundle_get(
	    serving->queue, serving->run.id, digest, bundle, error);
	serving->fetch_error = *error;
	if (serving->fetched == QUEUE_DONE)
		return 0;
	return serving->fetched == QUEUE_REFUSED ? -EACCES : -EAGAIN;
}

/* Jobs may have been put: all runs that had none are tried again. */
static void
retry_idle(struct serving *serving)
{
	for (int i = 0; i < serving->note_count; i++)
		if (serving->notes[i].idle_ns > 0)
			serving->notes[i].idle_ns = 1;
}

/* Handles the end of a run.  Returns STATUS_DONE: the worker goes on. */
static enum status
judge_outcome(
    struct serving *serving, const struct remote_worker_outcome *outcome)
{
	serving->blocks += outcome->blocks;
	if (outcome->blocks > 0)
		log_print(LOG_INFO, "run \"%s\": %jd block%s played here",
		    serving->run.name, outcome->blocks,
		    outcome->blocks == 1 ? " was" : "s were");
	/* Meanwhile it has heard nothing of the other runs. */
	if (outcome->notified || outcome->blocks > 0)
		retry_idle(serving);
	switch (outcome->end) {
	case REMOTE_WORKER_IDLE:
		note_get(serving, &serving->run)->idle_ns = clock_now_ns();
		if (serving->settings->once)
			put_off(serving, FOREVER_S);
		return STATUS_DONE;
	case REMOTE_WORKER_OVER:
		return STATUS_DONE;
	case REMOTE_WORKER_STOPPED:
		return (enum status)(128 + outcome->detail);
	case REMOTE_WORKER_REFUSED:
		/* The list of runs has the refusal as long as it lasts. */
		say_refusal(serving, &serving->run, outcome->error.what);
		put_off(serving, QUEUE_RENEW_S);
		return STATUS_DONE;
	case REMOTE_WORKER_UNFIT:
		refuse_run(serving, outcome->error.what);
		return STATUS_DONE;
	case REMOTE_WORKER_FAILED:
		return game_setup_error(outcome->detail);
	}
	return STATUS_DONE;
}

/* Starts each bot once, then plays blocks. */
static enum status
play_opened(struct serving *serving, const struct run_spec_opened *opened)
{
	const struct worker_settings *settings = serving->settings;
	const struct remote_worker_config config = {
		.queue = serving->queue,
		.run = &serving->run,
		.self = &serving->self,
		.key = &serving->key,
		.idle_ns = IDLE_S * CLOCK_NS_PER_S,
		.stop_grace_ns = settings->stop_grace * CLOCK_NS_PER_S,
		.now_ns = clock_now_ns,
		.stop_signal = &stop_signal,
		.speaker.say = say,
	};
	struct remote_worker_outcome outcome;
	enum status status = run_spec_preflight(opened, NULL);

	if (status == STATUS_DONE) {
		outcome = remote_worker_run(&config, &opened->play);
		return judge_outcome(serving, &outcome);
	}
	if (status > 128)
		return status;
	refuse_run(serving, "a bot cannot be started here, see above");
	return STATUS_DONE;
}

static enum status
play_run(struct serving *serving)
{
	const struct worker_settings *settings = serving->settings;
	const char *const hidden[] = { serving->key_path, NULL };
	const struct run_spec_machine machine = {
		.cache = serving->cache,
		.hidden = hidden,
		.cores = serving->self.cores,
		.sandbox = settings->sandbox,
		.run_as = settings->run_as,
		.speed = serving->self.speed,
		.quiet = settings->quiet,
		.fetch = fetch_bundle,
		.context = serving,
	};
	struct run_spec_opened *opened = calloc(1, sizeof(*opened));
	enum status status = STATUS_DONE;

	if (opened == NULL)
		return game_setup_error(-ENOMEM);
	if (serving->run_idle_ns == 0)
		log_print(LOG_INFO, "run \"%s\" is played on %d core%s",
		    serving->run.name, serving->self.cores,
		    text_plural(serving->self.cores));
	serving->fetched = QUEUE_DONE;
	if (run_spec_open(opened, serving->run.spec, &machine) == STATUS_DONE) {
		status = play_opened(serving, opened);
		run_spec_close(opened);
	} else if (serving->fetched == QUEUE_AWAY ||
	    serving->fetched == QUEUE_FENCED) {
		status = judge_calls(
		    serving, serving->fetched, &serving->fetch_error);
	} else {
		refuse_run(serving,
		    "its bots or its settings cannot be had here, see above");
	}
	free(opened);
	return status;
}

/* Serves runs until the worker is stopped or refused. */
static enum status
serve_runs(struct serving *serving)
{
	enum status status = STATUS_DONE;

	while (status == STATUS_DONE && stop_signal == 0) {
		struct queue *queue = serving->queue;
		struct store_error error = { .what = "" };
		enum queue_status called;

		serving->run.uid[0] = '\0';
		called = say_hello(serving, &error);
		if (called == QUEUE_DONE)
			called = queue->calls->runs(
			    queue, choose_run, serving, &error);
		status = judge_calls(serving, called, &error);
		if (status != STATUS_DONE || called != QUEUE_DONE)
			continue;
		if (serving->run.uid[0] != '\0' &&
		    (serving->run_idle_ns == 0 ||
			clock_now_ns() >= serving->run_idle_ns +
				IDLE_AGAIN_S * CLOCK_NS_PER_S)) {
			serving->idle = false;
			status = play_run(serving);
		} else if (serving->settings->once) {
			return serving->refused && serving->blocks == 0
			    ? STATUS_ENVIRONMENT
			    : STATUS_DONE;
		} else {
			if (!serving->idle)
				log_print(LOG_INFO, "no run needs this worker");
			serving->idle = true;
			if (queue->calls->wait(
				queue, QUEUE_RENEW_S * CLOCK_NS_PER_S, stop_fd))
				retry_idle(serving);
		}
	}
	return status;
}

/* The organiser would not see why a bot was killed here. */
static enum status
check_cpu_limit(void)
{
	int64_t limit_s = machine_cpu_limit_s();

	if (limit_s == 0)
		return STATUS_DONE;
	error_print("a process that has computed for %" PRId64 " s is killed "
		    "on this machine, and its bot would lose",
	    limit_s);
	error_detail("hint", "start the worker without ulimit -t");
	return STATUS_ENVIRONMENT;
}

static enum status
worker_run(const void *given, char **argv)
{
	static struct serving serving;
	struct scopa_text text = SCOPA_TEXT(STORE_ERROR_SIZE);
	enum status status;

	(void)argv;
	serving.settings = given;
	(void)log_open(NULL, serving.settings->quiet ? LOG_WARN : LOG_INFO);
	status = find_paths(&serving);
	if (status == STATUS_DONE)
		status = open_key(&serving);
	if (status != STATUS_DONE)
		return status;
	status = describe_self(&serving);
	if (status == STATUS_DONE)
		status = catch_signals();
	if (status == STATUS_DONE)
		status = check_cpu_limit();
	if (status == STATUS_DONE && serving.settings->store == NULL) {
		format_enroll(&serving, &text);
		printf("The key of this worker is in %s. The organiser of runs "
		       "enrols it by\n\n\t%s\n\nand gives you an address and a "
		       "password.\n",
		    serving.key_path, text.bytes);
	} else if (status == STATUS_DONE) {
		serving.self.speed = find_speed(&serving);
		status = connect_queue(&serving);
		if (status == STATUS_DONE) {
			status = serve_runs(&serving);
			serving.queue->calls->close(serving.queue);
		}
	}
	free((char *)(uintptr_t)serving.run.spec);
	signing_key_close(&serving.key);
	/* A signal is the usual end of a worker, and no failure. */
	return status > 128 ? STATUS_DONE : status;
}

#define FIELD(name) offsetof(struct worker_settings, name)

static const struct option options[] = {
	STORE_OPTION(FIELD(store)),
	TEXT_OPTION("name", "NAME", FIELD(name),
	    "The name under which the worker is enrolled. Without it: the name "
	    "of the machine."),
	INT_OPTION("cores", "N", FIELD(cores), 1, CORES_MAX,
	    "How many cores the worker uses. Without it: all that it may use, "
	    "or "
	    "as many as the CPU quota of its control group keeps busy.",
	    .unit = "cores"),
	TEXT_OPTION("labels", "NAME[,NAME...]", FIELD(labels),
	    "Properties of this machine, for runs that need them: gpu,avx2."),
	TEXT_OPTION("key", "FILE", FIELD(key),
	    "The file of the worker's key, which is created if it is missing. "
	    "Without it: ~/.config/" VERSION_NAME "/worker.key.",
	    .is_path = true),
	TEXT_OPTION("cache", "DIR", FIELD(cache),
	    "The folder for the bots of runs. Without it: "
	    "~/.cache/" VERSION_NAME "/worker.",
	    .is_path = true),
	NAME_OPTION("sandbox", "off|auto|require", FIELD(sandbox),
	    game_sandboxes,
	    "The sandbox for the bots of runs, which other people wrote. off: "
	    "they are not confined. auto: the best sandbox of this machine. "
	    "require: a sandbox in which all processes of a bot die with it; "
	    "if the machine has none, nothing is played.",
	    .fallback = "auto"),
	INT_OPTION("run-as", "UID", FIELD(run_as), 1, UID_POOL_FIRST_MAX,
	    "For root: each bot runs as a user of its own, with this user id "
	    "or one of the next ones."),
	INT_OPTION("stop-grace", "S", FIELD(stop_grace), 1, STOP_GRACE_MAX,
	    "The time from the first signal until running games are aborted "
	    "and their blocks given back.",
	    .fallback = "60", .unit = "seconds"),
	FLAG_OPTION("once", FIELD(once),
	    "End if no run has a block to play, or the server cannot be "
	    "reached."),
	FLAG_OPTION("quiet", FIELD(quiet), "Print only warnings."),
	OPTIONS_END,
};

const struct command command_worker = {
	.name = "worker",
	.sentence = "Plays blocks for runs of other machines.",
	.detail = "It claims blocks from a queue in a PostgreSQL database, "
		  "plays them with the bots that are sent with the run, and "
		  "sends the signed records back. After Ctrl-C it finishes the "
		  "games that have begun, and gives the other blocks back. If "
		  "a worker is lost, other workers play its blocks again.",
	.examples = { "worker",
	    "worker --store postgres://scopa_anna@db.example.org/scopa",
	    "worker --store postgres:///scopa --cores 2 --once" },
	.options = options,
	.settings_size = sizeof(struct worker_settings),
	.run = worker_run,
};
