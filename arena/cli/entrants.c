/*
 * Implements entrants.h: reads the keys of `--bot`, resolves each bot to a
 * program with its files, warns of insecure folders, and explains why a bot did
 * not start, or how it lost a game.
 */
#include "entrants.h"

#include <ctype.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "command.h"
#include "countof.h"
#include "fault_text.h"
#include "file_policy.h"
#include "log.h"
#include "match_head.h"
#include "players.h"
#include "sandbox.h"
#include "scopa/nearest.h"
#include "text_format.h"
#include "version.h"
#include "words.h"

enum { ENTRANT_CONTROL_SIZE = 128 };

#define FIELD(name) offsetof(struct entrant_words, name)

bool
entrant_control_read(const char *value, void *field, struct scopa_text *why)
{
	struct entrant_control *own = field;
	bool bank = isdigit((unsigned char)value[0]);
	char text[ENTRANT_CONTROL_SIZE];

	if (bank && strchr(value, '/') != NULL)
		return option_refuse(why,
		    "times for a number of moves are not known here: write "
		    "match:S+I, a bank of S seconds and I more for each "
		    "answer");
	if (bank && strchr(value, ':') != NULL)
		return option_refuse(why,
		    "minutes are not known here: write match:S+I in seconds");
	snprintf(text, sizeof(text), "match:%s", value);
	if (strcmp(value, "inf") == 0 || strcmp(value, "infinite") == 0)
		value = "none";
	if (!budget_control_parse(&own->control, bank ? text : value, why))
		return false;
	own->given = true;
	return true;
}

void
entrant_control_write(const void *field, struct scopa_text *text)
{
	const struct entrant_control *own = field;

	if (own->given)
		budget_control_show(&own->control, text);
}

/* Parses seconds for each answer, as the key `st=` of other arenas has them. */
static bool
parse_move(const char *value, void *field, struct scopa_text *why)
{
	char move[ENTRANT_CONTROL_SIZE];

	snprintf(move, sizeof(move), "move:%s", value);
	return entrant_control_read(move, field, why);
}

_Static_assert(EVENT_NAME_SIZE == 64, "the length that the row `name` says");

bool
entrant_name_fits(struct word name, struct scopa_text *why)
{
	char text[EVENT_NAME_SIZE], plain[4 * EVENT_NAME_SIZE + 1];

	if (name.length >= EVENT_NAME_SIZE)
		return option_refuse(why,
		    "a name has up to %d bytes, and this one has %zu",
		    EVENT_NAME_SIZE - 1, name.length);
	snprintf(text, sizeof(text), "%.*s", (int)name.length, name.bytes);
	match_head_plain(text, plain, sizeof(plain));
	if (strlen(plain) >= EVENT_NAME_SIZE)
		return option_refuse(why,
		    "a name has up to %d bytes, and this one, whose control "
		    "characters are written as \\xNN, has %zu",
		    EVENT_NAME_SIZE - 1, strlen(plain));
	return true;
}

static bool
check_name(const char *value, struct scopa_text *why)
{
	return entrant_name_fits(word_of(value), why);
}

