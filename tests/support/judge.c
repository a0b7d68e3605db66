#include "judge.h"

#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "fuzz.h"
#include "support.h"
#include "words.h"

__attribute__((section("__libfuzzer_extra_counters")))
uint8_t judge_pairs[JUDGE_STATE_COUNT][JUDGE_PHASE_COUNT][JUDGE_KIND_COUNT];

/* Verbs that are always of one kind. */
static const struct {
	const char *name;
	enum judge_kind kind;
} verbs[] = {
	{ "info", JUDGE_INFO },
	{ "readyok", JUDGE_READYOK },
	{ "id", JUDGE_ID },
	{ "option", JUDGE_OPTION },
	{ "feature", JUDGE_FEATURE },
	{ "uspok", JUDGE_USPOK },
	{ "error", JUDGE_ERROR },
};

enum {
	STARTING = SESSION_HELLO | SESSION_SETUP,
	ASKED = SESSION_IDLE | SESSION_THINK,
	LIVING = STARTING | ASKED,
	ANY_PHASE = (1 << JUDGE_PHASE_COUNT) - 1
};

static int
phase_index(enum session_phase phase)
{
	int index = 0;

	while (1 << index != (int)phase)
		index++;
	fuzz_check(index < JUDGE_PHASE_COUNT);
	return index;
}

static const struct session *
session_of(const struct judge *judge, int seat)
{
	return &judge->match->referee.seats[seat].session;
}

static const struct budget_control *
control_of(const struct judge *judge)
{
	return &judge->match->referee.settings.control;
}

static enum judge_state
state_of(const struct judge *judge)
{
	const struct referee *referee = &judge->match->referee;

	if (referee->ended)
		return JUDGE_OVER;
	return referee->opened ? JUDGE_PLAY : JUDGE_BEFORE;
}

void
judge_init(struct judge *judge, struct mock_match *match)
{
	memset(judge, 0, sizeof(*judge));
	judge->match = match;
	judge->forfeited_by = judge->moved_for = JUDGE_NOTHING;
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		judge->seats[i].deadline_ns = BUDGET_NEVER;
		judge->seats[i].once = judge->seats[i].gone = JUDGE_NOTHING;
	}
}

static void
count_pair(const struct judge *judge, int seat, enum judge_kind kind)
{
	int phase = phase_index(session_of(judge, seat)->phase);

	judge_pairs[state_of(judge)][phase][kind] = 1;
}

static void
count_pairs(const struct judge *judge, enum judge_kind kind)
{
	for (int seat = 0; seat < judge->match->rules.players; seat++)
		count_pair(judge, seat, kind);
}

/* Whether a word is in the list of all legal moves. */
static bool
is_legal(const struct judge *judge, struct word word)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	const struct game *game = &judge->match->referee.game;
	struct scopa_move move;
	int count;

	memset(&move, 0, sizeof(move));
	if (scopa_move_parse(word.bytes, word.length, &move) != SCOPA_PARSED)
		return false;
	count = scopa_moves(&game->rules, &game->deal, moves, SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++)
		if (scopa_move_equal(&moves[i], &move))
			return true;
	return false;
}

static enum judge_kind
kind_of_move(const struct judge *judge, const struct words *words,
    const struct referee_input *input)
{
	const struct judge_seat *seat = &judge->seats[input->seat];
	struct word id = words_find(words, "turn");

	if (session_of(judge, input->seat)->phase != SESSION_THINK)
		return JUDGE_MOVE;
	if (id.bytes &&
	    (id.length != sizeof(seat->turn_id) ||
		memcmp(id.bytes, seat->turn_id, id.length) != 0))
		return JUDGE_MOVE_STALE;
	if (input->now_ns > seat->deadline_ns)
		return JUDGE_MOVE_LATE;
	if (words->count > 1 && is_legal(judge, words->word[1]))
		return JUDGE_MOVE;
	return JUDGE_MOVE_BAD;
}

