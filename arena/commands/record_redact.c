/*
 * record redact: what one seat was told.
 */
#include <errno.h>
#include <stdio.h>

#include "command.h"
#include "complaint.h"
#include "countof.h"
#include "record_walk.h"
#include "version.h"

struct settings {
	int64_t seat; /* from 1; 0: not given */
	const char *match;
};

struct context {
	struct record_pick pick;
	struct replay_order order;
	struct replay *replay;
	struct record record;
	int64_t without; /* matches that have no such seat */
};

static const struct option options[] = {
	{
	    .name = "seat",
	    .kind = OPTION_INT,
	    .value = "N",
	    .sentence = "The seat, from 1.",
	    .min = 1,
	    .max = SCOPA_SEATS_MAX,
	    .offset = offsetof(struct settings, seat),
	},
	{
	    .name = "match",
	    .kind = OPTION_TEXT,
	    .value = "ID",
	    .sentence = record_match_sentence,
	    .offset = offsetof(struct settings, match),
	},
};

static const char *const examples[] = {
	VERSION_NAME " record redact --seat 2 games.scopa",
	NULL,
};

static int
redact_block(void *given, const struct record_visit *visit)
{
	struct context *context = given;
	struct record_fault fault;
	int error;

	if (!record_pick_take(&context->pick, visit))
		return 0;
	error = replay_run(context->replay, visit->block, &context->order,
	    &context->record, &fault);
	if (error == -EBADMSG) {
		context->without++;
		record_walk_say(visit->file, fault.line, fault.text);
		return 0;
	}
	if (!error)
		fwrite(context->record.bytes, 1, context->record.size, stdout);
	return error;
}

static enum status
redact_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct context context = {
		.pick.match = settings->match,
		.order.seat = (int)settings->seat - 1,
	};
	struct record_walk walk = {
		.check = true,
		.visit = redact_block,
		.context = &context,
	};
	enum status status;

	if (settings->seat == 0) {
		complaint_say("--seat is missing");
		complaint_add(
		    "try", VERSION_NAME " record redact --seat 1 games.scopa");
		return STATUS_USAGE;
	}
	if (replay_open(&context.replay) < 0) {
		complaint_say("no memory");
		return STATUS_ENVIRONMENT;
	}
	record_init(&context.record);
	status = record_walk_files(&walk, argc, argv);
	record_release(&context.record);
	replay_close(context.replay);
	if (context.without > 0)
		status = record_walk_worse(status, STATUS_FAILED);
	return record_pick_status(&context.pick, status);
}

const struct command command_record_redact = {
	.name = "record redact",
	.sentence = "Prints the event lines that one seat was sent.",
	.detail =
	    "Each block is verified first; what is printed is what the seat "
	    "heard of that match, other hands as ??.",
	.usage = "--seat N [FILE...]",
	.arguments = &record_files_argument,
	.argument_kinds = 1,
	.argument_max = COMMAND_ANY_COUNT,
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = redact_run,
};
