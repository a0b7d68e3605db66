# Goal: doctor tells what this machine offers, and the walls that it names are
# those that bots are put behind.
. "$SRC/tests/cli/lib.sh"

scenario 'doctor tells walls and machine'
run "$SCOPA_ARENA" doctor
expect_out '^kernel +Linux '
expect_out '^walls +(none|core|core\+tree|box)$'
expect_out '^cores +[1-9]'
expect_out '^bots +[1-9][0-9]* at once'
expect_err_empty
level=$(awk '/^walls / { print $2 }' "$out")
case $level in
box | core+tree)
	expect_exit 0
	expect_out '^tree kill +certain'
	;;
*)
	expect_exit 1
	expect_out '^tree kill +not certain'
	;;
esac

scenario 'what is missing has a reason and a remedy'
case $level in
box) expect_no_out '^  no ' ;;
*)
	expect_out '^  no box: .'
	expect_out 'let users make namespaces'
	;;
esac

scenario 'doctor tells programs the same'
run "$SCOPA_ARENA" doctor --json
python3 - "$out" "$level" <<'END' || fail 'the JSON does not say the same'
import json, sys
told = json.load(open(sys.argv[1]))
levels = ['none', 'core', 'core+tree', 'box']
assert told['walls'] == sys.argv[2]
assert sorted(told['missing']) == sorted(
    levels[levels.index(told['walls']) + 1:])
assert told['tree_kill'] == (told['walls'] in levels[2:])
assert told['cores'] > 0 and told['bots_at_once'] > 0
END

scenario 'bots are put behind the walls that doctor names'
run "$SCOPA_ARENA" match @first @first --deals 1
expect_exit 0
expect_out "^walls ${level/+/.}\$"

finish
