/*
 * Pack files: text files with one pack on each line. A pack is 40 cards of two
 * characters, in the order in which they are dealt.
 *
 * Blanks between cards are allowed, `#` begins a comment that ends with the
 * line, and lines without a card are skipped.
 */
#ifndef PACK_FILE_H
#define PACK_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "scopa/card.h"
#include "scopa/text.h"

enum {
	PACK_FILE_MAX = 1000000,       /* packs of a file */
	PACK_FILE_LINE_SIZE_MAX = 4096 /* bytes of a line, line end included */
};

struct pack_file {
	uint8_t (*packs)[SCOPA_PACK_SIZE]; /* owned */
	int count;
};

/*
 * Reads one line. Returns 1 if the line holds a pack, which is written to
 * `pack`; 0 if it holds no card; -EBADMSG if it holds no valid pack, with the
 * reason in `why`.
 */
int pack_file_line_read(const char *line, size_t length,
    uint8_t pack[SCOPA_PACK_SIZE], struct scopa_text *why);

/*
 * Reads a whole file, which must hold at least one pack. Returns 0, and the
 * caller closes the packs; -EBADMSG with the line number and the reason in
 * `why`; or another -errno if the file cannot be read or there is no memory.
 */
int pack_file_open(
    struct pack_file *packs, const char *path, struct scopa_text *why);

/* Frees the packs; a zeroed struct is allowed. */
void pack_file_close(struct pack_file *packs);

/*
 * The place in a file of `count` packs at which a round begins, from 0. A round
 * is `deals` packs in a row (0: a match has no number of deals, and the rounds
 * begin one after the other); after the last pack comes the first.
 */
static inline int
pack_file_place(int count, int round, int deals)
{
	return (int)((int64_t)round * (deals > 0 ? deals : 1) % count);
}

/*
 * Finds rounds that share packs. The rounds begin at pack 0, deals, 2 deals,
 * and so on, until one begins where an earlier round has begun.
 *
 * For each pack i at which a round begins, sets[i] is the number of its set:
 * the smallest set of an earlier round that has a pack in common with it, or i
 * if there is none. For other packs sets[i] is -1. `sets` has room for
 * packs->count numbers. *repeated is the number of packs that have the same
 * cards as an earlier pack of the file. Returns 0 or -ENOMEM.
 */
int pack_file_sets(
    const struct pack_file *packs, int deals, int *sets, int *repeated);

#endif
