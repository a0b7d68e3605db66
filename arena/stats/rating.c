/*
 * Ratings from the results of pairs: least squares for margins, Bradley-Terry
 * for Elo, and Weng and Lin's update for games of several teams. rating.h gives
 * the formulas and sources.
 *
 * The equations of the first two are networks of bots (struct laplacian), which
 * are solved by elimination without subtraction.  All memory belongs to the
 * caller.
 */
#include "rating.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "estimate.h"

/*
 * Takes one bot out of the network; returns the sum of its ties, the pivot.  In
 * its row, each tie to a later bot becomes its share of that sum.
 */
static double
row_eliminate(double *ties, int size, int taken)
{
	double *row = ties + taken * size;
	double pivot = 0.0;

	for (int i = taken + 1; i < size; i++)
		pivot += row[i];
	if (!(pivot > 0.0))
		return 0.0;
	for (int i = taken + 1; i < size; i++) {
		double share = row[i] / pivot;

		if (!(share > 0.0))
			continue;
		for (int k = i + 1; k < size; k++) {
			double tie = share * row[k];

			ties[i * size + k] += tie;
			ties[k * size + i] += tie;
		}
	}
	for (int i = taken + 1; i < size; i++)
		row[i] /= pivot;
	return pivot;
}

/*
 * A bot that still had a tie when it was taken out belongs to the group of that
 * neighbour.  A bot that had none is the last of its group.
 */
static void
groups_find(struct laplacian *laplacian)
{
	int size = laplacian->size;
	int16_t last[RATING_BOTS_MAX], number[RATING_BOTS_MAX];

	for (int i = size - 1; i >= 0; i--) {
		int next = i;

		for (int k = i + 1; k < size && next == i; k++)
			if (laplacian->ties[i * size + k] > 0.0)
				next = k;
		last[i] = next > i ? last[next] : (int16_t)i;
		number[i] = -1;
	}
	laplacian->group_count = 0;
	for (int i = 0; i < size; i++) {
		int16_t *group = &number[last[i]];

		if (*group < 0) {
			*group = (int16_t)laplacian->group_count++;
			laplacian->group_sizes[*group] = 0;
		}
		laplacian->groups[i] = *group;
		laplacian->group_sizes[*group]++;
	}
}

void
laplacian_init(struct laplacian *laplacian, double *ties, int size)
{
	assert(size > 0 && size <= RATING_BOTS_MAX);
	laplacian->size = size;
	laplacian->ties = ties;
	for (int i = 0; i < size; i++)
		laplacian->pivots[i] = row_eliminate(ties, size, i);
	groups_find(laplacian);
}

/* Subtracts the mean of its group from each value. */
static void
means_remove(const struct laplacian *laplacian, double *values)
{
	double sums[RATING_BOTS_MAX];

	memset(sums, 0, sizeof(sums));
	for (int i = 0; i < laplacian->size; i++)
		sums[laplacian->groups[i]] += values[i];
	for (int i = 0; i < laplacian->size; i++) {
		int group = laplacian->groups[i];

		values[i] -= sums[group] / laplacian->group_sizes[group];
	}
}

void
laplacian_solve(const struct laplacian *laplacian, double *values)
{
	int size = laplacian->size;

	for (int i = 0; i < size; i++) {
		const double *row = laplacian->ties + i * size;

		if (!(laplacian->pivots[i] > 0.0))
			continue;
		for (int k = i + 1; k < size; k++)
			values[k] += row[k] * values[i];
	}
	for (int i = size - 1; i >= 0; i--) {
		const double *row = laplacian->ties + i * size;
		double value = 0.0;

		if (laplacian->pivots[i] > 0.0) {
			value = values[i] / laplacian->pivots[i];
			for (int k = i + 1; k < size; k++)
				value += row[k] * values[k];
		}
		values[i] = value;
	}
	means_remove(laplacian, values);
}

