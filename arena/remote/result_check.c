/*
 * Implements result_check.h.
 *
 * The head of each game is written again from the job, by the functions that
 * write it in a match, and compared with the lines of the record.  Only the
 * following values are copied from these lines, if their form is right: the
 * time at which the game began, the level of the sandbox, the reasons why
 * earlier attempts are void, and what the bots say of their versions.
 *
 * A reason quotes at most the first bytes of a text that a worker sent, as
 * printable ASCII: see record_verify.h.
 */
#include "result_check.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "match_head.h"
#include "record_verify.h"
#include "sandbox.h"

enum { NOBODY = -1, REASON_SIZE = 1024 };

struct result_checker {
	char run[JOB_RUN_ID_SIZE];
	const struct dispatcher_config *config;
	struct match_rules rules; /* of a worker: with keys */
	bool scaled;
	bool weakened; /* some bot may use shared futexes in a sandbox */
	struct record_checker *verifier;
	struct record_reader reader;
	struct game_record record; /* the record of one game */
	struct record records[BLOCK_GAMES_MAX];
	struct result_head head;
	/* The state that a match of the current game would have. */
	struct session sessions[SCOPA_SEATS_MAX];
	struct game_head game_head;
	struct game game;
	struct outbox outbox;
	struct event event;              /* the current line */
	char unknown[RECORD_FAULT_SIZE]; /* a remark of record_check() */
};

/* A game that is being checked. */
struct game_check {
	struct result_checker *checker;
	const struct job *job;
	int number;            /* in its block */
	struct game_spec spec; /* its `voided` is that of the record */
	char utc[CLOCK_UTC_SIZE];
	const char *sandbox; /* name of the sandbox level */
	struct scopa_text *why;

	/* State while lines are read. */
	int pack_count; /* so far */
	bool dealt;     /* there was a `deal` line */
	int strikes[SCOPA_SEATS_MAX];
	/*
	 * The seat for which the arena moves next, and the offence that is the
	 * reason.
	 */
	int move_for;
	char cause[EVENT_REASON_SIZE];
	bool forfeited;
};

int
result_checker_open(struct result_checker **opened, const char *run_uid,
    const struct dispatcher_config *config, bool scaled)
{
	struct result_checker *checker = calloc(1, sizeof(*checker));
	int error;

	if (checker == NULL)
		return -ENOMEM;
	error = record_checker_open(&checker->verifier);
	if (error)
		goto free_checker;
	error = deal_keys_open(&checker->rules.deal_keys, 1);
	if (error)
		goto close_verifier;
	snprintf(checker->run, sizeof(checker->run), "%s", run_uid);
	checker->config = config;
	checker->scaled = scaled;
	for (int i = 0; i < config->entrant_count; i++)
		checker->weakened |= config->entrants[i].allows_futexes;
	game_record_init(&checker->record);
	for (int game = 0; game < BLOCK_GAMES_MAX; game++)
		record_init(&checker->records[game]);
	*opened = checker;
	return 0;
close_verifier:
	record_checker_close(checker->verifier);
free_checker:
	free(checker);
	return error;
}

void
result_checker_close(struct result_checker *checker)
{
	if (checker == NULL)
		return;
	for (int game = 0; game < BLOCK_GAMES_MAX; game++)
		record_release(&checker->records[game]);
	game_record_release(&checker->record);
	deal_keys_close(checker->rules.deal_keys);
	record_checker_close(checker->verifier);
	free(checker);
}

