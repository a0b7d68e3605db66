#include "players.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chitarrella.h"
#include "client.h"
#include "endplay.h"
#include "ismcts.h"
#include "maestro.h"
#include "oracle_bot.h"
#include "pace.h"
#include "playout.h"
#include "search.h"
#include "simple_bots.h"
#include "strength.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* 0 stands for the seed that the arena gives with each match. */
static const struct builtin_option random_options[] = {
	{ .name = "seed", .fallback = 0, .min = 0, .max = INT64_MAX },
};

/* Of 1,000 decisions, so many are random ones. */
static const struct builtin_option greedy_options[] = {
	[SIMPLE_GREEDY_BLUNDER] = { .name = "blunder",
	    .fallback = 0,
	    .min = 0,
	    .max = SIMPLE_GREEDY_BLUNDER_MAX },
};
_Static_assert(COUNTOF(greedy_options) == SIMPLE_GREEDY_OPTION_COUNT,
    "every option of greedy has a row");

/* Cards left in all hands when the end is worked out. */
static const struct builtin_option chitarrella_options[] = {
	[CHITARRELLA_ENDPLAY] = { .name = "endplay",
	    .fallback = ENDPLAY_PLAYS_MAX,
	    .min = 0,
	    .max = ENDPLAY_PLAYS_MAX },
};
_Static_assert(COUNTOF(chitarrella_options) == CHITARRELLA_OPTION_COUNT,
    "every option of chitarrella has a row");

static const struct builtin_option ismcts_options[] = {
	[ISMCTS_ITERATIONS] = { .name = "iterations",
	    .fallback = ISMCTS_ITERATIONS_DEFAULT,
	    .min = 0,
	    .max = SEARCH_ITERATIONS_MAX },
	[ISMCTS_MS] = { .name = "ms", .max = PACE_MS_MAX },
	[ISMCTS_PLAYOUT] = { .name = "playout",
	    .type = BUILTIN_ENUM,
	    .words = PLAYOUT_WORDS },
	[ISMCTS_REWARD] = { .name = "reward",
	    .type = BUILTIN_ENUM,
	    .words = ISMCTS_REWARDS },
	[ISMCTS_EXPLORATION] = { .name = "exploration",
	    .fallback = ISMCTS_EXPLORATION_DEFAULT,
	    .min = 0,
	    .max = ISMCTS_EXPLORATION_MAX },
	[ISMCTS_SEED] = { .name = "seed", .max = INT64_MAX },
	[ISMCTS_STRENGTH] = { .name = "strength",
	    .fallback = STRENGTH_MAX,
	    .min = STRENGTH_MIN,
	    .max = STRENGTH_MAX },
};
_Static_assert(COUNTOF(ismcts_options) == ISMCTS_OPTION_COUNT,
    "every option of ismcts has a row");

static const struct builtin_option oracle_options[] = {
	[ORACLE_ITERATIONS] = { .name = "iterations",
	    .fallback = ORACLE_ITERATIONS_DEFAULT,
	    .min = 0,
	    .max = SEARCH_ITERATIONS_MAX },
	[ORACLE_MS] = { .name = "ms",
	    .fallback = 0,
	    .min = 0,
	    .max = PACE_MS_MAX },
	[ORACLE_PLAYOUT] = { .name = "playout",
	    .type = BUILTIN_ENUM,
	    .words = PLAYOUT_WORDS },
	[ORACLE_EXPLORATION] = { .name = "exploration",
	    .fallback = ORACLE_EXPLORATION_DEFAULT,
	    .min = 0,
	    .max = ORACLE_EXPLORATION_MAX },
	[ORACLE_SOLVE] = { .name = "solve",
	    .fallback = 0,
	    .min = 0,
	    .max = ORACLE_SOLVE_MAX },
	[ORACLE_SEED] = { .name = "seed",
	    .fallback = 0,
	    .min = 0,
	    .max = INT64_MAX },
};
_Static_assert(COUNTOF(oracle_options) == ORACLE_OPTION_COUNT,
    "every option of the oracle has a row");

