/*
 * The setup that follows from the options of tournament and gate, and the
 * configuration file that is written of it and gives the same setup.
 */
#include "tournament_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "folder.h"
#include "golden.h"
#include "option.h"
#include "output.h"
#include "test.h"

enum { LINE_WORDS_MAX = 80, LINE_SIZE = 2048 };

/*
 * The settings of the line that was read last, their setup, and its messages on
 * stderr.
 */
static struct tournament_settings settings;
static struct tournament_setup setup;
static const char *messages;

static struct option_reader reader;
static char line_bytes[LINE_SIZE];
static char *line_words[LINE_WORDS_MAX];
static bool is_open;

static void
reset(void)
{
	if (is_open)
		tournament_setup_close(&setup);
	is_open = false;
	config_close(reader.config);
	memset(&reader, 0, sizeof(reader));
}

static int
end(void **state)
{
	reset();
	return test_folder_leave(state);
}

/* Opens the setup, and stores its messages on stderr. */
static enum status
open_setup(bool gate)
{
	enum status status;

	output_stderr_begin();
	status =
	    tournament_setup_open(&setup, &settings, gate, ENTRANT_TO_PLAY);
	is_open = status == STATUS_DONE;
	messages = output_stderr_end();
	return status;
}

static void
read_line(bool gate, const char *line)
{
	reset();
	memset(&settings, 0, sizeof(settings));
	reader = (struct option_reader){
		.options = gate ? gate_options : tournament_options,
		.settings = &settings,
		.section = gate ? "gate" : "tournament",
	};
	assert_true(strlen(line) < LINE_SIZE);
	strcpy(line_bytes, line);
	golden_words(line_bytes, line_words, LINE_WORDS_MAX);
	if (!option_read(&reader, line_words))
		fail_msg("%s: %s", line, reader.error.what);
}

static void
assert_good(bool gate, const char *line)
{
	read_line(gate, line);
	if (open_setup(gate) != STATUS_DONE)
		fail_msg("%s: %s", line, messages);
	assert_string_equal(messages, "");
}

static void
assert_refused(bool gate, const char *line, const char *expected)
{
	read_line(gate, line);
	assert_int_equal(open_setup(gate), STATUS_USAGE);
	assert_memory_equal(messages, "error: ", strlen("error: "));
	expect_parts(messages, expected);
}

TEST(test_gate_with_a_number_of_blocks_is_not_sequential)
{
	assert_good(true, "--bot @greedy --base @random --rounds 50");
	assert_false(setup.gate.sequential);
	assert_int_equal(setup.gate.blocks_max, 50);
	assert_string_equal(setup.bots.entrants[0].command, "@greedy");
	assert_string_equal(setup.bots.entrants[1].command, "@random");
	assert_good(true, "@greedy @random --games 50 --target 5");
	assert_int_equal(setup.gate.blocks_max, 25);
	assert_int_equal(setup.play.rules.deals, 0);
	assert_int_equal(setup.play.rules.rules.target, 5);
	assert_good(true, "@greedy @random --rounds 50 --sprt elo1=10");
	assert_true(setup.gate.sequential);
	assert_int_equal(setup.gate.blocks_max, 50);
	assert_good(true, "@greedy @random --sprt max=60 alpha=0.01");
	assert_int_equal(setup.gate.blocks_max, 60);
	assert_true(setup.gate.sprt.alpha < 0.011);
	assert_good(true, "@greedy @random --sprt points0=-0.1 points1=0.2");
	assert_int_equal(setup.gate.sprt.unit, SPRT_UNIT_POINTS);
	assert_true(setup.gate.sprt.low < -0.09);
	assert_true(setup.gate.sprt.high > 0.19);
}

TEST(test_number_of_games_is_rounded_up_to_whole_blocks)
{
	assert_good(false, "@greedy @random --rounds 3 --games 4");
	assert_int_equal(setup.schedule.rounds, 6);
	assert_good(false, "@greedy @random --games 3 --no-duplicate");
	assert_int_equal(setup.schedule.rounds, 3);
}

TEST(test_values_of_a_bot_come_before_values_of_each)
{
	assert_good(false,
	    "--bot @greedy option.A=1 --bot @random dir=/ tc=3 --each "
	    "option.A=2 option.B=3 env.X=4 tc=3 dir=/tmp");
	assert_string_equal(setup.bots.entrants[0].options[0], "A=1");
	assert_string_equal(setup.bots.entrants[0].options[1], "B=3");
	assert_null(setup.bots.entrants[0].options[2]);
	assert_string_equal(setup.bots.entrants[1].options[0], "A=2");
	assert_string_equal(setup.bots.entrants[1].environment[0], "X=4");
	assert_string_equal(setup.bots.entrants[0].dir, "/tmp");
	assert_string_equal(setup.bots.entrants[1].dir, "/");
	assert_int_equal(setup.play.rules.settings.control.kind, BUDGET_MATCH);
	assert_int_equal(setup.play.rules.settings.control.base_ms, 3000);
}

