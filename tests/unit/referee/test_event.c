/*
 * The event grammar: every line read and written back, and every way in which
 * one can be wrong.
 */
#include "event.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

#define PACK                                                                   \
	"AS7DJS5DAB3CKSJD5B5C2B6D6C6S6B4S2D7S3SAC4CQD4DADKBJBKCJC7C3DQC4BKD2C" \
	"2S7BQBQS3B5S"
#define KEY "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef"
#define RULES                                                                \
	"rules players=2 teams=AB hand=3 table=4 redeal=kings3 capture=sum " \
	"equal-fifteen=no priority=single max-captured=0 ace=plain "         \
	"ace-scopa=yes ace-empty=stay cirulla-ace=choice "                   \
	"cirulla-equal=choice last-scopa=no leftovers=last "                 \
	"items=cards+coins+settebello+primiera scopa=1 primiera-six=18 "     \
	"primiera-missing=all4 napola=none re-bello=no ponino=no trente=no " \
	"frac=no frac-tie=none all-coins=no sevens=none piccola=0 grande=0 " \
	"opening=off declare=off matta=hand aim=most target=11 count=end "   \
	"rotation=with"

/* One or more lines of each event as they are written, kind by kind. */
static const char *const canonical[] = {
	"match m1 rules=scopa seats=2 teams=AB target=11 pack=it40 "
	"tc=move:10000 seeds=5d1f0c2e9a7b3c48,03c6a1e4b7d9f250",
	"match m%201 rules=cirulla,declare=ask seats=6 teams=ABCABC "
	"target=9999 deals=3 pack=it40 tc=none",
	"match m2 rules=scopa seats=2 teams=AB you=2 target=11 pack=it40 "
	"tc=match:60000+100 seed=03c6a1e4b7d9f250",
	"tag utc=2025-01-31T18:30:00Z tool=scopa-arena/0.1.0 event=a%20b",
	RULES,
	"seat 1 team=A name=greedy version=1.0",
	"seat 6 team=C name=b%20#%25",
	"seat 2 team=B name=oracle version=1 sees=all",
	"pack 1 cards=" PACK,
	"pack 12 redeal=2 alg=scopa-arena-deal-v1 seed=" KEY " cards=" PACK,
	"deal 1 dealer=2 first=1 scores=A:0,B:0",
	"deal 77 dealer=6 first=1 scores=A:0,B:-3,C:11,D:0,E:1,F:999999",
	"redeal reason=kings",
	"table AS5D7DJS",
	"table -",
	"give 1 AB3CKS",
	"give 6 ??????",
	"sweep 2 2C3C4D6B scopa=1 reason=fifteen",
	"sweep 2 2C3C7DJS scopa=2 reason=thirty",
	"declare 1 low points=3",
	"declare 1 low:A points=3 t=0.000007",
	"declare 2 three:K points=10",
	"show 1 2D3S7C",
	"play 1 KBxKS scopa=1",
	"play 2 7D",
	"play 2 7Dx3C4S t=0.071000",
	"play 3 ADxASABKDKC scopa=1 t=12.345678",
	"play 4 2C by=arena cause=timeout",
	"info 1 depth=3 value=-0.31 m.worlds=64 # close # call",
	"info 2 x",
	"offence 1 kind=illegal reason=bad-sum policy=substitute strikes=2 "
	"said=move%207Dx3C",
	"offence 2 kind=crash reason=EXIT(3) policy=forfeit",
	"void 2 lag=0.251000",
	"void 6 lag=86400.000001",
	"ponder 1 cpu=0.100000 wall=1.999999",
	"rest 2 5SJCQB",
	"score A points=3 total=14 cards=19:0 coins=3:0 settebello=1:1 "
	"primiera=84:1 scope=1:1",
	"score F points=0 total=-2 frac=0:0 frac-king=1:0 all-coins=0:0",
	"enddeal 1",
	"abort deal reason=interrupted",
	"abort match reason=forfeit",
	"endmatch m1 scores=A:15,B:7 winner=A reason=target",
	"endmatch m1 scores=A:7,B:7,C:7 winner=- reason=deals",
	"endmatch m1 scores=A:7,B:7,C:7 winner=- you=draw reason=deals",
	"endmatch m1 scores=A:7,B:8 winner=B you=loss reason=deals",
	"endmatch m1 scores=A:0,B:9,C:9 winner=- reason=forfeit by=A",
	"sum lines=61 sha256=" KEY,
};

enum { CANONICAL_COUNT = COUNTOF(canonical) };

static struct event event;
static char why_bytes[512];

static enum event_parse
parse(const char *line)
{
	struct scopa_text why;

	memset(&event, 0xA5, sizeof(event));
	scopa_text_init(&why, why_bytes, sizeof(why_bytes));
	return event_parse(line, strlen(line), &event, &why);
}

static void
must_parse(const char *line)
{
	if (parse(line) != EVENT_PARSED)
		fail_msg("%s: %s", line, why_bytes);
}

static const char *
format(const struct event *written)
{
	static char bytes[EVENT_LINE_SIZE];
	struct scopa_text text;

	scopa_text_init(&text, bytes, sizeof(bytes));
	event_format(written, &text);
	assert_false(text.cut);
	return bytes;
}

