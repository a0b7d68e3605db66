/*
 * The search of search.h: the tree in memory; the way down and the rewards on
 * the way up; the search loop; several searches in threads.
 *
 * The memory of the tree is an array of slots of 32 bytes.  A node is a linked
 * list of blocks.  A block is one head slot, followed by one slot for each of
 * its moves (struct branch).  Blocks are only added, never moved or freed, so
 * pointers to branches stay valid during the search.
 */
#include "search.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "now.h"
#include "splitmix.h"

/*
 * The tree: the statistics of each move, in memory of fixed size.
 *
 * A node is the list of its moves.  The list grows by a block when a new world
 * gives the seat new cards.  Block heads and moves use slots of one size.
 */

/* A move and the node below it. */
struct branch {
	uint64_t key;     /* the move without its seat, see below */
	double total;     /* sum of rewards of the team that makes it */
	float visits;     /* iterations that chose it */
	float available;  /* iterations in which it was legal */
	float prior;      /* 0 without one */
	uint32_t replies; /* slot of the first block; 0: none */
};

/* The head of a block of `count` moves. */
struct branch_block {
	scopa_set cards; /* the cards that these moves play */
	uint32_t next;   /* slot of the next block; 0: none */
	uint32_t count;
};

union branch_slot {
	struct branch branch;
	struct branch_block block;
};

_Static_assert(sizeof(union branch_slot) == 32, "two slots a cache line");

/* Slot 0 is never used: index 0 means "no block". */
struct branch_pool {
	union branch_slot *slots; /* the caller's memory */
	uint32_t size;
	uint32_t used;
};

