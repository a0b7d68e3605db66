/*
 * The page of a game: its positions are those of the replay, with all rules,
 * and no text of a record becomes markup of the page.
 */
#include "game_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "games.h"
#include "output.h"
#include "test.h"

TEST_GROUP(games_setup, games_teardown)

/* The page of the running test. */
static char *page;

static void
make_page(const struct game_view_source *source)
{
	struct html html;

	html_init(&html, output_open());
	assert_int_equal(game_view_html(source, &html), 0);
	page = output_close();
}

static struct game_view_source
source_of(const struct record *record)
{
	return (struct game_view_source){
		.record = record->bytes,
		.size = record->size,
	};
}

/* The `state` lines of a game, one before each decision. */
struct states {
	char lines[512][EVENT_LINE_SIZE];
	int count;
};

static void
store_state(void *context, const struct replay_decision *decision)
{
	struct states *states = context;
	const struct game *game = decision->game;
	struct scopa_view view;
	struct scopa_text text;

	if (game->phase != GAME_MOVE)
		return;
	assert_true(states->count < 512);
	scopa_view_make(
	    &game->rules, &game->deal, &game->tally, game->deal.turn, &view);
	scopa_text_init(&text, states->lines[states->count++], EVENT_LINE_SIZE);
	scopa_state_format(&game->rules, game->preset, &view, &text);
}

/* Sets or appends the value in one word of a change. */
static void
apply_word(char values[][EVENT_LINE_SIZE], int count, const char *word)
{
	const char *equals = strchr(word, '=');
	bool grows = equals[-1] == '+';
	size_t length = (size_t)(equals - word) - grows;

	for (int i = 0; i < count; i++) {
		if (strncmp(values[i], word, length) != 0 ||
		    values[i][length] != '=')
			continue;
		if (grows)
			strcat(values[i], equals + 1);
		else
			strcpy(values[i], word);
		return;
	}
	fail_msg("no word to change by %s", word);
}

/* Applies the changes in a member to a line, as the viewer does. */
static void
apply_changes(char *line, const char *changes)
{
	static char values[40][EVENT_LINE_SIZE];
	char copy[EVENT_LINE_SIZE], *rest = copy, *word;
	int count = 0;

	strcpy(copy, line);
	while ((word = strsep(&rest, " ")) != NULL)
		strcpy(values[count++], word);
	snprintf(
	    copy, sizeof(copy), "%.*s", (int)strcspn(changes, "\""), changes);
	rest = copy;
	/* The move after an offence has the same position. */
	while ((word = strsep(&rest, " ")) != NULL && *word != '\0')
		apply_word(values, count, word);
	line[0] = '\0';
	for (int i = 0; i < count; i++)
		sprintf(line + strlen(line), i > 0 ? " %s" : "%s", values[i]);
}

static void
check_states(const char *spec, const char *ending)
{
	static struct states states;
	static char line[EVENT_LINE_SIZE];
	struct replay_order order = {
		.seat = REPLAY_EVERYBODY,
		.hear = store_state,
		.context = &states,
		.offences = true,
	};
	struct game_view_source source;
	int found = 0;

	states.count = 0;
	games_play(&(struct games_order){ .spec = spec,
		       .seed = 7,
		       .deals = 2,
		       .remarks = true,
		       .ending = ending },
	    &specimen.full);
	games_read(specimen.full.bytes, specimen.full.size, &specimen.record);
	assert_int_equal(replay_run(specimen.replay, &specimen.record, &order,
			     &specimen.derived, &specimen.fault),
	    0);
	source = source_of(&specimen.full);
	make_page(&source);
	for (char *at = page; (at = strstr(at, "\"play\":")) != NULL; at++) {
		const char *state = strstr(at, "\"state\":\"") + 9;

		if (strncmp(state, "rules=", 6) == 0)
			sprintf(line, "state %.*s", (int)strcspn(state, "\""),
			    state);
		else
			apply_changes(line, state);
		assert_string_equal(line, states.lines[found++]);
	}
	assert_int_equal(found, states.count);
}

