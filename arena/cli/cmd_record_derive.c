/*
 * record derive: full records from what was decided.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "error_message.h"
#include "record_walk.h"
#include "version.h"

struct record_derive_settings {
	bool legal;
};

struct record_derive_context {
	struct replay_order order;
	int64_t good, bad;
};

#define FIELD(name) offsetof(struct record_derive_settings, name)

static const struct option options[] = {
	FLAG_OPTION("legal", FIELD(legal),
	    "Before each play, a line with all moves that were legal."),
	OPTIONS_END,
};

static int
derive_block(void *given, const struct record_visit *visit)
{
	struct record_derive_context *context = given;
	struct record_fault fault = visit->block->fault;
	int error = -EBADMSG;

	if (!fault.line)
		error = replay_run(visit->replay, visit->block, &context->order,
		    visit->record, &fault);
	if (!error)
		error = record_sum(visit->record);
	if (error && error != -EBADMSG)
		return error;
	if (error) {
		context->bad++;
		record_walk_say(visit->file, fault.line, fault.text);
		return 0;
	}
	if (context->good++ == 0)
		fputs(RECORD_HEADING, stdout);
	fwrite(visit->record->bytes, 1, visit->record->size, stdout);
	return 0;
}

static enum status
derive_run(const void *given, int argc, char **argv)
{
	const struct record_derive_settings *settings = given;
	struct record_derive_context context = {
		.order = { .seat = REPLAY_EVERYBODY, .legal = settings->legal },
	};
	struct record_walk walk = {
		.visit = derive_block,
		.context = &context,
	};
	enum status status = record_walk_files(&walk, argc, argv);

	if (context.bad == 0)
		return status;
	error_print("%" PRId64 " of %" PRId64 " blocks could not be derived",
	    context.bad, context.good + context.bad);
	error_detail("hint", "they were skipped; the lines above say why");
	return record_walk_worse(status, STATUS_FAILED);
}

const struct command command_record_derive = {
	.name = "record derive",
	.sentence =
	    "Writes the full record of a game from what was decided in it.",
	.detail =
	    "A block needs a line `match ID rules=`, and for each deal a line "
	    "`deal N`, its `play` and `declare` lines, and either its `pack` "
	    "or its `table` and `give` lines. Everything else is worked out. "
	    "A block that cannot be is skipped, and FILE:LINE: REASON is "
	    "printed on standard error; the exit status is then 1.",
	.usage = "[FILE]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = 1,
	.examples = { "record derive minimal.scopa > full.scopa",
	    "record derive --legal - < minimal.scopa" },
	.options = options,
	.settings_size = sizeof(struct record_derive_settings),
	.run = derive_run,
};
