/*
 * What the records of a run show beyond its results: when the verdict came, how
 * margins are spread, who scored from which seat, how long decisions took, what
 * bots said of their moves, how games were lost, and some games in full.
 *
 * The numbers come from the stored blocks and from one pass over the records.
 * Memory does not grow with the number of games.  The same run gives the same
 * facts.
 */
#ifndef RUN_FACTS_H
#define RUN_FACTS_H

#include "report.h"
#include "run.h"

enum {
	FACTS_CURVE_MAX = 400,   /* points of a curve */
	FACTS_BINS_MAX = 64,     /* of a histogram of margins */
	FACTS_TIME_BINS = 40,    /* of a histogram of times */
	FACTS_SLOWEST_MAX = 20,  /* decisions */
	FACTS_METRICS_MAX = 16,  /* keys of `info` lines */
	FACTS_METRIC_MOVES = 40, /* decisions of a seat in a deal */
	FACTS_FAILURES_MAX = 50, /* games lost by an offence */
	FACTS_GAMES_MAX = 400,   /* games in full */
	FACTS_MACHINE_SIZE = 256,
	FACTS_GAME_BYTES_MAX = 800 * 1024 /* of a page, which is larger */
};

/* A sequential test after so many blocks. */
struct facts_llr {
	int64_t blocks;
	double llr;
};

/*
 * Block margins in points a deal: bin i begins at low + i * width.  0 is in the
 * middle of a bin.  Of a gate it is the candidate alone, else each bot that has
 * played.
 */
struct facts_margins {
	int bot;
	double low, width;
	int bin_count;
	int64_t bins[FACTS_BINS_MAX];
};

/*
 * Points of a bot in all deals at a seat, by its distance from the first to
 * play: 0 is the first to play, seat_count - 1 the dealer.
 */
struct facts_seat {
	int64_t deals, points;
	double against; /* mean of the other teams, summed */
};

/* Bin i has decisions of 2^(i/2) microseconds and more; bin 0 all below. */
struct facts_times {
	int64_t bins[FACTS_TIME_BINS];
};

/* Where a play is: what `replay --match --deal` and deep links take. */
struct facts_place {
	int64_t game; /* from 1: match `mN` */
	int deal;     /* from 1 */
	int play;     /* of the deal, from 1; 0: not known */
};

struct facts_slow {
	struct facts_place place;
	int bot;
	int64_t time_us;
	char move[32];
};

/*
 * A number that bots give in `info` lines, by the number of the play: how many
 * the seat had played in the deal before.  Of several values that were said of
 * one play the last one counts.
 */
struct facts_metric {
	char key[32]; /* `m.nodes`, `value`, ... */
	/* [bot * FACTS_METRIC_MOVES + play] */
	int64_t *count; /* owned */
	double *sum;    /* owned */
};

/* A game that a bot lost by its own offence. */
struct facts_failure {
	struct facts_place place; /* the deal is 0 if it is not known */
	int bot;
	enum offence_kind kind;
	char reason[SUMMARY_REASON_SIZE]; /* empty: not known */
	char *log; /* the explanation in log.txt, with stderr; NULL; owned */
};

/* Why a game is shown: the first reason of these that holds. */
enum facts_choice {
	FACTS_FAULT, /* a bot made an offence */
	FACTS_WIDE,  /* its block has one of the widest margins */
	FACTS_RANDOM,
	FACTS_CHOICE_COUNT
};

/* A game that is shown in full. */
struct facts_game {
	int64_t game; /* from 1 */
	enum facts_choice choice;
	char *record; /* from `match` to `sum`; owned */
	size_t size;
};

struct run_facts {
	int bot_count, seat_count;
	struct facts_llr llr[FACTS_CURVE_MAX];
	int llr_count;                 /* 0: no sequential test */
	struct facts_margins *margins; /* margin_count; owned */
	int margin_count;
	struct facts_seat *seats;  /* [bot * seat_count + place]; owned */
	struct facts_times *times; /* a bot; owned */
	struct facts_slow slowest[FACTS_SLOWEST_MAX];
	int slowest_count;
	struct facts_metric metrics[FACTS_METRICS_MAX];
	int metric_count;
	bool metrics_left_out; /* there are more keys than these */
	/* Of standings->forfeits; the first of each bot come before others. */
	struct facts_failure failures[FACTS_FAILURES_MAX];
	int failure_count;
	struct facts_game games[FACTS_GAMES_MAX];
	int game_count;
	/* what the run's log says of the machine; empty: nothing */
	char machine[FACTS_MACHINE_SIZE];
	int64_t damaged; /* games whose record cannot be read */
};

/*
 * Computes the facts of a run from its store, its records and its log; of the
 * view it takes what is the caller's.  Games in full have at most
 * `game_bytes_max` bytes together.  0, or -errno with the error in `why` if the
 * store cannot be read; records that cannot be read are only counted.
 */
int run_facts_open(struct run_facts *facts, const struct report_view *view,
    const struct run *run, int64_t game_bytes_max, struct store_error *why);
void run_facts_close(struct run_facts *facts);

/*
 * The sequential test of a gate over time, as blocks come: `llr` of the facts.
 */
struct facts_test {
	const struct gate_config *gate; /* NULL: there is no test */
	struct standings standings;     /* of the blocks so far */
	int64_t total;   /* blocks that come, for even points; 0: not known */
	int64_t spacing; /* blocks from one point to the next, if not known */
};

/*
 * Opens the test of a gate that has one, else none.  0 or -ENOMEM.  The caller
 * closes it in any case.
 */
int facts_test_open(struct facts_test *test, const struct gate_config *gate,
    const struct standings *like, int64_t total);
void facts_test_close(struct facts_test *test);

/*
 * Adds a block, and a point to the facts where one is due.  Where the number of
 * blocks is not known, every other point is dropped when they are full.  0 or
 * -errno.
 */
int facts_test_add(struct facts_test *test, struct run_facts *facts,
    const struct block_result *block);

/*
 * Finds the record of a game in `bytes`, from `match mN ` to the end of its
 * `sum` line, which must give the number of lines.  NULL: it is damaged.
 */
const char *facts_game_find(
    const char *bytes, size_t size, int64_t game, size_t *game_size);

#endif
