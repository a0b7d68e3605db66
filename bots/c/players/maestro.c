#include "maestro.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "now.h"
#include "pace.h"
#include "players.h"
#include "policy.h"
#include "scopa/notation.h"
#include "solve.h"
#include "splitmix.h"
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

/* What it is to think about, and how. */
struct maestro_task {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct scopa_deal *deal; /* that agrees with the view */
	const int64_t *options;        /* values of maestro_options */
	int64_t deadline_ns;           /* CLOCK_MONOTONIC; 0: none */
	int deal_count;                /* of the match; 0: to the target */
	const struct scopa_move *only; /* to be valued alone; NULL: all */
	bool (*stopped)(void *context);
	void *context;
};

/* How sharp the policy is as prior of the search. */
static const float PRIOR_SHARPNESS = 2;

/* Swaps from a world of the belief to the next; ends that a playout has. */
enum { SWAPS = 24, COMPLETIONS = 2 };

/* What weighing one world takes late in a deal, and how few may do. */
enum { WORLD_NS = 2000, WORLDS_LEAST = 16 };

/*
 * Whether others play by known rules is looked for in a part of a thought that
 * is long enough: of the time, or, so that a number of iterations makes the
 * same move on any machine, of the work.  To judge one play with one hand takes
 * about as long as two or three iterations, and the part is then the same.
 */
enum {
	OPPONENTS_TIME_NS = 30000000,
	OPPONENTS_PART = 3,
	OPPONENTS_ITERATIONS = 5000,
	OPPONENTS_ITERATIONS_PART = 5
};

/* And is played so in this share of visits. */
static const double model_of_known_rules = 0.9;

/* All worlds are listed where there are no more than this. */
enum { LISTED_MAX = 1680 };

/* What solving one world may take: far more than it does at the end. */
enum { ENDGAME_PLIES_MAX = 12, ENDGAME_NODES_MAX = 100000 };

static void
draw_world(void *context, uint64_t *random, struct scopa_deal *deal)
{
	belief_pick(context, random, deal);
}

/*
 * When the stock is used up, few worlds are solved, where points are what
 * counts.  Half of the time is for the search, if this is in vain.
 */
static bool
endgame_try(
    struct maestro *maestro, const struct maestro_task *task, uint64_t *random)
{
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
		.stopped = task->stopped,
		.context = task->context,
	};

	return belief->listed && belief->deal.dealt == SCOPA_PACK_SIZE &&
	    belief->world_count <= MAESTRO_ENDGAME_WORLDS &&
	    task->only == NULL &&
	    (task->deal_count != 0 ||
		!match_decides(task->rules, task->view)) &&
	    endgame_solve(belief, &limits, random, &maestro->result);
}

/* Weighing worlds takes a part of the thought at most; 0: it has no end. */
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

/* The policy of the search, and the seats that play by known rules instead. */
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
 * Reads the others as players by known rules, where there is time for it.
 * Opponents that are more likely than not of a known kind are so in the search.
 */
