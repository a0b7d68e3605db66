#include "watch.h"

#include <assert.h>

#include "scopa/scopa.h"
#include "splitmix.h"
#include "syllabus.h"

enum { CHOICE_MAX = 64, HELD_OUT_EACH = 10 };

static int
draw_player(
    const struct watch_player *players, int player_count, uint64_t *random)
{
	int shares = 0, left, at = 0;

	for (int i = 0; i < player_count; i++)
		shares += players[i].share;
	left = (int)splitmix_below(random, (uint32_t)shares);
	while (left >= players[at].share)
		left -= players[at++].share;
	return at;
}

/* Adds what was chosen in this position, where it is a lesson. */
static int
add(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *chosen, bool held_out, struct lessons *lessons)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	float features[CHOICE_MAX][POLICY_FEATURE_COUNT];
	float targets[CHOICE_MAX] = { 0 };
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	struct lesson lesson = {
		.family = policy_family_of(rules),
		.phase = policy_phase_of(rules, deal),
		.held_out = held_out,
	};

	if (count < 2 || count > CHOICE_MAX ||
	    moves[count - 1].declaration != SCOPA_DECLARE_NOTHING)
		return 0;
	for (int i = 0; i < count; i++)
		if (scopa_move_equal(&moves[i], chosen))
			targets[i] = 1;
	lesson.greedy = teacher_greedy(rules, deal, moves, count);
	policy_features(rules, deal, moves, count, features);
	return lessons_add(lessons, lesson, count, features, targets);
}

int
watch_play(const struct watch_player *players, int player_count,
    enum policy_family family, int deals, uint64_t *random,
    struct lessons *lessons)
{
	for (int number = 0; number < deals; number++) {
		const struct duel_player *seats[SCOPA_SEATS_MAX];
		struct scopa_rules rules;
		struct scopa_deal deal;

		syllabus_rules(family, number, &rules);
		teacher_deal(&rules, random, &deal);
		for (int seat = 0; seat < rules.players; seat++)
			seats[seat] =
			    &players[draw_player(players, player_count, random)]
				 .player;
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move =
			    duel_move(seats[deal.turn], &rules, &deal, random);
			int error = add(&rules, &deal, &move,
			    number % HELD_OUT_EACH == 0, lessons);

			if (error)
				return error;
			scopa_deal_apply(&rules, &deal, &move);
		}
	}
	return 0;
}
