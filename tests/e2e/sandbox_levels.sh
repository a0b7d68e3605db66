# Goal: if a machine lacks a layer of the sandbox the arena names the layer, the
# reason and a remedy; bots get the remaining layers, and results name the level.
# Queue nobody: the processes of the user nobody are limited.
. "$SRC/tests/e2e/lib.sh"

without=${BUILD:?run this with make test}/tests/e2e/without

# Whether one level is at least as high as another.
is_at_least() { # LEVEL LEVEL
	local level
	for level in box+limits box process none; do
		[ "$level" != "$1" ] || return 0
		[ "$level" != "$2" ] || return 1
	done
}

# Root runs the tests also as the user nobody.
here=$(level_of)
people=('')
if [ "$(id -u)" -eq 0 ] && $nobody test -x "$SCOPA_ARENA" 2>/dev/null &&
	$nobody test -x "$without"; then
	people+=("$nobody")
fi

# Begins a scenario without WHAT, or skips it: the machine must have LEVEL, and
# `without` must work, which some containers prevent.
scenario_without() { # LEVEL WHAT NAME
	# $2 is split into words.
	# shellcheck disable=SC2086
	if is_at_least "$here" "$1" && "$without" $2 -- true 2>/dev/null; then
		scenario "$3"
	else
		skip "$3" "sandbox: $here"
		return 1
	fi
}

# Expects a line for each missing layer, with the reason and a remedy.
expect_missing() { # LEVEL
	if [ "${1%+limits}" = box ]; then
		expect_err_empty
		return
	fi
	expect_err '^sandbox no .*: .+; to have it: .+'
	! grep -qv '^sandbox no .*: .*; to have it: ' "$err" ||
		fail 'a line has another form'
	expect [ "$(wc -l <"$err")" -le 4 ]
}

# Landlock confines signals to a process tree since version 6.
landlock=$("$SCOPA_ARENA" doctor | awk '$1 == "landlock" { print $NF }')
scoped=0 # the exit status of `require` if only namespaces are missing
[ "${landlock//[^0-9]/}" -ge 6 ] 2>/dev/null || scoped=5

while IFS='|' read -r level what required; do
	for person in "${people[@]}"; do
		who=${person:+nobody}
		scenario_without "$level" "$what" "without $what there is $level (${who:-this user})" ||
			continue
		# Both are split into words.
		# shellcheck disable=SC2086
		set -- $person "$without" $what --
		expect [ "$(level_of "$@")" = "$level" ]
		expect_run 0 "$@" "$SCOPA_ARENA" match @first @first --deals 1
		expect_out "^sandbox ${level/+/.}\$"
		expect_missing "$level"
		expect_run 0 "$@" "$SCOPA_ARENA" match @first @first --deals 1 \
			--json
		expect_out "\"sandbox\":\"${level/+/.}\""
		expect_run 0 "$@" "$SCOPA_ARENA" match @first @first --deals 1 \
			--quiet
		expect [ ! -s "$err" ]
		if [ "$level" = none ]; then
			expect_out ', unboxed$'
		else
			expect_no_out 'unboxed'
		fi
		expect_run "$required" "$@" "$SCOPA_ARENA" match @first @first \
			--deals 1 --sandbox require
		if [ "$required" -ne 0 ]; then
			expect_error '--sandbox require: .*cannot be killed'
			expect_err '^  hint    : '
		fi
		expect_no_children
	done
done <<END
process|namespaces|$scoped
process|namespaces scope|5
process|namespaces truncate|5
none|namespaces landlock|5
none|seccomp|5
END

if scenario_without process seccomp 'a layer that was not tried is named once'; then
	run "$without" seccomp -- "$SCOPA_ARENA" match @first @first --deals 1
	expect [ "$(wc -l <"$err")" -eq 1 ]
	expect_err '^sandbox no filter of system calls: '
	expect_run 1 "$without" seccomp -- "$SCOPA_ARENA" doctor
	# The layer of the users of bots does not depend on the filter.
	expect [ "$(grep -c ': not tried without filter of system calls$' \
		"$out")" -eq "$(($(grep '^  no ' "$out" |
			grep -vc '^  no  user: ') - 1))" ]
fi

# As in containers of Docker: another /proc would show what is hidden.  The
# variables are those of the inner shell.
# shellcheck disable=SC2016
container=(unshare --user --map-root-user --mount sh -c
	'mount -t tmpfs none /proc/irq && exec "$@"' sh)

name='a container that hides parts of /proc is named as the reason'
if is_at_least "$here" box && "${container[@]}" true 2>/dev/null; then
	scenario "$name"
	expect_run 0 "${container[@]}" "$SCOPA_ARENA" match @first @first --deals 1
	expect_out '^sandbox process$'
	expect_err '^sandbox no namespaces: /proc: .*systempaths=unconfined$'
