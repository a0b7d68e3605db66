/*
 * Name, version and date of this program; no other file contains them.
 */
#ifndef VERSION_H
#define VERSION_H

#define VERSION_NAME "scopa-arena"
#define VERSION_NUMBER "0.2.0"
/* Date of the release, for the manual. */
#define VERSION_DATE "November 21, 2026"

enum {
	VERSION_PROTOCOL = 1, /* USP/1 */
	VERSION_RECORD = 1    /* %scopa-record 1 */
};

#endif
