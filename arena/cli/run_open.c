/*
 * Implements run_open.h.  The configuration in the run folder is read again as
 * if it were given on the command line; the secret comes from a file of its
 * own.  Before bots play, the configuration and the secret are compared with
 * the hash of the terms and with the commitment in the store.  Then the stored
 * blocks are counted again in the order of the schedule.
 */
#include "run_open.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "game_options.h"
#include "log.h"
#include "run.h"
#include "runner.h"
#include "version.h"

enum status
run_head_fill(const struct tournament_setup *setup, enum entrant_use use,
    struct store_head *head)
{
	memset(head, 0, sizeof(*head));
	snprintf(head->command, sizeof(head->command), "%s",
	    setup->is_gate ? "gate" : "tournament");
	snprintf(head->name, sizeof(head->name), "%s", setup->name);
	snprintf(head->tool, sizeof(head->tool), "%s",
	    VERSION_NAME "/" VERSION_NUMBER);
	clock_utc(head->created);
	head->teams = setup->play.rules.rules.teams;
	head->game_count = schedule_game_count(&setup->schedule);
	head->bot_count = setup->play.entrant_count;
	for (int i = 0; i < head->bot_count; i++) {
		const struct entrant *entrant = &setup->bots.entrants[i];
		struct store_bot *bot = &head->bots[i];
		int error = run_bot_digest(entrant, bot->digest);

		memcpy(bot->name, entrant->name, sizeof(bot->name));
		bot->command = entrant->command;
		if (error && use == ENTRANT_TO_PLAY)
			return error_status(STATUS_ENVIRONMENT, NULL, NULL,
			    "bot \"%s\": its files cannot be read: %s",
			    entrant->command, strerror(-error));
		if (error)
			bot->digest[0] = '\0';
	}
	return STATUS_DONE;
}

enum status
run_open_find(const char *given, char path[PATH_MAX])
{
	if (given != NULL) {
		snprintf(path, PATH_MAX, "%s", given);
		return STATUS_DONE;
	}
	if (run_newest(path))
		return STATUS_DONE;
	return error_status(STATUS_USAGE, "name the folder of a run",
	    VERSION_NAME " tournament @greedy @random",
	    "there is no run below runs/");
}

enum status
run_open_error(int error, const struct store_error *why)
{
	bool misnamed =
	    error == -ENOENT || error == -ENOTDIR || error == -EEXIST;

	return error_status(misnamed ? STATUS_USAGE : STATUS_ENVIRONMENT,
	    why->hint, why->try, "%s",
	    why->what[0] ? why->what : strerror(-error));
}

bool
run_config_has(const char *path, const char *begin)
{
	size_t length = strlen(begin);
	char *config, *line;
	bool found = false;

	if (run_text_read(path, RUN_CONFIG, &config) != 0)
		return false;
	for (char *rest = config; !found && (line = strsep(&rest, "\n"));)
		found = strncmp(line, begin, length) == 0;
	free(config);
	return found;
}

/*
 * Reads the seed from the file of the secret, unless the configuration has it.
 * Returns 0 or -errno.
 */
static int
recall_secret(struct run_opened *opened)
{
	struct game_seed *seed = &opened->settings.game.seed;
	int error;

	opened->seed_file = RUN_CONFIG;
	if (seed->given || opened->settings.game.packs.path != NULL)
		return 0;
	opened->seed_file = RUN_SECRET;
	error = run_secret_read(opened->run.path, &seed->key);
	seed->given = error == 0;
	return error;
}

static enum status
secret_error(const char *path, int error)
{
	static const char hint[] =
	    "all packs come from it: bring the file back "
	    "from a copy, or begin a new run";

	if (error == -ENOENT)
		return error_status(STATUS_USAGE, hint, NULL,
		    "the secret of the run \"%s\" is missing: there is no file "
		    "\"%s/%s\"",
		    path, path, RUN_SECRET);
	if (error == -EBADMSG)
		return error_status(STATUS_USAGE, hint, NULL,
		    "the secret of the run \"%s\" was changed: \"%s/%s\" is "
		    "not a line of %d hex digits",
		    path, path, RUN_SECRET, SHUFFLE_HEX_SIZE - 1);
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "the secret \"%s/%s\" cannot be read: %s", path, RUN_SECRET,
	    strerror(-error));
}

