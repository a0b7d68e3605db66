/*
 * Counts that `sprt` and `rate` are given: what is taken is within its limits,
 * and all that is worked out from it is finite.
 *
 * The first byte of an input says what the rest is: `w`, `p`, `m` and `s` the
 * numbers of --wdl, --penta, --moments and --moments with --single, `c` a file
 * of --counts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd_sprt.h"
#include "fuzz.h"
#include "rate_table.h"

enum { INPUT_SIZE_MAX = 4096 };

static void
check_state(const struct sprt_state *state)
{
	fuzz_check(isfinite(state->llr));
	fuzz_check(state->lower < 0 && state->upper > 0);
	fuzz_check(state->decision < SPRT_DECISION_COUNT);
	fuzz_check(
	    state->decision != SPRT_ACCEPT_H0 || state->llr <= state->lower);
	fuzz_check(
	    state->decision != SPRT_ACCEPT_H1 || state->llr >= state->upper);
	fuzz_check(state->remaining >= -1);
}

static void
try_models(const struct sprt_evidence *evidence)
{
	struct sprt sprt = { .low = 0,
		.high = 5,
		.alpha = 0.05,
		.beta = 0.05,
		.minimum = SPRT_MINIMUM_DEFAULT };
	const struct encounter *pair = &evidence->pair;
	struct sprt_state state;

	for (int model = 0; model < SPRT_MODEL_COUNT; model++) {
		sprt.model = (enum sprt_model)model;
		if (!sprt_evidence_fits(evidence, sprt.model))
			continue;
		for (int reading = 0; reading < SPRT_READING_COUNT; reading++) {
			sprt.reading = (enum sprt_reading)reading;
			if (model == SPRT_MARGIN)
				state = sprt_moments(
				    &sprt, &pair->margins, evidence->has_pairs);
			else if (evidence->has_pairs && model != SPRT_BAYESIAN)
				state = sprt_pentanomial(&sprt, &pair->pairs);
			else
				state = sprt_trinomial(&sprt, &pair->results);
			check_state(&state);
		}
	}
}

static void
try_source(char kind, const char *text)
{
	const struct sprt_source source = {
		.wdl = kind == 'w' ? text : NULL,
		.penta = kind == 'p' ? text : NULL,
		.moments = kind == 'm' || kind == 's' ? text : NULL,
		.single = kind == 's',
	};
	struct sprt_evidence evidence;

	if (sprt_source_read(&source, &evidence) != STATUS_DONE) {
		fuzz_check(evidence.source == NULL);
		return;
	}
	fuzz_check(evidence.source != NULL);
	try_models(&evidence);
}

static void
check_table(const struct rate_table *table)
{
	int64_t games = 0;

	for (int i = 0; i < table->pair_count; i++) {
		const struct rate_pair *pair = &table->pairs[i];

		fuzz_check(pair->first < pair->second);
		fuzz_check(pair->second < table->bot_count);
		fuzz_check(pair->results.wins + pair->results.draws +
			pair->results.losses ==
		    pair->games);
		games += pair->games;
		fuzz_check(
		    rate_pair_find(table, pair->first, pair->second) == pair);
	}
	fuzz_check(games == table->game_count);
}

static void
check_ratings(const struct rating *ratings, int count)
{
	for (int i = 0; ratings != NULL && i < count; i++) {
		struct estimate estimate = rate_estimate(&ratings[i], 0.95);

		fuzz_check(isfinite(ratings[i].value));
		fuzz_check(isfinite(ratings[i].error) && ratings[i].error >= 0);
		fuzz_check(estimate.low <= estimate.value &&
		    estimate.value <= estimate.high);
	}
}

static void
try_table(const char *text, size_t size)
{
	struct rate_table table;
	struct rate_order order = { .level = 0.95, .anchor = -1 };
	char path[64];
	int fd = memfd_create("counts", MFD_CLOEXEC);

	memset(&table, 0, sizeof(table));
	fuzz_check(fd >= 0);
	fuzz_check(write(fd, text, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (rate_table_count(&table, path) == STATUS_DONE) {
		check_table(&table);
		order.model = RATE_ALL;
		if (table.has_margins && !table.has_games)
			order.model = RATE_MARGIN;
		else if (table.has_games && !table.has_margins)
			order.model = RATE_ELO;
		fuzz_check(rate_compute(&table, &order) == 0);
		check_ratings(table.margins, table.bot_count);
		check_ratings(table.elo, table.bot_count);
		rate_table_close(&table);
	}
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	char text[INPUT_SIZE_MAX + 1];

	if (size < 1 || size > INPUT_SIZE_MAX)
		return 0;
	/* Error messages are for people; fuzz_fail does not print there. */
	if (nowhere == NULL) {
		nowhere = fopen("/dev/null", "we");
		fuzz_check(nowhere != NULL);
		stderr = nowhere;
	}
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (data[0] == 'c')
		try_table(text, size - 1);
	else if (strchr("wpms", data[0]) != NULL)
		try_source((char)data[0], text);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(
    uint8_t *data, size_t size, size_t size_max, unsigned seed)
{
	static const char *const words[] = { "a b 3 2 1", "b c 1 1 1",
		"c a 0 0 1", "a d 100 0.5 2", "b d 20 -1e3 0.0", "# x",
		"a b 1000000000 0 0", "e f 1 1 0", "a b 2 1e6 1000000",
		"x y 0 0 0", "1e15", "0,0,0", NULL };
	const struct fuzz_pieces pieces = { '\n', 1, words };

	return fuzz_mutate_pieces(&pieces, data, size, size_max, seed);
}
