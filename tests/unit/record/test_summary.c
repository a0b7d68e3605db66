/*
 * Summaries of records: they have the numbers of the referee, read only from
 * the text of the record.
 */
#include "summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "games.h"
#include "golden.h"
#include "mock_match.h"
#include "record_write.h"
#include "support.h"
#include "test.h"

/* Summarises the record of the match. */
static struct summary
summarise(struct mock_match *match)
{
	struct summary summary;
	struct record record;

	record_init(&record);
	assert_int_equal(
	    record_add(&record, match->record.bytes + match->looked,
		match->record.length - match->looked),
	    0);
	assert_int_equal(record_sum(&record), 0);
	assert_int_equal(summary_read(&summary, record.bytes, record.size), 0);
	record_release(&record);
	return summary;
}

/* The summary agrees with the state of the referee. */
static void
assert_agrees(const struct mock_match *match, const struct summary *summary)
{
	const struct referee *referee = &match->referee;
	const struct game *game = &referee->game;
	int teams = scopa_team_count(&match->rules);

	assert_int_equal(summary->seat_count, match->rules.players);
	assert_int_equal(summary->team_count, teams);
	assert_int_equal(summary->winner, game->tally.winner);
	assert_int_equal(summary->deal_count, game->tally.deal_count);
	assert_int_equal(summary->offender, referee->offender);
	if (referee->offender >= 0) {
		assert_int_equal(summary->offence, referee->offence);
		assert_string_equal(
		    summary->offence_reason, referee->offence_reason);
		assert_int_equal(summary->forfeiter,
		    scopa_team_of(&match->rules, referee->offender));
	} else {
		assert_int_equal(summary->forfeiter, SCOPA_TEAM_NONE);
	}
	for (int team = 0; team < teams; team++)
		assert_int_equal(
		    summary->scores[team], game->tally.scores[team]);
	for (int seat = 0; seat < match->rules.players; seat++) {
		assert_int_equal(
		    summary->team[seat], scopa_team_of(&match->rules, seat));
		assert_string_equal(
		    summary->names[seat], match->head.seats[seat].name);
		assert_memory_equal(summary->offences[seat],
		    referee->seats[seat].offences,
		    sizeof(summary->offences[seat]));
	}
}

/* What was said and what happened while a game was played to its end. */
struct course {
	int32_t cut_short[SCOPA_SEATS_MAX];
	int64_t lag_longest_ns;
};

/* The seat to move may say, in two lines, that its search was cut short. */
static void
say_cut(struct mock_match *match, struct course *course)
{
	/* Each of the first three says so. */
	static const char *const lines[] = { "info cut=1", "info cut=1 cut=0",
		"info value=0.5 cut=1 m.x=1 # cut=0", "info cut=0",
		"info # cut=1", "info value=1 cut=10" };
	int seat = mock_turn(match);
	int one = support_random_below(&match->random, COUNTOF(lines));
	int other = support_random_below(&match->random, COUNTOF(lines));

	mock_say(match, seat, lines[one]);
	mock_say(match, seat, lines[other]);
	course->cut_short[seat] += one < 3 || other < 3;
}

/* Plays to the end; every answer takes some microseconds. */
static struct course
finish_slowly(struct mock_match *match)
{
	struct course course = { .lag_longest_ns = 0 };

	while (!mock_over(match)) {
		int64_t lag_ns = INT64_C(1000) *
		    support_random_below(&match->random, 90000000);

		mock_wait(match,
		    INT64_C(1000) *
			support_random_below(&match->random, 5000000));
		if (support_random_below(&match->random, 10) == 0) {
			mock_lag(match, lag_ns);
			course.lag_longest_ns =
			    MAX(course.lag_longest_ns, lag_ns);
		}
		if (support_random_below(&match->random, 4) == 0)
			say_cut(match, &course);
		mock_step(match);
	}
	return course;
}

static void
assert_times_agree(const struct mock_match *match, const struct course *course,
    const struct summary *summary)
{
	assert_int_equal(
	    summary->void_turns, mock_count(match->record.bytes, "void *"));
	assert_true(summary->lag_longest_ns == course->lag_longest_ns);
	for (int i = 0; i < match->rules.players; i++) {
		const struct referee_seat *seat = &match->referee.seats[i];

		assert_int_equal(summary->think_us[i], seat->think_ns / 1000);
		assert_int_equal(
		    summary->decision_count[i], seat->decision_count);
		assert_int_equal(summary->cut_short[i], course->cut_short[i]);
		assert_int_equal(summary->pondered[i],
		    verdict_ponders(seat->off_cpu_ns, seat->off_wall_ns));
		assert_true(summary->off_turn_ns[i] ==
		    (summary->pondered[i] ? seat->off_cpu_ns : 0));
	}
}

