/*
 * What the record of one game says of it, in numbers.
 *
 * Results, ratings and tables are made from this and from nothing else, so that
 * a live game and one that is read back from its record count the same.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "scopa/score.h"
#include "verdict.h"

enum {
	SUMMARY_REASON_SIZE = 48,
	SUMMARY_SANDBOX_SIZE = 24,
	SUMMARY_VOIDED_MAX = 8, /* attempts at a game that do not count */
	SUMMARY_VOIDED_SIZE = 16
};

struct summary {
	int64_t game; /* of the match id `mN`: N - 1; -1: it has another id */
	int round;    /* from 0: of the `tag` line; -1: there is none */
	int rotation; /* likewise */
	/* The walls around its bots, likewise: `box`; empty: not said. */
	char sandbox[SUMMARY_SANDBOX_SIZE];
	bool analysis; /* likewise: some bots may have seen all cards */
	/* Why attempts before this one were void, likewise; same cards. */
	char voided[SUMMARY_VOIDED_MAX][SUMMARY_VOIDED_SIZE];
	int voided_count;
	int seat_count, team_count;
	int team[SCOPA_SEATS_MAX]; /* of each seat */
	char names[SCOPA_SEATS_MAX][EVENT_NAME_SIZE];
	int32_t scores[SCOPA_TEAMS_MAX];
	int32_t item_points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	int deal_count; /* that were counted */
	int winner;     /* team, or SCOPA_TEAM_NONE */
	int forfeiter;  /* team that forfeited, or SCOPA_TEAM_NONE */
	char reason[EVENT_REASON_SIZE]; /* of `endmatch`: `target`, ... */
	int32_t offences[SCOPA_SEATS_MAX][OFFENCE_KIND_COUNT];
	/* The offence that lost the game: seat, or -1. */
	int offender;
	enum offence_kind offence;
	char offence_reason[SUMMARY_REASON_SIZE];
	int64_t think_us[SCOPA_SEATS_MAX];
	int64_t think_longest_us[SCOPA_SEATS_MAX]; /* missed turns included */
	int32_t decision_count[SCOPA_SEATS_MAX];   /* that were the bot's own */
	/* Of these, those that the clock cut short, as the bot says. */
	int32_t cut_short[SCOPA_SEATS_MAX];
	/* CPU time while it was not to move, and whether that is pondering. */
	int64_t off_turn_ns[SCOPA_SEATS_MAX];
	bool pondered[SCOPA_SEATS_MAX];
	int32_t void_turns;     /* that began anew, as the arena was late */
	int64_t lag_longest_ns; /* by which the arena was late */
};

/* How far the lines of a block have come. */
enum summary_part { SUMMARY_GAME, SUMMARY_HEAD, SUMMARY_END, SUMMARY_SUMMED };

/* A summary in the making: the lines so far. */
struct summary_reading {
	struct summary summary;
	enum summary_part part;
	int64_t line_count;
	int seats_named;
	char id[EVENT_ID_SIZE];
	int asked; /* seat whose `info` lines follow, until one says `cut=1` */
	struct event event; /* of the line in hand, where it is parsed */
};

/*
 * Reads the block of one match, from its `match` line to its `sum` line, as it
 * grows: whole lines are added, and none is kept.  Neither hash nor rules are
 * checked: that is what record_check is for.  0, or -EBADMSG where lines are
 * none of such a block.
 */
void summary_begin(struct summary_reading *reading);
int summary_add(
    struct summary_reading *reading, const char *bytes, size_t size);

/* The same for a whole block. */
int summary_read(struct summary *summary, const char *bytes, size_t size);

#endif