static void
assert_reads_as(const char *line, const char *wanted)
{
	must_parse(line);
	assert_string_equal(format(&event), wanted);
}

TEST(test_every_event_is_written_as_it_was_read)
{
	unsigned kinds = 0;

	for (int i = 0; i < CANONICAL_COUNT; i++) {
		assert_reads_as(canonical[i], canonical[i]);
		assert_string_equal(why_bytes, "");
		kinds |= 1u << event.kind;
	}
	assert_int_equal(kinds, (1u << EVENT_KIND_COUNT) - 1);
}

TEST(test_pairs_may_stand_in_any_order_and_unknown_keys_are_skipped)
{
	static const struct {
		const char *line, *wanted, *why;
	} cases[] = {
		/* The last of a key counts. */
		{ "play 1 KBxKS t=1.5 scopa=1 t=2.5",
		    "play 1 KBxKS scopa=1 t=2.500000", "" },
		{ "deal 2 scores=A:1,B:2 first=2 dealer=1",
		    "deal 2 dealer=1 first=2 scores=A:1,B:2", "" },
		{ "score B scope=2:2 total=2 cards=20:0 points=2",
		    "score B points=2 total=2 cards=20:0 scope=2:2", "" },
		{ "play 1 7Dx4S3C", "play 1 7Dx3C4S", "" },
		{ "table KDAC", "table ACKD", "" },
		{ "play 1 7D mood=good scopa=1 extra", "play 1 7D scopa=1",
		    "skipped: mood, extra" },
		{ "enddeal 1 x-a=1 x-b=2", "enddeal 1", "skipped: x-a, x-b" },
		{ "give 1 AB3CKS points=3", "give 1 AB3CKS",
		    "skipped: points" },
		{ "redeal reason=kings colour=red", "redeal reason=kings",
		    "skipped: colour" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++) {
		assert_reads_as(cases[i].line, cases[i].wanted);
		assert_string_equal(why_bytes, cases[i].why);
	}
}

TEST(test_other_verbs_are_no_events)
{
	static const char *const lines[] = { "", "  # play 1 7D", "go turn=1",
		"state rules=scopa", "legal 7D", "Play 1 7D", "plays 1 7D",
		"pla", "%scopa-record 1", "move 7D", "error unknown" };

	for (size_t i = 0; i < COUNTOF(lines); i++)
		assert_int_equal(parse(lines[i]), EVENT_UNKNOWN);
}

TEST(test_values_out_of_their_range_are_refused_with_a_reason)
{
	static const char *const lines[] = { "match m seats=7",
		"match rules=scopa", "match m%00", "match m% rules=scopa",
		"match m seats=2 teams=BA", "match m target=0",
		"match m target=10000", "match m you=7", "match m deals=0",
		"match m seats=2 seeds=0123456789abcdef",
		"match m seats=2 you=1 seed=123", "match m seats=2 seeds=,",
		"rules hand=5", "rules hand", "rules colour=red",
		"seat 0 team=A name=x", "seat 7 team=A name=x",
		"seat 1 team=G name=x", "seat 1 team=AB name=x",
		"seat one team=A name=x", "pack 0 cards=" PACK, "pack 1",
		"pack 1 cards=7D", "pack 1 cards=" PACK "7D",
		"pack 1 seed=12 cards=" PACK, "deal 0 dealer=1",
		"deal 1 dealer=7", "deal 1 dealer=1 first=0",
		"deal 1 scores=B:0,A:0", "deal 1 scores=A:0,",
		"deal 1 scores=A", "deal 1 scores=A:x",
		"deal 1 scores=A:0,B:0,C:0,D:0,E:0,F:0,G:0",
		"deal 1 scores=A:1000001", "table 7", "table 7X", "table 7D7D",
		"table ???", "table 7D??", "give 1", "give 1 7d", "give 9 7D",
		"sweep 1 7D", "sweep 1 7D scopa=3", "sweep 1 7D scopa=0",
		"declare 1 high points=3", "declare 1 !low points=3",
		"declare 1 low:11", "declare 1 low points=11",
		"declare 1 threethreethreethree", "play 1 7Dx", "play 1 xx",
		"play 1 !low", "play 1 7Dx3C3C", "play 1 7Dx7D",
		"play 1 7D scopa=2", "play 1 7D t=1,5", "play 1 7D t=-1",
		"play 1 7D t=1.0123456789", "play 1 7D t=1000001",
		"play 1 7D by=me", "offence 1 strikes=0", "void 1",
		"void 1 lag=-1", "ponder 1 cpu=1", "ponder 1 wall=1",
		"void 0 lag=1", "score A points=1", "score A total=1",
		"score AA points=1 total=1", "score A points=-1 total=1",
		"score A points=1 total=1 cards=1",
		"score A points=1 total=1 cards=1:",
		"score A points=1 total=1 x=1:1",
		"score A points=1 total=1 cards=10000:1", "enddeal 0",
		"enddeal one", "abort game reason=x", "endmatch m scores=A:0",
		"endmatch m winner=A you=A", "endmatch m winner=G",
		"endmatch m winner=- by=-",
		"endmatch m scores=A:0,C:0 winner=A", "sum lines=1",
		"sum lines=-1 sha256=" KEY, "sum sha256=" KEY,
		"sum lines=1 sha256=0" KEY, "info 0 x", "info x y" };

	for (size_t i = 0; i < COUNTOF(lines); i++) {
		if (parse(lines[i]) != EVENT_BAD)
			fail_msg("\"%s\" was taken", lines[i]);
		if (why_bytes[0] == '\0')
			fail_msg("\"%s\" was refused silently", lines[i]);
	}
}

TEST(test_texts_that_do_not_fit_are_refused)
{
	char line[EVENT_LINE_SIZE], longest[EVENT_LINE_SIZE];

	snprintf(line, sizeof(line), "seat 1 team=A name=%063d", 0);
	must_parse(line);
	snprintf(line, sizeof(line), "seat 1 team=A name=%064d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
	snprintf(longest, sizeof(longest), "info 1 %04095d", 0);
	assert_reads_as(longest, longest);
	snprintf(line, sizeof(line), "info 1 %04096d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
	snprintf(line, sizeof(line), "redeal reason=%032d", 0);
	assert_int_equal(parse(line), EVENT_BAD);
}

/* What a seat of four, ABAB, receives of a line; `-` for nothing. */
static const char *
seen(const char *line, int seat)
{
	const struct scopa_rules rules = scopa_preset_find("scopone")->rules;
	static struct event redacted;

	must_parse(line);
	memset(&redacted, 0x5A, sizeof(redacted));
	if (!event_redact(&event, &rules, seat, &redacted))
		return "-";
	return format(&redacted);
}

TEST(test_record_only_lines_reach_nobody)
{
	int hidden = 0;

	for (int i = 0; i < CANONICAL_COUNT; i++) {
		bool nobody = true;

		for (int seat = 0; seat < 4; seat++)
			nobody &= strcmp(seen(canonical[i], seat), "-") == 0;
		assert_int_equal(nobody, event_is_record_only(event.kind));
		hidden += nobody;
	}
	/* tag, 2 pack, 2 info, 2 offence, 2 void, ponder, sum */
	assert_int_equal(hidden, 11);
}

TEST(test_seats_hear_what_they_may_know)
{
	static const struct {
		int seat;
		const char *line, *seen;
	} cases[] = {
		/* Hands are seen by their seat alone. */
		{ 1, "give 2 AB3CKS", "give 2 AB3CKS" },
		{ 0, "give 2 AB3CKS", "give 2 ??????" },
		{ 2, "give 2 AB3CKS", "give 2 ??????" },
		{ 3, "give 2 AB3CKS", "give 2 ??????" },
		{ 3, "give 2 7D", "give 2 ??" },
		/* No times, no versions, no seeds of others. */
		{ 0, "play 1 7D scopa=1 t=0.5", "play 1 7D scopa=1" },
		{ 0, "declare 1 low points=3 t=0.5", "declare 1 low points=3" },
		{ 3, "play 2 7D by=arena cause=crash",
		    "play 2 7D by=arena cause=crash" },
		{ 2, "seat 1 team=A name=x version=9 sees=all",
		    "seat 1 team=A name=x" },
		{ 2,
		    "match m rules=scopone seats=4 teams=ABAB target=21 "
		    "pack=it40 tc=none seeds=000000000000000a,000000000000000b,"
		    "000000000000000c,000000000000000d",
		    "match m rules=scopone seats=4 teams=ABAB you=3 target=21 "
		    "pack=it40 tc=none seed=000000000000000c" },
		/* Who has won from the side of each team. */
		{ 1, "endmatch m scores=A:1,B:2 winner=B reason=deals",
		    "endmatch m scores=A:1,B:2 winner=B you=win reason=deals" },
		{ 2, "endmatch m scores=A:1,B:2 winner=B reason=deals",
		    "endmatch m scores=A:1,B:2 winner=B you=loss "
		    "reason=deals" },
		{ 3, "endmatch m scores=A:1,B:1 winner=- reason=deals",
		    "endmatch m scores=A:1,B:1 winner=- you=draw "
		    "reason=deals" },
		{ 0, "endmatch m scores=A:0,B:9 winner=B reason=forfeit by=A",
		    "endmatch m scores=A:0,B:9 winner=B you=loss "
		    "reason=forfeit by=A" },
		/* Who forfeits has lost, also where nobody has won. */
		{ 2, "endmatch m scores=A:0,B:9 winner=- reason=forfeit by=A",
		    "endmatch m scores=A:0,B:9 winner=- you=loss "
		    "reason=forfeit by=A" },
		{ 1, "endmatch m scores=A:0,B:9 winner=- reason=forfeit by=A",
		    "endmatch m scores=A:0,B:9 winner=- you=draw "
		    "reason=forfeit by=A" },
	};

	for (size_t i = 0; i < COUNTOF(cases); i++)
		assert_string_equal(
		    seen(cases[i].line, cases[i].seat), cases[i].seen);
}
