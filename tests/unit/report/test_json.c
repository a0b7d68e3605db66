/*
 * Documents of the JSON writer, byte for byte.
 */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* A document under construction, in memory. */
struct paper {
	struct json json;
	FILE *file;
	char *bytes;
	size_t size;
};

static void
paper_open(struct paper *paper)
{
	paper->file = open_memstream(&paper->bytes, &paper->size);
	assert_non_null(paper->file);
	json_init(&paper->json, paper->file);
}

static void
paper_close(struct paper *paper, const char *expected)
{
	json_finish(&paper->json);
	fclose(paper->file);
	assert_string_equal(paper->bytes, expected);
	free(paper->bytes);
}

/* Programs read what was there, and a terminal shows no trick. */
TEST(test_what_steers_a_terminal_or_turns_text_around_is_escaped)
{
	struct paper paper;

	paper_open(&paper);
	json_array_begin(&paper.json, NULL);
	json_string(&paper.json, NULL,
	    "a\xe2\x80\xae"
	    "b\xe2\x81\xa6\xd8\x9c\xc2\x9b\x1b[m");
	json_string(&paper.json, NULL, "\xd7\x90\xc3\xa8");
	json_array_end(&paper.json);
	paper_close(&paper,
	    "[\"a\\u202eb\\u2066\\u061c\\u009b\\u001b[m\","
	    "\"\xd7\x90\xc3\xa8\"]\n");
}

TEST(test_values_are_separated_and_named)
{
	struct paper paper;
	struct json *json = &paper.json;

	paper_open(&paper);
	json_object_begin(json, NULL);
	json_string(json, "name", "greedy");
	json_int(json, "points", -12);
	json_array_begin(json, "list");
	json_int(json, NULL, INT64_MIN);
	json_bool(json, NULL, true);
	json_bool(json, NULL, false);
	json_null(json, NULL);
	json_object_begin(json, NULL);
	json_object_end(json);
	json_array_begin(json, NULL);
	json_array_end(json);
	json_array_end(json);
	json_string(json, "none", NULL);
	json_object_end(json);
	paper_close(&paper,
	    "{\"name\":\"greedy\",\"points\":-12,\"list\":"
	    "[-9223372036854775808,true,false,null,{},[]],\"none\":null}\n");
}

TEST(test_strings_are_escaped)
{
	struct paper paper;

	paper_open(&paper);
	json_string(
	    &paper.json, NULL, "a\"b\\c\nd\re\tf\x01g\x1b[0m\x7f h\xc3\xa8 /");
	paper_close(&paper,
	    "\"a\\\"b\\\\c\\nd\\re\\tf\\u0001g\\u001b[0m\\u007f h\xc3\xa8 "
	    "/\"\n");
}

TEST(test_keys_are_escaped)
{
	struct paper paper;

	paper_open(&paper);
	json_object_begin(&paper.json, NULL);
	json_int(&paper.json, "a\"b", 1);
	json_object_end(&paper.json);
	paper_close(&paper, "{\"a\\\"b\":1}\n");
}

TEST(test_broken_utf8_is_replaced)
{
	struct paper paper;

	paper_open(&paper);
	json_string(&paper.json, NULL, "x\xff y\xc3");
	paper_close(&paper, "\"x\\ufffd y\\ufffd\"\n");
}

TEST(test_reals_have_fixed_digits)
{
	struct paper paper;

	paper_open(&paper);
	json_array_begin(&paper.json, NULL);
	json_real(&paper.json, NULL, 1.25, 3);
	json_real(&paper.json, NULL, -0.5, 1);
	json_real(&paper.json, NULL, 1e15, 0);
	json_array_end(&paper.json);
	paper_close(&paper, "[1.250,-0.5,1000000000000000]\n");
}

TEST(test_what_is_no_number_is_null)
{
	struct paper paper;

	paper_open(&paper);
	json_array_begin(&paper.json, NULL);
	json_real(&paper.json, NULL, (double)NAN, 2);
	json_real(&paper.json, NULL, (double)INFINITY, 2);
	json_real(&paper.json, NULL, -(double)INFINITY, 2);
	json_array_end(&paper.json);
	paper_close(&paper, "[null,null,null]\n");
}

TEST(test_deepest_nesting_is_allowed)
{
	struct paper paper;
	char expected[2 * JSON_DEPTH_MAX + 2];

	paper_open(&paper);
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_array_begin(&paper.json, NULL);
	for (int i = 0; i < JSON_DEPTH_MAX; i++)
		json_array_end(&paper.json);
	memset(expected, '[', JSON_DEPTH_MAX);
	memset(expected + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
	strcpy(expected + 2 * (size_t)JSON_DEPTH_MAX, "\n");
	paper_close(&paper, expected);
}
