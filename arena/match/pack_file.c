/*
 * Reads pack files and finds packs that repeat.
 *
 * The format is in pack_file.h. Every pack that is read has each of the forty
 * cards once. The first line that is wrong ends the reading, and the error
 * message names its number.
 */
#include "pack_file.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"

static_assert(SCOPA_PACK_SIZE == 40, "cards are counted in messages as 40");

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Describes a card that stands twice, the second time as the last one read. */
static void
say_twice(struct scopa_text *why, const uint8_t *pack, int count)
{
	int first = 0;

	while (pack[first] != pack[count])
		first++;
	scopa_text_print(why, "%c%c occurs twice, as card %d and as card %d",
	    scopa_value_letter(scopa_card_value(pack[count])),
	    scopa_suit_letter(scopa_card_suit(pack[count])), first + 1,
	    count + 1);
}

/* Names the cards that are missing in a pack. */
static void
say_missing(struct scopa_text *why, scopa_set seen)
{
	scopa_set missing = SCOPA_SET_ALL & ~seen;

	scopa_text_print(
	    why, "%d cards instead of 40; missing:", scopa_set_count(seen));
	while (missing != SCOPA_SET_EMPTY) {
		scopa_card card = scopa_set_take(&missing);

		scopa_text_print(why, " %c%c",
		    scopa_value_letter(scopa_card_value(card)),
		    scopa_suit_letter(scopa_card_suit(card)));
	}
}

int
pack_file_line_read(const char *line, size_t length,
    uint8_t pack[SCOPA_PACK_SIZE], struct scopa_text *why)
{
	uint8_t read[SCOPA_PACK_SIZE];
	scopa_set seen = SCOPA_SET_EMPTY;
	int count = 0;

	for (size_t i = 0; i < length && line[i] != '#';) {
		scopa_card card;

		if (is_blank(line[i])) {
			i++;
			continue;
		}
		if (count == SCOPA_PACK_SIZE) {
			scopa_text_string(why, "more than 40 cards");
			return -EBADMSG;
		}
		card = i + 1 < length ? scopa_card_find(line + i)
				      : SCOPA_CARD_NONE;
		if (card == SCOPA_CARD_NONE) {
			scopa_text_print(why,
			    "card %d is no card: \"%.*s\"; a card is one of "
			    "A234567JQK and one of DCSB, as in 7D",
			    count + 1, i + 1 < length ? 2 : 1, line + i);
			return -EBADMSG;
		}
		read[count] = card;
		if (scopa_set_has(seen, card)) {
			say_twice(why, read, count);
			return -EBADMSG;
		}
		seen |= scopa_set_of(card);
		count++;
		i += SCOPA_CARD_TEXT_SIZE;
	}
	if (count == 0)
		return 0;
	if (count < SCOPA_PACK_SIZE) {
		say_missing(why, seen);
		return -EBADMSG;
	}
	memcpy(pack, read, sizeof(read));
	return 1;
}

/*
 * Reads one line without its line end. The line may hold zero bytes. If it is
 * longer than the limit, the rest is left for the next call. Returns the
 * length, or -1 at the end of the file.
 */
static int
line_read(FILE *file, char line[PACK_FILE_LINE_SIZE_MAX])
{
	int length = 0;
	int byte = getc_unlocked(file);

	if (byte == EOF)
		return -1;
	while (byte != EOF && byte != '\n') {
		line[length++] = (char)byte;
		if (length == PACK_FILE_LINE_SIZE_MAX)
			break;
		byte = getc_unlocked(file);
	}
	return length;
}

/*
 * Adds the packs of all lines. Returns 0 or -errno. An error is described in
 * `reason` first, because the line number comes before it in `why`.
 */
