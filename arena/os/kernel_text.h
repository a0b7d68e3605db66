/*
 * Small files that the kernel makes up when they are read: of /proc, and of
 * control groups.
 */
#ifndef KERNEL_TEXT_H
#define KERNEL_TEXT_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Reads one, as far as `size` goes, as text with NUL at the end.  `path` counts
 * from the folder unless it begins at the root.  Bytes, or -errno.
 */
ssize_t kernel_text_read(
    int folder_fd, const char *path, char *text, size_t size);

#endif