TEST(test_state_lines_follow_from_the_changes)
{
	static const char *const others[] = { "scopa,players=3",
		"scopa,players=4", "scopa,players=6", "cirulla,declare=auto",
		"cirulla,matta=table", "assi,ace-empty=take" };

	for (int i = 0; i < scopa_preset_count; i++) {
		check_states(scopa_presets[i].name, NULL);
		check_states(scopa_presets[i].name, "forfeit");
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		check_states(others[i], "interrupted");
}

#define GAME                                                                  \
	"match m1 rules=scopa deals=1\nseat 1 team=A name=%3Cb%3E\n"          \
	"seat 2 team=B name=b%E2%80%AE\npack 1 cards="                        \
	"7DQD5S4BAD3SJDQS7S2B2C5C7B2SQBKB3C5D3B4D2DKC6D4C5BASAB6BQC6C7CJSAC6" \
	"SJBJCKD3DKS4S\ndeal 1 dealer=2\nplay 1 AD t=0.1\n"                   \
	"info 1 value=1 # </script><b>\n"
#define LOST                                                   \
	"offence 2 kind=illegal reason=syntax policy=forfeit " \
	"said=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E\n"

/* The whole record of a game that is lost in its second decision. */
static struct game_view_source
lost_game(void)
{
	assert_int_equal(
	    games_derive(GAME LOST, sizeof(GAME LOST) - 1, false), 0);
	return source_of(&specimen.derived);
}

TEST(test_lost_game_has_a_step_at_its_offence)
{
	struct game_view_source source = lost_game();
	char *last, *next;
	long line;

	make_page(&source);
	last = page;
	while ((next = strstr(last + 1, "\"line\":")) != NULL)
		last = next;
	line = strtol(last + 7, NULL, 10);
	next = specimen.derived.bytes;
	while (--line > 0)
		next = strchr(next, '\n') + 1;
	assert_memory_equal(next, "offence ", 8);
}

TEST(test_losses_are_shown_at_their_plays)
{
	struct game_view_source source = lost_game();

	folder_make(test_folder);
	folder_write(test_path("losses.tsv"),
	    "match\tdeal\tplay\tseat\tbot\tphase\tmove\tby\tvalue\tloss\tbest\t"
	    "exact_value\texact_loss\texact_best\n"
	    "m1\t1\t1\t1\ta\topening\tAD\tbot\t1.5\t0.75\t3S\t-\t-\t-\n");
	assert_int_equal(
	    play_losses_open(&source.losses, test_path("losses.tsv")), 0);
	folder_remove(test_folder);
	make_page(&source);
	expect_parts(page,
	    "\"loss\":{\"value\":1.500,\"loss\":0.750,\"mark\":\"?\","
	    "\"best\":\"3S\"}");
	play_losses_close(source.losses);
}

TEST(test_page_has_the_record_and_no_part_of_it_is_markup)
{
	struct game_view_source source = lost_game();

	source.why = "It was <lost>.";
	make_page(&source);
	expect_none(page, "<b>", "<img", "<lost>");
	expect_parts(page, "A &lt;b&gt;", "b\\xe2\\x80\\xae",
	    "info 1 value=1 # &lt;/script&gt;&lt;b&gt;\noffence 2 ",
	    "<section class=\"game\" id=\"m1\">", "\"exact\":true");
}

TEST(test_record_with_a_fault_is_shown_up_to_it)
{
	static const char wrong[] = GAME "play 1 3S t=0.1\n" LOST;
	struct game_view_source source = { wrong, sizeof(wrong) - 1, NULL,
		NULL };
	struct html unused = { .file = stdout };

	make_page(&source);
	expect_parts(page, "\"fault\":{\"line\":8,", "\"play\":1,\"line\":6,");
	source.record = "match \xff\n";
	source.size = 8;
	make_page(&source);
	expect_parts(page, "\"exact\":false", "\"fault\":");
	source.size = 0;
	assert_int_equal(game_view_html(&source, &unused), -EBADMSG);
	source.record = "play 1 7D\n";
	source.size = 10;
	assert_int_equal(game_view_html(&source, &unused), -EBADMSG);
}
