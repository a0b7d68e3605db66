#include "script.h"

#include <stdio.h>
#include <string.h>

#include "countof.h"
#include "fuzz.h"
#include "games.h"
#include "mock_match.h"
#include "record_verify.h"
#include "record_write.h"
#include "support.h"

/* A running script. */
struct script {
	struct mock_match *match;
	struct script_course *course;
	struct judge judge;
};

static const char *const specs[] = { "scopa", "scopone", "scopa,players=3",
	"cirulla,declare=ask", "scopa,teams=ABCABC", "escoba,teams=ABCDEF",
	"trente,count=at-once", "cirulla,declare=auto,players=3", "assi",
	"frac,players=4,teams=ABCD", "scopa,redeal=ace,target=1" };

static const char *const controls[] = { "none", "move:1", "match:2+0.1",
	"deal:1+0", "match:0.001+0.001", "deal:1+1000000" };

static void
on_pack(struct mock_match *match, struct event_pack *pack)
{
	struct script *script = match->context;

	mock_packs_pass(&script->course->packs, pack);
}

static void
on_before(struct mock_match *match, const struct referee_input *input)
{
	struct script *script = match->context;

	judge_before(&script->judge, input);
}

static void
on_after(struct mock_match *match)
{
	struct script *script = match->context;

	judge_after(&script->judge);
}

static bool
is_judged(const struct script *script)
{
	return !script->course->packs.again;
}

/* The next game: each bot moves by one seat. */
static void
next_game(struct script *script)
{
	struct mock_match *match = script->match;
	int from[SCOPA_SEATS_MAX];

	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		from[seat] = (seat + 1) % match->rules.players;
	if (is_judged(script))
		judge_reseat(&script->judge, from);
	else
		mock_reseat(match, from);
}

static void
say_early(struct mock_match *match, int seat, const char *line)
{
	match->now_ns -= 200 * MOCK_MS;
	mock_say(match, seat, line);
	match->now_ns += 200 * MOCK_MS;
}

/* A step of one bot; `text` is the step without the number of the seat. */
static void
step_seat(struct script *script, int seat, const char *text)
{
	struct mock_match *match = script->match;
	bool absent =
	    match->referee.seats[seat].session.phase == SESSION_ABSENT;

	if (absent && text[0] == '\0')
		mock_start(match, seat);
	else if (absent && text[0] == '+')
		mock_start_ready(match, seat);
	else if (absent && text[0] == '_')
		match->blocked[seat] = true;
	if (absent)
		return;
	switch (text[0]) {
	case '>':
		mock_say(match, seat, text + 1);
		break;
	case '<':
		say_early(match, seat, text + 1);
		break;
	case '!':
		mock_act(match, seat, "garbles \\x00");
		break;
	case '*':
		mock_act(match, seat, "floods");
		break;
	case '-':
		mock_act(match, seat, "exits EXIT(0)");
		break;
	case '~':
		match->referee.seats[seat].off_cpu_ns += 200 * MOCK_MS;
		match->referee.seats[seat].off_wall_ns += 500 * MOCK_MS;
		break;
	case '_':
		match->blocked[seat] = true;
		break;
	case '^':
		if (is_judged(script))
			judge_unblock(&script->judge, seat);
		else
			mock_unblock(match, seat);
		break;
	default:
		break;
	}
}

/*
 * The seat that is asked makes a legal move: a random one, or the one of this
 * letter.
 */
static void
step_move(struct script *script, char letter)
{
	static struct scopa_move moves[SCOPA_MOVES_MAX];
	struct script_course *course = script->course;
	struct mock_match *match = script->match;
	const struct game *game = &match->referee.game;
	char *move;
	int count;

	if (course->packs.again) {
		if (course->move_next < course->move_count)
			mock_answer(match, course->moves[course->move_next++]);
		return;
	}
	if (course->move_count == SCRIPT_MOVES_MAX)
		return;
	count = scopa_moves(&game->rules, &game->deal, moves, SCOPA_MOVES_MAX);
	move = course->moves[course->move_count++];
	snprintf(move, sizeof(course->moves[0]), "%s",
	    mock_move(match,
		letter ? (unsigned char)letter % count
		       : support_random_below(&match->random, count)));
	mock_answer(match, move);
}

static void
step(struct script *script, const char *text)
{
	struct mock_match *match = script->match;

	if (text[0] >= '1' && text[0] < '1' + match->rules.players)
		step_seat(script, text[0] - '1', text + 1);
	else if (text[0] == '.' && mock_turn(match) >= 0)
		step_move(script, text[1]);
	else if (text[0] == 'w')
		mock_wait(match, 500 * MOCK_MS);
	else if (text[0] == 'W')
		mock_wait(match, 11000 * MOCK_MS);
	else if (text[0] == 'j')
		match->now_ns += 500 * MOCK_MS;
	else if (text[0] == 'J')
		match->now_ns += 11000 * MOCK_MS;
	else if (text[0] == 'l')
		mock_lag(match, 300 * MOCK_MS);
	else if (text[0] == 'L')
		mock_lag(match, 60000 * MOCK_MS);
	else if (text[0] == 'd')
		mock_expire_deadlines(match);
	else if (text[0] == 'a')
		mock_run(match, "stop interrupted");
	else if (text[0] == 'n' && mock_over(match))
		next_game(script);
}

struct mock_match *
script_play(const struct mock_order *order, const char *steps,
    struct script_course *course)
{
	struct script script = { .course = course, .match = mock_open(order) };
	char text[SCRIPT_SIZE_MAX], *rest = text, *piece;

