/*
 * What a run has shown, for people and for programs.
 *
 * A view points to all that a report is made of.  report_compute works out what
 * takes time, the ratings of many bots and how sure their order is; the text
 * and the JSON document are then two ways to print the same numbers.  Nothing
 * is asked of the clock: the same view gives the same bytes.
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "estimate.h"
#include "ranking.h"
#include "run_workers.h"
#include "store.h"
#include "text_format.h"
#include "tournament.h"

/* Exit statuses of the program. */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,       /* the verdict of a check is no */
	STATUS_USAGE = 2,        /* usage or configuration */
	STATUS_INCONCLUSIVE = 3, /* the verdict of a gate is neither */
	STATUS_BOT = 4,          /* a bot failed and the policy was to stop */
	STATUS_ENVIRONMENT = 5,  /* the machine refused, or our own fault */
	STATUS_UNPROVED = 6,     /* nothing is wrong, and nothing is proved */
	STATUS_LATER = 75, /* EX_TEMPFAIL: no room for as long as was waited */
	STATUS_INTERRUPTED = 130,
	STATUS_TERMINATED = 143
};

enum {
	REPORT_REPLICATES = 1000, /* of the bootstrap, by default */
	/* Of more bots a report is one of each, and not of each two. */
	REPORT_PAIRS_MAX = 64,
	REPORT_SHORT_MAX = 30 /* bots of the short report */
};

#define REPORT_LEVEL 0.95

/* A bot's margin with the luck of the deal taken out, beside the plain one. */
struct report_variate {
	int bot;
	const char *reference; /* the bot that played itself */
	int64_t blocks;        /* that both estimates are made of */
	struct variate_estimate estimate;
};

/*
 * The memory for a fit of ratings (rating.h).
 */

/*
 * Room for so many pairs, which rating_fit_pairs fills in; ratings have other
 * memory.  The rows are copied; NULL: there are none.  0 or -ENOMEM, and then
 * nothing is to be closed.
 */
int rating_fit_open(struct rating_fit *fit, int bot_count, size_t pair_max,
    const struct cluster_row *rows, int64_t row_count);
void rating_fit_close(struct rating_fit *fit);

/* Adds all bots that have met. */
void rating_fit_pairs(
    struct rating_fit *fit, const struct standings *standings);

/*
 * How often each place comes out when the clusters are drawn again as `sample`
 * says: [bot * bot_count + place], the caller's to free.  NULL without memory.
 */
double *rating_fit_places(
    const struct rating_fit *fit, const struct ranking_sample *sample);

/* What report_compute works out. */
struct report_ratings {
	struct rating_fit fit;   /* of the margins */
	struct rating *margin;   /* a bot; points a deal */
	struct rating *elo;      /* a bot */
	struct estimate *points; /* a bot: mean margin of its blocks */
	int *order;              /* bots from the first place to the last */
	struct ranking_range *ranges; /* a bot: places that are open to it */
	int64_t comparisons; /* of two bots that a chain of results joins */
	/* [a * bot_count + b]: whether what a did against b is odd. */
	struct residual *residuals;
	/* [a * bot_count + p]: of place p, from 0; NULL without a bootstrap. */
	double *places;
	int replicates; /* of the bootstrap; 0: there was none */
};

/* Everything up to `ratings` is the caller's; zero or NULL means: none. */
struct report_view {
	const struct store_head *head;
	const struct standings *standings;
	const char *path;         /* of the run */
	const char *state;        /* `running`, `done`, `interrupted`, ... */
	const char *format;       /* `roundrobin`, ..., or `gate` */
	const char *shard;        /* of the run: `1/3`; NULL: all of it */
	const char *rules;        /* as in records: PRESET[,KEY=VALUE...] */
	const char *time_control; /* `move:10000`, as in records */
	const char *time_shown;   /* `move:10s`, for people */
	const char *seed;         /* hex; NULL while it is a secret */
	const char *chain;        /* of the results so far, hex */
	const char *sandbox; /* level of the sandbox now; NULL: none plays */
	const char *packs;   /* file of packs, instead of a seed */
	int deals;           /* of a game; 0: a game goes to the target */
	bool duplicate, mixed;
	bool whole; /* shows each two bots of more than REPORT_PAIRS_MAX, too */
	/* It may end before blocks_planned: a test, or a knockout. */
	bool may_end_early;
	int64_t blocks_planned; /* the most that there may be; 0: no limit */
	double level;           /* of intervals; 0: REPORT_LEVEL */
	const struct gate_config *gate;     /* of a gate, with `verdict` */
	const struct gate_verdict *verdict; /* bot 0 against bot 1 */
	const int *places;     /* a bot: from 0; -1: the format gives none */
	const bool *suspended; /* a bot */
	const struct report_variate *variates;
	int variate_count;
	const struct worker_list *workers; /* on other machines */
	/* what the run remembers of them; NULL: it was played on one machine */
	const struct audit_history *audits;

	struct report_ratings ratings; /* of report_compute; owned */
};

