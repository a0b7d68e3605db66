/*
 * What a seat knows of its match, kept up to date from the events alone.
 */
#ifndef SCOPA_BOT_TRACK_H
#define SCOPA_BOT_TRACK_H

#include "scopa/view.h"
#include "token.h"

struct track {
	struct scopa_rules rules;
	struct scopa_view view;
	bool running; /* a deal is being played, and `view` describes it */
};

void track_init(struct track *track);

/*
 * Each takes one event: the line without its verb.  An event that makes no
 * sense is skipped, as is an unknown key.
 */
void track_match(struct track *track, struct token line);
void track_rules(struct track *track, struct token line);
void track_deal(struct track *track, struct token line);
void track_redeal(struct track *track, struct token line);
void track_table(struct track *track, struct token line);
void track_give(struct track *track, struct token line);
void track_sweep(struct track *track, struct token line);
void track_declare(struct track *track, struct token line);
void track_show(struct track *track, struct token line);
void track_play(struct track *track, struct token line);
void track_end(struct track *track, struct token line);

#endif
