/*
 * The referee under scripts of what bots may do, with a judge who knows what
 * must come of it: see script.h and judge.h.  Games must leave records that
 * prove what they say, and no seat may hear anything that depends on cards
 * that it does not see.
 */
#include "fuzz.h"
#include "script.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	script_try(data, size);
	return 0;
}
