/*
 * Implements card_drawing.h.  A row of the table `faces` has the words of a
 * pack.  Packs whose signs need UTF-8 have words for outputs without it.
 */
#include "card_drawing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "scopa/notation.h"
#include "text_format.h"

const char *const card_style_names[CARD_STYLE_COUNT + 1] = {
	[CARDS_ITALIAN] = "it",
	[CARDS_SPANISH] = "es",
	[CARDS_FRENCH] = "fr",
	[CARDS_ASCII] = "ascii",
};

const char *const color_choice_names[COLOR_COUNT + 1] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
};

enum {
	INDENT = 2,
	CONTINUED = 6, /* column in which a wrapped line goes on */
	COLUMNS_USUAL = 72,
	COLUMNS_MAX = 80,
	FACE_SIZE = 32
};

/* How the cards of a pack look. */
struct face {
	const char *ace;
	const char *pictures[3]; /* of 8, 9 and 10 */
	const char *of;          /* between rank and suit in a sentence */
	const char *suits[SCOPA_SUIT_COUNT];
	/* parameters of the escape sequence, or empty */
	const char *colors[SCOPA_SUIT_COUNT];
	int width; /* of a card without its frame */
};

#define SUIT_COLORS                    \
	{                              \
		"33", "31", "36", "32" \
	}
#define RED_AND_BLACK              \
	{                          \
		"31", "31", "", "" \
	}

static const struct face faces[CARD_STYLE_COUNT] = {
	[CARDS_ITALIAN] = { "asso", { "fante", "cavallo", "re" }, " di ",
	    { "denari", "coppe", "spade", "bastoni" }, SUIT_COLORS, 9 },
	[CARDS_SPANISH] = { "as", { "sota", "caballo", "rey" }, " de ",
	    { "oros", "copas", "espadas", "bastos" }, SUIT_COLORS, 9 },
	[CARDS_FRENCH] = { "A", { "J", "Q", "K" }, "",
	    { "\xe2\x99\xa6", "\xe2\x99\xa5", "\xe2\x99\xa0", "\xe2\x99\xa3" },
	    RED_AND_BLACK, 6 },
	[CARDS_ASCII] = { "A", { "J", "Q", "K" }, "", { "D", "C", "S", "B" },
	    SUIT_COLORS, 6 },
};

/* French cards without UTF-8. */
static const struct face plain_french = { "A", { "J", "Q", "K" }, " of ",
	{ "diamonds", "hearts", "spades", "clubs" }, RED_AND_BLACK, 10 };

/*
 * What the rows of a frame begin with, are filled with and end with: its top, the
 * rows of the card, and its bottom; without UTF-8, and with it.
 */
static const char *const frames[2][3][3] = {
	{ { "+", "-", "+" }, { "|", "", "|" }, { "+", "-", "+" } },
	{ { "\xe2\x94\x8c", "\xe2\x94\x80", "\xe2\x94\x90" },
	    { "\xe2\x94\x82", "", "\xe2\x94\x82" },
	    { "\xe2\x94\x94", "\xe2\x94\x80", "\xe2\x94\x98" } },
};

static const struct face *
face_of(const struct canvas *canvas)
{
	return canvas->style == CARDS_FRENCH && !canvas->unicode
	    ? &plain_french
	    : &faces[canvas->style];
}

/* Whether the locale of the environment has UTF-8. */
static bool
has_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (int i = 0; i < 3; i++) {
		const char *locale = getenv(names[i]);
		const char *charset;

		if (locale == NULL || locale[0] == '\0')
			continue;
		charset = strchr(locale, '.');
		return charset != NULL &&
		    (strncasecmp(charset, ".utf-8", 6) == 0 ||
			strncasecmp(charset, ".utf8", 5) == 0);
	}
	return false;
}

void
canvas_init(struct canvas *canvas, FILE *file, enum card_style style,
    enum color_choice color)
{
	const char *terminal = getenv("TERM");
	const struct report_style usual = report_style_of(file);

	*canvas = (struct canvas){
		.file = file,
		.style = style,
		.terminal = usual.wraps && terminal != NULL &&
		    strcmp(terminal, "dumb") != 0,
		.unicode = has_utf8(),
		.color = color == COLOR_ALWAYS ||
		    (color == COLOR_AUTO && usual.color),
		.columns = text_columns(fileno(file), COLUMNS_USUAL),
	};
	if (canvas->columns > COLUMNS_MAX)
		canvas->columns = COLUMNS_MAX;
}

/* Appends a word in the colour of a suit. */
static void
put_colored(const struct canvas *canvas, scopa_card card, const char *word,
    struct scopa_text *text)
{
	const char *color = face_of(canvas)->colors[scopa_card_suit(card)];

	if (canvas->color && color[0])
		scopa_text_print(text, "\x1b[%sm%s\x1b[0m", color, word);
	else
		scopa_text_string(text, word);
}

