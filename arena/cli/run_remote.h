/*
 * A run whose games are played on other machines: the queue, the spec and the
 * bundles that go there, the checks of what comes back, and the list of workers
 * in the run folder.
 *
 * The folder of such a run has two more files: `queue.txt`, by which its jobs
 * are found in the queue again, and `workers.tsv` (run_workers.h).
 */
#ifndef RUN_REMOTE_H
#define RUN_REMOTE_H

#include "command.h"
#include "coordinator.h"
#include "option.h"
#include "queue.h"
#include "run.h"
#include "run_spec.h"
#include "tournament_setup.h"

/*
 * The queue of commands that have --store.
 */

/* The row of --store.  `field` is the offset of a `const char *`. */
#define STORE_OPTION(field)                                              \
	TEXT_OPTION("store", "URL", field,                               \
	    "The database of the queue: postgres://USER@HOST/DATABASE. " \
	    "The password can be in the URL (after USER:), "             \
	    "in PGPASSWORD or in ~/.pgpass.")

/* Refuses labels that the queue cannot store; NULL: none. */
enum status queue_labels_check(const char *labels);

/*
 * Opens the queue with the rights of an organiser.  With `queue` NULL it
 * creates the queue instead.  Returns STATUS_DONE or prints an error.
 */
enum status queue_open(struct queue **queue, const char *url);

/* Prints why a call of the queue failed, and returns `status`. */
enum status queue_error(const struct store_error *error, enum status status);

/*
 * Returns the status for a queue that did not open; `failure` is -errno.
 * STATUS_USAGE: another start does not help.
 */
enum status queue_failure_status(int failure);

/*
 * The run.
 */

#define RUN_QUEUE "queue.txt"

/* It must not move between run_remote_start() and run_remote_close(). */
struct run_remote {
	struct queue *queue; /* NULL: the run is played on this machine */
	struct queue_run run;
	struct run_spec spec;
	struct result_checker *checker;
	struct coordinator_config config;
	struct run *folder; /* the run on this machine */
	struct salvage_blocks replaced;
	/* Numbers of live workers, for the progress line. */
	int worker_count, core_count;
	bool listed; /* the file of workers could be written */
	bool ended;  /* when the command began */
};

/*
 * Opens the queue of the settings, and refuses bots and options that other
 * machines cannot have.  Without --store this and all other functions do
 * nothing.  The same holds, after a warning, if the run has ended and its queue
 * does not open.  Returns STATUS_DONE, and the caller must close it; or prints
 * an error.
 */
enum status run_remote_open(struct run_remote *remote,
    const struct tournament_setup *setup, bool ended);
void run_remote_close(struct run_remote *remote);

/*
 * Makes the spec and the bundles, and starts each bot once from its bundle.
 * The bots must have their names.
 */
enum status run_remote_prepare(
    struct run_remote *remote, const struct tournament_setup *setup);

/*
 * Makes the configuration of the coordinator, before the run begins.  `speaker`
 * prints messages for the user.
 */
enum status run_remote_start(struct run_remote *remote,
    const struct tournament_setup *setup, struct run *run,
    struct speaker speaker);

/*
 * Takes a run out of the queue of this URL, because it goes on without the
 * queue: workers must not play for it.  Warns if that fails.  Does nothing if
 * the folder has no `queue.txt`.
 */
void run_remote_leave(const char *folder, const char *store);

/*
 * Tells the queue that the run is over, or that it waits to be resumed.  Prints
 * an error.
 */
void run_remote_end(struct run_remote *remote, bool over);

#endif