const struct option entrant_keys[] = {
	TEXT_OPTION("cmd", "CMD", FIELD(command),
	    "The bot: a path, a command with arguments in quotes, or @NAME of "
	    "a built-in bot."),
	TEXT_OPTION("name", "NAME", FIELD(name),
	    "The name to use instead of the bot's own: up to 63 bytes.",
	    .check = check_name),
	TEXT_OPTION("args", "WORDS", FIELD(arguments),
	    "Further arguments of the command."),
	TEXT_OPTION("dir", "DIR", FIELD(dir), "The working folder of the bot.",
	    .is_path = true),
	TEXT_OPTION("read", "PATH[:PATH...]", FIELD(read),
	    "Files and folders that the bot may read in a sandbox, besides its "
	    "own folder and those that its arguments name.",
	    .is_paths = true),
	TEXT_OPTION("allow", "shared-futex", FIELD(allow),
	    "In a sandbox, allow futexes that processes share: process-shared "
	    "mutexes and semaphores need them to be fast. Two bots with this "
	    "permission can exchange secret messages."),
	TEXT_OPTION("bundle", "PATH[:PATH...]", FIELD(bundle),
	    "With workers on other machines: files and folders of the bot's "
	    "folder that are sent to them, besides those that its command "
	    "names."),
	PARSED_OPTION("tc", "TIME", FIELD(control), entrant_control_read,
	    "The time of this bot; overrides --tc. In a file it does not "
	    "override --tc of the command line.",
	    .format = entrant_control_write),
	PARSED_OPTION(
	    "st", "S", FIELD(control), parse_move, "The same as tc=move:S."),
	PAIRS_OPTION("option.", "NAME=VALUE", FIELD(options),
	    "A value for an option that the bot declares."),
	PAIRS_OPTION("env.", "NAME=VALUE", FIELD(environment),
	    "A variable in the environment of the bot."),
	REFUSED_OPTION("proto", "all bots speak USP: leave it out."),
	REFUSED_OPTION("nodes",
	    "a bot is limited by time (tc=) or by an option of its own "
	    "(option.NAME=VALUE).",
	    .aliases = { "depth", "plies" }),
	REFUSED_OPTION(
	    "timemargin", "one margin holds for all bots: --timemargin MS."),
	REFUSED_OPTION("restart",
	    "a bot plays one game after the other, and is started again when "
	    "it "
	    "has ended."),
	REFUSED_OPTION("initstr", "a bot is set up by option.NAME=VALUE.",
	    .aliases = { "initString" }),
	REFUSED_OPTION("conf",
	    "a bot of a file is a section [bot NAME] of --config FILE."),
	REFUSED_OPTION("arg", "all arguments of a bot are in args=\"WORDS\"."),
	REFUSED_OPTION(
	    "trust", "the arena judges all moves and results, of every bot."),
	REFUSED_OPTION("stderr",
	    "write --trace FILE, which has what bots print to stderr."),
	REFUSED_OPTION("tscale",
	    "one time holds for all bots to get ready: --startup-ms MS."),
	REFUSED_OPTION(
	    "ponder", "one rule holds for all bots: --ponder, --no-ponder."),
	REFUSED_OPTION("book", "it has no meaning in a game of cards.",
	    .aliases = { "bookdepth", "whitepov" }),
	OPTIONS_END,
};

/*
 * Appends those pairs of `each` whose names are missing in `pairs`.  False: too
 * many.
 */
static bool
pairs_inherit(struct option_pairs *pairs, const struct option_pairs *each)
{
	int own = pairs->count;

	for (int i = 0; i < each->count; i++) {
		size_t length = strcspn(each->words[i], "=") + 1;
		int same = 0;

		while (same < own &&
		    strncmp(pairs->words[same], each->words[i], length) != 0)
			same++;
		if (same < own)
			continue;
		if (pairs->count == OPTION_PAIRS_MAX)
			return false;
		pairs->words[pairs->count++] = each->words[i];
	}
	return true;
}

enum status
entrant_inherit(struct entrant_words *words, const struct entrant_words *each)
{
	if (each->name != NULL)
		return error_usage("write name= after --bot",
		    "--each name=%s: every bot has its own name", each->name);
	for (int i = 0; entrant_keys[i].kind != OPTION_LAST; i++) {
		size_t offset = entrant_keys[i].offset;
		const char **own = (void *)((char *)words + offset);

		if (entrant_keys[i].kind == OPTION_TEXT && *own == NULL)
			memcpy(own, (const char *)each + offset, sizeof(*own));
	}
	if (!words->control.given)
		words->control = each->control;
	if (pairs_inherit(&words->options, &each->options) &&
	    pairs_inherit(&words->environment, &each->environment))
		return STATUS_DONE;
	error_print("a bot has more than %d words option. or env., those of "
		    "--each included",
	    OPTION_PAIRS_MAX);
	error_detail("command", "%s", text_or_none(words->command));
	return STATUS_USAGE;
}

enum status
builtin_error(const char *mark, const char *name)
{
	struct scopa_nearest guess;
	char hint[OPTION_HINT_SIZE] = "";

	scopa_nearest_init(&guess, name, strlen(name));
	for (int i = 0; i < builtin_count; i++)
		scopa_nearest_offer(&guess, builtins[i].name);
	hint_nearest(hint, &guess, mark, "");
	return error_status(STATUS_USAGE, hint, VERSION_NAME " bot",
	    "no built-in bot is called \"%s%s\"", mark, name);
}

/*
 * The command `bot`: runs a built-in bot in this process, which the arena or a
 * user has started.  Without a name it lists the built-in bots.
 */
static enum status
bot_run(const void *given, char **argv)
{
	const struct builtin *builtin;

	(void)given;
	if (argv[0] == NULL) {
		struct scopa_text list = SCOPA_TEXT(4096);

		for (int i = 0; i < builtin_count; i++)
			text_printf(&list, "@%-11s %s\n", builtins[i].name,
			    builtins[i].sentence);
		text_wrap(
		    list.bytes, text_columns(STDOUT_FILENO, 0), 13, stdout);
		return STATUS_DONE;
	}
	builtin = builtin_find(argv[0] + (argv[0][0] == '@'));
	if (builtin == NULL)
		return builtin_error("", argv[0]);
	return (enum status)builtin_run(builtin);
}

