/*
 * Implements world.h.  In a uniform draw the hidden cards are shuffled and
 * dealt to the hidden hands and the deck; a draw with a hand that the rules
 * would have declared is rejected.  The worlds of a belief follow below.
 */
#include "world.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scopa/score.h"
#include "splitmix.h"

bool
imagine_deal(const struct scopa_rules *rules, const struct scopa_view *view,
    struct scopa_deal *deal)
{
	int hidden = view->deck_count;

	if (view->seat >= rules->players || view->dealer >= rules->players ||
	    view->hand == SCOPA_SET_EMPTY ||
	    scopa_set_count(view->hand) != view->hand_counts[view->seat])
		return false;
	for (int seat = 0; seat < rules->players; seat++)
		if (seat != view->seat && view->shown[seat] == SCOPA_SET_EMPTY)
			hidden += view->hand_counts[seat];
	if (hidden != scopa_set_count(scopa_view_unseen(view)))
		return false;
	scopa_view_deal(rules, view, NULL, deal);
	deal->turn = view->seat;
	return true;
}

void
view_of_mover(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_view *view)
{
	struct scopa_tally tally;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, view);
}

/*
 * Limit of rejected draws.  Fewer than one hand in ten can be declared, so
 * after this many draws the view fits no world, and the last draw is used.
 */
enum { DRAWS_MAX = 1000 };

void
world_copy(struct scopa_deal *deal, const struct scopa_deal *from)
{
	memcpy(deal, from,
	    offsetof(struct scopa_deal, history) +
		from->history_count * sizeof(from->history[0]));
}

bool
world_uniform_init(struct world_uniform *world, const struct scopa_rules *rules,
    const struct scopa_view *view)
{
	scopa_set unseen = scopa_view_unseen(view);

	if (!imagine_deal(rules, view, &world->base))
		return false;
	world->rules = *rules;
	world->unseen_count = 0;
	while (unseen != SCOPA_SET_EMPTY)
		world->unseen[world->unseen_count++] = scopa_set_take(&unseen);
	for (int seat = 0; seat < rules->players; seat++) {
		bool known =
		    seat == view->seat || view->shown[seat] != SCOPA_SET_EMPTY;

		world->hidden[seat] = known ? 0 : view->hand_counts[seat];
	}
	return true;
}

/*
 * Returns the hand that a seat was dealt last: its present cards and those it
 * has played from this hand.
 */
static scopa_set
hand_as_dealt(
    const struct world_uniform *world, const struct scopa_deal *deal, int seat)
{
	scopa_set hand = deal->hands[seat];
	int missing = world->rules.hand - scopa_set_count(hand);

	for (int i = deal->history_count - 1; i >= 0 && missing > 0; i--) {
		const struct scopa_move *move = &deal->history[i];

		if (move->seat != seat ||
		    move->declaration != SCOPA_DECLARE_NOTHING)
			continue;
		hand |= scopa_set_of(move->card);
		missing--;
	}
	return hand;
}

/* Whether a newly dealt hand can be declared, or is declared by the rules. */
static bool
hand_declares(const struct scopa_rules *rules, scopa_set hand)
{
	struct scopa_rules asking = *rules;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	const struct scopa_deal deal = { .hands = { hand }, .untouched = 1 };
	int count;

	asking.declare = SCOPA_DECLARE_ASK;
	count = scopa_moves(&asking, &deal, moves, SCOPA_MOVES_MAX);
	return moves[count - 1].declaration != SCOPA_DECLARE_NOTHING;
}

/* Whether no hidden hand would have been declared by the rules. */
static bool
hands_fit(const struct world_uniform *world, const struct scopa_deal *deal)
{
	const struct scopa_rules *rules = &world->rules;

	for (int seat = 0; seat < rules->players; seat++)
		if (world->hidden[seat] > 0 &&
		    hand_declares(rules, hand_as_dealt(world, deal, seat)))
			return false;
	return true;
}

