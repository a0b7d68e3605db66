/*
 * Summaries of records.
 *
 * Most lines of a record are plays and cards.  The first are only looked at for
 * who thought how long, the others not at all: a tournament reads thousands of
 * blocks a second.
 */
#include "summary.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

_Static_assert((int)SUMMARY_REASON_SIZE >= (int)EVENT_REASON_SIZE,
    "the reason of an offence fits");

/* How far a block has been read. */
enum stage { STAGE_HEAD, STAGE_GAME, STAGE_END, STAGE_SUMMED };

/* A summary on its way. */
struct reading {
	struct summary summary;
	enum stage stage;
	int64_t line_count; /* before the line in hand */
	int uid_pool_named;
	char id[EVENT_ID_SIZE];
	int asked; /* seat whose `info` lines follow, until one says `cut=1` */
	struct event event; /* of the line in hand, where it is parsed */
};

/* A line in hand, and how far it has been taken. */
struct line {
	const char *at, *end;
};

/* The next word; false at the end of the line, and at a comment. */
static bool
next_word(struct line *line, struct word *word)
{
	const char *at = line->at, *end = line->end;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	word->bytes = at;
	if (at == end || *at == '#')
		return false;
	while (at < end && *at != ' ' && *at != '\t')
		at++;
	word->length = (size_t)(at - word->bytes);
	line->at = at;
	return true;
}

/* Parses the line that ends where `line` ends. */
static bool
parse(struct reading *reading, const char *begin, const char *end)
{
	char bytes[256];
	struct scopa_text why;

	scopa_text_init(&why, bytes, sizeof(bytes));
	return event_parse(begin, (size_t)(end - begin), &reading->event,
		   &why) == EVENT_PARSED;
}

static bool
add(int64_t *sum, int64_t number)
{
	return !__builtin_add_overflow(*sum, number, sum);
}

/* The N of `mN` less one, or -1. */
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
take_match(struct reading *reading)
{
	const struct event_match *match = &reading->event.match;

	if (match->seats == 0)
		return false;
	memcpy(reading->id, match->id, sizeof(reading->id));
	reading->summary.game = game_of_id(match->id);
	reading->summary.seat_count = match->seats;
	reading->stage = STAGE_GAME;
	return true;
}

/* The whole number of `key` in 1..INT_MAX, from 0; -1 where there is none. */
static int
number_of_tag(const struct words *words, const char *key, int before)
{
	struct word word = words_find(words, key);
	int64_t number;

	if (word.bytes == NULL || !word_to_int(word, 1, INT_MAX, &number))
		return before;
	return (int)number - 1;
}

/* Whether it is of the kind that this program writes: `core+tree`, `ENV_ERR`. */
static bool
is_code(struct word word, size_t size)
{
	if (word.length == 0 || word.length >= size)
		return false;
	for (size_t i = 0; i < word.length; i++) {
		char byte = word.bytes[i];

		if (!(byte >= 'a' && byte <= 'z') &&
		    !(byte >= 'A' && byte <= 'Z') &&
		    !(byte >= '0' && byte <= '9') && byte != '+' &&
		    byte != '-' && byte != '_')
			return false;
	}
	return true;
}

/* Strangers may tag as they like: what is no such word says nothing. */
static void
take_sandbox(struct summary *summary, struct word word)
{
	if (word.bytes == NULL || !is_code(word, SUMMARY_SANDBOX_SIZE))
		return;
	memcpy(summary->sandbox, word.bytes, word.length);
	summary->sandbox[word.length] = '\0';
}

/* `ENV_ERR,VOID`: an attempt each. */
static void
take_voided(struct summary *summary, struct word word)
{
	const char *at = word.bytes, *end;

	if (word.bytes == NULL)
		return;
	end = word.bytes + word.length;
	summary->voided_count = 0;
	while (at < end && summary->voided_count < SUMMARY_VOIDED_MAX) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		struct word one = { at, (size_t)((comma ? comma : end) - at) };
		char *kept = summary->voided[summary->voided_count];

		if (!is_code(one, SUMMARY_VOIDED_SIZE))
			return;
		memcpy(kept, one.bytes, one.length);
		kept[one.length] = '\0';
		summary->voided_count++;
		at += one.length + 1;
	}
}

