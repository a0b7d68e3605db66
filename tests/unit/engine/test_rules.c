/*
 * Rule sets as text: what is read, what is refused with which words, and the
 * seats and teams that follow.
 */
#include <stdio.h>
#include <string.h>

#include "scopa/rules.h"
#include "support.h"
#include "test.h"

enum { LINE_SIZE = 2048 };

/* Reads a spec that must be refused, and returns the sentence. */
static const char *
refusal_of(const char *spec)
{
	struct scopa_text why = support_text();
	struct scopa_rules rules, before;

	memset(&rules, 0x5A, sizeof(rules));
	before = rules;
	if (scopa_rules_parse(&rules, spec, &why))
		fail_msg("%s was not refused", spec);
	assert_memory_equal(&rules, &before, sizeof(rules));
	return why.bytes;
}

static void
assert_seats(const char *spec, int players, enum scopa_teams teams)
{
	struct scopa_rules rules = support_rules(spec);

	assert_int_equal(rules.players, players);
	assert_int_equal(rules.teams, teams);
}

TEST(test_overrides_replace_single_parameters)
{
	struct scopa_rules rules, expected;

	rules = support_rules("scopa,priority=fewest,napola=run,target=21");
	expected = scopa_preset_find("scopa")->rules;
	expected.priority = SCOPA_PRIORITY_FEWEST;
	expected.napola = SCOPA_NAPOLA_RUN;
	expected.target = 21;
	assert_memory_equal(&rules, &expected, sizeof(rules));

	rules = support_rules("cirulla,items=primiera+cards,matta=table");
	assert_int_equal(rules.items, SCOPA_BASE_CARDS | SCOPA_BASE_PRIMIERA);
	assert_int_equal(rules.matta, SCOPA_MATTA_TABLE);
	assert_int_equal(support_rules("scopa,target=9999").target, 9999);
	assert_int_equal(support_rules("scopa,items=none").items, 0);
	assert_int_equal(support_rules("scopa,ace-scopa=no").ace_scopa, 0);
}

TEST(test_players_and_teams_imply_each_other)
{
	assert_seats("scopa", 2, SCOPA_TEAMS_AB);
	assert_seats("scopa,players=3", 3, SCOPA_TEAMS_ABC);
	assert_seats("scopa,players=4", 4, SCOPA_TEAMS_ABCD);
	assert_seats("scopa,players=6", 6, SCOPA_TEAMS_ABCDEF);
	assert_seats("scopa,teams=ABAB", 4, SCOPA_TEAMS_ABAB);
	assert_seats("scopa,teams=ABCABC", 6, SCOPA_TEAMS_ABCABC);
	assert_seats("scopa,teams=ABABAB", 6, SCOPA_TEAMS_ABABAB);
	assert_seats("scopone,players=4", 4, SCOPA_TEAMS_ABAB);
	/* Whatever the order, and both at once. */
	assert_seats("scopa,hand=9,players=4", 4, SCOPA_TEAMS_ABAB);
	assert_seats("scopa,players=4,hand=9", 4, SCOPA_TEAMS_ABAB);
	assert_seats("scopa,players=4,teams=ABAB", 4, SCOPA_TEAMS_ABAB);
	assert_seats("scopa,teams=ABAB,players=4", 4, SCOPA_TEAMS_ABAB);
	assert_seats("scopone,hand=3,players=2", 2, SCOPA_TEAMS_AB);
}

TEST(test_setting_one_field_keeps_the_seats_together)
{
	struct scopa_rules rules = scopa_preset_find("scopa")->rules;
	struct scopa_text why;
	char bytes[LINE_SIZE];

	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(scopa_rules_set(&rules, "teams", "ABABAB", &why));
	assert_int_equal(rules.players, 6);
	assert_true(scopa_rules_set(&rules, "players", "6", &why));
	assert_int_equal(rules.teams, SCOPA_TEAMS_ABABAB);
	assert_true(scopa_rules_set(&rules, "players", "3", &why));
	assert_int_equal(rules.teams, SCOPA_TEAMS_ABC);
	assert_true(scopa_rules_set(&rules, "hand", "10", &why));
	assert_true(scopa_rules_set(&rules, "players", "4", &why));
	assert_int_equal(rules.teams, SCOPA_TEAMS_ABAB);
	assert_int_equal(why.length, 0);
	assert_false(scopa_rules_check(&rules, &why));
	assert_string_equal(bytes,
	    "hand=10 leaves 0 cards for the table, which contradicts table=4");

	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_false(scopa_rules_set(&rules, "hands", "3", &why));
	assert_string_equal(
	    bytes, "unknown parameter \"hands\"; did you mean \"hand\"?");
	assert_int_equal(rules.hand, 10);
}