/*
 * Deals the hidden cards again.  The order of the last draw is shuffled
 * further.
 */
static void
deal_hidden(
    struct world_uniform *world, uint64_t *random, struct scopa_deal *deal)
{
	int next = 0;

	for (int i = 0; i + 1 < world->unseen_count; i++) {
		uint32_t left = (uint32_t)(world->unseen_count - i);
		int other = i + (int)splitmix_below(random, left);
		scopa_card card = world->unseen[i];

		world->unseen[i] = world->unseen[other];
		world->unseen[other] = card;
	}
	for (int seat = 0; seat < world->rules.players; seat++) {
		scopa_set hand = SCOPA_SET_EMPTY;

		if (world->hidden[seat] == 0)
			continue;
		for (int i = 0; i < world->hidden[seat]; i++)
			hand |= scopa_set_of(world->unseen[next++]);
		deal->hands[seat] = hand;
	}
	memcpy(deal->pack + deal->dealt, world->unseen + next,
	    (size_t)(SCOPA_PACK_SIZE - deal->dealt));
}

void
world_uniform_draw(void *context, uint64_t *random, struct scopa_deal *deal)
{
	struct world_uniform *world = context;
	int draws = 0;

	world_copy(deal, &world->base);
	do
		deal_hidden(world, random, deal);
	while (world->rules.declare == SCOPA_DECLARE_AUTO &&
	    !hands_fit(world, deal) && ++draws < DRAWS_MAX);
}

void
world_fixed_draw(void *context, uint64_t *random, struct scopa_deal *deal)
{
	(void)random;
	world_copy(deal, context);
}

/*
 * The belief, in this order: the odds of cards from each play, the Metropolis
 * chain, the pool of worlds.
 *
 * To find the odds of a card, the judge compares the play made with all moves
 * of this one card.  That two cards in a hand may change each other's odds is
 * ignored; in return a hand of any size costs only a sum.  The plays are judged
 * in a replay of the deal, since the judge needs the table at the time of the
 * play.
 */

/* Larger odds are only noise of a policy that is too certain. */
static const float odds_max = 1e4F;

/* A replay of the deal from the history in the view. */
struct belief_replay {
	struct belief *belief;
	const struct belief_config *config;
	const struct scopa_view *view;
	struct scopa_deal deal;
	uint8_t plays[SCOPA_SEATS_MAX]; /* made so far, of each seat */
	/* made before the present hand */
	uint8_t plays_before[SCOPA_SEATS_MAX];
	/* to be played later from the present hand */
	scopa_set later[SCOPA_SEATS_MAX];
};

static bool
is_play(const struct scopa_move *move)
{
	return move->declaration == SCOPA_DECLARE_NOTHING;
}

/*
 * Sets up the table as it was dealt.  Returns false when the history is
 * incomplete.
 */
static bool
replay_start(struct belief_replay *replay)
{
	const struct scopa_rules *rules = replay->belief->rules;
	const struct scopa_view *view = replay->view;
	scopa_set played = SCOPA_SET_EMPTY, open = view->table;
	struct scopa_deal *deal = &replay->deal;

	for (int i = 0; i < view->history_count; i++)
		if (is_play(&view->history[i]) &&
		    view->history[i].card < SCOPA_PACK_SIZE)
			played |= scopa_set_of(view->history[i].card);
	for (int i = 0; i < scopa_team_count(rules); i++)
		open |= view->captured[i];
	if ((played & ~open) || scopa_set_count(open & ~played) != rules->table)
		return false;
	*deal = (struct scopa_deal){
		.table = open & ~played,
		.dealer = view->dealer,
		.turn = (uint8_t)((view->dealer + 1) % rules->players),
		.last = SCOPA_SEAT_NONE,
		.winner = SCOPA_TEAM_NONE,
	};
	if (view->opening > 0) {
		int team = scopa_team_of(rules, view->dealer);

		deal->opening = view->opening;
		deal->captured[team] = deal->table;
		deal->scopas[team] = view->opening;
		deal->table = SCOPA_SET_EMPTY;
		deal->last = view->dealer;
	}
	return true;
}

