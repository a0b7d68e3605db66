/*
 * Bots as people name them on the command line.
 */
#ifndef ENTRANTS_H
#define ENTRANTS_H

#include "match.h"
#include "option.h"
#include "status.h"

/* One `--bot cmd=... name=...`. */
struct entrant_words {
	const char *command, *name, *arguments, *dir;
	struct option_pairs options, environment;
};

/* The keys of `--bot`, for an option table. */
enum { ENTRANT_KEY_COUNT = 6 };
extern const struct option entrant_keys[ENTRANT_KEY_COUNT];

/*
 * Resolves a bot: a path, `"command with arguments"` or `@name`.  What cannot
 * be run is said on stderr: STATUS_USAGE.  `words` must outlive the entrant.
 */
enum status entrant_read(
    struct entrant *entrant, const struct entrant_words *words);

/* Says that no built-in bot has this name, `mark` before it: STATUS_USAGE. */
enum status builtin_complain(const char *mark, const char *name);

/* Says why a bot never got ready, as users see it. */
void entrant_complain(const struct entrant *entrant, const char *name,
    const struct match_fault *fault, int64_t startup_ns);

#endif