/* Reads the configuration and the seed.  The caller closes the settings. */
static enum status
read_settings(struct run_opened *opened, bool gate, const char *config)
{
	struct option_error why;
	int error = -ENOENT;

	/*
	 * A run that ends moves its seed to the configuration.  If that happens
	 * after the configuration was read, the second try finds the seed.
	 */
	for (int i = 0; i < 2 && error == -ENOENT; i++) {
		if (i > 0)
			tournament_settings_close(&opened->settings);
		if (!tournament_settings_open(
			&opened->settings, gate, config, &why))
			return error_status(
			    why.machine ? STATUS_ENVIRONMENT : STATUS_USAGE,
			    why.hint, NULL, "%s", why.what);
		error = recall_secret(opened);
	}
	return error ? secret_error(opened->run.path, error) : STATUS_DONE;
}

enum status
run_open_configuration(
    struct run_opened *opened, const char *path, enum entrant_use use)
{
	char config[PATH_MAX];
	enum status status;
	bool gate;

	snprintf(opened->run.path, sizeof(opened->run.path), "%s", path);
	run_path_join(config, opened->run.path, RUN_CONFIG);
	if (access(config, F_OK) < 0)
		return error_status(STATUS_USAGE,
		    "name the folder of a run: it holds " RUN_CONFIG, NULL,
		    "there is no run in \"%s\"", path);
	/* The first section of the command gate has its name. */
	gate = run_config_has(path, "[gate]");
	status = read_settings(opened, gate, config);
	if (status == STATUS_DONE)
		status = tournament_setup_open(
		    &opened->setup, &opened->settings, gate, use);
	if (status != STATUS_DONE)
		tournament_settings_close(&opened->settings);
	return status;
}

/*
 * Fills in the head what depends on the terms, and on the secret if it was
 * drawn by the arena.
 */
static void
fill_head(const struct tournament_setup *setup, const char *terms,
    struct store_head *head)
{
	struct shuffle_key digest, commitment;

	terms_digest(terms, &digest);
	shuffle_key_format(&digest, head->terms);
	contributions_write(
	    &setup->settings->contributions, head->contributions);
	head->commitment[0] = '\0';
	if (!head->committed)
		return;
	shuffle_commit(&setup->secret, &digest, &commitment);
	shuffle_key_format(&commitment, head->commitment);
}

/* Copies the commitment in the head of a run to its setup. */
static void
run_fair_bind(struct tournament_setup *setup, const struct store_head *head)
{
	setup->play.rules.committed = head->committed &&
	    shuffle_key_parse(head->commitment, &setup->play.rules.commitment);
}

enum status
run_fair_begin(struct tournament_setup *setup, const char *config,
    struct store_head *head, char **terms)
{
	const struct game_settings *game = &setup->settings->game;

	/* The arena has drawn the secret if neither it nor packs were given. */
	head->committed = !game->seed.given && game->packs.path == NULL;
	*terms = terms_make(config, head);
	if (*terms == NULL)
		return game_setup_error(-ENOMEM);
	fill_head(setup, *terms, head);
	run_fair_bind(setup, head);
	return STATUS_DONE;
}

enum status
run_fair_recall(const char *path, const struct tournament_setup *setup,
    struct store_head *head)
{
	char *terms;
	int error = run_text_read(path, RUN_TERMS, &terms);

	if (error == -ENOENT)
		return STATUS_DONE;
	if (error)
		return error_status(STATUS_ENVIRONMENT,
		    "bring the file back from a copy, or remove it", NULL,
		    "the terms \"%s/%s\" cannot be read: %s", path, RUN_TERMS,
		    error == -EBADMSG ? "this is no text" : strerror(-error));
	terms_read(terms, head);
	fill_head(setup, terms, head);
	free(terms);
	return STATUS_DONE;
}

/*
 * Reports the first line of the configuration that has changed, if the terms
 * can be read to find it.  STATUS_USAGE.
 */
static enum status
error_of_changed(const struct run *run, const char *now)
{
	const char *began, *is = now;
	char *terms = NULL;

	error_print("the configuration \"%s/%s\" has changed since the run "
		    "began",
	    run->path, RUN_CONFIG);
	began = run_text_read(run->path, RUN_TERMS, &terms) == 0 ? terms : now;
	if (terms_diff(&began, &is) > 0) {
		error_detail("began", "%.*s", (int)strcspn(began, "\n"), began);
		error_detail("now", "%.*s", (int)strcspn(is, "\n"), is);
	}
	error_detail("hint",
	    "put it back as it was, or begin a new run: the results are those "
	    "of the configuration that it began with");
	free(terms);
	return STATUS_USAGE;
}

/*
 * Checks only that the seed matches the commitment.  STATUS_USAGE with an error
 * printed if not.
 */
