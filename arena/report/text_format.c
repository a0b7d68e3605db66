/*
 * Implements text_format.h: text of others made safe for a terminal, numbers,
 * tables and pages of text, words for a shell, and fields of CSV.
 */
#include "text_format.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "event.h"
#include "utf8.h"

/* Begins a text in one of a few static buffers, which later calls use again. */
static struct scopa_text
static_text(void)
{
	/* A path of 1 KB fits if each byte is quoted for a shell twice. */
	static char texts[16][5 * EVENT_TEXT_SIZE];
	static size_t next;
	struct scopa_text text;

	scopa_text_init(
	    &text, texts[next++ % COUNTOF(texts)], sizeof(texts[0]));
	return text;
}

const char *
cards_text(scopa_set cards, const char *none)
{
	struct scopa_text text = static_text();

	if (cards == SCOPA_SET_EMPTY)
		scopa_text_string(&text, none);
	while (cards != SCOPA_SET_EMPTY) {
		scopa_card_format(scopa_set_take(&cards), &text);
		if (cards != SCOPA_SET_EMPTY)
			scopa_text_char(&text, ' ');
	}
	return text.bytes;
}

const char *
move_text(const struct scopa_move *move)
{
	struct scopa_text text = static_text();

	scopa_move_format(move, &text);
	return text.bytes;
}

const char *
safe_text(const char *string)
{
	struct scopa_text text = static_text();

	text_sanitize(&text, string);
	return text.bytes;
}

void
text_moves(struct scopa_text *text, const struct scopa_move *moves, int count)
{
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(text, ' ');
		scopa_move_format(&moves[i], text);
	}
}

void
text_sanitize(struct scopa_text *text, const char *string)
{
	size_t left = strlen(string);

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(string, left, &character);
		char escape[8];

		if (length > 0 && !utf8_steers(character)) {
			/* A character is never cut. */
			if (length >= text->size - text->length) {
				text->cut = true;
				return;
			}
			scopa_text_bytes(text, string, length);
		} else {
			length = 1;
			snprintf(escape, sizeof(escape), "\\x%02x",
			    (unsigned char)string[0]);
			scopa_text_string(text, escape);
		}
		string += length;
		left -= length;
	}
}

const char *
shell_text(const char *word)
{
	struct scopa_text text = static_text();

	shell_word_format(word, &text);
	return text.bytes;
}

int
text_width(const char *string)
{
	int width = 0;

	/* Bytes 10xxxxxx continue a character; all others begin one. */
	for (; *string != '\0'; string++)
		width += ((unsigned char)*string & 0xc0) != 0x80;
	return width;
}

const char *
text_at(const char *string, int number)
{
	while (*string != '\0' && number-- > 0)
		do
			string++;
		while (((unsigned char)*string & 0xc0) == 0x80);
	return string;
}

/* Returns the columns of a word, without its escape sequences of colors. */
static int
word_width(const char *word, size_t length)
{
	int width = 0;

	for (size_t i = 0; i < length; i++) {
		if (word[i] == '\033')
			i += strcspn(word + i, "m");
		else
			width += ((unsigned char)word[i] & 0xc0) != 0x80;
	}
	return width;
}

void
text_wrap(const char *lines, int width, int indent, FILE *file)
{
	int at = 0;

	while (*lines != '\0') {
		int blanks = (int)strspn(lines, " ");
		size_t length = strcspn(lines + blanks, " \n");
		int columns = word_width(lines + blanks, length);

		if (width > 0 && at > indent && at + blanks + columns > width) {
			fprintf(file, "\n%*s", indent, "");
			at = indent;
		} else {
			fprintf(file, "%*s", blanks, "");
			at += blanks;
		}
		fwrite(lines + blanks, 1, length, file);
		at += columns;
		lines += (size_t)blanks + length;
		if (*lines == '\n') {
			fputc(*lines++, file);
			at = 0;
		}
	}
}

