/*
 * The strongest bot: it plays by the rules, by its seed and by the clock, sees
 * what can be seen, and has an opinion of what others play.
 */
#include "maestro.h"

#include <stdlib.h>
#include <string.h>

#include "now.h"
#include "players.h"
#include "scopa/scopa.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum {
	WHY_SIZE = 256,
	ANSWER_SIZE = 64,
	INFO_SIZE = 8192,
	ITERATIONS = 2000,
	DECISIONS_EACH = 3
};

static struct maestro *maestro;
static struct opinion_means means;

static int
setup(void **state)
{
	(void)state;
	maestro =
	    aligned_alloc(_Alignof(struct maestro), sizeof(struct maestro));
	if (maestro == NULL)
		return -1;
	memset(maestro, 0, sizeof(*maestro));
	means = (struct opinion_means){
		.iterations = ITERATIONS,
		.maestro = maestro,
	};
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	free(maestro);
	return 0;
}

/* What it plays for the seat to move. */
static struct scopa_move
move_of(const struct maestro_settings *settings,
    const struct scopa_rules *rules, const struct scopa_deal *deal,
    uint64_t *random)
{
	struct scopa_view view;
	struct scopa_deal imagined;

	support_view(rules, deal, deal->turn, &view);
	assert_true(imagine_deal(rules, &view, &imagined));
	assert_true(
	    maestro_think(maestro, settings, rules, &view, &imagined, random));
	return maestro->result.rows[maestro->result.best].move;
}

TEST(test_every_preset_is_played_to_the_end)
{
	static const char *const players[] = { "2", "3", "4", "6" };
	struct maestro_settings settings = maestro_defaults;
	uint64_t random = 1;

	settings.iterations = 20;
	settings.worlds = 8;
	for (int i = 0; i < scopa_preset_count * 4; i++) {
		struct scopa_rules rules = scopa_presets[i / 4].rules;
		struct scopa_deal deal;
		struct scopa_text why = support_text();

		scopa_rules_set(&rules, "players", players[i % 4], &why);
		if (!scopa_rules_check(&rules, &why))
			continue;
		support_deal_random(&rules, &random,
		    support_random_below(&random, rules.players), &deal);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move =
			    move_of(&settings, &rules, &deal, &random);

			assert_int_equal(scopa_deal_check(&rules, &deal, &move),
			    SCOPA_LEGAL);
			scopa_deal_apply(&rules, &deal, &move);
		}
	}
}

TEST(test_same_seed_gives_the_same_moves)
{
	const struct scopa_rules rules = support_rules("scientifico");
	struct maestro_settings settings = maestro_defaults;
	uint64_t random = 2;
	struct scopa_deal deal;

	settings.iterations = 200;
	support_deal_random(&rules, &random,
	    support_random_below(&random, rules.players), &deal);
	while (!scopa_deal_over(&deal)) {
		uint64_t once = 7, again = 7;
		struct scopa_move move =
		    move_of(&settings, &rules, &deal, &once);
		struct scopa_move other =
		    move_of(&settings, &rules, &deal, &again);

		assert_true(once == again);
		assert_true(scopa_move_equal(&move, &other));
		scopa_deal_apply(&rules, &deal, &move);
	}
}

TEST(test_deadline_ends_the_search)
{
	const struct scopa_rules rules = support_rules("scientifico");
	struct maestro_settings settings = maestro_defaults;
	uint64_t random = 3;
	struct scopa_deal deal;
	int64_t began_ns = now_ns();

	support_deal_random(&rules, &random,
	    support_random_below(&random, rules.players), &deal);
	settings.deadline_ns = began_ns + 20 * NOW_NS_PER_MS;
	move_of(&settings, &rules, &deal, &random);
	assert_true(now_ns() >= settings.deadline_ns);
	/* Generous: other programs share the machine. */
	assert_true(now_ns() < began_ns + 5 * NOW_NS_PER_S);
	assert_true(maestro->result.iterations > 0);
}

