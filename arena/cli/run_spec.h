/*
 * A run on its way to workers on other machines: its spec, and the files that
 * the spec names.
 *
 * The spec is a text.  It holds what decides how games are played: rules, time,
 * policy, sandbox, and the bots with the names that they have in the run.  What
 * is of the organiser (secret, contributions, schedule, test) or of one machine
 * (cores, games at once, folders, trace) is not in it.
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
 * `commitment` is there if the secret was drawn; `packs`, if packs of a file
 * are dealt, names the bundle with that file; `clock`, if time controls depend
 * on the speed of the machine.  `bundle` names the files of a bot, counted from
 * 1: the paths of its command begin in the folder that they are unpacked into.
 * A bot without a bundle is a built-in one, or a program that each machine has.
 */
#ifndef RUN_SPEC_H
#define RUN_SPEC_H

#include "bundle.h"
#include "tournament_setup.h"

enum { RUN_SPEC_VERSION = 1 };

/* What the organiser puts into the queue. */
struct run_spec {
	char *text;             /* owned */
	struct bundle *bundles; /* owned; each digest once */
	int bundle_count;
	/*
	 * SHA-256 of the text before the configuration, and so of all files
	 * that are sent: it must not change while a run lasts.
	 */
	uint8_t digest[BUNDLE_DIGEST_SIZE];
};

/*
 * Refuses bots and options that other machines cannot have.  What is merely
 * ignored there is reported on stderr.  STATUS_DONE, or STATUS_USAGE with an
 * error printed.
 */
enum status run_spec_check(const struct tournament_setup *setup);

/*
 * Makes the spec of a run, with the bundles of its bots and packs.  The bots of
 * the setup must have the names of the run (after the preflight, or as its
 * configuration has them), and its rules the commitment.  STATUS_DONE, and the
 * caller must release `spec`; or STATUS_USAGE or STATUS_ENVIRONMENT with an
 * error printed.
 */
enum status run_spec_write(
    struct run_spec *spec, const struct tournament_setup *setup);
void run_spec_release(struct run_spec *spec);

/*
 * Starts each bot that is no built-in one once as a worker would, with nothing
 * but the files of its bundle, which are unpacked below TMPDIR for it.
 * STATUS_DONE; otherwise as game_preflight(), with the errors
 * printed.
 */
enum status run_spec_try(
    const struct run_spec *spec, const struct tournament_setup *setup);

/* What a worker's machine and its owner give to a run. */
struct run_spec_machine {
	/*
	 * The folder for what is unpacked.  It must exist.  Where bots run as
	 * users of their own (run_as), they must be able to enter it.
	 */
	const char *cache;
	/*
	 * A few files and folders that bots must not read, such as the key of
	 * the worker (FILE_POLICY_HIDDEN_MAX).  NULL ends the list.
	 */
	const char *const *hidden;
	int cores;      /* games at once; 0: one for each core */
	double speed;   /* of a core, for `clock scaled`; 0: not measured */
	int sandbox;    /* enum game_sandbox: the least that the owner wants */
	int64_t run_as; /* as of --run-as, on this machine; 0: none */
	bool quiet;
	/* Gets the bundle of this digest.  0, or -errno with the error. */
	int (*fetch)(void *context, const uint8_t digest[BUNDLE_DIGEST_SIZE],
	    struct bundle *bundle, struct store_error *error);
	void *context;
};

/* The files of a bot that has a bundle: their fingerprints, and a descriptor
 * that keeps them in the cache (bundle_hold). */
struct run_spec_files {
	int held_fd;              /* valid where there are rows */
	struct fingerprint *rows; /* owned */
	int count;
};

/* A run as a worker plays it.  It must not move. */
struct run_spec_opened {
	struct dispatcher_config play; /* what the dispatcher is given */
	struct game_settings settings;
	struct game_bots bots;
	struct sandbox sandbox;
	struct pack_file packs;
	char (*folders)[PATH_MAX];    /* in which each bot runs; owned */
	struct run_spec_files *files; /* of each bot; owned */
};

/*
 * Opens a run from its spec: gets and unpacks the bundles that the cache does
 * not have, checks those that it has, reads the configuration, and sets up the
 * sandbox of this machine.  The secret in the rules is a random one: the keys
 * of deals come with each job.  STATUS_DONE, and the caller must close
 * `opened`; STATUS_USAGE if this worker cannot play the run (another version,
 * no sandbox wanted by the run but by the owner, a program that is missing
 * here); STATUS_ENVIRONMENT if the machine refuses something, or a bundle
 * cannot be had.  Errors are printed; error_copy() gives them as text, too.
 */
enum status run_spec_open(struct run_spec_opened *opened, const char *text,
    const struct run_spec_machine *machine);
void run_spec_close(struct run_spec_opened *opened);

/*
 * Starts each bot that is no built-in one once.  STATUS_DONE; otherwise as
 * game_preflight(), with the errors printed; `hint` (or NULL) says
 * more of each bot that did not become ready.
 */
enum status run_spec_preflight(const struct run_spec_opened *opened,
    void (*hint)(const struct entrant *bot));

#endif
