/*
 * Implements namespaces.h: new namespaces by unshare(2), and a root folder in
 * memory into which the paths of the file policy are mounted.
 */
#include "namespaces.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confinement.h"
#include "countof.h"
#include "kernel_text.h"

/*
 * The root folder is made here.  Every machine has this folder, and what lies
 * below it is not needed.
 */
#define PLACE "/proc"

/* An empty file, mounted over hidden files.  It has no name in the end. */
#define NOTHING PLACE "/.nothing"

enum { FULL_SIZE = PATH_MAX + sizeof(PLACE) };

static const struct {
	const char *path;
	const char *target;
} links[] = {
	{ PLACE "/dev/fd", "/proc/self/fd" },
	{ PLACE "/dev/stdin", "/proc/self/fd/0" },
	{ PLACE "/dev/stdout", "/proc/self/fd/1" },
	{ PLACE "/dev/stderr", "/proc/self/fd/2" },
};

static void
path_place(char full[FULL_SIZE], const char *path)
{
	snprintf(full, FULL_SIZE, PLACE "%s", path);
}

/* A path that cannot be mounted, or has been removed, is left out. */
static int
pass_over(void)
{
	return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? 0
								      : -errno;
}

static int
folder_make(const char *full)
{
	return mkdir(full, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

/* The folders that lead to a path. */
static int
folders_make(char full[FULL_SIZE])
{
	int status = 0;

	for (char *slash = strchr(full + sizeof(PLACE), '/');
	     slash != NULL && status == 0; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		status = folder_make(full);
		*slash = '/';
	}
	return status;
}

static int
file_make(const char *full)
{
	int fd = open(full, O_WRONLY | O_CREAT | O_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

static int
link_make(const char *full, const char *path)
{
	char target[PATH_MAX];
	ssize_t size = readlink(path, target, sizeof(target) - 1);

	if (size < 0)
		return pass_over();
	target[size] = '\0';
	return symlink(target, full) < 0 && errno != EEXIST ? -errno : 0;
}

/* Whether the path needs a mount of its own. */
static bool
is_mounted(
    const struct file_policy *file_policy, const struct file_policy_item *item)
{
	if (item->inner || file_policy_is_below(item->path, "/proc"))
		return false;
	for (int i = 0; i < file_policy->count; i++) {
		const struct file_policy_item *other = &file_policy->items[i];

		if ((other->kind == FILE_POLICY_READ ||
			other->kind == FILE_POLICY_LIST) &&
		    !other->inner &&
		    file_policy_is_below(item->path, other->path) &&
		    (other < item || strcmp(item->path, other->path) != 0))
			return false;
	}
	return true;
}

static int
item_prepare(
    const struct file_policy *file_policy, const struct file_policy_item *item)
{
	char full[FULL_SIZE];
	struct stat found;
	int status;

	if (item->kind == FILE_POLICY_HIDDEN || !is_mounted(file_policy, item))
		return 0;
	path_place(full, item->path);
	status = folders_make(full);
	if (status < 0)
		return status;
	if (item->kind == FILE_POLICY_LINK)
		return link_make(full, item->path);
	if (item->kind == FILE_POLICY_FOLDER ||
	    item->kind == FILE_POLICY_SCRATCH)
		return folder_make(full);
	if (stat(item->path, &found) < 0)
		return pass_over();
	return S_ISDIR(found.st_mode) ? folder_make(full) : file_make(full);
}

/*
 * All names are made before the first mount.  A name that is made later could
 * be made in a folder of the machine itself.
 */
static int
names_make(const struct file_policy *file_policy)
{
	static const char *const folders[] = { PLACE "/proc", PLACE "/dev",
		PLACE "/tmp" };
	int status = file_make(NOTHING);

	for (int i = 0; i < COUNTOF(folders) && status == 0; i++)
		status = folder_make(folders[i]);
	for (int i = 0; i < COUNTOF(links) && status == 0; i++)
		if (symlink(links[i].target, links[i].path) < 0)
			status = -errno;
	for (int i = 0; i < file_policy->count && status == 0; i++)
		status = item_prepare(file_policy, &file_policy->items[i]);
	/*
	 * In this folder the C library makes shared memory and semaphores that
	 * have names. If files that the bot may read lie there, it stays.
	 */
	if (status == 0 && file_policy->scratch_kib > 0 &&
	    symlink(FILE_POLICY_PLACE, PLACE "/dev/shm") < 0 && errno != EEXIST)
		status = -errno;
	return status;
}

static int
items_mount(const struct file_policy *file_policy, bool devices)
{
	for (int i = 0; i < file_policy->count; i++) {
		const struct file_policy_item *item = &file_policy->items[i];
		bool wanted = devices ? item->kind == FILE_POLICY_WRITE
				      : item->kind == FILE_POLICY_READ ||
			item->kind == FILE_POLICY_LIST;
		char full[FULL_SIZE];

		if (!wanted || !is_mounted(file_policy, item))
			continue;
		path_place(full, item->path);
		if (mount(item->path, full, NULL, MS_BIND | MS_REC, NULL) < 0 &&
		    pass_over() < 0)
			return pass_over();
	}
	return 0;
}

/* Mounts an empty file or folder over each path that must be hidden. */
static int
item_hide(const struct file_policy_item *item)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
	char full[FULL_SIZE];
	struct stat found;
	int status;

	path_place(full, item->path);
	if (lstat(full, &found) < 0)
		return pass_over();
	if (S_ISDIR(found.st_mode))
		status =
		    mount("none", full, "tmpfs", flags, "size=4k,mode=555");
	else
		status = mount(NOTHING, full, NULL, MS_BIND, NULL);
	return status < 0 ? -errno : 0;
}

static int
items_hide(const struct file_policy *file_policy)
{
	int status = 0;

	for (int i = 0; i < file_policy->count && status == 0; i++)
		if (file_policy->items[i].kind == FILE_POLICY_HIDDEN)
			status = item_hide(&file_policy->items[i]);
	return status;
}

/*
 * The entries of /proc that run-time systems read, besides processes.  Another
 * bot could change the numbers in these files, which are those of the machine.
 * So the box has copies that were made at its start and never change.
 */
static const char *const proc_files[] = { "meminfo", "cpuinfo", "uptime",
	"stat", "sys/vm/overcommit_memory", "sys/vm/max_map_count",
	"sys/kernel/pid_max", "sys/kernel/threads-max",
	"sys/kernel/osrelease" };

/*
 * The folders of the copies. A copy has the name of its original after PLACE
 * "/.".
 */
static const char *const proc_folders[] = { "sys", "sys/vm", "sys/kernel" };

/*
 * Files that never change while the machine runs need no copy: each mount takes
 * time.
 */
static const char *const proc_unmoving[] = { "acpi", "bus", "cmdline",
	"config.gz", "consoles", "devices", "dma", "execdomains", "fb",
	"filesystems", "iomem", "ioports", "kallsyms", "misc", "mtrr",
	"partitions", "version" };

static bool
is_listed(const char *name, const char *const names[], int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static int
file_copy(const char *from, const char *to)
{
	char bytes[16384];
	int in = open(from, O_RDONLY | O_CLOEXEC), out, status = 0;
	ssize_t got = 0;

	if (in < 0)
		return pass_over();
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (out < 0)
		status = -errno;
	while (status == 0 && (got = read(in, bytes, sizeof(bytes))) > 0)
		if (write(out, bytes, (size_t)got) != got)
			status = -EIO;
	if (status == 0 && got < 0)
		status = pass_over();
	if (out >= 0)
		close(out);
	close(in);
	return status;
}

static int
proc_copy(void)
{
	char path[64], copy[64];
	int status = 0;

	for (int i = 0; i < COUNTOF(proc_folders) && status == 0; i++) {
		snprintf(copy, sizeof(copy), PLACE "/.%s", proc_folders[i]);
		status = folder_make(copy);
	}
	for (int i = 0; i < COUNTOF(proc_files) && status == 0; i++) {
		snprintf(path, sizeof(path), PLACE "/proc/%s", proc_files[i]);
		snprintf(copy, sizeof(copy), PLACE "/.%s", proc_files[i]);
		status = file_copy(path, copy);
	}
	return status;
}

/*
 * Mounts over an entry of /proc its copy, or nothing.  Entries of processes are
 * numbers, and links lead to these.
 */
static int
proc_hide_entry(const struct dirent *entry)
{
	const char *name = entry->d_name;
	char path[64 + sizeof(entry->d_name)], copy[sizeof(path)];
	const char *cover = entry->d_type == DT_DIR ? PLACE "/.empty" : NOTHING;

	if ((name[0] >= '0' && name[0] <= '9') || name[0] == '.' ||
	    entry->d_type == DT_LNK ||
	    is_listed(name, proc_unmoving, COUNTOF(proc_unmoving)))
		return 0;
	snprintf(path, sizeof(path), PLACE "/proc/%s", name);
	if (is_listed(name, proc_folders, COUNTOF(proc_folders)) ||
	    is_listed(name, proc_files, COUNTOF(proc_files))) {
		snprintf(copy, sizeof(copy), PLACE "/.%s", name);
		cover = copy;
	}
	return mount(cover, path, NULL, MS_BIND, NULL) < 0 ? pass_over() : 0;
}

/*
 * Hides everything in /proc but the processes of the box and the entries in the
 * list.
 */
static int
proc_hide(void)
{
	int status = proc_copy();
	const struct dirent *entry;
	DIR *folder;

	if (status == 0)
		status = folder_make(PLACE "/.empty");
	if (status < 0)
		return status;
	folder = opendir(PLACE "/proc");
	if (folder == NULL)
		return -errno;
	while (status == 0 && (entry = readdir(folder)) != NULL)
		status = proc_hide_entry(entry);
	closedir(folder);
	return status;
}

/* For the whole tree of mounts. */
static int
forbid(uint64_t attributes)
{
	struct mount_attr forbidden = { .attr_set = attributes };

	return mount_setattr(AT_FDCWD, PLACE, AT_RECURSIVE, &forbidden,
		   sizeof(forbidden)) < 0
	    ? -errno
	    : 0;
}

/*
 * Mounts a /proc that shows only the box.  Containers that hide parts of /proc
 * refuse that; an empty folder is no help, as Java does not start without /proc.
 */
static int
rootfs_mount_proc(const char *path)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	return mount("proc", path, "proc", flags, NULL) < 0 ? -errno : 0;
}

/* At most one file for each page, because small files take memory, too. */
static int
scratch_mount(int kib)
{
	char options[64];

	snprintf(options, sizeof(options), "size=%dk,nr_inodes=%d,mode=700",
	    kib, kib / 4 + 1);
	return mount("none", PLACE FILE_POLICY_PLACE, "tmpfs",
		   MS_NOSUID | MS_NODEV, options) < 0
	    ? -errno
	    : 0;
}

/* Device files may be used in /dev only. */
static int
rootfs_fill(const struct file_policy *file_policy)
{
	int status = names_make(file_policy);

	if (status == 0)
		status = items_mount(file_policy, false);
	if (status == 0)
		status = items_hide(file_policy);
	if (status == 0)
		status = forbid(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	if (status == 0)
		status = items_mount(file_policy, true);
	if (status == 0)
		status = rootfs_mount_proc(PLACE "/proc");
	if (status == 0)
		status = proc_hide();
	if (status == 0 && unlink(NOTHING) < 0)
		status = -errno;
	if (status == 0)
		status = forbid(MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID);
	if (status == 0 && file_policy->scratch_kib > 0)
		status = scratch_mount(file_policy->scratch_kib);
	return status;
}

/* The old root is mounted over the new one for a moment. */
static int
rootfs_pivot(void)
{
	if (chdir(PLACE) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
	    umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return -errno;
	return 0;
}

/* The previous working folder; the root if it is unknown. */
static int
rootfs_return(const struct file_policy *file_policy)
{
	for (int i = 0; i < file_policy->count; i++)
		if (file_policy->items[i].kind == FILE_POLICY_FOLDER)
			return chdir(file_policy->items[i].path) < 0 ? -errno
								     : 0;
	return 0;
}

/*
 * Makes it the root of the caller and of the box, and detaches the root of the
 * machine.  Hidden paths that exist are empty in it.  After a failure the
 * caller must end.
 */
static int
rootfs_enter(const struct file_policy *file_policy)
{
	int status;
	mode_t mask;

	if (mount("none", PLACE, "tmpfs", MS_NOSUID | MS_NODEV,
		"size=4m,mode=755") < 0)
		return -errno;
	/* The bot must be able to enter the folders, whatever the umask is. */
	mask = umask(022);
	status = rootfs_fill(file_policy);
	umask(mask);
	if (status == 0)
		status = rootfs_pivot();
	return status == 0 ? rootfs_return(file_policy) : status;
}

/* The user has the same id inside and outside of the namespace. */
static int
put_map(const char *path, unsigned id)
{
	char map[64];

	snprintf(map, sizeof(map), "%u %u 1", id, id);
	return kernel_text_write(AT_FDCWD, path, map);
}

int
namespaces_make(void)
{
	const int spaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS |
	    CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
	unsigned uid = getuid(), gid = getgid();
	int status;

	if (unshare(spaces) < 0)
		return -errno;
	status = kernel_text_write(AT_FDCWD, "/proc/self/setgroups", "deny");
	if (status == 0)
		status = put_map("/proc/self/uid_map", uid);
	if (status == 0)
		status = put_map("/proc/self/gid_map", gid);
	return status;
}

int
namespaces_enter(const struct file_policy *rootfs)
{
	int status;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	status =
	    rootfs != NULL ? rootfs_enter(rootfs) : rootfs_mount_proc("/proc");
	return status == 0 ? capability_drop() : status;
}