/* Seat 0 is to play; seat 1 holds `other` and has taken all the rest. */
static void
assert_plays(const char *spec, const char *table, const char *hand,
    const char *other, const char *expected)
{
	const struct scopa_rules rules = support_rules(spec);
	struct maestro_settings settings = maestro_defaults;
	uint64_t random = 4;
	struct scopa_deal deal;
	struct scopa_move move;
	struct scopa_text text;
	char bytes[ANSWER_SIZE];

	settings.iterations = 1000;
	support_position(&rules, table, hand, &deal);
	support_hold(&deal, other);
	move = move_of(&settings, &rules, &deal, &random);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&move, &text);
	if (strcmp(bytes, expected) != 0)
		fail_msg("%s instead of %s", bytes, expected);
}

TEST(test_what_is_forced_is_found)
{
	assert_plays("scopa", "3C4S", "7BKD", "KS5B", "7Bx3C4S");
	/* The other's ace would sweep the two; it cannot sweep the king. */
	assert_plays("scopa", "-", "ADKB", "AC2S", "KB");
	/* Whoever gets the fewest points leaves the sweep alone. */
	assert_plays("perdere", "4S", "4BKD", "KSKC", "KD");
}

/* Plays a deal; returns how often the few worlds left were solved. */
static int
count_solved(const char *spec, int *few)
{
	const struct scopa_rules rules = support_rules(spec);
	struct maestro_settings settings = maestro_defaults;
	uint64_t random = 6;
	struct scopa_deal deal;
	int solved = 0;

	settings.iterations = 100;
	support_deal_random(&rules, &random,
	    support_random_below(&random, rules.players), &deal);
	*few = 0;
	while (!scopa_deal_over(&deal)) {
		const struct belief *belief = &maestro->belief;
		struct scopa_move move =
		    move_of(&settings, &rules, &deal, &random);
		bool exact = maestro->result.plays == 0;

		*few += belief->listed &&
		    belief->world_count <= MAESTRO_ENDGAME_WORLDS;
		assert_true(!exact || deal.dealt == SCOPA_PACK_SIZE);
		assert_true(!exact ||
		    maestro->result.iterations == belief->world_count);
		solved += exact;
		scopa_deal_apply(&rules, &deal, &move);
	}
	return solved;
}

TEST(test_few_worlds_are_solved_once_the_stock_is_gone)
{
	int few, solved;

	/* Two cards and one card of each of four players. */
	assert_int_equal(count_solved("scientifico", &few), 9);
	assert_int_equal(few, 9);
	/* The hands of two players and six cards to come are 84 worlds. */
	solved = count_solved("scopa", &few);
	assert_true(solved > 0 && solved < few);
}

/* The first turn of a deal, as the bot is given it. */
struct question {
	struct scopa_rules rules;
	struct scopa_deal deal, imagined;
	struct scopa_view view;
	int64_t options[MAESTRO_OPTION_COUNT];
	uint64_t random;
	char info_bytes[INFO_SIZE], answer_bytes[ANSWER_SIZE];
	struct scopa_text info, answer;
	struct builtin_turn turn;
};

/* With the options that nobody has said, and without a clock. */
static void
question_init(struct question *question)
{
	const struct builtin *builtin = builtin_find("maestro");

	assert_non_null(builtin);
	*question = (struct question){
		.rules = support_rules("scientifico"),
		.random = 5,
		.turn = {
			.rules = &question->rules,
			.view = &question->view,
			.deal = &question->imagined,
			.random = &question->random,
			.options = question->options,
			.bank_ns = -1,
			.increment_ns = -1,
			.move_ns = -1,
			.info = &question->info,
			.memory = maestro,
		},
	};
	for (int i = 0; i < MAESTRO_OPTION_COUNT; i++)
		question->options[i] = builtin->options[i].fallback;
	support_deal_random(
	    &question->rules, &question->random, 0, &question->deal);
	support_view(&question->rules, &question->deal, question->deal.turn,
	    &question->view);
	assert_true(imagine_deal(
	    &question->rules, &question->view, &question->imagined));
}

