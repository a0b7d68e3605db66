#include "record_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"
#include "error_message.h"
#include "escape.h"
#include "text_format.h"
#include "version.h"

enum { SAY_SIZE = 4 * RECORD_FAULT_SIZE };

/* Everything that one walk needs, made once. */
struct walker {
	const struct record_walk *walk;
	const char *file;
	struct record_reader *reader;
	struct record_block block;
	struct record_checker *checker; /* NULL where nothing is checked */
	struct replay *replay;
	struct record record;
};

enum status
record_walk_worse(enum status a, enum status b)
{
	return a > b ? a : b;
}

const char *
safe_text(const char *text, char *safe, size_t size)
{
	escape_bytes(text, strlen(text), false, safe, size);
	return safe;
}

void
record_walk_say(const char *file, int64_t line, const char *text)
{
	char name[SAY_SIZE], safe[SAY_SIZE];

	fflush(stdout);
	fprintf(stderr, "%s:%" PRId64 ": %s\n",
	    safe_text(file, name, sizeof(name)), line,
	    safe_text(text, safe, sizeof(safe)));
}

enum status
memory_error(void)
{
	error_print("no memory");
	return STATUS_ENVIRONMENT;
}

/* What was skipped is worth a word, and no more. */
static void
warn(void *context, int64_t line, const char *text)
{
	const struct walker *walker = context;
	char warning[RECORD_FAULT_SIZE + 16];

	if (walker->walk->quiet)
		return;
	snprintf(warning, sizeof(warning), "warning: %s", text);
	record_walk_say(walker->file, line, warning);
}

/* The id as it stands on the `match` line. */
static void
find_match(const struct record_block *block, char match[EVENT_ID_SIZE])
{
	struct words words;

	memcpy(match, "?", sizeof("?"));
	if (block->line_count == 0)
		return;
	words_split(record_line_bytes(block, &block->lines[0]),
	    block->lines[0].length, &words);
	if (words.count > 1 &&
	    !memchr(words.word[1].bytes, '=', words.word[1].length))
		word_decode(words.word[1], match, EVENT_ID_SIZE);
}

/*
 * Whether this block, which was checked, is to be used.  One that is bad is
 * said; the others are not.
 */
static bool
pick_take(struct record_pick *pick, const struct record_visit *visit)
{
	const struct record_verdict *verdict = visit->verdict;
	char text[RECORD_FAULT_SIZE + 32];

	if (pick->match && strcmp(pick->match, visit->match) != 0)
		return false;
	if (verdict->good) {
		pick->good++;
		return true;
	}
	pick->bad++;
	snprintf(text, sizeof(text), "skipped: V%d: %s", verdict->level,
	    verdict->fault.text);
	record_walk_say(visit->file, verdict->fault.line, text);
	return false;
}

/* The status of a walk, which was `status` so far, after its last block. */
static enum status
pick_status(const struct record_pick *pick, enum status status)
{
	if (pick->bad > 0)
		return record_walk_worse(status, STATUS_FAILED);
	if (status != STATUS_DONE || pick->good > 0 || !pick->match)
		return status;
	error_print("no match has the id \"%s\"", pick->match);
	error_detail("try", VERSION_NAME " record verify FILE");
	return STATUS_FAILED;
}

static int
visit_block(struct walker *walker, int64_t number)
{
	struct record_listener listener = { warn, walker };
	struct record_verdict verdict;
	struct record_visit visit = {
		.file = walker->file,
		.number = number,
		.block = &walker->block,
		.replay = walker->replay,
		.record = &walker->record,
	};
	int error;

	find_match(&walker->block, visit.match);
	if (walker->checker) {
		error = record_check(
		    walker->checker, &walker->block, &listener, &verdict);
		if (error)
			return error;
		visit.verdict = &verdict;
	} else if (!walker->block.outside && !walker->block.fault.line) {
		record_check_lines(&walker->block, true, &listener, NULL);
	}
	if (walker->walk->pick && !pick_take(walker->walk->pick, &visit))
		return 0;
	return walker->walk->visit(walker->walk->context, &visit);
}

