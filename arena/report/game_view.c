/*
 * Implements game_view.h.
 *
 * The record is replayed, and each decision becomes a step of the document.
 * The document is made in memory because a record may be replayed twice: then
 * the document is made again from the start.
 */
#include "game_view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "fault_text.h"
#include "json.h"
#include "replay.h"
#include "summary.h"
#include "text_format.h"

enum { DIGITS = 3 };

/* The last line of a kind.  A step has only the words that differ from it. */
struct last_line {
	char bytes[EVENT_LINE_SIZE];
};

struct game_view {
	const struct game_view_source *source;
	struct summary summary;
	struct game_record record;
	struct replay *replay;
	struct record output; /* what the replay writes */

	/* The document. */
	struct json json;
	FILE *file;
	char *bytes; /* owned */
	size_t size;

	int64_t line; /* number of the line of the last decision, or 0 */
	int deal;     /* number of the deal that is being written, or 0 */
	/* The position of the last step, and the move that follows it. */
	struct scopa_deal position;
	struct scopa_tally tally;
	struct scopa_move move;
	bool moved; /* false: an offence follows it */
	struct last_line state, hands, scores[SCOPA_TEAMS_MAX];
};

/* Reads the record into the record.  Returns 0, -EBADMSG or another -errno. */
static int
read_record(const struct game_view_source *source, struct game_record *record)
{
	struct record_reader *reader = malloc(sizeof(*reader));
	int status;

	if (!reader)
		return -ENOMEM;
	record_reader_init_bytes(reader, source->record, source->size);
	status = record_read(reader, record);
	free(reader);
	if (status < 0)
		return status;
	return status == 0 || record->outside ? -EBADMSG : 0;
}

/* Returns whether a page can hold the record byte for byte. */
static bool
is_exact(const struct game_view_source *source)
{
	for (size_t i = 0; i < source->size; i++) {
		char byte = source->record[i];

		if (byte != '\n' && byte != '\t' &&
		    (byte < 0x20 || byte > 0x7e))
			return false;
	}
	return true;
}

/* Appends a word.  Of the plays, appends only the new ones. */
static void
put_change(struct scopa_text *text, struct word word, const struct word *last)
{
	bool grows = last && last->length < word.length &&
	    word_is_pair(word, "plays", &(struct word){ NULL, 0 }) &&
	    memcmp(last->bytes, word.bytes, last->length) == 0;

	if (text->length > 0)
		scopa_text_char(text, ' ');
	if (grows) {
		scopa_text_string(text, "plays+=");
		word.bytes += last->length;
		word.length -= last->length;
	}
	scopa_text_bytes(text, word.bytes, word.length);
}

/* Writes the words of a line that differ from the last line of its kind. */
static void
put_changes(struct json *json, const char *key, struct last_line *last,
    const struct scopa_text *line)
{
	struct scopa_text changes = SCOPA_TEXT(EVENT_LINE_SIZE);
	struct words words, before;

	words_split(line->bytes, line->length, &words);
	words_split(last->bytes, strlen(last->bytes), &before);
	for (int i = 1; i < words.count; i++) {
		const struct word *old =
		    i < before.count ? &before.word[i] : NULL;

		if (!old || !word_equal(words.word[i], *old))
			put_change(&changes, words.word[i], old);
	}
	memcpy(last->bytes, line->bytes, line->length + 1);
	json_string(json, key, changes.bytes);
}

/* Writes the points as if the deal had ended in this position. */
static void
put_scores(struct game_view *view, const struct scopa_rules *rules)
{
	struct scopa_score score;

	scopa_score_count(rules, &view->position, &score);
	json_array_begin(&view->json, "score");
	for (int team = 0; team < scopa_team_count(rules); team++) {
		struct event event = { .kind = EVENT_SCORE };
		struct scopa_text line = SCOPA_TEXT(EVENT_LINE_SIZE);

		event.score = (struct event_score){
			.team = team,
			.points = score.total[team],
			.total = view->tally.scores[team] + score.total[team],
		};
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			if (!scopa_item_counts(rules, (enum scopa_item)item))
				continue;
			event.score.items |= UINT32_C(1) << item;
			event.score.quantity[item] = score.quantity[team][item];
			event.score.item_points[item] =
			    score.points[team][item];
		}
		event_format(&event, &line);
		put_changes(&view->json, NULL, &view->scores[team], &line);
	}
	json_array_end(&view->json);
}

