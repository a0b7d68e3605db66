/*
 * Implements run_workers.h: first the list of workers, then the log of audits.
 */
#include "run_workers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffers.h"
#include "countof.h"
#include "run.h"
#include "schedule.h"
#include "scopa/text.h"
#include "words.h"

/*
 * The list of workers.  The table of columns reads and writes all of them.
 */

static const char list_heading[] = "# scopa-workers 1 ";

enum kind { TEXT, INT, REAL };

/* The greatest number in a list, also for the error of a clock. */
#define REAL_MAX 1e11

/* A column and its field; `size`: of a text. */
static const struct column {
	const char *name;
	enum kind kind;
	size_t offset, size;
} columns[] = {
#define COLUMN(kind, field)                                       \
	{                                                         \
#field, kind, offsetof(struct worker_row, field), \
		    sizeof(((struct worker_row *)0)->field)       \
	}
	COLUMN(TEXT, name),
	COLUMN(TEXT, state),
	COLUMN(INT, cores),
	COLUMN(REAL, speed),
	COLUMN(REAL, games_per_s),
	COLUMN(INT, blocks),
	COLUMN(INT, games),
	COLUMN(INT, faults),
	COLUMN(REAL, lag_s),
	COLUMN(REAL, seen_s),
	COLUMN(REAL, clock_ahead_s),
	COLUMN(TEXT, labels),
	COLUMN(TEXT, host),
#undef COLUMN
};

/* Bytes that are no printable ASCII become `?`; an empty text is `-`. */
static void
put_column(FILE *file, const char *text)
{
	if (*text == '\0')
		fputc('-', file);
	for (; *text != '\0'; text++)
		fputc(*text > ' ' && *text < 0x7F ? *text : '?', file);
}

static void
put_row(FILE *file, const struct worker_row *row)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		const void *field = (const char *)row + columns[i].offset;

		if (i > 0)
			fputc('\t', file);
		switch (columns[i].kind) {
		case TEXT:
			put_column(file, field);
			break;
		case INT:
			fprintf(file, "%" PRId64, *(const int64_t *)field);
			break;
		case REAL:
			fprintf(file, "%.3f", *(const double *)field);
			break;
		}
	}
	fputc('\n', file);
}

int
worker_list_write(const char *folder, const struct worker_row *rows, int count)
{
	char utc[CLOCK_UTC_SIZE];
	char *text = NULL;
	size_t size;
	FILE *file = memory_file_open(&text, &size);
	int error;

	if (file == NULL)
		return -ENOMEM;
	clock_utc(utc);
	fprintf(file, "%s%s\n", list_heading, utc);
	for (int i = 0; i < COUNTOF(columns); i++)
		fprintf(file, "%s%s", i > 0 ? "\t" : "", columns[i].name);
	fputc('\n', file);
	for (int i = 0; i < count && i < WORKER_LIST_MAX; i++)
		put_row(file, &rows[i]);
	error = fclose(file) == 0
	    ? run_text_replace(folder, WORKER_LIST_FILE, text)
	    : -ENOMEM;
	free(text);
	return error;
}

/* Reads one field, which ends with the text. */
static bool
read_field(
    const char *text, const struct column *column, struct worker_row *row)
{
	void *field = (char *)row + column->offset;
	char *end = NULL;
	double number;

	switch (column->kind) {
	case TEXT:
		if (strlen(text) >= column->size)
			return false;
		strcpy(field, text);
		return *text != '\0';
	case INT:
		*(int64_t *)field = strtoll(text, &end, 10);
		break;
	case REAL:
		number = strtod(text, &end);
		if (!(fabs(number) <= REAL_MAX))
			return false;
		*(double *)field = number;
		break;
	}
	return end != text && *end == '\0';
}

static bool
read_row(char *line, struct worker_row *row)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		char *field = strsep(&line, "\t");

		if (field == NULL || !read_field(field, &columns[i], row))
			return false;
	}
	return line == NULL;
}

/* Whether the line with the names of the columns is the one of this version. */
static bool
names_columns(char *line)
{
	for (int i = 0; i < COUNTOF(columns); i++) {
		const char *name = strsep(&line, "\t");

		if (name == NULL || strcmp(name, columns[i].name) != 0)
			return false;
	}
	return line == NULL;
}

/* Reads the text, which it changes. */
static int
read_text(char *text, struct worker_list *list)
{
	char *line = strsep(&text, "\n");

	if (strncmp(line, list_heading, strlen(list_heading)) != 0 ||
	    strlen(line) != strlen(list_heading) + CLOCK_UTC_SIZE - 1 ||
	    text == NULL)
		return -EBADMSG;
	strcpy(list->written, line + strlen(list_heading));
	if (!names_columns(strsep(&text, "\n")) || text == NULL)
		return -EBADMSG;
	while (*text != '\0') {
		line = strsep(&text, "\n");
		if (list->count == WORKER_LIST_MAX || text == NULL ||
		    !read_row(line, &list->rows[list->count]))
			return -EBADMSG;
		list->count++;
	}
	return 0;
}