static enum status
run_check_seed(const struct run_opened *opened)
{
	const struct run *run = &opened->run;
	struct shuffle_key commitment, terms;
	char hex[SHUFFLE_HEX_SIZE];

	if (!run->head.committed || !shuffle_key_parse(run->head.terms, &terms))
		return STATUS_DONE;
	shuffle_commit(&opened->setup.secret, &terms, &commitment);
	shuffle_key_format(&commitment, hex);
	if (strcmp(hex, run->head.commitment) == 0)
		return STATUS_DONE;
	return error_usage("put it back as it was, or begin a new run",
	    "the seed in \"%s/%s\" is not the one that was "
	    "committed to",
	    run->path, opened->seed_file);
}

/*
 * Checks that the configuration is the one that the run began with, and that
 * its seed matches the commitment.  Reports the line that has changed.  A run
 * without terms is not checked: STATUS_DONE.
 */
static enum status
run_check_unchanged(const struct run_opened *opened)
{
	const struct run *run = &opened->run;
	struct shuffle_key digest;
	char hex[SHUFFLE_HEX_SIZE];
	char *config, *terms;
	enum status status = STATUS_DONE;
	int error;

	if (run->head.terms[0] == '\0')
		return STATUS_DONE;
	error = run_text_read(run->path, RUN_CONFIG, &config);
	if (error)
		return game_setup_error(error);
	terms = terms_make(config, &run->head);
	free(config);
	if (terms == NULL)
		return game_setup_error(-ENOMEM);
	terms_digest(terms, &digest);
	shuffle_key_format(&digest, hex);
	status = strcmp(hex, run->head.terms) == 0
	    ? run_check_seed(opened)
	    : error_of_changed(run, terms);
	free(terms);
	return status;
}

int
run_config_put(const struct run *run, char *config, char *edited)
{
	int error = edited != NULL
	    ? run_text_replace(run->path, RUN_CONFIG, edited)
	    : -ENOMEM;

	free(config);
	free(edited);
	return error;
}

/*
 * Replaces the line of the configuration that begins with `word`.  0 or -errno.
 */
static int
config_set(const struct run *run, const char *word, const char *value)
{
	const char *const dropped[] = { word, NULL };
	char line[sizeof(CONFIG_CONTRIBUTION) + CONTRIBUTIONS_SIZE];
	char *config;
	int error = run_text_read(run->path, RUN_CONFIG, &config);

	if (error)
		return error;
	snprintf(line, sizeof(line), "%s%s", word, value);
	return run_config_put(
	    run, config, config_lines_replace(config, dropped, line));
}

bool
run_has_state(const struct run *run, const char *state)
{
	char now[STORE_STATE_SIZE];

	return store_state(run->store, now, sizeof(now)) == 0 &&
	    strcmp(now, state) == 0;
}

enum status
run_fair_contribute(
    struct run_opened *opened, const struct contributions *contributions)
{
	static struct contributions all;
	const struct run *run = &opened->run;
	struct store_error why;
	char text[CONTRIBUTIONS_SIZE];
	int error;

	if (!run_has_state(run, RUN_ANNOUNCED))
		return error_status(STATUS_USAGE,
		    "contributions come between the commitment and the first "
		    "deal",
		    VERSION_NAME " tournament --announce ...",
		    "the run \"%s\" takes no contributions any more: its packs "
		    "have been dealt from",
		    run->path);
	all = opened->settings.contributions;
	for (int i = 0; i < contributions->count; i++) {
		const char *row = contributions->rows[i];
		struct scopa_text refusal = SCOPA_TEXT(256);

		/* A second one of the same name is refused. */
		if (!contributions_add(&all, row, &refusal))
			return error_status(STATUS_USAGE, NULL, NULL,
			    "--contribution %s: %s", row, refusal.bytes);
	}
	contributions_write(&all, text);
	error = config_set(run, CONFIG_CONTRIBUTION, text);
	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the contributions cannot be kept in \"%s/%s\": %s",
		    run->path, RUN_CONFIG, strerror(-error));
	error = store_set_contributions(run->store, text, &why);
	return error ? run_open_error(error, &why) : STATUS_DONE;
}

enum status
run_share(const struct run_opened *opened, const struct shard *shard)
{
	const struct shard *now = &opened->settings.shard;
	const struct run *run = &opened->run;
	struct scopa_text text = SCOPA_TEXT(32);
	enum status status;
	int error;

	if (now->count == shard->count && now->index == shard->index)
		return STATUS_DONE;
	if (now->count > 0)
		return error_usage(
		    "leave out --shard: the run continues as it began",
		    "--shard %d/%d: the run \"%s\" is shard %d of %d",
		    shard->index + 1, shard->count, run->path, now->index + 1,
		    now->count);
	if (!run_has_state(run, RUN_ANNOUNCED))
		return error_status(STATUS_USAGE,
		    "machines share a run from its first game on",
		    VERSION_NAME " tournament --announce ...",
		    "--shard: the run \"%s\" has begun as a whole", run->path);
	status = tournament_setup_share(&opened->setup, shard);
	if (status != STATUS_DONE)
		return status;
	shard_format(shard, &text);
	error = config_set(run, CONFIG_SHARD, text.bytes);
	return error ? error_status(STATUS_ENVIRONMENT, NULL, NULL,
			   "the shard cannot be kept in \"%s/%s\": %s",
			   run->path, RUN_CONFIG, strerror(-error))
		     : STATUS_DONE;
}

