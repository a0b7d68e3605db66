/*
 * The spec of a run: which settings it contains, that a worker plays by it what
 * the organiser would play, and which files of bots are sent with it.
 */
#include "run_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "folder.h"
#include "output.h"
#include "result_check.h"
#include "test.h"

static struct tournament_settings settings;
static struct tournament_setup setup;
static struct run_spec spec;
static struct run_spec_opened opened;
static struct run_spec_machine machine;
static int fetched; /* number of bundles that the worker has requested */
static const char *messages; /* output on stderr */

/*
 * A bot that reads its name from `name.txt`; it answers `isready` and plays
 * nothing.
 */
static const char script[] = "#!/bin/sh\n"
			     "read -r usp || exit 1\n"
			     "name=$(cat lib/name.txt) || exit 3\n"
			     "printf 'id name=%s\\nuspok 1\\n' \"$name\"\n"
			     "while read -r line; do\n"
			     "	[ \"$line\" != isready ] || echo readyok\n"
			     "	[ \"$line\" != quit ] || exit 0\n"
			     "done\n";

static int
fetch(void *context, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct bundle *bundle, struct store_error *error)
{
	(void)context;
	fetched++;
	for (int i = 0; i < spec.bundle_count; i++) {
		char *bytes;

		if (memcmp(spec.bundles[i].digest, digest,
			BUNDLE_DIGEST_SIZE) != 0)
			continue;
		bytes = malloc(spec.bundles[i].size);
		assert_non_null(bytes);
		memcpy(bytes, spec.bundles[i].bytes, spec.bundles[i].size);
		return bundle_parse(
		    bundle, bytes, spec.bundles[i].size, digest, error);
	}
	return store_fail(error, -ENOENT, "", "it is not there");
}

static int
begin(void **state)
{
	static const char *const folders[] = { "bots", "bots/lib", "elsewhere",
		"cache" };

	test_folder_enter(state);
	for (int i = 0; i < COUNTOF(folders); i++)
		assert_int_equal(mkdir(folders[i], 0755), 0);
	folder_write("bots/bot.sh", script);
	assert_int_equal(chmod("bots/bot.sh", 0755), 0);
	folder_write("bots/lib/name.txt", "Anna\n");
	machine = (struct run_spec_machine){
		.cache = test_path("cache"),
		.cores = 3,
		.sandbox = SANDBOX_OFF,
		.quiet = true,
		.fetch = fetch,
	};
	fetched = 0;
	return 0;
}

static void
reset(void)
{
	if (opened.folders != NULL)
		run_spec_close(&opened);
	run_spec_release(&spec);
	if (setup.settings != NULL) {
		tournament_setup_close(&setup);
		tournament_settings_close(&settings);
	}
}

static int
end(void **state)
{
	char command[FOLDER_SIZE + 32];

	reset();
	/* Unpacked files are read-only. */
	snprintf(command, sizeof(command), "chmod -R u+w '%s'", test_folder);
	assert_int_equal(system(command), 0);
	return test_folder_leave(state);
}

TEST_EACH(begin, end)

/* Reads the configuration of a tournament, or of a gate if it is one. */
static void
open_setup(const char *config)
{
	bool gate = strncmp(config, "[gate]", 6) == 0;
	struct option_error error;

	reset();
	folder_write(test_path("run.ini"), config);
	if (!tournament_settings_open(
		&settings, gate, test_path("run.ini"), &error))
		fail_msg("%s\n%s", error.what, config);
	assert_int_equal(
	    tournament_setup_open(&setup, &settings, gate, ENTRANT_TO_PLAY),
	    STATUS_DONE);
}

static void
write_spec(const char *config)
{
	open_setup(config);
	assert_int_equal(run_spec_check(&setup), STATUS_DONE);
	if (run_spec_write(&spec, &setup) != STATUS_DONE)
		fail_msg("%s", config);
}

/* Opens the spec as a worker. */
static void
open_spec(void)
{
	if (run_spec_open(&opened, spec.text, &machine) != STATUS_DONE)
		fail_msg("%s", spec.text);
}

static void
round_trip(const char *config)
{
	write_spec(config);
	open_spec();
}

/*
 * Fails unless a worker opens the run, starts its first bot by this command,
 * and gets these files.
 */
