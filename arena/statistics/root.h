/*
 * The root of a function between two points where its signs differ.
 */
#ifndef ROOT_H
#define ROOT_H

/*
 * A point between `low` and `high` where `function` changes its sign, to about
 * `tolerance`, or to the last bits of a double where that is more.  The signs
 * at the two ends must differ; an end where the function is 0 is a root.
 */
double root_find(double (*function)(const void *context, double x),
    const void *context, double low, double high, double tolerance);

#endif
