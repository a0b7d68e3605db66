/*
 * How a test is written: TEST(name) { ... } defines a cmocka test and registers
 * it before main() begins.  All files of a folder are linked into one program;
 * tests/support/test.c holds its main() and says how to choose among its tests.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "countof.h"

/* A registered test; storage of the caller, linked into a list. */
struct test {
	const char *file; /* __FILE__ of the source */
	struct CMUnitTest unit;
	struct test *next;
};

/*
 * Functions that run once before and after the tests of a file, and before and
 * after each test that names no functions of its own; each may be NULL.
 */
struct test_group {
	const char *file;
	CMFixtureFunction setup, teardown;
	CMFixtureFunction before_each, after_each;
	struct test_group *next;
};

void test_register(struct test *test);
void test_group_register(struct test_group *group);

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A test with functions that run before and after it, which may be NULL. */
#define TEST_WITH(name, before, after)                    \
	static void name(void **state);                   \
	TEST_CASE(name, #name, name, before, after, NULL) \
	static void name(void **state __attribute__((unused)))

/* Another test with an existing function: `id` is an unused identifier. */
#define TEST_CASE(id, label, function, before, after, argument)               \
	static void __attribute__((constructor)) id##_register(void)          \
	{                                                                     \
		static struct test test = { __FILE__,                         \
			{ label, function, before, after, argument }, NULL }; \
		test_register(&test);                                         \
	}

/* Used once in a file: functions before its first and after its last test. */
#define TEST_GROUP(before, after) TEST_FIXTURE(before, after, NULL, NULL)

/* Used once in a file: functions before and after each of its tests. */
#define TEST_EACH(before, after) TEST_FIXTURE(NULL, NULL, before, after)

#define TEST_FIXTURE(setup, teardown, before, after)                          \
	static void __attribute__((constructor)) group_register(void)         \
	{                                                                     \
		static struct test_group group = { __FILE__, setup, teardown, \
			before, after, NULL };                                \
		test_group_register(&group);                                  \
	}

#endif
