/*
 * Implements fault_text.h.  The hand, the table and the legal moves come from
 * the `state` line of the decision at which the bot failed.
 */
#include "fault_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "countof.h"
#include "referee.h"
#include "scopa/move.h"
#include "scopa/notation.h"
#include "text_format.h"
#include "words.h"

enum { TEXT_SIZE = 8192, STDERR_LINES_MAX = 60 };

enum { REASON_PART_SIZE = 64, SENTENCE_SIZE = 1024 };

/*
 * The reasons of offences, in a few words and as a sentence.  %s stands for the
 * text between the brackets of the reason (`EXIT(1)`).  No sentence (NULL): how
 * the bot ended is printed instead.
 */
static const struct {
	const char *reason, *words, *sentence;
} reasons[] = {
	{ "TIMEOUT", "no answer in time",
	    "No answer came within the time of a move." },
	{ "FLAG", "the time in its bank was used up",
	    "The time in its bank was used up." },
	{ "UNREAD", "it did not read its input",
	    "It does not read its input, which is full." },
	{ "EXIT", "exited with status %s", NULL },
	{ "CRASH", "died of signal %s", NULL },
	{ "LIMIT_MEM", "was killed at its limit of memory", NULL },
	{ "EOF", "closed its output", "It closed its stdout, or ended." },
	{ "HANG", "was late, and then did not answer isready",
	    "It was late, and then said nothing more." },
	{ "FATAL", "gave up (error fatal)", "It gave up with `error fatal`." },
	{ "BAD_LINE", "a line that is too long or no text", NULL },
	{ "FLOOD", "too much output that was not asked for",
	    "It wrote more than 64 lines or 64 KiB that were not asked for: "
	    "info and move belong between go and the answer." },
	{ "PONDER", "computed when others were to move",
	    "It computed when others were to move, who were late by it." },
	{ "HS_TIMEOUT", "was not ready in time", NULL },
	{ "HS_EXIT", "exited with status %s before it was ready", NULL },
	{ "HS_CRASH", "died of signal %s before it was ready", NULL },
	{ "HS_LIMIT_MEM",
	    "was killed at its limit of memory before it was ready", NULL },
	{ "HS_EOF", "closed its output before it was ready", NULL },
	{ "HS_BAD", "a wrong line before it was ready", NULL },
	{ "HS_BAD(VERSION)", "a version of USP that was not offered", NULL },
	{ "HS_BAD(ID)", "no id line before uspok", NULL },
	{ "HS_BAD(FATAL)", "gave up before it was ready (error fatal)", NULL },
	{ "HS_BAD(OPTION)", "does not take an option that is set", NULL },
	{ "HS_BAD(ANALYSIS)", "wants to see all cards", NULL },
	{ "EXEC_FAIL", "could not be started (%s)", NULL },
};

/* Appends the words of the table, with the text between the brackets. */
static void
put_reason(const char *words, const char *argument, struct scopa_text *text)
{
	const char *place = strstr(words, "%s");
	const char *name = NULL;

	if (place == NULL) {
		scopa_text_string(text, words);
		return;
	}
	scopa_text_bytes(text, words, (size_t)(place - words));
	text_sanitize(text, argument);
	if (strstr(words, "signal") != NULL)
		name = sigabbrev_np(atoi(argument));
	if (name != NULL)
		text_printf(text, " (SIG%s)", name);
	scopa_text_string(text, place + strlen("%s"));
}

