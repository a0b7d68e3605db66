/*
 * The points of a deal, item by item.
 */
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "support.h"
#include "test.h"

/*
 * The count of a deal that is over: the piles and three and four scope; the
 * rest of the cards are nowhere.
 */
static struct scopa_score
count(const char *spec, const char *const piles[2])
{
	struct scopa_rules rules = support_rules(spec);
	struct scopa_score score;
	struct scopa_deal deal = { .turn = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE };

	for (int team = 0; team < 2; team++) {
		deal.captured[team] = support_set(piles[team]);
		deal.scopas[team] = (uint8_t)(3 + team);
	}
	memset(&score, 0x5a, sizeof(score));
	scopa_score_count(&rules, &deal, &score);
	return score;
}

static int
item_of(const char *name)
{
	int item = 0;

	while (strcmp(scopa_item_name((enum scopa_item)item), name) != 0)
		item++;
	return item;
}

TEST(test_each_item_gives_its_points)
{
	static struct golden golden;

	golden_open(&golden, "scores.tsv");
	while (golden_next(&golden)) {
		char **field = golden.fields;
		const char *const piles[2] = { field[2], field[3] };
		struct scopa_score score = count(field[0], piles);
		int item;

		assert_int_equal(golden.field_count, 7);
		if (strcmp(field[1], "win") == 0) {
			if ((score.winner == 0) != atoi(field[4]) ||
			    (score.winner == 1) != atoi(field[5]))
				fail_msg("scores.tsv:%d: %d wins", golden.line,
				    score.winner);
			continue;
		}
		item = item_of(field[1]);
		if (score.points[0][item] != atoi(field[4]) ||
		    score.points[1][item] != atoi(field[5]) ||
		    score.quantity[0][item] != atoi(field[6]))
			fail_msg("scores.tsv:%d: %d for %d, and %d",
			    golden.line, score.points[0][item],
			    score.quantity[0][item], score.points[1][item]);
	}
	assert_true(golden.line > 110);
	golden_close(&golden);
}
