#include "ponder_watch.h"

#include <string.h>

#include "clock.h"
#include "verdict.h"

bool
ponder_watch_begin(struct ponder_watch *watch, const struct bot *bot)
{
	if (bot_cpu_usage(bot, &watch->cpu_ns) < 0)
		return false;
	watch->since_ns = clock_now_ns();
	watch->look_ns = 0;
	return true;
}

struct ponder_seen
ponder_watch_see(const struct ponder_watch *watch, const struct bot *bot,
    int64_t earlier_cpu_ns, int64_t earlier_wall_ns)
{
	struct ponder_seen seen = { .computes = false };

	if (bot_cpu_usage(bot, &seen.cpu_ns) < 0)
		return seen;
	seen.cpu_ns -= watch->cpu_ns;
	seen.wall_ns = clock_now_ns() - watch->since_ns;
	seen.computes = verdict_computes(seen.cpu_ns, seen.wall_ns) ||
	    verdict_computes(
		seen.cpu_ns + earlier_cpu_ns, seen.wall_ns + earlier_wall_ns);
	return seen;
}

bool
ponder_watch_due(struct ponder_watch *watch, int64_t now_ns)
{
	if (now_ns < watch->look_ns)
		return false;
	watch->look_ns = 2 * now_ns - watch->since_ns;
	return true;
}

bool
ponder_ends_turn(
    const struct session *session, const struct referee_input *input)
{
	const char *line = input->line;

	if (input->kind == REFEREE_LAG || input->kind == REFEREE_VOID ||
	    input->kind == REFEREE_PONDER)
		return false;
	if (input->kind != REFEREE_LINE)
		return true;
	return session->phase == SESSION_THINK &&
	    line[strspn(line, " \t")] != 'i';
}
