/*
 * Implements learn.h, in this order: lessons and the rules for them, players,
 * the teacher, the regression.
 */
#include "learn.h"

#include <assert.h>
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "greedy.h"
#include "scopa/scopa.h"
#include "search.h"
#include "splitmix.h"
#include "tradition.h"
#include "world.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

void
lessons_close(struct lessons *lessons)
{
	while (!STAILQ_EMPTY(lessons)) {
		struct lesson *lesson = STAILQ_FIRST(lessons);

		STAILQ_REMOVE_HEAD(lessons, next);
		free(lesson);
	}
}

struct lesson *
lessons_add(struct lessons *lessons, int count)
{
	struct lesson *lesson = calloc(
	    1, sizeof(*lesson) + (size_t)count * sizeof(lesson->features[0]));

	if (lesson == NULL)
		err(5, "cannot learn");
	lesson->count = count;
	STAILQ_INSERT_TAIL(lessons, lesson, next);
	return lesson;
}

const struct syllabus_row syllabus[] = {
	{ POLICY_SCOPONE, "scientifico", 5 },
	{ POLICY_SCOPONE, "scopone", 5 },
	{ POLICY_SCOPONE, "trente", 1 },
	{ POLICY_SCOPONE, "trentino", 1 },
	{ POLICY_PAIR, "scopa", 6 },
	{ POLICY_PAIR, "napola", 1 },
	{ POLICY_PAIR, "assi", 1 },
	{ POLICY_PAIR, "re-bello", 1 },
	{ POLICY_PAIR, "frac", 1 },
	{ POLICY_PAIR, "perdere", 1 },
	{ POLICY_CROWD, "scopa,players=3", 6 },
	{ POLICY_CROWD, "napola,players=3", 1 },
	{ POLICY_CROWD, "scopa,players=4,teams=ABCD", 2 },
	{ POLICY_CROWD, "scopa,players=6,teams=ABCDEF", 1 },
	{ POLICY_PARTNERS, "scopa,players=4,teams=ABAB", 4 },
	{ POLICY_PARTNERS, "napola,players=4,teams=ABAB", 1 },
	{ POLICY_PARTNERS, "scopa,players=6,teams=ABABAB", 1 },
	{ POLICY_PARTNERS, "scopa,players=6,teams=ABCABC", 1 },
	{ POLICY_FIFTEEN, "escoba", 5 },
	{ POLICY_FIFTEEN, "quindici", 1 },
	{ POLICY_FIFTEEN, "escoba,players=3", 1 },
	{ POLICY_FIFTEEN, "escoba,players=4,teams=ABAB", 1 },
	{ POLICY_CIRULLA, "cirulla", 5 },
	{ POLICY_CIRULLA, "cirulla,players=3", 1 },
	{ POLICY_CIRULLA, "cirulla,players=4,teams=ABAB", 1 },
};
const int syllabus_count = COUNTOF(syllabus);

/*
 * Returns the rules of deal number `number` of a family.  The rows of the
 * family are used in turn, each as often as its share.
 */
static void
syllabus_rules(enum policy_family family, int number, struct scopa_rules *rules)
{
	struct scopa_text why = SCOPA_TEXT(128);
	int shares = 0, row = 0;
	bool good;

	for (int i = 0; i < syllabus_count; i++)
		if (syllabus[i].family == family)
			shares += syllabus[i].share;
	number %= shares;
	for (; syllabus[row].family != family || number >= syllabus[row].share;
	     row++)
		if (syllabus[row].family == family)
			number -= syllabus[row].share;
	good = scopa_rules_parse(rules, syllabus[row].spec, &why);
	assert(good);
	(void)good;
}

void
random_deal(
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
random_world(const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct scopa_deal *world)
{
	scopa_card cards[SCOPA_PACK_SIZE];
	struct scopa_view view;
	scopa_set unseen;
	int count = 0;

	view_of_mover(rules, deal, &view);
	unseen = scopa_view_unseen(&view);
	while (unseen != SCOPA_SET_EMPTY)
		cards[count++] = scopa_set_take(&unseen);
	splitmix_shuffle(random, cards, count);
	scopa_view_deal(rules, &view, cards, world);
}

/* The extra points of a team that wins the match instantly. */
static const double POINTS_OF_BLOW = 10;

double
deal_result(
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
		*(i == team ? &own : &others) += points;
	}
	return own - others / (teams - 1);
}

/*
 * For search players: the exploration constant in points, and the sharpness of
 * the policy as their prior.
 */
