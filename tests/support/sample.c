#include "sample.h"

#include "support.h"
#include "test.h"

void
sample_compare(
    double found, double expected, double tolerance, const char *file, int line)
{
	if (fabs(found - expected) <= tolerance)
		return;
	print_error(
	    "%.17g instead of %.17g +- %g\n", found, expected, tolerance);
	_fail(file, line);
}

double
sample_elo(double score)
{
	return -400 * log10(1 / score - 1);
}

double
sample_uniform(uint64_t *random)
{
	return (double)(support_random(random) >> 11) * 0x1p-53;
}

double
sample_normal(uint64_t *random)
{
	/* Box and Muller. */
	double radius = sqrt(-2.0 * log(1.0 - sample_uniform(random)));

	return radius * cos(6.283185307179586 * sample_uniform(random));
}
