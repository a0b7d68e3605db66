/*
 * Implements the pages of runs of serve.h.
 *
 * A tick of the loop looks at a run at most once in LOOK_NS, and less often if
 * looks would take more than 1/REST_PART of the time.  The ticks stop if there
 * was no request for IDLE_NS.
 *
 * Several pairs of bots play the packs of a round.  So a game is shown when the
 * last block of its round was played: a bot cannot use what it shows.
 */
#include <bsd/sys/queue.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "countof.h"
#include "game_view.h"
#include "json.h"
#include "live.h"
#include "progress.h"
#include "run_facts.h"
#include "run_open.h"
#include "run_view.h"
#include "runner.h"
#include "serve.h"
#include "words.h"

/*
 * Viewers get news in a tick: four times a second, or less often if this would
 * be more than PUSHES_PER_S events a second for all viewers.  Games count as
 * watched between two ticks (LIVE_LOOK_NS).
 */
#define TICK_NS INT64_C(250000000)
#define TICK_MAX_NS INT64_C(2000000000)
#define LOOK_NS INT64_C(1000000000)
/* The longest time that a request waits for a look at the run. */
#define REPLY_WAIT_NS INT64_C(300000000)
/* A run without viewers is closed after this time. */
#define IDLE_NS INT64_C(20000000000)

enum {
	RUNS_MAX = 1000,    /* listed runs */
	REST_PART = 100,    /* looks take at most this part of the time */
	PUSHES_PER_S = 50,  /* to all viewers together */
	GAMES_SHOWN = 12,   /* links to games on the page of a run */
	LIVE_SHOWN = 6,     /* games in progress on it */
	REPORT_MAX = 50000, /* a run with more blocks has no report here */
	/* Of the URL of a run: each byte of its name may become three. */
	URL_SIZE = 3 * NAME_MAX + 32,
	/* Of the name of a game in the list of the last games. */
	GAME_TEXT_SIZE = 256
};

/* The sequential test of a gate over time. */
struct curve {
	struct facts_test test;
	struct run_facts facts; /* only `llr` is used */
};

/* A text for viewers.  They get it again if its version has changed. */
struct shown {
	char *text;      /* owned; NULL: nothing to send */
	int64_t version; /* 0: there was nothing yet */
};

/* A run. */
struct served {
	TAILQ_ENTRY(served) link;
	char path[PATH_MAX];
	char name[NAME_MAX + 1];   /* in URLs: the name of its folder */
	bool found;                /* by the last search */
	int viewers;               /* streams of its page */
	struct run_opened *opened; /* while it has viewers; owned */
	struct curve *curve;       /* of `opened`; NULL: no test; owned */
	dev_t device;              /* of the database that was opened */
	ino_t inode;
	struct timespec failed; /* when an unreadable database was changed */
	int64_t used_ns;        /* when a viewer asked last */
	int64_t look_ns;        /* the next look, at the earliest */
	struct progress progress;

	/* What the last look has shown. */
	struct shown page; /* HTML */
	char state[STORE_STATE_SIZE];
	char kind[16]; /* `tournament` or `gate` */
	char created[RUN_CREATED_SIZE];
	char result[512]; /* a sentence */
	int bots;
	int64_t counted, planned; /* blocks */

	/* Games in progress: JSON; their versions are those of the slots. */
	struct shown live[LIVE_SHOWN];
};

/* The stream of a page. */
struct viewer {
	LIST_ENTRY(viewer) link;
	struct served *run; /* NULL: the page is the list */
	struct http_stream *stream;
	const struct shown *page;
	int64_t version; /* of the page that it has */
	int64_t live_versions[LIVE_SHOWN];
};

struct serve_runs {
	struct loop *loop;
	struct loop_deadline tick;
	char **paths; /* folders that are searched */
	TAILQ_HEAD(served_list, served) list;
	LIST_HEAD(viewer_list, viewer) viewers;
	int count;
	int64_t used_ns;   /* the time of the last request */
	int64_t search_ns; /* the time of the next search for runs */
	struct shown page; /* the list */
	bool stale;        /* the list must be made again */
	char first[URL_SIZE];
};

/* The folder that is searched if the user names none. */
static char *default_paths[] = { (char[]){ RUN_FOLDER }, NULL };

/*
 * Pages.
 */

static const struct html_page page_of_list = {
	.styles = (const char *const[]){ "report.css", "live.css", NULL },
	.scripts = (const char *const[]){ "report.js", "live.js", NULL },
	.connects = true,
};

static const struct html_page page_of_run = {
	.styles = (const char *const[]){ "report.css", "replay.css", "live.css",
	    NULL },
	.scripts =
	    (const char *const[]){ "report.js", "cards.js", "live.js", NULL },
	.connects = true,
};

