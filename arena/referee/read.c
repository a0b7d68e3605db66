/*
 * Reading the values that events and messages share.
 */
#include "read.h"

bool
refuse(struct scopa_text *why, const char *sentence)
{
	scopa_text_string(why, sentence);
	return false;
}

/* `what: "word" is not EXPECTED` */
bool
refuse_word(struct scopa_text *why, const char *what, struct word word,
    const char *expected)
{
	scopa_text_string(why, what);
	if (word.bytes == NULL) {
		scopa_text_string(why, " is missing; expected ");
		return refuse(why, expected);
	}
	scopa_text_string(why, " \"");
	scopa_text_bytes(
	    why, word.bytes, word.length < 100 ? word.length : 100);
	scopa_text_string(why, "\" is not ");
	return refuse(why, expected);
}

bool
read_number(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why)
{
	struct word word = words_find(words, key);
	int64_t value;

	if (word.bytes == NULL || !word_to_int(word, min, max, &value))
		return refuse_word(why, key, word, "a number in range");
	*number = (int)value;
	return true;
}

/* The same, but the key may be left out; *number then stays as it is. */
bool
read_optional(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why)
{
	if (words_find(words, key).bytes == NULL)
		return true;
	return read_number(words, key, min, max, number, why);
}

/* A value as text; an absent key gives an empty text. */
bool
read_text(const struct words *words, const char *key, char *text, size_t size,
    struct scopa_text *why)
{
	struct word word = words_find(words, key);

	text[0] = '\0';
	if (word.bytes && !word_decode(word, text, size))
		return refuse_word(why, key, word, "a text of this length");
	return true;
}

bool
read_seat(struct word word, int *seat, struct scopa_text *why)
{
	int64_t number;

	if (!word_to_int(word, 1, SCOPA_SEATS_MAX, &number))
		return refuse_word(why, "seat", word, "1 to 6");
	*seat = (int)number - 1;
	return true;
}

bool
read_party(struct word word, int *party, struct scopa_text *why)
{
	if (word.bytes == NULL || word.length != 1 || word.bytes[0] < 'A' ||
	    word.bytes[0] >= 'A' + SCOPA_PARTIES_MAX)
		return refuse_word(why, "team", word, "a letter A to F");
	*party = word.bytes[0] - 'A';
	return true;
}

/* `A:0,B:0`, parties in order. */
bool
read_scores(const struct words *words, int32_t scores[SCOPA_PARTIES_MAX],
    int *party_count, struct scopa_text *why)
{
	struct word word = words_find(words, "scores"), rest = word, piece;
	int64_t number;

	*party_count = 0;
	while (word_next_piece(&rest, ',', &piece)) {
		struct word points = piece, party;

		if (*party_count == SCOPA_PARTIES_MAX ||
		    !word_next_piece(&points, ':', &party) ||
		    party.length != 1 || party.bytes[0] != 'A' + *party_count ||
		    points.bytes == NULL ||
		    !word_to_int(
			points, -READ_SCORE_MAX, READ_SCORE_MAX, &number))
			return refuse_word(
			    why, "scores", word, "a list like A:0,B:0");
		scores[(*party_count)++] = (int32_t)number;
	}
	return true;
}

/* Cards, or as many `??`. */
bool
read_cards(struct word word, struct event_cards *cards, struct scopa_text *why)
{
	scopa_set set;
	size_t marks = 0;

	while (marks < word.length && word.bytes[marks] == '?')
		marks++;
	cards->hidden = 0;
	if (marks > 0 && marks == word.length && marks % 2 == 0 &&
	    marks <= 2 * SCOPA_PACK_SIZE) {
		cards->cards = SCOPA_SET_EMPTY;
		cards->hidden = (int)(marks / 2);
		return true;
	}
	switch (scopa_set_parse(word.bytes, word.length, &set)) {
	case SCOPA_PARSED:
		cards->cards = set;
		return true;
	case SCOPA_BAD_SYNTAX:
		return refuse_word(why, "cards", word, "a set like 3C4S or -");
	case SCOPA_DUPLICATE:
		break;
	}
	return refuse_word(
	    why, "cards", word, "a set: a card stands in it twice");
}