/* Fills in the pseudo-inverse of L, size * size. */
static void
laplacian_invert(const struct laplacian *laplacian, double *inverse)
{
	int size = laplacian->size;

	for (int i = 0; i < size; i++) {
		double *row = inverse + i * size;
		int group = laplacian->groups[i];

		for (int k = 0; k < size; k++) {
			row[k] = k == i ? 1.0 : 0.0;
			if (laplacian->groups[k] == group)
				row[k] -= 1.0 / laplacian->group_sizes[group];
		}
		laplacian_solve(laplacian, row);
	}
	for (int i = 0; i < size; i++) {
		for (int k = i + 1; k < size; k++) {
			double *a = &inverse[i * size + k];
			double *b = &inverse[k * size + i];

			*a = *b = (*a + *b) / 2.0;
		}
	}
}

/*
 * Weng and Lin, "A Bayesian approximation method for online ranking", Journal
 * of Machine Learning Research 12 (2011), algorithm 4.
 */

#define SKILL_BETA (25.0 / 6.0)
#define SKILL_TAU (25.0 / 300.0)

/* After a game at least this share of a variance is left. */
#define SKILL_VARIANCE_SHARE_MIN 1e-4

/* The strength of a team is the sum of the strengths of its players. */
struct rating_team {
	double mu, variance;
	/* e^(mu / c), relative to the strongest team, which has 1 */
	double strength;
};

/* The change that a game causes in a team, relative to its variance. */
struct rating_lesson {
	double shift, narrowing;
};

/*
 * The model draws the places one after the other, from the best to the last.
 * The place of team `q` was drawn among all teams whose place was not better
 * than that of `q`.
 */
static struct rating_lesson
lesson_of(const struct rating_team *teams, const int *ranks, int count, int i,
    double c)
{
	struct rating_lesson lesson = { 0.0, 0.0 };

	for (int q = 0; q < count; q++) {
		double sum = 0.0, chance, equals = 0.0;

		if (ranks[q] > ranks[i])
			continue;
		for (int k = 0; k < count; k++) {
			if (ranks[k] >= ranks[q])
				sum += teams[k].strength;
			if (ranks[k] == ranks[q])
				equals += 1.0;
		}
		/*
		 * All the strengths may be so small that they are 0 after
		 * rounding.
		 */
		chance = sum > 0.0 ? teams[i].strength / sum : 0.0;
		lesson.shift += ((q == i ? 1.0 : 0.0) - chance) / equals;
		lesson.narrowing += chance * (1.0 - chance) / equals;
	}
	lesson.shift /= c;
	lesson.narrowing *= sqrt(teams[i].variance) / (c * c * c);
	return lesson;
}

void
skill_update(struct skill *const *players, const int *teams, int player_count,
    const int *ranks, int team_count)
{
	struct rating_team sums[SKILL_TEAMS_MAX] = { 0 };
	struct rating_lesson lessons[SKILL_TEAMS_MAX];
	double square = 0.0, c, most = -HUGE_VAL;

	assert(team_count >= 2 && team_count <= SKILL_TEAMS_MAX);
	for (int i = 0; i < player_count; i++) {
		struct skill *player = players[i];
		struct rating_team *team = &sums[teams[i]];

		assert(teams[i] >= 0 && teams[i] < team_count);
		player->sigma =
		    sqrt(player->sigma * player->sigma + SKILL_TAU * SKILL_TAU);
		team->mu += player->mu;
		team->variance += player->sigma * player->sigma;
	}
	for (int i = 0; i < team_count; i++) {
		assert(sums[i].variance > 0.0);
		square += sums[i].variance + SKILL_BETA * SKILL_BETA;
		most = fmax(most, sums[i].mu);
	}
	c = sqrt(square);
	for (int i = 0; i < team_count; i++)
		sums[i].strength = exp((sums[i].mu - most) / c);
	for (int i = 0; i < team_count; i++)
		lessons[i] = lesson_of(sums, ranks, team_count, i, c);
	for (int i = 0; i < player_count; i++) {
		struct skill *player = players[i];
		const struct rating_lesson *lesson = &lessons[teams[i]];
		double variance = player->sigma * player->sigma;

		player->mu += variance * lesson->shift;
		player->sigma *= sqrt(fmax(1.0 - variance * lesson->narrowing,
		    SKILL_VARIANCE_SHARE_MIN));
	}
}

