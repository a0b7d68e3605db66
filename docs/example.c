/*
 * An example of a program that uses libscopa: it plays a deal, each seat by the
 * move that captures most cards, and prints every move and the points.
 *
 *	cc -o example example.c $(pkg-config --cflags --libs scopa)
 *	./example cirulla
 */
#include <scopa/scopa.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Shuffles the forty cards. */
static void
shuffle(uint8_t pack[SCOPA_PACK_SIZE])
{
	for (int i = 0; i < SCOPA_PACK_SIZE; i++)
		pack[i] = (uint8_t)i;
	for (int i = SCOPA_PACK_SIZE - 1; i > 0; i--) {
		int other = rand() % (i + 1);
		uint8_t card = pack[i];

		pack[i] = pack[other];
		pack[other] = card;
	}
}

/* Chooses among the legal moves, of which there is at least one. */
static struct scopa_move
choose(const struct scopa_rules *rules, const struct scopa_deal *deal)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	int count = scopa_moves(rules, deal, moves, SCOPA_MOVES_MAX);
	int best = 0;

	for (int i = 1; i < count; i++)
		if (scopa_set_count(moves[i].captured) >
		    scopa_set_count(moves[best].captured))
			best = i;
	return moves[best];
}

int
main(int argc, char **argv)
{
	char bytes[1024];
	struct scopa_text text;
	struct scopa_rules rules;
	struct scopa_deal deal;
	struct scopa_score score;
	uint8_t pack[SCOPA_PACK_SIZE];

	scopa_text_init(&text, bytes, sizeof(bytes));
	if (!scopa_rules_parse(&rules, argc > 1 ? argv[1] : "scopa", &text)) {
		fprintf(stderr, "error: %s\n", bytes);
		return 2;
	}
	srand((unsigned)time(NULL));
	do
		shuffle(pack);
	while (scopa_deal_start(&rules, pack, 0, &deal) != SCOPA_START_PLAY);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move = choose(&rules, &deal);
		int seat = deal.turn + 1;
		struct scopa_effect effect;

		effect = scopa_deal_apply(&rules, &deal, &move);
		scopa_text_init(&text, bytes, sizeof(bytes));
		scopa_move_format(&move, &text);
		printf("seat %d: %s%s\n", seat, bytes,
		    effect.scopa ? ", a sweep" : "");
	}
	scopa_score_count(&rules, &deal, &score);
	for (int team = 0; team < scopa_team_count(&rules); team++)
		printf("team %c: %d points\n", 'A' + team, score.total[team]);
	return 0;
}
