#include "standings.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "game.h"
#include "walls.h"

/* Pairs of bots that one block may have. */
enum { BLOCK_PAIRS_MAX = SCOPA_SEATS_MAX * (SCOPA_SEATS_MAX - 1) / 2 };

enum { PAIRS_FIRST_CAPACITY = 256 };

int
standings_open(
    struct standings *standings, const struct scopa_rules *rules, int bot_count)
{
	size_t count = (size_t)bot_count;
	struct standing *bots;
	struct encounter *encounters;

	assert(bot_count >= 2 && bot_count <= TOURNAMENT_BOTS_MAX);
	bots = calloc(count, sizeof(*bots));
	encounters = calloc(count * count, sizeof(*encounters));
	if (bots == NULL || encounters == NULL) {
		free(bots);
		free(encounters);
		return -ENOMEM;
	}
	for (int bot = 0; bot < bot_count; bot++)
		bots[bot].skill = SKILL_START;
	*standings = (struct standings){
		.rules = *rules,
		.bot_count = bot_count,
		.bots = bots,
		.encounters = encounters,
	};
	return 0;
}

void
standings_close(struct standings *standings)
{
	free(standings->bots);
	free(standings->encounters);
	free(standings->pairs);
	*standings = (struct standings){ 0 };
}

static struct encounter *
encounter_of(const struct standings *standings, int first, int second)
{
	assert(first >= 0 && first < standings->bot_count);
	assert(second >= 0 && second < standings->bot_count);
	assert(first != second);
	return &standings->encounters[first * standings->bot_count + second];
}

const struct encounter *
standings_encounter(const struct standings *standings, int first, int second)
{
	return encounter_of(standings, first, second);
}

/* Makes room for the pairs of one more block. */
static int
pairs_reserve(struct standings *standings)
{
	int64_t capacity = standings->pair_capacity;
	struct ranking_block *pairs;

	if (capacity - standings->pair_count >= BLOCK_PAIRS_MAX)
		return 0;
	capacity = capacity == 0 ? PAIRS_FIRST_CAPACITY : capacity * 2;
	pairs = reallocarray(
	    standings->pairs, (size_t)capacity, sizeof(*standings->pairs));
	if (pairs == NULL)
		return -ENOMEM;
	standings->pairs = pairs;
	standings->pair_capacity = capacity;
	return 0;
}

static void
count_result(struct trinomial *results, double score)
{
	if (score > 0.5)
		results->wins++;
	else if (score < 0.5)
		results->losses++;
	else
		results->draws++;
}

/*
 * Whether the member lost the game by its own offence.  Partners lose with an
 * offender, but have not offended.
 */
static bool
is_forfeiter(const struct standings *standings,
    const struct block_result *block, int game, int member)
{
	const struct summary *summary = &block->games[game];

	if (summary->forfeiter == SCOPA_PARTY_NONE)
		return false;
	if (summary->offender >= 0)
		return block->plan.seating[game][summary->offender] == member;
	return block_party(&standings->rules, &block->plan, game, member) ==
	    summary->forfeiter;
}

/* What the seats of a member did in a game. */
static void
take_seats(struct standing *standing, const struct block_result *block,
    int game, int member)
{
	const struct summary *summary = &block->games[game];
	bool pondered = false;

	for (int seat = 0; seat < summary->seat_count; seat++) {
		if (block->plan.seating[game][seat] != member)
			continue;
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			standing->offences[kind] +=
			    summary->offences[seat][kind];
		standing->think_us += summary->think_us[seat];
		standing->decisions += summary->decision_count[seat];
		if (summary->pondered[seat]) {
			standing->ponder_ns += summary->off_turn_ns[seat];
			pondered = true;
		}
		if (summary->think_longest_us[seat] >
		    standing->think_longest_us)
			standing->think_longest_us =
			    summary->think_longest_us[seat];
	}
	standing->ponder_games += pondered;
}

/* A win is to beat all others; to share the first place is a draw. */
static void
count_rank(const struct scopa_rules *rules, const struct summary *summary,
    int party, struct trinomial *results)
{
	bool alone = true;

	for (int other = 0; other < scopa_party_count(rules); other++)
		if (other != party && block_rank(rules, summary, other) == 0)
			alone = false;
	if (block_rank(rules, summary, party) > 0)
		results->losses++;
	else if (alone)
		results->wins++;
	else
		results->draws++;
}

