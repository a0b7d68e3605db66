/*
 * A series of games between the same entrants: which games there are, how many
 * run at once, and their results in order.
 *
 * Worker processes play them, each with its bots on a core of its own where
 * there is one: a bot that is woken on the core where it was written to answers
 * in a fraction of the time that another core takes to wake.
 *
 * A round is one set of packs.  With duplicates it is played once for each way
 * of seating the entrants, so that the luck of the deal cancels out.  Results
 * and record blocks come in the order of the games, whichever end first.
 */
#ifndef SERIES_H
#define SERIES_H

#include "cores.h"
#include "match.h"

enum { SERIES_ENTRANTS_MAX = SCOPA_SEATS_MAX, SERIES_GAMES_MAX = 10000000 };

/* Which cores the workers and their bots keep to. */
enum series_pin {
	SERIES_PIN_AUTO, /* a core each, as far as no other arena has it */
	SERIES_PIN_NONE, /* whatever the kernel likes */
	SERIES_PIN_LIST  /* those that are listed */
};

struct series_config {
	struct match_rules rules;
	struct entrant entrants[SERIES_ENTRANTS_MAX];
	int entrant_count; /* one a seat, or one a party */
	int rounds;
	bool duplicate;
	int concurrency; /* games at once */
	int record_fd;   /* blocks are appended to it; -1: no record */
	enum series_pin pin;
	struct cores cores; /* of SERIES_PIN_LIST: at least one */
};

/* One game that has ended. */
struct series_result {
	int game;                                         /* from 0 */
	int round;                                        /* from 0 */
	int entrant[SCOPA_SEATS_MAX];                     /* at each seat */
	char names[SERIES_ENTRANTS_MAX][EVENT_NAME_SIZE]; /* of the entrants */
	int32_t scores[SCOPA_PARTIES_MAX];
	int32_t item_points[SCOPA_PARTIES_MAX][SCOPA_ITEM_COUNT];
	int winner; /* party, or SCOPA_PARTY_NONE */
	int deal_count;
	char reason[EVENT_REASON_SIZE]; /* `target`, ..., `forfeit`, `abort` */
	int offences[SCOPA_SEATS_MAX][OFFENCE_KIND_COUNT];
	int64_t think_ns[SCOPA_SEATS_MAX];
	int64_t think_longest_ns[SCOPA_SEATS_MAX];
	int64_t decision_count[SCOPA_SEATS_MAX];
	struct match_fault fault;
	int fault_entrant; /* or -1 */
};

enum series_end {
	SERIES_DONE,    /* all games were played */
	SERIES_STOPPED, /* a bot's fault ended it: the last result says it */
	SERIES_INTERRUPTED, /* a signal; the number is in `detail` */
	SERIES_FAILED,      /* the machine refused; -errno is in `detail` */
	SERIES_LOST         /* a worker died; its wait status is in `detail` */
};

struct series_outcome {
	enum series_end end;
	int detail;
	int lost_count; /* games that died with a worker and were not told */
	int64_t cpu_ns; /* CPU time of the arena's processes without the bots */
};

/* How many games the series has. */
int64_t series_game_count(const struct series_config *config);

/*
 * Plays the series.  `on_result` is called for each game in order; games that
 * an interruption left unfinished come with the reason `abort`.  There must be
 * no other thread, and no loop open.  All processes that it started have ended
 * when it returns.
 */
struct series_outcome series_run(const struct series_config *config,
    void (*on_result)(void *context, const struct series_result *result),
    void *context);

#endif
