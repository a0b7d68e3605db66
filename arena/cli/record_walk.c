/*
 * Implements record_walk.h, for all commands that read game records: the walk
 * over the records of several files, the regrouping of games into blocks of a
 * tournament, and the positions of a game.
 *
 * The walk reads one record after the other (record_read) and checks it
 * (record_check).  A bad record is reported with its file and line, and the
 * walk continues.
 */
#include "record_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "run.h"
#include "text_format.h"
#include "version.h"

enum { SAY_SIZE = RECORD_FAULT_SIZE + 64 };

/* The state of a walk; it is set up once for all files. */
struct walker {
	struct record_walk *walk;
	struct record_visit visit;
	struct record_reader *reader;
	struct game_record record;
	struct record_checker *checker; /* NULL if records are not checked */
	struct record_verdict verdict;
	struct record output;
};

void
record_walk_say(const char *file, int64_t line, const char *format, ...)
{
	char text[SAY_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fflush(stdout);
	fprintf(stderr, "%s:%jd: %s\n", safe_text(file), line, safe_text(text));
}

/*
 * Prints a warning of the checker about lines that it skips, unless the walk is
 * quiet.
 */
static void
warn(void *context, int64_t line, const char *text)
{
	const struct walker *walker = context;

	if (!walker->walk->quiet)
		record_walk_say(walker->visit.file, line, "warning: %s", text);
}

/* Copies the id from the `match` line of a record. */
static void
find_match(const struct game_record *record, char match[EVENT_ID_SIZE])
{
	struct words words;

	memcpy(match, "?", sizeof("?"));
	if (record->line_count == 0)
		return;
	words_split(record_line_bytes(record, &record->lines[0]),
	    record->lines[0].length, &words);
	if (words.count > 1 &&
	    !memchr(words.word[1].bytes, '=', words.word[1].length))
		word_decode(words.word[1], match, EVENT_ID_SIZE);
}

/*
 * Checks the record that was read, counts it, and visits it if the kind of the
 * walk says so.  0 or -errno.
 */
static int
visit_record(struct walker *walker)
{
	const struct record_listener listener = { warn, walker };
	const struct record_verdict *verdict = &walker->verdict;
	struct record_walk *walk = walker->walk;
	struct record_visit *visit = &walker->visit;
	int error;

	find_match(visit->record, visit->match);
	if (walk->kind == WALK_ALL) {
		if (!visit->record->outside && !visit->record->fault.line)
			record_check_lines(
			    visit->record, true, &listener, NULL);
		return walk->visit(walk->context, visit);
	}
	error = record_check(
	    walker->checker, visit->record, &listener, &walker->verdict);
	if (error)
		return error;
	if (walk->match && strcmp(walk->match, visit->match) != 0)
		return 0;
	*(verdict->good ? &walk->good : &walk->bad) += 1;
	if (walk->kind == WALK_CHECKED || verdict->good)
		return walk->visit(walk->context, visit);
	record_walk_say(visit->file, verdict->fault.line, "skipped: V%d: %s",
	    verdict->level, verdict->fault.text);
	return 0;
}

static enum status
say_unreadable(const char *file, int error)
{
	return error_status(input_file_status(error),
	    "give a game record, the folder of a run, or `-` for standard "
	    "input",
	    NULL, "cannot read %s: %s", file, strerror(-error));
}

/*
 * Gives the path of the records in `file`, which is a file of records or the
 * folder of a run.
 */
static void
find_records(const char *file, char path[PATH_MAX])
{
	char config[PATH_MAX];
	struct stat status;

	snprintf(path, PATH_MAX, "%s", file);
	if (stat(file, &status) < 0 || !S_ISDIR(status.st_mode))
		return;
	/* If a run has no records, the error names the file that it lacks. */
	run_path_join(config, file, RUN_CONFIG);
	run_path_join(path, file, RUN_RECORDS);
	if (access(path, F_OK) < 0 && access(config, F_OK) < 0)
		snprintf(path, PATH_MAX, "%s", file);
}

static enum status
walk_file(struct walker *walker, const char *given)
{
	bool named = strcmp(given, "-") != 0;
	char *path = named ? command_memory(PATH_MAX) : NULL;
	const char *file = named ? path : given;
	int fd, status;

	if (named)
		find_records(given, path);
	fd = named ? open(file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (fd < 0)
		return say_unreadable(file, -errno);
	walker->visit.file = file;
	walker->visit.number = 0;
	record_reader_init(walker->reader, fd);
	while ((status = record_read(walker->reader, &walker->record)) == 1) {
		walker->visit.number++;
		status = visit_record(walker);
		if (status < 0)
			break;
	}
	if (named)
		close(fd);
	if (status)
		return say_unreadable(file, status);
	if (walker->visit.number > 0 || walker->walk->kind == WALK_CHECKED)
		return STATUS_DONE;
	return error_status(STATUS_USAGE,
	    "a record begins with a line `match ID ...`",
	    VERSION_NAME " match @greedy @random --record games.scopa",
	    "%s holds no game record", named ? file : "standard input");
}

static enum status
walk_files(struct walker *walker, char **files)
{
	const struct record_walk *walk = walker->walk;
	enum status status = STATUS_DONE, of_file;

	if (files[0] == NULL && isatty(STDIN_FILENO))
		return error_usage("name a file, or give `-` to type one",
		    "no file is named, and standard input is a "
		    "terminal");
	if (files[0] == NULL)
		status = walk_file(walker, "-");
	for (int i = 0; files[i] != NULL; i++) {
		of_file = walk_file(walker, files[i]);
		status = of_file > status ? of_file : status;
	}
	if (walk->bad > 0 && status < STATUS_FAILED)
		return STATUS_FAILED;
	if (status != STATUS_DONE || walk->good > 0 || !walk->match)
		return status;
	return error_status(STATUS_FAILED, NULL,
	    VERSION_NAME " record verify --verbose FILE",
	    "no match has the id \"%s\"", walk->match);
}

enum status
record_walk_files(struct record_walk *walk, char **files)
{
	struct record_reader *reader = command_memory(sizeof(*reader));
	struct walker walker = { .walk = walk, .reader = reader };
	struct record_visit *visit = &walker.visit;
	enum status status;

	game_record_init(&walker.record);
	record_init(&walker.output);
	visit->record = &walker.record;
	visit->output = &walker.output;
	visit->verdict = walk->kind == WALK_ALL ? NULL : &walker.verdict;
	if (replay_open(&visit->replay) < 0 ||
	    (visit->verdict && record_checker_open(&walker.checker) < 0))
		status = memory_error();
	else
		status = walk_files(&walker, files);
	record_checker_close(walker.checker);
	record_release(&walker.output);
	replay_close(visit->replay);
	game_record_release(&walker.record);
	return status;
}

enum status
record_walk_good(int (*visit)(void *context, const struct record_visit *visit),
    void *context, const char *match, char **files)
{
	struct record_walk walk = {
		.match = match,
		.visit = visit,
		.context = context,
	};

	return record_walk_files(&walk, files);
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

	/*
	 * A line that is not after the last one: the record is read a second
	 * time, so gathering begins again.
	 */
	if (decision->line <= positions->line)
		positions->count = 0;
	positions->line = decision->line;
	if ((positions->deal != 0 && positions->deal != position.number) ||
	    (positions->play != 0 && positions->play != position.play))
		return;
	if (ARRAY_GROW(positions->items, positions->count, positions->capacity))
		positions->no_memory = true;
	else
		positions->items[positions->count++] = position;
}

int
positions_collect(struct positions *positions, const struct record_visit *visit)
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
	    visit->replay, visit->record, &order, visit->output, &fault);
	return positions->no_memory ? -ENOMEM : error;
}

