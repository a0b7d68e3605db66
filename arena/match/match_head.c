/*
 * The head of a game record: names of the players, tag line, clock and seeds;
 * and the keys of a game, from the secret or from a slot.
 *
 * Invariants: names hold no character that could control a terminal. Seats of
 * the same entrant have the same name, and different entrants have different
 * names. A name does not depend on the seat, because names are given in the
 * order of the entrants.
 */
#include "match_head.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "buffers.h"
#include "clock.h"
#include "sandbox.h"
#include "utf8.h"
#include "version.h"

enum { SUFFIX_SIZE = 16 };

void
match_head_plain(const char *name, char *plain, size_t size)
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

void
match_head_name(const struct entrant *entrant, const struct session *session,
    char name[EVENT_NAME_SIZE])
{
	const char *file = strrchr(entrant->program.path, '/');
	const char *base = entrant->name[0] ? entrant->name
	    : session->name[0]              ? session->name
	    : entrant->command[0] == '@'    ? entrant->command + 1
	    : file                          ? file + 1
					    : "bot";

	match_head_plain(base, name, EVENT_NAME_SIZE);
}

void
match_head_name_extend(
    char name[EVENT_NAME_SIZE], const char *plain, const char *suffix)
{
	size_t length = strlen(plain);
	size_t length_max = EVENT_NAME_SIZE - 1 - strlen(suffix);

	if (length > length_max)
		length = length_max;
	/* The bytes of a character after its first one are 10xxxxxx. */
	while (length > 0 && ((unsigned char)plain[length] & 0xC0) == 0x80)
		length--;
	snprintf(name, EVENT_NAME_SIZE, "%.*s%s", (int)length, plain, suffix);
}

/*
 * Makes the name of seat order[index] different from the names of other
 * entrants that come earlier in the order. The seat already has its plain name.
 * A seat of the same entrant gets the same name.
 */
static void
name_seat(struct game_head *head, const struct game_spec *game,
    const int order[], int index)
{
	char *name = head->seats[order[index]].name;
	char plain[EVENT_NAME_SIZE], suffix[SUFFIX_SIZE];
	int same = 1;

	memcpy(plain, name, sizeof(plain));
	for (int i = 0; i < index; i++) {
		if (game->entrant[order[i]] != game->entrant[order[index]])
			continue;
		memcpy(name, head->seats[order[i]].name, EVENT_NAME_SIZE);
		return;
	}
	for (int i = 0; i < index; i++) {
		if (strcmp(head->seats[order[i]].name, name) != 0)
			continue;
		snprintf(suffix, sizeof(suffix), "-%d", ++same);
		match_head_name_extend(name, plain, suffix);
		i = -1;
	}
}

/* Names all seats, in the order of the entrants. */
static void
name_players(struct game_head *head, const struct game_spec *game,
    const struct entrant *entrants, const struct session *const sessions[],
    int seat_count)
{
	int order[SCOPA_SEATS_MAX];

	for (int seat = 0; seat < seat_count; seat++) {
		int entrant = game->entrant[seat], at = seat;

		for (; at > 0; at--) {
			if (game->entrant[order[at - 1]] <= entrant)
				break;
			order[at] = order[at - 1];
		}
		order[at] = seat;
	}
	for (int i = 0; i < seat_count; i++) {
		int seat = order[i];

		match_head_name(&entrants[game->entrant[seat]], sessions[seat],
		    head->seats[seat].name);
		name_seat(head, game, order, i);
	}
}

struct deal_keys_slot *
match_keys(const struct match_rules *rules, const struct game_spec *game)
{
	return game->keys > 0 ? deal_keys_slot(rules->deal_keys, game->keys - 1)
			      : NULL;
}

bool
match_deal_key(const struct match_rules *rules, const struct game_spec *game,
    int deal, int redeal, struct shuffle_key *key)
{
	const struct deal_keys_slot *slot = match_keys(rules, game);
	const struct shuffle_key *found;

	if (slot == NULL) {
		shuffle_deal_key(&rules->root_key, game->event,
		    (uint64_t)deal + 1, (uint64_t)redeal, key);
		return true;
	}
	found = deal_keys_find(&slot->keys, deal, redeal);
	if (found != NULL)
		*key = *found;
	return found != NULL;
}

void
match_nonces_key(const struct match_rules *rules, const struct game_spec *game,
    struct shuffle_key *key)
{
	const struct deal_keys_slot *slot = match_keys(rules, game);

	if (slot != NULL)
		*key = slot->nonces[game->rotation];
	else
		deal_keys_make_nonces(key, &rules->root_key, game->index);
}

/*
 * Writes ` commit=HEX` or ` secret=HEX`, by which the packs can be checked.
 * Nothing if a file has the packs, or if this machine does not know the secret.
 */
static void
put_origin(const struct match_rules *rules, const struct game_spec *game,
    struct scopa_text *text)
{
	char hex[SHUFFLE_HEX_SIZE];

	if (rules->packs != NULL || (!rules->committed && game->keys > 0))
		return;
	shuffle_key_format(
	    rules->committed ? &rules->commitment : &rules->root_key, hex);
	scopa_text_print(
	    text, " %s=%s", rules->committed ? "commit" : "secret", hex);
}

void
match_head_tag(struct scopa_text *tag, const struct match_rules *rules,
    const struct game_spec *game, const struct entrant *entrants,
    const char *utc, const char *sandbox)
{
	const char *before = " persons=";

	scopa_text_print(tag,
	    "utc=%s tool=" VERSION_NAME "/" VERSION_NUMBER
	    " event=%s round=%d game=%d sandbox=%s%s",
	    utc, game->event, game->round + 1, game->rotation + 1, sandbox,
	    rules->settings.analysis ? " analysis=1" : "");
	for (int seat = 0; seat < rules->rules.players; seat++) {
		if (!entrants[game->entrant[seat]].is_person)
			continue;
		scopa_text_print(tag, "%s%d", before, seat + 1);
		before = ",";
	}
	if (game->voided[0])
		scopa_text_print(tag, " voided=%s", game->voided);
	put_origin(rules, game, tag);
}

