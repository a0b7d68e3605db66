#include "knowledge.h"

#include <assert.h>

#include "imagine.h"
#include "scopa/notation.h"

bool
knowledge_from_events(const struct track *track, struct knowledge *knowledge)
{
	if (!track->running)
		return false;
	knowledge->rules = track->rules;
	knowledge->view = track->view;
	return imagine_deal(
	    &knowledge->rules, &knowledge->view, &knowledge->deal);
}

bool
knowledge_from_state(const char *state, struct knowledge *knowledge)
{
	enum { WHY_SIZE = 256 };
	char bytes[WHY_SIZE];
	struct scopa_text why;

	scopa_text_init(&why, bytes, sizeof(bytes));
	return state != NULL &&
	    scopa_state_parse(
		state, &knowledge->rules, &knowledge->view, &why) &&
	    imagine_deal(&knowledge->rules, &knowledge->view, &knowledge->deal);
}

void
knowledge_moves(const struct knowledge *knowledge, struct scopa_text *text)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(
	    &knowledge->rules, &knowledge->deal, moves, SCOPA_MOVES_MAX);

	assert(count <= SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
}
