#include "remote_fixture.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match_head.h"
#include "planned_block.h"
#include "sandbox.h"
#include "support.h"
#include "test.h"

enum { BLOCK = 7, ROUND = 3 };

/* A game in progress. */
struct remote_game {
	struct remote_fixture *fixture;
	const struct job_game *of;
	struct game_spec spec;
	struct game game;
	struct outbox outbox;
	struct game_head head;
	struct session sessions[SCOPA_SEATS_MAX];
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct record record;
	uint64_t random;
	int decision_count;
	int strikes[SCOPA_SEATS_MAX];
};

static void
configure(struct remote_fixture *fixture, const char *spec, int deals)
{
	struct match_rules *rules = &fixture->config.rules;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	rules->rules = support_rules(spec);
	rules->preset = scopa_preset_find(name);
	rules->deals = deals;
	rules->settings.control =
	    (struct budget_control){ BUDGET_MOVE, 10000, 0 };
	rules->settings.policy = POLICY_FORFEIT;
	rules->settings.strikes_max = 3;
	for (int i = 0; i < SHUFFLE_KEY_SIZE; i++) {
		rules->root_key.bytes[i] = (uint8_t)(i + 1);
		rules->commitment.bytes[i] = (uint8_t)(0xA0 + i);
	}
	fixture->config.entrants = fixture->entrants;
	fixture->config.entrant_count = scopa_team_count(&rules->rules);
	for (int i = 0; i < fixture->config.entrant_count; i++)
		snprintf(fixture->entrants[i].name, EVENT_NAME_SIZE, "bot-%d",
		    i + 1);
}

static void
make_job(struct remote_fixture *fixture)
{
	const struct match_rules *rules = &fixture->config.rules;
	int teams = fixture->config.entrant_count;
	struct planned_block block = { .number = BLOCK, .game_count = teams };

	for (int i = 0; i < teams; i++) {
		struct game_spec *spec = &block.games[i];

		*spec = (struct game_spec){
			.index = BLOCK * teams + i,
			.round = ROUND,
			.rotation = i,
			.dealer = 1,
		};
		snprintf(
		    spec->event, sizeof(spec->event), "round-%d", ROUND + 1);
		for (int seat = 0; seat < rules->rules.players; seat++)
			spec->entrant[seat] =
			    (scopa_team_of(&rules->rules, seat) + i) % teams;
	}
	planned_block_job(&block, rules, JOB_COUNTS, true, &fixture->job);
}

struct remote_fixture *
remote_fixture_open(const char *spec, int deals)
{
	struct remote_fixture *fixture = calloc(1, sizeof(*fixture));
	uint8_t seed[crypto_sign_SEEDBYTES] = { 1 };

	assert_non_null(fixture);
	configure(fixture, spec, deals);
	make_job(fixture);
	memset(fixture->run, 'a', sizeof(fixture->run) - 1);
	crypto_sign_seed_keypair(
	    fixture->key.public, fixture->key.secret, seed);
	record_init(&fixture->record);
	fixture->seed = 1;
	fixture->reason = "bad-sum";
	fixture->sandbox = SANDBOX_UNBOXED;
	return fixture;
}

void
remote_fixture_close(struct remote_fixture *fixture)
{
	record_release(&fixture->record);
	free(fixture);
}

static void
step(struct remote_game *game)
{
	assert_int_equal(record_step(&game->record, &game->outbox), 0);
}

static void
open_game(struct remote_game *game, bool own)
{
	static const char utc[] = "2026-11-21T10:05:48.123Z";
	struct remote_fixture *fixture = game->fixture;
	const struct match_rules *rules = &fixture->config.rules;
	const struct session *sessions[SCOPA_SEATS_MAX];
	struct scopa_text tag;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		sessions[seat] = &game->sessions[seat];
		snprintf(game->sessions[seat].version, SESSION_NAME_SIZE, "%s",
		    seat == 0 ? "1.0" : "");
	}
	game->spec = game->of->spec;
	match_head_fill(
	    &game->head, rules, &game->spec, fixture->entrants, sessions);
	if (fixture->tc != NULL)
		snprintf(game->head.match.tc, sizeof(game->head.match.tc), "%s",
		    fixture->tc);
	game->spec.keys = !own;
	scopa_text_init(&tag, game->head.tag, sizeof(game->head.tag));
	match_head_tag(
	    &tag, rules, &game->spec, fixture->entrants, utc, fixture->sandbox);
	game_open(&game->game,
	    &(struct game_opening){
		.rules = &rules->rules,
		.preset = rules->preset,
		.head = &game->head,
		.dealer = game->spec.dealer,
		.deals = rules->deals,
		.max_deals = rules->max_deals,
	    },
	    &game->outbox);
	step(game);
}

static void
deal(struct remote_game *game)
{
	const struct match_rules *rules = &game->fixture->config.rules;
	struct event_pack pack = { .has_key = rules->packs == NULL };
	struct shuffle_key key;

	if (rules->packs != NULL) {
		memcpy(pack.cards,
		    rules->packs
			->packs[ROUND * rules->deals % rules->packs->count],
		    sizeof(pack.cards));
	} else {
		shuffle_deal_key(&rules->root_key, game->spec.event,
		    (uint64_t)game->game.tally.deal_count + 1,
		    (uint64_t)game->game.redeal_count, &key);
		memcpy(pack.key, key.bytes, sizeof(pack.key));
		shuffle_pack(&key, pack.cards);
	}
	game_deal(&game->game, &pack);
	step(game);
}

