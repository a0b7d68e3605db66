/*
 * The command `db create`: makes the queue of blocks in a database.
 */
#include "command.h"
#include "option.h"
#include "queue_open.h"

#include <stddef.h>
#include <stdio.h>

struct create_settings {
	const char *store;
};

static const struct option create_options[] = {
	STORE_OPTION(offsetof(struct create_settings, store)),
	OPTIONS_END,
};

static enum status
create_run(const void *given, char **argv)
{
	const struct create_settings *settings = given;
	enum status status = queue_create(settings->store);

	(void)argv;
	if (status == STATUS_DONE)
		puts("the queue is there");
	return status;
}

const struct command command_db_create = {
	.name = "db create",
	.sentence = "Makes the queue of blocks for workers in a PostgreSQL "
		    "database.",
	.detail = "It makes the schema `scopa` and the group role "
		  "`scopa_worker`, whose members may claim and finish blocks "
		  "and nothing else. The user must own the database and may "
		  "make roles. Where the queue is there already, nothing "
		  "changes.",
	.examples = { "db create --store postgres://organiser@db.example/"
		      "arena" },
	.options = create_options,
	.settings_size = sizeof(struct create_settings),
	.run = create_run,
};
