/*
 * A run: its folder, its records and results, and which process may write to
 * it.
 */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"
#include "folder.h"
#include "match.h"
#include "output.h"
#include "record_write.h"
#include "rows.h"
#include "support.h"
#include "test.h"

/*
 * The fixture: a run that is created, resumed after any fault, and played to
 * its end.
 */
enum {
	RUN_FIXTURE_BLOCKS = 12,
	RUN_FIXTURE_RECORD_SIZE = 600,
	HEADING_SIZE = sizeof(RECORD_HEADING) - 1
};

#define RUN_FIXTURE_CONFIG "[tournament]\nrounds = 6\n"

struct run_fixture {
	char folder[FOLDER_SIZE];
	char path[FOLDER_SIZE + 8]; /* path of the run, in the folder */
	struct store_head head;
	struct run run;
	bool open;
	struct store_error error;
	struct block_result blocks[RUN_FIXTURE_BLOCKS];
	char records[RUN_FIXTURE_BLOCKS][RUN_FIXTURE_RECORD_SIZE];
	size_t sizes[RUN_FIXTURE_BLOCKS]; /* sizes of the records */
};

/* Fails the test, also in child processes. */
#define RUN_FIXTURE_MUST(condition) \
	((condition) ? (void)0      \
		     : run_fixture_fail(__FILE__, __LINE__, #condition))

static void
run_fixture_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
	abort();
}

static struct run_fixture *fixture; /* fixture of the running test */

/* Number of blocks that the child process has committed, or -1. */
static int *committed_by_child;

/*
 * The working directory is the folder of the fixture, so that `runs` belongs to
 * the test.
 */
static int
setup(void **state)
{
	uint64_t seed = 1;
	int skipped;

	(void)state;
	fixture = calloc(1, sizeof(*fixture));
	RUN_FIXTURE_MUST(fixture);
	folder_make(fixture->folder);
	snprintf(
	    fixture->path, sizeof(fixture->path), "%s/run", fixture->folder);
	fixture->head = *rows_head(SCOPA_TEAMS_ABAB, 4, 2);
	/* Some blocks are skipped, except the first and the last one. */
	do {
		skipped = 0;
		for (int i = 0; i < RUN_FIXTURE_BLOCKS; i++) {
			fixture->sizes[i] = rows_record(&seed, &fixture->head,
			    i, &fixture->blocks[i], fixture->records[i],
			    RUN_FIXTURE_RECORD_SIZE);
			skipped += fixture->blocks[i].skipped;
		}
	} while (skipped < 2 || skipped > 3 || fixture->sizes[0] == 0 ||
	    fixture->sizes[RUN_FIXTURE_BLOCKS - 1] == 0);
	committed_by_child = mmap(NULL, sizeof(*committed_by_child),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(committed_by_child != MAP_FAILED);
	faults_arm(fixture->folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	return chdir(fixture->folder);
}

static void
run_fixture_close(void)
{
	if (fixture->open)
		run_close(&fixture->run);
	fixture->open = false;
}

static int
teardown(void **state)
{
	(void)state;
	assert_int_equal(chdir("/"), 0);
	run_fixture_close();
	folder_remove(fixture->folder);
	free(fixture);
	return 0;
}

/* Fails with the error of a call that must succeed. */
static void
must(int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "%s\n", fixture->error.what);
	RUN_FIXTURE_MUST(status == 0);
}

static void
run_fixture_create(void)
{
	must(run_create(&fixture->run, fixture->path, &fixture->head,
	    &(struct run_texts){ .config = RUN_FIXTURE_CONFIG },
	    &fixture->error));
	fixture->open = true;
}

static void
run_fixture_open(void)
{
	must(run_open(&fixture->run, fixture->path, true, &fixture->error));
	fixture->open = true;
	must(run_cut_records(&fixture->run, &fixture->error));
	RUN_FIXTURE_MUST(rows_heads_equal(&fixture->run.head, &fixture->head));
}

/* Adds the next blocks of the run, up to `end`. */
static void
run_fixture_add(int end)
{
	struct run *run = &fixture->run;

	for (int64_t i = run->block_count + run->pending_count; i < end; i++) {
		size_t size = fixture->sizes[i];

		if (size > 0)
			memcpy(run_record_reserve(run, size),
			    fixture->records[i], size);
		must(run_add(run, &fixture->blocks[i]));
	}
}

/*
 * Adds these, and commits after every `step` blocks.  Returns 0, or the result
 * of the first commit that fails.
 */
static int
run_fixture_commit(int end, int step)
{
	int status = 0;

	while (status == 0 && fixture->run.block_count < end) {
		int next = (int)fixture->run.block_count + step;

		run_fixture_add(next < end ? next : end);
		status = run_commit(&fixture->run, &fixture->error);
	}
	return status;
}

/* The size of a file of the run, or -1 if it is missing. */
static long
run_fixture_file_size(const char *name)
{
	struct stat file;

	return stat(folder_path(fixture->path, name), &file) < 0
	    ? -1
	    : (long)file.st_size;
}

/* Compares each block and its record with those of the fixture. */
struct check {
	int fd, at;
	int64_t offset;
};

static int
check_block(void *context, const struct block_result *block)
{
	struct block_result expected;
	const struct block_place *place = &block->place;
	struct check *check = context;
	size_t size;
	char record[RUN_FIXTURE_RECORD_SIZE];
	unsigned char digest[STORE_DIGEST_SIZE];

	RUN_FIXTURE_MUST(check->at < RUN_FIXTURE_BLOCKS);
	size = fixture->sizes[check->at];
	expected = fixture->blocks[check->at];
	expected.place = *place;
	RUN_FIXTURE_MUST(rows_equal(block, &expected));
	RUN_FIXTURE_MUST(place->size == (int64_t)size);
	RUN_FIXTURE_MUST(place->offset == (size > 0 ? check->offset : 0));
	RUN_FIXTURE_MUST(
	    pread(check->fd, record, size, check->offset) == (ssize_t)size);
	RUN_FIXTURE_MUST(
	    memcmp(record, fixture->records[check->at], size) == 0);
	crypto_hash_sha256(digest, (const unsigned char *)record, size);
	RUN_FIXTURE_MUST(memcmp(digest, place->digest, sizeof(digest)) == 0);
	check->offset += (int64_t)size;
	check->at++;
	return 0;
}

/* The run has exactly its first blocks, at least `count` of them. */
static void
run_fixture_check(int count)
{
	struct check check = {
		.offset = HEADING_SIZE,
		.fd = open(folder_path(fixture->path, RUN_RECORDS), O_RDONLY),
	};

	RUN_FIXTURE_MUST(check.fd >= 0);
	must(store_walk_from(
	    fixture->run.store, 0, check_block, &check, &fixture->error));
	close(check.fd);
	RUN_FIXTURE_MUST(check.at >= count);
	RUN_FIXTURE_MUST(check.at == fixture->run.block_count);
	RUN_FIXTURE_MUST(check.offset == fixture->run.record_size);
	if (fixture->run.pending_count == 0)
		RUN_FIXTURE_MUST(
		    run_fixture_file_size(RUN_RECORDS) == check.offset);
}

/* Adds all other blocks, and checks the whole run. */
static void
run_fixture_finish(void)
{
	must(run_fixture_commit(RUN_FIXTURE_BLOCKS, 3));
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_fixture_close();
	run_fixture_open();
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_fixture_close();
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

/* Opening the run fails with this status and these words. */
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
		/* Runs of the same second: the newest is not the last by
		 * name. */
		if (i < 3) {
			assert_true(run_newest(newest));
			assert_string_equal(newest, path);
		}
	}
}

TEST(test_newest_run_is_the_last_made)
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
	/* A folder without results is no run. */
	assert_int_equal(mkdir("runs/2026-01-01-000000-empty", 0777), 0);
	assert_true(run_newest(newest));
	assert_string_equal(newest, "runs/2025-02-01-000000-evening");
	/* A run with a folder of the user's choice counts by its time, too. */
	for (int i = 0; i < 2; i++) {
		const struct run_texts texts = { .config = "",
			.terms = i == 0 ? "scopa-arena-terms-v1\ncreated "
					  "2025-02-02T08:00:00.000Z\n"
					: "scopa-arena-terms-v1\ncreated "
					  "2025-02-01T08:00:00.000Z\n" };

		assert_int_equal(
		    create(i == 0 ? "runs/gate" : "runs/old", &texts), 0);
		run_close(&fixture->run);
	}
	assert_true(run_newest(newest));
	assert_string_equal(newest, "runs/gate");
}

