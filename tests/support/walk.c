#include "walk.h"

#include <string.h>

#include "oracle.h"
#include "support.h"
#include "test.h"

static struct oracle_moves expected;
static struct scopa_move legal[SCOPA_MOVES_MAX];
static int legal_count;
static struct scopa_move tried;

/* Fails the test and prints the position. */
#define CHECK(walk, condition)                                \
	do {                                                  \
		if (!(condition))                             \
			report((walk), #condition, __LINE__); \
	} while (0)

static void
report(const struct walk *walk, const char *condition, int line)
{
	struct scopa_text text = support_text();

	scopa_text_string(&text, walk->spec);
	scopa_text_string(&text, "\npack ");
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(walk->deal.pack[i], &text);
	scopa_text_string(&text, " dealer ");
	scopa_text_int(&text, walk->deal.dealer + 1);
	scopa_text_string(&text, "\nplays");
	for (int i = 0; i < walk->deal.history_count; i++) {
		scopa_text_char(&text, ' ');
		scopa_text_int(&text, walk->deal.history[i].seat + 1);
		scopa_text_char(&text, ':');
		scopa_move_format(&walk->deal.history[i], &text);
	}
	scopa_text_string(&text, "\ntable ");
	scopa_set_format(walk->deal.table, &text);
	scopa_text_string(&text, "\nlegal");
	for (int i = 0; i < legal_count; i++) {
		scopa_text_char(&text, ' ');
		scopa_move_format(&legal[i], &text);
	}
	scopa_text_string(&text, "\ntried ");
	scopa_move_format(&tried, &text);
	scopa_text_string(&text, " by ");
	scopa_text_int(&text, tried.seat + 1);
	scopa_text_string(&text, "\noracle");
	for (int i = 0; i < expected.count; i++) {
		struct scopa_move move = oracle_engine_move(&expected.moves[i]);
		scopa_text_char(&text, ' ');
		scopa_move_format(&move, &text);
	}
	fail_msg("line %d: %s\n%s", line, condition, text.bytes);
}

/* The value of the wild 7 of cups, while it matters. */
static void
check_matta(const struct walk *walk)
{
	scopa_set matters = 0;

	if (walk->rules.matta != SCOPA_MATTA_PLAIN)
		for (int seat = 0; seat < walk->rules.players; seat++)
			matters |= walk->deal.hands[seat];
	if (walk->rules.matta == SCOPA_MATTA_TABLE)
		matters |= walk->deal.table;
	if (matters & scopa_set_of(support_card("7C")))
		CHECK(walk, walk->deal.matta == walk->oracle.wild);
}

static void
check_seats(const struct walk *walk)
{
	const struct scopa_deal *deal = &walk->deal;
	const struct oracle_deal *oracle = &walk->oracle;

	for (int seat = 0; seat < walk->rules.players; seat++) {
		CHECK(walk,
		    deal->hands[seat] == oracle_set(&oracle->hands[seat]));
		CHECK(walk,
		    (deal->untouched >> seat & 1) == oracle->untouched[seat]);
		CHECK(walk,
		    deal->hands[seat] == 0 ||
			(deal->shown >> seat & 1) == oracle->shown[seat]);
		CHECK(walk,
		    scopa_team_of(&walk->rules, seat) ==
			oracle_team(&walk->rules, seat));
	}
}

static void
check_position(const struct walk *walk)
{
	const struct scopa_deal *deal = &walk->deal;
	const struct oracle_deal *oracle = &walk->oracle;
	int teams = oracle_team_count(&walk->rules);

	CHECK(walk, support_deal_is_whole(deal));
	check_seats(walk);
	check_matta(walk);
	CHECK(walk, scopa_team_count(&walk->rules) == teams);
	CHECK(walk, deal->table == oracle_set(&oracle->table));
	CHECK(walk, deal->dealt == SCOPA_PACK_SIZE - oracle->deck.count);
	CHECK(walk, deal->dealer == oracle->dealer);
	CHECK(walk, deal->opening == oracle->opening);
	CHECK(walk, deal->play_count == oracle->play_count);
	CHECK(walk,
	    deal->turn == (oracle->turn < 0 ? SCOPA_SEAT_NONE : oracle->turn));
	CHECK(walk,
	    deal->last == (oracle->last < 0 ? SCOPA_SEAT_NONE : oracle->last));
	CHECK(walk,
	    deal->winner ==
		(oracle->winner < 0 ? SCOPA_TEAM_NONE : oracle->winner));
	CHECK(walk, scopa_deal_over(deal) == (oracle->turn == ORACLE_NOBODY));
	for (int team = 0; team < teams; team++) {
		struct oracle_list pile =
		    oracle_pile(&walk->rules, oracle, team);

		CHECK(walk, deal->captured[team] == oracle_set(&pile));
		CHECK(walk,
		    deal->scopas[team] ==
			oracle_sum(&walk->rules, oracle->scopas, team));
		CHECK(walk,
		    deal->declared[team] ==
			oracle_sum(&walk->rules, oracle->declared, team));
	}
}

/* A list that is cut is the beginning of the whole list. */
static void
check_beginning(struct walk *walk)
{
	enum { SHORT_MAX = 4 };
	struct scopa_move moves[SHORT_MAX];

	for (int max = 1; max <= SHORT_MAX; max++) {
		CHECK(walk,
		    scopa_moves(&walk->rules, &walk->deal, moves, max) ==
			legal_count);
		for (int i = 0; i < max && i < legal_count; i++)
			CHECK(walk, scopa_move_equal(&moves[i], &legal[i]));
	}
}

/* The same moves in the same order, each reading back from its text. */
static void
check_moves(struct walk *walk)
{
	struct scopa_text text;
	char bytes[128];

	oracle_moves(&walk->rules, &walk->oracle, &expected);
	legal_count =
	    scopa_moves(&walk->rules, &walk->deal, legal, SCOPA_MOVES_MAX);
	CHECK(walk, legal_count == expected.count);
	CHECK(walk, legal_count > 0 || scopa_deal_over(&walk->deal));
	CHECK(walk,
	    scopa_moves(&walk->rules, &walk->deal, NULL, 0) == legal_count);
	check_beginning(walk);
	for (int i = 0; i < legal_count; i++) {
		struct scopa_move move = oracle_engine_move(&expected.moves[i]);
		struct scopa_move read = { .seat = legal[i].seat };
		CHECK(walk, scopa_move_equal(&legal[i], &move));
		CHECK(walk, legal[i].seat == walk->deal.turn);
		CHECK(walk,
		    scopa_deal_check(&walk->rules, &walk->deal, &legal[i]) ==
			SCOPA_LEGAL);
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_move_format(&legal[i], &text);
		CHECK(walk, !text.cut);
		CHECK(walk,
		    scopa_move_parse(bytes, text.length, &read) ==
			SCOPA_PARSED);
		CHECK(walk, scopa_move_equal(&legal[i], &read));
	}
}

/* A move that is similar to a legal one, or a random one. */
static struct scopa_move
disturb(struct walk *walk)
{
	struct scopa_move move =
	    legal[support_random_below(&walk->rng, legal_count)];
	scopa_set any = scopa_set_of(
	    (scopa_card)support_random_below(&walk->rng, SCOPA_PACK_SIZE));

	switch (support_random_below(&walk->rng, 7)) {
	case 0:
		move.captured = 0;
		break;
	case 1:
		move.captured ^= any;
		break;
	case 2:
		move.card = scopa_set_first(any);
		break;
	case 3:
		move.captured = walk->deal.table & support_random(&walk->rng);
		break;
	case 4:
		move.captured = walk->deal.table;
		break;
	case 5:
		move.captured = walk->deal.table & support_random(&walk->rng) &
		    support_random(&walk->rng);
		break;
	default:
		move.card = SCOPA_CARD_NONE;
		move.captured = 0;
		move.declaration =
		    (uint8_t)(1 + support_random_below(&walk->rng, 2));
		move.value = (uint8_t)support_random_below(&walk->rng, 11);
		break;
	}
	return move;
}

/* A move is accepted if and only if it is listed. */
static void
check_refusals(struct walk *walk)
{
	for (int tries = 0; tries < 12; tries++) {
		enum scopa_refusal refusal;
		bool listed = false;

		tried = disturb(walk);
		refusal = scopa_deal_check(&walk->rules, &walk->deal, &tried);
		for (int i = 0; i < legal_count; i++)
			if (scopa_move_equal(&legal[i], &tried))
				listed = true;
		CHECK(walk, refusal < SCOPA_REFUSAL_COUNT);
		CHECK(walk, listed == (refusal == SCOPA_LEGAL));
	}
}

/*
 * Under some rules the total of the remaining cards follows from what captures
 * remove.
 */
static void
check_rest(const struct walk *walk, scopa_set rest)
{
	const struct scopa_rules *rules = &walk->rules;
	int total = scopa_set_total(rest);

	if (rules->ace != SCOPA_ACE_PLAIN || rules->ace_empty ||
	    rules->count != SCOPA_COUNT_END ||
	    rules->declare != SCOPA_DECLARE_OFF)
		return;
	if (rules->capture == SCOPA_CAPTURE_SUM && !rules->opening)
		CHECK(walk, total % 2 == 0);
	if (rules->capture == SCOPA_CAPTURE_FIFTEEN && !rules->equal_fifteen &&
	    rules->opening != SCOPA_OPENING_WILD)
		CHECK(walk, total % 15 == 10);
}

static void
check_effect(const struct walk *walk, const struct scopa_effect *effect,
    const struct oracle_effect *wanted)
{
	CHECK(walk, effect->scopa == wanted->scopa);
	CHECK(walk, effect->dealt == wanted->dealt);
	CHECK(walk, effect->over == wanted->over);
	CHECK(walk, effect->rest == oracle_set(&wanted->rest));
	CHECK(walk,
	    effect->rest_seat ==
		(wanted->rest_seat < 0 ? SCOPA_SEAT_NONE : wanted->rest_seat));
	if (effect->over)
		check_rest(walk, effect->rest);
}

static void
check_score(const struct walk *walk)
{
	struct scopa_score score;
	struct oracle_score wanted;
	int teams = oracle_team_count(&walk->rules);

	memset(&score, 0x5a, sizeof(score));
	scopa_score_count(&walk->rules, &walk->deal, &score);
	oracle_score(&walk->rules, &walk->oracle, &wanted);
	for (int team = 0; team < teams; team++) {
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			bool counts = scopa_item_counts(
			    &walk->rules, (enum scopa_item)item);
			CHECK(walk,
			    score.points[team][item] ==
				wanted.points[team][item]);
			CHECK(walk, counts || wanted.points[team][item] == 0);
			CHECK(walk,
			    !counts ||
				score.quantity[team][item] ==
				    wanted.quantity[team][item]);
		}
		CHECK(walk, score.total[team] == wanted.total[team]);
		CHECK(
		    walk, score.total[team] <= scopa_points_max(&walk->rules));
	}
	CHECK(walk,
	    score.winner ==
		(wanted.winner < 0 ? SCOPA_TEAM_NONE : wanted.winner));
}

