/*
 * The command check: shows the author of a bot whether it keeps the protocol,
 * level by level.  The first failure is shown with the conversation that led to
 * it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "command.h"
#include "fault_text.h"
#include "game_options.h"
#include "report_json.h"
#include "text_format.h"

enum { TEXT_SIZE = 16384, LINE_SHOWN_MAX = 400 };

struct check_settings {
	struct game_settings game;
	int64_t level, seed;
	bool list, fail_fast;
};

#define FIELD(name) offsetof(struct check_settings, name)

static const struct option own_options[] = {
	INT_OPTION("level", "N", FIELD(level), 0, CHECK_LEVEL_MAX,
	    "Check up to this level of protocol.md: 0 chooses from `legal`, 1 "
	    "needs `state` alone, 2 the events alone, 3 is full.",
	    .fallback = "3"),
	INT_OPTION("seed", "N", FIELD(seed), 0, INT64_MAX,
	    "The seed of the cards and of the moves of other seats.",
	    .fallback = "1"),
	FLAG_OPTION("fail-fast", FIELD(fail_fast),
	    "Stop after the first step that fails."),
	FLAG_OPTION("list", FIELD(list), "Print the steps, and check nothing."),
	FLAG_OPTION("json", FIELD(game.json), "Print one JSON object."),
	FLAG_OPTION("quiet", FIELD(game.quiet),
	    "Print failures and the result alone.", .aliases = { "q" }),
	OPTIONS_END,
};

static const struct option options[] = {
	TABLE_OPTION("check", own_options, 0),
	SINGLE_BOT_TABLES(FIELD(game)),
	OPTIONS_END,
};

/* A check that is running. */
struct checking {
	const struct check_settings *settings;
	const struct match_rules *rules;
	/* the first failure, shown with its conversation; number 0: none */
	struct check_step first;
	struct json json;
};

static const char *const outcomes[] = {
	[CHECK_PASSED] = "ok",
	[CHECK_FAILED] = "FAILED",
	[CHECK_SKIPPED] = "skipped",
};

