/*
 * Comparison with other programs, by the rows of tests/golden/statistics.tsv.
 * Every row is read.  It is compared as far as its numbers are to be ours; what
 * is not compared, its function says, or the list of rows that are left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "sample.h"
#include "sprt.h"
#include "test.h"

struct row {
	const struct golden *golden;
	const char *inputs;
	double tolerance;
	int expected_count;
	double expected[3];
	/* Results from the worst to the best; 3, 5 or none. */
	struct score_counts scores;
	/* Numbers with their frequencies. */
	struct likelihood margins;
	struct moments moments;
};

/*
 * Fails unless the number is finite, and equal to one of the expected numbers.
 * If the peer has no number, any finite one is accepted.
 */
static void
row_near(const struct row *row, int index, double found)
{
	double expected = row->expected[index];

	if (!isfinite(found))
		fail_msg("%s %s: not finite", row->golden->fields[0],
		    row->golden->fields[1]);
	if (index < row->expected_count && isfinite(expected) &&
	    fabs(found - expected) > row->tolerance)
		fail_msg("%s %s: %.17g, not %.17g", row->golden->fields[0],
		    row->golden->fields[1], found, expected);
}

/* `name=NUMBER` or `"name": NUMBER` of the inputs. */
static double
row_input(const struct row *row, const char *name)
{
	const char *at = strstr(row->inputs, name);

	if (at == NULL)
		fail_msg("%s: no %s", row->golden->fields[0], name);
	return strtod(
	    at + strlen(name) + strspn(at + strlen(name), "\"=: "), NULL);
}

static void
counts_read(struct row *row)
{
	static const struct {
		const char *names;
		int order[6]; /* categories of the columns */
		int category_count;
	} forms[] = {
		{ "W,L,D=", { 2, 0, 1 }, 3 },
		{ "LDW=", { 0, 1, 2 }, 3 },
		{ "LL,LD,WL,DD,WD,WW=", { 0, 1, 2, 2, 3, 4 }, 5 },
		{ "ptnml(LL,LD,WL+DD,WD,WW)=", { 0, 1, 2, 3, 4 }, 5 },
	};

	for (size_t i = 0; i < COUNTOF(forms); i++) {
		const char *at = row->inputs + strlen(forms[i].names);
		const int *order = forms[i].order;

		if (strncmp(row->inputs, forms[i].names,
			strlen(forms[i].names)) != 0)
			continue;
		row->scores.count = forms[i].category_count;
		row->scores.games = row->scores.count == 5 ? 2 : 1;
		do {
			char *end;

			row->scores.counts[*order++] += strtod(at, &end);
			at = end + 1;
		} while (at[-1] == ',');
	}
}

/* `counts={"MARGIN": COUNT, ...}` */
static void
margins_read(struct row *row)
{
	const char *at = row->inputs + strlen("counts={");
	const char *end = strchr(at, '}');
	double total = 0;

	while ((at = strchr(at, '"')) != NULL && at < end) {
		double value = strtod(at + 1, NULL);
		double count = strtod(strchr(at, ':') + 1, NULL);
		int i = row->margins.count++;

		assert_true(i < LIKELIHOOD_VALUES_MAX);
		row->margins.values[i] = value;
		row->margins.frequencies[i] = count;
		total += count;
		for (double k = 0; k < count; k++)
			moments_add(&row->moments, value);
		at = strchr(at, ':');
	}
	for (int i = 0; i < row->margins.count; i++)
		row->margins.frequencies[i] /= total;
}

/* `{"blocks...": [[GAME, ...], ...]}`: the means of blocks. */
static void
blocks_read(struct row *row)
{
	const char *at = strchr(row->inputs, '[') + 1;

	while ((at = strchr(at, '[')) != NULL) {
		double sum = 0;
		int count = 0;
		char *end;

		do {
			sum += strtod(at + 1, &end);
			at = end;
			count++;
		} while (*at == ',');
		moments_add(&row->moments, sum / count);
	}
}

static void
row_read(const struct golden *golden, struct row *row)
{
	const char *slash = strstr(golden->fields[4], " / ");

	*row = (struct row){
		.golden = golden,
		.inputs = golden->fields[2],
		/* `1e-3 logistic / 1e-6 normalized` */
		.tolerance = strtod(
		    slash != NULL && strstr(golden->fields[1], "norm") != NULL
			? slash + 3
			: golden->fields[4],
		    NULL),
	};
	assert_true(row->tolerance > 0);
	if (strncmp(golden->fields[3], "ERR", 3) != 0) {
		row->expected_count =
		    golden_numbers(golden->fields[3], row->expected, 3);
		assert_true(row->expected_count > 0);
	}
	counts_read(row);
	if (strncmp(row->inputs, "counts={", 8) == 0)
		margins_read(row);
	if (strncmp(row->inputs, "{\"blocks", 8) == 0)
		blocks_read(row);
}