int
worker_list_read(const char *folder, struct worker_list *list)
{
	char *text;
	int error = run_text_read(folder, WORKER_LIST_FILE, &text);

	if (error)
		return error;
	*list = (struct worker_list){
		.rows = calloc(WORKER_LIST_MAX, sizeof(*list->rows)),
	};
	error = list->rows != NULL ? read_text(text, list) : -ENOMEM;
	free(text);
	if (error)
		worker_list_release(list);
	return error;
}

void
worker_list_release(struct worker_list *list)
{
	free(list->rows);
	*list = (struct worker_list){ .count = 0 };
}

bool
worker_is_live(double seen_s)
{
	enum { LIVE_S = 120 };

	return seen_s >= 0 && seen_s < LIVE_S;
}

struct worker_total
worker_list_total(const struct worker_list *list)
{
	struct worker_total total = { .live = 0 };

	for (int i = 0; i < list->count; i++) {
		const struct worker_row *row = &list->rows[i];

		if (!worker_is_live(row->seen_s))
			continue;
		total.live++;
		total.cores += (int)row->cores;
		total.games_per_s += row->games_per_s;
	}
	return total;
}

/*
 * The log of audits.
 */

enum {
	LINE_SIZE = STORE_TEXT_SIZE + 2 * WORKER_NAME_SIZE + 64,
	FIELDS_MAX = 4 + BLOCK_GAMES_MAX
};

static const char log_heading[] = "# scopa-audits 1\n";

static const char *const event_names[AUDIT_EVENT_COUNT] = {
	[AUDIT_COUNTED] = "counted",
	[AUDIT_DUE] = "due",
	[AUDIT_COMPARED] = "compared",
	[AUDIT_QUARANTINED] = "quarantined",
	[AUDIT_REPLAYED] = "replayed",
};

static const char *const trust_names[] = { "enrolled", "trusted" };
static const char *const replay_names[] = { "same", "replaced" };

/*
 * Writing.
 */

/* Writes what is pending; a part is cut off again. */
static int
flush(struct audit_log *log)
{
	int error =
	    run_write_at(log->fd, log->pending, log->pending_size, log->offset);

	if (error) {
		/* Bytes after the last whole line are cut off later. */
		if (ftruncate(log->fd, log->offset) < 0)
			error = -errno;
		return error;
	}
	log->offset += (int64_t)log->pending_size;
	log->pending_size = 0;
	return 0;
}

static int
add_bytes(struct audit_log *log, const char *bytes, size_t size)
{
	if (array_make_room(&log->pending, &log->pending_capacity,
		log->pending_size + size, 1))
		return -ENOMEM;
	memcpy(log->pending + log->pending_size, bytes, size);
	log->pending_size += size;
	return 0;
}

int
audit_log_open(struct audit_log *log, const char *folder)
{
	char path[PATH_MAX];
	int error;

	run_path_join(path, folder, AUDIT_LOG_FILE);
	*log = (struct audit_log){
		.fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666),
	};
	if (log->fd < 0)
		return -errno;
	log->offset = run_cut_part_of_line(log->fd);
	error = log->offset < 0 ? (int)log->offset : 0;
	if (log->offset == 0) {
		error = add_bytes(log, log_heading, strlen(log_heading));
		if (!error)
			error = flush(log);
		if (!error)
			error = run_folder_sync(folder);
	}
	if (error)
		audit_log_close(log);
	return error;
}

void
audit_log_close(struct audit_log *log)
{
	if (log->fd >= 0)
		close(log->fd);
	free(log->pending);
	*log = (struct audit_log){ .fd = -1 };
}

/*
 * Prints a text from elsewhere without separators of columns and lines, and not
 * more of it than a line has room for.
 */
static void
put_text(struct scopa_text *text, const char *words)
{
	for (int i = 0; words[i] != '\0' && i < STORE_TEXT_SIZE - 1; i++)
		scopa_text_char(
		    text, (unsigned char)words[i] < ' ' ? ' ' : words[i]);
}

static void
put_outcomes(struct scopa_text *text, const struct audit_line *line)
{
	for (int game = 0; game < line->game_count; game++)
		if (line->outcomes[game] >= 0)
			scopa_text_print(
			    text, "\t%d", line->outcomes[game] + 1);
		else
			scopa_text_string(
			    text, line->outcomes[game] == -1 ? "\t=" : "\t?");
}

