/*
 * Simulated bots: a script that plays legal moves like a real bot, and
 * misbehaves in one way.
 *
 * What the bot does at a decision depends on that decision alone. A game that
 * is played again therefore has the same moves. Only the times at which the bot
 * acts are drawn.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "dialog.h"
#include "launcher.h"
#include "sim.h"
#include "sim_real.h"

enum { IN_SIZE = 1 << 17, OUT_SIZE = 1 << 20, FLOOD_LINES = 5000 };

/* What the bot does next: it reports its start, reads, or writes. */
enum phase { STARTING, LISTENING, SPEAKING };

struct sim_bot {
	struct sim_process *process;
	int entrant;
	enum sim_misbehaviour misbehaviour;
	struct sim_file *input, *output, *error, *report;
	enum phase phase;
	int64_t due_ns; /* when it acts; unused while LISTENING */
	bool misbehaved;
	bool frozen;
	/* wait status with which it ends after writing; -1: none */
	int end_status;
	bool closes_stdout;    /* after its output is written */
	uint64_t match, state; /* hashes of the last match and state lines */
	struct token turn;
	char turn_before[64];
	size_t in_size, out_start, out_size;
	char in[IN_SIZE], out[OUT_SIZE];
	struct dialog dialog;
};

/* Chooses a legal move by the number of the decision. */
static bool
choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	size_t starts[64];
	size_t count = 0, length = 0, from;

	for (size_t i = 0; i < turn->legal_length && count < 64; i++)
		if (turn->legal[i] != ' ' &&
		    (i == 0 || turn->legal[i - 1] == ' '))
			starts[count++] = i;
	if (count == 0)
		return false;
	from = starts[*turn->random % count];
	while (from + length < turn->legal_length &&
	    turn->legal[from + length] != ' ')
		length++;
	scopa_text_bytes(answer, turn->legal + from, length);
	return true;
}

static const struct builtin script = {
	.name = "script",
	.sentence = "Plays a move that depends on the decision.",
	.need = BUILTIN_NEED_LEGAL,
	.choose = choose,
};

bool
sim_bot_has_committed(const struct sim_bot *bot, int offence)
{
	return bot->misbehaved &&
	    sim_misbehaviour_explains(bot->misbehaviour, offence);
}

static int64_t
random_time_within(int64_t limit_ns)
{
	return sim_machine.bot_ns + 1 +
	    sim_below(&sim_machine.random, limit_ns);
}

struct sim_process *
sim_bot_open(int entrant, struct sim_file *input, struct sim_file *output,
    struct sim_file *error, struct sim_file *report)
{
	/* The big buffers at the end are not cleared, so they take no memory
	 * until they are used. */
	struct sim_bot *bot = __real_malloc(sizeof(*bot));

	SIM_MUST(bot != NULL);
	memset(bot, 0, offsetof(struct sim_bot, in));
	bot->entrant = entrant;
	bot->misbehaviour = sim_machine.plan->misbehaviours[entrant];
	bot->input = input;
	bot->output = output;
	bot->error = error;
	bot->report = report;
	bot->end_status = -1;
	bot->due_ns =
	    sim_machine.now_ns + sim_below(&sim_machine.random, 5 * SIM_MS);
	dialog_init(&bot->dialog, &script);
	bot->process = sim_process_add(bot);
	return bot->process;
}

void
sim_bot_end(struct sim_bot *bot)
{
	sim_file_close(bot->input);
	sim_file_close(bot->output);
	sim_file_close(bot->error);
	sim_file_close(bot->report);
	bot->input = bot->output = bot->error = bot->report = NULL;
}

void
sim_bot_close(struct sim_bot *bot)
{
	__real_free(bot);
}

void
sim_bot_freeze(struct sim_bot *bot, bool frozen)
{
	bot->frozen = frozen;
}

int64_t
sim_bot_due(const struct sim_bot *bot)
{
	int64_t changed_ns;

	if (bot->frozen)
		return INT64_MAX;
	if (bot->phase != LISTENING)
		return bot->due_ns;
	changed_ns = sim_pipe_changed_ns(bot->input);
	return changed_ns == INT64_MAX ? changed_ns : changed_ns + 20000;
}

