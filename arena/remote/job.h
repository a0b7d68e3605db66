/*
 * What is sent between machines: a block to play (a job), and its result.
 *
 * Both are lines of text with a version in the first line, so that machines of
 * any architecture understand each other.  A job has the key of each deal that
 * it may need, and what else depends on the secret of the run, but never the
 * secret.  All games of a block have the same packs, so they share the keys.
 *
 *     scopa-job 1
 *     block 17 copy=0 round=4 stage=1 dealer=2 event=round-4 games=2
 *     game 1 id=33 seats=1,2 nonces=HEX seeds=HEX,HEX voided=-
 *     game 2 id=34 seats=2,1 nonces=HEX seeds=HEX,HEX voided=-
 *     keys deals=32 redeals=2
 *     key 1 0 HEX
 *     ...
 *     end
 *
 * Numbers of deals, seats, bots, games, rounds and stages count from 1 in the
 * text, and from 0 in the structs; blocks, copies and redeals count from 0 in
 * both.
 */
#ifndef JOB_H
#define JOB_H

#include "block.h"
#include "deal_keys.h"
#include "match.h"
#include "scopa/text.h"
#include "store.h"

enum {
	JOB_VERSION = 1,
	RESULT_VERSION = 1,
	JOB_TEXT_MAX = 1 << 20, /* bytes of a job as text */
	RESULT_HEAD_MAX = 256 * 1024,
	RESULT_RECORD_MAX = 64 << 20,
	JOB_RUN_ID_SIZE = 33, /* 32 hex digits, drawn for each run */
	/* the last bytes of a bot's stderr that are sent */
	JOB_STDERR_MAX = 8192
};

/* The copy of a block that counts, or a second one to compare with it. */
enum job_copy { JOB_COUNTS, JOB_AUDIT };

/* The name of a job among all jobs of one run. */
struct job_name {
	int64_t block;
	int copy; /* enum job_copy */
	/* from 1; given by the queue at each claim, 0 before */
	int attempt;
};

/* One game of a job. */
struct job_game {
	struct game_spec spec;     /* its `keys` is not used */
	struct shuffle_key nonces; /* of the ids of decisions */
	uint64_t seeds[SCOPA_SEATS_MAX];
};

struct job {
	struct job_name name;
	int stage;
	int game_count, seat_count;
	struct job_game games[BLOCK_GAMES_MAX];
	struct deal_keys keys;
};

/* Writes a job without its attempt; a text that is too long is cut. */
void job_write(const struct job *job, struct scopa_text *text);

/*
 * Reads what job_write() wrote, and nothing else: a line that has the same
 * meaning, but that job_write() would write in another way, is refused.  False
 * with the reason, which names the line; then *job is not defined.
 */
bool job_read(struct job *job, const char *text, struct scopa_text *why);

/* What a worker reports of one game besides its record. */
struct result_game {
	int32_t unasked[SCOPA_SEATS_MAX]; /* answers without question */
	/*
	 * The loss by an offence, for messages to the user.  Its texts are sent
	 * as printable ASCII.  seat -1: no offence; the rest is undefined.
	 */
	struct match_fault fault;
};

/* The part of a result that a worker signs. */
struct result_head {
	char run[JOB_RUN_ID_SIZE];
	struct job_name name;
	uint8_t digest[32]; /* SHA-256 of the record, all games of the block */
	int64_t record_size;
	int game_count;
	struct result_game games[BLOCK_GAMES_MAX];
};

/*
 * Write and read the head of a result, as job_write() and job_read() do:
 *
 *     scopa-result 1
 *     block 17 copy=0 attempt=2 games=2 run=HEX
 *     record size=5120 sha256=HEX
 *     game 1 unasked=0,0,0,0,0,0
 *     fault 1 seat=2 kind=crash phase=16 flaw=0 late=0 strays=0 wrong-turns=0
 *         reason=CRASH(11) ...
 *     game 2 unasked=0,0,0,0,0,0
 *     end
 *
 * `fault` stands only where a game was lost by an offence, and is one line.  A
 * text of it that is empty is left out.
 */
void result_head_write(const struct result_head *head, struct scopa_text *text);
bool result_head_read(
    struct result_head *head, const char *text, struct scopa_text *why);

#endif