/* Writes the position of a step. */
static void
put_position(struct game_view *view, const struct record_head *head)
{
	const struct scopa_rules *rules = &head->rules;
	const struct scopa_deal *deal = &view->position;
	char bytes[EVENT_LINE_SIZE];
	struct scopa_view seen;
	struct scopa_text text;

	scopa_view_make(rules, deal, &view->tally,
	    scopa_deal_over(deal) ? 0 : deal->turn, &seen);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_state_format(rules, head->preset, &seen, &text);
	put_changes(&view->json, "state", &view->state, &text);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, "hands");
	for (int seat = 0; seat < rules->players; seat++) {
		scopa_text_print(&text, " %d=", seat + 1);
		scopa_set_format(deal->hands[seat], &text);
	}
	put_changes(&view->json, "hands", &view->hands, &text);
	put_scores(view, rules);
}

/* Ends a deal.  Its last step is the position after the last move. */
static void
end_deal(struct game_view *view)
{
	const struct record_head *head = replay_head(view->replay);

	if (view->deal == 0)
		return;
	if (view->moved) {
		scopa_deal_apply(&head->rules, &view->position, &view->move);
		json_object_begin(&view->json, NULL);
		put_position(view, head);
		json_object_end(&view->json);
	}
	json_array_end(&view->json);
	json_object_end(&view->json);
	view->deal = 0;
}

static void
begin_deal(struct game_view *view, int number)
{
	view->deal = number;
	view->state.bytes[0] = view->hands.bytes[0] = '\0';
	for (int team = 0; team < SCOPA_TEAMS_MAX; team++)
		view->scores[team].bytes[0] = '\0';
	json_object_begin(&view->json, NULL);
	json_int(&view->json, "number", number);
	json_array_begin(&view->json, "steps");
}

/* Writes what `analyse` says of the move, if it was judged. */
static void
put_loss(struct game_view *view, int play)
{
	struct json *json = &view->json;
	struct play_loss loss;

	if (!view->source->losses ||
	    !play_losses_find(view->source->losses, view->summary.game + 1,
		view->deal, play, move_text(&view->move), &loss) ||
	    !loss.judged)
		return;
	json_object_begin(json, "loss");
	json_real(json, "value", loss.value, DIGITS);
	json_real(json, "loss", loss.loss, DIGITS);
	json_string(json, "mark", loss_mark_text(loss.loss));
	json_string(json, "best", loss.best);
	if (loss.exact) {
		json_int(json, "exact_value", loss.exact_value);
		json_int(json, "exact_loss", loss.exact_loss);
		json_string(json, "exact_best", loss.exact_best);
	}
	json_object_end(json);
}

/* Begins the document, and drops what was written.  Returns 0 or -ENOMEM. */
static int
begin_document(struct game_view *view)
{
	struct json *json = &view->json;
	struct event event;

	if (view->file)
		fclose(view->file);
	free(view->bytes);
	view->bytes = NULL;
	view->deal = 0;
	view->file = memory_file_open(&view->bytes, &view->size);
	if (!view->file)
		return -ENOMEM;
	json_document_begin(json, view->file);
	json_string(json, "match",
	    view->record.line_count > 0 &&
		    record_line_event(
			&view->record, &view->record.lines[0], &event, NULL)
		? event.match.id
		: "?");
	json_bool(json, "exact", is_exact(view->source));
	json_array_begin(json, "deals");
	return 0;
}

