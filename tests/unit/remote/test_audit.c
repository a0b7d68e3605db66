/*
 * The audit: honest workers are not quarantined, and workers that alter results
 * are found.
 *
 * The games are invented: the block decides the twenty plays and the result of
 * each of its two games.  They are the same on every machine, except for bots
 * that depend on time, and for workers that alter them.
 */
#include "audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks.h"
#include "support.h"
#include "test.h"

enum { BOTS = 4, GAMES = 2, PLAYS = 20, WORKERS = 100, TRUSTED = 10 };

/* How a worker alters its results. */
struct worker_model {
	double altered;     /* share of its blocks */
	double bonus;       /* points for bot 1 in each game of them */
	double time_losses; /* share of blocks that bot 2 loses on time */
};

struct fleet {
	struct audit *audit;
	struct scopa_rules rules;
	struct shuffle_key secret;
	uint64_t random;
	double rate;
	int bot_count;
	double varies[BOTS]; /* share of games in which a bot plays otherwise */
	struct worker_model workers[WORKERS];
	bool quarantined[WORKERS];
	struct audit_finding last; /* the last quarantine */
	int64_t compared;
};

/* One copy of a block. */
struct played {
	struct game_result games[GAMES];
	char records[GAMES][1024];
	const struct game_result *pointers[GAMES];
	const char *record_pointers[GAMES];
	size_t sizes[GAMES];
	char worker[16];
	struct audit_copy copy;
};

static double
draw(uint64_t *random)
{
	return (double)(support_random(random) >> 11) * 0x1p-53;
}

static void
write_record(char *record, uint64_t block, int game, int varied, int variant)
{
	char *at = record + sprintf(record, "match m1\ndeal 1 dealer=2\n");

	for (int play = 0; play < PLAYS; play++) {
		uint64_t random = block * 64 + (uint64_t)(game * PLAYS + play);
		int card = (int)(support_random(&random) % 40) +
		    (play >= varied ? 40 * variant : 0);

		at += sprintf(at, "play %d %d t=0.%06d\n", play % 2 + 1, card,
		    (int)(support_random(&random) % 1000000));
	}
	sprintf(at, "enddeal 1\nsum lines=9\n");
}

/* The bots of a block, and their seats in each game. */
static struct block_plan
plan_of(const struct fleet *fleet, int64_t block)
{
	int first = (int)(block % fleet->bot_count);
	int second = (int)((block + 1) % fleet->bot_count);

	return (struct block_plan){
		.index = block,
		.bot_count = 2,
		.bots = { first, second },
		.game_count = GAMES,
		.seating = { { 0, 1 }, { 1, 0 } },
	};
}

/*
 * Plays a block: each bot varies in its share of games, and with `alters` one
 * play of each game is replaced by another one.
 */
static void
play(struct fleet *fleet, int worker, int64_t block, bool alters,
    struct played *played)
{
	const struct worker_model *model = &fleet->workers[worker];
	struct block_plan plan = plan_of(fleet, block);
	struct block_result result = blocks_of_plan(&fleet->rules, &plan);

	for (int game = 0; game < GAMES; game++) {
		uint64_t luck = (uint64_t)block * 2 + (uint64_t)game;
		int varied = PLAYS, variant = 0, points;

		for (int seat = 0; seat < 2; seat++) {
			int bot = plan.bots[plan.seating[game][seat]];

			played->games[game].entrant[seat] = bot;
			if (draw(&fleet->random) >= fleet->varies[bot])
				continue;
			varied = 2 *
				support_random_below(
				    &fleet->random, PLAYS / 2) +
			    seat;
			variant = 1 + support_random_below(&fleet->random, 9);
		}
		if (alters) {
			varied = support_random_below(&fleet->random, PLAYS);
			variant = 10;
		}
		luck += variant < 10 ? 1000003 * (uint64_t)variant : 0;
		points = (int)lrint(8 * (draw(&luck) + draw(&luck) - 1));
		if (alters)
			points += (int)model->bonus *
			    (plan.bots[plan.seating[game][0]] == 0 ? 1 : -1);
		result.games[game].scores[0] = 20 + points;
		result.games[game].scores[1] = 20;
		played->games[game].summary = result.games[game];
		write_record(played->records[game], (uint64_t)block, game,
		    varied, variant);
		played->pointers[game] = &played->games[game];
		played->record_pointers[game] = played->records[game];
		played->sizes[game] = strlen(played->records[game]);
	}
	snprintf(played->worker, sizeof(played->worker), "w%02d", worker);
	played->copy = (struct audit_copy){
		.worker = played->worker,
		.trusted = worker < TRUSTED,
		.block = block,
		.game_count = GAMES,
		.games = played->pointers,
		.records = played->record_pointers,
		.record_sizes = played->sizes,
	};
}

