/*
 * The results of a run, for people and for programs.
 *
 * A view points to all data of a report.  report_compute() computes what takes
 * time: the ratings of many bots, and how certain their order is.  The text,
 * the page and the JSON document then print the same numbers.  Reports do not
 * ask for the time of day: the same view gives the same bytes.
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
	STATUS_FAILED = 1,       /* a check has failed */
	STATUS_USAGE = 2,        /* usage or configuration */
	STATUS_INCONCLUSIVE = 3, /* a gate has neither passed nor failed */
	STATUS_BOT = 4,          /* a bot failed: the command had to stop */
	STATUS_ENVIRONMENT = 5,  /* the machine refused, or an arena error */
	STATUS_UNPROVED = 6,     /* no fault was found, and nothing is proved */
	STATUS_LATER = 75, /* EX_TEMPFAIL: the wait for disk space was over */
	STATUS_INTERRUPTED = 130,
	STATUS_TERMINATED = 143
};

enum {
	REPORT_REPLICATES = 1000, /* of the bootstrap, by default */
	/*
	 * With more bots, only the page shows each pair of bots: as a picture,
	 * and the first pairs as a table.
	 */
	REPORT_PAIRS_MAX = 64,
	REPORT_SHORT_MAX = 30 /* bots in the short report */
};

#define REPORT_LEVEL 0.95

/* The plain margin of a bot, and the margin without the luck of the deal. */
struct report_variate {
	int bot;
	const char *reference; /* the bot that played itself */
	int64_t blocks;        /* number of blocks of both estimates */
	struct variate_estimate estimate;
};

/* What decides the order of a ranking. */
enum report_order { REPORT_BY_MARGIN, REPORT_BY_ELO, REPORT_BY_SKILL };

/* The results of report_compute().  Arrays have an element for each bot. */
struct report_ratings {
	struct rating_fit fit; /* of the margins; REPORT_BY_ELO: of Elo */
	struct rating *margin; /* in points per deal */
	/* without forfeited blocks, and then without errors; if view->pooled */
	struct rating *clean;
	struct rating *elo;
	struct estimate *points; /* mean margin of the blocks of the bot */
	/*
	 * [a * bot_count + b], a < b: the margins of a against b by rounds;
	 * NULL: no two bots met in blocks of more bots
	 */
	struct moments *rounds;
	/* Mean margins of the games of the bot on a side; NULL: not shown. */
	struct estimate *sides[STANDING_SIDE_COUNT];
	int *order; /* bots from the first place to the last */
	struct ranking_range *ranges; /* the places that the bot may have */
	/* number of pairs of bots that a chain of results joins */
	int64_t comparisons;
	/* [a * bot_count + b]: whether the result of a against b is odd. */
	struct residual *residuals;
	/*
	 * [a * bot_count + p]: probability of place p, from 0; NAN: the bot was
	 * suspended after a few rounds; NULL: no bootstrap
	 */
	double *places;
	int replicates; /* of the bootstrap; 0: no bootstrap */
};

/*
 * The data of a report.  The caller sets all members before `ratings`; zero or
 * NULL means: there is none.
 */
struct report_view {
	const struct store_head *head;
	const struct standings *standings;
	const char *path;         /* of the run */
	const char *state;        /* `running`, `done`, `interrupted`, ... */
	const char *format;       /* `roundrobin`, ..., or `gate` */
	const char *shard;        /* `1/3`; NULL: the whole run */
	const char *rules;        /* as in records: PRESET[,KEY=VALUE...] */
	const char *time_control; /* `move:10000`, as in records */
	const char *time_shown;   /* `move:10s`, for people */
	const char *seed;         /* hex; NULL while it is a secret */
	const char *chain;        /* hash of all results so far, hex */
	/* level of the sandbox; NULL: no games are played now */
	const char *sandbox;
	const char *packs; /* file of packs, instead of a seed */
	int deals;         /* deals of a game; 0: a game goes to the target */
	bool duplicate, mixed;
	bool whole; /* shows pairs of more than REPORT_PAIRS_MAX bots, too */
	/* The run may end before blocks_planned: a test, or a knockout. */
	bool may_end_early;
	int64_t blocks_planned; /* the largest number of blocks; 0: no limit */
	double level;           /* of intervals; 0: REPORT_LEVEL */
	const struct gate_config *gate;     /* of a gate, with `verdict` */
	const struct gate_verdict *verdict; /* bot 0 against bot 1 */
	const int *places;     /* of each bot, from 0; -1: it has no place */
	const bool *suspended; /* for each bot */
	const struct report_variate *variates;
	int variate_count;
	const struct worker_list *workers; /* on other machines */
	/* the audits of workers; NULL: the run was played on one machine */
	const struct audit_history *audits;

