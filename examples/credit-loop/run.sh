#!/bin/sh
# A fabric of 16 switches, routed by OpenSM's own up/down engine, has a credit
# loop. This script finds it, draws it, and proves another table sound; each
# verdict is judged again by the independent checker. Usage: run.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fabric=$here/../fabrics/random16-d4-s2
out=${1:-$here/out}
mkdir -p "$out"

say() { printf '\n== %s\n' "$*"; }
expect() { # expect STATUS COMMAND...
  want=$1; shift
  printf '$ %s\n' "$(echo "$*" | sed "s|$fabric/||g; s|$out/||g")"
  status=0
  "$@" || status=$?
  [ "$status" = "$want" ] || { echo "exit status $status, $want was expected" >&2; exit 1; }
}

say "OpenSM's up/down engine: refuted"
expect 1 turnproof check "$fabric/topology.ibnetdiscover" --routing "$fabric/updn/opensm-lfts.dump.gz" \
  --figure "$out/loop.svg" --certificate "$out/loop.cert"
expect 0 turnproof draw cycle "$fabric/topology.ibnetdiscover" --routing "$fabric/updn/opensm-lfts.dump.gz" -o "$out/loop.png"

say "The same fabric with a sound table: proved"
expect 0 turnproof check "$fabric/topology.ibnetdiscover" --routing "$fabric/file-synth-updown/opensm-lfts.dump.gz" \
  --certificate "$out/sound.cert"
expect 0 turnproof draw paths "$fabric/topology.ibnetdiscover" --routing "$fabric/file-synth-updown/opensm-lfts.dump.gz" --from H4 --to H28 -o "$out/paths.svg"

say "Both certificates, judged by the other program"
expect 0 turnproof-check "$out/loop.cert" "$fabric/topology.ibnetdiscover" "$fabric/updn/opensm-lfts.dump.gz"
expect 0 turnproof-check "$out/sound.cert"

say "Figures: $(ls "$out" | tr '\n' ' ')in $out"