/*
 * Moves the seed of an unfinished run from its configuration, in which older
 * versions stored it, to the file of the secret.  The run must be open for
 * writing.
 */
static enum status
run_fair_conceal(struct run_opened *opened)
{
	const struct run *run = &opened->run;
	const struct store_head *head = &run->head;
	char *config;
	int error;

	if (!head->committed || head->secret[0] != '\0' ||
	    strcmp(opened->seed_file, RUN_CONFIG) != 0)
		return STATUS_DONE;
	/*
	 * The seed is written to the new file before it is removed from the old
	 * one, so a crash cannot lose it.
	 */
	error = run_secret_put(run->path, &opened->setup.secret);
	if (!error)
		error = run_text_read(run->path, RUN_CONFIG, &config);
	if (!error)
		error = run_config_put(run, config, run_secret_conceal(config));
	if (error)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "the seed in \"%s/%s\" cannot be moved to \"%s/%s\": %s",
		    run->path, RUN_CONFIG, run->path, RUN_SECRET,
		    strerror(-error));
	opened->seed_file = RUN_SECRET;
	return STATUS_DONE;
}

void
run_fair_reveal(const struct tournament_setup *setup, struct run *run)
{
	char secret[SHUFFLE_HEX_SIZE];
	struct store_error why;
	char *config;
	int error;

	if (!run->head.committed || run->pending_count > 0)
		return;
	shuffle_key_format(&setup->secret, secret);
	/*
	 * If the store cannot hold the secret, it is still shown in the
	 * configuration, and the results stay valid.
	 */
	if (store_set_secret(run->store, secret, &why) < 0)
		log_print(LOG_ERROR, "%s", why.what);
	error = run_text_read(run->path, RUN_CONFIG, &config);
	if (!error)
		error = run_config_put(
		    run, config, run_secret_show(config, &setup->secret));
	if (!error)
		error = run_secret_remove(run->path);
	if (error)
		log_print(LOG_ERROR, "the seed stays in \"%s/%s\": %s",
		    run->path, RUN_SECRET, strerror(-error));
	memcpy(run->head.secret, secret, sizeof(run->head.secret));
}

struct tournament_config
run_open_plan(const struct tournament_setup *setup)
{
	return (struct tournament_config){
		.schedule = setup->schedule,
		.shard = setup->settings->shard,
		.disqualify =
		    setup->play.rules.settings.policy == POLICY_DISQUALIFY,
		.suite = setup->suite,
		.sprt = setup->is_gate && setup->gate.sequential
		    ? &setup->gate.sprt
		    : NULL,
	};
}

/* Opens the tournament and counts the stored blocks. */
static enum status
catch_up(struct run_opened *opened)
{
	const struct tournament_config config = run_open_plan(&opened->setup);
	struct store_error why;
	int error = tournament_open(&opened->tournament, &config);

	if (error)
		return game_setup_error(error);
	if (runner_catch_up(&opened->run, &opened->tournament, &why))
		return STATUS_DONE;
	tournament_close(&opened->tournament);
	return run_open_error(-EBADMSG, &why);
}

enum status
run_open_whole(
    struct run_opened *opened, const char *path, enum entrant_use use)
{
	struct store_error why = { .what = "" };
	int error = run_open(&opened->run, path, use == ENTRANT_TO_PLAY, &why);
	enum status status;

	if (error)
		return run_open_error(error, &why);
	status = run_open_configuration(opened, path, use);
	if (status != STATUS_DONE)
		goto close_run;
	run_fair_bind(&opened->setup, &opened->run.head);
	status = run_check_unchanged(opened);
	if (status == STATUS_DONE && use == ENTRANT_TO_PLAY)
		status = run_fair_conceal(opened);
	if (status == STATUS_DONE)
		status = catch_up(opened);
	if (status == STATUS_DONE)
		return STATUS_DONE;
	tournament_setup_close(&opened->setup);
	tournament_settings_close(&opened->settings);
close_run:
	run_close(&opened->run);
	return status;
}

void
run_open_close(struct run_opened *opened)
{
	tournament_close(&opened->tournament);
	tournament_setup_close(&opened->setup);
	tournament_settings_close(&opened->settings);
	run_close(&opened->run);
}
