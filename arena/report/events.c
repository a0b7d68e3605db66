/*
 * Implements events.h.  A line is made in memory and written at once.  Rare
 * events are also messages of the log.
 */
#include "events.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "buffers.h"
#include "clock.h"
#include "fault_text.h"
#include "log.h"
#include "report_json.h"
#include "text_format.h"
#include "tournament.h"

/* A line that is being made. */
struct events_line {
	struct events *events;
	FILE *file; /* NULL: events are not written */
	char *bytes;
	size_t size;
	struct json json;
};

int
events_open(struct events *events, const char *path)
{
	int fd = -1;

	if (path != NULL) {
		fd =
		    open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return -errno;
	}
	*events = (struct events){ .fd = fd };
	return 0;
}

int
events_close(struct events *events)
{
	if (events->fd >= 0)
		close(events->fd);
	events->fd = -1;
	return events->error;
}

/* Logs the first failure only.  The run goes on without events. */
static void
events_fail(struct events *events, int error)
{
	if (events->error != 0)
		return;
	events->error = -error;
	log_print(LOG_ERROR, "an event cannot be written: %s", strerror(error));
}

/* Returns false if the line is not to be written: there is no file. */
static bool
line_begin(struct events_line *line, struct events *events, const char *name)
{
	char utc[CLOCK_UTC_SIZE];

	*line = (struct events_line){ .events = events };
	if (events->fd < 0)
		return false;
	line->file = memory_file_open(&line->bytes, &line->size);
	if (line->file == NULL) {
		events_fail(events, errno);
		return false;
	}
	clock_utc(utc);
	json_document_begin(&line->json, line->file);
	json_int(&line->json, "v", EVENTS_VERSION);
	json_string(&line->json, "event", name);
	json_string(&line->json, "time", utc);
	return true;
}

/* A line that is written in part is cut off, so that the next one is whole. */
static void
line_end(struct events_line *line)
{
	int fd = line->events->fd, error, cut;
	off_t size = lseek(fd, 0, SEEK_END);

	json_document_end(&line->json);
	error = fclose(line->file) == 0 ? write_all(fd, line->bytes, line->size)
					: -errno;
	if (error) {
		/* A pipe or device has no size. */
		cut = ftruncate(fd, size);
		(void)cut;
		events_fail(line->events, -error);
	}
	free(line->bytes);
}

/* Writes how many blocks and games are counted. */
static void
json_counted(struct json *json, const struct standings *standings)
{
	json_int(json, "blocks", standings->blocks);
	json_int(json, "skipped", standings->skipped);
	json_int(json, "games", standings->games);
}

static void
write_start(
    struct events *events, const struct report_view *view, const char *name)
{
	struct events_line line;

	if (!line_begin(&line, events, name))
		return;
	json_run(&line.json, view);
	json_counted(&line.json, view->standings);
	json_string(&line.json, "sandbox", view->sandbox);
	line_end(&line);
}

void
events_run_begin(struct events *events, const struct report_view *view)
{
	log_print(LOG_INFO, "run %s begins: %d bots, %s", view->head->name,
	    view->head->bot_count, view->rules != NULL ? view->rules : "-");
	write_start(events, view, "run_begin");
}

void
events_resume(struct events *events, const struct report_view *view)
{
	log_print(LOG_INFO, "run %s goes on after %jd blocks", view->head->name,
	    view->standings->blocks + view->standings->skipped);
	write_start(events, view, "resume");
}

/* A game of a block that was counted. */
struct events_game {
	struct events *events;
	const struct report_view *view;
	const struct block_plan *plan;
	const struct summary *summary;
	int number;     /* within the block, from 0 */
	char match[24]; /* its name in the record: `m1` */
};

static struct events_game
game_of(struct events *events, const struct report_view *view,
    const struct block_result *block, int number)
{
	struct events_game game = {
		.events = events,
		.view = view,
		.plan = &block->plan,
		.summary = &block->games[number],
		.number = number,
	};

	snprintf(
	    game.match, sizeof(game.match), "m%jd", game.summary->game + 1);
	return game;
}

/* Returns the name of the bot at a seat. */
static const char *
name_at(const struct events_game *game, int seat)
{
	const struct block_plan *plan = game->plan;

	return report_name(
	    game->view, plan->bots[plan->seating[game->number][seat]]);
}

/* Begins the line of an event about one game, as line_begin(). */
static bool
game_line_begin(
    struct events_line *line, const struct events_game *game, const char *name)
{
	if (!line_begin(line, game->events, name))
		return false;
	json_string(&line->json, "match", game->match);
	json_int(&line->json, "block", game->plan->index + 1);
	return true;
}

