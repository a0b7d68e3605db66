/*
 * The bot's side of the protocol: the dialog, without input and output, and
 * then the client, which runs it over two descriptors.
 *
 * `legal`, `state` and `cards` lines are stored until the next `go`, which
 * builds the turn from them, lets the bot choose and forgets the lines.  Every
 * other verb has a handler in the table `verbs` or is skipped.
 */
#include "dialog.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "now.h"
#include "scopa/notation.h"
#include "world.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Error lines repeat at most this many bytes of an unknown word. */
enum { WORD_SHOWN_MAX = 32 };

static const struct token no_token = { "", 0 };

/* Reads `1:AB3CKS,2:-`, in which every seat occurs once, in order. */
static bool
read_hands(struct token text, int players, scopa_set hands[SCOPA_SEATS_MAX])
{
	const char *at = text.bytes, *end = text.bytes + text.length;

	for (int seat = 0; seat < players; seat++) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma != NULL ? comma : end;

		if (stop - at < 3 || at[0] != '1' + seat || at[1] != ':' ||
		    scopa_set_parse(at + 2, (size_t)(stop - at - 2),
			&hands[seat]) != SCOPA_PARSED ||
		    (comma == NULL) != (seat == players - 1))
			return false;
		at = stop + 1;
	}
	return true;
}

/*
 * Reads cards in dealing order, or `-` for none.  Returns their number, or -1
 * when the text is wrong.
 */
static int
read_deck(struct token text, scopa_card deck[SCOPA_PACK_SIZE])
{
	int count = 0;

	if (token_is(text, "-"))
		return 0;
	if (text.length == 0 || text.length % SCOPA_CARD_TEXT_SIZE != 0 ||
	    text.length > SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE)
		return -1;
	for (size_t i = 0; i < text.length; i += SCOPA_CARD_TEXT_SIZE) {
		deck[count] = scopa_card_find(text.bytes + i);
		if (deck[count++] == SCOPA_CARD_NONE)
			return -1;
	}
	return count;
}

bool
unveil_deal(struct token line, const struct scopa_rules *rules,
    const struct scopa_view *view, struct scopa_deal *deal)
{
	scopa_set known = view->hand, seen = SCOPA_SET_EMPTY;
	scopa_set hands[SCOPA_SEATS_MAX];
	scopa_card deck[SCOPA_PACK_SIZE];
	int deck_count = read_deck(token_find(line, "deck"), deck);
	int count = deck_count;

	if (deck_count != view->deck_count ||
	    deal->dealt != SCOPA_PACK_SIZE - deck_count ||
	    !read_hands(token_find(line, "hands"), rules->players, hands) ||
	    hands[view->seat] != view->hand)
		return false;
	/* Every hidden card must occur once, and all counts must be right. */
	for (int i = 0; i < deck_count; i++)
		seen |= scopa_set_of(deck[i]);
	for (int seat = 0; seat < rules->players; seat++) {
		known |= view->shown[seat];
		seen |= hands[seat];
		count += view->hand_counts[seat];
		if (scopa_set_count(hands[seat]) != view->hand_counts[seat] ||
		    (view->shown[seat] & ~hands[seat]) != 0)
			return false;
	}
	if (scopa_set_count(seen) != count ||
	    seen != (known | scopa_view_unseen(view)))
		return false;
	memcpy(deal->hands, hands, (size_t)rules->players * sizeof(hands[0]));
	memcpy(deal->pack + deal->dealt, deck, (size_t)deck_count);
	return true;
}

/*
 * Writes one line: `error CODE # sentence: word`.  Only the first
 * DIALOG_ERRORS_MAX errors are reported, so that a flood of bad lines does not
 * cause a flood of answers.
 */
static void
error_say(struct dialog *dialog, const char *sentence, struct token word,
    struct scopa_text *answer)
{
	if (dialog->error_count == DIALOG_ERRORS_MAX)
		return;
	dialog->error_count++;
	scopa_text_print(answer, "error %s", sentence);
	for (size_t i = 0; i < MIN(word.length, (size_t)WORD_SHOWN_MAX); i++) {
		char byte = word.bytes[i];

		scopa_text_char(answer, byte < ' ' || byte > '~' ? '?' : byte);
	}
	scopa_text_char(answer, '\n');
}

