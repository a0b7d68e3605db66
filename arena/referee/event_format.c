/*
 * Writing events.
 */
#include <string.h>

#include "event_table.h"

static void
put_pair(struct scopa_text *text, const char *key, const char *value)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	value_encode(value, text);
}

static void
put_number(struct scopa_text *text, const char *key, int64_t number)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, key);
	scopa_text_char(text, '=');
	scopa_text_int(text, number);
}

static void
put_seat(struct scopa_text *text, int seat)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, seat + 1);
}

static void
put_party(struct scopa_text *text, int party)
{
	scopa_text_char(
	    text, party == SCOPA_PARTY_NONE ? '-' : (char)('A' + party));
}

/* ` scores=A:0,B:0` */
static void
put_scores(struct scopa_text *text, const int32_t *scores, int party_count)
{
	scopa_text_string(text, " scores=");
	for (int party = 0; party < party_count; party++) {
		if (party > 0)
			scopa_text_char(text, ',');
		put_party(text, party);
		scopa_text_char(text, ':');
		scopa_text_int(text, scores[party]);
	}
}

static void
put_key(struct scopa_text *text, uint64_t seed)
{
	uint8_t bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(seed >> (56 - 8 * i));
	hex_encode(bytes, sizeof(bytes), text);
}

/* The names of the teams parameter, from the engine's own table. */
static void
put_teams(struct scopa_text *text, int teams)
{
	const struct scopa_param *param = scopa_param_find("teams");

	if (teams < 0)
		return;
	scopa_text_string(text, " teams=");
	scopa_text_string(text, param->names[teams]);
}

void
event_format_match(const struct event *event, struct scopa_text *text)
{
	const struct event_match *match = &event->match;

	scopa_text_char(text, ' ');
	/* A minimal record may leave out whatever a preset implies. */
	value_encode(match->id, text);
	if (match->rules[0] != '\0')
		put_pair(text, "rules", match->rules);
	if (match->seats > 0)
		put_number(text, "seats", match->seats);
	put_teams(text, match->teams);
	if (match->you >= 0)
		put_number(text, "you", match->you + 1);
	if (match->target > 0)
		put_number(text, "target", match->target);
	if (match->deals > 0)
		put_number(text, "deals", match->deals);
	if (match->max_deals > 0)
		put_number(text, "max-deals", match->max_deals);
	put_pair(text, "pack", "it40");
	if (match->tc[0] != '\0')
		put_pair(text, "tc", match->tc);
	if (!match->has_seeds)
		return;
	if (match->you >= 0) {
		scopa_text_string(text, " seed=");
		put_key(text, match->seeds[match->you]);
		return;
	}
	scopa_text_string(text, " seeds=");
	for (int seat = 0; seat < match->seats; seat++) {
		if (seat > 0)
			scopa_text_char(text, ',');
		put_key(text, match->seeds[seat]);
	}
}

void
event_format_tag(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_string(text, event->text);
}

void
event_format_rules(const struct event *event, struct scopa_text *text)
{
	scopa_rules_format(&event->rules, text);
}

void
event_format_seat(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->seat.seat);
	scopa_text_string(text, " team=");
	put_party(text, event->seat.party);
	put_pair(text, "name", event->seat.name);
	if (event->seat.version[0])
		put_pair(text, "version", event->seat.version);
	if (event->seat.sees_all)
		put_pair(text, "sees", "all");
}

void
event_format_pack(const struct event *event, struct scopa_text *text)
{
	const struct event_pack *pack = &event->pack;

	scopa_text_char(text, ' ');
	scopa_text_int(text, pack->number);
	if (pack->redeal > 0)
		put_number(text, "redeal", pack->redeal);
	if (pack->has_key) {
		put_pair(text, "alg", "scopa-arena-deal-v1");
		scopa_text_string(text, " seed=");
		hex_encode(pack->key, sizeof(pack->key), text);
	}
	scopa_text_string(text, " cards=");
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(pack->cards[i], text);
}

void
event_format_deal(const struct event *event, struct scopa_text *text)
{
	const struct event_deal *deal = &event->deal;

	scopa_text_char(text, ' ');
	scopa_text_int(text, deal->number);
	put_number(text, "dealer", deal->dealer + 1);
	put_number(text, "first", deal->first + 1);
	put_scores(text, deal->scores, deal->party_count);
}

void
event_format_redeal(const struct event *event, struct scopa_text *text)
{
	put_pair(text, "reason", event->reason);
}

void
event_format_table(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_set_format(event->cards.cards, text);
}

