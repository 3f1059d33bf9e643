package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

// maxColumns is the longest Go line outside tests, with a tab as 4 columns.
const maxColumns = 160

//go:embed phrases.txt
var phraseList string

var phrases = parsePhrases(phraseList)

// A phrase is not used in prose; hint says what to write instead.
type phrase struct {
	pattern *regexp.Regexp
	hint    string
}

// parsePhrases reads lines "PATTERN<tab>HINT". It panics on a bad pattern,
// because the list is part of the program.
func parsePhrases(list string) []phrase {
	var all []phrase
	for line := range strings.Lines(list) {
		pattern, hint, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(pattern, "#") {
			continue
		}
		all = append(all, phrase{regexp.MustCompile(`(?i)(?:^|\W)(` + pattern + `)(?:\W|$)`), hint})
	}
	return all
}

// findings describes each phrase in the prose of the line, and a Go line that
// is too long.
func (l line) findings() []string {
	var found []string
	if l.columns > maxColumns {
		found = append(found, fmt.Sprintf("line of %d columns; want at most %d", l.columns, maxColumns))
	}
	for _, p := range phrases {
		if text, ok := l.find(p.pattern); ok {
			found = append(found, fmt.Sprintf("%q: write %s", text, p.hint))
		}
	}
	return found
}

// find returns the first match that starts in the prose of the line. The
// match may end in the next line.
func (l line) find(pattern *regexp.Regexp) (string, bool) {
	all := l.prose + " " + l.next
	m := pattern.FindStringSubmatchIndex(all)
	if m == nil || m[2] >= len(l.prose) {
		return "", false
	}
	return all[m[2]:m[3]], true
}
