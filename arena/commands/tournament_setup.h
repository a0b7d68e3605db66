/*
 * From what a tournament or gate was told to what is played.
 */
#ifndef TOURNAMENT_SETUP_H
#define TOURNAMENT_SETUP_H

#include "game_options.h"
#include "gate.h"
#include "roll_call.h"
#include "schedule.h"
#include "tournament_options.h"

struct tournament_setup {
	bool is_gate;
	const char *name;          /* of the run */
	struct match_rules rules;  /* `packs` points into this struct */
	struct shuffle_key secret; /* before contributions; rules has the key */
	const struct contributions *contributions; /* in the settings */
	bool drawn; /* nobody has given the secret, or packs */
	struct packs packs;
	int *pack_sets; /* of `suite`; owned */
	struct standings_suite suite;
	struct walls walls;       /* once raised; `rules` points to them then */
	const char *packs_path;   /* of their file, or NULL */
	struct entrant *entrants; /* owned; of a gate: candidate, base */
	struct entrant_words *words; /* of the entrants; owned */
	int entrant_count;
	struct schedule_config schedule;
	struct gate_config gate; /* of a gate */
	double level;            /* of intervals */
	enum series_pin pin;
	struct cores cores; /* of SERIES_PIN_LIST */
	int concurrency;
	int thinkers; /* as in struct series_config */
};

/*
 * Says what is wrong on stderr and returns its status: STATUS_USAGE, or
 * STATUS_ENVIRONMENT.  On STATUS_DONE the setup is the caller's to close; it
 * must not move, and the settings must outlive it.  ENTRANT_TO_READ: bots and
 * cores are not looked at, they may be those of another machine; and a file of
 * packs that is not there costs a warning, as repeated packs are then not known.
 */
enum status tournament_setup_open(struct tournament_setup *setup,
    const struct tournament_settings *settings, bool gate,
    enum entrant_use use);
void tournament_setup_close(struct tournament_setup *setup);

/*
 * Every bot but those excused (NULL: none) must get ready once, before anything
 * is played; rolls[bot] is what it answered.  A bot that does not is said on
 * stderr: STATUS_BOT, or STATUS_USAGE where it may not play in such games.
 * 128 + N where signal N ended it.
 */
enum status tournament_setup_call(const struct tournament_setup *setup,
    const bool *excused, struct roll *rolls);

/*
 * The configuration as executed: what `--config` reads to the same setup again,
 * from any folder.  `names`, an entry for each entrant, are what the bots are
 * called now; NULL: as given.  A text for free(), or NULL
 * without memory.
 */
char *tournament_setup_config(const struct tournament_setup *setup,
    const struct tournament_settings *settings, const char *const *names);

#endif
