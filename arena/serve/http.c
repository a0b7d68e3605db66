/*
 * Implements http.h with libmicrohttpd.
 *
 * The library watches its sockets by an epoll descriptor.  The event loop
 * watches that descriptor, and a deadline for the time-outs of the library.
 * After any event MHD_run() does the work.
 *
 * The library calls on_access() after the headers of a request, then for each
 * piece of the body, and again at the end.  The first call checks the request,
 * and the last call answers it.
 *
 * A stream is a response of unknown size.  Its connection is suspended while
 * there is nothing to send.  The library does not notice that the browser has
 * closed a suspended connection.  So silent streams send comments, and sending
 * fails if the connection is closed.
 *
 * The library is loaded when a server is opened, because it needs a dozen other
 * libraries.  They would double the time of each start of this program, also of
 * the starts by which each bot begins.
 */
#include "http.h"

#include <arpa/inet.h>
#include <assert.h>
#include <bsd/sys/queue.h>
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "buffers.h"
#include "clock.h"
#include "countof.h"
#include "log.h"

#define STREAM_HEARTBEAT_NS (HTTP_STREAM_BEAT_S * CLOCK_NS_PER_S)

/* The functions of the library that are used, without `MHD_`. */
#define MHD_CALLS(CALL)                     \
	CALL(add_response_header)           \
	CALL(create_response_from_buffer)   \
	CALL(create_response_from_callback) \
	CALL(destroy_response)              \
	CALL(get_daemon_info)               \
	CALL(get_reason_phrase_for)         \
	CALL(get_timeout)                   \
	CALL(lookup_connection_value)       \
	CALL(queue_response)                \
	CALL(resume_connection)             \
	CALL(run)                           \
	CALL(start_daemon)                  \
	CALL(stop_daemon)                   \
	CALL(suspend_connection)

#define MHD_MEMBER(name) __typeof__(MHD_##name) *(name);
#define MHD_NAME(name) "MHD_" #name,

static struct {
	MHD_CALLS(MHD_MEMBER)
} mhd;

static const char *const mhd_names[] = { MHD_CALLS(MHD_NAME) };

