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
#include "rule_set.h"
#include "status.h"

/*
 * The rule set with what --seats, --teams and --target add.  `players` is the
 * number of seats where nothing else says it, or 0: the preset's.
 */
enum status game_setup_rules(const struct game_settings *settings, int players,
    struct match_rules *rules);

/* Referee, deals and grace, once the rules are there. */
void game_setup_referee(
    const struct game_settings *settings, struct match_rules *rules);

/* The secret: as given, or drawn. */
enum status game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules);

/* Opens the pack file, if any, and makes the rules point to it. */
enum status game_setup_packs(const struct game_settings *settings,
    struct packs *packs, struct match_rules *rules);

/* Cores that cannot be had are found before anything starts. */
enum status game_setup_pin(const struct game_settings *settings,
    enum series_pin *pin, struct cores *cores);

/* Says that the machine refused something: -errno. */
enum status game_setup_complain(int error);

#endif
