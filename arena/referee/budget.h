/*
 * Time controls, and the time that a seat has left.  The caller gives all
 * times.
 *
 *     match:60+0.1   a bank of 60 s for the match, 0.1 s more for each answer
 *     deal:5+0       the same for each deal
 *     move:0.5       half a second for each answer
 *     none           no limit
 *
 * Users write and read seconds, with a unit or without (`10`, `10s`,
 * `10000ms`).  Protocol, record and JSON contain milliseconds.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "scopa/text.h"

#define BUDGET_NS_PER_MS INT64_C(1000000)

/* A time that never comes: there is no deadline. */
#define BUDGET_NEVER INT64_MAX

/*
 * The greatest content of a bank, 73 years.  With this limit no deadline
 * overflows.
 */
#define BUDGET_LEFT_MAX_NS (INT64_C(1) << 61)

enum budget_kind {
	BUDGET_NONE,
	BUDGET_MATCH,
	BUDGET_DEAL,
	BUDGET_MOVE,
	BUDGET_KIND_COUNT
};

struct budget_control {
	enum budget_kind kind;
	int64_t base_ms;      /* of the bank, or of one answer */
	int64_t increment_ms; /* added to a bank after each answer */
};

/* The time that one seat has left in its bank. */
struct budget {
	int64_t left_ns;
};

/*
 * Reads a time control that a user wrote.  Returns false, with a sentence in
 * `why`, if it is wrong; *control is then not changed.
 */
bool budget_control_parse(
    struct budget_control *control, const char *text, struct scopa_text *why);

/* Writes `match:60000+100`, as in protocol and record. */
void budget_control_format(
    const struct budget_control *control, struct scopa_text *text);

/*
 * Writes `match:60s+0.1s`, for users. budget_control_parse reads the same
 * control from it.
 */
void budget_control_show(
    const struct budget_control *control, struct scopa_text *text);

/* The time that one answer usually has, in ns.  BUDGET_NEVER: no limit. */
int64_t budget_usual_ns(const struct budget_control *control);

/*
 * Fill the bank at the start of a match, and at the start of each deal if the
 * control is for a deal.
 */
void budget_start_match(
    struct budget *budget, const struct budget_control *control);
void budget_start_deal(
    struct budget *budget, const struct budget_control *control);

/*
 * The time after which an answer is late, if the clock started at `begin_ns`.
 * BUDGET_NEVER: there is no limit.
 */
int64_t budget_deadline_ns(const struct budget *budget,
    const struct budget_control *control, int64_t begin_ns, int64_t margin_ns);

/* Subtracts the time of an answer from the bank and adds the increment. */
void budget_spend(struct budget *budget, const struct budget_control *control,
    int64_t used_ns);

/*
 * The time at which something that happened at `now_ns` is reported, if reports
 * come in steps of `step_ns` from `origin_ns` on: the end of its step.
 */
int64_t budget_release_ns(int64_t origin_ns, int64_t step_ns, int64_t now_ns);

/*
 * Writes ` time=MS inc=MS` or ` move=MS` of a `go` line, or nothing if there is
 * no limit.
 */
void budget_format_go(const struct budget *budget,
    const struct budget_control *control, struct scopa_text *text);

#endif
