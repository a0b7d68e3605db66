/*
 * Misbehaviours of resources: a bot that uses as much of a resource as it can.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faulty_bot.h"

enum {
	/* A limit of the bot itself, in case there is no other. */
	BOMB_MAX = 3000,
	BREED_MAX = 20000,
	THREADS = 200,
	STACK_SIZE = 1 << 19,
	ZOMBIES = 60,
	DESCRIPTORS_MAX = 100000,
	CHUNK = 1 << 20,
	CHUNKS = 768,
	FILES = 200,
	PATH_SIZE = 256
};

/* A counter that is shared with all children. */
static int *
shared_count(void)
{
	void *count = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return count == MAP_FAILED ? NULL : count;
}

/* All processes fork as long as they can, and none ends. */
FAULTY_ACTION(bomb)
{
	int *count = shared_count();

	while (count != NULL &&
	    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST) < BOMB_MAX)
		if (fork() < 0)
			faulty_sleep_ms(1);
	faulty_sleep_for_ever();
}

/*
 * Each process has one child and ends, so that no process lives long enough to
 * be killed.
 */
FAULTY_ACTION(breed)
{
	if (fork() != 0)
		_exit(0);
	for (int i = 0; i < BREED_MAX; i++)
		if (fork() > 0)
			_exit(0);
	faulty_sleep_for_ever();
}

static void *
sleep_in_a_thread(void *context)
{
	(void)context;
	faulty_sleep_for_ever();
}

FAULTY_ACTION(start_threads)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(
			&thread, &attributes, sleep_in_a_thread, NULL) != 0)
			break;
	pthread_attr_destroy(&attributes);
	return FAULTY_HONESTLY;
}

/* Uses memory, chunk by chunk, and never frees it. */
FAULTY_ACTION(fill_memory)
{
	for (int i = 0; i < CHUNKS; i++) {
		char *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (chunk == MAP_FAILED)
			break;
		memset(chunk, i + 1, CHUNK);
	}
	faulty_sleep_for_ever();
}

/* The same in a file without a name. */
FAULTY_ACTION(fill_hidden_file)
{
	static char chunk[CHUNK];
	int fd = memfd_create("scopa-misbehaviour", MFD_CLOEXEC);

	signal(SIGXFSZ, SIG_DFL);
	memset(chunk, 'x', sizeof(chunk));
	for (int i = 0; i < CHUNKS; i++)
		if (!faulty_write(fd, chunk, sizeof(chunk)))
			break;
	faulty_sleep_for_ever();
}

/* An endless recursion; the condition only prevents warnings of compilers. */
static int
descend(volatile char *above)
{
	volatile char here[CHUNK / 64];

	here[0] = *above;
	return *above != 0 ? 0 : descend(here) + here[0];
}

FAULTY_ACTION(recurse)
{
	char start = 0;

	/* A sanitizer would exit instead. */
	signal(SIGSEGV, SIG_DFL);
	descend(&start);
	return FAULTY_SILENTLY;
}

FAULTY_ACTION(use_up_descriptors)
{
	for (int i = 0; i < DESCRIPTORS_MAX; i++)
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			break;
	return FAULTY_HONESTLY;
}

static const char *const folders[] = { ".", "/tmp", "/var/tmp", "/dev/shm",
	"/run", "/" };

/*
 * Makes as many and as large files as it can; returns 1 if one of them existed.
 */
static int
fill_folder(const char *folder)
{
	static char chunk[CHUNK];
	char path[PATH_SIZE];
	int found = 0;

	for (int i = 0; i < FILES; i++) {
		int fd;

		snprintf(
		    path, sizeof(path), "%s/scopa-misbehaviour-%d", folder, i);
		found |= access(path, F_OK) == 0;
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR);
		if (fd < 0)
			return found;
		if (i == 0)
			for (int k = 0; k < CHUNKS; k++)
				if (!faulty_write(fd, chunk, sizeof(chunk)))
					break;
		close(fd);
	}
	return found;
}

FAULTY_ACTION(fill_disk)
{
	/* The write must return an error, and not end the bot. */
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < FAULTY_COUNTOF(folders); i++)
		fill_folder(folders[i]);
	return FAULTY_HONESTLY;
}

/*
 * Leaves a file in each folder it can write, and exits with 7 if it finds one
 * of an earlier process.
 */
FAULTY_ACTION(leave_note)
{
	char path[PATH_SIZE];

	for (size_t i = 0; i < FAULTY_COUNTOF(folders); i++) {
		int fd;

		snprintf(path, sizeof(path), "%s/scopa-misbehaviour-note",
		    folders[i]);
		if (access(path, F_OK) == 0)
			_exit(7);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR);
		if (fd >= 0)
			close(fd);
	}
	return FAULTY_HONESTLY;
}

FAULTY_ACTION(leave_zombies)
{
	for (int i = 0; i < ZOMBIES; i++)
		if (fork() == 0)
			_exit(0);
	return FAULTY_HONESTLY;
}

const struct misbehaviour misbehaviours_of_resources[] = {
	FAULTY_TURN("F069", "bomb", bomb),
	FAULTY_TURN("F070", "rabbits", breed),
	FAULTY_TURN("F071", "many-threads", start_threads),
	FAULTY_TURN("F072", "heap", fill_memory),
	FAULTY_TURN("F073", "hidden-file", fill_hidden_file),
	FAULTY_TURN("F074", "recursion", recurse),
	FAULTY_TURN("F075", "descriptors", use_up_descriptors),
	FAULTY_TURN("F076", "files", fill_disk),
	FAULTY_TURN("F077", "zombies", leave_zombies),
	FAULTY_TURN("F094", "leaves-note", leave_note),
	{ .id = NULL },
};
