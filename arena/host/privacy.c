#include "privacy.h"

#include <errno.h>
#include <sys/prctl.h>

int
privacy_begin(void)
{
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

void
privacy_end(void)
{
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}
