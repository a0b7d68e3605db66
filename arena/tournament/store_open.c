/*
 * Making and opening databases.  Nothing is believed of a file until it has
 * been looked at in a way that cannot change it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "countof.h"
#include "store_state.h"

enum {
	HEADER_SIZE = 100,
	SQLITE_OLDEST = 3037000, /* knows STRICT tables */
	/* Every byte of a path may become three. */
	URI_SIZE = 3 * PATH_MAX + 64
};

/* How a file is opened. */
enum mode {
	MODE_WRITE,
	MODE_READ,
	MODE_FROZEN /* as if nobody could ever write to it: nothing is locked,
		     * and no file beside it is looked at or made */
};

static void
format_uri(const char *path, enum mode mode, char uri[URI_SIZE])
{
	static const char *const suffixes[] = {
		[MODE_WRITE] = "?mode=rw",
		[MODE_READ] = "?mode=ro",
		[MODE_FROZEN] = "?mode=ro&immutable=1",
	};
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~/";
	size_t length = 0;

	/* A path that begins with a slash, so that no host can be meant. */
	length += (size_t)snprintf(
	    uri, URI_SIZE, "file:%s", path[0] == '/' ? "" : "./");
	for (const char *at = path; *at && length < URI_SIZE - 40; at++)
		length += (size_t)snprintf(uri + length, URI_SIZE - length,
		    strchr(plain, *at) ? "%c" : "%%%02X", (unsigned char)*at);
	snprintf(uri + length, URI_SIZE - length, "%s", suffixes[mode]);
}

static int
connect(struct store *store, enum mode mode)
{
	char uri[URI_SIZE];

	format_uri(store->path, mode, uri);
	return sqlite3_open_v2(uri, &store->database,
	    SQLITE_OPEN_URI |
		(mode == MODE_WRITE ? SQLITE_OPEN_READWRITE
				    : SQLITE_OPEN_READONLY),
	    NULL);
}

static void
disconnect(struct store *store)
{
	sqlite3_close(store->database);
	store->database = NULL;
}

static int
set_switches(struct store *store)
{
	static const struct {
		int option, value;
	} switches[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
		{ SQLITE_DBCONFIG_DQS_DML, 0 },
		{ SQLITE_DBCONFIG_DQS_DDL, 0 },
	};
	int rc = SQLITE_OK;

	sqlite3_extended_result_codes(store->database, 1);
	sqlite3_busy_timeout(store->database, STORE_BUSY_MS);
	for (int i = 0; rc == SQLITE_OK && i < COUNTOF(switches); i++)
		rc = sqlite3_db_config(store->database, switches[i].option,
		    switches[i].value, NULL);
	if (rc != SQLITE_OK)
		return rc;
	return sqlite3_exec(store->database,
	    "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; "
	    "PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY",
	    NULL, NULL, NULL);
}

/* The first column of the first row as a number, or as text. */
static int
ask(struct store *store, const char *sql, int64_t *number, char *text,
    size_t size)
{
	sqlite3_stmt *statement;
	int rc = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);

	if (rc != SQLITE_OK)
		return rc;
	rc = sqlite3_step(statement);
	if (rc == SQLITE_ROW) {
		if (number)
			*number = sqlite3_column_int64(statement, 0);
		if (text)
			snprintf(text, size, "%s",
			    (const char *)sqlite3_column_text(statement, 0));
	}
	sqlite3_finalize(statement);
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* The writer's own: one log beside the file, which it alone puts back. */
static int
begin_writing(struct store *store, struct store_error *error)
{
	char mode[16] = "";
	int rc =
	    ask(store, "PRAGMA journal_mode = WAL", NULL, mode, sizeof(mode));

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(store->database,
		    "PRAGMA synchronous = FULL; "
		    "PRAGMA wal_autocheckpoint = 1000",
		    NULL, NULL, NULL);
	/* A folder that cannot be written to is told of here, and not when the
	 * first results are there. */
	if (rc == SQLITE_OK)
		rc = store_run(store, STORE_BEGIN);
	if (rc == SQLITE_OK)
		rc = store_run(store, STORE_ROLLBACK);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	if (strcmp(mode, "wal") == 0)
		return 0;
	store_error_set(error,
	    "the database \"%s\" cannot have a write-ahead log where it is",
	    store->path);
	store_error_hint(
	    error, "the folder of a run must be on a disk of this machine");
	return -ENOTSUP;
}

