/*
 * A judge gives probabilities among moves.  Asked about the move made and the
 * moves of one card more, it tells the odds of that card; that two cards held
 * together may change each other's odds is left out.  For that, a hand of any
 * size costs no more than a sum.
 */
#include "evidence.h"

#include <assert.h>
#include <string.h>

/* Odds beyond these are noise of a policy that is too sure of itself. */
static const float odds_max = 1e4F;

/* A replay of the deal from what the view tells of it. */
struct replay {
	struct belief *belief;
	const struct belief_config *config;
	const struct scopa_view *view;
	struct scopa_deal deal;
	uint8_t plays[SCOPA_SEATS_MAX];        /* made so far */
	uint8_t plays_before[SCOPA_SEATS_MAX]; /* made before this round */
	scopa_set later[SCOPA_SEATS_MAX];      /* to be played in this round */
};

bool
evidence_declares(const struct scopa_rules *rules, int seat, scopa_set hand)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal = {
		.turn = (uint8_t)seat,
		.untouched = (uint8_t)(1 << seat),
	};
	int count;

	deal.hands[seat] = hand;
	count = scopa_moves(rules, &deal, moves, SCOPA_MOVES_MAX);
	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	return moves[count - 1].declaration != SCOPA_DECLARE_NOTHING;
}

static bool
is_play(const struct scopa_move *move)
{
	return move->declaration == SCOPA_DECLARE_NOTHING;
}

/* Cards that left hands, in the history. */
static scopa_set
played_cards(const struct scopa_view *view)
{
	scopa_set cards = SCOPA_SET_EMPTY;

	for (int i = 0; i < view->history_count; i++)
		if (is_play(&view->history[i]) &&
		    view->history[i].card < SCOPA_PACK_SIZE)
			cards |= scopa_set_of(view->history[i].card);
	return cards;
}

/* The table as it was turned up; false where the history is not whole. */
static bool
replay_start(struct replay *replay)
{
	const struct scopa_rules *rules = replay->belief->rules;
	const struct scopa_view *view = replay->view;
	scopa_set played = played_cards(view), open = view->table;

	for (int i = 0; i < scopa_party_count(rules); i++)
		open |= view->captured[i];
	if ((played & ~open) || scopa_set_count(open & ~played) != rules->table)
		return false;
	replay->deal = (struct scopa_deal){
		.table = open & ~played,
		.dealer = view->dealer,
		.turn = (uint8_t)((view->dealer + 1) % rules->players),
		.last = SCOPA_SEAT_NONE,
		.winner = SCOPA_PARTY_NONE,
		.dealt = (uint8_t)(rules->table + rules->players * rules->hand),
	};
	if (view->opening > 0) {
		int party = scopa_party_of(rules, view->dealer);

		replay->deal.opening = view->opening;
		replay->deal.captured[party] = replay->deal.table;
		replay->deal.scopas[party] = view->opening;
		replay->deal.table = SCOPA_SET_EMPTY;
		replay->deal.last = view->dealer;
	}
	return true;
}

/* Counts plays, and notes those that were made from the hands of now. */
static bool
replay_count(struct replay *replay)
{
	const struct scopa_view *view = replay->view;
	const struct scopa_rules *rules = replay->belief->rules;
	uint8_t plays[SCOPA_SEATS_MAX] = { 0 };

	for (int i = 0; i < view->history_count; i++) {
		if (view->history[i].seat >= rules->players)
			return false;
		plays[view->history[i].seat] += is_play(&view->history[i]);
	}
	for (int seat = 0; seat < rules->players; seat++) {
		int made = plays[seat] % rules->hand;

		if (view->hand_counts[seat] > 0 &&
		    view->hand_counts[seat] != rules->hand - made)
			return false;
		replay->plays_before[seat] = (uint8_t)(plays[seat] - made);
	}
	memset(plays, 0, sizeof(plays));
	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];

		if (is_play(move) &&
		    plays[move->seat]++ >= replay->plays_before[move->seat])
			replay->later[move->seat] |= scopa_set_of(move->card);
	}
	return true;
}

/*
 * Gives the others as many cards as they had.  Which ones counts for nothing,
 * unless they lie open.
 */
static void
replay_hands(struct replay *replay)
{
	const struct scopa_view *view = replay->view;
	const struct scopa_rules *rules = replay->belief->rules;

	for (int seat = 0; seat < rules->players; seat++) {
		int left = rules->hand - replay->plays[seat] % rules->hand;

		replay->deal.hands[seat] = replay->deal.shown >> seat & 1
		    ? view->shown[seat] | replay->later[seat]
		    : (UINT64_C(1) << left) - 1;
	}
}

/* How likely the moves of a card are against the move made, at index 0. */
static void
card_judge(struct replay *replay, const struct scopa_move *made,
    scopa_card card, float *odds, float *count)
{
	const struct belief_config *config = replay->config;
	struct scopa_move moves[SCOPA_MOVES_MAX + 1];
	float weights[SCOPA_MOVES_MAX + 1], sum = 0;
	struct scopa_deal *deal = &replay->deal;
	const struct scopa_rules *rules = replay->belief->rules;
	int others = 0, listed;

	deal->hands[made->seat] = replay->later[made->seat] |
	    scopa_set_of(made->card) | scopa_set_of(card);
	moves[0] = *made;
	listed =
	    scopa_moves_of_card(rules, deal, card, moves + 1, SCOPA_MOVES_MAX);
	assert(listed <= SCOPA_MOVES_MAX);
	for (int i = 1; i <= listed; i++)
		if (!scopa_move_equal(&moves[i], made))
			moves[1 + others++] = moves[i];
	*count = (float)others;
	*odds = 0;
	if (others == 0)
		return;
	config->judge(config->context, rules, deal, moves, 1 + others, weights);
	for (int i = 1; i <= others; i++)
		sum += weights[i];
	*odds = sum < weights[0] * odds_max ? sum / weights[0] : odds_max;
}