const struct command command_bot = {
	.name = "bot",
	.sentence = "Runs a built-in bot, which speaks USP on standard input "
		    "and output.",
	.usage = "[BUILTIN]",
	.arguments = { { "BUILTIN",
	    "Which bot; without it, all are listed." } },
	.argument_max = 1,
	.examples = { "bot greedy" },
	.run = bot_run,
};

/*
 * Says that no shell runs the command, if a word of it is one that a shell
 * would have replaced or obeyed.
 */
static bool
hint_shell(const struct program *program)
{
	static const char *const operators[] = { "|", ">", ">>", "<", "2>", "&",
		"&&", "||", ";" };
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];

	program_arguments(program, arguments);
	for (int i = 0; i < program->word_count; i++) {
		const char *word = arguments[i];
		bool meant = strncmp(word, "~/", 2) == 0 || *word == '$';

		for (int j = 0; j < COUNTOF(operators); j++)
			meant = meant || strcmp(word, operators[j]) == 0;
		/* A shell that is named obeys its own argument. */
		if (!meant || strchr(word, ' ') != NULL)
			continue;
		error_detail("hint",
		    "no shell runs the command, and %s is given to it as it "
		    "is: write \"sh -c '...'\", or whole paths",
		    word);
		return true;
	}
	return false;
}

/* Whether a file is named as text of a language that is compiled. */
static bool
is_source(const char *name)
{
	static const char *const endings[] = { ".c", ".cc", ".cpp", ".cs",
		".go", ".h", ".hs", ".java", ".kt", ".rs", ".ts" };
	const char *ending = strrchr(name, '.');

	for (int i = 0; ending != NULL && i < COUNTOF(endings); i++)
		if (strcmp(ending, endings[i]) == 0)
			return true;
	return false;
}

/* Words that --trace=WORD does not read as a file. */
static bool
is_trace_form(const char *word)
{
	return strcmp(word, "text") == 0 || strcmp(word, "jsonl") == 0 ||
	    strcmp(word, "off") == 0;
}

static const char *word_behind_trace; /* NULL: there is none */

void
entrant_store_trace_word(const char *word)
{
	word_behind_trace = word;
}

static enum status
error_of_program(const struct entrant *entrant, enum program_flaw flaw)
{
	char sentence[PROGRAM_SENTENCE_SIZE], hint[PROGRAM_SENTENCE_SIZE];
	const char *name =
	    entrant->program.word_count ? entrant->program.words : "";

	program_flaw_explain(flaw, entrant->program.path, name, sentence);
	program_flaw_hint(flaw, name, hint);
	error_print("bot \"%s\": %s", entrant->command, sentence);
	if (program_flaw_code(flaw) != NULL)
		error_detail(
		    "reason", "EXEC_FAIL(%s)", program_flaw_code(flaw));
	if (entrant->dir != NULL)
		error_detail("dir", "%s", entrant->dir);
	if (strncmp(entrant->command, "option.", strlen("option.")) == 0)
		error_detail("hint",
		    "an option of a bot has a value, and follows the bot: "
		    "--bot cmd=BOT %s%s",
		    entrant->command,
		    strchr(entrant->command, '=') != NULL ? "" : "=VALUE");
	else if (strchr(entrant->command, ' ') &&
	    access(entrant->command, F_OK) == 0)
		error_detail("hint",
		    "the name of a file with blanks needs quotes of its own: "
		    "\"'%s'\"",
		    entrant->command);
	else if (builtin_find(entrant->command) != NULL)
		error_detail("hint", "the built-in bot is called \"@%s\"",
		    entrant->command);
	else if (flaw == PROGRAM_NO_EXEC && is_source(name))
		error_detail("hint",
		    "this is source text: name the program that its compiler "
		    "makes of it");
	else if (!hint_shell(&entrant->program) && hint[0])
		error_detail("hint", "%s", hint);
	if (word_behind_trace != NULL &&
	    strcmp(entrant->command, word_behind_trace) == 0)
		error_detail("hint", "a %s of --trace is named by --trace=%s",
		    is_trace_form(entrant->command) ? "form" : "file",
		    entrant->command);
	return STATUS_USAGE;
}

