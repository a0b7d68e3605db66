/*
 * Small files that the kernel creates when they are read: those of /proc and of
 * control groups.
 */
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads at most `size` - 1 bytes of such a file as text with a NUL.  `path` is
 * relative to the folder unless it begins with `/`.  Returns the number of
 * bytes, or -errno.
 */
ssize_t kernel_text_read(
    int folder_fd, const char *path, char *text, size_t size);

/* Writes a text to such a file by one write(2).  Returns 0 or -errno. */
int kernel_text_write(int folder_fd, const char *path, const char *text);

/* Fields of /proc/PID/stat. */
struct process_stat {
	char state; /* `R`, `S`, `T`, `Z` and others, see proc(5) */
	pid_t parent;
	int64_t reaped_ns; /* CPU time of the children that it has reaped */
	/* Start time in clock ticks since the boot. */
	unsigned long long start_ticks;
};

/*
 * Reads the stat of a process from an open /proc (AT_FDCWD: from the /proc that
 * is mounted).  `pid` 0 is the caller.  Returns false if the process is gone.
 */
bool process_stat_read(int proc_fd, pid_t pid, struct process_stat *stat);

/*
 * Opens /proc, so that it can be read after it is hidden.  Returns a descriptor
 * that the caller closes, or -errno.
 */
int proc_open(void);

/*
 * As opendir(3), but relative to a folder, and fails with ENOTDIR if the path
 * ends in a link.  Returns NULL and sets errno on failure.
 */
DIR *folder_open(int folder_fd, const char *path);

#endif
