/*
 * Cards, moves and states as text: the canonical form of what was read is read
 * and written in the same way.
 */
#include <string.h>

#include "fuzz.h"
#include "scopa/notation.h"

static void
try_set(const char *bytes, size_t size)
{
	struct scopa_text text = SCOPA_TEXT(128);
	scopa_set set, again;

	if (scopa_set_parse(bytes, size, &set) != SCOPA_PARSED)
		return;
	fuzz_check((set & ~SCOPA_SET_ALL) == 0);
	/* Each name is a different card. */
	fuzz_check(
	    set == SCOPA_SET_EMPTY || 2 * (size_t)scopa_set_count(set) == size);
	scopa_set_format(set, &text);
	fuzz_check(!text.cut);
	fuzz_check(
	    scopa_set_parse(text.bytes, text.length, &again) == SCOPA_PARSED);
	fuzz_check(set == again);
}

static void
try_move(const char *bytes, size_t size)
{
	struct scopa_text text = SCOPA_TEXT(128);
	struct scopa_move move, again;

	memset(&move, 0, sizeof(move));
	memset(&again, 0, sizeof(again));
	if (scopa_move_parse(bytes, size, &move) != SCOPA_PARSED)
		return;
	if (move.declaration == SCOPA_DECLARE_NOTHING && move.captured)
		fuzz_check(
		    3 + 2 * (size_t)scopa_set_count(move.captured) == size);
	scopa_move_format(&move, &text);
	fuzz_check(!text.cut);
	fuzz_check(
	    scopa_move_parse(text.bytes, text.length, &again) == SCOPA_PARSED);
	fuzz_check(scopa_move_equal(&move, &again));
}

static void
try_state(const char *line)
{
	struct scopa_text why = SCOPA_TEXT(256);
	struct scopa_rules rules;
	struct scopa_view view;

	if (scopa_state_parse(line, &rules, &view, &why))
		fuzz_check(view.seat < rules.players);
	else
		fuzz_check(why.length > 0);
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