/* Memory is rounded down to whole slots.  It need not be aligned or zeroed. */
static void
branch_pool_init(struct branch_pool *pool, void *memory, size_t size)
{
	size_t step = sizeof(union branch_slot);
	size_t skip = (step - (uintptr_t)memory % step) % step;

	pool->slots = NULL;
	pool->size = 0;
	pool->used = 0;
	if (size < skip + step)
		return;
	pool->slots = (void *)((char *)memory + skip);
	size = (size - skip) / step;
	pool->used = 1;
	pool->size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

/*
 * Appends a block of `count` zeroed moves to the list that begins at *first (a
 * slot; 0: empty list).  Returns NULL when the pool is full.
 */
static struct branch_block *
branch_add(struct branch_pool *pool, uint32_t *first, uint32_t count)
{
	uint32_t slot = pool->used;
	struct branch_block *block;

	assert(count > 0);
	if (pool->size <= slot || pool->size - slot <= count)
		return NULL;
	pool->used += count + 1;
	for (uint32_t at = *first; at != 0; at = *first)
		first = &pool->slots[at].block.next;
	*first = slot;
	block = &pool->slots[slot].block;
	*block = (struct branch_block){ .count = count };
	for (uint32_t i = 1; i <= count; i++)
		pool->slots[slot + i].branch = (struct branch){ 0 };
	return block;
}

/* Returns the block in a slot; NULL for slot 0. */
static inline struct branch_block *
branch_block_at(const struct branch_pool *pool, uint32_t slot)
{
	return slot == 0 ? NULL : &pool->slots[slot].block;
}

/* The moves of a block. */
static inline struct branch *
branch_first(struct branch_block *block)
{
	return &((union branch_slot *)block + 1)->branch;
}

/* The key has all of a move but its seat, which follows from the node. */
enum {
	BRANCH_CARD_BIT = 40,
	BRANCH_DECLARATION_BIT = 48,
	BRANCH_VALUE_BIT = 52
};

static inline uint64_t
branch_key(const struct scopa_move *move)
{
	return move->captured | (uint64_t)move->card << BRANCH_CARD_BIT |
	    (uint64_t)move->declaration << BRANCH_DECLARATION_BIT |
	    (uint64_t)move->value << BRANCH_VALUE_BIT;
}

static inline scopa_card
branch_card(const struct branch *branch)
{
	return (scopa_card)(branch->key >> BRANCH_CARD_BIT);
}

static inline struct scopa_move
branch_move(const struct branch *branch, int seat)
{
	return (struct scopa_move){
		.captured = branch->key & SCOPA_SET_ALL,
		.card = branch_card(branch),
		.declaration =
		    (uint8_t)(branch->key >> BRANCH_DECLARATION_BIT & 15),
		.value = (uint8_t)(branch->key >> BRANCH_VALUE_BIT & 15),
		.seat = (uint8_t)seat,
	};
}

/* The state of a running search. */
struct tree_search {
	const struct search_config *config;
	const struct scopa_rules *rules;
	struct greedy greedy; /* plays the playouts */
	struct branch_pool pool;
	uint64_t random;
	int seat;      /* the seat that searches */
	uint32_t root; /* slot of the first block */
	int path_length;
	int plays_end; /* play_count at which a deal ends early */
	int64_t nodes;
	int64_t plays;
	bool late; /* the deadline ended the search */
	struct {
		struct branch *branch;
		int team; /* the team that made the move */
	} path[SCOPA_HISTORY_MAX];
	int legal_count;
	/* at the node, in this world */
	struct branch *legal[SCOPA_MOVES_MAX + 1];
};

/*
 * The legal moves of a world.  `fresh` marks the moves that are not in the
 * node.
 */
struct listed {
	int count;
	int fresh_count;
	bool fresh[SCOPA_MOVES_MAX];
	struct scopa_move moves[SCOPA_MOVES_MAX];
};

/*
 * Adds a block with the legal moves that are marked fresh, and their priors in
 * this world.  When the pool is full, it adds nothing.
 */
static void
node_grow(struct tree_search *search, const struct scopa_deal *deal,
    uint32_t *first, struct listed *listed)
{
	const struct search_prior *prior = &search->config->prior;
	float weights[SCOPA_MOVES_MAX];
	struct branch_block *block =
	    branch_add(&search->pool, first, (uint32_t)listed->fresh_count);
	struct branch *branch;
	int count = 0;

	if (block == NULL)
		return;
	/* A prior that judges each move apart only needs the fresh moves. */
	for (int i = 0; prior->apart && i < listed->count; i++)
		if (listed->fresh[i]) {
			listed->fresh[count] = true;
			listed->moves[count++] = listed->moves[i];
		}
	if (prior->apart)
		listed->count = count;
	if (prior->judge != NULL)
		prior->judge(prior->context, search->rules, deal, listed->moves,
		    listed->count, weights);
	branch = branch_first(block);
	for (int i = 0; i < listed->count; i++) {
		const struct scopa_move *move = &listed->moves[i];

		if (!listed->fresh[i])
			continue;
		branch->key = branch_key(move);
		branch->prior = prior->judge != NULL ? weights[i] : 0;
		if (move->declaration == SCOPA_DECLARE_NOTHING)
			block->cards |= scopa_set_of(move->card);
		branch++;
	}
}

/* Collects the moves of a node that the seat to move can make in this world. */
static void
legal_of_hand(struct tree_search *search, scopa_set hand, uint32_t first)
{
	struct branch_block *block = branch_block_at(&search->pool, first);
	int count = 0;

	for (; block; block = branch_block_at(&search->pool, block->next)) {
		struct branch *branch = branch_first(block);

		if (!(block->cards & hand))
			continue;
		/*
		 * The result of the test is unpredictable, so it is added
		 * instead of used in a branch.
		 */
		for (uint32_t i = 0; i < block->count; i++, branch++) {
			search->legal[count] = branch;
			count += scopa_set_has(hand, branch_card(branch));
		}
	}
	search->legal_count = count;
}

/*
 * Updates and collects the moves of a node.  What a card may capture depends on
 * the table alone, which is the same in every world of a node.  So the moves of
 * each card are listed only once.
 */
static void
node_visit_by_card(
    struct tree_search *search, const struct scopa_deal *deal, uint32_t *first)
{
	scopa_set hand = deal->hands[deal->turn], fresh = hand;
	struct branch_block *block = branch_block_at(&search->pool, *first);

	for (; block; block = branch_block_at(&search->pool, block->next))
		fresh &= ~block->cards;
	if (fresh != SCOPA_SET_EMPTY) {
		struct listed listed;

		listed.count = scopa_moves(
		    search->rules, deal, listed.moves, SCOPA_MOVES_MAX);
		listed.fresh_count = 0;
		for (int i = 0; i < listed.count; i++) {
			listed.fresh[i] =
			    scopa_set_has(fresh, listed.moves[i].card);
			listed.fresh_count += listed.fresh[i];
		}
		node_grow(search, deal, first, &listed);
	}
	legal_of_hand(search, hand, *first);
}

static struct branch *
node_find(const struct tree_search *search, uint32_t first, uint64_t key)
{
	struct branch_block *block = branch_block_at(&search->pool, first);

	for (; block; block = branch_block_at(&search->pool, block->next)) {
		struct branch *branch = branch_first(block);

		for (uint32_t i = 0; i < block->count; i++)
			if (branch[i].key == key)
				return &branch[i];
	}
	return NULL;
}

/*
 * The same for rules with declarations.  There the moves depend on the whole
 * hand and on the declared value of a wild card, so they are listed in every
 * world.
 */
static void
node_visit_by_list(
    struct tree_search *search, const struct scopa_deal *deal, uint32_t *first)
{
	struct listed listed;

	listed.count =
	    scopa_moves(search->rules, deal, listed.moves, SCOPA_MOVES_MAX);
	listed.fresh_count = 0;
	for (int i = 0; i < listed.count; i++) {
		uint64_t key = branch_key(&listed.moves[i]);

		listed.fresh[i] = node_find(search, *first, key) == NULL;
		listed.fresh_count += listed.fresh[i];
	}
	if (listed.fresh_count > 0)
		node_grow(search, deal, first, &listed);
	search->legal_count = 0;
	for (int i = 0; i < listed.count; i++) {
		uint64_t key = branch_key(&listed.moves[i]);
		struct branch *branch = node_find(search, *first, key);

		if (branch != NULL)
			search->legal[search->legal_count++] = branch;
	}
}

/* Reduces the legal moves of the root to the move `only`. */
static void
restrict_legal(struct tree_search *search, const struct scopa_move *only)
{
	uint64_t key = branch_key(only);
	int count = 0;

	for (int i = 0; i < search->legal_count; i++)
		if (search->legal[i]->key == key)
			search->legal[count++] = search->legal[i];
	search->legal_count = count;
}

/*
 * Returns a random unvisited move, all equally likely; NULL when there is none.
 */
static struct branch *
pick_unvisited(struct tree_search *search)
{
	uint32_t count = 0;

	for (int i = 0; i < search->legal_count; i++)
		count += search->legal[i]->visits == 0;
	if (count == 0)
		return NULL;
	count = splitmix_below(&search->random, count);
	for (int i = 0;; i++)
		if (search->legal[i]->visits == 0 && count-- == 0)
			return search->legal[i];
}

/*
 * Draws a move with the probabilities of the prior; without a prior, all moves
 * are equally likely.
 */
static struct branch *
pick_by_prior(struct tree_search *search, double priors)
{
	double at = priors * splitmix_unit(&search->random);
	int i = 0, count = search->legal_count;

	if (priors <= 0)
		return search
		    ->legal[splitmix_below(&search->random, (uint32_t)count)];
	while (i < count - 1 && (at -= (double)search->legal[i]->prior) >= 0)
		i++;
	return search->legal[i];
}

/* The move with the greatest value by the formula of struct search_config. */
static struct branch *
pick_best(const struct tree_search *search, double priors)
{
	const struct search_config *config = search->config;
	double share = priors > 0 ? 1 / priors : 0, best_score = -HUGE_VAL;
	double total = 0, all = 0, unvisited;
	struct branch *best = search->legal[0];

	for (int i = 0; i < search->legal_count; i++) {
		total += search->legal[i]->total;
		all += (double)search->legal[i]->visits;
	}
	unvisited = all > 0 ? total / all : 0;
	for (int i = 0; i < search->legal_count; i++) {
		struct branch *branch = search->legal[i];
		double visits = (double)branch->visits;
		double available = (double)branch->available;
		double prior = (double)branch->prior * share;
		double score = visits > 0 ? branch->total / visits : unvisited;

		score += config->exploration *
			sqrt(log(available + 1) / (visits > 0 ? visits : 1)) +
		    config->prior_weight * prior / (visits + 1);
		if (score > best_score) {
			best_score = score;
			best = branch;
		}
	}
	return best;
}

/*
 * Chooses a legal move: with probability `model` by the prior, else by the
 * formula.
 */
static struct branch *
pick(struct tree_search *search, double model)
{
	struct branch *branch = NULL;
	double priors = 0;

	for (int i = 0; i < search->legal_count; i++)
		priors += (double)search->legal[i]->prior;
	if (model > 0 && splitmix_unit(&search->random) < model)
		return pick_by_prior(search, priors);
	if (search->config->eager)
		branch = pick_unvisited(search);
	return branch != NULL ? branch : pick_best(search, priors);
}

/*
 * Goes down from a node by one move and returns the move.  Returns NULL when
 * the node has no move of this world and the pool is full.
 */
static struct branch *
descend(struct tree_search *search, struct scopa_deal *deal, uint32_t *first)
{
	struct branch *branch;
	struct scopa_move move;

	if (search->rules->declare == SCOPA_DECLARE_OFF)
		node_visit_by_card(search, deal, first);
	else
		node_visit_by_list(search, deal, first);
	if (search->path_length == 0 && search->config->only)
		restrict_legal(search, search->config->only);
	if (search->legal_count == 0)
		return NULL;
	branch = pick(search,
	    deal->turn == search->seat ? 0 : search->config->model[deal->turn]);
	for (int i = 0; i < search->legal_count; i++)
		search->legal[i]->available += 1;
	assert(search->path_length < SCOPA_HISTORY_MAX);
	search->path[search->path_length].branch = branch;
	search->path[search->path_length++].team =
	    scopa_team_of(search->rules, deal->turn);
	move = branch_move(branch, deal->turn);
	scopa_deal_apply(search->rules, deal, &move);
	return branch;
}

/* The reward of an instant win.  In most games no deal gives so many points. */
static const double blow_points = 16;

/*
 * A team that needs more points than this to the target rarely wins in one
 * deal.
 */
enum { REACH = 7 };

/*
 * The mean points of the winner of a deal, and the standard deviation of the
 * difference.  Both are estimates used by chance_of().
 */
static const double deal_points = 4, deal_spread = 3.3;

/* Weights of reward_match: a match won, in points, and the lead. */
static const double match_points = 4, difference_share = 0.1;

static double
most_of_others(const double *values, int count, int team)
{
	double most = -HUGE_VAL;

	for (int i = 0; i < count; i++)
		if (i != team && values[i] > most)
			most = values[i];
	return most;
}

/*
 * Writes points of each team.  A team that wins the match instantly gets `blow`
 * more.
 */
static void
points_of(const struct scopa_rules *rules, const struct scopa_score *score,
    double blow, double *points)
{
	for (int team = 0; team < scopa_team_count(rules); team++)
		points[team] = rules->aim == SCOPA_AIM_LEAST
		    ? -score->total[team]
		    : score->total[team];
	if (score->winner != SCOPA_TEAM_NONE)
		points[score->winner] += blow;
}

void
reward_points(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_score *score, double *rewards)
{
	int missing = score->winner == SCOPA_TEAM_NONE
	    ? 0
	    : rules->target - view->scores[score->winner];

	points_of(rules, score, missing > 0 ? missing : 0, rewards);
}

void
reward_difference(const struct scopa_rules *rules,
    const struct scopa_view *view, const struct scopa_score *score,
    double *rewards)
{
	double points[SCOPA_TEAMS_MAX];
	int teams = scopa_team_count(rules);

	reward_points(rules, view, score, points);
	for (int team = 0; team < teams; team++)
		rewards[team] =
		    points[team] - most_of_others(points, teams, team);
}

void
reward_win(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_score *score, double *rewards)
{
	reward_difference(rules, view, score, rewards);
	for (int team = 0; team < scopa_team_count(rules); team++)
		rewards[team] = (rewards[team] > 0) - (rewards[team] < 0);
}

void
reward_lead(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_score *score, double *rewards)
{
	double points[SCOPA_TEAMS_MAX], sum = 0;
	int teams = scopa_team_count(rules);

	(void)view;
	points_of(rules, score, blow_points, points);
	for (int i = 0; i < teams; i++)
		sum += points[i];
	for (int i = 0; i < teams; i++)
		rewards[i] = points[i] - (sum - points[i]) / (teams - 1);
}

bool
match_decides(const struct scopa_rules *rules, const struct scopa_view *view)
{
	for (int i = 0; i < scopa_team_count(rules); i++)
		if (rules->aim != SCOPA_AIM_LEAST &&
		    view->scores[i] + REACH >= rules->target)
			return true;
	return false;
}

/*
 * The chance to win the match is a logistic function of the lead.  The curve is
 * flatter when more deals are still to come.  The factor 1.7 makes the logistic
 * curve close to the normal distribution.
 */
static double
chance_of(const struct scopa_rules *rules, double own, double other)
{
	double top = own > other ? own : other;
	double deals = (rules->target - top) / deal_points;

	if (top >= rules->target && own != other)
		return own > other;
	deals = deals < 1 ? 1 : deals;
	return 1 /
	    (1 + exp(-1.7 * (own - other) / (deal_spread * sqrt(deals))));
}

void
reward_match(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_score *score, double *rewards)
{
	int teams = scopa_team_count(rules);
	double scores[SCOPA_TEAMS_MAX];

	reward_lead(rules, view, score, rewards);
	if (score->winner != SCOPA_TEAM_NONE || !match_decides(rules, view))
		return;
	for (int i = 0; i < teams; i++)
		scores[i] = view->scores[i] + score->total[i];
	for (int i = 0; i < teams; i++)
		rewards[i] = difference_share * rewards[i] +
		    match_points *
			(2 *
				chance_of(rules, scores[i],
				    most_of_others(scores, teams, i)) -
			    1);
}

/* Writes the reward of each team for a finished deal. */
static void
count_rewards(const struct tree_search *search, const struct scopa_deal *deal,
    double rewards[SCOPA_TEAMS_MAX])
{
	struct scopa_score score;

	scopa_score_count(search->rules, deal, &score);
	search->config->reward(
	    search->rules, search->config->view, &score, rewards);
}

/* Cards are given out in twos, because a card usually captures one other. */
enum { COMPLETION_CARDS = 2 };

/*
 * Writes the mean reward over random completions of an unfinished deal.
 *
 * The result of cards that are still to be dealt is mostly luck.  Playing them
 * out costs time, and one playout mainly shows which team was lucky.  A random
 * completion gives all cards outside the piles to random teams at once, in
 * twos.  The shares are then rotated through all teams, so no team is favoured.
 * Later scopas and the capture of the last table are left out.
 */
static void
count_by_completion(struct tree_search *search, const struct scopa_deal *deal,
    double rewards[SCOPA_TEAMS_MAX])
{
	int teams = scopa_team_count(search->rules), count = 0;
	int ends = search->config->completions * teams;
	double each[SCOPA_TEAMS_MAX];
	scopa_set open = SCOPA_SET_ALL, shares[SCOPA_TEAMS_MAX];
	scopa_card cards[SCOPA_PACK_SIZE];
	struct scopa_deal end;

	world_copy(&end, deal);
	for (int team = 0; team < teams; team++) {
		open &= ~deal->captured[team];
		rewards[team] = 0;
	}
	for (int seat = 0; seat < search->rules->players; seat++)
		end.hands[seat] = SCOPA_SET_EMPTY;
	end.table = SCOPA_SET_EMPTY;
	end.dealt = SCOPA_PACK_SIZE;
	end.turn = SCOPA_SEAT_NONE;
	for (int i = 0; i < ends; i++) {
		if (i % teams == 0) {
			count = 0;
			for (scopa_set left = open; left != SCOPA_SET_EMPTY;)
				cards[count++] = scopa_set_take(&left);
			splitmix_shuffle(&search->random, cards, count);
			memset(shares, 0, sizeof(shares));
			for (int j = 0; j < count; j += COMPLETION_CARDS) {
				scopa_set *share = &shares[splitmix_below(
				    &search->random, (uint32_t)teams)];

				for (int k = j;
				     k < j + COMPLETION_CARDS && k < count; k++)
					*share |= scopa_set_of(cards[k]);
			}
		}
		for (int team = 0; team < teams; team++)
			end.captured[team] =
			    deal->captured[team] | shares[(team + i) % teams];
		count_rewards(search, &end, each);
		for (int team = 0; team < teams; team++)
			rewards[team] += each[team] / ends;
	}
}

/* Adds the rewards of the deal to the moves of the path. */
static void
back_up(struct tree_search *search, const struct scopa_deal *deal)
{
	double rewards[SCOPA_TEAMS_MAX];

	if (scopa_deal_over(deal))
		count_rewards(search, deal, rewards);
	else
		count_by_completion(search, deal, rewards);
	for (int i = 0; i < search->path_length; i++) {
		struct branch *branch = search->path[i].branch;

		branch->visits += 1;
		branch->total += rewards[search->path[i].team];
	}
}

/* Whether the deal is not followed any further. */
static inline bool
is_at_end(const struct tree_search *search, const struct scopa_deal *deal)
{
	return scopa_deal_over(deal) || deal->play_count >= search->plays_end;
}

/*
 * Returns the play_count at which a deal ends early.  All plays are followed
 * when the deck is empty, and under rules that end the deal at an instant win.
 */
static int
plays_followed(
    const struct search_config *config, const struct scopa_deal *root)
{
	const struct scopa_rules *rules = config->rules;
	int plays = root->play_count + rules->players;

	if (config->completions == 0 || root->dealt == SCOPA_PACK_SIZE ||
	    rules->count == SCOPA_COUNT_AT_ONCE)
		return SCOPA_PACK_SIZE;
	for (int seat = 0; seat < rules->players; seat++)
		plays += scopa_set_count(root->hands[seat]);
	return plays;
}

void
playout_move(const struct greedy *greedy, int random_share,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct scopa_move *move)
{
	/* These two shares, the most common, need no random number here. */
	if (random_share == PLAYOUT_SHARE_MAX ||
	    (random_share > 0 &&
		(int)splitmix_below(random, PLAYOUT_SHARE_MAX) < random_share))
		scopa_move_pick(rules, deal, splitmix_next(random), move);
	else
		greedy_choose(greedy, rules, deal, move);
}

static void
iterate(struct tree_search *search, struct scopa_deal *deal)
{
	uint32_t *first = &search->root;

	search->path_length = 0;
	while (!is_at_end(search, deal)) {
		struct branch *branch = descend(search, deal, first);

		if (branch == NULL)
			break;
		if (branch->visits == 0) {
			search->nodes++;
			break;
		}
		first = &branch->replies;
	}
	while (!is_at_end(search, deal)) {
		struct scopa_move move;

		playout_move(&search->greedy, search->config->random_share,
		    search->rules, deal, &search->random, &move);
		scopa_deal_apply(search->rules, deal, &move);
		search->plays++;
	}
	back_up(search, deal);
}

/* Whether the caller no longer waits for the result. */
static bool
is_called_off(const struct search_config *config)
{
	return config->stopped != NULL &&
	    config->stopped(config->stopped_context);
}

static bool
is_late(const struct search_config *config)
{
	return config->deadline_ns != 0 && now_ns() >= config->deadline_ns;
}

/* The most visited move of a node; NULL when none was visited. */
static struct branch *
most_visited(const struct tree_search *search, uint32_t first)
{
	struct branch_block *block = branch_block_at(&search->pool, first);
	struct branch *best = NULL;

	for (; block; block = branch_block_at(&search->pool, block->next)) {
		struct branch *branch = branch_first(block);

		for (uint32_t i = 0; i < block->count; i++)
			if (branch[i].visits >
			    (best == NULL ? 0 : best->visits))
				best = &branch[i];
	}
	return best;
}

/* Writes the principal variation: the best row, then the most visited moves. */
static void
result_line(const struct tree_search *search, struct search_result *result)
{
	const struct scopa_move *move = &result->rows[result->best].move;
	int seat = move->seat;
	struct branch *branch =
	    node_find(search, search->root, branch_key(move));

	result->line_count = 0;
	while (branch != NULL && result->line_count < SEARCH_LINE_MAX) {
		result->line[result->line_count++] = branch_move(branch, seat);
		/* A declaration does not end the turn of the seat. */
		if (branch_card(branch) != SCOPA_CARD_NONE)
			seat = (seat + 1) % search->rules->players;
		branch = most_visited(search, branch->replies);
	}
}

/* Writes a row for each legal move, and the index of the best one. */
static void
result_rows(const struct tree_search *search, const struct scopa_deal *root,
    struct search_result *result)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(search->rules, root, moves, SCOPA_MOVES_MAX);

	result->row_count = count;
	result->best = 0;
	for (int i = 0; i < count; i++) {
		const struct branch *branch =
		    node_find(search, search->root, branch_key(&moves[i]));
		struct search_row *row = &result->rows[i];
		const struct search_row *best = &result->rows[result->best];

		*row = (struct search_row){ .move = moves[i] };
		if (branch != NULL) {
			row->visits = (double)branch->visits;
			row->prior = (double)branch->prior;
		}
		if (row->visits > 0)
			row->value = branch->total / row->visits;
		if (row->visits > best->visits ||
		    (row->visits == best->visits && row->value > best->value))
			result->best = i;
	}
}

