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
#include "splitmix.h"
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

/* How a random player finds its move. */
enum choice {
	/* A random card of the hand, then one of the moves of that card; where
	 * something may be declared, one of all moves. */
	CHOICE_BY_CARD,
	/* One of all legal moves, every one of which is worked out. */
	CHOICE_BY_LIST
};

static const struct scopa_move *
move_choose(const struct scopa_rules *rules, const struct scopa_deal *deal,
    enum choice choice, uint64_t bits)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	scopa_set hand = deal->hands[deal->turn];
	bool may_declare = rules->declare == SCOPA_DECLARE_ASK &&
	    (deal->untouched >> deal->turn & 1);
	int count;

	if (choice == CHOICE_BY_LIST || may_declare) {
		count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	} else {
		uint32_t skip = scale(
		    (uint32_t)(bits >> 32), (uint32_t)scopa_set_count(hand));

		while (skip-- > 0)
			hand &= hand - 1;
		count = scopa_moves_of_card(
		    rules, deal, scopa_set_first(hand), moves, SCOPA_MOVES_MAX);
	}
	return &moves[scale((uint32_t)bits, (uint32_t)count)];
}

/* Deals until a pack is not thrown in, plays at random, and counts. */
static void
deal_play(const struct scopa_rules *rules, enum choice choice,
    uint8_t pack[SCOPA_PACK_SIZE], uint64_t *random, struct measure *measure)
{
	int dealer = (int)(measure->deals % rules->players);
	struct scopa_deal deal;
	struct scopa_score score;

	do {
		pack_shuffle(pack, random);
	} while (
	    scopa_deal_start(rules, pack, dealer, &deal) != SCOPA_START_PLAY);
	while (!scopa_deal_over(&deal)) {
		scopa_deal_apply(rules, &deal,
		    move_choose(rules, &deal, choice, splitmix_next(random)));
		measure->moves++;
	}
	scopa_score_count(rules, &deal, &score);
	measure->points += score.total[0];
	measure->deals++;
}

static struct measure
rules_measure(
    const struct scopa_rules *rules, enum choice choice, double seconds)
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
			deal_play(rules, choice, pack, &random, &measure);
		measure.cpu_ns = clock_cpu_ns() - start_ns;
	} while (measure.cpu_ns < limit_ns || measure.cpu_ns <= 0);
	return measure;
}

static double
per_second(int64_t count, const struct measure *measure)
{
	return (double)count * (double)CLOCK_NS_PER_S / (double)measure->cpu_ns;
}

/* Measures one rule set in both ways and prints its row. */
static void
rules_report(const char *name, const struct scopa_rules *rules, double seconds,
    struct json *json)
{
	struct measure card = rules_measure(rules, CHOICE_BY_CARD, seconds);
	struct measure list = rules_measure(rules, CHOICE_BY_LIST, seconds);

	if (json == NULL) {
		printf("%-20s %10.0f %12.0f %8.1f %14.0f\n", name,
		    per_second(card.deals, &card),
		    per_second(card.moves, &card),
		    (double)card.moves / (double)card.deals,
		    per_second(list.deals, &list));
		fflush(stdout);
		return;
	}
	json_object_begin(json, NULL);
	json_string(json, "rules", name);
	json_real(json, "deals_per_s", per_second(card.deals, &card), 0);
	json_real(json, "moves_per_s", per_second(card.moves, &card), 0);
	json_real(json, "listed_deals_per_s", per_second(list.deals, &list), 0);
	json_int(json, "deals", card.deals);
	json_int(json, "moves", card.moves);
	json_int(json, "points", card.points);
	json_real(json, "cpu_s", (double)card.cpu_ns / 1e9, 6);
	json_object_end(json);
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
	    "A deal is shuffling, dealing, finding and making one legal move "
	    "after the other, and counting the points. The random player "
	    "takes any card of its hand and then any move of that card; for "
	    "\"listed\" deals it works out all legal moves and takes any of "
	    "them. A second is one of CPU time, on one core. The deals are "
	    "the same in every run.",
	.examples = examples,
	.options = options,
	.option_count = COUNTOF(options),
	.settings_size = sizeof(struct settings),
	.run = bench_engine_run,
};