static enum judge_kind
kind_of_line(const struct judge *judge, const struct referee_input *input)
{
	struct words words;

	words_split(input->line, input->length, &words);
	if (words.count == 0)
		return JUDGE_EMPTY;
	if (word_is(words.word[0], "move"))
		return kind_of_move(judge, &words, input);
	if (word_is(words.word[0], "error") && words.count > 1 &&
	    word_is(words.word[1], "fatal"))
		return JUDGE_FATAL;
	for (size_t i = 0; i < COUNTOF(verbs); i++)
		if (word_is(words.word[0], verbs[i].name))
			return verbs[i].kind;
	return JUDGE_UNKNOWN;
}

static enum judge_kind
kind_of(const struct judge *judge, const struct referee_input *input)
{
	switch (input->kind) {
	case REFEREE_START:
		return JUDGE_START;
	case REFEREE_LINE:
		return kind_of_line(judge, input);
	case REFEREE_FLAW:
		return JUDGE_FLAW;
	case REFEREE_FLOOD:
		return JUDGE_FLOOD;
	case REFEREE_EXIT:
		return JUDGE_EXIT;
	case REFEREE_DEADLINE:
		return JUDGE_DEADLINE;
	case REFEREE_LAG:
		return JUDGE_LAG;
	case REFEREE_OPEN:
		return JUDGE_OPEN;
	case REFEREE_PACK:
		return JUDGE_PACK;
	case REFEREE_ABORT:
		return JUDGE_ABORT;
	case REFEREE_VOID:
	case REFEREE_PONDER:
		/* Scripted bots never compute. */
		break;
	}
	return JUDGE_KIND_COUNT;
}

static void
fill_bank(struct judge *judge, bool all)
{
	const struct budget_control *control = control_of(judge);

	for (int i = 0; i < SCOPA_SEATS_MAX; i++)
		if (all || control->kind == BUDGET_DEAL)
			judge->seats[i].left_ns =
			    control->base_ms * BUDGET_NS_PER_MS;
}

/* The seat answers, well or badly, and its time is subtracted. */
static void
charge_time(struct judge *judge, int index, int64_t now_ns)
{
	const struct budget_control *control = control_of(judge);
	struct judge_seat *seat = &judge->seats[index];
	bool bank =
	    control->kind == BUDGET_MATCH || control->kind == BUDGET_DEAL;

	seat->used_ns = now_ns - seat->asked_ns;
	if (seat->used_ns < 0)
		seat->used_ns = 0;
	seat->asked = false;
	seat->answered = true;
	seat->deadline_ns = BUDGET_NEVER;
	if (!bank)
		return;
	seat->left_ns -= seat->used_ns;
	if (seat->left_ns < 0)
		seat->left_ns = 0;
	seat->left_ns += control->increment_ms * BUDGET_NS_PER_MS;
}

/* It has played before, and is not ready for this game yet. */
static bool
is_between_games(const struct judge_seat *seat)
{
	return seat->was_ready && seat->phase == SESSION_SETUP;
}

/* The bot is lost, for this reason; between two games another one may come. */
static void
expect_loss(struct judge *judge, int index, enum offence_kind kind)
{
	struct judge_seat *seat = &judge->seats[index];

	if (seat->phase == SESSION_GONE)
		return;
	seat->deadline_ns = BUDGET_NEVER;
	if (judge->kind == JUDGE_EXIT && seat->phase == SESSION_ABSENT)
		return;
	if (judge->kind != JUDGE_DEADLINE && is_between_games(seat))
		return;
	seat->gone = (int)(seat->phase & STARTING ? OFFENCE_STARTUP : kind);
	seat->asked = false;
}

/* The bot is sent `isready`, and must answer it. */
static void
expect_discard(struct judge *judge, struct judge_seat *seat)
{
	seat->unready = judge->match->blocked[seat - judge->seats];
	seat->deadline_ns = judge->now_ns + MOCK_HANG_NS;
}

static void
expect_deadlines(struct judge *judge)
{
	for (int i = 0; i < judge->match->rules.players; i++) {
		struct judge_seat *seat = &judge->seats[i];

		if (seat->deadline_ns > judge->now_ns)
			continue;
		count_pair(judge, i, JUDGE_DEADLINE);
		if (seat->phase == SESSION_THINK) {
			seat->once = OFFENCE_TIMEOUT;
			charge_time(judge, i, judge->now_ns);
			expect_discard(judge, seat);
		} else {
			expect_loss(judge, i, OFFENCE_CRASH);
		}
	}
}

