/*
 * Writes one JSON document.
 *
 * Commas and escapes are taken care of; what cannot be said in JSON is made
 * sayable: bytes that are no UTF-8 become U+FFFD, numbers that are not finite
 * become null.  `key` is the member's name inside an object and NULL inside an
 * array and at the top.
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
	bool filled[JSON_DEPTH_MAX + 1]; /* a level: something stands in it */
	bool object[JSON_DEPTH_MAX + 1]; /* a level: an object, not an array */
	bool unknown; /* the caller's: while it is set, all values are null */
};

void json_init(struct json *json, FILE *file);

/* Ends the document with a line end; everything must be closed. */
void json_finish(struct json *json);

void json_object_begin(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array_begin(struct json *json, const char *key);
void json_array_end(struct json *json);

/* A document that is one object, whose members follow; and its end. */
void json_document_begin(struct json *json, FILE *file);
void json_document_end(struct json *json);

/* A string, or null where `value` is NULL. */
void json_string(struct json *json, const char *key, const char *value);
void json_int(struct json *json, const char *key, int64_t value);
/* The same, or null where nothing is known. */
void json_int_if(struct json *json, const char *key, bool known, int64_t value);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

/* A number with a fixed number (0..9) of digits after the point; NAN: null. */
void json_real(struct json *json, const char *key, double value, int digits);

#endif
