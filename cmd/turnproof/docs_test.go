package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTablesDoc: the commands of docs/tables.md print what stands there, line after line,
// "..." for what is left out.
func TestTablesDoc(t *testing.T) {
	text, err := os.ReadFile("../../docs/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, block := range strings.Split(string(text), "```")[1:] {
		line, shown, ok := strings.Cut(strings.TrimPrefix(block, "\n"), "\n")
		if !ok || !strings.HasPrefix(line, "$ turnproof ") {
			continue
		}
		commands++
		printed, stderr, code := turnproof(t, strings.Fields(line)[2:]...)
		if code != 0 {
			t.Errorf("%s: %s", line, stderr)
		}
		if missing := excerpt(strings.Split(printed, "\n"), strings.Split(strings.TrimSuffix(shown, "\n"), "\n")); missing != "" {
			t.Errorf("%s does not print, where it should,\n%s", line, missing)
		}
	}
	if commands != 6 {
		t.Errorf("%d commands", commands)
	}
}

// excerpt returns the first line shown that is not the next one printed, or after "..."
// not printed at all.
func excerpt(printed, shown []string) string {
	at := 0
	for i, line := range shown {
		if line == "..." {
			continue
		}
		if i > 0 && shown[i-1] == "..." {
			skip := slices.Index(printed[at:], line)
			if skip < 0 {
				return line
			}
			at += skip
		}
		if at >= len(printed) || printed[at] != line {
			return line
		}
		at++
	}
	return ""
}