static const double EXPLORATION = 3;
static const float PRIOR_SHARPNESS = 2;

/* Returns the most visited move of a tree search with random playouts. */
static struct scopa_move
move_of_searcher(const struct player *player, const struct scopa_rules *rules,
    const struct scopa_view *view, uint64_t *random)
{
	static _Alignas(64) unsigned char memory[1 << 24];
	static struct search_result result;
	struct policy policy = { .sharpness = PRIOR_SHARPNESS };
	struct world_uniform worlds;
	struct search_config config = {
		.rules = rules,
		.view = view,
		.iterations = player->iterations,
		.exploration = EXPLORATION,
		.prior_weight = player->prior_weight,
		.worlds = { world_uniform_draw, &worlds },
		.random_share = PLAYOUT_SHARE_MAX,
		.reward = reward_difference,
		.prior = { .judge = policy_judge, .context = &policy },
		.memory = memory,
		.memory_size = sizeof(memory),
	};
	bool good = world_uniform_init(&worlds, rules, view) &&
	    search_run(&config, random, &result);
	assert(good);
	(void)good;
	return result.rows[result.best].move;
}

static int
most_of(const float *weights, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	return best;
}

struct scopa_move
player_move(const struct player *player, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct policy policy = { .tables = player->tables, .sharpness = 1 };
	struct tradition_reason reason;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	struct scopa_view view;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	if (count == 1)
		return moves[0];
	view_of_mover(rules, deal, &view);
	switch (player->kind) {
	case PLAYER_GREEDY:
		return greedy_move(rules, deal);
	case PLAYER_CHITARRELLA:
		return tradition_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	case PLAYER_POLICY:
		policy_judge(&policy, rules, deal, moves, count, weights);
		return moves[most_of(weights, count)];
	case PLAYER_SEARCHER:
		return move_of_searcher(player, rules, &view, random);
	}
	assert(false);
	return moves[0];
}

/* The share of random moves in the policy that plays the deals on. */
static const float BLUNDERS = 0.05F;

/* The share of the positions with a choice that become lessons. */
static const double SHARE = 0.5;

/* The sharpness of the policy that plays the worlds to their end. */
static const float SHARPNESS = 6;

/*
 * The temperature of the targets: a move that is worse by this many points gets
 * 1/e of the probability.
 */
static const double HEAT = 0.3;

/* One of this many deals is held out for the test. */
enum { HELD_OUT_EACH = 10 };

/* Returns a random index by the probabilities. */
static int
draw(const float *weights, int count, uint64_t *random)
{
	float left = (float)splitmix_unit(random);
	int move = 0;

	while (move < count - 1 && left >= weights[move])
		left -= weights[move++];
	return move;
}

/* Plays a world to its end with the policy. */
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
			move = draw(weights, count, random);
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

		random_world(rules, deal, random, &world);
		seed = splitmix_next(random);
		/*
		 * Every move uses the same random numbers, so that only the
		 * moves make a difference.
		 */
		for (int move = 0; move < count; move++) {
			struct scopa_deal next = world;
			uint64_t luck = seed;

			scopa_deal_apply(rules, &next, &moves[move]);
			play_on(teacher, rules, &next, &luck);
			values[move] +=
			    deal_result(rules, &next, team) / teacher->worlds;
		}
	}
}

static void
targets_fill(const double *values, int count, float *targets)
{
	double most = values[0], total = 0;

	for (int i = 1; i < count; i++)
		most = fmax(most, values[i]);
	for (int i = 0; i < count; i++)
		total += exp((values[i] - most) / HEAT);
	for (int i = 0; i < count; i++)
		targets[i] = (float)(exp((values[i] - most) / HEAT) / total);
}

static const struct player *
draw_player(const struct teacher *teacher, uint64_t *random)
{
	const struct player *player = teacher->players;
	int shares = 0, left;

	for (int i = 0; i < teacher->player_count; i++)
		shares += player[i].share;
	left = (int)splitmix_below(random, (uint32_t)shares);
	while (left >= player->share)
		left -= player++->share;
	return player;
}

/*
 * Returns the move for a position, by the player, or by the policy when
 * `player` is NULL.  If the position is used, adds a lesson.
 */
