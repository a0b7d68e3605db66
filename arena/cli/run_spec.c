/*
 * Implements run_spec.h: the spec of a run is written by the organiser and
 * opened by workers; both use one option table.
 *
 * The files of a bot.  The organiser sends the files and folders that words of
 * the command name, and those of bundle=.  The root of the bundle is the folder
 * in which the bot runs.  If a word names a file outside of that folder, and
 * there is no bundle=, the root is the deepest folder that has all files.
 * Words of the command are rewritten to paths in the root.  Installed files are
 * not sent: each machine has its own.
 */
#include "run_spec.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "command.h"
#include "countof.h"
#include "file_policy.h"
#include "result_check.h"
#include "run_open.h"
#include "scopa/notation.h"
#include "utf8.h"
#include "version.h"
#include "words.h"

#define SPEC_HEADING "scopa-run-spec 1"
#define SPEC_CONFIGURATION "configuration"
#define SPEC_SECTION "run"
#define PACKS_NAME "packs"

/* The options that are sent; they fill struct game_settings. */
static const struct option spec_options[] = {
	TABLE_OPTION(NULL, game_bot_options, 0),
	TABLE_OPTION(NULL, game_control_options, 0),
	TABLE_OPTION(NULL, game_process_options, 0),
	TABLE_OPTION(NULL, game_rule_options, 0),
	TABLE_OPTION(NULL, game_analysis_options, 0),
	TABLE_OPTION(NULL, game_time_options, 0),
	TABLE_OPTION(NULL, game_call_options, 0),
	TABLE_OPTION(NULL, game_config_options, 0),
	OPTIONS_END,
};

/*
 * The organiser: the files of a bot.
 */

/* The files that are sent for one bot. */
struct sending {
	const struct entrant *entrant;
	const char *further; /* value of bundle=, or NULL */
	char own[PATH_MAX];  /* the folder in which it runs, without links */
	char root[PATH_MAX]; /* of the bundle */
	const char *words[PROGRAM_ARGUMENTS_MAX + 1];
	int word_count;
	/* The absolute path of the file that each word names, or NULL; owned */
	char *places[PROGRAM_ARGUMENTS_MAX];
};

/* Folders that differ on each machine, besides those of installed files. */
static const char *const not_sent[] = { "/etc", "/dev", "/proc", "/sys" };

static bool
is_of_machine(const char *path)
{
	/* This folder of /dev has files of users. */
	if (file_policy_is_below(path, "/dev/shm"))
		return false;
	for (int i = 0; i < COUNTOF(not_sent); i++)
		if (file_policy_is_below(path, not_sent[i]))
			return true;
	return file_policy_is_installed(path);
}

/*
 * Returns the absolute path of the file or folder that a word names, or NULL if
 * there is none.  Links are resolved, but not in the last name.  The caller
 * frees it.
 */
static char *
place_find(const struct sending *sending, const char *word)
{
	char path[2 * PATH_MAX], folder[PATH_MAX];
	const char *name;
	struct stat found;
	char *slash, *place = NULL;

	snprintf(path, sizeof(path), "%s%s%s",
	    word[0] == '/' ? "" : sending->own, word[0] == '/' ? "" : "/",
	    word);
	if (stat(path, &found) < 0 ||
	    (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)))
		return NULL;
	slash = strrchr(path, '/');
	name = slash + 1;
	/* The last name of a folder may be `.`, `..` or empty. */
	if (S_ISDIR(found.st_mode))
		return realpath(path, NULL);
	*slash = '\0';
	if (realpath(path[0] ? path : "/", folder) != NULL &&
	    asprintf(&place, "%s/%s", strcmp(folder, "/") ? folder : "", name) <
		0)
		place = NULL;
	return place;
}

/* Sets the root: the folder of the bot, or the deepest one with all places. */
static void
sending_root(struct sending *sending)
{
	bool first = true;

	memcpy(sending->root, sending->own, sizeof(sending->root));
	for (int i = 0; i < sending->word_count; i++)
		first = first &&
		    (sending->places[i] == NULL ||
			file_policy_is_below(sending->places[i], sending->own));
	if (first || sending->further != NULL)
		return;
	first = true;
	for (int i = 0; i < sending->word_count; i++) {
		const char *place = sending->places[i];

		if (place == NULL)
			continue;
		if (first)
			snprintf(
			    sending->root, sizeof(sending->root), "%s", place);
		first = false;
		while (!file_policy_is_below(place, sending->root) ||
		    strcmp(place, sending->root) == 0) {
			char *slash = strrchr(sending->root, '/');

			slash[slash == sending->root] = '\0';
		}
	}
}

/* Returns the part of a place below the root. */
static const char *
place_below(const struct sending *sending, const char *place)
{
	size_t length = strlen(sending->root);

	if (strcmp(place, sending->root) == 0)
		return ".";
	return place + length + (sending->root[length - 1] != '/');
}

