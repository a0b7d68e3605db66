/*
 * Summaries of game records.
 *
 * A tournament reads thousands of records a second, and most lines of a record
 * are plays and cards.  So of a play only the thinking time is read, and lines
 * with cards are not parsed.
 */
#include "summary.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

_Static_assert((int)SUMMARY_REASON_SIZE >= (int)EVENT_REASON_SIZE,
    "the reason of an offence fits");

/* Parses a line as an event. */
static bool
parse(struct summary_reading *reading, const char *line, size_t length)
{
	struct scopa_text why = SCOPA_TEXT(256);

	return event_parse(line, length, &reading->event, &why) == EVENT_PARSED;
}

/* N - 1 of a match id `mN`, or -1 for another id. */
static int64_t
game_of_id(const char *id)
{
	struct word number = { id + 1, strlen(id) - 1 };
	int64_t game;

	if (id[0] != 'm' || !word_to_int(number, 1, INT64_MAX, &game))
		return -1;
	return game - 1;
}

static bool
handle_match(struct summary_reading *reading)
{
	const struct event_match *match = &reading->event.match;

	if (match->seats == 0)
		return false;
	memcpy(reading->id, match->id, sizeof(reading->id));
	reading->summary.game = game_of_id(match->id);
	reading->summary.seat_count = match->seats;
	reading->part = SUMMARY_GAME;
	return true;
}

/*
 * The number of `key`, 1..INT_MAX, less 1; `before` if the tag has no such
 * number.
 */
static int
number_of_tag(const struct words *words, const char *key, int before)
{
	struct word word = words_find(words, key);
	int64_t number;

	if (word.bytes == NULL || !word_to_int(word, 1, INT_MAX, &number))
		return before;
	return (int)number - 1;
}

/*
 * Stores a word of the kind that this program writes in tags: `core+tree`,
 * `ENV_ERR`.  Other programs may write any tags; words of another form are
 * ignored.
 */
static bool
store_code(struct word word, char *kept, size_t size)
{
	if (word.bytes == NULL || word.length >= size ||
	    !word_is_code(word, "+-_"))
		return false;
	memcpy(kept, word.bytes, word.length);
	kept[word.length] = '\0';
	return true;
}

/* Reads `ENV_ERR,VOID`: one word for each attempt. */
static void
handle_voided(struct summary *summary, struct word word)
{
	struct word one;

	if (word.bytes == NULL)
		return;
	summary->voided_count = 0;
	while (summary->voided_count < SUMMARY_VOIDED_MAX &&
	    word_next_piece(&word, ',', &one) &&
	    store_code(one, summary->voided[summary->voided_count],
		SUMMARY_VOIDED_SIZE))
		summary->voided_count++;
}

static bool
handle_tag(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	struct words words;

	words_split_pairs(reading->event.text, &words);
	summary->round = number_of_tag(&words, "round", summary->round);
	summary->rotation = number_of_tag(&words, "game", summary->rotation);
	store_code(words_find(&words, "sandbox"), summary->sandbox,
	    sizeof(summary->sandbox));
	summary->analysis |= words_find(&words, "analysis").bytes != NULL;
	handle_voided(summary, words_find(&words, "voided"));
	return true;
}

/* Reads a `seat` line.  Seats come in order, and so do the letters of teams. */
static bool
handle_seat(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_seat *seat = &reading->event.seat;

	if (seat->seat != reading->seats_named ||
	    seat->seat >= summary->seat_count || seat->team < 0 ||
	    seat->team > summary->team_count)
		return false;
	reading->seats_named++;
	summary->team[seat->seat] = seat->team;
	summary->analysis |= seat->sees_all;
	if (seat->team == summary->team_count)
		summary->team_count++;
	memcpy(summary->names[seat->seat], seat->name, EVENT_NAME_SIZE);
	return true;
}

static void
note_thought(struct summary *summary, int seat, int64_t time_us)
{
	if (time_us > summary->think_longest_us[seat])
		summary->think_longest_us[seat] = time_us;
}