else
	skip "$name" "sandbox: $here"
fi

if scenario_without box memory 'without memory for it no weaker sandbox is used'; then
	expect_run 5 "$without" memory -- "$SCOPA_ARENA" match @first @first \
		--deals 1
	expect_error 'the machine refused: Cannot allocate memory'
fi

if scenario_without process seccomp 'tournament and gate refuse --sandbox require, too'; then
	for command in tournament gate; do
		expect_run 5 "$without" seccomp -- "$SCOPA_ARENA" "$command" \
			@first @random --rounds 1 --sandbox require \
			--run refused
		expect_error '--sandbox require: .*cannot be killed'
		expect_no_file refused
	done
fi

if scenario_without process 'namespaces truncate' 'a bot cannot truncate a file that it may read'; then
	cat >cutter.py <<'END'
import os, sys
try:
    os.truncate('kept', 0)
except OSError:
    pass
for flags in os.O_RDONLY, 3:
    try:
        os.open('kept', flags | os.O_TRUNC)
    except OSError:
        pass
sys.exit(3)
END
	for sandbox in auto off; do
		echo kept >kept
		expect_run 4 "$without" namespaces truncate -- "$SCOPA_ARENA" \
			match 'python3 cutter.py' @first --deals 1 \
			--sandbox $sandbox
		expect_err 'HS_EXIT\(3\)'
		if [ $sandbox = auto ]; then
			expect_out '^sandbox process$'
			expect [ "$(cat kept)" = kept ]
		else
			expect [ ! -s kept ]
		fi
	done
fi

scenario 'a record contains the level of the sandbox'
for sandbox in auto off; do
	arena 0 match @first @random --deals 1 --sandbox "$sandbox" \
		--record "$sandbox.scopa"
	expect_verified "$sandbox.scopa"
done
expect_line "^tag .* sandbox=${here//+/.} " auto.scopa
expect_line '^tag .* sandbox=unboxed ' off.scopa
"$SCOPA_ARENA" record export --jsonl off.scopa >off.jsonl
expect_line '"sandbox":"unboxed"' off.jsonl
"$SCOPA_ARENA" record derive off.scopa | grep -q '^tag .* sandbox=unboxed ' ||
	fail 'a derived record lacks the level'
"$SCOPA_ARENA" record merge auto.scopa off.scopa >both.scopa
expect_lines 2 '^tag .* sandbox=' both.scopa

scenario 'a match without a sandbox is marked'
arena 0 match @first @random --deals 1 --sandbox off
expect_err_empty
expect_out '^sandbox unboxed$' '^result .*, unboxed$'
run "$SCOPA_ARENA" match @first @random --deals 1 --sandbox off --rounds 2
expect_lines 2 '^result .*, unboxed$' "$out"
run "$SCOPA_ARENA" match @first @random --deals 1 --sandbox off --json
expect_out '"sandbox":"unboxed"'

# Begins a run with this sandbox, and stops it after its first blocks.
begin() { # RUN SANDBOX
	start "$SCOPA_ARENA" tournament @greedy @random --rounds 1000 \
		--deals 1 --seed 5 --quiet --sandbox "$2" --run "$1"
	await_results "$1"
	end_by INT 130
}

scenario 'a run that is resumed without a sandbox names both levels'
begin mixed auto
arena 0 resume mixed --sandbox off --quiet --events events.jsonl
expect_err_empty
expect_out '^result .*, unboxed$'
first=$here
run "$SCOPA_ARENA" status mixed --full
expect_out "^sandbox +${first/+/.} [0-9]+ games, unboxed [0-9]+ games\$"
expect_out '^result .*, unboxed$'
run "$SCOPA_ARENA" status mixed --json
expect_json "list(d['totals']['sandbox']) == ['$first', 'unboxed']" \
	'sum(d["totals"]["sandbox"].values()) == d["totals"]["games"] == 2000' \
	'd["totals"]["unboxed"] is True'
cp events.jsonl "$out"
expect_json_lines 'd[0]["event"] == "resume" and d[0]["sandbox"] == "unboxed"' \
	'all(game["sandbox"] == "unboxed" for event in d
	if event["event"] == "block" for game in event["games"])'
query_results mixed 'SELECT sandbox FROM game ORDER BY game' | uniq >words
printf '%s\n' "$first" unboxed >expected
expect_same expected words

scenario 'db rebuild restores the levels from the records'
arena 0 db rebuild mixed
expect_out '^results identical$'
# The seed was given by an option, so that fairness cannot be proved.
arena 6 record verify --fair mixed

scenario 'resume uses the sandbox of the run, unless an option changes it'
begin bare off
arena 0 resume bare --quiet
run "$SCOPA_ARENA" status bare --full
expect_out '^sandbox +unboxed$'

finish
