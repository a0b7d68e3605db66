#include "judge.h"

#include <string.h>

#include "fuzz.h"
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
	LIVING = STARTING | SESSION_IDLE | SESSION_THINK
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
	return &judge->table->referee.seats[seat].session;
}

static const struct budget_control *
control_of(const struct judge *judge)
{
	return &judge->table->referee.settings.control;
}

static enum judge_state
state_of(const struct judge *judge)
{
	const struct referee *referee = &judge->table->referee;

	if (referee->ended)
		return JUDGE_OVER;
	return referee->opened ? JUDGE_PLAY : JUDGE_BEFORE;
}

void
judge_init(struct judge *judge, struct table *table)
{
	memset(judge, 0, sizeof(*judge));
	judge->table = table;
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
	for (int seat = 0; seat < judge->table->rules.players; seat++)
		count_pair(judge, seat, kind);
}

/* Whether a word is a legal move, by the list of all of them. */
static bool
is_legal(const struct judge *judge, struct word word)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	const struct game *game = &judge->table->referee.game;
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
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
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
		/* No table of scripted bots computes. */
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

/* The seat answers, well or badly, and pays for its time. */
static void
pay(struct judge *judge, int index, int64_t now_ns)
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

/* The bot is no more, and why. */
static void
lose(struct judge *judge, int index, enum offence_kind kind)
{
	struct judge_seat *seat = &judge->seats[index];

	if (seat->phase == SESSION_GONE)
		return;
	seat->gone = (int)(seat->phase & STARTING ? OFFENCE_STARTUP : kind);
	seat->asked = false;
	seat->deadline_ns = BUDGET_NEVER;
}

static void
meet_deadlines(struct judge *judge)
{
	for (int i = 0; i < judge->table->rules.players; i++) {
		struct judge_seat *seat = &judge->seats[i];

		if (seat->deadline_ns > judge->now_ns)
			continue;
		count_pair(judge, i, JUDGE_DEADLINE);
		if (seat->phase == SESSION_THINK) {
			seat->once = OFFENCE_TIMEOUT;
			pay(judge, i, judge->now_ns);
			seat->deadline_ns = judge->now_ns + TABLE_HANG_NS;
		} else {
			lose(judge, i, OFFENCE_CRASH);
		}
	}
}