static bool
handle_offence(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_offence *line = &reading->event.offence;
	enum offence_kind kind = offence_find(word_of(line->kind));

	if (kind == OFFENCE_KIND_COUNT || line->seat >= reading->seats_named)
		return false;
	summary->offences[line->seat][kind]++;
	summary->offender = line->seat;
	summary->offence = kind;
	memcpy(summary->offence_reason, line->reason, sizeof(line->reason));
	note_thought(summary, line->seat, line->time_us);
	return true;
}

static bool
handle_void(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_void *line = &reading->event.void_turn;

	if (line->seat >= reading->seats_named ||
	    summary->void_turns == INT32_MAX)
		return false;
	summary->void_turns++;
	if (line->lag_us * 1000 > summary->lag_longest_ns)
		summary->lag_longest_ns = line->lag_us * 1000;
	return true;
}

static bool
handle_ponder(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_ponder *line = &reading->event.ponder;

	if (line->seat >= reading->seats_named)
		return false;
	summary->off_turn_ns[line->seat] = line->cpu_us * 1000;
	summary->pondered[line->seat] = true;
	return true;
}

static bool
handle_score(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_score *line = &reading->event.score;

	if (line->team >= summary->team_count)
		return false;
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		int32_t *points = &summary->item_points[line->team][item];

		if (__builtin_add_overflow(
			*points, line->item_points[item], points))
			return false;
	}
	return true;
}

static bool
handle_enddeal(struct summary_reading *reading)
{
	return reading->event.number == ++reading->summary.deal_count;
}

static bool
handle_endmatch(struct summary_reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_end *end = &reading->event.end;
	bool forfeit = strcmp(end->reason, "forfeit") == 0;

	if (strcmp(end->id, reading->id) != 0 ||
	    reading->seats_named != summary->seat_count ||
	    end->team_count != summary->team_count ||
	    (end->winner != SCOPA_TEAM_NONE &&
		end->winner >= end->team_count) ||
	    (end->by != SCOPA_TEAM_NONE) != forfeit ||
	    (forfeit && end->by >= end->team_count) || end->reason[0] == '\0')
		return false;
	for (int team = 0; team < end->team_count; team++)
		summary->scores[team] = end->scores[team];
	memcpy(summary->reason, end->reason, sizeof(summary->reason));
	summary->winner = end->winner;
	summary->forfeiter = end->by;
	/*
	 * Only the offence that lost the game is kept; earlier ones had no such
	 * consequence.
	 */
	if (!forfeit || summary->offender < 0 ||
	    summary->team[summary->offender] != end->by) {
		summary->offender = -1;
		summary->offence = OFFENCE_ILLEGAL;
		memset(summary->offence_reason, 0,
		    sizeof(summary->offence_reason));
	}
	reading->part = SUMMARY_END;
	return true;
}

static bool
handle_sum(struct summary_reading *reading)
{
	reading->part = SUMMARY_SUMMED;
	return reading->event.sum.lines == reading->line_count;
}

/* The seat after the verb, from 0; -1 if there is none. */
static int
seat_of(const struct words *words)
{
	return words->count > 1 && words->word[1].length == 1
	    ? words->word[1].bytes[0] - '1'
	    : -1;
}

/*
 * Reads `play SEAT MOVE [scopa=1] [t=SECONDS] [by=arena cause=KIND]`, or
 * `declare` with the same words.
 */
static bool
handle_play(struct summary_reading *reading, const struct words *words)
{
	struct summary *summary = &reading->summary;
	struct word time = words_find(words, "t");
	struct word by = words_find(words, "by");
	int64_t time_us = 0;
	int seat = seat_of(words);

	reading->asked = -1;
	if (seat < 0 || seat >= reading->seats_named || words->count < 3 ||
	    (time.bytes != NULL && !word_to_us(time, &time_us)) ||
	    (by.bytes != NULL && !word_is(by, "arena")))
		return false;
	if (time.bytes == NULL || by.bytes != NULL)
		return true;
	reading->asked = seat;
	note_thought(summary, seat, time_us);
	return !__builtin_add_overflow(summary->think_us[seat], time_us,
		   &summary->think_us[seat]) &&
	    ++summary->decision_count[seat] < INT32_MAX;
}

