/*
 * The options of the commands that play: how a game is played, by which bots,
 * and how it is shown; and what is made of them.
 */
#ifndef GAME_OPTIONS_H
#define GAME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"
#include "countof.h"
#include "dispatcher.h"
#include "entrants.h"
#include "match.h"
#include "option.h"
#include "practice.h"
#include "report.h"
#include "sandbox.h"
#include "scopa/rules.h"

enum { CONCURRENCY_MAX = 1024 }; /* games at once */

struct game_seed {
	bool given;
	struct shuffle_key key;
};

struct game_pin {
	enum dispatcher_pin kind;
	struct cores cores;
};

/* The choices of --sandbox; game_sandboxes has their names. */
enum game_sandbox {
	SANDBOX_OFF,  /* bots run without a sandbox */
	SANDBOX_AUTO, /* the strongest sandbox that the machine allows */
	/* fails unless all processes of a bot are killed for certain */
	SANDBOX_REQUIRE,
	SANDBOX_COUNT
};

/* The form of a trace, and its file (NULL: where the command puts it). */
struct game_trace {
	enum { GAME_TRACE_OFF, GAME_TRACE_TEXT, GAME_TRACE_JSON } form;
	const char *path;
};

/* The path of a file; NULL: not given. */
struct game_file {
	const char *path;
};

struct game_settings {
	/* The game. */
	const char *rules, *teams;
	int64_t seats, deals, max_deals, target;
	struct game_seed seed;
	struct game_file packs;
	int packs_count;

	/*
	 * The bots.  Values of `each` are for every bot that does not set them.
	 */
	struct entrant_words bots[TOURNAMENT_BOTS_MAX];
	int bot_count;
	struct entrant_words each;
	int each_count;
	/* for bots without a time control of their own */
	struct entrant_control control;

	bool analysis; /* bots that ask to see all cards are shown them */

	int sandbox;          /* enum game_sandbox */
	int64_t memory_bytes; /* limit for each bot; 0: no limit */
	int64_t scratch_bytes;
	/* first user id of bots; 0: bots run as the user of the arena */
	int64_t run_as;

	/* The time of bots, and the policy for offences. */
	int64_t margin_ms, startup_ms, hang_ms, answer_grid_ms;
	bool no_ponder, ponder;
	/* 0: by the number of teams; else enum verdict_policy + 1 */
	int policy;
	int64_t strikes;
	bool recover; /* accepted and ignored: the arena always recovers */

	/* Settings that concern only this call. */
	int64_t concurrency; /* games at once; 0: the default of the command */
	struct game_pin pin;
	/*
	 * bots that may compute their moves at the same time, or a special
	 * value of the enum in dispatcher.h
	 */
	int cpu_slots;
	struct game_trace trace;
	bool json, quiet;
};

/* The settings of `match`: its options and the struct that they fill. */
struct match_settings {
	struct game_settings game;
	int64_t rounds, games; /* 0: not given */
	bool duplicate;
	struct game_file record;
	int record_count;
};

extern const struct option match_options[];

/* Names of enum game_sandbox.  NULL ends the list. */
extern const char *const game_sandboxes[SANDBOX_COUNT + 1];

/*
 * The option rows, grouped by subject.  Their offsets count from the beginning
 * of struct game_settings.
 */
extern const struct option game_rule_options[];
extern const struct option game_bot_options[];
extern const struct option game_control_options[];
extern const struct option game_process_options[];
extern const struct option game_time_options[];
extern const struct option game_call_options[];
extern const struct option game_config_options[];
extern const struct option game_analysis_options[];

/*
 * Rows of tables that several commands have together.  `field` is the offset of
 * the struct game_settings.
 */
#define GAME_BOT_TABLES(field)                               \
	TABLE_OPTION("bots", game_bot_options, field),       \
	    TABLE_OPTION(NULL, game_control_options, field), \
	    TABLE_OPTION(NULL, game_process_options, field)
#define GAME_CALL_TABLES(field)                       \
	TABLE_OPTION(NULL, game_call_options, field), \
	    TABLE_OPTION(NULL, game_config_options, field)
