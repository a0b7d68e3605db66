/*
 * Audits: whether the bots really made the plays that a worker reports.
 *
 * A record that passes result_check() follows from the packs of its block and
 * from the rules.  It does not prove that the bots made these plays: for that,
 * another machine must play the block again.  So workers that the organiser
 * trusts play some blocks again.  What is compared depends on the bots:
 *
 *  - Bots whose plays follow from what they are sent make the same plays again.
 *    The first play that differs belongs to one bot, because until then
 *    everything was the same.  The audit counts, for each bot, in how many games
 *    its plays differ.  If a bot hardly ever differs on other workers, but differs
 *    on this one, the worker is watched: all its blocks are played again, until
 *    it is clear whether the worker plays as the others do.
 *  - The results of other bots differ by nature.  Their margins are compared
 *    with what the other workers get of the same bots, as well as how often
 *    they lose by time and by other failures.
 *
 * Pure: no clock, no input or output.  The state of an audit follows from the
 * blocks that were counted and from the outcomes of comparisons.  `resume`
 * reads both from the log (run_workers.h).
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "block.h"
#include "dispatcher.h"
#include "store.h"

enum {
	/* Outcomes of the comparison of a game, besides the number of a bot. */
	AUDIT_SAME = -1,
	AUDIT_NO_PLAY = -2 /* other ends or offences differ, or it is unknown */
};

struct audit_config {
	const struct scopa_rules *rules; /* must outlive the audit */
	int bot_count;                   /* of the run */
	const struct shuffle_key *secret;
	double rate; /* share of blocks that are played again, 0 to 1 */
};

/* A block as one worker has played it. */
struct audit_copy {
	const char *worker;
	bool trusted;
	int64_t block;
	int game_count;
	const struct game_result *const *games; /* `summary` and `entrant` */
	const char *const *records;             /* for audit_compare() */
	const size_t *record_sizes;
};

enum audit_verdict {
	AUDIT_FINE,
	AUDIT_WATCH, /* from now on audit_chosen() is true for this worker */
	AUDIT_QUARANTINE
};

/* The verdict on a worker; each verdict is reported once. */
struct audit_finding {
	enum audit_verdict verdict;
	/* Of each game: the bot whose play differs, AUDIT_SAME or
	 * AUDIT_NO_PLAY. */
	int outcomes[BLOCK_GAMES_MAX];
	char sentence[STORE_TEXT_SIZE]; /* empty: nothing to report */
};

struct audit;

/* 0 or -ENOMEM. */
int audit_open(struct audit **audit, const struct audit_config *config);
void audit_close(struct audit *audit); /* NULL is allowed */

/*
 * Whether this block is to be played again.  The choice depends on the secret
 * of the run, so that no worker can foresee it.
 */
bool audit_chosen(const struct audit *audit, int64_t block, const char *worker);

/* Adds a block that is counted.  Without memory the verdict is AUDIT_FINE. */
struct audit_finding audit_count(
    struct audit *audit, const struct audit_copy *copy);

/*
 * Compares two copies of a block.  The finding is about the worker of the first
 * copy.
 */
struct audit_finding audit_compare(struct audit *audit,
    const struct audit_copy *first, const struct audit_copy *again);

/*
 * Adds the outcomes of an earlier comparison; no records are needed.  The
 * number of a bot that is not in the game counts as AUDIT_NO_PLAY.
 */
struct audit_finding audit_repeat(
    struct audit *audit, const struct audit_copy *first, const int outcomes[]);

/* Forgets all about a worker, whose blocks are played again. */
void audit_forget(struct audit *audit, const char *worker);

/*
 * Whether all games of two copies went the same way.  If not, `where` is the
 * first difference, as the end of a sentence.
 */
bool audit_agree(const struct audit_copy *first, const struct audit_copy *again,
    char where[STORE_TEXT_SIZE]);

#endif
