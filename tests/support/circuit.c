#include "circuit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "players.h"
#include "support.h"
#include "test.h"

bool
circuit_is_role(int argc, char **argv)
{
	return child_is(argc, argv) ||
	    (argc > 2 && strcmp(argv[1], "bot") == 0);
}

int
circuit_role(int argc, char **argv)
{
	return child_is(argc, argv) ? child_run(argc, argv)
				    : builtin_run(argv[2]);
}

struct circuit *
circuit_open(const char *spec)
{
	struct circuit *circuit = calloc(1, sizeof(*circuit));
	struct scopa_text why;
	const char *place = getenv("TMPDIR");
	char preset[64], bytes[128];

	assert_non_null(circuit);
	snprintf(preset, sizeof(preset), "%.*s", (int)strcspn(spec, ","), spec);
	circuit->config = (struct series_config){
		.rules = { .rules = support_rules(spec),
		    .preset = scopa_preset_find(preset),
		    .settings = { .arena = "arena/1",
			.startup_ns = 60 * CLOCK_NS_PER_S,
			.hang_ns = 60 * CLOCK_NS_PER_S,
			.strikes_max = 3,
			.policy = POLICY_FORFEIT },
		    .deals = 1,
		    .grace_ns = 60 * CLOCK_NS_PER_S },
		.entrants = circuit->entrants,
		.concurrency = 1,
		.record = true,
		.pin = SERIES_PIN_NONE,
	};
	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(budget_control_parse(
	    &circuit->config.rules.settings.control, "move:60", &why));
	snprintf(circuit->folder, sizeof(circuit->folder), "%s/circuit-XXXXXX",
	    place ? place : "/tmp");
	assert_non_null(mkdtemp(circuit->folder));
	return circuit;
}

static void
forget_told(struct circuit *circuit)
{
	for (int i = 0; i < circuit->told_count; i++)
		free(circuit->told[i].block);
	circuit->told_count = circuit->next_game = 0;
}

static void
path_of_starts(const struct circuit *circuit, char *path, size_t size)
{
	snprintf(path, size, "%s/starts", circuit->folder);
}

void
circuit_close(struct circuit *circuit)
{
	char path[512];

	path_of_starts(circuit, path, sizeof(path));
	unlink(path);
	assert_int_equal(rmdir(circuit->folder), 0);
	forget_told(circuit);
	free(circuit);
}

static struct entrant *
add_entrant(struct circuit *circuit, int *number)
{
	*number = circuit->config.entrant_count++;
	assert_in_range(*number, 0, SERIES_ENTRANTS_MAX - 1);
	return &circuit->entrants[*number];
}

int
circuit_bot(struct circuit *circuit, const char *builtin)
{
	const char *words[] = { "bot", builtin, NULL };
	int number;
	struct entrant *entrant = add_entrant(circuit, &number);

	assert_int_equal(
	    program_self(&entrant->program, "circuit", words), PROGRAM_GOOD);
	return number;
}

int
circuit_script(struct circuit *circuit, const char *script)
{
	int number;
	struct entrant *entrant = add_entrant(circuit, &number);
	struct program *program = &entrant->program;
	struct scopa_text text;
	char self[PROGRAM_PATH_SIZE] = { 0 };
	const char *words[] = { "sh", "-c", script, self, circuit->folder };

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	strcpy(program->path, "/bin/sh");
	scopa_text_init(&text, program->words, sizeof(program->words));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		scopa_text_bytes(&text, words[i], strlen(words[i]) + 1);
	assert_false(text.cut);
	program->word_count = (int)(sizeof(words) / sizeof(words[0]));
	return number;
}

int
circuit_counted_bot(struct circuit *circuit)
{
	return circuit_script(
	    circuit, "echo $$ >>\"$1\"/starts; exec \"$0\" bot first");
}

/* Counts the lines of the file, or those of processes that live. */
static int
count_starts(const struct circuit *circuit, bool living)
{
	char path[512];
	FILE *file;
	int count = 0, pid;

	path_of_starts(circuit, path, sizeof(path));
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	while (fscanf(file, "%d", &pid) == 1)
		count += !living || kill(pid, 0) == 0;
	fclose(file);
	return count;
}

int
circuit_starts(const struct circuit *circuit)
{
	return count_starts(circuit, false);
}

int
circuit_living(const struct circuit *circuit)
{
	return count_starts(circuit, true);
}

