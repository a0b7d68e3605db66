#include "info.h"

#include <assert.h>

#include "scopa/notation.h"

/* Beyond this a number of three decimals has no meaning. */
#define DECIMAL_MAX 1e12

static void
key_write(struct info *info, const char *key)
{
	assert(!info->commented);
	scopa_text_char(info->text, ' ');
	scopa_text_string(info->text, key);
	scopa_text_char(info->text, '=');
	info->empty = false;
}

void
info_init(struct info *info, struct scopa_text *text)
{
	*info = (struct info){ .text = text, .empty = true };
	if (text == NULL)
		return;
	info->start = text->length;
	scopa_text_string(text, "info");
}

void
info_whole(struct info *info, const char *key, int64_t number)
{
	assert(number >= 0);
	if (info->text == NULL)
		return;
	key_write(info, key);
	scopa_text_int(info->text, number);
}

void
info_decimal(struct info *info, const char *key, double number)
{
	enum { THOUSAND = 1000 };
	int64_t thousandths;

	/* Written so that what is no number is left out too. */
	if (info->text == NULL ||
	    !(number >= -DECIMAL_MAX && number <= DECIMAL_MAX))
		return;
	key_write(info, key);
	thousandths = (int64_t)(number * THOUSAND + (number < 0 ? -0.5 : 0.5));
	if (thousandths < 0) {
		scopa_text_char(info->text, '-');
		thousandths = -thousandths;
	}
	scopa_text_int(info->text, thousandths / THOUSAND);
	scopa_text_char(info->text, '.');
	for (int64_t digit = THOUSAND / 10; digit > 0; digit /= 10)
		scopa_text_char(
		    info->text, (char)('0' + thousandths / digit % 10));
}

void
info_moves(struct info *info, const char *key, const struct scopa_move *moves,
    int count)
{
	if (info->text == NULL || count == 0)
		return;
	key_write(info, key);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			scopa_text_char(info->text, ',');
		scopa_move_format(&moves[i], info->text);
	}
}

void
info_cut(struct info *info, bool cut)
{
	if (cut)
		info_whole(info, "cut", 1);
}

void
info_comment(struct info *info, const char *words)
{
	if (info->text == NULL)
		return;
	scopa_text_string(info->text, info->commented ? " " : " # ");
	scopa_text_string(info->text, words);
	info->commented = true;
	info->empty = false;
}

void
info_finish(struct info *info)
{
	struct scopa_text *text = info->text;

	if (text == NULL)
		return;
	if (text->length - info->start <= INFO_LINE_MAX)
		scopa_text_char(text, '\n');
	else
		text->cut = true;
	if (info->empty || text->cut) {
		text->length = info->start;
		text->bytes[text->length] = '\0';
		text->cut = false;
	}
	info->text = NULL;
}
