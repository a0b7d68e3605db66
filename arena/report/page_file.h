/*
 * The files that pages for a browser are made of: style sheets and scripts.
 *
 * They stand in the folder `page` beside this file.  The build puts them into
 * the program, so that it needs no other file.
 */
#ifndef PAGE_FILE_H
#define PAGE_FILE_H

#include <stddef.h>

struct page_file {
	const char *name;         /* `report.css` */
	const char *const *lines; /* without line ends; NULL behind the last */
};

/* The file with this name, or NULL. */
const struct page_file *page_file_find(const char *name);

/*
 * The content of a file, with a LF behind each line, for free(); *size gets its
 * size without the NUL.  NULL without memory.
 */
char *page_file_text(const struct page_file *file, size_t *size);

#endif
