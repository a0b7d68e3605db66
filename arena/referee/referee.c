/*
 * The referee: events to decisions.
 */
#include "referee.h"

#include <assert.h>
#include <string.h>

#include "protocol.h"
#include "turn.h"

enum { STARTING = SESSION_HELLO | SESSION_SETUP };

/* By so much, at least, a time is made longer. */
#define REST_MIN_NS INT64_C(500000)

void
referee_init(struct referee *referee, const struct referee_settings *settings,
    int seat_count)
{
	assert(seat_count >= 2 && seat_count <= SCOPA_SEATS_MAX);
	memset(referee, 0, sizeof(*referee));
	referee->settings = *settings;
	referee->seat_count = seat_count;
	referee->offender = REFEREE_SEAT_NONE;
	scopa_text_init(
	    &referee->info, referee->info_bytes, sizeof(referee->info_bytes));
	for (int seat = 0; seat < seat_count; seat++) {
		referee->seats[seat].session.phase = SESSION_ABSENT;
		referee->seats[seat].deadline_ns = BUDGET_NEVER;
	}
}

void
referee_reseat(struct referee *referee, const int from[SCOPA_SEATS_MAX],
    int64_t now_ns, struct outbox *outbox)
{
	struct referee_seat before[SCOPA_SEATS_MAX];

	memcpy(before, referee->seats, sizeof(before));
	referee->opened = referee->ended = false;
	referee->offender = REFEREE_SEAT_NONE;
	referee->void_count = 0;
	referee->lag_longest_ns = 0;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		const struct referee_seat *old = &before[from[index]];

		*seat = (struct referee_seat){
			.session = old->session,
			.options = old->options,
			.deadline_ns = old->deadline_ns,
			.kill = old->kill,
		};
		if (seat->session.phase == SESSION_GONE)
			seat->session.phase = SESSION_ABSENT;
		if (seat->session.phase == SESSION_IDLE) {
			session_ask_ready(
			    &seat->session, &outbox->seats[index]);
			seat->deadline_ns =
			    now_ns + referee->settings.startup_ns;
			outbox->due[index] = true;
		}
	}
}

void
referee_exchange(
    struct referee *referee, int seat, struct referee *other, int other_seat)
{
	struct referee_seat moved = referee->seats[seat];

	referee->seats[seat] = other->seats[other_seat];
	other->seats[other_seat] = moved;
}

static void
start_seat(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[event->seat];

	session_start(&seat->session, referee->settings.arena,
	    &outbox->seats[event->seat]);
	seat->kill = false;
	seat->deadline_ns = event->now_ns + referee->settings.startup_ns;
	outbox->due[event->seat] = true;
}

/* Keeps for the record that a limit of the seat began anew. */
static void
note_void(struct referee *referee, int index, int64_t lag_ns, int by,
    struct outbox *outbox)
{
	const int64_t most_us = INT64_C(1000000) * WORD_SECONDS_MAX;
	const struct event event = {
		.kind = EVENT_VOID,
		.void_turn = { .seat = index,
		    .lag_us = lag_ns / 1000 < most_us ? lag_ns / 1000 : most_us,
		    .by = by },
	};

	referee->void_count++;
	if (lag_ns > referee->lag_longest_ns)
		referee->lag_longest_ns = lag_ns;
	outbox_put_event(outbox, &referee->game.rules, &event);
}

static void
open_game(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	assert(referee_need(referee) == REFEREE_NEEDS_OPEN);
	referee->opened = true;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];

		outbox->hears[index] = seat->session.features.events &&
		    seat->session.phase != SESSION_GONE;
		budget_start_match(&seat->budget, &referee->settings.control);
	}
	game_open(&referee->game, event->opening, outbox);
	/* Before any offence, which may end the game. */
	for (int index = 0; index < referee->seat_count; index++) {
		int64_t lag_ns = referee->seats[index].start_lag_ns;

		if (lag_ns > 0)
			note_void(referee, index, lag_ns, 0, outbox);
	}
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (session->phase != SESSION_GONE || referee->ended)
			continue;
		turn_offend(referee, index,
		    &(struct offence){
			.kind = OFFENCE_STARTUP,
			.reason = session->reason,
			.said = session->said,
			.said_length = strlen(session->said),
		    },
		    outbox);
	}
	if (referee->ended)
		turn_advance(referee, event, outbox);
}

static void
deal_pack(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	enum scopa_start start;

	assert(referee_need(referee) == REFEREE_NEEDS_PACK);
	start = game_deal(&referee->game, event->pack, outbox);
	if (start != SCOPA_START_PLAY)
		return;
	for (int seat = 0; seat < referee->seat_count; seat++)
		budget_start_deal(
		    &referee->seats[seat].budget, &referee->settings.control);
	turn_advance(referee, event, outbox);
}

/* Nobody listens to the bot any more; the game goes on by its policy. */
static void
end_session(struct referee *referee, const struct referee_event *event,
    enum offence_kind fault, const char *reason, struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[event->seat];

	if (seat->session.phase == SESSION_GONE)
		return;
	session_end(&seat->session, fault, reason,
	    event->line ? event->line : "", event->line ? event->length : 0);
	seat->deadline_ns = BUDGET_NEVER;
	outbox->hears[event->seat] = false;
	if (referee->opened && !referee->ended)
		turn_advance(referee, event, outbox);
}