/* Runs iterations up to the limits and returns their number. */
static int64_t
search_loop(struct tree_search *search)
{
	const struct search_config *config = search->config;
	const struct world_source *worlds = &config->worlds;
	int64_t limit = config->iterations, done;

	if (limit <= 0 || limit > SEARCH_ITERATIONS_MAX)
		limit = SEARCH_ITERATIONS_MAX;
	for (done = 0; done < limit; done++) {
		struct scopa_deal deal;

		/* The search always runs at least one iteration. */
		if (done > 0 && done % SEARCH_CLOCK_INTERVAL == 0) {
			search->late = is_late(config);
			if (search->late || is_called_off(config))
				break;
		}
		worlds->draw(worlds->context, &search->random, &deal);
		iterate(search, &deal);
	}
	return done;
}

bool
search_run(const struct search_config *config, uint64_t *random,
    struct search_result *result)
{
	struct tree_search search = {
		.config = config,
		.rules = config->rules,
		.random = *random,
	};
	struct scopa_deal root;

	if (!imagine_deal(config->rules, config->view, &root))
		return false;
	search.seat = root.turn;
	greedy_init(&search.greedy, config->rules);
	search.plays_end = plays_followed(config, &root);
	branch_pool_init(&search.pool, config->memory, config->memory_size);
	result->iterations = search_loop(&search);
	result->late = search.late;
	result->exact = false;
	*random = search.random;
	result->nodes = search.nodes;
	result->plays = search.plays;
	result_rows(&search, &root, result);
	result_line(&search, result);
	return true;
}

