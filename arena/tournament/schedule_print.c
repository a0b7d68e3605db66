#include "schedule_print.h"

void
schedule_print_block(const struct block_plan *plan, const char *const names[],
    const struct scopa_rules *rules, struct scopa_text *text)
{
	scopa_text_string(text, "block ");
	scopa_text_int(text, plan->index + 1);
	scopa_text_string(text, " round ");
	scopa_text_int(text, plan->round + 1);
	scopa_text_char(text, ':');
	for (int game = 0; game < plan->game_count; game++) {
		if (game > 0)
			scopa_text_string(text, " |");
		for (int seat = 0; seat < rules->players; seat++) {
			int member = plan->seating[game][seat];

			scopa_text_char(text, ' ');
			scopa_text_string(text, names[plan->bots[member]]);
		}
	}
}
