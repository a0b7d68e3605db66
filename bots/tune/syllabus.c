#include "syllabus.h"

#include <assert.h>

#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

const struct syllabus_row syllabus[] = {
	{ POLICY_SCOPONE, "scientifico", 5 },
	{ POLICY_SCOPONE, "scopone", 5 },
	{ POLICY_SCOPONE, "trente", 1 },
	{ POLICY_SCOPONE, "trentino", 1 },
	{ POLICY_PAIR, "scopa", 6 },
	{ POLICY_PAIR, "napola", 1 },
	{ POLICY_PAIR, "assi", 1 },
	{ POLICY_PAIR, "re-bello", 1 },
	{ POLICY_PAIR, "frac", 1 },
	{ POLICY_PAIR, "perdere", 1 },
	{ POLICY_CROWD, "scopa,players=3", 6 },
	{ POLICY_CROWD, "napola,players=3", 1 },
	{ POLICY_CROWD, "scopa,players=4,teams=ABCD", 2 },
	{ POLICY_CROWD, "scopa,players=6,teams=ABCDEF", 1 },
	{ POLICY_PARTNERS, "scopa,players=4,teams=ABAB", 4 },
	{ POLICY_PARTNERS, "napola,players=4,teams=ABAB", 1 },
	{ POLICY_PARTNERS, "scopa,players=6,teams=ABABAB", 1 },
	{ POLICY_PARTNERS, "scopa,players=6,teams=ABCABC", 1 },
	{ POLICY_FIFTEEN, "escoba", 5 },
	{ POLICY_FIFTEEN, "quindici", 1 },
	{ POLICY_FIFTEEN, "escoba,players=3", 1 },
	{ POLICY_FIFTEEN, "escoba,players=4,teams=ABAB", 1 },
	{ POLICY_CIRULLA, "cirulla", 5 },
	{ POLICY_CIRULLA, "cirulla,players=3", 1 },
	{ POLICY_CIRULLA, "cirulla,players=4,teams=ABAB", 1 },
};
const int syllabus_count = COUNTOF(syllabus);

void
syllabus_rules(enum policy_family family, int number, struct scopa_rules *rules)
{
	struct scopa_text why;
	char bytes[128];
	int shares = 0, row = 0;
	bool good;

	for (int i = 0; i < syllabus_count; i++)
		if (syllabus[i].family == family)
			shares += syllabus[i].share;
	number %= shares;
	while (
	    syllabus[row].family != family || number >= syllabus[row].share) {
		if (syllabus[row].family == family)
			number -= syllabus[row].share;
		row++;
	}
	scopa_text_init(&why, bytes, sizeof(bytes));
	good = scopa_rules_parse(rules, syllabus[row].spec, &why);
	assert(good);
	(void)good;
}