/* What the event means for its seat and the clock of this seat. */
static void
expect_own_input(struct judge *judge, struct judge_seat *seat)
{
	bool thinking = seat->phase == SESSION_THINK;

	switch ((int)judge->kind) {
	case JUDGE_START:
		seat->deadline_ns = judge->now_ns + MOCK_STARTUP_NS;
		seat->gone = JUDGE_NOTHING;
		seat->was_ready = false;
		seat->error_count = 0;
		break;
	case JUDGE_MOVE_BAD:
		seat->once = OFFENCE_ILLEGAL;
		charge_time(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_MOVE_LATE:
		seat->once = OFFENCE_TIMEOUT;
		charge_time(judge, judge->seat, judge->now_ns);
		expect_discard(judge, seat);
		break;
	case JUDGE_MOVE:
		if (thinking)
			charge_time(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_READYOK:
		if (seat->phase & (SESSION_SETUP | SESSION_STALE))
			seat->deadline_ns = BUDGET_NEVER;
		break;
	case JUDGE_FATAL:
		if (seat->phase & LIVING)
			expect_loss(judge, judge->seat, OFFENCE_CRASH);
		break;
	case JUDGE_FLAW:
		if (seat->phase & STARTING && !is_between_games(seat))
			expect_loss(judge, judge->seat, OFFENCE_STARTUP);
		if (!thinking)
			break;
		seat->once = OFFENCE_PROTOCOL;
		charge_time(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_FLOOD:
		expect_loss(judge, judge->seat, OFFENCE_PROTOCOL);
		break;
	case JUDGE_EXIT:
		expect_loss(judge, judge->seat, OFFENCE_CRASH);
		break;
	default:
		break;
	}
}

/* An event within another one: a game or a deal begins. */
static void
expect_inner_input(struct judge *judge, enum judge_kind kind)
{
	count_pairs(judge, kind);
	fill_bank(judge, kind == JUDGE_OPEN);
	if (kind != JUDGE_OPEN)
		return;
	judge->opened = true;
	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		judge->seats[i].strikes = 0;
		judge->seats[i].voided = judge->seats[i].lagged;
		judge->seats[i].lagged = false;
	}
}

/* The arena did not run: each running time limit starts again. */
static void
expect_lag(struct judge *judge, struct judge_seat *seat)
{
	const struct referee_settings *settings =
	    &judge->match->referee.settings;

	if (seat->asked) {
		seat->asked_ns = judge->now_ns;
		if (settings->control.kind != BUDGET_NONE)
			seat->deadline_ns =
			    judge->now_ns + seat->left_ns + settings->margin_ns;
	} else if (seat->phase & STARTING) {
		seat->deadline_ns = judge->now_ns + MOCK_STARTUP_NS;
	} else if (seat->phase == SESSION_STALE) {
		seat->deadline_ns = judge->now_ns + MOCK_HANG_NS;
	} else {
		return;
	}
	seat->voided = judge->state == JUDGE_PLAY;
	seat->lagged = judge->state == JUDGE_BEFORE;
}

/* The question is cancelled. */
static void
expect_abort(struct judge *judge, struct judge_seat *seat)
{
	if (seat->phase != SESSION_THINK)
		return;
	seat->asked = false;
	expect_discard(judge, seat);
}

void
judge_before(struct judge *judge, const struct referee_input *input)
{
	enum judge_kind kind = kind_of(judge, input);

	if (kind == JUDGE_OPEN || kind == JUDGE_PACK) {
		expect_inner_input(judge, kind);
		return;
	}
	judge->kind = kind;
	judge->state = state_of(judge);
	judge->now_ns = input->now_ns;
	judge->opened = judge->released = false;
	judge->seat = JUDGE_NOTHING;
	for (int i = 0; i < judge->match->rules.players; i++) {
		judge->seats[i].phase = session_of(judge, i)->phase;
		judge->seats[i].once = JUDGE_NOTHING;
		judge->seats[i].answered = false;
		judge->seats[i].sent = judge->match->seats[i].sent.length;
	}
	if (kind == JUDGE_DEADLINE) {
		expect_deadlines(judge);
	} else if (kind == JUDGE_ABORT || kind == JUDGE_LAG) {
		count_pairs(judge, kind);
		for (int i = 0; i < judge->match->rules.players; i++)
			if (kind == JUDGE_LAG)
				expect_lag(judge, &judge->seats[i]);
			else
				expect_abort(judge, &judge->seats[i]);
	} else {
		judge->seat = input->seat;
		judge->seats[input->seat].spoke = true;
		count_pair(judge, input->seat, kind);
		expect_own_input(judge, &judge->seats[input->seat]);
	}
}

/* Reads an event, which must be written as the same line. */
static void
parse(const char *line, size_t length, struct event *event)
{
	static char bytes[EVENT_LINE_SIZE];
	char why_bytes[512];
	struct scopa_text text, why;

	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	fuzz_check(event_parse(line, length, event, &why) == EVENT_PARSED);
	fuzz_check(why.length == 0);
	scopa_text_init(&text, bytes, sizeof(bytes));
	event_format(event, &text);
	fuzz_check(!text.cut && text.length == length);
	fuzz_check(memcmp(text.bytes, line, length) == 0);
}

static bool
is_kind(const char *name, enum offence_kind kind)
{
	return strcmp(name, offence_name(kind)) == 0;
}

/* The offence must be that of the seat that has committed it. */
static void
check_blame(struct judge *judge, const struct event_offence *offence)
{
	struct judge_seat *seat = &judge->seats[offence->seat];
	const struct budget_control *control =
	    &judge->match->referee.settings.control;
	bool bank =
	    control->kind == BUDGET_MATCH || control->kind == BUDGET_DEAL;

	if (seat->once >= 0) {
		fuzz_check(
		    is_kind(offence->kind, (enum offence_kind)seat->once));
		if (seat->once == OFFENCE_TIMEOUT)
			fuzz_check(strcmp(offence->reason,
				       seat->unread ? "UNREAD"
					   : bank   ? "FLAG"
						    : "TIMEOUT") == 0);
		if (seat->once == OFFENCE_PROTOCOL)
			fuzz_check(strcmp(offence->reason, "BAD_LINE") == 0);
		seat->once = JUDGE_NOTHING;
		return;
	}
	fuzz_check(seat->gone >= 0);
	if (seat->gone == OFFENCE_STARTUP)
		fuzz_check(strncmp(offence->reason, "HS_", 3) == 0);
	/* Before the first deal only a failed start is an offence. */
	if (judge->deal == 0)
		fuzz_check(is_kind(offence->kind, OFFENCE_STARTUP));
	else
		fuzz_check(
		    is_kind(offence->kind, (enum offence_kind)seat->gone));
}

static void
check_offence(struct judge *judge, const struct event_offence *offence)
{
	const struct referee_settings *settings =
	    &judge->match->referee.settings;
	struct judge_seat *seat = &judge->seats[offence->seat];
	bool substitute = settings->policy == POLICY_SUBSTITUTE;

	check_blame(judge, offence);
	seat->strikes++;
	fuzz_check(offence->strikes == (substitute ? seat->strikes : 0));
	if (!substitute || seat->strikes >= settings->strikes_max ||
	    is_kind(offence->kind, OFFENCE_STARTUP))
		judge->forfeited_by = offence->seat;
	else
		judge->moved_for = offence->seat;
	fuzz_check(strcmp(offence->policy,
		       policy_name(policy_at(settings->policy, seat->strikes,
			   settings->strikes_max))) == 0);
}

static void
check_play(struct judge *judge, const struct event_play *play)
{
	const struct judge_seat *seat = &judge->seats[play->seat];

	if (play->by_arena) {
		fuzz_check(judge->moved_for == play->seat);
		judge->moved_for = JUDGE_NOTHING;
		fuzz_check(play->time_us == -1);
		return;
	}
	fuzz_check(judge->moved_for == JUDGE_NOTHING);
	fuzz_check(play->seat == judge->seat);
	fuzz_check(judge->kind == JUDGE_MOVE && seat->answered);
	fuzz_check(play->time_us == seat->used_ns / 1000);
}

/*
 * A declaration of the arena for a seat has no mark; automatic declarations
 * have no time.
 */
static void
check_declare(struct judge *judge, const struct event_play *play)
{
	if (judge->moved_for == play->seat)
		judge->moved_for = JUDGE_NOTHING;
	else if (play->time_us >= 0)
		fuzz_check(play->seat == judge->seat &&
		    judge->kind == JUDGE_MOVE &&
		    judge->seats[play->seat].answered);
}

static void
check_end(struct judge *judge, const struct event_end *end)
{
	const struct scopa_rules *rules = &judge->match->rules;
	int loser = judge->forfeited_by;

	fuzz_check(judge->in_game && !judge->in_deal);
	judge->in_game = false;
	judge->deal = 0;
	if (loser < 0) {
		fuzz_check(end->by == SCOPA_TEAM_NONE);
		fuzz_check(strcmp(end->reason, "forfeit") != 0);
		fuzz_check((strcmp(end->reason, "abort") == 0) ==
		    (judge->kind == JUDGE_ABORT));
		return;
	}
	fuzz_check(strcmp(end->reason, "forfeit") == 0);
	fuzz_check(end->by == scopa_team_of(rules, loser));
	fuzz_check(end->winner != end->by);
	judge->forfeited_by = JUDGE_NOTHING;
}

/* Each deal and each game has one end. */
static void
check_record_line(struct judge *judge, const struct event *event)
{
	bool match = event->kind == EVENT_MATCH;

	fuzz_check(judge->in_game || match);
	judge->released |= match || event->kind == EVENT_ENDDEAL ||
	    event->kind == EVENT_ENDMATCH;
	/* After a forfeit the game ends. */
	if (judge->forfeited_by >= 0)
		fuzz_check(event->kind == EVENT_PONDER ||
		    event->kind == EVENT_ABORT ||
		    event->kind == EVENT_ENDMATCH);
	if (judge->moved_for >= 0)
		fuzz_check(
		    event->kind == EVENT_PLAY || event->kind == EVENT_DECLARE);
	if (match) {
		fuzz_check(!judge->in_game && judge->opened);
		judge->in_game = true;
		judge->deal = 0;
	} else if (event->kind == EVENT_DEAL) {
		fuzz_check(!judge->in_deal);
		fuzz_check(event->deal.number == ++judge->deal);
		judge->in_deal = true;
	} else if (event->kind == EVENT_ENDDEAL) {
		fuzz_check(judge->in_deal);
		fuzz_check(event->number == judge->deal);
		judge->in_deal = false;
	} else if (event->kind == EVENT_ABORT) {
		judge->in_deal = false;
		fuzz_check((judge->forfeited_by >= 0) ==
		    (strcmp(event->abort.reason, "forfeit") == 0));
	} else if (event->kind == EVENT_ENDMATCH) {
		check_end(judge, &event->end);
	} else if (event->kind == EVENT_VOID) {
		fuzz_check(judge->seats[event->void_turn.seat].voided);
		judge->seats[event->void_turn.seat].voided = false;
	} else if (event->kind == EVENT_PONDER) {
		fuzz_check(
		    judge->match->referee.seats[event->ponder.seat].off_cpu_ns >
		    0);
	} else if (event->kind == EVENT_OFFENCE) {
		check_offence(judge, &event->offence);
	} else if (event->kind == EVENT_PLAY) {
		fuzz_check(judge->in_deal);
		check_play(judge, &event->play);
	} else if (event->kind == EVENT_DECLARE) {
		check_declare(judge, &event->play);
	}
}

static void
read_record(struct judge *judge)
{
	const struct mock_text *record = &judge->match->record;
	static struct event event;

	while (judge->looked < record->length) {
		const char *line = record->bytes + judge->looked;
		size_t length = strcspn(line, "\n");

		parse(line, length, &event);
		check_record_line(judge, &event);
		judge->looked += length + 1;
	}
}

static bool
begins(const char *line, const char *word)
{
	size_t length = strlen(word);

	return strncmp(line, word, length) == 0 &&
	    (line[length] == ' ' || line[length] == '\n');
}

/* `go turn=ID time=MS inc=MS`, `go turn=ID move=MS` */
static void
check_go(struct judge *judge, int index, const char *line, size_t length)
{
	struct judge_seat *seat = &judge->seats[index];
	const struct referee_settings *settings =
	    &judge->match->referee.settings;
	const struct budget_control *control = &settings->control;
	char wanted[128];

	fuzz_check(!seat->asked);
	seat->asked = true;
	seat->unread = judge->match->blocked[index];
	seat->asked_ns = judge->now_ns;
	seat->deadline_ns = BUDGET_NEVER;
	if (control->kind != BUDGET_NONE)
		seat->deadline_ns =
		    seat->asked_ns + seat->left_ns + settings->margin_ns;
	fuzz_check(length >= 8 + sizeof(seat->turn_id));
	memcpy(seat->turn_id, line + 8, sizeof(seat->turn_id));
	if (control->kind == BUDGET_NONE)
		wanted[0] = '\0';
	else if (control->kind == BUDGET_MOVE)
		snprintf(wanted, sizeof(wanted), " move=%lld",
		    (long long)(seat->left_ns / BUDGET_NS_PER_MS));
	else
		snprintf(wanted, sizeof(wanted), " time=%lld inc=%lld",
		    (long long)(seat->left_ns / BUDGET_NS_PER_MS),
		    (long long)control->increment_ms);
	line += 8 + sizeof(seat->turn_id);
	length -= 8 + sizeof(seat->turn_id);
	fuzz_check(
	    length == strlen(wanted) && memcmp(line, wanted, length) == 0);
}

static void
check_outcome(const struct event_end *end, int team)
{
	bool drawn = end->winner == SCOPA_TEAM_NONE && end->by != team;

	fuzz_check((end->you == EVENT_WIN) == (end->winner == team));
	fuzz_check((end->you == EVENT_DRAW) == drawn);
}

void
judge_event(const struct event *event, int seat)
{
	fuzz_check(!event_is_record_only(event->kind));
	if (event->kind == EVENT_GIVE && event->cards.seat != seat)
		fuzz_check(event->cards.cards == SCOPA_SET_EMPTY);
	else if (event->kind == EVENT_PLAY || event->kind == EVENT_DECLARE)
		fuzz_check(event->play.time_us == -1);
	else if (event->kind == EVENT_MATCH)
		fuzz_check(event->match.you == seat);
	else if (event->kind == EVENT_SEAT)
		fuzz_check(
		    event->seat.version[0] == '\0' && !event->seat.sees_all);
	else if (event->kind == EVENT_ENDMATCH)
		fuzz_check(event->end.you != EVENT_OUTCOME_NONE);
}

static void
check_event_line(
    const struct judge *judge, int index, const char *line, size_t length)
{
	static struct event event;

	parse(line, length, &event);
	judge_event(&event, index);
	if (event.kind == EVENT_ENDMATCH)
		check_outcome(
		    &event.end, scopa_team_of(&judge->match->rules, index));
}

static void
check_received_line(
    struct judge *judge, int index, const char *line, size_t length)
{
	static const char *const talk[] = { "usp", "isready", "setoption",
		"state", "legal" };
	struct judge_seat *seat = &judge->seats[index];

	if (begins(line, "go")) {
		check_go(judge, index, line, length);
		return;
	}
	if (begins(line, "illegal")) {
		fuzz_check(
		    index == judge->seat && judge->kind == JUDGE_MOVE_BAD);
		return;
	}
	if (begins(line, "error")) {
		/* Errors are sent only to a seat that has sent a line. */
		fuzz_check(seat->spoke);
		fuzz_check(++seat->error_count <= SESSION_ERRORS_MAX);
		return;
	}
	if (begins(line, "cards")) {
		const struct referee *referee = &judge->match->referee;

		/*
		 * All cards are sent only to a bot that has asked for them, in
		 * a game for analysis.
		 */
		fuzz_check(judge->match->order.analysis);
		fuzz_check(referee->seats[index].session.features.analysis);
		return;
	}
	for (size_t i = 0; i < COUNTOF(talk); i++)
		if (begins(line, talk[i]))
			return;
	check_event_line(judge, index, line, length);
}

static void
read_sent_lines(struct judge *judge)
{
	for (int i = 0; i < judge->match->rules.players; i++) {
		const struct mock_text *sent = &judge->match->seats[i].sent;
		struct judge_seat *seat = &judge->seats[i];

		if (seat->looked == sent->length)
			continue;
		while (seat->looked < sent->length) {
			const char *line = sent->bytes + seat->looked;
			size_t length = strcspn(line, "\n");

			check_received_line(judge, i, line, length);
			seat->looked += length + 1;
		}
		seat->spoke = false;
	}
}

void
judge_unblock(struct judge *judge, int index)
{
	struct judge_seat *seat = &judge->seats[index];
	const struct referee *referee = &judge->match->referee;
	bool held = judge->match->held[index];

	if (held)
		count_pair(judge, index, JUDGE_SENT);
	mock_unblock(judge->match, index);
	if (!held)
		return;
	/* The time of a question has run since it was asked. */
	seat->unread = false;
	if (seat->unready && session_of(judge, index)->phase == SESSION_STALE)
		seat->deadline_ns = judge->match->now_ns + MOCK_HANG_NS;
	seat->unready = false;
	fuzz_check(referee->seats[index].deadline_ns == seat->deadline_ns);
}

void
judge_reseat(struct judge *judge, const int *from)
{
	struct judge_seat before[SCOPA_SEATS_MAX];

	count_pairs(judge, JUDGE_RESEAT);
	memcpy(before, judge->seats, sizeof(before));
	for (int i = 0; i < judge->match->rules.players; i++) {
		struct judge_seat *seat = &judge->seats[i];
		const struct session *session = session_of(judge, from[i]);

		*seat = before[from[i]];
		/* The lines sent are stored by seat, and not by bot. */
		seat->looked = before[i].looked;
		seat->strikes = 0;
		seat->asked = seat->lagged = false;
		seat->gone = JUDGE_NOTHING;
		seat->was_ready = session->phase == SESSION_IDLE;
		if (seat->was_ready)
			seat->deadline_ns =
			    judge->match->now_ns + MOCK_STARTUP_NS;
	}
	judge->seat = JUDGE_NOTHING;
	judge->kind = JUDGE_RESEAT;
	mock_reseat(judge->match, from);
	read_sent_lines(judge);
	for (int i = 0; i < judge->match->rules.players; i++) {
		const struct referee_seat *seat =
		    &judge->match->referee.seats[i];

		fuzz_check(seat->deadline_ns == judge->seats[i].deadline_ns);
		fuzz_check(seat->session.phase != SESSION_GONE);
		fuzz_check(seat->session.phase != SESSION_THINK);
		fuzz_check(seat->strikes == 0 && seat->think_ns == 0);
	}
}

/*
 * The phases after an event of a bot; with other events its phase does not
 * change.
 */
static const struct {
	enum judge_kind kind;
	unsigned from, to; /* phases */
} transitions[] = {
	{ JUDGE_START, ANY_PHASE, SESSION_HELLO },
	{ JUDGE_MOVE, SESSION_THINK, ASKED },
	{ JUDGE_MOVE_BAD, SESSION_THINK, ASKED },
	{ JUDGE_MOVE_LATE, ANY_PHASE, SESSION_STALE },
	{ JUDGE_READYOK, SESSION_SETUP | SESSION_STALE, ASKED },
	{ JUDGE_USPOK, SESSION_HELLO, SESSION_SETUP | SESSION_GONE },
	{ JUDGE_FATAL, ANY_PHASE & ~(SESSION_ABSENT | SESSION_STALE),
	    SESSION_GONE },
	{ JUDGE_FLAW, STARTING, SESSION_GONE },
	{ JUDGE_FLAW, SESSION_THINK, ASKED },
	{ JUDGE_FLOOD, ANY_PHASE, SESSION_GONE },
	{ JUDGE_EXIT, ANY_PHASE & ~SESSION_ABSENT, SESSION_GONE },
};

static unsigned
phases_after(enum judge_kind kind, const struct judge_seat *seat)
{
	enum session_phase phase = seat->phase;

	if (is_between_games(seat) && kind == JUDGE_FLAW)
		return phase;
	if (is_between_games(seat) &&
	    (kind == JUDGE_FATAL || kind == JUDGE_FLOOD || kind == JUDGE_EXIT))
		return SESSION_ABSENT;
	for (size_t i = 0; i < COUNTOF(transitions); i++)
		if (transitions[i].kind == kind &&
		    (phase & transitions[i].from))
			return transitions[i].to;
	return phase;
}

/* The phases of a bot after an event of another seat. */
static unsigned
phases_after_others(const struct judge *judge, const struct judge_seat *seat)
{
	if (judge->kind == JUDGE_ABORT)
		return seat->phase == SESSION_THINK ? SESSION_STALE
						    : seat->phase;
	if (judge->kind == JUDGE_DEADLINE && seat->answered)
		return SESSION_STALE;
	if (judge->kind == JUDGE_DEADLINE && seat->gone >= 0)
		return SESSION_GONE;
	return seat->phase == SESSION_IDLE ? ASKED : seat->phase;
}

static void
check_phase(const struct judge *judge, int index)
{
	const struct judge_seat *seat = &judge->seats[index];
	const struct session *session =
	    &judge->match->referee.seats[index].session;
	unsigned allowed = index == judge->seat
	    ? phases_after(judge->kind, seat)
	    : phases_after_others(judge, seat);

	fuzz_check(session->phase & allowed);
}

/* A seat that was asked has its deadline and its bank. */
static void
check_clock(const struct judge *judge, int index)
{
	const struct referee_seat *seat = &judge->match->referee.seats[index];

	fuzz_check((seat->session.phase == SESSION_THINK) ==
	    judge->seats[index].asked);
	fuzz_check(seat->deadline_ns == judge->seats[index].deadline_ns);
	if (judge->seats[index].asked)
		fuzz_check(seat->budget.left_ns == judge->seats[index].left_ns);
}

/*
 * Observers are sent all events at once.  Other seats are sent no event of
 * others before they are asked themselves, so that they cannot learn its time.
 */
static void
check_silence(const struct judge *judge, int index)
{
	const struct judge_seat *seat = &judge->seats[index];
	const struct mock_match *match = judge->match;
	const struct session *session = &match->referee.seats[index].session;

	if (session->features.observe)
		fuzz_check(match->outbox.seats[index].length == 0);
	else if (seat->phase == SESSION_IDLE &&
	    session->phase == SESSION_IDLE && index != judge->seat &&
	    judge->state == JUDGE_PLAY && !judge->released)
		fuzz_check(match->seats[index].sent.length == seat->sent);
}

static void
check_game(const struct judge *judge)
{
	const struct referee *referee = &judge->match->referee;
	enum session_phase turn;

	fuzz_check(judge->in_game == (referee->opened && !referee->ended));
	if (!referee->opened || referee->ended)
		return;
	/* Packs are supplied at once, so a seat must be about to move. */
	fuzz_check(referee->game.phase == GAME_MOVE);
	fuzz_check(judge->in_deal);
	fuzz_check(support_deal_is_whole(&referee->game.deal));
	turn = referee->seats[referee->game.deal.turn].session.phase;
	fuzz_check(turn & (SESSION_THINK | SESSION_STALE));
}

void
judge_after(struct judge *judge)
{
	const struct referee *referee = &judge->match->referee;

	/* A bad `uspok` ends the handshake. */
	if (judge->kind == JUDGE_USPOK &&
	    judge->seats[judge->seat].phase == SESSION_HELLO &&
	    referee->seats[judge->seat].session.phase == SESSION_GONE) {
		judge->seats[judge->seat].gone = OFFENCE_STARTUP;
		judge->seats[judge->seat].deadline_ns = BUDGET_NEVER;
	}
	read_record(judge);
	read_sent_lines(judge);
	for (int i = 0; i < judge->match->rules.players; i++) {
		fuzz_check(!judge->seats[i].voided);
		/* Each offence has been recorded. */
		fuzz_check(judge->seats[i].once == JUDGE_NOTHING);
		check_phase(judge, i);
		check_clock(judge, i);
		check_silence(judge, i);
		fuzz_check(
		    referee->seats[i].strikes == judge->seats[i].strikes);
	}
	fuzz_check(judge->forfeited_by == JUDGE_NOTHING);
	fuzz_check(judge->moved_for == JUDGE_NOTHING);
	check_game(judge);
}
