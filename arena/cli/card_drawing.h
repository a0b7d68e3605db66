/*
 * Cards drawn for people: as words within a sentence, and as rows of framed
 * cards.
 */
#ifndef CARD_DRAWING_H
#define CARD_DRAWING_H

#include <stdio.h>

#include "scopa/card.h"
#include "scopa/text.h"

/* The packs of cards that can be drawn. */
enum card_style {
	CARDS_ITALIAN,
	CARDS_SPANISH,
	CARDS_FRENCH,
	CARDS_ASCII, /* the notation of the protocol: 7D */
	CARD_STYLE_COUNT
};

/* Their names as users write them, and NULL. */
extern const char *const card_style_names[CARD_STYLE_COUNT + 1];

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER, COLOR_COUNT };
extern const char *const color_choice_names[COLOR_COUNT + 1];

/* What the output is able to show. */
struct canvas {
	FILE *file;
	enum card_style style;
	bool terminal;
	bool unicode; /* the locale has UTF-8 */
	bool color;
	int columns;
};

/*
 * Finds out what `file` is able to show: colour by `color`, or for COLOR_AUTO if
 * it is a terminal other than `dumb` and NO_COLOR is not set.
 */
void canvas_init(struct canvas *canvas, FILE *file, enum card_style style,
    enum color_choice color);

/* Appends the name of a card: `7 di denari`, `7D`. */
void canvas_card(
    const struct canvas *canvas, scopa_card card, struct scopa_text *text);

/* Appends cards with ` + ` between them, or `no cards`. */
void canvas_set(
    const struct canvas *canvas, scopa_set cards, struct scopa_text *text);

enum { DRAWN_LABEL_SIZE = 24 };

struct drawn_card {
	scopa_card card;
	char label[DRAWN_LABEL_SIZE]; /* stands below the card; may be empty */
};

/* Prints a row of cards, or as many rows as the columns of the output need. */
void canvas_draw(
    const struct canvas *canvas, const struct drawn_card *cards, int count);

/*
 * Prints lines of text, and wraps those that are wider than the output.  Escape
 * sequences have no width.
 */
void canvas_print(const struct canvas *canvas, const char *lines);

/* Prints a heading as a line across the output. */
void canvas_heading(const struct canvas *canvas, const char *heading);

/* Clears a terminal, so that the next person does not see this screen. */
void canvas_clear(const struct canvas *canvas);

#endif