static int
check_library(struct store_error *error)
{
	if (sqlite3_libversion_number() >= SQLITE_OLDEST)
		return 0;
	store_error_set(error,
	    "the SQLite library is version %s; 3.37 or later is needed",
	    sqlite3_libversion());
	return -ENOTSUP;
}

/* Whatever it is, it is left as it is. */
static int
refuse(const struct store *store, const char *what, struct store_error *error)
{
	char folder[PATH_MAX];

	store_error_set(error, "\"%s\" %s", store->path, what);
	store_folder(store->path, folder);
	store_error_rebuild(error, folder);
	return -EBADMSG;
}

/* Application and version: 0; -EBADMSG or -EPROTO. */
static int
judge_mark(const struct store *store, int64_t application, int64_t version,
    struct store_error *error)
{
	if (application != STORE_APPLICATION_ID)
		return refuse(store, "is not the database of a run", error);
	if (version > STORE_VERSION) {
		store_error_set(error,
		    "the database \"%s\" was written by a newer scopa-arena: "
		    "its version is %lld, and this one knows up to %d",
		    store->path, (long long)version, STORE_VERSION);
		store_error_hint(
		    error, "nothing was changed; go on with the newer program");
		return -EPROTO;
	}
	if (version < STORE_VERSION)
		return refuse(
		    store, "was written by an older scopa-arena", error);
	return 0;
}

static int
check_mark(struct store *store, struct store_error *error)
{
	int64_t application = 0, version = 0;
	int rc = ask(store, "PRAGMA application_id", &application, NULL, 0);

	if (rc == SQLITE_OK)
		rc = ask(store, "PRAGMA user_version", &version, NULL, 0);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	return judge_mark(store, application, version, error);
}

static int64_t
number_at(const unsigned char *bytes)
{
	return (int64_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	    (uint32_t)bytes[2] << 8 | bytes[3]);
}

/*
 * The same from the header of the file alone.  It is read through SQLite, as
 * whoever else closes a file of this process gives back its locks.
 */
