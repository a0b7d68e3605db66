/*
 * Time controls: their text for people and in lines, and the time left to a
 * seat.
 */
#include "budget.h"

#include <string.h>

#include "golden.h"
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

static void
check_written(const char *written, const char *milliseconds, const char *shown)
{
	struct budget_control control = control_of(written);
	struct scopa_text text;
	char bytes[64];

	scopa_text_init(&text, bytes, sizeof(bytes));
	budget_control_format(&control, &text);
	assert_string_equal(bytes, milliseconds);
	scopa_text_init(&text, bytes, sizeof(bytes));
	budget_control_show(&control, &text);
	assert_string_equal(bytes, shown);
	/* The text for people reads back as the same control. */
	control = control_of(bytes);
	scopa_text_init(&text, bytes, sizeof(bytes));
	budget_control_format(&control, &text);
	assert_string_equal(bytes, milliseconds);
}

static void
check_refused(const char *written)
{
	struct budget_control control = { BUDGET_DEAL, 7, 8 };
	struct scopa_text why;
	char bytes[256], quoted[64] = "\"";

	scopa_text_init(&why, bytes, sizeof(bytes));
	if (budget_control_parse(&control, written, &why))
		fail_msg("\"%s\" was accepted", written);
	strcat(strcat(quoted, written), "\"");
	assert_non_null(strstr(bytes, quoted));
	assert_int_equal(control.kind, BUDGET_DEAL);
	assert_int_equal(control.base_ms, 7);
	assert_int_equal(control.increment_ms, 8);
}

TEST(test_people_write_seconds_and_lines_contain_milliseconds)
{
	static struct golden golden;
	int count = 0;

	for (char **field = golden.fields;
	     golden_next(&golden, "time_controls.tsv"); count++) {
		if (strcmp(field[1], "-") == 0)
			check_refused(field[0]);
		else
			check_written(field[0], field[1], field[2]);
	}
	assert_int_equal(count, 52);
}

TEST(test_time_in_go_is_rounded_down)
{
	struct budget_control control = control_of("match:1+0");
	struct budget budget;

	budget_start_match(&budget, &control);
	budget_spend(&budget, &control, 1);
	assert_string_equal(go_of(&budget, &control), " time=999 inc=0");
}

TEST(test_bank_that_only_grows_is_limited)
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

TEST(test_answer_is_released_at_the_end_of_a_time_step)
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

			/*
			 * The release is at the end of the step, for any time
			 * within it.
			 */
			assert_true(release_ns == begin_ns + step_ns);
			assert_true(budget_release_ns(origin_ns, step_ns,
					release_ns) == release_ns);
		}
		assert_true(budget_release_ns(5, step_ns, 3) == 5);
	}
}

TEST(test_usual_time_of_an_answer_follows_from_the_time_control)
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
