#include "sprt_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complaint.h"
#include "record_walk.h"
#include "version.h"

enum { VALUE_MAX = 1000000 }; /* of points, either way */

/* Digits, sign, point and exponent, up to the end or a comma. */
static bool
number_read(const char **rest, double *number)
{
	const char *text = *rest;
	char *end;

	*number = strtod(text, &end);
	if (end == text ||
	    strspn(text, "0123456789+-.eE") < (size_t)(end - text))
		return false;
	if (*end == ',')
		end++;
	else if (*end != '\0')
		return false;
	*rest = end;
	return isfinite(*number);
}

/* As many numbers as asked for, and nothing else. */
static bool
numbers_read(const char *text, double *numbers, int count)
{
	size_t length = strlen(text);

	if (length > 0 && text[length - 1] == ',')
		return false;
	for (int i = 0; i < count; i++) {
		if (!number_read(&text, &numbers[i]))
			return false;
	}
	return *text == '\0';
}

static enum status
source_say(const char *what, const char *hint)
{
	complaint_say("%s", what);
	complaint_add("command", VERSION_NAME " sprt");
	complaint_add("hint", "%s", hint);
	complaint_add("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

/* Whether it is a number of games or blocks. */
static bool
is_count(double number)
{
	return number >= 0 && number <= (double)ESTIMATE_COUNT_MAX &&
	    number == floor(number);
}

static bool
counts_read(const char *text, int64_t *counts, int count)
{
	double numbers[5];

	if (!numbers_read(text, numbers, count))
		return false;
	for (int i = 0; i < count; i++) {
		if (!is_count(numbers[i]))
			return false;
	}
	for (int i = 0; i < count; i++)
		counts[i] = (int64_t)numbers[i];
	return true;
}

static enum status
games_read(const char *text, struct sprt_evidence *evidence)
{
	int64_t counts[3];
	struct trinomial games;

	if (!counts_read(text, counts, 3))
		return source_say("--wdl: three counts are expected",
		    "--wdl 320,150,280: won, drawn and lost, each 0 to 1e15");
	games = (struct trinomial){
		.wins = counts[0],
		.draws = counts[1],
		.losses = counts[2],
	};
	*evidence = sprt_evidence_games(&games);
	return STATUS_DONE;
}

static enum status
pairs_read(const char *text, struct sprt_evidence *evidence)
{
	struct pentanomial pairs;

	if (!counts_read(text, pairs.counts, 5))
		return source_say("--penta: five counts are expected",
		    "--penta 5,20,45,22,8: pairs that scored 0, 1/4, 1/2, 3/4 "
		    "and 1, each 0 to 1e15");
	*evidence = sprt_evidence_pairs(&pairs);
	return STATUS_DONE;
}

static enum status
margins_read(const char *text, bool paired, struct sprt_evidence *evidence)
{
	double numbers[3];
	double count, mean, sigma;

	if (!numbers_read(text, numbers, 3))
		return source_say("--moments: number, mean and standard "
				  "deviation are expected",
		    "--moments 220,0.291,2.15, for instance");
	count = numbers[0];
	mean = numbers[1];
	sigma = numbers[2];
	if (!is_count(count) || fabs(mean) > VALUE_MAX ||
	    !(sigma >= 0 && sigma <= VALUE_MAX))
		return source_say("--moments: out of range",
		    "a count of 0 to 1e15, a mean of at most 1e6 either way, "
		    "a standard deviation of 0 to 1e6");
	if ((count < 2 && sigma > 0) || (count < 1 && mean != 0))
		return source_say("--moments: so few blocks cannot have these",
		    "none has a mean of 0, and up to one a deviation of 0");
	*evidence = sprt_evidence_margins((int64_t)count, mean, sigma, paired);
	return STATUS_DONE;
}

/* What stands in the file; bad records are said and left out. */
static enum status
records_read(const struct sprt_source *source, struct sprt_evidence *evidence)
{
	char *file = strdup(source->records);
	const struct gather_bets bets = {
		.candidate = source->bot,
		.base = source->base,
		.low = source->low,
		.high = source->high,
	};
	struct gathered gathered;
	enum status status, made;

	if (file == NULL) {
		complaint_say("no memory");
		return STATUS_ENVIRONMENT;
	}
	status = gather_files(&gathered, source->bets ? &bets : NULL, 1, &file);
	gather_remarks_say(&gathered.gather);
	if (gathered.gather.block_count > 0 && status != STATUS_ENVIRONMENT) {
		made = sprt_evidence_gather(
		    evidence, &gathered, source->bot, source->base);
		if (made != STATUS_DONE)
			status = made;
	}
	gathered_close(&gathered);
	free(file);
	return status;
}

enum status
sprt_source_read(
    const struct sprt_source *source, struct sprt_evidence *evidence)
{
	bool records = source->records != NULL;
	int sources = (source->wdl != NULL) + (source->penta != NULL) +
	    (source->moments != NULL) + records;

	evidence->source = NULL;
	if (sources > 1)
		return source_say("there is more than one source of results",
		    "give one of --wdl, --penta, --moments, --records");
	if (sources == 0)
		return source_say("there are no results to test",
		    "give one of --wdl, --penta, --moments, --records");
	if (!records && (source->bot != NULL || source->base != NULL))
		return source_say("--bot and --base choose bots of records",
		    "counts are those of the bot that is tested");
	if (source->single && source->moments == NULL)
		return source_say("--single is about --moments",
		    "other results tell whether they are pairs");
	if (source->wdl != NULL)
		return games_read(source->wdl, evidence);
	if (source->penta != NULL)
		return pairs_read(source->penta, evidence);
	if (source->moments != NULL)
		return margins_read(source->moments, !source->single, evidence);
	return records_read(source, evidence);
}
