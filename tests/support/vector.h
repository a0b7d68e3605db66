/*
 * One row of tests/golden/statistics.csv, as far as it is about counts and
 * moments.
 */
#ifndef VECTOR_H
#define VECTOR_H

#include "csv.h"
#include "sprt.h"
#include "sprt_results.h"

struct row {
	const struct csv *csv;
	const char *inputs;
	double tolerance;
	int expected_count;
	double expected[3];
	/* Results from the worst to the best; 3, 5 or none. */
	int category_count;
	double counts[5];
	/* Numbers with their frequencies. */
	struct likelihood margins;
	struct moments moments;
};

void row_read(const struct csv *csv, struct row *row);

/*
 * Fails unless it is finite, and equal to one of the numbers that are expected.
 * Where the peer has no number, a finite one is all that is asked.
 */
void row_near(const struct row *row, int index, double found);

/* `name=NUMBER` or `"name": NUMBER` of the inputs. */
double row_input(const struct row *row, const char *name);

/* What we make of the counts, with bounds between elo0 and elo1. */
struct strength row_strength(const struct row *row);
struct sprt row_sprt(const struct row *row, enum sprt_model model);
double row_llr(const struct row *row, const struct sprt *sprt);

/*
 * What peers compute from the scores: n, mean and variance, with a thousandth
 * for each result that was not seen where they do so.
 */
struct spread {
	double count, mean, variance;
};

struct spread row_spread(const struct row *row, double unseen);

#endif