/* Loads the library once.  Returns 0, or -ENOPKG: it is not installed. */
static int
load_library(void)
{
	static void *library;
	void *calls[COUNTOF(mhd_names)];

	_Static_assert(sizeof(calls) == sizeof(mhd), "a pointer a function");
	if (library != NULL)
		return 0;
	library = dlopen(HTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return -ENOPKG;
	for (size_t i = 0; i < COUNTOF(calls); i++) {
		calls[i] = dlsym(library, mhd_names[i]);
		if (calls[i] == NULL) {
			dlclose(library);
			library = NULL;
			return -ENOPKG;
		}
	}
	memcpy(&mhd, calls, sizeof(mhd));
	return 0;
}

/* CLOSE_ROUNDS: calls of MHD_run() in which streams end at the close. */
enum { CLOSE_ROUNDS = 8, BACKLOG = 64, PORT_SIZE = 8 };

/* Routes that share a context. */
struct http_table {
	const struct http_route *routes;
	void *context;
};

struct http {
	struct loop *loop;
	struct loop_watch watch;
	struct loop_deadline timer; /* time-outs of the library */
	struct loop_deadline beat;  /* comments to silent streams */
	struct MHD_Daemon *daemon;
	struct http_table tables[HTTP_TABLES_MAX];
	int table_count;
	char host[HTTP_HOST_SIZE]; /* as it was given */
	char machine[HTTP_HOST_SIZE];
	char url[HTTP_HOST_SIZE + 32];
	bool local;
	bool closing;
	bool woken; /* a stream was resumed: the library must run for it */
	LIST_HEAD(, http_stream) streams;
};

struct http_request {
	struct http *http;
	struct MHD_Connection *connection;
	const struct http_route *route;
	void *context;                /* of the route */
	char path[HTTP_PATH_MAX + 1]; /* cut after each word */
	char *words[HTTP_WORDS_MAX];  /* in `path` */
	char body[HTTP_BODY_MAX + 1];
	size_t body_size;
	enum MHD_Result result; /* of the reply */
	bool replied;
};

struct http_stream {
	LIST_ENTRY(http_stream) link;
	struct http *http;
	struct MHD_Connection *connection;
	const struct http_stream_calls *calls;
	void *viewer;
	char *text; /* the text that is being sent; owned */
	size_t size, sent;
	int64_t heartbeat_ns; /* the time of the next comment */
	bool suspended, ended;
	bool filled_last; /* the text after the end was asked for */
};

/* Lets the library work, and sets the time when it must work again. */
static void
run(struct http *http)
{
	unsigned long long wait_ms;

	do {
		http->woken = false;
		(void)mhd.run(http->daemon);
	} while (http->woken);
	if (mhd.get_timeout(http->daemon, &wait_ms) != MHD_YES)
		loop_deadline_clear(&http->timer);
	else
		loop_deadline_set(http->loop, &http->timer,
		    clock_now_ns() + (int64_t)wait_ms * CLOCK_NS_PER_MS);
}

static void
on_ready(struct loop_watch *watch, uint32_t events)
{
	(void)events;
	run(watch->context);
}

static void
on_timer(struct loop_deadline *deadline, int64_t now_ns)
{
	(void)now_ns;
	run(deadline->context);
}

/* Wakes the streams that need a comment. */
static void
on_heartbeat_due(struct loop_deadline *deadline, int64_t now_ns)
{
	struct http *http = deadline->context;
	struct http_stream *stream;

	LIST_FOREACH (stream, &http->streams, link)
		if (now_ns >= stream->heartbeat_ns)
			http_stream_wake(stream);
	loop_deadline_set(http->loop, deadline, now_ns + STREAM_HEARTBEAT_NS);
}

/*
 * Checks of a request.
 */

/*
 * Whether a Host header, without its port, names this server or is an address:
 * that is not a name which an attacker's DNS server could point to this
 * machine.
 */
static bool
host_is_own(const struct http *http, const char *host)
{
	const char *const own[] = { "localhost", http->host, http->machine };
	const char *end = host != NULL ? strchr(host, ']') : NULL;
	char name[HTTP_HOST_SIZE];
	struct in6_addr address;
	size_t length;

	if (host == NULL || strlen(host) >= sizeof(name))
		return false;
	length = end != NULL ? (size_t)(end - host) : 0;
	length += strcspn(host + length, ":");
	memcpy(name, host, length);
	name[length] = '\0';
	for (size_t i = 0; i < COUNTOF(own); i++)
		if (length > 0 && strcasecmp(name, own[i]) == 0)
			return true;
	if (name[0] == '[' && name[length - 1] == ']') {
		name[length - 1] = '\0';
		return inet_pton(AF_INET6, name + 1, &address) == 1;
	}
	return inet_pton(AF_INET, name, &address) == 1;
}

/* The value of a header, or NULL. */
static const char *
header_of(const struct http_request *request, const char *name)
{
	return mhd.lookup_connection_value(
	    request->connection, MHD_HEADER_KIND, name);
}

/* Whether a request that changes something comes from a page of this server. */
static bool
origin_is_own(const struct http_request *request)
{
	static const char scheme[] = "http://";
	const char *origin = header_of(request, "Origin");
	const char *site = header_of(request, "Sec-Fetch-Site");
	const char *host = header_of(request, "Host");

	if (site != NULL && strcmp(site, "same-origin") != 0)
		return false;
	return origin != NULL && host != NULL &&
	    strncmp(origin, scheme, strlen(scheme)) == 0 &&
	    strcasecmp(origin + strlen(scheme), host) == 0;
}

/* Compares the path with the path of a route, and finds where words begin. */
static bool
path_matches(struct http_request *request, const char *pattern)
{
	char *path = request->path;
	int count = 0;

	for (; *pattern != '\0'; pattern++) {
		size_t length = strcspn(path, "/");

		if (*pattern != ':') {
			if (*pattern != *path++)
				return false;
			continue;
		}
		if (length == 0)
			return false;
		assert(count < HTTP_WORDS_MAX);
		request->words[count++] = path;
		path += length;
	}
	return *path == '\0';
}

/*
 * Finds the route of a request in a table, and cuts the path after each of its
 * words.  Returns the status: 200, 404 or 405.
 */
static int
find_route(struct http_request *request, const struct http_table *table,
    const char *method)
{
	int status = MHD_HTTP_NOT_FOUND;

	for (const struct http_route *route = table->routes;
	     route->method != NULL; route++) {
		memset(request->words, 0, sizeof(request->words));
		if (!path_matches(request, route->path))
			continue;
		status = MHD_HTTP_METHOD_NOT_ALLOWED;
		if (strcmp(route->method, method) != 0)
			continue;
		for (int i = 0; i < HTTP_WORDS_MAX && request->words[i]; i++)
			request->words[i][strcspn(request->words[i], "/")] =
			    '\0';
		request->route = route;
		request->context = table->context;
		return MHD_HTTP_OK;
	}
	return status;
}

/* Checks the headers of a request.  Returns its status. */
static int
check(struct http_request *request, const char *path, const char *method)
{
	const char *length = header_of(request, "Content-Length");
	const struct http *http = request->http;
	int status = MHD_HTTP_NOT_FOUND;

	if (!host_is_own(http, header_of(request, "Host")))
		return MHD_HTTP_MISDIRECTED_REQUEST;
	if (strlen(path) > HTTP_PATH_MAX)
		return MHD_HTTP_URI_TOO_LONG;
	memset(request->path, 0, sizeof(request->path));
	memcpy(request->path, path, strlen(path));
	if (strcmp(method, MHD_HTTP_METHOD_HEAD) == 0)
		method = MHD_HTTP_METHOD_GET;
	for (int i = 0; i < http->table_count && status == MHD_HTTP_NOT_FOUND;
	     i++)
		status = find_route(request, &http->tables[i], method);
	if (status != MHD_HTTP_OK)
		return status;
	if (length != NULL && strtoull(length, NULL, 10) > HTTP_BODY_MAX)
		return MHD_HTTP_CONTENT_TOO_LARGE;
	if (strcmp(request->route->method, "GET") != 0 &&
	    !origin_is_own(request))
		return MHD_HTTP_FORBIDDEN;
	return MHD_HTTP_OK;
}

const char *
http_word(const struct http_request *request, int index)
{
	assert(request->words[index] != NULL);
	return request->words[index];
}

const char *
http_body(const struct http_request *request)
{
	return request->body;
}

/*
 * Replies.
 */

/* Adds the headers of all replies, and sends the response. */
static void
send_response(struct http_request *request, struct MHD_Response *response,
    const struct http_reply *reply)
{
	const char *const headers[][2] = {
		{ "Content-Type",
		    reply->type ? reply->type : "text/html; charset=utf-8" },
		{ "Content-Security-Policy",
		    reply->policy ? reply->policy : HTTP_POLICY_FILES },
		{ "X-Content-Type-Options", "nosniff" },
		{ "Referrer-Policy", "no-referrer" },
		{ "X-Frame-Options", "DENY" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cache-Control", "no-store" },
		{ "Location", reply->location },
	};

	request->result = response != NULL ? MHD_YES : MHD_NO;
	for (size_t i = 0; i < COUNTOF(headers); i++)
		if (response != NULL && headers[i][1] != NULL &&
		    mhd.add_response_header(
			response, headers[i][0], headers[i][1]) == MHD_NO)
			request->result = MHD_NO;
	if (request->result == MHD_YES)
		request->result = mhd.queue_response(request->connection,
		    reply->status ? (unsigned)reply->status : MHD_HTTP_OK,
		    response);
	if (response != NULL)
		mhd.destroy_response(response);
	request->replied = true;
}

void
http_reply(struct http_request *request, const struct http_reply *reply,
    char *text, size_t size)
{
	struct MHD_Response *response = NULL;

	assert(!request->replied);
	if (text != NULL)
		response = mhd.create_response_from_buffer(
		    size, text, MHD_RESPMEM_MUST_FREE);
	if (response == NULL)
		free(text);
	send_response(request, response, reply);
}

void
http_reply_line(
    struct http_request *request, int status, const char *format, ...)
{
	const struct http_reply reply = {
		.status = status,
		.type = "text/plain; charset=utf-8",
	};
	char *text = NULL;
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vasprintf(&text, format, arguments);
	va_end(arguments);
	http_reply(request, &reply, size < 0 ? NULL : text, (size_t)size);
}

/* The line that says why a request is refused. */
static void
refuse(struct http_request *request, int status)
{
	const char *hint = "";

	if (status == MHD_HTTP_MISDIRECTED_REQUEST)
		hint = ": the Host header names another machine";
	else if (status == MHD_HTTP_FORBIDDEN)
		hint = ": the request comes from another page";
	http_reply_line(request, status, "%d %s%s\n", status,
	    mhd.get_reason_phrase_for((unsigned)status), hint);
}

/*
 * Streams.
 */

/*
 * Asks the owner for the next text.  Returns whether there is one.  A text for
 * which there was no memory ends the stream: the page opens it again.
 */
static bool
stream_fill(struct http_stream *stream)
{
	int64_t now_ns = clock_now_ns();
	FILE *file;

	free(stream->text);
	stream->text = NULL;
	stream->size = stream->sent = 0;
	if (stream->http->closing || stream->filled_last)
		return false;
	stream->filled_last = stream->ended;
	file = memory_file_open(&stream->text, &stream->size);
	if (file == NULL) {
		stream->ended = true;
		return false;
	}
	stream->calls->fill(stream->viewer, file);
	if (ftell(file) == 0 && !stream->ended &&
	    now_ns >= stream->heartbeat_ns)
		fputs(":\n\n", file);
	if (fclose(file) != 0) {
		stream->size = 0;
		stream->ended = true;
	}
	if (stream->size > 0)
		stream->heartbeat_ns = now_ns + STREAM_HEARTBEAT_NS;
	return stream->size > 0;
}

/* Gives the library the next bytes of a stream. */
static ssize_t
stream_read(void *context, uint64_t position, char *bytes, size_t size)
{
	struct http_stream *stream = context;
	size_t left;

	(void)position;
	if (stream->sent == stream->size && !stream_fill(stream)) {
		if (stream->ended || stream->http->closing)
			return MHD_CONTENT_READER_END_OF_STREAM;
		mhd.suspend_connection(stream->connection);
		stream->suspended = true;
		return 0;
	}
	left = stream->size - stream->sent;
	if (size > left)
		size = left;
	memcpy(bytes, stream->text + stream->sent, size);
	stream->sent += size;
	return (ssize_t)size;
}

static void
stream_close(void *context)
{
	struct http_stream *stream = context;

	LIST_REMOVE(stream, link);
	if (stream->calls != NULL)
		stream->calls->close(stream->viewer);
	free(stream->text);
	free(stream);
}

int
http_stream_open(struct http_request *request,
    const struct http_stream_calls *calls, void *viewer,
    struct http_stream **stream)
{
	const struct http_reply reply = { .type = "text/event-stream" };
	struct http_stream *opened = malloc(sizeof(*opened));
	struct MHD_Response *response = NULL;

	if (opened != NULL) {
		*opened = (struct http_stream){
			.http = request->http,
			.connection = request->connection,
			.heartbeat_ns = clock_now_ns() + STREAM_HEARTBEAT_NS,
			.viewer = viewer,
		};
		response = mhd.create_response_from_callback(MHD_SIZE_UNKNOWN,
		    HTTP_HEAD_MAX / 2, stream_read, opened, stream_close);
	}
	if (response == NULL) {
		free(opened);
		http_reply(request, &reply, NULL, 0);
		return -ENOMEM;
	}
	LIST_INSERT_HEAD(&request->http->streams, opened, link);
	/* If sending fails, this frees `opened`. */
	send_response(request, response, &reply);
	if (request->result != MHD_YES)
		return -ENOMEM;
	opened->calls = calls;
	*stream = opened;
	return 0;
}

void
http_stream_wake(struct http_stream *stream)
{
	if (!stream->suspended)
		return;
	stream->suspended = false;
	mhd.resume_connection(stream->connection);
	stream->http->woken = true;
	loop_deadline_set(
	    stream->http->loop, &stream->http->timer, clock_now_ns());
}

void
http_stream_end(struct http_stream *stream)
{
	stream->ended = true;
	http_stream_wake(stream);
}

void
http_event(FILE *file, const char *name, const char *text)
{
	if (name != NULL)
		fprintf(file, "event: %s\n", name);
	for (;;) {
		size_t length = strcspn(text, "\r\n");

		fputs("data: ", file);
		fwrite(text, 1, length, file);
		fputc('\n', file);
		text += length;
		if (*text == '\0')
			break;
		text += *text == '\r' && text[1] == '\n' ? 2 : 1;
		if (*text == '\0')
			break;
	}
	fputc('\n', file);
}

/*
 * Calls of the library.
 */

static enum MHD_Result
on_access(void *context, struct MHD_Connection *connection, const char *url,
    const char *method, const char *version, const char *bytes, size_t *size,
    void **state)
{
	struct http_request *request = *state;
	int status;

	(void)version;
	if (request == NULL) {
		request = malloc(sizeof(*request));
		if (request == NULL)
			return MHD_NO;
		*state = request;
		memset(request, 0, offsetof(struct http_request, body));
		request->body_size = 0;
		request->replied = false;
		request->http = context;
		request->connection = connection;
		status = check(request, url, method);
		if (status == MHD_HTTP_OK)
			return MHD_YES;
		refuse(request, status);
		return request->result;
	}
	if (*size > 0) {
		/* A body without Content-Length is found too long only now. */
		if (*size > HTTP_BODY_MAX - request->body_size)
			return MHD_NO;
		memcpy(request->body + request->body_size, bytes, *size);
		request->body_size += *size;
		*size = 0;
		return MHD_YES;
	}
	request->body[request->body_size] = '\0';
	request->route->handle(request->context, request);
	if (!request->replied)
		refuse(request, MHD_HTTP_NOT_FOUND);
	return request->result;
}

static void
on_completed(void *context, struct MHD_Connection *connection, void **state,
    enum MHD_RequestTerminationCode code)
{
	(void)context, (void)connection, (void)code;
	free(*state);
	*state = NULL;
}

static void __attribute__((format(printf, 2, 0)))
on_message(void *context, const char *format, va_list arguments)
{
	char text[LOG_LINE_SIZE];

	(void)context;
	vsnprintf(text, sizeof(text), format, arguments);
	text[strcspn(text, "\n")] = '\0';
	log_print(LOG_DEBUG, "http: %s", text);
}

/*
 * Opening and closing.
 */

/* Opens a socket that listens at a host.  Returns it, or -errno. */
static int
listen_on(const char *host, uint16_t number)
{
	const struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
	};
	struct addrinfo *address;
	char port[PORT_SIZE];
	int fd, yes = 1, error = 0;

	snprintf(port, sizeof(port), "%u", number);
	if (getaddrinfo(host, port, &hints, &address) != 0)
		return -ENOENT;
	fd = socket(address->ai_family,
	    address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    address->ai_protocol);
	if (fd >= 0)
		(void)setsockopt(
		    fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (fd < 0 || bind(fd, address->ai_addr, address->ai_addrlen) < 0 ||
	    listen(fd, BACKLOG) < 0)
		error = -errno;
	freeaddrinfo(address);
	if (error == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return error;
}

/* Stores the address of the socket. */
static void
describe(struct http *http, int fd)
{
	struct sockaddr_storage bytes;
	struct sockaddr *address = (struct sockaddr *)&bytes;
	socklen_t size = sizeof(bytes);
	char host[HTTP_HOST_SIZE] = "?", port[PORT_SIZE] = "?";
	bool six;

	if (getsockname(fd, address, &size) == 0)
		(void)getnameinfo(address, size, host, sizeof(host), port,
		    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
	six = strchr(host, ':') != NULL;
	http->local = strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
	snprintf(http->url, sizeof(http->url), "http://%s%s%s:%s",
	    six ? "[" : "", host, six ? "]" : "", port);
}

/* Starts the library with the socket, which it closes later. */
static int
start(struct http *http, int fd)
{
	const union MHD_DaemonInfo *info;
	int error;

	http->daemon = mhd.start_daemon(
	    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0,
	    NULL, NULL, on_access, http, MHD_OPTION_EXTERNAL_LOGGER, on_message,
	    NULL, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
	    (unsigned)HTTP_CONNECTIONS_MAX, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
	    (unsigned)HTTP_PER_ADDRESS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
	    (unsigned)HTTP_TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	    (size_t)HTTP_HEAD_MAX, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
	    NULL, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
	if (http->daemon == NULL) {
		error = errno != 0 ? -errno : -ENOMEM;
		close(fd);
		return error;
	}
	info = mhd.get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	error = info != NULL
	    ? loop_watch_open(http->loop, &http->watch, info->epoll_fd, EPOLLIN)
	    : -EOPNOTSUPP;
	if (error)
		mhd.stop_daemon(http->daemon);
	return error;
}

int
http_open(
    struct http **http, struct loop *loop, const char *host, uint16_t port)
{
	struct http *opened = calloc(1, sizeof(*opened));
	int fd, error = load_library();

	if (error)
		goto free_http;
	error = -ENOMEM;
	if (opened == NULL)
		goto free_http;
	opened->loop = loop;
	opened->watch = (struct loop_watch){ on_ready, opened, -1 };
	opened->timer.on_deadline = on_timer;
	opened->beat.on_deadline = on_heartbeat_due;
	opened->timer.context = opened->beat.context = opened;
	snprintf(opened->host, sizeof(opened->host), "%s", host);
	(void)gethostname(opened->machine, sizeof(opened->machine) - 1);
	LIST_INIT(&opened->streams);
	fd = listen_on(host, port);
	if (fd < 0) {
		error = fd;
		goto free_http;
	}
	describe(opened, fd);
	error = loop_deadline_open(loop, &opened->timer);
	if (!error)
		error = loop_deadline_open(loop, &opened->beat);
	if (error) {
		close(fd);
		goto close_deadlines;
	}
	error = start(opened, fd);
	if (error)
		goto close_deadlines;
	loop_deadline_set(
	    loop, &opened->beat, clock_now_ns() + STREAM_HEARTBEAT_NS);
	*http = opened;
	return 0;
close_deadlines:
	loop_deadline_close(loop, &opened->beat);
	loop_deadline_close(loop, &opened->timer);
free_http:
	free(opened);
	return error;
}

void
http_serve(struct http *http, const struct http_route *routes, void *context)
{
	assert(http->table_count < HTTP_TABLES_MAX);
	http->tables[http->table_count++] =
	    (struct http_table){ routes, context };
}

void
http_close(struct http *http)
{
	struct http_stream *stream;

	if (http == NULL)
		return;
	http->closing = true;
	LIST_FOREACH (stream, &http->streams, link)
		http_stream_wake(stream);
	for (int i = 0; i < CLOSE_ROUNDS; i++)
		(void)mhd.run(http->daemon);
	loop_watch_close(http->loop, &http->watch);
	loop_deadline_close(http->loop, &http->timer);
	loop_deadline_close(http->loop, &http->beat);
	mhd.stop_daemon(http->daemon);
	free(http);
}

const char *
http_url(const struct http *http)
{
	return http->url;
}

bool
http_is_local(const struct http *http)
{
	return http->local;
}