/* How long the answer takes, in milliseconds. */
static int64_t
question_ask(struct question *question)
{
	scopa_text_init(&question->info, question->info_bytes, INFO_SIZE);
	scopa_text_init(&question->answer, question->answer_bytes, ANSWER_SIZE);
	question->turn.began_ns = now_ns();
	assert_true(maestro_choose(&question->turn, &question->answer));
	return (now_ns() - question->turn.began_ns) / NOW_NS_PER_MS;
}

TEST(test_time_to_think_by_options_and_clock)
{
	static const struct {
		int64_t ms, iterations, move_ns, least_ms, most_ms;
	} cases[] = {
		/* A tenth of a second, however long the clock would be. */
		{ MAESTRO_MS_AUTO, 0, 60 * NOW_NS_PER_S, 90, 30000 },
		{ MAESTRO_MS_AUTO, 0, -1, 90, 30000 },
		/* Iterations, or milliseconds, that are said. */
		{ MAESTRO_MS_AUTO, 10, 60 * NOW_NS_PER_S, 0, 30000 },
		{ 20, 0, 60 * NOW_NS_PER_S, 19, 30000 },
		/* As the clock says. */
		{ 0, 0, NOW_NS_PER_S / 5, 140, 30000 },
	};
	static struct question question;

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		question_init(&question);
		question.options[MAESTRO_MS] = cases[i].ms;
		question.options[MAESTRO_ITERATIONS] = cases[i].iterations;
		question.turn.move_ns = cases[i].move_ns;
		assert_in_range(question_ask(&question), cases[i].least_ms,
		    cases[i].most_ms);
	}
}

/* A clock that was hardly used, and a machine that others use, cut nothing. */
TEST(test_iterations_are_made_while_the_clock_allows)
{
	static struct question question;

	question_init(&question);
	question.options[MAESTRO_ITERATIONS] = 3000;
	question.turn.move_ns = 600 * NOW_NS_PER_S;
	question.turn.work_ns = 1;
	question.turn.lag_ns = 100 * NOW_NS_PER_MS;
	question_ask(&question);
	assert_non_null(strstr(question.info_bytes, "nodes=3000 "));
	assert_null(strstr(question.info_bytes, "cut="));
	/* One that is over, or the option `ms`, does. */
	question.options[MAESTRO_ITERATIONS] = 1 << 20;
	question.turn.move_ns = 20 * NOW_NS_PER_MS;
	question_ask(&question);
	assert_null(strstr(question.info_bytes, "nodes=1048576 "));
	assert_non_null(strstr(question.info_bytes, " cut=1"));
	question.options[MAESTRO_MS] = 5;
	question.turn.move_ns = 600 * NOW_NS_PER_S;
	question_ask(&question);
	assert_null(strstr(question.info_bytes, "cut="));
	/* As many as there is time for are never too few. */
	question.options[MAESTRO_ITERATIONS] = 0;
	question.options[MAESTRO_MS] = 0;
	question.turn.move_ns = 20 * NOW_NS_PER_MS;
	question_ask(&question);
	assert_null(strstr(question.info_bytes, "cut="));
}

TEST(test_strength_and_info_of_a_turn)
{
	static struct question question;
	const char *info = question.info_bytes;

	question_init(&question);
	question.options[MAESTRO_ITERATIONS] = 100;
	for (int level = STRENGTH_MIN; level <= STRENGTH_MAX; level++) {
		question.options[MAESTRO_STRENGTH] = level;
		question_ask(&question);
		assert_int_equal(support_check(&question.rules, &question.deal,
				     question.answer_bytes),
		    SCOPA_LEGAL);
		assert_non_null(strstr(info, "nodes=100 "));
		assert_non_null(strstr(info, " m.worlds=512 "));
		assert_non_null(strstr(info, " m.ess="));
		assert_non_null(strstr(info, " m.p.7"));
	}
	assert_non_null(strstr(info, " pv="));
}

/* What the seat to move may know. */
static struct scopa_view
view_of(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_view view;

	support_view(rules, deal, deal->turn, &view);
	return view;
}

static struct opinion
opinion_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *move, uint64_t random)
{
	struct scopa_view view = view_of(rules, deal);
	struct opinion opinion;

	assert_true(
	    opinion_form(rules, &view, move, &means, &random, &opinion));
	return opinion;
}

