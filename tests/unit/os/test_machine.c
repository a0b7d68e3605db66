/*
 * The cores of this process; and the free memory and processes, and the cores
 * that a CPU quota keeps busy, computed from files in the format of the kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "kernel_text.h"
#include "machine.h"
#include "test.h"

TEST(test_lists_of_cores_are_read_and_written)
{
	static const struct {
		const char *read, *written;
		int count;
	} rows[] = {
		{ "0", "0", 1 },
		{ "0,2-5", "0,2-5", 5 },
		{ "7,3,4,5", "7,3-5", 4 },
		{ "1-1,2", "1-2", 2 },
		{ "8191", "8191", 1 },
	};
	struct cores cores;
	char text[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(cores_parse(rows[i].read, &cores));
		assert_int_equal(cores.count, rows[i].count);
		cores_format(&cores, text, sizeof(text));
		assert_string_equal(text, rows[i].written);
	}
}

TEST(test_invalid_list_of_cores_is_refused_and_writes_nothing)
{
	static const char *const bad[] = { "", ",", "0,", ",0", "0,,1", "2-1",
		"0,0", "0-3,2", "-1", "1-", "0 1", "+1", "x", "0x1", "8192",
		"99999999999999999999", "0-1024" };
	struct cores cores = { .count = 1, .ids = { 9 } };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(cores_parse(bad[i], &cores));
	assert_int_equal(cores.count, 1);
	assert_int_equal(cores.ids[0], 9);
}

TEST(test_largest_number_of_cores_is_read)
{
	struct cores cores;

	assert_true(cores_parse("0-1023", &cores));
	assert_int_equal(cores.count, CORES_MAX);
	assert_true(cores_have(&cores, CORES_MAX - 1));
	assert_false(cores_have(&cores, CORES_MAX));
}

TEST(test_text_that_does_not_fit_is_cut)
{
	struct cores cores;
	char text[8];

	assert_true(cores_parse("100,200,300,400", &cores));
	cores_format(&cores, text, sizeof(text));
	assert_string_equal(text, "100,200");
}

TEST(test_pinned_process_may_use_one_core_until_it_is_unpinned)
{
	struct cores before, after;

	assert_null(cores_before_pin());
	assert_int_equal(cores_allowed(&before), 0);
	assert_true(before.count > 0);
	assert_int_equal(cores_pin(before.ids[before.count - 1]), 0);
	assert_int_equal(cores_allowed(&after), 0);
	assert_int_equal(after.count, 1);
	assert_int_equal(after.ids[0], before.ids[before.count - 1]);
	assert_int_equal(cores_pin(8191), -EINVAL);
	assert_int_equal(cores_use(cores_before_pin()), 0);
	assert_int_equal(cores_allowed(&after), 0);
	assert_int_equal(after.count, before.count);
}

/* The core does not exist: an arena may have claimed an existing one. */
TEST(test_claimed_core_cannot_be_claimed_again_until_it_is_released)
{
	int core = 1000000 + getpid();
	int fd = cores_claim(core);

	assert_true(fd >= 0);
	assert_int_equal(cores_claim(core), -EADDRINUSE);
	close(fd);
	fd = cores_claim(core);
	assert_true(fd >= 0);
	close(fd);
}

TEST(test_long_kernel_text_is_cut_and_unreadable_text_is_reported)
{
	char text[8] = "xxxxxxx";

	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc/version", text, 6), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(text[6], 'x');
	assert_int_equal(kernel_text_read(AT_FDCWD, "/proc/self/no-such-file",
			     text, sizeof(text)),
	    -ENOENT);
	assert_int_equal(
	    kernel_text_read(AT_FDCWD, "/proc", text, sizeof(text)), -EISDIR);
}

TEST_EACH(test_folder_make, test_folder_remove)

/* Writes the file `path` in the folder of the test, and makes its folders. */
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

TEST(test_without_files_of_the_kernel_there_is_no_limit)
{
	assert_float_equal(machine_memory_left(test_folder), 1.0, 1e-9);
	assert_true(machine_processes_left(test_folder) > 0);
}

TEST(test_free_memory_is_the_available_share_of_the_machine)
{
	put_machine();
	assert_float_equal(machine_memory_left(test_folder), 0.6, 1e-9);
}

TEST(test_smallest_limit_of_the_control_groups_counts)
{
	put_machine();
	put("proc/self/cgroup", "0::/a/b\n");
	put("sys/fs/cgroup/a/b/memory.max", "max\n");
	put("sys/fs/cgroup/a/b/memory.current", "700\n");
	assert_float_equal(machine_memory_left(test_folder), 0.6, 1e-9);
	put("sys/fs/cgroup/a/memory.max", "1000\n");
	put("sys/fs/cgroup/a/memory.current", "900\n");
	assert_float_equal(machine_memory_left(test_folder), 0.1, 1e-9);
	/* Memory that only caches files can be freed. */
	put("sys/fs/cgroup/a/memory.stat",
	    "anon 100\ninactive_file 400\nactive_file 400\n");
	assert_float_equal(machine_memory_left(test_folder), 0.5, 1e-9);
}

TEST(test_control_groups_of_version_1_count_too)
{
	put_machine();
	put("proc/self/cgroup", "8:pids:/\n4:memory:/box\n0::/\n");
	put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1000\n");
	put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "800\n");
	put("sys/fs/cgroup/memory/box/memory.stat",
	    "cache 1\ntotal_inactive_file 100\n");
	assert_float_equal(machine_memory_left(test_folder), 0.3, 1e-9);
}

TEST(test_processes_are_limited_by_control_groups_and_the_user)
{
	struct rlimit limit;

	put("proc/self/cgroup", "0::/a\n");
	put("sys/fs/cgroup/a/pids.max", "100\n");
	put("sys/fs/cgroup/a/pids.current", "40\n");
	assert_int_equal(getrlimit(RLIMIT_NPROC, &limit), 0);
	limit.rlim_cur = 80;
	assert_int_equal(setrlimit(RLIMIT_NPROC, &limit), 0);
	assert_int_equal(machine_processes_left(test_folder), 60);
	put("sys/fs/cgroup/a/pids.current", "101\n");
	assert_int_equal(machine_processes_left(test_folder), 0);
	put("sys/fs/cgroup/a/pids.max", "max\n");
	assert_int_equal(machine_processes_left(test_folder), 80);
}

TEST(test_cpu_quota_limits_the_cores_that_can_be_busy)
{
	const struct cores cores = { .count = 8 };

	assert_int_equal(machine_cores(test_folder, &cores), 8);
	put("proc/self/cgroup", "5:cpu,cpuacct:/box\n0::/a/b\n");
	put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 8);
	put("sys/fs/cgroup/a/cpu.max", "1000000 100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 8);
	put("sys/fs/cgroup/a/cpu.max", "250000 100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 2);
	put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 1);
	put("sys/fs/cgroup/a/cpu.max", "max 100000\n");
	put("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
	put("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 8);
	put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000\n");
	put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	assert_int_equal(machine_cores(test_folder, &cores), 3);
}