static void
assert_sent(const char *config, const char *command, const char *files)
{
	char listed[1024] = "";
	char **paths;

	round_trip(config);
	assert_string_equal(opened.bots.entrants[0].command, command);
	assert_int_equal(spec.bundle_count, files != NULL);
	if (files == NULL)
		return;
	paths = bundle_files(&spec.bundles[0]);
	assert_non_null(paths);
	for (int i = 0; paths[i] != NULL; i++) {
		strcat(listed, i > 0 ? " " : "");
		strcat(listed, paths[i]);
	}
	free(paths);
	assert_string_equal(listed, files);
}

static void
assert_refused(const char *config, const char *why)
{
	enum status status;

	open_setup(config);
	output_stderr_begin();
	status = run_spec_check(&setup);
	if (status == STATUS_DONE)
		status = run_spec_write(&spec, &setup);
	messages = output_stderr_end();
	assert_int_equal(status, STATUS_USAGE);
	expect_parts(messages, why);
}

static void
assert_not_opened(const char *text, enum status status, const char *why)
{
	output_stderr_begin();
	assert_int_equal(run_spec_open(&opened, text, &machine), (int)status);
	messages = output_stderr_end();
	assert_null(opened.folders);
	expect_parts(messages, why);
}

#define PART(field)                                                \
	{                                                          \
		offsetof(struct dispatcher_config, field),         \
		    sizeof(((struct dispatcher_config *)0)->field) \
	}

/* The members of a configuration that decide how games are played. */
static const struct {
	size_t offset, size;
} parts[] = {
	PART(rules.rules),
	PART(rules.preset),
	PART(rules.settings.control),
	PART(rules.settings.margin_ns),
	PART(rules.settings.startup_ns),
	PART(rules.settings.hang_ns),
	PART(rules.settings.policy),
	PART(rules.settings.strikes_max),
	PART(rules.settings.analysis),
	PART(rules.committed),
	PART(rules.unrecorded),
	PART(rules.deals),
	PART(rules.max_deals),
	PART(rules.grace_ns),
	PART(rules.memory_max_bytes),
	PART(rules.no_ponder),
	PART(rules.ponder),
	PART(rules.answer_grid_ns),
	PART(entrant_count),
};

static void
assert_words(const char *const *one, const char *const *other)
{
	assert_int_equal(one == NULL, other == NULL);
	for (int i = 0; one != NULL; i++) {
		assert_int_equal(one[i] == NULL, other[i] == NULL);
		if (one[i] == NULL)
			return;
		assert_string_equal(one[i], other[i]);
	}
}

/* Compares what the worker plays with what the organiser would play. */
static void
assert_same(const char *config)
{
	const struct dispatcher_config *one = &setup.play,
				       *other = &opened.play;

	round_trip(config);
	for (int i = 0; i < COUNTOF(parts); i++)
		if (memcmp((const char *)one + parts[i].offset,
			(const char *)other + parts[i].offset,
			parts[i].size) != 0)
			fail_msg("part %d:\n%s%s", i, config, spec.text);
	assert_string_equal(
	    one->rules.settings.arena, other->rules.settings.arena);
	for (int i = 0; i < one->entrant_count; i++) {
		const struct entrant *a = &one->entrants[i],
				     *b = &other->entrants[i];

		assert_string_equal(a->name, b->name);
		assert_words(a->options, b->options);
		assert_words(a->environment, b->environment);
		assert_int_equal(a->allows_futexes, b->allows_futexes);
	}
}

#define BOTS "[bot A]\ncmd = @greedy\n[bot B]\ncmd = @random\n"

TEST(test_worker_plays_by_the_rules_of_the_organiser)
{
	assert_same("[tournament]\n" BOTS);
	assert_same("[tournament]\nrules = scopone\nteams = ABAB\n" BOTS);
	assert_same(
	    "[tournament]\nrules = scopa,priority=fewest\nseats = 3\n"
	    "target = 16\nmax-deals = 40\n" BOTS "[bot C]\ncmd = @first\n");
	assert_same("[tournament]\ntc = match:10+0.1\ntimemargin = 20\n"
		    "startup-ms = 300\nhang-ms = 100\nno-ponder = yes\n"
		    "answer-grid = 5\nmemory = 1G\ndeals = 4\n" BOTS);
	assert_same("[tournament]\ntc = none\nponder = yes\nmemory = none\n"
		    "illegal = substitute\nstrikes = 2\nanalysis = yes\n" BOTS);
	assert_same("[tournament]\nillegal = disqualify\n[each]\ntc = move:1\n"
		    "option.Depth = 3\nenv.HOME = \"/ a \\\"b\\\"\"\n"
		    "allow = shared-futex\n" BOTS);
}

