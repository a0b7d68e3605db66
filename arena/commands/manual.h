/*
 * The manual page of the program, made of the same tables as its help.
 */
#ifndef MANUAL_H
#define MANUAL_H

#include <stdio.h>

/* Writes scopa-arena(1) in the mdoc language. */
void manual_print(FILE *file);

#endif
