/*
 * Alpha-beta search with a transposition table.  The values are small integers,
 * so the root makes a series of searches with a window of width one, which the
 * table makes cheap (MTD(f): Plaat and others, "Best-first fixed-depth minimax
 * algorithms").  After it, endgame_solve() solves every world of a belief.
 *
 * Bounds in the table are relative to `base` of the static evaluation, which
 * counts what is already decided.  So an entry is valid for every deal with the
 * same future.  A bucket of the table has four entries of 16 bytes; a new entry
 * replaces the same position or the one with the fewest plies left.
 */
#include "solve.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/param.h>

#include "now.h"
#include "static_evaluation.h"

/* The bounds of what a position still adds to its base. */
struct solver_entry {
	uint64_t key;
	int16_t low, high;
	uint8_t plies;
	uint8_t rank;  /* value of the best move's card, 0: none */
	uint8_t taken; /* number of cards that it captures */
	uint8_t spare;
};

_Static_assert(
    sizeof(struct solver_entry) == 16, "four entries fill a cache line");

/* One search.  It owns all fields; `rules` and `limits` are only read. */
struct solver {
	const struct scopa_rules *rules;
	const struct solve_limits *limits;
	struct evaluation_terms terms;
	/* The deal in which moves are made and undone. */
	struct scopa_deal deal;
	struct evaluation_levels levels; /* of the piles in `deal` */
	int team;                        /* the team whose value is maximized */
	int worth[SCOPA_PACK_SIZE];      /* of each card, to sort moves */
	struct scopa_move *moves;
	int32_t *marks;
	struct solver_entry *entries;
	uint64_t bucket_mask;
	int64_t nodes;
	int error; /* why the search ended early, or 0 */
};

/*
 * What unmaking a move restores: all of the deal but the history, which is only
 * extended.
 */
struct solver_saved {
	struct evaluation_levels levels;
	unsigned char bytes[offsetof(struct scopa_deal, history)];
};

/*
 * The bounds of an alpha-beta search.  A value at or below alpha, or at or
 * above beta, need not be exact.
 */
struct solver_window {
	int alpha, beta;
};

enum {
	MOVES_ROOM = 24576, /* moves of all positions on the way down */
	BUCKET_SIZE = 4,
	BUCKETS_MIN = 1 << 10, /* for searches up to TABLE_PLIES */
	TABLE_PLIES = 14,      /* twice as many buckets for each ply more */
	KEPT_PLIES_MIN = 5, /* with fewer, a search is faster than the table */
	ASK_NODES = 4096,   /* nodes between two checks of the clock */
	VALUE_INFINITE = 4 * SOLVE_WIN,
	/* Marks of moves, which put the best ones first. */
	MARK_KNOWN = 1 << 20,
	MARK_SWEEP = 400,
	MARK_THREAT = 300
};

static void
worth_fill(struct solver *solver)
{
	static const int worth[SCOPA_VALUE_MAX + 1] = { 0, 16, 12, 13, 14, 15,
		18, 29, 10, 10, 10 };

	for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++) {
		int value = scopa_card_value(card);

		solver->worth[card] = worth[value];
		if (scopa_card_suit(card) == SCOPA_DENARI)
			solver->worth[card] += value == 7 ? 200 : 20;
	}
}

/*
 * Divides the caller's memory.  A short search gets a small table, which fits
 * into the processor's cache.
 */
static void
memory_divide(struct solver *solver, int plies)
{
	const struct solve_limits *limits = solver->limits;
	uint64_t buckets = 1, buckets_max = BUCKETS_MIN;
	size_t left = limits->memory_size -
	    MOVES_ROOM * (sizeof(*solver->moves) + sizeof(*solver->marks));

	assert(limits->memory_size >= SOLVE_MEMORY_MIN);
	solver->moves = limits->memory;
	solver->marks = (void *)(solver->moves + MOVES_ROOM);
	solver->entries = (void *)(solver->marks + MOVES_ROOM);
	if (plies > TABLE_PLIES)
		buckets_max <<= plies - TABLE_PLIES;
	while (buckets < buckets_max &&
	    2 * buckets * BUCKET_SIZE * sizeof(struct solver_entry) <= left)
		buckets *= 2;
	solver->bucket_mask = buckets - 1;
}

