/*
 * The identity of the engine: its form, and that it is the one of the sources.
 */
#include "engine_id.h"

#include <string.h>

#include "test.h"
#include "version.h"

enum { DIGEST_LENGTH = 64 };

TEST(test_engine_id_has_version_protocol_and_digest)
{
	static const char begin[] = VERSION_NUMBER " usp=1 sources=";
	const char *digest = engine_id() + strlen(begin);

	assert_memory_equal(engine_id(), begin, strlen(begin));
	assert_int_equal(strlen(digest), DIGEST_LENGTH);
	assert_int_equal(strspn(digest, "0123456789abcdef"), DIGEST_LENGTH);
}
