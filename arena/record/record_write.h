/*
 * Writing game records.
 *
 * The record of a match is built in memory and written to its file by one
 * write. So several programs may write to the same file, and a crash leaves at
 * most one incomplete record. docs/records.md describes the format.
 */
#ifndef RECORD_WRITE_H
#define RECORD_WRITE_H

#include <stddef.h>
#include <stdint.h>

struct outbox;

#define RECORD_HEADING "%scopa-record 1\n"

/*
 * Greatest size of a record, in bytes: much more than the longest possible
 * match.
 */
enum { RECORD_SIZE_MAX = 1 << 30 };

/*
 * Makes room for `more` items in the array that `*array` points to, which holds
 * `count` items.  Updates *array and *capacity.  Returns 0 or -ENOMEM.
 */
int record_make_room(
    void *array, size_t *capacity, size_t count, size_t more, size_t item_size);

/* The record of one game while it is written, as complete lines. */
struct record {
	char *bytes; /* owned; no NUL at the end */
	size_t size;
	size_t capacity;
	int64_t line_count;
};

void record_init(struct record *record);
void record_release(struct record *record);

/*
 * Removes the lines; the memory is kept for the next record, unless it is very
 * large.
 */
void record_clear(struct record *record);

/*
 * Adds complete lines, which are copied.  Returns 0, -ENOMEM, or -EFBIG if the
 * record would become too large.
 */
int record_add(struct record *record, const char *bytes, size_t size);

/*
 * Moves the record lines of a step from the outbox to the record.  Returns 0 or
 * -errno as record_add.
 */
int record_step(struct record *record, struct outbox *outbox);

/*
 * Adds the `sum` line, which ends a record.  Returns 0 or -errno as record_add.
 */
int record_sum(struct record *record);

/*
 * Opens a file to which records are appended, and creates it if it does not
 * exist.  Called before a match, so that a wrong path is noticed early.
 * Returns a descriptor, which the caller closes, or -errno: -EBADMSG for a file
 * with another content than records.
 */
int record_file_open(const char *path);

/*
 * Appends bytes by one write.  An empty file gets the heading first; if the
 * last line of the file is incomplete, a line end comes first.  If not all
 * bytes fit, the file keeps its earlier content.  Returns 0 or -errno.
 */
int record_file_append(int fd, const char *bytes, size_t size);

#endif
