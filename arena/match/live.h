/*
 * Games in progress, for people who watch a run: the file `live` in its folder.
 *
 * While there are viewers, each match writes what all seats have seen of the
 * deal, without the last play, to its slot of the file.  The process that shows
 * the run writes the time into the head of the file, again and again.  If that
 * time is old, there is no viewer, and a match only reads it, some times a
 * second.
 *
 * A slot holds lines of the record as the protocol sends them to a seat that
 * has no cards: no hand, no pack, no seed, no `info`.  Games of a block have
 * the same packs.  So if bots could read the file or a page, as they can
 * without a sandbox, the slots hold no cards at all.
 */
#ifndef LIVE_H
#define LIVE_H

#include <stdbool.h>
#include <stdint.h>

#define LIVE_FILE "live"

/* A look counts for so long; a match writes at most so often. */
#define LIVE_LOOK_NS INT64_C(3000000000)
#define LIVE_PAUSE_NS INT64_C(200000000)

enum { LIVE_SLOT_SIZE = 8192, LIVE_TEXT_SIZE = LIVE_SLOT_SIZE - 40 };

/* One game; the file has them after a head of the same size. */
struct live_slot {
	int64_t version; /* changes whenever the slot is written */
	int64_t game;    /* `m` and this number; 0: none is played */
	int32_t deal;    /* from 1 */
	int32_t plays;   /* of the deal, without the last */
	uint64_t size;
	char text[LIVE_TEXT_SIZE]; /* lines: seats, then the deal */
	int64_t version_again;     /* else it is half written */
};

_Static_assert(sizeof(struct live_slot) == LIVE_SLOT_SIZE, "no padding");

/* For the run and its workers. */
struct live {
	int fd;
	bool cards; /* bots can read neither file nor page */
};

/*
 * Makes the file with room for so many games at once.  0 or -errno.  live_close
 * removes it.
 */
int live_open(struct live *live, const char *path, int slot_count, bool cards);
void live_close(struct live *live, const char *path);

/* What a match knows of its slot. */
struct live_place {
	int slot;
	bool shown;     /* the slot holds the game */
	int64_t due_ns; /* when live_put() is to be called next */
};

struct record;

/*
 * If there are viewers, writes the game `mN` with its record so far to a slot.
 * Sets the time of the next call.
 */
void live_put(const struct live *live, struct live_place *place, int64_t game,
    const struct record *record, int64_t now_ns);

/* The game is over. */
void live_clear(const struct live *live, struct live_place *place);

/*
 * For viewers.
 */

/* Opens the file of another process to read.  A descriptor or -errno. */
int live_attach(const char *path);

/* Announces a viewer: writes the time into the head of the file. */
void live_look(int fd, int64_t now_ns);

/* Reads a slot; false if there is none, or it is being written. */
bool live_get(int fd, int slot, struct live_slot *read);

#endif