/*
 * The number of clusters (rounds with the same packs) that are kept separate:
 * for two bots, and more for each further pair.
 */
enum { ROWS_MIN = 1 << 16, ROWS_PER_PAIR = 256 };

struct regroup_context {
	struct regroup *regroup;
	int64_t refused; /* good records that cannot be counted */
	/*
	 * records of games for analysis, in which some bots could see all cards
	 */
	int64_t analysed;
};

static int
regroup_record(void *given, const struct record_visit *visit)
{
	struct regroup_context *context = given;
	struct record_fault fault = { 0 };
	int error = regroup_add(context->regroup, visit->record, &fault);

	/*
	 * There may be thousands of games for analysis; only the first is
	 * reported.
	 */
	if (error == -EPERM && context->analysed++ > 0)
		return 0;
	if (error != -EBADMSG && error != -EPERM)
		return error;
	context->refused++;
	record_walk_say(visit->file, fault.line, "skipped: %s", fault.text);
	return 0;
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
 * Prepares for a block in which the two bots of a test may meet.  1: they met
 * before with the same packs, so the block does not count; 0: the block counts;
 * -ENOMEM.
 *
 * Bets begin as soon as both bots are known, which is at their first meeting at
 * the latest.  If the bots have no names and a third bot appears later, it is
 * no longer clear which bots to bet on; this is reported after all records were
 * read.
 */
static int
pair_meet(struct regrouped *regrouped, const struct block_result *block)
{
	const struct regroup_pair *pair = regrouped->pair;
	struct standings *standings = &regrouped->standings;
	double limit;
	int bots[2];

	if (pair == NULL)
		return 0;
	regroup_opponents(
	    &regrouped->regroup, pair->candidate, pair->base, bots);
	if (bots[0] < 0 || bots[1] < 0 || bots[0] == bots[1])
		return 0;
	limit = scopa_points_max(&standings->rules);
	if (pair->bets && !standings->bets.open && pair->low > -limit &&
	    pair->high < limit)
		standings_bet(
		    standings, bots[0], bots[1], pair->low, pair->high);
	return regroup_meet(&regrouped->regroup, block, bots[0], bots[1]);
}

/* Adds a block to the sums.  0 or -errno. */
static int
on_block(void *context, const struct regroup *regroup,
    const struct block_result *block)
{
	struct regrouped *regrouped = context;
	struct standings *standings = &regrouped->standings;
	struct block_result masked = *block;
	int64_t bots = regroup->bot_count;
	int status = 0;

	if (standings->bots == NULL)
		status = standings_open(
		    standings, &regroup->rules, regroup->bot_count);
	else if (standings->bot_count < regroup->bot_count)
		status = standings_resize(standings, 2 * regroup->bot_count);
	if (status == 0)
		status = pair_meet(regrouped, block);
	if (status > 0)
		return 0;
	masked.plan.round &= (int)regrouped->cluster_mask;
	if (status == 0)
		status = standings_add(standings, &masked);
	if (status == 0)
		standings_coarsen(standings,
		    ROWS_MIN + ROWS_PER_PAIR * bots * (bots - 1) / 2,
		    &regrouped->cluster_mask);
	return status;
}

void
regrouped_close(struct regrouped *regrouped)
{
	regroup_release(&regrouped->regroup);
	standings_close(&regrouped->standings);
}

/*
 * Prints a warning for each reason why something was not counted, or not
 * counted in full.
 */
static void
remarks_say(const struct regroup *regroup)
{
	const struct {
		int64_t count;
		const char *what;
	} left_out[] = {
		{ regroup->aborted, "unfinished games were left out" },
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
		    "warning: %jd of %jd blocks lack games: the luck of the "
		    "deal stays in them\n",
		    regroup->incomplete, regroup->block_count);
	for (int i = 0; i < COUNTOF(left_out); i++)
		if (left_out[i].count > 0)
			fprintf(stderr, "warning: %s: %jd\n", left_out[i].what,
			    left_out[i].count);
}

enum status
regroup_files(
    struct regrouped *regrouped, const struct regroup_pair *pair, char **files)
{
	struct regroup *regroup = &regrouped->regroup;
	struct regroup_context context = { .regroup = regroup };
	struct record_walk walk = {
		.quiet = true,
		.visit = regroup_record,
		.context = &context,
	};
	enum status status;

	*regrouped = (struct regrouped){
		.cluster_mask = INT32_MAX,
		.pair = pair,
	};
	regroup_init(regroup, on_block, regrouped);
	status = record_walk_files(&walk, files);
	if (regroup_finish(regroup) < 0 ||
	    (regroup->block_count > 0 &&
		standings_resize(&regrouped->standings, regroup->bot_count) <
		    0))
		return memory_error();
	if (context.refused > 0 && status == STATUS_DONE)
		status = STATUS_FAILED;
	/*
	 * The plays of a bot that could see all cards do not measure its
	 * strength.
	 */
	if (context.analysed > 0) {
		error_print("%jd game%s for analysis: nothing of %s is rated",
		    context.analysed, context.analysed == 1 ? " was" : "s were",
		    context.analysed == 1 ? "it" : "them");
		if (regroup->game_count > 0)
			error_detail(
			    "counted", "the other %jd", regroup->game_count);
		error_detail("hint",
		    "some bots could see all cards; the report of the run that "
		    "played them tells the margins");
	}
	if (status == STATUS_DONE && regroup->block_count == 0) {
		error_print("no game came to its end");
		error_detail("hint",
		    "%d record%s of games that were interrupted",
		    (int)regroup->aborted, text_plural(regroup->aborted));
		status = STATUS_USAGE;
	}
	remarks_say(regroup);
	return status;
}