TEST(test_shortened_records_are_refused)
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
	check_refused(true, -EBADMSG, "are missing");
	assert_int_equal(access("run/" RUN_RECORDS, F_OK), -1);
}

TEST(test_changed_records_are_refused)
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

/* Reading changes no records after the last result; resuming removes them. */
TEST(test_records_after_the_last_result_are_removed)
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
	/* A file that others may read is written again. */
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

/* Bytes written to a file without a name would be lost. */
TEST(test_removed_file_ends_the_run)
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

/* The digest of one file is that of sha256sum. */
TEST(test_digest_covers_all_files_of_a_bot)
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
	strcpy(entrant->command, "./bot --depth 3 weights dir");
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_equal(hex, abc);
	entrant->dir = "dir";
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_not_equal(hex, abc);
	folder_write("dir/weights", "v");
	assert_int_equal(run_bot_digest(entrant, other), 0);
	assert_string_not_equal(hex, other);
	/* A pipe, which could be waited for without end, is no file of a
	 * bot. */
	assert_int_equal(unlink("dir/weights"), 0);
	assert_int_equal(mkfifo("dir/weights", 0666), 0);
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_equal(hex, abc);
	/* The program may be open for writing while the arena runs. */
	folder_write("bot", "abcd");
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_not_equal(hex, abc);
	strcpy(entrant->program.path, "./missing");
	assert_int_equal(run_bot_digest(entrant, hex), -ENOENT);
	/* The digest of a built-in bot is that of the sources. */
	strcpy(entrant->command, "@first");
	assert_int_equal(run_bot_digest(entrant, hex), 0);
	assert_string_equal(
	    hex, strstr(engine_id(), "sources=") + strlen("sources="));
	free(entrant);
}

