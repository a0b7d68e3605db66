/*
 * The course of a game: deals, moves and scores turned into events.
 *
 * The only writer of a deal.  A live match and `record derive` both go through
 * here, so a record that was played and one that was derived are the same.
 */
#ifndef GAME_H
#define GAME_H

#include "outbox.h"

enum {
	/* Deals after which a game to a target ends, where it is not higher. */
	GAME_MAX_DEALS = 1000,
	/* And the most that may be asked for: some 25 MB of record. */
	GAME_MAX_DEALS_MAX = 10000
};

/* `reason=` of the `endmatch` of such a game. */
#define GAME_REASON_MAX_DEALS "max-deals"

enum game_phase {
	GAME_PACK, /* waits for a pack: game_deal */
	GAME_MOVE, /* waits for a move of deal.turn: game_move */
	GAME_OVER  /* the tally is decided: game_end */
};

/* What the head of a game says: the lines `match`, `tag`, `rules`, `seat`. */
struct game_head {
	struct event_match
	    match; /* rules, seats, teams, target are filled in */
	char tag[EVENT_TEXT_SIZE]; /* without the verb, or empty */
	struct event_seat seats[SCOPA_SEATS_MAX]; /* seat and team filled in */
};

struct game {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	struct outbox *outbox;
	struct scopa_tally tally;
	struct scopa_deal deal;
	enum game_phase phase;
	int redeal_count; /* packs redealt for this deal so far */
	int max_deals;    /* after which a game to a target is a draw */
	bool drawn;       /* it was, for their number */
	/* Points of all deals counted so far, by where they came from. */
	int32_t item_points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	char id[EVENT_ID_SIZE];
	char end_reason[EVENT_REASON_SIZE]; /* of `endmatch`; empty before */
};

/* How a move came about, for the record. */
struct game_stamp {
	int64_t time_us;   /* thinking time, or -1 */
	const char *cause; /* why the arena moved for the seat, or NULL */
	const char *info;  /* `info` lines of this decision, or NULL */
};

/* A game that is to begin. */
struct game_opening {
	const struct scopa_rules *rules;
	const struct scopa_preset *preset;
	const struct game_head *head;
	int dealer;    /* seat that deals first */
	int deals;     /* of a game of so many deals; 0: one to the target */
	int max_deals; /* of one to the target; 0: as game_deals_max says */
};

/*
 * The deals after which a game to a target ends as a draw where nothing else is
 * said: GAME_MAX_DEALS, or the target itself where that is more.  A deal of most
 * rule sets has a point or more, so that only a target that is hardly ever
 * reached, or a tie without an end, meets this.
 */
int game_deals_max(const struct scopa_rules *rules);

/* Opens a game: writes its head.  All of it is said to the outbox. */
void game_open(struct game *game, const struct game_opening *opening,
    struct outbox *outbox);

/*
 * Deals a pack.  Where the cards are redealt, the phase stays GAME_PACK and the
 * next pack is for the same deal.
 */
enum scopa_start game_deal(struct game *game, const struct event_pack *pack);

/* Makes a legal move of the seat to play; ends the deal where it is the last. */
void game_move(struct game *game, const struct scopa_move *move,
    const struct game_stamp *stamp);

/* Closes a game whose tally is decided. */
void game_end(struct game *game);

/*
 * Closes a game that a team forfeits: the deal is lost at the worst score
 * the rules allow, every other team getting scopa_points_max.
 */
void game_forfeit(struct game *game, int team);

/* Closes a game that nobody wins: `reason` is one word. */
void game_abort(struct game *game, const char *reason);

#endif
