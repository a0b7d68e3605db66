#include "tournament_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "test.h"

enum { LINE_WORDS_MAX = 80 };

char tournament_fixture_folder[FOLDER_SIZE];
static char home[4096];
struct tournament_settings tournament_fixture_settings;
struct tournament_setup tournament_fixture_setup;
static struct option_reader reader;
static char line_bytes[TOURNAMENT_FIXTURE_LINE_SIZE];
static char *line_words[LINE_WORDS_MAX];
char tournament_fixture_said[TOURNAMENT_FIXTURE_OUTPUT_SIZE];
static bool is_open;

int
tournament_fixture_begin(void **state)
{
	(void)state;
	folder_make(tournament_fixture_folder);
	assert_non_null(getcwd(home, sizeof(home)));
	assert_int_equal(chdir(tournament_fixture_folder), 0);
	return 0;
}

int
tournament_fixture_end(void **state)
{
	(void)state;
	assert_int_equal(chdir(home), 0);
	folder_remove(tournament_fixture_folder);
	return 0;
}

int
tournament_fixture_forget(void **state)
{
	(void)state;
	if (is_open)
		tournament_setup_close(&tournament_fixture_setup);
	is_open = false;
	if (reader.settings != NULL)
		option_release(&reader);
	memset(&reader, 0, sizeof(reader));
	return 0;
}

/* Opens the tournament_fixture_setup; what it says on stderr goes to `said`. */
enum status
tournament_fixture_open(bool gate)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO);
	enum status status;

	assert_non_null(file);
	fflush(stderr);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	status = tournament_setup_open(&tournament_fixture_setup,
	    &tournament_fixture_settings, gate, ENTRANT_TO_PLAY);
	is_open = status == STATUS_DONE;
	fflush(stderr);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	close(kept);
	rewind(file);
	tournament_fixture_said[fread(tournament_fixture_said, 1,
	    TOURNAMENT_FIXTURE_OUTPUT_SIZE - 1, file)] = '\0';
	fclose(file);
	return status;
}

void
tournament_fixture_read(bool gate, const char *line)
{
	int count = 0;
	char *left = line_bytes;

	tournament_fixture_forget(NULL);
	memset(&tournament_fixture_settings, 0,
	    sizeof(tournament_fixture_settings));
	reader = (struct option_reader){
		.options = gate ? gate_options : tournament_options,
		.option_count =
		    gate ? GATE_OPTION_COUNT : TOURNAMENT_OPTION_COUNT,
		.settings = &tournament_fixture_settings,
		.section = gate ? "gate" : "tournament",
		.sections = command_sections,
	};
	assert_true(strlen(line) < TOURNAMENT_FIXTURE_LINE_SIZE);
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
tournament_fixture_assert_good(bool gate, const char *line)
{
	tournament_fixture_read(gate, line);
	if (tournament_fixture_open(gate) != STATUS_DONE)
		fail_msg("%s: %s", line, tournament_fixture_said);
	assert_string_equal(tournament_fixture_said, "");
}
