/*
 * The verbs of a bot: who may say what, and when.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include "referee.h"

/* One line of a bot's. */
struct protocol_line {
	struct words words;
	const struct referee_event *event;
};

struct protocol_verb {
	const char *name;
	unsigned phases; /* bits of enum session_phase in which it may come */
	void (*handle)(struct referee *referee,
	    const struct protocol_line *line, struct outbox *outbox);
	int argument_count; /* words before the pairs */
	const char *keys;   /* of its pairs; NULL: any, or it looks itself */
};

extern const struct protocol_verb protocol_verbs[];
extern const int protocol_verb_count;

/*
 * Judges a line by the phase its bot is in: handles it, or reports it with an
 * `error` line.  Lines of a bot that is stale or gone are dropped.
 */
void protocol_take(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox);

#endif
