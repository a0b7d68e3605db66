#include "seeds.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t input[SEEDS_SIZE_MAX];

_Noreturn static void
give_up(const char *label, const char *why)
{
	fprintf(stderr, "%s: %s\n", label, why);
	exit(5);
}

static int
hex_of(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	int number = 0;

	for (int i = 0; i < 2; i++) {
		const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

		if (digit == NULL)
			return -1;
		number = 16 * number + (int)(digit - digits);
	}
	return number;
}

size_t
seeds_decode(const char *label, const char *line, uint8_t *decoded)
{
	static const char letters[] = "ntr\\", bytes[] = "\n\t\r\\";
	size_t size = 0;

	for (; *line != '\0'; line++) {
		const char *letter;
		int byte;

		if (*line != '\\') {
			decoded[size++] = (uint8_t)*line;
			continue;
		}
		line++;
		letter = *line ? strchr(letters, *line) : NULL;
		if (letter != NULL) {
			decoded[size++] = (uint8_t)bytes[letter - letters];
			continue;
		}
		byte = *line == 'x' ? hex_of(line + 1) : -1;
		if (byte < 0)
			give_up(label, "a backslash stands for nothing");
		decoded[size++] = (uint8_t)byte;
		line += 2;
	}
	return size;
}

static int
visit_lines(const char *path, seeds_visit *visit)
{
	char label[SEEDS_LABEL_SIZE];
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int count = 0;
	FILE *file = fopen(path, "re");

	if (file == NULL)
		return 0;
	while ((length = getline(&line, &room, file)) > 0) {
		size_t size;

		count++;
		snprintf(label, sizeof(label), "%s:%d", path, count);
		if (line[length - 1] != '\n' || length > SEEDS_SIZE_MAX)
			give_up(label, "no line");
		line[length - 1] = '\0';
		size = seeds_decode(label, line, input);
		visit(label, input, size);
	}
	free(line);
	fclose(file);
	return count;
}

static void
visit_file(const char *path, seeds_visit *visit)
{
	FILE *file = fopen(path, "re");
	size_t size;

	if (file == NULL)
		give_up(path, "cannot be opened");
	size = fread(input, 1, sizeof(input), file);
	if (ferror(file) || size == sizeof(input))
		give_up(path, "cannot be read, or is too large");
	fclose(file);
	visit(path, input, size);
}

static int
is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int
visit_folder(const char *path, seeds_visit *visit)
{
	char label[SEEDS_LABEL_SIZE];
	struct dirent **entries;
	int count = scandir(path, &entries, is_visible, alphasort);

	for (int i = 0; i < count; i++) {
		snprintf(
		    label, sizeof(label), "%s/%s", path, entries[i]->d_name);
		visit_file(label, visit);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return count < 0 ? 0 : count;
}

int
seeds_each(const char *name, seeds_visit *visit)
{
	char path[SEEDS_LABEL_SIZE / 2];
	int count;

	snprintf(path, sizeof(path), "tests/fuzz/corpus/%s.txt", name);
	count = visit_lines(path, visit);
	snprintf(path, sizeof(path), "tests/fuzz/corpus/%s.found.txt", name);
	count += visit_lines(path, visit);
	snprintf(path, sizeof(path), "tests/fuzz/corpus/%s", name);
	return count + visit_folder(path, visit);
}