void
audit_log_add(struct audit_log *log, const struct audit_line *line)
{
	struct scopa_text text = SCOPA_TEXT(LINE_SIZE);

	scopa_text_print(&text, "%s\t", event_names[line->event]);
	if (line->event != AUDIT_QUARANTINED)
		scopa_text_print(&text, "%jd", (intmax_t)line->block + 1);
	switch (line->event) {
	case AUDIT_COUNTED:
	case AUDIT_COMPARED:
		scopa_text_print(&text, "\t%s\t%s", line->worker,
		    trust_names[line->trusted]);
		if (line->event == AUDIT_COMPARED)
			put_outcomes(&text, line);
		break;
	case AUDIT_QUARANTINED:
		scopa_text_print(&text, "%s\t", line->worker);
		put_text(&text, line->reason);
		break;
	case AUDIT_REPLAYED:
		scopa_text_print(&text, "\t%s\t%s\t%s", line->worker, line->by,
		    replay_names[line->replaced]);
		break;
	case AUDIT_DUE:
	case AUDIT_EVENT_COUNT:
		break;
	}
	scopa_text_char(&text, '\n');
	/*
	 * If there is no memory, the line is lost. Then resume plays the audit
	 * again or skips it.
	 */
	if (add_bytes(log, text.bytes, text.length) == 0)
		(void)flush(log);
}

int
audit_log_sync(struct audit_log *log)
{
	int error = flush(log);

	if (!error && fdatasync(log->fd) < 0)
		error = -errno;
	return error;
}

/*
 * Reading.
 */

/* The index of a word in a table, or -1. */
static int
find_word(const char *word, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(word, names[i]) == 0)
			return i;
	return -1;
}

static bool
read_name(const char *field, const char **name)
{
	*name = field;
	return strlen(field) < WORKER_NAME_SIZE;
}

/* A number from 1 on as an index. */
static bool
read_number(const char *field, int64_t max, int64_t *index)
{
	return word_to_int(word_of(field), 1, max, index) && (*index)-- > 0;
}

static bool
read_trust(const char *field, bool *trusted)
{
	int index = find_word(field, trust_names, COUNTOF(trust_names));

	*trusted = index == 1;
	return index >= 0;
}

static bool
read_outcomes(char *const *fields, int count, struct audit_line *line)
{
	line->game_count = count;
	for (int game = 0; game < count; game++) {
		int64_t outcome;

		if (strcmp(fields[game], "=") == 0)
			outcome = -1;
		else if (strcmp(fields[game], "?") == 0)
			outcome = -2;
		else if (!read_number(
			     fields[game], TOURNAMENT_BOTS_MAX, &outcome))
			return false;
		line->outcomes[game] = (int)outcome;
	}
	return true;
}

static bool
read_line(char *text, struct audit_line *line)
{
	char *fields[FIELDS_MAX], *field;
	int count = 0, index;

	while (count < FIELDS_MAX && (field = strsep(&text, "\t")) != NULL)
		fields[count++] = field;
	memset(line, 0, sizeof(*line));
	index = find_word(fields[0], event_names, AUDIT_EVENT_COUNT);
	if (index < 0 || count < 2 || text != NULL)
		return false;
	line->event = (enum audit_event)index;
	if (line->event == AUDIT_QUARANTINED) {
		if (count != 3)
			return false;
		line->reason = fields[2];
		return read_name(fields[1], &line->worker);
	}
	if (!read_number(fields[1], SCHEDULE_BLOCKS_MAX, &line->block))
		return false;
	if (line->event == AUDIT_DUE)
		return count == 2;
	if (count < 4 || !read_name(fields[2], &line->worker))
		return false;
	if (line->event == AUDIT_REPLAYED) {
		index = count != 5
		    ? -1
		    : find_word(fields[4], replay_names, COUNTOF(replay_names));
		line->replaced = index == 1;
		return index >= 0 && read_name(fields[3], &line->by);
	}
	return read_trust(fields[3], &line->trusted) &&
	    (line->event == AUDIT_COUNTED
		    ? count == 4
		    : read_outcomes(fields + 4, count - 4, line));
}

int
audit_log_read(const char *folder,
    int (*visit)(void *context, const struct audit_line *line), void *context)
{
	char path[PATH_MAX], text[LINE_SIZE];
	struct audit_line line;
	int status = 0;
	FILE *file;

	run_path_join(path, folder, AUDIT_LOG_FILE);
	file = fopen(path, "re");
	if (file == NULL)
		return -errno;
	if (fgets(text, sizeof(text), file) == NULL ||
	    strcmp(text, log_heading) != 0)
		status = -EBADMSG;
	while (status == 0 && fgets(text, sizeof(text), file) != NULL) {
		size_t length = strlen(text);

		/* The line is being written, or was when the arena ended. */
		if (length == 0 || text[length - 1] != '\n')
			break;
		text[length - 1] = '\0';
		status =
		    read_line(text, &line) ? visit(context, &line) : -EBADMSG;
	}
	if (status == 0 && ferror(file))
		status = -EIO;
	fclose(file);
	return status;
}

