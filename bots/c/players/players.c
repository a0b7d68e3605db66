/*
 * The table of the built-in bots, their options, and the decisions of all but
 * @maestro: first of the simple ones, then of those that search a tree.
 */
#include "players.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dialog.h"
#include "greedy.h"
#include "maestro.h"
#include "now.h"
#include "pace.h"
#include "scopa/notation.h"
#include "solve.h"
#include "splitmix.h"
#include "strength.h"
#include "tradition.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* A random legal move, all equally likely. */
static bool
random_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct token list = { turn->legal, turn->legal_length };
	struct token left = list, move;
	uint32_t count = 0, skip;

	while ((move = token_next(&left)).length > 0 &&
	    !token_is(move, BUILTIN_LEGAL_CUT))
		count++;
	if (count == 0)
		return false;
	skip = splitmix_below(turn->random, count);
	do
		move = token_next(&list);
	while (skip-- > 0);
	scopa_text_bytes(answer, move.bytes, move.length);
	return true;
}

/* The option `blunder` is given in parts of this number. */
enum { BLUNDER_MAX = 1000 };

/*
 * The greedy move; or, with the probability in the option, a random legal move.
 * This makes a bot that is slightly weaker.
 */
static bool
greedy_bot_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct scopa_move moves[SCOPA_MOVES_MAX], move;
	uint32_t count;

	if (splitmix_below(turn->random, BLUNDER_MAX) < turn->options[0]) {
		count = (uint32_t)scopa_moves(
		    turn->rules, turn->deal, moves, SCOPA_MOVES_MAX);
		move = moves[splitmix_below(turn->random, count)];
	} else {
		move = greedy_move(turn->rules, turn->deal);
	}
	scopa_move_format(&move, answer);
	return true;
}

/* The move by traditional rules.  The `info` line names the rule. */
static bool
chitarrella_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct tradition_reason reason;
	struct scopa_move move = tradition_move(turn->rules, turn->view,
	    turn->deal, (int)turn->options[0], &reason);
	struct info info;

	info_init(&info);
	info_moves(&info, "pv", &move, 1);
	info_whole(&info, "m.moves", reason.count);
	if (reason.lead > 0)
		info_decimal(&info, "m.lead", reason.lead);
	scopa_text_print(&info.line, " # %s %s", reason.rule, reason.sentence);
	info_finish(&info, turn->info);
	scopa_move_format(&move, answer);
	return true;
}

/*
 * The players of Di Palma and Lanzi (arXiv 1807.06813) that search a tree.
 *
 * @ismcts is the reference for players that search better: information-set tree
 * search of a single observer, with a uniform random world for every iteration,
 * 4,000 iterations, the difference of the points as reward and epsilon-greedy
 * playouts.
 *
 * @oracle sees all cards, so it cheats and plays only in analysis.  It runs the
 * same search on the one true deal.  It measures what hidden information is
 * worth, and how much of this inference wins back.
 */
enum {
	/* For the tree; about 250,000 iterations fill it. */
	TREE_MEMORY_SIZE = 1 << 25,
	ORACLE_SOLVE_MAX = 24,
	/*
	 * Node limit of the solver.  When it is reached, the tree search
	 * decides.
	 */
	ORACLE_SOLVE_NODES = 2000000,
	ORACLE_SOLVE_SIZE = 1 << 25,
	ORACLE_MEMORY_SIZE = TREE_MEMORY_SIZE + ORACLE_SOLVE_SIZE
};

/*
 * Searches with the worlds, reward and exploration of `config`, and writes an
 * `info` line.
 */
static bool
search_tree(const struct builtin_turn *turn, struct search_config config,
    struct search_result *result)
{
	const int64_t *options = turn->options;
	const struct pace_limit limit =
	    pace_search_limit(turn, options[TREE_MS], options[TREE_ITERATIONS]);
	/* By index of the option's word. */
	static const int shares[] = { PLAYOUT_EPSILON, PLAYOUT_SHARE_MAX, 0 };
	struct info info;

	config.rules = turn->rules;
	config.view = turn->view;
	config.iterations = options[TREE_ITERATIONS];
	config.deadline_ns = limit.deadline_ns;
	config.eager = true;
	config.random_share = shares[options[TREE_PLAYOUT]];
	config.stopped = turn->stopped;
	config.stopped_context = turn->context;
	config.memory = turn->memory;
	config.memory_size = TREE_MEMORY_SIZE;
	if (!search_run(&config, turn->random, result))
		return false;
	info_init(&info);
	info_whole(&info, "nodes", result->nodes);
	info_whole(&info, "time", (now_ns() - turn->began_ns) / NOW_NS_PER_MS);
	info_decimal(&info, "value", result->rows[result->best].value);
	info_moves(&info, "pv", result->line, result->line_count);
	info_whole(&info, "m.iterations", result->iterations);
	if (turn->all_cards != NULL)
		info_whole(&info, "m.exact", 0);
	else
		info_whole(&info, "m.worlds", result->iterations);
	if (limit.by_clock && result->late)
		info_whole(&info, "cut", 1);
	info_finish(&info, turn->info);
	return true;
}

