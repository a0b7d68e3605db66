/*
 * Writes one JSON document.
 *
 * The functions write commas and escapes.  Bytes that are no UTF-8 become
 * U+FFFD, and numbers that are not finite become null.  `key` is the name of
 * the member inside an object, and NULL inside an array and at the top.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH_MAX = 16 };

struct json {
	FILE *file;                      /* the caller's */
	uint8_t depth;                   /* open objects and arrays */
	bool filled[JSON_DEPTH_MAX + 1]; /* the level has a value */
	bool object[JSON_DEPTH_MAX + 1]; /* the level is an object */
	bool unknown; /* set by the caller: all values become null */
};

void json_init(struct json *json, FILE *file);

/* Ends the document with a line end; all levels must be closed. */
void json_finish(struct json *json);

void json_object_begin(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array_begin(struct json *json, const char *key);
void json_array_end(struct json *json);

/* Begins a document that is one object, and ends it. */
void json_document_begin(struct json *json, FILE *file);
void json_document_end(struct json *json);

/* A string, or null if `value` is NULL. */
void json_string(struct json *json, const char *key, const char *value);
void json_int(struct json *json, const char *key, int64_t value);
/* The same, or null if the value is not known. */
void json_int_if(struct json *json, const char *key, bool known, int64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* A number with a fixed number (0..9) of digits after the point; NAN: null. */
void json_real(struct json *json, const char *key, double value, int digits);

#endif