/* Our estimates from the counts. */
static struct strength
row_strength(const struct row *row)
{
	return counts_strength(row->scores, 0.95);
}

static struct sprt
row_sprt(const struct row *row, enum sprt_model model)
{
	struct sprt sprt = sample_sprt(model, SPRT_UNIT_ELO,
	    row_input(row, "elo0"), row_input(row, "elo1"));

	sprt.minimum = 0;
	return sprt;
}

static void
check_los(const struct row *row)
{
	row_near(row, 0, 100 * row_strength(row).los_normal);
}

static void
check_sprt(const struct row *row)
{
	const char *quantity = row->golden->fields[1];
	const char *source = row->golden->fields[5];
	struct sprt sprt = row_sprt(row,
	    strstr(quantity, "bayes") != NULL          ? SPRT_BAYESIAN
		: strstr(quantity, "logistic") != NULL ? SPRT_LOGISTIC
						       : SPRT_NORMALIZED);

	sprt.reading = strstr(source, "fastchess") != NULL
	    ? SPRT_READING_FASTCHESS
	    : strstr(source, "cutechess") != NULL ? SPRT_READING_CUTECHESS
						  : SPRT_READING_OPENBENCH;
	row_near(row, 0, sprt_counts(&sprt, row->scores).llr);
}

/*
 * The margin model on scores.  The peer adds a thousandth for each result that
 * was not seen, and counts a pair as two games.  So each count is 1000 times as
 * great, and the LLR is 1000 times as great.
 */
static void
check_closed_form(const struct row *row)
{
	struct sprt sprt = row_sprt(row, SPRT_MARGIN);
	double games = row->scores.games;
	struct moments moments = { 0 };

	for (int i = 0; i < row->scores.count; i++)
		moments = moments_join(moments,
		    moments_of(llround(fmax(1000 * row->scores.counts[i], 1)),
			(double)i / (row->scores.count - 1) - 0.5, 0));
	moments.count *= row->scores.games;
	moments.squares *= games * games;
	row_near(row, 0, sprt_closed_form(&sprt, &moments, false) / 1000);
}

/*
 * Elo, its error and LOS.  The peer adds a thousandth for each result that was
 * not seen, and cuts an interval that has no end at another Elo.
 */
static void
check_regularized(const struct row *row)
{
	const char *quantity = row->golden->fields[1];
	struct row added = *row;
	struct strength strength;

	for (int i = 0; i < row->scores.count; i++)
		added.scores.counts[i] = fmax(row->scores.counts[i], 1e-3);
	strength = row_strength(&added);
	if (strcmp(quantity, "elo_regularized") == 0)
		row_near(row, 0, strength.elo.value);
	else if (strcmp(quantity, "los_regularized") == 0)
		row_near(row, 0, strength.los_normal);
	else if (!strength.elo.high_beyond)
		row_near(row, 0, strength.elo_error);
}

/* Only Elo: the peer's interval uses the variance of the population. */
static void
check_elo_student(const struct row *row)
{
	row_near(row, 1, row_strength(row).elo.value);
}

/* n, mean, population variance, standard error and LOS. */
static void
check_moments(const struct row *row)
{
	const char *quantity = row->golden->fields[1];
	const struct moments *moments = &row->moments;
	double count = (double)moments->count;

	row_near(row, 0,
	    strcmp(quantity, "n") == 0          ? count
		: strcmp(quantity, "mean") == 0 ? moments->mean
		: strcmp(quantity, "los_normal") == 0
		? mean_strength(moments, false, 0.95).los_normal
		: strcmp(quantity, "var_population") == 0
		? moments_variance(moments)
		: sqrt(moments_sample_variance(moments) / count));
}

static void
check_t(const struct row *row)
{
	row_near(
	    row, 0, row->moments.mean / sqrt(moments_variance(&row->moments)));
	row_near(row, 0,
	    mean_strength(&row->moments, false, 0.95).nelo.value /
		ESTIMATE_NELO_PER_T);
}

static void
check_interval(const struct row *row)
{
	struct estimate estimate = mean_estimate(&row->moments, 0.95);

	row_near(row, 0, estimate.low);
	row_near(row, 1, estimate.high);
}

