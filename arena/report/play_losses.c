/*
 * Implements play_losses.h.
 *
 * For each play in the file only its place and the offset of its line stay in
 * memory.  These rows are sorted by place and then by offset.  Of several lines
 * about the same play only the last one is kept.  play_losses_find() reads the
 * line from the file again.
 */
#include "play_losses.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "countof.h"
#include "text_format.h"

const char *const loss_phase_names[LOSS_PHASE_COUNT] = {
	[LOSS_OPENING] = "opening",
	[LOSS_MIDDLE] = "middle",
	[LOSS_ENDING] = "ending",
};

static const char headings[] =
    "match\tdeal\tplay\tseat\tbot\tphase\tmove\tby\tvalue\tloss\tbest\t"
    "exact_value\texact_loss\texact_best\n";

enum { COLUMN_COUNT = 14 };

static const struct {
	const char *text;
	double loss; /* the least loss that gets this mark */
} marks[] = {
	[LOSS_FINE] = { "", 0 },
	[LOSS_MISTAKE] = { "?", 0.5 },
	[LOSS_BLUNDER] = { "??", 1.5 },
};
_Static_assert(COUNTOF(marks) == LOSS_MARK_COUNT, "every mark has a text");

static enum loss_mark
mark_of(double loss)
{
	enum loss_mark mark = LOSS_BLUNDER;

	while (mark > LOSS_FINE && loss < marks[mark].loss)
		mark--;
	return mark;
}

const char *
loss_mark_text(double loss)
{
	return marks[mark_of(loss)].text;
}

struct loss_sum *
loss_sums_get(struct loss_sums *sums, const char *name)
{
	struct loss_sum *sum;

	for (int i = 0; i < sums->count; i++)
		if (strcmp(sums->items[i].name, name) == 0)
			return &sums->items[i];
	if (ARRAY_GROW(sums->items, sums->count, sums->capacity))
		return NULL;
	sum = &sums->items[sums->count++];
	*sum = (struct loss_sum){ .deals = 0 };
	snprintf(sum->name, sizeof(sum->name), "%s", name);
	return sum;
}

void
loss_sums_release(struct loss_sums *sums)
{
	free(sums->items);
	*sums = (struct loss_sums){ .items = NULL };
}

void
loss_tally_add(struct loss_tally *tally, double loss)
{
	tally->plays++;
	tally->loss += loss;
	tally->marks[mark_of(loss)]++;
}

void
loss_sum_all(const struct loss_sum *sum, struct loss_tally all[LOSS_KIND_COUNT])
{
	memset(all, 0, LOSS_KIND_COUNT * sizeof(*all));
	for (int phase = 0; phase < LOSS_PHASE_COUNT; phase++) {
		for (int kind = 0; kind < LOSS_KIND_COUNT; kind++) {
			const struct loss_tally *tally =
			    &sum->phases[phase][kind];

			all[kind].plays += tally->plays;
			all[kind].loss += tally->loss;
			for (int i = 0; i < LOSS_MARK_COUNT; i++)
				all[kind].marks[i] += tally->marks[i];
		}
	}
}

void
play_loss_head(FILE *file)
{
	fputs(headings, file);
}

void
play_loss_write(const struct play_loss *loss, FILE *file)
{
	if (ftell(file) == 0)
		play_loss_head(file);
	/* safe_text() leaves no tab and no line end in a name. */
	fprintf(file, "%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s", safe_text(loss->match),
	    loss->deal, loss->play, loss->seat, safe_text(loss->bot),
	    loss_phase_names[loss->phase], loss->move,
	    loss->by_arena     ? "arena"
		: loss->judged ? "bot"
			       : "forced");
	if (loss->judged)
		fprintf(file, "\t%.3f\t%.3f\t%s", loss->value, loss->loss,
		    loss->best);
	else
		fputs("\t-\t-\t-", file);
	if (loss->judged && loss->exact)
		fprintf(file, "\t%d\t%d\t%s\n", loss->exact_value,
		    loss->exact_loss, loss->exact_best);
	else
		fputs("\t-\t-\t-\n", file);
}