/*
 * Counts the plays of each seat and stores the cards that were played from the
 * present hands.  Returns false when the counts contradict each other.
 */
static bool
replay_count(struct belief_replay *replay)
{
	const struct scopa_view *view = replay->view;
	const struct scopa_rules *rules = replay->belief->rules;
	int made[SCOPA_SEATS_MAX] = { 0 };

	for (int i = 0; i < view->history_count; i++) {
		if (view->history[i].seat >= rules->players)
			return false;
		made[view->history[i].seat] += is_play(&view->history[i]);
	}
	for (int seat = 0; seat < rules->players; seat++) {
		int present = rules->hand - view->hand_counts[seat];
		int before = made[seat] - present;

		if (before < 0 || before % rules->hand != 0)
			return false;
		replay->plays_before[seat] = (uint8_t)before;
		made[seat] = present;
	}
	/* The last plays of each seat were made from its present hand. */
	for (int i = view->history_count - 1; i >= 0; i--) {
		const struct scopa_move *move = &view->history[i];

		if (is_play(move) && made[move->seat]-- > 0)
			replay->later[move->seat] |= scopa_set_of(move->card);
	}
	return true;
}

/*
 * Gives every seat as many cards as it had at this time.  Which cards these are
 * does not matter unless the hand is shown.
 */
static void
replay_hands(struct belief_replay *replay)
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

/*
 * Returns the odds of the moves of a card against the play made, which is
 * moves[0].
 */
static struct belief_odds
card_judge(struct belief_replay *replay, const struct scopa_move *made,
    scopa_card card)
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
	if (others == 0)
		return (struct belief_odds){ 0, 0 };
	config->judge(config->context, rules, deal, moves, 1 + others, weights);
	for (int i = 1; i <= others; i++)
		sum += weights[i];
	return (struct belief_odds){
		sum < weights[0] * odds_max ? sum / weights[0] : odds_max,
		(float)others,
	};
}

/* Computes what the next play of the replay shows about its holder. */
static void
play_judge(struct belief_replay *replay, const struct scopa_move *made,
    struct belief_holder *holder)
{
	struct belief_play *play = &holder->plays[holder->play_count++];
	scopa_set known = replay->later[made->seat] | scopa_set_of(made->card);

	assert(holder->play_count <= BELIEF_PLAYS_MAX);
	memset(play, 0, sizeof(*play));
	play->known = (struct belief_odds){ 1, 1 };
	replay_hands(replay);
	play->before = replay->deal;
	play->made = *made;
	play->held = known;
	while (known) {
		struct belief_odds odds =
		    card_judge(replay, made, scopa_set_take(&known));

		play->known.odds += odds.odds;
		play->known.moves += odds.moves;
	}
	for (scopa_set left = replay->belief->unseen; left;) {
		scopa_card card = scopa_set_take(&left);

		play->cards[card] = card_judge(replay, made, card);
	}
}

/*
 * Replays the history.  The hands in the replay never become empty, so the
 * engine deals no new ones.  Returns false when a play is impossible.
 */
