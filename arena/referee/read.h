/*
 * Reading the values that events and messages share.
 *
 * Each answers false, with a sentence in `why` and nothing written, where the
 * value is not what it must be.
 */
#ifndef READ_H
#define READ_H

#include "event.h"

enum { READ_SCORE_MAX = 1000000 };

/* Writes the sentence and answers false. */
bool refuse(struct scopa_text *why, const char *sentence);

/* The same: `WHAT "WORD" is not EXPECTED`, or that it is missing. */
bool refuse_word(struct scopa_text *why, const char *what, struct word word,
    const char *expected);

/* The pair `key=NUMBER`; the second form leaves *number alone without it. */
bool read_number(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why);
bool read_optional(const struct words *words, const char *key, int64_t min,
    int64_t max, int *number, struct scopa_text *why);

/* A value as text, `%XX` decoded; an absent key gives an empty text. */
bool read_text(const struct words *words, const char *key, char *text,
    size_t size, struct scopa_text *why);

/* `1` to `6` to a seat from 0; `A` to `F` to a party from 0. */
bool read_seat(struct word word, int *seat, struct scopa_text *why);
bool read_party(struct word word, int *party, struct scopa_text *why);

/* `scores=A:0,B:0`, parties in order; none where the key is absent. */
bool read_scores(const struct words *words, int32_t scores[SCOPA_PARTIES_MAX],
    int *party_count, struct scopa_text *why);

/* Cards, or as many `??`. */
bool read_cards(
    struct word word, struct event_cards *cards, struct scopa_text *why);

#endif
