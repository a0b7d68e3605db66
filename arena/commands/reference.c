#include "reference.h"

#include <assert.h>
#include <string.h>

#include "dealing.h"
#include "greedy.h"
#include "scopa/score.h"
#include "scopa/view.h"
#include "world.h"

/* A recorded game that is being played by the bot. */
struct reading {
	struct reference *reference;
	struct reference_memory *memory;
	const struct scopa_rules *rules;
	struct record_fault *fault;
};

/* The move of the bot for the seat to play. */
static struct scopa_move
choose(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_tally *tally)
{
	struct scopa_view view;
	struct scopa_deal imagined;
	bool possible;

	scopa_view_make(rules, deal, tally, deal->turn, &view);
	possible = imagine_deal(rules, &view, &imagined);
	assert(possible);
	return greedy_move(rules, &view, &imagined);
}

bool
reference_play(const struct scopa_rules *rules, struct reference_deal *deal)
{
	int parties = scopa_party_count(rules), total = 0;
	int sign = rules->aim == SCOPA_AIM_LEAST ? -1 : 1;
	struct scopa_tally tally;
	struct scopa_deal state;
	struct scopa_score score;

	if (scopa_deal_start(rules, deal->pack, deal->dealer, &state) !=
	    SCOPA_START_PLAY)
		return false;
	/* The bot does not look at the scores of a match. */
	scopa_tally_init(&tally, deal->dealer, 0);
	while (!scopa_deal_over(&state)) {
		struct scopa_move move = choose(rules, &state, &tally);

		scopa_deal_apply(rules, &state, &move);
	}
	scopa_score_count(rules, &state, &score);
	for (int party = 0; party < parties; party++)
		total += score.total[party];
	for (int party = 0; party < parties; party++)
		deal->leads[party] =
		    sign * (parties * score.total[party] - total);
	return true;
}

/* The deal of this pack and dealer, or NULL where it is thrown in. */
static const struct reference_deal *
recall(const struct reading *reading, int number, int dealer,
    const uint8_t pack[SCOPA_PACK_SIZE])
{
	int place = number % REFERENCE_DEALS_MAX;
	struct reference_deal *deal = &reading->memory->deals[place];
	bool *full = &reading->memory->full[place];

	if (*full && deal->dealer == dealer &&
	    memcmp(deal->pack, pack, SCOPA_PACK_SIZE) == 0)
		return deal;
	memcpy(deal->pack, pack, SCOPA_PACK_SIZE);
	deal->dealer = dealer;
	*full = reference_play(reading->rules, deal);
	return *full ? deal : NULL;
}

/* Whether the deal was counted, and not broken off. */
static bool
was_counted(const struct dealing *dealing)
{
	const struct record_block *block = dealing->block;

	for (size_t i = dealing->end; i > dealing->begin; i--) {
		const struct record_line *line = &block->lines[i - 1];

		if (record_line_is(record_line_bytes(block, line), line->length,
			"enddeal"))
			return true;
	}
	return false;
}

static bool
add_dealing(const struct reading *reading, const struct dealing *dealing)
{
	const struct scopa_rules *rules = reading->rules;
	struct reference *reference = reading->reference;
	int64_t line = dealing->block->lines[dealing->begin].number;
	int dealt = dealing->pack_count > 0 ? dealing->pack_count
					    : dealing->table_count;
	int dealer = dealing->deal.dealer;
	const struct reference_deal *deal;
	struct event_pack pack;

	if (dealing->deal_line == 0 || dealer < 0 || dealer >= rules->players) {
		record_fault_set(reading->fault, line,
		    "it is not said who deals %d", dealing->number);
		return false;
	}
	if (dealing_pack(dealing, rules, dealer, dealt > 0 ? dealt - 1 : 0,
		&pack, reading->fault) < 0)
		return false;
	deal = recall(reading, dealing->number, dealer, pack.cards);
	if (deal == NULL) {
		record_fault_set(reading->fault, line,
		    "the rules throw in the last pack of this deal");
		return false;
	}
	dealer = scopa_party_of(rules, dealer);
	for (int party = 0; party < scopa_party_count(rules); party++)
		reference->leads[dealer][party] += deal->leads[party];
	reference->dealt[dealer]++;
	return true;
}

bool
reference_read(struct reference *reference, struct reference_memory *memory,
    const struct scopa_rules *rules, const struct record_block *block,
    struct record_fault *fault)
{
	const struct reading reading = {
		.reference = reference,
		.memory = memory,
		.rules = rules,
		.fault = fault,
	};
	size_t at = 0;

	*reference = (struct reference){ 0 };
	while (at < block->line_count) {
		struct dealing dealing;

		if (!dealing_begins(block, &block->lines[at], 0)) {
			at++;
			continue;
		}
		if (!dealing_find(block, at, &dealing, fault))
			return false;
		if (was_counted(&dealing) && !add_dealing(&reading, &dealing))
			return false;
		at = dealing.end;
	}
	return true;
}
