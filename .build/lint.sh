#!/bin/sh
# Runs all checks that do not run our code. All checks run, even if one fails. The exit
# status is 0 if all pass. The first run downloads the tools.
. "$(dirname "$0")/tools.sh"
. "$(dirname "$0")/find-z3.sh"
here=$(dirname "$0")
failed=''

# check NAME COMMAND... prints the output of the command only if it fails.
check() {
	name=$1
	shift
	output=$("$@" 2>&1) && return
	printf -- '-- %s\n%s\n' "$name" "$output" >&2
	failed="$failed $name"
}

# silent COMMAND... fails if the command prints anything to its standard output.
silent() {
	output=$("$@") || { echo "$output"; return 1; }
	[ -z "$output" ] || { echo "$output"; return 1; }
}

# files PATTERN lists our Go files with a line that matches, sorted.
files() {
	find . -name '*.go' ! -path './.*/*' -exec grep -lE "$1" {} + | sort
}

# only_in FOLDER PATTERN fails for files outside the folder with such a line.
only_in() { silent sh -c 'grep -v "^\./$1/" || :' - "$1" <<EOF
$(files "$2")
EOF
}

# folders lists the folders of the files named on standard input.
folders() { sed 's|/[^/]*$||' | sort -u; }

arrows() {
	dependencies=$(CGO_ENABLED=1 go list -tags z3 -f '{{.ImportPath}}{{range .Deps}} {{.}}{{end}}' ./...) &&
		echo "$dependencies" | awk -f "$here/imports.awk"
}

help_lines() {
	awk -F: '/^[a-z][a-z-]*:/ && !/ ## / { print "Makefile: target " $1 " has no help line"; bad = 1 } END { exit bad }' Makefile
}

check gofmt silent gofmt -s -l .
check goimports silent go run "$GOIMPORTS" -l .
check vet go vet ./...
check staticcheck go run "$STATICCHECK" ./...
check errcheck go run "$ERRCHECK" -exclude "$here/errcheck.exclude" ./...
check ineffassign go run "$INEFFASSIGN" ./...
if find_z3; then
	# The same for the packages that have files for the tag.
	tagged=$(files '^//go:build .*z3' | folders)
	# shellcheck disable=SC2086
	{
		check vet-z3 sh "$here/with-z3.sh" go vet ./...
		check staticcheck-z3 sh "$here/with-z3.sh" go run "$STATICCHECK" $tagged
		check errcheck-z3 sh "$here/with-z3.sh" go run "$ERRCHECK" -tags z3 -exclude "$here/errcheck.exclude" $tagged
		check ineffassign-z3 sh "$here/with-z3.sh" go run "$INEFFASSIGN" $tagged
	}
else
	echo 'lint: without Z3, files for the tag z3 are only formatted' >&2
fi
check go.mod go mod tidy -diff
check arrows arrows
check house sh "$here/with-z3.sh" go run ./.build/house -check
check go-z3 only_in verify/smt '"github.com/aclements/go-z3'
check cgo only_in verify/smt '^(import )?[[:space:]]*"C"'
check go-graphviz only_in model/view/figure/graphviz '"github.com/goccy/go-graphviz'
check help-lines help_lines
check words sh "$here/words.sh"

[ -z "$failed" ] || {
	echo "lint: failed:$failed" >&2
	exit 1
}
