/*
 * Bundles: the same files give the same bytes, which files are refused, and the
 * unpacking of bundles from another machine.
 */
#include "bundle.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "test.h"

static struct store_error error;

static const char *const whole[] = { "." };

/* The bundle of the bot of a test, and the folder where it was unpacked. */
static struct bundle bundle;
static char path[PATH_MAX];

/* Whether unlinkat() below replaces the folder `other` by a link. */
static bool link_comes;

/* Replaces the function of the C library; afterwards, it makes the link. */
int
unlinkat(int parent_fd, const char *name, int flags)
{
	long status = syscall(SYS_unlinkat, parent_fd, name, flags);
	int failure = errno;

	if (link_comes && strcmp(name, "other") == 0) {
		link_comes = false;
		assert_int_equal(status, -1);
		assert_int_equal(
		    syscall(SYS_unlinkat, parent_fd, name, AT_REMOVEDIR), 0);
		assert_int_equal(
		    symlinkat(test_path("bot"), parent_fd, name), 0);
		errno = failure;
	}
	return (int)status;
}

/* Entries after which readdir() below fails; INT_MAX: it never fails. */
static int entries_left = INT_MAX;

/* Replaces the function of the C library. */
struct dirent *
readdir(DIR *folder)
{
	static struct dirent *(*real)(DIR * folder);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	if (entries_left == INT_MAX || entries_left-- > 0)
		return real(folder);
	errno = EIO;
	return NULL;
}

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

/* Makes a bundle of files and folders of `bot`; 0 or -errno. */
static int
make(struct bundle *made, const char *const *paths, int count)
{
	memset(&error, 0, sizeof(error));
	return bundle_make(made, test_path("bot"), paths, count, &error);
}

