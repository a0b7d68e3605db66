/*
 * The probe of the self-test finds out what a process can reach; each layer of
 * the sandbox closes its own part.
 */
#include "self_test.h"

#include <fcntl.h>
#include <unistd.h>

#include "confinement.h"
#include "namespaces.h"
#include "system_calls.h"
#include "test.h"
#include "trial.h"

/* The layers that are entered before the probe. */
struct layers {
	unsigned scopes; /* scopes of Landlock */
	bool filter;
	const char *to_read; /* folder that Landlock allows to read, or NULL */
};

static ino_t namespace_id;

static int
probe_within(void *context)
{
	const struct layers *entered = context;
	struct landlock landlock;
	pid_t arena = getppid();
	int filter = entered->filter ? filter_make() : -1;

	if (entered->scopes != 0) {
		trial_need(landlock_open(&landlock, entered->scopes) == 0);
		if (entered->to_read != NULL)
			trial_need(landlock_allow(&landlock, entered->to_read,
				       FILE_POLICY_READ) == 0);
		trial_need(landlock_enter(&landlock) == 0);
	}
	if (entered->filter)
		trial_need(filter >= 0 && filter_enter(filter) == 0);
	return (int)self_test_probe(arena, namespace_id);
}

static int
exposed_within(struct layers entered)
{
	return trial_run(probe_within, &entered);
}

/* Landlock and filters do not hide the names of files. */
static int
names_open(void)
{
	return access("/sys/kernel", F_OK) == 0 ? EXPOSED_NAMES : 0;
}

static int
enter_filter(void *context)
{
	(void)context;
	return filter_enter(filter_make()) < 0;
}

TEST(test_each_layer_closes_its_own_part)
{
	static const struct {
		struct layers layers;
		int abi; /* the least version of Landlock */
		int closed, unsure;
	} rows[] = {
		{ { .scopes = LANDLOCK_FILES }, LANDLOCK_ABI_FILES,
		    EXPOSED_MEMORY | EXPOSED_FILES | EXPOSED_CREATE, 0 },
		/* A folder that may be read may not be written. */
		{ { .scopes = LANDLOCK_FILES, .to_read = "/" },
		    LANDLOCK_ABI_FILES, EXPOSED_CREATE, EXPOSED_MEMORY },
		/* It also closes memory, except to a privileged process. */
		{ { .scopes = LANDLOCK_SIGNALS }, LANDLOCK_ABI_SCOPE,
		    EXPOSED_SIGNAL, EXPOSED_MEMORY },
		{ { .filter = true }, 0, EXPOSED_SOCKET, 0 },
	};
	int open = exposed_within((struct layers){ 0 }), tried = 0;

	/* Not every file system supports files without a name. */
	assert_int_equal(open | EXPOSED_CREATE,
	    EXPOSED_SIGNAL | EXPOSED_MEMORY | EXPOSED_FILES | EXPOSED_CREATE |
		EXPOSED_SOCKET | names_open());
	for (size_t i = 0; i < COUNTOF(rows); i++) {
		if (landlock_abi() < rows[i].abi ||
		    (rows[i].layers.filter &&
			trial_run(enter_filter, NULL) != 0)) {
			print_message("# not tried here: layer %zu\n", i);
			continue;
		}
		tried++;
		assert_int_equal(
		    exposed_within(rows[i].layers) | rows[i].unsure,
		    (open & ~rows[i].closed) | rows[i].unsure);
	}
	if (tried == 0)
		skip();
}

/* What the first process in namespaces can reach of an arena with this pid. */
static int
probe_of(void *context)
{
	return (int)self_test_probe(*(pid_t *)context, namespace_id);
}

static int
try_from_box(void *context)
{
	return trial_run_boxed(NULL, probe_of, context);
}

TEST(test_pid_of_the_arena_is_no_process_in_namespaces)
{
	pid_t arena = getpid(), first = 1;
	int open = trial_run(try_from_box, &arena);

	if (open == TRIAL_NO_BOX)
		skip();
	assert_int_equal(open & (EXPOSED_SIGNAL | EXPOSED_MEMORY), 0);
	/* In a container the pid of the arena may be 1. */
	open = trial_run(try_from_box, &first);
	assert_int_equal(open & (EXPOSED_SIGNAL | EXPOSED_MEMORY), 0);
}

static int
file_setup(void **state)
{
	(void)state;
	namespace_id = pid_namespace_id();
	return 0;
}

TEST_GROUP(file_setup, NULL)