/* `EXIT(3)` before the first match is `HS_EXIT(3)`. */
static void
take_exit(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	const struct session *session = &referee->seats[event->seat].session;
	char bytes[SESSION_REASON_SIZE];
	struct scopa_text reason;

	if (!(session->phase & STARTING)) {
		end_session(
		    referee, event, OFFENCE_CRASH, event->reason, outbox);
		return;
	}
	scopa_text_init(&reason, bytes, sizeof(bytes));
	if (strncmp(event->reason, "EXEC_FAIL", 9) != 0)
		scopa_text_string(&reason, "HS_");
	scopa_text_string(&reason, event->reason);
	end_session(referee, event, OFFENCE_STARTUP, bytes, outbox);
}

/* A line that is none: an offence where the bot was to say something. */
static void
take_flaw(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[event->seat];
	static const struct word no_word = { "", 0 };

	if (seat->session.phase == SESSION_THINK) {
		turn_stop_clock(referee, event);
		turn_offend(referee, event->seat,
		    &(struct offence){
			.kind = OFFENCE_PROTOCOL,
			.reason = event->reason,
			.said = event->line,
			.said_length = event->length,
		    },
		    outbox);
		turn_advance(referee, event, outbox);
	} else if (seat->session.phase & STARTING) {
		seat->kill = true;
		end_session(referee, event, OFFENCE_STARTUP, "HS_BAD", outbox);
	} else if (seat->session.phase == SESSION_IDLE) {
		session_error(&seat->session, "toolong",
		    "too long, or bytes outside 0x20..0x7E", no_word,
		    &outbox->seats[event->seat]);
	}
}

static void
take_flood(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[event->seat];
	bool starting = seat->session.phase & STARTING;

	seat->kill = true;
	end_session(referee, event,
	    starting ? OFFENCE_STARTUP : OFFENCE_PROTOCOL,
	    starting ? "HS_BAD" : "FLOOD", outbox);
}

static void
take_deadline(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	unsigned due = 0;

	/* Who is asked because another one was late has not been late yet. */
	for (int index = 0; index < referee->seat_count; index++)
		if (referee->seats[index].deadline_ns <= event->now_ns)
			due |= 1u << index;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		struct referee_event late = *event;

		if (!(due & 1u << index) || seat->deadline_ns > event->now_ns)
			continue;
		late.seat = index;
		if (seat->session.phase == SESSION_THINK) {
			turn_miss(referee, &late, outbox);
			continue;
		}
		seat->kill = true;
		if (seat->session.phase & STARTING)
			end_session(referee, &late, OFFENCE_STARTUP,
			    "HS_TIMEOUT", outbox);
		else
			end_session(
			    referee, &late, OFFENCE_CRASH, "HANG", outbox);
	}
}

/*
 * The arena was away, and so may have been the machine: how long a bot has
 * taken since it was asked is not known.  What began before begins anew; what
 * it has still to say was asked for already.
 */
static void
take_lag(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	const struct referee_settings *settings = &referee->settings;

	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_seat *seat = &referee->seats[index];
		bool starting = seat->session.phase & STARTING;
		int64_t limit_ns =
		    starting ? settings->startup_ns : settings->hang_ns;

		if (seat->session.phase == SESSION_THINK) {
			if (seat->asked_ns >= event->now_ns)
				continue;
			referee_begin_time(referee, index, event->now_ns);
		} else if (starting || seat->session.phase == SESSION_STALE) {
			if (seat->deadline_ns - limit_ns >= event->now_ns)
				continue;
			seat->deadline_ns = event->now_ns + limit_ns;
		} else {
			continue;
		}
		if (referee->opened && !referee->ended)
			note_void(referee, index, event->lag_ns, 0, outbox);
		else if (event->lag_ns > seat->start_lag_ns)
			seat->start_lag_ns = event->lag_ns;
	}
}

/* What kept the bot from its answer is another's doing: it has all its time. */
static void
take_void(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	assert(referee->opened && !referee->ended);
	assert(referee->seats[event->seat].session.phase == SESSION_THINK);
	referee_begin_time(referee, event->seat, event->now_ns);
	note_void(referee, event->seat, 0, event->by + 1, outbox);
}

/* Nothing else stops it from computing on the time of others. */
static void
take_ponder(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	referee->seats[event->seat].kill = true;
	end_session(referee, event, OFFENCE_PROTOCOL, "PONDER", outbox);
}

static void
take_abort(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	if (!referee->opened || referee->ended)
		return;
	turn_tell_ponderers(referee, outbox);
	game_abort(&referee->game, event->reason, outbox);
	referee->ended = true;
	for (int index = 0; index < referee->seat_count; index++) {
		struct referee_event open = *event;

		open.seat = index;
		if (referee->seats[index].session.phase == SESSION_THINK)
			turn_raise_barrier(referee, &open, outbox);
	}
	turn_advance(referee, event, outbox);
}

