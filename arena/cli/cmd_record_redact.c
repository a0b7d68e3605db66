/*
 * record redact: what one seat was sent.
 */
#include <errno.h>
#include <stdio.h>

#include "command.h"
#include "error_message.h"
#include "record_walk.h"
#include "version.h"

struct record_redact_settings {
	int64_t seat; /* from 1; 0: not given */
	const char *match;
};

struct record_redact_context {
	struct replay_order order;
	int64_t without; /* matches that have no such seat */
};

#define FIELD(name) offsetof(struct record_redact_settings, name)

static const struct option options[] = {
	INT_OPTION(
	    "seat", "N", FIELD(seat), 1, SCOPA_SEATS_MAX, "The seat, from 1."),
	RECORD_MATCH_OPTION(struct record_redact_settings),
	OPTIONS_END,
};

static int
redact_block(void *given, const struct record_visit *visit)
{
	struct record_redact_context *context = given;
	struct record_fault fault;
	int error;

	error = replay_run(visit->replay, visit->block, &context->order,
	    visit->record, &fault);
	if (error == -EBADMSG) {
		context->without++;
		record_walk_say(visit->file, fault.line, fault.text);
		return 0;
	}
	if (!error)
		fwrite(visit->record->bytes, 1, visit->record->size, stdout);
	return error;
}

static enum status
redact_run(const void *given, int argc, char **argv)
{
	const struct record_redact_settings *settings = given;
	struct record_redact_context context = {
		.order.seat = (int)settings->seat - 1,
	};
	enum status status;

	if (settings->seat == 0) {
		error_print("--seat is missing");
		error_detail(
		    "try", VERSION_NAME " record redact --seat 1 games.scopa");
		return STATUS_USAGE;
	}
	status = record_walk_good(
	    redact_block, &context, settings->match, argc, argv);
	return context.without > 0 ? record_walk_worse(status, STATUS_FAILED)
				   : status;
}

const struct command command_record_redact = {
	.name = "record redact",
	.sentence = "Prints the event lines that one seat was sent.",
	.detail =
	    "Each block is verified first; what is printed is what the seat "
	    "heard of that match, other hands as ??.",
	.usage = "--seat N [FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record redact --seat 2 games.scopa" },
	.options = options,
	.settings_size = sizeof(struct record_redact_settings),
	.run = redact_run,
};
