/*
 * Compares a disturbed run with the undisturbed one of the same seed. The
 * results of the blocks and the records must be the same, except for times, ids
 * and infrastructure failures. Each record of the disturbed run must pass the
 * verifier, and a rebuild from its records must give the same results.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rebuild.h"
#include "record_verify.h"
#include "sim.h"
#include "sim_real.h"

enum { BLOCKS_MAX = 64 };

/* The content of a run that is compared. */
struct run_content {
	struct block_result blocks[BLOCKS_MAX];
	int block_count;
	char *records; /* lines; owned */
	size_t size;
};

static int
read_block(void *context, const struct block_result *block)
{
	struct run_content *run_content = context;
	struct block_result *kept =
	    &run_content->blocks[run_content->block_count++];

	SIM_MUST(run_content->block_count <= BLOCKS_MAX);
	SIM_MUST(block->plan.index == run_content->block_count - 1);
	*kept = *block;
	memset(&kept->place, 0, sizeof(kept->place));
	for (int i = 0; i < BLOCK_GAMES_MAX; i++) {
		struct summary *game = &kept->games[i];

		memset(game->think_us, 0, sizeof(game->think_us));
		memset(
		    game->think_longest_us, 0, sizeof(game->think_longest_us));
		memset(game->off_turn_ns, 0, sizeof(game->off_turn_ns));
		memset(game->voided, 0, sizeof(game->voided));
		game->voided_count = 0;
		game->void_turns = 0;
		game->lag_longest_ns = 0;
	}
	return 0;
}

/* Copies a line without the fields that depend on times, ids or the machine. */
static void
read_line(FILE *file, const char *bytes, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t word = 1;

		while (at + word < length && bytes[at + word] != ' ')
			word++;
		if (strncmp(bytes + at, " t=", 3) != 0 &&
		    strncmp(bytes + at, " said=", 6) != 0 &&
		    strncmp(bytes + at, " voided=", 8) != 0)
			fwrite(bytes + at, 1, word, file);
		at += word;
	}
	fputc('\n', file);
}

/* Copies the records of a run. With `check`, each record must pass the
 * verifier, too. */
static void
read_records(struct run_content *run_content, const char *path, bool check)
{
	static struct record_reader reader;
	struct record_checker *checker;
	struct record_verdict verdict;
	struct game_record record;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	FILE *file = open_memstream(&run_content->records, &run_content->size);

	SIM_MUST(fd >= 0 && file != NULL);
	SIM_MUST(record_checker_open(&checker) == 0);
	record_reader_init(&reader, fd);
	game_record_init(&record);
	while (record_read(&reader, &record) == 1) {
		SIM_MUST(record.summed);
		SIM_MUST(!check ||
		    record_check(checker, &record, NULL, &verdict) == 0);
		if (check && !verdict.good)
			sim_bad("line %lld of the records: %s",
			    (long long)verdict.fault.line, verdict.fault.text);
		for (size_t i = 0; i + 1 < record.line_count; i++) {
			const char *line = record.bytes + record.lines[i].begin;

			if (!record_line_is(
				line, record.lines[i].length, "void"))
				read_line(file, line, record.lines[i].length);
		}
	}
	record_checker_close(checker);
	game_record_release(&record);
	fclose(file);
	close(fd);
}

static void
read_run(struct run_content *run_content, const char *path, bool check)
{
	struct store_error error;
	char records[PATH_MAX];
	static struct run run;

	if (run_open(&run, path, false, &error) != 0)
		sim_bad("%s", error.what);
	if (store_walk_from(run.store, 0, read_block, run_content, &error) != 0)
		sim_bad("%s", error.what);
	run_path_join(records, run.path, RUN_RECORDS);
	run_close(&run);
	read_records(run_content, records, check);
}

/*
 * A line without an end may or may not reach into the handshake of the next
 * game; this depends on timing. The end of that game and a suspension that
 * follows from it can differ between two runs.
 */
static bool
depends_on_timing(const struct run_content *run_content)
{
	return strstr(run_content->records, " kind=startup reason=HS_BAD ") !=
	    NULL;
}

static void
compare_records(const struct run_content *one, const struct run_content *other)
{
	const char *a = one->records, *b = other->records;
	int line = 1;

	while (*a != '\0' && strcspn(a, "\n") == strcspn(b, "\n") &&
	    memcmp(a, b, strcspn(a, "\n")) == 0) {
		a += strcspn(a, "\n") + 1;
		b += strcspn(b, "\n") + (*b != '\0');
		line++;
	}
	if (*a == '\0' && *b == '\0')
		return;
	sim_bad("line %d of the records is\n#   %.*s\n# and must be\n#   %.*s",
	    line, (int)strcspn(b, "\n"), b, (int)strcspn(a, "\n"), a);
}

static void
compare_content(const struct run_content *was, const struct run_content *is)
{
	compare_records(was, is);
	if (was->block_count != is->block_count)
		sim_bad("%d blocks were to be %d", is->block_count,
		    was->block_count);
	for (int i = 0; i < is->block_count; i++)
		if (memcmp(&was->blocks[i], &is->blocks[i],
			sizeof(is->blocks[i])) != 0)
			sim_bad("block %d has another result", i + 1);
}

/* The stored results must be those that a rebuild computes from the records. */
static void
check_rebuilt(const struct sim_plan *plan, const char *path)
{
	const struct rebuild_order order = {
		.path = path,
		.tournament = &plan->config,
	};
	struct rebuild_report report;
	struct store_error error;

	if (rebuild(&order, &report, &error) != 0)
		sim_bad("the run cannot be rebuilt: %s", error.what);
	if (report.outcome != REBUILD_IDENTICAL || report.lost || report.gained)
		sim_bad("the rebuilt run differs: %s", report.difference);
}

_Noreturn void
sim_compare(
    const struct sim_plan *plan, const char *reference, const char *path)
{
	static struct run_content was, is;

	sim_machine.on = false;
	read_run(&was, reference, false);
	read_run(&is, path, true);
	if (!depends_on_timing(&was) && !depends_on_timing(&is))
		compare_content(&was, &is);
	check_rebuilt(plan, path);
	fflush(stdout);
	__real__exit(SIM_DONE);
}
