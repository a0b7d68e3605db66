/*
 * The table of events, and what each seat may receive of them.
 */
#include "event.h"

#include <assert.h>
#include <string.h>

#include "event_table.h"
#include "read.h"

const struct event_row event_rows[] = {
	[EVENT_MATCH] = { "match", false, 1, event_parse_match,
	    event_format_match,
	    "rules seats teams you target deals max-deals pack tc seed seeds" },
	[EVENT_TAG] = { "tag", true, 0, event_parse_tag, event_format_tag,
	    NULL },
	[EVENT_RULES] = { "rules", false, 0, event_parse_rules,
	    event_format_rules, NULL },
	[EVENT_SEAT] = { "seat", false, 1, event_parse_seat, event_format_seat,
	    "team name version sees" },
	[EVENT_PACK] = { "pack", true, 1, event_parse_pack, event_format_pack,
	    "redeal alg seed cards" },
	[EVENT_DEAL] = { "deal", false, 1, event_parse_deal, event_format_deal,
	    "dealer first scores" },
	[EVENT_REDEAL] = { "redeal", false, 0, event_parse_redeal,
	    event_format_redeal, "reason" },
	[EVENT_TABLE] = { "table", false, 1, event_parse_table,
	    event_format_table, "" },
	[EVENT_GIVE] = { "give", false, 2, event_parse_cards,
	    event_format_cards, "" },
	[EVENT_SWEEP] = { "sweep", false, 2, event_parse_sweep,
	    event_format_sweep, "scopa reason" },
	[EVENT_DECLARE] = { "declare", false, 2, event_parse_declare,
	    event_format_declare, "points t by cause" },
	[EVENT_SHOW] = { "show", false, 2, event_parse_cards,
	    event_format_cards, "" },
	[EVENT_PLAY] = { "play", false, 2, event_parse_play, event_format_play,
	    "scopa t by cause" },
	[EVENT_INFO] = { "info", true, 1, event_parse_info, event_format_info,
	    NULL },
	[EVENT_OFFENCE] = { "offence", true, 1, event_parse_offence,
	    event_format_offence, "kind reason policy strikes said" },
	[EVENT_VOID] = { "void", true, 1, event_parse_void, event_format_void,
	    "lag" },
	[EVENT_PONDER] = { "ponder", true, 1, event_parse_ponder,
	    event_format_ponder, "cpu wall" },
	[EVENT_REST] = { "rest", false, 2, event_parse_cards,
	    event_format_cards, "" },
	[EVENT_SCORE] = { "score", false, 1, event_parse_score,
	    event_format_score, NULL },
	[EVENT_ENDDEAL] = { "enddeal", false, 1, event_parse_enddeal,
	    event_format_enddeal, "" },
	[EVENT_ABORT] = { "abort", false, 1, event_parse_abort,
	    event_format_abort, "reason" },
	[EVENT_ENDMATCH] = { "endmatch", false, 1, event_parse_endmatch,
	    event_format_endmatch, "scores winner you reason by" },
	[EVENT_SUM] = { "sum", true, 0, event_parse_sum, event_format_sum,
	    "lines sha256" },
};

_Static_assert(sizeof(event_rows) / sizeof(event_rows[0]) == EVENT_KIND_COUNT,
    "every event has a row");

const char *const event_outcome_names[EVENT_OUTCOME_COUNT] = {
	[EVENT_WIN] = "win",
	[EVENT_LOSS] = "loss",
	[EVENT_DRAW] = "draw",
};

const char *
event_name(enum event_kind kind)
{
	assert(kind < EVENT_KIND_COUNT);
	return event_rows[kind].name;
}

bool
event_is_record_only(enum event_kind kind)
{
	assert(kind < EVENT_KIND_COUNT);
	return event_rows[kind].record_only;
}

