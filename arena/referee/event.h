/*
 * The event grammar: one parser, one formatter and one redaction for the events
 * of the protocol and the lines of a record.
 *
 * A record contains all events.  A seat receives event_redact(event, seat) of
 * each.  Lines that are not events (`go`, `state`, `legal`, `option`, ...) are
 * handled in referee.c and session.c.
 */
#ifndef EVENT_H
#define EVENT_H

#include "scopa/scopa.h"
#include "words.h"

enum {
	EVENT_ID_SIZE = 64,
	EVENT_NAME_SIZE = 64,
	EVENT_SPEC_SIZE = 512,
	EVENT_TEXT_SIZE = 4096,
	EVENT_REASON_SIZE = 32,
	EVENT_HASH_SIZE = 32,
	EVENT_LINE_SIZE = 8192
};

enum event_kind {
	EVENT_MATCH,
	EVENT_TAG,
	EVENT_RULES,
	EVENT_SEAT,
	EVENT_PACK,
	EVENT_DEAL,
	EVENT_REDEAL,
	EVENT_TABLE,
	EVENT_GIVE,
	EVENT_SWEEP,
	EVENT_DECLARE,
	EVENT_SHOW,
	EVENT_PLAY,
	EVENT_INFO,
	EVENT_OFFENCE,
	EVENT_VOID,
	EVENT_PONDER,
	EVENT_REST,
	EVENT_SCORE,
	EVENT_ENDDEAL,
	EVENT_ABORT,
	EVENT_ENDMATCH,
	EVENT_SUM,
	EVENT_KIND_COUNT
};

/*
 * `match ID rules= seats= teams= [you=] target= [deals=] [max-deals=] pack= tc=
 * [seed=]`
 */
struct event_match {
	char id[EVENT_ID_SIZE];
	/* preset, and the parameters that differ */
	char rules[EVENT_SPEC_SIZE];
	char tc[EVENT_NAME_SIZE]; /* time control as in budget.h, times in ms */
	int seats;
	int teams;  /* enum scopa_teams */
	int target; /* points */
	int deals;  /* number of deals if it is fixed, else 0 */
	/*
	 * greatest number of deals if the match has a target, or 0: see
	 * game_deals_max
	 */
	int max_deals;
	int you; /* seat that receives the line, or -1 in a record */
	/* In a line to a seat, only its own is set. */
	uint64_t seeds[SCOPA_SEATS_MAX];
	bool has_seeds;
};

struct event_seat {
	int seat;
	int team;
	char name[EVENT_NAME_SIZE];
	char version[EVENT_NAME_SIZE]; /* record only; may be empty */
	bool sees_all; /* record only; the bot was sent all cards */
};

/* `pack N redeal=K [alg= seed=] cards=`: record only. */
struct event_pack {
	int number; /* number of the deal, from 1 */
	int redeal; /* packs of this deal that were redealt before */
	bool has_key;
	uint8_t key[32]; /* deal key from which the pack follows */
	uint8_t cards[SCOPA_PACK_SIZE];
};

struct event_deal {
	int number;
	int dealer, first; /* seats, from 0 */
	int team_count;
	int32_t scores[SCOPA_TEAMS_MAX];
};

/* `give`, `table`, `sweep`, `show`, `rest`: cards that move. */
struct event_cards {
	int seat;
	scopa_set cards;
	int hidden; /* number of `??`; 0: `cards` are known */
	int scopa;  /* only of `sweep` */
};

struct event_play {
	int seat;
	struct scopa_move move;
	bool scopa;
	int points;      /* only of `declare` */
	int64_t time_us; /* thinking time, or -1; record only */
	bool by_arena;   /* the arena moved for the seat */
	char cause[EVENT_REASON_SIZE];
};

struct event_info {
	int seat;
	char text[EVENT_TEXT_SIZE]; /* the text after `info`, unchanged */
};

struct event_offence {
	int seat;
	int strikes;     /* strikes so far, or 0 if they are not counted */
	int64_t time_us; /* from the question to the offence, or -1 */
	char kind[EVENT_REASON_SIZE], reason[EVENT_REASON_SIZE],
	    policy[EVENT_REASON_SIZE];
	char said[EVENT_REASON_SIZE * 8]; /* the wrong line, or empty */
	/* The last line after the question that was not an answer, or empty. */
	char unused[EVENT_REASON_SIZE * 8];
};

/*
 * `void SEAT lag=SECONDS`: the time of the seat began again, because the arena
 * was late or another bot computed.
 */
struct event_void {
	int seat;
	int64_t lag_us; /* delay of the arena */
	/*
	 * Seat of the bot that computed in the meantime, from 1.  0: the arena
	 * was late.
	 */
	int by;
};

