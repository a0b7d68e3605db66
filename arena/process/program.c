/*
 * Implements program.h: splits a command into words, finds its file, checks
 * that execve(2) would take it, explains what is wrong, and makes fingerprints.
 */
#include "program.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "resolve_path.h"

/* In the texts % stands for the name of the file, & for its interpreter. */
struct flaw_row {
	const char *code; /* NULL: the command is wrong, not the file */
	const char *sentence;
	const char *hint; /* NULL: none */
};

static const struct flaw_row flaws[] = {
	[PROGRAM_GOOD] = { NULL, "% can be run", NULL },
	[PROGRAM_EMPTY] = { NULL, "the command is empty",
	    "name a file or a \"command with arguments\"" },
	[PROGRAM_UNCLOSED] = { NULL,
	    "the command ends within a quote or after a backslash",
	    "close the quote" },
	[PROGRAM_TOO_LONG] = { NULL, "the command is too long",
	    "put it into a small script" },
	[PROGRAM_NO_WORKING_FOLDER] = { "ENOENT",
	    "the folder in which this command was started does not exist any "
	    "more",
	    "cd to a folder that exists" },
	[PROGRAM_TOO_MANY] = { NULL, "the command has too many words",
	    "put it into a small script" },
	[PROGRAM_MISSING] = { "ENOENT", "% does not exist",
	    "check the spelling, and the folder that the path starts in" },
	[PROGRAM_NOT_ON_PATH] = { "ENOENT", "no folder of PATH has %",
	    "write ./% for a file of this folder, or the whole path; a command "
	    "with arguments needs quotes" },
	[PROGRAM_DANGLING] = { "ENOENT",
	    "% is a symbolic link to a file that does not exist", "ls -l %" },
	[PROGRAM_LINK_LOOP] = { "ELOOP",
	    "% is a symbolic link that leads back to itself", "ls -l %" },
	[PROGRAM_DIRECTORY] = { "EACCES", "% is a directory",
	    "name the program in it" },
	[PROGRAM_SPECIAL] = { "EACCES",
	    "% is not a file but a pipe, socket or device",
	    "name a program or a script" },
	[PROGRAM_NO_EXEC] = { "EACCES", "% is not executable", "chmod +x %" },
	[PROGRAM_NOEXEC_MOUNT] = { "EACCES",
	    "% is on a file system that is mounted noexec",
	    "move it to another one, or name its interpreter before it" },
	[PROGRAM_OUT_OF_REACH] = { "EACCES",
	    "a folder on the way to % may not be entered", "ls -ld %" },
	[PROGRAM_PRIVILEGED] = { "SUID",
	    "% is setuid, setgid or has capabilities, which no bot is given",
	    "chmod ug-s %, or setcap -r %" },
	[PROGRAM_HOLLOW] = { "ENOEXEC", "% is an empty file",
	    "name a program or a script" },
	[PROGRAM_INTERPRETER] = { "ENOENT",
	    "the interpreter & in the first line of % does not exist",
	    "install it, or mend the first line of %" },
	[PROGRAM_CARRIAGE] = { "ENOENT",
	    "the first line of % ends in CR LF, so that its interpreter is not "
	    "found",
	    "sed -i 's/\\r$//' %" },
	[PROGRAM_MARK] = { "ENOEXEC",
	    "% begins with a byte order mark, which hides its first line",
	    "sed -i '1s/^\\xEF\\xBB\\xBF//' %" },
};
_Static_assert(COUNTOF(flaws) == PROGRAM_FLAW_COUNT, "a row a flaw");

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/*
 * Copies one word from *text, and moves *text after it.  Returns false if a
 * quote is not closed.
 */