/* Some seats have pondered, for different times. */
static void
watch_seats(struct mock_match *match)
{
	for (int seat = 0; seat < match->rules.players; seat++)
		referee_add_ponder_usage(&match->referee, seat,
		    INT64_C(1000) *
			support_random_below(&match->random, 200000),
		    INT64_C(1000) *
			support_random_below(&match->random, 9999999));
}

/* The points of each item are the sums of those in the `score` lines. */
static void
assert_items_agree(
    const struct mock_match *match, const struct summary *summary)
{
	int32_t points[SCOPA_TEAMS_MAX][SCOPA_ITEM_COUNT] = { 0 };
	const char *line = match->record.bytes;
	struct event event;

	for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
		struct scopa_text why = SCOPA_TEXT(256);

		if (strncmp(line, "score ", 6) != 0)
			continue;
		assert_int_equal(
		    event_parse(line, strcspn(line, "\n"), &event, &why),
		    EVENT_PARSED);
		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			points[event.score.team][item] +=
			    event.score.item_points[item];
	}
	assert_memory_equal(summary->item_points, points, sizeof(points));
}

static void
check_spec(const char *spec, uint64_t seed)
{
	struct mock_match *match =
	    mock_open_ready(&(struct mock_order){ .spec = spec, .seed = seed });
	struct course course;
	struct summary summary;

	watch_seats(match);
	course = finish_slowly(match);
	summary = summarise(match);
	assert_agrees(match, &summary);
	assert_times_agree(match, &course, &summary);
	assert_true(summary.deal_count > 0);
	assert_items_agree(match, &summary);
	/* The points of all deals are those of their items. */
	for (int team = 0; team < summary.team_count; team++) {
		int32_t points = 0;

		for (int item = 0; item < SCOPA_ITEM_COUNT; item++)
			points += summary.item_points[team][item];
		assert_int_equal(points, summary.scores[team]);
	}
	mock_close(match);
}

TEST(test_summary_of_a_game_has_the_numbers_of_the_referee)
{
	assert_true(support_each_spec(check_spec) > 100);
}

TEST(test_forfeit_has_the_offender_and_the_last_offence)
{
	const struct mock_order order = { .spec = "scopa,teams=ABAB" };
	struct mock_match *match = mock_play(
	    &order, "all ready; step 9; turn 2; answer nonsense; over");
	struct summary summary = summarise(match);

	assert_agrees(match, &summary);
	assert_int_equal(summary.offender, 1);
	assert_int_equal(summary.offence, OFFENCE_ILLEGAL);
	assert_string_equal(summary.offence_reason, "syntax");
	assert_int_equal(summary.forfeiter, 1);
	assert_int_equal(summary.winner, 0);
	assert_int_equal(summary.deal_count, 0);
}

TEST(test_bot_that_never_started_is_the_offender)
{
	const struct mock_order order = { .spec = "scopa" };
	struct mock_match *match =
	    mock_play(&order, "1 starts; 2 is ready; 1 exits EXIT(3)");
	struct summary summary = summarise(match);

	assert_agrees(match, &summary);
	assert_int_equal(summary.offence, OFFENCE_STARTUP);
	assert_string_equal(summary.offence_reason, "HS_EXIT(3)");
	assert_int_equal(summary.decision_count[0], 0);
}

TEST(test_moves_of_the_arena_are_no_decisions)
{
	const struct mock_order order = { .spec = "scopa,players=3",
		.policy = POLICY_SUBSTITUTE,
		.strikes_max = 9 };
	struct mock_match *match = mock_play(&order, "all ready");
	struct summary summary;
	int32_t decisions = 0;

	for (int i = 0; i < 4; i++)
		mock_run(match, "answer nonsense; step 2");
	finish_slowly(match);
	summary = summarise(match);
	assert_agrees(match, &summary);
	assert_int_equal(summary.offences[0][OFFENCE_ILLEGAL], 4);
	assert_int_equal(summary.offender, -1);
	assert_string_equal(summary.offence_reason, "");
	for (int seat = 0; seat < 3; seat++)
		decisions += match->referee.seats[seat].decision_count -
		    summary.decision_count[seat];
	assert_int_equal(decisions, 4);
}

TEST(test_aborted_game_has_no_winner_and_no_forfeit)
{
	const struct mock_order order = { .spec = "scopa" };
	struct mock_match *match =
	    mock_play(&order, "all ready; step 50; stop interrupted");
	struct summary summary = summarise(match);

	assert_agrees(match, &summary);
	assert_string_equal(summary.reason, "abort");
	assert_int_equal(summary.winner, SCOPA_TEAM_NONE);
}

