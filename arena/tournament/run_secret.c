/*
 * The secret of a run in a file of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_state.h"
#include "terms.h"

/* What stands in the configuration where the seed would. */
#define POINTER \
	"# The seed is in the file \"" RUN_SECRET "\" until the run is over."

/* What stands for the seed, in either way. */
static const char *const seeds[] = { TERMS_SEED, POINTER, NULL };

int
run_secret_put(const char *folder, const struct shuffle_key *secret)
{
	char path[PATH_MAX], line[SHUFFLE_HEX_SIZE + 1];
	int status;

	shuffle_key_format(secret, line);
	strcat(line, "\n");
	run_path_join(path, folder, RUN_SECRET);
	/* An older one may be open to others. */
	if (unlink(path) < 0 && errno != ENOENT)
		return -errno;
	status = run_text_make(path, line, 0600);
	return status ? status : run_folder_sync(folder);
}

int
run_secret_read(const char *folder, struct shuffle_key *secret)
{
	char *text;
	size_t length;
	int status = run_text_read(folder, RUN_SECRET, &text);

	if (status)
		return status;
	length = strcspn(text, "\n");
	if (length != SHUFFLE_HEX_SIZE - 1 || strcmp(text + length, "\n") != 0)
		status = -EBADMSG;
	text[length] = '\0';
	if (!status && !shuffle_key_parse(text, secret))
		status = -EBADMSG;
	free(text);
	return status;
}

int
run_secret_remove(const char *folder)
{
	char path[PATH_MAX];

	run_path_join(path, folder, RUN_SECRET);
	return unlink(path) < 0 && errno != ENOENT ? -errno : 0;
}

char *
run_secret_conceal(const char *config)
{
	return terms_config_set(config, seeds, POINTER);
}

char *
run_secret_show(const char *config, const struct shuffle_key *secret)
{
	char line[sizeof(TERMS_SEED) + SHUFFLE_HEX_SIZE] = TERMS_SEED;

	shuffle_key_format(secret, line + strlen(TERMS_SEED));
	return terms_config_set(config, seeds, line);
}
