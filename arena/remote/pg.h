/*
 * A connection to a PostgreSQL server by libpq, which is loaded when it is
 * first needed.
 *
 * A call waits up to PG_CALL_S for the next bytes of the server, and up to
 * PG_CALL_MAX_S in all; then the connection counts as lost.  The next call
 * connects again, so after QUEUE_AWAY the caller should wait before it.  Only
 * the look-up of a host name has no limit of our own.
 *
 * No message contains a password.
 */
#ifndef PG_H
#define PG_H

#include "queue.h"

#define PG_LIBRARY "libpq.so.5"

enum {
	PG_CALL_S = 30,
	PG_CALL_MAX_S = 120,
	PG_VALUES_MAX = 16 /* of one statement */
};

struct pg;
struct pg_rows; /* the rows that a statement has returned */

/* A statement with the values of its $1, $2, ... */
struct pg_call {
	const char *sql;
	int count;
	struct pg_value {
		unsigned type;
		size_t offset; /* in `bytes` */
		int size;      /* -1: null */
	} values[PG_VALUES_MAX];
	int elements; /* of an array, still to be appended */
	char *bytes;  /* owned until the statement is run */
	size_t size, room;
	bool failed; /* there was no memory */
};

enum pg_type {
	PG_BOOL = 16,
	PG_BYTES = 17,
	PG_INT = 20, /* int8 */
	PG_TEXT = 25,
	PG_REAL = 701 /* float8 */
};

/*
 * Connects.  `setup`, statements without values, is run after each connect.
 * Returns 0, or -errno with the error as queue_postgres_open() does; the caller
 * checks the version of the schema.
 */
int pg_open(struct pg **pg, const char *url, const char *setup,
    struct store_error *error);
void pg_close(struct pg *pg); /* NULL is allowed */

/* The -errno, as from pg_open(), of the last call that was refused or lost. */
int pg_failure(const struct pg *pg);

void pg_call_init(struct pg_call *call, const char *sql);

/* Append the value of the next parameter, or the next element of an array. */
void pg_call_int(struct pg_call *call, int64_t value);
void pg_call_real(struct pg_call *call, double value);
void pg_call_bool(struct pg_call *call, bool value);
void pg_call_bytes(struct pg_call *call, const void *bytes, size_t size);
void pg_call_text(struct pg_call *call, const char *text); /* NULL: null */

/* Begins an array; its `count` elements follow. */
void pg_call_array(struct pg_call *call, enum pg_type type, int count);

/*
 * Runs the statement, and releases the call.  `rows`, which may be NULL, gets
 * the rows, for pg_rows_close(): none unless the call was QUEUE_DONE.
 * QUEUE_FENCED: the statement raised the condition SC410.  Else the error says
 * why.
 */
enum queue_status pg_run(struct pg *pg, struct pg_call *call,
    struct pg_rows **rows, struct store_error *error);

/* The same for several statements without values: all or none is done. */
enum queue_status pg_script(
    struct pg *pg, const char *sql, struct store_error *error);

int pg_rows_count(const struct pg_rows *rows); /* NULL is allowed */
bool pg_rows_null(const struct pg_rows *rows, int row, int column);
/* For columns of type smallint, integer, bigint and boolean. */
int64_t pg_rows_int(const struct pg_rows *rows, int row, int column);
double pg_rows_real(const struct pg_rows *rows, int row, int column);
/* For columns of type text and bytea; a NUL follows; null is empty. */
const char *pg_rows_text(const struct pg_rows *rows, int row, int column);
size_t pg_rows_size(const struct pg_rows *rows, int row, int column);
void pg_rows_close(struct pg_rows *rows); /* NULL is allowed */

/*
 * Waits for a notification (true), for `fd` to be readable (-1: none), or for
 * the time to pass.
 */
bool pg_wait(struct pg *pg, int64_t timeout_ns, int fd);

/* Makes the hash of a password for the server (SCRAM), for free(). */
enum queue_status pg_password_hash(struct pg *pg, const char *password,
    const char *role, char **hash, struct store_error *error);

#endif
