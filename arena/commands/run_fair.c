#include "run_fair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complaint.h"
#include "config.h"
#include "game_setup.h"
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

static enum status
check_commitment(
    const struct run_opened *opened, const struct shuffle_key *terms)
{
	const struct run *run = &opened->run;
	struct shuffle_key commitment;
	char hex[SHUFFLE_HEX_SIZE];

	if (!run->head.committed)
		return STATUS_DONE;
	shuffle_commit(&opened->setup.secret, terms, &commitment);
	shuffle_key_format(&commitment, hex);
	if (strcmp(hex, run->head.commitment) == 0)
		return STATUS_DONE;
	complaint_say("the seed in \"%s/%s\" is not the one that was "
		      "committed to",
	    run->path, RUN_CONFIG);
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
	    ? check_commitment(opened, &digest)
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

/* The configuration with another line of contributions, behind the seed. */
static char *
edit_config(const char *config, const char *contributions)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (file == NULL)
		return NULL;
	while (*config != '\0') {
		size_t length = strcspn(config, "\n");

		length += config[length] == '\n';
		if (strncmp(config, terms_contribution,
			strlen(terms_contribution)) != 0)
			fwrite(config, 1, length, file);
		if (strncmp(config, terms_seed, strlen(terms_seed)) == 0)
			config_print(file, "contribution", contributions);
		config += length;
	}
	if (fclose(file) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static enum status
rewrite_config(const struct run *run, const char *contributions)
{
	char *config, *edited;
	int error = run_text_read(run->path, RUN_CONFIG, &config);

	if (!error) {
		edited = edit_config(config, contributions);
		free(config);
		error = edited != NULL
		    ? run_text_put(run->path, RUN_CONFIG, edited)
		    : -ENOMEM;
		free(edited);
	}
	if (!error)
		return STATUS_DONE;
	complaint_say("the contributions cannot be kept in \"%s/%s\": %s",
	    run->path, RUN_CONFIG, strerror(-error));
	return STATUS_ENVIRONMENT;
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
	status = rewrite_config(&opened->run, text);
	if (status != STATUS_DONE)
		return status;
	error = store_set_contributions(opened->run.store, text, &why);
	return error ? run_open_complain(error, &why) : STATUS_DONE;
}

void
run_fair_reveal(const struct tournament_setup *setup, struct run *run)
{
	char secret[SHUFFLE_HEX_SIZE];
	struct store_error why;

	if (!run->head.committed || run->pending_count > 0)
		return;
	shuffle_key_format(&setup->secret, secret);
	/* The configuration has it, too: the results are as good without. */
	if (store_set_secret(run->store, secret, &why) < 0)
		log_print(LOG_ERROR, "%s", why.what);
	memcpy(run->head.secret, secret, sizeof(run->head.secret));
}
