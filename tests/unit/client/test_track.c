/*
 * What the events of a match tell a bot: the same as the engine knows, for
 * every seat, after every play.
 */
#include "knowledge.h"

#include <stdio.h>
#include <string.h>

#include "scopa/scopa.h"
#include "support.h"
#include "test.h"

enum {
	DEALS = 30,
	LINE_SIZE = 1024,
	NAME_SIZE = 64,
	SET_SIZE = 2 * SCOPA_PACK_SIZE + 1
};

/* A deal, and what each seat has made of its events. */
struct tale {
	struct scopa_rules rules;
	struct scopa_tally tally;
	struct scopa_deal deal;
	struct track tracks[SCOPA_SEATS_MAX];
	int history_told; /* entries of the history */
};

typedef void (*hearer)(struct track *, struct token);

static void
tell_one(struct track *track, hearer hear, const char *line)
{
	hear(track, (struct token){ line, strlen(line) });
}

static void
tell(struct tale *tale, hearer hear, const char *line)
{
	for (int seat = 0; seat < tale->rules.players; seat++)
		tell_one(&tale->tracks[seat], hear, line);
}

static const char *
set_text(scopa_set set)
{
	static char bytes[SET_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_set_format(set, &text);
	return bytes;
}

static void
tell_match(struct tale *tale)
{
	char line[LINE_SIZE], rules[LINE_SIZE];
	struct scopa_text text;

	for (int seat = 0; seat < tale->rules.players; seat++) {
		/* The preset is unknown: what `rules` says must do. */
		snprintf(line, sizeof(line),
		    "m1 rules=new-game seats=%d you=%d target=5",
		    tale->rules.players, seat + 1);
		tell_one(&tale->tracks[seat], track_match, line);
	}
	scopa_text_init(&text, rules, sizeof(rules));
	scopa_rules_format(&tale->rules, &text);
	assert_false(text.cut);
	tell(tale, track_rules, rules);
}

/* Every new hand, to its own seat by name. */
static void
tell_hands(struct tale *tale)
{
	int players = tale->rules.players;

	for (int i = 1; i <= players; i++) {
		int holder = (tale->deal.dealer + i) % players;
		scopa_set hand = tale->deal.hands[holder];

		for (int seat = 0; seat < players; seat++) {
			char line[LINE_SIZE];
			int at =
			    snprintf(line, sizeof(line), "%d ", holder + 1);

			if (seat == holder)
				strcpy(line + at, set_text(hand));
			else
				for (int n = 0; n < scopa_set_count(hand); n++)
					strcat(line, "??");
			tell_one(&tale->tracks[seat], track_give, line);
		}
	}
}

/* The declarations that have not been told yet, and the hands they show. */
static void
tell_declarations(struct tale *tale)
{
	for (; tale->history_told < tale->deal.history_count;
	     tale->history_told++) {
		const struct scopa_move *move =
		    &tale->deal.history[tale->history_told];
		char line[LINE_SIZE], name[NAME_SIZE];
		struct scopa_text text;

		scopa_text_init(&text, name, sizeof(name));
		scopa_move_format(move, &text);
		snprintf(line, sizeof(line), "%d %s points=%d", move->seat + 1,
		    name + 1, move->declaration == SCOPA_DECLARE_LOW ? 3 : 10);
		tell(tale, track_declare, line);
		snprintf(line, sizeof(line), "%d %s", move->seat + 1,
		    set_text(tale->deal.hands[move->seat]));
		tell(tale, track_show, line);
	}
}

/* Deals until the cards are not thrown in, and tells all of it. */
static void
tell_start(struct tale *tale, uint64_t *random)
{
	char line[LINE_SIZE];
	uint8_t pack[SCOPA_PACK_SIZE];
	int players = tale->rules.players;
	scopa_set table = SCOPA_SET_EMPTY;
	struct scopa_text text;

	scopa_text_init(&text, line, sizeof(line));
	scopa_text_int(&text, tale->tally.deal_count + 1);
	scopa_text_string(&text, " dealer=");
	scopa_text_int(&text, tale->tally.dealer + 1);
	scopa_text_string(&text, " first=");
	scopa_text_int(&text, (tale->tally.dealer + 1) % players + 1);
	scopa_text_string(&text, " scores=");
	for (int i = 0; i < scopa_team_count(&tale->rules); i++) {
		scopa_text_string(&text, i > 0 ? "," : "");
		scopa_text_char(&text, (char)('A' + i));
		scopa_text_char(&text, ':');
		scopa_text_int(&text, tale->tally.scores[i]);
	}
	tell(tale, track_deal, line);
	support_pack("", pack);
	for (;;) {
		support_shuffle(random, pack, SCOPA_PACK_SIZE);
		table = SCOPA_SET_EMPTY;
		for (int i = 0; i < tale->rules.table; i++)
			table |= scopa_set_of(pack[i]);
		tell(tale, track_table, set_text(table));
		if (scopa_deal_start(&tale->rules, pack, tale->tally.dealer,
			&tale->deal) == SCOPA_START_PLAY)
			break;
		tell(tale, track_redeal, "reason=kings");
	}
	tale->history_told = 0;
	tell_hands(tale);
	if (tale->deal.opening > 0) {
		snprintf(line, sizeof(line), "%d %s scopa=%d reason=fifteen",
		    tale->tally.dealer + 1, set_text(table),
		    tale->deal.opening);
		tell(tale, track_sweep, line);
	}
	tell_declarations(tale);
}

static void
assert_views_agree(
    const struct scopa_view *told, const struct scopa_view *known)
{
	assert_true(told->hand == known->hand);
	assert_true(told->table == known->table);
	assert_memory_equal(told->shown, known->shown, sizeof(told->shown));
	assert_memory_equal(
	    told->captured, known->captured, sizeof(told->captured));
	assert_memory_equal(told->scores, known->scores, sizeof(told->scores));
	assert_int_equal(told->deal_number, known->deal_number);
	assert_memory_equal(
	    told->hand_counts, known->hand_counts, sizeof(told->hand_counts));
	assert_memory_equal(told->scopas, known->scopas, sizeof(told->scopas));
	assert_memory_equal(
	    told->declared, known->declared, sizeof(told->declared));
	assert_int_equal(told->deck_count, known->deck_count);
	assert_int_equal(told->seat, known->seat);
	assert_int_equal(told->dealer, known->dealer);
	assert_int_equal(told->turn, known->turn);
	assert_int_equal(told->last, known->last);
	assert_int_equal(told->untouched, known->untouched);
	assert_int_equal(told->matta, known->matta);
	assert_int_equal(told->opening, known->opening);
	assert_int_equal(told->history_count, known->history_count);
	for (int i = 0; i < told->history_count; i++) {
		assert_true(
		    scopa_move_equal(&told->history[i], &known->history[i]));
		assert_int_equal(told->history[i].seat, known->history[i].seat);
	}
}

static void
assert_tale_is_true(const struct tale *tale)
{
	for (int seat = 0; seat < tale->rules.players; seat++) {
		struct scopa_view view;

		scopa_view_make(
		    &tale->rules, &tale->deal, &tale->tally, seat, &view);
		assert_true(tale->tracks[seat].running);
		assert_memory_equal(&tale->tracks[seat].rules, &tale->rules,
		    sizeof(tale->rules));
		assert_views_agree(&tale->tracks[seat].view, &view);
	}
}

/* A random move, and its events. */
static void
tell_move(struct tale *tale, uint64_t *random)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count =
	    scopa_moves(&tale->rules, &tale->deal, moves, SCOPA_MOVES_MAX);
	struct scopa_move move = moves[support_random_below(random, count)];
	struct scopa_effect effect =
	    scopa_deal_apply(&tale->rules, &tale->deal, &move);
	char line[LINE_SIZE], name[NAME_SIZE];
	struct scopa_text text;

	if (move.declaration == SCOPA_DECLARE_NOTHING) {
		scopa_text_init(&text, name, sizeof(name));
		scopa_move_format(&move, &text);
		snprintf(line, sizeof(line), "%d %s%s", move.seat + 1, name,
		    effect.scopa ? " scopa=1" : "");
		tell(tale, track_play, line);
		tale->history_told++;
	}
	if (effect.dealt)
		tell_hands(tale);
	tell_declarations(tale);
}

