/*
 * Implements play_person.h.
 *
 * Cards are drawn by a row of the table `faces`, which has the words of a pack.
 * Packs whose signs need UTF-8 have words for outputs without it.  Each kind of
 * event that a person should notice has a function that adds a line to the
 * news.
 */
#include "play_person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "play_game.h"
#include "scopa/notation.h"
#include "text_format.h"

enum { LINE_SIZE = 4096 /* of a text for one line or a few */ };

/*
 * Cards.
 */

const char *const card_style_names[CARD_STYLE_COUNT + 1] = {
	[CARDS_ITALIAN] = "it",
	[CARDS_SPANISH] = "es",
	[CARDS_FRENCH] = "fr",
	[CARDS_ASCII] = "ascii",
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
 * What the rows of a frame begin with, are filled with and end with: its top,
 * the rows of the card, and its bottom; without UTF-8, and with it.
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
canvas_init(struct canvas *canvas, enum card_style style)
{
	const char *terminal = getenv("TERM");
	const struct report_style usual = report_style_of(stdout);

	*canvas = (struct canvas){
		.style = style,
		.terminal = usual.wraps && terminal != NULL &&
		    strcmp(terminal, "dumb") != 0,
		.unicode = has_utf8(),
		.color = usual.color,
	};
	canvas_fit(canvas);
}

void
canvas_fit(struct canvas *canvas)
{
	canvas->columns = text_columns(STDOUT_FILENO, COLUMNS_USUAL);
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

/* Appends the name of a card: `7 di denari`, `7D`. */
static void
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

/* Appends cards with ` + ` between them, or `no cards`. */
static void
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

enum { DRAWN_LABEL_SIZE = 24 };

struct drawn_card {
	scopa_card card;
	char label[DRAWN_LABEL_SIZE]; /* stands below the card; may be empty */
};

/* The lines of a drawn card. */
enum drawn_line { LINE_TOP, LINE_RANK, LINE_SUIT, LINE_BOTTOM, LINE_LABEL };

static void
print_repeated(const char *sign, int count)
{
	for (int i = 0; i < count; i++)
		fputs(sign, stdout);
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
	printf("%*s%s%*s", left / 2, "", text.bytes, left - left / 2, "");
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
	fputs(frame[0], stdout);
	if (row == 1)
		print_centred(canvas, drawn, word.bytes, face->width);
	else
		print_repeated(frame[1], face->width);
	fputs(frame[2], stdout);
}

/* Prints a row of cards, or as many rows as the columns of the output need. */
static void
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
			printf("%*s", INDENT - 1, "");
			for (int i = begin; i < end; i++) {
				putchar(' ');
				print_card_line(
				    canvas, &cards[i], (enum drawn_line)line);
			}
			putchar('\n');
		}
	}
}

void
canvas_print(const struct canvas *canvas, const char *lines)
{
	text_wrap(lines, canvas->columns, CONTINUED, stdout);
}

/* Prints a heading as a line across the output. */
static void
canvas_heading(const struct canvas *canvas, const char *heading)
{
	const char *across = frames[canvas->unicode][0][1];
	int left = canvas->columns - 4 - text_width(heading);

	putchar('\n');
	print_repeated(across, 2);
	printf(" %s ", heading);
	print_repeated(across, left);
	putchar('\n');
}

void
canvas_clear(const struct canvas *canvas)
{
	if (canvas->terminal)
		fputs("\x1b[2J\x1b[3J\x1b[H", stdout);
}

/*
 * Persons.
 */

static const struct canvas *
canvas_of(const struct person *person)
{
	return &person->screen->canvas;
}

static void
forget_news(struct person *person)
{
	scopa_text_init(
	    &person->news, person->news_bytes, sizeof(person->news_bytes));
}

void
person_init(struct person *person, struct screen *screen, int seat)
{
	memset(person, 0, sizeof(*person));
	person->screen = screen;
	person->seat = seat;
	forget_news(person);
}

