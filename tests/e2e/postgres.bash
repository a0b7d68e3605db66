# shellcheck shell=bash
# A PostgreSQL server for scenarios, in a folder of its own:
#
#	. "$SRC/tests/e2e/postgres.bash"	# reads lib.sh, too
#	postgres_open 'the queue'	# or: postgres_open 'the queue' 127.0.0.1
#	arena 0 db create --store "$postgres_url"
#	postgres_sql 'SELECT count(*) FROM scopa.run'
#	postgres_await 'SELECT count(*) FROM scopa.run' 1
#	postgres_restart		# or: postgres_stop, postgres_kill
#
# The server is a child process of the script, and the kernel stops it if the
# script is killed.  It listens on a Unix socket, and with an address also on a
# free TCP port, with TLS only.
#
#	postgres_url	URL of the organiser, through the socket, with a password
#	postgres_tcp	the same through TCP with TLS
#	postgres_dir	data, socket, log, password file, server.crt
# shellcheck disable=SC2034 # for scripts

. "$SRC/tests/e2e/lib.sh"

postgres_dir=
postgres_pid=
postgres_url=
postgres_port=5432
postgres_address=
# Words before the command of the server, such as `ip netns exec NAME`.
postgres_enter=()

# Prints the folder of the newest PostgreSQL's programs, or nothing.
postgres_find() {
	local folder
	folder=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
	if [ -x "$folder/initdb" ]; then
		echo "$folder"
	elif command -v initdb >/dev/null; then
		dirname "$(command -v initdb)"
	fi
}

# If PostgreSQL is missing, ends the script: its tests are skipped, or fail if
# CI is `true`.  A program that was built without stores (REMOTE=0) has no
# stores to test.
postgres_needed() { # NAME
	local lacks=
	if "$SCOPA_ARENA" db create --store postgres:///x?host=/nowhere 2>&1 |
		grep -q 'built without stores'; then
		skip "$1" 'built without libpq'
		finish
	fi
	postgres_bin=$(postgres_find)
	postgres_user=()
	if [ -z "$postgres_bin" ]; then
		lacks='PostgreSQL is not installed'
	elif ! command -v openssl >/dev/null; then
		lacks='openssl is not installed'
	elif [ "$(id -u)" -eq 0 ]; then
		postgres_user=(--reuid postgres --regid postgres --clear-groups)
		id postgres >/dev/null 2>&1 || lacks='no user postgres'
	fi
	[ -n "$lacks" ] || return 0
	if [ "${CI:-}" = true ]; then
		scenario "$1"
		fail "$lacks"
	else
		skip "$1" "$lacks"
	fi
	finish
}

# Runs a command as the user of the server, in its folder.
postgres_as_user() { # COMMAND...
	(cd "$postgres_dir" &&
		exec setpriv "${postgres_user[@]}" env HOME="$postgres_dir" \
			"$@")
}

# Makes the folder and the server's data, and starts the server.  Without
# PostgreSQL the script ends here, with the tests of NAME skipped.
postgres_open() { # NAME [ADDRESS]
	local options
	postgres_needed "$1"
	# The path of a socket has at most 107 bytes, so this folder is not
	# in TMPDIR.
	postgres_dir=$(mktemp -d /tmp/scopa-pg.XXXXXX)
	trap 'postgres_close; rm -f "$out" "$out".* "$err"' EXIT
	postgres_address=${2:-}
	postgres_password=organiser%1
	echo "$postgres_password" >"$postgres_dir/password"
	[ "${#postgres_user[@]}" -eq 0 ] ||
		chown -R postgres:postgres "$postgres_dir"
	postgres_as_user "$postgres_bin/initdb" -D "$postgres_dir/data" \
		-U organiser --pwfile "$postgres_dir/password" --no-sync \
		-A scram-sha-256 -E UTF8 --locale C >"$postgres_dir/initdb" \
		2>&1 || {
		sed 's/^/# /' "$postgres_dir/initdb"
		exit 5
	}
	# With `mmap` the shared memory of the server is a file in its folder, so
	# that a server that was killed leaves nothing in /dev/shm.
	options="unix_socket_directories = '$postgres_dir'
		listen_addresses = '$postgres_address'
		shared_buffers = 32MB
		dynamic_shared_memory_type = mmap
		max_connections = 100
		fsync = off
		autovacuum_naptime = 5s
		log_statement = none"
	if [ -n "$postgres_address" ]; then
		postgres_as_user openssl req -x509 -nodes -newkey ec \
			-pkeyopt ec_paramgen_curve:prime256v1 -days 2 \
			-subj /CN=scopa -addext \
			"subjectAltName=IP:$postgres_address" \
			-keyout data/server.key -out server.crt 2>/dev/null
		options+="
		ssl = on
		ssl_cert_file = '$postgres_dir/server.crt'"
		echo 'hostssl all all all scram-sha-256' >"$postgres_dir/hba"
	fi
	echo 'local all all scram-sha-256' >>"$postgres_dir/hba"
	cat "$postgres_dir/hba" >"$postgres_dir/data/pg_hba.conf"
	printf '%s\n' "$options" >>"$postgres_dir/data/postgresql.conf"
	postgres_start || exit 5
}

