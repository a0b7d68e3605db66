#include "dialog.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "builtin.h"
#include "knowledge.h"
#include "now.h"

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* A word that no handler needs may still be long: this much is repeated. */
enum { WORD_SHOWN_MAX = 32 };

static const struct token no_token = { "", 0 };

static void
say(struct scopa_text *answer, const char *words)
{
	scopa_text_string(answer, words);
}

static void
say_token(struct scopa_text *answer, struct token token)
{
	size_t length = token.length;

	if (length > WORD_SHOWN_MAX)
		length = WORD_SHOWN_MAX;
	for (size_t i = 0; i < length; i++) {
		char byte = token.bytes[i];

		scopa_text_char(answer, byte < ' ' || byte > '~' ? '?' : byte);
	}
}

/*
 * Every report is one line, `error CODE # sentence: word`.  A stream of
 * nonsense is not answered with another one.
 */
static void
error_say(struct dialog *dialog, const char *start, struct token word,
    struct scopa_text *answer)
{
	if (dialog->error_count == DIALOG_ERRORS_MAX)
		return;
	dialog->error_count++;
	say(answer, start);
	say_token(answer, word);
	say(answer, "\n");
}

static bool
hear_usp(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	const struct builtin *builtin = dialog->builtin;

	(void)line;
	say(answer, "id name=");
	say(answer, builtin->name);
	say(answer, " version=" BUILTIN_VERSION "\n");
	builtin_options_format(builtin, answer);
	say(answer, "feature position=1");
	if (builtin->stops)
		say(answer, " stop=1");
	if (builtin->sees_all)
		say(answer, " analysis=1");
	say(answer, "\nuspok 1\n");
	return true;
}

static bool
hear_setoption(
    struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	struct token word = token_next(&line), name;

	switch (
	    builtin_option_set(dialog->options, dialog->builtin, word, &name)) {
	case BUILTIN_OPTION_SET:
		break;
	case BUILTIN_OPTION_UNKNOWN:
		error_say(
		    dialog, "error option # there is no option ", name, answer);
		break;
	case BUILTIN_OPTION_REFUSED:
		error_say(
		    dialog, "error option # no such value of ", name, answer);
		break;
	}
	return true;
}

static bool
hear_isready(
    struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)dialog;
	(void)line;
	say(answer, "readyok\n");
	return true;
}

/* An own `seed` option takes the place of the seed that the match gives. */
static void
dialog_seed(struct dialog *dialog, struct token match_seed)
{
	static const char name[] = "seed";
	int index = builtin_option_find(
	    dialog->builtin, (struct token){ name, sizeof(name) - 1 });

	dialog->random = builtin_seed(match_seed);
	if (index >= 0 && dialog->options[index] != 0) {
		char bytes[WORD_SHOWN_MAX];
		struct scopa_text text;

		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_text_int(&text, dialog->options[index]);
		dialog->random =
		    builtin_seed((struct token){ bytes, text.length });
	}
}

static bool
hear_match(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	static const char bank[] = "match:";
	struct token control = token_find(line, "tc");
	int64_t deal_count = 0;

	(void)answer;
	dialog->legal_length = 0;
	dialog->state[0] = '\0';
	dialog->cards_length = 0;
	dialog->match_bank = control.length >= sizeof(bank) - 1 &&
	    memcmp(control.bytes, bank, sizeof(bank) - 1) == 0;
	token_int(token_find(line, "deals"), 1, INT_MAX, &deal_count);
	dialog->deal_count = (int)deal_count;
	dialog_seed(dialog, token_find(line, "seed"));
	return true;
}

static bool
hear_legal(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)answer;
	memcpy(dialog->legal, line.bytes, line.length);
	dialog->legal_length = line.length;
	return true;
}

static bool
hear_state(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	static const char verb[] = "state ";

	(void)answer;
	if (line.length > sizeof(dialog->state) - sizeof(verb))
		return true;
	memcpy(dialog->state, verb, sizeof(verb) - 1);
	memcpy(dialog->state + sizeof(verb) - 1, line.bytes, line.length);
	dialog->state[sizeof(verb) - 1 + line.length] = '\0';
	return true;
}

static bool
hear_cards(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)answer;
	dialog->cards_length = 0;
	if (line.length > sizeof(dialog->cards))
		return true;
	memcpy(dialog->cards, line.bytes, line.length);
	dialog->cards_length = line.length;
	return true;
}

