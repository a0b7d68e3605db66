/*
 * Cards, moves and states as text: what is read is written the same way, once
 * it has been written in canonical form.
 */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "scopa/notation.h"

static void
try_set(const char *bytes, size_t size)
{
	char buffer[128];
	struct scopa_text text;
	scopa_set set, again;

	if (scopa_set_parse(bytes, size, &set) != SCOPA_PARSED)
		return;
	assert((set & ~SCOPA_SET_ALL) == 0);
	scopa_text_init(&text, buffer, sizeof(buffer));
	scopa_set_format(set, &text);
	assert(!text.cut);
	assert(
	    scopa_set_parse(text.bytes, text.length, &again) == SCOPA_PARSED);
	assert(set == again);
}

static void
try_move(const char *bytes, size_t size)
{
	char buffer[128];
	struct scopa_text text;
	struct scopa_move move, again;

	memset(&move, 0, sizeof(move));
	memset(&again, 0, sizeof(again));
	if (scopa_move_parse(bytes, size, &move) != SCOPA_PARSED)
		return;
	scopa_text_init(&text, buffer, sizeof(buffer));
	scopa_move_format(&move, &text);
	assert(!text.cut);
	assert(
	    scopa_move_parse(text.bytes, text.length, &again) == SCOPA_PARSED);
	assert(scopa_move_equal(&move, &again));
}

static void
try_state(const char *line)
{
	char buffer[256];
	struct scopa_text why;
	struct scopa_rules rules;
	struct scopa_view view;

	scopa_text_init(&why, buffer, sizeof(buffer));
	if (scopa_state_parse(line, &rules, &view, &why))
		assert(view.seat < rules.players);
	else
		assert(why.length > 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[4097];

	if (size >= sizeof(line))
		return 0;
	memcpy(line, data, size);
	line[size] = '\0';
	try_set(line, size);
	try_move(line, size);
	if (strlen(line) == size)
		try_state(line);
	return 0;
}
