/*
 * Implements run_facts.h.
 */
#include "run_facts.h"

int
run_facts_open(struct run_facts *facts, const struct report_view *view,
    const struct run *run, int64_t game_bytes_max, struct store_error *why)
{
	(void)run;
	(void)game_bytes_max;
	(void)why;
	*facts = (struct run_facts){
		.bot_count = view->standings->bot_count,
		.seat_count = view->standings->rules.players,
	};
	return 0;
}

void
run_facts_close(struct run_facts *facts)
{
	(void)facts;
}
