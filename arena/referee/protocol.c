/*
 * The verbs of a bot.
 */
#include "protocol.h"

#include <string.h>

#include "turn.h"

static struct session *
session_of(struct referee *referee, const struct protocol_line *line)
{
	return &referee->seats[line->event->seat].session;
}

static struct scopa_text *
text_of(struct outbox *outbox, const struct protocol_line *line)
{
	return &outbox->seats[line->event->seat];
}

/* A line of the handshake that was refused is one that nobody asked for. */
static void
judge_wanted(struct referee *referee, const struct session *session,
    int error_count_before)
{
	referee->wanted = session->error_count == error_count_before;
}

static void
handle_id(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct session *session = session_of(referee, line);
	int error_count = session->error_count;

	session_on_id(session, &line->words, text_of(outbox, line));
	judge_wanted(referee, session, error_count);
}

static void
handle_option(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->event->seat];
	struct session *session = &seat->session;
	int error_count = session->error_count;

	session_on_option(
	    session, &line->words, seat->options, text_of(outbox, line));
	judge_wanted(referee, session, error_count);
}

static void
handle_feature(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct session *session = session_of(referee, line);
	int error_count = session->error_count;

	session_on_feature(session, &line->words, referee->settings.observe,
	    text_of(outbox, line));
	judge_wanted(referee, session, error_count);
}

static void
handle_uspok(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->event->seat];

	session_on_uspok(&seat->session, &line->words, seat->options,
	    referee->settings.analysis != NULL, text_of(outbox, line));
	if (seat->session.phase == SESSION_GONE)
		seat->deadline_ns = BUDGET_NEVER;
}

static void
handle_readyok(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->event->seat];

	session_on_readyok(&seat->session);
	seat->deadline_ns = BUDGET_NEVER;
	if (referee->opened && !referee->ended)
		turn_advance(referee, line->event, outbox);
}

/*
 * Whether the answer is one to the open decision: it names that, or nothing and
 * was written when the question was there.  Two answers that came in one piece
 * may lie on both sides of a question.
 */
static bool
names_decision(
    const struct referee_seat *seat, const struct protocol_line *line)
{
	struct word id = words_find(&line->words, "turn");
	int64_t read_ns = line->event->read_ns;

	if (id.bytes == NULL)
		return read_ns == 0 || read_ns >= seat->asked_ns;
	return id.length == sizeof(seat->turn_id) &&
	    memcmp(id.bytes, seat->turn_id, id.length) == 0;
}

static void
handle_move(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->event->seat];
	struct word word = { NULL, 0 };

	if (!names_decision(seat, line)) {
		seat->session.stale_count++;
		seat->unasked_count++;
		referee->wanted = false;
		session_error(&seat->session, "unexpected",
		    "no answer to the open decision:",
		    line->words.word[line->words.count - 1],
		    text_of(outbox, line));
		return;
	}
	if (line->words.count > 1)
		word = line->words.word[1];
	if (line->event->now_ns > seat->deadline_ns)
		turn_miss(referee, line->event, outbox);
	else
		turn_answer(referee, word, line->event, outbox);
}

static void
handle_info(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	const struct words *words = &line->words;
	size_t skip, length;

	(void)outbox;
	if (words->count < 2)
		return;
	skip = (size_t)(words->word[1].bytes - words->word[0].bytes);
	length = words->line_length - skip;
	if (referee->info.length + length + 16 > sizeof(referee->info_bytes)) {
		referee->wanted = false;
		return;
	}
	for (int i = 1; i < words->count; i++)
		referee->info_cut |= word_is(words->word[i], "cut=1");
	scopa_text_string(&referee->info, "info ");
	scopa_text_int(&referee->info, line->event->seat + 1);
	scopa_text_char(&referee->info, ' ');
	scopa_text_bytes(&referee->info, words->word[1].bytes, length);
	scopa_text_char(&referee->info, '\n');
}

static void
handle_error(struct referee *referee, const struct protocol_line *line,
    struct outbox *outbox)
{
	struct referee_seat *seat = &referee->seats[line->event->seat];
	bool starting = seat->session.phase & (SESSION_HELLO | SESSION_SETUP);
	struct word code = { "", 0 };

	if (line->words.count > 1)
		code = line->words.word[1];
	if (word_is(code, "option") &&
	    session_on_option_error(
		&seat->session, line->event->line, line->event->length)) {
		seat->deadline_ns = BUDGET_NEVER;
		return;
	}
	if (!word_is(code, "fatal")) {
		/* Complaints are heard, but not without end. */
		referee->wanted = false;
		return;
	}
	session_end(&seat->session, starting ? OFFENCE_STARTUP : OFFENCE_CRASH,
	    starting ? "HS_BAD(FATAL)" : "FATAL", line->event->line,
	    line->event->length);
	seat->deadline_ns = BUDGET_NEVER;
	seat->kill = true;
	outbox->hears[line->event->seat] = false;
	if (referee->opened && !referee->ended)
		turn_advance(referee, line->event, outbox);
}

enum { LIVING = SESSION_HELLO | SESSION_SETUP | SESSION_IDLE | SESSION_THINK };

const struct protocol_verb protocol_verbs[] = {
	{ "move", SESSION_THINK, handle_move, 1, "turn" },
	{ "info", SESSION_THINK, handle_info, 0, NULL },
	{ "readyok", SESSION_SETUP | SESSION_STALE, handle_readyok, 0, "" },
	{ "id", SESSION_HELLO, handle_id, 0, "name version author url" },
	{ "option", SESSION_HELLO, handle_option, 0,
	    "name type default min max values" },
	{ "feature", SESSION_HELLO, handle_feature, 0, NULL },
	{ "uspok", SESSION_HELLO, handle_uspok, 1, "" },
	{ "error", LIVING, handle_error, 0, NULL },
};

const int protocol_verb_count =
    (int)(sizeof(protocol_verbs) / sizeof(protocol_verbs[0]));

/* Names the words that a line has and its verb does not know. */
static void
report_unknown_words(const struct protocol_verb *verb, struct session *session,
    const struct words *words, struct scopa_text *out)
{
	for (int i = 1 + verb->argument_count; i < words->count; i++)
		if (!word_is_known(words->word[i], verb->keys))
			session_error(
			    session, "unknown", "skipped", words->word[i], out);
}

void
protocol_take(struct referee *referee, const struct referee_event *event,
    struct outbox *outbox)
{
	struct session *session = &referee->seats[event->seat].session;
	struct protocol_line line; /* its words need no zeroes */
	const char *code = "unknown", *words = "no message of a bot is";

	referee->wanted = false;
	if (session->phase == SESSION_GONE || session->phase == SESSION_ABSENT)
		return;
	line.event = event;
	words_split(event->line, event->length, &line.words);
	if (line.words.count == 0)
		return;
	for (int i = 0; i < protocol_verb_count; i++) {
		const struct protocol_verb *verb = &protocol_verbs[i];

		if (*verb->name != *line.words.word[0].bytes ||
		    !word_is(line.words.word[0], verb->name))
			continue;
		if (verb->phases & session->phase) {
			referee->wanted = true;
			if (verb->keys)
				report_unknown_words(verb, session, &line.words,
				    text_of(outbox, &line));
			verb->handle(referee, &line, outbox);
			return;
		}
		if (verb->handle == handle_move &&
		    session->phase == SESSION_IDLE)
			referee->seats[event->seat].unasked_count++;
		code = "unexpected";
		words = "not now:";
	}
	if (session->phase == SESSION_STALE)
		session->stale_count++;
	else
		session_error(session, code, words, line.words.word[0],
		    &outbox->seats[event->seat]);
}