/* Finds the program of a bot's command.  Prints nothing. */
static enum program_flaw
find_program(struct entrant *entrant, const struct entrant_words *words)
{
	const char *role[] = { "bot", words->command + 1, NULL };
	enum program_flaw flaw;

	if (words->command[0] == '@')
		return program_self(&entrant->program, VERSION_NAME, role);
	flaw = program_parse(&entrant->program, entrant->command);
	return flaw == PROGRAM_GOOD
	    ? program_resolve(&entrant->program, words->dir)
	    : flaw;
}

static enum status
error_of_path(const struct entrant *entrant, const char *path, int error)
{
	return error_usage("paths are divided by colons",
	    "bot \"%s\": read=%s: %s", entrant->command, path, strerror(error));
}

/*
 * Makes the paths of `read=` absolute and without symbolic links, as the bot
 * may run in another folder.
 */
static enum status
find_paths(struct entrant *entrant, const char *paths)
{
	struct word rest = word_of(text_or_none(paths)), piece;
	size_t put = 0;

	while (rest.length > 0 && word_next_piece(&rest, ':', &piece)) {
		char path[PATH_MAX], resolved[PATH_MAX];

		if (piece.length >= sizeof(path))
			return error_of_path(entrant, paths, ENAMETOOLONG);
		word_copy(piece, path, sizeof(path));
		if (realpath(path, resolved) == NULL)
			return error_of_path(entrant, path, errno);
		/* Nor could the configuration of a run hold it. */
		if (strchr(resolved, ':') != NULL)
			return error_usage("rename the folder, or copy the "
					   "files to another",
			    "bot \"%s\": read=%s: colons divide paths, and "
			    "this one has a colon: %s",
			    entrant->command, path, resolved);
		if (hidden_is_in_run(resolved))
			return error_usage(
			    "copy the files that it needs to another folder",
			    "bot \"%s\": read=%s is in a run, which no bot may "
			    "read",
			    entrant->command, path);
		put += (size_t)snprintf(entrant->read + put,
		    sizeof(entrant->read) - put, "%s%s", put > 0 ? ":" : "",
		    resolved);
		if (put >= sizeof(entrant->read))
			return error_of_path(entrant, paths, ENAMETOOLONG);
	}
	return STATUS_DONE;
}

/* Checks that the folder that the bot runs in is one. */
static enum status
check_folder(const struct entrant_words *words)
{
	struct stat folder;
	int error = 0;

	if (words->dir == NULL)
		return STATUS_DONE;
	if (stat(words->dir, &folder) < 0)
		error = errno;
	else if (!S_ISDIR(folder.st_mode))
		error = ENOTDIR;
	return error == 0
	    ? STATUS_DONE
	    : error_usage("dir= is the folder that the bot runs in",
		  "bot \"%s\": dir=%s: %s", words->command, words->dir,
		  strerror(error));
}

enum status
entrant_read(struct entrant *entrant, const struct entrant_words *words,
    enum entrant_use use)
{
	enum program_flaw flaw;
	int length;

	memset(entrant, 0, sizeof(*entrant));
	if (words->command == NULL)
		return error_usage(
		    "name the program, too: --bot cmd=./mybot name=mine",
		    "--bot needs cmd=");
	length = snprintf(entrant->command, sizeof(entrant->command), "%s%s%s",
	    words->command, words->arguments ? " " : "",
	    text_or_none(words->arguments));
	snprintf(entrant->name, sizeof(entrant->name), "%s",
	    text_or_none(words->name));
	entrant->dir = words->dir;
	entrant->options = words->options.count ? words->options.words : NULL;
	entrant->environment =
	    words->environment.count ? words->environment.words : NULL;
	flaw = length < (int)sizeof(entrant->command)
	    ? find_program(entrant, words)
	    : PROGRAM_TOO_LONG;
	if (use == ENTRANT_TO_READ)
		return STATUS_DONE;
	if (words->command[0] == '@' &&
	    builtin_find(words->command + 1) == NULL)
		return builtin_error("@", words->command + 1);
	if (words->command[0] == '@' && words->arguments != NULL)
		return error_usage("set its options: option.NAME=VALUE",
		    "bot \"%s\": args=%s: a built-in bot takes no arguments",
		    words->command, words->arguments);
	if (check_folder(words) != STATUS_DONE)
		return STATUS_USAGE;
	if (flaw != PROGRAM_GOOD)
		return error_of_program(entrant, flaw);
	/*
	 * A built-in bot is this running program, so it stays the same even if
	 * its file is replaced; it needs no fingerprint.
	 */
	if (words->command[0] != '@')
		fingerprint_make(
		    &entrant->fingerprint, &entrant->program, words->dir);
	entrant->allows_futexes = words->allow != NULL;
	if (words->allow != NULL && strcmp(words->allow, "shared-futex") != 0)
		return error_usage("allow=shared-futex is all that there is",
		    "bot \"%s\": allow=%s: nothing is called that",
		    entrant->command, words->allow);
	return find_paths(entrant, words->read);
}

