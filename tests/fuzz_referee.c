/*
 * The referee under scripts of what bots may do.  A script is a table, then
 * steps with a `;` between them; what cannot be done is passed over:
 *
 *	SEAT start, SEAT+ ready, SEAT>LINE, SEAT! bytes that are no line,
 *	SEAT* flood, SEAT- exit, . a legal move, w wait, a abort, n next game
 *
 * Beside what the table itself checks, the games must have whole records.
 */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "table.h"

enum { STEPS_MAX = 400 };

static const char *const specs[] = { "scopa", "scopone", "scopa,players=3",
	"cirulla,declare=ask", "scopa,teams=ABCABC", "escoba,teams=ABCDEF",
	"trente,count=at-once", "cirulla,declare=auto,players=3" };

static const char *const controls[] = { "none", "move:1", "match:2+0.1",
	"deal:1+0" };

/* A game that is over ends its record; the next one begins. */
static void
next_game(struct table *table)
{
	static const int turned[] = { 1, 2, 3, 4, 5, 0 };
	int from[SCOPA_SEATS_MAX];
	const char *record = table_recorded(table);

	assert(table_count(record, "match *") == 1);
	assert(table_count(record, "endmatch *") == 1);
	for (int seat = 0; seat < SCOPA_SEATS_MAX; seat++)
		from[seat] = turned[seat] % table->rules.players;
	table_reseat(table, from);
}

/* What one bot does; `text` begins behind its number. */
static void
step_seat(struct table *table, int seat, const char *text)
{
	bool absent =
	    table->referee.seats[seat].session.phase == SESSION_ABSENT;

	switch (text[0]) {
	case '\0':
		if (absent)
			table_start(table, seat);
		break;
	case '+':
		if (absent)
			table_start_ready(table, seat);
		break;
	case '>':
		table_say(table, seat, text + 1);
		break;
	case '!':
		table_flaw(table, seat, "\\x00");
		break;
	case '*':
		table_flood(table, seat);
		break;
	case '-':
		table_exit(table, seat, "EXIT(0)");
		break;
	default:
		break;
	}
}

static void
step(struct table *table, const char *text)
{
	if (text[0] >= '1' && text[0] < '1' + table->rules.players)
		step_seat(table, text[0] - '1', text + 1);
	else if (text[0] == '.' && table_turn(table) >= 0)
		table_step(table);
	else if (text[0] == 'w')
		table_wait(table, 500 * TABLE_MS);
	else if (text[0] == 'a')
		table_abort(table, "interrupted");
	else if (text[0] == 'n' && table_over(table))
		next_game(table);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct table_order order = { .deals = 1, .seed = size };
	struct table *table;
	char script[4096], *rest = script, *text;

	if (size < 3 || size >= sizeof(script))
		return 0;
	/* A bot's line has no such bytes: the host would call it a flaw. */
	for (size_t i = 0; i < size; i++)
		script[i] =
		    data[i] >= 0x20 && data[i] <= 0x7E ? (char)data[i] : '\t';
	script[size] = '\0';
	order.spec = specs[data[0] % (sizeof(specs) / sizeof(specs[0]))];
	order.tc = controls[data[1] % (sizeof(controls) / sizeof(controls[0]))];
	order.policy = (enum verdict_policy)(data[2] % POLICY_COUNT);
	table = table_open(&order);
	rest += 3;
	for (int i = 0; i < STEPS_MAX && (text = strsep(&rest, ";")); i++)
		step(table, text);
	table_close(table);
	return 0;
}