static struct scopa_move
position_teach(const struct teacher *teacher, const struct player *player,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random, struct lessons *lessons)
{
	struct policy policy = {
		.tables = teacher->tables, .sharpness = 1, .uniform = BLUNDERS
	};
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float targets[SCOPA_MOVES_MAX];
	double values[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	/* Positions with declarations are not used. */
	bool taught = count > 1 && count <= LESSON_MOVES_MAX &&
	    moves[count - 1].declaration == SCOPA_DECLARE_NOTHING;
	struct lesson *lesson;

	if (player != NULL) {
		struct scopa_move made =
		    player_move(player, rules, deal, random);

		for (int i = 0; i < count; i++)
			targets[i] = scopa_move_equal(&moves[i], &made);
	} else {
		policy_judge(&policy, rules, deal, moves, count, targets);
		taught = taught && splitmix_unit(random) < SHARE;
		if (taught) {
			teacher_values(
			    teacher, rules, deal, moves, count, random, values);
			targets_fill(values, count, targets);
		}
	}
	if (taught) {
		lesson = lessons_add(lessons, count);
		lesson->family = policy_family_of(rules);
		lesson->phase = policy_phase_of(rules, deal);
		policy_features(rules, deal, moves, count, lesson->features);
		memcpy(lesson->targets, targets,
		    (size_t)count * sizeof(targets[0]));
	}
	return moves[player != NULL ? most_of(targets, count)
				    : draw(targets, count, random)];
}

void
teacher_teach(const struct teacher *teacher, enum policy_family family,
    int deals, uint64_t *random, struct lessons *lessons)
{
	for (int number = 0; number < deals; number++) {
		const struct player *players[SCOPA_SEATS_MAX] = { NULL };
		struct lessons own = STAILQ_HEAD_INITIALIZER(own);
		struct lesson *lesson;
		struct scopa_rules rules;
		struct scopa_deal deal;

		syllabus_rules(family, number, &rules);
		random_deal(&rules, random, &deal);
		for (int seat = 0; teacher->players && seat < rules.players;
		     seat++)
			players[seat] = draw_player(teacher, random);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move = position_teach(teacher,
			    players[deal.turn], &rules, &deal, random, &own);

			scopa_deal_apply(&rules, &deal, &move);
		}
		STAILQ_FOREACH (lesson, &own, next)
			lesson->held_out = number % HELD_OUT_EACH == 0;
		STAILQ_CONCAT(lessons, &own);
	}
}

enum { SIZE = POLICY_FEATURE_COUNT, STEPS_MAX = 50 };

/*
 * The regression ends when a step gains less than this, in nats per position.
 */
static const double GAIN_LEAST = 1e-9;

/* First and second derivatives of the mean log-likelihood. */
struct slope {
	double gradient[SIZE];
	double hessian[SIZE][SIZE]; /* of the negative; lower half */
};

/*
 * Computes the probabilities of a lesson's moves; returns its log-likelihood.
 */
static double
probabilities_fill(const struct lesson *lesson, const double weights[SIZE],
    double *probabilities)
{
	double most = -HUGE_VAL, total = 0, likelihood = 0;

	for (int i = 0; i < lesson->count; i++) {
		probabilities[i] = 0;
		for (int j = 0; j < SIZE; j++)
			probabilities[i] +=
			    (double)lesson->features[i][j] * weights[j];
		most = fmax(most, probabilities[i]);
	}
	for (int i = 0; i < lesson->count; i++)
		total += exp(probabilities[i] - most);
	for (int i = 0; i < lesson->count; i++) {
		double logarithm = probabilities[i] - most - log(total);

		probabilities[i] = exp(logarithm);
		likelihood += (double)lesson->targets[i] * logarithm;
	}
	return likelihood;
}

/* Adds the gradient and the curvature of one lesson. */
static void
slope_add(struct slope *slope, const struct lesson *lesson,
    const double *probabilities)
{
	double mean[SIZE] = { 0 }, centred[SIZE];

	for (int move = 0; move < lesson->count; move++) {
		double surplus =
		    (double)lesson->targets[move] - probabilities[move];

		for (int i = 0; i < SIZE; i++) {
			double feature = (double)lesson->features[move][i];

			mean[i] += probabilities[move] * feature;
			slope->gradient[i] += surplus * feature;
		}
	}
	for (int move = 0; move < lesson->count; move++) {
		for (int i = 0; i < SIZE; i++)
			centred[i] =
			    (double)lesson->features[move][i] - mean[i];
		for (int i = 0; i < SIZE; i++) {
			double share = probabilities[move] * centred[i];

			for (int j = 0; share != 0 && j <= i; j++)
				slope->hessian[i][j] += share * centred[j];
		}
	}
}

static bool
belongs(const struct lesson *lesson, enum policy_family family, int phase,
    bool held_out)
{
	return lesson->family == family && lesson->phase == phase &&
	    lesson->held_out == held_out;
}

