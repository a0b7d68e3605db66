/*
 * Time controls: reading and writing them, and the bank of a seat.  All times
 * are in ns, except those of a control, which are in ms.  The bank is never
 * negative and at most BUDGET_LEFT_MAX_NS.
 */
#include "budget.h"

#include <assert.h>
#include <string.h>

#include "words.h"

/* A bank is expected to serve at least this number of answers. */
enum { BANK_ANSWERS = 32 };

static const char *const kind_names[] = {
	[BUDGET_NONE] = "none",
	[BUDGET_MATCH] = "match",
	[BUDGET_DEAL] = "deal",
	[BUDGET_MOVE] = "move",
};

_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == BUDGET_KIND_COUNT,
    "every kind has a name");

/*
 * Removes a unit from the end of a time; returns false if the unit is not
 * there.
 */
static bool
strip_unit(struct word *word, const char *unit)
{
	size_t length = strlen(unit);

	if (word->length <= length ||
	    memcmp(word->bytes + word->length - length, unit, length) != 0)
		return false;
	word->length -= length;
	return true;
}

/* Reads `0.5` as 500; at most three digits after the point. */
static bool
parse_seconds(struct word word, int64_t *time_ms)
{
	struct word whole, part = word;
	int64_t time_us;

	if (!word_next_piece(&part, '.', &whole) ||
	    (part.bytes && (part.length == 0 || part.length > 3)) ||
	    !word_to_us(word, &time_us))
		return false;
	*time_ms = time_us / 1000;
	return true;
}

/* Reads `0.5`, `0.5s` and `500ms` as 500. */
static bool
parse_time(struct word word, int64_t *time_ms)
{
	if (strip_unit(&word, "ms"))
		return word_to_int(
		    word, 0, (int64_t)WORD_SECONDS_MAX * 1000, time_ms);
	strip_unit(&word, "s");
	return parse_seconds(word, time_ms);
}

static bool
refuse_control(const char *text, struct scopa_text *why)
{
	scopa_text_print(why,
	    "time control \"%s\" is none of match:S+I, deal:S+I, move:S and "
	    "none (times in "
	    "seconds, up to three decimals, or with a unit, 10s or 500ms; S "
	    "above 0)",
	    text);
	return false;
}

bool
budget_control_parse(
    struct budget_control *control, const char *text, struct scopa_text *why)
{
	struct word rest = { text, strlen(text) }, kind, base;
	struct budget_control parsed = { .kind = BUDGET_NONE };

	if (strcmp(text, kind_names[BUDGET_NONE]) == 0) {
		*control = parsed;
		return true;
	}
	if (!word_next_piece(&rest, ':', &kind) || rest.bytes == NULL)
		return refuse_control(text, why);
	for (int i = BUDGET_MATCH; i < BUDGET_KIND_COUNT; i++)
		if (word_is(kind, kind_names[i]))
			parsed.kind = (enum budget_kind)i;
	if (parsed.kind == BUDGET_NONE || !word_next_piece(&rest, '+', &base) ||
	    !parse_time(base, &parsed.base_ms) || parsed.base_ms == 0)
		return refuse_control(text, why);
	if (rest.bytes &&
	    (parsed.kind == BUDGET_MOVE ||
		!parse_time(rest, &parsed.increment_ms)))
		return refuse_control(text, why);
	*control = parsed;
	return true;
}

void
budget_control_format(
    const struct budget_control *control, struct scopa_text *text)
{
	scopa_text_string(text, kind_names[control->kind]);
	if (control->kind != BUDGET_NONE)
		scopa_text_print(text, ":%jd", control->base_ms);
	if (control->kind == BUDGET_MATCH || control->kind == BUDGET_DEAL)
		scopa_text_print(text, "+%jd", control->increment_ms);
}

/* Writes 500 as `0.5s`. */
static void
show_time(int64_t time_ms, struct scopa_text *text)
{
	int64_t rest = time_ms % 1000;

	scopa_text_int(text, time_ms / 1000);
	if (rest > 0)
		scopa_text_char(text, '.');
	for (int64_t unit = 100; rest > 0; unit /= 10) {
		scopa_text_char(text, (char)('0' + rest / unit));
		rest %= unit;
	}
	scopa_text_char(text, 's');
}

void
budget_control_show(
    const struct budget_control *control, struct scopa_text *text)
{
	scopa_text_string(text, kind_names[control->kind]);
	if (control->kind == BUDGET_NONE)
		return;
	scopa_text_char(text, ':');
	show_time(control->base_ms, text);
	if (control->kind == BUDGET_MOVE || control->increment_ms == 0)
		return;
	scopa_text_char(text, '+');
	show_time(control->increment_ms, text);
}

int64_t
budget_usual_ns(const struct budget_control *control)
{
	int64_t base_ns = control->base_ms * BUDGET_NS_PER_MS;

	if (control->kind == BUDGET_NONE)
		return BUDGET_NEVER;
	if (control->kind == BUDGET_MOVE)
		return base_ns;
	return base_ns / BANK_ANSWERS +
	    control->increment_ms * BUDGET_NS_PER_MS;
}

void
budget_start_match(struct budget *budget, const struct budget_control *control)
{
	budget->left_ns = control->base_ms * BUDGET_NS_PER_MS;
}

void
budget_start_deal(struct budget *budget, const struct budget_control *control)
{
	if (control->kind == BUDGET_DEAL)
		budget_start_match(budget, control);
}

int64_t
budget_deadline_ns(const struct budget *budget,
    const struct budget_control *control, int64_t begin_ns, int64_t margin_ns)
{
	if (control->kind == BUDGET_NONE)
		return BUDGET_NEVER;
	return begin_ns + budget->left_ns + margin_ns;
}

void
budget_spend(struct budget *budget, const struct budget_control *control,
    int64_t used_ns)
{
	if (control->kind == BUDGET_NONE || control->kind == BUDGET_MOVE)
		return;
	/* An answer within the margin may have used more time than was left. */
	budget->left_ns -=
	    used_ns < budget->left_ns ? used_ns : budget->left_ns;
	budget->left_ns += control->increment_ms * BUDGET_NS_PER_MS;
	if (budget->left_ns > BUDGET_LEFT_MAX_NS)
		budget->left_ns = BUDGET_LEFT_MAX_NS;
}

void
budget_format_go(const struct budget *budget,
    const struct budget_control *control, struct scopa_text *text)
{
	if (control->kind == BUDGET_NONE)
		return;
	scopa_text_string(
	    text, control->kind == BUDGET_MOVE ? " move=" : " time=");
	scopa_text_int(text, budget->left_ns / BUDGET_NS_PER_MS);
	if (control->kind == BUDGET_MOVE)
		return;
	scopa_text_string(text, " inc=");
	scopa_text_int(text, control->increment_ms);
}

int64_t
budget_release_ns(int64_t origin_ns, int64_t step_ns, int64_t now_ns)
{
	int64_t late_ns = now_ns > origin_ns ? now_ns - origin_ns : 0;

	assert(step_ns > 0);
	return origin_ns + (late_ns + step_ns - 1) / step_ns * step_ns;
}
