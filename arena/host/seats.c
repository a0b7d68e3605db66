#include "seats.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pwd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

struct seats {
	unsigned first;
	atomic_bool taken[SEATS_MAX];
};

int
seats_open(struct seats **opened, unsigned first)
{
	struct seats *seats = mmap(NULL, sizeof(*seats), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (seats == MAP_FAILED)
		return -errno;
	seats->first = first;
	*opened = seats;
	return 0;
}

void
seats_close(struct seats *seats)
{
	if (seats != NULL)
		munmap(seats, sizeof(*seats));
}

int
seats_take(struct seats *seats, unsigned *user)
{
	for (unsigned i = 0; i < SEATS_MAX; i++) {
		if (atomic_exchange(&seats->taken[i], true))
			continue;
		*user = seats->first + i;
		return 0;
	}
	return -EAGAIN;
}

void
seats_give(struct seats *seats, unsigned user)
{
	assert(user - seats->first < SEATS_MAX);
	atomic_store(&seats->taken[user - seats->first], false);
}

/* Who has it by name. */
static void
search_names(unsigned first, struct seats_claim *claim)
{
	FILE *file = fopen("/etc/passwd", "re");
	const struct passwd *entry;

	if (file == NULL)
		return;
	while (
	    claim->owner == SEATS_FREE && (entry = fgetpwent(file)) != NULL) {
		if (entry->pw_uid - first >= SEATS_MAX)
			continue;
		claim->owner = SEATS_NAMED;
		claim->user = entry->pw_uid;
		snprintf(
		    claim->name, sizeof(claim->name), "%s", entry->pw_name);
	}
	fclose(file);
}

/* The user of a process; false where it has ended. */
static bool
process_user(const char *number, unsigned *user)
{
	char path[300], line[256];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/status", number);
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), file) != NULL)
		found = sscanf(line, "Uid: %u", user) == 1;
	fclose(file);
	return found;
}

static void
search_processes(unsigned first, struct seats_claim *claim)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	unsigned user;

	if (processes == NULL)
		return;
	while (claim->owner == SEATS_FREE &&
	    (entry = readdir(processes)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !process_user(entry->d_name, &user) ||
		    user - first >= SEATS_MAX)
			continue;
		claim->owner = SEATS_RUNNING;
		claim->user = user;
		snprintf(
		    claim->name, sizeof(claim->name), "%.60s", entry->d_name);
	}
	closedir(processes);
}

void
seats_search(unsigned first, struct seats_claim *claim)
{
	memset(claim, 0, sizeof(*claim));
	search_names(first, claim);
	if (claim->owner == SEATS_FREE)
		search_processes(first, claim);
}
