/*
 * One game: what its record says of where its packs are from, and what the
 * results say of it.
 */
#include <stdio.h>
#include <string.h>

#include "fair_state.h"

/* A word of the tag must be this one. */
static bool
check_word(const struct words *tag, const char *key, const char *expected,
    int64_t line, struct record_fault *fault)
{
	struct word word = words_find(tag, key);

	if (word.bytes != NULL && word.length == strlen(expected) &&
	    memcmp(word.bytes, expected, word.length) == 0)
		return true;
	record_fault_set(fault, line, "%s=%.*s stands where %s=%s must", key,
	    word.bytes != NULL && word.length < 80 ? (int)word.length : 0,
	    word.bytes != NULL ? word.bytes : "", key, expected);
	return false;
}

static bool
check_tag(const struct fair *fair, const char *event,
    const struct record_block *record, const struct record_line *line,
    struct record_fault *fault)
{
	char key[SHUFFLE_HEX_SIZE];
	struct words tag;

	words_split(record_line_bytes(record, line), line->length, &tag);
	if (!check_word(&tag, "event", event, line->number, fault))
		return false;
	if (fair->order->packs_given)
		return true;
	if (fair->head.committed)
		return check_word(
		    &tag, "commit", fair->head.commitment, line->number, fault);
	shuffle_key_format(&fair->key, key);
	return check_word(&tag, "secret", key, line->number, fault);
}

/* The first seat whose seed does not follow from the key and a number; or -1. */
static int
seeds_difference(const struct fair *fair, const char *event, uint64_t number)
{
	const struct event_match *match = &fair->event.match;
	int seats = fair->order->tournament->schedule.rules.players;

	for (int seat = 0; seat < seats; seat++)
		if (!match->has_seeds ||
		    match->seeds[seat] !=
			shuffle_seat_seed(&fair->key, event, number, seat))
			return seat;
	return -1;
}

/*
 * The seeds of the bots come from the key, too, by the number of the game; in
 * earlier versions by its number in the block.  A run may have been begun by
 * one of these and ended by this one, but not the other way round.
 */
static bool
check_seeds(struct fair *fair, const char *event, int64_t game, int at,
    int64_t line, struct record_fault *fault)
{
	int seat = seeds_difference(fair, event, (uint64_t)game + 1);
	bool earlier = seeds_difference(fair, event, (uint64_t)at + 1) < 0;

	if (seat < 0) {
		fair->seeds_by_game = fair->seeds_by_game || !earlier;
		return true;
	}
	if (earlier && !fair->seeds_by_game) {
		fair->report->earlier_seeds++;
		return true;
	}
	record_fault_set(fault, line,
	    "seeds= has another seed for seat %d than the secret gives",
	    seat + 1);
	return false;
}

static bool
check_match(struct fair *fair, const char *event, int64_t game, int at,
    int64_t line, struct record_fault *fault)
{
	const struct event_match *match = &fair->event.match;
	char id[32];

	snprintf(id, sizeof(id), "m%lld", (long long)game + 1);
	if (strcmp(match->id, id) != 0) {
		record_fault_set(fault, line,
		    "match %s stands where match %s must", match->id, id);
		return false;
	}
	return fair->order->packs_given ||
	    check_seeds(fair, event, game, at, line, fault);
}

static bool
check_pack(struct fair *fair, const char *event, int64_t line,
    struct record_fault *fault)
{
	const struct event_pack *pack = &fair->event.pack;
	struct shuffle_key key;

	fair->report->packs++;
	if (fair->order->packs_given)
		return true;
	shuffle_deal_key(&fair->key, event, (uint64_t)pack->number,
	    (uint64_t)pack->redeal, &key);
	if (pack->has_key &&
	    memcmp(key.bytes, pack->key, sizeof(key.bytes)) == 0)
		return true;
	record_fault_set(fault, line,
	    "this pack is not the one that the secret gives for event %s, "
	    "deal %d, redeal %d",
	    event, pack->number, pack->redeal);
	return false;
}

bool
fair_check_game(void *context, const struct block_plan *plan, int at,
    const struct record_block *record, struct record_fault *fault)
{
	struct fair *fair = context;
	int64_t game = plan->index * plan->game_count + at;
	char event[SHUFFLE_EVENT_MAX + 1];
	bool tagged = false;

	snprintf(event, sizeof(event), "round-%d", plan->round + 1);
	for (size_t i = 0; i < record->line_count; i++) {
		const struct record_line *line = &record->lines[i];

		if (!record_line_event(record, line, &fair->event, NULL))
			continue;
		if (fair->event.kind == EVENT_MATCH &&
		    !check_match(fair, event, game, at, line->number, fault))
			return false;
		if (fair->event.kind == EVENT_TAG &&
		    !check_tag(fair, event, record, line, fault))
			return false;
		if (fair->event.kind == EVENT_PACK &&
		    !check_pack(fair, event, line->number, fault))
			return false;
		tagged = tagged || fair->event.kind == EVENT_TAG;
	}
	if (!tagged)
		record_fault_set(
		    fault, record->first_line, "this game has no `tag` line");
	return tagged;
}

const char *
fair_result_difference(const struct summary *row, const struct summary *record)
{
#define DIFFERS(field) \
	(memcmp(&row->field, &record->field, sizeof(row->field)) != 0)
	if (DIFFERS(scores))
		return "scores";
	if (DIFFERS(item_points))
		return "points";
	if (row->deal_count != record->deal_count)
		return "deals";
	if (row->winner != record->winner)
		return "winner";
	if (strcmp(row->reason, record->reason) != 0)
		return "reason";
	if (row->forfeiter != record->forfeiter)
		return "forfeiter";
	if (row->offender != record->offender)
		return "offender";
	if (row->offence != record->offence)
		return "offence";
	if (strcmp(row->offence_reason, record->offence_reason) != 0)
		return "offence_reason";
	if (DIFFERS(offences))
		return "offences";
	if (DIFFERS(think_us))
		return "think_us";
	if (DIFFERS(think_longest_us))
		return "think_longest_us";
	if (DIFFERS(decision_count))
		return "decisions";
	if (DIFFERS(off_turn_ns))
		return "off_turn_ns";
	if (DIFFERS(pondered))
		return "pondered";
	if (DIFFERS(cut_short))
		return "cut_short";
	if (row->void_turns != record->void_turns)
		return "void_turns";
	if (row->lag_longest_ns != record->lag_longest_ns)
		return "lag_longest_ns";
#undef DIFFERS
	return NULL;
}
