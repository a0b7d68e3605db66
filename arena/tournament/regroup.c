/*
 * Implements regroup.h: finds the blocks in game records of any origin, by a
 * hash of the packs and the seating of the bots.
 */
#include "regroup.h"

#include <errno.h>
#include <search.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "search_tree.h"

/* A game that was seen: hashes of its packs and seats, and of its record. */
struct regroup_seen {
	uint64_t game; /* the key; see search_tree_compare() */
	uint64_t record;
};

/* A block that may get further games. */
struct regroup_open {
	uint64_t key;
	TAILQ_ENTRY(regroup_open)
	by_age;         /* in the order of their first games */
	uint64_t packs; /* hash; it stands for the round of the block */
	bool packs_known;
	struct block_plan plan;                 /* of the games so far */
	struct summary *games[BLOCK_GAMES_MAX]; /* owned */
};

/* The bots of a game, by number. */
struct company {
	int bots[SCOPA_SEATS_MAX];   /* of each seat */
	int sorted[SCOPA_SEATS_MAX]; /* each once */
	int bot_count;               /* bots in this game */
	int known_count; /* bots of all games, with those of this one */
};

/* Hashes that identify a game.  No hash is 0. */
struct identity {
	uint64_t packs;  /* of its packs */
	uint64_t block;  /* of its bots in any order, round and event */
	uint64_t game;   /* of packs and seats; 0: the packs are not known */
	uint64_t record; /* of all its bytes */
};

void
regroup_init(
    struct regroup *regroup, regroup_block_function *on_block, void *context)
{
	*regroup = (struct regroup){ .on_block = on_block, .context = context };
	TAILQ_INIT(&regroup->opens);
}

/* Forgets a block. */
static void
open_remove(struct regroup *regroup, struct regroup_open *open)
{
	tdelete(open, &regroup->opens_by_key, search_tree_compare);
	TAILQ_REMOVE(&regroup->opens, open, by_age);
	regroup->open_count--;
	for (int game = 0; game < open->plan.game_count; game++)
		free(open->games[game]);
	free(open);
}

void
regroup_release(struct regroup *regroup)
{
	while (!TAILQ_EMPTY(&regroup->opens))
		open_remove(regroup, TAILQ_FIRST(&regroup->opens));
	search_tree_release(&regroup->seen);
	search_tree_release(&regroup->seen_before);
	regroup_init(regroup, regroup->on_block, regroup->context);
}

int
regroup_bot_find(const struct regroup *regroup, const char *name)
{
	for (int bot = 0; bot < regroup->bot_count; bot++)
		if (strcmp(regroup->names[bot], name) == 0)
			return bot;
	return -1;
}

/* Finds a game that was seen before, or NULL. */
static const struct regroup_seen *
seen_find(const struct regroup *regroup, uint64_t game)
{
	const struct regroup_seen wanted = { .game = game };
	struct regroup_seen **found =
	    tfind(&wanted, &regroup->seen, search_tree_compare);

	if (found == NULL)
		found =
		    tfind(&wanted, &regroup->seen_before, search_tree_compare);
	return found != NULL ? *found : NULL;
}

/*
 * Adds a game that was not seen yet: 0 or -ENOMEM.  After many games the older
 * half is forgotten.
 */
static int
seen_add(struct regroup *regroup, uint64_t game, uint64_t record)
{
	const struct regroup_seen seen = { game, record };

	if (regroup->seen_count == REGROUP_SEEN_MIN) {
		search_tree_release(&regroup->seen_before);
		regroup->seen_before = regroup->seen;
		regroup->seen = NULL;
		regroup->seen_count = 0;
	}
	if (search_tree_get(&regroup->seen, &seen, sizeof(seen),
		search_tree_compare, NULL) == NULL)
		return -ENOMEM;
	regroup->seen_count++;
	return 0;
}

/* Games of different lengths can be counted together, as points a deal. */
static bool
rules_agree(const struct scopa_rules *a, const struct scopa_rules *b)
{
	struct scopa_rules copy = *b;

	copy.target = a->target;
	return memcmp(a, &copy, sizeof(copy)) == 0;
}

