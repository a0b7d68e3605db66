/*
 * The protocol USP/1 and the rules of the Scopa family; see scopa_bot.h.
 *
 * The parts of this file: words of a line; cards and moves; rules; the legal
 * moves; the game as the events report it; the `state` line; options; the
 * session with the arena.  protocol.md explains the lines and the rules.
 */
#include "scopa_bot.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_SIZE = 65536 + 2, /* the longest line, its end and a NUL */
	WORDS_MAX = LINE_SIZE / 2,
	OPTIONS_MAX = 64,
	VALUE_SIZE = 4096,
	UNKNOWN_VERBS_MAX = 16 /* an arena ends a bot that says too much */
};

#define RANKS "A234567JQK"
#define SUITS "DCSB"
#define MATTA "7C" /* the wild card of Cirulla */

/* A line, split into its words. */
struct line {
	char bytes[LINE_SIZE];
	int count;
	const char *words[WORDS_MAX];
};

/* A list of moves that grows. */
struct moves {
	struct scopa_move *move;
	int count, capacity;
};

/* Everything that lasts between two lines. */
static struct {
	const struct scopa_bot *bot;
	FILE *out;
	char values[OPTIONS_MAX][VALUE_SIZE]; /* of the options */
	struct scopa_view view;
	struct scopa_view followed; /* `view` before the `state` line */
	bool rules_known;           /* a `rules` line holds */
	struct line line;
	bool state_known; /* a `state` line has come since the last `go` */
	struct moves legal;
	uint64_t random;
	int unknown_verbs;
	bool failed;
} session;

static void say(const char *format, ...) SCOPA_PRINTF;

