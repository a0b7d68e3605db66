/*
 * The referee with scripts of the actions of bots, and a judge that knows the
 * right results: see script.h and judge.h.  Records of games must be valid, and
 * no seat may be sent anything that depends on cards that it does not see.
 */
#include "fuzz.h"
#include "script.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	script_try(data, size);
	return 0;
}
