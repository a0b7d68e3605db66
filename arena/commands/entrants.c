/*
 * Bots on the command line.
 */
#include "entrants.h"

#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "complaint.h"
#include "scopa/nearest.h"
#include "version.h"

const struct option entrant_keys[ENTRANT_KEY_COUNT] = {
	{
	    .name = "cmd",
	    .kind = OPTION_TEXT,
	    .value = "CMD",
	    .sentence = "The bot: a path, a command with arguments in quotes, "
			"or @NAME of a built-in bot.",
	    .offset = offsetof(struct entrant_words, command),
	},
	{
	    .name = "name",
	    .kind = OPTION_TEXT,
	    .value = "NAME",
	    .sentence = "What to call it instead of its own name.",
	    .offset = offsetof(struct entrant_words, name),
	},
	{
	    .name = "args",
	    .kind = OPTION_TEXT,
	    .value = "WORDS",
	    .sentence = "More arguments.",
	    .offset = offsetof(struct entrant_words, arguments),
	},
	{
	    .name = "dir",
	    .kind = OPTION_TEXT,
	    .value = "DIR",
	    .sentence = "The folder that it runs in.",
	    .offset = offsetof(struct entrant_words, dir),
	},
	{
	    .name = "option.",
	    .kind = OPTION_PAIRS,
	    .value = "VALUE",
	    .sentence = "Sets an option that the bot declares.",
	    .offset = offsetof(struct entrant_words, options),
	},
	{
	    .name = "env.",
	    .kind = OPTION_PAIRS,
	    .value = "VALUE",
	    .sentence = "An entry of its environment.",
	    .offset = offsetof(struct entrant_words, environment),
	},
};

enum status
builtin_complain(const char *mark, const char *name)
{
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, name, strlen(name));
	for (int i = 0; i < builtin_count; i++)
		scopa_nearest_offer(&guess, builtins[i].name);
	complaint_say("no built-in bot is called \"%s%s\"", mark, name);
	if (guess.name != NULL)
		complaint_add(
		    "hint", "did you mean \"%s%s\"?", mark, guess.name);
	complaint_add("try", VERSION_NAME " bot");
	return STATUS_USAGE;
}

static enum status
complain_program(const struct entrant *entrant, enum program_flaw flaw)
{
	char sentence[PROGRAM_SENTENCE_SIZE], hint[PROGRAM_SENTENCE_SIZE];
	const char *name =
	    entrant->program.word_count ? entrant->program.words : "";

	program_flaw_explain(flaw, entrant->program.path, name, sentence);
	program_flaw_hint(flaw, name, hint);
	complaint_say("bot \"%s\": %s", entrant->command, sentence);
	if (hint[0])
		complaint_add("hint", "%s", hint);
	return STATUS_USAGE;
}

enum status
entrant_read(struct entrant *entrant, const struct entrant_words *words)
{
	enum program_flaw flaw;

	memset(entrant, 0, sizeof(*entrant));
	if (words->command == NULL) {
		complaint_say("--bot needs cmd=");
		complaint_add("try", VERSION_NAME " match --help");
		return STATUS_USAGE;
	}
	snprintf(entrant->command, sizeof(entrant->command), "%s%s%s",
	    words->command, words->arguments ? " " : "",
	    words->arguments ? words->arguments : "");
	snprintf(entrant->name, sizeof(entrant->name), "%s",
	    words->name ? words->name : "");
	entrant->dir = words->dir;
	entrant->options = words->options.count ? words->options.words : NULL;
	entrant->environment =
	    words->environment.count ? words->environment.words : NULL;
	if (words->command[0] == '@') {
		const char *role[] = { "bot", words->command + 1, NULL };

		if (builtin_find(role[1]) == NULL)
			return builtin_complain("@", role[1]);
		flaw = program_self(&entrant->program, VERSION_NAME, role);
	} else {
		flaw = program_parse(&entrant->program, entrant->command);
		if (flaw == PROGRAM_GOOD)
			flaw = program_resolve(&entrant->program, words->dir);
	}
	return flaw == PROGRAM_GOOD ? STATUS_DONE
				    : complain_program(entrant, flaw);
}

/* What was missing, and what would have helped. */
static void
add_hint(const struct match_fault *fault)
{
	bool silent = strcmp(fault->reason, "HS_TIMEOUT") == 0;

	if (strcmp(fault->reason, "HS_BAD(OPTION)") == 0) {
		complaint_add("hint", "the bot declares no option for \"%s\"",
		    fault->said);
		return;
	}
	if (fault->phase == SESSION_HELLO)
		complaint_add("missing", "\"uspok 1\"");
	else
		complaint_add("missing", "\"readyok\"");
	if (silent)
		complaint_add("hint",
		    "answer and flush stdout after every line (python: "
		    "print(..., flush=True))");
}

void
entrant_complain(const struct entrant *entrant, const char *name,
    const struct match_fault *fault, int64_t startup_ns)
{
	const char *line = fault->stderr_tail;

	if (strcmp(fault->reason, "HS_TIMEOUT") == 0)
		complaint_say("bot \"%s\" did not answer \"%s\" within %g s",
		    name, fault->phase == SESSION_HELLO ? "usp 1" : "isready",
		    (double)startup_ns / 1e9);
	else
		complaint_say("bot \"%s\" did not get ready to play: %s", name,
		    fault->reason);
	complaint_add("command", "%s", entrant->command);
	complaint_add(
	    "ended", "%s", fault->ending[0] ? fault->ending : "still running");
	if (fault->received[0])
		complaint_add("received", "\"%s\"", fault->received);
	else
		complaint_add("received", "nothing");
	if (*line == '\0')
		complaint_add("stderr", "empty");
	while (*line) {
		size_t length = strcspn(line, "\n");

		complaint_add("stderr", "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
	if (strncmp(fault->reason, "EXEC_FAIL", 9) != 0)
		add_hint(fault);
}
