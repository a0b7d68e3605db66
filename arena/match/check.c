/*
 * Implements check.h.  A step talks with the bot itself (see conversation.h),
 * or lets it play games that the referee judges (see practice.h).
 *
 * Steps on starting and ending use a process of their own each.  Steps with
 * games share one process, and a new one is started after a failure.
 */
#include "check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "clock.h"
#include "countof.h"
#include "practice.h"
#include "scopa/notation.h"
#include "words.h"

enum {
	END_MS = 1000,  /* from `quit` to the end: protocol.md, the session */
	QUIET_MS = 300, /* in which a bot that is not asked says nothing */
	STATES_COUNT = 1000,
	PAUSE_MS = 60, /* after an answer, to measure the CPU time */
	PAUSES_MIN = 5,
	SPEC_SIZE = 128,
	PACKS_MAX = 4, /* of a deal */
	OPTIONS_KEPT_MAX = 64,
	DEALS_TRIED = 2000, /* for a position with many legal moves */
	SKIP_MAX = 36       /* moves before a random position */
};

/*
 * A step with games ends after this time; what it has seen until then counts.
 */
#define STEP_NS (60 * CLOCK_NS_PER_S)

/*
 * The most CPU time that a bot may use while it is not to move, of its pauses.
 */
#define IDLE_SHARE_MAX 0.2

struct step_row;

struct check {
	const struct step_row *row; /* the present step */
	const struct check_order *order;
	struct practice *practice; /* of steps with games; NULL: not started */
	struct conversation *conversation; /* of other steps; NULL: none */
	int error;                         /* -errno of the machine */
	struct shuffle_stream random;
	int64_t until_ns; /* when the present step ends */
	struct check_step step;
	/* What the bot has declared in the handshake. */
	struct session session;
	char *options[OPTIONS_KEPT_MAX]; /* its `option` lines; owned */
	int option_count;
	struct match_fault start_fault; /* seat -1: it became ready */
	const char *setting; /* `NAME=VALUE` of the option that is tried */
};

/* Lines that are sent, and the verb of the line that must follow. */
struct exchange {
	const char *lines, *verb;
	bool skips; /* lines with other verbs may come before */
};

enum step_end { END_NONE, END_QUIT, END_INPUT };

struct step_row {
	int level;
	const char *name;
	const char *sentence;
	void (*run)(struct check *check);
	const char *spec; /* rules, for a step on rules */
	unsigned without; /* flags such as PRACTICE_NO_EVENTS */
	const char *hint;
	/* Of run_talk(): what is said, and how the bot must end after it. */
	struct exchange talk[6];
	enum step_end end;
	/* Of run_games(). */
	int games;                             /* 0: one game */
	bool to_target;                        /* not one deal only */
	const struct budget_control *controls; /* of each game, or NULL */
	/* Of each game, or NULL; all packs but the last one are dealt again. */
	const char *const *packs;
	void (*rewrite)(const struct scopa_text *lines, struct scopa_text *out);
};

/*
 * Outcomes.
 */

/* Stores the end of the conversation and of stderr. */
static void
store_transcript(struct check *check)
{
	const struct transcript *transcript;
	struct check_step *step = &check->step;

	if (check->practice != NULL) {
		transcript = &check->practice->transcript;
		practice_stderr(check->practice, step->stderr_tail);
	} else if (check->conversation != NULL) {
		transcript = &check->conversation->transcript;
		bot_stderr(check->conversation->bot, step->stderr_tail);
	} else {
		return;
	}
	for (int i = MAX(transcript->count - CHECK_TRANSCRIPT_LINES, 0);
	     i < transcript->count; i++) {
		struct conversation_line *line = &step->lines[step->line_count];

		*line = *transcript_line(transcript, i);
		line->text = strdup(line->text);
		step->line_count += line->text != NULL;
	}
}

/* The step has failed: what was expected, and what was found. */
static void __attribute__((format(printf, 3, 4)))
fail(struct check *check, const char *expected, const char *format, ...)
{
	struct check_step *step = &check->step;
	va_list arguments;

	if (step->outcome == CHECK_FAILED)
		return;
	step->outcome = CHECK_FAILED;
	snprintf(step->expected, sizeof(step->expected), "%s", expected);
	va_start(arguments, format);
	vsnprintf(step->found, sizeof(step->found), format, arguments);
	va_end(arguments);
	store_transcript(check);
}

/* The step has passed with a remark, or does not concern this bot. */
static void __attribute__((format(printf, 3, 4)))
remark(struct check *check, enum check_outcome outcome, const char *format, ...)
{
	va_list arguments;

	if (check->step.outcome == CHECK_FAILED)
		return;
	check->step.outcome = outcome;
	va_start(arguments, format);
	vsnprintf(
	    check->step.found, sizeof(check->step.found), format, arguments);
	va_end(arguments);
}

static bool
has_failed(const struct check *check)
{
	return check->error != 0 || check->step.outcome == CHECK_FAILED;
}

/*
 * Talking with the bot itself.
 */

/* Closes the process for games; the next one starts another. */
static void
play_end(struct check *check)
{
	practice_close(check->practice);
	check->practice = NULL;
}

/* Starts a process for a step that talks with it. */
static bool
talk_begin(struct check *check)
{
	play_end(check);
	check->error = conversation_open(
	    &check->conversation, check->order->rules, check->order->entrant);
	return check->error == 0;
}

