/*
 * The folder of a run: `config.ini`, `secret`, `terms.txt`, `results.db`,
 * `records.scopa`, `attempts.txt` (see runner.h), `log.txt`; `trace.log` or
 * `trace.jsonl` if asked for; `live` while the run is played (live.h);
 * `workers.tsv` and `audits.tsv` if other machines play (run_workers.h);
 * `analysis.tsv` after `analyse` (play_losses.h); and `salvage.scopa` after a
 * record was damaged (rebuild.h).
 *
 * A seed that the arena has drawn is secret until the run is over.  Until then
 * no file has it but `secret`, which only its owner can read.  Then the seed is
 * written to `config.ini` and `results.db`, and the file is removed.
 *
 * Records are appended and synchronised first, and then their rows are
 * committed.  After a crash there may be records after the last committed
 * block; run_cut_records() cuts them off before the run goes on.
 *
 * Only one process at a time writes: it holds the lock of `results.db.lock`,
 * which contains its process id.
 */
#ifndef RUN_H
#define RUN_H

#include <limits.h>
#include <sys/types.h>

#include "store.h"

#define RUN_FOLDER "runs" /* of runs that are given no path */
#define RUN_CONFIG "config.ini"
#define RUN_RESULTS "results.db"
#define RUN_RECORDS "records.scopa"
#define RUN_SECRET "secret"
#define RUN_TERMS "terms.txt"
#define RUN_LOG "log.txt"
#define RUN_TRACE "trace.log"
#define RUN_TRACE_JSON "trace.jsonl"
#define RUN_LOCK RUN_RESULTS ".lock"

/* The states of a run, as words in its database. */
#define RUN_ANNOUNCED "announced" /* nothing was played yet */
#define RUN_RUNNING "running"
#define RUN_INTERRUPTED "interrupted" /* by a signal */
#define RUN_STOPPED "stopped"         /* too few bots are left to play */
#define RUN_FAILED "failed"
#define RUN_DONE "done"
/* Reports say so instead of `running` if no process plays the run any more. */
#define RUN_BROKEN_OFF "broken off"

struct entrant;

/* What the files of a new run say. */
struct run_texts {
	/* config.ini; NULL: the caller writes it, which completes the run */
	const char *config;
	const char *terms; /* terms.txt; NULL: the run has none */
	/* the secret; NULL: the seed is not secret */
	const struct shuffle_key *secret;
};

struct run {
	char path[PATH_MAX];
	bool new_folder; /* run_create() has made the folder */
	struct store_head head;
	struct store *store;
	int records_fd;
	int lock_fd;             /* -1: the run was opened only to read */
	int64_t block_count;     /* committed */
	int64_t record_size;     /* committed */
	struct block_place last; /* of the last record when it was read */
	/* after the last block that was added */
	unsigned char chain[STORE_DIGEST_SIZE];
	/* Blocks that were added and are not committed yet; owned. */
	struct block_result *pending;
	int pending_count, pending_capacity;
	char *bytes; /* the records of these blocks */
	size_t byte_count, byte_capacity;
	size_t next_size; /* bytes after those: the record of the next block */
	size_t bytes_written; /* records on the disk whose results are not */
	int broken; /* -EIO: the disk failed, and written bytes may be lost */
};

/*
 * Makes the folder, with its parents.  `path` NULL: `runs/DATE-NAME`, with -2,
 * -3, ... after it where that exists; a given path must not exist, or be
 * empty.  0 or -errno with the error; nothing is left then, and the run is
 * closed.
 */
int run_create(struct run *run, const char *path, const struct store_head *head,
    const struct run_texts *texts, struct store_error *error);

/*
 * Opens a run for writing, or only to read.  0 or -errno: -EBUSY if another
 * process writes to it, with its pid in the error; -EBADMSG if the records are
 * shorter than the results say, or differ from them at the end.  On failure no
 * file is changed, and the run is closed.
 */
int run_open(struct run *run, const char *path, bool writable,
    struct store_error *error);