static bool
replay_run(struct belief_replay *replay)
{
	const struct scopa_view *view = replay->view;
	struct scopa_deal *deal = &replay->deal;
	struct belief *belief = replay->belief;
	const struct scopa_rules *rules = belief->rules;

	for (int i = 0; i < view->history_count; i++) {
		const struct scopa_move *move = &view->history[i];
		int seat = move->seat, made = replay->plays[seat];
		int next = (seat + 1) % rules->players;

		/*
		 * After a declaration the hand is public, and a wild card may
		 * have a fixed value.
		 */
		if (!is_play(move)) {
			deal->shown |= (uint8_t)(1 << seat);
			if (move->value && rules->matta != SCOPA_MATTA_PLAIN)
				deal->matta = move->value;
			continue;
		}
		if (move->card >= SCOPA_PACK_SIZE)
			return false;
		deal->turn = (uint8_t)seat;
		if (seat == (view->dealer + 1) % rules->players &&
		    made % rules->hand == 0) {
			deal->untouched = (uint8_t)((1 << rules->players) - 1);
			deal->dealt = (uint8_t)(rules->table +
			    rules->players * (made + rules->hand));
		}
		replay->later[seat] &= ~scopa_set_of(move->card);
		for (int j = 0; j < belief->holder_count; j++)
			if (belief->holders[j].seat == seat &&
			    made >= replay->plays_before[seat])
				play_judge(replay, move, &belief->holders[j]);
		if (move->captured & ~deal->table)
			return false;
		/* The last play of a hand ends what its declaration shows. */
		deal->hands[seat] = (made + 1) % rules->hand == 0
		    ? scopa_set_of(move->card)
		    : SCOPA_SET_ALL;
		deal->hands[next] = SCOPA_SET_ALL;
		scopa_deal_apply(rules, deal, move);
		replay->plays[seat]++;
	}
	return true;
}

/* Fills the holders with the numbers of their unseen cards, without plays. */
static void
holders_fill(struct belief *belief, const struct scopa_view *view)
{
	int players = belief->rules->players;

	belief->holder_count = 0;
	for (int seat = 0; seat <= players; seat++) {
		struct belief_holder *holder =
		    &belief->holders[belief->holder_count];

		if (seat == players)
			holder->size = view->deck_count;
		else if (seat != view->seat && !view->shown[seat])
			holder->size = view->hand_counts[seat];
		else
			continue;
		holder->seat =
		    seat == players ? SCOPA_SEAT_NONE : (uint8_t)seat;
		holder->play_count = 0;
		holder->silent = false;
		holder->known = SCOPA_SET_EMPTY;
		belief->holder_count += holder->size > 0;
	}
}

/*
 * Fills the holders and what their plays show, by a replay of the deal.  When
 * the history is incomplete (a position that was set up), or there is no judge,
 * the holders have no plays.
 */
static void
plays_read(struct belief *belief, const struct belief_config *config,
    const struct scopa_view *view)
{
	struct belief_replay replay = {
		.belief = belief,
		.config = config,
		.view = view,
	};
	int declare = belief->rules->declare;

	holders_fill(belief, view);
	if (config->judge == NULL || !replay_start(&replay) ||
	    !replay_count(&replay))
		return;
	for (int i = 0; i < belief->holder_count; i++) {
		struct belief_holder *holder = &belief->holders[i];

		if (holder->seat == SCOPA_SEAT_NONE)
			continue;
		holder->known = replay.later[holder->seat];
		/* Where the rules declare, a seat is silent before its play. */
		holder->silent = declare == SCOPA_DECLARE_AUTO ||
		    (declare == SCOPA_DECLARE_ASK &&
			holder->known != SCOPA_SET_EMPTY);
	}
	if (!replay_run(&replay))
		for (int i = 0; i < belief->holder_count; i++)
			belief->holders[i].play_count = 0;
}

/* The factor of a hand that could have been declared and was not. */
static const double silence = 0.02;

void
metropolis_sums_of(const struct belief_holder *holder, scopa_set hand,
    struct metropolis_sums *sums)
{
	for (int i = 0; i < holder->play_count; i++) {
		const struct belief_play *play = &holder->plays[i];
		double odds = (double)play->known.odds;
		double moves = (double)play->known.moves;

		for (scopa_set left = hand; left;) {
			scopa_card card = scopa_set_take(&left);

			odds += (double)play->cards[card].odds;
			moves += (double)play->cards[card].moves;
		}
		sums->plays[i].odds = odds;
		sums->plays[i].moves = moves;
	}
}

