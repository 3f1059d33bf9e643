#!/bin/sh
# Prints docs/reproduction.md: every table and figure of the papers that
# "turnproof reproduce --list" names, beside ours. Takes some half an hour.
set -eu
cat <<'TEXT'
# The papers' tables and figures beside ours

Made by `make reproduce`. Each row has the paper's figure, where its text gives
one, ours, the ratio, and the reading taken where the paper leaves one open. Spread
is the standard deviation over the networks tried.

TEXT
journal=$(mktemp -d)/journal
trap 'rm -rf "$(dirname "$journal")"' EXIT
turnproof reproduce --list | while read -r name _; do
	case $name in
	flow-limiting/figure-[4567]) turnproof reproduce "$name" --format markdown --quick --journal "$journal" ;;
	flow-limiting/*) turnproof reproduce "$name" --format markdown --quick ;; # in full: hours, see docs/flow-limiting.md
	*) turnproof reproduce "$name" --format markdown ;;
	esac
	echo
done
