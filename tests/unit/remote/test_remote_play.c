/*
 * A worker with real bots: it sends the records that follow from the secret,
 * although it does not know the secret.
 */
#include "remote_worker.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "dispatcher_fixture.h"
#include "queue_contract.h"
#include "queue_memory.h"
#include "test.h"

enum { BLOCKS = 3, GAMES = 2, DEALS = 2, REDEALS = 4 };

#define ENGINE "0.0.0 usp=1 sources=0"

TEST_ROLE(dispatcher_fixture_is_role, dispatcher_fixture_role)
TEST_EACH(NULL, dispatcher_fixture_teardown)

static struct store_error why;

static void
on_message(void *context, bool urgent, const char *sentence)
{
	(void)context;
	if (urgent)
		fail_msg("%s", sentence);
}

/*
 * A block of the games of the fixture, with the keys that follow from the
 * secret.
 */
static void
make_job(const struct dispatcher_fixture *fixture, int block, struct job *job)
{
	const struct shuffle_key *secret = &fixture->config.rules.secret;

	memset(job, 0, sizeof(*job));
	job->name.block = block;
	job->game_count = GAMES;
	job->seat_count = 2;
	for (int game = 0; game < GAMES; game++) {
		struct job_game *given = &job->games[game];

		given->spec = fixture->games[GAMES * block + game];
		deal_keys_make_nonces(
		    &given->nonces, secret, given->spec.index);
		for (int seat = 0; seat < job->seat_count; seat++)
			given->seeds[seat] =
			    shuffle_seat_seed(secret, given->spec.event,
				(uint64_t)given->spec.index + 1, seat);
	}
	deal_keys_make(
	    &job->keys, secret, job->games[0].spec.event, DEALS, REDEALS);
}

/* Both games of a block have its packs. */
static struct dispatcher_fixture *
open_games(void)
{
	struct dispatcher_fixture *fixture = dispatcher_fixture_open("scopa");

	for (int bot = 0; bot < GAMES; bot++)
		dispatcher_fixture_bot(fixture, "random");
	fixture->config.rules.deals = DEALS;
	fixture->config.rules.secret.bytes[0] = 42;
	for (int block = 0; block < BLOCKS; block++) {
		dispatcher_fixture_pair(fixture, 0, 1);
		dispatcher_fixture_pair(fixture, 1, 0);
		for (int game = 0; game < GAMES; game++) {
			struct game_spec *spec =
			    &fixture->games[GAMES * block + game];

			spec->round = block;
			spec->rotation = game;
			spec->dealer = 0;
			snprintf(spec->event, sizeof(spec->event), "round-%d",
			    block + 1);
		}
	}
	return fixture;
}

static struct dispatcher_fixture *sent; /* results from the queue */

static void
store_result(void *context, const struct queue_result *result)
{
	struct dispatcher_fixture_result *stored =
	    &sent->results[result->name.block];

	(void)context;
	sent->result_count++;
	stored->block = strndup(result->record, result->record_size);
	assert_non_null(stored->block);
}

/* Removes the words that only this machine writes. */
static void
cut_secret(char *text, const struct shuffle_key *secret)
{
	char word[sizeof(" secret=") + SHUFFLE_HEX_SIZE] = " secret=";

	shuffle_key_format(secret, word + strlen(word));
	for (char *at; (at = strstr(text, word)) != NULL;)
		memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

static void
begin(struct queue *organiser, struct queue_run *run,
    const struct signing_key *key)
{
	struct queue_worker anna = { .name = "anna" };
	struct job *job = calloc(1, sizeof(*job));

	memcpy(anna.key, key->public, sizeof(anna.key));
	queue_contract_must(
	    organiser->calls->worker_set(organiser, &anna, NULL, &why), &why);
	queue_contract_begin(organiser, run);
	for (int block = 0; block < BLOCKS; block++) {
		make_job(sent, block, job);
		queue_contract_must(
		    organiser->calls->put(organiser, run->id, job, 1, &why),
		    &why);
	}
	free(job);
}

TEST(test_records_of_a_worker_are_those_of_this_machine)
{
	static const uint8_t seed[crypto_sign_SEEDBYTES] = { 1 };
	struct queue_memory *memory = queue_memory_open();
	struct queue *organiser = queue_memory_connect(memory, NULL);
	struct queue *queue = queue_memory_connect(memory, "anna");
	struct queue_run run = { .name = "cup",
		.uid = "0123456789abcdef0123456789abcdef",
		.engine = ENGINE,
		.spec = "" };
	struct queue_worker self = { .name = "anna", .engine = ENGINE };
	struct signing_key key;
	struct remote_worker_config config = { .queue = queue,
		.run = &run,
		.self = &self,
		.key = &key,
		.idle_ns = 1,
		.now_ns = clock_now_ns,
		.speaker.say = on_message };
	struct remote_worker_outcome outcome;
	char *here, *there;
	int64_t cursor = 0;

	crypto_sign_seed_keypair(key.public, key.secret, seed);
	memcpy(self.key, key.public, sizeof(self.key));
	sent = open_games();
	sent->config.concurrency = 2;
	dispatcher_fixture_play_all(sent);
	here = dispatcher_fixture_records(sent);
	cut_secret(here, &sent->config.rules.secret);

	begin(organiser, &run, &key);
	memset(&sent->config.rules.secret, 0xee, SHUFFLE_KEY_SIZE);
	queue_contract_must(queue->calls->hello(queue, &self, 0, &why), &why);
	outcome = remote_worker_run(&config, &sent->config);
	assert_int_equal(outcome.end, REMOTE_WORKER_IDLE);
	assert_int_equal(outcome.blocks, BLOCKS);
	for (int game = 0; game < sent->result_count; game++)
		free(sent->results[game].block);
	sent->result_count = 0;
	queue_contract_must(organiser->calls->results(organiser, run.id,
				&cursor, store_result, NULL, &why),
	    &why);
	assert_int_equal(sent->result_count, BLOCKS);
	there = dispatcher_fixture_records(sent);
	assert_string_equal(there, here);
	free(there);
	free(here);
	queue_memory_close(memory);
}
