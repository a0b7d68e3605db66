#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "test.h"

static void
text_add(struct table_text *text, const char *bytes, size_t length)
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

/* What was written must be whole lines of printable bytes. */
static void
check_lines(const char *bytes, size_t length)
{
	assert_true(length > 0 && bytes[length - 1] == '\n');
	for (size_t i = 0; i < length; i++)
		if (bytes[i] != '\n' && bytes[i] != '\t' &&
		    (bytes[i] < 0x20 || bytes[i] > 0x7E))
			fail_msg("byte %d was sent", bytes[i]);
}

/* One write.  A question is its last line, but for observers' events. */
static void
deliver(struct table *table, int seat)
{
	struct scopa_text *text = &table->outbox.seats[seat];
	struct table_seat *at = &table->seats[seat];

	assert_false(text->cut);
	check_lines(text->bytes, text->length);
	text_add(&at->heard, text->bytes, text->length);
	if (!table->order.analysis)
		table_assert_lacks(
		    at->heard.bytes + at->heard.length - text->length,
		    "cards*");
	at->write_count++;
	outbox_clear_seat(&table->outbox, seat);
	if (table->blocked[seat]) {
		table->held[seat] = true;
		referee_held(&table->referee, seat, table->now_ns);
	} else {
		referee_sent(
		    &table->referee, seat, table->now_ns + table->write_ns);
	}
}

static void
check_table(const struct table *table)
{
	int asked = 0;

	for (int i = 0; i < table->rules.players; i++) {
		const struct referee_seat *seat = &table->referee.seats[i];
		bool thinking = seat->session.phase == SESSION_THINK;
		bool waits = thinking ||
		    seat->session.phase &
			(SESSION_HELLO | SESSION_SETUP | SESSION_STALE);

		asked += thinking;
		if (thinking)
			assert_int_equal(table->referee.game.deal.turn, i);
		if (!waits)
			assert_true(seat->deadline_ns == BUDGET_NEVER);
		if (waits && !thinking)
			assert_true(seat->deadline_ns != BUDGET_NEVER);
	}
	assert_true(asked <= 1);
	assert_true(asked == 0 || !table->referee.ended);
}

static void take(struct table *table, struct referee_input event);

static void
supply(struct table *table)
{
	struct referee_input input = { .kind = REFEREE_OPEN };
	struct event_pack pack = { 0 };

	switch (referee_need(&table->referee)) {
	case REFEREE_NOTHING:
	case REFEREE_IS_OVER:
		return;
	case REFEREE_NEEDS_OPEN:
		input.opening = &table->opening;
		break;
	case REFEREE_NEEDS_PACK:
		support_pack(
		    table->order.pack ? table->order.pack : "", pack.cards);
		if (table->order.pack == NULL)
			support_shuffle(
			    &table->random, pack.cards, SCOPA_PACK_SIZE);
		if (table->before_pack)
			table->before_pack(table, &pack);
		input.kind = REFEREE_PACK;
		input.pack = &pack;
		break;
	}
	take(table, input);
}

/* One event on its whole way. */
static void
take(struct table *table, struct referee_input input)
{
	struct outbox *outbox = &table->outbox;

	input.now_ns = table->now_ns;
	input.nonce = support_random(&table->nonce);
	if (table->before_event)
		table->before_event(table, &input);
	referee_step(&table->referee, &input, outbox);
	table->depth++;
	supply(table);
	table->depth--;
	if (outbox->record.length > 0) {
		assert_false(outbox->record.cut);
		check_lines(outbox->record.bytes, outbox->record.length);
		text_add(&table->record, outbox->record.bytes,
		    outbox->record.length);
		outbox_clear_record(outbox);
	}
	for (int seat = 0; seat < table->rules.players; seat++)
		if (outbox->due[seat] && outbox->seats[seat].length > 0)
			deliver(table, seat);
	check_table(table);
	if (table->after_event && table->depth == 0)
		table->after_event(table);
}

static void
fill_opening(struct table *table)
{
	struct game_opening *opening = &table->opening;
	char name[64];

	snprintf(name, sizeof(name), "%.*s",
	    (int)strcspn(table->order.spec, ","), table->order.spec);
	opening->rules = &table->rules;
	opening->head = &table->head;
	opening->preset = scopa_preset_find(name);
	opening->dealer = table->rules.players - 1;
	opening->deals = table->order.deals;
	strcpy(table->head.match.id, "m1");
	strcpy(table->head.match.tc, "move:10000");
	if (table->order.analysis)
		strcpy(table->head.tag, "analysis=1");
	table->head.match.has_seeds = true;
	for (int seat = 0; seat < table->rules.players; seat++) {
		table->head.match.seeds[seat] = (uint64_t)seat + 0xA0;
		snprintf(table->head.seats[seat].name, EVENT_NAME_SIZE, "bot%d",
		    seat + 1);
	}
}

struct table *
table_open(const struct table_order *order)
{
	struct table *table = calloc(1, sizeof(*table));
	struct referee_settings settings = {
		.arena = "arena/1",
		.margin_ns = order->margin_ns,
		.startup_ns = TABLE_STARTUP_NS,
		.hang_ns = TABLE_HANG_NS,
		.policy = order->policy,
		.strikes_max = order->strikes_max ? order->strikes_max : 3,
		.observe = !order->observe_denied,
		.analysis = order->analysis ? analysis_allow() : NULL,
	};
	struct scopa_text why;
	char bytes[256];

	assert_non_null(table);
	table->order = *order;
	table->rules = support_rules(order->spec);
	table->now_ns = 1000 * TABLE_MS;
	table->nonce = ~order->seed;
	table->random = order->seed;
	scopa_text_init(&why, bytes, sizeof(bytes));
	assert_true(budget_control_parse(
	    &settings.control, order->tc ? order->tc : "move:10", &why));
	referee_init(&table->referee, &settings, table->rules.players);
	outbox_init(&table->outbox, table->rules.players);
	fill_opening(table);
	for (int seat = 0; seat < table->rules.players; seat++)
		text_add(&table->seats[seat].heard, "", 0);
	text_add(&table->record, "", 0);
	return table;
}