static const struct html_page page_of_game = {
	.styles = (const char *const[]){ "report.css", "replay.css", NULL },
	.scripts =
	    (const char *const[]){ "report.js", "cards.js", "replay.js", NULL },
};

static void
put_link(struct html *html, const char *url, const char *text)
{
	html_begin(html, "a");
	html_attribute(html, "href", "%s", url);
	html_text(html, "%s", text);
	html_end(html, "a");
}

/*
 * Replies with a page whose main part is `text` (NULL: there was no memory).
 * `up` is the URL of a link above it, whose text is `where`; NULL: no link.
 */
static void
reply_page(struct http_request *request, const struct html_page *kind,
    const char *title, const char *up, const char *where, const char *text)
{
	struct html_page page = *kind;
	struct document document;
	struct html *html = &document.html;

	page.title = title;
	if (document_begin_page(&document, &page)) {
		html_begin(html, "header.masthead");
		html_begin(html, "p.kicker");
		html_text(html, "Scopa Arena");
		if (up != NULL) {
			html_text(html, " \u00b7 ");
			put_link(html, up, where);
		}
		html_end(html, "p");
		html_end(html, "header");
		html_begin(html, "main");
		html_attribute(html, "id", "main");
		html_text(html, "%s", "");
		fputs(text != NULL ? text : "", html->file);
		html_end(html, "main");
		html->failed |= text == NULL;
	}
	document_reply_page(&document, &page, request);
}

/*
 * A run: what is known of it, its page, its report and its games.
 */

/* Writes the URL of a run: `/run/NAME/`. */
static void
served_url(const struct served *run, char url[URL_SIZE])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
	char *end = stpcpy(url, "/run/");

	for (const char *name = run->name; *name != '\0'; name++)
		if (strchr(plain, *name) != NULL)
			*end++ = *name;
		else
			end += sprintf(end, "%%%02X", (unsigned char)*name);
	strcpy(end, "/");
}

static void
curve_close(struct served *run)
{
	if (run->curve != NULL)
		facts_test_close(&run->curve->test);
	free(run->curve);
	run->curve = NULL;
}

/* Opens the curve of a gate.  Without memory there is none. */
static void
curve_open(struct served *run)
{
	const struct gate_config *gate =
	    tournament_setup_gate(&run->opened->setup);

	if (gate == NULL || !gate->sequential)
		return;
	run->curve = calloc(1, sizeof(*run->curve));
	if (run->curve != NULL &&
	    facts_test_open(&run->curve->test, gate,
		&run->opened->tournament.standings, 0) < 0)
		curve_close(run);
}

static int
add_to_curve(void *context, const struct block_result *block)
{
	struct curve *curve = context;

	return facts_test_add(&curve->test, &curve->facts, block);
}

/* Adds the new blocks to the curve. */
static void
curve_catch_up(struct served *run)
{
	struct curve *curve = run->curve;
	struct store_error why;

	if (curve != NULL &&
	    store_walk_from(run->opened->run.store,
		curve->test.standings.blocks + curve->test.standings.skipped,
		add_to_curve, curve, &why) < 0)
		curve_close(run);
}

/* Closes the run; its page is kept. */
static void
served_drop(struct served *run)
{
	curve_close(run);
	for (int i = 0; i < LIVE_SHOWN; i++) {
		free(run->live[i].text);
		run->live[i] = (struct shown){ 0 };
	}
	if (run->opened == NULL)
		return;
	run_open_close(run->opened);
	free(run->opened);
	run->opened = NULL;
}

/* Opens a run and reads all of its blocks. */
static bool
served_open(struct served *run, const struct stat *results, int64_t now_ns)
{
	struct run_opened *opened = calloc(1, sizeof(*opened));

	if (opened == NULL)
		return false;
	if (run_open_whole(opened, run->path, ENTRANT_TO_READ) != STATUS_DONE) {
		free(opened);
		return false;
	}
	run->opened = opened;
	run->device = results->st_dev;
	run->inode = results->st_ino;
	curve_open(run);
	progress_begin(&run->progress, -1, 1, now_ns,
	    opened->tournament.counted, opened->tournament.standings.games);
	return true;
}

/* The state of a run that is open, in words. */
static void
served_state(const struct served *run, char state[STORE_STATE_SIZE])
{
	if (store_state(run->opened->run.store, state, STORE_STATE_SIZE) < 0)
		snprintf(state, STORE_STATE_SIZE, "unreadable");
	if (strcmp(state, RUN_RUNNING) == 0 && run_owner(run->path) == 0)
		snprintf(state, STORE_STATE_SIZE, RUN_BROKEN_OFF);
}