/* All blocks of one descriptor: 0 or -errno. */
static int
visit_blocks(struct walker *walker, int fd, int64_t *count)
{
	int status;

	record_reader_init(walker->reader, fd);
	*count = 0;
	while ((status = record_read(walker->reader, &walker->block)) == 1) {
		status = visit_block(walker, ++*count);
		if (status < 0)
			return status;
	}
	return status;
}

static enum status
say_unreadable(const char *file, int error)
{
	error_print("cannot read %s: %s", file, strerror(-error));
	error_detail("hint", "give a game record, or `-` for standard input");
	return input_file_status(error);
}

static enum status
say_empty(const char *file)
{
	error_print("%s holds no game record",
	    strcmp(file, "-") == 0 ? "standard input" : file);
	error_detail("hint", "a record begins with a line `match ID ...`");
	error_detail(
	    "try", VERSION_NAME " match @greedy @random --record games.scopa");
	return STATUS_FAILED;
}

static enum status
walk_file(struct walker *walker, const char *file)
{
	bool named = strcmp(file, "-") != 0;
	int fd = named ? open(file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	int64_t count;
	int error;

	if (fd < 0)
		return say_unreadable(file, -errno);
	walker->file = file;
	error = visit_blocks(walker, fd, &count);
	if (named)
		close(fd);
	if (error)
		return say_unreadable(file, error);
	return count == 0 ? say_empty(file) : STATUS_DONE;
}

static enum status
walk_files(struct walker *walker, int file_count, char **files)
{
	enum status status = STATUS_DONE;

	if (file_count == 0 && isatty(STDIN_FILENO))
		return error_usage("name a file, or give `-` to type one",
		    "no file is named, and standard input is a "
		    "terminal");
	if (file_count == 0)
		return walk_file(walker, "-");
	for (int i = 0; i < file_count; i++)
		status = record_walk_worse(status, walk_file(walker, files[i]));
	return status;
}

static int
walker_open(struct walker *walker)
{
	const struct record_walk *walk = walker->walk;

	walker->reader = malloc(sizeof(*walker->reader));
	if (!walker->reader || replay_open(&walker->replay) < 0)
		return -ENOMEM;
	if (walk->check || walk->pick)
		return record_checker_open(&walker->checker);
	return 0;
}

static void
walker_close(struct walker *walker)
{
	record_checker_close(walker->checker);
	record_release(&walker->record);
	replay_close(walker->replay);
	record_block_release(&walker->block);
	free(walker->reader);
}

enum status
record_walk_files(const struct record_walk *walk, int file_count, char **files)
{
	struct walker walker = { .walk = walk };
	enum status status;

	record_block_init(&walker.block);
	record_init(&walker.record);
	if (walker_open(&walker) < 0) {
		status = memory_error();
	} else {
		status = walk_files(&walker, file_count, files);
		if (walk->pick)
			status = pick_status(walk->pick, status);
	}
	walker_close(&walker);
	return status;
}

enum status
record_walk_good(int (*visit)(void *context, const struct record_visit *visit),
    void *context, const char *match, int file_count, char **files)
{
	struct record_pick pick = { .match = match };
	const struct record_walk walk = {
		.pick = &pick,
		.visit = visit,
		.context = context,
	};

	return record_walk_files(&walk, file_count, files);
}

enum { CAPACITY_MIN = 64 };

const char *
position_move_text(
    const struct scopa_move *move, char bytes[POSITION_MOVE_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, bytes, POSITION_MOVE_SIZE);
	scopa_move_format(move, &text);
	return bytes;
}

void
positions_init(struct positions *positions, const struct positions_wish *wish)
{
	*positions = (struct positions){ .wish = *wish };
}

void
positions_release(struct positions *positions)
{
	free(positions->items);
}

static bool
is_wanted(const struct positions_wish *wish, const struct position *position)
{
	return (wish->deal == 0 || wish->deal == position->number) &&
	    (wish->play == 0 || wish->play == position->play);
}

static void
position_add(struct positions *positions, const struct position *position)
{
	if (positions->count == positions->capacity) {
		int capacity = positions->capacity > 0 ? 2 * positions->capacity
						       : CAPACITY_MIN;
		struct position *items = reallocarray(positions->items,
		    (size_t)capacity, sizeof(*positions->items));

		if (!items) {
			positions->no_memory = true;
			return;
		}
		positions->items = items;
		positions->capacity = capacity;
	}
	positions->items[positions->count++] = *position;
}

static void
hear_decision(void *context, const struct replay_decision *decision)
{
	struct positions *positions = context;
	const struct game *game = decision->game;
	struct position position = {
		.deal = game->deal,
		.tally = game->tally,
		.move = *decision->move,
		.by_arena = decision->by_arena,
		.number = game->tally.deal_count + 1,
		.play = game->deal.play_count + 1,
	};

	/* Lines that come again: the block is gone through once more. */
	if (decision->line <= positions->line)
		positions->count = 0;
	positions->line = decision->line;
	if (is_wanted(&positions->wish, &position))
		position_add(positions, &position);
}

int
positions_gather(struct positions *positions, const struct record_visit *visit)
{
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.hear = hear_decision,
		.context = positions,
	};
	struct record_fault fault;
	int error;

	positions->count = 0;
	positions->line = 0;
	error = replay_run(
	    visit->replay, visit->block, &order, visit->record, &fault);
	return positions->no_memory ? -ENOMEM : error;
}

