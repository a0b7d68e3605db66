/*
 * Implements standings.h: adds blocks to the totals of the bots and of the
 * pairs that have met.
 */
#include "standings.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "game.h"
#include "pack_file.h"
#include "sandbox.h"
#include "search_tree.h"

/* Pairs of bots that one block may have. */
enum { BLOCK_PAIRS_MAX = SCOPA_SEATS_MAX * (SCOPA_SEATS_MAX - 1) / 2 };

/* Rows of a side; TOURNAMENT_BOTS_MAX rows are a single cluster. */
enum { SIDE_ROWS_MAX = 65536 };

int
standings_open(
    struct standings *standings, const struct scopa_rules *rules, int bot_count)
{
	assert(bot_count >= 2 && bot_count <= TOURNAMENT_BOTS_MAX);
	*standings = (struct standings){ .rules = *rules };
	for (int side = 0; side < STANDING_SIDE_COUNT; side++)
		standings->sides[side].mask = INT32_MAX;
	return standings_resize(standings, bot_count);
}

int
standings_resize(struct standings *standings, int bot_count)
{
	size_t count = (size_t)bot_count, before = (size_t)standings->bot_count;
	size_t kept = count < before ? count : before;
	struct standing *bots;
	struct encounter *encounters;

	if (count == before)
		return 0;
	bots = calloc(count, sizeof(*bots));
	encounters = calloc(count * count, sizeof(*encounters));
	if (bots == NULL || encounters == NULL) {
		free(bots);
		free(encounters);
		return -ENOMEM;
	}
	for (size_t bot = 0; bot < kept; bot++) {
		bots[bot] = standings->bots[bot];
		memcpy(&encounters[bot * count],
		    &standings->encounters[bot * before],
		    kept * sizeof(*encounters));
	}
	for (size_t bot = before; bot < count; bot++)
		bots[bot].skill = SKILL_START;
	free(standings->bots);
	free(standings->encounters);
	standings->bots = bots;
	standings->encounters = encounters;
	standings->bot_count = bot_count;
	return 0;
}

void
standings_close(struct standings *standings)
{
	free(standings->bots);
	free(standings->encounters);
	free(standings->rows);
	for (int side = 0; side < STANDING_SIDE_COUNT; side++)
		free(standings->sides[side].rows);
	search_tree_release(&standings->met);
	*standings = (struct standings){ 0 };
}

void
standings_bet(
    struct standings *standings, int first, int second, double low, double high)
{
	double limit = scopa_points_max(&standings->rules);
	struct betting none = betting_start(low, high, limit);

	assert(standings_encounter(standings, first, second)->blocks == 0);
	standings->bets = (struct standings_bets){
		.open = true,
		.first = first,
		.second = second,
		.all = none,
		.clean = none,
	};
}

struct encounter *
standings_encounter(const struct standings *standings, int first, int second)
{
	assert(first >= 0 && first < standings->bot_count);
	assert(second >= 0 && second < standings->bot_count);
	assert(first != second);
	return &standings->encounters[first * standings->bot_count + second];
}

/* A number for the packs of a block: equal packs have equal numbers. */
static int
pack_set(const struct standings *standings, const struct block_plan *plan)
{
	const struct standings_suite *suite = &standings->suite;

	if (suite->count == 0)
		return plan->round;
	return suite
	    ->sets[pack_file_place(suite->count, plan->round, suite->deals)];
}

/* Well mixed, and never 0. */
static uint64_t
mix(uint64_t bits)
{
	bits = splitmix64(&bits);
	return bits != 0 ? bits : 1;
}

/*
 * Sets *is_fresh to whether these bots, in any order, meet with these packs for
 * the first time, and stores that they have met.  0 or -ENOMEM.
 */
static int
meet(struct standings *standings, const struct block_plan *plan, bool *is_fresh)
{
	uint64_t bots = 0, key;

	*is_fresh = true;
	/* Without a file of packs each round has its own packs, and two bots
	 * meet at most once in a round. */
	if (standings->suite.count == 0)
		return 0;
	for (int i = 0; i < plan->bot_count; i++)
		bots += mix((uint64_t)plan->bots[i] + 1);
	key = mix(bots ^
	    mix(UINT64_C(1) << 32 | (uint64_t)pack_set(standings, plan)));
	return search_tree_get(&standings->met, &key, sizeof(key),
		   search_tree_compare, is_fresh) != NULL
	    ? 0
	    : -ENOMEM;
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

	if (summary->forfeiter == SCOPA_TEAM_NONE)
		return false;
	if (summary->offender >= 0)
		return block->plan.seating[game][summary->offender] == member;
	return block_team(&standings->rules, &block->plan, game, member) ==
	    summary->forfeiter;
}

