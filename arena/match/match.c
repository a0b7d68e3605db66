/*
 * One match: the seats with their bots, the referee and the record.
 *
 * Everything that happens to a match becomes a struct referee_input, and
 * match_step() handles it: the referee judges it, the record stores it, the
 * bots are sent the lines that follow, and the next deadline is set. These
 * functions make the inputs: match_on_line() for a line of a bot,
 * match_on_deadline() for a deadline, match_on_exit() for a bot that has ended,
 * and match_on_late() for an event loop that was late.
 *
 * The sections of this file: CPU slots; when bots run and are sent lines; time
 * that is given back; bots that compute while they are not to move; names, the
 * head of the record and the report of a failure; how an input is handled; how
 * games and bots begin and end.
 *
 * Invariants: a player's bot is NULL or owned by this match. `playing` is true
 * from match_play() until on_over, on_failure, match_stop() or match_kill(). No
 * line is sent to a bot while release_ns is set.
 */
#include "match.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "child_tracker.h"
#include "clock.h"
#include "infra_failure.h"
#include "log.h"
#include "match_head.h"
#include "match_person.h"

/* How long the last output, or the end, of a silent bot is awaited. */
#define LAST_OUTPUT_NS INT64_C(150000000)

enum { REDEALS_MAX = 1000 }; /* in a row, for which the outbox has room */

static int
match_seat_count(const struct match *match)
{
	return match->rules->rules.players;
}

static void match_continue(struct match *match);
static void match_start_absent(struct match *match);

struct referee_input
match_input(
    struct match *match, enum referee_input_kind kind, int seat, int64_t now_ns)
{
	return (struct referee_input){
		.kind = kind,
		.seat = seat,
		.now_ns = now_ns,
		.nonce = shuffle_stream_number(&match->nonces),
	};
}

/*
 * CPU slots. The bots of all matches of a worker share a number of slots: a
 * match sends its question when it holds a slot.
 */

/*
 * The value of match->decision when the time of the last decision has been
 * stored.
 */
enum { NO_DECISION = -1 };

/*
 * Enters the queue for a CPU slot, and returns whether the question to the seat
 * must wait there. Its clock does not run meanwhile.
 */
static bool
match_enter_queue(struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];

	if (match->cpu_slots == NULL || state->session.phase != SESSION_THINK ||
	    state->sent)
		return false;
	match->think_seat = seat;
	match->think_ns = state->think_ns;
	match->decision = state->decision_count;
	if (cpu_slots_enter(match->cpu_slots, &match->slot_user,
		match->players[seat]->work_ns))
		return false;
	referee_postpone_go(&match->referee, seat);
	return true;
}

/* Stores the CPU time of the last decision, once for each decision. */
static void
store_work(struct match *match)
{
	const struct referee_seat *state =
	    &match->referee.seats[match->think_seat];
	struct player *player = match->players[match->think_seat];

	if (match->decision == NO_DECISION ||
	    match->decision == state->decision_count)
		return;
	match->decision = NO_DECISION;
	player->work_ns = cpu_slot_work_ns(&match->slot_user, player->work_ns,
	    state->think_ns - match->think_ns);
}

/*
 * A bot that was late keeps the slot until it answers or ends. It may still be
 * computing, which would slow the next bot.
 */
static bool
needs_slot(const struct match *match)
{
	bool is_waiting = match->slot_user.state == CPU_SLOT_WAITING;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];

		if (state->session.phase == SESSION_STALE && !is_waiting)
			return true;
		if (state->session.phase == SESSION_THINK &&
		    state->decision_count == match->decision)
			return true;
	}
	return false;
}

/* Returns the slot if no bot of the match needs it. */
static void
match_release_slot(struct match *match)
{
	if (match->slot_user.state == CPU_SLOT_AWAY)
		return;
	store_work(match);
	if (!needs_slot(match))
		cpu_slots_leave(match->cpu_slots, &match->slot_user);
}

/* The match holds a slot now, so the seat that waited is asked. */
static void
match_on_slot(struct cpu_slot_user *slot_user)
{
	struct match *match = slot_user->context;

	/* With an answer grid the question goes out at the end of the step. */
	if (match->release_ns == 0)
		match_continue(match);
}

/* Returns the slot, or leaves the queue for one. */
static void
match_leave_queue(struct match *match)
{
	if (match->cpu_slots != NULL)
		cpu_slots_quit(match->cpu_slots, &match->slot_user);
}

/* The system refused something: `error` is -errno. */
static void
match_fail(struct match *match, int error)
{
	match->playing = match->greeting = false;
	if (match->rules->live != NULL)
		live_clear(match->rules->live, &match->live);
	match_leave_queue(match);
	loop_deadline_clear(&match->deadline);
	match->events->on_failure(match, error);
}

/*
 * When bots may run, and when they are sent lines.
 *
 * With no_ponder, every bot that is not to move is frozen. Otherwise only a bot
 * that has computed while it was not to move is frozen; where pondering is
 * allowed, only if another bot lost a turn because of it. With answer_grid_ns,
 * the lines that follow an answer are held back until the end of a time step,
 * so that the other bots learn only how many steps the answer took.
 */

/*
 * Returns whether the lines that follow are held back, and sets until when. The
 * beginning of a game, and its end by the user, are not.
 */
