/*
 * UTC as text.
 */
#include "clock.h"

#include <stdlib.h>
#include <time.h>

#include "test.h"

TEST(test_utc_is_rfc_3339_and_independent_of_the_time_zone)
{
	char text[CLOCK_UTC_SIZE], shape[CLOCK_UTC_SIZE];
	struct tm parts = { 0 };
	struct timespec now;

	setenv("TZ", "Asia/Kathmandu", 1);
	tzset();
	clock_utc(text);
	/*
	 * time() uses the clock of the last tick, which may be one second less.
	 */
	clock_gettime(CLOCK_REALTIME, &now);
	unsetenv("TZ");
	tzset();
	for (size_t i = 0; i < CLOCK_UTC_SIZE; i++)
		shape[i] = text[i] >= '0' && text[i] <= '9' ? '9' : text[i];
	assert_string_equal(shape, "9999-99-99T99:99:99.999Z");
	assert_non_null(strptime(text, "%Y-%m-%dT%H:%M:%S", &parts));
	/* The text is not too old, even on a slow machine. */
	assert_true(timegm(&parts) <= now.tv_sec);
	assert_true(timegm(&parts) > now.tv_sec - 600);
}
