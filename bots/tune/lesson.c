#include "lesson.h"

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