/*
 * Reads what was added to a run that is open.  Returns false if the run must be
 * opened again.
 */
static bool
served_read_on(struct served *run, bool *changed)
{
	struct run_opened *opened = run->opened;
	struct store_error why;
	char state[STORE_STATE_SIZE];

	served_state(run, state);
	if (run_refresh(&opened->run, &why) < 0)
		return false;
	*changed = strcmp(state, run->state) != 0 ||
	    opened->run.block_count != opened->tournament.counted;
	/* The secret may be shown now, and is a part of the head. */
	if (strcmp(state, run->state) != 0 && strcmp(state, RUN_DONE) == 0)
		return false;
	return opened->run.block_count == opened->tournament.counted ||
	    runner_catch_up(&opened->run, &opened->tournament, &why);
}

static int
store_round(void *context, const struct block_result *block)
{
	*(int *)context = block->plan.round;
	return 0;
}

/* The round of which no block may be shown yet; -1: all may. */
static int
served_open_round(const struct served *run)
{
	const struct run_opened *opened = run->opened;
	int64_t counted = opened->tournament.counted;
	struct store_error why;
	int round = 0;

	if (strcmp(run->state, RUN_DONE) == 0)
		return -1;
	if (counted > 0 &&
	    store_walk_from(
		opened->run.store, counted - 1, store_round, &round, &why) < 0)
		return 0;
	return round;
}

/* The last games of a run that may be shown. */
struct last_games {
	int open_round;
	const struct scopa_rules *rules;
	int count;
	struct last_game {
		int64_t game;
		char text[GAME_TEXT_SIZE]; /* teams and their points */
	} games[GAMES_SHOWN];
};

/* `ann + bob 11, eve + joe 4` */
static void
print_game(const struct scopa_rules *rules, const struct summary *game,
    char bytes[GAME_TEXT_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, bytes, GAME_TEXT_SIZE);
	for (int team = 0; team < scopa_team_count(rules); team++) {
		const char *between = team > 0 ? ", " : "";

		for (int seat = 0; seat < game->seat_count; seat++) {
			if (scopa_team_of(rules, seat) != team)
				continue;
			scopa_text_print(
			    &text, "%s%s", between, game->names[seat]);
			between = " + ";
		}
		scopa_text_print(&text, " %d", game->scores[team]);
	}
}

static int
add_games(void *context, const struct block_result *block)
{
	struct last_games *last = context;

	if (block->skipped ||
	    (last->open_round >= 0 && block->plan.round >= last->open_round))
		return 0;
	for (int i = 0; i < block->plan.game_count; i++) {
		struct last_game *game =
		    &last->games[last->count++ % GAMES_SHOWN];

		game->game = block->games[i].game + 1;
		print_game(last->rules, &block->games[i], game->text);
	}
	return 0;
}

static void
put_games(struct html *html, const struct served *run)
{
	const struct run_opened *opened = run->opened;
	struct last_games last = {
		.open_round = served_open_round(run),
		.rules = &opened->setup.play.rules.rules,
	};
	int64_t first = opened->tournament.counted, blocks = 4 * GAMES_SHOWN;
	struct store_error why;

	/* The open round may have so many blocks, or more. */
	while (last.count == 0 && last.open_round != 0 && first > 0) {
		first = first > blocks ? first - blocks : 0;
		blocks *= 4;
		if (store_walk_from(
			opened->run.store, first, add_games, &last, &why) < 0)
			return;
	}
	if (last.count == 0)
		return;
	html_begin(html, "section");
	html_attribute(html, "id", "games");
	html_put(html, "h2", "Last games");
	html_begin(html, "ul.links");
	for (int i = 0; i < GAMES_SHOWN && i < last.count; i++) {
		char url[URL_SIZE];
		const struct last_game *game =
		    &last.games[(last.count - 1 - i) % GAMES_SHOWN];

		snprintf(url, sizeof(url), "match/m%jd", game->game);
		html_begin(html, "li");
		put_link(html, url, url + strlen("match/"));
		html_text(html, " %s", game->text);
		html_end(html, "li");
	}
	html_end(html, "ul");
	html_end(html, "section");
}