static void
hear_usp(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	const struct builtin *builtin = dialog->builtin;

	(void)line;
	scopa_text_print(
	    answer, "id name=%s version=" BUILTIN_VERSION "\n", builtin->name);
	builtin_options_format(builtin, answer);
	scopa_text_print(answer, "feature position=1%s%s\nuspok 1\n",
	    builtin->stops ? " stop=1" : "",
	    builtin->sees_all ? " analysis=1" : "");
}

static void
hear_setoption(
    struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	struct token name;
	const char *flaw = builtin_option_set(
	    dialog->options, dialog->builtin, token_next(&line), &name);

	if (flaw != NULL)
		error_say(dialog, flaw, name, answer);
}

static void
hear_isready(
    struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)dialog;
	(void)line;
	scopa_text_string(answer, "readyok\n");
}

/*
 * When the bot has an option `seed` and its value is not 0, it replaces the
 * seed of the match.
 */
static void
dialog_seed(struct dialog *dialog, struct token seed)
{
	struct scopa_text text = SCOPA_TEXT(WORD_SHOWN_MAX);

	for (int i = 0; i < dialog->builtin->option_count; i++)
		if (strcmp(dialog->builtin->options[i].name, "seed") == 0 &&
		    dialog->options[i] != 0) {
			scopa_text_int(&text, dialog->options[i]);
			seed = (struct token){ text.bytes, text.length };
		}
	dialog->random = builtin_seed(seed);
}

static void
hear_match(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	static const char bank[] = "match:";
	struct token control = token_find(line, "tc");
	int64_t deal_count = 0;

	(void)answer;
	memset(dialog->lengths, 0, sizeof(dialog->lengths));
	dialog->match_bank = control.length >= sizeof(bank) - 1 &&
	    memcmp(control.bytes, bank, sizeof(bank) - 1) == 0;
	token_int(token_find(line, "deals"), 1, INT_MAX, &deal_count);
	dialog->deal_count = (int)deal_count;
	dialog->pace.left_ns = -1; /* the bank is given afresh */
	dialog_seed(dialog, token_find(line, "seed"));
}

static void
hear_deal(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)line;
	(void)answer;
	if (!dialog->match_bank)
		dialog->pace.left_ns = -1;
}

/* Returns a stored line without its verb. */
static struct token
stored_line(const struct dialog *dialog, enum dialog_line kept)
{
	struct token line = { dialog->lines[kept], dialog->lengths[kept] };

	token_next(&line);
	return line;
}

/*
 * Whether the list of legal moves contains this move.  True when there is no
 * list or the list was cut.
 */
static bool
legal_has(struct token list, const struct scopa_text *move)
{
	struct token word = token_next(&list);

	if (word.length == 0)
		return true;
	for (; word.length > 0; word = token_next(&list))
		if (token_is(word, move->bytes) ||
		    token_is(word, BUILTIN_LEGAL_CUT))
			return true;
	return false;
}

/* Returns a time of `go` in nanoseconds; -1 when the key is missing. */
static int64_t
go_time_ns(struct token line, const char *key)
{
	int64_t ms;

	return token_int(
		   token_find(line, key), 0, INT64_MAX / NOW_NS_PER_MS, &ms)
	    ? ms * NOW_NS_PER_MS
	    : -1;
}

/*
 * Computes the legal moves and stores them as a `legal` line, for a bot that
 * needs this line when the arena has not sent one.
 */
static void
legal_write(struct dialog *dialog, const struct scopa_rules *rules,
    const struct scopa_deal *deal)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct scopa_text text;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	assert(count <= SCOPA_MOVES_MAX);
	scopa_text_init(
	    &text, dialog->lines[DIALOG_LEGAL], DIALOG_LINE_MAX + 1);
	scopa_text_string(&text, "legal");
	for (int i = 0; i < count; i++) {
		scopa_text_char(&text, ' ');
		scopa_move_format(&moves[i], &text);
	}
	dialog->lengths[DIALOG_LEGAL] = text.length;
}

/*
 * Writes the move alone.  When the move chosen from the `state` line is not in
 * the `legal` line, the first legal move is played instead.
 */
static bool
choose(
    struct dialog *dialog, struct builtin_turn *turn, struct scopa_text *move)
{
	const struct builtin *builtin = dialog->builtin;
	bool by_view = builtin->need == BUILTIN_NEED_VIEW, known;
	struct token cards = stored_line(dialog, DIALOG_CARDS), legal;
	struct scopa_deal imagined, all_cards;
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_text why = SCOPA_TEXT(1); /* not used */

