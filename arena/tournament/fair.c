/*
 * Implements fair.h. The checks go from the terms and the commitment over each
 * game to the chain of results, and stop at the first difference.
 */
#include "fair.h"

#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rebuild.h"
#include "run.h"
#include "version.h"

enum { TOOL_SIZE = 64, NOTE_SIZE = TOOL_SIZE + 80 };

struct fair {
	const struct fair_order *order;
	struct fair_report *report;
	struct store_error *error; /* set if the run cannot be read */
	struct store *store;
	struct store_head head;
	struct shuffle_key root_key;
	struct reread reread;
	struct tournament tournament;
	unsigned char chain[STORE_DIGEST_SIZE];
	struct event event;   /* the current line of the record */
	bool seeds_by_game;   /* a game had seeds by the rule of this version */
	char tool[TOOL_SIZE]; /* the program that played the last game */
	int status;           /* -errno: the run cannot be read; or 0 */
};

/* Writes the difference.  Returns false, which the caller returns, too. */
__attribute__((format(printf, 4, 5))) static bool
fair_differs(
    struct fair *fair, const char *file, int64_t line, const char *format, ...)
{
	struct fair_report *report = fair->report;
	va_list arguments;

	report->file = file;
	report->line = line;
	va_start(arguments, format);
	vsnprintf(report->text, sizeof(report->text), format, arguments);
	va_end(arguments);
	return false;
}

/*
 * What a run must publish before its first deal.
 */

enum { QUOTE_MAX = 120 };

static int
quoted_length(const char *line)
{
	size_t length = strcspn(line, "\n");

	return length < QUOTE_MAX ? (int)length : QUOTE_MAX;
}

/* The number of the line that begins like this, or 0. */
static int64_t
line_find(const char *text, const char *begin)
{
	int64_t number = 1;

	while (*text != '\0' && strncmp(text, begin, strlen(begin)) != 0) {
		text += strcspn(text, "\n");
		text += *text == '\n';
		number++;
	}
	return *text != '\0' ? number : 0;
}

/* The commitment is to this secret. */
static bool
check_commitment(
    struct fair *fair, const char *config, const struct shuffle_key *terms)
{
	const struct store_head *head = &fair->head;
	struct shuffle_key commitment;
	int64_t line = line_find(config, CONFIG_SEED);
	char hex[SHUFFLE_HEX_SIZE];

	if (!head->committed)
		return true;
	shuffle_commit(fair->order->secret, terms, &commitment);
	shuffle_key_format(&commitment, hex);
	if (strcmp(hex, head->commitment) != 0)
		return fair_differs(fair, line > 0 ? RUN_CONFIG : RUN_SECRET,
		    line,
		    "the seed is not the one that was committed to: %s is "
		    "the commitment, and this one makes %s",
		    head->commitment, hex);
	shuffle_key_format(fair->order->secret, hex);
	if (head->secret[0] != '\0' && strcmp(hex, head->secret) != 0)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "the secret that was shown is not the one that was "
		    "committed to");
	return true;
}

/* The terms are those `expected`, and what they say was committed to. */
static bool
check_texts(struct fair *fair, const char *config, const char *terms,
    const char *expected)
{
	const char *given = fair->head.contributions, *at = terms;
	char *found = fair->report->contributions, hex[SHUFFLE_HEX_SIZE];
	struct shuffle_key digest;
	/* Line by line, so that the message names the line that was changed. */
	int64_t number = terms_diff(&at, &expected);

	if (number != 0)
		return fair_differs(fair, RUN_TERMS, number,
		    "\"%.*s\", but configuration and results have \"%.*s\"",
		    quoted_length(at), at, quoted_length(expected), expected);
	terms_digest(terms, &digest);
	shuffle_key_format(&digest, hex);
	if (strcmp(hex, fair->head.terms) != 0)
		return fair_differs(fair, RUN_TERMS, 0,
		    "its SHA-256 is %s, and that of the terms was %s", hex,
		    fair->head.terms);
	if (!check_commitment(fair, config, &digest))
		return false;
	contributions_write(fair->order->contributions, found);
	if (strcmp(found, given) == 0)
		return true;
	return fair_differs(fair, RUN_CONFIG,
	    line_find(config, CONFIG_CONTRIBUTION),
	    "the contributions are \"%.*s\", and the results are of \"%.*s\"",
	    quoted_length(found), found, quoted_length(given), given);
}

/* A file of the run; one that is gone is a difference. */
static char *
read_text(struct fair *fair, const char *name)
{
	char *text;
	int error = run_text_read(fair->order->path, name, &text);

	if (!error)
		return text;
	if (error == -ENOENT || error == -EBADMSG)
		fair_differs(fair, name, 0,
		    error == -ENOENT ? "the file is gone"
				     : "this is no text of a run");
	else
		fair->status = error;
	return NULL;
}

