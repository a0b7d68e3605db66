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

/* The row of --store; `field` is the offset of a const char pointer. */
#define STORE_OPTION(field)                                                  \
	TEXT_OPTION("store", "URL", field,                                   \
	    "The database of the queue: postgres://USER@HOST/DATABASE. "     \
	    "The password of the user may stand in the URL (behind USER:), " \
	    "in PGPASSWORD or in ~/.pgpass.")

/*
 * Opens the queue with the rights of an organiser; with `queue` NULL it makes
 * the queue instead.  STATUS_DONE, or another status with an error printed.
 */
enum status queue_open(struct queue **queue, const char *url);

/* Prints why a call of the queue failed, and returns `status`. */
enum status queue_error(const struct store_error *error, enum status status);

/*
 * The status of -errno of a queue that did not open: STATUS_USAGE if no further
 * start mends it.
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
	struct run *its; /* the run in its folder */
	struct salvage_blocks replaced;
	/* Of live workers, for the progress line. */
	int worker_count, core_count;
	bool listed; /* the file of workers can be written */
};

/*
 * Opens the queue that the settings name, and refuses bots and options that
 * other machines cannot have.  Without --store it does nothing, and so do the
 * other functions then.  Nor do they where the queue of a run that has ended
 * does not open, which is warned of.  STATUS_DONE, and the caller must close
 * it; or another status with an error printed.
 */
enum status run_remote_open(struct run_remote *remote,
    const struct tournament_setup *setup, bool ended);
void run_remote_close(struct run_remote *remote);

/*
 * Makes the spec and the bundles of bots that have their names, and starts each
 * bot once from its bundle.
 */
enum status run_remote_prepare(
    struct run_remote *remote, const struct tournament_setup *setup);

/*
 * Before the runner: makes the configuration of the coordinator.  `speaker`
 * says what users should know.
 */
enum status run_remote_start(struct run_remote *remote,
    const struct tournament_setup *setup, struct run *run,
    struct speaker speaker);

/*
 * A run that was played with the queue of this URL goes on without it: its rows
 * leave the queue, so that no worker plays for it in vain.  A warning says if
 * that fails.  Without `queue.txt` in the folder it does nothing.
 */
void run_remote_leave(const char *folder, const char *store);

/*
 * After the runner: the run is over, and its rows leave the queue, or it waits
 * to be resumed.  An error is printed.
 */
void run_remote_end(struct run_remote *remote, bool over);

#endif
