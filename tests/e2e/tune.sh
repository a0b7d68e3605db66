# Goal: what learns the numbers of the move policy gives the same numbers every
# time, in the form of the source that it replaces, and tells what they are
# worth.
. "$SRC/tests/e2e/lib.sh"

fit=$BUILD/bots/tune/fit

scenario 'the same seed learns the same numbers'
for table in first second; do
	run "$fit" play --family pair --deals 12 --rounds 1 --worlds 4 --seed 5 \
		--out $table
	expect_exit 0
	expect_err_empty
	expect_out '^pair +2  positions'
done
expect_same first second
run "$fit" play --family pair --deals 12 --rounds 1 --worlds 4 --seed 6 \
	--out third
expect_exit 0
cmp -s first third && fail 'another seed learns the same numbers'

scenario 'what was known can be forgotten'
run "$fit" play --family pair --deals 0 --rounds 0 --fresh 1 --out empty
expect_exit 0
grep -q '[1-9]F' empty && fail 'a weight is left'

scenario 'what is written is the source of the policy'
run grep -c 'POLICY_' first
expect_out '^[0-9]+$'
mkdir sources
cp first sources/policy_table.c
run "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror -fsyntax-only \
	-I "$SRC/engine/include" -I "$SRC/bots/c/policy" sources/policy_table.c
expect_exit 0
run grep -q -- '--family pair --deals 12 --rounds 1 --worlds 4' first
expect_exit 0

scenario 'models are learned from what players do'
run "$fit" model --family cirulla --deals 11 --rounds 1 --iterations 50 \
	--out model
expect_exit 0
expect_err_empty
run grep -q 'policy_models' model
expect_exit 0

scenario 'duels and inference are told with their margins'
run "$fit" duel --rules scopa --packs 10
expect_exit 0
expect_out '^scopa .*\+- [0-9.]+  packs 10$'
run "$fit" infer --rules scientifico --deals 1 --worlds 4 --iterations 20
expect_exit 0
expect_out '^scientifico +searcher .* bits'

scenario 'what makes no sense is refused'
for words in '' 'learn' 'play --deals' 'play --deals x' 'play --deal 3'; do
	# Words on purpose.
	# shellcheck disable=SC2086
	run "$fit" $words
	expect_exit 2
done

finish