enum { WORKER_MS = 300 };

/* A worker whose parent was killed still has the lock for a moment. */
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

TEST(test_lock_file_that_is_removed_meanwhile_is_no_lock)
{
	struct store_error error;
	struct stat file;
	int ready[2], fd, status;
	char path[PATH_MAX], byte;
	pid_t pid;

	run_fixture_create();
	run_fixture_close();
	run_path_join(path, fixture->path, RUN_LOCK);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		fd = open(path, O_RDWR);
		if (flock(fd, LOCK_EX) < 0 || write(ready[1], "", 1) != 1)
			_exit(1);
		usleep(WORKER_MS * 1000);
		_exit(unlink(path));
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	fd = run_lock(fixture->path, &error);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &file), 0);
	assert_int_equal(file.st_nlink, 1);
	run_unlock(fd);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

TEST(test_lock_without_a_name_has_an_owner)
{
	run_fixture_create();
	assert_int_equal(run_owner(fixture->path), getpid());
	folder_write("run/" RUN_LOCK, "");
	assert_int_equal(run_owner(fixture->path), -1);
	run_fixture_close();
	assert_int_equal(run_owner(fixture->path), 0);
}

TEST(test_name_in_the_lock_file_is_ignored)
{
	run_fixture_create();
	run_fixture_close();
	folder_write("run/" RUN_LOCK, "1 elsewhere -\n");
	assert_int_equal(run_owner(fixture->path), 0);
	run_fixture_open();
	run_fixture_finish();
}

/*
 * The terms of a run: all of its configuration except the secret.
 */
#define DIGEST_ONE                         \
	"11111111111111111111111111111111" \
	"11111111111111111111111111111111"
#define DIGEST_TWO                         \
	"22222222222222222222222222222222" \
	"22222222222222222222222222222222"

static const char config[] = "# As it was played.\n"
			     "\n"
			     "[tournament]\n"
			     "rules = scopa\n"
			     "seed = 05\n"
			     "contribution = alice=00|bob=01\n"
			     "rounds = 3\n"
			     "\n"
			     "[bot seed = 1]\n"
			     "cmd = ./a --x";

static struct store_head head;

static void
fill_head(void)
{
	memset(&head, 0, sizeof(head));
	head.bot_count = 2;
	strcpy(head.created, "2025-01-31T18:30:00.000Z");
	strcpy(head.bots[0].name, "one");
	strcpy(head.bots[0].digest, DIGEST_ONE);
	strcpy(head.bots[1].name, "the other");
	strcpy(head.bots[1].digest, DIGEST_TWO);
}

