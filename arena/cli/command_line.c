/*
 * Implements command_line.h.
 */
#include "command_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "text_format.h"

enum { WORD_SIZE = 4096 };

/* The words of the running command as they were given; NULL: no memory. */
static struct {
	const char *name;
	char **words;
} given;

void
command_line_store(const char *name, char **argv)
{
	size_t count = 0;

	while (argv[count] != NULL)
		count++;
	given.name = name;
	given.words = calloc(count + 1, sizeof(*given.words));
	if (given.words != NULL)
		memcpy(given.words, argv, count * sizeof(*given.words));
}

void
command_line_release(void)
{
	free(given.words);
	given.words = NULL;
}

void
shell_word_format(const char *word, struct scopa_text *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789@%_+=:,./-";
	/* Double quotes are easier to read around a single one. */
	bool single =
	    strpbrk(word, "\"$`\\!") != NULL || strchr(word, '\'') == NULL;

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		scopa_text_string(text, word);
		return;
	}
	scopa_text_char(text, single ? '\'' : '"');
	for (; *word != '\0'; word++)
		if (*word == '\'' && single)
			scopa_text_string(text, "'\\''");
		else
			scopa_text_char(text, *word);
	scopa_text_char(text, single ? '\'' : '"');
}

/* Prints a blank and a word, in quotes if a shell needs them. */
static void
word_print(FILE *file, const char *word)
{
	char raw[WORD_SIZE], bytes[WORD_SIZE];
	struct scopa_text quoted, safe;

	scopa_text_init(&quoted, raw, sizeof(raw));
	shell_word_format(word, &quoted);
	scopa_text_init(&safe, bytes, sizeof(bytes));
	text_sanitize(&safe, raw);
	fprintf(file, " %s", bytes);
}

/*
 * The number of words that give an option anew, beginning with this word: 0 if
 * the word is another one.
 */
static int
words_replaced(const char *word, const struct command_line_option *options,
    int option_count)
{
	const char *name = word + strspn(word, "-");

	for (int i = 0; i < option_count && name > word; i++) {
		size_t length = strlen(options[i].name);

		if (strncmp(name, options[i].name, length) != 0)
			continue;
		if (name[length] == '=')
			return 1;
		if (name[length] == '\0')
			return options[i].value != NULL ? 2 : 1;
	}
	return 0;
}

void
command_line_print_again(
    FILE *file, const struct command_line_option *options, int count)
{
	char **words = given.words, *none[] = { NULL };

	if (words == NULL)
		words = none;
	fprintf(file, "%s %s", program_invocation_name, given.name);
	while (*words != NULL && strcmp(*words, "--") != 0) {
		int replaced = words_replaced(*words, options, count);

		if (replaced == 0)
			word_print(file, *words);
		words += replaced == 2 && words[1] != NULL ? 2 : 1;
	}
	for (int i = 0; i < count; i++) {
		fprintf(file, " --%s", options[i].name);
		if (options[i].value != NULL)
			word_print(file, options[i].value);
	}
	for (; *words != NULL; words++)
		word_print(file, *words);
}