/*
 * Works out the ratings.  Without replicates (0) there is no bootstrap: quick
 * enough to be done some times a second.  There is none of two bots either, nor
 * before each bot that plays at all has played ten blocks.  Of very many blocks
 * fewer replicates are drawn than asked for; ratings.replicates has how many.
 * May be called again after more blocks.  0 or -ENOMEM: the view has no ratings
 * then.
 */
int report_compute(struct report_view *view, int replicates);

/* Frees the ratings; the rest is the caller's. */
void report_close(struct report_view *view);

/*
 * The report as text; the view is computed.  0 or -ENOMEM, and then a
 * part of it is missing.  Errors of writing are the file's: ferror.
 */
int report_text(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * The commands that go on from here, for whoever has read the report: `next`,
 * and behind a short report `more`.  Nothing without the path of a run.
 */
void report_text_next(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * The verdict of a gate, or the leader of a tournament, in one line; and a line
 * for each bot that has lost games by offences.
 */
void report_text_verdict(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * What a result is not worth by itself, to stand behind it: `, for analysis`
 * where bots could see all cards, `, unboxed` where some had no sandbox.
 */
const char *report_mark(const struct report_view *view);

/*
 * The lines on what the clocks or the machine did to games: CUT, PONDER, VOID.
 * The view has names and standings.
 */
void report_text_remarks(
    const struct report_view *view, int label_width, FILE *file);

struct html;
struct run_facts;

/*
 * The whole report as one JSON document (formats.md); the view is computed.
 * `facts` of its records (run_facts.h) may be NULL.
 */
void report_json(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

/*
 * The page of a run for a browser: one file that needs no other, readable and
 * printable without scripts.  The view is computed; `facts` may be NULL, and
 * parts of it empty: a section without data is left out.  0 or -ENOMEM.  Errors
 * of writing are the file's: ferror.
 */
int report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

/*
 * Only the sections that change while a run is played, for a page that follows
 * it: each is an element <section> with its id.
 */
void report_html_live(const struct report_view *view,
    const struct run_facts *facts, struct html *html);

/* Status of a program that ends with this verdict: 0, 1 or 3; open: 3. */
enum status gate_exit_status(enum gate_outcome outcome);

/*
 * What the text and the JSON document of a report have in common.
 */

/* Two bots that met: all that can be said of the first against the second. */
struct report_pair {
	const struct encounter *encounter;
	struct estimate margin, clean; /* points a deal; without forfeits */
	double los, clean_los;         /* of these */
	struct strength games, pairs;  /* `pairs` where encounter->paired */
	int64_t base_forfeits;         /* games forfeited by the second */
	struct residual residual;      /* none before report_compute */
};

struct report_pair report_pair_of(
    const struct report_view *view, int first, int second);

/* The level of intervals. */
double report_level(const struct report_view *view);

/* The name of a bot, and how many there are. */
const char *report_name(const struct report_view *view, int bot);
int report_bot_count(const struct report_view *view);

/*
 * The rating of a bot with its interval, of view->ratings.margin or .elo. A bot
 * that has met no other may be anywhere.
 */
struct estimate report_rating(
    const struct report_view *view, const struct rating *ratings, int bot);

/*
 * The Elo of a bot in the standings: with two bots its Elo against the other,
 * as the points beside it are; with more its rating.
 */
struct estimate report_elo(const struct report_view *view, int bot);

/* The difference of two margin ratings with its interval. */
struct estimate report_gap(
    const struct report_view *view, int first, int second);

/* Points a deal that a bot made by an item, and the mean of the others. */
struct report_source {
	double own, others;
};

struct report_source report_source_of(
    const struct report_view *view, int bot, enum scopa_item item);

/* Whether an item makes points: all coins win the match, but make none. */
bool report_item_counts(const struct report_view *view, int item);

/*
 * The probability that a is stronger than b; NAN where nothing is known of it:
 * too few rounds, no chain of results, or a lead that never varied.
 */
double report_above(const struct report_view *view, int a, int b);

/*
 * The probability of being stronger than the next in order; -1 for the last,
 * NAN where nothing is known of it.
 */
double report_above_next(const struct report_view *view, int position);

/*
 * The probability that the bot at a position of the order belongs there, by the
 * ratings alone; -1 without a bootstrap.
 */
double report_place_sure(const struct report_view *view, int position);

/*
 * Appends how many games a bot has lost by its own offences, and what the first
 * one was, as a sentence; false where it has lost none.
 */
bool report_faults(
    const struct report_view *view, int bot, struct scopa_text *text);

/* Mean of a decision in ms; negative: there was none. */
double report_think_ms(const struct standing *standing);

/* Whether each two bots are shown. */
bool report_shows_pairs(const struct report_view *view);

/* Whether the format gives places. */
bool report_has_places(const struct report_view *view);

/*
 * The bracket of a knockout.  A bot loses one match, to a bot that comes out
 * above it, so places and encounters say all.
 */

/* Whether there is one, of which at least one match is decided. */
bool report_has_bracket(const struct report_view *view);

/* The match that a bot of this place, from 1, has lost: 0 is the final. */
int report_match_stage(int place);

/* `final`, `semi-final`, ...: its name. */
struct number report_match_name(int place);

/* The bot that has beaten this one, or -1 if it did not play for that. */
int report_winner_over(const struct report_view *view, int loser);

#endif
