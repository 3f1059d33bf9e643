# A simulated fabric that stays up while OpenSM loads one set of tables after the other. run.sh reads this file with ". fabric.sh"; it sets
# work, a folder for the files of ibsim and OpenSM, and defines start, load, pull and plug.
work=$(mktemp -d)
sim=''
IBSIM_SOCKNAME=turnproof-$$ OSM_CACHE_DIR=$work OSM_TMP_DIR=$work
export IBSIM_SOCKNAME OSM_CACHE_DIR OSM_TMP_DIR
: >"$work/opensm.conf"

finish() {
	exec 3>&- || :
	[ -z "$sim" ] || kill "$sim" 2>/dev/null || :
	[ -z "$sim" ] || wait "$sim" 2>/dev/null || :
	rm -rf "$work" "$log"
}
trap finish EXIT
trap 'exit 130' INT TERM

# client COMMAND... runs a client of the simulator in the folder for its files.
client() { (cd "$work" && timeout 60 ibsim-run "$@" 2>"$work/err") || { echo "$1 failed:" >&2; tail -n 20 "$work/err" >&2; exit 1; }; }

# start NETLIST starts the simulator. Its console reads what is written to descriptor 3.
start() {
	mkfifo "$work/console"
	timeout 600 ibsim -s -S 4096 -N 32768 -P 262144 "$1" <"$work/console" >"$work/ibsim.log" 2>&1 &
	sim=$!
	exec 3>"$work/console"
	tries=0
	until grep -q "$IBSIM_SOCKNAME:ctl" /proc/net/unix && (cd "$work" && timeout 5 ibsim-run ibnetdiscover >/dev/null 2>&1); do
		tries=$((tries + 1))
		kill -0 "$sim" 2>/dev/null && [ "$tries" -lt 100 ] || { echo "ibsim does not come up:" >&2; tail -n 20 "$work/ibsim.log" >&2; exit 1; }
		sleep 0.05
	done
}

# load LFTS FOLDER loads tables with OpenSM, and reads network and tables back from the switches into FOLDER.
load() {
	rm -f "$work/opensm.log"
	lfts=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
	client opensm -F "$work/opensm.conf" -R file -U "$lfts" -f "$work/opensm.log" -D 0x43 -o >"$work/opensm.out"
	# If OpenSM cannot load the tables, it continues with another engine.
	grep -q ': file tables configured on all switches' "$work/opensm.log" || { tail -n 20 "$work/opensm.log" >&2; exit 1; }
	mkdir -p "$2"
	client ibnetdiscover >"$2/topology.ibnetdiscover"
	client dump_fts >"$2/lfts.dump"
}

# console WORD SWITCH PORT gives the simulator a command, and waits until it has done it.
console() { printf '%s "%s"[%s]\n' "$1" "$2" "$3" >&3; sleep 1; }
pull() { console Unlink "$@"; }
plug() { console Relink "$@"; }