int
text_columns(int fd, int elsewhere)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
	    ? size.ws_col
	    : elsewhere;
}

void
text_printf(struct scopa_text *text, const char *format, ...)
{
	char bytes[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(bytes, sizeof(bytes), format, arguments);
	va_end(arguments);
	scopa_text_string(text, bytes);
}

enum { POINTS_DIGITS = 3, ELO_DIGITS = 1 };

struct number
number_format(const char *format, ...)
{
	struct number number;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(number.text, sizeof(number.text), format, arguments);
	va_end(arguments);
	return number;
}

static struct number
number_write(double value, int digits, const char *plus)
{
	struct number number = number_format("%.*f", digits, fabs(value));

	if (!isfinite(value))
		return number_format("unknown");
	/* A number that rounds to 0 has no sign. */
	if (strpbrk(number.text, "123456789") == NULL)
		return number;
	return number_format(
	    "%s%.*f", value < 0 ? "-" : plus, digits, fabs(value));
}

struct number
number_signed(double value, int digits)
{
	return number_write(value, digits, "+");
}

struct number
number_fixed(double value, int digits)
{
	return number_write(value, digits, "");
}

/* Formats Elo: `+21.7`, or `>10000` if all games were won. */
static struct number
number_elo_value(double elo)
{
	if (fabs(elo) >= ESTIMATE_ELO_MAX)
		return number_format(
		    elo > 0 ? ">%.0f" : "<-%.0f", ESTIMATE_ELO_MAX);
	return number_signed(elo, ELO_DIGITS);
}

struct number
number_points(const struct estimate *points)
{
	struct number low = number_signed(points->low, POINTS_DIGITS);
	struct number high = number_signed(points->high, POINTS_DIGITS);

	return number_format("%s [%s, %s]",
	    number_signed(points->value, POINTS_DIGITS).text,
	    points->low_beyond ? "?" : low.text,
	    points->high_beyond ? "?" : high.text);
}

struct number
number_elo(const struct estimate *elo)
{
	double low = elo->low_beyond ? -ESTIMATE_ELO_MAX : elo->low;
	double high = elo->high_beyond ? ESTIMATE_ELO_MAX : elo->high;

	return number_format("%s [%s, %s]", number_elo_value(elo->value).text,
	    number_elo_value(low).text, number_elo_value(high).text);
}

struct number
number_half(const struct estimate *estimate, int digits)
{
	if (estimate->low_beyond || estimate->high_beyond)
		return number_format("?");
	return number_fixed((estimate->high - estimate->low) / 2, digits);
}

struct number
number_points_half(const struct estimate *points)
{
	return number_format("%s +-%s",
	    number_signed(points->value, POINTS_DIGITS).text,
	    number_half(points, POINTS_DIGITS).text);
}

struct number
number_elo_half(const struct estimate *elo)
{
	return number_format("%s +-%s", number_elo_value(elo->value).text,
	    number_half(elo, ELO_DIGITS).text);
}

struct number
number_percent(double share)
{
	return number_format("%s%%", number_fixed(100 * share, 1).text);
}

struct number
number_probability(double probability)
{
	if (isnan(probability))
		return number_format("?");
	if (probability > 0.999)
		return number_format(">99.9%%");
	if (probability < 0.001)
		return number_format("<0.1%%");
	return number_percent(probability);
}

struct number
number_grouped(int64_t count)
{
	struct number plain = number_format("%jd", count), grouped;
	size_t length = strlen(plain.text), end = 0;

	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			grouped.text[end++] = ',';
		grouped.text[end++] = plain.text[i];
	}
	grouped.text[end] = '\0';
	return grouped;
}

struct number
number_typeset(struct number number)
{
	struct number set;
	char *end = set.text;

	for (const char *byte = number.text;
	     *byte != '\0' && end < set.text + sizeof(set.text) - 4; byte++) {
		if (byte[0] == '+' && byte[1] == '-') {
			end = stpcpy(end, "\u00b1");
			byte++;
		} else if (*byte == '-') {
			end = stpcpy(end, "\u2212");
		} else {
			*end++ = *byte;
		}
	}
	*end = '\0';
	return set;
}

