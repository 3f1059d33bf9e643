package format

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// This file writes lists, counts and excerpts for messages.

// capped lists at most ten names and the number of the others.
func capped(names []string, total int) string {
	if len(names) > 10 {
		names = names[:10]
	}
	list := strings.Join(names, ", ")
	if more := total - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// counted formats a number with its noun: "1 LID", "2 LIDs".
func counted(k int, word string) string {
	if k != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", k, word)
}

// clip shortens a line for an error message.
func clip(line []byte) []byte {
	if len(line) > 60 {
		return append(bytes.Clone(line[:60]), "..."...)
	}
	return line
}

// base returns the name of a file without its folder.
func base(path string) string { return filepath.Base(path) }

// nameList names the first ten things of a kind, and counts all.
type nameList struct {
	names []string
	total int
}

// add counts a thing. It keeps the name of the first ten.
func (l *nameList) add(format string, a ...any) {
	if l.total++; len(l.names) < 10 {
		l.names = append(l.names, fmt.Sprintf(format, a...))
	}
}

// String returns the names and the number of the others.
func (l nameList) String() string { return capped(l.names, l.total) }
