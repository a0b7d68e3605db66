/*
 * A run: its folder, its records and results, and who may write to it.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "match.h"
#include "output.h"
#include "rows.h"
#include "run_fixture.h"
#include "test.h"

static struct run_fixture *fixture;

/* A fixture in whose folder the test works, so that `runs` is its own. */
static int
setup(void **state)
{
	int status = run_fixture_setup(state);

	fixture = *state;
	return status ? status : chdir(fixture->folder);
}

static int
teardown(void **state)
{
	assert_int_equal(chdir("/"), 0);
	return run_fixture_teardown(state);
}

static int
create(const char *path, const struct run_texts *texts)
{
	return run_create(
	    &fixture->run, path, &fixture->head, texts, &fixture->error);
}

static const struct run_texts plain = { .config = "" };

static int
open_run(bool writable)
{
	return run_open(
	    &fixture->run, fixture->path, writable, &fixture->error);
}

/* Opening is refused with this answer and these words. */
static void
check_refused(bool writable, int status, const char *words)
{
	assert_int_equal(open_run(writable), status);
	expect_parts(fixture->error.what, words);
}

TEST(test_run_without_a_path_is_named_by_date_and_name)
{
	static const struct {
		const char *name, *path;
	} names[] = {
		{ "evening", "evening" },
		{ "evening", "evening-2" },
		{ "evening", "evening-3" },
		{ "My gate: a/b!", "My-gate-a-b" },
		{ "../../x", "..-..-x" },
		{ "\xC3\xA9t\xC3\xA9 ", "t" },
		{ "///", "run" },
		{ "", "tournament" },
	};

	for (int i = 0; i < COUNTOF(names); i++) {
		char newest[PATH_MAX], path[64];

		strcpy(fixture->head.name, names[i].name);
		snprintf(path, sizeof(path), "runs/2025-01-31-183000-%s",
		    names[i].path);
		assert_int_equal(create(NULL, &plain), 0);
		assert_string_equal(fixture->run.path, path);
		run_close(&fixture->run);
		/* Later ones of this second are not the last by name. */
		if (i < 3) {
			assert_true(run_newest(newest));
			assert_string_equal(newest, path);
		}
	}
}

TEST(test_newest_run_has_the_last_date)
{
	static const char *const dates[] = {
		"2025-01-31T18:30:00Z",
		"2025-02-01T00:00:00Z",
		"2024-12-31T23:59:59Z",
	};
	char newest[PATH_MAX];

	assert_false(run_newest(newest));
	for (int i = 0; i < COUNTOF(dates); i++) {
		strcpy(fixture->head.created, dates[i]);
		assert_int_equal(create(NULL, &plain), 0);
		run_close(&fixture->run);
	}
	/* What holds no results is no run. */
	assert_int_equal(mkdir("runs/2026-01-01-000000-empty", 0777), 0);
	assert_true(run_newest(newest));
	assert_string_equal(newest, "runs/2025-02-01-000000-evening");
}

TEST(test_records_that_are_shorter_are_refused)
{
	long size;

	run_fixture_create();
	run_fixture_finish();
	size = run_fixture_file_size(RUN_RECORDS);
	for (int lost = 1; lost < 3; lost++) {
		assert_int_equal(
		    truncate("run/" RUN_RECORDS, lost == 1 ? size - 1 : 0), 0);
		check_refused(true, -EBADMSG, "are shorter");
		check_refused(false, -EBADMSG, "are shorter");
		expect_parts(fixture->error.try, "scopa-arena db rebuild ");
	}
	assert_int_equal(unlink("run/" RUN_RECORDS), 0);
	check_refused(true, -EBADMSG, "are gone");
	assert_int_equal(access("run/" RUN_RECORDS, F_OK), -1);
}

TEST(test_records_that_were_changed_are_refused)
{
	long size;
	int fd;

	run_fixture_create();
	run_fixture_finish();
	size = run_fixture_file_size(RUN_RECORDS);
	fd = open("run/" RUN_RECORDS, O_RDWR);
	assert_int_equal(pwrite(fd, "!", 1, size - 2), 1);
	check_refused(true, -EBADMSG, "was changed");
	assert_int_equal(pwrite(fd, "!", 1, 0), 1);
	check_refused(true, -EBADMSG, "do not begin");
	close(fd);
	assert_int_equal(run_fixture_file_size(RUN_RECORDS), size);
}

/* Reading leaves alone what is behind the results; going on cuts it off. */
TEST(test_records_behind_the_results_are_cut_off)
{
	long size;
	FILE *file;

	run_fixture_create();
	assert_int_equal(run_fixture_commit(4, 2), 0);
	run_fixture_close();
	size = run_fixture_file_size(RUN_RECORDS);
	file = fopen("run/" RUN_RECORDS, "a");
	fputs("match m9 rules=scopa\n", file);
	fclose(file);
	assert_int_equal(open_run(false), 0);
	run_close(&fixture->run);
	assert_true(run_fixture_file_size(RUN_RECORDS) > size);
	run_fixture_open();
	assert_int_equal(run_fixture_file_size(RUN_RECORDS), size);
	run_fixture_finish();
}