TEST(test_pairs_of_a_bot_and_of_each_are_limited_together)
{
	char line[LINE_SIZE] = "@greedy --bot @random";

	for (int i = 1; i < OPTION_PAIRS_MAX; i++)
		snprintf(line + strlen(line), 16, " env.A%d=1", i);
	strcat(line, " --each env.A1=2 env.B=1");
	assert_good(false, line);
	assert_string_equal(setup.bots.entrants[1].environment[0], "A1=1");
	assert_string_equal(
	    setup.bots.entrants[1].environment[OPTION_PAIRS_MAX - 1], "B=1");
	assert_null(setup.bots.entrants[1].environment[OPTION_PAIRS_MAX]);
	strcat(line, " env.C=1");
	assert_refused(false, line, "more than 32 words");
}

/*
 * The configuration as executed.
 */

#define PART(field)                                               \
	{                                                         \
		offsetof(struct tournament_setup, field),         \
		    sizeof(((struct tournament_setup *)0)->field) \
	}

/* Members of a setup that are equal if the configuration is the same. */
static const struct {
	size_t offset, size;
} parts[] = {
	PART(play.rules.rules),
	PART(play.rules.root_key),
	PART(play.rules.deals),
	PART(play.rules.settings.control),
	PART(play.rules.settings.policy),
	PART(play.rules.settings.margin_ns),
	PART(play.rules.settings.strikes_max),
	PART(play.entrant_count),
	PART(play.pin),
	PART(play.concurrency),
	PART(schedule.format),
	PART(schedule.rounds),
	PART(schedule.stages),
	PART(schedule.blocks),
	PART(schedule.challengers),
	PART(schedule.mixed),
	PART(schedule.duplicate),
	PART(schedule.seed),
	PART(gate.sequential),
	PART(gate.blocks_max),
	PART(gate.sprt),
	PART(gate.level),
};

static void
assert_same(
    const struct tournament_setup *one, const struct tournament_setup *other)
{
	for (int i = 0; i < COUNTOF(parts); i++)
		assert_memory_equal((const char *)one + parts[i].offset,
		    (const char *)other + parts[i].offset, parts[i].size);
	assert_string_equal(one->name, other->name);
	for (int i = 0; i < one->play.entrant_count; i++) {
		const struct entrant *a = &one->bots.entrants[i];
		const struct entrant *b = &other->bots.entrants[i];

		assert_string_equal(a->command, b->command);
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->program.path, b->program.path);
		assert_int_equal(a->options == NULL, b->options == NULL);
		for (int j = 0; a->options && a->options[j]; j++)
			assert_string_equal(a->options[j], b->options[j]);
	}
}

/*
 * Writes the configuration of the open setup, and reads it in another folder.
 */
static void
assert_round_trip(bool gate, const char *line)
{
	static struct tournament_settings again;
	static struct tournament_setup second;
	const char *path = test_path("config.ini");
	char *text = tournament_setup_config(&setup, NULL), *same;
	struct option_error error;

	assert_non_null(text);
	folder_write(path, text);
	assert_int_equal(chdir("/"), 0);
	if (!tournament_settings_open(&again, gate, path, &error))
		fail_msg("%s: %s\n%s", line, error.what, text);
	if (tournament_setup_open(&second, &again, gate, ENTRANT_TO_PLAY) !=
	    STATUS_DONE)
		fail_msg("%s:\n%s", line, text);
	assert_same(&setup, &second);
	same = tournament_setup_config(&second, NULL);
	assert_string_equal(text, same);
	assert_int_equal(chdir(test_folder), 0);
	free(text);
	free(same);
	tournament_setup_close(&second);
	tournament_settings_close(&again);
}

TEST(test_lines_are_refused_or_their_configuration_gives_the_same_setup)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields; golden_next(&golden, "setups.tsv");
	     count++) {
		bool gate = strcmp(field[0], "gate") == 0;

		if (field[2][0] != '\0') {
			assert_refused(gate, field[1], field[2]);
			continue;
		}
		read_line(gate, field[1]);
		if (open_setup(gate) != STATUS_DONE)
			fail_msg("%s: %s", field[1], messages);
		assert_round_trip(gate, field[1]);
	}
	assert_int_equal(count, 89);
}

/*
 * Sizes of memory.
 */

TEST(test_sizes_end_with_letters_for_powers_of_1024)
{
	static const struct {
		const char *text;
		int64_t bytes; /* -1: refused */
	} cases[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "64K", 65536 },
		{ "16M", 16 << 20 },
		{ "2G", INT64_C(2) << 30 },
		{ "3T", INT64_C(3) << 40 },
		{ "9223372036854775807", INT64_MAX },
		{ "8388607T", INT64_C(8388607) << 40 },
		{ "9223372036854775808", -1 },
		{ "8388608T", -1 },
	};
	static const char *const refused[] = { "", "K", "-1", "+1", " 1", "1 K",
		"1k", "1KB", "1.5M", "0x10", "1E" };
	int64_t bytes;

	for (int i = 0; i < COUNTOF(cases); i++) {
		bytes = -1;
		assert_int_equal(byte_size_parse(cases[i].text, &bytes),
		    cases[i].bytes >= 0);
		assert_true(bytes == cases[i].bytes);
	}
	for (int i = 0; i < COUNTOF(refused); i++)
		assert_false(byte_size_parse(refused[i], &bytes));
	assert_int_equal(bytes, -1);
}

TEST_GROUP(test_folder_enter, end)
