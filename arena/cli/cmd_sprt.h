/*
 * The bounds of a sequential test as options give them.
 */
#ifndef CMD_SPRT_H
#define CMD_SPRT_H

#include "option.h"
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
	double alpha, beta;
};

/* Rows of the struct, of the command `sprt` and the keys of `gate --sprt`. */
extern const struct option sprt_bound_options[];

/*
 * Sets unit, low and high of a test whose model, alpha and beta are set; an Elo
 * that is not given is 0 or 5, and points of the model betting are 0 and 0.3.
 * False with the reason where these contradict each other; nothing is set then.
 */
bool sprt_bounds_set(const struct sprt_bounds *bounds, struct sprt *sprt,
    struct scopa_text *why);

#endif
