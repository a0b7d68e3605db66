#include "lesson.h"

#include <assert.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

void
lessons_close(struct lessons *lessons)
{
	free(lessons->features);
	free(lessons->targets);
	free(lessons->items);
	*lessons = (struct lessons){ 0 };
}

/* Makes an array longer by half where it is full. */
static void *
grow(void *array, size_t size, size_t *room, size_t needed)
{
	if (needed <= *room)
		return array;
	while (*room < needed)
		*room += *room / 2 + 1024;
	array = reallocarray(array, *room, size);
	if (array == NULL)
		err(5, "cannot learn");
	return array;
}

void
lessons_add(struct lessons *lessons, const struct scopa_rules *rules,
    const struct scopa_deal *deal, const struct scopa_move *moves, int count,
    const float *targets, bool held_out)
{
	struct lesson lesson = {
		.first = lessons->move_count,
		.count = count,
		.family = policy_family_of(rules),
		.phase = policy_phase_of(rules, deal),
		.held_out = held_out,
	};
	size_t room = lessons->move_room;

	lessons->move_count += (size_t)count;
	lessons->features = grow(lessons->features,
	    sizeof(lessons->features[0]), &room, lessons->move_count);
	lessons->targets = grow(lessons->targets, sizeof(targets[0]),
	    &lessons->move_room, lessons->move_count);
	lessons->items = grow(
	    lessons->items, sizeof(lesson), &lessons->room, lessons->count + 1);
	policy_features(
	    rules, deal, moves, count, lessons->features + lesson.first);
	memcpy(lessons->targets + lesson.first, targets,
	    (size_t)count * sizeof(targets[0]));
	lessons->items[lessons->count++] = lesson;
}

bool
lesson_is_choice(const struct scopa_move *moves, int count)
{
	return count > 1 && count <= LESSON_MOVES_MAX &&
	    moves[count - 1].declaration == SCOPA_DECLARE_NOTHING;
}

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
