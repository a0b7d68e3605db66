/*
 * Reading events.
 */
#include <string.h>

#include "event_table.h"
#include "read.h"

enum { DEALS_MAX = 1000000 };

static bool
word_to_key(struct word word, uint64_t *key)
{
	uint8_t bytes[8];

	if (!word_to_hex(word, bytes, sizeof(bytes)))
		return false;
	*key = 0;
	for (int i = 0; i < 8; i++)
		*key = *key << 8 | bytes[i];
	return true;
}

static bool
read_seeds(const struct words *words, struct event_match *match,
    struct scopa_text *why)
{
	struct word word = words_find(words, "seed"), rest, piece;
	int seat = 0;

	memset(match->seeds, 0, sizeof(match->seeds));
	match->has_seeds = false;
	if (word.bytes && match->you >= 0) {
		match->has_seeds = true;
		if (!word_to_key(word, &match->seeds[match->you]))
			return refuse_word(why, "seed", word, "16 hex digits");
		return true;
	}
	word = rest = words_find(words, "seeds");
	while (word_next_piece(&rest, ',', &piece)) {
		match->has_seeds = true;
		if (seat == match->seats ||
		    !word_to_key(piece, &match->seeds[seat++]))
			return refuse_word(
			    why, "seeds", word, "16 hex digits a seat");
	}
	if (match->has_seeds && seat < match->seats)
		return refuse_word(why, "seeds", word, "one for each seat");
	return true;
}

static int
teams_find(struct word word)
{
	const struct scopa_param *param = scopa_param_find("teams");

	for (int i = 0; i < SCOPA_TEAMS_COUNT; i++)
		if (word.bytes && word_is(word, param->names[i]))
			return i;
	return -1;
}

bool
event_parse_match(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_match *match = &event->match;
	struct word teams = words_find(words, "teams");

	match->seats = match->target = match->deals = match->max_deals = 0;
	match->you = 0;
	if (!word_decode(words->word[1], match->id, sizeof(match->id)))
		return refuse_word(why, "match", words->word[1], "a short id");
	if (!read_text(
		words, "rules", match->rules, sizeof(match->rules), why) ||
	    !read_text(words, "tc", match->tc, sizeof(match->tc), why) ||
	    !read_optional(
		words, "seats", 2, SCOPA_SEATS_MAX, &match->seats, why) ||
	    !read_optional(
		words, "target", 1, SCOPA_TARGET_MAX, &match->target, why) ||
	    !read_optional(words, "deals", 1, DEALS_MAX, &match->deals, why) ||
	    !read_optional(
		words, "max-deals", 1, DEALS_MAX, &match->max_deals, why) ||
	    !read_optional(words, "you", 1, SCOPA_SEATS_MAX, &match->you, why))
		return false;
	match->you--;
	match->teams = teams_find(teams);
	if (teams.bytes && match->teams < 0)
		return refuse_word(why, "teams", teams,
		    "AB, ABC, ABCD, ABAB, ABABAB, ABCABC or ABCDEF");
	return read_seeds(words, match, why);
}

bool
event_parse_rules(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->rules = scopa_preset_find("scopa")->rules;
	return event_apply_rules(words, &event->rules, why);
}

bool
event_apply_rules(const struct words *words, struct scopa_rules *rules,
    struct scopa_text *why)
{
	for (int i = 1; i < words->count; i++) {
		char key_text[EVENT_REASON_SIZE], value_text[EVENT_NAME_SIZE];
		struct word key, value;

		if (!word_split_pair(words->word[i], &key, &value) ||
		    !word_decode(key, key_text, sizeof(key_text)) ||
		    !word_decode(value, value_text, sizeof(value_text)))
			return refuse_word(why, "rules", words->word[i],
			    "a parameter as key=value");
		if (!scopa_rules_set(rules, key_text, value_text, why))
			return false;
	}
	return true;
}

bool
event_parse_seat(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_seat *seat = &event->seat;
	struct word team = words_find(words, "team");
	struct word sees = words_find(words, "sees");

	seat->party = -1;
	seat->sees_all = sees.bytes != NULL;
	if (sees.bytes != NULL && !word_is(sees, "all"))
		return refuse_word(why, "sees", sees, "\"all\"");
	return read_seat(words->word[1], &seat->seat, why) &&
	    (team.bytes == NULL || read_party(team, &seat->party, why)) &&
	    read_text(words, "name", seat->name, sizeof(seat->name), why) &&
	    read_text(
		words, "version", seat->version, sizeof(seat->version), why);
}