static void
tell_deals(const char *spec, int deals, uint64_t *random)
{
	struct tale tale = { .rules = support_rules(spec) };

	tale.tally.state = SCOPA_TALLY_INSTANT;
	for (int deal = 0; deal < deals; deal++) {
		struct scopa_score score;

		/* One match after the other, in the same process. */
		if (tale.tally.state != SCOPA_TALLY_OPEN) {
			scopa_tally_init(&tale.tally, tale.tally.dealer, 0);
			tell_match(&tale);
		}
		tell_start(&tale, random);
		while (!scopa_deal_over(&tale.deal)) {
			assert_tale_is_true(&tale);
			tell_move(&tale, random);
		}
		tell(&tale, track_end, "");
		for (int seat = 0; seat < tale.rules.players; seat++)
			assert_false(tale.tracks[seat].running);
		scopa_score_count(&tale.rules, &tale.deal, &score);
		scopa_tally_add(&tale.rules, &tale.tally, &score);
	}
}

TEST(test_events_alone_tell_all_that_a_seat_may_know)
{
	static const char *const specs[] = {
		"scopa,players=3",
		"scopa,teams=ABABAB",
		"scopa,redeal=ace,rotation=against",
		"assi,ace-empty=take",
		"cirulla,players=6",
		"cirulla,declare=auto",
		"cirulla,matta=plain,redeal=kings3",
		"cirulla,matta=table,ace-empty=take",
	};
	uint64_t random = 3;

	for (int i = 0; i < scopa_preset_count; i++)
		tell_deals(scopa_presets[i].name, DEALS, &random);
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		tell_deals(specs[i], DEALS, &random);
}

