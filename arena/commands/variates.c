#include "variates.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With fewer blocks the coefficient would be a guess. */
enum { BLOCKS_MIN = 10 };

/* A bot has a part for its leads, and one for each place but the dealer's. */
_Static_assert(
    (int)SCOPA_PARTIES_MAX <= (int)VARIATE_PARTS_MAX, "a part for each place");

void
variates_init(
    struct variates *variates, const struct scopa_rules *rules, int deals)
{
	*variates = (struct variates){ .rules = rules, .deals = deals };
}

static bool
is_clean(const struct block_result *block)
{
	if (block->skipped)
		return false;
	for (int game = 0; game < block->plan.game_count; game++)
		if (block->games[game].forfeiter != SCOPA_PARTY_NONE)
			return false;
	return true;
}

/* Deals of a game beyond those that all games have, by the dealer's party. */
static void
count_further(const struct variates *variates, int first_dealer,
    const struct reference *reference, int further[SCOPA_PARTIES_MAX])
{
	const struct scopa_rules *rules = variates->rules;
	int players = rules->players;

	memcpy(further, reference->dealt, sizeof(reference->dealt));
	for (int seat = 0; seat < players; seat++) {
		int turn = (seat - first_dealer + players) % players;
		int deals = variates->deals / players +
		    (turn < variates->deals % players ? 1 : 0);

		further[scopa_party_of(rules, seat)] -= deals;
	}
}

/* Adds what one game was worth to a party to the parts of its bot. */
static void
add_parts(const struct variates *variates, const struct reference *reference,
    const int *further, int party, int64_t parts[SCOPA_PARTIES_MAX])
{
	int parties = scopa_party_count(variates->rules);

	for (int dealer = 0; dealer < parties; dealer++) {
		int place = (party - dealer + parties) % parties;

		parts[0] += reference->leads[dealer][party];
		if (place > 0)
			parts[place] += further[dealer] - further[party];
	}
}

/* What the reference makes at each place after the dealer's. */
static void
add_places(struct variates *variates, const struct reference *reference)
{
	int parties = scopa_party_count(variates->rules);

	for (int dealer = 0; dealer < parties; dealer++) {
		for (int place = 0; place < parties; place++)
			variates->leads[place] +=
			    reference
				->leads[dealer][(dealer + place) % parties];
		variates->dealt += reference->dealt[dealer];
	}
}

static int
deal_count(const struct reference *reference, int parties)
{
	int count = 0;

	for (int party = 0; party < parties; party++)
		count += reference->dealt[party];
	return count;
}

void
variates_take(struct variates *variates, const struct block_result *block,
    const struct reference *references)
{
	const struct scopa_rules *rules = variates->rules;
	const struct block_plan *plan = &block->plan;
	int parties = scopa_party_count(rules), games = plan->game_count;
	int further[BLOCK_GAMES_MAX][SCOPA_PARTIES_MAX];

	if (!is_clean(block))
		return;
	for (int game = 0; game < games; game++) {
		count_further(
		    variates, plan->dealer, &references[game], further[game]);
		add_places(variates, &references[game]);
	}
	for (int member = 0; member < plan->bot_count; member++) {
		struct variates_bot *bot = &variates->bots[plan->bots[member]];
		int64_t whole[SCOPA_PARTIES_MAX] = { 0 };
		double parts[VARIATE_PARTS_MAX] = { 0 };

		for (int game = 0; game < games; game++) {
			int party = block_party(rules, plan, game, member);

			add_parts(variates, &references[game], further[game],
			    party, whole);
			bot->deals += deal_count(&references[game], parties);
		}
		bot->games += games;
		for (int part = 0; part < parties; part++)
			parts[part] = (double)whole[part] / games;
		variate_parts_add(&bot->parts, parts,
		    block_mean(rules, block, member).margin);
	}
}

/* The records of a run on their way. */
struct reading {
	struct variates *variates;
	struct record_reader reader;
	struct record_block block;
	struct reference_memory memory;
	char path[PATH_MAX];
	struct store_error *error;
};

static int
broken(struct reading *reading, int64_t line, const char *why)
{
	store_error_set(reading->error,
	    "the records \"%s\", line %" PRId64 ": %s", reading->path, line,
	    why);
	return -EBADMSG;
}