/* The part of the page that says how far the run is. */
static void
put_progress(struct html *html, struct served *run,
    const struct report_view *view, int64_t now_ns)
{
	struct progress_facts facts = progress_collect(view);
	bool running = strcmp(run->state, RUN_RUNNING) == 0;

	progress_show(&run->progress, &facts, now_ns);
	html_begin(html, "section.progress");
	html_attribute(html, "id", "progress");
	html_attribute(html, "data-state", "%s", run->state);
	html_put(html, "h1", "%s", run->name);
	if (running && facts.blocks_max > 0) {
		html_begin(html, "progress");
		html_attribute(html, "aria-label", "blocks");
		html_attribute(html, "max", "%jd", facts.blocks_max);
		html_attribute(html, "value", "%jd", facts.blocks);
		html_end(html, "progress");
	}
	html_begin(html, "dl.facts");
	if (running && facts.blocks_max > 0)
		html_fact(html, "Progress", "%.0f%% of %s%jd blocks",
		    100.0 * (double)facts.blocks / (double)facts.blocks_max,
		    view->may_end_early ? "at most " : "", facts.blocks_max);
	if (running && facts.seconds_left >= 0)
		html_fact(html, "Left", "%s%s",
		    facts.left_is_limit ? "at most " : "",
		    progress_time(facts.seconds_left).text);
	if (running && facts.games_per_s >= 0)
		html_fact(html, "Speed", "%.3g games/s", facts.games_per_s);
	html_end(html, "dl");
	html_begin(html, "p");
	put_link(html, "report", "Full report");
	html_end(html, "p");
	html_end(html, "section");
}

/* The first line of the verdict, or of the leader, without its label. */
static void
store_result(struct served *run, const struct report_view *view)
{
	const struct report_style style = { .width = REPORT_WIDTH };
	struct document document;
	char *text, *line, *sign;

	run->result[0] = '\0';
	if (document_begin(&document))
		report_text_verdict(view, &style, document.html.file);
	text = document_end(&document);
	if (text != NULL) {
		line = text + strcspn(text, " \n");
		line += strspn(line, " ");
		line[strcspn(line, "\n")] = '\0';
		while ((sign = strstr(line, "+-")) != NULL)
			memcpy(sign, "\u00b1", 2);
		snprintf(run->result, sizeof(run->result), "%s", line);
	}
	free(text);
}

/* Opens a view of a run that is open, which the caller closes. */
static void
served_view(const struct served *run, struct run_view *view)
{
	const struct run_opened *opened = run->opened;

	run_view_open(view, &opened->setup, &opened->run, &opened->tournament);
	run_view_update(view, strcmp(run->state, RUN_DONE) == 0);
	snprintf(view->state, sizeof(view->state), "%s", run->state);
}

/* Stores what is shown from now on; NULL: there was no memory for it. */
static bool
show(struct shown *shown, char *text)
{
	if (text == NULL)
		return false;
	free(shown->text);
	shown->text = text;
	shown->version++;
	return true;
}

/* Makes the page of a run that is open. */
static void
served_show(struct served *run, int64_t now_ns)
{
	static struct run_view view;
	const struct store_head *head = &run->opened->run.head;
	struct document document;
	bool done;

	served_state(run, run->state);
	done = strcmp(run->state, RUN_DONE) == 0;
	served_view(run, &view);
	if (report_compute(&view.view, done ? REPORT_REPLICATES : 0) == 0 &&
	    document_begin(&document)) {
		snprintf(run->kind, sizeof(run->kind), "%s", head->command);
		run->bots = head->bot_count;
		run->counted = run->opened->tournament.counted;
		run->planned = report_blocks_due(&view.view);
		store_result(run, &view.view);
		put_progress(&document.html, run, &view.view, now_ns);
		curve_catch_up(run);
		report_html_live(&view.view,
		    run->curve != NULL ? &run->curve->facts : NULL,
		    &document.html);
		put_games(&document.html, run);
		(void)show(&run->page, document_end(&document));
	}
	run_view_close(&view);
}

/* Makes the page of a run that cannot be read. */
static void
served_show_sentence(
    struct served *run, const char *state, const char *sentence)
{
	struct document document;

	if (strcmp(run->state, state) == 0 || !document_begin(&document))
		return;
	snprintf(run->state, sizeof(run->state), "%s", state);
	html_put(&document.html, "h1", "%s", run->name);
	html_put(&document.html, "p", "%s", sentence);
	(void)show(&run->page, document_end(&document));
}

/*
 * Looks at a run: reads what is new, and makes its page again if needed.
 * Returns whether something has changed.
 */
