#!/bin/sh
# Prints model/booksim/testdata/booksim2.txt: what BookSim 2 itself says about the topologies of package model/booksim, one line for each
# configuration on standard input, with the numbers of channels, dependencies and first hops and a checksum of all of them. BookSim 2 is built
# in a temporary folder from BOOKSIM_SOURCE, its folder src.
#
#	BOOKSIM_SOURCE=booksim2/src sh .build/booksim-routes/run.sh <model/booksim/testdata/configurations.txt
set -eu
: "${BOOKSIM_SOURCE:?the folder src of BookSim 2}"
for tool in c++ flex bison awk; do
	command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 77; }
done
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$BOOKSIM_SOURCE" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$source" "$work/src"
cp "$here/routes.cpp" "$work/src/main.cpp"
make -C "$work/src" CPPFLAGS="-O2 -I. -Iarbiters -Iallocators -Irouters -Inetworks -Ipower -w" >"$work/make.log" 2>&1 || { tail -n 20 "$work/make.log" >&2; exit 1; }
while read -r configuration; do
	printf '%s\n' "$configuration" | tr ';' '\n' | sed 's/ *=/ =/; s/$/;/; /^ *;$/d' >"$work/config"
	"$work/src/booksim" "$work/config" | grep -E '^[cnds]( [0-9]+)+$' | LC_ALL=C sort >"$work/lines"
	printf '%s | %s %s %s %s %s\n' "$configuration" "$(grep -c '^c' "$work/lines" || :)" "$(grep -c '^n' "$work/lines")" \
		"$(grep -c '^d' "$work/lines" || :)" "$(grep -c '^s' "$work/lines" || :)" "$(sha256sum "$work/lines" | cut -c 1-16)"
	[ -z "${KEEP:-}" ] || cp "$work/lines" "$KEEP"
done
