/*
 * Implements trace.h. A bot has one name in the trace from its first line on:
 * the one that the user gave, or else its command. A row of the text:
 *
 *	m1    1 mybot           12.345 <- move 7D turn=5cde182ecba7216a
 *
 * The rows of a call are composed in memory. They are appended while a lock of
 * the file is held, which excludes the other workers. struct trace is in memory
 * that all workers share, so that all of them stop after a write that failed.
 */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "clock.h"
#include "countof.h"
#include "log.h"
#include "match.h"
#include "match_head.h"
#include "version.h"

enum { VERSION = 1 };

struct trace {
	int fd;
	bool json;
	_Atomic int error; /* of the first write that failed: -errno */
};

/* What a row is about. The first ones are those of enum bot_traffic_kind. */
enum { ROW_PROCESS = BOT_TRAFFIC_COUNT, ROW_COUNT };

static const struct {
	const char *mark; /* in the text */
	const char *dir;  /* in JSON */
	const char *note; /* a further row about the process, or NULL */
} rows[] = {
	[BOT_SENT] = { "->", "to", NULL },
	[BOT_UNSENT] = { "-x", "unsent", NULL },
	[BOT_RECEIVED] = { "<-", "from", NULL },
	[BOT_RECEIVED_LONG] = { "<-", "from",
	    "wrote a line of more than 4096 bytes: its rest is dropped" },
	[BOT_RECEIVED_REST] = { "<-", "from",
	    "ended in the middle of this line, which is not used" },
	[BOT_FLOODED] = { NULL, NULL,
	    "wrote more than 64 lines or 64 KiB without being asked: further "
	    "output is dropped" },
	[BOT_PRINTED] = { "!!", "stderr", NULL },
	[ROW_PROCESS] = { "##", "process", NULL },
};

_Static_assert(COUNTOF(rows) == ROW_COUNT, "a row for each kind");
_Static_assert(LINE_SIZE_MAX == 4096 && LINE_FLOOD_LINES == 64 &&
	LINE_FLOOD_BYTES == 64 * 1024,
    "the limits in the notes");

/* Rows of one call, which are composed in memory and then written at once. */
struct row_buffer {
	struct trace *trace;
	FILE *file;
	char *bytes;
	size_t size;
	struct player *player;
	int64_t now_ns;
};

/*
 * Stops the trace. The first process that fails writes the warning, which goes
 * to the log.
 */
static void
trace_fail(struct trace *trace, int error)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&trace->error, &none, -error))
		log_print(LOG_WARN, "the trace ends here: %s", strerror(error));
}

/*
 * Appends the bytes. The lock excludes other processes. Where there are no
 * locks, O_APPEND puts what one write takes into one place. A device is not
 * locked: any program may hold a lock of /dev/null. A pipe is: it takes long
 * texts in pieces.
 */
static int
trace_write(const struct trace *trace, const char *bytes, size_t size)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat file;
	bool locked = fstat(trace->fd, &file) == 0 && !S_ISCHR(file.st_mode) &&
	    fcntl(trace->fd, F_SETLKW, &lock) == 0;
	int error = write_all(trace->fd, bytes, size);

	lock.l_type = F_UNLCK;
	if (locked)
		(void)fcntl(trace->fd, F_SETLK, &lock);
	return error;
}

/* Returns false if there is no trace, if it has ended, or without memory. */
static bool
row_buffer_open(
    struct row_buffer *buffer, struct player *player, int64_t now_ns)
{
	*buffer = (struct row_buffer){
		.trace = player->match->rules->trace,
		.player = player,
		.now_ns = now_ns,
	};
	if (buffer->trace == NULL || trace_error(buffer->trace) != 0)
		return false;
	buffer->file = memory_file_open(&buffer->bytes, &buffer->size);
	if (buffer->file == NULL)
		trace_fail(buffer->trace, errno);
	return buffer->file != NULL;
}

