#include "lesson.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
lessons_open(struct lessons *lessons)
{
	*lessons = (struct lessons){ 0 };
}

void
lessons_close(struct lessons *lessons)
{
	free(lessons->features);
	free(lessons->targets);
	free(lessons->items);
	*lessons = (struct lessons){ 0 };
}

/* Makes an array longer by half where it is full: 0 or -ENOMEM. */
static int
grow(void **array, size_t size, size_t *room, size_t needed)
{
	size_t more = *room;
	void *longer;

	while (more < needed)
		more += more / 2 + 1024;
	longer = reallocarray(*array, more, size);
	if (longer == NULL)
		return -ENOMEM;
	*array = longer;
	*room = more;
	return 0;
}

int
lessons_add(struct lessons *lessons, struct lesson lesson, int count,
    float (*features)[POLICY_FEATURE_COUNT], const float *targets)
{
	size_t moves = lessons->move_count + (size_t)count;
	size_t room = lessons->move_room;
	void *array = lessons->features;

	if (moves > room) {
		if (grow(&array, sizeof(features[0]), &room, moves))
			return -ENOMEM;
		lessons->features = array;
		array = lessons->targets;
		room = lessons->move_room;
		if (grow(&array, sizeof(targets[0]), &room, moves))
			return -ENOMEM;
		lessons->targets = array;
		lessons->move_room = room;
	}
	array = lessons->items;
	if (lessons->count == lessons->room &&
	    grow(&array, sizeof(lesson), &lessons->room, lessons->count + 1))
		return -ENOMEM;
	lessons->items = array;
	lesson.first = lessons->move_count;
	lesson.count = count;
	memcpy(lessons->features + lesson.first, features,
	    (size_t)count * sizeof(features[0]));
	memcpy(lessons->targets + lesson.first, targets,
	    (size_t)count * sizeof(targets[0]));
	lessons->move_count = moves;
	lessons->items[lessons->count++] = lesson;
	return 0;
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
