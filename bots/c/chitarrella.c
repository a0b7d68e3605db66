#include "chitarrella.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "greedy.h"
#include "info.h"
#include "scopa/notation.h"
#include "tradition.h"

/* A move and what each rule says of it. */
struct opinion {
	struct scopa_move move;
	double worth; /* the sum of the parts */
	double parts[TRADITION_RULES_MAX];
};

/* The rule that speaks most for the one move against the other. */
static int
rule_that_decides(const struct opinion *best, const struct opinion *second)
{
	int decides = 0;
	double most = -(double)INFINITY;

	for (int i = 0; i < tradition_rule_count; i++) {
		double lead = best->parts[i] - second->parts[i];

		if (lead > most) {
			most = lead;
			decides = i;
		}
	}
	return decides;
}

/* Judges all moves; *best is set, and *second where there are two. */
static void
opinions_form(const struct thought *thought, const struct scopa_move *moves,
    int count, struct opinion *best, struct opinion *second)
{
	best->worth = second->worth = -(double)INFINITY;
	for (int i = 0; i < count; i++) {
		struct prospect prospect;
		struct opinion opinion = { .move = moves[i] };

		prospect_make(thought, &moves[i], &prospect);
		opinion.worth =
		    tradition_judge(thought, &prospect, opinion.parts);
		if (opinion.worth > best->worth) {
			*second = *best;
			*best = opinion;
		} else if (opinion.worth > second->worth) {
			*second = opinion;
		}
	}
}

struct scopa_move
chitarrella_move(const struct scopa_rules *rules, const struct scopa_view *view,
    const struct scopa_deal *deal, struct chitarrella_reason *reason)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	struct opinion best, second;
	struct thought thought;
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	int decides;

	assert(count > 0 && count <= SCOPA_MOVES_MAX);
	*reason = (struct chitarrella_reason){
		.rule = "only",
		.sentence = "there is no other move",
		.count = count,
	};
	if (count == 1)
		return moves[0];
	if (rules->aim == SCOPA_AIM_LEAST ||
	    moves[count - 1].declaration != SCOPA_DECLARE_NOTHING) {
		reason->rule = "greedy";
		reason->sentence = "the tradition says nothing of this";
		return greedy_move(rules, view, deal);
	}
	thought_init(&thought, rules, view, deal);
	opinions_form(&thought, moves, count, &best, &second);
	decides = rule_that_decides(&best, &second);
	reason->rule = tradition_rules[decides].name;
	reason->sentence = tradition_rules[decides].sentence;
	reason->lead = best.worth - second.worth;
	reason->second = second.move;
	return best.move;
}

static void
reason_tell(const struct chitarrella_reason *reason,
    const struct scopa_move *move, struct scopa_text *text)
{
	struct info info;

	info_init(&info, text);
	info_moves(&info, "pv", move, 1);
	info_whole(&info, "m.moves", reason->count);
	if (reason->lead > 0)
		info_decimal(&info, "m.lead", reason->lead);
	info_comment(&info, reason->rule);
	info_comment(&info, reason->sentence);
	info_finish(&info);
}

bool
chitarrella_choose(const struct builtin_turn *turn, struct scopa_text *answer)
{
	struct chitarrella_reason reason;
	struct scopa_move move =
	    chitarrella_move(turn->rules, turn->view, turn->deal, &reason);

	reason_tell(&reason, &move, turn->info);
	scopa_move_format(&move, answer);
	return true;
}
