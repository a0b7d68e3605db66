/*
 * What the processor can do, asked once.
 */
#include "select.h"

#if SELECT_DEPOSITS

enum { FAMILY_ZEN3 = 0x19, BMI2_BIT = 1 << 8 };

/* Threads that ask at the same time hear the same. */
uint8_t select_way = SELECT_UNKNOWN;

struct answer {
	uint32_t eax, ebx, ecx, edx;
};

/* The instruction CPUID; Intel's manual, volume 2A. */
static struct answer
cpuid(uint32_t leaf)
{
	struct answer answer;

	__asm__("cpuid"
		: "=a"(answer.eax), "=b"(answer.ebx), "=c"(answer.ecx),
		"=d"(answer.edx)
		: "a"(leaf), "c"(0));
	return answer;
}

/* `AuthenticAMD`, in three parts. */
static bool
is_amd(const struct answer *vendor)
{
	return vendor->ebx == 0x68747541 && vendor->edx == 0x69746e65 &&
	    vendor->ecx == 0x444d4163;
}

bool
select_ask(void)
{
	struct answer vendor = cpuid(0), version = cpuid(1);
	uint32_t family = (version.eax >> 8 & 0xF) + (version.eax >> 20 & 0xFF);
	bool deposits = vendor.eax >= 7 && (cpuid(7).ebx & BMI2_BIT) &&
	    (!is_amd(&vendor) || family >= FAMILY_ZEN3);

	__atomic_store_n(&select_way,
	    deposits ? SELECT_BY_DEPOSIT : SELECT_PLAINLY, __ATOMIC_RELAXED);
	return deposits;
}

#else

/* ISO C wants something to stand in every file. */
extern int select_has_one_way;

#endif