/* Writes the rows, and frees them. */
static void
row_buffer_close(struct row_buffer *buffer)
{
	int error = fclose(buffer->file) == 0 ? 0 : -errno;

	if (!error)
		error = trace_write(buffer->trace, buffer->bytes, buffer->size);
	if (error)
		trace_fail(buffer->trace, -error);
	free(buffer->bytes);
}

/* Bytes as a text: all but printable ASCII as \xNN. */
static void
put_text(FILE *file, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (byte >= 0x20 && byte <= 0x7e)
			fputc(byte, file);
		else
			fprintf(file, "\\x%02X", byte);
	}
}

/*
 * Bytes as a JSON string. A text of a bot may hold any byte: the characters of
 * the string have the numbers of the bytes. A name is UTF-8 without control
 * characters, and stays as it is.
 */
static void
put_json(FILE *file, const char *bytes, size_t length, bool is_name)
{
	fputc('"', file);
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if ((byte >= 0x20 && byte <= 0x7e) || is_name)
			fputc(byte, file);
		else
			fprintf(file, "\\u%04x", byte);
	}
	fputc('"', file);
}

static void
put_row(struct row_buffer *buffer, int kind, const char *bytes, size_t length)
{
	const struct player *player = buffer->player;
	const char *name = player->trace.name;
	double ms = (double)(buffer->now_ns - player->trace.asked_ns) / 1e6;
	int index = player->match->game.index;
	char game[16] = "-";
	FILE *file = buffer->file;

	if (index != GAME_NONE)
		snprintf(game, sizeof(game), "m%d", index + 1);
	if (!buffer->trace->json) {
		fprintf(file, "%-5s %d %-14s %9.3f %s ", game, player->seat + 1,
		    name, ms, rows[kind].mark);
		put_text(file, bytes, length);
		fputc('\n', file);
		return;
	}
	if (index == GAME_NONE)
		fputs("{\"match\":null", file);
	else
		fprintf(file, "{\"match\":\"%s\"", game);
	fprintf(file, ",\"seat\":%d,\"bot\":", player->seat + 1);
	put_json(file, name, strlen(name), true);
	fprintf(
	    file, ",\"ms\":%.3f,\"dir\":\"%s\",\"line\":", ms, rows[kind].dir);
	put_json(file, bytes, length, false);
	fputs("}\n", file);
}

/* Whether a line to a bot is a question. The time counts from it. */
static bool
asks(const char *line, size_t length)
{
	static const char *const verbs[] = { "usp", "isready", "go" };

	for (size_t i = 0; i < COUNTOF(verbs); i++) {
		size_t size = strlen(verbs[i]);

		if (length >= size && memcmp(line, verbs[i], size) == 0 &&
		    (length == size || line[size] == ' '))
			return true;
	}
	return false;
}

/* Puts a row for each line that was sent to a bot. */
static void
put_lines(struct row_buffer *buffer, const struct bot_traffic *traffic)
{
	const char *line = traffic->bytes, *end = line + traffic->length;

	while (line < end) {
		const char *lf = memchr(line, '\n', (size_t)(end - line));
		size_t length = (size_t)((lf ? lf : end) - line);

		if (asks(line, length))
			buffer->player->trace.asked_ns = traffic->now_ns;
		put_row(buffer, (int)traffic->kind, line, length);
		line += length + 1;
	}
}

/* Puts a row for what the bot has printed to stderr since its last line. */
static void
put_stderr(struct row_buffer *buffer)
{
	struct trace_bot *bot = &buffer->player->trace;

	if (bot->pending > 0 && bot->stderr_line[bot->pending - 1] == '\r')
		bot->pending--;
	put_row(buffer, BOT_PRINTED, bot->stderr_line, bot->pending);
	bot->pending = 0;
}