_Static_assert(MOVES_ROOM *(sizeof(struct scopa_move) + sizeof(int32_t)) +
	    BUCKET_SIZE * sizeof(struct solver_entry) <=
	SOLVE_MEMORY_MIN,
    "the least memory holds moves and a table");
_Static_assert(
    (int)MOVES_ROOM >= (int)SCOPA_MOVES_MAX, "the moves of a position fit");

static void
solver_init(struct solver *solver, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct solve_limits *limits)
{
	int plies = solve_plies(deal), team = 0;

	assert(!scopa_deal_over(deal));
	if (scopa_team_count(rules) > 2)
		team = scopa_team_of(rules, deal->turn);
	*solver = (struct solver){
		.rules = rules,
		.limits = limits,
		.deal = *deal,
		.levels = evaluation_levels_of(deal),
		.team = team,
		.error = limits->plies_max > 0 && plies > limits->plies_max
		    ? -E2BIG
		    : 0,
	};
	evaluation_terms_init(&solver->terms, rules, deal, team);
	worth_fill(solver);
	memory_divide(solver, plies);
}

static struct solver_entry *
bucket_of(const struct solver *solver, uint64_t key)
{
	return &solver->entries[(key & solver->bucket_mask) * BUCKET_SIZE];
}

/*
 * Stores an entry in place of the same position, or else of the entry with the
 * fewest plies left.
 */
static void
store_entry(struct solver *solver, const struct solver_entry *entry)
{
	struct solver_entry *bucket = bucket_of(solver, entry->key);
	struct solver_entry *place = &bucket[0];

	for (int i = 0; i < BUCKET_SIZE; i++) {
		if (bucket[i].key == entry->key) {
			place = &bucket[i];
			break;
		}
		if (bucket[i].plies < place->plies)
			place = &bucket[i];
	}
	*place = *entry;
}

/*
 * Whether a card of the hand would sweep the table.  This is an approximation,
 * used only to sort moves.
 */
static bool
hand_threatens(const struct scopa_rules *rules, scopa_set hand, scopa_set table)
{
	if (table == SCOPA_SET_EMPTY)
		return false;
	return (rules->ace != SCOPA_ACE_PLAIN && rules->ace_scopa &&
		   (hand & scopa_set_of_value(1))) ||
	    (hand & cards_sweeping(rules, scopa_set_total(table)));
}

static int
move_mark(const struct solver *solver, const struct scopa_move *move)
{
	const struct scopa_deal *deal = &solver->deal;
	const struct scopa_rules *rules = solver->rules;
	scopa_set table = deal->table & ~move->captured, taken;
	int next = (deal->turn + 1) % rules->players, mark = 0;

	if (move->declaration != SCOPA_DECLARE_NOTHING)
		return 2 * MARK_SWEEP;
	if (move->captured) {
		taken = move->captured | scopa_set_of(move->card);
		mark = 20 * scopa_set_count(taken);
		while (taken)
			mark += solver->worth[scopa_set_take(&taken)];
		mark += table ? 0 : MARK_SWEEP;
	} else {
		table |= scopa_set_of(move->card);
		mark = -solver->worth[move->card];
	}
	if (hand_threatens(rules, deal->hands[next], table))
		mark -= MARK_THREAT;
	return rules->aim == SCOPA_AIM_LEAST ? -mark : mark;
}

static void
moves_mark(
    struct solver *solver, const struct solver_entry *known, int from, int end)
{
	for (int i = from; i < end; i++) {
		const struct scopa_move *move = &solver->moves[i];

		solver->marks[i] = move_mark(solver, move);
		if (move->declaration == SCOPA_DECLARE_NOTHING &&
		    known->rank == scopa_card_value(move->card) &&
		    known->taken == scopa_set_count(move->captured))
			solver->marks[i] += MARK_KNOWN;
	}
}

/* Swaps the move with the greatest mark of from..end-1 to index `from`. */
static void
moves_pick(struct solver *solver, int from, int end)
{
	struct scopa_move move = solver->moves[from];
	int32_t mark = solver->marks[from];
	int best = from;

	for (int i = from + 1; i < end; i++)
		if (solver->marks[i] > solver->marks[best])
			best = i;
	solver->moves[from] = solver->moves[best];
	solver->marks[from] = solver->marks[best];
	solver->moves[best] = move;
	solver->marks[best] = mark;
}

