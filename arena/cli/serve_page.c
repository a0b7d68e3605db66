/*
 * Implements serve_page.h.
 */
#include "serve_page.h"

#include <stdlib.h>

const struct page_kind page_of_list = {
	.styles = { "report.css", "live.css" },
	.scripts = { "report.js", "live.js" },
	.connects = true,
};

const struct page_kind page_of_run = {
	.styles = { "report.css", "replay.css", "live.css" },
	.scripts = { "report.js", "cards.js", "live.js" },
	.connects = true,
};

const struct page_kind page_of_game = {
	.styles = { "report.css", "replay.css" },
	.scripts = { "report.js", "cards.js", "replay.js" },
};

bool
document_begin(struct document *document)
{
	FILE *file = open_memstream(&document->text, &document->size);

	if (file == NULL)
		return false;
	html_init(&document->html, file);
	return true;
}

char *
document_end(struct document *document)
{
	bool good = fclose(document->html.file) == 0 && !document->html.failed;

	if (good)
		return document->text;
	free(document->text);
	return NULL;
}

/* Begins the top of a page, with a way up if there is one. */
static void
put_masthead(struct html *html, const char *up, const char *where)
{
	html_begin(html, "header.masthead");
	html_begin(html, "p.kicker");
	html_text(html, "Scopa Arena");
	if (up != NULL) {
		html_text(html, " \u00b7 ");
		html_begin(html, "a");
		html_attribute(html, "href", "%s", up);
		html_text(html, "%s", where);
		html_end(html, "a");
	}
	html_end(html, "p");
	html_end(html, "header");
}

void
serve_page_reply(struct http_request *request, const struct page_kind *kind,
    const char *title, const char *up, const char *where, const char *text)
{
	const struct html_page page = {
		.title = title,
		.styles = kind->styles,
		.scripts = kind->scripts,
		.connects = kind->connects,
	};
	char *policy = html_policy(&page);
	const struct http_reply reply = { .policy = policy };
	struct document document;
	char *whole = NULL;

	if (text != NULL && policy != NULL && document_begin(&document)) {
		struct html *html = &document.html;

		if (html_page_begin(html, &page) < 0)
			html->failed = true;
		put_masthead(html, up, where);
		html_begin(html, "main");
		html_attribute(html, "id", "main");
		html_text(html, "%s", "");
		fputs(text, html->file);
		html_end(html, "main");
		if (html_page_end(html, &page) < 0)
			html->failed = true;
		whole = document_end(&document);
	}
	http_reply(request, &reply, whole, whole != NULL ? document.size : 0);
	free(policy);
}
