#include "critique_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

enum { NAME_SIZE = 4 * EVENT_NAME_SIZE, MOVE_WIDTH = 13, DIGITS = 3 };

static const char *
name_text(const char *name, char bytes[NAME_SIZE])
{
	escape_bytes(name, strlen(name), false, bytes, NAME_SIZE);
	return bytes;
}

void
critique_report_begin(struct critique_report *report, bool json,
    const struct critique_settings *settings)
{
	struct json *document = &report->document;

	*report = (struct critique_report){ .json = json };
	if (!json)
		return;
	json_init(document, stdout);
	json_object_begin(document, NULL);
	json_string(document, "format", "scopa-arena-analysis");
	json_int(document, "version", 1);
	if (settings->iterations > 0) {
		json_int(document, "iterations", settings->iterations);
		json_null(document, "ms");
	} else {
		json_null(document, "iterations");
		json_int(document, "ms", settings->ms);
	}
	json_int(document, "exact", settings->exact);
	json_int(document, "seed", settings->seed);
	json_array_begin(document, "matches");
}

static void
deal_close(struct critique_report *report)
{
	if (report->json && report->deal_open) {
		json_array_end(&report->document);
		json_object_end(&report->document);
	}
	report->deal_open = false;
}

static void
match_close(struct critique_report *report)
{
	deal_close(report);
	if (report->json && report->match_open) {
		json_array_end(&report->document);
		json_object_end(&report->document);
	}
	report->match_open = false;
}

void
critique_report_match(struct critique_report *report, const char *match,
    const struct record_head *head)
{
	char name[NAME_SIZE];

	match_close(report);
	report->match_open = true;
	if (report->json) {
		json_object_begin(&report->document, NULL);
		json_string(&report->document, "match", match);
		json_string(&report->document, "rules", head->game.match.rules);
		json_array_begin(&report->document, "deals");
		return;
	}
	if (report->name_width > 0)
		putchar('\n');
	report->name_width = 1;
	for (int seat = 0; seat < head->rules.players; seat++) {
		int width =
		    (int)strlen(name_text(head->game.seats[seat].name, name));

		if (width > report->name_width)
			report->name_width = width;
	}
	printf(
	    "Match %s: %s\n", name_text(match, name), head->game.match.rules);
}

void
critique_report_deal(struct critique_report *report, int number)
{
	deal_close(report);
	report->deal_open = true;
	if (report->json) {
		json_object_begin(&report->document, NULL);
		json_int(&report->document, "deal", number);
		json_array_begin(&report->document, "plays");
		return;
	}
	printf("\nDeal %d\nplay  %-*s  %-*s  value   loss      %-*s  "
	       "all cards known\n",
	    number, report->name_width + 2, "seat", MOVE_WIDTH, "move",
	    MOVE_WIDTH, "better");
}

static void
print_play(const struct critique_report *report, const struct record_head *head,
    const struct critique_play *play)
{
	const struct opinion *opinion = &play->opinion;
	char move[POSITION_MOVE_SIZE], name[NAME_SIZE];

	printf("%4d  %d %-*s  ", play->number, play->seat + 1,
	    report->name_width,
	    name_text(head->game.seats[play->seat].name, name));
	if (play->by_arena || play->forced) {
		printf("%s%s\n", position_move_text(&play->move, move),
		    play->by_arena ? "  by the arena" : "");
		return;
	}
	printf("%-*s  %+5.2f", MOVE_WIDTH,
	    position_move_text(&play->move, move), opinion->value);
	if (opinion->loss > 0)
		printf("  %5.2f %-2s  ", opinion->loss,
		    critique_mark_text(critique_mark_of(opinion->loss)));
	else if (play->exact)
		printf("%12s", "");
	if (opinion->loss > 0 || play->exact)
		printf("%-*s", play->exact ? MOVE_WIDTH : 0,
		    opinion->loss > 0 ? position_move_text(&opinion->best, move)
				      : "");
	if (play->exact && play->exact_loss > 0)
		printf("  %3d %-2s  %s", play->exact_loss,
		    critique_mark_text(critique_mark_of(play->exact_loss)),
		    position_move_text(&play->exact_best, move));
	else if (play->exact)
		printf("  %3d", 0);
	putchar('\n');
}

static void
put_exact(struct json *json, const struct critique_play *play)
{
	char move[POSITION_MOVE_SIZE];

	if (!play->exact) {
		json_null(json, "exact");
		return;
	}
	json_object_begin(json, "exact");
	json_string(json, "best", position_move_text(&play->exact_best, move));
	json_int(json, "value", play->exact_value);
	json_int(json, "loss", play->exact_loss);
	json_string(json, "mark",
	    critique_mark_text(critique_mark_of(play->exact_loss)));
	json_object_end(json);
}