static bool
served_look(struct served *run, int64_t now_ns)
{
	int64_t version = run->page.version;
	char path[PATH_MAX];
	/* No file has this time: if it may not be read, it is opened once. */
	struct stat results = { .st_mtim.tv_nsec = -1 };
	bool changed = true;

	run_path_join(path, run->path, RUN_RESULTS);
	if (stat(path, &results) < 0 && errno != EACCES) {
		served_drop(run);
		served_show_sentence(
		    run, "removed", "The folder of this run was removed.");
		return run->page.version != version;
	}
	if (run->opened != NULL &&
	    (results.st_dev != run->device || results.st_ino != run->inode ||
		!served_read_on(run, &changed)))
		served_drop(run);
	if (run->opened == NULL) {
		/* It has not changed since it could not be read. */
		if (run->failed.tv_sec == results.st_mtim.tv_sec &&
		    run->failed.tv_nsec == results.st_mtim.tv_nsec)
			return false;
		changed = true;
		if (!served_open(run, &results, now_ns)) {
			run->failed = results.st_mtim;
			served_show_sentence(run, "unreadable",
			    "This run cannot be read; the server has printed "
			    "why.");
			return run->page.version != version;
		}
	}
	if (changed)
		served_show(run, now_ns);
	return run->page.version != version;
}

/* Reads the game in progress in a slot of the file. */
static void
read_slot(struct served *run, int place, const struct live_slot *slot)
{
	struct shown *shown = &run->live[place];
	struct document document;
	struct json *json = &document.json;

	if (shown->version == slot->version && shown->text != NULL)
		return;
	shown->version = slot->version;
	free(shown->text);
	if (document_begin_json(&document)) {
		json_int(json, "place", place);
		json_int(json, "game", slot->game);
		json_int(json, "deal", slot->deal);
		json_int(json, "plays", slot->plays);
		json_string(json, "lines", slot->text);
	}
	shown->text = document_end(&document);
}

/* Announces a viewer, and reads the games in progress. */
static void
served_watch(struct served *run, int64_t now_ns)
{
	static const struct live_slot none;
	struct live_slot slot;
	char path[PATH_MAX];
	int fd = -1, shown = 0;

	run_path_join(path, run->path, LIVE_FILE);
	if (strcmp(run->state, RUN_RUNNING) == 0)
		fd = live_attach(path);
	if (fd >= 0) {
		live_look(fd, now_ns);
		for (int i = 0; i < LIVE_SHOWN; i++)
			if (live_get(fd, i, &slot))
				read_slot(run, shown++, &slot);
		close(fd);
	}
	while (shown < LIVE_SHOWN)
		read_slot(run, shown++, &none);
}

/* Returns the record of a game that may be shown, for free(), or NULL. */
static char *
game_record(const struct served *run, const char *match,
    struct game_view_source *source)
{
	const struct run_opened *opened = run->opened;
	int open_round = served_open_round(run);
	struct block_result block;
	struct store_error why;
	const struct word digits = { match + 1, strlen(match) - 1 };
	int64_t game, number;
	char *bytes;

	if (match[0] != 'm' || !word_to_int(digits, 1, INT64_MAX, &game))
		return NULL;
	number = (game - 1) / opened->run.head.game_count;
	if (number >= opened->tournament.counted ||
	    run_block_read(&opened->run, number, &block, &bytes, &why) < 0)
		return NULL;
	if (bytes != NULL && (open_round < 0 || block.plan.round < open_round))
		source->record = facts_game_find(
		    bytes, (size_t)block.place.size, game, &source->size);
	if (source->record != NULL)
		return bytes;
	free(bytes);
	return NULL;
}

/*
 * The search for runs.
 */

static struct served *
find_run(const struct serve_runs *runs, const char *name)
{
	struct served *run;

	TAILQ_FOREACH (run, &runs->list, link)
		if (strcmp(run->name, name) == 0)
			return run;
	return NULL;
}

/* Adds a run, or marks it as found.  The newest run comes first. */
static void
add_run(struct serve_runs *runs, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	struct served *run, *before;

	TAILQ_FOREACH (run, &runs->list, link)
		if (strcmp(run->path, path) == 0) {
			run->found = true;
			return;
		}
	if (find_run(runs, name) != NULL || strlen(name) > NAME_MAX ||
	    runs->count >= RUNS_MAX)
		return;
	run = calloc(1, sizeof(*run));
	if (run == NULL)
		return;
	snprintf(run->path, sizeof(run->path), "%s", path);
	snprintf(run->name, sizeof(run->name), "%s", name);
	run_created(path, run->created);
	run->found = true;
	runs->count++;
	runs->stale = true;
	TAILQ_FOREACH (before, &runs->list, link)
		if (run_is_newer(
			run->created, name, before->created, before->name)) {
			TAILQ_INSERT_BEFORE(before, run, link);
			return;
		}
	TAILQ_INSERT_TAIL(&runs->list, run, link);
}

