#!/bin/sh
# Runs the switches of this folder with FRR in network namespaces of Linux, as root.
#
#   sh lab.sh up        start all switches, with all cables up
#   sh lab.sh fail      take down the cables of down.txt; or: sh lab.sh fail SWITCH PORT
#   sh lab.sh settle    wait until each cable that is up has its session or adjacency, and no routes have changed for QUIET seconds
#                       (default 5); exit status 3 if that takes more than MOST seconds (default 120)
#   sh lab.sh collect   write the dumps: dumps/SWITCH/show_ip_route.json, ip_addr.json, ip_route.json, bgp_summary.json
#   sh lab.sh down      stop everything
#   sh lab.sh all       up, settle, fail, settle, collect, down
set -eu
cd "$(dirname "$0")"
frr=${FRR:-/usr/lib/frr}
quiet=${QUIET:-5}
most=${MOST:-120} # seconds to wait for routes
name=tp$(pwd | cksum | cut -d ' ' -f 1)
run=/run/$name # the daemons of FRR read and write here, as the user frr

in_ns() { # number of a switch, command
	number=$1
	shift
	ip netns exec "$name-$number" "$@" < /dev/null
}

daemon() { # number, name of the switch, daemon
	cp "conf/$2/$3.conf" "$run/$2"
	if ! in_ns "$1" "$frr/$3" -d -u frr -g frr -f "$run/$2/$3.conf" -i "$run/$2/$3.pid" -z "$run/$2/zserv.api" \
		--vty_socket "$run/$2" --log "file:$run/$2/$3.log" -A 127.0.0.1 > "$run/$2/start.log" 2>&1; then
		cat "$run/$2/start.log" >&2
		exit 1
	fi
}

show() { # name of the switch, command
	vtysh --vty_socket "$run/$1" -c "$2" 2> /dev/null < /dev/null
}

up() {
	down
	while read -r number switch; do
		mkdir -p "$run/$switch"
		chown frr:frr "$run/$switch"
		ip netns add "$name-$number"
		in_ns "$number" ip link set lo up
		in_ns "$number" sysctl -qw net.ipv4.ip_forward=1
	done < switches.txt
	while read -r a aport aaddress b bport baddress; do
		ip link add "$aport" netns "$name-$a" type veth peer name "$bport" netns "$name-$b"
		in_ns "$a" ip addr add "$aaddress/31" dev "$aport"
		in_ns "$b" ip addr add "$baddress/31" dev "$bport"
		in_ns "$a" ip link set "$aport" up
		in_ns "$b" ip link set "$bport" up
	done < cables.txt
	while read -r number port address; do # the far end of a host's port stands for the hosts
		in_ns "$number" ip link add "$port" type veth peer name "host-$port"
		in_ns "$number" ip addr add "$address" dev "$port"
		in_ns "$number" ip link set "$port" up
		in_ns "$number" ip link set "host-$port" up
	done < hosts.txt
	while read -r number switch; do
		for d in zebra bgpd ospfd; do
			if [ -e "conf/$switch/$d.conf" ]; then daemon "$number" "$switch" "$d"; fi
		done
	done < switches.txt
}

fail() {
	if [ $# -eq 2 ]; then
		in_ns "$(awk -v s="$1" '$2 == s { print $1 }' switches.txt)" ip link set "$2" down
		return
	fi
	while read -r number port; do
		in_ns "$number" ip link set "$port" down
	done < down.txt
}

routes() { # all routes of the kernel, which has what zebra has
	while read -r number switch; do
		echo "$switch"
		ip -n "$name-$number" route show
	done < switches.txt
}

answers() { # waits until a router answers; a busy machine starts routers slowly
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		if show "$1" "$2" > /dev/null; then return; fi
		sleep 1
	done
	echo "lab.sh: $1 does not answer to $2" >&2
	exit 1
}

ports_up() { # number of a switch: how many of its cables are up
	ip -n "$name-$1" -br link show | awk -v n="$1" '
		FNR == NR { if ($1 == n) isPort[$2] = 1; if ($4 == n) isPort[$5] = 1; next }
		{ split($1, port, "@"); if (port[1] in isPort && $2 == "UP") up++ }
		END { print up + 0 }' cables.txt -
}

sessions() { # name of a switch: how many sessions or adjacencies it has; -1 while updates wait in a queue
	if [ -e "conf/$1/ospfd.conf" ]; then
		show "$1" "show ip ospf neighbor json" | grep -c '"converged":"Full"'
		return
	fi
	show "$1" "show bgp summary json" | awk '/"(inq|outq)":[1-9]/ { wait = 1 } /"state":"Established"/ { n++ } END { print wait ? -1 : n + 0 }'
}

met() { # whether each cable that is up has its session
	while read -r number switch; do
		if [ "$(ports_up "$number")" != "$(sessions "$switch" || true)" ]; then return 1; fi
	done < switches.txt
}

tick() { # waits for a second
	if [ "$(($(date +%s) - began))" -gt "$most" ]; then
		echo "lab.sh: after $most s $1" >&2
		exit 3
	fi
	sleep 1
}

settle() {
	began=$(date +%s)
	while read -r number switch; do
		answers "$switch" "show ip route json"
	done < switches.txt
	last= same=0
	while [ "$same" -lt "$quiet" ] || ! met; do
		until met; do tick "some cables have no session"; done
		same=0
		while [ "$same" -lt "$quiet" ]; do
			now=$(routes | cksum)
			if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
			last=$now
			tick "routes still change"
		done
	done
}

collect() {
	while read -r number switch; do
		mkdir -p "dumps/$switch"
		show "$switch" "show ip route json" > "dumps/$switch/show_ip_route.json"
		in_ns "$number" ip -j addr > "dumps/$switch/ip_addr.json"
		in_ns "$number" ip -j route show table main > "dumps/$switch/ip_route.json"
		if [ -e "conf/$switch/bgpd.conf" ]; then show "$switch" "show bgp summary json" > "dumps/$switch/bgp_summary.json"; fi
	done < switches.txt
}

down() {
	for pid in "$run"/*/*.pid; do
		if [ -e "$pid" ]; then kill -9 "$(cat "$pid")" 2> /dev/null || true; fi
	done
	rm -rf "$run"
	while read -r number switch; do
		ip netns del "$name-$number" 2> /dev/null || true
	done < switches.txt
}

case ${1:-} in
up | settle | collect | down | fail) "$@" ;;
all)
	trap down EXIT
	up
	settle
	if [ -s down.txt ]; then
		fail
		settle
	fi
	collect
	;;
*)
	sed -n '2,11s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