/*
 * Minimum of a variance, in points squared.  It keeps weights finite where
 * margins hardly differ.
 */
#define VARIANCE_MIN 1e-12

/* A step of the solution below this is taken as 0, in natural units. */
#define STEP_MIN 1e-13

/*
 * Each step brings two bots nearer to the solution by about 0.7, and the
 * longest distance is 45.
 */
enum { STEPS_MAX = 1000 };

size_t
rating_memory_size(int bot_count)
{
	size_t size = (size_t)bot_count;

	return 7 * size * size + 4 * size;
}

struct rating_memory
rating_memory_of(double *doubles, int bot_count)
{
	size_t size = (size_t)bot_count, square = size * size;
	double *vectors = doubles + 7 * square;

	assert(bot_count > 0 && bot_count <= RATING_BOTS_MAX);
	return (struct rating_memory){
		.covariances = doubles,
		.inverse = doubles + square,
		.ties = doubles + 2 * square,
		.points = doubles + 3 * square,
		.weights = doubles + 4 * square,
		.sums = doubles + 5 * square,
		.product = doubles + 6 * square,
		.values = vectors,
		.scores = vectors + size,
		.moves = vectors + 2 * size,
		.counts = vectors + 3 * size,
	};
}

static void
tie_add(double *ties, int size, int a, int b, double tie)
{
	assert(a >= 0 && a < size && b >= 0 && b < size && a != b);
	ties[a * size + b] += tie;
	ties[b * size + a] += tie;
}

/*
 * Fills in groups and errors of all ratings, from the covariances.  The error
 * of a bot that has met no other one is unknown.
 */
static void
ratings_fill(const struct rating_fit *fit, const struct laplacian *network)
{
	for (int i = 0; i < network->size; i++) {
		double variance =
		    fit->memory.covariances[i * network->size + i];
		int group = network->groups[i];

		fit->ratings[i] = (struct rating){
			.value = fit->memory.values[i],
			.error = sqrt(fmax(variance, 0.0)),
			.group = group,
			.class = group,
			.freedom =
			    network->group_sizes[group] > 1 ? HUGE_VAL : 0,
		};
	}
}

double
rating_difference_error(const struct rating_fit *fit, int a, int b)
{
	const double *covariances = fit->memory.covariances;
	int size = fit->bot_count;
	double variance;

	assert(a >= 0 && a < size && b >= 0 && b < size);
	if (fit->ratings[a].group != fit->ratings[b].group)
		return HUGE_VAL;
	variance = covariances[a * size + a] + covariances[b * size + b] -
	    2.0 * covariances[a * size + b];
	return a == b ? 0.0 : sqrt(fmax(variance, 0.0));
}

/* The factor by which the variance of a pair grows if k bots met in a block. */
static double
block_factor(int block_bots)
{
	return block_bots > 2 ? block_bots / 2.0 : 1.0;
}

double
rating_pooled_variance(const struct rating_fit *fit)
{
	double squares = 0.0, freedom = 0.0, plain = 0.0, count = 0.0;

	for (int i = 0; i < fit->pair_count; i++) {
		const struct moments *margins = &fit->pairs[i].margins;

		if (margins->count == 0)
			continue;
		squares += margins->squares;
		freedom += (double)(margins->count - 1);
		plain += (double)margins->count * margins->mean * margins->mean;
		count += (double)margins->count;
	}
	if (squares > 0.0 && freedom > 0.0)
		return fmax(squares / freedom, VARIANCE_MIN);
	/*
	 * Between equal bots this is the variance; between unequal bots it is
	 * larger.
	 */
	return plain > 0.0 ? fmax(plain / count, VARIANCE_MIN) : 1.0;
}

double
rating_variance(const struct moments *margins, double pooled)
{
	double freedom = (double)(margins->count - 1);

	assert(pooled > 0.0);
	if (!(margins->squares > 0.0))
		return pooled;
	return fmax((RATING_PRIOR_BLOCKS * pooled + margins->squares) /
		(RATING_PRIOR_BLOCKS + freedom),
	    VARIANCE_MIN);
}