/* Makes a move in the deal of the search.  solver_unmake() undoes it. */
static void
solver_make(struct solver *solver, const struct scopa_move *move,
    struct solver_saved *saved)
{
	struct scopa_deal *deal = &solver->deal;
	scopa_set before[2] = { deal->captured[0], deal->captured[1] };

	saved->levels = solver->levels;
	memcpy(saved->bytes, deal, sizeof(saved->bytes));
	scopa_deal_apply(solver->rules, deal, move);
	if (solver->terms.teams > 2)
		return;
	for (int team = 0; team < 2; team++)
		evaluation_levels_add(&solver->levels, team,
		    deal->captured[team] & ~before[team]);
}

static void
solver_unmake(struct solver *solver, const struct solver_saved *saved)
{
	solver->levels = saved->levels;
	memcpy(&solver->deal, saved->bytes, sizeof(saved->bytes));
}

/* Whether the deadline is reached or the caller no longer waits. */
static bool
is_stopped(const struct solve_limits *limits)
{
	return (limits->stopped != NULL && limits->stopped(limits->context)) ||
	    (limits->deadline_ns != 0 && now_ns() >= limits->deadline_ns);
}

/*
 * Counts a position and checks the limits.  Returns whether the search goes on.
 */
static bool
node_enter(struct solver *solver)
{
	const struct solve_limits *limits = solver->limits;

	solver->nodes++;
	if (limits->nodes_max > 0 && solver->nodes > limits->nodes_max)
		solver->error = -ECANCELED;
	if (solver->nodes % ASK_NODES == 0 && is_stopped(limits))
		solver->error = -ECANCELED;
	return solver->error == 0;
}

/*
 * Appends the legal moves after the first `used` entries of the solver's moves
 * and returns their number.  Without room for them it sets solver->error and
 * returns 0.
 */
static int
solver_list(struct solver *solver, int used)
{
	int room = MOVES_ROOM - used;
	int count = scopa_moves(
	    solver->rules, &solver->deal, solver->moves + used, room);

	if (count <= room)
		return count;
	solver->error = -ENOBUFS;
	return 0;
}

/* Whether a seat of the solver's team must move. */
static bool
is_mine(const struct solver *solver)
{
	return scopa_team_of(solver->rules, solver->deal.turn) == solver->team;
}

static int solver_search(
    struct solver *solver, struct solver_window window, int used);

/* Returns the value of the best move, within the window. */
static int
search_moves(struct solver *solver, struct solver_window window, int used,
    struct solver_entry *entry)
{
	bool mine = is_mine(solver);
	int best = mine ? -VALUE_INFINITE : VALUE_INFINITE;
	int end = used + solver_list(solver, used);

	moves_mark(solver, entry, used, end);
	for (int i = used; i < end && window.alpha < window.beta; i++) {
		struct solver_saved saved;
		const struct scopa_move *move = &solver->moves[i];
		int value;

		moves_pick(solver, i, end);
		solver_make(solver, move, &saved);
		value = solver_search(solver, window, end);
		solver_unmake(solver, &saved);
		if (solver->error)
			return 0;
		if (mine ? value <= best : value >= best)
			continue;
		best = value;
		entry->rank = move->card < SCOPA_PACK_SIZE
		    ? (uint8_t)scopa_card_value(move->card)
		    : 0;
		entry->taken = (uint8_t)scopa_set_count(move->captured);
		if (mine && best > window.alpha)
			window.alpha = best;
		if (!mine && best < window.beta)
			window.beta = best;
	}
	return best;
}

/* Returns an entry with the bounds of the evaluation and of the table. */
static struct solver_entry
entry_make(const struct solver *solver, const struct evaluation *evaluation)
{
	const struct solver_entry *found = NULL, *bucket;
	struct solver_entry entry = {
		.low = (int16_t)evaluation->low,
		.high = (int16_t)evaluation->high,
		.plies = (uint8_t)solve_plies(&solver->deal),
	};

	if (entry.plies < KEPT_PLIES_MIN)
		return entry;
	entry.key = evaluation_key(evaluation);
	bucket = bucket_of(solver, entry.key);
	for (int i = 0; i < BUCKET_SIZE && found == NULL; i++)
		if (bucket[i].key == entry.key)
			found = &bucket[i];
	if (found == NULL)
		return entry;
	entry.rank = found->rank;
	entry.taken = found->taken;
	entry.low = MAX(entry.low, found->low);
	entry.high = MIN(entry.high, found->high);
	return entry;
}

