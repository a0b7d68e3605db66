/*
 * The command `db rebuild`: computes the database of a run from its records.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "rebuild.h"
#include "run_open.h"

/*
 * Lists the damaged games if there are several.  A single one is already named
 * by the line about the block `report->bad`.
 */
static void
print_damages(const struct rebuild_report *report)
{
	const struct salvage_damages *damages = &report->damages;
	int64_t shown = damages->count < SALVAGE_DAMAGES_MAX
	    ? damages->count
	    : SALVAGE_DAMAGES_MAX;

	if (damages->count < 2)
		return;
	printf("broken  %jd games in all\n", damages->count);
	for (int64_t i = 0; i < shown; i++) {
		const struct salvage_damage *damage = &damages->damages[i];

		printf("broken  ");
		if (damage->block > 0)
			printf("block %jd, ", damage->block);
		printf("line %jd: %s\n", (int64_t)damage->fault.line,
		    damage->fault.text);
	}
	if (damages->count > shown)
		printf("broken  %jd more\n", damages->count - shown);
}

static void
print_report(const struct rebuild_report *report, const char *path)
{
	/*
	 * The damaged block has a line of its own, so it is not counted here.
	 */
	int64_t lost = report->lost - report->salvaged - (report->bad > 0);

	printf("%s: %jd block%s, %jd game%s read again\n", path, report->blocks,
	    text_plural(report->blocks), report->games,
	    text_plural(report->games));
	if (report->bad > 0)
		printf("bad     block %jd: %s\n", report->bad, report->bad_why);
	print_damages(report);
	if (report->salvaged > 0)
		printf("saved   %jd block%s after it, in %s/%s\n",
		    report->salvaged, text_plural(report->salvaged), path,
		    SALVAGE_FILE);
	switch (report->outcome) {
	case REBUILD_IDENTICAL:
		printf("results identical%s\n",
		    report->gained > 0 || report->lost > 0
			? " as far as both go"
			: "");
		break;
	case REBUILD_DIFFERENT:
		printf("results differ: %s\n", report->difference);
		break;
	case REBUILD_ALONE:
		printf("results made: %s\n", report->difference);
		break;
	}
	if (report->gained > 0)
		printf("gained  %jd block%s without results\n", report->gained,
		    text_plural(report->gained));
	if (lost > 0)
		printf("lost    %jd block%s without a record\n", lost,
		    text_plural(lost));
	if (report->tail > 0 && report->bad == 0)
		printf(
		    "left    %jd bytes of records after the last whole block\n",
		    report->tail);
	if (report->kept[0])
		printf("kept    %s\n", report->kept);
	if (report->bad > 0) {
		printf("kept    %s\n", report->bad_backup);
		next_print("resume", path, "    plays what is lost again");
	}
}

static enum status
rebuild_run(const void *settings, char **argv)
{
	struct run_opened *opened = command_memory(sizeof(*opened));
	struct store_head *head = command_memory(sizeof(*head));
	struct rebuild_report *report = command_memory(sizeof(*report));
	struct tournament_config config;
	struct rebuild_order order = {
		.path = argv[0],
		.tournament = &config,
		.head = head,
	};
	char seed[SHUFFLE_HEX_SIZE];
	struct store_error why;
	enum status status =
	    run_open_configuration(opened, argv[0], ENTRANT_TO_READ);
	int error;

	(void)settings;
	if (status != STATUS_DONE)
		return status;
	config = run_open_plan(&opened->setup);
	status = run_head_fill(&opened->setup, ENTRANT_TO_READ, head);
	if (status == STATUS_DONE)
		status = run_fair_recall(argv[0], &opened->setup, head);
	order.gate = tournament_setup_gate(&opened->setup);
	shuffle_key_format(&opened->setup.secret, seed);
	if (strcmp(opened->seed_file, RUN_CONFIG) == 0)
		order.shown = seed;
	if (status == STATUS_DONE) {
		error = rebuild(&order, report, &why);
		if (error)
			status = run_open_error(error, &why);
		else
			print_report(report, argv[0]);
	}
	if (status == STATUS_DONE &&
	    (report->outcome == REBUILD_DIFFERENT || report->bad > 0))
		status = STATUS_FAILED;
	tournament_setup_close(&opened->setup);
	tournament_settings_close(&opened->settings);
	return status;
}

const struct command command_db_rebuild = {
	.name = "db rebuild",
	.sentence = "Computes the results of a run from its records again, and "
		    "says whether they are the same.",
	.detail = "Every game is checked and replayed by the rules. If results "
		  "differ (exit status 1), or blocks are missing on one side, "
		  "the new results replace the old ones, and the old ones are "
		  "stored under another name. If the record of a block is "
		  "damaged (exit status 1), the block is named; `resume` plays "
		  "it again, and uses the records of the blocks after it.",
	.usage = "RUN",
	.arguments = { { "RUN", "The folder of a run." } },
	.argument_min = 1,
	.argument_max = 1,
	.examples = { "db rebuild runs/2026-11-21-101500-league" },
	.run = rebuild_run,
};