/* The arena has refused `count` lines of the bot, or words of them. */
static void
fail_refused(struct check *check, int count)
{
	const struct session *session = practice_session(check->practice);

	if (has_failed(check))
		return;
	fail(check, "no line that the arena refuses",
	    "%d line%s refused, the last with: error %s", count,
	    count == 1 ? " or word was" : "s or words were", session->refusal);
	if (session->refusal_code == ERROR_UNEXPECTED)
		check->step.hint =
		    "say a line once, when it is due: options before "
		    "\"uspok\", one \"move\" for each \"go\", one \"readyok\" "
		    "for each \"isready\"";
	else if (strstr(session->refusal, "# skipped ") != NULL)
		check->step.hint =
		    "a value and a move are one word each: a blank in a value "
		    "is written %20";
	else
		check->step.hint =
		    "write the line as in protocol.md, messages of a bot: the "
		    "arena has skipped it, or a word of it";
}

/*
 * Waits for a line with this verb within the limit of the start, and returns
 * it.  Lines with other verbs are skipped if `skips`.  Anything else fails the
 * step, and NULL is returned.
 */
static const struct heard *
expect_verb(
    struct check *check, const char *verb, bool skips, const char *expected)
{
	int64_t until_ns =
	    clock_now_ns() + check->order->rules->settings.startup_ns;

	for (;;) {
		const struct heard *heard =
		    conversation_next(check->conversation, until_ns);
		struct word word =
		    words_first(heard->bytes, strlen(heard->bytes));

		if (heard->kind == HEARD_LINE && word_is(word, verb))
			return heard;
		if (heard->kind == HEARD_LINE &&
		    (skips || word.length == 0 || *word.bytes == '#'))
			continue;
		fail(check, expected, "%s", heard->bytes);
		return NULL;
	}
}

/*
 * Waits until the bot has ended, for a second and the time for which others had
 * the processor.  Returns whether it has ended.
 */
static bool
wait_for_end(struct check *check)
{
	int64_t until_ns = clock_now_ns() + END_MS * CLOCK_NS_PER_MS;
	int64_t given_ns = 0;

	bot_begin_run_wait(check->conversation->bot);
	for (;;) {
		enum heard_kind kind =
		    conversation_next(check->conversation, until_ns)->kind;
		int64_t waited_ns;

		if (kind == HEARD_EXIT)
			return true;
		if (kind == HEARD_FAILURE)
			return false;
		if (kind != HEARD_NOTHING)
			continue;
		waited_ns =
		    bot_run_wait_ns(check->conversation->bot, clock_now_ns());
		if (waited_ns <= given_ns || waited_ns > STEP_NS)
			return false;
		until_ns += waited_ns - given_ns;
		given_ns = waited_ns;
	}
}

/*
 * The bot must end with status 0 within a second of `quit` or, if `says_quit`
 * is false, of the end of its stdin.
 */
static void
expect_end(struct check *check, bool says_quit)
{
	const struct bot_exit *exit;

	if (says_quit) {
		conversation_send(check->conversation, "quit\n");
		if (!wait_for_end(check)) {
			fail(check, "it ends with status 0 within 1 s",
			    "it is still running");
			return;
		}
	}
	/* On a busy machine an end may take longer than the second. */
	exit = conversation_stop(
	    check->conversation, 3 * END_MS * CLOCK_NS_PER_MS);
	if (exit->killed)
		fail(check, "it ends with status 0 within 1 s",
		    "it was still running, and was killed");
	else if (exit->end != BOT_END_EXIT || exit->code != 0)
		fail(check, "it ends with status 0", "%s", exit->sentence);
}

/*
 * Playing games.
 */

static uint64_t
number_below(struct check *check, int bound)
{
	return shuffle_stream_number(&check->random) % (uint64_t)bound;
}

/*
 * Starts a process for games.  `option` is the option of the entrant that is
 * tried, or NULL.
 */
static bool
play_open(struct check *check, const struct entrant *entrant,
    const char *expected, const char *option)
{
	const struct match_fault *fault;

	check->error =
	    practice_open(&check->practice, check->order->rules, entrant);
	if (check->error)
		return false;
	fault = &check->practice->match->fault;
	if (fault->seat < 0)
		return true;
	check->step.fault = *fault;
	fail(check, expected, "%s%s%s%s %s", option ? "setoption " : "",
	    option ? option : "", option ? ": " : "", offence_name(fault->kind),
	    fault->reason);
	return false;
}

static bool
rules_of(const char *spec, struct practice_game *game)
{
	char name[SPEC_SIZE];
	struct scopa_text why = SCOPA_TEXT(256);

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	game->preset = scopa_preset_find(name);
	return game->preset != NULL &&
	    scopa_rules_parse(&game->rules, spec, &why);
}

/* A game of one deal with these rules, for the bot at this seat. */
static struct practice_game
game_of(struct check *check, const char *spec)
{
	struct practice_game game = {
		.deals = 1,
		.control = check->order->rules->settings.control,
		.without = check->row->without,
		.seed = shuffle_stream_number(&check->random),
		.until_ns = check->until_ns,
		.rewrite = check->row->rewrite,
	};

	if (rules_of(spec, &game)) {
		game.seat = (int)number_below(check, game.rules.players);
		game.dealer = (int)number_below(check, game.rules.players);
	}
	return game;
}

/*
 * Plays a game.  It fails the step if the bot commits an offence, or says lines
 * that the arena cannot use.
 */
static bool
play(struct check *check, const struct practice_game *game,
    struct practice_result *result)
{
	const struct match_fault *fault;
	char expected[sizeof(check->step.expected)];

