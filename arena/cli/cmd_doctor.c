/*
 * The command doctor: prints what this machine offers to the arena (sandbox
 * layers, cores, descriptors, memory, clock), and how to get what is missing.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>

#include "command.h"
#include "confinement.h"
#include "game_options.h"
#include "kernel_text.h"
#include "machine.h"
#include "process.h"
#include "report_json.h"
#include "self_test.h"
#include "system_calls.h"

enum { CLOCK_TEXT_SIZE = 32, OTHER_DESCRIPTORS = 64 };

#define CLOCK_SOURCE \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"

struct doctor_settings {
	bool json;
};

struct findings {
	struct utsname kernel;
	struct sandbox sandbox;
	int landlock; /* version of Landlock; 0: the kernel has none */
	/* call_proxy can answer waits for shared futexes: see system_calls.h */
	bool futexes;
	struct cores cores;
	int busy_cores;   /* see machine_cores() */
	int bots_at_once; /* as many as the limit of descriptors allows */
	struct rlimit processes;
	int64_t cpu_limit_s; /* of a process; 0: there is no limit */
	int64_t memory_bytes, memory_free_bytes; /* of the machine */
	int64_t clock_ns;                        /* resolution of the clock */
	/* name of its hardware; empty: unknown */
	char clock_source[CLOCK_TEXT_SIZE];
	/* free disk space in the present folder, where runs would be written */
	int64_t free_bytes;
};

#define FIELD(name) offsetof(struct doctor_settings, name)

static const struct option options[] = {
	FLAG_OPTION("json", FIELD(json), "Print one JSON object."),
	OPTIONS_END,
};

/* The way in which all processes of a bot are killed. */
struct way {
	const char *name, *sentence;
};

static struct way
way_used(const struct findings *findings)
{
	const struct sandbox *sandbox = &findings->sandbox;

	if (sandbox->level >= SANDBOX_BOX)
		return (struct way){
			"namespaces",
			"when the first process of a box ends, all others die"
		};
	if (findings->landlock >= LANDLOCK_ABI_SCOPE)
		return (struct way){ "Landlock",
			"one signal reaches all in a domain" };
	/* This is not certain, as a bot could kill its supervisor first. */
	if (sandbox->level == SANDBOX_PROCESS && sandbox->cgroup.fd >= 0)
		return (struct way){ "groups",
			"the kernel kills all in a control group" };
	return (struct way){ "search",
		"process by process, as far as they can be found" };
}

/* Finds everything but the sandbox.  0 or -errno. */
static int
find_rest(struct findings *findings)
{
	struct statvfs disk;
	struct timespec step;
	struct sysinfo memory;
	int error;

	findings->landlock = landlock_abi();
	findings->futexes = call_proxy_try() == 0;
	findings->bots_at_once = process_room(OTHER_DESCRIPTORS);
	error = cores_allowed(&findings->cores);
	if (error)
		return error;
	findings->busy_cores = machine_cores("", &findings->cores);
	if (uname(&findings->kernel) < 0 ||
	    getrlimit(RLIMIT_NPROC, &findings->processes) < 0 ||
	    clock_getres(CLOCK_MONOTONIC, &step) < 0 || sysinfo(&memory) < 0 ||
	    statvfs(".", &disk) < 0)
		return -errno;
	findings->cpu_limit_s = machine_cpu_limit_s();
	findings->memory_bytes = (int64_t)(memory.totalram * memory.mem_unit);
	findings->memory_free_bytes =
	    (int64_t)(memory.freeram * memory.mem_unit);
	/* `tsc` is fast to read; some others are slow. */
	if (kernel_text_read(AT_FDCWD, CLOCK_SOURCE, findings->clock_source,
		sizeof(findings->clock_source)) < 0)
		findings->clock_source[0] = '\0';
	findings->clock_source[strcspn(findings->clock_source, "\n")] = '\0';
	findings->clock_ns = step.tv_sec * INT64_C(1000000000) + step.tv_nsec;
	findings->free_bytes = (int64_t)(disk.f_bavail * disk.f_frsize);
	return 0;
}

static void
print_sandbox(const struct findings *findings)
{
	const struct sandbox *sandbox = &findings->sandbox;
	struct way way = way_used(findings);

	printf("sandbox    %s\n", sandbox_level_name(sandbox->level));
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		const struct sandbox_finding *layer = &sandbox->layers[i];
		const char *name = sandbox_layer_name((enum sandbox_layer)i);

		if (layer->reached)
			printf("  yes %s\n", name);
		else
			printf("  no  %s: %s\n        %s\n", name, layer->why,
			    layer->fix);
	}
	printf("tree kill  %s\n  by %s: %s\n",
	    sandbox->kill_is_certain ? "certain: --sandbox require plays"
				     : "not certain: --sandbox require refuses",
	    way.name, way.sentence);
}