static bool
match_hold_back(struct match *match, const struct referee_input *input)
{
	int64_t step_ns = match->rules->answer_grid_ns;

	if (match->release_ns != 0 && input->kind != REFEREE_ABORT)
		return true;
	match->release_ns = 0;
	if (step_ns == 0 || !match->playing || !match->referee.opened ||
	    input->kind == REFEREE_ABORT)
		return false;
	if (match->grid_origin_ns == 0) {
		match->grid_origin_ns = clock_now_ns();
		return false;
	}
	match->release_ns =
	    budget_release_ns(match->grid_origin_ns, step_ns, input->now_ns);
	return true;
}

/* The seat that is asked, or -1. */
static int
asked_seat(const struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->referee.seats[seat].session.phase == SESSION_THINK)
			return seat;
	return -1;
}

/* Whether the bot may run: it was asked, or a game begins or ends. */
static bool
may_run(const struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];

	if (state->session.phase == SESSION_THINK)
		return state->sent || state->blocked;
	if (state->session.phase != SESSION_IDLE)
		return true;
	if (!match->playing)
		return match->stopping || match->greeting;
	return !match->referee.opened || match->referee.ended;
}

/* Freezes bots that are not to move. */
static void
match_freeze(struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot == NULL || player->frozen ||
		    !(match->rules->no_ponder || player->must_freeze) ||
		    may_run(match, seat))
			continue;
		bot_freeze(player->bot, true);
		player->frozen = true;
	}
}

/* Lets a frozen bot run. Returns by how many ns its clock starts later. */
static int64_t
match_thaw(struct match *match, int seat)
{
	struct player *player = match->players[seat];

	if (player->bot == NULL || !player->frozen ||
	    (!may_run(match, seat) && asked_seat(match) != seat))
		return 0;
	bot_freeze(player->bot, false);
	player->frozen = false;
	player->must_freeze = player->ponders;
	return MATCH_THAW_NS;
}

/* Sets the deadline to the earliest of the seats, or to release_ns. */
static void
match_set_deadline(struct match *match)
{
	loop_deadline_set(match->loop, &match->deadline,
	    match->release_ns != 0 ? match->release_ns
				   : referee_deadline_ns(&match->referee));
}

/*
 * Time that is given back: the run-queue wait of a bot, in which other programs
 * had the processor.
 */

/* With gives_back_always, or if a turn usually has at most one second. */
static bool
measures_waits(const struct match *match)
{
	return match->rules->gives_back_always ||
	    budget_usual_ns(&match->rules->settings.control) <= CLOCK_NS_PER_S;
}

/* To be called just before the question is sent. */
static void
match_begin_wait_measure(struct match *match, int seat)
{
	const struct referee_seat *state = &match->referee.seats[seat];
	struct bot *bot = match->players[seat]->bot;

	if (bot != NULL && measures_waits(match) && !state->sent &&
	    state->session.phase == SESSION_THINK)
		bot_begin_run_wait(bot);
}

/* The seat that was asked and whose time is up at `now_ns`, or -1. */
static int
late_seat(const struct match *match, int64_t now_ns)
{
	int seat = asked_seat(match);

	return seat >= 0 && match->referee.seats[seat].sent &&
		match->referee.seats[seat].deadline_ns <= now_ns
	    ? seat
	    : -1;
}

/*
 * Gives its run-queue wait back to a bot whose time is up. Returns whether it
 * has time left now.
 */
static bool
match_give_back_time(struct match *match, int64_t now_ns)
{
	int seat = late_seat(match, now_ns);
	struct bot *bot = seat < 0 ? NULL : match->players[seat]->bot;

	return bot != NULL && measures_waits(match) &&
	    referee_give_back_time(
		&match->referee, seat, bot_run_wait_ns(bot, now_ns), now_ns);
}

/*
 * Bots that compute while they are not to move.
 *
 * Such a bot takes the processor from the bot to move. From then on it is
 * frozen whenever it is not to move, until the game ends. Where pondering is
 * allowed, it is frozen only after a bot of another team has lost a turn
 * because of it, and until its own next turn. The lost turn is void: it begins
 * again. Where pondering is not allowed, a bot that made VOIDS_MAX turns of a
 * game void loses the game.
 *
 * A lower priority would not help. The kernel does not compare priorities
 * between sessions, and an arena without privileges cannot raise the priority
 * again for the next move.
 */

/*
 * A turn is watched only when it has been open for this time, because a bot may
 * tidy up after its move.
 */
#define WATCH_AFTER_NS INT64_C(5000000)

enum { VOIDS_MAX = 3 };

/* What a bot has used since the watch of it began. */
struct ponder_usage {
	int64_t cpu_ns, wall_ns;
	bool computes; /* it used more than tidying up after a move takes */
};

/* `computes` includes what the bot has computed earlier in the same game. */
static struct ponder_usage
measure_ponder(const struct match *match, struct player *player)
{
	const struct referee_seat *state = &match->referee.seats[player->seat];
	struct bot_watch *watch = &player->watch.cpu;
	struct ponder_usage usage = { .computes = false };

	if (bot_watch_read(player->bot, player->frozen, watch) < 0)
		return usage;
	usage.cpu_ns = watch->used_ns;
	usage.wall_ns = watch->read_ns - watch->since_ns;
	usage.computes = verdict_computes(usage.cpu_ns, usage.wall_ns) ||
	    verdict_computes(usage.cpu_ns + state->off_cpu_ns,
		usage.wall_ns + state->off_wall_ns);
	return usage;
}

static void
note_ponder(struct match *match, struct player *player)
{
	player->ponders = player->must_freeze = true;
	referee_note_ponder(&match->referee, player->seat);
}

