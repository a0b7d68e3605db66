/*
 * Where the command `sprt` has its results from.
 */
#ifndef SPRT_SOURCE_H
#define SPRT_SOURCE_H

#include "sprt_evidence.h"

/* As options give it; what is not given is NULL. */
struct sprt_source {
	/* Numbers with commas between them, or a file: one of these. */
	const char *wdl, *penta, *moments, *records;
	const char *bot, *base; /* of records */
	bool single;            /* of moments: blocks are single games */
	/* Between which points a deal bets are to be made, of records. */
	bool bets;
	double low, high;
};

/*
 * Reads the evidence.  STATUS_DONE, or STATUS_FAILED where it was read but for
 * records that are bad; otherwise evidence->source is NULL.  What is wrong was
 * said.
 */
enum status sprt_source_read(
    const struct sprt_source *source, struct sprt_evidence *evidence);

#endif