/* The next record, which must be of this game: 0 or -errno. */
static int
read_game(struct reading *reading, const struct summary *game,
    struct reference *reference)
{
	const struct scopa_rules *rules = reading->variates->rules;
	const struct record_block *block = &reading->block;
	struct record_fault fault = { .line = 0 };
	struct event event;
	char id[EVENT_ID_SIZE];
	int deals, status = record_read(&reading->reader, &reading->block);

	if (status < 0) {
		store_error_set(reading->error, "cannot read \"%s\": %s",
		    reading->path, strerror(-status));
		return status;
	}
	if (status == 0)
		return broken(reading, reading->block.last_line,
		    "games of the results are missing");
	if (block->fault.line != 0)
		return broken(reading, block->fault.line, block->fault.text);
	snprintf(id, sizeof(id), "m%" PRId64, game->game + 1);
	if (block->outside ||
	    !record_line_event(block, &block->lines[0], &event, &fault) ||
	    event.kind != EVENT_MATCH || strcmp(event.match.id, id) != 0)
		return broken(reading, block->first_line,
		    "this is not the next game of the results");
	if (!reference_read(reference, &reading->memory, rules, block, &fault))
		return broken(reading, fault.line, fault.text);
	deals = deal_count(reference, scopa_party_count(rules));
	if (deals == game->deal_count)
		return 0;
	snprintf(fault.text, sizeof(fault.text),
	    "%d deals were counted here, and %d in the results", deals,
	    game->deal_count);
	return broken(reading, block->last_line, fault.text);
}

static int
take_block(void *context, const struct block_result *block,
    const struct store_place *place)
{
	struct reading *reading = context;
	struct reference references[BLOCK_GAMES_MAX];

	(void)place;
	if (block->skipped)
		return 0;
	for (int game = 0; game < block->plan.game_count; game++) {
		int status =
		    read_game(reading, &block->games[game], &references[game]);

		if (status != 0)
			return status;
	}
	variates_take(reading->variates, block, references);
	return 0;
}

int
variates_read(
    struct variates *variates, const struct run *run, struct store_error *error)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	int fd, status;

	if (reading == NULL) {
		store_error_set(error, "out of memory");
		return -ENOMEM;
	}
	reading->variates = variates;
	reading->error = error;
	run_file(run, RUN_RECORDS, reading->path);
	fd = open(reading->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		status = -errno;
		store_error_set(error, "cannot open \"%s\": %s", reading->path,
		    strerror(-status));
		goto free_reading;
	}
	record_reader_init(&reading->reader, fd);
	record_block_init(&reading->block);
	status = store_walk(run->store, 0, take_block, reading, error);
	record_block_release(&reading->block);
	close(fd);
free_reading:
	free(reading);
	return status;
}

/*
 * How much each part counts: the leads, less what they are on average at each
 * place.  All places together are worth nothing, which is why the dealer's can
 * be left out.
 */
static void
fill_weights(const struct variates *variates, double deals_of_game,
    double weights[VARIATE_PARTS_MAX])
{
	int parties = scopa_party_count(variates->rules);
	/* Points a deal, and less the mean of all others, as in y. */
	double unit = 1.0 / (deals_of_game * (parties - 1));

	memset(weights, 0, VARIATE_PARTS_MAX * sizeof(*weights));
	weights[0] = unit;
	for (int place = 1; place < parties; place++)
		weights[place] = -unit * (double)variates->leads[place] /
		    (double)variates->dealt;
}

void
variates_estimate(struct variates *variates, double level)
{
	variates->row_count = 0;
	for (int bot = 0; bot < TOURNAMENT_BOTS_MAX; bot++) {
		const struct variates_bot *source = &variates->bots[bot];
		double weights[VARIATE_PARTS_MAX];
		struct variate variate;

		if (source->parts.count < BLOCKS_MIN || source->deals == 0)
			continue;
		fill_weights(variates,
		    (double)source->deals / (double)source->games, weights);
		variate = variate_parts_weigh(&source->parts, weights);
		if (!(variate.squares_x > 0.0))
			continue;
		variates->rows[variates->row_count++] = (struct report_variate){
			.bot = bot,
			.reference = REFERENCE_NAME,
			.blocks = variate.count,
			.estimate = variate_estimate(&variate, 0.0, level),
		};
	}
}
