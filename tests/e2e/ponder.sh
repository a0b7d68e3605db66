# Goal: CPU time that a bot uses while it is not to move is seen and told, in
# its children too, and whoever waits quietly is not blamed.
. "$SRC/tests/e2e/lib.sh"

# Takes its time for each answer; `pondering` has a helper that computes while
# the other one thinks.
cat >slow <<'END'
#!/bin/sh
while read -r verb first _; do
	case $verb in
	usp) printf 'id name=%s\nuspok 1\n' "$1" ;;
	isready) echo readyok ;;
	legal) move=$first ;;
	go)
		[ -z "${helper-}" ] || kill "$helper"
		sleep 0.12
		echo "move $move $first"
		[ "$1" != pondering ] || {
			while :; do :; done &
			helper=$!
		}
		;;
	quit)
		[ -z "${helper-}" ] || kill "$helper"
		exit
		;;
	esac
done
END
chmod +x slow

if [ ! -e "/proc/$$/task/$$/children" ]; then
	scenario 'who ponders is told # SKIP this kernel does not name children'
	finish
fi

# How many games of a bot are told in $out as those in which it pondered.
ponder_games() { # NAME
	grep -o "\"name\":\"$1\",\"command\".*" "$out" |
		grep -o '"ponder_games":[0-9]*' | head -n 1 | cut -d : -f 2
}

sandboxes=off
"$SCOPA_ARENA" match @first @first --deals 1 --sandbox require --quiet \
	>/dev/null 2>&1 && sandboxes='off auto'

for sandbox in $sandboxes; do
	scenario "who ponders is told, and who waits is not: --sandbox $sandbox"
	run "$SCOPA_ARENA" match './slow pondering' './slow waiting' --deals 1 \
		--sandbox "$sandbox" --record "$sandbox.scopa" --json
	expect_exit 0
	expect [ "$(ponder_games pondering)" = 1 ]
	expect [ "$(ponder_games waiting)" = 0 ]
	expect [ "$(grep -c '^ponder ' "$sandbox.scopa")" -eq 1 ]
	expect grep -Eq '^ponder 1 cpu=[0-9]+\.[0-9]{6} wall=[0-9]+\.' \
		"$sandbox.scopa"
	expect_no_children
	run "$SCOPA_ARENA" record verify "$sandbox.scopa"
	expect_exit 0
	run "$SCOPA_ARENA" record redact --seat 2 "$sandbox.scopa"
	expect_exit 0
	expect_no_out '^ponder'
	run "$SCOPA_ARENA" record show "$sandbox.scopa"
	expect_out 'ponders \(PONDER\): [0-9.]+ s of CPU time'
done

scenario 'a run tells who ponders in its report and its events'
run "$SCOPA_ARENA" tournament './slow pondering' './slow waiting' \
	--name pondered --deals 1 --rounds 1 --events events.jsonl
expect_exit 0
expect_out '^PONDER +pondering: [0-9.]+ s of CPU time .* in 2 games$'
expect_no_out '^PONDER +waiting'
expect [ "$(grep -c '"event":"game_ponder".*"bot":"pondering"' \
	events.jsonl)" -eq 2 ]
expect_no_children
finish
