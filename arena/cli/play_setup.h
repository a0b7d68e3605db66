/*
 * A game of persons against bots that is being set up: what its options say,
 * and the steps from them to what is played.
 */
#ifndef PLAY_SETUP_H
#define PLAY_SETUP_H

#include "game_options.h"
#include "play_resume.h"

#define PLAY_BOT_USUAL "@maestro"

struct play_settings {
	struct game_settings game;
	unsigned persons; /* bit for each seat */
	const char *names, *hint, *record;
	const char *resume; /* the record of the game to go on with, or NULL */
};

/* Option rows about persons; offsets from struct play_settings. */
extern const struct option play_person_options[];

/* The path of the record file; NULL: no record is kept. */
const char *play_record_path(const struct play_settings *settings);

/*
 * Opens the record file, which the caller closes.  Sets *fd to -1 if no record
 * is kept.  Returns STATUS_DONE or prints an error.
 */
enum status play_record_open(const struct play_settings *settings, int *fd);

struct play_setup {
	struct play_settings settings;
	struct play_resume resume;
	/* its rules point into this struct, which must not move */
	struct dispatcher_config config;
	struct game_bots bots;
	struct pack_file packs;
	const struct sandbox *shared; /* in which bots run, or NULL */
	struct sandbox sandbox;       /* used without a shared one */
	/* Persons in the order of their seats, then the bots. */
	struct entrant entrants[2 * SCOPA_SEATS_MAX];
	struct game_spec spec;
	char names[SCOPA_SEATS_MAX][EVENT_NAME_SIZE];
	char commands[SCOPA_SEATS_MAX][EVENT_NAME_SIZE + 1]; /* `@greedy` */
};

/*
 * Sets up the game.  `shared`: the sandbox of its bots, which outlives the
 * game; NULL: the sandbox is set up, too.  Returns STATUS_DONE or prints an
 * error.  The caller closes the setup in any case.
 */
enum status play_setup_open(struct play_setup *setup,
    const struct play_settings *settings, const struct sandbox *shared);
void play_setup_close(struct play_setup *setup);

#endif
