#include "enrol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "test.h"

enum { LINE_WORDS_MAX = 80 };

char enrol_folder[FOLDER_SIZE];
static char home[4096];
struct tournament_settings enrol_settings;
struct tournament_setup enrol_setup;
static struct option_reader reader;
static char line_bytes[ENROL_LINE_SIZE];
static char *line_words[LINE_WORDS_MAX];
char enrol_said[ENROL_OUTPUT_SIZE];
static bool is_open;

int
enrol_begin(void **state)
{
	(void)state;
	folder_make(enrol_folder);
	assert_non_null(getcwd(home, sizeof(home)));
	assert_int_equal(chdir(enrol_folder), 0);
	return 0;
}

int
enrol_end(void **state)
{
	(void)state;
	assert_int_equal(chdir(home), 0);
	folder_remove(enrol_folder);
	return 0;
}

int
enrol_forget(void **state)
{
	(void)state;
	if (is_open)
		tournament_setup_close(&enrol_setup);
	is_open = false;
	if (reader.settings != NULL)
		option_release(&reader);
	memset(&reader, 0, sizeof(reader));
	return 0;
}

/* Opens the enrol_setup; what it says on stderr goes to `said`. */
enum status
enrol_open(bool gate)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	enum status status;

	assert_non_null(file);
	fflush(stderr);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	status = tournament_setup_open(
	    &enrol_setup, &enrol_settings, gate, ENTRANT_TO_PLAY);
	is_open = status == STATUS_DONE;
	fflush(stderr);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	close(kept);
	rewind(file);
	enrol_said[fread(enrol_said, 1, ENROL_OUTPUT_SIZE - 1, file)] = '\0';
	fclose(file);
	return status;
}

void
enrol_read(bool gate, const char *line)
{
	int count = 0;
	char *left = line_bytes;

	enrol_forget(NULL);
	memset(&enrol_settings, 0, sizeof(enrol_settings));
	reader = (struct option_reader){
		.options = gate ? gate_options : tournament_options,
		.option_count =
		    gate ? GATE_OPTION_COUNT : TOURNAMENT_OPTION_COUNT,
		.settings = &enrol_settings,
		.section = gate ? "gate" : "tournament",
		.sections = command_sections,
	};
	assert_true(strlen(line) < ENROL_LINE_SIZE);
	strcpy(line_bytes, line);
	while (left != NULL && *left != '\0') {
		char *word = strsep(&left, " ");

		for (char *byte = word; *byte != '\0'; byte++)
			*byte = *byte == '_' ? ' ' : *byte;
		assert_true(count < LINE_WORDS_MAX);
		line_words[count++] = word;
	}
	option_defaults(&reader);
	if (!option_read(&reader, count, line_words))
		fail_msg("%s: %s", line, reader.error.what);
}

void
enrol_assert_good(bool gate, const char *line)
{
	enrol_read(gate, line);
	if (enrol_open(gate) != STATUS_DONE)
		fail_msg("%s: %s", line, enrol_said);
	assert_string_equal(enrol_said, "");
}
