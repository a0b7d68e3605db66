/*
 * Implements json.h.  The writer knows which objects and arrays are open, and
 * writes the commas.
 */
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "text_format.h"
#include "utf8.h"

void
json_init(struct json *json, FILE *file)
{
	memset(json, 0, sizeof(*json));
	json->file = file;
}

void
json_finish(struct json *json)
{
	assert(json->depth == 0);
	assert(json->filled[0]);
	fputc('\n', json->file);
}

/* Returns the letter of a short escape (`n` for LF), or 0. */
static char
short_escape(char byte)
{
	static const char bytes[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
	const char *found = memchr(bytes, byte, sizeof(bytes) - 1);

	return found != NULL ? letters[found - bytes] : '\0';
}

static void
string_write(FILE *file, const char *string)
{
	size_t left = strlen(string);

	fputc('"', file);
	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(string, left, &character);

		if (length == 0) {
			length = 1;
			fputs("\\ufffd", file);
		} else if (short_escape(string[0]) != '\0') {
			fputc('\\', file);
			fputc(short_escape(string[0]), file);
		} else if (utf8_steers(character)) {
			fprintf(file, "\\u%04" PRIx32, character);
		} else {
			fwrite(string, 1, length, file);
		}
		string += length;
		left -= length;
	}
	fputc('"', file);
}

/* Writes a comma if needed, and the key of a value inside an object. */
static void
value_begin(struct json *json, const char *key)
{
	int level = json->depth;

	/* A document has one value at the top. */
	assert(level > 0 || !json->filled[0]);
	assert(json->object[level] == (key != NULL));
	if (json->filled[level])
		fputc(',', json->file);
	json->filled[level] = true;
	if (key != NULL) {
		string_write(json->file, key);
		fputc(':', json->file);
	}
}

static void
level_begin(struct json *json, const char *key, bool object)
{
	value_begin(json, key);
	assert(json->depth < JSON_DEPTH_MAX);
	json->depth++;
	json->filled[json->depth] = false;
	json->object[json->depth] = object;
	fputc(object ? '{' : '[', json->file);
}

static void
level_end(struct json *json, bool object)
{
	assert(json->depth > 0);
	assert(json->object[json->depth] == object);
	json->depth--;
	fputc(object ? '}' : ']', json->file);
}

void
json_object_begin(struct json *json, const char *key)
{
	level_begin(json, key, true);
}

void
json_object_end(struct json *json)
{
	level_end(json, true);
}

void
json_document_begin(struct json *json, FILE *file)
{
	json_init(json, file);
	json_object_begin(json, NULL);
}

void
json_document_end(struct json *json)
{
	json_object_end(json);
	json_finish(json);
}

void
json_array_begin(struct json *json, const char *key)
{
	level_begin(json, key, false);
}

void
json_array_end(struct json *json)
{
	level_end(json, false);
}

static void value_print(struct json *json, const char *key, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

static void
value_print(struct json *json, const char *key, const char *format, ...)
{
	va_list arguments;

	value_begin(json, key);
	va_start(arguments, format);
	if (json->unknown)
		fputs("null", json->file);
	else
		vfprintf(json->file, format, arguments);
	va_end(arguments);
}

void
json_string(struct json *json, const char *key, const char *value)
{
	if (value == NULL || json->unknown) {
		json_null(json, key);
		return;
	}
	value_begin(json, key);
	string_write(json->file, value);
}

void
json_int_if(struct json *json, const char *key, bool known, int64_t value)
{
	if (known)
		json_int(json, key, value);
	else
		json_null(json, key);
}

void
json_int(struct json *json, const char *key, int64_t value)
{
	value_print(json, key, "%jd", value);
}

void
json_bool(struct json *json, const char *key, bool value)
{
	value_print(json, key, value ? "true" : "false");
}

void
json_null(struct json *json, const char *key)
{
	value_print(json, key, "null");
}

void
json_real(struct json *json, const char *key, double value, int digits)
{
	assert(digits >= 0 && digits <= 9);
	if (isfinite(value))
		value_print(json, key, "%s", number_fixed(value, digits).text);
	else
		json_null(json, key);
}
