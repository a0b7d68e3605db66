/*
 * What `solve` has found out about a position, for people and for programs.
 */
#ifndef SOLVE_ANSWER_H
#define SOLVE_ANSWER_H

#include <stdint.h>

#include "event.h"
#include "solve.h"

/* A position as it was asked about. */
struct solve_question {
	struct scopa_rules rules;
	struct scopa_deal deal;
	char spec[EVENT_SPEC_SIZE]; /* of the rules */
	char match[EVENT_ID_SIZE];  /* empty: no record was named */
	char name[EVENT_NAME_SIZE]; /* of the seat to move; may be empty */
	int number, play;           /* of the deal and the card, from 1 */
	struct scopa_move played;   /* as the record has it */
};

struct solve_answer {
	struct solve_result result;
	struct solve_move moves[SCOPA_MOVES_MAX];
	int move_count;
	struct scopa_move line[SCOPA_HISTORY_MAX];
	int line_count;
	struct scopa_score score; /* of the deal at the end of the line */
	int64_t time_ns;
};

/* Prints it as text, or as one JSON object, to standard output. */
void solve_answer_print(
    const struct solve_question *question, const struct solve_answer *answer);
void solve_answer_json(
    const struct solve_question *question, const struct solve_answer *answer);

#endif