/* Freezes a watched bot that computes. */
static void
check_ponder(struct match *match, struct player *player, int64_t now_ns)
{
	struct ponder_watch *watch = &player->watch;
	struct ponder_usage usage;

	if (match->rules->ponder || now_ns < watch->check_ns)
		return;
	usage = measure_ponder(match, player);
	/* The next reading comes after as much time again. */
	watch->check_ns =
	    watch->cpu.escapes ? now_ns : 2 * now_ns - watch->cpu.since_ns;
	if (usage.computes && match->playing)
		note_ponder(match, player);
	/* To check its memory takes time, too, until it is frozen. */
	player->must_freeze |= usage.computes ||
	    verdict_computes(
		usage.cpu_ns + watch->cpu.supervisor_ns, usage.wall_ns);
	match_freeze(match);
}

/*
 * Bots that are not to move are watched from a heartbeat of the loop to the end
 * of the turn. They are watched between their games, too, because bots of other
 * matches may be to move.
 */
static void
match_on_heartbeat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct match *match = heartbeat->context;
	int asked = asked_seat(match);

	if (match->playing &&
	    (asked < 0 ||
		match->referee.seats[asked].begin_ns > now_ns - WATCH_AFTER_NS))
		return;
	/*
	 * This also finds processes that the bot ends before its time is up: it
	 * gets no time back for waiting for these.
	 */
	if (asked >= 0 && match->players[asked]->bot && measures_waits(match))
		(void)bot_run_wait_ns(match->players[asked]->bot, now_ns);
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot == NULL || may_run(match, seat))
			continue;
		if (player->watch.cpu.since_ns != 0) {
			check_ponder(match, player, now_ns);
		} else if (bot_watch_begin(player->bot, &player->watch.cpu) ==
		    0) {
			player->watch.check_ns = 0;
			match->watched_count++;
		}
	}
}

/*
 * Whether this input, which concerns the seat of the session, may end a turn or
 * a game.
 */
static bool
may_end_turn(const struct session *session, const struct referee_input *input)
{
	const char *line = input->line;

	if (input->kind == REFEREE_LAG || input->kind == REFEREE_VOID ||
	    input->kind == REFEREE_PONDER)
		return false;
	if (input->kind == REFEREE_FLAW)
		return session->phase == SESSION_THINK;
	if (input->kind != REFEREE_LINE || session->phase != SESSION_THINK)
		return input->kind != REFEREE_LINE;
	/* These are `move` and `error`. */
	line += strspn(line, " \t");
	return *line == 'm' || *line == 'e';
}

/*
 * If the turn may end with this input, ends the watch, and gives the CPU times
 * that it measured to the referee.
 */
static void
match_end_watch(struct match *match, const struct referee_input *input)
{
	if (!match->playing || match->watched_count == 0 ||
	    !may_end_turn(&match->referee.seats[input->seat].session, input))
		return;
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];
		struct ponder_usage usage;

		if (player->watch.cpu.since_ns == 0)
			continue;
		if (player->bot != NULL) {
			usage = measure_ponder(match, player);
			if (usage.computes && !match->rules->ponder)
				note_ponder(match, player);
			referee_add_ponder_usage(
			    &match->referee, seat, usage.cpu_ns, usage.wall_ns);
		}
		player->watch.cpu.since_ns = 0;
	}
	match->watched_count = 0;
}

/*
 * Returns a seat of another team whose bot has computed in the turn of the seat
 * `late`, and may still be computing; or -1. A partner does not count: two bots
 * of one team could agree on it to have more time.
 */
static int
find_disturber(struct match *match, int late)
{
	const struct scopa_rules *rules = &match->rules->rules;
	int team = scopa_team_of(rules, late);

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (scopa_team_of(rules, seat) != team && player->bot &&
		    player->watch.cpu.since_ns != 0 &&
		    player->void_count < VOIDS_MAX &&
		    measure_ponder(match, player).computes)
			return seat;
	}
	return -1;
}

/*
 * Voids a turn whose time is up at `now_ns` if a bot of another team has
 * computed in it. Returns whether it was voided; this may have ended the game
 * and begun the next one.
 */
static bool
match_void_turn(struct match *match, int64_t now_ns)
{
	struct referee_input input = { .kind = REFEREE_VOID, .now_ns = now_ns };
	struct player *disturber;

	input.seat = late_seat(match, now_ns);
	input.by = input.seat < 0 ? -1 : find_disturber(match, input.seat);
	if (input.by < 0)
		return false;
	disturber = match->players[input.by];
	disturber->must_freeze = true;
	if (!match->rules->ponder)
		note_ponder(match, disturber);
	match_step(match, &input);
	if (++disturber->void_count < VOIDS_MAX || match->rules->ponder)
		return true;
	input.kind = REFEREE_PONDER;
	input.seat = input.by;
	match_step(match, &input);
	return true;
}

/*
 * Names of players, the head of the record, and the report of a bot's failure.
 */

/* Names the players and writes the head of the game's record. */
static void
match_fill_head(struct match *match)
{
	const struct session *sessions[SCOPA_SEATS_MAX];

	for (int seat = 0; seat < match_seat_count(match); seat++)
		sessions[seat] = &match->referee.seats[seat].session;
	if (match->game.head != NULL)
		match->head = *match->game.head;
	else
		match_head_fill(&match->head, match->rules, &match->game,
		    match->entrants, sessions);
	for (int seat = 0; seat < match_seat_count(match); seat++)
		memcpy(match->players[seat]->name, match->head.seats[seat].name,
		    EVENT_NAME_SIZE);
}

