#!/bin/sh
# Prints docs/minimum-turns.md: the fewest prohibited turns that turnproof finds and proves,
# compared with the published methods. Takes an hour or more; SECONDS_EACH limits the time of
# each network.
set -eu
: "${SECONDS_EACH:=100}"
GOMAXPROCS=1
export GOMAXPROCS
cat <<'TEXT'
# The fewest prohibited turns, beside the published methods

This page compares methods that make turn sets by the number of prohibited turns ([turn-methods.md](turn-methods.md)).
`make minimum` makes the table.

| column | meaning |
|---|---|
| a method | the number of turns that its set prohibits; a turn and its reverse are two turns |
| minimum | the result of `turnproof turns NETWORK --method minimum` |
| at least | a lower bound for every acyclic and connected set; the independent checker has accepted it |
| gap | the difference of "minimum" and "at least", in percent of "minimum"; if it is 0, "minimum" is optimal |
| seconds | the time of the search on one core, limited to 100 s |

TEXT
echo '| network | up\*/down\* | L-turn α | L-turn β | R-turn α | R-turn β | TP | turn addition | minimum | at least | gap | seconds |'
echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
row() {
	turnproof turns "$1" --compare --method updown,lturn-alpha,lturn-beta,rturn-alpha,rturn-beta,tp,turn-addition,minimum --seconds "$2" |
	awk -v network="$1" '
	$1 ~ /^(updown|lturn-alpha|lturn-beta|rturn-alpha|rturn-beta|tp|turn-addition|minimum)$/ { turns[$1] = $5; least[$1] = $6; seconds = $NF }
	END {
		m = turns["minimum"]; b = least["minimum"]
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", network, turns["updown"], turns["lturn-alpha"], turns["lturn-beta"],
			turns["rturn-alpha"], turns["rturn-beta"], turns["tp"], turns["turn-addition"], m, b, (m == b) ? "0" : sprintf("%.1f %%", 100 * (m - b) / m), seconds
	}'
}
for k in 4 5 6 7 8; do row torus:${k}x$k "$SECONDS_EACH"; done
for k in 4 5 6 7 8; do row mesh:${k}x$k "$SECONDS_EACH"; done
for d in 3 4 5 6; do row hypercube:$d "$SECONDS_EACH"; done
row dragonfly:a=4,h=2,p=2 "$SECONDS_EACH"
for f in 0-8 16 0-8+9-18 0-8+2-10+17; do row "fattree:k=4,levels=3,fail=$f" "$SECONDS_EACH"; done
for n in 16 20 24 32 64; do
	for seed in 1 2 3 4 5 6 7 8 9 10; do row random:switches=$n,degree=4,seed=$seed "$SECONDS_EACH"; done
done
for n in 256 1024; do row random:switches=$n,degree=4,seed=1 "$SECONDS_EACH"; done
