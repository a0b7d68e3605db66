#include "games.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "game.h"
#include "shuffle.h"
#include "support.h"
#include "test.h"

/* A game in progress. */
struct play {
	struct game game;
	struct outbox outbox;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct shuffle_key secret;
	const struct games_order *order;
	struct record *record;
	uint64_t random;
};

static void
step(struct play *play)
{
	int error = record_step(play->record, &play->outbox);

	assert(error == 0);
}

static void
open_game(struct play *play)
{
	const struct games_order *order = play->order;
	struct scopa_rules rules = support_rules(order->spec);
	struct game_head head;
	char name[64];

	memset(&head, 0, sizeof(head));
	snprintf(head.match.id, sizeof(head.match.id), "g%llu",
	    (unsigned long long)order->seed);
	if (order->id != NULL)
		strcpy(head.match.id, order->id);
	if (order->tag != NULL)
		strcpy(head.tag, order->tag);
	strcpy(head.match.tc, "move:10000");
	head.match.has_seeds = order->keyed;
	for (int seat = 0; seat < rules.players; seat++) {
		head.match.seeds[seat] = support_random(&play->random);
		snprintf(head.seats[seat].name, sizeof(name), "b%d b", seat);
		if (order->names[seat] != NULL)
			strcpy(head.seats[seat].name, order->names[seat]);
		strcpy(head.seats[seat].version, seat > 0 ? "1.0" : "");
	}
	if (order->keyed) {
		char hex[SHUFFLE_HEX_SIZE];

		for (int i = 0; i < SHUFFLE_KEY_SIZE; i++)
			play->secret.bytes[i] =
			    (uint8_t)support_random(&play->random);
		shuffle_key_format(&play->secret, hex);
		snprintf(head.tag, sizeof(head.tag),
		    "utc=2025-01-31T18:30:00Z event=test secret=%s", hex);
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(order->spec, ","),
	    order->spec);
	game_open(&play->game,
	    &(struct game_opening){
		.rules = &rules,
		.preset = scopa_preset_find(name),
		.head = &head,
		.dealer = support_random_below(&play->random, rules.players),
		.deals = order->deals,
		.max_deals = order->max_deals,
	    },
	    &play->outbox);
	step(play);
}

static void
deal(struct play *play)
{
	struct event_pack pack = { .has_key = play->order->keyed };

	if (pack.has_key) {
		struct shuffle_key key;

		shuffle_deal_key(&play->secret, "test",
		    (uint64_t)play->game.tally.deal_count + 1,
		    (uint64_t)play->game.redeal_count, &key);
		memcpy(pack.key, key.bytes, sizeof(pack.key));
		shuffle_pack(&key, pack.cards);
	} else {
		for (int i = 0; i < SCOPA_PACK_SIZE; i++)
			pack.cards[i] = (uint8_t)i;
		support_shuffle(&play->random, pack.cards, SCOPA_PACK_SIZE);
	}
	game_deal(&play->game, &pack);
	step(play);
}

static void
put_offence(struct play *play, int seat, const char *kind, const char *reason,
    const char *policy)
{
	struct event event = { .kind = EVENT_OFFENCE };

	event.offence.seat = seat;
	strcpy(event.offence.kind, kind);
	strcpy(event.offence.reason, reason);
	strcpy(event.offence.policy, policy);
	event.offence.strikes = 1;
	outbox_put_event(&play->outbox, &play->game.rules, &event);
}

static void
put_void(struct play *play, int seat)
{
	const struct event event = {
		.kind = EVENT_VOID,
		.void_turn = { .seat = seat,
		    .lag_us = support_random_below(&play->random, 99999999) },
	};

	outbox_put_event(&play->outbox, &play->game.rules, &event);
}

static void
put_ponder(struct play *play)
{
	const struct event event = {
		.kind = EVENT_PONDER,
		.ponder = { .seat = support_random_below(
				&play->random, play->game.rules.players),
		    .cpu_us = 234567,
		    .wall_us = 1000000 },
	};

	outbox_put_event(&play->outbox, &play->game.rules, &event);
}

/* Makes a move; sometimes it is that of the arena after an offence. */
static void
move(struct play *play)
{
	int count = scopa_moves(
	    &play->game.rules, &play->game.deal, play->moves, SCOPA_MOVES_MAX);
	int chosen = support_random_below(&play->random, count);
	int seat = play->game.deal.turn;
	struct game_stamp stamp = { .time_us = -1 };
	char info[128];

	if (play->order->remarks) {
		stamp.time_us = support_random_below(&play->random, 9999999);
		snprintf(info, sizeof(info),
		    "info %d value=0.5 # close\ninfo %d depth=2\n", seat + 1,
		    seat + 1);
		if (support_random_below(&play->random, 3) == 0)
			stamp.info = info;
		if (support_random_below(&play->random, 20) == 0)
			put_void(play, seat);
		if (support_random_below(&play->random, 20) == 0) {
			put_offence(
			    play, seat, "illegal", "bad-sum", "substitute");
			stamp.cause = "illegal";
			chosen = 0;
		}
	}
	game_move(&play->game, &play->moves[chosen], &stamp);
	step(play);
}