/* Adds the last output and the end of the bot's process to the fault. */
static void
add_process(struct match *match, struct match_fault *fault)
{
	struct player *player = match->players[fault->seat];

	memcpy(fault->received, player->received, sizeof(fault->received));
	memcpy(fault->ending, player->ending, sizeof(fault->ending));
	fault->late = player->bot && player->last_output_ns > 0 &&
	    bot_has_written(player->bot);
	if (player->bot) {
		bot_unfinished(player->bot, fault->unfinished);
		bot_stderr(player->bot, player->stderr_tail);
	}
	memcpy(fault->stderr_tail, player->stderr_tail,
	    sizeof(fault->stderr_tail));
}

/* Calls on_greeted when the bot that was greeted is ready, or has failed. */
static void
match_notify_greeted(struct match *match)
{
	const struct session *session = &match->referee.seats[0].session;
	struct player *player = match->players[0];

	if (!match->greeting ||
	    !(session->phase & (SESSION_IDLE | SESSION_GONE)))
		return;
	match->greeting = false;
	match->fault = (struct match_fault){ .seat = -1 };
	match_head_name(
	    &match->entrants[player->entrant], session, player->name);
	if (session->phase == SESSION_GONE) {
		match_fault_fill(&match->fault, &match->referee, 0,
		    session->fault, session->reason);
		add_process(match, &match->fault);
	}
	match->events->on_greeted(match);
}

/* How an input is handled: judged, recorded, sent to the bots. */

/*
 * Before a silent bot is given up, its stdin is closed. A bot that buffers its
 * stdout then writes the buffer, which may show why it was silent. Returns the
 * time until which the arena waits for that; `now_ns` if it waits for no bot.
 */
static int64_t
match_await_last_output(struct match *match, int64_t now_ns)
{
	int64_t until_ns = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		const struct referee_seat *state = &match->referee.seats[seat];
		struct player *player = match->players[seat];

		if (player->bot == NULL || player->bot->phase == BOT_DEAD ||
		    state->session.phase != SESSION_HELLO ||
		    state->deadline_ns > now_ns || player->received[0] ||
		    bot_has_written(player->bot))
			continue;
		if (player->last_output_ns == 0) {
			player->last_output_ns = now_ns + LAST_OUTPUT_NS;
			bot_stop(player->bot, NULL, player->last_output_ns);
		}
		if (player->last_output_ns > until_ns)
			until_ns = player->last_output_ns;
	}
	return until_ns;
}

/*
 * A bot that has closed its stdout before its time was up has not been silent:
 * it has ended or is given up, and its end may be reported a moment later.
 */
static bool
match_awaits_end(const struct match *match, int64_t now_ns)
{
	int seat = late_seat(match, now_ns);
	const struct bot *bot = seat < 0 ? NULL : match->players[seat]->bot;

	return bot != NULL && bot_has_closed_output(bot);
}

/* Calls on_gone when the last bot has ended, after match_stop. */
static void
match_notify_gone(struct match *match)
{
	if (!match->stopping || match_bot_count(match) > 0)
		return;
	match->stopping = false;
	/* The sessions of the bots that were stopped are cleared. */
	referee_init(
	    &match->referee, &match->rules->settings, match_seat_count(match));
	match->events->on_gone(match);
}

static void
open_game(struct match *match, int64_t now_ns)
{
	struct referee_input input =
	    match_input(match, REFEREE_OPEN, 0, now_ns);

	match->opening = (struct game_opening){
		.rules = &match->rules->rules,
		.preset = match->rules->preset,
		.head = &match->head,
		.dealer = match->game.dealer,
		.deals = match->rules->deals,
		.max_deals = match->rules->max_deals,
	};
	match_fill_head(match);
	input.opening = &match->opening;
	referee_step(&match->referee, &input, &match->outbox);
	if (match->game.tally != NULL)
		match->referee.game.tally = *match->game.tally;
}

/*
 * Gives the referee the next pack, from a key or from the pack file.  Without a
 * key the game is aborted.
 */
static void
match_supply_pack(struct match *match, int64_t now_ns)
{
	const struct game *game = &match->referee.game;
	const struct pack_file *packs = match->rules->packs;
	struct referee_input input =
	    match_input(match, REFEREE_PACK, 0, now_ns);
	struct event_pack pack = { .has_key = packs == NULL };
	struct shuffle_key key;

	if (packs) {
		memcpy(pack.cards, packs->packs[match->pack_cursor],
		    sizeof(pack.cards));
		match->pack_cursor = (match->pack_cursor + 1) % packs->count;
	} else if (!match_deal_key(match->rules, &match->game,
		       game->tally.deal_count, game->redeal_count, &key)) {
		match->lacks_keys = true;
		input.kind = REFEREE_ABORT;
		input.reason = "keys";
	} else {
		memcpy(pack.key, key.bytes, sizeof(pack.key));
		shuffle_pack(&key, pack.cards);
	}
	if (match->events->on_pack != NULL &&
	    !match->events->on_pack(match, &pack)) {
		input.kind = REFEREE_ABORT;
		input.reason = "interrupted";
	}
	input.pack = &pack;
	referee_step(&match->referee, &input, &match->outbox);
}

/* Appends the referee's lines to the record. Returns 0 or -errno. */
static int
match_record_step(struct match *match)
{
	const struct scopa_text *lines = &match->outbox.record;
	int error = 0;

	/* There is no summary of a game that begins with a later deal. */
	if (match->game.tally == NULL)
		error =
		    summary_add(&match->reading, lines->bytes, lines->length);
	assert(error == 0);
	if (!match->rules->unrecorded)
		return record_step(&match->record, &match->outbox);
	outbox_clear_record(&match->outbox);
	return error;
}

