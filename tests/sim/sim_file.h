/*
 * Open files of the simulated kernel: pipe ends, timers, signal descriptors,
 * process descriptors and epoll instances. A file is counted by references, as
 * several processes may have it open.
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
	char *bytes; /* ring buffer of `capacity` bytes */
	size_t start, size, capacity;
	int readers, writers; /* number of open ends */
	bool of_bot;          /* one end is a bot's */
	/* the last write was refused although there was space */
	bool refused;
	int64_t changed_ns;
};

struct sim_watch {
	int fd;
	struct sim_file *file;
	struct epoll_event event;
};

struct sim_file {
	enum sim_kind kind;
	int references;
	struct sim_pipe *pipe;
	struct sim_process *process;
	int64_t due_ns; /* expiry of a timer */
	struct sim_watch *watches;
	int watch_count;
};

struct sim_file *sim_file_make(enum sim_kind kind);

/* sim_file_number gives the file the lowest free descriptor of the present
 * process. sim_file_at finds the file of a descriptor, which must be open. */
int sim_file_number(struct sim_file *file);
struct sim_file *sim_file_at(int fd);

/* The pipe was written to, read from or closed, which the bots notice. */
void sim_pipe_change(struct sim_pipe *pipe);

/* Makes a pipe: ends[0] is to read from, ends[1] is to write to. */
void sim_pipe_make(struct sim_file *ends[2], bool of_bot, size_t capacity);

/* Move bytes out of, or into, the pipe; return how many. */
size_t sim_pipe_remove(struct sim_pipe *pipe, char *bytes, size_t size);
size_t sim_pipe_put(struct sim_pipe *pipe, const char *bytes, size_t size);

/* The events that are ready: EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR. */
uint32_t sim_file_events(const struct sim_file *file);

/* Sets errno and returns -1. */
int sim_fail(int error);

/* Draws whether a call is disturbed. `rate` is out of 1000 calls. */
bool sim_draws(int rate);

#endif