bool
walk_start(struct walk *walk, const uint8_t pack[SCOPA_PACK_SIZE], int dealer)
{
	enum scopa_start start;

	expected.count = 0;
	legal_count = 0;
	memset(&walk->deal, 0x5a, sizeof(walk->deal));
	start = scopa_deal_start(&walk->rules, pack, dealer, &walk->deal);
	CHECK(walk,
	    start == oracle_start(&walk->rules, pack, dealer, &walk->oracle));
	CHECK(walk, walk->deal.table == oracle_set(&walk->oracle.table));
	if (start != SCOPA_START_PLAY)
		return false;
	check_position(walk);
	check_moves(walk);
	return true;
}

/*
 * Many laid cards fill the table, many captures empty it: both give rare
 * positions.
 */
static int
choose(struct walk *walk)
{
	int choice = support_random_below(&walk->rng, legal_count);

	for (int tries = 0; tries < 4 && walk->mood > 0; tries++) {
		int other = support_random_below(&walk->rng, legal_count);
		int size = scopa_set_count(legal[choice].captured);
		int other_size = scopa_set_count(legal[other].captured);
		if (walk->mood == 1 ? other_size < size : other_size > size)
			choice = other;
	}
	return choice;
}

void
walk_step(struct walk *walk)
{
	int choice = choose(walk);
	struct scopa_move move = legal[choice];
	struct oracle_effect wanted;
	struct scopa_effect effect;
	int at = walk->deal.history_count;

	check_refusals(walk);
	effect = scopa_deal_apply(&walk->rules, &walk->deal, &move);
	wanted =
	    oracle_apply(&walk->rules, &walk->oracle, &expected.moves[choice]);
	check_effect(walk, &effect, &wanted);
	CHECK(walk, scopa_move_equal(&walk->deal.history[at], &move));
	CHECK(walk, walk->deal.history[at].seat == move.seat);
	check_position(walk);
	check_moves(walk);
	if (effect.over)
		check_score(walk);
}