static bool
take_tag(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const char *text = reading->event.text;
	struct words words;
	char line[EVENT_TEXT_SIZE + 4] = "tag ";

	memcpy(line + 4, text, strlen(text) + 1);
	words_split(line, strlen(line), &words);
	summary->round = number_of_tag(&words, "round", summary->round);
	summary->rotation = number_of_tag(&words, "game", summary->rotation);
	take_sandbox(summary, words_find(&words, "sandbox"));
	summary->analysis |= words_find(&words, "analysis").bytes != NULL;
	take_voided(summary, words_find(&words, "voided"));
	return true;
}

/* Seats are named in order, and teams have their letters in order. */
static bool
take_seat(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_seat *seat = &reading->event.seat;

	if (seat->seat != reading->uid_pool_named ||
	    seat->seat >= summary->seat_count || seat->team < 0 ||
	    seat->team > summary->team_count)
		return false;
	reading->uid_pool_named++;
	summary->team[seat->seat] = seat->team;
	summary->analysis |= seat->sees_all;
	if (seat->team == summary->team_count)
		summary->team_count++;
	memcpy(summary->names[seat->seat], seat->name, EVENT_NAME_SIZE);
	return true;
}

static bool
take_offence(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_offence *line = &reading->event.offence;
	int kind = 0;

	while (kind < OFFENCE_KIND_COUNT &&
	    strcmp(line->kind, offence_name((enum offence_kind)kind)) != 0)
		kind++;
	if (kind == OFFENCE_KIND_COUNT || line->seat >= reading->uid_pool_named)
		return false;
	summary->offences[line->seat][kind]++;
	summary->offender = line->seat;
	summary->offence = (enum offence_kind)kind;
	memcpy(summary->offence_reason, line->reason, sizeof(line->reason));
	return true;
}

static bool
take_void(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_void *line = &reading->event.void_turn;

	if (line->seat >= reading->uid_pool_named ||
	    summary->void_turns == INT32_MAX || line->lag_us > INT64_MAX / 1000)
		return false;
	summary->void_turns++;
	if (line->lag_us * 1000 > summary->lag_longest_ns)
		summary->lag_longest_ns = line->lag_us * 1000;
	return true;
}

static bool
take_ponder(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_ponder *line = &reading->event.ponder;

	if (line->seat >= reading->uid_pool_named ||
	    line->cpu_us > INT64_MAX / 1000)
		return false;
	summary->off_turn_ns[line->seat] = line->cpu_us * 1000;
	summary->pondered[line->seat] = true;
	return true;
}

static bool
take_score(struct reading *reading)
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
take_enddeal(struct reading *reading)
{
	return reading->event.number == ++reading->summary.deal_count;
}