/*
 * The constant in the paper is for Scopone.  When captures sum to fifteen,
 * sweeps and special points spread the results more, and the search would give
 * up moves at the root too early.
 */
static double
spread_of(const struct scopa_rules *rules)
{
	return rules->capture == SCOPA_CAPTURE_SUM ? 1 : 2;
}

static bool
ismcts_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	/* By index of the option's word. */
	static const struct {
		search_reward *count;
		double unit; /* reward of one unit of exploration */
	} rewards[] = {
		{ reward_difference, 1 },
		{ reward_win, 0.25 },
		{ reward_points, 1 },
	};
	const int64_t *options = turn->options;
	double unit = rewards[options[ISMCTS_REWARD]].unit;
	struct world_uniform uniform;
	struct search_config config = {
		.worlds = { world_uniform_draw, &uniform },
		.reward = rewards[options[ISMCTS_REWARD]].count,
		.exploration = (double)options[ISMCTS_EXPLORATION] / 100 *
		    unit * spread_of(turn->rules),
	};
	struct search_result result;
	const struct search_row *row;

	assert(options[ISMCTS_REWARD] < (int)COUNTOF(rewards));
	if (!world_uniform_init(&uniform, turn->rules, turn->view) ||
	    !search_tree(turn, config, &result))
		return false;
	row = strength_row(
	    &result, (int)options[ISMCTS_STRENGTH], unit, turn->random);
	scopa_move_format(&row->move, answer);
	return true;
}

/*
 * Solving may use half of the time; the other half is left for the search in
 * case of failure.  0, no limit, without a clock and `ms`: then the same move
 * is made on every machine.
 */
static int64_t
solve_deadline_ns(const struct builtin_turn *turn)
{
	int64_t ms = turn->options[TREE_MS], end_ns;

	if (ms == 0 && turn->bank_ns < 0 && turn->move_ns < 0)
		return 0;
	end_ns = pace_search_limit(turn, ms, turn->options[TREE_ITERATIONS])
		     .deadline_ns;
	return turn->began_ns + (end_ns - turn->began_ns) / 2;
}

static bool
choose_exactly(const struct builtin_turn *turn, struct scopa_text *answer)
{
	const struct solve_limits limits = {
		.plies_max = (int)turn->options[ORACLE_SOLVE],
		.deadline_ns = solve_deadline_ns(turn),
		.nodes_max = ORACLE_SOLVE_NODES,
		.memory = (char *)turn->memory + TREE_MEMORY_SIZE,
		.memory_size = ORACLE_SOLVE_SIZE,
		.stopped = turn->stopped,
		.context = turn->context,
	};
	struct solve_result result;
	struct info info;

	/*
	 * With three teams the solver assumes that two of them play together,
	 * so its value is not used.
	 */
	if (limits.plies_max == 0 || scopa_team_count(turn->rules) != 2 ||
	    solve_deal(turn->rules, turn->all_cards, &limits, &result) != 0)
		return false;
	info_init(&info);
	info_whole(&info, "depth", result.plies);
	info_whole(&info, "nodes", result.nodes);
	info_decimal(&info, "value", result.value);
	info_whole(&info, "m.exact", 1);
	info_finish(&info, turn->info);
	scopa_move_format(&result.best, answer);
	return true;
}

/* In a game that does not show all cards, it plays as @greedy does. */
static bool
oracle_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct scopa_deal world;
	struct search_config config = {
		.worlds = { world_fixed_draw, &world },
		.reward = reward_difference,
		.exploration = (double)turn->options[ORACLE_EXPLORATION] / 100,
	};
	struct search_result result;
	struct scopa_move move;

	if (turn->all_cards == NULL) {
		move = greedy_move(turn->rules, turn->deal);
	} else {
		if (choose_exactly(turn, answer))
			return true;
		world = *turn->all_cards;
		if (!search_tree(turn, config, &result))
			return false;
		move = result.rows[result.best].move;
	}
	scopa_move_format(&move, answer);
	return true;
}

/*
 * A row: name, default, minimum, maximum; or the words and index of the
 * default.
 */

/* 0: the seed of the match is used. */
static const struct builtin_option random_options[] = {
	{ "seed", 0, 0, INT64_MAX, NULL },
};

static const struct builtin_option greedy_options[] = {
	{ "blunder", 0, 0, BLUNDER_MAX, NULL },
};

static const struct builtin_option chitarrella_options[] = {
	{ "endplay", ENDPLAY_PLAYS_MAX, 0, ENDPLAY_PLAYS_MAX, NULL },
};

/* search_tree() and ismcts_choose() use the index of these words. */
static const char *const playout_words[] = { "epsilon", "random", "greedy",
	NULL };
