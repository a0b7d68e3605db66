#include "dispatcher_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "support.h"
#include "test.h"

static struct dispatcher_fixture *opened;

static enum dispatcher_supply
next_game(struct dispatcher *dispatcher, void *context, struct game_spec *game)
{
	struct dispatcher_fixture *fixture = context;
	enum dispatcher_supply supply = DISPATCHER_GAME;

	if (fixture->before_next)
		supply = fixture->before_next(fixture, dispatcher);
	if (supply != DISPATCHER_GAME)
		return supply;
	if (fixture->next_game == fixture->game_count)
		return DISPATCHER_NO_MORE;
	*game = fixture->games[fixture->next_game++];
	return DISPATCHER_GAME;
}

static void
on_result(struct dispatcher *dispatcher, void *context,
    const struct game_result *result, const char *block, size_t size)
{
	struct dispatcher_fixture *fixture = context;
	struct dispatcher_fixture_result *stored =
	    &fixture->results[fixture->result_count++];

	stored->result = *result;
	stored->block = calloc(1, size + 1);
	assert_non_null(stored->block);
	memcpy(stored->block, block, size);
	if (fixture->after_result)
		fixture->after_result(fixture, dispatcher);
}

struct dispatcher_fixture *
dispatcher_fixture_open(const char *spec)
{
	struct dispatcher_fixture *fixture = calloc(1, sizeof(*fixture));
	struct scopa_text why;
	char preset[64], bytes[128];

	assert_non_null(fixture);
	snprintf(preset, sizeof(preset), "%.*s", (int)strcspn(spec, ","), spec);
	fixture->config = (struct dispatcher_config){
		.rules = { .rules = support_rules(spec),
		    .preset = scopa_preset_find(preset),
		    .settings = { .arena = "arena/1",
			.startup_ns = 60 * CLOCK_NS_PER_S,
			.hang_ns = 60 * CLOCK_NS_PER_S,
			.strikes_max = 3,
			.policy = POLICY_FORFEIT },
		    .deals = 1,
		    .grace_ns = 60 * CLOCK_NS_PER_S },
		.entrants = fixture->entrants,
		.concurrency = 1,
		.pin = DISPATCHER_PIN_NONE,
	};
	fixture->calls = (struct dispatcher_calls){ .next = next_game,
		.on_result = on_result };
	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(budget_control_parse(
	    &fixture->config.rules.settings.control, "move:60", &why));
	folder_make(fixture->folder);
	opened = fixture;
	return fixture;
}

static void
forget_results(struct dispatcher_fixture *fixture)
{
	for (int i = 0; i < fixture->result_count; i++)
		free(fixture->results[i].block);
	fixture->result_count = fixture->next_game = 0;
}

void
dispatcher_fixture_close(struct dispatcher_fixture *fixture)
{
	folder_remove(fixture->folder);
	forget_results(fixture);
	free(fixture);
	opened = NULL;
}

int
dispatcher_fixture_teardown(void **state)
{
	(void)state;
	if (opened != NULL)
		dispatcher_fixture_close(opened);
	return 0;
}

static struct entrant *
add_entrant(struct dispatcher_fixture *fixture, int *number)
{
	*number = fixture->config.entrant_count++;
	assert_in_range(*number, 0, DISPATCHER_ENTRANTS_MAX - 1);
	return &fixture->entrants[*number];
}

int
dispatcher_fixture_bot(struct dispatcher_fixture *fixture, const char *builtin)
{
	const char *words[] = { "bot", builtin, NULL };
	int number;
	struct entrant *entrant = add_entrant(fixture, &number);

	assert_int_equal(
	    program_self(&entrant->program, "circuit", words), PROGRAM_GOOD);
	return number;
}

int
dispatcher_fixture_script(
    struct dispatcher_fixture *fixture, const char *script)
{
	int number;
	struct entrant *entrant = add_entrant(fixture, &number);
	struct program *program = &entrant->program;
	struct scopa_text text;
	char self[PROGRAM_PATH_SIZE] = { 0 };
	const char *words[] = { "sh", "-c", script, self, fixture->folder };

	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	strcpy(program->path, "/bin/sh");
	scopa_text_init(&text, program->words, sizeof(program->words));
	for (size_t i = 0; i < COUNTOF(words); i++)
		scopa_text_bytes(&text, words[i], strlen(words[i]) + 1);
	assert_false(text.cut);
	program->word_count = (int)(COUNTOF(words));
	return number;
}

