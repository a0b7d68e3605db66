/*
 * bench engine: random complete deals a second, for every preset.
 */
#include <stdint.h>
#include <stdio.h>

#include "clock.h"
#include "command.h"
#include "countof.h"
#include "json.h"
#include "rule_set.h"
#include "scopa/score.h"
#include "version.h"

/* Deals between two looks at the clock. */
enum { BATCH_DEALS = 512 };

struct settings {
	const char *rules; /* NULL: every preset */
	double seconds;
	bool json;
};

/* What was played, and in how much of one core's time. */
struct measure {
	int64_t deals;
	int64_t moves;
	int64_t points; /* so that nothing of the work is left out */
	int64_t cpu_ns;
};

static const struct option options[] = {
	{
	    .name = "rules",
	    .aliases = { "variant" },
	    .kind = OPTION_TEXT,
	    .value = "PRESET[,KEY=VALUE...]",
	    .sentence =
		"Measure this rule set alone. Without it, every preset.",
	    .offset = offsetof(struct settings, rules),
	},
	{
	    .name = "seconds",
	    .kind = OPTION_REAL,
	    .value = "S",
	    .sentence = "How long each rule set is measured.",
	    .fallback = "0.5",
	    .unit = "seconds",
	    .min = 0,
	    .max = 3600,
	    .offset = offsetof(struct settings, seconds),
	},
	{
	    .name = "json",
	    .kind = OPTION_FLAG,
	    .sentence = "Print one JSON list.",
	    .offset = offsetof(struct settings, json),
	},
};

static const char *const examples[] = {
	VERSION_NAME " bench engine",
	VERSION_NAME " bench engine --rules scientifico --seconds 5 --json",
	NULL,
};

/*
 * splitmix64: quick and even enough to choose moves by, and the same sequence
 * in every run.  Packs of real matches never come from here.
 */
static uint64_t
random_next(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

/* Below `bound`, from 32 random bits. */
static uint32_t
scale(uint32_t bits, uint32_t bound)
{
	return (uint32_t)((uint64_t)bits * bound >> 32);
}

static void
swap(uint8_t *pack, uint32_t i, uint32_t j)
{
	uint8_t card = pack[i];

	pack[i] = pack[j];
	pack[j] = card;
}

/* Two cards a random number: each takes half of its bits. */
static void
pack_shuffle(uint8_t pack[SCOPA_PACK_SIZE], uint64_t *random)
{
	for (uint32_t i = SCOPA_PACK_SIZE - 1; i >= 1; i -= 2) {
		uint64_t bits = random_next(random);

		swap(pack, i, scale((uint32_t)bits, i + 1));
		swap(pack, i - 1, scale((uint32_t)(bits >> 32), i));
		if (i == 1)
			break;
	}
}

/* Deals until a pack is not thrown in, plays at random, and counts. */
static void
deal_play(const struct scopa_rules *rules, uint8_t pack[SCOPA_PACK_SIZE],
    uint64_t *random, struct measure *measure)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	int dealer = (int)(measure->deals % rules->players);
	struct scopa_deal deal;
	struct scopa_score score;

	do {
		pack_shuffle(pack, random);
	} while (
	    scopa_deal_start(rules, pack, dealer, &deal) != SCOPA_START_PLAY);
	while (!scopa_deal_over(&deal)) {
		int count = scopa_moves(rules, &deal, moves, SCOPA_MOVES_MAX);
		uint32_t bits = (uint32_t)random_next(random);

		scopa_deal_apply(
		    rules, &deal, &moves[scale(bits, (uint32_t)count)]);
		measure->moves++;
	}
	scopa_score_count(rules, &deal, &score);
	measure->points += score.total[0];
	measure->deals++;
}

static struct measure
rules_measure(const struct scopa_rules *rules, double seconds)
{
	struct measure measure = { 0 };
	uint8_t pack[SCOPA_PACK_SIZE];
	uint64_t random = 1;
	int64_t limit_ns = (int64_t)(seconds * (double)CLOCK_NS_PER_S);
	int64_t start_ns = clock_cpu_ns();

	for (uint8_t i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = i;
	do {
		for (int i = 0; i < BATCH_DEALS; i++)
			deal_play(rules, pack, &random, &measure);
		measure.cpu_ns = clock_cpu_ns() - start_ns;
	} while (measure.cpu_ns < limit_ns || measure.cpu_ns <= 0);
	return measure;
}

static void
measure_print(
    const char *name, const struct measure *measure, struct json *json)
{
	double seconds = (double)measure->cpu_ns / (double)CLOCK_NS_PER_S;
	double deals_per_s = (double)measure->deals / seconds;
	double moves_per_s = (double)measure->moves / seconds;

	if (json == NULL) {
		printf("%-20s %10.0f %12.0f %8.1f\n", name, deals_per_s,
		    moves_per_s,
		    (double)measure->moves / (double)measure->deals);
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "rules", name);
	json_real(json, "deals_per_s", deals_per_s, 0);
	json_real(json, "moves_per_s", moves_per_s, 0);
	json_int(json, "deals", measure->deals);
	json_int(json, "moves", measure->moves);
	json_int(json, "points", measure->points);
	json_real(json, "cpu_s", seconds, 6);
	json_object_end(json);
}

static void
measure_all(const struct settings *settings, struct json *json)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		struct measure measure =
		    rules_measure(&scopa_presets[i].rules, settings->seconds);

		measure_print(scopa_presets[i].name, &measure, json);
	}
}

static enum status
bench_engine_run(const void *given, int argc, char **argv)
{
	const struct settings *settings = given;
	struct rule_set set;
	struct json document;
	struct json *json = settings->json ? &document : NULL;

	(void)argc;
	(void)argv;
	if (settings->rules != NULL && !rule_set_read(settings->rules, &set))
		return STATUS_USAGE;
	if (json != NULL) {
		json_init(json, stdout);
		json_array_begin(json, NULL);
	} else {
		printf("%-20s %10s %12s %8s\n", "rules", "deals/s", "moves/s",
		    "moves");
	}
	if (settings->rules != NULL) {
		struct measure measure =
		    rules_measure(&set.rules, settings->seconds);

		measure_print(set.spec, &measure, json);
	} else {
		measure_all(settings, json);
	}
	if (json != NULL) {
		json_array_end(json);
		json_finish(json);
	}
	return STATUS_DONE;
}

const struct command command_bench_engine = {
	.name = "bench engine",
	.sentence =
	    "Measures how many random complete deals the engine plays in "
	    "a second.",
	.detail =
	    "A deal is shuffling, dealing, listing and making one legal "
	    "move after the other, and counting the points. A second is one "
	    "of CPU time, on one core. The deals are the same in every run.",
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = bench_engine_run,
};