/* Clusters that are kept apart, of two bots and of each further pair. */
enum { ROWS_MIN = 1 << 16, ROWS_PER_PAIR = 256 };

struct record_walk_context {
	struct regroup *regroup;
	int64_t refused;  /* good records that cannot be counted */
	int64_t analysed; /* of games in which some bots saw all cards */
};

static int
regroup_block(void *given, const struct record_visit *visit)
{
	struct record_walk_context *context = given;
	struct record_fault fault = { 0 };
	char text[RECORD_FAULT_SIZE + 16];
	int error = regroup_take(context->regroup, visit->block, &fault);

	/* There may be thousands: the first is said. */
	if (error == -EPERM && context->analysed++ > 0)
		return 0;
	if (error != -EBADMSG && error != -EPERM)
		return error;
	context->refused++;
	snprintf(text, sizeof(text), "skipped: %s", fault.text);
	record_walk_say(visit->file, fault.line, text);
	return 0;
}

/* What was worked out with all cards in sight is no measure of a player. */
static void
error_of_analysis(int64_t analysed, int64_t counted)
{
	error_print("%" PRId64 " game%s for analysis: nothing of %s is rated",
	    analysed, analysed == 1 ? " was" : "s were",
	    analysed == 1 ? "it" : "them");
	if (counted > 0)
		error_detail("counted", "the other %" PRId64, counted);
	error_detail("hint",
	    "some bots could see all cards; the report of the run that played "
	    "them tells the margins");
}

static int64_t
row_max(int bot_count)
{
	return ROWS_MIN +
	    (int64_t)ROWS_PER_PAIR * bot_count * (bot_count - 1) / 2;
}

void
regroup_opponents(const struct regroup *regroup, const char *candidate,
    const char *base, int bots[2])
{
	bots[0] = candidate != NULL ? regroup_bot_find(regroup, candidate) : 0;
	bots[1] = -1;
	if (base != NULL)
		bots[1] = regroup_bot_find(regroup, base);
	else if (bots[0] >= 0 && regroup->bot_count == 2)
		bots[1] = 1 - bots[0];
}

/*
 * Begins to bet as soon as both bots have been seen: no later than when they
 * meet.  A third bot that comes later leaves nothing to bet on without a name,
 * which is said when all was read.
 */
static void
bets_begin(struct regrouped *regrouped, const int bots[2])
{
	const struct regroup_pair *pair = regrouped->pair;
	struct standings *standings = &regrouped->standings;
	double limit = scopa_points_max(&standings->rules);

	if (pair->bets && !standings->bets.open && pair->low > -limit &&
	    pair->high < limit)
		standings_bet(
		    standings, bots[0], bots[1], pair->low, pair->high);
}

