/*
 * Implements progress.h.
 */
#include "progress.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { SECONDS_A_DAY = 24 * 60 * 60 };

/* A longer time is printed as `years`. */
static const double seconds_max = 1e9;

struct number
progress_time(double seconds)
{
	long whole;

	if (!(seconds < seconds_max))
		return number_format("years");
	whole = seconds > 0 ? (long)ceil(seconds) : 0;
	if (whole < 60)
		return number_format("%ld s", whole);
	if (whole < 60 * 60)
		return number_format("%ld:%02ld", whole / 60, whole % 60);
	if (whole < 2 * SECONDS_A_DAY)
		return number_format("%ld:%02ld:%02ld", whole / 3600,
		    whole / 60 % 60, whole % 60);
	return number_format("%ld days", whole / SECONDS_A_DAY);
}

/* Returns an estimate of the blocks that a test still takes; -1: unknown. */
static double
test_left(const struct report_view *view)
{
	const struct sprt *sprt = &view->gate->sprt;
	const struct gate_verdict *verdict = view->verdict;
	bool games = sprt->model == SPRT_BAYESIAN ||
	    (sprt->model != SPRT_MARGIN && sprt->model != SPRT_BETTING &&
		!standings_encounter(view->standings, 0, 1)->paired);
	double left = verdict->sprt.remaining;

	if (left >= 0 && games && view->head->game_count > 0)
		left /= view->head->game_count;
	return left;
}

static void
fill_left(struct progress_facts *facts, const struct report_view *view)
{
	double left_max = (double)(facts->blocks_max - facts->blocks);
	bool sequential = view->gate != NULL && view->gate->sequential;

	facts->blocks_left = -1;
	if (facts->blocks_max > 0)
		facts->blocks_left = left_max > 0 ? left_max : 0;
	if (view->verdict == NULL) {
		facts->left_is_limit = view->may_end_early;
		return;
	}
	if (view->verdict->final) {
		facts->blocks_left = 0;
	} else if (sequential) {
		double left = test_left(view);

		facts->left_is_limit = left < 0 && facts->blocks_max > 0;
		if (left >= 0 && (facts->blocks_max <= 0 || left < left_max))
			facts->blocks_left = left;
	}
}

static void
fill_pair(struct progress_facts *facts, const struct report_view *view)
{
	struct report_pair pair = report_pair_of(view, 0, 1);
	const struct strength *strength =
	    pair.encounter->paired ? &pair.pairs : &pair.games;

	facts->name = report_name(view, 0);
	facts->score = pair.games.score.value;
	facts->points = pair.margin;
	facts->elo = strength->elo;
}

/* Finds the bot that leads, and the next one. */
static void
fill_leader(struct progress_facts *facts, const struct report_view *view)
{
	int leader = view->ratings.order[0], next = view->ratings.order[1];
	const struct standing *standing = &view->standings->bots[leader];

	facts->name = report_name(view, leader);
	if (report_has_places(view)) {
		facts->points = view->ratings.points[leader];
		facts->elo = report_elo(view, leader);
	} else {
		facts->behind = report_name(view, next);
		facts->points = report_gap(view, leader, next);
	}
	if (standing->games > 0)
		facts->score = standing->score / (double)standing->games;
}

struct progress_facts
progress_collect(const struct report_view *view)
{
	const struct standings *standings = view->standings;
	int64_t think_us = 0, decisions = 0;
	struct progress_facts facts = {
		.blocks = standings->blocks + standings->skipped,
		.blocks_max = view->blocks_planned,
		.games = standings->games,
		.games_per_s = -1,
		.seconds_left = -1,
		.forfeits = standings->forfeits,
		.think_ms = -1,
	};

	if (report_bot_count(view) == 2)
		fill_pair(&facts, view);
	else
		fill_leader(&facts, view);
	if (view->verdict != NULL && view->gate->sequential) {
		facts.sprt = &view->gate->sprt;
		facts.state = view->verdict->sprt;
	}
	fill_left(&facts, view);
	for (int bot = 0; bot < report_bot_count(view); bot++) {
		const struct standing *standing = &standings->bots[bot];

		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			facts.offences[kind] += standing->offences[kind];
		think_us += standing->think_us;
		decisions += standing->decisions;
	}
	if (decisions > 0)
		facts.think_ms = (double)think_us / (double)decisions / 1e3;
	return facts;
}

