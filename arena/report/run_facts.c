/*
 * Implements run_facts.h.
 *
 * The blocks of the store are walked in order, and the record of each block is
 * read.  A record is searched for the few lines that are counted.  They are not
 * parsed as events, because a million deals would then take too long.  The plan
 * of a block says which bot sat where.
 *
 * The record of a game is whole if it begins with a `match` line and ends with
 * a `sum` line that has the right number of lines.  Other games only add to
 * `damaged`.
 */
#include "run_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"
#include "log.h"
#include "record_write.h"
#include "text_format.h"
#include "words.h"

enum {
	FINE_BINS_MAX = 512, /* bins of margins on one side of 0, while read */
	BINS_MIN = 8,        /* bins of margins that a report shows */
	FAULT_PICKS = FACTS_FAILURES_MAX,
	WIDE_PICKS = 40,
	WIDE_SHARE = 5, /* at most one of so many games is a `wide` one */
	RANDOM_PICKS = FACTS_GAMES_MAX - FAULT_PICKS - WIDE_PICKS,
	LOG_BYTES_MAX = 16 * 1024 /* of the log lines of a failure */
};

/* The width of a fine bin if margins have no least difference. */
#define MARGIN_STEP 0.05

/* A game that may be shown.  Games with smaller keys are preferred. */
struct pick {
	uint64_t key;
	int64_t offset, size;       /* of its record; size 0: damaged */
	struct facts_failure fault; /* its `place` is set in any case */
};

/* The picks with the smallest keys, in order. */
struct picks {
	struct pick *rows; /* owned */
	int count, max;
};

/* The state while the blocks are walked. */
struct pass {
	struct run_facts *facts;
	const struct report_view *view;
	int records_fd;
	char *bytes; /* of read_records(); owned */
	size_t capacity;
	bool no_memory;
	struct facts_test test;
	int64_t blocks; /* that were walked, with skipped ones */
	double step;    /* the width of a fine bin, in points per deal */
	uint32_t *fine; /* [bot * (2 * FINE_BINS_MAX + 1) + bin]; owned */
	int32_t *fault_counts; /* [bot]: games with its offences; owned */
	uint64_t seed;
	struct picks picks[FACTS_CHOICE_COUNT];
};

/* The state while the lines of a game are read. */
struct scan {
	struct run_facts *facts;
	const struct scopa_rules *rules;
	int bots[SCOPA_SEATS_MAX];  /* of the seats */
	struct facts_place place;   /* of the last play */
	int first;                  /* seat that plays first in the deal */
	int plays[SCOPA_SEATS_MAX]; /* of the seats in the deal */
	int64_t points[SCOPA_TEAMS_MAX];
	int asked; /* the seat whose `info` lines are counted, or -1 */
	int asked_play;
	/* The value of each metric in the `info` lines; bytes NULL: none. */
	struct word said[FACTS_METRICS_MAX];
	struct facts_place fault; /* of the last offence; deal 0: none */
};

static void
pick_add(struct picks *picks, const struct pick *pick)
{
	int at = picks->count;

	if (at == picks->max) {
		if (pick->key >= picks->rows[at - 1].key)
			return;
		at--;
	} else {
		picks->count++;
	}
	for (; at > 0 && pick->key < picks->rows[at - 1].key; at--)
		picks->rows[at] = picks->rows[at - 1];
	picks->rows[at] = *pick;
}

/*
 * Returns the bytes of the records at `offset`, valid until the next call, or
 * NULL if they cannot be read.
 */
static const char *
read_records(struct pass *pass, int64_t offset, int64_t size)
{
	if (size <= 0 || offset < 0)
		return NULL;
	if (array_make_room(&pass->bytes, &pass->capacity, (size_t)size, 1) !=
	    0) {
		pass->no_memory = true;
		return NULL;
	}
	return run_read_at(pass->records_fd, pass->bytes, size, offset) == 0
	    ? pass->bytes
	    : NULL;
}

