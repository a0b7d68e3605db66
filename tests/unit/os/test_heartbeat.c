/*
 * Pulses: when they are told, and who may come and go meanwhile.
 */
#include "loop.h"
#include "test.h"

#define MS INT64_C(1000000)

static struct heartbeat_list list;

/* A heartbeat that counts, and may remove another one. */
struct heart {
	struct heartbeat heartbeat;
	struct heartbeat *removes;
	int heartbeat_count, late_count;
	int64_t now_ns, lag_ns; /* of the last call */
};

static void
heart_remove(struct heart *heart)
{
	if (heart->removes)
		heartbeat_remove(&list, heart->removes);
	heart->removes = NULL;
}

static void
on_heartbeat(struct heartbeat *heartbeat, int64_t now_ns)
{
	struct heart *heart = heartbeat->context;

	heart->heartbeat_count++;
	heart->now_ns = now_ns;
	heart_remove(heart);
}

static void
on_late(struct heartbeat *heartbeat, int64_t now_ns, int64_t lag_ns)
{
	struct heart *heart = heartbeat->context;

	heart->late_count++;
	heart->now_ns = now_ns;
	heart->lag_ns = lag_ns;
	heart_remove(heart);
}

static void
heart_add(struct heart *heart)
{
	*heart = (struct heart){ .heartbeat = {
				     on_heartbeat, on_late, heart, { 0 } } };
	heartbeat_add(&list, &heart->heartbeat);
}

TEST(test_heartbeats_are_reported_no_more_often_than_they_are_due)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heartbeat_notify(&list, 100 * MS, 0);
	assert_int_equal(heart.heartbeat_count, 1);
	heartbeat_notify(&list, 100 * MS + HEARTBEAT_NS - 1, 0);
	assert_int_equal(heart.heartbeat_count, 1);
	heartbeat_notify(&list, 100 * MS + HEARTBEAT_NS, 0);
	assert_int_equal(heart.heartbeat_count, 2);
	assert_true(heart.now_ns == 100 * MS + HEARTBEAT_NS);
}

TEST(test_a_lag_is_reported_above_the_limit_and_at_once)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heartbeat_notify(&list, 1000 * MS, HEARTBEAT_LATE_NS);
	assert_int_equal(heart.late_count, 0);
	heartbeat_notify(&list, 1001 * MS, HEARTBEAT_LATE_NS + 1);
	assert_int_equal(heart.late_count, 1);
	assert_true(heart.now_ns == 1001 * MS);
	assert_true(heart.lag_ns == HEARTBEAT_LATE_NS + 1);
	assert_int_equal(heart.heartbeat_count, 1);
}

TEST(test_calls_that_are_not_wanted_are_left_out)
{
	struct heart heart;

	heartbeat_list_init(&list);
	heart_add(&heart);
	heart.heartbeat.on_heartbeat = NULL;
	heart.heartbeat.on_late = NULL;
	heartbeat_notify(&list, 1000 * MS, 0);
	heartbeat_notify(&list, 2000 * MS, 1000 * MS);
	assert_int_equal(heart.heartbeat_count + heart.late_count, 0);
}

TEST(test_process_that_is_removed_meanwhile_is_not_reported)
{
	struct heart hearts[3];

	for (int i = 0; i < 3; i++) {
		heartbeat_list_init(&list);
		for (int other = 0; other < 3; other++)
			heart_add(&hearts[other]);
		hearts[0].removes = &hearts[i].heartbeat;
		heartbeat_notify(&list, 1000 * MS, i == 1 ? 1000 * MS : 0);
		for (int other = 1; other < 3; other++)
			assert_int_equal(hearts[other].heartbeat_count +
				hearts[other].late_count,
			    other != i);
		heartbeat_notify(&list, 9000 * MS, 0);
		for (int other = 0; other < 3; other++)
			assert_int_equal(hearts[other].heartbeat_count +
				hearts[other].late_count,
			    other != i ? 2 : i == 0);
	}
}