/*
 * Adds what the seats of one member did in a game.  `members` has the member of
 * each seat.
 */
static void
count_seats(struct standing *standing, const struct summary *summary,
    const uint8_t *members, int member)
{
	bool pondered = false;

	for (int seat = 0; seat < summary->seat_count; seat++) {
		if (members[seat] != member)
			continue;
		for (int kind = 0; kind < OFFENCE_KIND_COUNT; kind++)
			standing->offences[kind] +=
			    summary->offences[seat][kind];
		standing->think_us += summary->think_us[seat];
		standing->decisions += summary->decision_count[seat];
		standing->cut_short += summary->cut_short[seat];
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

/* A bot wins if it beats all others; a shared first place is a draw. */
static void
count_rank(const struct scopa_rules *rules, const struct summary *summary,
    int team, struct trinomial *results)
{
	int first_count = 0;

	for (int other = 0; other < scopa_team_count(rules); other++)
		first_count += block_rank(rules, summary, other) == 0;
	if (block_rank(rules, summary, team) > 0)
		results->losses++;
	else if (first_count == 1)
		results->wins++;
	else
		results->draws++;
}

/* The side of a member in the first deal of a game. */
static enum standing_side
side_of(const struct scopa_rules *rules, const struct block_plan *plan,
    int game, int member)
{
	int team = block_team(rules, plan, game, member);

	return scopa_team_of(rules, plan->dealer) == team ? STANDING_DECK
							  : STANDING_HAND;
}

/* Counts a game of one deal by its dealer. */
static void
count_side(struct standing *standing, const struct scopa_rules *rules,
    const struct block_result *block, int game, int member)
{
	const struct summary *summary = &block->games[game];
	int team = block_team(rules, &block->plan, game, member);
	struct standing_deals *side =
	    &standing->sides[side_of(rules, &block->plan, game, member)];

	if (summary->deal_count != 1)
		return;
	count_rank(rules, summary, team, &side->results);
	moments_add(
	    &side->margins, block_share(rules, block, game, member).margin);
}

/* Counts a game that the bot lost by its own offence. */
static void
count_forfeit(struct standing *standing, const struct summary *summary)
{
	struct standing_forfeit *first = &standing->first_forfeit;

	if (summary->offence == OFFENCE_STARTUP)
		standing->startup_failures++;
	if (standing->forfeits++ > 0)
		return;
	first->game = summary->game + 1;
	first->known = summary->offender >= 0;
	first->kind = summary->offence;
	memcpy(first->reason, summary->offence_reason, sizeof(first->reason));
}

/* Counts the result of a game for a member and its team. */
static void
count_game(struct standings *standings, const struct block_result *block,
    int game, int member)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct summary *summary = &block->games[game];
	struct standing *standing = &standings->bots[block->plan.bots[member]];
	int team = block_team(rules, &block->plan, game, member);
	double score = block_share(rules, block, game, member).score;

	standing->games++;
	standing->deals += summary->deal_count;
	standing->score += score;
	standing->points += summary->scores[team];
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		standing->item_points[item] += summary->item_points[team][item];
	for (int other = 0; other < scopa_team_count(rules); other++) {
		if (other == team)
			continue;
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			standing->item_points_against[item] +=
			    summary->item_points[other][item];
	}
	count_rank(rules, summary, team, &standing->results);
	count_side(standing, rules, block, game, member);
	if (is_forfeiter(standings, block, game, member))
		count_forfeit(standing, summary);
	count_seats(standing, summary, block->plan.seating[game], member);
}

/*
 * Removes the rounding error of a margin: thirds and tenths of several games do
 * not add up exactly.  Then equal margins are equal to the bit, and margins
 * that cancel are 0.
 */
static double
margin_round(double margin)
{
	return rint(margin * 0x1p40) * 0x1p-40;
}

static void
count_member(struct standings *standings, const struct block_result *block,
    int member, bool fresh)
{
	struct standing *standing = &standings->bots[block->plan.bots[member]];
	struct block_share mean = block_mean(&standings->rules, block, member);
	double margin = margin_round(mean.margin);

	standing->blocks++;
	if (fresh)
		moments_add(&standing->margins, margin);
	if (fresh && !mean.forfeit)
		moments_add(&standing->clean, margin);
}

static void
count_margin(struct standings *standings, const struct block_result *block,
    struct encounter *encounter, const struct block_share *whole)
{
	double step;
	int deals = 1;
	struct standings_bets *bets = &standings->bets;
	bool is_bet = bets->open &&
	    encounter ==
		standings_encounter(standings, bets->first, bets->second);

	for (int game = 0; game < block->plan.game_count; game++)
		if (block->games[game].deal_count > deals)
			deals = block->games[game].deal_count;
	/* The least difference between two margins of a block of this size. */
	step = 1.0 / (deals * block->plan.game_count);
	if (encounter->blocks == 0 || step < encounter->step)
		encounter->step = step;
	encounter->blocks++;
	encounter->differing += whole->margin != 0;
	moments_add(&encounter->margins, whole->margin);
	if (is_bet)
		betting_add(&bets->all, whole->margin);
	if (whole->forfeit)
		return;
	moments_add(&encounter->clean, whole->margin);
	if (is_bet)
		betting_add(&bets->clean, whole->margin);
}

/* One member against another; false if they were partners in all games. */
static bool
count_encounter(struct standings *standings, const struct block_result *block,
    int member, int other, struct cluster_row *row)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct encounter *encounter = standings_encounter(
	    standings, plan->bots[member], plan->bots[other]);
	/* The mean margin, and the sum of scores. */
	struct block_share whole = { .margin = 0 };
	struct trinomial results = { 0 };
	int games = 0, score;
	bool paired;

	for (int game = 0; game < plan->game_count; game++) {
		struct block_share duel;

		if (block_team(rules, plan, game, member) ==
		    block_team(rules, plan, game, other))
			continue;
		duel = block_duel(rules, block, game, member, other);
		games++;
		count_result(&results, duel.score);
		encounter->forfeits +=
		    is_forfeiter(standings, block, game, member);
		whole.margin += duel.margin;
		whole.score += duel.score;
		whole.forfeit |= duel.forfeit;
	}
	if (games == 0)
		return false;
	whole.margin = margin_round(whole.margin / games);
	encounter->games += games;
	score = (int)(2 * whole.score);
	paired = games == 2 && scopa_team_count(rules) == 2;
	trinomial_add(&encounter->results, &results);
	*row = (struct cluster_row){
		.cluster = pack_set(standings, &block->plan),
		.first = (int16_t)block->plan.bots[member],
		.second = (int16_t)block->plan.bots[other],
		.blocks = 1,
		.margin = (float)whole.margin,
		.games = (float)games,
		.score = (float)whole.score,
	};
	encounter->paired =
	    paired && (encounter->blocks == 0 || encounter->paired);
	count_margin(standings, block, encounter, &whole);
	moments_add(&encounter->scores, whole.score / games);
	if (block->plan.bot_count > encounter->company)
		encounter->company = block->plan.bot_count;
	if (block_mirrored(rules, block))
		encounter->mirrors++;
	if (paired)
		encounter->pairs.counts[score]++;
	if (whole.forfeit)
		return true;
	if (paired)
		encounter->clean_pairs.counts[score]++;
	trinomial_add(&encounter->clean_results, &results);
	return true;
}

