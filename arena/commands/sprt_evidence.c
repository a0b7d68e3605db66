#include "sprt_evidence.h"

#include <string.h>

#include "complaint.h"
#include "countof.h"
#include "version.h"

/* The moments of scores 0, 1 / (kinds - 1), ..., 1, less 1/2. */
static struct moments
margins_of_counts(const int64_t *counts, int kinds)
{
	struct moments margins = { 0 };

	for (int i = 0; i < kinds; i++) {
		struct moments alike = {
			.count = counts[i],
			.mean = (double)i / (kinds - 1) - 0.5,
		};

		if (counts[i] > 0)
			margins = moments_join(margins, alike);
	}
	return margins;
}

struct sprt_evidence
sprt_evidence_games(const struct trinomial *games)
{
	const int64_t counts[] = { games->losses, games->draws, games->wins };

	return (struct sprt_evidence){
		.source = "wdl",
		.has_games = true,
		.pair = {
			.margins = margins_of_counts(counts, COUNTOF(counts)),
			.results = *games,
		},
	};
}

struct sprt_evidence
sprt_evidence_pairs(const struct pentanomial *pairs)
{
	return (struct sprt_evidence){
		.source = "penta",
		.has_pairs = true,
		.pair = {
			.margins = margins_of_counts(
			    pairs->counts, COUNTOF(pairs->counts)),
			.paired = true,
			.pairs = *pairs,
		},
	};
}

struct sprt_evidence
sprt_evidence_margins(int64_t count, double mean, double sigma, bool paired)
{
	return (struct sprt_evidence){
		.source = "moments",
		.has_points = true,
		.pair = {
			.margins = {
				.count = count,
				.mean = mean,
				.squares = sigma * sigma * (double)count,
			},
			.paired = paired,
		},
	};
}

bool
sprt_evidence_fits(const struct sprt_evidence *evidence, enum sprt_model model)
{
	switch (model) {
	case SPRT_MARGIN:
		return true;
	case SPRT_LOGISTIC:
	case SPRT_NORMALIZED:
		return evidence->has_pairs || evidence->has_games;
	case SPRT_BAYESIAN:
		return evidence->has_games;
	case SPRT_BETTING:
		return evidence->has_bets;
	case SPRT_MODEL_COUNT:
		break;
	}
	return false;
}

static enum status
name_say(const char *option, const char *name, const char *why)
{
	complaint_say("--%s %s: %s", option, name, why);
	complaint_add("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

/* The number of the candidate, and of whom it is compared with. */
static enum status
names_find(const struct gather *gather, const char *candidate, const char *base,
    int bots[2])
{
	gather_opponents(gather, candidate, base, bots);
	if (bots[0] < 0)
		return name_say("bot", candidate, "no such bot in the records");
	if (base != NULL && bots[1] < 0)
		return name_say("base", base, "no such bot in the records");
	if (bots[1] == bots[0])
		return name_say(
		    "base", base, "a bot is not compared with itself");
	if (bots[1] >= 0)
		return STATUS_DONE;
	if (gather->bot_count < 2) {
		complaint_say("there is one bot alone in the records");
		complaint_add("try", VERSION_NAME " help sprt");
		return STATUS_USAGE;
	}
	complaint_say(
	    "there are %d bots in the records: which two?", gather->bot_count);
	complaint_add("hint", "--bot %s --base %s, for instance",
	    gather->names[0], gather->names[1]);
	complaint_add("try", VERSION_NAME " help sprt");
	return STATUS_USAGE;
}

static void
encounter_copy(struct sprt_evidence *evidence, const struct gather *gather,
    const struct standings *standings, const int bots[2])
{
	const struct encounter *pair =
	    standings_encounter(standings, bots[0], bots[1]);
	const struct encounter *back =
	    standings_encounter(standings, bots[1], bots[0]);

	*evidence = (struct sprt_evidence){
		.source = "records",
		.has_points = true,
		.has_pairs = pair->paired,
		.has_games = true,
		.has_bets = standings->bets.open,
		.bets = standings->bets.all.now,
		.clean_bets = standings->bets.clean.now,
		.pair = *pair,
		.base_forfeits = back->forfeits,
	};
	memcpy(evidence->candidate, gather->names[bots[0]], EVENT_NAME_SIZE);
	memcpy(evidence->base, gather->names[bots[1]], EVENT_NAME_SIZE);
}

enum status
sprt_evidence_gather(struct sprt_evidence *evidence,
    const struct gathered *gathered, const char *candidate, const char *base)
{
	const struct gather *gather = &gathered->gather;
	struct sprt_evidence found;
	int bots[2];
	enum status status = names_find(gather, candidate, base, bots);

	if (status != STATUS_DONE)
		return status;
	encounter_copy(&found, gather, &gathered->standings, bots);
	if (found.pair.margins.count == 0) {
		complaint_say("these two have not met: %s, %s", found.candidate,
		    found.base);
		complaint_add("try", VERSION_NAME " help sprt");
		return STATUS_USAGE;
	}
	if (gathered->bets != NULL && !found.has_bets) {
		complaint_say("the model betting: a bound lies beyond what a "
			      "deal can give");
		complaint_add("hint", "below %d points either way",
		    scopa_points_max(&gather->rules));
		complaint_add("try", VERSION_NAME " help sprt");
		return STATUS_USAGE;
	}
	*evidence = found;
	return STATUS_DONE;
}