static void
remove_run(struct serve_runs *runs, struct served *run)
{
	TAILQ_REMOVE(&runs->list, run, link);
	served_drop(run);
	free(run->page.text);
	free(run);
	runs->count--;
	runs->stale = true;
}

/* Adds the runs in a folder. */
static void
search_folder(struct serve_runs *runs, const char *path)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;

	if (directory == NULL)
		return;
	while ((entry = readdir(directory)) != NULL) {
		char folder[PATH_MAX];

		if (entry->d_name[0] == '.')
			continue;
		run_path_join(folder, path, entry->d_name);
		if (run_is_there(folder))
			add_run(runs, folder);
	}
	closedir(directory);
}

static void
search(struct serve_runs *runs, int64_t now_ns)
{
	struct served *run, *next;

	if (now_ns < runs->search_ns)
		return;
	runs->search_ns = now_ns + LOOK_NS;
	TAILQ_FOREACH (run, &runs->list, link)
		run->found = false;
	for (char **path = runs->paths; *path != NULL; path++) {
		char folder[PATH_MAX];
		struct store_error why;

		if (run_path_set(folder, *path, &why) < 0)
			continue;
		if (run_is_there(folder))
			add_run(runs, folder);
		else
			search_folder(runs, folder);
	}
	TAILQ_FOREACH_SAFE (run, &runs->list, link, next)
		if (!run->found && run->viewers == 0)
			remove_run(runs, run);
}

/*
 * The list.
 */

static void
put_row(struct html *html, const struct served *run)
{
	const char *of = run->planned > 0 ? " of " : "";
	char url[URL_SIZE];

	served_url(run, url);
	html_table_row(html);
	html_attribute(html, "data-state", "%s", run->state);
	html_begin(html, "th");
	html_attribute(html, "scope", "row");
	put_link(html, url, run->name);
	html_end(html, "th");
	html_put(html, "td.text", "%s", run->kind);
	html_put(
	    html, "td.text", "%s", run->page.text != NULL ? run->state : "...");
	html_put(html, "td", "%d", run->bots);
	html_begin(html, "td");
	html_text(html, "%jd%s", run->counted, of);
	if (run->planned > 0)
		html_text(html, "%jd", run->planned);
	html_end(html, "td");
	html_put(html, "td.lines", "%s", run->result);
	html_put(html, "td.text", "%.10s %.5s", run->created,
	    strlen(run->created) > 16 ? run->created + 11 : "");
}

static void
show_list(struct serve_runs *runs)
{
	const struct served *run;
	struct document document;
	struct html *html = &document.html;

	if (!runs->stale || !document_begin(&document))
		return;
	html_begin(html, "section");
	html_attribute(html, "id", "runs");
	html_put(html, "h1", "Runs");
	if (TAILQ_EMPTY(&runs->list)) {
		html_put(html, "p", "There is no run yet.");
	} else {
		html_table_begin(html, "Runs",
		    "^Run|^Kind|^State|Bots|Blocks|^Result|^Begun (UTC)",
		    runs->count > 1);
		TAILQ_FOREACH (run, &runs->list, link)
			put_row(html, run);
		html_table_end(html);
	}
	html_end(html, "section");
	runs->stale = !show(&runs->page, document_end(&document));
}

/*
 * Ticks.
 */

/*
 * Looks at a run if it is time, and sets the time of the next look.  That
 * depends on the duration of looks, except the first one, which reads the whole
 * run.
 */
static void
look_if_due(struct serve_runs *runs, struct served *run)
{
	int64_t now_ns = clock_now_ns(), rest_ns = LOOK_NS;
	int64_t used_ns = clock_cpu_ns();
	bool first = run->opened == NULL;

	if (now_ns < run->look_ns)
		return;
	if (served_look(run, now_ns))
		runs->stale = true;
	used_ns = clock_cpu_ns() - used_ns;
	if (!first && REST_PART * used_ns > LOOK_NS)
		rest_ns = REST_PART * used_ns;
	run->look_ns = clock_now_ns() + rest_ns;
}

/* Looks at runs that are new in the list, or that are being played. */
static void
look_for_list(struct serve_runs *runs, int64_t until_ns)
{
	struct served *run;

	TAILQ_FOREACH (run, &runs->list, link) {
		if (clock_now_ns() >= until_ns)
			return;
		if (run->page.text != NULL &&
		    strcmp(run->state, RUN_RUNNING) != 0)
			continue;
		run->used_ns = clock_now_ns();
		look_if_due(runs, run);
		if (strcmp(run->state, RUN_RUNNING) != 0 && run->viewers == 0)
			served_drop(run);
	}
}