static void
hear_decision(void *context, const struct replay_decision *decision)
{
	struct game_view *view = context;
	const struct game *game = decision->game;
	struct json *json = &view->json;
	int number = game->tally.deal_count + 1;
	int play = game->deal.play_count + 1;

	/* The line is not after the last one: the second replay began. */
	if (decision->line <= view->line && begin_document(view) < 0)
		return;
	view->line = decision->line;
	/* A bot did not get ready: there is no position. */
	if (game->phase != GAME_MOVE)
		return;
	if (number != view->deal) {
		end_deal(view);
		begin_deal(view, number);
	}
	view->position = game->deal;
	view->tally = game->tally;
	view->moved = decision->move != NULL;
	json_object_begin(json, NULL);
	json_int(json, "play", play);
	json_int(json, "line", decision->line);
	json_int(
	    json, "legal", scopa_moves(&game->rules, &game->deal, NULL, 0));
	put_position(view, replay_head(view->replay));
	if (view->moved) {
		view->move = *decision->move;
		put_loss(view, play);
	}
	json_object_end(json);
}

/* Writes the steps of the record.  Returns 0 or -errno. */
static int
put_steps(struct game_view *view)
{
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.hear = hear_decision,
		.context = view,
		.offences = true,
	};
	struct record_fault fault = view->record.fault;
	int error = fault.line > 0 ? -EBADMSG
				   : replay_run(view->replay, &view->record,
					 &order, &view->output, &fault);

	if (!view->file || (error && error != -EBADMSG && error != -EFBIG))
		return view->file ? error : -ENOMEM;
	end_deal(view);
	json_array_end(&view->json);
	if (error) {
		json_object_begin(&view->json, "fault");
		json_int(&view->json, "line", fault.line);
		json_string(&view->json, "text", fault.text);
		json_object_end(&view->json);
	}
	json_document_end(&view->json);
	return fflush(view->file) == EOF || ferror(view->file) ? -ENOMEM : 0;
}

static void
view_close(struct game_view *view)
{
	if (!view)
		return;
	if (view->file)
		fclose(view->file);
	free(view->bytes);
	replay_close(view->replay);
	record_release(&view->output);
	game_record_release(&view->record);
	free(view);
}

/*
 * Reads the record and makes its document.  Returns 0 or -errno.  After 0 the
 * caller calls view_close().
 */
static int
view_open(struct game_view **opened, const struct game_view_source *source)
{
	struct game_view *view = calloc(1, sizeof(*view));
	int error = view ? 0 : -ENOMEM;

	if (!error) {
		view->source = source;
		game_record_init(&view->record);
		record_init(&view->output);
		error = read_record(source, &view->record);
	}
	if (!error)
		error = replay_open(&view->replay);
	if (!error &&
	    summary_read(&view->summary, source->record, source->size) < 0)
		view->summary = (struct summary){
			.game = -1,
			.offender = -1,
			.winner = SCOPA_TEAM_NONE,
		};
	if (!error)
		error = begin_document(view);
	if (!error)
		error = put_steps(view);
	if (error)
		view_close(view);
	else
		*opened = view;
	return error;
}

/* Appends the letter of a team and its bots: `A luca, anna`.  Returns it. */
static const char *
team_names(const struct game_view *view, int team, struct scopa_text *text)
{
	const struct summary *summary = &view->summary;
	int count = 0;

	scopa_text_print(text, "%c ", 'A' + team);
	for (int seat = 0; seat < summary->seat_count; seat++)
		if (summary->team[seat] == team)
			scopa_text_print(text, "%s%s", count++ > 0 ? ", " : "",
			    summary->names[seat]);
	return text->bytes;
}

enum { TEAM_SIZE = SCOPA_SEATS_MAX * (EVENT_NAME_SIZE + 2) };

