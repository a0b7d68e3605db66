/*
 * An HTTP server inside an event loop, for the pages of this program.
 *
 * A table of routes has a function for each path.  The function replies at
 * once, or opens a stream of Server-Sent Events.  There are no threads: the
 * event loop calls everything.
 *
 * The server protects the pages.  It refuses a Host header that names neither
 * an address nor the server (DNS rebinding), a POST whose Origin is another
 * page, too long paths, headers and bodies, and too many connections.  Each
 * reply has a Content-Security-Policy and similar headers.
 *
 * A stream has no queue.  When the browser can receive more, the server asks
 * the owner of the stream for the next text: what is new since the last one.
 * So a slow viewer needs no memory.
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
	HTTP_PER_ADDRESS_MAX = 192, /* at once, from one address */
	HTTP_TIMEOUT_S = 30,        /* of an idle connection */
	HTTP_WORDS_MAX = 4,         /* `:` in a route */
	HTTP_STREAM_BEAT_S = 15,    /* a silent stream sends a comment */
	HTTP_TABLES_MAX = 4,        /* of routes */
	HTTP_HOST_SIZE = 256
};

struct http;
struct http_request;
struct http_stream;

/*
 * The function for a path.  In `path` the word `:` stands for any word that is
 * not empty: `/run/:/report`.
 */
struct http_route {
	const char *method; /* `GET` (also for HEAD) or `POST` */
	const char *path;
	/* Calls http_reply() or http_stream_open().  If not: status 404. */
	void (*handle)(void *context, struct http_request *request);
};

/*
 * Opens a server in a loop, which listens on an address, or on that of a name;
 * port 0: any free port.  Returns 0 or -errno: -EOPNOTSUPP: the program was
 * built without the library; -ENOPKG: the library is not installed; -ENOENT:
 * the host is unknown; the errors of bind(2).
 */
int http_open(
    struct http **http, struct loop *loop, const char *host, uint16_t port);

/*
 * Adds a table of routes, which must outlive the server; a row without a method
 * ends it.  There are at most HTTP_TABLES_MAX tables.
 */
void http_serve(
    struct http *http, const struct http_route *routes, void *context);

/* Ends all streams and closes the server.  NULL is allowed. */
void http_close(struct http *http);

/* Returns the address of its pages: `http://127.0.0.1:8080`. */
const char *http_url(const struct http *http);

/* Returns whether only this machine can reach it. */
bool http_is_local(const struct http *http);

/*
 * A request.  It is valid during the call of its function.
 */

/* Returns the word in place of `:` number `index`, from 0. */
const char *http_word(const struct http_request *request, int index);

/* Returns the body of a POST; a NUL follows it. */
const char *http_body(const struct http_request *request);

/*
 * The reply.
 */

/* The policy of pages whose styles and scripts are files of this server. */
#define HTTP_POLICY_FILES                                           \
	"default-src 'none'; style-src 'self'; script-src 'self'; " \
	"connect-src 'self'; img-src data:; base-uri 'none'; "      \
	"form-action 'self'; frame-ancestors 'none'"

/*
 * The policy of pages that contain their styles and scripts.  Such a page has
 * the hashes of these in its own policy.
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

/* Replies with a text, and frees it; NULL: there was no memory. */
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
	 * Writes the next text to send: whole events by http_event().  If it
	 * writes nothing, it is called again after http_stream_wake().
	 */
	void (*fill)(void *viewer, FILE *file);
	/* The stream is closed by the viewer or by the server. */
	void (*close)(void *viewer);
};

/*
 * Replies with a stream.  Returns 0 or -errno.  After -errno a reply was made,
 * and `close` will not be called.
 */
int http_stream_open(struct http_request *request,
    const struct http_stream_calls *calls, void *viewer,
    struct http_stream **stream);

/* Tells the stream to call `fill` when the viewer can receive more. */
void http_stream_wake(struct http_stream *stream);

/* Ends the stream after the next text of `fill`. */
void http_stream_end(struct http_stream *stream);

/*
 * Writes an event: its name (or NULL), and its text of one or more lines.
 */
void http_event(FILE *file, const char *name, const char *text);

#endif
