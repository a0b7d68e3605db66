/*
 * What a deal alone is worth: the points of the greedy bot against itself.
 */
#include "variates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games.h"
#include "series_fixture.h"
#include "support.h"
#include "test.h"

/* Beside the presets: teams, teams, every kind of declaration. */
static const char *const more_specs[] = {
	"scopa,players=3",
	"scopa,players=4",
	"scopa,teams=ABAB",
	"scopa,players=6",
	"scopa,teams=ABABAB",
	"scopa,teams=ABCABC",
	"cirulla,declare=ask",
	"cirulla,declare=ask,matta=table,players=3",
	"trente,count=at-once",
	"scopa,redeal=ace,target=3",
	"perdere,players=4",
};

static struct record_fault fault;
static struct reference_memory memory;

static int
forget(void **state)
{
	memset(&memory, 0, sizeof(memory));
	return games_setup(state);
}

/* The reference of a record; what the memory knows is not played. */
static bool
try_reading(struct reference *reference, const struct scopa_rules *rules,
    const struct record *record)
{
	struct record_block block;
	bool good;

	memset(&fault, 0, sizeof(fault));
	record_block_init(&block);
	games_read(record->bytes, record->size, &block);
	good = reference_read(reference, &memory, rules, &block, &fault);
	record_block_release(&block);
	return good;
}

static struct reference
read_record(const struct scopa_rules *rules, const struct record *record)
{
	struct reference reference;

	if (!try_reading(&reference, rules, record))
		fail_msg("line %lld: %s", (long long)fault.line, fault.text);
	return reference;
}

/* The same with nothing in memory. */
static struct reference
read_anew(const struct scopa_rules *rules, const struct record *record)
{
	memset(&memory, 0, sizeof(memory));
	return read_record(rules, record);
}

static int64_t
lead_of(const struct reference *reference, int team)
{
	int64_t lead = 0;

	for (int dealer = 0; dealer < SCOPA_TEAMS_MAX; dealer++)
		lead += reference->leads[dealer][team];
	return lead;
}

static int
deals_of(const struct reference *reference)
{
	int deals = 0;

	for (int dealer = 0; dealer < SCOPA_TEAMS_MAX; dealer++)
		deals += reference->dealt[dealer];
	return deals;
}

/* The points of a game between equals are those of its reference. */
static void
check_game(
    const struct scopa_rules *rules, const struct series_fixture_told *told)
{
	const struct summary *summary = &told->result.summary;
	const struct record record = {
		.bytes = (char *)told->block,
		.size = strlen(told->block),
	};
	int teams = scopa_team_count(rules), total = 0;
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	struct reference reference = read_anew(rules, &record);

	assert_int_equal(deals_of(&reference), summary->deal_count);
	for (int team = 0; team < teams; team++)
		total += summary->scores[team];
	for (int team = 0; team < teams; team++)
		assert_int_equal(lead_of(&reference, team),
		    sign * (teams * summary->scores[team] - total));
}

/* Real matches of the bot with itself, through processes and protocol. */
static void
check_spec(const char *spec)
{
	struct series_fixture *fixture = series_fixture_open(spec);
	const struct scopa_rules *rules = &fixture->config.rules.rules;
	int bots[SCOPA_SEATS_MAX] = { 0 };

	fixture->config.rules.deals = 0;
	for (int seat = 0; seat < rules->players; seat++)
		bots[seat] = series_fixture_bot(fixture, "greedy");
	for (int game = 0; game < 3; game++)
		series_fixture_game(fixture, bots);
	series_fixture_play_all(fixture);
	for (int game = 0; game < fixture->told_count; game++)
		check_game(rules, &fixture->told[game]);
	series_fixture_close(fixture);
}

TEST(test_it_is_a_match_of_the_bot_with_itself)
{
	for (int i = 0; i < scopa_preset_count; i++)
		check_spec(scopa_presets[i].name);
	for (size_t i = 0; i < sizeof(more_specs) / sizeof(*more_specs); i++)
		check_spec(more_specs[i]);
}

TEST_WITH(test_dealers_are_told_apart, forget, games_teardown)
{
	struct games_bench *bench = *state;
	const struct games_order order = {
		.spec = "scopa,players=3",
		.seed = 5,
		.deals = 7,
	};
	struct scopa_rules rules = support_rules(order.spec);
	struct reference reference;

	games_play(&order, &bench->full);
	reference = read_record(&rules, &bench->full);
	assert_int_equal(deals_of(&reference), 7);
	for (int dealer = 0; dealer < 3; dealer++) {
		int64_t sum = 0;

		assert_in_range(reference.dealt[dealer], 2, 3);
		for (int team = 0; team < 3; team++)
			sum += reference.leads[dealer][team];
		/* What one wins the others lose. */
		assert_int_equal(sum, 0);
	}
}