/* Appends the rank of a card, with the value of a picture if `valued`. */
static void
put_rank(const struct canvas *canvas, scopa_card card, bool valued,
    struct scopa_text *text)
{
	const struct face *face = face_of(canvas);
	int value = scopa_card_value(card);

	if (value == 1)
		scopa_text_string(text, face->ace);
	else if (value < 8)
		scopa_text_int(text, value);
	else
		scopa_text_string(text, face->pictures[value - 8]);
	if (valued && value >= 8)
		scopa_text_print(text, " %d", value);
}

void
canvas_card(
    const struct canvas *canvas, scopa_card card, struct scopa_text *text)
{
	const struct face *face = face_of(canvas);
	struct scopa_text name = SCOPA_TEXT(FACE_SIZE);

	put_rank(canvas, card, false, &name);
	scopa_text_string(&name, face->of);
	scopa_text_string(&name, face->suits[scopa_card_suit(card)]);
	put_colored(canvas, card, name.bytes, text);
}

void
canvas_set(
    const struct canvas *canvas, scopa_set cards, struct scopa_text *text)
{
	if (cards == SCOPA_SET_EMPTY)
		scopa_text_string(text, "no cards");
	while (cards) {
		canvas_card(canvas, scopa_set_take(&cards), text);
		if (cards)
			scopa_text_string(text, " + ");
	}
}

/* The lines of a drawn card. */
enum drawn_line { LINE_TOP, LINE_RANK, LINE_SUIT, LINE_BOTTOM, LINE_LABEL };

static void
print_repeated(const struct canvas *canvas, const char *sign, int count)
{
	for (int i = 0; i < count; i++)
		fputs(sign, canvas->file);
}

/* Prints a word in the middle of so many columns. */
static void
print_centred(const struct canvas *canvas, const struct drawn_card *drawn,
    const char *word, int width)
{
	struct scopa_text text = SCOPA_TEXT(2 * FACE_SIZE);
	int left = width - text_width(word);

	if (left < 0)
		left = 0;
	if (drawn != NULL)
		put_colored(canvas, drawn->card, word, &text);
	else
		scopa_text_string(&text, word);
	fprintf(canvas->file, "%*s%s%*s", left / 2, "", text.bytes,
	    left - left / 2, "");
}

/* Prints one line of a drawn card. */
static void
print_card_line(const struct canvas *canvas, const struct drawn_card *drawn,
    enum drawn_line line)
{
	const struct face *face = face_of(canvas);
	bool drawn_well = canvas->unicode && canvas->style != CARDS_ASCII;
	int row = line == LINE_TOP ? 0 : line == LINE_BOTTOM ? 2 : 1;
	const char *const *frame = frames[drawn_well][row];
	struct scopa_text word = SCOPA_TEXT(FACE_SIZE);

	if (line == LINE_LABEL) {
		print_centred(canvas, NULL, drawn->label, face->width + 2);
		return;
	}
	if (line == LINE_RANK)
		put_rank(canvas, drawn->card, true, &word);
	else
		scopa_text_string(
		    &word, face->suits[scopa_card_suit(drawn->card)]);
	fputs(frame[0], canvas->file);
	if (row == 1)
		print_centred(canvas, drawn, word.bytes, face->width);
	else
		print_repeated(canvas, frame[1], face->width);
	fputs(frame[2], canvas->file);
}

void
canvas_draw(
    const struct canvas *canvas, const struct drawn_card *cards, int count)
{
	int width = face_of(canvas)->width + 3;
	int in_row = (canvas->columns - INDENT) / width;
	bool labelled = false;

	if (in_row < 1)
		in_row = 1;
	for (int i = 0; i < count; i++)
		labelled |= cards[i].label[0] != '\0';
	for (int begin = 0; begin < count; begin += in_row) {
		int end = begin + in_row < count ? begin + in_row : count;

		for (int line = LINE_TOP; line <= LINE_LABEL; line++) {
			if (line == LINE_LABEL && !labelled)
				break;
			fprintf(canvas->file, "%*s", INDENT - 1, "");
			for (int i = begin; i < end; i++) {
				fputc(' ', canvas->file);
				print_card_line(
				    canvas, &cards[i], (enum drawn_line)line);
			}
			fputc('\n', canvas->file);
		}
	}
}

void
canvas_print(const struct canvas *canvas, const char *lines)
{
	text_wrap(lines, canvas->columns, CONTINUED, canvas->file);
}

void
canvas_heading(const struct canvas *canvas, const char *heading)
{
	const char *across = frames[canvas->unicode][0][1];
	int left = canvas->columns - 4 - text_width(heading);

	fputc('\n', canvas->file);
	print_repeated(canvas, across, 2);
	fprintf(canvas->file, " %s ", heading);
	print_repeated(canvas, across, left);
	fputc('\n', canvas->file);
}

void
canvas_clear(const struct canvas *canvas)
{
	if (canvas->terminal)
		fputs("\x1b[2J\x1b[3J\x1b[H", canvas->file);
}
