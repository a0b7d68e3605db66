#include "run_fair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complaint.h"
#include "config.h"
#include "game_options.h"
#include "log.h"
#include "terms.h"
#include "version.h"

/* What follows from the terms, and from the secret where it was drawn. */
static void
fill_head(const struct tournament_setup *setup, const char *terms,
    struct store_head *head)
{
	struct shuffle_key digest, commitment;

	terms_digest(terms, &digest);
	shuffle_key_format(&digest, head->terms);
	contributions_write(setup->contributions, head->contributions);
	head->commitment[0] = '\0';
	if (!head->committed)
		return;
	shuffle_commit(&setup->secret, &digest, &commitment);
	shuffle_key_format(&commitment, head->commitment);
}

void
run_fair_bind(struct tournament_setup *setup, const struct store_head *head)
{
	setup->rules.committed = head->committed &&
	    shuffle_key_parse(head->commitment, &setup->rules.commitment);
}

enum status
run_fair_begin(struct tournament_setup *setup, const char *config,
    struct store_head *head, char **terms)
{
	head->committed = setup->drawn;
	*terms = terms_make(config, head);
	if (*terms == NULL)
		return game_setup_complain(-ENOMEM);
	fill_head(setup, *terms, head);
	run_fair_bind(setup, head);
	return STATUS_DONE;
}

enum status
run_fair_recall(const char *path, const struct tournament_setup *setup,
    struct store_head *head)
{
	char *terms;
	int error = run_text_read(path, RUN_TERMS, &terms);

