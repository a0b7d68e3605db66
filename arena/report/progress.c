#include "progress.h"

#include <assert.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text_format.h"

enum { COLUMNS_DEFAULT = 80 };

/* Makes room: every other sample goes, and from now on fewer are kept. */
static void
samples_thin(struct progress *progress)
{
	for (int i = 0; 2 * i < progress->sample_count; i++)
		progress->samples[i] = progress->samples[2 * i];
	progress->sample_count /= 2;
	progress->skip = 2 * progress->skip + 1;
}

static void
sample_take(struct progress *progress, struct progress_sample sample)
{
	progress->last = sample;
	if (progress->sample_count > 0 && progress->skipped < progress->skip) {
		progress->skipped++;
		return;
	}
	if (progress->sample_count == PROGRESS_SAMPLES_MAX)
		samples_thin(progress);
	progress->samples[progress->sample_count++] = sample;
	progress->skipped = 0;
}

void
progress_begin(struct progress *progress, int fd, int64_t interval_ns,
    int64_t now_ns, int64_t blocks, int64_t games)
{
	bool terminal = fd >= 0 && isatty(fd);

	assert(interval_ns >= 0);
	*progress = (struct progress){
		.fd = fd,
		.terminal = terminal,
		.interval_ns = interval_ns > 0 ? interval_ns
		    : terminal                 ? PROGRESS_NS_TERMINAL
					       : PROGRESS_NS_ELSEWHERE,
		.told_ns = now_ns,
	};
	sample_take(progress,
	    (struct progress_sample){
		.now_ns = now_ns,
		.blocks = blocks,
		.games = games,
	    });
}

bool
progress_due(const struct progress *progress, int64_t now_ns)
{
	return now_ns - progress->told_ns >= progress->interval_ns;
}

/*
 * Since when speed is measured: the later half of the time so far forgets how
 * slow the bots were to start, and is long enough not to jump about.
 */
static const struct progress_sample *
sample_of_half(const struct progress *progress)
{
	const struct progress_sample *first = &progress->samples[0];
	const struct progress_sample *half = first;
	int64_t middle_ns =
	    first->now_ns + (progress->last.now_ns - first->now_ns) / 2;

	for (int i = 1; i < progress->sample_count; i++)
		if (progress->samples[i].now_ns <= middle_ns)
			half = &progress->samples[i];
	return half->blocks < progress->last.blocks ? half : first;
}

static double
speed(int64_t count, int64_t time_ns)
{
	if (count <= 0 || time_ns <= 0)
		return -1;
	return (double)count / ((double)time_ns / 1e9);
}

double
progress_games_per_s(const struct progress *progress)
{
	const struct progress_sample *half = sample_of_half(progress);

	return speed(progress->last.games - half->games,
	    progress->last.now_ns - half->now_ns);
}

double
progress_blocks_per_s(const struct progress *progress)
{
	const struct progress_sample *half = sample_of_half(progress);

	return speed(progress->last.blocks - half->blocks,
	    progress->last.now_ns - half->now_ns);
}

/* That a line cannot be told is nobody's concern. */
static void
bytes_tell(const struct progress *progress, const struct scopa_text *text)
{
	ssize_t written = write(progress->fd, text->bytes, text->length);

	(void)written;
}

static int
terminal_width(const struct progress *progress)
{
	struct winsize size;

	if (ioctl(progress->fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return COLUMNS_DEFAULT;
}

/* The line over the one that is there, with blanks over what it had more. */
static void
line_tell(struct progress *progress, const struct scopa_text *line)
{
	char bytes[3 * PROGRESS_TEXT_SIZE];
	struct scopa_text text;
	int width = plain_width(line->bytes);

	scopa_text_init(&text, bytes, sizeof(bytes));
	if (progress->terminal)
		scopa_text_char(&text, '\r');
	scopa_text_string(&text, line->bytes);
	if (!progress->terminal)
		scopa_text_char(&text, '\n');
	else
		for (int i = width; i < progress->shown; i++)
			scopa_text_char(&text, ' ');
	if (progress->terminal)
		progress->shown = width;
	bytes_tell(progress, &text);
}

void
progress_tell(
    struct progress *progress, struct progress_facts *facts, int64_t now_ns)
{
	char bytes[PROGRESS_TEXT_SIZE];
	struct scopa_text text;
	double blocks_per_s;

	sample_take(progress,
	    (struct progress_sample){
		.now_ns = now_ns,
		.blocks = facts->blocks,
		.games = facts->games,
	    });
	facts->games_per_s = progress_games_per_s(progress);
	blocks_per_s = progress_blocks_per_s(progress);
	facts->seconds_left = -1;
	if (facts->blocks_left >= 0 && blocks_per_s > 0)
		facts->seconds_left = facts->blocks_left / blocks_per_s;
	progress->told_ns = now_ns;
	if (progress->fd < 0)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	progress_format(facts, &text);
	/* In the last column some terminals begin a new line. */
	if (progress->terminal)
		progress_clip(&text, terminal_width(progress) - 1);
	line_tell(progress, &text);
}

void
progress_clear(struct progress *progress)
{
	char bytes[PROGRESS_TEXT_SIZE];
	struct scopa_text text;

	if (progress->shown == 0)
		return;
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_text_char(&text, '\r');
	for (int i = 0; i < progress->shown; i++)
		scopa_text_char(&text, ' ');
	scopa_text_char(&text, '\r');
	bytes_tell(progress, &text);
	progress->shown = 0;
}
