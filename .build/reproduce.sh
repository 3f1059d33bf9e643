#!/bin/sh
# Prints docs/reproduction.md: every table and figure of the papers that
# "turnproof reproduce --list" names, beside ours. Takes some ten minutes.
set -eu
cat <<'TEXT'
# The papers' tables and figures beside ours

Made by `make reproduce`. Each row has the paper's figure, where its text gives
one, ours, the ratio, and the reading taken where the paper leaves one open. Spread
is the standard deviation over the networks tried.

TEXT
turnproof reproduce --list | while read -r name _; do
	turnproof reproduce "$name" --format markdown
	echo
done
