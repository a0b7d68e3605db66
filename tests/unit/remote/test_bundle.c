/*
 * Bundles: the same bytes for the same files, what is refused, and unpacking of
 * what somebody else has written.
 */
#include "bundle.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"

TEST_EACH(test_folder_make, test_folder_remove)

static struct store_error error;

static const char *const whole[] = { "." };

static void
make_folder(const char *name)
{
	assert_int_equal(mkdir(test_path(name), 0755), 0);
}

static void
put(const char *name, const char *text, mode_t mode)
{
	folder_write(test_path(name), text);
	assert_int_equal(chmod(test_path(name), mode), 0);
}

/* A bot with two files below `bot`, and an empty cache. */
static void
put_bot(void)
{
	make_folder("bot");
	make_folder("bot/lib");
	make_folder("cache");
	put("bot/bot.py", "#!/usr/bin/env python3\n", 0755);
	put("bot/lib/cards.py", "cards = 40\n", 0644);
}

/* Makes a bundle of files and folders of `bot`; 0 or -errno. */
static int
make(struct bundle *bundle, const char *const *paths, int count)
{
	memset(&error, 0, sizeof(error));
	return bundle_make(bundle, test_path("bot"), paths, count, &error);
}

static void
assert_refused(const char *path, const char *why)
{
	struct bundle bundle;

	assert_true(make(&bundle, &path, 1) < 0);
	assert_null(bundle.bytes);
	assert_non_null(strstr(error.what, why));
}

static void
digest_of(const char *bytes, size_t size, uint8_t digest[BUNDLE_DIGEST_SIZE])
{
	crypto_hash_sha256(digest, (const unsigned char *)bytes, size);
}

/* Takes a bundle of these bytes by their true digest; 0 or -errno. */
static int
take(struct bundle *bundle, const char *bytes, size_t size)
{
	uint8_t digest[BUNDLE_DIGEST_SIZE];
	char *copy = malloc(size + 1);

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	digest_of(bytes, size, digest);
	memset(&error, 0, sizeof(error));
	return bundle_take(bundle, copy, size, digest, &error);
}

