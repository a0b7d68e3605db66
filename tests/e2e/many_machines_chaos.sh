# Goal: while workers are killed, stopped and disconnected at random and the
# server crashes, each block is counted once, the run has the records of one
# machine, and needs no `resume`.  CHAOS can set other numbers: of blocks,
# kills, stops, crashes of the server, cuts of the network.
# Release: many_machines.sh plays the same code with sanitizers.
. "$SRC/tests/e2e/many_machines.bash"
. "$SRC/tests/e2e/namespaces.bash"

: "${CHAOS:=$(few_or_all '2000 3 2 1 1' '8000 10 4 1 1')}"
read -r blocks kills stops crashes cuts <<<"$CHAOS"
lease=3
game=(tournament @first @random --deals 1 --rounds "$blocks" --tc none --seed 5)
names=(anna bruno carla dario)

lack=$(spaces_lack)
if [ -n "$lack" ]; then
	skip 'chaos with a partition of the network' "$lack"
	cuts=0
	postgres_open 'chaos over many machines'
else
	spaces_open anna
	# shellcheck disable=SC2034 # of many_machines.bash and postgres.bash
	worker_spaces[anna]=$space-anna postgres_enter=("${space_hub[@]}")
	trap 'spaces_close; postgres_close; rm -f "$out" "$out".* "$err"' EXIT
	postgres_open 'chaos over many machines' "$space_address"
	trap 'spaces_close; postgres_close; rm -f "$out" "$out".* "$err"' EXIT
fi

# Prints the number of blocks that the run has stored.
counted() {
	query_results chaos 'SELECT count(*) FROM block' 2>/dev/null || echo 0
}

# Continues workers that were stopped long enough, and reconnects the network.
declare -A asleep_until=()
cut_until=
end_disturbances() {
	local name
	for name in "${!asleep_until[@]}"; do
		[ "$SECONDS" -lt "${asleep_until[$name]}" ] && continue
		worker_signal "$name" CONT
		unset "asleep_until[$name]"
	done
	[ -n "$cut_until" ] && [ "$SECONDS" -ge "$cut_until" ] || return
	space_join anna
	cut_until=
}

# Whether one more disturbance of a kind is due: they are spread over four
# fifths of the run, and there are none at its end.
is_due() { # DONE ALL
	[ "$1" -lt "$2" ] && [ $(($1 * blocks)) -lt $(($2 * far * 5 / 4)) ] &&
		[ $((far * 10)) -lt $((blocks * 9)) ]
}

# Makes the disturbances that are due, each for another worker that is not
# stopped.
disturb() {
	local far name
	far=$(counted)
	if is_due "$crashed" "$crashes"; then
		crashed=$((crashed + 1))
		postgres_restart immediate
	fi
	if [ -z "$cut_until" ] && is_due "$cut" "$cuts"; then
		cut=$((cut + 1))
		space_cut anna
		cut_until=$((SECONDS + lease * 3))
	fi
	for name in $(shuf -e "${names[@]}"); do
		if [ -n "${asleep_until[$name]:-}" ]; then
			continue
		elif is_due "$stopped" "$stops"; then
			stopped=$((stopped + 1))
			worker_signal "$name" STOP
			asleep_until[$name]=$((SECONDS + lease * 2))
		elif is_due "$killed" "$kills"; then
			killed=$((killed + 1))
			worker_signal "$name" KILL
			worker_start "$name"
		fi
	done
}

bare_scenario "$blocks blocks, $kills kills, $stops stops, $crashes crashes, $cuts cuts"
arena 0 "${game[@]}" --run local
echo "# without a queue: $SECONDS s"
arena 0 db create --store "$postgres_url"
workers_enrol "${names[@]}"
# The certificate of the server is verified.
[ -n "$lack" ] || expect_line "postgres://scopa_anna@$space_address:$postgres_port/postgres[?]sslmode=verify-full&sslrootcert=$postgres_dir/server.crt'\$" anna.enrolled
for name in "${names[@]}"; do worker_start "$name"; done
killed=0 stopped=0 crashed=0 cut=0
SECONDS=0
start "$SCOPA_ARENA" "${game[@]}" --run chaos --store "$postgres_url" \
	--lease "$lease" --audit 0
while [ -e "/proc/$arena" ]; do
	sleep 0.2
	end_disturbances
	disturb
done
reap 0
expect_no_err ' is paused'
echo "# $killed kills, $stopped stops, $crashed crashes, $cut cuts, $SECONDS s"
# If a run makes fast progress, the last ones are not due any more.
for count in "$killed/$kills" "$stopped/$stops" "$crashed/$crashes" "$cut/$cuts"; do
	[ "${count%/*}" -gt 0 ] || [ "${count#*/}" -eq 0 ] ||
		fail "no disturbance of a kind: $count"
done
for name in "${!asleep_until[@]}"; do worker_signal "$name" CONT; done
[ -z "$cut_until" ] || space_join anna
for name in "${names[@]}"; do
	until tail -n 1 "$name.log" | grep -q 'no run needs this worker$' ||
		! [ -e "/proc/${worker_pids[$name]}" ]; do
		sleep 0.05
	done
done
workers_end
for name in "${names[@]}"; do
	expect_no_line 'error in the arena' "$name.log"
done
echo "# late results:" \
	"$(sed -n 's/.*results that do not count: \([0-9]*\).*/\1/p' ./*.log |
		awk '{ sum += $1 } END { print sum + 0 }')"
expect [ "$(counted)" -eq "$blocks" ]
expect_same_games local chaos

finish
