#include "choir.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "splitmix.h"

/* Memory of each search begins at a multiple of this. */
enum { ALIGNMENT = 64 };

/* One search and the thread that it runs in. */
struct voice {
	pthread_t thread;
	struct search_config config;
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	uint64_t random;
	struct search_result *result;
	bool sings; /* the thread has begun */
	bool found; /* what search_run has returned */
};

static bool
is_silenced(void *context)
{
	return atomic_load_explicit(
	    (atomic_bool *)context, memory_order_relaxed);
}

static void *
voice_sing(void *context)
{
	struct voice *voice = context;

	voice->found = search_run(&voice->config, voice->rules, voice->view,
	    &voice->random, voice->result);
	return NULL;
}

/* The share of the work and of the memory that one of `threads` has. */
static struct search_config
share_of(const struct search_config *config, int threads, int index)
{
	struct search_config share = *config;
	size_t size =
	    config->memory_size / (size_t)threads / ALIGNMENT * ALIGNMENT;

	share.memory = (char *)config->memory + (size_t)index * size;
	share.memory_size = size;
	if (config->iterations > 0) {
		share.iterations = config->iterations / threads;
		if (index == 0)
			share.iterations += config->iterations % threads;
	}
	return share;
}

/* Adds what one search has found to that of another of the same position. */
static void
result_add(struct search_result *result, const struct search_result *other)
{
	assert(result->row_count == other->row_count);
	for (int i = 0; i < result->row_count; i++) {
		struct search_row *row = &result->rows[i];
		double visits = row->visits + other->rows[i].visits;

		if (visits > 0)
			row->value =
			    (row->value * row->visits +
				other->rows[i].value * other->rows[i].visits) /
			    visits;
		row->visits = visits;
	}
	result->iterations += other->iterations;
	result->late |= other->late;
	result->nodes += other->nodes;
	result->plays += other->plays;
	result->memory_used += other->memory_used;
}

/* The best row of all; a line that begins otherwise is cut to its move. */
static void
result_settle(struct search_result *result)
{
	int best = result->best;

	for (int i = 0; i < result->row_count; i++)
		if (result->rows[i].visits > result->rows[best].visits)
			best = i;
	if (best == result->best)
		return;
	result->best = best;
	result->line_count = 1;
	result->line[0] = result->rows[best].move;
}

bool
choir_run(struct choir *choir, int threads, const struct search_config *config,
    const struct scopa_rules *rules, const struct scopa_view *view,
    uint64_t *random, struct search_result *result)
{
	struct voice voices[CHOIR_MAX - 1];
	struct search_config own;
	atomic_bool silenced = false;
	bool found;

	assert(threads >= 1 && threads <= CHOIR_MAX);
	/* None has nothing to do: 0 iterations would be any number. */
	if (config->iterations > 0 && config->iterations < threads)
		threads = (int)config->iterations;
	own = share_of(config, threads, 0);
	for (int i = 0; i < threads - 1; i++) {
		struct voice *voice = &voices[i];

		voice->config = share_of(config, threads, i + 1);
		voice->config.stopped = is_silenced;
		voice->config.stopped_context = &silenced;
		voice->rules = rules;
		voice->view = view;
		voice->random = splitmix_next(random);
		voice->result = &choir->voices[i];
		voice->sings = pthread_create(&voice->thread, NULL, voice_sing,
				   voice) == 0;
	}
	found = search_run(&own, rules, view, random, result);
	if (config->stopped != NULL && config->stopped(config->stopped_context))
		atomic_store(&silenced, true);
	for (int i = 0; i < threads - 1; i++) {
		if (!voices[i].sings)
			continue;
		pthread_join(voices[i].thread, NULL);
		if (found && voices[i].found)
			result_add(result, voices[i].result);
	}
	if (found)
		result_settle(result);
	return found;
}