/* Seat 1 can sweep with the settebello, or throw a king. */
static void
deal_start(const struct scopa_rules *rules, struct scopa_deal *deal)
{
	support_deal(rules, "3C4S2CAD 7DKC5B 6CJCQS", 1, deal);
	deal->table = support_set("3C4S");
	deal->captured[1] = support_set("2CAD");
}

static struct scopa_move
move_named(const char *text)
{
	struct scopa_move move;

	assert_int_equal(
	    scopa_move_parse(text, strlen(text), &move), SCOPA_PARSED);
	move.seat = 0;
	return move;
}

TEST(test_a_missed_sweep_is_a_loss)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move good = move_named("7Dx3C4S"), bad = move_named("KC");
	struct scopa_deal deal;
	struct opinion opinion;

	deal_start(&rules, &deal);
	opinion = opinion_of(&rules, &deal, &bad, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss > 0.5);
	opinion = opinion_of(&rules, &deal, &good, 1);
	assert_true(scopa_move_equal(&opinion.best, &good));
	assert_true(opinion.loss == 0);
}

TEST(test_where_points_are_bad_the_sweep_is_the_loss)
{
	struct scopa_rules rules = support_rules("perdere");
	struct scopa_move sweep = move_named("7Dx3C4S");
	struct scopa_deal deal;
	struct opinion opinion;

	deal_start(&rules, &deal);
	opinion = opinion_of(&rules, &deal, &sweep, 1);
	assert_false(scopa_move_equal(&opinion.best, &sweep));
	assert_true(opinion.loss > 0.5);
}

/* The hidden cards may lie as they like: the opinion is of what is known. */
TEST(test_hidden_cards_change_no_opinion)
{
	struct scopa_rules rules = support_rules("scopa");
	struct scopa_move move = move_named("KC");
	struct opinion first, other;
	struct scopa_deal deal;

	deal_start(&rules, &deal);
	first = opinion_of(&rules, &deal, &move, 5);
	deal.hands[1] = support_set("7C7S7B");
	for (int i = deal.dealt; i < SCOPA_PACK_SIZE; i++)
		if (scopa_set_has(deal.hands[1], deal.pack[i]))
			deal.pack[i] = support_card(
			    deal.pack[i] == support_card("7C")       ? "6C"
				: deal.pack[i] == support_card("7S") ? "JC"
								     : "QS");
	other = opinion_of(&rules, &deal, &move, 5);
	assert_true(first.loss == other.loss);
	assert_true(first.value == other.value);
}

/* Random deals, some decisions each. */
static void
judge_deal(const struct scopa_rules *rules, uint64_t *rng)
{
	struct scopa_deal deal;

	support_deal_random(rules, rng, 0, &deal);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		scopa_move_pick(rules, &deal, support_random(rng), &move);
		if (support_random_below(rng, SCOPA_PACK_SIZE) <
		    DECISIONS_EACH) {
			struct opinion opinion =
			    opinion_of(rules, &deal, &move, 1);

			assert_true(opinion.loss >= 0);
			assert_int_equal(
			    scopa_deal_check(rules, &deal, &opinion.best),
			    SCOPA_LEGAL);
		}
		scopa_deal_apply(rules, &deal, &move);
	}
}

TEST(test_all_presets_and_seatings_are_judged)
{
	static const char *const seatings[] = { "scopa,players=3",
		"scopa,teams=ABAB", "scopa,players=6", "cirulla,players=3",
		"cirulla,declare=auto", "escoba,players=3" };
	uint64_t rng = 4;

	means.iterations = 40;
	for (int i = 0; i < scopa_preset_count; i++)
		judge_deal(&scopa_presets[i].rules, &rng);
	for (size_t i = 0; i < COUNTOF(seatings); i++) {
		struct scopa_rules rules = support_rules(seatings[i]);

		judge_deal(&rules, &rng);
	}
	means.iterations = ITERATIONS;
}

TEST_GROUP(setup, teardown)
