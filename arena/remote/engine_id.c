/*
 * Implements engine_id.h.  The build writes the digest of the sources into
 * engine_digest.inc: see ENGINE_FILES in the Makefile.
 */
#include "engine_id.h"

#include "version.h"

_Static_assert(VERSION_PROTOCOL == 1, "the version of the protocol below");

const char *
engine_id(void)
{
	return VERSION_NUMBER " usp=1 sources="
#include "engine_digest.inc"
	    ;
}
