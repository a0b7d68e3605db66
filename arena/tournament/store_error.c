/*
 * What is wrong with a store, for people: what happened, and what to do.
 */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"
#include "store_state.h"
#include "version.h"

void
store_error_set(struct store_error *error, const char *format, ...)
{
	va_list arguments;

	error->hint[0] = error->try[0] = '\0';
	va_start(arguments, format);
	vsnprintf(error->what, sizeof(error->what), format, arguments);
	va_end(arguments);
}

void
store_folder(const char *path, char folder[PATH_MAX])
{
	const char *slash = strrchr(path, '/');

	if (slash && slash > path)
		snprintf(folder, PATH_MAX, "%.*s", (int)(slash - path), path);
	else
		snprintf(folder, PATH_MAX, "%s", slash ? "/" : ".");
}

void
store_error_hint(struct store_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->hint, sizeof(error->hint), format, arguments);
	va_end(arguments);
}

void
store_error_try(struct store_error *error, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(error->try, sizeof(error->try), format, arguments);
	va_end(arguments);
	/* Half a command would be a wrong one. */
	if (length < 0 || (size_t)length >= sizeof(error->try))
		error->try[0] = '\0';
}

void
store_error_rebuild(struct store_error *error, const char *folder)
{
	store_error_hint(error,
	    "nothing is lost as long as records.scopa is whole: results can "
	    "be made from it again");
	store_error_try(error, "%s db rebuild %s", VERSION_NAME, folder);
}

int
store_damaged(const struct store *store, struct store_error *error,
    const char *format, ...)
{
	char why[STORE_TEXT_SIZE], folder[PATH_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why, sizeof(why), format, arguments);
	va_end(arguments);
	store_error_set(
	    error, "the database \"%s\" is damaged: %s", store->path, why);
	store_folder(store->path, folder);
	store_error_rebuild(error, folder);
	return -EBADMSG;
}

/* What an answer of SQLite means here. */
struct meaning {
	int rc;    /* primary, or extended where it says more */
	int error; /* -errno; 0: that of the system */
	const char *what, *hint;
};

static const struct meaning meanings[] = {
	{ SQLITE_FULL, -ENOSPC, "there is no room left on the disk",
	    "nothing is lost: make room there and go on" },
	/* The memory that it shares with readers is a file, too. */
	{ SQLITE_IOERR_SHMSIZE, -ENOSPC, "there is no room left on the disk",
	    "nothing is lost: make room there and go on" },
	{ SQLITE_BUSY, -EBUSY, "another program holds it",
	    "close what else has opened it" },
	{ SQLITE_LOCKED, -EBUSY, "another program holds it",
	    "close what else has opened it" },
	{ SQLITE_READONLY, -EROFS, "it cannot be written to",
	    "see whether the file system is mounted to read only, and who may "
	    "write to the file and its folder" },
	{ SQLITE_NOMEM, -ENOMEM, "there is not enough memory", "" },
	{ SQLITE_IOERR_NOMEM, -ENOMEM, "there is not enough memory", "" },
	{ SQLITE_PERM, -EACCES, "it may not be opened",
	    "see who may read and write the file and its folder" },
	{ SQLITE_AUTH, -EACCES, "it may not be opened",
	    "see who may read and write the file and its folder" },
};

/* Errors of the system that stand for one of the above. */
static int
stand_in(int system_error)
{
	switch (system_error) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return SQLITE_FULL;
	case EROFS:
		return SQLITE_READONLY;
	case EACCES:
	case EPERM:
		return SQLITE_PERM;
	default:
		return SQLITE_OK;
	}
}

/*
 * What the system said of the last call on a file.  SQLite asks for errno only
 * after it has tidied up, but its files remember.
 */
static int
file_errno(sqlite3 *database, int which)
{
	sqlite3_file *file = NULL;
	int system_error = 0;

	if (sqlite3_file_control(database, "main", which, &file) != SQLITE_OK ||
	    !file || !file->pMethods)
		return 0;
	file->pMethods->xFileControl(
	    file, SQLITE_FCNTL_LAST_ERRNO, &system_error);
	return system_error;
}

static int
find_errno(sqlite3 *database, int rc)
{
	int system_error = 0;

	if (!database)
		return 0;
	/* It is the log that is written to and synchronised. */
	if (rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_FSYNC ||
	    rc == SQLITE_IOERR_TRUNCATE) {
		system_error =
		    file_errno(database, SQLITE_FCNTL_JOURNAL_POINTER);
		if (system_error == 0)
			system_error =
			    file_errno(database, SQLITE_FCNTL_FILE_POINTER);
	}
	return system_error ? system_error : sqlite3_system_errno(database);
}

static const struct meaning *
find_meaning(int rc)
{
	for (int i = 0; i < COUNTOF(meanings); i++)
		if (meanings[i].rc == rc)
			return &meanings[i];
	return NULL;
}

int
store_fail(const struct store *store, int rc, struct store_error *error)
{
	int primary = rc & 0xFF;
	int system_error = find_errno(store->database, rc);
	const struct meaning *meaning;

	assert(rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE);
	/* A file that cannot be made is opened to read, too: the reason of the
	 * first attempt is lost, and what is missing is not the database. */
	if (primary == SQLITE_CANTOPEN && system_error == ENOENT &&
	    access(store->path, F_OK) == 0)
		system_error = 0;
	if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
		return store_damaged(
		    store, error, "%s", sqlite3_errmsg(store->database));
	meaning = find_meaning(rc);
	if (!meaning && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN))
		meaning = find_meaning(stand_in(system_error));
	if (!meaning)
		meaning = find_meaning(primary);
	if (meaning) {
		store_error_set(error, "the database \"%s\": %s", store->path,
		    meaning->what);
		store_error_hint(error, "%s", meaning->hint);
		return meaning->error;
	}
	store_error_set(error, "the database \"%s\": %s%s%s", store->path,
	    sqlite3_errstr(rc), system_error ? ": " : "",
	    system_error ? strerror(system_error) : "");
	return system_error ? -system_error : -EIO;
}
