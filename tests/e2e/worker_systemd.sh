# Goal: the systemd unit of a worker, installed as its head says, plays under a
# real systemd, finishes its games when it is stopped, and is not restarted
# again and again if its set-up is wrong.
# Full: systemd needs control groups, which few containers have.
. "$SRC/tests/e2e/many_machines.bash"

systemd=/usr/lib/systemd/systemd
unit=$SRC/docs/scopa-arena-worker.service
group=scopa-test-$$
machine_parent=

# Prints the folders of the control groups that can be used here.
cgroup_folders() {
	awk '($3 == "cgroup" || $3 == "cgroup2") && $2 !~ /cpuset/ { print $2 }' \
		/proc/mounts
}

# What the machine does before systemd becomes its first process: its folders
# /etc, /var and /usr/local/bin are copies that are removed at its end, it has
# no other units, and it does not see the control groups above its own.
cat >machine.sh <<'END'
awk '$3 == "cgroup" || $3 == "cgroup2"' /proc/mounts |
	while read -r _ folder kind options _; do
		options=${options#rw,}
		options=${options#relatime,}
		umount "$folder"
		case $options in
		name=*) options=none,$options ;;
		*cpuset*) continue ;;
		esac
		[ "$kind" = cgroup ] || options=rw
		mount -t "$kind" -o "$options" none "$folder"
	done
mount -t tmpfs -o mode=755 none /run
mkdir -p /run/systemd "$1/none" "$1/units"
mount -t tmpfs -o mode=755 none "$1/none"
for folder in etc var; do
	mkdir -p "$1/none/$folder/upper" "$1/none/$folder/work"
	mount -t overlay -o "lowerdir=/$folder,upperdir=$1/none/$folder/upper,workdir=$1/none/$folder/work" \
		none "/$folder"
done
mkdir "$1/none/empty"
mount -t tmpfs -o mode=755 none /etc/systemd/system
for target in sysinit basic network-online multi-user shutdown; do
	echo "[Unit]" >"$1/units/$target.target"
done
mount --bind "$1/units" /usr/lib/systemd/system
mount --bind "$1/none/empty" /usr/lib/systemd/system-generators
mount -t tmpfs -o mode=755 none /usr/local/bin
cp "$SCOPA_ARENA" /usr/local/bin/scopa-arena
export container=other
exec "$2" --system --unit=multi-user.target --log-target=console \
	--show-status=no
END

become_machine() {
	local folder
	set -e
	for folder in $(cgroup_folders); do
		mkdir -p "$folder/$group"
		echo "$BASHPID" >"$folder/$group/cgroup.procs"
	done
	exec unshare --mount --pid --ipc --uts --cgroup --fork --kill-child \
		--mount-proc bash -e machine.sh "$PWD" "$systemd"
}

# Runs a command on that machine.
inside() { # COMMAND...
	nsenter --target "$machine" --mount --pid --cgroup "$@"
}

end_machine() {
	local folder
	[ -n "$machine_parent" ] || return 0
	kill -s KILL "$machine_parent" 2>/dev/null
	wait "$machine_parent" 2>/dev/null
	for folder in $(cgroup_folders); do
		# A group can be removed when its last process has ended.
		until [ -z "$(find "$folder/$group" -name cgroup.procs \
			-exec cat {} + 2>/dev/null)" ]; do sleep 0.05; done
		find "$folder/$group" -depth -type d -exec rmdir {} + 2>/dev/null
	done
}

# Starts the machine, and sets $machine to its first process; $lack is empty, or
# says why that is impossible here.
start_machine() {
	lack=
	[ "$(id -u)" -eq 0 ] || lack='only root can start a systemd'
	[ -x "$systemd" ] || lack='systemd is not installed'
	[ -z "$lack" ] || return
	(become_machine) </dev/null >machine.log 2>&1 &
	machine_parent=$!
	lack='systemd cannot be started here'
	for _ in $(seq 600); do
		machine=$(children_of "$machine_parent" | head -n 1)
		[ -z "$machine" ] ||
			! inside systemctl is-active multi-user.target \
				>/dev/null 2>&1 || { lack= && return; }
		[ -e "/proc/$machine_parent" ] || return
		sleep 0.1
	done
}

scenario 'the unit for systemd is well-formed'
mkdir bin
sed "s,/usr/local/bin/scopa-arena,$SCOPA_ARENA," "$unit" >worker.service
if command -v systemd-analyze >/dev/null; then
	run systemd-analyze verify ./worker.service
	expect_no_err 'worker.service'
	expect_no_out 'worker.service'
fi

postgres_open 'a worker under systemd'
# The user of the worker must reach the socket.
chmod 711 "$postgres_dir"

start_machine
if [ -n "$lack" ]; then
	end_machine
	skip 'a worker under systemd' "$lack"
	sed 's/^/# /' machine.log | tail -n 5
	finish
fi
trap 'end_machine; postgres_close; rm -f "$out" "$out".* "$err"' EXIT

# Prints a property of the service.
property() { # NAME
	inside systemctl show --property "$1" --value scopa-arena-worker
}

# Waits until the service has this state.
await_state() { # STATE
	until [ "$(property ActiveState)" = "$1" ]; do
		[ -e "/proc/$machine" ] || {
			fail 'systemd has ended'
			return
		}
		sleep 0.1
	done
}

# Prints the commands in the head of the unit.
head_of_unit() {
	sed -n 's/^#\t\([a-z]* .*\)/\1/p' "$unit"
}

scenario 'the commands in the head of the unit make the user and the key'
cp "$unit" scopa-arena-worker.service
head_of_unit | sed '/^install/,$d' >user.sh
expect_lines 3 . user.sh
inside bash -e "$PWD/user.sh" >key.out 2>&1 || fail "$(cat key.out)"
key=$(sed -n 's/.* --key \([0-9a-f]*\) .*/\1/p' key.out)
arena 0 db create --store "$postgres_url"
arena 0 workers enroll anna --key "$key" --store "$postgres_url"
password=$(sed -n 's/^  password: //p' "$out")

scenario 'a worker with a wrong password is not restarted again and again'
head_of_unit | sed -n '/^install/,/^cp/p' >unit.sh
expect_lines 2 . unit.sh
inside bash -ec "cd $PWD; . ./unit.sh" >unit.out 2>&1 || fail "$(cat unit.out)"
set_up() { # PASSWORD
	inside tee /etc/scopa-arena-worker >/dev/null <<END
STORE=$(postgres_url_of scopa_anna x | sed 's/:x@/@/')
PGPASSWORD=$1
OPTIONS=--name anna --cores 1
END
}
set_up wrong
head_of_unit | sed -n '/^systemctl/p' >enable.sh
expect_lines 1 . enable.sh
inside bash -e "$PWD/enable.sh" >enable.out 2>&1
await_state failed
expect [ "$(property ExecMainStatus)" = 2 ]
expect [ "$(property NRestarts)" = 0 ]

scenario 'a worker under systemd plays in its sandbox, and ends when it is stopped'
set_up "$password"
inside systemctl start scopa-arena-worker
arena 0 tournament @first @random --deals 1 --rounds 10 --tc none --seed 5 \
	--run played --store "$postgres_url" --audit 0
expect_verified played/records.scopa
expect_lines 20 '^match ' played/records.scopa
expect [ "$(property ActiveState)" = active ]
expect [ "$(inside stat -c '%a %U' /var/lib/scopa-arena/worker.key)" = \
	'600 scopa-arena' ]
inside systemctl stop scopa-arena-worker
expect [ "$(property Result)" = success ]
expect [ "$(property ExecMainStatus)" = 0 ]

finish