const char *
fault_text_reason(const char *kind, const char *reason, const char *tc)
{
	static char bytes[SENTENCE_SIZE];
	struct scopa_text text;
	char word[REASON_PART_SIZE], argument[REASON_PART_SIZE] = "";
	const char *found = NULL;
	long long move_ms;

	scopa_text_init(&text, bytes, sizeof(bytes));
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(reason, "("), reason);
	if (reason[strlen(word)] == '(')
		snprintf(argument, sizeof(argument), "%.*s",
		    (int)strcspn(reason + strlen(word) + 1, ")"),
		    reason + strlen(word) + 1);
	for (size_t i = 0; i < COUNTOF(reasons); i++)
		if (strcmp(reasons[i].reason, reason) == 0 ||
		    (strcmp(reasons[i].reason, word) == 0 &&
			argument[0] != '\0'))
			found = reasons[i].words;
	if (strcmp(reason, "TIMEOUT") == 0 && tc != NULL &&
	    sscanf(tc, "move:%lld", &move_ms) == 1) {
		text_printf(
		    &text, "no answer within %g s", (double)move_ms / 1e3);
	} else if (found != NULL) {
		put_reason(found, argument, &text);
	} else if (strcmp(kind, "illegal") == 0 && reason[0] != '\0') {
		scopa_text_string(&text, "illegal move (");
		text_sanitize(&text, reason);
		scopa_text_char(&text, ')');
	} else {
		text_sanitize(&text, kind);
		scopa_text_string(&text, reason[0] != '\0' ? " " : "");
		text_sanitize(&text, reason);
	}
	return bytes;
}

const char *
fault_text_unfinished_hint(const char *unfinished)
{
	static char hint[BOT_UNFINISHED_SIZE + 96];

	snprintf(hint, sizeof(hint),
	    "the last of its stdout, \"%s\", has no line end: end each line "
	    "with LF, and flush",
	    unfinished);
	return hint;
}

const char *
fault_text_stray_hint(const char *line)
{
	char verb[64] = "";
	struct scopa_move move;

	sscanf(line, "%63s", verb);
	if (strcmp(verb, "bestmove") == 0)
		return "\"bestmove\" is a word of UCI; a bot of USP says "
		       "\"move MOVE turn=ID\"";
	/* Lines of a log begin with INFO or ERROR. */
	for (int i = 0; referee_verb(i) != NULL; i++)
		if (strcmp(verb, referee_verb(i)) != 0 &&
		    strcasecmp(verb, referee_verb(i)) == 0 &&
		    strcasecmp(verb, "info") != 0 &&
		    strcasecmp(verb, "error") != 0)
			return "verbs are written in lower case";
	/* As in `move: 7D` and in JSON. */
	if (verb[0] == '{' ||
	    (strncmp(verb, "move", 4) == 0 && ispunct((unsigned char)verb[4])))
		return "an answer is written \"move MOVE turn=ID\"";
	if (scopa_move_parse(verb, strlen(verb), &move) == SCOPA_PARSED)
		return "an answer begins with its verb: \"move MOVE turn=ID\"";
	return "print messages alone on stdout, and everything else on stderr";
}

/* The decision at which the bot failed, as the bot saw it. */
struct position {
	struct scopa_rules rules;
	struct scopa_view view;
	struct scopa_deal deal; /* a possible one: it agrees with the view */
};

static bool
read_position(const char *state, struct position *position)
{
	struct scopa_text why = SCOPA_TEXT(TEXT_SIZE);

	if (!scopa_state_parse(state, &position->rules, &position->view, &why))
		return false;
	scopa_view_deal(
	    &position->rules, &position->view, NULL, &position->deal);
	return true;
}

static void
print_line(FILE *out, const char *label, const char *text)
{
	fprintf(out, "  %-8s: %s\n", label, safe_text(text));
}

static void
print_legal(FILE *out, const struct position *position)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(
	    &position->rules, &position->deal, moves, SCOPA_MOVES_MAX);
	struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

	text_moves(&text, moves, count);
	print_line(out, "legal", text.bytes);
}

/* Returns the sentence about the offence, or NULL as in the table. */
static const char *
offence_sentence(const struct match_fault *fault)
{
	if (fault->refusal[0])
		return fault->refusal;
	/* The record has the line of the bot with its bytes escaped. */
	if (strcmp(fault->reason, "BAD_LINE") == 0)
		return strstr(fault->said, "\\x") != NULL
		    ? "A line has bytes 0x20 to 0x7E and tabs; another is "
		      "written %XX."
		    : "A line has at most 4096 bytes, and all of them are "
		      "text.";
	for (size_t i = 0; i < COUNTOF(reasons); i++)
		if (strcmp(fault->reason, reasons[i].reason) == 0)
			return reasons[i].sentence;
	return NULL;
}