/* A small, complete record. */
#define HEAD "match m12 rules=scopa seats=2 teams=AB target=11 pack=it40\n"
#define TAG "tag utc=x event=round-4 round=4 game=2\n"
#define SEATS "seat 1 team=A name=a%20b\nseat 2 team=B name=c\n"
#define PLAY "play 2 7D t=0.000003 # a comment t=9\n"
#define SCORE "score A points=1 total=1 cards=25:1\n"
#define END "endmatch m12 scores=A:1,B:0 winner=A reason=target\n"
#define HASH                                      \
	"sha256=0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef\n"
#define WHOLE HEAD TAG SEATS PLAY SCORE "enddeal 1\n" END "sum lines=8 " HASH

static int
read_text(const char *text, struct summary *summary)
{
	return summary_read(summary, text, strlen(text));
}

TEST(test_numbers_of_a_game_follow_from_its_id_and_tag)
{
	struct summary summary;

	assert_int_equal(read_text(WHOLE, &summary), 0);
	assert_int_equal(summary.game, 11);
	assert_int_equal(summary.round, 3);
	assert_int_equal(summary.rotation, 1);
	assert_string_equal(summary.names[0], "a b");
	assert_int_equal(summary.think_us[1], 3);
	assert_int_equal(summary.decision_count[1], 1);
	assert_int_equal(summary.item_points[0][SCOPA_ITEM_CARDS], 1);
}

#define TAGGED(words) HEAD "tag utc=x " words "\n" SEATS END "sum lines=5 " HASH

/*
 * Reads a text whose tag has this level of the sandbox and this many attempts.
 */
static void
expect_tag(const char *text, const char *sandbox, int voided_count,
    struct summary *summary)
{
	assert_int_equal(read_text(text, summary), 0);
	assert_string_equal(summary->sandbox, sandbox);
	assert_int_equal(summary->voided_count, voided_count);
}

TEST(test_sandbox_level_and_void_attempts_follow_from_the_tag)
{
	struct summary summary;

	expect_tag(WHOLE, "", 0, &summary);
	expect_tag(TAGGED("sandbox=core+tree voided=ENV_ERR,VOID"), "core+tree",
	    2, &summary);
	assert_string_equal(summary.voided[0], "ENV_ERR");
	assert_string_equal(summary.voided[1], "VOID");
}

TEST(test_unknown_words_of_the_tag_are_ignored)
{
	struct summary summary;

	/* At most 23 bytes are allowed. */
	expect_tag(TAGGED("sandbox=abcdefghijklmnopqrstuvw voided=V,,V"),
	    "abcdefghijklmnopqrstuvw", 1, &summary);
	expect_tag(TAGGED("sandbox=abcdefghijklmnopqrstuvwx voided="), "", 0,
	    &summary);
	expect_tag(TAGGED("sandbox=a%20b voided=a%0Ab,V"), "", 0, &summary);
	/* The number of attempts that are stored. */
	expect_tag(TAGGED("voided=1,2,3,4,5,6,7,8,9"), "", SUMMARY_VOIDED_MAX,
	    &summary);
	assert_string_equal(summary.voided[7], "8");
}

TEST(test_game_of_another_tool_has_no_numbers)
{
	struct summary summary;

	assert_int_equal(
	    read_text("match abc seats=2\n" SEATS
		      "endmatch abc scores=A:0,B:0 winner=- reason=deals\n"
		      "sum lines=4 " HASH,
		&summary),
	    0);
	assert_int_equal(summary.game, -1);
	assert_int_equal(summary.round, -1);
	assert_int_equal(summary.rotation, -1);
}

TEST(test_every_beginning_of_a_record_is_refused)
{
	struct games_order order = { .spec = "cirulla",
		.seed = 5,
		.deals = 1,
		.keyed = true,
		.remarks = true };
	struct summary summary, before;
	struct record record;

	record_init(&record);
	games_play(&order, &record);
	memset(&summary, 0x5A, sizeof(summary));
	before = summary;
	for (size_t size = 0; size < record.size; size++)
		assert_int_equal(
		    summary_read(&summary, record.bytes, size), -EBADMSG);
	assert_memory_equal(&summary, &before, sizeof(summary));
	assert_int_equal(summary_read(&summary, record.bytes, record.size), 0);
	record_release(&record);
}

TEST(test_lines_that_are_no_block_are_refused)
{
	static struct golden golden;
	struct summary summary;

	while (golden_next(&golden, "no_blocks.tsv"))
		if (read_text(golden.fields[1], &summary) != -EBADMSG)
			fail_msg("this was read:\n%s", golden.fields[1]);
	assert_true(golden.line > 35);
}

TEST_EACH(NULL, mock_close_all)