/* The bot commits an offence; returns whether it loses the game. */
static bool
err(struct remote_game *game, int seat)
{
	const struct referee_settings *settings =
	    &game->fixture->config.rules.settings;
	struct event event = { .kind = EVENT_OFFENCE };
	int strikes = ++game->strikes[seat];

	event.offence = (struct event_offence){
		.seat = seat,
		.time_us = 1000,
		.strikes = settings->policy == POLICY_SUBSTITUTE ? strikes : 0,
	};
	strcpy(event.offence.kind, offence_name(OFFENCE_ILLEGAL));
	snprintf(event.offence.reason, sizeof(event.offence.reason), "%s",
	    game->fixture->reason);
	strcpy(event.offence.policy,
	    policy_name(
		policy_at(settings->policy, strikes, settings->strikes_max)));
	outbox_put_event(&game->outbox, &game->game.rules, &event);
	if (verdict_of(settings->policy, OFFENCE_ILLEGAL, strikes,
		settings->strikes_max) == VERDICT_MOVE_FOR)
		return false;
	game_forfeit(&game->game, scopa_team_of(&game->game.rules, seat));
	step(game);
	return true;
}

/* Makes a random move; returns whether the game continues. */
static bool
move(struct remote_game *game)
{
	struct remote_fixture *fixture = game->fixture;
	int count = scopa_moves(
	    &game->game.rules, &game->game.deal, game->moves, SCOPA_MOVES_MAX);
	int chosen = support_random_below(&game->random, count);
	struct game_stamp stamp = { .time_us = 1234 };

	if (++game->decision_count == fixture->offence_at) {
		if (err(game, game->game.deal.turn))
			return false;
		stamp = (struct game_stamp){ -1, offence_name(OFFENCE_ILLEGAL),
			NULL };
		chosen = 0;
	}
	game_move(&game->game, &game->moves[chosen], &stamp);
	step(game);
	return true;
}

static void
play_game(struct remote_game *game, bool own)
{
	bool goes_on = true;

	outbox_init(&game->outbox, 0);
	open_game(game, own);
	while (goes_on && game->game.phase != GAME_OVER) {
		if (game->game.phase == GAME_PACK)
			deal(game);
		else
			goes_on = move(game);
	}
	if (goes_on)
		game_end(&game->game);
	step(game);
	assert_int_equal(record_sum(&game->record), 0);
}

void
remote_fixture_play(struct remote_fixture *fixture, bool own)
{
	record_clear(&fixture->record);
	for (int i = 0; i < fixture->job.game_count; i++) {
		struct remote_game *game = calloc(1, sizeof(*game));

		assert_non_null(game);
		game->fixture = fixture;
		game->of = &fixture->job.games[i];
		game->random = fixture->seed + (uint64_t)i;
		play_game(game, own);
		assert_int_equal(record_add(&fixture->record,
				     game->record.bytes, game->record.size),
		    0);
		record_release(&game->record);
		free(game);
	}
}

void
remote_fixture_sign(struct remote_fixture *fixture)
{
	struct queue_result *result = &fixture->result;
	struct scopa_text text;

	scopa_text_init(&text, fixture->head_text, sizeof(fixture->head_text));
	result_head_write(&fixture->head, &text);
	*result = (struct queue_result){
		.name = fixture->head.name,
		.worker = "anna",
		.head = fixture->head_text,
		.record = fixture->record.bytes,
		.record_size = fixture->record.size,
	};
	memcpy(result->key, fixture->key.public, sizeof(result->key));
	signing_sign(&fixture->key, text.bytes, text.length, result->signature);
}

void
remote_fixture_hand_in(struct remote_fixture *fixture)
{
	struct result_head *head = &fixture->head;

	memset(head, 0, sizeof(*head));
	memcpy(head->run, fixture->run, sizeof(head->run));
	head->name = fixture->job.name;
	head->name.attempt = 1;
	head->record_size = (int64_t)fixture->record.size;
	head->game_count = fixture->job.game_count;
	for (int i = 0; i < head->game_count; i++)
		head->games[i].fault.seat = -1;
	crypto_hash_sha256(head->digest,
	    (const unsigned char *)fixture->record.bytes, fixture->record.size);
	remote_fixture_sign(fixture);
}

void
remote_fixture_sum(struct remote_fixture *fixture)
{
	struct record made, one, *record = &fixture->record;
	const char *at = record->bytes, *end = at + record->size;

	record_init(&made);
	record_init(&one);
	while (at < end) {
		const char *next =
		    (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;

		if (one.size == 0 || strncmp(at, "sum ", strlen("sum ")) != 0) {
			record_add(&one, at, (size_t)(next - at));
		} else {
			record_sum(&one);
			record_add(&made, one.bytes, one.size);
			record_clear(&one);
		}
		at = next;
	}
	record_add(&made, one.bytes, one.size);
	record_release(&one);
	record_release(record);
	*record = made;
}

void
remote_fixture_alter(struct remote_fixture *fixture, const char *after,
    const char *from, const char *to)
{
	struct record *record = &fixture->record;
	const char *end = record->bytes + record->size, *behind, *at;
	size_t size = record->size - strlen(from) + strlen(to);
	char *made = malloc(size + 1);

	assert_non_null(made);
	behind = memmem(record->bytes, record->size, after, strlen(after));
	assert_non_null(behind);
	behind += strlen(after);
	at = memmem(behind, (size_t)(end - behind), from, strlen(from));
	assert_non_null(at);
	snprintf(made, size + 1, "%.*s%s%.*s", (int)(at - record->bytes),
	    record->bytes, to, (int)(end - at) - (int)strlen(from),
	    at + strlen(from));
	record_release(record);
	record_init(record);
	record_add(record, made, size);
	free(made);
	remote_fixture_sum(fixture);
}
