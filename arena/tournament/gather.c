#include "gather.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "record_head.h"

enum { KEY_SIZE = 16, FIRST_CAPACITY = 64, SLOTS_FIRST = 256 };

/* Both begin with the key by which they are found. */
struct gather_game {
	uint8_t digest[KEY_SIZE]; /* of the record */
	int64_t next;             /* of the same block, or -1 */
	struct summary summary;
};

struct gather_block {
	uint8_t key[KEY_SIZE];
	int64_t first, last; /* games */
	int bot_count, game_count;
};

/* Who plays in a game: the bot of each seat, by number. */
struct company {
	int16_t bots[SCOPA_SEATS_MAX];
	int new_count; /* of them that were not known, in order of their seats */
	int bot_count; /* that meet */
};

void
gather_init(struct gather *gather)
{
	*gather = (struct gather){ 0 };
}

void
gather_release(struct gather *gather)
{
	free(gather->games);
	free(gather->blocks);
	free(gather->game_slots.numbers);
	free(gather->block_slots.numbers);
	gather_init(gather);
}

int
gather_bot_find(const struct gather *gather, const char *name)
{
	for (int bot = 0; bot < gather->bot_count; bot++)
		if (strcmp(gather->names[bot], name) == 0)
			return bot;
	return -1;
}

/* Room for one more: the elements, perhaps moved, or NULL. */
static void *
reserve(void *elements, int64_t count, int64_t *capacity, size_t size)
{
	int64_t wanted = *capacity + *capacity / 2;
	void *grown;

	if (count < *capacity)
		return elements;
	if (wanted < FIRST_CAPACITY)
		wanted = FIRST_CAPACITY;
	grown = reallocarray(elements, (size_t)wanted, size);
	if (grown != NULL)
		*capacity = wanted;
	return grown;
}

/*
 * Where the element of this key, among `elements` of `size` bytes, stands in
 * the slots; or else the free slot for it.
 */
static int64_t
slot_find(const struct gather_slots *slots, const void *elements, size_t size,
    const uint8_t *key)
{
	const char *bytes = elements;
	uint64_t start;
	int64_t slot;

	memcpy(&start, key, sizeof(start));
	slot = (int64_t)(start % (uint64_t)slots->count);
	while (slots->numbers[slot] != 0 &&
	    memcmp(bytes + (size_t)(slots->numbers[slot] - 1) * size, key,
		KEY_SIZE) != 0)
		slot = (slot + 1) % slots->count;
	return slot;
}

/* Keeps at least half of the slots free; 0 or -ENOMEM. */
static int
slots_reserve(struct gather_slots *slots, const void *elements, size_t size,
    int64_t element_count)
{
	struct gather_slots grown = {
		.count = slots->count == 0 ? SLOTS_FIRST : 2 * slots->count,
	};

	if (2 * element_count < slots->count)
		return 0;
	grown.numbers = calloc((size_t)grown.count, sizeof(*grown.numbers));
	if (grown.numbers == NULL)
		return -ENOMEM;
	for (int64_t i = 0; i < slots->count; i++) {
		int64_t number = slots->numbers[i];
		const char *bytes = elements;

		if (number == 0)
			continue;
		bytes += (size_t)(number - 1) * size;
		grown.numbers[slot_find(
		    &grown, elements, size, (const uint8_t *)bytes)] = number;
	}
	free(slots->numbers);
	*slots = grown;
	return 0;
}

/* Makes room for one more game and block; 0 or -ENOMEM. */
static int
room_make(struct gather *gather)
{
	struct gather_game *games = reserve(gather->games, gather->game_count,
	    &gather->game_capacity, sizeof(*games));
	struct gather_block *blocks;

	if (games == NULL)
		return -ENOMEM;
	gather->games = games;
	blocks = reserve(gather->blocks, gather->block_count,
	    &gather->block_capacity, sizeof(*blocks));
	if (blocks == NULL)
		return -ENOMEM;
	gather->blocks = blocks;
	if (slots_reserve(&gather->game_slots, games, sizeof(*games),
		gather->game_count) < 0)
		return -ENOMEM;
	return slots_reserve(
	    &gather->block_slots, blocks, sizeof(*blocks), gather->block_count);
}

/* Games of different lengths can be counted together, as points a deal. */
static bool
rules_agree(const struct scopa_rules *a, const struct scopa_rules *b)
{
	struct scopa_rules copy = *b;

	copy.target = a->target;
	return memcmp(a, &copy, sizeof(copy)) == 0;
}

/* Whether the seats are those of the rules, and nobody is his own opponent. */
static bool
seats_check(const struct summary *summary, const struct scopa_rules *rules,
    struct record_fault *fault, int64_t line)
{
	if (summary->seat_count != rules->players) {
		record_fault_set(
		    fault, line, "the seats are not those of the rules");
		return false;
	}
	for (int a = 0; a < summary->seat_count; a++) {
		if (summary->party[a] != scopa_party_of(rules, a)) {
			record_fault_set(fault, line,
			    "the teams are not those of the rules");
			return false;
		}
		for (int b = 0; b < a; b++) {
			if (summary->party[a] == summary->party[b] ||
			    strcmp(summary->names[a], summary->names[b]) != 0)
				continue;
			record_fault_set(fault, line,
			    "\"%s\" plays against itself", summary->names[a]);
			return false;
		}
	}
	return true;
}

