/*
 * Implements lost_game.h. What shows it again is `replay` if the deal is in the
 * records of a run and somebody has played in it. Otherwise it is `ask`, to
 * which the position is given.
 */
#include "lost_game.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "entrants.h"
#include "fault_text.h"
#include "log.h"
#include "text_format.h"

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
		    (intmax_t)lost->number, atoi(deal + strlen(" deal=")),
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
	FILE *lines = open_memstream(&bytes, &size);
	char *next;

	if (lines == NULL)
		return;
	lost_game_explain(lost, lines);
	if (fclose(lines) == 0) {
		next = bytes;
		for (char *line; (line = strsep(&next, "\n")) != NULL;)
			if (*line != '\0')
				log_print(LOG_WARN, "m%jd: %s:%s",
				    (intmax_t)lost->number, name, line + 1);
	}
	free(bytes);
}

void
lost_game_reason(const struct lost_game *lost, struct scopa_text *text)
{
	struct scopa_text tc = SCOPA_TEXT(TIME_CONTROL_SIZE);

	budget_control_format(&lost->rules->settings.control, &tc);
	scopa_text_string(text,
	    fault_text_reason(offence_name(lost->fault->kind),
		lost->fault->reason, tc.bytes));
}
