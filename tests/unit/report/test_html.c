/*
 * HTML pages: which characters are escaped, and what a page may load.
 */
#include "html.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "test.h"

static struct html html;

static int
page_open(void **state)
{
	(void)state;
	html_init(&html, output_open());
	return 0;
}

#define HTML_TEST(name) TEST_WITH(name, page_open, NULL)

static void
expect(const char *text)
{
	assert_int_equal(html.depth, 0);
	assert_string_equal(output_text(), text);
}

HTML_TEST(test_text_cannot_become_markup)
{
	html_put(&html, "p", "%s",
	    "<script>alert('1' & \"2\")</script>\x1b[2J\xe2\x80\xae"
	    "\xff\n\xc3\xa8");
	expect("<p>&lt;script&gt;alert(&#39;1&#39; &amp; "
	       "&quot;2&quot;)&lt;/script&gt;\\x1b[2J\\xe2\\x80\\xae\\xff\\x0a"
	       "\xc3\xa8</p>");
}

HTML_TEST(test_value_cannot_end_its_attribute)
{
	html_begin(&html, "a.far.away");
	html_attribute(&html, "href", "#%s", "\" onclick=\"x()");
	html_numbers(&html, "tabindex='%d'", 0);
	html_text(&html, "%s", "there");
	html_end(&html, "a");
	expect("<a class=\"far away\" href=\"#&quot; onclick=&quot;x()\" "
	       "tabindex='0'>there</a>");
}

HTML_TEST(test_line_ends_of_text_are_preserved)
{
	static const char text[] = "a\n\t<b>\r\n";

	html_begin(&html, "pre");
	html_lines(&html, text, sizeof(text) - 1);
	html_end(&html, "pre");
	expect("<pre>a\n\t&lt;b&gt;\\x0d\n</pre>");
}

HTML_TEST(test_elements_are_closed_with_their_name)
{
	html_begin(&html, "table");
	html_shape(&html, "tr.wide", "data-a='%d'", 2);
	html_begin(&html, "meta");
	html_attribute(&html, "content", "%d", 3);
	html_end(&html, "meta");
	html_put(&html, "td", "%s", "");
	html_end(&html, "table");
	expect("<table><tr class=\"wide\" data-a='2'></tr><meta content=\"3\">"
	       "<td></td></table>");
}

HTML_TEST(test_json_cannot_close_its_script)
{
	static const char json[] = "{\"a\":\"</script><!--\"}";

	html_json(&html, "data-1", json, sizeof(json) - 1);
	expect("<script type=\"application/json\" id=\"data-1\">"
	       "{\"a\":\"\\u003c/script>\\u003c!--\"}</script>");
}

static const char *const styles[] = { "report.css", NULL };
static const char *const scripts[] = { "report.js", NULL };

/* Whether the policy allows the text between two marks of the page. */
static bool
is_allowed(const char *page, const char *begin, const char *end)
{
	const char *from = strstr(page, begin) + strlen(begin);
	const char *to = strstr(from, end);
	unsigned char digest[crypto_hash_sha256_BYTES];
	char base64[64], source[96];

	crypto_hash_sha256(digest, (const unsigned char *)from,
	    (unsigned long long)(to - from));
	sodium_bin2base64(base64, sizeof(base64), digest, sizeof(digest),
	    sodium_base64_VARIANT_ORIGINAL);
	snprintf(source, sizeof(source), "&#39;sha256-%s&#39;", base64);
	return strstr(page, source) != NULL;
}

HTML_TEST(test_page_allows_only_its_own_style_and_script)
{
	const struct html_page page = { "a <b>", styles, scripts, false };
	const char *written;

	assert_int_equal(html_page_begin(&html, &page), 0);
	html_put(&html, "main", "%s", "content");
	assert_int_equal(html_page_end(&html, &page), 0);
	written = output_text();
	assert_memory_equal(written, "<!doctype html>\n<html lang=\"en\">", 32);
	assert_true(is_allowed(written, "<style>", "</style>"));
	assert_true(is_allowed(written, "<script>", "</script>"));
	/* The page requests nothing, not even an icon. */
	expect_parts(written, "<title>a &lt;b&gt;</title>",
	    "default-src &#39;none&#39;;", "href=\"data:,\"");
	expect_none(
	    written, "unsafe", "connect-src", " src=", "url(", "@import");
}

TEST(test_policy_of_a_live_page_allows_requests_to_its_server)
{
	const struct html_page page = { "live", styles, scripts, true };
	char *policy = html_policy(&page);

	expect_parts(policy, "; connect-src 'self'");
	expect_none(policy, "\n");
	free(policy);
}