void
event_format_cards(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->cards.seat);
	scopa_text_char(text, ' ');
	for (int i = 0; i < event->cards.hidden; i++)
		scopa_text_bytes(text, "??", 2);
	if (event->cards.hidden == 0)
		scopa_set_format(event->cards.cards, text);
}

void
event_format_sweep(const struct event *event, struct scopa_text *text)
{
	event_format_cards(event, text);
	put_number(text, "scopa", event->cards.scopa);
	put_pair(
	    text, "reason", event->cards.scopa == 1 ? "fifteen" : "thirty");
}

void
event_put_seconds(struct scopa_text *text, const char *key, int64_t us)
{
	char part[] = ".000000";
	int64_t rest = us % 1000000;

	for (char *at = part + 6; rest > 0; at--, rest /= 10)
		*at = (char)('0' + rest % 10);
	put_number(text, key, us / 1000000);
	scopa_text_bytes(text, part, sizeof(part) - 1);
}

/* ` t=0.071000`, ` by=arena cause=timeout` */
static void
put_stamp(struct scopa_text *text, const struct event_play *play)
{
	if (play->time_us >= 0)
		event_put_seconds(text, "t", play->time_us);
	if (play->by_arena) {
		put_pair(text, "by", "arena");
		put_pair(text, "cause", play->cause);
	}
}

void
event_format_declare(const struct event *event, struct scopa_text *text)
{
	char bytes[16];
	struct scopa_text move;

	/* The move of a declaration is its `!word`; here the `!` is left out. */
	scopa_text_init(&move, bytes, sizeof(bytes));
	scopa_move_format(&event->play.move, &move);
	put_seat(text, event->play.seat);
	scopa_text_char(text, ' ');
	scopa_text_string(text, bytes + 1);
	put_number(text, "points", event->play.points);
	put_stamp(text, &event->play);
}

void
event_format_play(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->play.seat);
	scopa_text_char(text, ' ');
	scopa_move_format(&event->play.move, text);
	if (event->play.scopa)
		scopa_text_string(text, " scopa=1");
	put_stamp(text, &event->play);
}

void
event_format_info(const struct event *event, struct scopa_text *text)
{
	put_seat(text, event->info.seat);
	scopa_text_char(text, ' ');
	scopa_text_string(text, event->info.text);
}

void
event_format_offence(const struct event *event, struct scopa_text *text)
{
	const struct event_offence *offence = &event->offence;

	put_seat(text, offence->seat);
	put_pair(text, "kind", offence->kind);
	put_pair(text, "reason", offence->reason);
	put_pair(text, "policy", offence->policy);
	if (offence->strikes > 0)
		put_number(text, "strikes", offence->strikes);
	if (offence->said[0])
		put_pair(text, "said", offence->said);
}

void
event_format_score(const struct event *event, struct scopa_text *text)
{
	const struct event_score *score = &event->score;

	scopa_text_char(text, ' ');
	put_party(text, score->party);
	put_number(text, "points", score->points);
	put_number(text, "total", score->total);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(score->items >> item & 1))
			continue;
		put_number(text, scopa_item_name((enum scopa_item)item),
		    score->quantity[item]);
		scopa_text_char(text, ':');
		scopa_text_int(text, score->item_points[item]);
	}
}

void
event_format_enddeal(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->number);
}

void
event_format_abort(const struct event *event, struct scopa_text *text)
{
	scopa_text_string(text, event->abort.match ? " match" : " deal");
	put_pair(text, "reason", event->abort.reason);
}

void
event_format_endmatch(const struct event *event, struct scopa_text *text)
{
	const struct event_end *end = &event->end;

	scopa_text_char(text, ' ');
	value_encode(end->id, text);
	put_scores(text, end->scores, end->party_count);
	scopa_text_string(text, " winner=");
	put_party(text, end->winner);
	if (end->you != EVENT_OUTCOME_NONE)
		put_pair(text, "you", event_outcome_names[end->you]);
	put_pair(text, "reason", end->reason);
	if (end->by != SCOPA_PARTY_NONE) {
		scopa_text_string(text, " by=");
		put_party(text, end->by);
	}
}

void
event_format_sum(const struct event *event, struct scopa_text *text)
{
	put_number(text, "lines", event->sum.lines);
	scopa_text_string(text, " sha256=");
	hex_encode(event->sum.hash, sizeof(event->sum.hash), text);
}

void
event_format(const struct event *event, struct scopa_text *text)
{
	scopa_text_string(text, event_rows[event->kind].name);
	event_rows[event->kind].format(event, text);
}
