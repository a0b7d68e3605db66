/*
 * Learns the weights of the move policy, and tells what they are worth.
 * bots/tune/tune.sh runs it.
 *
 *   fit play   by a teacher who tries every move, again with what was learnt
 *   fit model  by looking on at what players of several kinds do
 *   fit duel   plays the policy against others
 *   fit infer  measures what the models tell of hidden hands
 */
#include <ctype.h>
#include <errno.h>
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

/* Columns by which the rows are aligned. */
enum { NAME_WIDTH = 28, NUMBER_WIDTH = 8, COMMAND_WIDTH = 64 };

/* `[POLICY_NEXT_SWEEP]`, by the name of a feature. */
static int
index_write(FILE *file, int feature)
{
	const char *name = policy_rows[feature].name;
	int width = fprintf(file, "\t\t[POLICY_");

	if (feature >= POLICY_TAKE_VALUE)
		return width +
		    fprintf(
			file, "TAKE_VALUE + %d]", feature - POLICY_TAKE_VALUE);
	if (feature >= POLICY_LAY_VALUE)
		return width +
		    fprintf(
			file, "LAY_VALUE + %d]", feature - POLICY_LAY_VALUE);
	for (; *name != '\0'; name++, width++)
		fputc(*name == '-' ? '_' : toupper((unsigned char)*name), file);
	return width + fprintf(file, "]");
}

static void
row_write(FILE *file, int feature, const float weights[POLICY_PHASE_COUNT])
{
	int width = index_write(file, feature);

	fprintf(file, "%*s = {", NAME_WIDTH - width, "");
	for (int phase = 0; phase < POLICY_PHASE_COUNT; phase++) {
		double weight = (double)weights[phase];

		/* No minus before a zero. */
		if (fabs(weight) < 0.005)
			weight = 0;
		fprintf(file, "%s%*.2fF", phase ? "," : "", NUMBER_WIDTH - 1,
		    weight);
	}
	fprintf(file, " },\n");
}

/* The command as lines of a comment, broken between its words. */
static void
command_write(FILE *file, const char *command)
{
	int column = 0;

	fprintf(file, " *");
	while (*command != '\0') {
		int length = (int)strcspn(command, " ");

		if (column > 0 && column + length > COMMAND_WIDTH) {
			fprintf(file, "\n *      ");
			column = 0;
		}
		column += fprintf(
		    file, column ? " %.*s" : "   %.*s", length, command);
		command += length + (command[length] == ' ');
	}
	fprintf(file, "\n");
}

/*
 * Writes the tables of all families to `file`, as the array `name`; `command` is
 * what has made them.  Errors are left in the stream (ferror).
 */
static void
policy_write(FILE *file, const char *name,
    const struct policy_table tables[POLICY_FAMILY_COUNT], const char *command)
{
	fputs(
	    "/*\n"
	    " * Weights of the move policy: a row a feature, a column a phase "
	    "of the deal.\n"
	    " * Learned by\n"
	    " *\n",
	    file);
	command_write(file, command);
	fprintf(file,
	    " *\n"
	    " * and not to be changed by hand: bots/c/README.md says how.\n"
	    " */\n"
	    "#include \"policy.h\"\n"
	    "\n"
	    "/* clang-format off */\n"
	    "const struct policy_table %s[POLICY_FAMILY_COUNT] = {\n",
	    name);
	for (int family = 0; family < POLICY_FAMILY_COUNT; family++) {
		fprintf(file, "\t{ { /* %s */\n",
		    policy_family_name((enum policy_family)family));
		for (int i = 0; i < POLICY_FEATURE_COUNT; i++)
			row_write(file, i, tables[family].weights[i]);
		fprintf(file, "\t} },\n");
	}
	fprintf(file, "};\n/* clang-format on */\n");
}

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum { COMMAND_SIZE = 512 };

/* What is asked for. */
struct order {
	double seed, rounds, deals, worlds, packs, iterations;
	double fresh; /* not 0: begin from weights of 0, not the built-in */
	double share, heat, sharpness, ridge, exploration, prior, trust;
	const char *out, *family, *rules;
};

static const struct order order_usual = {
	.seed = 1,
	.rounds = 4,
	.deals = 700,
	.worlds = 24,
	.packs = 1000,
	.iterations = 1000,
	.share = 0.5,
	.heat = 0.3,
	.sharpness = 6,
	.ridge = 1e-4,
	.exploration = 3,
	.prior = 30,
	.trust = 0.9,
};

/* Options that are numbers; all are --NAME NUMBER. */
static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "--seed", offsetof(struct order, seed) },
	{ "--rounds", offsetof(struct order, rounds) },
	{ "--deals", offsetof(struct order, deals) },
	{ "--worlds", offsetof(struct order, worlds) },
	{ "--packs", offsetof(struct order, packs) },
	{ "--iterations", offsetof(struct order, iterations) },
	{ "--share", offsetof(struct order, share) },
	{ "--heat", offsetof(struct order, heat) },
	{ "--sharpness", offsetof(struct order, sharpness) },
	{ "--ridge", offsetof(struct order, ridge) },
	{ "--exploration", offsetof(struct order, exploration) },
	{ "--prior", offsetof(struct order, prior) },
	{ "--trust", offsetof(struct order, trust) },
	{ "--fresh", offsetof(struct order, fresh) },
};