	if (has_failed(check) ||
	    (check->practice == NULL &&
		!play_open(check, check->order->entrant,
		    "it becomes ready again", NULL)))
		return false;
	check->error = practice_play(check->practice, game, result);
	if (check->error)
		return false;
	fault = &check->practice->match->fault;
	if (fault->seat >= 0) {
		check->step.fault = *fault;
		snprintf(expected, sizeof(expected),
		    "it plays on without an offence%s%s",
		    check->setting ? " after setoption " : "",
		    check->setting ? check->setting : "");
		fail(check, expected, "%s %s", offence_name(fault->kind),
		    fault->reason);
	} else if (result->stray_count > 0) {
		fail(check, "only messages of the protocol on stdout",
		    "%d line%s with an unknown verb, the first: \"%s\"",
		    result->stray_count, text_plural(result->stray_count),
		    result->unused);
	} else if (result->error_count > 0) {
		fail_refused(check, result->error_count);
	} else if (practice_session(check->practice)->phase == SESSION_GONE) {
		/* It has declined the game, and was not ready again. */
		play_end(check);
	}
	return !has_failed(check);
}

/* Plays a game whose result is not checked. */
static bool
play_only(struct check *check, const struct practice_game *game)
{
	struct practice_result result;
	bool passed = play(check, game, &result);

	if (passed && result.declined)
		remark(check, CHECK_SKIPPED,
		    "the bot said `error feature`: it does not play these "
		    "rules");
	return passed;
}

static bool
time_is_up(const struct check *check)
{
	return clock_now_ns() >= check->until_ns;
}

/*
 * Level 0: the session.
 */

static void
store_option(struct check *check, const char *line)
{
	char *copy;

	if (check->option_count == OPTIONS_KEPT_MAX)
		return;
	copy = strdup(line);
	if (copy == NULL)
		check->error = -ENOMEM;
	else
		check->options[check->option_count++] = copy;
}

/*
 * Fails the step because the bot did not become ready at the start.  It is the
 * last step.
 */
static void
fail_start(struct check *check, const char *expected)
{
	check->step.fault = check->start_fault;
	fail(check, expected, "%s", check->start_fault.reason);
}

/* Starts the bot as a match does; later steps look at what came of it. */
static void
run_start(struct check *check)
{
	const struct transcript *transcript;

	check->start_fault.seat = -1;
	check->error = practice_open(
	    &check->practice, check->order->rules, check->order->entrant);
	if (check->error)
		return;
	check->start_fault = check->practice->match->fault;
	check->session = *practice_session(check->practice);
	transcript = &check->practice->transcript;
	for (int i = 0; i < transcript->count; i++) {
		const struct conversation_line *line =
		    transcript_line(transcript, i);

		if (line->side == CONVERSATION_SAID &&
		    strncmp(line->text, "option ", 7) == 0)
			store_option(check, line->text);
	}
	if (check->start_fault.seat >= 0 && !check->start_fault.received[0] &&
	    !check->start_fault.said[0])
		fail_start(check, "a line after `usp 1`");
}

static void
run_id(struct check *check)
{
	if (check->start_fault.seat >= 0 &&
	    strcmp(check->start_fault.reason, "HS_BAD(ID)") == 0)
		fail_start(check, "`id name=NAME`");
}

static void
run_uspok(struct check *check)
{
	if (check->start_fault.seat >= 0 &&
	    check->start_fault.phase == SESSION_HELLO)
		fail_start(check, "`uspok 1` within the limit of the start");
}

static void
run_handshake_lines(struct check *check)
{
	if (check->session.stray_count > 0)
		fail(check, "only id, option, feature and uspok",
		    "%d other line%s, the first: \"%s\"",
		    check->session.stray_count,
		    text_plural(check->session.stray_count),
		    check->session.stray);
	else if (check->session.error_count > 0)
		fail_refused(check, check->session.error_count);
}

static void
run_readyok(struct check *check)
{
	if (check->start_fault.seat >= 0)
		fail_start(check, "`readyok` after `isready`");
}

/* Starts a process, and talks with it as the row says. */
static void
run_talk(struct check *check)
{
	const struct step_row *row = check->row;

	if (!talk_begin(check))
		return;
	for (const struct exchange *next = row->talk; next->lines; next++) {
		char expected[64];

		snprintf(expected, sizeof(expected), "`%s`", next->verb);
		conversation_send(check->conversation, next->lines);
		if (!expect_verb(check, next->verb, next->skips, expected))
			return;
	}
	if (row->end != END_NONE)
		expect_end(check, row->end == END_QUIT);
}

static void
run_quiet(struct check *check)
{
	const struct heard *heard;

	run_talk(check);
	if (has_failed(check))
		return;
	do {
		heard = conversation_next(check->conversation,
		    clock_now_ns() + QUIET_MS * CLOCK_NS_PER_MS);
	} while (heard->kind == HEARD_LINE &&
	    (heard->bytes[0] == '\0' || heard->bytes[0] == '#'));
	if (heard->kind != HEARD_NOTHING)
		fail(check, "nothing until it is asked", "%s", heard->bytes);
}

static void
run_newer_usp(struct check *check)
{
	static const char expected[] = "`uspok 1`, the version that both know";
	const struct heard *heard;
	struct words words;

	if (!talk_begin(check))
		return;
	conversation_send(
	    check->conversation, "usp 9 arena=newer/9 x-check=1\n");
	heard = expect_verb(check, "uspok", true, expected);
	if (heard == NULL)
		return;
	words_split(heard->bytes, strlen(heard->bytes), &words);
	if (words.count < 2 || !word_is(words.word[1], "1"))
		fail(check, expected, "%s", heard->bytes);
}

static void
run_end_at_once(struct check *check)
{
	const struct bot_exit *exit;

	if (!talk_begin(check))
		return;
	/* The bot may need as long for its end as for its start. */
	exit = conversation_stop(
	    check->conversation, check->order->rules->settings.startup_ns);
	if (exit->killed)
		fail(check, "it ends when its stdin is at its end",
		    "it was still running, and was killed");
}

/*
 * Level 0: games.
 */

