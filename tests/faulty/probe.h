/*
 * An attack probe: a bot that tries every way out of its seat that it knows,
 * against the arena, a sibling and the machine, and says which were open.  It
 * changes nothing for good: what it could do it does with the value that is
 * there, or undoes.
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
	/* A folder that no bot has been left, with files `secret` and `link`
	 * in it that everybody could write. */
	char outside[PROBE_PATH_SIZE];
	/* A file that bots may read, written a moment ago. */
	char shared[PROBE_PATH_SIZE];
	uint32_t key; /* of what two bots have agreed on; 0: none */
};

/* A way out, or one against each of two processes, the victims. */
struct attempt {
	const char *name; /* it is printed with `-` in place of `_` */
	bool of_victim;
	/* True where the way is open.  It runs in a process of its own. */
	bool (*is_open)(const struct targets *targets, pid_t victim);
	struct attempt *next;
};

/* Puts one behind the others, or before them. */
void attempt_add(struct attempt *attempt, bool first);

/*
 * ATTEMPT(name) { ... } defines one, and adds it before main() begins; one that
 * a single expression makes is written ATTEMPT_IF(name, expression).
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

/* Whether something was opened; closes it. */
bool probe_opened(int fd);
/* Whether this file or folder can be opened. */
bool probe_opens(const char *path, int flags);
/* The file that both bots may read. */
int probe_shared(const struct targets *targets);
/* Writes FOLDER/NAME and returns `path`. */
const char *probe_path(
    char path[PROBE_PATH_SIZE], const char *folder, const char *name);

/*
 * Two bots that have agreed on a key: one puts a number wherever the other
 * could find it, the other looks.
 */
enum { COLLUSION_CHANNELS_MAX = 16 };

struct heard {
	const char *channel;
	uint32_t number;
};

/* Puts the number everywhere, where it stays until collusion_end(). */
void collusion_send(const struct targets *targets, uint32_t number);
void collusion_end(const struct targets *targets);
/* Looks everywhere, once only; how many channels had a number, 0: clean. */
size_t collusion_listen(
    const struct targets *targets, struct heard heard[COLLUSION_CHANNELS_MAX]);

#endif