/* Finds the files that the words of the command name, and the root. */
static enum status
sending_open(struct sending *sending, const struct entrant *entrant,
    const struct entrant_words *words)
{
	*sending =
	    (struct sending){ .entrant = entrant, .further = words->bundle };
	if (realpath(entrant->dir ? entrant->dir : ".", sending->own) == NULL)
		return game_setup_error(-errno);
	program_arguments(&entrant->program, sending->words);
	sending->word_count = entrant->program.word_count;
	for (int i = 0; i < sending->word_count; i++) {
		char *place = NULL;

		/* A program without a slash is found in PATH. */
		if (i > 0 || strchr(sending->words[0], '/') != NULL)
			place = place_find(sending, sending->words[i]);
		if (place != NULL &&
		    !file_policy_is_below(place, sending->own) &&
		    is_of_machine(place)) {
			free(place);
			place = NULL;
		}
		sending->places[i] = place;
	}
	sending_root(sending);
	for (int i = 0; i < sending->word_count; i++)
		if (sending->places[i] != NULL &&
		    !file_policy_is_below(sending->places[i], sending->root))
			return error_usage("with bundle=, all files of a bot "
					   "must be below the folder in which "
					   "it runs: name this folder by dir=",
			    "bot \"%s\": \"%s\" is not below \"%s\"",
			    entrant->command, sending->words[i], sending->root);
	return STATUS_DONE;
}

/* Makes the bundle of a bot; its `bytes` are NULL if there are no files. */
static enum status
sending_bundle(const struct sending *sending, struct bundle *bundle)
{
	enum { PATHS_MAX = 2 * PROGRAM_ARGUMENTS_MAX };
	char *further = sending->further ? strdup(sending->further) : NULL;
	const char *paths[PATHS_MAX];
	struct store_error why;
	char *rest = further, *path;
	int count = 0, error = 0;

	*bundle = (struct bundle){ .bytes = NULL };
	if (sending->further != NULL && further == NULL)
		return memory_error();
	for (int i = 0; i < sending->word_count; i++)
		if (sending->places[i] != NULL)
			paths[count++] =
			    place_below(sending, sending->places[i]);
	while ((path = strsep(&rest, ":")) != NULL && count < PATHS_MAX)
		if (path[0] == '/' && file_policy_is_below(path, sending->root))
			paths[count++] = place_below(sending, path);
		else if (path[0] != '\0')
			paths[count++] = path;
	if (path != NULL)
		error = store_fail(&why, -EINVAL, "name a folder",
		    "bundle= has more than %d paths",
		    PATHS_MAX - sending->word_count);
	else if (count > 0)
		error = bundle_make(bundle, sending->root, paths, count, &why);
	free(further);
	if (error == 0)
		return STATUS_DONE;
	error_print("bot \"%s\": %s", sending->entrant->command, why.what);
	if (why.hint[0])
		error_detail("hint", "%s", why.hint);
	return error == -ENOMEM ? STATUS_ENVIRONMENT : STATUS_USAGE;
}

/*
 * Appends the command for the unpacked folder, quoted as for a shell.  A word
 * stays as it is if it names the same file there.
 */
static void
sending_command(const struct sending *sending, struct scopa_text *text)
{
	for (int i = 0; i < sending->word_count; i++) {
		const char *word = sending->words[i];
		const char *place = sending->places[i];
		char bytes[PATH_MAX + sizeof("./")];

		if (place != NULL) {
			const char *below = place_below(sending, place);
			const char *tidy =
			    strncmp(word, "./", 2) == 0 ? word + 2 : word;

			snprintf(bytes, sizeof(bytes), "%s%s",
			    i == 0 ? "./" : "", below);
			if (strcmp(sending->root, sending->own) != 0 ||
			    strcmp(tidy, below) != 0)
				word = bytes;
		}
		if (i > 0)
			scopa_text_char(text, ' ');
		shell_word_format(word, text);
	}
}

/*
 * The organiser: the spec.
 */

enum status
run_spec_check(const struct tournament_setup *setup)
{
	const struct game_settings *game = &setup->settings->game;

	if (game->trace.form != GAME_TRACE_OFF)
		return error_usage("use only one of them",
		    "--trace shows bots on this machine, and with --store they "
		    "play on other machines");
	for (int i = 0; i < setup->play.entrant_count; i++)
		if (setup->bots.words[i].read != NULL)
			return error_usage(
			    "put the files below the folder of the bot, and "
			    "name them by bundle=PATH[:PATH...]",
			    "bot \"%s\": read= names files of this machine, "
			    "which workers do not have",
			    setup->bots.entrants[i].command);
	if (game->pin.kind == DISPATCHER_PIN_LIST)
		fprintf(stderr,
		    "warning: --pin: cores of this machine mean nothing to "
		    "workers: each uses its own\n");
	if (game->cpu_slots > 0)
		fprintf(stderr,
		    "warning: --thinkers: a number is for one machine: "
		    "workers choose their own\n");
	if (game->run_as > 0)
		fprintf(stderr,
		    "warning: --run-as: users are of one machine: start "
		    "workers with it\n");
	return STATUS_DONE;
}

