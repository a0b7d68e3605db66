/*
 * Implements command.h: finds the command that the first words name, reads its
 * options into a struct of zeroed settings, and calls its function.  The errors
 * that all commands report end with the running command and the help to try.
 */
#include "command.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "countof.h"
#include "machine.h"
#include "resolve_path.h"
#include "run.h"
#include "scopa/nearest.h"
#include "text_format.h"
#include "version.h"
#include "words.h"

enum { NAME_SIZE = 64, WORD_SIZE = 16384 };

/* The command that is running, or NULL. */
static const struct command *running;
/* The words after its name as they were given; NULL ends them. */
static char **running_words;
/* The reader of its options; NULL until they have been read. */
static const struct option_reader *running_reader;

#define COMMAND_ADDRESS(name) &command_##name,

const struct command *const commands[] = { COMMANDS(COMMAND_ADDRESS) };

const int command_count = COUNTOF(commands);

/*
 * Errors.
 */

/* Where error messages are copied to, or NULL. */
static struct scopa_text *copied;

void
error_copy(struct scopa_text *copy)
{
	copied = copy;
}

/* Prints the rest of the line of a label, sanitized for a terminal. */
__attribute__((format(printf, 2, 0))) static void
print_rest_of_line(const char *label, const char *format, va_list arguments)
{
	char raw[WORD_SIZE];
	const char *text = raw;
	struct scopa_text safe = SCOPA_TEXT(4 * WORD_SIZE);

	vsnprintf(raw, sizeof(raw), format, arguments);
	/* The user can copy a command that names this program by its path. */
	if (strcmp(label, "try") == 0 &&
	    strncmp(raw, VERSION_NAME " ", strlen(VERSION_NAME " ")) == 0) {
		text_sanitize(&safe, program_invocation_name);
		text += strlen(VERSION_NAME);
	}
	text_sanitize(&safe, text);
	fprintf(stderr, "%s\n", safe.bytes);
	if (copied != NULL)
		scopa_text_print(copied, "%s: %s\n", label, safe.bytes);
}

void
error_print(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("error: ", stderr);
	va_start(arguments, format);
	print_rest_of_line("error", format, arguments);
	va_end(arguments);
}

void
error_detail(const char *label, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "  %-8s: ", label);
	va_start(arguments, format);
	print_rest_of_line(label, format, arguments);
	va_end(arguments);
}

enum status
input_file_status(int error)
{
	switch (-error) {
	case EACCES:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case ENXIO:
	case EPERM:
		return STATUS_USAGE;
	default:
		return STATUS_ENVIRONMENT;
	}
}

enum status
worker_death_error(int wait_status, int game_count)
{
	if (WIFSIGNALED(wait_status))
		error_print(
		    "a worker process of the arena was ended by signal %d (%s)",
		    WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)));
	else
		error_print(
		    "a worker process of the arena ended with exit status %d",
		    WEXITSTATUS(wait_status));
	if (game_count > 0)
		error_detail("where", "%d game%s that it played %s lost",
		    game_count, text_plural(game_count),
		    game_count == 1 ? "is" : "are");
	error_detail("hint",
	    "somebody killed it, or memory ran out (see dmesg), or this is an "
	    "error in the arena");
	return STATUS_ENVIRONMENT;
}

/* Prints the line of the configuration file that sets an option, if any. */
static void
print_option_line(const char *name, size_t length)
{
	struct scopa_text text = SCOPA_TEXT(WORD_SIZE);

	if (running_reader != NULL &&
	    option_location(running_reader, name, length, &text))
		error_detail("where", "%s", text.bytes);
}

void
error_value_line(const char *value)
{
	struct scopa_text text = SCOPA_TEXT(WORD_SIZE);

	if (value != NULL && option_value_location(value, &text))
		error_detail("where", "%s", text.bytes);
}

void
error_option_lines(const char *const names[])
{
	for (int i = 0; names[i] != NULL; i++)
		print_option_line(names[i], strlen(names[i]));
}

