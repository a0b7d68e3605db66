/*
 * A run on its way to workers on other machines: its spec, and the files that
 * the spec names.
 *
 * The spec is a text.  It has the settings that affect games: rules, time,
 * policy, sandbox, and the bots with their names in the run.  It does not have
 * settings of the organiser (secret, contributions, schedule, test) and of one
 * machine (cores, games at once, folders, trace).
 *
 *     scopa-run-spec 1
 *     commitment HEX
 *     packs HEX
 *     bundle 1 HEX
 *     clock scaled
 *     configuration
 *     [run]
 *     rules = scopa
 *     ...
 *     [bot alpha]
 *     cmd = ./alpha.py
 *
 * `commitment` is there if the secret was drawn.  `packs` names the bundle with
 * the file of packs, if there is one.  `clock` is there if time controls depend
 * on the speed of the machine.  `bundle` has the number of a bot, from 1, and
 * names its files; the paths of its command begin in the folder where they are
 * unpacked.  A bot without a bundle is built in, or is a program that each
 * machine has.
 */
#ifndef RUN_SPEC_H
#define RUN_SPEC_H

#include "bundle.h"
#include "tournament_setup.h"

/* The spec and the files that the organiser puts into the queue. */
struct run_spec {
	char *text;             /* owned */
	struct bundle *bundles; /* owned; all digests differ */
	int bundle_count;
	/*
	 * SHA-256 of the text before the configuration.  It depends on all
	 * files that are sent, and must stay the same for a run.
	 */
	uint8_t digest[BUNDLE_DIGEST_SIZE];
};

/*
 * Refuses bots and options that other machines cannot have, and warns of
 * options that they ignore.  Returns STATUS_DONE, or prints an error and
 * returns STATUS_USAGE.
 */
enum status run_spec_check(const struct tournament_setup *setup);

/*
 * Makes the spec of a run, with the bundles of its bots and packs.  The bots of
 * the setup must have their names in the run, from the preflight or from its
 * configuration; the rules must have the commitment.  Returns STATUS_DONE, and
 * the caller must release `spec`; or prints an error and returns STATUS_USAGE
 * or STATUS_ENVIRONMENT.
 */
enum status run_spec_write(
    struct run_spec *spec, const struct tournament_setup *setup);
void run_spec_release(struct run_spec *spec);

/*
 * Starts each bot that is not built in once as a worker would: with only the
 * files of its bundle, which are unpacked below TMPDIR.  Returns STATUS_DONE;
 * or prints errors and returns as game_preflight().
 */
enum status run_spec_try(
    const struct run_spec *spec, const struct tournament_setup *setup);

/* What the machine of a worker and its owner allow. */
struct run_spec_machine {
	/*
	 * The folder for unpacked files.  It must exist.  Bots that run as
	 * other users (run_as) must be able to enter it.
	 */
	const char *cache;
	/*
	 * Files and folders that bots must not read, such as the key of the
	 * worker: at most FILE_POLICY_HIDDEN_MAX.  NULL ends the list.
	 */
	const char *const *hidden;
	int cores;      /* games at once; 0: one for each core */
	double speed;   /* of a core, for `clock scaled`; 0: not measured */
	int sandbox;    /* enum game_sandbox: the least that the owner wants */
	int64_t run_as; /* user id, as --run-as; 0: none */
	bool quiet;
	/* Gets the bundle of this digest: 0, or -errno with *error set;
	 * -EAGAIN: the caller handles it, and no error is printed. */
	int (*fetch)(void *context, const uint8_t digest[BUNDLE_DIGEST_SIZE],
	    struct bundle *bundle, struct store_error *error);
	void *context;
};

/* The files of a bot with a bundle.  The descriptor of bundle_hold() keeps them
 * in the cache. */
struct run_spec_files {
	int held_fd;              /* open if `rows` is not NULL */
	struct fingerprint *rows; /* owned */
	int count;
};

/* A run as a worker plays it.  It must not move. */
struct run_spec_opened {
	struct dispatcher_config play; /* for the dispatcher */
	struct game_settings settings;
	struct config *config; /* the texts of the settings; owned */
	struct game_bots bots;
	struct sandbox sandbox;
	struct pack_file packs;
	char (*folders)[PATH_MAX];    /* the folder of each bot; owned */
	struct run_spec_files *files; /* of each bot; owned */
};

/*
 * Opens a run from its spec.  It reads the configuration, gets and unpacks the
 * bundles that the cache does not have, checks those that it has, and sets up
 * the sandbox.  The secret in the rules is a random one, because each job has
 * the keys of its deals.
 *
 * Returns STATUS_DONE, and the caller must close `opened`.  Otherwise prints an
 * error, which error_copy() also gives as text, and returns STATUS_USAGE if
 * this worker cannot play the run (another version; the run allows no sandbox
 * and the owner wants one; a program is missing), or STATUS_ENVIRONMENT if a
 * system call failed or a bundle was not received.
 */
enum status run_spec_open(struct run_spec_opened *opened, const char *text,
    const struct run_spec_machine *machine);
void run_spec_close(struct run_spec_opened *opened);

/*
 * Starts each bot that is not built in once.  Returns STATUS_DONE; or prints
 * errors and returns as game_preflight().  `hint` may be NULL; it is called for
 * each bot that did not become ready, and prints more about it.
 */
enum status run_spec_preflight(const struct run_spec_opened *opened,
    void (*hint)(const struct entrant *bot));

#endif
