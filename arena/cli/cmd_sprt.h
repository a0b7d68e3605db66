/*
 * The bounds of a sequential test as options give them, for the commands sprt
 * and gate.
 */
#ifndef CMD_SPRT_H
#define CMD_SPRT_H

#include "option.h"
#include "scopa/text.h"
#include "sprt.h"

enum { SPRT_WHY_SIZE = 128 }; /* enough for a reason of sprt_bounds_set() */

struct sprt_bounds {
	double elo0, elo1; /* NAN: not given */
	/* points per deal, instead of Elo; NAN: not given */
	double points0, points1;
	double alpha, beta;
};

/*
 * Option rows that fill struct sprt_bounds: options of the command sprt, and
 * keys of `gate --sprt`.
 */
extern const struct option sprt_bound_options[];

/*
 * The row of --level.  Narrower intervals mean nothing, and wider ones are
 * nearly the same.
 */
#define LEVEL_OPTION(field)                             \
	REAL_OPTION("level", "P", (field), 0.5, 0.9999, \
	    "Confidence level of the intervals.", .fallback = "0.95")

/*
 * Sets unit, low and high of a test whose model, alpha and beta are set.  The
 * default of the Elo bounds is 0 and 5; for the model betting the bounds are
 * points, by default 0 and 0.3.  Returns false with the reason in `why` if the
 * bounds contradict each other; then nothing is set.
 */
bool sprt_bounds_set(const struct sprt_bounds *bounds, struct sprt *sprt,
    struct scopa_text *why);

#endif