/* Weighs the move that is made next in the replay. */
static void
play_judge(struct replay *replay, const struct scopa_move *made,
    struct belief_holder *holder)
{
	struct belief_play *play = &holder->plays[holder->play_count++];
	scopa_set known = replay->later[made->seat] | scopa_set_of(made->card);

	assert(holder->play_count <= BELIEF_PLAYS_MAX);
	memset(play, 0, sizeof(*play));
	play->known_odds = 1;
	play->known_moves = 1;
	replay_hands(replay);
	play->before = replay->deal;
	play->made = *made;
	play->held = known;
	while (known) {
		float odds, moves;

		card_judge(replay, made, scopa_set_take(&known), &odds, &moves);
		play->known_odds += odds;
		play->known_moves += moves;
	}
	for (scopa_set left = replay->belief->unseen; left;) {
		scopa_card card = scopa_set_take(&left);

		card_judge(
		    replay, made, card, &play->odds[card], &play->moves[card]);
	}
}

static struct belief_holder *
holder_of(struct belief *belief, int seat)
{
	for (int i = 0; i < belief->holder_count; i++)
		if (belief->holders[i].seat == seat)
			return &belief->holders[i];
	return NULL;
}

/*
 * Makes the next move in the replay, with hands that never run out, so that
 * the engine deals no new ones.
 */
static bool
replay_move(struct replay *replay, const struct scopa_move *move)
{
	const struct scopa_rules *rules = replay->belief->rules;
	struct scopa_deal *deal = &replay->deal;
	int seat = move->seat, next = (seat + 1) % rules->players;

	if (move->captured & ~deal->table)
		return false;
	deal->hands[seat] = scopa_set_of(move->card);
	deal->hands[next] = SCOPA_SET_ALL;
	scopa_deal_apply(rules, deal, move);
	return true;
}

/* A declaration: its hand is public, and a wild card has its value. */
static void
replay_declaration(struct replay *replay, const struct scopa_move *move)
{
	replay->deal.shown |= (uint8_t)(1 << move->seat);
	if (move->value && replay->belief->rules->matta != SCOPA_MATTA_PLAIN)
		replay->deal.matta = move->value;
}

static bool
replay_run(struct replay *replay)
{
	const struct scopa_view *view = replay->view;
	struct belief *belief = replay->belief;
	int hand = belief->rules->hand;

	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];
		int seat = move->seat, made = replay->plays[seat];
		struct belief_holder *holder = holder_of(belief, seat);

		if (!is_play(move)) {
			replay_declaration(replay, move);
			continue;
		}
		if (move->card >= SCOPA_PACK_SIZE)
			return false;
		replay->deal.turn = (uint8_t)seat;
		if (made % hand == 0)
			replay->deal.untouched |= (uint8_t)(1 << seat);
		if (seat == (view->dealer + 1) % belief->rules->players)
			replay->deal.dealt = (uint8_t)(belief->rules->table +
			    belief->rules->players * hand * (made / hand + 1));
		if (holder != NULL && made >= replay->plays_before[seat]) {
			replay->later[seat] &= ~scopa_set_of(move->card);
			play_judge(replay, move, holder);
		}
		if (!replay_move(replay, move))
			return false;
		replay->plays[seat]++;
	}
	return true;
}

static void
holders_fill(struct belief *belief, const struct scopa_view *view)
{
	int count = 0;

	for (int seat = 0; seat < belief->rules->players; seat++) {
		if (seat == view->seat || view->shown[seat] ||
		    view->hand_counts[seat] == 0)
			continue;
		belief->holders[count].seat = (uint8_t)seat;
		belief->holders[count].size = view->hand_counts[seat];
		belief->holders[count].play_count = 0;
		belief->holders[count].silent = false;
		belief->holders[count++].known = SCOPA_SET_EMPTY;
	}
	if (view->deck_count > 0) {
		belief->holders[count].seat = SCOPA_SEAT_NONE;
		belief->holders[count].size = view->deck_count;
		belief->holders[count].play_count = 0;
		belief->holders[count].silent = false;
		belief->holders[count++].known = SCOPA_SET_EMPTY;
	}
	belief->holder_count = count;
}

void
evidence_gather(struct belief *belief, const struct belief_config *config,
    const struct scopa_view *view)
{
	struct replay replay = {
		.belief = belief,
		.config = config,
		.view = view,
	};
	bool asks = belief->rules->declare != SCOPA_DECLARE_OFF;

	holders_fill(belief, view);
	if (config->judge == NULL || !replay_start(&replay) ||
	    !replay_count(&replay))
		return;
	for (int i = 0; i < belief->holder_count; i++) {
		struct belief_holder *holder = &belief->holders[i];

		if (holder->seat == SCOPA_SEAT_NONE)
			continue;
		holder->known = replay.later[holder->seat];
		holder->silent = asks && holder->known != SCOPA_SET_EMPTY;
	}
	if (!replay_run(&replay))
		for (int i = 0; i < belief->holder_count; i++)
			belief->holders[i].play_count = 0;
}
