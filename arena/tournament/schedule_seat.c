/*
 * The seats of a block: every way to sit, or one.
 */
#include <assert.h>

#include "countof.h"
#include "schedule_state.h"

/* The orders of three: the two with the same one first stand together. */
static const uint8_t orders_of_three[][3] = {
	{ 0, 1, 2 },
	{ 0, 2, 1 },
	{ 1, 2, 0 },
	{ 1, 0, 2 },
	{ 2, 0, 1 },
	{ 2, 1, 0 },
};
_Static_assert(COUNTOF(orders_of_three) <= BLOCK_GAMES_MAX &&
	(int)SCOPA_SEATS_MAX <= (int)BLOCK_GAMES_MAX,
    "a block has room for every order");

/* splitmix64: the next number of a stream. */
static uint64_t
draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* An order of so many, drawn for this block alone. */
static void
draw_order(uint64_t seed, int64_t index, uint8_t *order, int count)
{
	uint64_t state = seed;

	/* Neighbouring seeds must not give each other's next block. */
	state = draw(&state) ^ (uint64_t)index;
	for (int i = 0; i < count; i++)
		order[i] = (uint8_t)i;
	for (int i = count - 1; i > 0; i--) {
		int k = (int)(draw(&state) % (uint64_t)(i + 1));
		uint8_t swapped = order[i];

		order[i] = order[k];
		order[k] = swapped;
	}
}

void
schedule_seat(const struct schedule_config *config, struct block_plan *plan)
{
	const struct scopa_rules *rules = &config->rules;
	int bots = plan->bot_count;
	bool all_orders = bots == 3 && config->duplicate;
	uint8_t order[SCOPA_SEATS_MAX] = { 0, 1 };

	assert(bots == schedule_bot_count(config));
	plan->game_count = schedule_game_count(config);
	/* Two can only change seats. */
	if (bots > 2 && !all_orders)
		draw_order(config->seed, plan->index, order, bots);
	for (int game = 0; game < plan->game_count; game++) {
		for (int seat = 0; seat < rules->players; seat++) {
			int place =
			    config->mixed ? seat : scopa_team_of(rules, seat);

			assert(place < bots);
			plan->seating[game][seat] = all_orders
			    ? orders_of_three[game][place]
			    : order[(place + game) % bots];
		}
	}
}