static void
start(struct sim_bot *bot)
{
	struct launcher_report report = {
		.step = LAUNCHER_EXECUTE,
		.error = 2,
		.sentence = "there is no such file",
	};

	bot->phase = LISTENING;
	bot->misbehaved =
	    bot->misbehaviour == SIM_MUTE || bot->misbehaviour == SIM_MISSING;
	if (bot->misbehaviour == SIM_MISSING) {
		sim_pipe_write(
		    bot->report, (const char *)&report, sizeof(report));
		sim_process_end(bot->process, LAUNCHER_EXIT_FAILED << 8);
		return;
	}
	sim_file_close(bot->report);
	bot->report = NULL;
}

static void
say(struct sim_bot *bot, const char *bytes, size_t size)
{
	SIM_MUST(size <= OUT_SIZE - bot->out_size);
	memcpy(bot->out + bot->out_size, bytes, size);
	bot->out_size += size;
}

static void
say_text(struct sim_bot *bot, const char *text)
{
	say(bot, text, strlen(text));
}

static void
repeat(struct sim_bot *bot, const char *text, int count)
{
	for (int i = 0; i < count; i++)
		say_text(bot, text);
}

/*
 * Does what the misbehaviour demands at this decision. If the bot also answers,
 * the answer follows.
 */
static void
misbehave(struct sim_bot *bot, const char *answer, size_t size)
{
	static const char noise[] = "what happens here is of no interest\n";

	bot->misbehaved = true;
	switch (bot->misbehaviour) {
	case SIM_CHATTY:
		repeat(bot, "info depth=3 value=0.5\n", 20);
		break;
	case SIM_TWICE:
		say(bot, answer, size);
		break;
	case SIM_STALE:
		say_text(bot, "move AD turn=");
		say_text(bot, bot->turn_before[0] ? bot->turn_before : "none");
		say_text(bot, "\n");
		break;
	case SIM_LOUD:
		for (int i = 0; i < 200; i++)
			sim_pipe_write(bot->error, noise, sizeof(noise) - 1);
		break;
	case SIM_ILLEGAL:
		say_text(bot, "move nonsense turn=");
		say(bot, bot->turn.bytes, bot->turn.length);
		say_text(bot, "\n");
		return;
	case SIM_GARBAGE:
		say_text(bot, "\x01\xff\x80\n");
		return;
	case SIM_LONG:
		repeat(bot, "move move ", 5000);
		say_text(bot, "\n");
		return;
	case SIM_FLOOD:
		repeat(bot, "move AD turn=0\n", FLOOD_LINES);
		return;
	case SIM_LATE:
		bot->due_ns += SIM_LATE_MS * SIM_MS;
		break;
	case SIM_SILENT:
		return;
	case SIM_EXIT:
		bot->end_status = 3 << 8;
		return;
	case SIM_CRASH:
		bot->end_status = SIGSEGV;
		return;
	case SIM_DEAF:
		bot->closes_stdout = true;
		return;
	case SIM_HONEST:
	case SIM_PIECES:
	case SIM_MUTE:
	case SIM_MISSING:
	case SIM_MISBEHAVIOUR_COUNT:
		break;
	}
	say(bot, answer, size);
}

static uint64_t
hash(struct token line)
{
	uint64_t sum = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < line.length; i++)
		sum = (sum ^ (unsigned char)line.bytes[i]) *
		    UINT64_C(1099511628211);
	return sum;
}

static bool
begins(struct token line, const char *word)
{
	size_t length = strlen(word);

	return line.length > length && memcmp(line.bytes, word, length) == 0 &&
	    line.bytes[length] == ' ';
}