TEST(test_worker_of_a_gate_plays_its_deals)
{
	assert_same("[gate]\n" BOTS);
	assert_int_equal(opened.play.rules.deals, 1);
	assert_same("[gate]\ntarget = 11\nrounds = 5\n[bot A]\ncmd = @greedy\n"
		    "[base B]\ncmd = @first\noption.X = 1\n");
	assert_int_equal(opened.play.rules.deals, 0);
	assert_string_equal(opened.bots.entrants[1].name, "B");
	assert_string_equal(opened.bots.entrants[1].command, "@first");
}

TEST(test_settings_of_the_organiser_alone_are_not_sent)
{
	output_stderr_begin();
	write_spec("[gate]\nname = cup\nseed = 00c0ffee\n"
		   "contribution = anna=ff\nconcurrency = 7\npin = 0\n"
		   "thinkers = 2\nrun-as = 700000\nlevel = 0.9\n"
		   "[log]\nfile = /tmp/l.txt\n[sprt]\nmax = 60\n" BOTS);
	messages = output_stderr_end();
	expect_none(spec.text, "00c0ffee", "anna", "seed", "contribution",
	    "cup", "rounds", "sprt", "level", "log", "concurrency", "pin = 0",
	    "thinkers = 2", "run-as", "/tmp", "events");
	expect_parts(messages, "--pin", "--thinkers", "--run-as");
	open_spec();
	assert_int_equal(opened.play.concurrency, 3);
	assert_int_equal(opened.play.pin, DISPATCHER_PIN_AUTO);
	assert_int_equal(opened.play.cpu_slots, DISPATCHER_CPU_SLOTS_AUTO);
	assert_memory_not_equal(&opened.play.rules.root_key,
	    &setup.play.rules.root_key, sizeof(struct shuffle_key));
	write_spec("[tournament]\nthinkers = all\n" BOTS);
	open_spec();
	assert_int_equal(opened.play.cpu_slots, DISPATCHER_CPU_SLOTS_ALL);
}

TEST(test_time_control_is_scaled_if_the_run_asks_for_it)
{
	const struct budget_control *control =
	    &opened.play.rules.settings.control;

	machine.speed = 2;
	round_trip("[tournament]\ntc = match:10+0.5\n" BOTS);
	assert_int_equal(control->base_ms, 10000);
	round_trip("[tournament]\nclock = scaled\ntc = match:10+0.5\n" BOTS);
	assert_int_equal(control->base_ms, 5000);
	assert_int_equal(control->increment_ms, 250);
	machine.speed = RESULT_SCALE_MAX;
	round_trip("[tournament]\nclock = scaled\ntc = move:0.003\n" BOTS);
	assert_int_equal(control->base_ms, 1);
	assert_int_equal(control->increment_ms, 0);
	machine.speed = 1000;
	round_trip("[tournament]\nclock = scaled\ntc = none\n" BOTS);
	assert_int_equal(control->kind, BUDGET_NONE);
}

/* The organiser would put such a worker into quarantine. */
TEST(test_speed_out_of_range_is_refused_if_time_is_scaled)
{
	static const double speeds[] = { 16.001, 0.0624 };

	for (int i = 0; i < COUNTOF(speeds); i++) {
		machine.speed = speeds[i];
		round_trip("[tournament]\ntc = move:1\n" BOTS);
		write_spec("[tournament]\nclock = scaled\ntc = move:1\n" BOTS);
		assert_not_opened(
		    spec.text, STATUS_USAGE, "for speeds from 1/16 to 16");
	}
}

TEST(test_commitment_is_sent)
{
	open_setup("[tournament]\n" BOTS);
	setup.play.rules.committed = true;
	memset(&setup.play.rules.commitment, 0xAB, SHUFFLE_KEY_SIZE);
	assert_int_equal(run_spec_write(&spec, &setup), STATUS_DONE);
	open_spec();
	assert_true(opened.play.rules.committed);
	assert_memory_equal(&opened.play.rules.commitment,
	    &setup.play.rules.commitment, SHUFFLE_KEY_SIZE);
}