# Starts the server, and waits until it accepts connections.  The first start
# chooses a free TCP port; later starts use the same port.
postgres_start() {
	local attempt
	for attempt in $(seq 50); do
		[ -n "$postgres_url" ] || [ -z "$postgres_address" ] ||
			postgres_port=$((20000 + RANDOM % 12000))
		postgres_start_once && break
		sleep 0.1
	done
	[ -n "$postgres_pid" ] || {
		sed 's/^/# /' "$postgres_dir/log"
		return 1
	}
	postgres_url=$(postgres_url_of organiser "$postgres_password")
	postgres_tcp=$(postgres_tcp_of organiser "$postgres_password")
}

postgres_start_once() {
	(cd "$postgres_dir" && exec "${postgres_enter[@]}" setpriv \
		"${postgres_user[@]}" --pdeathsig QUIT env HOME="$postgres_dir" \
		"$postgres_bin/postgres" -D data -p "$postgres_port") \
		</dev/null >>"$postgres_dir/log" 2>&1 &
	postgres_pid=$!
	until postgres_as_user "$postgres_bin/pg_isready" -q \
		-h "$postgres_dir" -p "$postgres_port"; do
		kill -0 "$postgres_pid" 2>/dev/null || {
			wait "$postgres_pid"
			postgres_pid=
			return 1
		}
		sleep 0.05
	done
}

# Stops the server.  MODE: `fast` (the default) rolls back, `immediate` ends as
# a crash does.
postgres_stop() { # [MODE]
	local signal=INT
	[ "${1:-fast}" = fast ] || signal=QUIT
	postgres_end "$signal"
}

# Kills the server with all its processes.
postgres_kill() {
	local others
	others=$(children_of "$postgres_pid")
	postgres_end KILL
	# shellcheck disable=SC2086 # words
	kill -9 $others 2>/dev/null
}

postgres_end() { # SIGNAL
	[ -n "$postgres_pid" ] || return 0
	kill -s "$1" "$postgres_pid" 2>/dev/null
	wait "$postgres_pid" 2>/dev/null
	postgres_pid=
}

postgres_restart() { # [MODE]
	postgres_stop "$@"
	postgres_start
}

postgres_close() {
	postgres_stop immediate
	[ -z "$postgres_dir" ] || rm -rf "$postgres_dir"
	postgres_dir=
}

# Prints the URL of a user, through the socket or through TCP.
postgres_url_of() { # USER PASSWORD [DATABASE]
	echo "postgres://$1:${2//%/%25}@/${3:-postgres}?host=$postgres_dir&port=$postgres_port"
}

postgres_tcp_of() { # USER PASSWORD [DATABASE]
	echo "postgres://$1:${2//%/%25}@$postgres_address:$postgres_port/${3:-postgres}?sslmode=verify-full&sslrootcert=$postgres_dir/server.crt"
}

# Runs SQL as the organiser, or as the user of another URL, and prints rows with
# blanks between columns.
postgres_sql() { # SQL [URL]
	"$postgres_bin/psql" -XqAt -F ' ' -v ON_ERROR_STOP=1 -c "$1" \
		"${2:-$postgres_url}"
}

# Waits until a query gives this value; fails if the process $arena ends before.
postgres_await() { # SQL VALUE
	until [ "$(postgres_sql "$1")" = "$2" ]; do
		[ -e "/proc/$arena" ] || {
			fail "the arena ended before this was $2: $1"
			return
		}
		sleep 0.05
	done
}