/*
 * Prints an error, and for each option `--NAME` in it the line of the
 * configuration file that sets it.
 */
__attribute__((format(printf, 1, 0))) static void
print_error(const char *format, va_list arguments)
{
	char what[WORD_SIZE];

	vsnprintf(what, sizeof(what), format, arguments);
	error_print("%s", what);
	for (const char *at = strstr(what, "--"); at != NULL;
	     at = strstr(at, "--")) {
		at += strspn(at, "-");
		print_option_line(
		    at, strspn(at, "abcdefghijklmnopqrstuvwxyz-"));
	}
}

enum status
error_usage(const char *hint, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
	if (running != NULL)
		error_detail("command", VERSION_NAME " %s", running->name);
	if (hint != NULL && hint[0] != '\0')
		error_detail("hint", "%s", hint);
	if (running != NULL)
		error_detail("try", VERSION_NAME " help %s", running->name);
	return STATUS_USAGE;
}

enum status
error_exclusive(const char *one, const char *other)
{
	return error_usage("give one or the other",
	    "--%s and --%s exclude each other", one, other);
}

enum status
error_status(enum status status, const char *hint, const char *try,
    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
	if (hint != NULL && hint[0] != '\0')
		error_detail("hint", "%s", hint);
	if (try != NULL && try[0] != '\0')
		error_detail("try", "%s", try);
	return status;
}

enum status
memory_error(void)
{
	return error_status(STATUS_ENVIRONMENT, NULL, NULL, "no memory");
}

/*
 * Output files.  The new file is written without a name, or under a name of its
 * own in the same folder, and gets the name of the old one by rename().
 */

/*
 * Opens a file without a name in the folder of `path`, so that it disappears if
 * the process is killed.  If the file system cannot do this, or there is no
 * /proc, through which name_part() gives the name, the name is `part`.  Returns
 * a descriptor or -1.
 */
static int
open_part(const char *path, const char *part, mode_t mode)
{
	char folder[PATH_MAX];
	bool has_proc = access("/proc/self/fd", F_OK) == 0;
	int fd = -1;

	strcpy(folder, path);
	if (has_proc)
		fd = open(
		    dirname(folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	if (fd < 0 && (!has_proc || errno == EOPNOTSUPP || errno == EISDIR))
		fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return fd;
}

/* Gives a file the name `part`, if it has none, and then `path`.  0 or -1. */
static int
name_part(int fd, const char *path, const char *part)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (access(part, F_OK) < 0 &&
	    linkat(AT_FDCWD, link, AT_FDCWD, part, AT_SYMLINK_FOLLOW) < 0)
		return -1;
	return rename(part, path);
}

/* Whether a path is a link to the standard output, such as /dev/stdout. */
static bool
links_to_stdout(const char *path, const struct stat *status)
{
	struct stat link, own;

	return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) &&
	    fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == status->st_dev &&
	    own.st_ino == status->st_ino;
}

int
output_file_open(struct output_file *output, const char *path)
{
	struct stat old;
	bool exists = stat(path, &old) == 0;
	bool printed = exists && links_to_stdout(path, &old);
	int fd, error;

	*output = (struct output_file){
		.replaces = !exists || (S_ISREG(old.st_mode) && !printed),
	};
	if (output->replaces) {
		/* A name that ends with a slash is that of a folder. */
		error = !exists && path[0] && path[strlen(path) - 1] == '/'
		    ? -ENOENT
		    : resolve_new_path(path, output->path);
		if (error)
			return error;
		snprintf(output->part, sizeof(output->part), "%s.%d.part",
		    output->path, (int)getpid());
		/* An earlier process with this id may have left it. */
		unlink(output->part);
		fd = open_part(output->path, output->part,
		    exists ? old.st_mode & 07777 : 0666);
	} else if (printed) {
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	} else {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	}
	output->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->file != NULL)
		return 0;
	error = -errno;
	if (fd >= 0)
		close(fd);
	output_file_close(output);
	return error;
}

