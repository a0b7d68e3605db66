/*
 * Pack files: one pack a line, 40 cards of two characters in order of dealing.
 *
 * Blanks between cards are allowed, `#` begins a comment, and lines without a
 * card are skipped.
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
 * Reads one line.  1: *pack is written; 0: no card stands there; -EBADMSG: it
 * is no pack, and `why` says what is wrong with it.
 */
int pack_file_line_read(const char *line, size_t length,
    uint8_t pack[SCOPA_PACK_SIZE], struct scopa_text *why);

/*
 * Reads a whole file, which must hold a pack at least.  0; -EBADMSG with the
 * line and the reason in `why`; another -errno where it cannot be read.
 */
int pack_file_open(
    struct pack_file *packs, const char *path, struct scopa_text *why);
void pack_file_close(struct pack_file *packs);

/*
 * Tells packs that repeat, for rounds of `deals` packs that begin at pack 0,
 * deals, 2 deals, ... and go round.  sets[i], of packs->count, is the same for
 * two rounds that begin at these packs where they share one: the first that
 * does.  *repeated counts the packs that stand in the file before.  0 or
 * -ENOMEM.
 */
int pack_file_sets(
    const struct pack_file *packs, int deals, int *sets, int *repeated);

#endif