bool
event_parse_pack(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_pack *pack = &event->pack;
	struct word cards = words_find(words, "cards");
	struct word seed = words_find(words, "seed");
	scopa_set seen = SCOPA_SET_EMPTY;
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(
		    why, "pack", words->word[1], "the number of a deal");
	pack->number = (int)number;
	pack->redeal = 0;
	if (!read_optional(words, "redeal", 0, DEALS_MAX, &pack->redeal, why))
		return false;
	pack->has_key = seed.bytes != NULL;
	if (pack->has_key && !word_to_hex(seed, pack->key, sizeof(pack->key)))
		return refuse_word(why, "seed", seed, "64 hex digits");
	if (cards.bytes == NULL || cards.length != 2 * SCOPA_PACK_SIZE)
		return refuse_word(why, "cards", cards, "80 characters");
	for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
		struct word name = { cards.bytes + (size_t)i * 2, 2 };

		pack->cards[i] = scopa_card_find(name.bytes);
		if (pack->cards[i] == SCOPA_CARD_NONE)
			return refuse_word(why, "pack: card", name, "a card");
		if (scopa_set_has(seen, pack->cards[i]))
			return refuse_word(
			    why, "pack: card", name, "there only once");
		seen |= scopa_set_of(pack->cards[i]);
	}
	return true;
}

bool
event_parse_deal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_deal *deal = &event->deal;
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(why, "deal", words->word[1], "a number");
	deal->number = (int)number;
	deal->dealer = deal->first = 0;
	if (!read_optional(
		words, "dealer", 1, SCOPA_SEATS_MAX, &deal->dealer, why) ||
	    !read_optional(
		words, "first", 1, SCOPA_SEATS_MAX, &deal->first, why))
		return false;
	deal->dealer--;
	deal->first--;
	return read_scores(words, deal->scores, &deal->party_count, why);
}

static bool
read_reason(const struct words *words, char *reason, struct scopa_text *why)
{
	return read_text(words, "reason", reason, EVENT_REASON_SIZE, why);
}

bool
event_parse_redeal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_reason(words, event->reason, why);
}

bool
event_parse_table(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->cards.seat = 0;
	event->cards.scopa = 0;
	return read_cards(words->word[1], &event->cards, why);
}

bool
event_parse_cards(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->cards.scopa = 0;
	return read_seat(words->word[1], &event->cards.seat, why) &&
	    read_cards(words->word[2], &event->cards, why);
}

bool
event_parse_sweep(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return event_parse_cards(words, event, why) &&
	    read_number(words, "scopa", 1, 2, &event->cards.scopa, why);
}

static bool
read_stamp(
    const struct words *words, struct event_play *play, struct scopa_text *why)
{
	struct word time = words_find(words, "t");
	struct word by = words_find(words, "by");

	play->time_us = -1;
	play->by_arena = by.bytes && word_is(by, "arena");
	if (time.bytes && !word_to_us(time, &play->time_us))
		return refuse_word(why, "t", time, "a time in seconds");
	if (by.bytes && !play->by_arena)
		return refuse_word(why, "by", by, "arena");
	return read_text(words, "cause", play->cause, sizeof(play->cause), why);
}

bool
event_parse_declare(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_play *play = &event->play;
	struct word word = words->word[2];
	char move[16];

	play->points = 0;
	play->scopa = false;
	if (!read_seat(words->word[1], &play->seat, why))
		return false;
	move[0] = '!';
	if (word.length + 1 > sizeof(move))
		return refuse_word(why, "declaration", word, "low or three");
	memcpy(move + 1, word.bytes, word.length);
	if (scopa_move_parse(move, word.length + 1, &play->move) !=
	    SCOPA_PARSED)
		return refuse_word(why, "declaration", word, "low or three");
	play->move.seat = (uint8_t)play->seat;
	return read_optional(words, "points", 1, 10, &play->points, why) &&
	    read_stamp(words, play, why);
}

bool
event_parse_play(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_play *play = &event->play;
	struct word word = words->word[2];
	int scopa = 0;

	play->points = 0;
	if (!read_seat(words->word[1], &play->seat, why))
		return false;
	switch (scopa_move_parse(word.bytes, word.length, &play->move)) {
	case SCOPA_PARSED:
		break;
	case SCOPA_BAD_SYNTAX:
		return refuse_word(why, "move", word, "a move like 7Dx3C4S");
	case SCOPA_DUPLICATE:
		return refuse_word(
		    why, "move", word, "a move: a card stands in it twice");
	}
	if (play->move.declaration != SCOPA_DECLARE_NOTHING)
		return refuse_word(
		    why, "move", word, "a play; write `declare SEAT low`");
	play->move.seat = (uint8_t)play->seat;
	if (!read_optional(words, "scopa", 0, 1, &scopa, why))
		return false;
	play->scopa = scopa == 1;
	return read_stamp(words, play, why);
}

/* What follows the verb and `skip` more words, comments included. */
static bool
read_rest(const struct words *words, int skip, char *text, size_t size,
    struct scopa_text *why)
{
	const char *from, *end = words->word[0].bytes + words->line_length;

	if (words->count <= skip + 1) {
		text[0] = '\0';
		return true;
	}
	from = words->word[skip + 1].bytes;
	if ((size_t)(end - from) >= size)
		return refuse(why, "the line is too long");
	memcpy(text, from, (size_t)(end - from));
	text[end - from] = '\0';
	return true;
}