static int
check_header(struct store *store, struct store_error *error)
{
	static const char magic[] = "SQLite format 3";
	unsigned char header[HEADER_SIZE];
	sqlite3_file *file = NULL;
	int rc = connect(store, MODE_FROZEN);

	if (rc == SQLITE_OK)
		rc = sqlite3_file_control(
		    store->database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
	if (rc == SQLITE_OK)
		rc = file->pMethods->xRead(file, header, sizeof(header), 0);
	if (rc == SQLITE_IOERR_SHORT_READ ||
	    (rc == SQLITE_OK && memcmp(header, magic, sizeof(magic)) != 0))
		return refuse(store, "is not the database of a run", error);
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	return judge_mark(
	    store, number_at(header + 68), number_at(header + 60), error);
}

/* Whether this can be the database of a run at all, without touching it. */
static int
look(struct store *store, struct store_error *error)
{
	struct stat status;
	int answer;

	if (stat(store->path, &status) < 0) {
		answer = -errno;
		store_error_set(error, "the database \"%s\": %s", store->path,
		    strerror(-answer));
		return answer;
	}
	if (!S_ISREG(status.st_mode) || status.st_size == 0)
		return refuse(store,
		    S_ISREG(status.st_mode) ? "is empty" : "is not a file",
		    error);
	answer = check_header(store, error);
	/* SQLite would read it all the same, with files beside it that nobody
	 * can write to later. */
	if (answer == 0 && store->writable && access(store->path, W_OK) < 0)
		answer = store_fail(store, SQLITE_READONLY, error);
	disconnect(store);
	return answer;
}

/* Whether something waits in the log beside the file. */
static bool
has_log(const struct store *store)
{
	char path[PATH_MAX + 8];
	struct stat status;

	snprintf(path, sizeof(path), "%s-wal", store->path);
	return stat(path, &status) == 0 && status.st_size > 0;
}

/*
 * To read, SQLite shares memory with the writer by a file beside the database.
 * Where no such file can be made and nothing waits in a log, nobody writes.
 */
static int
connect_reader(struct store *store)
{
	int64_t version;
	int rc = connect(store, MODE_READ);

	if (rc == SQLITE_OK)
		rc = set_switches(store);
	if (rc == SQLITE_OK)
		rc = ask(store, "PRAGMA schema_version", &version, NULL, 0);
	if (((rc & 0xFF) != SQLITE_CANTOPEN &&
		(rc & 0xFF) != SQLITE_READONLY) ||
	    has_log(store))
		return rc;
	disconnect(store);
	rc = connect(store, MODE_FROZEN);
	return rc == SQLITE_OK ? set_switches(store) : rc;
}

static int
check_whole(struct store *store, struct store_error *error)
{
	char answer[STORE_TEXT_SIZE / 2] = "";
	const char *text;
	int rc = store_schema_check(store);

	if (rc < 0)
		return store_fail(store, -rc, error);
	if (rc == 0)
		return store_damaged(
		    store, error, "its tables are not those of a run");
	rc = ask(store, "PRAGMA quick_check(1)", NULL, answer, sizeof(answer));
	if (rc != SQLITE_OK)
		return store_fail(store, rc, error);
	if (strcmp(answer, "ok") == 0)
		return 0;
	/* `*** in database main ***` may stand above what is wrong. */
	text = strncmp(answer, "***", 3) == 0 ? strchr(answer, '\n') : NULL;
	text = text ? text + 1 : answer;
	return store_damaged(
	    store, error, "%.*s", (int)strcspn(text, "\n"), text);
}

static struct store *
new_store(const char *path, bool writable, struct store_error *error)
{
	struct store *store = calloc(1, sizeof(*store));

	if (!store) {
		store_error_set(error, "there is not enough memory");
		return NULL;
	}
	store->writable = writable;
	snprintf(store->path, sizeof(store->path), "%s", path);
	return store;
}

int
store_open(struct store **store, const char *path, bool writable,
    struct store_head *head, struct store_error *error)
{
	int status = check_library(error), rc;
	struct store *made;

	if (status)
		return status;
	made = new_store(path, writable, error);
	if (!made)
		return -ENOMEM;
	status = look(made, error);
	if (status)
		goto close_made;
	rc = writable ? connect(made, MODE_WRITE) : connect_reader(made);
	if (rc == SQLITE_OK && writable)
		rc = set_switches(made);
	if (rc != SQLITE_OK) {
		status = store_fail(made, rc, error);
		goto close_made;
	}
	status = check_mark(made, error);
	if (status == 0)
		status = check_whole(made, error);
	if (status == 0)
		status = store_head_read(made, error);
	if (status == 0 && writable)
		status = begin_writing(made, error);
	if (status)
		goto close_made;
	*head = made->head;
	*store = made;
	return 0;
close_made:
	/* What was refused is not to be changed, not even by a checkpoint. */
	made->writable = false;
	store_close(made);
	return status;
}

/* Takes back a database that was made in part. */
static void
remove_files(const char *path)
{
	static const char *const suffixes[] = { "", "-journal", "-wal",
		"-shm" };
	char name[PATH_MAX + 16];

	for (int i = 0; i < COUNTOF(suffixes); i++) {
		snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		unlink(name);
	}
}

int
store_create(struct store **store, const char *path,
    const struct store_head *head, struct store_error *error)
{
	int status = check_library(error), fd, rc;
	struct store *made;

	if (status)
		return status;
	made = new_store(path, true, error);
	if (!made)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		status = -errno;
		store_error_set(error, "cannot make the database \"%s\": %s",
		    path, strerror(-status));
		goto close_made;
	}
	close(fd);
	rc = connect(made, MODE_WRITE);
	if (rc == SQLITE_OK)
		rc = set_switches(made);
	if (rc == SQLITE_OK)
		rc = store_schema_create(made, head);
	status = rc == SQLITE_OK ? begin_writing(made, error)
				 : store_fail(made, rc, error);
	if (status == 0)
		status = store_head_read(made, error);
	if (status)
		goto remove_made;
	*store = made;
	return 0;
remove_made:
	store_close(made);
	made = NULL;
	remove_files(path);
close_made:
	store_close(made);
	return status;
}