	if (error == -ENOENT)
		return STATUS_DONE;
	if (error) {
		complaint_say("the terms \"%s/%s\" cannot be read: %s", path,
		    RUN_TERMS, strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	terms_take(terms, head);
	fill_head(setup, terms, head);
	free(terms);
	return STATUS_DONE;
}

/* Says which line is another, as far as the terms are there to tell it. */
static enum status
complain_changed(const struct run *run, const char *now)
{
	const char *began, *is = now;
	char *terms = NULL;

	complaint_say("the configuration \"%s/%s\" has changed since the run "
		      "began",
	    run->path, RUN_CONFIG);
	began = run_text_read(run->path, RUN_TERMS, &terms) == 0 ? terms : now;
	if (terms_part(&began, &is) > 0) {
		complaint_add(
		    "began", "%.*s", (int)strcspn(began, "\n"), began);
		complaint_add("now", "%.*s", (int)strcspn(is, "\n"), is);
	}
	complaint_add("hint",
	    "put it back as it was, or begin a new run: results of two "
	    "configurations must not be mixed");
	free(terms);
	return STATUS_USAGE;
}

enum status
run_fair_check_secret(const struct run_opened *opened)
{
	const struct run *run = &opened->run;
	struct shuffle_key commitment, terms;
	char hex[SHUFFLE_HEX_SIZE];

	if (!run->head.committed || !shuffle_key_parse(run->head.terms, &terms))
		return STATUS_DONE;
	shuffle_commit(&opened->setup.secret, &terms, &commitment);
	shuffle_key_format(&commitment, hex);
	if (strcmp(hex, run->head.commitment) == 0)
		return STATUS_DONE;
	complaint_say("the seed in \"%s/%s\" is not the one that was "
		      "committed to",
	    run->path, opened->seed_file);
	complaint_add("hint", "put it back as it was, or begin a new run");
	return STATUS_USAGE;
}

enum status
run_fair_check(const struct run_opened *opened)
{
	const struct run *run = &opened->run;
	struct shuffle_key digest;
	char hex[SHUFFLE_HEX_SIZE];
	char *config, *terms;
	enum status status = STATUS_DONE;
	int error;

	if (run->head.terms[0] == '\0')
		return STATUS_DONE;
	error = run_text_read(run->path, RUN_CONFIG, &config);
	if (error)
		return game_setup_complain(error);
	terms = terms_make(config, &run->head);
	free(config);
	if (terms == NULL)
		return game_setup_complain(-ENOMEM);
	terms_digest(terms, &digest);
	shuffle_key_format(&digest, hex);
	status = strcmp(hex, run->head.terms) == 0
	    ? run_fair_check_secret(opened)
	    : complain_changed(run, terms);
	free(terms);
	return status;
}

/* Both in one; who has contributed before cannot do so again. */
static enum status
add_all(const struct contributions *contributions, struct contributions *all)
{
	for (int i = 0; i < contributions->count; i++) {
		char bytes[256];
		struct scopa_text why;

		scopa_text_init(&why, bytes, sizeof(bytes));
		if (contributions_add(all, contributions->rows[i], &why))
			continue;
		complaint_say(
		    "--contribution %s: %s", contributions->rows[i], bytes);
		return STATUS_USAGE;
	}
	return STATUS_DONE;
}

/* The configuration with another line of contributions. */
static char *
set_contributions(const char *config, const void *contributions)
{
	static const char *const dropped[] = { TERMS_CONTRIBUTION, NULL };
	char *line = NULL, *text;
	size_t size;
	FILE *file = open_memstream(&line, &size);

	if (file == NULL)
		return NULL;
	config_print(file, "contribution", contributions);
	if (fclose(file) != 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = '\0';
	text = terms_config_set(config, dropped, line);
	free(line);
	return text;
}

static char *
set_seed(const char *config, const void *secret)
{
	return run_secret_show(config, secret);
}

static char *
drop_seed(const char *config, const void *unused)
{
	(void)unused;
	return run_secret_conceal(config);
}

/* Puts what `edit` makes of the configuration in its place: 0 or -errno. */
static int
rewrite_config(const struct run *run,
    char *(*edit)(const char *config, const void *with), const void *with)
{
	char *config, *edited;
	int error = run_text_read(run->path, RUN_CONFIG, &config);

	if (error)
		return error;
	edited = edit(config, with);
	free(config);
	error = edited != NULL ? run_text_put(run->path, RUN_CONFIG, edited)
			       : -ENOMEM;
	free(edited);
	return error;
}

/* Whether the run still takes them. */
static enum status
check_open(const struct run_opened *opened)
{
	const struct run *run = &opened->run;
	char state[STORE_STATE_SIZE];

	if (store_state(run->store, state, sizeof(state)) == 0 &&
	    strcmp(state, RUN_ANNOUNCED) == 0)
		return STATUS_DONE;
	complaint_say("the run \"%s\" takes no contributions any more: its "
		      "packs have been dealt from",
	    run->path);
	complaint_add("hint",
	    "contributions come between the commitment and the first deal");
	complaint_add("try", VERSION_NAME " tournament --announce ...");
	return STATUS_USAGE;
}

enum status
run_fair_contribute(
    struct run_opened *opened, const struct contributions *contributions)
{
	static struct contributions all;
	struct store_error why;
	char text[CONTRIBUTIONS_SIZE];
	enum status status = check_open(opened);
	int error;

	all = opened->settings.contributions;
	if (status == STATUS_DONE && opened->setup.packs_path != NULL) {
		complaint_say(
		    "--contribution: packs of a file come from no secret");
		status = STATUS_USAGE;
	}
	if (status == STATUS_DONE)
		status = add_all(contributions, &all);
	if (status != STATUS_DONE)
		return status;
	contributions_write(&all, text);
	error = rewrite_config(&opened->run, set_contributions, text);
	if (error) {
		complaint_say("the contributions cannot be kept in \"%s/%s\": "
			      "%s",
		    opened->run.path, RUN_CONFIG, strerror(-error));
		return STATUS_ENVIRONMENT;
	}
	error = store_set_contributions(opened->run.store, text, &why);
	return error ? run_open_complain(error, &why) : STATUS_DONE;
}

enum status
run_fair_conceal(struct run_opened *opened)
{
	const struct store_head *head = &opened->run.head;
	int error;

	if (!head->committed || head->secret[0] != '\0' ||
	    strcmp(opened->seed_file, RUN_CONFIG) != 0)
		return STATUS_DONE;
	/* At any instant one of the two files has it. */
	error = run_secret_put(opened->run.path, &opened->setup.secret);
	if (!error)
		error = rewrite_config(&opened->run, drop_seed, NULL);
	if (!error) {
		opened->seed_file = RUN_SECRET;
		return STATUS_DONE;
	}
	complaint_say("the seed in \"%s/%s\" cannot be moved to \"%s/%s\": %s",
	    opened->run.path, RUN_CONFIG, opened->run.path, RUN_SECRET,
	    strerror(-error));
	return STATUS_ENVIRONMENT;
}

void
run_fair_reveal(const struct tournament_setup *setup, struct run *run)
{
	char secret[SHUFFLE_HEX_SIZE];
	struct store_error why;
	int error;

	if (!run->head.committed || run->pending_count > 0)
		return;
	shuffle_key_format(&setup->secret, secret);
	/* One place that tells it is enough: the results are as good. */
	if (store_set_secret(run->store, secret, &why) < 0)
		log_print(LOG_ERROR, "%s", why.what);
	error = rewrite_config(run, set_seed, &setup->secret);
	if (!error)
		error = run_secret_remove(run->path);
	if (error)
		log_print(LOG_ERROR, "the seed stays in \"%s/%s\": %s",
		    run->path, RUN_SECRET, strerror(-error));
	memcpy(run->head.secret, secret, sizeof(run->head.secret));
}