/* Appends the name of a seat, with its number if another has the same name. */
static void
put_seat_name(const struct scopa_rules *rules,
    const char (*names)[EVENT_NAME_SIZE], int seat, struct scopa_text *text)
{
	bool same = false;

	for (int other = 0; other < rules->players; other++)
		same |= other != seat && strcmp(names[other], names[seat]) == 0;
	scopa_text_string(text, names[seat]);
	if (same)
		scopa_text_print(text, " (seat %d)", seat + 1);
}

void
play_team_text(const struct scopa_rules *rules,
    const char (*names)[EVENT_NAME_SIZE], int team, struct scopa_text *text)
{
	bool alone = scopa_team_count(rules) == rules->players;
	const char *before = "";

	for (int seat = 0; seat < rules->players; seat++) {
		bool named = false;

		if (scopa_team_of(rules, seat) != team)
			continue;
		for (int other = 0; other < seat; other++)
			named |= scopa_team_of(rules, other) == team &&
			    strcmp(names[other], names[seat]) == 0;
		if (named)
			continue;
		scopa_text_string(text, before);
		before = "+";
		if (alone)
			put_seat_name(rules, names, seat, text);
		else
			scopa_text_string(text, names[seat]);
	}
}

static void
put_seat(const struct person *person, int seat, struct scopa_text *text)
{
	put_seat_name(&person->rules, person->names, seat, text);
}

static void
put_team(const struct person *person, int team, struct scopa_text *text)
{
	play_team_text(&person->rules, person->names, team, text);
}

/* Appends the points of all teams: `anna 3, maestro 1`. */
static void
put_scores(
    const struct person *person, const int32_t *scores, struct scopa_text *text)
{
	for (int team = 0; team < scopa_team_count(&person->rules); team++) {
		scopa_text_string(text, team > 0 ? ", " : "");
		put_team(person, team, text);
		scopa_text_print(text, " %d", scores[team]);
	}
}

/* Appends a declaration in words. */
static void
put_declaration(const struct scopa_move *move, struct scopa_text *text)
{
	scopa_text_print(text, "declares %s",
	    move->declaration == SCOPA_DECLARE_LOW ? "less than ten"
						   : "three of a kind");
	if (move->value != 0)
		scopa_text_print(
		    text, ", with the 7 of cups as a %d", move->value);
}

void
person_move_text(const struct person *person, const struct scopa_move *move,
    struct scopa_text *text)
{
	if (move->declaration != SCOPA_DECLARE_NOTHING) {
		put_declaration(move, text);
		return;
	}
	canvas_card(canvas_of(person), move->card, text);
	if (move->captured == SCOPA_SET_EMPTY)
		return;
	scopa_text_string(text, " takes ");
	canvas_set(canvas_of(person), move->captured, text);
}

/*
 * The news.
 */

/* Begins a line of news about a seat: `  anna: `. */
static struct scopa_text *
news_of(struct person *person, int seat)
{
	scopa_text_string(&person->news, "  ");
	put_seat(person, seat, &person->news);
	scopa_text_string(&person->news, ": ");
	return &person->news;
}

static void
hear_deal(struct person *person, const struct event *event)
{
	struct scopa_text *news = &person->news;

	memcpy(person->scores, event->deal.scores, sizeof(person->scores));
	scopa_text_print(news, "  deal %d: the dealer is ", event->deal.number);
	put_seat(person, event->deal.dealer, news);
	scopa_text_string(news, "; first to play: ");
	put_seat(person, event->deal.first, news);
	scopa_text_string(news, "\n");
}

static void
hear_redeal(struct person *person, const struct event *event)
{
	scopa_text_print(&person->news,
	    "  the cards are dealt again, because of the %s on the table\n",
	    event->reason);
}

static void
hear_cards(struct person *person, const struct event *event)
{
	static const char *const ways[EVENT_KIND_COUNT] = {
		[EVENT_SWEEP] = "takes the opening table, ",
		[EVENT_SHOW] = "shows ",
		[EVENT_REST] = "gets the rest of the table, ",
	};
	struct scopa_text *news = news_of(person, event->cards.seat);

	scopa_text_string(news, ways[event->kind]);
	canvas_set(canvas_of(person), event->cards.cards, news);
	if (event->kind == EVENT_SWEEP)
		scopa_text_print(news, ": %d scop%s", event->cards.scopa,
		    event->cards.scopa == 1 ? "a" : "e");
	scopa_text_string(news, "\n");
}

