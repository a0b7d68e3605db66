#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "test.h"

static FILE *memory;
static char *memory_bytes;
static size_t memory_size;

FILE *
output_open(void)
{
	if (memory != NULL)
		fclose(memory);
	free(memory_bytes);
	memory = open_memstream(&memory_bytes, &memory_size);
	assert_non_null(memory);
	return memory;
}

const char *
output_text(void)
{
	fflush(memory);
	return memory_bytes;
}

char *
output_close(void)
{
	assert_int_equal(fclose(memory), 0);
	memory = NULL;
	return memory_bytes;
}

static FILE *caught;
static int stderr_stored;

void
output_stderr_begin(void)
{
	fflush(stderr);
	caught = tmpfile();
	assert_non_null(caught);
	stderr_stored = dup(STDERR_FILENO);
	assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
}

const char *
output_stderr_end(void)
{
	static char said[32768];

	fflush(stderr);
	assert_true(dup2(stderr_stored, STDERR_FILENO) >= 0);
	close(stderr_stored);
	rewind(caught);
	said[fread(said, 1, sizeof(said) - 1, caught)] = '\0';
	fclose(caught);
	return said;
}

int
output_terminal(int columns, int *master)
{
	struct winsize size = { .ws_col = (unsigned short)columns,
		.ws_row = 10 };
	int terminal;

	*master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master), 0);
	assert_int_equal(unlockpt(*master), 0);
	terminal = open(ptsname(*master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(terminal >= 0);
	assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
	return terminal;
}

int
output_count(const char *text, const char *part)
{
	int count = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		count++;
	return count;
}

void
output_compare(const char *text, int held, const char *const *parts,
    const char *file, int line)
{
	for (; *parts != NULL; parts++) {
		if ((strstr(text, *parts) != NULL) == (held != 0))
			continue;
		print_error("\"%s\" is %s: %s\n", *parts,
		    held ? "missing" : "present", text);
		_fail(file, line);
	}
}