/* Returns the mean log-likelihood less the penalty, and its derivatives. */
static double
objective(const struct lessons *lessons, enum policy_family family, int phase,
    double ridge, const double weights[SIZE], struct slope *slope)
{
	double probabilities[LESSON_MOVES_MAX], sum = 0, price = 0, count = 0;
	const struct lesson *lesson;

	memset(slope, 0, sizeof(*slope));
	STAILQ_FOREACH (lesson, lessons, next) {
		if (!belongs(lesson, family, phase, false))
			continue;
		sum += probabilities_fill(lesson, weights, probabilities);
		slope_add(slope, lesson, probabilities);
		count++;
	}
	if (count == 0)
		return -HUGE_VAL; /* there are no lessons */
	for (int i = 0; i < SIZE; i++) {
		slope->gradient[i] =
		    slope->gradient[i] / count - 2 * ridge * weights[i];
		for (int j = 0; j <= i; j++)
			slope->hessian[i][j] /= count;
		slope->hessian[i][i] += 2 * ridge;
		price += ridge * weights[i] * weights[i];
	}
	return sum / count - price;
}

/* Solves hessian * step = gradient by Cholesky decomposition, in place. */
static void
step_find(struct slope *slope, double step[SIZE])
{
	double(*lower)[SIZE] = slope->hessian;

	for (int i = 0; i < SIZE; i++) {
		for (int j = 0; j <= i; j++) {
			double sum = lower[i][j];

			for (int k = 0; k < j; k++)
				sum -= lower[i][k] * lower[j][k];
			assert(i != j || sum > 0);
			lower[i][j] = i == j ? sqrt(sum) : sum / lower[j][j];
		}
	}
	for (int i = 0; i < SIZE; i++) {
		step[i] = slope->gradient[i];
		for (int k = 0; k < i; k++)
			step[i] -= lower[i][k] * step[k];
		step[i] /= lower[i][i];
	}
	for (int i = SIZE - 1; i >= 0; i--) {
		for (int k = i + 1; k < SIZE; k++)
			step[i] -= lower[k][i] * step[k];
		step[i] /= lower[i][i];
	}
}

void
logit_fit(const struct lessons *lessons, enum policy_family family, int phase,
    double ridge, struct policy_table *table)
{
	static struct slope slope;
	double best[SIZE], tried[SIZE], step[SIZE], value, before, length;

	assert(ridge > 0);
	for (int i = 0; i < SIZE; i++)
		best[i] = (double)table->weights[phase][i];
	value = objective(lessons, family, phase, ridge, best, &slope);
	if (value == -HUGE_VAL)
		return;
	for (int steps = 0; steps < STEPS_MAX; steps++) {
		before = value;
		step_find(&slope, step);
		/*
		 * A full Newton step may be too long where the function is
		 * flat, so it is halved until the value does not decrease.
		 */
		for (length = 1; length > 1e-6; length /= 2) {
			for (int i = 0; i < SIZE; i++)
				tried[i] = best[i] + length * step[i];
			value = objective(
			    lessons, family, phase, ridge, tried, &slope);
			if (value >= before)
				break;
		}
		if (value < before)
			break;
		memcpy(best, tried, sizeof(best));
		if (value - before < GAIN_LEAST)
			break;
	}
	for (int i = 0; i < SIZE; i++)
		table->weights[phase][i] = (float)best[i];
}

struct logit_report
logit_judge(const struct lessons *lessons, enum policy_family family, int phase,
    const struct policy_table *table)
{
	struct logit_report report = { 0 };
	double probabilities[LESSON_MOVES_MAX], weights[SIZE], count;
	const struct lesson *lesson;

	for (int i = 0; i < SIZE; i++)
		weights[i] = (double)table->weights[phase][i];
	STAILQ_FOREACH (lesson, lessons, next) {
		int likeliest = 0;

		if (!belongs(lesson, family, phase, true))
			continue;
		report.count++;
		report.likelihood +=
		    probabilities_fill(lesson, weights, probabilities);
		for (int move = 0; move < lesson->count; move++) {
			double target = (double)lesson->targets[move];

			if (target > 0)
				report.ceiling += target * log(target);
			if (probabilities[move] > probabilities[likeliest])
				likeliest = move;
		}
		report.agreement +=
		    likeliest == most_of(lesson->targets, lesson->count);
	}
	count = report.count > 0 ? (double)report.count : 1;
	report.likelihood /= count;
	report.ceiling /= count;
	report.agreement /= count;
	return report;
}
