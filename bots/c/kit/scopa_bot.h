/*
 * The protocol USP/1 and the rules of the Scopa family, for a bot in C.
 *
 * A bot gives scopa_run() a function that chooses a move.  The arena deals and
 * asks; scopa_run() reads its lines, follows the game, works out the legal
 * moves, and calls the function with all that the seat may know: the view.
 *
 * Seats are numbered from 1, as in the protocol: an array with a place for each
 * seat leaves its place 0 empty.  Teams are numbered from 0, for A, B and so
 * on.
 */
#ifndef SCOPA_BOT_H
#define SCOPA_BOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Has compilers that can do it check the arguments of a format. */
#if defined(__GNUC__)
#define SCOPA_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define SCOPA_PRINTF
#endif

enum {
	SCOPA_CARDS_MAX = 40,
	SCOPA_SEATS_MAX = 6,
	SCOPA_TEAMS_MAX = 6,
	SCOPA_PLAYS_MAX = 52, /* 40 plays, 12 declarations */
	SCOPA_RULES_MAX = 64,
	SCOPA_WORD_SIZE = 64,
	SCOPA_MOVE_SIZE = 2 * SCOPA_CARDS_MAX + 2
};

struct scopa_card {
	char text[3]; /* "7D" */
	char rank;    /* one of A234567JQK */
	char suit;    /* one of DCSB: coins, cups, swords, clubs */
	int value;    /* 1 to 10 */
};

/* A set of cards, by value and then by suit. */
struct scopa_cards {
	int count;
	struct scopa_card card[SCOPA_CARDS_MAX];
};

struct scopa_move {
	char text[SCOPA_MOVE_SIZE]; /* "7Dx3C4S", "7D", "!low:A" */
	const char *declaration;    /* "low", "three", or NULL for a play */
	char rank; /* of a declaration with the wild card, or '\0' */
	struct scopa_card card; /* of a play: the card that leaves the hand */
	struct scopa_cards captured; /* of a play: empty if the card is laid */
};

struct scopa_play {
	int seat;
	struct scopa_move move;
};

/* A rule parameter.  Its number is 0 for "no" and 1 for "yes". */
struct scopa_rule {
	char key[SCOPA_WORD_SIZE];
	char text[SCOPA_WORD_SIZE];
	int number; /* -1: the value is no number */
};

/* All that a seat may know when it has to move. */
struct scopa_view {
	int seat, team; /* one's own */
	int seats;      /* how many play */
	int team_count;
	int teams[SCOPA_SEATS_MAX + 1]; /* the team of each seat */

	struct scopa_cards hand, table;
	struct scopa_cards piles[SCOPA_TEAMS_MAX]; /* the captured cards */
	int scopas[SCOPA_TEAMS_MAX];               /* sweeps in this deal */
	int scores[SCOPA_TEAMS_MAX];               /* points before this deal */
	int hand_counts[SCOPA_SEATS_MAX + 1];
	int deck; /* how many cards are not dealt yet */
	int last; /* the seat that captured last; 0: nobody has */
	struct scopa_cards shown[SCOPA_SEATS_MAX + 1]; /* declared hands */
	int play_count;
	struct scopa_play plays[SCOPA_PLAYS_MAX]; /* of this deal, in order */
	int declared[SCOPA_TEAMS_MAX];            /* points of declarations */
	int matta;   /* the value of the wild 7 of cups; 0: it has none */
	int opening; /* sweeps that the dealer made of the opening table */

	int deal;   /* its number, from 1 */
	int dealer; /* a seat */
	int target; /* points to reach */
	int deals;  /* deals in the match; 0: it is played to the target */
	int rule_count;
	struct scopa_rule rules[SCOPA_RULES_MAX];

	const struct scopa_move *legal; /* the moves to choose from */
	int legal_count;

	int64_t time_ms; /* left for the match or deal; -1: no such limit */
	int64_t inc_ms;  /* what each decision adds to it; -1 likewise */
	int64_t move_ms; /* for this decision; -1 likewise */
	uint64_t seed;   /* of the match, for one's own random numbers */
};

/* An option that users may set.  A table of options ends with an empty row. */
struct scopa_option {
	const char *name;
	const char *type;     /* "int", "bool", "enum", "string" or "button" */
	const char *fallback; /* the default, as text; NULL for a button */
	long min, max;        /* of an int */
	const char *values;   /* of an enum: "calm|wild" */
};

/*
 * A bot: the text of the `id` line, its options, and how it chooses.  It must
 * last as long as the functions of this header are used.
 */
struct scopa_bot {
	const char *name;
	const char *version, *author;       /* NULL: none */
	const struct scopa_option *options; /* NULL: none */
	const char *features; /* `feature` line; NULL: "position=1" */
	/* Returns one of view->legal. */
	const struct scopa_move *(*choose)(const struct scopa_view *view);
};

/*
 * Plays until the arena says `quit` or closes the input.  Returns the exit
 * status for main(): 0, or 1 with a message on stderr if `choose` returned NULL
 * or memory ran out.
 */
int scopa_run(const struct scopa_bot *bot);

/*
 * For use in `choose`.
 */

/* The value of a rule parameter as text, or "" if there is none. */
const char *scopa_rule(const struct scopa_view *view, const char *key);

/* The same as a number: 0 for "no", 1 for "yes", -1 if it is no number. */
int scopa_rule_number(const struct scopa_view *view, const char *key);

/* The value of an option as text: of a bool "true" or "false". */
const char *scopa_option_text(const char *name);
long scopa_option_int(const char *name);

/* The cards that lie in no pile, on the table, or in a hand that one sees. */
struct scopa_cards scopa_hidden(const struct scopa_view *view);

/* Whether a set has the card of this text, as in "7D". */
bool scopa_has(const struct scopa_cards *cards, const char *text);

/* A random number of 0 to below - 1; the same ones for the same match seed. */
int scopa_random(int below);

/*
 * Says something about the decision, for records and charts: depth=, nodes=,
 * value=, time=, pv=, numbers of one's own as m.NAME=, a comment after `#`.
 *
 *     scopa_info("depth=%d value=%.2f # close", depth, value);
 */
void scopa_info(const char *format, ...) SCOPA_PRINTF;

/*
 * For tests and for search.
 */

/*
 * Lists the legal moves of the own seat by the rules, in canonical order,
 * without regard to view->legal.  Returns their number; *moves is to be freed.
 */
int scopa_legal_moves(const struct scopa_view *view, struct scopa_move **moves);

/*
 * The view of this decision without its `state` line: what the last `state`
 * line before it and the events since then say.  It has no legal moves, and no
 * times of this decision.
 */
const struct scopa_view *scopa_followed(void);

/* As scopa_run(), but with any pair of files. */
int scopa_serve(const struct scopa_bot *bot, FILE *in, FILE *out);

/* Reads sets such as "3C4S" or "-".  False: the text is no set of cards. */
bool scopa_parse_cards(const char *text, struct scopa_cards *cards);

#endif
