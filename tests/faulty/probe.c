/*
 * probe MODE [KEY=VALUE..] [FILE]
 *
 *	bot     a bot that makes all attempts, and reports them in `info` lines
 *	tx      as a bot, sends number= to its partner through all channels
 *	rx      as a bot, reports in `info` lines the numbers that it received,
 *		or `clean`
 *	idle    a bot that attempts nothing: the victim of another bot
 *
 * Keys: arena= and sibling= are processes (default of the arena: the parent),
 * outside= is a folder, shared= a file, key= and number= are for colluding
 * bots.  FILE has more of these words: the probe waits until it has a line.
 */
#include "probe.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	WORDS_SIZE = 2048,
	TRIAL_SECONDS_MAX = 2,
	WAITS_MAX = 600,
	WAIT_NS = 50000000
};

struct probe {
	const char *mode;
	struct targets targets;
	const char *file; /* with more targets, or NULL */
	uint32_t number;
	bool has_reported;
};

bool
probe_opened(int fd)
{
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool
probe_opens(const char *path, int flags)
{
	return probe_opened(open(path, flags | O_CLOEXEC));
}

int
probe_shared(const struct targets *targets)
{
	return open(targets->shared, O_RDONLY | O_CLOEXEC);
}

const char *
probe_path(const char *folder, const char *name)
{
	static char paths[4][PROBE_PATH_SIZE];
	static unsigned next;
	char *path = paths[next++ % COUNTOF(paths)];

	snprintf(path, PROBE_PATH_SIZE, "%.400s/%.100s", folder, name);
	return path;
}

static struct attempt *attempts, **attempts_end = &attempts;

void
attempt_add(struct attempt *attempt, bool first)
{
	struct attempt **at = first ? &attempts : attempts_end;

	attempt->next = *at;
	*at = attempt;
	while (*attempts_end != NULL)
		attempts_end = &(*attempts_end)->next;
}

/*
 * Runs the attempt in a process of its own, so that its resources end with it,
 * and an attempt that waits or is killed does not affect the probe.
 */
static bool
is_open(const struct probe *probe, const struct attempt *attempt, pid_t victim)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		alarm(TRIAL_SECONDS_MAX);
		_exit(attempt->is_open(&probe->targets, victim));
	}
	return child > 0 && waitpid(child, &status, 0) == child &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* All attempts without a victim, or all against this victim. */
static void
try_each(struct probe *probe, pid_t victim, const char *prefix)
{
	for (const struct attempt *attempt = attempts; attempt != NULL;
	     attempt = attempt->next) {
		char name[64];
		bool open;

		if (attempt->of_victim != (victim > 0))
			continue;
		open = is_open(probe, attempt, victim);
		snprintf(name, sizeof(name), "%s%s", prefix, attempt->name);
		for (char *sign = name; (sign = strchr(sign, '_')) != NULL;)
			*sign = '-';
		printf("info m.open=%d # %s\n", open, name);
	}
}

static void
try_all(struct probe *probe)
{
	try_each(probe, 0, "");
	if (probe->targets.arena > 0)
		try_each(probe, probe->targets.arena, "arena-");
	if (probe->targets.sibling > 0)
		try_each(probe, probe->targets.sibling, "sibling-");
}

static void
listen_all(struct probe *probe)
{
	struct received received[COLLUSION_CHANNELS_MAX];
	size_t count = collusion_listen(&probe->targets, received);

	for (size_t i = 0; i < count; i++)
		printf("info m.heard=%u # %s\n", received[i].number,
		    received[i].channel);
	if (count == 0)
		printf("info m.heard=0 # clean\n");
}

static bool
is_mode(const struct probe *probe, const char *mode)
{
	return strcmp(probe->mode, mode) == 0;
}

/* Reads KEY=VALUE; false if there is no such key. */
static bool
read_word(struct probe *probe, const char *word)
{
	struct targets *targets = &probe->targets;

	return sscanf(word, "arena=%d", &targets->arena) == 1 ||
	    sscanf(word, "sibling=%d", &targets->sibling) == 1 ||
	    sscanf(word, "outside=%511[^\n]", targets->outside) == 1 ||
	    sscanf(word, "shared=%511[^\n]", targets->shared) == 1 ||
	    sscanf(word, "key=%" SCNu32, &targets->key) == 1 ||
	    sscanf(word, "number=%" SCNu32, &probe->number) == 1;
}

/* Reads all words of the file; false if its last line is not complete. */
static bool
read_words(const char *path, char words[WORDS_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return false;
	got = read(fd, words, WORDS_SIZE - 1);
	close(fd);
	if (got <= 0 || words[got - 1] != '\n')
		return false;
	words[got] = '\0';
	return true;
}

static void
read_file(struct probe *probe)
{
	char words[WORDS_SIZE], *rest = NULL;
	int waits = 0;

	if (probe->file == NULL)
		return;
	while (!read_words(probe->file, words)) {
		if (++waits == WAITS_MAX)
			return;
		nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
	}
	for (char *word = strtok_r(words, " \n", &rest); word != NULL;
	     word = strtok_r(NULL, " \n", &rest))
		read_word(probe, word);
}

/*
 * Sends the first legal move, and the report before the first move: then the
 * partner has sent its number, because no bot is asked before all are ready.
 */
static void
answer(struct probe *probe, const char *move, const char *turn)
{
	if (!probe->has_reported) {
		probe->has_reported = true;
		read_file(probe);
		if (is_mode(probe, "bot"))
			try_all(probe);
		if (is_mode(probe, "rx"))
			listen_all(probe);
	}
	printf("move %s %s\n", move, turn);
}

static void
play(struct probe *probe)
{
	char *line = NULL, move[128] = "";
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		char *rest = NULL;
		const char *verb = strtok_r(line, " \n", &rest);
		const char *first = strtok_r(NULL, " \n", &rest);

		if (verb == NULL)
			continue;
		if (strcmp(verb, "usp") == 0)
			printf("id name=probe\nuspok 1\n");
		else if (strcmp(verb, "isready") == 0)
			printf("readyok\n");
		else if (strcmp(verb, "legal") == 0 && first != NULL)
			snprintf(move, sizeof(move), "%s", first);
		else if (strcmp(verb, "go") == 0 && first != NULL)
			answer(probe, move, first);
		else if (strcmp(verb, "quit") == 0)
			break;
		fflush(stdout);
	}
	free(line);
}

static bool
read_arguments(struct probe *probe, int argc, char **argv)
{
	static const char *const modes[] = { "bot", "tx", "rx", "idle" };
	bool known = false;

	if (argc < 2)
		return false;
	probe->mode = argv[1];
	for (size_t i = 0; i < COUNTOF(modes); i++)
		known |= is_mode(probe, modes[i]);
	probe->targets.arena = getppid();
	for (int i = 2; i < argc; i++) {
		if (read_word(probe, argv[i]))
			continue;
		if (strchr(argv[i], '=') != NULL || probe->file != NULL)
			return false;
		probe->file = argv[i];
	}
	return known;
}

int
main(int argc, char **argv)
{
	static struct probe probe;

	if (!read_arguments(&probe, argc, argv)) {
		fprintf(stderr,
		    "usage: probe bot|tx|rx|idle [arena=PID] "
		    "[sibling=PID] [outside=DIR]\n"
		    "       [shared=FILE] [key=N] [number=N] [FILE]\n");
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	if (is_mode(&probe, "tx"))
		collusion_send(&probe.targets, probe.number);
	play(&probe);
	if (is_mode(&probe, "tx"))
		collusion_end(&probe.targets);
	/* No sandbox allows what sanitizers do at an exit. */
	_exit(0);
}
