/*
 * Bytes in any pieces make the same lines and flaws, which are those of a slow
 * model that reads byte by byte.
 *
 * The first byte of an input decides the sizes of pieces.  The others are sent:
 *
 *	~ the byte before, repeated until the line is one byte shorter than its
 *	  limit, or than twice the limit, and so on
 *	^ the line before, eight times
 *	| the arena expected all bytes so far: the counts start again
 */
#include <stdbool.h>
#include <string.h>

#include "buffers.h"
#include "fuzz.h"

enum {
	BYTES_MAX = LINE_FLOOD_BYTES + 4 * LINE_SIZE_MAX,
	MARKS_MAX = 64,
	FOUND_MAX = 4096
};

/* The bytes that are sent, and the offsets at which the counts start again. */
struct sending {
	size_t size;
	size_t marks[MARKS_MAX];
	int mark_count;
	char bytes[BYTES_MAX];
};

/* A line that must be read, by its place in the bytes that are sent. */
struct wanted_line {
	enum line_kind kind;
	size_t begin, length;
};

struct wanted {
	int count;
	struct wanted_line lines[FOUND_MAX];
	size_t pending; /* length of the incomplete line at the end */
};

/* The slow model. */
struct model {
	bool discarding, flooded;
	size_t line_count, byte_count;
	size_t begin, length; /* the incomplete line so far */
};

static struct sending sending;
static struct wanted wanted;

static void
expect_line(enum line_kind kind, size_t begin, size_t length)
{
	if (wanted.count < FOUND_MAX)
		wanted.lines[wanted.count++] =
		    (struct wanted_line){ kind, begin, length };
}

static void
send_byte(char byte)
{
	if (sending.size < BYTES_MAX)
		sending.bytes[sending.size++] = byte;
}

/* The start of the line that ends before `end`. */
FUZZ_UNTRACED static size_t
line_begin(size_t end)
{
	while (end > 0 && sending.bytes[end - 1] != '\n')
		end--;
	return end;
}

static void
repeat_byte(void)
{
	size_t begin = line_begin(sending.size);
	size_t size =
	    LINE_SIZE_MAX - 1 - (sending.size - begin) % LINE_SIZE_MAX;

	if (size == 0)
		size = LINE_SIZE_MAX;
	if (sending.size == begin || sending.size + size > BYTES_MAX)
		return;
	memset(sending.bytes + sending.size, sending.bytes[sending.size - 1],
	    size);
	sending.size += size;
}

static void
repeat_line(void)
{
	size_t end = line_begin(sending.size);
	size_t begin = end > 0 ? line_begin(end - 1) : 0;
	size_t size = end - begin;

	for (int i = 0; i < 8 && sending.size + size <= BYTES_MAX; i++) {
		memcpy(
		    sending.bytes + sending.size, sending.bytes + begin, size);
		sending.size += size;
	}
}

static void
make_sending(const uint8_t *data, size_t size)
{
	sending.size = 0;
	sending.mark_count = 0;
	for (size_t i = 0; i < size; i++) {
		if (data[i] == '~')
			repeat_byte();
		else if (data[i] == '^')
			repeat_line();
		else if (data[i] != '|')
			send_byte((char)data[i]);
		else if (sending.mark_count < MARKS_MAX)
			sending.marks[sending.mark_count++] = sending.size;
	}
}

FUZZ_UNTRACED static bool
is_plain(const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((bytes[i] < 0x20 || bytes[i] > 0x7E) && bytes[i] != '\t')
			return false;
	return true;
}

static void
model_flood(struct model *model)
{
	model->flooded = true;
	model->length = 0;
	expect_line(LINE_FLOOD, 0, 0);
}

FUZZ_UNTRACED static void
model_end_line(struct model *model)
{
	const char *bytes = sending.bytes + model->begin;
	size_t length = model->length;

	model->length = 0;
	if (model->discarding) {
		model->discarding = false;
		return;
	}
	if (model->line_count == LINE_FLOOD_LINES) {
		model_flood(model);
		return;
	}
	model->line_count++;
	if (length > 0 && bytes[length - 1] == '\r')
		length--;
	expect_line(is_plain(bytes, length) ? LINE_WHOLE : LINE_BAD_BYTE,
	    model->begin, length);
}

