/*
 * What a bot computes while it is not to move, by its CPU time.
 *
 * A look costs some ten microseconds a process, as much as a whole move of an
 * instant bot: so only those turns are watched that a heartbeat of the loop
 * finds open, from then on.  Of many short turns it is as many as chance will
 * have.
 */
#ifndef PONDER_WATCH_H
#define PONDER_WATCH_H

#include "bot.h"
#include "referee.h"

struct ponder_watch {
	int64_t since_ns; /* when it began, or 0: the bot is not watched */
	int64_t look_ns;  /* when to look again */
	int64_t cpu_ns;   /* the bot's CPU time at since_ns */
};

/* What a bot has done since it is watched. */
struct ponder_seen {
	int64_t cpu_ns, wall_ns;
	bool computes; /* and that was no tidying up */
};

/* Begins to watch; false where the bot's CPU time cannot be read. */
bool ponder_watch_begin(struct ponder_watch *watch, const struct bot *bot);

/*
 * What the bot has done; the times are those of earlier watches in the same
 * game, which count towards `computes`.
 */
struct ponder_seen ponder_watch_see(const struct ponder_watch *watch,
    const struct bot *bot, int64_t earlier_cpu_ns, int64_t earlier_wall_ns);

/* Whether to look now.  Each look is as far from the next as from the start. */
bool ponder_watch_due(struct ponder_watch *watch, int64_t now_ns);

/* Whether this input to the session's seat may end a turn, or a game. */
bool ponder_ends_turn(
    const struct session *session, const struct referee_input *input);

#endif