int
output_file_commit(struct output_file *output)
{
	int fd = fileno(output->file);
	struct stat old;

	/* errno may be of an earlier write that failed. */
	if (fflush(output->file) != 0 || ferror(output->file))
		return errno != 0 ? -errno : -EIO;
	/* The umask does not count for a file that was there. */
	if (output->replaces && stat(output->path, &old) == 0 &&
	    fchmod(fd, old.st_mode & 07777) < 0)
		return -errno;
	if (output->replaces &&
	    (fsync(fd) < 0 || name_part(fd, output->path, output->part) < 0))
		return -errno;
	return 0;
}

int
output_file_check(const char *path)
{
	struct output_file output;
	struct stat status;
	int error;

	/* To open and close a pipe would end the input of its reader. */
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : 0;
	error = output_file_open(&output, path);
	if (!error)
		output_file_close(&output);
	return error;
}

enum status
refuse_file_of_run(const char *path)
{
	static const char *const files[] = { RUN_CONFIG, RUN_RESULTS,
		RUN_RECORDS, RUN_SECRET, RUN_TERMS };
	char file[PATH_MAX], folder[PATH_MAX], results[PATH_MAX];
	bool found = false;

	if (path == NULL || realpath(path, file) == NULL)
		return STATUS_DONE;
	strcpy(folder, file);
	run_path_join(results, dirname(folder), RUN_RESULTS);
	for (int i = 0; i < COUNTOF(files); i++)
		found |= strcmp(basename(file), files[i]) == 0;
	if (!found || access(results, F_OK) != 0)
		return STATUS_DONE;
	return error_usage("name another file",
	    "\"%s\" is a file of a run, which would be damaged", path);
}

const char *
output_open_hint(int error)
{
	const char *hint = machine_room_hint(error);

	return hint != NULL ? hint
			    : "name a file in a folder that you may write to";
}

void
output_file_close(struct output_file *output)
{
	if (output->file != NULL)
		fclose(output->file);
	if (output->replaces)
		unlink(output->part);
}

/*
 * The words of the running command.
 */

/* Prints a blank and a word, in quotes if a shell needs them. */
static void
word_print(const char *word)
{
	printf(" %s", safe_text(shell_text(word)));
}

/*
 * Returns how many words, from this one on, give one of the options: 0 if the
 * word is none of them.
 */
static int
words_replaced(
    char **words, const struct command_line_option *options, int option_count)
{
	const char *name = words[0] + strspn(words[0], "-");

	for (int i = 0; i < option_count && name > words[0]; i++) {
		size_t length = strlen(options[i].name), offset;
		const char *implied;

		if (strncmp(name, options[i].name, length) != 0)
			continue;
		if (name[length] == '=')
			return 1;
		if (name[length] != '\0')
			continue;
		/* The word that a flag implies may follow it. */
		implied = option_find(running->options, name, length, &offset)
			      ->implied;
		return words[1] != NULL &&
			(options[i].value != NULL ||
			    (implied != NULL && strcmp(words[1], implied) == 0))
		    ? 2
		    : 1;
	}
	return 0;
}

void
command_line_print(const struct command_line_option *options, int count)
{
	char **words = running_words;

	printf("%s %s", program_invocation_name, running->name);
	while (*words != NULL && strcmp(*words, "--") != 0) {
		int replaced = words_replaced(words, options, count);

		if (replaced == 0)
			word_print(*words);
		words += replaced > 0 ? replaced : 1;
	}
	for (int i = 0; i < count; i++) {
		printf(" --%s", options[i].name);
		if (options[i].value != NULL)
			word_print(options[i].value);
	}
	for (; *words != NULL; words++)
		word_print(*words);
}

void
next_print(const char *command, const char *path, const char *more)
{
	printf("next    %s %s", program_invocation_name, command);
	word_print(path);
	printf("%s\n", more);
}