/*
 * Adds a bundle, and owns it from then on.  If there is one with its digest, it
 * is released.
 */
static enum status
bundle_add(struct run_spec *spec, struct bundle *bundle)
{
	struct bundle *bundles;

	for (int i = 0; i < spec->bundle_count; i++) {
		if (memcmp(spec->bundles[i].digest, bundle->digest,
			BUNDLE_DIGEST_SIZE) != 0)
			continue;
		bundle_release(bundle);
		return STATUS_DONE;
	}
	bundles = reallocarray(
	    spec->bundles, (size_t)spec->bundle_count + 1, sizeof(*bundles));
	if (bundles == NULL) {
		bundle_release(bundle);
		return game_setup_error(-ENOMEM);
	}
	spec->bundles = bundles;
	spec->bundles[spec->bundle_count++] = *bundle;
	return STATUS_DONE;
}

/*
 * Makes the bundle of a bot, and writes its line.  *command becomes its command
 * on other machines, which the caller frees.
 */
static enum status
bot_write(struct run_spec *spec, const struct tournament_setup *setup, int bot,
    FILE *file, char **command)
{
	char hex[BUNDLE_HEX_SIZE];
	const struct entrant_words *words = &setup->bots.words[bot];
	const struct entrant *entrant = &setup->bots.entrants[bot];
	struct scopa_text text = SCOPA_TEXT(2 * PROGRAM_SIZE);
	struct sending sending = { .word_count = 0 };
	struct bundle bundle = { .bytes = NULL };
	enum status status = STATUS_DONE;

	if (words->command[0] == '@') {
		scopa_text_string(&text, words->command);
	} else {
		status = sending_open(&sending, entrant, words);
		if (status == STATUS_DONE)
			status = sending_bundle(&sending, &bundle);
		if (status == STATUS_DONE)
			sending_command(&sending, &text);
	}
	for (int i = 0; i < sending.word_count; i++)
		free(sending.places[i]);
	if (status != STATUS_DONE)
		return status;
	if (bundle.bytes != NULL) {
		bundle_hex(bundle.digest, hex);
		fprintf(file, "bundle %d %s\n", bot + 1, hex);
		status = bundle_add(spec, &bundle);
	}
	*command =
	    status == STATUS_DONE && !text.cut ? strdup(text.bytes) : NULL;
	return status == STATUS_DONE && *command == NULL
	    ? game_setup_error(-ENOMEM)
	    : status;
}

/* Makes the bundle with the packs of a file, and writes its line. */
static enum status
packs_write(
    struct run_spec *spec, const struct tournament_setup *setup, FILE *file)
{
	const struct pack_file *packs = setup->play.rules.packs;
	char hex[BUNDLE_HEX_SIZE];
	struct bundle bundle;
	struct store_error why;
	char *text = NULL;
	size_t size;
	FILE *lines;
	int error;

	if (packs == NULL)
		return STATUS_DONE;
	lines = memory_file_open(&text, &size);
	if (lines == NULL)
		return game_setup_error(-ENOMEM);
	for (int i = 0; i < packs->count; i++) {
		struct scopa_text line = SCOPA_TEXT(2 * SCOPA_PACK_SIZE + 1);

		for (int card = 0; card < SCOPA_PACK_SIZE; card++)
			scopa_card_format(packs->packs[i][card], &line);
		fprintf(lines, "%s\n", line.bytes);
	}
	error = fclose(lines) == 0
	    ? bundle_make_file(&bundle, PACKS_NAME, text, size, &why)
	    : -ENOMEM;
	free(text);
	if (error == -EFBIG)
		return error_status(STATUS_USAGE, NULL, NULL, "%s", why.what);
	if (error)
		return game_setup_error(error);
	bundle_hex(bundle.digest, hex);
	fprintf(file, "packs %s\n", hex);
	return bundle_add(spec, &bundle);
}