/* Returns the time from one tick to the next, with so many viewers. */
static int64_t
tick_ns(int viewer_count)
{
	int64_t pause_ns = viewer_count * (CLOCK_NS_PER_S / PUSHES_PER_S);

	if (pause_ns < TICK_NS)
		return TICK_NS;
	return pause_ns < TICK_MAX_NS ? pause_ns : TICK_MAX_NS;
}

static void
on_tick(struct loop_deadline *deadline, int64_t now_ns)
{
	struct serve_runs *runs = deadline->context;
	struct served *run;
	struct viewer *viewer;
	bool listed = false;
	int viewer_count = 0;

	LIST_FOREACH (viewer, &runs->viewers, link) {
		viewer_count++;
		listed |= viewer->run == NULL;
		if (viewer->run != NULL)
			viewer->run->used_ns = now_ns;
	}
	if (listed) {
		search(runs, now_ns);
		look_for_list(runs, now_ns + TICK_NS / 2);
		show_list(runs);
	}
	TAILQ_FOREACH (run, &runs->list, link)
		if (run->viewers > 0) {
			look_if_due(runs, run);
			served_watch(run, now_ns);
		} else if (now_ns - run->used_ns > IDLE_NS) {
			served_drop(run);
		}
	/* A stream without news goes to sleep again. */
	LIST_FOREACH (viewer, &runs->viewers, link)
		http_stream_wake(viewer->stream);
	if (viewer_count > 0 || now_ns - runs->used_ns < 2 * IDLE_NS)
		loop_deadline_set(
		    runs->loop, deadline, now_ns + tick_ns(viewer_count));
}

/* Notes the time of a request, and starts the ticks if they had stopped. */
static void
touch(struct serve_runs *runs)
{
	runs->used_ns = clock_now_ns();
	if (runs->tick.deadline_ns == LOOP_NEVER)
		loop_deadline_set(
		    runs->loop, &runs->tick, runs->used_ns + TICK_NS);
}

/*
 * Routes.
 */

static void
reply_list(void *context, struct http_request *request)
{
	struct serve_runs *runs = context;

	touch(runs);
	search(runs, runs->used_ns);
	look_for_list(runs, runs->used_ns + REPLY_WAIT_NS);
	show_list(runs);
	reply_page(request, &page_of_list, "Runs", NULL, NULL, runs->page.text);
}

/* Finds the run of a request and looks at it; NULL: the reply is 404. */
static struct served *
run_of(struct serve_runs *runs, const struct http_request *request)
{
	struct served *run;

	touch(runs);
	search(runs, runs->used_ns);
	run = find_run(runs, http_word(request, 0));
	if (run == NULL) {
		/* It may be newer than the last search. */
		runs->search_ns = 0;
		search(runs, runs->used_ns);
		run = find_run(runs, http_word(request, 0));
	}
	if (run == NULL)
		return NULL;
	run->used_ns = runs->used_ns;
	if (run->opened == NULL) {
		run->look_ns = 0;
		/* The last attempt may have failed for lack of memory. */
		run->failed = (struct timespec){ 0 };
	}
	look_if_due(runs, run);
	return run;
}

static void
reply_run(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);

	if (run != NULL)
		reply_page(request, &page_of_run, run->name, "/", "all runs",
		    run->page.text);
}

/* Replies with the report of a run, as the command report writes it. */
static void
reply_report(void *context, struct http_request *request)
{
	static const struct http_reply reply = { .policy = HTTP_POLICY_INLINE };
	static struct run_view view;
	const struct served *run = run_of(context, request);
	struct run_document document = { .form = RUN_VIEW_HTML };
	struct store_error why = { .what = "" };
	struct scopa_text path = SCOPA_TEXT(PATH_MAX);

	if (run == NULL || run->opened == NULL)
		return;
	if (run->counted > REPORT_MAX) {
		shell_word_format(run->path, &path);
		http_reply_line(request, 503,
		    "This run is too large for a report on demand. Try:\n\n"
		    "    scopa-arena report %s\n",
		    path.bytes);
		return;
	}
	/* Others still play the packs of a run that is not done: no games. */
	if (strcmp(run->state, RUN_DONE) == 0)
		document.game_bytes_max = FACTS_GAME_BYTES_MAX;
	served_view(run, &view);
	if (run_view_compute(&view, &why) == 0)
		(void)run_view_document(&view, &document, &why);
	run_view_close(&view);
	http_reply(request, &reply, document.bytes, document.size);
}