void
error_try(const char *command, const char *path)
{
	error_detail("try", VERSION_NAME " %s %s", command, shell_text(path));
}

/*
 * Finding and running commands.
 */

const struct command *
command_find(const char *name)
{
	for (int i = 0; i < command_count; i++) {
		const char *alias = commands[i]->alias;

		if (strcmp(commands[i]->name, name) == 0 ||
		    (alias != NULL && strcmp(alias, name) == 0))
			return commands[i];
	}
	return NULL;
}

bool
command_is_of_family(const struct command *command, const char *family)
{
	size_t length = strlen(family);

	return strncmp(command->name, family, length) == 0 &&
	    command->name[length] == ' ';
}

int
command_family(const char *name, const struct command *list[COMMAND_FAMILY_MAX])
{
	int count = 0;

	for (int i = 0; i < command_count; i++) {
		if (strcmp(commands[i]->name, name) != 0 &&
		    !command_is_of_family(commands[i], name))
			continue;
		assert(count < COMMAND_FAMILY_MAX);
		list[count++] = commands[i];
	}
	return count;
}

static bool
is_help(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "-help") == 0 ||
	    strcmp(word, "--help") == 0;
}

/*
 * Adds a hint to an unknown command that is the second word of a command, or an
 * option of only one.  Returns false if it is neither.
 */
static bool
hint_elsewhere(const char *name)
{
	const struct command *owner = NULL;
	int owner_count = 0;
	size_t offset;

	for (int i = 0; i < command_count; i++) {
		const char *second = strchr(commands[i]->name, ' ');

		if (second != NULL && strcmp(second + 1, name) == 0) {
			error_detail(
			    "hint", "did you mean \"%s\"?", commands[i]->name);
			return true;
		}
		if (option_find(commands[i]->options, name, strlen(name),
			&offset) == NULL)
			continue;
		owner = commands[i];
		owner_count++;
	}
	if (owner_count == 1)
		error_detail(
		    "hint", "did you mean \"%s --%s\"?", owner->name, name);
	return owner_count == 1;
}

/*
 * Reports an unknown command; `family` is NULL, or the first of its two words.
 */
static enum status
report_unknown(const char *name, const char *family)
{
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, strlen(name));
	for (int i = 0; i < command_count; i++)
		scopa_nearest_offer(&guess, commands[i]->name);
	error_print("unknown command \"%s\"", name);
	if (!hint_elsewhere(name) && guess.name != NULL)
		error_detail("hint", "did you mean \"%s\"?", guess.name);
	error_detail("try", VERSION_NAME " help%s%s", family != NULL ? " " : "",
	    text_or_none(family));
	return STATUS_USAGE;
}

/* Reports that the second word of a command is missing. */
static enum status
report_incomplete(const char *family)
{
	struct scopa_text words = SCOPA_TEXT(256);
	const struct command *list[COMMAND_FAMILY_MAX];
	int count = command_family(family, list);

	for (int i = 0; i < count; i++)
		text_printf(&words, "%s%s", i > 0 ? ", " : "",
		    list[i]->name + strlen(family) + 1);
	error_print("\"%s\" needs one more word: %s", family, words.bytes);
	error_detail("try", VERSION_NAME " help %s", family);
	return STATUS_USAGE;
}

enum status
command_describe(const char *name)
{
	const struct command *command = command_find(name);
	const struct command *list[COMMAND_FAMILY_MAX];
	int count =
	    command_family(command != NULL ? command->name : name, list);

	if (count == 0)
		return report_unknown(name, NULL);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			putchar('\n');
		describe_command(stdout, list[i]);
	}
	return STATUS_DONE;
}

/* Refuses too few or too many arguments; otherwise runs the command. */
static enum status
arguments_run(const struct command *command, const struct option_reader *reader)
{
	int count = reader->argument_count;
	const char *usage = command->usage != NULL ? command->usage : "none";

	if (count < command->argument_min)
		return error_usage(NULL, "arguments are missing: %s", usage);
	if (command->argument_max != COMMAND_ANY_COUNT &&
	    count > command->argument_max)
		return error_usage(NULL,
		    "one argument too many: \"%s\" (expected: %s)",
		    reader->arguments[command->argument_max], usage);
	return command->run(reader->settings, reader->arguments);
}