static void
count_time(struct scan *scan, int seat, struct word move,
    const struct facts_place *place, int64_t time_us)
{
	struct run_facts *facts = scan->facts;
	struct facts_slow *slowest = facts->slowest;
	int bin = 0, at = facts->slowest_count;

	if (time_us > 0) {
		int power = 63 - __builtin_clzll((unsigned long long)time_us);

		bin =
		    2 * power + ((double)time_us >= M_SQRT2 * ldexp(1, power));
	}
	if (bin >= FACTS_TIME_BINS)
		bin = FACTS_TIME_BINS - 1;
	facts->times[scan->bots[seat]].bins[bin]++;

	if (at == FACTS_SLOWEST_MAX) {
		if (time_us <= slowest[at - 1].time_us)
			return;
		at--;
	} else {
		facts->slowest_count++;
	}
	for (; at > 0 && time_us > slowest[at - 1].time_us; at--)
		slowest[at] = slowest[at - 1];
	slowest[at] = (struct facts_slow){
		.place = *place,
		.bot = scan->bots[seat],
		.time_us = time_us,
	};
	snprintf(slowest[at].move, sizeof(slowest[at].move), "%.*s",
	    (int)move.length, move.bytes);
}

/* Counts the metrics of a play, after its last `info` line. */
static void
count_said(struct scan *scan)
{
	struct run_facts *facts = scan->facts;

	for (int key = 0; key < facts->metric_count; key++) {
		struct facts_metric *metric = &facts->metrics[key];
		struct word *word = &scan->said[key];
		char text[32], *end;
		double value;
		int at;

		if (word->bytes == NULL)
			continue;
		snprintf(
		    text, sizeof(text), "%.*s", (int)word->length, word->bytes);
		value = strtod(text, &end);
		at = scan->bots[scan->asked] * FACTS_METRIC_MOVES +
		    scan->asked_play;
		if (end != text && *end == '\0' && isfinite(value)) {
			metric->count[at]++;
			metric->sum[at] += value;
		}
		word->bytes = NULL;
	}
	scan->asked = -1;
}

/* Reads the seat at the start of a line.  Returns it from 0, or -1. */
static int
parse_seat(const struct scan *scan, struct word *rest)
{
	struct word word;

	if (!word_next_piece(rest, ' ', &word) || word.length != 1 ||
	    *word.bytes < '1' || *word.bytes - '1' >= scan->facts->seat_count)
		return -1;
	return *word.bytes - '1';
}

/* Reads SEAT MOVE [scopa=1] [t=SECONDS] [by=arena ...]. */
static void
scan_play(struct scan *scan, struct word rest, bool is_card)
{
	struct word move, word, value;
	int seat = parse_seat(scan, &rest);
	struct facts_place place = scan->place;
	int64_t time_us = -1;
	bool by_arena = false;

	if (seat < 0 || !word_next_piece(&rest, ' ', &move))
		return;
	while (word_next_piece(&rest, ' ', &word)) {
		if (word_is_pair(word, "t", &value))
			(void)word_to_us(value, &time_us);
		else if (word_is_pair(word, "by", &value))
			by_arena = true;
	}
	place.play++;
	scan->asked_play = scan->plays[seat];
	if (is_card) {
		scan->place = place;
		scan->plays[seat]++;
	}
	if (time_us < 0 || by_arena)
		return;
	count_time(scan, seat, move, &place, time_us);
	if (scan->asked_play < FACTS_METRIC_MOVES)
		scan->asked = seat;
}

/* Returns the index of a metric, and adds a new one; -1: not counted. */
static int
metric_find(struct run_facts *facts, struct word key)
{
	static const char *const known[] = { "depth", "nodes", "value",
		"time" };
	struct facts_metric *metric = &facts->metrics[facts->metric_count];
	size_t count = (size_t)facts->bot_count * FACTS_METRIC_MOVES;
	bool is_number = key.length > 2 && memcmp(key.bytes, "m.", 2) == 0;

	for (int i = 0; i < facts->metric_count; i++)
		if (word_is(key, facts->metrics[i].key))
			return i;
	for (size_t i = 0; i < COUNTOF(known); i++)
		is_number = is_number || word_is(key, known[i]);
	if (!is_number)
		return -1;
	if (facts->metric_count == FACTS_METRICS_MAX ||
	    key.length >= sizeof(metric->key)) {
		facts->metrics_left_out = true;
		return -1;
	}
	*metric = (struct facts_metric){
		.count = calloc(count, sizeof(*metric->count)),
		.sum = calloc(count, sizeof(*metric->sum)),
	};
	if (metric->count == NULL || metric->sum == NULL) {
		free(metric->count);
		free(metric->sum);
		facts->metrics_left_out = true;
		return -1;
	}
	memcpy(metric->key, key.bytes, key.length);
	return facts->metric_count++;
}