/* Copies the parts of an event that its kind uses. */
static void
copy_event(struct event *to, const struct event *from)
{
	to->kind = from->kind;
	switch (from->kind) {
	case EVENT_GIVE:
	case EVENT_TABLE:
	case EVENT_SWEEP:
	case EVENT_SHOW:
	case EVENT_REST:
		to->cards = from->cards;
		return;
	case EVENT_PLAY:
	case EVENT_DECLARE:
		to->play = from->play;
		return;
	case EVENT_MATCH:
	case EVENT_TAG:
	case EVENT_RULES:
	case EVENT_SEAT:
	case EVENT_PACK:
	case EVENT_DEAL:
	case EVENT_REDEAL:
	case EVENT_INFO:
	case EVENT_OFFENCE:
	case EVENT_VOID:
	case EVENT_PONDER:
	case EVENT_SCORE:
	case EVENT_ENDDEAL:
	case EVENT_ABORT:
	case EVENT_ENDMATCH:
	case EVENT_SUM:
	case EVENT_KIND_COUNT:
		break;
	}
	*to = *from;
}

/* What the end is for a party. */
static enum event_outcome
outcome_for(const struct event_end *end, int party)
{
	if (end->winner == party)
		return EVENT_WIN;
	if (end->winner == SCOPA_PARTY_NONE && end->by != party)
		return EVENT_DRAW;
	return EVENT_LOSS;
}

bool
event_redact(const struct event *event, const struct scopa_rules *rules,
    int seat, struct event *redacted)
{
	if (event_is_record_only(event->kind))
		return false;
	copy_event(redacted, event);
	if (event->kind == EVENT_MATCH) {
		redacted->match.you = seat;
	} else if (event->kind == EVENT_SEAT) {
		redacted->seat.version[0] = '\0';
		redacted->seat.sees_all = false;
	} else if (event->kind == EVENT_GIVE && event->cards.seat != seat) {
		redacted->cards.hidden = scopa_set_count(event->cards.cards);
		redacted->cards.cards = SCOPA_SET_EMPTY;
	} else if (event->kind == EVENT_PLAY || event->kind == EVENT_DECLARE) {
		redacted->play.time_us = -1;
	} else if (event->kind == EVENT_ENDMATCH) {
		redacted->end.you =
		    outcome_for(&event->end, scopa_party_of(rules, seat));
	}
	return true;
}

static void
report_unknown_keys(const struct words *words, const struct event_row *row,
    struct scopa_text *why)
{
	for (int i = 1 + row->argument_count; i < words->count; i++) {
		struct word key = words->word[i], value;

		if (word_is_known(words->word[i], row->keys))
			continue;
		word_split_pair(words->word[i], &key, &value);
		scopa_text_string(why, why->length ? ", " : "skipped: ");
		scopa_text_bytes(why, key.bytes, key.length);
	}
}

/* Whether so many words stand behind the verb; a pair is no such word. */
static bool
has_arguments(const struct words *words, int count)
{
	if (words->count <= count)
		return false;
	for (int i = 1; i <= count; i++)
		if (memchr(words->word[i].bytes, '=', words->word[i].length))
			return false;
	return true;
}

enum event_parse
event_parse(const char *line, size_t length, struct event *event,
    struct scopa_text *why)
{
	const struct event_row *row = NULL;
	struct words words;

	words_split(line, length, &words);
	if (words.count == 0)
		return EVENT_UNKNOWN;
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		const char *name = event_rows[kind].name;

		if (*name != *words.word[0].bytes ||
		    !word_is(words.word[0], name))
			continue;
		row = &event_rows[kind];
		event->kind = (enum event_kind)kind;
	}
	if (row == NULL)
		return EVENT_UNKNOWN;
	if (words.cut || !has_arguments(&words, row->argument_count)) {
		scopa_text_string(why, row->name);
		refuse(why, words.cut ? ": too many words" : ": words missing");
		return EVENT_BAD;
	}
	if (!row->parse(&words, event, why))
		return EVENT_BAD;
	if (row->keys)
		report_unknown_keys(&words, row, why);
	return EVENT_PARSED;
}