/*
 * The history.
 */

int
audit_history_find(const struct audit_history *history, const char *worker)
{
	int i = history->worker_count;

	while (--i >= 0 && strcmp(history->workers[i].name, worker) != 0)
		continue;
	return i;
}

/* The index of a worker, which is added if it is new; -1: no memory. */
static int
get_worker(struct audit_history *history, const char *name)
{
	int index = audit_history_find(history, name);
	struct audit_worker *worker;

	if (index >= 0)
		return index;
	if (ARRAY_GROW(history->workers, history->worker_count,
		history->worker_capacity))
		return -1;
	worker = &history->workers[history->worker_count];
	*worker = (struct audit_worker){ .quarantine_line = 0 };
	snprintf(worker->name, sizeof(worker->name), "%s", name);
	return history->worker_count++;
}

/* The block with this number, after which there may be others; NULL: no
 * memory. */
static struct audit_block *
get_block(struct audit_history *history, int64_t number)
{
	if (array_make_room(&history->blocks, &history->block_capacity,
		(size_t)number + 1, sizeof(*history->blocks)))
		return NULL;
	while (history->block_count <= number)
		history->blocks[history->block_count++] =
		    (struct audit_block){ .worker = -1 };
	return &history->blocks[number];
}

static int
add_case(struct audit_history *history, int worker, const char *reason)
{
	struct audit_case *its;

	if (ARRAY_GROW(
		history->cases, history->case_count, history->case_capacity))
		return -ENOMEM;
	its = &history->cases[history->case_count++];
	*its = (struct audit_case){ .worker = worker };
	snprintf(its->reason, sizeof(its->reason), "%s", reason);
	history->workers[worker].quarantine_line = history->line_count;
	return 0;
}

/* Notes the result of a replayed block in the last case of its worker. */
static int
add_replay(
    struct audit_history *history, int worker, const struct audit_line *line)
{
	int i = history->case_count;
	struct audit_case *its;

	while (--i >= 0 && history->cases[i].worker != worker)
		continue;
	if (i < 0)
		return -EBADMSG;
	its = &history->cases[i];
	if (!line->replaced) {
		its->same_count++;
		return 0;
	}
	if (ARRAY_GROW(
		its->replaced, its->replaced_count, its->replaced_capacity))
		return -ENOMEM;
	its->replaced[its->replaced_count++] = line->block;
	return 0;
}

static int
add_line(void *context, const struct audit_line *line)
{
	struct audit_history *history = context;
	struct audit_block *block;
	int worker = -1, error = 0;

	history->line_count++;
	if (line->event != AUDIT_DUE) {
		worker = get_worker(history, line->worker);
		if (worker < 0)
			return -ENOMEM;
	}
	if (line->event == AUDIT_QUARANTINED)
		return add_case(history, worker, line->reason);
	block = get_block(history, line->block);
	if (block == NULL)
		return -ENOMEM;
	if (line->event != AUDIT_COUNTED)
		block->due = line->event == AUDIT_DUE;
	if (line->event == AUDIT_COUNTED) {
		block->worker = worker;
		block->trusted = line->trusted;
		block->line = history->line_count;
	} else if (line->event == AUDIT_REPLAYED) {
		error = add_replay(history, worker, line);
		block->worker = get_worker(history, line->by);
		block->trusted = true;
		block->line = history->line_count;
	}
	return error;
}

/* Counts the blocks of each case that are still to be replayed. */
static void
count_left(struct audit_history *history)
{
	for (int i = history->case_count - 1; i >= 0; i--) {
		struct audit_case *its = &history->cases[i];
		int line = history->workers[its->worker].quarantine_line;
		bool is_last = true;

		for (int j = i + 1; j < history->case_count; j++)
			is_last &= history->cases[j].worker != its->worker;
		for (int64_t b = 0; is_last && b < history->block_count; b++)
			its->left += history->blocks[b].worker == its->worker &&
			    history->blocks[b].line < line;
	}
}

int
audit_history_read(struct audit_history *history, const char *folder)
{
	int error;

	*history = (struct audit_history){ .block_count = 0 };
	error = audit_log_read(folder, add_line, history);
	if (error)
		audit_history_release(history);
	else
		count_left(history);
	return error;
}

void
audit_history_release(struct audit_history *history)
{
	for (int i = 0; i < history->case_count; i++)
		free(history->cases[i].replaced);
	free(history->cases);
	free(history->workers);
	free(history->blocks);
	*history = (struct audit_history){ .block_count = 0 };
}