/*
 * Prepares for a block of the two that a test is about, if it is one.  1: they
 * had met with its packs; 0; -ENOMEM.
 */
static int
pair_meet(struct regrouped *regrouped, const struct block_result *block)
{
	const struct regroup_pair *pair = regrouped->pair;
	int bots[2];

	if (pair == NULL)
		return 0;
	regroup_opponents(
	    &regrouped->regroup, pair->candidate, pair->base, bots);
	if (bots[0] < 0 || bots[1] < 0 || bots[0] == bots[1])
		return 0;
	bets_begin(regrouped, bots);
	return regroup_meet(&regrouped->regroup, block, bots[0], bots[1]);
}

/* Adds a block to the sums. */
static int
on_block(void *context, const struct regroup *regroup,
    const struct block_result *block)
{
	struct regrouped *regrouped = context;
	struct standings *standings = &regrouped->standings;
	struct block_result masked = *block;
	int status = 0;

	if (standings->bots == NULL)
		status = standings_open(
		    standings, &regroup->rules, regroup->bot_count);
	else if (standings->bot_count < regroup->bot_count)
		status = standings_grow(standings, 2 * regroup->bot_count);
	if (status == 0)
		status = pair_meet(regrouped, block);
	if (status > 0)
		return 0;
	masked.plan.round &= (int)regrouped->cluster_mask;
	if (status == 0)
		status = standings_take(standings, &masked);
	if (status == 0)
		standings_coarsen(standings, row_max(regroup->bot_count),
		    &regrouped->cluster_mask);
	return status;
}

void
regrouped_close(struct regrouped *regrouped)
{
	regroup_release(&regrouped->regroup);
	standings_close(&regrouped->standings);
}

enum status
regroup_files(struct regrouped *regrouped, const struct regroup_pair *pair,
    int file_count, char **files)
{
	struct regroup *regroup = &regrouped->regroup;
	struct record_walk_context context = { .regroup = regroup };
	struct record_pick pick = { 0 };
	const struct record_walk walk = {
		.quiet = true,
		.pick = &pick,
		.visit = regroup_block,
		.context = &context,
	};
	enum status status;

	*regrouped = (struct regrouped){
		.cluster_mask = INT32_MAX,
		.pair = pair,
	};
	regroup_init(regroup, on_block, regrouped);
	status = record_walk_files(&walk, file_count, files);
	if (regroup_finish(regroup) < 0)
		return memory_error();
	if (context.refused > 0)
		status = record_walk_worse(status, STATUS_FAILED);
	if (context.analysed > 0)
		error_of_analysis(context.analysed, regroup->game_count);
	if (status == STATUS_DONE && regroup->block_count == 0) {
		error_print("no game came to its end");
		error_detail("hint",
		    "%d record%s of games that were interrupted",
		    (int)regroup->aborted, text_plural(regroup->aborted));
		status = STATUS_FAILED;
	}
	return status;
}

void
regroup_remarks_say(const struct regroup *regroup)
{
	const struct {
		int64_t count;
		const char *what;
	} left_out[] = {
		{ regroup->aborted, "games that came to no end were left out" },
		{ regroup->repeated,
		    "records that were there twice were counted once" },
		{ regroup->again,
		    "games with packs that the same bots had played in the "
		    "same seats are no new evidence and were left out" },
		{ regroup->met_again,
		    "blocks in which the two met with packs that they had "
		    "played in other blocks are no new evidence and were left "
		    "out" },
	};

	fflush(stdout);
	if (regroup->incomplete > 0)
		fprintf(stderr,
		    "warning: %" PRId64 " of %" PRId64 " blocks lack games: "
		    "the luck of the deal stays in them\n",
		    regroup->incomplete, regroup->block_count);
	for (int i = 0; i < COUNTOF(left_out); i++)
		if (left_out[i].count > 0)
			fprintf(stderr, "warning: %s: %" PRId64 "\n",
			    left_out[i].what, left_out[i].count);
}
