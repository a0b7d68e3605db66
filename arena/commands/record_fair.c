#include "record_fair.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"
#include "fair.h"
#include "json.h"
#include "run_open.h"

enum { SAFE_SIZE = 4 * STORE_ERROR_SIZE };

static bool
is_proved(const struct fair_report *report)
{
	return report->good && report->committed && report->earlier_seeds == 0;
}

static void
json_given(struct json *json, const char *key, const char *text)
{
	json_string(json, key, text[0] != '\0' ? text : NULL);
}

static void
print_json(const struct fair_report *report, const char *path)
{
	struct json json;

	json_init(&json, stdout);
	json_object_begin(&json, NULL);
	json_string(&json, "run", path);
	json_bool(&json, "consistent", report->good);
	if (report->good && !is_proved(report))
		json_null(&json, "fair");
	else
		json_bool(&json, "fair", report->good);
	json_string(&json, "file", report->file);
	if (report->line > 0)
		json_int(&json, "line", report->line);
	else
		json_null(&json, "line");
	json_given(&json, "reason", report->text);
	json_bool(&json, "committed", report->committed);
	json_bool(&json, "over", report->over);
	json_int(&json, "blocks", report->blocks);
	json_int(&json, "games", report->games);
	json_int(&json, "packs", report->packs);
	json_int(&json, "earlier_seeds", report->earlier_seeds);
	json_given(&json, "terms", report->terms);
	json_given(&json, "commitment", report->commitment);
	json_given(&json, "contributions", report->contributions);
	json_given(&json, "seed", report->secret);
	json_string(&json, "chain", report->chain);
	json_object_end(&json);
	json_finish(&json);
}

static void
print_line(const char *label, const char *text)
{
	if (text[0] != '\0')
		printf("%-7s %s\n", label, text);
}

/* Where the first difference is. */
static void
print_difference(const struct fair_report *report, const char *path)
{
	char safe[SAFE_SIZE];

	escape_bytes(
	    report->text, strlen(report->text), false, safe, sizeof(safe));
	printf("%s/%s:", path, report->file);
	if (report->line > 0)
		printf("%" PRId64 ":", report->line);
	printf(" %s\n", safe);
}

static void
print_text(const struct fair_report *report, const char *path)
{
	print_line("terms", report->terms);
	print_line("commit", report->commitment);
	print_line("mixed", report->contributions);
	print_line("seed", report->secret);
	print_line("chain", report->chain);
	if (!report->good)
		print_difference(report, path);
}

/* `2 games` */
static void
print_count(int64_t count, const char *noun)
{
	printf("%" PRId64 " %s%s", count, noun, count == 1 ? "" : "s");
}

/* Why a run that is consistent proves nothing. */
static const char *
reason_of(const struct fair_report *report, bool packs_given)
{
	if (packs_given)
		return "the packs are those of a file";
	if (!report->committed)
		return "the seed was given";
	return "the packs are those of the secret, but the seeds of bots "
	       "follow from it by the rule of an earlier version of the arena, "
	       "which may have been chosen";
}

static void
print_verdict(const struct fair_report *report, bool packs_given)
{
	if (!report->good)
		printf("not fair: it differs after ");
	else if (is_proved(report))
		printf("fair: ");
	else
		printf("consistent, but fairness cannot be proved: %s: ",
		    reason_of(report, packs_given));
	print_count(report->blocks, "block");
	if (report->good) {
		printf(", ");
		print_count(report->games, "game");
		printf(", ");
		print_count(report->packs, "pack");
		printf("%s%s",
		    report->committed ? " of the committed secret" : "",
		    report->over ? "" : "; the run is not over");
	}
	printf("\n");
}

enum status
record_fair(const char *path, bool json, bool quiet)
{
	static struct run_opened opened;
	static struct fair_report report;
	struct tournament_config config;
	struct fair_order order = { .path = path, .tournament = &config };
	struct store_error why;
	enum status status =
	    run_open_configuration(&opened, path, ENTRANT_TO_READ);
	int error;

	if (status != STATUS_DONE)
		return status;
	config = run_open_plan(&opened.setup);
	order.gate = opened.setup.is_gate ? &opened.setup.gate : NULL;
	order.secret = &opened.setup.secret;
	order.contributions = &opened.settings.contributions;
	order.packs_given = opened.setup.packs_path != NULL;
	error = fair_check(&order, &report, &why);
	if (error) {
		status = run_open_complain(error, &why);
	} else if (json) {
		print_json(&report, path);
	} else {
		if (!quiet)
			print_text(&report, path);
		print_verdict(&report, order.packs_given);
	}
	if (status == STATUS_DONE && !report.good)
		status = STATUS_FAILED;
	else if (status == STATUS_DONE && !is_proved(&report))
		status = STATUS_UNPROVED;
	tournament_setup_close(&opened.setup);
	tournament_settings_close(&opened.settings);
	return status;
}