/*
 * Whether a hidden path is the secret of an unfinished run, or a run folder
 * that holds it.
 */
static bool
is_secret(const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	char inside[PATH_MAX];

	return strcmp(name, HIDDEN_SECRET) == 0 ||
	    (snprintf(inside, sizeof(inside), "%s/%s", path, HIDDEN_SECRET) <
		    (int)sizeof(inside) &&
		access(inside, F_OK) == 0);
}

/* Warns if the folder of a bot's file holds such a secret at any depth. */
static void
warn_of_secret(const struct entrant *entrant)
{
	struct hidden hidden = { .count = 0 };
	char path[PATH_MAX];

	/* The folder of the bot's file, without symbolic links. */
	if (realpath(entrant->fingerprint.path, path) == NULL)
		return;
	/*
	 * If a part cannot be searched, warnings cover what was found before.
	 */
	(void)hidden_find(&hidden, dirname(path), HIDDEN_DEPTH_MAX);
	for (int i = 0; i < hidden.count; i++) {
		if (!is_secret(hidden.paths[i]))
			continue;
		fprintf(stderr,
		    "folder  %s: the secret of a run that is not over; without "
		    "a sandbox \"%s\" can read it\n",
		    hidden.paths[i], entrant->command);
		break;
	}
	hidden_release(&hidden);
}

/* Warns if all users may write to the folder of a bot's file. */
static void
warn_of_folder(const struct entrant *entrant)
{
	char path[PATH_MAX];
	const char *folder;
	struct stat status;

	snprintf(path, sizeof(path), "%s", entrant->fingerprint.path);
	folder = dirname(path);
	if (entrant->fingerprint.path[0] != '\0' &&
	    stat(folder, &status) == 0 && (status.st_mode & S_IWOTH) != 0)
		fprintf(stderr,
		    "folder  %s: everybody may write to it, so bots could "
		    "leave word for each other beside \"%s\"\n",
		    folder, entrant->command);
}

void
entrants_warn(
    const struct entrant *entrants, int count, const struct sandbox *sandbox)
{
	if (sandbox != NULL && sandbox->level != SANDBOX_NONE)
		return;
	for (int i = 0; i < count; i++)
		warn_of_secret(&entrants[i]);
	for (int i = 0; i < count; i++)
		warn_of_folder(&entrants[i]);
}

void
entrant_warn_name(
    const struct entrant *entrant, const char *name, const char *rest)
{
	struct scopa_text safe = SCOPA_TEXT(8 * SESSION_NAME_SIZE + 128);

	if (rest[0] == '\0' || entrant->name[0] != '\0')
		return;
	text_sanitize(&safe, name);
	scopa_text_string(&safe,
	    "\" is all that counts of the name that the bot sends, as a value "
	    "has no blanks: write \"id name=");
	text_sanitize(&safe, name);
	scopa_text_string(&safe, "%20");
	text_sanitize(&safe, rest);
	fprintf(stderr, "name    \"%s\"\n", safe.bytes);
}

void
entrants_weaken(const struct entrant *entrants, int count, bool quiet,
    struct sandbox *sandbox)
{
	if (sandbox->level == SANDBOX_NONE)
		return;
	for (int i = 0; i < count; i++) {
		if (!entrants[i].allows_futexes)
			continue;
		sandbox->weakened = true;
		if (!quiet)
			fprintf(stderr,
			    "sandbox weaker for \"%s\": it may use shared "
			    "futexes (allow=shared-futex), by which it can "
			    "whisper to another that may\n",
			    entrants[i].command);
	}
}

/* The first lines of bots that speak another protocol. */
static const struct {
	const char *line, *protocol;
} foreign_lines[] = {
	{ "uciok", "UCI" },
	{ "id author", "UCI" },
	{ "readyok", "UCI" },
	{ "feature ", "CECP (xboard)" },
};

