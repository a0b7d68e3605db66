/*
 * The course of a game: deals, moves and scores become events.
 *
 * Only this module writes the events of a deal.  A live match and `record
 * derive` both use it, so a record that was played and one that was derived are
 * the same.
 */
#ifndef GAME_H
#define GAME_H

#include "outbox.h"

enum {
	/*
	 * Number of deals after which a game to a target ends, if its target is
	 * not higher.
	 */
	GAME_MAX_DEALS = 1000,
	/*
	 * The greatest number that can be set; the record then has about 25 MB.
	 */
	GAME_MAX_DEALS_MAX = 10000,
	GAME_LINE_SIZE_MAX = 65535 /* bytes of a line, without its line end */
};

/*
 * `reason=` of the `endmatch` of a game that ended after this number of deals.
 */
#define GAME_REASON_MAX_DEALS "max-deals"

enum game_phase {
	GAME_PACK, /* waits for game_deal */
	GAME_MOVE, /* waits for game_move of seat deal.turn */
	GAME_OVER  /* the tally is decided; waits for game_end */
};

/* The content of the first lines of a game: `match`, `tag`, `rules`, `seat`. */
struct game_head {
	/* game_open fills in rules, seats, teams, target */
	struct event_match match;
	char tag[EVENT_TEXT_SIZE]; /* without the verb; may be empty */
	/* game_open fills in seat and team */
	struct event_seat seats[SCOPA_SEATS_MAX];
};

struct game {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct outbox *outbox;
	struct scopa_tally tally;
	struct scopa_deal deal;
	enum game_phase phase;
	int redeal_count; /* packs of this deal that were redealt so far */
	int max_deals;    /* a game to a target is a draw after this number */
	bool drawn;       /* the game is a draw because of max_deals */
	char id[EVENT_ID_SIZE];
};

/* Circumstances of a move, for the record. */
struct game_stamp {
	int64_t time_us;   /* thinking time, or -1 */
	const char *cause; /* why the arena moved for the seat, or NULL */
	const char *info;  /* `info` lines of this decision, or NULL */
};

/* What is needed to open a game. */
struct game_opening {
	const struct scopa_rules *rules;
	const struct scopa_preset *preset;
	const struct game_head *head;
	int dealer;    /* seat that deals first */
	int deals;     /* fixed number of deals; 0: a game to the target */
	int max_deals; /* limit of a game to the target; 0: game_deals_max */
};

/*
 * The number of deals after which a game to a target ends as a draw, unless the
 * opening gives another one: GAME_MAX_DEALS, or the target if that is greater.
 * With most rule sets a deal gives at least a point.  So a game reaches this
 * limit only if its target is hardly ever reached, or if the teams stay equal.
 */
int game_deals_max(const struct scopa_rules *rules);

/*
 * Opens a game and writes its head.  The game writes all its events to
 * `outbox`, which must live as long as the game.
 */
void game_open(struct game *game, const struct game_opening *opening,
    struct outbox *outbox);

/*
 * Deals a pack.  If the cards must be redealt, the phase stays GAME_PACK and
 * the next pack is for the same deal.  Returns SCOPA_START_PLAY or the reason
 * for the redeal.
 */
enum scopa_start game_deal(struct game *game, const struct event_pack *pack);

/*
 * Makes a legal move of the seat to play.  After the last move the deal ends
 * and is counted.
 */
void game_move(struct game *game, const struct scopa_move *move,
    const struct game_stamp *stamp);

/*
 * Writes the line `legal` with all moves of the seat to play; declarations only
 * with `declare`.  If the line would be too long, `...` replaces the last ones.
 */
void game_put_legal(
    const struct game *game, bool declare, struct scopa_text *text);

/* Closes a game whose tally is decided. */
void game_end(struct game *game);

/*
 * Closes a game that a team forfeits.  The current deal counts with the worst
 * score that the rules allow for this team: every other team gets
 * scopa_points_max.
 */
void game_forfeit(struct game *game, int team);

/* Closes a game without a winner; `reason` is one word. */
void game_abort(struct game *game, const char *reason);

#endif
