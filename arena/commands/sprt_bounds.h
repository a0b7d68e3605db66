/*
 * The bounds of a sequential test as options give them.
 */
#ifndef SPRT_BOUNDS_H
#define SPRT_BOUNDS_H

#include "scopa/text.h"
#include "sprt.h"

enum { SPRT_WHY_SIZE = 128 }; /* of a reason */

/* A bound that may be given or not. */
struct sprt_bound {
	bool given;
	double value;
};

struct sprt_bounds {
	struct sprt_bound elo0, elo1;
	struct sprt_bound points0, points1; /* points a deal, instead of elo */
};

/* For rows of OPTION_PARSED whose field is a struct sprt_bound. */
bool sprt_bound_parse(const char *value, void *field, struct scopa_text *why);

/*
 * Sets unit, low and high of a test whose model, alpha and beta are set; an Elo
 * that is not given is 0 or 5, and points of the model betting are 0 and 0.3.  False with the reason where these contradict
 * each other; then nothing is set.
 */
bool sprt_bounds_set(const struct sprt_bounds *bounds, struct sprt *sprt,
    struct scopa_text *why);

#endif
