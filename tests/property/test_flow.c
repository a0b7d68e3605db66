/*
 * What seats are sent: exactly the redacted record, in time for each question,
 * and enough to follow all that a seat may know.
 *
 * Random games of each rule set, with bots that send info, make errors, answer
 * late and exit.
 */
#include <string.h>

#include "mock_match.h"
#include "support.h"
#include "test.h"

/*
 * What a seat knows of its match, followed from the events only, like a bot
 * without `state`.  Each event names the cards that it moves, so that this code
 * needs no rules of captures: only the places of cards and the next turn.
 */
struct track {
	struct scopa_rules rules;
	struct scopa_view view;
};

/* The 7 of cups, which is wild if it was declared. */
static const scopa_card matta = 4 * 6 + SCOPA_COPPE;

/* A deal before its first cards. */
static void
view_clear(struct track *track, int dealer, int turn)
{
	struct scopa_view *view = &track->view;
	struct scopa_view next = {
		.deal_number = view->deal_number,
		.deck_count = SCOPA_PACK_SIZE,
		.seat = view->seat,
		.dealer = (uint8_t)dealer,
		.turn = (uint8_t)turn,
		.last = SCOPA_SEAT_NONE,
	};

	memcpy(next.scores, view->scores, sizeof(next.scores));
	*view = next;
}

static void
track_deal(struct track *track, const struct event_deal *deal)
{
	track->view.deal_number = deal->number;
	for (int team = 0; team < deal->team_count; team++)
		track->view.scores[team] = deal->scores[team];
	view_clear(track, deal->dealer, deal->first);
}

static void
track_give(struct track *track, const struct event_cards *given)
{
	struct scopa_view *view = &track->view;
	int count = scopa_set_count(given->cards) + given->hidden;

	if (given->seat == view->seat)
		view->hand = given->cards;
	view->hand_counts[given->seat] = (uint8_t)count;
	view->shown[given->seat] = SCOPA_SET_EMPTY;
	view->untouched |= (uint8_t)(1 << given->seat);
	view->deck_count = (uint8_t)(view->deck_count - count);
}

/* Moves cards from the table to the pile of the seat's team. */
static void
pile_add(struct track *track, int seat, scopa_set cards, int scopas)
{
	int team = scopa_team_of(&track->rules, seat);

	track->view.captured[team] |= cards;
	track->view.table &= ~cards;
	track->view.last = (uint8_t)seat;
	track->view.scopas[team] = (uint8_t)(track->view.scopas[team] + scopas);
}

static void
history_add(struct track *track, struct scopa_move move, int seat)
{
	struct scopa_view *view = &track->view;

	move.seat = (uint8_t)seat;
	if (view->history_count < SCOPA_HISTORY_MAX)
		view->history[view->history_count++] = move;
}

static void
track_declare(struct track *track, const struct event_play *play)
{
	int team = scopa_team_of(&track->rules, play->seat);

	track->view.declared[team] =
	    (uint8_t)(track->view.declared[team] + play->points);
	if (play->move.value > 0 && track->rules.matta != SCOPA_MATTA_PLAIN)
		track->view.matta = play->move.value;
	history_add(track, play->move, play->seat);
}

/* Under some rules an ace on an empty table captures itself. */
static bool
captures_itself(const struct track *track, const struct scopa_move *move)
{
	const struct scopa_view *view = &track->view;
	int value = move->card == matta && view->matta > 0
	    ? view->matta
	    : scopa_card_value(move->card);

	return track->rules.ace_empty == SCOPA_ACE_EMPTY_TAKE && value == 1 &&
	    view->table == SCOPA_SET_EMPTY;
}

/* A wild card that was played has a value only on the table, if at all. */
static void
release_matta(struct track *track, scopa_set moved)
{
	bool has_value = track->rules.matta == SCOPA_MATTA_TABLE &&
	    scopa_set_has(track->view.table, matta);

	if (scopa_set_has(moved, matta) && !has_value)
		track->view.matta = 0;
}

static void
track_play(struct track *track, const struct event_play *play)
{
	struct scopa_view *view = &track->view;
	const struct scopa_move *move = &play->move;
	scopa_set card = scopa_set_of(move->card);
	int seat = play->seat;

	if (move->captured != SCOPA_SET_EMPTY || captures_itself(track, move))
		pile_add(track, seat, move->captured | card, play->scopa);
	else
		view->table |= card;
	view->hand &= ~card;
	view->shown[seat] &= ~card;
	view->untouched &= (uint8_t) ~(1 << seat);
	view->hand_counts[seat]--;
	release_matta(track, move->captured | card);
	history_add(track, *move, seat);
	view->turn = (uint8_t)((seat + 1) % track->rules.players);
}

