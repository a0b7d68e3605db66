/*
 * What this program is: the one place of its version.
 */
#ifndef VERSION_H
#define VERSION_H

#define VERSION_NAME "scopa-arena"
#define VERSION_NUMBER "0.2.0"
#define VERSION_DATE "November 21, 2026" /* of the release, for the manual */

enum {
	VERSION_PROTOCOL = 1, /* USP/1 */
	VERSION_RECORD = 1    /* %scopa-record 1 */
};

#endif