#define GAME_TIME_TABLE(field) \
	TABLE_OPTION("time limits and offences", game_time_options, field)

/*
 * Steps from the settings of match, tournament and gate to what is played.
 *
 * Each step returns STATUS_DONE, or prints an error and returns STATUS_USAGE,
 * or STATUS_ENVIRONMENT if the machine refuses something.
 */

/* The options that a rule set is of, for error_option_lines(). */
extern const char *const game_rule_names[];

/*
 * Sets the rule set, with what --seats, --teams and --target add to it, and the
 * number of deals.  If neither the options nor the rules give the number of
 * seats, `bot_count` decides: it may be the number of teams or of seats of the
 * preset; otherwise it becomes the number of seats.  0: the preset decides.
 */
enum status game_setup_rules(const struct game_settings *settings,
    int bot_count, struct match_rules *rules);

/*
 * The bots: their settings, including those of --each, and the resolved
 * entrants.
 */
struct game_bots {
	struct entrant_words *words; /* owned; the entrants point into them */
	struct entrant *entrants;    /* owned */
};

/*
 * Resolves the bots, and `base` as the last one (NULL: none), and makes `play`
 * point to them.  Sets the referee and its times in the rules, which
 * game_setup_rules() must have set.  After success and after failure the caller
 * must release `bots`.
 */
enum status game_setup_bots(const struct game_settings *settings,
    const struct entrant_words *base, enum entrant_use use,
    struct game_bots *bots, struct dispatcher_config *play);
void game_bots_release(struct game_bots *bots);

/* Sets the secret: the given one, or a random one. */
enum status game_setup_secret(
    const struct game_settings *settings, struct match_rules *rules);

/* Opens the pack file, if there is one, and makes the rules point to it. */
enum status game_setup_packs(const struct game_settings *settings,
    struct pack_file *packs, struct match_rules *rules);

/*
 * Sets up the sandbox of the bots of `play`, and makes its rules point to it.
 * Missing layers and their reasons are printed unless --quiet is set.
 * `hidden`: a path that bots must not read, or NULL.
 */
enum status game_setup_sandbox(const struct game_settings *settings,
    const char *hidden, struct sandbox *sandbox,
    struct dispatcher_config *play);

/*
 * Hides one more file or folder from bots; it need not exist yet.  Nothing is
 * done if its folder does not exist, or if `path` is NULL.  An error is printed
 * if it cannot be hidden.
 */
enum status game_setup_hide(struct sandbox *sandbox, const char *path);

/*
 * Opens the trace that the settings ask for, if they do, and makes the rules
 * point to it.  Its file is hidden from the bots.  `path`: the file if the user
 * names none; NULL: stderr.  The caller must call game_trace_end() later.
 */
enum status game_setup_trace(const struct game_settings *settings,
    const char *path, struct sandbox *sandbox, struct match_rules *rules);

/* Closes the trace, if there is one.  Warns if it has not all lines. */
void game_trace_end(
    const struct game_settings *settings, struct match_rules *rules);

/* Whether the trace is written to stderr. */
bool game_trace_is_shown(const struct game_settings *settings);

/*
 * Sets the cores, the number of bots that compute at once, and the number of
 * games at once.  The defaults are the values in `play`, or else a game for
 * each core that can be busy (machine_cores()).  Cores that are not available
 * are reported here, before anything starts.
 */
enum status game_setup_cores(
    const struct game_settings *settings, struct dispatcher_config *play);

/*
 * Sets *blocks to the number of blocks, each of `game_count` games, that
 * --rounds and --games ask for.  Without --games this is `rounds`; 0 if neither
 * was given.  STATUS_USAGE: the games are not a whole number of blocks, or too
 * many.
 */
enum status game_setup_rounds(
    int64_t rounds, int64_t games, int game_count, int64_t *blocks);

/*
 * Returns the exit status for the way in which the games ended: STATUS_DONE;
 * STATUS_BOT after the fault of a bot; 128 + N after signal N; otherwise the
 * status of the error, which is printed.
 */
enum status game_end_status(const struct dispatcher_outcome *outcome);

