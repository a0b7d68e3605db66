/*
 * What must be so after an event: phases, deadlines, offences, cards.
 */
#include <string.h>

#include "fuzz.h"
#include "judge.h"

enum { ASKED = SESSION_IDLE | SESSION_THINK };

/* The phases that a bot's own event may bring it to, from the one it was in. */
static unsigned
phases_after(enum judge_kind kind, enum session_phase phase, bool play)
{
	bool starting = phase & (SESSION_HELLO | SESSION_SETUP);
	bool thinking = phase == SESSION_THINK;
	bool waited = phase & (SESSION_SETUP | SESSION_STALE);

	switch (kind) {
	case JUDGE_START:
		return SESSION_HELLO;
	case JUDGE_MOVE:
	case JUDGE_MOVE_BAD:
		return thinking ? ASKED : phase;
	case JUDGE_MOVE_LATE:
		return SESSION_STALE;
	case JUDGE_READYOK:
		return waited ? ASKED : phase;
	case JUDGE_USPOK:
		return phase == SESSION_HELLO ? SESSION_SETUP | SESSION_GONE
					      : phase;
	case JUDGE_FATAL:
		return phase & (SESSION_ABSENT | SESSION_STALE) ? phase
								: SESSION_GONE;
	case JUDGE_FLAW:
		return starting ? SESSION_GONE : thinking ? ASKED : phase;
	case JUDGE_FLOOD:
	case JUDGE_EXIT:
		return SESSION_GONE;
	case JUDGE_ABORT:
		return thinking && play ? SESSION_STALE : phase;
	case JUDGE_MOVE_STALE:
	case JUDGE_INFO:
	case JUDGE_ID:
	case JUDGE_OPTION:
	case JUDGE_FEATURE:
	case JUDGE_ERROR:
	case JUDGE_UNKNOWN:
	case JUDGE_EMPTY:
	case JUDGE_SENT:
	case JUDGE_DEADLINE:
	case JUDGE_OPEN:
	case JUDGE_PACK:
	case JUDGE_LAG:
	case JUDGE_RESEAT:
	case JUDGE_KIND_COUNT:
		break;
	}
	return phase;
}

/* The phases that what happens elsewhere may bring a bot to. */
static unsigned
phases_else(const struct judge *judge, const struct judge_seat *seat)
{
	if (judge->kind == JUDGE_ABORT)
		return phases_after(
		    JUDGE_ABORT, seat->phase, judge->state == JUDGE_PLAY);
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
	    &judge->table->referee.seats[index].session;
	unsigned allowed = index == judge->seat
	    ? phases_after(judge->kind, seat->phase, judge->state == JUDGE_PLAY)
	    : phases_else(judge, seat);

	fuzz_check(session->phase & allowed);
}

/* A bot that has just been asked, by what it has heard, has its time. */
static void
check_clock(const struct judge *judge, int index)
{
	const struct referee_seat *seat = &judge->table->referee.seats[index];

	fuzz_check((seat->session.phase == SESSION_THINK) ==
	    judge->seats[index].asked);
	fuzz_check(seat->deadline_ns == judge->seats[index].deadline_ns);
	if (judge->seats[index].asked)
		fuzz_check(seat->budget.left_ns == judge->seats[index].left_ns);
}

/*
 * Who asked for it hears everything at once.  Others hear nothing of what
 * happens elsewhere before they are asked themselves: not even when it did.
 */
static void
check_silence(const struct judge *judge, int index)
{
	const struct judge_seat *seat = &judge->seats[index];
	const struct table *table = judge->table;
	const struct session *session = &table->referee.seats[index].session;

	if (session->features.observe)
		fuzz_check(table->outbox.seats[index].length == 0);
	else if (seat->phase == SESSION_IDLE &&
	    session->phase == SESSION_IDLE && index != judge->seat &&
	    judge->state == JUDGE_PLAY && !judge->released)
		fuzz_check(table->seats[index].heard.length == seat->heard);
}

/* All 40 cards are in exactly one place. */
static void
check_cards(const struct scopa_deal *deal)
{
	scopa_set seen = deal->table;
	int count = scopa_set_count(deal->table);

	for (int i = 0; i < SCOPA_SEATS_MAX; i++) {
		seen |= deal->hands[i] | deal->captured[i];
		count += scopa_set_count(deal->hands[i]) +
		    scopa_set_count(deal->captured[i]);
	}
	for (int i = deal->dealt; i < SCOPA_PACK_SIZE; i++)
		seen |= scopa_set_of(deal->pack[i]);
	fuzz_check(seen == SCOPA_SET_ALL);
	fuzz_check(count == deal->dealt);
}

static void
check_game(const struct judge *judge)
{
	const struct referee *referee = &judge->table->referee;
	enum session_phase turn;

	fuzz_check(judge->in_game == (referee->opened && !referee->ended));
	if (!referee->opened || referee->ended)
		return;
	/* The table supplies packs at once: somebody has to move. */
	fuzz_check(referee->game.phase == GAME_MOVE);
	fuzz_check(judge->in_deal);
	check_cards(&referee->game.deal);
	turn = referee->seats[referee->game.deal.turn].session.phase;
	fuzz_check(turn & (SESSION_THINK | SESSION_STALE));
}

void
judge_after(struct judge *judge)
{
	const struct referee *referee = &judge->table->referee;

	/* A line may end a handshake that nothing else in it tells of. */
	if (judge->kind == JUDGE_USPOK &&
	    judge->seats[judge->seat].phase == SESSION_HELLO &&
	    referee->seats[judge->seat].session.phase == SESSION_GONE) {
		judge->seats[judge->seat].gone = OFFENCE_STARTUP;
		judge->seats[judge->seat].deadline_ns = BUDGET_NEVER;
	}
	judge_read_record(judge);
	judge_read_heard(judge);
	for (int i = 0; i < judge->table->rules.players; i++) {
		fuzz_check(!judge->seats[i].voided);
		/* Whatever was done has been punished. */
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
