/*
 * The decision of @maestro, and opinion_form(), which uses the same search to
 * judge a move of another player.
 *
 * A decision has four steps: draw a pool of worlds from the plays so far
 * (world.h); test whether the other teams play by known rules
 * (opponent_model.h); in a late position with few worlds solve all of them
 * (solve.h); else search a tree over the pool (search.h) with the learned
 * policy as prior.
 */
#include "maestro.h"

#include <math.h>
#include <stdio.h>

#include "greedy.h"
#include "now.h"
#include "pace.h"
#include "policy.h"
#include "scopa/notation.h"
#include "solve.h"
#include "strength.h"
#include "world.h"

const struct builtin_option maestro_options[MAESTRO_OPTION_COUNT] = {
	[MAESTRO_MS] = { "ms", MAESTRO_MS_AUTO, MAESTRO_MS_AUTO, PACE_MS_MAX,
	    NULL },
	[MAESTRO_ITERATIONS] = { "iterations", 0, 0, SEARCH_ITERATIONS_MAX,
	    NULL },
	[MAESTRO_SEED] = { "seed", 0, 0, INT64_MAX, NULL },
	[MAESTRO_THREADS] = { "threads", 1, 1, PARALLEL_SEARCH_MAX, NULL },
	[MAESTRO_STRENGTH] = { "strength", STRENGTH_MAX, STRENGTH_MIN,
	    STRENGTH_MAX, NULL },
	[MAESTRO_PRIOR] = { "prior", 30, 0, 1000, NULL },
	[MAESTRO_EXPLORATION] = { "exploration", 350, 0, 10000, NULL },
	[MAESTRO_MODEL] = { "model", 700, 0, 1000, NULL },
	[MAESTRO_WORLDS] = { "worlds", 512, 1, BELIEF_WORLDS_MAX, NULL },
	[MAESTRO_TRUST] = { "trust", 950, 0, 1000, NULL },
	[MAESTRO_SHARPNESS] = { "sharpness", 100, 0, 1000, NULL },
	[MAESTRO_OPPONENTS] = { "rote", 300, 0, 1000, NULL },
};

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* A decision.  The memory of the turn is a struct maestro. */
struct maestro_task {
	const struct builtin_turn *turn;
	int64_t deadline_ns;           /* CLOCK_MONOTONIC; 0: none */
	const struct scopa_move *only; /* the only move to search; NULL: all */
};

/* The sharpness of the policy when it is the prior of the search. */
static const float PRIOR_SHARPNESS = 2;

/*
 * Swaps between two worlds of the belief; random completions of each playout.
 */
enum { SWAPS = 24, COMPLETIONS = 2 };

/*
 * The time to weigh one world late in a deal, and the least number of worlds.
 */
enum { WORLD_NS = 2000, WORLDS_LEAST = 16 };

/*
 * The test for known rules gets a part of a long enough thought.  The part is
 * measured in time or, when the number of iterations is given, in work, so that
 * the same move is made on every machine.  Judging one play with one hand takes
 * about as long as two or three iterations, so both parts are similar.
 */
enum {
	OPPONENTS_TIME_NS = 30000000,
	OPPONENTS_PART = 3,
	OPPONENTS_ITERATIONS = 5000,
	OPPONENTS_ITERATIONS_PART = 5
};

/* The share of visits in which seats that play by known rules follow them. */
static const double model_of_known_rules = 0.9;

/* All worlds are listed if there are at most this many. */
enum { LISTED_MAX = 1680 };

/* Limits for solving one world; a normal late position needs much less. */
enum { ENDGAME_PLIES_MAX = 12, ENDGAME_NODES_MAX = 100000 };

/*
 * Solves all worlds when the deck is empty, there are few worlds, and points
 * decide the value.  It may use half of the time; the other half is left for
 * the search in case of failure.
 */