	known = (by_view || stored_line(dialog, DIALOG_LEGAL).length == 0) &&
	    dialog->lengths[DIALOG_STATE] > 0 &&
	    scopa_state_parse(
		dialog->lines[DIALOG_STATE], &rules, &view, &why) &&
	    imagine_deal(&rules, &view, &imagined);
	if (known && !by_view)
		legal_write(dialog, &rules, &imagined);
	if (known && by_view) {
		turn->rules = &rules;
		turn->view = &view;
		turn->deal = &imagined;
		all_cards = imagined;
		if (builtin->sees_all && cards.length > 0 &&
		    unveil_deal(cards, &rules, &view, &all_cards))
			turn->all_cards = &all_cards;
	}
	legal = stored_line(dialog, DIALOG_LEGAL);
	turn->legal = legal.bytes;
	turn->legal_length = legal.length;
	if (!by_view)
		return builtin->choose(turn, move);
	if (known && builtin->choose(turn, move) && legal_has(legal, move))
		return true;
	scopa_text_init(move, move->bytes, move->size);
	scopa_text_init(turn->info, turn->info->bytes, turn->info->size);
	return builtin_first_legal(turn, move);
}

static void
hear_go(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	enum { MOVE_TEXT_MAX = 256, TURN_TEXT_MAX = 256 };
	struct token id = token_find(line, "turn");
	struct scopa_text move = SCOPA_TEXT(MOVE_TEXT_MAX);
	struct scopa_text info = SCOPA_TEXT(DIALOG_INFO_MAX);
	struct builtin_turn turn = {
		.random = &dialog->random,
		.options = dialog->options,
		.began_ns = dialog->heard_ns - dialog->wake_ns,
		.bank_ns = go_time_ns(line, "time"),
		.increment_ns = go_time_ns(line, "inc"),
		.move_ns = go_time_ns(line, "move"),
		.match_bank = dialog->match_bank,
		.deal_count = dialog->deal_count,
		.info = &info,
		.memory = dialog->memory,
		.stopped = dialog->stopped,
		.context = dialog->context,
	};

	pace_begin(&dialog->pace, &turn, dialog->wake_ns);
	if (choose(dialog, &turn, &move)) {
		scopa_text_bytes(answer, info.bytes, info.length);
		scopa_text_string(answer, "move ");
		scopa_text_bytes(answer, move.bytes, move.length);
		if (id.length > 0 && id.length <= TURN_TEXT_MAX) {
			scopa_text_string(answer, " turn=");
			scopa_text_bytes(answer, id.bytes, id.length);
		}
		scopa_text_char(answer, '\n');
	} else {
		error_say(dialog, "unexpected # go without legal or state",
		    no_token, answer);
	}
	memset(dialog->lengths, 0, sizeof(dialog->lengths));
}

/* The handler of each verb. */
static const struct {
	const char *word;
	void (*hear)(struct dialog *dialog, struct token line,
	    struct scopa_text *answer);
} verbs[] = {
	{ "go", hear_go },
	{ "match", hear_match },
	{ "deal", hear_deal },
	{ "isready", hear_isready },
	{ "setoption", hear_setoption },
	{ "usp", hear_usp },
};

/* The lines that are stored for the next decision. */
static const char *const stored_words[DIALOG_LINES] = {
	[DIALOG_LEGAL] = "legal",
	[DIALOG_STATE] = "state",
	[DIALOG_CARDS] = "cards",
};

/*
 * Verbs that need no action: the `state` line repeats their information, or
 * they come after the decision.
 */
static const char *const skipped[] = { "play", "give", "score", "table", "rest",
	"enddeal", "seat", "rules", "endmatch", "declare", "show", "sweep",
	"redeal", "abort", "stop", "illegal", "error" };

void
dialog_init(struct dialog *dialog, const struct builtin *builtin)
{
	assert(builtin->option_count <= DIALOG_OPTIONS_MAX);
	memset(dialog, 0, offsetof(struct dialog, lines));
	dialog->builtin = builtin;
	builtin_options_init(dialog->options, builtin);
	dialog_seed(dialog, no_token);
}

