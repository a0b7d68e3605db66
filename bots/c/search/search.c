#include "search.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "now.h"
#include "search_tree.h"
#include "splitmix.h"
#include "world.h"

/* A search under way. */
struct tree_search {
	const struct search_config *config;
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	struct greedy greedy; /* of playouts */
	struct branch_pool pool;
	uint64_t random;
	int seat;      /* that searches */
	uint32_t root; /* slot of the first block */
	int path_length;
	int plays_end; /* plays of a deal that are followed */
	int64_t nodes;
	int64_t plays;
	bool late; /* the deadline ends it */
	struct {
		struct branch *branch;
		int team; /* that made the move */
	} path[SCOPA_HISTORY_MAX];
	int legal_count;
	struct branch
	    *legal[SCOPA_MOVES_MAX + 1]; /* at the node, in this world */
};

/* The legal moves of a world, and which of them the node has not met yet. */
struct listed {
	int count;
	int fresh_count;
	bool fresh[SCOPA_MOVES_MAX];
	struct scopa_move moves[SCOPA_MOVES_MAX];
};

static void
listed_fill(struct listed *listed, const struct scopa_rules *rules,
    const struct scopa_deal *deal)
{
	listed->count =
	    scopa_moves(rules, deal, listed->moves, SCOPA_MOVES_MAX);
	listed->fresh_count = 0;
}

/* Forgets the moves that the node has met. */
static void
listed_keep_fresh(struct listed *listed)
{
	int count = 0;

	for (int i = 0; i < listed->count; i++)
		if (listed->fresh[i])
			listed->moves[count++] = listed->moves[i];
	for (int i = 0; i < count; i++)
		listed->fresh[i] = true;
	listed->count = count;
}

/*
 * Adds a block of `fresh_count` of the legal moves, those marked fresh, with
 * the priors that they have in this world.  Where the pool is full nothing.
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

	if (block == NULL)
		return;
	if (prior->apart)
		listed_keep_fresh(listed);
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

/* The moves of a node that the seat to move can make in this world. */
static void
legal_of_hand(struct tree_search *search, scopa_set hand, uint32_t first)
{
	struct branch_block *block = branch_block_at(&search->pool, first);
	int count = 0;

	for (; block; block = branch_block_at(&search->pool, block->next)) {
		struct branch *branch = branch_first(block);

		if (!(block->cards & hand))
			continue;
		/* Nobody can foresee which: no jump depends on it. */
		for (uint32_t i = 0; i < block->count; i++, branch++) {
			search->legal[count] = branch;
			count += scopa_set_has(hand, branch_card(branch));
		}
	}
	search->legal_count = count;
}

/*
 * What a card may take depends on the table alone, which is the same in every
 * world of a node, so the moves of a card are listed once.
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

		listed_fill(&listed, search->rules, deal);
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
 * Where hands are declared, what can be played depends on the whole hand and on
 * the value of a wild card that the rules may have declared: moves are listed
 * in every world.
 */
static void
node_visit_by_list(
    struct tree_search *search, const struct scopa_deal *deal, uint32_t *first)
{
	struct listed listed;

	listed_fill(&listed, search->rules, deal);
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

/* Leaves of the moves of the root the one that is asked about. */
static void
legal_keep(struct tree_search *search, const struct scopa_move *only)
{
	uint64_t key = branch_key(only);
	int count = 0;

	for (int i = 0; i < search->legal_count; i++)
		if (search->legal[i]->key == key)
			search->legal[count++] = search->legal[i];
	search->legal_count = count;
}

/*
 * Goes down from a node by one move and returns it; NULL where the node has no
 * move of this world and cannot get one.
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
		legal_keep(search, search->config->only);
	if (search->legal_count == 0)
		return NULL;
	branch = selection_pick(search->config, search->legal,
	    search->legal_count,
	    deal->turn == search->seat ? 0 : search->config->model[deal->turn],
	    &search->random);
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

/* What an end is worth to each team. */
static void
count_rewards(const struct tree_search *search, const struct scopa_deal *deal,
    double rewards[SCOPA_TEAMS_MAX])
{
	const struct search_reward *reward = &search->config->reward;
	struct scopa_score score;
	const struct search_end end = {
		.rules = search->rules,
		.view = search->view,
		.score = &score,
	};

	scopa_score_count(search->rules, deal, &score);
	reward->count(reward->context, &end, rewards);
}

/* The mean over all ends that completions make of a deal that is not over. */
static void
count_by_completion(struct tree_search *search, const struct scopa_deal *deal,
    double rewards[SCOPA_TEAMS_MAX])
{
	int teams = scopa_team_count(search->rules);
	int ends = search->config->completions * teams;
	double each[SCOPA_TEAMS_MAX];
	struct random_completion completion;

	for (int team = 0; team < teams; team++)
		rewards[team] = 0;
	for (int i = 0; i < ends; i++) {
		if (i % teams == 0)
			random_completion_draw(
			    search->rules, deal, &search->random, &completion);
		random_completion_give(
		    search->rules, deal, i % teams, &completion);
		count_rewards(search, &completion.end, each);
		for (int team = 0; team < teams; team++)
			rewards[team] += each[team] / ends;
	}
}

/* Credits the moves of the path with what came of them. */
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

/* Whether a deal is followed no further. */
static inline bool
is_at_end(const struct tree_search *search, const struct scopa_deal *deal)
{
	return scopa_deal_over(deal) || deal->play_count >= search->plays_end;
}

/*
 * How many plays are followed: all, where there is no stock, and where it
 * matters who makes his points first.
 */
static int
plays_followed(const struct search_config *config,
    const struct scopa_rules *rules, const struct scopa_deal *root)
{
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
	/* Most playouts are of one kind: no need to draw then. */
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

/* Whether nobody waits for the result any more. */
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

/* The most visited of a node's moves; NULL where none was. */
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

/* Follows what was visited most, from the best row on. */
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
		/* After a declaration the same seat goes on. */
		if (branch_card(branch) != SCOPA_CARD_NONE)
			seat = (seat + 1) % search->rules->players;
		branch = most_visited(search, branch->replies);
	}
}

