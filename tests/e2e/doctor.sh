# Goal: `doctor` shows what this machine offers, and bots run in the sandbox
# that it names.
. "$SRC/tests/e2e/lib.sh"

scenario 'doctor names sandbox and machine'
run "$SCOPA_ARENA" doctor
expect_out '^kernel +Linux ' '^sandbox +(none|process|box|box\+limits)$' \
	'^cores +[1-9]' '^bots +[1-9][0-9]* at once'
[ "$(ulimit -H -t)" != unlimited ] || expect_out '^cpu time +no limit$'
expect_err_empty
level=$(awk '/^sandbox / { print $2 }' "$out")
if [ "$status" -eq 0 ]; then
	expect_out '^tree kill +certain'
else
	expect_exit 1
	expect_out '^tree kill +not certain'
fi

scenario 'a layer of the sandbox is there, or a reason and a remedy are shown'
expect_out '^  (yes|no ) filter of system calls(:|$)' \
	'^  (yes|no ) Landlock(:|$)' '^  (yes|no ) tree kill(:|$)' \
	'^  (yes|no ) namespaces(:|$)'
awk '/^  no  / { missing++; shown = shown && / no  [^:]*: ./; getline
		shown = shown && /^        ./ }
	BEGIN { shown = 1 }
	END { exit !shown }' "$out" || fail 'a reason or a remedy is missing'
[ "$level" != none ] || expect_out '^  no  '

scenario 'exactly one way to kill a process tree is in use'
expect_lines 1 '^  by ' "$out"
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
expect_json "d['walls'] == '$level'" \
	'all((layer["why"] is None) == (layer["fix"] is None) == layer["reached"]
	for layer in d["layers"])' \
	'[layer["reached"] for layer in d["layers"] if layer["name"] == "namespaces"]
	== [d["walls"].startswith("box")]' \
	'[layer["reached"] for layer in d["layers"] if layer["name"] == "tree kill"]
	== [d["tree_kill"]] ==
	[d["tree_kill_ways"][0] not in ("groups", "search")]' \
	'd["tree_kill"] >= d["walls"].startswith("box")' \
	'0 < d["busy_cores"] <= d["cores"] and d["bots_at_once"] > 0' \
	'0 < d["memory_free_bytes"] <= d["memory_bytes"]'

scenario 'docs/formats.md describes every member'
# shellcheck disable=SC2016 # marks of Markdown
sed -n '/^## The machine/,$p' "$SRC/docs/formats.md" |
	grep -o '`[a-z_]*`' | tr -d '`' >words
expect_json '{*d, *(key for layer in d["layers"] for key in layer)} <=
	{*open("words").read().split()}'

scenario 'bots run in the sandbox that doctor names'
arena 0 match @first @first --deals 1
expect_out "^sandbox ${level/+/.}\$"

finish
