/*
 * Stands for http.c in a program that is built without libmicrohttpd (SERVE=0):
 * no server can be opened, so nothing else is ever called.
 */
#include "http.h"

#include <errno.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

int
http_open(
    struct http **http, struct loop *loop, const char *host, uint16_t port)
{
	return -EOPNOTSUPP;
}

void
http_close(struct http *http)
{
}

/* clang-format off */
#define NEVER_CALLED { abort(); }

void http_serve(struct http *http, const struct http_route *routes,
    void *context) NEVER_CALLED
const char *http_url(const struct http *http) NEVER_CALLED
bool http_is_local(const struct http *http) NEVER_CALLED
const char *http_word(const struct http_request *request, int index)
    NEVER_CALLED
const char *http_body(const struct http_request *request) NEVER_CALLED
void http_reply(struct http_request *request, const struct http_reply *reply,
    char *text, size_t size) NEVER_CALLED
void http_reply_line(struct http_request *request, int status,
    const char *format, ...) NEVER_CALLED
int http_stream_open(struct http_request *request,
    const struct http_stream_calls *calls, void *viewer,
    struct http_stream **stream) NEVER_CALLED
void http_stream_wake(struct http_stream *stream) NEVER_CALLED
void http_stream_end(struct http_stream *stream) NEVER_CALLED
void http_event(FILE *file, const char *name, const char *text) NEVER_CALLED
