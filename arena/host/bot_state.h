/*
 * What the files of a bot share.
 *
 * bot.c is what happens while it lives, bot_life.c how it begins, is held and
 * ends.
 */
#ifndef BOT_STATE_H
#define BOT_STATE_H

#include "bot.h"
#include "hindrance.h"
#include "launcher.h"
#include "loop.h"
#include "process.h"

enum bot_phase {
	BOT_HEARD,    /* its lines are told */
	BOT_STOPPING, /* nothing is told but its end */
	BOT_DEAD
};

struct bot {
	struct loop *loop;
	const struct bot_events *events;
	void *context;
	struct process process;
	struct hindrance hindrance;
	struct loop_watch input; /* only while the pipe is full */
	struct loop_watch output;
	struct loop_watch error;
	struct loop_watch report;
	struct loop_watch death;
	/* Heard: the grace after the end of stdout.  Stopping: the kill. */
	struct loop_deadline deadline;
	enum bot_phase phase;
	int inside; /* calls of ours that still need the bot */
	bool killed;
	bool frozen;
	bool stopped;
	int host_error;
	struct launcher_report failure; /* error 0: none */
	struct line_reader reader;
	struct tail tail;
	struct outlet outlet;
};

/* A bot whose process is still to be started. */
void bot_init(
    struct bot *bot, struct loop *loop, const struct bot_options *options);

/* Watches its process.  0 or -errno; the first failure is told. */
int bot_watch(struct bot *bot);

/* We can no longer hear or serve it; that must not be its own loss. */
void bot_give_up(struct bot *bot, int error);

/* Closes its stdin; what waits is dropped. */
void bot_deafen(struct bot *bot);

/* Closes all that is left of one that is dead and reaped. */
void bot_release(struct bot *bot);

#endif
