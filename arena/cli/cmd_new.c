/*
 * The command new: writes a starter bot into a new folder.
 *
 * The files are those of the kits in bots/.  The build makes a table of them,
 * kits.inc, from the list kits.tsv, so that the program needs no other file.
 * In each file the text `my-bot` becomes the name of the bot.  No existing file
 * is ever changed, and a failure removes what was written before it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "countof.h"
#include "text_format.h"
#include "words.h"

enum {
	BOT_NAME_SIZE = 64,
	FOLDER_SIZE = 1024, /* of the path */
	BOT_PATH_SIZE = FOLDER_SIZE + 64
};

/* A file of a kit, as a row of kits.tsv lists it. */
struct kit_file {
	const char *language; /* `all`: a file of every language */
	const char *path;     /* below the folder of the bot */
	mode_t mode;
	const char *text;
};

#include "kits.inc"

/* The facts of a language for messages.  Paths begin in its folder. */
struct kit {
	const char *title;  /* the name of the language */
	const char *source; /* the file that the author changes */
	/* the files that handle the protocol, in Markdown */
	const char *protocol;
	const char *tests; /* the file of the test */
	const char *bot;   /* the program that the arena starts */
	const char *build; /* command; NULL: nothing has to be built */
	const char *test;  /* command */
};

static const char *const languages[] = { "python", "javascript", "c", "rust",
	"go", "java", "sh", NULL };

/* In the order of `languages`. */
static const struct kit kits[] = {
	{ "Python", "bot.py", "`scopa_bot.py`", "test_bot.py", "bot.py", NULL,
	    "./test_bot.py" },
	{ "JavaScript (Node.js)", "bot.js", "`scopa_bot.js`", "bot.test.js",
	    "bot.js", NULL, "node --test" },
	{ "C", "bot.c", "`scopa_bot.h`, `scopa_bot.c`", "test_bot.c", "bot",
	    "make", "make test" },
	{ "Rust", "src/main.rs", "`src/scopa_bot.rs`", "src/tests.rs",
	    "target/release/bot", "cargo build --release", "cargo test" },
	{ "Go", "bot.go", "`scopa_bot.go`", "bot_test.go", "bot",
	    "go build -o bot", "go test" },
	{ "Java", "Bot.java", "`ScopaBot.java`", "BotTest.java", "bot", "make",
	    "make test" },
	{ "sh", "bot.sh", "`scopa_bot.sh`", "test_bot.sh", "bot.sh", NULL,
	    "./test_bot.sh" },
};

_Static_assert(
    COUNTOF(kits) == COUNTOF(languages) - 1, "every language is described");

struct new_settings {
	int language;
};

/* A starter bot that is being written. */
struct starter {
	int language; /* index in `languages` */
	char name[BOT_NAME_SIZE];
	/* its path; never the name of an option or of a built-in bot */
	char folder[FOLDER_SIZE];
	int fd; /* the folder */
	bool folder_created;
	int file_count; /* rows of kit_files that have been dealt with */
};

#define FIELD(name) offsetof(struct new_settings, name)

static const struct option options[] = {
	NAME_OPTION("lang", "LANGUAGE", FIELD(language), languages,
	    "The programming language.", .aliases = { "language" },
	    .fallback = "python"),
	OPTIONS_END,
};

/*
 * The name of the bot.
 */

/*
 * Makes a bot's name of a folder's name: letters, digits, `-`, `_` and `.`
 * stay, and each run of other bytes becomes one `-`.  The name begins and ends
 * with a letter or a digit.
 */
static void
name_derive(const char *folder_name, char name[BOT_NAME_SIZE])
{
	struct scopa_text text;
	bool gap = false;

	scopa_text_init(&text, name, BOT_NAME_SIZE);
	for (; *folder_name != '\0'; folder_name++) {
		bool letter = isalnum((unsigned char)*folder_name);

		if (!letter && strchr("-_.", *folder_name) == NULL) {
			gap = true;
			continue;
		}
		if (text.length == 0 && !letter)
			continue;
		if (gap && text.length > 0)
			scopa_text_char(&text, '-');
		scopa_text_char(&text, *folder_name);
		gap = false;
	}
	while (
	    text.length > 0 && !isalnum((unsigned char)name[text.length - 1]))
		name[--text.length] = '\0';
	if (text.length == 0)
		scopa_text_string(&text, "bot");
}

/*
 * Sets the name of the bot from the last component of the folder's path; from
 * that of the real path where the component is `.` or `..`.
 */
static void
starter_set_name(struct starter *starter)
{
	const char *slash = strrchr(starter->folder, '/');
	const char *component = slash != NULL ? slash + 1 : starter->folder;
	char real[PATH_MAX];

	if ((strcmp(component, ".") == 0 || strcmp(component, "..") == 0) &&
	    realpath(starter->folder, real) != NULL)
		component = strrchr(real, '/') + 1;
	name_derive(component, starter->name);
}

/*
 * The folder.
 */