/*
 * Writes buffered output, which can still fail, for instance on a full disk.
 * Returns `status`, or STATUS_ENVIRONMENT with an error printed.
 */
static enum status
output_flush(enum status status)
{
	int error = fflush(stdout) == 0 ? 0 : errno;

	if (error == 0 && !ferror(stdout))
		return status;
	/* The reason of an earlier failure is lost. */
	return error_status(STATUS_ENVIRONMENT, NULL, NULL,
	    "the output could not be written%s%s", error == 0 ? "" : ": ",
	    error == 0 ? "" : strerror(error));
}

/* Memory of the running command. */
struct memory_block {
	struct memory_block *next;
	max_align_t bytes[];
};

static struct memory_block *memory_blocks;

void *
command_memory(size_t size)
{
	struct memory_block *block = calloc(1, sizeof(*block) + size);

	if (block == NULL)
		exit((int)output_flush(memory_error()));
	block->next = memory_blocks;
	memory_blocks = block;
	return block->bytes;
}

static void
memory_release(void)
{
	while (memory_blocks != NULL) {
		struct memory_block *block = memory_blocks;

		memory_blocks = block->next;
		free(block);
	}
}

/* Copies the words, because option_read() reorders them. */
static char **
copy_words(char **words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return memcpy(command_memory((count + 1) * sizeof(*words)), words,
	    count * sizeof(*words));
}

/* Reads the options into the settings, and runs the command. */
static enum status
command_run(const struct command *command, char **argv)
{
	struct option_reader reader = {
		.options = command->options,
		.rest = command->rest,
		.keeps_arguments = command->argument_max != 0,
		.settings = command_memory(command->settings_size + 1),
		.section = command->name,
	};
	const struct option_error *error = &reader.error;
	enum status status;

	running = command;
	running_words = copy_words(argv);
	if (!option_read(&reader, argv)) {
		status = error->machine
		    ? error_status(
			  STATUS_ENVIRONMENT, NULL, NULL, "%s", error->what)
		    : error_usage(error->hint, "%s", error->what);
	} else if (reader.help) {
		status = command_describe(command->name);
	} else {
		running_reader = &reader;
		status = arguments_run(command, &reader);
		running_reader = NULL;
	}
	config_close(reader.config);
	memory_release();
	return output_flush(status);
}

enum status
command_main(int argc, char **argv)
{
	char name[NAME_SIZE];
	const struct command *command, *list[COMMAND_FAMILY_MAX];
	int count;

	if (argc < 2) {
		describe_usage();
		return STATUS_USAGE;
	}
	if (is_help(argv[1]))
		return command_run(&command_help, argv + argc);
	if (strcmp(argv[1], "--version") == 0 ||
	    strcmp(argv[1], "-version") == 0)
		return command_run(&command_version, argv + 2);
	snprintf(name, sizeof(name), "%s %s", argv[1], argc > 2 ? argv[2] : "");
	command = command_find(name);
	if (command != NULL)
		return command_run(command, argv + 3);
	command = command_find(argv[1]);
	count = command_family(argv[1], list);
	/* `workers trsut`: the word can only be meant for one of the family. */
	if (command != NULL && command->argument_max == 0 && argc > 2 &&
	    argv[2][0] != '-' && count > 1)
		return report_unknown(name, argv[1]);
	if (command != NULL)
		return command_run(command, argv + 2);
	if (count == 0)
		return report_unknown(argv[1], NULL);
	if (argc > 2 && is_help(argv[2]))
		return output_flush(command_describe(argv[1]));
	if (argc == 2)
		return report_incomplete(argv[1]);
	return report_unknown(name, argv[1]);
}
