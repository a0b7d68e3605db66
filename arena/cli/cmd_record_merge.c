/*
 * The command `record merge`: writes the good records of several files into
 * one, or joins the shards of a run (tournament/tournament.h) to a run.
 *
 * No deals are written twice.  Records that are the same to the byte are one
 * record.  Two records of the same bots in the same seats with the same packs
 * are an error, and then nothing is written.
 */
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "rebuild.h"
#include "record_walk.h"
#include "run_open.h"
#include "search_tree.h"
#include "summary.h"
#include "text_format.h"
#include "version.h"
#include "words.h"

struct merge_settings {
	const char *out; /* NULL: standard output, or a new run below runs/ */
};

static const struct option merge_options[] = {
	TEXT_OPTION("out", "FILE", offsetof(struct merge_settings, out),
	    "Write this file, as a whole, when all files have been read; it "
	    "may be one of the merged files. Without it, or if FILE is -: "
	    "standard output. For shards: the folder of the joined run, which "
	    "must be new or empty; "
	    "without it runs/DATE-NAME.",
	    .aliases = { "o" }),
	OPTIONS_END,
};

/*
 * Records of any origin.
 */

/* A record, or the deals of a record, and where it was read. */
struct seen {
	uint8_t hash[EVENT_HASH_SIZE]; /* the key; the first member */
	const char *file;
	int64_t line;
};

struct merge {
	struct record_walk walk;
	void *records, *deals; /* search trees of struct seen */
	FILE *file;
	int64_t twice; /* records that were merged before */
	int64_t again; /* other records of the same deals */
};

static int
hash_compare(const void *a, const void *b)
{
	return memcmp(a, b, EVENT_HASH_SIZE);
}

/*
 * Adds *seen to the tree, unless its hash is there.  1 if it was added; 0 if
 * not, and then *seen is the one in the tree; -ENOMEM.
 */
static int
seen_add(void **tree, struct seen *seen)
{
	bool is_new;
	const struct seen *found =
	    search_tree_get(tree, seen, sizeof(*seen), hash_compare, &is_new);

	if (found == NULL)
		return -ENOMEM;
	*seen = *found;
	return is_new;
}

/*
 * The hash of rules, bots in their seats, and the first pack.  False if there
 * is no pack, or if the game came to no end and will be played again.
 */
static bool
hash_deals(const struct game_record *record, uint8_t hash[EVENT_HASH_SIZE])
{
	crypto_hash_sha256_state state;
	struct summary summary;
	bool found = false;

	if (summary_read(&summary, record->bytes, record->size) < 0 ||
	    strcmp(summary.reason, "abort") == 0)
		return false;
	crypto_hash_sha256_init(&state);
	for (int seat = 0; seat < summary.seat_count; seat++)
		crypto_hash_sha256_update(&state,
		    (const unsigned char *)summary.names[seat],
		    sizeof(summary.names[seat]));
	for (size_t i = 0; i < record->line_count && !found; i++) {
		const struct record_line *line = &record->lines[i];

		found = line->kind == EVENT_PACK;
		if (found || line->kind == EVENT_RULES)
			crypto_hash_sha256_update(&state,
			    (const unsigned char *)record_line_bytes(
				record, line),
			    line->length);
	}
	crypto_hash_sha256_final(&state, hash);
	return found;
}

/*
 * Whether the deals of a record are new: 1; 0; or -errno.  Reports the first
 * two records of the same deals.
 */
static int
check_deals(
    struct merge *merge, const struct record_visit *visit, struct seen *seen)
{
	int new = hash_deals(visit->record, seen->hash)
	    ? seen_add(&merge->deals, seen)
	    : 1;

	if (new != 0 || merge->again++ > 0)
		return new;
	error_print("the same deals twice: the same bots play the same packs "
		    "in the same seats");
	error_detail("first", "%s:%jd", seen->file, seen->line);
	error_detail("again", "%s:%jd, match %s", visit->file,
	    visit->record->first_line, visit->match);
	return 0;
}

