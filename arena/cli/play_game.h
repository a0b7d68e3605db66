/*
 * A game of persons against bots, for the commands play and serve: its options,
 * an earlier game that it continues, its match, its record and its hints.
 *
 * It is a usual match.  For the referee a person is a bot: the owner of the
 * game gets only the lines that the arena sends to the seat, and answers by a
 * `move` line.  The match runs in the process of its owner, whose event loop
 * also waits for the persons.
 */
#ifndef PLAY_GAME_H
#define PLAY_GAME_H

#include "game_options.h"
#include "record_walk.h"

#define PLAY_BOT_USUAL "@maestro"

/* The name of a single person, if none is given. */
#define PLAY_NAME_USUAL "you"

#define PLAY_RECORD_USUAL "play.scopa"

enum { PLAY_HINT_SIZE = 256 };

struct play_settings {
	struct game_settings game;
	unsigned persons; /* bit for each seat */
	const char *names, *hint;
	const char *record; /* NULL: PLAY_RECORD_USUAL */
	int name_offset;    /* the index in `names` of the first person */
	const char *resume; /* the record of the game to continue, or NULL */
	bool timed;         /* persons have the time of the bots */
	bool hints;         /* for the caller: persons may ask for hints */
};

/* The options about persons.  Offsets are from struct play_settings. */
extern const struct option play_person_options[];

/*
 * Reads seats of persons, `1` or `1,3`, into one bit for each seat.  Returns
 * false for any other text.
 */
bool play_seats_parse(const char *text, unsigned *seats);

/*
 * Checks that the bot of --hint can be started.  Returns STATUS_DONE or prints
 * an error.
 */
enum status play_hint_check(const struct play_settings *settings);

/* Returns the path of the record file; NULL: no record is kept. */
const char *play_record_path(const struct play_settings *settings);

struct play_game;

/* What all games of an owner share. */
struct play_host {
	struct loop *loop;
	const struct sandbox *sandbox; /* NULL: each game sets up its own */
	struct record_output record;
	bool observes; /* persons get each play at once, not when asked */
	/* Sends lines to a person.  `state`, `legal`, `go` end a question. */
	void (*on_lines)(struct play_game *game, int seat, const char *lines);
	/* Called once for each hint; NULL: the bot gave no answer. */
	void (*on_hint)(
	    struct play_game *game, int seat, const struct scopa_move *move);
	/* Called when the game is over; its bots are being ended. */
	void (*on_over)(struct play_game *game);
	/* Called when all bots of the game have ended. */
	void (*on_gone)(struct play_game *game);
};

/* A bot that is asked for a hint at a seat. */
struct play_hint {
	struct play_game *game;
	int seat;
	pid_t child; /* 0: no hint is asked for */
	struct loop_watch watch;
	char answer[PLAY_HINT_SIZE];
	size_t length;
};

enum play_state { PLAY_ON, PLAY_OVER, PLAY_GONE };

/* It must not move while it is open. */
struct play_game {
	const struct play_host *host;
	void *owner; /* for the caller */
	struct play_settings settings;
	/* The game to continue: its head, and all of its moves. */
	struct record_head head;
	struct positions past;
	int replayed; /* how many of these moves were made again */
	struct loop_deadline replay;
	struct dispatcher_config config;
	struct game_bots bots;
	struct pack_file packs;
	struct sandbox sandbox; /* used if the host has none */
	/* Persons in the order of their seats, then the bots. */
	struct entrant entrants[2 * SCOPA_SEATS_MAX];
	struct game_spec spec;
	char commands[SCOPA_SEATS_MAX][EVENT_NAME_SIZE + 1]; /* `@greedy` */
	struct match *match; /* NULL: not begun; has fault and result */
	struct play_hint hints[SCOPA_SEATS_MAX];
	enum play_state state;
	bool stopping;
	bool recorded;       /* the game is in the record */
	int record_error;    /* -errno if it could not be written, else 0 */
	enum status failure; /* of an error that was printed */
};

/*
 * Sets up the game.  Returns STATUS_DONE or prints an error.  The caller closes
 * it in any case.
 */
enum status play_game_open(struct play_game *game,
    const struct play_settings *settings, const struct play_host *host,
    void *owner);

/* Begins the game.  Returns STATUS_DONE or prints an error. */
enum status play_game_begin(struct play_game *game);

/* Kills bots that still run. */
void play_game_close(struct play_game *game);

int play_person_count(const struct play_game *game);

/* Returns whether the moves of the stopped game are being made again. */
bool play_game_replays(const struct play_game *game);

/* Answers the open question of a person by a line. */
void play_game_answer(struct play_game *game, int seat, const char *line);
void play_game_move(
    struct play_game *game, int seat, const struct scopa_move *move);

/* Stops the game; it can be continued.  A second call kills the bots. */
void play_game_stop(struct play_game *game);

/*
 * Asks the bot of the hints about the position of a `state` line.  The command
 * `ask` of this program runs as a child and gives the bot the position, so the
 * bot knows only what the seat knows.  No other hint may be open at the seat.
 * Returns 0, and on_hint will be called; or -errno.
 */
int play_hint_ask(struct play_game *game, int seat, const char *state);

/* Ends the child; on_hint will not be called. */
void play_hint_close(struct play_game *game, int seat);

#endif