static bool
endgame_try(const struct maestro_task *task)
{
	const struct builtin_turn *turn = task->turn;
	struct maestro *maestro = turn->memory;
	const struct belief *belief = &maestro->belief;
	int64_t now = now_ns();
	const struct solve_limits limits = {
		.plies_max = ENDGAME_PLIES_MAX,
		.nodes_max = ENDGAME_NODES_MAX,
		.memory = maestro->table,
		.memory_size = sizeof(maestro->table),
		.deadline_ns = task->deadline_ns == 0
		    ? 0
		    : now + (task->deadline_ns - now) / 2,
		.stopped = turn->stopped,
		.context = turn->context,
	};

	return belief->listed && belief->deal.dealt == SCOPA_PACK_SIZE &&
	    belief->world_count <= MAESTRO_ENDGAME_WORLDS &&
	    task->only == NULL &&
	    (turn->deal_count != 0 ||
		!match_decides(turn->rules, turn->view)) &&
	    endgame_solve(belief, &limits, turn->random, &maestro->result);
}

/*
 * Returns how many worlds can be weighed in a part of the time.  A deadline of
 * 0 means no limit.
 */
static int
worlds_in_time(int worlds, int64_t deadline_ns, int part)
{
	int64_t count;

	if (deadline_ns == 0 || worlds <= WORLDS_LEAST)
		return worlds;
	count = (deadline_ns - now_ns()) / part / WORLD_NS;
	if (count >= worlds)
		return worlds;
	return count > WORLDS_LEAST ? (int)count : WORLDS_LEAST;
}

/*
 * Context of judge_seat(): the policy, and the seats that play by known rules.
 */
struct insight {
	struct policy policy;
	bool by_rules[SCOPA_SEATS_MAX];
};

static void
judge_seat(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	struct insight *insight = context;

	if (insight->by_rules[deal->turn] &&
	    opponent_model_holds(OPPONENT_CHITARRELLA, deal))
		opponent_model_odds(rules, deal, moves, count, odds);
	else
		policy_odds(&insight->policy, rules, deal, moves, count, odds);
}

/*
 * Tests whether the other teams play by known rules, when there is enough time.
 * If @chitarrella is more likely than not, the search models them by its rules.
 */
static void
read_opponents(const struct maestro_task *task, struct insight *insight,
    struct search_config *search)
{
	struct maestro *maestro = task->turn->memory;
	struct belief *belief = &maestro->belief;
	const struct scopa_rules *rules = task->turn->rules;
	const int64_t *options = task->turn->options;
	int64_t iterations = options[MAESTRO_ITERATIONS];
	int64_t now = now_ns(), left = task->deadline_ns - now;
	const struct opponent_model_config config = {
		.share = (double)options[MAESTRO_OPPONENTS] / 1000,
		.deadline_ns =
		    task->deadline_ns != 0 ? now + left / OPPONENTS_PART : 0,
		.judged_max = iterations / OPPONENTS_ITERATIONS_PART,
	};

	opponent_model_forget(&maestro->opponents);
	if (config.share <= 0 || options[MAESTRO_TRUST] <= 0 ||
	    !opponent_model_fits(rules) ||
	    (task->deadline_ns != 0 && left < OPPONENTS_TIME_NS) ||
	    (iterations > 0 && iterations < OPPONENTS_ITERATIONS))
		return;
	opponent_model_read(
	    &maestro->opponents, &config, belief, task->turn->random);
	if (maestro->opponents.hypotheses[OPPONENT_CHITARRELLA].chance <= 0.5)
		return;
	for (int seat = 0; seat < rules->players; seat++)
		if (scopa_team_of(rules, seat) !=
		    scopa_team_of(rules, belief->deal.turn)) {
			insight->by_rules[seat] = true;
			search->model[seat] = model_of_known_rules;
		}
}

/*
 * Decides about the position; the move is row `best` of maestro->result.
 * Returns false when the view contradicts itself.
 */
