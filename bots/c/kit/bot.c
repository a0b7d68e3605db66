/*
 * my-bot: an example that captures what is worth most.
 *
 * Change choose().  struct scopa_view in scopa_bot.h says what it can look at.
 */
#include <stdlib.h>
#include <string.h>

#include "scopa_bot.h"

static const struct scopa_option options[] = {
	{ .name = "weight-of-coins",
	    .type = "int",
	    .fallback = "10",
	    .min = 0,
	    .max = 100 },
	{ .name = NULL },
};

/* What a captured card is worth; the 7 of coins is worth most. */
static long
weight(const struct scopa_card *card)
{
	long coins = scopa_option_int("weight-of-coins");

	return 1 + (card->rank == '7' ? 30 : 0) +
	    (card->suit == 'D' ? coins : 0) +
	    (strcmp(card->text, "7D") == 0 ? 100 : 0);
}

/* A declaration is best, then a sweep, then weight captured or not laid. */
static long
merit(const struct scopa_view *view, const struct scopa_move *move)
{
	long total = weight(&move->card);

	if (move->declaration != NULL)
		return 20000;
	if (move->captured.count == 0)
		return -total;
	for (int i = 0; i < move->captured.count; i++)
		total += weight(&move->captured.card[i]);
	return total + (move->captured.count == view->table.count ? 10000 : 0);
}

static const struct scopa_move *
choose(const struct scopa_view *view)
{
	/* Where points are bad (aim=least), the worst move is the best one. */
	int sign = strcmp(scopa_rule(view, "aim"), "least") == 0 ? -1 : 1;
	const struct scopa_move *best = &view->legal[0];

	for (int i = 1; i < view->legal_count; i++)
		if (sign * merit(view, &view->legal[i]) >
		    sign * merit(view, best))
			best = &view->legal[i];
	return best;
}

int
main(void)
{
	return scopa_run(&(struct scopa_bot){
	    .name = "my-bot",
	    .version = "1.0",
	    .options = options,
	    .choose = choose,
	});
}