/*
 * Returns the value for the solver's team: exact inside the window, a bound
 * outside.  The result is undefined when solver->error is set.
 */
static int
solver_search(struct solver *solver, struct solver_window window, int used)
{
	struct solver_entry entry;
	struct evaluation evaluation;
	int value;

	if (!node_enter(solver))
		return 0;
	if (scopa_deal_over(&solver->deal) &&
	    (solver->terms.teams > 2 || solver->deal.winner != SCOPA_TEAM_NONE))
		return solve_value(solver->rules, &solver->deal, solver->team);
	evaluation_make(
	    &solver->terms, &solver->deal, solver->levels, &evaluation);
	if (scopa_deal_over(&solver->deal))
		return evaluation.base;
	/*
	 * First with the bounds of the evaluation alone, then also with the
	 * table.
	 */
	entry.low = (int16_t)evaluation.low;
	entry.high = (int16_t)evaluation.high;
	for (int looks = 0; looks < 2; looks++) {
		int low = evaluation.base + entry.low;
		int high = evaluation.base + entry.high;

		if (low >= window.beta || low == high)
			return low;
		if (high <= window.alpha)
			return high;
		if (looks == 0) {
			entry = entry_make(solver, &evaluation);
			continue;
		}
		window.alpha = MAX(window.alpha, low);
		window.beta = MIN(window.beta, high);
	}
	value = search_moves(solver, window, used, &entry);
	if (solver->error)
		return 0;
	if (value < window.beta)
		entry.high = (int16_t)(value - evaluation.base);
	if (value > window.alpha)
		entry.low = (int16_t)(value - evaluation.base);
	if (entry.plies >= KEPT_PLIES_MIN)
		store_entry(solver, &entry);
	return value;
}

/* Returns the exact value, by searches with a window of width one. */
static int
solver_exact(struct solver *solver, int guess, int used)
{
	int low = -VALUE_INFINITE, high = VALUE_INFINITE;

	while (low < high && !solver->error) {
		int beta = guess > low ? guess : low + 1;
		struct solver_window window = { beta - 1, beta };

		guess = solver_search(solver, window, used);
		if (guess < beta)
			high = guess;
		else
			low = guess;
	}
	return low;
}

/*
 * Returns the exact value of the deal, or sets solver->error when more plies
 * are left than the limits allow.  The first guess is the part of the value
 * that is already decided.
 */
static int
root_exact(struct solver *solver, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct solve_limits *limits)
{
	struct evaluation evaluation;

	solver_init(solver, rules, deal, limits);
	if (solver->error)
		return 0;
	evaluation_make(
	    &solver->terms, &solver->deal, solver->levels, &evaluation);
	return solver_exact(solver, evaluation.base, 0);
}

int
solve_plies(const struct scopa_deal *deal)
{
	int plies = SCOPA_PACK_SIZE - deal->dealt;

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		plies += scopa_set_count(deal->hands[seat]);
	return plies;
}

int
solve_value(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team)
{
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1, best = INT_MIN;
	struct scopa_score score;

	scopa_score_count(rules, deal, &score);
	for (int other = 0; other < scopa_team_count(rules); other++)
		if (other != team && sign * score.total[other] > best)
			best = sign * score.total[other];
	best = sign * score.total[team] - best;
	if (score.winner != SCOPA_TEAM_NONE)
		best += score.winner == team ? SOLVE_WIN : -SOLVE_WIN;
	return best;
}

/* Finds the first legal move that has this value; false on an error. */
static bool
best_find(struct solver *solver, int value, struct scopa_move *best)
{
	int count = solver_list(solver, 0);
	bool mine = is_mine(solver);
	struct solver_window window = { value - mine, value + !mine };

	for (int i = 0; i < count && !solver->error; i++) {
		struct solver_saved saved;
		int found;

		*best = solver->moves[i];
		solver_make(solver, best, &saved);
		found = solver_search(solver, window, count);
		solver_unmake(solver, &saved);
		if (!solver->error && (mine ? found >= value : found <= value))
			return true;
	}
	assert(solver->error);
	return false;
}