static void
format_extent(const struct progress_facts *facts, struct scopa_text *text)
{
	double whole = (double)facts->blocks + facts->blocks_left;

	if (facts->blocks_left >= 0) {
		double share = whole > 0 ? (double)facts->blocks / whole : 1;

		/* Not rounded: 100 percent means that all is played. */
		text_printf(text, "%d%% ", (int)(100 * share));
	}
	text_printf(text, "%jd", facts->blocks);
	if (facts->blocks_max > 0)
		text_printf(text, "/%jd", facts->blocks_max);
	text_printf(text, " block%s",
	    facts->blocks == 1 && facts->blocks_max == 0 ? "" : "s");
	if (facts->seconds_left >= 0)
		text_printf(text, "  %s%s left",
		    facts->left_is_limit      ? "at most "
			: facts->sprt != NULL ? "about "
					      : "",
		    progress_time(facts->seconds_left).text);
}

static void
format_faults(const struct progress_facts *facts, struct scopa_text *text)
{
	bool any = facts->forfeits > 0;

	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		any |= facts->offences[kind] > 0;
	if (!any)
		return;
	text_printf(text, "  forfeits %jd", facts->forfeits);
	for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
		if (facts->offences[kind] > 0)
			text_printf(text, ", %s %jd",
			    offence_name((enum offence_kind)kind),
			    facts->offences[kind]);
}

void
progress_format(const struct progress_facts *facts, struct scopa_text *text)
{
	struct scopa_text raw = SCOPA_TEXT(PROGRESS_TEXT_SIZE);

	if (facts->notice != NULL)
		text_printf(&raw, "%s  ", facts->notice);
	format_extent(facts, &raw);
	if (facts->games > 0)
		text_printf(&raw, "  %s %s%s%s%s per deal", facts->name,
		    facts->behind != NULL ? "leads " : "",
		    text_or_none(facts->behind),
		    facts->behind != NULL ? " by " : "",
		    number_points_half(&facts->points).text);
	if (facts->sprt != NULL)
		text_printf(&raw, "  LLR %s of %s and %s (%s, %s)",
		    number_signed(facts->state.llr, 2).text,
		    number_signed(facts->state.lower, 2).text,
		    number_signed(facts->state.upper, 2).text,
		    sprt_model_names[facts->sprt->model],
		    text_unit(sprt_unit_name(facts->sprt)));
	if (facts->workers > 0)
		text_printf(&raw, "  %d worker%s, %d core%s", facts->workers,
		    text_plural(facts->workers), facts->cores,
		    text_plural(facts->cores));
	format_faults(facts, &raw);
	if (facts->games > 0)
		text_printf(
		    &raw, "  score %s", number_percent(facts->score).text);
	if (facts->games > 0 && facts->behind == NULL)
		text_printf(
		    &raw, "  Elo %s", number_elo_half(&facts->elo).text);
	if (facts->think_ms >= 0)
		text_printf(&raw, "  %.2f ms a move", facts->think_ms);
	if (facts->games_per_s >= 0)
		text_printf(&raw, "  %.*f games/s", facts->games_per_s < 10,
		    facts->games_per_s);
	/* Names and notices may have control characters. */
	text_sanitize(text, raw.bytes);
}

void
progress_clip(struct scopa_text *text, int width)
{
	char *from = text->bytes, *to = text->bytes;
	int left = width;

	/* A part is dropped as a whole: half a number would be a wrong one. */
	while (*from != '\0') {
		char *end = strstr(from + 1, "  ");
		size_t length =
		    end != NULL ? (size_t)(end - from) : strlen(from);
		char kept = from[length];
		int columns;

		from[length] = '\0';
		columns = text_width(from);
		from[length] = kept;
		if (from == text->bytes && columns > left)
			length = (size_t)(text_at(from, left) - from);
		else if (columns > left)
			columns = 0;
		if (columns > 0) {
			memmove(to, from, length);
			to += length;
			left -= columns;
		}
		if (end == NULL)
			break;
		from = end;
	}
	text->length = (size_t)(to - text->bytes);
	*to = '\0';
}