static bool
next_word(const char **text, char **put)
{
	const char *from = *text;
	char quote = '\0';

	for (; *from != '\0' && (quote != '\0' || !is_blank(*from)); from++) {
		if (quote == '\0' && (*from == '\'' || *from == '"')) {
			quote = *from;
			continue;
		}
		if (quote != '\0' && *from == quote) {
			quote = '\0';
			continue;
		}
		if (*from == '\\' &&
		    (quote == '\0' ||
			(quote == '"' &&
			    (from[1] == '"' || from[1] == '\\')))) {
			from++;
			if (*from == '\0')
				return false;
		}
		*(*put)++ = *from;
	}
	*(*put)++ = '\0';
	*text = from;
	return quote == '\0';
}

enum program_flaw
program_parse(struct program *program, const char *text)
{
	char words[PROGRAM_SIZE];
	char *put = words;
	int word_count = 0;

	/* The copy is never longer than the text and its NUL. */
	if (strlen(text) >= PROGRAM_SIZE)
		return PROGRAM_TOO_LONG;
	for (;;) {
		while (is_blank(*text))
			text++;
		if (*text == '\0')
			break;
		if (word_count == PROGRAM_ARGUMENTS_MAX)
			return PROGRAM_TOO_MANY;
		if (!next_word(&text, &put))
			return PROGRAM_UNCLOSED;
		word_count++;
	}
	if (word_count == 0 || words[0] == '\0')
		return PROGRAM_EMPTY;
	memcpy(program->words, words, (size_t)(put - words));
	program->word_count = word_count;
	program->path[0] = '\0';
	return PROGRAM_GOOD;
}

enum program_flaw
program_self(
    struct program *program, const char *name, const char *const words[])
{
	size_t put = 0;

	program->word_count = 0;
	for (const char *word = name; word != NULL;
	     word = words[program->word_count - 1]) {
		size_t size = strlen(word) + 1;

		if (put + size > PROGRAM_SIZE)
			return PROGRAM_TOO_LONG;
		if (program->word_count == PROGRAM_ARGUMENTS_MAX)
			return PROGRAM_TOO_MANY;
		memcpy(program->words + put, word, size);
		put += size;
		program->word_count++;
	}
	/*
	 * The program that runs now, also if its file has been replaced since.
	 */
	snprintf(program->path, PROGRAM_PATH_SIZE, "/proc/self/exe");
	return PROGRAM_GOOD;
}

void
program_arguments(const struct program *program,
    const char *arguments[PROGRAM_ARGUMENTS_MAX + 1])
{
	const char *word = program->words;

	for (int i = 0; i < program->word_count; i++) {
		arguments[i] = word;
		word += strlen(word) + 1;
	}
	arguments[program->word_count] = NULL;
}

static enum program_flaw
interpreter_check(const char *path)
{
	char interpreter[INTERPRETER_SIZE];
	size_t length;

	if (!interpreter_read(path, interpreter))
		return PROGRAM_GOOD;
	if (access(interpreter, F_OK) == 0)
		return PROGRAM_GOOD;
	length = strlen(interpreter);
	return interpreter[length - 1] == '\r' ? PROGRAM_CARRIAGE
					       : PROGRAM_INTERPRETER;
}

static bool
has_byte_order_mark(const char *path)
{
	char head[3];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size;

	if (fd < 0)
		return false;
	size = pread(fd, head, sizeof(head), 0);
	close(fd);
	return size == sizeof(head) && memcmp(head, "\xEF\xBB\xBF", 3) == 0;
}

/* Whether the kernel would give the program more rights than its user has. */
static bool
is_privileged(const char *path, mode_t mode)
{
	return (mode & S_ISUID) != 0 ||
	    (mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) ||
	    getxattr(path, "security.capability", NULL, 0) > 0;
}

