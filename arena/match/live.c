/*
 * Implements live.h.
 *
 * The file is read and written by pread and pwrite, not mapped, because to
 * truncate a mapped file would kill the processes that use it.  A reader
 * notices a slot that is only half written by its version, which stands at the
 * beginning and at the end.
 */
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "record_read.h"
#include "record_write.h"

/* The head: "scopaliv" and the time of the last look. */
struct live_head {
	char magic[8];
	int64_t looked_ns;
};

static const char magic[8] = { 's', 'c', 'o', 'p', 'a', 'l', 'i', 'v' };

static off_t
offset_of(int slot)
{
	return (off_t)(slot + 1) * LIVE_SLOT_SIZE;
}

int
live_open(struct live *live, const char *path, int slot_count, bool cards)
{
	struct live_head head = { .looked_ns = 0 };
	int error = 0;
	int fd = open(
	    path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	memcpy(head.magic, magic, sizeof(magic));
	errno = EIO; /* a short write sets none */
	if (ftruncate(fd, offset_of(slot_count)) < 0 ||
	    pwrite(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head)) {
		error = -errno;
		close(fd);
		unlink(path);
		return error;
	}
	*live = (struct live){ fd, cards };
	return 0;
}

void
live_close(struct live *live, const char *path)
{
	close(live->fd);
	unlink(path);
}

/* Whether a viewer has asked for games lately. */
static bool
is_watched(const struct live *live, int64_t now_ns)
{
	struct live_head head;

	return pread(live->fd, &head, sizeof(head), 0) ==
	    (ssize_t)sizeof(head) &&
	    now_ns - head.looked_ns < LIVE_LOOK_NS;
}

/* The deal in progress: its lines begin at `begin`, its last play at `last`. */
struct deal_lines {
	const char *begin; /* NULL: no deal has begun */
	const char *last;
	int deals, plays;
};

static struct deal_lines
find_deal(const struct record *record)
{
	const char *end = record->bytes + record->size;
	struct deal_lines found = { .last = end };

	for (const char *line = record->bytes; line < end;
	     line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1)
		if (record_line_is(line, (size_t)(end - line), "deal")) {
			found.begin = line;
			found.last = end;
			found.deals++;
			found.plays = 0;
		} else if (record_line_is(line, (size_t)(end - line), "play")) {
			found.last = line;
			found.plays++;
		}
	return found;
}

/* Appends the public part of the lines of some kinds. */
static void
add_lines(
    const char *line, const char *end, uint32_t kinds, struct scopa_text *text)
{
	static const struct scopa_rules rules;
	static struct event event, redacted; /* large */
	const char *next;

	for (; line < end; line = next + 1) {
		struct scopa_text why = SCOPA_TEXT(256);
		enum event_kind kind;
		size_t length;

		next = memchr(line, '\n', (size_t)(end - line));
		length = (size_t)(next - line);
		kind = event_kind_find(words_first(line, length));
		if ((kinds & UINT32_C(1) << kind) == 0 ||
		    event_parse(line, length, &event, &why) != EVENT_PARSED ||
		    !event_redact(&event, &rules, -1, &redacted))
			continue;
		event_format(&redacted, text);
		scopa_text_string(text, "\n");
	}
}

/* Lines that say who plays, and lines of a deal that everybody may see. */
enum {
	KINDS_OF_HEAD = 1 << EVENT_SEAT,
	KINDS_OF_DEAL = 1 << EVENT_DEAL | 1 << EVENT_REDEAL | 1 << EVENT_TABLE |
	    1 << EVENT_GIVE | 1 << EVENT_SWEEP | 1 << EVENT_DECLARE |
	    1 << EVENT_SHOW | 1 << EVENT_PLAY
};

void
live_put(const struct live *live, struct live_place *place, int64_t game,
    const struct record *record, int64_t now_ns)
{
	static struct live_slot slot;
	struct deal_lines deal;
	struct scopa_text text;

	place->due_ns = now_ns + LIVE_PAUSE_NS;
	if (!is_watched(live, now_ns) || record->size == 0)
		return;
	deal = find_deal(record);
	if (deal.begin == NULL)
		return;
	scopa_text_init(&text, slot.text, sizeof(slot.text));
	add_lines(record->bytes, deal.begin, KINDS_OF_HEAD, &text);
	if (live->cards)
		add_lines(deal.begin, deal.last, KINDS_OF_DEAL, &text);
	slot.version = slot.version_again = now_ns;
	slot.game = game;
	slot.deal = deal.deals;
	slot.plays = deal.plays > 0 ? deal.plays - 1 : 0;
	slot.size = text.length;
	(void)!pwrite(live->fd, &slot, sizeof(slot), offset_of(place->slot));
	place->shown = true;
}

void
live_clear(const struct live *live, struct live_place *place)
{
	struct live_slot slot;

	if (!place->shown)
		return;
	memset(&slot, 0, sizeof(slot));
	(void)!pwrite(live->fd, &slot, sizeof(slot), offset_of(place->slot));
	place->shown = false;
}

int
live_attach(const char *path)
{
	struct live_head head;
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    memcmp(head.magic, magic, sizeof(magic)) == 0)
		return fd;
	close(fd);
	return -EBADMSG;
}

void
live_look(int fd, int64_t now_ns)
{
	(void)!pwrite(
	    fd, &now_ns, sizeof(now_ns), offsetof(struct live_head, looked_ns));
}

bool
live_get(int fd, int slot, struct live_slot *read)
{
	return pread(fd, read, sizeof(*read), offset_of(slot)) ==
	    (ssize_t)sizeof(*read) &&
	    read->version == read->version_again &&
	    read->size < sizeof(read->text);
}
