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

/* The reference of a text; what the memory knows is not played. */
static bool
read_text(struct reference *reference, struct reference_memory *memory,
    const struct scopa_rules *rules, const char *bytes, size_t size)
{
	struct record_block block;
	bool good;

	memset(&fault, 0, sizeof(fault));
	record_block_init(&block);
	games_read(bytes, size, &block);
	good = reference_read(reference, memory, rules, &block, &fault);
	record_block_release(&block);
	return good;
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
	static struct reference_memory memory;
	const struct game_result *result = &told->result;
	int teams = scopa_team_count(rules), total = 0;
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	struct reference reference;

	memset(&memory, 0, sizeof(memory));
	if (!read_text(
		&reference, &memory, rules, told->block, strlen(told->block)))
		fail_msg("line %lld: %s", (long long)fault.line, fault.text);
	assert_int_equal(deals_of(&reference), result->summary.deal_count);
	for (int team = 0; team < teams; team++)
		total += result->summary.scores[team];
	for (int team = 0; team < teams; team++)
		assert_int_equal(lead_of(&reference, team),
		    sign * (teams * result->summary.scores[team] - total));
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

TEST_WITH(test_dealers_are_told_apart, games_setup, games_teardown)
{
	struct games_bench *bench = *state;
	static struct reference_memory memory;
	const struct games_order order = {
		.spec = "scopa,players=3",
		.seed = 5,
		.deals = 7,
	};
	struct scopa_rules rules = support_rules(order.spec);
	struct reference reference;

	memset(&memory, 0, sizeof(memory));
	games_play(&order, &bench->full);
	assert_true(read_text(
	    &reference, &memory, &rules, bench->full.bytes, bench->full.size));
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

TEST_WITH(test_memory_gives_what_playing_gives, games_setup, games_teardown)
{
	struct games_bench *bench = *state;
	static struct reference_memory memory, empty;
	/* More deals than it holds. */
	struct games_order order = { .spec = "scopa", .deals = 75 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference kept, played;

	memset(&memory, 0, sizeof(memory));
	/* Each game twice: other packs and dealers lie in its way. */
	for (int i = 0; i < 6; i++) {
		order.seed = (uint64_t)(i / 2);
		games_play(&order, &bench->full);
		memset(&empty, 0, sizeof(empty));
		assert_true(read_text(&played, &empty, &rules,
		    bench->full.bytes, bench->full.size));
		assert_true(read_text(&kept, &memory, &rules, bench->full.bytes,
		    bench->full.size));
		assert_memory_equal(&kept, &played, sizeof(kept));
	}
}

TEST_WITH(test_memory_looks_at_the_dealer, games_setup, games_teardown)
{
	struct games_bench *bench = *state;
	static struct reference_memory memory, empty;
	const struct games_order order = { .spec = "scopone", .deals = 1 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference one, other, played;
	const char *line;
	char *digit;

	memset(&memory, 0, sizeof(memory));
	memset(&empty, 0, sizeof(empty));
	games_play(&order, &bench->full);
	assert_true(read_text(
	    &one, &memory, &rules, bench->full.bytes, bench->full.size));
	/* The same pack with another dealer. */
	line = memmem(bench->full.bytes, bench->full.size, "\ndeal 1 ", 8);
	assert_non_null(line);
	digit = strstr(strstr(line, "dealer="), "=") + 1;
	*digit = *digit == '1' ? '2' : '1';
	assert_true(read_text(
	    &other, &memory, &rules, bench->full.bytes, bench->full.size));
	assert_true(read_text(
	    &played, &empty, &rules, bench->full.bytes, bench->full.size));
	assert_memory_equal(&other, &played, sizeof(other));
	assert_memory_not_equal(&other, &one, sizeof(other));
}

TEST_WITH(test_cards_that_were_dealt_are_as_good_as_packs, games_setup,
    games_teardown)
{
	struct games_bench *bench = *state;
	static struct reference_memory memory;
	const struct games_order order = { .spec = "scopa", .seed = 3 };
	struct scopa_rules rules = support_rules(order.spec);
	struct reference whole, least;

	memset(&memory, 0, sizeof(memory));
	games_play(&order, &bench->full);
	assert_true(read_text(
	    &whole, &memory, &rules, bench->full.bytes, bench->full.size));
	assert_true(deals_of(&whole) > 1);
	games_reduce(&bench->full, false, &bench->least);
	/* The least record does not say where a deal ends. */
	assert_true(read_text(
	    &least, &memory, &rules, bench->least.bytes, bench->least.size));
	assert_int_equal(deals_of(&least), 0);
	/* The last line keeps no end, so that this is a string. */
	bench->full.bytes[--bench->full.size] = '\0';
	for (char *at = bench->full.bytes; (at = strstr(at, "\npack ")) != NULL;
	     at++)
		memcpy(at, "\n#", 2);
	memset(&memory, 0, sizeof(memory));
	if (!read_text(
		&least, &memory, &rules, bench->full.bytes, bench->full.size))
		fail_msg("line %lld: %s", (long long)fault.line, fault.text);
	assert_memory_equal(&least, &whole, sizeof(least));
}

TEST_WITH(
    test_deal_that_was_broken_off_does_not_count, games_setup, games_teardown)
{
	static const char *const endings[] = { "forfeit", "interrupted" };
	struct games_bench *bench = *state;
	static struct reference_memory memory;

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

		memset(&memory, 0, sizeof(memory));
		games_play(&order, &bench->full);
		bench->full.bytes[--bench->full.size] = '\0';
		for (const char *at = bench->full.bytes;
		     (at = strstr(at, "\nenddeal ")) != NULL; at++)
			ends++;
		assert_true(read_text(&reference, &memory, &rules,
		    bench->full.bytes, bench->full.size));
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

/* Reads a game in which the first of these bytes stand instead of others. */
static void
expect_fault(struct games_bench *bench, const char *spec, const char *from,
    const char *to, const char *why)
{
	static struct reference_memory memory;
	const struct games_order order = { .spec = spec, .deals = 2 };
	struct scopa_rules rules = support_rules(spec);
	struct reference reference;
	char *at;

	memset(&memory, 0, sizeof(memory));
	games_play(&order, &bench->full);
	at = memmem(bench->full.bytes, bench->full.size, from, strlen(from));
	assert_non_null(at);
	memcpy(at, to, strlen(to));
	assert_false(read_text(
	    &reference, &memory, &rules, bench->full.bytes, bench->full.size));
	assert_true(fault.line > 0);
	if (strstr(fault.text, why) == NULL)
		fail_msg("\"%s\" instead of \"%s\"", fault.text, why);
}

TEST_WITH(
    test_record_that_does_not_tell_is_a_fault, games_setup, games_teardown)
{
	struct games_bench *bench = *state;

	expect_fault(bench, "scopa", "\ndeal 2 ", "\n#eal 2 ", "who deals 2");
	expect_fault(bench, "scopa",
	    "\ndeal 1 dealer=", "\ndeal 1 doaler=", "who deals 1");
	expect_fault(bench, "scopa", "cards=", "cards=ADAD", "once");
}

TEST_ROLE(series_fixture_is_role, series_fixture_role)
