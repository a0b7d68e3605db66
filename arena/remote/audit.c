/*
 * Plays that differ.  In a game of two copies each bot has either played the
 * same, or it is the one whose play differs first; of the others nothing is
 * known then.  Let p be the share of games in which a bot differs elsewhere,
 * estimated from above: by (differing + 1) / (games + 1) of the trusted
 * workers, or of all, without this one; and without games of workers that were
 * watched, as soon as there are enough others.  A bot with a p above P_VARIABLE
 * depends on time and says nothing.  Otherwise the evidence against a worker is
 * the sum of
 *
 *     log(q / p)              for a game in which the bot differs
 *     log((1 - q) / (1 - p))  for one in which it does not
 *
 * where q, at least P_ALTERED, is the share of a worker that alters results, as
 * it is assumed.  The sum does not go below 0 (Page 1954).  So a worker that
 * begins to alter results late is found as fast as any other.
 *
 * Margins.  Each block of the same bots is compared with those before it, on
 * whichever worker: (margin - mean) / (deviation * sqrt(1 + 1 / n)).  These
 * residuals are uncorrelated with mean 0 and variance 1, so that their sum over
 * n blocks of one worker has deviation sqrt(n).
 *
 * Losses by time and by other failures.  Their number is compared with the
 * number that follows from the rates of these bots on other workers, by the
 * bound of Chernoff for a sum of rare events.
 *
 * EVIDENCE_MAX and the other limits are meant to quarantine one of 100 honest
 * workers in less than one run of 1,000.  tests/unit/remote/test_audit.c plays
 * such runs; in 500 of them no worker was quarantined.
 */
#include "audit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "run_workers.h"
#include "search_tree.h"

#define P_VARIABLE 0.02
#define P_ALTERED 0.025 /* of games; that is 5% of the blocks of two games */
#define EVIDENCE_MAX 14.0
/* of one block; a single block does not decide */
#define RESIDUAL_MAX 4.0
#define RESIDUAL_SUM 6.0        /* deviations of the sum */
#define LOSSES_UNLIKELY (-21.0) /* logarithm of a probability */

enum {
	TRUSTED_GAMES = 100, /* from which on only trusted workers count */
	AGREED_GAMES = 80,   /* at least, until a worker is watched no more */
	PAIRING_BLOCKS = 16, /* before residuals begin */
	LOSSES_MIN = 5,
	FIRST_LOOK = 32, /* blocks; then whenever there are a quarter more */
	WORDS = 3        /* of a line of a record that are compared */
};

enum loss { LOSS_TIME, LOSS_OTHER, LOSS_COUNT };

static const char *const loss_names[] = { "on time", "by other failures" };

/* Counts about one bot, from one worker or from all. */
struct tally {
	int64_t blocks, losses[LOSS_COUNT];
	int64_t scored; /* blocks with a residual */
	double residuals;
	int64_t compared, differed; /* games of two copies */
	/* of these, while the worker was watched: not chosen by chance */
	int64_t watched_compared, watched_differed;
};

struct auditee {
	/* the key, which must be the first member */
	char name[WORKER_NAME_SIZE];
	bool trusted;
	bool watched, condemned;
	double evidence;
	int64_t agreed; /* games since the last one that differed */
	int64_t blocks, next_look;
	struct tally *tallies; /* of each bot */
};

/* The margins of one bot against certain others. */
struct pairing {
	int bots[SCOPA_SEATS_MAX]; /* numbers + 1, sorted; 0: none */
	int member;
	struct moments margins;
};

struct audit {
	const struct scopa_rules *rules;
	int bot_count;
	struct shuffle_key secret;
	double rate;
	void *workers;               /* a search tree of struct auditee */
	struct tally *all, *trusted; /* of each bot */
	void *pairings;              /* a search tree of struct pairing */
	struct block_result block;   /* the block that is being counted */
};

int
audit_open(struct audit **audit, const struct audit_config *config)
{
	struct audit *new = calloc(1, sizeof(*new));

	if (new == NULL)
		return -ENOMEM;
	new->rules = config->rules;
	new->bot_count = config->bot_count;
	new->secret = *config->secret;
	new->rate = config->rate;
	new->all = calloc((size_t)config->bot_count, sizeof(struct tally));
	new->trusted = calloc((size_t)config->bot_count, sizeof(struct tally));
	if (new->all == NULL || new->trusted == NULL) {
		audit_close(new);
		return -ENOMEM;
	}
	*audit = new;
	return 0;
}

