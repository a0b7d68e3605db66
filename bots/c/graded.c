#include "graded.h"

#include "strength.h"

const struct search_row *
graded_row(const struct search_result *result, int level, double unit,
    uint64_t *random)
{
	struct strength_choice choices[SCOPA_MOVES_MAX];

	if (level == STRENGTH_MAX)
		return &result->rows[result->best];
	for (int i = 0; i < result->row_count; i++) {
		const struct search_row *row = &result->rows[i];

		choices[i] = (struct strength_choice){
			.move = row->move,
			.value = row->value / unit,
			.visits = (int64_t)row->visits,
		};
	}
	return &result->rows[strength_choose(
	    level, choices, result->row_count, random)];
}
