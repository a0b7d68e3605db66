/*
 * Tests of the bot and of its protocol side: ./test_bot
 *
 * The last test plays real games of every rule set.  It needs the arena, which
 * it looks for in the environment variable SCOPA_ARENA, then in PATH.  For
 * these games this program is a bot itself:
 *
 *	./test_bot checked	plays at random, and compares what it knows and
 *				its legal moves with those of the arena
 *	./test_bot events	plays at random by the events alone
 */
#undef NDEBUG
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "scopa_bot.h"

enum { TEXT_SIZE = 1 << 16, COMMAND_SIZE = 1024 };

/* A deal for seat 1 without any `state` or `legal` line. */
#define MATCH(capture)                                                     \
	"match m1 rules=scopa seats=2 teams=AB you=1 target=11 pack=it40 " \
	"tc=none seed=5\n"                                                 \
	"rules players=2 teams=AB hand=3 capture=" capture                 \
	" priority=single ace=plain\n"                                     \
	"seat 1 team=A name=me\nseat 2 team=B name=you\n"
#define DEAL                                                       \
	"deal 1 dealer=2 first=1 scores=A:0,B:0\ntable 4B5S7DQD\n" \
	"give 1 AD3SJD\ngive 2 ??????\n"
#define STATE                                                                  \
	"state rules=scopa seats=2 teams=AB target=11 you=1 hand=3SJD deal=1 " \
	"dealer=2 turn=1 table=AD2B4B5S7DQD hands=1:2,2:2 deck=30 "            \
	"pile=A:-,B:- scopas=A:0,B:0 scores=A:0,B:0 last=- shown=- "           \
	"plays=1:AD/2:2B\n"

