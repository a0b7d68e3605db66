#include "run.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "chain.h"
#include "countof.h"
#include "record_write.h"
#include "run_state.h"

enum { HEADING_SIZE = sizeof(RECORD_HEADING) - 1 };

static void
run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->records_fd = run->lock_fd = -1;
}

void
run_close(struct run *run)
{
	store_close(run->store);
	if (run->records_fd >= 0)
		close(run->records_fd);
	/* The last, so that nobody comes in before all is put away. */
	if (run->lock_fd >= 0)
		run_unlock(run->lock_fd);
	free(run->pending);
	free(run->places);
	free(run->bytes);
	run_init(run);
}

/*
 * What a run begins with, the configuration last: with it the run is there, and
 * what was made before it is no loss.
 */
static int
make_files(
    struct run *run, const struct run_texts *texts, struct store_error *error)
{
	char path[PATH_MAX];
	int status = run_text_put(run->path, RUN_RECORDS, RECORD_HEADING);

	if (!status && texts->secret)
		status = run_secret_put(run->path, texts->secret);
	if (!status && texts->terms)
		status = run_text_put(run->path, RUN_TERMS, texts->terms);
	if (status)
		return run_fail(status, "write to", run->path, error);
	run_file(run, RUN_RECORDS, path);
	run->records_fd = open(path, O_RDWR | O_CLOEXEC);
	if (run->records_fd < 0)
		return run_fail(-errno, "open", path, error);
	run_file(run, RUN_RESULTS, path);
	status = store_create(&run->store, path, &run->head, error);
	if (status)
		return status;
	status = run_text_put(run->path, RUN_CONFIG, texts->config);
	if (!status)
		status = run_folder_sync(run->path);
	return status ? run_fail(status, "write to", run->path, error) : 0;
}

static int
refuse_filled(const char *folder, int status, struct store_error *error)
{
	char results[PATH_MAX];

	if (status != -EEXIST)
		return run_fail(status, "look into", folder, error);
	store_error_set(error,
	    "\"%s\" is not empty: a run needs a folder of its own", folder);
	store_error_hint(error, "nothing was changed; name another folder");
	run_path_join(results, folder, RUN_RESULTS);
	if (access(results, F_OK) == 0) {
		store_error_hint(error,
		    "nothing was changed; name another folder, or go on with "
		    "the run that is there");
		store_error_try(error, "scopa-arena resume %s", folder);
	}
	return -EEXIST;
}

