# shellcheck shell=bash
# Sets the array `bots`: the bots of protocol.md and those kits that need no
# compiler, if this machine has their languages.

. "$SRC/tests/e2e/lib.sh"

# Copies the block of protocol.md, or another page, between ```TAG and ``` to a
# program.
extract() { # TAG FILE [PAGE]
	awk -v open="\`\`\`$1" '
		$0 == open { inside = 1; next }
		/^```/ { inside = 0 }
		inside' "${3:-$SRC/protocol.md}" >"$2"
	chmod +x "$2"
}

bots=("$SRC/bots/sh/bot.sh")
extract 'sh bot' eleven.sh
bots+=("$PWD/eleven.sh")
if command -v python3 >/dev/null; then
	extract 'python bot' twenty.py
	bots+=("$SRC/bots/python/bot.py" "$PWD/twenty.py")
fi
! command -v node >/dev/null || bots+=("$SRC/bots/javascript/bot.js")
