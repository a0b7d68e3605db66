#include "environment.h"

#include <string.h>
#include <unistd.h>

#include "countof.h"
#include "file_policy.h"

static bool
environment_has(const struct environment *environment, const char *entry)
{
	size_t length = strcspn(entry, "=") + 1;

	for (size_t i = 0; i < environment->count; i++)
		if (strncmp(environment->entries[i], entry, length) == 0)
			return true;
	return false;
}

void
environment_init(struct environment *environment, bool scratch)
{
	static char scratch_home[] = "HOME=" FILE_POLICY_PLACE;
	static char scratch_temporary[] = "TMPDIR=" FILE_POLICY_PLACE;
	static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	static char lang[] = "LANG=C.UTF-8";
	static char home[] = "HOME=/";
	static char unbuffered[] = "PYTHONUNBUFFERED=1";
	char *const fallbacks[] = { path, lang, scratch ? scratch_home : home,
		unbuffered, scratch_temporary };
	const int count = COUNTOF(fallbacks) - !scratch;
	const size_t prefix = strlen(LAUNCHER_ENVIRONMENT_PREFIX);

	environment->count = 0;
	for (char **entry = environ; *entry != NULL; entry++)
		if (environment->count < LAUNCHER_ENVIRONMENT_MAX &&
		    strncmp(*entry, LAUNCHER_ENVIRONMENT_PREFIX, prefix) == 0)
			environment->entries[environment->count++] =
			    *entry + prefix;
	for (int i = 0; i < count; i++) {
		char *chosen = fallbacks[i];
		size_t name = strcspn(chosen, "=") + 1;

		if (environment_has(environment, chosen))
			continue;
		for (char **entry = environ; *entry != NULL; entry++)
			if (chosen != scratch_home &&
			    strncmp(*entry, chosen, name) == 0)
				chosen = *entry;
		environment->entries[environment->count++] = chosen;
	}
	environment->entries[environment->count] = NULL;
}

const char *
environment_value(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (char *const *entry = environment; *entry != NULL; entry++)
		if (strncmp(*entry, name, length) == 0)
			return *entry + length;
	return NULL;
}