static void
track_event(struct track *track, const struct event *event)
{
	struct scopa_view *view = &track->view;

	switch ((int)event->kind) {
	case EVENT_RULES:
		track->rules = event->rules;
		break;
	case EVENT_DEAL:
		track_deal(track, &event->deal);
		break;
	case EVENT_REDEAL:
		view_clear(track, view->dealer, view->turn);
		break;
	case EVENT_TABLE:
		view->table = event->cards.cards;
		view->deck_count = (uint8_t)(view->deck_count -
		    scopa_set_count(event->cards.cards));
		break;
	case EVENT_GIVE:
		track_give(track, &event->cards);
		break;
	case EVENT_SWEEP:
		pile_add(track, event->cards.seat, event->cards.cards,
		    event->cards.scopa);
		view->opening = (uint8_t)event->cards.scopa;
		break;
	case EVENT_DECLARE:
		track_declare(track, &event->play);
		break;
	case EVENT_SHOW:
		view->shown[event->cards.seat] = event->cards.cards;
		break;
	case EVENT_PLAY:
		track_play(track, &event->play);
		break;
	default:
		break;
	}
}

/* The progress of following one seat. */
struct follower {
	size_t sent_at, record_at; /* bytes that were read */
	struct track track;        /* updated by events only */
	int event_count, state_count, legal_count;
};

static struct mock_match *match;
static struct follower followers[SCOPA_SEATS_MAX];

static enum event_parse
parse(const char *line, size_t length, struct event *event)
{
	struct scopa_text why = SCOPA_TEXT(512);

	return event_parse(line, length, event, &why);
}

/*
 * The next line of the record as redacted for this seat; false: none is left.
 */
static bool
next_redacted(struct follower *follower, int seat, char *line, size_t size)
{
	static struct event event, redacted;

	while (follower->record_at < match->record.length) {
		const char *at = match->record.bytes + follower->record_at;
		size_t length = strcspn(at, "\n");
		struct scopa_text text;

		follower->record_at += length + 1;
		if (parse(at, length, &event) != EVENT_PARSED)
			fail_msg("not an event: %.*s", (int)length, at);
		if (!event_redact(&event, &match->rules, seat, &redacted))
			continue;
		scopa_text_init(&text, line, size);
		event_format(&redacted, &text);
		assert_false(text.cut);
		return true;
	}
	return false;
}

/* The state that follows from the events must be equal to the line. */
static void
check_state(struct follower *follower, int seat, const char *line)
{
	const struct scopa_deal *deal = &match->referee.game.deal;
	struct scopa_view view;
	struct scopa_rules rules;
	struct scopa_text text;
	char bytes[EVENT_LINE_SIZE];

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_state_format(&follower->track.rules, match->opening.preset,
	    &follower->track.view, &text);
	assert_string_equal(bytes, line);
	scopa_text_init(&text, bytes, sizeof(bytes));
	if (!scopa_state_parse(line, &rules, &view, &text))
		fail_msg("%s: %s", line, bytes);
	assert_int_equal(view.seat, seat);
	assert_int_equal(view.turn, seat);
	assert_true(view.hand == deal->hands[seat]);
	assert_true(view.table == deal->table);
	assert_int_equal(view.deck_count, SCOPA_PACK_SIZE - deal->dealt);
	assert_int_equal(view.last, deal->last);
	for (int team = 0; team < scopa_team_count(&rules); team++) {
		assert_true(view.captured[team] == deal->captured[team]);
		assert_int_equal(view.scopas[team], deal->scopas[team]);
		assert_int_equal(
		    view.scores[team], match->referee.game.tally.scores[team]);
	}
	for (int other = 0; other < rules.players; other++)
		assert_int_equal(view.hand_counts[other],
		    scopa_set_count(deal->hands[other]));
	follower->state_count++;
}

static void
check_legal(struct follower *follower, const char *line)
{
	static char bytes[64 * 1024];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_string(&text, "legal ");
	support_moves(&match->rules, &match->referee.game.deal, &text);
	assert_false(text.cut);
	assert_string_equal(bytes, line);
	follower->legal_count++;
}

static void
check_line(struct follower *follower, int seat, char *line)
{
	static struct event event;
	char wanted[EVENT_LINE_SIZE];

	if (parse(line, strlen(line), &event) != EVENT_UNKNOWN) {
		if (!next_redacted(follower, seat, wanted, sizeof(wanted)))
			fail_msg("not in the record: %s", line);
		assert_string_equal(line, wanted);
		track_event(&follower->track, &event);
		follower->event_count++;
	} else if (strncmp(line, "state ", 6) == 0) {
		check_state(follower, seat, line);
	} else if (strncmp(line, "legal ", 6) == 0) {
		check_legal(follower, line);
	}
}