static int
packs_read(struct pack_file *packs, FILE *file, struct scopa_text *why)
{
	char line[PACK_FILE_LINE_SIZE_MAX];
	int number = 0, capacity = 0, length;

	errno = 0;
	while ((length = line_read(file, line)) >= 0) {
		int status = -EBADMSG;
		struct scopa_text reason = SCOPA_TEXT(256);

		number++;
		if (ARRAY_GROW(packs->packs, packs->count, capacity))
			return -ENOMEM;
		if (length == PACK_FILE_LINE_SIZE_MAX)
			scopa_text_string(&reason, "4096 bytes or more");
		else
			status = pack_file_line_read(line, (size_t)length,
			    packs->packs[packs->count], &reason);
		if (status == 1 && packs->count == PACK_FILE_MAX) {
			scopa_text_string(&reason, "more than 1000000 packs");
			status = -EBADMSG;
		}
		if (status < 0) {
			scopa_text_print(
			    why, "line %d: %s", number, reason.bytes);
			return status;
		}
		packs->count += status;
	}
	/* For example, a folder can be opened, but not read. */
	if (ferror(file))
		return errno ? -errno : -EIO;
	if (packs->count == 0) {
		scopa_text_string(why, "no pack stands in it");
		return -EBADMSG;
	}
	return 0;
}

int
pack_file_open(
    struct pack_file *packs, const char *path, struct scopa_text *why)
{
	struct pack_file read = { NULL, 0 };
	FILE *file = fopen(path, "re");
	int status;

	if (file == NULL)
		return -errno;
	status = packs_read(&read, file, why);
	fclose(file);
	if (status < 0) {
		pack_file_close(&read);
		return status;
	}
	*packs = read;
	return 0;
}

void
pack_file_close(struct pack_file *packs)
{
	free(packs->packs);
	packs->packs = NULL;
	packs->count = 0;
}

/* Sorts by the cards, and packs with the same cards by their index. */
static int
pack_compare(const void *one, const void *two, void *context)
{
	const struct pack_file *packs = context;
	int a = *(const int *)one, b = *(const int *)two;
	int order = memcmp(packs->packs[a], packs->packs[b], SCOPA_PACK_SIZE);

	return order != 0 ? order : a - b;
}

/*
 * Sets firsts[i] to the index of the first pack that has the same cards as pack
 * i. Returns 0 or -ENOMEM.
 */
static int
packs_match(const struct pack_file *packs, int *firsts)
{
	int *order = calloc((size_t)packs->count, sizeof(*order));

	if (order == NULL)
		return -ENOMEM;
	for (int i = 0; i < packs->count; i++)
		order[i] = i;
	qsort_r(order, (size_t)packs->count, sizeof(*order), pack_compare,
	    (void *)(uintptr_t)packs);
	for (int i = 0; i < packs->count; i++) {
		bool same = i > 0 &&
		    memcmp(packs->packs[order[i]], packs->packs[order[i - 1]],
			SCOPA_PACK_SIZE) == 0;

		firsts[order[i]] = same ? firsts[order[i - 1]] : order[i];
	}
	free(order);
	return 0;
}

int
pack_file_sets(
    const struct pack_file *packs, int deals, int *sets, int *repeated)
{
	size_t count = (size_t)packs->count;
	int *firsts = calloc(count, sizeof(*firsts));
	int *owners = calloc(count, sizeof(*owners));
	int status = -ENOMEM, start = 0;

	if (firsts == NULL || owners == NULL || packs_match(packs, firsts) < 0)
		goto free_both;
	*repeated = 0;
	for (int i = 0; i < packs->count; i++) {
		*repeated += firsts[i] != i;
		owners[i] = sets[i] = -1;
	}
	do {
		int set = start;

		for (int k = 0; k < deals; k++) {
			int owner = owners[firsts[(start + k) % packs->count]];

			if (owner >= 0 && owner < set)
				set = owner;
		}
		for (int k = 0; k < deals; k++) {
			int *owner =
			    &owners[firsts[(start + k) % packs->count]];

			if (*owner < 0)
				*owner = set;
		}
		sets[start] = set;
		start = (start + deals) % packs->count;
	} while (sets[start] < 0);
	status = 0;
free_both:
	free(firsts);
	free(owners);
	return status;
}