/* `ponder SEAT cpu=SECONDS wall=SECONDS [frozen=1]` */
struct event_ponder {
	int seat;
	bool frozen; /* from then on, whenever it was not its turn */
	/* CPU time that the bot used while it was not its turn */
	int64_t cpu_us;
	int64_t wall_us; /* length of the time in which that was measured */
};

struct event_score {
	int team;
	int points; /* points of the deal */
	int32_t total;
	uint32_t items; /* bit 1 << enum scopa_item: the item is in the line */
	int16_t quantity[SCOPA_ITEM_COUNT], item_points[SCOPA_ITEM_COUNT];
};

/* The outcome of a match for one seat. */
enum event_outcome {
	EVENT_OUTCOME_NONE, /* the line is not for a seat */
	EVENT_WIN,
	EVENT_LOSS,
	EVENT_DRAW /* no team wins, and the seat has not forfeited */
};

struct event_end {
	char id[EVENT_ID_SIZE]; /* match id of the `match` line */
	char reason[EVENT_REASON_SIZE];
	int team_count;
	int32_t scores[SCOPA_TEAMS_MAX];
	int winner; /* team, or SCOPA_TEAM_NONE */
	int by;     /* team that forfeited, or SCOPA_TEAM_NONE */
	enum event_outcome you;
};

struct event_sum {
	int64_t lines;
	uint8_t hash[EVENT_HASH_SIZE]; /* SHA-256 */
};

struct event {
	enum event_kind kind;
	union {
		struct event_match match;
		/* Of `tag`: the text after the verb. */
		char text[EVENT_TEXT_SIZE];
		struct scopa_rules rules;
		struct event_seat seat;
		struct event_pack pack;
		struct event_deal deal;
		char reason[EVENT_REASON_SIZE]; /* of `redeal` */
		struct event_cards cards;
		struct event_play play; /* of `play` and `declare` */
		struct event_info info;
		struct event_offence offence;
		struct event_void void_turn;
		struct event_ponder ponder;
		struct event_score score;
		int number; /* of `enddeal`: number of the deal */
		struct {
			bool match; /* the match is aborted, not the deal */
			char reason[EVENT_REASON_SIZE];
		} abort;
		struct event_end end;
		struct event_sum sum;
	};
};

enum event_parse {
	EVENT_PARSED,
	EVENT_UNKNOWN, /* no event has this verb */
	EVENT_BAD      /* `why` contains the reason */
};

/*
 * The kind of the event with this verb, whose length is at least 1;
 * EVENT_KIND_COUNT if there is none.
 */
enum event_kind event_kind_find(struct word verb);

/* The verb: `play`, `give`, ... */
const char *event_name(enum event_kind kind);

/* Whether no seat ever receives this kind of event. */
bool event_is_record_only(enum event_kind kind);

/* The key of pair number `index`, from 0, or NULL after the last pair. */
const char *event_key(enum event_kind kind, int index);

/*
 * Reads one line without its line end.  EVENT_PARSED: unknown keys are skipped
 * and listed in `why`.  EVENT_UNKNOWN: the verb is not known, or the line has
 * no word.  EVENT_BAD: `why` contains the reason.  The content of *event is
 * only defined for EVENT_PARSED.
 */
enum event_parse event_parse(const char *line, size_t length,
    struct event *event, struct scopa_text *why);

/*
 * Sets the parameters that a `rules` line names; the others are not changed.
 * Returns false with the reason in `why`. event_parse starts from the preset
 * `scopa`.
 */
bool event_apply_rules(const struct words *words, struct scopa_rules *rules,
    struct scopa_text *why);

/* Writes the line of an event without its line end. */
void event_format(const struct event *event, struct scopa_text *text);

/*
 * Whether event_redact() makes the same of an event for every seat.  Whoever
 * redacts another kind by seat changes both.
 */
bool event_is_same_for_all(enum event_kind kind);

/*
 * Sets *redacted to the part of an event that `seat` may receive.  Returns
 * false if the seat receives nothing of it.  `rules` gives the team of the
 * seat.
 */
bool event_redact(const struct event *event, const struct scopa_rules *rules,
    int seat, struct event *redacted);

enum event_value_kind {
	EVENT_VALUE_INT,
	EVENT_VALUE_SECONDS, /* in microseconds */
	EVENT_VALUE_TEAM,    /* from 0, or SCOPA_TEAM_NONE */
	EVENT_VALUE_TEXT,
	/* cards, moves and lists: must be read from the event */
	EVENT_VALUE_OTHER
};

/* A field of an event, for writers of other formats. */
struct event_value {
	enum event_value_kind kind;
	const char *name; /* key in the line */
	int64_t number;
	const char *text; /* owned by the event; never NULL */
	bool absent;      /* the line leaves the field out */
};

/*
 * Sets *value to field number `index` of the event, in the order of the line.
 * Returns false if there is no such field.
 */
bool event_value(
    const struct event *event, int index, struct event_value *value);

#endif
