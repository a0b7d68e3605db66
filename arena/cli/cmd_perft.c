/*
 * The command perft: counts the sequences of legal moves of a deal, for every
 * depth.  Engines that implement the same rules have the same counts, so a
 * difference shows a bug.
 */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd_bench.h"
#include "command.h"
#include "game_options.h"
#include "json.h"
#include "pack_file.h"
#include "record_walk.h"
#include "shuffle.h"
#include "version.h"

/*
 * The event name that a match gives to its first round; packs of a seed depend
 * on it.
 */
#define FIRST_EVENT "round-1"

enum { REASON_SIZE = 256, REDEALS_MAX = 1000 };

struct perft_settings {
	/* cards, or the name of a file; NULL: the pack comes from `seed` */
	const char *pack;
	struct shuffle_key seed;
	int64_t depth;
	int64_t dealer; /* seat, from 1; 0: the last seat */
	bool divide;
	bool json;
};

/* The deal whose sequences are counted. */
struct question {
	struct rule_set set;
	uint8_t pack[SCOPA_PACK_SIZE];
	int dealer; /* seat, from 0 */
	struct scopa_deal deal;
};

#define FIELD(name) offsetof(struct perft_settings, name)

static const struct option options[] = {
	TEXT_OPTION("pack", "CARDS|FILE", FIELD(pack),
	    "The 40 cards in order of dealing, two characters each, or a file "
	    "whose first pack is used."),
	PARSED_OPTION("seed", "HEX", FIELD(seed), secret_parse,
	    "1 to 64 hex digits: the first pack of a match with this seed, if "
	    "there is no --pack.",
	    .aliases = { "srand" }, .fallback = "0"),
	INT_OPTION("depth", "N", FIELD(depth), 1, SCOPA_HISTORY_MAX,
	    "Count the sequences of 1 to N moves.", .fallback = "4",
	    .unit = "moves"),
	INT_OPTION("dealer", "SEAT", FIELD(dealer), 1, SCOPA_SEATS_MAX,
	    "The seat that deals; the next one begins. Without it the last "
	    "seat deals."),
	FLAG_OPTION("divide", FIELD(divide),
	    "Count the sequences of N moves by their first move: if two "
	    "engines differ, the first move with another count leads to the "
	    "bug."),
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

uint64_t
perft_count(const struct scopa_rules *rules, const struct scopa_deal *deal,
    int depth, struct scopa_move *moves)
{
	uint64_t total = 0;
	int count;

	assert(depth >= 0);
	if (depth == 0)
		return 1;
	/* The last moves are only counted: they are neither made nor stored. */
	if (depth == 1)
		return (uint64_t)scopa_moves(rules, deal, NULL, 0);
	count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	assert(count <= SCOPA_MOVES_MAX);
	for (int i = 0; i < count; i++) {
		struct scopa_deal next = *deal;

		scopa_deal_apply(rules, &next, &moves[i]);
		total += perft_count(
		    rules, &next, depth - 1, moves + SCOPA_MOVES_MAX);
	}
	return total;
}

/*
 * Whether the text is a list of cards and not the name of a file.  A list of
 * cards has forty pairs of letters and no slash.
 */
static bool
is_pack_text(const char *text)
{
	size_t length = 0;

	for (const char *byte = text; *byte != '\0'; byte++) {
		if (*byte == '/')
			return false;
		length += *byte != ' ';
	}
	return length >= 2 * (SCOPA_PACK_SIZE - 1);
}

static enum status
pack_read(const char *pack, uint8_t cards[SCOPA_PACK_SIZE])
{
	struct scopa_text why = SCOPA_TEXT(REASON_SIZE);
	struct pack_file packs;
	int error;

	if (is_pack_text(pack)) {
		if (pack_file_line_read(pack, strlen(pack), cards, &why) == 1)
			return STATUS_DONE;
		return error_usage(
		    "give 40 different cards, two characters each",
		    "--pack: %s", why.bytes);
	}
	error = pack_file_open(&packs, pack, &why);
	if (error && error != -EBADMSG &&
	    input_file_status(error) != STATUS_USAGE)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "--pack %s: %s", pack, strerror(-error));
	if (error)
		return error_usage(
		    "give 40 cards, two characters each, or a file of them",
		    "--pack %s: %s", pack,
		    error == -EBADMSG ? why.bytes : strerror(-error));
	memcpy(cards, packs.packs[0], SCOPA_PACK_SIZE);
	pack_file_close(&packs);
	return STATUS_DONE;
}

/*
 * Starts the deal of the given pack, or the first deal of the seed whose pack
 * the rules accept.
 */
static enum status
question_start(const struct perft_settings *settings, struct question *question)
{
	enum status status = STATUS_DONE;
	enum scopa_start start;
	uint64_t redeal = 0;

	if (settings->pack != NULL)
		status = pack_read(settings->pack, question->pack);
	if (status != STATUS_DONE)
		return status;
	do {
		struct shuffle_key key;

		if (settings->pack == NULL) {
			shuffle_deal_key(
			    &settings->seed, FIRST_EVENT, 1, redeal, &key);
			shuffle_pack(&key, question->pack);
		}
		start = scopa_deal_start(&question->set.rules, question->pack,
		    question->dealer, &question->deal);
		if (start == SCOPA_START_PLAY)
			return STATUS_DONE;
	} while (settings->pack == NULL && ++redeal < REDEALS_MAX);
	if (settings->pack == NULL)
		return error_status(STATUS_ENVIRONMENT, NULL, NULL,
		    "every one of %d packs was thrown in", REDEALS_MAX);
	error_print("these rules throw the pack in: %s on the table",
	    start == SCOPA_START_KINGS      ? "three kings"
		: start == SCOPA_START_ACES ? "two aces"
					    : "an ace");
	error_detail(
	    "hint", "the rules %s,redeal=none play it", question->set.spec);
	error_detail("try", VERSION_NAME " rules %s", question->set.spec);
	return STATUS_USAGE;
}