/*
 * Cuts off the records after the last result, which were never counted: the
 * arena was killed before their results were there.  To be called before a run
 * that was opened for writing goes on.  0 or -errno.
 */
int run_cut_records(struct run *run, struct store_error *error);

/*
 * Reads from the database how many blocks there are now.  For a run that was
 * opened only to read, while another process adds blocks.  0 or -errno.
 */
int run_refresh(struct run *run, struct store_error *error);

/* Closes a run. Blocks that are pending are dropped. */
void run_close(struct run *run);

/*
 * Undoes run_create() if nothing was played: closes the run and removes its
 * files, and the folder if it is new.
 */
void run_discard(struct run *run);

/* Drops the pending blocks, because they cannot be stored.  0 or -errno. */
int run_drop_pending(struct run *run, struct store_error *error);

/* `2025-01-31T18:30:00.000Z` */
enum { RUN_CREATED_SIZE = 32 };

/*
 * Reads the time at which the run in a folder was made, from its terms; ""
 * without terms.
 */
void run_created(const char *folder, char created[RUN_CREATED_SIZE]);

/* Returns whether a run is newer than another one, by time and then by name. */
bool run_is_newer(const char *created, const char *name,
    const char *than_created, const char *than_name);

/* Whether a folder is a run, or may be one that this user cannot read. */
bool run_is_there(const char *folder);

/*
 * Writes the path of the newest run below `runs`. Returns false if there is
 * none.
 */
bool run_newest(char path[PATH_MAX]);

/*
 * Returns the pid of the process that writes to the run at this path; 0 if none
 * does; -1 if one does whose pid could not be stored.
 */
pid_t run_owner(const char *path);

/*
 * Appends `size` bytes to the record of the next block, and returns their
 * address, for the caller to fill; NULL without memory.
 */
char *run_record_reserve(struct run *run, size_t size);

/*
 * Adds the next block to the pending ones and sets its place in the records.
 * The record of a skipped block is dropped.  0 or -ENOMEM.
 */
int run_add(struct run *run, struct block_result *block);

/*
 * Makes the pending blocks durable. -ENOSPC: the disk is full; -EBUSY: another
 * program holds the database; the blocks are still pending, and the caller may
 * try again. Other errors: -errno; -ESTALE if a file was removed or renamed.
 * After -EIO every later call fails, too, as it is unknown what is on the disk.
 */
int run_commit(struct run *run, struct store_error *error);

/*
 * Reads a committed block and its record, which ends with NUL and is to be
 * freed; NULL if the block was skipped.  0 or -errno.
 */
int run_block_read(const struct run *run, int64_t number,
    struct block_result *block, char **record, struct store_error *error);

/*
 * Removes all committed blocks but the first `block_count`, with their records.
 * No block may be pending.  0 or -errno.
 */
int run_cut(struct run *run, int64_t block_count, struct store_error *error);

/*
 * Reads a file of a folder as text, which is to be freed: 0 or -errno.
 * -EBADMSG: the file is no text, or too long.
 */
int run_text_read(const char *folder, const char *name, char **text);

/*
 * Creates a file with these permissions and writes a text to it, durably: 0, or
 * -errno with the file removed.
 */
int run_text_create(const char *path, const char *text, mode_t mode);

/*
 * Replaces a file by a text, atomically and durably: 0; or -errno, and then the
 * file has the new text or the old one.  The folder must be locked.
 */
int run_text_replace(const char *folder, const char *name, const char *text);

/*
 * The file `secret` of a folder: 64 hex digits and a line end, mode 0600. All
 * return 0 or -errno. run_secret_put() replaces the file durably; the folder
 * must be locked. run_secret_read() returns -ENOENT if the file is missing, and
 * -EBADMSG if it holds anything else. run_secret_remove() returns 0 if the file
 * is missing.
 */
int run_secret_put(const char *folder, const struct shuffle_key *secret);
int run_secret_read(const char *folder, struct shuffle_key *secret);
int run_secret_remove(const char *folder);