TEST_WITH(test_memory_gives_what_playing_gives, forget, games_teardown)
{
	struct games_bench *bench = *state;
	/* More deals than it holds. */
	struct games_order order = { .spec = "scopa", .deals = 75 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference kept[6], played;

	/* Each game twice: other packs and dealers lie in its way. */
	for (int i = 0; i < 6; i++) {
		order.seed = (uint64_t)(i / 2);
		games_play(&order, &bench->full);
		kept[i] = read_record(&rules, &bench->full);
	}
	for (int i = 0; i < 6; i++) {
		order.seed = (uint64_t)(i / 2);
		games_play(&order, &bench->full);
		played = read_anew(&rules, &bench->full);
		assert_memory_equal(&kept[i], &played, sizeof(played));
	}
}

TEST_WITH(test_memory_looks_at_the_dealer, forget, games_teardown)
{
	struct games_bench *bench = *state;
	const struct games_order order = { .spec = "scopone", .deals = 1 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference one, other, played;
	const char *line;
	char *digit;

	games_play(&order, &bench->full);
	one = read_record(&rules, &bench->full);
	/* The same pack with another dealer. */
	line = memmem(bench->full.bytes, bench->full.size, "\ndeal 1 ", 8);
	assert_non_null(line);
	digit = strstr(strstr(line, "dealer="), "=") + 1;
	*digit = *digit == '1' ? '2' : '1';
	other = read_record(&rules, &bench->full);
	played = read_anew(&rules, &bench->full);
	assert_memory_equal(&other, &played, sizeof(other));
	assert_memory_not_equal(&other, &one, sizeof(other));
}

TEST_WITH(
    test_cards_that_were_dealt_are_as_good_as_packs, forget, games_teardown)
{
	struct games_bench *bench = *state;
	const struct games_order order = { .spec = "scopa", .seed = 3 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference whole, least;

	games_play(&order, &bench->full);
	whole = read_record(&rules, &bench->full);
	assert_true(deals_of(&whole) > 1);
	games_reduce(&bench->full, false, &bench->least);
	/* The least record does not say where a deal ends. */
	least = read_record(&rules, &bench->least);
	assert_int_equal(deals_of(&least), 0);
	/* The last line keeps no end, so that this is a string. */
	bench->full.bytes[--bench->full.size] = '\0';
	for (char *at = bench->full.bytes; (at = strstr(at, "\npack ")) != NULL;
	     at++)
		memcpy(at, "\n#", 2);
	least = read_anew(&rules, &bench->full);
	assert_memory_equal(&least, &whole, sizeof(least));
}

TEST_WITH(test_deal_that_was_broken_off_does_not_count, forget, games_teardown)
{
	static const char *const endings[] = { "forfeit", "interrupted" };
	struct games_bench *bench = *state;

	for (uint64_t i = 0; i < 20; i++) {
		const struct games_order order = {
			.spec = "scopa",
			.seed = i,
			.deals = 4,
			.ending = endings[i % 2],
		};
		struct scopa_rules rules = support_rules(order.spec);
		struct reference reference;
		int ends = 0;

		games_play(&order, &bench->full);
		bench->full.bytes[--bench->full.size] = '\0';
		for (const char *at = bench->full.bytes;
		     (at = strstr(at, "\nenddeal ")) != NULL; at++)
			ends++;
		reference = read_anew(&rules, &bench->full);
		assert_int_equal(deals_of(&reference), ends);
	}
}

TEST(test_pack_that_is_thrown_in_is_not_played)
{
	const struct scopa_rules rules = support_rules("scopa,redeal=kings3");
	struct reference_deal deal = { .dealer = 1 };

	support_pack("KD KC KS AB", deal.pack);
	assert_false(reference_play(&rules, &deal));
	support_pack("KD KC 5S AB", deal.pack);
	assert_true(reference_play(&rules, &deal));
	assert_int_equal(deal.leads[0], -deal.leads[1]);
}

TEST_WITH(test_record_that_does_not_tell_is_a_fault, forget, games_teardown)
{
	static const struct {
		const char *from, *to, *why;
	} cases[] = {
		{ "\ndeal 2 ", "\n#eal 2 ", "who deals 2" },
		{ "\ndeal 1 dealer=", "\ndeal 1 doaler=", "who deals 1" },
		{ "cards=", "cards=ADAD", "once" },
	};
	struct games_bench *bench = *state;
	const struct games_order order = { .spec = "scopa", .deals = 2 };
	struct scopa_rules rules = support_rules("scopa");
	struct reference reference;

	for (int i = 0; i < COUNTOF(cases); i++) {
		char *at;

		games_play(&order, &bench->full);
		at = memmem(bench->full.bytes, bench->full.size, cases[i].from,
		    strlen(cases[i].from));
		assert_non_null(at);
		memcpy(at, cases[i].to, strlen(cases[i].to));
		assert_false(try_reading(&reference, &rules, &bench->full));
		assert_true(fault.line > 0);
		if (strstr(fault.text, cases[i].why) == NULL)
			fail_msg("\"%s\" instead of \"%s\"", fault.text,
			    cases[i].why);
	}
}

TEST_ROLE(series_fixture_is_role, series_fixture_role)
