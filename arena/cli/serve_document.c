/* Texts that serve makes in memory: pages, parts of pages, and JSON. */
#include <stdlib.h>

#include "buffers.h"
#include "serve.h"

bool
document_begin(struct document *document)
{
	*document = (struct document){ .text = NULL };
	html_init(&document->html,
	    memory_file_open(&document->text, &document->size));
	return document->html.file != NULL;
}

bool
document_begin_json(struct document *document)
{
	if (!document_begin(document))
		return false;
	json_document_begin(&document->json, document->html.file);
	return true;
}

bool
document_begin_page(struct document *document, const struct html_page *page)
{
	if (!document_begin(document))
		return false;
	document->html.failed = html_page_begin(&document->html, page) < 0;
	return true;
}

char *
document_end(struct document *document)
{
	bool good = document->html.file != NULL && !document->html.failed;

	if (document->json.file != NULL)
		json_document_end(&document->json);
	if (document->html.file != NULL)
		good &= fclose(document->html.file) == 0;
	if (good)
		return document->text;
	free(document->text);
	return NULL;
}

void
document_reply_page(struct document *document, const struct html_page *page,
    struct http_request *request)
{
	char *policy = html_policy(page), *text;
	const struct http_reply reply = { .policy = policy };

	document->html.failed |= policy == NULL ||
	    document->html.file == NULL ||
	    html_page_end(&document->html, page) < 0;
	text = document_end(document);
	http_reply(request, &reply, text, document->size);
	free(policy);
}