/* Counts a game of one deal by its dealer. */
static void
take_side(struct standing *standing, const struct scopa_rules *rules,
    const struct block_result *block, int game, int member)
{
	const struct summary *summary = &block->games[game];
	int party = block_party(rules, &block->plan, game, member);
	bool deals = scopa_party_of(rules, block->plan.dealer) == party;
	struct standing_deals *side =
	    &standing->sides[deals ? STANDING_DECK : STANDING_HAND];

	if (summary->deal_count != 1)
		return;
	count_rank(rules, summary, party, &side->results);
	moments_add(
	    &side->margins, block_share(rules, block, game, member).margin);
}

/* What a member and its party made of a game. */
static void
take_game(struct standings *standings, const struct block_result *block,
    int game, int member)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct summary *summary = &block->games[game];
	struct standing *standing = &standings->bots[block->plan.bots[member]];
	int party = block_party(rules, &block->plan, game, member);
	double score = block_share(rules, block, game, member).score;

	standing->games++;
	standing->deals += summary->deal_count;
	standing->score += score;
	standing->points += summary->scores[party];
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		standing->item_points[item] +=
		    summary->item_points[party][item];
	for (int other = 0; other < scopa_party_count(rules); other++) {
		if (other == party)
			continue;
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			standing->item_points_against[item] +=
			    summary->item_points[other][item];
	}
	count_rank(rules, summary, party, &standing->results);
	take_side(standing, rules, block, game, member);
	if (is_forfeiter(standings, block, game, member)) {
		standing->forfeits++;
		if (summary->offence == OFFENCE_STARTUP)
			standing->startup_failures++;
	}
	take_seats(standing, block, game, member);
}

static void
take_member(
    struct standings *standings, const struct block_result *block, int member)
{
	struct standing *standing = &standings->bots[block->plan.bots[member]];
	struct block_share mean = block_mean(&standings->rules, block, member);

	standing->blocks++;
	moments_add(&standing->margins, mean.margin);
	if (!mean.forfeit)
		moments_add(&standing->clean, mean.margin);
	for (int game = 0; game < block->plan.game_count; game++)
		take_game(standings, block, game, member);
}

/*
 * What one member made of another in the games in which they were opponents:
 * the mean margin, and the sum of the scores.  The number of these games.
 */
static int
take_duels(struct standings *standings, const struct block_result *block,
    int member, int other, struct block_share *whole)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct encounter *encounter =
	    encounter_of(standings, plan->bots[member], plan->bots[other]);
	int games = 0;

	*whole = (struct block_share){ 0 };
	for (int game = 0; game < plan->game_count; game++) {
		struct block_share duel;

		if (block_party(rules, plan, game, member) ==
		    block_party(rules, plan, game, other))
			continue;
		duel = block_duel(rules, block, game, member, other);
		games++;
		count_result(&encounter->results, duel.score);
		if (is_forfeiter(standings, block, game, member))
			encounter->forfeits++;
		whole->margin += duel.margin;
		whole->score += duel.score;
		whole->forfeit |= duel.forfeit;
	}
	if (games > 0)
		whole->margin /= games;
	encounter->games += games;
	return games;
}

/* The games of a block without forfeits, once more. */
static void
take_clean(struct standings *standings, const struct block_result *block,
    int member, int other)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct encounter *encounter =
	    encounter_of(standings, plan->bots[member], plan->bots[other]);

	for (int game = 0; game < plan->game_count; game++)
		if (block_party(rules, plan, game, member) !=
		    block_party(rules, plan, game, other))
			count_result(&encounter->clean_results,
			    block_duel(rules, block, game, member, other)
				.score);
}