/* A row for each legal move, and which of them is best. */
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

/* Draws and plays as often as the limits allow; returns how often that is. */
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

		/* Without any time the search still runs one iteration. */
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
search_run(const struct search_config *config, const struct scopa_rules *rules,
    const struct scopa_view *view, uint64_t *random,
    struct search_result *result)
{
	struct tree_search search;
	struct scopa_deal root;

	if (!imagine_deal(rules, view, &root))
		return false;
	search.config = config;
	search.rules = rules;
	search.view = view;
	greedy_init(&search.greedy, rules);
	search.random = *random;
	search.seat = root.turn;
	search.root = 0;
	search.nodes = 0;
	search.plays = 0;
	search.plays_end = plays_followed(config, rules, &root);
	branch_pool_init(&search.pool, config->memory, config->memory_size);
	search.late = false;
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

/* Memory of each search begins at a multiple of this. */
enum { ALIGNMENT = 64 };

/* A search and the thread that it runs in. */
struct search_thread {
	pthread_t thread;
	struct search_config config;
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	uint64_t random;
	struct search_result *result;
	bool runs;  /* the thread has begun */
	bool found; /* what search_run has returned */
};

static bool
thread_stopped(void *context)
{
	return atomic_load_explicit(
	    (atomic_bool *)context, memory_order_relaxed);
}

static void *
worker_run(void *context)
{
	struct search_thread *thread = context;

	thread->found = search_run(&thread->config, thread->rules, thread->view,
	    &thread->random, thread->result);
	return NULL;
}

/* The share of the work and of the memory that one of `threads` has. */
static struct search_config
share_of(const struct search_config *config, int threads, int index)
{
	struct search_config share = *config;
	size_t size =
	    config->memory_size / (size_t)threads / ALIGNMENT * ALIGNMENT;

	share.memory = (char *)config->memory + (size_t)index * size;
	share.memory_size = size;
	if (config->iterations > 0) {
		share.iterations = config->iterations / threads;
		if (index == 0)
			share.iterations += config->iterations % threads;
	}
	return share;
}

/* Adds what one search has found to that of another of the same position. */
static void
result_add(struct search_result *result, const struct search_result *other)
{
	assert(result->row_count == other->row_count);
	for (int i = 0; i < result->row_count; i++) {
		struct search_row *row = &result->rows[i];
		double visits = row->visits + other->rows[i].visits;

		if (visits > 0)
			row->value =
			    (row->value * row->visits +
				other->rows[i].value * other->rows[i].visits) /
			    visits;
		row->visits = visits;
	}
	result->iterations += other->iterations;
	result->late |= other->late;
	result->nodes += other->nodes;
	result->plays += other->plays;
}

/* The best row of all; a line that begins otherwise is cut to its move. */
static void
result_settle(struct search_result *result)
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
    const struct search_config *config, const struct scopa_rules *rules,
    const struct scopa_view *view, uint64_t *random,
    struct search_result *result)
{
	struct search_thread others[PARALLEL_SEARCH_MAX - 1];
	struct search_config own;
	atomic_bool stopped = false;
	bool found;

	assert(threads >= 1 && threads <= PARALLEL_SEARCH_MAX);
	/* None has nothing to do: 0 iterations would be any number. */
	if (config->iterations > 0 && config->iterations < threads)
		threads = (int)config->iterations;
	own = share_of(config, threads, 0);
	for (int i = 0; i < threads - 1; i++) {
		struct search_thread *thread = &others[i];

		thread->config = share_of(config, threads, i + 1);
		thread->config.stopped = thread_stopped;
		thread->config.stopped_context = &stopped;
		thread->rules = rules;
		thread->view = view;
		thread->random = splitmix_next(random);
		thread->result = &parallel->results[i];
		thread->runs = pthread_create(&thread->thread, NULL, worker_run,
				   thread) == 0;
	}
	found = search_run(&own, rules, view, random, result);
	if (config->stopped != NULL && config->stopped(config->stopped_context))
		atomic_store(&stopped, true);
	for (int i = 0; i < threads - 1; i++) {
		if (!others[i].runs)
			continue;
		pthread_join(others[i].thread, NULL);
		if (found && others[i].found)
			result_add(result, others[i].result);
	}
	if (found)
		result_settle(result);
	return found;
}
