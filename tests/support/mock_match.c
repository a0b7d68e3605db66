#include "mock_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "test.h"

static struct mock_match *open_matches;

static void
text_add(struct mock_text *text, const char *bytes, size_t length)
{
	if (text->length + length + 1 > text->capacity) {
		text->capacity = 2 * (text->length + length) + 1024;
		text->bytes = realloc(text->bytes, text->capacity);
		assert_non_null(text->bytes);
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
}

/* The bytes written must be whole lines of printable bytes. */
static void
check_lines(const char *bytes, size_t length)
{
	assert_true(length > 0 && bytes[length - 1] == '\n');
	for (size_t i = 0; i < length; i++) {
		const char byte = bytes[i];

		if ((byte < 0x20 || byte > 0x7E) && byte != '\n' &&
		    byte != '\t')
			fail_msg("byte %d was sent", byte);
	}
}

/* One write.  A question is its last line, except for observers' events. */
static void
deliver(struct mock_match *match, int seat)
{
	struct scopa_text *text = &match->outbox.seats[seat];
	struct mock_seat *at = &match->seats[seat];

	assert_false(text->cut);
	check_lines(text->bytes, text->length);
	text_add(&at->sent, text->bytes, text->length);
	if (!match->order.analysis)
		mock_assert_lacks(
		    at->sent.bytes + at->sent.length - text->length, "cards*");
	at->write_count++;
	outbox_clear_seat(&match->outbox, seat);
	if (match->blocked[seat]) {
		match->held[seat] = true;
		referee_blocked(&match->referee, seat, match->now_ns);
	} else {
		referee_sent(
		    &match->referee, seat, match->now_ns + match->write_ns, 0);
	}
}

static void
check_table(const struct mock_match *match)
{
	int asked = 0;

	for (int i = 0; i < match->rules.players; i++) {
		const struct referee_seat *seat = &match->referee.seats[i];
		bool thinking = seat->session.phase == SESSION_THINK;
		bool waits = thinking ||
		    seat->session.phase &
			(SESSION_HELLO | SESSION_SETUP | SESSION_STALE);

		asked += thinking;
		if (thinking)
			assert_int_equal(match->referee.game.deal.turn, i);
		if (!waits)
			assert_true(seat->deadline_ns == BUDGET_NEVER);
		if (waits && !thinking)
			assert_true(seat->deadline_ns != BUDGET_NEVER);
	}
	assert_true(asked <= 1);
	assert_true(asked == 0 || !match->referee.ended);
}

static void handle(struct mock_match *match, struct referee_input event);

static void
supply(struct mock_match *match)
{
	struct referee_input input = { .kind = REFEREE_OPEN };
	struct event_pack pack = { 0 };

	switch (referee_need(&match->referee)) {
	case REFEREE_NOTHING:
	case REFEREE_IS_OVER:
		return;
	case REFEREE_NEEDS_OPEN:
		input.opening = &match->opening;
		break;
	case REFEREE_NEEDS_PACK:
		support_pack(
		    match->order.pack ? match->order.pack : "", pack.cards);
		if (match->order.pack == NULL)
			support_shuffle(
			    &match->random, pack.cards, SCOPA_PACK_SIZE);
		if (match->before_pack)
			match->before_pack(match, &pack);
		input.kind = REFEREE_PACK;
		input.pack = &pack;
		break;
	}
	handle(match, input);
}

/* Handles one event, and the events that follow from it. */
static void
handle(struct mock_match *match, struct referee_input input)
{
	struct outbox *outbox = &match->outbox;

	input.now_ns = match->now_ns;
	input.nonce = support_random(&match->nonce);
	if (match->before_event)
		match->before_event(match, &input);
	referee_step(&match->referee, &input, outbox);
	match->depth++;
	supply(match);
	match->depth--;
	if (outbox->record.length > 0) {
		assert_false(outbox->record.cut);
		check_lines(outbox->record.bytes, outbox->record.length);
		text_add(&match->record, outbox->record.bytes,
		    outbox->record.length);
		outbox_clear_record(outbox);
	}
	for (int seat = 0; seat < match->rules.players; seat++)
		if (outbox->due[seat] && outbox->seats[seat].length > 0)
			deliver(match, seat);
	check_table(match);
	if (match->after_event && match->depth == 0)
		match->after_event(match);
}

static void
fill_opening(struct mock_match *match)
{
	struct game_opening *opening = &match->opening;
	char name[64];

	snprintf(name, sizeof(name), "%.*s",
	    (int)strcspn(match->order.spec, ","), match->order.spec);
	opening->rules = &match->rules;
	opening->head = &match->head;
	opening->preset = scopa_preset_find(name);
	opening->dealer = match->rules.players - 1;
	opening->deals = match->order.deals;
	strcpy(match->head.match.id, "m1");
	strcpy(match->head.match.tc, "move:10000");
	if (match->order.analysis)
		strcpy(match->head.tag, "analysis=1");
	match->head.match.has_seeds = true;
	for (int seat = 0; seat < match->rules.players; seat++) {
		match->head.match.seeds[seat] = (uint64_t)seat + 0xA0;
		snprintf(match->head.seats[seat].name, EVENT_NAME_SIZE, "bot%d",
		    seat + 1);
	}
}

struct mock_match *
mock_open(const struct mock_order *order)
{
	struct mock_match *match = calloc(1, sizeof(*match));
	struct referee_settings settings = {
		.arena = "arena/1",
		.margin_ns = order->margin_ns,
		.startup_ns = MOCK_STARTUP_NS,
		.hang_ns = MOCK_HANG_NS,
		.policy = order->policy,
		.strikes_max = order->strikes_max ? order->strikes_max : 3,
		.analysis = order->analysis ? analysis_allow() : NULL,
	};
	struct scopa_text why = support_text();

	assert_non_null(match);
	match->order = *order;
	match->rules = support_rules(order->spec);
	match->now_ns = 1000 * MOCK_MS;
	match->nonce = ~order->seed;
	match->random = order->seed;
	assert_true(budget_control_parse(
	    &settings.control, order->tc ? order->tc : "move:10", &why));
	referee_init(&match->referee, &settings, match->rules.players);
	outbox_init(&match->outbox, match->rules.players);
	fill_opening(match);
	for (int seat = 0; seat < match->rules.players; seat++)
		text_add(&match->seats[seat].sent, "", 0);
	text_add(&match->record, "", 0);
	match->next = open_matches;
	open_matches = match;
	return match;
}

void
mock_close(struct mock_match *match)
{
	struct mock_match **at = &open_matches;

	while (*at != match)
		at = &(*at)->next;
	*at = match->next;
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		free(match->seats[seat].sent.bytes);
	free(match->record.bytes);
	free(match);
}

int
mock_close_all(void **state)
{
	(void)state;
	while (open_matches != NULL)
		mock_close(open_matches);
	return 0;
}

struct mock_match *
mock_open_ready(const struct mock_order *order)
{
	struct mock_match *match = mock_open(order);

	for (int seat = 0; seat < match->rules.players; seat++)
		mock_start_ready(match, seat);
	return match;
}

void
mock_start(struct mock_match *match, int seat)
{
	if (seat == 0)
		match->referee.seats[0].options = match->order.options;
	handle(match,
	    (struct referee_input){ .kind = REFEREE_START, .seat = seat });
}

void
mock_start_ready(struct mock_match *match, int seat)
{
	char line[64];

	mock_start(match, seat);
	snprintf(line, sizeof(line), "id name=bot%d", seat + 1);
	mock_say(match, seat, line);
	if (match->order.feature)
		mock_say(match, seat, match->order.feature);
	mock_say(match, seat, "uspok 1");
	mock_say(match, seat, "readyok");
}

void
mock_say(struct mock_match *match, int seat, const char *line)
{
	handle(match,
	    (struct referee_input){ .kind = REFEREE_LINE,
		.seat = seat,
		.line = line,
		.length = strlen(line) });
}

void
mock_unblock(struct mock_match *match, int seat)
{
	match->blocked[seat] = false;
	if (match->held[seat])
		referee_sent(&match->referee, seat, match->now_ns, 0);
	match->held[seat] = false;
}

void
mock_expire_deadlines(struct mock_match *match)
{
	handle(match, (struct referee_input){ .kind = REFEREE_DEADLINE });
}

void
mock_wait(struct mock_match *match, int64_t ns)
{
	int64_t end_ns = match->now_ns + ns;
	int steps = 0;

	for (;;) {
		int64_t deadline_ns = referee_deadline_ns(&match->referee);

		if (deadline_ns > end_ns)
			break;
		if (deadline_ns > match->now_ns)
			match->now_ns = deadline_ns;
		/* A deadline that was met must be removed. */
		assert_true(++steps < 1000);
		mock_expire_deadlines(match);
	}
	match->now_ns = end_ns;
}

void
mock_lag(struct mock_match *match, int64_t ns)
{
	match->now_ns += ns;
	handle(
	    match, (struct referee_input){ .kind = REFEREE_LAG, .lag_ns = ns });
}

void
mock_reseat(struct mock_match *match, const int *from)
{
	static const int same[SCOPA_SEATS_MAX] = { 0, 1, 2, 3, 4, 5 };

	assert_true(mock_over(match));
	outbox_init(&match->outbox, match->rules.players);
	referee_reseat(
	    &match->referee, from ? from : same, match->now_ns, &match->outbox);
	for (int seat = 0; seat < match->rules.players; seat++)
		if (match->outbox.due[seat] &&
		    match->outbox.seats[seat].length > 0)
			deliver(match, seat);
	check_table(match);
}

int
mock_turn(const struct mock_match *match)
{
	for (int seat = 0; seat < match->rules.players; seat++)
		if (match->referee.seats[seat].session.phase == SESSION_THINK)
			return seat;
	return -1;
}

bool
mock_over(const struct mock_match *match)
{
	return referee_need(&match->referee) == REFEREE_IS_OVER;
}

/* All legal moves; returns their number. */
static int
list_moves(const struct mock_match *match, struct scopa_move **moves)
{
	static struct scopa_move list[SCOPA_MOVES_MAX];
	const struct game *game = &match->referee.game;

	*moves = list;
	return scopa_moves(&game->rules, &game->deal, list, SCOPA_MOVES_MAX);
}

const char *
mock_move(const struct mock_match *match, int index)
{
	struct scopa_move *moves;
	struct scopa_text text = support_text();
	int count = list_moves(match, &moves);

	assert_in_range(index, 0, count - 1);
	scopa_move_format(&moves[index], &text);
	return text.bytes;
}

void
mock_answer(struct mock_match *match, const char *move)
{
	int seat = mock_turn(match);
	char line[256];

	assert_true(seat >= 0);
	snprintf(line, sizeof(line), "move %s turn=%s", move,
	    mock_turn_id(match, seat));
	mock_say(match, seat, line);
}

void
mock_step(struct mock_match *match)
{
	struct scopa_move *moves;
	int count = list_moves(match, &moves);

	mock_answer(match,
	    mock_move(match, support_random_below(&match->random, count)));
}

void
mock_steps(struct mock_match *match, int count)
{
	for (int i = 0; i < count; i++)
		mock_step(match);
}

void
mock_finish(struct mock_match *match)
{
	while (!mock_over(match))
		mock_step(match);
}

const char *
mock_turn_id(const struct mock_match *match, int seat)
{
	static char id[64];
	static const char verb[] = "go turn=";
	const struct mock_text *sent = &match->seats[seat].sent;
	const char *text = sent->bytes, *go = NULL;
	const char *end = text + sent->length;

	/*
	 * Searches from the last line backwards; not by memrchr(3), for which a
	 * sanitizer looks through the whole text each time.
	 */
	while (go == NULL && end > text) {
		const char *line = end - 1;

		while (line > text && line[-1] != '\n')
			line--;
		if (strncmp(line, verb, strlen(verb)) == 0)
			go = line + strlen(verb);
		end = line;
	}
	assert_non_null(go);
	snprintf(id, sizeof(id), "%.*s", (int)strcspn(go, " \n"), go);
	return id;
}

const char *
mock_sent(struct mock_match *match, int seat)
{
	struct mock_seat *at = &match->seats[seat];
	const char *text = at->sent.bytes + at->looked;

	at->looked = at->sent.length;
	return text;
}

const char *
mock_recorded(struct mock_match *match)
{
	const char *text = match->record.bytes + match->looked;

	match->looked = match->record.length;
	return text;
}

void
mock_skip(struct mock_match *match)
{
	for (int seat = 0; seat < match->rules.players; seat++)
		(void)mock_sent(match, seat);
	(void)mock_recorded(match);
}

static bool
line_is(const char *text, size_t length, const char *line)
{
	size_t wanted = strlen(line);

	if (wanted > 0 && line[wanted - 1] == '*')
		return length >= wanted - 1 &&
		    memcmp(text, line, wanted - 1) == 0;
	return length == wanted && memcmp(text, line, wanted) == 0;
}

int
mock_count(const char *text, const char *line)
{
	int count = 0;

	while (*text) {
		size_t length = strcspn(text, "\n");

		count += line_is(text, length, line);
		text += length + (text[length] == '\n');
	}
	return count;
}

bool
mock_has(const char *text, const char *line)
{
	return mock_count(text, line) > 0;
}

void
mock_assert_has(const char *text, const char *line)
{
	if (!mock_has(text, line))
		fail_msg("\"%s\" is missing in:\n%s", line, text);
}

void
mock_assert_lacks(const char *text, const char *line)
{
	if (mock_has(text, line))
		fail_msg("\"%s\" should not be in:\n%s", line, text);
}

const char *
mock_verbs(const char *text)
{
	static char verbs[4096];
	const char *last = "";
	size_t at = 0, last_length = 0;

	verbs[0] = '\0';
	while (*text) {
		size_t verb = strcspn(text, " \n");

		if (verb != last_length || memcmp(text, last, verb) != 0)
			at += (size_t)snprintf(verbs + at, sizeof(verbs) - at,
			    "%s%.*s", at ? " " : "", (int)verb, text);
		assert_true(at < sizeof(verbs));
		last = text;
		last_length = verb;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return verbs;
}

/* Scenarios. */

/* Whether the step continues with these words; if so, skips them in `rest`. */
static bool
skip_words(const char **rest, const char *words)
{
	size_t length = strlen(words);

	if (strncmp(*rest, words, length) != 0 || (*rest)[length] > ' ')
		return false;
	*rest += length + strspn(*rest + length, " ");
	return true;
}

static void
expect(bool good, const char *step, const char *found)
{
	if (!good)
		fail_msg("\"%s\" is false:\n%s", step, found);
}

static int64_t
ns_of(const char *milliseconds)
{
	return (int64_t)(strtod(milliseconds, NULL) * 1e6 + 0.5);
}

/* The lines of a text that was written with ` / ` between them. */
static const char *
lines_of(const char *written)
{
	static char lines[4096];
	char *at;

	snprintf(lines, sizeof(lines), "%s%s", written, *written ? "\n" : "");
	while ((at = strstr(lines, " / ")) != NULL) {
		*at = '\n';
		memmove(at + 1, at + 3, strlen(at + 3) + 1);
	}
	return lines;
}

/* Steps that text_step at all of a text; false if the step is another one. */
static bool
text_step(const char *text, const char *rest, const char *step)
{
	if (skip_words(&rest, "has"))
		expect(mock_has(text, rest), step, text);
	else if (skip_words(&rest, "lacks"))
		expect(!mock_has(text, rest), step, text);
	else if (skip_words(&rest, "counts"))
		expect(mock_count(text, strchr(rest, ' ') + 1) == atoi(rest),
		    step, text);
	else
		return false;
	return true;
}

/* Steps that look at the new lines of a text; false if it is another one. */
static bool
new_text_step(const char *text, const char *rest, const char *step)
{
	if (skip_words(&rest, "gets") || skip_words(&rest, "is"))
		expect(strcmp(text, lines_of(rest)) == 0, step, text);
	else if (skip_words(&rest, "verbs"))
		expect(strcmp(mock_verbs(text), rest) == 0, step, text);
	else
		return false;
	return true;
}

static void
say_step(struct mock_match *match, int seat, const char *written)
{
	char line[512] = "";
	size_t length = 0;

	for (; *written && length + 80 < sizeof(line); written++) {
		bool is_code =
		    *written == '%' && (written[1] == 'M' || written[1] == 'T');

		length += (size_t)snprintf(line + length, sizeof(line) - length,
		    "%.*s", is_code ? 80 : 1,
		    !is_code                ? written
			: written[1] == 'M' ? mock_move(match, 0)
					    : mock_turn_id(match, seat));
		written += is_code;
	}
	mock_say(match, seat, line);
}

static bool
seat_step(
    struct mock_match *match, int seat, const char *rest, const char *step)
{
	const struct referee_seat *at = &match->referee.seats[seat];

	if (*rest == ':')
		say_step(match, seat, rest + 1 + strspn(rest + 1, " "));
	else if (skip_words(&rest, "starts"))
		mock_start(match, seat);
	else if (skip_words(&rest, "is ready"))
		mock_start_ready(match, seat);
	else if (skip_words(&rest, "exits"))
		handle(match,
		    (struct referee_input){
			.kind = REFEREE_EXIT, .seat = seat, .reason = rest });
	else if (skip_words(&rest, "garbles"))
		handle(match,
		    (struct referee_input){ .kind = REFEREE_FLAW,
			.seat = seat,
			.line = rest,
			.length = strlen(rest),
			.reason = "BAD_LINE" });
	else if (skip_words(&rest, "floods"))
		handle(match,
		    (struct referee_input){
			.kind = REFEREE_FLOOD, .seat = seat });
	else if (skip_words(&rest, "strikes"))
		expect(at->strikes == atoi(rest), step, "");
	else if (skip_words(&rest, "is killed"))
		expect(at->kill, step, "");
	else if (skip_words(&rest, "is spared"))
		expect(!at->kill, step, "");
	else
		return text_step(match->seats[seat].sent.bytes +
			       match->seats[seat].looked,
			   rest, step) ||
		    new_text_step(mock_sent(match, seat), rest, step);
	return true;
}

/* Steps that check the match; false if the step is another one. */
static bool
check_step(struct mock_match *match, const char *rest, const char *step)
{
	int64_t deadline_ns = referee_deadline_ns(&match->referee);

	if (skip_words(&rest, "turn"))
		expect(mock_turn(match) + 1 == atoi(rest), step, "");
	else if (skip_words(&rest, "over"))
		expect(mock_over(match), step, match->record.bytes);
	else if (skip_words(&rest, "open"))
		expect(!mock_over(match), step, match->record.bytes);
	else if (skip_words(&rest, "wanted"))
		expect(match->referee.line_expected, step, "");
	else if (skip_words(&rest, "unwanted"))
		expect(!match->referee.line_expected, step, "");
	else if (skip_words(&rest, "offender"))
		expect(match->referee.offender + 1 == atoi(rest), step, "");
	else if (skip_words(&rest, "deadline never"))
		expect(deadline_ns == BUDGET_NEVER, step, "");
	else if (skip_words(&rest, "deadline"))
		expect(deadline_ns - match->now_ns == ns_of(rest), step, "");
	else
		return false;
	return true;
}

/* Seat i gets the bot of the seat that digit i names. */
static void
reseat_step(struct mock_match *match, const char *digits)
{
	int from[SCOPA_SEATS_MAX] = { 0 };

	for (int seat = 0; digits[seat]; seat++)
		from[seat] = digits[seat] - '1';
	mock_reseat(match, *digits ? from : NULL);
}

static bool
match_step(struct mock_match *match, const char *rest)
{
	if (skip_words(&rest, "all ready"))
		for (int i = 0; i < match->rules.players; i++)
			mock_start_ready(match, i);
	else if (skip_words(&rest, "answer"))
		mock_answer(match, rest);
	else if (skip_words(&rest, "step"))
		mock_steps(match, *rest ? atoi(rest) : 1);
	else if (skip_words(&rest, "after")) {
		match->now_ns += ns_of(rest);
		mock_step(match);
	} else if (skip_words(&rest, "finish"))
		mock_finish(match);
	else if (skip_words(&rest, "wait"))
		mock_wait(match, ns_of(rest));
	else if (skip_words(&rest, "lag"))
		mock_lag(match, ns_of(rest));
	else if (skip_words(&rest, "stop"))
		handle(match,
		    (struct referee_input){
			.kind = REFEREE_ABORT, .reason = rest });
	else if (skip_words(&rest, "again"))
		reseat_step(match, rest);
	else if (skip_words(&rest, "skip"))
		mock_skip(match);
	else
		return false;
	return true;
}

static void
run_step(struct mock_match *match, const char *step)
{
	const char *rest = step;
	bool known;

	if (skip_words(&rest, "record"))
		known = text_step(match->record.bytes, rest, step) ||
		    new_text_step(mock_recorded(match), rest, step);
	else if (*step >= '1' && *step <= '6')
		known = seat_step(
		    match, *step - '1', step + 1 + strspn(step + 1, " "), step);
	else
		known =
		    check_step(match, rest, step) || match_step(match, rest);
	if (!known)
		fail_msg("\"%s\" is no step", step);
}

void
mock_act(struct mock_match *match, int seat, const char *step)
{
	if (!seat_step(match, seat, step, step))
		fail_msg("\"%s\" is no step of a seat", step);
}

void
mock_run(struct mock_match *match, const char *steps)
{
	while (*steps) {
		size_t length = strcspn(steps, ";");
		char step[512];

		snprintf(step, sizeof(step), "%.*s", (int)length, steps);
		run_step(match, step);
		steps += length;
		steps += strspn(steps, "; ");
	}
}

struct mock_match *
mock_play(const struct mock_order *order, const char *steps)
{
	struct mock_match *match = mock_open(order);

	mock_run(match, steps);
	return match;
}

void
mock_packs_pass(struct mock_packs *packs, struct event_pack *pack)
{
	if (!packs->again && packs->count < MOCK_PACKS_MAX)
		memcpy(packs->packs[packs->count++], pack->cards,
		    sizeof(pack->cards));
	/* Other cards may cause a redeal if these did not. */
	if (packs->again && packs->next < packs->count)
		memcpy(pack->cards, packs->packs[packs->next++],
		    sizeof(pack->cards));
}

bool
mock_packs_exchange(struct mock_packs *packs, const struct mock_match *match,
    int seat, uint64_t *random)
{
	const struct scopa_deal *deal = &match->referee.game.deal;
	uint8_t *pack = packs->packs[packs->count - 1];
	uint8_t cards[SCOPA_PACK_SIZE];
	int places[SCOPA_PACK_SIZE], count = 0;

	for (int place = 0; place < SCOPA_PACK_SIZE; place++) {
		scopa_set card = scopa_set_of(pack[place]);
		bool hidden = place >= deal->dealt;

		for (int other = 0; other < match->rules.players; other++)
			hidden |= other != seat &&
			    !(deal->shown >> other & 1) &&
			    (deal->hands[other] & card);
		if (!hidden)
			continue;
		cards[count] = pack[place];
		places[count++] = place;
	}
	support_shuffle(random, cards, count);
	for (int i = 0; i < count; i++)
		pack[places[i]] = cards[i];
	return count > 1;
}
