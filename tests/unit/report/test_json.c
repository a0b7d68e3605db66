/*
 * Documents of the JSON writer, byte for byte.
 */
#include "json.h"

#include <math.h>

#include "output.h"
#include "test.h"

/* A document under construction, in memory. */
static struct json json;

static int
document_open(void **state)
{
	(void)state;
	json_init(&json, output_open());
	return 0;
}

static void
document_expect(const char *expected)
{
	json_finish(&json);
	assert_string_equal(output_close(), expected);
}

#define JSON_TEST(name) TEST_WITH(name, document_open, NULL)

JSON_TEST(test_values_are_separated_and_named)
{
	json_object_begin(&json, NULL);
	json_string(&json, "name", "greedy");
	json_int(&json, "points", -12);
	json_array_begin(&json, "list");
	json_int(&json, NULL, INT64_MIN);
	json_bool(&json, NULL, true);
	json_bool(&json, NULL, false);
	json_null(&json, NULL);
	json_object_begin(&json, NULL);
	json_object_end(&json);
	json_array_begin(&json, NULL);
	json_array_end(&json);
	json_array_end(&json);
	json_string(&json, "none", NULL);
	json.unknown = true;
	json_string(&json, "what", "is");
	json_int(&json, "not", 1);
	json_real(&json, "known", 1, 1);
	json.unknown = false;
	json_int(&json, "a\"b", 1);
	json_object_end(&json);
	document_expect(
	    "{\"name\":\"greedy\",\"points\":-12,\"list\":"
	    "[-9223372036854775808,true,false,null,{},[]],\"none\":null,"
	    "\"what\":null,\"not\":null,\"known\":null,\"a\\\"b\":1}\n");
}

/* Programs read the same string, and no terminal gets a control character. */
JSON_TEST(test_strings_are_escaped)
{
	static const char *const strings[] = {
		"a\"b\\c\nd\re\tf\x01g\x1b[0m\x7f h\xc3\xa8 /",
		"a\xe2\x80\xae b\xe2\x81\xa6\xd8\x9c\xc2\x9b\x1b[m",
		"\xd7\x90\xc3\xa8",
		"x\xff y\xc3",
	};

	json_array_begin(&json, NULL);
	for (int i = 0; i < COUNTOF(strings); i++)
		json_string(&json, NULL, strings[i]);
	json_array_end(&json);
	document_expect(
	    "[\"a\\\"b\\\\c\\nd\\re\\tf\\u0001g\\u001b[0m\\u007f h\xc3\xa8 /\","
	    "\"a\\u202e b\\u2066\\u061c\\u009b\\u001b[m\","
	    "\"\xd7\x90\xc3\xa8\",\"x\\ufffd y\\ufffd\"]\n");
}

JSON_TEST(test_reals_have_fixed_digits)
{
	json_array_begin(&json, NULL);
	json_real(&json, NULL, 1.25, 3);
	json_real(&json, NULL, -0.5, 1);
	json_real(&json, NULL, -0.0004, 3); /* rounds to 0: no sign */
	json_real(&json, NULL, 1e15, 0);
	json_real(&json, NULL, (double)NAN, 2);
	json_real(&json, NULL, (double)INFINITY, 2);
	json_real(&json, NULL, -(double)INFINITY, 2);
	json_array_end(&json);
	document_expect("[1.250,-0.5,0.000,1000000000000000,null,null,null]\n");
}
