#include "bench_start.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "process.h"

enum { PATIENCE_MS = 10000, ANSWER_SIZE = 4096 };

/* Waits for the answer to `isready`. */
static int
wait_ready(int fd)
{
	char answer[ANSWER_SIZE];
	size_t size = 0;

	while (size < sizeof(answer) - 1) {
		struct pollfd wait = { .fd = fd, .events = POLLIN };
		ssize_t got;

		if (poll(&wait, 1, PATIENCE_MS) != 1)
			return -ENODATA;
		got = read(fd, answer + size, sizeof(answer) - 1 - size);
		if (got <= 0)
			return -ENODATA;
		size += (size_t)got;
		answer[size] = '\0';
		if (strstr(answer, "readyok\n") != NULL)
			return 0;
	}
	return -ENODATA;
}

static int
start_once(const struct entrant *entrant, const struct walls *walls,
    int64_t *duration_ns)
{
	static const char words[] = "usp 1\nisready\n";
	const char *arguments[PROGRAM_ARGUMENTS_MAX + 1];
	const struct process_order order = {
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.walls = walls,
	};
	int64_t start_ns = clock_now_ns();
	struct process process;
	struct process_end end;
	int status;

	program_arguments(&entrant->program, arguments);
	status = process_open(&process, &order);
	if (status < 0)
		return status;
	if (write(process.input_fd, words, sizeof(words) - 1) < 0)
		status = -errno;
	else
		status = wait_ready(process.output_fd);
	*duration_ns = clock_now_ns() - start_ns;
	process_kill(&process);
	process_wait(&process, &end);
	process_close(&process);
	return status;
}

static int
compare(const void *one, const void *other)
{
	int64_t first = *(const int64_t *)one, second = *(const int64_t *)other;

	return (first > second) - (first < second);
}

int
bench_start(const struct entrant *entrant, const struct walls *walls, int count,
    int64_t medians_ns[2])
{
	int64_t *durations = calloc((size_t)count * 2, sizeof(*durations));
	int status = durations == NULL ? -ENOMEM : 0;

	for (int i = 0; i < 2 * count && status == 0; i++)
		status = start_once(entrant, i % 2 == 0 ? NULL : walls,
		    &durations[i % 2 * count + i / 2]);
	for (int kind = 0; kind < 2 && status == 0; kind++) {
		int64_t *own = durations + (size_t)kind * (size_t)count;

		qsort(own, (size_t)count, sizeof(*own), compare);
		medians_ns[kind] = own[count / 2];
	}
	free(durations);
	return status;
}