static void
free_worker(void *worker)
{
	free(((struct auditee *)worker)->tallies);
	free(worker);
}

void
audit_close(struct audit *audit)
{
	if (audit == NULL)
		return;
	tdestroy(audit->workers, free_worker);
	free(audit->all);
	free(audit->trusted);
	search_tree_release(&audit->pairings);
	explicit_bzero(&audit->secret, sizeof(audit->secret));
	free(audit);
}

/* --- workers */

static int
compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct auditee *
find_worker(const struct audit *audit, const char *name)
{
	struct auditee **found = tfind(name, &audit->workers, compare_names);

	return found != NULL ? *found : NULL;
}

/* Finds the worker of this name, or adds it; NULL: no memory. */
static struct auditee *
get_worker(struct audit *audit, const struct audit_copy *copy)
{
	struct auditee *worker = find_worker(audit, copy->worker);
	struct auditee new = {
		.trusted = copy->trusted,
		.next_look = FIRST_LOOK,
	};

	if (worker != NULL)
		return worker;
	snprintf(new.name, sizeof(new.name), "%s", copy->worker);
	new.tallies = calloc((size_t)audit->bot_count, sizeof(struct tally));
	if (new.tallies != NULL)
		worker = search_tree_get(
		    &audit->workers, &new, sizeof(new), compare_names, NULL);
	if (worker == NULL)
		free(new.tallies);
	return worker;
}

bool
audit_chosen(const struct audit *audit, int64_t block, const char *worker)
{
	const struct auditee *auditee = find_worker(audit, worker);
	struct shuffle_key key;
	uint32_t number;

	if (auditee != NULL && auditee->watched)
		return true;
	shuffle_deal_key(&audit->secret, "audits", (uint64_t)block, 0, &key);
	number = (uint32_t)key.bytes[0] << 24 | (uint32_t)key.bytes[1] << 16 |
	    (uint32_t)key.bytes[2] << 8 | key.bytes[3];
	return number < audit->rate * 0x1p32;
}

/* Counts about a bot from all workers except this one. */
static struct tally
tally_elsewhere(const struct tally *all, const struct tally *own)
{
	struct tally others = *all;

	others.blocks -= own->blocks;
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		others.losses[loss] -= own->losses[loss];
	others.compared -= own->compared;
	others.differed -= own->differed;
	others.watched_compared -= own->watched_compared;
	others.watched_differed -= own->watched_differed;
	return others;
}

/*
 * A worker is found guilty.  What it has reported of the bots does not count
 * until audit_forget() begins again with it.
 */
static void
condemn(
    struct audit *audit, struct auditee *worker, struct audit_finding *finding)
{
	finding->verdict = AUDIT_QUARANTINE;
	worker->condemned = true;
	for (int bot = 0; bot < audit->bot_count; bot++) {
		audit->all[bot] =
		    tally_elsewhere(&audit->all[bot], &worker->tallies[bot]);
		if (worker->trusted)
			audit->trusted[bot] = tally_elsewhere(
			    &audit->trusted[bot], &worker->tallies[bot]);
	}
}

/* --- margins and losses */

/* Sorts the numbers of the bots of a copy. */
static void
read_plan(struct audit *audit, const struct audit_copy *copy)
{
	struct block_plan *plan = &audit->block.plan;
	const int seats = audit->rules->players;

	*plan = (struct block_plan){ .game_count = copy->game_count };
	for (int seat = 0; seat < seats; seat++) {
		int bot = copy->games[0]->entrant[seat];
		int at = plan->bot_count;

		while (at > 0 && plan->bots[at - 1] > bot)
			at--;
		if (at > 0 && plan->bots[at - 1] == bot)
			continue;
		memmove(plan->bots + at + 1, plan->bots + at,
		    (size_t)(plan->bot_count++ - at) * sizeof(int));
		plan->bots[at] = bot;
	}
	for (int game = 0; game < copy->game_count; game++) {
		audit->block.games[game] = copy->games[game]->summary;
		for (int seat = 0; seat < seats; seat++)
			for (int i = 0; i < plan->bot_count; i++)
				if (plan->bots[i] ==
				    copy->games[game]->entrant[seat])
					plan->seating[game][seat] = (uint8_t)i;
	}
}

