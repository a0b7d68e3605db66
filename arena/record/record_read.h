/*
 * Reading game records: a stream of records, one for each match, from any
 * descriptor.
 *
 * No content of a file stops the reader.  A broken record carries a fault with
 * the number of the line and the reason.  The records before and after it are
 * read normally.
 */
#ifndef RECORD_READ_H
#define RECORD_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "game.h"

enum {
	RECORD_LINE_SIZE_MAX = GAME_LINE_SIZE_MAX,
	RECORD_BUFFER_SIZE = 65536,
	RECORD_FAULT_SIZE = 512
};

/* A fault: the line that is wrong, and the reason. */
struct record_fault {
	int64_t line; /* number in the input, from 1; 0: no fault */
	/* reason; may contain bytes of an untrusted file */
	char text[RECORD_FAULT_SIZE];
};

/* A line of a record. */
struct record_line {
	size_t begin;    /* offset in the bytes of the record */
	uint32_t length; /* bytes, without LF or CRLF */
	uint32_t size;   /* bytes, with LF or CRLF */
	int64_t number;  /* number in the input, from 1 */
	/* kind of its verb; EVENT_KIND_COUNT: the verb is unknown */
	enum event_kind kind;
};

/* The record of one game, as it was read. */
struct game_record {
	char *bytes; /* owned; from `match` to `sum`, as they were read */
	size_t size;
	size_t capacity;
	struct record_line *lines; /* owned; the first line is `match` */
	size_t line_count;
	size_t line_capacity;
	int64_t first_line; /* numbers in the input */
	int64_t last_line;
	bool outside; /* these lines come before any `match` line */
	bool summed;  /* the last line is `sum` */
	bool ended;   /* the input has ended before a `sum` line */
	/* If set, the lines from the fault on are missing. */
	struct record_fault fault;
};

/*
 * A reader continues where the last record ended.  Except for `fd`, the fields
 * are private.
 */
struct record_reader {
	int fd;             /* owned by the caller; -1: bytes in memory */
	const char *source; /* these bytes, or `buffer` */
	size_t record_size_max;
	int64_t line_number;
	bool any_match; /* some line so far was a `match` line */
	char buffer[RECORD_BUFFER_SIZE];
	size_t begin, end; /* bytes of the source that are not used yet */
	/* Current line with its line end. */
	char line[RECORD_LINE_SIZE_MAX + 2];
	size_t line_size;
	bool line_cut;  /* the line was too long for `line` */
	bool line_held; /* the line belongs to the next record */
};

/* Sets the fault unless it is already set.  Always returns false. */
bool record_fault_set(struct record_fault *fault, int64_t line,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

void record_reader_init(struct record_reader *reader, int fd);

/* The same of bytes in memory, which must live as long as the reader. */
void record_reader_init_bytes(
    struct record_reader *reader, const char *bytes, size_t size);

void game_record_init(struct game_record *record);
void game_record_release(struct game_record *record);

/*
 * Reads the next record into `record` and reuses the memory of `record`.  A
 * record ends with `sum`, before the next `match` line, or at the end of the
 * input. Returns 1 if a record was read, 0 at the end of the input, or -errno
 * if the input cannot be read or memory is short.
 */
int record_read(struct record_reader *reader, struct game_record *record);

/* The bytes of a line, without a NUL. */
static inline const char *
record_line_bytes(
    const struct game_record *record, const struct record_line *line)
{
	return record->bytes + line->begin;
}

/*
 * Parses a line as an event.  Returns false if the line is not a known event (a
 * comment, for example), and sets the fault unless `fault` is NULL.
 */
bool record_line_event(const struct game_record *record,
    const struct record_line *line, struct event *event,
    struct record_fault *fault);

/*
 * Parses the next line that is a known event, from line *index on, and moves
 * *index after it.  Returns false if there is no more such line.
 */
bool record_event_next(
    const struct game_record *record, size_t *index, struct event *event);

/* Whether the first word of the line is `verb`. */
bool record_line_is(const char *bytes, size_t length, const char *verb);

/*
 * The head of a record: everything about the game that is known before the
 * first card.  Only `match ID rules=` is required; the rules give what is
 * missing. Lines that contradict each other are a fault.
 */
struct record_head {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct game_head game;
	int deals; /* number of deals if the game has a fixed number, else 0 */
	bool target_said; /* the `match` line names the target */
};

/*
 * Reads the head of a record.  Returns false and sets the fault if the head is
 * wrong.
 */
bool record_head_read(const struct game_record *record,
    struct record_head *head, struct record_fault *fault);

#endif
