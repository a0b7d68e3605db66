# Goal: doctor says what this machine offers, and the walls that it names are
# those that bots are put behind.
. "$SRC/tests/e2e/lib.sh"

scenario 'doctor names sandbox and machine'
run "$SCOPA_ARENA" doctor
expect_out '^kernel +Linux '
expect_out '^sandbox +(none|process|box|box\+limits)$'
expect_out '^cores +[1-9]'
expect_out '^bots +[1-9][0-9]* at once'
expect_err_empty
level=$(awk '/^sandbox / { print $2 }' "$out")
if [ "$status" -eq 0 ]; then
	expect_out '^tree kill +certain'
else
	expect_exit 1
	expect_out '^tree kill +not certain'
fi

scenario 'each layer is there, or has a reason and a remedy'
expect_out '^  (yes|no ) filter of system calls(:|$)'
expect_out '^  (yes|no ) Landlock(:|$)'
expect_out '^  (yes|no ) tree kill(:|$)'
expect_out '^  (yes|no ) namespaces(:|$)'
awk '/^  no  / { missing++; told = told && / no  [^:]*: ./; getline
		told = told && /^        ./ }
	BEGIN { told = 1 }
	END { exit !told }' "$out" || fail 'a reason or a remedy is missing'
[ "$level" != none ] || expect_out '^  no  '

scenario 'one way of killing is used'
expect [ "$(grep -c '^  by ' "$out")" -eq 1 ]
case $level in
box*) expect_out '^  by namespaces: ' ;;
*) expect_out '^  by (Landlock|groups|search): ' ;;
esac

scenario 'doctor says whether waits can be answered'
expect_out '^futexes +(waits|two bots)'
if "$BUILD/tests/e2e/without" scope -- true 2>/dev/null; then
	"$BUILD/tests/e2e/without" scope -- "$SCOPA_ARENA" doctor >poorer
	expect grep -q '^futexes *two bots could whisper' poorer
fi

scenario 'doctor says the same to programs'
run "$SCOPA_ARENA" doctor --json
python3 - "$out" "$level" <<'END' || fail 'the JSON does not say the same'
import json, sys
told = json.load(open(sys.argv[1]))
level = sys.argv[2]
assert told['walls'] == level
layers = {layer['name']: layer for layer in told['layers']}
for layer in layers.values():
    assert (layer['why'] is None) == layer['reached'], layer
    assert (layer['fix'] is None) == layer['reached'], layer
certain = layers['tree kill']['reached']
assert told['tree_kill'] == certain >= level.startswith('box')
assert layers['namespaces']['reached'] == level.startswith('box')
assert certain == (told['tree_kill_ways'][0] not in ('groups', 'search'))
assert told['cores'] > 0 and told['bots_at_once'] > 0
assert 0 < told['memory_free_bytes'] <= told['memory_bytes']
END

scenario 'every member is described'
python3 - "$out" "$SRC/docs/formats.md" <<'END' || fail 'one is not'
import json, re, sys
page = open(sys.argv[2]).read().split('## The machine')[1]
words = set(re.findall(r'`([a-z_]+)`', page))
told = json.load(open(sys.argv[1]))
assert set(told) <= words, set(told) - words
for layer in told['layers']:
    assert set(layer) <= words
END

scenario 'bots are put behind the walls that doctor names'
arena 0 match @first @first --deals 1
expect_out "^sandbox ${level/+/.}\$"

finish
