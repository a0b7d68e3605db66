/*
 * From what match, tournament and gate were told alike to what they play.
 *
 * What cannot be is said on stderr: STATUS_USAGE, or STATUS_ENVIRONMENT where
 * the machine is to blame.
 */
#ifndef GAME_SETUP_H
#define GAME_SETUP_H

#include "game_options.h"
#include "match.h"
#include "status.h"
#include "walls.h"

/*
 * The rule set with what --seats, --teams and --target add, and the number of
 * deals.  Where nothing says how many seats there are, so many bots may: they
 * are one a party, one a seat, or else as many as there are to be seats; 0: the
 * preset decides.
 */
enum status game_setup_rules(const struct game_settings *settings,
    int bot_count, struct match_rules *rules);

/*
 * Resolves bots.  Each of `words` is given what --each says; entrants point into
 * them.  *control is the time of all.
 */
enum status game_setup_bots(const struct game_settings *settings,
    struct entrant_words *words, struct entrant *entrants, int count,
    enum entrant_use use, struct budget_control *control);

/* Referee and grace, once the rules are there. */
void game_setup_referee(const struct game_settings *settings,
    const struct budget_control *control, struct match_rules *rules);

/* The secret: as given, or drawn. */
enum status game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules);

/* Opens the pack file, if one is given, and makes the rules point to it. */
enum status game_setup_packs(const struct game_settings *settings,
    struct packs *packs, struct match_rules *rules);

/*
 * Raises the walls around bots, and makes the rules point to them.  Which ones
 * are missing, and why, is said unless --quiet.  `hidden`: what bots must not
 * read, or NULL.
 */
enum status game_setup_walls(const struct game_settings *settings,
    const char *hidden, struct walls *walls, struct match_rules *rules);

/* Hides one more file or folder from bots, if there is one to hide; what cannot
 * be hidden is said on stderr. */
enum status game_setup_hide(struct walls *walls, const char *path);

/* Cores that cannot be had are found before anything starts. */
enum status game_setup_pin(const struct game_settings *settings,
    enum series_pin *pin, struct cores *cores);

/*
 * How many blocks of `game_count` games --rounds and --games ask for; 0: they
 * ask for none, and `rounds` says so.
 */
enum status game_setup_rounds(
    int64_t rounds, int64_t games, int game_count, int64_t *blocks);

/* Says that the machine refused something: -errno. */
enum status game_setup_complain(int error);

#endif
