/*
 * Time controls and what a seat has left, by absolute times handed in.
 *
 *     match:60+0.1   a bank of 60 s for the match, 0.1 s more for each answer
 *     deal:5+0       the same for each deal
 *     move:0.5       half a second for each answer
 *     none           no limit
 *
 * People write and read seconds, with their unit or without (`10`, `10s`,
 * `10000ms`); protocol, record and JSON write milliseconds.
 */
#ifndef BUDGET_H
#define BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "scopa/text.h"

#define BUDGET_NS_PER_MS INT64_C(1000000)

/* No deadline. */
#define BUDGET_NEVER INT64_MAX

/* The most that a bank can hold, 73 years: no deadline overflows by it. */
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

/* What one seat has left in its bank. */
struct budget {
	int64_t left_ns;
};

/* Reads what people write; false with a sentence in `why`. */
bool budget_control_parse(
    struct budget_control *control, const char *text, struct scopa_text *why);

/* Writes `match:60000+100`, as in protocol and record. */
void budget_control_format(
    const struct budget_control *control, struct scopa_text *text);

/*
 * Writes `match:60s+0.1s`, for people; budget_control_parse() reads the same
 * control from it.
 */
void budget_control_show(
    const struct budget_control *control, struct scopa_text *text);

/* About what one answer may take; BUDGET_NEVER: as long as it likes. */
int64_t budget_usual_ns(const struct budget_control *control);

/* At the start of a match and of each deal. */
void budget_start_match(
    struct budget *budget, const struct budget_control *control);
void budget_start_deal(
    struct budget *budget, const struct budget_control *control);

/* When an answer asked for at `asked_ns` is late; BUDGET_NEVER: never. */
int64_t budget_deadline_ns(const struct budget *budget,
    const struct budget_control *control, int64_t asked_ns, int64_t margin_ns);

/* An answer took `used_ns`: pays it and adds the increment. */
void budget_spend(struct budget *budget, const struct budget_control *control,
    int64_t used_ns);

/*
 * When what happens at `now_ns` is told where that is done in steps of
 * `step_ns`, the first one `origin_ns`: at the end of its step.
 */
int64_t budget_release_ns(int64_t origin_ns, int64_t step_ns, int64_t now_ns);

/* ` time=MS inc=MS` or ` move=MS` of a `go` line; nothing without a limit. */
void budget_format_go(const struct budget *budget,
    const struct budget_control *control, struct scopa_text *text);

#endif