static void
sums_swap(const struct belief_holder *holder, scopa_card out, scopa_card in,
    const struct metropolis_sums *sums, struct metropolis_sums *next)
{
	for (int i = 0; i < holder->play_count; i++) {
		const struct belief_odds *cards = holder->plays[i].cards;

		next->plays[i].odds = sums->plays[i].odds +
		    (double)cards[in].odds - (double)cards[out].odds;
		next->plays[i].moves = sums->plays[i].moves +
		    (double)cards[in].moves - (double)cards[out].moves;
	}
}

double
metropolis_play_weight(
    const struct belief *belief, const struct metropolis_sums *sums, int play)
{
	return belief->trust / sums->plays[play].odds +
	    (1 - belief->trust) / sums->plays[play].moves;
}

/*
 * Returns the weight of a hand that has these sums: the product over its plays
 * of trust / odds + (1 - trust) / moves, and the factor of silence.
 */
static double
hand_weight(const struct belief *belief, const struct belief_holder *holder,
    scopa_set hand, const struct metropolis_sums *sums)
{
	double above = 1, below = 1, doubt = 1 - belief->trust;

	for (int i = 0; i < holder->play_count; i++) {
		double odds = sums->plays[i].odds, moves = sums->plays[i].moves;

		above *= belief->trust * moves + doubt * odds;
		below *= odds * moves;
	}
	if (holder->silent &&
	    hand_declares(belief->rules, hand | holder->known))
		above *= silence;
	return above / below;
}

void
metropolis_start(
    struct metropolis *chain, const struct belief *belief, uint64_t *random)
{
	int at = 0;

	chain->count = 0;
	for (scopa_set left = belief->unseen; left;)
		chain->cards[chain->count++] = scopa_set_take(&left);
	splitmix_shuffle(random, chain->cards, chain->count);
	for (int i = 0; i < belief->holder_count; i++) {
		const struct belief_holder *holder = &belief->holders[i];

		chain->hands[i] = SCOPA_SET_EMPTY;
		for (int j = 0; j < holder->size; j++, at++) {
			chain->holders[at] = (uint8_t)i;
			chain->hands[i] |= scopa_set_of(chain->cards[at]);
		}
		metropolis_sums_of(holder, chain->hands[i], &chain->sums[i]);
		chain->weights[i] = hand_weight(
		    belief, holder, chain->hands[i], &chain->sums[i]);
	}
	assert(at == chain->count);
}

void
metropolis_swap(
    struct metropolis *chain, const struct belief *belief, uint64_t *random)
{
	uint32_t i = splitmix_below(random, (uint32_t)chain->count);
	uint32_t j = splitmix_below(random, (uint32_t)chain->count);
	int a = chain->holders[i], b = chain->holders[j];
	scopa_card first = chain->cards[i], second = chain->cards[j];
	const struct belief_holder *holders = belief->holders;
	struct metropolis_sums sums_a, sums_b;
	double weight_a, weight_b;
	scopa_set both = scopa_set_of(first) | scopa_set_of(second);

	if (a == b)
		return;
	sums_swap(&holders[a], first, second, &chain->sums[a], &sums_a);
	sums_swap(&holders[b], second, first, &chain->sums[b], &sums_b);
	weight_a =
	    hand_weight(belief, &holders[a], chain->hands[a] ^ both, &sums_a);
	weight_b =
	    hand_weight(belief, &holders[b], chain->hands[b] ^ both, &sums_b);
	if (weight_a * weight_b <
	    splitmix_unit(random) * chain->weights[a] * chain->weights[b])
		return;
	chain->cards[i] = second;
	chain->cards[j] = first;
	chain->hands[a] ^= both;
	chain->hands[b] ^= both;
	chain->sums[a] = sums_a;
	chain->sums[b] = sums_b;
	chain->weights[a] = weight_a;
	chain->weights[b] = weight_b;
}

/* The autocorrelation is computed up to this distance in the chain. */
enum { LAG_MAX = 64 };