static void
read_opponents(struct maestro *maestro, const struct maestro_task *task,
    uint64_t *random, struct insight *insight, struct search_config *search)
{
	struct belief *belief = &maestro->belief;
	const struct scopa_rules *rules = task->rules;
	int64_t iterations = task->options[MAESTRO_ITERATIONS];
	int64_t now = now_ns(), left = task->deadline_ns - now;
	const struct opponent_model_config config = {
		.share = (double)task->options[MAESTRO_OPPONENTS] / 1000,
		.deadline_ns =
		    task->deadline_ns != 0 ? now + left / OPPONENTS_PART : 0,
		.judged_max = iterations / OPPONENTS_ITERATIONS_PART,
	};

	opponent_model_forget(&maestro->opponents);
	if (config.share <= 0 || task->options[MAESTRO_TRUST] <= 0 ||
	    !opponent_model_fits(rules) ||
	    (task->deadline_ns != 0 && left < OPPONENTS_TIME_NS) ||
	    (iterations > 0 && iterations < OPPONENTS_ITERATIONS))
		return;
	opponent_model_read(&maestro->opponents, &config, belief, random);
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
 * Thinks about the position; the move is row `best` of maestro->result.  False
 * where the view contradicts itself.
 */
static bool
maestro_think(
    struct maestro *maestro, const struct maestro_task *task, uint64_t *random)
{
	const int64_t *options = task->options;
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
		.rules = task->rules,
		.view = task->view,
		.iterations = options[MAESTRO_ITERATIONS],
		.deadline_ns = task->deadline_ns,
		.exploration = (double)options[MAESTRO_EXPLORATION] / 100,
		.prior_weight = (double)options[MAESTRO_PRIOR],
		.completions = COMPLETIONS,
		.worlds = { draw_world, &maestro->belief },
		.random_share = PLAYOUT_EPSILON,
		.reward = task->deal_count == 0 ? reward_match : reward_lead,
		.prior = { options[MAESTRO_PRIOR] > 0 ? judge_seat : NULL,
		    &insight, .apart = true },
		.only = task->only,
		.stopped = task->stopped,
		.stopped_context = task->context,
		.memory = maestro->tree,
		.memory_size = sizeof(maestro->tree),
	};

	for (int seat = 0; seat < task->rules->players; seat++)
		search.model[seat] = (double)options[MAESTRO_MODEL] / 1000;
	belief_draw_pool(&maestro->belief, &trust, task->rules, task->view,
	    task->deal, random);
	read_opponents(maestro, task, random, &insight, &search);
	return endgame_try(maestro, task, random) ||
	    parallel_search_run(&maestro->parallel,
		(int)options[MAESTRO_THREADS], &search, random,
		&maestro->result);
}

/* `m.p.7D.2`: how likely seat 2 holds the settebello. */
static void
report_chance(
    struct info *info, const struct belief *belief, int seat, scopa_card card)
{
	char key[16];

	snprintf(key, sizeof(key), "m.p.%c%c.%d",
	    scopa_value_letter(scopa_card_value(card)),
	    scopa_suit_letter(scopa_card_suit(card)), seat + 1);
	info_decimal(info, key, belief_chance(belief, seat, card));
}

/* The unseen sevens, and what would sweep the table as it is. */
static void
report_belief(struct info *info, const struct belief *belief)
{
	int total = scopa_set_total(belief->deal.table);
	scopa_set cards = scopa_set_of_value(7);

	if (total >= 1 && total <= SCOPA_VALUE_MAX)
		cards |= scopa_set_of_value(total);
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

/* What it has found, and how likely the others play by known rules. */
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
	struct maestro_task task = {
		.rules = turn->rules,
		.view = turn->view,
		.deal = turn->deal,
		.options = options,
		.deal_count = turn->deal_count,
		.stopped = turn->stopped,
		.context = turn->context,
	};
	struct pace_limit limit = { 0 };
	const struct search_row *row;
	struct scopa_move only[2];

	if (scopa_moves(turn->rules, turn->deal, only, 2) == 1) {
		scopa_move_format(&only[0], answer);
		return true;
	}
	if (ms == MAESTRO_MS_AUTO)
		ms = options[MAESTRO_ITERATIONS] > 0 ? 0 : MAESTRO_MS_USUAL;
	/* A number of iterations alone makes the same move on any machine. */
	if (options[MAESTRO_ITERATIONS] == 0 || ms > 0 || turn->bank_ns >= 0 ||
	    turn->move_ns >= 0)
		limit =
		    pace_search_limit(turn, ms, options[MAESTRO_ITERATIONS]);
	task.deadline_ns = limit.deadline_ns;
	if (!maestro_think(maestro, &task, turn->random))
		return false;
	row = strength_row(
	    &maestro->result, (int)options[MAESTRO_STRENGTH], 1, turn->random);
	report(turn, maestro, row, limit.by_clock && maestro->result.late);
	scopa_move_format(&row->move, answer);
	return true;
}

/* Half of all is for the first search. */
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
	struct maestro_task task = {
		.rules = rules, .view = view, .deal = &deal, .options = options
	};
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
		if (!maestro_think(means->maestro, &task, random))
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