static void
reply_game(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);
	const char *match = http_word(request, 1);
	struct game_view_source source = { .record = NULL };
	struct document document;
	char *record, *page = NULL;

	if (run == NULL || run->opened == NULL)
		return;
	record = game_record(run, match, &source);
	if (record == NULL) {
		http_reply_line(request, 404,
		    "There is no such game to show. Games of a round are "
		    "shown when all of its games are over.\n");
		return;
	}
	if (document_begin(&document)) {
		html_put(&document.html, "h1", "%s", match);
		document.html.failed |=
		    game_view_html(&source, &document.html) < 0;
		page = document_end(&document);
	}
	reply_page(request, &page_of_game, match, "../", "the run", page);
	free(page);
	free(record);
}

static void
redirect_run(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);
	char url[URL_SIZE];
	const struct http_reply reply = { .status = 301, .location = url };

	if (run == NULL)
		return;
	served_url(run, url);
	http_reply(request, &reply, strdup(""), 0);
}

static void
viewer_fill(void *context, FILE *file)
{
	struct viewer *viewer = context;
	const struct shown *page = viewer->page;
	const struct served *run = viewer->run;

	if (page->text != NULL && viewer->version != page->version) {
		viewer->version = page->version;
		http_event(file, "page", page->text);
	}
	for (int i = 0; run != NULL && i < LIVE_SHOWN; i++) {
		if (viewer->live_versions[i] == run->live[i].version)
			continue;
		viewer->live_versions[i] = run->live[i].version;
		if (run->live[i].text != NULL)
			http_event(file, "game", run->live[i].text);
	}
}

static void
viewer_close(void *context)
{
	struct viewer *viewer = context;

	LIST_REMOVE(viewer, link);
	if (viewer->run != NULL)
		viewer->run->viewers--;
	free(viewer);
}

static void
open_viewer(
    struct serve_runs *runs, struct served *run, struct http_request *request)
{
	static const struct http_stream_calls calls = {
		.fill = viewer_fill,
		.close = viewer_close,
	};
	struct viewer *viewer = calloc(1, sizeof(*viewer));

	if (viewer == NULL)
		return;
	viewer->run = run;
	viewer->page = run != NULL ? &run->page : &runs->page;
	if (http_stream_open(request, &calls, viewer, &viewer->stream) < 0) {
		free(viewer);
		return;
	}
	LIST_INSERT_HEAD(&runs->viewers, viewer, link);
	if (run != NULL)
		run->viewers++;
}

static void
stream_list(void *context, struct http_request *request)
{
	touch(context);
	open_viewer(context, NULL, request);
}

static void
stream_run(void *context, struct http_request *request)
{
	struct served *run = run_of(context, request);

	if (run != NULL)
		open_viewer(context, run, request);
}

static const struct http_route routes[] = {
	{ "GET", "/", reply_list },
	{ "GET", "/events", stream_list },
	{ "GET", "/run/:", redirect_run },
	{ "GET", "/run/:/", reply_run },
	{ "GET", "/run/:/events", stream_run },
	{ "GET", "/run/:/report", reply_report },
	{ "GET", "/run/:/match/:", reply_game },
	{ 0 },
};

/*
 * Opening and closing.
 */

int
serve_runs_open(struct serve_runs **opened, struct loop *loop,
    struct http *http, char **paths, const char **path_at_fault)
{
	struct serve_runs *runs;
	struct stat status;
	int error;

	for (char **path = paths; *path != NULL; path++)
		if (stat(*path, &status) < 0 || !S_ISDIR(status.st_mode)) {
			*path_at_fault = *path;
			return -ENOENT;
		}
	runs = calloc(1, sizeof(*runs));
	if (runs == NULL)
		return -ENOMEM;
	runs->loop = loop;
	runs->paths = *paths != NULL ? paths : default_paths;
	runs->stale = true;
	runs->tick.on_deadline = on_tick;
	runs->tick.context = runs;
	TAILQ_INIT(&runs->list);
	LIST_INIT(&runs->viewers);
	error = loop_deadline_open(loop, &runs->tick);
	if (error) {
		free(runs);
		return error;
	}
	http_serve(http, routes, runs);
	*opened = runs;
	return 0;
}

void
serve_runs_close(struct serve_runs *runs)
{
	struct served *run;

	if (runs == NULL)
		return;
	while ((run = TAILQ_FIRST(&runs->list)) != NULL)
		remove_run(runs, run);
	loop_deadline_close(runs->loop, &runs->tick);
	free(runs->page.text);
	free(runs);
}

const char *
serve_runs_first(struct serve_runs *runs)
{
	search(runs, clock_now_ns());
	snprintf(runs->first, sizeof(runs->first), "/");
	if (runs->count == 1 && run_is_there(runs->paths[0]))
		served_url(TAILQ_FIRST(&runs->list), runs->first);
	return runs->first;
}