/* The weight of one block of the pair in the fit; 0 if the pair is apart. */
static double
rating_weight(const struct rating_pair *pair, double pooled)
{
	if (pair->margins.count == 0 || pair->apart)
		return 0.0;
	return 1.0 / rating_variance(&pair->margins, pooled) /
	    block_factor(pair->block_bots);
}

void
rating_weights(const struct rating_fit *fit)
{
	double pooled = rating_pooled_variance(fit);
	int size = fit->bot_count;

	values_clear(fit->memory.weights, size * size);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];
		double weight = rating_weight(pair, pooled);

		fit->memory.weights[pair->first * size + pair->second] = weight;
		fit->memory.weights[pair->second * size + pair->first] = weight;
	}
}

void
rating_margin(const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	double pooled = rating_pooled_variance(fit);
	int size = fit->bot_count;
	struct laplacian network;

	values_clear(memory->ties, size * size);
	values_clear(memory->values, size);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];
		double tie =
		    (double)pair->margins.count * rating_weight(pair, pooled);

		if (!(tie > 0.0))
			continue;
		tie_add(memory->ties, size, pair->first, pair->second, tie);
		memory->values[pair->first] += tie * pair->margins.mean;
		memory->values[pair->second] -= tie * pair->margins.mean;
	}
	laplacian_init(&network, memory->ties, size);
	laplacian_solve(&network, memory->values);
	laplacian_invert(&network, memory->covariances);
	ratings_fill(fit, &network);
}

/* A draw counts half a point.  A bot without games has no points. */
static void
points_fill(const struct rating_fit *fit)
{
	double *points = fit->memory.points;
	int size = fit->bot_count;

	values_clear(points, size * size);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];
		int a = pair->first, b = pair->second;
		double half = (double)pair->results.draws / 2.0;

		assert(a >= 0 && a < size && b >= 0 && b < size && a != b);
		points[a * size + b] += (double)pair->results.wins + half;
		points[b * size + a] += (double)pair->results.losses + half;
	}
}

/* A matrix of bits: one row for each bot, of `width` words. */
struct bit_rows {
	uint64_t *words;
	int width;
};

static bool
row_has(const struct bit_rows *rows, int row, int bot)
{
	return rows->words[row * rows->width + bot / 64] >> (bot % 64) & 1;
}

/*
 * Finds the class of each bot: the lowest number among the bots with which it
 * is connected in both directions.  A bot is connected with another one if a
 * chain of results leads from it to the other, in each of which a point was
 * won.  `memory` has room for one double for each two bots.
 */
static void
classes_find(const double *points, int bot_count, int *classes, double *memory)
{
	const struct bit_rows beaten = {
		.words = (void *)memory,
		.width = (bot_count + 63) / 64,
	};
	int width = beaten.width;

	memset(memory, 0,
	    (size_t)bot_count * (size_t)width * sizeof(*beaten.words));
	for (int i = 0; i < bot_count; i++)
		for (int k = 0; k < bot_count; k++)
			if (points[i * bot_count + k] > 0.0)
				beaten.words[i * width + k / 64] |= UINT64_C(1)
				    << (k % 64);
	/*
	 * Warshall's algorithm: chains over the first bot, the first two bots,
	 * and so on.
	 */
	for (int over = 0; over < bot_count; over++)
		for (int i = 0; i < bot_count; i++) {
			if (!row_has(&beaten, i, over))
				continue;
			for (int word = 0; word < width; word++)
				beaten.words[i * width + word] |=
				    beaten.words[over * width + word];
		}
	for (int i = 0; i < bot_count; i++) {
		classes[i] = i;
		for (int k = i - 1; k >= 0; k--)
			if (row_has(&beaten, i, k) && row_has(&beaten, k, i))
				classes[i] = k;
	}
}

/*
 * Adds one drawn game for each two classes that met.  `totals` is scratch
 * memory for the games between any two classes.
 */
