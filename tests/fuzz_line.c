/*
 * Bytes that come in any pieces make the same lines and flaws.  The first byte
 * of an input says how large the pieces are.
 */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "line.h"

enum { OUTCOME_MAX = 4096 };

/* Kinds and lengths of what came out, a flood told once included. */
struct outcome {
	size_t count;
	size_t sum;
	enum line_kind kinds[OUTCOME_MAX];
};

static void
take_lines(struct line_reader *reader, struct outcome *outcome)
{
	struct line line;
	enum line_kind kind;

	while ((kind = line_next(reader, &line)) != LINE_NONE) {
		assert(line.length <= LINE_SIZE_MAX);
		if (kind != LINE_FLOOD)
			assert(line.bytes[line.length] == '\0');
		for (size_t i = 0; i < line.length; i++)
			outcome->sum =
			    outcome->sum * 31 + (unsigned char)line.bytes[i];
		outcome->sum = outcome->sum * 31 + line.length;
		if (outcome->count < OUTCOME_MAX)
			outcome->kinds[outcome->count++] = kind;
	}
}

static void
read_in_pieces(const uint8_t *data, size_t size, size_t piece_size,
    struct outcome *outcome)
{
	static struct line_reader reader;

	memset(outcome, 0, sizeof(*outcome));
	line_init(&reader);
	while (size > 0) {
		size_t room, part;
		char *space = line_space(&reader, &room);

		assert(room >= LINE_BUFFER_SIZE / 2);
		part = size < piece_size ? size : piece_size;
		part = part < room ? part : room;
		memcpy(space, data, part);
		line_feed(&reader, part);
		take_lines(&reader, outcome);
		data += part;
		size -= part;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct outcome whole, pieces;

	if (size < 1)
		return 0;
	read_in_pieces(data + 1, size - 1, SIZE_MAX, &whole);
	read_in_pieces(data + 1, size - 1, (size_t)data[0] + 1, &pieces);
	assert(whole.count == pieces.count);
	assert(whole.sum == pieces.sum);
	assert(memcmp(whole.kinds, pieces.kinds, sizeof(whole.kinds)) == 0);
	return 0;
}
