#!/bin/sh
# Usage: collect-ethernet.sh FOLDER SWITCH...
#        collect-ethernet.sh FOLDER - < list-of-switches
#
# Collects by ssh what "turnproof check FOLDER" reads of routed Ethernet switches (FRR, SONiC, Cumulus Linux, other Linux): routes,
# addresses, LLDP neighbours, AS numbers, and config_db.json of SONiC. Each switch gets a subfolder. A file that is there already is kept: run the
# script again to continue. Remove a file, or the folder of a switch, to collect it again. All switches should be dumped within a short
# time, while the routes do not change.
#
# SSH (default: ssh -o BatchMode=yes -o ConnectTimeout=10) is the command that runs a command on a switch, as in: SSH="ssh -l admin".
# SUDO (default: sudo -n) comes before commands that need it; SUDO= for none.
set -u

if [ $# -lt 2 ]; then
	sed -n '2,3s/^# //p' "$0" >&2
	exit 2
fi
folder=$1
shift
if [ "$*" = - ]; then
	set -- $(cat)
fi
ssh=${SSH:-ssh -o BatchMode=yes -o ConnectTimeout=10}
sudo=${SUDO-sudo -n}
total=$#
number=0
failed=

# run FILE COMMAND: writes the output of a command on the switch to a file, if it is complete. A command that the switch does not have is no error.
run() {
	[ -s "$folder/$switch/$1" ] && return 0
	if $ssh "$switch" "$2" < /dev/null > "$folder/$switch/$1.part" 2> "$folder/$switch/.errors" && [ -s "$folder/$switch/$1.part" ]; then
		mv "$folder/$switch/$1.part" "$folder/$switch/$1"
		return 0
	fi
	rm -f "$folder/$switch/$1.part"
	return 1
}

for switch in "$@"; do
	number=$((number + 1))
	printf '%s of %s: %s' "$number" "$total" "$switch" >&2
	mkdir -p "$folder/$switch" || exit 1
	got=
	run show_ip_route.json "$sudo vtysh -c 'show ip route vrf all json' || $sudo vtysh -c 'show ip route json'" && got="$got routes"
	run ip_route.json "ip -j route show table main" && got="$got kernel-routes"
	run ip_addr.json "ip -j addr" && got="$got addresses"
	run lldp.json "$sudo lldpcli show neighbors -f json0 || $sudo docker exec lldp lldpcli show neighbors -f json0" && got="$got neighbours"
	if run bgp_summary.json "$sudo vtysh -c 'show bgp summary json'"; then
		if grep -q '"as":' "$folder/$switch/bgp_summary.json"; then # not so without BGP
			got="$got as"
		else
			rm "$folder/$switch/bgp_summary.json"
		fi
	fi
	run config_db.json "cat /etc/sonic/config_db.json" && got="$got config_db"
	rm -f "$folder/$switch/.errors"
	case $got in
	*routes*) echo ":$got" >&2 ;;
	*)
		echo ": no routes" >&2
		failed="$failed $switch"
		;;
	esac
done
if [ -n "$failed" ]; then
	echo "no routes of:$failed; run the script again for these" >&2
	exit 1
fi
echo "Check the fabric: turnproof check $folder" >&2
