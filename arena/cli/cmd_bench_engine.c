/*
 * bench engine: random complete deals a second, for every preset.
 */
#include <stdint.h>
#include <stdio.h>

#include "clock.h"
#include "command.h"
#include "game_options.h"
#include "json.h"
#include "scopa/score.h"
#include "splitmix.h"
#include "version.h"

/* Deals between two looks at the clock. */
enum { BATCH_DEALS = 512 };

struct bench_engine_settings {
	const char *rules; /* NULL: every preset */
	double seconds;
	bool json;
};

/* What was played, and in how much of one core's time. */
struct bench_engine_measure {
	int64_t deals;
	int64_t moves;
	int64_t points; /* so that nothing of the work is left out */
	int64_t cpu_ns;
};

#define FIELD(name) offsetof(struct bench_engine_settings, name)

static const struct option options[] = {
	TEXT_OPTION("rules", "PRESET[,KEY=VALUE...]", FIELD(rules),
	    "Measure this rule set alone. Without it, every preset.",
	    .aliases = { "variant" }),
	REAL_OPTION("seconds", "S", FIELD(seconds), 0, 3600,
	    "How long each rule set is measured.", .fallback = "0.5",
	    .unit = "seconds"),
	FLAG_OPTION("json", FIELD(json), "Print one JSON list."),
	OPTIONS_END,
};

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
		uint64_t bits = splitmix_next(random);

		swap(pack, i, scale((uint32_t)bits, i + 1));
		swap(pack, i - 1, scale((uint32_t)(bits >> 32), i));
		if (i == 1)
			break;
	}
}

/* How a random player finds its move, any legal one with equal chances. */
enum choice {
	CHOICE_PICKED, /* the engine draws one */
	CHOICE_LISTED  /* one entry of the list of all, worked out each time */
};

static void
move_choose(const struct scopa_rules *rules, const struct scopa_deal *deal,
    enum choice choice, uint64_t bits, struct scopa_move *move)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	int count;

	if (choice == CHOICE_PICKED) {
		scopa_move_pick(rules, deal, bits, move);
		return;
	}
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	*move = moves[scale((uint32_t)bits, (uint32_t)count)];
}

/* Deals until a pack is not redealt, plays at random, and counts. */
static void
deal_play(const struct scopa_rules *rules, enum choice choice,
    uint8_t pack[SCOPA_PACK_SIZE], uint64_t *random,
    struct bench_engine_measure *measure)
{
	int dealer = (int)(measure->deals % rules->players);
	struct scopa_deal deal;
	struct scopa_score score;

	do {
		pack_shuffle(pack, random);
	} while (
	    scopa_deal_start(rules, pack, dealer, &deal) != SCOPA_START_PLAY);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		move_choose(rules, &deal, choice, splitmix_next(random), &move);
		scopa_deal_apply(rules, &deal, &move);
		measure->moves++;
	}
	scopa_score_count(rules, &deal, &score);
	measure->points += score.total[0];
	measure->deals++;
}

static struct bench_engine_measure
rules_measure(
    const struct scopa_rules *rules, enum choice choice, double seconds)
{
	struct bench_engine_measure measure = { 0 };
	uint8_t pack[SCOPA_PACK_SIZE];
	uint64_t random = 1;
	int64_t limit_ns = (int64_t)(seconds * (double)CLOCK_NS_PER_S);
	int64_t start_ns = clock_cpu_ns();

	for (uint8_t i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = i;
	do {
		for (int i = 0; i < BATCH_DEALS; i++)
			deal_play(rules, choice, pack, &random, &measure);
		measure.cpu_ns = clock_cpu_ns() - start_ns;
	} while (measure.cpu_ns < limit_ns || measure.cpu_ns <= 0);
	return measure;
}

static double
per_second(int64_t count, const struct bench_engine_measure *measure)
{
	return (double)count * (double)CLOCK_NS_PER_S / (double)measure->cpu_ns;
}

/* Measures one rule set in both ways and prints its row. */
static void
rules_report(const char *name, const struct scopa_rules *rules, double seconds,
    struct json *json)
{
	struct bench_engine_measure picked =
	    rules_measure(rules, CHOICE_PICKED, seconds);
	struct bench_engine_measure listed =
	    rules_measure(rules, CHOICE_LISTED, seconds);

	if (json == NULL) {
		printf("%-20s %10.0f %12.0f %8.1f %14.0f\n", name,
		    per_second(picked.deals, &picked),
		    per_second(picked.moves, &picked),
		    (double)picked.moves / (double)picked.deals,
		    per_second(listed.deals, &listed));
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "rules", name);
	json_real(json, "deals_per_s", per_second(picked.deals, &picked), 0);
	json_real(json, "moves_per_s", per_second(picked.moves, &picked), 0);
	json_real(
	    json, "listed_deals_per_s", per_second(listed.deals, &listed), 0);
	json_int(json, "deals", picked.deals);
	json_int(json, "moves", picked.moves);
	json_int(json, "points", picked.points);
	json_real(json, "cpu_s", (double)picked.cpu_ns / 1e9, 6);
	json_object_end(json);
}

static enum status
bench_engine_run(const void *given, int argc, char **argv)
{
	const struct bench_engine_settings *settings = given;
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
		printf("%-20s %10s %12s %8s %14s\n", "rules", "deals/s",
		    "moves/s", "moves", "listed deals/s");
	}
	if (settings->rules != NULL)
		rules_report(set.spec, &set.rules, settings->seconds, json);
	else
		for (int i = 0; i < scopa_preset_count; i++)
			rules_report(scopa_presets[i].name,
			    &scopa_presets[i].rules, settings->seconds, json);
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
	    "A deal is shuffling, dealing, choosing and making one legal move "
	    "after the other, and counting the points. Every move is any of "
	    "all legal ones with equal chances. For \"deals/s\" the engine "
	    "draws it, in games of sums mostly without working out the "
	    "others; \"moves/s\" and \"moves\" (a deal) are of these deals "
	    "too. For \"listed deals/s\" all legal moves of each position are "
	    "listed first. A second is one of CPU time, on one core. The "
	    "deals are the same in every run.",
	.examples = { "bench engine",
	    "bench engine --rules scientifico --seconds 5 --json" },
	.options = options,
	.settings_size = sizeof(struct bench_engine_settings),
	.run = bench_engine_run,
};
