/*
 * The command `record export`: writes games for other programs, as JSON Lines
 * (a line for each match or each record line) or as CSV (a row for each deal
 * and team).  Only good records are exported.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "countof.h"
#include "record_read.h"
#include "record_walk.h"
#include "report_json.h"
#include "text_format.h"
#include "version.h"

enum { TEXT_SIZE = 256 };

/* The sums over one game record. */
struct sums {
	struct event last[EVENT_KIND_COUNT]; /* of each kind */
	int counts[EVENT_KIND_COUNT];
	struct event seats[SCOPA_SEATS_MAX];
	int64_t points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT];
	uint32_t items; /* bit N: enum scopa_item N was counted */
};

static void
add_event(struct sums *sums, const struct event *event)
{
	const struct event_score *score = &event->score;

	sums->last[event->kind] = *event;
	sums->counts[event->kind]++;
	if (event->kind == EVENT_SEAT)
		sums->seats[event->seat.seat] = *event;
	if (event->kind != EVENT_SCORE)
		return;
	sums->items |= score->items;
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (score->items >> item & 1)
			sums->points[score->team][item] +=
			    score->item_points[item];
}

/*
 * Prints the fields of a record line that are numbers and texts, under their
 * own names.
 */
static void
put_fields(struct json *json, const struct event *event)
{
	struct event_value value;

	for (int i = 0; event_value(event, i, &value); i++) {
		if (value.absent)
			continue;
		switch (value.kind) {
		case EVENT_VALUE_INT:
			json_int(json, value.name, value.number);
			break;
		case EVENT_VALUE_SECONDS:
			json_real(
			    json, value.name, (double)value.number / 1e6, 6);
			break;
		case EVENT_VALUE_TEAM:
			json_team(json, value.name, (int)value.number);
			break;
		case EVENT_VALUE_TEXT:
			json_string(json, value.name, value.text);
			break;
		case EVENT_VALUE_OTHER:
			break;
		}
	}
}

/*
 * Prints the words of a tag as an object.  If a key appears twice, the last one
 * counts.
 */
static void
put_tag(struct json *json, const struct event *event)
{
	struct words words;

	json_object_begin(json, "tag");
	words_split_pairs(event->text, &words);
	for (int i = 1; i < words.count; i++) {
		char name[EVENT_TEXT_SIZE], text[TEXT_SIZE];
		struct word key, value;

		if (!word_split_pair(words.word[i], &key, &value))
			continue;
		word_copy(key, name, sizeof(name));
		if (words_find(&words, name).bytes == value.bytes &&
		    word_decode(key, name, EVENT_NAME_SIZE) &&
		    word_decode(value, text, sizeof(text)))
			json_string(json, name, text);
	}
	json_object_end(json);
}

static void
put_points(struct json *json, const struct sums *sums)
{
	int teams = sums->last[EVENT_ENDMATCH].end.team_count;

	json_object_begin(json, "points");
	for (int team = 0; team < teams; team++) {
		char letter[2] = { (char)('A' + team), '\0' };

		json_object_begin(json, letter);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			if (sums->items >> item & 1)
				json_int(json,
				    scopa_item_name((enum scopa_item)item),
				    sums->points[team][item]);
		json_object_end(json);
	}
	json_object_end(json);
}

static void
put_offences(struct json *json, const struct game_record *record)
{
	struct event event;

	json_array_begin(json, "offences");
	for (size_t i = 0; record_event_next(record, &i, &event);) {
		if (event.kind != EVENT_OFFENCE)
			continue;
		json_object_begin(json, NULL);
		put_fields(json, &event);
		json_object_end(json);
	}
	json_array_end(json);
}

static void
put_match(struct json *json, const struct event *event)
{
	const struct event_match *match = &event->match;

	json_string(json, "id", match->id);
	json_string(json, "rules", match->rules);
	json_int(json, "seat_count", match->seats);
	json_string(
	    json, "teams", scopa_param_find("teams")->names[match->teams]);
	json_int(json, "target", match->target);
	if (match->deals > 0)
		json_int(json, "deals_fixed", match->deals);
	if (match->max_deals > 0)
		json_int(json, "deals_max", match->max_deals);
	json_string(json, "tc", match->tc);
}

