#!/bin/sh
# Checks the words of comments, messages and docs; see .build/words. First it
# checks that the program reports the bad words of a sample.
cd "$(dirname "$0")/.." || exit 2
program=$(mktemp) || exit 2
trap 'rm -f "$program"' EXIT
go build -o "$program" ./.build/words || exit 2
(
	cd .build/words/testdata || exit 2
	ls sample.go sample.md sample.sh generated.go | "$program" | diff want.txt -
) || {
	echo 'words: the sample in .build/words/testdata is not reported as want.txt says'
	exit 1
}
git ls-files | "$program" -todo .build/words.todo