/* Writes the settings for workers, with these commands of the bots. */
static void
settings_write(const struct tournament_setup *setup,
    char *const bot_commands[TOURNAMENT_BOTS_MAX], FILE *file)
{
	struct game_settings *sent = command_memory(sizeof(*sent));
	const struct option_reader reader = {
		.options = spec_options,
		.section = SPEC_SECTION,
		.settings = sent,
	};

	*sent = setup->settings->game;
	sent->seed = (struct game_seed){ .given = false };
	sent->packs = (struct game_file){ NULL };
	sent->packs_count = 0;
	sent->deals = setup->play.rules.deals;
	sent->run_as = 0;
	sent->pin = (struct game_pin){ .kind = DISPATCHER_PIN_AUTO };
	if (sent->cpu_slots > 0)
		sent->cpu_slots = DISPATCHER_CPU_SLOTS_AUTO;
	memset(&sent->each, 0, sizeof(sent->each));
	sent->each_count = 0;
	sent->bot_count = setup->play.entrant_count;
	for (int i = 0; i < sent->bot_count; i++) {
		struct entrant_words *words = &sent->bots[i];

		*words = setup->bots.words[i];
		words->command = bot_commands[i];
		words->name = setup->bots.entrants[i].name[0]
		    ? setup->bots.entrants[i].name
		    : NULL;
		words->arguments = words->dir = words->bundle = NULL;
	}
	fprintf(file, SPEC_CONFIGURATION "\n");
	option_write(file, &reader, NULL);
}

/* Refuses text that is not UTF-8, which the database would not store. */
static enum status
check_text(char *text)
{
	char *rest = text, *line;
	enum status status = STATUS_DONE;

	if (utf8_is_whole(text))
		return STATUS_DONE;
	while ((line = strsep(&rest, "\n")) != NULL && status == STATUS_DONE)
		if (!utf8_is_whole(line))
			status = error_usage("write it in UTF-8; a file with "
					     "such a name needs another name",
			    "this is not UTF-8, so it cannot be sent to other "
			    "machines: %s",
			    line);
	return status;
}

enum status
run_spec_write(struct run_spec *spec, const struct tournament_setup *setup)
{
	const struct match_rules *rules = &setup->play.rules;
	char *bot_commands[TOURNAMENT_BOTS_MAX] = { NULL };
	enum status status = STATUS_DONE;
	char hex[SHUFFLE_HEX_SIZE];
	size_t size;
	long head_end;
	FILE *file;

	*spec = (struct run_spec){ .text = NULL };
	file = memory_file_open(&spec->text, &size);
	if (file == NULL)
		return game_setup_error(-ENOMEM);
	fprintf(file, SPEC_HEADING "\n");
	shuffle_key_format(&rules->commitment, hex);
	if (rules->committed)
		fprintf(file, "commitment %s\n", hex);
	if (setup->settings->remote.clock == RUN_CLOCK_SCALED)
		fprintf(file, "clock scaled\n");
	status = packs_write(spec, setup, file);
	for (int i = 0; i < setup->play.entrant_count && status == STATUS_DONE;
	     i++)
		status = bot_write(spec, setup, i, file, &bot_commands[i]);
	/* The digest ends here: games do not depend on the sandbox. */
	head_end = ftell(file) - 1;
	if (rules->sandbox != NULL && rules->sandbox->level > SANDBOX_NONE)
		fprintf(file, "sandbox confined\n");
	if (status == STATUS_DONE)
		settings_write(setup, bot_commands, file);
	for (int i = 0; i < setup->play.entrant_count; i++)
		free(bot_commands[i]);
	if (fclose(file) != 0 && status == STATUS_DONE)
		status = game_setup_error(-ENOMEM);
	if (status == STATUS_DONE)
		status = check_text(spec->text);
	if (status != STATUS_DONE) {
		run_spec_release(spec);
		return status;
	}
	crypto_hash_sha256(
	    spec->digest, (const unsigned char *)spec->text, (size_t)head_end);
	return STATUS_DONE;
}

void
run_spec_release(struct run_spec *spec)
{
	for (int i = 0; i < spec->bundle_count; i++)
		bundle_release(&spec->bundles[i]);
	free(spec->bundles);
	free(spec->text);
	*spec = (struct run_spec){ .text = NULL };
}

/*
 * The worker.
 */

/* The lines before the configuration. */
struct spec_head {
	bool committed, has_packs, scaled;
	bool confined; /* the bots must be in a sandbox */
	struct shuffle_key commitment;
	uint8_t packs[BUNDLE_DIGEST_SIZE];
	bool has_bundle[TOURNAMENT_BOTS_MAX];
	uint8_t bundles[TOURNAMENT_BOTS_MAX][BUNDLE_DIGEST_SIZE];
	const char *configuration; /* part of the text of the spec */
};