/* Reads SEAT KEY=VALUE... [# comment]. */
static void
scan_info(struct scan *scan, struct word rest)
{
	struct word word, key;

	if (scan->asked < 0 || parse_seat(scan, &rest) != scan->asked)
		return;
	while (word_next_piece(&rest, ' ', &word) &&
	    (word.length == 0 || *word.bytes != '#')) {
		struct word value = word;
		int at;

		if (!word_next_piece(&value, '=', &key) || value.bytes == NULL)
			continue;
		at = metric_find(scan->facts, key);
		if (at >= 0)
			scan->said[at] = value;
	}
}

/* Reads NUMBER dealer=SEAT first=SEAT .... */
static void
scan_deal(struct scan *scan, struct word rest)
{
	struct word word, value;
	int64_t number = 0;

	if (word_next_piece(&rest, ' ', &word))
		(void)word_to_int(word, 1, INT32_MAX, &number);
	scan->place.deal = (int)number;
	scan->place.play = 0;
	scan->first = -1;
	memset(scan->plays, 0, sizeof(scan->plays));
	memset(scan->points, 0, sizeof(scan->points));
	while (word_next_piece(&rest, ' ', &word))
		if (word_is_pair(word, "first", &value))
			scan->first = parse_seat(scan, &value);
}

/* Reads TEAM points=POINTS .... */
static void
scan_score(struct scan *scan, struct word rest)
{
	struct word word, value;
	int team;

	if (!word_next_piece(&rest, ' ', &word) || word.length != 1)
		return;
	team = *word.bytes - 'A';
	if (team < 0 || team >= scopa_team_count(scan->rules))
		return;
	while (word_next_piece(&rest, ' ', &word))
		if (word_is_pair(word, "points", &value))
			(void)word_to_int(
			    value, 0, INT32_MAX, &scan->points[team]);
}

/* Counts the points of a deal, once all its scores are read. */
static void
scan_deal_end(struct scan *scan)
{
	int seats = scan->facts->seat_count;
	int teams = scopa_team_count(scan->rules);
	int64_t sum = 0;

	for (int team = 0; team < teams; team++)
		sum += scan->points[team];
	for (int seat = 0; seat < seats && scan->first >= 0; seat++) {
		int at = (seat - scan->first + seats) % seats;
		int64_t points = scan->points[scopa_team_of(scan->rules, seat)];
		struct facts_seat *row =
		    &scan->facts->seats[scan->bots[seat] * seats + at];

		row->deals++;
		row->points += points;
		row->against += (double)(sum - points) / (teams - 1);
	}
}

static void
scan_line(struct scan *scan, struct word line)
{
	struct word verb;

	if (!word_next_piece(&line, ' ', &verb))
		return;
	if (word_is(verb, "info")) {
		scan_info(scan, line);
		return;
	}
	if (scan->asked >= 0)
		count_said(scan);
	if (word_is(verb, "play"))
		scan_play(scan, line, true);
	else if (word_is(verb, "declare"))
		scan_play(scan, line, false);
	else if (word_is(verb, "deal"))
		scan_deal(scan, line);
	else if (word_is(verb, "score"))
		scan_score(scan, line);
	else if (word_is(verb, "enddeal"))
		scan_deal_end(scan);
	else if (word_is(verb, "offence")) {
		scan->fault = scan->place;
		scan->fault.play++;
	}
}

const char *
facts_game_find(const char *bytes, size_t size, int64_t game, size_t *game_size)
{
	char head[32];
	size_t length =
	    (size_t)snprintf(head, sizeof(head), "\nmatch m%jd ", game);
	const char *begin = bytes, *sum, *end;
	int64_t lines = 0, wanted;
	struct word number;

	if (size < length || memcmp(bytes, head + 1, length - 1) != 0) {
		begin = memmem(bytes, size, head, length);
		if (begin == NULL)
			return NULL;
		begin++;
	}
	size -= (size_t)(begin - bytes);
	sum = memmem(begin, size, "\nsum lines=", 11);
	end = sum != NULL
	    ? memchr(sum + 1, '\n', size - (size_t)(sum + 1 - begin))
	    : NULL;
	if (end == NULL)
		return NULL;
	for (const char *at = begin; at < sum + 1; lines++)
		at = (const char *)memchr(at, '\n', (size_t)(sum + 1 - at)) + 1;
	number.bytes = sum + 11;
	number.length = strcspn(number.bytes, " \r\n");
	if (!word_to_int(number, 1, INT64_MAX, &wanted) || wanted != lines)
		return NULL;
	*game_size = (size_t)(end + 1 - begin);
	return begin;
}