static void
hear_declare(struct person *person, const struct event *event)
{
	struct scopa_text *news = news_of(person, event->play.seat);

	put_declaration(&event->play.move, news);
	scopa_text_print(news, ": %d points\n", event->play.points);
}

static void
hear_play(struct person *person, const struct event *event)
{
	struct scopa_text *news = news_of(person, event->play.seat);

	person_move_text(person, &event->play.move, news);
	if (event->play.scopa)
		scopa_text_string(news, ", scopa!");
	if (event->play.by_arena)
		scopa_text_print(
		    news, " (played by the arena: %s)", event->play.cause);
	scopa_text_string(news, "\n");
}

static void
hear_score(struct person *person, const struct event *event)
{
	person->deal_scores[event->score.team] = event->score;
	person->scores[event->score.team] = event->score.total;
}

/* Adds a quantity with the points for it: `22 +1`, or `18`. */
static void
add_item(struct text_table *table, int quantity, int points)
{
	if (points != 0)
		text_table_add(table, "%d %+d", quantity, points);
	else
		text_table_add(table, "%d", quantity);
}

/* Prints the points of the deal by what they are for. */
static void
print_deal_score(const struct person *person, int number)
{
	const struct canvas *canvas = canvas_of(person);
	int teams = scopa_team_count(&person->rules);
	struct text_table table;

	printf("\ndeal %d is over\n", number);
	text_table_init(&table, 1 + teams, 1);
	text_table_add(&table, "  points for");
	for (int team = 0; team < teams; team++) {
		struct scopa_text name = SCOPA_TEXT(LINE_SIZE);

		put_team(person, team, &name);
		text_table_add(&table, "%s", name.bytes);
	}
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(person->deal_scores[0].items & UINT32_C(1) << item))
			continue;
		text_table_add(
		    &table, "  %s", scopa_item_name((enum scopa_item)item));
		for (int team = 0; team < teams; team++)
			add_item(&table,
			    person->deal_scores[team].quantity[item],
			    person->deal_scores[team].item_points[item]);
	}
	text_table_add(&table, "  this deal");
	for (int team = 0; team < teams; team++)
		text_table_add(&table, "%d", person->deal_scores[team].points);
	text_table_add(&table, "  in all");
	for (int team = 0; team < teams; team++)
		text_table_add(&table, "%d", person->deal_scores[team].total);
	if (text_table_print(&table, canvas->columns, stdout) != 0)
		printf("  no memory\n");
}

static void
hear_enddeal(struct person *person, const struct event *event)
{
	struct screen *screen = person->screen;

	if (event->number > screen->scored_deal) {
		screen->scored_deal = event->number;
		if (!screen->quiet) {
			person_print_news(person);
			print_deal_score(person, event->number);
		}
	}
	forget_news(person);
}

static void
hear_rules(struct person *person, const struct event *event)
{
	person->rules = event->rules;
}

static void
hear_seat(struct person *person, const struct event *event)
{
	memcpy(person->names[event->seat.seat], event->seat.name,
	    sizeof(event->seat.name));
}

/* The events that a person should notice. */
static void (*const hearers[EVENT_KIND_COUNT])(
    struct person *person, const struct event *event) = {
	[EVENT_RULES] = hear_rules,
	[EVENT_SEAT] = hear_seat,
	[EVENT_DEAL] = hear_deal,
	[EVENT_REDEAL] = hear_redeal,
	[EVENT_SWEEP] = hear_cards,
	[EVENT_DECLARE] = hear_declare,
	[EVENT_SHOW] = hear_cards,
	[EVENT_PLAY] = hear_play,
	[EVENT_REST] = hear_cards,
	[EVENT_SCORE] = hear_score,
	[EVENT_ENDDEAL] = hear_enddeal,
};