	/*
	 * Results that are of no run (rate). With sums of results instead of
	 * blocks, errors are those of independent results.
	 */
	bool pooled;
	enum report_order order;
	bool one_model;          /* the ranking shows that of `order` alone */
	uint64_t bootstrap_seed; /* of pooled results; else it is fixed */

	struct report_ratings ratings; /* set by report_compute(); owned */
};

/*
 * Computes the ratings.  With `replicates` 0 there is no bootstrap, and the
 * call is fast enough for several calls a second.  In a run there is no
 * bootstrap of two bots either, or while a bot that is not suspended has played
 * fewer than ten rounds, and with very many blocks fewer replicates are drawn;
 * pooled results need two rounds.  ratings.replicates has the number of
 * replicates.  The function may be called again after more blocks.  0; or
 * -ENOMEM, and then the view has no ratings.
 */
int report_compute(struct report_view *view, int replicates);

/* Frees the ratings. */
void report_close(struct report_view *view);

/*
 * Prints the ranking and the crosstable of a computed view as text.  The view
 * needs names, standings, and the members from `pooled` on.  0 or -ENOMEM.
 */
int report_text_ranking(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * Prints the report of a computed view as text.  0; or -ENOMEM, and then a part
 * of it is missing.  Output errors are found by ferror().
 */
int report_text(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * Prints the next commands to try: `next`, and after a short report `more`.
 * Prints nothing if the view has no path of a run.
 */
void report_text_next(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * Prints the verdict of a gate, or the leader of a tournament, in one line;
 * then CAUTION, and a line for each bot that has lost games by offences.
 */
void report_text_verdict(const struct report_view *view,
    const struct report_style *style, FILE *file);

/*
 * Returns a text to print after a result: `, for analysis` if bots could see
 * all cards, `, unboxed` if bots had no sandbox, both, or an empty text.
 */
const char *report_mark(const struct report_view *view);

/*
 * Prints the lines CUT, PONDER and VOID, which report effects of clocks and of
 * the machine on games.  The view needs names and standings.
 */
void report_text_remarks(
    const struct report_view *view, int label_width, FILE *file);

struct html;
struct run_facts;

/*
 * Prints the report of a computed view as one JSON document (formats.md).
 * `facts` (run_facts.h) may be NULL.
 */
void report_json(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

/*
 * Prints the page of a run for a browser: one file that needs no other file,
 * and that can be read and printed without scripts.  The view must be computed.
 * `facts` may be NULL or partly empty: a section without data is left out.  0
 * or -ENOMEM.  Output errors are found by ferror().
 */
int report_html(
    const struct report_view *view, const struct run_facts *facts, FILE *file);

/*
 * Prints only the sections that change while a run is played, for a page that
 * follows the run: each is an element <section> with its id.
 */
void report_html_live(const struct report_view *view,
    const struct run_facts *facts, struct html *html);

/* Returns the exit status for a verdict: 0, 1 or 3; an open one gives 3. */
enum status gate_exit_status(enum gate_outcome outcome);

/*
 * Numbers that text, page and JSON document print.
 */

/* The results of a bot against another one. */
struct report_pair {
	const struct encounter *encounter;
	struct estimate margin, clean; /* points per deal; without forfeits */
	double los, clean_los;         /* of `margin` and of `clean` */
	struct strength games, pairs;  /* `pairs` if encounter->paired */
	int64_t base_forfeits;         /* games that the second has forfeited */
	struct residual residual;      /* set by report_compute() */
};

struct report_pair report_pair_of(
    const struct report_view *view, int first, int second);

/*
 * The margins of a bot against another one: a number for each block, or for
 * each round if they met in several blocks of a round, which share their packs.
 */
struct moments report_margins(
    const struct report_view *view, int first, int second);

/* The confidence level of intervals. */
double report_level(const struct report_view *view);

/* The name of a bot, and the number of bots. */
const char *report_name(const struct report_view *view, int bot);
int report_bot_count(const struct report_view *view);

/*
 * The rating of a bot with its interval; `ratings` is view->ratings.margin or
 * .elo.  The interval of a bot that has met no other bot has no ends.
 */
struct estimate report_rating(
    const struct report_view *view, const struct rating *ratings, int bot);

/*
 * The Elo of a bot in the standings: of two bots the Elo against the other one,
 * of more bots the rating.
 */
struct estimate report_elo(const struct report_view *view, int bot);

/* The difference of two margin ratings with its interval. */
struct estimate report_gap(
    const struct report_view *view, int first, int second);

/* Points per deal of a bot by a scoring item, and the mean of the others. */
struct report_source {
	double own, others;
};

struct report_source report_source_of(
    const struct report_view *view, int bot, enum scopa_item item);

/* Whether an item gives points.  All coins win the match and give none. */
bool report_item_counts(const struct report_view *view, int item);

/*
 * The score of a bot against another one per game, whose errors are those of
 * blocks if these are known.
 */
struct estimate report_score(
    const struct report_view *view, const struct encounter *encounter);

/* The place, from 0, of a position of the order in the group of its bot. */
int report_place_in_group(const struct report_view *view, int position);

/*
 * The probability that a is stronger than b.  NAN if it is not known: there are
 * too few rounds, no chain of results joins them, or the lead never varied.
 */
double report_above(const struct report_view *view, int a, int b);

/*
 * The probability that the bot at a position of the order is stronger than the
 * next one; -1 for the last position, NAN if it is not known.
 */
double report_above_next(const struct report_view *view, int position);

/*
 * Appends a sentence: how many games a bot has lost by its own offences, and
 * what the first offence was.  False: it has lost none.
 */
bool report_faults(
    const struct report_view *view, int bot, struct scopa_text *text);

/*
 * Appends a sentence if the verdict of a test by moments rests on few blocks in
 * which the bots differed.  False: it does not, or it is still open.
 */
bool report_caution(const struct report_view *view, struct scopa_text *text);

/* The mean time of a decision in ms; NAN: there was no decision. */
double report_think_ms(const struct standing *standing);

/*
 * Returns blocks_planned, or 0: there is no limit, or the run has ended and did
 * not need all of them.
 */
int64_t report_blocks_due(const struct report_view *view);

/* Whether text, JSON and CSV show each pair of bots. */
bool report_shows_pairs(const struct report_view *view);

/* Whether the format gives places, and some bot has one. */
bool report_has_places(const struct report_view *view);

/*
 * Appends what the places say about the first bot: ` has won the knockout
 * tournament`, ...  Its lead in points is added only if there is one.  False:
 * the format has decided no places.
 */
bool report_places_say(const struct report_view *view, struct scopa_text *text);

/*
 * The bracket of a knockout.  A bot loses one match, to a bot with a better
 * place, so the bracket follows from places and encounters.
 */

/* Whether the run is a knockout in which at least one match is decided. */
bool report_has_bracket(const struct report_view *view);

/*
 * The stage of the match that a bot of this place, from 1, has lost: 0 is the
 * final.
 */
int report_match_stage(int place);

/* The name of this stage: `final`, `semi-final`, ... */
struct number report_match_name(int place);

/* The bot that has beaten this one; -1: it did not play the match. */
int report_winner_over(const struct report_view *view, int loser);

#endif
