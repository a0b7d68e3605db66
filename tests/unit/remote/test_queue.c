/*
 * Functions for all kinds of queues: the URL, which is stored without its
 * password and gets a role as its user, and the identity of the engine.
 */
#include "queue.h"

#include <string.h>

#include "test.h"

static void
assert_written(const char *url, const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(2 * QUEUE_URL_MAX);

	assert_true(queue_url_valid(url));
	queue_url_write(url, NULL, &text);
	assert_string_equal(text.bytes, expected);
}

TEST(test_password_is_removed_from_the_url)
{
	assert_written("postgres://db/cup", "postgres://db/cup");
	assert_written(
	    "postgres://anna@db:5432/cup", "postgres://anna@db:5432/cup");
	assert_written(
	    "postgres://anna:geheim@db/cup", "postgres://anna@db/cup");
	assert_written("postgresql://anna:ge@heim@db/cup?sslmode=require",
	    "postgresql://anna@db/cup?sslmode=require");
	assert_written("postgres://:x@/cup", "postgres://@/cup");
	assert_written("postgres:///cup?password=x&host=/run&sslpassword=",
	    "postgres:///cup?host=/run");
	assert_written("postgres:///cup?host=/run&password=x",
	    "postgres:///cup?host=/run");
	assert_written("postgres:///cup?password=x", "postgres:///cup");
	assert_written(
	    "postgres://[::1]/cup?host=a@b", "postgres://[::1]/cup?host=a@b");
	assert_written("postgres://", "postgres://");
}

static void
assert_written_for(const char *role, const char *url, const char *expected)
{
	struct scopa_text text = SCOPA_TEXT(2 * QUEUE_URL_MAX);

	queue_url_write(url, role, &text);
	assert_string_equal(text.bytes, expected);
}

TEST(test_role_replaces_the_user_of_the_url)
{
	assert_written_for(
	    "scopa_anna", "postgres://db/cup", "postgres://scopa_anna@db/cup");
	assert_written_for("scopa_anna", "postgresql://o:ge@heim@db:5432/cup",
	    "postgres://scopa_anna@db:5432/cup");
	assert_written_for("scopa_anna",
	    "postgres:///cup?user=o&host=/run&password=x&sslpassword=y",
	    "postgres://scopa_anna@/cup?host=/run");
}

TEST(test_malformed_url_is_refused)
{
	char url[QUEUE_URL_MAX + 2];

	assert_false(queue_url_valid(""));
	assert_false(queue_url_valid("host=db dbname=cup"));
	assert_false(queue_url_valid("postgres:/db"));
	memset(url, 'x', sizeof(url));
	memcpy(url, "postgres://", 11);
	url[QUEUE_URL_MAX + 1] = '\0';
	assert_false(queue_url_valid(url));
	url[QUEUE_URL_MAX] = '\0';
	assert_true(queue_url_valid(url));
}

enum { DIGEST_LENGTH = 64 };
