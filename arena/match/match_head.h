/*
 * The parts of a game record that come from the arena and not from the referee:
 * its head, with the names of the players and facts about the arena, the clock
 * and the packs; and the code for the way in which a bot has ended.  Also the
 * description of a fault for messages to the user, and the order to start the
 * process of a bot.
 */
#ifndef MATCH_HEAD_H
#define MATCH_HEAD_H

#include "bot.h"
#include "match.h"
#include "session.h"

/*
 * Copies a name that will be printed, cut to `size`. A byte that is no UTF-8,
 * and each character of utf8_steers(), is written as \xNN.
 */
void match_head_plain(const char *name, char *plain, size_t size);

/*
 * Writes a player's name: the name that the user gave, or else the name that
 * the bot sent, or else the name of its file; of a built-in bot the word after
 * @.
 */
void match_head_name(const struct entrant *entrant,
    const struct session *session, char name[EVENT_NAME_SIZE]);

/*
 * Writes a name followed by a suffix that makes it another one. If both are too
 * long, the name is cut after a whole character.
 */
void match_head_name_extend(
    char name[EVENT_NAME_SIZE], const char *plain, const char *suffix);

/*
 * What the game has instead of the secret; NULL: it has the secret.
 */
struct deal_keys_slot *match_keys(
    const struct match_rules *rules, const struct game_spec *game);

/*
 * Computes or finds the key of a deal and redeal, both from 0.  Returns false
 * if the game has keys and none for them.
 */
bool match_deal_key(const struct match_rules *rules,
    const struct game_spec *game, int deal, int redeal,
    struct shuffle_key *key);

/* The same for the key from which the ids of decisions follow. */
void match_nonces_key(const struct match_rules *rules,
    const struct game_spec *game, struct shuffle_key *key);

/*
 * Writes the tag of this game, without the verb, as one that began at `utc` in
 * a sandbox of this name (sandbox_name()).
 */
void match_head_tag(struct scopa_text *tag, const struct match_rules *rules,
    const struct game_spec *game, const struct entrant *entrants,
    const char *utc, const char *sandbox);

/*
 * Writes the head of this game. `sessions` has one session for each seat. If
 * two entrants have the same name, `-2` and so on is appended to later ones.
 */
void match_head_fill(struct game_head *head, const struct match_rules *rules,
    const struct game_spec *game, const struct entrant *entrants,
    const struct session *const sessions[]);

/*
 * The order to start a process of the entrant, in the sandbox of `rules` and
 * with its limit of memory.  `arguments` is filled; it, the entrant and the
 * sandbox must outlive the order.
 */
struct process_order match_process_order(const struct match_rules *rules,
    const struct entrant *entrant,
    const char *arguments[PROGRAM_ARGUMENTS_MAX + 1]);

/*
 * Writes what the session of the bot at `seat` knows about its fault.  The
 * caller adds what it knows about the process: `received`, `ending`, `late`,
 * `stderr_tail`.
 */
void match_fault_fill(struct match_fault *fault, const struct referee *referee,
    int seat, enum offence_kind kind, const char reason[SESSION_REASON_SIZE]);

/*
 * The same for the offence by which a game was lost, with the position; sets
 * fault->seat to -1 if it was lost by none.
 */
void match_fault_fill_offence(
    struct match_fault *fault, const struct referee *referee);

/*
 * Writes the code in the record for the way in which a bot has ended:
 * EXIT(status), CRASH(signal), LIMIT_MEM or EXEC_FAIL(error).
 */
void exit_reason_of(
    const struct bot_exit *exit, char reason[SESSION_REASON_SIZE]);

#endif
