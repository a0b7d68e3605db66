#include "maestro.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "now.h"
#include "pace.h"
#include "players.h"
#include "playout.h"
#include "policy.h"
#include "reward.h"
#include "scopa/notation.h"
#include "solve.h"
#include "splitmix.h"
#include "world.h"

const struct maestro_settings maestro_defaults = {
	.prior_weight = 30,
	.exploration = 3.5,
	.model = 0.7,
	.trust = 0.95,
	.sharpness = 1,
	.opponents = 0.3,
	.worlds = 512,
	.threads = 1,
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

/* Until when the end may be solved, and who else calls it off. */
struct endgame {
	const struct maestro_settings *settings;
	int64_t deadline_ns; /* 0: none */
};

static bool
endgame_stopped(void *context)
{
	const struct endgame *endgame = context;
	const struct maestro_settings *settings = endgame->settings;

	if (settings->stopped != NULL &&
	    settings->stopped(settings->stopped_context))
		return true;
	return endgame->deadline_ns != 0 && now_ns() >= endgame->deadline_ns;
}

/* Half of the time: the other half is for the search, if this is in vain. */
static int64_t
endgame_deadline_ns(int64_t deadline_ns)
{
	int64_t now = now_ns();

	return deadline_ns == 0 ? 0 : now + (deadline_ns - now) / 2;
}

/*
 * When the stock is used up, few worlds are solved, where points are what
 * counts.
 */
static bool
endgame_try(struct maestro *maestro, const struct maestro_settings *settings,
    const struct match_equity *equity, const struct scopa_view *view,
    uint64_t *random)
{
	const struct belief *belief = &maestro->belief;
	struct endgame endgame = {
		.settings = settings,
		.deadline_ns = endgame_deadline_ns(settings->deadline_ns),
	};
	const struct solve_limits limits = {
		.plies_max = ENDGAME_PLIES_MAX,
		.nodes_max = ENDGAME_NODES_MAX,
		.memory = maestro->table,
		.memory_size = sizeof(maestro->table),
		.stopped = endgame_stopped,
		.context = &endgame,
	};

	return belief->listed && belief->deal.dealt == SCOPA_PACK_SIZE &&
	    belief->world_count <= MAESTRO_ENDGAME_WORLDS &&
	    settings->only == NULL &&
	    !match_equity_decides(equity, belief->rules, view) &&
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
read_opponents(struct maestro *maestro, const struct maestro_settings *settings,
    uint64_t *random, struct insight *insight, struct search_config *search)
{
	struct belief *belief = &maestro->belief;
	const struct scopa_rules *rules = belief->rules;
	struct opponent_model_config config = { .share = settings->opponents };
	int64_t now = now_ns(), left = settings->deadline_ns - now;

	opponent_model_forget(&maestro->opponents);
	if (settings->opponents <= 0 || settings->trust <= 0 ||
	    !opponent_model_fits(rules))
		return;
	if (settings->deadline_ns != 0 && left < OPPONENTS_TIME_NS)
		return;
	if (settings->iterations > 0 &&
	    settings->iterations < OPPONENTS_ITERATIONS)
		return;
	if (settings->deadline_ns != 0)
		config.deadline_ns = now + left / OPPONENTS_PART;
	config.judged_max = settings->iterations / OPPONENTS_ITERATIONS_PART;
	opponent_model_read(&maestro->opponents, &config, belief, random);
	if (maestro->opponents.hypotheses[OPPONENT_CHITARRELLA].chance <= 0.5)
		return;
	for (int seat = 0; seat < rules->players; seat++) {
		if (scopa_team_of(rules, seat) ==
		    scopa_team_of(rules, belief->deal.turn))
			continue;
		insight->by_rules[seat] = true;
		search->model[seat] = model_of_known_rules;
	}
}

bool
maestro_think(struct maestro *maestro, const struct maestro_settings *settings,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct match_equity equity = { .to_target = settings->deal_count == 0 };
	struct playout playout;
	struct policy reader = {
		.tables = policy_models,
		.sharpness = (float)settings->sharpness,
	};
	struct insight insight = {
		.policy = { .sharpness = PRIOR_SHARPNESS },
	};
	const struct belief_config trust = {
		.judge = settings->trust > 0 ? policy_judge : NULL,
		.context = &reader,
		.trust = settings->trust,
		.worlds = settings->worlds,
		.swaps = SWAPS,
		.listed_max =
		    worlds_in_time(LISTED_MAX, settings->deadline_ns, 2),
	};
	struct search_config search = {
		.iterations = settings->iterations,
		.deadline_ns = settings->deadline_ns,
		.exploration = settings->exploration,
		.prior_weight = settings->prior_weight,
		.completions = COMPLETIONS,
		.worlds = { draw_world, &maestro->belief },
		.playout = { playout_choose, &playout },
		.reward = { match_equity_count, &equity },
		.prior = { settings->prior_weight > 0 ? judge_seat : NULL,
		    &insight, .apart = true },
		.only = settings->only,
		.stopped = settings->stopped,
		.stopped_context = settings->stopped_context,
		.memory = maestro->tree,
		.memory_size = sizeof(maestro->tree),
	};

	for (int seat = 0; seat < rules->players; seat++)
		search.model[seat] = settings->model;
	playout_init(&playout, rules, PLAYOUT_EPSILON);
	belief_draw_pool(&maestro->belief, &trust, rules, view, deal, random);
	read_opponents(maestro, settings, random, &insight, &search);
	if (endgame_try(maestro, settings, &equity, view, random))
		return true;
	return parallel_search_run(&maestro->parallel, settings->threads,
	    &search, rules, view, random, &maestro->result);
}

/* The longest that it may think, of the options; 0: as the clock says. */
static int64_t
most_ms(const int64_t *options)
{
	if (options[MAESTRO_MS] != MAESTRO_MS_AUTO)
		return options[MAESTRO_MS];
	return options[MAESTRO_ITERATIONS] > 0 ? 0 : MAESTRO_MS_USUAL;
}

static struct maestro_settings
settings_of(const struct builtin_turn *turn)
{
	struct maestro_settings settings = maestro_defaults;
	const int64_t *options = turn->options;
	bool clock = turn->bank_ns >= 0 || turn->move_ns >= 0;
	int64_t ms = most_ms(options);

	settings.iterations = options[MAESTRO_ITERATIONS];
	settings.prior_weight = (double)options[MAESTRO_PRIOR];
	settings.exploration = (double)options[MAESTRO_EXPLORATION] / 100;
	settings.threads = (int)options[MAESTRO_THREADS];
	settings.worlds = (int)options[MAESTRO_WORLDS];
	settings.model = (double)options[MAESTRO_MODEL] / 1000;
	settings.trust = (double)options[MAESTRO_TRUST] / 1000;
	settings.sharpness = (double)options[MAESTRO_SHARPNESS] / 100;
	settings.opponents = (double)options[MAESTRO_OPPONENTS] / 1000;
	settings.deal_count = turn->deal_count;
	settings.stopped = turn->stopped;
	settings.stopped_context = turn->context;
	/* A number of iterations alone makes the same move on any machine. */
	if (settings.iterations == 0 || ms > 0 || clock) {
		struct pace_limit limit =
		    pace_search_limit(turn, ms, settings.iterations);

		settings.deadline_ns = limit.deadline_ns;
		settings.by_clock = limit.by_clock;
		settings.worlds =
		    worlds_in_time(settings.worlds, settings.deadline_ns, 4);
	}
	return settings;
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

/* How likely the others play by known rules, and by whose rules. */
static void
report_opponents(struct info *info, const struct opponent_model *opponents)
{
	static const char *const keys[OPPONENT_KINDS] = {
		[OPPONENT_CHITARRELLA] = "m.chitarrella",
		[OPPONENT_GREEDY] = "m.greedy",
	};

	for (int i = 0; i < OPPONENT_KINDS; i++)
		if (opponents->hypotheses[i].chance > 0)
			info_decimal(
			    info, keys[i], opponents->hypotheses[i].chance);
}

static void
tell(const struct builtin_turn *turn, const struct maestro *maestro,
    const struct search_row *row, bool cut)
{
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
	report_opponents(&info, &maestro->opponents);
	info_finish(&info, turn->info);
}

bool
maestro_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct maestro *maestro = turn->memory;
	const struct maestro_settings settings = settings_of(turn);
	const struct search_row *row;
	struct scopa_move only[2];

	if (scopa_moves(turn->rules, turn->deal, only, 2) == 1) {
		scopa_move_format(&only[0], answer);
		return true;
	}
	if (!maestro_think(maestro, &settings, turn->rules, turn->view,
		turn->deal, turn->random))
		return false;
	row = strength_row(&maestro->result,
	    (int)turn->options[MAESTRO_STRENGTH], 1, turn->random);
	tell(turn, maestro, row, settings.by_clock && maestro->result.late);
	scopa_move_format(&row->move, answer);
	return true;
}

/* Half of all is for the first search. */
enum { SHARE_OF_FIRST = 2, SHARE_OF_EACH = 4 };

/* The work on one opinion. */
struct forming {
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	const struct opinion_means *means;
	struct scopa_deal deal; /* that agrees with the view */
	uint64_t *random;
	int64_t iterations; /* done so far */
};

/* A search with a share of what is allowed. */
static bool
form_search(struct forming *forming, const struct scopa_move *only, int share)
{
	const struct opinion_means *means = forming->means;
	struct maestro_settings settings = maestro_defaults;

	settings.only = only;
	settings.iterations = means->iterations / share;
	if (means->iterations == 0)
		settings.deadline_ns = now_ns() + means->time_ns / share;
	else if (settings.iterations == 0)
		settings.iterations = 1;
	if (!maestro_think(means->maestro, &settings, forming->rules,
		forming->view, &forming->deal, forming->random))
		return false;
	forming->iterations += means->maestro->result.iterations;
	return true;
}

/* What one move is worth, by a search that looks at no other. */
static bool
form_value(
    struct forming *forming, const struct scopa_move *move, double *value)
{
	const struct search_result *result = &forming->means->maestro->result;

	if (!form_search(forming, move, SHARE_OF_EACH))
		return false;
	*value = result->rows[result->best].value;
	return true;
}

bool
opinion_form(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_move *played, const struct opinion_means *means,
    uint64_t *random, struct opinion *opinion)
{
	const struct search_result *result = &means->maestro->result;
	struct forming forming = {
		.rules = rules,
		.view = view,
		.means = means,
		.random = random,
	};
	double best, other;

	if (!imagine_deal(rules, view, &forming.deal) ||
	    !form_search(&forming, NULL, SHARE_OF_FIRST))
		return false;
	*opinion = (struct opinion){
		.best = result->rows[result->best].move,
		.value = result->rows[result->best].value,
	};
	if (!scopa_move_equal(played, &opinion->best)) {
		if (!form_value(&forming, &opinion->best, &best) ||
		    !form_value(&forming, played, &other))
			return false;
		opinion->value = best;
		opinion->loss = best > other ? best - other : 0;
	}
	opinion->iterations = forming.iterations;
	return true;
}