/* `points a deal` is the name in files that programs read. */
const char *
text_unit(const char *unit)
{
	return strcmp(unit, "points a deal") == 0 ? "points per deal" : unit;
}

enum {
	GAP = 2,        /* columns between two cells */
	NAME_LEAST = 12 /* columns that names keep on a narrow terminal */
};

void
text_table_init(struct text_table *table, int column_count, int fixed_count)
{
	assert(column_count > 0);
	assert(fixed_count >= 0 && fixed_count <= column_count);
	*table = (struct text_table){
		.column_count = column_count,
		.fixed_count = fixed_count,
	};
	table->file = memory_file_open(&table->bytes, &table->size);
}

static void
table_put(struct text_table *table, const char *cell, size_t length)
{
	if (table->file != NULL) {
		fwrite(cell, 1, length, table->file);
		fputc('\0', table->file);
	}
	table->cell_count++;
}

/* Adds the cells of a string with | between them. */
static void
cells_split(struct text_table *table, const char *string)
{
	for (;;) {
		size_t length = strcspn(string, "|");

		table_put(table, string, length);
		if (string[length] == '\0')
			return;
		string += length + 1;
	}
}

void
text_table_open(struct text_table *table, const char *headings, int fixed_count)
{
	int column_count = 1;

	for (const char *at = headings; *at != '\0'; at++)
		column_count += *at == '|';
	text_table_init(table, column_count, fixed_count);
	cells_split(table, headings);
}

void
text_table_add(struct text_table *table, const char *format, ...)
{
	char raw[TEXT_CELL_SIZE];
	struct scopa_text text = SCOPA_TEXT(TEXT_CELL_SIZE);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(raw, sizeof(raw), format, arguments);
	va_end(arguments);
	text_sanitize(&text, raw);
	table_put(table, text.bytes, text.length);
}

