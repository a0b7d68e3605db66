/*
 * The referee under scripts of what bots may do, with a judge who knows what
 * must come of it: see script.h and judge.h.  Games must leave records that
 * prove what they say, and no seat may hear anything that depends on cards
 * that it does not see.
 */
#include "fuzz.h"
#include "script.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	script_try(data, size);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(
    uint8_t *data, size_t size, size_t size_max, unsigned seed)
{
	static const char *const words[] = { "1", "2", "3", "1+", "2+", "3+",
		"1+;2+", "3+;4+", "5+;6+", "1+;2+;3+;4+;5+;6+", ".", ".", ".",
		".a", ".b", ".c", ".;.;.;.;.;.;.", "w", "W", "j", "J", "d", "l",
		"L", "a", "n", "1>", "2>", "1> # x", "1>readyok", "2>readyok",
		"3>readyok", "1>id name=x", "2>id name=y version=1",
		"1>uspok 1", "2>uspok 1", "1>uspok 2",
		"1>option name=a type=int", "1>option name=Depth type=int",
		"1>option", "1>feature observe=1",
		"2>feature observe=1 legal=0", "2>feature events=0 state=0",
		"1>feature declare=0 x=1", "1>info value=1",
		"2>info depth=3 # x", "1>error x", "2>error fatal",
		"1>error fatal", "1>nonsense", "1>move", "2>move 7D",
		"1>move !low", "2>move !three", "1>move 7Dx7D",
		"1>move 6C turn=0", "2>move KDxKD turn=0123456789abcdef",
		"1<move AD", "2<move 3S", "1<readyok", "1!", "2!", "1*", "2*",
		"3*", "1-", "2-", "3-", "1~", "2~", "1_", "1^", "2_", "2^",
		NULL };
	const struct fuzz_pieces pieces = { ';', SCRIPT_HEAD + 1, words };

	return fuzz_mutate_pieces(&pieces, data, size, size_max, seed);
}