/* Writes the reason.  Always returns false. */
static bool __attribute__((format(printf, 2, 3)))
refuse(struct scopa_text *why, const char *format, ...)
{
	char text[REASON_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	scopa_text_string(why, text);
	return false;
}

/* Writes the reason about a line of the current game.  Returns false. */
static bool
refuse_line(const struct game_check *check, const struct record_line *line,
    const char *reason)
{
	return refuse(check->why, "game %d, line %lld: %s", check->number + 1,
	    (long long)line->number, reason);
}

/*
 * Checks the head of the result: the key that has signed it, and the claim that
 * it belongs to.
 */

static bool
check_head(struct result_checker *checker, const struct job *job,
    const struct queue_result *result, struct scopa_text *why)
{
	struct result_head *head = &checker->head;
	uint8_t digest[crypto_hash_sha256_BYTES];
	struct scopa_text wrong = SCOPA_TEXT(REASON_SIZE);

	if (!signing_verify(result->key, result->head, strlen(result->head),
		result->signature))
		return refuse(
		    why, "the signature is not of worker %s", result->worker);
	if (!result_head_read(head, result->head, &wrong))
		return refuse(
		    why, "the head of the result is wrong: %s", wrong.bytes);
	if (strcmp(head->run, checker->run) != 0)
		return refuse(
		    why, "the result is of another run, %s", head->run);
	if (head->name.block != result->name.block ||
	    head->name.copy != result->name.copy ||
	    head->name.attempt != result->name.attempt ||
	    head->name.block != job->name.block ||
	    head->name.copy != job->name.copy)
		return refuse(why,
		    "the result is of block %lld, copy %d, attempt %d",
		    (long long)head->name.block, head->name.copy,
		    head->name.attempt);
	if (head->game_count != job->game_count)
		return refuse(why, "the result has %d games of %d",
		    head->game_count, job->game_count);
	if ((uint64_t)head->record_size != result->record_size)
		return refuse(why, "the record has %zu bytes of %lld",
		    result->record_size, (long long)head->record_size);
	crypto_hash_sha256(
	    digest, (const unsigned char *)result->record, result->record_size);
	return memcmp(digest, head->digest, sizeof(digest)) == 0 ||
	    refuse(why, "the record is not the one that was signed");
}

/*
 * The head of a game.
 */

/* Splits the text after the verb into words. */
static bool
find_tag(const struct game_check *check, struct words *tag)
{
	const struct game_record *record = &check->checker->record;

	if (record->line_count < 2 || record->lines[1].kind != EVENT_TAG)
		return false;
	words_split(record_line_bytes(record, &record->lines[1]),
	    record->lines[1].length, tag);
	return true;
}

/*
 * Copies the time at which the game began, of the form
 * 2026-11-21T10:05:48.123Z.
 */
static bool
copy_utc(struct game_check *check, const struct words *tag)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd.dddZ";
	struct word word = words_find(tag, "utc");

	_Static_assert(sizeof(form) == CLOCK_UTC_SIZE, "the form of a time");
	if (word.bytes == NULL || word.length != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < word.length; i++)
		if (form[i] == 'd' ? word.bytes[i] < '0' || word.bytes[i] > '9'
				   : word.bytes[i] != form[i])
			return false;
	memcpy(check->utc, word.bytes, word.length);
	check->utc[word.length] = '\0';
	return true;
}

/*
 * Copies the level of the sandbox.  If this machine has a sandbox, the worker
 * must have had one, and if the one here has a level, at least the lowest
 * level.
 */
static bool
copy_sandbox(struct game_check *check, const struct words *tag)
{
	const struct sandbox *own = check->checker->config->rules.sandbox;
	struct word word = words_find(tag, "sandbox");
	int least = own == NULL || own->level == SANDBOX_NONE ? SANDBOX_NONE
							      : SANDBOX_PROCESS;

	check->sandbox = SANDBOX_UNBOXED;
	if (own == NULL && word.bytes != NULL && word_is(word, SANDBOX_UNBOXED))
		return true;
	for (int i = least; i < SANDBOX_LEVEL_COUNT; i++) {
		enum sandbox_level level = (enum sandbox_level)i;

		check->sandbox = check->checker->weakened
		    ? sandbox_weakened_name(level)
		    : sandbox_level_name(level);
		if (word.bytes != NULL && word_is(word, check->sandbox))
			return true;
	}
	return refuse(check->why,
	    "game %d: its bots had a weaker sandbox than the run asks for, "
	    "or none",
	    check->number + 1);
}

/*
 * Copies why earlier attempts are void: the reasons of the job, and maybe more.
 */
static bool
copy_voided(struct game_check *check, const struct words *tag)
{
	struct word word = words_find(tag, "voided");
	char *voided = check->spec.voided;
	size_t length = strlen(voided);

	if (word.bytes == NULL)
		return length == 0;
	if (word.length < length || word.length >= MATCH_VOIDED_SIZE ||
	    memcmp(word.bytes, voided, length) != 0 ||
	    (length > 0 && word.length > length && word.bytes[length] != ',') ||
	    !word_is_code(word, "_,"))
		return false;
	memcpy(voided, word.bytes, word.length);
	voided[word.length] = '\0';
	return true;
}