static void
count_pairs(struct standings *standings, const struct block_result *block)
{
	const struct block_plan *plan = &block->plan;

	for (int one = 0; one < plan->bot_count; one++) {
		for (int two = one + 1; two < plan->bot_count; two++) {
			struct cluster_row *row =
			    &standings->rows[standings->row_count];
			struct cluster_row opposite;

			if (!count_encounter(standings, block, one, two, row))
				continue;
			count_encounter(standings, block, two, one, &opposite);
			standings->row_count++;
		}
	}
}

static void
rows_coarsen(struct cluster_row *rows, int64_t *row_count, int64_t row_max,
    uint32_t *mask)
{
	while (*row_count > row_max) {
		*mask >>= 1;
		for (int64_t i = 0; i < *row_count; i++)
			rows[i].cluster &= (int32_t)*mask;
		*row_count = clusters_fold(rows, *row_count);
	}
}

void
standings_coarsen(struct standings *standings, int64_t row_max, uint32_t *mask)
{
	rows_coarsen(standings->rows, &standings->row_count, row_max, mask);
}

/* Makes room for the rows of a block.  Returns 0 or -ENOMEM. */
static int
sides_make_room(struct standings *standings)
{
	int status = 0;

	for (int i = 0; standings->by_side && i < STANDING_SIDE_COUNT; i++) {
		struct standings_side *side = &standings->sides[i];

		if (array_make_room(&side->rows, &side->row_capacity,
			(size_t)side->row_count + SCOPA_SEATS_MAX,
			sizeof(*side->rows)) != 0)
			status = -ENOMEM;
	}
	return status;
}

