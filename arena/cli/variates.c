/*
 * Implements variates.h.  First the reference: the greedy bot plays every deal
 * of a game at all seats, and its points are what the deal was worth.  Then the
 * sums for each bot and round, made from the reference of each game.  Then the
 * records of a run, which are read in the order of its store.  Last the
 * estimates (stats/estimate.h).
 */
#include "variates.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "greedy.h"
#include "replay.h"
#include "scopa/score.h"
#include "scopa/view.h"
#include "world.h"

#define REFERENCE_NAME "@greedy"

/*
 * Returns the move of the reference bot for the seat to play.  The bot sees
 * only what the seat may see.
 */
static struct scopa_move
choose(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_tally *tally)
{
	struct scopa_view view;
	struct scopa_deal imagined;
	bool possible;

	scopa_view_make(rules, deal, tally, deal->turn, &view);
	possible = imagine_deal(rules, &view, &imagined);
	assert(possible);
	return greedy_move(rules, &imagined);
}

bool
reference_play(const struct scopa_rules *rules, struct reference_deal *deal)
{
	int teams = scopa_team_count(rules), total = 0;
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	struct scopa_tally tally;
	struct scopa_deal state;
	struct scopa_score score;

	if (scopa_deal_start(rules, deal->pack, deal->dealer, &state) !=
	    SCOPA_START_PLAY)
		return false;
	/*
	 * The tally is empty, as the bot does not use the points of earlier
	 * deals.
	 */
	scopa_tally_init(&tally, deal->dealer, 0);
	while (!scopa_deal_over(&state)) {
		struct scopa_move move = choose(rules, &state, &tally);

		scopa_deal_apply(rules, &state, &move);
	}
	scopa_score_count(rules, &state, &score);
	for (int team = 0; team < teams; team++)
		total += score.total[team];
	for (int team = 0; team < teams; team++)
		deal->leads[team] = sign * (teams * score.total[team] - total);
	return true;
}

/*
 * Returns the played deal of this pack and dealer, from the memory or played
 * now.  NULL: the rules do not accept the pack.
 */
static const struct reference_deal *
recall(struct reference_memory *memory, const struct scopa_rules *rules,
    int number, int dealer, const uint8_t pack[SCOPA_PACK_SIZE])
{
	int place = number % REFERENCE_DEALS_MAX;
	struct reference_deal *deal = &memory->deals[place];
	bool *full = &memory->full[place];

	if (*full && deal->dealer == dealer &&
	    memcmp(deal->pack, pack, SCOPA_PACK_SIZE) == 0)
		return deal;
	memcpy(deal->pack, pack, SCOPA_PACK_SIZE);
	deal->dealer = dealer;
	*full = reference_play(rules, deal);
	return *full ? deal : NULL;
}

/*
 * Whether the deal was played to its end and counted: it has a line `enddeal`.
 */
static bool
was_counted(const struct recorded_deal *dealing)
{
	const struct game_record *record = dealing->record;

	for (size_t i = dealing->end; i > dealing->begin; i--) {
		const struct record_line *line = &record->lines[i - 1];

		if (record_line_is(record_line_bytes(record, line),
			line->length, "enddeal"))
			return true;
	}
	return false;
}

static bool
add_recorded_deal(struct reference *reference, struct reference_memory *memory,
    const struct scopa_rules *rules, const struct recorded_deal *dealing,
    struct record_fault *fault)
{
	int64_t line = dealing->record->lines[dealing->begin].number;
	int dealt = dealing->pack_count > 0 ? dealing->pack_count
					    : dealing->table_count;
	int dealer = dealing->deal.dealer;
	const struct reference_deal *deal;
	struct event_pack pack;

