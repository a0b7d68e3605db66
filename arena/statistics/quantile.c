/*
 * Quantiles: each is the root of its distribution function, whose tails are
 * computed as tails, so that no digit is lost to 1 - p.
 */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "estimate.h"
#include "root.h"

static const double pi = 3.14159265358979323846;

/* Above it the expansion has at least as many right digits. */
#define EXPANSION_FREEDOM 3e3

double
normal_distribution(double x)
{
	return 0.5 * erfc(-x * sqrt(0.5));
}

/* The upper tail; no 1 - p anywhere. */
static double
normal_tail(double x)
{
	return 0.5 * erfc(x * sqrt(0.5));
}

/*
 * x with the upper tail 0 < `tail` <= 1/2: a rational first guess with an error
 * below 4.5e-4 (Abramowitz and Stegun, 26.2.23), and Halley's steps, each of
 * which triples the number of right digits.
 */
static double
normal_tail_root(double tail)
{
	double t = sqrt(-2 * log(tail));
	double x = t -
	    (2.515517 + t * (0.802853 + t * 0.010328)) /
		(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

	for (int step = 0; step < 3; step++) {
		double density = exp(-0.5 * x * x) / sqrt(2 * pi);
		double newton = (normal_tail(x) - tail) / density;

		x += newton / (1 - 0.5 * x * newton);
	}
	return x;
}

double
normal_quantile(double p)
{
	assert(p > 0 && p < 1);
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -normal_tail_root(p) : normal_tail_root(1 - p);
}

/*
 * gamma(a + 1/2) / gamma(a), a > 0, to the last digits: Stirling's series of
 * the quotient where it converges (DLMF 5.11.13), the recurrence of the gamma
 * function up to there.  A difference of two lgamma would lose all digits of a
 * large a.
 */
static double
gamma_half_step(double a)
{
	static const double coefficients[] = { 1, -1.0 / 8, 1.0 / 128,
		5.0 / 1024, -21.0 / 32768, -399.0 / 262144, 869.0 / 4194304,
		39325.0 / 33554432 };
	enum { COUNT = sizeof(coefficients) / sizeof(*coefficients) };
	double product = 1;
	double series = 0;

	while (a < 32) {
		product *= a / (a + 0.5);
		a++;
	}
	for (int i = COUNT - 1; i >= 0; i--)
		series = series / a + coefficients[i];
	return product * sqrt(a) * series;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22) by
 * Lentz's method: B_x(a, b) = x^a (1 - x)^b / a times it.  It converges fast
 * where x < (a + 1) / (a + b + 2).
 */
static double
beta_fraction(double x, double a, double b)
{
	enum { TERMS_MAX = 10000 };
	double c = 1;
	double d = 1 / (1 - (a + b) * x / (a + 1));
	double fraction = d;

	for (int m = 1; m < TERMS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
		    ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		fraction *= d * c;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		factor = d * c;
		fraction *= factor;
		if (fabs(factor - 1) <= DBL_EPSILON)
			break;
	}
	return fraction;
}

/* Student's distribution at exp(log_t), with which part of it is asked for. */
struct student {
	double freedom;
	bool tail;  /* what lies above t; else what lies between 0 and t */
	double log; /* that this part should be */
};

/*
 * The log of that part of the distribution.  With x = 1 / (1 + t^2 / freedom)
 * the tail is I_x(freedom / 2, 1/2) / 2 (DLMF 8.17.8 and Abramowitz and Stegun
 * 26.7.1), and the middle the same with the other sides of x and of the
 * arguments; whichever converges is computed.
 */
static double
student_log(const struct student *student, double log_t)
{
	double a = 0.5 * student->freedom;
	double log_ratio = 2 * log_t - log(student->freedom);
	/* ln x and ln(1 - x). */
	double log_x = log_ratio < 0 ? -log1p(exp(log_ratio))
				     : -log_ratio - log1p(exp(-log_ratio));
	double log_rest = log_ratio + log_x;
	double log_factor = a * log_x + 0.5 * log_rest +
	    log(gamma_half_step(a)) - 0.5 * log(pi);
	bool tail = exp(log_x) < (a + 1) / (a + 2.5);
	double log_part = log_factor - log(2) +
	    (tail ? log(beta_fraction(exp(log_x), a, 0.5) / a)
		  : log(beta_fraction(exp(log_rest), 0.5, a) / 0.5));

	return tail == student->tail ? log_part : log(0.5 - exp(log_part));
}

static double
student_excess(const void *context, double log_t)
{
	const struct student *student = context;

	return student_log(student, log_t) - student->log;
}

/* t > 0 with the upper tail 0 < `tail` < 1/2. */
static double
student_tail_root(double tail, double freedom)
{
	double middle = 0.5 - tail;
	struct student student = {
		.freedom = freedom,
		.tail = tail < middle,
		.log = log(fmin(tail, middle)),
	};
	/* No density of Student is above the peak of the normal one: there is
	 * less than `middle` below this, even if it is rounded. */
	double start = log(middle * sqrt(2 * pi)) - 1e-9;
	double step = 0.5;

	while ((student_excess(&student, start + step) > 0) == student.tail)
		step *= 2;
	return exp(root_find(
	    student_excess, &student, start, start + step, DBL_EPSILON));
}

/*
 * The same for many degrees of freedom, where the continued fraction loses
 * digits: the expansion in 1 / freedom around the normal quantile (Abramowitz
 * and Stegun 26.7.5, with one term more by Goldberg and Levine 1946).
 */
static double
student_tail_expand(double tail, double freedom)
{
	/* Of z, z^3, z^5, ..., over the common divisor of the term. */
	static const struct {
		double divisor;
		double coefficients[6];
	} terms[] = {
		{ 368640, { 17955, -765, -1782, 930, 339, 27 } },
		{ 92160, { -945, -1920, 1482, 776, 79 } },
		{ 384, { -15, 17, 19, 3 } },
		{ 96, { 3, 16, 5 } },
		{ 4, { 1, 1 } },
		{ 1, { 1 } },
	};
	double z = normal_tail_root(tail);
	double quantile = 0;

	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		double term = 0;

		for (int power = 5; power >= 0; power--)
			term = term * z * z + terms[i].coefficients[power];
		quantile = quantile / freedom + term * z / terms[i].divisor;
	}
	return quantile;
}

