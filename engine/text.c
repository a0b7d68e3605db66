/* Text in a buffer of fixed size.  Text that does not fit is cut. */
#include "scopa/text.h"

#include <assert.h>
#include <stdarg.h>

#include "internal.h"

void
scopa_text_init(struct scopa_text *text, char *bytes, size_t size)
{
	assert(size >= 1);
	text->bytes = bytes;
	text->size = size;
	text->length = 0;
	text->cut = false;
	bytes[0] = '\0';
}

char *
write_long_number(char *at, int64_t number)
{
	char digits[WRITE_NUMBER_SIZE_MAX];
	size_t from = sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do {
		digits[--from] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		digits[--from] = '-';
	memcpy(at, digits + from, sizeof(digits) - from);
	return at + sizeof(digits) - from;
}

void
scopa_text_int(struct scopa_text *text, int64_t number)
{
	char digits[WRITE_NUMBER_SIZE_MAX];
	const char *end;

	/* A fast path for numbers of one digit, which are most common. */
	if (number >= 0 && number <= 9) {
		scopa_text_char(text, (char)('0' + number));
		return;
	}
	end = write_long_number(digits, number);
	scopa_text_bytes(text, digits, (size_t)(end - digits));
}

void
scopa_text_print(struct scopa_text *text, const char *format, ...)
{
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	for (;; format++) {
		length = strcspn(format, "%");
		scopa_text_bytes(text, format, length);
		if (format[length] == '\0')
			break;
		format += length + 1;
		switch (*format) {
		case 's':
			scopa_text_string(
			    text, va_arg(arguments, const char *));
			break;
		case 'c':
			scopa_text_char(text, (char)va_arg(arguments, int));
			break;
		case 'd':
			scopa_text_int(text, va_arg(arguments, int));
			break;
		case 'j':
			format++;
			assert(*format == 'd');
			scopa_text_int(text, va_arg(arguments, intmax_t));
			break;
		default:
			assert(strncmp(format, ".*s", 3) == 0);
			format += 2;
			length = (size_t)va_arg(arguments, int);
			scopa_text_bytes(
			    text, va_arg(arguments, const char *), length);
		}
	}
	va_end(arguments);
}
