#include "teacher.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "scopa/scopa.h"
#include "splitmix.h"

/* A team that wins the match instantly has won more than a deal. */
static const double POINTS_OF_BLOW = 10;

/* Of the moves that are made to get on, so many are random ones. */
static const float BLUNDERS = 0.05F;

/* Share of the positions that are taught. */
static const double SHARE = 0.5;

/* Sharpness of the policy that plays on. */
static const float SHARPNESS = 6;

/* Points: how much worse a move with 1/e of the probability is. */
static const double HEAT = 0.3;

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

/* One of so many moves, by their probabilities. */
static int
teacher_draw(const float *weights, int count, uint64_t *random)
{
	float left = (float)splitmix_unit(random);
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
		.sharpness = SHARPNESS,
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

static void
targets_fill(const double *values, int count, float *targets)
{
	double most = values[0], total = 0;

	for (int i = 1; i < count; i++)
		if (values[i] > most)
			most = values[i];
	for (int i = 0; i < count; i++)
		total += exp((values[i] - most) / HEAT);
	for (int i = 0; i < count; i++)
		targets[i] = (float)(exp((values[i] - most) / HEAT) / total);
}

void
teacher_teach(const struct teacher *teacher, enum policy_family family,
    int deals, uint64_t *random, struct lessons *lessons)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	double values[LESSON_MOVES_MAX];
	struct policy policy = {
		.tables = teacher->tables, .sharpness = 1, .uniform = BLUNDERS
	};

	for (int number = 0; number < deals; number++) {
		bool held_out = number % TEACHER_HELD_OUT_EACH == 0;
		struct scopa_rules rules;
		struct scopa_deal deal;

		syllabus_rules(family, number, &rules);
		teacher_deal(&rules, random, &deal);
		while (!scopa_deal_over(&deal)) {
			int count =
			    scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);

			policy_judge(
			    &policy, &rules, &deal, moves, count, weights);
			if (lesson_is_choice(moves, count) &&
			    splitmix_unit(random) < SHARE) {
				teacher_values(teacher, &rules, &deal, moves,
				    count, random, values);
				targets_fill(values, count, weights);
				lessons_add(lessons, &rules, &deal, moves,
				    count, weights, held_out);
			}
			scopa_deal_apply(&rules, &deal,
			    &moves[teacher_draw(weights, count, random)]);
		}
	}
}
