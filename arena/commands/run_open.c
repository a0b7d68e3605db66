#include "run_open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "complaint.h"
#include "game_options.h"
#include "run_fair.h"
#include "runner.h"
#include "version.h"

enum status
run_open_find(const char *given, char path[PATH_MAX])
{
	if (given != NULL) {
		snprintf(path, PATH_MAX, "%s", given);
		return STATUS_DONE;
	}
	if (run_newest(path))
		return STATUS_DONE;
	complaint_say("there is no run below runs/");
	complaint_add("hint", "name the folder of a run");
	complaint_add("try", VERSION_NAME " tournament @greedy @random");
	return STATUS_USAGE;
}

enum status
run_open_complain(int error, const struct store_error *why)
{
	complaint_say("%s", why->what[0] ? why->what : strerror(-error));
	if (why->hint[0])
		complaint_add("hint", "%s", why->hint);
	if (why->try[0])
		complaint_add("try", "%s", why->try);
	switch (-error) {
	case ENOENT:
	case ENOTDIR:
	case EEXIST:
		return STATUS_USAGE;
	default:
		return STATUS_ENVIRONMENT;
	}
}

/* The command that the configuration was written for: its first section. */
static bool
is_gate_configuration(const char *path)
{
	char line[64];
	bool gate = false;
	FILE *file = fopen(path, "re");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		gate = gate || strncmp(line, "[gate]", 6) == 0;
	if (file != NULL)
		fclose(file);
	return gate;
}

/* The seed, where it is none of the configuration but a secret. */
static enum status
recall_secret(struct run_opened *opened)
{
	struct game_seed *seed = &opened->settings.game.seed;
	const char *path = opened->run.path;
	int error;

	opened->seed_file = RUN_CONFIG;
	if (seed->given || opened->settings.game.packs.path != NULL)
		return STATUS_DONE;
	opened->seed_file = RUN_SECRET;
	error = run_secret_read(path, &seed->key);
	seed->given = error == 0;
	switch (-error) {
	case 0:
		return STATUS_DONE;
	case ENOENT:
		complaint_say("the secret of the run \"%s\" is missing: there "
			      "is no file \"%s/%s\"",
		    path, path, RUN_SECRET);
		break;
	case EBADMSG:
		complaint_say("the secret of the run \"%s\" was changed: "
			      "\"%s/%s\" is not a line of %d hex digits",
		    path, path, RUN_SECRET, SHUFFLE_HEX_SIZE - 1);
		break;
	default:
		complaint_say("the secret \"%s/%s\" cannot be read: %s", path,
		    RUN_SECRET, strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	complaint_add("hint",
	    "all packs come from it: bring the file back from a copy, or begin "
	    "a new run");
	return STATUS_USAGE;
}

enum status
run_open_configuration(
    struct run_opened *opened, const char *path, enum entrant_use use)
{
	char config[PATH_MAX];
	struct option_error error;
	enum status status;
	bool gate;

	snprintf(opened->run.path, sizeof(opened->run.path), "%s", path);
	run_file(&opened->run, RUN_CONFIG, config);
	gate = is_gate_configuration(config);
	if (!tournament_settings_open(
		&opened->settings, gate, config, &error)) {
		complaint_say("%s", error.what);
		if (error.hint[0])
			complaint_add("hint", "%s", error.hint);
		return STATUS_USAGE;
	}
	status = recall_secret(opened);
	if (status == STATUS_DONE)
		status = tournament_setup_open(
		    &opened->setup, &opened->settings, gate, use);
	if (status != STATUS_DONE)
		tournament_settings_close(&opened->settings);
	return status;
}

struct tournament_config
run_open_plan(const struct tournament_setup *setup)
{
	return (struct tournament_config){
		.schedule = setup->schedule,
		.disqualify = setup->rules.settings.policy == POLICY_DISQUALIFY,
		.suite = setup->suite,
		.sprt = setup->is_gate && setup->gate.sequential
		    ? &setup->gate.sprt
		    : NULL,
	};
}

/* Takes the blocks that are in the store. */
static enum status
catch_up(struct run_opened *opened)
{
	const struct tournament_config config = run_open_plan(&opened->setup);
	struct store_error why;
	int error = tournament_open(&opened->tournament, &config);

	if (error)
		return game_setup_complain(error);
	if (runner_catch_up(&opened->run, &opened->tournament, &why))
		return STATUS_DONE;
	tournament_close(&opened->tournament);
	return run_open_complain(-EBADMSG, &why);
}

enum status
run_open_whole(
    struct run_opened *opened, const char *path, enum entrant_use use)
{
	struct store_error why = { .what = "" };
	int error = run_open(&opened->run, path, use == ENTRANT_TO_PLAY, &why);
	enum status status;

	if (error)
		return run_open_complain(error, &why);
	status = run_open_configuration(opened, path, use);
	if (status != STATUS_DONE)
		goto close_run;
	run_fair_bind(&opened->setup, &opened->run.head);
	status = use == ENTRANT_TO_PLAY ? run_fair_check(opened)
					: run_fair_check_secret(opened);
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
