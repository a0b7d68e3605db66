/*
 * Reads UTF-8 characters of untrusted text.  Only well-formed characters are
 * accepted: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#include "utf8.h"

#include <string.h>

size_t
utf8_read(const char *bytes, size_t size, uint32_t *character)
{
	/* The least character that needs an encoding of this length. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint8_t first;
	size_t length;
	uint32_t value;

	if (size == 0)
		return 0;
	first = (uint8_t)bytes[0];
	if (first < 0x80) {
		*character = first;
		return 1;
	}
	if (first < 0xc0 || first >= 0xf8)
		return 0;
	length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	if (length > size)
		return 0;
	value = first & (0x7fU >> length);
	for (size_t i = 1; i < length; i++) {
		uint8_t next = (uint8_t)bytes[i];

		if ((next & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (next & 0x3fU);
	}
	if (value < least[length] || value > 0x10ffff ||
	    (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*character = value;
	return length;
}

bool
utf8_is_whole(const char *text)
{
	uint32_t character;
	size_t length;

	for (size_t left = strlen(text); left > 0; left -= length) {
		length = utf8_read(text, left, &character);
		if (length == 0)
			return false;
		text += length;
	}
	return true;
}

bool
utf8_steers(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f },
		{ 0x061c, 0x061c }, /* Arabic letter mark */
		{ 0x200e, 0x200f }, /* left-to-right, right-to-left mark */
		{ 0x2028, 0x2029 }, /* line and paragraph separator */
		{ 0x202a, 0x202e }, /* embeddings and overrides */
		{ 0x2066, 0x2069 }, /* isolates */
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	return false;
}