TEST(test_terms_are_the_configuration_without_the_secret)
{
	char *terms;

	fill_head();
	head.committed = true;
	terms = terms_make(config, &head);
	assert_string_equal(terms,
	    "scopa-arena-terms-v1\n"
	    "created 2025-01-31T18:30:00.000Z\n"
	    "packs committed\n"
	    "bot 1 " DIGEST_ONE " one\n"
	    "bot 2 " DIGEST_TWO " the other\n"
	    "[tournament]\n"
	    "rules = scopa\n"
	    "rounds = 3\n"
	    "[bot seed = 1]\n"
	    "cmd = ./a --x\n");
	free(terms);
}

TEST(test_malformed_terms_are_read_as_far_as_possible)
{
	fill_head();
	terms_read("", &head);
	terms_read("bot\nbot 1\nbot 3 " DIGEST_TWO " x\nbot 99999999999 "
		   "0\nbot 1 22 x\nbot 1 " DIGEST_TWO "2 x\n"
		   "created 012345678901234567890123456789012345\n"
		   "packs given\n[x]\nbot 1 " DIGEST_TWO " one\n",
	    &head);
	assert_false(head.committed);
	assert_string_equal(head.created, "2025-01-31T18:30:00.000Z");
	assert_string_equal(head.bots[0].digest, DIGEST_ONE);
	assert_string_equal(head.bots[1].digest, DIGEST_TWO);
}

TEST(test_comparison_of_texts_gives_the_first_line_that_differs)
{
	static const struct {
		const char *one, *other;
		int64_t number;
		const char *one_rest, *other_rest;
	} rows[] = {
		{ "", "", 0, "", "" },
		{ "a\nb\n", "a\nb\n", 0, "", "" },
		{ "a\nb\n", "a\nc\n", 2, "b\n", "c\n" },
		{ "a\n", "a", 1, "a\n", "a" },
		{ "a\nb", "a\n", 2, "b", "" },
		{ "\n\nab\n", "\n\na\n", 3, "ab\n", "a\n" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		const char *one = rows[i].one, *other = rows[i].other;

		assert_int_equal(terms_diff(&one, &other), rows[i].number);
		assert_string_equal(one, rows[i].one_rest);
		assert_string_equal(other, rows[i].other_rest);
	}
}

/*
 * Runs that are killed, lose power or find the disk full at any step of
 * writing: records and results always agree, no committed block is lost, and
 * the run ends as an undisturbed one.
 */
enum { KILLED_AT = 4, SKIPPED = 77 };

/*
 * The first step at which the fault happens.  If only every n-th step is tried,
 * the kinds of faults begin at different steps, so that together they cover
 * all.
 */
static int
first_step(enum fault fault)
{
	return 1 + (int)fault % faults_stride();
}

static void
resume_run(void)
{
	run_fixture_open();
	while (fixture->run.block_count < RUN_FIXTURE_BLOCKS) {
		int next = (int)fixture->run.block_count + 2;

		RUN_FIXTURE_MUST(run_fixture_commit(next, 2) == 0);
		*committed_by_child = (int)fixture->run.block_count;
	}
	run_fixture_close();
}

static void
create_a_run(void)
{
	run_fixture_create();
	*committed_by_child = 0;
	run_fixture_close();
}

/*
 * Runs `work` in a child process with that fault.  True if it came to its end.
 */
static bool
work_in_child(
    void (*work)(void), enum fault fault, int step, enum fault_survivors keep)
{
	*committed_by_child = -1;
	return faults_in_child(fixture->folder, fault, step, keep, work);
}

/* Creates a run with its first blocks. */
static void
begin(void)
{
	run_fixture_create();
	assert_int_equal(run_fixture_commit(KILLED_AT, 3), 0);
}

/*
 * Opens the run, which has at least its first `count` blocks, and finishes it.
 */
static void
end(int count)
{
	run_fixture_open();
	run_fixture_check(count);
	run_fixture_finish();
	folder_remove(fixture->path);
}

/*
 * Kills a run at every step, and each time resumes it and plays it to the end.
 */
static void
kill_at_every_step(enum fault fault, enum fault_survivors keep)
{
	bool finished = false;
	int step = first_step(fault);

	for (; !finished; step += faults_stride()) {
		begin();
		run_fixture_close();
		finished = work_in_child(resume_run, fault, step, keep);
		end(*committed_by_child > KILLED_AT ? *committed_by_child
						    : KILLED_AT);
	}
	/* Each of the four commits has several steps. */
	assert_true(step > 20);
}

TEST(test_run_killed_at_any_step_is_resumed)
{
	kill_at_every_step(FAULT_KILL, FAULT_SURVIVES_NONE);
}

TEST(test_run_killed_within_any_write_is_resumed)
{
	kill_at_every_step(FAULT_TEAR, FAULT_SURVIVES_NONE);
}

TEST(test_run_is_resumed_after_a_loss_of_power)
{
	kill_at_every_step(FAULT_POWER, FAULT_SURVIVES_NONE);
}

TEST(test_run_is_resumed_if_only_records_survive_a_loss_of_power)
{
	kill_at_every_step(FAULT_POWER, FAULT_SURVIVES_RECORDS);
}

TEST(test_run_is_resumed_if_only_results_survive_a_loss_of_power)
{
	kill_at_every_step(FAULT_POWER,
	    (enum fault_survivors)(
		FAULT_SURVIVES_LOG | FAULT_SURVIVES_ALL_ELSE));
}

/* After the fault, the run is complete, or there is no run. */
static void
kill_creation_at_every_step(enum fault fault)
{
	bool finished = false;

	for (int step = 1; !finished; step++) {
		int status;

		finished = work_in_child(
		    create_a_run, fault, step, FAULT_SURVIVES_NONE);
		status = run_open(
		    &fixture->run, fixture->path, true, &fixture->error);
		if (status == 0) {
			fixture->open = true;
			run_fixture_finish();
		} else {
			assert_false(finished);
			assert_int_equal(*committed_by_child, -1);
			assert_true(status == -ENOENT || status == -EBADMSG);
		}
		if (access(fixture->path, F_OK) == 0)
			folder_remove(fixture->path);
	}
}

TEST(test_run_killed_during_creation_is_complete_or_no_run)
{
	kill_creation_at_every_step(FAULT_KILL);
	kill_creation_at_every_step(FAULT_TEAR);
	kill_creation_at_every_step(FAULT_POWER);
}

/*
 * After a failed creation no folder is left, so that the run can be created
 * again.
 */
TEST(test_run_that_cannot_be_created_leaves_no_folder)
{
	const struct shuffle_key secret = { .bytes = { 1 } };
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		faults_arm(
		    fixture->folder, FAULT_DISK, step, FAULT_SURVIVES_NONE);
		status =
		    run_create(&fixture->run, fixture->path, &fixture->head,
			&(struct run_texts){
			    .config = RUN_FIXTURE_CONFIG, .secret = &secret },
			&fixture->error);
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		assert_true(status == 0 || access(fixture->path, F_OK) < 0);
	}
	fixture->open = true;
	run_fixture_finish();
}

