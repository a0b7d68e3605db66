/*
 * The rows behind event.h: how each event is read and written.
 */
#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include "event.h"

typedef bool event_parser(
    const struct words *words, struct event *event, struct scopa_text *why);
typedef void event_formatter(
    const struct event *event, struct scopa_text *text);

struct event_row {
	const char *name;
	bool record_only;
	int argument_count; /* words before the pairs */
	event_parser *parse;
	event_formatter *format;
	const char *keys; /* of its pairs; NULL: it looks at them itself */
};

extern const struct event_row event_rows[];

/* `win`, ... */
extern const char *const event_outcome_names[EVENT_OUTCOME_COUNT];

event_parser event_parse_match, event_parse_tag, event_parse_rules,
    event_parse_seat, event_parse_pack, event_parse_deal, event_parse_redeal,
    event_parse_table, event_parse_cards, event_parse_sweep,
    event_parse_declare, event_parse_play, event_parse_info,
    event_parse_offence, event_parse_void, event_parse_ponder,
    event_parse_score, event_parse_enddeal, event_parse_abort,
    event_parse_endmatch, event_parse_sum;

event_formatter event_format_match, event_format_tag, event_format_rules,
    event_format_seat, event_format_pack, event_format_deal,
    event_format_redeal, event_format_table, event_format_cards,
    event_format_sweep, event_format_declare, event_format_play,
    event_format_info, event_format_offence, event_format_void,
    event_format_ponder, event_format_score, event_format_enddeal,
    event_format_abort, event_format_endmatch, event_format_sum;

/* Writes ` KEY=S.DDDDDD`. */
void event_put_seconds(struct scopa_text *text, const char *key, int64_t us);

#endif
