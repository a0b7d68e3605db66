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

/* `A` of team 0; null of SCOPA_TEAM_NONE. */
void json_team(struct json *json, const char *key, int team);

/* {"A":..,"B":..} */
void json_team_points(
    struct json *json, const char *key, const int32_t *points, int team_count);

/* The seating of a game: `seats` and `teams`. */
void json_seating(struct json *json, const struct scopa_rules *rules);

/* A string, or null where it is empty. */
void json_given(struct json *json, const char *key, const char *text);

/* A number that is 0 or more, or null of one below 0, which is not known. */
void json_known(struct json *json, const char *key, double value, int digits);

/* An array of numbers; null of NULL. */
void json_reals(struct json *json, const char *key, const double *values,
    int count, int digits);

/* {"value":..,"low":..,"high":..,"beyond":"none"}; null of NULL. */
void json_estimate(struct json *json, const char *key,
    const struct estimate *estimate, int digits);

/* {"wins":..,"draws":..,"losses":..} */
void json_results(
    struct json *json, const char *key, const struct trinomial *results);

/* {"mu":..,"sigma":..} */
void json_skill(struct json *json, const struct skill *skill);

/* The members of a sequential test, and of how far it is. */
void json_sprt_bounds(struct json *json, const struct sprt *sprt, int digits);
void json_sprt_state(
    struct json *json, const struct sprt_state *state, int digits);

/* A member for each kind of offence. */
void json_offences(struct json *json, const char *key, const int64_t *offences);

/* `workers` and `replays` of a run on other machines, into the open object. */
void json_workers(struct json *json, const struct report_view *view);

/* The members of a verdict, into the open object. */
void json_verdict(struct json *json, const struct report_view *view);

/* The members that say what run this is, into the open object. */
void json_run(struct json *json, const struct report_view *view);

#endif
