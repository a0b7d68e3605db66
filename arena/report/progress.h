/*
 * The line that shows how far a run is: rewritten in place on a terminal, a
 * line now and then elsewhere.
 *
 * What the line says is a pure function of facts; when it is said, and how fast
 * the run is, depends on the times that the caller hands in.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "report.h"
#include "text_format.h"

enum { PROGRESS_TEXT_SIZE = 1024 };

/* Between two lines, by default. */
#define PROGRESS_NS_TERMINAL INT64_C(500000000)
#define PROGRESS_NS_ELSEWHERE INT64_C(10000000000)

/* All that the line may say. */
struct progress_facts {
	int64_t blocks;      /* counted, skipped ones too */
	int64_t blocks_max;  /* the most that there may be; 0: no limit */
	double blocks_left;  /* expected; negative: unknown */
	bool left_is_limit;  /* no more than that; it may be over before */
	int64_t games;       /* counted */
	double games_per_s;  /* negative: not known yet */
	double seconds_left; /* negative: unknown */
	/* The first of two bots; of more bots the leader. */
	const char *name;
	bool leads;              /* one of more than two */
	double score;            /* 0..1, of its games */
	struct estimate points;  /* a deal; of a leader: ahead of the next */
	const char *behind;      /* that next one */
	struct estimate elo;     /* of the first of two */
	const struct sprt *sprt; /* NULL: none; with its state */
	struct sprt_state state;
	int64_t forfeits; /* games */
	int64_t offences[OFFENCE_KIND_COUNT];
	int workers, cores; /* on other machines; 0: none */
	double think_ms;    /* mean of a decision; negative: none yet */
	const char *notice; /* before all else, or NULL: `disk full`, ... */
};

/*
 * What a view says, which is computed; speed and time left are progress_show's
 * to add.
 */
struct progress_facts progress_collect(const struct report_view *view);

/*
 * The line without a line end.  Its parts are separated by two spaces, the most
 * important first, and contain none themselves.
 */
void progress_format(
    const struct progress_facts *facts, struct scopa_text *text);

/* `3 s`, `4:05`, `1:02:03`, `5 days`: how long something will take. */
struct number progress_time(double seconds);

/*
 * Takes away the parts that do not fit into `width` columns beside those before
 * them; the first part is cut where it alone is wider.
 */
void progress_clip(struct scopa_text *text, int width);

/* What was counted at a time. */
struct progress_sample {
	int64_t now_ns, blocks, games;
};

struct progress {
	int fd; /* -1: nothing is written */
	bool terminal;
	int64_t interval_ns;
	int64_t shown_ns; /* when the last line was written */
	int shown;        /* columns of the line on the terminal; 0: none */
	/* At the begin, and between: `next` will be `half`. */
	struct progress_sample first, half, next;
};

/*
 * Begins at `now_ns` (clock_now_ns) with what was counted before.  fd -1 writes
 * nothing; `interval_ns` 0: the default for the kind of file.
 */
void progress_begin(struct progress *progress, int fd, int64_t interval_ns,
    int64_t now_ns, int64_t blocks, int64_t games);

/* Whether it is time for a line. */
bool progress_due(const struct progress *progress, int64_t now_ns);

/*
 * Adds speed and time left to the facts, and writes the line.  The facts may be
 * used for events_status after that.
 */
void progress_show(
    struct progress *progress, struct progress_facts *facts, int64_t now_ns);

/* Clears the line on a terminal, so that something else can be written. */
void progress_clear(struct progress *progress);

#endif
