/*
 * An HTTP server inside an event loop, for the pages of this program.
 *
 * A table of routes says which function answers which path.  The function
 * answers at once, or opens a stream of Server-Sent Events.  There are no
 * threads: everything is called from the event loop.
 *
 * The server defends the pages: it refuses a Host header that names neither
 * an address nor the server (DNS rebinding), a POST whose Origin is not the
 * page itself, paths, headers and bodies that are too long, and more
 * connections than it has room for.  Each reply has a Content-Security-Policy
 * and the like.
 *
 * A stream has no queue.  When the browser can take more, the server asks the
 * owner of the stream for the next text.  So a slow viewer costs no memory: the
 * owner sends it what is new since the last time.
 */
#ifndef HTTP_H
#define HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loop.h"

/* The shared library that is loaded when a server is opened. */
#define HTTP_LIBRARY "libmicrohttpd.so.12"

enum {
	HTTP_PATH_MAX = 1024,       /* bytes of a path */
	HTTP_BODY_MAX = 8192,       /* bytes of a body */
	HTTP_HEAD_MAX = 16384,      /* bytes of request line and headers */
	HTTP_CONNECTIONS_MAX = 256, /* at once */
	HTTP_PER_ADDRESS_MAX = 192, /* of them, of one address */
	HTTP_TIMEOUT_S = 30,        /* of a connection that does nothing */
	HTTP_WORDS_MAX = 4,         /* `:` in a route */
	HTTP_STREAM_BEAT_S = 15,    /* a stream that is silent gets a comment */
	HTTP_TABLES_MAX = 4,        /* of routes */
	HTTP_HOST_SIZE = 256
};

struct http;
struct http_request;
struct http_stream;

/*
 * What a path is answered by.  In `path` a word `:` stands for any word that is
 * not empty: `/run/:/report`.
 */
struct http_route {
	const char *method; /* `GET`, which HEAD is, too; or `POST` */
	const char *path;
	/* Replies by http_reply() or http_stream_open(); else it is a 404. */
	void (*handle)(void *context, struct http_request *request);
};

struct http_config {
	const char *host; /* address to listen on, or a name of one */
	uint16_t port;    /* 0: any that is free */
};

/*
 * Opens a server in a loop.  0 or -errno: -EOPNOTSUPP if the program was built
 * without the library; -ENOPKG if the library is not installed; -ENOENT if
 * there is no such host; the errors of bind(2).
 */
int http_open(
    struct http **http, struct loop *loop, const struct http_config *config);

/*
 * Adds routes, which must outlive the server; the last one has no method.  At
 * most HTTP_TABLES_MAX times.
 */
void http_serve(
    struct http *http, const struct http_route *routes, void *context);

/* Ends all streams and closes the server.  NULL is allowed. */
void http_close(struct http *http);

/* The address of its pages: `http://127.0.0.1:8080`. */
const char *http_url(const struct http *http);

/* Whether only this machine can reach it. */
bool http_is_local(const struct http *http);

/*
 * A request; valid during the call of its handler.
 */

/* The word that stood for the `:` number `index`, from 0. */
const char *http_word(const struct http_request *request, int index);

/* The body of a POST, with a NUL behind it. */
const char *http_body(const struct http_request *request);

/*
 * The reply.
 */

/* For pages whose styles and scripts are files of this server. */
#define HTTP_POLICY_FILES                                           \
	"default-src 'none'; style-src 'self'; script-src 'self'; " \
	"connect-src 'self'; img-src data:; base-uri 'none'; "      \
	"form-action 'self'; frame-ancestors 'none'"

/*
 * For pages that hold their styles and scripts, and name the hashes of these in
 * a policy of their own.
 */
#define HTTP_POLICY_INLINE                                             \
	"default-src 'none'; style-src 'unsafe-inline'; "              \
	"script-src 'unsafe-inline'; img-src data:; base-uri 'none'; " \
	"form-action 'none'; frame-ancestors 'none'"

struct http_reply {
	int status;           /* 0: 200 */
	const char *type;     /* NULL: text/html; charset=utf-8 */
	const char *policy;   /* NULL: HTTP_POLICY_FILES */
	const char *location; /* of a redirect; NULL: none */
};

/* Replies with a text, which is freed; NULL: there was no memory. */
void http_reply(struct http_request *request, const struct http_reply *reply,
    char *text, size_t size);

/* Replies with one line of text. */
void http_reply_line(struct http_request *request, int status,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Server-Sent Events.
 */

struct http_stream_calls {
	/*
	 * Writes the next text to send, whole events by http_event(); or
	 * nothing: then it is called again after http_stream_wake().
	 */
	void (*fill)(void *viewer, FILE *file);
	/* The stream is over: the viewer has gone, or the server ends it. */
	void (*close)(void *viewer);
};

/*
 * Replies with a stream.  Returns 0; or -errno, and then a reply was made, and
 * `close` is not called.
 */
int http_stream_open(struct http_request *request,
    const struct http_stream_calls *calls, void *viewer,
    struct http_stream **stream);

/* There is something new: `fill` is called as soon as the viewer takes more. */
void http_stream_wake(struct http_stream *stream);

/* Ends the stream after what `fill` has to say. */
void http_stream_end(struct http_stream *stream);

/*
 * Writes an event: its name (NULL: none), and its text, which may have several
 * lines.
 */
void http_event(FILE *file, const char *name, const char *text);

#endif