static int
compare_pairings(const void *a, const void *b)
{
	const struct pairing *one = a, *other = b;
	int order = memcmp(one->bots, other->bots, sizeof(one->bots));

	return order != 0 ? order : one->member - other->member;
}

/* Finds the margins of a member of the block so far; NULL: no memory. */
static struct moments *
get_margins(struct audit *audit, int member)
{
	const struct block_plan *plan = &audit->block.plan;
	struct pairing wanted = { .member = member }, *found;

	for (int i = 0; i < plan->bot_count; i++)
		wanted.bots[i] = plan->bots[i] + 1;
	found = search_tree_get(
	    &audit->pairings, &wanted, sizeof(wanted), compare_pairings, NULL);
	return found != NULL ? &found->margins : NULL;
}

static void
add_margin(struct audit *audit, struct auditee *worker, int member)
{
	struct moments *margins = get_margins(audit, member);
	struct tally *tally = &worker->tallies[audit->block.plan.bots[member]];
	double margin = block_mean(audit->rules, &audit->block, member).margin;
	double variance, residual;

	if (margins == NULL)
		return;
	variance = moments_sample_variance(margins) *
	    (1 + 1 / fmax(1, (double)margins->count));
	residual = margin - margins->mean;
	if (margins->count >= PAIRING_BLOCKS && variance > 0) {
		residual /= sqrt(variance);
		tally->residuals +=
		    fmax(-RESIDUAL_MAX, fmin(RESIDUAL_MAX, residual));
		tally->scored++;
	}
	moments_add(margins, margin);
}

/* Notes for each bot of the block whether it lost a game, once. */
static void
add_losses(struct audit *audit, struct auditee *worker)
{
	const struct block_plan *plan = &audit->block.plan;
	bool lost[SCOPA_SEATS_MAX][LOSS_COUNT] = { { false } };

	for (int game = 0; game < plan->game_count; game++) {
		const struct summary *summary = &audit->block.games[game];

		if (summary->forfeiter == SCOPA_TEAM_NONE ||
		    summary->offender < 0)
			continue;
		lost[plan->seating[game][summary->offender]]
		    [summary->offence == OFFENCE_TIMEOUT ? LOSS_TIME
							 : LOSS_OTHER] = true;
	}
	for (int member = 0; member < plan->bot_count; member++) {
		int bot = plan->bots[member];

		worker->tallies[bot].blocks++;
		audit->all[bot].blocks++;
		for (int loss = 0; loss < LOSS_COUNT; loss++) {
			worker->tallies[bot].losses[loss] += lost[member][loss];
			audit->all[bot].losses[loss] += lost[member][loss];
		}
	}
}

static void
judge_margins(
    struct audit *audit, struct auditee *worker, struct audit_finding *finding)
{
	for (int bot = 0; bot < audit->bot_count; bot++) {
		const struct tally *tally = &worker->tallies[bot];
		double sum = tally->residuals / sqrt((double)tally->scored + 1);

		if (fabs(sum) <= RESIDUAL_SUM || worker->condemned)
			continue;
		condemn(audit, worker, finding);
		snprintf(finding->sentence, sizeof(finding->sentence),
		    "worker `%s`: in its %" PRId64 " blocks the margin of bot "
		    "%d is %s than that of the other workers by %.1f standard "
		    "errors",
		    worker->name, tally->scored, bot + 1,
		    sum > 0 ? "higher" : "lower", fabs(sum));
	}
}

static void
judge_losses(struct audit *audit, struct auditee *worker, enum loss loss,
    struct audit_finding *finding)
{
	double count = 0, expected = 0;

