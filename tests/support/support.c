#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "splitmix.h"
#include "test.h"

struct scopa_text
support_text(void)
{
	static char bytes[8][8192];
	static unsigned next;
	struct scopa_text text;

	scopa_text_init(&text, bytes[next++ % 8], sizeof(bytes[0]));
	return text;
}

struct scopa_rules
support_rules(const char *spec)
{
	struct scopa_rules rules;
	struct scopa_text why = SCOPA_TEXT(256);

	memset(&rules, 0, sizeof(rules));
	if (!scopa_rules_parse(&rules, spec, &why))
		fail_msg("%s: %s", spec, why.bytes);
	return rules;
}

/* This does not use the engine, as it tests the engine. */
scopa_card
support_card(const char *text)
{
	static const char values[] = "A234567JQK";
	static const char suits[] = "DCSB";
	const char *value = text[0] ? strchr(values, text[0]) : NULL;
	const char *suit = text[0] && text[1] ? strchr(suits, text[1]) : NULL;

	if (value == NULL || suit == NULL) {
		fail_msg("not a card: %s", text);
		return SCOPA_CARD_NONE;
	}
	return (scopa_card)(4 * (value - values) + (suit - suits));
}

scopa_set
support_set(const char *text)
{
	scopa_set set = 0;

	if (strcmp(text, "-") == 0)
		return 0;
	for (; *text; text += 2) {
		scopa_set card = UINT64_C(1) << support_card(text);
		if (set & card)
			fail_msg("named twice: %s", text);
		set |= card;
	}
	return set;
}

void
support_position(const struct scopa_rules *rules, const char *table,
    const char *hand, struct scopa_deal *deal)
{
	int last_seat = rules->players - 1;
	int last_team = scopa_team_of(rules, last_seat);

	memset(deal, 0, sizeof(*deal));
	deal->table = support_set(table);
	deal->hands[0] = support_set(hand);
	deal->captured[last_team] =
	    SCOPA_SET_ALL & ~(deal->table | deal->hands[0]);
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		deal->pack[i] = (uint8_t)i;
	deal->dealt = SCOPA_PACK_SIZE;
	deal->dealer = (uint8_t)last_seat;
	deal->turn = 0;
	deal->last = (uint8_t)last_seat;
	deal->winner = SCOPA_TEAM_NONE;
	deal->play_count = 1;
}

void
support_hold(struct scopa_deal *deal, const char *hands)
{
	char text[128], *rest = text, *hand;

	assert_true(strlen(hands) < sizeof(text));
	strcpy(text, hands);
	for (int seat = 1; (hand = strsep(&rest, " ")) != NULL; seat++) {
		deal->hands[seat] = support_set(hand);
		for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
			deal->captured[team] &= ~deal->hands[seat];
	}
}

void
support_captures(const struct scopa_rules *rules, const char *table,
    const char *card, struct scopa_text *text)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_deal deal;
	int count;

	support_position(rules, table, card, &deal);
	count = scopa_moves_of_card(
	    rules, &deal, support_card(card), moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ' ');
		scopa_set_format(moves[i].captured, text);
	}
}

void
support_moves(const struct scopa_rules *rules, const struct scopa_deal *deal,
    struct scopa_text *text)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
}

struct scopa_move
support_move(const struct scopa_deal *deal, const char *text)
{
	struct scopa_move move = { .card = SCOPA_CARD_NONE };

	if (scopa_move_parse(text, strlen(text), &move) != SCOPA_PARSED)
		fail_msg("not a move: %s", text);
	move.seat = deal->turn;
	return move;
}

enum scopa_refusal
support_check(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const char *move)
{
	struct scopa_move read = support_move(deal, move);

	return scopa_deal_check(rules, deal, &read);
}

struct scopa_effect
support_play(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *move)
{
	struct scopa_move read = support_move(deal, move);
	enum scopa_refusal refusal = scopa_deal_check(rules, deal, &read);

	if (refusal != SCOPA_LEGAL)
		fail_msg("%s: %s", move, scopa_refusal_name(refusal));
	return scopa_deal_apply(rules, deal, &read);
}

void
support_plays(
    const struct scopa_rules *rules, struct scopa_deal *deal, const char *moves)
{
	char text[256], *rest = text, *move;

	assert_true(strlen(moves) < sizeof(text));
	strcpy(text, moves);
	while ((move = strsep(&rest, " ")) != NULL)
		if (*move != '\0')
			support_play(rules, deal, move);
}

void
support_play_random(
    const struct scopa_rules *rules, struct scopa_deal *deal, uint64_t *random)
{
	struct scopa_move move;

	scopa_move_pick(rules, deal, support_random(random), &move);
	scopa_deal_apply(rules, deal, &move);
}

bool
support_deal_is_whole(const struct scopa_deal *deal)
{
	scopa_set seen = deal->table;
	int count = scopa_set_count(deal->table);

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		seen |= deal->hands[seat];
		count += scopa_set_count(deal->hands[seat]);
	}
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++) {
		seen |= deal->captured[team];
		count += scopa_set_count(deal->captured[team]);
	}
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		seen |= scopa_set_of(deal->pack[i]);
	return seen == SCOPA_SET_ALL && count == deal->dealt;
}

scopa_set
support_next_set(scopa_set set)
{
	scopa_set low = set & -set;
	scopa_set carried = set + low;

	return ((set ^ carried) >> 2) / low | carried;
}

