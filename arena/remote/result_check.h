/*
 * Checks that the record which a worker has sent belongs to its block.
 *
 * Checked are: the signature; head, run, block, copy and attempt, which must be
 * those of the claim; digest and size of the record; and in each game:
 *
 * - each line of its head, byte for byte: number, rules, deals, time control,
 *   seeds, round, bots and their seats, and that it was played in a sandbox if
 *   the run has one;
 * - the dealer, and that each pack is the one of the run's secret;
 * - that the rules give all other lines, that no line or word is unknown, and
 *   the sum (record_verify.h);
 * - that each offence has the consequence which the policy of the run asks for,
 *   and no other.
 *
 * Only the worker knows the moves, the times, how a bot's process ended, and
 * which attempts were void.  These are not checked here, but by audits.
 */
#ifndef RESULT_CHECK_H
#define RESULT_CHECK_H

#include "dispatcher.h"
#include "queue.h"

struct result_checker;

/*
 * `config` must outlive the checker; all entrants have names.  With `scaled`
 * the times of a worker's time control may be up to RESULT_SCALE_MAX times
 * those of the run, or as many times less.  Returns 0 or -errno.
 */
enum { RESULT_SCALE_MAX = 16 };
int result_checker_open(struct result_checker **checker, const char *run_uid,
    const struct dispatcher_config *config, bool scaled);
void result_checker_close(struct result_checker *checker);

/* A good result: each game as it is reported to the runner. */
struct result_checked {
	int game_count;
	struct game_result games[BLOCK_GAMES_MAX];
	/*
	 * The record as this machine would have written it: with the secret, if
	 * the run has no commitment.  The bytes belong to the checker until its
	 * next call.
	 */
	const char *records[BLOCK_GAMES_MAX];
	size_t record_sizes[BLOCK_GAMES_MAX];
};

/*
 * Checks a result of `job`, of which the name, the games and the seeds are
 * used, and not the keys.  Returns 1 and fills *checked; 0 with the reason as a
 * clause ("the signature is not of worker anna"); or -errno if this machine has
 * failed, so that nothing is known of the result.
 */
int result_check(struct result_checker *checker, const struct job *job,
    const struct queue_result *result, struct result_checked *checked,
    struct scopa_text *why);

#endif
