/*
 * Events: one JSON object per line, and the log as text.
 */
#include "events.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "example.h"
#include "folder.h"
#include "log.h"
#include "output.h"
#include "test.h"

/* Of each test: a tournament of two bots, and the files for its events. */
static struct example example;
static struct events events;

static const char *events_path, *log_path;

static int
files_open(void **state)
{
	if (test_folder_make(state) < 0)
		return -1;
	events_path = test_path("events");
	log_path = test_path("log");
	example_open(&example, "scopa", 2);
	return log_open(log_path, LOG_INFO) < 0
	    ? -1
	    : events_open(&events, events_path);
}

static int
files_close(void **state)
{
	events_close(&events);
	example_teardown(state);
	log_close();
	return test_folder_remove(state);
}

/* A block of two games, 3:1 and 2:2 in favor of the first bot. */
static struct block_result
block_of(int first, int second)
{
	return example_pair(&example, first, second, (int[]){ 3, 1, 2, 2 });
}

/*
 * Expects this number of lines.  Each is an event with version 1 and a time,
 * and the last one continues with `members` to its end; ' is written for ".
 */
static void
expect_last(const char *event, int line_count, const char *members)
{
	char head[64], *line = folder_read(events_path, NULL), *end;
	size_t length;

	for (int i = 1; i < line_count; i++) {
		line = strchr(line, '\n');
		assert_non_null(line);
		line++;
	}
	end = strchr(line, '\n');
	assert_non_null(end);
	assert_int_equal(end[1], '\0');
	*end = '\0';
	for (char *at = line; *at != '\0'; at++)
		*at = *at == '"' ? '\'' : *at;
	snprintf(head, sizeof(head), "{'v':1,'event':'%s','time':'", event);
	length = strlen(head);
	assert_memory_equal(line, head, length);
	/* 2026-01-02T03:04:05.678Z */
	assert_int_equal(line[length + 10], 'T');
	assert_int_equal(line[length + 23], 'Z');
	assert_memory_equal(line + length + 24, "',", 2);
	assert_string_equal(line + length + 26, members);
}

/* The content of the log. */
static const char *
logged(void)
{
	return folder_read(log_path, NULL);
}

#define ZEROS "000000000000000000000000000000000000000000000000000000000000000"
#define RUN_MEMBERS                                                           \
	"'command':'tournament','name':'example','tool':'scopa-arena/0.0.0'," \
	"'created':'2026-01-02T03:04:05Z','path':'runs/example',"             \
	"'state':'done','format':'roundrobin','rules':'scopa','seats':2,"     \
	"'teams':'AB','deals':1,'target':null,'tc':'move:10000','seed':'05'," \
	"'packs':null,'commitment':null,'terms':null,'contributions':null,"   \
	"'chain':null,'duplicate':true,'mixed':false,'block_games':2,"        \
	"'blocks_planned':null,'bots':[{'name':'bot-1',"                      \
	"'command':'./bot --level 1','digest':'" ZEROS "0'},{'name':'bot-2'," \
	"'command':'./bot --level 2','digest':'" ZEROS "1'}],"

TEST(test_run_begins_and_ends_with_an_event)
{
	example.view.sandbox = "box";
	events_run_begin(&events, &example.view);
	expect_last("run_begin", 1,
	    RUN_MEMBERS "'blocks':0,'skipped':0,'games':0,'sandbox':'box'}");
	example_play(&example, 0, 1, 3, 0);
	example.view.sandbox = NULL;
	events_resume(&events, &example.view);
	expect_last("resume", 2,
	    RUN_MEMBERS "'blocks':3,'skipped':0,'games':6,'sandbox':null}");
	example.view.state = "interrupted";
	events_run_end(&events, &example.view, 130);
	expect_last("run_end", 3,
	    "'state':'interrupted','exit':130,'blocks':3,'skipped':0,'games':6,"
	    "'forfeits':0,'seed':'05','chain':null}");
	assert_int_equal(events_close(&events), 0);
	expect_parts(logged(), "info  run example begins: 2 bots, scopa\n",
	    "info  run example goes on after 3 blocks\n",
	    "info  run example ends after 3 blocks: interrupted, "
	    "exit 130\n");
}

TEST(test_block_is_reported_game_by_game)
{
	struct block_result block;

	example_play(&example, 0, 1, 3, 0);
	block = block_of(1, 0);
	block.games[1].sandbox[0] = '\0';
	block.games[1].analysis = true;
	example.view.chain = "c0ffee";
	events_block(&events, &example.view, &block);
	expect_last("block", 1,
	    "'block':4,'round':4,'stage':1,'skipped':false,"
	    "'bots':[{'name':'bot-2','margin':1.000000,'score':0.750000},"
	    "{'name':'bot-1','margin':-1.000000,'score':0.250000}],"
	    "'games':[{'match':'m7','seats':['bot-2','bot-1'],'scores':[3,1],"
	    "'winner':'A','reason':'deals','deals':1,'sandbox':'box',"
	    "'analysis':false},{'match':'m8','seats':['bot-1','bot-2'],"
	    "'scores':[2,2],'winner':null,'reason':'deals','deals':1,"
	    "'sandbox':null,'analysis':true}],'chain':'c0ffee'}");
	block.skipped = true;
	events_block(&events, &example.view, &block);
	expect_last("block", 2,
	    "'block':4,'round':4,'stage':1,'skipped':true,"
	    "'bots':[{'name':'bot-2'},{'name':'bot-1'}],'games':[],"
	    "'chain':'c0ffee'}");
}