/* One member against another; false where they were partners throughout. */
static bool
take_encounter(struct standings *standings, const struct block_result *block,
    int member, int other, double *margin)
{
	struct encounter *encounter = encounter_of(
	    standings, block->plan.bots[member], block->plan.bots[other]);
	struct block_share whole;
	int games = take_duels(standings, block, member, other, &whole);
	bool paired = games == 2 && scopa_party_count(&standings->rules) == 2;
	int score = (int)(2 * whole.score);

	if (games == 0)
		return false;
	*margin = whole.margin;
	encounter->paired =
	    paired && (encounter->blocks == 0 || encounter->paired);
	encounter->blocks++;
	moments_add(&encounter->margins, whole.margin);
	if (block_mirrored(&standings->rules, block))
		encounter->mirrors++;
	if (paired)
		encounter->pairs.counts[score]++;
	if (whole.forfeit)
		return true;
	moments_add(&encounter->clean, whole.margin);
	if (paired)
		encounter->clean_pairs.counts[score]++;
	take_clean(standings, block, member, other);
	return true;
}

static void
take_pairs(struct standings *standings, const struct block_result *block)
{
	const struct block_plan *plan = &block->plan;
	int64_t start = standings->pair_count;

	for (int one = 0; one < plan->bot_count; one++) {
		for (int two = one + 1; two < plan->bot_count; two++) {
			double margin, opposite;

			if (!take_encounter(
				standings, block, one, two, &margin))
				continue;
			take_encounter(standings, block, two, one, &opposite);
			standings->pairs[standings->pair_count] =
			    (struct ranking_block){
				    .first = (int16_t)plan->bots[one],
				    .second = (int16_t)plan->bots[two],
				    .margin = (float)margin,
				    .joined = standings->pair_count > start,
			    };
			standings->pair_count++;
		}
	}
}

static void
take_skills(
    struct standings *standings, const struct block_result *block, int game)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct skill *players[SCOPA_SEATS_MAX];
	int parties[SCOPA_SEATS_MAX], ranks[SCOPA_PARTIES_MAX];

	for (int member = 0; member < plan->bot_count; member++) {
		players[member] = &standings->bots[plan->bots[member]].skill;
		parties[member] = block_party(rules, plan, game, member);
	}
	for (int party = 0; party < scopa_party_count(rules); party++)
		ranks[party] = block_rank(rules, &block->games[game], party);
	skill_update(
	    players, parties, plan->bot_count, ranks, scopa_party_count(rules));
}

static void
take_sandbox(struct standings *standings, const struct summary *game)
{
	struct standings_sandbox *sandbox = standings->sandboxes;
	int count = standings->sandbox_count, at = 0;

	while (at < count && strcmp(sandbox[at].name, game->sandbox) != 0)
		at++;
	if (at == STANDINGS_SANDBOXES_MAX)
		at--;
	if (at == count) {
		memcpy(sandbox[at].name, game->sandbox, sizeof(game->sandbox));
		standings->sandbox_count++;
	}
	sandbox[at].games++;
}

int64_t
standings_unboxed(const struct standings *standings)
{
	int64_t games = 0;

	for (int i = 0; i < standings->sandbox_count; i++) {
		const struct standings_sandbox *sandbox =
		    &standings->sandboxes[i];

		if (strcmp(sandbox->name, WALLS_UNBOXED) == 0 ||
		    strcmp(sandbox->name, walls_level_name(WALLS_NONE)) == 0)
			games += sandbox->games;
	}
	return games;
}

int
standings_take(struct standings *standings, const struct block_result *block)
{
	const struct block_plan *plan = &block->plan;

	if (block->skipped) {
		standings->skipped++;
		return 0;
	}
	if (pairs_reserve(standings) < 0)
		return -ENOMEM;
	standings->blocks++;
	for (int member = 0; member < plan->bot_count; member++)
		take_member(standings, block, member);
	take_pairs(standings, block);
	for (int game = 0; game < plan->game_count; game++) {
		const struct summary *summary = &block->games[game];

		standings->games++;
		standings->deals += summary->deal_count;
		if (summary->forfeiter != SCOPA_PARTY_NONE)
			standings->forfeits++;
		standings->max_deals_games +=
		    strcmp(summary->reason, GAME_REASON_MAX_DEALS) == 0;
		standings->void_turns += summary->void_turns;
		standings->void_games += summary->void_turns > 0;
		standings->replayed += summary->voided_count > 0;
		standings->analysed += summary->analysis;
		if (summary->lag_longest_ns > standings->lag_longest_ns)
			standings->lag_longest_ns = summary->lag_longest_ns;
		take_sandbox(standings, summary);
		take_skills(standings, block, game);
	}
	return 0;
}