static void
json_game(struct json *json, const struct events_game *game)
{
	const struct summary *summary = game->summary;

	json_object_begin(json, NULL);
	json_string(json, "match", game->match);
	json_array_begin(json, "seats");
	for (int seat = 0; seat < summary->seat_count; seat++)
		json_string(json, NULL, name_at(game, seat));
	json_array_end(json);
	json_array_begin(json, "scores");
	for (int team = 0; team < summary->team_count; team++)
		json_int(json, NULL, summary->scores[team]);
	json_array_end(json);
	json_team(json, "winner", summary->winner);
	json_string(json, "reason", summary->reason);
	json_int(json, "deals", summary->deal_count);
	json_given(json, "sandbox", summary->sandbox);
	json_bool(json, "analysis", summary->analysis);
	json_object_end(json);
}

static void
write_block(struct events *events, const struct report_view *view,
    const struct block_result *block)
{
	const struct scopa_rules *rules = &view->standings->rules;
	const struct block_plan *plan = &block->plan;
	struct events_line line;
	struct json *json = &line.json;

	if (!line_begin(&line, events, "block"))
		return;
	json_int(json, "block", plan->index + 1);
	json_int(json, "round", plan->round + 1);
	json_int(json, "stage", plan->stage + 1);
	json_bool(json, "skipped", block->skipped);
	json_array_begin(json, "bots");
	for (int i = 0; i < plan->bot_count; i++) {
		json_object_begin(json, NULL);
		json_string(json, "name", report_name(view, plan->bots[i]));
		if (!block->skipped) {
			struct block_share mean = block_mean(rules, block, i);

			json_real(json, "margin", mean.margin, JSON_POINTS);
			json_real(json, "score", mean.score, JSON_SHARE);
		}
		json_object_end(json);
	}
	json_array_end(json);
	json_array_begin(json, "games");
	for (int i = 0; !block->skipped && i < plan->game_count; i++) {
		const struct events_game game = game_of(events, view, block, i);

		json_game(json, &game);
	}
	json_array_end(json);
	json_string(json, "chain", view->chain);
	line_end(&line);
}

/* Writes which team lost by an offence, and which bot committed it. */
static void
write_forfeit(const struct events_game *game)
{
	const struct summary *summary = game->summary;
	char team[] = { (char)('A' + summary->forfeiter), '\0' };
	bool known = summary->offender >= 0;
	const char *name = known ? name_at(game, summary->offender) : NULL;
	const char *kind = known ? offence_name(summary->offence) : NULL;
	const char *reason = known ? summary->offence_reason : NULL;
	struct events_line line;

	log_print(LOG_WARN, "%s: %s loses: %s", game->match,
	    known ? name : team,
	    fault_text_reason(known ? kind : "forfeit", known ? reason : "",
		game->view->time_control));
	if (!game_line_begin(&line, game, "game_forfeit"))
		return;
	json_string(&line.json, "party", team);
	json_string(&line.json, "bot", name);
	json_int_if(&line.json, "seat", known, summary->offender + 1);
	json_string(&line.json, "kind", kind);
	json_string(&line.json, "reason", reason);
	line_end(&line);
}

/* Writes that clocks were restarted.  No bot loses time by it. */
static void
write_void(const struct events_game *game)
{
	double lag_ms = (double)game->summary->lag_longest_ns / 1e6;
	int turns = (int)game->summary->void_turns;
	struct events_line line;

	if (lag_ms > 0)
		log_print(LOG_WARN,
		    "%s: VOID: the arena itself was delayed %.0f ms: %d "
		    "clock%s restarted",
		    game->match, lag_ms, turns, text_plural(turns));
	else
		log_print(LOG_WARN,
		    "%s: VOID: another bot computed: %d clock%s restarted",
		    game->match, turns, text_plural(turns));
	if (!game_line_begin(&line, game, "game_void"))
		return;
	json_int(&line.json, "turns", turns);
	json_real(&line.json, "lag_ms", lag_ms, 3);
	line_end(&line);
}

/* Writes why each earlier attempt at the game does not count. */
static void
write_replayed(const struct events_game *game)
{
	struct events_line line;

	if (!game_line_begin(&line, game, "game_replayed"))
		return;
	json_array_begin(&line.json, "reasons");
	for (int i = 0; i < game->summary->voided_count; i++)
		json_string(&line.json, NULL, game->summary->voided[i]);
	json_array_end(&line.json);
	line_end(&line);
}

/* Writes that a bot used CPU time when it was not to move: a warning only. */
static void
write_ponder(const struct events_game *game, int seat)
{
	double cpu_ms = (double)game->summary->off_turn_ns[seat] / 1e6;
	struct events_line line;

	log_print(LOG_WARN,
	    "%s: PONDER: %s used %.0f ms of CPU time when it was not to move",
	    game->match, name_at(game, seat), cpu_ms);
	if (!game_line_begin(&line, game, "game_ponder"))
		return;
	json_string(&line.json, "bot", name_at(game, seat));
	json_int(&line.json, "seat", seat + 1);
	json_real(&line.json, "cpu_ms", cpu_ms, 3);
	line_end(&line);
}

