/*
 * An attack probe: a bot that makes all known attempts to reach the arena, a
 * sibling and the machine, and reports which succeeded.  It changes nothing
 * permanently: it sets values to what they already are, or restores them.
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

enum { PROBE_PATH_SIZE = 512 };

struct targets {
	pid_t arena;
	pid_t sibling;
	/*
	 * A folder that no bot may use, with files `secret` and `link` that all
	 * users could write.
	 */
	char outside[PROBE_PATH_SIZE];
	/* A file that bots may read, written just now. */
	char shared[PROBE_PATH_SIZE];
	uint32_t key; /* key that two colluding bots share; 0: none */
};

/* An attempt, or one against each of two processes, the victims. */
struct attempt {
	const char *name; /* printed with `-` instead of `_` */
	bool of_victim;
	/* True if the attempt succeeds.  It runs in a process of its own. */
	bool (*is_open)(const struct targets *targets, pid_t victim);
	struct attempt *next;
};

/* Adds an attempt after the others, or before them. */
void attempt_add(struct attempt *attempt, bool first);

/*
 * ATTEMPT(name) { ... } defines an attempt, and adds it before main() begins;
 * ATTEMPT_IF(name, expression) is for a single expression.  An ASSAULT is an
 * attempt against a victim.
 */
#define ATTEMPT_IF(name, expression) \
	ATTEMPT(name)                \
	{                            \
		return expression;   \
	}
#define ASSAULT_IF(name, expression) \
	ASSAULT(name)                \
	{                            \
		return expression;   \
	}
#define ATTEMPT(name) ATTEMPT_OF(name, false, false)
#define ATTEMPT_FIRST(name) ATTEMPT_OF(name, false, true)
#define ASSAULT(name) ATTEMPT_OF(name, true, false)
#define ATTEMPT_OF(name, of_victim, first)                          \
	static bool try_##name(const struct targets *, pid_t);      \
	static void __attribute__((constructor)) add_##name(void)   \
	{                                                           \
		static struct attempt attempt = { #name, of_victim, \
			try_##name, NULL };                         \
		attempt_add(&attempt, first);                       \
	}                                                           \
	static bool try_##name(const struct targets *targets        \
	    __attribute__((unused)),                                \
	    pid_t victim __attribute__((unused)))

/* Whether this descriptor was opened; closes it. */
bool probe_opened(int fd);
/* Whether this file or folder can be opened. */
bool probe_opens(const char *path, int flags);
/* The file that both bots may read. */
int probe_shared(const struct targets *targets);
/* FOLDER/NAME; the last few results are valid. */
const char *probe_path(const char *folder, const char *name);

/*
 * Two bots that share a key: one sends a number through all channels, the other
 * tries to receive it.
 */
enum { COLLUSION_CHANNELS_MAX = 7 };

struct received {
	const char *channel;
	uint32_t number;
};

/* Sends the number through all channels; it stays until collusion_end(). */
void collusion_send(const struct targets *targets, uint32_t number);
void collusion_end(const struct targets *targets);
/* Tries all channels once; returns the number of channels that had a number. */
size_t collusion_listen(const struct targets *targets,
    struct received received[COLLUSION_CHANNELS_MAX]);

#endif