void
entrant_start_hints(const struct match_fault *fault,
    __attribute__((format(printf, 2, 3))) void (*detail)(
	const char *label, const char *format, ...))
{
	bool silent = strcmp(fault->reason, "HS_TIMEOUT") == 0;
	bool bad = strcmp(fault->reason, "HS_BAD") == 0;
	/* Bytes that no line may have are shown as \xNN. */
	bool garbled = bad && strchr(fault->said, '\\') != NULL;
	const char *line = silent ? fault->received : fault->said;

	if (strncmp(fault->reason, "EXEC_FAIL", 9) == 0)
		return;
	if (strcmp(fault->reason, "HS_BAD(ID)") == 0)
		detail("missing", "\"id name=...\" before \"uspok 1\"");
	else if (strcmp(fault->reason, "HS_BAD(FATAL)") != 0)
		detail("missing", "%s",
		    fault->phase == SESSION_HELLO ? "\"uspok 1\""
						  : "\"readyok\"");
	if (strncmp(fault->said, "\\xEF\\xBB\\xBF", 12) == 0)
		detail("hint",
		    "its output begins with a byte order mark, EF BB BF: write "
		    "it without");
	else if (garbled)
		detail("hint",
		    "a line has bytes 0x20 to 0x7E and tabs, and ends with LF; "
		    "byte %d is another: write it as %%XX, such as %%C3%%A8",
		    (int)strcspn(fault->said, "\\") + 1);
	else if (bad && fault->said[0])
		detail("hint", "a line has at most %d bytes", LINE_SIZE_MAX);
	if (strcmp(fault->reason, "HS_BAD(VERSION)") == 0)
		detail("hint",
		    "this arena offers version %d of USP and no other; \"usp\" "
		    "names the highest, and \"uspok\" must not go beyond it",
		    SESSION_VERSION);
	for (int i = 0; i < COUNTOF(foreign_lines) && (silent || bad) &&
	     fault->phase == SESSION_HELLO;
	     i++) {
		if (strncmp(line, foreign_lines[i].line,
			strlen(foreign_lines[i].line)) != 0)
			continue;
		detail("hint",
		    "that is a line of %s; a bot of USP answers \"usp 1\" with "
		    "\"id name=...\" and \"uspok 1\"",
		    foreign_lines[i].protocol);
		return;
	}
	if (fault->stray_count > 0)
		detail("hint", "\"%s\" is no message of USP: %s", fault->stray,
		    fault_text_stray_hint(fault->stray));
	if (fault->unfinished[0])
		detail("hint", "%s",
		    fault_text_unfinished_hint(fault->unfinished));
	if (fault->late)
		detail("hint",
		    "it answered only when its input was closed: did you flush "
		    "stdout, and read line by line?");
	if (silent)
		detail("hint",
		    "answer and flush stdout after every line (python: "
		    "print(..., flush=True)), or, if it takes long to start, "
		    "give it more time: --startup-ms MS");
}

/*
 * Words in messages of systems and runtimes about access that was refused, or
 * about files that are missing (in a sandbox: hidden).
 */
static const char *const refusals[] = { "denied", "not permitted", "EACCES",
	"EPERM", "Read-only", "No such file", "ENOENT", "NotFound", "not found",
	"unable to open" };

const char *
entrant_end_hint(
    const struct match_fault *fault, const struct match_rules *rules)
{
	bool confined = rules->sandbox != NULL &&
	    rules->sandbox->level != SANDBOX_NONE && fault->ending[0] != '\0';

	/*
	 * Status 127 of env(1): the first line of the script names an
	 * interpreter that does not exist here.
	 */
	if (strstr(fault->stderr_tail, "env: ") != NULL &&
	    strstr(fault->ending, "status 127") != NULL)
		return strstr(fault->stderr_tail, "\\r") != NULL
		    ? "its lines end in CR LF, and the CR counts as a part of "
		      "the interpreter's name: use LF"
		    : "its first line names an interpreter that is not "
		      "installed, or misspelt";
	for (int i = 0; confined && i < COUNTOF(refusals); i++)
		if (strstr(fault->stderr_tail, refusals[i]) != NULL)
			return "it may have run into the limits of its "
			       "sandbox: after --bot, dir=PATH is its working "
			       "folder, which it may read, and read=PATH names "
			       "other files that it may read; --scratch SIZE "
			       "gives it a folder to write in (TMPDIR); "
			       "--sandbox off plays without a sandbox";
	return strstr(fault->reason, "EXIT(0)") == NULL
	    ? NULL
	    : "exit only after \"quit\" or the end of the input: one process "
	      "plays many deals and games";
}

static bool
needs_analysis(const struct match_fault *fault)
{
	return strcmp(fault->reason, SESSION_NEEDS_ANALYSIS) == 0;
}

/*
 * Reports a bot for analysis in games that are not.  The bot itself works;
 * STATUS_USAGE.
 */
static enum status
error_of_analysis(const struct entrant *entrant, const char *name)
{
	error_print(
	    "bot \"%s\" wants to see all cards, which is for analysis alone",
	    name);
	error_detail("command", "%s", entrant->command);
	error_detail("hint",
	    "match and tournament let it play with --analysis: such games are "
	    "marked, and never rated");
	return STATUS_USAGE;
}