/* Writes the events of a game, of which most games have none. */
static void
write_remarks(const struct events_game *game)
{
	const struct summary *summary = game->summary;

	if (summary->voided_count > 0)
		write_replayed(game);
	if (summary->void_turns > 0)
		write_void(game);
	for (int seat = 0; seat < summary->seat_count; seat++)
		if (summary->pondered[seat])
			write_ponder(game, seat);
	if (summary->forfeiter != SCOPA_TEAM_NONE)
		write_forfeit(game);
}

void
events_block(struct events *events, const struct report_view *view,
    const struct block_result *block)
{
	write_block(events, view, block);
	for (int i = 0; !block->skipped && i < block->plan.game_count; i++) {
		const struct events_game game = game_of(events, view, block, i);

		write_remarks(&game);
	}
}

void
events_suspend(struct events *events, const struct report_view *view, int bot)
{
	const struct standing *standing = &view->standings->bots[bot];
	bool startup = standing->startup_failures >= TOURNAMENT_STARTUPS_MAX;
	struct events_line line;

	log_print(LOG_WARN, "%s plays no more: it %s", report_name(view, bot),
	    startup ? "did not start too often" : "is disqualified");
	if (!line_begin(&line, events, "suspend"))
		return;
	json_string(&line.json, "bot", report_name(view, bot));
	json_string(&line.json, "reason", startup ? "startup" : "disqualified");
	json_int(&line.json, "startup_failures", standing->startup_failures);
	json_int(&line.json, "forfeits", standing->forfeits);
	json_int(&line.json, "block",
	    view->standings->blocks + view->standings->skipped);
	line_end(&line);
}

void
events_verdict(struct events *events, const struct report_view *view)
{
	struct events_line line;

	assert(view->verdict != NULL);
	log_print(LOG_INFO, "verdict %s: %s",
	    gate_outcome_name(view->verdict->outcome), view->verdict->reason);
	if (!line_begin(&line, events, "verdict"))
		return;
	json_int(&line.json, "blocks", view->standings->blocks);
	json_verdict(&line.json, view);
	line_end(&line);
}

void
events_status(struct events *events, const struct progress_facts *facts)
{
	struct events_line line;
	struct json *json = &line.json;

	if (!line_begin(&line, events, "status"))
		return;
	json_int(json, "blocks", facts->blocks);
	json_int_if(
	    json, "blocks_max", facts->blocks_max > 0, facts->blocks_max);
	json_known(json, "blocks_left", facts->blocks_left, 0);
	json_int(json, "games", facts->games);
	json_known(json, "games_per_s", facts->games_per_s, 3);
	json_known(json, "seconds_left", facts->seconds_left, 0);
	json_string(json, "name", facts->name);
	json_string(json, "ahead_of", facts->behind);
	json_real(json, "score", facts->score, JSON_SHARE);
	json_estimate(json, "points", &facts->points, JSON_POINTS);
	json_estimate(
	    json, "elo", facts->behind != NULL ? NULL : &facts->elo, JSON_ELO);
	if (facts->sprt != NULL) {
		json_string(
		    json, "model", sprt_model_names[facts->sprt->model]);
		json_string(json, "unit", sprt_unit_name(facts->sprt));
		json_real(json, "llr", facts->state.llr, JSON_POINTS);
		json_real(json, "lower", facts->state.lower, JSON_POINTS);
		json_real(json, "upper", facts->state.upper, JSON_POINTS);
	}
	json_int(json, "forfeits", facts->forfeits);
	json_offences(json, "offences", facts->offences);
	json_known(json, "think_ms", facts->think_ms, 3);
	json_string(json, "notice", facts->notice);
	if (facts->workers > 0) {
		json_int(json, "workers", facts->workers);
		json_int(json, "cores", facts->cores);
	}
	line_end(&line);
}

void
events_workers(struct events *events, const struct report_view *view)
{
	struct events_line line;

	if (!line_begin(&line, events, "workers"))
		return;
	json_workers(&line.json, view);
	line_end(&line);
}

void
events_run_end(
    struct events *events, const struct report_view *view, int status)
{
	struct events_line line;

	log_print(LOG_INFO, "run %s ends after %jd blocks: %s, exit %d",
	    view->head->name, view->standings->blocks,
	    view->state != NULL ? view->state : "-", status);
	if (!line_begin(&line, events, "run_end"))
		return;
	json_string(&line.json, "state", view->state);
	json_int(&line.json, "exit", status);
	json_counted(&line.json, view->standings);
	json_int(&line.json, "forfeits", view->standings->forfeits);
	json_string(&line.json, "seed", view->seed);
	json_string(&line.json, "chain", view->chain);
	line_end(&line);
}
