/*
 * Implements pg.h with the asynchronous functions of libpq: each step is a
 * poll(2) with a deadline.  Values and columns are binary: numbers in network
 * order, texts and bytes as they are, arrays as `array_recv` of PostgreSQL
 * reads them.
 *
 * Errors are recognised by their SQLSTATE, because the server may speak any
 * language.  If connecting fails, there is only libpq's text, which contains
 * the SQLSTATE if it is verbose.
 */
#include "pg.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "countof.h"

/* The functions of the library, without `PQ`. */
#define PQ_CALLS(CALL)                \
	CALL(clear)                   \
	CALL(connectPoll)             \
	CALL(connectionNeedsPassword) \
	CALL(connectStartParams)      \
	CALL(conninfoFree)            \
	CALL(conninfoParse)           \
	CALL(consumeInput)            \
	CALL(encryptPasswordConn)     \
	CALL(errorMessage)            \
	CALL(finish)                  \
	CALL(flush)                   \
	CALL(freemem)                 \
	CALL(getResult)               \
	CALL(getisnull)               \
	CALL(getlength)               \
	CALL(getvalue)                \
	CALL(isBusy)                  \
	CALL(notifies)                \
	CALL(ntuples)                 \
	CALL(resultErrorField)        \
	CALL(resultStatus)            \
	CALL(sendQuery)               \
	CALL(sendQueryParams)         \
	CALL(setErrorVerbosity)       \
	CALL(setNoticeReceiver)       \
	CALL(setnonblocking)          \
	CALL(socket)                  \
	CALL(status)

#define PQ_MEMBER(name) __typeof__(PQ##name) *(name);
#define PQ_NAME(name) "PQ" #name,

static struct {
	PQ_CALLS(PQ_MEMBER)
} pq;

static const char *const pq_names[] = { PQ_CALLS(PQ_NAME) };

enum { CODE_SIZE = 6, OPTIONS_MAX = 8 };

struct pg {
	PGconn *connection;           /* NULL: not connected */
	bool was_lost;                /* the connection, between two calls */
	char *url, *setup;            /* owned */
	int64_t deadline_ns, last_ns; /* of the call that is being made */
	int failure;                  /* -errno of the last call */
};

