#include "duel.h"

#include <assert.h>
#include <math.h>

#include "chitarrella.h"
#include "endplay.h"
#include "greedy.h"
#include "lesson.h"
#include "scopa/scopa.h"
#include "splitmix.h"
#include "world.h"

static int
likeliest(const float *weights, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (weights[i] > weights[best])
			best = i;
	return best;
}

static int
best_of(const double *values, int count)
{
	int best = 0;

	for (int i = 1; i < count; i++)
		if (values[i] > values[best])
			best = i;
	return best;
}

/* The move of a bot that looks at a view. */
static struct scopa_move
move_of_bot(enum duel_kind kind, const struct scopa_rules *rules,
    const struct scopa_deal *deal)
{
	struct chitarrella_reason reason;
	struct scopa_tally tally;
	struct scopa_view view;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	if (kind == DUEL_CHITARRELLA)
		return chitarrella_move(
		    rules, &view, deal, ENDPLAY_PLAYS_MAX, &reason);
	return greedy_move(rules, &view, deal);
}

struct scopa_move
duel_move(const struct duel_player *player, const struct scopa_rules *rules,
    const struct scopa_deal *deal, uint64_t *random)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	static float weights[SCOPA_MOVES_MAX];
	static double values[SCOPA_MOVES_MAX];
	struct policy policy = { .sharpness = 1 };
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);

	if (player->tables != NULL)
		policy.tables = player->tables;
	switch (player->kind) {
	case DUEL_GREEDY:
	case DUEL_CHITARRELLA:
		return move_of_bot(player->kind, rules, deal);
	case DUEL_POLICY:
		policy_judge(&policy, rules, deal, moves, count, weights);
		return moves[likeliest(weights, count)];
	case DUEL_TEACHER:
		if (count == 1)
			return moves[0];
		if (player->teacher.iterations > 0)
			teacher_search(&player->teacher, rules, deal, count,
			    random, values);
		else
			teacher_values(&player->teacher, rules, deal, moves,
			    count, random, values);
		return moves[best_of(values, count)];
	}
	assert(false);
	return moves[0];
}

void
duel_play(const struct scopa_rules *rules, const struct duel_player players[2],
    int packs, uint64_t *random, struct duel_result *result)
{
	int teams = scopa_team_count(rules);
	double sum = 0, squares = 0;

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
		sum += points;
		squares += points * points;
	}
	result->packs = packs;
	result->mean = sum / packs;
	result->margin = 1.96 *
	    sqrt((squares / packs - result->mean * result->mean) / (packs - 1));
}

/* Gain in bits of one position; false where nothing is hidden. */
static bool
gain_of(const struct scopa_rules *rules, const struct scopa_deal *deal,
    const struct belief_config *config, int worlds, uint64_t *random,
    double *bits)
{
	static struct belief belief;
	struct world_uniform uniform;
	struct scopa_tally tally;
	struct scopa_view view;
	struct scopa_deal world;
	double true_hands, mean = 0, weight;
	bool good;

	scopa_tally_init(&tally, deal->dealer, 0);
	scopa_view_make(rules, deal, &tally, deal->turn, &view);
	good = world_uniform_init(&uniform, rules, &view);
	assert(good);
	(void)good;
	world_uniform_draw(&uniform, random, &world, &weight);
	belief_draw_pool(&belief, config, rules, &view, &world, random);
	if (belief.holder_count < 2)
		return false;
	true_hands = belief_log_weight(&belief, deal->hands);
	for (int i = 0; i < worlds; i++) {
		world_uniform_draw(&uniform, random, &world, &weight);
		mean +=
		    exp(belief_log_weight(&belief, world.hands) - true_hands) /
		    worlds;
	}
	*bits = -log2(mean);
	return true;
}

void
inference_measure(const struct scopa_rules *rules,
    const struct duel_player *player, const struct belief_config *config,
    int deals, int worlds, uint64_t *random,
    struct inference_part parts[INFERENCE_PARTS])
{
	int plays = SCOPA_PACK_SIZE - rules->table;

	for (int part = 0; part < INFERENCE_PARTS; part++)
		parts[part] = (struct inference_part){ 0 };
	for (int number = 0; number < deals; number++) {
		struct scopa_deal deal;

		teacher_deal(rules, random, &deal);
		while (!scopa_deal_over(&deal)) {
			struct inference_part *part =
			    &parts[INFERENCE_PARTS * deal.play_count / plays];
			struct scopa_move move;
			double bits;

			if (gain_of(
				rules, &deal, config, worlds, random, &bits)) {
				part->count++;
				part->bits += bits;
				part->squares += bits * bits;
			}
			move = duel_move(player, rules, &deal, random);
			scopa_deal_apply(rules, &deal, &move);
		}
	}
	for (int part = 0; part < INFERENCE_PARTS; part++) {
		if (parts[part].count == 0)
			continue;
		parts[part].bits /= parts[part].count;
		parts[part].squares /= parts[part].count;
	}
}

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
lesson_watch(const struct scopa_rules *rules, const struct scopa_deal *deal,
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
			int error = lesson_watch(&rules, &deal, &move,
			    number % HELD_OUT_EACH == 0, lessons);

			if (error)
				return error;
			scopa_deal_apply(&rules, &deal, &move);
		}
	}
	return 0;
}
