# Goal: the program that learns the numbers of the move policy gives the same
# numbers every time, in the form of the table that it replaces, and measures
# their strength.
. "$SRC/tests/e2e/lib.sh"

fit=$BUILD/bots/tune/fit

scenario 'the same seed gives the same numbers'
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

scenario 'the output has the form of the tables in the sources'
expect_out '^pair +2  positions'
run awk -F '\t' 'NF != 19 && !/^# W/' first
expect_out_empty
cut -f 1 first | grep -v '^# W' >names
cut -f 1 "$SRC/bots/c/policy/policy_table.tsv" | grep -v '^# W' >wanted
expect_same names wanted
expect_run 0 grep -q -- '--family pair --deals 12 --rounds 1 --worlds 4' first

scenario 'models of opponents are learned from their moves'
expect_run 0 "$fit" model --family cirulla --deals 11 --rounds 1 \
	--iterations 50 --out model
expect_err_empty
run grep -c '^[a-z]' model
expect_out '^65$'

scenario 'a comparison of two policies prints their margin'
expect_run 0 "$fit" duel --rules scopa --packs 10
expect_out '^scopa .*\+- [0-9.]+  packs 10$'

scenario 'wrong arguments are refused'
for words in '' 'learn' 'play --deals' 'play --deals x' 'play --deal 3'; do
	# $words is split into words.
	# shellcheck disable=SC2086
	expect_run 2 "$fit" $words
done

finish
