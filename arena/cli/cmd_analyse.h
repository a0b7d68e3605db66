/*
 * Plays of records, judged one by one, and what each bot has lost by them.
 */
#ifndef CMD_ANALYSE_H
#define CMD_ANALYSE_H

#include "maestro.h"
#include "record_walk.h"
#include "solve.h"

/* Marks of a play, as chess programs give them. */
enum critique_mark {
	CRITIQUE_FINE,
	CRITIQUE_MISTAKE, /* ?  loses half a point and more */
	CRITIQUE_BLUNDER, /* ?? loses a point and a half and more */
	CRITIQUE_MARK_COUNT
};

/* Thirds of the plays of a deal. */
enum critique_phase {
	CRITIQUE_OPENING,
	CRITIQUE_MIDDLE,
	CRITIQUE_ENDING,
	CRITIQUE_PHASE_COUNT
};

struct critique_settings {
	int64_t ms;         /* for a play, where no iterations are said */
	int64_t iterations; /* 0: the time decides */
	int64_t exact; /* cards to go, from which exact play is told; 0: none */
	int64_t seed;
};

/* One play. */
struct critique_play {
	struct scopa_move move;
	int seat, number; /* of the deal's cards, from 1 */
	enum critique_phase phase;
	bool by_arena; /* it moved for the seat: nothing else is said.. */
	bool forced;   /* ..nor where this was the only legal move */
	struct opinion opinion;
	bool exact; /* the three below are said */
	struct scopa_move exact_best;
	int exact_value; /* of the best move, as solve.h has it */
	int exact_loss;
};

/* What came of some plays. */
struct critique_count {
	int64_t plays, marks[CRITIQUE_MARK_COUNT];
	double loss;
	int64_t exact_plays, exact_marks[CRITIQUE_MARK_COUNT];
	int64_t exact_loss;
};

/* What came of a bot's plays, in all matches and seats. */
struct critique_sum {
	char name[EVENT_NAME_SIZE];
	int64_t deals; /* seats times deals */
	struct critique_count phases[CRITIQUE_PHASE_COUNT];
};

struct critique {
	struct critique_settings settings;
	struct opinion_means means; /* its memory is owned */
	struct solve_limits solve_limits;
	struct solve_move moves[SCOPA_MOVES_MAX];
	struct critique_sum *sums; /* owned */
	int sum_count, sum_capacity;
};

/* 0 with *critique, or -ENOMEM. */
int critique_open(
    struct critique **critique, const struct critique_settings *settings);
void critique_close(struct critique *critique);

/* Judges the play that was made in a position of the match of that id. */
void critique_judge(struct critique *critique, const struct scopa_rules *rules,
    const char *match, const struct position *position,
    struct critique_play *play);

/* Adds a play to the sums of a bot unless the arena made it, and a deal of one of its seats. */
int critique_add(struct critique *critique, const char *name,
    const struct critique_play *play);
int critique_add_deal(struct critique *critique, const char *name);

/* All phases together. */
struct critique_count critique_total(const struct critique_sum *sum);

enum critique_mark critique_mark_of(double loss);
const char *critique_mark_text(enum critique_mark mark); /* empty, ?, ?? */
const char *critique_phase_name(enum critique_phase phase);

#endif
