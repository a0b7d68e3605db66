# shellcheck shell=bash
# Workers of a queue in PostgreSQL, for scenarios:
#
#	. "$SRC/tests/e2e/many_machines.bash"	# reads postgres.bash and lib.sh
#	postgres_open 'many machines'
#	workers_enrol anna bruno	# makes their keys and logins
#	remote_scenario NAME anna	# with this worker, and no other one
#	worker_start bruno --cores 2	# ${worker_pids[bruno]}; its log is bruno.log
#	worker_signal anna KILL		# signals; KILL, TERM, INT also wait
#	workers_end			# TERM to all; each must end with 0
#
# Each worker has a folder of its own for key and cache, as on its own machine.
# ${worker_spaces[anna]} is the network namespace in which it runs; such a worker
# reaches the server through TCP.

. "$SRC/tests/e2e/postgres.bash"

declare -A worker_pids=() worker_urls=() worker_spaces=()

# Makes a key for each worker, and enrols the worker as the organiser.  A worker
# in a namespace is enrolled over TCP, so that the printed URL is for TCP, too.
workers_enrol() { # NAME...
	local name key enter store
	for name in "$@"; do
		enter=() store=$postgres_url
		[ -z "${worker_spaces[$name]:-}" ] ||
			enter=("${space_hub[@]}") store=$postgres_tcp
		key=$("$SCOPA_ARENA" worker --name "$name" \
			--key "$name/worker.key" --cache "$name/cache" |
			sed -n 's/.* --key \([0-9a-f]*\) .*/\1/p')
		"${enter[@]}" "$SCOPA_ARENA" workers enroll "$name" --key "$key" \
			--trusted --store "$store" >"$name.enrolled" 2>&1 ||
			fail "worker $name is not enrolled: $(cat "$name.enrolled")"
		# The printed command has the password in front.
		worker_urls[$name]=$(sed -nE \
			"s,.*PGPASSWORD=([^ ]*) .* '(postgres:[^@]*)(@.*)',\2:\1\3,p" \
			"$name.enrolled")
	done
}

# Ends the workers of the previous scenario, and begins a scenario with these
# workers, whose bots have no sandbox.
remote_scenario() { # NAME [WORKER...]
	local name
	workers_end
	bare_scenario "$1"
	for name in "${@:2}"; do worker_start "$name"; done
}

# Starts a worker in the background, on one core.  Each start appends to its log.
worker_start() { # NAME [OPTION...]
	local enter=()
	[ -z "${worker_spaces[$1]:-}" ] ||
		enter=(ip netns exec "${worker_spaces[$1]}")
	env --default-signal=INT,TERM "$run_mark" "${enter[@]}" \
		"$SCOPA_ARENA" worker \
		--name "$1" --key "$1/worker.key" --cache "$1/cache" \
		--store "${worker_urls[$1]}" --sandbox off --cores 1 "${@:2}" \
		</dev/null >>"$1.log" 2>&1 &
	worker_pids[$1]=$!
}

# Sends a worker a signal.  If the signal ends the worker, waits for the end and
# sets $worker_status to its exit status.
worker_signal() { # NAME SIGNAL
	kill -s "$2" "${worker_pids[$1]}" 2>/dev/null
	case $2 in
	KILL | TERM | INT) worker_reap "$1" ;;
	esac
}

worker_reap() { # NAME
	worker_status=0
	wait "${worker_pids[$1]}" 2>/dev/null || worker_status=$?
	unset "worker_pids[$1]"
}

# Ends all running workers, and expects that each exits with 0.
workers_end() {
	local name
	for name in "${!worker_pids[@]}"; do
		kill -s CONT "${worker_pids[$name]}" 2>/dev/null
		worker_signal "$name" TERM
		[ "$worker_status" -eq 0 ] ||
			fail "worker $name ended with $worker_status: $(tail -n 3 \
				"$name.log")"
	done
}

# Waits until the log of a worker has a line; fails if the worker ends before.
worker_await() { # NAME EXPRESSION
	until grep -Eqs -e "$2" "$1.log"; do
		[ -e "/proc/${worker_pids[$1]:-none}" ] ||
			grep -Eqs -e "$2" "$1.log" || {
			fail "worker $1 ended before its log had: $2"
			sed 's/^/# /' "$1.log" | tail -n 5
			return 1
		}
		sleep 0.05
	done
}
