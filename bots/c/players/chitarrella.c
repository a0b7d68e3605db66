#include <assert.h>
#include <math.h>

#include "endplay.h"
#include "greedy.h"
#include "players.h"
#include "scopa/notation.h"
#include "tradition.h"

/* A move, what it is worth, and what each rule says of it. */
struct judged_move {
	struct scopa_move move;
	double worth; /* the sum of the parts */
	double exact; /* the part of an end that was worked out, else 0 */
	double parts[TRADITION_RULES_MAX];
};

/*
 * Where the end of the deal was worked out the rules only choose among moves
 * that are as good as each other.
 */
static const double rules_share_at_the_end = 0.02;

/* Names the rule that speaks most for the one move against the other. */
static void
reason_find(const struct judged_move *best, const struct judged_move *second,
    struct chitarrella_reason *reason)
{
	double most = best->exact - second->exact;

	reason->lead = best->worth - second->worth;
	reason->rule = "endplay";
	reason->sentence = "the last cards are known";
	for (int i = 0; i < tradition_rule_count; i++) {
		double lead = best->parts[i] - second->parts[i];

		if (lead <= most)
			continue;
		most = lead;
		reason->rule = tradition_rules[i].name;
		reason->sentence = tradition_rules[i].sentence;
	}
}

static void
judged_move_fill(const struct reply_context *context,
    const struct scopa_move *move, const double *exact,
    struct judged_move *judged)
{
	struct reply_analysis replies;

	judged->move = *move;
	reply_analysis_make(context, move, &replies);
	judged->worth = tradition_judge(context, &replies, judged->parts);
	judged->exact = 0;
	if (exact == NULL)
		return;
	for (int i = 0; i < tradition_rule_count; i++)
		judged->parts[i] *= rules_share_at_the_end;
	judged->exact = *exact;
	judged->worth = *exact + rules_share_at_the_end * judged->worth;
}

/*
 * Judges all moves, with their exact values where these are known.  *best is
 * the first of the best ones, *second the best of those that are worse; where
 * all are alike it has the worth of none.
 */
static void
judged_moves_compare(const struct reply_context *context,
    const struct scopa_move *moves, int count, const double *exact,
    struct judged_move *best, struct judged_move *second)
{
	*best = *second = (struct judged_move){ .worth = -(double)INFINITY };
	for (int i = 0; i < count; i++) {
		struct judged_move judged;

		judged_move_fill(context, &moves[i],
		    exact != NULL ? &exact[i] : NULL, &judged);
		if (judged.worth > best->worth + TRADITION_EQUAL) {
			*second = *best;
			*best = judged;
		} else if (judged.worth < best->worth - TRADITION_EQUAL &&
		    judged.worth > second->worth) {
			*second = judged;
		}
	}
}

struct scopa_move
chitarrella_move(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, int endplay,
    struct chitarrella_reason *reason)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	double values[SCOPA_MOVES_MAX];
	struct judged_move best, second;
	struct reply_context context;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	bool exact;

	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	*reason = (struct chitarrella_reason){
		.rule = "any",
		.sentence = "all moves are alike",
		.count = count,
	};
	if (count == 1)
		return moves[0];
	if (rules->aim == SCOPA_AIM_LEAST ||
	    moves[count - 1].declaration != SCOPA_DECLARE_NOTHING) {
		reason->rule = "greedy";
		reason->sentence = "the tradition says nothing of this";
		return greedy_move(rules, deal);
	}
	reply_context_init(&context, rules, view, deal);
	exact = endplay_is_near(&context, endplay) &&
	    endplay_judge(&context, moves, count, values);
	judged_moves_compare(
	    &context, moves, count, exact ? values : NULL, &best, &second);
	if (second.worth > -(double)INFINITY)
		reason_find(&best, &second, reason);
	return best.move;
}

bool
chitarrella_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct chitarrella_reason reason;
	struct scopa_move move = chitarrella_move(turn->rules, turn->view,
	    turn->deal, (int)turn->options[0], &reason);
	struct info info;

	info_init(&info);
	info_moves(&info, "pv", &move, 1);
	info_whole(&info, "m.moves", reason.count);
	if (reason.lead > 0)
		info_decimal(&info, "m.lead", reason.lead);
	text_add(&info.line, " # %s %s", reason.rule, reason.sentence);
	info_finish(&info, turn->info);
	scopa_move_format(&move, answer);
	return true;
}
