#include "duel.h"

#include <assert.h>
#include <math.h>

#include "chitarrella.h"
#include "endplay.h"
#include "greedy.h"
#include "playout.h"
#include "reward.h"
#include "scopa/scopa.h"
#include "search.h"
#include "splitmix.h"
#include "teacher.h"
#include "world.h"

/* Of searchers: points, and how sharp the policy is as their prior. */
static const double EXPLORATION = 3;
static const float PRIOR_SHARPNESS = 2;

/* The move that a tree search with random playouts visits most. */
static struct scopa_move
move_of_searcher(const struct duel_player *player,
    const struct scopa_rules *rules, const struct scopa_view *view,
    uint64_t *random)
{
	static _Alignas(64) unsigned char memory[1 << 24];
	static struct search_result result;
	struct policy policy = { .sharpness = PRIOR_SHARPNESS };
	struct world_uniform worlds;
	struct playout playout;
	struct search_config config = {
		.iterations = player->iterations,
		.exploration = EXPLORATION,
		.prior_weight = player->prior_weight,
		.worlds = { world_uniform_draw, &worlds },
		.playout = { playout_choose, &playout },
		.reward = { reward_difference, NULL },
		.prior = { .judge = policy_judge, .context = &policy },
		.memory = memory,
		.memory_size = sizeof(memory),
	};
	int best = 0;
	bool good;

	playout_init(&playout, rules, PLAYOUT_SHARE_MAX);
	good = world_uniform_init(&worlds, rules, view) &&
	    search_run(&config, rules, view, random, &result);
	assert(good);
	(void)good;
	for (int i = 1; i < result.row_count; i++)
		if (result.rows[i].visits > result.rows[best].visits)
			best = i;
	return result.rows[best].move;
}

static struct scopa_move
move_of_policy(const struct duel_player *player,
    const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float weights[SCOPA_MOVES_MAX];
	struct policy policy = { .tables = player->tables, .sharpness = 1 };
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX), best = 0;

	policy_judge(&policy, rules, deal, moves, count, weights);
	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	return moves[best];
}

/* What the player does in a position that is not the end. */
static struct scopa_move
duel_move(const struct duel_player *player, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	struct chitarrella_reason reason;
	struct scopa_move moves[2];
	struct scopa_tally tally;
	struct scopa_view view;

	if (scopa_moves(rules, deal, moves, 2) == 1)
		return moves[0];
	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	switch (player->kind) {
	case DUEL_GREEDY:
		return greedy_move(rules, deal);
	case DUEL_CHITARRELLA:
		return chitarrella_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	case DUEL_POLICY:
		return move_of_policy(player, rules, deal);
	case DUEL_SEARCHER:
		return move_of_searcher(player, rules, &view, random);
	}
	assert(false);
	return moves[0];
}

struct duel_result
duel_play(const struct scopa_rules *rules, const struct duel_player players[2],
    int packs, uint64_t *random)
{
	int teams = scopa_team_count(rules);
	double mean = 0, squares = 0;

	assert(packs > 1);
	for (int pack = 0; pack < packs; pack++) {
		struct scopa_deal start;
		double points = 0;

		teacher_deal(rules, random, &start);
		for (int team = 0; team < teams; team++) {
			struct scopa_deal deal = start;

			while (!scopa_deal_over(&deal)) {
				bool own =
				    scopa_team_of(rules, deal.turn) == team;
				struct scopa_move move = duel_move(
				    &players[!own], rules, &deal, random);

				scopa_deal_apply(rules, &deal, &move);
			}
			points += teacher_result(rules, &deal, team) / teams;
		}
		mean += points / packs;
		squares += points * points / packs;
	}
	return (struct duel_result){
		.mean = mean,
		.margin = 1.96 * sqrt((squares - mean * mean) / (packs - 1)),
	};
}

static const struct duel_player *
draw_player(
    const struct watch_player *players, int player_count, uint64_t *random)
{
	int shares = 0, left;

	for (int i = 0; i < player_count; i++)
		shares += players[i].share;
	left = (int)splitmix_below(random, (uint32_t)shares);
	while (left >= players->share)
		left -= players++->share;
	return &players->player;
}

/* Adds what was chosen in this position, where it is a lesson. */
static void
lesson_watch(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct scopa_move *chosen, bool held_out, struct lessons *lessons)
{
	struct scopa_move moves[SCOPA_MOVES_MAX];
	float targets[LESSON_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	if (!lesson_is_choice(moves, count))
		return;
	for (int i = 0; i < count; i++)
		targets[i] = scopa_move_equal(&moves[i], chosen);
	lessons_add(lessons, rules, deal, moves, count, targets, held_out);
}

void
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
			    draw_player(players, player_count, random);
		while (!scopa_deal_over(&deal)) {
			struct scopa_move move =
			    duel_move(seats[deal.turn], &rules, &deal, random);

			lesson_watch(&rules, &deal, &move,
			    number % TEACHER_HELD_OUT_EACH == 0, lessons);
			scopa_deal_apply(&rules, &deal, &move);
		}
	}
}
