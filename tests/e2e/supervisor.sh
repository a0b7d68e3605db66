# Goal: if a bot can send signals to processes of the arena and kills its
# supervisor twice in a game, it loses; the first time the game is only void,
# because another program may have killed the supervisor.
. "$SRC/tests/e2e/lib.sh"

faulty=${BUILD:?run this with make test}/tests/faulty/faulty_bot
without=$BUILD/tests/e2e/without

# If Landlock confines signals no bot can kill its supervisor, so it is switched
# off.
without_scope=()
if "$without" namespaces scope -- true 2>/dev/null; then
	without_scope=("$without" namespaces scope --)
elif landlock=$("$SCOPA_ARENA" doctor | awk '$1 == "landlock" { print $NF }') &&
	[ "${landlock//[^0-9]/}" -ge 6 ] 2>/dev/null; then
	skip 'a bot kills its supervisor' 'Landlock cannot be switched off'
	finish
fi

levels=(off)
"${without_scope[@]}" "$SCOPA_ARENA" match @first @first --deals 1 \
	>"$out" 2>/dev/null && grep -q '^sandbox process$' "$out" &&
	levels+=(auto)

play_at() { # SANDBOX COMMAND...
	run "${without_scope[@]}" "$SCOPA_ARENA" "${@:2}" --sandbox "$1"
}

bad=(--bot "cmd=$faulty" args=kills-supervisor name=bad)
good=(--bot "cmd=$faulty" args=honest name=good)

for level in "${levels[@]}"; do
	scenario "a bot that kills its supervisor loses: $level"
	rm -f games.scopa
	play_at "$level" match "${bad[@]}" "${good[@]}" --deals 1 --rounds 2 \
		--record games.scopa
	expect_exit 0
	expect [ "$(grep -c 'forfeit by bad: died of signal 9 (SIGKILL)$' "$out")" -eq 2 ]
	expect_lines 2 'voided=BOX_ERR\b' games.scopa
	expect_no_children
	arena 0 record verify games.scopa

	scenario "a bot that kills its supervisor at its start is refused: $level"
	play_at "$level" tournament --bot "cmd=$faulty" \
		args=kills-supervisor-at-hello name=bad "${good[@]}" \
		--deals 1 --rounds 1
	expect_exit 4
	expect_err 'bot "bad" did not get ready to play: died of signal 9 \(SIGKILL\) .* \(HS_CRASH\(9\)\)$'
	expect_no_children

	[ "$level" = off ] || continue
	scenario "a gate with such a bot is played to its end: $level"
	play_at "$level" gate "${bad[@]}" --base "cmd=$faulty" args=honest \
		name=good --deals 1 --sprt max=30
	expect [ "$status" -eq 1 -o "$status" -eq 3 ]
	expect_no_children
	rm -rf runs
done
finish