static void
put_end(struct json *json, const struct event *event)
{
	const struct event_end *end = &event->end;

	json_team_points(json, "scores", end->scores, end->team_count);
	json_team(json, "winner", end->winner);
	json_string(json, "reason", end->reason);
	if (end->by != SCOPA_TEAM_NONE)
		json_team(json, "by", end->by);
}

/* Prints a whole record, which must be good, as one object and a newline. */
static void
export_match(const struct game_record *record)
{
	struct sums sums = { .items = 0 };
	const struct event *tag = &sums.last[EVENT_TAG];
	struct event event;
	struct json json;
	struct words words;
	struct word secret;
	char seed[TEXT_SIZE];
	int seats;

	for (size_t i = 0; record_event_next(record, &i, &event);)
		add_event(&sums, &event);
	seats = sums.last[EVENT_MATCH].match.seats;
	json_document_begin(&json, stdout);
	put_match(&json, &sums.last[EVENT_MATCH]);
	put_tag(&json, tag);
	/*
	 * The secret that all packs come from, in the form of --seed, or null.
	 */
	words_split_pairs(tag->text, &words);
	secret = words_find(&words, "secret");
	json_string(&json, "seed",
	    secret.bytes && word_decode(secret, seed, sizeof(seed)) ? seed
								    : NULL);
	json_array_begin(&json, "seats");
	for (int seat = 0; seat < seats; seat++) {
		json_object_begin(&json, NULL);
		put_fields(&json, &sums.seats[seat]);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_array_begin(&json, "names");
	for (int seat = 0; seat < seats; seat++)
		json_string(&json, NULL, sums.seats[seat].seat.name);
	json_array_end(&json);
	json_int(&json, "deals", sums.counts[EVENT_ENDDEAL]);
	json_int(&json, "plays", sums.counts[EVENT_PLAY]);
	put_end(&json, &sums.last[EVENT_ENDMATCH]);
	put_points(&json, &sums);
	put_offences(&json, record);
	json_document_end(&json);
}

static void
put_pack(struct json *json, const struct event *event)
{
	const struct event_pack *pack = &event->pack;
	struct scopa_text key = SCOPA_TEXT(TEXT_SIZE);
	struct scopa_text cards = SCOPA_TEXT(TEXT_SIZE);

	json_int(json, "deal", pack->number);
	if (pack->redeal > 0)
		json_int(json, "redeal", pack->redeal);
	if (pack->has_key) {
		hex_encode(pack->key, sizeof(pack->key), &key);
		json_string(json, "seed", key.bytes);
	}
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		scopa_card_format(pack->cards[i], &cards);
	json_string(json, "cards", cards.bytes);
}

static void
put_play(struct json *json, const struct event *event)
{
	const struct event_play *play = &event->play;

	json_int(json, "seat", play->seat + 1);
	json_string(json, "move", move_text(&play->move));
	if (event->kind == EVENT_DECLARE)
		json_int(json, "points", play->points);
	else
		json_bool(json, "scopa", play->scopa);
	if (play->time_us >= 0)
		json_real(json, "t", (double)play->time_us / 1e6, 6);
	if (play->by_arena) {
		json_string(json, "by", "arena");
		json_string(json, "cause", play->cause);
	}
}

static void
put_cards(struct json *json, const struct event *event)
{
	struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

	scopa_set_format(event->cards.cards, &text);
	if (event->kind != EVENT_TABLE)
		json_int(json, "seat", event->cards.seat + 1);
	if (event->kind == EVENT_SWEEP)
		json_int(json, "scopa", event->cards.scopa);
	json_string(json, "cards", text.bytes);
}

static void
put_score(struct json *json, const struct event *event)
{
	const struct event_score *score = &event->score;

	json_team(json, "team", score->team);
	json_int(json, "points", score->points);
	json_int(json, "total", score->total);
	json_object_begin(json, "items");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		if (!(score->items >> item & 1))
			continue;
		json_object_begin(json, scopa_item_name((enum scopa_item)item));
		json_int(json, "quantity", score->quantity[item]);
		json_int(json, "points", score->item_points[item]);
		json_object_end(json);
	}
	json_object_end(json);
}