/*
 * After run_text_replace() has succeeded, the new name survives a loss of
 * power: files that only the old text needs may be removed.
 */
TEST(test_text_is_replaced_only_after_its_folder_is_synchronised)
{
	bool replaced = false;
	int status = -EIO;

	for (int step = 1; status != 0; step++) {
		char *text;

		assert_int_equal(
		    run_text_replace(fixture->folder, "text", "old"), 0);
		faults_arm(
		    fixture->folder, FAULT_DISK, step, FAULT_SURVIVES_NONE);
		status = run_text_replace(fixture->folder, "text", "new");
		faults_disarm();
		assert_true(status == 0 || status == -EIO);
		assert_int_equal(
		    run_text_read(fixture->folder, "text", &text), 0);
		replaced |= status != 0 && strcmp(text, "new") == 0;
		free(text);
	}
	assert_true(replaced);
}

/*
 * Fills the disk at every step: commits fail without loss, and succeed later.
 */
static void
fill_disk_at_every_step(enum fault fault)
{
	bool finished = false;

	for (int step = first_step(fault); !finished; step += faults_stride()) {
		int status = 0;

		begin();
		faults_arm(fixture->folder, fault, step, FAULT_SURVIVES_NONE);
		while (status == 0 &&
		    fixture->run.block_count < RUN_FIXTURE_BLOCKS)
			status = run_fixture_commit(RUN_FIXTURE_BLOCKS, 2);
		finished = status == 0;
		if (!finished) {
			int64_t count = fixture->run.block_count;

			assert_int_equal(status, -ENOSPC);
			expect_parts(fixture->error.hint, "make room");
			/* The disk stays full, and more blocks are added. */
			run_fixture_add(RUN_FIXTURE_BLOCKS);
			assert_int_equal(
			    run_commit(&fixture->run, &fixture->error),
			    -ENOSPC);
			/* The file has no part of a block, and no committed
			 * block is missing. */
			assert_int_equal(run_fixture_file_size(RUN_RECORDS),
			    fixture->run.record_size +
				(int64_t)fixture->run.bytes_written);
			assert_int_equal(fixture->run.block_count, count);
			assert_int_equal(fixture->run.pending_count,
			    RUN_FIXTURE_BLOCKS - count);
		}
		faults_disarm();
		if (!finished)
			assert_int_equal(
			    run_commit(&fixture->run, &fixture->error), 0);
		run_fixture_check(RUN_FIXTURE_BLOCKS);
		run_fixture_finish();
		folder_remove(fixture->path);
	}
}

