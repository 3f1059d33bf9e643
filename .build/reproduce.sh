#!/bin/sh
# Prints docs/reproduction.md: every table and figure of the papers that
# "turnproof reproduce --list" names, compared with ours. Takes about half an hour.
set -eu
cat <<'TEXT'
# Published tables and figures, beside the results of turnproof

This page compares the published results of five papers with the results of turnproof, number by number. To repeat one
comparison, run `turnproof reproduce NAME` with the name of a section; `turnproof reproduce --list` lists the names.
`make reproduce` makes the whole page.

| column | meaning |
|---|---|
| published | the number in the text or table of the paper; empty if the text does not give it |
| ours | the result of turnproof |
| spread | the standard deviation over the random networks |
| ratio | ours divided by published |
| reading | how we interpret the paper, if it leaves a rule open |

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