/* Declarations are rare in random hands: these come every time. */
TEST(test_declared_wild_card_is_followed)
{
	const struct scopa_rules rules = support_rules("cirulla,matta=table");
	struct track track = { .running = false };

	tell_one(&track, track_match,
	    "m1 rules=cirulla,matta=table seats=2 "
	    "teams=AB target=51 you=2");
	assert_memory_equal(&track.rules, &rules, sizeof(rules));
	tell_one(&track, track_deal, "1 dealer=2 first=1 scores=A:0,B:-4");
	assert_int_equal(track.view.scores[1], -4);
	tell_one(&track, track_table, "5D6DJDKS");
	tell_one(&track, track_give, "1 ??????");
	tell_one(&track, track_give, "2 2DQSKC");
	tell_one(&track, track_declare, "1 low:3 points=3");
	tell_one(&track, track_show, "1 2S4B7C");
	assert_int_equal(track.view.matta, 3);
	assert_int_equal(track.view.declared[0], 3);
	assert_true(track.view.shown[0] == support_set("2S4B7C"));
	tell_one(&track, track_play, "1 7C");
	assert_int_equal(track.view.matta, 3);
	assert_true(track.view.shown[0] == support_set("2S4B"));
	tell_one(&track, track_play, "2 2DxKS7C");
	assert_int_equal(track.view.matta, 0);
	assert_true(track.view.captured[1] == support_set("2DKS7C"));
}

TEST(test_nonsense_changes_nothing)
{
	static const struct {
		hearer hear;
		const char *line;
	} nonsense[] = {
		{ track_deal, "" },
		{ track_deal, "x dealer=1" },
		{ track_deal, "2 dealer=3" },
		{ track_table, "" },
		{ track_table, "ADAD" },
		{ track_give, "3 ??????" },
		{ track_give, "1" },
		{ track_sweep, "0 AD scopa=1" },
		{ track_declare, "1" },
		{ track_declare, "1 high points=3" },
		{ track_declare, "1 three:KKKKKKKKKKKKKKKKKKKKKK" },
		{ track_show, "1 XX" },
		{ track_play, "1" },
		{ track_play, "1 7Dx" },
		{ track_play, "1 !low" },
		{ track_play, "9 7D" },
		{ track_rules, "future=1 target alone= =5 target=x" },
	};
	struct track track = { .running = false };

	tell_one(&track, track_match, "m1 rules=scopa seats=2 teams=AB you=1");
	tell_one(&track, track_play, "1 7D");
	assert_true(track.view.table == SCOPA_SET_EMPTY);
	tell_one(&track, track_deal, "1 dealer=2 first=1 scores=A:0,B:0");
	tell_one(&track, track_table, "5D6DJDKS");
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		struct track before = track;

		tell_one(&track, nonsense[i].hear, nonsense[i].line);
		if (memcmp(&before, &track, sizeof(track)) != 0)
			fail_msg("\"%s\"", nonsense[i].line);
	}
}