/* Plays until the first answer, and ends the process. */
static void
play_first(struct check *check, struct practice_game *game)
{
	game->abort_after = 1;
	game->is_abandoned = true;
	(void)play_only(check, game);
	play_end(check);
}

static void
run_first_move(struct check *check)
{
	struct practice_game game = game_of(check, check->row->spec);

	play_first(check, &game);
}

/*
 * Reads packs, separated by `|`.  The cards that a pack names come first in the
 * order of dealing, and the others after.
 */
static void
script_of(const char *text, struct event_pack packs[PACKS_MAX],
    struct practice_script *script)
{
	struct word rest = word_of(text), cards;

	*script = (struct practice_script){ .packs = packs };
	while (word_next_piece(&rest, '|', &cards)) {
		struct event_pack *pack = &packs[script->pack_count++];
		scopa_set left = SCOPA_SET_ALL, card = SCOPA_SET_EMPTY;
		int count = 0;

		*pack = (struct event_pack){ .number = 1 };
		for (size_t i = 0; i < cards.length; i += 2) {
			(void)scopa_set_parse(cards.bytes + i, 2, &card);
			left &= ~card;
			pack->cards[count++] = (uint8_t)scopa_set_take(&card);
		}
		while (left)
			pack->cards[count++] = (uint8_t)scopa_set_take(&left);
	}
}

/* Plays the games of the row, one after the other in the same process. */
static void
run_games(struct check *check)
{
	const struct step_row *row = check->row;

	for (int i = 0; i < MAX(row->games, 1) && !has_failed(check); i++) {
		struct practice_game game = game_of(check, row->spec);
		struct event_pack packs[PACKS_MAX];
		struct practice_script script;

		if (row->to_target)
			game.deals = 0;
		if (row->controls != NULL)
			game.control = row->controls[i];
		if (row->packs != NULL) {
			script_of(row->packs[i], packs, &script);
			game.script = &script;
			game.seat = i;
			game.dealer = 1;
		}
		(void)play_only(check, &game);
	}
}

/* Each seat of a game, and each way of dividing the seats into teams. */
static void
play_seats(struct check *check, int players)
{
	static const char *const teams[] = { "AB", "ABC", "ABCD", "ABAB",
		"ABCDEF", "ABABAB", "ABCABC" };

	for (int i = 0; i < COUNTOF(teams); i++) {
		char spec[SPEC_SIZE];

		if ((int)strlen(teams[i]) != players)
			continue;
		snprintf(spec, sizeof(spec), "%s,players=%d,teams=%s",
		    check->row->spec, players, teams[i]);
		for (int seat = 0; seat < players && !has_failed(check);
		     seat++) {
			struct practice_game game = game_of(check, spec);

			game.seat = seat;
			(void)play_only(check, &game);
		}
	}
}

static void
run_seats(struct check *check)
{
	play_seats(check, check->row->name[strlen("seats-")] - '0');
}

/*
 * The position of random deals that has most legal moves, where each seat takes
 * as few cards as it may, so that many lie on the table.
 */
static void
find_long_list(struct check *check, const struct practice_game *game,
    struct event_pack *pack, struct practice_script *script,
    struct scopa_move moves[SCOPA_HISTORY_MAX])
{
	struct scopa_move found[SCOPA_MOVES_MAX];
	struct event_pack tried = { .number = 1 };
	struct scopa_deal deal;
	int longest = 0;

	for (int i = 0; i < DEALS_TRIED; i++) {
		struct shuffle_key key = { { 0 } };
		uint64_t number = shuffle_stream_number(&check->random);

		memcpy(key.bytes, &number, sizeof(number));
		shuffle_pack(&key, tried.cards);
		if (scopa_deal_start(&game->rules, tried.cards, game->dealer,
			&deal) != SCOPA_START_PLAY)
			continue;
		while (!scopa_deal_over(&deal)) {
			int count = scopa_moves(
			    &game->rules, &deal, found, SCOPA_MOVES_MAX);
			int least = 0;

			if (count > longest) {
				longest = count;
				*pack = tried;
				script->move_count = deal.history_count;
				memcpy(moves, deal.history,
				    deal.history_count * sizeof(*moves));
			}
			for (int k = 1; k < count; k++)
				if (scopa_set_count(found[k].captured) <
				    scopa_set_count(found[least].captured))
					least = k;
			scopa_deal_apply(&game->rules, &deal, &found[least]);
		}
	}
}

static void
run_long_list(struct check *check)
{
	struct practice_game game = game_of(check, check->row->spec);
	struct scopa_move moves[SCOPA_HISTORY_MAX];
	struct event_pack pack;
	struct practice_script script = {
		.packs = &pack,
		.pack_count = 1,
		.moves = moves,
	};

	find_long_list(check, &game, &pack, &script, moves);
	script.ask_from = script.move_count;
	game.script = &script;
	game.seat = (game.dealer + 1 + script.move_count) % game.rules.players;
	play_first(check, &game);
}

static void
run_abort(struct check *check)
{
	for (int i = 1; i <= 4 && !has_failed(check); i++) {
		struct practice_game game = game_of(check, check->row->spec);

		game.abort_after = i;
		(void)play_only(check, &game);
	}
	run_games(check);
}

/*
 * Levels 1 and 2: decisions from `state`, and from events alone.
 */

/* A bot that asks for no `state` or no events is not of this kind. */
static bool
is_of_kind(struct check *check)
{
	const struct session_features *features = &check->session.features;

	if (check->row->level == 1 && !features->state) {
		remark(check, CHECK_SKIPPED,
		    "`feature state=0`: it follows the events instead");
		return false;
	}
	if (check->row->level == 2 && !features->events) {
		fail(check, "it follows the events",
		    "`feature events=0`: it asks for none");
		return false;
	}
	return true;
}