static const char *const mistakes[][2] = {
	{ "scoppa",
	    "unknown preset \"scoppa\"; did you mean "
	    "\"scopa\"?" },
	{ "cirula,target=21",
	    "unknown preset \"cirula\"; did you "
	    "mean \"cirulla\"?" },
	{ "briscola",
	    "unknown preset \"briscola\"; the presets are scopa, "
	    "scopa-bga, scopa-napoli, scopone, scopone-chitarrella, "
	    "scientifico, trentino, trente, assi, assi-traditional, "
	    "assi-noscopa, re-bello, napola, ponino, quindici, escoba, "
	    "escoba-noprime, frac, perdere, cirulla" },
	{ "scopa,prioritty=any",
	    "unknown parameter \"prioritty\"; "
	    "did you mean \"priority\"?" },
	{ "scopa,pirmiera-six=18",
	    "unknown parameter \"pirmiera-six\"; did you mean "
	    "\"primiera-six\"?" },
	{ "scopa,priority=few",
	    "priority must be one of single, fewest, any (not "
	    "\"few\")" },
	{ "scopa,players=5", "players must be one of 2, 3, 4, 6 (not \"5\")" },
	{ "scopa,players=two",
	    "players must be one of 2, 3, 4, 6 (not \"two\")" },
	{ "scopa,target=0",
	    "target must be a number from 1 to 9999 (not \"0\")" },
	{ "scopa,target=10000",
	    "target must be a number from 1 to 9999 (not "
	    "\"10000\")" },
	{ "scopa,target=4294967307",
	    "target must be a number from 1 to 9999 (not "
	    "\"4294967307\")" },
	{ "scopa,target=+11",
	    "target must be a number from 1 to 9999 (not \"+11\")" },
	{ "scopa,target=",
	    "target must be a number from 1 to 9999 (not \"\")" },
	{ "scopa,items=cards+napola",
	    "items must be none or some of "
	    "cards+coins+settebello+primiera (not \"cards+napola\")" },
	{ "scopa,items=cards+cards",
	    "items must be none or some of "
	    "cards+coins+settebello+primiera (not \"cards+cards\")" },
	{ "scopa,items=cards+",
	    "items must be none or some of "
	    "cards+coins+settebello+primiera (not \"cards+\")" },
	{ "scopa,napola",
	    "napola stands without a value: it must be one of none, "
	    "run, oneplus, s1" },
	{ "scopa,", "an override KEY=VALUE is missing beside a comma" },
	{ "scopa,,napola=run",
	    "an override KEY=VALUE is missing beside a comma" },
	{ "scopa,target=11,target=21", "target is given twice: say it once" },
};

TEST(test_mistakes_are_named_with_what_is_allowed)
{
	for (size_t i = 0; i < COUNTOF(mistakes); i++)
		assert_string_equal(refusal_of(mistakes[i][0]), mistakes[i][1]);
}

TEST(test_far_words_list_all_parameters)
{
	const char *why = refusal_of("scopa,xyz=1");

	for (int i = 0; i < scopa_param_count; i++)
		assert_non_null(strstr(why, scopa_params[i].key));
}

/* The parameter that is offered for a word, `-` where none is. */
static void
assert_offered(const char *word, const char *key)
{
	char spec[LINE_SIZE];
	const char *why, *offer;

	snprintf(spec, sizeof(spec), "scopa,%s=1", word);
	why = refusal_of(spec);
	offer = strstr(why, "did you mean ");
	if (strcmp(key, "-") == 0) {
		assert_null(offer);
		assert_non_null(strstr(why, "; the parameters are "));
	} else {
		assert_non_null(offer);
		snprintf(spec, sizeof(spec), "did you mean \"%s\"?", key);
		assert_string_equal(offer, spec);
	}
}

TEST(test_slips_of_the_pen_are_understood)
{
	/* One letter too many, too few, wrong, or swapped with the next. */
	assert_offered("haand", "hand");
	assert_offered("han", "hand");
	assert_offered("hanf", "hand");
	assert_offered("ahnd", "hand");
	assert_offered("hnad", "hand");
	assert_offered("hadn", "hand");
	assert_offered("aec", "ace");
	assert_offered("ponimo", "ponino");
	assert_offered("scopa-ace", "-");
	/* Two slips are much in five letters and not too much in six. */
	assert_offered("hxnxd", "-");
	assert_offered("grxndx", "grande");
	assert_offered("rganed", "grande");
	/* The nearest of several: it is one slip from `matta`, two from `max`. */
	assert_offered("matt", "matta");
	/* Not even the beginning of a word that is too long to measure. */
	assert_offered("primiera-missing-primiera-missing", "-");
	assert_offered("primiera-missingprimiera-missing", "-");
	assert_offered("", "-");
}