	for (int bot = 0; bot < audit->bot_count; bot++) {
		const struct tally *own = &worker->tallies[bot];
		struct tally others = tally_elsewhere(&audit->all[bot], own);

		count += (double)own->losses[loss];
		expected += (double)own->blocks *
		    (double)(others.losses[loss] + 1) /
		    (double)(others.blocks + 1);
	}
	if (worker->condemned || count < LOSSES_MIN || count < 3 * expected ||
	    count - expected - count * log(count / expected) > LOSSES_UNLIKELY)
		return;
	condemn(audit, worker, finding);
	snprintf(finding->sentence, sizeof(finding->sentence),
	    "worker `%s`: bots lost %s in %.0f of its %" PRId64
	    " blocks, where "
	    "the other workers make one expect %.1f",
	    worker->name, loss_names[loss], count, worker->blocks, expected);
}

struct audit_finding
audit_count(struct audit *audit, const struct audit_copy *copy)
{
	struct auditee *worker = get_worker(audit, copy);
	struct audit_finding finding = { .verdict = AUDIT_FINE };
	bool forfeited = false;

	if (worker == NULL || worker->condemned)
		return finding;
	read_plan(audit, copy);
	add_losses(audit, worker);
	for (int game = 0; game < copy->game_count; game++)
		forfeited |=
		    copy->games[game]->summary.forfeiter != SCOPA_TEAM_NONE;
	for (int i = 0; i < audit->block.plan.bot_count && !forfeited; i++)
		add_margin(audit, worker, i);
	if (++worker->blocks < worker->next_look)
		return finding;
	worker->next_look += worker->next_look / 4;
	judge_margins(audit, worker, &finding);
	for (int loss = 0; loss < LOSS_COUNT; loss++)
		judge_losses(audit, worker, (enum loss)loss, &finding);
	return finding;
}

/* --- plays */

/* A position in a record, and the last line that was found. */
struct cursor {
	const char *at, *end;
	const char *line;
	size_t length; /* bytes of its first words; 0: the record has ended */
	int deal, play;
};

/* The first words of a line. */
static size_t
measure_words(const char *line, const char *end)
{
	const char *at = line;

	for (int words = 0; at < end && *at != '\n'; at++)
		if (*at == ' ' && ++words == WORDS)
			break;
	return (size_t)(at - line);
}

static bool
begins_with(const struct cursor *cursor, const char *verb)
{
	size_t length = strlen(verb);

	return (size_t)(cursor->end - cursor->at) > length &&
	    memcmp(cursor->at, verb, length) == 0 && cursor->at[length] == ' ';
}

/* Goes to the next line with a play, a declaration, an offence or an end. */
static void
find_act(struct cursor *cursor)
{
	cursor->length = 0;
	while (cursor->length == 0 && cursor->at < cursor->end) {
		const char *next = memchr(
		    cursor->at, '\n', (size_t)(cursor->end - cursor->at));

		if (begins_with(cursor, "deal")) {
			cursor->deal++;
			cursor->play = 0;
		} else if (begins_with(cursor, "play") ||
		    begins_with(cursor, "declare") ||
		    begins_with(cursor, "offence") ||
		    begins_with(cursor, "abort")) {
			cursor->play++;
			cursor->line = cursor->at;
			cursor->length = measure_words(cursor->at, cursor->end);
		}
		cursor->at = next != NULL ? next + 1 : cursor->end;
	}
}

/* The seat that a line is about, from 0; -1: no seat, or no play. */
static int
seat_of(const struct cursor *cursor)
{
	const char *line = cursor->line;
	const char *blank;

	if (cursor->length == 0 || (*line != 'p' && *line != 'd'))
		return -1;
	blank = memchr(line, ' ', cursor->length);
	return blank != NULL && blank[1] >= '1' &&
		blank[1] < '1' + SCOPA_SEATS_MAX
	    ? blank[1] - '1'
	    : -1;
}

/*
 * Compares two records of one game.  Returns true if they are the same.
 * Otherwise the cursor is at the first line of the first record that differs,
 * and `seat` is the seat whose play differs, or -1 if it is an offence or an
 * end.
 */
