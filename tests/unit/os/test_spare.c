/*
 * What is left of memory and processes, from files as the kernel writes them.
 */
#include "spare.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"
#include "test.h"

TEST_EACH(test_folder_make, test_folder_remove)

/* Writes PATH below the folder of the test, with the folders above it. */
static void
put(const char *path, const char *text)
{
	char folder[FOLDER_SIZE];
	size_t at = 0;

	while ((at = at + 1 + strcspn(path + at + 1, "/")) < strlen(path)) {
		memcpy(folder, path, at);
		folder[at] = '\0';
		(void)mkdir(test_path(folder), 0777);
	}
	folder_write(test_path(path), text);
}

static void
put_machine(void)
{
	put("proc/meminfo",
	    "MemTotal:        1000 kB\nMemFree:   1 kB\nMemAvailable: 600 "
	    "kB\n");
}

TEST(test_nothing_known_is_no_limit)
{
	assert_float_equal(spare_memory(test_folder), 1.0, 1e-9);
	assert_true(spare_processes(test_folder) > 0);
}

TEST(test_memory_is_what_the_machine_can_give)
{
	put_machine();
	assert_float_equal(spare_memory(test_folder), 0.6, 1e-9);
}

TEST(test_the_narrowest_group_counts)
{
	put_machine();
	put("proc/self/cgroup", "0::/a/b\n");
	put("sys/fs/cgroup/a/b/memory.max", "max\n");
	put("sys/fs/cgroup/a/b/memory.current", "700\n");
	assert_float_equal(spare_memory(test_folder), 0.6, 1e-9);
	put("sys/fs/cgroup/a/memory.max", "1000\n");
	put("sys/fs/cgroup/a/memory.current", "900\n");
	assert_float_equal(spare_memory(test_folder), 0.1, 1e-9);
	/* What is only a copy of files can be dropped. */
	put("sys/fs/cgroup/a/memory.stat",
	    "anon 100\ninactive_file 400\nactive_file 400\n");
	assert_float_equal(spare_memory(test_folder), 0.5, 1e-9);
}

TEST(test_groups_of_the_first_version_count_too)
{
	put_machine();
	put("proc/self/cgroup", "8:pids:/\n4:memory:/box\n0::/\n");
	put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1000\n");
	put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "800\n");
	put("sys/fs/cgroup/memory/box/memory.stat",
	    "cache 1\ntotal_inactive_file 100\n");
	assert_float_equal(spare_memory(test_folder), 0.3, 1e-9);
}

TEST(test_processes_are_limited_by_groups_and_the_user)
{
	struct rlimit limit;

	put("proc/self/cgroup", "0::/a\n");
	put("sys/fs/cgroup/a/pids.max", "100\n");
	put("sys/fs/cgroup/a/pids.current", "40\n");
	assert_int_equal(getrlimit(RLIMIT_NPROC, &limit), 0);
	limit.rlim_cur = 80;
	assert_int_equal(setrlimit(RLIMIT_NPROC, &limit), 0);
	assert_int_equal(spare_processes(test_folder), 60);
	put("sys/fs/cgroup/a/pids.current", "101\n");
	assert_int_equal(spare_processes(test_folder), 0);
	put("sys/fs/cgroup/a/pids.max", "max\n");
	assert_int_equal(spare_processes(test_folder), 80);
}
