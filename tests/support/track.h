/*
 * What a seat knows of its match, kept up to date from the events alone: how a
 * bot without `state` would do it.
 */
#ifndef SCOPA_TEST_TRACK_H
#define SCOPA_TEST_TRACK_H

#include "builtin.h"
#include "scopa/view.h"

struct track {
	struct scopa_rules rules;
	struct scopa_view view;
	bool running; /* a deal is being played, and `view` describes it */
};

void track_init(struct track *track);

/* Takes one line; one that makes no sense, or is no event, is skipped. */
void track_hear(struct track *track, struct token line);

#endif
