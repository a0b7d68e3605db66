/*
 * Files that a command is told to read: what is said, and with which status it
 * ends, where one cannot be read.
 */
#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include "status.h"

/*
 * STATUS_USAGE where the path is to blame: nothing is there, or a folder, or
 * something that may not be read.  STATUS_ENVIRONMENT where the machine refused
 * to read a file that is there.  `error` is -errno.
 */
enum status input_file_status(int error);

#endif
