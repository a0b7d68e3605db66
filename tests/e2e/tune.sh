# Goal: what learns the numbers of the move policy gives the same numbers every
# time, in the form of the table that it replaces, and says what they are
# worth.
. "$SRC/tests/e2e/lib.sh"

fit=$BUILD/bots/tune/fit

scenario 'the same seed learns the same numbers'
for table in first second; do
	expect_run 0 "$fit" play --family pair --deals 12 --rounds 1 \
		--worlds 4 --seed 5 --out $table
	expect_err_empty
	expect_out '^pair +2  positions'
done
expect_same first second
expect_run 0 "$fit" play --family pair --deals 12 --rounds 1 --worlds 4 \
	--seed 6 --out third
cmp -s first third && fail 'another seed learns the same numbers'

scenario 'what is written has the form of the tables in the sources'
expect_out '^pair +2  positions'
run awk -F '\t' 'NF != 19 && !/^# W/' first
expect_out_empty
cut -f 1 first | grep -v '^# W' >names
cut -f 1 "$SRC/bots/c/policy/policy_table.tsv" | grep -v '^# W' >wanted
expect_same names wanted
expect_run 0 grep -q -- '--family pair --deals 12 --rounds 1 --worlds 4' first

scenario 'models are learned from what players do'
expect_run 0 "$fit" model --family cirulla --deals 11 --rounds 1 \
	--iterations 50 --out model
expect_err_empty
run grep -c '^[a-z]' model
expect_out '^65$'

scenario 'duels are printed with their margins'
expect_run 0 "$fit" duel --rules scopa --packs 10
expect_out '^scopa .*\+- [0-9.]+  packs 10$'

scenario 'what makes no sense is refused'
for words in '' 'learn' 'play --deals' 'play --deals x' 'play --deal 3'; do
	# Words on purpose.
	# shellcheck disable=SC2086
	expect_run 2 "$fit" $words
done

finish