/* Prints the line of the configuration file that sets the option NAME. */
static void
add_place(const struct entrant *entrant, const char *name, size_t length)
{
	const char *const *options = entrant->options;

	for (int i = 0; options != NULL && options[i] != NULL; i++)
		if (strncmp(options[i], name, length) == 0 &&
		    options[i][length] == '=')
			error_value_line(options[i]);
}

/*
 * Reports an option that the bot does not take.  The bot itself works;
 * STATUS_USAGE.
 */
static enum status
error_of_option(const struct entrant *entrant, const char *name,
    const struct match_fault *fault)
{
	int length = (int)strcspn(fault->said, "=");

	if (fault->option_flaw == BOT_OPTION_NO_NAME)
		error_print("bot \"%s\" has no option \"%.*s\"", name, length,
		    fault->said);
	else if (fault->option_flaw == BOT_OPTION_NO_VALUE)
		error_print("bot \"%s\" does not take the option \"%s\"", name,
		    fault->said);
	else
		error_print("bot \"%s\" refuses an option", name);
	error_detail("command", "%s", entrant->command);
	add_place(entrant, fault->said, (size_t)length);
	if (fault->option_flaw == BOT_OPTION_NO_VALUE) {
		error_detail("hint", "option.%.*s=VALUE: expected is %s",
		    length, fault->said, fault->allowed);
		return STATUS_USAGE;
	}
	if (fault->option_flaw == BOT_OPTION_REFUSED) {
		error_detail("received", "\"%s\"", fault->said);
		for (int i = 0; entrant->options && entrant->options[i]; i++)
			error_detail("option", "%s", entrant->options[i]);
		error_detail("hint", "leave it out, or set it otherwise");
		return STATUS_USAGE;
	}
	error_detail("options", "%s",
	    fault->allowed[0] ? fault->allowed : "it has none");
	if (fault->nearest[0])
		error_detail("hint", "did you mean \"%s\"?", fault->nearest);
	else
		error_detail("hint",
		    "option.NAME=VALUE after --bot is for that bot, after "
		    "--each for all");
	return STATUS_USAGE;
}

bool
entrant_is_misused(const struct match_fault *fault)
{
	return needs_analysis(fault) || fault->option_flaw != BOT_OPTION_GOOD;
}

/* Prints the first line of an error: what a bot did instead of starting. */
static void
print_unready(const char *name, const struct match_fault *fault,
    const struct match_rules *rules)
{
	if (strcmp(fault->reason, "HS_TIMEOUT") == 0) {
		error_print("bot \"%s\" did not answer \"%s\" within %g s",
		    name, fault->phase == SESSION_HELLO ? "usp 1" : "isready",
		    (double)rules->settings.startup_ns / 1e9);
		return;
	}
	error_print("bot \"%s\" did not get ready to play: %s (%s)", name,
	    fault_text_reason(offence_name(fault->kind), fault->reason, NULL),
	    fault->reason);
}

/*
 * Whether a command of PATH, such as an interpreter, has one word and has said
 * nothing: the file after it was taken for another bot.
 */
static bool
is_bare_command(const struct entrant *entrant, const struct match_fault *fault)
{
	return entrant->program.word_count == 1 &&
	    strpbrk(entrant->command, "/@") == NULL &&
	    fault->phase == SESSION_HELLO && !fault->said[0] &&
	    !fault->received[0];
}