static void
scan_game(struct scan *scan, const char *bytes, size_t size)
{
	const char *end = bytes + size, *next;

	for (const char *at = bytes; at < end; at = next + 1) {
		struct word line = { .bytes = at };

		next = memchr(at, '\n', (size_t)(end - at));
		line.length = (size_t)(next - at);
		if (line.length > 0 && next[-1] == '\r')
			line.length--;
		scan_line(scan, line);
	}
}

/* Picks a game with an offence: lost games and a bot's first ones first. */
static void
pick_fault(struct pass *pass, const struct block_result *block, int game,
    struct pick *pick)
{
	const struct summary *summary = &block->games[game];
	const struct block_plan *plan = &block->plan;
	bool lost = summary->forfeiter != SCOPA_TEAM_NONE;
	int seat = summary->offender;

	for (int i = 0; seat < 0 && i < summary->seat_count; i++) {
		bool offended = false;

		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			offended |= summary->offences[i][kind] > 0;
		if (lost ? summary->team[i] == summary->forfeiter : offended)
			seat = i;
	}
	if (seat < 0)
		return;
	pick->fault.bot = plan->bots[plan->seating[game][seat]];
	pick->fault.kind = summary->offence;
	memcpy(pick->fault.reason, summary->offence_reason,
	    sizeof(pick->fault.reason));
	pick->key = (uint64_t)pass->fault_counts[pick->fault.bot]++ |
	    (lost ? 0 : UINT64_C(1) << 32);
	pick_add(&pass->picks[FACTS_FAULT], pick);
}

/* Reads the record of a game, and picks the game if it may be shown. */
static void
add_game(struct pass *pass, const struct block_result *block, int game,
    const char *bytes, uint64_t width)
{
	const struct block_plan *plan = &block->plan;
	int64_t number = plan->index * plan->game_count + game + 1;
	struct pick pick = { .fault.place.game = number };
	struct scan scan = {
		.facts = pass->facts,
		.rules = &pass->view->standings->rules,
		.place.game = number,
		.first = -1,
		.asked = -1,
	};
	size_t size = 0;
	const char *record = bytes != NULL
	    ? facts_game_find(bytes, (size_t)block->place.size, number, &size)
	    : NULL;
	uint64_t random = pass->seed ^ (uint64_t)number;

	if (record == NULL) {
		pass->facts->damaged++;
	} else {
		pick.offset = block->place.offset + (record - bytes);
		pick.size = (int64_t)size;
		for (int seat = 0; seat < pass->facts->seat_count; seat++)
			scan.bots[seat] = plan->bots[plan->seating[game][seat]];
		scan_game(&scan, record, size);
	}
	pick.key = splitmix64(&random);
	if (record != NULL)
		pick_add(&pass->picks[FACTS_RANDOM], &pick);
	pick.key = width;
	if (record != NULL && width < UINT64_MAX)
		pick_add(&pass->picks[FACTS_WIDE], &pick);
	if (scan.fault.deal > 0)
		pick.fault.place = scan.fault;
	pick_fault(pass, block, game, &pick);
}

/*
 * Counts the margins of a block.  Returns the key of its games among those with
 * the widest margins; UINT64_MAX: they are not among them.
 */
static uint64_t
count_margins(struct pass *pass, const struct block_result *block)
{
	const struct scopa_rules *rules = &pass->view->standings->rules;
	const struct block_plan *plan = &block->plan;
	double widest = 0;
	bool forfeit = false;

	for (int member = 0; member < plan->bot_count; member++) {
		struct block_share mean = block_mean(rules, block, member);
		double bin = round(mean.margin / pass->step);

		widest = fmax(widest, fabs(mean.margin));
		forfeit |= mean.forfeit;
		bin = fmax(-FINE_BINS_MAX, fmin(FINE_BINS_MAX, bin));
		pass->fine[plan->bots[member] * (2 * FINE_BINS_MAX + 1) +
		    FINE_BINS_MAX + (int)bin]++;
	}
	return forfeit
	    ? UINT64_MAX
	    : (uint64_t)(1e6 * (scopa_points_max(rules) + 1.0 - widest));
}

