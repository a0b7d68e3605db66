/*
 * Learns the weights of the move policy and measures how well it plays.
 * bots/tune/tune.sh runs this program.
 *
 *   fit play   learns from a teacher who tries every move; in each round
 *              the teacher uses the policy of the round before
 *   fit model  learns from the moves of players of several kinds
 *   fit duel   plays the policy against other players
 */
#include <err.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "policy.h"
#include "scopa/scopa.h"
#include "splitmix.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* All options have the form --NAME VALUE.  `usual` is the default. */
enum {
	SEED,
	ROUNDS,
	DEALS,
	WORLDS,
	PACKS,
	ITERATIONS,
	NUMBERS,
	OUT = NUMBERS,
	FAMILY,
	RULES,
};
static const struct {
	const char *name, *usual;
} options[] = {
	[SEED] = { "--seed", "1" },
	[ROUNDS] = { "--rounds", "4" },
	[DEALS] = { "--deals", "700" },
	[WORLDS] = { "--worlds", "24" },
	[PACKS] = { "--packs", "1000" },
	[ITERATIONS] = { "--iterations", "1000" },
	[OUT] = { "--out", NULL },
	[FAMILY] = { "--family", NULL },
	[RULES] = { "--rules", NULL },
};
static const char *given[COUNTOF(options)];

/* The penalty of a squared weight, in nats per position. */
static const double RIDGE = 1e-4;

/* Visits that the prior is worth in the searches of players. */
static const double PRIOR_WEIGHT = 30;

/* The tables that are learned. */
static struct policy_table tables[POLICY_FAMILY_COUNT];

static int
usage(void)
{
	fputs("usage: fit play|model|duel [--OPTION VALUE]...\n", stderr);
	for (size_t i = 0; i < COUNTOF(options); i++)
		fprintf(stderr, "  %-14s%s%s\n", options[i].name,
		    i < NUMBERS ? " " : "",
		    i < NUMBERS ? options[i].usual : "");
	return 2;
}

/* Stores the value of `--NAME VALUE`; false when the option is wrong. */
static bool
read_option(const char *name, char *value)
{
	for (size_t i = 0; i < COUNTOF(options); i++) {
		char *end = value;

		if (strcmp(options[i].name, name) != 0)
			continue;
		given[i] = value;
		return i >= NUMBERS ||
		    (strtod(value, &end) >= 0 && *end == '\0' && end != value);
	}
	return false;
}

static double
number_of(int option)
{
	return strtod(
	    given[option] ? given[option] : options[option].usual, NULL);
}

/*
 * Writes the tables, one row for each feature, after a line with the command.
 */
static void
tables_write(const char *path, int count, char **words)
{
	FILE *file = fopen(path, "we");

	if (file == NULL)
		err(5, "%s", path);
	fputs("# Weights of the move policy, learned by: fit", file);
	for (int i = 1; i < count; i++)
		if (strcmp(words[i], "--out") == 0)
			i++;
		else
			fprintf(file, " %s", words[i]);
	fputs("\n# feature", file);
	for (int i = 0; i < POLICY_FAMILY_COUNT * POLICY_PHASE_COUNT; i++)
		fprintf(file, "\t%s-%d",
		    policy_family_name(
			(enum policy_family)(i / POLICY_PHASE_COUNT)),
		    i % POLICY_PHASE_COUNT + 1);
	for (int i = 0; i < POLICY_FEATURE_COUNT; i++) {
		fprintf(file, "\n%s", policy_feature_names[i]);
		for (int family = 0; family < POLICY_FAMILY_COUNT; family++)
			for (int phase = 0; phase < POLICY_PHASE_COUNT;
			     phase++) {
				double weight =
				    (double)tables[family].weights[phase][i];

				/* Writes 0.00 instead of -0.00. */
				fprintf(file, "\t%.2f",
				    fabs(weight) < 0.005 ? 0 : weight);
			}
	}
	fputs("\n", file);
	if (ferror(file) || fclose(file) != 0)
		err(5, "%s", path);
}

/*
 * Returns the random state for a number.  The seed is mixed, since states that
 * follow each other would give overlapping sequences.
 */
static uint64_t
random_of(int number)
{
	uint64_t state = (uint64_t)number_of(SEED) * 1000 + (uint64_t)number;

	return splitmix_next(&state);
}

static bool
wants(enum policy_family family)
{
	return given[FAMILY] == NULL ||
	    strcmp(given[FAMILY], policy_family_name(family)) == 0;
}

