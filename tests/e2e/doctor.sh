# Goal: `doctor` shows what this machine offers, and bots run in the sandbox
# that it names.
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

scenario 'a layer of the sandbox is there, or a reason and a remedy are shown'
expect_out '^  (yes|no ) filter of system calls(:|$)'
expect_out '^  (yes|no ) Landlock(:|$)'
expect_out '^  (yes|no ) tree kill(:|$)'
expect_out '^  (yes|no ) namespaces(:|$)'
awk '/^  no  / { missing++; shown = shown && / no  [^:]*: ./; getline
		shown = shown && /^        ./ }
	BEGIN { shown = 1 }
	END { exit !shown }' "$out" || fail 'a reason or a remedy is missing'
[ "$level" != none ] || expect_out '^  no  '

scenario 'exactly one way to kill a process tree is in use'
expect [ "$(grep -c '^  by ' "$out")" -eq 1 ]
case $level in
box*) expect_out '^  by namespaces: ' ;;
*) expect_out '^  by (Landlock|groups|search): ' ;;
esac

scenario 'doctor shows whether two bots could communicate by futexes'
expect_out '^futexes +(waits|two bots)'
if "$BUILD/tests/e2e/without" scope -- true 2>/dev/null; then
	"$BUILD/tests/e2e/without" scope -- "$SCOPA_ARENA" doctor >poorer
	expect grep -q '^futexes *two bots could whisper' poorer
fi

scenario 'the JSON output of doctor says the same'
run "$SCOPA_ARENA" doctor --json
python3 - "$out" "$level" <<'END' || fail 'the JSON does not say the same'
import json, sys
document = json.load(open(sys.argv[1]))
level = sys.argv[2]
assert document['walls'] == level
layers = {layer['name']: layer for layer in document['layers']}
for layer in layers.values():
    assert (layer['why'] is None) == layer['reached'], layer
    assert (layer['fix'] is None) == layer['reached'], layer
certain = layers['tree kill']['reached']
assert document['tree_kill'] == certain >= level.startswith('box')
assert layers['namespaces']['reached'] == level.startswith('box')
assert certain == (document['tree_kill_ways'][0] not in ('groups', 'search'))
assert 0 < document['busy_cores'] <= document['cores'] and document['bots_at_once'] > 0
assert 0 < document['memory_free_bytes'] <= document['memory_bytes']
END

scenario 'docs/formats.md describes every member'
python3 - "$out" "$SRC/docs/formats.md" <<'END' || fail 'a member is missing'
import json, re, sys
page = open(sys.argv[2]).read().split('## The machine')[1]
words = set(re.findall(r'`([a-z_]+)`', page))
document = json.load(open(sys.argv[1]))
assert set(document) <= words, set(document) - words
for layer in document['layers']:
    assert set(layer) <= words
END

scenario 'bots run in the sandbox that doctor names'
arena 0 match @first @first --deals 1
expect_out "^sandbox ${level/+/.}\$"

finish