/* A deal of each preset. */
static void
run_presets(struct check *check)
{
	int declined = 0;

	for (int i = 0; i < scopa_preset_count && !has_failed(check); i++) {
		struct practice_game game =
		    game_of(check, scopa_presets[i].name);
		struct practice_result result = { .declined = false };

		(void)play(check, &game, &result);
		declined += result.declined;
	}
	if (declined > 0)
		remark(check, CHECK_PASSED, "%d of %d presets: `error feature`",
		    declined, scopa_preset_count);
}

static void
run_all_seats(struct check *check)
{
	static const int players[] = { 2, 3, 4, 6 };

	for (int i = 0; i < COUNTOF(players) && !has_failed(check); i++)
		play_seats(check, players[i]);
}

/* Single decisions in positions that have nothing to do with each other. */
static void
run_random_states(struct check *check)
{
	int count = 0;

	while (
	    count < STATES_COUNT && !has_failed(check) && !time_is_up(check)) {
		int preset = (int)number_below(check, scopa_preset_count);
		struct practice_game game =
		    game_of(check, scopa_presets[preset].name);
		struct practice_result result = { .answer_count = 0 };

		game.skip = (int)number_below(check, SKIP_MAX);
		game.abort_after = 1;
		(void)play(check, &game, &result);
		count += result.answer_count;
	}
	if (count < STATES_COUNT)
		remark(check, CHECK_PASSED, "%d of %d in the time of a step",
		    count, STATES_COUNT);
}

/* Appends the value of this index: a name or a number. */
static void
put_value(const struct scopa_param *param, int index, struct scopa_text *text)
{
	if (param->names[0] != NULL)
		scopa_text_string(text, param->names[index]);
	else
		scopa_text_int(text, param->numbers[index]);
}

/* A deal with every value of every parameter, as far as the rules allow it. */
static void
run_parameters(struct check *check)
{
	static const char *const bases[] = { "scopa", "cirulla", "escoba" };
	int count = 0;

	for (int i = 0; i < scopa_param_count; i++) {
		const struct scopa_param *param = &scopa_params[i];

		for (int k = 0; k < param->value_count * COUNTOF(bases); k++) {
			struct practice_game game = { .deals = 1 };
			struct practice_result result;
			struct scopa_text text = SCOPA_TEXT(SPEC_SIZE);

			scopa_text_string(&text, bases[k % COUNTOF(bases)]);
			scopa_text_char(&text, ',');
			scopa_text_string(&text, param->key);
			scopa_text_char(&text, '=');
			put_value(param, k / COUNTOF(bases), &text);
			if (!rules_of(text.bytes, &game))
				continue;
			if (has_failed(check) || time_is_up(check))
				return;
			game = game_of(check, text.bytes);
			(void)play(check, &game, &result);
			count++;
		}
	}
	remark(check, CHECK_PASSED, "%d game%s", count, text_plural(count));
}

/*
 * Level 3.
 */

static void
run_turn_ids(struct check *check)
{
	struct practice_game game = game_of(check, check->row->spec);
	struct practice_result result;

	if (!play(check, &game, &result))
		return;
	if (result.without_turn_id > 0)
		fail(check, "`move MOVE turn=ID`, with the id of `go`",
		    "%d of %d answers had no turn=", result.without_turn_id,
		    result.answer_count);
	else if (result.wrong_turn_id > 0)
		fail(check, "`move MOVE turn=ID`, with the id of `go`",
		    "%d answers had another id", result.wrong_turn_id);
}

/* Starts the bot with this value of an option, and plays a move. */
static void
try_option(struct check *check, struct word name, struct word value)
{
	char assignment[2 * SESSION_NAME_SIZE + SESSION_SAID_SIZE];
	char text[SESSION_SAID_SIZE];
	const char *options[2] = { assignment, NULL };
	struct entrant entrant = *check->order->entrant;
	struct practice_game game = game_of(check, "scopa");

	if (has_failed(check) || time_is_up(check) ||
	    !word_decode(value, text, sizeof(text)))
		return;
	snprintf(assignment, sizeof(assignment), "%.*s=%s", (int)name.length,
	    name.bytes, text);
	entrant.options = options;
	play_end(check);
	check->setting = assignment;
	if (play_open(check, &entrant, "it takes a value that it has declared",
		assignment))
		play_first(check, &game);
	check->setting = NULL;
}

/* The default of each declared option, and the limits of its values. */
static void
run_options(struct check *check)
{
	static const char *const keys[] = { "default", "min", "max" };

	if (check->option_count == 0)
		remark(check, CHECK_PASSED, "the bot declares no option");
	for (int i = 0; i < check->option_count; i++) {
		struct words words;
		struct word name, type, value, piece;

		words_split(
		    check->options[i], strlen(check->options[i]), &words);
		name = words_find(&words, "name");
		type = words_find(&words, "type");
		if (name.bytes == NULL || type.bytes == NULL)
			continue;
		for (int k = 0; k < COUNTOF(keys); k++) {
			value = words_find(&words, keys[k]);
			if (value.bytes != NULL && value.length > 0)
				try_option(check, name, value);
		}
		if (word_is(type, "bool"))
			value = word_of("true|false");
		else if (word_is(type, "button"))
			value = word_of("-");
		else if (word_is(type, "enum"))
			value = words_find(&words, "values");
		else
			continue;
		while (word_next_piece(&value, '|', &piece))
			try_option(check, name, piece);
	}
}

static void
run_idle(struct check *check)
{
	struct practice_game game = game_of(check, check->row->spec);
	struct practice_result result;
	double share;

	game.pause_ns = PAUSE_MS * CLOCK_NS_PER_MS;
	game.abort_after = 2 * PAUSES_MIN;
	if (!play(check, &game, &result))
		return;
	if (result.pause_ns == 0) {
		remark(check, CHECK_SKIPPED,
		    "the CPU time of the bot cannot be read here");
		return;
	}
	share = (double)result.pause_cpu_ns / (double)result.pause_ns;
	if (share > IDLE_SHARE_MAX)
		fail(check, "no computing while it is not to move",
		    "%.0f%% of a core between its turns", 100 * share);
}

