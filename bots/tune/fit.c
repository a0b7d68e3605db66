/*
 * Learns the weights of the move policy, and tells what they are worth.
 * bots/tune/tune.sh runs it.
 *
 *   fit play   by a teacher who tries every move, again with what was learnt
 *   fit model  by looking on at what players of several kinds do
 *   fit duel   plays the policy against others
 */
#include <err.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "duel.h"
#include "lesson.h"
#include "logit.h"
#include "policy.h"
#include "scopa/scopa.h"
#include "splitmix.h"
#include "teacher.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

static const char *const feature_names[] = { "capture", "sweep", "take-cards",
	"take-coins", "take-settebello", "take-sevens", "take-primiera",
	"take-bonus", "take-of-ally", "take-held", "take-late", "unpair-dealer",
	"unpair-hand", "next-sweep", "next-capture", "next-coins",
	"next-settebello", "next-sevens", "next-primiera", "next-bonus",
	"after-sweep", "after-capture", "after-coins", "after-settebello",
	"after-sevens", "after-primiera", "after-bonus", "table-empty",
	"table-low", "table-total", "table-own", "lay-held", "lay-unseen",
	"lay-like-after", "lay-like-next", "lay-coin", "lay-primiera",
	"lay-bonus", "gain", "next-reply", "after-reply", "third-reply",
	"own-reply", "rest-own", "rest-other", "lay-1", "lay-2", "lay-3",
	"lay-4", "lay-5", "lay-6", "lay-7", "lay-8", "lay-9", "lay-10",
	"take-1", "take-2", "take-3", "take-4", "take-5", "take-6", "take-7",
	"take-8", "take-9", "take-10" };
_Static_assert(
    COUNTOF(feature_names) == POLICY_FEATURE_COUNT, "every feature has a name");

/* What is asked for. */
struct order {
	double seed, rounds, deals, worlds, packs, iterations;
	const char *out, *family, *rules;
};

static const struct order order_usual = {
	.seed = 1,
	.rounds = 4,
	.deals = 700,
	.worlds = 24,
	.packs = 1000,
	.iterations = 1000,
};

/* All options are --NAME VALUE. */
static const struct {
	const char *name;
	size_t offset;
	bool is_word; /* else a number */
} options[] = {
	{ "--seed", offsetof(struct order, seed), false },
	{ "--rounds", offsetof(struct order, rounds), false },
	{ "--deals", offsetof(struct order, deals), false },
	{ "--worlds", offsetof(struct order, worlds), false },
	{ "--packs", offsetof(struct order, packs), false },
	{ "--iterations", offsetof(struct order, iterations), false },
	{ "--out", offsetof(struct order, out), true },
	{ "--family", offsetof(struct order, family), true },
	{ "--rules", offsetof(struct order, rules), true },
};

/* The price of a squared weight, a position. */
static const double RIDGE = 1e-4;

/* Visits that the prior of searchers is worth. */
static const double PRIOR_WEIGHT = 30;

/* What is being learned. */
static struct policy_table tables[POLICY_FAMILY_COUNT];

static int
usage(void)
{
	fputs("usage: fit play|model|duel [--OPTION VALUE]...\n", stderr);
	for (size_t i = 0; i < COUNTOF(options); i++) {
		fprintf(stderr, "  %-14s", options[i].name);
		if (!options[i].is_word)
			fprintf(stderr, " %g",
			    *(const double *)((const char *)&order_usual +
				options[i].offset));
		fputs("\n", stderr);
	}
	return 2;
}

/* Takes `--NAME VALUE`. */
static bool
option_take(struct order *order, const char *name, const char *value)
{
	for (size_t i = 0; i < COUNTOF(options); i++) {
		char *field = (char *)order + options[i].offset, *end;
		double number = strtod(value, &end);

		if (strcmp(options[i].name, name) != 0)
			continue;
		if (options[i].is_word) {
			memcpy(field, &value, sizeof(value));
			return true;
		}
		memcpy(field, &number, sizeof(number));
		return *end == '\0' && end != value && number >= 0;
	}
	return false;
}

/* Writes the tables, a row a feature, with the command that has made them. */
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
		fprintf(file, "\n%s", feature_names[i]);
		for (int family = 0; family < POLICY_FAMILY_COUNT; family++)
			for (int phase = 0; phase < POLICY_PHASE_COUNT;
			     phase++) {
				double weight =
				    (double)tables[family].weights[phase][i];

				/* No minus before a zero. */
				fprintf(file, "\t%.2f",
				    fabs(weight) < 0.005 ? 0 : weight);
			}
	}
	fputs("\n", file);
	if (ferror(file) || fclose(file) != 0)
		err(5, "%s", path);
}