static void
forfeit(struct play *play, int seat, const char *kind, const char *reason)
{
	put_offence(play, seat, kind, reason, "forfeit");
	game_forfeit(&play->game, scopa_team_of(&play->game.rules, seat));
}

/* Ends the game in the middle of a deal if the order says so. */
static bool
ends_early(struct play *play)
{
	const struct games_order *order = play->order;
	/* A redeal is followed by the next pack at once. */
	bool redealt =
	    play->game.phase == GAME_PACK && play->game.redeal_count > 0;
	int absent = order->absent - 1;

	if (redealt ||
	    (absent < 0 &&
		(!order->ending ||
		    support_random_below(&play->random, 30) > 0)))
		return false;
	if (absent >= 0)
		forfeit(play, absent, "startup", "no-answer");
	else if (strcmp(order->ending, "forfeit") == 0)
		forfeit(play,
		    support_random_below(
			&play->random, play->game.rules.players),
		    "illegal", "bad-sum");
	else
		game_abort(&play->game, order->ending);
	step(play);
	return true;
}

void
games_play(const struct games_order *order, struct record *record)
{
	struct play *play = calloc(1, sizeof(*play));
	bool broken = false;

	assert(play);
	play->order = order;
	play->record = record;
	play->random = order->seed;
	record_clear(record);
	outbox_init(&play->outbox, 0);
	open_game(play);
	while (!broken && play->game.phase != GAME_OVER) {
		if (play->game.phase == GAME_PACK)
			deal(play);
		else
			move(play);
		broken = play->game.phase != GAME_OVER && ends_early(play);
	}
	if (!broken && order->remarks)
		put_ponder(play);
	if (!broken)
		game_end(&play->game);
	step(play);
	record_sum(record);
	free(play);
}

/* Whether a line of a full record is needed to derive it again. */
static bool
is_needed(const char *line, size_t length, bool packs)
{
	static const char *const always[] = { "match", "tag", "seat", "deal",
		"play", "info", "offence", "void", "ponder", "abort" };
	static const char *const cards[] = { "table", "give" };

	for (size_t i = 0; i < COUNTOF(always); i++)
		if (record_line_is(line, length, always[i]))
			return true;
	if (packs)
		return record_line_is(line, length, "pack");
	for (size_t i = 0; i < COUNTOF(cards); i++)
		if (record_line_is(line, length, cards[i]))
			return true;
	return false;
}

void
games_reduce(const struct record *full, bool packs, struct record *least)
{
	bool asked = memmem(full->bytes, full->size, " declare=ask", 12);
	const char *at = full->bytes, *end = full->bytes + full->size;

	record_clear(least);
	while (at < end) {
		const char *next =
		    (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
		size_t length = (size_t)(next - 1 - at);

		if (is_needed(at, length, packs) ||
		    (asked && record_line_is(at, length, "declare")))
			record_add(least, at, (size_t)(next - at));
		at = next;
	}
}

int
games_file(const char *bytes, size_t size)
{
	int fd = memfd_create("record", MFD_CLOEXEC);
	ssize_t written = write(fd, bytes, size);

	assert(written == (ssize_t)size);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

void
games_read(const char *bytes, size_t size, struct game_record *record)
{
	static struct record_reader reader;
	int status;

	record_reader_init_bytes(&reader, bytes, size);
	status = record_read(&reader, record);
	assert(status == 1);
}

struct games_bench specimen;

int
games_setup(void **state)
{
	memset(&specimen, 0, sizeof(specimen));
	*state = &specimen;
	return replay_open(&specimen.replay) ||
	    record_checker_open(&specimen.checker);
}

int
games_teardown(void **state)
{
	(void)state;
	replay_close(specimen.replay);
	record_checker_close(specimen.checker);
	record_release(&specimen.full);
	record_release(&specimen.least);
	record_release(&specimen.derived);
	game_record_release(&specimen.record);
	return 0;
}

int
games_derive(const char *bytes, size_t size, bool legal)
{
	struct replay_order order = { .seat = REPLAY_EVERYBODY,
		.legal = legal };
	int error;

	games_read(bytes, size, &specimen.record);
	error = replay_run(specimen.replay, &specimen.record, &order,
	    &specimen.derived, &specimen.fault);
	if (!error)
		assert_int_equal(record_sum(&specimen.derived), 0);
	return error;
}

void
games_assert_derived_has(const char *line)
{
	if (!memmem(specimen.derived.bytes, specimen.derived.size, line,
		strlen(line)))
		fail_msg("no \"%s\" in:\n%.*s", line,
		    (int)specimen.derived.size, specimen.derived.bytes);
}
