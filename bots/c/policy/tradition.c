#include "tradition.h"

#include <assert.h>
#include <math.h>

#include "card_value.h"
#include "reply_analysis.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

static const scopa_card settebello = 4 * 6 + SCOPA_DENARI;

/* Whether the mover plays with the seat: +1, or -1. */
static int
side_of(const struct reply_context *context, int seat)
{
	return scopa_team_of(context->rules, seat) ==
		scopa_team_of(context->rules, context->view->seat)
	    ? 1
	    : -1;
}

static bool
lays(const struct reply_analysis *replies)
{
	return replies->move.captured == SCOPA_SET_EMPTY;
}

/* What each rule counts of a move. */

static double
judge_scopa(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return replies->effect.scopa ? context->rules->scopa : 0;
}

static double
judge_take(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	double worth = 0;

	if (!lays(replies))
		worth += card_value_sum(context->card_values,
		    replies->move.captured | scopa_set_of(replies->move.card));
	if (replies->effect.rest != SCOPA_SET_EMPTY)
		worth += side_of(context, replies->effect.rest_seat) *
		    card_value_sum(context->card_values, replies->effect.rest);
	return worth;
}

static double
judge_guard(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	(void)context;
	return -replies->taken[0];
}

static double
judge_no_scopa(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	(void)context;
	return -replies->swept[0];
}

/* What comes to the players after the next one, as far as it is left. */
static double
later_sum(const struct reply_context *context, const double *shares,
    const struct reply_analysis *replies, int side)
{
	int players = context->rules->players;
	double idle = replies->idle[0], worth = 0;

	for (int i = 1; i < players; i++) {
		int seat = (context->view->seat + 1 + i) % players;

		if (side_of(context, seat) == side)
			worth += side * idle * shares[i];
		idle *= replies->idle[i];
	}
	return worth;
}

static double
judge_partner(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return later_sum(context, replies->taken, replies, 1);
}

static double
judge_partner_scopa(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return later_sum(context, replies->swept, replies, 1);
}

static double
judge_third(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return later_sum(context, replies->taken, replies, -1);
}

static double
judge_third_scopa(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return later_sum(context, replies->swept, replies, -1);
}

/*
 * Pairs of ranks: the tradition of Scopone counts the cards of each rank that
 * have gone.
 *
 * As long as cards are taken by their like, every rank goes in pairs, and the
 * dealer, who plays last, always finds the like of what was laid before him.
 * A take by a sum unpairs ranks (the spariglio) and helps the others.
 */

/* How many ranks have gone by odd numbers of cards: 0 to 10. */
static int
parity_unpaired(const struct scopa_deal *deal)
{
	scopa_set gone = SCOPA_SET_EMPTY;
	int unpaired = 0;

	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		gone |= deal->captured[team];
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++)
		unpaired +=
		    scopa_set_count(gone & scopa_set_of_value(value)) & 1;
	return unpaired;
}

/* Whether pairs decide anything: all cards are out, and like takes like. */
static bool
parity_matters(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	return rules->capture != SCOPA_CAPTURE_FIFTEEN &&
	    deal->dealt == SCOPA_PACK_SIZE;
}

static double
judge_parity(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	int before = parity_unpaired(context->deal);
	int after = parity_unpaired(&replies->next);

	if (!parity_matters(context->rules, context->deal))
		return 0;
	return side_of(context, context->view->dealer) * (before - after);
}

static int
rank_held(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return scopa_set_count(context->view->hand &
	    scopa_set_of_value(scopa_card_value(replies->move.card)));
}

static double
judge_double(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	return lays(replies) && rank_held(context, replies) > 1;
}

/* Who laid each card, as far back as the history goes. */
static int
layer_of(const struct reply_context *context, scopa_card card)
{
	const struct scopa_view *view = context->view;

	for (int i = view->history_count - 1; i >= 0; i--)
		if (view->history[i].card == card)
			return view->history[i].seat;
	return SCOPA_SEAT_NONE;
}

static double
judge_spare(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	scopa_set same = replies->move.captured &
	    scopa_set_of_value(scopa_card_value(replies->move.card));
	int layer;

	if (same == SCOPA_SET_EMPTY || replies->effect.scopa)
		return 0;
	layer = layer_of(context, scopa_set_first(same));
	return layer != SCOPA_SEAT_NONE && layer != context->view->seat &&
	    side_of(context, layer) > 0;
}

/* A card that a friend laid and a foe took by its like. */
static double
judge_answer(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	const struct scopa_view *view = context->view;
	int value = scopa_card_value(replies->move.card);

	if (!lays(replies))
		return 0;
	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];
		scopa_set same = move->captured & scopa_set_of_value(value);
		int layer;

		if (same == SCOPA_SET_EMPTY || side_of(context, move->seat) > 0)
			continue;
		layer = layer_of(context, scopa_set_first(same));
		if (layer != SCOPA_SEAT_NONE && layer != view->seat &&
		    side_of(context, layer) > 0)
			return 1;
	}
	return 0;
}

static double
judge_sevens(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	const scopa_set sevens = scopa_set_of_value(7);
	scopa_set held = context->view->hand & sevens;

	if (!(replies->move.captured & sevens))
		return 0;
	return scopa_set_has(held, settebello) || scopa_set_count(held) > 1;
}