static void
classes_join(double *points, int bot_count, const int *classes, double *totals)
{
	values_clear(totals, bot_count * bot_count);
	for (int i = 0; i < bot_count; i++)
		for (int k = 0; k < i; k++)
			if (classes[i] != classes[k])
				tie_add(totals, bot_count, classes[i],
				    classes[k],
				    points[i * bot_count + k] +
					points[k * bot_count + i]);
	for (int i = 0; i < bot_count; i++)
		for (int k = 0; k < i; k++) {
			double *a = &points[i * bot_count + k];
			double *b = &points[k * bot_count + i];
			double total =
			    totals[classes[i] * bot_count + classes[k]];
			double draw;

			if (classes[i] == classes[k] || !(*a + *b > 0.0))
				continue;
			draw = (*a + *b) / total;
			*a += draw / 2.0;
			*b += draw / 2.0;
		}
}

/*
 * Marks the bots outside the largest class of their group: the results set no
 * limit to their distance from it.  If several classes are the largest, all
 * bots are marked.
 */
static void
beyond_mark(
    struct rating *ratings, int bot_count, const int *classes, int *sizes)
{
	for (int i = 0; i < bot_count; i++)
		sizes[i] = 0;
	for (int i = 0; i < bot_count; i++) {
		ratings[i].class = classes[i];
		sizes[classes[i]]++;
	}
	for (int i = 0; i < bot_count; i++) {
		int most = 0;
		double sum = 0.0, count = 0.0;
		bool marked = false;

		for (int k = 0; k < bot_count; k++)
			if (ratings[k].group == ratings[i].group &&
			    sizes[classes[k]] > most)
				most = sizes[classes[k]];
		for (int k = 0; k < bot_count; k++) {
			if (ratings[k].group != ratings[i].group ||
			    sizes[classes[k]] < most)
				continue;
			sum += ratings[k].value;
			count++;
			marked |= classes[k] != classes[i];
		}
		if (marked)
			ratings[i].beyond =
			    ratings[i].value >= sum / count ? 1 : -1;
	}
}

/*
 * 1 / (1 + e^difference): the expected loss of the stronger bot, if its rating
 * is higher by `difference`.
 */
static double
loss_of(double difference)
{
	return 1.0 / (1.0 + exp(difference));
}

/*
 * Fills in the equations at the current values.  `memory->ties` becomes the
 * information of all games, `surprise` the scores less the expected scores.
 */
static void
equations_fill(
    const struct rating_memory *memory, int bot_count, double *surprise)
{
	values_clear(memory->ties, bot_count * bot_count);
	values_clear(surprise, bot_count);
	for (int i = 0; i < bot_count; i++)
		for (int k = 0; k < i; k++) {
			double won = memory->points[i * bot_count + k];
			double lost = memory->points[k * bot_count + i];
			double games = won + lost;
			double difference =
			    memory->values[i] - memory->values[k];
			double loss = loss_of(difference);
			double gain = loss_of(-difference);
			/*
			 * Computed from the smaller side, so that no digits are
			 * lost.
			 */
			double more = difference > 0.0 ? games * loss - lost
						       : won - games * gain;

			if (!(games > 0.0))
				continue;
			tie_add(
			    memory->ties, bot_count, i, k, games * loss * gain);
			surprise[i] += more;
			surprise[k] -= more;
		}
}

/*
 * The greatest change that a step makes in the difference of two bots that met.
 */
static double
step_length(const double *points, int bot_count, const double *step)
{
	double length = 0.0;

	for (int i = 0; i < bot_count; i++)
		for (int k = 0; k < i; k++)
			if (points[i * bot_count + k] +
				points[k * bot_count + i] >
			    0.0)
				length = fmax(length, fabs(step[i] - step[k]));
	return length;
}

/*
 * Newton's method on the likelihood.  The step is multiplied by log(1 + m) / m,
 * where m is its length.  Because the curvature of the logistic function
 * changes slowly, such a step always comes nearer to the solution, from any
 * start (Bach 2010: generalised self-concordance).
 */
static void
elo_solve(const struct rating_memory *memory, int bot_count)
{
	double step[RATING_BOTS_MAX];
	struct laplacian network;

	values_clear(memory->values, bot_count);
	for (int i = 0; i < STEPS_MAX; i++) {
		double length, share;

		equations_fill(memory, bot_count, step);
		laplacian_init(&network, memory->ties, bot_count);
		laplacian_solve(&network, step);
		length = step_length(memory->points, bot_count, step);
		if (!(length > STEP_MIN))
			return;
		share = log1p(length) / length;
		for (int k = 0; k < bot_count; k++)
			memory->values[k] += share * step[k];
	}
}