bool
dialog_hear(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	struct token rest, word;

	assert(line.length <= DIALOG_LINE_MAX);
	line = rest = token_trim(line);
	word = token_next(&rest);
	if (word.length == 0)
		return true;
	for (int i = 0; i < DIALOG_LINES; i++)
		if (token_is(word, stored_words[i])) {
			token_copy(
			    line, dialog->lines[i], sizeof(dialog->lines[i]));
			dialog->lengths[i] = line.length;
			return true;
		}
	for (size_t i = 0; i < COUNTOF(verbs); i++)
		if (token_is(word, verbs[i].word)) {
			verbs[i].hear(dialog, rest, answer);
			return true;
		}
	for (size_t i = 0; i < COUNTOF(skipped); i++)
		if (token_is(word, skipped[i]))
			return true;
	if (token_is(word, "quit"))
		return false;
	error_say(dialog, "unknown # skipped ", word, answer);
	return true;
}

/*
 * The client reads lines from a descriptor, gives them to the dialog and writes
 * the answers.
 *
 * input_bytes holds the bytes that were read.  Lines up to `heard` have been
 * handled; whole lines after it wait.  While a bot thinks, stopped() reads
 * further input into the free space and searches it for `stop`, `quit` and
 * `isready`; the lines are handled after the answer.
 */

enum {
	INPUT_SIZE = 2 * (DIALOG_LINE_MAX + 1),
	OUTPUT_SIZE = 4 * DIALOG_ANSWER_MAX
};

/* The time between two checks for input while a bot thinks. */
#define LOOK_NS (NOW_NS_PER_MS / 2)

struct client {
	int input;
	int output;
	int waits_fd;  /* /proc/self/schedstat; -1: not available */
	bool skipping; /* the present line is too long and is discarded */
	bool ended;    /* input has ended or failed */
	int error;     /* 0, or -errno of the failed read */

	/*
	 * In input_bytes: the end of the lines already handled, and the end of
	 * the bytes read.
	 */
	size_t heard;
	size_t size;

	/* These three are used while the bot thinks. */
	bool stopped;
	size_t seen;     /* end of the bytes already searched for `stop` */
	int64_t look_ns; /* when to check the input again */

	struct scopa_text answer;
	struct dialog dialog;
	char output_bytes[OUTPUT_SIZE];
	char input_bytes[INPUT_SIZE];
};

static int
client_flush(struct client *client)
{
	const char *bytes = client->answer.bytes;
	size_t left = client->answer.length;

	while (left > 0) {
		ssize_t written =
		    TEMP_FAILURE_RETRY(write(client->output, bytes, left));

		if (written < 0)
			return -errno;
		bytes += written;
		left -= (size_t)written;
	}
	scopa_text_init(&client->answer, client->output_bytes,
	    sizeof(client->output_bytes));
	return 0;
}

/* Reads once, waiting if needed, and appends the bytes to the buffer. */
static void
client_read(struct client *client)
{
	ssize_t got = TEMP_FAILURE_RETRY(
	    read(client->input, client->input_bytes + client->size,
		sizeof(client->input_bytes) - client->size));

	client->ended = got <= 0;
	if (got < 0)
		client->error = -errno;
	if (got > 0)
		client->size += (size_t)got;
}

/*
 * Searches the lines that have arrived since the question.  Sets `stopped` if
 * one asks for the answer (`stop`), or shows that the arena no longer waits for
 * it.
 */
