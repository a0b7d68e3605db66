/*
 * Implements serve_runs.h.
 *
 * A run is looked at in a tick of the loop, at most once a LOOK_NS, and so
 * seldom that looks take no more than 1/REST_PART of the time.  The ticks stop
 * when nobody has asked for anything for IDLE_NS.
 */
#include "serve_runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "html.h"
#include "serve_page.h"
#include "serve_run.h"

/*
 * Viewers get what is new in a tick: four times a second, or less often where
 * this would be more than PUSHES_PER_S events a second for all of them.  Games
 * count as watched between two ticks (LIVE_LOOK_NS).
 */
#define TICK_NS INT64_C(250000000)
#define TICK_MAX_NS INT64_C(2000000000)
#define LOOK_NS INT64_C(1000000000)
/* Work that the reply to one request may wait for. */
#define REPLY_WAIT_NS INT64_C(300000000)
/* A run that nobody looks at is closed after this time. */
#define IDLE_NS INT64_C(20000000000)

enum {
	RUNS_MAX = 1000,   /* that are listed */
	REST_PART = 100,   /* looks take at most this part of the time */
	PUSHES_PER_S = 50, /* to all viewers together */
};

/* A stream of a page. */
struct viewer {
	LIST_ENTRY(viewer) link;
	struct serve_runs *runs;
	struct served *run; /* NULL: of the list */
	struct http_stream *stream;
	int64_t version; /* of the page that it has */
	int64_t live_versions[SERVE_LIVE_SHOWN];
};

struct serve_runs {
	struct loop *loop;
	struct loop_deadline tick;
	char **paths; /* of the user */
	TAILQ_HEAD(served_list, served) list;
	LIST_HEAD(viewer_list, viewer) viewers;
	int count;
	int64_t used_ns;   /* when something was asked for last */
	int64_t search_ns; /* of the next search for runs */
	char *page;        /* the list; owned */
	int64_t version;   /* of the list */
	bool stale;        /* the list must be made anew */
	char first[SERVE_URL_SIZE];
};

/* The folder that is searched if the user names none. */
static char *default_paths[] = { (char[]){ RUN_FOLDER }, NULL };

static bool
live_is_new(const struct viewer *viewer)
{
	const struct served *run = viewer->run;

	for (int i = 0; run != NULL && i < SERVE_LIVE_SHOWN; i++)
		if (viewer->live_versions[i] != run->live[i].version)
			return true;
	return false;
}

static void
fill_live(struct viewer *viewer, FILE *file)
{
	const struct served *run = viewer->run;

	for (int i = 0; run != NULL && i < SERVE_LIVE_SHOWN; i++) {
		if (viewer->live_versions[i] == run->live[i].version)
			continue;
		viewer->live_versions[i] = run->live[i].version;
		if (run->live[i].event != NULL)
			fputs(run->live[i].event, file);
	}
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

static bool
is_run(const char *path)
{
	char file[PATH_MAX];

	run_path_join(file, path, RUN_CONFIG);
	return access(file, F_OK) == 0;
}

/* Adds a run, or marks it as found.  The newest name comes first. */
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
	run->found = true;
	runs->count++;
	runs->stale = true;
	TAILQ_FOREACH (before, &runs->list, link)
		if (strverscmp(name, before->name) > 0) {
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
	free(run->page);
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
		if (is_run(folder))
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
		if (is_run(folder))
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
	char url[SERVE_URL_SIZE];

	served_url(run, url);
	html_begin(html, "tr");
	html_attribute(html, "data-state", "%s", run->state);
	html_begin(html, "th");
	html_attribute(html, "scope", "row");
	html_begin(html, "a");
	html_attribute(html, "href", "%s", url);
	html_text(html, "%s", run->name);
	html_end(html, "a");
	html_end(html, "th");
	html_put(html, "td.text", "%s", run->kind);
	html_put(html, "td.text", "%s", run->page != NULL ? run->state : "...");
	html_put(html, "td", "%d", run->bots);
	html_begin(html, "td");
	html_text(html, "%jd%s", (intmax_t)run->taken, of);
	if (run->planned > 0)
		html_text(html, "%jd", (intmax_t)run->planned);
	html_end(html, "td");
	html_put(html, "td.lines", "%s", run->result);
	html_put(html, "td.text", "%.10s %.5s", run->created,
	    strlen(run->created) > 16 ? run->created + 11 : "");
	html_end(html, "tr");
}

static void
show_list(struct serve_runs *runs)
{
	const struct served *run;
	struct document document;
	struct html *html = &document.html;
	char *page;

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
		html_table_rows(html);
		TAILQ_FOREACH (run, &runs->list, link)
			put_row(html, run);
		html_table_end(html);
	}
	html_end(html, "section");
	page = document_end(&document);
	if (page == NULL)
		return;
	free(runs->page);
	runs->page = page;
	runs->version++;
	runs->stale = false;
}