/* Two workers play the same block. */
static void
play_twice(struct fleet *fleet, int64_t block, struct played *first,
    struct played *again)
{
	play(fleet, 50, block, false, first);
	play(fleet, 3, block, false, again);
}

static struct fleet *
fleet_open(uint64_t seed, int bot_count)
{
	static struct fleet fleet;
	struct audit_config config;

	memset(&fleet, 0, sizeof(fleet));
	fleet.rules = support_rules("scopa");
	fleet.random = seed;
	fleet.rate = 0.03;
	fleet.bot_count = bot_count;
	for (int i = 0; i < SHUFFLE_KEY_SIZE; i++)
		fleet.secret.bytes[i] = (uint8_t)support_random(&fleet.random);
	config = (struct audit_config){ &fleet.rules, bot_count, &fleet.secret,
		fleet.rate };
	assert_int_equal(audit_open(&fleet.audit, &config), 0);
	return &fleet;
}

static void
on_finding(struct fleet *fleet, int worker, const struct audit_finding *finding)
{
	if (finding->verdict != AUDIT_QUARANTINE)
		return;
	assert_false(fleet->quarantined[worker]);
	fleet->quarantined[worker] = true;
	fleet->last = *finding;
}

/*
 * A worker plays a block, the block is counted, and played again if it is
 * chosen for an audit.
 */
static void
add_block(struct fleet *fleet, int worker, int64_t block)
{
	static struct played first, again;
	const struct worker_model *model = &fleet->workers[worker];
	struct audit_finding finding;
	int other;

	play(fleet, worker, block, draw(&fleet->random) < model->altered,
	    &first);
	if (draw(&fleet->random) < model->time_losses) {
		struct summary *lost = &first.games[0].summary;

		lost->offender = 1;
		lost->forfeiter = 1;
		lost->offence = OFFENCE_TIMEOUT;
	}
	finding = audit_count(fleet->audit, &first.copy);
	on_finding(fleet, worker, &finding);
	if (fleet->quarantined[worker] ||
	    !audit_chosen(fleet->audit, block, first.copy.worker))
		return;
	other = support_random_below(&fleet->random, TRUSTED);
	if (other == worker)
		other = (worker + 1) % TRUSTED;
	play(fleet, other, block, false, &again);
	finding = audit_compare(fleet->audit, &first.copy, &again.copy);
	fleet->compared++;
	on_finding(fleet, worker, &finding);
}

/*
 * Plays this many blocks per worker.  Returns the number of quarantined
 * workers.
 */
static int
play_run(struct fleet *fleet, int64_t blocks_each)
{
	int count = 0;

	for (int64_t block = 0; block < blocks_each * WORKERS; block++) {
		int worker = support_random_below(&fleet->random, WORKERS);

		if (!fleet->quarantined[worker])
			add_block(fleet, worker, block);
	}
	for (int i = 0; i < WORKERS; i++)
		count += fleet->quarantined[i];
	audit_close(fleet->audit);
	return count;
}

/* Adds so many games of two teams of two, all with this outcome. */
static struct audit_finding
repeat_games(struct fleet *fleet, const char *worker, int count, int outcome)
{
	struct game_result game = { .entrant = { 0, 1, 0, 1 } };
	const struct game_result *games[] = { &game };
	const struct audit_copy copy = {
		.worker = worker,
		.trusted = strcmp(worker, "trusted") == 0,
		.game_count = 1,
		.games = games,
	};
	struct audit_finding finding = { .verdict = AUDIT_FINE };

	for (; count > 0 && finding.verdict != AUDIT_QUARANTINE; count--)
		finding = audit_repeat(fleet->audit, &copy, &outcome);
	return finding;
}

TEST(test_game_of_partners_counts_once)
{
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding;

	fleet->rules = support_rules("scopa,players=4,teams=ABAB");
	repeat_games(fleet, "trusted", 150, AUDIT_SAME);
	repeat_games(fleet, "other", 5, AUDIT_SAME);
	finding = repeat_games(fleet, "other", 100, 0);
	assert_int_equal(finding.verdict, AUDIT_QUARANTINE);
	assert_non_null(strstr(finding.sentence,
	    "so do 11 of its 16 games of this bot, and 0 of 150 elsewhere"));
	audit_close(fleet->audit);
}