TEST(test_foreign_bytes_are_quoted_harmlessly)
{
	assert_string_equal(refusal_of("sc\x1b[1m\nopa,target=1"),
	    "unknown preset \"sc?[1m?opa\"; the presets are scopa, scopa-bga, "
	    "scopa-napoli, scopone, scopone-chitarrella, scientifico, "
	    "trentino, trente, assi, assi-traditional, assi-noscopa, re-bello, "
	    "napola, ponino, quindici, escoba, escoba-noprime, frac, perdere, "
	    "cirulla");
	assert_string_equal(
	    refusal_of("scopa,aim=mostmostmostmostmostmostmostmostmostmost!"),
	    "aim must be one of most, least (not "
	    "\"mostmostmostmostmostmostmostmostmostmost...\")");
}

TEST(test_contradictions_are_refused_with_their_reason)
{
	static const char *const cases[][2] = {
		{ "scopa,players=3,teams=AB",
		    "teams=AB is for 2 players, which contradicts players=3" },
		{ "scopone,players=3",
		    "hand=9 is for 4 players as teams=ABAB, which contradicts "
		    "players=3 with teams=ABC" },
		{ "scientifico,teams=ABCD",
		    "hand=10 is for 4 players as teams=ABAB, which contradicts "
		    "players=4 with teams=ABCD" },
		{ "scopa,hand=9",
		    "hand=9 is for 4 players as teams=ABAB, which contradicts "
		    "players=2 with teams=AB" },
		{ "scopa,table=0",
		    "hand=3 leaves 4 cards for the table, which contradicts "
		    "table=0" },
		{ "scopone,table=0",
		    "hand=9 leaves 4 cards for the table, which contradicts "
		    "table=0" },
		{ "scopone,hand=10",
		    "hand=10 leaves 0 cards for the table, which contradicts "
		    "table=4" },
		{ "assi,max-captured=2",
		    "ace=sweep lets an ace take the whole table, which "
		    "contradicts max-captured=2" },
		{ "scopa,max-captured=2,ace=sweep-traditional",
		    "ace=sweep-traditional lets an ace take the whole table, "
		    "which contradicts max-captured=2" },
		{ "scientifico,opening=plain",
		    "opening=plain takes the opening table, but table=0 turns "
		    "none up" },
		{ "scientifico,redeal=aces2",
		    "redeal=aces2 looks at the opening table, but table=0 "
		    "turns none up; add redeal=none" },
		{ "scopone,declare=ask",
		    "declare=ask is about hands of 3 cards, which contradicts "
		    "hand=9" },
		{ "frac,frac=no",
		    "no point can be won by these rules: nothing counts with "
		    "items=none and scopa=0; let something count, such as "
		    "items=cards" },
		{ "scopa,items=none,scopa=0,all-coins=win",
		    "no point can be won by these rules: nothing counts with "
		    "items=none and scopa=0, and all-coins=win makes a winner "
		    "but no point; let something count, such as items=cards" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_string_equal(refusal_of(cases[i][0]), cases[i][1]);
}

/* The points of a team to which everything falls that a deal has. */
static int
points_of_everything(const struct scopa_rules *rules)
{
	struct scopa_deal deal = {
		.captured = { SCOPA_SET_ALL },
		.scopas = { (uint8_t)rules->scopa },
		.declared = { rules->declare != SCOPA_DECLARE_OFF ? 3 : 0 },
		.turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
	};
	struct scopa_score score;

	scopa_score_count(rules, &deal, &score);
	return score.total[0];
}

/* Each of the parameters that points come from, or depend on, with any other. */
static const char *const scoring_keys[] = { "items", "scopa", "napola",
	"re-bello", "ponino", "trente", "frac", "frac-tie", "all-coins",
	"sevens", "piccola", "grande", "opening", "declare" };

/* Sets the field of this key to the next of its values; false: the first. */
static bool
value_step(struct scopa_rules *rules, const char *key)
{
	const struct scopa_param *param = scopa_param_find(key);
	int count = param->kind == SCOPA_PARAM_BITS ? 1 << param->value_count
						    : param->value_count;
	int at = 0;
	int16_t value;

	memcpy(&value, (char *)rules + param->offset, sizeof(value));
	if (param->kind == SCOPA_PARAM_NUMBER)
		while (param->numbers[at] != value)
			at++;
	else
		at = value;
	at = (at + 1) % count;
	value = param->kind == SCOPA_PARAM_NUMBER ? param->numbers[at]
						  : (int16_t)at;
	memcpy((char *)rules + param->offset, &value, sizeof(value));
	return at != 0;
}

TEST(test_rules_without_any_point_are_refused_and_no_others)
{
	static const char reason[] = "no point can be won";
	struct scopa_rules rules = support_rules("scopa");
	long accepted = 0, refused = 0;
	size_t key;

	do {
		struct scopa_text why = support_text();
		bool good;

		good = scopa_rules_check(&rules, &why);
		/* What frac excludes is refused for that. */
		if (good || strncmp(why.bytes, reason, strlen(reason)) == 0) {
			assert_int_equal(
			    good, points_of_everything(&rules) > 0);
			accepted += good;
			refused += !good;
		}
		for (key = 0; key < COUNTOF(scoring_keys); key++)
			if (value_step(&rules, scoring_keys[key]))
				break;
	} while (key < COUNTOF(scoring_keys));
	assert_true(accepted > 100000);
	assert_true(refused > 10);
}

TEST(test_frac_stands_alone)
{
	static const char reason[] =
	    "frac=yes counts captured aces and figures alone and lets any set "
	    "be taken: it needs ";
	static const char *const cases[][2] = {
		{ "frac,priority=single", "priority=any (not single)" },
		{ "frac,max-captured=2", "max-captured=0 (not 2)" },
		{ "frac,items=coins", "items=none (not coins)" },
		{ "frac,scopa=1", "scopa=0 (not 1)" },
		{ "frac,napola=run", "napola=none (not run)" },
		{ "frac,re-bello=yes", "re-bello=no (not yes)" },
		{ "frac,ponino=yes", "ponino=no (not yes)" },
		{ "frac,trente=yes", "trente=no (not yes)" },
		{ "frac,all-coins=win", "all-coins=no (not win)" },
		{ "frac,sevens=escoba", "sevens=none (not escoba)" },
		{ "frac,piccola=7", "piccola=0 (not 7)" },
		{ "frac,grande=5", "grande=0 (not 5)" },
		{ "frac,opening=wild", "opening=off (not wild)" },
		{ "frac,declare=auto", "declare=off (not auto)" },
		{ "scopa,frac=yes", "priority=any (not single)" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		const char *why = refusal_of(cases[i][0]);

		assert_memory_equal(why, reason, strlen(reason));
		assert_string_equal(why + strlen(reason), cases[i][1]);
	}
	support_rules("frac,frac-tie=king,leftovers=dealer,aim=least");
}

TEST(test_values_out_of_range_are_refused)
{
	struct scopa_rules rules = scopa_preset_find("scopa")->rules;
	struct scopa_text why = support_text();

	rules.players = 5;
	assert_false(scopa_rules_check(&rules, &why));
	assert_string_equal(
	    why.bytes, "players must be one of 2, 3, 4, 6 (not 5)");
	rules.players = 2;
	rules.teams = SCOPA_TEAMS_COUNT;
	assert_false(scopa_rules_check(&rules, &why));
	rules.teams = -1;
	assert_false(scopa_rules_check(&rules, &why));
	rules.teams = SCOPA_TEAMS_AB;
	rules.items = 16;
	assert_false(scopa_rules_check(&rules, &why));
	rules.items = 15;
	assert_true(scopa_rules_check(&rules, &why));
}

TEST(test_partners_alternate)
{
	static const struct {
		const char *spec, *teams;
		int count;
	} cases[] = {
		{ "scopa", "AB", 2 },
		{ "scopa,teams=ABC", "ABC", 3 },
		{ "scopa,teams=ABCD", "ABCD", 4 },
		{ "scopa,teams=ABAB", "ABAB", 2 },
		{ "scopa,teams=ABABAB", "ABABAB", 2 },
		{ "scopa,teams=ABCABC", "ABCABC", 3 },
		{ "scopa,teams=ABCDEF", "ABCDEF", 6 },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct scopa_rules rules = support_rules(cases[i].spec);

		assert_int_equal(rules.players, strlen(cases[i].teams));
		assert_int_equal(scopa_team_count(&rules), cases[i].count);
		for (int seat = 0; seat < rules.players; seat++)
			assert_int_equal(scopa_team_of(&rules, seat),
			    cases[i].teams[seat] - 'A');
	}
}

TEST(test_parameters_explain_themselves)
{
	assert_int_equal(scopa_param_count, 37);
	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		assert_ptr_equal(scopa_param_find(param->key), param);
		assert_non_null(param->sentence);
		assert_int_equal(
		    param->sentence[strlen(param->sentence) - 1], '.');
		/* In the order of the fields, none twice. */
		assert_int_equal(param->offset, (int)sizeof(int16_t) * i);
	}
	assert_null(scopa_param_find("Players"));
}
