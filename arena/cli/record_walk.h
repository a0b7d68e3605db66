/*
 * Reads game records for all commands that use them.  Files are read record by
 * record, and an error in a record is reported with its file and line.
 *
 * For statistics the games are regrouped into blocks: games of the same packs
 * with different seating.
 */
#ifndef RECORD_WALK_H
#define RECORD_WALK_H

#include "command.h"
#include "record_verify.h"
#include "regroup.h"
#include "report.h"
#include "standings.h"

/* The record that is visited. */
struct record_visit {
	/* its path, or `-` for standard input; it stays valid after the walk */
	const char *file;
	int64_t number; /* number of the record in its file, from 1 */
	const struct game_record *record;
	const struct record_verdict *verdict; /* NULL if the walk is WALK_ALL */
	char match[EVENT_ID_SIZE]; /* the id of the match, `?` if it has none */
	struct replay *replay;     /* both may be used by the visitor */
	struct record *output;     /* what the replay writes */
};

enum record_walk_kind {
	WALK_GOOD, /* visits good records; reports what is wrong with others */
	/* visits all records, with verdicts; a file may have no record */
	WALK_CHECKED,
	WALK_ALL /* visits all records without checking them */
};

struct record_walk {
	enum record_walk_kind kind;
	bool quiet;        /* no warnings about lines that are skipped */
	const char *match; /* for WALK_GOOD: only this id; NULL: all */
	/* Called for each record.  Returns 0, or -errno to stop the walk. */
	int (*visit)(void *context, const struct record_visit *visit);
	void *context;
	/* number of records that were checked; the walk counts them */
	int64_t good, bad;
};

/*
 * Visits the records of all files; without files those of standard input.  A
 * run folder stands for its file of records. Returns STATUS_DONE;
 * STATUS_ENVIRONMENT or STATUS_USAGE, with an error printed, if a file cannot
 * be read (see input_file_status); STATUS_USAGE if a file holds no record;
 * STATUS_FAILED if a record is bad, or if none has the wanted id, which is
 * printed.
 */
enum status record_walk_files(struct record_walk *walk, char **files);

/*
 * Visits the good records, and only those with the id `match` (NULL: all).
 * Returns the same values.
 */
enum status record_walk_good(
    int (*visit)(void *context, const struct record_visit *visit),
    void *context, const char *match, char **files);

/*
 * Prints `FILE:LINE: TEXT` on stderr.  Bytes that could control a terminal are
 * escaped.
 */
void record_walk_say(const char *file, int64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The argument and the option --match, which several commands share. */
#define RECORD_FILES_ARGUMENT                                            \
	{                                                                \
		"FILE",                                                  \
		    "A game record, or the folder of a run; `-`, or no " \
		    "file at all, is standard input."                    \
	}

/*
 * The row of --match; `settings` is a struct with a member `const char *match`.
 */
#define RECORD_MATCH_OPTION(settings)                         \
	TEXT_OPTION("match", "ID", offsetof(settings, match), \
	    "Only the match of this id.")

/*
 * The games of record files, put together to blocks, for commands that count
 * results.
 */

/*
 * The two bots of a test.  The names may be NULL, as in regroup_opponents().
 * If the two meet several times with the same packs, only the first block
 * counts.  If `bets` is true, bets between `low` and `high` are made.
 */
struct regroup_pair {
	const char *candidate, *base;
	bool bets;
	double low, high;
};

/*
 * The regrouped games and their sums.  The memory needed grows with the number
 * of bots, not of games.
 */
struct regrouped {
	struct regroup regroup;
	/*
	 * With indices of bots as in regroup.names; open once there is a bot.
	 */
	struct standings standings;
	uint32_t cluster_mask;
	const struct regroup_pair *pair; /* NULL: no test, all bots count */
};

/*
 * Regroups the games of all files; without files those of standard input.  A
 * bad record is reported with its line and skipped.  Returns STATUS_DONE;
 * STATUS_FAILED if a record was bad (the others are counted nevertheless);
 * STATUS_USAGE if there was no game to count, and then regroup.block_count is
 * 0; or the status of a file that cannot be read, or of missing memory.  Errors
 * and everything that was not counted in full are printed.
 *
 * Bets on the pair (NULL: none) are made in standings.bets while the games are
 * read, unless a bound is larger than the points of a deal can be.  `pair` must
 * outlive the call. regrouped_close() must be called in any case.
 */
enum status regroup_files(
    struct regrouped *regrouped, const struct regroup_pair *pair, char **files);
void regrouped_close(struct regrouped *regrouped);

/*
 * Finds the indices of the candidate and of its opponent by their names.
 * Without a name the candidate is the first bot that was seen, and the opponent
 * is the only other bot.  An index is -1 if there is no such bot, or more than
 * one.
 */
void regroup_opponents(const struct regroup *regroup, const char *candidate,
    const char *base, int bots[2]);

/*
 * The positions of a game record: each deal before each decision, with all its
 * cards.
 */

/* A deal just before a play or a declaration. */
struct position {
	struct scopa_deal deal;
	struct scopa_tally tally; /* the points before the deal */
	struct scopa_move move;   /* the move that was made */
	bool by_arena;            /* the arena made the move for the seat */
	int number;               /* number of the deal, from 1 */
	int play; /* number of the next play in the deal, from 1 */
};

struct positions {
	int64_t deal, play; /* only the positions with these numbers; 0: all */
	struct position *items; /* owned; the caller frees it */
	int count, capacity;
	int64_t line; /* line of the last decision */
	bool no_memory;
};

/*
 * Gathers the positions of a good record, in place of those before.  0 or
 * -errno.  Afterwards replay_head() of the visit's replay describes the game.
 */
int positions_collect(
    struct positions *positions, const struct record_visit *visit);

#endif
