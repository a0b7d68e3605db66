/*
 * The course of a game: every change of the game is written to the outbox as an
 * event. game.h describes the phases.
 *
 * The order of the events is fixed, because the verification of a record
 * compares them line by line.
 */
#include "game.h"

#include <assert.h>
#include <string.h>

static void
put(const struct game *game, const struct event *event)
{
	outbox_put_event(game->outbox, &game->rules, event);
}

static void
put_cards(const struct game *game, enum event_kind kind, int seat,
    scopa_set cards, int scopa)
{
	struct event event;

	event.kind = kind;
	event.cards = (struct event_cards){
		.seat = seat,
		.cards = cards,
		.scopa = scopa,
	};
	put(game, &event);
}

static void
put_head(const struct game *game, const struct game_head *head)
{
	struct event event = { .kind = EVENT_MATCH, .match = head->match };
	struct scopa_text spec;

	scopa_text_init(&spec, event.match.rules, sizeof(event.match.rules));
	scopa_rules_spec(&game->rules, game->preset, &spec);
	/* The rules that need most have some 500 bytes. */
	assert(!spec.cut);
	event.match.seats = game->rules.players;
	event.match.teams = game->rules.teams;
	event.match.target = game->rules.target;
	event.match.deals = game->tally.deals;
	event.match.max_deals = game->tally.deals > 0 ||
		game->max_deals == game_deals_max(&game->rules)
	    ? 0
	    : game->max_deals;
	event.match.you = -1;
	put(game, &event);
	if (head->tag[0]) {
		event.kind = EVENT_TAG;
		memcpy(event.text, head->tag, sizeof(event.text));
		put(game, &event);
	}
	event.kind = EVENT_RULES;
	event.rules = game->rules;
	put(game, &event);
	for (int seat = 0; seat < game->rules.players; seat++) {
		event.kind = EVENT_SEAT;
		event.seat = head->seats[seat];
		event.seat.seat = seat;
		event.seat.team = scopa_team_of(&game->rules, seat);
		put(game, &event);
	}
}

int
game_deals_max(const struct scopa_rules *rules)
{
	return rules->target > GAME_MAX_DEALS ? rules->target : GAME_MAX_DEALS;
}

void
game_open(struct game *game, const struct game_opening *opening,
    struct outbox *outbox)
{
	*game = (struct game){
		.rules = *opening->rules,
		.preset = opening->preset,
		.outbox = outbox,
		.phase = GAME_PACK,
		.max_deals = opening->max_deals > 0
		    ? opening->max_deals
		    : game_deals_max(opening->rules),
	};
	scopa_tally_init(&game->tally, opening->dealer, opening->deals);
	memcpy(game->id, opening->head->match.id, sizeof(game->id));
	put_head(game, opening->head);
}

static void
put_deal(const struct game *game)
{
	struct event event = { .kind = EVENT_DEAL };

	event.deal = (struct event_deal){
		.number = game->tally.deal_count + 1,
		.dealer = game->tally.dealer,
		.first = (game->tally.dealer + 1) % game->rules.players,
		.team_count = scopa_team_count(&game->rules),
	};
	memcpy(
	    event.deal.scores, game->tally.scores, sizeof(event.deal.scores));
	put(game, &event);
}

/* Writes the present hands, beginning with the first seat to play. */
static void
put_hands(const struct game *game)
{
	int players = game->rules.players;

	for (int i = 1; i <= players; i++) {
		int seat = (game->deal.dealer + i) % players;

		put_cards(game, EVENT_GIVE, seat, game->deal.hands[seat], 0);
	}
}

/* Writes the declarations of the history, from number `from` on. */
static void
put_declarations(const struct game *game, int from, int64_t time_us)
{
	for (int i = from; i < game->deal.history_count; i++) {
		const struct scopa_move *move = &game->deal.history[i];
		struct event event;

		event.kind = EVENT_DECLARE;
		event.play = (struct event_play){
			.seat = move->seat,
			.move = *move,
			.points = scopa_declaration_points(
			    (enum scopa_declaration)move->declaration),
			.time_us = time_us,
		};
		put(game, &event);
		put_cards(game, EVENT_SHOW, move->seat,
		    game->deal.hands[move->seat], 0);
	}
}