/* Reads one line.  Returns false if this version does not know it. */
static bool
head_line_read(struct spec_head *head, const struct words *words)
{
	const struct word *word = words->word;
	int64_t bot;

	if (words->count == 2 && word_is(word[0], "commitment"))
		return head->committed = word_to_hex(
			   word[1], head->commitment.bytes, SHUFFLE_KEY_SIZE);
	if (words->count == 2 && word_is(word[0], "packs"))
		return head->has_packs = word_to_hex(
			   word[1], head->packs, BUNDLE_DIGEST_SIZE);
	if (words->count == 2 && word_is(word[0], "clock"))
		return head->scaled = word_is(word[1], "scaled");
	if (words->count == 2 && word_is(word[0], "sandbox"))
		return head->confined = word_is(word[1], "confined");
	if (words->count == 3 && word_is(word[0], "bundle") &&
	    word_to_int(word[1], 1, TOURNAMENT_BOTS_MAX, &bot))
		return head->has_bundle[bot - 1] = word_to_hex(
			   word[2], head->bundles[bot - 1], BUNDLE_DIGEST_SIZE);
	return false;
}

static enum status
head_read(struct spec_head *head, const char *text)
{
	memset(head, 0, sizeof(*head));
	for (int number = 1; *text != '\0'; number++) {
		size_t length = strcspn(text, "\n");
		struct words words;
		const char *line = text;

		words_split(line, length, &words);
		text += length + (text[length] == '\n');
		if (number == 1 && length == strlen(SPEC_HEADING) &&
		    memcmp(line, SPEC_HEADING, length) == 0)
			continue;
		if (words.count == 1 &&
		    word_is(words.word[0], SPEC_CONFIGURATION)) {
			head->configuration = text;
			return STATUS_DONE;
		}
		if (number == 1 || !head_line_read(head, &words))
			break;
	}
	return error_status(STATUS_USAGE,
	    "use the same version of the program on all machines", NULL,
	    "the run is described in a form that this version does not know");
}

static enum status
settings_read(struct run_spec_opened *opened, const char *configuration)
{
	struct option_reader reader = {
		.options = spec_options,
		.settings = &opened->settings,
		.section = SPEC_SECTION,
	};
	bool good = option_read_file(&reader, "spec", configuration);

	opened->config = reader.config;
	return good ? STATUS_DONE
		    : error_status(reader.error.machine ? STATUS_ENVIRONMENT
							: STATUS_USAGE,
			  reader.error.hint, NULL,
			  "the description of the run: %s", reader.error.what);
}

/*
 * A bot in its sandbox can read the files that words of its command and folders
 * of its PATH name.  The organiser writes both, but the files belong to the
 * owner of the worker.  So they must lie below the folder of the bot, or be
 * files that every bot may read.
 */

/* Returns whether paths with colons between them name only such files. */
static bool
names_own_files(const char *paths)
{
	static const char *const devices[] = { "/dev/null", "/dev/zero",
		"/dev/full", "/dev/random", "/dev/urandom" };
	struct word rest = word_of(paths), whole, part;
	char path[PATH_MAX];

	while (word_next_piece(&rest, ':', &whole)) {
		bool own = whole.bytes[0] != '/';

		if (whole.length >= sizeof(path))
			return false;
		word_copy(whole, path, sizeof(path));
		for (int i = 0; i < COUNTOF(devices) && !own; i++)
			own = strcmp(path, devices[i]) == 0;
		if (!own && !file_policy_is_installed(path))
			return false;
		while (word_next_piece(&whole, '/', &part))
			if (word_is(part, ".."))
				return false;
	}
	return true;
}

static enum status
bot_check(const struct entrant *entrant)
{
	const char *words[PROGRAM_ARGUMENTS_MAX + 1];
	const char *const *entry = entrant->environment;
	const char *wrong = NULL;

	if (entrant->command[0] == '@')
		return STATUS_DONE;
	program_arguments(&entrant->program, words);
	for (int i = 0; words[i] != NULL; i++)
		if (!names_own_files(words[i]))
			wrong = words[i];
	for (; entry != NULL && *entry != NULL; entry++)
		if (strncmp(*entry, "PATH=", 5) == 0 &&
		    !names_own_files(*entry + 5))
			wrong = *entry;
	return wrong == NULL
	    ? STATUS_DONE
	    : error_usage("a bot for other machines has its files below its "
			  "folder: name them by relative paths",
		  "bot \"%s\": \"%s\" names files of this machine",
		  entrant->command, wrong);
}

/* Refuses settings that would open files of this machine. */
static enum status
settings_check(const struct game_settings *settings)
{
	bool reads = settings->packs_count > 0 || settings->each.read != NULL;

	for (int bot = 0; bot < settings->bot_count; bot++)
		reads = reads || settings->bots[bot].read != NULL;
	return reads ? error_usage(NULL,
			   "the description of the run names files of this "
			   "machine")
		     : STATUS_DONE;
}

/* Makes CACHE/NAME, which every user can enter, for any umask. */
static enum status
cache_folder(const char *cache, const char *name, char path[PATH_MAX])
{
	struct store_error why;

	run_path_join(path, cache, name);
	if (mkdir(path, 0755) < 0 ? errno == EEXIST : chmod(path, 0755) == 0)
		return STATUS_DONE;
	(void)run_fail(-errno, "use the folder", path, &why);
	return error_status(STATUS_ENVIRONMENT, why.hint, NULL, "%s", why.what);
}

