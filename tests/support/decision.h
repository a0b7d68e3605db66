/*
 * One decision of a built-in bot without a client, for the tests of bots.
 */
#ifndef DECISION_H
#define DECISION_H

#include "dialog.h"
#include "scopa/scopa.h"

/* A question and its answer. */
struct decision {
	const struct builtin *builtin;
	struct scopa_rules rules;
	struct scopa_deal deal; /* the seat to move decides */
	const struct scopa_deal
	    *all_cards; /* NULL: hidden cards are not shown */
	int64_t options[DIALOG_OPTIONS_MAX];
	uint64_t random;
	bool stop;                /* the bot must answer at once */
	struct builtin_turn turn; /* the test sets its clock */
	char answer[64];
	char info[INFO_LINE_MAX + 1];
};

/* A decision of this bot with default options and without a time limit. */
struct decision *decision_open(const char *bot);
void decision_close(struct decision *decision);

/* Starts a new deal. */
void decision_deal(struct decision *decision, const char *spec, uint64_t seed);

/* Asks the bot; returns the answer, which must be a legal move. */
const char *decision_ask(struct decision *decision);

/* The number after `key` in the info that was sent; fails if it is missing. */
double decision_info_number(const struct decision *decision, const char *key);

#endif
