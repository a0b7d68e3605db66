/*
 * A person at the terminal: reads the lines that the arena sends to the seat,
 * and prints them as text and as drawn cards.
 *
 * As a bot, a person knows only what these lines say.
 */
#ifndef PLAY_PERSON_H
#define PLAY_PERSON_H

#include "event.h"

/* The packs of cards that can be drawn. */
enum card_style {
	CARDS_ITALIAN,
	CARDS_SPANISH,
	CARDS_FRENCH,
	CARDS_ASCII, /* the notation of the protocol: 7D */
	CARD_STYLE_COUNT
};

/* Their names for users.  NULL ends the list. */
extern const char *const card_style_names[CARD_STYLE_COUNT + 1];

/* What the standard output can show. */
struct canvas {
	enum card_style style;
	bool terminal;
	bool unicode; /* the locale has UTF-8 */
	bool color;
	int columns;
};

/* Finds this out.  It has colours as report_style_of() says. */
void canvas_init(struct canvas *canvas, enum card_style style);

/* Finds the present width of the output. */
void canvas_fit(struct canvas *canvas);

/*
 * Prints lines of text, and wraps those that are wider than the output.  Escape
 * sequences have no width.
 */
void canvas_print(const struct canvas *canvas, const char *lines);

/* Clears a terminal: the next person must not see this screen. */
void canvas_clear(const struct canvas *canvas);

enum { PERSON_NEWS_SIZE = 16384, PERSON_STATE_SIZE = 8192 };

/* The screen that all persons of a game share. */
struct screen {
	struct canvas canvas;
	/* Nothing is printed while the moves of a stopped game are repeated. */
	bool quiet;
	int scored_deal; /* the last deal whose points were printed */
};

struct person {
	struct screen *screen;
	int seat;
	struct scopa_rules rules;
	char names[SCOPA_SEATS_MAX][EVENT_NAME_SIZE];
	int32_t scores[SCOPA_TEAMS_MAX]; /* of the match, after the last deal */
	struct event_score deal_scores[SCOPA_TEAMS_MAX];
	/* The events since the last question, as lines of text. */
	struct scopa_text news;
	char news_bytes[PERSON_NEWS_SIZE];
	/*
	 * The open question.  In `deal` hidden cards are at arbitrary places:
	 * it is only used for the legal moves.
	 */
	bool asked;
	struct scopa_view view;
	struct scopa_deal deal;
	char state[PERSON_STATE_SIZE]; /* the `state` line */
};

void person_init(struct person *person, struct screen *screen, int seat);

/*
 * Reads lines of the arena.  At the end of a deal it prints the news and the
 * points, unless they were printed for another person.
 */
void person_hear(struct person *person, const char *lines);

/* Prints the news, and then empties it. */
void person_print_news(struct person *person);

/* Print the open question: the table, the hand and the numbers of choices. */
void person_print_position(const struct person *person);

/* Prints the plays of this deal. */
void person_print_plays(const struct person *person);

/* Prints the points of the match, and what was taken in this deal. */
void person_print_scores(const struct person *person);

/*
 * Finds the moves of the choice `number`: 1 and so on are the cards of the hand
 * as they are drawn, and declarations follow.  Returns how many moves there
 * are; 0: there is no such choice.
 */
int person_moves(const struct person *person, int number,
    struct scopa_move moves[SCOPA_MOVES_MAX]);

/* Returns the greatest number for which person_moves() has moves. */
int person_choice_count(const struct person *person);

/*
 * Appends a move in words: `7 di denari takes 3 di coppe + 4 di spade`, or only
 * the card if it takes nothing.
 */
void person_move_text(const struct person *person,
    const struct scopa_move *move, struct scopa_text *text);

/*
 * Appends the names of a team: `anna`, `anna+maestro`.  `names` has a name for
 * each seat.
 */
void play_team_text(const struct scopa_rules *rules,
    const char (*names)[EVENT_NAME_SIZE], int team, struct scopa_text *text);

#endif
