/*
 * main() of the test programs.
 *
 *	tests [NAME]        runs a file (test_deal) or one test
 *	                    (test_every_refusal_has_its_reason); without a name
 *	                    all.  Each file is a group of cmocka of its own.
 *
 * The exit status is 0 where all tests passed, and 2 for an unknown name.  A
 * test program is also the launcher and the bots that its tests start: see
 * child.h.
 */
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"

enum { FILE_TESTS_MAX = 256 };

static struct test *tests, **tests_end = &tests;
static struct test_group *groups;

void
test_register(struct test *test)
{
	*tests_end = test;
	tests_end = &test->next;
}

void
test_group_register(struct test_group *group)
{
	group->next = groups;
	groups = group;
}

/* test_deal of tests/unit/engine/test_deal.c; valid until the next call. */
static const char *
file_name(const char *path)
{
	static char name[128];
	const char *slash = strrchr(path, '/');

	snprintf(name, sizeof(name), "%s", slash == NULL ? path : slash + 1);
	name[strcspn(name, ".")] = '\0';
	return name;
}

static bool
is_named(const struct test *test, const char *name)
{
	return name == NULL || strcmp(test->unit.name, name) == 0 ||
	    strcmp(file_name(test->file), name) == 0;
}

static const struct test_group *
group_of(const char *file)
{
	static const struct test_group none;

	for (const struct test_group *group = groups; group != NULL;
	     group = group->next)
		if (strcmp(group->file, file) == 0)
			return group;
	return &none;
}

static pid_t test_process;

/*
 * A test that has failed may leave things in a state in which an assertion of
 * the program fails in its teardown.  cmocka prints why a test has failed only
 * after the teardown, so an abort is one more failure of this test.  Processes
 * that the test has forked end as usual.
 */
static void
on_abort(int number)
{
	if (getpid() == test_process)
		fail_msg("the program was aborted (signal %d)", number);
	signal(SIGABRT, SIG_DFL);
}

static void
fail_on_abort(void)
{
	/* cmocka leaves the handler by a jump, so the signal is not blocked. */
	struct sigaction action = { .sa_handler = on_abort,
		.sa_flags = SA_NODEFER };

	test_process = getpid();
	sigaction(SIGABRT, &action, NULL);
}

int
main(int argc, char **argv)
{
	static struct CMUnitTest chosen[FILE_TESTS_MAX];
	const char *name = argc > 1 ? argv[1] : NULL;
	bool found = false;
	int failed = 0;

	if (child_is(argc, argv))
		return child_run(argc, argv);
	fail_on_abort();
	/* The tests of a file follow each other in the list. */
	for (const struct test *test = tests; test != NULL;) {
		const char *file = test->file;
		const struct test_group *group = group_of(file);
		size_t count = 0;

		for (; test != NULL && test->file == file; test = test->next) {
			struct CMUnitTest *unit = &chosen[count];

			if (!is_named(test, name))
				continue;
			assert_true(++count < FILE_TESTS_MAX);
			*unit = test->unit;
			if (unit->setup_func == NULL)
				unit->setup_func = group->before_each;
			if (unit->teardown_func == NULL)
				unit->teardown_func = group->after_each;
		}
		if (count == 0)
			continue;
		found = true;
		failed += _cmocka_run_group_tests(file_name(file), chosen,
		    count, group->setup, group->teardown);
	}
	if (!found)
		fprintf(stderr, "no such test: %s\n", name);
	return !found ? 2 : failed > 0;
}
