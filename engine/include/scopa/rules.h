/*
 * The rules: every variant of the game as a row of numbers.
 *
 * A set of rules is a preset with overrides, written `scopa,priority=fewest`.
 * Each field of struct scopa_rules is one parameter, described by a row of
 * scopa_params.  Parser, formatter, help and the `rules` line of the protocol
 * all use this table.
 */
#ifndef SCOPA_RULES_H
#define SCOPA_RULES_H

#include "scopa/card.h"
#include "scopa/text.h"

enum { SCOPA_SEATS_MAX = 6, SCOPA_TEAMS_MAX = 6 };

/* Values of the fields, in the order of their names in scopa_params. */
enum scopa_teams {
	SCOPA_TEAMS_AB,
	SCOPA_TEAMS_ABC,
	SCOPA_TEAMS_ABCD,
	SCOPA_TEAMS_ABAB,
	SCOPA_TEAMS_ABABAB,
	SCOPA_TEAMS_ABCABC,
	SCOPA_TEAMS_ABCDEF,
	SCOPA_TEAMS_COUNT
};
enum scopa_redeal {
	SCOPA_REDEAL_KINGS3,
	SCOPA_REDEAL_NONE,
	SCOPA_REDEAL_ACES2,
	SCOPA_REDEAL_ACE
};
enum scopa_capture {
	SCOPA_CAPTURE_SUM,
	SCOPA_CAPTURE_FIFTEEN,
	SCOPA_CAPTURE_SUM_OR_FIFTEEN
};
enum scopa_priority {
	SCOPA_PRIORITY_SINGLE,
	SCOPA_PRIORITY_FEWEST,
	SCOPA_PRIORITY_ANY
};
enum scopa_ace {
	SCOPA_ACE_PLAIN,
	SCOPA_ACE_SWEEP,
	SCOPA_ACE_SWEEP_UNLESS_ACE,
	SCOPA_ACE_SWEEP_TRADITIONAL
};
enum scopa_ace_empty { SCOPA_ACE_EMPTY_STAY, SCOPA_ACE_EMPTY_TAKE };
enum scopa_cirulla_ace { SCOPA_CIRULLA_ACE_CHOICE, SCOPA_CIRULLA_ACE_SWEEP };
enum scopa_cirulla_equal {
	SCOPA_CIRULLA_EQUAL_CHOICE,
	SCOPA_CIRULLA_EQUAL_FIRST
};
enum scopa_leftovers { SCOPA_LEFTOVERS_LAST, SCOPA_LEFTOVERS_DEALER };
enum scopa_base_item { /* bits of scopa_rules.items */
	SCOPA_BASE_CARDS = 1,
	SCOPA_BASE_COINS = 2,
	SCOPA_BASE_SETTEBELLO = 4,
	SCOPA_BASE_PRIMIERA = 8
};
enum scopa_primiera_missing {
	SCOPA_PRIMIERA_ALL4,
	SCOPA_PRIMIERA_PARTIAL,
	SCOPA_PRIMIERA_SUITS_FIRST
};
enum scopa_napola {
	SCOPA_NAPOLA_NONE,
	SCOPA_NAPOLA_RUN,
	SCOPA_NAPOLA_ONEPLUS,
	SCOPA_NAPOLA_S1
};
enum scopa_frac_tie { SCOPA_FRAC_TIE_NONE, SCOPA_FRAC_TIE_KING };
enum scopa_all_coins { SCOPA_ALL_COINS_NO, SCOPA_ALL_COINS_WIN };
enum scopa_sevens { SCOPA_SEVENS_NONE, SCOPA_SEVENS_ESCOBA };
enum scopa_opening {
	SCOPA_OPENING_OFF,
	SCOPA_OPENING_PLAIN,
	SCOPA_OPENING_WILD
};
enum scopa_declare { SCOPA_DECLARE_OFF, SCOPA_DECLARE_AUTO, SCOPA_DECLARE_ASK };
enum scopa_matta { SCOPA_MATTA_HAND, SCOPA_MATTA_PLAIN, SCOPA_MATTA_TABLE };
enum scopa_aim { SCOPA_AIM_MOST, SCOPA_AIM_LEAST };
enum scopa_count { SCOPA_COUNT_END, SCOPA_COUNT_AT_ONCE };
enum scopa_rotation { SCOPA_ROTATION_WITH, SCOPA_ROTATION_AGAINST };