/* How many names are in the cache. */
static int
cache_count(void)
{
	DIR *folder = opendir(test_path("cache"));
	int count = -2; /* without `.` and `..` */

	assert_non_null(folder);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

/* Makes the folders below `name` writable, so that they can be removed. */
static void
open_folders(const char *name)
{
	char command[256];

	snprintf(
	    command, sizeof(command), "chmod -R u+w '%s'", test_path(name));
	assert_int_equal(system(command), 0);
}

static void
assert_file(const char *folder, const char *name, const char *text, mode_t mode)
{
	char path[PATH_MAX], bytes[256] = "";
	struct stat found;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 07777, mode);
	file = fopen(path, "re");
	assert_non_null(file);
	bytes[fread(bytes, 1, sizeof(bytes) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(bytes, text);
}

TEST(test_a_bundle_is_a_list_and_the_bytes)
{
	struct bundle bundle;

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(bundle.size, strlen(bundle.bytes));
	assert_string_equal(bundle.bytes,
	    "scopa-bundle 1\n"
	    "x 23 bot.py\n"
	    "- 11 lib/cards.py\n"
	    "\n"
	    "#!/usr/bin/env python3\n"
	    "cards = 40\n");
	bundle_release(&bundle);
}

TEST(test_the_digest_depends_on_names_modes_and_bytes_alone)
{
	static const char *const parts[] = { "lib/", "./bot.py",
		"lib//cards.py" };
	struct bundle one, other;

	put_bot();
	assert_int_equal(make(&one, whole, 1), 0);
	put("bot/bot.py", "#!/usr/bin/env python3\n", 0711);
	make_folder("bot/empty");
	make_folder("bot/.git");
	put("bot/.git/config", "x", 0644);
	make_folder("bot/lib/__pycache__");
	put("bot/lib/__pycache__/cards.pyc", "x", 0644);
	assert_int_equal(make(&other, parts, 3), 0);
	assert_memory_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	assert_int_equal(make(&other, whole, 1), 0);
	assert_memory_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	put("bot/bot.py", "#!/usr/bin/env python3\n", 0644);
	assert_int_equal(make(&other, whole, 1), 0);
	assert_memory_not_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	bundle_release(&one);
}

TEST(test_a_bundle_is_unpacked_read_only)
{
	struct bundle bundle;
	char path[PATH_MAX], hex[BUNDLE_HEX_SIZE];
	struct stat found;

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	bundle_hex(bundle.digest, hex);
	assert_string_equal(strrchr(path, '/') + 1, hex);
	assert_file(path, "bot.py", "#!/usr/bin/env python3\n", 0555);
	assert_file(path, "lib/cards.py", "cards = 40\n", 0444);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 07777, 0555);
	assert_int_equal(bundle_check(path, bundle.digest, NULL, &error), 0);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	bundle_release(&bundle);
	open_folders("cache");
}

/* Changes the unpacked bot by a shell command and expects that this is seen. */
static void
assert_change_is_seen(const char *format, int status)
{
	struct bundle bundle;
	char path[PATH_MAX], command[2 * PATH_MAX];

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	open_folders("cache");
	snprintf(command, sizeof(command), "cd '%s' && %s", path, format);
	assert_int_equal(system(command), 0);
	assert_int_equal(
	    bundle_check(path, bundle.digest, NULL, &error), status);
	/* It is mended where it is unpacked again. */
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	assert_int_equal(bundle_check(path, bundle.digest, NULL, &error), 0);
	assert_int_equal(cache_count(), 2);
	bundle_release(&bundle);
	open_folders("cache");
}

/* Unpacks a bot of one file that was used at this time last. */
static void
unpack_used(const char *bytes, time_t used_s, char path[PATH_MAX])
{
	const struct timespec times[] = { { used_s, 0 }, { used_s, 0 } };
	struct bundle bundle;

	assert_int_equal(
	    bundle_make_file(&bundle, "bot", bytes, strlen(bytes), &error), 0);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	bundle_release(&bundle);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(test_a_cache_keeps_what_is_held_or_was_used_last)
{
	char held[PATH_MAX], old[PATH_MAX], last[PATH_MAX];
	int fd;

	put_bot();
	unpack_used("held", 1, held);
	fd = bundle_hold(held);
	assert_true(fd >= 0);
	unpack_used("held", 1, held);
	unpack_used("last", 3, last);
	unpack_used("old", 2, old);
	bundle_cache_prune(test_path("cache"), 3);
	assert_int_equal(access(old, F_OK), 0);
	bundle_cache_prune(test_path("cache"), 1);
	assert_int_equal(access(held, F_OK), 0);
	assert_int_equal(access(last, F_OK), 0);
	assert_int_equal(bundle_hold(old), -ENOENT);
	assert_int_equal(close(fd), 0);
	bundle_cache_prune(test_path("cache"), 0);
	/* Its lock is left. */
	assert_int_equal(cache_count(), 1);
}

TEST(test_changed_bytes_are_seen)
{
	assert_change_is_seen(
	    "echo cards = 41 >lib/cards.py && chmod -R a-w .", -EBADMSG);
}

TEST(test_a_further_file_is_seen)
{
	assert_change_is_seen("mkdir __pycache__ && echo >__pycache__/x.pyc && "
			      "chmod -R a-w .",
	    -EBADMSG);
}

TEST(test_a_missing_file_is_seen)
{
	assert_change_is_seen("rm lib/cards.py && chmod -R a-w .", -EBADMSG);
}

TEST(test_a_link_in_place_of_a_file_is_seen)
{
	assert_change_is_seen("mv bot.py lib/cards.py && ln -s lib/cards.py "
			      "bot.py && chmod -R a-w lib",
	    -EBADMSG);
}

TEST(test_a_file_that_may_be_written_is_seen)
{
	assert_change_is_seen("chmod u+w bot.py", -EBADMSG);
}

TEST(test_links_that_stay_are_followed)
{
	struct bundle one, other;

	put_bot();
	assert_int_equal(make(&one, whole, 1), 0);
	assert_int_equal(
	    rename(test_path("bot/bot.py"), test_path("bot/lib/real.py")), 0);
	assert_int_equal(symlink("lib/real.py", test_path("bot/bot.py")), 0);
	assert_int_equal(
	    make(&other, (const char *const[]){ "bot.py", "lib/cards.py" }, 2),
	    0);
	assert_memory_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	bundle_release(&one);
}

TEST(test_what_is_no_file_of_the_bot_is_refused)
{
	put_bot();
	put("secret", "x", 0644);
	assert_int_equal(symlink("../secret", test_path("bot/leak")), 0);
	assert_refused(".", "leads out");
	assert_refused("leak", "leads out");
	assert_refused("../secret", "does not lie below");
	assert_refused("/etc/passwd", "does not lie below");
	assert_refused("lib/../../secret", "does not lie below");
	assert_refused("missing", "No such file");
	assert_int_equal(unlink(test_path("bot/leak")), 0);
	assert_int_equal(mkfifo(test_path("bot/pipe"), 0644), 0);
	assert_refused(".", "pipe");
	assert_int_equal(unlink(test_path("bot/pipe")), 0);
	assert_int_equal(symlink(".", test_path("bot/self")), 0);
	assert_refused(".", "too many parts");
	assert_int_equal(unlink(test_path("bot/self")), 0);
	put("bot/a\nb", "x", 0644);
	assert_refused(".", "control characters");
}

TEST(test_a_folder_without_files_is_refused)
{
	put_bot();
	make_folder("bot/empty");
	assert_refused("empty", "no file");
}

TEST(test_a_run_is_left_out)
{
	struct bundle one, other;

	put_bot();
	assert_int_equal(make(&one, whole, 1), 0);
	make_folder("bot/runs");
	make_folder("bot/runs/cup");
	put("bot/runs/cup/results.db", "x", 0644);
	put("bot/runs/cup/secret", "x", 0600);
	assert_int_equal(make(&other, whole, 1), 0);
	assert_memory_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	assert_refused("runs/cup/secret", "belongs to a run");
	assert_refused("runs/cup", "belongs to a run");
	assert_int_equal(
	    symlink("../runs/cup/secret", test_path("bot/lib/leak")), 0);
	assert_int_equal(make(&other, whole, 1), 0);
	assert_memory_equal(one.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	bundle_release(&one);
}

TEST(test_limits_of_a_bundle)
{
	char name[64];

	put_bot();
	put("bot/huge", "", 0644);
	assert_int_equal(truncate(test_path("bot/huge"), INT64_C(1) << 40), 0);
	assert_refused(".", "64 MiB");
	assert_int_equal(unlink(test_path("bot/huge")), 0);
	make_folder("bot/many");
	for (int i = 0; i <= BUNDLE_FILES_MAX; i++) {
		snprintf(name, sizeof(name), "bot/many/%d", i);
		folder_write(test_path(name), "");
	}
	assert_refused(".", "4096 files");
}

TEST(test_a_wrong_digest_is_refused)
{
	struct bundle bundle, other;
	char *bytes;

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	bytes = malloc(bundle.size);
	assert_non_null(bytes);
	memcpy(bytes, bundle.bytes, bundle.size);
	bytes[bundle.size - 1] ^= 1;
	assert_int_equal(
	    bundle_take(&other, bytes, bundle.size, bundle.digest, &error),
	    -EBADMSG);
	assert_non_null(strstr(error.what, "changed on its way"));
	assert_int_equal(take(&other, bundle.bytes, bundle.size), 0);
	assert_memory_equal(other.digest, bundle.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
	bundle_release(&bundle);
}

/* Bytes with a true digest that are no bundle all the same. */
static const char *const hostile[] = {
	"",
	"\n",
	"scopa-bundle 1\n",
	"scopa-bundle 1\n\n",
	"scopa-bundle 2\n- 1 a\n\nx",
	"scopa-bundle 1\n- 1 a\n",
	"scopa-bundle 1\n- 1 a\nx",
	"scopa-bundle 1\n- 1 a\n\n",
	"scopa-bundle 1\n- 1 a\n\nxy",
	"scopa-bundle 1\n- -1 a\n\n",
	"scopa-bundle 1\n- 01 a\n\nx",
	"scopa-bundle 1\n- 99999999999999999999 a\n\nx",
	"scopa-bundle 1\n- 67108865 a\n\nx",
	"scopa-bundle 1\nd 0 a\n\n",
	"scopa-bundle 1\n-1 a\n\nx",
	"scopa-bundle 1\n- 1\n\nx",
	"scopa-bundle 1\n- 1 \n\nx",
	"scopa-bundle 1\n- 1 /etc/passwd\n\nx",
	"scopa-bundle 1\n- 1 ../a\n\nx",
	"scopa-bundle 1\n- 1 a/../../b\n\nx",
	"scopa-bundle 1\n- 1 ..\n\nx",
	"scopa-bundle 1\n- 1 .\n\nx",
	"scopa-bundle 1\n- 1 ./a\n\nx",
	"scopa-bundle 1\n- 1 a/./b\n\nx",
	"scopa-bundle 1\n- 1 a//b\n\nx",
	"scopa-bundle 1\n- 1 a/\n\nx",
	"scopa-bundle 1\n- 1 a\x01\n\nx",
	"scopa-bundle 1\n- 1 a\x7f\n\nx",
	/* twice, out of order, a file that is a folder, too */
	"scopa-bundle 1\n- 1 a\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 b\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 a\n- 1 a/b\n\nxx",
	"scopa-bundle 1\n- 1 a/b\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 a-b\n- 1 a/b\n\nxx",
	"scopa-bundle 1\n- 1 a\n- 1 a-b\n- 1 a/b\n\nxxx",
};

TEST(test_hostile_bundles_are_refused)
{
	struct bundle bundle;

	for (int i = 0; i < COUNTOF(hostile); i++) {
		assert_int_equal(
		    take(&bundle, hostile[i], strlen(hostile[i])), -EBADMSG);
		assert_non_null(strstr(error.what, "none that this program"));
	}
	assert_int_equal(
	    take(&bundle, "scopa-bundle 1\n- 1 a\0b\n\nx", 25), -EBADMSG);
	assert_int_equal(
	    take(&bundle, "scopa-bundle 1\n- 1 a/b\n- 1 a-b\n\nxx", 34), 0);
	bundle_release(&bundle);
}

/* A list of so many files, and one whose path has so many parts. */
static void
assert_list_is_refused(const char *part, int count, int files)
{
	char *text = NULL;
	size_t size;
	struct bundle bundle;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	fputs("scopa-bundle 1\n", file);
	for (int i = 0; i < files; i++)
		fprintf(file, "- 0 a%05d\n", i);
	fputs("- 0 z", file);
	for (int i = 0; i < count; i++)
		fputs(part, file);
	fputs("\n\n", file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(take(&bundle, text, size), -EBADMSG);
	free(text);
}

TEST(test_lists_beyond_the_limits_are_refused)
{
	assert_list_is_refused("z", NAME_MAX, 0);
	assert_list_is_refused("/zzzzzzzz", BUNDLE_PATH_SIZE / 8, 0);
	assert_list_is_refused("/z", BUNDLE_DEPTH_MAX + 1, 0);
	assert_list_is_refused("", 0, BUNDLE_FILES_MAX);
}

TEST(test_what_a_dead_process_left_is_removed)
{
	struct bundle bundle;
	char path[PATH_MAX], hex[BUNDLE_HEX_SIZE], name[128];

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	bundle_hex(bundle.digest, hex);
	snprintf(name, sizeof(name), "cache/%s.part", hex);
	make_folder(name);
	snprintf(name, sizeof(name), "cache/%s.part/bot.py", hex);
	put(name, "#!", 0600);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), 0);
	assert_int_equal(bundle_check(path, bundle.digest, NULL, &error), 0);
	/* the folder and the lock */
	assert_int_equal(cache_count(), 2);
	bundle_release(&bundle);
	open_folders("cache");
}

TEST(test_what_cannot_be_written_leaves_nothing)
{
	const struct rlimit small = { 1 << 16, RLIM_INFINITY };
	static char zeros[1 << 18];
	struct bundle bundle;
	struct rlimit before;
	char path[PATH_MAX];

	put_bot();
	memset(zeros, '0', sizeof(zeros) - 1);
	put("bot/lib/weights", zeros, 0644);
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("cache"), path, &error), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(error.what, "unpack a bot into"));
	/* the lock */
	assert_int_equal(cache_count(), 1);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("nowhere"), path, &error),
	    -ENOENT);
	bundle_release(&bundle);
}

TEST(test_many_processes_unpack_one_bundle_at_once)
{
	enum { PROCESSES = 8 };
	struct bundle bundle;
	char path[PATH_MAX];
	int start[2], status;
	char byte;

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(pipe(start), 0);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child > 0)
			continue;
		/* All begin when the parent closes its end. */
		close(start[1]);
		if (read(start[0], &byte, 1) != 0 ||
		    bundle_unpack(&bundle, test_path("cache"), path, &error) <
			0 ||
		    bundle_check(path, bundle.digest, NULL, &error) < 0)
			_exit(1);
		_exit(0);
	}
	close(start[0]);
	close(start[1]);
	for (int i = 0; i < PROCESSES; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(cache_count(), 2);
	bundle_release(&bundle);
	open_folders("cache");
}

TEST(test_the_files_of_a_bundle_are_listed)
{
	struct bundle bundle;
	char **files;

	put_bot();
	assert_int_equal(make(&bundle, whole, 1), 0);
	files = bundle_files(&bundle);
	assert_non_null(files);
	assert_string_equal(files[0], "bot.py");
	assert_string_equal(files[1], "lib/cards.py");
	assert_null(files[2]);
	free(files);
	bundle_release(&bundle);
}