TEST(test_full_disk_suspends_the_run)
{
	fill_disk_at_every_step(FAULT_FULL);
}

TEST(test_disk_that_is_full_at_synchronisation_suspends_the_run)
{
	fill_disk_at_every_step(FAULT_FULL_SYNC);
}

/* Commits until the disk is full, and is killed. */
static void
commit_until_the_disk_is_full(void)
{
	run_fixture_open();
	if (run_fixture_commit(RUN_FIXTURE_BLOCKS, 2) == 0)
		return;
	RUN_FIXTURE_MUST(run_commit(&fixture->run, &fixture->error) == -ENOSPC);
	raise(SIGKILL);
}

/*
 * A database that could not be synchronised may contain blocks whose commit has
 * failed: their records must still be there.
 */
TEST(test_run_killed_while_the_disk_is_full_is_resumed)
{
	bool finished = false;

	for (int step = 1; !finished; step += faults_stride()) {
		begin();
		run_fixture_close();
		finished = work_in_child(commit_until_the_disk_is_full,
		    FAULT_FULL_SYNC, step, FAULT_SURVIVES_NONE);
		end(KILLED_AT);
	}
}

/*
 * After a disk error the content of the disk is unknown, so no commit is
 * repeated.
 */
TEST(test_disk_error_ends_the_run)
{
	begin();
	faults_arm(fixture->folder, FAULT_DISK, 1, FAULT_SURVIVES_NONE);
	assert_int_equal(run_fixture_commit(RUN_FIXTURE_BLOCKS, 2), -EIO);
	faults_disarm();
	assert_int_equal(run_commit(&fixture->run, &fixture->error), -EIO);
	run_fixture_close();
	end(KILLED_AT);
}

/* Mounts a small disk; skipped without the right to mount. */
static void
use_read_only_disk(void)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", fixture->folder, "tmpfs", 0, "size=512k") < 0) {
		*committed_by_child = SKIPPED;
		return;
	}
	run_fixture_create();
	run_fixture_finish();
	RUN_FIXTURE_MUST(mount("none", fixture->folder, NULL,
			     MS_REMOUNT | MS_RDONLY, NULL) == 0);
	RUN_FIXTURE_MUST(run_open(&fixture->run, fixture->path, true,
			     &fixture->error) == -EROFS);
	RUN_FIXTURE_MUST(run_open(&fixture->run, fixture->path, false,
			     &fixture->error) == 0);
	run_fixture_check(RUN_FIXTURE_BLOCKS);
	run_close(&fixture->run);
	RUN_FIXTURE_MUST(run_owner(fixture->path) == 0);
}

TEST(test_run_on_a_read_only_disk_can_be_read)
{
	assert_true(work_in_child(
	    use_read_only_disk, FAULT_NONE, 0, FAULT_SURVIVES_NONE));
	if (*committed_by_child == SKIPPED)
		skip();
}

TEST(test_part_of_a_line_is_cut_off_or_the_reason_is_returned)
{
	int ends[2], fd = memfd_create("lines", MFD_CLOEXEC);

	assert_int_equal(run_cut_part_of_line(fd), 0);
	assert_int_equal(run_write_at(fd, "one\ntw", 6, 0), 0);
	assert_int_equal(run_cut_part_of_line(fd), 4);
	assert_int_equal(lseek(fd, 0, SEEK_END), 4);
	assert_int_equal(ftruncate(fd, 2), 0);
	assert_int_equal(run_cut_part_of_line(fd), 0);
	close(fd);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(run_cut_part_of_line(ends[0]), -ESPIPE);
	close(ends[0]);
	close(ends[1]);
}

TEST_EACH(setup, teardown)