int
facts_test_open(struct facts_test *test, const struct gate_config *gate,
    const struct standings *like, int64_t total)
{
	*test = (struct facts_test){ .total = total, .spacing = 1 };
	if (gate == NULL || !gate->sequential)
		return 0;
	if (standings_open(&test->standings, &like->rules, 2) < 0)
		return -ENOMEM;
	test->gate = gate;
	test->standings.suite = like->suite;
	if (gate->sprt.model == SPRT_BETTING)
		standings_bet(
		    &test->standings, 0, 1, gate->sprt.low, gate->sprt.high);
	return 0;
}

void
facts_test_close(struct facts_test *test)
{
	if (test->gate != NULL)
		standings_close(&test->standings);
	test->gate = NULL;
}

/* Returns whether the curve has a point after so many blocks. */
static bool
point_is_due(const struct facts_test *test, int64_t counted)
{
	if (test->total == 0)
		return counted % test->spacing == 0;
	return test->total <= FACTS_CURVE_MAX ||
	    counted * FACTS_CURVE_MAX / test->total !=
	    (counted - 1) * FACTS_CURVE_MAX / test->total;
}

int
facts_test_add(struct facts_test *test, struct run_facts *facts,
    const struct block_result *block)
{
	struct standings *standings = &test->standings;
	int64_t counted;
	int error;

	if (test->gate == NULL)
		return 0;
	error = standings_add(standings, block);
	/* The rows are only for errors of ratings. */
	standings->row_count = 0;
	counted = standings->blocks;
	if (error || block->skipped || !point_is_due(test, counted))
		return error;
	if (facts->llr_count == FACTS_CURVE_MAX) {
		if (test->total > 0)
			return 0;
		test->spacing *= 2;
		facts->llr_count /= 2;
		for (int i = 0; i < facts->llr_count; i++)
			facts->llr[i] = facts->llr[2 * i + 1];
		if (!point_is_due(test, counted))
			return 0;
	}
	facts->llr[facts->llr_count++] = (struct facts_llr){
		.blocks = counted,
		.llr = gate_test(&test->gate->sprt,
		    standings_encounter(standings, 0, 1), &standings->bets.all,
		    false)
			   .llr,
	};
	return 0;
}

static int
add_block(void *context, const struct block_result *block)
{
	struct pass *pass = context;
	const struct standings *standings = pass->view->standings;
	const char *bytes;
	uint64_t width;
	int error;

	/* A run that is being played may have more blocks than the view. */
	if (pass->blocks == standings->blocks + standings->skipped)
		return 1;
	pass->blocks++;
	error = facts_test_add(&pass->test, pass->facts, block);
	if (error || block->skipped)
		return error;
	width = count_margins(pass, block);
	bytes = read_records(pass, block->place.offset, block->place.size);
	for (int game = 0; game < block->plan.game_count; game++)
		add_game(pass, block, game, bytes, width);
	return 0;
}

/*
 * Makes the shown bins from the fine ones.  Each has an odd number of steps, so
 * that one bin has 0 in its middle.
 */
static void
make_bins(struct pass *pass, int bot, struct facts_margins *margins)
{
	const uint32_t *fine =
	    &pass->fine[bot * (2 * FINE_BINS_MAX + 1) + FINE_BINS_MAX];
	int low = FINE_BINS_MAX, high = -FINE_BINS_MAX, steps = 1, first;
	double blocks = (double)pass->view->standings->bots[bot].blocks;
	int bins = (int)fmax(BINS_MIN, fmin(FACTS_BINS_MAX, 2 * sqrt(blocks)));

	for (int i = -FINE_BINS_MAX; i <= FINE_BINS_MAX; i++) {
		if (fine[i] == 0)
			continue;
		low = i < low ? i : low;
		high = i;
	}
	while ((high - low) / steps + 2 > bins)
		steps += 2;
	/* The bin around 0 begins at -steps / 2. */
	first = (int)floor((low + 0.5 * (steps - 1)) / steps);
	*margins = (struct facts_margins){
		.bot = bot,
		.low = (first - 0.5) * steps * pass->step,
		.width = steps * pass->step,
	};
	for (int i = low; i <= high; i++) {
		int bin = (i - first * steps + steps / 2) / steps;

		margins->bins[bin] += fine[i];
		margins->bin_count = bin + 1;
	}
}

