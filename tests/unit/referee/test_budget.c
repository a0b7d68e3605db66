/*
 * Time controls: how people and lines write them, and what is left to a seat.
 */
#include "budget.h"

#include <string.h>

#include "support.h"
#include "test.h"

#define MS BUDGET_NS_PER_MS

static struct budget_control
control_of(const char *written)
{
	struct budget_control control;
	struct scopa_text why = support_text();

	if (!budget_control_parse(&control, written, &why))
		fail_msg("%s: %s", written, why.bytes);
	return control;
}

static const char *
go_of(const struct budget *budget, const struct budget_control *control)
{
	struct scopa_text text = support_text();

	budget_format_go(budget, control, &text);
	return text.bytes;
}

TEST(test_people_write_seconds_and_lines_have_milliseconds)
{
	static const struct {
		const char *seconds, *milliseconds, *shown;
	} rows[] = {
		{ "none", "none", "none" },
		{ "match:60+0.1", "match:60000+100", "match:60s+0.1s" },
		{ "match:60s+100ms", "match:60000+100", "match:60s+0.1s" },
		{ "match:60", "match:60000+0", "match:60s" },
		{ "deal:5+0", "deal:5000+0", "deal:5s" },
		{ "deal:0.25+0.005", "deal:250+5", "deal:0.25s+0.005s" },
		{ "move:0.5", "move:500", "move:0.5s" },
		{ "move:0.5s", "move:500", "move:0.5s" },
		{ "move:500ms", "move:500", "move:0.5s" },
		{ "move:0.05", "move:50", "move:0.05s" },
		{ "move:0.001", "move:1", "move:0.001s" },
		{ "move:1.203", "move:1203", "move:1.203s" },
		{ "move:1000000", "move:1000000000", "move:1000000s" },
		{ "move:1000000000ms", "move:1000000000", "move:1000000s" },
	};

	for (size_t i = 0; i < COUNTOF(rows); i++) {
		struct budget_control control = control_of(rows[i].seconds);
		struct scopa_text text;
		char bytes[64];

		scopa_text_init(&text, bytes, sizeof(bytes));
		budget_control_format(&control, &text);
		assert_string_equal(bytes, rows[i].milliseconds);
		scopa_text_init(&text, bytes, sizeof(bytes));
		budget_control_show(&control, &text);
		assert_string_equal(bytes, rows[i].shown);
		/* What is shown means the same when it is written again. */
		control = control_of(bytes);
		scopa_text_init(&text, bytes, sizeof(bytes));
		budget_control_format(&control, &text);
		assert_string_equal(bytes, rows[i].milliseconds);
	}
}

TEST(test_what_is_no_time_control_is_refused_with_its_text)
{
	static const char *const bad[] = { "", "none:1", "None", "10", "move",
		"move:", "move:0", "move:0.000", "move:-1", "move:1+1",
		"move:1.", "move:.5", "move:1.2345", "move:1m", "move:1,5",
		"move:s", "move:ms", "move:1 s", "move:1ss", "move:0.5ms",
		"move:0s", "move:0ms", "move:1S", "move:1s1", "move:1000001s",
		"move:1000000001ms", "match:+1", "match:1+", "match:1+-1",
		"match:1+1+1", "deal", "deal:0+1", "hour:1+0", "move:1000001",
		"move: 1", "move:1e3", "move:0x10", ":1" };

	for (size_t i = 0; i < COUNTOF(bad); i++) {
		struct budget_control control = { BUDGET_DEAL, 7, 8 };
		struct scopa_text why;
		char bytes[256], quoted[64] = "\"";

		scopa_text_init(&why, bytes, sizeof(bytes));
		if (budget_control_parse(&control, bad[i], &why))
			fail_msg("\"%s\" was taken", bad[i]);
		strcat(strcat(quoted, bad[i]), "\"");
		assert_non_null(strstr(bytes, quoted));
		assert_int_equal(control.kind, BUDGET_DEAL);
		assert_int_equal(control.base_ms, 7);
		assert_int_equal(control.increment_ms, 8);
	}
}

TEST(test_go_rounds_down_so_that_nobody_is_promised_too_much)
{
	struct budget_control control = control_of("match:1+0");
	struct budget budget;

	budget_start_match(&budget, &control);
	budget_spend(&budget, &control, 1);
	assert_string_equal(go_of(&budget, &control), " time=999 inc=0");
}

TEST(test_bank_that_only_grows_ends_at_a_limit)
{
	struct budget_control control = control_of("match:1000000+1000000");
	struct budget budget;
	int64_t before_ns;

	budget_start_match(&budget, &control);
	for (int i = 0; i < 20000; i++) {
		before_ns = budget.left_ns;
		budget_spend(&budget, &control, 0);
		assert_true(budget.left_ns >= before_ns);
	}
	assert_true(budget.left_ns == BUDGET_LEFT_MAX_NS);
	assert_true(budget_deadline_ns(&budget, &control, INT64_C(1) << 61,
			INT64_C(1) << 60) < BUDGET_NEVER);
}

TEST(test_releases_lie_on_the_grid_and_hide_the_time_within_a_step)
{
	static const int64_t steps_ns[] = { 1, 7, 1000000, 50000000,
		60000000000 };
	uint64_t random = 11;

	for (size_t i = 0; i < COUNTOF(steps_ns); i++) {
		int64_t step_ns = steps_ns[i];

		for (int turn = 0; turn < 1000; turn++) {
			int64_t origin_ns =
			    support_random_below(&random, 1000000000);
			int64_t begin_ns = origin_ns +
			    step_ns * support_random_below(&random, 1000);
			int64_t think_ns = 1 +
			    support_random_below(&random, 2000000000) % step_ns;
			int64_t release_ns = budget_release_ns(
			    origin_ns, step_ns, begin_ns + think_ns);

			/* However long it thought within the step. */
			assert_true(release_ns == begin_ns + step_ns);
			assert_true(budget_release_ns(origin_ns, step_ns,
					release_ns) == release_ns);
		}
		assert_true(budget_release_ns(5, step_ns, 3) == 5);
	}
}

TEST(test_what_an_answer_usually_may_take)
{
	static const struct {
		const char *text;
		int64_t usual_ns;
	} cases[] = {
		{ "move:0.005", 5000000 },
		{ "match:64+0.1", 2100000000 },
		{ "deal:3.2+0", 100000000 },
		{ "none", BUDGET_NEVER },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		struct budget_control control;
		struct scopa_text why = { 0 };

		assert_true(
		    budget_control_parse(&control, cases[i].text, &why));
		assert_true(budget_usual_ns(&control) == cases[i].usual_ns);
	}
}