static void
hear_line(struct person *person, const char *line, size_t length)
{
	struct word verb = words_first(line, length);
	struct event event;
	struct scopa_rules rules;
	struct scopa_text why = SCOPA_TEXT(LINE_SIZE);

	if (word_is(verb, "state")) {
		snprintf(person->state, sizeof(person->state), "%.*s",
		    (int)length, line);
		if (scopa_state_parse(
			person->state, &rules, &person->view, &why))
			scopa_view_deal(
			    &person->rules, &person->view, NULL, &person->deal);
	} else if (word_is(verb, "go")) {
		person->asked = true;
	} else if (event_parse(line, length, &event, &why) == EVENT_PARSED &&
	    hearers[event.kind] != NULL) {
		hearers[event.kind](person, &event);
	}
}

void
person_hear(struct person *person, const char *lines)
{
	person->asked = false;
	while (*lines != '\0') {
		size_t length = strcspn(lines, "\n");

		hear_line(person, lines, length);
		lines += length + (lines[length] == '\n');
	}
	if (person->screen->quiet)
		forget_news(person);
}

void
person_print_news(struct person *person)
{
	if (person->news.length > 0) {
		canvas_print(canvas_of(person), "\n");
		canvas_print(canvas_of(person), person->news_bytes);
	}
	forget_news(person);
}

/*
 * The position.
 */

int
person_choice_count(const struct person *person)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_set_count(person->view.hand);

	while (person_moves(person, count + 1, moves) > 0)
		count++;
	return count;
}

int
person_moves(const struct person *person, int number,
    struct scopa_move moves[SCOPA_MOVES_MAX])
{
	struct scopa_move all[SCOPA_MOVES_MAX];
	scopa_set hand = person->view.hand;
	int cards = scopa_set_count(hand), count;

	if (number < 1)
		return 0;
	if (number <= cards) {
		while (--number > 0)
			(void)scopa_set_take(&hand);
		return scopa_moves_of_card(&person->rules, &person->deal,
		    scopa_set_first(hand), moves, SCOPA_MOVES_MAX);
	}
	count =
	    scopa_moves(&person->rules, &person->deal, all, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		if (all[i].declaration == SCOPA_DECLARE_NOTHING ||
		    ++cards < number)
			continue;
		moves[0] = all[i];
		return 1;
	}
	return 0;
}

/* Prints what each team has taken: `taken: anna 9 cards, 1 scopa; ...`. */
static void
print_taken(const struct person *person)
{
	const struct scopa_view *view = &person->view;
	struct scopa_text line = SCOPA_TEXT(LINE_SIZE);

	scopa_text_string(&line, "  taken: ");
	for (int team = 0; team < scopa_team_count(&person->rules); team++) {
		int cards = scopa_set_count(view->captured[team]);

		scopa_text_string(&line, team > 0 ? "; " : "");
		put_team(person, team, &line);
		text_printf(&line, " %d card%s", cards, text_plural(cards));
		if (view->scopas[team] > 0)
			text_printf(&line, ", %d scop%s", view->scopas[team],
			    view->scopas[team] == 1 ? "a" : "e");
		if (view->declared[team] > 0)
			text_printf(
			    &line, ", %d declared", view->declared[team]);
	}
	scopa_text_string(&line, "\n");
	canvas_print(canvas_of(person), line.bytes);
}

/* Prints how many cards the others hold, and those that they have shown. */
static void
print_others(const struct person *person)
{
	const struct scopa_view *view = &person->view;
	struct scopa_text line = SCOPA_TEXT(LINE_SIZE);
	const char *before = "";

	scopa_text_string(&line, "  in hand: ");
	for (int i = 1; i < person->rules.players; i++) {
		int seat = (person->seat + i) % person->rules.players;
		int cards = view->hand_counts[seat];

		scopa_text_string(&line, before);
		before = "; ";
		put_seat(person, seat, &line);
		text_printf(&line, " %d card%s", cards, text_plural(cards));
		if (view->shown[seat]) {
			scopa_text_string(&line, ", ");
			canvas_set(canvas_of(person), view->shown[seat], &line);
		}
	}
	if (view->matta != 0)
		text_printf(
		    &line, "; the 7 of cups counts as a %d", view->matta);
	scopa_text_string(&line, "\n");
	canvas_print(canvas_of(person), line.bytes);
}