TEST(test_secret_is_in_a_file_of_its_own)
{
	const struct shuffle_key secret = { .bytes = { 1, 2, 3 } };
	const struct run_texts texts = { .config = "[x]\n", .secret = &secret };
	struct shuffle_key found;
	struct stat file;
	char *text, *hidden, *shown, hex[SHUFFLE_HEX_SIZE];

	assert_int_equal(create(fixture->path, &texts), 0);
	run_close(&fixture->run);
	assert_int_equal(stat("run/secret", &file), 0);
	assert_int_equal(file.st_mode & 07777, 0600);
	assert_int_equal(run_secret_read(fixture->path, &found), 0);
	assert_memory_equal(&found, &secret, sizeof(secret));
	/* One that others could read is made anew. */
	assert_int_equal(chmod("run/secret", 0644), 0);
	assert_int_equal(run_secret_put(fixture->path, &secret), 0);
	assert_int_equal(stat("run/secret", &file), 0);
	assert_int_equal(file.st_mode & 07777, 0600);
	assert_int_equal(run_secret_remove(fixture->path), 0);
	assert_int_equal(run_secret_remove(fixture->path), 0);
	assert_int_equal(run_secret_read(fixture->path, &found), -ENOENT);

	shuffle_key_format(&secret, hex);
	assert_true(
	    asprintf(&text, "# a\n[x]\nrules = y\nseed = %s\n[z]\n", hex) > 0);
	hidden = run_secret_conceal(text);
	expect_none(hidden, hex, "\nseed");
	free(text);
	text = run_secret_conceal(hidden);
	assert_string_equal(text, hidden);
	shown = run_secret_show(hidden, &secret);
	expect_parts(shown, "\n[x]\nseed = 01020300", "\nrules = y\n[z]\n");
	expect_none(shown, "secret");
	free(text);
	free(hidden);
	free(shown);
}

/* What would be added to it nobody would find. */
TEST(test_file_that_loses_its_name_ends_the_run)
{
	static const char *const names[] = { RUN_RESULTS, RUN_RECORDS };
	const char *path;

	for (int i = 0; i < COUNTOF(names); i++) {
		run_fixture_create();
		assert_int_equal(run_fixture_commit(4, 2), 0);
		path = folder_path(fixture->path, names[i]);
		assert_int_equal(rename(path, "away"), 0);
		assert_int_equal(run_fixture_commit(6, 2), -ESTALE);
		expect_parts(fixture->error.what, path);
		run_fixture_close();
		assert_int_equal(rename("away", path), 0);
		run_fixture_open();
		run_fixture_check(4);
		run_fixture_finish();
		folder_remove(fixture->path);
	}
}

/* As sha256sum gives it for one file. */
TEST(test_digest_is_that_of_the_files_of_a_bot)
{
	static const char abc[] = "ba7816bf8f01cfea414140de5dae2223"
				  "b00361a396177a9cb410ff61f20015ad";
	struct entrant *entrant = calloc(1, sizeof(*entrant));
	char hex[65], other[65];

	folder_write("bot", "abc");
	assert_int_equal(chmod("bot", 0755), 0);
	assert_int_equal(mkdir("dir", 0777), 0);
	folder_write("dir/weights", "w");
	program_parse(&entrant->program, "./bot --depth 3 weights dir");
	strcpy(entrant->program.path, "./bot");
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_equal(hex, abc);
	entrant->dir = "dir";
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_not_equal(hex, abc);
	folder_write("dir/weights", "v");
	assert_int_equal(run_bot_digest(entrant, other), 0);
	assert_string_not_equal(hex, other);
	/* What can be waited for for ever is no file of a bot. */
	assert_int_equal(unlink("dir/weights"), 0);
	assert_int_equal(mkfifo("dir/weights", 0666), 0);
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_equal(hex, abc);
	/* The program may be written to while the arena runs. */
	folder_write("bot", "abcd");
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_not_equal(hex, abc);
	strcpy(entrant->program.path, "./missing");
	assert_int_equal(run_bot_digest(entrant, hex), -ENOENT);
	free(entrant);
}

enum { WORKER_MS = 300 };

/* A worker that its killed parent has left behind holds the lock a while. */
TEST(test_lock_of_a_dead_process_is_waited_for)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		run_fixture_create();
		if (fork() == 0) {
			usleep(WORKER_MS * 1000);
			_exit(0);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	run_fixture_open();
	run_fixture_finish();
}

TEST(test_name_in_the_lock_is_not_believed)
{
	run_fixture_create();
	run_fixture_close();
	folder_write("run/" RUN_LOCK, "1 elsewhere -\n");
	assert_int_equal(run_owner(fixture->path), 0);
	run_fixture_open();
	run_fixture_finish();
}

TEST_EACH(setup, teardown)
