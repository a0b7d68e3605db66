#include "parallel_search.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "splitmix.h"

/* Memory of each search begins at a multiple of this. */
enum { ALIGNMENT = 64 };

/* A search and the thread that it runs in. */
struct search_thread {
	pthread_t thread;
	struct search_config config;
	const struct scopa_rules *rules;
	const struct scopa_view *view;
	uint64_t random;
	struct search_result *result;
	bool runs;  /* the thread has begun */
	bool found; /* what search_run has returned */
};

static bool
is_stopped(void *context)
{
	return atomic_load_explicit(
	    (atomic_bool *)context, memory_order_relaxed);
}

static void *
worker_run(void *context)
{
	struct search_thread *thread = context;

	thread->found = search_run(&thread->config, thread->rules, thread->view,
	    &thread->random, thread->result);
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
parallel_search_run(struct parallel_search *parallel, int threads,
    const struct search_config *config, const struct scopa_rules *rules,
    const struct scopa_view *view, uint64_t *random,
    struct search_result *result)
{
	struct search_thread others[PARALLEL_SEARCH_MAX - 1];
	struct search_config own;
	atomic_bool stopped = false;
	bool found;

	assert(threads >= 1 && threads <= PARALLEL_SEARCH_MAX);
	/* None has nothing to do: 0 iterations would be any number. */
	if (config->iterations > 0 && config->iterations < threads)
		threads = (int)config->iterations;
	own = share_of(config, threads, 0);
	for (int i = 0; i < threads - 1; i++) {
		struct search_thread *thread = &others[i];

		thread->config = share_of(config, threads, i + 1);
		thread->config.stopped = is_stopped;
		thread->config.stopped_context = &stopped;
		thread->rules = rules;
		thread->view = view;
		thread->random = splitmix_next(random);
		thread->result = &parallel->results[i];
		thread->runs = pthread_create(&thread->thread, NULL, worker_run,
				   thread) == 0;
	}
	found = search_run(&own, rules, view, random, result);
	if (config->stopped != NULL && config->stopped(config->stopped_context))
		atomic_store(&stopped, true);
	for (int i = 0; i < threads - 1; i++) {
		if (!others[i].runs)
			continue;
		pthread_join(others[i].thread, NULL);
		if (found && others[i].found)
			result_add(result, others[i].result);
	}
	if (found)
		result_settle(result);
	return found;
}