/* Fills the label of a card on the table: the numbers of cards that take it. */
static void
label_table(const struct person *person, struct drawn_card *drawn)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_text label;
	int cards = scopa_set_count(person->view.hand);

	scopa_text_init(&label, drawn->label, sizeof(drawn->label));
	for (int number = 1; number <= cards; number++) {
		int count = person_moves(person, number, moves);
		bool takes = false;

		for (int i = 0; i < count; i++)
			takes |= scopa_set_has(moves[i].captured, drawn->card);
		if (takes)
			text_printf(&label, "%s%d",
			    label.length == 0 ? "by " : ",", number);
	}
}

static void
print_table(const struct person *person)
{
	struct drawn_card drawn[SCOPA_PACK_SIZE];
	scopa_set cards = person->view.table;
	int count = 0;

	if (!cards) {
		printf("table: no cards\n");
		return;
	}
	printf("table:\n");
	while (cards) {
		drawn[count].card = scopa_set_take(&cards);
		label_table(person, &drawn[count++]);
	}
	canvas_draw(canvas_of(person), drawn, count);
}

static void
print_hand(const struct person *person)
{
	struct drawn_card drawn[SCOPA_PACK_SIZE];
	scopa_set cards = person->view.hand;
	int count = 0;

	while (cards) {
		drawn[count].card = scopa_set_take(&cards);
		snprintf(drawn[count].label, sizeof(drawn[count].label), "[%d]",
		    count + 1);
		count++;
	}
	if (strcmp(person->names[person->seat], PLAY_NAME_USUAL) == 0)
		printf("your hand:\n");
	else
		printf("hand of %s:\n", person->names[person->seat]);
	canvas_draw(canvas_of(person), drawn, count);
}

/* Prints the declarations that may be made, with their numbers. */
static void
print_declarations(const struct person *person)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int number = scopa_set_count(person->view.hand);

	while (person_moves(person, ++number, moves) > 0) {
		struct scopa_text line = SCOPA_TEXT(LINE_SIZE);

		person_move_text(person, &moves[0], &line);
		printf("  [%d] %s (%s)\n", number, line.bytes,
		    move_text(&moves[0]));
	}
}

void
person_print_position(const struct person *person)
{
	const struct scopa_view *view = &person->view;
	struct scopa_text line = SCOPA_TEXT(LINE_SIZE);

	text_printf(&line, "deal %d: ", view->deal_number);
	put_scores(person, view->scores, &line);
	text_printf(&line, "; %d to be dealt", view->deck_count);
	canvas_heading(canvas_of(person), line.bytes);
	print_taken(person);
	print_others(person);
	print_table(person);
	print_hand(person);
	print_declarations(person);
}

void
person_print_plays(const struct person *person)
{
	const struct scopa_view *view = &person->view;

	if (view->history_count == 0)
		printf("  nothing was played in this deal\n");
	for (int i = 0; i < view->history_count; i++) {
		struct scopa_text line = SCOPA_TEXT(LINE_SIZE);

		scopa_text_string(&line, "  ");
		put_seat(person, view->history[i].seat, &line);
		scopa_text_string(&line, ": ");
		person_move_text(person, &view->history[i], &line);
		scopa_text_string(&line, "\n");
		canvas_print(canvas_of(person), line.bytes);
	}
}

void
person_print_scores(const struct person *person)
{
	struct scopa_text line = SCOPA_TEXT(LINE_SIZE);

	scopa_text_string(&line, "  points before this deal: ");
	put_scores(person, person->view.scores, &line);
	for (int team = 0; team < scopa_team_count(&person->rules); team++) {
		scopa_text_string(&line, "\n  taken by ");
		put_team(person, team, &line);
		scopa_text_string(&line, ": ");
		canvas_set(
		    canvas_of(person), person->view.captured[team], &line);
	}
	scopa_text_string(&line, "\n");
	canvas_print(canvas_of(person), line.bytes);
}
