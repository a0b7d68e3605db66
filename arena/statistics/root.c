/*
 * Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse
 * quadratic interpolation where three points allow it, and bisection else.  It
 * never leaves the bracket and never takes much longer than bisection.
 */
#include "root.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Bisection alone would end any bracket of doubles within these. */
enum { STEPS_MAX = 2200 };

struct point {
	double x, y;
};

/*
 * Where between the newest point (0) and its opposite (1) to look next: the
 * parabola through all three, if it is steep enough to be trusted.
 */
static double
fraction_of(struct point newest, struct point opposite, struct point oldest)
{
	double xi = (newest.x - opposite.x) / (oldest.x - opposite.x);
	double phi = (newest.y - opposite.y) / (oldest.y - opposite.y);

	/* Written so that NaN, of points that coincide, bisects as well. */
	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return newest.y / (opposite.y - newest.y) * oldest.y /
	    (opposite.y - oldest.y) +
	    (oldest.x - newest.x) / (opposite.x - newest.x) * newest.y /
	    (oldest.y - newest.y) * opposite.y / (oldest.y - opposite.y);
}

double
root_find(double (*function)(const void *context, double x),
    const void *context, double low, double high, double tolerance)
{
	struct point newest = { high, function(context, high) };
	struct point opposite = { low, function(context, low) };
	double fraction = 0.5;

	assert(tolerance >= 0);
	assert(newest.y >= 0 ? opposite.y <= 0 : opposite.y >= 0);
	for (int step = 0; step < STEPS_MAX; step++) {
		struct point best =
		    fabs(newest.y) < fabs(opposite.y) ? newest : opposite;
		double width = fabs(newest.x - opposite.x);
		double finest =
		    2 * DBL_EPSILON * fabs(best.x) + 0.5 * tolerance;
		struct point oldest, next;

		if (best.y == 0 || width <= 2 * finest)
			return best.x;
		/* A step shorter than the tolerance would only wait. */
		fraction =
		    fmin(fmax(fraction, finest / width), 1 - finest / width);
		next.x = newest.x + fraction * (opposite.x - newest.x);
		next.y = function(context, next.x);
		oldest = newest;
		if ((next.y > 0) == (newest.y > 0)) {
			newest = next;
		} else {
			oldest = opposite;
			opposite = newest;
			newest = next;
		}
		fraction = fraction_of(newest, opposite, oldest);
	}
	return newest.x;
}
