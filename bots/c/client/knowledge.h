/*
 * What a seat knows of its match: kept up to date from the events alone, read
 * from a `state` line, or told whole by a `cards` line.
 */
#ifndef SCOPA_BOT_KNOWLEDGE_H
#define SCOPA_BOT_KNOWLEDGE_H

#include "scopa/view.h"
#include "token.h"

/* From the events. */
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

/*
 * What a bot knows of a deal when it is asked, and a deal that agrees with it.
 */
struct knowledge {
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_deal deal; /* imagined */
};

/*
 * From the events so far, or from a `state` line with its verb and a NUL (or
 * NULL: there was none).  False where that tells nothing, or contradicts
 * itself; *knowledge is not to be used then.
 */
bool knowledge_from_events(
    const struct track *track, struct knowledge *knowledge);
bool knowledge_from_state(const char *state, struct knowledge *knowledge);

/* All legal moves with blanks between. */
void knowledge_moves(
    const struct knowledge *knowledge, struct scopa_text *text);

/*
 * Puts the cards of a `cards` line, without its verb, where they lie:  `deal`
 * is one that agrees with the view (see world.h), and then the true one.
 * False, and *deal left alone, where the line contradicts the view or itself.
 */
bool unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal);

#endif