static double
student_tail_quantile(double tail, double freedom)
{
	return freedom > EXPANSION_FREEDOM ? student_tail_expand(tail, freedom)
					   : student_tail_root(tail, freedom);
}

double
student_quantile(double p, double freedom)
{
	assert(p > 0 && p < 1);
	assert(freedom >= 1);
	if (p == 0.5)
		return 0;
	return p < 0.5 ? -student_tail_quantile(p, freedom)
		       : student_tail_quantile(1 - p, freedom);
}

/*
 * Above EXPANSION_FREEDOM, where the continued fraction loses digits, by the
 * root of the quantile: it is within a step of the normal one.
 */
static double
student_tail_search(double t, double freedom)
{
	double low = 0, high = 0.5;

	for (int i = 0; i < 200 && high - low > DBL_EPSILON * high; i++) {
		double middle = low > 0 ? sqrt(low * high) : high / 16;

		if (student_tail_expand(middle, freedom) > t)
			low = middle;
		else
			high = middle;
		if (high < DBL_MIN)
			return 0;
	}
	return high;
}

/* The upper tail of t > 0. */
static double
student_tail(double t, double freedom)
{
	const struct student student = { .freedom = freedom, .tail = true };

	if (!(freedom < HUGE_VAL))
		return normal_distribution(-t);
	return freedom > EXPANSION_FREEDOM ? student_tail_search(t, freedom)
					   : exp(student_log(&student, log(t)));
}

double
student_distribution(double t, double freedom)
{
	assert(freedom >= 1);
	if (t == 0)
		return 0.5;
	return t < 0 ? student_tail(-t, freedom) : 1 - student_tail(t, freedom);
}
