/*
 * Lines that tell of the arena's time and the bots'.
 */
#include "event_table.h"
#include "read.h"

/* A time in seconds that must be there. */
static bool
read_seconds(const struct words *words, const char *key, int64_t *us,
    struct scopa_text *why)
{
	struct word word = words_find(words, key);

	if (word.bytes == NULL || !word_to_us(word, us))
		return refuse_word(why, key, word, "a time in seconds");
	return true;
}

bool
event_parse_void(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_void *turn = &event->void_turn;

	struct word by = words_find(words, "by");

	turn->by = 0;
	if (!read_seat(words->word[1], &turn->seat, why) ||
	    !read_seconds(words, "lag", &turn->lag_us, why))
		return false;
	if (by.bytes == NULL)
		return true;
	if (!read_seat(by, &turn->by, why))
		return false;
	turn->by++;
	return true;
}

void
event_format_void(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->void_turn.seat + 1);
	event_put_seconds(text, "lag", event->void_turn.lag_us);
	if (event->void_turn.by == 0)
		return;
	scopa_text_string(text, " by=");
	scopa_text_int(text, event->void_turn.by);
}

bool
event_parse_ponder(
    const struct words *words, struct event *event, struct scopa_text *why)
{
	struct event_ponder *ponder = &event->ponder;

	return read_seat(words->word[1], &ponder->seat, why) &&
	    read_seconds(words, "cpu", &ponder->cpu_us, why) &&
	    read_seconds(words, "wall", &ponder->wall_us, why);
}

void
event_format_ponder(const struct event *event, struct scopa_text *text)
{
	scopa_text_char(text, ' ');
	scopa_text_int(text, event->ponder.seat + 1);
	event_put_seconds(text, "cpu", event->ponder.cpu_us);
	event_put_seconds(text, "wall", event->ponder.wall_us);
}
