/*
 * What the lines of the record, and those that seats hear, must say.
 */
#include <stdio.h>
#include <string.h>

#include "fuzz.h"
#include "judge.h"

/* An event whose line is the one that it writes. */
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

/* Only who did it is blamed, and for what it did. */
static void
check_blame(struct judge *judge, const struct event_offence *offence)
{
	struct judge_seat *seat = &judge->seats[offence->seat];
	const struct budget_control *control =
	    &judge->table->referee.settings.control;
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
	/* Before the first deal nothing but a bad start can be blamed. */
	if (judge->deal == 0)
		fuzz_check(is_kind(offence->kind, OFFENCE_STARTUP));
	else
		fuzz_check(
		    is_kind(offence->kind, (enum offence_kind)seat->gone));
}

static void
take_offence(struct judge *judge, const struct event_offence *offence)
{
	const struct referee_settings *settings =
	    &judge->table->referee.settings;
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
take_play(struct judge *judge, const struct event_play *play)
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

/* The arena declares for a seat without saying so; `auto` is nobody's move. */
static void
take_declare(struct judge *judge, const struct event_play *play)
{
	if (judge->moved_for == play->seat)
		judge->moved_for = JUDGE_NOTHING;
	else if (play->time_us >= 0)
		fuzz_check(play->seat == judge->seat &&
		    judge->kind == JUDGE_MOVE &&
		    judge->seats[play->seat].answered);
}

static void
take_end(struct judge *judge, const struct event_end *end)
{
	const struct scopa_rules *rules = &judge->table->rules;
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

/* One outcome for every deal, and one for every game. */
static void
take_event(struct judge *judge, const struct event *event)
{
	bool match = event->kind == EVENT_MATCH;

	fuzz_check(judge->in_game || match);
	judge->released |= match || event->kind == EVENT_ENDDEAL ||
	    event->kind == EVENT_ENDMATCH;
	/* A game that is lost is over. */
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
		take_end(judge, &event->end);
	} else if (event->kind == EVENT_VOID) {
		fuzz_check(judge->seats[event->void_turn.seat].voided);
		judge->seats[event->void_turn.seat].voided = false;
	} else if (event->kind == EVENT_PONDER) {
		fuzz_check(
		    judge->table->referee.seats[event->ponder.seat].off_cpu_ns >
		    0);
	} else if (event->kind == EVENT_OFFENCE) {
		take_offence(judge, &event->offence);
	} else if (event->kind == EVENT_PLAY) {
		fuzz_check(judge->in_deal);
		take_play(judge, &event->play);
	} else if (event->kind == EVENT_DECLARE) {
		take_declare(judge, &event->play);
	}
}

void
judge_read_record(struct judge *judge)
{
	const struct table_text *record = &judge->table->record;
	static struct event event;

	while (judge->looked < record->length) {
		const char *line = record->bytes + judge->looked;
		size_t length = strcspn(line, "\n");

		parse(line, length, &event);
		take_event(judge, &event);
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
take_go(struct judge *judge, int index, const char *line, size_t length)
{
	struct judge_seat *seat = &judge->seats[index];
	const struct referee_settings *settings =
	    &judge->table->referee.settings;
	const struct budget_control *control = &settings->control;
	char wanted[128];

	fuzz_check(!seat->asked);
	seat->asked = true;
	seat->unread = judge->table->blocked[index];
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
	fuzz_check(end->you != EVENT_OUTCOME_NONE);
}

/* An event may be told to this seat, and tells of no card that is not its. */
static void
take_told(const struct judge *judge, int index, const char *line, size_t length)
{
	static struct event event;

	parse(line, length, &event);
	fuzz_check(!event_is_record_only(event.kind));
	if (event.kind == EVENT_GIVE && event.cards.seat != index)
		fuzz_check(event.cards.cards == SCOPA_SET_EMPTY);
	else if (event.kind == EVENT_PLAY || event.kind == EVENT_DECLARE)
		fuzz_check(event.play.time_us == -1);
	else if (event.kind == EVENT_MATCH)
		fuzz_check(event.match.you == index);
	else if (event.kind == EVENT_SEAT)
		fuzz_check(
		    event.seat.version[0] == '\0' && !event.seat.sees_all);
	else if (event.kind == EVENT_ENDMATCH)
		check_outcome(
		    &event.end, scopa_team_of(&judge->table->rules, index));
}

static void
take_heard(struct judge *judge, int index, const char *line, size_t length)
{
	static const char *const talk[] = { "usp", "isready", "setoption",
		"state", "legal" };
	struct judge_seat *seat = &judge->seats[index];

	if (begins(line, "go")) {
		take_go(judge, index, line, length);
		return;
	}
	if (begins(line, "illegal")) {
		fuzz_check(
		    index == judge->seat && judge->kind == JUDGE_MOVE_BAD);
		return;
	}
	if (begins(line, "error")) {
		/* Nobody is told of what others said. */
		fuzz_check(seat->spoke);
		fuzz_check(++seat->error_count <= SESSION_ERRORS_MAX);
		return;
	}
	if (begins(line, "cards")) {
		const struct referee *referee = &judge->table->referee;

		/* Only who has asked for it is shown all, and only there. */
		fuzz_check(judge->table->order.analysis);
		fuzz_check(referee->seats[index].session.features.analysis);
		return;
	}
	for (size_t i = 0; i < sizeof(talk) / sizeof(talk[0]); i++)
		if (begins(line, talk[i]))
			return;
	take_told(judge, index, line, length);
}

void
judge_read_heard(struct judge *judge)
{
	for (int i = 0; i < judge->table->rules.players; i++) {
		const struct table_text *heard = &judge->table->seats[i].heard;
		struct judge_seat *seat = &judge->seats[i];

		if (seat->looked == heard->length)
			continue;
		while (seat->looked < heard->length) {
			const char *line = heard->bytes + seat->looked;
			size_t length = strcspn(line, "\n");

			take_heard(judge, i, line, length);
			seat->looked += length + 1;
		}
		seat->spoke = false;
	}
}
