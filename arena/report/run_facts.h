/*
 * Facts of a run that its results do not have, and its records do: the test
 * over time, the distribution of margins, points by seat, times of decisions,
 * numbers that bots gave in `info` lines, games lost by offences, and some
 * games in full.
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
	FACTS_BINS_MAX = 64,     /* bins of a histogram of margins */
	FACTS_TIME_BINS = 40,    /* bins of a histogram of times */
	FACTS_SLOWEST_MAX = 20,  /* decisions */
	FACTS_METRICS_MAX = 16,  /* keys of `info` lines */
	FACTS_METRIC_MOVES = 40, /* decisions of a seat in a deal */
	FACTS_FAILURES_MAX = 50, /* games lost by an offence */
	FACTS_GAMES_MAX = 400,   /* games in full */
	FACTS_MACHINE_SIZE = 256,
	FACTS_GAME_BYTES_MAX = 800 * 1024 /* of all games on one page */
};

/* The LLR of a sequential test after `blocks` blocks. */
struct facts_llr {
	int64_t blocks;
	double llr;
};

/*
 * A histogram of the block margins of a bot, in points per deal: bin i begins
 * at low + i * width.  0 is in the middle of a bin.  A gate has one of the
 * candidate only, a tournament one of each bot that has played.
 */
struct facts_margins {
	int bot;
	double low, width;
	int bin_count;
	int64_t bins[FACTS_BINS_MAX];
};

/*
 * Sums over all deals of a bot at one place.  The place is the number of seats
 * after the first to play: 0 is the first to play, seat_count - 1 the dealer.
 */
struct facts_seat {
	int64_t deals, points;
	double against; /* sum of the mean points of the other teams */
};

/* Bin i begins at 2^(i/2) microseconds; bin 0 also has all shorter times. */
struct facts_times {
	int64_t bins[FACTS_TIME_BINS];
};

/* A play, as `replay --match --deal` and links of the page name it. */
struct facts_place {
	int64_t game; /* from 1: match `mN` */
	int deal;     /* from 1 */
	int play;     /* number in the deal, from 1; 0: not known */
};

struct facts_slow {
	struct facts_place place;
	int bot;
	int64_t time_us;
	char move[32];
};

/*
 * Sums of a number that bots give in `info` lines, for each bot and play.  The
 * play is the number of earlier plays of the seat in the deal.  If a bot gives
 * several values for one play, the last one counts.
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
	/* the explanation in log.txt, with stderr; owned; NULL: none */
	char *log;
};

/* Why a game is shown: the first reason that is true. */
enum facts_choice {
	FACTS_FAULT, /* a bot committed an offence */
	FACTS_WIDE,  /* its block has one of the widest margins */
	FACTS_RANDOM,
	FACTS_CHOICE_COUNT
};

/* A game that is shown in full. */
struct facts_game {
	int64_t game; /* from 1 */
	enum facts_choice choice;
	char *record; /* from line `match` to line `sum`; owned */
	size_t size;
};

struct run_facts {
	int bot_count, seat_count;
	struct facts_llr llr[FACTS_CURVE_MAX];
	int llr_count;                 /* 0: no sequential test */
	struct facts_margins *margins; /* margin_count; owned */
	int margin_count;
	struct facts_seat *seats;  /* [bot * seat_count + place]; owned */
	struct facts_times *times; /* one for each bot; owned */
	struct facts_slow slowest[FACTS_SLOWEST_MAX];
	int slowest_count;
	struct facts_metric metrics[FACTS_METRICS_MAX];
	int metric_count;
	bool metrics_left_out; /* there are more keys */
	/* Some of standings->forfeits: first the earliest ones of each bot. */
	struct facts_failure failures[FACTS_FAILURES_MAX];
	int failure_count;
	struct facts_game games[FACTS_GAMES_MAX];
	int game_count;
	/* the machine, as the log of the run names it; empty: not known */
	char machine[FACTS_MACHINE_SIZE];
	int64_t damaged; /* games whose record cannot be read */
};

/*
 * Computes the facts of a run from its store, its records and its log.  The
 * view need not be computed.  The games in full have at most `game_bytes_max`
 * bytes together.  0; or -errno with the error in `why` if the store cannot be
 * read.  Records that cannot be read are only counted.
 */
int run_facts_open(struct run_facts *facts, const struct report_view *view,
    const struct run *run, int64_t game_bytes_max, struct store_error *why);
void run_facts_close(struct run_facts *facts);

/*
 * The sequential test of a gate over time, block by block.  It fills the member
 * `llr` of the facts.
 */
struct facts_test {
	const struct gate_config *gate; /* NULL: there is no test */
	struct standings standings;     /* of the blocks so far */
	/* number of blocks, to space the points evenly; 0: not known */
	int64_t total;
	int64_t spacing; /* blocks from one point to the next if total is 0 */
};

/*
 * Opens the test of a gate; without a sequential test the other functions do
 * nothing.  `like` has the rules and the packs of the run.  0 or -ENOMEM.  The
 * caller closes it in any case.
 */
int facts_test_open(struct facts_test *test, const struct gate_config *gate,
    const struct standings *like, int64_t total);
void facts_test_close(struct facts_test *test);

/*
 * Adds a block, and a point to the facts if one is due.  If the number of
 * blocks is not known, every second point is dropped when the facts are full.
 * 0 or -errno.
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
