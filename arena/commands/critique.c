#include "critique.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "countof.h"
#include "splitmix.h"

enum { SOLVE_MEMORY_SIZE = 1 << 24, SUMS_MIN = 8 };

static const struct {
	const char *text;
	double loss; /* from which on */
} marks[] = {
	[CRITIQUE_FINE] = { "", 0 },
	[CRITIQUE_MISTAKE] = { "?", 0.5 },
	[CRITIQUE_BLUNDER] = { "??", 1.5 },
};

_Static_assert(COUNTOF(marks) == CRITIQUE_MARK_COUNT, "every mark has a text");

static const char *const phases[] = {
	[CRITIQUE_OPENING] = "opening",
	[CRITIQUE_MIDDLE] = "middle",
	[CRITIQUE_ENDING] = "ending",
};

_Static_assert(
    COUNTOF(phases) == CRITIQUE_PHASE_COUNT, "every phase has a name");

enum critique_mark
critique_mark_of(double loss)
{
	enum critique_mark mark = CRITIQUE_FINE;

	for (int i = 0; i < CRITIQUE_MARK_COUNT; i++)
		if (loss >= marks[i].loss)
			mark = (enum critique_mark)i;
	return mark;
}

const char *
critique_mark_text(enum critique_mark mark)
{
	return marks[mark].text;
}

const char *
critique_phase_name(enum critique_phase phase)
{
	return phases[phase];
}

int
critique_open(
    struct critique **critique, const struct critique_settings *settings)
{
	struct critique *made = calloc(1, sizeof(*made));

	if (!made)
		return -ENOMEM;
	made->settings = *settings;
	made->means = (struct opinion_means){
		.iterations = settings->iterations,
		.time_ns = settings->ms * CLOCK_NS_PER_MS,
	};
	made->means.maestro = aligned_alloc(
	    _Alignof(struct maestro), sizeof(*made->means.maestro));
	made->solve_limits = (struct solve_limits){
		.plies_max = (int)settings->exact,
		.memory = calloc(1, SOLVE_MEMORY_SIZE),
		.memory_size = SOLVE_MEMORY_SIZE,
	};
	if (!made->means.maestro || !made->solve_limits.memory) {
		critique_close(made);
		return -ENOMEM;
	}
	*critique = made;
	return 0;
}

void
critique_close(struct critique *critique)
{
	if (!critique)
		return;
	free(critique->solve_limits.memory);
	free(critique->means.maestro);
	free(critique->sums);
	free(critique);
}

/* Of the seed and of which play it is, so that one play alone is judged alike. */
static uint64_t
random_of(
    const struct critique *critique, const char *match, int deal, int play)
{
	uint64_t state = (uint64_t)critique->settings.seed;

	for (const char *byte = match; *byte != '\0'; byte++)
		state = splitmix_next(&state) ^ (unsigned char)*byte;
	state = splitmix_next(&state) ^ (uint64_t)deal;
	state = splitmix_next(&state) ^ (uint64_t)play;
	return splitmix_next(&state);
}

/* What a loss of exact play counts: a match at a blow like the most points. */
static int
exact_loss(const struct scopa_rules *rules, int loss)
{
	int most = scopa_points_max(rules);

	return loss < most ? loss : most;
}

static void
judge_exactly(struct critique *critique, const struct scopa_rules *rules,
    const struct position *position, struct critique_play *play)
{
	struct solve_result result;
	int count;

	if (critique->settings.exact == 0 ||
	    solve_plies(&position->deal) > critique->settings.exact)
		return;
	count = solve_moves(rules, &position->deal, &critique->solve_limits,
	    critique->moves, SCOPA_MOVES_MAX, &result);
	for (int i = 0; i < count; i++) {
		const struct solve_move *move = &critique->moves[i];

		if (!scopa_move_equal(&move->move, &play->move))
			continue;
		play->exact = true;
		play->exact_best =
		    move->value == result.value ? move->move : result.best;
		play->exact_value = result.value;
		play->exact_loss =
		    exact_loss(rules, result.value - move->value);
	}
}

void
critique_judge(struct critique *critique, const struct scopa_rules *rules,
    const char *match, const struct position *position,
    struct critique_play *play)
{
	const struct scopa_deal *deal = &position->deal;
	int plays = SCOPA_PACK_SIZE - rules->table;
	uint64_t random =
	    random_of(critique, match, position->number, deal->history_count);
	struct scopa_view view;
	bool formed;

	*play = (struct critique_play){
		.move = position->move,
		.seat = deal->turn,
		.number = position->play,
		.by_arena = position->by_arena,
		.phase = (enum critique_phase)(
		    deal->play_count * CRITIQUE_PHASE_COUNT / plays),
		.forced = scopa_moves(rules, deal, NULL, 0) == 1,
	};
	if (play->by_arena || play->forced)
		return;
	scopa_view_make(rules, deal, &position->tally, deal->turn, &view);
	formed = opinion_form(rules, &view, &play->move, &critique->means,
	    &random, &play->opinion);
	/* A view of a real deal does not contradict itself. */
	assert(formed);
	(void)formed;
	judge_exactly(critique, rules, position, play);
}

/* The sums of that name, made where there are none; NULL without memory. */
static struct critique_sum *
sum_of(struct critique *critique, const char *name)
{
	struct critique_sum *sum;

	for (int i = 0; i < critique->sum_count; i++)
		if (strcmp(critique->sums[i].name, name) == 0)
			return &critique->sums[i];
	if (critique->sum_count == critique->sum_capacity) {
		int capacity = critique->sum_capacity > 0
		    ? 2 * critique->sum_capacity
		    : SUMS_MIN;

		sum = reallocarray(
		    critique->sums, (size_t)capacity, sizeof(*sum));
		if (!sum)
			return NULL;
		critique->sums = sum;
		critique->sum_capacity = capacity;
	}
	sum = &critique->sums[critique->sum_count++];
	*sum = (struct critique_sum){ .deals = 0 };
	strncpy(sum->name, name, sizeof(sum->name) - 1);
	return sum;
}

int
critique_add(struct critique *critique, const char *name,
    const struct critique_play *play)
{
	struct critique_sum *sum = sum_of(critique, name);
	struct critique_count *count;

	if (!sum)
		return -ENOMEM;
	if (play->by_arena)
		return 0;
	count = &sum->phases[play->phase];
	count->plays++;
	count->loss += play->opinion.loss;
	count->marks[critique_mark_of(play->opinion.loss)]++;
	if (play->exact) {
		count->exact_plays++;
		count->exact_loss += play->exact_loss;
		count->exact_marks[critique_mark_of(play->exact_loss)]++;
	}
	return 0;
}

int
critique_add_deal(struct critique *critique, const char *name)
{
	struct critique_sum *sum = sum_of(critique, name);

	if (!sum)
		return -ENOMEM;
	sum->deals++;
	return 0;
}

struct critique_count
critique_total(const struct critique_sum *sum)
{
	struct critique_count total = { .plays = 0 };

	for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++) {
		const struct critique_count *count = &sum->phases[phase];

		total.plays += count->plays;
		total.loss += count->loss;
		total.exact_plays += count->exact_plays;
		total.exact_loss += count->exact_loss;
		for (int mark = 0; mark < CRITIQUE_MARK_COUNT; mark++) {
			total.marks[mark] += count->marks[mark];
			total.exact_marks[mark] += count->exact_marks[mark];
		}
	}
	return total;
}