/* Writes the result in one or two sentences. */
static void
put_result(const struct game_view *view, struct html *html)
{
	const struct summary *summary = &view->summary;
	char names[TEAM_SIZE];
	struct scopa_text text;

	html_begin(html, "p");
	scopa_text_init(&text, names, sizeof(names));
	if (summary->winner != SCOPA_TEAM_NONE)
		html_text(html, "Won by %s (%s). ",
		    team_names(view, summary->winner, &text), summary->reason);
	else
		html_text(html, "No winner (%s). ", summary->reason);
	if (summary->offender >= 0)
		html_text(html, "Lost by an offence of seat %d, %s: %s. ",
		    summary->offender + 1, summary->names[summary->offender],
		    fault_text_reason(offence_name(summary->offence),
			summary->offence_reason,
			replay_head(view->replay)->game.match.tc));
	html_text(
	    html, "Rules: %s.", replay_head(view->replay)->game.match.rules);
	html_end(html, "p");
}

/* Appends what a team got its points of a deal for. */
static void
put_items(struct html *html, const struct event_score *score)
{
	int count = 0;

	html_begin(html, "td.words");
	for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
		if (score->items >> item & 1 && score->item_points[item] != 0)
			html_text(html, "%s%s %d", count++ > 0 ? ", " : "",
			    scopa_item_name((enum scopa_item)item),
			    score->item_points[item]);
	html_end(html, "td");
}

/* Writes a table of the points of each deal. */
static void
put_deals(const struct game_view *view, struct html *html)
{
	const struct game_record *record = &view->record;
	struct event event;
	int number = 0;

	html_table_begin(
	    html, "Points of each deal", "deal|^team|points|total|^for", false);
	for (size_t i = 0; record_event_next(record, &i, &event);) {
		struct scopa_text text = SCOPA_TEXT(TEAM_SIZE);

		if (event.kind == EVENT_DEAL)
			number = event.deal.number;
		if (event.kind != EVENT_SCORE)
			continue;
		html_table_row(html);
		html_put(html, "td", "%d", number);
		html_put(html, "td.text", "%s",
		    team_names(view, event.score.team, &text));
		html_put(html, "td", "%d", event.score.points);
		html_put(html, "td", "%" PRId32, event.score.total);
		put_items(html, &event.score);
	}
	html_table_end(html);
}

/* Writes the section of a game. */
static void
put_section(const struct game_view *view, struct html *html)
{
	const struct game_view_source *source = view->source;
	const struct summary *summary = &view->summary;
	const struct record_head *head = replay_head(view->replay);
	const char *match = head->game.match.id;
	char id[EVENT_ID_SIZE + 8];

	html_begin(html, "section.game");
	html_attribute(html, "id", "%s", match);
	html_begin(html, "details");
	html_begin(html, "summary");
	html_begin(html, "span.game-title");
	html_text(html, "%s: ", match);
	for (int team = 0; team < summary->team_count; team++) {
		struct scopa_text text = SCOPA_TEXT(TEAM_SIZE);

		html_text(html, "%s%s %" PRId32, team > 0 ? " - " : "",
		    team_names(view, team, &text), summary->scores[team]);
	}
	html_end(html, "span");
	if (source->why) {
		html_text(html, " ");
		html_put(html, "span.note", "%s", source->why);
	}
	html_end(html, "summary");
	put_result(view, html);
	put_deals(view, html);
	html_begin(html, "pre.record");
	html_attribute(html, "tabindex", "0");
	html_attribute(html, "role", "region");
	html_attribute(html, "aria-label", "Record of %s", match);
	html_lines(html, source->record, source->size);
	html_end(html, "pre");
	html_end(html, "details");
	snprintf(id, sizeof(id), "%s-data", match);
	html_json(html, id, view->bytes, view->size);
	html_end(html, "section");
}

int
game_view_html(const struct game_view_source *source, struct html *html)
{
	struct game_view *view;
	int error = view_open(&view, source);

	if (error)
		return error;
	put_section(view, html);
	view_close(view);
	return 0;
}