/* And words. */
static const struct {
	const char *name;
	size_t offset;
} words[] = {
	{ "--out", offsetof(struct order, out) },
	{ "--family", offsetof(struct order, family) },
	{ "--rules", offsetof(struct order, rules) },
};

/* What is being learned. */
static struct policy_table tables[POLICY_FAMILY_COUNT];

static int
usage(void)
{
	fputs("usage: fit play|model|duel|infer [--OPTION VALUE]...\n", stderr);
	for (size_t i = 0; i < COUNTOF(numbers); i++)
		fprintf(stderr, "  %-14s %g\n", numbers[i].name,
		    *(const double *)((const char *)&order_usual +
			numbers[i].offset));
	for (size_t i = 0; i < COUNTOF(words); i++)
		fprintf(stderr, "  %s\n", words[i].name);
	return 2;
}

/* Takes `--NAME VALUE`. */
static bool
option_take(struct order *order, const char *name, const char *value)
{
	char *end;

	for (size_t i = 0; i < COUNTOF(words); i++) {
		if (strcmp(words[i].name, name) != 0)
			continue;
		memcpy((char *)order + words[i].offset, &value, sizeof(value));
		return true;
	}
	for (size_t i = 0; i < COUNTOF(numbers); i++) {
		double number = strtod(value, &end);

		if (strcmp(numbers[i].name, name) != 0)
			continue;
		memcpy(
		    (char *)order + numbers[i].offset, &number, sizeof(number));
		return *end == '\0' && end != value && number >= 0;
	}
	return false;
}

/* Neighbouring seeds would give sequences that overlap. */
static uint64_t
random_of(const struct order *order, int number)
{
	uint64_t state = (uint64_t)order->seed * 1000 + (uint64_t)number;

	return splitmix_next(&state);
}

static struct teacher
teacher_of(const struct order *order, const struct policy_table *by)
{
	return (struct teacher){
		.tables = by,
		.worlds = (int)order->worlds,
		.sharpness = (float)order->sharpness,
		.heat = order->heat,
		.exploration = order->exploration,
		.prior_weight = order->prior,
	};
}

/* One who searches, with the policy as prior or, for a weight of 0, without. */
static struct duel_player
searcher_of(const struct order *order, double prior_weight)
{
	struct duel_player player = {
		.kind = DUEL_TEACHER,
		.teacher = teacher_of(order, policy_tables),
	};

	player.teacher.iterations = (int)order->iterations;
	player.teacher.prior_weight = prior_weight;
	player.teacher.sharpness = 2;
	return player;
}

static bool
wants(const struct order *order, enum policy_family family)
{
	return order->family == NULL ||
	    strcmp(order->family, policy_family_name(family)) == 0;
}

static void
report(const struct lessons *lessons, enum policy_family family, int phase)
{
	struct logit_report report;

	logit_judge(lessons, family, phase, true, &tables[family], &report);
	printf("%-9s %d  positions %5zu  nats %.3f  uniform %.3f  teacher %.3f"
	       "  agreement %.3f  greedy %.3f  chance %.3f\n",
	    policy_family_name(family), phase, report.count, report.likelihood,
	    report.uniform, report.ceiling, report.agreement, report.greedy,
	    report.chance);
}

/*
 * Lessons of one family, from a teacher or from looking on.  Of a policy that
 * is to be replaced a quarter of the deals is enough.
 */
static int
lessons_make(const struct order *order, bool model, enum policy_family family,
    int round, struct lessons *lessons)
{
	struct teacher teacher = teacher_of(order, tables);
	uint64_t random =
	    random_of(order, POLICY_FAMILY_COUNT * round + (int)family);
	const struct watch_player players[] = {
		{ searcher_of(order, order->prior), 6 },
		{ searcher_of(order, 0), 2 },
		{ { .kind = DUEL_CHITARRELLA }, 1 },
		{ { .kind = DUEL_GREEDY }, 1 },
	};
	int deals = (int)order->deals;

	if (round + 1 < (int)order->rounds)
		deals = (deals + 3) / 4;
	if (model)
		return watch_play(
		    players, COUNTOF(players), family, deals, &random, lessons);
	return teacher_teach(
	    &teacher, family, 0, deals, order->share, &random, lessons);
}

static int
family_learn(const struct order *order, bool model, enum policy_family family)
{
	int error = 0;

	for (int round = 0; round < (int)order->rounds && !error; round++) {
		struct lessons lessons;

		lessons_open(&lessons);
		error = lessons_make(order, model, family, round, &lessons);
		for (int phase = 0; phase < POLICY_PHASE_COUNT && !error;
		     phase++) {
			logit_fit(&lessons, family, phase, order->ridge,
			    &tables[family]);
			report(&lessons, family, phase);
		}
		lessons_close(&lessons);
		fflush(stdout);
	}
	return error;
}