static void
decide(struct sim_bot *bot, const char *answer, size_t size)
{
	uint64_t decision = sim_mix(bot->match, bot->state);
	int rate = sim_machine.plan->misbehaviour_rates[bot->entrant];
	bool slow = sim_below(&sim_machine.random, 20) == 0;

	bot->due_ns =
	    random_time_within(slow ? SIM_MOVE_MS * SIM_MS / 3 : SIM_MS / 2);
	if (bot->misbehaviour != SIM_HONEST &&
	    decision / 7 % (uint64_t)rate == 0)
		misbehave(bot, answer, size);
	else
		say(bot, answer, size);
	bot->phase = SPEAKING;
	snprintf(bot->turn_before, sizeof(bot->turn_before), "%.*s",
	    (int)bot->turn.length, bot->turn.bytes);
}

/* Handles one line. Returns false when the bot reads no further line before
 * it has written its answer. */
static bool
handle_line(struct sim_bot *bot, struct token line)
{
	struct scopa_text answer = SCOPA_TEXT(DIALOG_ANSWER_MAX);
	bool go = begins(line, "go");

	if (bot->misbehaviour == SIM_MUTE)
		return true;
	if (begins(line, "match"))
		bot->match = hash((struct token){
		    line.bytes, strcspn(line.bytes + 6, " ") + 6 });
	if (begins(line, "state"))
		bot->state = hash(line);
	if (go) {
		bot->turn.bytes = memmem(line.bytes, line.length, "turn=", 5);
		SIM_MUST(bot->turn.bytes != NULL);
		bot->turn.bytes += 5;
		bot->turn.length = strcspn(bot->turn.bytes, " \n");
		bot->dialog.random = sim_mix(bot->match, bot->state);
	}
	if (!dialog_hear(&bot->dialog, line, &answer))
		bot->end_status = 0;
	if (go)
		decide(bot, answer.bytes, answer.length);
	else if (answer.length > 0 || bot->end_status >= 0) {
		say(bot, answer.bytes, answer.length);
		bot->due_ns = random_time_within(SIM_MS / 10);
		bot->phase = SPEAKING;
	}
	return bot->phase == LISTENING;
}

static void
read_lines(struct sim_bot *bot)
{
	size_t taken = 0;

	while (bot->phase == LISTENING) {
		char *from = bot->in + taken;
		char *end = memchr(from, '\n', bot->in_size - taken);

		if (end == NULL)
			break;
		taken = (size_t)(end + 1 - bot->in);
		handle_line(bot, (struct token){ from, (size_t)(end - from) });
	}
	bot->in_size -= taken;
	memmove(bot->in, bot->in + taken, bot->in_size);
}

static void
listen(struct sim_bot *bot)
{
	ssize_t got = sim_pipe_read(
	    bot->input, bot->in + bot->in_size, IN_SIZE - bot->in_size);

	if (got == 0) {
		sim_process_end(bot->process, 0);
		return;
	}
	if (got > 0)
		bot->in_size += (size_t)got;
	read_lines(bot);
}

static void
speak(struct sim_bot *bot)
{
	size_t size = bot->out_size - bot->out_start;
	ssize_t put;

	if (bot->misbehaviour == SIM_PIECES && size > 1)
		size =
		    1 + (size_t)sim_below(&sim_machine.random, (int64_t)size);
	if (size > 0 && bot->output != NULL) {
		size = size < 4096 ? size : 4096;
		put = sim_pipe_write(
		    bot->output, bot->out + bot->out_start, size);
		sim_trace("process %d: %.*s", bot->process->pid,
		    put > 0 ? (int)put : 0, bot->out + bot->out_start);
		if (put == 0) {
			sim_process_end(bot->process, SIGPIPE);
			return;
		}
		bot->out_start += put > 0 ? (size_t)put : 0;
		bot->due_ns = random_time_within(50000);
		if (bot->out_start < bot->out_size)
			return;
	}
	bot->out_start = bot->out_size = 0;
	if (bot->end_status >= 0) {
		sim_process_end(bot->process, bot->end_status);
		return;
	}
	if (bot->closes_stdout) {
		sim_file_close(bot->output);
		bot->output = NULL;
	}
	bot->phase = LISTENING;
	read_lines(bot);
}

void
sim_bot_wake(struct sim_bot *bot)
{
	switch (bot->phase) {
	case STARTING:
		start(bot);
		break;
	case LISTENING:
		listen(bot);
		break;
	case SPEAKING:
		speak(bot);
		break;
	}
}
