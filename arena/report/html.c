/*
 * Implements html.h: elements and text, tables, and whole pages.
 *
 * The `>` of a tag is written when the next thing is written.  Until then
 * attributes can be added.
 */
#include "html.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "countof.h"
#include "utf8.h"

/* A file of the folder `page`; the build makes page_file.inc from it. */
struct page_file {
	const char *name; /* `report.css` */
	const char *text;
};

#include "page_file.inc"

enum {
	HEADINGS_SIZE = 512,
	LONG_NAME = 20, /* letters; a longer name may take two lines */
	LONG_FACT = 40  /* bytes; a longer fact has its own line */
};

void
html_init(struct html *html, FILE *file)
{
	*html = (struct html){ .file = file };
}

/* Ends the open tag. */
static void
tag_end(struct html *html)
{
	if (html->tagging)
		fputc('>', html->file);
	html->tagging = false;
}

/* Returns the reference of a byte that would be markup, or NULL. */
static const char *
reference_of(char byte)
{
	static const char bytes[] = "&<>\"'";
	static const char *const references[] = { "&amp;", "&lt;", "&gt;",
		"&quot;", "&#39;" };
	const char *found = memchr(bytes, byte, sizeof(bytes) - 1);

	return found != NULL ? references[found - bytes] : NULL;
}

/* Writes escaped text; `lines`: LF and tab stay as they are. */
static void
text_write(FILE *file, const char *bytes, size_t size, bool lines)
{
	while (size > 0) {
		uint32_t character;
		size_t length = utf8_read(bytes, size, &character);
		const char *reference = reference_of(bytes[0]);
		bool plain = length > 0 &&
		    (!utf8_steers(character) ||
			(lines && (bytes[0] == '\n' || bytes[0] == '\t')));

		if (reference != NULL)
			fputs(reference, file);
		else if (plain)
			fwrite(bytes, 1, length, file);
		else
			fprintf(file, "\\x%02x", (unsigned char)bytes[0]);
		length = plain ? length : 1;
		bytes += length;
		size -= length;
	}
}

__attribute__((format(printf, 2, 0))) static void
text_format(struct html *html, const char *format, va_list arguments)
{
	char *text;
	int size = vasprintf(&text, format, arguments);

	if (size < 0) {
		html->failed = true;
		return;
	}
	text_write(html->file, text, (size_t)size, false);
	free(text);
}

void
html_begin(struct html *html, const char *name)
{
	const char *class = strchrnul(name, '.');

	assert(html->depth < HTML_DEPTH_MAX);
	tag_end(html);
	html->open[html->depth++] = name;
	fprintf(html->file, "<%.*s", (int)(class - name), name);
	if (*class != '\0') {
		fputs(" class=\"", html->file);
		for (class ++; *class != '\0'; class ++)
			fputc(*class == '.' ? ' ' : *class, html->file);
		fputc('"', html->file);
	}
	html->tagging = true;
}

/* Ends the innermost element. */
static void
element_end(struct html *html)
{
	const char *open = html->open[--html->depth];

	tag_end(html);
	/* A <meta> has no content and no end tag. */
	if (strcmp(open, "meta") != 0)
		fprintf(html->file, "</%.*s>", (int)strcspn(open, "."), open);
}

void
html_end(struct html *html, const char *name)
{
	size_t length = strlen(name);

	assert(html->depth > 0);
	assert(strcspn(html->open[html->depth - 1], ".") == length);
	assert(strncmp(html->open[html->depth - 1], name, length) == 0);
	element_end(html);
}

void
html_attribute(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;

	assert(html->tagging);
	fprintf(html->file, " %s=\"", name);
	va_start(arguments, format);
	text_format(html, format, arguments);
	va_end(arguments);
	fputc('"', html->file);
}

__attribute__((format(printf, 2, 0))) static void
numbers_write(struct html *html, const char *format, va_list arguments)
{
	assert(html->tagging);
	assert(strstr(format, "%s") == NULL);
	fputc(' ', html->file);
	vfprintf(html->file, format, arguments);
}

