/*
 * main() of the test programs.
 *
 *	tests [NAME...]     runs these: a file (test_deal) or one test
 *	                    (test_every_refusal_has_its_reason); without a name
 *	                    all.  Each file is a group of cmocka of its own.
 *	tests --list        prints the names of the files, a line each
 *
 * The exit status is 0 where all tests passed, and 2 for an unknown name.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct test *tests, **tests_end = &tests;
static struct test_group *groups;
static struct test_role *roles;

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

void
test_role_register(struct test_role *role)
{
	role->next = roles;
	roles = role;
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
	return strcmp(test->unit.name, name) == 0 ||
	    strcmp(file_name(test->file), name) == 0;
}

static bool
is_chosen(const struct test *test, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (is_named(test, argv[i]))
			return true;
	return argc < 2;
}

/* Whether there is a test for each name. */
static bool
names_are_known(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const struct test *test = tests;

		while (test != NULL && !is_named(test, argv[i]))
			test = test->next;
		if (test == NULL) {
			fprintf(stderr, "no such test: %s\n", argv[i]);
			return false;
		}
	}
	return true;
}

/*
 * Runs the chosen tests of the file of `first`; returns the number of failed
 * tests.  The tests of a file follow each other in the list.
 */
static int
run_file(const struct test *first, int argc, char **argv)
{
	const struct test_group *group = groups;
	struct CMUnitTest *chosen;
	size_t count = 0;
	int failed = 0;

	for (const struct test *test = first;
	     test != NULL && test->file == first->file; test = test->next)
		count++;
	chosen = calloc(count, sizeof(*chosen));
	if (chosen == NULL)
		return 1;
	count = 0;
	while (group != NULL && strcmp(group->file, first->file) != 0)
		group = group->next;
	for (const struct test *test = first;
	     test != NULL && test->file == first->file; test = test->next) {
		if (!is_chosen(test, argc, argv))
			continue;
		chosen[count] = test->unit;
		if (group != NULL && test->unit.setup_func == NULL)
			chosen[count].setup_func = group->before_each;
		if (group != NULL && test->unit.teardown_func == NULL)
			chosen[count].teardown_func = group->after_each;
		count++;
	}
	if (count > 0)
		failed = _cmocka_run_group_tests(file_name(first->file), chosen,
		    count, group == NULL ? NULL : group->setup,
		    group == NULL ? NULL : group->teardown);
	free(chosen);
	return failed;
}

int
main(int argc, char **argv)
{
	const char *file = NULL;
	bool listed = argc == 2 && strcmp(argv[1], "--list") == 0;
	int failed = 0;

	for (const struct test_role *role = roles; role != NULL;
	     role = role->next)
		if (role->is(argc, argv))
			return role->run(argc, argv);
	if (!listed && !names_are_known(argc, argv))
		return 2;
	for (const struct test *test = tests; test != NULL; test = test->next) {
		if (file != NULL && strcmp(file, test->file) == 0)
			continue;
		file = test->file;
		if (listed)
			puts(file_name(file));
		else
			failed += run_file(test, argc, argv);
	}
	return failed == 0 ? 0 : 1;
}
