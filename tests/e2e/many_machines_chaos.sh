# Goal: workers that are killed and stopped at random, again and again, and a
# server that crashes: each block is counted once, and the run is that of one
# machine.  CHAOS has other numbers: blocks, kills, stops, crashes of the server.
# Full: it plays for some minutes.
. "$SRC/tests/e2e/lib.sh"
. "$SRC/tests/e2e/postgres.bash"
. "$SRC/tests/e2e/many_machines.bash"

read -r blocks kills stops crashes <<<"${CHAOS:-2000 10 4 1}"
lease=3
game=(tournament @first @random --deals 1 --rounds "$blocks" --tc none --seed 5)
names=(anna bruno carla dario)

postgres_needed 'chaos over many machines'
postgres_open || exit

# Prints how many blocks of the run are on the disk.
counted() {
	query_results chaos 'SELECT count(*) FROM block' 2>/dev/null || echo 0
}

# Wakes the workers whose time to sleep is over.
declare -A asleep_until=()
wake() {
	local name
	for name in "${!asleep_until[@]}"; do
		[ "$SECONDS" -lt "${asleep_until[$name]}" ] && continue
		worker_signal "$name" CONT
		unset "asleep_until[$name]"
	done
}

# One more kill, stop or crash, where the run is far enough for it.
disturb() {
	local far name
	far=$(counted)
	name=${names[RANDOM % 4]}
	if [ $((crashed * blocks)) -lt $((crashes * far)) ]; then
		crashed=$((crashed + 1))
		postgres_restart immediate
	elif [ -n "${asleep_until[$name]:-}" ]; then
		return
	elif [ $((killed * blocks)) -lt $((kills * far * 5 / 4)) ] &&
		[ "$killed" -lt "$kills" ]; then
		killed=$((killed + 1))
		worker_signal "$name" KILL
		worker_start "$name" --cores 1
	elif [ $((stopped * blocks)) -lt $((stops * far * 5 / 4)) ] &&
		[ "$stopped" -lt "$stops" ]; then
		stopped=$((stopped + 1))
		worker_signal "$name" STOP
		asleep_until[$name]=$((SECONDS + lease * 2))
	fi
}

bare_scenario "$blocks blocks, $kills kills, $stops stops, $crashes crashes"
arena 0 "${game[@]}" --run local
arena 0 db create --store "$postgres_url"
workers_enrol "${names[@]}"
for name in "${names[@]}"; do worker_start "$name" --cores 1; done
killed=0 stopped=0 crashed=0
start "$SCOPA_ARENA" "${game[@]}" --run chaos --store "$postgres_url" \
	--lease "$lease" --audit 0
while :; do
	while [ -e "/proc/$arena" ]; do
		sleep 0.2
		wake
		disturb
		# A block that was lost three times: `resume` tries it again.
		! grep -q ' is paused' "$err" || kill -s INT "$arena"
	done
	reap
	[ "$(counted)" -lt "$blocks" ] || break
	start "$SCOPA_ARENA" resume chaos --store "$postgres_url"
done
expect_exit 0
echo "# $killed kills, $stopped stops, $crashed crashes, $SECONDS s"
for name in "${!asleep_until[@]}"; do worker_signal "$name" CONT; done
workers_end
for name in "${names[@]}"; do
	expect_no_line 'error in the arena' "$name.log"
done
records_of local >local.records
records_of chaos >chaos.records
expect_same local.records chaos.records

finish
