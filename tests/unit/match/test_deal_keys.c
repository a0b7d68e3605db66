/*
 * Games with keys of deals are equal to games with the secret; a game with too
 * few keys is aborted; its owner sees its progress.
 */
#include "deal_keys.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "dispatcher_fixture.h"
#include "match.h"
#include "support.h"
#include "test.h"

enum { DEALS = 8, REDEALS = 16 };

static struct dispatcher_fixture *fixture;
static struct deal_keys_table *table;

static int
close_all(void **state)
{
	deal_keys_close(table);
	table = NULL;
	return dispatcher_fixture_teardown(state);
}

TEST_EACH(NULL, close_all)

/* Two games of bots whose moves depend on their seeds. */
static void
open_games(const char *spec, int deals)
{
	int entrants[SCOPA_SEATS_MAX] = { 0 }, teams;

	fixture = dispatcher_fixture_open(spec);
	fixture->config.rules.deals = deals;
	for (int i = 0; i < (int)sizeof(fixture->config.rules.root_key); i++)
		fixture->config.rules.root_key.bytes[i] = (uint8_t)(3 * i + 1);
	teams = scopa_team_count(&fixture->config.rules.rules);
	for (int i = 0; i < teams; i++)
		dispatcher_fixture_bot(fixture, "random");
	for (int rotation = 0; rotation < 2; rotation++) {
		for (int seat = 0; seat < fixture->config.rules.rules.players;
		     seat++)
			entrants[seat] =
			    (scopa_team_of(&fixture->config.rules.rules, seat) +
				rotation) %
			    teams;
		dispatcher_fixture_game(fixture, entrants);
		fixture->games[rotation].rotation = rotation;
	}
}

/* From now on the games have keys, and the secret is erased. */
static void
give_keys(int deals, int redeals)
{
	struct match_rules *rules = &fixture->config.rules;

	assert_int_equal(deal_keys_open(&table, fixture->game_count), 0);
	rules->deal_keys = table;
	for (int i = 0; i < fixture->game_count; i++) {
		struct game_spec *game = &fixture->games[i];
		struct deal_keys_slot *slot = deal_keys_slot(table, i);

		deal_keys_make(
		    &slot->keys, &rules->root_key, game->event, deals, redeals);
		deal_keys_make_nonces(&slot->nonces[game->rotation],
		    &rules->root_key, game->index);
		for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
			slot->seeds[game->rotation][seat] =
			    shuffle_seat_seed(&rules->root_key, game->event,
				(uint64_t)game->index + 1, seat);
		game->keys = i + 1;
	}
	memset(&rules->root_key, 0xee, sizeof(rules->root_key));
}

/* Removes each occurrence of `word` from the text; returns their number. */
static int
cut_all(char *text, const char *word)
{
	size_t length = strlen(word);
	int count = 0;

	for (char *at; (at = strstr(text, word)) != NULL; count++)
		memmove(at, at + length, strlen(at + length) + 1);
	return count;
}

/* The same games with the secret and with keys have the same records. */
static void
assert_same_records(const char *spec, int deals)
{
	char word[sizeof(" secret=") + SHUFFLE_HEX_SIZE] = " secret=";
	char *with_secret, *with_keys;

	open_games(spec, deals);
	shuffle_key_format(
	    &fixture->config.rules.root_key, word + strlen(word));
	dispatcher_fixture_play_all(fixture);
	with_secret = dispatcher_fixture_records(fixture);
	assert_int_equal(cut_all(with_secret, word), fixture->game_count);
	give_keys(DEALS * (deals == 0 ? 4 : 1), REDEALS);
	dispatcher_fixture_play_all(fixture);
	with_keys = dispatcher_fixture_records(fixture);
	assert_string_equal(with_keys, with_secret);
	free(with_keys);
	free(with_secret);
	assert_int_equal(close_all(NULL), 0);
}

TEST(test_games_with_keys_have_the_same_records_under_all_presets)
{
	for (int i = 0; i < scopa_preset_count; i++)
		assert_same_records(scopa_presets[i].name, 2);
}

TEST(test_game_to_the_target_with_keys_has_the_same_record)
{
	assert_same_records("scopa", 0);
}

/* A third of all packs have an ace on the table. */
TEST(test_redeals_with_keys_have_the_same_records)
{
	assert_same_records("scopa,redeal=ace", DEALS);
}

/* The first game was aborted without a key, the other one is complete. */
static void
assert_aborted(int deals_played)
{
	const struct game_result *first = &fixture->results[0].result;
	const struct game_result *second = &fixture->results[1].result;

	assert_true(first->lacks_keys);
	assert_string_equal(first->summary.reason, "abort");
	assert_int_equal(first->summary.deal_count, deals_played);
	assert_int_equal(first->fault_entrant, -1);
	assert_false(second->lacks_keys);
	assert_string_equal(second->summary.reason, "deals");
}

/* With 0 deals the game ends before its first deal. */
TEST(test_game_is_aborted_at_a_deal_without_a_key)
{
	for (int deals = 0; deals <= 2; deals += 2) {
		open_games("scopa", 3);
		fixture->config.rules.answer_grid_ns = deals == 0 ? 1000000 : 0;
		give_keys(3, REDEALS);
		deal_keys_slot(table, 0)->keys.deals = deals;
		dispatcher_fixture_play_all(fixture);
		assert_aborted(deals);
		if (deals > 0)
			assert_non_null(strstr(fixture->results[0].block,
			    "\nabort match reason=keys\n"));
		assert_int_equal(close_all(NULL), 0);
	}
}

TEST(test_game_is_aborted_at_a_redeal_without_a_key)
{
	open_games("scopa,redeal=ace", DEALS);
	give_keys(DEALS, REDEALS);
	deal_keys_slot(table, 0)->keys.redeals = 1;
	dispatcher_fixture_play_all(fixture);
	assert_non_null(strstr(fixture->results[0].block, "\nredeal "));
	assert_true(fixture->results[0].result.lacks_keys);
}

/* Kills the only worker after the first game. */
static void
kill_worker(struct dispatcher_fixture *its, struct dispatcher *dispatcher)
{
	(void)dispatcher;
	if (its->counter++ == 0)
		kill(child_of(getpid()), SIGKILL);
}

TEST(test_worker_that_replaces_another_has_the_keys)
{
	char *undisturbed, *disturbed;

	open_games("scopa", 2);
	give_keys(2, REDEALS);
	dispatcher_fixture_play_all(fixture);
	undisturbed = dispatcher_fixture_records(fixture);
	fixture->after_result = kill_worker;
	dispatcher_fixture_play_all(fixture);
	disturbed = dispatcher_fixture_records(fixture);
	assert_int_equal(cut_all(disturbed, " voided=ENV_ERR"), 1);
	assert_string_equal(disturbed, undisturbed);
	free(disturbed);
	free(undisturbed);
}

TEST(test_owner_of_the_keys_sees_the_progress_of_games)
{
	open_games("scopa", 2);
	give_keys(2, REDEALS);
	dispatcher_fixture_play_all(fixture);
	for (int i = 0; i < fixture->result_count; i++) {
		struct deal_keys_slot *slot = deal_keys_slot(table, i);

		/* Two deals of 36 cards. */
		assert_in_range(atomic_load(&slot->progress), 72, 74);
		deal_keys_slot_empty(slot);
		assert_int_equal(atomic_load(&slot->progress), 0);
		assert_null(deal_keys_find(&slot->keys, 0, 0));
	}
}
