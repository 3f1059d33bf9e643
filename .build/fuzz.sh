#!/bin/sh
# Runs every fuzz target of the packages for FUZZTIME each. A target that fails does not stop the
# others. go stores a failing input in testdata/fuzz of the package.
#
#	sh .build/fuzz.sh ./...
listed=$(go test -list '^Fuzz' "$@") || {
	echo "$listed" >&2
	exit 1
}
# go lists the targets of a package, then "ok PACKAGE".
said=$(mktemp)
trap 'rm -f "$said"' EXIT
targets=$(echo "$listed" | awk '/^Fuzz/ { name[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, name[i]; n = 0 }')
[ -n "$targets" ] || {
	echo 'no fuzz targets'
	exit 0
}
echo "$targets" | (
	failed=''
	while read -r package target; do
		echo "$package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-20s}" -fuzzminimizetime 1s "$package" </dev/null >"$said" 2>&1 &&
			{ tail -n 3 "$said"; continue; }
		cat "$said"
		# go fails without a failing input if a worker is busy at the end (golang/go#75804).
		if grep -q 'Failing input written' "$said" || ! grep -q '^    context deadline exceeded$' "$said"; then
			failed="$failed $target"
		fi
	done
	[ -z "$failed" ] || {
		echo "these targets failed:$failed" >&2
		exit 1
	}
)