static void
client_look(struct client *client)
{
	const char *at = client->input_bytes + client->seen;
	const char *end = client->input_bytes + client->size;
	const char *newline;

	while ((newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		struct token line =
		    token_trim((struct token){ at, (size_t)(newline - at) });
		struct token word = token_next(&line);

		client->stopped |= token_is(word, "stop") ||
		    token_is(word, "quit") || token_is(word, "isready");
		at = newline + 1;
	}
	client->seen = (size_t)(at - client->input_bytes);
}

/*
 * Lines that arrive while the bot thinks stay in the buffer after the question
 * and are handled after the answer.  A full buffer also stops the bot: further
 * lines then wait in the pipe until the bot has answered.
 */
static bool
client_stopped(void *context)
{
	struct client *client = context;
	struct pollfd watch = { .fd = client->input, .events = POLLIN };
	int64_t present_ns = now_ns();

	if (client->stopped || present_ns < client->look_ns)
		return client->stopped;
	client->look_ns = present_ns + LOOK_NS;
	while (!client->ended && client->size < sizeof(client->input_bytes) &&
	    poll(&watch, 1, 0) > 0)
		client_read(client);
	client_look(client);
	if (client->ended || client->size == sizeof(client->input_bytes))
		client->stopped = true;
	return client->stopped;
}

/*
 * Handles the line that ends before `newline`.  Returns what dialog_hear()
 * returns.
 */
static bool
client_hear_line(struct client *client, const char *newline)
{
	const char *start = client->input_bytes + client->heard;
	struct token line = { start, (size_t)(newline - start) };
	bool skipping = client->skipping;
	size_t said = client->answer.length;
	bool goes_on = true;

	client->heard += line.length + 1;
	client->seen = client->heard;
	client->stopped = false;
	client->look_ns = 0;
	client->skipping = false;
	if (!skipping && line.length <= DIALOG_LINE_MAX)
		goes_on = dialog_hear(&client->dialog, line, &client->answer);
	else
		error_say(&client->dialog,
		    "toolong # skipped a line over 65535 bytes", no_token,
		    &client->answer);
	/*
	 * The next line may be a question that waited for this answer.  Its
	 * time begins now, not when it was read.
	 */
	if (client->answer.length > said) {
		client->dialog.heard_ns = now_ns();
		client->dialog.wake_ns = 0;
	}
	return goes_on;
}

/*
 * Handles every whole line of the buffer and moves the rest to the front.
 * Returns 1 to go on, 0 to quit, or -errno.
 */
static int
client_hear(struct client *client)
{
	char *newline;

	while ((newline = memchr(client->input_bytes + client->heard, '\n',
		    client->size - client->heard)) != NULL) {
		int error = 0;

		if (!client_hear_line(client, newline))
			return 0;
		if (client->answer.length > OUTPUT_SIZE - DIALOG_ANSWER_MAX)
			error = client_flush(client);
		if (error < 0)
			return error;
	}
	client->size -= client->heard;
	memmove(client->input_bytes, client->input_bytes + client->heard,
	    client->size);
	client->heard = 0;
	if (client->size > DIALOG_LINE_MAX) {
		client->skipping = true;
		client->size = 0;
	}
	return 1;
}

/*
 * The time in ns, since the start of this process, in which it was ready to run
 * but had no processor: the second number of schedstat.  0 when the file is not
 * available.
 */
static int64_t
client_waited_ns(const struct client *client)
{
	char bytes[128] = "";
	int64_t waited_ns = 0;

	if (client->waits_fd < 0 ||
	    pread(client->waits_fd, bytes, sizeof(bytes) - 1, 0) <= 0 ||
	    sscanf(bytes, "%*d %" SCNd64, &waited_ns) != 1)
		return 0;
	return waited_ns;
}

static int
client_loop(struct client *client)
{
	for (;;) {
		int64_t asleep_ns = client_waited_ns(client), awake_ns;
		int status, error;

		client_read(client);
		if (client->ended)
			return client->error;
		awake_ns = client_waited_ns(client);
		client->dialog.heard_ns = now_ns();
		client->dialog.wake_ns = awake_ns - asleep_ns;
		status = client_hear(client);
		if (status < 0)
			return status;
		error = client_flush(client);
		if (error < 0 || status == 0)
			return error;
		pace_end(&client->dialog.pace, now_ns(),
		    client_waited_ns(client) - awake_ns);
	}
}

int
client_run(const struct builtin *builtin, int input, int output)
{
	/* The structure has long line buffers and is too large for a stack. */
	struct client *client = calloc(1, sizeof(*client));
	void *memory = calloc(1, builtin->memory_size + 1);
	int error = -ENOMEM;

	if (client == NULL || memory == NULL)
		goto free_memory;
	/* Only the search bots use the waiting time. */
	client->waits_fd = builtin->stops
	    ? open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC)
	    : -1;
	client->input = input;
	client->output = output;
	scopa_text_init(&client->answer, client->output_bytes,
	    sizeof(client->output_bytes));
	dialog_init(&client->dialog, builtin);
	client->dialog.memory = memory;
	client->dialog.stopped = client_stopped;
	client->dialog.context = client;
	error = client_loop(client);
	if (client->waits_fd >= 0)
		close(client->waits_fd);
free_memory:
	free(memory);
	free(client);
	return error == -EPIPE ? 0 : error;
}