int
dispatcher_fixture_counted_bot(struct dispatcher_fixture *fixture)
{
	return dispatcher_fixture_script(
	    fixture, "echo $$ >>\"$1\"/starts; exec \"$0\" bot first");
}

/* Counts the lines of the file, or only those of living processes. */
static int
count_starts(const struct dispatcher_fixture *fixture, bool living)
{
	FILE *file = fopen(folder_path(fixture->folder, "starts"), "re");
	int count = 0, pid;

	if (file == NULL)
		return 0;
	while (fscanf(file, "%d", &pid) == 1)
		count += !living || kill(pid, 0) == 0;
	fclose(file);
	return count;
}

int
dispatcher_fixture_starts(const struct dispatcher_fixture *fixture)
{
	return count_starts(fixture, false);
}

int
dispatcher_fixture_living(const struct dispatcher_fixture *fixture)
{
	return count_starts(fixture, true);
}

void
dispatcher_fixture_game(
    struct dispatcher_fixture *fixture, const int entrants[SCOPA_SEATS_MAX])
{
	struct game_spec *game = &fixture->games[fixture->game_count];
	int seats = fixture->config.rules.rules.players;

	assert_in_range(
	    fixture->game_count, 0, DISPATCHER_FIXTURE_GAMES_MAX - 1);
	memset(game, 0, sizeof(*game));
	game->index = fixture->game_count++;
	game->round = game->index;
	game->dealer = game->index % seats;
	memcpy(game->entrant, entrants, sizeof(int) * (size_t)seats);
	snprintf(game->event, sizeof(game->event), "round-%d", game->index + 1);
}

void
dispatcher_fixture_pair(
    struct dispatcher_fixture *fixture, int first, int second)
{
	dispatcher_fixture_game(
	    fixture, (int[SCOPA_SEATS_MAX]){ first, second });
}

void
dispatcher_fixture_round_robin(struct dispatcher_fixture *fixture, int rounds)
{
	int count = fixture->config.entrant_count;

	for (int round = 0; round < rounds; round++)
		for (int a = 0; a < count; a++)
			for (int b = 0; b < count; b++)
				if (a != b)
					dispatcher_fixture_pair(fixture, a, b);
}

struct dispatcher_outcome
dispatcher_fixture_play(struct dispatcher_fixture *fixture)
{
	int descriptors = child_descriptors();
	struct dispatcher_outcome outcome;

	forget_results(fixture);
	outcome = dispatcher_run(&fixture->config, &fixture->calls, fixture);
	assert_true(child_none());
	assert_int_equal(child_descriptors(), descriptors);
	assert_int_equal(dispatcher_fixture_living(fixture), 0);
	return outcome;
}

void
dispatcher_fixture_play_all(struct dispatcher_fixture *fixture)
{
	struct dispatcher_outcome outcome = dispatcher_fixture_play(fixture);

	assert_int_equal(outcome.end, DISPATCHER_DONE);
	assert_int_equal(fixture->result_count, fixture->game_count);
	for (int i = 0; i < fixture->result_count; i++) {
		assert_int_equal(fixture->results[i].result.summary.game,
		    fixture->games[i].index);
		assert_memory_equal(fixture->results[i].result.entrant,
		    fixture->games[i].entrant,
		    sizeof(fixture->games[i].entrant));
	}
}

/* Copies a line without the words that contain times. */
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
dispatcher_fixture_records(const struct dispatcher_fixture *fixture)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	for (int i = 0; i < fixture->result_count; i++) {
		const char *line = fixture->results[i].block;

		for (; *line; line += strcspn(line, "\n") + 1)
			if (strncmp(line, "sum ", 4) != 0 &&
			    strncmp(line, "void ", 5) != 0)
				copy_timeless(line, strcspn(line, "\n"), file);
	}
	fclose(file);
	return text;
}
