/*
 * What all commands on records share: files are read block by block, and what
 * is wrong with a block is said by file and line.
 */
#ifndef RECORD_WALK_H
#define RECORD_WALK_H

#include "command.h"
#include "record_verify.h"
#include "regroup.h"
#include "report.h"
#include "standings.h"

/* A block on its visit. */
struct record_visit {
	const char *file; /* as it was given; `-` is standard input */
	int64_t number;   /* of the block in its file, from 1 */
	const struct record_block *block;
	const struct record_verdict *verdict; /* of WALK_ALL: NULL */
	char match[EVENT_ID_SIZE];            /* the id, `?` without one */
	struct replay *replay;                /* both for the visitor to use */
	struct record *record;
};

enum record_walk_kind {
	WALK_GOOD,    /* good blocks; what is wrong with others is said */
	WALK_CHECKED, /* all blocks, with verdicts */
	WALK_ALL      /* all blocks, which are not checked */
};

struct record_walk {
	enum record_walk_kind kind;
	bool quiet;        /* say nothing of lines that are skipped */
	const char *match; /* of WALK_GOOD: this id alone; NULL: all */
	/* Answers 0, or -errno where nothing can go on. */
	int (*visit)(void *context, const struct record_visit *visit);
	void *context;
	int64_t good, bad; /* blocks that were checked: counted by the walk */
};

/*
 * Visits the blocks of all files, standard input where none is named.
 * STATUS_ENVIRONMENT where a file cannot be read, which is then said;
 * STATUS_FAILED where one holds no block at all, where a block is bad, or where
 * none has the id, which is said, too.
 */
enum status record_walk_files(struct record_walk *walk, char **files);

/* Visits the good blocks alone, of these those with the id `match` (NULL: all). */
enum status record_walk_good(
    int (*visit)(void *context, const struct record_visit *visit),
    void *context, const char *match, char **files);

/* A text of a record as printable ASCII (escape_bytes); good for some calls. */
const char *safe_text(const char *text);

/* `FILE:LINE: TEXT` on stderr, with nothing that steers a terminal. */
void record_walk_say(const char *file, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Says that there is no memory.  STATUS_ENVIRONMENT. */
enum status memory_error(void);

/* What several commands have alike: their argument, and --match. */
#define RECORD_FILES_ARGUMENT                                             \
	{                                                                 \
		"FILE",                                                   \
		    "A game record; `-`, or no file at all, is standard " \
		    "input."                                              \
	}

/* The row of --match for `match` of a struct, a const char *. */
#define RECORD_MATCH_OPTION(settings)                         \
	TEXT_OPTION("match", "ID", offsetof(settings, match), \
	    "Only the match of this id.")

/*
 * The games of record files as blocks, for commands that count results.
 */

/*
 * The two bots that a test is about; names may be NULL, as in regroup_opponents.
 * Of the blocks in which they meet with the same packs the first one alone is
 * counted.  Bets are made between `low` and `high`, where these are wanted.
 */
struct regroup_pair {
	const char *candidate, *base;
	bool bets;
	double low, high;
};

/* What was put together again, and the sums of it: memory as bots, not as games. */
struct regrouped {
	struct regroup regroup;
	struct standings
	    standings; /* bots as in regroup.names; once it has any */
	uint32_t cluster_mask;
	const struct regroup_pair *pair; /* NULL: all bots alike */
};

/*
 * Gathers the games of all files, standard input where none is named.  A block
 * of a file that is bad is said with its line and skipped.  STATUS_FAILED where
 * one was bad (the rest is counted all the same) or nothing was there;
 * STATUS_ENVIRONMENT where a file cannot be read.  Without any game to count
 * regroup.block_count is 0, and that, too, was said, as was what is not counted,
 * or not as it should be.
 * Bets on the pair (NULL: none) are made in standings.bets while the games are
 * read, unless a bound lies beyond what a deal can give; it must outlive the
 * call.
 */
enum status regroup_files(
    struct regrouped *regrouped, const struct regroup_pair *pair, char **files);
void regrouped_close(struct regrouped *regrouped);

/*
 * The numbers of the candidate and of whom it is compared with, by their names;
 * without a name the first bot seen, and the only other one.  -1 where there is
 * no such bot, or the other one is not alone.
 */
void regroup_opponents(const struct regroup *regroup, const char *candidate,
    const char *base, int bots[2]);

/*
 * Whether --level may be this: narrower intervals say nothing, wider ones are all
 * alike.  STATUS_USAGE.
 */
enum status level_check(double level);

/*
 * The positions of a game record: every deal as it was before each decision,
 * with all its cards.
 */

/* A deal before one play or declaration of it. */
struct position {
	struct scopa_deal deal;
	struct scopa_tally tally; /* before the deal */
	struct scopa_move move;   /* that was made */
	bool by_arena;            /* and not by the seat */
	int number;               /* of the deal, from 1 */
	int play; /* of the deal, from 1: the card that is played next */
};

/* A move for people to read; good for some calls. */
const char *move_text(const struct scopa_move *move);

struct positions {
	int64_t deal, play;     /* these numbers alone are wanted; 0: all */
	struct position *items; /* for the caller to free() */
	int count, capacity;
	int64_t line; /* of the decision that was heard last */
	bool no_memory;
};

/*
 * Gathers those of a block that was found good, in place of any before: 0 or
 * -errno.  replay_head of the visit's replay then says which game it is.
 */
int positions_gather(
    struct positions *positions, const struct record_visit *visit);

#endif