static void
print_text(const struct findings *findings)
{
	char cores[CORES_TEXT_SIZE];

	cores_format(&findings->cores, cores, sizeof(cores));
	printf("kernel     %s %s %s\n", findings->kernel.sysname,
	    findings->kernel.release, findings->kernel.machine);
	if (findings->landlock > 0)
		printf("landlock   version %d\n", findings->landlock);
	else
		printf("landlock   none\n");
	print_sandbox(findings);
	printf("futexes    %s\n",
	    findings->futexes
		? "waits for shared ones are answered by the supervisor"
		: "two bots could whisper by the end of threads: a program "
		  "around this one, or the kernel, allows no seccomp listener");
	printf("cores      %d: %s\n", findings->cores.count, cores);
	if (findings->busy_cores < findings->cores.count)
		printf("           the CPU quota of a control group keeps %d "
		       "busy\n",
		    findings->busy_cores);
	printf("bots       %d at once, as descriptors go\n",
	    findings->bots_at_once);
	if (findings->processes.rlim_cur == RLIM_INFINITY)
		printf("processes  no limit\n");
	else
		printf("processes  %llu at most\n",
		    (unsigned long long)findings->processes.rlim_cur);
	if (findings->cpu_limit_s == 0)
		printf("cpu time   no limit\n");
	else
		printf("cpu time   a process is killed after %" PRId64
		       " s (ulimit -H -t), and its bot loses\n",
		    findings->cpu_limit_s);
	printf("memory     %.1f GB, %.1f GB free\n",
	    (double)findings->memory_bytes / 1e9,
	    (double)findings->memory_free_bytes / 1e9);
	printf("clock      steps of %jd ns%s%s\n", findings->clock_ns,
	    findings->clock_source[0] ? ", from " : "", findings->clock_source);
	printf("disk       %.1f GB free here\n",
	    (double)findings->free_bytes / 1e9);
}

static void
print_json(const struct findings *findings)
{
	const struct sandbox *sandbox = &findings->sandbox;
	rlim_t processes = findings->processes.rlim_cur;
	struct json json;

	json_document_begin(&json, stdout);
	json_string(&json, "kernel", findings->kernel.release);
	json_string(&json, "machine", findings->kernel.machine);
	json_int(&json, "landlock", findings->landlock);
	json_string(&json, "walls", sandbox_level_name(sandbox->level));
	json_array_begin(&json, "layers");
	for (int i = 0; i < SANDBOX_LAYER_COUNT; i++) {
		const struct sandbox_finding *layer = &sandbox->layers[i];

		json_object_begin(&json, NULL);
		json_string(
		    &json, "name", sandbox_layer_name((enum sandbox_layer)i));
		json_bool(&json, "reached", layer->reached);
		json_string(&json, "why", layer->reached ? NULL : layer->why);
		json_string(&json, "fix", layer->reached ? NULL : layer->fix);
		json_object_end(&json);
	}
	json_array_end(&json);
	json_bool(&json, "tree_kill", sandbox->kill_is_certain);
	json_array_begin(&json, "tree_kill_ways");
	json_string(&json, NULL, way_used(findings).name);
	json_array_end(&json);
	json_bool(&json, "futexes_answered", findings->futexes);
	json_int(&json, "cores", findings->cores.count);
	json_int(&json, "busy_cores", findings->busy_cores);
	json_int(&json, "bots_at_once", findings->bots_at_once);
	json_int_if(
	    &json, "processes", processes != RLIM_INFINITY, (int64_t)processes);
	json_int_if(&json, "cpu_limit_s", findings->cpu_limit_s > 0,
	    findings->cpu_limit_s);
	json_int(&json, "memory_bytes", findings->memory_bytes);
	json_int(&json, "memory_free_bytes", findings->memory_free_bytes);
	json_int(&json, "clock_ns", findings->clock_ns);
	json_given(&json, "clock_source", findings->clock_source);
	json_int(&json, "free_bytes", findings->free_bytes);
	json_document_end(&json);
}

static enum status
doctor_run(const void *given, char **argv)
{
	static struct findings findings;
	const struct doctor_settings *settings = given;
	int error = sandbox_detect(&findings.sandbox, 0);

	(void)argv;
	if (error)
		return game_setup_error(error);
	error = find_rest(&findings);
	if (!error && settings->json)
		print_json(&findings);
	else if (!error)
		print_text(&findings);
	sandbox_close(&findings.sandbox);
	if (error)
		return game_setup_error(error);
	return findings.sandbox.kill_is_certain ? STATUS_DONE : STATUS_FAILED;
}

const struct command command_doctor = {
	.name = "doctor",
	.sentence = "Shows what this machine offers: sandbox, cores, limits, "
		    "clock, disk.",
	.detail =
	    "Each layer of the sandbox is tested. If a layer does not work, "
	    "the reason is shown, and what you can do. The exit status is 1 if "
	    "it is not certain that all processes of a bot can be killed, so "
	    "that --sandbox require would refuse to play.",
	.options = options,
	.settings_size = sizeof(struct doctor_settings),
	.run = doctor_run,
};