void
circuit_game(struct circuit *circuit, const int entrants[SCOPA_SEATS_MAX])
{
	struct series_game *game = &circuit->games[circuit->game_count];
	int seats = circuit->config.rules.rules.players;

	assert_in_range(circuit->game_count, 0, CIRCUIT_GAMES_MAX - 1);
	memset(game, 0, sizeof(*game));
	game->index = circuit->game_count++;
	game->round = game->index;
	game->dealer = game->index % seats;
	memcpy(game->entrant, entrants, sizeof(int) * (size_t)seats);
	snprintf(game->event, sizeof(game->event), "round-%d", game->index + 1);
}

void
circuit_pair(struct circuit *circuit, int first, int second)
{
	circuit_game(circuit, (int[SCOPA_SEATS_MAX]){ first, second });
}

void
circuit_round_robin(struct circuit *circuit, int rounds)
{
	int count = circuit->config.entrant_count;

	for (int round = 0; round < rounds; round++)
		for (int a = 0; a < count; a++)
			for (int b = 0; b < count; b++)
				if (a != b)
					circuit_pair(circuit, a, b);
}

static enum series_supply
next_game(struct series *series, void *context, struct series_game *game)
{
	struct circuit *circuit = context;
	enum series_supply supply = SERIES_GAME;

	if (circuit->before_next)
		supply = circuit->before_next(circuit, series);
	if (supply != SERIES_GAME)
		return supply;
	if (circuit->next_game == circuit->game_count)
		return SERIES_NO_MORE;
	*game = circuit->games[circuit->next_game++];
	return SERIES_GAME;
}

static void
on_result(struct series *series, void *context,
    const struct series_result *result, const char *block, size_t size)
{
	struct circuit *circuit = context;
	struct circuit_told *told = &circuit->told[circuit->told_count++];

	told->result = *result;
	told->block = calloc(1, size + 1);
	assert_non_null(told->block);
	memcpy(told->block, block, size);
	if (circuit->after_result)
		circuit->after_result(circuit, series);
}

static void
on_tick(struct series *series, void *context)
{
	struct circuit *circuit = context;

	circuit->on_tick(circuit, series);
}

static void
on_signal(struct series *series, void *context, int signal, int count)
{
	struct circuit *circuit = context;

	circuit->on_signal(circuit, series, signal, count);
}

struct series_outcome
circuit_play(struct circuit *circuit)
{
	struct series_calls calls = {
		.next = next_game,
		.on_result = on_result,
		.on_tick = circuit->on_tick ? on_tick : NULL,
		.on_signal = circuit->on_signal ? on_signal : NULL,
	};
	int descriptors = child_descriptors();
	struct series_outcome outcome;

	forget_told(circuit);
	outcome = series_run(&circuit->config, &calls, circuit);
	assert_true(child_none());
	assert_int_equal(child_descriptors(), descriptors);
	assert_int_equal(circuit_living(circuit), 0);
	return outcome;
}

void
circuit_play_all(struct circuit *circuit)
{
	struct series_outcome outcome = circuit_play(circuit);

	assert_int_equal(outcome.end, SERIES_DONE);
	assert_int_equal(circuit->told_count, circuit->game_count);
	for (int i = 0; i < circuit->told_count; i++) {
		assert_int_equal(
		    circuit->told[i].result.game, circuit->games[i].index);
		assert_memory_equal(circuit->told[i].result.entrant,
		    circuit->games[i].entrant,
		    sizeof(circuit->games[i].entrant));
	}
}

/* Copies a line but for the words that tell the time. */
static void
copy_timeless(const char *line, size_t length, FILE *file)
{
	for (size_t at = 0; at < length;) {
		size_t word = 1;

		while (at + word < length && line[at + word] != ' ')
			word++;
		if (strncmp(line + at, " t=", 3) != 0 &&
		    strncmp(line + at, " utc=", 5) != 0)
			fwrite(line + at, 1, word, file);
		at += word;
	}
	fputc('\n', file);
}

char *
circuit_records(const struct circuit *circuit)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	for (int i = 0; i < circuit->told_count; i++) {
		const char *line = circuit->told[i].block;

		for (; *line; line += strcspn(line, "\n") + 1)
			if (strncmp(line, "sum ", 4) != 0)
				copy_timeless(line, strcspn(line, "\n"), file);
	}
	fclose(file);
	return text;
}