static void
assert_same_digest(const char *const *paths, int count)
{
	struct bundle other;

	assert_int_equal(make(&other, paths, count), 0);
	assert_memory_equal(bundle.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
}

static void
assert_refused(const char *name, const char *why)
{
	struct bundle other;

	assert_true(make(&other, &name, 1) < 0);
	assert_null(other.bytes);
	if (strstr(error.what, why) == NULL)
		fail_msg("%s: \"%s\" is not in: %s", name, why, error.what);
}

/* Reads a bundle of these bytes with their correct digest; 0 or -errno. */
static int
parse(struct bundle *other, const char *bytes, size_t size)
{
	uint8_t digest[BUNDLE_DIGEST_SIZE];
	char *copy = malloc(size + 1);

	assert_non_null(copy);
	memcpy(copy, bytes, size);
	crypto_hash_sha256(digest, (const unsigned char *)bytes, size);
	memset(&error, 0, sizeof(error));
	return bundle_parse(other, copy, size, digest, &error);
}

/* The number of names in the cache. */
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

static void
run(const char *folder, const char *command)
{
	char line[2 * PATH_MAX];

	snprintf(line, sizeof(line), "cd '%s' && %s", folder, command);
	assert_int_equal(system(line), 0);
}

static int
unpack(void)
{
	return bundle_unpack(&bundle, test_path("cache"), path, &error);
}

static void
assert_unpacked(void)
{
	assert_int_equal(unpack(), 0);
	assert_int_equal(bundle_check(path, bundle.digest, NULL, &error), 0);
}

/* A bot with two files below `bot`, its bundle, and an empty cache. */
static int
setup(void **state)
{
	test_folder_make(state);
	make_folder("bot");
	make_folder("bot/lib");
	make_folder("cache");
	put("bot/bot.py", "#!/usr/bin/env python3\n", 0755);
	put("bot/lib/cards.py", "cards = 40\n", 0644);
	return make(&bundle, whole, 1);
}

/* Unpacked files are read-only, and must be writable to be removed. */
static int
teardown(void **state)
{
	bundle_release(&bundle);
	run(test_path("cache"), "chmod -R u+w .");
	return test_folder_remove(state);
}

TEST_EACH(setup, teardown)

static void
assert_file(const char *folder, const char *name, const char *text, mode_t mode)
{
	const char *file = folder_path(folder, name);
	struct stat found;

	assert_int_equal(stat(file, &found), 0);
	assert_int_equal(found.st_mode & 07777, mode);
	assert_string_equal(folder_read(file, NULL), text);
}

TEST(test_bundle_is_a_list_and_the_bytes_of_its_files)
{
	assert_int_equal(bundle.size, strlen(bundle.bytes));
	assert_string_equal(bundle.bytes,
	    "scopa-bundle 1\n"
	    "x 23 bot.py\n"
	    "- 11 lib/cards.py\n"
	    "\n"
	    "#!/usr/bin/env python3\n"
	    "cards = 40\n");
}

TEST(test_digest_depends_only_on_names_modes_and_bytes)
{
	static const char *const parts[] = { "lib/", "./bot.py",
		"lib//cards.py" };
	struct bundle other;

	put("bot/bot.py", "#!/usr/bin/env python3\n", 0711);
	make_folder("bot/empty");
	make_folder("bot/.git");
	put("bot/.git/config", "x", 0644);
	make_folder("bot/lib/__pycache__");
	put("bot/lib/__pycache__/cards.pyc", "x", 0644);
	assert_same_digest(parts, 3);
	assert_same_digest(whole, 1);
	put("bot/bot.py", "#!/usr/bin/env python3\n", 0644);
	assert_int_equal(make(&other, whole, 1), 0);
	assert_memory_not_equal(
	    bundle.digest, other.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
}

TEST(test_root_of_the_machine_can_be_the_folder_of_a_bundle)
{
	const char *path_in_root = test_path("bot/lib") + 1;
	struct bundle other;

	assert_int_equal(bundle_make(&other, "/", &path_in_root, 1, &error), 0);
	assert_non_null(strstr(other.bytes, "/bot/lib/cards.py\n"));
	bundle_release(&other);
}

TEST(test_bundle_is_unpacked_read_only)
{
	char hex[BUNDLE_HEX_SIZE];
	struct stat found;

	assert_unpacked();
	bundle_hex(bundle.digest, hex);
	assert_string_equal(strrchr(path, '/') + 1, hex);
	assert_file(path, "bot.py", "#!/usr/bin/env python3\n", 0555);
	assert_file(path, "lib/cards.py", "cards = 40\n", 0444);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 07777, 0555);
	assert_unpacked();
}

/* The files are correct again after the bundle was unpacked again. */
TEST(test_changed_file_in_the_cache_is_found_and_repaired)
{
	static const char *const changes[] = {
		"echo cards = 41 >lib/cards.py && chmod -R a-w .",
		"mkdir __pycache__ && echo >__pycache__/x.pyc && chmod -R a-w "
		".",
		"rm lib/cards.py && chmod -R a-w .",
		"mv bot.py lib/cards.py && ln -s lib/cards.py bot.py && "
		"chmod -R a-w lib",
		/* only the permission to write is added */
		"chmod u+w bot.py",
	};

	assert_unpacked();
	for (int i = 0; i < COUNTOF(changes); i++) {
		run(test_path("cache"), "chmod -R u+w .");
		run(path, changes[i]);
		assert_int_equal(
		    bundle_check(path, bundle.digest, NULL, &error), -EBADMSG);
		assert_unpacked();
		assert_int_equal(cache_count(), 2);
	}
}

/* Unpacks a bot of one file, and sets the time of its last use. */
static void
unpack_used(const char *bytes, time_t used_s, char place[PATH_MAX])
{
	const struct timespec times[] = { { used_s, 0 }, { used_s, 0 } };
	struct bundle one;

	assert_int_equal(
	    bundle_make_file(&one, "bot", bytes, strlen(bytes), &error), 0);
	assert_int_equal(
	    bundle_unpack(&one, test_path("cache"), place, &error), 0);
	bundle_release(&one);
	assert_int_equal(utimensat(AT_FDCWD, place, times, 0), 0);
}

TEST(test_cache_keeps_bundles_that_are_locked_or_recently_used)
{
	char held[PATH_MAX], old[PATH_MAX], last[PATH_MAX];
	int fd;

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
	/* The lock file is left. */
	assert_int_equal(cache_count(), 1);
}

TEST(test_links_within_the_folder_are_followed)
{
	static const char *const names[] = { "bot.py", "lib/cards.py" };

	assert_int_equal(
	    rename(test_path("bot/bot.py"), test_path("bot/lib/real.py")), 0);
	assert_int_equal(symlink("lib/real.py", test_path("bot/bot.py")), 0);
	assert_same_digest(names, 2);
}

TEST(test_files_outside_the_folder_and_special_files_are_refused)
{
	put("secret", "x", 0644);
	assert_int_equal(symlink("../secret", test_path("bot/leak")), 0);
	assert_refused(".", "leads out");
	assert_refused("leak", "leads out");
	assert_refused("../secret", "is not below");
	assert_refused("/etc/passwd", "is not below");
	assert_refused("lib/../../secret", "is not below");
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

TEST(test_folder_without_files_is_refused)
{
	make_folder("bot/empty");
	assert_refused("empty", "no file");
}

TEST(test_folder_that_cannot_be_read_to_its_end_is_refused)
{
	struct bundle other;

	/* `.`, `..` and one of the two files */
	entries_left = 3;
	assert_int_equal(make(&other, whole, 1), -EIO);
	entries_left = INT_MAX;
	assert_null(other.bytes);
}

TEST(test_files_of_a_run_are_excluded)
{
	make_folder("bot/runs");
	make_folder("bot/runs/cup");
	put("bot/runs/cup/results.db", "x", 0644);
	put("bot/runs/cup/secret", "x", 0600);
	assert_same_digest(whole, 1);
	assert_refused("runs/cup/secret", "belongs to a run");
	assert_refused("runs/cup", "belongs to a run");
	assert_int_equal(
	    symlink("../runs/cup/secret", test_path("bot/lib/leak")), 0);
	assert_same_digest(whole, 1);
}

TEST(test_bundle_is_limited_in_size_and_files)
{
	static const char *const many[] = { "lib/many" };
	char name[64];

	put("bot/huge", "", 0644);
	assert_int_equal(truncate(test_path("bot/huge"), INT64_C(1) << 40), 0);
	assert_refused(".", "64 MiB");
	assert_int_equal(unlink(test_path("bot/huge")), 0);
	make_folder("bot/lib/many");
	for (int i = 1; i < BUNDLE_FILES_MAX; i++) {
		snprintf(name, sizeof(name), "bot/lib/many/%d", i);
		folder_write(test_path(name), "");
	}
	assert_refused(".", "4096 files");
	bundle_release(&bundle);
	assert_int_equal(make(&bundle, many, 1), 0);
	assert_unpacked();
}

TEST(test_bundle_with_a_wrong_digest_is_refused)
{
	struct bundle other;
	char *bytes = malloc(bundle.size);

	assert_non_null(bytes);
	memcpy(bytes, bundle.bytes, bundle.size);
	bytes[bundle.size - 1] ^= 1;
	assert_int_equal(
	    bundle_parse(&other, bytes, bundle.size, bundle.digest, &error),
	    -EBADMSG);
	assert_non_null(strstr(error.what, "changed on its way"));
	assert_int_equal(parse(&other, bundle.bytes, bundle.size), 0);
	assert_memory_equal(other.digest, bundle.digest, BUNDLE_DIGEST_SIZE);
	bundle_release(&other);
}

/* Bytes with a correct digest that are no valid bundle. */
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
	"scopa-bundle 1\n- -0 a\n\n",
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
	/* a name twice, names out of order, a file that is also a folder */
	"scopa-bundle 1\n- 1 a\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 b\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 a\n- 1 a/b\n\nxx",
	"scopa-bundle 1\n- 1 a/b\n- 1 a\n\nxx",
	"scopa-bundle 1\n- 1 a-b\n- 1 a/b\n\nxx",
	"scopa-bundle 1\n- 1 a\n- 1 a-b\n- 1 a/b\n\nxxx",
};

TEST(test_hostile_bundles_are_refused)
{
	struct bundle other;

	for (int i = 0; i < COUNTOF(hostile); i++) {
		assert_int_equal(
		    parse(&other, hostile[i], strlen(hostile[i])), -EBADMSG);
		assert_non_null(strstr(error.what, "makes no such bundle"));
	}
	assert_int_equal(
	    parse(&other, "scopa-bundle 1\n- 1 a\0b\n\nx", 25), -EBADMSG);
	assert_int_equal(
	    parse(&other, "scopa-bundle 1\n- 1 a/b\n- 1 a-b\n\nxx", 34), 0);
	bundle_release(&other);
}

/* A list of this many files, and of one whose path has this many parts. */
static void
assert_list_is_refused(const char *part, int count, int files)
{
	char *text = NULL;
	size_t size;
	struct bundle other;
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
	assert_int_equal(parse(&other, text, size), -EBADMSG);
	free(text);
}

TEST(test_lists_beyond_the_limits_are_refused)
{
	assert_list_is_refused("z", NAME_MAX, 0);
	assert_list_is_refused("/zzzzzzzz", BUNDLE_PATH_SIZE / 8, 0);
	assert_list_is_refused("/z", BUNDLE_DEPTH_MAX + 1, 0);
	assert_list_is_refused("", 0, BUNDLE_FILES_MAX);
}

TEST(test_files_of_a_dead_process_are_removed)
{
	char hex[BUNDLE_HEX_SIZE], name[128];

	bundle_hex(bundle.digest, hex);
	snprintf(name, sizeof(name), "cache/%s.part", hex);
	make_folder(name);
	folder_write(folder_path(test_path(name), "bot.py"), "#!");
	assert_unpacked();
	/* the folder and the lock */
	assert_int_equal(cache_count(), 2);
}

TEST(test_link_that_replaces_a_folder_is_not_followed)
{
	struct stat found;

	make_folder("cache/other");
	link_comes = true;
	assert_true(bundle_cache_remove(test_path("cache")) < 0);
	assert_false(link_comes);
	assert_int_equal(stat(test_path("bot"), &found), 0);
	assert_int_equal(found.st_mode & 07777, 0755);
	assert_int_equal(access(test_path("bot/bot.py"), F_OK), 0);
}

TEST(test_failed_unpacking_leaves_no_files)
{
	const struct rlimit small = { 1 << 16, RLIM_INFINITY };
	static char zeros[1 << 18];
	struct rlimit before;

	memset(zeros, '0', sizeof(zeros) - 1);
	put("bot/lib/weights", zeros, 0644);
	bundle_release(&bundle);
	assert_int_equal(make(&bundle, whole, 1), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(unpack(), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(strstr(error.what, "unpack a bot into"));
	/* the lock file */
	assert_int_equal(cache_count(), 1);
	assert_int_equal(
	    bundle_unpack(&bundle, test_path("nowhere"), path, &error),
	    -ENOENT);
}

TEST(test_processes_can_unpack_one_bundle_at_the_same_time)
{
	enum { PROCESSES = 8 };
	int start[2], status;
	char byte;

	assert_int_equal(pipe(start), 0);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child > 0)
			continue;
		/* All children begin when the parent closes its end of the
		 * pipe. */
		close(start[1]);
		if (read(start[0], &byte, 1) != 0 || unpack() < 0 ||
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
}
