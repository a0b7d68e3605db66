/*
 * The `state` line: what it says, and that it is read back whole.
 */
#include <stdio.h>
#include <string.h>

#include "scopa/notation.h"
#include "support.h"
#include "test.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum { LINE_SIZE = 2048, SPEC_SIZE = 128, DEALS_A_PRESET = 8 };

/* The sample deal of the protocol after two plays, as seat 1 hears it. */
static const char sample[] =
    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=3CKS deal=1 "
    "dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 pile=A:ASAB,B:5D5C "
    "scopas=A:0,B:0 scores=A:0,B:0 last=2 shown=- plays=1:ABxAS/2:5Cx5D";

/* A deal in progress, its rules, and the preset that they came from. */
struct scene {
	const struct scopa_preset *preset;
	struct scopa_rules rules;
	struct scopa_tally tally;
	struct scopa_deal deal;
};

/* Deals `cards` first; the dealer is the last seat. */
static void
scene_start(struct scene *scene, const char *preset, const char *cards)
{
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer;

	scene->preset = scopa_preset_find(preset);
	scene->rules = support_rules(preset);
	dealer = scene->rules.players - 1;
	scopa_tally_init(&scene->tally, dealer, 0);
	support_pack(cards, pack);
	assert_int_equal(
	    scopa_deal_start(&scene->rules, pack, dealer, &scene->deal),
	    SCOPA_START_PLAY);
}

static const char *
line_of(const struct scene *scene, int seat)
{
	static char bytes[LINE_SIZE];
	struct scopa_view view;
	struct scopa_text text;

	scopa_view_make(
	    &scene->rules, &scene->deal, &scene->tally, seat, &view);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_state_format(&scene->rules, scene->preset, &view, &text);
	assert_false(text.cut);
	return bytes;
}

TEST(test_state_says_what_the_seat_was_told)
{
	struct scene scene;

	scene_start(&scene, "scopa", "AS5D7DJSAB3CKS5C6C7C");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=scopa seats=2 teams=AB target=11 you=1 hand=AB3CKS "
	    "deal=1 dealer=2 turn=1 table=AS5D7DJS hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- "
	    "plays=-");
	support_play(&scene.rules, &scene.deal, "ABxAS");
	support_play(&scene.rules, &scene.deal, "5Cx5D");
	assert_string_equal(line_of(&scene, 0), sample);
	scene.tally.scores[0] = 7;
	scene.tally.scores[1] = 12;
	scene.tally.deal_count = 4;
	assert_string_equal(line_of(&scene, 1),
	    "state rules=scopa seats=2 teams=AB target=11 you=2 hand=6C7C "
	    "deal=5 dealer=2 turn=1 table=7DJS hands=1:2,2:2 deck=30 "
	    "pile=A:ASAB,B:5D5C scopas=A:0,B:0 scores=A:7,B:12 last=2 shown=- "
	    "plays=1:ABxAS/2:5Cx5D");
}

TEST(test_state_names_overrides)
{
	struct scene scene;

	scene_start(&scene, "scopa", "AS5D7DJSAB3CKS5C6C7C");
	scene.rules.napola = SCOPA_NAPOLA_RUN;
	scene.rules.target = 21;
	assert_memory_equal(line_of(&scene, 0),
	    "state rules=scopa,napola=run seats=2 teams=AB target=21 you=1 ",
	    62);
}

/* Cirulla: the hand that was declared is open, with what its 7 of cups is. */
TEST(test_state_tells_of_declarations)
{
	struct scene scene;

	scene_start(&scene, "cirulla", "2D4DQDKDAC2C7C5D6SKB");
	support_play(&scene.rules, &scene.deal, "!low:A");
	assert_string_equal(line_of(&scene, 1),
	    "state rules=cirulla seats=2 teams=AB target=51 you=2 hand=5D6SKB "
	    "deal=1 dealer=2 turn=1 table=2D4DQDKD hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- "
	    "shown=1:AC2C7C plays=1:!low:A declared=A:3,B:0 matta=A "
	    "opening=0");
	support_play(&scene.rules, &scene.deal, "7Cx2D4DQDKD");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=cirulla seats=2 teams=AB target=51 you=1 hand=AC2C "
	    "deal=1 dealer=2 turn=2 table=- hands=1:2,2:3 deck=30 "
	    "pile=A:2D4D7CQDKD,B:- scopas=A:1,B:0 scores=A:0,B:0 last=1 "
	    "shown=1:AC2C plays=1:!low:A/1:7Cx2D4DQDKD declared=A:3,B:0 "
	    "matta=- opening=0");
}

TEST(test_state_tells_of_the_opening_table)
{
	struct scene scene;

	scene_start(&scene, "cirulla", "AD2D5D7D3C4S5C6SKBKD");
	assert_string_equal(line_of(&scene, 0),
	    "state rules=cirulla seats=2 teams=AB target=51 you=1 hand=3C4S5C "
	    "deal=1 dealer=2 turn=1 table=- hands=1:3,2:3 deck=30 "
	    "pile=A:-,B:AD2D5D7D scopas=A:0,B:1 scores=A:0,B:0 last=2 "
	    "shown=- plays=- declared=A:0,B:0 matta=- opening=1");
}