/* Terms, commitment and contributions; false with the difference or status. */
static bool
check_terms(struct fair *fair)
{
	char *config = read_text(fair, RUN_CONFIG);
	char *terms = config != NULL ? read_text(fair, RUN_TERMS) : NULL;
	char *expected = terms != NULL ? terms_make(config, &fair->head) : NULL;
	bool good =
	    expected != NULL && check_texts(fair, config, terms, expected);

	if (terms != NULL && expected == NULL)
		fair->status = -ENOMEM;
	free(config);
	free(terms);
	free(expected);
	return good;
}

/*
 * One game: what its record says of where its packs are from, and what the
 * results say of it.
 */

/* A word of the tag must be this one. */
static bool
check_word(const struct words *tag, const char *key, const char *expected,
    int64_t line, struct record_fault *fault)
{
	struct word word = words_find(tag, key);

	if (word.bytes != NULL && word_is(word, expected))
		return true;
	record_fault_set(fault, line, "%s=%.*s, but %s=%s is expected", key,
	    word.bytes != NULL && word.length < 80 ? (int)word.length : 0,
	    word.bytes != NULL ? word.bytes : "", key, expected);
	return false;
}

/* A game: its plan and number, the name of its round, its lines. */
struct fair_game {
	struct fair *fair;
	int64_t number; /* from 0 */
	int at;         /* index in its block */
	char event[SHUFFLE_EVENT_MAX + 1];
	bool tagged;
	struct record_fault *fault;
};

static bool
check_tag(struct fair_game *game, const struct game_record *record,
    const struct record_line *line)
{
	struct fair *fair = game->fair;
	char key[SHUFFLE_HEX_SIZE];
	struct words tag;
	struct word tool;

	game->tagged = true;
	words_split(record_line_bytes(record, line), line->length, &tag);
	tool = words_find(&tag, "tool");
	if (tool.bytes != NULL)
		word_copy(tool, fair->tool, sizeof(fair->tool));
	if (!check_word(&tag, "event", game->event, line->number, game->fault))
		return false;
	if (fair->order->packs_given)
		return true;
	shuffle_key_format(&fair->root_key, key);
	return fair->head.committed
	    ? check_word(&tag, "commit", fair->head.commitment, line->number,
		  game->fault)
	    : check_word(&tag, "secret", key, line->number, game->fault);
}

/*
 * The first seat whose seed does not follow from the root key and a number; or -1.
 */
static int
seeds_difference(const struct fair_game *game, int64_t number)
{
	const struct fair *fair = game->fair;
	const struct event_match *match = &fair->event.match;
	int seats = fair->order->tournament->schedule.rules.players;

	for (int seat = 0; seat < seats; seat++)
		if (!match->has_seeds ||
		    match->seeds[seat] !=
			shuffle_seat_seed(&fair->root_key, game->event,
			    (uint64_t)number, seat))
			return seat;
	return -1;
}

/*
 * The seeds of the bots come from the root key, too, by the number of the game; in
 * earlier versions by its number in the block.  A run may have been begun by
 * one of these and ended by this one, but not the other way round.
 */
static bool
check_match(struct fair_game *game, int64_t line)
{
	struct fair *fair = game->fair;
	const struct event_match *match = &fair->event.match;
	int seat = seeds_difference(game, game->number + 1);
	bool earlier = seeds_difference(game, game->at + 1) < 0;
	char id[32];

	snprintf(id, sizeof(id), "m%jd", game->number + 1);
	if (strcmp(match->id, id) != 0) {
		record_fault_set(game->fault, line,
		    "match %s, but match %s is expected", match->id, id);
		return false;
	}
	if (fair->order->packs_given)
		return true;
	if (seat < 0) {
		fair->seeds_by_game = fair->seeds_by_game || !earlier;
		return true;
	}
	if (earlier && !fair->seeds_by_game) {
		fair->report->earlier_seeds++;
		return true;
	}
	record_fault_set(game->fault, line,
	    "seeds= has another seed for seat %d than the secret gives",
	    seat + 1);
	return false;
}

static bool
check_pack(struct fair_game *game, int64_t line)
{
	struct fair *fair = game->fair;
	const struct event_pack *pack = &fair->event.pack;
	struct shuffle_key key;

	fair->report->packs++;
	shuffle_deal_key(&fair->root_key, game->event, (uint64_t)pack->number,
	    (uint64_t)pack->redeal, &key);
	if (fair->order->packs_given ||
	    (pack->has_key &&
		memcmp(key.bytes, pack->key, sizeof(key.bytes)) == 0))
		return true;
	record_fault_set(game->fault, line,
	    "this pack is not the one that the secret gives for event %s, "
	    "deal %d, redeal %d",
	    game->event, pack->number, pack->redeal);
	return false;
}

