/*
 * Learns the weights of the move policy: plays, lets a teacher judge what was
 * played, fits, and again with the better policy.  bots/tune/tune.sh is how it
 * is run.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "duel.h"
#include "lesson.h"
#include "logit.h"
#include "policy_write.h"
#include "scopa/scopa.h"
#include "splitmix.h"
#include "syllabus.h"
#include "teacher.h"

enum { COMMAND_SIZE = 256 };

/* What is asked for. */
struct order {
	uint64_t seed;
	int deals, rounds, worlds, packs;
	double share, heat, sharpness, ridge;
	const char *out, *family, *spec;
	bool duel;
};

static const struct order order_usual = {
	.seed = 1,
	.deals = 200,
	.rounds = 1,
	.worlds = 32,
	.packs = 400,
	.share = 0.5,
	.heat = 0.3,
	.sharpness = 2,
	.ridge = 1e-4,
};

static struct policy_table tables[POLICY_FAMILY_COUNT];

static int
usage(void)
{
	fputs("usage: fit [--seed N] [--rounds N] [--deals N] [--worlds N]\n"
	      "           [--share F] [--heat F] [--sharpness F] [--ridge F]\n"
	      "           [--family NAME] [--out FILE]\n"
	      "       fit --duel [--rules SPEC] [--packs N] [--seed N]\n"
	      "           [--worlds N]\n",
	    stderr);
	return 2;
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
	printf("%-9s %d  positions %6zu  nats %.4f  uniform %.4f  teacher %.4f"
	       "  agreement %.3f  greedy %.3f  chance %.3f\n",
	    policy_family_name(family), phase, report.count, report.likelihood,
	    report.uniform, report.ceiling, report.agreement, report.greedy,
	    report.chance);
}

/* One round: lessons of every family by the tables as they are, then a fit. */
static int
round_run(const struct order *order, int round)
{
	struct teacher teacher = {
		.tables = tables,
		.worlds = order->worlds,
		.sharpness = (float)order->sharpness,
		.heat = order->heat,
	};
	struct lessons lessons;
	int error = 0;

	for (int i = 0; i < POLICY_FAMILY_COUNT; i++) {
		enum policy_family family = (enum policy_family)i;
		uint64_t random = order->seed + (uint64_t)(1000 * round + i);

		if (!wants(order, family))
			continue;
		/* Neighbouring seeds would give sequences that overlap. */
		random = splitmix_next(&random);
		lessons_open(&lessons);
		error = teacher_teach(&teacher, family, 0, order->deals,
		    order->share, &random, &lessons);
		for (int phase = 0; phase < POLICY_PHASE_COUNT && !error;
		     phase++) {
			logit_fit(&lessons, family, phase, order->ridge,
			    &tables[family]);
			report(&lessons, family, phase);
		}
		fflush(stdout);
		lessons_close(&lessons);
		if (error)
			return error;
	}
	return 0;
}

static int
learn(const struct order *order)
{
	char command[COMMAND_SIZE];
	FILE *file;
	int error = 0;

	memcpy(tables, policy_tables, sizeof(tables));
	for (int round = 0; round < order->rounds && !error; round++) {
		printf("round %d\n", round + 1);
		error = round_run(order, round);
	}
	if (error || order->out == NULL)
		return error;
	snprintf(command, sizeof(command),
	    "fit --seed %llu --rounds %d --deals %d --worlds %d --share %g"
	    "\n *       --heat %g --sharpness %g --ridge %g",
	    (unsigned long long)order->seed, order->rounds, order->deals,
	    order->worlds, order->share, order->heat, order->sharpness,
	    order->ridge);
	file = fopen(order->out, "we");
	if (file == NULL)
		return -errno;
	policy_write(file, tables, command);
	if (ferror(file))
		error = -EIO;
	if (fclose(file) != 0 && !error)
		error = -errno;
	return error;
}

