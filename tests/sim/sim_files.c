/*
 * Open files: pipe ends, timers, signal descriptors and process descriptors. A
 * write of up to SIM_ATOMIC_SIZE bytes is written whole or not at all, as in
 * the real kernel.
 */
#include <errno.h>

#include "sim.h"
#include "sim_file.h"
#include "sim_real.h"

struct sim_file *
sim_file_make(enum sim_kind kind)
{
	struct sim_file *file = __real_calloc(1, sizeof(*file));

	SIM_MUST(file != NULL);
	file->kind = kind;
	file->references = 1;
	file->due_ns = INT64_MAX;
	return file;
}

int
sim_file_number(struct sim_file *file)
{
	struct sim_files *files = sim_files_now();

	for (int i = 0; i < SIM_FILES_MAX; i++) {
		if (files->files[i] == NULL) {
			files->files[i] = file;
			return SIM_FD_FIRST + i;
		}
	}
	sim_bad("too many descriptors");
}

struct sim_file *
sim_file_at(int fd)
{
	struct sim_file *file = NULL;

	if (fd - SIM_FD_FIRST < SIM_FILES_MAX)
		file = sim_files_now()->files[fd - SIM_FD_FIRST];
	if (file == NULL)
		sim_bad("descriptor %d is not open", fd - SIM_FD_FIRST);
	return file;
}

void
sim_pipe_change(struct sim_pipe *pipe)
{
	pipe->changed_ns = sim_machine.now_ns;
}

static void
pipe_drop(struct sim_pipe *pipe, enum sim_kind kind)
{
	if (kind == SIM_PIPE_IN)
		pipe->readers--;
	else
		pipe->writers--;
	sim_pipe_change(pipe);
	if (pipe->readers + pipe->writers > 0)
		return;
	__real_free(pipe->bytes);
	__real_free(pipe);
}

void
sim_file_close(struct sim_file *file)
{
	if (file == NULL || --file->references > 0)
		return;
	if (file->pipe != NULL)
		pipe_drop(file->pipe, file->kind);
	__real_free(file->watches);
	__real_free(file);
}

void
sim_files_copy(struct sim_files *to, const struct sim_files *from)
{
	*to = *from;
	for (int i = 0; i < SIM_FILES_MAX; i++)
		if (to->files[i] != NULL)
			to->files[i]->references++;
}

void
sim_files_close(struct sim_files *files)
{
	for (int i = 0; i < SIM_FILES_MAX; i++) {
		sim_file_close(files->files[i]);
		files->files[i] = NULL;
	}
}

int
sim_files_count(const struct sim_files *files)
{
	int count = 0;

	for (int i = 0; i < SIM_FILES_MAX; i++)
		count += files->files[i] != NULL;
	return count;
}

int64_t
sim_files_due(const struct sim_files *files)
{
	int64_t due_ns = INT64_MAX;

	/* Timers are opened before the bots are started, so they have the
	 * lowest descriptors. */
	for (int i = 0; i < 16; i++)
		if (files->files[i] != NULL && files->files[i]->due_ns < due_ns)
			due_ns = files->files[i]->due_ns;
	return due_ns;
}

void
sim_pipe_make(struct sim_file *ends[2], bool of_bot, size_t capacity)
{
	struct sim_pipe *pipe = __real_calloc(1, sizeof(*pipe));

	SIM_MUST(pipe != NULL);
	pipe->capacity = capacity;
	pipe->bytes = __real_malloc(pipe->capacity);
	SIM_MUST(pipe->bytes != NULL);
	pipe->readers = pipe->writers = 1;
	pipe->of_bot = of_bot;
	ends[0] = sim_file_make(SIM_PIPE_IN);
	ends[1] = sim_file_make(SIM_PIPE_OUT);
	ends[0]->pipe = ends[1]->pipe = pipe;
}

int
sim_pipe_open(struct sim_file **end, bool to_bot)
{
	struct sim_file *ends[2];

	/* A real bot can shrink the pipe that it reads from, so the plan
	 * chooses the size of this pipe. */
	sim_pipe_make(
	    ends, true, to_bot ? sim_machine.plan->pipe_size : SIM_PIPE_SIZE);
	*end = ends[to_bot ? 0 : 1];
	return sim_file_number(ends[to_bot ? 1 : 0]);
}

size_t
sim_pipe_remove(struct sim_pipe *pipe, char *bytes, size_t size)
{
	if (size > pipe->size)
		size = pipe->size;
	for (size_t i = 0; i < size; i++)
		bytes[i] = pipe->bytes[(pipe->start + i) % pipe->capacity];
	pipe->start = (pipe->start + size) % pipe->capacity;
	pipe->size -= size;
	if (size > 0)
		sim_pipe_change(pipe);
	return size;
}

size_t
sim_pipe_put(struct sim_pipe *pipe, const char *bytes, size_t size)
{
	size_t room = pipe->capacity - pipe->size;

	if (size > room)
		size = size <= SIM_ATOMIC_SIZE ? 0 : room;
	for (size_t i = 0; i < size; i++)
		pipe->bytes[(pipe->start + pipe->size + i) % pipe->capacity] =
		    bytes[i];
	pipe->size += size;
	if (size > 0)
		sim_pipe_change(pipe);
	return size;
}

ssize_t
sim_pipe_read(struct sim_file *end, char *bytes, size_t size)
{
	size_t got = sim_pipe_remove(end->pipe, bytes, size);

	return got > 0 ? (ssize_t)got : end->pipe->writers > 0 ? -1 : 0;
}

ssize_t
sim_pipe_write(struct sim_file *end, const char *bytes, size_t size)
{
	size_t put;

	if (end->pipe->readers == 0)
		return 0;
	put = sim_pipe_put(end->pipe, bytes, size);
	return put > 0 ? (ssize_t)put : -1;
}

int64_t
sim_pipe_changed_ns(const struct sim_file *end)
{
	const struct sim_pipe *pipe = end->pipe;

	return pipe->size > 0 || pipe->writers == 0 ? pipe->changed_ns
						    : INT64_MAX;
}

int
sim_process_file(struct sim_process *process)
{
	struct sim_file *file = sim_file_make(SIM_DEATH);

	file->process = process;
	return sim_file_number(file);
}

int
sim_fail(int error)
{
	errno = error;
	return -1;
}

bool
sim_draws(int rate)
{
	return rate > 0 && sim_below(&sim_machine.random, 1000) < rate;
}

uint32_t
sim_file_events(const struct sim_file *file)
{
	const struct sim_pipe *pipe = file->pipe;

	switch (file->kind) {
	case SIM_PIPE_IN:
		return (pipe->size > 0 ? EPOLLIN : 0u) |
		    (pipe->writers == 0 ? EPOLLHUP : 0u);
	case SIM_PIPE_OUT:
		return (pipe->capacity - pipe->size >= SIM_ATOMIC_SIZE
			       ? EPOLLOUT
			       : 0u) |
		    (pipe->readers == 0 ? EPOLLERR : 0u);
	case SIM_TIMER:
		return file->due_ns <= sim_machine.now_ns ? EPOLLIN : 0;
	case SIM_SIGNALS:
		return sim_machine.signal ? EPOLLIN : 0;
	case SIM_DEATH:
		return file->process->dead ? EPOLLIN : 0;
	case SIM_EPOLL:
		break;
	}
	return 0;
}