static void
put_play(struct json *json, const struct record_head *head,
    const struct critique_play *play)
{
	const struct opinion *opinion = &play->opinion;
	char move[POSITION_MOVE_SIZE];

	json_object_begin(json, NULL);
	json_int(json, "play", play->number);
	json_int(json, "seat", play->seat + 1);
	json_string(json, "name", head->game.seats[play->seat].name);
	json_string(json, "phase", critique_phase_name(play->phase));
	json_string(json, "move", position_move_text(&play->move, move));
	json_string(json, "by", play->by_arena ? "arena" : "bot");
	json_bool(json, "forced", play->forced);
	if (!play->by_arena && !play->forced) {
		json_string(
		    json, "best", position_move_text(&opinion->best, move));
		json_real(json, "value", opinion->value, DIGITS);
		json_real(json, "loss", opinion->loss, DIGITS);
		json_string(json, "mark",
		    critique_mark_text(critique_mark_of(opinion->loss)));
		json_int(json, "iterations", opinion->iterations);
		put_exact(json, play);
	}
	json_object_end(json);
}

void
critique_report_play(struct critique_report *report,
    const struct record_head *head, const struct critique_play *play)
{
	if (report->json)
		put_play(&report->document, head, play);
	else
		print_play(report, head, play);
}

static double
per(double total, int64_t count)
{
	return count > 0 ? total / (double)count : 0;
}

static void
print_count(const char *phase, const struct critique_count *count,
    const struct critique_sum *sum)
{
	printf("  %-8s  %6" PRId64 "  %6.3f  %6.2f  %5" PRId64 "  %5" PRId64,
	    phase, count->plays, per(count->loss, count->plays),
	    per(count->loss, sum->deals), count->marks[CRITIQUE_MISTAKE],
	    count->marks[CRITIQUE_BLUNDER]);
	if (count->exact_plays > 0)
		printf("  %6" PRId64 "  %6.3f  %5" PRId64 "  %5" PRId64,
		    count->exact_plays,
		    per((double)count->exact_loss, count->exact_plays),
		    count->exact_marks[CRITIQUE_MISTAKE],
		    count->exact_marks[CRITIQUE_BLUNDER]);
	putchar('\n');
}

static void
print_sums(const struct critique *critique)
{
	char name[NAME_SIZE];

	printf("\n%44s  | all cards known\n", "");
	printf("  %-8s  %6s  %6s  %6s  %5s  %5s  %6s  %6s  %5s  %5s\n", "phase",
	    "plays", "a play", "a deal", "?", "??", "plays", "a play", "?",
	    "??");
	for (int i = 0; i < critique->sum_count; i++) {
		const struct critique_sum *sum = &critique->sums[i];
		struct critique_count total = critique_total(sum);

		printf("%s\n", name_text(sum->name, name));
		for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++)
			print_count(
			    critique_phase_name((enum critique_phase)phase),
			    &sum->phases[phase], sum);
		print_count("all", &total, sum);
	}
}

static void
put_count(
    struct json *json, const char *key, const struct critique_count *count)
{
	json_object_begin(json, key);
	json_int(json, "plays", count->plays);
	json_real(json, "loss", count->loss, DIGITS);
	json_int(json, "mistakes", count->marks[CRITIQUE_MISTAKE]);
	json_int(json, "blunders", count->marks[CRITIQUE_BLUNDER]);
	json_int(json, "exact_plays", count->exact_plays);
	json_int(json, "exact_loss", count->exact_loss);
	json_int(json, "exact_mistakes", count->exact_marks[CRITIQUE_MISTAKE]);
	json_int(json, "exact_blunders", count->exact_marks[CRITIQUE_BLUNDER]);
	json_object_end(json);
}

static void
put_sums(struct json *json, const struct critique *critique)
{
	json_array_begin(json, "bots");
	for (int i = 0; i < critique->sum_count; i++) {
		const struct critique_sum *sum = &critique->sums[i];
		struct critique_count total = critique_total(sum);

		json_object_begin(json, NULL);
		json_string(json, "name", sum->name);
		json_int(json, "deals", sum->deals);
		for (int phase = 0; phase < CRITIQUE_PHASE_COUNT; phase++)
			put_count(json,
			    critique_phase_name((enum critique_phase)phase),
			    &sum->phases[phase]);
		put_count(json, "all", &total);
		json_object_end(json);
	}
	json_array_end(json);
}

void
critique_report_end(
    struct critique_report *report, const struct critique *critique)
{
	match_close(report);
	if (!report->json) {
		print_sums(critique);
		return;
	}
	json_array_end(&report->document);
	put_sums(&report->document, critique);
	json_object_end(&report->document);
	json_finish(&report->document);
}
