#include "sprt_score.h"

#include <math.h>

#include "likelihood.h"

/* Results that were not seen, so that no likelihood is 0. */
#define UNSEEN 1e-3

/* The natural logarithm of the odds that one Elo stands for. */
#define LOG_ODDS_PER_ELO (2.302585092994045684 / 400)

/* 1 / (1 + exp -x) */
static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/*
 * The frequencies of results, and their number.  The scores are differences
 * from an expected one, `won`; `lost` = 1 - won is given because it may be too
 * small to be told from won.
 */
static double
likelihood_of_counts(const struct score_counts *results, double won,
    double lost, struct likelihood *likelihood)
{
	int last = results->count - 1;
	double total = 0;

	likelihood->count = results->count;
	for (int i = 0; i <= last; i++) {
		double count = results->counts[i];

		likelihood->frequencies[i] = count > 0 ? count : UNSEEN;
		total += likelihood->frequencies[i];
		/* From the nearer end. */
		likelihood->values[i] = 2 * i < last
		    ? (double)i / last - won
		    : lost - (double)(last - i) / last;
	}
	for (int i = 0; i <= last; i++)
		likelihood->frequencies[i] /= total;
	return total;
}

double
score_moments(
    const struct score_counts *results, double *mean, double *variance)
{
	struct likelihood seen;
	double total = likelihood_of_counts(results, 0, 1, &seen);
	double square = 0;

	*mean = 0;
	for (int i = 0; i < seen.count; i++)
		*mean += seen.frequencies[i] * seen.values[i];
	for (int i = 0; i < seen.count; i++) {
		double difference = seen.values[i] - *mean;

		square += seen.frequencies[i] * difference * difference;
	}
	*variance = square;
	return total;
}

/* n times the divergence from all distributions with this score. */
static double
score_cost(const struct score_counts *results, double won, double lost)
{
	struct likelihood likelihood;
	double total = likelihood_of_counts(results, won, lost, &likelihood);

	return total * likelihood_mean_divergence(&likelihood);
}

double
score_llr_logistic(const struct score_counts *results, double low, double high)
{
	return score_cost(results, score_of_elo(low), score_of_elo(-low)) -
	    score_cost(results, score_of_elo(high), score_of_elo(-high));
}

double
score_llr_normalized(
    const struct score_counts *results, double low, double high)
{
	struct likelihood likelihood;
	double total = likelihood_of_counts(results, 0.5, 0.5, &likelihood);

	return total *
	    (likelihood_t_divergence(&likelihood, low) -
		likelihood_t_divergence(&likelihood, high));
}

/*
 * BayesElo says win = sigmoid(x - y) and loss = sigmoid(-x - y), where x is the
 * strength and y >= 0 is drawelo, both as log odds (the model of Rao and Kupper
 * 1967).  Then draw = 1 - win - loss = (exp 2y - 1) win loss, so a draw is as
 * much evidence as a win and a loss together, whatever y is.
 */
struct bayes {
	double wins, draws, losses;
	double y;
};

static struct bayes
bayes_of(const struct trinomial *results, double extra)
{
	struct bayes bayes = {
		.wins = (double)results->wins + extra,
		.draws = (double)results->draws + extra,
		.losses = (double)results->losses + extra,
	};

	if (bayes.wins <= 0)
		bayes.wins = UNSEEN;
	if (bayes.losses <= 0)
		bayes.losses = UNSEEN;
	bayes.y = 0.5 *
	    (log1p(bayes.draws / bayes.wins) +
		log1p(bayes.draws / bayes.losses));
	return bayes;
}

/* ln(1 + exp x) */
static double
softplus(double x)
{
	return fmax(x, 0) + log1p(exp(-fabs(x)));
}

/*
 * ln win(high) - ln win(low): without the difference of two logarithms as long
 * as that loses digits.
 */
static double
log_win_ratio(double low, double high, double y)
{
	if (high - low > 1)
		return softplus(y - low) - softplus(y - high);
	return log1p(expm1(high - low) * sigmoid(y - high));
}

/* Of strengths as log odds. */
static double
rates_llr(const struct bayes *bayes, double low, double high)
{
	return (bayes->wins + bayes->draws) *
	    log_win_ratio(low, high, bayes->y) -
	    (bayes->losses + bayes->draws) *
	    log_win_ratio(-high, -low, bayes->y);
}

/* The expected score of a strength, as log odds; of -x it is the rest. */
static double
bayes_score(double x, double y)
{
	return 0.5 * (sigmoid(x - y) + sigmoid(x + y));
}

/* d Elo / d BayesElo at 0. */
static double
bayes_scale(double y)
{
	return 4 * sigmoid(y) * sigmoid(-y);
}

static double
scores_llr(const struct bayes *bayes, double low, double high)
{
	struct score_counts counts = {
		.count = 3,
		.counts = { bayes->losses, bayes->draws, bayes->wins },
	};
	double y = bayes->y;

	return score_cost(&counts, bayes_score(low, y), bayes_score(-low, y)) -
	    score_cost(&counts, bayes_score(high, y), bayes_score(-high, y));
}

double
score_llr_bayesian(const struct trinomial *results, double low, double high,
    enum sprt_reading reading)
{
	bool more = reading == SPRT_READING_CUTECHESS;
	struct bayes bayes = bayes_of(results, more ? 0.5 : 0);
	double scale = bayes_scale(bayes.y);

	low *= LOG_ODDS_PER_ELO;
	high *= LOG_ODDS_PER_ELO;
	switch (reading) {
	case SPRT_READING_CUTECHESS:
		return rates_llr(&bayes, low / scale, high / scale);
	case SPRT_READING_FASTCHESS:
		return scores_llr(&bayes, low, high);
	case SPRT_READING_OPENBENCH:
	case SPRT_READING_COUNT:
		break;
	}
	return rates_llr(&bayes, low, high);
}
