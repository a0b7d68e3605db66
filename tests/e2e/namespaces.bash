# shellcheck shell=bash
# Network namespaces for scenarios: `hub` with a bridge, in which the server
# runs, and others that are connected to it.  After lib.sh:
#
#	lack=$(spaces_lack)	# why they cannot be made here, or nothing
#	spaces_open w1 w2	# the hub has the address $space_address
#	"${space_hub[@]}" COMMAND
#	ip netns exec "$space-w1" COMMAND
#	space_cut w1		# disconnects it, like a cable that is pulled out
#	space_join w1
#	spaces_close		# kills their processes, and removes them

space=scopa-$$
space_address=10.83.0.1
# shellcheck disable=SC2034 # for scripts
space_hub=(ip netns exec "$space-hub")

spaces_lack() {
	[ "$(id -u)" -eq 0 ] || { echo 'only root may make namespaces' && return; }
	command -v ip >/dev/null || { echo 'iproute2 is not installed' && return; }
	ip netns add "$space-hub" 2>/dev/null &&
		ip -n "$space-hub" link add br0 type bridge 2>/dev/null &&
		ip netns exec "$space-hub" true 2>/dev/null ||
		echo 'this machine lets nobody make network namespaces'
	spaces_close
}

spaces_open() { # NAME...
	local name number=10
	ip netns add "$space-hub"
	ip -n "$space-hub" link add br0 type bridge
	ip -n "$space-hub" link set lo up
	ip -n "$space-hub" address add "$space_address/24" dev br0
	ip -n "$space-hub" link set br0 up
	for name in "$@"; do
		number=$((number + 1))
		ip netns add "$space-$name"
		ip link add name eth0 netns "$space-$name" type veth \
			peer name "$name" netns "$space-hub"
		ip -n "$space-hub" link set "$name" master br0 up
		ip -n "$space-$name" link set lo up
		ip -n "$space-$name" address add "10.83.0.$number/24" dev eth0
		ip -n "$space-$name" link set eth0 up
	done
}

spaces_close() {
	local name
	for name in $(ip netns list 2>/dev/null | grep -o "^$space-[a-z0-9]*"); do
		ip netns pids "$name" | xargs -r kill -9 2>/dev/null
		ip netns delete "$name"
	done
}

space_cut() { # NAME
	ip -n "$space-hub" link set "$1" down
}

space_join() { # NAME
	ip -n "$space-hub" link set "$1" up
}