/*
 * Prints an error of the machine.  `error` is -errno.  Returns
 * STATUS_ENVIRONMENT; for -EBADMSG (the rules accept no pack of the pack file)
 * STATUS_USAGE.
 */
enum status game_setup_error(int error);

/* A file to which the records of games are appended. */
struct record_output {
	const char *path; /* NULL: no record is kept */
	int fd;           /* -1: none */
	bool is_new;      /* the file was made when it was opened */
};

/*
 * Opens the file at `path` (NULL: there is none).  STATUS_DONE, or prints an
 * error.  The caller closes it in any case.
 */
enum status record_output_open(struct record_output *output, const char *path);

/*
 * A file that was made and got no game is removed, unless another process has
 * it open.
 */
void record_output_close(struct record_output *output);

/*
 * Prints that the record cannot be written, with a hint (NULL: none); `error`
 * is -errno.  Returns STATUS_ENVIRONMENT.
 */
enum status record_output_error(
    const struct record_output *output, int error, const char *hint);

/*
 * Starts each bot of `play` once, except the excused ones (NULL: none), to see
 * that it becomes ready.  Sets names[i] to the name of the i-th started bot
 * (NULL: not wanted).  `hint` (or NULL) prints more about each bot that did not
 * become ready.  Returns STATUS_DONE; STATUS_BOT or STATUS_USAGE (see
 * entrant_error) if a bot did not become ready; 128 + N if signal N ended the
 * wait; or the status of a failed system call.  Errors are printed.
 */
enum status game_preflight(const struct dispatcher_config *play,
    const bool *excused, char (*names)[EVENT_NAME_SIZE],
    void (*hint)(const struct entrant *bot));

/*
 * Sizes of memory: `64K`, `16M`, `2G`, or bytes without a letter.
 */

/*
 * Parses a size.  The letters are powers of 1024.  False: not a size, or too
 * large.
 */
bool byte_size_parse(const char *text, int64_t *bytes);

/*
 * Rule sets as users name them on the command line.
 */

struct rule_set {
	const char *spec; /* the text that was given: `scopa,priority=fewest` */
	const struct scopa_preset *preset;
	struct scopa_rules rules;
};

/* Parses a secret, which PARSED_OPTION stores in a struct shuffle_key. */
bool secret_parse(const char *value, void *field, struct scopa_text *why);

/* Reads a rule spec.  Returns false with an error printed on stderr. */
bool rule_set_read(const char *spec, struct rule_set *set);

/*
 * A single bot, for the commands that try one: its options, the bot itself and
 * its sandbox.
 */

/* The row --bot, and limits of time that differ from those of a match. */
extern const struct option single_bot_options[];

/* Their tables; `field` is the offset of the struct game_settings. */
#define SINGLE_BOT_TABLES(field)                             \
	TABLE_OPTION("the bot", single_bot_options, field),  \
	    TABLE_OPTION(NULL, game_control_options, field), \
	    TABLE_OPTION(NULL, game_process_options, field)

struct single_bot {
	struct dispatcher_config play; /* its rules, and its one entrant */
	struct game_bots bots;
	struct sandbox sandbox;
	struct practice *practice; /* NULL: not started */
};

/*
 * Reads the bot and sets up its sandbox; `preset` gives the rules to begin
 * with.  Returns STATUS_DONE or prints an error.  The caller closes it in any
 * case.
 */
enum status single_bot_open(struct single_bot *single,
    const struct game_settings *settings, const struct rule_set *set);
void single_bot_close(struct single_bot *single);

/* Starts and greets the bot.  Prints an error if it does not become ready. */
enum status single_bot_start(struct single_bot *single);

/*
 * Plays a game.  Prints an error if the machine refuses something, or the bot
 * declines the rules.
 */
enum status single_bot_play(struct single_bot *single,
    const struct practice_game *game, struct practice_result *result);

/*
 * Reads the answer of the seat to move, a line `move MOVE`.  Returns NULL and
 * sets *move if it is legal, or else a sentence that says why not.
 */
const char *answer_refusal(const struct scopa_rules *rules,
    const struct scopa_deal *deal, const char *line, struct scopa_move *move);

#endif
