#!/bin/sh
# Runs every fuzz target of the packages for FUZZTIME each. An input that fails
# is kept by go in the package's testdata/fuzz.
#
#	sh .build/fuzz.sh ./...
listed=$(go test -list '^Fuzz' "$@") || {
	echo "$listed" >&2
	exit 1
}
# go lists the targets of a package, then "ok PACKAGE".
targets=$(echo "$listed" | awk '/^Fuzz/ { name[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, name[i]; n = 0 }')
[ -n "$targets" ] || {
	echo 'no fuzz targets'
	exit 0
}
echo "$targets" | while read -r package target; do
	echo "$package $target"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-20s}" -fuzzminimizetime 1s "$package" </dev/null || exit 1
done