static const char *const reward_words[] = { "difference", "win", "points",
	NULL };

static const struct builtin_option ismcts_options[ISMCTS_OPTION_COUNT] = {
	[TREE_ITERATIONS] = { "iterations", 4000, 0, SEARCH_ITERATIONS_MAX,
	    NULL },
	[TREE_MS] = { "ms", 0, 0, PACE_MS_MAX, NULL },
	[TREE_PLAYOUT] = { "playout", 0, 0, 0, playout_words },
	[ISMCTS_REWARD] = { "reward", 0, 0, 0, reward_words },
	[ISMCTS_EXPLORATION] = { "exploration", 300, 0, 10000, NULL },
	[ISMCTS_SEED] = { "seed", 0, 0, INT64_MAX, NULL },
	[ISMCTS_STRENGTH] = { "strength", STRENGTH_MAX, STRENGTH_MIN,
	    STRENGTH_MAX, NULL },
};

static const struct builtin_option oracle_options[ORACLE_OPTION_COUNT] = {
	[TREE_ITERATIONS] = { "iterations", 1000, 0, SEARCH_ITERATIONS_MAX,
	    NULL },
	[TREE_MS] = { "ms", 0, 0, PACE_MS_MAX, NULL },
	[TREE_PLAYOUT] = { "playout", 0, 0, 0, playout_words },
	[ORACLE_EXPLORATION] = { "exploration", 200, 0, 10000, NULL },
	[ORACLE_SOLVE] = { "solve", 0, 0, ORACLE_SOLVE_MAX, NULL },
	[ORACLE_SEED] = { "seed", 0, 0, INT64_MAX, NULL },
};

#define OPTIONS(array) .options = (array), .option_count = COUNTOF(array)

const struct builtin builtins[] = {
	{
	    .name = "random",
	    .sentence = "plays any legal move, all equally likely",
	    OPTIONS(random_options),
	    .need = BUILTIN_NEED_LEGAL,
	    .choose = random_choose,
	},
	{
	    .name = "first",
	    .sentence = "plays the first legal move in canonical order",
	    .need = BUILTIN_NEED_LEGAL,
	    .choose = builtin_first_legal,
	},
	{
	    .name = "greedy",
	    .sentence =
		"sweeps, takes the most valuable cards, and avoids tables "
		"that a hidden card can sweep; with the option blunder=N, "
		"N of 1000 moves are random ones",
	    OPTIONS(greedy_options),
	    .need = BUILTIN_NEED_VIEW,
	    .choose = greedy_bot_choose,
	},
	{
	    .name = "chitarrella",
	    .sentence =
		"keeps the rules that Scopone players have handed down, and "
		"says by which of them it plays each card",
	    OPTIONS(chitarrella_options),
	    .need = BUILTIN_NEED_VIEW,
	    .choose = chitarrella_choose,
	},
	{
	    .name = "ismcts",
	    .sentence =
		"searches a tree of moves over random worlds that fit what "
		"its seat knows: a published player, the yardstick for better "
		"ones; options iterations, ms, playout, reward, exploration, "
		"strength",
	    OPTIONS(ismcts_options),
	    .need = BUILTIN_NEED_VIEW,
	    .memory_size = TREE_MEMORY_SIZE,
	    .stops = true,
	    .choose = ismcts_choose,
	},
	{
	    .name = "maestro",
	    .sentence =
		"searches with a learned policy, in worlds that are weighted "
		"by what all others have played",
	    .options = maestro_options,
	    .option_count = MAESTRO_OPTION_COUNT,
	    .need = BUILTIN_NEED_VIEW,
	    .memory_size = sizeof(struct maestro),
	    .stops = true,
	    .choose = maestro_choose,
	},
	{
	    .name = "oracle",
	    .sentence =
		"cheats: it sees all cards and searches the one true deal, so "
		"it plays in games for analysis alone (--analysis)",
	    OPTIONS(oracle_options),
	    .need = BUILTIN_NEED_VIEW,
	    .memory_size = ORACLE_MEMORY_SIZE,
	    .stops = true,
	    .sees_all = true,
	    .choose = oracle_choose,
	},
};
const int builtin_count = COUNTOF(builtins);

const struct builtin *
builtin_find(const char *name)
{
	for (int i = 0; i < builtin_count; i++)
		if (strcmp(builtins[i].name, name) == 0)
			return &builtins[i];
	return NULL;
}

int
builtin_run(const struct builtin *builtin)
{
	int error;

	/*
	 * When the arena has closed the pipe, write() must fail instead of
	 * killing the bot.
	 */
	signal(SIGPIPE, SIG_IGN);
	error = client_run(builtin, STDIN_FILENO, STDOUT_FILENO);
	if (error == 0)
		return 0;
	fprintf(stderr, "error: bot \"%s\" cannot go on\n  why     : %s\n",
	    builtin->name, strerror(-error));
	return 5;
}