/* Puts a row for each line that the bytes complete. */
static void
add_stderr(struct row_buffer *buffer, const struct bot_traffic *traffic)
{
	struct trace_bot *bot = &buffer->player->trace;

	for (size_t i = 0; i < traffic->length; i++) {
		if (traffic->bytes[i] == '\n') {
			put_stderr(buffer);
			continue;
		}
		if (bot->pending == sizeof(bot->stderr_line))
			put_stderr(buffer);
		bot->stderr_line[bot->pending++] = traffic->bytes[i];
	}
}

static void
put_note(struct row_buffer *buffer, const char *sentence)
{
	put_row(buffer, ROW_PROCESS, sentence, strlen(sentence));
}

/* Writes the version and the meaning of the columns. */
static int
write_head(const struct trace *trace)
{
	char utc[CLOCK_UTC_SIZE], head[512];
	int length;

	clock_utc(utc);
	length = snprintf(head, sizeof(head),
	    trace->json
		? "{\"v\":%d,\"tool\":\"%s\",\"time\":\"%s\"}\n"
		: "# trace %d of %s, %s\n"
		  "# match, seat, bot, milliseconds since it was last sent "
		  "usp, isready or go\n"
		  "# -> sent to it, -x not delivered, <- received from it, "
		  "!! its stderr, ## its process\n",
	    VERSION, VERSION_NAME "/" VERSION_NUMBER, utc);
	return trace_write(trace, head, (size_t)length);
}

int
trace_open(struct trace **opened, const char *path, bool json)
{
	struct trace *trace = mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int error = 0;

	if (trace == MAP_FAILED)
		return -errno;
	trace->json = json;
	trace->fd = path == NULL
	    ? STDERR_FILENO
	    : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (trace->fd < 0)
		error = -errno;
	else
		error = write_head(trace);
	if (error)
		trace_close(trace);
	else
		*opened = trace;
	return error;
}

void
trace_close(struct trace *trace)
{
	if (trace == NULL)
		return;
	if (trace->fd >= 0 && trace->fd != STDERR_FILENO)
		close(trace->fd);
	munmap(trace, sizeof(*trace));
}

int
trace_error(const struct trace *trace)
{
	return atomic_load(&trace->error);
}

void
trace_begin(struct player *player)
{
	const struct entrant *entrant =
	    &player->match->entrants[player->entrant];
	struct trace_bot *bot = &player->trace;
	struct row_buffer buffer;

	if (!row_buffer_open(&buffer, player, clock_now_ns()))
		return;
	match_head_plain(entrant->name[0] ? entrant->name : entrant->command,
	    bot->name, sizeof(bot->name));
	bot->asked_ns = buffer.now_ns;
	bot->pending = 0;
	put_note(&buffer, "started");
	row_buffer_close(&buffer);
}

void
trace_traffic(struct bot *bot, const struct bot_traffic *traffic)
{
	const char *note = rows[traffic->kind].note;
	struct row_buffer buffer;

	if (!row_buffer_open(&buffer, bot->context, traffic->now_ns))
		return;
	switch (traffic->kind) {
	case BOT_SENT:
	case BOT_UNSENT:
		put_lines(&buffer, traffic);
		break;
	case BOT_RECEIVED:
	case BOT_RECEIVED_LONG:
	case BOT_RECEIVED_REST:
		put_row(&buffer, (int)traffic->kind, traffic->bytes,
		    traffic->length);
		break;
	case BOT_PRINTED:
		add_stderr(&buffer, traffic);
		break;
	case BOT_FLOODED:
	case BOT_TRAFFIC_COUNT:
		break;
	}
	if (note != NULL)
		put_note(&buffer, note);
	row_buffer_close(&buffer);
}

void
trace_end(struct player *player, const struct bot_exit *exit)
{
	struct row_buffer buffer;

	if (!row_buffer_open(&buffer, player, clock_now_ns()))
		return;
	if (player->trace.pending > 0)
		put_stderr(&buffer);
	put_note(&buffer, exit->sentence);
	row_buffer_close(&buffer);
}