/* The chance that a seat holds a card that sweeps this table. */
static double
sweep_chance(const struct reply_context *context,
    const struct reply_analysis *replies, scopa_set table, int seat)
{
	double none = 1;

	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set cards = scopa_set_of_value(value);

		if (!sums_sweep(context->rules, table, value))
			continue;
		while (cards != SCOPA_SET_EMPTY)
			none *= 1 -
			    reply_analysis_chance(
				context, replies, seat, scopa_set_take(&cards));
	}
	return 1 - none;
}

/*
 * The mill: a player that finds nothing to take must feed the table, and the
 * next player sweeps it.  The chance of it, over the cards that may be laid.
 */
static double
judge_mill(
    const struct reply_context *context, const struct reply_analysis *replies)
{
	int players = context->rules->players;
	int first = (context->view->seat + 1) % players;
	int second = (first + 1) % players;
	double fed = 0, swept = 0;

	/* In two the one who is fed is the mover himself. */
	if (scopa_deal_over(&replies->next) || players == 2 ||
	    replies->effect.dealt)
		return 0;
	for (int value = 1; value <= SCOPA_VALUE_MAX; value++) {
		scopa_set cards = scopa_set_of_value(value);
		double answer = -1; /* the same for all cards of a value */

		while (cards != SCOPA_SET_EMPTY) {
			scopa_card card = scopa_set_take(&cards);
			double chance = reply_analysis_chance(
			    context, replies, first, card);

			if (scopa_set_has(replies->takers, card) || chance <= 0)
				continue;
			if (answer < 0)
				answer = sweep_chance(context, replies,
				    replies->next.table | scopa_set_of(card),
				    second);
			fed += chance;
			swept += chance * answer;
		}
	}
	return fed > 0
	    ? side_of(context, second) * replies->idle[0] * swept / fed
	    : 0;
}

const struct tradition_rule tradition_rules[] = {
	{ "scopa", "a scopa is a point", 1, judge_scopa },
	{ "take", "take what still decides something", 0.7, judge_take },
	{ "guard", "leave little to the next player", 1, judge_guard },
	{ "no-scopa", "leave no table that the next player can sweep", 1.95,
	    judge_no_scopa },
	{ "partner", "leave something to the partner", 0.25, judge_partner },
	{ "partner-scopa", "leave the partner a table to sweep", 0.2,
	    judge_partner_scopa },
	{ "third", "leave little to the others", 0.25, judge_third },
	{ "third-scopa", "leave the others no table to sweep", 0.2,
	    judge_third_scopa },
	{ "parity",
	    "the dealer's side keeps ranks paired, the others unpair them",
	    0.05, judge_parity },
	{ "double", "lay a card that is held twice", 0.17, judge_double },
	{ "spare", "leave the partner's card to the partner", -0.03,
	    judge_spare },
	{ "answer", "lay the like of a card that the partner has lost", 0.08,
	    judge_answer },
	{ "sevens", "with the settebello or two sevens take a seven", 0.1,
	    judge_sevens },
	{ "mill", "keep the mill turning in which the next player feeds", 0.5,
	    judge_mill },
};
const int tradition_rule_count = COUNTOF(tradition_rules);
_Static_assert(COUNTOF(tradition_rules) <= TRADITION_RULES_MAX,
    "all rules fit where their parts are kept");

double
tradition_judge(const struct reply_context *context,
    const struct reply_analysis *replies, double *parts)
{
	double sum = 0;

	for (int i = 0; i < tradition_rule_count; i++) {
		parts[i] = tradition_rules[i].weight *
		    tradition_rules[i].judge(context, replies);
		sum += parts[i];
	}
	return sum;
}

/* Of two moves that differ by so many points the odds differ e times. */
static const double temper = 0.05;

/* Odds stay within the range of a float, also when they are added up. */
static const float exponent_max = 60;

/* What the rules say of a move, and nothing else. */
static double
worth_of(const struct reply_context *context, const struct scopa_move *move)
{
	double parts[TRADITION_RULES_MAX];
	struct reply_analysis replies;

	reply_analysis_make(context, move, &replies);
	return tradition_judge(context, &replies, parts);
}

bool
tradition_makes(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, const struct scopa_move *move)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	struct reply_context context;
	bool later = false;
	double worth;

	assert(count <= SCOPA_MOVES_MAX);
	reply_context_init(&context, rules, view, deal);
	worth = worth_of(&context, move);
	for (int i = 0; i < count; i++) {
		double lead;

		if (scopa_move_equal(&moves[i], move)) {
			later = true;
			continue;
		}
		/* Of equal ones the first is made. */
		lead = worth_of(&context, &moves[i]) - worth;
		if (later ? lead > TRADITION_EQUAL : lead > -TRADITION_EQUAL)
			return false;
	}
	return true;
}

void
tradition_odds(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *odds)
{
	struct reply_context context;

	reply_context_init(&context, rules, view, deal);
	for (int i = 0; i < count; i++) {
		float exponent =
		    (float)(worth_of(&context, &moves[i]) / temper);

		odds[i] =
		    expf(fmaxf(fminf(exponent, exponent_max), -exponent_max));
	}
}
