#include "figure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { POINTS_DIGITS = 3, ELO_DIGITS = 1 };

void
figure_print(struct scopa_text *text, const char *format, ...)
{
	char bytes[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	scopa_text_string(text, bytes);
}

/* Whether the number is written with a digit that is not 0. */
static bool
is_seen(const char *number)
{
	return strpbrk(number, "123456789") != NULL;
}

static void
number_write(
    struct scopa_text *text, double value, int digits, const char *plus)
{
	char bytes[400]; /* the largest double has 309 digits */

	if (!isfinite(value)) {
		scopa_text_string(text, "unknown");
		return;
	}
	snprintf(bytes, sizeof(bytes), "%.*f", digits, fabs(value));
	if (is_seen(bytes))
		scopa_text_string(text, value < 0 ? "-" : plus);
	scopa_text_string(text, bytes);
}

void
figure_signed(struct scopa_text *text, double value, int digits)
{
	number_write(text, value, digits, "+");
}

void
figure_number(struct scopa_text *text, double value, int digits)
{
	number_write(text, value, digits, "");
}

/* `[+0.478, +0.546]`, with the words for ends that were clamped. */
static void
interval_write(struct scopa_text *text, const struct estimate *estimate,
    int digits, const char *below, const char *above)
{
	scopa_text_string(text, " [");
	if (estimate->low_beyond)
		scopa_text_string(text, below);
	else
		figure_signed(text, estimate->low, digits);
	scopa_text_string(text, ", ");
	if (estimate->high_beyond)
		scopa_text_string(text, above);
	else
		figure_signed(text, estimate->high, digits);
	scopa_text_string(text, "]");
}

/* Elo of nothing but wins or losses is no number. */
void
figure_elo_value(struct scopa_text *text, double elo)
{
	if (elo >= ESTIMATE_ELO_MAX)
		figure_print(text, ">%.0f", ESTIMATE_ELO_MAX);
	else if (elo <= -ESTIMATE_ELO_MAX)
		figure_print(text, "<-%.0f", ESTIMATE_ELO_MAX);
	else
		figure_signed(text, elo, ELO_DIGITS);
}

void
figure_points(struct scopa_text *text, const struct estimate *points)
{
	figure_signed(text, points->value, POINTS_DIGITS);
	interval_write(text, points, POINTS_DIGITS, "beyond", "beyond");
}

void
figure_elo(struct scopa_text *text, const struct estimate *elo)
{
	char below[FIGURE_SIZE], above[FIGURE_SIZE];

	snprintf(below, sizeof(below), "<-%.0f", ESTIMATE_ELO_MAX);
	snprintf(above, sizeof(above), ">%.0f", ESTIMATE_ELO_MAX);
	figure_elo_value(text, elo->value);
	interval_write(text, elo, ELO_DIGITS, below, above);
}

void
figure_half(
    struct scopa_text *text, const struct estimate *estimate, int digits)
{
	if (estimate->low_beyond || estimate->high_beyond)
		scopa_text_string(text, "beyond");
	else
		figure_number(
		    text, (estimate->high - estimate->low) / 2, digits);
}

void
figure_points_half(struct scopa_text *text, const struct estimate *points)
{
	figure_signed(text, points->value, POINTS_DIGITS);
	scopa_text_string(text, " +-");
	figure_half(text, points, POINTS_DIGITS);
}

void
figure_elo_half(struct scopa_text *text, const struct estimate *elo)
{
	figure_elo_value(text, elo->value);
	scopa_text_string(text, " +-");
	figure_half(text, elo, ELO_DIGITS);
}

void
figure_percent(struct scopa_text *text, double share)
{
	figure_number(text, 100 * share, 1);
	scopa_text_char(text, '%');
}

void
figure_probability(struct scopa_text *text, double probability)
{
	if (probability > 0.999)
		scopa_text_string(text, ">99.9%");
	else if (probability < 0.001)
		scopa_text_string(text, "<0.1%");
	else
		figure_percent(text, probability);
}