/* Reads the byte at this offset. */
FUZZ_UNTRACED static void
model_byte(struct model *model, size_t at)
{
	char byte = sending.bytes[at];

	if (!model->flooded && ++model->byte_count > LINE_FLOOD_BYTES)
		model_flood(model);
	if (model->flooded) {
		model->discarding = byte != '\n';
		return;
	}
	if (byte == '\n') {
		model_end_line(model);
		return;
	}
	if (model->discarding)
		return;
	if (model->length++ == 0)
		model->begin = at;
	/* One byte above the limit may be the CR at the end of the line. */
	if (model->length <= LINE_SIZE_MAX ||
	    (model->length == LINE_SIZE_MAX + 1 && byte == '\r'))
		return;
	model->discarding = true;
	model->length = 0;
	if (model->line_count++ == LINE_FLOOD_LINES)
		model_flood(model);
	else
		expect_line(LINE_TOO_LONG, model->begin, LINE_SIZE_MAX);
}

FUZZ_UNTRACED static void
read_slowly(void)
{
	struct model model = { .discarding = false };
	int mark = 0;

	wanted.count = 0;
	for (size_t i = 0; i <= sending.size; i++) {
		while (mark < sending.mark_count && sending.marks[mark] == i) {
			model.flooded = false;
			model.line_count = 0;
			/* The incomplete line still counts. */
			model.byte_count = model.length;
			mark++;
		}
		if (i < sending.size)
			model_byte(&model, i);
	}
	wanted.pending = model.length;
}

/* Reads the complete lines; returns the number of lines so far. */
static int
read_lines(struct line_reader *reader, int count)
{
	struct line line;
	enum line_kind kind;

	while ((kind = line_next(reader, &line)) != LINE_NONE) {
		const struct wanted_line *next = &wanted.lines[count];

		if (count == FOUND_MAX)
			continue;
		fuzz_check(count < wanted.count);
		fuzz_check(kind == next->kind);
		fuzz_check(line.length == next->length);
		fuzz_check(line.bytes[line.length] == '\0');
		fuzz_check(memcmp(line.bytes, sending.bytes + next->begin,
			       line.length) == 0);
		count++;
	}
	fuzz_check(line.length == 0);
	return count;
}

/*
 * The size of the next piece: all bytes, always the same size, or random sizes.
 */
static size_t
draw_piece(uint8_t how, uint64_t *random)
{
	/*
	 * Each piece moves the rest of a long line, so pieces must not be too
	 * small.
	 */
	size_t least = sending.size / 2048;
	size_t draw;

	if (how == 0)
		return SIZE_MAX;
	if (how < 128)
		return how + least;
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	draw = (size_t)(*random >> 40);
	return draw % 8 == 0 ? 1 + draw / 8 % 4
			     : 1 + draw / 8 % (2 * least + how - 127U);
}

static void
read_in_pieces(uint8_t how)
{
	static struct line_reader reader;
	uint64_t random = how;
	size_t at = 0;
	int mark = 0, count = 0;

	line_init(&reader);
	for (;;) {
		size_t stop = sending.size, room, size;
		char *space;

		if (mark < sending.mark_count)
			stop = sending.marks[mark];
		if (at == stop) {
			if (mark++ == sending.mark_count)
				break;
			line_accept(&reader);
			continue;
		}
		space = line_space(&reader, &room);
		fuzz_check(room >= LINE_BUFFER_SIZE / 2);
		size = draw_piece(how, &random);
		size = size < room ? size : room;
		size = size < stop - at ? size : stop - at;
		memcpy(space, sending.bytes + at, size);
		line_feed(&reader, size);
		count = read_lines(&reader, count);
		at += size;
	}
	fuzz_check(count == wanted.count);
	fuzz_check(line_pending(&reader) == wanted.pending);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	make_sending(data + 1, size - 1);
	read_slowly();
	read_in_pieces(0);
	read_in_pieces(data[0]);
	return 0;
}