static int
merge_block(void *context, const struct record_visit *visit)
{
	struct merge *merge = context;
	const struct game_record *record = visit->record;
	struct seen seen = { .file = visit->file, .line = record->first_line };
	struct event event;
	int new;

	/* The last line of a good record is `sum`. */
	record_line_event(
	    record, &record->lines[record->line_count - 1], &event, NULL);
	memcpy(seen.hash, event.sum.hash, EVENT_HASH_SIZE);
	new = seen_add(&merge->records, &seen);
	if (new == 0)
		merge->twice++;
	else if (new > 0)
		new = check_deals(merge, visit, &seen);
	if (new <= 0)
		return new;
	if (merge->walk.good == 1)
		fputs(RECORD_HEADING, merge->file);
	fwrite(record->bytes, 1, record->size, merge->file);
	if (record->bytes[record->size - 1] != '\n')
		fputc('\n', merge->file);
	return 0;
}

/* Reads all files.  Returns whether there is something to write. */
static bool
merge_files(struct merge *merge, char **files, enum status *status)
{
	*status = record_walk_files(&merge->walk, files);
	if (merge->again > 0) {
		error_detail("records", "%jd", merge->again);
		error_detail("hint",
		    "they are no new evidence: leave out the file that has "
		    "them. Nothing was written");
		*status = STATUS_USAGE;
	}
	return *status <= STATUS_FAILED && merge->walk.good > 0;
}

static enum status
say_unwritable(const char *path, int error)
{
	return error_status(STATUS_ENVIRONMENT, "nothing was changed there",
	    NULL, "cannot write %s: %s", path, strerror(error));
}

/*
 * Merges into a new file, so that the file at `path` is complete or unchanged.
 */
static enum status
merge_to(struct merge *merge, const char *path, char **files)
{
	struct output_file output;
	struct stat file;
	enum status status;
	int error;

	if (stat(path, &file) == 0 && !S_ISREG(file.st_mode))
		return error_status(STATUS_USAGE,
		    "name a file; without -o the output is printed", NULL,
		    "cannot write %s: it is %s", path,
		    S_ISDIR(file.st_mode) ? "a folder" : "no regular file");
	status = refuse_file_of_run(path);
	if (status != STATUS_DONE)
		return status;
	error = output_file_open(&output, path);
	if (error)
		return say_unwritable(path, -error);
	merge->file = output.file;
	if (merge_files(merge, files, &status)) {
		error = output_file_commit(&output);
		if (error)
			status = say_unwritable(path, -error);
	}
	output_file_close(&output);
	return status;
}

/* Merges into a temporary file, which is printed if nothing is wrong. */
static enum status
merge_print(struct merge *merge, char **files)
{
	char bytes[BUFSIZ];
	enum status status;
	size_t size;

	merge->file = tmpfile();
	if (merge->file == NULL)
		return say_unwritable("a temporary file", errno);
	if (merge_files(merge, files, &status)) {
		/* Unlike rewind(), fseek() does not clear the error of a write. */
		if (fseek(merge->file, 0, SEEK_SET) == 0 &&
		    !ferror(merge->file))
			while ((size = fread(
				    bytes, 1, sizeof(bytes), merge->file)) > 0)
				fwrite(bytes, 1, size, stdout);
		if (ferror(merge->file))
			status = say_unwritable("a temporary file", EIO);
	}
	fclose(merge->file);
	return status;
}

static enum status
merge_records(const struct merge_settings *settings, char **argv)
{
	struct merge merge = {
		.walk = { .visit = merge_block, .context = &merge },
	};
	enum status status = settings->out && strcmp(settings->out, "-") != 0
	    ? merge_to(&merge, settings->out, argv)
	    : merge_print(&merge, argv);

	search_tree_release(&merge.records);
	search_tree_release(&merge.deals);
	if (status > STATUS_FAILED)
		return status;
	fprintf(stderr, "merged: %jd, the same again: %jd, bad: %jd\n",
	    merge.walk.good - merge.twice, merge.twice, merge.walk.bad);
	return status;
}

/*
 * Shards of a run.
 */

/* The given shards of a run. */
struct shards {
	struct run_opened first; /* the first shard */
	struct run_opened other; /* the shard that is compared with it */
	char *terms;             /* of the first, without local lines; owned */
	int count;
	const char *paths[SHARD_COUNT_MAX]; /* by shard; NULL: not given */
};

/*
 * The terms of a run without the lines that may differ between machines; for
 * free().  NULL: they cannot be read.
 */
static char *
read_terms(const char *path)
{
	static const char *const local[] = { "created ",
		"name = ", "dir = ", "file = ", "concurrency = ", "pin = ",
		"run-as = ", "bundle = ", NULL };
	char *terms, *kept;

	if (run_text_read(path, RUN_TERMS, &terms) != 0)
		return NULL;
	kept = config_lines_replace(terms, local, "");
	free(terms);
	return kept;
}