/*
 * Copies of a configuration, to be freed: with a comment that names the file
 * `secret` instead of the seed; and with this seed.  NULL without memory.
 */
char *run_secret_conceal(const char *config);
char *run_secret_show(const char *config, const struct shuffle_key *secret);

/*
 * Two machines play the same games only if these are equal on both: the version
 * of this program, of the protocol, and the SHA-256 of the sources that decide
 * games: the rules, the arena up to the match, and the built-in bots. The build
 * computes it, so it depends on no compiler, architecture or folder: `0.2.0
 * usp=1 sources=HEX`.
 */
const char *engine_id(void);

/*
 * The SHA-256 of the files of a bot, one after the other, in hex: the program,
 * then each argument that names a regular file, as seen from its folder.  For a
 * built-in bot it is the one of the sources in engine_id().  0 or -errno.
 */
int run_bot_digest(const struct entrant *entrant, char hex[65]);

/*
 * Locks a folder, and writes the process id into the lock file.  Returns a
 * descriptor or -errno; the error of -EBUSY names the process that has it.
 */
int run_lock(const char *folder, struct store_error *error);

/* Releases the lock. */
void run_unlock(int fd);

/* Reads or writes `size` bytes of a file from `offset` on: 0 or -errno. */
int run_read_at(int fd, void *bytes, int64_t size, int64_t offset);
int run_write_at(int fd, const char *bytes, size_t size, int64_t offset);

/* Copies a file durably to a path where no file may be: 0 or -errno. */
int run_file_copy(const char *from, const char *to);

/* Makes the folders above a path: 0 or -errno. */
int run_make_parents(const char *path);

/* Syncs a folder, so that its list of files is durable. Returns 0 or -errno. */
int run_folder_sync(const char *folder);

/*
 * Cuts off what comes after the last whole line of a file: a process that was
 * killed, or a full disk, may have left a part of a line.  Returns the size that
 * is left, or -errno.
 */
int64_t run_cut_part_of_line(int fd);

/* Copies a path without slashes at its end: 0 or -ENAMETOOLONG. */
int run_path_set(
    char folder[PATH_MAX], const char *path, struct store_error *error);

/* The path of a file in a folder. */
void run_path_join(char path[PATH_MAX], const char *folder, const char *name);

/* Sets the error of a system call about a path.  Returns `status`. */
int run_fail(
    int status, const char *doing, const char *path, struct store_error *error);

/* Whether a folder has records: 0, or -errno as of a folder without a run. */
int run_records_find(const char *folder, struct store_error *error);

/*
 * The terms of a run: all that decides what is played but the secret of the
 * packs, as lines of text to be published before the first deal.
 *
 *     scopa-arena-terms-v1
 *     created 2025-01-31T18:30:00.000Z
 *     packs committed
 *     bot 1 SHA256 NAME
 *     ...
 *
 * and then the lines of the configuration as executed without comments, blank
 * lines, and what `contribution` and `shard` say; `seed`, too, where it is
 * committed to.
 */

/* The beginnings of configuration lines that are not part of the terms. */
#define CONFIG_SEED "seed = "
#define CONFIG_CONTRIBUTION "contribution = "
#define CONFIG_SHARD "shard = "

/* The terms, for free(); NULL without memory. */
char *terms_make(const char *config, const struct store_head *head);

/*
 * A configuration without the lines that begin with one of these words (NULL
 * ends them), and with another line after the heading of its first section; ""
 * for none.  For free(); NULL without memory.
 */
char *config_lines_replace(
    const char *config, const char *const *dropped, const char *line);

/*
 * Moves both pointers to the first line that differs, and returns its number
 * from 1; 0: the texts are equal.
 */
int64_t terms_diff(const char **terms, const char **others);

/* The SHA-256 of a text. */
void terms_digest(const char *terms, struct shuffle_key *digest);

/*
 * Reads from terms what the configuration does not say: when the run was
 * created, the digests of its bots, where its packs are from.  Lines that do
 * not fit are skipped.
 */
void terms_read(const char *terms, struct store_head *head);

#endif
