/*
 * Plays tournaments from seeds. Each seed is played twice: once undisturbed,
 * and once with faults of the machine, which may take several lives. Both runs
 * must have the same results and records.
 *
 *         sim [--seed N] [--seeds COUNT] [--verbose [--verbose]]
 *
 * Without --seeds one seed is played. At the first seed that fails the program
 * prints the command that plays it again, and stops. Each life is a child
 * process, so that a planned SIGKILL does not end this program.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "sim.h"

enum { SECONDS_MAX = 120 };

/* Sums over all seeds. */
struct total {
	int64_t games, offences, lives, killed;
	int64_t virtual_ns;
};

struct drive {
	const char *name; /* argv[0] */
	int verbose;
	char folder[FOLDER_SIZE];
	struct sim_counts *counts; /* memory shared with the child processes */
	struct sim_plan plan;
	struct total total;
};

/* Empties the folder of a run, and gives the path for the run in it. */
static void
make_run_folder(
    const struct drive *drive, const char *name, char path[PATH_MAX])
{
	const char *folder = folder_path(drive->folder, name);

	if (access(folder, F_OK) == 0)
		folder_remove(folder);
	SIM_MUST(mkdir(folder, 0700) == 0);
	snprintf(path, PATH_MAX, "%s/run", folder);
}

/* Waits for a child process and gives its status as of waitpid(). */
static int
await(pid_t pid)
{
	int status;

	SIM_MUST(pid > 0);
	while (waitpid(pid, &status, 0) < 0)
		SIM_MUST(errno == EINTR);
	return status;
}

static pid_t
fork_child(void)
{
	pid_t parent = getpid();
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(SIM_BAD);
		/* A child that hangs must end, too. */
		alarm(SECONDS_MAX);
	}
	return pid;
}

static int
run_life(struct drive *drive, const char *path, const struct sim_faults *faults)
{
	pid_t pid;

	memset(drive->counts, 0, sizeof(*drive->counts));
	pid = fork_child();
	if (pid == 0)
		sim_life(
		    &drive->plan, path, faults, drive->counts, drive->verbose);
	return await(pid);
}

static void
add_counts(struct drive *drive)
{
	const struct sim_counts *counts = drive->counts;

	drive->total.lives++;
	drive->total.games += counts->games;
	drive->total.offences += counts->offences;
	drive->total.virtual_ns += counts->end_ns;
}

static bool
ended_by(int status, enum sim_end end)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == (int)end;
}

static bool
print_end(int status, const char *what)
{
	if (WIFSIGNALED(status))
		printf("# %s: ended by signal %d\n", what, WTERMSIG(status));
	else
		printf("# %s: ended by %d\n", what, WEXITSTATUS(status));
	return false;
}

/* Plays one life after the other until the run has ended. */
static bool
run_lives(struct drive *drive, const char *path, const struct sim_counts *whole)
{
	for (int life = 0; life < SIM_LIVES_MAX; life++) {
		struct sim_faults faults;
		int status;

		sim_faults_make(&faults, &drive->plan, life, whole);
		if (drive->verbose)
			sim_faults_print(&faults);
		status = run_life(drive, path, &faults);
		add_counts(drive);
		if (ended_by(status, SIM_DONE))
			return true;
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		    (faults.failures[SIM_KILL_ARENA] > 0 ||
			faults.disk != FAULT_NONE))
			drive->total.killed++;
		else if (!ended_by(status, SIM_AGAIN))
			return print_end(status, "a life");
	}
	printf("# undisturbed, the run did not reach its end\n");
	return false;
}

static bool
run_seed(struct drive *drive, uint64_t seed)
{
	static const struct sim_faults none;
	char reference[PATH_MAX], path[PATH_MAX];
	struct sim_counts whole;
	int status;
	pid_t pid;

	sim_plan_make(&drive->plan, seed);
	if (drive->verbose)
		sim_plan_print(&drive->plan);
	make_run_folder(drive, "reference", reference);
	make_run_folder(drive, "disturbed", path);
	status = run_life(drive, reference, &none);
	if (!ended_by(status, SIM_DONE))
		return print_end(status, "the undisturbed run");
	whole = *drive->counts;
	add_counts(drive);
	if (!run_lives(drive, path, &whole))
		return false;
	pid = fork_child();
	if (pid == 0)
		sim_compare(&drive->plan, reference, path);
	status = await(pid);
	return ended_by(status, SIM_DONE) ||
	    print_end(status, "the comparison");
}

static double
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void
print_total(const struct drive *drive, int64_t seeds, double seconds)
{
	const struct total *total = &drive->total;

	printf("# %" PRId64 " seeds, %" PRId64 " lives, %" PRId64
	       " of them killed, %" PRId64 " games, %" PRId64
	       " offences, %.0f s of play in %.1f s: %.0f seeds a minute\n",
	    seeds, total->lives, total->killed, total->games, total->offences,
	    (double)total->virtual_ns / 1e9, seconds,
	    (double)seeds / seconds * 60);
}

static int
run_seeds(struct drive *drive, uint64_t first, int64_t count)
{
	double begin = seconds_now();
	bool good = true;
	int64_t i = 0;

	for (; i < count && good; i++) {
		good = run_seed(drive, first + (uint64_t)i);
		if (!good)
			printf("# seed %" PRIu64 " fails; to play it again:\n"
			       "#   %s --seed %" PRIu64 " --verbose\n",
			    first + (uint64_t)i, drive->name,
			    first + (uint64_t)i);
	}
	print_total(drive, i, seconds_now() - begin);
	printf("%sok 1 - %" PRId64 " tournaments from seed %" PRIu64
	       " end as they should\n1..1\n",
	    good ? "" : "not ", count, first);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	static struct drive drive;
	uint64_t first = 1;
	int64_t count = 1;
	int status;

	drive.name = argv[0];
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0)
			drive.verbose++;
		else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
			first = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
			count = strtoll(argv[++i], NULL, 10);
		else
			sim_bad("usage: %s [--seed N] [--seeds COUNT] "
				"[--verbose [--verbose]]",
			    argv[0]);
	}
	drive.counts = mmap(NULL, sizeof(*drive.counts), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	SIM_MUST(drive.counts != MAP_FAILED);
	folder_make(drive.folder);
	/* No file waits for the disk. */
	faults_arm(drive.folder, FAULT_NONE, 0, FAULT_SURVIVES_NONE);
	status = run_seeds(&drive, first, count);
	if (status == EXIT_SUCCESS || !drive.verbose)
		folder_remove(drive.folder);
	return status;
}