/*
 * Writes the lines of the referee into the record, opens the game, and gives the
 * referee packs, as long as it needs them.  If the arena moves for all seats,
 * whole deals are played here, and the outbox has room for the lines of one:
 * that is why each goes into the record before the next pack.  Returns 0 or
 * -errno.
 */
static int
record_and_supply(struct match *match, int64_t now_ns)
{
	const int *redeals = &match->referee.game.redeal_count;
	const struct pack_file *packs = match->rules->packs;
	int error;

	while ((error = match_record_step(match)) == 0) {
		switch (referee_need(&match->referee)) {
		case REFEREE_NOTHING:
		case REFEREE_IS_OVER:
			return 0;
		case REFEREE_NEEDS_OPEN:
			open_game(match, now_ns);
			break;
		case REFEREE_NEEDS_PACK:
			/* The outbox has room for so many packs thrown in. */
			if (packs &&
			    (*redeals >= packs->count ||
				*redeals >= REDEALS_MAX)) {
				match_fail(match, -EBADMSG);
				return 0;
			}
			match_supply_pack(match, now_ns);
			break;
		}
	}
	return error;
}

/*
 * Marks a bot to be killed.  `reason` is why it has crashed, unless it turns out
 * to have ended by itself before.
 */
static void
give_up_bot(struct player *player, const char *reason)
{
	player->match->referee.seats[player->seat].kill = true;
	player->given_up_for = reason;
}

/* Sends a seat all lines that are due, in one write. */
static void
deliver_seat(struct match *match, int seat)
{
	struct player *player = match->players[seat];
	struct scopa_text *text = &match->outbox.seats[seat];
	int64_t thaw_ns = match_thaw(match, seat);
	int64_t handed_ns;
	int error;

	match_begin_wait_measure(match, seat);
	error = player->bot
	    ? bot_send(player->bot, text->bytes, text->length, &handed_ns)
	    : -EPIPE;
	outbox_clear_seat(&match->outbox, seat);
	if (error == 0)
		referee_sent(&match->referee, seat, handed_ns, thaw_ns);
	else if (error == -EAGAIN)
		referee_blocked(&match->referee, seat, clock_now_ns());
	else if (error == -ENOBUFS)
		give_up_bot(player, "UNREAD");
	else /* Its stdin is closed: the question counts as sent. */
		referee_sent(&match->referee, seat, clock_now_ns(), 0);
}

/*
 * Sends the lines that are due, and kills the bots that the referee has given
 * up.
 */
static void
match_deliver(struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct referee_seat *state = &match->referee.seats[seat];
		struct player *player = match->players[seat];

		if (match->outbox.due[seat] &&
		    match->outbox.seats[seat].length > 0 &&
		    !match_withholds(match, seat) &&
		    !match_enter_queue(match, seat))
			deliver_seat(match, seat);
		if (state->kill && player->bot)
			bot_kill(player->bot);
	}
}

static void
match_continue(struct match *match)
{
	match_deliver(match);
	match_freeze(match);
	match_set_deadline(match);
}

/*
 * Notifies the owner that a game has begun or ended. Nothing may follow this
 * call, because the owner may begin another game.
 */
static void
notify_owner(struct match *match, bool opened, int error)
{
	if (!match->playing) {
		match_notify_greeted(match);
	} else if (error) {
		match_fail(match, error);
	} else if (match->release_ns == 0 &&
	    referee_need(&match->referee) == REFEREE_IS_OVER) {
		match->playing = false;
		if (match->rules->live != NULL)
			live_clear(match->rules->live, &match->live);
		match_fault_fill_offence(&match->fault, &match->referee);
		if (match->fault.seat >= 0)
			add_process(match, &match->fault);
		match->events->on_over(match);
	} else if (!opened && match->referee.opened &&
	    match->events->on_opened) {
		match->events->on_opened(match);
	}
}

/* The bot cannot go on. `reason` is the code in the record. */
static void
report_bot_exit(struct player *player, const char *reason)
{
	struct referee_input input = match_input(
	    player->match, REFEREE_EXIT, player->seat, clock_now_ns());

	input.reason = reason;
	match_step(player->match, &input);
}

/*
 * A bot that was sent `quit` cannot lose a game any more. Its end is only
 * logged.
 */
static void
log_exit_after_quit(const struct player *player, const struct bot_exit *exit)
{
	const struct match *match = player->match;

	if (match->quit_sent && (exit->end != BOT_END_EXIT || exit->code != 0))
		log_print(LOG_INFO, "bot \"%s\", asked to quit, %s",
		    match->referee.seats[player->seat].session.name,
		    exit->sentence);
}

/*
 * Counts a move for the owner of the game's deal keys.  `before` is the number
 * of moves of the deal before the input.
 */
static void
count_progress(const struct match *match, int before)
{
	struct deal_keys_slot *slot = match_keys(match->rules, &match->game);

	if (slot != NULL && match->referee.game.deal.history_count != before)
		atomic_fetch_add_explicit(
		    &slot->progress, 1, memory_order_relaxed);
}

void
match_step(struct match *match, const struct referee_input *input)
{
	int moves = match->referee.game.deal.history_count;
	bool opened = match->referee.opened;
	int error;

	match_end_watch(match, input);
	referee_step(&match->referee, input, &match->outbox);
	error = record_and_supply(match, input->now_ns);
	count_progress(match, moves);
	match_release_slot(match);
	if (match_hold_back(match, input)) {
		int asked = asked_seat(match);

		/* The clock does not run while the question is held back. */
		if (asked >= 0 && !match->referee.seats[asked].sent &&
		    !match->referee.seats[asked].blocked)
			referee_postpone_go(&match->referee, asked);
		match_freeze(match);
		match_set_deadline(match);
	} else {
		match_continue(match);
	}
	if (match->rules->live != NULL && match->playing &&
	    input->now_ns >= match->live.due_ns)
		live_put(match->rules->live, &match->live,
		    match->game.index + 1, &match->record, input->now_ns);
	notify_owner(match, opened, error);
}