static void
assert_moves_equal(const struct scopa_move *a, const struct scopa_move *b)
{
	assert_true(a->captured == b->captured);
	assert_int_equal(a->card, b->card);
	assert_int_equal(a->declaration, b->declaration);
	assert_int_equal(a->value, b->value);
	assert_int_equal(a->seat, b->seat);
}

static void
assert_views_equal(const struct scopa_view *a, const struct scopa_view *b)
{
	assert_true(a->hand == b->hand);
	assert_true(a->table == b->table);
	assert_memory_equal(a->shown, b->shown, sizeof(a->shown));
	assert_memory_equal(a->captured, b->captured, sizeof(a->captured));
	assert_memory_equal(a->scores, b->scores, sizeof(a->scores));
	assert_int_equal(a->deal_number, b->deal_number);
	assert_memory_equal(
	    a->hand_counts, b->hand_counts, sizeof(a->hand_counts));
	assert_memory_equal(a->scopas, b->scopas, sizeof(a->scopas));
	assert_memory_equal(a->declared, b->declared, sizeof(a->declared));
	assert_int_equal(a->deck_count, b->deck_count);
	assert_int_equal(a->seat, b->seat);
	assert_int_equal(a->dealer, b->dealer);
	assert_int_equal(a->turn, b->turn);
	assert_int_equal(a->last, b->last);
	assert_int_equal(a->untouched, b->untouched);
	assert_int_equal(a->matta, b->matta);
	assert_int_equal(a->opening, b->opening);
	assert_int_equal(a->history_count, b->history_count);
	for (int i = 0; i < SCOPA_HISTORY_MAX; i++)
		assert_moves_equal(&a->history[i], &b->history[i]);
}

/* What every seat may know, to text and back. */
static void
assert_round_trips(const struct scene *scene)
{
	for (int seat = 0; seat < scene->rules.players; seat++) {
		const char *line = line_of(scene, seat);
		char sentence[LINE_SIZE];
		struct scopa_rules rules;
		struct scopa_view view, back;
		struct scopa_text why;

		scopa_view_make(
		    &scene->rules, &scene->deal, &scene->tally, seat, &view);
		scopa_text_init(&why, sentence, sizeof(sentence));
		if (!scopa_state_parse(line, &rules, &back, &why))
			fail_msg("%s\n%s", line, sentence);
		assert_memory_equal(&rules, &scene->rules, sizeof(rules));
		assert_views_equal(&view, &back);
	}
}

/* A whole random deal; `rng` decides about all of it. */
static void
play_scene(struct scene *scene, uint64_t *rng)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];

	scopa_tally_init(&scene->tally, 0, 0);
	scene->tally.scores[0] = support_random_below(rng, 1000);
	scene->tally.deal_count = support_random_below(rng, 100);
	support_deal_random(&scene->rules, rng,
	    support_random_below(rng, scene->rules.players), &scene->deal);
	assert_round_trips(scene);
	while (!scopa_deal_over(&scene->deal)) {
		int count = scopa_moves(
		    &scene->rules, &scene->deal, moves, SCOPA_MOVES_MAX);
		/* Declarations stand last and are rare: half the time them. */
		int pick = support_random_below(rng, 2) == 0
		    ? count - 1
		    : support_random_below(rng, count);

		scopa_deal_apply(&scene->rules, &scene->deal, &moves[pick]);
		assert_round_trips(scene);
	}
}

TEST(test_every_view_of_every_preset_round_trips)
{
	static const char *const seatings[] = { "AB", "ABC", "ABCD", "ABAB",
		"ABABAB", "ABCABC", "ABCDEF" };
	static const char *const options[] = { "", ",count=at-once",
		",redeal=none", ",target=9999", ",primiera-six=19" };
	static const char *const cirulla[] = { ",declare=auto", ",matta=table",
		",matta=plain", ",declare=auto,matta=table,count=at-once",
		",declare=off", ",opening=off,trente=yes,count=at-once" };
	uint64_t rng = 17;

	for (int i = 0; i < scopa_preset_count; i++) {
		struct scene scene = { .preset = &scopa_presets[i] };
		bool pairs = scene.preset->rules.hand != 3;
		bool wild = scene.preset->rules.declare != SCOPA_DECLARE_OFF;

		for (size_t k = 0; k < DEALS_A_PRESET; k++) {
			char spec[SPEC_SIZE];

			snprintf(spec, sizeof(spec), "%s,teams=%s%s",
			    scene.preset->name,
			    pairs ? "ABAB" : seatings[k % COUNTOF(seatings)],
			    wild ? cirulla[k % COUNTOF(cirulla)]
				 : options[k % COUNTOF(options)]);
			scene.rules = support_rules(spec);
			play_scene(&scene, &rng);
		}
	}
}
