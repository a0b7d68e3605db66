/*
 * Writing game records.
 *
 * The block of a match grows in memory and reaches its file by one write, so
 * that several programs may write to one file, and a crash leaves at most one
 * block without an end.  docs/records.md describes the format.
 */
#ifndef RECORD_WRITE_H
#define RECORD_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct outbox;

#define RECORD_HEADING "%scopa-record 1\n"

/* Bytes of one block: far more than the longest match there can be. */
enum { RECORD_BLOCK_SIZE_MAX = 1 << 30 };

/*
 * Makes room for `more` items in what `*array` points to, of which `count` are
 * there.  0 or -ENOMEM.
 */
int record_make_room(
    void *array, size_t *capacity, size_t count, size_t more, size_t item_size);

/* The block of one match, whole lines. */
struct record {
	char *bytes; /* owned; not ended by a NUL */
	size_t size;
	size_t capacity;
	int64_t line_count;
};

void record_init(struct record *record);
void record_release(struct record *record);

/* Forgets the lines and keeps the memory. */
void record_clear(struct record *record);

/*
 * Adds whole lines, copied.  0; -ENOMEM; -EFBIG where the block would become
 * too large.
 */
int record_add(struct record *record, const char *bytes, size_t size);

/* Takes what a step has to record out of the outbox.  0 or -errno as above. */
int record_step(struct record *record, struct outbox *outbox);

/* Adds the `sum` line, which ends a block.  0 or -errno as above. */
int record_sum(struct record *record);

/*
 * Opens a file to append blocks to, and makes it where there is none: before a
 * match, so that a bad path is found early.  A descriptor that the caller
 * closes, or -errno.
 */
int record_file_open(const char *path);

/*
 * Appends bytes by one write: behind the heading where the file is empty,
 * behind a line end where somebody's last line has none.  Where not all fits,
 * the file is left as it was.  0 or -errno.
 */
int record_file_append(int fd, const char *bytes, size_t size);

#endif