/* Loads the library, once.  False: it is not installed. */
static bool
library_load(void)
{
	static void *library;
	void *calls[COUNTOF(pq_names)];

	_Static_assert(sizeof(calls) == sizeof(pq), "a pointer a function");
	if (library != NULL)
		return true;
	library = dlopen(PG_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return false;
	for (size_t i = 0; i < COUNTOF(calls); i++) {
		calls[i] = dlsym(library, pq_names[i]);
		if (calls[i] == NULL) {
			dlclose(library);
			library = NULL;
			return false;
		}
	}
	memcpy(&pq, calls, sizeof(pq));
	return true;
}

/*
 * Errors.
 */

/* The meaning of a SQLSTATE, or of all that begin with these characters. */
static const struct code_row {
	const char *code;
	enum queue_status status;
	int error; /* the error of an attempt to connect */
	/* used instead of the server's words; NULL: these are used */
	const char *what;
	const char *hint;
} code_rows[] = {
	{ "SC410", QUEUE_FENCED, -ECONNREFUSED, NULL, NULL },
	{ "SC426", QUEUE_REFUSED, -EBADMSG, NULL, NULL },
	{ "SC", QUEUE_REFUSED, -EACCES, NULL, NULL },
	{ "28P01", QUEUE_REFUSED, -EACCES, NULL,
	    "the URL, PGPASSWORD or a password file (~/.pgpass) must have the "
	    "password of this user" },
	{ "28", QUEUE_REFUSED, -EACCES, NULL,
	    "the server does not let this user in: a worker that was "
	    "revoked cannot log in, nor can a user without a line in "
	    "pg_hba.conf" },
	{ "3D000", QUEUE_REFUSED, -EINVAL, NULL,
	    "the owner of the server makes a database with `createdb NAME`" },
	{ "3F000", QUEUE_REFUSED, -EBADMSG,
	    "this database has no queue of Scopa Arena", NULL },
	{ "42P01", QUEUE_REFUSED, -EBADMSG,
	    "this database has no queue of Scopa Arena", NULL },
	{ "42883", QUEUE_REFUSED, -EBADMSG,
	    "this database has no queue of Scopa Arena", NULL },
	{ "42501", QUEUE_REFUSED, -EACCES, NULL,
	    "the owner of the database makes the queue and enrols workers" },
	{ "53100", QUEUE_AWAY, -ECONNREFUSED,
	    "the disk of the database server is full",
	    "nothing is lost: this is tried again" },
	{ "08", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	/* Also a server that refuses writes because it is a standby. */
	{ "25", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "40", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "53", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "55", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "57", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "58", QUEUE_AWAY, -ECONNREFUSED, NULL, NULL },
	{ "", QUEUE_REFUSED, -EBADMSG, NULL,
	    "the log of the database server says more" },
};

static const struct code_row *
code_row_get(const char *code)
{
	const struct code_row *row = code_rows;

	while (strncmp(code, row->code, strlen(row->code)) != 0)
		row++;
	return row;
}

/* Copies words of the server or of libpq as one line. */
static void
line_copy(char *line, size_t size, const char *words, size_t length)
{
	size_t end = 0;

	while (length > 0 && isspace((unsigned char)words[length - 1]))
		length--;
	for (size_t i = 0; i < length && end + 1 < size; i++)
		if (words[i] == '\n' || words[i] == '\t') {
			if (end > 0 && line[end - 1] != ' ')
				line[end++] = ' ';
		} else {
			line[end++] = words[i];
		}
	line[end] = '\0';
}

static void
row_say(struct store_error *error, const struct code_row *row,
    const char *words, const char *hint)
{
	store_fail(
	    error, row->error, "", "%s", row->what != NULL ? row->what : "");
	if (row->what == NULL)
		line_copy(
		    error->what, sizeof(error->what), words, strlen(words));
	if (hint == NULL)
		hint = row->hint;
	if (hint != NULL)
		line_copy(error->hint, sizeof(error->hint), hint, strlen(hint));
	if (row->error == -EBADMSG && row->what != NULL)
		store_error_try(error, "db create --store", "URL");
}

static int
url_refuse(struct store_error *error)
{
	return store_fail(error, -EINVAL,
	    "it is postgres://USER:PASSWORD@HOST:PORT/DATABASE; in a password, "
	    "@ / ? # and % are %40 %2F %3F %23 and %25",
	    "the URL of the store cannot be read");
}

/*
 * Why the connection failed.  libpq's text in its verbose form is
 *
 *     connection to server at "::1", port 5432 failed: FATAL:  28P01: WORDS
 *     LOCATION:  auth_failed, auth.c:329
 */
static int
connect_error(const char *text, struct store_error *error)
{
	const char *mark = text, *words;
	char code[CODE_SIZE] = "", line[STORE_ERROR_SIZE];
	const struct code_row *row;

	while (code[0] == '\0' && (mark = strstr(mark, ":  ")) != NULL) {
		mark += 3;
		if (strspn(mark, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
			CODE_SIZE - 1 &&
		    mark[CODE_SIZE - 1] == ':')
			memcpy(code, mark, CODE_SIZE - 1);
	}
	/* Such as a port that is no number. */
	if (strncmp(text, "invalid ", 8) == 0)
		return url_refuse(error);
	if (code[0] == '\0') {
		line_copy(line, sizeof(line), text, strcspn(text, "\n"));
		return store_fail(error, -ECONNREFUSED, "",
		    "the database server cannot be reached: %s", line);
	}
	words = mark + CODE_SIZE + (mark[CODE_SIZE] == ' ');
	line_copy(line, sizeof(line), words, strcspn(words, "\n"));
	row = code_row_get(code);
	row_say(error, row, line, NULL);
	if (row->error == -ECONNREFUSED)
		store_fail(error, row->error, "",
		    "the database server is not ready: %s", line);
	return row->error;
}

/*
 * The URL.  If a password contains signs that end it, its rest would be read as
 * the host or the port, and appear in messages.
 */
static int
url_check(const char *url, struct store_error *error)
{
	const char *rest = strstr(url, "://"), *at;
	PQconninfoOption *options = NULL;
	char *why = NULL;

	if (strncmp(url, "postgres://", 11) == 0 ||
	    strncmp(url, "postgresql://", 13) == 0) {
		rest += 3;
		at = strrchr(rest, '@');
		if (at == NULL || (size_t)(at - rest) == strcspn(rest, "@/?#"))
			options = pq.conninfoParse(url, &why);
	}
	if (why != NULL)
		pq.freemem(why);
	if (options == NULL)
		return url_refuse(error);
	pq.conninfoFree(options);
	return 0;
}

/*
 * Waiting.
 */

static void
deadline_begin(struct pg *pg)
{
	pg->deadline_ns = clock_now_ns() + PG_CALL_S * CLOCK_NS_PER_S;
	pg->last_ns = clock_now_ns() + PG_CALL_MAX_S * CLOCK_NS_PER_S;
}

/*
 * Waits until the connection can be read or written.  Returns false if the time
 * is over.
 */
static bool
await(struct pg *pg, short events)
{
	struct pollfd watch = {
		.fd = pq.socket(pg->connection),
		.events = events,
	};
	int64_t left_ns;
	int count;

	do {
		left_ns = pg->deadline_ns - clock_now_ns();
		count = left_ns <= 0
		    ? 0
		    : poll(&watch, 1, (int)(left_ns / CLOCK_NS_PER_MS) + 1);
	} while (count < 0 && errno == EINTR);
	if (count <= 0)
		return false;
	pg->deadline_ns = clock_now_ns() + PG_CALL_S * CLOCK_NS_PER_S;
	if (pg->deadline_ns > pg->last_ns)
		pg->deadline_ns = pg->last_ns;
	return true;
}

static void
disconnect(struct pg *pg)
{
	if (pg->connection != NULL)
		pq.finish(pg->connection);
	pg->connection = NULL;
}

static enum queue_status
lose(struct pg *pg, struct store_error *error)
{
	char line[STORE_ERROR_SIZE] = "it does not answer";
	const char *why = pq.errorMessage(pg->connection);

	if (why[0] != '\0')
		line_copy(line, sizeof(line), why, strcspn(why, "\n"));
	pg->failure = store_fail(
	    error, -ECONNREFUSED, "", "the database server was lost: %s", line);
	disconnect(pg);
	return QUEUE_AWAY;
}

/* Ignores notices of the server, such as `relation exists`. */
static void
on_notice(void *context, const PGresult *result)
{
	(void)context;
	(void)result;
}

/*
 * Sends the queued bytes and reads all results.  QUEUE_DONE with the last
 * result.
 */
static enum queue_status
exchange(struct pg *pg, PGresult **last, struct store_error *error)
{
	enum queue_status status = QUEUE_DONE;
	PGresult *result;
	int unsent;

	*last = NULL;
	while ((unsent = pq.flush(pg->connection)) > 0)
		if (!await(pg, POLLIN | POLLOUT) ||
		    !pq.consumeInput(pg->connection))
			return lose(pg, error);
	if (unsent < 0)
		return lose(pg, error);
	for (;;) {
		while (pq.isBusy(pg->connection))
			if (!await(pg, POLLIN) ||
			    !pq.consumeInput(pg->connection)) {
				pq.clear(*last);
				*last = NULL;
				return lose(pg, error);
			}
		result = pq.getResult(pg->connection);
		if (result == NULL)
			break;
		pq.clear(*last);
		*last = result;
		if (pq.resultStatus(result) == PGRES_FATAL_ERROR) {
			const char *code =
			    pq.resultErrorField(result, PG_DIAG_SQLSTATE);
			const char *words = pq.resultErrorField(
			    result, PG_DIAG_MESSAGE_PRIMARY);
			const struct code_row *row;

			row = code_row_get(code != NULL ? code : "08000");
			row_say(error, row,
			    words != NULL ? words : "the connection was lost",
			    pq.resultErrorField(result, PG_DIAG_MESSAGE_HINT));
			status = row->status;
			pg->failure = row->error;
		}
	}
	if (status != QUEUE_DONE) {
		pq.clear(*last);
		*last = NULL;
	}
	if (pq.status(pg->connection) == CONNECTION_BAD) {
		if (status == QUEUE_DONE)
			return lose(pg, error);
		disconnect(pg);
	}
	return status;
}

static enum queue_status
script_run(struct pg *pg, const char *sql, struct store_error *error)
{
	enum queue_status status;
	PGresult *last;

	if (!pq.sendQuery(pg->connection, sql))
		return lose(pg, error);
	status = exchange(pg, &last, error);
	pq.clear(last);
	return status;
}

/*
 * Connects, unless there is a connection.  0 or -errno.  The parameters of the
 * URL come last, so that they can override the others.
 */
static int
connect_now(struct pg *pg, struct store_error *error)
{
	const char *const names[] = { "fallback_application_name",
		"keepalives_idle", "keepalives_interval", "keepalives_count",
		"tcp_user_timeout", "client_encoding", "dbname", NULL };
	const char *const values[] = { "scopa-arena", "10", "5", "3", "15000",
		"UTF8", pg->url, NULL };
	PostgresPollingStatusType state = PGRES_POLLING_WRITING;
	enum queue_status status;
	bool late = false;
	int failure;

	if (pg->connection != NULL)
		return 0;
	pg->connection = pq.connectStartParams(names, values, 1);
	if (pg->connection == NULL)
		return store_fail(error, -ENOMEM, "", "no memory");
	pq.setErrorVerbosity(pg->connection, PQERRORS_VERBOSE);
	pq.setNoticeReceiver(pg->connection, on_notice, NULL);
	if (pq.status(pg->connection) == CONNECTION_BAD)
		state = PGRES_POLLING_FAILED;
	while (state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING)
		if (await(
			pg, state == PGRES_POLLING_READING ? POLLIN : POLLOUT))
			state = pq.connectPoll(pg->connection);
		else {
			late = true;
			state = PGRES_POLLING_FAILED;
		}
	if (state == PGRES_POLLING_FAILED) {
		if (pq.connectionNeedsPassword(pg->connection)) {
			row_say(error, code_row_get("28P01"),
			    "the database server asks for a password, and none "
			    "was given",
			    NULL);
			failure = -EACCES;
		} else {
			failure = connect_error(late
				? "it does not answer"
				: pq.errorMessage(pg->connection),
			    error);
		}
		disconnect(pg);
		return failure;
	}
	pq.setErrorVerbosity(pg->connection, PQERRORS_TERSE);
	pq.setnonblocking(pg->connection, 1);
	status = script_run(pg, pg->setup, error);
	if (status == QUEUE_DONE)
		return 0;
	disconnect(pg);
	return pg->failure;
}

int
pg_open(struct pg **pg, const char *url, const char *setup,
    struct store_error *error)
{
	struct pg *new;
	int failure;

	if (!library_load())
		return store_fail(error, -ENOPKG,
		    "install libpq (libpq5 on Debian)",
		    "a store in a database needs " PG_LIBRARY
		    ", which is not there");
	failure = url_check(url, error);
	if (failure)
		return failure;
	new = calloc(1, sizeof(*new));
	if (new != NULL) {
		new->url = strdup(url);
		new->setup = strdup(setup);
	}
	if (new == NULL || new->url == NULL || new->setup == NULL) {
		pg_close(new);
		return store_fail(error, -ENOMEM, "", "no memory");
	}
	deadline_begin(new);
	failure = connect_now(new, error);
	if (failure)
		pg_close(new);
	else
		*pg = new;
	return failure;
}

int
pg_failure(const struct pg *pg)
{
	return pg->failure;
}

void
pg_close(struct pg *pg)
{
	if (pg == NULL)
		return;
	disconnect(pg);
	free(pg->url);
	free(pg->setup);
	free(pg);
}

/*
 * Values.
 */

void
pg_call_init(struct pg_call *call, const char *sql)
{
	memset(call, 0, sizeof(*call));
	call->sql = sql;
}

static void
append(struct pg_call *call, const void *bytes, size_t size)
{
	if (array_make_room(&call->bytes, &call->room, call->size + size, 1)) {
		call->failed = true;
		return;
	}
	if (size > 0)
		memcpy(call->bytes + call->size, bytes, size);
	call->size += size;
}

static void
append_int32(struct pg_call *call, int32_t value)
{
	uint32_t bytes = htobe32((uint32_t)value);

	append(call, &bytes, sizeof(bytes));
}

/* `bytes` NULL: the value is null. */
static void
put(struct pg_call *call, enum pg_type type, const void *bytes, size_t size)
{
	struct pg_value *value;

	if (call->elements > 0) {
		call->elements--;
		append_int32(call, bytes != NULL ? (int32_t)size : -1);
		append(call, bytes, size);
		value = &call->values[call->count - 1];
		value->size = (int)(call->size - value->offset);
		return;
	}
	assert(call->count < PG_VALUES_MAX);
	call->values[call->count++] = (struct pg_value){
		.type = type,
		.offset = call->size,
		.size = bytes != NULL ? (int)size : -1,
	};
	append(call, bytes, size);
}

void
pg_call_int(struct pg_call *call, int64_t value)
{
	uint64_t bytes = htobe64((uint64_t)value);

	put(call, PG_INT, &bytes, sizeof(bytes));
}

void
pg_call_real(struct pg_call *call, double value)
{
	uint64_t bytes;

	memcpy(&bytes, &value, sizeof(bytes));
	bytes = htobe64(bytes);
	put(call, PG_REAL, &bytes, sizeof(bytes));
}

void
pg_call_bool(struct pg_call *call, bool value)
{
	put(call, PG_BOOL, value ? "\1" : "", 1);
}

void
pg_call_bytes(struct pg_call *call, const void *bytes, size_t size)
{
	put(call, PG_BYTES, bytes, size);
}

void
pg_call_text(struct pg_call *call, const char *text)
{
	put(call, PG_TEXT, text, text != NULL ? strlen(text) : 0);
}

void
pg_call_array(struct pg_call *call, enum pg_type type, int count)
{
	static const struct {
		enum pg_type type;
		unsigned array;
	} arrays[] = {
		{ PG_BYTES, 1001 },
		{ PG_INT, 1016 },
		{ PG_TEXT, 1009 },
	};
	size_t i = 0;

	while (arrays[i].type != type)
		i++;
	put(call, (enum pg_type)arrays[i].array, "", 0);
	append_int32(call, count > 0); /* dimensions */
	append_int32(call, 0);
	append_int32(call, (int32_t)type);
	if (count > 0) {
		append_int32(call, count);
		append_int32(call, 1); /* the first index */
	}
	call->values[call->count - 1].size =
	    (int)(call->size - call->values[call->count - 1].offset);
	call->elements = count;
}

static bool
call_send(struct pg *pg, const struct pg_call *call)
{
	Oid types[PG_VALUES_MAX];
	const char *values[PG_VALUES_MAX];
	int sizes[PG_VALUES_MAX], formats[PG_VALUES_MAX];

	for (int i = 0; i < call->count; i++) {
		const struct pg_value *value = &call->values[i];

		types[i] = value->type;
		values[i] =
		    value->size < 0 ? NULL : call->bytes + value->offset;
		sizes[i] = value->size;
		formats[i] = 1;
	}
	return pq.sendQueryParams(pg->connection, call->sql, call->count, types,
		   values, sizes, formats, 1) == 1;
}

/* Begins a call: connects if needed. */
static enum queue_status
call_begin(struct pg *pg, struct store_error *error)
{
	int failure;

	deadline_begin(pg);
	/* Reported, because the next server may have lost changes. */
	if (pg->was_lost) {
		pg->was_lost = false;
		store_fail(error, -ECONNREFUSED, "",
		    "the database server has closed the connection");
		return QUEUE_AWAY;
	}
	failure = connect_now(pg, error);
	if (!failure)
		return QUEUE_DONE;
	return failure == -ECONNREFUSED || failure == -ENOMEM ? QUEUE_AWAY
							      : QUEUE_REFUSED;
}

enum queue_status
pg_run(struct pg *pg, struct pg_call *call, struct pg_rows **rows,
    struct store_error *error)
{
	enum queue_status status;
	PGresult *last = NULL;

	assert(call->elements == 0);
	status = call_begin(pg, error);
	if (status == QUEUE_DONE && call->failed) {
		store_fail(error, -ENOMEM, "", "no memory");
		status = QUEUE_AWAY;
	}
	if (status == QUEUE_DONE)
		status = call_send(pg, call) ? exchange(pg, &last, error)
					     : lose(pg, error);
	free(call->bytes);
	call->bytes = NULL;
	if (rows != NULL)
		*rows = (struct pg_rows *)last;
	else
		pq.clear(last);
	return status;
}

enum queue_status
pg_script(struct pg *pg, const char *sql, struct store_error *error)
{
	enum queue_status status = call_begin(pg, error);

	return status == QUEUE_DONE ? script_run(pg, sql, error) : status;
}

/*
 * Rows: a PGresult of libpq.
 */

static const PGresult *
result_of(const struct pg_rows *rows)
{
	return (const PGresult *)rows;
}

int
pg_rows_count(const struct pg_rows *rows)
{
	return pq.ntuples(result_of(rows));
}

bool
pg_rows_null(const struct pg_rows *rows, int row, int column)
{
	return pq.getisnull(result_of(rows), row, column) != 0;
}

int64_t
pg_rows_int(const struct pg_rows *rows, int row, int column)
{
	const char *bytes = pq.getvalue(result_of(rows), row, column);
	int size = pq.getlength(result_of(rows), row, column);
	uint64_t value = size > 0 && (bytes[0] & 0x80) ? UINT64_MAX : 0;

	for (int i = 0; i < size; i++)
		value = value << 8 | (uint8_t)bytes[i];
	return (int64_t)value;
}

double
pg_rows_real(const struct pg_rows *rows, int row, int column)
{
	int64_t bytes = pg_rows_int(rows, row, column);
	double value;

	memcpy(&value, &bytes, sizeof(value));
	return value;
}

const char *
pg_rows_text(const struct pg_rows *rows, int row, int column)
{
	return pq.getvalue(result_of(rows), row, column);
}

size_t
pg_rows_size(const struct pg_rows *rows, int row, int column)
{
	return (size_t)pq.getlength(result_of(rows), row, column);
}

void
pg_rows_close(struct pg_rows *rows)
{
	pq.clear((PGresult *)rows);
}

bool
pg_wait(struct pg *pg, int64_t timeout_ns, int fd)
{
	int64_t deadline_ns = clock_now_ns() + timeout_ns, left_ns;
	PGnotify *notification;
	struct pollfd watches[2] = { { .fd = fd, .events = POLLIN } };
	bool notified = false;

	for (;;) {
		watches[1] = (struct pollfd){ .fd = -1, .events = POLLIN };
		if (pg->connection != NULL) {
			while ((notification = pq.notifies(pg->connection))) {
				pq.freemem(notification);
				notified = true;
			}
			watches[1].fd = pq.socket(pg->connection);
		}
		left_ns = deadline_ns - clock_now_ns();
		if (notified || left_ns < 0)
			left_ns = 0;
		if (poll(watches, 2,
			(int)((left_ns + CLOCK_NS_PER_MS - 1) /
			    CLOCK_NS_PER_MS)) < 0 &&
		    errno != EINTR)
			return notified;
		if (watches[1].fd >= 0 && watches[1].revents != 0) {
			if (!pq.consumeInput(pg->connection)) {
				disconnect(pg);
				pg->was_lost = true;
			}
		} else if (left_ns == 0 || watches[0].revents != 0) {
			return notified;
		}
	}
}

enum queue_status
pg_password_hash(struct pg *pg, const char *password, const char *role,
    char **hash, struct store_error *error)
{
	enum queue_status status = call_begin(pg, error);
	char *made;

	if (status != QUEUE_DONE)
		return status;
	made = pq.encryptPasswordConn(
	    pg->connection, password, role, "scram-sha-256");
	*hash = made != NULL ? strdup(made) : NULL;
	pq.freemem(made);
	if (*hash != NULL)
		return QUEUE_DONE;
	store_fail(error, -EIO, "", "the password cannot be hashed");
	return QUEUE_REFUSED;
}