static bool
compare_records(const struct audit_copy *first, const struct audit_copy *again,
    int game, struct cursor *cursor, int *seat)
{
	struct cursor other = { .at = again->records[game] };

	*cursor = (struct cursor){ .at = first->records[game] };
	cursor->end = cursor->at + first->record_sizes[game];
	other.end = other.at + again->record_sizes[game];
	do {
		find_act(cursor);
		find_act(&other);
	} while (cursor->length > 0 && cursor->length == other.length &&
	    memcmp(cursor->line, other.line, other.length) == 0);
	*seat = seat_of(cursor);
	if (seat_of(&other) != *seat)
		*seat = -1;
	return cursor->length == 0 && other.length == 0;
}

/*
 * Estimates from above the share of games in which a bot differs elsewhere; 1
 * if nothing is known.
 */
static double
share_elsewhere(const struct audit *audit, const struct auditee *worker,
    int bot, struct tally *others)
{
	const struct tally *own = &worker->tallies[bot];

	*others = audit->trusted[bot];
	if (worker->trusted)
		*others = tally_elsewhere(others, own);
	if (others->compared < TRUSTED_GAMES)
		*others = tally_elsewhere(&audit->all[bot], own);
	/* Several workers that alter results must not hide one another. */
	if (others->compared - others->watched_compared >= TRUSTED_GAMES) {
		others->compared -= others->watched_compared;
		others->differed -= others->watched_differed;
	}
	return (double)(others->differed + 1) / (double)(others->compared + 1);
}

static void
add_game(struct audit *audit, struct auditee *worker, int bot, bool differs)
{
	struct tally *tallies[] = { &worker->tallies[bot], &audit->all[bot],
		&audit->trusted[bot] };
	bool was_watched = worker->watched;
	struct tally others;
	double p = share_elsewhere(audit, worker, bot, &others);
	double q = fmax(P_ALTERED, 4 * p);

	for (int i = 0; i < (worker->trusted ? 3 : 2); i++) {
		tallies[i]->compared++;
		tallies[i]->differed += differs;
		tallies[i]->watched_compared += was_watched;
		tallies[i]->watched_differed += was_watched && differs;
	}
	/*
	 * As long as no other game of the bot has differed, more games are
	 * needed.
	 */
	if (differs && (p <= P_VARIABLE || others.differed == 0))
		worker->watched = true;
	if (p > P_VARIABLE)
		return;
	worker->evidence += differs ? log(q / p) : log((1 - q) / (1 - p));
	worker->evidence = fmax(worker->evidence, 0);
}

/*
 * Judges a worker by the plays of one bot.  Returns whether it is quarantined.
 */
static bool
judge_plays(struct audit *audit, struct auditee *worker, int bot,
    bool was_watched, struct audit_finding *finding)
{
	const struct tally *own = &worker->tallies[bot];
	size_t length = strlen(finding->sentence);
	struct tally others;

	/* The log of an earlier call says which game it was. */
	if (length == 0 &&
	    (worker->evidence >= EVIDENCE_MAX ||
		(worker->watched && !was_watched)))
		length = (size_t)snprintf(finding->sentence,
		    sizeof(finding->sentence),
		    "worker `%s`: a game went another way than with another "
		    "worker",
		    worker->name);
	share_elsewhere(audit, worker, bot, &others);
	if (worker->evidence >= EVIDENCE_MAX) {
		snprintf(finding->sentence + length,
		    sizeof(finding->sentence) - length,
		    "; so do %" PRId64 " of its %" PRId64
		    " games of this bot, and %" PRId64 " of %" PRId64
		    " elsewhere",
		    own->differed, own->compared, others.differed,
		    others.compared);
		condemn(audit, worker, finding);
		return true;
	}
	if (worker->watched && !was_watched)
		finding->verdict = AUDIT_WATCH;
	return false;
}

/* Whether a bot has one of the seats of a game; partners may be one bot. */
static bool
has_seat(const struct audit *audit, const int *bots, int bot)
{
	for (int i = 0; i < audit->rules->players; i++)
		if (bots[i] == bot)
			return true;
	return false;
}

/*
 * Adds the outcome of a game of a worker.  Returns whether it is quarantined.
 */