/* Numbers the bots; false where there would be too many. */
static bool
company_find(const struct gather *gather, const struct summary *summary,
    struct company *company)
{
	company->new_count = 0;
	for (int seat = 0; seat < summary->seat_count; seat++) {
		int bot = gather_bot_find(gather, summary->names[seat]);

		for (int before = 0; before < seat && bot < 0; before++)
			if (strcmp(summary->names[before],
				summary->names[seat]) == 0)
				bot = company->bots[before];
		if (bot < 0)
			bot = gather->bot_count + company->new_count++;
		company->bots[seat] = (int16_t)bot;
	}
	return gather->bot_count + company->new_count <= TOURNAMENT_BOTS_MAX;
}

static void
company_add(struct gather *gather, const struct summary *summary,
    const struct company *company)
{
	for (int seat = 0; seat < summary->seat_count; seat++) {
		int bot = company->bots[seat];

		if (bot < gather->bot_count)
			continue;
		assert(bot == gather->bot_count);
		memcpy(
		    gather->names[bot], summary->names[seat], EVENT_NAME_SIZE);
		gather->bot_count++;
	}
}

/* The bots that meet, each once, in the order of their numbers. */
static int
company_sort(const struct company *company, int seat_count,
    int16_t bots[SCOPA_SEATS_MAX])
{
	int count = 0;

	for (int seat = 0; seat < seat_count; seat++) {
		int16_t bot = company->bots[seat];
		int at = count;

		while (at > 0 && bots[at - 1] > bot)
			at--;
		if (at > 0 && bots[at - 1] == bot)
			continue;
		memmove(&bots[at + 1], &bots[at],
		    (size_t)(count - at) * sizeof(bots[0]));
		bots[at] = bot;
		count++;
	}
	return count;
}

/*
 * What games of one block have in common: the packs, which the event, its
 * secret or the commitment to it, and the round stand for, and the bots.
 */
static void
key_make(const struct record_head *head, const struct summary *summary,
    struct company *company, uint8_t key[KEY_SIZE])
{
	static const char *const words_used[] = { "event", "secret", "commit" };
	int16_t bots[SCOPA_SEATS_MAX] = { 0 };
	char line[EVENT_TEXT_SIZE + 4] = "tag ";
	crypto_generichash_state state;
	struct words words;

	memcpy(line + 4, head->game.tag, strlen(head->game.tag) + 1);
	words_split(line, strlen(line), &words);
	crypto_generichash_init(&state, NULL, 0, KEY_SIZE);
	for (size_t i = 0; i < sizeof(words_used) / sizeof(words_used[0]);
	     i++) {
		struct word word = words_find(&words, words_used[i]);
		uint64_t length = word.bytes != NULL ? word.length : 0;

		crypto_generichash_update(
		    &state, (const uint8_t *)&length, sizeof(length));
		if (word.bytes != NULL)
			crypto_generichash_update(
			    &state, (const uint8_t *)word.bytes, word.length);
	}
	company->bot_count = company_sort(company, summary->seat_count, bots);
	crypto_generichash_update(
	    &state, (const uint8_t *)&summary->round, sizeof(summary->round));
	crypto_generichash_update(&state, (const uint8_t *)bots,
	    (size_t)company->bot_count * sizeof(bots[0]));
	crypto_generichash_final(&state, key, KEY_SIZE);
}

static bool
seating_is(const struct summary *a, const struct summary *b)
{
	for (int seat = 0; seat < a->seat_count; seat++)
		if (strcmp(a->names[seat], b->names[seat]) != 0)
			return false;
	return true;
}

/*
 * Whether the game goes on with this block.  The same seating once more is of
 * another block: two runs may tag alike, and some have no other seating.
 */
static bool
block_takes(const struct gather *gather, const struct gather_block *block,
    const struct summary *summary)
{
	int64_t i = block->first;

	if (summary->round < 0 || block->game_count == BLOCK_GAMES_MAX)
		return false;
	while (i >= 0 && !seating_is(&gather->games[i].summary, summary))
		i = gather->games[i].next;
	return i < 0;
}

/* The slot of the game with this record; what stands there is 0 or its own. */
static int64_t *
game_slot(const struct gather *gather, const uint8_t digest[KEY_SIZE])
{
	return &gather->game_slots.numbers[slot_find(&gather->game_slots,
	    gather->games, sizeof(*gather->games), digest)];
}

/* Blocks that are smaller than the largest of their kind. */
static int64_t
incomplete_count(const struct gather *gather)
{
	int64_t count = 0;

	for (int bots = 0; bots <= SCOPA_SEATS_MAX; bots++) {
		int64_t smaller = 0;

		for (int games = 1; games <= BLOCK_GAMES_MAX; games++) {
			int64_t blocks = gather->sizes[bots][games];

			if (blocks == 0)
				continue;
			count += smaller;
			smaller = blocks;
		}
	}
	return count;
}