/* Works out the legal moves where no line has named them. */
static void
legal_write(struct dialog *dialog, const struct knowledge *knowledge)
{
	struct scopa_text text;

	scopa_text_init(&text, dialog->legal, sizeof(dialog->legal));
	knowledge_moves(knowledge, &text);
	dialog->legal_length = text.length;
}

/* Whether the list of legal moves, where there was one, has this move. */
static bool
legal_has(const struct dialog *dialog, const struct scopa_text *move)
{
	struct token list = { dialog->legal, dialog->legal_length };
	struct token word = token_next(&list);

	if (word.length == 0)
		return true;
	for (; word.length > 0; word = token_next(&list))
		if (token_is(word, move->bytes) ||
		    token_is(word, BUILTIN_LEGAL_CUT))
			return true;
	return false;
}

/* A decision, and what is said to it. */
struct decision {
	struct builtin_turn turn;
	struct scopa_text info;
	struct scopa_text move;
	struct scopa_deal all_cards; /* where all cards are shown */
};

/* A time of `go` in nanoseconds; -1 where it was not said. */
static int64_t
go_time_ns(struct token line, const char *key)
{
	int64_t ms;

	return token_int(
		   token_find(line, key), 0, INT64_MAX / NOW_NS_PER_MS, &ms)
	    ? ms * NOW_NS_PER_MS
	    : -1;
}

/* The deal as it is, for a bot that wants to see it and is shown it. */
static const struct scopa_deal *
all_cards_of(const struct dialog *dialog, const struct knowledge *knowledge,
    struct scopa_deal *all_cards)
{
	struct token line = { dialog->cards, dialog->cards_length };

	if (!dialog->builtin->sees_all || line.length == 0)
		return NULL;
	*all_cards = knowledge->deal;
	return unveil_deal(line, &knowledge->rules, &knowledge->view, all_cards)
	    ? all_cards
	    : NULL;
}

/* Chooses, and writes the move alone; with a view where there is one. */
static bool
choose(struct dialog *dialog, struct decision *decision,
    const struct knowledge *knowledge)
{
	struct builtin_turn *turn = &decision->turn;
	struct scopa_text *move = &decision->move;

	turn->legal_length = dialog->legal_length;
	if (knowledge != NULL) {
		turn->rules = &knowledge->rules;
		turn->view = &knowledge->view;
		turn->deal = &knowledge->deal;
		turn->all_cards =
		    all_cards_of(dialog, knowledge, &decision->all_cards);
	}
	scopa_text_init(move, move->bytes, move->size);
	scopa_text_init(&decision->info, dialog->info, sizeof(dialog->info));
	return dialog->builtin->choose(turn, move);
}

/* For a bot that plays by the list of legal moves alone. */
static bool
choose_by_list(struct dialog *dialog, struct decision *decision)
{
	struct knowledge knowledge;

	if (dialog->legal_length == 0 &&
	    knowledge_from_state(dialog->state, &knowledge))
		legal_write(dialog, &knowledge);
	return choose(dialog, decision, NULL);
}

/* Where the `state` line does not agree with the legal moves, these are right. */
static bool
choose_by_view(struct dialog *dialog, struct decision *decision)
{
	struct scopa_text *move = &decision->move;
	struct knowledge knowledge;

	if (knowledge_from_state(dialog->state, &knowledge) &&
	    choose(dialog, decision, &knowledge) && legal_has(dialog, move))
		return true;
	scopa_text_init(move, move->bytes, move->size);
	scopa_text_init(&decision->info, dialog->info, sizeof(dialog->info));
	return builtin_first_legal(&decision->turn, move);
}

/* What the bot had to say, then the move that answers this question. */
static void
decision_say(const struct decision *decision, struct token turn,
    struct scopa_text *answer)
{
	enum { TURN_TEXT_MAX = 256 };

	scopa_text_bytes(answer, decision->info.bytes, decision->info.length);
	say(answer, "move ");
	scopa_text_bytes(answer, decision->move.bytes, decision->move.length);
	if (turn.length > 0 && turn.length <= TURN_TEXT_MAX) {
		say(answer, " turn=");
		scopa_text_bytes(answer, turn.bytes, turn.length);
	}
	say(answer, "\n");
}

/* The time of a turn runs. */
static void
clock_begin(struct dialog *dialog, struct builtin_turn *turn)
{
	pace_begin(&dialog->pace, turn->bank_ns, dialog->wake_ns);
	turn->lag_ns = dialog->pace.lag_ns;
	turn->work_ns = dialog->pace.work_ns;
	dialog->asked = true;
	dialog->began_ns = turn->began_ns;
	dialog->asked_ns = dialog->heard_ns;
	dialog->bank_ns = turn->bank_ns;
	if (turn->bank_ns >= 0 && turn->increment_ns > 0)
		dialog->bank_ns += turn->increment_ns;
}

