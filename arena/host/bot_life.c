/*
 * How a bot begins, is held and ends.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bot_state.h"
#include "clock.h"
#include "countof.h"
#include "effort.h"

int
bot_open(struct bot **bot, struct loop *loop, const struct bot_options *options)
{
	const struct process_order order = { options->path, options->arguments,
		options->environment, options->dir, options->walls,
		options->memory_max_bytes, options->stale, options->read,
		options->allows_futexes };
	struct bot *made = malloc(sizeof(*made));
	int status;

	if (made == NULL)
		return -ENOMEM;
	bot_init(made, loop, options);
	status = loop_deadline_open(loop, &made->deadline);
	if (status < 0)
		goto free_bot;
	status = process_open(&made->process, &order);
	if (status < 0)
		goto close_deadline;
	status = bot_watch(made);
	if (status < 0)
		goto close_bot;
	*bot = made;
	return 0;
close_bot:
	bot_close(made);
	return status;
close_deadline:
	loop_deadline_close(loop, &made->deadline);
free_bot:
	free(made);
	return status;
}

void
bot_close(struct bot *bot)
{
	struct process_end end;

	if (bot == NULL)
		return;
	assert(bot->inside == 0);
	if (bot->phase != BOT_DEAD) {
		process_kill(&bot->process);
		(void)process_reap(&bot->process, &end);
		bot_release(bot);
	}
	free(bot);
}

void *
bot_context(const struct bot *bot)
{
	return bot->context;
}

int
bot_pid(const struct bot *bot)
{
	return bot->process.pid;
}

int
bot_effort(const struct bot *bot, int64_t *cpu_ns)
{
	return bot->phase == BOT_DEAD ? -ESRCH
				      : effort_read(bot->process.pid, cpu_ns);
}

void
bot_begin_hindrance(struct bot *bot)
{
	if (bot->phase != BOT_DEAD)
		hindrance_begin(&bot->hindrance, bot->process.pid);
}

int64_t
bot_hindrance_ns(struct bot *bot, int64_t now_ns, int64_t stolen_ns)
{
	if (bot->phase == BOT_DEAD)
		return stolen_ns;
	return hindrance_ns(&bot->hindrance, now_ns, stolen_ns);
}

int
bot_descriptor_count(const struct bot *bot)
{
	const struct process *process = &bot->process;
	const int fds[] = { process->input_fd, process->output_fd,
		process->error_fd, process->report_fd, process->pid_fd,
		process->end_fd };
	int count = hindrance_descriptor_count(&bot->hindrance);

	for (int i = 0; i < COUNTOF(fds); i++)
		count += fds[i] >= 0;
	return count;
}

bool
bot_dead(const struct bot *bot)
{
	return bot->phase == BOT_DEAD;
}

/* A word that does not reach it must not be its loss. */
static void
bot_hold(struct bot *bot, bool frozen)
{
	int status;

	if (bot->phase == BOT_DEAD || bot->frozen == frozen)
		return;
	bot->frozen = frozen;
	status = frozen ? process_freeze(&bot->process)
			: process_thaw(&bot->process);
	if (status < 0)
		bot_give_up(bot, -status);
}

void
bot_freeze(struct bot *bot)
{
	bot_hold(bot, true);
}

void
bot_thaw(struct bot *bot)
{
	bot_hold(bot, false);
}

void
bot_stop(struct bot *bot, const char *farewell, int64_t kill_ns)
{
	if (bot->phase == BOT_DEAD)
		return;
	if (bot->phase == BOT_STOPPING) {
		if (kill_ns < bot->deadline.deadline_ns)
			loop_deadline_set(bot->loop, &bot->deadline, kill_ns);
		return;
	}
	bot_thaw(bot);
	if (farewell != NULL)
		(void)bot_send(bot, farewell, strlen(farewell), NULL);
	/* What does not fit follows by itself, and then stdin is closed. */
	if (bot->input.fd < 0)
		bot_deafen(bot);
	bot->stopped = true;
	bot->phase = BOT_STOPPING;
	/* One that waits for room to write its last word gets it. */
	bot_mark(bot);
	loop_deadline_set(bot->loop, &bot->deadline, kill_ns);
}

void
bot_kill(struct bot *bot)
{
	if (bot->phase == BOT_DEAD)
		return;
	bot->stopped = true;
	bot->phase = BOT_STOPPING;
	if (bot->killed || !process_kill(&bot->process))
		return;
	bot->killed = true;
	loop_deadline_set(bot->loop, &bot->deadline,
	    clock_now_ns() + PROCESS_OBEY_MS * CLOCK_NS_PER_MS);
}