/* Neighbouring seeds would give sequences that overlap. */
static uint64_t
random_of(const struct order *order, int number)
{
	uint64_t state = (uint64_t)order->seed * 1000 + (uint64_t)number;

	return splitmix_next(&state);
}

static bool
wants(const struct order *order, enum policy_family family)
{
	return order->family == NULL ||
	    strcmp(order->family, policy_family_name(family)) == 0;
}

/*
 * Lessons of one family, from a teacher or from looking on.  Of a policy that
 * is to be replaced a quarter of the deals is enough.
 */
static void
lessons_make(const struct order *order, bool model, enum policy_family family,
    int round, struct lessons *lessons)
{
	const struct teacher teacher = { tables, (int)order->worlds };
	const struct duel_player searcher = { .kind = DUEL_SEARCHER,
		.iterations = (int)order->iterations };
	struct watch_player players[] = {
		{ searcher, 6 },
		{ searcher, 2 },
		{ { .kind = DUEL_CHITARRELLA }, 1 },
		{ { .kind = DUEL_GREEDY }, 1 },
	};
	uint64_t random =
	    random_of(order, POLICY_FAMILY_COUNT * round + (int)family);
	int deals = (int)order->deals;

	players[0].player.prior_weight = PRIOR_WEIGHT;
	if (round + 1 < (int)order->rounds)
		deals = (deals + 3) / 4;
	if (model)
		watch_play(
		    players, COUNTOF(players), family, deals, &random, lessons);
	else
		teacher_teach(&teacher, family, deals, &random, lessons);
}

static void
family_learn(const struct order *order, bool model, enum policy_family family)
{
	tables[family] = (struct policy_table){ 0 };
	for (int round = 0; round < (int)order->rounds; round++) {
		struct lessons lessons = { 0 };

		lessons_make(order, model, family, round, &lessons);
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

/* Families that are not asked for stay as they are. */
static void
learn(const struct order *order, bool model)
{
	memcpy(tables, model ? policy_models : policy_tables, sizeof(tables));
	for (int i = 0; i < POLICY_FAMILY_COUNT; i++)
		if (wants(order, (enum policy_family)i))
			family_learn(order, model, (enum policy_family)i);
}

/* Who plays whom. */
static void
duel_one(const struct order *order, const char *spec)
{
	static const struct {
		const char *name;
		struct duel_player players[2];
	} pairings[] = {
		{ "policy greedy",
		    { { .kind = DUEL_POLICY }, { .kind = DUEL_GREEDY } } },
		{ "policy chitarrella",
		    { { .kind = DUEL_POLICY }, { .kind = DUEL_CHITARRELLA } } },
		{ "model greedy",
		    { { .kind = DUEL_POLICY, .tables = policy_models },
			{ .kind = DUEL_GREEDY } } },
	};
	struct scopa_rules rules;
	struct scopa_text why;
	char bytes[512];

	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!scopa_rules_parse(&rules, spec, &why))
		errx(2, "%s: %s", spec, bytes);
	for (size_t i = 0; i < COUNTOF(pairings); i++) {
		uint64_t random = random_of(order, 0);
		struct duel_result result = duel_play(
		    &rules, pairings[i].players, (int)order->packs, &random);

		printf("%-28s %-20s %+.3f +- %.3f  packs %d\n", spec,
		    pairings[i].name, result.mean, result.margin,
		    (int)order->packs);
		fflush(stdout);
	}
}

static void
duel(const struct order *order)
{
	if (order->rules != NULL)
		duel_one(order, order->rules);
	for (int i = 0; i < syllabus_count; i++)
		if (order->rules == NULL && wants(order, syllabus[i].family))
			duel_one(order, syllabus[i].spec);
}

int
main(int count, char **words)
{
	struct order order = order_usual;
	const char *verb = count > 1 ? words[1] : "";
	bool model = strcmp(verb, "model") == 0;

	for (int i = 2; i < count; i += 2)
		if (i + 1 == count ||
		    !option_take(&order, words[i], words[i + 1]))
			return usage();
	if (strcmp(verb, "duel") == 0) {
		duel(&order);
		return 0;
	}
	if (!model && strcmp(verb, "play") != 0)
		return usage();
	learn(&order, model);
	if (order.out != NULL)
		tables_write(order.out, count, words);
	return 0;
}