static void
put_scores(const struct game *game, const struct scopa_score *score)
{
	struct event event = { .kind = EVENT_SCORE };

	for (int team = 0; team < scopa_team_count(&game->rules); team++) {
		event.score = (struct event_score){
			.team = team,
			.points = score->total[team],
			.total = game->tally.scores[team],
		};
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++) {
			if (!scopa_item_counts(
				&game->rules, (enum scopa_item)item))
				continue;
			event.score.items |= UINT32_C(1) << item;
			event.score.quantity[item] =
			    score->quantity[team][item];
			event.score.item_points[item] =
			    score->points[team][item];
		}
		put(game, &event);
	}
}

/* Counts the deal that has just ended and decides how the game continues. */
static void
count_deal(struct game *game)
{
	struct event event = { .kind = EVENT_ENDDEAL };
	struct scopa_score score;

	scopa_score_count(&game->rules, &game->deal, &score);
	scopa_tally_add(&game->rules, &game->tally, &score);
	put_scores(game, &score);
	event.number = game->tally.deal_count;
	put(game, &event);
	game->drawn = game->tally.state == SCOPA_TALLY_OPEN &&
	    game->tally.deals == 0 && game->tally.deal_count >= game->max_deals;
	game->phase = game->tally.state == SCOPA_TALLY_OPEN && !game->drawn
	    ? GAME_PACK
	    : GAME_OVER;
}

enum scopa_start
game_deal(struct game *game, const struct event_pack *pack)
{
	struct event event = { .kind = EVENT_PACK, .pack = *pack };
	enum scopa_start start;
	const char *reason;
	scopa_set table = SCOPA_SET_EMPTY;

	assert(game->phase == GAME_PACK);
	event.pack.number = game->tally.deal_count + 1;
	event.pack.redeal = game->redeal_count;
	put(game, &event);
	if (game->redeal_count == 0)
		put_deal(game);
	start = scopa_deal_start(
	    &game->rules, pack->cards, game->tally.dealer, &game->deal);
	for (int i = 0; i < game->rules.table; i++)
		table |= scopa_set_of(pack->cards[i]);
	put_cards(game, EVENT_TABLE, 0, table, 0);
	reason = scopa_start_name(start);
	if (reason) {
		event.kind = EVENT_REDEAL;
		memcpy(event.reason, reason, strlen(reason) + 1);
		put(game, &event);
		game->redeal_count++;
		return start;
	}
	put_hands(game);
	if (game->deal.opening)
		put_cards(game, EVENT_SWEEP, game->deal.dealer, table,
		    game->deal.opening);
	put_declarations(game, 0, -1);
	game->redeal_count = 0;
	game->phase = GAME_MOVE;
	if (scopa_deal_over(&game->deal))
		count_deal(game);
	return start;
}

static void
put_play(const struct game *game, const struct scopa_move *move, int seat,
    bool scopa, const struct game_stamp *stamp)
{
	struct event event;

	event.kind = EVENT_PLAY;
	event.play = (struct event_play){
		.seat = seat,
		.move = *move,
		.scopa = scopa,
		.time_us = stamp->time_us,
		.by_arena = stamp->cause != NULL,
	};
	if (stamp->cause)
		memcpy(
		    event.play.cause, stamp->cause, strlen(stamp->cause) + 1);
	put(game, &event);
}