/*
 * Ticks.
 */

/*
 * Looks at a run if it is time, and says when it will be time again.  The first
 * look takes all of the run, the next ones what was added; so only these say
 * what looks take.
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

/* Looks at runs of which the list knows nothing yet, or that are played. */
static void
look_for_list(struct serve_runs *runs, int64_t until_ns)
{
	struct served *run;

	TAILQ_FOREACH (run, &runs->list, link) {
		if (clock_now_ns() >= until_ns)
			return;
		if (run->page != NULL && strcmp(run->state, RUN_RUNNING) != 0)
			continue;
		run->used_ns = clock_now_ns();
		look_if_due(runs, run);
		if (strcmp(run->state, RUN_RUNNING) != 0 && run->viewers == 0)
			served_drop(run);
	}
}

/* From one tick to the next, with so many viewers. */
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
	LIST_FOREACH (viewer, &runs->viewers, link)
		if (viewer->version !=
			(viewer->run ? viewer->run->version : runs->version) ||
		    live_is_new(viewer))
			http_stream_wake(viewer->stream);
	if (viewer_count > 0 || now_ns - runs->used_ns < 2 * IDLE_NS)
		loop_deadline_set(
		    runs->loop, deadline, now_ns + tick_ns(viewer_count));
}

/* Something was asked for: the ticks go on. */
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
	serve_page_reply(
	    request, &page_of_list, "Runs", NULL, NULL, runs->page);
}

/* The run that a request names, at which it looks; or NULL: it is a 404. */
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
	if (run->opened == NULL)
		run->look_ns = 0;
	look_if_due(runs, run);
	return run;
}

static void
reply_run(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);

	if (run != NULL)
		serve_page_reply(request, &page_of_run, run->name, "/",
		    "all runs", run->page);
}

static void
reply_report(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);

	if (run != NULL && run->opened != NULL)
		served_reply_report(run, request);
}

static void
reply_game(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);

	if (run != NULL && run->opened != NULL)
		served_reply_game(run, http_word(request, 1), request);
}

static void
redirect_run(void *context, struct http_request *request)
{
	const struct served *run = run_of(context, request);
	char url[SERVE_URL_SIZE];
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
	const struct served *run = viewer->run;
	int64_t version = run ? run->version : viewer->runs->version;
	const char *page = run ? run->page : viewer->runs->page;

	if (page != NULL && viewer->version != version) {
		viewer->version = version;
		http_event(file, "page", NULL, page);
	}
	fill_live(viewer, file);
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
	viewer->runs = runs;
	viewer->run = run;
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
	free(runs->page);
	free(runs);
}

const char *
serve_runs_first(struct serve_runs *runs)
{
	search(runs, clock_now_ns());
	snprintf(runs->first, sizeof(runs->first), "/");
	if (runs->count == 1 && is_run(runs->paths[0]))
		served_url(TAILQ_FIRST(&runs->list), runs->first);
	return runs->first;
}
