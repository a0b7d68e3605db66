#include "duel.h"

#include <assert.h>
#include <math.h>

#include "chitarrella.h"
#include "endplay.h"
#include "greedy.h"
#include "scopa/scopa.h"

static int
likeliest(const float *weights, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	return best;
}

static int
best_of(const double *values, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (values[i] > values[best])
			best = i;
	return best;
}

/* The move of a bot that looks at a view. */
static struct scopa_move
move_of_bot(enum duel_kind kind, const struct scopa_rules *rules,
    const struct scopa_deal *deal)
{
	struct chitarrella_reason reason;
	struct scopa_tally tally;
	struct scopa_view view;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	if (kind == DUEL_CHITARRELLA)
		return chitarrella_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	return greedy_move(rules, &view, deal);
}

struct scopa_move
duel_move(const struct duel_player *player, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	static float weights[SCOPA_MOVES_MAX];
	static double values[SCOPA_MOVES_MAX];
	struct policy policy = { .sharpness = 1 };
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	if (player->tables != NULL)
		policy.tables = player->tables;
	switch (player->kind) {
	case DUEL_GREEDY:
	case DUEL_CHITARRELLA:
		return move_of_bot(player->kind, rules, deal);
	case DUEL_POLICY:
		policy_judge(&policy, rules, deal, moves, count, weights);
		return moves[likeliest(weights, count)];
	case DUEL_TEACHER:
		if (count == 1)
			return moves[0];
		if (player->teacher.iterations > 0)
			teacher_search(&player->teacher, rules, deal, count,
			    random, values);
		else
			teacher_values(&player->teacher, rules, deal, moves,
			    count, random, values);
		return moves[best_of(values, count)];
	}
	assert(false);
	return moves[0];
}

void
duel_play(const struct scopa_rules *rules, const struct duel_player players[2],
    int packs, uint64_t *random, struct duel_result *result)
{
	int parties = scopa_party_count(rules);
	double sum = 0, squares = 0;

	assert(packs > 1);
	for (int pack = 0; pack < packs; pack++) {
		struct scopa_deal start;
		double points = 0;

		teacher_deal(rules, random, &start);
		for (int party = 0; party < parties; party++) {
			struct scopa_deal deal = start;

			while (!scopa_deal_over(&deal)) {
				bool own =
				    scopa_party_of(rules, deal.turn) == party;
				struct scopa_move move = duel_move(
				    &players[!own], rules, &deal, random);

				scopa_deal_apply(rules, &deal, &move);
			}
			points += teacher_result(rules, &deal, party) / parties;
		}
		sum += points;
		squares += points * points;
	}
	result->packs = packs;
	result->mean = sum / packs;
	result->margin = 1.96 *
	    sqrt((squares / packs - result->mean * result->mean) / (packs - 1));
}