/*
 * Gets the bundle with this digest, and unpacks it in CACHE/KIND.  `path`
 * becomes its folder.  *held_fd keeps the folder in the cache until it is
 * closed.  The caller releases *bundle and closes *held_fd.
 */
static enum status
bundle_get(const struct run_spec_machine *machine, const char *kind,
    const uint8_t digest[BUNDLE_DIGEST_SIZE], struct bundle *bundle,
    char path[PATH_MAX], int *held_fd)
{
	char cache[PATH_MAX], hex[BUNDLE_HEX_SIZE];
	struct store_error why = { .what = "" };
	enum status status = cache_folder(machine->cache, kind, cache);
	int error, fd;

	if (status != STATUS_DONE)
		return status;
	bundle_hex(digest, hex);
	run_path_join(path, cache, hex);
	fd = bundle_hold(path);
	if (fd >= 0 && bundle_check(path, digest, bundle, &why) == 0) {
		*held_fd = fd;
		return STATUS_DONE;
	}
	if (fd >= 0)
		close(fd);
	error = machine->fetch(machine->context, digest, bundle, &why);
	if (error == -EAGAIN)
		return STATUS_ENVIRONMENT;
	if (error == 0) {
		error = bundle_unpack(bundle, cache, path, &why);
		if (error == -ENOSPC || error == -EDQUOT) {
			bundle_cache_prune(cache, 0);
			error = bundle_unpack(bundle, cache, path, &why);
		}
		if (error == 0 && (*held_fd = fd = bundle_hold(path)) < 0)
			error = run_fail(fd, "use", path, &why);
		if (error)
			bundle_release(bundle);
	}
	if (error)
		return error_status(
		    STATUS_ENVIRONMENT, why.hint, NULL, "%s", why.what);
	bundle_cache_prune(cache, BUNDLE_CACHE_MAX);
	return STATUS_DONE;
}

/* Makes the fingerprints of all files of a bot in `folder`. */
static int
files_mark(const struct bundle *bundle, const char *folder,
    struct run_spec_files *files)
{
	char **paths = bundle_files(bundle);
	int number = 0;

	if (paths == NULL)
		return -ENOMEM;
	while (paths[number] != NULL)
		number++;
	files->rows = calloc((size_t)number, sizeof(*files->rows));
	for (int i = 0; i < number && files->rows != NULL; i++) {
		char path[PATH_MAX];

		run_path_join(path, folder, paths[i]);
		fingerprint_make_file(&files->rows[i], path);
	}
	free(paths);
	files->count = number;
	return files->rows != NULL ? 0 : -ENOMEM;
}

/* Unpacks the files of all bots, and sets the folders in which they run. */
static enum status
bots_unpack(struct run_spec_opened *opened, const struct spec_head *head,
    const struct run_spec_machine *machine)
{
	const int bot_count = opened->settings.bot_count;
	char empty[PATH_MAX];
	enum status status = cache_folder(machine->cache, "empty", empty);
	int error;

	if (status != STATUS_DONE)
		return status;
	opened->folders = calloc((size_t)bot_count, sizeof(*opened->folders));
	opened->files = calloc((size_t)bot_count, sizeof(*opened->files));
	if (opened->folders == NULL || opened->files == NULL)
		return game_setup_error(-ENOMEM);
	for (int bot = 0; bot < bot_count; bot++) {
		struct run_spec_files *files = &opened->files[bot];
		char *folder = opened->folders[bot];
		struct bundle bundle;

		opened->settings.bots[bot].dir = folder;
		memcpy(folder, empty, sizeof(empty));
		if (!head->has_bundle[bot])
			continue;
		status = bundle_get(machine, "bots", head->bundles[bot],
		    &bundle, folder, &files->held_fd);
		if (status != STATUS_DONE)
			return status;
		error = files_mark(&bundle, folder, files);
		bundle_release(&bundle);
		if (error) {
			close(files->held_fd);
			return game_setup_error(error);
		}
	}
	return STATUS_DONE;
}

static enum status
packs_unpack(struct run_spec_opened *opened, const struct spec_head *head,
    const struct run_spec_machine *machine, char path[PATH_MAX])
{
	char folder[PATH_MAX];
	struct bundle bundle;
	enum status status;
	int held_fd;

	if (!head->has_packs)
		return STATUS_DONE;
	status = bundle_get(
	    machine, "packs", head->packs, &bundle, folder, &held_fd);
	if (status != STATUS_DONE)
		return status;
	bundle_release(&bundle);
	run_path_join(path, folder, PACKS_NAME);
	opened->settings.packs.path = path;
	status = game_setup_packs(
	    &opened->settings, &opened->packs, &opened->play.rules);
	close(held_fd);
	return status;
}

