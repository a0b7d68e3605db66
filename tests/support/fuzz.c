#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES_MAX = 512, CHANGES_MAX = 4 };

/* A piece of the input without its separator. */
struct piece {
	size_t begin, length;
};

struct mutation {
	const struct fuzz_pieces *pieces;
	uint8_t *data;
	size_t size, size_max;
	uint64_t random;
	struct piece found[PIECES_MAX];
	int count;
};

void
fuzz_fail(const char *condition, const char *file, int line)
{
	/* Targets may have closed stdio streams. */
	dprintf(
	    STDERR_FILENO, "%s:%d: this is false: %s\n", file, line, condition);
	abort();
}

static size_t
draw(struct mutation *mutation, size_t limit)
{
	mutation->random = mutation->random * UINT64_C(6364136223846793005) +
	    UINT64_C(1442695040888963407);
	return (size_t)(mutation->random >> 33) % limit;
}

static void
find_pieces(struct mutation *mutation)
{
	size_t begin = mutation->pieces->head;

	mutation->count = 0;
	while (begin <= mutation->size && mutation->count < PIECES_MAX) {
		const uint8_t *end = memchr(mutation->data + begin,
		    mutation->pieces->separator, mutation->size - begin);
		size_t stop =
		    end ? (size_t)(end - mutation->data) : mutation->size;

		mutation->found[mutation->count++] =
		    (struct piece){ begin, stop - begin };
		begin = stop + 1;
	}
}

/* Replaces bytes by others; does nothing if they do not fit. */
static void
replace(struct mutation *mutation, size_t at, size_t length, const void *bytes,
    size_t size)
{
	size_t behind = mutation->size - at - length;

	if (mutation->size - length + size > mutation->size_max)
		return;
	memmove(
	    mutation->data + at + size, mutation->data + at + length, behind);
	memcpy(mutation->data + at, bytes, size);
	mutation->size = at + size + behind;
}

/* Inserts a piece and a separator after it. */
static void
insert(
    struct mutation *mutation, size_t at, const uint8_t *bytes, size_t length)
{
	uint8_t piece[1024];

	if (length >= sizeof(piece))
		return;
	memcpy(piece, bytes, length);
	piece[length] = (uint8_t)mutation->pieces->separator;
	replace(mutation, at, 0, piece, length + 1);
}

static void
insert_word(struct mutation *mutation, size_t at)
{
	const char *const *words = mutation->pieces->words;
	size_t count = 0;
	const char *word;

	while (words[count] != NULL)
		count++;
	word = words[draw(mutation, count)];
	insert(mutation, at, (const uint8_t *)word, strlen(word));
}

static void
fuzz_remove(struct mutation *mutation, const struct piece *piece)
{
	size_t with_separator =
	    piece->begin + piece->length < mutation->size ? 1 : 0;

	replace(mutation, piece->begin, piece->length + with_separator, "", 0);
}

/* Changes one piece with the mutator of libFuzzer. */
static void
change(struct mutation *mutation, const struct piece *piece)
{
	uint8_t bytes[1024];
	size_t length;

	if (piece->length > sizeof(bytes) / 2)
		return;
	memcpy(bytes, mutation->data + piece->begin, piece->length);
	length = LLVMFuzzerMutate(bytes, piece->length, sizeof(bytes));
	for (size_t i = 0; i < length; i++)
		if (bytes[i] == (uint8_t)mutation->pieces->separator)
			bytes[i] ^= 1;
	replace(mutation, piece->begin, piece->length, bytes, length);
}

static void
change_once(struct mutation *mutation)
{
	const struct piece *one, *other;

	find_pieces(mutation);
	if (mutation->count == 0)
		return;
	one = &mutation->found[draw(mutation, (size_t)mutation->count)];
	other = &mutation->found[draw(mutation, (size_t)mutation->count)];
	switch (draw(mutation, 6)) {
	case 0:
	case 1:
		insert_word(mutation, one->begin);
		break;
	case 2:
		insert(mutation, one->begin, mutation->data + other->begin,
		    other->length);
		break;
	case 3:
		fuzz_remove(mutation, one);
		break;
	default:
		change(mutation, one);
		break;
	}
}

size_t
fuzz_mutate_pieces(const struct fuzz_pieces *pieces, uint8_t *data, size_t size,
    size_t size_max, unsigned seed)
{
	struct mutation mutation = { .pieces = pieces,
		.data = data,
		.size = size,
		.size_max = size_max,
		.random = seed };

	/*
	 * Changes also the head, and makes changes that are not of whole
	 * pieces.
	 */
	if (size < pieces->head || draw(&mutation, 8) == 0)
		return LLVMFuzzerMutate(data, size, size_max);
	for (size_t i = 1 + draw(&mutation, CHANGES_MAX); i > 0; i--)
		change_once(&mutation);
	return mutation.size;
}
