/*
 * The queue in the database that QUEUE_STORE names, which tests may empty: the
 * URL of the superuser of a server of their own (tests/e2e/postgres.bash).
 */
#ifndef DATABASE_H
#define DATABASE_H

#include "queue.h"

#define DATABASE_PASSWORD "secret/1"

/* An empty queue, and no roles of workers `anna`, `bruno` and `carla`. */
void database_reset(void);

/* Runs statements as the superuser. */
void database_run(const char *sql);

/* So much time of the server passes for what it has noted. */
void database_pass(int64_t ns);

/* The URL of a worker with the password above; NULL: of the superuser. */
const char *database_url(const char *worker);

/* Opens the queue as a worker, or NULL: as the organiser. */
struct queue *database_open(const char *worker);

/* Enrols a worker, whose key is its first letter. */
void database_enrol(struct queue *organiser, const char *worker, bool trusted);

#endif
