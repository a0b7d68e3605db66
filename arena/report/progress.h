/*
 * The line that shows the progress of a run.  On a terminal it is rewritten in
 * place; other files get a new line from time to time.
 *
 * The text of the line is a pure function of the facts.  The caller gives the
 * times from which the speed of the run follows, and when a line is due.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "report.h"
#include "text_format.h"

enum { PROGRESS_TEXT_SIZE = 1024 };

/* The default times between two lines. */
#define PROGRESS_NS_TERMINAL INT64_C(500000000)
#define PROGRESS_NS_ELSEWHERE INT64_C(10000000000)

/* The facts that the line may show. */
struct progress_facts {
	int64_t blocks;      /* blocks counted, and blocks skipped */
	int64_t blocks_max;  /* the largest number of blocks; 0: no limit */
	double blocks_left;  /* expected; negative: unknown */
	bool left_is_limit;  /* the run may end before blocks_left */
	int64_t games;       /* games counted */
	double games_per_s;  /* negative: not known yet */
	double seconds_left; /* negative: unknown */
	/* The first of two bots; of more bots the leader. */
	const char *name;
	double score; /* 0..1, of the games of this bot */
	/* per deal; the lead over the next bot, if there is one */
	struct estimate points;
	/* The next bot; NULL: only two, or the format has decided places. */
	const char *behind;
	struct estimate elo;     /* of `name`, if there is no next bot */
	const struct sprt *sprt; /* NULL: no test, and `state` is unset */
	struct sprt_state state;
	int64_t forfeits; /* games */
	int64_t offences[OFFENCE_KIND_COUNT];
	int workers, cores; /* on other machines; 0: none */
	double think_ms;    /* mean of a decision; negative: none yet */
	const char *notice; /* the first part, such as `disk full`, or NULL */
};

/*
 * Collects the facts of a computed view.  progress_show() adds speed and time
 * left.
 */
struct progress_facts progress_collect(const struct report_view *view);

/*
 * Appends the line without a line end.  Its parts are separated by two spaces,
 * the most important one first; no part contains two spaces.
 */
void progress_format(
    const struct progress_facts *facts, struct scopa_text *text);

/* A duration: `3 s`, `4:05`, `1:02:03`, `5 days`. */
struct number progress_time(double seconds);

/*
 * Removes the last parts that do not fit into `width` columns; the first part
 * is cut if it is wider.
 */
void progress_clip(struct scopa_text *text, int width);

/* The numbers that were counted at time now_ns. */
struct progress_sample {
	int64_t now_ns, blocks, games;
};

struct progress {
	int fd; /* -1: nothing is written */
	bool terminal;
	int64_t interval_ns;
	int64_t shown_ns; /* when the last line was written */
	int64_t cost_ns;  /* how long the caller took to compute it; or 0 */
	int shown;        /* columns of the line on the terminal; 0: none */
	/*
	 * Samples for the speed: at the beginning, and two later ones; `half`
	 * gets the value of `next` from time to time.
	 */
	struct progress_sample first, half, next;
};

/*
 * Begins at `now_ns` (clock_now_ns) with the numbers of blocks and games
 * counted before.  With fd -1 nothing is written; `interval_ns` 0: the default
 * for the kind of file.
 */
void progress_begin(struct progress *progress, int fd, int64_t interval_ns,
    int64_t now_ns, int64_t blocks, int64_t games);

/* A line waits for this many times as long as the last one took to compute. */
enum { PROGRESS_COSTS = 50 };

/* Whether a line is due. */
bool progress_due(const struct progress *progress, int64_t now_ns);

/*
 * Adds speed and time left to the facts, which events_status() may then write,
 * and writes the line.
 */
void progress_show(
    struct progress *progress, struct progress_facts *facts, int64_t now_ns);

/* Clears the line on a terminal, so that something else can be written. */
void progress_clear(struct progress *progress);

#endif