/*
 * Honest workers, with bots that vary in such a share of their games.  By hand:
 * SCOPA_AUDIT_RUNS=1000 plays 1,000 runs for each share.
 */
TEST(test_honest_workers_are_not_quarantined)
{
	static const double shares[] = { 0, 0.001, 0.005, 0.02, 0.05, 0.3 };
	long runs = support_number("SCOPA_AUDIT_RUNS", 1);
	int64_t blocks_each = runs > 1 ? 300 : 100;

	for (int i = 0; i < COUNTOF(shares); i++) {
		int alarms = 0;

		for (long seed = 0; seed < runs; seed++) {
			struct fleet *fleet =
			    fleet_open((uint64_t)seed, seed % 2 ? BOTS : 2);

			for (int bot = 0; bot < BOTS; bot++)
				fleet->varies[bot] = bot % 2 ? shares[i] : 0;
			for (int worker = 0; worker < WORKERS; worker++)
				fleet->workers[worker].time_losses = 0.02;
			if (play_run(fleet, blocks_each) > 0) {
				alarms++;
				print_message("# %s\n", fleet->last.sentence);
			}
		}
		print_message("# bots vary in %g of games: %d false alarms in "
			      "%ld runs\n",
		    shares[i], alarms, runs);
		assert_int_equal(alarms, 0);
	}
}

/* The number of its blocks after which the worker is quarantined; 0: never. */
static int64_t
find_dishonest_worker(struct fleet *fleet, int dishonest, int64_t blocks_each)
{
	int64_t own = 0, found = 0;

	for (int64_t block = 0; block < blocks_each * WORKERS && !found;
	     block++) {
		int worker = support_random_below(&fleet->random, WORKERS);

		if (fleet->quarantined[worker])
			continue;
		add_block(fleet, worker, block);
		own += worker == dishonest;
		if (fleet->quarantined[dishonest])
			found = own;
	}
	for (int worker = 0; worker < WORKERS; worker++)
		assert_true(worker == dishonest || !fleet->quarantined[worker]);
	audit_close(fleet->audit);
	return found;
}

static int
compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

TEST(test_worker_that_alters_plays_is_quarantined)
{
	static const double shares[] = { 1, 0.2, 0.05 };
	static const int64_t limits[] = { 600, 2000, 6000 };
	long runs = support_number("SCOPA_AUDIT_RUNS", 1);
	int64_t *found = calloc((size_t)runs, sizeof(*found));

	for (int i = 0; i < COUNTOF(shares); i++) {
		for (long seed = 0; seed < runs; seed++) {
			struct fleet *fleet = fleet_open((uint64_t)seed, 2);

			fleet->workers[50].altered = shares[i];
			found[seed] =
			    find_dishonest_worker(fleet, 50, limits[i]);
			assert_true(found[seed] > 0);
			assert_non_null(
			    strstr(fleet->last.sentence, "worker `w50`"));
		}
		qsort(found, (size_t)runs, sizeof(*found), compare_numbers);
		print_message("# altered %g: found after %ld blocks, half of "
			      "them after %ld, all after %ld\n",
		    shares[i], (long)found[0], (long)found[runs / 2],
		    (long)found[runs - 1]);
	}
	free(found);
}

/* The bots vary in most games, so only the margins show the difference. */
TEST(test_worker_with_other_margins_is_quarantined)
{
	struct fleet *fleet = fleet_open(3, 2);

	fleet->varies[0] = fleet->varies[1] = 0.8;
	fleet->workers[50] = (struct worker_model){ 0.3, 10, 0 };
	assert_true(find_dishonest_worker(fleet, 50, 800) > 0);
	assert_non_null(strstr(fleet->last.sentence, "margin of bot"));
}

TEST(test_worker_on_which_bots_lose_on_time_is_quarantined)
{
	struct fleet *fleet = fleet_open(4, 2);

	for (int worker = 0; worker < WORKERS; worker++)
		fleet->workers[worker].time_losses = 0.01;
	fleet->workers[50].time_losses = 0.3;
	assert_true(find_dishonest_worker(fleet, 50, 300) > 0);
	assert_non_null(strstr(fleet->last.sentence, "on time"));
}