/* Whether a time was scaled by an allowed factor. */
static bool
scales(int64_t there_ms, int64_t here_ms)
{
	return there_ms >= here_ms / RESULT_SCALE_MAX &&
	    there_ms <= here_ms * RESULT_SCALE_MAX;
}

/* Copies a time control that was scaled by the speed of the worker. */
static void
copy_control(const struct game_check *check, struct event_match *expected)
{
	struct result_checker *checker = check->checker;
	const struct budget_control *here =
	    &checker->config->rules.settings.control;
	const struct event_match *match = &checker->event.match;
	struct budget_control there = { .kind = here->kind };
	const char *numbers;
	struct scopa_text again = SCOPA_TEXT(EVENT_NAME_SIZE);

	if (!checker->scaled ||
	    !record_line_event(&checker->record, &checker->record.lines[0],
		&checker->event, NULL))
		return;
	numbers = strchr(match->tc, ':');
	if (numbers == NULL ||
	    sscanf(numbers, ":%15" SCNd64 "+%15" SCNd64, &there.base_ms,
		&there.increment_ms) < 1)
		return;
	budget_control_format(&there, &again);
	if (scales(there.base_ms, here->base_ms) &&
	    scales(there.increment_ms, here->increment_ms) &&
	    strcmp(again.bytes, match->tc) == 0)
		memcpy(expected->tc, again.bytes, sizeof(expected->tc));
}

/*
 * Copies what the bots say of their versions, and whether they see all cards.
 */
static void
copy_sessions(const struct game_check *check)
{
	enum { BEFORE = 3 }; /* lines before the first seat */
	struct result_checker *checker = check->checker;
	const struct game_record *record = &checker->record;
	const struct event_seat *line = &checker->event.seat;

	for (int seat = 0; seat < check->job->seat_count; seat++) {
		struct session *session = &checker->sessions[seat];
		size_t at = (size_t)seat + BEFORE;

		session->version[0] = '\0';
		session->features.analysis = false;
		if (at >= record->line_count ||
		    record->lines[at].kind != EVENT_SEAT ||
		    !record_line_event(
			record, &record->lines[at], &checker->event, NULL))
			continue;
		memcpy(
		    session->version, line->version, sizeof(session->version));
		session->features.analysis = line->sees_all &&
		    checker->config->rules.settings.analysis != NULL;
	}
}

/*
 * Writes the lines with which the game must begin into the outbox, as a worker
 * does: from the keys of the job, without the secret.
 */
static void
write_head(const struct game_check *check)
{
	struct result_checker *checker = check->checker;
	const struct entrant *entrants = checker->config->entrants;
	const struct session *sessions[SCOPA_SEATS_MAX];
	struct match_rules *rules = &checker->rules;
	struct deal_keys_table *table = rules->deal_keys;
	struct game_head *head = &checker->game_head;
	struct game_spec spec = check->spec;
	struct scopa_text tag;

	*rules = checker->config->rules;
	rules->deal_keys = table;
	spec.keys = 1;
	memcpy(deal_keys_slot(table, 0)->seeds[spec.rotation],
	    check->job->games[check->number].seeds,
	    sizeof(check->job->games[0].seeds));
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		sessions[seat] = &checker->sessions[seat];
	match_head_fill(head, rules, &spec, entrants, sessions);
	copy_control(check, &head->match);
	scopa_text_init(&tag, head->tag, sizeof(head->tag));
	match_head_tag(
	    &tag, rules, &spec, entrants, check->utc, check->sandbox);
	outbox_init(&checker->outbox, 0);
	game_open(&checker->game,
	    &(struct game_opening){
		.rules = &rules->rules,
		.preset = rules->preset,
		.head = head,
		.dealer = spec.dealer,
		.deals = rules->deals,
		.max_deals = rules->max_deals,
	    },
	    &checker->outbox);
}

/* Finds the first line of the record that differs from the expected ones. */
static bool
refuse_game_head(const struct game_check *check)
{
	const struct game_record *record = &check->checker->record;
	const char *at = check->checker->outbox.record.bytes;

	for (size_t i = 0; i < record->line_count && *at != '\0'; i++) {
		const struct record_line *line = &record->lines[i];
		const char *end = strchr(at, '\n') + 1;
		size_t size = (size_t)(end - at);
		char reason[REASON_SIZE];

		if (line->size != size ||
		    memcmp(record_line_bytes(record, line), at, size) != 0) {
			snprintf(reason, sizeof(reason),
			    "%.*s is expected here",
			    size <= REASON_SIZE / 2 ? (int)size - 1
						    : REASON_SIZE / 2,
			    at);
			return refuse_line(check, line, reason);
		}
		at = end;
	}
	return refuse(
	    check->why, "game %d: its head is not whole", check->number + 1);
}