void
support_pack(const char *cards, uint8_t pack[SCOPA_PACK_SIZE])
{
	scopa_set named = 0;
	int count = 0;

	for (; *cards; cards += 2) {
		if (*cards == ' ')
			cards++;
		pack[count] = support_card(cards);
		named |= UINT64_C(1) << pack[count++];
	}
	for (int card = 0; card < SCOPA_PACK_SIZE; card++)
		if ((named >> card & 1) == 0)
			pack[count++] = (uint8_t)card;
	if (count != SCOPA_PACK_SIZE)
		fail_msg("a card is named twice");
}

void
support_pack_with(scopa_set set, int place, uint8_t pack[SCOPA_PACK_SIZE])
{
	int before = place, at = 0, behind = place + scopa_set_count(set);

	for (scopa_card card = 0; card < SCOPA_PACK_SIZE; card++)
		if (scopa_set_has(set, card))
			pack[place++] = card;
		else
			pack[at < before ? at++ : behind++] = card;
}

uint64_t
support_random(uint64_t *state)
{
	return splitmix_next(state);
}

int
support_random_below(uint64_t *state, int limit)
{
	return (int)((support_random(state) >> 33) % (uint64_t)limit);
}

void
support_shuffle(uint64_t *state, uint8_t *cards, int count)
{
	for (int i = count - 1; i > 0; i--) {
		int other = support_random_below(state, i + 1);
		uint8_t card = cards[i];
		cards[i] = cards[other];
		cards[other] = card;
	}
}

void
support_deal(const struct scopa_rules *rules, const char *cards, int dealer,
    struct scopa_deal *deal)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	support_pack(cards, pack);
	assert_int_equal(
	    scopa_deal_start(rules, pack, dealer, deal), SCOPA_START_PLAY);
}

void
support_deal_random(const struct scopa_rules *rules, uint64_t *random,
    int dealer, struct scopa_deal *deal)
{
	uint8_t pack[SCOPA_PACK_SIZE];

	do {
		support_pack("", pack);
		support_shuffle(random, pack, SCOPA_PACK_SIZE);
	} while (
	    scopa_deal_start(rules, pack, dealer, deal) != SCOPA_START_PLAY);
}

void
support_view(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int seat, struct scopa_view *view)
{
	struct scopa_tally tally;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, seat, view);
}

/* A random value of a parameter. */
static int16_t
random_value(uint64_t *random, const struct scopa_param *param)
{
	switch (param->kind) {
	case SCOPA_PARAM_NAME:
		return (int16_t)support_random_below(
		    random, param->value_count);
	case SCOPA_PARAM_BITS:
		return (int16_t)support_random_below(
		    random, 1 << param->value_count);
	case SCOPA_PARAM_NUMBER:
		if (param->value_count > 0)
			return param->numbers[support_random_below(
			    random, param->value_count)];
		return (int16_t)(param->min +
		    support_random_below(random, param->max - param->min + 1));
	}
	return 0;
}

const char *
support_spec_random(uint64_t *random)
{
	static char spec[1024];
	struct scopa_rules rules;
	struct scopa_text text, why;

	do {
		const struct scopa_preset *preset =
		    &scopa_presets[support_random_below(
			random, scopa_preset_count)];

		scopa_text_init(&text, spec, sizeof(spec));
		scopa_text_string(&text, preset->name);
		for (int i = 0; i < scopa_param_count; i++) {
			const struct scopa_param *param = &scopa_params[i];
			int16_t value = random_value(random, param);

			if (support_random_below(random, 4) > 0)
				continue;
			memcpy((char *)&rules + param->offset, &value,
			    sizeof(value));
			scopa_text_char(&text, ',');
			scopa_text_string(&text, param->key);
			scopa_text_char(&text, '=');
			scopa_param_format(param, &rules, &text);
		}
		why = support_text();
	} while (!scopa_rules_parse(&rules, spec, &why));
	return spec;
}

/* Visits the spec if it is a valid rule set; returns whether it is one. */
static bool
visit_valid_spec(
    const char *spec, void (*visit)(const char *spec, uint64_t seed))
{
	struct scopa_rules rules;
	struct scopa_text why = support_text();
	uint64_t seed = 0;

	if (!scopa_rules_parse(&rules, spec, &why))
		return false;
	for (const char *byte = spec; *byte; byte++)
		seed = seed * 131 + (uint64_t)*byte;
	visit(spec, seed);
	return true;
}

int
support_each_spec(void (*visit)(const char *spec, uint64_t seed))
{
	enum { RANDOM_SPECS = 120 };
	const struct scopa_param *teams = scopa_param_find("teams");
	uint64_t random = 1;
	int count = 0;

	for (int i = 0; i < scopa_preset_count * SCOPA_TEAMS_COUNT; i++) {
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,teams=%s",
		    scopa_presets[i / SCOPA_TEAMS_COUNT].name,
		    teams->names[i % SCOPA_TEAMS_COUNT]);
		count += visit_valid_spec(spec, visit);
	}
	for (int i = 0; i < RANDOM_SPECS; i++)
		count += visit_valid_spec(support_spec_random(&random), visit);
	return count;
}

long
support_number(const char *variable, long fallback)
{
	const char *text = getenv(variable);

	return text == NULL || *text == '\0' ? fallback : atol(text);
}

int
support_few_or_all(int few, int all)
{
	const char *full = getenv("TEST_FULL");

	return full == NULL || *full == '\0' ? few : all;
}