	if (dealing->deal_line == 0 || dealer < 0 || dealer >= rules->players) {
		record_fault_set(fault, line, "it is not said who deals %d",
		    dealing->number);
		return false;
	}
	if (recorded_deal_pack(dealing, rules, dealer,
		dealt > 0 ? dealt - 1 : 0, &pack, fault) < 0)
		return false;
	deal = recall(memory, rules, dealing->number, dealer, pack.cards);
	if (deal == NULL) {
		record_fault_set(fault, line,
		    "the rules throw in the last pack of this deal");
		return false;
	}
	dealer = scopa_team_of(rules, dealer);
	for (int team = 0; team < scopa_team_count(rules); team++)
		reference->leads[dealer][team] += deal->leads[team];
	reference->dealt[dealer]++;
	return true;
}

bool
reference_read(struct reference *reference, struct reference_memory *memory,
    const struct scopa_rules *rules, const struct game_record *record,
    struct record_fault *fault)
{
	struct recorded_deal dealing;

	*reference = (struct reference){ 0 };
	for (size_t at = 0; at < record->line_count; at = dealing.end) {
		dealing.end = at + 1;
		if (!recorded_deal_begins(record, &record->lines[at], 0))
			continue;
		if (!recorded_deal_find(record, at, &dealing, fault))
			return false;
		if (was_counted(&dealing) &&
		    !add_recorded_deal(
			reference, memory, rules, &dealing, fault))
			return false;
	}
	return true;
}

/* With fewer rounds the estimate of the coefficient is too uncertain. */
enum { ROUNDS_MIN = 10 };

/* The sums over the blocks of a bot in one round. */
struct variates_round {
	double parts[VARIATE_PARTS_MAX], margin;
	int64_t blocks;
};

/* There is a part for the leads, and one for each place but the dealer's. */
_Static_assert(
    (int)SCOPA_TEAMS_MAX <= (int)VARIATE_PARTS_MAX, "a part for each place");

void
variates_init(
    struct variates *variates, const struct scopa_rules *rules, int deals)
{
	*variates = (struct variates){ .rules = rules, .deals = deals };
}

void
variates_close(struct variates *variates)
{
	for (int bot = 0; bot < TOURNAMENT_BOTS_MAX; bot++) {
		free(variates->bots[bot].rounds);
		variates->bots[bot].rounds = NULL;
	}
}

/*
 * Returns the sums of a round.  NULL: no memory.  A round beyond the limit
 * shares the sums of a random other round (splitmix64).
 */
static struct variates_round *
round_of(struct variates_bot *bot, int round)
{
	uint64_t bits = (uint64_t)round;

	/*
	 * The kernel provides pages of this large array only when they are
	 * written.
	 */
	if (bot->rounds == NULL)
		bot->rounds = calloc(VARIATES_ROUNDS_MAX, sizeof(*bot->rounds));
	if (bot->rounds == NULL)
		return NULL;
	if (round < VARIATES_ROUNDS_MAX)
		return &bot->rounds[round];
	return &bot->rounds[splitmix64(&bits) % VARIATES_ROUNDS_MAX];
}

/*
 * Counts for each team how many deals it dealt beyond those that all games
 * have.
 */
static void
count_further(const struct variates *variates, int first_dealer,
    const struct reference *reference, int further[SCOPA_TEAMS_MAX])
{
	const struct scopa_rules *rules = variates->rules;
	int players = rules->players;

	memcpy(further, reference->dealt, sizeof(reference->dealt));
	for (int seat = 0; seat < players; seat++) {
		int turn = (seat - first_dealer + players) % players;
		int deals = variates->deals / players +
		    (turn < variates->deals % players ? 1 : 0);

		further[scopa_team_of(rules, seat)] -= deals;
	}
}

/* Adds to the parts of a bot what one game was worth to its team. */
static void
add_parts(const struct variates *variates, const struct reference *reference,
    const int *further, int team, int64_t parts[SCOPA_TEAMS_MAX])
{
	int teams = scopa_team_count(variates->rules);

	for (int dealer = 0; dealer < teams; dealer++) {
		int place = (team - dealer + teams) % teams;

		parts[0] += reference->leads[dealer][team];
		if (place > 0)
			parts[place] += further[dealer] - further[team];
	}
}