void
game_move(struct game *game, const struct scopa_move *move,
    const struct game_stamp *stamp)
{
	int seat = game->deal.turn, history = game->deal.history_count;
	struct scopa_effect effect;

	assert(game->phase == GAME_MOVE);
	assert(
	    scopa_deal_check(&game->rules, &game->deal, move) == SCOPA_LEGAL);
	effect = scopa_deal_apply(&game->rules, &game->deal, move);
	if (move->declaration == SCOPA_DECLARE_NOTHING) {
		put_play(game, move, seat, effect.scopa, stamp);
		history++;
	} else {
		put_declarations(game, history, stamp->time_us);
	}
	if (stamp->info)
		scopa_text_string(&game->outbox->record, stamp->info);
	if (effect.dealt) {
		put_hands(game);
		put_declarations(game, history, -1);
	}
	if (effect.rest)
		put_cards(game, EVENT_REST, effect.rest_seat, effect.rest, 0);
	if (effect.over)
		count_deal(game);
}

void
game_put_legal(const struct game *game, bool declare, struct scopa_text *text)
{
	enum { MOVE_SIZE_MAX = 64 };
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count =
	    scopa_moves(&game->rules, &game->deal, moves, SCOPA_MOVES_MAX);
	size_t start = text->length;

	scopa_text_string(text, "legal");
	for (int i = 0; i < count; i++) {
		if (moves[i].declaration != SCOPA_DECLARE_NOTHING && !declare)
			continue;
		if (text->length - start >
		    GAME_LINE_SIZE_MAX - 2 * MOVE_SIZE_MAX) {
			scopa_text_string(text, " ...");
			break;
		}
		scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
	scopa_text_char(text, '\n');
}

/*
 * Writes the last lines.  `aborted` is the reason if the game ends before its
 * regular end, else NULL.
 */
static void
put_end(struct game *game, int winner, int by, const char *aborted,
    const char *reason)
{
	struct event event = { .kind = EVENT_ABORT, .abort.match = true };

	if (aborted) {
		memcpy(event.abort.reason, aborted, strlen(aborted) + 1);
		put(game, &event);
		game->tally.winner = (uint8_t)winner;
		game->phase = GAME_OVER;
	}
	event.kind = EVENT_ENDMATCH;
	event.end = (struct event_end){
		.team_count = scopa_team_count(&game->rules),
		.winner = winner,
		.by = by,
	};
	memcpy(event.end.id, game->id, sizeof(event.end.id));
	memcpy(event.end.scores, game->tally.scores, sizeof(event.end.scores));
	memcpy(event.end.reason, reason, strlen(reason) + 1);
	put(game, &event);
}

void
game_end(struct game *game)
{
	static const char *const reasons[] = {
		[SCOPA_TALLY_OPEN] = NULL,
		[SCOPA_TALLY_TARGET] = "target",
		[SCOPA_TALLY_DEALS] = "deals",
		[SCOPA_TALLY_INSTANT] = "instant",
	};

	assert(game->phase == GAME_OVER);
	put_end(game, game->tally.winner, SCOPA_TEAM_NONE, NULL,
	    game->drawn ? GAME_REASON_MAX_DEALS : reasons[game->tally.state]);
}

void
game_forfeit(struct game *game, int team)
{
	int worst = scopa_points_max(&game->rules);
	bool least = game->rules.aim == SCOPA_AIM_LEAST;
	int winner = SCOPA_TEAM_NONE, lead = 0;

	for (int other = 0; other < scopa_team_count(&game->rules); other++) {
		int ahead;

		if ((other == team) == least)
			game->tally.scores[other] += worst;
		if (other == team)
			continue;
		ahead = (least ? -1 : 1) * game->tally.scores[other];
		if (winner == SCOPA_TEAM_NONE || ahead > lead) {
			winner = other;
			lead = ahead;
		} else if (ahead == lead) {
			winner = SCOPA_TEAMS_MAX;
		}
	}
	if (winner == SCOPA_TEAMS_MAX)
		winner = SCOPA_TEAM_NONE;
	put_end(game, winner, team, "forfeit", "forfeit");
}

void
game_abort(struct game *game, const char *reason)
{
	put_end(game, SCOPA_TEAM_NONE, SCOPA_TEAM_NONE, reason, "abort");
}