/* Whether the seats are those of the rules, and no bot is its own opponent. */
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
		if (summary->team[a] != scopa_team_of(rules, a)) {
			record_fault_set(fault, line,
			    "the teams are not those of the rules");
			return false;
		}
		for (int b = 0; b < a; b++) {
			if (summary->team[a] == summary->team[b] ||
			    strcmp(summary->names[a], summary->names[b]) != 0)
				continue;
			record_fault_set(fault, line,
			    "\"%s\" plays against itself", summary->names[a]);
			return false;
		}
	}
	return true;
}

static int
bot_compare(const void *a, const void *b)
{
	const int *one = a, *other = b;

	return *one - *other;
}

/*
 * Numbers the bots of a game; false if there would be too many.  Until the game
 * is counted, new bots are stored after the known ones, but not counted.
 */
static bool
company_find(struct regroup *regroup, const struct summary *summary,
    struct company *company)
{
	int seat_count = summary->seat_count, known = regroup->bot_count;
	int *sorted = company->sorted;

	for (int seat = 0; seat < seat_count; seat++) {
		int bot = 0;

		while (bot < known &&
		    strcmp(regroup->names[bot], summary->names[seat]) != 0)
			bot++;
		if (bot == TOURNAMENT_BOTS_MAX)
			return false;
		if (bot == known)
			strcpy(regroup->names[known++], summary->names[seat]);
		company->bots[seat] = sorted[seat] = bot;
	}
	qsort(sorted, (size_t)seat_count, sizeof(*sorted), bot_compare);
	company->bot_count = 0;
	for (int i = 0; i < seat_count; i++)
		if (i == 0 || sorted[i] != sorted[company->bot_count - 1])
			sorted[company->bot_count++] = sorted[i];
	company->known_count = known;
	return true;
}

static void
hash_add(crypto_generichash_state *state, const void *bytes, size_t size)
{
	uint64_t length = size;

	crypto_generichash_update(
	    state, (const uint8_t *)&length, sizeof(length));
	crypto_generichash_update(state, bytes, size);
}

/* The hash of what was added so far; more may be added. */
static uint64_t
hash_read(const crypto_generichash_state *state)
{
	crypto_generichash_state copy = *state;
	uint8_t bytes[crypto_generichash_BYTES_MIN];
	uint64_t hash;

	crypto_generichash_final(&copy, bytes, sizeof(bytes));
	memcpy(&hash, bytes, sizeof(hash));
	return hash != 0 ? hash : 1;
}

static void
hash_begin(crypto_generichash_state *state)
{
	crypto_generichash_init(state, NULL, 0, crypto_generichash_BYTES_MIN);
}

/* Reads the first pack of the game; false if the record has none. */
static bool
pack_find(const struct game_record *record, struct event_pack *pack)
{
	struct event event;

	for (size_t i = 0; i < record->line_count; i++) {
		const struct record_line *line = &record->lines[i];

		if (line->kind == EVENT_PACK &&
		    record_line_event(record, line, &event, NULL)) {
			*pack = event.pack;
			return true;
		}
	}
	return false;
}

/*
 * Hashes event, round, and secret or commitment, which stand for the packs if
 * the record has none.  Returns whether there is a secret or a commitment.
 */
static bool
tag_add(crypto_generichash_state *state, const struct record_head *head,
    const struct summary *summary)
{
	static const char *const words_used[] = { "secret", "commit", "event" };
	struct words words;
	bool known = false;

	words_split_pairs(head->game.tag, &words);
	for (int i = 0; i < COUNTOF(words_used); i++) {
		struct word word = words_find(&words, words_used[i]);

		known |= i < 2 && word.bytes != NULL;
		hash_add(state, word.bytes != NULL ? word.bytes : "",
		    word.bytes != NULL ? word.length : 0);
	}
	hash_add(state, &summary->round, sizeof(summary->round));
	return known;
}

