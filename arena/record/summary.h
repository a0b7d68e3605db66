/*
 * A summary: the numbers that the record of one game gives.
 *
 * Results, ratings and tables are computed from summaries only.  So a live game
 * and a game that is read from its record count the same.
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
	/* N - 1 of the match id `mN`; -1: the id has another form */
	int64_t game;
	int round;    /* from 0, of the `tag` line; -1: not given */
	int rotation; /* from 0, of the `tag` line; -1: not given */
	/* The confinement of the bots, of the `tag` line; empty: not given. */
	char sandbox[SUMMARY_SANDBOX_SIZE];
	bool analysis; /* some bots may have seen all cards */
	/* Why earlier attempts at this game with the same cards were void. */
	char voided[SUMMARY_VOIDED_MAX][SUMMARY_VOIDED_SIZE];
	int voided_count;
	int seat_count, team_count;
	int team[SCOPA_SEATS_MAX]; /* team of each seat */
	char names[SCOPA_SEATS_MAX][EVENT_NAME_SIZE];
	int32_t scores[SCOPA_TEAMS_MAX];
	int32_t item_points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	int deal_count; /* number of deals with a score */
	int winner;     /* team, or SCOPA_TEAM_NONE */
	int forfeiter;  /* team that forfeited, or SCOPA_TEAM_NONE */
	/* reason of `endmatch`: `target`, ... */
	char reason[EVENT_REASON_SIZE];
	int32_t offences[SCOPA_SEATS_MAX][OFFENCE_KIND_COUNT];
	/* The offence that lost the game, and its seat; -1: there is none. */
	int offender;
	enum offence_kind offence;
	char offence_reason[SUMMARY_REASON_SIZE];
	int64_t think_us[SCOPA_SEATS_MAX];
	/* With the turns that were missed. */
	int64_t think_longest_us[SCOPA_SEATS_MAX];
	/* Decisions made by the bot itself. */
	int32_t decision_count[SCOPA_SEATS_MAX];
	/* Decisions of these that the clock cut short, as the bot reports. */
	int32_t cut_short[SCOPA_SEATS_MAX];
	/*
	 * CPU time of the bot while it was not its turn, and whether a `ponder`
	 * line gives it.
	 */
	int64_t off_turn_ns[SCOPA_SEATS_MAX];
	bool pondered[SCOPA_SEATS_MAX];
	/* Turns that were repeated because the arena was late. */
	int32_t void_turns;
	int64_t lag_longest_ns; /* longest delay of the arena */
};

/* The part of a record that the lines have reached. */
enum summary_part { SUMMARY_GAME, SUMMARY_HEAD, SUMMARY_END, SUMMARY_SUMMED };

/* A summary while it is built, from the lines so far. */
struct summary_reading {
	struct summary summary;
	enum summary_part part;
	int64_t line_count;
	int seats_named;
	char id[EVENT_ID_SIZE];
	/* Seat whose `info` lines follow until one has `cut=1`, or -1. */
	int asked;
	struct event event; /* the current line, if it is parsed */
};

/*
 * Reads the record of one match while it grows, from its `match` line to its
 * `sum` line. summary_add takes whole lines and stores none of them.  Neither
 * the hash nor the rules are checked; record_check does that.  Returns 0, or
 * -EBADMSG if the lines do not form such a record.
 */
void summary_begin(struct summary_reading *reading);
int summary_add(
    struct summary_reading *reading, const char *bytes, size_t size);

/* The same for a whole record.  On failure *summary is not changed. */
int summary_read(struct summary *summary, const char *bytes, size_t size);

#endif