static void
check_t_exact(const struct row *row)
{
	row_near(row, 0,
	    (double)row->moments.count *
		(likelihood_t_divergence(&row->margins, row_input(row, "t0")) -
		    likelihood_t_divergence(
			&row->margins, row_input(row, "t1"))));
}

static void
check_margin(const struct row *row)
{
	double sigma = sqrt(moments_variance(&row->moments));
	double low = row_input(row, "t0"), high = row_input(row, "t1");
	struct sprt elo = sample_sprt(SPRT_MARGIN, SPRT_UNIT_ELO,
	    low * ESTIMATE_NELO_PER_T, high * ESTIMATE_NELO_PER_T);
	struct sprt points = sample_sprt(
	    SPRT_MARGIN, SPRT_UNIT_POINTS, low * sigma, high * sigma);

	row_near(row, 0, sprt_closed_form(&elo, &row->moments, false));
	row_near(row, 0, sprt_closed_form(&points, &row->moments, true));
}

/* The divergence of the hypothesis that this is the mean. */
static double
mean_divergence(const struct likelihood *margins, double mean)
{
	struct likelihood moved = *margins;

	for (int i = 0; i < moved.count; i++)
		moved.values[i] -= mean;
	return likelihood_mean_divergence(&moved);
}

static void
check_mean_exact(const struct row *row)
{
	row_near(row, 0,
	    (double)row->moments.count *
		(mean_divergence(&row->margins, row_input(row, "s0")) -
		    mean_divergence(&row->margins, row_input(row, "s1"))));
}

static void
check_mean_normal(const struct row *row)
{
	struct sprt sprt = sample_sprt(SPRT_MARGIN, SPRT_UNIT_POINTS,
	    row_input(row, "s0"), row_input(row, "s1"));

	row_near(row, 0, sprt_moments(&sprt, &row->moments, true).llr);
}

/* The estimate of the test that the row is about. */
static struct estimate
row_estimate(const struct row *row)
{
	enum sprt_model model =
	    strstr(row->golden->fields[1], "logistic") != NULL
	    ? SPRT_LOGISTIC
	    : SPRT_NORMALIZED;
	struct sprt sprt = row_sprt(row, model);

	return sprt_counts_estimate(&sprt, row->scores, 0.95);
}

static void
check_unbiased(const struct row *row)
{
	row_near(row, 0, row_estimate(row).value);
}

static void
check_unbiased_interval(const struct row *row)
{
	row_near(row, 0, row_estimate(row).low);
	row_near(row, 1, row_estimate(row).high);
}

static void
check_bounds(const struct row *row)
{
	struct sprt sprt = {
		.high = 1,
		.alpha = row_input(row, "alpha"),
		.beta = row_input(row, "beta"),
	};
	struct moments none = { 0 };
	struct sprt_state state = sprt_moments(&sprt, &none, false);

	row_near(row, 0, state.lower);
	row_near(row, 1, state.upper);
}

static const struct {
	const char *quantity; /* first words of the quantity */
	void (*check)(const struct row *row);
	int rows;
	size_t offset; /* offset in struct strength, if there is no function */
} checks[] = {
	{ "score", NULL, 8, offsetof(struct strength, score.value) },
	{ "logistic_elo", NULL, 11, offsetof(struct strength, elo.value) },
	{ "logistic_elo_err95", NULL, 8, offsetof(struct strength, elo_error) },
	{ "nelo", NULL, 8, offsetof(struct strength, nelo.value) },
	{ "nelo_err95", NULL, 8, offsetof(struct strength, nelo_error_plain) },
	{ "los_percent", check_los, 8, 0 },
	{ "elo_regularized", check_regularized, 12, 0 },
	{ "elo95_regularized", check_regularized, 12, 0 },
	{ "los_regularized", check_regularized, 12, 0 },
	{ "elo_lo,elo,elo_hi (Student-t 95%)", check_elo_student, 12, 0 },
	{ "LLR_logistic", check_sprt, 3, 0 },
	{ "LLR_logistic_exact", check_sprt, 16, 0 },
	{ "LLR_normalized", check_sprt, 8, 0 },
	{ "LLR_normalized_exact", check_sprt, 16, 0 },
	{ "LLR_pentanomial_normalized", check_sprt, 8, 0 },
	{ "LLR_normalized_closed_form", check_closed_form, 16, 0 },
	{ "LLR_bayesian", check_sprt, 1, 0 },
	{ "LLR_trinomial_bayeselo", check_sprt, 3, 0 },
	{ "LLR_trinomial_bayeselo_scaled", check_sprt, 3, 0 },
	{ "n", check_moments, 5, 0 },
	{ "mean", check_moments, 7, 0 },
	{ "var_population", check_moments, 5, 0 },
	{ "t=mean/sd", check_t, 5, 0 },
	{ "clustered_se(ddof=1)", check_moments, 2, 0 },
	{ "ci95_student_t", check_interval, 5, 0 },
	{ "ci95_t", check_interval, 2, 0 },
	{ "los_normal", check_moments, 5, 0 },
	{ "LLR_t_value_exact", check_t_exact, 5, 0 },
	{ "LLR_t_closed_form n/2*ln((1+(t-t0)^2)/(1+(t-t1)^2))", check_margin,
	    5, 0 },
	{ "LLR_expectation_exact", check_mean_exact, 5, 0 },
	{ "LLR_expectation_normal_approx (LLR_alt2)", check_mean_normal, 5, 0 },
	{ "sprt_median_unbiased_elo(normalized)", check_unbiased, 5, 0 },
	{ "sprt_median_unbiased_elo(logistic)", check_unbiased, 2, 0 },
	{ "sprt_ci95(normalized)", check_unbiased_interval, 5, 0 },
	{ "sprt_ci95(logistic)", check_unbiased_interval, 2, 0 },
	{ "lower,upper = ln(b/(1-a)), ln((1-b)/a)", check_bounds, 2, 0 },
};

