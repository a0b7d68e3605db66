#include "vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

void
row_near(const struct row *row, int index, double found)
{
	double expected = row->expected[index];

	if (!isfinite(found))
		fail_msg("%s %s: not finite", row->csv->fields[0],
		    row->csv->fields[1]);
	if (index < row->expected_count && isfinite(expected) &&
	    fabs(found - expected) > row->tolerance)
		fail_msg("%s %s: %.17g, not %.17g", row->csv->fields[0],
		    row->csv->fields[1], found, expected);
}

double
row_input(const struct row *row, const char *name)
{
	const char *at = strstr(row->inputs, name);

	if (at == NULL)
		fail_msg("%s: no %s", row->csv->fields[0], name);
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

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const char *at = row->inputs + strlen(forms[i].names);
		const int *order = forms[i].order;

		if (strncmp(row->inputs, forms[i].names,
			strlen(forms[i].names)) != 0)
			continue;
		row->category_count = forms[i].category_count;
		do {
			char *end;

			row->counts[*order++] += strtod(at, &end);
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

void
row_read(const struct csv *csv, struct row *row)
{
	const char *slash = strstr(csv->fields[4], " / ");

	*row = (struct row){
		.csv = csv,
		.inputs = csv->fields[2],
		/* `1e-3 logistic / 1e-6 normalized` */
		.tolerance = strtod(
		    slash != NULL && strstr(csv->fields[1], "norm") != NULL
			? slash + 3
			: csv->fields[4],
		    NULL),
	};
	assert_true(row->tolerance > 0);
	if (strncmp(csv->fields[3], "ERR", 3) != 0) {
		row->expected_count =
		    csv_numbers(csv->fields[3], row->expected, 3);
		assert_true(row->expected_count > 0);
	}
	counts_read(row);
	if (strncmp(row->inputs, "counts={", 8) == 0)
		margins_read(row);
	if (strncmp(row->inputs, "{\"blocks", 8) == 0)
		blocks_read(row);
}

struct strength
row_strength(const struct row *row)
{
	struct pentanomial pairs = { { 0 } };
	struct trinomial games = {
		.wins = (int64_t)row->counts[2],
		.draws = (int64_t)row->counts[1],
		.losses = (int64_t)row->counts[0],
	};

	if (row->category_count == 3)
		return strength_of_trinomial(&games, 0.95);
	assert_int_equal(row->category_count, 5);
	for (int i = 0; i < 5; i++)
		pairs.counts[i] = (int64_t)row->counts[i];
	return strength_of_pentanomial(&pairs, 0.95);
}

struct sprt
row_sprt(const struct row *row, enum sprt_model model)
{
	return (struct sprt){
		.model = model,
		.low = row_input(row, "elo0"),
		.high = row_input(row, "elo1"),
		.alpha = 0.05,
		.beta = 0.05,
	};
}

double
row_llr(const struct row *row, const struct sprt *sprt)
{
	struct pentanomial pairs = { { 0 } };
	struct trinomial games = {
		.wins = (int64_t)row->counts[2],
		.draws = (int64_t)row->counts[1],
		.losses = (int64_t)row->counts[0],
	};

	if (row->category_count == 3)
		return sprt_trinomial(sprt, &games).llr;
	for (int i = 0; i < 5; i++)
		pairs.counts[i] = (int64_t)row->counts[i];
	return sprt_pentanomial(sprt, &pairs).llr;
}

struct spread
row_spread(const struct row *row, double unseen)
{
	struct spread spread = { 0 };
	double step = 1.0 / (row->category_count - 1);
	double counts[5];

	for (int i = 0; i < row->category_count; i++) {
		counts[i] = row->counts[i] > 0 ? row->counts[i] : unseen;
		spread.count += counts[i];
		spread.mean += counts[i] * i * step;
	}
	spread.mean /= spread.count;
	for (int i = 0; i < row->category_count; i++)
		spread.variance += counts[i] * pow(i * step - spread.mean, 2);
	spread.variance /= spread.count;
	return spread;
}