static bool
take_endmatch(struct reading *reading)
{
	struct summary *summary = &reading->summary;
	const struct event_end *end = &reading->event.end;
	bool forfeit = strcmp(end->reason, "forfeit") == 0;

	if (strcmp(end->id, reading->id) != 0 ||
	    reading->uid_pool_named != summary->seat_count ||
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
	/* Offences before the one that lost the game were forgiven. */
	if (!forfeit || summary->offender < 0 ||
	    summary->team[summary->offender] != end->by) {
		summary->offender = -1;
		summary->offence = OFFENCE_ILLEGAL;
		memset(summary->offence_reason, 0,
		    sizeof(summary->offence_reason));
	}
	reading->stage = STAGE_END;
	return true;
}

static bool
take_sum(struct reading *reading)
{
	reading->stage = STAGE_SUMMED;
	return reading->event.sum.lines == reading->line_count;
}

/* `play SEAT MOVE [scopa=1] [t=SECONDS] [by=arena cause=KIND]`, or `declare` */
static bool
take_play(struct reading *reading, struct line *line)
{
	struct summary *summary = &reading->summary;
	struct word word;
	int64_t time_us = -1;
	bool by_arena = false;
	int seat;

	reading->asked = -1;
	if (!next_word(line, &word) || word.length != 1)
		return false;
	seat = word.bytes[0] - '1';
	if (seat < 0 || seat >= reading->uid_pool_named ||
	    !next_word(line, &word))
		return false;
	while (next_word(line, &word)) {
		struct word value;

		if (word_is_pair(word, "t", &value)) {
			if (!word_to_us(value, &time_us))
				return false;
		} else if (word_is_pair(word, "by", &value)) {
			by_arena = word_is(value, "arena");
			if (!by_arena)
				return false;
		}
	}
	if (time_us < 0 || by_arena)
		return true;
	reading->asked = seat;
	if (time_us > summary->think_longest_us[seat])
		summary->think_longest_us[seat] = time_us;
	return add(&summary->think_us[seat], time_us) &&
	    ++summary->decision_count[seat] < INT32_MAX;
}

/* `info SEAT ...`, behind the play that it is about */
static bool
take_info(struct reading *reading, struct line *line)
{
	struct word word;
	int seat = reading->asked;

	if (seat < 0 || !next_word(line, &word) || word.length != 1 ||
	    word.bytes[0] - '1' != seat)
		return true;
	while (next_word(line, &word)) {
		if (!word_is(word, "cut=1"))
			continue;
		reading->asked = -1;
		return ++reading->summary.cut_short[seat] < INT32_MAX;
	}
	return true;
}

/* What is done about a line: nothing, or one of these. */
struct verb {
	const char *name;
	enum stage stage; /* in which it may stand */
	bool (*scan)(struct reading *reading, struct line *line);
	bool (*take)(struct reading *reading);
};

/* The more frequent a line is, the earlier. */
static const struct verb verbs[] = {
	{ "play", STAGE_GAME, take_play, NULL },
	{ "give", STAGE_GAME, NULL, NULL },
	{ "info", STAGE_GAME, take_info, NULL },
	{ "score", STAGE_GAME, NULL, take_score },
	{ "pack", STAGE_GAME, NULL, NULL },
	{ "deal", STAGE_GAME, NULL, NULL },
	{ "table", STAGE_GAME, NULL, NULL },
	{ "rest", STAGE_GAME, NULL, NULL },
	{ "enddeal", STAGE_GAME, NULL, take_enddeal },
	{ "declare", STAGE_GAME, take_play, NULL },
	{ "show", STAGE_GAME, NULL, NULL },
	{ "sweep", STAGE_GAME, NULL, NULL },
	{ "redeal", STAGE_GAME, NULL, NULL },
	{ "match", STAGE_HEAD, NULL, take_match },
	{ "tag", STAGE_GAME, NULL, take_tag },
	{ "rules", STAGE_GAME, NULL, NULL },
	{ "seat", STAGE_GAME, NULL, take_seat },
	{ "offence", STAGE_GAME, NULL, take_offence },
	{ "void", STAGE_GAME, NULL, take_void },
	{ "ponder", STAGE_GAME, NULL, take_ponder },
	{ "abort", STAGE_GAME, NULL, NULL },
	{ "endmatch", STAGE_GAME, NULL, take_endmatch },
	{ "sum", STAGE_END, NULL, take_sum },
};

_Static_assert(sizeof(verbs) / sizeof(verbs[0]) == EVENT_KIND_COUNT,
    "every event has a row");

/*
 * The row of a verb; NULL where there is none: later versions may have more
 * lines, and what is derived from a record has some already.
 */
static const struct verb *
find_verb(struct word word)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (*verbs[i].name == *word.bytes &&
		    word_is(word, verbs[i].name))
			return &verbs[i];
	return NULL;
}

/* Whether it could be the verb of some line. */
static bool
is_verb(struct word word)
{
	for (size_t i = 0; i < word.length; i++)
		if (word.bytes[i] < 'a' || word.bytes[i] > 'z')
			return false;
	return true;
}

static bool
take_line(struct reading *reading, const char *begin, const char *end)
{
	struct line line = { begin, end };
	const struct verb *verb;
	struct word word;

	/* Empty lines and comments say nothing, but not before all others. */
	if (!next_word(&line, &word))
		return reading->stage != STAGE_HEAD;
	verb = find_verb(word);
	if (verb == NULL)
		return reading->stage != STAGE_HEAD && is_verb(word);
	if (verb->stage != reading->stage)
		return false;
	if (verb->scan)
		return verb->scan(reading, &line);
	return verb->take == NULL ||
	    (parse(reading, begin, end) && verb->take(reading));
}

int
summary_read(struct summary *summary, const char *bytes, size_t size)
{
	struct reading reading = {
		.summary = {
			.round = -1,
			.rotation = -1,
			.offender = -1,
			.winner = SCOPA_TEAM_NONE,
			.forfeiter = SCOPA_TEAM_NONE,
		},
		.stage = STAGE_HEAD,
		.asked = -1,
	};
	const char *at = bytes, *end = bytes + size;

	while (at < end && reading.stage != STAGE_SUMMED) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		const char *last = next;

		if (next == NULL)
			return -EBADMSG;
		/* A file may have come by a system that ends lines so. */
		if (last > at && last[-1] == '\r')
			last--;
		if (!take_line(&reading, at, last))
			return -EBADMSG;
		reading.line_count++;
		at = next + 1;
	}
	if (reading.stage != STAGE_SUMMED || at != end)
		return -EBADMSG;
	*summary = reading.summary;
	return 0;
}