void
dialog_answered(struct dialog *dialog, int64_t now_ns, int64_t wait_ns)
{
	int64_t left_ns = -1;

	if (!dialog->asked)
		return;
	if (dialog->bank_ns >= 0)
		left_ns = dialog->bank_ns - (now_ns - dialog->began_ns);
	pace_end(&dialog->pace, now_ns - dialog->asked_ns, wait_ns, left_ns);
	dialog->asked = false;
}

static bool
hear_go(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	enum { MOVE_TEXT_MAX = 256 };
	char bytes[MOVE_TEXT_MAX];
	struct decision decision = {
		.turn = {
			.legal = dialog->legal,
			.legal_length = dialog->legal_length,
			.random = &dialog->random,
			.options = dialog->options,
			.began_ns = dialog->heard_ns - dialog->wake_ns,
			.bank_ns = go_time_ns(line, "time"),
			.increment_ns = go_time_ns(line, "inc"),
			.move_ns = go_time_ns(line, "move"),
			.match_bank = dialog->match_bank,
			.deal_count = dialog->deal_count,
			.info = &decision.info,
			.memory = dialog->memory,
			.stopped = dialog->stopped,
			.context = dialog->context,
		},
	};
	bool chosen;

	clock_begin(dialog, &decision.turn);
	scopa_text_init(&decision.move, bytes, sizeof(bytes));
	chosen = dialog->builtin->need == BUILTIN_NEED_VIEW
	    ? choose_by_view(dialog, &decision)
	    : choose_by_list(dialog, &decision);
	if (chosen)
		decision_say(&decision, token_find(line, "turn"), answer);
	else
		error_say(dialog,
		    "error unexpected # go without legal or state", no_token,
		    answer);
	dialog->legal_length = 0;
	dialog->state[0] = '\0';
	dialog->cards_length = 0;
	return true;
}

static bool
hear_quit(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	(void)dialog;
	(void)line;
	(void)answer;
	return false;
}

/* Quits, answers, or keeps what the next decision needs. */
static const struct {
	const char *word;
	bool (*hear)(struct dialog *dialog, struct token line,
	    struct scopa_text *answer);
} verbs[] = {
	{ "legal", hear_legal },
	{ "state", hear_state },
	{ "go", hear_go },
	{ "cards", hear_cards },
	{ "match", hear_match },
	{ "isready", hear_isready },
	{ "setoption", hear_setoption },
	{ "usp", hear_usp },
	{ "quit", hear_quit },
};

/* What asks for nothing: a state line tells it all, or it is too late. */
static const char *const skipped[] = { "play", "give", "score", "table", "deal",
	"rest", "enddeal", "seat", "rules", "endmatch", "declare", "show",
	"sweep", "redeal", "abort", "stop", "illegal", "error" };

static bool
never_stopped(void *context)
{
	(void)context;
	return false;
}

void
dialog_init(struct dialog *dialog, const struct builtin *builtin)
{
	assert(builtin->option_count <= DIALOG_OPTIONS_MAX);
	dialog->builtin = builtin;
	builtin_options_init(dialog->options, builtin);
	dialog->heard_ns = 0;
	dialog->wake_ns = 0;
	dialog->pace = (struct pace_record){ 0 };
	dialog->asked = false;
	dialog->memory = NULL;
	dialog->stopped = never_stopped;
	dialog->context = NULL;
	dialog->match_bank = false;
	dialog->deal_count = 0;
	dialog->legal_length = 0;
	dialog->state[0] = '\0';
	dialog->cards_length = 0;
	dialog->error_count = 0;
	dialog_seed(dialog, no_token);
}

bool
dialog_hear(struct dialog *dialog, struct token line, struct scopa_text *answer)
{
	struct token word;

	assert(line.length <= DIALOG_LINE_MAX);
	line = token_trim(line);
	if (line.length == 0)
		return true;
	word = token_next(&line);
	for (size_t i = 0; i < COUNTOF(verbs); i++)
		if (token_is(word, verbs[i].word))
			return verbs[i].hear(dialog, line, answer);
	for (size_t i = 0; i < COUNTOF(skipped); i++)
		if (token_is(word, skipped[i]))
			return true;
	error_say(dialog, "error unknown # skipped ", word, answer);
	return true;
}

void
dialog_hear_long(struct dialog *dialog, struct scopa_text *answer)
{
	error_say(dialog, "error toolong # skipped a line over 65535 bytes",
	    no_token, answer);
}
