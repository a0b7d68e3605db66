/*
 * The HTTP server, tested through sockets: which requests it answers, which it
 * refuses, and how its streams behave.
 */
#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "test.h"

enum { ANSWER_SIZE = 1 << 20, ROUNDS_MAX = 20000 };

static struct loop *loop;
static struct http *http;
static char answer[ANSWER_SIZE];

/* The word or the body of the last request that a route was called for. */
static char seen[HTTP_BODY_MAX + 1];

/* The stream that was opened last, and its next event. */
static struct http_stream *stream;
static const char *news;
static int close_count;

static void
reply_word(void *context, struct http_request *request)
{
	assert_ptr_equal(context, seen);
	snprintf(seen, sizeof(seen), "%s", http_word(request, 0));
	http_reply_line(request, 200, "word %s\n", seen);
}

static void
reply_taken(void *context, struct http_request *request)
{
	(void)context;
	snprintf(seen, sizeof(seen), "%s", http_body(request));
	http_reply_line(request, 200, "taken\n");
}

static void
reply_nothing(void *context, struct http_request *request)
{
	(void)context, (void)request;
}

static void
fill(void *viewer, FILE *file)
{
	assert_ptr_equal(viewer, &stream);
	if (news != NULL)
		http_event(file, "news", news);
	news = NULL;
}

static void
count_close(void *viewer)
{
	(void)viewer;
	close_count++;
}

static void
reply_stream(void *context, struct http_request *request)
{
	static const struct http_stream_calls calls = { fill, count_close };

	(void)context;
	assert_int_equal(
	    http_stream_open(request, &calls, &stream, &stream), 0);
}

static const struct http_route routes[] = {
	{ "GET", "/word/:", reply_word },
	{ "POST", "/word/:", reply_taken },
	{ "GET", "/a/:/b", reply_word },
	{ "GET", "/none", reply_nothing },
	{ "GET", "/stream", reply_stream },
	{ 0 },
};

static int
setup(void **state)
{
	(void)state;
	news = NULL;
	close_count = 0;
	if (loop_open(&loop) < 0)
		return -1;
	if (http_open(&http, loop, "127.0.0.1", 0) < 0)
		return -1;
	http_serve(http, routes, seen);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	http_close(http);
	http = NULL;
	loop_close(loop);
	return 0;
}

TEST_EACH(setup, teardown)

static uint16_t
port_of_server(void)
{
	return (uint16_t)atoi(strrchr(http_url(http), ':') + 1);
}