/* Reports that the folder cannot be created. */
static enum status
report_no_folder(const struct starter *starter, int error)
{
	const char *slash = strrchr(starter->folder, '/');

	error_print("the folder %s cannot be created: %s", starter->folder,
	    strerror(error));
	if (error == ENOENT && slash == NULL)
		error_detail("hint",
		    "the folder in which this command was started does not "
		    "exist any more; cd to another one");
	else if (error == ENOENT)
		error_detail("hint", "there is no folder %.*s; create it first",
		    (int)(slash - starter->folder), starter->folder);
	return input_file_status(-error);
}

/*
 * Finds an entry of a folder.  Returns false if the folder is empty, or cannot
 * be listed.
 */
static bool
folder_entry(const char *path, char entry[NAME_MAX + 1])
{
	DIR *folder = opendir(path);
	const struct dirent *found;

	entry[0] = '\0';
	if (folder == NULL)
		return false;
	while (entry[0] == '\0' && (found = readdir(folder)) != NULL) {
		if (strcmp(found->d_name, ".") != 0 &&
		    strcmp(found->d_name, "..") != 0)
			snprintf(entry, NAME_MAX + 1, "%s", found->d_name);
	}
	closedir(folder);
	return entry[0] != '\0';
}

/* Creates the folder, or opens it if it exists and is empty. */
static enum status
folder_open(struct starter *starter)
{
	char entry[NAME_MAX + 1];
	int error;

	/* A symbolic link to nothing exists, too. */
	starter->folder_created = mkdir(starter->folder, 0777) == 0;
	if (!starter->folder_created && errno != EEXIST)
		return report_no_folder(starter, errno);
	starter->fd = open(starter->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	error = starter->fd < 0 ? -errno : 0;
	if (error && starter->folder_created)
		rmdir(starter->folder);
	else if (error == -ENOTDIR || error == -ENOENT)
		return error_usage("give the name of a new folder",
		    "%s exists and is no folder", starter->folder);
	if (error)
		return error_status(starter->folder_created
			? STATUS_ENVIRONMENT
			: input_file_status(error),
		    NULL, NULL, "the folder %s cannot be opened: %s",
		    starter->folder, strerror(-error));
	if (!starter->folder_created && folder_entry(starter->folder, entry)) {
		close(starter->fd);
		return error_usage("give the name of a new folder",
		    "the folder %s is not empty: it has %s", starter->folder,
		    entry);
	}
	return STATUS_DONE;
}

/*
 * The files.
 */

static bool
is_of_language(const struct kit_file *file, int language)
{
	return strcmp(file->language, "all") == 0 ||
	    strcmp(file->language, languages[language]) == 0;
}

/*
 * Writes the text of a file, in which each marker is replaced.  A line with the
 * command of the build is left out if nothing has to be built.
 */
static void
text_write(const struct starter *starter, const char *text, FILE *file)
{
	const struct kit *kit = &kits[starter->language];
	const bool built = kit->build != NULL;
	const struct {
		const char *marker, *text;
	} markers[] = {
		{ "@language@", kit->title },
		{ "@source@", kit->source },
		{ "@kit@", kit->protocol },
		{ "@tests@", kit->tests },
		{ "@bot@", kit->bot },
		{ built ? "@build@" : "@build@\n", built ? kit->build : "" },
		{ "@test@", kit->test },
		{ "my-bot", starter->name },
	};

	while (*text != '\0') {
		int i = 0;

		while (i < COUNTOF(markers) &&
		    strncmp(text, markers[i].marker,
			strlen(markers[i].marker)) != 0)
			i++;
		if (i < COUNTOF(markers)) {
			fputs(markers[i].text, file);
			text += strlen(markers[i].marker);
		} else {
			fputc(*text++, file);
		}
	}
}

/* Creates a file with its contents.  Returns 0 or -errno. */
static int
file_create(const struct starter *starter, const struct kit_file *kit_file)
{
	int fd = openat(starter->fd, kit_file->path,
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kit_file->mode);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	int error = file == NULL ? -errno : 0;
	bool failed;

	if (fd < 0)
		return error;
	if (file == NULL) {
		close(fd);
	} else {
		text_write(starter, kit_file->text, file);
		errno = 0;
		failed = ferror(file);
		if (fclose(file) != 0 || failed)
			error = errno != 0 ? -errno : -EIO;
	}
	if (error < 0)
		unlinkat(starter->fd, kit_file->path, 0);
	return error;
}

/*
 * Copies the folder of a file's path, as in `src/main.rs`.  Returns false if
 * the path has none.
 */
static bool
subfolder_of(const struct kit_file *kit_file, char subfolder[NAME_MAX + 1])
{
	const char *slash = strchr(kit_file->path, '/');

	if (slash != NULL)
		snprintf(subfolder, NAME_MAX + 1, "%.*s",
		    (int)(slash - kit_file->path), kit_file->path);
	return slash != NULL;
}

/* Removes what has been written so far. */
static void
starter_undo(const struct starter *starter)
{
	char subfolder[NAME_MAX + 1];

	for (int i = starter->file_count; i >= 0; i--) {
		if (!is_of_language(&kit_files[i], starter->language))
			continue;
		/* The file at file_count is the one that failed. */
		if (i < starter->file_count)
			unlinkat(starter->fd, kit_files[i].path, 0);
		/* This removes the folder if the file was its last one. */
		if (subfolder_of(&kit_files[i], subfolder))
			unlinkat(starter->fd, subfolder, AT_REMOVEDIR);
	}
	if (starter->folder_created)
		rmdir(starter->folder);
}

/* Creates all files, or none. */
static enum status
starter_write(struct starter *starter)
{
	char subfolder[NAME_MAX + 1];
	const struct kit_file *file = kit_files;
	int error = 0;

	for (; starter->file_count < COUNTOF(kit_files);
	     starter->file_count++) {
		file = &kit_files[starter->file_count];
		if (!is_of_language(file, starter->language))
			continue;
		if (subfolder_of(file, subfolder) &&
		    mkdirat(starter->fd, subfolder, 0777) < 0 &&
		    errno != EEXIST)
			error = -errno;
		else
			error = file_create(starter, file);
		if (error < 0)
			break;
	}
	if (error == 0)
		return STATUS_DONE;
	starter_undo(starter);
	return error_status(
	    error == -EEXIST ? STATUS_USAGE : input_file_status(error),
	    "nothing was changed", NULL, "%s/%s cannot be created: %s",
	    starter->folder, file->path, strerror(-error));
}

/*
 * The commands to try next.
 */

/*
 * Prints what was written, and the next commands.  The test of the bot looks
 * for the arena in $SCOPA_ARENA and on PATH, so the former is set if the user
 * has called the program by its path.
 */
static void
print_end(const struct starter *starter)
{
	const struct kit *kit = &kits[starter->language];
	const char *arena = shell_text(program_invocation_name), *bot;
	const char *folder = shell_text(starter->folder);
	char path[BOT_PATH_SIZE], real[PATH_MAX];

	printf("%s, a bot in %s:\n", starter->name, kit->title);
	for (int i = 0; i < COUNTOF(kit_files); i++)
		if (is_of_language(&kit_files[i], starter->language))
			printf("  %s/%s\n", starter->folder, kit_files[i].path);
	printf("\nWrite your own choose(view) in %s/%s.  Next:\n",
	    starter->folder, kit->source);
	if (strchr(program_invocation_name, '/') != NULL &&
	    realpath(program_invocation_name, real) != NULL)
		printf("  export SCOPA_ARENA=%s\n", shell_text(real));
	if (kit->build != NULL)
		printf("  (cd %s && %s)\n", folder, kit->build);
	printf("  (cd %s && %s)\n", folder, kit->test);
	/* The arena splits a bot's command into words, as the shell does. */
	snprintf(path, sizeof(path), "%s/%s", starter->folder, kit->bot);
	bot = shell_text(shell_text(path));
	printf("  %s check %s\n  %s match %s @greedy --rounds 10 --duplicate\n",
	    arena, bot, arena, bot);
}

/*
 * Stores the path of the folder: without slashes at its end, and with `./` in
 * front if the path could be taken for an option or for a built-in bot.
 */
static enum status
starter_set_folder(struct starter *starter, const char *path)
{
	size_t length = strlen(path);
	bool plain =
	    isalnum((unsigned char)path[0]) || strchr("/._", path[0]) != NULL;
	struct scopa_text text;

	if (length == 0)
		return error_usage(NULL, "the name of the folder is empty");
	while (length > 1 && path[length - 1] == '/')
		length--;
	scopa_text_init(&text, starter->folder, sizeof(starter->folder));
	scopa_text_string(&text, plain ? "" : "./");
	scopa_text_bytes(&text, path, length);
	if (text.cut)
		return error_usage(NULL,
		    "the path of the folder has more than %d bytes",
		    FOLDER_SIZE - 1);
	if (strcmp(safe_text(starter->folder), starter->folder) != 0)
		return error_usage("use letters and digits",
		    "the name of the folder has bytes that are no text: %s",
		    starter->folder);
	return STATUS_DONE;
}

static enum status
new_run(const void *given, char **argv)
{
	const struct new_settings *settings = given;
	struct starter starter = {
		.language = settings->language,
		.fd = -1,
	};
	enum status status = starter_set_folder(&starter, argv[0]);

	if (status == STATUS_DONE)
		status = folder_open(&starter);
	if (status != STATUS_DONE)
		return status;
	starter_set_name(&starter);
	status = starter_write(&starter);
	close(starter.fd);
	if (status == STATUS_DONE)
		print_end(&starter);
	return status;
}

const struct command command_new = {
	.name = "new",
	.alias = "init",
	.sentence =
	    "Writes a starter bot, with its own test, into a new folder.",
	.detail = "The bot can play all rules at once; you change the function "
		  "that chooses a move. The bot has the name of the folder. No "
		  "existing file is overwritten. For a bot in another language "
		  "you need only the page protocol.md.",
	.usage = "DIR",
	.arguments = { { "DIR",
	    "The folder, which does not exist yet or is empty." } },
	.argument_min = 1,
	.argument_max = 1,
	.examples = { "new mybot", "new mybot --lang rust" },
	.options = options,
	.settings_size = sizeof(struct new_settings),
	.run = new_run,
};
