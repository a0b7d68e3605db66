/*
 * The parts of JSON that the document of a run and the events share
 * (docs/formats.md).
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "json.h"
#include "report.h"

/* Digits after the point. */
enum { JSON_POINTS = 6, JSON_ELO = 3, JSON_SHARE = 6 };

/* `A` for team 0 and so on; null for SCOPA_TEAM_NONE. */
void json_team(struct json *json, const char *key, int team);

/* {"A":..,"B":..} */
void json_team_points(
    struct json *json, const char *key, const int32_t *points, int team_count);

/* The seating of a game: `seats` and `teams`. */
void json_seating(struct json *json, const struct scopa_rules *rules);

/* A string, or null if it is empty. */
void json_given(struct json *json, const char *key, const char *text);

/* A number that is not negative; null if it is negative: not known. */
void json_known(struct json *json, const char *key, double value, int digits);

/* An array of numbers; null if `values` is NULL. */
void json_reals(struct json *json, const char *key, const double *values,
    int count, int digits);

/*
 * {"value":..,"low":..,"high":..,"beyond":"none"}; null if `estimate` is NULL.
 */
void json_estimate(struct json *json, const char *key,
    const struct estimate *estimate, int digits);

/* {"wins":..,"draws":..,"losses":..} */
void json_results(
    struct json *json, const char *key, const struct trinomial *results);

/* {"mu":..,"sigma":..} */
void json_skill(struct json *json, const struct skill *skill);

/* The members of a sequential test, and those of its state. */
void json_sprt_bounds(struct json *json, const struct sprt *sprt, int digits);
void json_sprt_state(
    struct json *json, const struct sprt_state *state, int digits);

/* A member for each kind of offence. */
void json_offences(struct json *json, const char *key, const int64_t *offences);

/* Adds `workers` and `replays` of a run on other machines to an object. */
void json_workers(struct json *json, const struct report_view *view);

/* Adds the members of a verdict to the open object. */
void json_verdict(struct json *json, const struct report_view *view);

/* Adds the members that describe the run to the open object. */
void json_run(struct json *json, const struct report_view *view);

#endif