/* Checks that a shard is of the same run as the first one. */
static enum status
compare_shard(struct shards *shards, const struct run_opened *opened)
{
	const char *path = opened->run.path, *first = shards->first.run.path;
	const struct store_head *head = &opened->run.head;
	const struct store_head *base = &shards->first.run.head;
	char *terms = read_terms(path);
	const char *one = shards->terms, *other = terms;
	enum status status = STATUS_DONE;

	if (one == NULL || other == NULL) {
		status = error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the terms of the run \"%s\" cannot be read: \"%s/%s\"",
		    one == NULL ? first : path, one == NULL ? first : path,
		    RUN_TERMS);
	} else if (terms_diff(&one, &other) > 0) {
		error_print(
		    "\"%s\" and \"%s\" are not shards of one run", first, path);
		error_detail("first", "%.*s", (int)strcspn(one, "\n"), one);
		error_detail("other", "%.*s", (int)strcspn(other, "\n"), other);
		status = STATUS_USAGE;
	} else if (strcmp(base->commitment, head->commitment) != 0 ||
	    strcmp(base->contributions, head->contributions) != 0) {
		status = error_usage(
		    "copy the folder that --announce has made, and give each "
		    "copy the same contributions",
		    "\"%s\" and \"%s\" are not shards of one run: their "
		    "secrets differ",
		    first, path);
	}
	free(terms);
	return status;
}

/* Stores the path of a shard.  Refuses a shard that was given before. */
static enum status
place_shard(
    struct shards *shards, const struct run_opened *opened, const char *path)
{
	const struct shard *shard = &opened->settings.shard;

	if (shard->count != shards->count)
		return error_usage("name the runs of all shards of one run",
		    "\"%s\" is one of %d shards, and \"%s\" one of %d",
		    shards->first.run.path, shards->count, path, shard->count);
	if (shards->paths[shard->index] != NULL)
		return error_usage("name each shard once",
		    "the same deals twice: \"%s\" and \"%s\" are both shard "
		    "%d of %d",
		    shards->paths[shard->index], path, shard->index + 1,
		    shard->count);
	shards->paths[shard->index] = path;
	return STATUS_DONE;
}

static enum status
open_shard(struct run_opened *opened, const char *path)
{
	if (!run_config_has(path, CONFIG_SHARD))
		return error_usage("name the runs of all shards, and no others",
		    "\"%s\" is not the run of a shard", path);
	return run_open_whole(opened, path, ENTRANT_TO_READ);
}

/* Opens the other run at this path, and compares it with the first one. */
static enum status
add_shard(struct shards *shards, const char *path)
{
	struct run_opened *opened = &shards->other;
	enum status status = open_shard(opened, path);

	if (status != STATUS_DONE)
		return status;
	status = place_shard(shards, opened, path);
	if (status == STATUS_DONE)
		status = compare_shard(shards, opened);
	run_open_close(opened);
	return status;
}

/* Names the shards that are missing. */
static enum status
check_complete(const struct shards *shards)
{
	struct scopa_text text = SCOPA_TEXT(256);
	char config[PATH_MAX];
	int missing = 0, last = 0;

	for (int i = 0; i < shards->count; i++) {
		if (shards->paths[i] != NULL)
			continue;
		last = i + 1;
		if (missing++ < 16)
			scopa_text_print(
			    &text, "%s%d", missing == 1 ? "" : ", ", last);
	}
	if (missing == 0)
		return STATUS_DONE;
	error_print("shard%s %s%s of %d %s missing", text_plural(missing),
	    text.bytes, missing > 16 ? ", ..." : "", shards->count,
	    missing == 1 ? "is" : "are");
	error_detail("hint", "name the runs of all shards");
	run_path_join(config, shards->first.run.path, RUN_CONFIG);
	if (!shards->first.run.head.committed)
		error_detail("try",
		    VERSION_NAME " %s --config %s --shard %d/%d",
		    shards->first.run.head.command, shell_text(config), last,
		    shards->count);
	return STATUS_USAGE;
}

