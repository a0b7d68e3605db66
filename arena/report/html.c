/*
 * Implements html.h.
 *
 * A tag is written without its end, which follows as soon as something else is
 * written: until then it takes attributes.
 */
#include "html.h"

#include <assert.h>
#include <errno.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "page_file.h"
#include "utf8.h"

void
html_init(struct html *html, FILE *file)
{
	*html = (struct html){ .file = file };
}

/* Ends the tag that is open. */
static void
tag_end(struct html *html)
{
	if (html->tagging)
		fputc('>', html->file);
	html->tagging = false;
}

static const char *
reference_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* Writes text escaped; `lines`: with LF and tab as they are. */
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

/* Elements that have no content and no end. */
static bool
is_void(const char *name)
{
	static const char *const names[] = { "meta", "link", "input", "br" };

	for (size_t i = 0; i < COUNTOF(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
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

void
html_end(struct html *html, const char *name)
{
	size_t length = strlen(name);
	const char *open;

	assert(html->depth > 0);
	open = html->open[--html->depth];
	assert(strncmp(open, name, length) == 0);
	assert(open[length] == '\0' || open[length] == '.');
	tag_end(html);
	if (!is_void(name))
		fprintf(html->file, "</%s>", name);
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

/* Ends the innermost element, whose name may have a class. */
static void
end_of(struct html *html, const char *name)
{
	char element[16];

	snprintf(element, sizeof(element), "%.*s",
	    (int)(strchrnul(name, '.') - name), name);
	html_end(html, element);
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
	end_of(html, name);
}

void
html_shape(struct html *html, const char *name, const char *format, ...)
{
	va_list arguments;

	html_begin(html, name);
	va_start(arguments, format);
	numbers_write(html, format, arguments);
	va_end(arguments);
	end_of(html, name);
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

/* Writes the files of a list, which must not end their element. */
static int
files_write(const char *const *names, FILE *file)
{
	for (; *names != NULL; names++) {
		const struct page_file *page = page_file_find(*names);
		size_t size;
		char *text;

		assert(page != NULL);
		text = page_file_text(page, &size);
		if (text == NULL)
			return -ENOMEM;
		assert(strstr(text, "</s") == NULL);
		fwrite(text, 1, size, file);
		free(text);
	}
	return 0;
}

/* ` 'sha256-...'` of the files as they are written; 0 or -ENOMEM. */
static int
hash_write(const char *const *names, FILE *file)
{
	unsigned char digest[crypto_hash_sha256_BYTES];
	char base64[sodium_base64_ENCODED_LEN(
	    sizeof(digest), sodium_base64_VARIANT_ORIGINAL)];
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	int result;

	if (memory == NULL)
		return -ENOMEM;
	result = files_write(names, memory);
	if (fclose(memory) != 0)
		result = -ENOMEM;
	if (result == 0) {
		crypto_hash_sha256(digest, (const unsigned char *)text, size);
		sodium_bin2base64(base64, sizeof(base64), digest,
		    sizeof(digest), sodium_base64_VARIANT_ORIGINAL);
		fprintf(file, "'sha256-%s'", base64);
	}
	free(text);
	return result;
}

char *
html_policy(const struct html_page *page)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	int result;

	if (file == NULL)
		return NULL;
	fputs("default-src 'none'; img-src data:; base-uri 'none'; "
	      "form-action 'none'; style-src ",
	    file);
	result = hash_write(page->styles, file);
	fputs("; script-src ", file);
	if (result == 0)
		result = hash_write(page->scripts, file);
	if (page->connects)
		fputs("; connect-src 'self'", file);
	if (fclose(file) != 0 || result != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* `<meta name="viewport" content="...">` */
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
	/* Without it a server would be asked for one. */
	fputs("\n<link rel=\"icon\" href=\"data:,\">\n<style>", html->file);
	if (files_write(page->styles, html->file) < 0)
		html->failed = true;
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
	if (files_write(page->scripts, html->file) < 0)
		html->failed = true;
	fputs("</script>\n</body>\n</html>\n", html->file);
	return html->failed ? -ENOMEM : 0;
}