/*
 * A bot has sent a line. The time by which the arena was late to read the line
 * is not charged to the bot.
 */
static void
match_on_line(
    struct bot *bot, const char *bytes, size_t length, int64_t received_ns)
{
	struct player *player = bot->context;
	struct match *match = player->match;
	struct referee_input input = match_input(match, REFEREE_LINE,
	    player->seat, received_ns - loop_lag_ns(match->loop, received_ns));

	if (input.now_ns > match->referee.seats[player->seat].deadline_ns &&
	    !match_give_back_time(match, input.now_ns))
		match_void_turn(match, input.now_ns);
	/*
	 * A void turn may end the game, and then the bot may have moved to
	 * another match.
	 */
	match = player->match;
	input.seat = player->seat;
	input.read_ns = received_ns;
	input.line = bytes;
	input.length = length;
	if (!match->referee.opened)
		snprintf(
		    player->received, sizeof(player->received), "%s", bytes);
	if (match->events->on_line != NULL) {
		input.line = match->events->on_line(match, input.seat, bytes);
		input.length = strlen(input.line);
	}
	match_step(match, &input);
	if (match->referee.line_expected && player->bot == bot)
		bot_accept_output(bot);
}

/*
 * A deadline has passed. This is a time-out, unless the arena still waits for
 * the last output or the end of the bot, other programs kept it waiting, or a
 * bot that was not to move has computed.
 */
static void
match_on_deadline(struct loop_deadline *deadline, int64_t now_ns)
{
	struct match *match = deadline->context;
	struct referee_input input;
	int64_t until_ns;

	if (match->release_ns != 0) {
		match->release_ns = 0;
		match_continue(match);
		notify_owner(match, true, 0);
		return;
	}
	until_ns = match_awaits_end(match, now_ns)
	    ? now_ns + LAST_OUTPUT_NS
	    : match_await_last_output(match, now_ns);
	if (until_ns > now_ns) {
		loop_deadline_set(match->loop, deadline, until_ns);
		return;
	}
	if (match_give_back_time(match, now_ns)) {
		match_set_deadline(match);
		return;
	}
	if (match_void_turn(match, now_ns))
		return;
	input = match_input(match, REFEREE_DEADLINE, 0, now_ns);
	match_step(match, &input);
}

/*
 * A bot has ended. If its supervisor was killed from outside, that is a failure
 * of the machine. Otherwise the referee gets the reason as an input.
 */
static void
match_on_exit(struct bot *bot, const struct bot_exit *exit)
{
	struct player *player = bot->context;
	struct match *match = player->match;
	char reason[SESSION_REASON_SIZE];
	bool own_crash = !match->stopping &&
	    infra_failure_count_supervisor(
		&match->game, player->seat, match->rules, exit);
	bool given_up = player->given_up_for != NULL && exit->killed;

	if (given_up)
		snprintf(reason, sizeof(reason), "%s", player->given_up_for);
	else if (own_crash)
		snprintf(reason, sizeof(reason), "CRASH(%d)", SIGKILL);
	else
		exit_reason_of(exit, reason);
	/* No supervisor is left to kill the processes of the bot. */
	if (own_crash)
		(void)child_tracker_sweep();
	if (!given_up)
		snprintf(player->ending, sizeof(player->ending), "%s",
		    exit->sentence);
	bot_stderr(bot, player->stderr_tail);
	trace_end(player, exit);
	log_exit_after_quit(player, exit);
	if (exit->end == BOT_END_HOST && !match->stopping && !own_crash) {
		match_fail(match, -exit->code);
	} else if (!match->stopping && player->last_output_ns > 0) {
		/* Its time was up before the bot ended: a time-out. */
		match_on_deadline(&match->deadline, clock_now_ns());
	} else if (!match->stopping) {
		report_bot_exit(player, reason);
	}
	player->bot = NULL;
	bot_close(bot);
	if (match->playing)
		match_start_absent(match);
	match_notify_gone(match);
}

/*
 * The bot may have ended, and its supervisor may be late to report how.  So the
 * reason is decided when its end is reported.
 */
static void
match_on_eof(struct bot *bot)
{
	give_up_bot(bot->context, "EOF");
	bot_kill(bot);
}

/*
 * Refuses a program whose file was replaced after its fingerprint had been
 * taken.
 */
static void
match_on_start(struct bot *bot)
{
	struct player *player = bot->context;
	const struct entrant *entrant =
	    &player->match->entrants[player->entrant];

	if (fingerprint_check(&entrant->fingerprint) != -ESTALE)
		return;
	report_bot_exit(player, "EXEC_FAIL(CHANGED)");
	bot_kill(bot);
}

static void
match_on_flaw(struct bot *bot, enum line_kind flaw, const char *bytes,
    size_t length, int64_t received_ns)
{
	struct player *player = bot->context;
	struct referee_input input = match_input(player->match,
	    flaw == LINE_FLOOD ? REFEREE_FLOOD : REFEREE_FLAW, player->seat,
	    received_ns - loop_lag_ns(player->match->loop, received_ns));
	char said[SESSION_SAID_SIZE];

	input.read_ns = received_ns;
	input.reason = "BAD_LINE";
	input.line = said;
	input.length = escape_bytes(bytes, length, false, said, sizeof(said));
	match_step(player->match, &input);
}

