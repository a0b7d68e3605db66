/* What other commands use of the bench commands. */
#ifndef CMD_BENCH_H
#define CMD_BENCH_H

/*
 * The speed of a core of this machine, 1 that of the reference machine: how many
 * iterations @ismcts makes in a second of CPU time, measured as by `bench bots`
 * for `seconds`.  0: there is no memory for it.
 */
double bench_core_speed(double seconds);

#endif
