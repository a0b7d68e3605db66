/*
 * Small files that the kernel makes up when they are read: of /proc, and of
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
 * Reads one, as far as `size` goes, as text with NUL at the end.  `path` counts
 * from the folder unless it begins at the root.  Bytes, or -errno.
 */
ssize_t kernel_text_read(
    int folder_fd, const char *path, char *text, size_t size);

/* Writes a text to one, by one write(2).  0 or -errno. */
int kernel_text_write(int folder_fd, const char *path, const char *text);

/* Of /proc/PID/stat. */
struct process_stat {
	char state; /* `R`, `S`, `T`, `Z`.. */
	pid_t parent;
	int64_t reaped_ns; /* CPU time of children that were reaped */
	long thread_count;
	unsigned long long start_ticks; /* since the boot, when it started */
};

/*
 * Of a process of the /proc that is open (AT_FDCWD: of that which can be seen), or
 * 0: the caller's.  False: gone.
 */
bool process_stat_read(int proc_fd, pid_t pid, struct process_stat *stat);

/* Opens /proc, for when it cannot be seen any more: a descriptor or -errno. */
int proc_open(void);

/* As opendir(3), counted from a folder.  NULL and errno where it is refused. */
DIR *folder_open(int folder_fd, const char *path);

#endif