void
html_numbers(struct html *html, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	numbers_write(html, format, arguments);
	va_end(arguments);
}

void
html_text(struct html *html, const char *format, ...)
{
	va_list arguments;

	tag_end(html);
	va_start(arguments, format);
	text_format(html, format, arguments);
	va_end(arguments);
}

void
html_lines(struct html *html, const char *bytes, size_t size)
{
	tag_end(html);
	text_write(html->file, bytes, size, true);
}

void
html_put(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;

	html_begin(html, name);
	tag_end(html);
	va_start(arguments, format);
	text_format(html, format, arguments);
	va_end(arguments);
	element_end(html);
}

void
html_shape(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;

	html_begin(html, name);
	va_start(arguments, format);
	numbers_write(html, format, arguments);
	va_end(arguments);
	element_end(html);
}

void
html_json(struct html *html, const char *id, const char *bytes, size_t size)
{
	html_begin(html, "script");
	html_attribute(html, "type", "application/json");
	html_attribute(html, "id", "%s", id);
	tag_end(html);
	for (size_t i = 0; i < size; i++)
		if (bytes[i] == '<')
			fputs("\\u003c", html->file);
		else
			fputc(bytes[i], html->file);
	html_end(html, "script");
}

/*
 * Tables.
 */

void
html_wide_begin(struct html *html, const char *label)
{
	html_begin(html, "div.wide");
	html_attribute(html, "role", "group");
	html_attribute(html, "tabindex", "0");
	html_attribute(html, "aria-label", "%s", label);
}

void
html_details_begin(struct html *html, const char *format, ...)
{
	va_list arguments;

	html_begin(html, "details");
	html_begin(html, "summary");
	tag_end(html);
	va_start(arguments, format);
	text_format(html, format, arguments);
	va_end(arguments);
	html_end(html, "summary");
}

void
html_fact(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	html->failed |= text == NULL;
	if (text != NULL && text[0] != '\0') {
		html_begin(html, strlen(text) > LONG_FACT ? "div.long" : "div");
		html_put(html, "dt", "%s", name);
		html_put(html, "dd", "%s", text);
		html_end(html, "div");
	}
	free(text);
}

void
html_pre(struct html *html, const char *bytes, size_t size)
{
	html_begin(html, "pre");
	html_attribute(html, "tabindex", "0");
	html_lines(html, bytes, size);
	html_end(html, "pre");
}

static void
put_heading(struct html *html, const char *element, const char *heading)
{
	html_begin(html, element);
	html_attribute(html, "scope", "col");
	html_text(html, "%s", heading);
	html_end(html, "th");
}

void
html_table_heading(struct html *html, const char *heading)
{
	put_heading(html, "th", heading);
}

void
html_table_begin(
    struct html *html, const char *label, const char *headings, bool sortable)
{
	char bytes[HEADINGS_SIZE], *rest = bytes;

	html_wide_begin(html, label);
	html_begin(html, sortable ? "table.sortable" : "table");
	html_begin(html, "thead");
	html_begin(html, "tr");
	snprintf(bytes, sizeof(bytes), "%s", headings);
	while (rest != NULL) {
		const char *heading = strsep(&rest, "|");
		bool text = *heading == '^';

		put_heading(html, text ? "th.text" : "th", heading + text);
	}
}

/* Ends the open row.  After the row of headings the other rows begin. */
static void
row_end(struct html *html)
{
	html_end(html, "tr");
	if (strcmp(html->open[html->depth - 1], "thead") == 0) {
		html_end(html, "thead");
		html_begin(html, "tbody");
	}
}

void
html_table_row(struct html *html)
{
	row_end(html);
	html_begin(html, "tr");
}

void
html_table_end(struct html *html)
{
	row_end(html);
	html_end(html, "tbody");
	html_end(html, "table");
	html_end(html, "div");
	fputc('\n', html->file);
}