/* The memory of each thread's tree begins at a multiple of this. */
enum { ALIGNMENT = 64 };

/* A search and the thread that it runs in. */
struct search_thread {
	pthread_t thread;
	struct search_config config;
	uint64_t random;
	struct search_result *result;
	bool runs;  /* the thread was created */
	bool found; /* the return value of search_run */
};

static bool
thread_stopped(void *context)
{
	return atomic_load_explicit(
	    (atomic_bool *)context, memory_order_relaxed);
}

static void *
thread_run(void *context)
{
	struct search_thread *thread = context;

	thread->found =
	    search_run(&thread->config, &thread->random, thread->result);
	return NULL;
}

/* Adds the statistics of another search of the same position. */
static void
result_add(struct search_result *result, const struct search_result *other)
{
	assert(result->row_count == other->row_count);
	for (int i = 0; i < result->row_count; i++) {
		struct search_row *row = &result->rows[i];
		const struct search_row *added = &other->rows[i];
		double visits = row->visits + added->visits;

		if (visits > 0)
			row->value = (row->value * row->visits +
					 added->value * added->visits) /
			    visits;
		row->visits = visits;
	}
	result->iterations += other->iterations;
	result->late |= other->late;
	result->nodes += other->nodes;
	result->plays += other->plays;
}