/*
 * Other forms of lines to a bot, which the protocol allows.  Each function
 * appends to `out` what is sent instead of the lines, which are whole.
 */

/* Appends ` x-check=1` to each line that has pairs. */
static void
vary_keys(const struct scopa_text *lines, struct scopa_text *out)
{
	bool has_pair = false;

	for (size_t i = 0; i < lines->length; i++) {
		char byte = lines->bytes[i];

		if (byte == '\n' && has_pair)
			scopa_text_string(out, " x-check=1");
		has_pair = byte != '\n' && (has_pair || byte == '=');
		scopa_text_char(out, byte);
	}
}

/* Puts texts before each line, before each blank, and before each LF. */
static void
insert(const struct scopa_text *lines, struct scopa_text *out,
    const char *before_line, const char *before_blank, const char *before_end)
{
	for (size_t i = 0; i < lines->length; i++) {
		char byte = lines->bytes[i];

		if (i == 0 || lines->bytes[i - 1] == '\n')
			scopa_text_string(out, before_line);
		if (byte == ' ')
			scopa_text_string(out, before_blank);
		if (byte == '\n')
			scopa_text_string(out, before_end);
		scopa_text_char(out, byte);
	}
}

/* Puts a comment after each line, and lines that are comments between. */
static void
vary_comments(const struct scopa_text *lines, struct scopa_text *out)
{
	insert(lines, out, "", "", " # move 7D\n# quit");
}

/* Puts more blanks between words, and CR before LF. */
static void
vary_blanks(const struct scopa_text *lines, struct scopa_text *out)
{
	scopa_text_char(out, ' ');
	insert(lines, out, "", " \t", " \r");
}

/* Puts lines with unknown verbs, and empty lines, between. */
static void
vary_lines(const struct scopa_text *lines, struct scopa_text *out)
{
	insert(lines, out, "x-check a=1\n\n", "", "");
}

/* Gives all seats a name with escaped bytes. */
static void
vary_names(const struct scopa_text *lines, struct scopa_text *out)
{
	const char *at = lines->bytes, *end = at + lines->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t size = (size_t)(newline - at);
		bool is_seat = strncmp(at, "seat ", 5) == 0;

		if (is_seat)
			size = (size_t)(strstr(at, " name=") - at);
		scopa_text_bytes(out, at, size);
		if (is_seat)
			scopa_text_string(out, " name=My%20b%C3%B6t%3D%23%25");
		scopa_text_char(out, '\n');
		at = newline + 1;
	}
}

/*
 * The table of steps.
 */

#define NO_EVENTS PRACTICE_NO_EVENTS
#define EVENTS_ONLY (PRACTICE_NO_STATE | PRACTICE_NO_LEGAL)

/* Steps that concern no rules in particular play this. */
#define PLAIN "scopa"

#define HELLO "usp 1\n", "uspok", true
#define IS_READY "isready\n", "readyok", false

static const struct budget_control each_control[] = {
	{ .kind = BUDGET_DEAL, .base_ms = 60000 },
	{ .kind = BUDGET_MATCH, .base_ms = 60000, .increment_ms = 500 },
	{ .kind = BUDGET_MOVE, .base_ms = 5000 },
};

/* A question without any time: the bot must not wait for ever. */
static const struct budget_control no_control = { .kind = BUDGET_NONE };

static const char *const redeal_packs[] = { "KDKCKS2D|KDKCKS4D|2C3C4C5C" };

/* Fifteen on the table, and thirty. */
static const char *const opening_packs[] = { "2C3C4C6D", "5C7DJSKD" };

/* A low hand with the wild 7 of cups, and three of a kind. */
static const char *const declaration_packs[] = { "4S5D6DKD2B4C7C",
	"4S5D6DKDJSQCKS2B2C2S" };

