/*
 * The configuration as executed: a file that tells the same again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "countof.h"
#include "folder.h"
#include "support.h"
#include "test.h"
#include "tournament_fixture.h"

/* The tournament_fixture_setup, and another one of the configuration that it gives. */
static void
assert_same(
    const struct tournament_setup *one, const struct tournament_setup *other)
{
	assert_int_equal(one->entrant_count, other->entrant_count);
	for (int i = 0; i < one->entrant_count; i++) {
		const struct entrant *a = &one->entrants[i];
		const struct entrant *b = &other->entrants[i];

		assert_string_equal(a->command, b->command);
		assert_string_equal(a->name, b->name);
		assert_string_equal(a->program.path, b->program.path);
		assert_int_equal(a->options == NULL, b->options == NULL);
		for (int j = 0; a->options != NULL && a->options[j] != NULL;
		     j++)
			assert_string_equal(a->options[j], b->options[j]);
	}
	assert_string_equal(one->name, other->name);
	assert_memory_equal(
	    &one->rules.rules, &other->rules.rules, sizeof(one->rules.rules));
	assert_memory_equal(&one->rules.secret, &other->rules.secret,
	    sizeof(one->rules.secret));
	assert_int_equal(one->rules.deals, other->rules.deals);
	assert_memory_equal(&one->rules.settings.control,
	    &other->rules.settings.control,
	    sizeof(one->rules.settings.control));
	assert_int_equal(
	    one->rules.settings.policy, other->rules.settings.policy);
	assert_int_equal(
	    one->rules.settings.margin_ns, other->rules.settings.margin_ns);
	assert_int_equal(
	    one->rules.settings.strikes_max, other->rules.settings.strikes_max);
	assert_int_equal(one->schedule.format, other->schedule.format);
	assert_int_equal(one->schedule.rounds, other->schedule.rounds);
	assert_int_equal(one->schedule.stages, other->schedule.stages);
	assert_int_equal(one->schedule.blocks, other->schedule.blocks);
	assert_int_equal(
	    one->schedule.challengers, other->schedule.challengers);
	assert_int_equal(one->schedule.mixed, other->schedule.mixed);
	assert_int_equal(one->schedule.duplicate, other->schedule.duplicate);
	assert_true(one->schedule.seed == other->schedule.seed);
	assert_int_equal(one->gate.sequential, other->gate.sequential);
	assert_int_equal(one->gate.blocks_max, other->gate.blocks_max);
	assert_memory_equal(
	    &one->gate.sprt, &other->gate.sprt, sizeof(one->gate.sprt));
	assert_true(one->level >= other->level && one->level <= other->level);
	assert_int_equal(one->pin, other->pin);
	assert_int_equal(one->concurrency, other->concurrency);
}

/* Reads the configuration of the open tournament_fixture_setup, from another tournament_fixture_folder. */
static void
assert_round_trip(bool gate, const char *line)
{
	static struct tournament_settings again;
	static struct tournament_setup second;
	char path[FOLDER_SIZE + 16];
	char *text = tournament_setup_config(
		 &tournament_fixture_setup, &tournament_fixture_settings, NULL),
	     *same;
	struct option_error error;

	assert_non_null(text);
	snprintf(
	    path, sizeof(path), "%s/config.ini", tournament_fixture_folder);
	folder_write(path, text);
	assert_int_equal(chdir("/"), 0);
	if (!tournament_settings_open(&again, gate, path, &error))
		fail_msg("%s: %s\n%s", line, error.what, text);
	if (tournament_setup_open(&second, &again, gate, ENTRANT_TO_PLAY) !=
	    STATUS_DONE)
		fail_msg("%s:\n%s", line, text);
	assert_same(&tournament_fixture_setup, &second);
	same = tournament_setup_config(&second, &again, NULL);
	assert_string_equal(text, same);
	assert_int_equal(chdir(tournament_fixture_folder), 0);
	free(text);
	free(same);
	tournament_setup_close(&second);
	tournament_settings_close(&again);
}

