/*
 * What the command `sprt` prints, as text and as JSON.
 */
#ifndef SPRT_ANSWER_H
#define SPRT_ANSWER_H

#include "sprt_evidence.h"

/* A test and all that is known of the strength that it is about. */
struct sprt_answer {
	const struct sprt_evidence *evidence;
	struct sprt sprt;
	struct sprt_state state, clean; /* `clean`: without forfeits */
	double level;                   /* of intervals */
	const char *counted;            /* `blocks`, `pairs` or `games` */
	int64_t count;
	bool has_score;           /* `strength` has score and Elo */
	bool by_points;           /* nelo and los are of points */
	struct strength strength; /* by pairs where there are any */
	struct estimate points;   /* a deal, where they are known */
	struct estimate nelo;
	double nelo_error, los;
	/* The estimate after the test has stopped, if there is one. */
	bool has_unbiased, unbiased_is_elo;
	struct estimate unbiased;
	bool is_rare; /* so few blocks differed that the test may err */
	/* As other programs print them; of the model margin alone: the LLR. */
	double peer_llr, peer_nelo_error, peer_los;
};

/* Tests the evidence, which fits the model, and estimates. */
struct sprt_answer sprt_answer_make(const struct sprt_evidence *evidence,
    const struct sprt *sprt, double level);

void sprt_answer_text(const struct sprt_answer *answer);
void sprt_answer_json(const struct sprt_answer *answer);

#endif