static const struct builtin_option maestro_options[] = {
	[MAESTRO_MS] = { .name = "ms",
	    .fallback = MAESTRO_MS_AUTO,
	    .min = MAESTRO_MS_AUTO,
	    .max = PACE_MS_MAX },
	[MAESTRO_ITERATIONS] = { .name = "iterations",
	    .max = SEARCH_ITERATIONS_MAX },
	[MAESTRO_SEED] = { .name = "seed", .max = INT64_MAX },
	[MAESTRO_THREADS] = { .name = "threads",
	    .fallback = 1,
	    .min = 1,
	    .max = PARALLEL_SEARCH_MAX },
	[MAESTRO_STRENGTH] = { .name = "strength",
	    .fallback = STRENGTH_MAX,
	    .min = STRENGTH_MIN,
	    .max = STRENGTH_MAX },
	[MAESTRO_PRIOR] = { .name = "prior",
	    .fallback = 30,
	    .max = MAESTRO_PRIOR_MAX },
	[MAESTRO_EXPLORATION] = { .name = "exploration",
	    .fallback = 350,
	    .max = MAESTRO_EXPLORATION_MAX },
	[MAESTRO_MODEL] = { .name = "model",
	    .fallback = 700,
	    .max = MAESTRO_SHARE_MAX },
	[MAESTRO_WORLDS] = { .name = "worlds",
	    .fallback = 512,
	    .min = 1,
	    .max = BELIEF_WORLDS_MAX },
	[MAESTRO_TRUST] = { .name = "trust",
	    .fallback = 950,
	    .max = MAESTRO_SHARE_MAX },
	[MAESTRO_SHARPNESS] = { .name = "sharpness",
	    .fallback = 100,
	    .max = MAESTRO_SHARPNESS_MAX },
	[MAESTRO_OPPONENTS] = { .name = "rote",
	    .fallback = 300,
	    .max = MAESTRO_SHARE_MAX },
};
_Static_assert(COUNTOF(maestro_options) == MAESTRO_OPTION_COUNT,
    "every option of maestro has a row");

const struct builtin builtins[] = {
	{
	    .name = "random",
	    .sentence = "plays any legal move, all equally likely",
	    .options = random_options,
	    .option_count = COUNTOF(random_options),
	    .need = BUILTIN_NEED_LEGAL,
	    .choose = simple_random_choose,
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
	    .options = greedy_options,
	    .option_count = COUNTOF(greedy_options),
	    .need = BUILTIN_NEED_VIEW,
	    .choose = simple_greedy_choose,
	},
	{
	    .name = "chitarrella",
	    .sentence =
		"keeps the rules that Scopone players have handed down, and "
		"tells by which of them it plays each card",
	    .options = chitarrella_options,
	    .option_count = COUNTOF(chitarrella_options),
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
	    .options = ismcts_options,
	    .option_count = COUNTOF(ismcts_options),
	    .need = BUILTIN_NEED_VIEW,
	    .memory_size = ISMCTS_MEMORY_SIZE,
	    .stops = true,
	    .choose = ismcts_choose,
	},
	{
	    .name = "maestro",
	    .sentence =
		"searches with a learned policy, in worlds that are weighted "
		"by what all others have played",
	    .options = maestro_options,
	    .option_count = COUNTOF(maestro_options),
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
	    .options = oracle_options,
	    .option_count = COUNTOF(oracle_options),
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
builtin_run(const char *name)
{
	const struct builtin *builtin = builtin_find(name);
	int error;

	if (builtin == NULL) {
		fprintf(stderr, "error: there is no built-in bot %s\n", name);
		return 2;
	}
	/* An arena that has gone away is seen by write() failing. */
	signal(SIGPIPE, SIG_IGN);
	error = client_run(builtin, STDIN_FILENO, STDOUT_FILENO);
	if (error == 0)
		return 0;
	fprintf(stderr, "error: bot \"%s\" cannot go on\n  why     : %s\n",
	    name, strerror(-error));
	return 5;
}
