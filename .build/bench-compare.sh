#!/bin/sh
# Runs the benchmarks of commit REF and of the working tree alternately, so that a slow period
# of the machine affects both, and compares the results with benchstat.
#
#	REF=v1.0 BENCH=Acyclic BENCHTIME=1s COUNT=6 sh .build/bench-compare.sh ./...
. "$(dirname "$0")/tools.sh"

ref=${REF:-HEAD}
git rev-parse --verify --quiet "$ref^{commit}" >/dev/null || {
	echo "bench-compare: REF=$ref is no commit" >&2
	exit 1
}
dir=$(mktemp -d) || exit 1
trap 'git worktree remove --force "$dir/tree" >/dev/null 2>&1; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
git worktree add --quiet --detach "$dir/tree" "$ref" || exit 1

# bench FILE PACKAGES... appends the results of one run in the current folder to FILE.
bench() {
	file=$1
	shift
	go test -run '^$' -bench "${BENCH:-.}" -benchtime "${BENCHTIME:-1s}" -benchmem "$@" >"$dir/run" 2>&1 || {
		cat "$dir/run" >&2
		exit 1
	}
	cat "$dir/run" >>"$file"
}

i=0
while [ "$i" -lt "${COUNT:-6}" ]; do
	i=$((i + 1))
	echo "round $i of ${COUNT:-6}" >&2
	(cd "$dir/tree" && bench "$dir/before" "$@") || exit 1
	bench "$dir/after" "$@"
done
go run "$BENCHSTAT" "$ref=$dir/before" "present=$dir/after"