static void
match_on_flushed(struct bot *bot, int64_t handed_ns)
{
	struct player *player = bot->context;
	struct match *match = player->match;

	referee_sent(&match->referee, player->seat, handed_ns, 0);
	match_set_deadline(match);
}

/*
 * The event loop was late. The loop calls this before the deadlines that have
 * passed meanwhile.
 */
static void
match_on_late(struct heartbeat *heartbeat, int64_t now_ns, int64_t lag_ns)
{
	struct match *match = heartbeat->context;
	/*
	 * This input takes no nonce, so the ids of later questions do not
	 * depend on it.
	 */
	const struct referee_input input = {
		.kind = REFEREE_LAG,
		.now_ns = now_ns,
		.lag_ns = lag_ns,
	};

	if (match->playing || match->greeting)
		match_step(match, &input);
}

static const struct bot_events match_bot_calls = {
	.on_start = match_on_start,
	.on_line = match_on_line,
	.on_flaw = match_on_flaw,
	.on_flushed = match_on_flushed,
	.on_eof = match_on_eof,
	.on_exit = match_on_exit,
};

/*
 * How games and bots begin and end.
 */

/* Starts a player's program and greets the bot. Returns 0 or -errno. */
static int
match_start_player(struct player *player)
{
	struct match *match = player->match;
	const struct entrant *entrant = &match->entrants[player->entrant];
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	const struct bot_options options = {
		.order = match_process_order(match->rules, entrant, arguments),
		.events = &match_bot_calls,
		.context = player,
		.on_traffic = match->rules->trace ? trace_traffic
						  : match->events->on_traffic,
	};
	struct referee_input input;
	int error;

	error = bot_open(&player->bot, match->loop, &options);
	if (error)
		return error;
	player->frozen = player->ponders = player->must_freeze = false;
	player->received[0] = player->ending[0] = '\0';
	player->stderr_tail[0] = '\0';
	player->given_up_for = NULL;
	player->last_output_ns = 0;
	player->work_ns = CPU_SLOT_UNKNOWN;
	match->referee.seats[player->seat].options = entrant->options;
	trace_begin(player);
	input = match_input(match, REFEREE_START, player->seat, clock_now_ns());
	match_step(match, &input);
	return 0;
}

int
match_open(struct match **opened, struct loop *loop,
    const struct match_rules *rules, const struct entrant *entrants,
    const struct match_events *events, void *context)
{
	struct match *match = calloc(1, sizeof(*match));
	int error;

	if (match == NULL)
		return -ENOMEM;
	match->loop = loop;
	match->rules = rules;
	match->entrants = entrants;
	match->events = events;
	match->context = context;
	match->deadline.on_deadline = match_on_deadline;
	match->deadline.context = match;
	match->heartbeat.on_heartbeat = match_on_heartbeat;
	match->heartbeat.on_late = match_on_late;
	match->heartbeat.context = match;
	match->slot_user.on_slot = match_on_slot;
	match->slot_user.context = match;
	loop_heartbeat_open(loop, &match->heartbeat);
	match->fault.seat = -1;
	record_init(&match->record);
	referee_init(&match->referee, &rules->settings, rules->rules.players);
	outbox_init(&match->outbox, rules->rules.players);
	error = loop_deadline_open(loop, &match->deadline);
	for (int seat = 0; seat < rules->rules.players && !error; seat++) {
		match->players[seat] = calloc(1, sizeof(struct player));
		if (match->players[seat] == NULL) {
			error = -ENOMEM;
			break;
		}
		match->players[seat]->match = match;
		match->players[seat]->seat = seat;
	}
	if (error)
		match_close(match);
	else
		*opened = match;
	return error;
}

void
match_set_live_slot(struct match *match, int slot)
{
	match->live.slot = slot;
	match->live.shown = false;
}

void
match_share_cpu(struct match *match, struct cpu_slots *cpu_slots)
{
	assert(match->slot_user.state == CPU_SLOT_AWAY);
	match->cpu_slots = cpu_slots;
}

void
match_close(struct match *match)
{
	if (match == NULL)
		return;
	match_leave_queue(match);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++) {
		if (match->players[seat])
			bot_close(match->players[seat]->bot);
		free(match->players[seat]);
	}
	loop_heartbeat_close(match->loop, &match->heartbeat);
	loop_deadline_close(match->loop, &match->deadline);
	record_release(&match->record);
	free(match);
}

int
match_bot_count(const struct match *match)
{
	int count = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++)
		count += match->players[seat]->bot != NULL;
	return count;
}

int
match_descriptor_count(const struct match *match)
{
	int count = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++)
		if (match->players[seat]->bot)
			count +=
			    bot_descriptor_count(match->players[seat]->bot);
	return count;
}

/* Whether a bot of the entrant is at the seat, ready for the next game. */
static bool
is_waiting(const struct match *match, int seat, int entrant)
{
	const struct player *player = match->players[seat];
	const struct referee_seat *state = &match->referee.seats[seat];

	return player->bot && player->entrant == entrant &&
	    state->session.phase == SESSION_IDLE && !state->kill;
}

/*
 * Finds for each seat of the game the seat where its bot waits now, or a seat
 * that no other bot of the game uses. Returns how many bots of the game wait.
 */