static struct identity
identity_find(const struct game_record *record, const struct record_head *head,
    const struct summary *summary, const struct company *company)
{
	int16_t bots[SCOPA_SEATS_MAX];
	crypto_generichash_state packs, block, game, bytes;
	struct identity identity;
	struct event_pack pack;
	bool known;

	for (int i = 0; i < company->bot_count; i++)
		bots[i] = (int16_t)company->sorted[i];
	hash_begin(&block);
	known = tag_add(&block, head, summary);
	packs = block;
	if (pack_find(record, &pack)) {
		known = true;
		hash_begin(&packs);
		hash_add(&packs, pack.cards, sizeof(pack.cards));
	}
	identity.packs = hash_read(&packs);
	hash_add(&block, &identity.packs, sizeof(identity.packs));
	hash_add(&block, bots, (size_t)company->bot_count * sizeof(bots[0]));
	identity.block = hash_read(&block);
	hash_begin(&game);
	hash_add(&game, &identity.packs, sizeof(identity.packs));
	for (int seat = 0; seat < summary->seat_count; seat++)
		hash_add(
		    &game, summary->names[seat], strlen(summary->names[seat]));
	identity.game = known ? hash_read(&game) : 0;
	hash_begin(&bytes);
	hash_add(&bytes, record->bytes, record->size);
	identity.record = hash_read(&bytes);
	return identity;
}

/* Blocks that are smaller than the largest of their kind. */
static int64_t
incomplete_count(const struct regroup *regroup)
{
	int64_t count = 0;

	for (int bots = 0; bots <= SCOPA_SEATS_MAX; bots++) {
		int64_t smaller = 0;

		for (int games = 1; games <= BLOCK_GAMES_MAX; games++) {
			int64_t blocks = regroup->sizes[bots][games];

			if (blocks == 0)
				continue;
			count += smaller;
			smaller = blocks;
		}
	}
	return count;
}

/* Reports a block to on_block and forgets it. */
static int
open_close(struct regroup *regroup, struct regroup_open *open)
{
	const struct block_plan *plan = &open->plan;
	struct block_result block = { .plan = *plan };
	int status;

	block.plan.index = regroup->block_count;
	block.plan.round = (int)(open->packs & INT32_MAX);
	for (int game = 0; game < plan->game_count; game++)
		block.games[game] = *open->games[game];
	regroup->packs = open->packs_known ? open->packs : 0;
	status = regroup->on_block(regroup->context, regroup, &block);
	regroup->block_count++;
	regroup->sizes[plan->bot_count][plan->game_count]++;
	regroup->incomplete = incomplete_count(regroup);
	open_remove(regroup, open);
	return status;
}

/* Begins a block; NULL without memory. */
static struct regroup_open *
open_begin(struct regroup *regroup, const struct identity *identity)
{
	struct regroup_open *open = calloc(1, sizeof(*open));

	if (open == NULL)
		return NULL;
	open->key = identity->block;
	open->packs = identity->packs;
	open->packs_known = identity->game != 0;
	if (tsearch(open, &regroup->opens_by_key, search_tree_compare) ==
	    NULL) {
		free(open);
		return NULL;
	}
	TAILQ_INSERT_TAIL(&regroup->opens, open, by_age);
	regroup->open_count++;
	return open;
}

/*
 * Adds the seating of a game to a block.  False: the game belongs to another
 * block.  A seating that the block has already is of another block, because
 * packs that are not known may differ.
 */
static bool
open_seat(struct regroup_open *open, const struct company *company,
    const struct summary *summary)
{
	struct block_plan *plan = &open->plan;
	uint8_t *seating = plan->seating[plan->game_count];

	if (plan->game_count == BLOCK_GAMES_MAX ||
	    (plan->game_count > 0 && summary->round < 0))
		return false;
	for (int seat = 0; seat < summary->seat_count; seat++) {
		int member = 0;

		while (member < plan->bot_count &&
		    plan->bots[member] != company->bots[seat])
			member++;
		if (member == plan->bot_count)
			plan->bots[plan->bot_count++] = company->bots[seat];
		seating[seat] = (uint8_t)member;
	}
	for (int game = 0; game < plan->game_count; game++)
		if (memcmp(plan->seating[game], seating,
			(size_t)summary->seat_count) == 0)
			return false;
	return true;
}

