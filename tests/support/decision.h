/*
 * One decision of a built-in bot without a client, for the tests of bots.
 */
#ifndef DECISION_H
#define DECISION_H

#include "dialog.h"
#include "scopa/scopa.h"

/* What is asked, and what came of it. */
struct decision {
	const struct builtin *builtin;
	struct scopa_rules rules;
	struct scopa_deal deal;             /* whose seat to move decides */
	const struct scopa_deal *all_cards; /* NULL: they are not shown */
	int64_t options[DIALOG_OPTIONS_MAX];
	uint64_t random;
	bool stop;                /* it is to answer at once */
	struct builtin_turn turn; /* of which the clock is the test's */
	char answer[64];
	char info[INFO_LINE_MAX + 1];
};

/* Of that bot, with the options that nobody has said, and without a clock. */
struct decision *decision_open(const char *bot);
void decision_close(struct decision *decision);

/* Deals again. */
void decision_deal(struct decision *decision, const char *spec, uint64_t seed);

/* The answer, which is a legal move. */
const char *decision_ask(struct decision *decision);

/* The number after `key=` in what was sent; fails without one. */
double decision_info_number(const struct decision *decision, const char *key);

#endif