static void
put_rules(struct json *json, const struct event *event)
{
	json_object_begin(json, "rules");
	for (int i = 0; i < scopa_param_count; i++) {
		struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

		scopa_param_format(&scopa_params[i], &event->rules, &text);
		json_string(json, scopa_params[i].key, text.bytes);
	}
	json_object_end(json);
}

static void
put_deal(struct json *json, const struct event *event)
{
	put_fields(json, event);
	json_team_points(
	    json, "scores", event->deal.scores, event->deal.team_count);
}

static void
put_abort(struct json *json, const struct event *event)
{
	json_string(json, "what", event->abort.match ? "match" : "deal");
	json_string(json, "reason", event->abort.reason);
}

/*
 * Functions that print the members of a record line besides its name; NULL: all
 * its members are numbers and texts.
 */
static void (*const put_event[EVENT_KIND_COUNT])(
    struct json *json, const struct event *event) = {
	[EVENT_MATCH] = put_match,
	[EVENT_TAG] = put_tag,
	[EVENT_RULES] = put_rules,
	[EVENT_PACK] = put_pack,
	[EVENT_DEAL] = put_deal,
	[EVENT_TABLE] = put_cards,
	[EVENT_GIVE] = put_cards,
	[EVENT_SWEEP] = put_cards,
	[EVENT_SHOW] = put_cards,
	[EVENT_REST] = put_cards,
	[EVENT_DECLARE] = put_play,
	[EVENT_PLAY] = put_play,
	[EVENT_SCORE] = put_score,
	[EVENT_ABORT] = put_abort,
	[EVENT_ENDMATCH] = put_end,
};

/* Prints each line of a good record but `sum` as an object and a newline. */
static void
export_events(const struct game_record *record)
{
	char id[EVENT_ID_SIZE] = "";
	struct event event;

	for (size_t i = 0; record_event_next(record, &i, &event);) {
		struct json json;

		if (event.kind == EVENT_SUM)
			continue;
		json_document_begin(&json, stdout);
		json_string(&json, "event", event_name(event.kind));
		if (event.kind == EVENT_MATCH)
			memcpy(id, event.match.id, sizeof(id));
		json_string(&json, "match", id);
		if (put_event[event.kind] != NULL)
			put_event[event.kind](&json, &event);
		else
			put_fields(&json, &event);
		json_document_end(&json);
	}
}

/*
 * CSV.
 */

enum { NAMES_SIZE = SCOPA_SEATS_MAX * (EVENT_NAME_SIZE + 1) };

struct export_settings {
	bool jsonl;
	bool csv;
	bool events;
	const char *match;
};

struct export
{
	const struct export_settings *settings;
	bool headed; /* the row with the names of columns was printed */
};

#define FIELD(name) offsetof(struct export_settings, name)

static const struct option options[] = {
	FLAG_OPTION("jsonl", FIELD(jsonl), "JSON Lines: an object a match."),
	FLAG_OPTION("csv", FIELD(csv), "CSV: a row for each deal and team."),
	FLAG_OPTION(
	    "events", FIELD(events), "With --jsonl: an object an event."),
	RECORD_MATCH_OPTION(struct export_settings),
	OPTIONS_END,
};

static void
put_header(void)
{
	fputs("match,rules,deal,dealer,first,team,names,points,total", stdout);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
		const char *name = scopa_item_name((enum scopa_item)item);

		printf(",%s,%s-points", name, name);
	}
	puts(",utc,event,round,game,seats,file,block");
}

