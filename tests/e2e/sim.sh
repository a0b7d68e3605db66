# Goal: tournaments that are simulated in one process from a seed end with the
# same results whatever the machine does to the arena, and no honest bot is
# blamed; some seeds are always the same, others are new each time.
. "$SRC/tests/e2e/lib.sh"

sim=${BUILD:?run this with make test}/tests/sim/sim
export RUN_SECONDS=600
case ${MODE:-release} in
san | cover | fuzz) seeds=$(few_or_all 8 20) ;;
*) seeds=$(few_or_all 40 150) ;;
esac

# Plays seeds; if one fails, shows its output and the command that plays it
# again.
expect_seeds() { # FIRST
	run "$sim" --seed "$1" --seeds "$seeds"
	[ "$status" -eq 0 ] || sed 's/^#*/#/' "$out"
	expect_exit 0
	expect_out "^ok 1 - $seeds tournaments from seed $1 end"
}

scenario 'tournaments from known seeds end as they should'
expect_seeds 1

scenario 'tournaments from new seeds end as they should'
new=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
echo "# from seed $new"
expect_seeds "$new"

scenario 'a seed plays the same tournament each time'
expect_run 0 "$sim" --seed 7 --verbose
grep -v 'seeds a minute' "$out" | sed 's|scopa-test\.[^/]*||' >first
run "$sim" --seed 7 --verbose
grep -v 'seeds a minute' "$out" | sed 's|scopa-test\.[^/]*||' >second
expect cmp first second

scenario 'an unknown option is refused'
expect_run 42 "$sim" --seed 7 --no-such-option
expect_out '^# usage: '

finish