/* Whether a word that is no pair and no comment follows the move of a line. */
static bool
has_loose_word(const char *said)
{
	struct words words;

	words_split(said, strlen(said), &words);
	return words.count > 2 &&
	    memchr(words.word[2].bytes, '=', words.word[2].length) == NULL;
}

/* Prints what else the bot has done wrong, which may explain the offence. */
static void
print_hints(FILE *out, const struct match_fault *fault)
{
	struct scopa_text text = SCOPA_TEXT(TEXT_SIZE);

	if (fault->stray_count > 0) {
		text_printf(&text,
		    "%d line%s of its stdout %s no message of USP, the "
		    "first: \"%s\"",
		    fault->stray_count, text_plural(fault->stray_count),
		    fault->stray_count == 1 ? "is" : "are", fault->stray);
		print_line(out, "hint", text.bytes);
		print_line(out, "hint", fault_text_stray_hint(fault->said));
	}
	/* After an answer the next line may be on its way. */
	if (fault->unfinished[0] && fault->kind != OFFENCE_ILLEGAL &&
	    fault->kind != OFFENCE_PROTOCOL)
		print_line(
		    out, "hint", fault_text_unfinished_hint(fault->unfinished));
	else if (fault->mute)
		print_line(out, "hint",
		    "it has said nothing in this game: flush stdout after "
		    "every line (python: print(..., flush=True)), or, if it "
		    "thinks for so long, give it more time: --tc");
	if (fault->kind == OFFENCE_ILLEGAL && has_loose_word(fault->said))
		print_line(out, "hint",
		    "a move is one word, without blanks, such as 7Dx3C4S");
	else if (strcmp(fault->reason, "syntax") == 0)
		print_line(out, "hint",
		    "a card is a rank, one of A234567JQK, and a suit, one of "
		    "DCSB; the cards that it captures follow an x");
	if (fault->wrong_turn_count > 0)
		fprintf(out,
		    "  %-8s: %d answer%s had another turn= than the one that "
		    "`go` named; give back the first word of `go` as it is\n",
		    "hint", fault->wrong_turn_count,
		    text_plural(fault->wrong_turn_count));
}

/* Prints the last lines of the bot's stderr. */
static void
print_stderr(FILE *out, const char *text)
{
	int lines = 0;

	for (const char *at = text; *at != '\0'; at++)
		lines += *at == '\n';
	while (*text != '\0') {
		int length = (int)strcspn(text, "\n");

		if (lines-- <= STDERR_LINES_MAX)
			fprintf(out, "  %-8s: %.*s\n", "stderr", length, text);
		text += length + (text[length] == '\n');
	}
}

void
fault_text_print(const struct match_fault *fault, FILE *out)
{
	struct position position;
	const char *sentence = offence_sentence(fault);
	bool asked = fault->state[0] && read_position(fault->state, &position);

	if (asked) {
		fprintf(out, "  %-8s: deal %d, play %d, seat %d to move\n",
		    "position", position.view.deal_number,
		    position.view.history_count + 1, fault->seat + 1);
		print_line(
		    out, "table", cards_text(position.view.table, "no cards"));
		print_line(
		    out, "hand", cards_text(position.view.hand, "no cards"));
	}
	if (fault->said[0])
		print_line(out, "received", fault->said);
	else if (fault->kind == OFFENCE_STARTUP && fault->received[0])
		print_line(out, "received", fault->received);
	if (sentence != NULL)
		print_line(out, "wrong", sentence);
	if (asked) {
		fprintf(out, "  %-8s: move MOVE turn=%s\n", "expected",
		    fault->turn_id[0] ? fault->turn_id : "ID");
		print_legal(out, &position);
	}
	if (fault->ending[0])
		print_line(out, "ended", fault->ending);
	print_hints(out, fault);
	print_stderr(out, fault->stderr_tail);
	if (asked)
		print_line(out, "state", fault->state);
}
