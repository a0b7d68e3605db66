#include "run_manifest.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heading[] = "scopa-arena-terms-v1\n";
static const char created_mark[] = "created ", packs_mark[] = "packs ",
		  bot_mark[] = "bot ", committed[] = "committed",
		  given[] = "given";

static bool
begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static bool
begins_any(const char *line, const char *const *words)
{
	while (*words != NULL && !begins(line, *words))
		words++;
	return *words != NULL;
}

/* The configuration with changes as manifest_config_set makes them. */
static void
put_config(FILE *file, const char *config, const char *const *dropped,
    const char *line)
{
	while (*config != '\0') {
		size_t length = strcspn(config, "\n");

		if (!begins_any(config, dropped))
			fprintf(file, "%.*s\n", (int)length, config);
		if (line[0] != '\0' && config[0] == '[') {
			fprintf(file, "%s\n", line);
			line = "";
		}
		config += length + (config[length] == '\n');
	}
}

/* The text of a file that was opened by open_memstream; NULL without memory. */
static char *
close_text(FILE *file, char **text)
{
	if (fclose(file) == 0)
		return *text;
	free(*text);
	return NULL;
}

char *
manifest_make(const char *config, const struct store_head *head)
{
	/* A secret is no term: its commitment binds it. */
	const char *const dropped[] = { "\n", "#", MANIFEST_CONTRIBUTION,
		head->committed ? MANIFEST_SEED : NULL, NULL };
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (file == NULL)
		return NULL;
	fprintf(file, "%s%s%s\n%s%s\n", heading, created_mark, head->created,
	    packs_mark, head->committed ? committed : given);
	for (int bot = 0; bot < head->bot_count; bot++)
		fprintf(file, "%s%d %s %s\n", bot_mark, bot + 1,
		    head->bots[bot].digest, head->bots[bot].name);
	put_config(file, config, dropped, "");
	return close_text(file, &text);
}

char *
manifest_config_set(
    const char *config, const char *const *dropped, const char *line)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (file == NULL)
		return NULL;
	put_config(file, config, dropped, line);
	return close_text(file, &text);
}

int64_t
manifest_part(const char **terms, const char **others)
{
	for (int64_t number = 1; **terms != '\0' || **others != '\0';
	     number++) {
		size_t length = strcspn(*terms, "\n");

		if (length != strcspn(*others, "\n") ||
		    memcmp(*terms, *others, length) != 0 ||
		    (*terms)[length] != (*others)[length])
			return number;
		length += (*terms)[length] == '\n';
		*terms += length;
		*others += length;
	}
	return 0;
}

void
manifest_digest(const char *terms, struct shuffle_key *digest)
{
	crypto_hash_sha256(
	    digest->bytes, (const unsigned char *)terms, strlen(terms));
}

/* `bot 1 SHA256 NAME` */
static void
read_bot(const char *line, struct store_head *head)
{
	char *end;
	long bot = strtol(line + strlen(bot_mark), &end, 10);
	size_t length = sizeof(head->bots[0].digest) - 1;

	if (bot < 1 || bot > head->bot_count || *end++ != ' ' ||
	    strspn(end, "0123456789abcdef") != length)
		return;
	memcpy(head->bots[bot - 1].digest, end, length);
	head->bots[bot - 1].digest[length] = '\0';
}

void
manifest_take(const char *terms, struct store_head *head)
{
	/* The configuration begins with its section. */
	while (*terms != '\0' && *terms != '[') {
		size_t length = strcspn(terms, "\n");

		if (begins(terms, created_mark) &&
		    length - strlen(created_mark) < sizeof(head->created))
			snprintf(head->created, sizeof(head->created), "%.*s",
			    (int)(length - strlen(created_mark)),
			    terms + strlen(created_mark));
		else if (begins(terms, packs_mark))
			head->committed =
			    begins(terms + strlen(packs_mark), committed);
		else if (begins(terms, bot_mark))
			read_bot(terms, head);
		terms += length + (terms[length] == '\n');
	}
}