void
text_table_row(struct text_table *table, const char *format, ...)
{
	char cells[TEXT_CELL_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(cells, sizeof(cells), format, arguments);
	va_end(arguments);
	cells_split(table, cells);
}

/* The cells of a table that is being printed. */
struct text_cells {
	const struct text_table *table;
	const char **cells;
	int *widths; /* of the columns, in columns of the terminal */
	FILE *file;
};

/* Prints a cell; of a too wide one the start and the end: `long..name`. */
static void
short_put(const char *cell, int width, FILE *file)
{
	int columns = text_width(cell), half = (width - 2) / 2;
	const char *end = text_at(cell, columns - (width - 2 - half));

	if (columns <= width)
		fputs(cell, file);
	else
		fprintf(file, "%.*s..%s", (int)(text_at(cell, half) - cell),
		    cell, end);
}

/* Prints a cell after *pending blanks, and sets *pending for the next one. */
static void
cell_print(const struct text_cells *print, size_t row, int column, int *pending)
{
	size_t columns = (size_t)print->table->column_count;
	const char *cell = print->cells[row * columns + (size_t)column];
	int width = print->widths[column], columns_used = text_width(cell);
	int blanks = columns_used < width ? width - columns_used : 0;
	bool is_left = column == print->table->fixed_count - 1;

	if (!is_left)
		*pending += blanks;
	/* An empty cell prints no blanks: no line ends in blanks. */
	if (*cell != '\0') {
		fprintf(print->file, "%*s", *pending, "");
		short_put(cell, width, print->file);
		*pending = 0;
	}
	if (is_left)
		*pending += blanks;
	*pending += GAP;
}

/* Prints the kept columns, and the columns first..end-1. */
static void
piece_print(const struct text_cells *print, int first, int end)
{
	const struct text_table *table = print->table;
	size_t rows = table->cell_count / (size_t)table->column_count;

	for (size_t row = 0; row < rows; row++) {
		int pending = 0;

		for (int column = 0; column < table->fixed_count; column++)
			cell_print(print, row, column, &pending);
		for (int column = first; column < end; column++)
			cell_print(print, row, column, &pending);
		fputc('\n', print->file);
	}
}

/* Narrows the names so that the widest column fits beside them. */
static void
names_narrow(const struct text_cells *print, int width)
{
	int names = print->table->fixed_count - 1, widest = 0;

	for (int column = 0; column < print->table->column_count; column++)
		if (column < names)
			width -= print->widths[column] + GAP;
		else if (column > names && print->widths[column] > widest)
			widest = print->widths[column];
	if (widest > 0)
		width -= GAP + widest;
	if (width < NAME_LEAST)
		width = NAME_LEAST;
	if (names >= 0 && print->widths[names] > width)
		print->widths[names] = width;
}

static void
pieces_print(const struct text_cells *print, int width)
{
	const struct text_table *table = print->table;
	const int *widths = print->widths;
	int first = table->fixed_count, kept = 0;

	for (int column = 0; column < table->fixed_count; column++)
		kept += widths[column] + GAP;
	do {
		int end = first;
		int used = kept;

		/* At least one column, even if it is too wide. */
		while (end < table->column_count &&
		    (end == first || used + widths[end] <= width)) {
			used += widths[end] + GAP;
			end++;
		}
		if (first > table->fixed_count)
			fputc('\n', print->file);
		piece_print(print, first, end);
		first = end;
	} while (first < table->column_count);
}

int
text_table_print(struct text_table *table, int width, FILE *file)
{
	size_t columns = (size_t)table->column_count;
	bool failed = table->file == NULL || ferror(table->file) != 0;
	struct text_cells print = {
		.table = table,
		.cells = calloc(table->cell_count + 1, sizeof(*print.cells)),
		.widths = calloc(columns, sizeof(*print.widths)),
		.file = file,
	};
	const char *at;

	assert(table->cell_count % columns == 0);
	if (table->file != NULL)
		failed |= fclose(table->file) != 0;
	failed |= print.cells == NULL || print.widths == NULL;
	at = table->bytes;
	for (size_t i = 0; i < table->cell_count && !failed; i++) {
		int *widest = &print.widths[i % columns];
		int wide = text_width(at);

		print.cells[i] = at;
		*widest = wide > *widest ? wide : *widest;
		at += strlen(at) + 1;
	}
	if (!failed) {
		names_narrow(&print, width);
		pieces_print(&print, width);
	}
	free(print.cells);
	free(print.widths);
	free(table->bytes);
	return failed ? -ENOMEM : 0;
}

/*
 * Pages of text.
 */

enum {
	LABEL_WIDTH = 10,
	NOTE_INDENT = 2, /* of the second line of a title or a note */
	RAW_SIZE = TEXT_LINE_SIZE / 2
};

struct report_style
report_style_of(FILE *file)
{
	struct report_style style = { .width = REPORT_WIDTH };
	const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
	int fd = fileno(file);

	if (fd < 0 || !isatty(fd))
		return style;
	style.wraps = true;
	style.width = text_columns(fd, REPORT_WIDTH);
	style.color = (plain == NULL || *plain == '\0') && term != NULL &&
	    strcmp(term, "dumb") != 0;
	return style;
}

struct text_page
text_page_of(const struct report_view *view, const struct report_style *style,
    FILE *file)
{
	return (struct text_page){
		.view = view,
		.style = style,
		.file = file,
		.label_width = LABEL_WIDTH,
	};
}

__attribute__((format(printf, 3, 0))) static void
line_add(struct text_page *page, enum look look, const char *format,
    va_list arguments)
{
	static const char *const colors[] = {
		[LOOK_PLAIN] = NULL,
		[LOOK_BOLD] = "\033[1m",
		[LOOK_GOOD] = "\033[1;32m",
		[LOOK_BAD] = "\033[1;31m",
		[LOOK_DOUBT] = "\033[1;33m",
	};
	bool colored = look != LOOK_PLAIN && page->style->color;
	struct scopa_text *line = &page->line;
	char raw[RAW_SIZE];

	_Static_assert(COUNTOF(colors) == LOOK_COUNT, "a color each");
	if (line->bytes == NULL)
		scopa_text_init(line, page->bytes, sizeof(page->bytes));
	vsnprintf(raw, sizeof(raw), format, arguments);
	if (colored)
		scopa_text_string(line, colors[look]);
	text_sanitize(line, raw);
	if (colored)
		scopa_text_string(line, "\033[0m");
}

void
text_put(struct text_page *page, enum look look, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_add(page, look, format, arguments);
	va_end(arguments);
}

/* Prints the line, wrapped to this width; 0: not wrapped. */
static void
line_print(struct text_page *page, int width, int indent)
{
	text_wrap(page->line.bytes, width, indent, page->file);
	fputc('\n', page->file);
	if (page->line.cut && page->style->color)
		fputs("\033[0m", page->file);
	scopa_text_init(&page->line, page->bytes, sizeof(page->bytes));
}

void
text_end(struct text_page *page)
{
	line_print(page, page->style->wraps ? page->style->width : 0,
	    page->label_width);
}

void
text_end_whole(struct text_page *page)
{
	line_print(page, 0, 0);
}

void
text_label(struct text_page *page, const char *label)
{
	text_put(page, LOOK_PLAIN, "%-*s ", page->label_width - 1, label);
}

void
text_line(struct text_page *page, const char *label, const char *format, ...)
{
	va_list arguments;

	text_label(page, label);
	va_start(arguments, format);
	line_add(page, LOOK_PLAIN, format, arguments);
	va_end(arguments);
	text_end(page);
}

void
text_title(struct text_page *page, const char *format, ...)
{
	va_list arguments;

	fputc('\n', page->file);
	va_start(arguments, format);
	line_add(page, LOOK_BOLD, format, arguments);
	va_end(arguments);
	line_print(page, page->style->width, NOTE_INDENT);
}

void
text_note(struct text_page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	line_add(page, LOOK_PLAIN, format, arguments);
	va_end(arguments);
	line_print(page, page->style->width, NOTE_INDENT);
}

void
text_put_table(struct text_page *page, struct text_table *table)
{
	int result = text_table_print(table, page->style->width, page->file);

	if (page->result == 0)
		page->result = result;
}

/*
 * Fields of comma-separated values.
 */

/* Full-width signs of East Asian keyboards begin formulas too. */
static bool
begins_formula(uint32_t character)
{
	static const uint32_t signs[] = { '=', '+', '-', '@', 0xff1d, 0xff0b,
		0xff0d, 0xff20 };

	for (int i = 0; i < COUNTOF(signs); i++)
		if (character == signs[i])
			return true;
	return false;
}

/* Returns whether some program divides fields here or skips it before one. */
static bool
divides(uint32_t character)
{
	return character != 0 && character < 0x80 &&
	    strchr(" \t\r\n,;|\"", (int)character) != NULL;
}

void
csv_field_put(FILE *file, const char *text)
{
	bool quoted = text[strcspn(text, ",;|\"\t\r\n")] != '\0';
	bool at_start = true;
	size_t left = strlen(text);

	if (quoted)
		fputc('"', file);
	while (left > 0) {
		uint32_t character = 0;
		size_t length = utf8_read(text, left, &character);

		if (length == 0 || utf8_steers(character)) {
			length = 1;
			fprintf(file, "\\x%02x", (unsigned char)text[0]);
		} else {
			if (at_start && begins_formula(character))
				fputc('\'', file);
			if (character == '"')
				fputc('"', file);
			fwrite(text, 1, length, file);
		}
		at_start = divides(character);
		text += length;
		left -= length;
	}
	if (quoted)
		fputc('"', file);
}