static void
make_margins(struct pass *pass)
{
	const struct report_view *view = pass->view;
	int count = view->gate != NULL ? 1 : pass->facts->bot_count;

	for (int bot = 0; bot < count; bot++)
		if (view->standings->bots[bot].blocks > 0)
			make_bins(pass, bot,
			    &pass->facts->margins[pass->facts->margin_count++]);
}

/* Adds picks to the shown games, until only `left` bytes of `room` remain. */
static void
show_games(
    struct pass *pass, enum facts_choice choice, int64_t *room, int64_t left)
{
	struct run_facts *facts = pass->facts;
	const struct picks *picks = &pass->picks[choice];

	for (int i = 0; i < picks->count; i++) {
		const struct pick *pick = &picks->rows[i];
		int64_t game = pick->fault.place.game;
		const char *bytes;
		char *record;
		int at = 0;

		while (at < facts->game_count && facts->games[at].game != game)
			at++;
		if (at < facts->game_count || pick->size == 0 ||
		    pick->size > *room - left)
			continue;
		bytes = read_records(pass, pick->offset, pick->size);
		if (bytes == NULL)
			continue;
		record = malloc((size_t)pick->size);
		if (record == NULL) {
			pass->no_memory = true;
			return;
		}
		memcpy(record, bytes, (size_t)pick->size);
		*room -= pick->size;
		facts->games[facts->game_count++] = (struct facts_game){
			.game = game,
			.choice = choice,
			.record = record,
			.size = (size_t)pick->size,
		};
	}
}

/* Adds a line of the log to a failure, without the name of the bot. */
static void
add_log_line(struct pass *pass, struct facts_failure *failure, const char *name,
    char *line)
{
	size_t before = failure->log != NULL ? strlen(failure->log) : 0;
	size_t length = strlen(name);
	char *log;

	if (strncmp(line, name, length) == 0 && line[length] == ':')
		line += length + 1;
	line += strspn(line, " ");
	length = strlen(line);
	if (before + length > LOG_BYTES_MAX)
		return;
	log = realloc(failure->log, before + length + 1);
	if (log == NULL) {
		pass->no_memory = true;
		return;
	}
	memcpy(log + before, line, length + 1);
	failure->log = log;
}

/* Reads the log of the run: the machine, and why games were lost. */
static void
read_log(struct pass *pass)
{
	struct run_facts *facts = pass->facts;
	char path[PATH_MAX], line[LOG_LINE_SIZE + 64];
	FILE *file;

	run_path_join(path, pass->view->path, RUN_LOG);
	file = fopen(path, "re");
	pass->no_memory |= file == NULL && errno == ENOMEM;
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		intmax_t game;
		int at = 0;

		sscanf(line, "%*s info machine %n", &at);
		if (at > 0)
			snprintf(facts->machine, sizeof(facts->machine), "%.*s",
			    (int)strcspn(line + at, "\n"), line + at);
		at = 0;
		if (sscanf(line, "%*s warn m%jd: %n", &game, &at) != 1 ||
		    at == 0)
			continue;
		for (int i = 0; i < facts->failure_count; i++)
			if (facts->failures[i].place.game == game)
				add_log_line(pass, &facts->failures[i],
				    report_name(
					pass->view, facts->failures[i].bot),
				    line + at);
	}
	if (file != NULL)
		fclose(file);
}

/* Makes the facts from picks and bins, after the last block. */
static void
finish(struct pass *pass, int64_t game_bytes_max)
{
	struct run_facts *facts = pass->facts;
	const struct report_view *view = pass->view;
	const struct picks *faults = &pass->picks[FACTS_FAULT];
	struct picks *wide = &pass->picks[FACTS_WIDE];
	int64_t room = game_bytes_max;
	int64_t wide_max = view->standings->games / WIDE_SHARE;

	make_margins(pass);
	for (int i = 0; i < faults->count; i++)
		if (faults->rows[i].key <= UINT32_MAX)
			facts->failures[facts->failure_count++] =
			    faults->rows[i].fault;
	read_log(pass);
	if (wide_max < view->head->game_count)
		wide_max = view->head->game_count;
	if (wide->count > wide_max)
		wide->count = (int)wide_max;
	/* Faults leave half of the room free, and wide margins a quarter. */
	show_games(pass, FACTS_FAULT, &room, game_bytes_max / 2);
	show_games(pass, FACTS_WIDE, &room, game_bytes_max / 4);
	show_games(pass, FACTS_RANDOM, &room, 0);
}

