/*
 * What the JSON document and the events say in the same way (formats.md).
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "json.h"
#include "report.h"

/* Digits after the point. */
enum { JSON_DIGITS_POINTS = 6, JSON_DIGITS_ELO = 3, JSON_DIGITS_SHARE = 6 };

/* {"value":..,"low":..,"high":..,"beyond":"none"} */
void json_estimate(struct json *json, const char *key,
    const struct estimate *estimate, int digits);

/* {"wins":..,"draws":..,"losses":..} */
void json_results(
    struct json *json, const char *key, const struct trinomial *results);

/* A member for each kind of offence. */
void json_offences(struct json *json, const char *key, const int64_t *offences);

/* The members of a verdict, into the open object. */
void json_verdict(struct json *json, const struct report_view *view);

/* The members that say what run this is, into the open object. */
void json_run(struct json *json, const struct report_view *view);

#endif