#define WITH(bot) "[tournament]\n[bot]\n" bot "[bot]\ncmd = @random\n"
/* A bot with its folder, and the same bot with all files that it needs. */
#define IN_BOTS WITH("cmd = ./bot.sh\ndir = bots\n")
#define WITH_LIB WITH("cmd = ./bot.sh\ndir = bots\nbundle = lib\n")

TEST(test_files_named_by_the_command_are_sent)
{
	assert_int_equal(chdir(test_path("bots")), 0);
	assert_sent(WITH("cmd = ./bot.sh\n"), "./bot.sh", "bot.sh");
	assert_sent(WITH("cmd = sh ./bot.sh lib/name.txt -v 'a b' 'it''s'\n"),
	    "sh ./bot.sh lib/name.txt -v 'a b' its", "bot.sh lib/name.txt");
	assert_sent(WITH("cmd = sh bot.sh\nargs = lib\n"), "sh bot.sh lib",
	    "bot.sh lib/name.txt");
	assert_sent(
	    WITH("cmd = sh bot.sh .\n"), "sh bot.sh .", "bot.sh lib/name.txt");
	assert_sent(WITH("cmd = ./bot.sh\nbundle = lib:./bot.sh\n"), "./bot.sh",
	    "bot.sh lib/name.txt");
}

TEST(test_folder_of_a_bot_is_the_root_of_its_files)
{
	char config[1024];

	assert_sent(WITH_LIB, "./bot.sh", "bot.sh lib/name.txt");
	assert_sent(WITH("cmd = bots/bot.sh\n"), "bots/bot.sh", "bots/bot.sh");
	snprintf(config, sizeof(config),
	    WITH("cmd = %s/bots/bot.sh\ndir = bots\nbundle = %s/bots/lib\n"),
	    test_folder, test_folder);
	assert_sent(config, "./bot.sh", "bot.sh lib/name.txt");
}

TEST(test_files_outside_the_folder_get_their_common_root)
{
	char config[1024];

	assert_sent(WITH("cmd = ../bots/bot.sh\ndir = elsewhere\n"), "./bot.sh",
	    "bot.sh");
	snprintf(config, sizeof(config),
	    WITH("cmd = sh ../bots/bot.sh %s/bots/lib/name.txt /bin/sh\n"
		 "dir = elsewhere\n"),
	    test_folder);
	assert_sent(
	    config, "sh bot.sh lib/name.txt /bin/sh", "bot.sh lib/name.txt");
	assert_refused(
	    WITH("cmd = ../bots/bot.sh\ndir = elsewhere\nbundle = x\n"),
	    "is not below");
	assert_refused(
	    WITH("cmd = bots/bot.sh\nbundle = missing\n"), "No such file");
	assert_refused(
	    WITH("cmd = bots/bot.sh\nread = bots\n"), "read= names files");
	assert_int_equal(mkfifo("bots/pipe", 0600), 0);
	assert_refused(
	    WITH("cmd = ./bot.sh\ndir = bots\nbundle = .\n"), "a pipe");
}

TEST(test_files_of_a_memory_file_system_are_sent)
{
	char folder[] = "/dev/shm/scopa-test.XXXXXX", config[1024];
	const char *bot;

	if (mkdtemp(folder) == NULL)
		skip();
	bot = folder_path(folder, "bot.sh");
	folder_write(bot, "#!/bin/sh\n");
	assert_int_equal(mkdir(folder_path(folder, "own"), 0700), 0);
	snprintf(config, sizeof(config),
	    WITH("cmd = sh ../bot.sh\ndir = %s/own\n"), folder);
	assert_sent(config, "sh bot.sh", "bot.sh");
	folder_remove(folder);
}

TEST(test_programs_of_the_system_are_not_sent)
{
	assert_sent(
	    WITH("cmd = /bin/sh -c 'exit 1'\n"), "/bin/sh -c 'exit 1'", NULL);
	assert_string_equal(
	    strrchr(opened.bots.entrants[0].dir, '/'), "/empty");
}

