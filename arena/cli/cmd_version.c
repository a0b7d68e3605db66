/*
 * The command version: prints the version of this program and of the libraries
 * that it was built with.
 */
#include "version.h"

#include <sodium.h>
#include <stdio.h>

#include "command.h"
#include "json.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

struct version_settings {
	bool json;
};

#define FIELD(name) offsetof(struct version_settings, name)

static const struct option options[] = {
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

static void
json_print(void)
{
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "name", VERSION_NAME);
	json_string(&json, "version", VERSION_NUMBER);
	json_int(&json, "protocol", VERSION_PROTOCOL);
	json_int(&json, "record", VERSION_RECORD);
	json_string(&json, "compiler", COMPILER);
	json_string(&json, "libsodium", sodium_version_string());
	json_document_end(&json);
}

static enum status
version_run(const void *given, char **argv)
{
	const struct version_settings *settings = given;

	(void)argv;
	if (settings->json) {
		json_print();
		return STATUS_DONE;
	}
	printf("%s %s\n", VERSION_NAME, VERSION_NUMBER);
	printf("protocol  : USP/%d\n", VERSION_PROTOCOL);
	printf("record    : %d\n", VERSION_RECORD);
	printf("compiler  : %s\n", COMPILER);
	printf("libsodium : %s\n", sodium_version_string());
	return STATUS_DONE;
}

const struct command command_version = {
	.name = "version",
	.sentence = "Prints the version, and what it was made with.",
	.options = options,
	.settings_size = sizeof(struct version_settings),
	.run = version_run,
};