/* The packs and seeds of game `at` of a block must be those of its key. */
static bool
check_game(void *context, const struct block_plan *plan, int at,
    const struct game_record *record, struct record_fault *fault)
{
	struct fair_game game = {
		.fair = context,
		.number = plan->index * plan->game_count + at,
		.at = at,
		.fault = fault,
	};
	struct event *event = &game.fair->event;
	bool good = true;

	snprintf(game.event, sizeof(game.event), "round-%d", plan->round + 1);
	for (size_t i = 0; good && i < record->line_count; i++) {
		const struct record_line *line = &record->lines[i];

		if (!record_line_event(record, line, event, NULL))
			continue;
		if (event->kind == EVENT_MATCH)
			good = check_match(&game, line->number);
		else if (event->kind == EVENT_TAG)
			good = check_tag(&game, record, line);
		else if (event->kind == EVENT_PACK)
			good = check_pack(&game, line->number);
	}
	if (good && !game.tagged)
		record_fault_set(
		    fault, record->first_line, "this game has no `tag` line");
	return good && game.tagged;
}

/* A walk over the blocks returns this at the first difference. */
enum { DIFFERENT = 1 };

/* The records could not be read on: by their own fault, or the machine's. */
static bool
blame_records(struct fair *fair, int status)
{
	const struct record_fault *fault = &fair->reread.fault;

	if (status == -EBADMSG)
		return fair_differs(
		    fair, RUN_RECORDS, fault->line, "%s", fault->text);
	if (status == -ENOENT)
		return fair_differs(fair, RUN_RECORDS, 0, "the file is gone");
	fair->status = status;
	return false;
}

/* The results could not be read on: by their own fault, or the machine's. */
static bool
blame_results(struct fair *fair, int status)
{
	if (status == -EBADMSG || status == -ENOENT)
		return fair_differs(
		    fair, RUN_RESULTS, 0, "%s", fair->error->what);
	fair->status = status;
	return false;
}

/*
 * Says, for a difference about the end of a run, whether another version of the
 * program has ended it: its tests may stop at another block.
 */
static const char *
note_of_version(const struct fair *fair, char note[NOTE_SIZE])
{
	note[0] = '\0';
	if (fair->tool[0] != '\0' &&
	    strcmp(fair->tool, VERSION_NAME "/" VERSION_NUMBER) != 0)
		snprintf(note, NOTE_SIZE,
		    " (by the rules of this version; it was played by %s)",
		    fair->tool);
	return note;
}

/* The next block of the schedule must be this one. */
static bool
check_plan(struct fair *fair, const struct block_result *row, int64_t number)
{
	struct block_plan plan;
	char note[NOTE_SIZE];

	if (tournament_find_end(&fair->tournament, fair->order->gate) !=
	    TOURNAMENT_GOES_ON)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %jd was played after the end of the run%s", number,
		    note_of_version(fair, note));
	if (tournament_next(&fair->tournament, &plan) != SCHEDULE_BLOCK)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %jd is not in the schedule, which ends before it",
		    number);
	if (memcmp(&plan, &row->plan, sizeof(plan)) != 0)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %jd is not the block of the schedule", number);
	if (tournament_skips(&fair->tournament, &plan) != row->skipped)
		return fair_differs(fair, RUN_RESULTS, 0,
		    "block %jd is %s, against the rule who is suspended",
		    number, row->skipped ? "skipped" : "not skipped");
	return true;
}

/* What the record of a block says must be in its rows. */
static bool
check_results(struct fair *fair, const struct block_result *row, int64_t number)
{
	const struct block_place *place = &row->place;
	struct block_result block;
	const struct block_place *found = &block.place;
	int status =
	    reread_block(&fair->reread, &row->plan, &block, fair->error);

	if (status == 0)
		return fair_differs(fair, RUN_RECORDS, 0,
		    "the record of block %jd is missing", number);
	if (status < 0)
		return blame_records(fair, status);
	for (int i = 0; i < row->plan.game_count; i++) {
		const char *column =
		    store_game_difference(&row->games[i], &block.games[i]);

		fair->report->games++;
		if (column != NULL)
			return fair_differs(fair, RUN_RESULTS, 0,
			    "block %jd, match m%jd: `%s` differs from the "
			    "record",
			    number, row->games[i].game + 1, column);
	}
	if (found->offset == place->offset && found->size == place->size &&
	    memcmp(found->digest, place->digest, sizeof(found->digest)) == 0)
		return true;
	return fair_differs(fair, RUN_RESULTS, 0,
	    "block %jd: its record was another one, or stood elsewhere",
	    number);
}

