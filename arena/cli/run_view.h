/*
 * The view of a run, from which reports and events are made, and the documents
 * about it.
 */
#ifndef RUN_VIEW_H
#define RUN_VIEW_H

#include "queue.h"
#include "report.h"
#include "run.h"
#include "tournament.h"
#include "tournament_setup.h"
#include "variates.h"

/*
 * It is made from the setup, the run and the tournament.  It must not move,
 * because `view` points into it.
 */
struct run_view {
	struct report_view view;
	const struct tournament_setup *setup;
	const struct run *run;
	const struct tournament *tournament;
	struct gate_verdict verdict;
	char rules[EVENT_SPEC_SIZE], shard[16];
	char time_control[EVENT_NAME_SIZE];
	char time_shown[EVENT_NAME_SIZE + 64 + QUEUE_LABELS_SIZE];
	char seed[SHUFFLE_HEX_SIZE];
	char chain[SHUFFLE_HEX_SIZE];
	char state[STORE_STATE_SIZE];
	int places[TOURNAMENT_BOTS_MAX];
	struct variates variates;
	struct worker_list workers;
	struct audit_history audits;
	bool full; /* the text report has all its tables */
};

/* Opens a view.  The three arguments must outlive it. */
void run_view_open(struct run_view *view, const struct tournament_setup *setup,
    const struct run *run, const struct tournament *tournament);
void run_view_close(struct run_view *view);

/* Reads again which workers play the run on other machines, if any. */
void run_view_look_for_workers(struct run_view *view);

/* Updates the hash chain of the results, and the seed if it may be shown. */
void run_view_reveal(struct run_view *view);

/* Updates the verdict and the places.  `ended`: no block follows. */
void run_view_update(struct run_view *view, bool ended);

/*
 * Computes the ratings, and the estimates without the luck of the deal.
 * Returns 0 or -ENOMEM.  If records cannot be read, there are no such
 * estimates, and *lost has the reason; otherwise lost->what is empty.
 */
int run_view_compute(struct run_view *view, struct store_error *lost);

/*
 * Prints the report: as text, as one JSON document, or only its verdict if
 * `quiet`.  Returns STATUS_DONE, or prints an error and returns
 * STATUS_ENVIRONMENT.
 */
enum status run_view_print(struct run_view *view, bool json, bool quiet);

/* Prints the next commands, as the end of the text report. */
void run_view_print_next(const struct run_view *view);

/* The forms of a document, as --format and the ends of file names have them. */
enum run_view_form {
	RUN_VIEW_AUTO,
	RUN_VIEW_HTML,
	RUN_VIEW_JSON,
	RUN_VIEW_MARKDOWN,
	RUN_VIEW_CSV
};

extern const char *const run_view_forms[];

/*
 * Returns the form by the end of a file name (or NULL); RUN_VIEW_AUTO: unknown.
 */
enum run_view_form run_view_form_of(const char *path);

/* A document about a run. */
struct run_document {
	enum run_view_form form;
	int table;              /* index of run_export_tables */
	int64_t game_bytes_max; /* of the records of shown games */
	char *bytes;            /* the document; the caller frees it */
	size_t size;
};

/*
 * Makes a document from a computed view.  The caller has set the first three
 * members.  Returns 0; or -errno, then `bytes` is NULL, and *why may have a
 * text.
 */
int run_view_document(struct run_view *view, struct run_document *document,
    struct store_error *why);

/*
 * Writes the report as one document; `path` NULL: to stdout.  `table` is an
 * index of run_export_tables.  Returns STATUS_DONE or prints an error.
 */
enum status run_view_write(struct run_view *view, enum run_view_form form,
    int table, const char *path);

/*
 * Writes the bytes of a document to a file, or to stdout if `path` is NULL.
 * Returns STATUS_DONE or prints an error.
 */
enum status document_write(const char *path, const char *bytes, size_t size);

#endif
