/*
 * The queue in a database that the tests may empty.  QUEUE_STORE has the URL of
 * the superuser of a server that only these tests use
 * (tests/e2e/postgres.bash).
 */
#ifndef DATABASE_H
#define DATABASE_H

#include "queue.h"

#define DATABASE_PASSWORD "secret/1"

/*
 * Empties the queue, and removes the roles of the workers `anna`, `bruno` and
 * `carla`.
 */
void database_reset(void);

/* Runs statements as the superuser. */
void database_run(const char *sql);

/* Moves all times that the server has stored into the past by this time. */
void database_pass(int64_t ns);

/* The URL of a worker with the password above, or of the superuser (NULL). */
const char *database_url(const char *worker);

/* Opens the queue as a worker, or NULL: as the organiser. */
struct queue *database_open(const char *worker);

/* Enrols a worker; each byte of its key is its first letter. */
void database_enrol(struct queue *organiser, const char *worker);

#endif
