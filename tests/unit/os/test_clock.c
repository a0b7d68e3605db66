/*
 * The clocks: monotonic time, CPU time and the text of UTC.
 */
#include "clock.h"

#include <stdlib.h>
#include <time.h>

#include "test.h"

TEST(test_time_never_goes_back)
{
	int64_t before_ns = clock_now_ns();

	assert_true(before_ns > 0);
	for (int i = 0; i < 100000; i++) {
		int64_t now_ns = clock_now_ns();

		assert_true(now_ns >= before_ns);
		before_ns = now_ns;
	}
}

TEST(test_cpu_time_counts_work_and_not_sleep)
{
	const struct timespec nap = { 0, 20 * CLOCK_NS_PER_MS };
	int64_t start_ns = clock_cpu_ns();
	int64_t slept_ns, worked_ns;

	nanosleep(&nap, NULL);
	slept_ns = clock_cpu_ns() - start_ns;
	assert_true(slept_ns < nap.tv_nsec);
	do {
		worked_ns = clock_cpu_ns() - start_ns;
	} while (worked_ns < 2 * CLOCK_NS_PER_MS);
}

TEST(test_utc_is_rfc_3339_and_knows_no_time_zone)
{
	char text[CLOCK_UTC_SIZE], shape[CLOCK_UTC_SIZE];
	struct tm parts = { 0 };
	time_t now;

	setenv("TZ", "Asia/Kathmandu", 1);
	tzset();
	clock_utc(text);
	now = time(NULL);
	unsetenv("TZ");
	tzset();
	for (size_t i = 0; i < CLOCK_UTC_SIZE; i++)
		shape[i] = text[i] >= '0' && text[i] <= '9' ? '9' : text[i];
	assert_string_equal(shape, "9999-99-99T99:99:99.999Z");
	assert_non_null(strptime(text, "%Y-%m-%dT%H:%M:%S", &parts));
	/* Another second at most has begun, however slow the machine. */
	assert_true(timegm(&parts) <= now);
	assert_true(timegm(&parts) > now - 600);
}