/* Writes a line to the arena, at once. */
static void
say(const char *format, ...)
{
	va_list arguments;
	char text[VALUE_SIZE];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	/* A line with other bytes would lose the game. */
	for (char *at = text; *at != '\0'; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	fprintf(session.out, "%s\n", text);
	fflush(session.out);
}

/* Ends the session with status 1. */
static void
fail(const char *why)
{
	fprintf(stderr, "%s: %s\n", session.bot->name, why);
	session.failed = true;
}

/*
 * Words of a line.
 */

/* Splits a line at blanks; a word that begins with # begins a comment. */
static void
line_split(struct line *line)
{
	char *at = line->bytes;

	line->count = 0;
	for (;;) {
		at += strspn(at, " \t\r\n");
		if (*at == '\0' || *at == '#' || line->count == WORDS_MAX)
			return;
		line->words[line->count++] = at;
		at += strcspn(at, " \t\r\n");
		if (*at != '\0')
			*at++ = '\0';
	}
}

/* The word at a place, or "". */
static const char *
word_at(const struct line *line, int place)
{
	return place < line->count ? line->words[place] : "";
}

/* The value of a word KEY=VALUE, or NULL. */
static const char *
find_key(const struct line *line, const char *key)
{
	size_t length = strlen(key);

	for (int i = 1; i < line->count; i++)
		if (strncmp(line->words[i], key, length) == 0 &&
		    line->words[i][length] == '=')
			return line->words[i] + length + 1;
	return NULL;
}

/* The same; "" if there is no such word. */
static const char *
value_of(const struct line *line, const char *key)
{
	const char *value = find_key(line, key);

	return value != NULL ? value : "";
}

static int
int_of(const struct line *line, const char *key)
{
	return atoi(value_of(line, key));
}

/* A number of milliseconds, or -1 if the key is missing. */
static int64_t
ms_of(const struct line *line, const char *key)
{
	const char *value = find_key(line, key);

	return value != NULL ? strtoll(value, NULL, 10) : -1;
}

/* A seat or a team from the protocol, or 0 if it is malformed. */
static int
seat_of(const char *text)
{
	int seat = atoi(text);

	return seat >= 1 && seat <= SCOPA_SEATS_MAX ? seat : 0;
}

static int
team_of(const char *text)
{
	return text[0] >= 'A' && text[0] < 'A' + SCOPA_TEAMS_MAX ? text[0] - 'A'
								 : 0;
}

/*
 * Cards and moves.
 */

/* The value of a rank, 1 to 10, or 0 if it is malformed. */
static int
value_of_rank(char rank)
{
	const char *at = rank != '\0' ? strchr(RANKS, rank) : NULL;

	return at != NULL ? (int)(at - RANKS) + 1 : 0;
}

/* Reads a card.  False: the text does not begin with one. */
static bool
parse_card(const char *text, struct scopa_card *card)
{
	int value = value_of_rank(text[0]);

	if (value == 0 || text[1] == '\0' || strchr(SUITS, text[1]) == NULL)
		return false;
	*card = (struct scopa_card){
		.text = { text[0], text[1], '\0' },
		.rank = text[0],
		.suit = text[1],
		.value = value,
	};
	return true;
}

/* The place of a card in the canonical order. */
static int
order_of(const struct scopa_card *card)
{
	return 4 * card->value + (int)(strchr(SUITS, card->suit) - SUITS);
}

bool
scopa_has(const struct scopa_cards *cards, const char *text)
{
	for (int i = 0; i < cards->count; i++)
		if (strcmp(cards->card[i].text, text) == 0)
			return true;
	return false;
}

/* Adds a card at its place. */
static void
cards_add(struct scopa_cards *cards, struct scopa_card card)
{
	int at = cards->count;

	if (at == SCOPA_CARDS_MAX || scopa_has(cards, card.text))
		return;
	for (; at > 0 && order_of(&cards->card[at - 1]) > order_of(&card); at--)
		cards->card[at] = cards->card[at - 1];
	cards->card[at] = card;
	cards->count++;
}

static void
cards_add_all(struct scopa_cards *cards, const struct scopa_cards *more)
{
	for (int i = 0; i < more->count; i++)
		cards_add(cards, more->card[i]);
}

static void
cards_remove(struct scopa_cards *cards, const char *text)
{
	int kept = 0;

	for (int i = 0; i < cards->count; i++)
		if (strcmp(cards->card[i].text, text) != 0)
			cards->card[kept++] = cards->card[i];
	cards->count = kept;
}

/* Reads the cards of a text up to its end or to a byte of `ends`. */
static bool
parse_cards_until(const char *text, const char *ends, struct scopa_cards *cards)
{
	struct scopa_card card;

	cards->count = 0;
	if (text[0] == '-')
		text++;
	for (; *text != '\0' && strchr(ends, *text) == NULL; text += 2) {
		if (!parse_card(text, &card))
			return false;
		cards_add(cards, card);
	}
	return true;
}

bool
scopa_parse_cards(const char *text, struct scopa_cards *cards)
{
	return parse_cards_until(text, "", cards);
}

/* Writes the text of a move from its other members. */
static void
move_set_text(struct scopa_move *move)
{
	char *at = move->text;

	if (move->declaration != NULL) {
		snprintf(move->text, sizeof(move->text), "!%s%s%c",
		    move->declaration, move->rank != '\0' ? ":" : "",
		    move->rank);
		return;
	}
	at += sprintf(
	    at, "%s%s", move->card.text, move->captured.count > 0 ? "x" : "");
	for (int i = 0; i < move->captured.count; i++)
		at += sprintf(at, "%s", move->captured.card[i].text);
}

/* Reads a declaration without its `!`, as `low` or `three:K`. */
static bool
parse_declaration(const char *text, struct scopa_move *move)
{
	static const char *const names[] = { "low", "three" };

	*move = (struct scopa_move){ .declaration = NULL };
	for (int i = 0; i < 2; i++) {
		size_t length = strlen(names[i]);

		if (strncmp(text, names[i], length) != 0)
			continue;
		move->declaration = names[i];
		if (text[length] == ':')
			move->rank = text[length + 1];
		move_set_text(move);
		return true;
	}
	return false;
}

/* Reads a move up to the end of the text or to a slash. */
static bool
parse_move(const char *text, struct scopa_move *move)
{
	*move = (struct scopa_move){ .declaration = NULL };
	if (text[0] == '!')
		return parse_declaration(text + 1, move);
	if (!parse_card(text, &move->card))
		return false;
	if (text[2] == 'x' &&
	    !parse_cards_until(text + 3, "/", &move->captured))
		return false;
	move_set_text(move);
	return true;
}

/* Appends a move to a list. */
static void
moves_add(struct moves *moves, const struct scopa_move *move)
{
	if (moves->count == moves->capacity) {
		int larger = 2 * moves->capacity + 64;
		struct scopa_move *grown = realloc(
		    moves->move, (size_t)larger * sizeof(moves->move[0]));

		if (grown == NULL) {
			fail("no memory for the list of moves");
			return;
		}
		moves->move = grown;
		moves->capacity = larger;
	}
	moves->move[moves->count++] = *move;
}

/*
 * Rules.
 */

/*
 * The rules that decide which moves are legal, with the values that are known
 * here.  `fallback` holds if the arena does not name the rule.
 */
static const struct {
	const char *key, *fallback, *values;
} move_rules[] = {
	{ "capture", "sum", "sum fifteen sum-or-fifteen" },
	{ "equal-fifteen", "no", "no yes" },
	{ "priority", "single", "single fewest any" },
	{ "max-captured", "0", "0 2" },
	{ "ace", "plain", "plain sweep sweep-unless-ace sweep-traditional" },
	{ "ace-empty", "stay", "stay take" },
	{ "cirulla-ace", "choice", "choice sweep" },
	{ "cirulla-equal", "choice", "choice first" },
	{ "declare", "off", "off auto ask" },
	{ "matta", "hand", "hand plain table" },
};

enum { MOVE_RULE_COUNT = sizeof(move_rules) / sizeof(move_rules[0]) };

static const struct scopa_rule *
rule_find(const struct scopa_view *view, const char *key)
{
	for (int i = 0; i < view->rule_count; i++)
		if (strcmp(view->rules[i].key, key) == 0)
			return &view->rules[i];
	return NULL;
}

const char *
scopa_rule(const struct scopa_view *view, const char *key)
{
	const struct scopa_rule *rule = rule_find(view, key);

	return rule != NULL ? rule->text : "";
}

int
scopa_rule_number(const struct scopa_view *view, const char *key)
{
	const struct scopa_rule *rule = rule_find(view, key);

	return rule != NULL ? rule->number : -1;
}

/* Stores a rule, whose key and value have these lengths. */
static void
rule_set(struct scopa_view *view, const char *key, size_t key_length,
    const char *text, size_t text_length)
{
	struct scopa_rule *rule = &view->rules[view->rule_count];
	char *end;

	if (view->rule_count == SCOPA_RULES_MAX)
		return;
	view->rule_count++;
	snprintf(rule->key, sizeof(rule->key), "%.*s", (int)key_length, key);
	snprintf(
	    rule->text, sizeof(rule->text), "%.*s", (int)text_length, text);
	rule->number = (int)strtol(rule->text, &end, 10);
	if (strcmp(rule->text, "yes") == 0)
		rule->number = 1;
	else if (strcmp(rule->text, "no") == 0)
		rule->number = 0;
	else if (*end != '\0')
		rule->number = -1;
}

/* Whether one of the words of `values` is the text. */
static bool
is_one_of(const char *values, const char *text, const char *between)
{
	size_t length = strlen(text);

	while (*values != '\0') {
		size_t found = strcspn(values, between);

		if (found == length && strncmp(values, text, length) == 0)
			return true;
		values += found;
		values += strspn(values, between);
	}
	return false;
}

/* The value of a rule, or the one that holds if the arena does not name it. */
static const char *
rule_text(const struct scopa_view *view, const char *key)
{
	const struct scopa_rule *rule = rule_find(view, key);

	if (rule != NULL)
		return rule->text;
	for (int i = 0; i < MOVE_RULE_COUNT; i++)
		if (strcmp(move_rules[i].key, key) == 0)
			return move_rules[i].fallback;
	return "";
}

/* Whether a rule has this value. */
static bool
rule_is(const struct scopa_view *view, const char *key, const char *value)
{
	return strcmp(rule_text(view, key), value) == 0;
}

/* Finds a rule whose value is not known here. */
static const struct scopa_rule *
rule_unknown(const struct scopa_view *view)
{
	for (int i = 0; i < MOVE_RULE_COUNT; i++) {
		const struct scopa_rule *rule =
		    rule_find(view, move_rules[i].key);

		if (rule != NULL &&
		    !is_one_of(move_rules[i].values, rule->text, " "))
			return rule;
	}
	return NULL;
}

/*
 * The legal moves.
 */

/* A search for the sets of table cards that a card may take. */
struct search {
	const struct scopa_view *view;
	struct moves *moves;
	struct scopa_move move; /* with the cards taken so far */
	int value;              /* of the card that is played */
	int targets[2];         /* totals that capture; 0: none */
	int size_max;
	bool equal;          /* one card of equal value is a capture, too */
	bool equal_is_first; /* several cards that total `value` are not */
};

/* The value with which a card of the hand captures. */
static int
hand_value(const struct scopa_view *view, const struct scopa_card *card)
{
	if (strcmp(card->text, MATTA) == 0 && view->matta != 0)
		return view->matta;
	return card->value;
}

static int
table_value(const struct scopa_view *view, const struct scopa_card *card)
{
	return rule_is(view, "matta", "table") ? hand_value(view, card)
					       : card->value;
}

/* Whether a card of this value lies on the table. */
static bool
table_has_value(const struct scopa_view *view, int value)
{
	for (int i = 0; i < view->table.count; i++)
		if (table_value(view, &view->table.card[i]) == value)
			return true;
	return false;
}

/* Whether the cards taken so far, with this total, are a capture. */
static bool
search_hits(const struct search *search, int total)
{
	bool single = search->move.captured.count == 1;

	if (single && search->equal && total == search->value)
		return true;
	if (!single && search->equal_is_first && total == search->value)
		return false;
	return total > 0 &&
	    (total == search->targets[0] || total == search->targets[1]);
}

/*
 * Adds a move for each set that consists of the cards taken so far and some of
 * the table from a place on.  The order of the search is the canonical one.
 */
static void
search_from(struct search *search, int first, int total)
{
	const struct scopa_cards *table = &search->view->table;
	struct scopa_cards *taken = &search->move.captured;

	if (search_hits(search, total))
		moves_add(search->moves, &search->move);
	if (taken->count == search->size_max)
		return;
	for (int i = first; i < table->count; i++) {
		int larger = total + table_value(search->view, &table->card[i]);

		/* A single card of equal value can be above the targets. */
		if (larger > search->targets[0] &&
		    larger > search->targets[1] && taken->count > 0)
			continue;
		taken->card[taken->count++] = table->card[i];
		search_from(search, i + 1, larger);
		taken->count--;
	}
}

/* Removes the moves from a place on that take more than `size` cards. */
static void
moves_limit(struct moves *moves, int from, int size)
{
	int kept = from;

	for (int i = from; i < moves->count; i++)
		if (moves->move[i].captured.count <= size)
			moves->move[kept++] = moves->move[i];
	moves->count = kept;
}

/* Whether an ace that is played now takes the whole table. */
static bool
ace_sweeps(const struct scopa_view *view)
{
	bool first_play = true;

	if (view->table.count == 0 || rule_is(view, "ace", "plain"))
		return false;
	if (rule_is(view, "ace", "sweep"))
		return true;
	for (int i = 0; i < view->play_count; i++)
		if (view->plays[i].move.declaration == NULL)
			first_play = false;
	if (first_play && rule_is(view, "ace", "sweep-traditional"))
		return false;
	return !table_has_value(view, 1);
}

/* Whether set a comes before set b: card by card, and a part first. */
static bool
cards_precede(const struct scopa_cards *a, const struct scopa_cards *b)
{
	for (int i = 0; i < a->count && i < b->count; i++) {
		int order_a = order_of(&a->card[i]);
		int order_b = order_of(&b->card[i]);

		if (order_a != order_b)
			return order_a < order_b;
	}
	return a->count < b->count;
}

/* Adds the capture of the whole table at its place, if it is not there yet. */
static void
moves_add_sweep(struct moves *moves, int from, struct scopa_move *move)
{
	int at;

	for (int i = from; i < moves->count; i++)
		if (moves->move[i].captured.count == move->captured.count)
			return;
	moves_add(moves, move);
	for (at = moves->count - 1; at > from &&
	     cards_precede(&move->captured, &moves->move[at - 1].captured);
	     at--)
		moves->move[at] = moves->move[at - 1];
	moves->move[at] = *move;
}

/*
 * Adds what a card may take, in the four steps of protocol.md, "Which capture".
 */
static void
add_captures(const struct scopa_view *view, const struct scopa_card *card,
    struct moves *moves)
{
	int value = hand_value(view, card), from = moves->count;
	bool both = rule_is(view, "capture", "sum-or-fifteen");
	bool fifteen = rule_is(view, "capture", "fifteen");
	bool sweeps = value == 1 && ace_sweeps(view);
	int size_least = SCOPA_CARDS_MAX;
	struct search search = {
		.view = view,
		.moves = moves,
		.move = { .card = *card },
		.value = value,
		.targets = { fifteen ? 0 : value,
		    fifteen || both ? 15 - value : 0 },
		.size_max =
		    rule_is(view, "max-captured", "2") ? 2 : SCOPA_CARDS_MAX,
		.equal = !fifteen || rule_is(view, "equal-fifteen", "yes"),
		.equal_is_first = both &&
		    rule_is(view, "cirulla-equal", "first") &&
		    table_has_value(view, value),
	};

	if (!sweeps || (both && rule_is(view, "cirulla-ace", "choice")))
		search_from(&search, 0, 0);
	for (int i = from; i < moves->count; i++)
		if (moves->move[i].captured.count < size_least)
			size_least = moves->move[i].captured.count;
	if (rule_is(view, "priority", "fewest") ||
	    (rule_is(view, "priority", "single") && size_least == 1))
		moves_limit(moves, from, size_least);
	if (sweeps) {
		search.move.captured = view->table;
		moves_add_sweep(moves, from, &search.move);
	}
	if (moves->count == from)
		moves_add(moves, &(struct scopa_move){ .card = *card });
}

static void
add_declaration(struct moves *moves, const char *declaration, char rank)
{
	struct scopa_move move = { .declaration = declaration, .rank = rank };

	moves_add(moves, &move);
}

/* Adds the declarations that an untouched hand of three cards allows. */
static void
add_declarations(const struct scopa_view *view, struct moves *moves)
{
	struct scopa_cards others = view->hand;
	int total = 0;
	bool wild, alike = true;

	if (!rule_is(view, "declare", "ask") || view->hand.count != 3 ||
	    view->shown[view->seat].count > 0)
		return;
	cards_remove(&others, MATTA);
	wild = others.count == 2;
	for (int i = 0; i < others.count; i++) {
		total += others.card[i].value;
		alike = alike && others.card[i].rank == others.card[0].rank;
	}
	if (alike) {
		/* With two more sevens the 7 of cups needs no other value. */
		bool needs_rank = wild && others.card[0].rank != '7';

		add_declaration(
		    moves, "three", needs_rank ? others.card[0].rank : '\0');
	} else if (wild) {
		for (int value = 1; total + value <= 9; value++)
			add_declaration(moves, "low", RANKS[value - 1]);
	} else if (total <= 9) {
		add_declaration(moves, "low", '\0');
	}
}

int
scopa_legal_moves(const struct scopa_view *view, struct scopa_move **moves)
{
	struct moves list = { .move = NULL };

	for (int i = 0; i < view->hand.count; i++)
		add_captures(view, &view->hand.card[i], &list);
	add_declarations(view, &list);
	for (int i = 0; i < list.count; i++)
		move_set_text(&list.move[i]);
	*moves = list.move;
	return list.count;
}

struct scopa_cards
scopa_hidden(const struct scopa_view *view)
{
	struct scopa_cards seen = view->hand, hidden = { .count = 0 };
	struct scopa_card card;

	cards_add_all(&seen, &view->table);
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		cards_add_all(&seen, &view->piles[team]);
	for (int seat = 1; seat <= SCOPA_SEATS_MAX; seat++)
		cards_add_all(&seen, &view->shown[seat]);
	for (int i = 0; i < SCOPA_CARDS_MAX; i++) {
		parse_card((char[]){ RANKS[i / 4], SUITS[i % 4], '\0' }, &card);
		if (!scopa_has(&seen, card.text))
			cards_add(&hidden, card);
	}
	return hidden;
}

/*
 * The game as the events report it.  Each function reads one kind of line into
 * the view; it returns false if the line is malformed.
 */

/* Sets who plays in which team, from `AB` or the like. */
static void
set_teams(struct scopa_view *view, const char *teams)
{
	view->seats = 0;
	view->team_count = 0;
	for (; *teams != '\0' && view->seats < SCOPA_SEATS_MAX; teams++) {
		view->teams[++view->seats] = team_of(teams);
		if (team_of(teams) >= view->team_count)
			view->team_count = team_of(teams) + 1;
	}
	view->team = view->teams[view->seat];
}

/* The item after the next comma of a list, or NULL. */
static const char *
next_item(const char *item)
{
	const char *comma = strchr(item, ',');

	return comma != NULL ? comma + 1 : NULL;
}

/* Reads a list of numbers by team, as `A:3,B:0`. */
static void
read_points(const char *list, int points[SCOPA_TEAMS_MAX])
{
	for (; list != NULL && list[0] != '\0' && list[1] == ':';
	     list = next_item(list))
		points[team_of(list)] = atoi(list + 2);
}

/* Adds cards to the pile of a seat's team. */
static void
pile_add(struct scopa_view *view, int seat, const struct scopa_cards *cards)
{
	cards_add_all(&view->piles[view->teams[seat]], cards);
}

/* Adds a play or a declaration to those of the deal. */
static void
plays_add(struct scopa_view *view, int seat, const struct scopa_move *move)
{
	if (view->play_count == SCOPA_PLAYS_MAX)
		return;
	view->plays[view->play_count].seat = seat;
	view->plays[view->play_count].move = *move;
	view->play_count++;
}

static bool
on_match(struct scopa_view *view, const struct line *line)
{
	*view = (struct scopa_view){
		.seat = seat_of(value_of(line, "you")),
		.target = int_of(line, "target"),
		.deals = int_of(line, "deals"),
		.seed = strtoull(value_of(line, "seed"), NULL, 16),
	};
	set_teams(view, value_of(line, "teams"));
	session.rules_known = false;
	session.random = view->seed;
	return view->seat != 0 && view->seat <= view->seats;
}

static bool
on_rules(struct scopa_view *view, const struct line *line)
{
	view->rule_count = 0;
	for (int i = 1; i < line->count; i++) {
		const char *equals = strchr(line->words[i], '=');

		if (equals != NULL)
			rule_set(view, line->words[i],
			    (size_t)(equals - line->words[i]), equals + 1,
			    strlen(equals + 1));
	}
	session.rules_known = true;
	return true;
}

/* Forgets all that concerns one deal. */
static void
deal_clear(struct scopa_view *view)
{
	view->hand.count = view->table.count = 0;
	memset(view->piles, 0, sizeof(view->piles));
	memset(view->scopas, 0, sizeof(view->scopas));
	memset(view->declared, 0, sizeof(view->declared));
	memset(view->hand_counts, 0, sizeof(view->hand_counts));
	memset(view->shown, 0, sizeof(view->shown));
	view->deck = SCOPA_CARDS_MAX;
	view->last = 0;
	view->play_count = 0;
	view->matta = 0;
	view->opening = 0;
}

static bool
on_deal(struct scopa_view *view, const struct line *line)
{
	deal_clear(view);
	view->deal = atoi(word_at(line, 1));
	view->dealer = seat_of(value_of(line, "dealer"));
	read_points(value_of(line, "scores"), view->scores);
	return true;
}

/* After `redeal`, another `table` line comes. */
static bool
on_table(struct scopa_view *view, const struct line *line)
{
	if (!scopa_parse_cards(word_at(line, 1), &view->table))
		return false;
	view->deck = SCOPA_CARDS_MAX - view->table.count;
	return true;
}

static bool
on_give(struct scopa_view *view, const struct line *line)
{
	int seat = seat_of(word_at(line, 1));
	int count = (int)strlen(word_at(line, 2)) / 2;

	if (seat == 0 ||
	    (seat == view->seat &&
		!scopa_parse_cards(word_at(line, 2), &view->hand)))
		return false;
	view->hand_counts[seat] = count;
	view->deck -= count;
	return true;
}

static bool
on_declare(struct scopa_view *view, const struct line *line)
{
	int seat = seat_of(word_at(line, 1));
	struct scopa_move move;

	if (seat == 0 || !parse_declaration(word_at(line, 2), &move))
		return false;
	plays_add(view, seat, &move);
	view->declared[view->teams[seat]] += int_of(line, "points");
	if (move.rank != '\0' && !rule_is(view, "matta", "plain"))
		view->matta = value_of_rank(move.rank);
	return true;
}

static bool
on_show(struct scopa_view *view, const struct line *line)
{
	int seat = seat_of(word_at(line, 1));

	return seat != 0 &&
	    scopa_parse_cards(word_at(line, 2), &view->shown[seat]);
}

/* Whether an ace that is played on an empty table goes to the pile at once. */
static bool
takes_itself(const struct scopa_view *view, const struct scopa_card *card)
{
	return view->table.count == 0 && hand_value(view, card) == 1 &&
	    rule_is(view, "ace-empty", "take");
}

static bool
on_play(struct scopa_view *view, const struct line *line)
{
	int seat = seat_of(word_at(line, 1));
	struct scopa_move move;
	struct scopa_cards taken;

	if (seat == 0 || !parse_move(word_at(line, 2), &move))
		return false;
	plays_add(view, seat, &move);
	view->scopas[view->teams[seat]] += int_of(line, "scopa");
	view->hand_counts[seat]--;
	cards_remove(&view->hand, move.card.text);
	cards_remove(&view->shown[seat], move.card.text);
	taken = move.captured;
	cards_add(&taken, move.card);
	if (move.captured.count > 0 || takes_itself(view, &move.card)) {
		for (int i = 0; i < taken.count; i++)
			cards_remove(&view->table, taken.card[i].text);
		pile_add(view, seat, &taken);
		view->last = seat;
	} else {
		cards_add(&view->table, move.card);
	}
	/* A 7 of cups that has left the hand is wild only on the table. */
	if (scopa_has(&taken, MATTA) &&
	    !(scopa_has(&view->table, MATTA) &&
		rule_is(view, "matta", "table")))
		view->matta = 0;
	return true;
}

static bool
on_rest(struct scopa_view *view, const struct line *line)
{
	int seat = seat_of(word_at(line, 1));

	if (seat == 0)
		return false;
	pile_add(view, seat, &view->table);
	view->table.count = 0;
	return true;
}

/* The dealer takes the opening table. */
static bool
on_sweep(struct scopa_view *view, const struct line *line)
{
	if (!on_rest(view, line))
		return false;
	view->last = seat_of(word_at(line, 1));
	view->opening = int_of(line, "scopa");
	view->scopas[view->teams[view->last]] += view->opening;
	return true;
}

static bool
on_score(struct scopa_view *view, const struct line *line)
{
	view->scores[team_of(word_at(line, 1))] = int_of(line, "total");
	return true;
}

static bool
on_endmatch(struct scopa_view *view, const struct line *line)
{
	(void)line;
	*view = (struct scopa_view){ .seat = 0 };
	session.rules_known = false;
	return true;
}

/*
 * The `state` line.
 */

/* Reads a list of cards by seat or team, as `A:7D,B:-`. */
static bool
read_sets(const char *list, bool by_team, struct scopa_cards *sets)
{
	for (; list != NULL && list[0] != '\0' && list[1] == ':';
	     list = next_item(list)) {
		int place = by_team ? team_of(list) : seat_of(list);

		if (!parse_cards_until(list + 2, ",", &sets[place]))
			return false;
	}
	return true;
}

/* Reads the plays of a deal, as `1:AD/2:2B`. */
static bool
read_plays(const char *list, struct scopa_view *view)
{
	struct scopa_move move;

	while (list[0] != '\0' && list[1] == ':') {
		if (!parse_move(list + 2, &move))
			return false;
		plays_add(view, seat_of(list), &move);
		list += strcspn(list, "/");
		list += *list == '/';
	}
	return true;
}

/* Stores the rules that a `state` line names: a preset and what differs. */
static void
read_preset(const char *spec, struct scopa_view *view)
{
	view->rule_count = 0;
	rule_set(view, "preset", strlen("preset"), spec, strcspn(spec, ","));
	while ((spec = next_item(spec)) != NULL) {
		size_t key = strcspn(spec, "=,"), all = strcspn(spec, ",");

		if (key < all)
			rule_set(
			    view, spec, key, spec + key + 1, all - key - 1);
	}
}

/* Sets everything that a `state` line says, whatever the events have said. */
static bool
read_state(struct scopa_view *view, const struct line *line)
{
	deal_clear(view);
	view->seat = seat_of(value_of(line, "you"));
	set_teams(view, value_of(line, "teams"));
	view->deal = int_of(line, "deal");
	view->dealer = int_of(line, "dealer");
	view->target = int_of(line, "target");
	view->deck = int_of(line, "deck");
	view->last = int_of(line, "last");
	view->opening = int_of(line, "opening");
	view->matta = value_of_rank(value_of(line, "matta")[0]);
	read_points(value_of(line, "scopas"), view->scopas);
	read_points(value_of(line, "scores"), view->scores);
	read_points(value_of(line, "declared"), view->declared);
	for (const char *item = value_of(line, "hands");
	     item != NULL && item[0] != '\0' && item[1] == ':';
	     item = next_item(item))
		view->hand_counts[seat_of(item)] = atoi(item + 2);
	if (!session.rules_known)
		read_preset(value_of(line, "rules"), view);
	return view->seat != 0 &&
	    scopa_parse_cards(value_of(line, "hand"), &view->hand) &&
	    scopa_parse_cards(value_of(line, "table"), &view->table) &&
	    read_sets(value_of(line, "pile"), true, view->piles) &&
	    read_sets(value_of(line, "shown"), false, view->shown) &&
	    read_plays(value_of(line, "plays"), view);
}

static bool
on_state(struct scopa_view *view, const struct line *line)
{
	session.followed = *view;
	session.state_known = read_state(view, line);
	if (!session.state_known)
		*view = session.followed;
	return session.state_known;
}

/*
 * Options.
 */

/* How many options the bot has. */
static int
option_count(void)
{
	int count = 0;

	while (session.bot->options != NULL && count < OPTIONS_MAX &&
	    session.bot->options[count].name != NULL)
		count++;
	return count;
}

/* The place of an option, or -1. */
static int
option_find(const char *name, size_t length)
{
	for (int i = 0; i < option_count(); i++)
		if (strlen(session.bot->options[i].name) == length &&
		    strncmp(session.bot->options[i].name, name, length) == 0)
			return i;
	return -1;
}

const char *
scopa_option_text(const char *name)
{
	int place = option_find(name, strlen(name));

	return place >= 0 ? session.values[place] : "";
}

long
scopa_option_int(const char *name)
{
	return strtol(scopa_option_text(name), NULL, 10);
}

/* Writes ` KEY=` and a value as one word, in which a blank becomes %20. */
static void
put_pair(const char *key, const char *text)
{
	fprintf(session.out, " %s=", key);
	for (const char *at = text; *at != '\0'; at++) {
		int byte = (unsigned char)*at;

		if (byte < 0x21 || byte > 0x7E || byte == '%' ||
		    (byte == '#' && at == text))
			fprintf(session.out, "%%%02X", (unsigned)byte);
		else
			fputc(byte, session.out);
	}
}

/* Reads %XX as the byte that it stands for. */
static void
unescape(const char *text, char value[VALUE_SIZE])
{
	char hex[3] = "";
	int length = 0;

	for (; *text != '\0' && length < VALUE_SIZE - 1; text++) {
		value[length] = *text;
		if (*text == '%' &&
		    strspn(text + 1, "0123456789ABCDEFabcdef") >= 2) {
			memcpy(hex, text + 1, 2);
			value[length] = (char)strtol(hex, NULL, 16);
			text += 2;
		}
		length++;
	}
	value[length] = '\0';
}

/* Declares an option to the arena. */
static void
option_declare(const struct scopa_option *option)
{
	fprintf(
	    session.out, "option name=%s type=%s", option->name, option->type);
	if (option->fallback != NULL)
		put_pair("default", option->fallback);
	if (strcmp(option->type, "int") == 0)
		fprintf(
		    session.out, " min=%ld max=%ld", option->min, option->max);
	if (option->values != NULL)
		put_pair("values", option->values);
	say("%s", "");
}

/* Checks a value; a refused one is reported. */
static bool
option_allows(const struct scopa_option *option, const char *value)
{
	char *end;
	long number = strtol(value, &end, 10);

	if (strcmp(option->type, "int") == 0 &&
	    (value[strspn(value, "-0123456789")] != '\0' || *end != '\0' ||
		end == value || number < option->min || number > option->max)) {
		say("error option # %s must be a whole number %ld..%ld",
		    option->name, option->min, option->max);
		return false;
	}
	if (strcmp(option->type, "bool") == 0 &&
	    !is_one_of("true false", value, " ")) {
		say("error option # %s must be true or false", option->name);
		return false;
	}
	if (strcmp(option->type, "enum") == 0 &&
	    !is_one_of(option->values, value, "|")) {
		say("error option # %s must be one of %s", option->name,
		    option->values);
		return false;
	}
	return true;
}

/* Handles `setoption NAME=VALUE`. */
static void
set_option(const struct line *line)
{
	const char *word = word_at(line, 1);
	size_t length = strcspn(word, "=");
	int place = option_find(word, length);
	char value[VALUE_SIZE];

	if (place < 0) {
		say("error option # there is no option %.*s",
		    length < 40 ? (int)length : 40, word);
		return;
	}
	unescape(word[length] == '=' ? word + length + 1 : "", value);
	if (option_allows(&session.bot->options[place], value))
		memcpy(session.values[place], value, sizeof(value));
}

/*
 * The session with the arena.
 */

const struct scopa_view *
scopa_followed(void)
{
	return &session.followed;
}

int
scopa_random(int below)
{
	uint64_t bits = session.random += UINT64_C(0x9E3779B97F4A7C15);

	/* The generator splitmix64. */
	bits = (bits ^ (bits >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	bits = (bits ^ (bits >> 27)) * UINT64_C(0x94D049BB133111EB);
	bits ^= bits >> 31;
	return (int)(bits % (uint64_t)below);
}

void
scopa_info(const char *format, ...)
{
	va_list arguments;
	char text[VALUE_SIZE - 16];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	say("info %s", text);
}

/* Answers `usp`. */
static void
greet(void)
{
	const struct scopa_bot *bot = session.bot;

	fputs("id", session.out);
	put_pair("name", bot->name);
	if (bot->version != NULL)
		put_pair("version", bot->version);
	if (bot->author != NULL)
		put_pair("author", bot->author);
	say("%s", "");
	for (int i = 0; i < option_count(); i++)
		option_declare(&bot->options[i]);
	say("feature %s", bot->features != NULL ? bot->features : "position=1");
	say("uspok 1");
}

/* Stores the moves of a `legal` line; the word `...` says that it was cut. */
static void
read_legal(const struct line *line)
{
	struct scopa_move move;

	session.legal.count = 0;
	for (int i = 1; i < line->count; i++)
		if (parse_move(line->words[i], &move))
			moves_add(&session.legal, &move);
}

/* Reports that no move can be chosen. */
static void
refuse_to_move(const char *why, const struct scopa_rule *rule)
{
	if (rule != NULL)
		say("error feature # rules %s=%s is unknown", rule->key,
		    rule->text);
	else
		say("error feature # %s", why);
	say("error fatal # no move can be chosen");
}

/* Completes the view with the legal moves.  False: there are none. */
static bool
use_legal(void)
{
	struct scopa_view *view = &session.view;
	const struct scopa_rule *unknown = rule_unknown(view);

	if (session.legal.count == 0) {
		free(session.legal.move);
		session.legal = (struct moves){ .move = NULL };
		if (unknown == NULL && session.rules_known)
			session.legal.count = session.legal.capacity =
			    scopa_legal_moves(view, &session.legal.move);
	}
	view->legal = session.legal.move;
	view->legal_count = session.legal.count;
	if (view->legal_count > 0)
		return true;
	refuse_to_move(view->hand.count == 0
		? "go without a deal or a state line"
		: "neither a rules nor a legal line has come",
	    unknown);
	return false;
}

/* Answers `go`. */
static void
go(const struct line *line)
{
	struct scopa_view *view = &session.view;
	const char *turn = find_key(line, "turn");
	const struct scopa_move *move;

	if (!session.state_known)
		session.followed = *view;
	if (use_legal()) {
		view->time_ms = ms_of(line, "time");
		view->inc_ms = ms_of(line, "inc");
		view->move_ms = ms_of(line, "move");
		move = session.bot->choose(view);
		if (move == NULL)
			fail("choose() has returned no move");
		else
			say("move %s%s%s", move->text,
			    turn != NULL ? " turn=" : "",
			    turn != NULL ? turn : "");
	}
	session.state_known = false;
	session.legal.count = 0;
}

/* What the arena did not like helps the author. */
static void
show_refusal(const struct line *line)
{
	fputs("arena:", stderr);
	for (int i = 0; i < line->count; i++)
		fprintf(stderr, " %s", line->words[i]);
	fputc('\n', stderr);
}

/* The lines that change the view. */
static const struct {
	const char *verb;
	bool (*read)(struct scopa_view *view, const struct line *line);
} view_lines[] = {
	{ "match", on_match },
	{ "rules", on_rules },
	{ "deal", on_deal },
	{ "table", on_table },
	{ "give", on_give },
	{ "sweep", on_sweep },
	{ "declare", on_declare },
	{ "show", on_show },
	{ "play", on_play },
	{ "rest", on_rest },
	{ "score", on_score },
	{ "endmatch", on_endmatch },
	{ "state", on_state },
};

/* Handles a line that changes the view.  False: it is another line. */
static bool
handle_view_line(const struct line *line)
{
	const char *verb = word_at(line, 0);

	for (size_t i = 0; i < sizeof(view_lines) / sizeof(view_lines[0]); i++)
		if (strcmp(view_lines[i].verb, verb) == 0) {
			if (!view_lines[i].read(&session.view, line))
				say("error syntax # a bad line: %s", verb);
			return true;
		}
	return false;
}

/* Handles a line, which has at least one word. */
static void
handle(const struct line *line)
{
	/* These change nothing that this file looks at. */
	static const char ignored[] = "seat redeal enddeal abort stop cards";
	const char *verb = word_at(line, 0);

	if (handle_view_line(line) || is_one_of(ignored, verb, " "))
		return;
	if (strcmp(verb, "legal") == 0)
		read_legal(line);
	else if (strcmp(verb, "go") == 0)
		go(line);
	else if (strcmp(verb, "usp") == 0)
		greet();
	else if (strcmp(verb, "setoption") == 0)
		set_option(line);
	else if (strcmp(verb, "isready") == 0)
		say("readyok");
	else if (strcmp(verb, "error") == 0 || strcmp(verb, "illegal") == 0)
		show_refusal(line);
	else if (session.unknown_verbs++ < UNKNOWN_VERBS_MAX)
		say("error unknown # no verb \"%.40s\"", verb);
}

/* Frees what the session has and sets it up for a bot. */
static void
session_reset(const struct scopa_bot *bot, FILE *out)
{
	free(session.legal.move);
	memset(&session, 0, sizeof(session));
	session.bot = bot;
	session.out = out;
	for (int i = 0; i < option_count(); i++)
		if (bot->options[i].fallback != NULL)
			snprintf(session.values[i], VALUE_SIZE, "%s",
			    bot->options[i].fallback);
}

int
scopa_serve(const struct scopa_bot *bot, FILE *in, FILE *out)
{
	struct line *line = &session.line;

	session_reset(bot, out);
	while (!session.failed &&
	    fgets(line->bytes, sizeof(line->bytes), in) != NULL) {
		line_split(line);
		if (strcmp(word_at(line, 0), "quit") == 0)
			break;
		if (line->count > 0)
			handle(line);
	}
	return session.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
scopa_run(const struct scopa_bot *bot)
{
	return scopa_serve(bot, stdin, stdout);
}