/* The swaps of this many worlds are made before the pool is filled. */
enum { WARM_UP = 16 };

/*
 * Returns the effective sample size of the chain: its length divided by the sum
 * of the autocorrelations of the logarithm of the weight, up to the first one
 * that is not positive (Geyer's initial sequence, without pairs).
 */
static double
chain_ess(const double *logs, int count)
{
	double mean = 0, variance = 0, time = 1;

	for (int i = 0; i < count; i++)
		mean += logs[i] / count;
	for (int i = 0; i < count; i++)
		variance += (logs[i] - mean) * (logs[i] - mean) / count;
	if (variance < 1e-12)
		return count;
	for (int lag = 1; lag < LAG_MAX && lag < count; lag++) {
		double sum = 0;

		for (int i = lag; i < count; i++)
			sum += (logs[i] - mean) * (logs[i - lag] - mean);
		sum /= (count - lag) * variance;
		if (sum <= 0)
			break;
		time += 2 * sum;
	}
	return count / time;
}

static void
pool_by_chain(
    struct belief *belief, const struct belief_config *config, uint64_t *random)
{
	double logs[BELIEF_WORLDS_MAX];
	struct metropolis chain;

	metropolis_start(&chain, belief, random);
	belief->world_count = config->worlds;
	for (int i = 0; i < config->swaps * WARM_UP; i++)
		metropolis_swap(&chain, belief, random);
	for (int i = 0; i < config->worlds; i++) {
		for (int j = 0; j < config->swaps; j++)
			metropolis_swap(&chain, belief, random);
		memcpy(belief->worlds[i], chain.hands, sizeof(chain.hands));
		belief->weights[i] = 1.0 / config->worlds;
		logs[i] = 0;
		for (int j = 0; j < belief->holder_count; j++)
			logs[i] += log(chain.weights[j]);
	}
	belief->ess = chain_ess(logs, config->worlds);
}

/* Returns the number of worlds; `max` + 1 when there are more than `max`. */
static int
worlds_count(const struct belief *belief, int max)
{
	double count = 1;
	int left = scopa_set_count(belief->unseen);

	for (int i = 0; i < belief->holder_count; i++)
		for (int j = 1; j <= belief->holders[i].size; j++)
			count *= (double)left-- / j;
	return count > max ? max + 1 : (int)(count + 0.5);
}

/* Returns the next greater number with as many bits set (Gosper's hack). */
static uint64_t
subset_next(uint64_t subset)
{
	uint64_t lowest = subset & -subset, ripple = subset + lowest;

	return ripple | ((subset ^ ripple) >> 2) / lowest;
}

/*
 * Returns the cards at the positions in the set that are the bits of `ranks`.
 */
static scopa_set
set_choose(scopa_set set, uint64_t ranks)
{
	scopa_set chosen = SCOPA_SET_EMPTY;

	for (; ranks; ranks >>= 1) {
		scopa_card card = scopa_set_take(&set);

		if (ranks & 1)
			chosen |= scopa_set_of(card);
	}
	return chosen;
}

/* A world under construction: the hands of the first holders. */
struct listing {
	scopa_set hands[BELIEF_HOLDERS_MAX];
	/* product over the holders before */
	double weights[BELIEF_HOLDERS_MAX + 1];
};

static void
list_worlds(
    struct belief *belief, struct listing *listing, int at, scopa_set left)
{
	const struct belief_holder *holder = &belief->holders[at];
	int count = scopa_set_count(left);
	struct metropolis_sums sums;
	uint64_t ranks;