/* Bots that asked for it hear everything at once; so do those that start. */
static void
release_observers(const struct referee *referee, struct outbox *outbox)
{
	for (int index = 0; index < referee->seat_count; index++) {
		const struct session *session = &referee->seats[index].session;

		if (outbox->seats[index].length > 0 &&
		    (session->features.observe || session->phase & STARTING))
			outbox->due[index] = true;
	}
}

void
referee_step(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	assert(event->seat >= 0 && event->seat < referee->seat_count);
	switch (event->kind) {
	case REFEREE_START:
		start_seat(referee, event, outbox);
		break;
	case REFEREE_OPEN:
		open_game(referee, event, outbox);
		break;
	case REFEREE_PACK:
		deal_pack(referee, event, outbox);
		break;
	case REFEREE_LINE:
		protocol_take(referee, event, outbox);
		break;
	case REFEREE_FLAW:
		take_flaw(referee, event, outbox);
		break;
	case REFEREE_FLOOD:
		take_flood(referee, event, outbox);
		break;
	case REFEREE_EXIT:
		take_exit(referee, event, outbox);
		break;
	case REFEREE_DEADLINE:
		take_deadline(referee, event, outbox);
		break;
	case REFEREE_LAG:
		take_lag(referee, event, outbox);
		break;
	case REFEREE_VOID:
		take_void(referee, event, outbox);
		break;
	case REFEREE_PONDER:
		take_ponder(referee, event, outbox);
		break;
	case REFEREE_ABORT:
		take_abort(referee, event, outbox);
		break;
	}
	release_observers(referee, outbox);
}

void
referee_begin_time(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	seat->asked_ns = now_ns;
	seat->deadline_ns = budget_deadline_ns(&seat->budget,
	    &referee->settings.control, now_ns, referee->settings.margin_ns);
}

void
referee_put_off(struct referee *referee, int index)
{
	struct referee_seat *seat = &referee->seats[index];

	assert(seat->session.phase == SESSION_THINK && !seat->told);
	seat->asked_ns = seat->deadline_ns = BUDGET_NEVER;
}

void
referee_sent(struct referee *referee, int index, int64_t sent_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/* What is sent behind the question gives no more time. */
	if (seat->session.phase != SESSION_THINK || seat->told)
		return;
	seat->told = true;
	seat->held = false;
	referee_begin_time(referee, index, sent_ns);
}

void
referee_held(struct referee *referee, int index, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	if (seat->session.phase != SESSION_THINK || seat->held || seat->told)
		return;
	/* The event that led to the question may be long past. */
	referee_begin_time(referee, index, now_ns);
	seat->held = true;
}

bool
referee_give_rest(
    struct referee *referee, int index, int64_t hindered_ns, int64_t now_ns)
{
	struct referee_seat *seat = &referee->seats[index];
	int64_t deadline_ns =
	    budget_deadline_ns(&seat->budget, &referee->settings.control,
		seat->asked_ns, referee->settings.margin_ns);

	assert(seat->session.phase == SESSION_THINK && seat->told);
	deadline_ns += hindered_ns < REFEREE_REST_MAX_NS ? hindered_ns
							 : REFEREE_REST_MAX_NS;
	if (deadline_ns < now_ns)
		return false;
	/* To look more often would take from who is to have the processor. */
	if (deadline_ns < now_ns + REST_MIN_NS)
		deadline_ns = now_ns + REST_MIN_NS;
	seat->deadline_ns = deadline_ns;
	return true;
}

void
referee_watched(
    struct referee *referee, int index, int64_t cpu_ns, int64_t wall_ns)
{
	struct referee_seat *seat = &referee->seats[index];

	/* What has ended in between may have taken its time with it. */
	seat->off_cpu_ns += cpu_ns > 0 ? cpu_ns : 0;
	seat->off_wall_ns += wall_ns;
}

void
referee_note_ponder(struct referee *referee, int index)
{
	referee->seats[index].pondered = true;
}

bool
referee_has_pondered(const struct referee_seat *seat)
{
	return seat->pondered ||
	    verdict_ponders(seat->off_cpu_ns, seat->off_wall_ns);
}

enum referee_need
referee_need(const struct referee *referee)
{
	if (referee->ended)
		return REFEREE_IS_OVER;
	if (referee->opened)
		return referee->game.phase == GAME_PACK ? REFEREE_NEEDS_PACK
							: REFEREE_NOTHING;
	for (int seat = 0; seat < referee->seat_count; seat++)
		if (!(referee->seats[seat].session.phase &
			(SESSION_IDLE | SESSION_GONE)))
			return REFEREE_NOTHING;
	return REFEREE_NEEDS_OPEN;
}

int64_t
referee_deadline_ns(const struct referee *referee)
{
	int64_t deadline_ns = BUDGET_NEVER;

	for (int seat = 0; seat < referee->seat_count; seat++)
		if (referee->seats[seat].deadline_ns < deadline_ns)
			deadline_ns = referee->seats[seat].deadline_ns;
	return deadline_ns;
}