/* Checks the lines that each seat was sent since the last call. */
static void
follow(void)
{
	int turn = mock_turn(match);

	for (int seat = 0; seat < match->rules.players; seat++) {
		struct follower *follower = &followers[seat];
		const struct mock_text *sent = &match->seats[seat].sent;
		char rest[EVENT_LINE_SIZE];

		while (follower->sent_at < sent->length) {
			static char line[64 * 1024];
			const char *at = sent->bytes + follower->sent_at;
			size_t length = strcspn(at, "\n");

			assert_true(length < sizeof(line));
			memcpy(line, at, length);
			line[length] = '\0';
			follower->sent_at += length + 1;
			check_line(follower, seat, line);
		}
		/*
		 * A seat that is asked, and each seat at the end, has been sent
		 * all.
		 */
		if ((seat == turn || mock_over(match)) &&
		    match->outbox.hears[seat] &&
		    next_redacted(follower, seat, rest, sizeof(rest)))
			fail_msg("seat %d was not sent: %s", seat + 1, rest);
	}
}

/* A random action of a bot other than a good answer. */
static void
disturb(void)
{
	int turn = mock_turn(match), seats = match->rules.players;
	int other = support_random_below(&match->random, seats);

	switch (support_random_below(&match->random, 24)) {
	case 0:
		mock_say(match, turn, "info value=0.5 # hm");
		break;
	case 1:
		mock_answer(match, "nonsense");
		break;
	case 2:
		mock_say(match, other, "ponder");
		break;
	case 3:
		mock_wait(match, 10000 * MOCK_MS);
		mock_say(match, turn, "move 7D");
		mock_say(match, turn, "readyok");
		break;
	case 4:
		mock_act(match, other, "garbles \\x00");
		break;
	case 5:
		if (support_random_below(&match->random, 20) == 0)
			mock_act(match, other, "exits EXIT(1)");
		break;
	default:
		break;
	}
	match->now_ns += support_random_below(&match->random, 1000000);
}

static void
open_table(const struct mock_order *order)
{
	memset(followers, 0, sizeof(followers));
	match = mock_open(order);
	for (int seat = 0; seat < match->rules.players; seat++) {
		followers[seat].track.view.seat = (uint8_t)seat;
		match->order.feature =
		    support_random_below(&match->random, 3) == 0
		    ? "feature observe=1"
		    : NULL;
		mock_start_ready(match, seat);
	}
	follow();
}

static void
follow_games(const char *spec, uint64_t seed)
{
	struct mock_order order = { .spec = spec,
		.policy = POLICY_SUBSTITUTE,
		.strikes_max = 10000,
		.deals = 2 };
	long games = support_number("FLOW_GAMES", 2);

	for (long game = 0; game < games; game++) {
		order.seed = seed + (uint64_t)game;
		open_table(&order);
		while (mock_turn(match) >= 0) {
			disturb();
			follow();
			if (mock_turn(match) < 0)
				break;
			mock_step(match);
			follow();
		}
		assert_true(mock_over(match));
		for (int seat = 0; seat < match->rules.players; seat++) {
			const struct follower *follower = &followers[seat];

			if (!match->outbox.hears[seat])
				continue;
			assert_true(follower->event_count > 20);
			assert_true(follower->state_count > 0);
			assert_int_equal(
			    follower->state_count, follower->legal_count);
		}
		mock_close(match);
	}
}

TEST(test_seats_are_sent_the_redacted_record_and_can_follow_the_game)
{
	assert_true(support_each_spec(follow_games) > 100);
}

static void
follow_until_the_game_ends_early(const char *spec, uint64_t seed)
{
	struct mock_order order = { .spec = spec,
		.policy = seed % 2 ? POLICY_FORFEIT : POLICY_DISQUALIFY,
		.seed = seed };

	open_table(&order);
	for (uint64_t i = 0; i < seed % 50 && !mock_over(match); i++) {
		mock_step(match);
		follow();
	}
	if (!mock_over(match) && seed % 3 == 0)
		mock_run(match, "stop interrupted");
	else if (!mock_over(match))
		mock_answer(match, "nonsense");
	assert_true(mock_over(match));
	follow();
	mock_close(match);
}

TEST(test_seats_are_sent_the_redacted_record_of_aborted_games)
{
	assert_true(support_each_spec(follow_until_the_game_ends_early) > 100);
}
