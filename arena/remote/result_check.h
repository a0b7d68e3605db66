/*
 * Whether the record that a worker sent is the one of its block: who signed it,
 * that it is whole (V1), follows from the rules (V2) and from the keys of the
 * run (V3), and that bots, seats, seeds, rules and time control are those that
 * were asked for.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "dispatcher.h"
#include "queue.h"

struct result_checker;

/* `config` must outlive it.  0 or -errno. */
int result_checker_open(struct result_checker **checker, const char *run_uid,
    const struct dispatcher_config *config);
void result_checker_close(struct result_checker *checker);

/* A result that is good: each game as the runner takes it. */
struct result_checked {
	int game_count;
	struct game_result games[BLOCK_GAMES_MAX];
	/* The record as this machine would have written it; the bytes belong to
	 * the checker until its next call. */
	const char *records[BLOCK_GAMES_MAX];
	size_t record_sizes[BLOCK_GAMES_MAX];
};

/*
 * Checks a result of `job`.  True; or false with the reason as a clause
 * ("the signature is not of worker `anna`").  `needs_keys` is set where a game
 * ended because its job had too few keys.
 */
bool result_check(struct result_checker *checker, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why);

#endif
