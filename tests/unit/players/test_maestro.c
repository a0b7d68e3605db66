/*
 * The strongest bot: it plays by the rules, by its seed and by the clock, and
 * sees what can be seen.
 */
#include "maestro.h"

#include <stdlib.h>
#include <string.h>

#include "now.h"
#include "players.h"
#include "scopa/scopa.h"
#include "strength.h"
#include "support.h"
#include "test.h"
#include "world.h"

enum { WHY_SIZE = 256, ANSWER_SIZE = 64, INFO_SIZE = 8192 };

static struct maestro *maestro;

static int
setup(void **state)
{
	(void)state;
	maestro = calloc(1, sizeof(*maestro));
	return maestro == NULL ? -1 : 0;
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
		struct scopa_text why;
		char bytes[WHY_SIZE];

		scopa_text_init(&why, bytes, sizeof(bytes));
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
		    belief->world_count <= settings.endgame_worlds;
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
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

/*
 * Few iterations are not outweighed by the reading of who plays by known rules.
 */
TEST(test_opponent_model_is_a_part_of_the_work_without_a_clock)
{
	enum { PLAYS_BEFORE = 12, PLAYS_OF_A_WORLD = 20 };
	static const struct {
		int64_t iterations, least, most;
	} cases[] = { { 1000, 0, 0 }, { 4999, 0, 0 }, { 6000, 1, 1200 },
		{ 20000, 1, 4000 } };
	const struct scopa_rules rules = support_rules("scopone");
	struct maestro_settings settings = maestro_defaults;
	struct scopa_deal deal;
	struct scopa_move moves[SCOPA_MOVES_MAX];
	uint64_t random = 31;

	support_deal_random(&rules, &random, 0, &deal);
	for (int i = 0; i < PLAYS_BEFORE; i++) {
		scopa_moves(&rules, &deal, moves, SCOPA_MOVES_MAX);
		scopa_deal_apply(&rules, &deal, &moves[0]);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		settings.iterations = cases[i].iterations;
		maestro->opponents.judged = 0;
		move_of(&settings, &rules, &deal, &random);
		assert_in_range(maestro->opponents.judged, cases[i].least,
		    cases[i].most + (cases[i].most > 0 ? PLAYS_OF_A_WORLD : 0));
	}
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

TEST_GROUP(setup, teardown)