/* Makes the joined run, still without blocks and configuration. */
static enum status
create_joined(const struct shards *shards, const char *path, struct run *run)
{
	const struct run_opened *first = &shards->first;
	char *terms = NULL;
	struct store_error why = { .what = "" };
	int error = run_text_read(first->run.path, RUN_TERMS, &terms);

	if (!error)
		error = run_create(run, path, &first->run.head,
		    &(struct run_texts){
			.terms = terms,
			.secret = first->run.head.committed
			    ? &first->setup.secret
			    : NULL,
		    },
		    &why);
	free(terms);
	return error ? run_open_error(error, &why) : STATUS_DONE;
}

/*
 * Writes the configuration of the joined run, which makes it a run: that of the
 * first shard as a whole run has it.  0 or -errno.
 */
static int
complete_joined(
    const struct shards *shards, struct run *run, struct store_error *why)
{
	static const char *const dropped[] = { CONFIG_SHARD, NULL };
	char *config;
	int error = run_text_read(shards->first.run.path, RUN_CONFIG, &config);

	if (!error)
		error = run_config_put(
		    run, config, config_lines_replace(config, dropped, ""));
	return error ? run_fail(error, "write to", run->path, why) : 0;
}

static enum status
join_shards(const struct shards *shards, const char *path)
{
	struct run *run = command_memory(sizeof(*run));
	const struct tournament_setup *setup = &shards->first.setup;
	struct tournament_config config = run_open_plan(setup);
	struct shard_report report;
	struct store_error why = { .what = "" };
	enum status status = create_joined(shards, path, run);
	int error;

	if (status != STATUS_DONE)
		return status;
	config.shard.count = 0;
	error = shard_join(
	    &(struct shard_order){
		.run = run,
		.tournament = &config,
		.gate = setup->is_gate ? &setup->gate : NULL,
		.count = shards->count,
		.paths = shards->paths,
	    },
	    &report, &why);
	if (!error)
		error = complete_joined(shards, run, &why);
	if (error) {
		run_discard(run);
		return run_open_error(error, &why);
	}
	run_fair_reveal(setup, run);
	printf("run     %s\n", run->path);
	printf("joined  %d shard%s: %jd blocks, %jd games\n", shards->count,
	    text_plural(shards->count), report.blocks, report.games);
	if (report.left_out > 0)
		printf(
		    "left out %jd games of bots that were suspended before\n",
		    report.left_out);
	next_print("status", run->path, "");
	run_close(run);
	return STATUS_DONE;
}

static enum status
merge_shards(const struct merge_settings *settings, char **argv)
{
	struct shards *shards = command_memory(sizeof(*shards));
	enum status status;

	if (settings->out != NULL && strcmp(settings->out, "-") == 0)
		return error_usage("name a new folder",
		    "--out -: shards are joined to a folder, which cannot be "
		    "printed");
	status = open_shard(&shards->first, argv[0]);
	if (status != STATUS_DONE)
		return status;
	shards->count = shards->first.settings.shard.count;
	shards->terms = read_terms(argv[0]);
	status = place_shard(shards, &shards->first, argv[0]);
	for (int i = 1; argv[i] != NULL && status == STATUS_DONE; i++)
		status = add_shard(shards, argv[i]);
	if (status == STATUS_DONE)
		status = check_complete(shards);
	if (status == STATUS_DONE)
		status = join_shards(shards, settings->out);
	free(shards->terms);
	run_open_close(&shards->first);
	return status;
}

static enum status
merge_run(const void *settings, char **argv)
{
	for (int i = 0; argv[i] != NULL; i++)
		if (run_config_has(argv[i], CONFIG_SHARD))
			return merge_shards(settings, argv);
	return merge_records(settings, argv);
}

const struct command command_record_merge = {
	.name = "record merge",
	.sentence =
	    "Writes the good game records of several files into one, or "
	    "joins the shards of a run.",
	.detail =
	    "Each record is verified. Records with the same bytes are written "
	    "once. Bad records are left out and named; the exit status is then "
	    "1. If two different records have the same deals (the same bots in "
	    "the same seats with the same packs), nothing is written; the exit "
	    "status is then 2. If the arguments are the runs of machines that "
	    "have each played a --shard, they are joined to the run that one "
	    "machine would have played: -o names its folder. Each shard must "
	    "be given once and have ended.",
	.usage = "FILE... [-o FILE]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_min = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record merge monday.scopa tuesday.scopa -o all.scopa",
	    "record merge s1 s2 s3 -o league" },
	.options = merge_options,
	.settings_size = sizeof(struct merge_settings),
	.run = merge_run,
};