	snprintf(text, sizeof(text), "%s", steps);
	course->move_next = course->packs.next = 0;
	if (!course->packs.again)
		course->move_count = course->packs.count = 0;
	script.match->context = &script;
	script.match->before_pack = on_pack;
	judge_init(&script.judge, script.match);
	if (is_judged(&script)) {
		script.match->before_event = on_before;
		script.match->after_event = on_after;
	}
	for (int i = 0; i < SCRIPT_STEPS_MAX && (piece = strsep(&rest, ";"));
	     i++)
		step(&script, piece);
	return script.match;
}

/* The record of each finished game must be valid. */
static void
check_records(const struct mock_match *match)
{
	static struct record_checker *checker;
	const char *begin = match->record.bytes, *end;

	if (checker == NULL)
		fuzz_check(record_checker_open(&checker) == 0);
	while ((end = strstr(begin, "\nendmatch ")) != NULL) {
		struct record_verdict verdict;
		struct game_record parsed;
		struct record record;

		end += strcspn(end + 1, "\n") + 2;
		record_init(&record);
		game_record_init(&parsed);
		fuzz_check(
		    record_add(&record, begin, (size_t)(end - begin)) == 0);
		fuzz_check(record_sum(&record) == 0);
		games_read(record.bytes, record.size, &parsed);
		fuzz_check(record_check(checker, &parsed, NULL, &verdict) == 0);
		if (!verdict.good)
			fprintf(stderr, "line %lld: %s\n%s",
			    (long long)verdict.fault.line, verdict.fault.text,
			    begin);
		fuzz_check(verdict.good);
		game_record_release(&parsed);
		record_release(&record);
		begin = end;
	}
}

/* The public lines, and those of offences. */
static void
public_course(const struct mock_match *match, struct scopa_text *text)
{
	static const char *const kinds[] = { "play", "declare", "offence",
		"deal", "enddeal", "redeal", "endmatch" };

	for (const char *line = match->record.bytes; *line;
	     line += strcspn(line, "\n") + 1)
		for (size_t i = 0; i < COUNTOF(kinds); i++)
			if (strncmp(line, kinds[i], strlen(kinds[i])) == 0 &&
			    line[strlen(kinds[i])] == ' ')
				scopa_text_bytes(
				    text, line, strcspn(line, "\n") + 1);
}

static bool
went_alike(const struct mock_match *one, const struct mock_match *other)
{
	static char bytes[2][1 << 16];
	struct scopa_text texts[2];

	for (int i = 0; i < 2; i++)
		scopa_text_init(&texts[i], bytes[i], sizeof(bytes[i]));
	public_course(one, &texts[0]);
	public_course(other, &texts[1]);
	return !texts[0].cut && !texts[1].cut &&
	    strcmp(bytes[0], bytes[1]) == 0;
}

struct mock_match *
script_again(const struct mock_match *match, const char *steps, int seat,
    struct script_course *course, uint64_t *random)
{
	struct mock_match *other;

	if (course->packs.count == 0 || match->referee.game.deal.dealt == 0 ||
	    !mock_packs_exchange(&course->packs, match, seat, random))
		return NULL;
	course->packs.again = true;
	other = script_play(&match->order, steps, course);
	course->packs.again = false;
	if (went_alike(match, other))
		return other;
	mock_close(other);
	return NULL;
}

static unsigned
digit_of(uint8_t byte)
{
	return (uint8_t)(byte - '0');
}

bool
script_read(const uint8_t *data, size_t size, struct mock_order *order,
    char steps[SCRIPT_SIZE_MAX])
{
	static const char *const options[] = { "Depth=3", NULL };

	if (size < SCRIPT_HEAD || size >= SCRIPT_SIZE_MAX)
		return false;
	*order = (struct mock_order){
		.spec = specs[digit_of(data[0]) % COUNTOF(specs)],
		.tc = controls[digit_of(data[1]) % COUNTOF(controls)],
		.policy =
		    (enum verdict_policy)(digit_of(data[2]) % POLICY_COUNT),
		.options = data[4] & 2 ? options : NULL,
		.strikes_max = data[4] & 4 ? 1 : 3,
		.margin_ns = data[4] & 8 ? 100 * MOCK_MS : 0,
		.analysis = data[4] & 64,
		.deals = 2,
		.seed = data[5],
	};
	/* Lines of bots have no other bytes: the line reader refuses them. */
	for (size_t i = SCRIPT_HEAD; i < size; i++)
		*steps++ =
		    data[i] >= 0x20 && data[i] <= 0x7E ? (char)data[i] : '\t';
	*steps = '\0';
	return true;
}

void
script_try(const uint8_t *data, size_t size)
{
	static struct script_course course;
	struct mock_order order;
	struct mock_match *match, *other = NULL;
	char steps[SCRIPT_SIZE_MAX];
	uint64_t random = 1;
	int seat;

	if (!script_read(data, size, &order, steps))
		return;
	match = script_play(&order, steps, &course);
	check_records(match);
	seat = data[3] - '1';
	if (seat >= 0 && seat < match->rules.players &&
	    !strstr(match->seats[seat].sent.bytes, "\ncards "))
		other = script_again(match, steps, seat, &course, &random);
	if (other != NULL) {
		fuzz_check(other->seats[seat].write_count ==
		    match->seats[seat].write_count);
		fuzz_check(strcmp(other->seats[seat].sent.bytes,
			       match->seats[seat].sent.bytes) == 0);
		mock_close(other);
	}
	mock_close(match);
}
