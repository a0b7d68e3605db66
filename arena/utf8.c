#include "utf8.h"

size_t
utf8_read(const char *bytes, size_t size, uint32_t *character)
{
	/* The least character that needs so many bytes. */
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