static const struct step_row first_rows[] = {
	{ 0, "start", "starts, and says a line after `usp 1`", run_start,
	    .hint = "flush stdout after each line (python: print(..., "
		    "flush=True); C: setvbuf(stdout, NULL, _IOLBF, 0))" },
	{ 0, "id", "says who it is: `id name=NAME`", run_id,
	    .hint = "print \"id name=mybot\" before \"uspok 1\"; a blank in a "
		    "value is %20" },
	{ 0, "uspok", "ends the handshake with `uspok 1`", run_uspok,
	    .hint = "print \"uspok 1\" after your id and option lines, and "
		    "flush" },
	{ 0, "handshake-lines", "says nothing else in the handshake",
	    run_handshake_lines,
	    .hint = "print only the lines of protocol.md, messages of a bot, "
		    "on stdout, and everything else on stderr" },
	{ 0, "readyok", "answers `isready` with `readyok`", run_readyok,
	    .hint = "answer each \"isready\" with \"readyok\"" },
	{ 0, "quiet", "says nothing until it is asked", run_quiet,
	    .talk = { { HELLO }, { IS_READY } },
	    .hint = "print on stdout only what answers a line, and exit only "
		    "after \"quit\" or the end of the input" },
	{ 0, "isready-again", "answers `isready` each time", run_talk,
	    .talk = { { HELLO }, { IS_READY }, { IS_READY }, { IS_READY },
		{ IS_READY } },
	    .hint = "answer each \"isready\" with \"readyok\", flush stdout "
		    "after each line, and exit only after \"quit\"" },
	{ 0, "newer-usp", "takes a newer `usp 9` and answers `uspok 1`",
	    run_newer_usp,
	    .hint = "never refuse a higher number: answer with your own" },
	{ 0, "loose-lines", "reads blank lines, comments, tabs and CR LF",
	    run_talk,
	    .talk = { { "\n# a comment\n \t usp\t 1 arena=check # version "
			"1\r\n",
			  "uspok", true },
		{ "   \n\tisready  \r\n", "readyok", false } },
	    .hint = "cut the line at a word that begins with #, and split it "
		    "at runs of blanks, tabs and CR" },
	{ 0, "unknown-verb", "skips a line with an unknown verb", run_talk,
	    /* The bot may say `error unknown`, and must go on. */
	    .talk = { { HELLO }, { IS_READY },
		{ "x-check a=1 b\nobserve 1\nisready\n", "readyok", true } },
	    .hint = "skip what you do not know, so that a newer arena can say "
		    "more" },
	{ 0, "quit", "exits with status 0 within 1 s of `quit`", run_talk,
	    .talk = { { HELLO }, { IS_READY } }, .end = END_QUIT,
	    .hint = "leave the loop on \"quit\" and return 0" },
	{ 0, "quit-early", "does the same before `isready`", run_talk,
	    .talk = { { HELLO } }, .end = END_QUIT,
	    .hint = "leave the loop on \"quit\" and return 0" },
	{ 0, "end-of-input", "exits with status 0 when stdin ends", run_talk,
	    .talk = { { HELLO }, { IS_READY } }, .end = END_INPUT,
	    .hint = "treat the end of stdin as \"quit\"" },
	{ 0, "end-at-once", "ends when stdin ends before the first line",
	    run_end_at_once, .hint = "treat the end of stdin as \"quit\"" },
	{ 0, "first-move", "answers the first question with a legal move",
	    run_first_move, .spec = PLAIN,
	    .hint =
		"answer \"go turn=ID ...\" with \"move MOVE turn=ID\", MOVE "
		"being a word of the line \"legal\"" },
	{ 0, "deal", "plays a deal to its end", run_games, .spec = PLAIN },
	{ 0, "match", "plays a match to its target", run_games, .spec = PLAIN,
	    .to_target = true },
	{ 0, "next-match", "plays three matches in one process", run_games,
	    .spec = PLAIN, .games = 3,
	    .hint = "forget everything at \"match\", but stay in the loop at "
		    "\"endmatch\"" },
	{ 0, "unknown-keys", "skips unknown keys", run_games, .spec = PLAIN,
	    .rewrite = vary_keys,
	    .hint = "look values up by their key, not by their place; only "
		    "turn= is always the first word of \"go\"" },
	{ 0, "comments", "skips comments after lines", run_games, .spec = PLAIN,
	    .rewrite = vary_comments,
	    .hint = "cut a line at the first word that begins with #" },
	{ 0, "blanks", "takes any run of blanks between words", run_games,
	    .spec = PLAIN, .rewrite = vary_blanks,
	    .hint = "split lines at runs of blanks, tabs and CR" },
	{ 0, "unknown-lines", "skips lines with unknown verbs in a match",
	    run_games, .spec = PLAIN, .rewrite = vary_lines,
	    .hint = "skip what you do not know, so that a newer arena can say "
		    "more" },
	{ 0, "clock", "keeps each kind of time control", run_games,
	    .spec = PLAIN, .games = COUNTOF(each_control),
	    .controls = each_control,
	    .hint = "time= and inc= are a bank, move= is for one answer; all "
		    "in milliseconds" },
	{ 0, "no-clock", "answers when there is no time limit", run_games,
	    .spec = PLAIN, .controls = &no_control,
	    .hint = "a \"go\" without time= and move= has no limit" },
};