/*
 * Adds to memory->ties what the blocks show of the variance of the scores, in
 * the place of the information that equations_fill computes.  Returns whether
 * any pair shows a variance.
 */
static bool
variance_fill(const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	bool known = false;

	equations_fill(memory, fit->bot_count, memory->scores);
	for (int i = 0; i < fit->pair_count; i++) {
		const struct rating_pair *pair = &fit->pairs[i];
		const struct trinomial *results = &pair->results;
		double games =
		    (double)(results->wins + results->draws + results->losses);
		double difference =
		    memory->values[pair->first] - memory->values[pair->second];
		double on_their_own =
		    loss_of(difference) * loss_of(-difference);
		double variance =
		    pair->variance > 0.0 ? pair->variance : on_their_own;

		if (!(pair->variance > 0.0) && pair->block_bots <= 2)
			continue;
		known = true;
		tie_add(memory->ties, fit->bot_count, pair->first, pair->second,
		    games *
			(variance * block_factor(pair->block_bots) -
			    on_their_own));
	}
	return known;
}

/*
 * The covariances C become C V C, where V is the observed variance of the
 * scores in the place of the information.  Overwrites `memory->points`.
 */
static void
covariances_widen(const struct rating_memory *memory, int bot_count)
{
	const double *ties = memory->ties;
	double *product = memory->points, *covariances = memory->covariances;
	double row[RATING_BOTS_MAX];

	/*
	 * V C, where V is a Laplacian: the sum over the flows between each two
	 * bots.
	 */
	for (int i = 0; i < bot_count; i++)
		for (int column = 0; column < bot_count; column++) {
			double sum = 0.0;

			for (int k = 0; k < bot_count; k++)
				if (k != i)
					sum += ties[i * bot_count + k] *
					    (covariances[i * bot_count +
						 column] -
						covariances[k * bot_count +
						    column]);
			product[i * bot_count + column] = sum;
		}
	for (int i = 0; i < bot_count; i++) {
		values_clear(row, bot_count);
		for (int k = 0; k < bot_count; k++)
			for (int column = 0; column < bot_count; column++)
				row[column] += covariances[i * bot_count + k] *
				    product[k * bot_count + column];
		for (int column = 0; column < bot_count; column++)
			covariances[i * bot_count + column] = row[column];
	}
}

void
rating_elo(const struct rating_fit *fit)
{
	const struct rating_memory *memory = &fit->memory;
	int size = fit->bot_count;
	int classes[RATING_BOTS_MAX], sizes[RATING_BOTS_MAX];
	double square = RATING_ELO_PER_NATURAL * RATING_ELO_PER_NATURAL;
	struct laplacian network;

	points_fill(fit);
	classes_find(memory->points, size, classes, memory->ties);
	classes_join(memory->points, size, classes, memory->ties);
	elo_solve(memory, size);
	equations_fill(memory, size, memory->scores);
	laplacian_init(&network, memory->ties, size);
	laplacian_invert(&network, memory->covariances);
	memcpy(memory->inverse, memory->covariances,
	    (size_t)size * (size_t)size * sizeof(*memory->inverse));
	if (variance_fill(fit))
		covariances_widen(memory, size);
	for (int i = 0; i < size; i++)
		memory->values[i] *= RATING_ELO_PER_NATURAL;
	for (int i = 0; i < size * size; i++) {
		memory->inverse[i] *= square;
		memory->covariances[i] *= square;
	}
	ratings_fill(fit, &network);
	beyond_mark(fit->ratings, size, classes, sizes);
	for (int i = 0; i < size; i++) {
		double value = fit->ratings[i].value;

		fit->ratings[i].value =
		    fmax(-ESTIMATE_ELO_MAX, fmin(ESTIMATE_ELO_MAX, value));
		if (fabs(value) > ESTIMATE_ELO_MAX)
			fit->ratings[i].beyond = value > 0.0 ? 1 : -1;
	}
}
