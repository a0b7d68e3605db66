/*
 * What the files of descriptors share: pipes, timers, signals, deaths, and
 * what waits for them.
 */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>

struct sim_file;
struct sim_process;

enum { SIM_WATCHES_MAX = 2048, SIM_ATOMIC_SIZE = 4096, SIM_PIPE_SIZE = 65536 };

enum sim_kind {
	SIM_PIPE_OUT,
	SIM_PIPE_IN,
	SIM_TIMER,
	SIM_SIGNALS,
	SIM_DEATH,
	SIM_EPOLL
};

struct sim_pipe {
	char *bytes; /* a ring */
	size_t start, size, capacity;
	int readers, writers;     /* ends that are open */
	bool of_bot;              /* one end is a bot's */
	bool refused;             /* the last write, though there was room */
	uint64_t filled, emptied; /* how often: for watches of changes */
	int64_t changed_ns;
};

struct sim_watch {
	int fd;
	struct sim_file *file;
	struct epoll_event event;
	uint64_t seen;
};

struct sim_file {
	enum sim_kind kind;
	int references;
	struct sim_pipe *pipe;
	struct sim_process *process;
	int64_t due_ns; /* of a timer */
	struct sim_watch *watches;
	int watch_count;
};

struct sim_file *sim_file_make(enum sim_kind kind);

/* A descriptor of the present process for it, and what one stands for. */
int sim_file_number(struct sim_file *file);
struct sim_file *sim_file_at(int fd);

/* Tells who watches it that it has been filled, or emptied. */
void sim_pipe_change(struct sim_pipe *pipe, bool filled);

/* Both ends of a new one: to read from, to write to. */
void sim_pipe_make(struct sim_file *ends[2], bool of_bot, size_t capacity);

/* How many bytes could be taken from it, or put into it. */
size_t sim_pipe_take(struct sim_pipe *pipe, char *bytes, size_t size);
size_t sim_pipe_put(struct sim_pipe *pipe, const char *bytes, size_t size);

/* What is ready: EPOLLIN, EPOLLHUP.. */
uint32_t sim_file_events(const struct sim_file *file);

/* Sets errno; -1. */
int sim_fail(int error);

/* Whether the machine does not do this call as it was meant: in a thousand. */
bool sim_draws(int rate);

#endif