/*
 * Chooses the best row of the sums.  If it differs from the best row before,
 * the principal variation is cut to the best move.
 */
static void
result_choose_best(struct search_result *result)
{
	int best = result->best;

	for (int i = 0; i < result->row_count; i++)
		if (result->rows[i].visits > result->rows[best].visits)
			best = i;
	if (best == result->best)
		return;
	result->best = best;
	result->line_count = 1;
	result->line[0] = result->rows[best].move;
}

bool
parallel_search_run(struct parallel_search *parallel, int threads,
    const struct search_config *config, uint64_t *random,
    struct search_result *result)
{
	struct search_thread all[PARALLEL_SEARCH_MAX];
	atomic_bool stopped = false;
	size_t size;

	assert(threads >= 1 && threads <= PARALLEL_SEARCH_MAX);
	/*
	 * Each thread must have at least one iteration, since 0 means no limit.
	 */
	if (config->iterations > 0 && config->iterations < threads)
		threads = (int)config->iterations;
	size = config->memory_size / (size_t)threads / ALIGNMENT * ALIGNMENT;
	for (int i = 0; i < threads; i++) {
		struct search_thread *thread = &all[i];

		*thread = (struct search_thread){ .config = *config };
		thread->config.iterations = config->iterations / threads +
		    (i == 0 ? config->iterations % threads : 0);
		thread->config.memory =
		    (char *)config->memory + (size_t)i * size;
		thread->config.memory_size = size;
		thread->result = result;
		if (i == 0)
			continue;
		thread->config.stopped = thread_stopped;
		thread->config.stopped_context = &stopped;
		thread->random = splitmix_next(random);
		thread->result = &parallel->results[i - 1];
		thread->runs = pthread_create(&thread->thread, NULL, thread_run,
				   thread) == 0;
	}
	all[0].random = *random;
	thread_run(&all[0]);
	if (all[0].found)
		*random = all[0].random;
	if (config->stopped != NULL && config->stopped(config->stopped_context))
		atomic_store(&stopped, true);
	for (int i = 1; i < threads; i++) {
		if (!all[i].runs)
			continue;
		pthread_join(all[i].thread, NULL);
		if (all[0].found && all[i].found)
			result_add(result, all[i].result);
	}
	if (all[0].found)
		result_choose_best(result);
	return all[0].found;
}