void
match_head_fill(struct game_head *head, const struct match_rules *rules,
    const struct game_spec *game, const struct entrant *entrants,
    const struct session *const sessions[])
{
	const struct deal_keys_slot *keys = match_keys(rules, game);
	char utc[CLOCK_UTC_SIZE];
	struct scopa_text tc, tag;

	memset(head, 0, sizeof(*head));
	snprintf(
	    head->match.id, sizeof(head->match.id), "m%d", game->index + 1);
	scopa_text_init(&tc, head->match.tc, sizeof(head->match.tc));
	budget_control_format(&rules->settings.control, &tc);
	head->match.has_seeds = true;
	clock_utc(utc);
	scopa_text_init(&tag, head->tag, sizeof(head->tag));
	match_head_tag(
	    &tag, rules, game, entrants, utc, sandbox_name(rules->sandbox));
	name_players(head, game, entrants, sessions, rules->rules.players);
	for (int seat = 0; seat < rules->rules.players; seat++) {
		struct event_seat *line = &head->seats[seat];

		memcpy(line->version, sessions[seat]->version,
		    sizeof(line->version));
		line->sees_all = sessions[seat]->features.analysis;
		head->match.seeds[seat] = keys != NULL
		    ? keys->seeds[game->rotation][seat]
		    : shuffle_seat_seed(&rules->root_key, game->event,
			  (uint64_t)game->index + 1, seat);
	}
}

int
match_max_deals(const struct match_rules *rules)
{
	return rules->max_deals > 0 ? rules->max_deals
				    : game_deals_max(&rules->rules);
}

struct process_order
match_process_order(const struct match_rules *rules,
    const struct entrant *entrant,
    const char *arguments[PROGRAM_ARGUMENTS_MAX + 1])
{
	program_arguments(&entrant->program, arguments);
	return (struct process_order){
		.path = entrant->program.path,
		.arguments = arguments,
		.environment = entrant->environment,
		.dir = entrant->dir,
		.read = entrant->read[0] ? entrant->read : NULL,
		.allows_futexes = entrant->allows_futexes,
		.sandbox = rules->sandbox,
		.memory_max_bytes = rules->memory_max_bytes,
		.stale = fingerprint_check(&entrant->fingerprint) == -ESTALE,
	};
}

void
match_fault_fill(struct match_fault *fault, const struct referee *referee,
    int seat, enum offence_kind kind, const char reason[SESSION_REASON_SIZE])
{
	const struct session *session = &referee->seats[seat].session;

	*fault = (struct match_fault){
		.seat = seat,
		.kind = kind,
		.phase = session->ended_in,
		.option_flaw = session->option_flaw,
		.stray_count = session->stray_count,
		.wrong_turn_count = session->wrong_turn_count,
	};
	memcpy(fault->reason, reason, sizeof(fault->reason));
	memcpy(fault->allowed, session->allowed, sizeof(fault->allowed));
	memcpy(fault->nearest, session->nearest, sizeof(fault->nearest));
	memcpy(fault->said, session->said, sizeof(fault->said));
	memcpy(fault->stray, session->stray, sizeof(fault->stray));
}

void
match_fault_fill_offence(
    struct match_fault *fault, const struct referee *referee)
{
	const struct referee_seat *seat;

	*fault = (struct match_fault){ .seat = -1 };
	if (referee->offender == REFEREE_SEAT_NONE)
		return;
	seat = &referee->seats[referee->offender];
	match_fault_fill(fault, referee, referee->offender, referee->offence,
	    referee->offence_reason);
	snprintf(fault->said, sizeof(fault->said), "%s",
	    referee->offence_said[0] ? referee->offence_said
				     : seat->session.unused);
	if (fault->kind == OFFENCE_ILLEGAL)
		snprintf(fault->refusal, sizeof(fault->refusal), "%s",
		    referee->refusal);
	memcpy(fault->state, referee->offence_state, sizeof(fault->state));
	memcpy(fault->turn_id, seat->turn_id, REFEREE_TURN_SIZE);
	fault->mute = fault->kind == OFFENCE_TIMEOUT && !fault->said[0] &&
	    seat->info_bytes == 0 && referee->info.length == 0 &&
	    seat->decision_count <= seat->offences[OFFENCE_TIMEOUT];
}

void
exit_reason_of(const struct bot_exit *exit, char reason[SESSION_REASON_SIZE])
{
	const char *error = strerrorname_np(exit->code);

	switch (exit->end) {
	case BOT_END_EXIT:
		snprintf(reason, SESSION_REASON_SIZE, "EXIT(%d)", exit->code);
		break;
	case BOT_END_SIGNAL:
		if (exit->limit == SUPERVISOR_MEMORY) {
			snprintf(reason, SESSION_REASON_SIZE, "LIMIT_MEM");
			break;
		}
		snprintf(reason, SESSION_REASON_SIZE, "CRASH(%d)", exit->code);
		break;
	case BOT_END_EXEC:
	case BOT_END_HOST:
		/* The file of the bot has changed: see fingerprint_check(). */
		if (exit->code == ESTALE)
			error = "CHANGED";
		snprintf(reason, SESSION_REASON_SIZE, "EXEC_FAIL(%s)",
		    error ? error : "?");
		break;
	}
}
