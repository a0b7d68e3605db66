/*
 * Reading game records: a stream of blocks, one a match, from any descriptor.
 *
 * Nothing that stands in a file can stop the reader.  A block that is broken
 * says where and why, and the ones around it are read all the same.
 */
#ifndef RECORD_READ_H
#define RECORD_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "game.h"

enum {
	/* A line without its end: room for the longest `legal`. */
	RECORD_LINE_SIZE_MAX = 65535,
	RECORD_BUFFER_SIZE = 65536,
	RECORD_FAULT_SIZE = 512
};

/* Where something is wrong, and what. */
struct record_fault {
	int64_t line;                 /* of the input, from 1; 0: nothing is */
	char text[RECORD_FAULT_SIZE]; /* may hold bytes of an untrusted file */
};

/* A line of a block. */
struct record_line {
	size_t begin;    /* in the bytes of the block */
	uint32_t length; /* without LF or CRLF */
	uint32_t size;   /* with it */
	int64_t number;  /* in the input, from 1 */
	enum event_kind
	    kind; /* of its verb; EVENT_KIND_COUNT: it is no event */
};

struct record_block {
	char *bytes; /* owned: from `match` to `sum`, as they came */
	size_t size;
	size_t capacity;
	struct record_line *lines; /* owned; the first is `match` */
	size_t line_count;
	size_t line_capacity;
	int64_t first_line; /* numbers in the input */
	int64_t last_line;
	bool outside;              /* lines that follow no `match` */
	bool summed;               /* the last line is `sum` */
	struct record_fault fault; /* the lines are then not all there */
};

/* Goes on where the last block ended; all fields are its own. */
struct record_reader {
	int fd; /* the caller's */
	size_t block_size_max;
	int64_t line_number;
	char buffer[RECORD_BUFFER_SIZE];
	size_t begin, end; /* of what of the buffer was not taken yet */
	char line[RECORD_LINE_SIZE_MAX + 2]; /* with its end */
	size_t line_size;
	bool line_cut;  /* the line was longer than that */
	bool line_held; /* it belongs to the next block */
};

/* Writes the fault unless there is one already; false. */
bool record_fault_set(struct record_fault *fault, int64_t line,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

void record_reader_init(struct record_reader *reader, int fd);

void record_block_init(struct record_block *block);
void record_block_release(struct record_block *block);

/*
 * Reads the next block into `block`, whose memory is used again.  A block ends
 * with `sum`, before the next `match`, or with the input.  1: there was one; 0:
 * the input has ended; -errno: it cannot be read, or memory is short.
 */
int record_read(struct record_reader *reader, struct record_block *block);

/* The bytes of a line. */
static inline const char *
record_line_bytes(
    const struct record_block *block, const struct record_line *line)
{
	return block->bytes + line->begin;
}

/*
 * Reads a line as an event; false where it is none, as a comment is, with the
 * fault unless that is NULL.
 */
bool record_line_event(const struct record_block *block,
    const struct record_line *line, struct event *event,
    struct record_fault *fault);

/* Whether the first word of the line is this one. */
bool record_line_is(const char *bytes, size_t length, const char *verb);

/*
 * The head of a block: which game this is, before any card.  Only
 * `match ID rules=` is needed; what else is missing follows from the rules.
 * What contradicts is a fault.
 */
struct record_head {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct game_head game;
	int deals;        /* of a game of so many deals, or 0 */
	bool target_said; /* the `match` line says the target */
};

/* Reads it; false with the fault. */
bool record_head_read(const struct record_block *block,
    struct record_head *head, struct record_fault *fault);

#endif