/* After these rows come the presets, a step each. */
static const struct step_row game_rows[] = {
	{ 0, "seats-2", "plays both seats of two", run_seats, .spec = PLAIN },
	{ 0, "seats-3", "plays each seat of three", run_seats, .spec = PLAIN },
	{ 0, "seats-4", "plays each seat of four, alone and in teams",
	    run_seats, .spec = PLAIN },
	{ 0, "seats-6", "plays each seat of six, alone and in teams", run_seats,
	    .spec = PLAIN },
	{ 0, "redeal", "goes on when cards are thrown in", run_games,
	    .packs = redeal_packs, .spec = PLAIN,
	    .hint = "\"redeal\" is followed by another \"table\"" },
	{ 0, "opening", "goes on when the dealer takes the opening table",
	    run_games, .games = 2, .packs = opening_packs, .spec = "cirulla" },
	{ 0, "declarations", "plays where hands can be declared", run_games,
	    .games = 2, .packs = declaration_packs, .spec = "cirulla",
	    .hint = "a move of \"legal\" that begins with ! is a declaration; "
		    "the same seat is asked again after it" },
	{ 0, "long-list", "answers where there are very many legal moves",
	    run_long_list, .spec = "scopone,capture=fifteen,priority=any",
	    .hint = "a line to a bot has up to 65,535 bytes" },
	{ 0, "names", "takes names with %XX", run_games, .spec = PLAIN,
	    .rewrite = vary_names },
	{ 0, "abort", "goes on after a match that was aborted", run_abort,
	    .spec = PLAIN,
	    .hint = "after \"abort match\" comes \"endmatch\", and then "
		    "another match" },
	{ 1, "no-events",
	    "decides from `state` and `legal` alone, in every "
	    "preset",
	    run_presets, .without = NO_EVENTS,
	    .hint = "take everything from the last \"state\" line; a bot "
		    "that follows the events alone says \"feature state=0\"" },
	{ 1, "no-events-seats", "the same with every number of seats",
	    run_all_seats, .spec = PLAIN, .without = NO_EVENTS },
	{ 1, "random-states",
	    "answers in 1,000 positions that do not follow "
	    "each other",
	    run_random_states, .without = NO_EVENTS,
	    .hint = "take everything from the last \"state\" line" },
	{ 2, "events-only", "finds its own moves without `state` and `legal`",
	    run_games, .spec = PLAIN, .without = EVENTS_ONLY,
	    .hint = "follow the events: a \"play\" line says what was laid and "
		    "captured, \"give\" what was dealt" },
	{ 2, "events-only-presets", "the same in every preset", run_presets,
	    .without = EVENTS_ONLY },
	{ 2, "events-only-seats", "the same with every number of seats",
	    run_all_seats, .spec = PLAIN, .without = EVENTS_ONLY },
	{ 2, "events-only-redeal", "the same when cards are thrown in",
	    run_games, .packs = redeal_packs, .spec = PLAIN,
	    .without = EVENTS_ONLY },
	{ 2, "events-only-opening", "the same when the dealer takes the table",
	    run_games, .games = 2, .packs = opening_packs, .spec = "cirulla",
	    .without = EVENTS_ONLY },
	{ 2, "events-only-declarations", "the same where hands are declared",
	    run_games, .games = 2, .packs = declaration_packs,
	    .spec = "cirulla", .without = EVENTS_ONLY },
	{ 2, "events-only-abort", "the same after a match that was aborted",
	    run_abort, .spec = PLAIN, .without = EVENTS_ONLY },
	{ 2, "events-only-parameters",
	    "the same with every value of every "
	    "rule parameter",
	    run_parameters, .without = EVENTS_ONLY,
	    .hint =
		"read the line \"rules\": protocol.md, rule parameters; say "
		"\"error feature\" where you do not play a rule" },
	{ 3, "turn-ids", "gives back the id of each turn", run_turn_ids,
	    .spec = PLAIN,
	    .hint = "answer \"move MOVE turn=ID\" with the first word of "
		    "\"go\"" },
	{ 3, "options", "takes the default and the limits of its options",
	    run_options,
	    .hint = "accept every value that the \"option\" line allows" },
	{ 3, "idle", "computes nothing while it is not to move", run_idle,
	    .spec = PLAIN,
	    .hint = "wait for input with a blocking read; `--ponder` of a "
		    "match allows more, but few tournaments do" },
};

enum { FIRST_COUNT = COUNTOF(first_rows), GAME_COUNT = COUNTOF(game_rows) };

static int
row_count(void)
{
	return FIRST_COUNT + scopa_preset_count + GAME_COUNT;
}

/* The row of a step; those of presets are made here. */
static struct step_row
row_of(int index)
{
	if (index < FIRST_COUNT)
		return first_rows[index];
	index -= FIRST_COUNT;
	if (index < scopa_preset_count)
		return (struct step_row){
			.name = scopa_presets[index].name,
			.sentence = "plays a deal of this preset",
			.run = run_games,
			.spec = scopa_presets[index].name,
		};
	return game_rows[index - scopa_preset_count];
}

int
check_step_count(int level)
{
	int count = 0;

	while (count < row_count() && row_of(count).level <= level)
		count++;
	return count;
}

struct check_step
check_step_describe(int index)
{
	struct step_row row = row_of(index);

	return (struct check_step){
		.number = index + 1,
		.level = row.level,
		.name = row.name,
		.sentence = row.sentence,
		.hint = row.hint,
		.fault.seat = -1,
	};
}

static void
run_step(struct check *check, int index)
{
	const struct step_row row = row_of(index);
	struct check_step *step = &check->step;

	*step = check_step_describe(index);
	check->until_ns = clock_now_ns() + STEP_NS;
	check->row = &row;
	if (is_of_kind(check))
		row.run(check);
	if (check->conversation != NULL && check->conversation->error)
		check->error = check->conversation->error;
	conversation_close(check->conversation);
	check->conversation = NULL;
	/* After a failure the process may be in any state. */
	if (step->outcome == CHECK_FAILED)
		play_end(check);
	if (check->error == 0)
		check->order->on_step(check->order->context, step);
	for (int i = 0; i < step->line_count; i++)
		free(step->lines[i].text);
}

int
check_run(const struct check_order *order, struct check_result *result)
{
	struct shuffle_key key = { { 0 } };
	struct check *check = calloc(1, sizeof(*check));
	const int failures_max = order->fail_fast ? 1 : CHECK_FAILURES_MAX;
	int count = check_step_count(order->level), error;

	if (check == NULL)
		return -ENOMEM;
	*result = (struct check_result){ .level = -1 };
	check->order = order;
	memcpy(key.bytes, &order->seed, sizeof(order->seed));
	shuffle_stream_init(&check->random, &key);
	for (int i = 0; i < count; i++) {
		int level = row_of(i).level;

		/* Steps of a higher level are left out after a failure. */
		if (result->failed >= failures_max ||
		    (result->failed > 0 && check->start_fault.seat >= 0 &&
			check->step.fault.seat >= 0) ||
		    (result->failed > 0 && level > row_of(i - 1).level)) {
			result->stopped = true;
			break;
		}
		run_step(check, i);
		if (check->error != 0)
			break;
		result->passed += check->step.outcome == CHECK_PASSED;
		result->failed += check->step.outcome == CHECK_FAILED;
		result->skipped += check->step.outcome == CHECK_SKIPPED;
		if (result->failed == 0 &&
		    (i + 1 == row_count() || row_of(i + 1).level > level))
			result->level = level;
	}
	memcpy(result->name, check->session.name, sizeof(result->name));
	practice_close(check->practice);
	for (int i = 0; i < check->option_count; i++)
		free(check->options[i]);
	error = check->error;
	free(check);
	return error;
}