/* The cache has the bundle, and a changed file in it is noticed. */
TEST(test_bots_run_in_the_unpacked_folder_if_it_is_unchanged)
{
	const struct entrant *bot;
	char path[PATH_MAX];

	for (int i = 0; i < 2; i++) {
		round_trip(WITH_LIB);
		bot = &opened.bots.entrants[0];
		snprintf(path, sizeof(path), "%s/bots/", test_path("cache"));
		assert_memory_equal(bot->dir, path, strlen(path));
		snprintf(path, sizeof(path), "%s/./bot.sh", bot->dir);
		assert_string_equal(bot->program.path, path);
		assert_int_equal(fingerprint_check(&bot->fingerprint), 0);
		assert_int_equal(fetched, 1);
	}
	/* A file that is not the program of the bot. */
	snprintf(path, sizeof(path), "%s/lib/name.txt", bot->dir);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(fingerprint_check(&bot->fingerprint), 0);
	folder_write(path, "Eva\n");
	assert_int_equal(fingerprint_check(&bot->fingerprint), -ESTALE);
	run_spec_close(&opened);
	open_spec();
	assert_int_equal(fetched, 2);
}

TEST(test_worker_refuses_a_run_that_it_cannot_play)
{
	write_spec("[tournament]\nsandbox = off\n" BOTS);
	machine.sandbox = SANDBOX_AUTO;
	assert_not_opened(spec.text, STATUS_USAGE, "without a sandbox");
	machine.sandbox = SANDBOX_OFF;
	assert_not_opened("scopa-run-spec 2\n", STATUS_USAGE, "this version");
	assert_not_opened("", STATUS_USAGE, "this version");
	assert_not_opened(
	    "scopa-run-spec 1\nfuture 1\n", STATUS_USAGE, "this version");
	assert_not_opened("scopa-run-spec 1\nbundle 0 ff\nconfiguration\n",
	    STATUS_USAGE, "this version");
	assert_not_opened("scopa-run-spec 1\nconfiguration\n[run]\nx = 1\n",
	    STATUS_USAGE, "the description of the run: spec:2: ");
	write_spec(WITH("cmd = bots/bot.sh\n"));
	spec.bundles[0].bytes[spec.bundles[0].size - 1] ^= 1;
	assert_not_opened(spec.text, STATUS_ENVIRONMENT, "changed on its way");
	spec.bundle_count = 0;
	assert_not_opened(spec.text, STATUS_ENVIRONMENT, "it is not there");
	spec.bundle_count = 1;
	machine.cache = test_path("nowhere");
	assert_not_opened(spec.text, STATUS_ENVIRONMENT, "No such file");
}

TEST(test_spec_that_names_other_files_of_the_worker_is_refused)
{
	/* Lines of the section of the first bot. */
	static const char *const bots[] = {
		"cmd = cat /srv/anna/key",
		"cmd = cat /etc/shadow",
		"cmd = cat /proc/1/environ",
		"cmd = cat ../../key",
		"cmd = cat a/..",
		"cmd = cat a:/srv/anna",
		"cmd = cat /usr/../srv",
		"cmd = cat\nenv.PATH = /srv/anna",
		"cmd = cat\nread = /srv/anna",
		"cmd = @greedy\n[packs]\nfile = /srv/anna",
		"cmd = @greedy\n[each]\nread = /srv/anna",
	};
	char text[1024];

	for (int i = 0; i < COUNTOF(bots); i++) {
		snprintf(text, sizeof(text),
		    "scopa-run-spec 1\nconfiguration\n[run]\n[bot]\n%s\n"
		    "[bot]\ncmd = @first\n",
		    bots[i]);
		assert_not_opened(text, STATUS_USAGE, "names files");
	}
	assert_int_equal(run_spec_open(&opened,
			     "scopa-run-spec 1\nconfiguration\n[run]\n[bot]\n"
			     "cmd = cat /dev/null /usr/share a:b ..a a..\n"
			     "env.PATH = /usr/bin:bin\n[bot]\ncmd = @first\n",
			     &machine),
	    STATUS_DONE);
}

/* Fails unless the bot does not start with the files that are sent. */
static void
assert_needs_files(void)
{
	output_stderr_begin();
	assert_int_equal(run_spec_try(&spec, &setup), STATUS_BOT);
	expect_parts(output_stderr_end(), "its folder: dir=FOLDER bundle=.");
}

TEST(test_bots_are_tried_with_the_files_that_are_sent)
{
	write_spec(WITH_LIB);
	assert_int_equal(run_spec_try(&spec, &setup), STATUS_DONE);
	write_spec(IN_BOTS);
	assert_needs_files();
	write_spec(WITH("cmd = sh -c '. ./bot.sh'\ndir = bots\n"));
	assert_int_equal(spec.bundle_count, 0);
	assert_needs_files();
	write_spec("[tournament]\n" BOTS);
	assert_int_equal(run_spec_try(&spec, &setup), STATUS_DONE);
}
