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

/*
 * Copies what fits of a name.  It will be printed: whatever could steer a
 * terminal is written as \xNN.
 */
static void
copy_plain(const char *name, char *plain, size_t size)
{
	size_t left = strlen(name), put = 0;

	while (left > 0) {
		uint32_t character;
		size_t length = utf8_read(name, left, &character);
		bool control = length == 0 || character < 0x20 ||
		    (character >= 0x7F && character < 0xA0);
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

/* The name of a player: given, or the bot's own, made unlike the others'. */
static void
name_player(struct match *match, int index)
{
	struct player *player = &match->players[index];
	const struct session *session =
	    &match->referee.seats[player->seat].session;
	const char *file = strrchr(player->entrant->program.path, '/');
	const char *base = player->entrant->name[0] ? player->entrant->name
	    : session->name[0]                      ? session->name
	    : file                                  ? file + 1
						    : "bot";
	char plain[EVENT_NAME_SIZE];
	int same = 1;

	for (int other = 0; other < index; other++) {
		const struct player *before = &match->players[other];

		if (before->entrant == player->entrant) {
			memcpy(
			    player->name, before->name, sizeof(player->name));
			return;
		}
	}
	copy_plain(base, player->name, EVENT_NAME_SIZE);
	memcpy(plain, player->name, sizeof(plain));
	for (int other = 0; other < index; other++) {
		if (strcmp(match->players[other].name, player->name) != 0)
			continue;
		snprintf(player->name, sizeof(player->name), "%.*s-%d",
		    EVENT_NAME_SIZE - 12, plain, ++same % SCOPA_SEATS_MAX);
		other = -1;
	}
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
	shuffle_key_format(&rules->secret, hex);
	snprintf(head->tag, sizeof(head->tag),
	    "utc=%s tool=" VERSION_NAME "/" VERSION_NUMBER
	    " event=%s round=%d game=%d%s%s",
	    utc, match->game.event, match->game.round + 1,
	    match->game.rotation + 1,
	    rules->packs ? "" : " secret=", rules->packs ? "" : hex);
	for (int i = 0; i < match_player_count(match); i++)
		name_player(match, i);
	for (int seat = 0; seat < match_player_count(match); seat++) {
		struct event_seat *line = &head->seats[seat];

		snprintf(line->name, sizeof(line->name), "%s",
		    match_player_at(match, seat)->name);
		memcpy(line->version,
		    match->referee.seats[seat].session.version,
		    sizeof(line->version));
		head->match.seeds[seat] =
		    shuffle_seat_seed(&rules->secret, match->game.event,
			(uint64_t)match->game.rotation + 1, seat);
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

void
match_note_fault(struct match *match)
{
	int seat = match->referee.offender;
	const struct session *session;
	struct match_fault *fault = &match->fault;
	struct player *player;

	memset(fault, 0, sizeof(*fault));
	fault->player = -1;
	if (seat == REFEREE_SEAT_NONE)
		return;
	player = match_player_at(match, seat);
	session = &match->referee.seats[seat].session;
	fault->player = match->game.player[seat];
	fault->kind = match->referee.offence;
	fault->phase = session->ended_in;
	memcpy(fault->reason, match->referee.offence_reason,
	    sizeof(fault->reason));
	memcpy(fault->said, session->said, sizeof(fault->said));
	memcpy(fault->received, player->received, sizeof(fault->received));
	memcpy(fault->ending, player->ending, sizeof(fault->ending));
	if (player->bot)
		match_keep_tail(player);
	memcpy(fault->stderr_tail, player->stderr_tail,
	    sizeof(fault->stderr_tail));
}