static bool
count_outcome(struct audit *audit, struct auditee *worker, const int *bots,
    int outcome, struct audit_finding *finding)
{
	bool was_watched = worker->watched;

	if (outcome == AUDIT_SAME) {
		worker->agreed++;
		for (int bot = 0; bot < audit->bot_count; bot++)
			if (has_seat(audit, bots, bot))
				add_game(audit, worker, bot, false);
		return false;
	}
	if (!has_seat(audit, bots, outcome))
		return false;
	worker->agreed = 0;
	add_game(audit, worker, outcome, true);
	return judge_plays(audit, worker, outcome, was_watched, finding);
}

/* To be called after the last game of a block. */
static void
end_block(struct auditee *worker, struct audit_finding *finding)
{
	size_t length = strlen(finding->sentence);

	if (worker->evidence <= 0 && worker->agreed >= AGREED_GAMES)
		worker->watched = false;
	if (finding->verdict == AUDIT_WATCH)
		snprintf(finding->sentence + length,
		    sizeof(finding->sentence) - length,
		    "; its blocks are played again from now on");
}

/* Writes where two copies of a game differ, as the end of a sentence. */
static void
describe_difference(const struct audit_copy *first,
    const struct audit_copy *again, int game, const struct cursor *cursor,
    char where[STORE_TEXT_SIZE])
{
	snprintf(where, STORE_TEXT_SIZE,
	    "game m%" PRId64 " of block %" PRId64
	    " went another way than with worker `%s`, from play %d of deal %d "
	    "on",
	    first->games[game]->summary.game + 1, first->block + 1,
	    again->worker, cursor->play, cursor->deal);
}

struct audit_finding
audit_compare(struct audit *audit, const struct audit_copy *first,
    const struct audit_copy *again)
{
	struct auditee *worker = get_worker(audit, first);
	struct audit_finding finding = { .verdict = AUDIT_FINE };
	char where[STORE_TEXT_SIZE];

	for (int game = 0; game < BLOCK_GAMES_MAX; game++)
		finding.outcomes[game] = AUDIT_NO_PLAY;
	if (worker == NULL || worker->condemned)
		return finding;
	for (int game = 0; game < first->game_count; game++) {
		const int *bots = first->games[game]->entrant;
		int *outcome = &finding.outcomes[game];
		struct cursor cursor;
		int seat;

		if (compare_records(first, again, game, &cursor, &seat)) {
			*outcome = AUDIT_SAME;
		} else {
			*outcome = seat < 0 ? AUDIT_NO_PLAY : bots[seat];
			describe_difference(first, again, game, &cursor, where);
			snprintf(finding.sentence, sizeof(finding.sentence),
			    "worker `%s`: %.*s", worker->name,
			    STORE_TEXT_SIZE / 2, where);
		}
		if (count_outcome(audit, worker, bots, *outcome, &finding))
			return finding;
	}
	end_block(worker, &finding);
	return finding;
}

struct audit_finding
audit_repeat(
    struct audit *audit, const struct audit_copy *first, const int outcomes[])
{
	struct auditee *worker = get_worker(audit, first);
	struct audit_finding finding = { .verdict = AUDIT_FINE };

	if (worker == NULL || worker->condemned)
		return finding;
	for (int game = 0; game < first->game_count; game++)
		if (count_outcome(audit, worker, first->games[game]->entrant,
			outcomes[game], &finding))
			return finding;
	end_block(worker, &finding);
	return finding;
}

void
audit_forget(struct audit *audit, const char *name)
{
	struct auditee *worker = find_worker(audit, name);
	struct audit_finding finding;

	if (worker == NULL)
		return;
	if (!worker->condemned)
		condemn(audit, worker, &finding);
	memset(worker->tallies, 0,
	    (size_t)audit->bot_count * sizeof(*worker->tallies));
	worker->watched = worker->condemned = false;
	worker->evidence = 0;
	worker->agreed = worker->blocks = 0;
	worker->next_look = FIRST_LOOK;
}

bool
audit_agree(const struct audit_copy *first, const struct audit_copy *again,
    char where[STORE_TEXT_SIZE])
{
	for (int game = 0; game < first->game_count; game++) {
		struct cursor cursor;
		int seat;

		if (compare_records(first, again, game, &cursor, &seat))
			continue;
		describe_difference(first, again, game, &cursor, where);
		return false;
	}
	return true;
}
