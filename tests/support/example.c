#include "example.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "folder.h"
#include "output.h"
#include "sample.h"
#include "support.h"
#include "test.h"

enum { REPLICATES = 200, OPEN_MAX = 2 };

static struct example *open_examples[OPEN_MAX];

void
example_open(struct example *example, const char *rules, int bot_count)
{
	static char commands[TOURNAMENT_BOTS_MAX][32];
	struct scopa_rules parsed = support_rules(rules);

	memset(example, 0, sizeof(*example));
	assert_int_equal(
	    standings_open(&example->standings, &parsed, bot_count), 0);
	example->standings.by_side = true;
	example->head = (struct store_head){
		.command = "tournament",
		.name = "example",
		.tool = "scopa-arena/0.0.0",
		.created = "2026-01-02T03:04:05Z",
		.game_count = 2,
		.bot_count = bot_count,
	};
	for (int bot = 0; bot < bot_count; bot++) {
		struct store_bot *head = &example->head.bots[bot];

		snprintf(head->name, sizeof(head->name), "bot-%d", bot + 1);
		snprintf(commands[bot], sizeof(commands[bot]),
		    "./bot --level %d", bot + 1);
		head->command = commands[bot];
		snprintf(head->digest, sizeof(head->digest), "%064d", bot);
	}
	example->view = (struct report_view){
		.head = &example->head,
		.standings = &example->standings,
		.path = "runs/example",
		.state = "done",
		.format = "roundrobin",
		.rules = rules,
		.time_control = "move:10000",
		.time_shown = "move:10s",
		.seed = "05",
		.deals = 1,
		.duplicate = true,
		.level = 0.95,
	};
	example->random = 1;
	for (int i = 0; i < OPEN_MAX; i++) {
		if (open_examples[i] != NULL)
			continue;
		open_examples[i] = example;
		return;
	}
	fail_msg("more than %d runs are open", OPEN_MAX);
}

void
example_close(struct example *example)
{
	for (int i = 0; i < OPEN_MAX; i++)
		if (open_examples[i] == example)
			open_examples[i] = NULL;
	report_close(&example->view);
	standings_close(&example->standings);
}

int
example_teardown(void **state)
{
	(void)state;
	for (int i = 0; i < OPEN_MAX; i++)
		if (open_examples[i] != NULL)
			example_close(open_examples[i]);
	return 0;
}

void
example_gate(struct example *example)
{
	example_open(example, "scopa", 2);
	example->gate = (struct gate_config){
		.sequential = true,
		.sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_ELO, 0, 10),
		.blocks_max = 1000,
		.level = 0.95,
	};
	snprintf(example->head.command, sizeof(example->head.command), "gate");
	example->view.format = "gate";
	example->view.blocks_planned = 1000;
	example->view.gate = &example->gate;
	example->view.verdict = &example->verdict;
	example_judge(example, false);
}

void
example_judge(struct example *example, bool ended)
{
	example->verdict =
	    gate_judge(&example->gate, &example->standings, ended);
}

struct block_result
example_block(const struct example *example, const int *bots, int bot_count,
    int game_count, int32_t scores[][SCOPA_SEATS_MAX])
{
	const struct standings *counted = &example->standings;
	struct block_result block =
	    blocks_make(&counted->rules, bots, bot_count, game_count);

	block.plan.index = counted->blocks + counted->skipped;
	block.plan.round = (int)counted->blocks;
	block = blocks_of_plan(&counted->rules, &block.plan);
	for (int game = 0; game < game_count; game++) {
		struct summary *summary = &block.games[game];

		blocks_scores(&counted->rules, &block, game, scores[game]);
		strcpy(summary->sandbox, "box");
		for (int team = 0; team < summary->team_count; team++) {
			int32_t *items = summary->item_points[team];

			items[SCOPA_ITEM_CARDS] = items[SCOPA_ITEM_SCOPE] > 0;
			items[SCOPA_ITEM_SCOPE] -= items[SCOPA_ITEM_CARDS];
		}
		for (int seat = 0; seat < summary->seat_count; seat++) {
			int member = block.plan.seating[game][seat];

			summary->think_us[seat] = 18 * 250 * (member + 1);
			summary->think_longest_us[seat] = 900 * (member + 1);
			summary->decision_count[seat] = 18;
		}
	}
	return block;
}

struct block_result
example_pair(const struct example *example, int a, int b, const int points[4])
{
	int32_t scores[2][SCOPA_SEATS_MAX] = { { points[0], points[1] },
		{ points[2], points[3] } };

	return example_block(example, (int[]){ a, b }, 2, 2, scores);
}

void
example_forfeit(const struct example *example, struct block_result *block,
    int game, int member)
{
	blocks_forfeit(
	    &example->standings.rules, block, game, member, OFFENCE_TIMEOUT);
	strcpy(block->games[game].offence_reason, "late");
}

void
example_count(struct example *example, const struct block_result *block)
{
	assert_int_equal(standings_add(&example->standings, block), 0);
}

void
example_add(struct example *example, int a, int b, int own, int other)
{
	struct block_result block =
	    example_pair(example, a, b, (int[]){ own, other, own, other });

	example_count(example, &block);
}

void
example_play(struct example *example, int a, int b, int count, int strength)
{
	for (int i = 0; i < count; i++) {
		int points[4];
		struct block_result block;

		for (int k = 0; k < 4; k += 2) {
			points[k] = support_random_below(&example->random, 5);
			points[k + 1] =
			    support_random_below(&example->random, 5);
			if (support_random_below(&example->random, 10) <
			    abs(strength))
				points[k + (strength < 0)]++;
		}
		block = example_pair(example, a, b, points);
		example_count(example, &block);
	}
}

char *
example_text(struct example *example, int width)
{
	struct report_style style = { .width = width, .full = true };

	assert_int_equal(report_compute(&example->view, REPLICATES), 0);
	assert_int_equal(report_text(&example->view, &style, output_open()), 0);
	return output_close();
}

void
example_compare(const char *bytes, const char *name)
{
	const char *path = folder_source(folder_path("tests/golden", name));

	assert_string_equal(bytes, folder_read(path, NULL));
}

void
example_check_finite(const char *bytes)
{
	expect_none(bytes, "nan", "inf", "-0.000 ", "unknown");
}