/* The place of a play, and the offset of its line in the file. */
struct loss_row {
	int64_t game; /* N of `mN` */
	int64_t offset;
	int deal, play;
	bool declares; /* a declaration: before the play of this number */
};

struct play_losses {
	FILE *file;
	char *line; /* for getline(); owned */
	size_t line_size;
	struct loss_row *rows; /* sorted; owned */
	int row_count, row_capacity;
	struct loss_sums sums;
};

/* Reads a line of the table.  Returns false if it is no row. */
static bool
row_read(char *line, struct play_loss *loss)
{
	char *fields[COLUMN_COUNT];
	size_t length = strlen(line);
	int count = 0, phase = 0;

	if (length == 0 || line[length - 1] != '\n')
		return false;
	line[length - 1] = '\0';
	for (char *field; (field = strsep(&line, "\t")) != NULL; count++)
		if (count < COLUMN_COUNT)
			fields[count] = field;
	if (count != COLUMN_COUNT)
		return false;
	while (phase < LOSS_PHASE_COUNT &&
	    strcmp(fields[5], loss_phase_names[phase]) != 0)
		phase++;
	*loss = (struct play_loss){
		.deal = atoi(fields[1]),
		.play = atoi(fields[2]),
		.seat = atoi(fields[3]),
		.phase = (enum loss_phase)phase,
		.by_arena = strcmp(fields[7], "arena") == 0,
		.judged = strcmp(fields[7], "bot") == 0,
		.value = strtod(fields[8], NULL),
		.loss = strtod(fields[9], NULL),
		.exact = strcmp(fields[12], "-") != 0,
		.exact_value = atoi(fields[11]),
		.exact_loss = atoi(fields[12]),
	};
	snprintf(loss->match, sizeof(loss->match), "%s", fields[0]);
	snprintf(loss->bot, sizeof(loss->bot), "%s", fields[4]);
	snprintf(loss->move, sizeof(loss->move), "%s", fields[6]);
	snprintf(loss->best, sizeof(loss->best), "%s", fields[10]);
	snprintf(loss->exact_best, sizeof(loss->exact_best), "%s", fields[13]);
	return phase < LOSS_PHASE_COUNT && loss->deal > 0 && loss->play > 0 &&
	    loss->seat > 0 && loss->seat <= SCOPA_SEATS_MAX;
}

/* Returns the number N of a match `mN`, or 0. */
static int64_t
game_of(const char *match)
{
	char *end;
	int64_t game = match[0] == 'm' ? strtoll(match + 1, &end, 10) : 0;

	return game > 0 && *end == '\0' ? game : 0;
}

/* Reads the line at this offset.  Returns false if it is no row. */
static bool
row_read_at(struct play_losses *losses, int64_t offset, struct play_loss *loss)
{
	return fseeko(losses->file, offset, SEEK_SET) == 0 &&
	    getline(&losses->line, &losses->line_size, losses->file) > 0 &&
	    row_read(losses->line, loss);
}

static int
place_compare(const void *left, const void *right)
{
	const struct loss_row *a = left, *b = right;

	if (a->game != b->game)
		return a->game < b->game ? -1 : 1;
	if (a->deal != b->deal)
		return a->deal < b->deal ? -1 : 1;
	if (a->play != b->play)
		return a->play < b->play ? -1 : 1;
	return b->declares - a->declares;
}

static int
row_compare(const void *left, const void *right)
{
	const struct loss_row *a = left, *b = right;
	int order = place_compare(a, b);

	return order != 0 ? order : (a->offset > b->offset) * 2 - 1;
}