bool
event_parse_tag(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_rest(words, 0, event->text, sizeof(event->text), why);
}

bool
event_parse_info(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	return read_seat(words->word[1], &event->info.seat, why) &&
	    read_rest(
		words, 1, event->info.text, sizeof(event->info.text), why);
}

bool
event_parse_offence(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_offence *offence = &event->offence;

	offence->strikes = 0;
	return read_seat(words->word[1], &offence->seat, why) &&
	    read_text(
		words, "kind", offence->kind, sizeof(offence->kind), why) &&
	    read_reason(words, offence->reason, why) &&
	    read_text(words, "policy", offence->policy, sizeof(offence->policy),
		why) &&
	    read_optional(
		words, "strikes", 1, DEALS_MAX, &offence->strikes, why) &&
	    read_text(words, "said", offence->said, sizeof(offence->said), why);
}

/* `cards=25:1`: an item of the score; false where the key is none. */
static bool
read_item(struct word word, struct event_score *score)
{
	struct word value, quantity;
	int64_t number, points;

	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!word_is_pair(
			word, scopa_item_name((enum scopa_item)item), &value))
			continue;
		if (!word_next_piece(&value, ':', &quantity) ||
		    value.bytes == NULL ||
		    !word_to_int(quantity, 0, SCOPA_TARGET_MAX, &number) ||
		    !word_to_int(value, 0, SCOPA_TARGET_MAX, &points))
			return false;
		score->items |= UINT32_C(1) << item;
		score->quantity[item] = (int16_t)number;
		score->item_points[item] = (int16_t)points;
		return true;
	}
	return false;
}

bool
event_parse_score(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_score *score = &event->score;
	int total = 0;

	memset(score, 0, sizeof(*score));
	if (!read_party(words->word[1], &score->party, why) ||
	    !read_number(
		words, "points", 0, READ_SCORE_MAX, &score->points, why) ||
	    !read_number(
		words, "total", -READ_SCORE_MAX, READ_SCORE_MAX, &total, why))
		return false;
	score->total = total;
	for (int i = 2; i < words->count; i++) {
		struct word value;

		if (!word_is_pair(words->word[i], "points", &value) &&
		    !word_is_pair(words->word[i], "total", &value) &&
		    !read_item(words->word[i], score))
			return refuse_word(why, "score", words->word[i],
			    "an item as name=quantity:points");
	}
	return true;
}

bool
event_parse_enddeal(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	int64_t number;

	if (!word_to_int(words->word[1], 1, DEALS_MAX, &number))
		return refuse_word(why, "enddeal", words->word[1], "a number");
	event->number = (int)number;
	return true;
}

bool
event_parse_abort(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	event->abort.match = word_is(words->word[1], "match");
	if (!event->abort.match && !word_is(words->word[1], "deal"))
		return refuse_word(
		    why, "abort", words->word[1], "deal or match");
	return read_reason(words, event->abort.reason, why);
}

static bool
read_outcome(const struct words *words, enum event_outcome *outcome,
    struct scopa_text *why)
{
	struct word word = words_find(words, "you");

	*outcome = EVENT_OUTCOME_NONE;
	if (word.bytes == NULL)
		return true;
	for (int i = EVENT_WIN; i < EVENT_OUTCOME_COUNT; i++) {
		if (word_is(word, event_outcome_names[i])) {
			*outcome = (enum event_outcome)i;
			return true;
		}
	}
	return refuse_word(why, "you", word, "win, loss or draw");
}

bool
event_parse_endmatch(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_end *end = &event->end;
	struct word winner = words_find(words, "winner");
	struct word by = words_find(words, "by");

	if (!read_outcome(words, &end->you, why))
		return false;
	end->winner = end->by = SCOPA_PARTY_NONE;
	if (!word_decode(words->word[1], end->id, sizeof(end->id)))
		return refuse_word(
		    why, "endmatch", words->word[1], "a short id");
	if (winner.bytes == NULL ||
	    (!word_is(winner, "-") && !read_party(winner, &end->winner, why)))
		return refuse_word(why, "winner", winner, "a team or -");
	if (by.bytes && !read_party(by, &end->by, why))
		return false;
	return read_scores(words, end->scores, &end->party_count, why) &&
	    read_reason(words, end->reason, why);
}

bool
event_parse_sum(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct word lines = words_find(words, "lines");
	struct word hash = words_find(words, "sha256");

	if (lines.bytes == NULL ||
	    !word_to_int(lines, 0, INT64_MAX, &event->sum.lines))
		return refuse_word(why, "lines", lines, "a number");
	if (hash.bytes == NULL ||
	    !word_to_hex(hash, event->sum.hash, EVENT_HASH_SIZE))
		return refuse_word(why, "sha256", hash, "64 hex digits");
	return true;
}