static bool
maestro_think(const struct maestro_task *task)
{
	const struct builtin_turn *turn = task->turn;
	struct maestro *maestro = turn->memory;
	const int64_t *options = turn->options;
	struct policy reader = {
		.tables = policy_models,
		.sharpness = (float)((double)options[MAESTRO_SHARPNESS] / 100),
	};
	struct insight insight = {
		.policy = { .sharpness = PRIOR_SHARPNESS },
	};
	const struct belief_config trust = {
		.judge = options[MAESTRO_TRUST] > 0 ? policy_judge : NULL,
		.context = &reader,
		.trust = (double)options[MAESTRO_TRUST] / 1000,
		.worlds = worlds_in_time(
		    (int)options[MAESTRO_WORLDS], task->deadline_ns, 4),
		.swaps = SWAPS,
		.listed_max = worlds_in_time(LISTED_MAX, task->deadline_ns, 2),
	};
	struct search_config search = {
		.rules = turn->rules,
		.view = turn->view,
		.iterations = options[MAESTRO_ITERATIONS],
		.deadline_ns = task->deadline_ns,
		.exploration = (double)options[MAESTRO_EXPLORATION] / 100,
		.prior_weight = (double)options[MAESTRO_PRIOR],
		.completions = COMPLETIONS,
		.worlds = { belief_pick, &maestro->belief },
		.random_share = PLAYOUT_EPSILON,
		.reward = turn->deal_count == 0 ? reward_match : reward_lead,
		.prior = { options[MAESTRO_PRIOR] > 0 ? judge_seat : NULL,
		    &insight, .apart = true },
		.only = task->only,
		.stopped = turn->stopped,
		.stopped_context = turn->context,
		.memory = maestro->tree,
		.memory_size = sizeof(maestro->tree),
	};

	for (int seat = 0; seat < turn->rules->players; seat++)
		search.model[seat] = (double)options[MAESTRO_MODEL] / 1000;
	belief_draw_pool(&maestro->belief, &trust, turn->rules, turn->view,
	    turn->deal, turn->random);
	read_opponents(task, &insight, &search);
	return endgame_try(task) ||
	    parallel_search_run(&maestro->parallel,
		(int)options[MAESTRO_THREADS], &search, turn->random,
		&maestro->result);
}

/*
 * Adds for example `m.p.7D.2`: the probability that seat 2 holds the
 * settebello.
 */
static void
report_chance(
    struct info *info, const struct belief *belief, int seat, scopa_card card)
{
	char key[24];

	snprintf(key, sizeof(key), "m.p.%c%c.%d",
	    scopa_value_letter(scopa_card_value(card)),
	    scopa_suit_letter(scopa_card_suit(card)), seat + 1);
	info_decimal(info, key, belief_chance(belief, seat, card));
}

/*
 * Adds the probabilities of the unseen sevens and of cards that would sweep the
 * table.
 */
static void
report_belief(struct info *info, const struct belief *belief)
{
	int total = scopa_set_total(belief->deal.table);
	scopa_set cards = scopa_set_of_value(7);

	if (total > 0)
		cards |= cards_sweeping(belief->rules, total);
	cards &= belief->unseen;
	info_whole(info, "m.worlds", belief->world_count);
	info_decimal(info, "m.ess", belief->ess);
	while (cards) {
		scopa_card card = scopa_set_take(&cards);

		for (int i = 0; i < belief->holder_count; i++)
			if (belief->holders[i].seat != SCOPA_SEAT_NONE)
				report_chance(info, belief,
				    belief->holders[i].seat, card);
	}
}

/*
 * Writes the `info` line: the result of the search and of the test for known
 * rules.
 */
