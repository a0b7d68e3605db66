/*
 * Which files a bot may use, and which no bot may read, wherever they are:
 * folders of runs, because their secret determines the packs to come, and
 * records of games.
 *
 * A folder is a run's if it has `results.db`, or two of the files that a run
 * has. A record is a file whose name ends in `.scopa`, or, right in the folder
 * that is searched, one that begins as records do.
 */
#ifndef FILE_POLICY_H
#define FILE_POLICY_H

#include <stdbool.h>

/* The file with the secret of a run, from which all its packs follow. */
#define HIDDEN_SECRET "secret"

enum {
	HIDDEN_NAMES_MAX = 200000, /* in one folder with all below it */
	HIDDEN_DEPTH_MAX = 64
};

/* A list of hidden paths. Zeroed it is empty. */
struct hidden {
	char **paths; /* owned, absolute */
	int count, capacity;
	struct searched_folder *searched; /* owned */
	int searched_count, searched_capacity;
};

/*
 * Adds what lies in a folder and `depth` folders below it (0: in it alone); of
 * the folder itself, where it is a run's, the files that are the run's. The
 * path is absolute and no name in it a link; links in it are not followed. It
 * is not searched again if it was searched as deep before. 0; -ENOMEM, -EMFILE,
 * -ENFILE; -E2BIG where there are too many names.
 */
int hidden_find(struct hidden *hidden, const char *folder, int depth);

/* Whether a file or folder belongs to a run. */
bool hidden_is_in_run(const char *path);

void hidden_release(struct hidden *hidden);

/*
 * File policy: the list of files and folders that a bot may use.  From it
 * follow the Landlock domain of the bot (confinement.h) and its root folder, if
 * it has one of its own (namespaces.h).
 */

enum { FILE_POLICY_HIDDEN_MAX = 8 };

/*
 * The scratch folder, the only place where a bot may write. It exists only in a
 * root folder of its own.
 */
#define FILE_POLICY_PLACE "/run/scratch"

struct file_policy_order {
	const char *file;        /* the program, an absolute path */
	char *const *arguments;  /* argv of it, NULL ends it */
	const char *dir;         /* the bot's own, or NULL */
	const char *read;        /* more to read, colons between; or NULL */
	const char *search_path; /* $PATH: where interpreters are; or NULL */
	bool boxed;              /* /proc shows only the processes of the box */
	int scratch_kib;         /* of FILE_POLICY_PLACE; 0: there is none */
	/* Absolute paths that must not be read, even in a readable folder. */
	const char *hidden[FILE_POLICY_HIDDEN_MAX];
	int hidden_count;
};

enum file_policy_kind {
	FILE_POLICY_READ,    /* a file, or a folder with all below it */
	FILE_POLICY_LIST,    /* a folder: only the names of its entries */
	FILE_POLICY_WRITE,   /* a device */
	FILE_POLICY_LINK,    /* a link on the way to one of them */
	FILE_POLICY_FOLDER,  /* only that it exists */
	FILE_POLICY_SCRATCH, /* it may be written, with everything below it */
	/* hidden, although it is below a readable folder */
	FILE_POLICY_HIDDEN
};

/* Only the last name of its path may be a link. */
struct file_policy_item {
	enum file_policy_kind kind;
	bool inner; /* lies in a folder that is listed before */
	char *path;
};

struct file_policy {
	struct file_policy_item *items;
	int count;
	int room;
	int scratch_kib; /* how much may be written in all */
};

/*
 * Lists the files and folders that a bot may use:
 *
 * - what the system has installed;
 * - the folders of $PATH, and folders beside them that belong to them;
 * - the folders of the program and of all that the kernel starts for it
 *   (resolve_path.h);
 * - the files and folders that arguments name, alone or with colons between
 *   them;
 * - the folder of the bot, and its working folder;
 * - the usual devices, the folders where it may write, and its own part of
 *   /proc.
 *
 * If something in a folder is hidden, the other entries of this folder are
 * listed one by one. Hidden is what hidden_find() finds in these folders; it is
 * also not listed if an argument names it. A record is listed if `read` names it
 * by itself; files of a run are not listed even then.
 *
 * Some programs run others: programs of the system or of $PATH, or in a folder
 * `bin` or `shims`. With such a program, the first file that arguments name is
 * the script, and the folder of the script is that of the bot. Relative paths
 * begin at the working folder. Returns 0, or -errno if memory or descriptors
 * are short.
 */
int file_policy_init(
    struct file_policy *file_policy, const struct file_policy_order *order);
void file_policy_release(struct file_policy *file_policy);

/*
 * Whether a path is what the system has installed, or below it, which every bot
 * may read.  Links and `..` in the path are not looked at.
 */
bool file_policy_is_installed(const char *path);

/* Whether a path is this folder or is below it. */
bool file_policy_is_below(const char *path, const char *folder);

#endif