/* Adds what a member did on one side in the games of one deal. */
static void
side_add(struct standings *standings, const struct block_result *block,
    int member, enum standing_side which)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct standings_side *side = &standings->sides[which];
	struct cluster_row row = {
		.cluster = pack_set(standings, plan) & (int32_t)side->mask,
		.first = (int16_t)plan->bots[member],
		.second = (int16_t)plan->bots[member],
	};

	for (int game = 0; game < plan->game_count; game++) {
		if (block->games[game].deal_count != 1 ||
		    side_of(rules, plan, game, member) != which)
			continue;
		row.blocks++;
		row.margin +=
		    (float)block_share(rules, block, game, member).margin;
	}
	if (row.blocks > 0)
		side->rows[side->row_count++] = row;
}

static void
count_sides(struct standings *standings, const struct block_result *block)
{
	for (int i = 0; standings->by_side && i < STANDING_SIDE_COUNT; i++) {
		struct standings_side *side = &standings->sides[i];

		for (int member = 0; member < block->plan.bot_count; member++)
			side_add(
			    standings, block, member, (enum standing_side)i);
		if (side->row_count <= SIDE_ROWS_MAX)
			continue;
		side->row_count = clusters_fold(side->rows, side->row_count);
		rows_coarsen(side->rows, &side->row_count, SIDE_ROWS_MAX / 2,
		    &side->mask);
	}
}

static void
count_skills(
    struct standings *standings, const struct block_result *block, int game)
{
	const struct scopa_rules *rules = &standings->rules;
	const struct block_plan *plan = &block->plan;
	struct skill *players[SCOPA_SEATS_MAX];
	int teams[SCOPA_SEATS_MAX], ranks[SCOPA_TEAMS_MAX];

	for (int member = 0; member < plan->bot_count; member++) {
		players[member] = &standings->bots[plan->bots[member]].skill;
		teams[member] = block_team(rules, plan, game, member);
	}
	for (int team = 0; team < scopa_team_count(rules); team++)
		ranks[team] = block_rank(rules, &block->games[game], team);
	skill_update(
	    players, teams, plan->bot_count, ranks, scopa_team_count(rules));
}

static void
count_sandbox(struct standings *standings, const struct summary *game)
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

		if (strcmp(sandbox->name, SANDBOX_UNBOXED) == 0 ||
		    strcmp(sandbox->name, sandbox_level_name(SANDBOX_NONE)) ==
			0)
			games += sandbox->games;
	}
	return games;
}

void
standings_add_game(
    struct standings *standings, const struct block_result *block, int game)
{
	const struct summary *summary = &block->games[game];

	standings->games++;
	standings->deals += summary->deal_count;
	standings->forfeits += summary->forfeiter != SCOPA_TEAM_NONE;
	standings->max_deals_games +=
	    strcmp(summary->reason, GAME_REASON_MAX_DEALS) == 0;
	standings->void_turns += summary->void_turns;
	standings->void_games += summary->void_turns > 0;
	standings->replayed += summary->voided_count > 0;
	standings->analysed += summary->analysis;
	if (summary->lag_longest_ns > standings->lag_longest_ns)
		standings->lag_longest_ns = summary->lag_longest_ns;
	count_sandbox(standings, summary);
	for (int member = 0; member < block->plan.bot_count; member++)
		count_game(standings, block, game, member);
	count_skills(standings, block, game);
}

int
standings_add_margins(
    struct standings *standings, const struct block_result *block)
{
	const struct block_plan *plan = &block->plan;
	bool fresh;

	if (array_make_room(&standings->rows, &standings->row_capacity,
		(size_t)standings->row_count + BLOCK_PAIRS_MAX,
		sizeof(*standings->rows)) ||
	    sides_make_room(standings) < 0 || meet(standings, plan, &fresh) < 0)
		return -ENOMEM;
	standings->blocks++;
	for (int member = 0; member < plan->bot_count; member++)
		count_member(standings, block, member, fresh);
	if (fresh) {
		count_pairs(standings, block);
		count_sides(standings, block);
	} else {
		standings->repeats++;
	}
	/* Packs that the same bots have met add no evidence. */
	for (int i = 0; !fresh && i < plan->bot_count * plan->bot_count; i++) {
		int one = plan->bots[i / plan->bot_count];
		int other = plan->bots[i % plan->bot_count];

		if (one != other)
			standings_encounter(standings, one, other)->repeats++;
	}
	return 0;
}

int
standings_add(struct standings *standings, const struct block_result *block)
{
	if (block->skipped) {
		standings->skipped++;
		return 0;
	}
	if (standings_add_margins(standings, block) < 0)
		return -ENOMEM;
	for (int game = 0; game < block->plan.game_count; game++)
		standings_add_game(standings, block, game);
	return 0;
}
