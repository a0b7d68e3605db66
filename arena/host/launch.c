#include "launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"

bool
launch_number(const char *text, int *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || value < 0 ||
	    value > INT_MAX)
		return false;
	*number = (int)value;
	return true;
}

/* The value behind `--option=`, or NULL. */
static const char *
option_value(const char *argument, const char *option)
{
	size_t length = strlen(option);

	return strncmp(argument, option, length) == 0 ? argument + length
						      : NULL;
}

static bool
tree_parse(const char *text, struct launch *launch)
{
	static const char *const names[] = {
		[TREE_BOX] = "box",
		[TREE_DOMAIN] = "domain",
		[TREE_USER] = "user",
		[TREE_STOP] = "stop",
	};

	for (int tree = 0; tree < COUNTOF(names); tree++) {
		if (strcmp(text, names[tree]) != 0)
			continue;
		launch->supervised = true;
		launch->tree = (enum tree_kill)tree;
		return true;
	}
	return false;
}

static bool
bytes_parse(const char *text, int64_t *bytes)
{
	char *end;

	errno = 0;
	*bytes = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0' && *bytes >= 0;
}

/* False for an option that does not exist or a number that is none. */
static bool
option_take(struct launch *launch, const char *argument)
{
	const struct {
		const char *option;
		bool *flag;
		const char **text;
		int *number;
	} rows[] = {
		{ "--dir=", NULL, &launch->dir, NULL },
		{ "--read=", NULL, &launch->read, NULL },
		{ "--as=", NULL, &launch->name, NULL },
		{ "--parent=", NULL, NULL, &launch->parent },
		{ "--report=", NULL, NULL, &launch->report_fd },
		{ "--end=", NULL, NULL, &launch->end_fd },
		{ "--cgroup=", NULL, NULL, &launch->cgroup_fd },
		{ "--filter=", NULL, NULL, &launch->filter_fd },
		{ "--scratch=", NULL, NULL, &launch->scratch_kib },
		{ "--user=", NULL, NULL, &launch->user },
		{ "--jail", &launch->jailed, NULL, NULL },
		{ "--shared-futex", &launch->allows_futexes, NULL, NULL },
		{ "--root", &launch->rooted, NULL, NULL },
		{ "--stale", &launch->stale, NULL, NULL },
	};
	const char *value;

	for (int i = 0; i < COUNTOF(rows); i++) {
		value = option_value(argument, rows[i].option);
		if (value == NULL)
			continue;
		if (rows[i].number != NULL)
			return launch_number(value, rows[i].number);
		if (rows[i].text != NULL)
			*rows[i].text = value;
		else if (*value == '\0')
			*rows[i].flag = true;
		return rows[i].text != NULL || *value == '\0';
	}
	if ((value = option_value(argument, "--tree=")) != NULL)
		return tree_parse(value, launch);
	if ((value = option_value(argument, "--memory=")) != NULL)
		return bytes_parse(value, &launch->memory_max_bytes);
	value = option_value(argument, "--hide=");
	if (value == NULL || launch->hidden_count == ALLOWANCE_HIDDEN_MAX)
		return false;
	launch->hidden[launch->hidden_count++] = value;
	return true;
}

bool
launch_parse(struct launch *launch, int argc, char **argv, const char **wrong)
{
	int i = 2;

	*launch = (struct launch){
		.report_fd = -1,
		.filter_fd = -1,
		.end_fd = -1,
		.cgroup_fd = -1,
	};
	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (argv[i][2] == '\0') {
			i++;
			break;
		}
		if (!option_take(launch, argv[i])) {
			*wrong = argv[i];
			return false;
		}
	}
	*wrong = NULL;
	if (i >= argc)
		return false;
	launch->file = argv[i];
	launch->arguments = argv + i;
	if (launch->name == NULL)
		launch->name = launch->file;
	return true;
}
