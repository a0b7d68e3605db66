# shellcheck shell=bash
# The one-file bots of the house, those of protocol.md included, as far as this
# machine has their languages: the array `bots`.

# Copies the block of protocol.md, or another page, between ```TAG and ``` to a
# program.
extract() { # TAG FILE [PAGE]
	awk -v open="\`\`\`$1" '
		$0 == open { inside = 1; next }
		/^```/ { inside = 0 }
		inside' "${3:-$SRC/protocol.md}" >"$2"
	chmod +x "$2"
}

# A copy of the awk bot for which awk is the one named.
with_awk() { # PROGRAM
	mkdir -p "awk-$1"
	ln -sf "$(command -v "$1")" "awk-$1/awk"
	cp "$SRC/bots/awk/greedy.awk" "awk-$1"
	cat >"greedy-$1" <<-END
		#!/bin/sh
		PATH="$PWD/awk-$1:\$PATH" exec "$PWD/awk-$1/greedy.awk"
	END
	chmod +x "greedy-$1"
}

bots=("$SRC/bots/sh/greedy.sh")
extract 'sh bot' eleven.sh
bots+=("$PWD/eleven.sh")
if command -v python3 >/dev/null; then
	extract 'python bot' twenty.py
	bots+=("$SRC/bots/python/greedy.py" "$PWD/twenty.py")
fi
! command -v node >/dev/null || bots+=("$SRC/bots/javascript/greedy.js")
for awk in mawk gawk; do
	command -v "$awk" >/dev/null || continue
	with_awk "$awk"
	bots+=("$PWD/greedy-$awk")
done