static int
learn(const struct order *order, bool model, const char *command)
{
	FILE *file;
	int error = 0;

	if (order->fresh == 0)
		memcpy(tables, model ? policy_models : policy_tables,
		    sizeof(tables));
	for (int i = 0; i < POLICY_FAMILY_COUNT && !error; i++)
		if (wants(order, (enum policy_family)i))
			error =
			    family_learn(order, model, (enum policy_family)i);
	if (error || order->out == NULL)
		return error;
	file = fopen(order->out, "we");
	if (file == NULL)
		return -errno;
	policy_write(
	    file, model ? "policy_models" : "policy_tables", tables, command);
	if (ferror(file))
		error = -EIO;
	if (fclose(file) != 0 && !error)
		error = -errno;
	return error;
}

/* False, and told, where they are none. */
static bool
rules_take(const char *spec, struct scopa_rules *rules)
{
	struct scopa_text why;
	char bytes[COMMAND_SIZE];

	scopa_text_init(&why, bytes, sizeof(bytes));
	if (scopa_rules_parse(rules, spec, &why))
		return true;
	fprintf(stderr, "error: %s: %s\n", spec, bytes);
	return false;
}

/* Who plays whom. */
static void
duel_one(const struct order *order, const char *spec)
{
	const struct {
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

	if (!rules_take(spec, &rules))
		return;
	for (size_t i = 0; i < COUNTOF(pairings); i++) {
		uint64_t random = random_of(order, 0);
		struct duel_result result;

		duel_play(&rules, pairings[i].players, (int)order->packs,
		    &random, &result);
		printf("%-28s %-20s %+.3f +- %.3f  packs %d\n", spec,
		    pairings[i].name, result.mean, result.margin, result.packs);
		fflush(stdout);
	}
}

static void
duel(const struct order *order)
{
	for (int i = 0; i < syllabus_count; i++)
		if (order->rules == NULL && wants(order, syllabus[i].family))
			duel_one(order, syllabus[i].spec);
	if (order->rules != NULL)
		duel_one(order, order->rules);
}

/* Bits a position, by thirds of the deal, of one way to read one player. */
static void
infer_one(const struct order *order, const char *spec,
    const struct duel_player *player, const char *name,
    const struct policy_table *by)
{
	struct policy policy = { .tables = by,
		.sharpness = (float)order->sharpness };
	const struct belief_config config = {
		.judge = policy_judge,
		.context = &policy,
		.trust = order->trust,
		.worlds = 1,
		.swaps = 1,
		.listed_max = 1,
	};
	struct inference_part parts[INFERENCE_PARTS];
	uint64_t random = random_of(order, 0);
	struct scopa_rules rules;

	if (!rules_take(spec, &rules))
		return;
	inference_measure(&rules, player, &config, (int)order->deals,
	    (int)order->worlds, &random, parts);
	printf("%-12s %-10s by %-6s sharpness %g trust %g  bits", spec, name,
	    by == policy_models ? "models" : "tables", order->sharpness,
	    order->trust);
	for (int i = 0; i < INFERENCE_PARTS; i++) {
		double variance =
		    parts[i].squares - parts[i].bits * parts[i].bits;

		if (parts[i].count > 0)
			printf("  %+.2f +- %.2f", parts[i].bits,
			    1.96 * sqrt(variance / parts[i].count));
	}
	printf("\n");
	fflush(stdout);
}

static void
infer(const struct order *order)
{
	const struct duel_player searcher = searcher_of(order, order->prior);
	const struct duel_player greedy = { .kind = DUEL_GREEDY };
	const char *spec = order->rules ? order->rules : "scientifico";

	infer_one(order, spec, &searcher, "searcher", policy_models);
	infer_one(order, spec, &searcher, "searcher", policy_tables);
	infer_one(order, spec, &greedy, "greedy", policy_models);
	infer_one(order, spec, &greedy, "greedy", policy_tables);
}

/* `fit` and all that follows, as it was called but for --out. */
static void
command_fill(int count, char **all, char command[COMMAND_SIZE])
{
	struct scopa_text text;

	scopa_text_init(&text, command, COMMAND_SIZE);
	scopa_text_string(&text, "fit");
	for (int i = 1; i < count; i++) {
		if (strcmp(all[i], "--out") == 0) {
			i++;
			continue;
		}
		scopa_text_string(&text, " ");
		scopa_text_string(&text, all[i]);
	}
}

int
main(int count, char **all)
{
	struct order order = order_usual;
	const char *verb = count > 1 ? all[1] : "";
	char command[COMMAND_SIZE];
	int error = 0;

	for (int i = 2; i < count; i += 2)
		if (i + 1 == count || !option_take(&order, all[i], all[i + 1]))
			return usage();
	command_fill(count, all, command);
	if (strcmp(verb, "play") == 0)
		error = learn(&order, false, command);
	else if (strcmp(verb, "model") == 0)
		error = learn(&order, true, command);
	else if (strcmp(verb, "duel") == 0)
		duel(&order);
	else if (strcmp(verb, "infer") == 0)
		infer(&order);
	else
		return usage();
	if (error == 0)
		return 0;
	fprintf(
	    stderr, "error: cannot learn\n  why     : %s\n", strerror(-error));
	return 5;
}