TEST(test_forfeit_follows_its_block)
{
	struct block_result block = block_of(0, 1);

	example_forfeit(&example, &block, 1, 0);
	events_block(&events, &example.view, &block);
	expect_last("game_forfeit", 2,
	    "'match':'m2','block':1,'party':'B','bot':'bot-1','seat':2,"
	    "'kind':'timeout','reason':'late'}");
	expect_parts(logged(), "warn  m2: bot-1 loses: timeout late\n");
	/* The offender is not known for every record. */
	block.games[1].offender = -1;
	events_block(&events, &example.view, &block);
	expect_last("game_forfeit", 4,
	    "'match':'m2','block':1,'party':'B','bot':null,'seat':null,"
	    "'kind':null,'reason':null}");
}

TEST(test_void_turns_are_reported_after_their_block)
{
	struct block_result block = block_of(0, 1);

	block.games[1].void_turns = 2;
	block.games[1].lag_longest_ns = 1234567890;
	block.games[0].pondered[1] = true;
	block.games[0].off_turn_ns[1] = 234500000;
	events_block(&events, &example.view, &block);
	expect_parts(logged(),
	    "warn  m1: PONDER: bot-2 used 234 ms of CPU time when it "
	    "was not to move\n");
	expect_last("game_void", 3,
	    "'match':'m2','block':1,'turns':2,'lag_ms':1234.568}");
	expect_parts(logged(),
	    "warn  m2: VOID: the arena itself was delayed 1235 ms: 2 "
	    "clocks restarted\n");
}

TEST(test_suspension_is_reported_with_its_reason)
{
	example.standings.bots[1].startup_failures = 3;
	example.standings.bots[1].forfeits = 4;
	example.standings.bots[0].forfeits = 1;
	events_suspend(&events, &example.view, 1);
	expect_last("suspend", 1,
	    "'bot':'bot-2','reason':'startup','startup_failures':3,"
	    "'forfeits':4,'block':0}");
	expect_parts(logged(),
	    "warn  bot-2 plays no more: it did not start too often\n");
	events_suspend(&events, &example.view, 0);
	expect_last("suspend", 2,
	    "'bot':'bot-1','reason':'disqualified','startup_failures':0,"
	    "'forfeits':1,'block':0}");
}

TEST(test_verdict_is_reported_with_its_numbers)
{
	example_close(&example);
	example_gate(&example);
	example_play(&example, 0, 1, 400, 3);
	example_judge(&example, false);
	events_verdict(&events, &example.view);
	expect_parts(folder_read(events_path, NULL),
	    "\"blocks\":400,\"verdict\":\"pass\",", "\"model\":\"margin\",");
	expect_parts(logged(), "info  verdict pass: H1 accepted");
}

TEST(test_unknown_values_of_the_status_are_null)
{
	struct progress_facts facts;

	example_close(&example);
	example_open(&example, "scopa", 3);
	assert_int_equal(report_compute(&example.view, 0), 0);
	facts = progress_collect(&example.view);
	events_status(&events, &facts);
	expect_last("status", 1,
	    "'blocks':0,'blocks_max':null,'blocks_left':null,'games':0,"
	    "'games_per_s':null,'seconds_left':null,'name':'bot-1',"
	    "'ahead_of':'bot-2','score':0.000000,'points':{'value':0.000000,"
	    "'low':-10000.000000,'high':10000.000000,'beyond':'both'},"
	    "'elo':null,'forfeits':0,'offences':{'illegal':0,'timeout':0,"
	    "'crash':0,'protocol':0,'startup':0},'think_ms':null,'notice':"
	    "null}");
}

TEST(test_failures_are_reported_once)
{
	events_close(&events);
	assert_int_equal(
	    events_open(&events, "/tmp/scopa-no-such-folder/e"), -ENOENT);
	/* No file for events is given. */
	assert_int_equal(events_open(&events, NULL), 0);
	events_run_end(&events, &example.view, 0);
	assert_int_equal(events_close(&events), 0);
	assert_int_equal(events_open(&events, "/dev/full"), 0);
	events_run_end(&events, &example.view, 0);
	events_run_end(&events, &example.view, 0);
	assert_int_equal(events_close(&events), -ENOSPC);
	expect_parts(logged(), "an event cannot be written: No space");
	assert_int_equal(output_count(logged(), "cannot be written"), 1);
}

TEST(test_event_that_has_no_room_leaves_nothing)
{
	struct rlimit limit, small;

	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 20;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	events_run_end(&events, &example.view, 0);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	assert_string_equal(folder_read(events_path, NULL), "");
	assert_int_equal(events_close(&events), -EFBIG);
}

TEST_EACH(files_open, files_close)