/* Adds the leads of the reference at each place after the dealer's. */
static void
add_places(struct variates *variates, const struct reference *reference)
{
	int teams = scopa_team_count(variates->rules);

	for (int dealer = 0; dealer < teams; dealer++) {
		for (int place = 0; place < teams; place++)
			variates->leads[place] +=
			    reference->leads[dealer][(dealer + place) % teams];
		variates->dealt += reference->dealt[dealer];
	}
}

static int
deal_count(const struct reference *reference)
{
	int count = 0;

	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		count += reference->dealt[team];
	return count;
}

int
variates_add(struct variates *variates, const struct block_result *block,
    const struct reference *references)
{
	const struct scopa_rules *rules = variates->rules;
	const struct block_plan *plan = &block->plan;
	int teams = scopa_team_count(rules), games = plan->game_count;
	int further[BLOCK_GAMES_MAX][SCOPA_TEAMS_MAX];

	if (block->skipped || block_mean(rules, block, 0).forfeit)
		return 0;
	for (int game = 0; game < games; game++) {
		count_further(
		    variates, plan->dealer, &references[game], further[game]);
		add_places(variates, &references[game]);
	}
	for (int member = 0; member < plan->bot_count; member++) {
		struct variates_bot *bot = &variates->bots[plan->bots[member]];
		int64_t whole[SCOPA_TEAMS_MAX] = { 0 };
		struct variates_round *round = round_of(bot, plan->round);

		if (round == NULL)
			return -ENOMEM;
		for (int game = 0; game < games; game++) {
			int team = block_team(rules, plan, game, member);

			add_parts(variates, &references[game], further[game],
			    team, whole);
			bot->deals += deal_count(&references[game]);
		}
		bot->games += games;
		for (int part = 0; part < teams; part++)
			round->parts[part] += (double)whole[part] / games;
		round->margin += block_mean(rules, block, member).margin;
		round->blocks++;
		bot->blocks++;
	}
	return 0;
}

/* The state of reading the records of a run. */
struct run_reading {
	struct variates *variates;
	struct record_reader reader;
	struct game_record record;
	struct reference_memory memory;
	char path[PATH_MAX];
	struct store_error *error;
};

static int
broken(struct run_reading *reading, int64_t line, const char *why)
{
	return store_fail(reading->error, -EBADMSG, "",
	    "the records \"%s\", line %jd: %s", reading->path, line, why);
}

/* Reads the next record, which must be the one of this game.  0 or -errno. */
static int
read_game(struct run_reading *reading, const struct summary *game,
    struct reference *reference)
{
	const struct game_record *record = &reading->record;
	struct record_fault fault = { .line = 0 };
	struct event event;
	char id[EVENT_ID_SIZE];
	int status = record_read(&reading->reader, &reading->record);

	if (status < 0)
		return run_fail(status, "read", reading->path, reading->error);
	if (status == 0)
		return broken(reading, record->last_line,
		    "games of the results are missing");
	if (record->fault.line != 0)
		return broken(reading, record->fault.line, record->fault.text);
	snprintf(id, sizeof(id), "m%jd", game->game + 1);
	if (record->outside ||
	    !record_line_event(record, &record->lines[0], &event, &fault) ||
	    event.kind != EVENT_MATCH || strcmp(event.match.id, id) != 0)
		return broken(reading, record->first_line,
		    "this is not the next game of the results");
	if (!reference_read(reference, &reading->memory,
		reading->variates->rules, record, &fault))
		return broken(reading, fault.line, fault.text);
	if (deal_count(reference) == game->deal_count)
		return 0;
	snprintf(fault.text, sizeof(fault.text),
	    "%d deals were counted here, and %d in the results",
	    deal_count(reference), game->deal_count);
	return broken(reading, record->last_line, fault.text);
}