static void
set_created(struct store_head *head)
{
	time_t now = time(NULL);
	struct tm utc;

	if (head->created[0])
		return;
	gmtime_r(&now, &utc);
	strftime(
	    head->created, sizeof(head->created), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

void
run_discard(struct run *run)
{
	static const char *const files[] = { RUN_CONFIG, RUN_LOG };
	char path[PATH_MAX], folder[PATH_MAX];
	bool new_folder = run->new_folder;

	/* Without its configuration it is no run any more. */
	for (int i = 0; i < COUNTOF(files); i++) {
		run_path_join(path, run->path, files[i]);
		unlink(path);
	}
	store_close(run->store);
	run->store = NULL;
	run_folder_clear(run->path);
	run_path_join(path, run->path, RUN_LOCK);
	unlink(path);
	memcpy(folder, run->path, sizeof(folder));
	run_close(run);
	if (new_folder)
		rmdir(folder);
}

int
run_create(struct run *run, const char *path, const struct store_head *head,
    const struct run_texts *texts, struct store_error *error)
{
	static struct run made; /* large */
	int status;

	run_init(&made);
	made.head = *head;
	set_created(&made.head);
	status = run_folder_make(
	    path, &made.head, made.path, &made.new_folder, error);
	if (status)
		return status;
	status = run_folder_check(made.path);
	if (status) {
		refuse_filled(made.path, status, error);
		goto remove_folder;
	}
	status = run_lock(made.path, error);
	if (status < 0)
		goto remove_folder;
	made.lock_fd = status;
	/* Somebody else may have been quicker, and be done already. */
	status = run_folder_check(made.path);
	if (status) {
		refuse_filled(made.path, status, error);
		run_close(&made);
		return status;
	}
	run_folder_clear(made.path);
	status = make_files(&made, texts, error);
	if (status) {
		run_discard(&made);
		return status;
	}
	made.record_size = HEADING_SIZE;
	chain_begin(&made.head, made.chain);
	*run = made;
	return 0;
remove_folder:
	if (made.new_folder)
		rmdir(made.path);
	run_close(&made);
	return status;
}

/* Whether a folder can be one of a run at all. */
static int
check_folder(const char *folder, struct store_error *error)
{
	char config[PATH_MAX], results[PATH_MAX], records[PATH_MAX];

	run_path_join(config, folder, RUN_CONFIG);
	run_path_join(results, folder, RUN_RESULTS);
	run_path_join(records, folder, RUN_RECORDS);
	if (access(config, F_OK) == 0 && access(results, F_OK) == 0)
		return 0;
	if (errno != ENOENT && errno != ENOTDIR)
		return run_fail(-errno, "open the run", folder, error);
	store_error_set(error, "there is no run in \"%s\"", folder);
	if (access(config, F_OK) < 0 && run_folder_check(folder) == 0) {
		store_error_hint(
		    error, "what is there never began: begin it again");
		return -ENOENT;
	}
	if (access(config, F_OK) < 0 &&
	    (access(results, F_OK) == 0 || access(records, F_OK) == 0)) {
		store_error_set(error,
		    "the run \"%s\" has no configuration: \"%s\" is missing",
		    folder, RUN_CONFIG);
		store_error_hint(error,
		    "bring the file back from a copy: what is played is said "
		    "there; %s has all of its lines but the seed, if any",
		    RUN_TERMS);
		return -ENOENT;
	}
	if (access(records, F_OK) == 0) {
		store_error_set(error,
		    "the run \"%s\" has no results: \"%s\" "
		    "is gone",
		    folder, RUN_RESULTS);
		store_error_rebuild(error, folder);
		return -EBADMSG;
	}
	store_error_hint(error, "a run is a folder that holds %s, %s and %s",
	    RUN_CONFIG, RUN_RESULTS, RUN_RECORDS);
	return -ENOENT;
}

/* What stands behind the last result was never counted. */
static int
cut_records(struct run *run, struct store_error *error)
{
	struct stat file;

	if (fstat(run->records_fd, &file) == 0 &&
	    file.st_size == run->record_size)
		return 0;
	if (ftruncate(run->records_fd, run->record_size) < 0 ||
	    fdatasync(run->records_fd) < 0)
		return run_fail(-errno, "cut the records of", run->path, error);
	return 0;
}

static int
open_files(struct run *run, bool writable, struct store_error *error)
{
	char path[PATH_MAX];
	int status;

	run_file(run, RUN_RESULTS, path);
	status = store_open(&run->store, path, writable, &run->head, error);
	if (status)
		return status;
	status = run_records_open(run->path, writable, run->store, error);
	if (status < 0)
		return status;
	run->records_fd = status;
	status = store_extent(
	    run->store, &run->block_count, &run->record_size, error);
	if (status)
		return status;
	if (run->record_size < HEADING_SIZE)
		run->record_size = HEADING_SIZE;
	status = store_last_chain(run->store, run->chain, error);
	if (status == -ENOENT)
		chain_begin(&run->head, run->chain);
	else if (status)
		return status;
	if (writable)
		return cut_records(run, error);
	close(run->records_fd);
	run->records_fd = -1;
	return 0;
}

int
run_open(
    struct run *run, const char *path, bool writable, struct store_error *error)
{
	static struct run made; /* large */
	int status;

	run_init(&made);
	status = run_path_set(made.path, path, error);
	if (!status)
		status = check_folder(made.path, error);
	if (status)
		return status;
	if (writable) {
		status = run_lock(made.path, error);
		if (status < 0)
			return status;
		made.lock_fd = status;
	}
	status = open_files(&made, writable, error);
	if (status) {
		run_close(&made);
		return status;
	}
	*run = made;
	return 0;
}