static int
sum_compare(const void *left, const void *right)
{
	const struct loss_sum *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int
rows_read(struct play_losses *losses)
{
	if (getline(&losses->line, &losses->line_size, losses->file) < 0 ||
	    strcmp(losses->line, headings) != 0)
		return ferror(losses->file) ? -EIO : -EBADMSG;
	while (losses->row_count < PLAY_LOSSES_MAX) {
		int64_t offset = ftello(losses->file);
		struct play_loss loss;

		if (getline(&losses->line, &losses->line_size, losses->file) <
		    0)
			break;
		if (!row_read(losses->line, &loss) || game_of(loss.match) == 0)
			continue;
		if (ARRAY_GROW(
			losses->rows, losses->row_count, losses->row_capacity))
			return -ENOMEM;
		losses->rows[losses->row_count++] = (struct loss_row){
			.game = game_of(loss.match),
			.offset = offset,
			.deal = loss.deal,
			.play = loss.play,
			.declares = loss.move[0] == '!',
		};
	}
	return ferror(losses->file) ? -EIO : 0;
}

/* Sorts the rows, and drops all but the last one of each place. */
static void
rows_drop_repeats(struct play_losses *losses)
{
	struct loss_row *rows = losses->rows;
	int kept = 0;

	if (losses->row_count > 0)
		qsort(rows, (size_t)losses->row_count, sizeof(*rows),
		    row_compare);
	for (int i = 0; i < losses->row_count; i++) {
		if (kept > 0 && place_compare(&rows[kept - 1], &rows[i]) == 0)
			kept--;
		rows[kept++] = rows[i];
	}
	losses->row_count = kept;
}

/* Adds up the losses of each bot.  Returns 0 or -errno. */
static int
rows_sum(struct play_losses *losses)
{
	const struct loss_row *deal = NULL;
	unsigned seats = 0; /* a bit for each seat with a row in this deal */

	for (int i = 0; i < losses->row_count; i++) {
		const struct loss_row *row = &losses->rows[i];
		struct play_loss loss;
		struct loss_sum *sum;
		struct loss_tally *tallies;

		if (!row_read_at(losses, row->offset, &loss))
			return -EIO;
		sum = loss_sums_get(&losses->sums, loss.bot);
		if (!sum)
			return -ENOMEM;
		if (!deal || deal->game != row->game || deal->deal != row->deal)
			seats = 0;
		deal = row;
		sum->deals += !(seats >> loss.seat & 1);
		seats |= 1U << loss.seat;
		tallies = sum->phases[loss.phase];
		if (!loss.by_arena)
			loss_tally_add(&tallies[LOSS_BY_SEAT],
			    loss.judged ? loss.loss : 0);
		if (loss.exact)
			loss_tally_add(
			    &tallies[LOSS_BY_SOLVER], loss.exact_loss);
	}
	if (losses->sums.count > 0)
		qsort(losses->sums.items, (size_t)losses->sums.count,
		    sizeof(losses->sums.items[0]), sum_compare);
	return 0;
}

int
play_losses_open(struct play_losses **opened, const char *path)
{
	struct play_losses *losses = calloc(1, sizeof(*losses));
	int error;

	if (!losses)
		return -ENOMEM;
	losses->file = fopen(path, "re");
	error = losses->file ? rows_read(losses) : -errno;
	if (!error) {
		rows_drop_repeats(losses);
		error = rows_sum(losses);
	}
	if (error)
		play_losses_close(losses);
	else
		*opened = losses;
	return error;
}

void
play_losses_close(struct play_losses *losses)
{
	if (!losses)
		return;
	if (losses->file)
		fclose(losses->file);
	free(losses->line);
	free(losses->rows);
	loss_sums_release(&losses->sums);
	free(losses);
}

const struct loss_sums *
play_losses_sums(const struct play_losses *losses)
{
	return &losses->sums;
}

bool
play_losses_find(struct play_losses *losses, int64_t game, int deal, int play,
    const char *move, struct play_loss *loss)
{
	const struct loss_row wanted = {
		.game = game,
		.deal = deal,
		.play = play,
		.declares = move[0] == '!',
	};
	const struct loss_row *row = losses->row_count == 0
	    ? NULL
	    : bsearch(&wanted, losses->rows, (size_t)losses->row_count,
		  sizeof(*row), place_compare);

	return row != NULL && row_read_at(losses, row->offset, loss) &&
	    strcmp(loss->move, move) == 0;
}