__attribute__((format(printf, 2, 3))) static void
print_detail(const char *label, const char *format, ...)
{
	char text[TEXT_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printf("    %-8s: %s\n", label, safe_text(text));
}

/* Prints the last lines of the conversation. */
static void
print_conversation(const struct check_step *step)
{
	static const char *const marks[] = {
		[CONVERSATION_SENT] = "arena",
		[CONVERSATION_SAID] = "bot",
		[CONVERSATION_NOTE] = "",
	};

	for (int i = 0; i < step->line_count; i++) {
		const struct conversation_line *line = &step->lines[i];

		printf("      %9.3f ms  %-5s  %.*s%s\n", line->ms,
		    marks[line->side], LINE_SHOWN_MAX, line->text,
		    strlen(line->text) > LINE_SHOWN_MAX ? " ..." : "");
	}
}

static void
print_stderr(const char *tail)
{
	while (*tail != '\0') {
		size_t length = strcspn(tail, "\n");

		print_detail("stderr", "%.*s", (int)length, tail);
		tail += length + (tail[length] == '\n');
	}
}

/*
 * Prints what was found: an offence in words, and as records name it.  The
 * words of an illegal move name its reason.
 */
static void
print_found(const struct check_step *step)
{
	const struct match_fault *fault = &step->fault;
	const char *words;

	if (fault->seat < 0) {
		print_detail("found", "%s", step->found);
		return;
	}
	words =
	    fault_text_reason(offence_name(fault->kind), fault->reason, NULL);
	if (fault->kind == OFFENCE_ILLEGAL)
		print_detail("found", "%s", words);
	else
		print_detail("found", "%s (%s)", words, step->found);
	if (fault->kind == OFFENCE_STARTUP && fault->said[0])
		print_detail("received", "%s", fault->said);
	if (fault->kind == OFFENCE_STARTUP && fault->ending[0])
		print_detail("ended", "%s", fault->ending);
}

/*
 * Prints why a step failed.  If it failed like the first failed step, it says
 * nothing about its own subject: then the hint is to mend the first one.
 */
static void
print_failure(struct checking *checking, const struct check_step *step)
{
	const struct check_step *first = &checking->first;
	bool by_fault = step->fault.seat >= 0;
	const char *reason = by_fault ? step->fault.reason : "";
	const char *hint =
	    by_fault ? entrant_end_hint(&step->fault, checking->rules) : NULL;

	print_detail("expected", "%s", step->expected);
	print_found(step);
	if (first->number > 0 && strcmp(step->expected, first->expected) == 0 &&
	    strcmp(reason, first->fault.seat >= 0 ? first->fault.reason : "") ==
		0) {
		print_detail("hint", "mend step %d first", first->number);
		return;
	}
	/* Other steps that start the bot name what they have set. */
	if (by_fault && strcmp(step->found, reason) == 0)
		entrant_start_hints(&step->fault, print_detail);
	else if (hint == NULL)
		hint = step->hint;
	if (hint != NULL)
		print_detail("hint", "%s", hint);
	if (first->number > 0)
		return;
	checking->first = *step;
	if (by_fault && step->fault.state[0])
		fault_text_print(&step->fault, stdout); /* with its stderr */
	else
		print_stderr(step->stderr_tail);
	if (step->line_count > 0)
		printf("    the last lines, with the time since the last "
		       "question:\n");
	print_conversation(step);
}

static void
json_head(struct json *json, const struct check_step *step)
{
	json_int(json, "number", step->number);
	json_int(json, "level", step->level);
	json_string(json, "name", step->name);
	json_string(json, "sentence", step->sentence);
}

static void
json_step(struct json *json, const struct check_step *step)
{
	json_object_begin(json, NULL);
	json_head(json, step);
	json_string(json, "outcome",
	    step->outcome == CHECK_FAILED ? "failed" : outcomes[step->outcome]);
	json_given(json, "expected", step->expected);
	json_given(json, "found", step->found);
	if (step->outcome == CHECK_FAILED) {
		json_string(json, "hint", step->hint);
		json_given(json, "state",
		    step->fault.seat >= 0 ? step->fault.state : "");
		json_string(json, "stderr", step->stderr_tail);
		json_array_begin(json, "transcript");
		for (int i = 0; i < step->line_count; i++) {
			static const char *const sides[] = {
				[CONVERSATION_SENT] = "sent",
				[CONVERSATION_SAID] = "said",
				[CONVERSATION_NOTE] = "note",
			};

			json_object_begin(json, NULL);
			json_string(json, "side", sides[step->lines[i].side]);
			json_real(json, "ms", step->lines[i].ms, 3);
			json_string(json, "text", step->lines[i].text);
			json_object_end(json);
		}
		json_array_end(json);
	}
	json_object_end(json);
}

static void
on_step(void *context, const struct check_step *step)
{
	struct checking *checking = context;
	bool is_quiet = checking->settings->game.quiet;

	if (checking->settings->game.json) {
		json_step(&checking->json, step);
		return;
	}
	if (is_quiet && step->outcome != CHECK_FAILED)
		return;
	printf("%3d  %d  %-7s  %-24s  %s", step->number, step->level,
	    outcomes[step->outcome], step->name, step->sentence);
	if (step->outcome != CHECK_FAILED && step->found[0])
		printf(" (%s)", step->found);
	putchar('\n');
	if (step->outcome == CHECK_FAILED)
		print_failure(checking, step);
	fflush(stdout);
}

static void
print_list(int level)
{
	for (int i = 0; i < check_step_count(level); i++) {
		struct check_step step = check_step_describe(i);

		printf("%3d  %d  %-24s  %s\n", step.number, step.level,
		    step.name, step.sentence);
	}
}

static void
json_list(int level)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_array_begin(&json, "steps");
	for (int i = 0; i < check_step_count(level); i++) {
		struct check_step step = check_step_describe(i);

		json_object_begin(&json, NULL);
		json_head(&json, &step);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_document_end(&json);
}

static void
print_result(const struct check_result *result, const struct single_bot *single)
{
	const char *command = single->bots.entrants[0].command;

	printf("result  %s%s%s: ", command, result->name[0] ? ", " : "",
	    safe_text(result->name));
	if (result->level < 0)
		printf("no level is reached");
	else
		printf("level %d is reached", result->level);
	printf("; %d step%s passed, %d failed", result->passed,
	    text_plural(result->passed), result->failed);
	if (result->skipped > 0)
		printf(", %d skipped", result->skipped);
	if (result->stopped)
		printf("; later steps were not run");
	putchar('\n');
	if (result->failed == 0)
		next_print("match", command, " @greedy --rounds 20");
	else if (result->level >= 0)
		printf("next    protocol.md, levels of a bot; `--level %d` "
		       "checks up to the level that is reached\n",
		    result->level);
}

static enum status
check_bot(struct checking *checking, struct single_bot *single)
{
	const struct check_settings *settings = checking->settings;
	struct check_result result;
	struct check_order order = {
		.rules = &single->play.rules,
		.entrant = &single->bots.entrants[0],
		.level = (int)settings->level,
		.seed = (uint64_t)settings->seed,
		.fail_fast = settings->fail_fast,
		.on_step = on_step,
		.context = checking,
	};
	int error;

	checking->rules = order.rules;
	if (settings->game.json) {
		json_document_begin(&checking->json, stdout);
		json_string(&checking->json, "command",
		    single->bots.entrants[0].command);
		json_string(&checking->json, "sandbox",
		    sandbox_name(order.rules->sandbox));
		json_array_begin(&checking->json, "steps");
	} else if (!settings->game.quiet) {
		printf("check %s, up to level %d, sandbox %s\n",
		    order.entrant->command, order.level,
		    sandbox_name(order.rules->sandbox));
	}
	error = check_run(&order, &result);
	if (settings->game.json) {
		json_array_end(&checking->json);
		json_string(&checking->json, "name", result.name);
		json_int(&checking->json, "passed", result.passed);
		json_int(&checking->json, "failed", result.failed);
		json_int(&checking->json, "skipped", result.skipped);
		json_int(&checking->json, "level", result.level);
		json_document_end(&checking->json);
	}
	if (error)
		return game_setup_error(error);
	if (!settings->game.json)
		print_result(&result, single);
	return result.level == order.level ? STATUS_DONE : STATUS_FAILED;
}

static enum status
check_command_run(const void *given, char **argv)
{
	struct checking checking = { .settings = given };
	static struct single_bot single;
	struct rule_set set;
	enum status status;

	(void)argv;
	if (checking.settings->list) {
		if (checking.settings->game.json)
			json_list((int)checking.settings->level);
		else
			print_list((int)checking.settings->level);
		return STATUS_DONE;
	}
	if (!rule_set_read("scopa", &set))
		return STATUS_USAGE;
	status = single_bot_open(&single, &checking.settings->game, &set);
	if (status == STATUS_DONE)
		status = check_bot(&checking, &single);
	single_bot_close(&single);
	return status;
}

const struct command command_check = {
	.name = "check",
	.sentence = "Checks whether a bot keeps the protocol, level by level.",
	.detail = "Each step shows what it expects; the first failure is shown "
		  "with the conversation. The exit status is 0 if all steps up "
		  "to --level pass, and 1 if one fails. Levels are those of "
		  "protocol.md: a bot of level 0 plays every match.",
	.usage = "BOT",
	.arguments = { BOT_ARGUMENT(".") },
	.argument_max = 0, /* the bot is read by the option --bot */
	.examples = { "check ./mybot.py", "check ./mybot.py --level 0",
	    "check --bot ./mybot.py option.depth=1 --json" },
	.options = options,
	.settings_size = sizeof(struct check_settings),
	.run = check_command_run,
};