/* Makes the lessons of one family, by the teacher or from players. */
static void
lessons_make(
    bool model, enum policy_family family, int round, struct lessons *lessons)
{
	int iterations = (int)number_of(ITERATIONS);
	const struct player players[] = {
		{ PLAYER_SEARCHER, NULL, PRIOR_WEIGHT, iterations, .share = 6 },
		{ PLAYER_SEARCHER, NULL, 0, iterations, .share = 2 },
		{ .kind = PLAYER_CHITARRELLA, .share = 1 },
		{ .kind = PLAYER_GREEDY, .share = 1 },
	};
	const struct teacher teacher = {
		.tables = tables,
		.worlds = (int)number_of(WORLDS),
		.players = model ? players : NULL,
		.player_count = COUNTOF(players),
	};
	uint64_t random = random_of(POLICY_FAMILY_COUNT * round + (int)family);
	int deals = (int)number_of(DEALS);

	/*
	 * A policy that the next round replaces needs only a quarter of the
	 * deals.
	 */
	if (round + 1 < (int)number_of(ROUNDS))
		deals = (deals + 3) / 4;
	teacher_teach(&teacher, family, deals, &random, lessons);
}

static void
family_learn(bool model, enum policy_family family)
{
	tables[family] = (struct policy_table){ 0 };
	for (int round = 0; round < (int)number_of(ROUNDS); round++) {
		struct lessons lessons = STAILQ_HEAD_INITIALIZER(lessons);

		lessons_make(model, family, round, &lessons);
		for (int phase = 0; phase < POLICY_PHASE_COUNT; phase++) {
			struct logit_report report;

			logit_fit(
			    &lessons, family, phase, RIDGE, &tables[family]);
			report = logit_judge(
			    &lessons, family, phase, &tables[family]);
			printf("%-9s %d  positions %5zu  nats %.3f"
			       "  teacher %.3f  agreement %.3f\n",
			    policy_family_name(family), phase, report.count,
			    report.likelihood, report.ceiling,
			    report.agreement);
		}
		lessons_close(&lessons);
		fflush(stdout);
	}
}

/*
 * Plays each of `packs` packs once for every team: the first player has this
 * team, the second player all others.  Writes the mean points per deal of the
 * first player, and half of the 95% confidence interval.
 */
static void
duel_play(const struct scopa_rules *rules, const struct player players[2],
    double *mean, double *margin)
{
	int teams = scopa_team_count(rules), packs = (int)number_of(PACKS);
	uint64_t random = random_of(0);
	double squares = 0;

	*mean = 0;
	for (int pack = 0; pack < packs; pack++) {
		struct scopa_deal start;
		double points = 0;

		random_deal(rules, &random, &start);
		for (int team = 0; team < teams; team++) {
			struct scopa_deal deal = start;

			while (!scopa_deal_over(&deal)) {
				bool own =
				    scopa_team_of(rules, deal.turn) == team;
				struct scopa_move move = player_move(
				    &players[!own], rules, &deal, &random);

				scopa_deal_apply(rules, &deal, &move);
			}
			points += deal_result(rules, &deal, team) / teams;
		}
		*mean += points / packs;
		squares += points * points / packs;
	}
	*margin = 1.96 * sqrt((squares - *mean * *mean) / (packs - 1));
}

/* Plays all pairings under one set of rules and prints the results. */
static void
duel(const char *spec)
{
	static const struct {
		const char *name;
		struct player players[2];
	} pairings[] = {
		{ "policy greedy",
		    { { .kind = PLAYER_POLICY }, { .kind = PLAYER_GREEDY } } },
		{ "policy chitarrella",
		    { { .kind = PLAYER_POLICY },
			{ .kind = PLAYER_CHITARRELLA } } },
		{ "model greedy",
		    { { .kind = PLAYER_POLICY, .tables = policy_models },
			{ .kind = PLAYER_GREEDY } } },
	};
	struct scopa_rules rules;
	struct scopa_text why = SCOPA_TEXT(512);

	if (!scopa_rules_parse(&rules, spec, &why))
		errx(2, "%s: %s", spec, why.bytes);
	for (size_t i = 0; i < COUNTOF(pairings); i++) {
		double mean, margin;

		duel_play(&rules, pairings[i].players, &mean, &margin);
		printf("%-28s %-20s %+.3f +- %.3f  packs %d\n", spec,
		    pairings[i].name, mean, margin, (int)number_of(PACKS));
		fflush(stdout);
	}
}

int
main(int count, char **words)
{
	const char *verb = count > 1 ? words[1] : "";
	bool model = strcmp(verb, "model") == 0;

	for (int i = 2; i < count; i += 2)
		if (i + 1 == count || !read_option(words[i], words[i + 1]))
			return usage();
	if (strcmp(verb, "duel") == 0) {
		if (given[RULES] != NULL)
			duel(given[RULES]);
		for (int i = 0; i < syllabus_count; i++)
			if (given[RULES] == NULL && wants(syllabus[i].family))
				duel(syllabus[i].spec);
		return 0;
	}
	if (!model && strcmp(verb, "play") != 0)
		return usage();
	/* Families that are not selected keep their present weights. */
	memcpy(tables, model ? policy_models : policy_tables, sizeof(tables));
	for (int i = 0; i < POLICY_FAMILY_COUNT; i++)
		if (wants((enum policy_family)i))
			family_learn(model, (enum policy_family)i);
	if (given[OUT] != NULL)
		tables_write(given[OUT], count, words);
	return 0;
}