static int
check_block(void *context, const struct block_result *row)
{
	struct fair *fair = context;
	int64_t number = row->plan.index + 1;

	if (!check_plan(fair, row, number) ||
	    (!row->skipped && !check_results(fair, row, number)))
		return DIFFERENT;
	store_chain_add(fair->chain, row);
	if (memcmp(fair->chain, row->place.chain, sizeof(fair->chain)) != 0) {
		fair_differs(fair, RUN_RESULTS, 0,
		    "block %jd: the chain of results breaks here", number);
		return DIFFERENT;
	}
	fair->status = tournament_add(&fair->tournament, row);
	if (fair->status)
		return DIFFERENT;
	fair->report->blocks++;
	return 0;
}

/* A run that is over has come to the end that its terms say. */
static bool
check_end(struct fair *fair)
{
	const struct reread *reread = &fair->reread;
	struct block_plan plan;
	char note[NOTE_SIZE];

	if (reread->status)
		return blame_records(fair, reread->status);
	if (!fair->report->over)
		return true;
	if (reread->more)
		return fair_differs(fair, RUN_RECORDS,
		    reread->record.first_line,
		    "the results know nothing of this game");
	if (reread->end != reread->size)
		return fair_differs(fair, RUN_RECORDS, 0,
		    "there are %jd bytes after the last game",
		    reread->size - reread->end);
	if (tournament_find_end(&fair->tournament, fair->order->gate) !=
		TOURNAMENT_GOES_ON ||
	    tournament_next(&fair->tournament, &plan) != SCHEDULE_BLOCK)
		return true;
	return fair_differs(fair, RUN_RESULTS, 0,
	    "block %jd is missing: the schedule has it, and the run is over%s",
	    fair->report->blocks + 1, note_of_version(fair, note));
}

static bool
check_blocks(struct fair *fair)
{
	int status = reread_open(&fair->reread, fair->order->path, RUN_RECORDS,
	    &fair->head, fair->error);
	bool good;

	if (status)
		return blame_records(fair, status);
	fair->reread.look = check_game;
	fair->reread.context = fair;
	fair->status =
	    tournament_open(&fair->tournament, fair->order->tournament);
	good = fair->status == 0;
	if (good) {
		status = store_walk_from(
		    fair->store, 0, check_block, fair, fair->error);
		good = status == 0 && check_end(fair);
		if (status < 0)
			blame_results(fair, status);
		tournament_close(&fair->tournament);
	}
	reread_close(&fair->reread);
	return good;
}

static bool
check_all(struct fair *fair)
{
	struct fair_report *report = fair->report;
	const struct store_head *head = &fair->head;
	char path[PATH_MAX], state[STORE_STATE_SIZE] = "";
	int status;

	run_path_join(path, fair->order->path, RUN_RESULTS);
	status =
	    store_open(&fair->store, path, false, &fair->head, fair->error);
	if (status)
		return blame_results(fair, status);
	status = store_state(fair->store, state, sizeof(state));
	if (status == -ENOMEM)
		return blame_results(fair, status);
	report->over = status == 0 &&
	    (strcmp(state, RUN_DONE) == 0 || strcmp(state, RUN_STOPPED) == 0);
	report->committed = head->committed;
	strcpy(report->commitment, head->commitment);
	strcpy(report->terms, head->terms);
	if (!fair->order->packs_given &&
	    (!report->committed || head->secret[0] != '\0'))
		shuffle_key_format(fair->order->secret, report->secret);
	contributions_mix(
	    fair->order->contributions, fair->order->secret, &fair->root_key);
	store_chain_begin(head, fair->chain);
	if (!check_terms(fair))
		return false;
	if (!tournament_fits(fair->order->tournament, head))
		return fair_differs(fair, RUN_RESULTS, 0,
		    "they are of other bots, teams or blocks than the "
		    "configuration");
	return check_blocks(fair);
}

int
fair_check(const struct fair_order *order, struct fair_report *report,
    struct store_error *error)
{
	struct fair *fair = calloc(1, sizeof(*fair));
	int status;

	memset(report, 0, sizeof(*report));
	memset(error, 0, sizeof(*error));
	if (!fair)
		return run_fail(-ENOMEM, "check", order->path, error);
	fair->order = order;
	fair->report = report;
	fair->error = error;
	report->good = check_all(fair);
	sodium_bin2hex(report->chain, sizeof(report->chain), fair->chain,
	    sizeof(fair->chain));
	store_close(fair->store);
	status = fair->status;
	free(fair);
	if (status && !error->what[0])
		return run_fail(status, "check", order->path, error);
	return status;
}