/* Connects to the server. */
static int
connect_to(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(port_of_server()),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(
	    connect(fd, (const struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static void
send_text(int fd, const char *text)
{
	assert_int_equal(
	    send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/*
 * Lets the server work until its output contains `text`, or it has closed the
 * connection.  Returns whether the text was received.
 */
static bool
receive(int fd, const char *text)
{
	size_t size = 0;

	answer[0] = '\0';
	for (int round = 0; round < ROUNDS_MAX; round++) {
		ssize_t got = recv(
		    fd, answer + size, sizeof(answer) - 1 - size, MSG_DONTWAIT);

		if (got == 0)
			break;
		if (got > 0) {
			size += (size_t)got;
			answer[size] = '\0';
		}
		if (strstr(answer, text) != NULL)
			return true;
		assert_int_equal(
		    loop_step(loop, clock_now_ns() + CLOCK_NS_PER_MS), 0);
	}
	return strstr(answer, text) != NULL;
}

/* The status of the answer to a request with these lines after the first. */
static int
ask(const char *first, const char *lines)
{
	char text[2 * HTTP_PATH_MAX + 512];
	int fd = connect_to();
	int status = 0;

	snprintf(text, sizeof(text), "%s HTTP/1.1\r\n%s", first, lines);
	send_text(fd, text);
	if (receive(fd, "\r\n\r\n"))
		status = atoi(answer + strlen("HTTP/1.1 "));
	close(fd);
	return status;
}

#define OWN "Host: localhost:8080\r\n"
#define END "Connection: close\r\n\r\n"

/* Connects to a stream, and waits until it has sent the text. */
static int
open_stream(const char *first)
{
	int fd = connect_to();

	news = first;
	send_text(fd, "GET /stream HTTP/1.1\r\n" OWN "\r\n");
	assert_true(receive(fd, first != NULL ? first : "\r\n\r\n"));
	return fd;
}

#define HOST(host) "Host: " host "\r\n" END
#define HELLO(origin) \
	OWN "Origin: " origin "\r\nContent-Length: 5\r\n" END "hello"

TEST(test_requests_are_answered_by_route_host_and_origin)
{
	static const struct {
		const char *request, *lines;
		int status;
		const char *seen; /* by the route; empty: it was not called */
	} rows[] = {
		{ "GET /word/ab%20c?q=5", OWN END, 200, "ab c" },
		{ "GET /a/x/b", OWN END, 200, "x" },
		{ "HEAD /word/y", OWN END, 200, "y" },
		{ "GET /", OWN END, 404, "" },
		{ "GET /word/", OWN END, 404, "" },
		{ "GET /word/a/", OWN END, 404, "" },
		{ "GET /a/x", OWN END, 404, "" },
		{ "GET /none", OWN END, 404, "" },
		{ "POST /none", OWN END, 405, "" },
		{ "DELETE /word/a", OWN END, 405, "" },
		/* The host must be this machine. */
		{ "GET /a/b/b", HOST("localhost"), 200, "b" },
		{ "GET /a/b/b", HOST("localhost:1"), 200, "b" },
		{ "GET /a/b/b", HOST("127.0.0.1:99"), 200, "b" },
		{ "GET /a/b/b", HOST("LOCALHOST"), 200, "b" },
		{ "GET /a/b/b", HOST("[::1]:80"), 200, "b" },
		{ "GET /a/b/b", HOST("192.168.1.5"), 200, "b" },
		{ "GET /a/b/b", HOST("example.org"), 421, "" },
		{ "GET /a/b/b", HOST("localhost.example.org"), 421, "" },
		{ "GET /a/b/b", HOST("127.0.0.1.example.org:80"), 421, "" },
		{ "GET /a/b/b", HOST(""), 421, "" },
		{ "GET /a/b/b", HOST("[::1"), 421, "" },
		{ "GET /a/b/b", HOST("1.2.3"), 421, "" },
		{ "GET /a/b/b", END, 400, "" },
		/* A POST must come from a page of the server. */
		{ "POST /word/a", HELLO("http://localhost:8080"), 200,
		    "hello" },
		{ "POST /word/a", OWN "Content-Length: 0\r\n" END, 403, "" },
		{ "POST /word/a", HELLO("null"), 403, "" },
		{ "POST /word/a", HELLO("http://localhost:8081"), 403, "" },
		{ "POST /word/a", HELLO("https://localhost:8080"), 403, "" },
		{ "POST /word/a", HELLO("http://localhost:8080.org"), 403, "" },
		{ "POST /word/a",
		    HELLO(
			"http://localhost:8080\r\nSec-Fetch-Site: cross-site"),
		    403, "" },
	};

	for (int i = 0; i < COUNTOF(rows); i++) {
		seen[0] = '\0';
		if (ask(rows[i].request, rows[i].lines) != rows[i].status)
			fail_msg("%s %s: %s", rows[i].request, rows[i].lines,
			    answer);
		assert_string_equal(seen, rows[i].seen);
	}
}

TEST(test_every_answer_has_the_headers_of_the_policy)
{
	static const char *const headers[] = {
		"Content-Security-Policy: default-src 'none'",
		"frame-ancestors 'none'",
		"X-Content-Type-Options: nosniff",
		"Referrer-Policy: no-referrer",
		"Cross-Origin-Opener-Policy: same-origin",
		"Cross-Origin-Resource-Policy: same-origin",
		"Cache-Control: no-store",
	};
	const char *const paths[] = { "GET /word/a", "GET /nowhere" };

	for (int i = 0; i < COUNTOF(paths); i++) {
		ask(paths[i], OWN END);
		for (int k = 0; k < COUNTOF(headers); k++)
			assert_non_null(strstr(answer, headers[k]));
	}
}

TEST(test_request_that_is_too_long_is_refused)
{
	char path[HTTP_PATH_MAX + 64] = "GET /word/";
	char *end = path + strlen(path);
	int fd = connect_to(), status;

	memset(end, 'a', HTTP_PATH_MAX);
	end[HTTP_PATH_MAX - strlen("/word/")] = '\0';
	assert_int_equal(ask(path, OWN END), 200);
	strcat(path, "a");
	assert_int_equal(ask(path, OWN END), 414);
	assert_int_equal(ask("POST /word/a",
			     OWN "Origin: http://localhost:8080\r\n"
				 "Content-Length: 8193\r\n" END),
	    413);
	/* A body of unknown size, and a head that never ends. */
	send_text(fd,
	    "POST /word/a HTTP/1.1\r\n" OWN "Origin: http://localhost:8080\r\n"
	    "Transfer-Encoding: chunked\r\n\r\n4000\r\n");
	memset(answer, 'a', 0x4000);
	answer[0x4000] = '\0';
	send_text(fd, answer);
	assert_false(receive(fd, "HTTP/1.1 200"));
	close(fd);
	fd = connect_to();
	send_text(fd, "GET /word/a HTTP/1.1\r\n" OWN "X: ");
	memset(answer, 'a', 2 * HTTP_HEAD_MAX);
	answer[2 * HTTP_HEAD_MAX] = '\0';
	send_text(fd, answer);
	assert_true(receive(fd, "\r\n\r\n"));
	status = atoi(answer + strlen("HTTP/1.1 "));
	assert_true(status == 431 || status == 413);
	close(fd);
}

TEST(test_stream_sends_its_news_after_a_wake)
{
	int fd = connect_to();

	news = "first\nof two lines";
	send_text(fd, "GET /stream HTTP/1.1\r\n" OWN "\r\n");
	assert_true(
	    receive(fd, "event: news\ndata: first\ndata: of two lines\n\n"));
	assert_non_null(strstr(answer, "text/event-stream"));
	for (int i = 0; i < 3; i++) {
		news = i == 1 ? "second" : "third";
		http_stream_wake(stream);
		assert_true(receive(fd, news));
	}
	/* A wake without news does no harm. */
	http_stream_wake(stream);
	http_stream_wake(stream);
	news = "last";
	http_stream_end(stream);
	assert_true(receive(fd, "last"));
	assert_true(receive(fd, "0\r\n\r\n"));
	close(fd);
	assert_int_equal(close_count, 1);
}

TEST(test_closed_connection_is_noticed_at_the_next_event)
{
	int fd = open_stream("hello");

	close(fd);
	for (int i = 0; i < ROUNDS_MAX && close_count == 0; i++) {
		news = "are you there?";
		http_stream_wake(stream);
		assert_int_equal(
		    loop_step(loop, clock_now_ns() + CLOCK_NS_PER_MS), 0);
	}
	assert_int_equal(close_count, 1);
}

TEST(test_slow_viewer_gets_no_more_events)
{
	static char much[1 << 18];
	int fd = open_stream(NULL), rounds = 0;

	memset(much, 'x', sizeof(much) - 1);
	/* The viewer reads nothing: after some rounds, the stream asks for no
	 * more events. */
	do {
		news = much;
		http_stream_wake(stream);
		for (int i = 0; i < 50; i++)
			assert_int_equal(
			    loop_step(
				loop, clock_now_ns() + CLOCK_NS_PER_MS / 10),
			    0);
	} while (news == NULL && rounds++ < 200);
	assert_ptr_equal(news, much);
	close(fd);
}

TEST(test_closing_the_server_ends_its_streams)
{
	int fd = open_stream("hello");

	http_close(http);
	assert_int_equal(close_count, 1);
	assert_true(recv(fd, answer, sizeof(answer), 0) >= 0);
	close(fd);
	assert_int_equal(http_open(&http, loop, "127.0.0.1", 0), 0);
}

TEST(test_port_in_use_and_unknown_host_are_errors)
{
	struct http *other;
	uint16_t port = port_of_server();

	assert_int_equal(
	    http_open(&other, loop, "127.0.0.1", port), -EADDRINUSE);
	assert_int_equal(http_open(&other, loop, "300.1.1.1", port), -ENOENT);
}
