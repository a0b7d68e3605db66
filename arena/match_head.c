/*
 * What is said of the players of a table: names, the head of the record, and
 * why one of them failed.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "escape.h"
#include "match_state.h"
#include "utf8.h"
#include "version.h"
#include "walls.h"

/*
 * Copies what fits of a name.  It will be printed: what utf8_steers() is written
 * as \xNN.
 */
static void
copy_plain(const char *name, char *plain, size_t size)
{
	size_t left = strlen(name), put = 0;

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(name, left, &character);
		bool control = length == 0 || utf8_steers(character);
		size_t space = control ? strlen("\\xNN") : length;

		if (control)
			length = 1;
		if (put + space >= size)
			break;
		if (control)
			escape_bytes(name, 1, false, plain + put, size - put);
		else
			memcpy(plain + put, name, length);
		put += space;
		name += length;
		left -= length;
	}
	plain[put] = '\0';
}

/* Its name: given by the user, or its own, or that of its file. */
static void
copy_name(const struct match *match, int seat, char name[EVENT_NAME_SIZE])
{
	const struct entrant *entrant =
	    &match->entrants[match->players[seat]->entrant];
	const char *own = match->referee.seats[seat].session.name;
	const char *file = strrchr(entrant->program.path, '/');
	const char *base = entrant->name[0] ? entrant->name
	    : own[0]                        ? own
	    : file                          ? file + 1
					    : "bot";

	copy_plain(base, name, EVENT_NAME_SIZE);
}

/*
 * Names who sits at order[index] unlike other entrants that stand before it in
 * the order.
 */
static void
name_player(struct match *match, const int order[], int index)
{
	struct player *player = match->players[order[index]];
	char plain[EVENT_NAME_SIZE];
	int same = 1;

	copy_name(match, player->seat, player->name);
	memcpy(plain, player->name, sizeof(plain));
	for (int i = 0; i < index; i++) {
		const struct player *before = match->players[order[i]];

		if (before->entrant == player->entrant) {
			memcpy(
			    player->name, before->name, sizeof(player->name));
			return;
		}
	}
	for (int i = 0; i < index; i++) {
		const struct player *before = match->players[order[i]];

		if (strcmp(before->name, player->name) != 0)
			continue;
		snprintf(player->name, sizeof(player->name), "%.*s-%d",
		    EVENT_NAME_SIZE - 12, plain, ++same % SCOPA_SEATS_MAX);
		i = -1;
	}
}

/* In the order of the entrants, so that a name does not depend on the seat. */
static void
name_players(struct match *match)
{
	int order[SCOPA_SEATS_MAX];

	for (int seat = 0; seat < match_seat_count(match); seat++) {
		int entrant = match->players[seat]->entrant, at = seat;

		for (; at > 0; at--) {
			if (match->players[order[at - 1]]->entrant <= entrant)
				break;
			order[at] = order[at - 1];
		}
		order[at] = seat;
	}
	for (int i = 0; i < match_seat_count(match); i++)
		name_player(match, order, i);
}

void
match_fill_head(struct match *match)
{
	const struct match_rules *rules = match->rules;
	struct game_head *head = &match->head;
	char hex[SHUFFLE_HEX_SIZE], utc[CLOCK_UTC_SIZE];
	struct scopa_text tc;

	memset(head, 0, sizeof(*head));
	snprintf(head->match.id, sizeof(head->match.id), "m%d",
	    match->game.index + 1);
	scopa_text_init(&tc, head->match.tc, sizeof(head->match.tc));
	budget_control_format(&rules->settings.control, &tc);
	head->match.has_seeds = true;
	clock_utc(utc);
	shuffle_key_format(
	    rules->committed ? &rules->commitment : &rules->secret, hex);
	snprintf(head->tag, sizeof(head->tag),
	    "utc=%s tool=" VERSION_NAME "/" VERSION_NUMBER
	    " event=%s round=%d game=%d sandbox=%s%s%s%s%s%s",
	    utc, match->game.event, match->game.round + 1,
	    match->game.rotation + 1, walls_name(rules->walls),
	    rules->settings.analysis ? " analysis=1" : "",
	    match->game.voided[0] ? " voided=" : "", match->game.voided,
	    rules->packs           ? ""
		: rules->committed ? " commit="
				   : " secret=",
	    rules->packs ? "" : hex);
	name_players(match);
	for (int seat = 0; seat < match_seat_count(match); seat++) {
		struct event_seat *line = &head->seats[seat];

		memcpy(
		    line->name, match->players[seat]->name, sizeof(line->name));
		memcpy(line->version,
		    match->referee.seats[seat].session.version,
		    sizeof(line->version));
		line->sees_all =
		    match->referee.seats[seat].session.features.analysis;
		head->match.seeds[seat] = shuffle_seat_seed(&rules->secret,
		    match->game.event, (uint64_t)match->game.index + 1, seat);
	}
}

void
match_keep_tail(struct player *player)
{
	/* Enough for text; of much that is none, the end is left out. */
	char tail[MATCH_STDERR_SIZE / 2];
	size_t size = bot_stderr(player->bot, tail, sizeof(tail));

	escape_bytes(
	    tail, size, true, player->stderr_tail, sizeof(player->stderr_tail));
}

/* All that is known of a bot at fault, but for its offence itself. */
static void
fill_fault(struct match *match, int seat)
{
	struct player *player = match->players[seat];
	const struct session *session = &match->referee.seats[seat].session;
	struct match_fault *fault = &match->fault;

	fault->seat = seat;
	fault->phase = session->ended_in;
	fault->option_flaw = session->option_flaw;
	memcpy(fault->allowed, session->allowed, sizeof(fault->allowed));
	memcpy(fault->nearest, session->nearest, sizeof(fault->nearest));
	memcpy(fault->said, session->said, sizeof(fault->said));
	memcpy(fault->received, player->received, sizeof(fault->received));
	memcpy(fault->ending, player->ending, sizeof(fault->ending));
	fault->late = player->bot && player->hear_out_ns > 0 &&
	    bot_has_written(player->bot);
	if (player->bot)
		match_keep_tail(player);
	memcpy(fault->stderr_tail, player->stderr_tail,
	    sizeof(fault->stderr_tail));
}

static void
clear_fault(struct match *match)
{
	memset(&match->fault, 0, sizeof(match->fault));
	match->fault.seat = -1;
}

void
match_note_fault(struct match *match)
{
	const struct referee *referee = &match->referee;
	struct match_fault *fault = &match->fault;

	clear_fault(match);
	if (referee->offender == REFEREE_SEAT_NONE)
		return;
	fill_fault(match, referee->offender);
	fault->kind = referee->offence;
	memcpy(fault->reason, referee->offence_reason, sizeof(fault->reason));
}

void
match_check_greeting(struct match *match)
{
	const struct session *session = &match->referee.seats[0].session;

	if (!match->greeting ||
	    !(session->phase & (SESSION_IDLE | SESSION_GONE)))
		return;
	match->greeting = false;
	clear_fault(match);
	copy_name(match, 0, match->players[0]->name);
	if (session->phase == SESSION_GONE) {
		fill_fault(match, 0);
		match->fault.kind = session->fault;
		memcpy(match->fault.reason, session->reason,
		    sizeof(match->fault.reason));
	}
	match->events->on_greeted(match);
}