static int
add_block(void *context, const struct block_result *block)
{
	struct run_reading *reading = context;
	struct reference references[BLOCK_GAMES_MAX];
	int status = 0;

	if (block->skipped)
		return 0;
	for (int game = 0; game < block->plan.game_count && !status; game++)
		status =
		    read_game(reading, &block->games[game], &references[game]);
	if (status != 0)
		return status;
	status = variates_add(reading->variates, block, references);
	if (status < 0)
		store_fail(reading->error, status, "", "out of memory");
	return status;
}

int
variates_read(
    struct variates *variates, const struct run *run, struct store_error *error)
{
	static struct run_reading reading;
	int fd, status;

	memset(&reading.memory, 0, sizeof(reading.memory));
	reading.variates = variates;
	reading.error = error;
	run_path_join(reading.path, run->path, RUN_RECORDS);
	fd = open(reading.path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return run_fail(-errno, "open", reading.path, error);
	record_reader_init(&reading.reader, fd);
	game_record_init(&reading.record);
	status = store_walk_from(run->store, 0, add_block, &reading, error);
	game_record_release(&reading.record);
	close(fd);
	return status;
}

/*
 * The observation of a round with this sum over its blocks.  It differs from
 * the mean of all blocks by as much as the round does, so that rounds with more
 * blocks count for more.
 */
static double
observation(const struct variates_round *round, double sum,
    const struct variates_round *all, double all_sum, int64_t rounds)
{
	double mean = all_sum / (double)all->blocks;
	double excess = sum - (double)round->blocks * mean;

	return mean + excess * (double)rounds / (double)all->blocks;
}

struct variate_parts
variates_rounds(const struct variates_bot *bot)
{
	struct variate_parts sums = { 0 };
	struct variates_round all = { 0 };
	int64_t rounds = 0;

	for (int i = 0; bot->rounds && i < VARIATES_ROUNDS_MAX; i++) {
		const struct variates_round *round = &bot->rounds[i];

		for (int part = 0; part < VARIATE_PARTS_MAX; part++)
			all.parts[part] += round->parts[part];
		all.margin += round->margin;
		all.blocks += round->blocks;
		rounds += round->blocks > 0;
	}
	for (int i = 0; bot->rounds && i < VARIATES_ROUNDS_MAX; i++) {
		const struct variates_round *round = &bot->rounds[i];
		double parts[VARIATE_PARTS_MAX];

		if (round->blocks == 0)
			continue;
		for (int part = 0; part < VARIATE_PARTS_MAX; part++)
			parts[part] = observation(round, round->parts[part],
			    &all, all.parts[part], rounds);
		variate_parts_add(&sums, parts,
		    observation(
			round, round->margin, &all, all.margin, rounds));
	}
	return sums;
}

void
variates_estimate(struct variates *variates, double level)
{
	int teams = scopa_team_count(variates->rules);

	variates->row_count = 0;
	for (int bot = 0; bot < TOURNAMENT_BOTS_MAX; bot++) {
		const struct variates_bot *source = &variates->bots[bot];
		double weights[VARIATE_PARTS_MAX] = { 0 };
		struct variate_parts parts = variates_rounds(source);
		struct variate variate;

		if (parts.count < ROUNDS_MIN || source->deals == 0)
			continue;
		/*
		 * The weights of the parts.  The leads get the factor that
		 * makes them points per deal, less the mean of all other teams,
		 * as in y.  Each place gets the average lead at this place with
		 * the negative factor.  The leads of all places together are 0,
		 * so the place of the dealer can be left out.
		 */
		weights[0] = 1.0 /
		    ((double)source->deals / (double)source->games *
			(teams - 1));
		for (int place = 1; place < teams; place++)
			weights[place] = -weights[0] *
			    (double)variates->leads[place] /
			    (double)variates->dealt;
		variate = variate_parts_weigh(&parts, weights);
		if (!(variate.squares_x > 0.0))
			continue;
		variates->rows[variates->row_count++] = (struct report_variate){
			.bot = bot,
			.reference = REFERENCE_NAME,
			.blocks = source->blocks,
			.estimate = variate_estimate(&variate, 0.0, level),
		};
	}
}
