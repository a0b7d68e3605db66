/*
 * The event grammar: one parser, one formatter and one redaction for the
 * protocol's events and the record's lines.
 *
 * A record is the stream of all events; what a seat receives is
 * event_redact(event, seat).  Lines that are talk and not events (`go`,
 * `state`, `legal`, `option`, ...) belong to protocol.h.
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
	char rules[EVENT_SPEC_SIZE]; /* preset and overrides */
	char tc[EVENT_NAME_SIZE];    /* as in budget.h, times in ms */
	int seats;
	int teams;     /* enum scopa_teams */
	int target;    /* points */
	int deals;     /* of a game of so many deals, or 0 */
	int max_deals; /* of one to the target, or 0: see game_deals_max */
	int you;       /* seat this line is for, or -1 in a record */
	uint64_t seeds[SCOPA_SEATS_MAX]; /* in a line to a seat: only its own */
	bool has_seeds;
};

struct event_seat {
	int seat;
	int team;
	char name[EVENT_NAME_SIZE];
	char version[EVENT_NAME_SIZE]; /* record only; may be empty */
	bool sees_all;                 /* record only: was told all cards */
};

/* `pack N redeal=K [alg= seed=] cards=`: record only. */
struct event_pack {
	int number; /* of the deal, from 1 */
	int redeal; /* how many packs of this deal were redealt before */
	bool has_key;
	uint8_t key[32]; /* the deal key that gives the pack */
	uint8_t cards[SCOPA_PACK_SIZE];
};

struct event_deal {
	int number;
	int dealer, first; /* seats */
	int team_count;
	int32_t scores[SCOPA_TEAMS_MAX];
};

/* `give`, `table`, `sweep`, `show`, `rest`: cards on their way. */
struct event_cards {
	int seat;
	scopa_set cards;
	int hidden; /* so many `??` instead of cards */
	int scopa;  /* of `sweep` */
};

struct event_play {
	int seat;
	struct scopa_move move;
	bool scopa;
	int points;      /* of `declare` */
	int64_t time_us; /* thinking time, or -1: record only */
	bool by_arena;   /* the arena moved for the seat */
	char cause[EVENT_REASON_SIZE];
};

struct event_info {
	int seat;
	char text[EVENT_TEXT_SIZE]; /* what followed `info`, as it came */
};

struct event_offence {
	int seat;
	int strikes;     /* so far, or 0 where none are counted */
	int64_t time_us; /* from the question to the offence, or -1 */
	char kind[EVENT_REASON_SIZE], reason[EVENT_REASON_SIZE],
	    policy[EVENT_REASON_SIZE];
	char said[EVENT_REASON_SIZE * 8]; /* the line at fault, or empty */
	/* The last line since the question that was no answer, or empty. */
	char unused[EVENT_REASON_SIZE * 8];
};

/* `void SEAT lag=SECONDS`: its time began anew, as the arena was late. */
struct event_void {
	int seat;
	int64_t lag_us; /* by which it was */
	/* The seat whose bot computed meanwhile, from 1; 0: the arena was late.
	 */
	int by;
};

/* `ponder SEAT cpu=SECONDS wall=SECONDS` */
struct event_ponder {
	int seat;
	int64_t cpu_us;  /* that it used while it was not to move.. */
	int64_t wall_us; /* ..in so much time in which it was watched */
};

struct event_score {
	int team;
	int points; /* of the deal */
	int32_t total;
	uint32_t items; /* bit an enum scopa_item: stands on the line */
	int16_t quantity[SCOPA_ITEM_COUNT], item_points[SCOPA_ITEM_COUNT];
};

/* What the end of a match is for one seat. */
enum event_outcome {
	EVENT_OUTCOME_NONE, /* the line is for no seat */
	EVENT_WIN,
	EVENT_LOSS,
	EVENT_DRAW /* nobody wins, and the seat has not forfeited */
};

struct event_end {
	char id[EVENT_ID_SIZE]; /* of `endmatch` */
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
		char
		    text[EVENT_TEXT_SIZE]; /* of `tag`: what follows the verb */
		struct scopa_rules rules;
		struct event_seat seat;
		struct event_pack pack;
		struct event_deal deal;
		char reason[EVENT_REASON_SIZE]; /* of `redeal` */
		struct event_cards cards;
		struct event_play play; /* of `declare` too */
		struct event_info info;
		struct event_offence offence;
		struct event_void void_turn;
		struct event_ponder ponder;
		struct event_score score;
		int number; /* of `enddeal` */
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
	EVENT_BAD      /* `why` says what is wrong */
};

/* The kind of this verb, which has a byte; EVENT_KIND_COUNT where none is. */
enum event_kind event_kind_find(struct word verb);

/* `play`, `give`, ... */
const char *event_name(enum event_kind kind);

/* Whether no seat ever receives it. */
bool event_is_record_only(enum event_kind kind);

/* The key of one of its pairs, from 0; NULL behind the last. */
const char *event_key(enum event_kind kind, int index);

/*
 * Reads one line without its line end.  Unknown keys are skipped and named in
 * `why` although the answer is EVENT_PARSED.  `event` is undefined unless it
 * is EVENT_PARSED.
 */
enum event_parse event_parse(const char *line, size_t length,
    struct event *event, struct scopa_text *why);

/*
 * Sets the parameters that a `rules` line names and leaves the others alone.
 * event_parse starts from the preset `scopa`.
 */
bool event_apply_rules(const struct words *words, struct scopa_rules *rules,
    struct scopa_text *why);

/* Writes the line without its line end. */
void event_format(const struct event *event, struct scopa_text *text);

/*
 * What `seat` may receive of an event; false where it receives nothing.
 * `rules` says which team the seat belongs to.
 */
bool event_redact(const struct event *event, const struct scopa_rules *rules,
    int seat, struct event *redacted);

enum event_value_kind {
	EVENT_VALUE_INT,
	EVENT_VALUE_SECONDS, /* in microseconds */
	EVENT_VALUE_TEAM,    /* from 0, or SCOPA_TEAM_NONE */
	EVENT_VALUE_TEXT,
	EVENT_VALUE_OTHER /* cards, moves and lists: read them from the event */
};

/* A field of an event, for writers of other formats. */
struct event_value {
	enum event_value_kind kind;
	const char *name; /* its key in the line */
	int64_t number;
	const char *text; /* of the event; never NULL */
	bool absent;      /* the line leaves it out */
};

/* The field of this number, in the order of the line; false: there is none. */
bool event_value(
    const struct event *event, int index, struct event_value *value);

#endif