static bool
check_game_head(struct game_check *check)
{
	struct result_checker *checker = check->checker;
	const struct game_record *record = &checker->record;
	const struct scopa_text *expected = &checker->outbox.record;
	struct words tag;

	check->spec = check->job->games[check->number].spec;
	if (!find_tag(check, &tag) || !copy_utc(check, &tag) ||
	    !copy_voided(check, &tag))
		return refuse(
		    check->why, "game %d: its tag is wrong", check->number + 1);
	if (!copy_sandbox(check, &tag))
		return false;
	copy_sessions(check);
	write_head(check);
	return (record->size >= expected->length &&
		   memcmp(record->bytes, expected->bytes, expected->length) ==
		       0) ||
	    refuse_game_head(check);
}

/*
 * Checks the lines after the head, as far as record_check() does not.
 */

static bool
check_pack(struct game_check *check, const struct record_line *line)
{
	const struct match_rules *rules = &check->checker->config->rules;
	const struct event_pack *pack = &check->checker->event.pack;
	const struct pack_file *file = rules->packs;
	struct shuffle_key key;
	int first;

	if (file != NULL) {
		first = pack_file_place(
		    file->count, check->spec.round, rules->deals);
		return (!pack->has_key &&
			   memcmp(pack->cards,
			       file->packs[(first + check->pack_count++) %
				   file->count],
			       sizeof(pack->cards)) == 0) ||
		    refuse_line(check, line,
			"this pack is not the one of the file of packs");
	}
	shuffle_deal_key(&rules->root_key, check->spec.event,
	    (uint64_t)pack->number, (uint64_t)pack->redeal, &key);
	return (pack->has_key &&
		   memcmp(key.bytes, pack->key, sizeof(pack->key)) == 0) ||
	    refuse_line(
		check, line, "the key of this pack is not the one of the run");
}

static bool
check_deal(struct game_check *check, const struct record_line *line)
{
	bool first = !check->dealt;

	check->dealt = true;
	return !first ||
	    check->checker->event.deal.dealer == check->spec.dealer ||
	    refuse_line(check, line, "another seat must deal first");
}

/*
 * An offence has one consequence: under a policy that substitutes, the arena
 * moves once; otherwise the game is lost.
 */
static bool
check_offence(struct game_check *check, const struct record_line *line)
{
	const struct referee_settings *settings =
	    &check->checker->config->rules.settings;
	const struct event_offence *offence = &check->checker->event.offence;
	bool counted = settings->policy == POLICY_SUBSTITUTE;
	enum offence_kind kind = offence_find(word_of(offence->kind));
	int strikes;

	if (kind == OFFENCE_KIND_COUNT ||
	    offence->seat >= check->job->seat_count)
		return refuse_line(check, line, "no such offence or seat");
	if (strncmp(offence->reason, "EXEC_FAIL", strlen("EXEC_FAIL")) == 0)
		return refuse(check->why,
		    "bot %s could not be started there: %s",
		    check->checker->game_head.seats[offence->seat].name,
		    offence->reason);
	strikes = ++check->strikes[offence->seat];
	if (offence->strikes != (counted ? strikes : 0) ||
	    strcmp(offence->policy,
		policy_name(policy_at(
		    settings->policy, strikes, settings->strikes_max))) != 0)
		return refuse_line(check, line,
		    "the policy of the run asks for another consequence");
	if (verdict_of(settings->policy, kind, strikes,
		settings->strikes_max) == VERDICT_FORFEIT) {
		check->forfeited = true;
		return true;
	}
	check->move_for = offence->seat;
	memcpy(check->cause, offence->kind, sizeof(check->cause));
	return true;
}

/*
 * Checks who has made a play: the arena if an offence makes this due, else the
 * bot.  record_check() checks the play itself.
 */
static bool
check_mover(struct game_check *check, const struct record_line *line)
{
	const struct event_play *play = &check->checker->event.play;
	bool due = check->move_for != NOBODY;

	if (play->by_arena != due ||
	    (due &&
		(play->seat != check->move_for ||
		    strcmp(play->cause, check->cause) != 0)))
		return refuse_line(check, line,
		    "the arena moves after an offence, and then alone");
	check->move_for = NOBODY;
	return true;
}

