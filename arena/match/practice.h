/*
 * Practice games: matches of one bot, in which this process plays the other
 * seats.
 *
 * Nothing is recorded.  The bot keeps its process from game to game, also when
 * the rules change between them.  Unlike a match, practice_play() blocks: it
 * serves an event loop of its own until the game is over.
 */
#ifndef PRACTICE_H
#define PRACTICE_H

#include "conversation.h"

/* Lines that the bot is not sent, whatever it asks for. */
enum { PRACTICE_NO_EVENTS = 1, PRACTICE_NO_STATE = 2, PRACTICE_NO_LEGAL = 4 };

/* A deal whose course is known, at least in part. */
struct practice_script {
	/* The first line of the game; NULL: seats are called `seat-1`, ... */
	const struct game_head *head;
	const struct scopa_tally
	    *tally; /* before the deal; NULL: it is the first */
	/*
	 * In the order in which they are dealt; all but the last are redealt.
	 */
	const struct event_pack *packs;
	int pack_count;
	/*
	 * Plays and declarations of all seats, also those that are automatic.
	 */
	const struct scopa_move *moves;
	int move_count;
	/*
	 * The bot is asked from this move on.  Before it, its moves are made
	 * for it; the events are sent with its first question.
	 */
	int ask_from;
};

struct practice_game {
	struct scopa_rules rules;
	const struct scopa_preset *preset;
	int seat;   /* of the bot */
	int dealer; /* seat that deals first */
	int deals;  /* of the game; 0: to the target */
	struct budget_control control;
	unsigned without; /* flags such as PRACTICE_NO_EVENTS */
	uint64_t seed;    /* of packs, turn ids and the moves of other seats */
	/*
	 * The match is aborted after so many answers of the bot; 0: it is
	 * played to its end.
	 */
	int abort_after;
	/*
	 * Instead of an abort the game is not played on: no other game can
	 * follow with this process.
	 */
	bool is_abandoned;
	/*
	 * Only without a script: so many moves at the beginning of the first
	 * deal are random moves of this process, also for the seat of the bot.
	 */
	int skip;
	int64_t until_ns; /* it is aborted after this time; 0: no limit */
	/*
	 * After each answer of the bot the others wait so long, and the CPU
	 * time of the bot is measured; 0: they do not wait.
	 */
	int64_t pause_ns;
	/*
	 * Or NULL.  While the script has a move, it is made instead of the
	 * answer of the bot, and the game is aborted after the deal of the
	 * script.
	 */
	const struct practice_script *script;
	/*
	 * Appends to `out` what is sent instead of these lines.  NULL: the
	 * lines themselves.
	 */
	void (*rewrite)(const struct scopa_text *lines, struct scopa_text *out);
	/* Called before each question to the bot, or NULL. */
	void (*on_question)(void *context, const struct game *game);
	/*
	 * Called with each `info` and `move` line while a question is open, or
	 * NULL.
	 */
	void (*on_answer)(
	    void *context, const struct game *game, const char *line);
	void *context;
};

/* How a game went. */
struct practice_result {
	/*
	 * The bot said `error feature`, and the game was aborted.  If its
	 * session has ended since, no other game can follow.
	 */
	bool declined;
	int answer_count;    /* of the bot */
	int without_turn_id; /* answers without `turn=` */
	int wrong_turn_id; /* answers with another turn id than that of `go` */
	int64_t pause_ns;  /* all pauses */
	int64_t pause_cpu_ns; /* CPU time of the bot in these */
	/* Lines of the bot that were refused, those that follow included. */
	int error_count;
	int stray_count; /* lines that begin with an unknown verb */
	char unused[SESSION_STRAY_SIZE]; /* the first of these, or empty */
};

/* Other files may read the fields. */
struct practice {
	struct loop *loop;
	const struct match_rules *given; /* by the caller */
	/* Those of `match`, and those of the match before or after it. */
	struct match_rules rules[2];
	/* The bot, and after it a person for each seat. */
	struct entrant entrants[1 + SCOPA_SEATS_MAX];
	/*
	 * Of the greeting or the last game; its fault says why the bot is not
	 * ready, or why it lost the game.
	 */
	struct match *match;
	int seat; /* of the bot in the match */
	struct transcript transcript;
	const struct practice_game *game; /* NULL: none is played */
	struct practice_result result;
	struct shuffle_stream random; /* for the moves of other seats */
	int game_count;               /* matches that were opened */
	int packs_dealt;              /* of the script */
	int made_count;               /* moves that were made for the bot */
	int pause_count;              /* answers after which the others wait */
	bool is_over; /* what practice_run() waits for has happened */
	int error;    /* -errno of the machine */
	char line[EVENT_TEXT_SIZE]; /* judged in place of one of the bot */
};

/*
 * Starts a process of the entrant and greets it.  `rules` gives the sandbox,
 * the memory and the referee's settings; it and the entrant must outlive the
 * practice.  Returns 0, also when the bot did not become ready (see the fault
 * of its match), or -errno.  The caller closes it.
 */
int practice_open(struct practice **practice, const struct match_rules *rules,
    const struct entrant *entrant);
void practice_close(struct practice *practice);

/*
 * Plays a game.  The bot must be ready: neither the start nor the last game has
 * left a fault.  Returns 0, or -errno if the machine refused something.
 */
int practice_play(struct practice *practice, const struct practice_game *game,
    struct practice_result *result);

/*
 * Builds a script for the position of a view: the deal from its first card to
 * the question of the seat of the view.  Cards that the seat cannot know are
 * dealt anyhow.  `pack` and the view must outlive the script.  Returns false if
 * the view does not hold the whole history of the deal.
 */
bool practice_script_of_view(const struct scopa_rules *rules,
    const struct scopa_view *view, struct event_pack *pack,
    struct practice_script *script);

/* The session with the bot: its name, features and counts. */
const struct session *practice_session(const struct practice *practice);

/* Writes the end of the bot's stderr: see bot_stderr(). */
void practice_stderr(
    const struct practice *practice, char text[BOT_STDERR_SIZE]);

#endif