/* Puts the game in its block; there is room. */
static void
game_add(struct gather *gather, const struct summary *summary,
    const struct company *company, const uint8_t digest[KEY_SIZE],
    const uint8_t key[KEY_SIZE])
{
	int64_t number = gather->game_count++;
	int64_t *slot =
	    &gather->block_slots.numbers[slot_find(&gather->block_slots,
		gather->blocks, sizeof(*gather->blocks), key)];
	struct gather_block *block = NULL;

	*game_slot(gather, digest) = number + 1;
	gather->games[number] =
	    (struct gather_game){ .summary = *summary, .next = -1 };
	memcpy(gather->games[number].digest, digest, KEY_SIZE);
	if (*slot != 0)
		block = &gather->blocks[*slot - 1];
	if (block != NULL && block_takes(gather, block, summary)) {
		gather->games[block->last].next = number;
		gather->sizes[block->bot_count][block->game_count]--;
	} else {
		block = &gather->blocks[gather->block_count++];
		*block = (struct gather_block){
			.first = number,
			.bot_count = company->bot_count,
		};
		memcpy(block->key, key, KEY_SIZE);
		*slot = gather->block_count;
	}
	block->last = number;
	gather->sizes[block->bot_count][++block->game_count]++;
	gather->incomplete = incomplete_count(gather);
}

/* Whether the game can be counted with those before it. */
static bool
game_check(const struct gather *gather, const struct scopa_rules *rules,
    const struct summary *summary, int64_t line, struct record_fault *fault)
{
	if (!seats_check(summary, rules, fault, line))
		return false;
	if (gather->game_count > 0 && !rules_agree(&gather->rules, rules)) {
		record_fault_set(
		    fault, line, "the rules are not those of the games before");
		return false;
	}
	if (gather->game_count == GATHER_GAMES_MAX) {
		record_fault_set(
		    fault, line, "more than %d games", (int)GATHER_GAMES_MAX);
		return false;
	}
	return true;
}

int
gather_take(struct gather *gather, const struct record_block *record,
    struct record_fault *fault)
{
	int64_t line = record->first_line;
	uint8_t digest[KEY_SIZE], key[KEY_SIZE];
	struct company company;
	struct record_head head;
	struct summary summary;

	if (!record_head_read(record, &head, fault))
		return -EBADMSG;
	if (summary_read(&summary, record->bytes, record->size) < 0) {
		record_fault_set(fault, line, "not the record of a whole game");
		return -EBADMSG;
	}
	if (summary.analysis) {
		record_fault_set(fault, line,
		    "a game for analysis, in which bots may see all cards");
		return -EPERM;
	}
	if (strcmp(summary.reason, "abort") == 0) {
		gather->aborted++;
		return 0;
	}
	if (!game_check(gather, &head.rules, &summary, line, fault))
		return -EBADMSG;
	if (!company_find(gather, &summary, &company)) {
		record_fault_set(
		    fault, line, "more than %d bots", (int)TOURNAMENT_BOTS_MAX);
		return -EBADMSG;
	}
	if (room_make(gather) < 0)
		return -ENOMEM;
	crypto_generichash(digest, KEY_SIZE, (const uint8_t *)record->bytes,
	    record->size, NULL, 0);
	if (*game_slot(gather, digest) != 0) {
		gather->repeated++;
		return 0;
	}
	if (gather->game_count == 0) {
		gather->rules = head.rules;
		gather->preset = head.preset;
	}
	key_make(&head, &summary, &company, key);
	company_add(gather, &summary, &company);
	game_add(gather, &summary, &company, digest, key);
	return 0;
}

/* The member that plays as this bot; a new one where there is none. */
static uint8_t
member_of(struct block_plan *plan, int bot)
{
	int member = 0;

	while (member < plan->bot_count && plan->bots[member] != bot)
		member++;
	if (member == plan->bot_count)
		plan->bots[plan->bot_count++] = bot;
	return (uint8_t)member;
}

void
gather_get(
    const struct gather *gather, int64_t index, struct block_result *block)
{
	const struct gather_block *source = &gather->blocks[index];
	struct block_plan *plan = &block->plan;
	int64_t at = source->first;
	int round = gather->games[at].summary.round;

	assert(index >= 0 && index < gather->block_count);
	*block = (struct block_result){
		.plan = {
			.index = index,
			.round = round < 0 ? 0 : round,
			.game_count = source->game_count,
		},
	};
	for (int game = 0; game < source->game_count; game++) {
		const struct summary *summary = &gather->games[at].summary;

		block->games[game] = *summary;
		for (int seat = 0; seat < summary->seat_count; seat++) {
			int bot = gather_bot_find(gather, summary->names[seat]);

			plan->seating[game][seat] = member_of(plan, bot);
		}
		at = gather->games[at].next;
	}
}