/* Whether an executable file cannot be run because of its file system. */
static bool
is_mounted_noexec(const char *path, mode_t mode)
{
	struct statvfs file_system;

	return (mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0 &&
	    statvfs(path, &file_system) == 0 &&
	    (file_system.f_flag & ST_NOEXEC) != 0;
}

enum program_flaw
program_check(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0) {
		switch (errno) {
		case EACCES:
			return PROGRAM_OUT_OF_REACH;
		case ELOOP:
			return PROGRAM_LINK_LOOP;
		case ENAMETOOLONG:
			return PROGRAM_TOO_LONG;
		default:
			return lstat(path, &status) == 0 ? PROGRAM_DANGLING
							 : PROGRAM_MISSING;
		}
	}
	if (S_ISDIR(status.st_mode))
		return PROGRAM_DIRECTORY;
	if (!S_ISREG(status.st_mode))
		return PROGRAM_SPECIAL;
	if (faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0)
		return is_mounted_noexec(path, status.st_mode)
		    ? PROGRAM_NOEXEC_MOUNT
		    : PROGRAM_NO_EXEC;
	if (is_privileged(path, status.st_mode))
		return PROGRAM_PRIVILEGED;
	if (status.st_size == 0)
		return PROGRAM_HOLLOW;
	if (has_byte_order_mark(path))
		return PROGRAM_MARK;
	return interpreter_check(path);
}

/* DIR/NAME as an absolute path; PROGRAM_GOOD, or why there is none. */
static enum program_flaw
path_join(char path[PROGRAM_PATH_SIZE], const char *dir, size_t dir_length,
    const char *name)
{
	char here[PROGRAM_PATH_SIZE] = "";
	const char *gap = "/";
	int length;

	if (name[0] == '/') {
		length = snprintf(path, PROGRAM_PATH_SIZE, "%s", name);
		return length < PROGRAM_PATH_SIZE ? PROGRAM_GOOD
						  : PROGRAM_TOO_LONG;
	}
	if (dir_length == 0 || dir[0] != '/') {
		if (getcwd(here, sizeof(here)) == NULL)
			return errno == ENOENT ? PROGRAM_NO_WORKING_FOLDER
					       : PROGRAM_TOO_LONG;
		if (dir_length == 0)
			gap = "";
	}
	length = snprintf(path, PROGRAM_PATH_SIZE, "%s%s%.*s/%s", here,
	    here[0] == '\0' ? "" : gap, (int)dir_length, dir, name);
	return length < PROGRAM_PATH_SIZE ? PROGRAM_GOOD : PROGRAM_TOO_LONG;
}

/*
 * The first good file of this name on PATH; or else the first flawed one, so
 * that a forgotten chmod is reported and not "not found".
 */
static enum program_flaw
path_search(char path[PROGRAM_PATH_SIZE], const char *name)
{
	const char *folder = getenv("PATH");
	enum program_flaw found = PROGRAM_NOT_ON_PATH;

	if (folder == NULL)
		folder = "/usr/local/bin:/usr/bin:/bin";
	snprintf(path, PROGRAM_PATH_SIZE, "%s", name);
	for (;;) {
		char candidate[PROGRAM_PATH_SIZE];
		size_t length = strcspn(folder, ":");
		enum program_flaw flaw;

		if (path_join(candidate, folder, length, name) ==
		    PROGRAM_GOOD) {
			flaw = program_check(candidate);
			if (flaw != PROGRAM_MISSING &&
			    flaw != PROGRAM_DIRECTORY &&
			    flaw != PROGRAM_OUT_OF_REACH &&
			    (flaw == PROGRAM_GOOD ||
				found == PROGRAM_NOT_ON_PATH)) {
				memcpy(path, candidate, sizeof(candidate));
				found = flaw;
			}
		}
		if (found == PROGRAM_GOOD)
			return found;
		if (folder[length] == '\0')
			break;
		folder += length + 1;
	}
	/* A folder of this name exists, so the name is no misspelt program. */
	if (found == PROGRAM_NOT_ON_PATH &&
	    program_check(path) == PROGRAM_DIRECTORY)
		found = PROGRAM_DIRECTORY;
	return found;
}

enum program_flaw
program_resolve(struct program *program, const char *dir)
{
	const char *name = program->words;
	enum program_flaw flaw;

	assert(program->word_count > 0);
	if (strchr(name, '/') == NULL)
		return path_search(program->path, name);
	flaw =
	    path_join(program->path, dir, dir == NULL ? 0 : strlen(dir), name);
	if (flaw != PROGRAM_GOOD) {
		program->path[0] = '\0';
		return flaw;
	}
	return program_check(program->path);
}

