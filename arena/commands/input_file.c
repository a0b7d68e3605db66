#include "input_file.h"

#include <errno.h>

enum status
input_file_status(int error)
{
	switch (-error) {
	case EACCES:
	case EISDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case ENXIO:
	case EPERM:
		return STATUS_USAGE;
	default:
		return STATUS_ENVIRONMENT;
	}
}
