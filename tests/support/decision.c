#include "decision.h"

#include <stdlib.h>
#include <string.h>

#include "now.h"
#include "players.h"
#include "support.h"
#include "test.h"
#include "world_fixture.h"

struct decision *
decision_open(const char *bot)
{
	struct decision *decision = calloc(1, sizeof(*decision));

	assert_non_null(decision);
	decision->builtin = builtin_find(bot);
	assert_non_null(decision->builtin);
	builtin_options_init(decision->options, decision->builtin);
	decision->random = 1;
	decision->turn = (struct builtin_turn){
		.bank_ns = -1,
		.increment_ns = -1,
		.move_ns = -1,
		.memory = calloc(1, decision->builtin->memory_size + 1),
	};
	assert_non_null(decision->turn.memory);
	return decision;
}

void
decision_close(struct decision *decision)
{
	free(decision->turn.memory);
	free(decision);
}

void
decision_deal(struct decision *decision, const char *spec, uint64_t seed)
{
	decision->rules = support_rules(spec);
	support_deal_random(&decision->rules, &seed, 0, &decision->deal);
}

static bool
is_stopped(void *context)
{
	const struct decision *decision = context;

	return decision->stop;
}

const char *
decision_ask(struct decision *decision)
{
	struct builtin_turn *turn = &decision->turn;
	struct scopa_text answer, info;
	struct scopa_view view;
	struct scopa_deal imagined;

	world_fixture_imagine(
	    &decision->rules, &decision->deal, &view, &imagined);
	scopa_text_init(&answer, decision->answer, sizeof(decision->answer));
	scopa_text_init(&info, decision->info, sizeof(decision->info));
	turn->rules = &decision->rules;
	turn->view = &view;
	turn->deal = &imagined;
	turn->all_cards = decision->all_cards;
	turn->random = &decision->random;
	turn->options = decision->options;
	turn->info = &info;
	turn->stopped = is_stopped;
	turn->context = decision;
	turn->began_ns = now_ns();
	assert_true(decision->builtin->choose(turn, &answer));
	assert_int_equal(
	    support_check(&decision->rules, &decision->deal, decision->answer),
	    SCOPA_LEGAL);
	return decision->answer;
}

double
decision_info_number(const struct decision *decision, const char *key)
{
	const char *at = strstr(decision->info, key);

	if (at == NULL)
		fail_msg("no %s in %s", key, decision->info);
	return strtod(at + strlen(key), NULL);
}