enum status
entrant_error(const struct entrant *entrant, const char *name,
    const struct match_fault *fault, const struct match_rules *rules)
{
	const char *line = fault->stderr_tail;
	const char *hint = entrant_end_hint(fault, rules);

	if (needs_analysis(fault))
		return error_of_analysis(entrant, name);
	if (fault->option_flaw != BOT_OPTION_GOOD)
		return error_of_option(entrant, name, fault);
	print_unready(name, fault, rules);
	error_detail("command", "%s", entrant->command);
	/* After a time-out its input is closed, and the bot may end by that. */
	error_detail("ended", "%s%s",
	    fault->ending[0] ? fault->ending : "still running",
	    fault->ending[0] && strcmp(fault->reason, "HS_TIMEOUT") == 0
		? ", after the end of its input"
		: "");
	if (fault->said[0] || fault->received[0])
		error_detail("received", "\"%s\"",
		    fault->said[0] ? fault->said : fault->received);
	else
		error_detail("received",
		    fault->unfinished[0] ? "no whole line" : "nothing");
	if (*line == '\0')
		error_detail("stderr", "empty");
	while (*line) {
		size_t length = strcspn(line, "\n");

		error_detail("stderr", "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
	entrant_start_hints(fault, error_detail);
	if (is_bare_command(entrant, fault))
		error_detail("hint",
		    "%s was started without arguments; a command with "
		    "arguments needs quotes: \"%s FILE\"",
		    entrant->command, entrant->command);
	else if (!hint_shell(&entrant->program) && hint != NULL)
		error_detail("hint", "%s", hint);
	return STATUS_BOT;
}

/*
 * Games that were lost by an offence.  `replay` shows such a game again if the
 * deal is in the records of a run and has a move.  Otherwise `ask` does, with
 * the position.
 */

enum { COMMAND_SIZE = 16384, TIME_CONTROL_SIZE = 128 };

/* Appends `KEY=VALUE`, in quotes if it needs them. */
static void
put_pair(struct scopa_text *text, const char *key, const char *value)
{
	char word[COMMAND_SIZE];

	snprintf(word, sizeof(word), "%s%s", key, value);
	scopa_text_char(text, ' ');
	shell_word_format(word, text);
}

/* Appends the option --bot with all that the user has set of the bot. */
static void
put_bot(struct scopa_text *text, const struct lost_game *lost)
{
	const struct entrant *entrant = lost->entrant;
	struct scopa_text tc = SCOPA_TEXT(TIME_CONTROL_SIZE);

	scopa_text_string(text, " --bot");
	put_pair(text, "cmd=", entrant->command);
	if (entrant->dir != NULL)
		put_pair(text, "dir=", entrant->dir);
	if (entrant->read[0] != '\0')
		put_pair(text, "read=", entrant->read);
	if (entrant->allows_futexes)
		scopa_text_string(text, " allow=shared-futex");
	for (int i = 0; entrant->options && entrant->options[i]; i++)
		put_pair(text, "option.", entrant->options[i]);
	for (int i = 0; entrant->environment && entrant->environment[i]; i++)
		put_pair(text, "env.", entrant->environment[i]);
	budget_control_show(&lost->rules->settings.control, &tc);
	put_pair(text, "tc=", tc.bytes);
	if (lost->rules->sandbox == NULL)
		scopa_text_string(text, " --sandbox off");
}

/* Prints the command that shows the offence again. */
static void
print_command(const struct lost_game *lost, FILE *out)
{
	const struct match_fault *fault = lost->fault;
	const char *deal = strstr(fault->state, " deal=");
	struct scopa_text text = SCOPA_TEXT(COMMAND_SIZE);

	/* Without a position there is nothing to ask the bot. */
	if (deal == NULL || lost->rules->settings.analysis != NULL)
		return;
	if (lost->records != NULL && strstr(fault->state, " plays=-") == NULL) {
		text_printf(&text, "%s replay ", program_invocation_name);
		shell_word_format(lost->records, &text);
		text_printf(&text, " --match m%jd --deal %d --seat %d",
		    lost->number, atoi(deal + strlen(" deal=")),
		    fault->seat + 1);
	} else {
		text_printf(&text, "%s ask --state ", program_invocation_name);
		shell_word_format(fault->state, &text);
	}
	put_bot(&text, lost);
	/* A command that was cut would do something else. */
	if (text.cut)
		return;
	fprintf(out, "  %-8s: %s\n", "again", safe_text(text.bytes));
}

void
lost_game_explain(const struct lost_game *lost, FILE *out)
{
	const char *hint = entrant_end_hint(lost->fault, lost->rules);

	fault_text_print(lost->fault, out);
	if (hint != NULL)
		fprintf(out, "  %-8s: %s\n", "hint", hint);
	print_command(lost, out);
}

void
lost_game_log(const struct lost_game *lost, const char *name)
{
	char *bytes = NULL;
	size_t size = 0;
	FILE *lines = memory_file_open(&bytes, &size);
	char *next;

	if (lines == NULL)
		return;
	lost_game_explain(lost, lines);
	if (fclose(lines) == 0) {
		next = bytes;
		for (char *line; (line = strsep(&next, "\n")) != NULL;)
			if (*line != '\0')
				log_print(LOG_WARN, "m%jd: %s:%s", lost->number,
				    name, line + 1);
	}
	free(bytes);
}

const char *
lost_game_reason(const struct lost_game *lost)
{
	struct scopa_text tc = SCOPA_TEXT(TIME_CONTROL_SIZE);

	budget_control_format(&lost->rules->settings.control, &tc);
	return fault_text_reason(
	    offence_name(lost->fault->kind), lost->fault->reason, tc.bytes);
}