enum { COLUMNS_DEFAULT = 80 };

/* Stores a sample when twice the time of the last one has passed. */
static void
add_sample(struct progress *progress, struct progress_sample sample)
{
	int64_t begin_ns = progress->first.now_ns;

	if (sample.now_ns - begin_ns >=
	    2 * (progress->next.now_ns - begin_ns)) {
		progress->half = progress->next;
		progress->next = sample;
	}
}

void
progress_begin(struct progress *progress, int fd, int64_t interval_ns,
    int64_t now_ns, int64_t blocks, int64_t games)
{
	bool terminal = fd >= 0 && isatty(fd);
	const struct progress_sample begin = {
		.now_ns = now_ns,
		.blocks = blocks,
		.games = games,
	};

	assert(interval_ns >= 0);
	*progress = (struct progress){
		.fd = fd,
		.terminal = terminal,
		.interval_ns = interval_ns > 0 ? interval_ns
		    : terminal                 ? PROGRESS_NS_TERMINAL
					       : PROGRESS_NS_ELSEWHERE,
		.shown_ns = now_ns,
		.first = begin,
		.half = begin,
		.next = begin,
	};
}

bool
progress_due(const struct progress *progress, int64_t now_ns)
{
	int64_t waited_ns = now_ns - progress->shown_ns;

	return waited_ns >= progress->interval_ns &&
	    waited_ns / PROGRESS_COSTS >= progress->cost_ns;
}

static double
speed(int64_t count, int64_t time_ns)
{
	if (count <= 0 || time_ns <= 0)
		return -1;
	return (double)count / ((double)time_ns / 1e9);
}

/*
 * Computes the speed from a sample at a quarter to a half of the time so far.
 * The slow start of the bots is then not counted, and the speed is steady.
 */
static void
speed_set(const struct progress *progress, struct progress_facts *facts,
    int64_t now_ns)
{
	const struct progress_sample *since =
	    progress->half.blocks < facts->blocks ? &progress->half
						  : &progress->first;
	int64_t time_ns = now_ns - since->now_ns;
	double blocks_per_s = speed(facts->blocks - since->blocks, time_ns);

	facts->games_per_s = speed(facts->games - since->games, time_ns);
	facts->seconds_left = facts->blocks_left >= 0 && blocks_per_s > 0
	    ? facts->blocks_left / blocks_per_s
	    : -1;
}

/*
 * Writes the line over the last one, and blanks over the rest of a longer one.
 * A failure to write it is no error.
 */
static void
line_write(struct progress *progress, const char *line)
{
	int width = text_width(line);

	if (!progress->terminal) {
		dprintf(progress->fd, "%s\n", line);
		return;
	}
	dprintf(progress->fd, "\r%s%*s", line,
	    progress->shown > width ? progress->shown - width : 0, "");
	progress->shown = width;
}

void
progress_show(
    struct progress *progress, struct progress_facts *facts, int64_t now_ns)
{
	struct scopa_text text = SCOPA_TEXT(PROGRESS_TEXT_SIZE);

	add_sample(progress,
	    (struct progress_sample){
		.now_ns = now_ns,
		.blocks = facts->blocks,
		.games = facts->games,
	    });
	speed_set(progress, facts, now_ns);
	progress->shown_ns = now_ns;
	if (progress->fd < 0)
		return;
	progress_format(facts, &text);
	/* Some terminals begin a new line after the last column. */
	if (progress->terminal)
		progress_clip(
		    &text, text_columns(progress->fd, COLUMNS_DEFAULT) - 1);
	line_write(progress, text.bytes);
}

void
progress_clear(struct progress *progress)
{
	if (progress->shown > 0)
		dprintf(progress->fd, "\r%*s\r", progress->shown, "");
	progress->shown = 0;
}