/* Prints the row of a deal and a team. */
static void
put_row(const struct record_visit *visit, const struct sums *sums,
    const struct event_score *score)
{
	static const char *const keys[] = { "utc", "event", "round", "game" };
	const struct event_match *match = &sums->last[EVENT_MATCH].match;
	const struct event_deal *deal = &sums->last[EVENT_DEAL].deal;
	/* The names and seats of the team, joined by + */
	struct scopa_text names = SCOPA_TEXT(NAMES_SIZE);
	struct scopa_text seats = SCOPA_TEXT(2 * SCOPA_SEATS_MAX + 1);
	char text[EVENT_TEXT_SIZE];
	struct words tag;

	for (int i = 0; i < match->seats; i++) {
		const struct event_seat *seat = &sums->seats[i].seat;
		const char *between = seats.length > 0 ? "+" : "";

		if (seat->team != score->team)
			continue;
		scopa_text_print(&names, "%s%s", between, seat->name);
		scopa_text_print(&seats, "%s%d", between, i + 1);
	}
	csv_field_put(stdout, match->id);
	putchar(',');
	csv_field_put(stdout, match->rules);
	printf(",%d,%d,%d,%c,", deal->number, deal->dealer + 1, deal->first + 1,
	    'A' + score->team);
	csv_field_put(stdout, names.bytes);
	printf(",%d,%" PRId32, score->points, score->total);
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (score->items >> item & 1)
			printf(",%d,%d", score->quantity[item],
			    score->item_points[item]);
		else
			printf(",,");
	/* Words of the tag; a column is empty if its word is missing. */
	words_split_pairs(sums->last[EVENT_TAG].text, &tag);
	for (int i = 0; i < COUNTOF(keys); i++) {
		struct word word = words_find(&tag, keys[i]);

		word_copy(word.bytes ? word : word_of(""), text, sizeof(text));
		putchar(',');
		csv_field_put(stdout, text);
	}
	/*
	 * The number of the record in its file, since several games may have
	 * the same name.
	 */
	printf(",%s,", seats.bytes);
	csv_field_put(stdout, visit->file);
	printf(",%jd\n", visit->number);
}

static void
export_csv(const struct record_visit *visit)
{
	struct sums sums = { .items = 0 };
	struct event event;

	for (size_t i = 0; record_event_next(visit->record, &i, &event);) {
		add_event(&sums, &event);
		if (event.kind == EVENT_SCORE)
			put_row(visit, &sums, &event.score);
	}
}

static int
export_block(void *context, const struct record_visit *visit)
{
	struct export *export = context;

	if (export->settings->csv) {
		if (!export->headed)
			put_header();
		export->headed = true;
		export_csv(visit);
	} else if (export->settings->events) {
		export_events(visit->record);
	} else {
		export_match(visit->record);
	}
	return 0;
}

static enum status
export_run(const void *given, char **argv)
{
	const struct export_settings *settings = given;
	struct export export = { .settings = settings };
	const char *wrong = NULL;

	if (settings->jsonl == settings->csv)
		wrong = settings->csv ? "--jsonl and --csv exclude each other"
				      : "one of --jsonl and --csv is needed";
	else if (settings->events && !settings->jsonl)
		wrong = "--events goes with --jsonl only";
	if (wrong == NULL)
		return record_walk_good(
		    export_block, &export, settings->match, argv);
	return error_status(STATUS_USAGE, NULL,
	    VERSION_NAME " record export --jsonl games.scopa", "%s", wrong);
}

const struct command command_record_export = {
	.name = "record export",
	.sentence = "Writes games as JSON Lines or CSV.",
	.detail = "Records that do not verify are named and left out, and the "
		  "exit status is then 1. Columns of items that the rules do "
		  "not count are empty; + joins the names of partners. In CSV "
		  "an apostrophe precedes a name that a spreadsheet would read "
		  "as a formula (= + - @).",
	.usage = "--jsonl [--events] | --csv [FILE...]",
	.arguments = { RECORD_FILES_ARGUMENT },
	.argument_max = COMMAND_ANY_COUNT,
	.examples = { "record export --jsonl games.scopa > games.jsonl",
	    "record export --csv games.scopa > deals.csv" },
	.options = options,
	.settings_size = sizeof(struct export_settings),
	.run = export_run,
};