static void
duel_report(const char *spec, const char *names, struct duel_result result)
{
	printf("%-28s %-18s %+.3f +- %.3f  packs %d\n", spec, names,
	    result.mean, result.margin, result.packs);
	fflush(stdout);
}

static void
duel_one(const struct order *order, const char *spec)
{
	struct duel_player players[2] = { { .kind = DUEL_POLICY },
		{ .kind = DUEL_GREEDY } };
	uint64_t random = order->seed;
	struct scopa_rules rules;
	struct scopa_text why;
	struct duel_result result;
	char bytes[COMMAND_SIZE];

	random = splitmix_next(&random);
	scopa_text_init(&why, bytes, sizeof(bytes));
	if (!scopa_rules_parse(&rules, spec, &why)) {
		fprintf(stderr, "error: %s: %s\n", spec, bytes);
		return;
	}
	duel_play(&rules, players, order->packs, &random, &result);
	duel_report(spec, "policy greedy", result);
	players[0].kind = DUEL_SAMPLE;
	duel_play(&rules, players, order->packs, &random, &result);
	duel_report(spec, "sample greedy", result);
	if (order->worlds == order_usual.worlds)
		return;
	players[0].kind = DUEL_TEACHER;
	players[0].teacher = (struct teacher){
		.tables = policy_tables,
		.worlds = order->worlds,
		.sharpness = (float)order->sharpness,
		.heat = order->heat,
	};
	players[1].kind = DUEL_POLICY;
	duel_play(&rules, players, order->packs, &random, &result);
	duel_report(spec, "teacher policy", result);
}

static int
order_read(struct order *order, int count, char **words)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "deals", required_argument, NULL, 'd' },
		{ "worlds", required_argument, NULL, 'w' },
		{ "packs", required_argument, NULL, 'p' },
		{ "share", required_argument, NULL, 'a' },
		{ "heat", required_argument, NULL, 'h' },
		{ "sharpness", required_argument, NULL, 'x' },
		{ "ridge", required_argument, NULL, 'i' },
		{ "family", required_argument, NULL, 'f' },
		{ "rules", required_argument, NULL, 'u' },
		{ "out", required_argument, NULL, 'o' },
		{ "duel", no_argument, NULL, 'D' },
		{ NULL, 0, NULL, 0 },
	};
	int letter;

	while ((letter = getopt_long(count, words, "", options, NULL)) != -1) {
		switch (letter) {
		case 's':
			order->seed = strtoull(optarg, NULL, 10);
			break;
		case 'r':
			order->rounds = atoi(optarg);
			break;
		case 'd':
			order->deals = atoi(optarg);
			break;
		case 'w':
			order->worlds = atoi(optarg);
			break;
		case 'p':
			order->packs = atoi(optarg);
			break;
		case 'a':
			order->share = atof(optarg);
			break;
		case 'h':
			order->heat = atof(optarg);
			break;
		case 'x':
			order->sharpness = atof(optarg);
			break;
		case 'i':
			order->ridge = atof(optarg);
			break;
		case 'f':
			order->family = optarg;
			break;
		case 'u':
			order->spec = optarg;
			break;
		case 'o':
			order->out = optarg;
			break;
		case 'D':
			order->duel = true;
			break;
		default:
			return -EINVAL;
		}
	}
	return optind == count ? 0 : -EINVAL;
}

int
main(int count, char **words)
{
	struct order order = order_usual;
	int error;

	if (order_read(&order, count, words))
		return usage();
	if (order.duel) {
		for (int i = 0; i < syllabus_count; i++)
			if (order.spec == NULL)
				duel_one(&order, syllabus[i].spec);
		if (order.spec != NULL)
			duel_one(&order, order.spec);
		return 0;
	}
	error = learn(&order);
	if (error == 0)
		return 0;
	fprintf(
	    stderr, "error: cannot learn\n  why     : %s\n", strerror(-error));
	return 5;
}