/* What may be tournament_fixture_said at random: a blank ends a choice, `|` divides them. */
static const char *const common_choices[] = {
	"|--rules scopone|--rules cirulla|--rules scopa,priority=fewest",
	"|--seats 2|--teams ABAB|--seats 3",
	"|--deals 3|--target 16",
	"|--seed 2a|-srand 7",
	"|--tc move:1|-tc 10+0.1|--tc inf|--each st=0.25",
	"|--timemargin 20|--startup-ms 200|--hang-ms 100",
	"|--no-ponder|--answer-grid 50|--no-ponder --answer-grid 1",
	"|--illegal substitute --strikes 2|--illegal disqualify",
	"|--concurrency 3 --thinkers 2|--pin none|--thinkers all",
	"|--each option.Depth=3 env.A=b|--each args=-v_'1_2' option.X=a=;#_b",
	"|--no-duplicate|-repeat 2",
	"|--name cup|--level 0.9",
	"|--log l.txt level=debug|--log level=warn",
	"|--json --quiet|--events e.jsonl|--dry-run --run r",
};
static const char *const tournament_choices[] = {
	"|--format gauntlet|--format swiss --stages 2|--format knockout|"
	"--format ladder|--format ladder --blocks 9",
	"|--rounds 4|--games 12|--rounds 2 --games 6",
	"|--challengers 2|--partners mixed",
	"|--bot @first name=X_y dir=/|--bot @first name=]_; tc=move:10|"
	"--bot cmd=@first option.A=_x_ option.A=y",
};
static const char *const gate_choices[] = {
	"|--rounds 4|--games 12",
	"|--sprt elo0=1 elo1=7|--sprt points0=-0.5 points1=0.1|"
	"--sprt model=bayesian elo1=9|--sprt alpha=0.01 beta=0.1 min=5",
};

/* Appends one of the choices. */
static void
draw_choice(uint64_t *seed, const char *choices, char *line)
{
	int count = 1;

	for (const char *byte = choices; *byte != '\0'; byte++)
		count += *byte == '|';
	for (int i = support_random_below(seed, count); i > 0; i--)
		choices = strchr(choices, '|') + 1;
	if (*choices == '\0' || *choices == '|')
		return;
	strcat(line, " ");
	strncat(line, choices, strcspn(choices, "|"));
}

static void
check_round_trips(bool gate, const char *const *choices, int choice_count)
{
	long rounds = support_number("SCOPA_TEST_SETUPS", 300);
	long good = 0;
	uint64_t seed = gate ? 1 : 2;

	for (long i = 0; i < rounds; i++) {
		char line[TOURNAMENT_FIXTURE_LINE_SIZE];

		strcpy(line,
		    gate ? "@greedy @random"
			 : "@greedy @random @first --bot @greedy "
			   "name=Jörg");
		for (int j = 0; j < COUNTOF(common_choices); j++)
			draw_choice(&seed, common_choices[j], line);
		for (int j = 0; j < choice_count; j++)
			draw_choice(&seed, choices[j], line);
		tournament_fixture_read(gate, line);
		if (tournament_fixture_open(gate) != STATUS_DONE)
			continue;
		assert_round_trip(gate, line);
		good++;
	}
	/* What contradicts itself is refused; enough must be left. */
	assert_true(good > rounds / 8);
}

TEST_WITH(test_a_tournament_is_told_the_same_by_its_configuration, NULL,
    tournament_fixture_forget)
{
	check_round_trips(
	    false, tournament_choices, COUNTOF(tournament_choices));
}

TEST_WITH(test_a_gate_is_told_the_same_by_its_configuration, NULL,
    tournament_fixture_forget)
{
	check_round_trips(true, gate_choices, COUNTOF(gate_choices));
}

TEST_WITH(
    test_names_stand_in_the_configuration, NULL, tournament_fixture_forget)
{
	static const char *const names[] = { "one", "two" };
	char *text;

	tournament_fixture_assert_good(true, "@greedy @greedy");
	text = tournament_setup_config(
	    &tournament_fixture_setup, &tournament_fixture_settings, names);
	assert_non_null(strstr(text, "\n[bot one]\ncmd = @greedy\n"));
	assert_non_null(strstr(text, "\n[bot two]\ncmd = @greedy\n"));
	free(text);
	tournament_fixture_assert_good(true, "@greedy --base @greedy name=B");
	text = tournament_setup_config(
	    &tournament_fixture_setup, &tournament_fixture_settings, names);
	assert_non_null(strstr(text, "\n[base two]\ncmd = @greedy\n"));
	assert_non_null(strstr(text, "\n[sprt]\nelo0 = 0\nelo1 = 5\n"));
	assert_non_null(strstr(text, "\nseed = "));
	assert_null(strstr(text, "seed = auto"));
	free(text);
}

TEST_GROUP(tournament_fixture_begin, tournament_fixture_end)