static const struct scopa_option options[] = {
	{ "depth", "int", "4", 1, 9, NULL },
	{ "bold", "bool", "true", 0, 0, NULL },
	{ "style", "enum", "calm", 0, 0, "calm|wild" },
	{ "book", "string", "a b", 0, 0, NULL },
	{ "forget", "button", NULL, 0, 0, NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

/* What the last talk() said, and the view of its last decision. */
static char said[TEXT_SIZE];
static struct scopa_view seen;
static int exit_status;

static const struct scopa_move *
choose_first(const struct scopa_view *view)
{
	seen = *view;
	return &view->legal[0];
}

static const struct scopa_move *
choose_none(const struct scopa_view *view)
{
	(void)view;
	return NULL;
}

static const struct scopa_move *
choose_with_info(const struct scopa_view *view)
{
	scopa_info("depth=%d m.worlds=%d # so\nso \xC3\xA8", 2, 64);
	return &view->legal[0];
}

/* Sends lines to a bot and stores what it says. */
static void
talk_as(const struct scopa_bot *bot, const char *lines)
{
	FILE *in = tmpfile(), *out = tmpfile();
	size_t length;

	assert(in != NULL && out != NULL);
	fputs(lines, in);
	rewind(in);
	exit_status = scopa_serve(bot, in, out);
	rewind(out);
	length = fread(said, 1, sizeof(said) - 1, out);
	said[length] = '\0';
	fclose(in);
	fclose(out);
}

/* The same with a bot that plays the first legal move. */
static void
talk(const char *lines)
{
	static const struct scopa_bot first = { .name = "my bot",
		.author = "A%",
		.options = options,
		.choose = choose_first };

	talk_as(&first, lines);
}

static void
expect_said(const char *text)
{
	if (strcmp(said, text) != 0) {
		fprintf(stderr, "expected:\n%ssaid:\n%s", text, said);
		abort();
	}
}

static void
test_greeting(void)
{
	talk("usp 1 arena=x/1\nisready\nquit\nisready\n");
	expect_said(
	    "id name=my%20bot author=A%25\n"
	    "option name=depth type=int default=4 min=1 max=9\n"
	    "option name=bold type=bool default=true\n"
	    "option name=style type=enum default=calm values=calm|wild\n"
	    "option name=book type=string default=a%20b\n"
	    "option name=forget type=button\n"
	    "feature position=1\nuspok 1\nreadyok\n");
	assert(exit_status == 0);
}

static void
test_options(void)
{
	static const char *const refused[] = { "depth=0", "depth=10", "depth=x",
		"depth=", "depth=+1", "bold=1", "style=mild",
		"style=", "colour=red" };
	char lines[256];

	talk("setoption depth=9\nsetoption bold=false\nsetoption style=wild\n"
	     "setoption book=%23x%20y%zz\nsetoption forget=-\n");
	expect_said("");
	assert(scopa_option_int("depth") == 9);
	assert(strcmp(scopa_option_text("bold"), "false") == 0);
	assert(strcmp(scopa_option_text("style"), "wild") == 0);
	assert(strcmp(scopa_option_text("book"), "#x y%zz") == 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		snprintf(lines, sizeof(lines), "setoption %s\nisready\n",
		    refused[i]);
		talk(lines);
		assert(strncmp(said, "error option # ", 15) == 0);
		assert(strstr(said, "\nreadyok\n") != NULL);
		assert(scopa_option_int("depth") == 4);
	}
}

static void
test_lines_are_read_liberally(void)
{
	static char lines[8000];

	talk("\r\n  isready \t# usp 1\r\n# quit\nponder 3\nisready");
	expect_said("readyok\nerror unknown # no verb \"ponder\"\nreadyok\n");
	for (int i = 0; i < 1000; i++)
		strcpy(lines + 4 * i, "x-a\n");
	talk(lines);
	assert(strlen(said) < 64 * strlen("error unknown # no verb \"x-a\"\n"));
}

static void
test_events_alone(void)
{
	talk(MATCH("sum") DEAL "go turn=a move=10000 x-new=1\nplay 1 AD\n"
			       "play 2 2B\ngo turn=b time=9 inc=1\n");
	expect_said("move AD turn=a\nmove 3SxAD2B turn=b\n");
	assert(seen.legal_count == 3);
	assert(seen.time_ms == 9 && seen.inc_ms == 1 && seen.move_ms == -1);
	assert(seen.seats == 2 && seen.team == 0 && seen.team_count == 2);
	assert(strcmp(scopa_rule(&seen, "capture"), "sum") == 0);
	assert(scopa_rule_number(&seen, "hand") == 3);
	assert(scopa_hidden(&seen).count == 40 - 2 - 6);
	assert(seen.play_count == 2 && seen.plays[1].seat == 2);
}

static void
test_a_position_without_a_match(void)
{
	talk(STATE "legal JDxAD7D\ngo turn=a\n");
	expect_said("move JDxAD7D turn=a\n");
	assert(strcmp(scopa_rule(&seen, "preset"), "scopa") == 0);
	talk("rules capture=sum priority=single\n" STATE "go turn=a\n");
	expect_said("move 3SxAD2B turn=a\n");
	talk(STATE "go turn=a\n");
	assert(strncmp(said, "error feature # neither a rules", 31) == 0);
	talk("go turn=a\n");
	assert(strncmp(said, "error feature # go without a deal", 33) == 0);
}

static void
test_the_list_of_the_arena_goes_before_the_own(void)
{
	talk(MATCH("sum") DEAL "legal 3S ... x-new=1\ngo turn=a\ngo turn=b\n");
	expect_said("move 3S turn=a\nmove AD turn=b\n");
}

static void
test_unknown_rules_need_the_list_of_the_arena(void)
{
	talk(MATCH("odd") DEAL "legal 3S\ngo turn=a\n");
	expect_said("move 3S turn=a\n");
	talk(MATCH("odd") DEAL "go turn=a\n");
	expect_said("error feature # rules capture=odd is unknown\n"
		    "error fatal # no move can be chosen\n");
}

static void
test_a_game_that_is_aborted_is_forgotten(void)
{
	talk(MATCH("sum") DEAL
	    "play 1 AD\nplay 2 2B\nabort deal reason=x\n" DEAL
	    "go turn=a\nabort match reason=x\n"
	    "endmatch m1 scores=A:0,B:0 winner=- you=draw reason=abort\n"
	    "isready\n" MATCH("sum") DEAL
	    "redeal reason=kings\ntable 2S\ngo turn=b\n");
	expect_said("move AD turn=a\nreadyok\nmove AD turn=b\n");
	assert(seen.play_count == 0);
	assert(seen.table.count == 1 && scopa_has(&seen.table, "2S"));
}

static void
test_info(void)
{
	talk_as(&(struct scopa_bot){ .name = "x", .choose = choose_with_info },
	    MATCH("sum") DEAL "go turn=a\n");
	expect_said("info depth=2 m.worlds=64 # so?so ?"
		    "?\nmove AD turn=a\n");
}

static void
test_no_move_ends_the_program(void)
{
	talk_as(&(struct scopa_bot){ .name = "no move, as expected",
		    .choose = choose_none },
	    MATCH("sum") DEAL "go turn=a\nisready\n");
	expect_said("");
	assert(exit_status == 1);
}

/*
 * The legal moves.
 */

#define ESCOBA "capture=fifteen priority=any"
#define CIRULLA \
	"capture=sum-or-fifteen priority=any ace=sweep-unless-ace declare=ask"

/* Expects these legal moves of a hand. */
static void
expect_moves(const char *rules, const char *table, const char *hand,
    const char *more, const char *expected)
{
	char lines[1024], moves[1024] = "";
	struct scopa_move *list;
	int count;

	snprintf(lines, sizeof(lines),
	    "rules %s\nstate rules=scopa seats=2 teams=AB you=1 hand=%s "
	    "table=%s %s\ngo turn=a\n",
	    rules, hand, table, more);
	talk(lines);
	count = scopa_legal_moves(&seen, &list);
	for (int i = 0; i < count; i++) {
		strcat(moves, i > 0 ? " " : "");
		strcat(moves, list[i].text);
	}
	free(list);
	if (strcmp(moves, expected) != 0) {
		fprintf(stderr, "%s, table %s, hand %s: %s, not %s\n", rules,
		    table, hand, moves, expected);
		abort();
	}
}

static void
test_what_a_card_may_take(void)
{
	static const char *const cases[][4] = {
		{ "", "2C4S6S", "6D", "6Dx6S" },
		{ "priority=fewest", "AD2C3C4S", "6D", "6Dx2C4S" },
		{ "priority=any max-captured=2", "AD2C3C", "6D", "6D" },
		{ ESCOBA, "2D3C5S6B", "KC", "KCx2D3C KCx5S" },
		{ "capture=fifteen", "2D3C5S6B", "KC", "KCx5S" },
		{ "capture=fifteen", "4C5C6SKC", "5D", "5DxKC" },
		{ "capture=fifteen equal-fifteen=yes", "4C5C6SKC", "5D",
		    "5Dx5C 5DxKC" },
		{ ESCOBA " equal-fifteen=yes", "4C5C6SKC", "5D",
		    "5Dx4C6S 5Dx5C 5DxKC" },
		{ ESCOBA " equal-fifteen=yes", "2C3CKC", "5D", "5DxKC" },
		{ CIRULLA " cirulla-equal=first", "2B3D4S5C6B", "5S",
		    "5Sx2B3D5C 5Sx4S6B 5Sx5C" },
		{ CIRULLA " cirulla-equal=first", "AC4SKC", "AD",
		    "ADxAC ADx4SKC" },
		{ "capture=sum-or-fifteen priority=single", "2B3D4S5C6B", "5S",
		    "5Sx5C" },
		{ CIRULLA, "2B4S", "AD", "ADx2B4S" },
		{ "ace=sweep", "AC7S", "AD", "ADxAC7S" },
		{ "ace=sweep-traditional", "2C7S", "AD", "AD" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_moves(
		    cases[i][0], cases[i][1], cases[i][2], "", cases[i][3]);
}

static void
test_declarations(void)
{
	static const char *const cases[][2] = {
		{ "2B4C7C", "2B 4C 7C !low:A !low:2 !low:3" },
		{ "7C7D7S", "7D 7C 7S !three" },
		{ "4C4D7C", "4D 4C 7C !three:4" },
		{ "KBKCKS", "KC KS KB !three" },
		{ "2B3C4C", "2B 3C 4C !low" },
		{ "2B3C5C", "2B 3C 5C" },
		{ "2B7C", "2B 7C" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect_moves("declare=ask", "-", cases[i][0], "", cases[i][1]);
	expect_moves(
	    "declare=ask", "-", "2B3C4C", "shown=1:2B3C4C", "2B 3C 4C");
}

static void
test_a_wild_seven_has_its_value(void)
{
	expect_moves(CIRULLA, "4S5D6DKD", "2B4C7C", "matta=A shown=1:2B4C7C",
	    "2B 4Cx4S 4Cx5D6D 7Cx4S5D6DKD 7Cx4SKD");
	expect_moves(CIRULLA " matta=table", "4S5D6D7CKD", "3C7SQS", "matta=3",
	    "3Cx4S5D7C 3Cx7C 7Sx4S7C 7Sx5D7C QSx4S5D QSx6D QSx6D7C");
}

/*
 * The example.
 */

/* Reads what a command prints.  Returns whether its exit status is 0. */
static bool
run_command(const char *command, char output[TEXT_SIZE])
{
	FILE *pipe = popen(command, "r");
	size_t length;

	assert(pipe != NULL);
	length = fread(output, 1, TEXT_SIZE - 1, pipe);
	output[length] = '\0';
	return pclose(pipe) == 0;
}

/* Expects that the example plays this move. */
static void
expect_choice(const char *rules, const char *table, const char *hand,
    const char *expected)
{
	static char output[TEXT_SIZE];
	char command[COMMAND_SIZE];

	snprintf(command, sizeof(command),
	    "printf '%%s\\n' 'rules %s' 'state rules=scopa seats=2 teams=AB "
	    "you=1 hand=%s table=%s' 'go turn=a' | ./bot",
	    rules, hand, table);
	assert(run_command(command, output));
	snprintf(command, sizeof(command), "move %s turn=a\n", expected);
	if (strcmp(output, command) != 0) {
		fprintf(stderr, "table %s, hand %s: %sinstead of %s", table,
		    hand, output, command);
		abort();
	}
}

static void
test_choose(void)
{
	expect_choice("", "4C7DQS", "4D7SKB", "7Sx7D");
	expect_choice("", "4C", "4D7D", "4Dx4C");
	expect_choice("", "KC", "7D4D4C", "4C");
	expect_choice("aim=least", "KC", "7D4D4C", "7D");
	expect_choice("declare=ask", "4CKS", "2B3C4S", "!low");
}

/*
 * Real games.
 */

/* Prints all that a view says of the game, in the words of a `state` line. */
static void
view_print(const struct scopa_view *view, FILE *file)
{
	fprintf(file, "you=%d target=%d deal=%d dealer=%d deck=%d last=%d",
	    view->seat, view->target, view->deal, view->dealer, view->deck,
	    view->last);
	fprintf(file, " opening=%d matta=%d hand=", view->opening, view->matta);
	for (int i = 0; i < view->hand.count; i++)
		fputs(view->hand.card[i].text, file);
	fputs(" table=", file);
	for (int i = 0; i < view->table.count; i++)
		fputs(view->table.card[i].text, file);
	for (int team = 0; team < view->team_count; team++) {
		fprintf(file, " team=%c scopas=%d scores=%d declared=%d pile=",
		    'A' + team, view->scopas[team], view->scores[team],
		    view->declared[team]);
		for (int i = 0; i < view->piles[team].count; i++)
			fputs(view->piles[team].card[i].text, file);
	}
	for (int seat = 1; seat <= view->seats; seat++) {
		fprintf(file, " seat=%d team=%c count=%d shown=", seat,
		    'A' + view->teams[seat], view->hand_counts[seat]);
		for (int i = 0; i < view->shown[seat].count; i++)
			fputs(view->shown[seat].card[i].text, file);
	}
	fputs(" plays=", file);
	for (int i = 0; i < view->play_count; i++)
		fprintf(file, "%d:%s/", view->plays[i].seat,
		    view->plays[i].move.text);
}

static void
view_text(const struct scopa_view *view, char text[TEXT_SIZE])
{
	FILE *file = fmemopen(text, TEXT_SIZE, "w");

	assert(file != NULL);
	view_print(view, file);
	fclose(file);
}

static const struct scopa_move *
choose_random(const struct scopa_view *view)
{
	return &view->legal[scopa_random(view->legal_count)];
}

/* Ends the program where the kit and the arena disagree. */
static const struct scopa_move *
choose_checked(const struct scopa_view *view)
{
	static char followed[TEXT_SIZE], stated[TEXT_SIZE];
	struct scopa_move *moves;
	int count = scopa_legal_moves(view, &moves);

	view_text(scopa_followed(), followed);
	view_text(view, stated);
	if (strcmp(followed, stated) != 0) {
		fprintf(
		    stderr, "%s\nis not the stated\n%s\n", followed, stated);
		return NULL;
	}
	for (int i = 0; i < count && i < view->legal_count; i++)
		if (strcmp(moves[i].text, view->legal[i].text) != 0) {
			fprintf(stderr, "legal move %d: %s is not %s\n", i + 1,
			    moves[i].text, view->legal[i].text);
			return NULL;
		}
	free(moves);
	if (count != view->legal_count) {
		fprintf(stderr, "%d legal moves, not %d\n", count,
		    view->legal_count);
		return NULL;
	}
	return choose_random(view);
}

/* The arena, quoted for the shell. */
static char arena[COMMAND_SIZE];

static bool
find_arena(void)
{
	const char *name = getenv("SCOPA_ARENA");
	char command[2 * COMMAND_SIZE];

	snprintf(arena, sizeof(arena), "'%s'",
	    name != NULL && name[0] != '\0' ? name : "scopa-arena");
	snprintf(command, sizeof(command), "command -v %s >/dev/null", arena);
	return system(command) == 0;
}

/* Plays up to three deals of a rule set; nobody may commit an offence. */
static void
play(const char *rules, int seats)
{
	static char output[TEXT_SIZE];
	static const char none[] = "\"offences\":{\"illegal\":0,\"timeout\":0,"
				   "\"crash\":0,\"protocol\":0,\"startup\":0}";
	char command[3 * COMMAND_SIZE];
	int fair = 0;

	snprintf(command, sizeof(command),
	    "%s match --rules %s --deals 3 --seed 1 --json --sandbox off "
	    "'./test_bot checked' './test_bot events'",
	    arena, rules);
	for (int seat = 2; seat < seats; seat++)
		strcat(command, " @random");
	if (!run_command(command, output)) {
		fprintf(stderr, "failed: %s\n", command);
		abort();
	}
	for (const char *at = output; (at = strstr(at, none)) != NULL; at++)
		fair++;
	if (fair != seats || strstr(output, "\"end\":\"done\"") == NULL) {
		fprintf(stderr, "%s:\n%s\n", command, output);
		abort();
	}
}

static void
test_real_games(void)
{
	/* Teams, and values of rule parameters, that no preset has. */
	static const struct {
		const char *rules;
		int seats;
	} more[] = {
		{ "scopa,teams=ABC", 3 },
		{ "napola,teams=ABCD", 4 },
		{ "escoba,teams=ABAB", 4 },
		{ "assi,teams=ABABAB", 6 },
		{ "quindici,teams=ABCABC", 6 },
		{ "frac,teams=ABCDEF", 6 },
		{ "cirulla,teams=ABC", 3 },
		{ "cirulla,declare=auto,matta=table,players=6", 6 },
		{ "scopa,priority=any,max-captured=2", 2 },
		{ "scopa-bga,ace-empty=take,ace=sweep", 2 },
		{ "escoba,priority=single,equal-fifteen=yes", 2 },
		{ "escoba,equal-fifteen=yes", 2 },
		{ "cirulla,matta=table", 2 },
		{ "cirulla,matta=plain", 2 },
		{ "cirulla,declare=auto", 2 },
		{ "cirulla,priority=fewest", 2 },
		{ "cirulla,cirulla-equal=first,cirulla-ace=sweep,"
		  "leftovers=dealer",
		    2 },
	};
	static char presets[TEXT_SIZE];
	char command[2 * COMMAND_SIZE];
	int count = 0;

	if (!find_arena()) {
		puts("skipped: real games (no scopa-arena in SCOPA_ARENA or "
		     "PATH)");
		return;
	}
	/* Each preset, with the number of its seats. */
	snprintf(command, sizeof(command),
	    "%s rules | sed -n 's/^\\([a-z0-9-]*\\) (\\(.\\).*/\\1 \\2/p'",
	    arena);
	assert(run_command(command, presets));
	for (char *name = strtok(presets, " "); name != NULL;
	     name = strtok(NULL, " ")) {
		play(name, atoi(strtok(NULL, "\n")));
		count++;
	}
	assert(count >= 20);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		play(more[i].rules, more[i].seats);
}

int
main(int argc, char **argv)
{
	struct scopa_bot bot = { .name = "checked", .choose = choose_checked };

	if (argc > 1 && strcmp(argv[1], "checked") == 0)
		return scopa_run(&bot);
	if (argc > 1 && strcmp(argv[1], "events") == 0) {
		bot.name = "events";
		bot.features = "state=0 legal=0";
		bot.choose = choose_random;
		return scopa_run(&bot);
	}
	test_greeting();
	test_options();
	test_lines_are_read_liberally();
	test_events_alone();
	test_a_position_without_a_match();
	test_the_list_of_the_arena_goes_before_the_own();
	test_unknown_rules_need_the_list_of_the_arena();
	test_a_game_that_is_aborted_is_forgotten();
	test_info();
	test_no_move_ends_the_program();
	test_what_a_card_may_take();
	test_declarations();
	test_a_wild_seven_has_its_value();
	test_choose();
	test_real_games();
	puts("all tests passed");
	return 0;
}