/* Returns the least difference of two margins, or a small enough step. */
static double
margin_step(const struct report_view *view)
{
	const struct scopa_rules *rules = &view->standings->rules;
	double step = view->deals > 0 ? 1.0 /
		(view->deals * view->head->game_count *
		    (scopa_team_count(rules) - 1))
				      : MARGIN_STEP;

	while (scopa_points_max(rules) / step > FINE_BINS_MAX)
		step *= 3;
	return step;
}

/* Allocates all facts.  Returns 0 or -ENOMEM. */
static int
pass_init(struct pass *pass, const struct run *run)
{
	static const int max[FACTS_CHOICE_COUNT] = { FAULT_PICKS, WIDE_PICKS,
		RANDOM_PICKS };
	struct run_facts *facts = pass->facts;
	const struct report_view *view = pass->view;
	const struct standings *standings = view->standings;
	size_t bots = (size_t)facts->bot_count;
	bool made = true;

	memcpy(&pass->seed, run->chain, sizeof(pass->seed));
	pass->step = margin_step(view);
	facts->margins = calloc(bots, sizeof(*facts->margins));
	facts->times = calloc(bots, sizeof(*facts->times));
	facts->seats =
	    calloc(bots * (size_t)facts->seat_count, sizeof(*facts->seats));
	pass->fine =
	    calloc(bots * (2 * FINE_BINS_MAX + 1), sizeof(*pass->fine));
	pass->fault_counts = calloc(bots, sizeof(*pass->fault_counts));
	for (int i = 0; i < FACTS_CHOICE_COUNT; i++) {
		struct picks *picks = &pass->picks[i];

		picks->max = max[i];
		picks->rows = calloc((size_t)picks->max, sizeof(*picks->rows));
		made = made && picks->rows != NULL;
	}
	if (!made || facts->margins == NULL || facts->times == NULL ||
	    facts->seats == NULL || pass->fine == NULL ||
	    pass->fault_counts == NULL)
		return -ENOMEM;
	return facts_test_open(
	    &pass->test, view->gate, standings, standings->blocks);
}

static void
pass_release(struct pass *pass)
{
	facts_test_close(&pass->test);
	if (pass->records_fd >= 0)
		close(pass->records_fd);
	free(pass->bytes);
	free(pass->fine);
	free(pass->fault_counts);
	for (int i = 0; i < FACTS_CHOICE_COUNT; i++)
		free(pass->picks[i].rows);
}

int
run_facts_open(struct run_facts *facts, const struct report_view *view,
    const struct run *run, int64_t game_bytes_max, struct store_error *why)
{
	struct pass pass = { .facts = facts, .view = view };
	char path[PATH_MAX];
	int error;

	*facts = (struct run_facts){
		.bot_count = view->standings->bot_count,
		.seat_count = view->standings->rules.players,
	};
	why->what[0] = '\0';
	run_path_join(path, run->path, RUN_RECORDS);
	pass.records_fd = open(path, O_RDONLY | O_CLOEXEC);
	error = pass_init(&pass, run);
	if (!error)
		error = store_walk_from(run->store, 0, add_block, &pass, why);
	if (error >= 0)
		finish(&pass, game_bytes_max);
	if (pass.no_memory)
		error = -ENOMEM;
	pass_release(&pass);
	if (error < 0)
		run_facts_close(facts);
	return error < 0 ? error : 0;
}

void
run_facts_close(struct run_facts *facts)
{
	for (int i = 0; i < facts->metric_count; i++) {
		free(facts->metrics[i].count);
		free(facts->metrics[i].sum);
	}
	for (int i = 0; i < facts->failure_count; i++)
		free(facts->failures[i].log);
	for (int i = 0; i < facts->game_count; i++)
		free(facts->games[i].record);
	free(facts->margins);
	free(facts->seats);
	free(facts->times);
	*facts = (struct run_facts){ 0 };
}
