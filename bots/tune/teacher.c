#include "teacher.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "greedy.h"
#include "lesson.h"
#include "playout.h"
#include "reward.h"
#include "scopa/scopa.h"
#include "search.h"
#include "splitmix.h"

/* Positions with more moves are left out: they are rare and all alike. */
enum { CHOICE_MAX = 64, HELD_OUT_EACH = 10 };

/* Who wins the match at a blow has won more than a deal. */
static const double POINTS_OF_BLOW = 10;

/* Of the moves that are made to get on, so many are random ones. */
static const float BLUNDERS = 0.05F;

static double
uniform_below_one(uint64_t *random)
{
	return (double)(splitmix_next(random) >> 11) * 0x1p-53;
}

void
teacher_deal(
    const struct scopa_rules *rules, uint64_t *random, struct scopa_deal *deal)
{
	int dealer = (int)splitmix_below(random, (uint32_t)rules->players);
	uint8_t pack[SCOPA_PACK_SIZE];

	for (uint8_t card = 0; card < SCOPA_PACK_SIZE; card++)
		pack[card] = card;
	do
		splitmix_shuffle(random, pack, SCOPA_PACK_SIZE);
	while (scopa_deal_start(rules, pack, dealer, deal) != SCOPA_START_PLAY);
}

void
teacher_world(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct scopa_deal *world)
{
	scopa_card cards[SCOPA_PACK_SIZE];
	struct scopa_tally tally;
	struct scopa_view view;
	scopa_set unseen;
	int count = 0;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	unseen = scopa_view_unseen(&view);
	while (unseen != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&unseen);
	splitmix_shuffle(random, cards, count);
	scopa_view_deal(rules, &view, cards, world);
}

int
teacher_draw(const float *weights, int count, uint64_t *random)
{
	float left = (float)uniform_below_one(random);
	int move = 0;

	while (move < count - 1 && left >= weights[move])
		left -= weights[move++];
	return move;
}

double
teacher_result(
    const struct scopa_rules *rules, const struct scopa_deal *deal, int team)
{
	int teams = scopa_team_count(rules);
	struct scopa_score score;
	double own = 0, others = 0;

	scopa_score_count(rules, deal, &score);
	for (int i = 0; i < teams; i++) {
		double points = score.total[i];

		if (rules->aim == SCOPA_AIM_LEAST)
			points = -points;
		if (score.winner == i)
			points += POINTS_OF_BLOW;
		if (i == team)
			own = points;
		else
			others += points;
	}
	return own - others / (teams - 1);
}

/* Plays a world to its end by the policy. */
static void
play_on(const struct teacher *teacher, const struct scopa_rules *rules,
    struct scopa_deal *deal, uint64_t *random)
{
	struct policy policy = {
		.tables = teacher->tables,
		.sharpness = teacher->sharpness,
	};
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];

	while (!scopa_deal_over(deal)) {
		int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
		int move = 0;

		if (count > 1) {
			policy_judge(
			    &policy, rules, deal, moves, count, weights);
			move = teacher_draw(weights, count, random);
		}
		scopa_deal_apply(rules, deal, &moves[move]);
	}
}

void
teacher_values(const struct teacher *teacher, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    uint64_t *random, double *values)
{
	int team = scopa_team_of(rules, deal->turn);

	for (int move = 0; move < count; move++)
		values[move] = 0;
	for (int i = 0; i < teacher->worlds; i++) {
		struct scopa_deal world;
		uint64_t seed;

		teacher_world(rules, deal, random, &world);
		seed = splitmix_next(random);
		/* The same luck for every move: only they make a difference. */
		for (int move = 0; move < count; move++) {
			struct scopa_deal next = world;
			uint64_t luck = seed;

			scopa_deal_apply(rules, &next, &moves[move]);
			play_on(teacher, rules, &next, &luck);
			values[move] += teacher_result(rules, &next, team) /
			    teacher->worlds;
		}
	}
}

/* The policy that a search asks and plays on by. */
static void
prior_judge(void *context, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    float *weights)
{
	const struct teacher *teacher = context;
	struct policy policy = {
		.tables = teacher->tables,
		.sharpness = teacher->sharpness,
	};

	policy_judge(&policy, rules, deal, moves, count, weights);
}