/* What a seat has done by the event, and what follows for its clock. */
static void
take_own(struct judge *judge, struct judge_seat *seat)
{
	bool thinking = seat->phase == SESSION_THINK;

	switch (judge->kind) {
	case JUDGE_START:
		seat->deadline_ns = judge->now_ns + TABLE_STARTUP_NS;
		seat->gone = JUDGE_NOTHING;
		seat->error_count = 0;
		break;
	case JUDGE_MOVE_BAD:
		seat->once = OFFENCE_ILLEGAL;
		pay(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_MOVE_LATE:
		seat->once = OFFENCE_TIMEOUT;
		pay(judge, judge->seat, judge->now_ns);
		seat->deadline_ns = judge->now_ns + TABLE_HANG_NS;
		break;
	case JUDGE_MOVE:
		if (thinking)
			pay(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_READYOK:
		if (seat->phase & (SESSION_SETUP | SESSION_STALE))
			seat->deadline_ns = BUDGET_NEVER;
		break;
	case JUDGE_FATAL:
		if (seat->phase & LIVING)
			lose(judge, judge->seat, OFFENCE_CRASH);
		break;
	case JUDGE_FLAW:
		if (seat->phase & STARTING)
			lose(judge, judge->seat, OFFENCE_STARTUP);
		if (!thinking)
			break;
		seat->once = OFFENCE_PROTOCOL;
		pay(judge, judge->seat, judge->now_ns);
		break;
	case JUDGE_FLOOD:
		lose(judge, judge->seat, OFFENCE_PROTOCOL);
		break;
	case JUDGE_EXIT:
		lose(judge, judge->seat, OFFENCE_CRASH);
		break;
	case JUDGE_MOVE_STALE:
	case JUDGE_INFO:
	case JUDGE_ID:
	case JUDGE_OPTION:
	case JUDGE_FEATURE:
	case JUDGE_USPOK:
	case JUDGE_ERROR:
	case JUDGE_UNKNOWN:
	case JUDGE_EMPTY:
	case JUDGE_SENT:
	case JUDGE_DEADLINE:
	case JUDGE_OPEN:
	case JUDGE_PACK:
	case JUDGE_LAG:
	case JUDGE_ABORT:
	case JUDGE_RESEAT:
	case JUDGE_KIND_COUNT:
		break;
	}
}

/* Within another event: a game begins, or a deal. */
static void
take_inner(struct judge *judge, enum judge_kind kind)
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

/* The arena was away: every limit that counted begins anew. */
static void
take_lag(struct judge *judge, struct judge_seat *seat)
{
	const struct referee_settings *settings =
	    &judge->table->referee.settings;

	if (seat->asked) {
		seat->asked_ns = judge->now_ns;
		if (settings->control.kind != BUDGET_NONE)
			seat->deadline_ns =
			    judge->now_ns + seat->left_ns + settings->margin_ns;
	} else if (seat->phase & STARTING) {
		seat->deadline_ns = judge->now_ns + TABLE_STARTUP_NS;
	} else if (seat->phase == SESSION_STALE) {
		seat->deadline_ns = judge->now_ns + TABLE_HANG_NS;
	} else {
		return;
	}
	seat->voided = judge->state == JUDGE_PLAY;
	seat->lagged = judge->state == JUDGE_BEFORE;
}

/* A question that nobody waits for any more. */
static void
take_abort(struct judge *judge, struct judge_seat *seat)
{
	if (seat->phase != SESSION_THINK)
		return;
	seat->asked = false;
	seat->deadline_ns = judge->now_ns + TABLE_HANG_NS;
}

void
judge_before(struct judge *judge, const struct referee_input *input)
{
	enum judge_kind kind = kind_of(judge, input);

	if (kind == JUDGE_OPEN || kind == JUDGE_PACK) {
		take_inner(judge, kind);
		return;
	}
	judge->kind = kind;
	judge->state = state_of(judge);
	judge->now_ns = input->now_ns;
	judge->opened = judge->released = false;
	judge->seat = JUDGE_NOTHING;
	for (int i = 0; i < judge->table->rules.players; i++) {
		judge->seats[i].phase = session_of(judge, i)->phase;
		judge->seats[i].once = JUDGE_NOTHING;
		judge->seats[i].answered = false;
		judge->seats[i].heard = judge->table->seats[i].heard.length;
	}
	if (kind == JUDGE_DEADLINE) {
		meet_deadlines(judge);
	} else if (kind == JUDGE_ABORT || kind == JUDGE_LAG) {
		count_pairs(judge, kind);
		for (int i = 0; i < judge->table->rules.players; i++)
			if (kind == JUDGE_LAG)
				take_lag(judge, &judge->seats[i]);
			else
				take_abort(judge, &judge->seats[i]);
	} else {
		judge->seat = input->seat;
		judge->seats[input->seat].spoke = true;
		count_pair(judge, input->seat, kind);
		take_own(judge, &judge->seats[input->seat]);
	}
}

void
judge_before_sent(struct judge *judge, int seat)
{
	count_pair(judge, seat, JUDGE_SENT);
}

void
judge_after_sent(struct judge *judge, int index)
{
	struct judge_seat *seat = &judge->seats[index];
	const struct referee *referee = &judge->table->referee;

	/* What is sent behind the question gives no more time. */
	if (seat->asked && seat->unread)
		seat->asked_ns = judge->table->now_ns;
	seat->unread = false;
	if (seat->asked && control_of(judge)->kind != BUDGET_NONE)
		seat->deadline_ns = seat->asked_ns + seat->left_ns +
		    referee->settings.margin_ns;
	fuzz_check(referee->seats[index].deadline_ns == seat->deadline_ns);
}

void
judge_before_reseat(struct judge *judge, const int *from)
{
	struct judge_seat before[SCOPA_SEATS_MAX];

	count_pairs(judge, JUDGE_RESEAT);
	memcpy(before, judge->seats, sizeof(before));
	for (int i = 0; i < judge->table->rules.players; i++) {
		struct judge_seat *seat = &judge->seats[i];
		const struct session *session = session_of(judge, from[i]);

		*seat = before[from[i]];
		/* What it hears is kept by where it is heard. */
		seat->looked = before[i].looked;
		seat->strikes = 0;
		seat->asked = seat->lagged = false;
		seat->gone = JUDGE_NOTHING;
		if (session->phase == SESSION_IDLE)
			seat->deadline_ns =
			    judge->table->now_ns + TABLE_STARTUP_NS;
	}
	judge->seat = JUDGE_NOTHING;
	judge->kind = JUDGE_RESEAT;
}

void
judge_after_reseat(struct judge *judge)
{
	judge_read_heard(judge);
	for (int i = 0; i < judge->table->rules.players; i++) {
		const struct referee_seat *seat =
		    &judge->table->referee.seats[i];

		fuzz_check(seat->deadline_ns == judge->seats[i].deadline_ns);
		fuzz_check(seat->session.phase != SESSION_GONE);
		fuzz_check(seat->session.phase != SESSION_THINK);
		fuzz_check(seat->strikes == 0 && seat->think_ns == 0);
	}
}