/* Rows that this test leaves out: the beginnings of id and quantity. */
static const struct {
	const char *id, *quantity, *reason;
	int rows;
} others[] = {
	{ "OSK-PlackettLuce-", "", "checked by test_rating", 11 },
	{ "MARGIN-WLS-4", "", "checked by test_rating", 2 },
	{ "BAYESELO-rr4", "rating ", "checked by test_rating", 4 },
	{ "", "los_percent(W,L only)",
	    "LOS here counts draws, too: the row is of another formula", 3 },
	{ "", "elo_err95", "errors here have the exact normal quantile", 3 },
	{ "", "LLR_GSPRT_normal_approx",
	    "tests here do not take scores as normal", 5 },
	{ "BAYESELO-rr4", "advantage",
	    "ratings here know no advantage of a seat: blocks cancel it", 1 },
	{ "OSK-BradleyTerry", "", "a model of ratings that is not ours", 15 },
	{ "OSK-Thurstone", "", "a model of ratings that is not ours", 16 },
	{ "OSK-PL-predict", "", "forecasts of games are not reported", 2 },
	{ "TS-", "", "a model of ratings that is not ours", 6 },
};

enum { CHECK_COUNT = COUNTOF(checks), OTHER_COUNT = COUNTOF(others) };

static bool
begins(const char *text, const char *words)
{
	return strncmp(text, words, strlen(words)) == 0;
}

static int
check_find(const char *quantity)
{
	for (int i = 0; i < CHECK_COUNT; i++) {
		if (strcmp(checks[i].quantity, quantity) == 0)
			return i;
	}
	return -1;
}

static int
other_find(const struct golden *golden)
{
	for (int i = 0; i < OTHER_COUNT; i++) {
		if (begins(golden->fields[0], others[i].id) &&
		    begins(golden->fields[1], others[i].quantity))
			return i;
	}
	return -1;
}

TEST(test_every_row_is_checked_or_left_out_for_a_reason)
{
	int checked[CHECK_COUNT] = { 0 }, left_out[OTHER_COUNT] = { 0 };
	static struct golden golden;

	while (golden_next(&golden, "statistics.tsv")) {
		int other = other_find(&golden);
		int check = check_find(golden.fields[1]);

		assert_int_equal(golden.field_count, 7);
		if (other >= 0) {
			left_out[other]++;
		} else if (check >= 0) {
			struct strength strength;
			struct row row;

			row_read(&golden, &row);
			strength = row_strength(&row);
			if (checks[check].check != NULL)
				checks[check].check(&row);
			else
				row_near(&row, 0,
				    *(const double *)((const char *)&strength +
					checks[check].offset));
			checked[check]++;
		} else {
			fail_msg("%s:%d: no check for \"%s\"", golden.name,
			    golden.line, golden.fields[1]);
		}
	}
	for (int i = 0; i < CHECK_COUNT; i++) {
		if (checked[i] != checks[i].rows)
			fail_msg("%d rows of \"%s\"", checked[i],
			    checks[i].quantity);
	}
	for (int i = 0; i < OTHER_COUNT; i++) {
		if (left_out[i] != others[i].rows)
			fail_msg("%d rows of \"%s%s\": %s", left_out[i],
			    others[i].id, others[i].quantity, others[i].reason);
	}
}