/* Reads `info SEAT ...`, which comes after the play that it is about. */
static bool
handle_info(struct summary_reading *reading, const struct words *words)
{
	int seat = reading->asked;

	if (seat < 0 || seat_of(words) != seat)
		return true;
	for (int i = 2; i < words->count; i++)
		if (word_is(words->word[i], "cut=1")) {
			reading->asked = -1;
			return ++reading->summary.cut_short[seat] < INT32_MAX;
		}
	return true;
}

/* The handler of a line: one of the two functions, or neither. */
struct summary_verb {
	enum summary_part part; /* part in which the line may be */
	bool (*scan)(
	    struct summary_reading *reading, const struct words *words);
	bool (*apply)(struct summary_reading *reading);
};

static const struct summary_verb verbs[EVENT_KIND_COUNT] = {
	[EVENT_MATCH] = { SUMMARY_HEAD, NULL, handle_match },
	[EVENT_TAG] = { SUMMARY_GAME, NULL, handle_tag },
	[EVENT_SEAT] = { SUMMARY_GAME, NULL, handle_seat },
	[EVENT_PLAY] = { SUMMARY_GAME, handle_play, NULL },
	[EVENT_DECLARE] = { SUMMARY_GAME, handle_play, NULL },
	[EVENT_INFO] = { SUMMARY_GAME, handle_info, NULL },
	[EVENT_OFFENCE] = { SUMMARY_GAME, NULL, handle_offence },
	[EVENT_VOID] = { SUMMARY_GAME, NULL, handle_void },
	[EVENT_PONDER] = { SUMMARY_GAME, NULL, handle_ponder },
	[EVENT_SCORE] = { SUMMARY_GAME, NULL, handle_score },
	[EVENT_ENDDEAL] = { SUMMARY_GAME, NULL, handle_enddeal },
	[EVENT_ENDMATCH] = { SUMMARY_GAME, NULL, handle_endmatch },
	[EVENT_SUM] = { SUMMARY_END, NULL, handle_sum },
};

static bool
handle_line(struct summary_reading *reading, const char *line, size_t length)
{
	struct word word = words_first(line, length);
	const struct summary_verb *verb;
	enum event_kind kind;
	struct words words;

	/*
	 * Empty lines and comments are ignored, but the first line must be
	 * `match`.
	 */
	if (word.length == 0 || *word.bytes == '#')
		return reading->part != SUMMARY_HEAD;
	/*
	 * Later versions may have more kinds of lines, and the output of
	 * `record derive` contains some already.
	 */
	kind = event_kind_find(word);
	if (kind == EVENT_KIND_COUNT)
		return reading->part != SUMMARY_HEAD;
	verb = &verbs[kind];
	if (verb->part != reading->part)
		return false;
	if (verb->scan) {
		words_split(line, length, &words);
		return verb->scan(reading, &words);
	}
	return verb->apply == NULL ||
	    (parse(reading, line, length) && verb->apply(reading));
}

void
summary_begin(struct summary_reading *reading)
{
	*reading = (struct summary_reading){
		.summary = {
			.round = -1,
			.rotation = -1,
			.offender = -1,
			.winner = SCOPA_TEAM_NONE,
			.forfeiter = SCOPA_TEAM_NONE,
		},
		.part = SUMMARY_HEAD,
		.asked = -1,
	};
}

int
summary_add(struct summary_reading *reading, const char *bytes, size_t size)
{
	const char *at = bytes, *end = bytes + size;

	while (at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		const char *last = next;

		if (next == NULL || reading->part == SUMMARY_SUMMED)
			return -EBADMSG;
		/* The line ends of the file may be CRLF. */
		if (last > at && last[-1] == '\r')
			last--;
		if (!handle_line(reading, at, (size_t)(last - at)))
			return -EBADMSG;
		reading->line_count++;
		at = next + 1;
	}
	return 0;
}

int
summary_read(struct summary *summary, const char *bytes, size_t size)
{
	struct summary_reading reading;

	summary_begin(&reading);
	if (summary_add(&reading, bytes, size) < 0 ||
	    reading.part != SUMMARY_SUMMED)
		return -EBADMSG;
	*summary = reading.summary;
	return 0;
}