/* Opens the sandbox for the bots of this run. */
static enum status
open_sandbox(struct run_spec_opened *opened, bool confined,
    const struct run_spec_machine *machine)
{
	struct game_settings *settings = &opened->settings;
	const struct sandbox *sandbox;
	enum status status;

	if (settings->sandbox == SANDBOX_OFF && machine->sandbox != SANDBOX_OFF)
		return error_status(STATUS_USAGE,
		    "start the worker with --sandbox off if you trust who "
		    "sends the bots",
		    NULL,
		    "the run wants its bots to play without a sandbox, which "
		    "this worker does not allow");
	if (settings->sandbox < machine->sandbox)
		settings->sandbox = machine->sandbox;
	settings->run_as = machine->run_as;
	status =
	    game_setup_sandbox(settings, NULL, &opened->sandbox, &opened->play);
	sandbox = opened->play.rules.sandbox;
	if (status == STATUS_DONE && confined &&
	    (sandbox == NULL || sandbox->level == SANDBOX_NONE))
		return error_status(STATUS_USAGE,
		    "play it on a machine where `" VERSION_NAME
		    " doctor` finds a sandbox, or begin the run with "
		    "--sandbox off",
		    NULL,
		    "the run wants its bots in a sandbox, and this machine has "
		    "none");
	for (int i = 0;
	     status == STATUS_DONE && opened->play.rules.sandbox != NULL &&
	     machine->hidden != NULL && machine->hidden[i] != NULL;
	     i++)
		status = game_setup_hide(&opened->sandbox, machine->hidden[i]);
	return status;
}

/* Returns the time for the same work at this speed. */
static int64_t
time_scaled(int64_t time_ms, double speed)
{
	int64_t scaled = (int64_t)((double)time_ms / speed + 0.5);

	return time_ms > 0 && scaled < 1 ? 1 : scaled;
}

/*
 * Divides the time of the bots by the speed of this machine.  The organiser
 * refuses results with any other time than result_check.h allows.
 */
static enum status
control_scale(struct budget_control *control, double speed)
{
	if (control->kind == BUDGET_NONE || speed <= 0)
		return STATUS_DONE;
	if (speed > RESULT_SCALE_MAX || speed < 1.0 / RESULT_SCALE_MAX)
		return error_status(STATUS_USAGE,
		    "if it was measured wrongly, remove the file \"speed\" "
		    "in the folder of --cache, and start the worker again",
		    NULL,
		    "the run has --clock scaled, which is for speeds from 1/%d "
		    "to %d, and the speed of this machine is %.3f",
		    RESULT_SCALE_MAX, RESULT_SCALE_MAX, speed);
	control->base_ms = time_scaled(control->base_ms, speed);
	control->increment_ms = time_scaled(control->increment_ms, speed);
	return STATUS_DONE;
}

static enum status
play_open(struct run_spec_opened *opened, const struct spec_head *head,
    const struct run_spec_machine *machine, char packs_path[PATH_MAX])
{
	struct game_settings *settings = &opened->settings;
	struct match_rules *rules = &opened->play.rules;
	enum status status = settings_check(settings);

	if (status == STATUS_DONE)
		status = bots_unpack(opened, head, machine);
	if (status == STATUS_DONE)
		status = game_setup_rules(settings, 0, rules);
	if (status == STATUS_DONE)
		status = game_setup_bots(settings, NULL, ENTRANT_TO_PLAY,
		    &opened->bots, &opened->play);
	for (int bot = 0;
	     status == STATUS_DONE && bot < opened->play.entrant_count; bot++)
		status = bot_check(&opened->bots.entrants[bot]);
	if (status == STATUS_DONE)
		status = game_setup_secret(settings, rules);
	if (status == STATUS_DONE)
		status = packs_unpack(opened, head, machine, packs_path);
	settings->concurrency = machine->cores;
	settings->quiet = machine->quiet;
	if (status == STATUS_DONE)
		status = game_setup_cores(settings, &opened->play);
	if (status == STATUS_DONE)
		status = open_sandbox(opened, head->confined, machine);
	if (status == STATUS_DONE && head->scaled)
		status =
		    control_scale(&rules->settings.control, machine->speed);
	if (status != STATUS_DONE)
		return status;
	rules->committed = head->committed;
	rules->commitment = head->commitment;
	for (int bot = 0; bot < opened->play.entrant_count; bot++) {
		struct fingerprint *fingerprint =
		    &opened->bots.entrants[bot].fingerprint;

		fingerprint->others = opened->files[bot].rows;
		fingerprint->other_count = opened->files[bot].count;
	}
	return STATUS_DONE;
}