int
solve_deal(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_result *result)
{
	struct solver solver;
	struct scopa_move best;
	int value = root_exact(&solver, rules, deal, limits);

	if (solver.error || !best_find(&solver, value, &best))
		return solver.error;
	*result = (struct solve_result){
		.value = is_mine(&solver) ? value : -value,
		.best = best,
		.nodes = solver.nodes,
		.plies = solve_plies(deal),
	};
	return 0;
}

int
solve_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct solve_move *moves, int max,
    struct solve_result *result)
{
	struct solver solver;
	int value = root_exact(&solver, rules, deal, limits);
	int count = solver.error == 0 ? solver_list(&solver, 0) : 0;

	if (count > max)
		return -ENOBUFS;
	for (int i = 0; i < count; i++) {
		struct solve_move move = { .move = solver.moves[i] };
		struct solver_saved saved;
		int at = i;

		solver_make(&solver, &move.move, &saved);
		move.value = solver_exact(&solver, value, count);
		solver_unmake(&solver, &saved);
		if (!is_mine(&solver))
			move.value = -move.value;
		/*
		 * Insertion sort, best first; equal values stay in canonical
		 * order.
		 */
		for (; at > 0 && moves[at - 1].value < move.value; at--)
			moves[at] = moves[at - 1];
		moves[at] = move;
	}
	if (solver.error)
		return solver.error;
	*result = (struct solve_result){
		.value = moves[0].value,
		.best = moves[0].move,
		.nodes = solver.nodes,
		.plies = solve_plies(deal),
	};
	return count;
}

int
solve_line(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct solve_limits *limits, struct scopa_move *line,
    struct scopa_deal *end)
{
	struct solver solver;
	int value = root_exact(&solver, rules, deal, limits), count = 0;

	while (!solver.error && !scopa_deal_over(&solver.deal)) {
		struct solver_saved saved;

		if (best_find(&solver, value, &line[count]))
			solver_make(&solver, &line[count++], &saved);
	}
	if (solver.error)
		return solver.error;
	*end = solver.deal;
	return count;
}

/*
 * Worlds between two checks of the limits.  A short search checks none itself.
 */
enum { STOP_INTERVAL = 8 };

/* Solves one world and adds its values to the rows; false on an error. */
static bool
add_world(const struct belief *belief, int world,
    const struct solve_limits *limits, uint64_t *random,
    struct search_result *result)
{
	struct solve_move moves[SCOPA_MOVES_MAX];
	struct solve_result solved;
	struct scopa_deal deal;
	int count;

	belief_world(belief, world, random, &deal);
	count = solve_moves(
	    belief->rules, &deal, limits, moves, SCOPA_MOVES_MAX, &solved);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < result->row_count; j++)
			if (scopa_move_equal(
				&moves[i].move, &result->rows[j].move))
				result->rows[j].value +=
				    belief->weights[world] * moves[i].value;
	if (count > 0)
		result->nodes += solved.nodes;
	return count > 0;
}

bool
endgame_solve(const struct belief *belief, const struct solve_limits *limits,
    uint64_t *random, struct search_result *result)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];

	if (!belief->listed || scopa_team_count(belief->rules) != 2)
		return false;
	result->nodes = 0;
	result->plays = 0;
	result->iterations = belief->world_count;
	result->late = false;
	result->exact = true;
	result->best = 0;
	result->row_count =
	    scopa_moves(belief->rules, &belief->deal, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < result->row_count; i++)
		result->rows[i] = (struct search_row){
			.move = moves[i],
			.visits = belief->world_count,
		};
	for (int i = 0; i < belief->world_count; i++)
		if ((i % STOP_INTERVAL == STOP_INTERVAL - 1 &&
			is_stopped(limits)) ||
		    !add_world(belief, i, limits, random, result))
			return false;
	for (int i = 1; i < result->row_count; i++)
		if (result->rows[i].value > result->rows[result->best].value)
			result->best = i;
	result->line_count = 1;
	result->line[0] = result->rows[result->best].move;
	return true;
}
