#include "option_value.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "scopa/nearest.h"

enum { REASON_SIZE = 256 };

bool
option_fail(struct option_error *error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(error->what, sizeof(error->what), format, arguments);
	va_end(arguments);
	return false;
}

static void *
field_of(const struct option_target *target)
{
	return (char *)target->base + target->option->offset;
}

/* `1 to 64 deals` */
static void
range_format(const struct option *option, char *text, size_t size)
{
	bool spaced = option->unit != NULL;

	snprintf(text, size, "%" PRId64 " to %" PRId64 "%s%s", option->min,
	    option->max, spaced ? " " : "", spaced ? option->unit : "");
}

static bool
flag_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	static const char *const yes[] = { "yes", "1", "true", "on" };
	static const char *const no[] = { "no", "0", "false", "off" };
	bool *field = field_of(target);

	static_assert(sizeof(yes) == sizeof(no), "a no for every yes");
	for (int i = 0; i < COUNTOF(yes); i++) {
		if (strcmp(value, yes[i]) == 0 || strcmp(value, no[i]) == 0) {
			*field = strcmp(value, yes[i]) == 0;
			return true;
		}
	}
	return option_fail(
	    error, "%s %s: a flag is yes or no", target->label, value);
}

static bool
int_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char range[REASON_SIZE];
	char *end;
	long long number;

	range_format(option, range, sizeof(range));
	errno = 0;
	number = strtoll(value, &end, 10);
	if (end == value || *end != '\0' || isspace((unsigned char)value[0]))
		return option_fail(error, "%s %s: not a whole number (%s)",
		    target->label, value, range);
	if (errno == ERANGE || number < option->min || number > option->max)
		return option_fail(error, "%s %s: out of range (%s)",
		    target->label, value, range);
	*(int64_t *)field_of(target) = number;
	return true;
}

static bool
real_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char range[REASON_SIZE];
	char *end;
	double number;

	range_format(option, range, sizeof(range));
	number = strtod(value, &end);
	/* Only digits, sign, point and exponent: no `inf`, `nan` and `0x1`. */
	if (end == value || *end != '\0' ||
	    value[strspn(value, "0123456789+-.eE")] != '\0')
		return option_fail(error, "%s %s: not a number (%s)",
		    target->label, value, range);
	if (!(number >= (double)option->min && number <= (double)option->max))
		return option_fail(error, "%s %s: out of range (%s)",
		    target->label, value, range);
	*(double *)field_of(target) = number;
	return true;
}

static bool
name_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	const struct option *option = target->option;
	char list[REASON_SIZE] = "";
	size_t length = 0;
	struct scopa_nearest guess;

	scopa_nearest_init(&guess, value, strlen(value));
	for (int i = 0; option->names[i] != NULL; i++) {
		if (strcmp(option->names[i], value) == 0) {
			*(int *)field_of(target) = i;
			return true;
		}
		scopa_nearest_offer(&guess, option->names[i]);
		if (length < sizeof(list))
			length += (size_t)snprintf(list + length,
			    sizeof(list) - length, "%s%s", i > 0 ? ", " : "",
			    option->names[i]);
	}
	if (guess.name != NULL)
		snprintf(error->hint, sizeof(error->hint),
		    "did you mean \"%s\"?", guess.name);
	return option_fail(
	    error, "%s %s: not one of %s", target->label, value, list);
}

static bool
parsed_set(struct option_error *error, const struct option_target *target,
    const char *value)
{
	char bytes[REASON_SIZE];
	struct scopa_text why;
	void *field = field_of(target);

	scopa_text_init(&why, bytes, sizeof(bytes));
	if (target->option->parse(value, field, &why))
		return true;
	return option_fail(error, "%s %s: %s", target->label, value, bytes);
}

bool
option_value_read(const struct option_target *target, const char *value,
    struct option_error *error)
{
	switch (target->option->kind) {
	case OPTION_FLAG:
		return flag_set(error, target, value);
	case OPTION_INT:
		return int_set(error, target, value);
	case OPTION_REAL:
		return real_set(error, target, value);
	case OPTION_TEXT:
		if (value[0] == '\0')
			return option_fail(
			    error, "%s: the value is empty", target->label);
		*(const char **)field_of(target) = value;
		return true;
	case OPTION_NAME:
		return name_set(error, target, value);
	case OPTION_PARSED:
		return parsed_set(error, target, value);
	case OPTION_PAIRS:
	case OPTION_GROUP:
	case OPTION_TABLE:
	case OPTION_CONFIG:
	case OPTION_REFUSED:
		break;
	}
	/* These have other words, or no value. */
	abort();
}

void
option_value_fall_back(const struct option *option, void *base)
{
	const struct option_target target = { option, base, option->name };
	struct option_error error;
	bool good;

	if (option->fallback == NULL)
		return;
	good = option_value_read(&target, option->fallback, &error);
	/* A default that its own row refuses is our mistake. */
	assert(good);
	(void)good;
}
