/*
 * The stored scripts of the fuzz target of the referee reach each possible
 * combination: a game that has not begun, is in progress or is over, a bot in
 * one of its phases, and any event of this bot.  Impossible combinations are
 * listed with the reason, and must not be reached.
 */

#include "mock_match.h"
#include "script.h"
#include "seeds.h"
#include "test.h"

#define BIT(number) (1U << (number))

enum {
	ANY_STATE = (1 << JUDGE_STATE_COUNT) - 1,
	ANY_PHASE = (1 << JUDGE_PHASE_COUNT) - 1,
	BEFORE = 1 << JUDGE_BEFORE,
	PLAY = 1 << JUDGE_PLAY,
	OVER = 1 << JUDGE_OVER,
	STARTING = SESSION_HELLO | SESSION_SETUP,
	ANY_KIND = (1 << JUDGE_KIND_COUNT) - 1,
	OF_ALL_SEATS = 1 << JUDGE_OPEN | 1 << JUDGE_PACK | 1 << JUDGE_LAG |
	    1 << JUDGE_ABORT | 1 << JUDGE_RESEAT,
	OF_A_QUESTION =
	    1 << JUDGE_MOVE_BAD | 1 << JUDGE_MOVE_LATE | 1 << JUDGE_MOVE_STALE
};

static const char *const state_names[] = { "before", "play", "over" };
static const char *const phase_names[] = { "absent", "hello", "setup", "idle",
	"think", "stale", "gone" };
static const char *const kind_names[] = { "start", "move", "bad move",
	"late move", "stale move", "info", "readyok", "id", "option", "feature",
	"uspok", "error", "error fatal", "unknown", "empty", "flaw", "flood",
	"exit", "sent", "deadline", "open", "pack", "lag", "abort", "reseat" };

_Static_assert(COUNTOF(state_names) == JUDGE_STATE_COUNT, "all states");
_Static_assert(COUNTOF(phase_names) == JUDGE_PHASE_COUNT, "all phases");
_Static_assert(COUNTOF(kind_names) == JUDGE_KIND_COUNT, "all kinds");

/* Impossible combinations of any values in the columns. */
static const struct {
	unsigned states, phases, kinds;
	const char *why;
} impossible[] = {
	{ PLAY | OVER, SESSION_ABSENT | STARTING, ANY_KIND,
	    "a game begins when every bot is ready or gone" },
	{ BEFORE | OVER, SESSION_THINK, ANY_KIND,
	    "no seat is asked outside of a game" },
	{ ANY_STATE, ANY_PHASE & ~SESSION_ABSENT, BIT(JUDGE_START),
	    "a bot is started at an empty seat" },
	{ ANY_STATE, SESSION_ABSENT,
	    ANY_KIND & ~(BIT(JUDGE_START) | OF_ALL_SEATS),
	    "there is no bot to do anything" },
	{ ANY_STATE, SESSION_IDLE | SESSION_GONE, BIT(JUDGE_DEADLINE),
	    "there is no question to the bot with a deadline" },
	{ ANY_STATE, ANY_PHASE & ~SESSION_THINK, OF_A_QUESTION,
	    "without a question all moves are equally wrong" },
	{ ANY_STATE, ANY_PHASE & ~(SESSION_IDLE | SESSION_GONE),
	    BIT(JUDGE_OPEN), "a game begins when every bot is ready or gone" },
	{ PLAY | OVER, ANY_PHASE, BIT(JUDGE_OPEN),
	    "a game in progress or over does not begin" },
	{ BEFORE | OVER, ANY_PHASE, BIT(JUDGE_PACK),
	    "packs are dealt within a game" },
	{ ANY_STATE, SESSION_THINK, BIT(JUDGE_PACK),
	    "the last move of the deal before has been made" },
	{ BEFORE | PLAY, ANY_PHASE, BIT(JUDGE_RESEAT),
	    "seats change when a game is over" },
};

static void
run(const char *label, const uint8_t *data, size_t size)
{
	static struct script_course course;
	struct mock_order order;
	char steps[SCRIPT_SIZE_MAX];

	(void)label;
	if (script_read(data, size, &order, steps))
		mock_close(script_play(&order, steps, &course));
}

static const char *
find_reason(int state, int phase, int kind)
{
	for (size_t i = 0; i < COUNTOF(impossible); i++)
		if ((impossible[i].states & BIT(state)) &&
		    (impossible[i].phases & BIT(phase)) &&
		    (impossible[i].kinds & BIT(kind)))
			return impossible[i].why;
	return NULL;
}

TEST(test_stored_scripts_reach_each_combination_of_state_and_event)
{
	int possible = 0, reached = 0, wrong = 0;

	assert_true(seeds_each("referee", run) > 0);
	for (int from = 0; from < JUDGE_STATE_COUNT; from++)
		for (int phase = 0; phase < JUDGE_PHASE_COUNT; phase++)
			for (int kind = 0; kind < JUDGE_KIND_COUNT; kind++) {
				const char *why =
				    find_reason(from, phase, kind);
				bool found = judge_pairs[from][phase][kind];

				possible += why == NULL;
				reached += why == NULL && found;
				if (found == (why == NULL))
					continue;
				print_message("%s, %s, %s: %s\n",
				    state_names[from], phase_names[phase],
				    kind_names[kind],
				    why ? why : "not reached");
				wrong++;
			}
	print_message("# %d of %d pairs are reached\n", reached, possible);
	assert_int_equal(wrong, 0);
}
