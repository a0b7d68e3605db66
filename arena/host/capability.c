#include "capability.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
capability_drop(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[2] = { { 0 } };

	/*
	 * Neither may they come back by executing something.  Who may not say
	 * so relies on no_new_privs; an older kernel does not know them all.
	 */
	for (int capability = 0; capability <= CAP_LAST_CAP; capability++) {
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 &&
		    errno != EINVAL && errno != EPERM)
			return -errno;
	}
	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}
