# Goal: the features of a processor make the engine faster and change no result:
# draws and counts are the same with every implementation of the engine.
# Release: it builds the engine itself.
. "$SRC/tests/e2e/lib.sh"

cat >play.c <<'END'
#include <stdio.h>

#include "scopa/scopa.h"

static uint64_t
next(uint64_t *state)
{
	uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 31;
}

static void
play(const struct scopa_rules *rules, uint64_t *random, uint64_t *moves)
{
	struct scopa_score score;
	struct scopa_deal deal;
	uint8_t pack[SCOPA_PACK_SIZE];

	do {
		for (int i = 0; i < SCOPA_PACK_SIZE; i++) {
			int j = (int)(next(random) % (unsigned)(i + 1));

			pack[i] = pack[j];
			pack[j] = (uint8_t)i;
		}
	} while (scopa_deal_start(rules, pack, 0, &deal) != SCOPA_START_PLAY);
	while (!scopa_deal_over(&deal)) {
		struct scopa_move move;

		scopa_move_pick(rules, &deal, next(random), &move);
		*moves = *moves * 31 + move.captured * 41 + move.card;
		scopa_deal_apply(rules, &deal, &move);
	}
	scopa_score_count(rules, &deal, &score);
	*moves += (uint64_t)score.total[0];
}

int
main(void)
{
	for (int i = 0; i < scopa_preset_count; i++) {
		uint64_t random = 1, moves = 0;

		for (int deal = 0; deal < 500; deal++)
			play(&scopa_presets[i].rules, &random, &moves);
		printf("%s %016llx\n", scopa_presets[i].name,
		    (unsigned long long)moves);
	}
	return 0;
}
END

# Builds the engine with these flags, and plays a game with it.
play_with() { # NAME FLAG...
	local name=$1
	shift
	"${compiler[@]}" -std=c11 -O1 "$@" -I"$SRC/engine/include" \
		-I"$BUILD/made/engine" -o "play-$name" \
		play.c "$SRC"/engine/*.c >"$name.log" 2>&1 ||
		fail "$name does not build: $(head -n 3 "$name.log")"
	"./play-$name" >"$name.moves" || fail "$name does not play"
}

scenario 'draws are the same with every implementation for this processor'
play_with native
[ "$(wc -l <native.moves)" -eq 20 ] || fail 'one line for each preset was expected'
play_with plain -DSELECT_DEPOSITS=0
expect_same native.moves plain.moves

if [ -n "$TEST_FULL" ]; then
	scenario 'draws are the same with other flags of the compiler'
	play_with quick -O3 -fwrapv
	expect_same native.moves quick.moves
	if [ "$(uname -m)" = x86_64 ]; then
		play_with popcnt -mpopcnt
		expect_same native.moves popcnt.moves
	fi
fi

finish
