/*
 * The number of elements of an array.
 */
#ifndef COUNTOF_H
#define COUNTOF_H

#define COUNTOF(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