static int
find_seats(const struct match *match, const struct game_spec *game,
    int from[SCOPA_SEATS_MAX])
{
	bool taken[SCOPA_SEATS_MAX] = { false };
	int count = 0, empty = 0;

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		int at = 0;

		while (at < match_seat_count(match) &&
		    (taken[at] || !is_waiting(match, at, game->entrant[seat])))
			at++;
		from[seat] = -1;
		if (at == match_seat_count(match))
			continue;
		from[seat] = at;
		taken[at] = true;
		count++;
	}
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		if (from[seat] >= 0)
			continue;
		while (taken[empty])
			empty++;
		from[seat] = empty;
		taken[empty] = true;
	}
	return count;
}

bool
match_fits(const struct match *match, const struct game_spec *game)
{
	int from[SCOPA_SEATS_MAX];

	return find_seats(match, game, from) == match_seat_count(match);
}

/* Gives a player a seat in a match. */
static void
seat_player(struct match *match, int seat, struct player *player)
{
	match->players[seat] = player;
	player->match = match;
	player->seat = seat;
}

void
match_drop_late(struct match *match, int entrant)
{
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct player *player = match->players[seat];

		if (player->bot != NULL && player->entrant == entrant &&
		    !is_waiting(match, seat, entrant))
			bot_kill(player->bot);
	}
}

bool
match_fetch(struct match *match, int seat, int entrant, struct match *other)
{
	struct player *player = match->players[seat];
	int from = 0;

	assert(!match->playing && !other->playing && player->bot == NULL);
	while (
	    from < match_seat_count(other) && !is_waiting(other, from, entrant))
		from++;
	if (from == match_seat_count(other))
		return false;
	seat_player(match, seat, other->players[from]);
	seat_player(other, from, player);
	referee_exchange(&match->referee, seat, &other->referee, from);
	match_set_deadline(match);
	match_set_deadline(other);
	return true;
}

/* Seats the players for the next game. */
static void
reseat(struct match *match, const struct game_spec *game)
{
	struct player *players[SCOPA_SEATS_MAX];
	struct shuffle_key nonces;
	int from[SCOPA_SEATS_MAX] = { 0 };

	find_seats(match, game, from);
	memcpy(players, match->players, sizeof(players));
	match->game = *game;
	match->lacks_keys = false;
	match->watched_count = 0;
	match->grid_origin_ns = match->release_ns = 0;
	/*
	 * The ids of decisions come from the secret, which no bot knows. The
	 * same seed gives the same lines.
	 */
	match_nonces_key(match->rules, &match->game, &nonces);
	shuffle_stream_init(&match->nonces, &nonces);
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		seat_player(match, seat, players[from[seat]]);
		match->players[seat]->entrant = game->entrant[seat];
		match->players[seat]->received[0] = '\0';
		match->players[seat]->watch.cpu.since_ns = 0;
		match->players[seat]->ponders = false;
		match->players[seat]->must_freeze = false;
		match->players[seat]->void_count = 0;
	}
	outbox_init(&match->outbox, match_seat_count(match));
	record_clear(&match->record);
	summary_begin(&match->reading);
	match->playing = true;
	referee_reseat(&match->referee, from, clock_now_ns(), &match->outbox);
	match_deliver(match);
	match_set_deadline(match);
}

/* Starts the bots whose seats are empty. */
static void
match_start_absent(struct match *match)
{
	for (int seat = 0; seat < match_seat_count(match) && match->playing;
	     seat++) {
		struct player *player = match->players[seat];
		int error = 0;

		/* A bot that is being killed gets a new process later. */
		if (match->referee.seats[seat].session.phase !=
			SESSION_ABSENT ||
		    player->bot != NULL)
			continue;
		if (match_is_person(match, seat))
			match_greet_person(match, seat);
		else
			error = match_start_player(player);
		if (error)
			match_fail(match, error);
	}
}

void
match_play(struct match *match, const struct game_spec *game)
{
	assert(!match->playing && !match->stopping);
	reseat(match, game);
	if (match->rules->packs)
		match->pack_cursor = pack_file_place(match->rules->packs->count,
		    game->round, match->rules->deals);
	match_start_absent(match);
}

void
match_greet(struct match *match, int entrant)
{
	int error;

	assert(!match->playing && match_bot_count(match) == 0);
	outbox_init(&match->outbox, match_seat_count(match));
	if (match->players[0]->entrant != entrant)
		match->game.lost_supervisors[0] = 0;
	match->players[0]->entrant = entrant;
	match->game.index = GAME_NONE;
	match->greeting = true;
	error = match_start_player(match->players[0]);
	if (error)
		match_fail(match, error);
}

void
match_abort(struct match *match)
{
	struct referee_input input =
	    match_input(match, REFEREE_ABORT, 0, clock_now_ns());

	if (!match->playing)
		return;
	if (!match->referee.opened) {
		match_stop(match);
		return;
	}
	input.reason = "interrupted";
	match_step(match, &input);
}

/* Waits for the end of the bots. They are killed at kill_ns; 0 means now. */
static void
end_bots(struct match *match, int64_t kill_ns)
{
	match->playing = match->greeting = false;
	match->stopping = true;
	match->quit_sent = kill_ns != 0;
	match->release_ns = 0;
	match_leave_queue(match);
	loop_deadline_clear(&match->deadline);
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct bot *bot = match->players[seat]->bot;

		if (bot != NULL && kill_ns != 0)
			bot_stop(bot, "quit\n", kill_ns);
		else if (bot != NULL)
			bot_kill(bot);
	}
	match_notify_gone(match);
}

void
match_stop(struct match *match)
{
	end_bots(match, clock_now_ns() + match->rules->grace_ns);
}

void
match_kill(struct match *match)
{
	end_bots(match, 0);
}
