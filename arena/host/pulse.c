#include "pulse.h"

#include <stdbool.h>
#include <stddef.h>

void
pulse_list_init(struct pulse_list *list)
{
	TAILQ_INIT(&list->pulses);
	list->next = NULL;
	list->beat_ns = 0;
}

void
pulse_add(struct pulse_list *list, struct pulse *pulse)
{
	TAILQ_INSERT_TAIL(&list->pulses, pulse, link);
}

void
pulse_remove(struct pulse_list *list, struct pulse *pulse)
{
	if (list->next == pulse)
		list->next = TAILQ_NEXT(pulse, link);
	TAILQ_REMOVE(&list->pulses, pulse, link);
}

void
pulse_tell(struct pulse_list *list, int64_t now_ns, int64_t lag_ns)
{
	bool late = lag_ns > PULSE_LATE_NS, beat = now_ns >= list->beat_ns;
	struct pulse *pulse;

	if (!late && !beat)
		return;
	if (beat)
		list->beat_ns = now_ns + PULSE_BEAT_NS;
	list->next = TAILQ_FIRST(&list->pulses);
	while ((pulse = list->next) != NULL) {
		list->next = TAILQ_NEXT(pulse, link);
		/* Whoever is told of a lag may be gone then. */
		if (late && pulse->on_late)
			pulse->on_late(pulse, now_ns, lag_ns);
		else if (pulse->on_beat)
			pulse->on_beat(pulse, now_ns);
	}
}
