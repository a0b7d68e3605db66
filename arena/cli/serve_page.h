/*
 * Pages of `serve`, made in memory: a shell with styles and scripts around a
 * main part.
 */
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include "html.h"
#include "http.h"

/* The files of a page. */
struct page_kind {
	const char *styles[4], *scripts[4];
	bool connects;
};

extern const struct page_kind page_of_list, page_of_run, page_of_game;

/* A document in memory. */
struct document {
	struct html html;
	char *text;
	size_t size;
};

/* Begins a document; false without memory. */
bool document_begin(struct document *document);

/* Returns the text, for free(); NULL without memory. */
char *document_end(struct document *document);

/*
 * Replies with a page whose main part is `text`, HTML; NULL: there was no
 * memory.  `up` is the address of the page above it, `where` its name; or NULL.
 */
void serve_page_reply(struct http_request *request,
    const struct page_kind *kind, const char *title, const char *up,
    const char *where, const char *text);

#endif
