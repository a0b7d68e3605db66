/*
 * What `rate` prints for spreadsheets: a row a bot.
 */
#include <inttypes.h>
#include <stdio.h>

#include "csv_field.h"
#include "rate_table.h"

/* A value and its interval; empty where they are not known. */
static void
put_estimate(bool known, const struct estimate *estimate, int digits)
{
	if (!known) {
		fputs(",,,", stdout);
		return;
	}
	printf(",%.*f,", digits, estimate->value);
	if (!estimate->low_beyond)
		printf("%.*f", digits, estimate->low);
	putchar(',');
	if (!estimate->high_beyond)
		printf("%.*f", digits, estimate->high);
}

static void
put_bot(const struct rate_table *table, const struct rate_order *order,
    int position)
{
	int number = table->order[position];
	const struct rate_bot *bot = &table->bots[number];
	const struct ranking_range *range = &table->ranges[number];
	struct estimate margin =
	    rate_estimate(&table->margins[number], order->level);
	struct estimate elo = rate_estimate(&table->elo[number], order->level);

	printf("%d,", position + 1);
	csv_field_put(stdout, bot->name);
	printf(",%d", table->groups[number] + 1);
	put_estimate(table->has_margins, &margin, 6);
	put_estimate(table->has_games, &elo, 3);
	if (table->has_skills)
		printf(",%.6f,%.6f", bot->skill.mu, bot->skill.sigma);
	else
		fputs(",,", stdout);
	putchar(',');
	if (table->better[position] >= 0.0)
		printf("%.6f", table->better[position]);
	if (table->comparisons > 0)
		printf(",%d,%d", range->low + 1, range->high + 1);
	else
		fputs(",,", stdout);
	printf(",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
	       ",%" PRId64 "\n",
	    bot->blocks, bot->games, bot->results.wins, bot->results.draws,
	    bot->results.losses, bot->forfeits);
}

void
rate_csv_print(const struct rate_table *table, const struct rate_order *order)
{
	puts("position,name,group,points,points_low,points_high,elo,elo_low,"
	     "elo_high,mu,sigma,above_next,rank_low,rank_high,blocks,games,"
	     "wins,draws,losses,forfeits");
	for (int i = 0; i < table->bot_count; i++)
		put_bot(table, order, i);
}