const char *
program_flaw_code(enum program_flaw flaw)
{
	assert(flaw < PROGRAM_FLAW_COUNT);
	return flaws[flaw].code;
}

/* The name, quoted as for a shell. */
static void
name_quote(const char *name, char quoted[PROGRAM_SENTENCE_SIZE])
{
	size_t put = 0;

	if (name[strcspn(name, " \t\"'\\$&;()<>|*?[]#~`!{}")] == '\0') {
		snprintf(quoted, PROGRAM_SENTENCE_SIZE, "%s", name);
		return;
	}
	quoted[put++] = '\'';
	for (; *name != '\0' && put < PROGRAM_SENTENCE_SIZE - 6; name++) {
		if (*name == '\'') {
			memcpy(quoted + put, "'\\'", 3);
			put += 3;
		}
		quoted[put++] = *name;
	}
	quoted[put++] = '\'';
	quoted[put] = '\0';
}

/* Copies `from` with `name` for every %, and `interpreter` for every &. */
static void
text_fill(const char *from, const char *name, const char *interpreter,
    char text[PROGRAM_SENTENCE_SIZE])
{
	char whole[PROGRAM_SENTENCE_SIZE];
	size_t put = 0;

	for (; *from != '\0' && put < sizeof(whole) - 1; from++) {
		const char *piece = *from == '%' ? name
		    : *from == '&'               ? interpreter
						 : from;
		size_t size = piece == from ? 1 : strlen(piece);

		if (size > sizeof(whole) - 1 - put)
			size = sizeof(whole) - 1 - put;
		memcpy(whole + put, piece, size);
		put += size;
	}
	escape_bytes(whole, put, false, text, PROGRAM_SENTENCE_SIZE);
}

void
program_flaw_explain(enum program_flaw flaw, const char *path, const char *name,
    char sentence[PROGRAM_SENTENCE_SIZE])
{
	char interpreter[INTERPRETER_SIZE] = "?";

	assert(flaw < PROGRAM_FLAW_COUNT);
	(void)interpreter_read(path, interpreter);
	text_fill(flaws[flaw].sentence, name, interpreter, sentence);
}

void
program_flaw_hint(
    enum program_flaw flaw, const char *name, char hint[PROGRAM_SENTENCE_SIZE])
{
	char quoted[PROGRAM_SENTENCE_SIZE];

	assert(flaw < PROGRAM_FLAW_COUNT);
	hint[0] = '\0';
	if (flaws[flaw].hint == NULL)
		return;
	name_quote(name, quoted);
	text_fill(flaws[flaw].hint, quoted, "", hint);
}

void
access_check_init(
    struct access_check *access_check, const char *file, char *const *arguments)
{
	char interpreter[INTERPRETER_SIZE];
	struct stat found;

	memset(access_check, 0, sizeof(*access_check));
	access_check->file = file;
	access_check->arguments = arguments;
	access_check->needed[0] = X_OK;
	if (interpreter_read(file, interpreter))
		access_check->needed[0] |= R_OK;
	for (int i = 1; i < LAUNCHER_ARGUMENTS_MAX && arguments[i] != NULL; i++)
		if (stat(arguments[i], &found) == 0 && S_ISREG(found.st_mode))
			access_check->needed[i] = R_OK;
}

const char *
access_check_run(const struct access_check *access_check)
{
	char *const *arguments = access_check->arguments;

	if (access(access_check->file, access_check->needed[0]) < 0)
		return access_check->file;
	for (int i = 1; i < LAUNCHER_ARGUMENTS_MAX && arguments[i] != NULL; i++)
		if (access_check->needed[i] != 0 &&
		    access(arguments[i], access_check->needed[i]) < 0)
			return arguments[i];
	return NULL;
}