static enum status
question_read(const struct perft_settings *settings, const char *spec,
    struct question *question)
{
	const struct scopa_rules *rules = &question->set.rules;
	int players, moves_max;

	if (!rule_set_read(spec, &question->set))
		return STATUS_USAGE;
	players = rules->players;
	/*
	 * Every card that does not begin on the table is played, and every hand
	 * is declared if the rules have declarations.
	 */
	moves_max = SCOPA_PACK_SIZE - rules->table;
	if (rules->declare == SCOPA_DECLARE_ASK)
		moves_max += moves_max / rules->hand;
	if (settings->dealer > players) {
		error_print("--dealer %jd: there are %d seats",
		    settings->dealer, players);
		error_detail("try", VERSION_NAME " rules %s", spec);
		return STATUS_USAGE;
	}
	if (settings->depth > moves_max) {
		error_print(
		    "--depth %jd: a deal of these rules ends after %d moves",
		    settings->depth, moves_max);
		error_detail("try", VERSION_NAME " perft %s --depth 5", spec);
		return STATUS_USAGE;
	}
	question->dealer =
	    settings->dealer > 0 ? (int)settings->dealer - 1 : players - 1;
	return question_start(settings, question);
}

/* Counts the sequences of every depth and prints them. */
static void
depths_print(const struct question *question,
    const struct perft_settings *settings, struct scopa_move *moves,
    struct json *json)
{
	if (json)
		json_array_begin(json, "counts");
	for (int depth = 1; depth <= settings->depth; depth++) {
		uint64_t count = perft_count(
		    &question->set.rules, &question->deal, depth, moves);

		if (json) {
			json_int(json, NULL, (int64_t)count);
		} else {
			printf("perft %d %" PRIu64 "\n", depth, count);
			fflush(stdout);
		}
	}
	if (json)
		json_array_end(json);
}

/* Counts the sequences of the full depth after each first move. */
static void
first_moves_print(const struct question *question,
    const struct perft_settings *settings, struct scopa_move *moves,
    struct json *json)
{
	const struct scopa_rules *rules = &question->set.rules;
	int count = scopa_moves(rules, &question->deal, moves, SCOPA_MOVES_MAX);

	if (json)
		json_object_begin(json, "moves");
	for (int i = 0; i < count; i++) {
		struct scopa_deal next = question->deal;
		uint64_t sequences;

		scopa_deal_apply(rules, &next, &moves[i]);
		sequences = perft_count(rules, &next, (int)settings->depth - 1,
		    moves + SCOPA_MOVES_MAX);
		if (json)
			json_int(
			    json, move_text(&moves[i]), (int64_t)sequences);
		else
			printf("%s %" PRIu64 "\n", move_text(&moves[i]),
			    sequences);
	}
	if (json)
		json_object_end(json);
}

static void
counts_print(const struct question *question,
    const struct perft_settings *settings, struct scopa_move *moves)
{
	struct scopa_text cards =
	    SCOPA_TEXT(SCOPA_PACK_SIZE * SCOPA_CARD_TEXT_SIZE + 1);
	struct json json;

	if (settings->json) {
		for (int i = 0; i < SCOPA_PACK_SIZE; i++)
			scopa_card_format(question->pack[i], &cards);
		json_document_begin(&json, stdout);
		json_string(&json, "rules", question->set.spec);
		json_string(&json, "pack", cards.bytes);
		json_int(&json, "dealer", question->dealer + 1);
	}
	(settings->divide ? first_moves_print : depths_print)(
	    question, settings, moves, settings->json ? &json : NULL);
	if (settings->json)
		json_document_end(&json);
}

static enum status
perft_run(const void *given, char **argv)
{
	const struct perft_settings *settings = given;
	struct question question;
	enum status status = question_read(settings, argv[0], &question);

	if (status == STATUS_DONE)
		counts_print(&question, settings,
		    command_memory((size_t)settings->depth * SCOPA_MOVES_MAX *
			sizeof(struct scopa_move)));
	return status;
}

const struct command command_perft = {
	.name = "perft",
	.sentence =
	    "Counts the sequences of moves of a deal, for comparing engines.",
	.detail = "A declaration is a move, too. perft N counts sequences of "
		  "exactly N moves; shorter sequences, which end with the "
		  "deal, do not count.",
	.usage = "RULES",
	.arguments = { { "RULES", "A preset, or PRESET,KEY=VALUE,..." } },
	.argument_min = 1,
	.argument_max = 1,
	.examples = { "perft scopa --seed 1 --depth 6",
	    "perft scopa --seed 1 --depth 6 --divide",
	    "perft cirulla,declare=ask --pack packs.txt --dealer 1" },
	.options = options,
	.settings_size = sizeof(struct perft_settings),
	.run = perft_run,
};
