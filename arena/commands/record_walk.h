/*
 * What all commands on records share: files are read block by block, and what
 * is wrong with a block is said by file and line.
 */
#ifndef RECORD_WALK_H
#define RECORD_WALK_H

#include "command.h"
#include "record_check.h"

/* A block on its visit. */
struct record_visit {
	const char *file; /* as it was given; `-` is standard input */
	int64_t number;   /* of the block in its file, from 1 */
	const struct record_block *block;
	const struct record_verdict
	    *verdict;              /* NULL where none was asked for */
	char match[EVENT_ID_SIZE]; /* the id, `?` without one */
	struct replay *replay;     /* both for the visitor to use */
	struct record *record;
};

/* Which blocks a command uses: the good ones, and of these one by its id. */
struct record_pick {
	const char *match; /* the id, or NULL: all */
	int64_t good, bad; /* counted */
};

struct record_walk {
	bool check; /* visit with a verdict */
	bool quiet; /* say nothing of lines that are skipped */
	/* Visit with a verdict, and only these; NULL: all blocks. */
	struct record_pick *pick;
	/* Answers 0, or -errno where nothing can go on. */
	int (*visit)(void *context, const struct record_visit *visit);
	void *context;
};

/*
 * Visits all blocks of all files, standard input where none is named.
 * STATUS_ENVIRONMENT where a file cannot be read, which is then said;
 * STATUS_FAILED where one holds no block at all, and with a pick where a block
 * is bad or none has the id, which is said, too.
 */
enum status record_walk_files(
    const struct record_walk *walk, int file_count, char **files);

/* `FILE:LINE: TEXT` on stderr, with nothing that steers a terminal. */
void record_walk_say(const char *file, int64_t line, const char *text);

/* The worse of two. */
enum status record_walk_worse(enum status a, enum status b);

/* What several commands have alike: their argument, and --match. */
extern const struct command_argument record_files_argument;

/* The row of --match for `match` of a struct, a const char *. */
#define RECORD_MATCH_OPTION(settings)                                \
	{                                                            \
		.name = "match", .kind = OPTION_TEXT, .value = "ID", \
		.sentence = "Only the match of this id.",            \
		.offset = offsetof(settings, match),                 \
	}

#endif