/* A remark must have the form in which it is written. */
static bool
check_form(struct game_check *check, const struct record_line *line)
{
	char bytes[EVENT_LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	event_format(&check->checker->event, &text);
	return (text.length == line->length &&
		   memcmp(record_line_bytes(&check->checker->record, line),
		       bytes, text.length) == 0) ||
	    refuse_line(check, line, "it is not in the form of this version");
}

/* Checks the line that ends the game. */
static bool
check_end(struct game_check *check, const struct record_line *line)
{
	const struct event_end *end = &check->checker->event.end;

	if (check->move_for != NOBODY)
		return refuse_line(check, line, "a move of the arena is due");
	if (strcmp(end->reason, "abort") == 0)
		return refuse_line(check, line, "the game was aborted");
	return (strcmp(end->reason, "forfeit") == 0) == check->forfeited ||
	    refuse_line(check, line,
		"a game is forfeited by an offence, and always then");
}

/* The check of each kind of line; NULL: no check here. */
static bool (*const line_checks[EVENT_KIND_COUNT])(
    struct game_check *check, const struct record_line *line) = {
	[EVENT_PACK] = check_pack,
	[EVENT_DEAL] = check_deal,
	[EVENT_PLAY] = check_mover,
	[EVENT_OFFENCE] = check_offence,
	[EVENT_VOID] = check_form,
	[EVENT_PONDER] = check_form,
	[EVENT_ENDMATCH] = check_end,
};

/* Most lines are plays, and these need no look unless the arena moves. */
static bool
is_plain_play(const struct game_check *check, const struct record_line *line)
{
	return line->kind == EVENT_PLAY && check->move_for == NOBODY &&
	    memmem(record_line_bytes(&check->checker->record, line),
		line->length, " by=", strlen(" by=")) == NULL;
}

static bool
check_line(struct game_check *check, const struct record_line *line)
{
	struct result_checker *checker = check->checker;

	if (line->kind == EVENT_KIND_COUNT)
		return refuse_line(check, line, "it begins with no known word");
	if (line->size != line->length + 1)
		return refuse_line(check, line, "it ends in another way");
	if (check->forfeited &&
	    (line->kind == EVENT_PACK || line->kind == EVENT_PLAY ||
		line->kind == EVENT_DECLARE || line->kind == EVENT_OFFENCE))
		return refuse_line(
		    check, line, "the game was forfeited before");
	if (line_checks[line->kind] == NULL || is_plain_play(check, line))
		return true;
	return record_line_event(&checker->record, line, &checker->event, NULL)
	    ? line_checks[line->kind](check, line)
	    : refuse_line(check, line, "it cannot be read");
}

/* Called by record_check() for a word that it does not know. */
static void
on_unknown(void *context, int64_t line, const char *text)
{
	struct result_checker *checker = context;

	if (checker->unknown[0] == '\0')
		snprintf(checker->unknown, sizeof(checker->unknown),
		    "line %lld: it is not of this version; %s", (long long)line,
		    text);
}

/* Checks levels 1 to 3 of the record.  Returns as result_check(). */
static int
verify(struct game_check *check)
{
	struct result_checker *checker = check->checker;
	const struct record_listener listener = { on_unknown, checker };
	struct record_verdict verdict;
	int error;

	checker->unknown[0] = '\0';
	error = record_check(
	    checker->verifier, &checker->record, &listener, &verdict);
	/* -EFBIG: the lines that follow are too large for a record. */
	if (error && error != -EFBIG)
		return error;
	if (error)
		return refuse(check->why, "game %d: its record is too large",
		    check->number + 1);
	if (!verdict.good)
		return refuse(check->why, "game %d, line %lld: %s",
		    check->number + 1, (long long)verdict.fault.line,
		    verdict.fault.text);
	return checker->unknown[0] == '\0' ||
	    refuse(
		check->why, "game %d, %s", check->number + 1, checker->unknown);
}

/*
 * A good game, as this machine would have played it.
 */

/*
 * Writes the record with the secret in its tag, if there is to be one, and with
 * the sum that follows.  0 or -errno.
 */
static int
write_record(const struct game_check *check)
{
	struct result_checker *checker = check->checker;
	const struct match_rules *rules = &checker->config->rules;
	const struct game_record *record = &checker->record;
	const struct record_line *tag = &record->lines[1];
	const struct record_line *sum = &record->lines[record->line_count - 1];
	struct record *output = &checker->records[check->number];
	struct scopa_text line = SCOPA_TEXT(EVENT_LINE_SIZE);
	int error;

	record_clear(output);
	if (rules->committed || rules->packs != NULL)
		return record_add(output, record->bytes, record->size);
	scopa_text_string(&line, "tag ");
	match_head_tag(&line, rules, &check->spec, checker->config->entrants,
	    check->utc, check->sandbox);
	scopa_text_char(&line, '\n');
	error = record_add(output, record->bytes, tag->begin);
	if (!error)
		error = record_add(output, line.bytes, line.length);
	if (!error)
		error =
		    record_add(output, record->bytes + tag->begin + tag->size,
			sum->begin - tag->begin - tag->size);
	return error ? error : record_sum(output);
}

/*
 * Copies from the head of the result why the game was lost by an offence, if it
 * describes the offence of the record.
 */
static void
fill_fault(const struct game_check *check, struct game_result *game)
{
	const struct summary *summary = &game->summary;
	struct match_fault *fault = &game->fault;

	game->fault_entrant = -1;
	/* Its texts take most of the memory, and few games have a fault. */
	fault->seat = -1;
	if (summary->offender < 0)
		return;
	*fault = check->checker->head.games[check->number].fault;
	if (fault->seat != summary->offender ||
	    fault->kind != summary->offence ||
	    strcmp(fault->reason, summary->offence_reason) != 0) {
		memset(fault, 0, sizeof(*fault));
		fault->seat = summary->offender;
		fault->kind = summary->offence;
		snprintf(fault->reason, sizeof(fault->reason), "%.*s",
		    SESSION_REASON_SIZE - 1, summary->offence_reason);
	}
	game->fault_entrant = check->spec.entrant[fault->seat];
}

/* Returns as result_check(). */
static int
fill_game(const struct game_check *check, struct result_checked *checked)
{
	struct result_checker *checker = check->checker;
	const struct record *record = &checker->records[check->number];
	struct game_result *game = &checked->games[check->number];
	int error = write_record(check);

	if (error)
		return error;
	memset(game->name_rest, 0, sizeof(game->name_rest));
	game->lacks_keys = false;
	if (summary_read(&game->summary, record->bytes, record->size) < 0)
		return refuse(
		    check->why, "game %d: it has no result", check->number + 1);
	memcpy(game->entrant, check->spec.entrant, sizeof(game->entrant));
	memcpy(game->unasked_count, checker->head.games[check->number].unasked,
	    sizeof(game->unasked_count));
	fill_fault(check, game);
	checked->records[check->number] = record->bytes;
	checked->record_sizes[check->number] = record->size;
	return 1;
}

/* Reads and checks the record of the next game. */
static int
check_game(struct game_check *check, struct result_checked *checked)
{
	struct result_checker *checker = check->checker;
	struct game_record *record = &checker->record;
	int status = record_read(&checker->reader, record);

	if (status < 0)
		return status;
	if (status == 0 || record->outside)
		return refuse(check->why,
		    "game %d: it is missing, or there is something before it",
		    check->number + 1);
	if (record->fault.line != 0 || !record->summed)
		return refuse(check->why, "game %d, line %lld: %s",
		    check->number + 1,
		    (long long)(record->fault.line ? record->fault.line
						   : record->last_line),
		    record->fault.line ? record->fault.text
				       : "no `sum` line ends this game");
	if (!check_game_head(check))
		return 0;
	for (size_t i = 0; i < record->line_count; i++)
		if (!check_line(check, &record->lines[i]))
			return 0;
	status = verify(check);
	return status == 1 ? fill_game(check, checked) : status;
}

int
result_check(struct result_checker *checker, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why)
{
	size_t size = 0;

	if (!check_head(checker, job, result, why))
		return 0;
	record_reader_init_bytes(
	    &checker->reader, result->record, result->record_size);
	checked->game_count = job->game_count;
	for (int number = 0; number < job->game_count; number++) {
		struct game_check check = {
			.checker = checker,
			.job = job,
			.number = number,
			.move_for = NOBODY,
			.why = why,
		};
		int status = check_game(&check, checked);

		if (status != 1)
			return status;
		size += checker->record.size;
	}
	return size == result->record_size ||
	    refuse(why, "the record has more than its games");
}