/* Every field is an int16_t, so that scopa_params can use its offset. */
struct scopa_rules {
	int16_t players;          /* 2, 3, 4 or 6 */
	int16_t teams;            /* enum scopa_teams */
	int16_t hand;             /* cards dealt to a seat at once: 3, 9, 10 */
	int16_t table;            /* cards of the opening table: 4 or 0 */
	int16_t redeal;           /* enum scopa_redeal */
	int16_t capture;          /* enum scopa_capture */
	int16_t equal_fifteen;    /* 0, 1 */
	int16_t priority;         /* enum scopa_priority */
	int16_t max_captured;     /* 0 (no limit) or 2 */
	int16_t ace;              /* enum scopa_ace */
	int16_t ace_scopa;        /* 0, 1 */
	int16_t ace_empty;        /* enum scopa_ace_empty */
	int16_t cirulla_ace;      /* enum scopa_cirulla_ace */
	int16_t cirulla_equal;    /* enum scopa_cirulla_equal */
	int16_t last_scopa;       /* 0, 1 */
	int16_t leftovers;        /* enum scopa_leftovers */
	int16_t items;            /* bits of enum scopa_base_item */
	int16_t scopa;            /* points for a scopa: 0, 1 */
	int16_t primiera_six;     /* 18, 19 */
	int16_t primiera_missing; /* enum scopa_primiera_missing */
	int16_t napola;           /* enum scopa_napola */
	int16_t re_bello;         /* 0, 1 */
	int16_t ponino;           /* 0, 1 */
	int16_t trente;           /* 0, 1 */
	int16_t frac;             /* 0, 1 */
	int16_t frac_tie;         /* enum scopa_frac_tie */
	int16_t all_coins;        /* enum scopa_all_coins */
	int16_t sevens;           /* enum scopa_sevens */
	int16_t piccola;          /* limit of the coin run: 0 (off), 6, 7 */
	int16_t grande;           /* points for 8, 9, 10 of coins: 0, 5 */
	int16_t opening;          /* enum scopa_opening */
	int16_t declare;          /* enum scopa_declare */
	int16_t matta;            /* enum scopa_matta */
	int16_t aim;              /* enum scopa_aim */
	int16_t target;           /* points, 1..SCOPA_TARGET_MAX */
	int16_t count;            /* enum scopa_count */
	int16_t rotation;         /* enum scopa_rotation */
};

enum { SCOPA_TARGET_MAX = 9999 };

/* The text form of a parameter's value. */
enum scopa_param_kind {
	SCOPA_PARAM_NAME,   /* one of `names`; the field is its index */
	SCOPA_PARAM_NUMBER, /* one of `numbers`; min..max if value_count is 0 */
	SCOPA_PARAM_BITS    /* names joined by '+', or `none` */
};

enum { SCOPA_PARAM_VALUES_MAX = 8 };

/* One parameter of the rules. */
struct scopa_param {
	const char *key;      /* in texts: `ace-scopa` */
	const char *sentence; /* what it decides, for users */
	uint16_t offset;      /* of the field in struct scopa_rules */
	enum scopa_param_kind kind;
	int16_t min, max; /* range of a number */
	const char *names[SCOPA_PARAM_VALUES_MAX];
	int16_t numbers[SCOPA_PARAM_VALUES_MAX];
	uint8_t value_count; /* number of names or numbers */
};

/* A variant with a name. */
struct scopa_preset {
	const char *name;
	const char *sentence; /* which game this is, and its source */
	const char *seats;    /* possible numbers of players, for users */
	struct scopa_rules rules;
};

extern const struct scopa_param scopa_params[];
extern const int scopa_param_count;
extern const struct scopa_preset scopa_presets[];
extern const int scopa_preset_count;

/* Return the parameter or preset with this name, or NULL. */
const struct scopa_param *scopa_param_find(const char *key);
const struct scopa_preset *scopa_preset_find(const char *name);

/*
 * Parses `PRESET[,KEY=VALUE...]`, applies the overrides and checks the result.
 * If only one of players and teams is given, the other is adapted.  On failure
 * returns false with a sentence in `why` and leaves *rules unchanged.
 */
bool scopa_rules_parse(
    struct scopa_rules *rules, const char *spec, struct scopa_text *why);

/*
 * The same without the check of the result, for a caller that sets other fields
 * afterwards, such as seats, teams and target.
 */
bool scopa_rules_read(
    struct scopa_rules *rules, const char *spec, struct scopa_text *why);

/*
 * Sets one field from text, without a check against the other fields.  When
 * `players` or `teams` is set, the other is adapted.  On failure returns false
 * as above.
 */
bool scopa_rules_set(struct scopa_rules *rules, const char *key,
    const char *value, struct scopa_text *why);

/* Returns false with a sentence in `why` when fields contradict each other. */
bool scopa_rules_check(const struct scopa_rules *rules, struct scopa_text *why);

/* Appends ` players=2 teams=AB ...`: every parameter, each after one space. */
void scopa_rules_format(
    const struct scopa_rules *rules, struct scopa_text *text);

/* Appends the value of one parameter. */
void scopa_param_format(const struct scopa_param *param,
    const struct scopa_rules *rules, struct scopa_text *text);

/*
 * Appends `PRESET[,KEY=VALUE...]`: the preset and the fields that differ from
 * it, except players, teams and target, which protocol and record give in
 * `match`.
 */
void scopa_rules_spec(const struct scopa_rules *rules,
    const struct scopa_preset *preset, struct scopa_text *text);

/* The team of each seat: one row for each enum scopa_teams. */
struct scopa_seating {
	uint8_t players;
	uint8_t teams;
	uint8_t team[SCOPA_SEATS_MAX]; /* of each seat; 0 is A */
};

extern const struct scopa_seating scopa_seatings[SCOPA_TEAMS_COUNT];

/*
 * Returns the team of a seat.  Seats count from 0 in code, from 1 in every
 * text.
 */
static inline int
scopa_team_of(const struct scopa_rules *rules, int seat)
{
	return scopa_seatings[rules->teams].team[seat];
}

static inline int
scopa_team_count(const struct scopa_rules *rules)
{
	return scopa_seatings[rules->teams].teams;
}

/* Returns an upper bound of the points of one team in one deal. */
int scopa_points_max(const struct scopa_rules *rules);

#endif
