/*
 * An analysis as it goes on, for people or for programs, on standard output.
 */
#ifndef CRITIQUE_REPORT_H
#define CRITIQUE_REPORT_H

#include "critique.h"
#include "json.h"
#include "record_head.h"

struct critique_report {
	bool json;
	struct json document;
	int name_width; /* of the match in hand */
	bool match_open, deal_open;
};

void critique_report_begin(struct critique_report *report, bool json,
    const struct critique_settings *settings);

/* The match and the deal that the plays after it belong to. */
void critique_report_match(struct critique_report *report, const char *match,
    const struct record_head *head);
void critique_report_deal(struct critique_report *report, int number);

void critique_report_play(struct critique_report *report,
    const struct record_head *head, const struct critique_play *play);

/* The sums, and the end. */
void critique_report_end(
    struct critique_report *report, const struct critique *critique);

#endif