/*
 * Fingerprints: device, inode, size and times of the file (its `mark`) and the
 * SHA-256 of its bytes.  A check compares the mark first, and reads the file
 * again only if the mark has changed.  A file with another mark but the same
 * SHA-256 is the same file.
 */

enum { CHUNK_SIZE = 65536 };

_Static_assert(FINGERPRINT_DIGEST_SIZE == crypto_hash_sha256_BYTES, "SHA-256");

/* Reads the mark of a file. Returns 0 or -errno; -EINVAL: no regular file. */
static int
mark_read(const char *path, struct stat *mark)
{
	if (stat(path, mark) < 0)
		return -errno;
	return S_ISREG(mark->st_mode) ? 0 : -EINVAL;
}

static bool
time_equal(struct timespec one, struct timespec other)
{
	return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

/* If the file is written to meanwhile, the two marks differ. */
static bool
mark_equal(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino &&
	    one->st_size == other->st_size &&
	    time_equal(one->st_mtim, other->st_mtim) &&
	    time_equal(one->st_ctim, other->st_ctim);
}

/* Computes the SHA-256 of a file. Returns 0 or -errno. */
static int
digest_read(const char *path, uint8_t digest[FINGERPRINT_DIGEST_SIZE])
{
	unsigned char bytes[CHUNK_SIZE];
	crypto_hash_sha256_state state;
	/* O_NONBLOCK: open() does not wait if a FIFO replaced the file. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	crypto_hash_sha256_init(&state);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0 ||
	    (got < 0 && errno == EINTR))
		if (got > 0)
			crypto_hash_sha256_update(&state, bytes, (size_t)got);
	got = got < 0 ? -errno : 0;
	close(fd);
	crypto_hash_sha256_final(&state, digest);
	return (int)got;
}

/*
 * Makes the fingerprint of this file.  Returns false, with an empty
 * fingerprint, if its mark cannot be read.
 */
static bool
make_of(struct fingerprint *fingerprint, const char *dir, const char *name)
{
	const bool inside = dir != NULL && name[0] != '/';
	int length = snprintf(fingerprint->path, sizeof(fingerprint->path),
	    "%s%s%s", inside ? dir : "", inside ? "/" : "", name);

	if (length >= (int)sizeof(fingerprint->path) ||
	    mark_read(fingerprint->path, &fingerprint->mark) < 0) {
		fingerprint->path[0] = '\0';
		return false;
	}
	fingerprint->readable =
	    digest_read(fingerprint->path, fingerprint->digest) == 0;
	return true;
}

void
fingerprint_make(struct fingerprint *fingerprint, const struct program *program,
    const char *dir)
{
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];

	program_arguments(program, arguments);
	if (strchr(arguments[0], '/') == NULL)
		for (int i = 1; arguments[i] != NULL; i++)
			if (make_of(fingerprint, dir, arguments[i]))
				return;
	(void)make_of(fingerprint, NULL, program->path);
}

void
fingerprint_make_file(struct fingerprint *fingerprint, const char *path)
{
	(void)make_of(fingerprint, NULL, path);
}

/* Checks one file. Returns as fingerprint_check(). */
static int
file_check(const struct fingerprint *fingerprint)
{
	uint8_t digest[FINGERPRINT_DIGEST_SIZE];
	struct stat mark;
	int error;

	if (fingerprint->path[0] == '\0')
		return 0;
	error = mark_read(fingerprint->path, &mark);
	if (error == -EINVAL)
		return -ESTALE;
	if (error)
		return error;
	if (mark_equal(&mark, &fingerprint->mark))
		return 0;
	if (!fingerprint->readable)
		return -ESTALE;
	error = digest_read(fingerprint->path, digest);
	if (error)
		return error;
	return memcmp(digest, fingerprint->digest, sizeof(digest)) == 0
	    ? 0
	    : -ESTALE;
}

int
fingerprint_check(const struct fingerprint *fingerprint)
{
	int error = file_check(fingerprint);

	for (int i = 0; i < fingerprint->other_count && error == 0; i++)
		error = file_check(&fingerprint->others[i]);
	return error;
}