TEST(test_audited_blocks_depend_on_the_secret)
{
	int64_t chosen = 0, same = 0;
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_config config = { &fleet->rules, 2, &fleet->secret, 0.03 };
	struct audit *other;

	fleet->secret.bytes[0] ^= 1;
	assert_int_equal(audit_open(&other, &config), 0);
	for (int64_t block = 0; block < 20000; block++) {
		bool now = audit_chosen(fleet->audit, block, "anna");

		chosen += now;
		same += now && audit_chosen(other, block, "anna");
		assert_true(now == audit_chosen(fleet->audit, block, "bruno"));
	}
	assert_in_range(chosen, 500, 700);
	assert_in_range(same, 5, 35);
	audit_close(other);
	audit_close(fleet->audit);
}

TEST(test_difference_between_copies_is_reported)
{
	static struct played first, again;
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding;

	play_twice(fleet, 16, &first, &again);
	finding = audit_compare(fleet->audit, &first.copy, &again.copy);
	assert_true(finding.verdict == AUDIT_FINE);
	assert_string_equal(finding.sentence, "");

	first.games[1].summary.game = 33;
	write_record(first.records[1], 16, 1, 13, 1);
	finding = audit_compare(fleet->audit, &first.copy, &again.copy);
	assert_int_equal(finding.verdict, AUDIT_WATCH);
	assert_string_equal(finding.sentence,
	    "worker `w50`: game m34 of block 17 went another way than with "
	    "worker `w03`, from play 14 of deal 1 on; its blocks are played "
	    "again from now on");
	for (int64_t block = 0; block < 100; block++)
		assert_true(audit_chosen(fleet->audit, block, "w50"));

	/* All its blocks are audited until enough of them have agreed. */
	for (int64_t block = 0; block < 100; block++) {
		play_twice(fleet, block, &first, &again);
		audit_compare(fleet->audit, &first.copy, &again.copy);
	}
	assert_false(audit_chosen(fleet->audit, 1, "w50") &&
	    audit_chosen(fleet->audit, 2, "w50") &&
	    audit_chosen(fleet->audit, 3, "w50"));
	audit_close(fleet->audit);
}

TEST(test_second_difference_of_a_block_does_not_hide_the_watch)
{
	static struct played first, again;
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding;

	play_twice(fleet, 16, &first, &again);
	for (int game = 0; game < GAMES; game++)
		write_record(first.records[game], 16, game, 13, 1);
	finding = audit_compare(fleet->audit, &first.copy, &again.copy);
	assert_int_equal(finding.verdict, AUDIT_WATCH);
	assert_non_null(strstr(
	    finding.sentence, "; its blocks are played again from now on"));
	audit_close(fleet->audit);
}

/* Reports outcomes of an earlier call for a block that w50 has played. */
static struct audit_finding
repeat(struct fleet *fleet, const int outcomes[GAMES])
{
	static struct played first;

	play(fleet, 50, 16, false, &first);
	return audit_repeat(fleet->audit, &first.copy, outcomes);
}

TEST(test_difference_of_an_earlier_call_is_reported_in_a_whole_sentence)
{
	static const int outcomes[GAMES] = { 0, AUDIT_SAME };
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding = repeat(fleet, outcomes);

	assert_int_equal(finding.verdict, AUDIT_WATCH);
	assert_string_equal(finding.sentence,
	    "worker `w50`: a game went another way than with another worker; "
	    "its blocks are played again from now on");
	audit_close(fleet->audit);
}

/* The log of audits of a run may have been changed. */
TEST(test_outcome_with_a_bot_outside_the_game_is_ignored)
{
	static const int outcomes[GAMES] = { TOURNAMENT_BOTS_MAX - 1, 2 };
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding = repeat(fleet, outcomes);

	assert_int_equal(finding.verdict, AUDIT_FINE);
	assert_false(audit_chosen(fleet->audit, 1, "w50") &&
	    audit_chosen(fleet->audit, 2, "w50") &&
	    audit_chosen(fleet->audit, 3, "w50"));
	audit_close(fleet->audit);
}

/* A loss on time on one machine, and another end of the game, is no forgery. */
TEST(test_offence_is_no_altered_play)
{
	static struct played first, again;
	struct fleet *fleet = fleet_open(1, 2);
	struct audit_finding finding;
	char *at;

	play_twice(fleet, 16, &first, &again);
	at = strstr(first.records[0], "enddeal");
	strcpy(at, "offence 1 kind=timeout\nabort match reason=forfeit\n");
	first.sizes[0] = strlen(first.records[0]);
	finding = audit_compare(fleet->audit, &first.copy, &again.copy);
	assert_int_equal(finding.outcomes[0], AUDIT_NO_PLAY);
	assert_int_equal(finding.verdict, AUDIT_FINE);
	audit_close(fleet->audit);
}