void
html_table_name(struct html *html, const char *name)
{
	html_begin(html, text_width(name) > LONG_NAME ? "th.long" : "th");
	html_attribute(html, "scope", "row");
	html_text(html, "%s", name);
	html_end(html, "th");
}

void
html_table_number(struct html *html, struct number number)
{
	html_put(html, "td", "%s", number_typeset(number).text);
}

void
html_table_count(struct html *html, int64_t count)
{
	html_put(html, "td", "%s", number_grouped(count).text);
}

/*
 * Pages.
 */

/* Calls `put` for each file of a list. */
static void
files_read(const char *const *names,
    void (*put)(void *context, const char *bytes, size_t size), void *context)
{
	for (; *names != NULL; names++) {
		const struct page_file *file = page_files;

		while (strcmp(file->name, *names) != 0) {
			file++;
			assert(file < page_files + COUNTOF(page_files));
		}
		/* `</script>` or `</style>` would end the file. */
		assert(strstr(file->text, "</s") == NULL);
		put(context, file->text, strlen(file->text));
	}
}

static void
put_file(void *context, const char *bytes, size_t size)
{
	fwrite(bytes, 1, size, context);
}

static void
put_hash(void *context, const char *bytes, size_t size)
{
	crypto_hash_sha256_update(
	    context, (const unsigned char *)bytes, (unsigned long long)size);
}

/* Writes `'sha256-...'` of the files as they are written. */
static void
hash_write(const char *const *names, FILE *file)
{
	crypto_hash_sha256_state state;
	unsigned char digest[crypto_hash_sha256_BYTES];
	char base64[sodium_base64_ENCODED_LEN(
	    sizeof(digest), sodium_base64_VARIANT_ORIGINAL)];

	crypto_hash_sha256_init(&state);
	files_read(names, put_hash, &state);
	crypto_hash_sha256_final(&state, digest);
	sodium_bin2base64(base64, sizeof(base64), digest, sizeof(digest),
	    sodium_base64_VARIANT_ORIGINAL);
	fprintf(file, "'sha256-%s'", base64);
}

char *
html_policy(const struct html_page *page)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = memory_file_open(&text, &size);

	if (file == NULL)
		return NULL;
	fputs("default-src 'none'; img-src data:; base-uri 'none'; "
	      "form-action 'none'; style-src ",
	    file);
	hash_write(page->styles, file);
	fputs("; script-src ", file);
	hash_write(page->scripts, file);
	if (page->connects)
		fputs("; connect-src 'self'", file);
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* Writes `<meta name="viewport" content="...">`. */
static void
put_meta(
    struct html *html, const char *key, const char *name, const char *content)
{
	html_begin(html, "meta");
	html_attribute(html, key, "%s", name);
	html_attribute(html, "content", "%s", content);
	html_end(html, "meta");
	fputc('\n', html->file);
}

int
html_page_begin(struct html *html, const struct html_page *page)
{
	char *policy = html_policy(page);

	if (policy == NULL)
		return -ENOMEM;
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n",
	    html->file);
	put_meta(html, "http-equiv", "Content-Security-Policy", policy);
	free(policy);
	put_meta(
	    html, "name", "viewport", "width=device-width, initial-scale=1");
	put_meta(html, "name", "color-scheme", "light dark");
	put_meta(html, "name", "referrer", "no-referrer");
	html_put(html, "title", "%s", page->title);
	/* Without it a browser asks the server for an icon. */
	fputs("\n<link rel=\"icon\" href=\"data:,\">\n<style>", html->file);
	files_read(page->styles, put_file, html->file);
	fputs("</style>\n</head>\n<body>\n"
	      "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n",
	    html->file);
	return 0;
}

int
html_page_end(struct html *html, const struct html_page *page)
{
	assert(html->depth == 0);
	fputs("<script>", html->file);
	files_read(page->scripts, put_file, html->file);
	fputs("</script>\n</body>\n</html>\n", html->file);
	return html->failed ? -ENOMEM : 0;
}