void
teacher_search(const struct teacher *teacher, const struct scopa_rules *rules,
    const struct scopa_deal *deal, int count, uint64_t *random, double *shares)
{
	static _Alignas(64) unsigned char memory[1 << 24];
	static struct search_result result;
	struct teacher asked = *teacher;
	struct world_uniform worlds;
	struct playout playout;
	struct scopa_tally tally;
	struct scopa_view view;
	struct search_config config = {
		.iterations = teacher->iterations,
		.exploration = teacher->exploration,
		.prior_weight = teacher->prior_weight,
		.worlds = { world_uniform_draw, &worlds },
		.playout = { playout_choose, &playout },
		.reward = { reward_difference, NULL },
		.prior = { .judge = prior_judge, .context = &asked },
		.memory = memory,
		.memory_size = sizeof(memory),
	};
	double total = 0;
	bool good;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	playout_init(&playout, rules, PLAYOUT_SHARE_MAX);
	good = world_uniform_init(&worlds, rules, &view) &&
	    search_run(&config, rules, &view, random, &result);
	assert(good && result.row_count == count);
	(void)good;
	for (int i = 0; i < count; i++)
		total += result.rows[i].visits;
	for (int i = 0; i < count; i++)
		shares[i] = result.rows[i].visits / total;
}

static void
targets_fill(
    const double *values, int count, double heat, float targets[CHOICE_MAX])
{
	double most = values[0], total = 0;

	for (int i = 1; i < count; i++)
		if (values[i] > most)
			most = values[i];
	for (int i = 0; i < count; i++)
		total += exp((values[i] - most) / heat);
	for (int i = 0; i < count; i++)
		targets[i] = (float)(exp((values[i] - most) / heat) / total);
}

int
teacher_greedy(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *moves, int count)
{
	struct scopa_tally tally;
	struct scopa_view view;
	struct scopa_move move;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	move = greedy_move(rules, &view, deal);
	for (int i = 0; i < count; i++)
		if (scopa_move_equal(&moves[i], &move))
			return i;
	return 0;
}

/* Adds one position; its probabilities go to `targets`. */
static int
teach_position(const struct teacher *teacher, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    uint64_t *random, bool held_out, struct lessons *lessons,
    float targets[CHOICE_MAX])
{
	float features[CHOICE_MAX][POLICY_FEATURE_COUNT];
	double values[CHOICE_MAX];
	struct lesson lesson = {
		.family = policy_family_of(rules),
		.phase = policy_phase_of(rules, deal),
		.held_out = held_out,
		.greedy = teacher_greedy(rules, deal, moves, count),
	};

	if (teacher->iterations > 0) {
		teacher_search(teacher, rules, deal, count, random, values);
		for (int i = 0; i < count; i++)
			targets[i] = (float)values[i];
	} else {
		teacher_values(
		    teacher, rules, deal, moves, count, random, values);
		targets_fill(values, count, teacher->heat, targets);
	}
	policy_features(rules, deal, moves, count, features);
	return lessons_add(lessons, lesson, count, features, targets);
}

/* Whether there is a choice of plays; declarations are not learned. */
static bool
is_choice(const struct scopa_move *moves, int count)
{
	return count > 1 && count <= CHOICE_MAX &&
	    moves[count - 1].declaration == SCOPA_DECLARE_NOTHING;
}

int
teacher_teach(const struct teacher *teacher, enum policy_family family,
    int first, int deals, double share, uint64_t *random,
    struct lessons *lessons)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	struct scopa_rules rules;
	struct scopa_deal deal;
	int error;

	for (int number = first; number < first + deals; number++) {
		struct policy policy = { .tables = teacher->tables,
			.sharpness = 1,
			.uniform = BLUNDERS };

		syllabus_rules(family, number, &rules);
		teacher_deal(&rules, random, &deal);
		while (!scopa_deal_over(&deal)) {
			int count =
			    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);

			policy_judge(
			    &policy, &rules, &deal, moves, count, weights);
			if (is_choice(moves, count) &&
			    uniform_below_one(random) < share) {
				error = teach_position(teacher, &rules, &deal,
				    moves, count, random,
				    number % HELD_OUT_EACH == 0, lessons,
				    weights);
				if (error)
					return error;
			}
			scopa_deal_apply(&rules, &deal,
			    &moves[teacher_draw(weights, count, random)]);
		}
	}
	return 0;
}
