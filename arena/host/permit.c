#include "permit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpreter.h"

void
permit_init(struct permit *permit, const char *file, char *const *arguments)
{
	char interpreter[INTERPRETER_SIZE];
	struct stat found;

	memset(permit, 0, sizeof(*permit));
	permit->file = file;
	permit->arguments = arguments;
	permit->needed[0] = X_OK;
	if (interpreter_read(file, interpreter))
		permit->needed[0] |= R_OK;
	if (arguments[0] == NULL)
		return;
	for (int i = 1; i < LAUNCHER_ARGUMENTS_MAX && arguments[i] != NULL; i++)
		if (stat(arguments[i], &found) == 0 && S_ISREG(found.st_mode))
			permit->needed[i] = R_OK;
}

const char *
permit_check(const struct permit *permit)
{
	if (access(permit->file, permit->needed[0]) < 0)
		return permit->file;
	if (permit->arguments[0] == NULL)
		return NULL;
	for (int i = 1; i < LAUNCHER_ARGUMENTS_MAX; i++) {
		const char *file = permit->arguments[i];

		if (file == NULL)
			break;
		if (permit->needed[i] != 0 &&
		    access(file, permit->needed[i]) < 0)
			return file;
	}
	return NULL;
}