	if (at == belief->holder_count) {
		assert(belief->world_count < BELIEF_WORLDS_MAX);
		memcpy(belief->worlds[belief->world_count], listing->hands,
		    sizeof(listing->hands));
		belief->weights[belief->world_count++] = listing->weights[at];
		return;
	}
	assert(holder->size > 0 && holder->size <= count);
	for (ranks = (UINT64_C(1) << holder->size) - 1; !(ranks >> count);
	     ranks = subset_next(ranks)) {
		scopa_set hand = set_choose(left, ranks);

		listing->hands[at] = hand;
		metropolis_sums_of(holder, hand, &sums);
		listing->weights[at + 1] = listing->weights[at] *
		    hand_weight(belief, holder, hand, &sums);
		list_worlds(belief, listing, at + 1, left & ~hand);
	}
}

static void
pool_by_list(struct belief *belief)
{
	struct listing listing = { .weights = { 1 } };
	double sum = 0, squares = 0;

	belief->world_count = 0;
	list_worlds(belief, &listing, 0, belief->unseen);
	for (int i = 0; i < belief->world_count; i++)
		sum += belief->weights[i];
	for (int i = 0; i < belief->world_count; i++) {
		double weight = belief->weights[i] / sum;

		squares += weight * weight;
		belief->weights[i] = weight;
	}
	belief->ess = 1 / squares;
}

void
belief_reach(struct belief *belief)
{
	double sum = 0;

	for (int i = 0; i < belief->world_count; i++) {
		sum += belief->weights[i];
		belief->reach[i] = sum;
	}
}

void
belief_draw_pool(struct belief *belief, const struct belief_config *config,
    const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, uint64_t *random)
{
	assert(config->worlds > 0 && config->worlds <= BELIEF_WORLDS_MAX);
	assert(config->swaps > 0 && config->listed_max <= BELIEF_WORLDS_MAX);
	belief->rules = rules;
	belief->trust = config->trust;
	belief->deal = *deal;
	belief->unseen = scopa_view_unseen(view);
	plays_read(belief, config, view);
	belief->listed =
	    worlds_count(belief, config->listed_max) <= config->listed_max;
	if (belief->listed)
		pool_by_list(belief);
	else
		pool_by_chain(belief, config, random);
	belief_reach(belief);
}

/* Puts the cards into the deck part of the pack, in random order. */
static void
deck_shuffle(struct scopa_deal *deal, scopa_set deck, uint64_t *random)
{
	int first = deal->dealt, count = 0;

	while (deck)
		deal->pack[first + count++] = scopa_set_take(&deck);
	assert(first + count == SCOPA_PACK_SIZE);
	splitmix_shuffle(random, &deal->pack[first], count);
}

void
belief_world(const struct belief *belief, int world, uint64_t *random,
    struct scopa_deal *deal)
{
	const scopa_set *hands = belief->worlds[world];

	assert(world >= 0 && world < belief->world_count);
	*deal = belief->deal;
	for (int i = 0; i < belief->holder_count; i++) {
		int seat = belief->holders[i].seat;

		if (seat == SCOPA_SEAT_NONE)
			deck_shuffle(deal, hands[i], random);
		else
			deal->hands[seat] = hands[i];
	}
}

void
belief_pick(void *context, uint64_t *random, struct scopa_deal *deal)
{
	const struct belief *belief = context;
	int low = 0, high = belief->world_count - 1;
	double at = splitmix_unit(random);

	if (!belief->listed) {
		low = (int)splitmix_below(random, (uint32_t)high + 1);
		belief_world(belief, low, random, deal);
		return;
	}
	while (low < high) {
		int middle = (low + high) / 2;

		if (belief->reach[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	belief_world(belief, low, random, deal);
}

double
belief_chance(const struct belief *belief, int seat, scopa_card card)
{
	double chance = 0;

	if (!scopa_set_has(belief->unseen, card))
		return scopa_set_has(belief->deal.hands[seat], card);
	for (int i = 0; i < belief->holder_count; i++) {
		if (belief->holders[i].seat != seat)
			continue;
		for (int j = 0; j < belief->world_count; j++)
			if (scopa_set_has(belief->worlds[j][i], card))
				chance += belief->weights[j];
	}
	return chance;
}