/* Puts the game in its block.  0, -ENOMEM, or what on_block returned. */
static int
game_add(struct regroup *regroup, const struct summary *summary,
    const struct company *company, const struct identity *identity)
{
	struct regroup_open **found = tfind(
	    &identity->block, &regroup->opens_by_key, search_tree_compare);
	struct regroup_open *open = found != NULL ? *found : NULL;
	struct summary *copy = malloc(sizeof(*copy));
	struct block_plan *plan;
	int status = 0;

	if (copy == NULL)
		return -ENOMEM;
	*copy = *summary;
	if (open != NULL && !open_seat(open, company, summary)) {
		status = open_close(regroup, open);
		open = NULL;
	}
	if (status == 0 && open == NULL) {
		if (regroup->open_count == REGROUP_OPEN_MAX)
			status =
			    open_close(regroup, TAILQ_FIRST(&regroup->opens));
		if (status == 0)
			open = open_begin(regroup, identity);
		if (open != NULL)
			open_seat(open, company, summary);
	}
	if (open == NULL) {
		free(copy);
		return status < 0 ? status : -ENOMEM;
	}
	plan = &open->plan;
	open->games[plan->game_count++] = copy;
	regroup->game_count++;
	/* Three bots can sit in six orders. */
	if (plan->game_count == (plan->bot_count == 3 ? 6 : plan->bot_count))
		return open_close(regroup, open);
	return 0;
}

/* 1: the game was there before, and is counted so; 0: it is noted; -ENOMEM. */
static int
game_seen(struct regroup *regroup, const struct identity *identity)
{
	/* A game whose packs are not known is known by its record alone. */
	uint64_t key = identity->game != 0 ? identity->game : identity->record;
	const struct regroup_seen *seen = seen_find(regroup, key);

	if (seen == NULL)
		return seen_add(regroup, key, identity->record);
	if (seen->record == identity->record)
		regroup->repeated++;
	else
		regroup->again++;
	return 1;
}

int
regroup_add(struct regroup *regroup, const struct game_record *record,
    struct record_fault *fault)
{
	int64_t line = record->first_line;
	struct company company;
	struct identity identity;
	struct record_head head;
	struct summary summary;
	int seen;

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
		regroup->aborted++;
		return 0;
	}
	if (!seats_check(&summary, &head.rules, fault, line))
		return -EBADMSG;
	if (regroup->game_count > 0 &&
	    !rules_agree(&regroup->rules, &head.rules)) {
		record_fault_set(
		    fault, line, "the rules are not those of the games before");
		return -EBADMSG;
	}
	if (!company_find(regroup, &summary, &company)) {
		record_fault_set(
		    fault, line, "more than %d bots", (int)TOURNAMENT_BOTS_MAX);
		return -EBADMSG;
	}
	identity = identity_find(record, &head, &summary, &company);
	seen = game_seen(regroup, &identity);
	if (seen != 0)
		return seen < 0 ? seen : 0;
	if (regroup->game_count == 0) {
		regroup->rules = head.rules;
		regroup->preset = head.preset;
	}
	regroup->bot_count = company.known_count;
	return game_add(regroup, &summary, &company, &identity);
}

/* Whether the two are opponents in a game of the block. */
static bool
are_opponents(const struct regroup *regroup, const struct block_result *block,
    int one, int other)
{
	const struct block_plan *plan = &block->plan;

	for (int game = 0; game < plan->game_count; game++) {
		int teams[] = { SCOPA_TEAM_NONE, SCOPA_TEAM_NONE };

		for (int i = 0; i < plan->bot_count; i++)
			if (plan->bots[i] == one || plan->bots[i] == other)
				teams[plan->bots[i] == other] =
				    block_team(&regroup->rules, plan, game, i);
		if (teams[0] != SCOPA_TEAM_NONE &&
		    teams[1] != SCOPA_TEAM_NONE && teams[0] != teams[1])
			return true;
	}
	return false;
}

int
regroup_meet(struct regroup *regroup, const struct block_result *block, int one,
    int other)
{
	int bots[] = { one < other ? one : other, one < other ? other : one };
	crypto_generichash_state meeting;
	uint64_t key;

	if (regroup->packs == 0 || !are_opponents(regroup, block, one, other))
		return 0;
	hash_begin(&meeting);
	hash_add(&meeting, "meeting", sizeof("meeting"));
	hash_add(&meeting, &regroup->packs, sizeof(regroup->packs));
	hash_add(&meeting, bots, sizeof(bots));
	key = hash_read(&meeting);
	if (seen_find(regroup, key) != NULL) {
		regroup->met_again++;
		return 1;
	}
	return seen_add(regroup, key, 0);
}

int
regroup_finish(struct regroup *regroup)
{
	int status = 0;

	while (status == 0 && !TAILQ_EMPTY(&regroup->opens))
		status = open_close(regroup, TAILQ_FIRST(&regroup->opens));
	return status;
}