static void
report(const struct builtin_turn *turn, const struct maestro *maestro,
    const struct search_row *row, bool cut)
{
	static const char *const keys[OPPONENT_KINDS] = {
		[OPPONENT_CHITARRELLA] = "m.chitarrella",
		[OPPONENT_GREEDY] = "m.greedy",
	};
	const struct search_result *result = &maestro->result;
	struct info info;

	info_init(&info);
	info_decimal(&info, "value", row->value);
	info_whole(&info, "nodes", result->iterations);
	if (result->exact)
		info_whole(&info, "m.exact", 1);
	info_whole(&info, "time", (now_ns() - turn->began_ns) / NOW_NS_PER_MS);
	if (row == &result->rows[result->best])
		info_moves(&info, "pv", result->line, result->line_count);
	if (cut)
		info_whole(&info, "cut", 1);
	report_belief(&info, &maestro->belief);
	for (int i = 0; i < OPPONENT_KINDS; i++)
		if (maestro->opponents.hypotheses[i].chance > 0)
			info_decimal(&info, keys[i],
			    maestro->opponents.hypotheses[i].chance);
	info_finish(&info, turn->info);
}

bool
maestro_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct maestro *maestro = turn->memory;
	const int64_t *options = turn->options;
	int64_t ms = options[MAESTRO_MS];
	struct maestro_task task = { .turn = turn };
	struct pace_limit limit = { 0 };
	const struct search_row *row;
	struct scopa_move only[2];

	if (scopa_moves(turn->rules, turn->deal, only, 2) == 1) {
		scopa_move_format(&only[0], answer);
		return true;
	}
	if (ms == MAESTRO_MS_AUTO)
		ms = options[MAESTRO_ITERATIONS] > 0 ? 0 : MAESTRO_MS_USUAL;
	/*
	 * Without any clock, a number of iterations gives the same move on
	 * every machine.
	 */
	if (options[MAESTRO_ITERATIONS] == 0 || ms > 0 || turn->bank_ns >= 0 ||
	    turn->move_ns >= 0)
		limit =
		    pace_search_limit(turn, ms, options[MAESTRO_ITERATIONS]);
	task.deadline_ns = limit.deadline_ns;
	if (!maestro_think(&task))
		return false;
	row = strength_row(
	    &maestro->result, (int)options[MAESTRO_STRENGTH], 1, turn->random);
	report(turn, maestro, row, limit.by_clock && maestro->result.late);
	scopa_move_format(&row->move, answer);
	return true;
}

/* The first search gets half of the limits, each of the others a quarter. */
enum { SHARE_OF_FIRST = 2, SHARE_OF_EACH = 4 };

bool
opinion_form(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_move *played, const struct opinion_means *means,
    uint64_t *random, struct opinion *opinion)
{
	const struct search_result *result = &means->maestro->result;
	struct opinion found = { .iterations = 0 };
	const struct scopa_move *asked[] = { NULL, &found.best, played };
	int64_t options[MAESTRO_OPTION_COUNT];
	struct scopa_deal deal;
	const struct builtin_turn turn = {
		.rules = rules,
		.view = view,
		.deal = &deal,
		.random = random,
		.options = options,
		.deal_count = means->deal_count,
		.memory = means->maestro,
	};
	struct maestro_task task = { .turn = &turn };
	double values[COUNTOF(asked)];
	size_t searches = 1;

	if (!imagine_deal(rules, view, &deal))
		return false;
	for (int i = 0; i < MAESTRO_OPTION_COUNT; i++)
		options[i] = maestro_options[i].fallback;
	for (size_t i = 0; i < searches; i++) {
		int share = i == 0 ? SHARE_OF_FIRST : SHARE_OF_EACH;

		task.only = asked[i];
		options[MAESTRO_ITERATIONS] = means->iterations / share;
		if (means->iterations == 0)
			task.deadline_ns = now_ns() + means->time_ns / share;
		else if (options[MAESTRO_ITERATIONS] == 0)
			options[MAESTRO_ITERATIONS] = 1;
		if (!maestro_think(&task))
			return false;
		found.iterations += result->iterations;
		values[i] = result->rows[result->best].value;
		if (i == 0) {
			found.best = result->rows[result->best].move;
			if (!scopa_move_equal(played, &found.best))
				searches = COUNTOF(asked);
		}
	}
	found.value = values[searches == 1 ? 0 : 1];
	if (searches > 1)
		found.loss = fmax(values[1] - values[2], 0);
	*opinion = found;
	return true;
}