enum status
run_spec_open(struct run_spec_opened *opened, const char *text,
    const struct run_spec_machine *machine)
{
	static struct spec_head head;
	char packs_path[PATH_MAX];
	enum status status;

	memset(opened, 0, sizeof(*opened));
	status = head_read(&head, text);
	if (status == STATUS_DONE)
		status = settings_read(opened, head.configuration);
	if (status == STATUS_DONE)
		status = play_open(opened, &head, machine, packs_path);
	/* The packs are read, and `packs_path` ends here. */
	opened->settings.packs.path = NULL;
	if (status != STATUS_DONE)
		run_spec_close(opened);
	return status;
}

void
run_spec_close(struct run_spec_opened *opened)
{
	if (opened->play.rules.sandbox != NULL)
		sandbox_close(&opened->sandbox);
	pack_file_close(&opened->packs);
	game_bots_release(&opened->bots);
	for (int i = 0; opened->files != NULL && i < opened->settings.bot_count;
	     i++) {
		if (opened->files[i].rows != NULL)
			close(opened->files[i].held_fd);
		free(opened->files[i].rows);
	}
	free(opened->files);
	free(opened->folders);
	config_close(opened->config);
	memset(opened, 0, sizeof(*opened));
}

/*
 * The organiser, as the first worker.
 */

static int
fetch_own(void *context, const uint8_t digest[BUNDLE_DIGEST_SIZE],
    struct bundle *bundle, struct store_error *error)
{
	const struct run_spec *spec = context;
	int i = 0;

	while (memcmp(spec->bundles[i].digest, digest, BUNDLE_DIGEST_SIZE) != 0)
		i++;
	*bundle = spec->bundles[i];
	bundle->bytes = malloc(bundle->size);
	if (bundle->bytes == NULL)
		return store_fail(error, -ENOMEM, "", "no memory");
	memcpy(bundle->bytes, spec->bundles[i].bytes, bundle->size);
	return 0;
}

/*
 * Adds to the error of a bot that it may need more files.  It proposes the
 * folder of its program; if the bundle begins there, the bot may have no dir=.
 */
static void
hint_bundle(const struct entrant *entrant)
{
	char path[PATH_MAX];
	const char *below = path + strlen(entrant->dir) + 1, *end;

	snprintf(path, sizeof(path), "%s", entrant->fingerprint.path);
	if (!file_policy_is_below(path, entrant->dir))
		below = "";
	if (strncmp(below, "./", 2) == 0)
		below += 2;
	end = strrchr(below, '/');
	error_detail("hint",
	    "it starts on this machine, but not with only the files that are "
	    "sent to workers: name the other files that it needs after --bot, "
	    "such as its folder: %s%.*s",
	    end != NULL ? "bundle=" : "dir=FOLDER bundle=.",
	    end != NULL ? (int)(end - below) : 0, below);
}

enum status
run_spec_preflight(const struct run_spec_opened *opened,
    void (*hint)(const struct entrant *bot))
{
	bool builtin[TOURNAMENT_BOTS_MAX];

	for (int bot = 0; bot < opened->play.entrant_count; bot++)
		builtin[bot] = opened->bots.entrants[bot].command[0] == '@';
	return game_preflight(&opened->play, builtin, NULL, hint);
}

/* No bot can be tried with only its bundle. */
static enum status
refuse_temporary(const char *parent, int error)
{
	return error_status(STATUS_ENVIRONMENT,
	    "bots are tried there with only the files that are sent to "
	    "workers; TMPDIR names another folder",
	    NULL, "cannot make a folder in \"%s\": %s", parent,
	    strerror(error));
}

enum status
run_spec_try(const struct run_spec *spec, const struct tournament_setup *setup)
{
	struct run_spec_opened *opened = command_memory(sizeof(*opened));
	const char *named = getenv("TMPDIR");
	const char *parent = named != NULL ? named : "/tmp";
	char cache[PATH_MAX];
	struct run_spec own = *spec;
	const struct run_spec_machine machine = {
		.cache = cache,
		.sandbox = setup->settings->game.sandbox,
		.run_as = setup->settings->game.run_as,
		.quiet = true,
		.fetch = fetch_own,
		.context = &own,
	};
	enum status status;

	if (snprintf(cache, sizeof(cache), "%s/scopa-bundles.XXXXXX", parent) >=
	    (int)sizeof(cache))
		return refuse_temporary(parent, ENAMETOOLONG);
	if (mkdtemp(cache) == NULL || chmod(cache, 0755) < 0)
		return refuse_temporary(parent, errno);
	status = run_spec_open(opened, spec->text, &machine);
	if (status == STATUS_DONE) {
		status = run_spec_preflight(opened, hint_bundle);
		run_spec_close(opened);
	}
	(void)bundle_cache_remove(cache);
	return status;
}