void
table_close(struct table *table)
{
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		free(table->seats[seat].heard.bytes);
	free(table->record.bytes);
	free(table);
}

struct table *
table_open_ready(const struct table_order *order)
{
	struct table *table = table_open(order);

	for (int seat = 0; seat < table->rules.players; seat++)
		table_start_ready(table, seat);
	return table;
}

void
table_start(struct table *table, int seat)
{
	if (seat == 0)
		table->referee.seats[0].options = table->order.options;
	take(table,
	    (struct referee_input){ .kind = REFEREE_START, .seat = seat });
}

void
table_start_ready(struct table *table, int seat)
{
	char line[64];

	table_start(table, seat);
	snprintf(line, sizeof(line), "id name=bot%d", seat + 1);
	table_say(table, seat, line);
	if (table->order.feature)
		table_say(table, seat, table->order.feature);
	table_say(table, seat, "uspok 1");
	table_say(table, seat, "readyok");
}

void
table_say(struct table *table, int seat, const char *line)
{
	take(table,
	    (struct referee_input){ .kind = REFEREE_LINE,
		.seat = seat,
		.line = line,
		.length = strlen(line) });
}

void
table_flaw(struct table *table, int seat, const char *bytes)
{
	take(table,
	    (struct referee_input){ .kind = REFEREE_FLAW,
		.seat = seat,
		.line = bytes,
		.length = strlen(bytes),
		.reason = "BAD_LINE" });
}

void
table_flood(struct table *table, int seat)
{
	take(table,
	    (struct referee_input){ .kind = REFEREE_FLOOD, .seat = seat });
}

void
table_exit(struct table *table, int seat, const char *reason)
{
	take(table,
	    (struct referee_input){
		.kind = REFEREE_EXIT, .seat = seat, .reason = reason });
}

void
table_block(struct table *table, int seat)
{
	table->blocked[seat] = true;
}

void
table_unblock(struct table *table, int seat)
{
	table->blocked[seat] = false;
	if (table->held[seat])
		referee_sent(&table->referee, seat, table->now_ns);
	table->held[seat] = false;
}

void
table_abort(struct table *table, const char *reason)
{
	take(table,
	    (struct referee_input){ .kind = REFEREE_ABORT, .reason = reason });
}

void
table_meet(struct table *table)
{
	take(table, (struct referee_input){ .kind = REFEREE_DEADLINE });
}

void
table_wait(struct table *table, int64_t ns)
{
	int64_t end_ns = table->now_ns + ns;
	int steps = 0;

	for (;;) {
		int64_t deadline_ns = referee_deadline_ns(&table->referee);

		if (deadline_ns > end_ns)
			break;
		if (deadline_ns > table->now_ns)
			table->now_ns = deadline_ns;
		/* One that is met must be gone. */
		assert_true(++steps < 1000);
		table_meet(table);
	}
	table->now_ns = end_ns;
}

void
table_lag(struct table *table, int64_t ns)
{
	table->now_ns += ns;
	take(
	    table, (struct referee_input){ .kind = REFEREE_LAG, .lag_ns = ns });
}

void
table_reseat(struct table *table, const int *from)
{
	static const int same[SCOPA_SEATS_MAX] = { 0, 1, 2, 3, 4, 5 };

	assert_true(table_over(table));
	outbox_init(&table->outbox, table->rules.players);
	referee_reseat(
	    &table->referee, from ? from : same, table->now_ns, &table->outbox);
	for (int seat = 0; seat < table->rules.players; seat++)
		if (table->outbox.due[seat] &&
		    table->outbox.seats[seat].length > 0)
			deliver(table, seat);
	check_table(table);
}

int
table_turn(const struct table *table)
{
	for (int seat = 0; seat < table->rules.players; seat++)
		if (table->referee.seats[seat].session.phase == SESSION_THINK)
			return seat;
	return -1;
}

bool
table_over(const struct table *table)
{
	return referee_need(&table->referee) == REFEREE_IS_OVER;
}

/* All legal moves; the answer is how many. */
static int
list_moves(const struct table *table, struct scopa_move **moves)
{
	static struct scopa_move list[SCOPA_MOVES_MAX];
	const struct game *game = &table->referee.game;

	*moves = list;
	return scopa_moves(&game->rules, &game->deal, list, SCOPA_MOVES_MAX);
}

const char *
table_move(const struct table *table, int index)
{
	static char bytes[128];
	struct scopa_move *moves;
	struct scopa_text text;
	int count = list_moves(table, &moves);

	assert_in_range(index, 0, count - 1);
	scopa_text_init(&text, bytes, sizeof(bytes));
	scopa_move_format(&moves[index], &text);
	return bytes;
}

void
table_answer(struct table *table, const char *move)
{
	int seat = table_turn(table);
	char line[256];

	assert_true(seat >= 0);
	snprintf(line, sizeof(line), "move %s turn=%s", move,
	    table_turn_id(table, seat));
	table_say(table, seat, line);
}

void
table_step(struct table *table)
{
	struct scopa_move *moves;
	int count = list_moves(table, &moves);

	table_answer(table,
	    table_move(table, support_random_below(&table->random, count)));
}

void
table_steps(struct table *table, int count)
{
	for (int i = 0; i < count; i++)
		table_step(table);
}

void
table_finish(struct table *table)
{
	while (!table_over(table))
		table_step(table);
}
